"""What the board's own page and the phones' have in common: how a request is read, and answered."""

import asyncio
import json
import re
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import asdict

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ExceptionHandler

from cribpi.companion.entry.debounce import holds_of
from cribpi.companion.journal.journal import Answer
from cribpi.companion.kit import Kit
from cribpi.companion.views.lights.frame import SIDE_COLOURS
from cribpi.companion.web.files import TYPES
from cribpi.companion.web.guard import policy_with
from cribpi.companion.web.requests import BODY_LIMIT, BadRequest

COMPRESSED_FROM = 1400  # bytes: less fits in one packet, and a press is answered with less
_REFUSED = (409, 422)
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
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


def page_with_data(index: str, begun: Mapping[str, object]) -> Response:
    """Answer with the page and what it begins from, so that a slow line is not asked for that again."""
    text = json.dumps(begun).replace("<", r"\u003c")  # so that no name ends the element
    headers = policy_with(_SCRIPT.findall(index))
    return Response(index.replace("null", text, 1), media_type=TYPES["html"], headers=headers)


async def body_of(request: Request) -> bytes:
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


async def answered(request: Request, future: Future[Answer]) -> Response:
    """Wait for the table's answer, shielded: a client that disconnects must not cancel its press."""
    answer = await asyncio.shield(asyncio.wrap_future(future))
    status = 200 if answer.is_accepted else 409
    return Response(answer.text, status_for(request, status), media_type="application/json")


async def _bad_request(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, status_for(request, 422))


def status_for(request: Request, status: int) -> int:
    """Return the *status* of an answer: of a refusal 200, where that is preferred.

    A browser writes every other one to its console as a fault, and to be refused is none.
    """
    return 200 if status in _REFUSED and request.headers.get("prefer") == "refused=200" else status


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
    BadRequest: _bad_request,
    HTTPException: _http_error,
    Exception: _failure,
}
"""What is answered where a request is refused, or fails."""
