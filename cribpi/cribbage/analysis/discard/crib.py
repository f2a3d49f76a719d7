"""The crib, for one hand: the probability of each count, for each possible discard.

Beside my discard lie the other's pair, of two players, or three cards: those of the others and, with three
players, one from the pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from math import factorial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.habits import DiscardHabits, Others
from cribpi.cribbage.analysis.pack import Floats, Places, held_of
from cribpi.cribbage.analysis.shows import RANK_PAIRS, rank_pair_of, rank_points
from cribpi.cribbage.rules.rules import Rules

PAIRS: Final = np.array(RANK_PAIRS, dtype=np.intp)
"""The 91 multisets of the other two ranks, with two players: (91, 2)."""

TRIPLES: Final = np.array(list(combinations_with_replacement(range(13), 3)), dtype=np.intp)
"""The 455 multisets of the other three ranks, with three and four players: (455, 3)."""

JACK: Final = 10

_OTHERS: Final = {3: ((1, 1, None), (0, 1, None)), 4: ((0, 1, 1), (1, 0, 0))}
"""Where the other three cards come from, by the number of players and by whether the crib is mine or not.

Each is discarded by a player to whom the crib belongs (0) or does not (1), as in `Others`, or from the pack.
"""

_COUNTS: Final = 40  # a row per way, with room past 29 for moves of no weight
_LOW, _HIGH = PAIRS.T
_HELD: Final = held_of(TRIPLES)
_TIMES: Final = np.array([np.prod([factorial(number) for number in row]) for row in _HELD], dtype=np.float64)
_IS_MIXED: Final = _HELD.max(axis=1) == 1


def crib_points(
    dealt: NDArray[np.uint8], away: Places, others: Others, rules: Rules, *, own_crib: bool
) -> Floats:
    """Return the probability of each count of the crib, 0 to 29, for each discard: (ways, 30).

    *dealt* are the numbers of the cards; *away* holds the places of those that each way discards: (ways, 2)
    of six cards, (ways, 1) of five.  The others discard by their habits from each hand that the unseen cards
    make, and each card not in a hand may be the starter; its suits are equally likely.
    """
    is_left = np.ones((13, 4))
    is_left.reshape(-1)[dealt] = 0
    cells = rank_cells(is_left.sum(axis=1).astype(np.intp), others, rules.players, own_crib=own_crib)
    mine = dealt[away]
    ranks = mine.T // 4
    if rules.players == 2:
        suits: _PairSuits | _TripleSuits = _PairSuits(is_left, others.suited[int(own_crib)])
        discarded = rank_pair_of()[ranks[0], ranks[1]]
    else:
        suits, discarded = _TripleSuits(is_left), ranks[0]
    points = crib_ranks(rules.players)[discarded].astype(np.intp)
    nobs = np.repeat(suits.their_nobs[None], len(mine), axis=0)
    for way, cards in enumerate(mine.tolist()):
        for card in cards:
            if card // 4 == JACK:
                nobs[way] += suits.nobs_of(card % 4)
    place = (points + np.arange(len(mine))[:, None, None] * _COUNTS).reshape(-1)
    with_nobs = cells * nobs
    size = len(mine) * _COUNTS
    chances = np.bincount(place, (cells - with_nobs).reshape(-1), minlength=size)
    chances += np.bincount(place + 1, with_nobs.reshape(-1), minlength=size)
    chances = chances.reshape(len(mine), _COUNTS)
    for way, cards in enumerate(mine.tolist()):
        suit = cards[0] % 4
        if all(card % 4 == suit for card in cards):
            five, four = suits.flushes(cells, suit)
            # All of one suit, so any jack among the four is his nobs.
            has_jack = suits.has_jack | (JACK in {card // 4 for card in cards})
            _move(chances[way], points[way] + has_jack, five, 5)
            if rules.crib_flush == "four":
                _move(chances[way], points[way], four, 4)
    return np.ascontiguousarray(chances[:, :30])


def _move(chances: Floats, points: Places, weight: Floats, by: int) -> None:
    """Move *weight* in *chances*, in place, from the counts *points* to counts *by* points higher."""
    place, weight = points.reshape(-1), weight.reshape(-1)
    chances -= np.bincount(place, weight, minlength=_COUNTS)
    chances += np.bincount(place + by, weight, minlength=_COUNTS)


# --- ranks ------------------------------------------------------------------------------------------


@cache
def crib_ranks(players: int) -> NDArray[np.uint8]:
    """Return the rank points of a discard with each of the others' ranks and each starter.

    With two players (91, 91, 13), by `PAIRS`; else a rank with `TRIPLES`: (13, 455, 13).
    """
    if players == 2:
        return rank_points()
    one, two, three = TRIPLES.T
    pairs = rank_pair_of()
    return np.asarray(rank_points()[pairs[:, one], pairs[two, three]])


def rank_cells(left: Places, others: Others, players: int, *, own_crib: bool) -> Floats:
    """Return the probability of each of the others' ranks with a starter of each rank: (91 or 455, 13).

    *left* is the number of unseen cards of each rank.
    """
    if players == 2:
        cells = others.habits[int(own_crib)].weights(left)  # pone's where the crib is mine
    else:
        whose = _OTHERS[players][int(not own_crib)]
        cells = _triple_cells(left, [None if one is None else others.habits[one] for one in whose])
    return np.asarray(cells / cells.sum())


def _triple_cells(left: Places, others: Sequence[DiscardHabits | None]) -> Floats:
    """Return how often each of `TRIPLES` goes with a starter of each rank, at any scale: (455, 13).

    *others* are the habits of those who discard, None for the pack.  Each of them discards from all hands
    that the unseen cards make.  No card is counted twice among the crib and the starter: this is exact.  That
    the cards each one keeps are not among those, and not kept by another, is taken into account pairwise.
    """
    three = [_discarder(one, left) for one in others]
    meet = {pair: _meeting(three[pair[0]], three[pair[1]]) for pair in combinations(range(3), 2)}
    cells = np.zeros((len(TRIPLES), 13))
    for order in permutations(range(3)):
        first, second, third = (TRIPLES[:, place] for place in order)
        weight = three[0].ready[first] * three[1].ready[second] * three[2].ready[third]
        weight *= meet[0, 1][first, second] * meet[0, 2][first, third] * meet[1, 2][second, third]
        cells += (
            weight[:, None] * three[0].without[first] * three[1].without[second] * three[2].without[third]
        )
    low, middle, high = TRIPLES.T
    cards = (
        left[low] * (left[middle] - (middle == low)) * (left[high] - (high == middle) - 1.0 * (high == low))
    )
    return np.asarray(cells * ((cards / _TIMES)[:, None] * (left - _HELD).clip(0)))


class _Discarder(NamedTuple):
    """One player who discards, by the rank of the discard."""

    ready: Floats
    """How likely one card of each rank is to be discarded: (13,)."""
    kept: Floats
    """The mean number of cards of each rank kept beside it: (13, 13)."""
    without: Floats
    """The chance that a given other card of each rank is not kept: (13, 13)."""


def _discarder(habits: DiscardHabits | None, left: Places) -> _Discarder:
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


# --- suits ------------------------------------------------------------------------------------------


class _TripleSuits:
    """The suits of three other cards and of the starter, given their ranks; arrays of cells are (455, 13)."""

    has_jack: Final = _HELD[:, JACK, None] > 0
    """Whether there is a jack among the three."""

    def __init__(self, is_left: Floats) -> None:
        left = is_left.sum(axis=1)[:, None]
        self._of_suit = np.divide(is_left, left, out=np.zeros_like(is_left), where=left > 0)
        self.their_nobs = _HELD[:, JACK, None] * (self._of_suit @ self._of_suit[JACK])
        self.their_nobs[:, JACK] = 0

    def nobs_of(self, suit: int) -> Floats:
        """Return the chance that the starter is of *suit*: my jack is then nobs."""
        return np.asarray(self._of_suit[:, suit])

    def flushes(self, cells: Floats, suit: int) -> tuple[Floats, Floats]:
        """Return the weight of the flushes of *suit* in *cells*: with the starter, and without it."""
        flush = cells * (self._of_suit[TRIPLES, suit].prod(axis=1) * _IS_MIXED)[:, None]
        five = flush * self._of_suit[:, suit] * (_HELD == 0)
        return five, flush - five


class _PairSuits:
    """The suits of the other's pair and of the starter, given their ranks; arrays of cells are (91, 13)."""

    has_jack: Final = ((_LOW == JACK) | (_HIGH == JACK))[:, None]
    """Whether there is a jack in the pair."""

    def __init__(self, is_left: Floats, suited: Floats) -> None:
        self._left = is_left
        seen = is_left.reshape(-1)
        self._pairs = _readiness(suited.tobytes()) * np.outer(seen, seen)
        self._with_rank = self._pairs.reshape(52, 13, 4).sum(axis=2).reshape(13, 4, 13)
        weight = self._with_rank.sum(axis=1)[_LOW, _HIGH]
        weight[_LOW == _HIGH] /= 2
        self._weight = weight
        starters = is_left.sum(axis=1) - held_of(PAIRS)
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
        jack_and = self._with_rank[JACK]
        nobs = np.zeros((91, 13))
        for pair in rank_pair_of()[JACK]:
            low, high = RANK_PAIRS[pair]
            other = low if high == JACK else high
            nobs[pair] = self._left @ jack_and[:, other]
            # The starter can't be the card beside the jack.
            both = self._pairs[range(4 * JACK, 4 * JACK + 4), range(4 * other, 4 * other + 4)]
            nobs[pair, other] -= self._left[other] @ both
            nobs[pair, JACK] = 0
        return np.asarray(nobs * self._share)

    def flushes(self, cells: Floats, suit: int) -> tuple[Floats, Floats]:
        """Return the weight of the flushes of *suit* in *cells*: with the starter, and without it."""
        clubs = np.arange(13) * 4 + suit
        pair = self._pairs[clubs[_LOW], clubs[_HIGH]][:, None] * (_LOW != _HIGH)[:, None]
        taken = held_of(PAIRS)
        of_suit = pair * self._left[:, suit] * (taken == 0)
        others = pair * (self._left.sum(axis=1) - taken) - of_suit
        return cells * of_suit * self._share, cells * others * self._share


def readiness(suited: Floats) -> Floats:
    """Return how readily each two cards are discarded together when held: (52, 52), with a mean of 1.

    *suited* is how often each pair of ranks is discarded, unsuited and suited: (91, 2).  The result is
    symmetric, with a zero diagonal.
    """
    pairs = np.array([(12.0, 4.0) if low != high else (6.0, 0.0) for low, high in RANK_PAIRS])  # in a pack
    ready = np.divide(suited, pairs, out=np.zeros_like(pairs), where=pairs > 0) * (1326 / suited.sum())
    cards = np.arange(52)
    one, other = np.meshgrid(cards, cards, indexing="ij")
    table = ready[rank_pair_of()[one // 4, other // 4], (one % 4 == other % 4).astype(np.intp)]
    table[cards, cards] = 0
    return np.asarray(table)


@lru_cache(maxsize=8)
def _readiness(suited: bytes) -> Floats:
    return readiness(np.frombuffer(suited).reshape(91, 2))
