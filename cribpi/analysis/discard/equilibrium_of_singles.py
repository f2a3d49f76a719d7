"""What three or four players discard at equilibrium: each plays the best reply to the others.

As `equilibrium`, for five cards of which one is discarded.  The choice depends on whether the crib belongs to
the player's own side, so there are two strategies, each updated in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard.canonical import CanonicalHands, canonical_hands
from cribpi.analysis.discard.crib_of_singles import FROM_PACK, OTHERS, OWN, TRIPLES, crib_cells, crib_ranks
from cribpi.analysis.discard.equilibrium import Choice, share_of_turn
from cribpi.analysis.discard.habits import DiscardHabits, crib_worth, habits_of
from cribpi.analysis.discard.hand_averages import hand_means
from cribpi.analysis.discard.rank_hands import Floats, Places, held_of, rank_hands

WAYS: Final = tuple((place,) for place in range(5))
"""Which of five sorted cards goes to the crib."""

HANDS: Final = 2_598_960
"""The number of hands of five cards."""

RELATIONS: Final = ("own crib", "other crib")
TURNS: Final = 16
"""Iterations of the search, half of them the own crib's."""

_UNSEEN: Final = 47
_JACK: Final = 10
_ALIKE: Final = 1e-9


class FiveCards(NamedTuple):
    """Hands of five, and what does not depend on the others' discards.

    Of all canonical hands n is 134,459, and m is 6,175.
    """

    canonical_hands: CanonicalHands
    hands: Floats
    """The mean of the four cards kept over 47 starters, for each way: (n, 5)."""
    group: Places
    """The multiset of ranks of each hand, for all hands a row of `rank_hands(5)`: (n,), ascending."""
    ranks: NDArray[np.uint8]
    """The ranks of each multiset, 0 to 12, ascending: (m, 5)."""
    suits: dict[bool, Floats]
    """The approximate value of my card's flush and nobs in the crib, by whether four make a flush: (n, 5)."""


@cache
def five_cards() -> FiveCards:
    """Return all hands of five cards, enumerated once."""
    return prepared(canonical_hands(5))


def prepared(hands: CanonicalHands) -> FiveCards:
    """Return *hands*, sorted by rank, with what does not depend on the others' discards."""
    ranks = hands.cards // 4
    is_new = np.concatenate(([True], (ranks[1:] != ranks[:-1]).any(axis=1)))
    suits = {four: _suit_means(hands.cards, four=4 * four) for four in (False, True)}
    return FiveCards(hands, hand_means(hands.cards, WAYS), np.cumsum(is_new) - 1, ranks[is_new], suits)


def habits_in(entries: Floats) -> DiscardHabits:
    """Return the discard habits in *entries*, as in `Choice.entries`."""
    hands = rank_hands(5)
    hand, way = np.nonzero(entries)
    return habits_of(5, hand, hands.ranks[hand, way].astype(np.intp), entries[hand, way] / hands.total[hand])


def mean_cribs(
    five: FiveCards,
    habits: tuple[DiscardHabits, DiscardHabits],
    players: int,
    relation: int,
    *,
    four_flush: bool,
) -> Floats:
    """Return the mean crib for each hand and way, (n, 5); *habits* are the habits for own and other cribs."""
    others = [None if whose == FROM_PACK else habits[whose] for whose in OTHERS[players][relation]]
    # Another's jack is nobs if the starter, not a jack itself, has its suit: about one time in four.
    nobs = held_of(TRIPLES)[:, _JACK, None] * (np.arange(13) != _JACK) / 4
    points = (crib_ranks() + nobs).reshape(13, -1)
    means = np.empty((len(five.ranks), len(WAYS)))
    for row, (left, ranks) in enumerate(zip(4 - held_of(five.ranks), five.ranks, strict=True)):
        means[row] = (points @ crib_cells(left, others).reshape(-1))[ranks]
    return np.asarray(means[five.group] + five.suits[four_flush])


def best_choice(five: FiveCards, cribs: Floats, crib_worth: float) -> Choice:
    """Return the best choice when the crib is worth *cribs*, mean points, times *crib_worth*."""
    worth = five.hands + crib_worth * cribs
    way = np.argmax(worth > worth.max(axis=1, keepdims=True) - _ALIKE, axis=1)
    rows = np.arange(len(way))
    weight = five.canonical_hands.weight
    ranks = five.ranks
    first = (ranks[:, :, None] == ranks[:, None, :]).argmax(axis=2)
    entries = np.bincount(five.group * 5 + first[five.group, way], weight, minlength=ranks.size)
    return Choice(
        way,
        np.asarray(entries, dtype=np.float64).reshape(ranks.shape),
        np.asarray(np.bincount(ranks.reshape(-1), entries, minlength=13), dtype=np.float64),
        float(np.average(five.hands[rows, way], weights=weight)),
        float(np.average(cribs[rows, way], weights=weight)),
    )


def fixed_point(
    five: FiveCards,
    players: int,
    *,
    four_flush: bool = False,
    turns: int = TURNS,
    tell: Callable[[str], None] = print,
) -> tuple[Floats, Floats]:
    """Return the entries of both strategies at equilibrium, own crib first.

    The search is that of `equilibrium.fixed_point`.
    """
    alone = best_choice(five, np.zeros_like(five.hands), 0)
    entries = [alone.entries] * 2
    before = [alone.way] * 2
    for turn in range(turns):
        relation = turn % 2
        habits = (habits_in(entries[0]), habits_in(entries[1]))
        cribs = mean_cribs(five, habits, players, relation, four_flush=four_flush)
        sign = crib_worth(players, own_crib=relation == OWN)
        choice = best_choice(five, cribs, sign)
        entries[relation] = entries[relation] + share_of_turn(turn) * (choice.entries - entries[relation])
        worth = five.hands + sign * cribs
        summary = choice.summary(worth, before[relation], five.canonical_hands.weight)
        tell(f"turn {turn + 1} of {turns}, {RELATIONS[relation]}: {summary}")
        before[relation] = choice.way
    return entries[0], entries[1]


def _suit_means(cards: NDArray[np.uint8], *, four: int) -> Floats:
    """Return the approximate value of my card's flush and nobs in the crib: (n, 5).

    The suits of the others' cards are taken as random.
    """
    suits = cards % 4
    number = 13 - (suits[:, :, None] == suits[:, None, :]).sum(axis=2)
    means = number / _UNSEEN * (cards // 4 == _JACK)
    flush = np.array([comb(n, 4) * 5 + comb(n, 3) * (_UNSEEN - n) * four / 4 for n in range(13)]) / comb(
        _UNSEEN, 4
    )
    return np.asarray(means + flush[number])
