"""The play in arrays: the core's play many times at once, a policy, and the best answer to it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import comb, prod
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from support.dealt_plays import at_the_lead
from support.games import ALL_PRESETS, random_house

from cribpi.cribbage.analysis.pack import HANDS
from cribpi.cribbage.analysis.pegging import styles
from cribpi.cribbage.analysis.pegging.batch import (
    BONUSES,
    FITS,
    NONE,
    PIPS_OR_NONE,
    Deals,
    deals_from_the_lead,
    pile_tables,
)
from cribpi.cribbage.analysis.pegging.belief import (
    free_cards,
    hand_weights,
    likely_hands,
    position,
    replayed,
    sample_hands,
    worlds,
)
from cribpi.cribbage.analysis.pegging.policy import CELLS, Policy, kept_hands, pegging, plain_policy, policy
from cribpi.cribbage.analysis.pegging.search import ahead_values, answers, best_values, is_sure
from cribpi.cribbage.analysis.pegging.styles import likelihood
from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.deal import Go, Played
from cribpi.cribbage.game.events import CardPlayed, GoSaid
from cribpi.cribbage.game.play import score_play
from cribpi.cribbage.game.show import total
from cribpi.cribbage.game.sight import SeatSight, sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import STANDARD, Rules, preset
from cribpi.cribbage.rules.seats import Pegs
from cribpi.workshop.tables import self_play
from cribpi.workshop.tables.self_play import (
    DEALER,
    drawn_hands,
    learnt_policy,
    margins,
    pegged_by,
    pegged_from,
    play_out,
    spread_of,
)

RNG = np.random.default_rng(1)
NUMBER = {hand: number for number, hand in enumerate(map(tuple, HANDS.tolist()))}

OF_FOUR = [rules for rules in ALL_PRESETS if not rules.is_five_card]
"""The arrays, and the tables, are for hands of four."""


def a_house(chance: Random) -> Rules:
    return random_house(chance, chance.choice(OF_FOUR))


def ranks_of(cards: tuple[Card, ...] | None) -> list[int]:
    return sorted(card.rank - 1 for card in cards or ())


def some_policy(seed: int = 1) -> Policy:
    """Return a policy that values later cards at random, so that it plays like nothing else."""
    later = np.random.default_rng(seed).normal(0, 0.7, (CELLS, 32, 2)).astype(np.float32)
    return Policy(0.9, np.linspace(0.8, 1.2, 13).astype(np.float32), later)


# --- piles and deals --------------------------------------------------------------------------------


def test_a_node_scores_every_pile_as_the_core_does() -> None:
    chance, pile = Random(3), pile_tables()
    for _ in range(4000):
        top, node, count, cards = chance.choice((7, 9, 13)), 0, 0, list[Card]()
        while True:
            laid = Counter(card.rank - 1 for card in cards)
            fitting = [rank for rank in range(top) if FITS[count, rank] and laid[rank] < 4]
            if not fitting:
                break
            rank = chance.choice(fitting)
            cards.append(Card(Rank(rank + 1), None))
            assert pile.points[node, rank] + BONUSES[count, rank] == total(score_play(cards)), cards
            node, count = int(pile.next[node, rank]), count + int(PIPS_OR_NONE[rank])


def play_both(state: State, chance: Random) -> int:
    """Play a deal to its end by the core and by arrays, by chance; compare after each card; return their
    number."""
    assert state.deal is not None
    players, before, cards = state.rules.players, state.scores(), 0
    hands = np.array([[ranks_of(state.deal.possible_cards(seat)) for seat in range(players)]], np.uint8)
    needs = np.array([state.rules.target - score for score in before], np.int16)
    deals = deals_from_the_lead(state.rules, hands, (state.deal.dealer + 1) % players, needs=needs)
    while state.phase is Phase.PLAY:
        assert state.deal is not None
        assert state.deal.turn is not None
        seat = state.deal.turn
        playable = sight_of(state, seat).playable
        if not playable:
            state = step(state, GoSaid(seat))
            continue
        assert state.deal is not None
        assert (deals.turn[0], deals.count[0]) == (seat, state.deal.count)
        assert tuple(deals.pegged[0]) == tuple(np.subtract(state.scores(), before))
        card = chance.choice(playable)
        deals.play(np.array([deals.hold()[0].tolist().index(card.rank - 1)]))
        state = step(state, CardPlayed(seat, card))
        cards += 1
    assert deals.turn[0] == -1
    assert tuple(deals.pegged[0]) == tuple(np.subtract(state.scores(), before))
    return cards


def test_deals_in_arrays_are_played_as_the_core_plays_them_by_every_rule() -> None:
    chance = Random(5)
    for number in range(260):
        rules = a_house(chance) if number % 2 else OF_FOUR[number // 2 % len(OF_FOUR)]
        play_both(at_the_lead(rules, chance), chance)


def test_near_the_end_a_go_in_arrays_pegs_as_in_the_core_or_not_from_the_stinkhole() -> None:
    chance = Random(7)
    for value in ("any", "not-heels", "not-go"):
        for _ in range(120):
            lead = at_the_lead(replace(a_house(chance), stinkhole=value), chance)
            near = tuple(Pegs(lead.rules.target - chance.randint(1, 6)) for _ in lead.pegs)
            play_both(replace(lead, pegs=near), chance)


def test_two_goes_in_a_row_close_a_count_in_arrays_as_in_the_core() -> None:
    chance = Random(8)
    for _ in range(150):
        rules = replace(random_house(chance, preset("standard", 3)), after_go="two-close")
        play_both(at_the_lead(rules, chance), chance)


@pytest.mark.prove
def test_thousands_of_deals_in_arrays_are_played_as_the_core_plays_them() -> None:
    chance = Random(6)
    cards = sum(
        play_both(at_the_lead(a_house(chance) if number % 2 else chance.choice(OF_FOUR), chance), chance)
        for number in range(6000)
    )
    print(f"{cards} cards")


def by_lowest(deals: Deals) -> None:
    """Play *deals* to their end, each seat its lowest card."""
    whole, at = deals.pegged, np.arange(len(deals))
    while len(deals):
        deals.play(deals.hold().argmin(axis=1))
        whole[at] = deals.pegged
        on = np.flatnonzero(deals.turn >= 0)
        deals, at = deals.take(on), at[on]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_deals_at_once_are_as_many_deals_one_at_a_time(players: int) -> None:
    rules = preset("standard", players)
    hands, _ = drawn_hands(kept_hands(2), np.random.default_rng(4), 200, players)
    together = deals_from_the_lead(rules, HANDS[hands], 0)
    pegged = together.pegged
    by_lowest(together)
    for row in range(len(hands)):
        alone = deals_from_the_lead(rules, HANDS[hands[row : row + 1]], 0)
        of_one = alone.pegged
        by_lowest(alone)
        assert of_one[0].tolist() == pegged[row].tolist()


def test_whoever_reaches_the_target_ends_the_play_and_nobody_pegs_after() -> None:
    cards = np.array(
        [[[4, 9, 10, 11], [4, 9, 10, 12]]], np.uint8
    )  # 5 10 J Q, 5 10 J K: five led, ten for fifteen
    deals = deals_from_the_lead(STANDARD, cards, 0, needs=np.array([3, 1], np.int16))
    deals.play(np.array([0]))
    deals.play(np.array([1]))
    assert (deals.turn[0], deals.pegged[0].tolist()) == (-1, [0, 1])


# --- the policy -------------------------------------------------------------------------------------


def naive_value(policy: Policy, deals: Deals, slot: int) -> float:
    """Return what a card is worth by *policy*, written anew for two players and standard rules."""
    seat, count, node = int(deals.turn[0]), int(deals.count[0]), int(deals.node[0])
    hold = [int(rank) for rank in deals.cards[0, seat] if rank != NONE]
    rank = int(deals.cards[0, seat, slot])
    pile = pile_tables()
    points = int(pile.points[node, rank]) + int(BONUSES[count, rank])
    count, node = count + int(PIPS_OR_NONE[rank]), int(pile.next[node, rank])
    unseen = [4 - int(deals.open[0, one]) - hold.count(one) for one in range(13)]
    weight = [
        unseen[one] * float(policy.held[one]) * (PIPS_OR_NONE[one] > deals.above[0, 1 - seat])
        for one in range(13)
    ]
    left = int(deals.left[0, 1 - seat])
    fear = 0.0
    for one in range(13):
        if count < 31 and FITS[count, one]:
            holds = 1 - (1 - weight[one] / sum(weight)) ** left
            fear += holds * (int(pile.points[node, one]) + int(BONUSES[count, one]))
    rest = sorted(hold)
    rest.remove(rank)
    cell = position_of(tuple(rest)) * 2 + (rank in rest)
    return points - policy.danger * fear + float(policy.later[cell, count, int(left > len(rest))])


@cache
def position_of(rest: tuple[int, ...]) -> int:
    """Return the place of a rest among all rests of three ranks, `NONE` for a card that is not there."""
    padded = (*rest, *(NONE,) * (3 - len(rest)))
    rests = [(a, b, c) for a in range(14) for b in range(a, 14) for c in range(b, 14)]
    return rests.index(padded)  # type: ignore[arg-type]


def test_a_policy_weighs_cards_as_its_plain_words_say() -> None:
    policy, chance = some_policy(), np.random.default_rng(8)
    hands, starters = drawn_hands(kept_hands(2), chance, 60)
    for hand, starter in zip(hands, starters, strict=True):
        deals = deals_from_the_lead(STANDARD, HANDS[hand][None], 0, starters=np.array([starter]))
        while deals.turn[0] >= 0:
            values, hold = policy.values(deals)[0], deals.hold()[0]
            fits = np.flatnonzero(PIPS_OR_NONE[hold] + deals.count[0] <= 31)
            for slot in fits:
                assert values[slot] == pytest.approx(naive_value(policy, deals, int(slot)), abs=1e-4)
            deals.play(chance.choice(fits, 1))


def test_what_a_sight_shows_is_weighed_as_the_deal_in_arrays(whole: bool) -> None:  # noqa: FBT001  a fixture
    chance, policy = Random(9), some_policy()
    for number in range(600 if whole else 60):
        rules = a_house(chance) if number % 2 else chance.choice(OF_FOUR)
        state = at_the_lead(rules, chance)
        assert state.deal is not None
        assert state.deal.starter is not None
        hands = np.array(
            [[ranks_of(state.deal.possible_cards(seat)) for seat in range(rules.players)]], np.uint8
        )
        lead = (state.deal.dealer + 1) % rules.players
        starter = np.array([state.deal.starter.rank - 1], np.uint8)
        deals = deals_from_the_lead(rules, hands, lead, starters=starter)
        while state.phase is Phase.PLAY:
            assert state.deal is not None
            assert state.deal.turn is not None
            seat = state.deal.turn
            sight = sight_of(state, seat)
            if not sight.playable:
                state = step(state, GoSaid(seat))
                continue
            by_rank = dict(zip(deals.hold()[0].tolist(), policy.values(deals)[0], strict=True))
            alone = position(sight)
            for rank, value in zip(alone.hold()[0].tolist(), policy.values(alone)[0], strict=True):
                assert rank == NONE or value == pytest.approx(by_rank[rank], abs=1e-5), (rules, sight)
            card = chance.choice(sight.playable)
            deals.play(np.array([deals.hold()[0].tolist().index(card.rank - 1)]))
            state = step(state, CardPlayed(seat, card))


def test_a_policy_that_has_learnt_beats_the_plain_one_it_began_as() -> None:
    kept = kept_hands(2)
    learnt = learnt_policy(STANDARD, kept, seed=2, deals=50_000, rounds=2)
    plain = plain_policy()
    hands, starters = drawn_hands(kept, np.random.default_rng(3), 30_000)
    margins = []
    for policies in ((learnt, plain), (plain, learnt)):
        deals = deals_from_the_lead(STANDARD, HANDS[hands], 0, starters=starters)
        pegged = deals.pegged
        at = np.arange(len(deals))
        while len(deals):
            slots = np.choose(deals.turn, [one.values(deals).argmax(axis=1) for one in policies])
            deals.play(slots)
            pegged[at] = deals.pegged
            on = np.flatnonzero(deals.turn >= 0)
            deals, at = deals.take(on), at[on]
        margins.append(pegged[:, policies.index(learnt)] - pegged[:, policies.index(plain)])
    assert np.mean(margins) > 0.02


def test_learning_again_from_the_same_seed_is_the_same() -> None:
    one, again = (learnt_policy(STANDARD, kept_hands(2), seed=7, deals=3000, rounds=2) for _ in range(2))
    assert one.danger == again.danger
    assert np.array_equal(one.later, again.later)


# --- what the other may hold ------------------------------------------------------------------------


def test_hands_are_drawn_as_often_as_one_pack_can_make_them() -> None:
    kept = np.zeros((2, len(HANDS)))
    few = [NUMBER[hand] for hand in ((4, 4, 5, 6), (4, 4, 4, 12), (0, 1, 2, 3))]
    kept[:, few] = 1 / 3
    hands, starters = drawn_hands(kept, np.random.default_rng(1), 20_000)
    cards = np.concatenate([HANDS[hands].reshape(len(hands), 8), starters[:, None]], axis=1)
    assert max(np.bincount(row).max() for row in cards) == 4
    drawn = Counter(map(tuple, hands.tolist()))
    one, three, low = few
    # Of four fives two can be taken in six ways, and in one when two are gone; three then not at all.
    assert drawn[one, three] == 0
    assert drawn[one, one] / drawn[low, one] == pytest.approx(1 / 6 * (3 / 4) ** 2, rel=0.2)
    assert drawn[low, low] / drawn[low, one] == pytest.approx((3 / 4) ** 4, rel=0.1)
    of_low = starters[(hands[:, 0] == low) & (hands[:, 1] == three)]
    assert (of_low == 4).mean() == pytest.approx(1 / 44, abs=0.01)
    assert (of_low == 8).mean() == pytest.approx(4 / 44, abs=0.02)


def seen_by(
    seat: int,
    kept: tuple[int, ...],
    discards: tuple[int, ...],
    starter: int,
    plays: tuple[tuple[int, int], ...],
    goes: tuple[Go, ...] = (),
) -> SeatSight:
    """Return what *seat* sees, of two of which 1 deals: ranks are 0 to 12, and *plays* the seat and the rank
    of each card."""

    def card(rank: int) -> Card:
        return Card(Rank(rank + 1))

    hand = Counter(kept) - Counter(rank for player, rank in plays if player == seat)
    return SeatSight(
        STANDARD,
        seat,
        1,
        (0, 0),
        hand=tuple(map(card, hand.elements())),
        discards=tuple(map(card, discards)),
        starter=card(starter),
        plays=tuple(Played(player, card(rank)) for player, rank in plays),
        goes=goes,
    )


def naive_weights(
    seen: SeatSight, prior: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> dict[int, float]:
    """Return the hands that the other may hold where nothing is told by how the cards were played."""
    free = [int(number) for number in free_cards(seen)]
    played = Counter(play.card.rank - 1 for play in seen.plays if play.seat != seen.seat)
    found = {}
    for number, hand in enumerate(map(tuple, HANDS.tolist())):
        has = Counter(hand)
        if all(has[rank] >= played[rank] for rank in played) and all(has[rank] <= free[rank] for rank in has):
            ways = prod(comb(free[rank], has[rank]) / comb(4, has[rank]) for rank in has)
            found[number] = float(prior[number]) * ways
    return found


def test_hands_are_weighed_by_who_keeps_them_by_the_cards_left_and_by_what_was_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(styles, "TEMPERATURE", 1e9)
    monkeypatch.setattr(styles, "EPSILON", 0.0)
    kept = kept_hands(2)
    seen = seen_by(0, (4, 5, 6, 9), (9, 12), 4, ((0, 5), (1, 4)))
    deals, weights, hands = worlds(seen, kept, some_policy(), RNG, most=2000)
    wanted = naive_weights(seen, kept[0])
    assert set(hands[:, 1].tolist()) <= set(wanted)
    assert {number for number, weight in wanted.items() if weight} == set(hands[:, 1].tolist())
    # Whoever holds three different ranks plays the five in one of three times, if all cards are alike to him.
    by_hand = [wanted[number] / len(set(HANDS[number].tolist())) for number in hands[:, 1].tolist()]
    assert weights / weights.sum() == pytest.approx(np.array(by_hand) / sum(by_hand), rel=1e-6)
    assert (deals.turn == 0).all()
    assert (deals.cards[:, 1] != NONE).sum(axis=1).tolist() == [3] * len(deals)


def test_a_go_tells_what_the_other_does_not_hold() -> None:
    # K, Q, 10 make 30: pone led and played on at 30 with an ace, so the dealer held no ace at all.
    seen = seen_by(0, (12, 9, 0, 5), (3, 3), 6, ((0, 12), (1, 11), (0, 9), (0, 0)))
    deals, _, hands = worlds(seen, kept_hands(2), some_policy(), RNG, most=2000)
    assert len(deals) == 0  # at thirty-one it is the dealer's lead: pone has no turn
    seen = seen_by(1, (11, 3, 3, 3), (5, 6), 6, ((0, 12), (1, 11), (0, 9), (0, 0)))
    deals, _, hands = worlds(seen, kept_hands(2), some_policy(), RNG, most=2000)
    assert len(deals) > 0
    assert (deals.turn == 1).all()
    seen = seen_by(0, (12, 9, 0, 0), (3, 3), 6, ((0, 12), (1, 11), (0, 9)))
    deals, _, hands = worlds(seen, kept_hands(2), some_policy(), RNG, most=2000)
    assert (hands[:, 0] == -1).all()
    assert (HANDS[hands[:, 1]] > 0).all()  # the turn is pone's again: no ace there


def test_fewer_hands_are_drawn_evenly_by_how_likely_they_are() -> None:
    kept, seen = kept_hands(2), seen_by(0, (4, 5, 6, 9), (9, 12), 4, ())
    _, all_weights, all_hands = worlds(seen, kept, some_policy(), RNG, most=2000)
    deals, weights, hands = worlds(seen, kept, some_policy(), RNG, most=200)
    assert len(deals) <= 200
    fives = (HANDS == 4).sum(axis=1)
    whole = (all_weights * fives[all_hands[:, 1]]).sum() / all_weights.sum()
    assert (weights * fives[hands[:, 1]]).sum() / weights.sum() == pytest.approx(whole, abs=0.1)


def in_the_play(players: int, chance: Random, number: int) -> Iterator[SeatSight]:
    """Give what is seen by who is on turn and can play, in *number* deals by chance, each somewhere in the
    play."""
    while number:
        state = at_the_lead(preset("standard", players), chance)
        for _ in range(chance.randrange(3 * players)):
            assert state.deal is not None
            if state.deal.turn is None:
                break
            playable = sight_of(state, state.deal.turn).playable
            state = step(
                state,
                CardPlayed(state.deal.turn, chance.choice(playable)) if playable else GoSaid(state.deal.turn),
            )
        assert state.deal is not None
        if state.deal.turn is not None and sight_of(state, state.deal.turn).playable:
            number -= 1
            yield sight_of(state, state.deal.turn)


@pytest.mark.parametrize("players", [3, 4])
def test_what_a_seat_played_says_the_same_of_its_hand_whatever_the_others_hold(players: int) -> None:
    """So hands can be weighed seat by seat, and sampled by that: a whole world's weight is the product."""
    rng, kept, compared = np.random.default_rng(1), kept_hands(players), 0
    for number, sight in enumerate(in_the_play(players, Random(14), 12)):
        model = some_policy(number)
        others = seats.around(sight.seat, players)[:-1]
        before = {seat: hand_weights(sight, seat, kept[1]) for seat in others}
        after = likely_hands(sight, before, model, rng)
        hands, weight = sample_hands(sight, before, rng, 200)
        _, whole, rows = replayed(sight, hands, np.ones(len(weight)), model, weighted=set(others))
        by_seat = np.ones(len(rows))
        for seat in others:
            hand = hands[seat][rows]
            by_seat *= after[seat][hand] / before[seat][hand]
        share = whole / by_seat
        assert share == pytest.approx(share.mean(), rel=1e-4)
        compared += len({play.seat for play in sight.plays} - {sight.seat}) > 1 and len(rows) > 1
    assert compared > 4


@pytest.mark.parametrize("players", [3, 4])
def test_worlds_sampled_by_seat_count_nearly_alike(players: int) -> None:
    def alike(sight: SeatSight, *, by_seat: bool) -> float:
        _, weight, _ = worlds(
            sight,
            kept_hands(players),
            policy(sight.rules),
            np.random.default_rng(2),
            most=200,
            by_seat=by_seat,
        )
        return float(weight.sum() ** 2 / (weight**2).sum() / 200)

    sights = list(in_the_play(players, Random(15), 12))
    assert min(alike(sight, by_seat=True) for sight in sights) > 0.6
    assert min(alike(sight, by_seat=False) for sight in sights) < 0.4


def test_the_best_card_is_sure_only_where_worlds_tell() -> None:
    rng = np.random.default_rng(3)
    noise, ones = rng.normal(0, 0.5, 400), np.ones(400)
    none = np.full(400, -np.inf)

    def four(*cards: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.stack([*cards, *[none] * (4 - len(cards))], axis=1)

    assert is_sure(four(noise), ones, 0.0), "there is no other"
    assert is_sure(four(noise, noise - 0.001), ones, 0.0), "in each world it is the better"
    assert not is_sure(four(noise, noise[::-1]), ones, 0.01)
    assert is_sure(four(noise, noise[::-1]), ones, 0.1), "as good to a tenth"
    assert is_sure(four(noise + 1, noise[::-1]), ones, 0.0), "far the better"
    heavy = np.where(np.arange(400) < 3, 1000.0, 1.0)
    assert not is_sure(four(noise, noise[::-1]), heavy, 0.1), "three worlds tell no more than three"


@pytest.mark.parametrize("players", [3, 4])
def test_sampled_worlds_hold_what_the_pack_allows_and_what_was_played(players: int) -> None:
    rng, kept = np.random.default_rng(1), kept_hands(2)
    for seen in in_the_play(players, Random(13), 10):
        others = [seat for seat in range(players) if seat != seen.seat]
        deals, weights, hands = worlds(seen, kept, some_policy(), rng, most=50)
        assert 0 < len(deals) <= 50
        assert (weights > 0).all()
        for row, numbers in enumerate(hands):
            assert numbers[seen.seat] == -1
            ranks = [rank for seat in others for rank in HANDS[numbers[seat]].tolist()]
            assert (free_cards(seen) >= np.bincount(ranks, minlength=13)).all()
            for seat in others:
                rest = Counter(HANDS[numbers[seat]].tolist())
                rest.subtract(play.card.rank - 1 for play in seen.plays if play.seat == seat)
                assert sorted(rest.elements()) == sorted(
                    rank for rank in deals.cards[row, seat].tolist() if rank != NONE
                )


def test_hands_that_go_against_what_was_said_are_not_even_drawn() -> None:
    # 9 K 10: at 29 pone said go with one card played, so that all others of his are above two pips.
    plays = ((0, 8), (1, 12), (1, 9))
    seen = seen_by(1, (12, 9, 4, 5), (3, 3), 6, plays, (Go(0, 29, 1),))
    likely = hand_weights(seen, 0, kept_hands(2)[1])
    rest = HANDS[likely > 0]
    assert len(rest)
    assert (rest >= 2).all()
    assert (rest == 8).any(axis=1).all()
    led_low = seen_by(1, (12, 9, 4, 5), (3, 3), 6, ((0, 0), *plays[1:]), (Go(0, 29, 1),))
    assert ((HANDS[hand_weights(led_low, 0, kept_hands(2)[1]) > 0] < 2).sum(axis=1) == 1).all()


# --- the search -------------------------------------------------------------------------------------


def ending(chance: Random, cards: int) -> tuple[Deals, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """Return a position of two with *cards* each and every hand that the other may hold of a few ranks."""
    few = chance.sample(range(13), 6)
    mine = sorted(chance.choice(few) for _ in range(cards))
    hers = [hand for hand in HANDS[:, :cards].tolist() if set(hand) <= set(few)]
    hers = sorted({tuple(sorted(hand)) for hand in hers})
    rows = np.full((len(hers), 2, 4), NONE, np.uint8)
    rows[:, 0, :cards] = mine
    rows[:, 1, :cards] = hers
    deals = deals_from_the_lead(STANDARD, rows, 0)
    start = chance.choice(((), (9,), (6, 6), (3, 4), (9, 10, 3)))
    for rank in start:
        deals.node = pile_tables().next[deals.node, rank]
        deals.count = deals.count + PIPS_OR_NONE[rank]
        deals.last[:] = 1
    weights = np.array([chance.random() for _ in hers])
    return deals, weights


def naive_best(
    deals: Deals, weights: dict[int, float], model: Policy, worth: dict[int, float] | None = None
) -> dict[int, float]:
    """Return what each rank is worth for seat 0: plain expectimax, one world and one card at a time."""
    del worth
    first = next(iter(weights))
    hold = [int(rank) for rank in deals.cards[first, 0] if rank != NONE]
    fitting = sorted({rank for rank in hold if PIPS_OR_NONE[rank] + deals.count[first] <= 31})
    found = {}
    for rank in fitting:
        branches: dict[tuple[tuple[int, int], ...], dict[int, Deals]] = defaultdict(dict)
        value = 0.0
        for row, weight in weights.items():
            one = deals.take(np.array([row]))
            one.play(np.array([one.hold()[0].tolist().index(rank)]))
            path = []
            while one.turn[0] == 1:
                slot = int(model.values(one)[0].argmax())
                path.append((1, int(one.hold()[0, slot])))
                one.play(np.array([slot]))
            if one.turn[0] < 0:
                value += weight * float(one.pegged[0, 0] - one.pegged[0, 1])
            else:
                branches[tuple(path)][row] = one
        for worlds_there in branches.values():
            rows = list(worlds_there)
            joined = stacked([worlds_there[row] for row in rows])
            shares = {place: weights[row] for place, row in enumerate(rows)}
            value += max(naive_best(joined, shares, model).values()) * sum(shares.values())
        found[rank] = value / sum(weights.values())
    return found


def stacked(deals: list[Deals]) -> Deals:
    """Return *deals* of one row each as one."""
    names = "cards turn count node last pegged low left out taken open above style".split()
    parts = {name: np.concatenate([getattr(one, name) for one in deals]) for name in names}
    return Deals(rules=deals[0].rules, needs=deals[0].needs, **parts)


def by_margin(
    pegged: np.ndarray[tuple[int, ...], np.dtype[np.int16]],
    hands: np.ndarray[tuple[int, ...], np.dtype[np.intp]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    assert len(hands) == len(pegged)
    return (pegged[:, 0] - pegged[:, 1]).astype(np.float64)


@pytest.mark.parametrize("cards", [2, 3])
def test_the_search_finds_what_a_plain_expectimax_finds(cards: int) -> None:
    chance = Random(17 + cards)
    for number in range(16 if cards == 2 else 3):
        deals, weights = ending(chance, cards)
        model = some_policy(number)
        fits = (PIPS_OR_NONE[deals.hold()[0]] + deals.count[0] <= 31).any()
        if not fits:
            continue
        hands = np.full((len(deals), 2), -1, np.intp)
        found = best_values(deals.take(np.arange(len(deals))), weights, hands, model, by_margin)
        wanted = naive_best(deals, dict(enumerate(weights.tolist())), model)
        for slot, rank in enumerate(deals.hold()[0].tolist()):
            if np.isfinite(found[slot]):
                assert found[slot] == pytest.approx(wanted[rank], abs=1e-9)
        assert np.isfinite(found).sum() == len(wanted)


def test_the_search_does_not_choose_by_cards_that_it_cannot_see() -> None:
    # The other holds an ace or a king, alike likely, and may not be asked: knowing would be worth more.
    deals, weights = ending(Random(2), 3)
    hands = np.full((len(deals), 2), -1, np.intp)
    model = some_policy(3)
    blind = best_values(deals.take(np.arange(len(deals))), weights, hands, model, by_margin).max()
    knowing = sum(
        weight * best_values(deals.take(np.array([row])), np.ones(1), hands[:1], model, by_margin).max()
        for row, weight in enumerate(weights)
    ) / sum(weights)
    assert blind < knowing


def played_out(
    deals: Deals, weights: NDArray[np.float64], hands: NDArray[np.intp], model: Policy
) -> NDArray[np.float64]:
    """Return what each card of the seat on turn brings if all, that seat too, play on by *model*: shape
    (4,)."""
    rows, slots = np.nonzero(deals.choices())
    after = deals.take(rows)
    after.play(slots)
    pegged = after.pegged
    at = np.flatnonzero(after.turn >= 0)
    after = after.take(at)
    while len(at):
        after.play(answers(after, model))
        pegged[at] = after.pegged
        on = np.flatnonzero(after.turn >= 0)
        after, at = after.take(on), at[on]
    worth = np.bincount(slots, weights=weights[rows] * by_margin(pegged, hands[rows]), minlength=4)
    weighed = np.bincount(slots, weights=weights[rows], minlength=4)
    return np.where(weighed > 0, worth / np.where(weighed > 0, weighed, 1), -np.inf)


def test_trying_each_card_by_the_policy_is_never_better_than_the_best_answer_to_it() -> None:
    chance = Random(23)
    for number in range(20):
        deals, weights = ending(chance, 3)
        model, hands = some_policy(number), np.full((len(deals), 2), -1, np.intp)
        tried = played_out(deals, weights, hands, model)
        best = best_values(deals.take(np.arange(len(deals))), weights, hands, model, by_margin)
        assert (tried <= best + 1e-9).all()


def test_a_likelihood_is_shared_among_the_ranks_that_fit() -> None:
    hands, _ = drawn_hands(kept_hands(2), np.random.default_rng(4), 50)
    for hand in hands:
        deals = deals_from_the_lead(STANDARD, HANDS[hand][None], 0)
        ranks = sorted(set(deals.hold()[0].tolist()))
        slots = [deals.hold()[0].tolist().index(rank) for rank in ranks]
        chances = [likelihood(deals, np.array([slot]), some_policy())[0] for slot in slots]
        assert sum(chances) == pytest.approx(1)


# --- what hands peg ---------------------------------------------------------------------------------


def test_the_pegging_of_hands_is_the_same_from_the_same_seed_and_seen_from_both_sides() -> None:
    kept = np.zeros((2, len(HANDS)))
    for hand, other in combinations(((0, 3, 4, 5), (4, 5, 6, 7), (9, 10, 11, 12)), 2):
        kept[0, NUMBER[hand]] = kept[1, NUMBER[other]] = kept[0, NUMBER[other]] = kept[1, NUMBER[hand]] = 1
    kept /= kept.sum(axis=1, keepdims=True)
    rows = np.flatnonzero(kept[0])
    one, again = (
        pegged_by(rows, DEALER, kept[1], plain_policy(), np.random.default_rng(3), 20) for _ in range(2)
    )
    assert one.shape == (3, 20, 2)
    assert np.array_equal(one, again)
    spread, first = spread_of(STANDARD, kept, plain_policy(), np.random.default_rng(3), 2000)
    assert (spread[0] == spread[1].T).all()
    assert spread[0].sum() == 2000
    assert 1 < (np.arange(20) @ spread[0]).sum() / spread[0].sum() < 5
    for points in range(
        1, 20
    ):  # the dealer is there first where pone never is, and at most where he is at all
        for hers in range(1, 20):
            alone = spread[0][points:, :hers].sum()
            assert alone <= first[points, hers] <= spread[0][points:].sum()


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_what_a_hand_pegs_for_its_pair_is_found_again_with_fewer_deals(
    seat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundredth of the deals: about ten with each hand, so a mean over all hands is good to 0.02."""
    monkeypatch.setattr(self_play, "TRIES", 32)
    rules = preset("standard", 4)
    with np.errstate(invalid="ignore"):  # of so few, some hands are dealt never
        made = pegged_from(seat, rules, kept_hands(4), policy(rules), np.random.default_rng(seat))
    shipped = pegging(4).points[(seat + 1) % 4]
    known = np.isfinite(made).all(axis=1)
    assert known.sum() > 1700
    assert made[known].mean(axis=0) == pytest.approx(shipped[known].mean(axis=0), abs=0.06)
    found = np.corrcoef(made[known, 0] - made[known, 1], shipped[known, 0] - shipped[known, 1])[0, 1]
    assert found > 0.15, "the same hands are good, as far as ten deals tell"


def test_the_pairs_peg_what_one_sees_from_the_other_side() -> None:
    dealer, pone = (pegging(4).spread[role].sum(axis=1) @ np.arange(20) for role in (0, 1))
    assert dealer > pone + 0.5, "the dealer's side plays last, and has last card more often"
    kept = kept_hands(4)
    for seat, role in ((0, 0), (1, 1), (2, 0), (3, 1)):
        mine, theirs = kept[role] @ pegging(4).points[seat] / kept[role].sum()
        assert (mine, theirs) == pytest.approx((dealer, pone) if role == 0 else (pone, dealer), abs=0.25)


def test_who_pegs_first_is_counted_card_by_card() -> None:
    kept = kept_hands(2)
    _, first = spread_of(STANDARD, kept, plain_policy(), np.random.default_rng(1), 40)
    hands, starters = drawn_hands(kept, np.random.default_rng(1), 40)
    played = deals_from_the_lead(STANDARD, HANDS[hands], 0, starters=starters)
    pegged = played.pegged
    told = [pegged.copy() for _ in play_out(played, plain_policy())]
    races = np.zeros_like(first)
    for deal, mine, hers in np.ndindex(40, 20, 20):
        races[mine, hers] += hers > 0 and next(
            (
                card[deal, DEALER] >= mine
                for card in told
                if card[deal, DEALER] >= mine or card[deal, 0] >= hers
            ),
            False,
        )
    assert np.array_equal(first[1:], races[1:])
    assert first[1:, 0].sum() == 0
    assert 0 < first[2, 1] < first[1, 1] < first[1, 2] < 40


def test_one_play_only_pegs_less_than_all_counts() -> None:
    kept = kept_hands(2)
    one: Rules = preset("use-and-care")
    hands, _ = drawn_hands(kept, np.random.default_rng(3), 2000)
    pegged = []
    for rules in (STANDARD, one):
        deals = deals_from_the_lead(rules, HANDS[hands], 0)
        pegged.append(deals.pegged)
        for _ in play_out(deals, plain_policy()):
            pass
    assert pegged[1].sum() < pegged[0].sum()


def naive_ahead(
    deals: Deals, weights: NDArray[np.float64], slot: int, model: Policy, *, to_the_end: bool = False
) -> float:
    """What a card is worth, world by world and card by card: until the own turn, and there by the best of the
    model; or to the end."""
    total, me = 0.0, int(deals.turn[0])
    for row, weight in enumerate(weights.tolist()):
        one, slots = deals.take(np.array([row])), np.array([slot])
        one.play(slots)
        while one.turn[0] not in {-1, *([] if to_the_end else [me])}:
            one.play(model.values(one).argmax(axis=1))
        later = float(model.values(one, HIDDEN).max()) if one.turn[0] == me else 0.0
        total += weight * (
            float(margins(one.pegged, np.array([me % one.pegged.shape[1]], np.int8))[0]) + later
        )
    return total / float(weights.sum())


HIDDEN = np.eye(13, dtype=np.uint8)[4]


@pytest.mark.parametrize("to_the_end", [False, True])
@pytest.mark.parametrize("players", [3, 4])
def test_looking_ahead_is_playing_each_world_card_by_card_until_the_own_turn_or_to_the_end(
    players: int, *, to_the_end: bool
) -> None:
    rng, kept = np.random.default_rng(2), kept_hands(2)
    for number, sight in enumerate(in_the_play(players, Random(16), 12)):
        model = some_policy(number)
        deals, weights, hands = worlds(sight, kept, model, rng, most=6)
        side = np.full(1, sight.side, np.int8)

        def worth(
            pegged: NDArray[np.int16], _: NDArray[np.intp], side: NDArray[np.int8] = side
        ) -> NDArray[np.float64]:
            return margins(pegged, side.repeat(len(pegged))).astype(np.float64)

        each = ahead_values(
            deals.take(np.arange(len(deals))), hands, model, worth, HIDDEN, to_the_end=to_the_end
        )
        found = weights @ each / weights.sum()
        assert np.isfinite(found).sum() == len({card.rank for card in sight.playable})
        for slot in np.flatnonzero(np.isfinite(found)).tolist():
            naive = naive_ahead(deals, weights, slot, model, to_the_end=to_the_end)
            assert found[slot] == pytest.approx(naive, abs=1e-4)
