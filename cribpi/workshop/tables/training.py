"""Self-play: deals drawn and played by a policy against itself, and what it learns from them."""

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
from cribpi.cribbage.analysis.pegging.policy import CELLS, SCALE, WORTHLESS, Policy, Values, plain_policy
from cribpi.cribbage.analysis.tables import Arrays, Tell
from cribpi.cribbage.rules.rules import Rules, preset

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
        rest = np.maximum(4 - gone, 0).cumsum(axis=1)
        starter = (rest > chance.integers(0, np.maximum(rest[:, -1:], 1), (size, 1))).argmax(axis=1)
        good = chance.random(size) < likely
        hands.append(drawn[good])
        starters.append(starter[good].astype(np.uint8))
        have += int(good.sum())
    return np.concatenate(hands)[:number], np.concatenate(starters)[:number]


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
