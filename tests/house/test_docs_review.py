"""The pages on reviews give the thresholds of the marks as they are, and review the game of the pictures."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from pictures.docs import past_game
from pictures.scenes import REVIEWED
from support import pages
from support.paths import DATA

from cribpi.cli import main
from cribpi.cribbage.record import parse
from cribpi.cribbage.review.decisions import BY_CHANCE, BY_POINTS, Mark

PAGE = pages.DOCS / "tutorial" / "review.md"


def test_the_docs_have_the_thresholds() -> None:
    rows = re.findall(
        r"^\| (\w+) \| ([\d.]+) % or more \| ([\d.]+) or more \|$",
        pages.read(pages.DOCS / "reference" / "review.md"),
        re.MULTILINE,
    )
    assert [(float(chance) / 100, Mark(name)) for name, chance, _ in reversed(rows)] == [*BY_CHANCE]
    assert [(float(points), Mark(name)) for name, _, points in reversed(rows)] == [*BY_POINTS]


def test_each_key_of_its_json_is_one_of_the_docs(capsys: pytest.CaptureFixture[str]) -> None:
    (record,) = pages.linked(PAGE, ".crib")
    assert main(["review", str(record), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    _, _, text = pages.read(pages.DOCS / "reference" / "review.md").partition("## As JSON")
    about = dict(re.findall(r"^- `(\w+)`(.*)$", text, re.MULTILINE))
    about["deals"], about["decisions"] = (about[name].partition(": ")[2] for name in ("deals", "decisions"))
    about["decisions"] += "; `options`"
    decided, values = found["decisions"], {"discard", "play"}  # those of `which`
    for name, tables in {
        "players": found["players"],
        "course": [found["course"]],
        "deals": found["course"]["deals"],
        "decisions": decided,
        "options": [option for one in decided for option in one["options"]],
    }.items():
        named = set(re.findall(r"`(\w+)`", about[name]))
        for table in tables:
            assert named - values <= set(table) <= named, name
    heads = re.findall(r"`(\w+)`", " ".join(re.findall(r"^- ([^:]*):", text, re.MULTILINE)))
    assert set(heads) - {"deals", "options"} == set(found)


def test_the_game_that_is_reviewed_is_that_of_the_pictures() -> None:
    (record,) = pages.linked(PAGE, ".crib")
    (seed,) = REVIEWED
    assert list(parse(pages.read(record))) == past_game(seed)


def test_its_review_and_a_question_from_it_print_what_they_did(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that the terminal shows of the game; its page quotes some of it."""
    (record,) = pages.linked(PAGE, ".crib")
    assert main(["review", str(record)]) == 0
    reviewed = capsys.readouterr().out
    assert main(["import", str(record), "--state", str(tmp_path)]) == 0
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.StringIO("3\n"))
    main(["practice", "pegging", "--name", "Ann", "--state", str(tmp_path), "--many", "1"])
    asked, _, _ = capsys.readouterr().out.partition("\n1 of 1 right")  # and then the seconds
    assert reviewed + asked == pages.read(DATA / "ann-bob.txt")
