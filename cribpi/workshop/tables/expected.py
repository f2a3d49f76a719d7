"""What each hand is expected to peg in the play, for discards, and the distribution of those points."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.habits import discard_table
from cribpi.cribbage.analysis.pack import HAND_COUNTS, HANDS, Floats, Places, ways_left
from cribpi.cribbage.analysis.pegging.batch import RANKS, deals_from_the_lead
from cribpi.cribbage.analysis.pegging.policy import Policy, policy, table_name
from cribpi.cribbage.analysis.tables import Arrays, Tell, load
from cribpi.cribbage.rules.rules import STANDARD, Rules, preset
from cribpi.workshop.tables.training import BATCH, SEED, drawn_hands, play_out

PEGGING_DEALS: Final = 600
"""Deals with each hand in each role: 1,000 would give means to about 0.06 of a point."""

MOST_POINTS: Final = 19
"""The last bin of the distribution: this many points or more."""

NEVER: Final = 255
"""The index of the card that reaches points which a seat never reaches."""

PONE, DEALER = 0, 1
"""The sides here, with two players their seats: pone leads.  With four, seats 0 and 2 are pone's side."""

TRIES: Final = 3200
"""Deals drawn with each hand in each seat of four; about a third can be dealt from one pack."""


def pegging_table(tell: Tell) -> Arrays:
    """Make the table for `tables.pegging`: what hands peg with two players, go and last included.

    The shipped policy plays deals with each hand in each role, against hands as often as they are kept.  The
    first axis of `points` and `spread` is the role: dealer, pone.

    Raises:
        TablesError: If the table of kept hands or the policy is missing: make them first.
    """
    load(table_name(2, "all"))  # without it, `policy` would fall back to the plain one
    kept, model = discard_table().kept, policy(STANDARD)
    chance = np.random.default_rng(SEED)
    points = np.zeros((2, len(HANDS), 2))
    step = min(max(BATCH // PEGGING_DEALS, 1), 64)  # so that all hands against these fit in memory
    for role, seat in enumerate((DEALER, PONE)):
        for first in range(0, len(HANDS), step):
            mine = np.arange(first, min(first + step, len(HANDS)))
            pegged = pegged_by(mine, seat, kept[1 - role], model, chance, PEGGING_DEALS)
            points[role, mine, 0] = pegged[:, :, seat].mean(axis=1)
            points[role, mine, 1] = pegged[:, :, 1 - seat].mean(axis=1)
        tell(f"{('dealer', 'pone')[role]}: {PEGGING_DEALS:,} deals with each of {len(HANDS):,} hands")
    return {"points": points.astype(np.float16), **_spread(STANDARD, kept, model, chance, tell)}


def partners_pegging_table(tell: Tell) -> Arrays:
    """Make the table for `tables.pegging` with four players: what hands peg for their side, by seat.

    Raises:
        TablesError: If the table of kept hands or the policy is missing: make them first.
    """
    rules = preset("standard", 4)
    load(table_name(4, "all"))  # as for two players
    kept, model = discard_table(4).kept, policy(rules)
    chance = np.random.default_rng(SEED)
    points = np.zeros((4, len(HANDS), 2))
    for role in range(4):
        seat = (role - 1) % 4  # pone, on the dealer's left, is seat 0
        points[role] = pegged_from(seat, rules, kept, model, chance)
        tell(f"seat {role} from the dealer: {TRIES:,} deals drawn with each of {len(HANDS):,} hands")
    return {"points": points.astype(np.float16), **_spread(rules, kept, model, chance, tell)}


def pegged_from(seat: int, rules: Rules, kept: Floats, model: Policy, chance: np.random.Generator) -> Floats:
    """Return what a hand in *seat* of four pegs for its side and for the other on average: (1820, 2).

    The others' hands are drawn as often as they are kept, and deals that no pack can make are left out.
    """
    sums, number = np.zeros((len(HANDS), 2)), np.zeros(len(HANDS))
    for _ in range(TRIES // 32):
        hands = np.empty((32 * len(HANDS), 4), np.intp)
        likely, gone = np.ones(len(hands)), np.zeros((len(hands), RANKS), np.int64)
        for other in (seat, *(one for one in range(4) if one != seat)):
            prior = kept[int(other % 2 == PONE)]
            mine = np.tile(np.arange(len(HANDS)), 32)
            hands[:, other] = mine if other == seat else chance.choice(len(HANDS), len(hands), p=prior)
            held = HAND_COUNTS[hands[:, other]]
            if other != seat:
                likely *= ways_left(np.maximum(4 - gone, 0), held)
            gone += held
        hands = hands[chance.random(len(hands)) < likely]
        played = deals_from_the_lead(
            rules, HANDS[hands], PONE, starters=_starters(4 - HAND_COUNTS[hands].sum(axis=1), chance)
        )
        whole = played.pegged
        for _ in play_out(played, model):
            pass
        np.add.at(sums, hands[:, seat], whole[:, [seat % 2, 1 - seat % 2]])
        number += np.bincount(hands[:, seat], minlength=len(HANDS))
    return np.asarray(sums / number[:, None])


def _starters(free: NDArray[np.int64], chance: np.random.Generator) -> NDArray[np.uint8]:
    """Draw a starter's rank from the cards *free* of each rank: shape (deals, 13)."""
    rest = free.cumsum(axis=1)
    starters: NDArray[np.intp] = (rest > chance.integers(0, rest[:, -1:], (len(rest), 1))).argmax(axis=1)
    return starters.astype(np.uint8)


def _spread(rules: Rules, kept: Floats, model: Policy, chance: np.random.Generator, tell: Tell) -> Arrays:
    spread, first_there = spread_of(rules, kept, model, chance, PEGGING_DEALS * 200)
    dealer, pone = (spread[0].sum(axis=axis) @ np.arange(MOST_POINTS + 1) for axis in (1, 0))
    tell(f"dealer {dealer / spread[0].sum():.3f}, pone {pone / spread[0].sum():.3f}")
    return {"spread": spread.astype(np.int32), "first": first_there.astype(np.int32)}


def pegged_by(
    mine: Places, seat: int, prior: Floats, policy: Policy, chance: np.random.Generator, deals: int
) -> NDArray[np.int16]:
    """Return what both seats peg in *deals* with each hand of *mine* in *seat*: shape (hands, deals, 2)."""
    free = 4 - HAND_COUNTS[mine]
    likely = prior * ways_left(free[:, None, :], HAND_COUNTS)
    sums = likely.cumsum(axis=1)
    theirs = np.stack([row.searchsorted(chance.random(deals) * row[-1], side="right") for row in sums])
    theirs = theirs.clip(max=len(HANDS) - 1)
    rest = (free[:, None, :] - HAND_COUNTS[theirs]).astype(np.int64).cumsum(axis=2)
    starters = (rest > chance.integers(0, rest[:, :, -1:], (*theirs.shape, 1))).argmax(axis=2)
    cards = np.empty((len(mine), deals, 2, 4), np.uint8)
    cards[:, :, seat] = HANDS[mine][:, None]
    cards[:, :, 1 - seat] = HANDS[theirs]
    played = deals_from_the_lead(
        STANDARD, cards.reshape(-1, 2, 4), PONE, starters=starters.reshape(-1).astype(np.uint8)
    )
    whole = played.pegged
    for _ in play_out(played, policy):
        pass
    return whole.reshape(len(mine), deals, 2)


def spread_of(
    rules: Rules, kept: Floats, policy: Policy, chance: np.random.Generator, deals: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count *deals* by the points of both, and by who reaches them first: see `tables.Pegged`."""
    size = MOST_POINTS + 1
    counts, first_there = np.zeros((size, size), np.int64), np.zeros((size, size), np.int64)
    for first in range(0, deals, BATCH):
        hands, starters = drawn_hands(kept, chance, min(BATCH, deals - first), rules.players)
        played = deals_from_the_lead(rules, HANDS[hands], PONE, starters=starters)
        whole = played.pegged
        there = np.full((*whole.shape, size), NEVER, np.uint8)
        there[:, :, 0] = 0
        for number, at in enumerate(play_out(played, policy), 1):
            has = whole[at][:, :, None] >= np.arange(size)
            there[at] = np.minimum(there[at], np.where(has, number, NEVER))
        capped = np.minimum(whole, MOST_POINTS)
        np.add.at(counts, (capped[:, DEALER], capped[:, PONE]), 1)
        for points in range(size):
            first_there[points] += (there[:, DEALER, points, None] < there[:, PONE]).sum(axis=0)
    return np.stack([counts, counts.T]), first_there
