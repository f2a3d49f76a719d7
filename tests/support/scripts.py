"""The keys that people press for what has happened in a game."""

from __future__ import annotations

from cribpi.cribbage.game import events
from cribpi.cribbage.game.show import SuitClaim
from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules import seats
from cribpi.cribbage.words.shows import claims
from support.games import Expected

SIDE_KEYS = ("P1", "P2", "GO")
COURTS_AND_ACE = {1: "A", 11: "J", 12: "Q", 13: "K"}


def start_keys(players: int, target: int, entry: str, dealer: int) -> list[str]:
    """Return the keys from a new table to the first deal. *dealer* has the lowest cut."""
    menu = (
        ["P2"] * (players - 2)
        + (["2", "P2"] if target == 61 else [])
        + (["3", "P2"] if entry == "peg" else [])
    )
    return ["OK", *menu, "OK", *("2" if seat == dealer else "9" for seat in range(players))]


def keys_by_cards(event: events.Event, state: State) -> list[str]:
    """Return the keys for *event* in cards mode, when the game is at *state*."""
    match event:
        case events.StarterTurned(card) | events.CardPlayed(_, card) | events.CribCardTurned(card):
            return [str(card)]
        case events.HandCardTurned(_, card):
            return [str(card)]
        case events.GoSaid():
            return ["GO"]
        case events.HeelsTaken():
            return ["OK"]
        case events.RenegeRuled(_, points):
            return ["OK" if points else "GO"]
        case events.HandShown(_, claim, points) | events.CribShown(claim, points):
            counted = amount(points) if points else []
            return [*["FLNB"] * _place(claim, state), *counted, "GO" if points == 0 else "OK"]
        case _:
            raise AssertionError(event)


def keys_by_points(expected: Expected, state: State) -> list[str]:
    """Return the keys for the points of *expected* in points mode, when the game is at *state*."""
    pegged = [after - before for before, after in zip(state.scores(), expected.scores, strict=True)]
    side = next((side for side, points in enumerate(pegged) if points), None)
    match expected.event:
        case events.StarterTurned():
            return ["OK", "OK"] if side is None else ["OK", *amount(pegged[side]), SIDE_KEYS[side]]
        case events.CardPlayed() | events.GoSaid():
            return [] if side is None else [*amount(pegged[side]), SIDE_KEYS[side]]
        case events.HandShown(seat):
            begin = ["OK"] if seat == seats.around(_dealer(state), state.players)[0] else []
            return [*begin, *([] if side is None else amount(pegged[side])), "OK"]
        case events.CribCardTurned():
            return []
        case events.CribShown():
            return [*([] if side is None else amount(pegged[side])), "OK"]
        case _:
            raise AssertionError(expected)


def amount(points: int) -> list[str]:
    """Return rank keys that add up to *points*.

    >>> amount(24), amount(7)
    (['K', 'J'], ['7'])
    """
    keys = []
    while points:
        part = min(points, 13)
        keys.append(COURTS_AND_ACE.get(part, str(part)))
        points -= part
    return keys


def _dealer(state: State) -> int:
    assert state.deal is not None
    return state.deal.dealer


def _place(claim: SuitClaim, state: State) -> int:
    return claims(state).index(claim)
