"""The discard tables as shipped: the equilibria, and the hands and cribs they lead to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.crib import JACK, PAIRS, TRIPLES, crib_ranks, rank_cells
from cribpi.cribbage.analysis.discard.habits import Others, crib_worth, rank_hands, ranks_discarded
from cribpi.cribbage.analysis.pack import Floats, Places, held_of
from cribpi.cribbage.analysis.shows import RANK_PAIRS
from cribpi.cribbage.analysis.tables import Arrays, Tell
from cribpi.cribbage.game.cards import SYMBOLS
from cribpi.cribbage.rules import seats
from cribpi.workshop.tables.canonical import hand_counts
from cribpi.workshop.tables.equilibrium import NAMES, all_hands, best_choice, fixed_point, mean_cribs


def made_discard_table(players: int, tell: Tell) -> Arrays:
    """Make the table of *players* for `tables.DiscardTable`, in counts of all hands."""
    hands = all_hands(seats.cards_dealt(players))
    strategies = fixed_point(hands, players, tell)
    others = hands.others(strategies)
    cards, weight = hands.canonical_hands
    codes, shape = hands.codes(), strategies[0].discarded.shape
    arrays: dict[str, NDArray[Any]] = {}
    counts, means, discarded_means = [], [], []
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
    arrays["thrown"] = np.stack([np.rint(one.discarded) for one in strategies]).astype(np.int32)
    arrays["cribs"] = np.nan_to_num(np.stack(means)).astype(np.float32)
    arrays["thrown_cribs"] = np.stack(discarded_means).astype(np.float32)
    arrays["hand_points"] = np.stack(counts).astype(np.int32)
    arrays["crib_points"] = _crib_points(others, players)
    return arrays


def _describe_pairs(suited: Floats, means: Floats) -> str:
    """Describe the mean crib of the pairs that others have published."""
    words = []
    for low, high in ((5, 5), (2, 3), (7, 8), (10, 13)):
        pair = RANK_PAIRS.index((low - 1, high - 1))
        mean = np.average(np.nan_to_num(means[pair]), weights=suited[pair])
        words.append(f"{SYMBOLS[low]}-{SYMBOLS[high]} {mean:.2f}")
    return ", ".join(words)


def _mean_by(codes: Places, weight: NDArray[np.int64], values: Floats, shape: tuple[int, ...]) -> Floats:
    """Return the weighted mean of *values* for each code; NaN for codes that do not occur."""
    number = int(np.prod(shape))
    every = np.bincount(codes.reshape(-1), weight.reshape(-1), minlength=number)
    sums = np.bincount(codes.reshape(-1), (weight * values).reshape(-1), minlength=number)
    means = np.divide(sums, every, out=np.full(number, np.nan), where=every > 0)
    return np.asarray(means.reshape(shape))


def _crib_points(others: Others, players: int) -> NDArray[np.float32]:
    """Return the probability of each count of the dealer's crib: ranks exactly, suits as random."""
    own = others.habits[0]
    hands, points = rank_hands(own.size), crib_ranks(players).astype(np.intp)
    mine, theirs = held_of(ranks_discarded(own.size)), held_of(PAIRS if players == 2 else TRIPLES)
    # How often cards of one suit lie together, in mine and in theirs.
    my_suit, their_suit = np.ones(13), np.full(len(TRIPLES), 1 / 16)
    if players == 2:
        my_suit, their_suit = (
            np.divide(one[:, 1], one.sum(axis=1), out=np.zeros(91), where=one.sum(axis=1) > 0)
            for one in others.suited
        )
    is_no_jack = np.arange(13) != JACK
    chances = np.zeros(40)
    row, cells = -1, np.zeros(points.shape[1:])
    for entry in np.argsort(own.hand, kind="stable").tolist():
        if own.hand[entry] != row:
            row = int(own.hand[entry])
            left = 4 - held_of(hands.ranks[row : row + 1])[0]
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
