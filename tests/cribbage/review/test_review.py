"""The review of a game: luck and decisions add up to the result, the best players make no mistakes, and what
can't be reviewed is said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile
from pathlib import Path
from random import Random

import pytest
from support.games import referee_game
from support.samples import some_of

from cribpi.commands.replay import replay
from cribpi.cribbage.analysis.winning import EVEN, winning
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import CardPlayed, Discarded, Event, Misdealt, StarterTurned
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.record import Comment, parse
from cribpi.cribbage.review.deals import deals_of
from cribpi.cribbage.review.decisions import Mark, Which
from cribpi.cribbage.review.lines import review_lines
from cribpi.cribbage.review.report import review_json, sentence
from cribpi.cribbage.review.review import KnownDeal, Review, course_of, review
from cribpi.cribbage.rules.rules import STANDARD, Rules, changed, preset

GAMES = Path(__file__).parents[2] / "games"
CLOSE = 1e-9
SHOWN = 0.000_501
"""How far a chance that is rounded to be shown may be from the exact one."""


def played(levels: Sequence[str], seed: int, rules: Rules = STANDARD) -> list[Event]:
    """Return a game between *levels* with cards that hang on *seed*."""
    chance = Random(seed)
    packs: dict[int, list[Card]] = {}

    def pack(deal: int) -> list[Card]:
        return packs.setdefault(deal, chance.sample(PACK, len(PACK)))

    players = [opponent(level, chance=Random(seed + seat)) for seat, level in enumerate(levels)]
    return [event for event, _ in game(players, rules, pack, dealer=seed % rules.players)]


def recorded(name: str) -> list[Event]:
    return [entry.event for entry in replay(GAMES / f"{name}.crib")]


@cache
def of(name: str) -> Review:
    """Return the review of a recorded game."""
    return review(recorded(name))


@cache
def reviewed(*levels: str, seed: int = 1, players: int = 2, target: str = "121") -> Review:
    rules = changed(preset("standard", players), {"target": target})
    return review(played(levels, seed, rules))


def assert_adds_up(found: Review) -> None:
    course = found.course
    assert course is not None
    decided = course.lost(1) - course.lost(0)
    assert abs(EVEN + course.luck + course.counts + decided - course.deals[-1].after) < CLOSE
    at = EVEN + course.cut_for_deal
    for deal in course.deals:
        assert abs(deal.before - at) < CLOSE
        skill = deal.discards[1] + deal.plays[1] - deal.discards[0] - deal.plays[0]
        at = deal.after
        assert abs(deal.before + deal.cards + deal.cut + deal.play + deal.count + skill - at) < CLOSE
    if found.state.winner is not None:
        assert course.deals[-1].after == float(found.state.winner == 0)


@pytest.mark.parametrize("seed", some_of(range(3), 0))
def test_luck_and_decisions_add_up_to_the_result(seed: int) -> None:
    found = reviewed("thrifty", "chance", seed=seed, target="61")
    assert_adds_up(found)
    assert all(
        deal.is_known and abs(deal.count) < CLOSE for deal in (found.course.deals if found.course else ())
    )


@pytest.mark.prove
@pytest.mark.parametrize("levels", [("solid", "expert"), ("chance", "chance"), ("thrifty", "solid")])
def test_they_add_up_in_every_game(levels: tuple[str, str]) -> None:
    for seed in range(100, 120):
        assert_adds_up(reviewed(*levels, seed=seed))


@pytest.mark.parametrize(
    "name",
    some_of(
        [
            "acc-muggins-2",
            "dealt-2",
            "four-by-points",
            "lowe-2",
            "lowe-4",
            "travel-61-2",
            "two-by-cards",
            "two-by-points",
        ],
        0,
        2,
        6,
        7,
    ),
)
def test_they_add_up_in_recorded_games_of_every_kind(name: str) -> None:
    assert_adds_up(of(name))


def test_expert_makes_no_mistake_and_chance_many() -> None:
    found = reviewed("expert", "chance", seed=3)
    expert, chance = (found.marks(seat) for seat in range(2))
    assert expert[Mark.MISTAKE] == expert[Mark.BLUNDER] == expert[Mark.INACCURACY] == 0
    assert chance[Mark.MISTAKE] + chance[Mark.BLUNDER] >= 4
    best, worst = (found.accuracy(seat) for seat in range(2))
    assert best is not None
    assert worst is not None
    assert best > 0.99
    assert worst < 0.9


@pytest.mark.prove
def test_expert_makes_none_in_many_games() -> None:
    """Above the noise of its own sampling, a fifth of a percent of the games."""
    for seed in range(30):
        found = reviewed("expert", "expert", seed=seed)
        assert max(one.lost for one in found.decisions) < 0.01, seed


@pytest.mark.parametrize("seed", some_of(range(8), 1))
def test_expert_makes_no_mistake_with_four_either(seed: int) -> None:
    """Worlds are sampled there, by the player and by the review: it is less sure than with two."""
    found = reviewed(*["expert"] * 4, seed=seed, players=4)
    assert max(one.lost for one in found.decisions) < 0.03
    costly = [one for one in found.decisions if one.mark is Mark.INACCURACY]
    assert len(costly) <= len(found.decisions) / 20


def test_who_runs_from_a_skunk_is_not_blamed_for_it() -> None:
    """A discard for the skunk wins 4 % less often than the best, and brings as much: it is as good."""
    found = reviewed("expert", "expert", seed=110)
    ran = [one for one in found.decisions if one.is_for_the_skunk]
    assert {(one.deal, one.seat) for one in ran} == {(6, 1), (8, 0)}
    assert max(one.lost_worth for one in ran) >= 0.04
    for one in ran:
        assert one.lost < one.lost_worth
        brings = [option.brings or 0.0 for option in one.options]
        assert one.lost == round(max(brings) - brings[one.options.index(one.chosen)], 3)
        assert "wins" in sentence(one, [f"{name}'s" for name in found.state.names])
        assert "with a skunk at stake it is just as good" in sentence(
            one, [f"{name}'s" for name in found.state.names]
        )
    assert_adds_up(found)


@pytest.mark.parametrize("stake", [(1, 1, 1), (1, 2, 3)])
def test_a_bad_card_is_one_whatever_a_skunk_costs(stake: tuple[int, int, int]) -> None:
    rules = replace(STANDARD, stake=stake, target=61)
    found = review(played(["expert", "chance"], 3, rules))
    costly = [one for one in found.of(1) if one.lost_worth >= 0.08]
    assert costly
    for one in costly:
        assert (one.chosen.brings is None) == (stake == (1, 1, 1))
        assert one.mark in {Mark.MISTAKE, Mark.BLUNDER}


@pytest.mark.parametrize("players", [3, 4])
def test_three_are_weighed_in_points_and_four_by_the_chance_of_winning(players: int) -> None:
    levels = ["thrifty", "chance", "thrifty", "chance"][:players]
    rules = changed(preset("standard", players), {"target": "61"})
    found = review(played(levels, 2, rules))
    assert {one.which for one in found.decisions} == {*Which}
    assert {one.best.chance is None for one in found.decisions} == {players == 3}
    careful, careless = (found.accuracy(seat) for seat in range(2))
    assert careful is not None
    assert careless is not None
    assert careful > careless
    if players == 3:
        assert found.course is None
        assert found.lacking == (
            "with three players everything is in points: there are no chances of winning",
        )
        return
    assert_adds_up(found)
    assert not found.lacking
    assert found.course is not None
    lost = [sum(one.lost_worth for seat in (side, side + 2) for one in found.of(seat)) for side in range(2)]
    assert [found.course.lost(side) for side in range(2)] == pytest.approx(lost)
    assert all(deal.is_known and abs(deal.count) < CLOSE for deal in found.course.deals)
    began = [deal.first for deal in deals_of(played(levels, 2, rules))]
    for before, deal in zip(began, found.course.deals, strict=True):
        assert before.deal is not None
        scores = before.scores()[:: 1 if before.deal.dealer in (0, 2) else -1]
        dealers = winning(4)[61 - scores[0], 61 - scores[1]]
        exact = dealers if before.deal.dealer in (0, 2) else 1.0 - dealers
        assert deal.before == pytest.approx(exact, abs=SHOWN)
    (first, second), text = review_json(found)["sides"], "\n".join(review_lines(review_json(found)))
    assert f"{first}'s decisions, " in text
    assert f"{second}'s decisions: " in text


def test_with_real_cards_the_play_is_reviewed_and_the_discards_are_said_to_lack() -> None:
    events, found = recorded("standard-2"), of("standard-2")
    assert {one.which for one in found.decisions} == {Which.PLAY}
    assert found.lacking[0].endswith("only the play can be reviewed: discards are not known")
    cards = {one.number: one for one in found.decisions}
    first = next(number for number, event in enumerate(events, 1) if isinstance(event, CardPlayed))
    assert len(cards[first].sight.hand) == 4  # known from what was played later


def test_of_a_game_by_points_only_the_course_is_told() -> None:
    found = of("two-by-points")
    assert found.decisions == ()
    assert found.lacking == ("only points were entered: decisions can't be reviewed",)
    assert found.course is not None


def test_a_game_without_cards_has_nothing_to_review() -> None:
    found = review(recorded("dealt-2")[:1])
    assert (found.decisions, found.course) == ((), None)
    assert found.lacking == ("no cards were dealt: there is nothing to review",)


@pytest.mark.parametrize("part", some_of([5, 40, 111], 1))
def test_an_unfinished_game_is_reviewed_as_far_as_it_goes(part: int) -> None:
    events = recorded("dealt-2")[:part]
    found = review(events)
    assert_adds_up(found)
    assert len(found.decisions) == len([one for one in of("dealt-2").decisions if one.number <= part])


def test_a_discard_that_is_still_to_be_made_is_not_said_to_lack() -> None:
    begun = recorded("dealt-2")[:3]
    assert isinstance(begun[-1], Discarded)
    assert review(begun).lacking == ()


def test_one_discard_that_is_not_known_is_one() -> None:
    text = """cribpi record 1
game "ANN" "BOB" dealer=1
dealt 0 5H 5S 6D 7C 8C KD
laid-away 0 KD 8C
starter 2H
play 0:5H
"""
    found = review(event for event in parse(text) if not isinstance(event, Comment))
    assert [one.which for one in found.decisions] == [Which.DISCARD, Which.PLAY]
    assert found.lacking == ("1 discard can't be reviewed: it is not known",)


def test_wrong_counts_are_told_apart_from_luck() -> None:
    found = of("acc-2")
    course, lines = found.course, list(review_lines(review_json(found)))
    assert course is not None
    assert course.counts < -0.5
    (total,) = (line for line in lines if line.startswith("50, "))
    numbers = [float(number) for number in re.findall(r"(?<= )[+-][\d.]+", total)]
    decided = (-course.lost(0), course.lost(1))
    assert numbers == [round(100 * one, 1) for one in (course.luck, course.counts, *decided)]
    assert " luck, -114.4 wrong counts and penalties, " in total
    assert " play     count" in next(line for line in lines if line.startswith("deal "))
    assert not any("count" in line for line in review_lines(review_json(of("dealt-2"))))


def test_nothing_is_less_than_nothing() -> None:
    assert not any("-0.0" in line for line in review_lines(review_json(reviewed("expert", "chance", seed=3))))


def test_what_a_misdeal_takes_back_is_left_out() -> None:
    events = recorded("acc-muggins-2")
    back = [number for number, event in enumerate(events, 1) if isinstance(event, Misdealt)]
    found = of("acc-muggins-2")
    assert back
    again = fold(events[: back[0]]).deal
    assert again is not None
    assert all(one.number > back[0] for one in found.decisions if one.deal == again.number)


TOLD = some_of(["dealt-2", "standard-2", "acc-muggins-2", "computer-game-2"], 0, 2)


def tenths(percent: str) -> int:
    return round(10 * float(percent))


@pytest.mark.parametrize("name", TOLD)
def test_the_course_adds_up_in_the_figures_that_are_shown(name: str) -> None:
    lines = list(review_lines(review_json(of(name))))
    head = next(place for place, line in enumerate(lines) if line.startswith("deal    "))
    told = takewhile(lambda line: not line.startswith("50, "), lines[head + 1 :])
    rows = [list(map(tenths, line.split()[2:])) for line in told]
    before = 0
    for place, (was, *luck, first, second, after) in enumerate(rows):
        assert was + sum(luck) - first + second == after, lines[head + 1 + place]
        assert place == 0 or was == before
        before = after
    total = lines[head + 1 + len(rows)]
    changes = map(tenths, re.findall(r"[+-][0-9.]+", total))
    assert 500 + sum(changes) == before == tenths(re.findall(r": ([0-9.]+)\.  ", total)[0])
    lost = [tenths(one) for one in re.findall(r"([+-][0-9.]+) [^,:]+'s decisions", total)]
    assert [-sum(row[-3] for row in rows), sum(row[-2] for row in rows)] == lost


@pytest.mark.parametrize("name", TOLD)
def test_a_cost_is_the_difference_of_the_figures_beside_it(name: str) -> None:
    found, seen = of(name), 0
    for one in review_json(found)["decisions"]:
        best, chosen = one["options"][0], one["options"][one["chosen"]]
        for option in one["options"]:
            if one["which"] == "discard":
                parts = option["hand"] + option["crib"] + option["play"]
                assert f"{parts:.1f}" == f"{option['points']:.1f}"
        chance = re.search(r"wins ([0-9.]+)% less often", one["words"])
        if chance is None:
            continue
        seen += 1
        shown = [tenths(f"{100 * option['chance']:.1f}") for option in (best, chosen)]
        assert shown[0] - shown[1] == tenths(chance[1]), one["words"]
        points = re.search(r"gives up ([0-9.]+) point", one["words"])
        if points is not None:
            assert f"{best['points'] - chosen['points']:.1f}" == points[1]
    assert seen > 10


def test_a_decision_says_what_it_cost_and_why() -> None:
    found = of("dealt-2")
    said = {one.number: sentence(one, [f"{name}'s" for name in found.state.names]) for one in found.decisions}
    worst = max(found.decisions, key=lambda one: one.lost)
    assert worst.mark is Mark.BLUNDER
    assert said[worst.number] == (
        "7-Q to ANN's own crib wins 23.2% less often than 5-Q and gives up 12.4 points: 7-8-8-9 averages "
        "14.2, 5-8-8-9 5.0"
    )
    best = next(one for one in found.decisions if one.chosen is one.best)
    assert said[best.number].endswith(": the best choice")


def test_each_decision_is_one_that_was_made() -> None:
    events = recorded("dealt-2")
    for one in of("dealt-2").decisions:
        event = events[one.number - 1]
        assert isinstance(event, Discarded | CardPlayed)
        assert event.seat == one.seat
        assert one.options[0].worth >= one.chosen.worth >= one.options[-1].worth
        assert 0 <= one.lost <= one.stake
        assert one.which is Which.DISCARD or len({card.rank for card in one.sight.playable}) > 1, "no choice"


def test_a_jack_turned_up_is_luck_of_the_cut() -> None:
    seen = 0
    for name in ("dealt-2", "standard-2", "travel-121-2", "computer-game-2"):
        deals = list(deals_of(recorded(name)))
        for deal, told in zip(deals, course_of(deals, ()).deals, strict=True):
            turned = next((one for one in deal.happened if isinstance(one.event, StarterTurned)), None)
            starter = deal.starter
            if turned is None or starter is None or not told.is_known:
                continue
            if turned.after.winner is not None or turned.after.scores() == turned.before.scores():
                continue
            seen += 1
            hands = (deal.kept_cards(0), deal.kept_cards(1))
            known = KnownDeal(deal.dealer, hands, deal.crib, turned.before.rules)
            mine, theirs = (turned.after.rules.target - score for score in turned.after.scores())
            at = told.before + told.cards + told.cut
            exact = known.before_the_play((mine, theirs), [starter])[0]
            assert at == pytest.approx(exact, abs=SHOWN)
    assert seen


@pytest.mark.parametrize("players", [2, 4])
def test_the_luck_of_the_cut_is_even_over_every_starter(players: int) -> None:
    """Whatever hands were kept: over all starters that could have been turned it comes to nothing."""
    seen = 0
    for deal in deals_of(played(["thrifty"] * players, 4, preset("standard", players))):
        turned = next((one for one in deal.happened if isinstance(one.event, StarterTurned)), None)
        hands = tuple(deal.kept_cards(seat) for seat in range(players))
        if turned is None or any(len(hand) < 4 for hand in hands):
            continue
        known = KnownDeal(deal.dealer, hands, deal.crib, turned.before.rules)
        target, chances = turned.before.rules.target, []
        for starter in {*PACK} - {card for cards in (*hands, deal.crib) for card in cards}:
            after = step(turned.before, StarterTurned(starter))
            mine, theirs = (max(target - score, 0) for score in after.scores())
            won = None if after.winner is None else float(after.winner == 0)
            chances.append(known.before_the_play((mine, theirs), [starter])[0] if won is None else won)
        mine, theirs = (target - score for score in turned.before.scores())
        assert known.before_the_cut((mine, theirs)) == pytest.approx(sum(chances) / len(chances))
        seen += 1
    assert seen > 3


def test_progress_is_told_deal_by_deal() -> None:
    told: list[tuple[int, int]] = []
    review(recorded("two-to-61"), lambda done, deals: told.append((done, deals)))
    assert told == [(done, 5) for done in range(6)]


def test_a_game_of_the_referees_is_reviewed_by_any_rules() -> None:
    found = review([one.event for one in referee_game(Random(5), 2, 61, suited=True)])
    assert_adds_up(found)
