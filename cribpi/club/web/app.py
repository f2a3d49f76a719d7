"""Routes of the desk's website: public pages, the director's pages, entry by phone, and files."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from email import message_from_bytes
from functools import partial
from hashlib import sha256
from mimetypes import guess_type
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
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from cribpi.club import entries, exports
from cribpi.club.backups import file_name
from cribpi.club.desk import MOST_DOUBTS, Desk
from cribpi.club.log import Log, LogTrouble
from cribpi.club.night import BY_DESK, BY_PHONE, Night
from cribpi.club.pairings import BEST_OF, LENGTHS, Place, stage_name
from cribpi.club.roster import AWARDS, SUMMERS, Book, Filed
from cribpi.club.season import LEAD, Dated, Nights, Season, as_filed, by_column, filed, title
from cribpi.club.standings import ACC, GRASS_ROOTS, Result, refuse
from cribpi.club.web.access import PAUSE, Access
from cribpi.companion import web
from cribpi.companion.web.body import Incomplete, body_of
from cribpi.companion.web.guard import Guard
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.names import given_names, unlike
from cribpi.cribbage.rules.shown import amount

PAGES: Final = Path(__file__).with_name("pages")
_PAGE: Final = Path(web.__file__).with_name("page")
FILES: Final = {file.name: file for file in PAGES.glob("*.[cj]s*")} | {
    name: _PAGE / name for name in ("base.css", "icon.svg", "vendor/figtree.woff2")
}
"""The files of the site by path; tokens, buttons, icon and typeface are the page's own."""
COOKIE: Final = "cribpi_desk"
PHONE: Final = "cribpi_phone"
"""Cookie that identifies a player's phone."""
LONGEST: Final = 20_000
"""Maximum size of a form in bytes."""

MOST_FIELDS: Final = 500
"""Maximum number of fields in a form: there may be one for each player in the book."""

LONGEST_FILE: Final = 500_000
"""Maximum size in bytes of a form with a file."""

MOST_GUESSES: Final = 5
"""Maximum number of passwords and codes waiting to be checked, per address."""

NOT_YOURS: Final = "it is entered already, and only the other player can confirm it, on their own phone"

AT_ONCE: Final = 2
"""Maximum number of passwords checked in parallel. Each check takes 4 MB of memory and some time."""

_POLICY: Final = "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
# With "no-referrer", browsers would not send the origin of a form.
_HEADERS: Final = {"Content-Security-Policy": _POLICY, "Referrer-Policy": "same-origin"}

_PAGES: Final = {"playoff": "/playoffs", "book": "/players", "awards": "/season"} | dict.fromkeys(
    ("night", "summer"), "/season"
)
"""Page to redirect to after a button of the director, by the first word of the button's name.

Default: the desk.
"""


class Form(dict[str, str]):
    """The fields of a form, by name. If a field has several values, newlines separate them."""

    def line(self, field: str) -> str:
        return " ".join(self.get(field, "").split())

    def number(self, field: str, default: int | None = None) -> int:
        """Return a field, or *default* if it is empty. Raise `RuleError` if it is not a number."""
        if not (text := self.line(field)) and default is not None:
            return default
        refuse(not _is_short(text), f"{field.replace('_', ' ')} must be a number")
        return int(text)

    @property
    def match(self) -> Place:
        return self.number("stage"), self.number("place")


class Site:
    """The website of *desk*."""

    def __init__(self, desk: Desk, log: Log, access: Access) -> None:
        self._desk = desk
        self._log = log
        self._nights = Nights(log)
        self._access = access
        self._troubles: dict[str, str] = {}
        """Current error messages, by subject."""
        self._said: dict[str | None, dict[str, object]] = {}
        """Data for a browser's next page, by session token: the outcome, and a rejected form to correct."""
        self._guesses: dict[str, list[asyncio.Lock]] = {}
        """Waiting guesses by address. All guesses of an address share one lock, listed once per guess."""
        self._devices: dict[str, tuple[str, str]] = {}
        """IP address and browser of each registered phone."""
        self._looks = asyncio.Semaphore(AT_ONCE)
        self._changed()
        desk.subscribe(self._changed)
        self._pages = Environment(
            loader=FileSystemLoader(PAGES), autoescape=select_autoescape(), undefined=StrictUndefined
        )
        self._pages.globals |= {"acc": ACC, "line": GRASS_ROOTS, "lengths": LENGTHS, "best_of": BEST_OF}
        self._pages.globals |= {"card_row": exports.card_row, "stage_name": stage_name, "title": title}
        self._pages.globals["amount"] = amount
        self._pages.globals |= {"example": AWARDS, "desk": desk}

    def report(self, sentence: str | None, about: str = "broker") -> None:
        """Set the error message about a subject, or clear it with None."""
        was = self._troubles.pop(about, None)
        if sentence:
            self._troubles[about] = sentence
        if sentence != was:
            self._changed()

    @property
    def code(self) -> str:
        """Tonight's code. With it, players can enter results from a phone."""
        return self._access.code(self._desk.name)

    def _changed(self) -> None:
        self._version = secrets.token_hex(8)  # random, to differ from those of an earlier desk

    def app(self, is_ours: Callable[[str], bool]) -> Guard:
        """Return the ASGI application. *is_ours* returns whether a host name belongs to this machine."""
        # Plain functions: Starlette runs them in threads, so a slow database does not block the event loop.
        routes = [
            Route("/", partial(self._page, "night")),
            Route("/cards", partial(self._page, "cards")),
            Route("/playoffs", partial(self._page, "playoffs")),
            Route("/season", self._season_page),
            Route("/news", lambda _: JSONResponse({"version": self._version})),
            Route("/files/{name}", self._file),
            Route("/desk", partial(self._to_director, self._desk_page)),
            Route("/players", partial(self._to_director, self._players)),
            Route("/players.csv", partial(self._to_director, self._book_csv)),
            Route("/backup", partial(self._to_director, self._backup)),
            Route("/desk/{what}", self._act, methods=["POST"]),
            Route("/login", self._login, methods=["GET", "POST"]),
            Route("/logout", self._logout, methods=["POST"]),
            Route("/enter", self._enter, methods=["GET", "POST"]),
            *(Route(f"/{name}", lambda _, at=at: FileResponse(at)) for name, at in FILES.items()),
        ]
        handlers = {LogTrouble: partial(_failed, 503), RuleError: partial(_failed, 501)}
        site = Starlette(routes=routes, exception_handlers=handlers)
        # The middleware takes the client's address from a local TLS proxy. Starlette and uvicorn declare the
        # types of ASGI differently.
        return Guard(ProxyHeadersMiddleware(site), is_ours)  # type: ignore[arg-type]

    # --- pages ---

    def _page(self, name: str, request: Request, status: int = 200, **more: object) -> HTMLResponse:
        version, night = self._version, self._desk.night  # version first, so that no change is missed
        token = request.cookies.get(COOKIE)
        context = {"night": night, "name_of": night.name_of, "version": version, "path": request.url.path}
        context |= {"is_in": self._access.is_in(token), "said": "", "form": {}, "done": ""}
        context |= self._said.pop(token, {})
        text = self._pages.get_template(f"{name}.html").render(context | more)
        return HTMLResponse(text, status, headers=_HEADERS)

    # --- the director ---

    def _to_director(self, answer: Callable[[Request], Response], request: Request) -> Response:
        is_in = self._access.is_in(request.cookies.get(COOKIE))
        return answer(request) if is_in else RedirectResponse("/login", 303)

    async def _guessed(self, request: Request, guess: Callable[[], str | None]) -> str | None:
        """Return the result of *guess*, or None after a delay if it is wrong.

        Each address checks one guess at a time.

        Raises:
            RuleError: If too many guesses are waiting.
        """
        source = _source(request)
        waiting = self._guesses.setdefault(source, [])
        refuse(len(waiting) >= MOST_GUESSES, "too many tries: wait a moment")
        waiting.append(lock := waiting[0] if waiting else asyncio.Lock())
        try:
            async with lock:
                async with self._looks:
                    found = await run_in_threadpool(guess)
                if found is None:
                    await asyncio.sleep(PAUSE)
                return found
        finally:
            waiting.pop()
            if not waiting:
                self._guesses.pop(source, None)

    async def _login(self, request: Request) -> Response:
        if request.method != "POST":
            return self._page("login", request, said="")
        password = (await _form(request)).get("password", "")
        try:
            token = await self._guessed(request, partial(self._access.enter, password))
        except RuleError as why:
            return self._page("login", request, 429, said=_sentence(why))
        if token is None:
            return self._page("login", request, 403, said="Wrong password. Try again.")
        answer = RedirectResponse("/desk", 303)
        answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
        return answer

    async def _logout(self, request: Request) -> Response:
        self._access.leave(request.cookies.get(COOKIE))
        return RedirectResponse("/", 303)

    def _desk_page(self, request: Request) -> Response:
        book, why = self._book()
        nights: list[Dated] = []
        with suppress(LogTrouble):  # `_book` has already reported the error
            nights = [as_filed(one, book) for one in self._nights.read()[0]]
            redated = [one.night for one in book.filed.values() if one.day]
            why = why or self._log.clock(self._desk.name * (not self._desk.night.round), redated)
        new = unlike(f"{datetime.now().astimezone():%Y-%m-%d}", [one.name for one in nights])
        trouble = " ".join([*self._troubles.values()]) or why
        return self._page("desk", request, code=self.code, book=book, nights=nights, new=new, trouble=trouble)

    def _book(self) -> tuple[Book, str]:
        """Return the book and "", or an empty book and the error."""
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
        return self._page("season", request, season=season, rows=rows, by=by)

    def _players(self, request: Request) -> Response:
        return self._page("players", request, book=self._desk.book())

    def _book_csv(self, _request: Request) -> Response:
        return Response(exports.book_csv(self._desk.book()), media_type="text/csv")

    def _backup(self, _request: Request) -> Response:
        head = {"Content-Disposition": f'attachment; filename="{file_name()}"'}
        return Response(self._log.copy(), media_type="application/vnd.sqlite3", headers=head)

    async def _act(self, request: Request) -> Response:
        if not self._access.is_in(token := request.cookies.get(COOKIE)):
            return RedirectResponse("/login", 303)
        what = request.path_params["what"]
        form = await _form(request, takes_file=what == "book-read")
        try:
            await run_in_threadpool(self._acted, what, form, token)
        except (RuleError, LogTrouble) as why:
            self._said[token] = {"said": _sentence(why), "form": form}
        board = f"#r{quote(form.get('round', ''))}b{quote(form.get('board', ''))}" if what == "result" else ""
        board = f"?correct{board}" if board and token in self._said else board
        return RedirectResponse(_PAGES.get(what.partition("-")[0], f"/desk{board}"), 303)

    def _acted(self, what: str, form: Form, token: str | None) -> None:
        """Run the action of the director's button *what*.

        Raises:
            RuleError, LogTrouble: As `Desk.do`, or if the form is incomplete.
        """
        desk, note = self._desk, self._desk.note
        line, number = form.line, form.number
        buttons: dict[str, Callable[[], object]] = {
            "open": lambda: desk.open(line("name")),
            "draw": lambda: self._draw(number("games", desk.night.games), number("rounds", 0)),
            "round": lambda: desk.open_round(
                (line("one"), line("other")), form.get("players", "").splitlines()
            ),
            "playoffs": lambda: desk.begin_playoffs(number("best_of")),
            "list": lambda: self._list(form),
            "remove": lambda: desk.do(entries.Removed(line("player"))),
            "arrived": lambda: desk.do(entries.Arrived(line("player"))),
            "gone": lambda: desk.leave(line("player"), line("game")),
            "rename": lambda: desk.give_name(line("player"), line("name")),
            "seat": lambda: desk.seat(line("player"), line("party"), number("table", 0)),
            "phone": lambda: desk.do(entries.Phoned(line("player"), "")),
            "place": lambda: desk.do(entries.BoardPlaced(number("board"), line("name"))),
            "swap": lambda: desk.do(entries.Swapped(line("one"), line("other"))),
            "result": lambda: self._enter_result(_result(form, desk.night)),
            "settle": lambda: desk.do(entries.Settled(number("doubt"), is_right=line("is") == "right")),
            "playoff-game": lambda: desk.do(_playoff_game(form, desk.night)),
            "playoff-walkover": lambda: desk.do(entries.PlayoffWalkover(*form.match, line("winner"))),
            "playoff-undo": lambda: desk.do(entries.PlayoffGameUndone(*form.match)),
            "book-put": lambda: note(
                lambda book: book.put(line("name"), line("number"), line("kind"), number("id"))
            ),
            "book-remove": lambda: note(lambda book: book.remove(number("id"), self._nights.played)),
            "book-same": lambda: note(lambda book: book.same(number("id"), line("name"), self._who_played())),
            "book-part": lambda: note(lambda book: book.part(number("id"))),
            "book-read": lambda: self._read_book(form.get("file", "").encode("latin-1", "replace"), token),
            "night": lambda: note(lambda book: book.file(filed(_filed(form)))),
            "summer": lambda: note(lambda _: _summer(line("summer"))),
            "awards": lambda: note(lambda _: _awards(form)),
        }
        refuse(what not in buttons, "that button is unknown: reload the page")
        buttons[what]()

    def _who_played(self) -> dict[str, list[str]]:
        return {one.name: [name for name, _ in one.cards] for one in self._nights.read()[0]}

    def _read_book(self, data: bytes, token: str | None) -> None:
        number = len(self._desk.note(lambda book: book.read(data)).people)
        self._said[token] = {"done": f"{number} {'player' if number == 1 else 'players'} imported"}

    def _draw(self, games: int, apart: int) -> None:
        self._desk.do(entries.Planned(games, apart))
        self._desk.draw(SystemRandom())

    def _enter_result(self, result: Result) -> None:
        """Enter or correct a result. Idempotent."""
        counts = self._desk.night.result(result.round, result.board)
        if counts != result:
            self._desk.do((entries.Corrected if counts else entries.Reported)(result, BY_DESK))

    def _list(self, form: Form) -> None:
        """List the players of a form. Rejected names stay in the form, to be corrected."""
        players = [" ".join(line.split()) for line in form.get("players", "").splitlines()]
        refuse(not any(players), "type at least one name")
        refused: dict[str, Exception] = {}
        seats = ""
        for player in filter(None, dict.fromkeys(players)):
            try:
                (name,) = given_names([player])
                if name not in self._desk.night.ids:
                    name = self._desk.known(name)
                if name not in self._desk.night.names.values() or not form.get("here"):
                    seats = self._desk.enlist(name) or seats
                if form.get("here"):
                    self._desk.do(entries.Arrived(name))
            except RuleError as bad:
                refused[player] = bad
        form["players"] = "\n".join(refused)
        for why in refused.values():
            raise RuleError(str(why))
        refuse(seats, seats)

    # --- a phone ---

    async def _enter(self, request: Request) -> Response:
        own = request.cookies.get(PHONE, "") or (
            "" if request.method == "POST" else secrets.token_urlsafe(16)
        )
        # The log is public, so store only a hash.
        phone = own and sha256(own.encode()).hexdigest()[:12]
        if request.method != "POST":
            code = request.query_params.get("code", "")[:20]
            answer = self._page("enter", request, said="", code=code, done="", form={}, phone=phone)
            answer.set_cookie(PHONE, own, httponly=True, samesite="strict")
            return answer
        form = await _form(request)
        code = form.get("code", "").strip().upper()[:20]
        said = done = ""
        status = 200
        try:
            await self._check_code(request, code)
            result = _result(form, self._desk.night)
            device = request.client.host if request.client else "", request.headers.get("user-agent", "")
            me = self._desk.night.ids.get(form.get("me", ""), "")
            how = await run_in_threadpool(self._by_phone, result, phone, me, device)
            done = f"{how}: {self._desk.night.score_of(result)}"
        except (RuleError, LogTrouble) as why:
            said, status = _sentence(why), 409
        return self._page("enter", request, status, said=said, code=code, done=done, form=form, phone=phone)

    def _by_phone(self, result: Result, phone: str, me: str, device: tuple[str, str]) -> str:
        """Enter a result from a *phone*, which may belong to player *me*. Return "Saved" or "Confirmed".

        An equal result from the opponent's phone confirms an earlier one. A different result becomes a doubt.

        Raises:
            RuleError, LogTrouble: As `Desk.do`.
        """
        night = self._desk.night
        night.check(result)
        if phone and me in {result.winner, result.loser} and phone not in night.phones:
            self._assign_phone(phone, me, device)
        night = self._desk.night
        counts = night.result(result.round, result.board)
        if counts is None:
            self._desk.do(entries.Reported(result, BY_PHONE, phone))
        elif counts == result:
            (*_, last) = night.reports[result.round, result.board]
            if result in night.unconfirmed and phone != last.id:
                refuse(night.phones.get(phone) not in night.confirmers(result, phone), NOT_YOURS)
                self._desk.do(entries.Confirmed(result))
                return "Confirmed"
        else:
            self._doubt(result, counts, phone)
        return "Saved"

    def _assign_phone(self, phone: str, me: str, device: tuple[str, str]) -> None:
        """Assign a *phone* to player *me*.

        Raises:
            RuleError, LogTrouble: As `Desk.do`. Also if the player already has a phone, or the phone seems to
                be another player's.
        """
        night = self._desk.night
        name = night.name_of(me)
        refuse(me in night.phones.values(), f"{name} has another phone: the desk can make it forget that one")
        known = (self._devices.get(one) for one in night.phones)
        refuse(device in known, f"that is another player's phone: enter it on {name}'s own, or tell the desk")
        self._devices[phone] = device
        self._desk.do(entries.Phoned(me, phone))

    def _doubt(self, result: Result, counts: Result, phone: str) -> None:
        """Log a doubt: *result* differs from *counts*, the result so far.

        Raises:
            RuleError: Always, so that the phone shows the conflict.
            LogTrouble: If the write fails.
        """
        night = self._desk.night
        why = f"a phone reports {night.score_of(result)}: already entered as {night.score_of(counts)}"
        of_phones = [one for one in night.doubts if one.by == BY_PHONE]
        if all(one.why != why for one in of_phones) and len(of_phones) < MOST_DOUBTS:
            self._desk.do(entries.Doubted(why, BY_PHONE, phone, result))
        raise RuleError(f"board {result.board} already has another result: the desk has been told")

    async def _check_code(self, request: Request, code: str) -> None:
        if not secrets.compare_digest(code.encode(), self.code.encode()):
            await self._guessed(request, lambda: None)
            raise RuleError("that is not tonight's code: ask at the desk")

    # --- files ---

    def _file(self, request: Request) -> Response:
        night, night_name = self._desk.night, self._desk.name
        name = request.path_params["name"]
        if name == "night.json":
            log = self._log.timed(night_name)[: night.entries]  # without entries added meanwhile
            return JSONResponse(exports.night_json(night_name, night, log))
        if name in exports.OF_SEASON:
            data = exports.OF_SEASON[name](self._season(request))
        elif name in exports.OF_NIGHT:
            data = exports.OF_NIGHT[name](self._desk.title, night)
        else:
            return Response("not found", 404)
        return Response(data, media_type=guess_type(name)[0])


def _source(request: Request) -> str:
    """Return the client's address, or its /64 network for IPv6."""
    host = request.client.host if request.client else ""
    return ":".join(host.split(":")[:4])


def _failed(status: int, _request: Request, why: Exception) -> Response:
    return Response(_sentence(why), status, media_type="text/plain")


async def _form(request: Request, *, takes_file: bool = False) -> Form:
    kind = request.headers.get("content-type", "")
    try:
        body = await body_of(request, LONGEST_FILE if takes_file else LONGEST)
    except Incomplete:
        return Form()
    if takes_file and kind.startswith("multipart/form-data"):
        return await run_in_threadpool(_parts, kind, body)
    with suppress(ValueError):
        found = parse_qs(body.decode(errors="replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
        return Form((name, "\n".join(values)) for name, values in found.items())
    return Form()


def _parts(kind: str, body: bytes) -> Form:
    """Parse a multipart *body*. Run this in a thread: a large body takes a second on a Pi."""
    parts = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode("latin-1") + body).walk()
    names = ((str(one.get_param("name", header="content-disposition")), one) for one in parts)
    return Form((name, bytes(one.get_payload(decode=True) or b"").decode("latin-1")) for name, one in names)


def _sentence(why: Exception) -> str:
    said = str(why)
    return f"{said[:1].upper()}{said[1:]}."


def _is_short(number: str) -> bool:
    return number.isascii() and number.isdigit() and len(number) <= 6


def _result(form: Form, night: Night) -> Result:
    round_, board = form.number("round"), form.number("board")
    table = night.table(round_, board)
    winner = night.ids.get(form.get("winner", ""), "")
    refuse(winner not in table.players, "choose the winner")
    (loser,) = (player for player in table.players if player != winner)
    forfeit = bool(form.get("forfeit"))
    return Result(round_, board, winner, loser, 0 if forfeit else form.number("score"), forfeit)


def _filed(form: Form) -> Filed:
    return Filed(form.line("night"), form.line("name"), form.line("day"), bool(form.get("counts")))


def _summer(text: str) -> entries.Noted:
    refuse(text not in SUMMERS, "choose what becomes of nights in summer")
    return entries.Noted(summer=text)


def _awards(form: Form) -> entries.Noted:
    rows = [line.replace(" ", "").split("=") for line in form.get("rows", "").splitlines() if line.strip()]
    if not rows or not all(len(row) == 2 and all(map(_is_short, row)) for row in rows):
        raise RuleError("write each row of the table as 12 = 1")
    awards = tuple((int(points), int(earned)) for points, earned in rows)
    refuse(len(dict(awards)) < len(awards), "write each number of game points once")
    refuse(not (best := form.number("nights")), "at least one night must count")
    return entries.Noted(awards=awards, best=best)


def _playoff_game(form: Form, night: Night) -> entries.PlayoffGame:
    known = night.playoff_games.get(form.match, ())
    if str(len(known)) != form.get("games", ""):
        raise RuleError("that game is entered already: here is the match as it stands")
    return entries.PlayoffGame(*form.match, form.line("winner"), form.number("score"))
