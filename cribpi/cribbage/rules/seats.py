"""Seats and sides: who is on whose side, and who is next.

Seats are numbered from 0 round the table to the left; sides, the colours on the board, from 0.  Two or three
play each for themselves; four play as two sides, partners opposite each other (lowe).
"""

from __future__ import annotations

from typing import Final

PLAYERS: Final = (2, 3, 4)
HAND: Final = 4
"""Cards in a hand, and in the crib."""


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


def cards_dealt(players: int) -> int:
    """Return how many cards each seat is dealt: six with two players; five with three and four (lowe)."""
    return 6 if players == 2 else 5


def cards_discarded(players: int) -> int:
    """Return how many cards each seat discards to the crib: two of six, or one of five.

    With three players, one card of the pack makes the crib four (lowe).
    """
    return cards_dealt(players) - HAND


def cards_from_pack(players: int) -> int:
    """Return how many cards of the pack go to the crib: one with three seats, else none (lowe).

    >>> [cards_from_pack(players) for players in (2, 3, 4)]
    [0, 1, 0]
    """
    # Of four lowe says "as in three-hand": but there the four discards already make a crib.
    return HAND - cards_discarded(players) * players
