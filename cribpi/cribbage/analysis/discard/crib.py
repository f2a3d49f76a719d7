"""The points of the crib: the probability of each count, for each possible discard of one hand.

"I" am the player with that hand.  With two players, the crib is my two cards and two of the other player.
With three or four, it is my card and three more: one from each other player and, with three, one from the
pack.
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
from cribpi.cribbage.analysis.pack import Floats, Places, rank_counts
from cribpi.cribbage.analysis.shows import RANK_PAIRS, rank_pair_of, rank_points
from cribpi.cribbage.rules.rules import Rules

PAIRS: Final = np.array(RANK_PAIRS, dtype=np.intp)
"""The 91 possible rank pairs of the other two cards, with two players: (91, 2)."""

TRIPLES: Final = np.array(list(combinations_with_replacement(range(13), 3)), dtype=np.intp)
"""The 455 possible rank triples of the other three cards, with three or four players: (455, 3)."""

JACK: Final = 10

_OTHERS: Final = {3: ((1, 1, None), (0, 1, None)), 4: ((0, 1, 1), (1, 0, 0))}
"""The sources of the other three cards, by number of players: first for my own crib, then for another's.

A source is 0 for a player who owns the crib, 1 for one who does not (as in `Others`), or None for the pack.
"""

_COUNTS: Final = 40  # more than the 30 possible counts, because `_move` also moves weights of 0 past 29
_LOW, _HIGH = PAIRS.T
_HELD: Final = rank_counts(TRIPLES)
_TIMES: Final = np.array([np.prod([factorial(number) for number in row]) for row in _HELD], dtype=np.float64)
_IS_MIXED: Final = _HELD.max(axis=1) == 1


def crib_points(
    dealt: NDArray[np.uint8], discards: Places, others: Others, rules: Rules, *, own_crib: bool
) -> Floats:
    """Return the probability of each count of the crib, 0 to 29, for each discard: (ways, 30).

    *dealt* has the numbers of my cards.  *discards* has the indices into it of the cards that each option,
    called a way, discards: shape (ways, 2) of six cards, (ways, 1) of five.  The others discard by their
    habits from each hand that the unseen cards can make.  Each card not in a hand may be the starter, all
    suits of a rank being equally likely.
    """
    is_left = np.ones((13, 4))
    is_left.reshape(-1)[dealt] = 0
    cells = rank_cells(is_left.sum(axis=1).astype(np.intp), others, rules.players, own_crib=own_crib)
    discarded = dealt[discards]
    ranks = discarded.T // 4
    if rules.players == 2:
        suits: _PairSuits | _TripleSuits = _PairSuits(is_left, others.suited[int(own_crib)])
        rows = rank_pair_of()[ranks[0], ranks[1]]
    else:
        suits, rows = _TripleSuits(is_left), ranks[0]
    points = crib_ranks(rules.players)[rows].astype(np.intp)
    nobs = np.repeat(suits.their_nobs[None], len(discarded), axis=0)
    for way, cards in enumerate(discarded.tolist()):
        for card in cards:
            if card // 4 == JACK:
                nobs[way] += suits.nobs_of(card % 4)
    place = (points + np.arange(len(discarded))[:, None, None] * _COUNTS).reshape(-1)
    with_nobs = cells * nobs
    size = len(discarded) * _COUNTS
    chances = np.bincount(place, (cells - with_nobs).reshape(-1), minlength=size)
    chances += np.bincount(place + 1, with_nobs.reshape(-1), minlength=size)
    chances = chances.reshape(len(discarded), _COUNTS)
    for way, cards in enumerate(discarded.tolist()):
        suit = cards[0] % 4
        if all(card % 4 == suit for card in cards):
            five, four = suits.flushes(cells, suit)
            # In a five-card flush the starter has the suit too, so any jack in the crib is his nobs.
            has_jack = suits.has_jack | (JACK in {card // 4 for card in cards})
            _move(chances[way], points[way] + has_jack, five, 5)
            if rules.crib_flush == "four":
                _move(chances[way], points[way], four, 4)
    return np.ascontiguousarray(chances[:, :30])


def _move(chances: Floats, points: Places, weight: Floats, by: int) -> None:
    """Change *chances* in place: move *weight* from the counts *points* to counts *by* points higher."""
    place, weight = points.reshape(-1), weight.reshape(-1)
    chances -= np.bincount(place, weight, minlength=_COUNTS)
    chances += np.bincount(place + by, weight, minlength=_COUNTS)


# --- ranks ------------------------------------------------------------------------------------------


@cache
def crib_ranks(players: int) -> NDArray[np.uint8]:
    """Return the points of my discard with the others' cards and the starter, all by rank alone.

    With two players the shape is (91, 91, 13): my pair, the other's, the starter.  Otherwise it is
    (13, 455, 13): my card, the others' triple, the starter.
    """
    if players == 2:
        return rank_points()
    one, two, three = TRIPLES.T
    pairs = rank_pair_of()
    return np.asarray(rank_points()[pairs[:, one], pairs[two, three]])


def rank_cells(left: Places, others: Others, players: int, *, own_crib: bool) -> Floats:
    """Return the joint probability of the others' pair or triple and the starter's rank: (91 or 455, 13).

    *left* is the number of unseen cards of each rank.
    """
    if players == 2:
        cells = others.habits[int(own_crib)].weights(left)  # if the crib is mine, the other is pone
    else:
        sources = _OTHERS[players][int(not own_crib)]
        cells = _triple_cells(left, [None if role is None else others.habits[role] for role in sources])
    return np.asarray(cells / cells.sum())


def _triple_cells(left: Places, others: Sequence[DiscardHabits | None]) -> Floats:
    """Return the weight of each of `TRIPLES` with a starter of each rank, at any scale: (455, 13).

    *others* are the habits of the three sources, None for the pack.  Each player discards from all hands that
    the unseen cards can make.  The crib and the starter share no card; this is exact.  The players' kept
    cards are different too; this is approximated, by pairs of players.
    """
    three = [_discarder(habits, left) for habits in others]
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
    """The habits of one player with five cards, by the rank of the discard."""

    ready: Floats
    """The chance that the discard is a given card, by its rank, at any scale: (13,)."""
    kept: Floats
    """The mean number of cards kept of each rank (column) with a discard (row): (13, 13)."""
    without: Floats
    """The chance that a given other card of each rank (column) is not kept: (13, 13)."""


def _discarder(habits: DiscardHabits | None, left: Places) -> _Discarder:
    """Return the discards of a player with *habits*, or without habits of the pack, which keeps no cards."""
    if habits is None:
        return _Discarder(np.ones(13), np.zeros((13, 13)), np.ones((13, 13)))
    weights = habits.weights(left)
    ways = weights.sum(axis=1) / (left.sum() - habits.size)
    possible = ways[:, None] * (left - np.eye(13))
    kept = np.divide(possible - weights, ways[:, None], out=np.zeros((13, 13)), where=ways[:, None] > 0)
    without = np.divide(weights, possible, out=np.ones((13, 13)), where=weights > 0)
    return _Discarder(np.divide(ways, left, out=np.zeros(13), where=left > 0) / ways.sum(), kept, without)


def _meeting(one: _Discarder, other: _Discarder) -> Floats:
    """Return the approximate chance that two hands drawn independently share no card: (13, 13).

    Only such hands can come from one pack.  Rows and columns are the ranks discarded from each.
    """
    first, second = np.log(one.without), np.log(other.without)
    return np.asarray(np.exp(first + second.T + (one.kept @ second.T + first @ other.kept.T) / 2))


# --- suits ------------------------------------------------------------------------------------------


class _TripleSuits:
    """The suits of the crib's three other cards and of the starter, given their ranks.

    Arrays called cells have shape (455, 13): the triple of ranks and the starter's rank.
    """

    has_jack: Final = _HELD[:, JACK, None] > 0

    def __init__(self, is_left: Floats) -> None:
        left = is_left.sum(axis=1)[:, None]
        self._of_suit = np.divide(is_left, left, out=np.zeros_like(is_left), where=left > 0)
        self.their_nobs = _HELD[:, JACK, None] * (self._of_suit @ self._of_suit[JACK])
        self.their_nobs[:, JACK] = 0

    def nobs_of(self, suit: int) -> Floats:
        """Return the chance that the starter is of *suit*, so that my jack of that suit scores his nobs."""
        return np.asarray(self._of_suit[:, suit])

    def flushes(self, cells: Floats, suit: int) -> tuple[Floats, Floats]:
        """Return the weight of the flushes of *suit* in *cells*: with the starter, and without it."""
        flush = cells * (self._of_suit[TRIPLES, suit].prod(axis=1) * _IS_MIXED)[:, None]
        five = flush * self._of_suit[:, suit] * (_HELD == 0)
        return five, flush - five


class _PairSuits:
    """The suits of the other player's pair and of the starter, given their ranks.

    Arrays called cells have shape (91, 13): the pair of ranks and the starter's rank.
    """

    has_jack: Final = ((_LOW == JACK) | (_HIGH == JACK))[:, None]

    def __init__(self, is_left: Floats, suited: Floats) -> None:
        self._left = is_left
        unseen = is_left.reshape(-1)
        self._pairs = _readiness(suited.tobytes()) * np.outer(unseen, unseen)
        self._with_rank = self._pairs.reshape(52, 13, 4).sum(axis=2).reshape(13, 4, 13)
        weight = self._with_rank.sum(axis=1)[_LOW, _HIGH]
        weight[_LOW == _HIGH] /= 2
        self._weight = weight
        starters = is_left.sum(axis=1) - rank_counts(PAIRS)
        every = weight[:, None] * starters
        self._share = np.divide(1, every, out=np.zeros_like(every), where=every > 0)
        self.their_nobs = self._their_nobs()

    def nobs_of(self, suit: int) -> Floats:
        """Return the chance that the starter is of *suit*, so that my jack of that suit scores his nobs."""
        weight = self._weight[:, None] * self._left[:, suit]
        every = np.arange(91)
        weight[every, _LOW] -= self._with_rank[_LOW, suit, _HIGH] * self._left[_LOW, suit]
        is_two = _LOW != _HIGH
        weight[every[is_two], _HIGH[is_two]] -= (
            self._with_rank[_HIGH, suit, _LOW] * self._left[_HIGH, suit]
        )[is_two]
        return np.asarray(weight * self._share)

    def _their_nobs(self) -> Floats:
        """Return the chance that the other's pair includes the jack of the starter's suit."""
        jack_and = self._with_rank[JACK]
        nobs = np.zeros((91, 13))
        for pair in rank_pair_of()[JACK]:
            low, high = RANK_PAIRS[pair]
            other = low if high == JACK else high
            nobs[pair] = self._left @ jack_and[:, other]
            # The starter can't be the other card of the pair.
            both = self._pairs[range(4 * JACK, 4 * JACK + 4), range(4 * other, 4 * other + 4)]
            nobs[pair, other] -= self._left[other] @ both
            nobs[pair, JACK] = 0
        return np.asarray(nobs * self._share)

    def flushes(self, cells: Floats, suit: int) -> tuple[Floats, Floats]:
        """Return the weight of the flushes of *suit* in *cells*: with the starter, and without it."""
        cards = np.arange(13) * 4 + suit
        pair = self._pairs[cards[_LOW], cards[_HIGH]][:, None] * (_LOW != _HIGH)[:, None]
        in_pair = rank_counts(PAIRS)
        of_suit = pair * self._left[:, suit] * (in_pair == 0)
        others = pair * (self._left.sum(axis=1) - in_pair) - of_suit
        return cells * of_suit * self._share, cells * others * self._share


def readiness(suited: Floats) -> Floats:
    """Return the relative probability that a player who holds two given cards discards them: (52, 52).

    The mean is 1; the matrix is symmetric, with a zero diagonal.  For each pair of ranks, *suited* has
    its share of all discards with different suits, and with the same suit: (91, 2).
    """
    pairs = np.array(
        [(12.0, 4.0) if low != high else (6.0, 0.0) for low, high in RANK_PAIRS]
    )  # card pairs in a pack: unsuited, suited
    ready = np.divide(suited, pairs, out=np.zeros_like(pairs), where=pairs > 0) * (1326 / suited.sum())
    cards = np.arange(52)
    one, other = np.meshgrid(cards, cards, indexing="ij")
    table = ready[rank_pair_of()[one // 4, other // 4], (one % 4 == other % 4).astype(np.intp)]
    table[cards, cards] = 0
    return np.asarray(table)


@lru_cache(maxsize=8)
def _readiness(suited: bytes) -> Floats:
    return readiness(np.frombuffer(suited).reshape(91, 2))
