"""`cribpi advise`: what it prints, and what it refuses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cribpi
from cribpi.analysis import make, tables
from cribpi.cli import main
from cribpi.commands import advise as command
from cribpi.core.rules import STANDARD

HAND = "5H 6C 7D JS QS KH"


def advised(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["advise", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_every_way_is_there_once_and_the_best_stands_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = advised(HAND, "--dealer", "--score", "96-101", "--json", capsys=capsys)
    assert (code, err, out.count("\n")) == (0, "", 1)
    ways = json.loads(out)["ways"]
    assert len({frozenset(way["away"]) for way in ways}) == 15
    assert all(sorted(way["away"] + way["keep"]) == sorted(HAND.split()) for way in ways)
    assert (ways[0]["away"], ways[0]["keep"]) == (["6C", "7D"], ["5H", "JS", "QS", "KH"])
    wins = [way["win"] for way in ways]
    assert wins == sorted(wins, reverse=True)
    assert all(0 <= win <= 1 for win in wins)
    for way in ways:
        assert way["points"] == pytest.approx(way["hand"] + way["crib"] + way["play"], abs=2e-4)
        assert way["crib"] > 0
        assert way["why"]


def test_a_pone_gives_its_cards_to_the_other_side(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = advised(HAND, "--pone", "--json", capsys=capsys)
    assert all(way["crib"] < 0 for way in json.loads(out)["ways"])


def test_people_are_given_a_table_and_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = advised(HAND, "--dealer", capsys=capsys)
    lines = out.splitlines()
    assert code == 0
    assert lines[0].split() == ["discard", "keep", "hand", "crib", "play", "wins"]
    assert len(lines) == 1 + 15 + 2
    assert lines[-1] == ("Keep 5 J Q K (average 11.4) and give 6 7 to your crib (4.8).")


def test_three_players_are_dealt_five_and_lay_one_away(capsys: pytest.CaptureFixture[str]) -> None:
    three = ("--rules", "lowe", "--rule", "players=3")
    code, out, _ = advised("5H 6C 7D JS QS", "--dealer", *three, "--json", capsys=capsys)
    ways = json.loads(out)["ways"]
    assert (code, len(ways), {len(way["away"]) for way in ways}) == (0, 5, {1})
    assert all(way["win"] is None and way["play"] is None for way in ways)
    _, out, _ = advised("5H 6C 7D JS QS", "--pone", *three, capsys=capsys)
    assert out.splitlines()[0].split() == ["discard", "keep", "hand", "crib"]
    assert "the dealer's crib" in out


def test_the_score_decides_where_points_do_not() -> None:
    """With one to go pone needs no crib: it shows first, and has a point in any hand but few."""
    late = command.advice("AH 2C 9D 9S KS KH", "120-110", STANDARD, is_dealer=False)
    early = command.advice("AH 2C 9D 9S KS KH", "0-0", STANDARD, is_dealer=False)
    assert [way.away for way in early] != [way.away for way in late]
    wins = [way.win for way in late if way.win is not None]
    assert len(wins) == 15
    assert wins[0] > 0.8


REFUSED = [
    # hand                   arguments                       what is said
    ("5H 6C 7D JS QS", ("--dealer",), "has 5 cards: with 2 players you are dealt 6"),
    ("5H 6C 7D JS QS KH AH", ("--pone",), "has 7 cards"),
    ("5H", ("--dealer",), "has 1 card: with"),
    ("", ("--dealer",), "has 0 cards: with"),
    ("5H 6C 7D JS QS KH", ("--dealer", "--rule", "players=3"), "has 6 cards: with 3 players you are dealt 5"),
    ("5H 6C 7D JS QS 5H", ("--pone",), "5H twice"),
    ("5H 6C 7D JS QS 1X", ("--pone",), "is not a card"),
    ("5H 6C 7D JS QS K", ("--pone",), "K has no suit"),
    (HAND, ("--pone", "--score", "121-3"), "121 has won a game to 121"),
    (HAND, ("--pone", "--score", "60-61", "--rules", "travel-61"), "61 has won a game to 61"),
    (HAND, ("--pone", "--score", "3-99999"), "99999 has won a game to 121"),
    (HAND, ("--pone", "--score", "3--5"), "write your score and your opponent's, as 96-101"),
    (HAND, ("--pone", "--score", "-3-5"), "expected one argument"),
    (HAND, ("--pone", "--score=-3-5"), "write your score and your opponent's, as 96-101"),
    (HAND, ("--pone", "--score", "many"), "write your score and your opponent's, as 96-101"),
    (HAND, ("--pone", "--rules", "nobody"), "nobody"),
    (HAND, (), "one of the arguments --dealer --pone is required"),
    (HAND, ("--dealer", "--pone"), "not allowed with"),
]


@pytest.mark.parametrize(("hand", "arguments", "words"), REFUSED)
def test_what_makes_no_sense_is_refused_in_one_sentence(
    hand: str, arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code, out, err = advised(hand, *arguments, capsys=capsys)
    except SystemExit as ended:  # argparse's own
        said = capsys.readouterr()
        code, out, err = int(ended.code or 0), said.out, said.err
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1


def a_home(folder: Path) -> Path:
    """Copy the program, so that its tables can be damaged; return where they lie."""
    shutil.copytree(
        Path(cribpi.__file__).parent, folder / "cribpi", ignore=shutil.ignore_patterns("__pycache__")
    )
    return folder / "cribpi" / "analysis" / "data"


def from_home(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-m", "cribpi", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", ["laying-away-2", "pegging-2"])
def test_a_table_without_which_there_is_no_advice_is_named_with_the_remedy(name: str, tmp_path: Path) -> None:
    (a_home(tmp_path) / f"{name}.npz").unlink()
    done = from_home(tmp_path, "advise", HAND, "--dealer", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"cribpi advise: the table {name} cannot be used: it is missing; "
        "make it again with `make tables`, or install cribpi again\n"
    )


def test_a_table_that_can_be_worked_out_is_and_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, whole, _ = advised(HAND, "--dealer", "--score", "100-90", "--json", capsys=capsys)
    data = a_home(tmp_path)
    make.write(data / "winning-2.npz", {"players": 3}, tables.load("winning-2").arrays)
    done = from_home(tmp_path, "advise", HAND, "--dealer", "--score", "100-90", "--json")
    assert done.returncode == 0
    wins = [[way["win"] for way in json.loads(out)["ways"]] for out in (whole, done.stdout)]
    assert wins[0] == pytest.approx(wins[1], abs=2e-4)
    assert done.stderr.startswith(
        "the chances of winning are worked out anew: the table winning-2 cannot be used"
    )
    assert len(done.stderr.splitlines()) == 1


def test_without_numpy_there_is_no_advice_and_it_is_said_in_one_line(tmp_path: Path) -> None:
    a_home(tmp_path)
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").write_text(
        "raise ImportError('many\\n\\nlines') from OSError('libopenblas.so.0: no such file')"
    )
    done = from_home(tmp_path, "advise", HAND, "--dealer")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "cribpi advise: NumPy, which advice needs, cannot be loaded (OSError: libopenblas.so.0: no such "
        "file): "
        "install that, or cribpi again\n"
    )


def test_no_other_command_loads_what_advice_needs() -> None:
    program = (
        "import sys; from cribpi.cli import main; main(['score', '7H 8C 8D KS', '--starter', '9S']);"
        "print([name for name in sys.modules if name.startswith(('numpy', 'cribpi.analysis', "
        "'cribpi.opponents'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
