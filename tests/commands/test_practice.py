"""`cribpi practice`: each answer is told what it was worth, one's own mistakes come first."""

from __future__ import annotations

import io
import re
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from support.greedy_games import greedy_game, journal_of
from support.refusals import is_line_with

from cribpi.cli import main
from cribpi.companion.history.reviews import keep, keys_of
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.review.decisions import Which
from cribpi.cribbage.review.practice import RIGHT, positions
from cribpi.cribbage.review.report import review_json
from cribpi.cribbage.review.review import review
from cribpi.cribbage.rules.rules import changed, preset


def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, answers: str, *arguments: object
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    capsys.readouterr()
    code = main(["practice", *map(str, arguments)])
    return code, *capsys.readouterr()


def test_a_count_is_said_line_by_line_and_a_typo_asks_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = run(capsys, monkeypatch, "30\nx\n4\n12\n", "counting", "--seed", 5, "--many", 2)
    assert (code, err) == (0, "")
    assert out.count("give a number from 0 to 29") == 2
    assert "Right.\n" in out
    assert re.search(r"Right\.\n( +(\d\w? ?)+ +fifteen two\n) +\w+ \w+ +a pair is four\n\n", out)
    assert "No: 7.\n" in out
    assert re.search(r" fifteen two\n.* fifteen four\n.* a run of three is seven\n\n", out)
    assert out.splitlines()[-1].startswith("1 of 2 right, 0 in a row; ")


@pytest.mark.parametrize("what", ["discards", "pegging"])
def test_each_decision_is_told_what_it_was_worth(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Whatever is asked: the first cards of the hand, after one that is not held."""
    _, asked, _ = run(capsys, monkeypatch, "", what, "--seed", 4)
    held = re.search(r"you hold (.*)", asked)
    assert held
    cards = held[1].split()
    wanted = cards[:2] if what == "discards" else cards[:1]
    missing = next(
        f"{rank}H"
        for rank in "A23456789"
        if f"{rank}H" not in cards and not any(card.startswith(rank) for card in cards)
    )
    wrong = " ".join([missing, missing] if what == "discards" else [missing])
    code, out, err = run(
        capsys, monkeypatch, f"{wrong}\n?\n{' '.join(wanted)}\n", what, "--seed", 4, "--many", 1
    )
    assert (code, err) == (0, "")
    assert f"you don't hold the {missing}" in out
    assert "wins" in out or "the best choice" in out
    assert re.search(r"[01] of 1 right", out)


def test_ones_own_mistakes_come_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    played = greedy_game(8, ("Ann", "BLUE"), 61)
    journal_of(tmp_path, played)
    worst = max(review(played).of(0, Which.PLAY), key=lambda one: one.lost)
    answer = worst.best.cards[0]
    code, out, _ = run(
        capsys, monkeypatch, f"{answer}\n", "pegging", "--name", "Ann", "--state", tmp_path, "--many", 1
    )
    assert code == 0
    assert f"(game 1, deal {worst.deal})" in out
    assert ": the best choice." in out
    assert f"In game 1, deal {worst.deal} it was {worst.chosen.cards[0].rank.symbol}." in out
    assert "1 of 1 right, 1 in a row" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("juggling",), "juggling: choose discards, pegging or counting"),
        (("discards", "--name", "Nobody"), "no finished game of 'Nobody'"),
        (("pegging", "--many", "0"), "--many 0: practise at least one"),
    ],
)
def test_what_cannot_be_practised_is_said(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    journal_of(tmp_path, greedy_game(8, ("Ann", "BLUE"), 31))
    code, _, err = run(capsys, monkeypatch, "", *arguments, "--state", tmp_path)
    assert code == 2
    assert said in err


def test_a_crib_is_yours_or_your_opponents(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list(islice(positions(Which.DISCARD, Random(4)), 8))
    answers = "".join(f"{one.sight.hand[0]} {one.sight.hand[1]}\n" for one in asked)
    _, out, _ = run(capsys, monkeypatch, answers, "discards", "--seed", 4, "--many", len(asked))
    whose = ["your" if one.sight.seat == one.sight.dealer else "your opponent's" for one in asked]
    assert len(set(whose)) == 2
    assert re.findall(r"\d, (.*) crib\n", out) == whose
    own = ["your own" if one == "your" else one for one in whose]
    assert re.findall(r"\? [^ ]+ to (.*?) crib[: ]", out) == own


@pytest.mark.parametrize("players", [3, 4])
def test_mistakes_of_games_of_three_and_four_are_practised(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, players: int
) -> None:
    """For the last seat: with partners, its side's score stands at another place than its name."""
    rules = changed(preset("standard", players), {"target": "31"})
    at_random = [opponent("chance", chance=Random(seat)) for seat in range(players)]
    found = [event for event, _ in game(at_random, rules, lambda deal: Random(deal).sample(PACK, 52))]
    journal_of(tmp_path, found)
    seat = players - 1
    cribs = {seat: "your", seat - 2: "your partner's"} if players == 4 else {seat: "your"}
    dealers, of_all = dict[Which, set[int]](), review(found)
    keep(tmp_path, keys_of(found)[0], review_json(of_all))
    for what, which in (("discards", Which.DISCARD), ("pegging", Which.PLAY)):
        own = [one for one in of_all.of(seat, which) if one.mark not in RIGHT]
        own.sort(key=lambda one: -one.lost)
        dealers[which] = {one.sight.dealer for one in own}
        answers = "".join(f"{one.best.cards[0]}\n" for one in own)
        asked = ("--name", f"SEAT {seat}", "--state", tmp_path, "--many", len(own))
        code, out, err = run(capsys, monkeypatch, answers, what, *asked)
        assert (code, err) == (0, "")
        assert out.count("the best choice.") == len(own)
        told = re.findall(r"^(\d+) to (.*), (.*) crib \(", out, re.MULTILINE)
        for one, (mine, theirs, crib) in zip(own, told, strict=True):
            scores = list(one.sight.scores)
            assert scores.pop(one.sight.side) == int(mine)
            assert " and ".join(map(str, scores)) == theirs
            assert crib == cribs.get(one.sight.dealer, "an opponent's")
    assert all(dealers.values())
    assert len(set().union(*dealers.values())) > 1


def test_all_that_was_played_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list(islice(positions(Which.PLAY, Random(3)), 4))
    answers = "".join(f"{one.options[0].cards[0]}\n" for one in asked)
    _, out, _ = run(capsys, monkeypatch, answers, "pegging", "--seed", 3, "--many", len(asked))
    begun = [one.sight for one in asked if len(one.sight.plays) > len(one.sight.pile)]
    earlier = [
        " ".join(str(play.card) for play in sight.plays[: -len(sight.pile) or None]) for sight in begun
    ]
    assert begun
    assert re.findall(r"^in earlier counts (.*)$", out, re.MULTILINE) == earlier
    assert out.count("you discarded ") == len(asked)


def test_q_ends_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "q\n", "counting", "--seed", 1)
    assert code == 0
    assert out.endswith("no answers\n")


def test_a_race_stops_the_clock_between_hands_and_a_wrong_count_costs_ten_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter(range(1000))
    monkeypatch.setattr("cribpi.commands.practice.time.monotonic", lambda: float(next(ticks)))
    asked = ("counting", "--seed", 5, "--many", 3, "--race")
    code, out, err = run(capsys, monkeypatch, "4\n\n12\n\n7\n", *asked)
    assert (code, err) == (0, "")
    assert out.count("ENTER for the next hand ") == 2
    wrong = out.count("No: ")
    assert wrong > 0
    time = f"Your time: {3 + 10 * wrong}.0 seconds, {10 * wrong} of them for {wrong} wrong"
    assert out.splitlines()[-1] == time


def test_a_race_that_is_not_run_to_its_end_has_no_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, out, _ = run(capsys, monkeypatch, "4\nq\n", "counting", "--seed", 5, "--race")
    assert "Your time" not in out
    assert "1 of 1 right" in out.splitlines()[-1]


def test_only_counting_is_raced(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, _, err = run(capsys, monkeypatch, "", "pegging", "--race")
    assert code == 2
    assert is_line_with(err, "cribpi practice: --race", "counting", "pegging")
