"""`cribpi advise`: what it prints, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cribpi.cli import main
from cribpi.commands import advise as command
from cribpi.commands.errors import CommandError
from cribpi.core.presets import house_rules
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
    assert lines[0].split() == ["away", "keep", "hand", "crib", "play", "wins"]
    assert len(lines) == 1 + 15 + 2
    assert lines[-1] == ("6C 7D: 5 J Q K are worth 11.4 on the average, and 6 7 bring 4.8 in your own crib.")


def test_three_players_are_dealt_five_and_lay_one_away(capsys: pytest.CaptureFixture[str]) -> None:
    three = ("--rules", "lowe", "--rule", "players=3")
    code, out, _ = advised("5H 6C 7D JS QS", "--dealer", *three, "--json", capsys=capsys)
    ways = json.loads(out)["ways"]
    assert (code, len(ways), {len(way["away"]) for way in ways}) == (0, 5, {1})
    assert all(way["win"] is None and way["play"] is None for way in ways)
    _, out, _ = advised("5H 6C 7D JS QS", "--pone", *three, capsys=capsys)
    assert out.splitlines()[0].split() == ["away", "keep", "hand", "crib"]
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
    ("5H 6C 7D JS QS", ("--dealer",), "has 5 cards: with 2 players 6 are dealt"),
    ("5H 6C 7D JS QS KH AH", ("--pone",), "has 7 cards"),
    ("5H 6C 7D JS QS 5H", ("--pone",), "5H twice"),
    ("5H 6C 7D JS QS 1X", ("--pone",), "is no card"),
    ("5H 6C 7D JS QS K", ("--pone",), "K has no suit"),
    (HAND, ("--pone", "--score", "121-3"), "121 has won a game to 121"),
    (HAND, ("--pone", "--score", "60-61", "--rules", "travel-61"), "61 has won a game to 61"),
    (HAND, ("--pone", "--score", "many"), "write your own score and the other's, as 96-101"),
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


def test_a_table_that_is_missing_is_said_to_be(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from cribpi.analysis import tables  # noqa: PLC0415

    for cached in (tables.load, tables.laying_away):
        cached.cache_clear()
    monkeypatch.setattr(tables, "DATA", tmp_path)
    try:
        with pytest.raises(CommandError, match="cannot be used: it is missing; make it again"):
            # A hand of its own: what was worked out before is kept.
            command.advice("2H 3C 7D JS QC KS", "0-0", house_rules("standard", 2, {}), is_dealer=True)
    finally:
        for cached in (tables.load, tables.laying_away):
            cached.cache_clear()


def test_no_other_command_loads_what_advice_needs() -> None:
    program = (
        "import sys; from cribpi.cli import main; main(['score', '7H 8C 8D KS', '--starter', '9S']);"
        "print([name for name in sys.modules if name.startswith(('numpy', 'cribpi.analysis', 'cribpi.opponents'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
