"""How somebody seems to play, and what the search makes of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np
import pytest

from cribpi.cribbage.analysis.pack import HANDS
from cribpi.cribbage.analysis.pegging.batch import deals_from_the_lead
from cribpi.cribbage.analysis.pegging.belief import worlds
from cribpi.cribbage.analysis.pegging.policy import kept_hands, plain_policy, policy
from cribpi.cribbage.analysis.pegging.search import best_values
from cribpi.cribbage.analysis.pegging.styles import (
    AT_ONCE,
    MOST_STYLES,
    AnyCard,
    Mixture,
    Model,
    PointsNow,
    evidence,
    likelihood,
    model_of_others,
    read_style,
    styles,
)
from cribpi.cribbage.game.cards import PACK, Card, Rank
from cribpi.cribbage.game.deal import Played, PlayedDeal
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.state import State
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.players.opponent import Opponent
from cribpi.cribbage.rules.rules import STANDARD, preset
from cribpi.cribbage.words.cards import parse_cards
from cribpi.workshop.tables.self_play import drawn_hands

SOLID, PLAIN, POINTS_NOW, ANY_CARD = range(4)


@cache
def whole_game(first: str, seed: int, players: int = 2) -> tuple[State, list[SeatSight]]:
    """Return the end of a game of a level against `solid`, and what seat 1 saw each time it could choose."""

    class Watched:
        def __init__(self, plays: Opponent) -> None:
            self.discard, self._plays = plays.discard, plays

        def play(self, sight: SeatSight) -> Card:
            seen.append(sight)
            return self._plays.play(sight)

    def pack(deal: int) -> list[Card]:
        cards = list(PACK)
        Random(f"{seed}/{deal}").shuffle(cards)
        return cards

    seen: list[SeatSight] = []
    levels = [first, *["solid"] * (players - 1)]
    sits = [opponent(level, chance=Random(seed)) for level in levels]
    states = [
        state for _, state in game([sits[0], Watched(sits[1]), *sits[2:]], preset("standard", players), pack)
    ]
    return states[-1], seen


@pytest.mark.parametrize(
    ("level", "style"), [("thrifty", POINTS_NOW), ("solid", SOLID), ("chance", ANY_CARD)]
)
def test_a_game_tells_how_a_level_plays(level: str, style: int) -> None:
    state, _ = whole_game(level, seed=2)
    assert len(state.past) >= 6
    seen = evidence(STANDARD, 0, state.past)
    assert int(seen[:4].argmax()) == style
    likeliest = styles(STANDARD).styles[int(seen.argmax())]
    if style == POINTS_NOW:
        assert isinstance(likeliest, PointsNow)
        assert likeliest[:3] == PointsNow()[:3]
    else:
        assert likeliest is styles(STANDARD).styles[style]


def deals_of(model: Model, number: int) -> tuple[PlayedDeal, ...]:
    """Return deals in which both seats choose as *model* is taken to, chance included."""
    chance = np.random.default_rng(3)
    hands, starters = drawn_hands(kept_hands(2), chance, number)
    deals = deals_from_the_lead(STANDARD, HANDS[hands], 0, starters=starters)
    plays: list[list[Played]] = [[] for _ in range(number)]
    for _ in range(8):
        odds = [likelihood(deals, np.full(number, slot), model) for slot in range(4)]
        sums = np.cumsum(np.stack(odds, axis=1) * deals.choices(), axis=1)
        slots = (sums <= chance.random((number, 1))).sum(axis=1).clip(max=3)
        ranks = deals.hold()[np.arange(number), slots]
        for played, seat, rank in zip(plays, deals.turn.tolist(), ranks.tolist(), strict=True):
            played.append(Played(seat, Card(Rank(rank + 1))))
        deals.play(slots)
    return tuple(
        PlayedDeal(1, Card(Rank(starter + 1)), tuple(played))
        for starter, played in zip(starters.tolist(), plays, strict=True)
    )


@pytest.mark.parametrize("style", range(len(styles(STANDARD).styles)))
def test_who_plays_by_a_style_is_found_out(style: int) -> None:
    model = styles(STANDARD).styles[style]
    read = read_style(STANDARD, 0, deals_of(model, 200))
    assert len(read.styles) <= MOST_STYLES
    assert read.styles[int(read.weights.argmax())] is model


@pytest.mark.parametrize(
    "player",
    [
        PointsNow(height=-0.7, lead=-0.7, firm=4.0),
        PointsNow(0.2, 1.5, -0.7, avoids=0.9, firm=4.0),
        PointsNow(0.7, -0.5, 0.5, firm=4.0),
        PointsNow(1.2, 0.3, -0.3, avoids=0.3, firm=4.0),
        PointsNow(0.0, 0.4, 1.5, avoids=0.2, firm=4.0),
    ],
)
def test_players_between_the_styles_are_likelier_than_by_the_first_four(player: PointsNow) -> None:
    seen = np.log(styles(STANDARD).weights)
    for deal in deals_of(player, 20):
        seen += evidence(STANDARD, 0, (deal,))
    by_first_four = np.logaddexp.reduce(seen[:4] + np.log(2))
    assert np.logaddexp.reduce(seen) > by_first_four


def test_a_taste_is_for_the_lead_or_for_the_answer() -> None:
    cards = np.array([[[0, 4, 9, 12], [1, 5, 6, 10]]], np.uint8)
    deals = deals_from_the_lead(STANDARD, cards, 0)
    low_lead = PointsNow(lead=-1.0)
    assert low_lead.values(deals)[0].argmax() == 0
    assert PointsNow(height=-1.0).values(deals)[0].argmax() == 3
    for avoids, worth in ((0.0, 4 * 0.15), (0.5, 4 * 0.15 - 1.5)):
        assert PointsNow(avoids=avoids).values(deals)[0, 1] == pytest.approx(worth)
    deals.play(np.array([2]))  # a ten: the jack makes 20, the 2 makes 12
    assert low_lead.values(deals)[0].argmax() == 3
    assert PointsNow(height=-1.0).values(deals)[0].argmax() == 0
    assert PointsNow(firm=2.0).values(deals) == pytest.approx(2 * PointsNow().values(deals))
    feared = PointsNow().values(deals) - PointsNow(feared=1.0).values(deals)
    assert feared == pytest.approx(plain_policy().parts(deals)[1], abs=1e-6)


def test_nothing_is_read_before_anything_was_played_or_of_more_than_two() -> None:
    _, seen = whole_game("thrifty", seed=2)
    first = seen[0]
    assert first.past == ()
    model = model_of_others(first)
    assert isinstance(model, Mixture)
    assert model.styles == styles(STANDARD).styles[:4]
    assert model.weights.tolist() == pytest.approx([0.6, 0.15, 0.2, 0.05])
    _, seen = whole_game("thrifty", seed=2, players=3)
    assert model_of_others(seen[-1]) is policy(preset("standard", 3))


def test_the_sight_holds_the_play_of_earlier_deals_and_no_hidden_card() -> None:
    state, seen = whole_game("solid", seed=4)
    last = seen[-1]
    assert last.past == state.past
    assert len(last.past) == (state.deal.number if state.deal else 0) - 1
    for deal in last.past:
        assert len(deal.plays) == 8
        assert {play.seat for play in deal.plays} == {0, 1}
    assert [deal.dealer for deal in last.past[:4]] == [0, 1, 0, 1]


def test_whatever_was_seen_the_prior_keeps_a_share() -> None:
    state, _ = whole_game("thrifty", seed=2)
    read = read_style(STANDARD, 0, state.past * 20)
    assert read.weights.max() < 1
    assert any(isinstance(style, PointsNow) for style in read.styles)
    assert read.weights.sum() == pytest.approx(1)


def test_every_deal_tells_however_many_there_are() -> None:
    first, then = whole_game("thrifty", seed=2)[0].past, whole_game("solid", seed=4)[0].past
    read = read_style(STANDARD, 0, (first * AT_ONCE)[:AT_ONCE] + then * 20)
    assert read.styles[int(read.weights.argmax())] is styles(STANDARD).styles[0], "solid's"
    of_the_first = read_style(STANDARD, 0, (first * AT_ONCE)[:AT_ONCE])
    assert isinstance(of_the_first.styles[int(of_the_first.weights.argmax())], PointsNow)


def test_a_single_style_is_searched_as_the_style_by_itself() -> None:
    kept, chance = kept_hands(2), np.random.default_rng(1)
    for seed in (2,):
        for sight in whole_game("thrifty", seed=seed)[1][:18]:
            found = []
            for model in (
                PointsNow(),
                Mixture((PointsNow(),), np.ones(1)),
                Mixture((PointsNow(),) * 2, np.full(2, 0.5)),
            ):
                deals, weights, hands = worlds(sight, kept, model, chance, most=10_000)
                if len(deals):
                    found.append(best_values(deals, weights, hands, model, _margin(sight.seat)))
            for values in found[1:]:
                assert values == pytest.approx(found[0], abs=1e-9)


def _margin(seat: int) -> Callable[..., np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    return lambda pegged, hands: (pegged[:, seat] - pegged[:, 1 - seat]).astype(np.float64) + 0 * len(hands)


def test_each_deal_is_answered_by_its_own_style() -> None:
    hands, starters = drawn_hands(kept_hands(2), np.random.default_rng(4), 40)
    deals = deals_from_the_lead(STANDARD, HANDS[hands], 0, starters=starters)
    some: tuple[Model, ...] = (PointsNow(), policy(STANDARD), PointsNow(1.0, -1.0, 1.0, 0.5, 2.5), AnyCard())
    deals.style = (np.arange(40) % 4).astype(np.int8)
    found = Mixture(some, np.full(4, 0.25)).values(deals)
    for style, model in enumerate(some):
        assert (found[style::4] == model.values(deals)[style::4]).all()


def test_any_card_is_as_likely_as_another_and_points_now_takes_the_points() -> None:
    cards = np.array([[[4, 9, 11, 12], [1, 4, 5, 6]]], np.uint8)
    deals = deals_from_the_lead(STANDARD, cards, 0)
    for slot in range(4):
        assert likelihood(deals, np.array([slot]), AnyCard())[0] == pytest.approx(0.25, abs=0.001)
    deals.play(np.array([1]))  # a ten: a five makes fifteen
    assert PointsNow().values(deals)[0].argmax() == 1
    assert likelihood(deals, np.array([1]), PointsNow())[0] > 0.9


def test_what_came_after_a_wrong_go_says_nothing() -> None:
    cards = parse_cards("AS 2S 3S 4S 2H 3H AH AC")
    right = [Played(at % 2, card) for at, card in enumerate(cards)]
    begun, rest = (
        [*right[:2], right[3]],
        [right[2], *right[4:]],
    )  # seat 1 plays twice, as if seat 0 had said go
    starter = parse_cards("KD")[0]
    found = [
        evidence(STANDARD, 0, (PlayedDeal(1, starter, (*begun, *order)),)).tolist()
        for order in (rest, rest[::-1], sorted(rest, key=lambda play: play.card.rank))
    ]
    assert found[0] == found[1] == found[2]
    assert any(found[0]), "the first card was a choice"
    whole = evidence(STANDARD, 0, (PlayedDeal(1, starter, tuple(right)),)).tolist()
    assert whole != found[0]


def test_the_evidence_of_deals_together_is_that_of_each_by_itself() -> None:
    state, _ = whole_game("solid", seed=4)
    each = [evidence(STANDARD, 0, (deal,)) for deal in state.past]
    assert evidence(STANDARD, 0, state.past) == pytest.approx(np.sum(each, axis=0), abs=1e-6)
