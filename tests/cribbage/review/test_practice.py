"""Whose mistakes come first: a person's last finished games, the worst decision before the others."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from support import naive
from support.greedy_games import greedy_game, journal_of

from cribpi.companion.history.past_games import read_games
from cribpi.cribbage.game.cards import in_order
from cribpi.cribbage.review import GAMES, practice
from cribpi.cribbage.review.decisions import DecisionOption, Mark, Which
from cribpi.cribbage.review.practice import NoSuchOption, positions, worst_first
from cribpi.cribbage.review.report import position_json
from cribpi.cribbage.words.cards import parse_cards


def test_a_persons_last_finished_games_are_found_newest_first(tmp_path: Path) -> None:
    own = [greedy_game(seed, ("Ann", "BLUE"), 31) for seed in range(GAMES + 1)]
    of_others = greedy_game(8, ("BLUE", "Cleo"), 31)
    as_computer = greedy_game(9, ("BLUE", "Ann"), 31, ("", "solid"))
    in_seat_1 = greedy_game(10, ("BLUE", "Ann"), 31)
    unfinished = greedy_game(11, ("Ann", "BLUE"), 31)[:-1]
    journal_of(tmp_path, *own, of_others, as_computer, in_seat_1, unfinished)
    found = read_games(tmp_path, lambda games: list(islice(games.of_person("Ann"), GAMES)))
    assert [(game.number, game.seat) for game in found] == [(9, 1), (6, 0), (5, 0), (4, 0), (3, 0)]
    assert [list(game.events) for game in found] == [in_seat_1, *reversed(own[2:])]
    assert read_games(tmp_path, lambda games: list(games.of_person("nobody"))) == []


def test_the_worst_mistake_comes_first_and_what_was_right_not_at_all() -> None:
    decided = [(0.01 * at, mark, mark) for at, mark in enumerate(Mark)]
    assert worst_first(decided) == [Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY]
    assert worst_first([(0.02, "mistake", "newer"), (0.02, "mistake", "older")]) == ["newer", "older"]


def test_a_position_to_practise_is_one_where_something_is_at_stake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    good, even, worse = (
        DecisionOption(parse_cards(cards), 0.5, 0.0) for cards in ("6C 7D", "JS QS", "QS KH")
    )
    worse = replace(worse, chance=0.499)
    found = iter([(), (good,), (good, even), (good, worse)])
    monkeypatch.setattr(practice, "options_of", lambda _sight, _which: next(found))
    assert next(positions(Which.DISCARD, Random(1))).options == (good, worse)


def test_a_hand_to_practise_with_lies_as_it_does_at_the_table() -> None:
    for which in Which:
        for position in islice(positions(which, Random(1)), 3):
            told = position_json(position)
            for cards in (told["hand"], *(option["cards"] for option in told["options"])):
                assert cards == [str(card) for card in in_order(parse_cards(" ".join(cards)))]


def test_what_is_asked_to_be_counted_is_worth_what_a_plain_count_gives() -> None:
    counted = list(islice(practice.counts(Random(3)), 600))
    for one in counted:
        assert sum(score.points for score in one.scores) == naive.show(
            one.cards, one.starter, is_crib=one.is_crib
        )
    flushes = [one for one in counted if len({card.suit for card in one.cards}) == 1]
    assert any(one.starter.suit is not one.cards[0].suit for one in flushes if not one.is_crib)
    assert 0 < sum(one.is_crib for one in counted) < 300, "some are cribs, most are hands"


def test_the_scores_of_a_position_are_those_of_a_game_that_goes_on() -> None:
    for score in (score for seed in range(400) for score in practice._scores(Random(seed))):
        assert 0 <= score < 121


@pytest.mark.parametrize(("which", "number", "says"), [(Which.DISCARD, 1, "two"), (Which.PLAY, 2, "one")])
def test_another_number_of_cards_than_is_asked_for_is_answered_with_that(
    which: Which, number: int, says: str
) -> None:
    position = next(positions(which, Random(1)))
    with pytest.raises(NoSuchOption, match=f"give {says} card"):
        position.decided(position.sight.hand[:number])


def test_what_is_decided_is_that_option_of_the_position_with_what_it_lost() -> None:
    position = next(positions(Which.DISCARD, Random(1)))
    best, worst = position.options[0], position.options[-1]
    assert position.decided(best.cards).lost == 0
    assert position.decided(worst.cards[::-1]).lost == pytest.approx(best.worth - worst.worth)
    assert position.decided(worst.cards).chosen == worst
