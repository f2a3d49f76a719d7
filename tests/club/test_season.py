"""The season's table: the sums of what is in the logs, corrections and all; what is wrong is said."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")
pytest.importorskip("paho", reason="the extra club is not installed")

from club.nights import DeskAtWork, results_in, set_up
from sqlalchemy import text
from support.broker import mosquitto, needs_broker
from support.patience import until
from support.refusals import refused

from cribpi.club import exports
from cribpi.club.desk import Desk
from cribpi.club.entries import Arrived, Corrected, Doubted, Gone, Listed, Noted, Reported, Settled, TakenBack
from cribpi.club.log import Log
from cribpi.club.pairings import TablePairing
from cribpi.club.roster import Book, Filed
from cribpi.club.season import Dated, Nights, Row, Season, by_column, filed
from cribpi.club.standings import CardLine, Result, Standing
from cribpi.companion.mqtt import publisher
from cribpi.companion.mqtt.broker import Broker
from cribpi.cribbage.rules.errors import RuleError
from cribpi.workshop.club_trial import PEOPLE, TrialBoard


@pytest.fixture
def log(database: str) -> Iterator[Log]:
    found = Log(database)
    yield found
    found.close()


def play(log: Log, name: str, chance: Random, people: list[str]) -> Desk:
    """Play a night of three rounds on which somebody comes late, one leaves, and results are corrected."""
    desk = Desk(log, name)
    here = chance.sample(people, chance.randrange(4, len(people)))
    late = desk.known(here.pop())
    set_up(desk, [desk.known(one) for one in here], 3)
    for round_ in (1, 2, 3):
        desk.open_round()
        for table in desk.night.missing:
            how = chance.randrange(3)
            desk.do(Reported(ended(chance, round_, table), "oak"))
            if how == 1:
                desk.do(Corrected(ended(chance, round_, table), "the desk"))
            elif how == 2:
                desk.do(TakenBack(round_, table.board, "oak"))
                desk.do(Reported(ended(chance, round_, table), "oak"))
        if round_ == 1:
            desk.do(Listed(late))
            desk.do(Arrived(late))
            desk.do(Gone(chance.choice(sorted(desk.night.here))))
    return desk


def ended(chance: Random, round_: int, table: TablePairing) -> Result:
    winner, loser = chance.sample(table.players, 2)
    return Result(round_, table.board, winner, loser, chance.randrange(40, 121))


def independently(log: Log, book: Book) -> dict[str, dict[str, int]]:
    """Add up what the rows of the log say, without a night."""
    with log._engine.connect() as db:
        rows = db.execute(
            text("SELECT night, number, entry FROM cribpi_club_log ORDER BY night, number")
        ).all()
    results = {(night, number): json.loads(entry).get("result") for night, number, entry in rows}
    counts: dict[tuple[str, int, int], dict[str, Any]] = {}
    called: dict[tuple[str, str], str] = {}
    for night, _, entry in rows:
        found = json.loads(entry)
        if found["kind"] == "Settled" and found["is_right"]:
            found = {"kind": "Corrected", "result": results[night, found["number"]]}
        if found["kind"] in {"Reported", "Corrected"}:
            counts[night, found["result"]["round"], found["result"]["board"]] = found["result"]
        elif found["kind"] == "TakenBack":
            del counts[night, found["round"], found["board"]]
        elif found["kind"] == "Renamed":
            called[night, found["player"]] = found["name"]
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    nights: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for (night, _, _), result in counts.items():
        by = 0 if result["forfeit"] else 121 - result["score"]
        skunk = by > 30
        for who, sign in (("winner", 1), ("loser", -1)):
            name = called.get((night, result[who]), result[who])
            person = book.find(name)
            card = nights[person.name if person else name][night]
            card.update(games=1, spread=sign * by, game_points=(2 + skunk) * (sign > 0), won=sign > 0)
            card.update(lost=sign < 0, skunks=skunk and sign > 0, skunked=skunk and sign < 0)
    for name, cards in nights.items():
        for card in cards.values():
            sums[name].update({key: card[key] for key in card})
            sums[name]["nights"] += 1
            sums[name]["grass_roots"] += [0, 1, 2, 3, 3][min(card["game_points"] // 2, 4)]
        points = sorted((card["game_points"] for card in cards.values()), reverse=True)
        sums[name].update(best=sum(points[:4]))
        sums[name]["high"], sums[name]["high_won"] = max(
            (one["game_points"], one["won"]) for one in cards.values()
        )
    return {name: dict(found) for name, found in sums.items()}


@pytest.mark.parametrize("seed", range(3))
def test_the_table_is_the_sum_of_what_the_logs_say(log: Log, seed: int) -> None:
    chance, people = Random(seed), list(PEOPLE[:9])
    for week in range(8):
        desk = play(log, str(date(2025, 9, 3) + timedelta(weeks=week)), chance, people)
        if week == 3:
            desk.give_name(desk.night.players[0], "Zo\xeb")
    desk = Desk(log, "another night")
    desk.note(lambda _: Noted(awards=((2, 1), (4, 2), (6, 3)), best=4))
    book = desk.book()
    desk.note(lambda now: now.same(1, now.people[2].name))
    for known in (book, desk.book()):
        rows = Nights(log).season(known).rows
        expected = independently(log, known)
        assert {row["player"] for row in rows} == set(expected)
        for row in rows:
            for key, value in row.items():
                if key not in {"player", "number", "kind"}:
                    assert value == expected[row["player"]].get(key, 0), (row["player"], key)


def test_ten_nights_of_people_who_come_and_go_marry_and_dispute(log: Log) -> None:
    chance, people = Random(7), ["Cara Hill", "Bob", "Bobby", "Zo\xeb", *PEOPLE[:9]]
    desk = Desk(log, "before")
    for one in people:
        desk.known(one)
    for week in range(10):
        desk, leaves = Desk(log, str(date(2025, 10, 7) + timedelta(weeks=week))), ""
        known = [one.name for one in desk.book().by_name]
        here = [desk.known(one) for one in chance.sample(known, chance.randrange(6, 11))]
        late = desk.known(chance.choice([one for one in known if one not in here]))
        set_up(desk, here, 5)
        for round_ in range(1, 6):
            desk.open_round()
            for table in desk.night.missing:
                one, other = chance.sample(table.players, 2)
                result = Result(round_, table.board, one, other, chance.randrange(121))
                right = Result(round_, table.board, other, one, chance.randrange(121))
                how = chance.choice(
                    ["as reported", "disputed", "doubted", "undone", "forfeit", "as reported"]
                )
                if how == "forfeit":
                    result = Result(round_, table.board, one, other, 0, forfeit=True)
                desk.do(Reported(result, chance.choice(["oak", "the desk", "a phone"])))
                if how == "undone":
                    desk.do(TakenBack(round_, table.board, "oak"))
                    desk.do(Reported(right, "oak"))
                elif how == "doubted":
                    desk.do(Doubted("a phone says otherwise", "a phone", "", right))
                    desk.do(Settled(desk.night.entries, is_right=chance.random() < 0.5))
                elif how == "disputed":
                    desk.do(Corrected(right, "the desk"))
            if round_ == 2:
                desk.do(Listed(late))
                desk.do(Arrived(late))
                leaves = chance.choice(here)
                desk.do(Gone(leaves))
                first = chance.choice(desk.night.results)  # of an earlier round, too
                desk.do(Corrected(replace(first, score=0, forfeit=True), "the desk"))
            elif round_ == 4:
                desk.do(Arrived(leaves))
                if "Cara Hill" in desk.night.names and week > 2:
                    desk.give_name("Cara Hill", "Cara Stone")
        if len(desk.night.short) > 1:
            desk.open_round()
            for table in desk.night.missing:
                desk.do(Reported(Result(6, table.board, *table.players, 60), "the desk"))
        if week == 6 and (twin := desk.book().find("Bobby")):
            desk.note(lambda book, twin=twin: book.same(twin.id, "Bob"))  # type: ignore[misc]
        book = desk.book()
        rows, expected = Nights(log).season(book).rows, independently(log, book)
        assert {row["player"] for row in rows} == set(expected)
        for row in rows:
            for key in (
                "nights",
                "games",
                "game_points",
                "won",
                "lost",
                "spread",
                "skunks",
                "skunked",
                "high",
            ):
                assert row[key] == expected[row["player"]].get(key, 0), (week, row["player"], key)
        assert sum(row["spread"] for row in rows) == 0
        assert sum(row["won"] for row in rows) == sum(row["lost"] for row in rows)
    names = {one.name for one in desk.book().by_name}
    assert "Cara Stone" in names
    assert not names & {"Cara Hill", "Bobby"}


def has_boards(desk: Desk) -> bool:
    return len(desk.night.boards) == 2


def two_boards(port: int, folder: Path) -> list[TrialBoard]:
    """Start two boards that play by themselves."""
    boards = [
        TrialBoard(Broker(host="127.0.0.1", port=port, board=name, discovery="off"), folder / name, seed)
        for seed, name in enumerate(("oak", "elm"))
    ]
    for board in boards:
        board.start()
    return boards


def play_round(desk: Desk) -> None:
    desk.open_round()
    until(lambda: not desk.night.missing)


@needs_broker
def test_the_table_is_the_sum_of_the_boards_journals(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "PAUSES", (0.2,))
    with mosquitto(tmp_path) as broker:
        boards = two_boards(broker.port, tmp_path)
        rows: list[Row] = []
        for day in ("2026-01-07", "2026-01-14"):
            work = DeskAtWork(database, broker.port, day)
            set_up(work.desk, ["ANN", "BOB", "CAT", "DOT"], 2)
            desk = work.desk
            until(partial(has_boards, desk))
            play_round(desk)
            play_round(desk)
            rows = Nights(work.log).season(work.desk.book()).rows
            work.stop()
        for board in boards:
            board.stop()
    ends = results_in(boards)
    assert len(ends) == 8
    for row in rows:
        won = [score for winner, _, score in ends if winner == row["player"]]
        lost = [score for _, loser, score in ends if loser == row["player"]]
        assert (row["nights"], row["won"], row["lost"]) == (2, len(won), len(lost))
        assert row["game_points"] == sum(2 + (score < 91) for score in won)
        assert row["spread"] == sum(121 - score for score in won) - sum(121 - score for score in lost)


@needs_broker
def test_another_night_is_opened_and_the_one_before_again(tmp_path: Path, database: str) -> None:
    with mosquitto(tmp_path) as broker:
        boards = two_boards(broker.port, tmp_path)
        work, results = DeskAtWork(database, broker.port, "first"), {}
        for name in ("first", "second"):
            work.desk.open(name)
            set_up(work.desk, ["ANN", "BOB", "CAT", "DOT"], 1)
            until(partial(has_boards, work.desk))
            play_round(work.desk)
            results[name] = work.desk.night.results
        work.desk.open("first")
        assert work.desk.night.results == results["first"] != results["second"]
        until(work._connection._client.is_connected)
        assert work._connection._client._client_id == f"cribpi-desk-{work.desk.id}".encode()
        work.stop()
        for board in boards:
            board.stop()
    assert len(results_in(boards)) == 4


def card(player: str, *spreads: int) -> Standing:
    """Return a player's card of games that were won, or lost, by so much."""
    lines = tuple(
        CardLine(at, "X", 0 if spread < 0 else 2 + (spread > 30), spread)
        for at, spread in enumerate(spreads, 1)
    )
    points, won = sum(line.game_points for line in lines), sum(spread > 0 for spread in spreads)
    return Standing(1, player, points, won, sum(spreads), lines, qualifies=False)


def test_who_leads_is_told_by_points_then_wins_then_spread_and_names_sort_by_the_alphabet() -> None:
    cards = [card("Ann", 31, 31, -5), card("bob", 1, 1, 1), card("Cat", 2, 2, 2), card("Dot", 31, 31, 31, 31)]
    night = Dated("n", date(2026, 1, 7), "Final standings", tuple((one.player, one) for one in cards))
    rows = Season(2025, (night,), Book()).rows
    assert [row["player"] for row in rows] == ["Dot", "Cat", "bob", "Ann"]
    assert [row["grass_roots"] for row in rows] == [1, 0, 0, 0]
    assert [row["player"] for row in by_column(rows, "player")] == ["Ann", "bob", "Cat", "Dot"]
    assert [row["player"] for row in by_column(rows, "lost")] == ["Ann", "Dot", "Cat", "bob"]
    assert [(row["high"], row["high_won"]) for row in rows] == [(12, 4), (6, 3), (6, 3), (6, 2)]


def test_a_season_starts_in_september_and_in_summer_as_the_director_says(log: Log) -> None:
    for name in ("2025-08-31", "2025-09-01", "2026-05-31 final", "2026-06-01", "2026-09-02"):
        play(log, name, Random(1), list(PEOPLE[:6]))
    nights = Nights(log)
    last = nights.season(Book())
    assert (last.first, last.others) == (2026, (2025,))
    assert [one.name for one in last.nights] == ["2026-09-02", "2026-06-01"]
    assert [one.name for one in nights.season(Book(), 2025).nights] == [
        "2026-05-31 final",
        "2025-09-01",
        "2025-08-31",
    ]
    none = nights.season(Book([Noted(summer="none")]), 2025)
    assert [one.name for one in none.nights] == ["2026-05-31 final", "2025-09-01"]
    assert [one.name for one in none.apart] == ["2026-06-01", "2025-08-31"]
    assert nights.season(Book(), 1999).rows == []


def test_a_night_is_left_out_renamed_and_dated_again(log: Log) -> None:
    for name in ("2026-01-07", "2026-01-14", "2027-01-21"):  # a clock that was a year ahead
        play(log, name, Random(1), list(PEOPLE[:6]))
    nights, desk = Nights(log), Desk(log, "2026-01-14")
    desk.note(lambda book: book.file(Filed("2026-01-14", "A rehearsal", counts=False)))
    desk.note(lambda book: book.file(Filed("2027-01-21", "Third", "2026-01-21")))
    found = nights.season(desk.book())
    assert [(one.display_name, str(one.day)) for one in found.nights] == [
        ("Third", "2026-01-21"),
        ("2026-01-07", "2026-01-07"),
    ]
    assert [one.display_name for one in found.apart] == ["A rehearsal"]
    assert (found.first, found.others, found.wrong) == (2025, (), ())
    assert {row["nights"] for row in found.rows} <= {1, 2}
    assert desk.title == "A rehearsal"
    desk.open("Third")
    assert (desk.name, desk.title) == ("2027-01-21", "Third"), "by either name"
    assert desk.night.round
    desk.note(lambda book: book.file(Filed("2026-01-14")))
    assert len(nights.season(desk.book()).nights) == 3


@pytest.mark.parametrize(
    ("form", "why"),
    [
        (Filed("n", "x" * 81), "the night's name: use 1 to 80 visible characters on one line"),
        (Filed("n", "n", "25.11.2026"), "the day '25.11.2026': write it as 2026-11-25"),
        (Filed("n", "n", "2126-11-25"), "the day 2126-11-25 is too early, or yet to come"),
        (Filed("n", "n", "1926-11-25"), "the day 1926-11-25 is too early, or yet to come"),
    ],
)
def test_a_night_is_not_filed_as_it_can_not_be(form: Filed, why: str) -> None:
    assert refused(RuleError, filed, form) == why


def test_a_clock_a_year_ahead_is_doubted_when_a_night_begins(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(log, "2026-11-18", Random(1), list(PEOPLE[:6]))
    (last,) = log.nights().values()
    shown = str(datetime.fromisoformat(last) + timedelta(days=365))
    monkeypatch.setattr("cribpi.club.log._now", lambda: shown)
    said = log.clock("tonight")
    assert said.startswith(f"This machine's clock shows {shown[:10]}")
    assert f"and the night before ended on {last[:10]}: is the clock ahead?" in said
    desk = Desk(log, "tonight")
    desk.do(Listed("ANN"))
    assert log.clock("tonight") == said, "its own entries show nothing"
    monkeypatch.setattr(
        "cribpi.club.log._now", lambda: str(datetime.fromisoformat(last) + timedelta(days=120))
    )
    assert "the log has an entry from" in log.clock("tonight"), "the clock was set"
    assert log.clock("tonight", ["tonight"]) == "", "and that night was dated again; a summer is no doubt"


def test_a_night_is_read_again_once_something_has_come_to_it(log: Log) -> None:
    desk, nights = play(log, "2026-01-07", Random(2), list(PEOPLE[:6])), Nights(log)
    first = nights.season(Book()).rows
    (one, *_) = desk.night.results
    desk.do(Corrected(Result(one.round, one.board, one.loser, one.winner, 3), "the desk"))
    assert nights.season(Book()).rows != first


def test_what_is_wrong_with_nights_is_said_and_the_others_count(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(0, tz)

    people = list(PEOPLE[:6])
    for name in ("2026-01-07", "2026-01-14", "2026-01-21", "2026-01-28", "2125-01-07"):
        play(log, name, Random(1), people)
    with monkeypatch.context() as patched:
        patched.setattr("cribpi.club.log.datetime", Clock)
        desk = play(log, "a night", Random(1), people)
    with log._engine.begin() as db:
        db.execute(text("DELETE FROM cribpi_club_log WHERE night = '2026-01-07'"))
        db.execute(text("DELETE FROM cribpi_club_log WHERE night = '2026-01-14' AND number = 5"))
        db.execute(text("UPDATE cribpi_club_log SET entry = '{}' WHERE night = '2026-01-21' AND number = 5"))
    found = Nights(log).season(desk.book(), 2025)
    assert [one.name for one in found.nights] == ["2026-01-28"]
    assert [one.replace("update cribpi, or use another database", "...") for one in sorted(found.wrong)] == [
        "entries of the night 2026-01-14 are missing: that night is left out",
        "the night 2026-01-07 is missing: was it deleted, or the database restored from a backup?",
        "the night 2026-01-21 can't be read: an unknown kind of entry, None: ...: that night is left out",
        "the night 2125-01-07 is dated 2125-01-07: was the clock wrong?",
        "the night a night is dated 1970-01-01: was the clock wrong?",
    ]


def test_its_files_have_every_player_and_no_formula(log: Log) -> None:
    desk = play(
        log, "2026-01-07", Random(1), ["=cmd|' /C calc'!A0", "<b>Zo\xeb</b>", "Ann & Co", "Dot", "Eve", "Fay"]
    )
    desk.note(lambda book: book.put("Dorothy", "+44", "member", 2))
    found = Nights(log).season(desk.book())
    written = exports.season_csv(found)
    assert written.startswith("\N{BOM}player,number,kind,grass roots,".encode())
    rows = list(csv.DictReader(io.StringIO(written.decode("utf-8-sig"))))
    assert len(rows) == len(found.rows)
    assert not any(cell.startswith(("=", "+")) for row in rows for cell in row.values())
    made = json.loads(exports.season_json(found))
    assert [row["player"] for row in made["players"]] == [row["player"] for row in found.rows]
    assert {card["player"] for night in made["nights"] for card in night["cards"]} == {
        row["player"] for row in found.rows
    }
    lines = exports.season_report(found).decode().splitlines()
    assert lines[0] == "Season 2025-2026; Grass Roots points by an example table, not the ACC's"
    desk.note(lambda _: Noted(awards=((12, 2),)))
    assert exports.season_report(Nights(log).season(desk.book())).startswith(b"Season 2025-2026\n")
    assert len(lines) == 3 + len(rows)
    for empty in (exports.season_csv, exports.season_json, exports.season_report):
        assert empty(Season(2025, (), Book()))


def test_its_table_is_printed_on_a4_and_letter(log: Log) -> None:
    pytest.importorskip("reportlab", reason="reportlab is not installed")
    people = [f"<i>{letter * 20} {letter * 19}"[:40] for letter in "WMABCDE"]
    desk = play(log, "2026-01-07", Random(1), people)
    for season in (Nights(log).season(desk.book()), Season(2025, (), Book())):
        pdf = exports.season_pdf(season)
        (page,) = set(re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf))
        assert (float(page[0]) < 596, float(page[1]) < 793) == (True, True)


def test_its_printed_headings_have_room(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    fonts = pytest.importorskip("reportlab.pdfbase.pdfmetrics", reason="reportlab is not installed")
    season = Nights(log).season(play(log, "2026-01-07", Random(1), list(PEOPLE[:6])).book())
    exports.season_pdf(season)  # it registers the font
    columns: dict[str, int] = {}
    monkeypatch.setattr(exports, "_pdf", lambda _title, made: columns.update(made[0][1]))
    exports.season_pdf(season)
    for head, width in columns.items():
        for word in head.split("\n"):
            assert fonts.stringWidth(word, exports._BOLD, 7) < width, word
    assert sum(columns.values()) <= 523, "the page without its margins"
