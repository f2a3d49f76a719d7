"""Discards at equilibrium, where each player plays the best reply to the others.

The best discard of a hand maximizes the mean of the hand over all starters, plus the mean of the crib if it
belongs to the player's side, minus it (or half of it, with three players) if not.  The crib depends on the
others' discards.  So the two strategies, for the player's own crib and for another's, are optimized in turn,
each in reply to the other.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.crib import JACK, PAIRS, TRIPLES, crib_ranks, rank_cells, readiness
from cribpi.cribbage.analysis.discard.habits import (
    DiscardHabits,
    Others,
    crib_worth,
    habits_of,
    rank_hands,
    ranks_discarded,
)
from cribpi.cribbage.analysis.pack import Floats, Places, rank_counts
from cribpi.cribbage.analysis.shows import RANK_PAIRS, rank_pair_of
from cribpi.cribbage.analysis.tables import Arrays, Tell
from cribpi.cribbage.game.cards import SYMBOLS
from cribpi.cribbage.rules import seats
from cribpi.workshop.tables.canonical import CanonicalHands, Ways, canonical_hands, hand_counts, hand_means

NAMES: Final = {2: ("dealer", "pone"), 3: ("own crib", "other crib"), 4: ("own crib", "other crib")}
"""Names of the two strategies, by the number of players."""

TURNS: Final = {2: 10, 3: 16, 4: 16}
"""Iterations of the search, half of them for each strategy."""

_ALIKE: Final = 1e-9  # points: differences below this are rounding errors
_CHUNK: Final = 1 << 12


class Hands(NamedTuple):
    """Hands of one size, with values that do not depend on the others' discards.

    There are n = 962,988 canonical hands of six cards, with m = 18,395 multisets of ranks, and 134,459 of
    five cards, with 6,175.
    """

    canonical_hands: CanonicalHands
    ways: Ways
    means: Floats
    """Mean of the four cards kept over all starters, for each way: (n, ways)."""
    group: Places
    """Index of each hand's multiset of ranks, for all hands that in `rank_hands`: (n,), ascending."""
    ranks: Places
    """The ranks of each multiset, 0 to 12, ascending: (m, size)."""
    away: Places
    """Discard of each way from each multiset, as in `DiscardHabits.discarded`: (m, ways)."""

    def codes(self) -> Places:
        """Return the code of each way's discard: (n, ways).

        With five cards, it is the rank; with six, twice the index of the pair of ranks, plus 1 if suited.
        """
        away = self.away[self.group]
        if len(self.ways[0]) == 1:
            return away
        first, second = np.array(self.ways).T
        suits = self.canonical_hands.cards % 4
        return np.asarray(away * 2 + (suits[:, first] == suits[:, second]), dtype=np.intp)

    def others(self, strategies: tuple[Strategy, Strategy]) -> Others:
        """Return players who discard by *strategies*, which must cover all hands."""
        size = self.ranks.shape[1]
        total = rank_hands(size).total

        def habits(entries: Floats) -> DiscardHabits:
            hand, way = np.nonzero(entries)
            return habits_of(size, hand, self.away[hand, way], entries[hand, way] / total[hand])

        own, against = strategies
        return Others((habits(own.entries), habits(against.entries)), (own.discarded, against.discarded))


class Strategy(NamedTuple):
    """The discards from all hands, either for the player's own crib or for another's."""

    entries: Floats
    """Number of hands of each multiset that make each discard, entered at its first way: (m, ways)."""
    discarded: Floats
    """Number of all hands that make each discard.

    With six cards, by pair of ranks, unsuited and suited: (91, 2).  With five cards, by rank: (13,).
    """


class BestDiscards(NamedTuple):
    """The best discard from every hand."""

    way: Places
    """Index in `Hands.ways` of each canonical hand's discard."""
    strategy: Strategy
    hand: float
    """Mean points of the hand."""
    crib: float
    """Mean points of the crib, given this player's cards."""


@cache
def all_hands(size: int) -> Hands:
    """Return all hands of *size* cards; for six, enumerating them takes half a minute and 0.3 GB."""
    return prepared(canonical_hands(size))


def prepared(hands: CanonicalHands) -> Hands:
    """Return *hands*, which must be sorted by rank, with their means and discards."""
    size = hands.cards.shape[1]
    ways = tuple(combinations(range(size), size - seats.HAND))
    ranks = hands.cards // 4
    is_new = np.concatenate(([True], (ranks[1:] != ranks[:-1]).any(axis=1)))
    multisets = ranks[is_new].astype(np.intp)
    discarded = [multisets[:, places] for places in np.array(ways).T]
    away = rank_pair_of()[discarded[0], discarded[1]] if len(discarded) == 2 else discarded[0]
    return Hands(hands, ways, hand_means(hands.cards, ways), np.cumsum(is_new) - 1, multisets, away)


def mean_cribs(hands: Hands, others: Others, players: int, *, own_crib: bool) -> Floats:
    """Return the mean crib for each hand and way, (n, ways), when the *others* discard by their habits.

    The ranks are as exact as `crib.rank_cells`.  Flush and nobs are added as means.  Four-card flushes in the
    crib are ignored, since they hardly change the discards.
    """
    cards = hands.canonical_hands.cards
    points = crib_ranks(players).astype(np.float64)
    if players == 2:
        suits = _suit_means_of_pairs(cards, hands.ways, others.suited[int(own_crib)])
    else:
        suits = _suit_means_of_singles(cards)
        # Another player's jack is nobs if the starter, not a jack, has its suit: about one time in four.
        points += rank_counts(TRIPLES)[:, JACK, None] * (np.arange(13) != JACK) / 4
    points = points.reshape(len(points), -1)
    means = np.empty(hands.away.shape)
    for row, left in enumerate(4 - rank_counts(hands.ranks)):
        cells = rank_cells(left, others, players, own_crib=own_crib)
        means[row] = (points @ cells.reshape(-1))[hands.away[row]]
    return means[hands.group] + suits


def best_choice(hands: Hands, cribs: Floats, worth_of_crib: float) -> BestDiscards:
    """Return the best choice when the crib adds *worth_of_crib* times its mean points, *cribs*."""
    worth = hands.means + worth_of_crib * cribs
    way = np.argmax(worth > worth.max(axis=1, keepdims=True) - _ALIKE, axis=1)
    rows = np.arange(len(way))
    weight, away = hands.canonical_hands.weight, hands.away
    first = (away[:, :, None] == away[:, None, :]).argmax(axis=2)
    shape = (91, 2) if len(hands.ways[0]) == 2 else (13,)
    entries = np.bincount(
        hands.group * len(hands.ways) + first[hands.group, way], weight, minlength=away.size
    ).astype(np.float64)
    discarded = np.bincount(hands.codes()[rows, way], weight, minlength=int(np.prod(shape)))
    return BestDiscards(
        way,
        Strategy(entries.reshape(away.shape), discarded.astype(np.float64).reshape(shape)),
        float(np.average(hands.means[rows, way], weights=weight)),
        float(np.average(cribs[rows, way], weights=weight)),
    )


def fixed_point(hands: Hands, players: int, tell: Tell) -> tuple[Strategy, Strategy]:
    """Return both strategies at equilibrium, the one for an own crib first.

    The search starts from players who ignore the crib; then the strategies reply to each other in turn.  Pure
    replies could alternate for ever between nearly equal discards.  So each replies to the other's running
    average, which weights later turns more (fictitious play).  *tell* gets a line of progress for each turn.
    """
    alone = best_choice(hands, np.zeros_like(hands.means), 0)
    strategies = (alone.strategy, alone.strategy)
    before = [alone.way] * 2
    weight = hands.canonical_hands.weight
    rows = np.arange(len(weight))
    for turn in range(TURNS[players]):
        role = turn % 2
        cribs = mean_cribs(hands, hands.others(strategies), players, own_crib=role == 0)
        worth_of_crib = crib_worth(players, own_crib=role == 0)
        choice = best_choice(hands, cribs, worth_of_crib)
        share = 2 / (2 + turn // 2)  # 1, then 2/3, 1/2, and so on
        average = Strategy(
            *(old + share * (new - old) for old, new in zip(strategies[role], choice.strategy, strict=True))
        )
        strategies = (average, strategies[1]) if role == 0 else (strategies[0], average)
        worth = hands.means + worth_of_crib * cribs
        gain = np.average(worth[rows, choice.way] - worth[rows, before[role]], weights=weight)
        changed = weight[choice.way != before[role]].sum() / weight.sum()
        tell(
            f"turn {turn + 1} of {TURNS[players]}, {NAMES[players][role]}: mean hand {choice.hand:.4f}, "
            f"mean crib {choice.crib:.4f}; {changed:.2%} of the hands discard differently, which gains "
            f"{gain:.5f} points a hand"
        )
        before[role] = choice.way
    return strategies


def _suit_means_of_pairs(cards: NDArray[np.uint8], ways: Ways, suited: Floats) -> Floats:
    """Return the mean points for flush and nobs in the crib of each hand and way: (n, ways).

    *cards* has shape (n, 6).  The other player is assumed to discard unseen pairs as often as in *suited*
    (91, 2), regardless of the other four cards: the error is about a thousandth of a point.
    """
    ready, starters = readiness(suited), 44
    in_suit = ready[::4, ::4]  # pairs of two ranks in clubs; all suits have the same values
    jacks = slice(4 * JACK, 4 * JACK + 4)

    def means(cards: NDArray[np.uint8]) -> Floats:
        left = np.ones((len(cards), 52))
        np.put_along_axis(left, cards.astype(np.intp), 0, axis=1)
        with_card = (left @ ready) * left  # the weight of the pairs that contain each card
        by_suit = left.reshape(-1, 13, 4).transpose(0, 2, 1)
        # The weight of the pairs of a single suit that contain each card.
        with_suit = (by_suit @ in_suit).transpose(0, 2, 1).reshape(-1, 52) * left
        number, of_suit, flush = (
            grid.reshape(-1, 13, 4).sum(axis=1) for grid in (left, with_card, with_suit / 2)
        )
        every = with_card.sum(axis=1) / 2
        theirs = (with_card[:, jacks] * (number - 1) - with_suit[:, jacks]).sum(axis=1)
        suits = cards.astype(np.intp) % 4
        mine = np.take_along_axis(number * every[:, None] - of_suit, suits, axis=1) * (cards // 4 == JACK)
        flushes = np.take_along_axis(flush * (5 * (number - 2)), suits, axis=1)
        sums = [
            theirs + mine[:, a] + mine[:, b] + flushes[:, a] * (suits[:, a] == suits[:, b]) for a, b in ways
        ]
        return np.asarray(np.column_stack(sums) / (starters * every[:, None]))

    return np.vstack([means(cards[start : start + _CHUNK]) for start in range(0, len(cards), _CHUNK)])


def _suit_means_of_singles(cards: NDArray[np.uint8]) -> Floats:
    """Return each card's mean points for flush and nobs in the crib, if other suits are random: (n, 5)."""
    unseen, suits = 47, cards % 4
    number = 13 - (suits[:, :, None] == suits[:, None, :]).sum(axis=2)
    nobs = number / unseen * (cards // 4 == JACK)
    flush = np.array([comb(n, 4) * 5 for n in range(13)]) / comb(unseen, 4)
    return np.asarray(nobs + flush[number])


# --- the tables as shipped ---------------------------------------------------------------------------


def made_discard_table(players: int, tell: Tell) -> Arrays:
    """Make the table for `tables.DiscardTable` with *players*, in counts of all hands."""
    hands = all_hands(seats.usual(players).dealt)
    strategies = fixed_point(hands, players, tell)
    others = hands.others(strategies)
    cards, weight = hands.canonical_hands
    codes, shape = hands.codes(), strategies[0].discarded.shape
    arrays: dict[str, NDArray[Any]] = {}
    counts, means = [], []
    discarded_means = []
    for role, name in enumerate(NAMES[players]):
        cribs = mean_cribs(hands, others, players, own_crib=role == 0)
        choice = best_choice(hands, cribs, crib_worth(players, own_crib=role == 0))
        times = np.rint(strategies[role].entries)
        hand, way = np.nonzero(times)
        # Sorted by hand, so the differences between multisets fit a byte; `tables` is the inverse.
        arrays[f"steps_{role}"] = np.diff(hand, prepend=0).astype(np.uint8)
        arrays[f"throws_{role}"] = hands.away[hand, way].astype(np.uint8)
        arrays[f"times_{role}"] = times[hand, way].astype(np.uint16)
        counts.append(hand_counts(cards, weight, hands.ways, choice.way))
        means.append(_mean_by(codes, np.broadcast_to(weight[:, None], codes.shape), cribs, shape))
        chosen = np.arange(len(weight)), choice.way
        discarded_means.append(_mean_by(codes[chosen], weight, cribs[chosen], shape))
        tell(f"{name}: mean hand {choice.hand:.4f}, mean crib {choice.crib:.4f}")
        if players == 2:
            published = _describe_pairs(strategies[role].discarded, discarded_means[role])
            tell(f"{name}, the crib where a pair is discarded: {published}")
    arrays["thrown"] = np.stack([np.rint(each.discarded) for each in strategies]).astype(np.int32)
    arrays["cribs"] = np.nan_to_num(np.stack(means)).astype(np.float32)
    arrays["thrown_cribs"] = np.stack(discarded_means).astype(np.float32)
    arrays["hand_points"] = np.stack(counts).astype(np.int32)
    arrays["crib_points"] = _crib_points(others, players)
    return arrays


def _describe_pairs(suited: Floats, means: Floats) -> str:
    """Format the mean crib of some pairs, to be compared with published tables."""
    words = []
    for low, high in ((5, 5), (2, 3), (7, 8), (10, 13)):
        pair = RANK_PAIRS.index((low - 1, high - 1))
        mean = np.average(np.nan_to_num(means[pair]), weights=suited[pair])
        words.append(f"{SYMBOLS[low]}-{SYMBOLS[high]} {mean:.2f}")
    return ", ".join(words)


def _mean_by(codes: Places, weight: NDArray[np.int64], values: Floats, shape: tuple[int, ...]) -> Floats:
    """Return the weighted mean of *values* for each code, NaN if a code does not occur."""
    number = int(np.prod(shape))
    every = np.bincount(codes.reshape(-1), weight.reshape(-1), minlength=number)
    sums = np.bincount(codes.reshape(-1), (weight * values).reshape(-1), minlength=number)
    means = np.divide(sums, every, out=np.full(number, np.nan), where=every > 0)
    return np.asarray(means.reshape(shape))


def _crib_points(others: Others, players: int) -> NDArray[np.float32]:
    """Return the probability of each count of the dealer's crib, with exact ranks and random suits."""
    own = others.habits[0]
    hands, points = rank_hands(own.size), crib_ranks(players).astype(np.intp)
    mine, theirs = rank_counts(ranks_discarded(own.size)), rank_counts(PAIRS if players == 2 else TRIPLES)
    # How often the dealer's discards, and the others', are of one suit.
    my_suit, their_suit = np.ones(13), np.full(len(TRIPLES), 1 / 16)
    if players == 2:
        my_suit, their_suit = (
            np.divide(pairs[:, 1], pairs.sum(axis=1), out=np.zeros(91), where=pairs.sum(axis=1) > 0)
            for pairs in others.suited
        )
    is_no_jack = np.arange(13) != JACK
    chances = np.zeros(40)
    row, cells = -1, np.zeros(points.shape[1:])
    for entry in np.argsort(own.hand, kind="stable").tolist():
        if own.hand[entry] != row:
            row = int(own.hand[entry])
            left = 4 - rank_counts(hands.ranks[row : row + 1])[0]
            cells = rank_cells(left, others, players, own_crib=True) * hands.total[row]
        away = own.discarded[entry]
        held = theirs + mine[away]
        nobs = held[:, JACK, None] * is_no_jack / 4
        is_mixed = (held.max(axis=1) == 1)[:, None] & (held == 0)
        flush = my_suit[away] * their_suit[:, None] * is_mixed / 16
        weight = cells * own.share[entry]
        for part, more in ((1 - nobs - flush, 0), (nobs, 1), (flush, 5)):
            place = (points[away] + more).reshape(-1)
            chances += np.bincount(place, (weight * part).reshape(-1), minlength=len(chances))
    return np.asarray(chances[:30] / chances.sum(), dtype=np.float32)
