"""Seats and sides: partners, the order of turns, the sizes of deals, and a side's pegs.

Seats are numbered from 0 round the table to the left; sides, the colours on the board, from 0.  With two or
three players each is a side; four play as two sides, with partners opposite each other (lowe).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

PLAYERS: Final = (2, 3, 4)
USUAL_DEALS: Final[Mapping[int, Literal["six", "five-and-pack", "five"]]] = {
    2: "six",
    3: "five-and-pack",
    4: "five",
}
"""The deal for each number of players, by the value of the option `deal`."""
HAND: Final = 4
"""Cards in a hand after the discard, except at five-card, and in every crib."""


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
    """Return the next seat to the left: next to deal, and next to play."""
    return (seat + 1) % players


def around(seat: int, players: int) -> tuple[int, ...]:
    """Return all seats from the left of *seat* round the table, *seat* itself last.

    >>> around(1, 4)
    (2, 3, 0, 1)
    """
    return tuple((seat + step) % players for step in range(1, players + 1))


class Sizes(NamedTuple):
    """The numbers of cards in a deal."""

    dealt: int
    hand: int
    """Cards that each seat keeps; it discards the others to the crib."""
    from_pack: int = 0
    """Cards dealt from the pack to the crib, so that it has four."""

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
"""The cards of each deal, by the value of the option `deal`."""
# For four players lowe says "as in three-hand", but their four discards already make a crib.


def usual(players: int) -> Sizes:
    """Return the sizes of the default deal for *players* (board-set, lowe)."""
    return SIZES[USUAL_DEALS[players]]


START: Final = 0
"""The start, before the first hole: the score is 0."""

STREET: Final = 30

SKUNK_LINE: Final = 90
"""The hole before the skunk line in a game to 121: a loser at or before it is skunked."""

DOUBLE_SKUNK_LINE: Final = 60
"""The hole before the double skunk line in a game to 121."""


@dataclass(frozen=True, slots=True)
class Pegs:
    """A side's two pegs: the front peg is the score, the back peg the score before it.

    Both are holes, from 0 (the start) to the target (the game hole).  After a penalty the front peg may be
    behind the back peg, and is still the score.
    """

    front: int = START
    back: int = START

    def advance(self, points: int, target: int) -> Pegs:
        """Leapfrog the back peg *points* holes past the front peg, no further than *target*.

        With 0 points, no peg moves.

        >>> Pegs().advance(8, 121).advance(3, 121)
        Pegs(front=11, back=8)
        >>> Pegs(front=120, back=112).advance(5, 121)
        Pegs(front=121, back=120)
        >>> Pegs(front=11, back=8).advance(0, 121)
        Pegs(front=11, back=8)

        Raises:
            ValueError: If *points* is negative; `put_right` moves a peg backward.
        """
        if points < 0:
            raise ValueError(f"{points} points: pegs advance; put_right moves the front peg backward")
        return Pegs(min(self.front + points, target), self.front) if points else self

    def put_right(self, score: int) -> Pegs:
        """Move the front peg to *score*; the back peg stays.

        >>> Pegs(front=11, back=8).put_right(6)
        Pegs(front=6, back=8)
        """
        return Pegs(score, self.back)
