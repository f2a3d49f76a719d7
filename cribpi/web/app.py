"""The routes of the HTTP API: each parses a request, asks the companion, and answers with JSON."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import asdict

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cribpi.core.errors import RuleError
from cribpi.entry.debounce import holds_of
from cribpi.kit import Kit
from cribpi.views.json.count import count_json
from cribpi.views.lights.frame import SIDE_COLOURS
from cribpi.web.companion import Answer, Companion
from cribpi.web.files import TYPES, build_of, read_files, static_page
from cribpi.web.guard import Guard
from cribpi.web.history import history_routes
from cribpi.web.requests import (
    BODY_LIMIT,
    BadRequest,
    count_request,
    names_request,
    peg_request,
    power_request,
    press_request,
    rules_request,
    settings_request,
)
from cribpi.web.stream import Stream

COMPRESSED_FROM = 1400  # bytes: less fits in one packet, and a press is answered with less
BODY_TIMEOUT = 10.0  # seconds for a request's body, of a few hundred bytes, to arrive


def kit_json(kit: Kit) -> dict[str, object]:
    """Describe *kit* for drawing: the board and its holes in millimetres, the keypad row by row."""
    return {
        "name": kit.name,
        "board": asdict(kit.board),
        "tracks": [
            {
                "sides": track.sides,
                "holes": list(map(asdict, track.holes)),
                "games": list(map(asdict, track.games)),
            }
            for track in kit.tracks
        ],
        "keys": kit.keypad.keys,
        "caps": dict(kit.keypad.caps),
        "sides": dict(kit.keypad.sides),
        "holds": {
            hold.button: {"key": hold.key, "seconds": hold.seconds} for hold in holds_of(kit.keypad.holds)
        },
        "leds": kit.strip.leds,
        "colours": SIDE_COLOURS,
    }


def page_app(companion: Companion, stream: Stream) -> ASGIApp:
    """Return the ASGI application that serves the page and the HTTP API of *companion*."""

    def told(tell: Callable[[], object]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(_: Request) -> Response:
            return JSONResponse(tell())

        return answer

    async def press(request: Request) -> Response:
        wanted = press_request(await _body(request))
        return await _answer(companion.press(wanted.what, wanted.id, wanted.if_seq))

    async def peg(request: Request) -> Response:
        wanted = peg_request(await _body(request))
        return await _answer(companion.peg(wanted.what, wanted.id, wanted.if_seq))

    async def names(request: Request) -> Response:
        wanted = names_request(await _body(request))
        return await _answer(companion.names(wanted.what, wanted.id))

    async def rules(request: Request) -> Response:
        if request.method != "POST":
            return JSONResponse(companion.rules())
        wanted = rules_request(await _body(request))
        return await _answer(companion.set_up(wanted.what, wanted.id))

    async def game(request: Request) -> Response:
        wanted = rules_request(await _body(request))
        return await _answer(companion.start(wanted.what, wanted.id))

    async def settings(request: Request) -> Response:
        if request.method != "POST":
            return JSONResponse(companion.settings())
        wanted = settings_request(await _body(request))
        return await _answer(companion.change_settings(wanted.what, wanted.id))

    async def power(request: Request) -> Response:
        wanted = power_request(await _body(request))
        return await _answer(companion.power(wanted.what, wanted.id))

    async def count(request: Request) -> Response:
        wanted = count_request(await _body(request))
        try:
            found = count_json(wanted.cards, wanted.starter, wanted.rules, is_crib=wanted.is_crib)
        except RuleError as impossible:
            return JSONResponse({"error": str(impossible)}, 409)
        return JSONResponse(found)

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
        text = json.dumps(begun).replace("<", r"\u003c")  # so that no name ends the element
        return Response(index.replace("null", text, 1), media_type=TYPES["html"])

    contents = {
        f"{at}/{name}": content for at in ("page", "static") for name, content in read_files(at).items()
    }
    index = contents["page/index.html"].decode()
    stream.build = build_of(contents)
    compressed = [Middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM)]
    app = Starlette(
        routes=[
            Route("/", start, middleware=compressed),
            Route(
                "/device",
                static_page("index.html", contents["static/index.html"]),
                middleware=compressed,
            ),
            *(
                Route(f"/{name}", static_page(name, one), middleware=compressed)
                for name, one in contents.items()
            ),
            Route("/api/kit", told(lambda: kit_json(companion.kit)), middleware=compressed),
            Route("/api/state", told(companion.state)),
            Route("/api/page", told(companion.page)),
            Route("/api/log", told(companion.log), middleware=compressed),
            Route("/api/press", press, methods=["POST"]),
            Route("/api/peg", peg, methods=["POST"]),
            Route("/api/names", names, methods=["POST"]),
            Route("/api/rules", rules, methods=["GET", "POST"], middleware=compressed),
            Route("/api/game", game, methods=["POST"]),
            Route("/api/settings", settings, methods=["GET", "POST"]),
            Route("/api/power", power, methods=["POST"]),
            Route("/api/count", count, methods=["POST"]),
            *history_routes(companion.history),
            Route("/api/oled.png", oled),
            Route("/api/strip", strip),
            Route("/api/events", stream, methods=["GET"]),
        ],
        exception_handlers={BadRequest: _bad_request, HTTPException: _http_error, Exception: _failure},
    )
    return Guard(app)  # outermost, so that its headers are on every answer, even a 500


async def _body(request: Request) -> bytes:
    body = b""
    try:
        async with asyncio.timeout(BODY_TIMEOUT):
            async for part in request.stream():
                body += part
                if len(body) > BODY_LIMIT:
                    raise BadRequest(f"the body has more than {BODY_LIMIT} bytes; a press needs under 100")
    except TimeoutError:
        sentence = "the rest of the request did not arrive in time; send it again"
        raise HTTPException(408, sentence, {"Connection": "close"}) from None
    except ClientDisconnect:
        raise BadRequest("the connection closed before the whole request arrived; send it again") from None
    return body


async def _answer(future: Future[Answer]) -> Response:
    """Wait for the table's answer, shielded: a client that disconnects must not cancel its press."""
    answer = await asyncio.shield(asyncio.wrap_future(future))
    return Response(answer.body, answer.status, media_type="application/json")


async def _bad_request(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 422)


async def _http_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise TypeError(f"{error!r} is not an HTTP error")
    path = request.url.path[:80]
    sentence = {
        404: f"nothing at {path}; the page is at /",
        405: f"{request.method} is not for {path}",
    }.get(error.status_code, error.detail)
    return JSONResponse({"error": sentence}, error.status_code, headers=error.headers)


async def _failure(_: Request, error: Exception) -> Response:
    return JSONResponse(
        {"error": f"the press was not answered: {type(error).__name__}; look at /api/state"}, 500
    )
