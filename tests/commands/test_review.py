"""`cribpi review`: of the last finished game, of one by its number, of a record; mistakes are one line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import pytest
from support.games import referee_game
from support.greedy_games import greedy_game, journal_of
from support.refusals import is_line_with

from cribpi.cli import main
from cribpi.companion.history.reviews import FOLDER, Reviews, keep, keys_of
from cribpi.cribbage.analysis.tables import TablesError
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.review import review
from cribpi.cribbage.review.by_name import by_name
from cribpi.cribbage.review.report import review_json

GAMES = Path(__file__).parents[1] / "games"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of two finished games, and of one that is not over."""
    games = [greedy_game(seed, ("Ann", name), 31) for seed, name in ((8, "Bob"), (9, "Cleo"))]
    return journal_of(tmp_path_factory.mktemp("kept"), *games, greedy_game(4, ("Ann", "Dan"))[:9])


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["review", *map(str, arguments)])
    return code, *capsys.readouterr()


def test_without_a_number_it_is_the_last_finished_game(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    code, out, err = run(capsys, "--state", folder, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["names"] == ["Ann", "Cleo"]


def test_one_by_its_number_is_told_in_lines(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, err = run(capsys, 1, "--state", folder)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Ann ")
    assert any(line.startswith("accuracy") and line.count("%") == 2 for line in lines)
    assert "Ann's chance of winning, in percent; cards, cut and play are luck" in lines
    assert sum(line.startswith("50, ") for line in lines) == 1


def test_an_unfinished_one_is_reviewed_by_its_number_and_not_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with_real_cards = [one.event for one in referee_game(Random(4), 2, 61, suited=True)][:-9]
    code, out, _ = run(capsys, 1, "--state", journal_of(tmp_path, with_real_cards))
    assert code == 0
    assert "not over yet" in out
    assert not (tmp_path / FOLDER).exists()


def test_one_that_is_not_over_and_hides_cards_is_not_reviewed(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    code, out, err = run(capsys, 3, "--state", folder)
    assert (code, out) == (2, "")
    assert is_line_with(err, "cribpi review: ", "game 3 is not over", "hidden")


def test_a_record_is_reviewed_too(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, GAMES / "two-to-61.crib")
    assert code == 0
    assert "with real cards only the play can be reviewed: discards are not known" in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cribpi record 1\n", "no game in it: give a game record, a .crib file"),
        ("what is this", "a record begins with the line"),
        ('cribpi record 1\ngame "A" "B" dealer=0\ngame "A" "B" dealer=0\n', "more than one game: import it"),
        ('cribpi record 1\ngame "A" "B" dealer=0\nplay 0:7\n', "line 3"),
    ],
)
def test_what_cannot_be_reviewed_is_said_in_a_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "game.crib"
    path.write_text(text)
    code, out, err = run(capsys, path)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("play 0:KS\n", "line 30, column 6: "),
        ("plaice\n", "line 30, column 1: 'plaice' begins no line of a record"),
        ('game "ANN" "BOB" dealer=0\n', "more than one game"),
    ],
)
def test_a_damaged_record_is_reviewed_up_to_the_damage(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, damage: str, said: str
) -> None:
    whole = (GAMES / "dealt-2.crib").read_text().splitlines(keepends=True)[:29]
    sound, damaged = tmp_path / "sound.crib", tmp_path / "damaged.crib"
    sound.write_text("".join(whole))
    damaged.write_text("".join((*whole, damage)))
    _, expected, _ = run(capsys, sound)
    code, out, err = run(capsys, damaged)
    assert "accuracy" in expected
    assert (code, out) == (2, expected)
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("game", "said"), [("4", "there is no game 4: choose 1 to 3"), ("0", "no game 0")])
def test_a_game_that_is_not_there_is_said(
    capsys: pytest.CaptureFixture[str], folder: Path, game: str, said: str
) -> None:
    code, _, err = run(capsys, game, "--state", folder)
    assert code == 2
    assert said in err


def test_a_missing_table_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacks(*_: object) -> None:
        raise TablesError("winning-2: the table is missing")

    monkeypatch.setattr(review, "review", lacks)
    code, _, err = run(capsys, 1, "--state", journal_of(tmp_path, GAME))
    assert code == 2
    assert is_line_with(err, "cribpi review: ", "winning-2", "missing")


# --- kept beside the journal -------------------------------------------------------------------------

GAME = greedy_game(5, ("Ann", "Eve"), 31)


def test_one_is_made_once_and_the_page_shows_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = journal_of(tmp_path, GAME)
    _, out, _ = run(capsys, "--json", "--state", folder)
    monkeypatch.setattr(review, "review", lambda *_: pytest.fail("it is made twice"))
    assert run(capsys, "--json", "--state", folder) == (0, out, "")
    assert by_name(Reviews(folder).of(GAME), fold(GAME)) == {"pending": 0, **json.loads(out)}
    assert run(capsys, "--state", folder)[1].startswith("Ann ")


def test_one_that_the_page_kept_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = journal_of(tmp_path, GAME)
    found = review_json(review.review(GAME))
    keep(folder, keys_of(GAME)[0], found)
    monkeypatch.setattr(review, "review", lambda *_: pytest.fail("it is made again"))
    assert json.loads(run(capsys, "--json", "--state", folder)[1]) == by_name(found, fold(GAME))


@pytest.mark.parametrize("refused", ["by the disk", "as another's"])
def test_one_that_can_t_be_kept_is_shown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    """As root in the folder of the service: what it wrote there, the service could not replace."""
    folder = journal_of(tmp_path, GAME)
    if refused == "by the disk":
        (folder / FOLDER).write_text("no folder")
    else:
        monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    code, out, err = run(capsys, "--state", folder)
    assert (code, err) == (0, "")
    assert out.startswith("Ann ")
    assert not (folder / FOLDER).is_dir()
