"""What the board's own page and the phones' have in common: how a request is read, answered, and refused."""

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

from cribpi.companion.web import body
from cribpi.companion.web.client import Client
from cribpi.companion.web.files import COMPRESSED
from cribpi.companion.web.history import NotNow, NotThere
from cribpi.companion.web.json.page import kit_json
from cribpi.companion.web.openapi import ApiRoute
from cribpi.companion.web.requests import BODY_LIMIT, BadRequest, asked, fault_request

_LOG = logging.getLogger(__name__)

_REFUSED = (409, 422)
MOST_FAULTS = 10
HOUR = 3600.0  # seconds, in which so many faults of pages are logged: one may fail over and over


async def body_of(request: Request) -> bytes:
    """Return the body of *request*, as long as that of a press may be.

    Raises:
        BadRequest: If it is longer, or the client has gone.
        HTTPException: 408 if it does not arrive in time.
    """
    try:
        return await body.body_of(request, BODY_LIMIT)
    except body.Incomplete as wrong:
        raise BadRequest(str(wrong)) from None


def ask_route(what: str, client_of: Callable[[Request], Client]) -> Route:
    """Return the route that has one of `ASKS` done, and answers as the table does."""

    async def answer(request: Request) -> Response:
        client = client_of(request)
        # Shielded: a client that disconnects must not cancel its press.
        future = client.do(*asked(what, await body_of(request)))
        found = await asyncio.shield(asyncio.wrap_future(future))
        status = 200 if found.is_accepted else 409
        return Response(found.text, status_for(request, status), media_type="application/json")

    return ApiRoute(
        f"/api/{what}", answer, methods=["POST"], middleware=COMPRESSED if what == "rules" else None
    )


def tell_route(what: str, tell: Callable[[Request], object], *, is_long: bool = False) -> Route:
    """Return the route that answers with what *tell* returns; what *is_long* is compressed."""

    async def answer(request: Request) -> Response:
        return JSONResponse(tell(request))

    return ApiRoute(f"/api/{what}", answer, middleware=COMPRESSED if is_long else None)


def client_routes(client_of: Callable[[Request], Client]) -> list[Route]:
    """Return the routes that the board's own page and a phone share."""
    return [
        tell_route("kit", lambda request: kit_json(client_of(request).kit), is_long=True),
        tell_route("state", lambda request: client_of(request).state()),
        tell_route("page", lambda request: client_of(request).page()),
        tell_route("log", lambda request: client_of(request).log(), is_long=True),
        ask_route("press", client_of),
        fault_route(client_of),
    ]


def fault_route(client_of: Callable[[Request], Client], clock: Callable[[], float] = time.monotonic) -> Route:
    """Return the route by which a page has what failed on it logged: of all pages a few in an hour."""
    logged: deque[float] = deque(maxlen=MOST_FAULTS)

    async def answer(request: Request) -> Response:
        client_of(request)  # a phone that nobody knows is refused
        fault = fault_request(await body_of(request))
        now = clock()
        is_logged = len(logged) < MOST_FAULTS or now - logged[0] >= HOUR
        if is_logged:
            logged.append(now)
            _LOG.error("the page failed: %s", fault)
        return JSONResponse({"logged": is_logged})

    return ApiRoute("/api/fault", answer, methods=["POST"])


def status_for(request: Request, status: int) -> int:
    """Return the *status* of an answer: of a refusal 200, where that is preferred.

    A browser writes every other one to its console as a fault, and to be refused is none.
    """
    return 200 if status in _REFUSED and request.headers.get("prefer") == "refused=200" else status


def refused_with(status: int, headers: Mapping[str, str] | None = None) -> ExceptionHandler:
    """Return what answers with *status* and the error's own sentence."""

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
    NotThere: refused_with(404),
    NotNow: refused_with(409),
    HTTPException: _http_error,
    Exception: _failure,
}
"""What is answered where a request is refused, or fails."""
