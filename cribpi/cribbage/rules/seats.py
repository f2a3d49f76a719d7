"""Seats and sides: partners, order of turns, sizes of deals, and pegs.

Seats are numbered from 0, going round the table to the left. Sides are the colours on the board, also
numbered from 0. With two or three players, each player is a side. Four players form two sides; partners sit
opposite each other (lowe).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, NamedTuple

PLAYERS: Final = (2, 3, 4)
USUAL_DEALS: Final[Mapping[int, Literal["six", "five-and-pack", "five"]]] = {
    2: "six",
    3: "five-and-pack",
    4: "five",
}
"""Usual deal for each number of players, as a value of the option `deal`."""
HAND: Final = 4
"""Number of cards in every crib, and in a hand after the discard except in five-card cribbage."""


def sides(players: int) -> int:
    """Return the number of sides.

    >>> [sides(players) for players in (2, 3, 4)]
    [2, 3, 2]
    """
    return 2 if players == 4 else players


def side_of(seat: int, players: int) -> int:
    """Return the side of *seat*.

    >>> [side_of(seat, 4) for seat in range(4)]
    [0, 1, 0, 1]
    """
    return seat % sides(players)


def partners(side: int, players: int) -> tuple[int, ...]:
    """Return the one or two seats of *side*."""
    return tuple(seat for seat in range(players) if side_of(seat, players) == side)


def left_of(seat: int, players: int) -> int:
    """Return the seat to the left of *seat*, which deals and plays next."""
    return (seat + 1) % players


@cache
def around(seat: int, players: int) -> tuple[int, ...]:
    """Return all seats in order, from the left of *seat* to *seat* itself.

    >>> around(1, 4)
    (2, 3, 0, 1)
    """
    return tuple((seat + step) % players for step in range(1, players + 1))


class Sizes(NamedTuple):
    """Numbers of cards in a deal."""

    dealt: int
    hand: int
    """Number of cards that each seat keeps. It discards the others to the crib."""
    from_pack: int = 0
    """Number of cards dealt from the pack to the crib, so that it has four."""

    @property
    def discarded(self) -> int:
        return self.dealt - self.hand

    def counted(self, *, is_crib: bool) -> int:
        return HAND if is_crib else self.hand


SIZES: Final = {
    "six": Sizes(6, 4),
    "five-and-pack": Sizes(5, 4, 1),
    "five": Sizes(5, 4),
    "five-card": Sizes(5, 3),
}
"""Sizes by the value of the option `deal`."""
# For four players, lowe says "as in three-hand", but their four discards already fill the crib.


def usual(players: int) -> Sizes:
    """Return the sizes of the usual deal for *players* (board-set, lowe)."""
    return SIZES[USUAL_DEALS[players]]


START: Final = 0
"""Score before the first hole."""

STREET: Final = 30

SKUNK_LINE: Final = 90
"""Last hole before the skunk line in a game to 121. A loser there or behind is skunked."""

DOUBLE_SKUNK_LINE: Final = 60
"""Last hole before the double skunk line in a game to 121."""


@dataclass(frozen=True, slots=True)
class Pegs:
    """A side's two pegs. The front peg is the score, the back peg the previous score.

    Both are holes, from 0 (the start) to the target (the game hole). After a penalty, the front peg may be
    behind the back peg, and is still the score.
    """

    front: int = START
    back: int = START

    def advance(self, points: int, target: int) -> Pegs:
        """Move the back peg *points* holes past the front peg, at most to *target*.

        With 0 points, no peg moves.

        >>> Pegs().advance(8, 121).advance(3, 121)
        Pegs(front=11, back=8)
        >>> Pegs(front=120, back=112).advance(5, 121)
        Pegs(front=121, back=120)
        >>> Pegs(front=11, back=8).advance(0, 121)
        Pegs(front=11, back=8)

        Raises:
            ValueError: If *points* is negative. `put_right` moves a peg backward.
        """
        if points < 0:
            raise ValueError(f"{points} points: pegs advance; put_right moves the front peg backward")
        return Pegs(min(self.front + points, target), self.front) if points else self

    def put_right(self, score: int) -> Pegs:
        """Move the front peg to *score*. The back peg stays.

        >>> Pegs(front=11, back=8).put_right(6)
        Pegs(front=6, back=8)
        """
        return Pegs(score, self.back)
