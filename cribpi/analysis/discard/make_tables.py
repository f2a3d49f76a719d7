"""The discard tables as shipped: the equilibria, and the hands and cribs they lead to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard import equilibrium, equilibrium_of_singles
from cribpi.analysis.discard.crib_of_singles import FROM_PACK, OTHERS, OWN, TRIPLES, crib_cells, crib_ranks
from cribpi.analysis.discard.habits import DiscardHabits, crib_worth
from cribpi.analysis.discard.hand_averages import hand_counts
from cribpi.analysis.discard.rank_hands import Floats, held_of, rank_hands
from cribpi.analysis.shows import RANK_PAIRS, rank_points
from cribpi.core.cards import SYMBOLS

Arrays = Mapping[str, NDArray[Any]]
Tell = Callable[[str], None]

_JACK = 10


def pair_discard_table(tell: Tell) -> Arrays:
    """Make the table of two players for `tables.DiscardTable`, in counts of the 20,358,520 hands."""
    six = equilibrium.six_cards()
    roles = equilibrium.fixed_point(six, tell=tell)
    arrays: dict[str, NDArray[Any]] = {}
    codes, weight = equilibrium.pair_codes(six), six.canonical_hands.weight
    hands, means, discarded_means = [], [], []
    for role, name in enumerate(equilibrium.ROLES):
        other = roles[1 - role]
        cribs = equilibrium.mean_cribs(six, other.habits(), other.suited, four_flush=False)
        choice = equilibrium.best_choice(six, cribs, equilibrium.SIGNS[role])
        arrays.update(_entries(role, roles[role].entries, six.pair))
        hands.append(hand_counts(six.canonical_hands.cards, weight, equilibrium.WAYS, choice.way))
        means.append(_mean_by(codes, np.broadcast_to(weight[:, None], codes.shape), cribs, 182))
        rows = np.arange(len(weight)), choice.way
        discarded_means.append(_mean_by(codes[rows], weight, cribs[rows], 182))
        tell(f"{name}: mean hand {choice.hand:.4f}, mean crib {choice.crib:.4f}")
        tell(
            f"{name}, the crib where a pair is discarded: "
            f"{_describe_pairs(roles[role].suited, discarded_means[role])}"
        )
    arrays["thrown"] = np.stack([np.rint(role.suited) for role in roles]).astype(np.int32)
    arrays["cribs"] = np.nan_to_num(np.stack(means)).reshape(2, 91, 2).astype(np.float32)
    arrays["thrown_cribs"] = np.stack(discarded_means).reshape(2, 91, 2).astype(np.float32)
    arrays["hand_points"] = np.stack(hands).astype(np.int32)
    arrays["crib_points"] = _pair_crib_points(roles[0].habits(), roles[1].habits(), [r.suited for r in roles])
    return arrays


def single_discard_table(players: int, tell: Tell) -> Arrays:
    """Make the table of three or four *players* for `tables.DiscardTable`, in counts of 2,598,960 hands."""
    five = equilibrium_of_singles.five_cards()
    entries = equilibrium_of_singles.fixed_point(five, players, tell=tell)
    habits = (equilibrium_of_singles.habits_in(entries[0]), equilibrium_of_singles.habits_in(entries[1]))
    ranks = five.canonical_hands.cards.astype(np.intp) // 4
    weight = five.canonical_hands.weight
    arrays: dict[str, NDArray[Any]] = {}
    hands, means, discarded_means = [], [], []
    for relation, name in enumerate(equilibrium_of_singles.RELATIONS):
        cribs = equilibrium_of_singles.mean_cribs(five, habits, players, relation, four_flush=False)
        choice = equilibrium_of_singles.best_choice(
            five, cribs, crib_worth(players, own_crib=relation == OWN)
        )
        arrays.update(_entries(relation, entries[relation], rank_hands(5).ranks.astype(np.intp)))
        hands.append(hand_counts(five.canonical_hands.cards, weight, equilibrium_of_singles.WAYS, choice.way))
        means.append(_mean_by(ranks, np.broadcast_to(weight[:, None], ranks.shape), cribs, 13))
        rows = np.arange(len(weight)), choice.way
        discarded_means.append(_mean_by(ranks[rows], weight, cribs[rows], 13))
        tell(f"{name}: mean hand {choice.hand:.4f}, mean crib {choice.crib:.4f}")
    discarded = [
        np.bincount(rank_hands(5).ranks.reshape(-1), each.reshape(-1), minlength=13) for each in entries
    ]
    arrays["thrown"] = np.rint(np.stack(discarded)).astype(np.int32)
    arrays["cribs"] = np.stack(means).astype(np.float32)
    arrays["thrown_cribs"] = np.stack(discarded_means).astype(np.float32)
    arrays["hand_points"] = np.stack(hands).astype(np.int32)
    arrays["crib_points"] = _single_crib_points(habits, players)
    return arrays


def entries_as_shipped(role: int, hand: NDArray[np.intp], away: NDArray[np.intp], times: Floats) -> Arrays:
    """Pack the entries of a *role*, sorted by hand: multiset, discard, and how many hands make it.

    `discard.tables.entries_of` is the inverse.  Multisets are stored as differences, which fit a byte.
    """
    return {
        f"steps_{role}": np.diff(hand, prepend=0).astype(np.uint8),
        f"throws_{role}": away.astype(np.uint8),
        f"times_{role}": times.astype(np.uint16),
    }


def _entries(role: int, entries: Floats, away: NDArray[np.intp]) -> Arrays:
    times = np.rint(entries)
    hand, way = np.nonzero(times)
    return entries_as_shipped(role, hand, away[hand, way], times[hand, way])


def _describe_pairs(suited: Floats, means: Floats) -> str:
    """Describe the mean crib of the pairs that others have published."""
    words = []
    for low, high in ((5, 5), (2, 3), (7, 8), (10, 13)):
        place = RANK_PAIRS.index((low - 1, high - 1))
        mean = np.average(np.nan_to_num(means[2 * place : 2 * place + 2]), weights=suited[place])
        words.append(f"{SYMBOLS[low]}-{SYMBOLS[high]} {mean:.2f}")
    return ", ".join(words)


def _mean_by(codes: NDArray[np.intp], weight: NDArray[np.int64], values: Floats, number: int) -> Floats:
    """Return the weighted mean of *values* for each code below *number*; NaN for codes that do not occur."""
    every = np.bincount(codes.reshape(-1), weight.reshape(-1), minlength=number)
    sums = np.bincount(codes.reshape(-1), (weight * values).reshape(-1), minlength=number)
    return np.asarray(np.divide(sums, every, out=np.full(number, np.nan), where=every > 0))


def _pair_crib_points(
    dealer: DiscardHabits, pone: DiscardHabits, suited: list[Floats]
) -> NDArray[np.float32]:
    """Return the probability of each count of the dealer's crib: ranks exactly, suits as random."""
    held = held_of(np.array(RANK_PAIRS))
    left = 4 - held_of(rank_hands(6).ranks)
    total = rank_hands(6).total
    of_one = [
        np.divide(one[:, 1], one.sum(axis=1), out=np.zeros(91), where=one.sum(axis=1) > 0) for one in suited
    ]
    jacks = held[:, _JACK, None] * (np.arange(13) != _JACK)
    chances = np.zeros(40)
    order = np.argsort(dealer.hand, kind="stable")
    row, cells = -1, np.zeros((91, 13))
    for entry in order.tolist():
        if dealer.hand[entry] != row:
            row = int(dealer.hand[entry])
            cells = pone.weights(left[row])
            cells *= total[row] / cells.sum()
        mine = dealer.discarded[entry]
        nobs = (jacks + jacks[mine]) / 4
        is_mixed = ((held + held[mine]).max(axis=1) == 1)[:, None] & (held + held[mine] == 0)
        flush = of_one[0][mine] * of_one[1][:, None] * is_mixed / 16
        _add(chances, rank_points()[mine], cells * dealer.share[entry], nobs, flush)
    return np.asarray(chances[:30] / chances.sum(), dtype=np.float32)


def _single_crib_points(habits: tuple[DiscardHabits, DiscardHabits], players: int) -> NDArray[np.float32]:
    """Return the probability of each count of a crib of single cards, as the dealer sees it."""
    others = [None if whose == FROM_PACK else habits[whose] for whose in OTHERS[players][OWN]]
    left = 4 - held_of(rank_hands(5).ranks)
    total = rank_hands(5).total
    held = held_of(TRIPLES)
    jacks = held[:, _JACK, None] * (np.arange(13) != _JACK)
    chances = np.zeros(40)
    own = habits[OWN]
    cells = [crib_cells(row, others) * times for row, times in zip(left, total, strict=True)]
    for hand, rank, share in zip(own.hand.tolist(), own.discarded.tolist(), own.share.tolist(), strict=True):
        nobs = (jacks + (rank == _JACK) * (np.arange(13) != _JACK)) / 4
        mine = held + (np.arange(13) == rank)
        flush = (mine.max(axis=1) == 1)[:, None] * (mine == 0) / 256
        _add(chances, crib_ranks()[rank], cells[hand] * share, nobs, flush)
    return np.asarray(chances[:30] / chances.sum(), dtype=np.float32)


def _add(chances: Floats, points: NDArray[np.uint8], weight: Floats, nobs: Floats, flush: Floats) -> None:
    """Add the *weight* of each cell to *chances*; shares *nobs* and *flush* of it count 1 and 5 more."""
    place = points.reshape(-1).astype(np.intp)
    for part, more in ((1 - nobs - flush, 0), (nobs, 1), (flush, 5)):
        chances += np.bincount(place + more, (weight * part).reshape(-1), minlength=len(chances))
