"""Self-play: deals played by a policy against itself, what it learns from them, and what each hand pegs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.habits import discard_table
from cribpi.cribbage.analysis.pack import HAND_COUNTS, HANDS, Floats, Places, ways_left
from cribpi.cribbage.analysis.pegging.batch import NONE, RANKS, Deals, deals_from_the_lead
from cribpi.cribbage.analysis.pegging.policy import (
    CELLS,
    SCALE,
    WORTHLESS,
    Policy,
    Values,
    plain_policy,
    policy,
    table_name,
)
from cribpi.cribbage.analysis.tables import Arrays, Tell, load
from cribpi.cribbage.rules.rules import STANDARD, Rules, preset

SEED: Final = 20
"""Seeds all random deals here and in `expected`, so that the same tables are made again."""

ROUNDS: Final = {"2-all": (5, 400_000), "2-one": (2, 200_000), "3-all": (3, 600_000), "4-all": (3, 600_000)}
"""Rounds of self-play and deals in each, by players and counts per deal."""

_SHRINKAGE: Final = 40.0
"""How many cards seen at a place weigh as much as the mean of similar ones."""

PLACES: Final = CELLS * 32 * 2
"""The size of `Policy.later`, flattened."""

BATCH: Final = 50_000
"""Deals played at once: larger batches take more memory and no less time."""


def drawn_hands(
    kept: Floats, chance: np.random.Generator, number: int, players: int = 2
) -> tuple[Places, NDArray[np.uint8]]:
    """Draw *number* deals from one pack: the hand of each seat (the dealer is the last), and the starter.

    Args:
        kept: How often the dealer (row 0) and the others (row 1) keep each of `HANDS`: shape (2, 1820).
        chance: The random generator.
        number: The number of deals.
        players: 2, 3 or 4.

    Returns:
        Indices of `HANDS`, of shape (number, players), and the starters' ranks, of shape (number,).
    """
    hands, starters = [], []
    have = 0
    while have < number:
        size = int((number - have) * 1.6) + 64
        drawn = np.stack(
            [chance.choice(len(HANDS), size, p=kept[int(seat < players - 1)]) for seat in range(players)],
            axis=1,
        )
        gone = np.zeros((size, RANKS), np.int64)
        likely = np.ones(size)
        for seat in range(players):  # weighted by the ways one pack makes these hands
            more = HAND_COUNTS[drawn[:, seat]]
            likely *= ways_left(np.maximum(4 - gone, 0), more)
            gone += more
        starter = drawn_starters(np.maximum(4 - gone, 0), chance)
        good = chance.random(size) < likely
        hands.append(drawn[good])
        starters.append(starter[good])
        have += int(good.sum())
    return np.concatenate(hands)[:number], np.concatenate(starters)[:number]


def drawn_starters(free: NDArray[np.int64], chance: np.random.Generator) -> NDArray[np.uint8]:
    """Draw a starter's rank from the cards that are *free* of each rank, the last axis: 13."""
    rest = free.cumsum(axis=-1)
    # No card is free only in deals that are thrown away.
    drawn = chance.integers(0, np.maximum(rest[..., -1:], 1), (*rest.shape[:-1], 1))
    starters: NDArray[np.intp] = (rest > drawn).argmax(axis=-1)
    return starters.astype(np.uint8)


def play_out(deals: Deals, policy: Policy) -> Iterator[Places]:
    """Play all *deals* to the end; after each card yield the rows that played one, with points up to date."""
    at = np.arange(len(deals))
    whole = deals.pegged
    while len(deals):
        deals.play(policy.values(deals).argmax(axis=1))
        whole[at] = deals.pegged
        yield at
        on = np.flatnonzero(deals.turn >= 0)
        if len(on) < len(at):
            deals, at = deals.take(on), at[on]


def lessons(rules: Rules, kept: Floats, policy: Policy, chance: np.random.Generator, number: int) -> Floats:
    """Play *number* deals, each with one random card somewhere, and collect what followed.

    Returns:
        For each place in `Policy.later`: the number of cards seen there, and the sums of what followed (the
        margin from that card on, without its own points), of the expected reply, of their product, and of the
        square of the reply: shape (5, places).
    """
    players = rules.players
    hands, starters = drawn_hands(kept, chance, number, players)
    deals = deals_from_the_lead(rules, HANDS[hands], 0, starters=starters)
    odd = chance.integers(0, 4 * players - 1, number)
    at, seen, whole = np.arange(number), [], deals.pegged
    turn = 0
    while len(deals):
        values, reply, place = policy.parts(deals)
        rows = np.arange(len(at))
        wild = np.where(values > WORTHLESS, chance.random(values.shape), -1).argmax(axis=1)
        slots = np.where(odd[at] == turn, wild, values.argmax(axis=1))
        learns = np.flatnonzero(odd[at] <= turn)
        side = deals.turn % whole.shape[1]
        before = margins(deals.pegged, side) + deals.points(deals.hold())[rows, slots]
        seen.append(
            (place[rows, slots][learns], reply[rows, slots][learns], at[learns], side[learns], before[learns])
        )
        deals.play(slots)
        whole[at] = deals.pegged
        on = np.flatnonzero(deals.turn >= 0)
        deals, at = deals.take(on), at[on]
        turn += 1
    places, replies, row, side, before = (np.concatenate(part) for part in zip(*seen, strict=True))
    after = margins(whole[row], side) - before
    sums = (np.ones_like(after), after, replies, after * replies, replies * replies)
    return np.stack([np.bincount(places, weights=part, minlength=PLACES) for part in sums])


def margins(pegged: NDArray[np.int16], side: NDArray[np.int8]) -> Values:
    """Return the points that *side* has pegged above the others' average."""
    mine = pegged[np.arange(len(pegged)), side].astype(np.float32)
    margin: Values = mine - (pegged.sum(axis=1, dtype=np.float32) - mine) / (pegged.shape[1] - 1)
    return margin


def learnt(policy: Policy, found: Floats) -> Policy:
    """Return *policy* updated by *found*; places seen rarely shrink towards the mean of similar ones."""
    number, after, reply, product, square = found
    many = np.maximum(number, 1)
    danger = float(-(product - after * reply / many).sum() / (square - reply * reply / many).sum())
    shape = (CELLS // 2, 2, 32, 2)
    later = _pooled(number.reshape(shape), (after + danger * reply).reshape(shape))
    return replace(policy, danger=danger, later=later.reshape(CELLS, 32, 2).astype(np.float32))


def _pooled(number: Floats, total: Floats) -> Floats:
    """Return the mean of each place, shrunk towards the means of four ever finer groupings."""
    rests = combinations_with_replacement(range(NONE + 1), 3)
    left = np.array([sum(rank != NONE for rank in rest) for rest in rests])
    number_left, rest_left = (
        np.stack([p[left == k].sum(axis=(0, 1)) for k in range(4)]) for p in (number, total)
    )
    later = (rest_left / (number_left + _SHRINKAGE))[left][:, None, :, :]  # cards left, count, who has more
    # Which cards are left, and who has more; and the count; and each place by itself.
    for axes in ((1, 2), (1,), ()):
        rest = total - number * later
        later = later + rest.sum(axis=axes, keepdims=True) / (
            number.sum(axis=axes, keepdims=True) + _SHRINKAGE
        )
    return np.asarray(later)


def learnt_policy(
    rules: Rules, kept: Floats, *, seed: int, deals: int, rounds: int, tell: Tell = str
) -> Policy:
    """Return the policy learnt in *rounds* of *deals* each of self-play.

    A round also learns from the deals of the round before, in which the policy was nearly the same.
    """
    chance = np.random.default_rng(seed)
    held = (kept.mean(axis=0) @ HAND_COUNTS) * RANKS / 4
    policy = replace(plain_policy(), held=held.astype(np.float32))
    before = np.zeros((5, PLACES))
    for number in range(rounds):
        now = np.zeros_like(before)
        for done in range(0, deals, BATCH):
            now += lessons(rules, kept, policy, chance, min(BATCH, deals - done))
        policy = learnt(policy, now + before)
        before = now if number else before
        tell(f"round {number + 1} of {rounds}: {deals:,} deals, danger {policy.danger:.3f}")
    return policy


def playing_table(players: int, play_rounds: str, tell: Tell) -> Arrays:
    """Train the policy for *players* with *play_rounds* counts per deal (`all`, `one`), for `tables.policy`.

    Raises:
        TablesError: If the table of kept hands is missing: make `laying-away` first.
    """
    rules = preset("standard" if play_rounds == "all" else "use-and-care", players)
    rounds, deals = ROUNDS[f"{players}-{play_rounds}"]
    found = learnt_policy(
        rules, discard_table(players).kept, seed=SEED, deals=deals, rounds=rounds, tell=tell
    )
    return {
        "danger": np.array([found.danger], np.float32),
        "held": found.held,
        "later": np.clip(np.rint(found.later * SCALE), -128, 127).astype(np.int8),
    }


# --- what each hand pegs -----------------------------------------------------------------------------


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


def pegging_table(players: int, tell: Tell) -> Arrays:
    """Make the table for `tables.pegging` of two or four *players*: what hands peg, go and last included.

    The shipped policy plays deals with each hand, against hands as often as they are kept.  The first axis of
    `points` is the role of two players, dealer or pone, or of four the seat, from the dealer on; that of
    `spread` is the side: dealer's, pone's.

    Raises:
        TablesError: If the table of kept hands or the policy is missing: make them first.
    """
    rules = preset("standard", players)
    load(table_name(players, "all"))  # without it, `policy` would fall back to the plain one
    kept, model = discard_table(players).kept, policy(rules)
    chance = np.random.default_rng(SEED)
    points = np.zeros((players, len(HANDS), 2))
    for role in range(players):
        seat = (role - 1) % players  # pone, on the dealer's left, is seat 0
        if players == 2:
            points[role] = _pegged_by_two(seat, kept[1 - role], model, chance)
            tell(f"{('dealer', 'pone')[role]}: {PEGGING_DEALS:,} deals with each of {len(HANDS):,} hands")
        else:
            points[role] = pegged_from(seat, rules, kept, model, chance)
            tell(f"seat {role} from the dealer: {TRIES:,} deals drawn with each of {len(HANDS):,} hands")
    spread, first_there = spread_of(rules, kept, model, chance, PEGGING_DEALS * 200)
    dealer, pone = (spread[0].sum(axis=axis) @ np.arange(MOST_POINTS + 1) for axis in (1, 0))
    tell(f"dealer {dealer / spread[0].sum():.3f}, pone {pone / spread[0].sum():.3f}")
    return {
        "points": points.astype(np.float16),
        "spread": spread.astype(np.int32),
        "first": first_there.astype(np.int32),
    }


def _pegged_by_two(seat: int, prior: Floats, model: Policy, chance: np.random.Generator) -> Floats:
    """Return what a hand in *seat* of two pegs, and what the other does, on average: (1820, 2)."""
    step = min(max(BATCH // PEGGING_DEALS, 1), 64)  # so that all hands against these fit in memory
    pegged = [
        pegged_by(mine, seat, prior, model, chance, PEGGING_DEALS).mean(axis=1)
        for mine in np.split(np.arange(len(HANDS)), range(step, len(HANDS), step))
    ]
    return np.concatenate(pegged)[:, [seat, 1 - seat]]


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
            rules, HANDS[hands], PONE, starters=drawn_starters(4 - HAND_COUNTS[hands].sum(axis=1), chance)
        )
        whole = played.pegged
        for _ in play_out(played, model):
            pass
        np.add.at(sums, hands[:, seat], whole[:, [seat % 2, 1 - seat % 2]])
        number += np.bincount(hands[:, seat], minlength=len(HANDS))
    return np.asarray(sums / number[:, None])


def pegged_by(
    mine: Places, seat: int, prior: Floats, policy: Policy, chance: np.random.Generator, deals: int
) -> NDArray[np.int16]:
    """Return what both seats peg in *deals* with each hand of *mine* in *seat*: shape (hands, deals, 2)."""
    free = 4 - HAND_COUNTS[mine]
    likely = prior * ways_left(free[:, None, :], HAND_COUNTS)
    sums = likely.cumsum(axis=1)
    theirs = np.stack([row.searchsorted(chance.random(deals) * row[-1], side="right") for row in sums])
    theirs = theirs.clip(max=len(HANDS) - 1)
    starters = drawn_starters((free[:, None, :] - HAND_COUNTS[theirs]).astype(np.int64), chance)
    cards = np.empty((len(mine), deals, 2, 4), np.uint8)
    cards[:, :, seat] = HANDS[mine][:, None]
    cards[:, :, 1 - seat] = HANDS[theirs]
    played = deals_from_the_lead(STANDARD, cards.reshape(-1, 2, 4), PONE, starters=starters.reshape(-1))
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
