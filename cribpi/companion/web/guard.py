"""Host and Origin checks. Foreign requests are refused before they reach a handler."""

import base64
import hashlib
import re
from collections.abc import Callable, Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HOST = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?", re.ASCII)

# No response may be framed, which prevents clickjacking. Code injected into the page can neither submit a
# form elsewhere (the page's own forms use the script) nor redirect links with <base>.
_POLICY = (
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; form-action 'none'; base-uri 'none'"
)
OF_A_PICTURE = (
    "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'"
)
"""The policy of an SVG that has its font and its pictures inside; no script of it would run."""
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Frame-Options": "DENY",  # for browsers that don't support frame-ancestors
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def policy_with(scripts: Iterable[str]) -> dict[str, str]:
    """Return the header that lets a browser run the page's own files and these inline *scripts*."""
    hashes = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    return {"Content-Security-Policy": f"{_POLICY}; script-src 'self' {allowed}"}


def is_loopback(host: str) -> bool:
    """Return whether *host* is a loopback name or address. It may have a port.

    >>> is_loopback("localhost:8121"), is_loopback("cribbage.example")
    (True, False)
    """
    return _HOST.fullmatch(host.lower()) is not None


def refusal(
    hosts: list[str], origins: list[str], is_ours: Callable[[str], bool] = is_loopback
) -> tuple[int, str] | None:
    """Return the status and error message for a request with these headers, or None to accept it.

    *is_ours* returns whether a host is a name of this machine.

    A foreign page can make a browser send requests here. If it uses its own name (DNS rebinding), Host shows
    that name. If it uses this machine's address, Origin shows the page. An Origin without a port may be
    https, because a TLS proxy passes on both headers unchanged.

    >>> refusal(["localhost:8121"], ["http://localhost:8121"])
    >>> refusal(["cribpi.local"], ["https://cribpi.local"], "cribpi.local".__eq__)
    >>> refusal(["cribbage.example"], [])[0], refusal(["127.0.0.1:8121"], ["http://cribbage.example"])[0]
    (421, 403)
    """
    if len(hosts) != 1 or not is_ours(hosts[0]):
        asked = (", ".join(hosts) or "nothing")[:80]
        names = "127.0.0.1, localhost and [::1]" if is_ours is is_loopback else "its own addresses"
        return 421, f"this page opens only at {names}, not at {asked}"
    host = hosts[0].lower()
    ours = {f"http://{host}"} if ":" in host else {f"http://{host}", f"https://{host}"}
    foreign = [origin for origin in origins if origin.lower() not in ours]
    if foreign:
        return 403, f"a page from {foreign[0][:80]} can't use this one; open http://{hosts[0]}/ directly"
    return None


class Guard:
    """ASGI middleware that refuses foreign requests, and adds security headers to every response."""

    def __init__(self, app: ASGIApp, is_ours: Callable[[str], bool] = is_loopback) -> None:
        self._app = app
        self._is_ours = is_ours

    def before(self, app: ASGIApp) -> "Guard":
        """Return a guard with the same hosts for another *app*."""
        return Guard(app, self._is_ours)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in (HEADERS | {"Cache-Control": "no-store"}).items():
                    headers.setdefault(name, value)
            await send(message)

        asked = Headers(scope=scope)
        refused = refusal(asked.getlist("host"), asked.getlist("origin"), self._is_ours)
        if refused is None:
            await self._app(scope, receive, safely)
        else:
            status, sentence = refused
            await JSONResponse({"error": sentence}, status)(scope, receive, safely)
