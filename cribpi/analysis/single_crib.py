"""The crib of three or four players, who lay away one card each: the chance of each count, for each of five cards.

Beside mine lie three cards: what the others throw, and with three players one card of the pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pair_crib import move
from cribpi.analysis.rank_hands import Floats, held_of
from cribpi.analysis.shows import rank_pair_of, rank_points
from cribpi.analysis.throws import Throws

TRIPLES: Final = np.array(list(combinations_with_replacement(range(13), 3)), dtype=np.intp)
"""The 455 multisets of the three other ranks: (455, 3)."""

OWN: Final = 0
AGAINST: Final = 1
FROM_PACK: Final = 2
OTHERS: Final = {
    3: ((AGAINST, AGAINST, FROM_PACK), (OWN, AGAINST, FROM_PACK)),
    4: ((OWN, AGAINST, AGAINST), (AGAINST, OWN, OWN)),
}
"""Whose the other three cards are, by the number of players and by whose crib it is to me."""

_JACK: Final = 10
_COUNTS: Final = 40
_HELD: Final = held_of(TRIPLES)
_TIMES: Final = np.array([np.prod([factorial(number) for number in row]) for row in _HELD], dtype=np.float64)
_IS_MIXED: Final = _HELD.max(axis=1) == 1


@cache
def crib_ranks() -> NDArray[np.uint8]:
    """Return the rank points of my card with each of `TRIPLES` and each starter: (13, 455, 13)."""
    one, two, three = TRIPLES.T
    pairs = rank_pair_of()
    return np.asarray(rank_points()[pairs[:, one], pairs[two, three]])


def crib_cells(left: NDArray[np.intp], others: Sequence[Throws | None]) -> Floats:
    """Return the chance of each of `TRIPLES` with a starter of each rank, where the *others* throw so: (455, 13).

    *left* is how many cards of each rank I have not seen.  None of *others* is the pack.  What each of them
    throws is taken from all hands that the unseen cards make; that they hold no card twice between them is
    seen to for the cards in the crib and the starter, and not for what they keep.
    """
    ready = [np.ones(13) if one is None else _readiness(one, left) for one in others]
    weight = np.zeros(len(TRIPLES))
    for order in permutations(range(3)):
        weight += (
            ready[0][TRIPLES[:, order[0]]] * ready[1][TRIPLES[:, order[1]]] * ready[2][TRIPLES[:, order[2]]]
        )
    weight /= _TIMES
    one, two, three = TRIPLES.T
    weight *= left[one] * (left[two] - (two == one)) * (left[three] - (three == two) - 1.0 * (three == one))
    cells = weight[:, None] * (left - _HELD).clip(0)
    return np.asarray(cells / cells.sum())


def single_crib_points(
    dealt: NDArray[np.uint8], others: Sequence[Throws | None], *, four_flush: bool
) -> Floats:
    """Return the chance of each count of the crib, 0 to 29, for each of the five cards *dealt*: (5, 30)."""
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


def _readiness(throws: Throws, left: NDArray[np.intp]) -> Floats:
    weight = throws.weights(left).sum(axis=1)
    return np.asarray(np.divide(weight, left, out=np.zeros(13), where=left > 0) / weight.sum())
