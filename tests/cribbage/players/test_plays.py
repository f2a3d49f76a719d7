"""The play of `solid` and `expert`: legal by every rule, the same each time, and no worse than it claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from support.dealt_plays import at_the_lead
from support.games import ALL_PRESETS, random_house

from cribpi.cribbage.analysis import tables
from cribpi.cribbage.analysis.discard.habits import discard_table
from cribpi.cribbage.analysis.pack import HANDS
from cribpi.cribbage.analysis.pegging import policy as policies
from cribpi.cribbage.analysis.pegging.belief import position
from cribpi.cribbage.analysis.pegging.search import Utility, values_in_worlds
from cribpi.cribbage.analysis.pegging.styles import Model
from cribpi.cribbage.game.cards import PACK, Card, Rank
from cribpi.cribbage.game.deal import Go, Played
from cribpi.cribbage.game.events import CardPlayed, GoSaid
from cribpi.cribbage.game.sight import SeatSight, sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.players.expert import Expert, card_values
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.players.solid import WORLDS, Solid, margin, solid_card
from cribpi.cribbage.rules.rules import STANDARD, Rules, preset
from cribpi.cribbage.words.cards import parse_cards

Play = Callable[[SeatSight], Card]


def expert_card(
    sight: SeatSight,
    *,
    kept: NDArray[np.float64] | None = None,
    utility: Utility | None = None,
    most: int | None = None,
    model: Model | None = None,
) -> Card:
    """Return the card that `expert` plays, but for points unless *utility* is given."""
    if sight.players == 3:
        return Expert(0).play(sight)
    values = card_values(sight, prior=kept, utility=utility, most=most, model=model)
    return values[0][0] if values else solid_card(sight)


def quick_expert(sight: SeatSight) -> Card:
    if sight.rules.is_five_card:  # for which there are no tables
        return opponent("expert", chance=Random(1)).play(sight)
    return expert_card(sight, most=30)


def by_chance(chance: Random) -> Play:
    return lambda sight: chance.choice(sight.playable)


def played(state: State, plays: list[Play]) -> tuple[State, list[Card]]:
    """Play the deal to its end, each seat by its own way; the core refuses what is not legal."""
    cards = []
    while state.phase is Phase.PLAY:
        assert state.deal is not None
        assert state.deal.turn is not None
        seat = state.deal.turn
        sight = sight_of(state, seat)
        if not sight.playable:
            state = step(state, GoSaid(seat))
            continue
        card = plays[seat](sight)
        assert card in sight.playable
        cards.append(card)
        state = step(state, CardPlayed(seat, card))
    return state, cards


@pytest.mark.parametrize("play", [solid_card, quick_expert])
@pytest.mark.parametrize("rules", ALL_PRESETS, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_every_card_is_legal_by_every_preset(rules: Rules, play: Play, whole: bool) -> None:  # noqa: FBT001  a fixture
    chance = Random(31)
    for _ in range(30 if whole else 1):
        state = at_the_lead(rules, chance)
        played(state, [play] * rules.players)
        mixed = [
            play if seat == chance.randrange(rules.players) else by_chance(chance)
            for seat in range(rules.players)
        ]
        played(state, mixed)


@pytest.mark.parametrize("play", [solid_card, quick_expert])
def test_every_card_is_legal_by_the_rules_of_any_house(play: Play) -> None:
    chance = Random(32)
    for _ in range(25):
        rules = random_house(chance)
        plays = [play, by_chance(chance)] * 2
        chance.shuffle(plays)
        played(at_the_lead(rules, chance), plays[: rules.players])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_same_sight_is_answered_by_the_same_card(players: int) -> None:
    chance = Random(33)
    for _ in range(2):
        state = at_the_lead(preset("standard", players), chance)
        for play in (solid_card, quick_expert):
            assert played(state, [play] * players)[1] == played(state, [play] * players)[1]


def sight(hand: str, **more: object) -> SeatSight:
    """Return what the dealer sees, in seat 1, when pone has led; change what *more* says."""
    usual = SeatSight(
        STANDARD, 1, 1, (0, 0), parse_cards(hand), parse_cards("2C 9D"), parse_cards("3S")[0], turn=1
    )
    return replace(usual, **more)  # type: ignore[arg-type]


def after(cards: str, seats: str) -> tuple[Played, ...]:
    return tuple(Played(int(seat), card) for seat, card in zip(seats, parse_cards(cards), strict=True))


@pytest.mark.parametrize("play", [solid_card, expert_card])
def test_a_five_is_not_led_while_there_is_anything_better(play: Play) -> None:
    assert play(sight("4H 5C 10D KS", seat=0)).rank is not Rank.FIVE


@pytest.mark.parametrize("play", [solid_card, expert_card])
def test_a_double_pair_royal_is_taken(play: Play) -> None:
    plays = after("7H 7D 7S", "010")
    seen = sight("7C 2D KS", plays=plays, pile=tuple(card.card for card in plays))
    assert play(seen).rank is Rank.SEVEN


def test_the_only_rank_is_played_without_thinking() -> None:
    hand = sight("7H 7C KD", plays=after("KH QD 4C", "010"), pile=parse_cards("KH QD 4C"))
    assert Expert(0).play(hand) == solid_card(hand) == parse_cards("7H")[0]


@pytest.mark.parametrize("play", [solid_card, Expert(0).play])
def test_who_can_play_nothing_is_told_so(play: Play) -> None:
    with pytest.raises(ValueError, match="say go"):
        play(sight("KD", plays=after("KH QD 4C", "010"), pile=parse_cards("KH QD 4C")))


def test_an_expert_who_is_told_what_cannot_be_plays_on() -> None:
    # Pone said go at 12, which no hand can be right about, and the dealer played three cards in a row.
    plays = after("2H KH AD AS", "0111")
    seen = sight("4H", plays=plays, pile=tuple(card.card for card in plays), goes=(Go(0, 12, 1),), out=(0,))
    seen = replace(seen, hand=parse_cards("4H 8H")[:2], plays=plays[:3], pile=seen.pile[:3])
    assert expert_card(seen) in seen.playable


def test_who_needs_two_takes_them_and_has_won() -> None:
    # A pair now is two and the game; any other card would be better for the deal alone.
    plays = after("8H", "0")
    seen = sight("7H 8C 6D 6S", plays=plays, pile=parse_cards("8H"), scores=(118, 119))
    assert expert_card(seen).rank in {Rank.SEVEN, Rank.EIGHT}


def test_the_caller_says_what_the_end_is_worth() -> None:
    plays = after("8H", "0")
    seen = sight("7H 8C KD QS", plays=plays, pile=parse_cards("8H"))
    hands_seen: list[NDArray[np.intp]] = []

    def as_little_as_can_be(pegged: NDArray[np.int16], hands: NDArray[np.intp]) -> NDArray[np.float64]:
        hands_seen.append(hands)
        return -pegged[:, 1].astype(np.float64)

    assert expert_card(seen).rank in {Rank.SEVEN, Rank.EIGHT}
    assert expert_card(seen, utility=as_little_as_can_be).rank in {Rank.KING, Rank.QUEEN}
    shown = np.concatenate(hands_seen)
    assert (shown[:, 1] == -1).all()
    assert (HANDS[shown[:, 0]] == Rank.EIGHT - 1).any(axis=1).all()  # pone has played an eight


def test_what_the_other_keeps_tells_which_card_is_safe() -> None:
    low, high = (0, 1, 2, 3), (4, 9, 10, 11)

    def kept(dealer: tuple[int, ...], pone: tuple[int, ...]) -> NDArray[np.float64]:
        return np.array([[float(tuple(one) == hand) for one in HANDS.tolist()] for hand in (dealer, pone)])

    lead = sight("4H 9C KD KS", seat=0)  # it is the dealer who answers
    solid = policies.policy(lead.rules)
    assert expert_card(lead, kept=kept(high, low), model=solid).rank is Rank.FOUR
    assert expert_card(lead, kept=kept(low, high), model=solid).rank is not Rank.FOUR


def test_the_reply_of_the_third_player_is_feared_too() -> None:
    tens = (9, 10, 11, 12)  # who comes next answers with a ten: a four led makes 14 then, a three 13
    lead = SeatSight(
        preset("standard", 3),
        0,
        2,
        (0, 0, 0),
        parse_cards("3H 3C 4D 4S"),
        parse_cards("KH"),
        parse_cards("8S")[0],
    )

    def kept(dealer: tuple[int, ...]) -> NDArray[np.float64]:
        return np.array([[float(tuple(one) == hand) for one in HANDS.tolist()] for hand in (dealer, tens)])

    for dealer, best in ((0, Rank.THREE), (1, Rank.FOUR)):
        ranks, values = values_in_worlds(
            lead,
            kept((dealer,) * 4),
            None,
            margin(0),
            WORLDS,
            np.random.default_rng(0),
            model=policies.policy(lead.rules),
        )
        assert ranks[values.argmax()] == best - 1


def test_with_three_expert_plays_as_solid() -> None:
    chance, rules = Random(36), preset("standard", 3)
    for scores in ((0, 0, 0), (118, 119, 60)):
        dealt = tuple(chance.sample(PACK, 5))
        to_discard = SeatSight(rules, 0, 2, scores, dealt)
        assert Expert(1).discard(to_discard) == Solid().discard(to_discard)
        state = at_the_lead(rules, chance)
        assert played(state, [Expert(1).play] * 3) == played(state, [solid_card] * 3)


@pytest.mark.parametrize("players", [3, 4])
def test_solid_plays_what_brings_most_in_the_worlds_that_it_tries(players: int) -> None:
    chance, lost, plainly = Random(34), 0.0, 0.0
    for _ in range(10):
        state = at_the_lead(preset("standard", players), chance)
        assert state.deal is not None
        assert state.deal.turn is not None
        seen = sight_of(state, state.deal.turn)
        points = margin(seen.side)
        kept = policies.kept_hands(players)
        ranks, values = values_in_worlds(
            seen,
            kept,
            None,
            points,
            2000,
            np.random.default_rng(1),
            model=policies.policy(seen.rules),
        )
        worth = {
            rank: value
            for rank, value in zip(ranks.tolist(), values.tolist(), strict=True)
            if value > -np.inf
        }
        at = position(seen)
        plain = int(at.hold()[0, policies.policy(seen.rules).values(at)[0].argmax()])
        lost += max(values) - worth[solid_card(seen).rank - 1]
        plainly += max(values) - worth[plain]
    assert lost < plainly / 2


def test_without_its_table_the_play_goes_on_more_plainly(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object, caplog: pytest.LogCaptureFixture
) -> None:
    hand = sight("4H 5C 10D KS", seat=0)
    monkeypatch.setattr(tables, "DATA", tmp_path)
    caches = (tables.load, discard_table, policies._policy, policies.kept_hands)
    for cache in caches:
        cache.cache_clear()
    try:
        assert solid_card(hand) in hand.playable
        assert expert_card(hand) in hand.playable
    finally:
        for cache in caches:
            cache.cache_clear()
    assert "make tables" in caplog.text


def pegged(plays: list[Play], seed: int, deals: int) -> float:
    """Return what seat 0 pegs more than seat 1 in a deal, with either dealing as it falls."""
    chance, found = Random(seed), []
    for _ in range(deals):
        state = at_the_lead(STANDARD, chance)
        before = state.scores()
        scores = played(state, plays)[0].scores()
        found.append(scores[0] - before[0] - scores[1] + before[1])
    return sum(found) / deals


def test_solid_pegs_more_than_chance() -> None:
    assert pegged([solid_card, by_chance(Random(1))], 41, 60) > 0.5


@pytest.mark.prove
def test_expert_pegs_more_than_solid() -> None:
    gain = (pegged([expert_card, solid_card], 42, 1500) - pegged([solid_card, expert_card], 42, 1500)) / 2
    print(f"expert pegs {gain:.3f} of a point a deal more than solid")
    assert gain > 0.1


def test_the_margin_is_that_of_the_points_and_of_who_has_won() -> None:
    worth = margin(0, np.array([3, 5], np.int16))
    points = np.array([[2, 4], [3, 1], [0, 5]], np.int16)
    assert worth(points, np.zeros((3, 2), np.intp)).tolist() == [-2, 27, -30]
