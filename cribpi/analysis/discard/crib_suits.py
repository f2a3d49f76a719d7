"""Flush and his nobs in the crib of two players, for all hands at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard.habits import pairs_in_pack
from cribpi.analysis.discard.rank_hands import Floats
from cribpi.analysis.shows import rank_pair_of

_STARTERS: Final = 44
_JACK: Final = 10
_CHUNK: Final = 1 << 12


def readiness(suited: Floats) -> Floats:
    """Return how readily each two cards are discarded together when held: (52, 52), with a mean of 1.

    *suited* is how often each pair of ranks is discarded, unsuited and suited: (91, 2).  The result is
    symmetric, with a zero diagonal.
    """
    pairs = pairs_in_pack()
    ready = np.divide(suited, pairs, out=np.zeros_like(pairs), where=pairs > 0) * (1326 / suited.sum())
    cards = np.arange(52)
    one, other = np.meshgrid(cards, cards, indexing="ij")
    table = ready[rank_pair_of()[one // 4, other // 4], (one % 4 == other % 4).astype(np.intp)]
    table[cards, cards] = 0
    return np.asarray(table)


def suit_means(
    cards: NDArray[np.uint8], ways: Sequence[tuple[int, int]], suited: Floats, *, four_flush: bool
) -> Floats:
    """Return the mean points for flush and nobs in the crib of each hand and way: (n, ways).

    *cards* has shape (n, 6).  The other discards each unseen pair as readily as *suited* (91, 2) says,
    whatever four cards it leaves: for these few points that is accurate to about a thousandth.
    """
    ready = readiness(suited)
    four = 4 if four_flush else 0
    return np.vstack(
        [
            _suit_means(cards[start : start + _CHUNK], ways, ready, four)
            for start in range(0, len(cards), _CHUNK)
        ]
    )


def _suit_means(
    cards: NDArray[np.uint8], ways: Sequence[tuple[int, int]], ready: Floats, four: int
) -> Floats:
    in_suit = ready[::4, ::4]  # of two ranks, both clubs; the other suits are the same
    left = np.ones((len(cards), 52))
    np.put_along_axis(left, cards.astype(np.intp), 0, axis=1)
    with_card = (left @ ready) * left  # the weight of the pairs that contain each card
    by_suit = left.reshape(-1, 13, 4).transpose(0, 2, 1)
    with_suit = (by_suit @ in_suit).transpose(0, 2, 1).reshape(-1, 52) * left  # of those of one suit
    number, of_suit, flush = (
        grid.reshape(-1, 13, 4).sum(axis=1) for grid in (left, with_card, with_suit / 2)
    )
    every = with_card.sum(axis=1) / 2
    jacks = slice(4 * _JACK, 4 * _JACK + 4)
    theirs = (with_card[:, jacks] * (number - 1) - with_suit[:, jacks]).sum(axis=1)
    suits = cards.astype(np.intp) % 4
    mine = np.take_along_axis(number * every[:, None] - of_suit, suits, axis=1) * (cards // 4 == _JACK)
    # A starter of the suit makes five; any other leaves four.
    flushes = np.take_along_axis(flush * (four * _STARTERS + (5 - four) * (number - 2)), suits, axis=1)
    sums = [
        theirs + mine[:, one] + mine[:, other] + flushes[:, one] * (suits[:, one] == suits[:, other])
        for one, other in ways
    ]
    return np.asarray(np.column_stack(sums) / (_STARTERS * every[:, None]))
