"""Keys in points mode: an amount, then the side that pegs it. OK moves on to the next step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from cribpi.companion.entry import corrections
from cribpi.companion.entry.choice import (
    GameView,
    KeyBinding,
    Number,
    Scene,
    Text,
    menu,
    per_side,
    undo,
)
from cribpi.companion.entry.effect import Effect, WrongKey
from cribpi.companion.entry.input_state import CountHand, InputState
from cribpi.companion.entry.keys import RANKS, SIDES, Pad, amounts_of
from cribpi.companion.entry.the_show import NOT_PEGGED, PEG_NOTHING, text_of_points
from cribpi.cribbage.game.events import PointsPegged, StepPassed
from cribpi.cribbage.game.show import HIGHEST_SHOW, IMPOSSIBLE_SHOWS, Kind
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import is_legal
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.game.steps.points import card_points, play_points
from cribpi.cribbage.game.steps.show import check_count
from cribpi.cribbage.rules.errors import ImpossiblePoints
from cribpi.cribbage.rules.grammar import capital, does, within
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.words.shows import players_count, whose_show
from cribpi.cribbage.words.tell import for_his_heels


def scored_events(rules: Rules) -> tuple[tuple[Kind, int], ...]:
    """Return the scored events of the play and their points under *rules*, in menu order."""
    return tuple((kind, points) for kind, worth in play_points(rules).items() for points in worth)


def deal_to_crib(view: GameView) -> Scene:
    """Return the scene of the current phase, from the deal to the crib. The likeliest keys come first."""
    typed = (
        KeyBinding(key, str(amount), partial(_typed, view, amount), is_amount=True)
        for key, amount in amounts_of(view.cards)
    )
    compares = "Compare it with the cards" if players_count(view.state) else "Count the cards"
    by_cards = KeyBinding("FLNB", Text(compares, "cards"), partial(_counted, view))
    others = [*typed, *_steps(view), *_sides(view)]
    if view.state.sides < len(SIDES):  # With three sides, GO is the third side's key instead.
        others.append(KeyBinding("GO", Text("1 for the go", "go: 1"), partial(_go, view)))
    others += [_ok(view), by_cards]
    bindings = {binding.key: binding for binding in (*others, undo(view), _menu(view))}
    prompt, keypad_prompt, likely = _prompt(view)
    first = [bindings.pop(key) for key in likely if key in bindings]
    return Scene(
        prompt,
        (*first, *(binding.unlikely() for binding in bindings.values())),
        keypad_prompt=keypad_prompt,
        number=Number(view.input_state.amount if view.input_state.typed else None, partial(_digit, view)),
    )


def _prompt(view: GameView) -> tuple[str, str, tuple[str, ...]]:
    """Return the prompt, its keypad version or "", and the likely keys, likeliest first.

    An amount is typed with the rank keys, or raised and lowered with a joystick.
    """
    state, input_state = view.state, view.input_state
    pad, say = view.pad, view.pad.label_for
    if input_state.typed:
        return _asks_more(view)
    keys: tuple[str, ...] = RANKS if pad.has_ranks else _STICK
    name = state.names[view.deal.dealer]
    match state.phase:
        case Phase.DEAL:
            return does(name, "deals"), "", ("OK",)
        case Phase.STARTER:  # A joystick's middle key pegs his heels, whichever side deals.
            side = state.side(view.deal.dealer)
            heels = f"{for_his_heels(state.rules)} to {state.side_name(side)}"
            commits = "OK"
            if pad.has_ranks:
                keys, commits = (str(his_heels(state.rules)),), pad.side_keys(state.sides)[side]
            keypad_prompt = f"A jack is {heels}: {say(keys[0])}, then {say(commits)}"
            return f"Was the starter a jack? {capital(heels)}", keypad_prompt, ("OK", *keys)
        case Phase.PLAY:
            keypad_prompt = f"The play: {_enter(pad)} an amount, {say('P1')} or {say('P2')} pegs it"
            prompt = "The play: enter the points, then who gets them"
            return prompt, "" if pad.has_ranks else keypad_prompt, (*keys, "GO", "OK")
        case _:
            by_cards = () if players_count(state) else ("FLNB",)
            prompt, how = (
                f"{whose_show(state)}: enter the count",
                f"{whose_show(state)}: {_enter(pad)} the count",
            )
            return prompt, how, (*keys, "OK", *by_cards)


def _asks_more(view: GameView) -> tuple[str, str, tuple[str, ...]]:
    """Return the prompts and likely keys while an amount is typed.

    19 can't be pegged, but typing can make it 20.
    """
    state, input_state = view.state, view.input_state
    pad = view.pad
    compares = ("FLNB",) if players_count(state) else ()
    counts = () if pad.has_ranks else _STICK
    if takers(state, input_state):
        if only_side(state) is None:
            return who_gets(input_state), "", (*pad.side_keys(state.sides), *counts)
        return f"{input_state.amount} typed", "", ("OK", *compares, "UNDO", *counts)
    left = [points - input_state.amount for points in amounts(state)]
    ranks = (key for points, key in enumerate(RANKS, start=1) if points in left)
    prompt = f"{input_state.amount}: {NOT_PEGGED[state.phase].format(points=his_heels(state.rules))}"
    keypad_prompt = f"{prompt}; {_enter(pad)} more" if max(left) > 0 else prompt
    return prompt, keypad_prompt, (*ranks, *compares, "UNDO", *counts)


def who_gets(input_state: InputState) -> str:
    return f"Who gets {input_state.amount}?"


_STICK: Final = ("UP", "DOWN")
"""Keys that raise and lower an amount on a keypad without ranks."""


def _enter(pad: Pad) -> str:
    """Return the verb for entering an amount on *pad*: "type", or the names of the joystick's keys."""
    return "type" if pad.has_ranks else f"{pad.label_for('UP')} and {pad.label_for('DOWN')} set"


def _menu(view: GameView) -> KeyBinding:
    """Return the binding of MENU. If only the menu can peg for the third side, the label says so."""
    state, opens = view.state, menu(view)
    if not view.input_state.typed or view.pad.side_keys(state.sides)[-1:] != ("MENU",):
        return opens
    third = state.side_name(2)
    text = Text(f"{view.input_state.amount} for {within(third)}, in the menu", "for {name}: menu", third)
    return opens._replace(label=text)


def _typed(view: GameView, amount: int) -> Effect:
    input_state = view.input_state
    if view.state.phase is Phase.DEAL:
        raise WrongKey(_BEFORE_STARTER)
    if input_state.kind is not None:
        return Effect(replace(input_state, typed=(amount,), kind=None))
    if input_state.amount + amount > HIGHEST_SHOW:
        raise ImpossiblePoints(
            f"{input_state.amount} + {amount} = {input_state.amount + amount}, and no hand counts more than "
            f"{HIGHEST_SHOW}: "
            f"{view.pad.label_for('UNDO')} undoes the last one"
        )
    return Effect(replace(input_state, typed=(*input_state.typed, amount)))


def _digit(view: GameView, digit: int | None) -> Effect:
    if view.state.phase is Phase.DEAL:
        raise WrongKey(_BEFORE_STARTER)
    after = view.input_state.with_digit(digit)
    if after.amount > HIGHEST_SHOW:
        raise ImpossiblePoints(f"{after.amount}: no hand counts more than {HIGHEST_SHOW}")
    return Effect(after)


_BEFORE_STARTER: Final = "Nothing can be pegged before the starter is cut"


def _steps(view: GameView) -> Iterator[KeyBinding]:
    """Yield the bindings of UP and DOWN, for the next possible amount.

    Below 0, the highest amount follows.
    """
    input_state, possible = view.input_state, amounts(view.state)
    above = next((points for points in possible if points > input_state.amount), 0)
    below = next((points for points in reversed(possible) if points < input_state.amount), possible[-1])

    def counted(amount: int) -> Effect:
        if len(possible) == 1:
            raise WrongKey(_BEFORE_STARTER)
        return Effect(replace(input_state, typed=(amount,) if amount else (), kind=None))

    yield KeyBinding("UP", Text("One more", "+1"), partial(counted, above), is_amount=True)
    yield KeyBinding("DOWN", Text("One less", "-1"), partial(counted, below), is_amount=True)


def _sides(view: GameView) -> Iterable[KeyBinding]:
    """Return a binding for each side's key: peg the typed amount, or open the side's corrections."""
    input_state = view.input_state
    if not input_state.typed and input_state.kind is None:
        return corrections.by_side_key(view, is_go_third=True)
    return per_side(
        view,
        partial(text_of_points, input_state.amount),
        lambda side: view.makes(pegged(input_state, side)),
    )


def _go(view: GameView) -> Effect:
    """Type one point for the go. With three sides, GO is a side's key instead."""
    input_state, say = view.input_state, view.pad.label_for
    if view.state.phase is not Phase.PLAY:
        raise WrongKey(
            f"{say('GO')} pegs the go in the play; here {say('OK')} goes on", "A go is pegged in the play"
        )
    if input_state.typed:
        raise WrongKey(
            f"{input_state.amount} is typed: a side's key pegs it, {say('UNDO')} clears it; then {say('GO')}",
            f"Peg the {input_state.amount} first, or clear it",
        )
    return Effect(replace(input_state, kind=str(Kind.GO), typed=(1,)))


def _ok(view: GameView) -> KeyBinding:
    """Return the binding of OK.

    It pegs the typed amount if only one side can peg; otherwise it ends this step.
    """
    state, input_state = view.state, view.input_state
    only = only_side(state)
    if not input_state.typed and not input_state.kind:
        steps: dict[Phase, Text | str] = {
            Phase.DEAL: Text("The starter is cut", "starter is cut"),
            Phase.STARTER: Text("It was not a jack", "no jack"),
            Phase.PLAY: "The play is over",
        }
        return KeyBinding("OK", steps.get(state.phase, PEG_NOTHING), view.makes(StepPassed()))
    if only is None:

        def refuse() -> Effect:
            how, undoes = how_to_peg(view), view.pad.label_for("UNDO")
            raise WrongKey(f"{who_gets(input_state)} {how}, {undoes} clears it", who_gets(input_state))

        return KeyBinding("OK", text_of_points(input_state.amount, ""), refuse)
    text = text_of_points(input_state.amount, state.side_name(only))
    return KeyBinding("OK", text, view.makes(pegged(input_state, only)))


def _counted(view: GameView) -> Effect:
    """Open the dialog that counts a hand by its cards, `CountHand`.

    If players count their own hands, the amount typed so far is the player's claim.
    """
    state, input_state = view.state, view.input_state
    say = view.pad.label_for
    if not state.is_show:
        raise WrongKey(
            f"{say('FLNB')} counts a hand at the show; here type an amount, then a side's key",
            "A hand is counted at the show",
        )
    claimed = None
    if players_count(state):
        if not input_state.typed:
            raise WrongKey(
                f"Type what was counted first; then {say('FLNB')} compares it with the cards, or {say('OK')} "
                f"pegs it",
                "Enter what was counted first",
            )
        check_count(input_state.amount, state.rules.miscount)
        claimed = input_state.amount
    elif input_state.typed:
        raise WrongKey(
            f"{input_state.amount} is typed: {say('OK')} pegs it, {say('UNDO')} clears it; "
            f"then {say('FLNB')} counts by cards",
            f"Peg the {input_state.amount} first, or clear it",
        )
    return Effect(InputState(CountHand(claimed=claimed)))


def amounts(state: State) -> tuple[int, ...]:
    """Return the amounts that can be pegged now, ascending, including 0.

    They depend on the phase: his heels, one card of the play, or a hand or crib.
    """
    match state.phase:
        case Phase.STARTER:
            return 0, his_heels(state.rules)
        case Phase.PLAY:
            return 0, *card_points(state.rules)
        case Phase.SHOW | Phase.CRIB:
            return _COUNTS
        case _:
            return (0,)


_COUNTS: Final = tuple(points for points in range(HIGHEST_SHOW + 1) if points not in IMPOSSIBLE_SHOWS)


def only_side(state: State) -> int | None:
    """Return the only side that can peg now, or None. OK pegs for this side.

    In the play, any side can peg.
    """
    deal = state.deal
    if deal is None or state.phase is Phase.PLAY:
        return None
    return state.side(deal.dealer if state.phase is Phase.STARTER else deal.shower)


def takers(state: State, input_state: InputState) -> tuple[int, ...]:
    """Return the sides that could peg the typed amount."""
    only = only_side(state)
    sides = range(state.sides) if only is None else (only,)
    return tuple(side for side in sides if input_state.typed and is_legal(state, pegged(input_state, side)))


def how_to_peg(view: GameView) -> str:
    """Format the keys that peg the typed amount, such as "P1 or P2 pegs it"."""
    state, say = view.state, view.pad.label_for
    two = f"{say('P1')} or {say('P2')} pegs it"
    if state.sides < len(SIDES):
        return two
    third = view.pad.side_keys(state.sides)[-1]
    key = f"{say('MENU')} {say('OK')}" if third == "MENU" else say(third)
    return f"{two}, {key} for {state.side_name(2)}"


def pegged(input_state: InputState, side: int) -> PointsPegged:
    """Return the event that pegs the typed amount, or the scored event chosen by name, for *side*."""
    return PointsPegged(side, input_state.amount, Kind(input_state.kind) if input_state.kind else None)
