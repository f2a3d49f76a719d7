"""The pack as numbers: a card is 0 to 51, its rank times four and its suit, so that arrays can hold cards."""

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
"""The rank of each card as 0 (ace) to 12 (king)."""

SUIT_OF: Final[NDArray[np.uint8]] = np.arange(52, dtype=np.uint8) % 4
"""The suit of each card as 0 to 3."""

PIPS_OF: Final[NDArray[np.uint8]] = np.array(PIPS[1:], dtype=np.uint8)
"""The pips of each rank, by 0 to 12."""


def numbered(cards: Iterable[Card]) -> NDArray[np.uint8]:
    """Return the numbers of *cards*, each with its suit.

    >>> from cribpi.core.cards import parse_cards
    >>> numbered(parse_cards("AC AS KS"))
    array([ 0,  3, 51], dtype=uint8)

    Raises:
        KeyError: If a card has no suit.
    """
    return np.array([NUMBERS[card] for card in cards], dtype=np.uint8)


def unseen(seen: Sequence[Card]) -> NDArray[np.uint8]:
    """Return the numbers of the cards that are not among *seen*, in order."""
    gone = {NUMBERS[card] for card in seen}
    return np.array([number for number in range(52) if number not in gone], dtype=np.uint8)
