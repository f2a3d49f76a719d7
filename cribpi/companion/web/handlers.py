"""Routes and error responses that the local page and the phones share."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ExceptionHandler

from cribpi.companion.views.board.svg import board_svg
from cribpi.companion.web import body
from cribpi.companion.web.client import Client
from cribpi.companion.web.files import COMPRESSED
from cribpi.companion.web.history import NotFound, NotNow
from cribpi.companion.web.json.page import kit_json
from cribpi.companion.web.openapi import ApiRoute
from cribpi.companion.web.requests import BODY_LIMIT, BadRequest, board_request, fault_request, parse_request

_LOG = logging.getLogger(__name__)

_REFUSED = (409, 422)
MOST_FAULTS = 10
# Seconds in which at most MOST_FAULTS page errors are logged, because a page can fail repeatedly.
HOUR = 3600.0


async def body_of(request: Request) -> bytes:
    """Return the body of *request*, at most `BODY_LIMIT` bytes.

    Raises:
        BadRequest: If the body is longer, or the client has disconnected.
        HTTPException: 408 if the body does not arrive in time.
    """
    try:
        return await body.body_of(request, BODY_LIMIT)
    except body.Incomplete as wrong:
        raise BadRequest(str(wrong)) from None


def ask_route(what: str, client_of: Callable[[Request], Client]) -> Route:
    """Return the POST route of *what*, one of `REQUEST_PARSERS`. The response is the table's JSON."""

    async def answer(request: Request) -> Response:
        client = client_of(request)
        # Shielded, because a client that disconnects must not cancel its press.
        future = client.do(*parse_request(what, await body_of(request)))
        result = await asyncio.shield(asyncio.wrap_future(future))
        status = 200 if result.is_accepted else 409
        return Response(result.text, status_for(request, status), media_type="application/json")

    return ApiRoute(
        f"/api/{what}", answer, methods=["POST"], middleware=COMPRESSED if what == "rules" else None
    )


def tell_route(what: str, tell: Callable[[Request], object], *, is_long: bool = False) -> Route:
    """Return the GET route of *what*. The response is the JSON of *tell*, compressed if it *is_long*."""

    async def answer(request: Request) -> Response:
        return JSONResponse(tell(request))

    return ApiRoute(f"/api/{what}", answer, middleware=COMPRESSED if is_long else None)


def client_routes(client_of: Callable[[Request], Client]) -> list[Route]:
    """Return the routes that the local page and the phones share."""
    return [
        tell_route("kit", lambda request: kit_json(client_of(request).kit), is_long=True),
        board_route(client_of),
        tell_route("state", lambda request: client_of(request).state()),
        tell_route("page", lambda request: client_of(request).page()),
        tell_route("log", lambda request: client_of(request).log(), is_long=True),
        ask_route("press", client_of),
        fault_route(client_of),
    ]


def board_route(client_of: Callable[[Request], Client]) -> Route:
    """Return the route of the board's drawing."""

    async def answer(request: Request) -> Response:
        options = board_request(request.query_params)
        drawn = await asyncio.to_thread(board_svg, client_of(request).kit, **options._asdict())
        return Response(drawn, media_type="image/svg+xml")

    return ApiRoute("/api/board.svg", answer, middleware=COMPRESSED)


def fault_route(client_of: Callable[[Request], Client], clock: Callable[[], float] = time.monotonic) -> Route:
    """Return the route on which pages report their errors. At most `MOST_FAULTS` are logged per hour."""
    logged: deque[float] = deque(maxlen=MOST_FAULTS)

    async def answer(request: Request) -> Response:
        client_of(request)  # raises if the phone is unknown
        fault = fault_request(await body_of(request))
        now = clock()
        is_logged = len(logged) < MOST_FAULTS or now - logged[0] >= HOUR
        if is_logged:
            logged.append(now)
            _LOG.error("the page failed: %s", fault)
        return JSONResponse({"logged": is_logged})

    return ApiRoute("/api/fault", answer, methods=["POST"])


def status_for(request: Request, status: int) -> int:
    """Return *status*. If the client sent ``Prefer: refused=200``, a refusal is 200 instead.

    Browsers log every 4xx response to the console as an error, but a refused press is not an error.
    """
    return 200 if status in _REFUSED and request.headers.get("prefer") == "refused=200" else status


def refused_with(status: int, headers: Mapping[str, str] | None = None) -> ExceptionHandler:
    """Return a handler that responds with *status* and the error's message."""

    async def answer(request: Request, error: Exception) -> Response:
        return JSONResponse({"error": str(error)}, status_for(request, status), headers)

    return answer


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


HANDLERS: Mapping[object, ExceptionHandler] = {
    BadRequest: refused_with(422),
    NotFound: refused_with(404),
    NotNow: refused_with(409),
    HTTPException: _http_error,
    Exception: _failure,
}
"""Handlers of refused and failed requests, by exception."""
