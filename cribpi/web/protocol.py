"""One connection to the page's server: uvicorn's HTTP/1.1, and what it says by itself in the page's own way."""

import json
from http import HTTPStatus

from uvicorn.protocols.http.h11_impl import H11Protocol

from cribpi.web.guard import HEADERS


class PageProtocol(H11Protocol):
    """HTTP/1.1, whose every answer is JSON with a sentence and the safety headers."""

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  uvicorn's words, which say less
        """Refuse what no application can be asked about, and hang up."""
        self._refuse(HTTPStatus.BAD_REQUEST, "this is not an HTTP request: open the page in a browser")

    def _refuse(self, status: HTTPStatus, sentence: str) -> None:
        """Answer with *sentence* in the place of the application, and hang up."""
        body = json.dumps({"error": sentence})
        headers = {
            **HEADERS,
            "Content-Type": "application/json",
            "Content-Length": len(body),
            "Connection": "close",
        }
        lines = [
            f"HTTP/1.1 {status} {status.phrase}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        self.transport.write("\r\n".join([*lines, "", body]).encode())
        self.transport.close()
