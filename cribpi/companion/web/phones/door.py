"""The routes for phones on the home's network: a code lets one in, and it sees what its role may.

Plain HTTP, and only what a phone needs: none of the routes that the board's own page has for settings, power
or past games is here.
"""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from cribpi.companion.web.answers import (
    COMPRESSED_FROM,
    HANDLERS,
    answered,
    body_of,
    kit_json,
    page_with_data,
)
from cribpi.companion.web.files import build_of, read_files, static_page
from cribpi.companion.web.guard import Guard
from cribpi.companion.web.phones.registry import NotAdmitted, NotKept, SeatTaken, TooManyGuesses
from cribpi.companion.web.phones.seats import PhoneClient, TablePhones
from cribpi.companion.web.requests import join_request, press_request, role_request
from cribpi.companion.web.stream import Stream

Answers = Callable[[Request], Awaitable[Response]]
"""What answers a request."""

COOKIE = "cribpi"
YEAR = 365 * 24 * 3600  # seconds: a token is good until it is withdrawn at the board

KINDS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("TV", "TV"),
    ("Macintosh", "Mac"),
    ("Windows", "PC"),
    ("Linux", "computer"),
)
"""What a browser says that it runs on, and what people call that."""


class PhoneStreams:
    """A stream for each phone, made when it first listens, and ended when the phone is gone."""

    def __init__(self) -> None:
        self.build = ""
        self._streams: dict[PhoneClient, Stream] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """Serve streams in *loop* from now on."""
        self._loop = loop

    def close(self) -> None:
        """End every stream.  Must be called in the loop."""
        for stream in self._streams.values():
            stream.close()

    def __len__(self) -> int:
        """Return the number of open streams."""
        return sum(map(len, self._streams.values()))

    async def serve(self, table: PhoneClient, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell the phone at *table* what changes, until it goes or is sent away."""
        stream = self._streams.get(table)
        if stream is None:
            stream = self._streams[table] = Stream(table, phone=table.me)
            stream.build = self.build
            if self._loop is not None:
                stream.open(self._loop)
        try:
            await stream(scope, receive, send)
        finally:
            if not stream and self._streams.get(table) is stream:
                del self._streams[table]
                stream.close()


def phone_app(door: TablePhones, streams: PhoneStreams, is_ours: Callable[[str], bool]) -> ASGIApp:
    """Return the ASGI application that serves phones; *is_ours* tells which hosts it answers to."""

    def table_of(request: Request) -> PhoneClient | None:
        token = request.cookies.get(COOKIE)
        return door.at(token) if token else None

    def known(
        answer: Callable[[PhoneClient, Request], Awaitable[Response]],
    ) -> Answers:
        async def checked(request: Request) -> Response:
            table = table_of(request)
            if table is None:
                raise HTTPException(401, "the board does not know this phone: scan the code on its screen")
            return await answer(table, request)

        return checked

    async def start(request: Request) -> Response:
        """Serve the page with what it begins from; a phone that nobody knows gets nothing of the game."""
        table = table_of(request)
        begun: dict[str, object] = {"kit": kit_json(door.kit), "build": streams.build, "phone": None}
        if table is not None:
            begun |= {"phone": table.me(), "state": table.state(), "page": table.page()}
        return page_with_data(index, begun)

    async def join(request: Request) -> Response:
        code = join_request(await body_of(request))
        if (known_here := table_of(request)) is not None:  # as another phone it could see a second hand
            return JSONResponse(known_here.me())
        kind = _kind(request.headers.get("user-agent", ""))
        try:
            token = await asyncio.to_thread(door.join, code, kind)
        except TooManyGuesses as wait:
            return JSONResponse({"error": str(wait)}, 429, {"Retry-After": "60"})
        except NotKept as full:
            return JSONResponse({"error": str(full)}, 409)
        except NotAdmitted as refused:
            return JSONResponse({"error": str(refused)}, 403)
        table = door.at(token)
        response = JSONResponse(table.me() if table is not None else {})
        response.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="strict", path="/")
        return response

    async def me(table: PhoneClient, request: Request) -> Response:
        if request.method == "GET":
            return JSONResponse(table.me())
        wanted = role_request(await body_of(request))
        try:
            await asyncio.to_thread(table.choose, wanted.role, wanted.seat)
        except (SeatTaken, NotKept) as refused:
            return JSONResponse({"error": str(refused)}, 409)
        except NotAdmitted as gone:
            return JSONResponse({"error": str(gone)}, 401)
        return JSONResponse(table.me())

    async def leave(table: PhoneClient, _: Request) -> Response:
        await asyncio.to_thread(table.leave)
        response = JSONResponse({})
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response

    async def press(table: PhoneClient, request: Request) -> Response:
        wanted = press_request(await body_of(request))
        return await answered(request, table.do(wanted.ask, wanted.id, wanted.if_seq))

    def tells(tell: Callable[[PhoneClient], object]) -> Answers:
        async def answer(table: PhoneClient, _: Request) -> Response:
            return JSONResponse(tell(table))

        return known(answer)

    class Events:
        """The event stream of the phone that asks."""

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            table = table_of(Request(scope))
            if table is None:
                sentence = "the board does not know this phone: scan the code on its screen"
                await JSONResponse({"error": sentence}, 401)(scope, receive, send)
            else:
                await streams.serve(table, scope, receive, send)

    contents = {f"page/{name}": content for name, content in read_files("page").items()}
    index = contents["page/index.html"].decode()
    streams.build = build_of(contents)
    compressed = [Middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM)]
    app = Starlette(
        routes=[
            Route("/", start, middleware=compressed),
            *(Route(path, start, middleware=compressed) for path in ("/j/{code}", "/J/{code}")),
            *(
                Route(f"/{name}", static_page(name, one), middleware=compressed)
                for name, one in contents.items()
            ),
            Route("/api/join", join, methods=["POST"]),
            Route("/api/phone", known(me), methods=["GET", "POST"]),
            Route("/api/phone", known(leave), methods=["DELETE"]),
            Route("/api/kit", tells(lambda _: kit_json(door.kit)), middleware=compressed),
            Route("/api/state", tells(lambda table: table.state())),
            Route("/api/page", tells(lambda table: table.page())),
            Route("/api/log", tells(lambda table: table.log()), middleware=compressed),
            Route("/api/press", known(press), methods=["POST"]),
            Route("/api/events", Events(), methods=["GET"]),
        ],
        exception_handlers=HANDLERS,
    )
    return Guard(app, is_ours)


def _kind(agent: str) -> str:
    """Say what a browser runs on, as far as it tells.

    >>> _kind("Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X)"), _kind("curl/8.0")
    ('iPhone', 'phone')
    """
    return next((kind for mark, kind in KINDS if mark in agent), "phone")
