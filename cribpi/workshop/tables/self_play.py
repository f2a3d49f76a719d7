"""Self-play: trains the pegging policy, and computes the points that each hand pegs."""

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
"""Seed of all random deals, so that the tables are reproducible."""

ROUNDS: Final = {"2-all": (5, 400_000), "2-one": (2, 200_000), "3-all": (3, 600_000), "4-all": (3, 600_000)}
"""Rounds of self-play and deals in each, by players and counts per deal."""

_SHRINKAGE: Final = 40.0
"""Number of cards seen at a place that weigh as much as the mean of similar places."""

PLACES: Final = CELLS * 32 * 2
"""The size of `Policy.later`, flattened."""

BATCH: Final = 50_000
"""Deals played at once: larger batches take more memory and no less time."""


def drawn_hands(
    kept_hands: Floats, chance: np.random.Generator, number: int, players: int = 2
) -> tuple[Places, NDArray[np.uint8]]:
    """Draw *number* deals from one pack: the hand of each seat (the dealer is the last), and the starter.

    Args:
        kept_hands: Frequency with which the dealer (row 0) and the others (row 1) keep each of `HANDS`: shape
            (2, 1820).
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
            [
                chance.choice(len(HANDS), size, p=kept_hands[int(seat < players - 1)])
                for seat in range(players)
            ],
            axis=1,
        )
        used = np.zeros((size, RANKS), np.int64)
        likely = np.ones(size)
        for seat in range(players):  # weighted by the number of ways to make these hands from one pack
            more = HAND_COUNTS[drawn[:, seat]]
            likely *= ways_left(np.maximum(4 - used, 0), more)
            used += more
        starter = drawn_starters(np.maximum(4 - used, 0), chance)
        good = chance.random(size) < likely
        hands.append(drawn[good])
        starters.append(starter[good])
        have += int(good.sum())
    return np.concatenate(hands)[:number], np.concatenate(starters)[:number]


def drawn_starters(free: NDArray[np.int64], chance: np.random.Generator) -> NDArray[np.uint8]:
    """Draw the ranks of starters; *free* has the number of cards of each rank in its last axis, 13 long."""
    rest = free.cumsum(axis=-1)
    # A deal without a free card is impossible, and the caller rejects it.
    drawn = chance.integers(0, np.maximum(rest[..., -1:], 1), (*rest.shape[:-1], 1))
    starters: NDArray[np.intp] = (rest > drawn).argmax(axis=-1)
    return starters.astype(np.uint8)


def play_out(deals: Deals, policy: Policy) -> Iterator[Places]:
    """Play all *deals* to the end; after each card, update `pegged` and yield the rows that played it."""
    active = np.arange(len(deals))
    whole = deals.pegged
    while len(deals):
        deals.play(policy.values(deals).argmax(axis=1))
        whole[active] = deals.pegged
        yield active
        on = np.flatnonzero(deals.turn >= 0)
        if len(on) < len(active):
            deals, active = deals.take(on), active[on]


def lessons(
    rules: Rules, kept_hands: Floats, policy: Policy, chance: np.random.Generator, number: int
) -> Floats:
    """Play *number* deals, each with one random card somewhere, and collect the outcomes.

    Returns:
        For each place in `Policy.later`: the number of cards seen there, and the sums of the outcome (the
        margin from that card on, without its own points), of the expected reply, of their product, and of the
        square of the reply: shape (5, places).
    """
    players = rules.players
    hands, starters = drawn_hands(kept_hands, chance, number, players)
    deals = deals_from_the_lead(rules, HANDS[hands], 0, starters=starters)
    odd = chance.integers(0, 4 * players - 1, number)
    active, whole = np.arange(number), deals.pegged
    turn, cards_seen = 0, []
    while len(deals):
        values, reply, place = policy.parts(deals)
        rows = np.arange(len(active))
        wild = np.where(values > WORTHLESS, chance.random(values.shape), -1).argmax(axis=1)
        slots = np.where(odd[active] == turn, wild, values.argmax(axis=1))
        learns = np.flatnonzero(odd[active] <= turn)
        side = deals.turn % whole.shape[1]
        before = margins(deals.pegged, side) + deals.points(deals.hold())[rows, slots]
        chosen = place[rows, slots], reply[rows, slots], active, side, before
        cards_seen.append([part[learns] for part in chosen])
        deals.play(slots)
        whole[active] = deals.pegged
        on = np.flatnonzero(deals.turn >= 0)
        deals, active = deals.take(on), active[on]
        turn += 1
    places, replies, row, side, before = (np.concatenate(part) for part in zip(*cards_seen, strict=True))
    after = margins(whole[row], side) - before
    sums = (np.ones_like(after), after, replies, after * replies, replies * replies)
    return np.stack([np.bincount(places, weights=part, minlength=PLACES) for part in sums])


def margins(pegged: NDArray[np.int16], side: NDArray[np.int8]) -> Values:
    """Return the points that *side* has pegged above the others' average."""
    mine = pegged[np.arange(len(pegged)), side].astype(np.float32)
    margin: Values = mine - (pegged.sum(axis=1, dtype=np.float32) - mine) / (pegged.shape[1] - 1)
    return margin


def learnt(policy: Policy, sums: Floats) -> Policy:
    """Return *policy* updated from *sums*; rarely seen places shrink towards the mean of similar ones."""
    number, after, reply, product, square = sums
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
    # First by the cards left and who has more, then also by the count, then each place on its own.
    for axes in ((1, 2), (1,), ()):
        rest = total - number * later
        later = later + rest.sum(axis=axes, keepdims=True) / (
            number.sum(axis=axes, keepdims=True) + _SHRINKAGE
        )
    return np.asarray(later)


def learnt_policy(
    rules: Rules, kept_hands: Floats, *, seed: int, deals: int, rounds: int, tell: Tell = str
) -> Policy:
    """Return the policy learnt in *rounds* of self-play with *deals* each.

    A round also learns from the deals of the round before, in which the policy was nearly the same.
    """
    chance = np.random.default_rng(seed)
    held = (kept_hands.mean(axis=0) @ HAND_COUNTS) * RANKS / 4
    policy = replace(plain_policy(), held=held.astype(np.float32))
    before = np.zeros((5, PLACES))
    for number in range(rounds):
        now = np.zeros_like(before)
        for done in range(0, deals, BATCH):
            now += lessons(rules, kept_hands, policy, chance, min(BATCH, deals - done))
        policy = learnt(policy, now + before)
        before = now if number else before
        tell(f"round {number + 1} of {rounds}: {deals:,} deals, danger {policy.danger:.3f}")
    return policy


def playing_table(players: int, play_rounds: str, tell: Tell) -> Arrays:
    """Train the policy for *players* with *play_rounds* counts per deal (`all`, `one`), for `tables.policy`.

    Raises:
        TablesError: If the `laying-away` table, which has the kept hands, is missing.
    """
    rules = preset("standard" if play_rounds == "all" else "use-and-care", players)
    rounds, deals = ROUNDS[f"{players}-{play_rounds}"]
    kept_hands = discard_table(players).kept
    trained = learnt_policy(rules, kept_hands, seed=SEED, deals=deals, rounds=rounds, tell=tell)
    return {
        "danger": np.array([trained.danger], np.float32),
        "held": trained.held,
        "later": np.clip(np.rint(trained.later * SCALE), -128, 127).astype(np.int8),
    }


# --- the points that each hand pegs ------------------------------------------------------------------


PEGGING_DEALS: Final = 600
"""Deals with each hand in each role: 1,000 would give means to about 0.06 of a point."""

MOST_POINTS: Final = 19
"""The last bin of the distribution: this many points or more."""

NEVER: Final = 255
"""Stands for the index of a card, if a seat never reaches the points."""

PONE, DEALER = 0, 1
"""Indices of the sides; with two players, also of the seats.  With four, pone's side has seats 0 and 2."""

TRIES: Final = 3200
"""Deals drawn with each hand in each seat of four; about a third can be dealt from one pack."""


def pegging_table(players: int, tell: Tell) -> Arrays:
    """Make the table for `tables.pegging` of two or four *players*: points pegged, including go and last.

    The shipped policy plays deals with each hand, against other hands in proportion to how often they are
    kept.  The first axis of `points` is the role with two players (dealer, pone), or the seat from the dealer
    on with four; that of `spread` is the side (dealer's, pone's).

    Raises:
        TablesError: If the table of kept hands or the policy is missing.
    """
    rules = preset("standard", players)
    load(table_name(players, "all"))  # raises, where `policy` would fall back to the plain one
    kept_hands, model = discard_table(players).kept, policy(rules)
    chance = np.random.default_rng(SEED)
    points = np.zeros((players, len(HANDS), 2))
    for role in range(players):
        seat = (role - 1) % players  # pone, on the dealer's left, is seat 0
        if players == 2:
            points[role] = _pegged_by_two(seat, kept_hands[1 - role], model, chance)
            tell(f"{('dealer', 'pone')[role]}: {PEGGING_DEALS:,} deals with each of {len(HANDS):,} hands")
        else:
            points[role] = pegged_from(seat, rules, kept_hands, model, chance)
            tell(f"seat {role} from the dealer: {TRIES:,} deals drawn with each of {len(HANDS):,} hands")
    spread, first_there = spread_of(rules, kept_hands, model, chance, PEGGING_DEALS * 200)
    dealer, pone = (spread[0].sum(axis=axis) @ np.arange(MOST_POINTS + 1) for axis in (1, 0))
    tell(f"dealer {dealer / spread[0].sum():.3f}, pone {pone / spread[0].sum():.3f}")
    return {
        "points": points.astype(np.float16),
        "spread": spread.astype(np.int32),
        "first": first_there.astype(np.int32),
    }


def _pegged_by_two(seat: int, prior: Floats, model: Policy, chance: np.random.Generator) -> Floats:
    """Return the mean points of each hand in *seat* of two, and those of the other player: (1820, 2)."""
    step = min(max(BATCH // PEGGING_DEALS, 1), 64)  # limits the memory for all hands against these
    pegged = [
        pegged_by(hands, seat, prior, model, chance, PEGGING_DEALS).mean(axis=1)
        for hands in np.split(np.arange(len(HANDS)), range(step, len(HANDS), step))
    ]
    return np.concatenate(pegged)[:, [seat, 1 - seat]]


def pegged_from(
    seat: int, rules: Rules, kept_hands: Floats, model: Policy, chance: np.random.Generator
) -> Floats:
    """Return the mean points of each hand in *seat* of four for its side, and the other side's: (1820, 2).

    The others' hands are drawn as often as they are kept; impossible deals are left out.
    """
    sums, number = np.zeros((len(HANDS), 2)), np.zeros(len(HANDS))
    for _ in range(TRIES // 32):
        hands = np.empty((32 * len(HANDS), 4), np.intp)
        likely, used = np.ones(len(hands)), np.zeros((len(hands), RANKS), np.int64)
        for other in (seat, *(rest for rest in range(4) if rest != seat)):
            prior = kept_hands[int(other % 2 == PONE)]
            mine = np.tile(np.arange(len(HANDS)), 32)
            hands[:, other] = mine if other == seat else chance.choice(len(HANDS), len(hands), p=prior)
            held = HAND_COUNTS[hands[:, other]]
            if other != seat:
                likely *= ways_left(np.maximum(4 - used, 0), held)
            used += held
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
    hands: Places, seat: int, prior: Floats, policy: Policy, chance: np.random.Generator, deals: int
) -> NDArray[np.int16]:
    """Return both seats' points in *deals* with each of *hands* in *seat*: shape (hands, deals, 2)."""
    free = 4 - HAND_COUNTS[hands]
    likely = prior * ways_left(free[:, None, :], HAND_COUNTS)
    sums = likely.cumsum(axis=1)
    others = np.stack([row.searchsorted(chance.random(deals) * row[-1], side="right") for row in sums])
    others = others.clip(max=len(HANDS) - 1)
    starters = drawn_starters((free[:, None, :] - HAND_COUNTS[others]).astype(np.int64), chance)
    cards = np.empty((len(hands), deals, 2, 4), np.uint8)
    cards[:, :, seat] = HANDS[hands][:, None]
    cards[:, :, 1 - seat] = HANDS[others]
    played = deals_from_the_lead(STANDARD, cards.reshape(-1, 2, 4), PONE, starters=starters.reshape(-1))
    whole = played.pegged
    for _ in play_out(played, policy):
        pass
    return whole.reshape(len(hands), deals, 2)


def spread_of(
    rules: Rules, kept_hands: Floats, policy: Policy, chance: np.random.Generator, deals: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count *deals* by both sides' points, and by which side reaches points first: see `tables.Pegged`."""
    size = MOST_POINTS + 1
    counts, first_there = np.zeros((size, size), np.int64), np.zeros((size, size), np.int64)
    for first in range(0, deals, BATCH):
        hands, starters = drawn_hands(kept_hands, chance, min(BATCH, deals - first), rules.players)
        played = deals_from_the_lead(rules, HANDS[hands], PONE, starters=starters)
        whole = played.pegged
        reached = np.full((*whole.shape, size), NEVER, np.uint8)
        reached[:, :, 0] = 0
        for number, active in enumerate(play_out(played, policy), 1):
            has = whole[active][:, :, None] >= np.arange(size)
            reached[active] = np.minimum(reached[active], np.where(has, number, NEVER))
        capped = np.minimum(whole, MOST_POINTS)
        np.add.at(counts, (capped[:, DEALER], capped[:, PONE]), 1)
        for points in range(size):
            first_there[points] += (reached[:, DEALER, points, None] < reached[:, PONE]).sum(axis=0)
    return np.stack([counts, counts.T]), first_there
