"""`cribpi practice`: each answer is told what it was worth, one's own mistakes come first."""

from __future__ import annotations

import io
import re
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from support.greedy_games import greedy_game, journal_of

from cribpi.cli import main
from cribpi.review.decisions import Which
from cribpi.review.practice import positions
from cribpi.review.review import review


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
    assert "Right: fifteen two, and a pair is four." in out
    assert "No: fifteen two, fifteen four, and a run of three is seven." in out
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
    assert "wins" in out or "the best there was" in out
    assert re.search(r"[01] of 1 right", out)


def test_ones_own_mistakes_come_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = greedy_game(8, ("Ann", "BLUE"), 61)
    journal_of(tmp_path, game)
    worst = max(review(game).of(0, Which.PLAY), key=lambda one: one.lost)
    answer = worst.best.cards[0]
    code, out, _ = run(
        capsys, monkeypatch, f"{answer}\n", "pegging", "--name", "Ann", "--state", tmp_path, "--many", 1
    )
    assert code == 0
    assert f"(game 1, deal {worst.deal})" in out
    assert ": the best there was." in out
    assert f"In game 1, deal {worst.deal} it was {worst.chosen.cards[0].rank.symbol}." in out
    assert "1 of 1 right, 1 in a row" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("juggling",), "juggling: choose discards, pegging or counting"),
        (("discards", "--name", "Nobody"), "no finished game of 'Nobody'"),
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


def test_a_crib_is_yours_or_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list(islice(positions(Which.DISCARD, Random(4)), 8))
    answers = "".join(f"{one.sight.hand[0]} {one.sight.hand[1]}\n" for one in asked)
    _, out, _ = run(capsys, monkeypatch, answers, "discards", "--seed", 4, "--many", len(asked))
    whose = ["your" if one.sight.is_dealer else "the other's" for one in asked]
    assert len(set(whose)) == 2
    assert re.findall(r"\d, (.*) crib\n", out) == whose
    own = [one.replace("your", "your own") for one in whose]
    assert re.findall(r"\? [^ ]+ to (.*?) crib[: ]", out) == own


def test_q_ends_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "q\n", "counting", "--seed", 1)
    assert code == 0
    assert out.endswith("nothing was answered\n")
