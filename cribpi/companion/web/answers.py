"""What the board's own page and the phones' have in common: how a request is read, answered, and refused."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ExceptionHandler

from cribpi.companion.journal.journal import Answer
from cribpi.companion.web.requests import BODY_LIMIT, Asked, BadRequest

_REFUSED = (409, 422)
BODY_TIMEOUT = 10.0  # seconds for a request's body, of a few hundred bytes, to arrive


class NotThere(LookupError):
    """There is no such game, step or player; the message is the sentence for its sender."""


class NotNow(Exception):
    """It can't be given now; the message is the sentence for its sender."""


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


async def done(
    request: Request, read: Callable[[bytes], Asked], do: Callable[..., Future[Answer]]
) -> Response:
    """Have what *request* asks done, as *read* finds it in its body, and answer as the table does."""
    asked = read(await body_of(request))
    future = do(asked.ask, asked.id, asked.if_seq)
    # Shielded: a client that disconnects must not cancel its press.
    answer = await asyncio.shield(asyncio.wrap_future(future))
    status = 200 if answer.is_accepted else 409
    return Response(answer.text, status_for(request, status), media_type="application/json")


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
