"""Scenes of the show, of a player's count, and of the ruling on a wrong go."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from cribpi.companion.entry.choice import GameView, KeyBinding, Number, Scene, Text, per_card, undo
from cribpi.companion.entry.effect import Effect
from cribpi.companion.entry.input_state import CountHand, InputState
from cribpi.companion.entry.keys import amounts_of
from cribpi.companion.entry.shows import ShowView
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card, check_possible
from cribpi.cribbage.game.deal import Renege
from cribpi.cribbage.game.show import HIGHEST_SHOW, SuitClaim
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.game.steps.corrections import renege_points
from cribpi.cribbage.game.steps.show import check_count
from cribpi.cribbage.rules.errors import ImpossibleClaim, ImpossiblePoints, NotHeld
from cribpi.cribbage.rules.grammar import does
from cribpi.cribbage.rules.names import YOU
from cribpi.cribbage.words.shows import whose_show, wrong_go

SUITS: Final = Text("Flush or his nobs", "flush, nobs")

PEG_NOTHING: Final = Text("Nothing to peg", "peg 0")


def _rule(view: GameView, renege: Renege) -> Scene:
    """Return the scene that asks the players to rule on a wrong go."""
    state = view.state
    points = renege_points(state, len(renege.cards))
    others = [state.side_name(side) for side in range(state.sides) if side != state.side(renege.seat)]
    who, each = " and ".join(others), f"{points} each"
    text = Text(f"Give {who} {points}", f"{{name}} {points}", who)
    if len(others) > 1:
        text = Text(f"Give {who} {each}", each)
    bindings = (
        KeyBinding("OK", text, view.makes(events.RenegeRuled(renege.seat, points))),
        KeyBinding("GO", "No penalty", view.makes(events.RenegeRuled(renege.seat, 0))),
    )
    return Scene(wrong_go(state, renege), bindings)


def show(view: GameView) -> Scene:
    """Return the scene of a hand or crib.

    It asks for missing cards, for the player's count, or for flush and nobs.
    """
    input_state, shown = view.input_state, view.show
    if shown.to_rule_on is not None:
        return _rule(view, shown.to_rule_on)
    suits = KeyBinding(
        "FLNB",
        SUITS,
        lambda: Effect(replace(input_state, claim=next_claim(shown.claims, input_state.claim))),
        is_likely=len(shown.claims) > 1,
    )
    if shown.missing:
        return _turn_up(view, shown, suits)
    if shown.is_counted:
        return _count(view, shown, suits)
    pegs = KeyBinding("OK", text_of_show(view.state, shown.points), view.makes(shown.event(None)))
    return Scene(what_is_shown(view.state, shown), (pegs, suits))


def text_of_show(state: State, points: int) -> Text:
    """Return the label of the key that pegs *points* for the current hand or crib."""
    if not points:
        return PEG_NOTHING
    shower = the_deal(state).shower
    before = state.pegs[state.side(shower)].front
    after = min(before + points, state.rules.target)
    return Text(f"Peg {points}", f"{{name}} {before}\N{RIGHTWARDS ARROW}{after}", state.names[shower])


def what_is_shown(state: State, show: ShowView) -> str:
    """Return a description of the hand or crib: its owner, its cards and the starter."""
    return f"{whose_show(state)} {' '.join(map(str, show.cards))} with {show.starter}"


def _turn_up(view: GameView, show: ShowView, suits: KeyBinding) -> Scene:
    """Return the scene that asks for cards: those of the crib, or a hand's unplayed cards."""
    state, seat = view.state, show.seat
    who, what = "The crib has", "its cards"
    if not show.is_crib:
        who, what = does(state.names[seat], "shows"), "the cards not played"

    def turned(card: Card) -> Effect:
        return view.makes(events.CribCardTurned(card) if show.is_crib else events.HandCardTurned(seat, card))

    cards = per_card(view, lambda card: Text(f"{who} the {card.face}", card.face), turned)
    too_early = KeyBinding("OK", PEG_NOTHING, view.makes(show.event(None)))
    prompt = f"{whose_show(state)}: press {what}, {show.missing} more"
    return Scene(prompt, (*cards, too_early, suits), takes_ranks=True)


def _count(view: GameView, show: ShowView, suits: KeyBinding) -> Scene:
    """Return the scene for a player's own count. Typed amounts add up; OK pegs them, and GO pegs nothing."""
    state, input_state = view.state, view.input_state
    prompt = what_is_shown(state, show)
    if view.viewer not in {None, show.seat}:
        return Scene(f"{state.names[show.seat]} is counting", ())
    amounts = []
    for key, amount in amounts_of(view.cards):
        more = partial(_counted_so_far, replace(input_state, typed=(*input_state.typed, amount)))
        amounts.append(KeyBinding(key, str(amount), more, is_amount=True))

    def typed(digit: int | None) -> Effect:
        return _counted_so_far(input_state.with_digit(digit))

    number = Number(input_state.amount if input_state.typed else None, typed)
    if not input_state.typed:
        nothing = KeyBinding("GO", Text(PEG_NOTHING.long, "nothing"), view.makes(show.event(0)))
        return Scene(f"{prompt}: type the count", (*amounts, nothing, suits), takes_ranks=True, number=number)
    name = state.side_name(state.side(show.seat))
    claims_it = Text(text_of_points(input_state.amount, name).long, f"count {input_state.amount}")
    claim = KeyBinding("OK", claims_it, view.makes(show.event(input_state.amount)))
    # Nobody can count 19, for example, but further typing can make it 20.
    if not can_count(state, input_state.amount):
        prompt = f"{input_state.amount}: {NOT_PEGGED[state.phase]}; type more"
    return Scene(prompt, (claim, suits, undo(view), *amounts), takes_ranks=True, number=number)


def text_of_points(points: int, name: str) -> Text:
    """Return the label of the key that pegs *points* for *name*.

    >>> text_of_points(12, "Ann").long, text_of_points(12, "You").long
    ('Peg 12 for Ann', 'Peg 12')
    """
    whom = "" if name in {"", YOU} else f" for {name}"
    return Text(f"Peg {points}{whom}", f"{points} for {{name}}", name)


NOT_PEGGED: Final = {
    Phase.DEAL: "nothing can be pegged before the starter is cut",
    Phase.STARTER: "only {points} for his heels can be pegged",
    Phase.PLAY: "no card pegs that",
    Phase.SHOW: "no hand counts that",
    Phase.CRIB: "no crib counts that",
}
"""Reason why the typed amount can't be pegged, by phase."""


def _counted_so_far(input_state: InputState) -> Effect:
    """Return the effect of a typed amount. Raise `ImpossiblePoints` if no hand or crib counts that much."""
    if input_state.amount > HIGHEST_SHOW:
        raise ImpossiblePoints(f"no hand or crib counts {input_state.amount}: the most is {HIGHEST_SHOW}")
    return Effect(input_state)


def can_count(state: State, points: int) -> bool:
    """Return whether a player may claim *points*, whatever the hand is worth.

    Impossible counts, such as 19, may be claimed only with muggins.
    """
    try:
        check_count(points, state.rules.miscount)
    except ImpossiblePoints:
        return False
    return True


def next_claim(possible: tuple[SuitClaim, ...], claim: int) -> int:
    """Return the index of the claim after *claim* in *possible*. After the last claim comes the first.

    Raises:
        ImpossibleClaim: If there is no choice.
    """
    if not possible:
        raise ImpossibleClaim("press all its cards first; then flush and his nobs can be added")
    if len(possible) == 1:
        raise ImpossibleClaim("these cards have no flush and no nobs")
    return (claim + 1) % len(possible)


def count_hand(view: GameView, dialog: CountHand) -> Scene:
    state, shown = view.state, view.show
    starter = shown.starter
    fewer = replace(dialog, cards=dialog.cards[:-1], claim=0) if dialog.cards else None
    undoes = Text("Undo the last one", "clear") if dialog.cards else "Close"
    leave = KeyBinding("UNDO", undoes, view.opened(fewer))
    if not shown.claims or starter is None or state.deal is None:
        known = (*shown.cards, *filter(None, (starter,)))

        def more(card: Card) -> Effect:
            check_possible((*known, card))
            return view.opened(replace(dialog, cards=(*dialog.cards, str(card)), claim=0))

        cards = per_card(view, _the, more)
        prompt = f"press its cards, {shown.missing} more" if shown.missing else "now the starter"
        return Scene(f"Count a hand: {prompt}", (*cards, leave.unlikely()), takes_ranks=True)
    event = events.HandCounted(shown.seat, shown.cards, starter, shown.claim, dialog.claimed)

    def other_claim() -> Effect:
        return view.opened(replace(dialog, claim=next_claim(shown.claims, dialog.claim)))

    def full(_card: Card) -> Effect:
        raise NotHeld("All the cards are in: peg them, or undo the last one")

    bindings = (
        KeyBinding("OK", text_of_show(state, shown.points), view.makes(event)),
        KeyBinding("FLNB", SUITS, other_claim, is_likely=len(shown.claims) > 1),
        leave,
        *(binding.unlikely() for binding in per_card(view, _the, full)),
    )
    prompt = f"{' '.join(map(str, shown.cards))} with {starter}"
    if dialog.claimed is not None:
        prompt += f": {dialog.claimed} counted, the cards make {shown.points}"
    return Scene(prompt, bindings, takes_ranks=True)


def _the(card: Card) -> Text:
    return Text(f"The {card.face}", card.face)
