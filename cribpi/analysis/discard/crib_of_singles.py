"""The crib of three or four players, who discard one card each: the probability of each count.

Beside my discard lie three cards: those of the others and, with three players, one from the pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import factorial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard.crib import move
from cribpi.analysis.discard.habits import DiscardHabits
from cribpi.analysis.discard.rank_hands import Floats, held_of
from cribpi.analysis.shows import rank_pair_of, rank_points

TRIPLES: Final = np.array(list(combinations_with_replacement(range(13), 3)), dtype=np.intp)
"""The 455 multisets of the other three ranks: (455, 3)."""

OWN: Final = 0
AGAINST: Final = 1
FROM_PACK: Final = 2
OTHERS: Final = {
    3: ((AGAINST, AGAINST, FROM_PACK), (OWN, AGAINST, FROM_PACK)),
    4: ((OWN, AGAINST, AGAINST), (AGAINST, OWN, OWN)),
}
"""Where the other three cards come from, by the number of players and by whether the crib is mine."""

_JACK: Final = 10
_COUNTS: Final = 40
_HELD: Final = held_of(TRIPLES)
_TIMES: Final = np.array([np.prod([factorial(number) for number in row]) for row in _HELD], dtype=np.float64)
_IS_MIXED: Final = _HELD.max(axis=1) == 1


@cache
def crib_ranks() -> NDArray[np.uint8]:
    """Return the rank points of my discard with each of `TRIPLES` and each starter: (13, 455, 13)."""
    one, two, three = TRIPLES.T
    pairs = rank_pair_of()
    return np.asarray(rank_points()[pairs[:, one], pairs[two, three]])


def crib_cells(left: NDArray[np.intp], others: Sequence[DiscardHabits | None]) -> Floats:
    """Return the probability of each of `TRIPLES` with a starter of each rank: (455, 13).

    *left* is the number of unseen cards of each rank; *others* are the habits of those who discard, None for
    the pack.  Each of them discards from all hands that the unseen cards make.  No card is counted twice
    among the crib and the starter: this is exact.  That the cards each one keeps are not among those, and not
    kept by another, is taken into account pairwise.
    """
    made = {id(one): _discarder(one, left) for one in others}
    three = [made[id(one)] for one in others]
    meet = {pair: _meeting(three[pair[0]], three[pair[1]]) for pair in combinations(range(3), 2)}
    cells = np.zeros((len(TRIPLES), 13))
    for order, times in _orders([id(one) for one in others]).items():
        first, second, third = (TRIPLES[:, place] for place in order)
        weight = three[0].ready[first] * three[1].ready[second] * three[2].ready[third]
        weight *= meet[0, 1][first, second] * meet[0, 2][first, third] * meet[1, 2][second, third] * times
        cells += (
            weight[:, None] * three[0].without[first] * three[1].without[second] * three[2].without[third]
        )
    low, middle, high = TRIPLES.T
    cards = (
        left[low] * (left[middle] - (middle == low)) * (left[high] - (high == middle) - 1.0 * (high == low))
    )
    cells *= (cards / _TIMES)[:, None] * (left - _HELD).clip(0)
    return np.asarray(cells / cells.sum())


def single_crib_points(
    dealt: NDArray[np.uint8], others: Sequence[DiscardHabits | None], *, four_flush: bool
) -> Floats:
    """Return the probability of each count of the crib, 0 to 29, for each of five cards *dealt*: (5, 30)."""
    is_left = np.ones((13, 4))
    is_left.reshape(-1)[dealt] = 0
    left = is_left.sum(axis=1)
    cells = crib_cells(left.astype(np.intp), others)
    of_suit = np.divide(is_left, left[:, None], out=np.zeros_like(is_left), where=left[:, None] > 0)
    their_nobs = _HELD[:, _JACK, None] * (of_suit @ of_suit[_JACK])
    their_nobs[:, _JACK] = 0
    chances = np.empty((len(dealt), _COUNTS))
    for row, card in enumerate(dealt.tolist()):
        rank, suit = divmod(card, 4)
        points = crib_ranks()[rank].astype(np.intp)
        nobs = their_nobs + of_suit[:, suit] if rank == _JACK else their_nobs
        with_nobs = cells * nobs
        chances[row] = np.bincount(points.reshape(-1), (cells - with_nobs).reshape(-1), minlength=_COUNTS)
        chances[row] += np.bincount(points.reshape(-1) + 1, with_nobs.reshape(-1), minlength=_COUNTS)
        flush = cells * (of_suit[TRIPLES, suit].prod(axis=1) * _IS_MIXED)[:, None]
        five = flush * of_suit[:, suit] * (_HELD == 0)
        now = points + ((rank == _JACK) | (_HELD[:, _JACK, None] > 0))
        move(chances[row], now, five, 5)
        if four_flush:
            move(chances[row], points, flush - five, 4)
    return np.ascontiguousarray(chances[:, :30])


class _Discarder(NamedTuple):
    """One player who discards, by the rank of the discard."""

    ready: Floats
    """How likely one card of each rank is to be discarded: (13,)."""
    kept: Floats
    """The mean number of cards of each rank kept beside it: (13, 13)."""
    without: Floats
    """The chance that a given other card of each rank is not kept: (13, 13)."""


def _discarder(habits: DiscardHabits | None, left: NDArray[np.intp]) -> _Discarder:
    """Return one who discards by *habits*; None is the pack, which keeps nothing."""
    if habits is None:
        return _Discarder(np.ones(13), np.zeros((13, 13)), np.ones((13, 13)))
    weights = habits.weights(left)
    ways = weights.sum(axis=1) / (left.sum() - habits.size)
    beside = ways[:, None] * (left - np.eye(13))
    kept = np.divide(beside - weights, ways[:, None], out=np.zeros((13, 13)), where=ways[:, None] > 0)
    without = np.divide(weights, beside, out=np.ones((13, 13)), where=weights > 0)
    return _Discarder(np.divide(ways, left, out=np.zeros(13), where=left > 0) / ways.sum(), kept, without)


def _meeting(one: _Discarder, other: _Discarder) -> Floats:
    """Return the relative chance that neither holds the other's discard, by both ranks: (13, 13)."""
    mine, theirs = np.log(one.without), np.log(other.without)
    return np.asarray(np.exp(mine + theirs.T + (one.kept @ theirs.T + mine @ other.kept.T) / 2))


def _orders(names: Sequence[int]) -> dict[tuple[int, ...], int]:
    """Return the distinct orders in which *names* may give three cards, and how many are alike."""
    found: dict[tuple[int, ...], tuple[tuple[int, ...], int]] = {}
    for order in permutations(range(3)):
        like = tuple(sorted(zip(names, order, strict=True)))
        key = tuple(place for pair in like for place in pair)
        first, times = found.get(key, (order, 0))
        found[key] = (first, times + 1)
    return dict(found.values())
