"""Request bodies. Their size and the time for their arrival are limited."""

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

TIMEOUT = 10.0  # seconds for a body to arrive


class Incomplete(Exception):
    """A body is too long, or its connection has closed."""


async def body_of(request: Request, longest: int) -> bytes:
    """Return the body of *request*, at most *longest* bytes.

    Raises:
        Incomplete: If the body is longer, or the client has disconnected.
        HTTPException: 408 if the body has not arrived after `TIMEOUT`.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(TIMEOUT):
            async for part in request.stream():
                body += part
                if len(body) > longest:
                    raise Incomplete(f"the body has more than {longest} bytes: send less")
    except TimeoutError:
        sentence = "the rest of the request did not arrive in time; send it again"
        raise HTTPException(408, sentence, {"Connection": "close"}) from None
    except ClientDisconnect:
        raise Incomplete("the connection closed before the whole request arrived; send it again") from None
    return bytes(body)
