"""The crib of two players, for one hand: the probability of each count, for each possible discard."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard.crib_suits import readiness
from cribpi.analysis.discard.habits import DiscardHabits
from cribpi.analysis.discard.rank_hands import Floats
from cribpi.analysis.shows import RANK_PAIRS, rank_pair_of, rank_points

_JACK: Final = 10
_COUNTS: Final = 40  # a row per way, with room past 29 for moves of no weight
_LOW, _HIGH = np.array(RANK_PAIRS, dtype=np.intp).T


def pair_crib_points(
    dealt: NDArray[np.uint8],
    away: NDArray[np.intp],
    habits: DiscardHabits,
    suited: Floats,
    *,
    four_flush: bool,
) -> Floats:
    """Return the probability of each count of the crib, 0 to 29, for each discard: (ways, 30).

    *dealt* are the numbers of the six cards; *away* holds the places of the two that each way discards:
    (ways, 2). The other player discards by the habits *habits* from each hand that the 46 unseen cards make,
    and each of the 40 cards not in that hand may be the starter.  *suited* gives the suits of a pair
    (`crib_suits.readiness`); the starter's suits are equally likely.
    """
    is_left = np.ones((13, 4))
    is_left.reshape(-1)[dealt] = 0
    left = is_left.sum(axis=1)
    cells = habits.weights(left.astype(np.intp))
    cells /= cells.sum()
    mine = dealt[away]
    points = rank_points()[rank_pair_of()[mine[:, 0] // 4, mine[:, 1] // 4]].astype(np.intp)
    suits = _Suits(is_left, readiness_of(suited))
    nobs = np.broadcast_to(suits.their_nobs, points.shape)
    jacks = [(way, card % 4) for way, two in enumerate(mine.tolist()) for card in two if card // 4 == _JACK]
    if jacks:
        nobs = nobs.copy()
        for way, suit in jacks:
            nobs[way] += suits.nobs_of(suit)
    place = points + np.arange(len(away))[:, None, None] * _COUNTS
    weight = np.broadcast_to(cells, points.shape)
    with_nobs = cells * nobs
    chances = np.bincount(place.reshape(-1), (weight - with_nobs).reshape(-1), minlength=len(away) * _COUNTS)
    chances += np.bincount(place.reshape(-1) + 1, with_nobs.reshape(-1), minlength=len(away) * _COUNTS)
    chances = chances.reshape(len(away), _COUNTS)
    for way, (one, other) in enumerate(mine.tolist()):
        if one % 4 == other % 4:
            is_jack = _JACK in {one // 4, other // 4}
            suits.move_flushes(
                chances[way], points[way], cells, one % 4, is_jack=is_jack, four_flush=four_flush
            )
    return np.ascontiguousarray(chances[:, :30])


@lru_cache(maxsize=8)
def _readiness(suited: bytes) -> Floats:
    return readiness(np.frombuffer(suited).reshape(91, 2))


def readiness_of(suited: Floats) -> Floats:
    """Return `crib_suits.readiness` of *suited*, cached."""
    return _readiness(suited.tobytes())


class _Suits:
    """The suits of the other's pair and of the starter, given their ranks; arrays of cells are (91, 13)."""

    def __init__(self, is_left: Floats, ready: Floats) -> None:
        self._left = is_left
        seen = is_left.reshape(-1)
        self._pairs = ready * np.outer(seen, seen)
        self._with_rank = self._pairs.reshape(52, 13, 4).sum(axis=2).reshape(13, 4, 13)
        weight = self._with_rank.sum(axis=1)[_LOW, _HIGH]
        weight[_LOW == _HIGH] /= 2
        self._weight = weight
        starters = is_left.sum(axis=1) - _is_rank(_LOW) - _is_rank(_HIGH)
        every = weight[:, None] * starters
        self._share = np.divide(1, every, out=np.zeros_like(every), where=every > 0)
        self.their_nobs = self._their_nobs()

    def nobs_of(self, suit: int) -> Floats:
        """Return the chance that the starter is of *suit* and no jack of the pair: my jack is then nobs."""
        weight = self._weight[:, None] * self._left[:, suit]
        every = np.arange(91)
        weight[every, _LOW] -= self._with_rank[_LOW, suit, _HIGH] * self._left[_LOW, suit]
        is_two = _LOW != _HIGH
        weight[every[is_two], _HIGH[is_two]] -= (
            self._with_rank[_HIGH, suit, _LOW] * self._left[_HIGH, suit]
        )[is_two]
        return np.asarray(weight * self._share)

    def _their_nobs(self) -> Floats:
        """Return the chance that the pair holds the jack of the starter's suit."""
        jack_and = self._with_rank[_JACK]
        nobs = np.zeros((91, 13))
        for pair in rank_pair_of()[_JACK]:
            low, high = RANK_PAIRS[pair]
            other = low if high == _JACK else high
            nobs[pair] = self._left @ jack_and[:, other]
            # The starter can't be the card beside the jack.
            both = self._pairs[range(4 * _JACK, 4 * _JACK + 4), range(4 * other, 4 * other + 4)]
            nobs[pair, other] -= self._left[other] @ both
            nobs[pair, _JACK] = 0
        return np.asarray(nobs * self._share)

    def move_flushes(
        self,
        chances: Floats,
        points: NDArray[np.intp],
        cells: Floats,
        suit: int,
        *,
        is_jack: bool,
        four_flush: bool,
    ) -> None:
        """Move the flushes of *suit*, that of my two discards, in *chances*."""
        clubs = np.arange(13) * 4 + suit
        pair = self._pairs[clubs[_LOW], clubs[_HIGH]][:, None] * (_LOW != _HIGH)[:, None]
        taken = _is_rank(_LOW) + _is_rank(_HIGH)
        of_suit = pair * self._left[:, suit] * (taken == 0)
        five = cells * of_suit * self._share
        has_jack = is_jack | (_LOW == _JACK) | (_HIGH == _JACK)
        now = points + has_jack[:, None]  # all of one suit, so any jack among the four is his nobs
        move(chances, now, five, 5)
        if four_flush:
            others = pair * (self._left.sum(axis=1) - taken) - of_suit
            move(chances, points, cells * others * self._share, 4)


def _is_rank(ranks: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.equal.outer(ranks, np.arange(13)).astype(np.intp)


def move(chances: Floats, points: NDArray[np.intp], weight: Floats, by: int) -> None:
    """Move *weight* in *chances*, in place, from the counts *points* to counts *by* points higher."""
    place, weight = points.reshape(-1), weight.reshape(-1)
    chances -= np.bincount(place, weight, minlength=_COUNTS)
    chances += np.bincount(place + by, weight, minlength=_COUNTS)
