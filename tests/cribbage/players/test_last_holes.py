"""The last holes: what the other keeps there, and what the play leaves to go after each discard."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from cribpi.cribbage.analysis.pack import HAND_COUNTS, HANDS, hand_numbers
from cribpi.cribbage.analysis.pegging import belief
from cribpi.cribbage.analysis.pegging.batch import deals_from_the_lead
from cribpi.cribbage.analysis.pegging.belief import free_cards
from cribpi.cribbage.analysis.pegging.policy import Policy, kept_at, kept_hands, policy, policy_to_win
from cribpi.cribbage.analysis.tables import TablesError
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import CardPlayed, GoSaid
from cribpi.cribbage.game.sight import SeatSight, sight_of
from cribpi.cribbage.players.advice import Advised, advise, sight_for
from cribpi.cribbage.players.endgame_sampling import (
    NEAR,
    WORLDS_OF_FOUR,
    _worlds_of_four,
    is_near,
    to_go_after_play,
)
from cribpi.cribbage.players.expert import Expert, chances
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.opponent import RandomPlayer
from cribpi.cribbage.players.solid import ways_of
from cribpi.cribbage.players.win_chance import average_game
from cribpi.cribbage.rules.rulebook import rulebook
from cribpi.cribbage.rules.rules import STANDARD, preset
from cribpi.cribbage.words.cards import parse_cards
from cribpi.workshop.tables.self_play import drawn_hands


def near(hand: str, scores: tuple[int, int], *, is_dealer: bool = True) -> SeatSight:
    return sight_for(parse_cards(hand), is_dealer=is_dealer, scores=scores)


def by_away(rows: tuple[Advised, ...]) -> dict[str, float]:
    return {"-".join(sorted(card.rank.symbol for card in row.away)): row.win or 0.0 for row in rows}


def test_what_pegs_by_itself_alone_is_not_kept_where_the_hand_must_win() -> None:
    """Pone, who shows first, has three to go: the dealer's seven must be pegged, and a pair of 2s helps."""
    won = by_away(advise(near("2C 2D 2H 2S 4H 9C", (114, 118))))
    assert max(won, key=won.__getitem__) != "2-2"
    assert won["2-2"] < 0.06, "9.6 % by the mean"


@pytest.mark.parametrize(
    ("hand", "scores", "least", "most"),
    [("4H 6C 6D 7S 7H 9C", (116, 113), 0.50, 0.64), ("AC 6D 7H 8S 9C QH", (118, 114), 0.63, 0.78)],
)
def test_the_chance_of_a_hand_near_the_end_is_one_that_games_bear_out(
    hand: str, scores: tuple[int, int], least: float, most: float
) -> None:
    assert least < (advise(near(hand, scores))[0].win or 0.0) < most


@pytest.mark.parametrize("is_dealer", [True, False])
def test_what_a_player_wins_by_keeping_cards_that_peg_is_counted_once(*, is_dealer: bool) -> None:
    """The worlds that are tried have it for the player's own choice, but not for the other's."""
    sight = near("4H 6C 6D 7S 7H 9C", (116, 113) if is_dealer else (113, 116), is_dealer=is_dealer)
    usual = average_game(STANDARD)
    no_more = replace(usual, points=replace(usual.points, endgame=np.zeros_like(usual.points.endgame)))
    ways = ways_of(sight)
    more = chances(sight, ways, usual) - chances(sight, ways, no_more)
    assert usual.points.endgame[5, 8] > 0.04, "playing to the score helps the dealer here"
    if is_dealer:
        assert np.abs(more).max() < 0.006
    else:
        assert more.min() < -0.02


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("seed", range(6))
def test_the_plays_end_by_the_rules(seed: int, players: int) -> None:
    chance = Random(seed)
    to_go = chance.randint(1, NEAR), chance.randint(1, 25)
    scores = (121 - to_go[0], 121 - to_go[1]) if seed % 3 else (121 - to_go[1], 121 - to_go[0])
    rules = preset("standard", players)
    hand = chance.sample(PACK, rules.sizes.dealt)
    sight = sight_for(hand, is_dealer=bool(seed % 2), scores=scores, rules=rules)
    assert is_near(sight)
    ways = ways_of(sight)
    left = to_go_after_play(sight, ways)
    dealer, pone = (121 - scores[role] for role in ((0, 1) if seed % 2 else (1, 0)))
    assert left.shape[::2] == (len(ways), 2)
    assert (left >= 0).all()
    assert (left <= (dealer, pone)).all()
    assert not (left == 0).all(axis=2).any(), "one side goes out, and the game is over"
    went_on = (left > 0).all(axis=2)
    pegged = (dealer + pone - left.sum(axis=2))[went_on]
    assert (pegged > 0).all(), "somebody pegs the last card"
    for one, way in enumerate(ways):  # suits don't matter in the play
        for two, other in enumerate(ways):
            if sorted(card.rank for card in way.kept) == sorted(card.rank for card in other.kept):
                assert (left[one] == left[two]).all()


def test_a_dealer_with_one_to_go_pegs_it_unless_pone_is_out_first() -> None:
    sight = near("AC 6D 7H 8S 9C QH", (120, 60))
    left = to_go_after_play(sight, ways_of(sight))
    assert (left[..., 0] == 0).all(), "the last card, if nothing else"
    assert chances(sight, ways_of(sight)) == pytest.approx(1.0)
    jack = to_go_after_play(near("AC 6D 7H 8S 9C QH", (119, 60)), ways_of(sight))
    assert (jack[..., 0] == 0).mean() > 4 / 46, "his heels are two"


@pytest.mark.parametrize("dealer", range(4))
def test_the_worlds_of_four_are_packs_that_can_be(dealer: int) -> None:
    rules = preset("standard", 4)
    sight = SeatSight(rules, 1, dealer, (116, 112), tuple(Random(dealer).sample(PACK, 5)))
    hands, starters = _worlds_of_four(sight)
    assert hands.shape == (WORLDS_OF_FOUR, 4)
    assert (hands[:, 1] == -1).all()
    held = HAND_COUNTS[hands[:, [0, 2, 3]]].sum(axis=1) + np.eye(13, dtype=np.intp)[starters]
    assert (held <= free_cards(sight)).all(), "no rank more often than the pack has it left"
    assert [one.tolist() for one in _worlds_of_four(sight)] == [hands.tolist(), starters.tolist()], "the same"
    tens = np.isin(starters, [9, 10, 11, 12]).mean()
    assert abs(tens - free_cards(sight)[9:].sum() / 47) < 0.1, "a starter is any card"


def test_partners_go_out_for_each_other() -> None:
    """The dealer's side has one to go: whoever of the two pegs first wins, if the others have far to go."""
    rules = preset("standard", 4)
    for dealer in range(4):
        sight = SeatSight(rules, 0, dealer, (120, 60), tuple(Random(dealer).sample(PACK, 5)))
        left = to_go_after_play(sight, ways_of(sight))
        side = dealer % 2  # that of the scores which comes first
        assert (left[..., side] == 0).mean() > 0.9


def test_far_from_the_end_and_with_three_players_nothing_is_tried() -> None:
    assert not is_near(near("AC 6D 7H 8S 9C QH", (110, 110)))
    assert is_near(near("AC 6D 7H 8S 9C QH", (0, 111)))
    assert not is_near(sight_for(PACK[:5], is_dealer=True, scores=(118, 118), rules=preset("standard", 3)))


def share_won(first: Policy, second: Policy, to_go: int, number: int) -> float:
    """Return how often *first* is home before *second* in the play, of the deals in which one of them is."""
    won = lost = 0
    hands, starters = drawn_hands(kept_hands(2), np.random.default_rng(8), number)
    for seat in (0, 1):
        needs = np.full(2, to_go, np.int16)
        deals = deals_from_the_lead(STANDARD, HANDS[hands], 0, starters=starters, needs=needs)
        while (on := np.flatnonzero(deals.turn >= 0)).size:
            for who, policy_of in ((seat, first), (1 - seat, second)):
                rows = on[deals.turn[on] == who]
                if not rows.size:
                    continue
                some = deals.take(rows)
                some.play(policy_of.values(some).argmax(axis=1))
                deals.put(rows, some)
        home = deals.pegged >= needs
        won, lost = won + int(home[:, seat].sum()), lost + int(home[:, 1 - seat].sum())
    return won / (won + lost)


def test_who_plays_to_win_is_home_more_often_near_the_end() -> None:
    plain, to_win = policy(STANDARD), policy_to_win(STANDARD)
    assert share_won(to_win, plain, 2, 4000) > 0.505
    assert share_won(to_win, replace(to_win, game=12.0), 3, 4000) > 0.503, "a reply that loses is feared less"
    assert share_won(plain, plain, 2, 200) == 0.5, "the same cards for both"


# --- what the other keeps ----------------------------------------------------------------------------


def test_hands_are_kept_as_ever_far_from_the_end_and_more_of_those_that_peg_near_it() -> None:
    assert (kept_at(60, 60) == kept_hands(2)).all()
    rows = kept_at(4, 30)
    assert rows.sum(axis=1) == pytest.approx(np.ones(2))
    assert (rows[1] == kept_hands(2)[1]).all(), "pone is far from it"
    assert ((rows[0] > 0) >= (kept_hands(2)[0] > 0)).all()
    tens = (HANDS >= 9).sum(axis=1)
    assert rows[0] @ tens < 0.85 * (kept_hands(2)[0] @ tens), "a dealer keeps fewer tens to peg with"


def test_what_expert_keeps_near_the_end_is_likelier_than_what_is_kept_elsewhere() -> None:
    chance, near_it, elsewhere = Random(3), [], []
    for number in range(40):
        is_dealer = bool(number % 2)
        dealer, pone = chance.randint(2, 8), chance.randint(2, 8)
        scores = (121 - dealer, 121 - pone) if is_dealer else (121 - pone, 121 - dealer)
        sight = sight_for(chance.sample(PACK, 6), is_dealer=is_dealer, scores=scores)
        away = Expert(1, reads=False).discard(sight)
        kept = sorted(card.rank - 1 for card in sight.hand if card not in away)
        place = int(not is_dealer), int(hand_numbers(np.array([kept]))[0])
        near_it.append(np.log(kept_at(dealer, pone)[place]))
        elsewhere.append(np.log(kept_hands(2)[place] + 1e-5))
    assert np.mean(near_it) > np.mean(elsewhere) + 0.3


def test_without_the_table_of_what_hands_peg_they_are_kept_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_players: int) -> None:
        raise TablesError("it is missing")

    monkeypatch.setattr("cribpi.cribbage.analysis.pegging.policy.pegging", missing)
    kept_at.cache_clear()
    assert (kept_at(3, 3) == kept_hands(2)).all()
    kept_at.cache_clear()


@pytest.mark.parametrize("name", [name for name, one in rulebook().presets.items() if 2 in one.players])
@pytest.mark.parametrize("seed", range(4))
def test_what_was_kept_goes_by_the_scores_before_the_play(
    monkeypatch: pytest.MonkeyPatch, name: str, seed: int
) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(belief, "kept_at", lambda *to_go: asked.append(to_go))
    rules, chance, plays = preset(name), Random(seed), 0
    players = (RandomPlayer(seed), RandomPlayer(seed + 1))
    for event, state in game(players, rules, lambda _deal: chance.sample(PACK, len(PACK))):
        deal = state.deal
        if deal is None or deal.turn is None or not isinstance(event, CardPlayed | GoSaid):
            continue
        asked.clear()
        belief.kept_by(sight_of(state, deal.turn))
        began = [rules.target - pegs.front for pegs in deal.pegs]
        assert asked == [(began[deal.dealer], began[1 - deal.dealer])]
        plays += 1
    assert plays > 40


def test_others_are_known_by_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief, "kept_at", lambda *_: pytest.fail("that is for two"))
    for players in (3, 4):
        sight = sight_for(PACK[:5], is_dealer=True, scores=(118, 118), rules=preset("standard", players))
        assert (belief.kept_by(sight) == kept_hands(players)).all()
    assert STANDARD.players == 2
