"""The ASGI application of the local page: its files and the HTTP API."""

import asyncio

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from cribpi.companion.web import requests
from cribpi.companion.web.client import BoardClient
from cribpi.companion.web.files import COMPRESSED, PageFiles
from cribpi.companion.web.guard import Guard
from cribpi.companion.web.handlers import (
    HANDLERS,
    ask_route,
    body_of,
    client_routes,
    refused_with,
    tell_route,
)
from cribpi.companion.web.history import history_routes
from cribpi.companion.web.json.page import kit_json
from cribpi.companion.web.json.results import count_json
from cribpi.companion.web.json.rules import rules_of_start
from cribpi.companion.web.openapi import ApiRoute, openapi
from cribpi.companion.web.phones.registry import NotAdmitted
from cribpi.companion.web.stream import Stream
from cribpi.cribbage.rules.errors import RuleError


def page_app(companion: BoardClient, stream: Stream) -> Guard:
    """Return the ASGI application with the page and the HTTP API of *companion*."""

    async def phones(request: Request) -> Response:
        if request.method != "POST":
            return JSONResponse(companion.phones())
        command = requests.phones_request(await body_of(request))
        return JSONResponse(await asyncio.to_thread(companion.change_phones, command))

    async def count(request: Request) -> Response:
        hand, rules = requests.count_request(await body_of(request))
        return JSONResponse(count_json(hand.cards, hand.starter, rules, is_crib=hand.is_crib))

    async def chances(_: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(companion.chances))

    async def oled(_: Request) -> Response:
        return Response(await stream.picture("oled"), media_type="image/png")

    async def strip(_: Request) -> Response:
        colours = await stream.picture("strip")
        return JSONResponse([list(colours[start : start + 3]) for start in range(0, len(colours), 3)])

    async def start(_: Request) -> Response:
        begun = {
            "state": companion.state(),
            "page": companion.page(),
            "kit": kit_json(companion.kit),
            "rules": rules_of_start(companion.rules()),
            "build": files.build,
        }
        return files.page_with(begun)

    files = PageFiles()
    stream.build = files.build
    app = Starlette(
        routes=[
            Route("/", start, middleware=COMPRESSED),
            # The address that the device had before it became part of the page.
            Route("/device", RedirectResponse("/#device")),
            *files.routes,
            tell_route("openapi.json", lambda request: openapi(request.app.routes), is_long=True),
            *client_routes(lambda _: companion),
            tell_route("rules", lambda _: companion.rules(), is_long=True),
            tell_route("settings", lambda _: companion.settings()),
            *(ask_route(what, lambda _: companion) for what in requests.REQUEST_PARSERS if what != "press"),
            ApiRoute("/api/chances", chances),
            ApiRoute("/api/phones", phones, methods=["GET", "POST"], middleware=COMPRESSED),
            ApiRoute("/api/count", count, methods=["POST"]),
            *history_routes(companion.history),
            # Not an ApiRoute, because camera apps add a random parameter to avoid caches.
            Route("/api/oled.png", oled),
            ApiRoute("/api/strip", strip),
            ApiRoute("/api/events", stream, methods=["GET"]),
        ],
        exception_handlers={
            **HANDLERS,
            NotAdmitted: refused_with(409),
            RuleError: refused_with(409),
        },
    )
    return Guard(app)  # the outermost layer, so that even a 500 response has its headers
