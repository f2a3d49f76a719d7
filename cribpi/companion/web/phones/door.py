"""The ASGI application for phones on the home network.

Phones join with a code, and see what their role allows.

It uses HTTP without TLS. It has only the routes that a phone needs: none for settings, power or past games.
"""

import asyncio
from collections.abc import Callable
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from cribpi.companion.web.files import COMPRESSED, PageFiles
from cribpi.companion.web.guard import Guard
from cribpi.companion.web.handlers import HANDLERS, body_of, client_routes, refused_with
from cribpi.companion.web.json.page import kit_json
from cribpi.companion.web.openapi import ApiRoute
from cribpi.companion.web.phones.registry import NotAdmitted, NotKept, NotKnown, SeatTaken, TooManyGuesses
from cribpi.companion.web.phones.seats import PhoneClient, TablePhones
from cribpi.companion.web.requests import join_request, role_request
from cribpi.companion.web.stream import Stream

COOKIE = "cribpi"
YEAR = 365 * 24 * 3600  # seconds for which a browser keeps the token; the board can revoke it at any time

KINDS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("TV", "TV"),
    ("Macintosh", "Mac"),
    ("Windows", "PC"),
    ("Linux", "computer"),
)
"""Texts in a browser's User-Agent, and the kind of device as people call it. The first match counts."""


class PhoneStreams:
    """The event streams of the phones. Each phone has its own `Stream`."""

    def __init__(self) -> None:
        self.build = ""
        self._streams: dict[PhoneClient, Stream] = {}

    def close(self) -> None:
        """End all streams. Must be called on the event loop."""
        for stream in self._streams.values():
            stream.close()

    def __len__(self) -> int:
        return sum(map(len, self._streams.values()))

    async def serve(self, table: PhoneClient, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events to the phone *table* until it disconnects or is removed."""
        stream = self._streams.get(table)
        if stream is None:
            stream = self._streams[table] = Stream(table, phone=table.me)
            stream.build = self.build
        try:
            await stream(scope, receive, send)
        finally:
            if not stream and self._streams.get(table) is stream:
                del self._streams[table]


def phone_app(door: TablePhones, streams: PhoneStreams, is_ours: Callable[[str], bool]) -> Guard:
    """Return the ASGI application for phones. *is_ours* returns whether a Host header is accepted."""

    def table_of(request: Request) -> PhoneClient | None:
        token = request.cookies.get(COOKIE)
        return door.at(token) if token else None

    def known(request: Request) -> PhoneClient:
        table = table_of(request)
        if table is None:
            raise HTTPException(401, "the board does not know this phone: scan the code on its screen")
        return table

    async def start(request: Request) -> Response:
        """Serve the page with its initial data. An unknown phone gets no state of the game."""
        table = table_of(request)
        begun: dict[str, object] = {"kit": kit_json(door.companion.kit), "build": files.build, "phone": None}
        if table is not None:
            begun |= {"phone": table.me(), "state": table.state(), "page": table.page()}
        return files.page_with(begun)

    async def join(request: Request) -> Response:
        code = join_request(await body_of(request))
        joined = table_of(request)
        if joined is not None:  # joining twice would let one device see two hands
            return JSONResponse(joined.me())
        agent = request.headers.get("user-agent", "")
        kind = next((kind for mark, kind in KINDS if mark in agent), "phone")
        source = request.client.host if request.client else ""
        token = await asyncio.to_thread(door.registry.admit, code, kind, source)
        table = door.at(token)
        response = JSONResponse(table.me() if table is not None else {})
        response.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="strict", path="/")
        return response

    async def me(request: Request) -> Response:
        table = known(request)
        if request.method != "GET":
            role, seat = role_request(await body_of(request))
            await asyncio.to_thread(table.choose, role, seat)
        return JSONResponse(table.me())

    async def leave(request: Request) -> Response:
        await asyncio.to_thread(known(request).leave)
        response = JSONResponse({})
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response

    async def events(request: Request) -> ASGIApp:
        return partial(streams.serve, known(request))

    files = PageFiles()
    streams.build = files.build
    app = Starlette(
        routes=[
            *(Route(path, start, middleware=COMPRESSED) for path in ("/", "/j/{code}", "/J/{code}")),
            *files.routes,
            ApiRoute("/api/join", join, methods=["POST"]),
            ApiRoute("/api/phone", me, methods=["GET", "POST"]),
            ApiRoute("/api/phone", leave, methods=["DELETE"]),
            *client_routes(known),
            ApiRoute("/api/events", events, methods=["GET"]),
        ],
        exception_handlers={
            **HANDLERS,
            NotAdmitted: refused_with(403),
            NotKnown: refused_with(401),
            NotKept: refused_with(409),
            SeatTaken: refused_with(409),
            TooManyGuesses: refused_with(429, {"Retry-After": "60"}),
        },
    )
    return Guard(app, is_ours)
