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
    Event,
    GoSaid,
    HandCounted,
    NewCountLed,
    PenaltyPegged,
    ScorePutRight,
)
from cribpi.core.rules import TARGETS
from cribpi.core.scores import Kind, Score
from cribpi.core.show import Claim, crib_claims, hand_claims
from cribpi.core.state import Phase, State, side_name
from cribpi.core.words import name
from cribpi.entry import by_cards
from cribpi.entry.by_points import SCORED_EVENTS
from cribpi.entry.desk import Correct, CountHand, Desk, Menu, NewGame, Question, Setup, Undone
from cribpi.entry.keys import RANKS, amount_of, card_of
from cribpi.entry.reply import Move, Reply, WrongKey

_STEPS: Final = {"P1": -1, "LEFT": -1, "P2": 1, "RIGHT": 1}
"""How the keys that change a line change it."""


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the menu, and what OK makes of it."""

    text: str
    reply: Reply


def press(state: State, desk: Desk, key: str) -> Reply:
    """Take a key while a dialog is open."""
    match desk.dialog:
        case Question(card):
            return _press_question(state, desk, key, Card.parse(card))
        case NewGame() as dialog:
            return _press_new_game(desk, dialog, key)
        case Menu() as dialog:
            return _press_menu(state, desk, dialog, key)
        case Correct() as dialog:
            return _press_correct(state, desk, dialog, key)
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
    seat = None if deal is None else deal.next_to_lead()
    return 0 if seat is None else seat


# --- the new game -----------------------------------------------------------------------------------

T = TypeVar("T")

NEW_GAME_LINES: Final = ("players", "target", "entry")
"""The lines of the new-game menu: fields of `Setup`."""


def _press_new_game(desk: Desk, dialog: NewGame, key: str) -> Reply:
    if key == "UNDO":
        return Reply(replace(desk, dialog=None))
    if key == "OK":
        return Reply(desk.cleared(), desk.setup.event())
    if key in _STEPS:
        return Reply(replace(desk, setup=_change(desk.setup, dialog.line, _STEPS[key])))
    line = _line(key, dialog.line, len(NEW_GAME_LINES))
    return Reply(replace(desk, dialog=NewGame(line)))


def _change(setup: Setup, line: int, step: int) -> Setup:
    match NEW_GAME_LINES[line]:
        case "players":
            return replace(setup, players=_turn(seats.PLAYERS, setup.players, step))
        case "target":
            return replace(setup, target=_turn(TARGETS, setup.target, step))
        case _:
            return replace(setup, entry=_turn([str(entry) for entry in Entry], setup.entry, step))


def _turn(choices: Sequence[T], now: T, step: int) -> T:
    return choices[(choices.index(now) + step) % len(choices)]


# --- the menu ---------------------------------------------------------------------------------------


def items(state: State, desk: Desk) -> tuple[Item, ...]:
    """Return what the menu lists where the game stands at *state*."""
    closed = desk.cleared()
    found = []
    if state.entry is Entry.PEG and state.phase is Phase.PLAY:
        found += [
            Item(
                f"{_scored_name(kind, points)} {points}",
                Reply(replace(closed, typed=(points,), kind=str(kind))),
            )
            for kind, points in SCORED_EVENTS
        ]
    if state.phase is Phase.CUT:
        found += [
            Item(f"{state.names[seat]} deals first", Reply(closed, DealerChosen(seat)))
            for seat in range(state.players)
        ]
    if state.phase not in {Phase.IDLE, Phase.GAME_OVER}:
        found += [
            Item(
                f"correct {side_name(state, side)}",
                Reply(replace(closed, dialog=Correct(side, state.pegs[side].front))),
            )
            for side in range(state.sides)
        ]
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
    if key in _STEPS:
        return Reply(replace(desk, dialog=Menu((dialog.line + _STEPS[key]) % len(lines))))
    return Reply(replace(desk, dialog=Menu(_line(key, dialog.line, len(lines)))))


# --- corrections ------------------------------------------------------------------------------------


def _press_correct(state: State, desk: Desk, dialog: Correct, key: str) -> Reply:
    if key == "UNDO":
        return Reply(replace(desk, dialog=None))
    if key == "OK" and dialog.line == 1 and dialog.score == state.pegs[dialog.side].front:
        return Reply(replace(desk, dialog=None))  # nothing was changed
    if key == "OK":
        return Reply(desk.cleared(), _correction(dialog))
    if key in _STEPS and dialog.line == 0:
        penalty = _skip_zero(dialog.penalty, _STEPS[key], state.rules.target)
        return Reply(replace(desk, dialog=replace(dialog, penalty=penalty)))
    if key in _STEPS:
        score = min(max(dialog.score + _STEPS[key], 0), state.rules.target)
        return Reply(replace(desk, dialog=replace(dialog, score=score)))
    return Reply(replace(desk, dialog=replace(dialog, line=_line(key, dialog.line, 2))))


def _correction(dialog: Correct) -> Event:
    if dialog.line == 0:
        return PenaltyPegged(dialog.side, dialog.penalty)
    return ScorePutRight(dialog.side, dialog.score)


def _skip_zero(value: int, step: int, most: int) -> int:
    value = min(max(value + step, -most), most)
    return value or step


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
    return hand, starter, (crib_claims if state.phase is Phase.CRIB else hand_claims)(hand, starter)


def _press_count(state: State, desk: Desk, dialog: CountHand, key: str) -> Reply:
    hand, starter, claims = counted(state, dialog)
    if key == "UNDO":
        left = CountHand(dialog.cards[:-1]) if dialog.cards else None
        return Reply(replace(desk, dialog=left))
    card = card_of(key)
    if card is not None:
        if claims:
            raise NotHeld("all the cards are there: OK pegs them, UNDO takes the last one back")
        check_possible((*hand, *((starter,) if starter else ()), card))
        return Reply(replace(desk, dialog=CountHand((*dialog.cards, str(card)))))
    if not claims or starter is None or state.deal is None:
        missing = seats.HAND - len(hand)
        wanted = f"{missing} more of the four cards" if missing else "the starter"
        raise WrongKey(f"{key} comes later: press {wanted}; UNDO leaves")
    if key == "FLNB":
        return Reply(replace(desk, dialog=replace(dialog, claim=by_cards.next_claim(claims, dialog.claim))))
    if key == "OK":
        claim = claims[dialog.claim % len(claims)]
        return Reply(desk.cleared(), HandCounted(state.deal.shower, hand, starter, claim))
    raise WrongKey(f"{key} does nothing here: OK pegs the hand, UNDO takes a card back")


# --- lines ------------------------------------------------------------------------------------------


def _line(key: str, line: int, lines: int) -> int:
    """Return the line that *key* moves to from *line*."""
    if key == "UP":
        return (line - 1) % lines
    if key == "DOWN":
        return (line + 1) % lines
    picked = amount_of(key)
    if picked is None or picked > lines:
        last = _last_rank(lines)
        raise WrongKey(f"{key} does nothing here: A to {last} picks a line, P1 and P2 change it, OK accepts")
    return picked - 1


def _last_rank(lines: int) -> str:
    return RANKS[min(lines, len(RANKS)) - 1]
