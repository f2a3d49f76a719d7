"""The routes of the HTTP API: each parses a request, asks the companion, and answers with JSON."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cribpi.companion.web.answers import (
    COMPRESSED_FROM,
    HANDLERS,
    answered,
    body_of,
    kit_json,
    page_with_data,
    status_for,
)
from cribpi.companion.web.board import BoardClient
from cribpi.companion.web.files import build_of, read_files, static_page
from cribpi.companion.web.guard import Guard
from cribpi.companion.web.history import NotNow, history_routes
from cribpi.companion.web.json.count import count_json
from cribpi.companion.web.phones.registry import NotAdmitted
from cribpi.companion.web.requests import (
    Asked,
    count_request,
    game_request,
    names_request,
    peg_request,
    phones_request,
    power_request,
    press_request,
    rules_request,
    settings_request,
)
from cribpi.companion.web.stream import Stream
from cribpi.cribbage.rules.errors import RuleError


def page_app(companion: BoardClient, stream: Stream) -> ASGIApp:
    """Return the ASGI application that serves the page and the HTTP API of *companion*."""

    def told(tell: Callable[[], object]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(_: Request) -> Response:
            return JSONResponse(tell())

        return answer

    def does(read: Callable[[bytes], Asked]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            asked = read(await body_of(request))
            return await answered(request, companion.do(asked.ask, asked.id, asked.if_seq))

        return answer

    async def phones(request: Request) -> Response:
        if request.method != "POST":
            return JSONResponse(companion.phones())
        wish = phones_request(await body_of(request))
        try:
            found = await asyncio.to_thread(companion.change_phones, wish)
        except NotAdmitted as refused:
            return JSONResponse({"error": str(refused)}, status_for(request, 409))
        return JSONResponse(found)

    async def count(request: Request) -> Response:
        wanted = count_request(await body_of(request))
        try:
            found = count_json(wanted.cards, wanted.starter, wanted.rules, is_crib=wanted.is_crib)
        except RuleError as impossible:
            return JSONResponse({"error": str(impossible)}, status_for(request, 409))
        return JSONResponse(found)

    async def chances(request: Request) -> Response:
        try:
            return JSONResponse(await asyncio.to_thread(companion.chances))
        except NotNow as missing:
            return JSONResponse({"error": str(missing)}, status_for(request, 409))

    async def oled(_: Request) -> Response:
        return Response(await stream.glass(), media_type="image/png")

    async def strip(_: Request) -> Response:
        colours = await stream.strip()
        return JSONResponse([list(colours[at : at + 3]) for at in range(0, len(colours), 3)])

    async def start(_: Request) -> Response:
        """Serve the page with what it begins from, so that a slow line is not asked for it again."""
        begun = {
            "state": companion.state(),
            "page": companion.page(),
            "kit": kit_json(companion.kit),
            "rules": {what: told for what, told in companion.rules().items() if what != "options"},
            "build": stream.build,
        }
        return page_with_data(index, begun)

    contents = {f"page/{name}": content for name, content in read_files("page").items()}
    index = contents["page/index.html"].decode()
    stream.build = build_of(contents)
    compressed = [Middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM)]
    app = Starlette(
        routes=[
            Route("/", start, middleware=compressed),
            Route("/device", RedirectResponse("/#device")),  # where it was before the page had it
            *(
                Route(f"/{name}", static_page(name, one), middleware=compressed)
                for name, one in contents.items()
            ),
            Route("/api/kit", told(lambda: kit_json(companion.kit)), middleware=compressed),
            Route("/api/state", told(companion.state)),
            Route("/api/page", told(companion.page)),
            Route("/api/log", told(companion.log), middleware=compressed),
            Route("/api/chances", chances),
            Route("/api/press", does(press_request), methods=["POST"]),
            Route("/api/peg", does(peg_request), methods=["POST"]),
            Route("/api/names", does(names_request), methods=["POST"]),
            Route("/api/rules", told(companion.rules), middleware=compressed),
            Route("/api/rules", does(rules_request), methods=["POST"], middleware=compressed),
            Route("/api/game", does(game_request), methods=["POST"]),
            Route("/api/settings", told(companion.settings)),
            Route("/api/settings", does(settings_request), methods=["POST"]),
            Route("/api/power", does(power_request), methods=["POST"]),
            Route("/api/phones", phones, methods=["GET", "POST"], middleware=compressed),
            Route("/api/count", count, methods=["POST"]),
            *history_routes(companion.history),
            Route("/api/oled.png", oled),
            Route("/api/strip", strip),
            Route("/api/events", stream, methods=["GET"]),
        ],
        exception_handlers=HANDLERS,
    )
    return Guard(app)  # outermost, so that its headers are on every answer, even a 500
