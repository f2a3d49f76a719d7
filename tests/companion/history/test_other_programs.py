"""Up and down: whoever goes back to an earlier program, and forth again, loses no name and no setting.

The earlier programs are those of this checkout's history that open a journal of this version, each run as it
was.  Earlier ones keep such a journal aside: `journal-version-1.sql` to `-3.sql` are what those have left.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.greedy_games import greedy_game, journal_of
from support.paths import CHECKOUT
from support.server import ask, companion
from support.tables import clock

from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.kept import FACT_OF
from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import Change, Name, Press, Rename, Start
from cribpi.companion.history.past_games import read_games
from cribpi.companion.journal import database
from cribpi.companion.journal.journal import Journal
from cribpi.companion.run.config import Config
from cribpi.companion.table.table import Table
from cribpi.companion.web.json.state import AS_JSON

JOURNAL = "cribpi/companion/journal"
ENTRY = "cribpi/companion/entry"
WHAT_IS_KEPT = (
    f"{JOURNAL}/*_table.py",
    f"{JOURNAL}/database.py",
    *(f"{ENTRY}/{name}.py" for name in ("desk", "input_state", "facts", "house", "kept", "next_game")),
)
"""The modules that write and read what is kept, now and at earlier commits."""


def git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    return done.stdout.split()


@cache
def earlier() -> list[str]:
    """Return the commits whose programs open such a journal, oldest first.

    Those are all that have changed what is kept, and the last ten.
    """
    version = f"VERSION: Final = {database.VERSION}"
    first, *_ = git("log", "--reverse", "--format=%H", f"-G{version}", "--", f"{JOURNAL}/database.py")
    changed = git("log", "--reverse", "--format=%H", f"{first}~1..HEAD", "--", *WHAT_IS_KEPT)
    return list(dict.fromkeys([*changed, *git("log", "-10", "--reverse", "--format=%H", "--", "cribpi")]))


def program(commit: str, folder: Path) -> Path:
    """Return the folder with the program of that commit, written to *folder*."""
    folder.mkdir()
    words = ["git", "archive", commit, "cribpi", "hardware", "pyproject.toml"]
    with subprocess.Popen(words, cwd=CHECKOUT, stdout=subprocess.PIPE) as tree:
        subprocess.run(["tar", "-x"], cwd=folder, stdin=tree.stdout, check=True)
    assert tree.returncode == 0
    return folder


@pytest.fixture
def programs(tmp_path: Path, whole: bool) -> Iterator[tuple[Path, bool]]:  # noqa: FBT001  a fixture
    """Give the folder of each earlier program, and whether it renames.

    A sample is the first of them, and the last that had no table of the house.
    """
    if shutil.which("git") is None or not (CHECKOUT / ".git").exists():
        pytest.skip("the earlier programs are in git's history, which is not here")
    if git("rev-parse", "--is-shallow-repository") == ["true"]:
        pytest.skip("git's history is cut off here: git fetch --unshallow")
    renames, *_ = git("log", "--reverse", "--format=%H", "-Swith_person_renamed", "--", "cribpi")
    since = set(git("log", "--format=%H", f"{renames}~1..HEAD"))
    table, *_ = git("log", "--diff-filter=A", "--format=%H", "--", f"{JOURNAL}/house_table.py")
    wanted = earlier() if whole else [earlier()[0], *git("rev-parse", f"{table}~1")]
    return ((program(one, tmp_path / one), one in since) for one in wanted)


def pressed(state: Path, where: Path, *more: tuple[str, dict[str, str]]) -> None:
    """Open the menu and close it with another program, and do what *more* there is."""
    env = os.environ | {"PYTHONPATH": str(where)}
    with companion(state, cwd=where, env=env) as (_, url):
        for path, body in (("press", {"key": "MENU"}), ("press", {"key": "MENU"}), *more):
            assert ask(f"{url}api/{path}", body)[0] == 200, (where.name, path, body)


def runs(where: Path, state: Path) -> bool:
    """Tell whether a program runs at all: at some commits one has not."""
    words = [sys.executable, "-m", "cribpi", "run", "--sim", "--port", "0", "--state", str(state)]
    env = os.environ | {"PYTHONPATH": str(where)}
    with subprocess.Popen(words, cwd=where, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.terminate()
    return "http" in line


def with_a_newer_field(state: Path) -> None:
    """Leave the desk as a later program may: with a field of which no earlier one knows."""
    with closing(Journal(state / "journal.db")) as journal:
        seq, kept = journal.saved_input() or (0, "{}")
        row = json.loads(kept)
        row["setup"]["later"] = 1
        journal.commit("2031-04-01T12:00:00Z", seq + 1, json.dumps(row))


@contextmanager
def this_program(state: Path) -> Iterator[Table]:
    """Open the table as the program of now does, with the set-up that it offers first."""
    with closing(Journal(state / "journal.db")) as journal:
        yield Table(journal, formatter=AS_JSON, clock=clock(), draw=lambda: 0, setup=Config().setup())


def said(state: Path) -> tuple[dict[str, Any], list[tuple[str, ...]]]:
    """Return what is said of this house by now, and who has played."""
    players = read_games(state, lambda games: [summary.players for _, summary in games.finished()])
    with this_program(state) as table:
        house = table.now.context.house
        facts = {word: getattr(house, name) for word, name in FACT_OF.items()}
        return facts | dict(house.settings), players


def house(state: Path) -> Path:
    """Leave a journal in which something is said of each kind."""
    pairs = [("Ann", "Bob"), ("Ann", "Cleo")]
    journal_of(state, *(greedy_game(seed, pair, 31) for seed, pair in enumerate(pairs, start=1)))
    with this_program(state) as table:
        changes = Changes(rules="acc", entry="peg", names=("Ann", "Bob"), options={"last_card": "none"})
        for one in (
            Start(changes),
            Name(you="Ann"),
            Change({"still": "on", "speed": "slow", "auto_cut": "on"}),
            Rename("Ann", "Anna"),
        ):
            answer = table.do(one)
            assert answer.is_accepted, answer.text
        assert table.now.input_state != InputState()
    return state


@pytest.mark.timeout(3600)  # whole, it starts four programs for each of many commits
def test_nothing_that_was_said_is_lost_with_an_earlier_program(
    tmp_path: Path, programs: Iterator[tuple[Path, bool]], figures: Callable[[str], None]
) -> None:
    broken, tried = list[str](), 0
    for number, (where, can_rename) in enumerate(programs):
        if not runs(where, tmp_path / f"empty {number}"):
            broken.append(where.name[:8])
            continue
        tried += 1
        for is_newer in (False, True):
            state = house(tmp_path / f"state {number} {is_newer}")
            before, players = said(state)
            assert players == [("Anna", "Bob"), ("Anna", "Cleo")]
            if is_newer:
                with_a_newer_field(state)
            pressed(state, where)
            assert said(state) == (before, players), (where.name, is_newer)
            more = [("settings", {"speed": "fast", "sleep": "2"})]
            if can_rename:
                more += [("names", {"rename": "Bob", "to": "Rob"})]
            pressed(state, where, *more)
            bob = "Rob" if can_rename else "Bob"
            for _ in range(2):
                found, players = said(state)
                assert players == [("Anna", bob), ("Anna", "Cleo")], (where.name, is_newer)
                assert found == before | {"speed": "fast", "sleep": "2", "names": ("Anna", bob)}
                with this_program(state) as table:
                    assert table.do(Press("MENU")).is_accepted
    assert len(broken) < tried
    figures(f"{tried} programs tried; {len(broken)} ran not even by themselves {broken}")


@pytest.mark.parametrize("version", [1, 2, 3])
def test_nothing_is_lost_of_a_journal_of_an_earlier_version(version: int, tmp_path: Path) -> None:
    sql = CHECKOUT / "tests" / "data" / f"journal-version-{version}.sql"
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        db.executescript(sql.read_text(encoding="utf-8"))
        (row,) = db.execute("SELECT data FROM desk").fetchone()
    names = tuple(json.loads(row).get("setup", {}).get("names", ()))
    assert names == (("ANN", "BÖB") if version < 3 else ())
    for _ in range(2):
        found, players = said(tmp_path)
        assert found["names"] == names
        assert len(players) == {1: 0, 2: 0, 3: 2}[version]
