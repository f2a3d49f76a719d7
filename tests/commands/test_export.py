"""Export and import: games between the journal and files, exact both ways, and all or nothing."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest
from support import paths
from support.greedy_games import journal_of
from support.refusals import is_line_with
from support.samples import some
from support.tables import opened, play_on

from cribpi.cli import main
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.requests import Name, Press
from cribpi.companion.history.past_games import KeptGames, read_games
from cribpi.companion.journal.journal import Journal, JournalTrouble
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.record import Comment, parse

GAMES = sorted(paths.GAMES.glob("*.crib"))
VERSION_1 = paths.DATA / "journal-version-1.sql"

SHORT = """cribpi record 1
# a short one
game "ANN" "BOB" dealer=1
starter J
play 0:9 1:6
"""
TWO = f"""{SHORT}
game "ANN" "BOB" target=61 dealer=0
starter 5
"""


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def events_in(text: str) -> list[Event]:
    return [entry for entry in parse(text) if not isinstance(entry, Comment)]


def states(events: list[Event]) -> list[State]:
    return list(accumulate(events, step, initial=NEW_TABLE))


def file_of(folder: Path, text: str, name: str = "game.crib") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def exported(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Export to standard output; return the record."""
    capsys.readouterr()
    assert run("export", *arguments) == 0
    return capsys.readouterr().out


def damaged(capsys: pytest.CaptureFixture[str], *arguments: object, says: str) -> str:
    """Export from a damaged journal, which is said in one line; return what is given all the same."""
    capsys.readouterr()
    assert run("export", *arguments) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert err.startswith("cribpi export: the journal is damaged (")
    assert says in err
    return out


def kept(folder: Path, number: int | None = None) -> tuple[tuple[Event, ...], State]:
    """Return the events of a game of the journal, or of the last, and where it stands."""

    def one(games: KeptGames) -> tuple[tuple[Event, ...], State]:
        line = games[number or len(games)].replayed()
        return tuple(entry.event for entry in line), line[-1].after

    return read_games(folder, one)


def listed(capsys: pytest.CaptureFixture[str], folder: Path) -> list[dict[str, object]]:
    found = json.loads(exported(capsys, "--list", "--json", "--state", folder))["games"]
    assert isinstance(found, list)
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Run a command that is refused; return its one line."""
    capsys.readouterr()
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return every file of *folder*, with its bytes and when it was changed."""
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


def played(folder: Path, seed: int, games: int = 4) -> None:
    """Play parts of some games with random keys, undo and redo among them."""
    with opened(folder) as (_, table):
        chance = Random(seed)
        for key in ("OK", "OK"):
            assert table.do(Press(key)).is_accepted
        play_on(table, chance, 60)
        for _ in range(games):
            for key in (
                "UNDO",
                "UNDO",
                "UNDO",
                "hold:UNDO",
                "MENU",
                "UP",
                "UP",
                "UP",
                "UP",
                "UP",
                "OK",
                "OK",
            ):
                table.do(Press(key))
            play_on(table, chance, chance.randint(5, 60))


# --- exact both ways --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", some([pytest.param(path, id=path.stem) for path in GAMES], *range(0, len(GAMES), 3))
)
def test_a_record_that_was_taken_in_comes_out_as_the_same_events_and_states(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", path, "--state", tmp_path / "kept") == 0
    events = events_in(path.read_text(encoding="utf-8"))
    again = events_in(exported(capsys, "--state", tmp_path / "kept"))
    assert again == events
    assert states(again) == states(events)
    with opened(tmp_path / "kept") as (_, table):
        assert table.now.state == fold(events)


@pytest.mark.parametrize("seed", some([(seed,) for seed in range(6)], 0, 1))
def test_a_journal_of_several_games_with_undo_and_redo_moves_whole_to_another_folder(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    played(old, seed)
    games = read_games(old, len)
    assert games > 1
    files = [tmp_path / f"{number}.crib" for number in range(1, games + 1)]
    for number, file in enumerate(files, start=1):
        assert run("export", file, "--game", number, "--state", old) == 0
    assert run("import", *files, "--state", new) == 0
    for number in range(1, games + 1):
        assert kept(new, number) == kept(old, number)
    assert len(listed(capsys, new)) == games
    with opened(old) as (_, before), opened(new) as (_, after):
        assert after.now.state == before.now.state
        assert [moment.event for moment in after.now.log] == [moment.event for moment in before.now.log]


def test_a_game_that_hides_cards_is_exported_once_somebody_has_won(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Left for another game it may still be played on: UNDO leads back to it."""
    whole = events_in((paths.GAMES / "dealt-2.crib").read_text(encoding="utf-8"))
    for number, games in enumerate([[whole[:-1]], [whole[:-1], whole], [whole, whole[:-1]]]):
        left = tmp_path / str(number)
        journal_of(left, *games)
        for at, events in enumerate(games, start=1):
            if events is whole:
                assert events_in(exported(capsys, "--game", at, "--state", left)) == whole
                continue
            assert run("export", "--game", at, "--state", left) == 2
            told = capsys.readouterr()
            assert told.out == ""
            assert is_line_with(told.err, "cribpi export: ", f"game {at} is not over", "hidden")
        assert [row["winner"] is None for row in listed(capsys, left)] == [one is not whole for one in games]


def test_a_record_of_several_games_is_taken_in_game_by_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "kept"
    assert run("import", file_of(tmp_path, TWO), "--state", folder) == 0
    assert "2 games imported, 6 events; the score is now ANN 0, BOB 0" in capsys.readouterr().out
    assert [(game["target"], game["events"]) for game in listed(capsys, folder)] == [(121, 4), (61, 2)]
    both = exported(capsys, "--game", 1, "--state", folder), exported(capsys, "--state", folder)
    assert [event for text in both for event in events_in(text)] == events_in(TWO)


# --- the table after an import ----------------------------------------------------------------------


def test_undo_goes_back_through_an_import_event_by_event_to_what_was_before(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        for key in ("OK", "OK", "P2", "3"):
            assert table.do(Press(key)).is_accepted
        before = table.now
    assert run("import", file_of(tmp_path, TWO), "--state", tmp_path) == 0
    with opened(tmp_path) as (journal, table):
        assert table.now.seq == before.seq + 1, "so that a page sees that something is new"
        line = states(events_in(TWO))[1:]
        assert journal.depth == len(before.log) + len(line)
        for state in reversed(line):
            assert table.now.state == state
            assert table.do(Press("UNDO")).is_accepted
        assert table.now.state == before.state
        for state in line:
            assert table.do(Press("hold:UNDO")).is_accepted
            assert table.now.state == state
        assert not table.now.may_redo


def test_what_lay_half_entered_is_gone_and_the_set_up_stays(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        assert table.do(Name(("EVA", "FAY"))).is_accepted
        assert table.do(Press("OK")).is_accepted
        assert table.now.input_state.dialog is not None
        setup = table.now.context.next_game
    assert run("import", file_of(tmp_path, SHORT), "--state", tmp_path) == 0
    with opened(tmp_path) as (_, table):
        assert table.now.input_state.dialog is None
        assert table.now.context.next_game == setup
        assert setup.house.names == ("EVA", "FAY")


def test_a_new_folder_offers_what_the_settings_say_after_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "cribpi").mkdir()
    (tmp_path / "cribpi" / "config.toml").write_text("target = 61\n", encoding="utf-8")
    assert run("import", file_of(tmp_path, SHORT), "--state", tmp_path / "kept") == 0
    with opened(tmp_path / "kept") as (_, table):
        assert table.now.context.next_game.target == 61 != NextGame().target


def test_an_import_after_an_undo_forgets_what_was_undone(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, table):
        for key in ("OK", "OK", "P2", "UNDO"):
            assert table.do(Press(key)).is_accepted
        assert journal.may_redo
        journal.commit("now", 9, "{}")
        assert journal.may_redo, "as long as nothing is taken in"
        journal.commit("now", 9, "{}", events_in(SHORT))
        assert journal.undone == []
    with opened(tmp_path) as (_, table):
        assert not table.now.may_redo
        for _ in range(4):
            assert table.do(Press("UNDO")).is_accepted
        assert table.now.state.phase == "cut", "the game that was there stands as it stood"


# --- which games, and how they are listed -----------------------------------------------------------


def test_a_game_that_was_taken_back_is_not_on_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", file_of(tmp_path, TWO), "--state", tmp_path) == 0
    with opened(tmp_path) as (_, table):
        table.do(Press("UNDO"))
        table.do(Press("UNDO"))
    assert [game["target"] for game in listed(capsys, tmp_path)] == [121]
    assert run("import", file_of(tmp_path, TWO), "--state", tmp_path) == 0
    assert [game["target"] for game in listed(capsys, tmp_path)] == [121, 121, 61]


def test_the_list_tells_number_time_names_scores_rules_and_winner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = sqlite3.connect(tmp_path / "journal.db")
    db.executescript(VERSION_1.read_text(encoding="utf-8"))
    db.close()
    assert exported(capsys, "--list", "--state", tmp_path).splitlines() == [
        "  1  2026-05-03 19:04 UTC  ANN 0, BÖB 2; to 121, standard; not over",
        "  2  2026-05-03 19:07 UTC  ANN 0, BÖB 0; to 121, standard; not over",
    ]
    assert listed(capsys, tmp_path)[0] == {
        "game": 1,
        "begun": "2026-05-03T19:04:14.000+00:00",
        "events": 5,
        "rules": "standard",
        "target": 121,
        "entry": "cards",
        "seats": ["ANN", "BÖB"],
        "sides": [
            {"name": "ANN", "said": "ANN", "score": 0},
            {"name": "BÖB", "said": "BÖB", "score": 2},
        ],
        "winner": None,
    }
    to_61 = next(path for path in GAMES if path.stem == "two-to-61")
    assert run("import", to_61, "--state", tmp_path) == 0
    assert listed(capsys, tmp_path)[-1]["winner"] == 1
    assert "BLUE 61; to 61, standard; BLUE has won" in exported(capsys, "--list", "--state", tmp_path)


def test_a_record_says_first_whose_game_it_is_and_when_and_names_no_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = sqlite3.connect(tmp_path / "journal.db")
    db.executescript(VERSION_1.read_text(encoding="utf-8"))
    db.close()
    lines = exported(capsys, "--game", 1, "--state", tmp_path).splitlines()
    assert lines[:3] == [
        "cribpi record 1",
        "# ANN and BÖB, to 121, standard",
        "# started 2026-05-03 19:04 UTC; ANN 0, BÖB 2; not over",
    ]
    assert lines[3].startswith("# exported by cribpi ")
    assert lines[4].startswith('game "ANN" "BÖB"')
    assert not any("/" in line for line in lines)


def test_a_damaged_game_is_told_in_the_list_and_the_others_are_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", file_of(tmp_path, TWO), "--state", tmp_path) == 0
    db = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    db.execute("UPDATE steps SET event = 'starter Q' WHERE id = 2")
    db.close()
    out = damaged(
        capsys, "--list", "--json", "--state", tmp_path, says="step 2 has changed since it was written"
    )
    games = json.loads(out)["games"]
    assert "game 1 can't be read (step 2 has changed since it was written)" in games[0]["error"]
    assert (games[1]["game"], games[1]["target"]) == (2, 61)
    out = damaged(capsys, "--list", "--state", tmp_path, says="step 2 has changed since it was written")
    assert "  game 1 can't be read" in out.splitlines()[0]
    assert "step 2 has changed since it was written" in refused(
        capsys, "export", "--game", 1, "--state", tmp_path
    )
    out = damaged(capsys, "--state", tmp_path, says="step 2 has changed since it was written")
    assert events_in(out) == events_in(TWO)[4:]


# --- a reader that leaves no trace ------------------------------------------------------------------


def test_export_reads_beside_a_running_companion_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "kept"
    with opened(folder) as (_, table):
        assert table.do(Press("OK")).is_accepted
        for key in ("OK", "P2", "3", "7"):
            assert table.do(Press(key)).is_accepted
            before = contents(folder)
            assert kept(folder)[1] == table.now.state, "with the very last press"
            after = contents(folder)
            del before["journal.db-shm"], after["journal.db-shm"]  # where SQLite notes who reads
            assert after == before
        assert len(events_in(exported(capsys, "--state", folder))) == 4
        assert table.do(Press("8")).is_accepted, "and the companion goes on"


def test_export_leaves_a_closed_folder_as_it_is_to_the_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "kept"
    played(folder, 3)
    before = contents(folder)
    exported(capsys, "--state", folder)
    exported(capsys, "--list", "--state", folder)
    assert contents(folder) == before


def test_a_journal_of_version_1_is_exported_and_stays_of_version_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = sqlite3.connect(tmp_path / "journal.db")
    db.executescript(VERSION_1.read_text(encoding="utf-8"))
    db.close()
    before = contents(tmp_path)
    assert len(listed(capsys, tmp_path)) == 2
    assert contents(tmp_path) == before


def test_export_makes_no_folder_and_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no journal here" in refused(capsys, "export", "--state", tmp_path / "none")
    assert "no journal here" in refused(capsys, "export", "--list", "--state", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_table_without_a_game_has_nothing_to_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened(tmp_path) as (_, table):
        for key in ("OK", "OK", "UNDO"):
            assert table.do(Press(key)).is_accepted
    assert "no game found" in refused(capsys, "export", "--state", tmp_path)
    assert listed(capsys, tmp_path) == []
    assert exported(capsys, "--list", "--state", tmp_path) == ""


# --- files ------------------------------------------------------------------------------------------


def test_a_file_that_is_there_is_written_over_only_by_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, file = tmp_path / "kept", file_of(tmp_path, SHORT)
    assert run("import", file, "--state", folder) == 0
    assert "already exists" in refused(capsys, "export", file, "--state", folder)
    assert file.read_text(encoding="utf-8") == SHORT
    assert run("export", file, "--force", "--state", folder) == 0
    assert file.read_text(encoding="utf-8") == exported(capsys, "--state", folder)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.crib", "kept"], "and nothing beside it"


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("import", file_of(tmp_path, SHORT), "--state", tmp_path) == 0
    assert "not an ordinary file" in refused(capsys, "export", tmp_path, "--force", "--state", tmp_path)
    assert "choose a folder" in refused(capsys, "export", tmp_path / "no" / "x", "--state", tmp_path)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--game", 3), "there is no game 3: choose 1 to 2"),
        (("--game", 0), "there is no game 0: choose 1 to 2"),
        (("--game", -1), "there is no game -1: choose 1 to 2"),
        (("--json",), "use --json with --list"),
        (("--list", "--game", 1), "leave out FILE, --game and --force"),
        (("--list", "x.crib"), "leave out FILE, --game and --force"),
    ],
)
def test_what_cannot_be_exported_is_one_line_with_the_remedy(
    arguments: tuple[object, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", file_of(tmp_path, TWO), "--state", tmp_path) == 0
    assert says in refused(capsys, "export", *arguments, "--state", tmp_path)


def test_a_journal_that_is_none_is_said_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "journal.db").write_bytes(b"shopping: milk, bread, a pack of cards\n" * 50)
    assert "choose another folder with --state" in refused(capsys, "export", "--state", tmp_path)
    (tmp_path / "journal.db").unlink()
    sqlite3.connect(tmp_path / "journal.db").execute("CREATE TABLE recipes (name TEXT)").connection.close()
    assert "not a cribpi journal" in refused(capsys, "export", "--state", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["journal.db"]


# --- what is refused changes nothing ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("shopping\n", "line 1, column 1: a record begins with"),
        ("cribpi record 1\n# nothing\n", "no game in it"),
        ("cribpi record 1\nstarter J\n", "line 2, column 1: no game has begun"),
        (SHORT.replace("1:6", "1:X"), "line 5, column 10: 'X' is not a card"),
        (SHORT.replace("1:6", "0:6"), "line 5, column 10: "),
        (SHORT + "starter 5\n", "line 6, column 1: "),
    ],
)
def test_a_record_that_is_wrong_anywhere_changes_nothing(
    text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, folder = file_of(tmp_path, text, "bad.crib"), tmp_path / "kept"
    said = refused(capsys, "import", file_of(tmp_path, SHORT), bad, "--state", folder)
    assert f"{bad}: " in said
    assert says in said
    assert not folder.exists(), "the good one before it was not taken in either"


def test_import_waits_for_no_running_companion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = file_of(tmp_path, SHORT)
    with opened(tmp_path) as (_, table):
        table.do(Press("OK"))
        said = refused(capsys, "import", file, "--state", tmp_path)
        assert "another cribpi is running on it: stop that one, or choose another folder with --state" in said
        assert table.do(Press("OK")).is_accepted
    assert run("import", file, "--state", tmp_path) == 0


class Slip(Exception):
    """Something goes wrong in the middle."""


def half(text: str, end: object = Slip) -> Iterator[Event]:
    """Give the first events of a record, then come to a bad end."""
    yield from events_in(text)[:4]
    if end is Slip:
        raise Slip
    os.kill(os.getpid(), 9)


def rows(folder: Path) -> list[tuple[object, ...]]:
    db = sqlite3.connect(folder / "journal.db")
    found = [*db.execute("SELECT * FROM steps"), *db.execute("SELECT * FROM desk")]
    db.close()
    return found


def test_an_import_that_breaks_off_in_the_middle_leaves_nothing_of_itself(tmp_path: Path) -> None:
    assert run("import", file_of(tmp_path, SHORT), "--state", tmp_path) == 0
    before = rows(tmp_path)
    with opened(tmp_path) as (journal, _):
        head, depth = journal.head, journal.depth
        with pytest.raises(Slip):
            journal.commit("now", 9, "{}", half(TWO))
        assert (journal.head, journal.depth) == (head, depth)
    assert rows(tmp_path) == before


def test_an_import_that_the_disk_refuses_leaves_nothing_of_itself(tmp_path: Path) -> None:
    assert run("import", file_of(tmp_path, SHORT), "--state", tmp_path) == 0
    before = rows(tmp_path)
    with opened(tmp_path) as (journal, _):
        pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
        journal._db.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(JournalTrouble, match=r"nothing has changed .* then import again"):
            journal.commit("now", 9, "{}", events_in(TWO) * 300, again="import again")
        head = journal.head
        journal._db.execute("PRAGMA max_page_count=1000000")
        journal.commit("now", 9, "{}", events_in(SHORT))
        assert journal.head == (head or 0) + 4
    assert rows(tmp_path)[: len(before) - 1] == before[:-1], "the last is the desk"


KILLED = """
import sys
from pathlib import Path
from cribpi.companion.journal.journal import Journal
from test_export import TWO, half
journal = Journal(Path(sys.argv[1]))
journal.commit("now", 9, "{}", half(TWO, "kill -9"))
"""


def test_an_import_that_is_killed_in_the_middle_leaves_nothing_of_itself(tmp_path: Path) -> None:
    assert run("import", file_of(tmp_path, SHORT), "--state", tmp_path) == 0
    before = rows(tmp_path)
    path = os.pathsep.join([str(Path(__file__).parent), str(paths.TESTS), *sys.path])
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, tmp_path / "journal.db"],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -9, killed.stderr
    assert rows(tmp_path) == before
    with opened(tmp_path) as (_, table):
        assert table.now.state == fold(events_in(SHORT))


def test_each_file_is_one_transaction(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        said: list[str] = []
        journal._db.set_trace_callback(said.append)
        journal.commit("now", 1, "{}", events_in(TWO))
        assert [line for line in said if line in {"COMMIT", "BEGIN IMMEDIATE"}] == [
            "BEGIN IMMEDIATE",
            "COMMIT",
        ]


def test_a_companion_that_was_killed_leaves_a_journal_that_can_be_exported(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    journal.commit("now", 1, "{}", events_in(SHORT))
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in tmp_path.glob("journal.db*"):
        (copy / path.name).write_bytes(path.read_bytes())
    journal.close()
    assert (copy / "journal.db-wal").stat().st_size > 0, "what was committed lies in the log alone"
    before = contents(copy)
    assert kept(copy, 1)[0] == tuple(events_in(SHORT))
    after = contents(copy)
    del before["journal.db-shm"], after["journal.db-shm"]
    assert after == before, "and it lies there still, for the companion to take up"
