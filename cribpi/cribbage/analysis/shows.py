"""The show, vectorized: scores a million hands or cribs in a hundredth of a second.

The first two cards, the last two cards and the starter each have a key.  The sum of the three keys is looked
up in two small tables: its lower bits give the points of the ranks, its upper bits those of flush and his
nobs.  So scoring needs no comparisons and no branches.  The bits of the sum:

    0 to 16    first two ranks (one of 91 pairs) * 1183 + last two ranks * 13 + starter's rank
    17 to 18   the starter's suit
    19 to 23   first two * 5 + last two: each 1 to 4 for two cards of one suit, 0 for two suits
    24 to 27   a bit for each suit whose jack is in the hand
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.pack import RANK_OF, SUIT_OF, Places
from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.show import score_ranks, total

Cards = NDArray[np.uint8]

RANK_PAIRS: Final = tuple(combinations_with_replacement(range(13), 2))
"""The 91 pairs of ranks, 0 to 12, lower first."""

NOT_A_SHOW: Final = 255
"""Marks an impossible starter in `all_starters`: a card of the hand itself."""

_JACK: Final = 10
_RANK_BITS: Final = 17
_CHUNK: Final = 16384  # shows per step, so that the intermediate arrays stay in the processor's cache


class _Tables(NamedTuple):
    first: Places
    """The key of the first two cards, indexed by their two bytes read as one native 16-bit integer."""
    second: Places
    """The key of the last two cards, indexed like *first*."""
    starter: Places
    ranks: NDArray[np.uint8]
    hand_suits: NDArray[np.uint8]
    crib_suits: NDArray[np.uint8]


def hand_points(cards: Cards) -> NDArray[np.uint8]:
    """Return the points of each hand at the show, 0 to 29.

    *cards* has shape (n, 5): the four cards of the hand in any order, then the starter; the result has shape
    (n,).  The five must be different cards: this is not checked.

    >>> from cribpi.cribbage.analysis.pack import numbered
    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> hands = "5C 5D 5S JH 5H", "2H 4H 8H KH 6S"
    >>> hand_points(np.array([numbered(parse_cards(hand)) for hand in hands]))
    array([29,  4], dtype=uint8)

    Raises:
        ValueError: If *cards* has another shape.
    """
    return _points(cards, _tables().hand_suits)


def crib_points(cards: Cards, *, four_flush: bool = False) -> NDArray[np.uint8]:
    """Return the points of each crib at the show; *cards* as in `hand_points`.

    Only a five-card flush counts, unless *four_flush* is set: then a crib scores like a hand.

    >>> from cribpi.cribbage.analysis.pack import numbered
    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> crib = numbered(parse_cards("2H 4H 8H KH 6S")).reshape(1, 5)
    >>> crib_points(crib), crib_points(crib, four_flush=True)
    (array([0], dtype=uint8), array([4], dtype=uint8))

    Raises:
        ValueError: If *cards* has another shape.
    """
    tables = _tables()
    return _points(cards, tables.hand_suits if four_flush else tables.crib_suits)


def all_starters(hands: Cards) -> NDArray[np.uint8]:
    """Return the points of each hand with each of the 52 cards as starter: (n, 4) gives (n, 52).

    The entries of the cards in the hand are `NOT_A_SHOW`.

    Raises:
        ValueError: If *hands* has another shape.
    """
    hands = _rows(hands, 4)
    tables = _tables()
    points = np.empty((len(hands), 52), dtype=np.uint8)
    step = _CHUNK // 52
    for start in range(0, len(hands), step):
        chunk = hands[start : start + step]
        key = tables.first[_two(chunk, 0)] + tables.second[_two(chunk, 2)]
        _look_up(np.add.outer(key, tables.starter), tables.hand_suits, points[start : start + step])
    np.put_along_axis(points, hands.astype(np.intp), NOT_A_SHOW, axis=1)
    return points


@cache
def rank_points() -> NDArray[np.uint8]:
    """Return the points of five ranks without suits: shape (91, 91, 13).

    The axes are the first two cards and the last two, as indices of `RANK_PAIRS`, and the starter's rank.

    Five cards of one rank, which a pack does not have, score 0.
    """
    cards = [Card(rank) for rank in Rank]
    worth = np.zeros((13,) * 5, dtype=np.uint8)
    for five in combinations_with_replacement(range(13), 5):
        if five[0] != five[4]:
            worth[five] = total(score_ranks([cards[rank] for rank in five[:4]], cards[five[4]]))
    pairs = np.array(RANK_PAIRS, dtype=np.intp)
    first, second, starter = np.indices((91, 91, 13)).reshape(3, -1)
    ranks = np.sort(np.column_stack((pairs[first], pairs[second], starter)), axis=1)
    points: NDArray[np.uint8] = worth[tuple(ranks.T)].reshape(91, 91, 13)
    points.flags.writeable = False
    return points


@cache
def rank_pair_of() -> Places:
    """Return the index in `RANK_PAIRS` of two ranks, in either order: shape (13, 13)."""
    table = np.zeros((13, 13), dtype=np.intp)
    for place, (low, high) in enumerate(RANK_PAIRS):
        table[low, high] = table[high, low] = place
    table.flags.writeable = False
    return table


@cache
def _tables() -> _Tables:
    """Return the tables, building them on first use, which takes 0.1 s and 1.2 MB."""
    cards = np.arange(52)
    one, other = (grid.reshape(-1) for grid in np.meshgrid(cards, cards, indexing="ij"))
    ranks = rank_pair_of()[RANK_OF[one], RANK_OF[other]]
    is_suited = SUIT_OF[one] == SUIT_OF[other]
    suited = np.where(is_suited, SUIT_OF[one].astype(np.intp) + 1, 0)
    jacks = np.zeros(52 * 52, dtype=np.intp)
    for card in (one, other):
        jacks |= np.where(RANK_OF[card] == _JACK, 1 << SUIT_OF[card].astype(np.intp), 0)
    in_memory = np.column_stack((one, other)).astype(np.uint8).view(np.uint16)[:, 0]
    first = np.zeros(1 << 16, dtype=np.intp)
    second = np.zeros(1 << 16, dtype=np.intp)
    first[in_memory] = ranks * 1183 + (suited * 5 << _RANK_BITS + 2) + (jacks << _RANK_BITS + 7)
    second[in_memory] = ranks * 13 + (suited << _RANK_BITS + 2) + (jacks << _RANK_BITS + 7)
    starter = RANK_OF + (SUIT_OF.astype(np.intp) << _RANK_BITS)
    return _Tables(first, second, starter, rank_points().reshape(-1), _suit_points(4), _suit_points(0))


def _suit_points(four: int) -> NDArray[np.uint8]:
    """Return the points for flush and nobs, indexed by bits 17 and up of a key: shape (2048,).

    *four* is the points of a flush without the starter.
    """
    key = np.arange(1 << 11)
    starter = key & 3
    suited = key >> 2 & 31
    jacks = key >> 7
    is_flush = (suited // 5 == suited % 5) & (suited > 0)
    flush = np.where(is_flush, np.where(suited % 5 == starter + 1, 5, four), 0)
    return np.asarray(flush + (jacks >> starter & 1), dtype=np.uint8)


def _points(cards: Cards, suits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    cards = _rows(cards, 5)
    tables = _tables()
    points = np.empty(len(cards), dtype=np.uint8)
    for start in range(0, len(cards), _CHUNK):
        chunk = cards[start : start + _CHUNK]
        key = tables.first.take(_two(chunk, 0), mode="clip")
        key += tables.second.take(_two(chunk, 2), mode="clip")
        key += tables.starter.take(chunk[:, 4], mode="clip")
        _look_up(key, suits, points[start : start + _CHUNK])
    return points


def _look_up(key: Places, suits: NDArray[np.uint8], points: NDArray[np.uint8]) -> None:
    ranks = _tables().ranks
    # "clip" skips the bounds checks; no index is ever out of range.
    ranks.take(key & (1 << _RANK_BITS) - 1, mode="clip", out=points)
    key >>= _RANK_BITS
    points += suits.take(key, mode="clip")


def _two(cards: Cards, place: int) -> NDArray[np.uint16]:
    """View two adjacent cards of each row, from column *place*, as one 16-bit number without copying."""
    return cards[:, place : place + 2].view(np.uint16)[:, 0]


def _rows(cards: Cards, width: int) -> Cards:
    if cards.ndim != 2 or cards.shape[1] != width:
        raise ValueError(f"cards of shape {cards.shape}: give an array of shape (n, {width})")
    return np.ascontiguousarray(cards, dtype=np.uint8)
