"""People who play with a pack of their own, and what they enter of it when each card is entered."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random
from typing import Any, Final

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
MOST: Final = 31


class RealCards:
    """A pack in people's hands: it is dealt, played and turned as the table comes to it.

    Suits are nobody's business here: no hand is entered as a flush, and no jack as nobs.
    """

    def __init__(self, seed: int = 1, players: int = 2) -> None:
        self._chance, self._players = Random(seed), players
        self._cuts = ["2", *["K"] * (players - 1)]
        self._hands: list[list[str]] = []
        self._crib: list[str] = []
        self._last = 0

    def next_key(self, state: Mapping[str, Any], carries: Collection[str] = ()) -> str | None:
        """Return the rank, or GO, that they enter at *state* of the table; None where it asks for none.

        Each call is a card that they lay down.  *carries* are the ranks that say more than themselves: where
        there are some at a show, the next card pegs it.
        """
        phase: str = state["phase"]
        seat: int | None = state["turn"]
        count: int = state["count"]
        if phase == "cut":
            return self._cuts.pop(0)
        if phase == "deal" or (phase == "crib" and carries):
            pack = list(RANKS) * 4
            self._chance.shuffle(pack)
            self._hands = [[pack.pop() for _ in range(4)] for _ in range(self._players)]
            self._crib = [pack.pop() for _ in range(4)]
            return pack.pop()
        if phase == "play" and seat is not None:
            held = self._hands[seat]
            fits = next((card for card in held if _pips(card) <= MOST - count), None)
            if fits is None:
                return self._led(count, carries) or "GO"
            held.remove(fits)
            self._last = seat
            return fits
        if self._crib and (phase == "crib" or (phase == "show" and carries)):
            return self._crib.pop(0)
        return None

    def _led(self, count: int, carries: Collection[str]) -> str | None:
        """Return the card that is led to a new count, if none at the table fits and it says so by itself."""
        if any(_pips(card) <= MOST - count for held in self._hands for card in held):
            return None
        order = ((self._last + step) % self._players for step in range(1, self._players + 1))
        leader = next(seat for seat in order if self._hands[seat])
        if self._hands[leader][0] not in carries:
            return None
        self._last = leader
        return self._hands[leader].pop(0)


def _pips(rank: str) -> int:
    return min(10, 1 + RANKS.index(rank))
