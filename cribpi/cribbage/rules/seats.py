"""Seats and sides: who is on whose side, who is next, and where a side stands on the board.

Seats are numbered from 0 round the table to the left; sides, the colours on the board, from 0.  Two or three
play each for themselves; four play as two sides, partners opposite each other (lowe).
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
"""Cards in a hand of every deal but five-card's, and in every crib."""


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
    """How many cards a deal gives to whom."""

    dealt: int
    """To each seat."""
    hand: int
    """Kept by each seat; it discards the others to the crib."""
    from_pack: int = 0
    """To the crib from the pack, so that it too has four."""

    @property
    def discarded(self) -> int:
        """By each seat."""
        return self.dealt - self.hand

    def shown(self, *, is_crib: bool) -> int:
        """Return how many cards are counted with the starter."""
        return HAND if is_crib else self.hand


SIZES: Final = {
    "six": Sizes(6, 4),
    "five-and-pack": Sizes(5, 4, 1),
    "five": Sizes(5, 4),
    "five-card": Sizes(5, 3),
}
"""The cards of each deal, by the value of the option `deal`."""
# Of four lowe says "as in three-hand": but there the four discards already make a crib.


def usual(players: int) -> Sizes:
    """Return the cards of the deal that *players* play unless they choose another (board-set, lowe)."""
    return SIZES[USUAL_DEALS[players]]


START: Final = 0
"""The start, before the first hole: the score is 0."""

STREET: Final = 30
"""Holes in a street."""

SKUNK_LINE: Final = 90
"""In a game to 121 the skunk line follows this hole: a loser at or before it is skunked."""

DOUBLE_SKUNK_LINE: Final = 60
"""In a game to 121 the double skunk line follows this hole."""


@dataclass(frozen=True, slots=True)
class Pegs:
    """A side's two pegs: the front peg is the score, the back peg the score before it.

    Both are holes, from 0 (the start) to the target (the game hole).  After a penalty the front peg may stand
    behind the back one, and is still the score.
    """

    front: int = START
    back: int = START

    def advance(self, points: int, target: int) -> Pegs:
        """Leapfrog the back peg *points* holes past the front one, no further than *target*.

        Zero points move no peg.

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
        """Move only the front peg, to *score*; the back peg stays, and shows where it was before.

        >>> Pegs(front=11, back=8).put_right(6)
        Pegs(front=6, back=8)
        """
        return Pegs(score, self.back)
