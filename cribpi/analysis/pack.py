"""The pack as numbers, so that arrays can hold cards: 0 to 51, four times the rank plus the suit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.core.cards import PACK, PIPS, Card

BY_NUMBER: Final = tuple(sorted(PACK, key=lambda card: card.rank))
"""The pack by rank, each rank in the suits C D H S: card number `4 * (rank - 1) + suit`."""

NUMBERS: Final = {card: number for number, card in enumerate(BY_NUMBER)}
"""The number of each card."""

RANK_OF: Final[NDArray[np.uint8]] = np.arange(52, dtype=np.uint8) // 4
"""The rank of each card, 0 (ace) to 12 (king)."""

SUIT_OF: Final[NDArray[np.uint8]] = np.arange(52, dtype=np.uint8) % 4
"""The suit of each card, 0 to 3."""

PIPS_OF: Final[NDArray[np.uint8]] = np.array(PIPS[1:], dtype=np.uint8)
"""The pips of each rank, 0 to 12."""


def numbered(cards: Iterable[Card]) -> NDArray[np.uint8]:
    """Return the numbers of *cards*.

    >>> from cribpi.core.cards import parse_cards
    >>> numbered(parse_cards("AC AS KS"))
    array([ 0,  3, 51], dtype=uint8)

    Raises:
        KeyError: If a card has no suit.
    """
    return np.array([NUMBERS[card] for card in cards], dtype=np.uint8)


def unseen(seen: Sequence[Card]) -> NDArray[np.uint8]:
    """Return the numbers of the cards not in *seen*, in ascending order."""
    gone = {NUMBERS[card] for card in seen}
    return np.array([number for number in range(52) if number not in gone], dtype=np.uint8)
