"""A night with boards, a broker and a desk: whatever is killed, the standings are those of the journals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")
pytest.importorskip("paho", reason="the extra club is not installed")

from club.nights import (
    BoardAtWork,
    DeskAtWork,
    as_ends,
    as_from_a_backup,
    open_round,
    results_in,
    set_up,
)
from support.broker import Mosquitto, mosquitto, needs_broker
from support.patience import until
from support.samples import some_of

from cribpi.club import connection
from cribpi.club.entries import Reported, Settled
from cribpi.club.log import LogTrouble
from cribpi.club.standings import Result, standings
from cribpi.companion.mqtt import publisher
from cribpi.companion.mqtt.broker import Broker
from cribpi.workshop.club_trial import NAMES, TrialBoard

pytestmark = [needs_broker]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    (tmp_path / "broker").mkdir()
    with mosquitto(tmp_path / "broker") as found:
        yield found


def boards_at(broker: Mosquitto, folder: Path, many: int, since: int = 0) -> list[TrialBoard]:
    boards = [
        TrialBoard(
            Broker(host="127.0.0.1", port=broker.port, board=name, discovery="off"),
            folder / name,
            seed=number,
        )
        for number, name in enumerate(NAMES[since : since + many], since)
    ]
    for board in boards:
        board.start()
    return boards


def play_round(work: DeskAtWork) -> None:
    open_round(work.desk)
    until(lambda: not work.desk.night.missing)


def test_a_small_night_comes_to_the_standings_of_the_journals(
    tmp_path: Path, database: str, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "PAUSES", (0.2,))
    work = DeskAtWork(database, broker.port)
    set_up(work.desk, ["ANN", "BOB", "CAT", "DOT"], 3)
    boards = boards_at(broker, tmp_path, 2)
    until(lambda: len(work.desk.night.boards) == 2)
    play_round(work)
    broker.kill()
    open_round(work.desk)
    broker.start()
    until(lambda: not work.desk.night.missing)
    work.kill()
    work.start()
    play_round(work)
    assert work.desk.night.is_over
    assert as_ends(work.desk.night.results) == results_in(boards)
    assert work.desk.night.standings == standings(work.desk.night.seated, work.desk.night.results)
    for board in boards:
        board.stop()
    work.stop()


def test_what_could_not_be_saved_comes_again_after_a_kill(
    tmp_path: Path, database: str, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report is acknowledged once it is in the log: the broker keeps it for the next desk."""
    monkeypatch.setattr(connection, "RETRY", 0.1)
    work = DeskAtWork(database, broker.port)
    set_up(work.desk, ["ANN", "BOB"], 1)
    (board,) = boards_at(broker, tmp_path, 1)
    until(lambda: len(work.desk.night.boards) == 1)
    open_round(work.desk)

    def full(*_: object) -> None:
        raise LogTrouble("the disk is full")

    monkeypatch.setattr(work.log, "add", full)
    until(lambda: any("can't be saved: the disk is full" in one for one in work.troubles))
    assert work.desk.night.results == ()
    work.kill()
    work.start()
    until(lambda: not work.desk.night.missing)
    assert as_ends(work.desk.night.results) == results_in([board])
    board.stop()
    work.stop()


@pytest.mark.parametrize("kept", some_of([0, 1], 1))
def test_a_log_from_a_backup_is_said_and_what_boards_still_report_can_be_counted(
    tmp_path: Path, database: str, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    """The log comes back as it was after *kept* rounds, when boards have played two.

    The broker has each board's last result, of round 2.  What a board had reported before is nowhere but in
    its journal, and it does not begin a game again that it has played.
    """
    monkeypatch.setattr(publisher, "PAUSES", (0.2,))
    work = DeskAtWork(database, broker.port)
    set_up(work.desk, ["ANN", "BOB", "CAT", "DOT"], 3)
    boards = boards_at(broker, tmp_path, 2)
    until(lambda: len(work.desk.night.boards) == 2)
    entries = work.desk.night.entries
    for number in (1, 2):
        play_round(work)
        entries = work.desk.night.entries if number == kept else entries
    results = work.desk.night.results
    work.stop()
    as_from_a_backup(database, entries)
    work.start()
    until(lambda: len(work.desk.night.doubts) == 2)
    for one in work.desk.night.doubts:
        assert "this log has no round 2, so it seems to be a backup" in one.why
    assert work.desk.night.results == results[: 2 * kept]
    if not kept:
        open_round(work.desk)
        assert len(work.desk.night.missing) == 2, "this is for the director"
        for result in results[:2]:
            work.desk.do(Reported(result, "the desk"))
    open_round(work.desk)
    for one in work.desk.night.doubts:
        work.desk.do(Settled(one.number, is_right=True))
    assert (work.desk.night.results, work.desk.night.doubts) == (results, ())
    play_round(work)
    assert work.desk.night.is_over
    assert as_ends(work.desk.night.results) == results_in(boards)
    for board in boards:
        board.stop()
    work.stop()


def test_last_weeks_results_do_not_count_tonight_whatever_starts_again(
    tmp_path: Path, database: str, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same two at the same board, and the broker has kept how it ended last week.

    In each round tonight desk, board and broker start again, one after the other, before its game has begun,
    and while it is on.
    """
    monkeypatch.setattr(publisher, "PAUSES", (0.2,))
    work = DeskAtWork(database, broker.port, "last week")
    board = BoardAtWork(tmp_path / "oak", broker.port)
    set_up(work.desk, ["ANN", "BOB"], 2)
    for number in (1, 2):
        open_round(work.desk)
        board.begin(number)
        board.finish(0, 80 + number)
        until(lambda: not work.desk.night.missing)
    work.stop()
    work = DeskAtWork(database, broker.port, "tonight")
    set_up(work.desk, ["ANN", "BOB"], 2)

    restarts: list[tuple[str, list[Callable[[], None]]]] = [
        ("desk", [work.stop, work.start]),
        ("board", [board.stop, board.start]),
        ("broker", [broker.stop, broker.start]),
        ("desk", [work.kill, work.start]),
        ("broker", [broker.kill, broker.start]),
    ]
    for number in (1, 2):
        open_round(work.desk)
        for is_on in (False, True):
            if is_on:
                board.begin(number)
            for what, (stop, start) in restarts:
                stop()
                work.heard.clear()  # what was on its way before is no answer to the start
                start()
                # A board says its last result again unless a game is on; the broker has kept it.
                until(lambda: ("online" if is_on and what == "board" else "result") in work.heard)  # noqa: B023
                assert work.desk.night.doubts == (), (number, what)
                assert len(work.desk.night.results) == number - 1, (number, what)
        board.finish(1, 90 + number)
        until(lambda: not work.desk.night.missing)
    assert [one.score for one in work.desk.night.results] == [91, 92]
    assert work.desk.night.doubts == ()
    board.stop()
    work.stop()


def test_a_board_that_takes_no_pairings_gets_no_table(
    tmp_path: Path, database: str, broker: Mosquitto
) -> None:
    work = DeskAtWork(database, broker.port)
    set_up(work.desk, ["ANN", "BOB", "CAT", "DOT"], 1)
    deaf = BoardAtWork(tmp_path / "fir", broker.port, "fir", club=False)
    until(lambda: work.desk.deaf == ["fir"])
    board = BoardAtWork(tmp_path / "oak", broker.port)
    until(lambda: work.desk.night.boards)
    assert dict(work.desk.night.boards) == {1: "oak"}
    for one in (deaf, board):
        one.stop()
    work.stop()


def test_boards_show_where_the_desk_is_until_it_closes(
    tmp_path: Path, database: str, broker: Mosquitto
) -> None:
    first = BoardAtWork(tmp_path / "oak", broker.port)
    work = DeskAtWork(database, broker.port, url="http://192.168.1.20:8131/")
    until(lambda: first.pages[-1:] == ["192.168.1.20:8131"])
    late = BoardAtWork(tmp_path / "fir", broker.port, "fir")
    until(lambda: late.pages[-1:] == ["192.168.1.20:8131"])
    work.stop()
    until(lambda: first.pages[-1] == late.pages[-1] == "")
    for one in (first, late):
        one.stop()


def test_two_desks_of_two_nights_at_one_broker_leave_each_other_alone(
    tmp_path: Path, database: str, broker: Mosquitto
) -> None:
    """Each has a session of its own: neither takes the line from the other, and both hear all boards."""
    desks = [DeskAtWork(database, broker.port, name) for name in ("one", "two")]
    board = BoardAtWork(tmp_path / "oak", broker.port)
    for work in desks:
        until(lambda: "oak" in work.desk.online)  # noqa: B023
    board.stop()
    for work in desks:
        until(lambda: "oak" not in work.desk.online)  # noqa: B023
        assert all(one.startswith("Another desk is at the broker") for one in work.troubles), (
            "nothing is lost"
        )
        work.stop()


@pytest.mark.prove
def test_a_night_of_24_with_the_broker_killed_twice_and_the_desk_once(
    tmp_path: Path, database: str, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards that come late, too: two of the twelve are there from the third round on."""
    monkeypatch.setattr(publisher, "PAUSES", (0.2,))
    work = DeskAtWork(database, broker.port)
    set_up(work.desk, [f"PLAYER {number}" for number in range(1, 25)], 9)
    boards = boards_at(broker, tmp_path, 10)
    until(lambda: len(work.desk.night.boards) == 10)
    for number in range(1, 10):
        open_round(work.desk)
        if number == 3:
            boards += boards_at(broker, tmp_path, 2, since=10)
        elif number in {4, 7}:
            until(lambda: len(work.desk.night.missing) < 9)
            broker.kill()
            broker.start()
        elif number == 6:
            until(lambda: len(work.desk.night.missing) < 9)
            work.kill()
            work.start()
        if number < 3:
            by_hand = [table for table in work.desk.night.missing if table.board > 10]
            for table in by_hand:  # boards of wood: the desk enters the result
                work.desk.do(Reported(Result(number, table.board, *table.players, 100), "the desk"))
        until(lambda: not work.desk.night.missing, 120)
    night = work.desk.night
    assert night.is_over
    assert night.doubts == ()
    entered = [one for one in night.results if night.reports[one.round, one.board][-1].by == "the desk"]
    assert len(entered) == 4
    assert as_ends(night.results) == sorted([*results_in(boards), *as_ends(entered)])
    assert len(night.results) == 9 * 12
    assert {len(one.card) for one in night.standings} == {9}
    for board in boards:
        board.stop()
    work.stop()


@needs_broker
def test_two_desks_at_one_broker_notice_each_other_and_that_one_has_gone(tmp_path: Path) -> None:
    """Each has its own database, so only the broker can tell one about the other."""
    with mosquitto(tmp_path) as broker:
        one, two = (
            DeskAtWork(f"sqlite:///{tmp_path / name}.db", broker.port, name)
            for name in ("tuesday", "thursday")
        )

        def sees(desk: DeskAtWork, night: str) -> bool:
            return [*desk._connection._others.values()] == ([night] if night else [])

        until(lambda: sees(one, "thursday"))
        until(lambda: sees(two, "tuesday"))
        (said,) = one.troubles
        assert said.startswith(
            "Another desk is at the broker 127.0.0.1, with the night thursday: close one of"
        )
        two.desk.open("friday")
        until(lambda: sees(one, "friday"))
        two.kill()
        until(lambda: sees(one, ""))
        two.start()
        until(lambda: sees(one, "thursday"))
        until(lambda: sees(two, "tuesday"))
        two.stop()
        until(lambda: sees(one, ""))
        one.stop()
