"""The pack as numbers, so that arrays can hold cards: a card is 4 * rank + suit, 0 to 51."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.game.cards import PACK, PIPS, Card

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

BY_NUMBER: Final = tuple(sorted(PACK, key=lambda card: card.rank))
"""The cards by number.  Ranks ascend from the ace, and within a rank the suits are C D H S."""

NUMBERS: Final = {card: number for number, card in enumerate(BY_NUMBER)}

RANK_OF: Final[NDArray[np.uint8]] = np.arange(52, dtype=np.uint8) // 4
"""The rank of each card, 0 (ace) to 12 (king)."""

SUIT_OF: Final[NDArray[np.uint8]] = np.arange(52, dtype=np.uint8) % 4
"""The suit of each card, 0 to 3."""

PIPS_OF: Final[NDArray[np.uint8]] = np.array(PIPS[1:], dtype=np.uint8)
"""The pips of each rank, indexed by rank, 0 to 12."""


def numbered(cards: Iterable[Card]) -> NDArray[np.uint8]:
    """Return the numbers of *cards*.

    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> numbered(parse_cards("AC AS KS"))
    array([ 0,  3, 51], dtype=uint8)

    Raises:
        KeyError: If a card has no suit.
    """
    return np.array([NUMBERS[card] for card in cards], dtype=np.uint8)


def rank_counts(ranks: NDArray[Any]) -> Places:
    """Count each rank in each row of *ranks*: (n, size) gives (n, 13)."""
    return np.asarray((ranks[:, :, None] == np.arange(13)).sum(axis=1), dtype=np.intp)


CHOOSE: Final = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], float
)
"""Binomial coefficients: row n, column k is n choose k, both 0 to 4."""


def ways_left(free: NDArray[Any] | int, counts: NDArray[Any], before: NDArray[Any] | int = 4) -> Floats:
    """Return the factor by which the ways to hold *counts* of each rank shrink if cards are removed.

    *before* cards of each rank were in the pack, and *free* are left.  The last axis is the rank; the result
    is the product over all ranks.
    """
    return np.asarray((CHOOSE[free, counts] / CHOOSE[before, counts]).prod(axis=-1))


HANDS: Final[NDArray[np.uint8]] = np.array(list(combinations_with_replacement(range(13), 4)), np.uint8)
"""The 1,820 hands of four ranks, 0 to 12, in lexicographic order: shape (1820, 4)."""

HAND_COUNTS: Final[NDArray[np.uint8]] = rank_counts(HANDS).astype(np.uint8)
"""The number of cards of each rank in each of `HANDS`: shape (1820, 13)."""

_NUMBER_OF_HAND: Final = np.zeros((13,) * 4, dtype=np.intp)
_NUMBER_OF_HAND[tuple(HANDS.T)] = np.arange(len(HANDS))


def hand_numbers(ranks: NDArray[Any]) -> Places:
    """Return the index in `HANDS` of each row of four ranks in ascending order."""
    return np.asarray(_NUMBER_OF_HAND[tuple(ranks.T)])
