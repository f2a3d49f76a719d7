"""Keys while something is open: a menu, a question, a hand that is counted.

A rank key picks a line, P1 and P2 (or LEFT and RIGHT) change it, OK accepts, UNDO leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from cribpi.core import seats
from cribpi.core.cards import Card, check_possible
from cribpi.core.errors import NotHeld
from cribpi.core.events import (
    DealerChosen,
    Entry,
    GoSaid,
    HandCounted,
    Misdealt,
    NewCountLed,
)
from cribpi.core.game import next_game
from cribpi.core.rules import BY_NAME, PRESETS, TARGETS, find_preset, preset, written
from cribpi.core.scores import Kind, Score
from cribpi.core.show import Claim
from cribpi.core.state import Phase, State, side_name
from cribpi.core.steps.show import claims_of
from cribpi.core.why import reasons_of
from cribpi.core.words import name
from cribpi.entry import by_cards, by_points, corrections
from cribpi.entry.by_points import scored_events
from cribpi.entry.desk import (
    LEVELS,
    SPEEDS,
    Correct,
    CountHand,
    Desk,
    EndMatch,
    FalseWin,
    MatchSoFar,
    Menu,
    NewGame,
    Question,
    Setup,
    Undone,
    Why,
)
from cribpi.entry.keys import SIDES, card_of
from cribpi.entry.lines import STEPS, line_of
from cribpi.entry.pad import TWENTY, Pad
from cribpi.entry.reply import Move, Reply, WrongKey


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the menu, and what OK makes of it."""

    text: str
    reply: Reply


def press(state: State, desk: Desk, key: str, pad: Pad = TWENTY) -> Reply:
    """Take a key of *pad* while a dialog is open."""
    match desk.dialog:
        case Question(card):
            return _press_question(state, desk, key, Card.parse(card))
        case NewGame() as dialog:
            return _press_new_game(state, desk, dialog, key, pad)
        case EndMatch() as dialog:
            return _press_end_match(desk, dialog, key)
        case Menu() as dialog:
            return _press_menu(state, desk, dialog, key)
        case Correct() as dialog:
            return corrections.press(state, desk, dialog, key)
        case FalseWin() as dialog:
            return corrections.press_false_win(state, desk, dialog, key)
        case Why() as dialog:
            return _press_why(state, desk, dialog, key)
        case MatchSoFar():
            return _press_match(state, desk, key)
        case CountHand() as dialog:
            return _press_count(state, desk, dialog, key)
        case Undone() | None:
            raise WrongKey("nothing is open")


# --- the question past thirty-one -------------------------------------------------------------------


def _press_question(state: State, desk: Desk, key: str, card: Card) -> Reply:
    deal = state.deal
    if deal is None or deal.turn is None:
        return Reply(desk.cleared())
    if key == "UNDO":
        return Reply(desk.cleared())
    if key == "OK":
        return Reply(desk.cleared(), NewCountLed(leader(state), card))
    if key == "GO":
        return Reply(desk.cleared(), GoSaid(deal.turn))
    other = card_of(key)
    if other is None:
        raise WrongKey(f"a slip, or a new count with the {card}? OK says all said go, UNDO says slip")
    return by_cards.press(state, replace(desk, dialog=None), key)


def leader(state: State) -> int:
    """Return the seat that would lead the next count, if all said go now; the turn's where that is unclear."""
    deal = state.deal
    if deal is None:
        return 0
    if state.rules.lead_after_close == "first-go":
        seat = deal.out[0] if deal.out else deal.turn
    else:
        seat = deal.next_to_lead()
    return 0 if seat is None else seat


# --- the new game -----------------------------------------------------------------------------------

T = TypeVar("T")

_MATCH_LINES: Final = ("match", "stake")


def new_game_lines(setup: Setup) -> tuple[str, ...]:
    """Return the lines of the new-game menu: fields of *setup*, and where the machine deals, seats by number.

    >>> new_game_lines(Setup())
    ('players', 'target', 'entry', 'rules', 'match', 'stake', 'renege')
    >>> new_game_lines(Setup(entry="dealt"))
    ('players', 'target', 'entry', 'rules', '0', '1', 'speed', 'match', 'stake')
    """
    lines = ("players", "target", "entry", "rules")
    if setup.entry == Entry.DEALT:  # the machine lets nobody say go who can play
        return (*lines, *map(str, range(setup.players)), "speed", *_MATCH_LINES)
    return (*lines, *_MATCH_LINES, "renege")


def ends_match(state: State) -> bool:
    """Tell whether a new game from the menu would end a match in which a game was won already."""
    return any(state.games) and state.phase is not Phase.MATCH_OVER


def _press_end_match(desk: Desk, dialog: EndMatch, key: str) -> Reply:
    if key == "OK":
        return Reply(desk.cleared(), desk.setup.event())
    if key in {"UNDO", "MENU"}:
        return Reply(replace(desk, dialog=NewGame(dialog.line)))
    raise WrongKey("a new game ends the match so far: OK begins it, UNDO goes back to the menu")


def _press_new_game(state: State, desk: Desk, dialog: NewGame, key: str, pad: Pad) -> Reply:
    if key == "UNDO":
        return Reply(replace(desk, dialog=None))
    if key == "OK" and ends_match(state):
        return Reply(replace(desk, dialog=EndMatch(dialog.line)))
    if key == "OK":
        return Reply(desk.cleared(), desk.setup.event())
    lines = new_game_lines(desk.setup)
    at = min(dialog.line, len(lines) - 1)
    if key in STEPS and lines[at] == "entry" and not pad.has_ranks:
        raise WrongKey("by points only: this kit has no keys for the ranks, which a game by cards needs")
    if key in STEPS:
        return Reply(replace(desk, setup=_change(desk.setup, lines[at], STEPS[key])))
    line = line_of(key, at, len(lines))
    return Reply(replace(desk, dialog=NewGame(line)))


def _change(setup: Setup, line: str, step: int) -> Setup:
    match line:
        case "players":
            known = find_preset(setup.rules).players
            return replace(setup, players=_turn(known, setup.players, step)).without_misfits()
        case "target":
            house = dict(setup.house_options).get("target", "121") if setup.rules == setup.house_of else "121"
            targets = sorted({*TARGETS, setup.target, int(house)}, reverse=True)
            return replace(setup, target=_turn(targets, setup.target, step))
        case "rules":
            return setup.with_preset(_turn(PRESETS, setup.rules, step))
        case "entry":
            return replace(setup, entry=_turn([str(entry) for entry in Entry], setup.entry, step))
        case "speed":
            return replace(setup, speed=_turn(SPEEDS, setup.speed, step))
        case "match" | "stake" | "renege":
            now = written(getattr(setup.house(), line))
            return setup.with_option(line, _turn(_values(line, setup, now), now, step))
        case _:
            levels, seat = list(setup.seat_levels()), int(line)
            levels[seat] = _turn(LEVELS, levels[seat].removesuffix("-errs"), step)
            return replace(setup, levels=tuple(levels))


def _values(option: str, setup: Setup, now: str) -> tuple[str, ...]:
    """Return what a line of the menu offers for an *option*: its values, that of the rules, and what is set up *now*."""
    own = written(getattr(preset(setup.rules, setup.players), option))
    return tuple(dict.fromkeys((*BY_NAME[option].values, own, now)))


def _turn(choices: Sequence[T], now: T, step: int) -> T:
    return choices[(choices.index(now) + step) % len(choices)]


# --- the menu ---------------------------------------------------------------------------------------


def items(state: State, desk: Desk) -> tuple[Item, ...]:
    """Return what the menu lists where the game stands at *state*."""
    closed = desk.cleared()
    found = []
    if desk.typed and by_points.only_side(state) is None and state.sides > len(SIDES[:2]):
        found += [
            Item(f"{desk.amount} for {side_name(state, side)}", Reply(closed, by_points.pegged(desk, side)))
            for side in reversed(by_points.takers(state, desk))
        ]
    if state.entry is Entry.PEG and state.phase is Phase.PLAY:
        found += [
            Item(
                f"{_scored_name(kind, points)} {points}",
                Reply(replace(closed, typed=(points,), kind=str(kind))),
            )
            for kind, points in scored_events(state.rules)
        ]
    if state.phase is Phase.CUT and state.rules.first_dealer != "random":
        found += [
            Item(f"{state.names[seat]} deals first", Reply(closed, DealerChosen(seat)))
            for seat in range(state.players)
        ]
    if state.phase is not Phase.IDLE and state.winner is None:
        found += [
            Item(
                f"correct {side_name(state, side)}",
                Reply(replace(closed, dialog=corrections.open_for(state, side))),
            )
            for side in range(state.sides)
        ]
    if state.deal is not None and state.winner is None:
        found.append(Item("misdeal: deal again", Reply(closed, Misdealt())))
    if state.winner is not None:
        false = FalseWin(state.winner, state.pegs[state.winner].back)
        found.append(
            Item(f"{side_name(state, state.winner)} has not won", Reply(replace(closed, dialog=false)))
        )
    if state.phase is not Phase.IDLE:
        found.append(Item("why?", Reply(replace(closed, dialog=Why()))))
        found.append(Item("match so far", Reply(replace(closed, dialog=MatchSoFar()))))
    found.append(Item("new game", Reply(replace(closed, dialog=NewGame()))))
    found.append(Item("redo", Reply(closed, move=Move.REDO)))
    return tuple(found)


def _scored_name(kind: Kind, points: int) -> str:
    return name(Score(kind, points, ())).removeprefix("a ")


def _press_menu(state: State, desk: Desk, dialog: Menu, key: str) -> Reply:
    lines = items(state, desk)
    if key in {"UNDO", "MENU"}:
        return Reply(replace(desk, dialog=None))
    if key == "OK":
        return lines[dialog.line % len(lines)].reply
    if key in STEPS:
        return Reply(replace(desk, dialog=Menu((dialog.line + STEPS[key]) % len(lines))))
    return Reply(replace(desk, dialog=Menu(line_of(key, dialog.line, len(lines)))))


# --- why, and the match -----------------------------------------------------------------------------


def _press_why(state: State, desk: Desk, dialog: Why, key: str) -> Reply:
    lines = len(reasons_of(state))
    if key in {"OK", "UNDO", "MENU"}:
        return Reply(replace(desk, dialog=None))
    if key in STEPS:
        return Reply(replace(desk, dialog=Why((dialog.line + STEPS[key]) % max(lines, 1))))
    return Reply(replace(desk, dialog=Why(line_of(key, dialog.line, lines))))


def _press_match(state: State, desk: Desk, key: str) -> Reply:
    if key == "OK" and state.phase is Phase.MATCH_OVER:
        return Reply(desk.cleared(), next_game(state))
    if key in {"OK", "UNDO", "MENU"}:
        return Reply(replace(desk, dialog=None))
    raise WrongKey("the match so far: OK goes on")


# --- counting a hand --------------------------------------------------------------------------------


def counted(state: State, dialog: CountHand) -> tuple[tuple[Card, ...], Card | None, tuple[Claim, ...]]:
    """Return the hand that is being counted, the starter where it is known, and the possible claims.

    There are claims once four cards and the starter are there.
    """
    cards = tuple(Card.parse(card) for card in dialog.cards)
    hand = cards[: seats.HAND]
    starter = state.deal.starter if state.deal and state.deal.starter else None
    if starter is None and len(cards) > seats.HAND:
        starter = cards[seats.HAND]
    if len(hand) < seats.HAND or starter is None:
        return hand, starter, ()
    return hand, starter, claims_of(state, hand, starter)


def counted_claim(
    dialog: CountHand, hand: tuple[Card, ...], starter: Card, claims: tuple[Claim, ...]
) -> Claim:
    """Return the claim that FLNB has chosen; until then the one that the count speaks of, or else the least."""
    if dialog.claimed is None or dialog.claim:
        return claims[dialog.claim % len(claims)]
    return by_cards.meant_claim(hand, starter, claims, dialog.claimed)


def _press_count(state: State, desk: Desk, dialog: CountHand, key: str) -> Reply:
    hand, starter, claims = counted(state, dialog)
    if key == "UNDO":
        left = replace(dialog, cards=dialog.cards[:-1], claim=0) if dialog.cards else None
        return Reply(replace(desk, dialog=left))
    card = card_of(key)
    if card is not None:
        if claims:
            raise NotHeld("all the cards are there: OK pegs them, UNDO takes the last one back")
        check_possible((*hand, *((starter,) if starter else ()), card))
        return Reply(replace(desk, dialog=replace(dialog, cards=(*dialog.cards, str(card)), claim=0)))
    if not claims or starter is None or state.deal is None:
        missing = seats.HAND - len(hand)
        wanted = f"{missing} more of the four cards" if missing else "the starter"
        raise WrongKey(f"{key} comes later: press {wanted}; UNDO leaves")
    if key == "FLNB":
        return Reply(replace(desk, dialog=replace(dialog, claim=by_cards.next_claim(claims, dialog.claim))))
    if key == "OK":
        claim = counted_claim(dialog, hand, starter, claims)
        event = HandCounted(state.deal.shower, hand, starter, claim, dialog.claimed)
        return Reply(desk.cleared(), event)
    raise WrongKey(f"{key} does nothing here: OK pegs the hand, UNDO takes a card back")
