"""The interface of an opponent: it discards and plays by what its seat sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Protocol

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.rules import seats


class Opponent(Protocol):
    """Whoever plays a machine's seat."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the cards of `sight.hand` that go to the crib: two of six, or one of five."""
        ...

    def play(self, sight: SeatSight) -> Card:
        """Return the card to play, one of `sight.playable`.  Called only if there is one."""
        ...


def may_discard(sight: SeatSight, cards: tuple[Card, ...]) -> bool:
    """Return whether *cards* are a legal discard: the right number, all different, all from the hand."""
    return len(cards) == seats.cards_discarded(sight.players) and Counter(cards) <= Counter(sight.hand)


def draws(seed: int, sight: SeatSight, what: str = "") -> Random:
    """Return the generator for an opponent of *seed* that has *sight*: the same, even after a restart.

    A generator that ran on would give another card after an undo, and a person could undo until the card
    suits.  *what* tells apart several draws for one sight.
    """
    return Random(f"{seed} {what} {_written(sight)}")  # noqa: S311  a game's


def _written(sight: SeatSight) -> str:
    """Return what tells *sight* apart from others of its game, in a form that no later version changes."""
    parts = (
        (sight.players, sight.seat, sight.dealer, *sight.scores),
        (_cards(sight.hand), _cards(sight.discards), sight.starter or "-"),
        (f"{play.seat}:{play.card}" for play in sight.plays),
        (f"{go.seat}:{go.count}:{go.played}" for go in sight.goes),
        sight.out,
    )
    return "|".join(" ".join(map(str, part)) for part in parts)


def _cards(cards: Iterable[Card]) -> str:
    return ",".join(map(str, cards))
