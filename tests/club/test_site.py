"""The desk's page: a night by its forms, from check-in to the play-offs; passwords, codes, hostile names."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import io
import json
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")
pytest.importorskip("jinja2", reason="the extra club is not installed")

import httpx
from club.ends import end_of, text
from sqlalchemy import text as sql
from starlette.types import ASGIApp
from support import loops

from cribpi.club import exports
from cribpi.club.desk import Desk
from cribpi.club.log import Log
from cribpi.club.roster import Person
from cribpi.club.web import access
from cribpi.club.web import app as site_of
from cribpi.club.web.access import Access
from cribpi.club.web.app import Site
from cribpi.club.web.server import is_ours

HOST = "http://127.0.0.1:8131"
HOSTILE = "<script>alert(1)</script>"


class Browser:
    """A browser that follows where it is led, and keeps its cookies."""

    def __init__(self, app: ASGIApp, address: str = "192.168.1.7") -> None:
        self._app, self._address = app, address
        self._cookies = httpx.Cookies()

    def get(self, path: str) -> httpx.Response:
        return self._sent("GET", path)

    def post(
        self,
        path: str,
        data: Mapping[str, str | list[str]] | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        return self._sent("POST", path, data=data or {}, headers={"origin": HOST} | (headers or {}))

    def post_file(self, path: str, data: bytes) -> httpx.Response:
        return self._sent("POST", path, files={"file": ("people.csv", data)}, headers={"origin": HOST})

    def _sent(self, method: str, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401  httpx's
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(app=self._app, client=(self._address, 50_000))
            async with httpx.AsyncClient(
                transport=transport, base_url=HOST, cookies=self._cookies, follow_redirects=True
            ) as client:
                answer = await client.request(method, path, **more)
                self._cookies = client.cookies
                return answer

        return loops.run(send())


class Open:
    """A desk with its page, a director's browser that is logged in, and a stranger's."""

    def __init__(self, folder: Path, database: str) -> None:
        self.log = Log(database)
        self.desk = Desk(self.log, "a night")
        self.access = Access(folder / "password.json")
        self.password = self.access.new_password()
        self.site = Site(self.desk, self.log, self.access)
        app = self.site.app(lambda host: host == "127.0.0.1:8131")
        self.stranger = Browser(app)
        self.director = Browser(app)
        self.director.post("/login", data={"password": self.password})

    def do(self, what: str, **form: object) -> str:
        """Send a form of the desk, and return what the page says then."""
        data = {key: one if isinstance(one, list) else str(one) for key, one in form.items()}
        answer = self.director.post(f"/desk/{what}", data=data)
        assert answer.status_code == 200
        return answer.text


@pytest.fixture
def open_(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    monkeypatch.setattr(site_of, "PAUSE", 0.01)
    monkeypatch.setattr(access, "_COST", 2)  # at its full cost it was most of the time
    found = Open(tmp_path, database)
    yield found
    found.log.close()


def wrong(page: str) -> str:
    """Return what the page says is wrong; empty if nothing is."""
    found = re.search(r'<p class="wrong" role="alert">(.*?)</p>', page)
    return found[1] if found else ""


def test_a_night_by_the_forms_alone(open_: Open) -> None:
    assert not wrong(open_.do("list", players="ANN\nBOB\r\n\n  CAT  \nDOT", here=1))
    assert not wrong(open_.do("draw", games=3))
    assert not wrong(open_.do("draw", games=2)), "until round 1 starts, it can be drawn again"
    for number in (1, 2):
        assert not wrong(open_.do("round"))
        for table in open_.desk.night.missing:
            page = open_.do(
                "result", round=number, board=table.board, winner=table.players[0], score=90 + number
            )
            assert not wrong(page)
    night = open_.desk.night
    assert night.is_over
    assert night.games == 2
    first = night.result(1, 1)
    assert first is not None
    assert not wrong(open_.do("result", round=1, board=1, winner=first.loser, score=3))
    assert [one.result is not None for one in open_.desk.night.reports[1, 1]] == [True, True]
    assert not wrong(open_.do("playoffs", best_of=3))
    (final,) = open_.desk.night.bracket[0]
    for games, score in enumerate((90, 91)):
        form = {"stage": 1, "place": 1, "winner": final.players[0], "score": score, "games": games}
        assert not wrong(open_.do("playoff-game", **form))
        assert wrong(open_.do("playoff-game", **form)).startswith("That game is entered already"), (
            "a double tap"
        )
    assert open_.desk.night.bracket[0][0].winner == final.players[0]
    for path in ("/", "/cards", "/playoffs", "/enter", "/desk"):
        assert open_.director.get(path).status_code == 200


@pytest.mark.parametrize(
    ("what", "form", "why"),
    [
        ("list", {"players": " \n"}, "Type at least one name."),
        ("list", {"players": "ANN"}, "ANN is already on the list"),
        ("draw", {"games": "many"}, "Games must be a number."),
        ("draw", {"games": "0"}, "0 games? Choose 1 to 99."),
        ("remove", {"player": "EVE"}, "&#39;EVE&#39; is not on the list."),
        ("round", {}, "Draw the pairings first."),
        ("result", {"round": 1, "board": 1, "winner": "ANN", "score": 90}, "Round 1 has not started."),
        ("settle", {"doubt": 1}, "That report is already settled."),
        ("playoffs", {"best_of": 3}, "Finish the last round first."),
        ("playoffs", {}, "Best of must be a number."),
        ("format-the-disk", {}, "That button is unknown: reload the page."),
        ("place", {"board": "9" * 7, "name": "oak"}, "Board must be a number."),
    ],
)
def test_a_form_that_can_not_be_is_answered_with_a_sentence(
    open_: Open, what: str, form: dict[str, object], why: str
) -> None:
    open_.do("list", players="ANN")
    entries = open_.desk.night.entries
    assert wrong(open_.do(what, **form)).startswith(why)
    assert open_.desk.night.entries == entries
    assert not wrong(open_.director.get("/desk").text), "it is said once"


def test_a_stranger_sees_the_night_and_can_do_nothing_at_the_desk(open_: Open) -> None:
    open_.do("list", players="ANN")
    for path in ("/", "/cards", "/enter"):
        assert open_.stranger.get(path).status_code == 200
    assert open_.stranger.get("/desk").url.path == "/login"
    assert open_.stranger.post("/desk/list", data={"players": "EVE"}).url.path == "/login"
    assert open_.desk.night.players == ("ANN",)
    assert open_.site.code not in open_.stranger.get("/enter").text
    assert open_.stranger.post("/login", data={"password": "guess"}).status_code == 403
    open_.director.post("/logout")
    assert open_.director.get("/desk").url.path == "/login"


def test_of_the_password_a_hash_is_kept_and_a_new_one_shuts_everybody_out(
    open_: Open, tmp_path: Path
) -> None:
    kept = tmp_path / "password.json"
    assert open_.password not in kept.read_text()
    assert kept.stat().st_mode & 0o077 == 0
    time.sleep(0.02)
    Access(kept).new_password()  # by `cribpi club --new-password`, beside this desk
    assert open_.director.get("/desk").url.path == "/login"
    assert open_.stranger.post("/login", data={"password": open_.password}).status_code == 403


def test_the_password_of_an_earlier_desk_lets_its_director_in(tmp_path: Path) -> None:
    kept, salt = tmp_path / "password.json", b"0123456789abcdef"
    made = hashlib.scrypt(b"of an earlier desk", salt=salt, dklen=32, n=16384, r=8, p=1)
    kept.write_text(json.dumps({"salt": salt.hex(), "hash": made.hex()}))
    found = Access(kept)
    assert found.enter("of another desk") is None
    assert found.is_in(found.enter("of an earlier desk"))
    password = found.new_password()
    assert found.is_in(Access(kept).enter(password)) is False  # another desk's browser
    assert found.is_in(found.enter(password))


@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"origin": "null"}, {"host": "evil.example"}]
)
def test_a_page_elsewhere_can_not_use_the_desk(open_: Open, headers: dict[str, str]) -> None:
    answer = open_.director.post("/desk/list", data={"players": "EVE"}, headers=headers)
    assert answer.status_code in {403, 421}
    assert open_.desk.night.players == ()


def test_hostile_names_are_shown_as_they_are(open_: Open) -> None:
    open_.do("list", players=f"{HOSTILE}\n=SUM(A1)\n\"' onclick=x\nDOT", here=1)
    open_.do("draw", games=1)
    open_.do("round")
    for table in open_.desk.night.missing:
        open_.do("result", round=1, board=table.board, winner=table.players[0], score=90)
    for path in ("/", "/cards", "/desk", "/enter"):
        page = open_.director.get(path).text
        assert "<script>alert" not in page
    assert "&lt;script&gt;" in open_.director.get("/").text
    rows = list(csv.reader(io.StringIO(open_.stranger.get("/files/standings.csv").text)))
    assert "'=SUM(A1)" in {row[1] for row in rows}
    assert len(rows) == 5
    assert open_.stranger.get("/files/standings.csv").headers["content-type"].startswith("text/csv")


def test_a_phone_enters_a_result_once_with_the_code(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw")
    open_.do("round")
    form = {"round": "1", "board": "1", "winner": "ANN", "score": "88", "code": "WRONGX"}
    answer = open_.stranger.post("/enter", data=form)
    assert answer.status_code == 409
    assert wrong(answer.text) == "That is not tonight&#39;s code: ask at the desk."
    form["code"] = f" {open_.site.code.lower()} "
    assert "Saved: ANN 121, BOB 88" in open_.stranger.post("/enter", data=form).text
    assert "Saved: ANN 121, BOB 88" in open_.stranger.post("/enter", data=form).text, (
        "the opponent enters it too"
    )
    (report,) = open_.desk.night.reports[1, 1]
    assert report.by == "a phone"


def test_the_other_players_phone_confirms_a_result(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT\nDOT", here=1)
    open_.do("draw")
    open_.do("round")
    table, by_hand = open_.desk.night.missing
    one, other = table.players
    app = open_.stranger._app
    phones = [Browser(app, f"192.168.1.{number}") for number in range(20, 24)]
    first, second, third, _ = phones
    form = {"round": "1", "board": "1", "winner": one, "score": "88", "code": open_.site.code}
    for browser in phones:
        page = browser.get("/enter").text
        assert "Confirm:" not in page
        assert page.count("<legend>You are</legend>") == 2
    assert "Saved:" in first.post("/enter", data=form | {"me": one}).text
    page = first.get("/enter").text
    assert f"This is the phone of {one}." in page
    assert "<legend>You are</legend>" not in page
    assert "Confirm:" not in page, "that is for the other player"
    assert "Saved:" in first.post("/enter", data=form | {"me": other}).text, "nobody confirms the own result"
    assert ", not confirmed" in open_.director.get("/desk").text
    not_yours = "It is entered already, and only the other player can confirm it, on their own phone."
    for me, why in (
        (one, f"{one} has another phone: the desk can make it forget that one."),
        ("", not_yours),
    ):
        assert wrong(second.post("/enter", data=form | {"me": me}).text) == why
    assert (
        "Saved:"
        in third.post(
            "/enter", data=form | {"board": "2", "me": by_hand.players[0], "winner": by_hand.players[0]}
        ).text
    )
    assert "Confirm:" not in third.get("/enter").text, "not that player's game"
    assert wrong(third.post("/enter", data=form | {"me": other}).text) == not_yours
    page = second.get("/enter").text
    assert f"Confirm: {one} 121," in page
    assert second.post("/enter", data=form | {"code": "WRONGX", "me": other}).status_code == 409
    again = Browser(app, "192.168.1.20")  # the first phone, in a private window
    again.get("/enter")
    said = wrong(again.post("/enter", data=form | {"me": other}).text)
    assert said == f"That is another player&#39;s phone: enter it on {other}&#39;s own, or tell the desk."
    assert open_.desk.night.confirmed == frozenset()
    assert "Confirmed:" in second.post("/enter", data=form | {"me": other}).text
    assert "Confirm:" not in second.get("/enter").text.replace(f"Confirm: {by_hand.players[0]}", "")
    assert ", confirmed" in open_.director.get("/desk").text
    assert Desk(open_.log, "a night").night.confirmed == {(1, 1)}
    assert set(Desk(open_.log, "a night").night.phones.values()) == {one, other, by_hand.players[0]}


def test_a_result_of_the_desk_is_confirmed_by_either_player_and_a_phone_can_be_forgotten(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw", games=2)
    open_.do("round")
    open_.do("result", round=1, board=1, winner="BOB", forfeit=1)
    phone = Browser(open_.stranger._app, "192.168.1.20")
    assert "wins," in phone.get("/enter").text
    form = {
        "round": "1",
        "board": "1",
        "winner": "BOB",
        "score": "0",
        "forfeit": "1",
        "code": open_.site.code,
    }
    assert "Confirmed:" in phone.post("/enter", data=form | {"me": "BOB"}).text
    assert "Forget the phone of BOB" in open_.director.get("/desk").text
    assert not wrong(open_.do("phone", player="BOB"))
    assert open_.desk.night.phones == {}


def test_the_doubts_of_one_phone_about_a_game_are_one_and_those_of_many_are_bounded(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw")
    open_.do("round")
    open_.do("result", round=1, board=1, winner="ANN", score=90)
    form = {"round": "1", "board": "1", "winner": "ANN", "code": open_.site.code}
    phone = Browser(open_.stranger._app)
    phone.get("/enter")
    for score in range(20, 30):
        phone.post("/enter", data=form | {"score": str(score)})
    (doubt,) = open_.desk.night.doubts
    assert doubt.why.startswith("a phone reports ANN 121, BOB 29:"), "what it said last"
    assert Desk(open_.log, "a night").night.doubts == (doubt,)
    for score in range(30, 60):
        other = Browser(open_.stranger._app)
        other.get("/enter")
        other.post("/enter", data=form | {"score": str(score)})
    assert len(open_.desk.night.doubts) == 20


def test_another_result_from_a_phone_is_for_the_director(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT\nDOT", here=1)
    open_.do("draw")
    open_.do("round")
    one, other = open_.desk.night.table(1, 1).players
    form = {"round": "1", "board": "1", "winner": one, "score": "88", "code": open_.site.code}
    open_.stranger.post("/enter", data=form)
    for _ in range(2):
        again = open_.stranger.post("/enter", data=form | {"winner": other, "score": "3"})
        assert wrong(again.text) == "Board 1 already has another result: the desk has been told."
    (doubt,) = open_.desk.night.doubts
    assert doubt.why == f"a phone reports {other} 121, {one} 3: already entered as {one} 121, {other} 88"
    assert not wrong(open_.do("settle", doubt=doubt.number, **{"is": "right"}))
    assert [result.winner for result in open_.desk.night.results] == [other]


def test_what_a_phone_got_wrong_is_still_there(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw")
    open_.do("round")
    form = {"round": "1", "board": "1", "winner": "ANN", "score": "87", "code": "WRONGX"}
    page = open_.stranger.post("/enter", data=form).text
    assert 'value="87"' in page
    assert 'value="ANN" checked' in page
    assert '<details class="game" open>' in page


def test_of_a_list_all_good_names_are_taken_and_the_others_stay_to_be_mended(open_: Open) -> None:
    open_.do("list", players="DAVE")
    page = open_.do("list", players="ANN\nDAVE\nANNA\u200b\nZOE")
    assert list(open_.desk.night.players) == ["DAVE", "ANN", "ZOE"]
    assert "DAVE\nANNA\u200b</textarea>" in page
    assert wrong(page).startswith("DAVE is already on the list.")
    assert not wrong(open_.do("list", players="DAVE", here=1)), "who is on the list arrives"
    assert open_.desk.night.here == {"DAVE"}
    open_.do("remove", player="ZOE")
    assert list(open_.desk.night.players) == ["DAVE", "ANN"]


def test_who_arrives_beside_a_name_that_can_not_be_gets_a_board(open_: Open) -> None:
    open_.desk.on_online("oak", is_there=True)
    open_.desk.on_state("oak", b'{"sides": [], "club": true}')
    assert dict(open_.desk.night.boards) == {}
    assert wrong(open_.do("list", players="ANN\nBOB\nCA\u200bT", here=1))
    assert dict(open_.desk.night.boards) == {1: "oak"}


def test_a_name_is_corrected_at_the_desk_and_the_log_has_both(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw", games=1)
    open_.do("round")
    form = {"round": "1", "board": "1", "winner": "ANN", "score": "88", "code": open_.site.code}
    assert not wrong(open_.do("rename", player="ANN", name="  Anna  Lee "))
    assert "Saved: Anna Lee 121, BOB 88" in open_.stranger.post("/enter", data=form).text, "an old page"
    assert "Anna Lee" in open_.stranger.get("/cards").text
    assert wrong(open_.do("rename", player="ANNE", name="ANN")) == "&#39;ANNE&#39; is not on the list."
    assert wrong(open_.do("rename", player="BOB", name="anna lee")).startswith(
        "The names Anna Lee and anna lee"
    )
    log = open_.stranger.get("/files/night.json").json()["log"]
    assert [one["player"] for one in log if one["kind"] == "Listed"] == ["ANN", "BOB"]
    assert [(one["player"], one["name"]) for one in log if one["kind"] == "Renamed"] == [("ANN", "Anna Lee")]


def test_a_latecomer_plays_from_the_next_round_and_not_after_the_last(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT\nDOT", here=1)
    open_.do("draw", games=2)
    open_.do("round")
    assert "EVE plays from the next round." in open_.do("list", players="EVE", here=1)
    open_.do("list", players="FAY", here=1)
    for table in open_.desk.night.missing:
        open_.do("result", round=1, board=table.board, winner=table.players[0], score=90)
    assert "plays from the next round" not in open_.do("round")
    assert len(open_.desk.night.opened[1].tables) == 3
    page = open_.do("list", players="GUS", here=1)
    assert "GUS came after the last round had started, and doesn't play tonight." in page


def test_a_name_with_a_separate_accent_is_the_same_name(open_: Open) -> None:
    assert not wrong(open_.do("list", players="Zoe\N{COMBINING DIAERESIS}"))
    assert not wrong(open_.do("list", players="Zoe\N{COMBINING DIAERESIS}", here=1)), "now she is here"
    assert not wrong(open_.do("list", players="Andre\N{COMBINING ACUTE ACCENT}", here=1))
    assert open_.desk.night.here == {"Zo\xeb", "Andr\xe9"}
    assert not wrong(open_.do("rename", player="Zo\xeb", name="Chloe\N{COMBINING DIAERESIS}"))
    assert not wrong(open_.do("gone", player="Chlo\xeb"))


def test_players_are_typed_once_and_chosen_from_the_book(open_: Open) -> None:
    assert 'name="players" value="Bob"' not in open_.do("list", players="Ann Smith\nBob", here=1)
    page = open_.do("remove", player="Bob")
    assert 'name="players" value="Bob"' in page
    assert 'name="players" value="Ann Smith"' not in page
    assert not wrong(open_.do("list", players=["bob", "Cat"], here=1))
    assert open_.desk.night.here == {"Ann Smith", "Bob", "Cat"}, "spelled as in the book"
    assert not wrong(open_.do("rename", player="Ann Smith", name="Ann Jones"))
    book = open_.desk.book()
    assert [(one.name, one.former) for one in book.by_name] == [
        ("Ann Jones", ("Ann Smith",)),
        ("Bob", ()),
        ("Cat", ()),
    ]
    assert not wrong(open_.do("rename", player="Cat", name="Cat B"))
    assert not wrong(open_.do("rename", player="Cat B", name="Ann Smith")), "it was somebody else's"
    assert open_.desk.book().people[3].name == "Cat B"


def test_the_book_is_the_directors_page_with_its_files(open_: Open) -> None:
    for path in ("/players", "/players.csv"):
        assert open_.stranger.get(path).url.path == "/login"
    page = open_.do("book-put", id=0, name=HOSTILE, number="=cmd", kind="member")
    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page
    assert wrong(open_.do("book-put", id=0, name="Bob", number="=cmd", kind="guest")).startswith("The number")
    assert not wrong(open_.do("book-put", id=1, name="Ann", number="7", kind="member"))
    assert not wrong(open_.do("book-put", id=0, name="Anna", kind="guest"))
    assert not wrong(open_.do("book-same", id=2, name="Ann"))
    assert wrong(open_.do("book-same", id=2, name="Ann")).startswith(
        "That player is not in the book any more"
    )
    written = open_.director.get("/players.csv")
    assert written.content.decode("utf-8-sig") == "name,number,kind\r\nAnn,7,member\r\n"
    for encoding in ("utf-16", "cp1252"):
        data = "name;number\r\nZoë;8\r\n".encode(encoding)
        answer = open_.director.post_file("/desk/book-read", data)
        assert not wrong(answer.text)
        assert '<p class="done" role="status">1 player imported.</p>' in answer.text
        assert "imported" not in open_.director.get("/players").text, "it is shown once"
        assert open_.desk.book().find("Zo\xeb") == Person(3, "Zo\xeb", "8")
    assert wrong(open_.director.post_file("/desk/book-read", b"PK\x03").text).startswith(
        "The first line must"
    )
    assert wrong(open_.director.post_file("/desk/book-read", b"x" * 600_000).text).startswith(
        "The first line"
    )


def test_who_is_in_the_book_by_a_mistake_is_removed(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nBBO", here=1)
    open_.do("gone", player="BBO")
    open_.do("draw", games=1)
    open_.do("round")
    open_.do("result", round=1, board=1, winner="ANN", score=90)
    open_.desk.open("another night")
    assert not wrong(open_.do("book-remove", id=3))
    assert [one.name for one in open_.desk.book().by_name] == ["ANN", "BOB"]
    said = wrong(open_.do("book-remove", id=1))
    assert said == "ANN has played, and stays in the book. The same player as another? Make them one."
    assert len(open_.desk.book().people) == 2


def test_the_season_is_sorted_by_any_column_and_its_table_of_points_is_the_directors(open_: Open) -> None:
    assert "The table begins with the first result" in open_.stranger.get("/season").text
    open_.do("list", players=f"ANN\n{HOSTILE}", here=1)
    open_.do("draw", games=2)
    for number, score in ((1, 90), (2, 119)):
        open_.do("round")
        winner = open_.desk.night.table(number, 1).players[0]
        open_.do("result", round=number, board=1, winner=winner, score=score)
    page = open_.stranger.get("/season?by=spread").text
    assert "<script>alert" not in page
    assert 'aria-sort="descending"><a href="/season?of=' in page
    assert "This table is an example" in page
    assert "Change the table" not in page
    for by in ("player", "high", "nonsense", ""):
        assert open_.stranger.get(f"/season?by={by}").status_code == 200
    for of in ("1999", "x", "9" * 9):
        assert open_.stranger.get(f"/season?of={of}").status_code == 200
    assert wrong(open_.do("awards", rows="12 = many", nights=5)) == "Write each row of the table as 12 = 1."
    assert "12 = 1" in wrong(open_.do("awards", rows="", nights=5))
    twice = wrong(open_.do("awards", rows="12 = 1\n12 = 2", nights=5))
    assert twice == "Write each number of game points once."
    assert wrong(open_.do("awards", rows="12 = 1", nights=0)) == "At least one night must count."
    page = open_.do("awards", rows=" 2=10 \n\n3 = 20", nights=1)
    assert not wrong(page)
    assert "This table is an example" not in page
    assert "Best 1" in page
    rows = list(csv.DictReader(io.StringIO(open_.stranger.get("/files/season.csv").text.lstrip("\N{BOM}"))))
    assert {row["grass roots"] for row in rows} <= {"0", "10", "20"}
    assert sum(int(row["game points"]) for row in rows) == 5
    for name, kind in (("season.json", "application/json"), ("report.txt", "text/plain; charset=utf-8")):
        answer = open_.stranger.get(f"/files/{name}?of=1999")
        assert (answer.status_code, answer.headers["content-type"]) == (200, kind)


def test_who_has_a_game_fewer_plays_it_after_the_last_round(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT\nDOT\nEVE", here=1)
    open_.do("draw", games=3)
    open_.do("place", board=1, name="oak")

    def play_round() -> str:
        page = open_.do("round")
        assert not wrong(page)
        for table in open_.desk.night.missing:
            open_.do(
                "result", round=open_.desk.night.round, board=table.board, winner=table.players[0], score=90
            )
        return page

    for number in (1, 2, 3):
        assert f"Round {number} of 3" in play_round()
    out = {player for one in open_.desk.night.opened for player in one.sits_out}
    assert set(open_.desk.night.short) == out
    assert len(out) == 3
    assert "Start an extra round for them" in open_.director.get("/desk").text
    assert open_.desk.night.is_over
    assert "Extra round" in play_round()
    assert json.loads(open_.desk.pairings()["oak"])["games"] == 4
    night = open_.desk.night
    assert night.is_over
    assert set(night.opened[3].players) == out
    (left,) = night.short
    assert wrong(open_.do("round")) == "An extra game needs two: choose who plays along."
    along = next(one for one in night.players if one != left)
    assert not wrong(open_.do("round", players=[left, along]))
    (table,) = open_.desk.night.missing
    open_.do("result", round=5, board=1, winner=left, score=90)
    assert set(table.players) == {left, along}
    assert all(one.games == 3 for one in open_.desk.night.standings)
    assert wrong(open_.do("round")) == "All games have been played."
    pairs = [frozenset(table.players) for one in night.opened for table in one.tables]
    assert len(set(pairs)) == len(pairs), "nobody meets twice"


def test_leaving_asks_about_the_game_that_is_on(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT\nDOT\nEVE\nFAY", here=1)
    open_.do("draw", games=2)
    page = open_.do("round")
    games = open_.desk.night.missing
    for table, what in zip(games, ("void", "forfeit", "finish"), strict=True):
        one, other = table.players
        assert f"The game with {other} isn't over." in page
        said = wrong(open_.do("gone", player=one))
        assert said == f"The game of {one} and {other} is not over: choose what becomes of it."
        assert one in open_.desk.night.here
        assert not wrong(open_.do("gone", player=one, game=what))
        assert one not in open_.desk.night.here
    assert [table.board for table in open_.desk.night.missing] == [3]
    (forfeit,) = open_.desk.night.results
    assert (forfeit.winner, forfeit.forfeit) == (games[1].players[1], True)
    page = open_.director.get("/desk").text
    assert page.count("<small>has left</small>") == 2
    assert page.count("<small>leaves after this game</small>") == 1
    open_.do("result", round=1, board=3, winner=games[2].players[0], score=90)
    assert not wrong(open_.do("gone", player=games[0].players[1])), "nothing of that player's is on"
    for path in ("/", "/cards"):
        assert open_.stranger.get(path).text.count("<small>has left</small>") == 4
    rows = csv.DictReader(io.StringIO(open_.stranger.get("/files/standings.csv").content.decode("utf-8-sig")))
    assert sorted(row["has left"] for row in rows) == ["no", "no", *["yes"] * 4]


def test_the_director_swaps_two_players(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT\nDOT", here=1)
    open_.do("place", board=1, name="oak")
    open_.do("draw")
    assert "Swap two players" in open_.do("round")
    one, two = (table.players for table in open_.desk.night.missing)
    assert not wrong(open_.do("swap", one=one[0], other=two[0]))
    assert json.loads(open_.desk.pairings()["oak"])["players"] == [two[0], one[1]]
    assert wrong(open_.do("swap", one=one[0], other="")).startswith("Choose two players")


def test_two_players_are_swapped_before_a_round_too(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT\nDOT", here=1)
    open_.do("place", board=1, name="oak")
    open_.do("draw")
    sent: list[object] = []
    open_.desk.subscribe(lambda: sent.append(json.loads(open_.desk.pairings()["oak"]).get("players")))
    for number in (1, 2):
        page = open_.director.get("/desk").text
        one, two = (table.players for table in open_.desk.night.following.tables)
        assert "Swap them and start" in page
        assert f"Board 1: {one[0]} and {one[1]}" in page
        assert wrong(open_.do("round", one=one[0], other=one[1])).startswith("Choose two players")
        assert wrong(open_.do("round", one=one[0], other="")).startswith("Choose two players")
        assert open_.desk.night.round == number - 1
        sent.clear()
        assert not wrong(open_.do("round", one=one[0], other=two[0]))
        assert {frozenset(table.players) for table in open_.desk.night.missing} == {
            frozenset({two[0], one[1]}),
            frozenset({one[0], two[1]}),
        }
        assert sent == [[two[0], one[1]]], "no board gets the pairing that was not meant"
        for table in open_.desk.night.missing:
            open_.do("result", round=number, board=table.board, winner=table.players[0], score=90)
    assert "Who meets whom in round 3" in open_.director.get("/desk").text


def test_two_who_come_together_and_meet_all_the_same_are_marked(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    for player in ("ANN", "BOB"):
        open_.do("seat", player=player, party="Smith", table="")
    assert "both with Smith: they meet after all" in open_.do("draw", games=2, rounds=1)
    assert "both with Smith: they meet after all" in open_.do("round")
    (table,) = open_.desk.night.missing
    open_.do("result", round=1, board=1, winner=table.players[0], score=90)
    assert "they meet after all" not in open_.do("round"), "from the second round on they may"


def test_two_who_cannot_move_and_meet_all_the_same_are_marked(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT\nDOT", here=1)
    for player, table in (("ANN", 1), ("BOB", 2)):
        open_.do("seat", player=player, party="", table=table)
    pages = [open_.do("draw", games=3)]
    for number in (1, 2, 3):  # in three rounds all four meet
        pages.append(open_.do("round"))
        for one in open_.desk.night.missing:
            open_.do("result", round=number, board=one.board, winner=one.players[0], score=90)
    assert any("neither can move: they meet after all" in page for page in pages)


def test_who_comes_together_and_who_cannot_move_is_in_the_book_for_the_next_night(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT\nDOT\nEVE\nFAY", here=1)
    assert "Players who come together" not in open_.director.get("/desk").text
    assert not wrong(open_.do("seat", player="ANN", party=" Smith", table=""))
    assert "<small>with Smith, table 2</small>" in open_.do("seat", player="BOB", party="Smith", table=2)
    assert wrong(open_.do("seat", player="BOB", party="", table="two")) == "Table must be a number."
    assert wrong(open_.do("seat", player="EVA", party="", table="")) == "&#39;EVA&#39; is not on the list."
    assert "comes with Smith; table 2" in open_.director.get("/players").text
    assert not wrong(open_.do("draw", games=3, rounds=2))
    assert open_.desk.night.apart == 2
    for number in (1, 2, 3):
        open_.do("round")
        (table,) = [one for one in open_.desk.night.opened[-1].tables if "BOB" in one.players]
        assert table.board == 2
        assert number == 3 or "ANN" not in table.players
        for one in open_.desk.night.missing:
            open_.do("result", round=number, board=one.board, winner=one.players[0], score=90)
    again = Desk(open_.log, "next week")
    again.enlist("BOB")
    again.enlist("CAT")
    assert (again.night.parties, again.night.fixed) == ({"BOB": "Smith"}, {"BOB": 2})


def test_a_table_that_is_not_there_or_another_s_is_refused(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT\nDOT", here=1)
    assert not wrong(open_.do("seat", player="ANN", party="", table=2))
    assert wrong(open_.do("seat", player="BOB", party="", table=2)) == (
        "Table 2 is ANN&#39;s, who can&#39;t move: choose another."
    )
    assert not wrong(open_.do("seat", player="ANN", party="", table=2)), "it is the own one"
    assert not wrong(open_.do("seat", player="BOB", party="", table=9)), "more may come"
    assert wrong(open_.do("draw", games=3)) == "Table 9 for BOB? There are 2: choose Change."
    assert not wrong(open_.do("seat", player="BOB", party="", table=1))
    assert not wrong(open_.do("draw", games=3))
    for _ in range(2):
        assert wrong(open_.do("seat", player="CAT", party="", table=3)) == (
            "Table 3 for CAT? There are 2: choose Change."
        )
        open_.do("round")
    assert dict(open_.desk.night.fixed) == {"ANN": 2, "BOB": 1}
    open_.desk.open("next week")
    assert not wrong(open_.do("list", players="EVE", here=1))
    assert not wrong(open_.do("seat", player="EVE", party="", table=2))
    said = wrong(open_.do("list", players="ANN", here=1))
    assert said == "Table 2 is EVE&#39;s, who can&#39;t move: choose another."
    assert open_.desk.night.here == {"EVE", "ANN"}, "she is here, and her table is to be chosen"
    assert dict(open_.desk.night.fixed) == {"EVE": 2}


def test_the_director_opens_another_night_and_the_page_says_what_that_means(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    code = open_.site.code
    page = open_.do("open", name="2026-01-07")
    assert "This is <b>2026-01-07</b>. It stays as it is if you open another night" in page
    assert "Check-in: it goes on there" in page
    assert "0 of 0 here" in page
    assert open_.site.code != code
    open_.do("list", players="CAT\nDOT", here=1)
    open_.do("draw", games=1)
    open_.do("round")
    open_.do("result", round=1, board=1, winner="CAT", score=90)
    page = open_.do("open", name="a night")
    assert "2 of 2 here" in page
    assert "Final standings: correct its results" in page
    assert wrong(open_.do("open", name="")).startswith("The night&#39;s name: use 1 to 80 visible characters")
    assert open_.desk.name == "a night"
    assert open_.stranger.post("/desk/open", data={"name": "x"}).url.path == "/login"
    assert open_.director.get("/").text.count("a night") == 2


def test_the_director_files_nights_and_undoes_making_two_players_one(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT", here=1)
    open_.do("gone", player="CAT")
    open_.do("draw", games=1)
    open_.do("round")
    open_.do("result", round=1, board=1, winner="ANN", score=90)
    said = wrong(open_.do("book-same", id=1, name="BOB"))
    assert said == "ANN and BOB have both played on a night: they are two players."
    assert "CAT is somebody else" in open_.do("book-same", id=3, name="BOB")
    assert "CAT is somebody else" not in open_.do("book-part", id=3)
    assert [one.name for one in open_.desk.book().by_name] == ["ANN", "BOB", "CAT"]
    page = open_.do("night", night="a night", name="Opening <b>night", day="2026-01-07", counts=1)
    assert not wrong(page)
    assert "Opening &lt;b&gt;night" in page
    assert "Opening &lt;b&gt;night" in open_.stranger.get("/").text
    assert open_.desk.name == "a night", "boards know it by that"
    assert wrong(open_.do("night", night="a night", name="x", day="7 Jan", counts=1)).startswith("The day")
    assert "Nights that count in no season" in open_.do("night", night="a night", name="x", day="2026-01-07")
    assert "/desk/night" not in open_.stranger.get("/season").text
    assert "begin the next season" in open_.stranger.get("/season").text
    open_.do("night", night="a night", name="x", day="2026-07-01", counts=1)
    assert "Season 2026-2027" in open_.stranger.get("/season").text
    assert wrong(open_.do("summer", summer="last")) == "Choose what becomes of nights in summer."
    assert "Nights that count in no season" in open_.do("summer", summer="none")
    assert "It is not the ACC's" in open_.stranger.get("/season").text


def test_a_clock_before_the_last_entry_is_said(open_: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    open_.do("list", players="ANN", here=1)
    assert not wrong(open_.director.get("/desk").text)
    monkeypatch.setattr("cribpi.club.log._now", lambda: "2020-01-01T00:00:00.000000+00:00")
    said = wrong(open_.director.get("/desk").text)
    assert said.startswith(
        "This machine&#39;s clock shows 2020-01-01 00:00 UTC, but the log has an entry from 20"
    )


def test_a_night_goes_on_without_a_book_that_can_not_be_read(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    with open_.log._engine.begin() as db:
        db.execute(sql("DELETE FROM cribpi_club_log WHERE night = '' AND number = 1"))
    why = "Entries of the book of players are missing."
    assert wrong(open_.do("list", players="CAT", here=1)) == why
    assert wrong(open_.do("rename", player="CAT", name="DOT")) == why
    assert open_.desk.night.here == {"ANN", "BOB", "DOT"}
    assert wrong(open_.do("draw", games=1)) == why, "it is said, and the draw is made"
    open_.do("round")
    open_.do("result", round=1, board=1, winner=open_.desk.night.table(1, 1).players[0], score=90)
    page = open_.stranger.get("/season").text
    assert f'<p class="wrong">{why}</p>' in page
    assert "3/1" in page
    assert open_.director.get("/players").text == why
    open_.log._engine.dispose()
    with open_.log._engine.begin() as db:
        db.execute(sql("DROP TABLE cribpi_club_log"))
    assert open_.director.get("/desk").status_code == 200, "it is in memory"
    answer = open_.stranger.get("/season")
    assert (answer.status_code, answer.text[:40]) == (503, "The database gave an unexpected answer (")


def test_a_forfeit_is_entered_without_a_score(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw", games=1)
    open_.do("round")
    assert wrong(open_.do("result", round=1, board=1, forfeit=1)) == "Choose the winner."
    page = open_.do("result", round=1, board=1, winner="BOB", score="", forfeit=1)
    assert not wrong(page)
    assert "BOB wins, ANN forfeits" in page
    night = open_.stranger.get("/").text
    assert ">forfeit<" in night
    assert ">2/1<" in night
    (result,) = open_.stranger.get("/files/night.json").json()["results"]
    assert (result["winner"], result["game_points"], result["spread"], result["forfeit"]) == (
        "BOB",
        2,
        0,
        True,
    )
    (row, other) = csv.DictReader(io.StringIO(open_.stranger.get("/files/season.csv").text.lstrip("\N{BOM}")))
    assert [(one["player"], one["won"], one["lost"]) for one in (row, other)] == [
        ("BOB", "1", "0"),
        ("ANN", "0", "1"),
    ]
    again = Desk(open_.log, "a night").night
    assert again.results == open_.desk.night.results
    assert not wrong(open_.do("result", round=1, board=1, winner="ANN", score=88))
    assert [one.forfeit for one in open_.desk.night.results] == [False]


def test_a_card_leads_the_director_to_each_of_its_games(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw", games=1)
    open_.do("round")
    open_.do("result", round=1, board=1, winner="BOB", score=90)
    refused = open_.director.post(
        "/desk/result", {"round": "1", "board": "1", "winner": "ANN", "score": "121"}
    )
    assert refused.url.query == b"correct", "its form is open again"
    assert 'value="121" required autofocus' in refused.text
    assert 'value="ANN" required checked' in refused.text
    assert "autofocus" not in open_.director.get("/desk").text
    assert 'href="/desk?correct#r1b1"' in open_.director.get("/cards").text
    assert "/desk?correct" not in open_.stranger.get("/cards").text


def test_a_result_that_is_saved_twice_is_not_corrected(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw")
    open_.do("round")
    for _ in range(2):
        page = open_.do("result", round=1, board=1, winner="ANN", score=88)
        assert not wrong(page)
        assert ", corrected" not in page
    assert len(open_.desk.night.reports[1, 1]) == 1
    assert ", corrected" in open_.do("result", round=1, board=1, winner="ANN", score=89)


def test_a_card_of_twelve_game_points_is_shaded(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw", games=5)
    for number in range(1, 5):
        assert '<tr class="in">' not in open_.stranger.get("/").text
        open_.do("round")
        open_.do("result", round=number, board=1, winner="ANN", score=60)
    page = open_.stranger.get("/").text
    assert page.count('<tr class="in">') == 1
    assert "12/4" in page


def test_files_for_spreadsheets_begin_with_a_mark_of_their_encoding(open_: Open) -> None:
    for name in ("standings", "results"):
        content = open_.stranger.get(f"/files/{name}.csv").content
        assert content.startswith(b"\xef\xbb\xbfr"), "without it Excel shows Zo\xc3\xab for Zo\xeb"


def test_the_code_stays_over_a_restart_and_is_another_each_night(open_: Open, tmp_path: Path) -> None:
    code = open_.site.code
    assert re.fullmatch("[A-Z]{6}", code)
    assert Site(open_.desk, open_.log, Access(tmp_path / "password.json")).code == code
    assert open_.access.code("another night") != code
    open_.access.new_password()
    assert open_.site.code != code


def test_who_has_left_is_not_in_the_play_offs(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB\nCAT\nDOT", here=1)
    open_.do("draw", games=1)
    open_.do("round")
    for table in open_.desk.night.missing:
        open_.do("result", round=1, board=table.board, winner=table.players[0], score=90 + table.board)
    first = open_.desk.night.standings[0].player
    open_.do("gone", player=first)
    open_.do("playoffs", best_of=3)
    assert first not in open_.desk.night.finalists
    assert len(open_.desk.night.finalists) == 2


def test_a_match_has_as_many_games_as_the_director_says_and_may_end_by_a_walkover(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw", games=1)
    open_.do("round")
    assert 'value="3" checked' in open_.do("result", round=1, board=1, winner="ANN", score=90)
    assert wrong(open_.do("playoffs", best_of=4)).startswith("A match is the best of 1, 3 or 5 games")
    assert not wrong(open_.do("playoffs", best_of=5))
    page = open_.do("playoff-walkover", stage=1, place=1, winner="BOB")
    assert not wrong(page)
    assert "Play-offs: BOB wins" in page
    assert "<small>walkover</small>" in page
    assert "Remove the walkover" in page
    assert "Enter a game" in open_.do("playoff-undo", stage=1, place=1)
    for games in range(3):
        open_.do("playoff-game", stage=1, place=1, winner="ANN", score=90, games=games)
    assert open_.desk.night.bracket[0][0].winner == "ANN"


def test_a_sentence_about_the_broker_is_news_once(open_: Open) -> None:
    versions = [open_.stranger.get("/news").json()["version"]]
    for _ in range(3):
        open_.site.report("The broker oak can't be reached.")
        versions.append(open_.stranger.get("/news").json()["version"])
    assert versions[0] != versions[1] == versions[2] == versions[3]


def test_files_have_both_sides_of_a_correction(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw")
    open_.do("round")
    open_.do("result", round=1, board=1, winner="ANN", score=88)
    open_.do("result", round=1, board=1, winner="BOB", score=100)
    found = open_.stranger.get("/files/night.json").json()
    (result,) = found["results"]
    assert [(one["winner"], one["score"]) for one in result["reports"]] == [("ANN", 88), ("BOB", 100)]
    assert [one["kind"] for one in found["log"]][-2:] == ["Reported", "Corrected"]
    assert found["standings"][0]["player"] == "BOB"
    (row,) = list(csv.DictReader(io.StringIO(open_.stranger.get("/files/results.csv").text)))
    assert (row["winner"], row["spread"], row["reports"]) == ("BOB", "21", "2")
    assert open_.stranger.get("/files/passwords").status_code == 404


def test_standings_and_cards_are_pdf(open_: Open) -> None:
    pytest.importorskip("reportlab", reason="reportlab is not installed")
    open_.do("list", players=f"ANN & Zoë\n{HOSTILE}", here=1)
    open_.do("draw")
    open_.do("round")
    open_.do("result", round=1, board=1, winner="ANN & Zoë", score=88)
    for name in ("standings", "cards"):
        answer = open_.stranger.get(f"/files/{name}.pdf")
        assert answer.content.startswith(b"%PDF-")
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.content == open_.stranger.get(f"/files/{name}.pdf").content
        (page,) = set(re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", answer.content))
        assert (float(page[0]) < 596, float(page[1]) < 793) == (True, True), (
            "as wide as A4, as high as Letter"
        )


def test_a_pdf_wraps_long_names_and_says_which_letters_it_can_not_show(
    open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    platypus = pytest.importorskip("reportlab.platypus", reason="reportlab is not installed")
    parts: list[str] = []
    paragraph = platypus.Paragraph

    def noted(text: str, style: object) -> object:
        parts.append(text)
        return paragraph(text, style)

    monkeypatch.setattr(platypus, "Paragraph", noted)
    open_.do("list", players="W" * 40 + "\nBOB", here=1)
    open_.do("draw", games=1)
    assert open_.stranger.get("/files/standings.pdf").content.startswith(b"%PDF-")
    assert "W" * 40 in parts, "it is wrapped in its column"
    assert exports.SAYS_SO not in parts
    for name in ("\u674e\u5c0f\u9f99", "\u05d3\u05d5\u05d3", "\u0e01\u0e34\u0e19"):
        open_.do("rename", player="BOB", name=name)
        parts.clear()
        assert open_.stranger.get("/files/standings.pdf").content.startswith(b"%PDF-")
        assert exports.SAYS_SO in parts
        open_.do("rename", player=name, name="BOB")


def test_before_the_night_all_rounds_and_blank_cards_are_printed(
    open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("reportlab", reason="reportlab is not installed")
    open_.do("list", players=f"ANN\nBOB\nCAT\nDOT\n{HOSTILE}", here=1)
    assert open_.stranger.get("/files/chart.pdf").text == "Draw the pairings first."
    assert "/files/chart.pdf" in open_.do("draw", games=3)
    assert open_.stranger.get("/files/chart.pdf").content.startswith(b"%PDF-")
    tables: list[Any] = []
    monkeypatch.setattr(exports, "_pdf", lambda _title, made: tables.extend(made))
    exports.chart_pdf("a night", open_.desk.night)
    rounds, cards = tables[:3], tables[3:]
    for number, (_, _, rows, *_) in enumerate(rounds, 1):
        assert [row[2] for row in rows].count("sits out") == 1
        for board, one, other, _ in rows[:-1]:
            for player, opponent in ((one, other), (other, one)):
                (lines,) = [lines for name, _, lines, *_ in cards if name == player]
                assert [f"{number}, board {board}", opponent, "", "", "", ""] in lines
    assert len(cards) == 5
    assert sum(len(lines) - 1 for _, _, lines, *_ in cards) == 12
    open_.do("round")
    for number, (_, _, rows, *_) in enumerate(rounds, 1):
        tables_of = [table.players for table in open_.desk.night.opened[-1].tables]
        assert [tuple(row[1:3]) for row in rows[:-1]] == tables_of, "the night is played as it was printed"
        for table in open_.desk.night.missing:
            open_.do("result", round=number, board=table.board, winner=table.players[0], score=90)
        open_.do("round")


def test_of_a_log_from_a_backup_reports_can_be_counted_once_their_round_has_started_again(
    open_: Open,
) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("draw", games=1)
    open_.desk.on_result("oak", text(end_of("ANN", "BOB", 70)))
    page = open_.director.get("/desk").text
    assert "this log has no round 1, so it seems to be a backup. Start the rounds again, then" in page
    assert "Count it" not in page
    assert "Count it: ANN 121, BOB 70" in open_.do("round")


def test_a_doubt_is_shown_and_settled(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.do("place", board=1, name="oak")
    open_.do("draw")
    open_.do("round")
    open_.do("result", round=1, board=1, winner="ANN", score=88)
    open_.desk.on_result("oak", text(end_of("BOB", "ANN", 70)))
    page = open_.director.get("/desk").text
    assert "Oak reports BOB 121, ANN 70: already entered as ANN 121, BOB 88." in page
    (doubt,) = open_.desk.night.doubts
    assert not wrong(open_.do("settle", doubt=doubt.number, **{"is": "right"}))
    assert [one.winner for one in open_.desk.night.results] == ["BOB"]


def test_what_changes_is_a_newer_version(open_: Open) -> None:
    version = open_.stranger.get("/news").json()["version"]
    assert open_.stranger.get("/news").json()["version"] == version
    open_.do("list", players="ANN")
    assert open_.stranger.get("/news").json()["version"] != version


def test_what_is_wrong_with_the_broker_is_said_at_the_desk(open_: Open) -> None:
    open_.site.report("The broker oak can't be reached.")
    assert wrong(open_.director.get("/desk").text) == "The broker oak can&#39;t be reached."
    open_.site.report(None)
    assert not wrong(open_.director.get("/desk").text)


def test_who_guesses_passwords_holds_nobody_up(open_: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_of, "PAUSE", 0.3)

    async def many() -> list[int]:
        transport = httpx.ASGITransport(app=open_.site.app(lambda _host: True))
        async with httpx.AsyncClient(transport=transport, base_url=HOST, headers={"origin": HOST}) as client:
            guesses = [client.post("/login", data={"password": "guess"}) for _ in range(12)]
            *found, page = await asyncio.gather(*guesses, client.get("/"))
            assert page.status_code == 200
            return [one.status_code for one in found]

    assert sorted(loops.run(many())) == [403] * 5 + [429] * 7


@pytest.mark.parametrize("is_proxied", [False, True], ids=["directly", "through a proxy on this machine"])
def test_guessers_lock_nobody_else_out(
    open_: Open, monkeypatch: pytest.MonkeyPatch, *, is_proxied: bool
) -> None:
    """They keep all their turns taken, and the director signs in from elsewhere meanwhile."""
    monkeypatch.setattr(site_of, "PAUSE", 60)
    app = open_.site.app(lambda _host: True)

    def at(address: str) -> httpx.AsyncClient:
        passed = {
            "x-forwarded-for": address if is_proxied else "192.168.1.1"
        }  # which a stranger may send, too
        transport = httpx.ASGITransport(app=app, client=("127.0.0.1" if is_proxied else address, 50_000))
        return httpx.AsyncClient(transport=transport, base_url=HOST, headers={"origin": HOST} | passed)

    async def signs_in() -> list[int]:
        async with at("192.168.1.66") as guesser, at("2001:db8:1:2::3") as other, at("192.168.1.5") as desk:
            places = [(guesser, "/login", "password")] * 8 + [(other, "/enter", "code")] * 8
            guesses = [
                asyncio.create_task(one.post(path, data={field: "guess"})) for one, path, field in places
            ]
            waiting = set(guesses)
            while len(waiting) > 10:  # these wait for their turns
                _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            found = [(await desk.post("/login", data={"password": open_.password})).status_code]
            found.append((await guesser.post("/login", data={"password": open_.password})).status_code)
            for one in guesses:
                one.cancel()
            await asyncio.gather(*guesses, return_exceptions=True)
            assert open_.site._guesses == {}
            return found

    assert loops.run(signs_in()) == [303, 429]


def test_a_restart_keeps_the_sign_in_and_a_new_password_does_not(
    open_: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def restarted() -> Browser:
        site = Site(open_.desk, open_.log, Access(tmp_path / "password.json"))
        browser = Browser(site.app(lambda host: host == "127.0.0.1:8131"))
        browser._cookies = open_.director._cookies
        return browser

    assert restarted().get("/desk").url.path == "/desk"
    (token,) = (one.value for one in open_.director._cookies.jar if one.name == site_of.COOKIE)
    kept = tmp_path / "signed-in.json"
    assert str(token) not in kept.read_text()
    assert kept.stat().st_mode & 0o077 == 0
    for at in (time.time() + 17 * 3600, time.time() - 3600):
        with monkeypatch.context() as patched:
            patched.setattr("time.time", lambda at=at: at)
            assert restarted().get("/desk").url.path == "/login", "the clock was wrong, or the time is over"
    restarted().post("/logout")
    assert restarted().get("/desk").url.path == "/login"
    open_.director.post("/login", data={"password": open_.password})
    assert restarted().get("/desk").url.path == "/desk"
    time.sleep(0.02)
    Access(tmp_path / "password.json").new_password()
    assert restarted().get("/desk").url.path == "/login"
    for damaged in ("", "[]", '{"x": 1}', '{"x": ["y", "z"]}'):
        kept.write_text(damaged)
        assert restarted().get("/desk").url.path == "/login"


@pytest.mark.parametrize("body", ["&".join(f"a{number}=1" for number in range(60)), "%ff%00", ""])
def test_a_form_of_any_kind_is_answered(open_: Open, body: str) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded", "origin": HOST}
    answer = open_.stranger._sent("POST", "/enter", content=body, headers=headers)
    assert answer.status_code == 409


def test_a_board_that_is_taken_away_stays_away(open_: Open) -> None:
    open_.do("list", players="ANN\nBOB", here=1)
    open_.desk.on_online("oak", is_there=True)
    open_.desk.on_state("oak", b'{"sides": [], "phase": "idle", "club": true}')
    assert dict(open_.desk.night.boards) == {1: "oak"}
    assert not wrong(open_.do("place", board=1, name=""))
    open_.desk.on_state("oak", b'{"sides": [], "phase": "play", "club": true}')
    assert dict(open_.desk.night.boards) == {}


def test_a_board_that_takes_no_pairings_is_named_with_what_to_do(open_: Open) -> None:
    open_.desk.on_online("fir", is_there=True)
    open_.desk.on_state("fir", b'{"sides": [], "phase": "idle", "club": false}')
    page = open_.director.get("/desk").text
    assert "fir is online, but takes no pairings: set <code>club = true</code>" in page


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("laptop:8131", True),
        ("laptop.local:8131", True),
        ("laptop.lan", True),
        ("LAPTOP.Lan:8131", True),
        ("laptop.fritz.box:8131", True),
        ("laptop.home.arpa", True),
        ("laptop.club.example:8131", True),
        ("laptop.elsewhere.example", False),
        ("other.lan", False),
        ("lan", False),
    ],
)
def test_the_page_is_found_by_the_names_that_a_home_gives_this_machine(
    host: str,
    ours: bool,  # noqa: FBT001  a parameter
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Laptop.club.example")
    assert is_ours(host) == ours


def test_a_form_that_is_too_long_is_not_read(open_: Open) -> None:
    assert wrong(open_.do("list", players="x" * 30_000)) == "Type at least one name."
