"""The routes of past games and statistics; a separate thread answers, one request at a time.

Practice has another: it reads no games, and each question takes a second or more to make.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Protocol, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cribpi.companion.web.requests import BadRequest

T = TypeVar("T")

LISTED = 50  # games in an answer, where the request does not say
MOST_LISTED = 200
DECISIONS = ("discards", "pegging")
PRACTICE = (*DECISIONS, "counting")


class NotThere(LookupError):
    """There is no such game, step or player; the message is the sentence for its sender."""


class NotNow(Exception):
    """It can't be given now; the message is the sentence for its sender."""


class History(Protocol):
    """The games of the journal.  Every method may take a while, and raise `NotThere` or `NotNow`."""

    def games(self, name: str | None, before: int | None, limit: int) -> dict[str, object]:
        """Return up to *limit* games, newest first: those of a player, or before a number, where given."""

    def game(self, number: int) -> dict[str, object]:
        """Return a game with what it came to, and what happened in it."""

    def record(self, number: int) -> str:
        """Return the record of a game."""

    def review(self, number: int) -> dict[str, object]:
        """Return the review of a game, or how many of its deals are still to be reviewed."""

    def practice(self, what: str) -> dict[str, object]:
        """Return something to practise, *what* of `PRACTICE`: a position, or a hand with its count."""

    def mistakes(self, what: str, name: str) -> dict[str, object]:
        """Return what *name* did worst of *what* in `DECISIONS` lately, or how many deals are still to go."""

    def step(self, number: int, step: int) -> dict[str, object]:
        """Return how the table stood after a step of a game, from 1."""

    def stats(self) -> dict[str, object]:
        """Return a row for each player."""

    def player(self, name: str) -> dict[str, object]:
        """Return all figures of a player."""


def history_routes(history: History) -> list[Route]:
    """Return the routes that answer from *history*."""
    games_thread = ThreadPoolExecutor(1, "history")  # one question at a time: each may read the whole journal
    practice_thread = ThreadPoolExecutor(1, "practice")

    async def asked(question: Callable[[], T], thread: Executor = games_thread) -> T | Response:
        try:
            return await asyncio.get_running_loop().run_in_executor(thread, question)
        except NotThere as missing:
            return JSONResponse({"error": str(missing)}, 404)
        except NotNow as later:
            return JSONResponse({"error": str(later)}, 409)

    async def answered(question: Callable[[], object], thread: Executor = games_thread) -> Response:
        found = await asked(question, thread)
        return found if isinstance(found, Response) else JSONResponse(found)

    async def games(request: Request) -> Response:
        name = request.query_params.get("name") or None
        before = _number(request, "before", None, 1 << 53)
        limit = _number(request, "limit", LISTED, MOST_LISTED) or LISTED
        return await answered(lambda: history.games(name, before, limit))

    async def game(request: Request) -> Response:
        return await answered(lambda: history.game(request.path_params["number"]))

    async def record(request: Request) -> Response:
        number = request.path_params["number"]
        found = await asked(lambda: history.record(number))
        if isinstance(found, Response):
            return found
        headers = {"Content-Disposition": f'attachment; filename="game-{number}.crib"'}
        return Response(found.encode(), media_type="text/plain; charset=utf-8", headers=headers)

    async def review(request: Request) -> Response:
        return await answered(lambda: history.review(request.path_params["number"]))

    async def practice(request: Request) -> Response:
        what = request.path_params["what"]
        if what not in PRACTICE:
            return JSONResponse({"error": f"practise {', '.join(PRACTICE[:-1])} or {PRACTICE[-1]}"}, 404)
        return await answered(lambda: history.practice(what), practice_thread)

    async def mistakes(request: Request) -> Response:
        what, name = request.path_params["what"], request.query_params.get("name", "")
        if what not in DECISIONS:
            return JSONResponse({"error": f"there are mistakes of {' and '.join(DECISIONS)} alone"}, 404)
        return await answered(lambda: history.mistakes(what, name))

    async def step(request: Request) -> Response:
        number, at = request.path_params["number"], request.path_params["step"]
        return await answered(lambda: history.step(number, at))

    async def stats(_: Request) -> Response:
        return await answered(history.stats)

    async def player(request: Request) -> Response:
        return await answered(lambda: history.player(request.path_params["name"]))

    paths: dict[str, Callable[[Request], Awaitable[Response]]] = {
        "/api/games": games,
        "/api/games/{number:int}.crib": record,
        "/api/games/{number:int}": game,
        "/api/games/{number:int}/review": review,
        "/api/games/{number:int}/{step:int}": step,
        "/api/practice/{what}": practice,
        "/api/practice/{what}/mistakes": mistakes,
        "/api/stats": stats,
        "/api/stats/{name:path}": player,
    }
    return [Route(path, answer) for path, answer in paths.items()]


def _number(request: Request, name: str, default: int | None, most: int) -> int | None:
    """Read a number, from 1, of the query.

    Raises:
        BadRequest: If it is something else.
    """
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 17 and 1 <= int(text) <= most):
        raise BadRequest(f"{name} is a number from 1 to {most}")
    return int(text)
