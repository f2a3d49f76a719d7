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
from cribpi.cribbage.analysis.pegging.policy import kept_hands, policy
from cribpi.cribbage.analysis.pegging.search import best_values
from cribpi.cribbage.analysis.pegging.styles import (
    AT_ONCE,
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
from cribpi.cribbage.game.cards import PACK, Card
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
    assert int(seen.argmax()) == style


def test_nothing_is_read_before_anything_was_played_or_of_more_than_two() -> None:
    _, seen = whole_game("thrifty", seed=2)
    first = seen[0]
    assert first.past == ()
    model = model_of_others(first)
    assert isinstance(model, Mixture)
    assert model.weights.tolist() == pytest.approx(styles(STANDARD).weights.tolist())
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
    both: tuple[Model, ...] = (policy(STANDARD), PointsNow())
    deals.style = (np.arange(40) % 2).astype(np.int8)
    found = Mixture(both, np.full(2, 0.5)).values(deals)
    for style, model in enumerate(both):
        assert (found[style::2] == model.values(deals)[style::2]).all()


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
    assert found[0] != [0.0] * 4, "the first card was a choice"
    whole = evidence(STANDARD, 0, (PlayedDeal(1, starter, tuple(right)),)).tolist()
    assert whole != found[0]


def test_the_evidence_of_deals_together_is_that_of_each_by_itself() -> None:
    state, _ = whole_game("solid", seed=4)
    each = [evidence(STANDARD, 0, (deal,)) for deal in state.past]
    assert evidence(STANDARD, 0, state.past) == pytest.approx(np.sum(each, axis=0), abs=1e-6)
