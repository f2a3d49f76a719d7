"""How a deal stands towards the game, against the plain chances of winning; and what `expert` makes of it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from cribpi.cribbage.analysis.discard.ways import ways
from cribpi.cribbage.analysis.pack import BY_NUMBER, HANDS
from cribpi.cribbage.analysis.shows import hand_points as array_points
from cribpi.cribbage.analysis.winning import _worth_in_the_play, stages
from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.deal import Played
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.advice import advise
from cribpi.cribbage.players.expert import Expert, aim, chances
from cribpi.cribbage.players.opponent import has_own_crib
from cribpi.cribbage.players.solid import ways_of
from cribpi.cribbage.players.win_chance import (
    AverageGame,
    DiscardOutcome,
    after_the_play,
    average_game,
    before_the_crib,
    chances_of_ways,
    hand_points_by_ranks,
    stakes_of,
    worth_of,
)
from cribpi.cribbage.rules.rules import STANDARD, Rules, preset
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.worth import hand_points

FOUR = preset("standard", 4)


@pytest.fixture(scope="module", params=[STANDARD, replace(STANDARD, heels=3), FOUR], ids=["2", "3", "four"])
def usual(request: pytest.FixtureRequest) -> AverageGame:
    return average_game(request.param)


def average(usual: AverageGame, *, is_dealer: bool, mine: float = 0.0, theirs: float = 0.0) -> DiscardOutcome:
    """Return what the average way brings, twice."""
    two = np.ones((2, 1))
    points = usual.points
    hand = points.dealer_hand if is_dealer else points.pone_hand
    return DiscardOutcome(two * hand, two * points.crib, np.full(2, mine), np.full(2, theirs))


@pytest.mark.parametrize("heels", [0.0, 4 / 52])
@pytest.mark.parametrize(
    ("dealer", "pone"), [(121, 121), (60, 50), (30, 15), (10, 8), (4, 3), (1, 1), (1, 30), (25, 1), (2, 2)]
)
def test_the_average_way_has_the_plain_chance_of_winning(
    usual: AverageGame, dealer: int, pone: int, heels: float
) -> None:
    before = 1.0 - usual.after.T
    plain = stages(replace(usual.points, heels=heels), before).deal[dealer, pone]
    mine = chances_of_ways(
        usual, average(usual, is_dealer=True), place=1, to_go=dealer, their_to_go=pone, heels=heels
    )
    hers = chances_of_ways(
        usual, average(usual, is_dealer=False), place=0, to_go=pone, their_to_go=dealer, heels=heels
    )
    assert mine == pytest.approx([plain] * 2, abs=1e-9)
    assert hers == pytest.approx([1 - plain] * 2, abs=1e-9)


@pytest.mark.parametrize("is_dealer", [False, True])
@pytest.mark.parametrize(("to_go", "their_to_go"), [(121, 121), (40, 25), (12, 20), (5, 5)])
def test_more_points_are_never_worse(
    usual: AverageGame, to_go: int, their_to_go: int, *, is_dealer: bool
) -> None:
    def chance(outcome: DiscardOutcome) -> float:
        found = chances_of_ways(
            usual, outcome, place=int(is_dealer), to_go=to_go, their_to_go=their_to_go, heels=0.05
        )
        return float(found[0])

    plain = average(usual, is_dealer=is_dealer)
    more = np.roll(plain.hand, 1, axis=1)
    assert chance(DiscardOutcome(more, plain.crib, plain.mine, plain.theirs)) > chance(plain)
    crib = np.roll(plain.crib, 1, axis=1)
    assert (chance(DiscardOutcome(plain.hand, crib, plain.mine, plain.theirs)) >= chance(plain)) == is_dealer
    assert chance(average(usual, is_dealer=is_dealer, mine=0.5)) > chance(plain)
    assert chance(average(usual, is_dealer=is_dealer, theirs=0.5)) < chance(plain)


@pytest.mark.parametrize("is_dealer", [False, True])
@pytest.mark.parametrize(
    ("to_go", "their_to_go"),
    [(121, 121), (121, 60), (60, 121), (121, 40), (40, 121), (12, 20), (2, 2), (1, 1)],
)
def test_what_is_pegged_in_the_play_counts_both_ways_at_every_score(
    usual: AverageGame, to_go: int, their_to_go: int, *, is_dealer: bool
) -> None:
    """Also on the start, from which no hole leads back, and on the last hole, from which one leads home."""

    def chance(mine: float = 0.0, theirs: float = 0.0) -> float:
        outcome = average(usual, is_dealer=is_dealer, mine=mine, theirs=theirs)
        found = chances_of_ways(
            usual, outcome, place=int(is_dealer), to_go=to_go, their_to_go=their_to_go, heels=0.05
        )
        return float(found[0])

    assert chance(mine=-0.2) < chance() < chance(mine=0.2)
    assert chance(theirs=0.2) < chance() < chance(theirs=-0.2)


@pytest.mark.parametrize("to_go", [3, 9, 12])
def test_with_four_a_hand_that_wins_is_worth_more_the_earlier_it_is_shown(to_go: int) -> None:
    four = average_game(FOUR)
    counts = np.eye(30)[[12, 0]]
    outcome = DiscardOutcome(counts, np.tile(four.points.crib, (2, 1)), np.zeros(2), np.zeros(2))
    found = [
        chances_of_ways(four, outcome, place=place, to_go=to_go, their_to_go=to_go, heels=0.0)
        for place in range(4)
    ]
    gains = [twelve - nothing for twelve, nothing in found]
    assert gains[0] > gains[1] > gains[2] > gains[3] > 0


def test_from_the_start_a_hole_back_is_worth_what_a_hole_forward_is(usual: AverageGame) -> None:
    def chance(mine: float, to_go: int) -> float:
        outcome = average(usual, is_dealer=True, mine=mine)
        return float(chances_of_ways(usual, outcome, place=1, to_go=to_go, their_to_go=121, heels=0.0)[0])

    forward, back = chance(0.5, 121) - chance(0, 121), chance(0, 121) - chance(-0.5, 121)
    assert back == pytest.approx(forward)
    assert back == pytest.approx(chance(0, 120) - chance(-0.5, 120), rel=0.15), "as one hole on"


@pytest.mark.parametrize(
    ("dealer", "pone", "hers", "his", "chance", "why"),
    [
        (0, 9, 12, 0, 1.0, "the dealer has won in the play"),
        (9, 0, 0, 12, 0.0, "pone has won in the play"),
        (5, 6, 6, 9, 0.0, "pone shows first, and is home"),
        (5, 7, 6, 9, 1.0, "pone falls one short, and the dealer is home"),
        (5, 7, 6, 4, 1.0, "the crib has one at least"),
        (60, 60, 0, 0, None, "far from home"),
    ],
)
def test_pone_shows_first_then_the_dealer_then_the_crib(
    usual: AverageGame, dealer: int, pone: int, hers: int, his: int, chance: float | None, why: str
) -> None:
    crib = np.zeros(30)
    crib[1:5] = 0.25
    table = before_the_crib(usual.after, crib)
    shows = [np.array([points]) for points in (hers, his)]
    found = after_the_play(table, np.array([dealer]), np.array([pone]), shows)[0]
    if chance is None:
        chance = float(sum(0.25 * usual.after[dealer - points, pone] for points in range(1, 5)))
    assert found == pytest.approx(chance), why


def test_hands_are_counted_by_their_ranks() -> None:
    chance = Random(1)
    for _ in range(200):
        number, starter = chance.randrange(1820), chance.randrange(13)
        ranks = HANDS[number]
        if (ranks == starter).sum() == 4:
            continue
        hand = [Card(Rank(int(rank) + 1)) for rank in ranks]
        assert hand_points_by_ranks(starter)[number] == hand_points(hand, Card(Rank(starter + 1)))


OPEN, SINGLE = STANDARD, replace(STANDARD, match="first-to-1")


# --- expert -----------------------------------------------------------------------------------------


def before_the_discard(hand: str, scores: tuple[int, int], dealer: int, rules: Rules = STANDARD) -> SeatSight:
    return SeatSight(rules, 0, dealer, scores, parse_cards(hand))


def test_early_in_the_game_expert_keeps_what_brings_most() -> None:
    """In hand, crib and play together; mostly that is what brings most in hand and crib alone."""
    chance = Random(3)
    same = 0
    for _ in range(40):
        sight = SeatSight(STANDARD, 0, chance.randrange(2), (0, 0), tuple(chance.sample(BY_NUMBER, 6)))
        away = set(Expert(0).discard(sight))
        same += away == set(ways(sight.hand, own_crib=sight.seat == sight.dealer)[0].away)
        points = {frozenset(row.away): row.points for row in advise(sight)}
        assert points[frozenset(away)] > max(points.values()) - 0.05
    assert same > 20


def test_expert_keeps_what_is_enough_to_win() -> None:
    """Pone needs eight and shows first; the dealer needs eleven.  Only a hand that has eight as it is wins
    for sure."""
    hand = "4C 5D 6H 6S JC QD"
    sight = before_the_discard(hand, (113, 110), dealer=1)
    taken = Expert(0).discard(sight)
    kept = [card for card in sight.hand if card not in taken]
    starters = np.array([number for number, card in enumerate(BY_NUMBER) if card not in sight.hand], np.uint8)

    def enough(cards: list[Card]) -> float:
        four = np.tile(np.array([BY_NUMBER.index(card) for card in cards], np.uint8), (46, 1))
        return float((array_points(np.column_stack((four, starters))) >= 8).mean())

    best = max(enough(list(way.kept)) for way in ways_of(sight))
    assert enough(kept) == best


def test_with_little_hope_left_expert_still_finds_what_wins_most_often() -> None:
    """The dealer needs one: pone has to peg out, or to show six before the dealer pegs anything."""
    sight = before_the_discard("7C 2S 4D 5S QH KD", (115, 120), dealer=1, rules=SINGLE)
    won = chances(sight, ways_of(sight))
    assert len(set(won.round(6))) > 10, "no two choices are made alike"
    plain = replace(
        average_game(SINGLE), points=replace(average_game(SINGLE).points, endgame=np.zeros((122, 122)))
    )
    without = chances(sight, ways_of(sight), plain)
    assert (won.argsort() == without.argsort()).all(), "what is won more often by all changes no choice"


def test_expert_weighs_the_score_and_not_the_points_alone() -> None:
    chance = Random(7)
    differing = 0
    for _ in range(10):
        hand = tuple(chance.sample(BY_NUMBER, 6))
        away = {
            frozenset(Expert(0).discard(SeatSight(STANDARD, 0, 0, scores, hand)))
            for scores in ((0, 0), (117, 100), (90, 118))
        }
        differing += len(away) > 1
    assert differing > 5


@pytest.mark.parametrize("name", ["standard", "computer-game", "travel-61", "use-and-care", "acc"])
def test_chances_are_chances_by_every_preset(name: str) -> None:
    rules = preset(name)
    for mine, theirs in ((0, 0), (rules.target - 1, rules.target - 1), (rules.target - 30, 5)):
        for dealer in (0, 1):
            sight = before_the_discard("5H 6C 7D JS QS KH", (mine, theirs), dealer, rules)
            found = chances(sight, ways_of(sight))
            assert ((found >= 0) & (found <= 1)).all()
            assert len(found) == 15


def test_the_end_of_the_play_is_worth_a_chance_to_win() -> None:
    starter = Card.parse("9S")
    sight = SeatSight(
        STANDARD,
        0,
        1,
        (110, 118),
        parse_cards("5D 6H"),
        discards=parse_cards("KC QC"),
        starter=starter,
        plays=tuple(
            Played(seat, card) for seat, card in zip((0, 1, 0, 1), parse_cards("4C 10D 6C 9C"), strict=True)
        ),
    )
    worth = aim(sight)
    assert worth is not None
    pegged = np.array([[0, 0], [1, 0], [11, 2], [5, 3]], np.int16)
    found = worth(pegged, np.array([[-1, 1000]] * 4))
    mine = hand_points(parse_cards("4C 6C 5D 6H"), starter)
    assert mine == 16
    assert found.tolist() == [1.0, 1.0, 1.0, 0.0], "sixteen are enough, unless the dealer is home in the play"


def test_the_chance_grows_with_the_own_score_and_falls_with_the_others() -> None:
    def best(mine: int, theirs: int) -> float:
        sight = before_the_discard("5H 6C 7D JS QS KH", (mine, theirs), 0)
        return float(chances(sight, ways_of(sight)).max())

    assert best(100, 60) > best(60, 60) > best(60, 100)
    assert best(110, 20) > 0.99
    assert best(20, 115) < 0.01


@pytest.mark.parametrize(
    ("players", "seat", "dealer", "own"),
    [(2, 1, 1, True), (2, 1, 0, False), (3, 2, 2, True), (3, 2, 0, False), (4, 1, 3, True), (4, 1, 2, False)],
)
def test_the_crib_is_the_dealers_and_his_partners(players: int, seat: int, dealer: int, *, own: bool) -> None:
    rules = preset("standard", players)
    sight = SeatSight(rules, seat, dealer, (0,) * (3 if players == 3 else 2), parse_cards("5H 6C 7D JS QS"))
    assert has_own_crib(sight) == own


# --- where skunks count ---------------------------------------------------------------------------------


def past_the_skunk(rules: Rules, mine: int, theirs: int) -> float:
    """Return how likely hands that expert keeps as pone take it past the skunk line, on the mean of some."""
    chance, found = Random(11), 0.0
    for _ in range(60):
        sight = SeatSight(rules, 0, 1, (mine, theirs), tuple(chance.sample(BY_NUMBER, 6)))
        away = set(Expert(0).discard(sight))
        way = next(way for way in ways_of(sight) if set(way.away) == away)
        found += float(way.hand_points[rules.skunk_below - mine :].sum())
    return found / 60


def test_where_skunks_count_expert_saves_itself_from_one() -> None:
    counted, plain = past_the_skunk(OPEN, 81, 110), past_the_skunk(SINGLE, 81, 110)
    assert counted > plain + 0.02, "a hand of ten is worth more than what the dealer can't use any more"


def test_where_skunks_count_the_last_card_saves_from_one() -> None:
    """Three cards of pone's are gone.  The other will be home with its hand, whatever falls now."""
    played = parse_cards("KC 5S QC 3H")
    sight = SeatSight(
        OPEN,
        0,
        1,
        (90, 112),
        parse_cards("2S 9H"),
        discards=parse_cards("AD AH"),
        starter=Card.parse("KD"),
        plays=tuple(Played(seat, card) for seat, card in zip((0, 1, 0, 1), played, strict=True)),
        pile=played,
        turn=0,
    )
    worth = aim(sight, average_game(OPEN, with_stakes=True))
    assert worth is not None
    hands = np.array([[-1, 1000]] * 3)
    over, saved, lost = worth(np.array([[31, 0], [1, 9], [0, 9]], np.int16), hands).tolist()
    assert (over, saved, lost) == pytest.approx((0.5 + 1 / 6, 0.5 - 1 / 6, 0.5 - 2 / 6)), (
        "a win is worth one, a loss one, and a skunk two, of the three that a double skunk is worth"
    )


@pytest.mark.parametrize(
    ("rules", "stakes"),
    [
        (OPEN, {0: 1, 30: 1, 31: 2, 60: 2, 61: 3, 121: 3}),
        (SINGLE, None),
        (replace(STANDARD, match="best-of-5"), None),
        (replace(STANDARD, skunk=False, double_skunk=False), None),
        (replace(STANDARD, stake=(2, 2, 2)), None),
        (preset("acc"), {0: 2, 30: 2, 31: 3, 121: 3}),
        (replace(STANDARD, target=61), {0: 1, 30: 1, 31: 2, 61: 2, 121: 2}),
    ],
)
def test_skunks_count_where_game_follows_game(rules: Rules, stakes: dict[int, int] | None) -> None:
    """By the loser's points to go: a loser on 91 of 121 has 30 to go, and is not skunked."""
    found = stakes_of(rules)
    assert (found and {to_go: found[to_go] for to_go in stakes or ()}) == stakes


def test_a_skunk_in_the_play_is_told_after_half_of_what_the_other_pegs() -> None:
    """The winner pegs six, the other eight: with 34 to go before the play it has 30 when the game ends."""
    play = np.zeros((9, 9))
    play[6, 8] = 1.0
    found = _worth_in_the_play(worth_of(stakes_of(OPEN) or ()), play)
    assert found[5, [34, 35, 64, 65]].tolist() == pytest.approx([0.5 + one / 6 for one in (1, 2, 2, 3)])


def test_where_no_skunk_is_possible_any_more_the_stakes_change_nothing() -> None:
    plain, by = average_game(OPEN), average_game(OPEN, with_stakes=True)
    near = slice(1, 31)
    np.testing.assert_allclose(by.after[near, near], 0.5 + (plain.after[near, near] - 0.5) / 3, atol=1e-4)


def test_what_a_game_is_worth_to_one_it_costs_the_other() -> None:
    by = average_game(OPEN, with_stakes=True)
    before = 1 - by.after.T
    assert before[121, 121] == pytest.approx(0.5, abs=0.03)
    assert before[10, 100] > before[10, 40] > before[10, 20], "with a skunk in sight it is worth more"
    assert ((by.after >= 0) & (by.after <= 1)).all()
    for dealer, pone in ((50, 5), (5, 50)):
        mine, hers = (
            chances_of_ways(
                by,
                average(by, is_dealer=is_dealer),
                place=int(is_dealer),
                to_go=one,
                their_to_go=other,
                heels=0.0,
            )[0]
            for is_dealer, one, other in ((True, dealer, pone), (False, pone, dealer))
        )
        assert mine + hers == pytest.approx(1.0)
