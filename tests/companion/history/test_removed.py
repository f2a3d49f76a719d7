"""Games that are removed: lists, statistics and the computer's memory leave them out, and nothing is lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from support.companions import served
from support.damage import DAMAGES
from support.greedy_games import greedy_game, journal_of
from support.paths import DATA
from support.server import ask, companion
from support.sync_faults import after_kill, without_sync
from support.tables import opened

from cribpi import cli
from cribpi.companion.doctor.house import check_journal
from cribpi.companion.entry.requests import Press, Remove
from cribpi.companion.history.past_games import read_games
from cribpi.companion.journal import database
from cribpi.companion.journal.games_table import damaged_removals, removed_games
from cribpi.companion.run.player_memory import remembered
from cribpi.cribbage.game.events import Event

SHORT = 31
OLD = {version: DATA / f"journal-version-{version}.sql" for version in (1, 2, 3)}


def three() -> list[list[Event]]:
    pairs = [("Ann", "Bob"), ("Ann", "Cleo"), ("Ann", "Bob")]
    return [greedy_game(seed, names, SHORT) for seed, names in enumerate(pairs, start=1)]


def got(url: str, path: str) -> Any:  # noqa: ANN401  what JSON holds
    answer = httpx.get(f"{url}api/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def sent(url: str, **body: object) -> httpx.Response:
    return httpx.post(f"{url}api/games", json=body)


def numbers(folder: Path) -> list[int]:
    return read_games(folder, lambda games: [game.number for game in games])


def remove(folder: Path, *wanted: int) -> None:
    with opened(folder) as (_, table):
        for number in wanted:
            assert table.do(Remove(number)).is_accepted


def test_a_removed_game_is_left_out_and_comes_back_as_it_was(tmp_path: Path) -> None:
    with served(journal_of(tmp_path, *three())) as (_, url):
        before = got(url, "games"), got(url, "stats"), got(url, "stats/Ann"), got(url, "games/2")
        seq = got(url, "state")["seq"]
        done = sent(url, remove=2)
        assert (done.status_code, done.json()["seq"]) == (200, seq + 1)
        listed = got(url, "games")
        assert [row["game"] for row in listed["games"]] == [3, 1]
        assert listed["all"] == 3, "the last number stays what it was"
        assert [row["game"] for row in got(url, "games?before=3")["games"]] == [1]
        played = {row["name"]: row["games"] for row in got(url, "stats")["players"]}
        assert played == {"Ann": 2, "Bob": 2}
        assert [one["game"] for one in got(url, "stats/Ann")["results"]] == [1, 3]
        assert httpx.get(f"{url}api/stats/Cleo").status_code == 404
        assert got(url, "games/2") == {**before[3], "removed": True}, "who knows its number still finds it"
        assert sent(url, restore=2).status_code == 200
        assert (got(url, "games"), got(url, "stats"), got(url, "stats/Ann"), got(url, "games/2")) == before


def test_a_streak_goes_with_its_games(tmp_path: Path) -> None:
    games = [greedy_game(seed, ("Ann", "Bob"), SHORT) for seed in range(12)]
    with served(journal_of(tmp_path, *games)) as (_, url):
        found = got(url, "stats/Ann")
        results, streaks = found["results"], set[int]()
        assert {one["won"] for one in results} == {True, False}
        while len(results) > 2:
            last = next(at for at, one in enumerate(reversed(results)) if one["won"] != results[-1]["won"])
            ended = results.pop(-1 - last)  # the game before the streak
            assert sent(url, remove=ended["game"]).status_code == 200
            found = got(url, "stats/Ann")
            assert found["results"] == results
            of_last = [one["won"] == results[-1]["won"] for one in reversed(results)]
            long = of_last.index(False) if False in of_last else len(results)
            assert found["streak"] == (long if results[-1]["won"] else -long)
            streaks.add(long)
            if all(of_last):
                break
        assert len(streaks) > 1


def test_what_cannot_be_removed_or_put_back_is_said(tmp_path: Path) -> None:
    with served(journal_of(tmp_path, *three())) as (_, url):

        def refused(**body: object) -> tuple[int, str]:
            answer = sent(url, **body)
            return answer.status_code, answer.json()["error"]

        assert refused(remove=4) == (409, "there is no game 4: the games are 1 to 3")
        assert refused(remove=-1)[0] == 409
        assert refused(restore=2) == (409, "game 2 was not removed: look for it in Games")
        assert sent(url, remove=2).status_code == 200
        assert refused(remove=2) == (409, "game 2 was removed already: Undo puts it back")
        assert refused(remove=1, restore=2)[0] == refused()[0] == refused(remove="2")[0] == 422
        assert refused(remove=1, why="because")[0] == 422
        assert httpx.post(f"{url}api/game", json={"players": 2, "entry": "cards"}).status_code == 200
        assert refused(remove=4) == (
            409,
            "game 4 is on the table: finish it, or start another one first",
        )
        assert httpx.post(f"{url}api/game", json={"players": 2, "entry": "cards"}).status_code == 200
        assert sent(url, remove=4).status_code == 200, "nobody goes on with it"
        assert [row["game"] for row in got(url, "games")["games"]] == [5, 3, 1]


def test_an_empty_table_has_nothing_to_remove(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        answer = table.do(Remove(1))
        assert json.loads(answer.text)["error"] == "there is no game 1: play one first"


def test_two_who_remove_the_same_game_remove_it_once(tmp_path: Path) -> None:
    with served(journal_of(tmp_path, *three())) as (_, url):
        seq = got(url, "state")["seq"]
        first, again, other = sent(url, remove=2, id="a"), sent(url, remove=2, id="a"), sent(url, remove=2)
        assert (first.status_code, again.text, other.status_code) == (200, first.text, 409)
        late = sent(url, restore=2, if_seq=seq)
        assert late.status_code == 409
        assert late.json()["state"]["seq"] == seq + 1
        assert numbers(tmp_path) == [1, 3]


def test_it_is_on_the_disk_when_it_is_answered(tmp_path: Path) -> None:
    folder = journal_of(tmp_path / "state", *three())
    with opened(folder) as (_, table):
        for at, ask in enumerate((Remove(2), Remove(1), Remove(2, is_back=True), Remove(3))):
            assert table.do(ask).is_accepted
            left = tmp_path / f"left by kill -9 {at}"
            shutil.copytree(folder, left)
            assert numbers(left) == [[1, 3], [3], [2, 3], [2]][at]
    assert after_kill(folder).seq == table.now.seq
    assert numbers(folder) == [2]


def test_it_is_there_after_kill_9_at_each_answer(tmp_path: Path) -> None:
    folder = journal_of(tmp_path, *three())
    done = [
        ({"remove": 2}, [1, 3]),
        ({"restore": 2}, [1, 2, 3]),
        ({"remove": 3}, [1, 2]),
        ({"remove": 1}, [2]),
    ]
    for body, left in done:
        with companion(folder) as (process, url):
            assert ask(f"{url}api/games", body)[0] == 200
            process.kill()
        assert numbers(folder) == left
    with companion(folder) as (_, url):
        assert [row["game"] for row in ask(f"{url}api/games")[1]["games"]] == [2]


def test_what_the_disk_refuses_is_not_removed(tmp_path: Path) -> None:
    folder = journal_of(tmp_path / "state", *three())
    with opened(folder) as (_, table):
        seq = table.now.seq
        answer = without_sync(lambda: table.do(Remove(2), id="this"))
        assert "not saved" in json.loads(answer.text)["error"]
        assert table.now.seq == seq
        assert numbers(folder) == [1, 2, 3]
        assert after_kill(folder).seq == seq
        assert table.do(Remove(2), id="this").is_accepted
        assert numbers(folder) == [1, 3]


def test_the_last_game_can_be_removed_once_it_is_over_and_undo_plays_it_again(tmp_path: Path) -> None:
    journal_of(tmp_path, *three())
    with opened(tmp_path) as (_, table):
        assert table.do(Remove(3)).is_accepted
        assert numbers(tmp_path) == [1, 2]
        assert table.do(Press("UNDO")).is_accepted
        assert table.now.state.winner is None
        assert numbers(tmp_path) == [1, 2, 3], "it is on the table again"
        assert table.do(Press("UNDO")).is_accepted  # what UNDO took back is read
    journal_of(tmp_path / "next", *three())
    with opened(tmp_path / "next") as (journal, table):
        assert table.do(Remove(3)).is_accepted
        journal.commit(
            "2031-04-01T12:00:00.000+00:00",
            table.now.seq + 1,
            "{}",
            greedy_game(4, ("Ann", "Bob"), SHORT)[:1],
        )
        assert numbers(tmp_path / "next") == [1, 2, 4]
        journal.commit("2031-04-01T12:00:00.000+00:00", table.now.seq + 2, "{}", steps=-1)
        assert numbers(tmp_path / "next") == [1, 2], "back at its end, it is removed as before"


def test_the_computer_forgets_what_was_removed(tmp_path: Path) -> None:
    games = journal_of(tmp_path, *(greedy_game(seed, ("Ann", "Bob"), SHORT) for seed in (1, 2)))
    both = remembered(games, "Ann")
    remove(games, 1)
    only = remembered(games, "Ann")
    assert only
    assert only == both[-len(only) :] != both
    with served(games) as (_, url):
        assert sent(url, remove=2).status_code == 200
        assert not remembered(games, "Ann")
        body = {"rename": "Bob", "to": "Rob"}
        assert httpx.post(f"{url}api/names", json=body).status_code == 200, "he sits at the table"


def test_the_commands_leave_it_out_but_for_who_asks_for_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = journal_of(tmp_path, *three())

    def said(*arguments: str) -> str:
        assert cli.main([*arguments, "--state", str(folder)]) == 0
        return capsys.readouterr().out

    whole, last, listed = said("export", "--game", "3"), said("export"), said("export", "--list", "--json")
    assert last == whole
    remove(folder, 2, 3)
    assert [one["game"] for one in json.loads(said("export", "--list", "--json"))["games"]] == [1]
    assert said("export", "--game", "3") == whole
    assert said("export") == said("export", "--game", "1"), "the last of those that are there"
    assert "1 game" in said("stats")
    assert "Cleo" not in said("stats")
    assert said("review").startswith("Ann")
    with opened(folder) as (_, table):
        for number in (3, 2):
            assert table.do(Remove(number, is_back=True)).is_accepted
    assert said("export", "--list", "--json") == listed


def test_with_every_game_removed_there_is_nothing_to_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = journal_of(tmp_path, *three())
    remove(folder, 1, 2, 3)
    assert cli.main(["export", "--state", str(folder)]) == 2
    assert "no game found" in capsys.readouterr().err
    assert cli.main(["stats", "--state", str(folder)]) == 0
    assert "no game is finished yet" in capsys.readouterr().out


@pytest.mark.parametrize("version", OLD)
def test_a_journal_of_an_earlier_version_is_read_as_it_is_and_gets_the_table_when_it_is_opened(
    tmp_path: Path, version: int
) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(OLD[version].read_text())
    written, before = path.read_bytes(), numbers(tmp_path)
    assert before
    assert path.read_bytes() == written
    remove(tmp_path, before[0])
    assert numbers(tmp_path) == before[1:]


def test_a_journal_of_this_version_without_the_table_is_read_too(tmp_path: Path) -> None:
    path = journal_of(tmp_path, *three()) / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE removed")
    assert numbers(tmp_path) == [1, 2, 3]
    remove(tmp_path, 2)
    assert numbers(tmp_path) == [1, 3]
    with closing(sqlite3.connect(path)) as db:
        assert database.check_kind(db) == 4, "an earlier program opens it, and shows all its games"


def spoilt(change: str) -> Callable[[Path], None]:
    def do(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute(change)

    return do


def test_a_damaged_journal_is_picked_out_with_what_was_removed(tmp_path: Path) -> None:
    path = journal_of(tmp_path, *three()) / "journal.db"
    remove(tmp_path, 1, 2)
    with opened(tmp_path) as (_, table):
        assert table.do(Remove(1, is_back=True)).is_accepted
    spoilt("UPDATE steps SET at = 'never' WHERE id = (SELECT max(start) + 3 FROM games)")(path)
    assert read_games(tmp_path, lambda games: ([game.number for game in games], bool(games.damage))) == (
        [1, 3],
        True,
    )


def test_a_removal_that_is_damaged_removes_nothing_and_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = journal_of(tmp_path, *three()) / "journal.db"
    remove(tmp_path, 1, 2)
    spoilt("UPDATE removed SET start = start + 1 WHERE id = 2")(path)
    with served(tmp_path) as (_, url):
        assert [row["game"] for row in got(url, "games")["games"]] == [3, 2]
        assert sent(url, remove=2).status_code == 200
    assert cli.main(["export", "--list", "--state", str(tmp_path)]) == 2
    assert "which games are removed has changed since it was written" in capsys.readouterr().err
    verdict = check_journal(tmp_path)
    assert "which games are removed" in str(verdict)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        assert damaged_removals(db) == [2]
        db.execute("DELETE FROM removed WHERE id IN (2)")
    assert "is intact" in str(check_journal(tmp_path))
    assert numbers(tmp_path) == [3]


def test_one_flipped_bit_in_what_was_removed_is_said_or_harmless(tmp_path: Path) -> None:
    path = journal_of(tmp_path, *three()) / "journal.db"
    remove(tmp_path, 2)
    with closing(sqlite3.connect(path)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'removed'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    whole, begins = path.read_bytes(), (root - 1) * size
    row = whole.index(b"20", begins) - 8
    chance, said = Random(1), 0
    for place in (*range(begins, begins + 10), *range(row, begins + size)):
        data = bytearray(whole)
        data[place] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        listed, damage = read_games(tmp_path, lambda games: ([game.number for game in games], games.damage))
        assert damage or listed == [1, 3], place - begins
        assert listed in ([1, 3], [1, 2, 3])
        said += bool(damage)
    assert said > 40


def test_a_journal_that_is_written_anew_while_it_is_used_keeps_what_was_removed(tmp_path: Path) -> None:
    folder = journal_of(tmp_path / "state", *three())
    with opened(folder) as (journal, table):
        undone = greedy_game(9, ("Ann", "Bob"), SHORT)
        journal.commit("2031-04-01T12:00:00.000+00:00", 9000, "{}", undone)
        journal.commit("2031-04-01T12:00:00.000+00:00", 9001, "{}", steps=-len(undone))
        later = greedy_game(5, ("Ann", "Bob"), SHORT)
        journal.commit("2031-04-01T13:00:00.000+00:00", 9002, "{}", later)
    with opened(folder) as (journal, table):
        assert len(journal.games()) == 4
        for number in (2, 4):
            assert table.do(Remove(number)).is_accepted
        starts, gone = journal.games(), journal.removed()
        assert gone == {starts[2], starts[4]}
        journal._opened.checkpoint()
        DAMAGES["log emptied"](folder, folder)
        journal._is_malformed = True  # what is only in memory is not asked for
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(journal._opened), "write_copy", lambda *_: False)
            assert not table.do(Press("MENU")).is_accepted
        assert journal.games() != starts, "in other rows"
        assert journal.removed() == {journal.games()[2], journal.games()[4]}
        assert numbers(folder) == [1, 3]


def test_the_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = journal_of(tmp_path, *three()) / "journal.db"
    remove(tmp_path, 1, 3)
    with closing(sqlite3.connect(path)) as db:
        starts = [start for (start,) in db.execute("SELECT start FROM games ORDER BY number")]
        assert removed_games(db) == {starts[0], starts[2]}
        assert [row[3] for row in db.execute("SELECT * FROM removed ORDER BY id")] == [1, 1]
