"""The static files of the page, read once; a hash of them all, the build, identifies their version."""

import hashlib
import json
import re
import zlib
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cribpi.companion.web.guard import policy_with

COMPRESSED: Final = [Middleware(GZipMiddleware, minimum_size=1400)]
"""Middleware for long responses: 1,400 bytes fit in one packet, and a press's response is shorter."""

TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
    "png": "image/png",
    "webp": "image/webp",
    "webmanifest": "application/manifest+json",
}

REVALIDATE = "no-cache"
"""Cache-Control for a file that an update can change: the browser revalidates it each time."""

FOREVER: Final = "public, max-age=31536000, immutable"
"""Cache-Control for a file whose URL contains the build: the browser never requests it again."""

_WORTH_PACKING: Final = 400
"""Bytes from which a file is compressed; less than for JSON, since a page loads many files at once."""

COMMENT: Final = re.compile(
    rb"""^[ \t]*//[^\n]* | (?<=[]);,{}([])[ ]//[ ][^\n"'`]*$ | [ \t]*/\*\*(?:(?!\*/).)*\*/""",
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
"""A comment alone on its line or after code, or a JSDoc type.  It would also match in a string or template:
a test checks that no script has such a string."""

_APART: Final = re.compile(rb" (=>|[=!]==|&&|\|\||\?\?) ")
"""An operator with spaces around it; no string of the page contains one."""

_INDENTATION: Final = re.compile(rb"^[ \t]+", re.MULTILINE)

SPARE: Final = re.compile(rb"/\*.*?\*/|(?<=[{};,:])\s+|;?\s+(?=[{}])|;(?=\})", re.DOTALL)
"""Dispensable parts of a style sheet: comments, whitespace in and between rules, and last semicolons."""

_GZIP: Final = 16 + zlib.MAX_WBITS
"""zlib's `wbits` for gzip's format, with the largest window."""

_SCRIPT: Final = re.compile(r'<script(?: type="importmap")?>(.*?)</script>', re.DOTALL)

_routes: dict[str, list[Route]] = {}
"""The routes of each build's files; the local page and the phones share them."""


class PageFiles:
    """The current files of the page: their `routes` and their `build`.

    The build changes with any file, so that an open page can detect that the program was updated.
    """

    def __init__(self) -> None:
        contents = read_files()
        self.build = build_of(contents)
        if self.build not in _routes:
            _routes[self.build] = _routes_of(self.build, contents)
        self.routes = _routes[self.build]
        # Modules import each other without the build in the path; the import map adds it.
        self._index = contents["page/index.html"].decode().replace("/build/", f"/{self.build}/")
        self._policy = policy_with(_SCRIPT.findall(self._index))

    def page_with(self, begun: Mapping[str, object]) -> Response:
        """Return the page with its initial data *begun* inline, which saves a slow network more requests."""
        text = json.dumps(begun).replace("<", r"\u003c")  # a name must not close the script element
        page = self._index.replace("null", text, 1)
        return Response(page, media_type=TYPES["html"], headers=self._policy)


def read_files() -> dict[str, bytes]:
    """Return the contents of the page's files by path, relative to this module."""
    root = Path(__file__).parent
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in sorted(root.joinpath("page").rglob("*"))
        if file.suffix.removeprefix(".") in TYPES
    }


def build_of(contents: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in contents.items():
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return digest.hexdigest()[:20]


def without_comments(script: bytes) -> bytes:
    r"""Return *script* without comments, indentation and space around operators; line numbers stay.

    Indentation also goes inside template strings.  Those that span lines hold markup only, where it
    means nothing.

    >>> without_comments(b"/** @type {X}\n */\nlet x; // why\n  // how\n  x = 1;")
    b'\n\nlet x;\n\nx = 1;'
    """
    code = COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), script)
    return _APART.sub(rb"\1", _INDENTATION.sub(b"", code))


def gzipped(content: bytes) -> bytes:
    """Compress *content* with the zlib strategy that gives the smaller result.

    Drawings are mostly numbers, where short matches cost more than they save: Z_FILTERED avoids them.
    """
    packers = (
        zlib.compressobj(9, zlib.DEFLATED, _GZIP, strategy=strategy)
        for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED)
    )
    return min((packer.compress(content) + packer.flush() for packer in packers), key=len)


def _routes_of(build: str, contents: Mapping[str, bytes]) -> list[Route]:
    """Return the routes of the files, with and without this *build* in the path.

    The path of another build is not found: parts of two builds would not fit together, and a page of the
    other one is about to reload itself.
    """
    answers = {name: _static(name, content) for name, content in contents.items()}

    def route(base: str, cache_control: str) -> Route:
        async def serve(request: Request) -> Response:
            answer = answers.get(f"page/{request.path_params['name']}")
            if answer is None:
                raise HTTPException(404)
            return await answer(request, cache_control)

        return Route(base + "/page/{name:path}", serve)

    return [route("", REVALIDATE), route(f"/{build}", FOREVER)]


def _static(name: str, content: bytes) -> Callable[[Request, str], Awaitable[Response]]:
    """Return a handler that serves one file with an ETag, or 304, and the given Cache-Control.

    Our scripts are sent without comments, a fifth of their size, and style sheets minified.
    """
    if name.endswith(".js") and "/vendor/" not in name:
        content = without_comments(content)
    elif name.endswith(".css"):
        content = SPARE.sub(b"", content)
    kind = TYPES[name.rpartition(".")[2]]
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'

    @cache  # the first request compresses the file for all later ones
    def packed() -> bytes:
        return gzipped(content)

    async def answer(request: Request, cache_control: str) -> Response:
        headers = {"Cache-Control": cache_control, "ETag": tag, "Vary": "Accept-Encoding"}
        if tag in (
            known.strip().removeprefix("W/") for known in request.headers.get("if-none-match", "").split(",")
        ):
            return Response(status_code=304, headers=headers)
        if len(content) < _WORTH_PACKING or "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(content, media_type=kind, headers=headers)
        return Response(packed(), media_type=kind, headers=headers | {"Content-Encoding": "gzip"})

    return answer
