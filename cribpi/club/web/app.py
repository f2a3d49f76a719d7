"""The routes of the desk's page: the night for everybody, the director's desk, entry by phone, and files."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from pathlib import Path
from random import SystemRandom
from typing import Any, Final
from urllib.parse import parse_qs, quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cribpi.club.desk import Desk
from cribpi.club.entries import (
    Arrived,
    BoardPlaced,
    Corrected,
    Doubted,
    Entry,
    Gone,
    Listed,
    Planned,
    PlayoffGame,
    PlayoffGameUndone,
    PlayoffWalkover,
    Removed,
    Renamed,
    Reported,
    Settled,
)
from cribpi.club.log import Log, LogTrouble
from cribpi.club.night import Refused, checked, normalized, score_of
from cribpi.club.papers import (
    NoPdf,
    card_row,
    cards_pdf,
    night_json,
    results_csv,
    standings_csv,
    standings_pdf,
)
from cribpi.club.playoffs import BEST_OF, LENGTHS, stage_name
from cribpi.club.standings import ACC, Result
from cribpi.club.web.access import PAUSE, Access
from cribpi.companion import web
from cribpi.companion.web.guard import Guard

_LOG: Final = logging.getLogger(__name__)

PAGES: Final = Path(__file__).with_name("pages")
ICON: Final = Path(web.__file__).with_name("page") / "icon.svg"
COOKIE: Final = "cribpi_desk"
LONGEST: Final = 20_000
"""Bytes of a form."""

MOST_GUESSES: Final = 5
"""Passwords, or wrong codes, that may wait for their turn."""

WAIT: Final = 20.0
"""Seconds after which a browser that waits for news gets none."""

POLL: Final = 0.2
BY_DESK, BY_PHONE = "the desk", "a phone"
CSV: Final = "text/csv; charset=utf-8"
"""With a byte order mark in front: without one, a spreadsheet may take it for another encoding."""

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
    ),
    "Referrer-Policy": "same-origin",  # with none at all, a browser does not say which page a form comes from
}

Form = Mapping[str, str]


class WrongForm(ValueError):
    """A form has not what it should have; the message says what, in a sentence."""


class Site:
    """The page of one *desk*."""

    def __init__(self, desk: Desk, log: Log, access: Access) -> None:
        self._desk = desk
        self._log = log
        self._access = access
        self.trouble: str | None = None
        """What is wrong with the broker."""
        self._said: dict[str, str] = {}
        """What a browser is to see next, by its token: why something was refused."""
        self._left: dict[str, str] = {}
        """Names that were refused, to be typed again."""
        self._versions = count(1)
        self._version = 0
        self._is_ending = False
        self._guessing, self._codes = asyncio.Lock(), asyncio.Lock()
        self._guesses = self._wrong_codes = 0
        """Passwords and wrong codes that wait to be looked at."""
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
        shown = (("/", "night"), ("/cards", "cards"), ("/playoffs", "playoffs"))
        show = [Route(path, self._shown(page)) for path, page in shown]
        return Guard(
            Starlette(
                routes=[
                    *show,
                    Route("/desk", self._director(self._desk_page)),
                    Route("/desk/{what}", self._director(self._act), methods=["POST"]),
                    Route("/login", self._login, methods=["GET", "POST"]),
                    Route("/logout", self._logout, methods=["POST"]),
                    Route("/enter", self._enter, methods=["GET", "POST"]),
                    Route("/news", self._news),
                    Route("/files/{name}", self._file),
                    Route("/{name:str}.css", self._static("css")),
                    Route("/{name:str}.js", self._static("js")),
                    Route("/{name:str}.svg", self._static("svg")),
                ]
            ),
            is_ours,
        )

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
            "is_in": is_in,
            "said": self._said.pop(token, "") if is_in and token else "",
            "left_names": self._left.pop(token, "") if is_in and token else "",
            "trouble": self.trouble,
            "path": request.url.path,
            "version": version,
            "card_row": card_row,
            "stage_name": stage_name,
            "lengths": LENGTHS,
            "best_of": BEST_OF,
            **more,
        }
        text = self._pages.get_template(f"{name}.html").render(context)
        return HTMLResponse(text, status, headers=_HEADERS)

    def _shown(self, page: str) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            return await run_in_threadpool(self._page, page, request)

        return answer

    def _static(self, ending: str) -> Callable[[Request], Any]:
        known = {one.name: one for one in (*PAGES.glob(f"*.{ending}"), ICON)}

        async def answer(request: Request) -> Response:
            found = known.get(f"{request.path_params['name']}.{ending}")
            return FileResponse(found) if found else Response("not found", 404)

        return answer

    def _is_known(self, version: str) -> bool:
        return str(self._version) == version and not self._is_ending

    async def _news(self, request: Request) -> Response:
        """Answer as soon as there is something newer than the version that the browser has."""
        since, until = request.query_params.get("since", ""), time.monotonic() + WAIT
        while self._is_known(since) and time.monotonic() < until:  # noqa: ASYNC110  other threads change it
            await asyncio.sleep(POLL)
        return JSONResponse({"version": self._version})

    # --- the director ---

    def _director(self, then: Callable[[Request], Any]) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            if not self._access.is_in(request.cookies.get(COOKIE)):
                return RedirectResponse("/login", 303)
            return await then(request)  # type: ignore[no-any-return]

        return answer

    async def _login(self, request: Request) -> Response:
        if request.method != "POST":
            return self._page("login", request, said="")
        form = await _form(request)
        if self._guesses >= MOST_GUESSES:
            return self._page("login", request, 429, said="Too many tries at once. Wait a moment.")
        self._guesses += 1
        try:
            async with self._guessing:  # one guess a second, whoever guesses
                token = await run_in_threadpool(self._access.enter, form.get("password", ""))
                if token is None:
                    await asyncio.sleep(PAUSE)
        finally:
            self._guesses -= 1
        if token is None:
            return self._page("login", request, 403, said="Wrong password. Try again.")
        answer = RedirectResponse("/desk", 303)
        answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
        return answer

    async def _logout(self, request: Request) -> Response:
        self._access.leave(request.cookies.get(COOKIE))
        return RedirectResponse("/", 303)

    async def _desk_page(self, request: Request) -> Response:
        return await run_in_threadpool(self._page, "desk", request, code=self.code)

    async def _act(self, request: Request) -> Response:
        form, what = await _form(request), request.path_params["what"]
        token = request.cookies[COOKIE]
        try:
            await run_in_threadpool(self._acted, what, form, token)
        except (Refused, WrongForm, LogTrouble) as why:
            said = str(why)
            self._said[token] = f"{said[:1].upper()}{said[1:]}."
        return RedirectResponse(_place(what, form), 303)

    def _acted(self, what: str, form: Form, token: str) -> None:
        desk = self._desk
        match what:
            case "draw":
                if form.get("games"):
                    desk.do(Planned(_number(form, "games", "the number of games")))
                desk.draw(SystemRandom())
                desk.place_spares()
            case "playoffs":
                desk.begin_playoffs(_number(form, "best_of", "the number of games in a match"))
            case "round":
                desk.open_round()
            case "list":
                self._list(_lines(form), token, are_here=bool(form.get("here")))
            case "result":
                self._enter_result(_result(form, desk))
            case _:
                desk.do(_entry(what, form, desk))
                if what != "place":  # a board that was taken away stays away
                    desk.place_spares()

    def _enter_result(self, result: Result) -> None:
        """Enter *result*, or correct what counts so far; the same once more changes nothing."""
        counts = self._desk.night.result(result.round, result.board)
        if counts != result:
            self._desk.do(Corrected(result, BY_DESK) if counts else Reported(result, BY_DESK))

    def _list(self, players: Iterable[str], token: str, *, are_here: bool) -> None:
        """Put *players* on the list, all but those who can't be; these stay to be typed again."""
        refused: list[str] = []
        why = ""
        for player in dict.fromkeys(players):
            try:
                name = normalized(player)
                if name not in self._desk.night.names.values() or not are_here:
                    self._desk.do(Listed(name))
                if are_here:
                    self._desk.do(Arrived(name))
            except Refused as bad:
                refused.append(player)
                why = why or str(bad)
        self._desk.place_spares()
        if refused:
            self._left[token] = "\n".join(refused)
            raise Refused(why)

    # --- a phone ---

    async def _enter(self, request: Request) -> Response:
        if request.method != "POST":
            code = request.query_params.get("code", "")[:20]
            return self._page("enter", request, said="", code=code, done="", form={})
        form = await _form(request)
        code = form.get("code", "").strip().upper()
        said, done, status = "", "", 200
        try:
            await self._check_code(code)
            result = _result(form, self._desk)
            await run_in_threadpool(self._by_phone, result)
            done = score_of(self._desk.night, result)
        except (Refused, WrongForm, LogTrouble) as why:
            said, status = f"{str(why)[:1].upper()}{str(why)[1:]}.", 409
        return self._page("enter", request, status, said=said, code=code[:20], done=done, form=form)

    def _by_phone(self, result: Result) -> None:
        """Take a result from a phone; the same again is known, and another one is for the director.

        Raises:
            Refused, LogTrouble: As `Desk.do`.
        """
        counts = self._desk.night.result(result.round, result.board)
        if counts is None:
            self._desk.do(Reported(result, BY_PHONE))
        elif counts != result:
            said = f"a phone reports {score_of(self._desk.night, result)}"
            why = f"{said}: already entered as {score_of(self._desk.night, counts)}"
            if all(one.doubted.why != why for one in self._desk.night.doubts):
                self._desk.do(Doubted(why, BY_PHONE, "", checked(self._desk.night, result)))
            raise Refused(f"board {result.board} already has another result: the desk has been told")

    async def _check_code(self, code: str) -> None:
        if self._wrong_codes >= MOST_GUESSES:
            raise WrongForm("too many tries at once: wait a moment")
        if not secrets.compare_digest(code.encode(), self.code.encode()):
            self._wrong_codes += 1
            try:
                async with self._codes:
                    await asyncio.sleep(PAUSE)
            finally:
                self._wrong_codes -= 1
            raise WrongForm("that is not tonight's code: ask at the desk")

    # --- files ---

    async def _file(self, request: Request) -> Response:
        return await run_in_threadpool(self._made, request.path_params["name"])

    def _made(self, name: str) -> Response:
        night, called = self._desk.night, self._desk.name
        try:
            match name:
                case "standings.csv":
                    return Response(standings_csv(night).encode("utf-8-sig"), media_type=CSV)
                case "results.csv":
                    return Response(results_csv(night).encode("utf-8-sig"), media_type=CSV)
                case "night.json":
                    return JSONResponse(self._json(night))
                case "standings.pdf":
                    return Response(standings_pdf(called, night), media_type="application/pdf")
                case "cards.pdf":
                    return Response(cards_pdf(called, night), media_type="application/pdf")
        except NoPdf as why:
            return Response(f"{why}.", 501)
        return Response("not found", 404)

    def _json(self, night: Any) -> dict[str, Any]:  # noqa: ANN401  a Night
        entries, times = self._log.entries(self._desk.name), self._log.times(self._desk.name)
        several = min(
            len(entries), len(times), night.entries
        )  # what came in the meantime is for the next time
        return night_json(self._desk.name, night, entries[:several], times[:several])


async def _form(request: Request) -> Form:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST:
            return {}
    try:
        fields = parse_qs(body.decode(errors="replace"), keep_blank_values=True, max_num_fields=50)
    except ValueError:
        return {}
    return {name: values[-1] for name, values in fields.items()}


def _place(what: str, form: Form) -> str:
    """Return where a director goes on after a form: at the board whose result was entered."""
    if what.startswith("playoff-"):
        return "/playoffs"
    return (
        f"/desk#r{quote(form.get('round', ''))}b{quote(form.get('board', ''))}"
        if what == "result"
        else "/desk"
    )


def _lines(form: Form) -> list[str]:
    found = [" ".join(line.split()) for line in form.get("players", "").splitlines()]
    if not any(found):
        raise WrongForm("type at least one name")
    return [line for line in found if line]


def _number(form: Form, field: str, what: str) -> int:
    text = form.get(field, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise WrongForm(f"{what} must be a number")
    return int(text)


def _result(form: Form, desk: Desk) -> Result:
    """Return the result of a form: which game, who has won, and the loser's score."""
    round_, board = _number(form, "round", "the round"), _number(form, "board", "the board")
    table = desk.night.table(round_, board)
    winner = desk.night.ids.get(form.get("winner", ""))
    if winner is None or winner not in table.players:
        raise WrongForm("choose the winner")
    (loser,) = (player for player in table.players if player != winner)
    return Result(round_, board, winner, loser, _number(form, "score", "the loser's score"))


def _entry(what: str, form: Form, desk: Desk) -> Entry:
    match what:
        case "remove":
            return Removed(form.get("player", ""))
        case "rename":
            return Renamed(form.get("player", ""), " ".join(form.get("name", "").split()))
        case "arrived":
            return Arrived(form.get("player", ""))
        case "gone":
            return Gone(form.get("player", ""))
        case "place":
            return BoardPlaced(
                _number(form, "board", "the table"), " ".join(form.get("name", "").split())[:64]
            )
        case "playoff-game":
            stage, place = _number(form, "stage", "the stage"), _number(form, "place", "the match")
            if str(len(desk.night.playoff_games.get((stage, place), ()))) != form.get("games", ""):
                raise WrongForm("that game is entered already: here is the match as it stands")
            return PlayoffGame(
                stage, place, form.get("winner", ""), _number(form, "score", "the loser's score")
            )
        case "playoff-walkover":
            stage, place = _number(form, "stage", "the stage"), _number(form, "place", "the match")
            return PlayoffWalkover(stage, place, form.get("winner", ""))
        case "playoff-undo":
            return PlayoffGameUndone(_number(form, "stage", "the stage"), _number(form, "place", "the match"))
        case "settle":
            return Settled(_number(form, "doubt", "the report"), is_right=form.get("is") == "right")
        case _:
            raise WrongForm("that button is unknown: reload the page")
