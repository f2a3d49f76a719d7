"""People who play with a real pack, and the keys that they press for its cards in cards mode."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random
from typing import Any, Final

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
MOST: Final = 31


class RealCards:
    """A real pack. It is dealt, played and turned up as the table's state requires.

    Suits are ignored: no flush and no nobs are entered.
    """

    def __init__(self, seed: int = 1, players: int = 2) -> None:
        self._chance, self._players = Random(seed), players
        self._cuts = ["2", *["K"] * (players - 1)]
        self._hands: list[list[str]] = []
        self._crib: list[str] = []
        self._last = 0

    def next_key(self, state: Mapping[str, Any], carries: Collection[str] = ()) -> str | None:
        """Return the next rank or GO that people enter at *state*, or None if no card is expected.

        Each call lays down a card. *carries* are ranks that imply further steps. If there are any at a show,
        the next card also pegs that show.
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
        """Return the card that starts a new count.

        None if a card still fits, or the card would not imply the OK.
        """
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
