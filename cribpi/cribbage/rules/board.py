"""The board: holes, streets, and the two pegs of a side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

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


def street(hole: int) -> int:
    """Return the street of *hole*, from 1; the start is in the first, the game hole of 121 in the fifth.

    >>> [street(hole) for hole in (0, 1, 30, 31, 120, 121)]
    [1, 1, 1, 2, 4, 5]
    """
    return max(hole - 1, 0) // STREET + 1
