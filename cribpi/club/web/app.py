"""The routes of the desk's page: the night for everybody, the director's desk, entry by phone, and files."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import fields, replace
from email import message_from_bytes
from functools import partial
from itertools import count
from pathlib import Path
from random import SystemRandom
from typing import Final
from urllib.parse import parse_qs, quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cribpi.club import entries, papers
from cribpi.club.book import AWARDS, Book
from cribpi.club.desk import Desk
from cribpi.club.log import Log, LogTrouble
from cribpi.club.night import BY_DESK, BY_PHONE, Night
from cribpi.club.pairings import BEST_OF, LENGTHS, stage_name
from cribpi.club.season import LEAD, Nights, Season, by_column, title
from cribpi.club.standings import ACC, GRASS_ROOTS, Refused, Result
from cribpi.club.web.access import PAUSE, Access
from cribpi.companion import web
from cribpi.companion.web.guard import Guard
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.names import given_names

PAGES: Final = Path(__file__).with_name("pages")
ICON: Final = Path(web.__file__).with_name("page") / "icon.svg"
COOKIE: Final = "cribpi_desk"
PHONE: Final = "cribpi_phone"
"""The cookie that tells one player's phone from the other's."""
LONGEST: Final = 20_000
"""Bytes of a form."""

MOST_FIELDS: Final = 500
"""Fields of one: a tick for each player of the book."""

LONGEST_FILE: Final = 500_000
"""Bytes of one with a file."""

MOST_GUESSES: Final = 5
"""Passwords, or wrong codes, that may wait for their turn."""

WAIT: Final = 20.0
"""Seconds after which a browser that waits for news gets none."""

POLL: Final = 0.2
CSV: Final = "text/csv; charset=utf-8"
PDF: Final = "application/pdf"
FILES: Final[Mapping[str, tuple[str, Callable[[str, Night], bytes]]]] = {
    "standings.csv": (CSV, lambda _, night: papers.standings_csv(night)),
    "results.csv": (CSV, lambda _, night: papers.results_csv(night)),
    "standings.pdf": (PDF, papers.standings_pdf),
    "cards.pdf": (PDF, papers.cards_pdf),
    "chart.pdf": (PDF, papers.chart_pdf),
}
"""The files of a night beside its JSON: what each is, and what writes it."""

SEASON_FILES: Final[Mapping[str, tuple[str, Callable[[Season], bytes]]]] = {
    "season.csv": (CSV, papers.season_csv),
    "season.json": ("application/json", papers.season_json),
    "season.pdf": (PDF, papers.season_pdf),
    "report.txt": ("text/plain; charset=utf-8", papers.season_report),
}
"""Those of a season."""

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
    ),
    "Referrer-Policy": "same-origin",  # with none at all, a browser does not say which page a form comes from
}

_ENTRIES: Final[dict[str, type[entries.Entry]]] = {
    "remove": entries.Removed,
    "arrived": entries.Arrived,
    "gone": entries.Gone,
    "place": entries.BoardPlaced,
    "swap": entries.Swapped,
    "playoff-game": entries.PlayoffGame,
    "playoff-walkover": entries.PlayoffWalkover,
    "playoff-undo": entries.PlayoffGameUndone,
}
"""What a button of the desk enters: its form has the fields of the entry, by their names."""

_PAGES: Final = {"playoff": "/playoffs", "book": "/players", "awards": "/season"}
"""The page of other buttons than the desk's, by how they begin."""

_NUMBERS: Final = {
    "board": "the table",
    "stage": "the stage",
    "place": "the match",
    "score": "the loser's score",
}
"""Those fields that are numbers, and what a refusal calls them."""

Form = Mapping[str, str]


class _Guesses:
    """Guesses that are looked at one after another, however many come at once."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._waiting = 0

    @property
    def are_too_many(self) -> bool:
        return self._waiting >= MOST_GUESSES

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for one's turn, and hold it."""
        self._waiting += 1
        try:
            async with self._lock:
                yield
        finally:
            self._waiting -= 1


class Site:
    """The page of one *desk*."""

    def __init__(self, desk: Desk, log: Log, access: Access) -> None:
        self._desk = desk
        self._log = log
        self._nights = Nights(log)
        self._access = access
        self.trouble: str | None = None
        """What is wrong with the broker."""
        self._said: dict[str, str] = {}
        """What a browser is to see next, by its token: why something was refused."""
        self._phones: dict[Result, str] = {}
        """The phone that has reported a result."""
        self._left: dict[str, str] = {}
        """Names that were refused, to be typed again."""
        self._versions = count(1)
        self._version = 0
        self._is_ending = False
        self._passwords, self._wrong_codes = _Guesses(), _Guesses()
        desk.subscribe(self._changed)
        self._pages = Environment(
            loader=FileSystemLoader(PAGES), autoescape=select_autoescape(), undefined=StrictUndefined
        )

    def report(self, sentence: str | None) -> None:
        """Take what is wrong with the connection to the boards, None if nothing is."""
        if sentence != self.trouble:
            self.trouble = sentence
            self._changed()

    @property
    def code(self) -> str:
        """With it a player's phone may enter the result of a board without a cribpi, on this night."""
        return self._access.code(self._desk.name)

    def end(self) -> None:
        """Let browsers that wait for news go; any thread may call."""
        self._is_ending = True

    def _changed(self) -> None:
        self._version = next(self._versions)

    def app(self, is_ours: Callable[[str], bool]) -> ASGIApp:
        """Return the application; *is_ours* tells whether a host is a name of this machine."""
        # Starlette runs what is no coroutine in a thread, so that the database keeps nobody waiting.
        routes = [
            Route("/", partial(self._page, "night")),
            Route("/cards", partial(self._page, "cards")),
            Route("/playoffs", partial(self._page, "playoffs")),
            Route("/desk", self._desk_page),
            Route("/season", self._season_page),
            Route("/players", self._players),
            Route("/players.csv", self._players),
            Route("/desk/{what}", self._act, methods=["POST"]),
            Route("/login", self._login, methods=["GET", "POST"]),
            Route("/logout", self._logout, methods=["POST"]),
            Route("/enter", self._enter, methods=["GET", "POST"]),
            Route("/news", self._news),
            Route("/files/{name}", self._file),
            *(Route(f"/{{name:str}}.{ending}", _static) for ending in ("css", "js", "svg")),
        ]
        return Guard(Starlette(routes=routes, exception_handlers={LogTrouble: _unreadable}), is_ours)

    # --- pages ---

    def _page(self, name: str, request: Request, status: int = 200, **more: object) -> HTMLResponse:
        version, night = self._version, self._desk.night  # in this order: news may come between them
        token = request.cookies.get(COOKIE)
        is_in = self._access.is_in(token)
        context = {
            "name": self._desk.name,
            "night": night,
            "called": night.called,
            "desk": self._desk,
            "acc": ACC,
            "line": GRASS_ROOTS,
            "is_in": is_in,
            "said": self._said.pop(token, "") if is_in and token else "",
            "left_names": self._left.pop(token, "") if is_in and token else "",
            "trouble": self.trouble,
            "path": request.url.path,
            "version": version,
            "card_row": papers.card_row,
            "stage_name": stage_name,
            "lengths": LENGTHS,
            "best_of": BEST_OF,
            **more,
        }
        text = self._pages.get_template(f"{name}.html").render(context)
        return HTMLResponse(text, status, headers=_HEADERS)

    async def _news(self, request: Request) -> Response:
        """Answer as soon as there is something newer than the version that the browser has."""
        since, until = request.query_params.get("since", ""), time.monotonic() + WAIT
        while str(self._version) == since and not self._is_ending:
            if time.monotonic() > until:
                break
            await asyncio.sleep(POLL)
        return JSONResponse({"version": self._version})

    # --- the director ---

    def _is_director(self, request: Request) -> bool:
        return self._access.is_in(request.cookies.get(COOKIE))

    async def _login(self, request: Request) -> Response:
        if request.method != "POST":
            return self._page("login", request, said="")
        form = await _form(request)
        if self._passwords.are_too_many:
            return self._page("login", request, 429, said="Too many tries at once. Wait a moment.")
        async with self._passwords.turn():
            token = await run_in_threadpool(self._access.enter, form.get("password", ""))
            if token is None:
                await asyncio.sleep(PAUSE)
        if token is None:
            return self._page("login", request, 403, said="Wrong password. Try again.")
        answer = RedirectResponse("/desk", 303)
        answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
        return answer

    async def _logout(self, request: Request) -> Response:
        self._access.leave(request.cookies.get(COOKIE))
        return RedirectResponse("/", 303)

    def _desk_page(self, request: Request) -> Response:
        if not self._is_director(request):
            return RedirectResponse("/login", 303)
        book, why = self._book()
        return self._page("desk", request, code=self.code, book=book, trouble=self.trouble or why)

    def _book(self) -> tuple[Book, str]:
        """Return the book, or an empty one and why it can't be read."""
        try:
            return self._desk.book(), ""
        except LogTrouble as why:
            return Book(), _sentence(why)

    def _season(self, request: Request) -> Season:
        year = request.query_params.get("of", "")
        book, why = self._book()
        season = self._nights.season(book, int(year) if _is_short(year) else None)
        return replace(season, wrong=(why.rstrip("."), *season.wrong)) if why else season

    def _season_page(self, request: Request) -> Response:
        season = self._season(request)
        rows, by = season.rows, request.query_params.get("by", LEAD[0])
        if rows and by in rows[0]:
            rows = by_column(rows, by)
        return self._page("season", request, season=season, rows=rows, by=by, title=title, example=AWARDS)

    def _players(self, request: Request) -> Response:
        if not self._is_director(request):
            return RedirectResponse("/login", 303)
        book = self._desk.book()
        if request.url.path.endswith(".csv"):
            return Response(papers.book_csv(book), media_type=CSV)
        return self._page("players", request, book=book)

    async def _act(self, request: Request) -> Response:
        if not self._is_director(request):
            return RedirectResponse("/login", 303)
        form, what = await _form(request), request.path_params["what"]
        token = request.cookies[COOKIE]
        try:
            await run_in_threadpool(self._acted, what, form, token)
        except (Refused, LogTrouble) as why:
            self._said[token] = _sentence(why)
        if (page := what.partition("-")[0]) in _PAGES:
            return RedirectResponse(_PAGES[page], 303)
        board = f"#r{quote(form.get('round', ''))}b{quote(form.get('board', ''))}" if what == "result" else ""
        return RedirectResponse(f"/desk{board}", 303)

    def _acted(self, what: str, form: Form, token: str) -> None:
        """Do what the button *what* of the desk is for.

        Raises:
            Refused, LogTrouble: As `Desk.do`; or if the form has not what it should have.
        """
        desk = self._desk
        match what:
            case "draw":
                if form.get("games"):
                    desk.do(entries.Planned(_number(form, "games", "the number of games")))
                desk.draw(SystemRandom())
                desk.place_spares()
            case "playoffs":
                desk.begin_playoffs(_number(form, "best_of", "the number of games in a match"))
            case "round":
                desk.open_round()
            case "list":
                self._list(form, token)
            case "rename":
                desk.give_name(form.get("player", ""), _line(form, "name"))
            case "book-put":
                more = _line(form, "name"), form.get("number", ""), form.get("kind", "")
                desk.note(lambda book: book.put(*more, _number(form, "id", "the player")))
            case "book-same":
                desk.note(lambda book: book.same(_number(form, "id", "the player"), _line(form, "name")))
            case "awards":
                desk.note(lambda _: _awards(form))
            case "book-read":
                desk.note(lambda book: book.read(form.get("file", "").encode("latin-1", "replace")))
            case "result":
                result = _result(form, desk.night)
                counts = desk.night.result(result.round, result.board)
                if counts != result:  # the same once more changes nothing
                    desk.do((entries.Corrected if counts else entries.Reported)(result, BY_DESK))
            case _:
                desk.do(_entry(what, form, desk.night))
                if what != "place":  # a board that was taken away stays away
                    desk.place_spares()

    def _list(self, form: Form, token: str) -> None:
        """Put the players of a form on the list, all but those who can't be; these stay to be typed again."""
        players = [" ".join(line.split()) for line in form.get("players", "").splitlines()]
        if not any(players):
            raise Refused("type at least one name")
        refused: dict[str, Exception] = {}
        for player in filter(None, dict.fromkeys(players)):
            try:
                (name,) = given_names([player])
                if name not in self._desk.night.ids:
                    name = self._desk.known(name)
                if name not in self._desk.night.names.values() or not form.get("here"):
                    self._desk.do(entries.Listed(name))
                if form.get("here"):
                    self._desk.do(entries.Arrived(name))
            except (Refused, RuleError) as bad:
                refused[player] = bad
        self._desk.place_spares()
        if refused:
            self._left[token] = "\n".join(refused)
            raise Refused(str(next(iter(refused.values()))))

    # --- a phone ---

    async def _enter(self, request: Request) -> Response:
        if request.method != "POST":
            code = request.query_params.get("code", "")[:20]
            answer = self._page("enter", request, said="", code=code, done="", form={})
            phone = request.cookies.get(PHONE) or secrets.token_urlsafe(16)
            answer.set_cookie(PHONE, phone, httponly=True, samesite="strict")
            return answer
        form = await _form(request)
        code = form.get("code", "").strip().upper()
        said, done, status = "", "", 200
        try:
            await self._check_code(code)
            result = _result(form, self._desk.night)
            how = await run_in_threadpool(self._by_phone, result, request.cookies.get(PHONE, ""))
            done = f"{how}: {self._desk.night.score_of(result)}"
        except (Refused, LogTrouble) as why:
            said, status = _sentence(why), 409
        return self._page("enter", request, status, said=said, code=code[:20], done=done, form=form)

    def _by_phone(self, result: Result, phone: str) -> str:
        """Take a result from a phone, and return what was done.

        The same from another phone confirms it, and a different one is for the director.

        Raises:
            Refused, LogTrouble: As `Desk.do`.
        """
        night = self._desk.night
        counts = night.result(result.round, result.board)
        if counts is None:
            self._desk.do(entries.Reported(result, BY_PHONE))
            self._phones[result] = phone
        elif counts == result:
            if result in night.unconfirmed and phone and self._phones.get(result) != phone:
                self._desk.do(entries.Confirmed(result))
                return "Confirmed"
        else:
            why = f"a phone reports {night.score_of(result)}: already entered as {night.score_of(counts)}"
            night.check(result)
            if all(one.why != why for one in night.doubts):
                self._desk.do(entries.Doubted(why, BY_PHONE, "", result))
            raise Refused(f"board {result.board} already has another result: the desk has been told")
        return "Saved"

    async def _check_code(self, code: str) -> None:
        if self._wrong_codes.are_too_many:
            raise Refused("too many tries at once: wait a moment")
        if not secrets.compare_digest(code.encode(), self.code.encode()):
            async with self._wrong_codes.turn():
                await asyncio.sleep(PAUSE)
            raise Refused("that is not tonight's code: ask at the desk")

    # --- files ---

    def _file(self, request: Request) -> Response:
        night, called, name = self._desk.night, self._desk.name, request.path_params["name"]
        if name == "night.json":
            log = self._log.timed(called)[: night.entries]  # the rest came in the meantime
            return JSONResponse(papers.night_json(called, night, log))
        try:
            if name in SEASON_FILES:
                kind, write_season = SEASON_FILES[name]
                return Response(write_season(self._season(request)), media_type=kind)
            if name not in FILES:
                return Response("not found", 404)
            kind, write = FILES[name]
            return Response(write(called, night), media_type=kind)
        except Refused as why:
            return Response(f"{why}.", 501)


def _unreadable(_request: Request, why: Exception) -> Response:
    return Response(_sentence(why), 503, media_type="text/plain")


_STATIC: Final = {one.name: one for one in (*PAGES.iterdir(), ICON)}


async def _static(request: Request) -> Response:
    found = _STATIC.get(request.url.path.removeprefix("/"))
    return FileResponse(found) if found else Response("not found", 404)


async def _form(request: Request) -> Form:
    kind, body = request.headers.get("content-type", ""), b""
    has_file = kind.startswith("multipart/form-data")
    async for part in request.stream():
        body += part
        if len(body) > (LONGEST_FILE if has_file else LONGEST):
            return {}
    if has_file:
        parts = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode("latin-1") + body).walk()
        return {
            str(one.get_param("name", header="content-disposition")): bytes(
                one.get_payload(decode=True) or b""
            ).decode("latin-1")
            for one in parts
        }
    try:
        found = parse_qs(body.decode(errors="replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return {}
    return {name: "\n".join(values) for name, values in found.items()}


def _line(form: Form, field: str) -> str:
    return " ".join(form.get(field, "").split())


def _sentence(why: Exception) -> str:
    said = str(why)
    return f"{said[:1].upper()}{said[1:]}."


def _is_short(number: str) -> bool:
    return number.isascii() and number.isdigit() and len(number) <= 6


def _number(form: Form, field: str, what: str) -> int:
    text = form.get(field, "").strip()
    if not _is_short(text):
        raise Refused(f"{what} must be a number")
    return int(text)


def _result(form: Form, night: Night) -> Result:
    """Return the result of a form: which game, who has won, and the loser's score."""
    round_, board = _number(form, "round", "the round"), _number(form, "board", "the board")
    table = night.table(round_, board)
    winner = night.ids.get(form.get("winner", ""))
    if winner is None or winner not in table.players:
        raise Refused("choose the winner")
    (loser,) = (player for player in table.players if player != winner)
    if form.get("forfeit"):
        return Result(round_, board, winner, loser, 0, forfeit=True)
    return Result(round_, board, winner, loser, _number(form, "score", "the loser's score"))


def _awards(form: Form) -> entries.Noted:
    rows = [line.replace(" ", "").split("=") for line in form.get("rows", "").splitlines() if line.strip()]
    if not rows or not all(len(row) == 2 and all(map(_is_short, row)) for row in rows):
        raise Refused("write each row of the table as 12 = 1")
    best = _number(form, "best", "the number of best nights")
    return entries.Noted(awards=tuple((int(points), int(earned)) for points, earned in rows), best=best)


def _entry(what: str, form: Form, night: Night) -> entries.Entry:
    if what == "settle":
        return entries.Settled(_number(form, "doubt", "the report"), is_right=form.get("is") == "right")
    if what not in _ENTRIES:
        raise Refused("that button is unknown: reload the page")
    found = {
        one.name: _number(form, one.name, _NUMBERS[one.name])
        if one.name in _NUMBERS
        else _line(form, one.name)
        for one in fields(_ENTRIES[what])
    }
    made = _ENTRIES[what](**found)
    if isinstance(made, entries.PlayoffGame):
        known = night.playoff_games.get((made.stage, made.place), ())
        if str(len(known)) != form.get("games", ""):
            raise Refused("that game is entered already: here is the match as it stands")
    return made
