"""Static files of the page. They are read once; a hash of all files, the build, identifies their version."""

import base64
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

from cribpi.companion.views.board.svg import WOOD
from cribpi.companion.views.game_picture import FONT
from cribpi.companion.web.guard import OF_A_PICTURE, policy_with

COMPRESSED: Final = [Middleware(GZipMiddleware, minimum_size=1400)]
"""Middleware for long responses. 1,400 bytes fit into one packet, and the response to a press is shorter."""

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
"""Cache-Control for a file that an update can change. The browser revalidates it each time."""

FOREVER: Final = "public, max-age=31536000, immutable"
"""Cache-Control for a file with the build in its URL. The browser never requests it again."""

_WORTH_PACKING: Final = 400
"""Minimum size in bytes for compressing a file.

It is lower than for JSON, because a page loads many files at once.
"""

COMMENT: Final = re.compile(
    rb"""^[ \t]*//[^\n]* | (?<=[]);,{}([])[ ]//[ ][^\n"'`]*$ | [ \t]*/\*\*(?:(?!\*/).)*\*/""",
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
"""Pattern of comments: alone on their line, after code, or JSDoc types.

It could also match in a string or template. A test checks that no script has such a string.
"""

_APART: Final = re.compile(rb" (=>|[=!]==|&&|\|\||\?\?) ")
"""An operator with spaces around it. No string of the page contains one."""

_INDENTATION: Final = re.compile(rb"^[ \t]+", re.MULTILINE)

SPARE: Final = re.compile(rb"/\*.*?\*/|(?<=[{};,:])\s+|;?\s+(?=[{}])|;(?=\})", re.DOTALL)
"""Dispensable parts of a style sheet: comments, whitespace within and between rules, and last semicolons."""

_GZIP: Final = 16 + zlib.MAX_WBITS
"""zlib's `wbits` for the gzip format with the largest window."""

_SCRIPT: Final = re.compile(r'<script(?: type="importmap")?>(.*?)</script>', re.DOTALL)

_routes: dict[str, list[Route]] = {}
"""Routes of each build's files. The local page and the phones share them."""


class PageFiles:
    """The files of the page: their `routes` and their `build`.

    The build changes with any file. An open page thereby detects that the program was updated.
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
        """Return the page with its initial data *begun* inline.

        This saves further requests on a slow network.
        """
        text = json.dumps(begun).replace("<", r"\u003c")  # a player's name must not close the script element
        page = self._index.replace("null", text, 1)
        return Response(page, media_type=TYPES["html"], headers=self._policy)


def read_files() -> dict[str, bytes]:
    """Return the contents of the page's files, by path relative to this module."""
    root = Path(__file__).parent
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in sorted(root.joinpath("page").rglob("*"))
        if file.suffix.removeprefix(".") in TYPES
    }


def whole(svg: str) -> Response:
    """Return *svg* with its wood and font inside, so that it needs no other request."""
    for path in (WOOD, FONT):
        content = Path(__file__).parent.joinpath(path.removeprefix("/")).read_bytes()
        kind = TYPES[path.rpartition(".")[2]]
        svg = svg.replace(f'"{path}"', f'"data:{kind};base64,{base64.b64encode(content).decode()}"')
    return Response(svg, media_type=TYPES["svg"], headers={"Content-Security-Policy": OF_A_PICTURE})


def build_of(contents: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in contents.items():
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return digest.hexdigest()[:20]


def without_comments(script: bytes) -> bytes:
    r"""Return *script* without comments, indentation and spaces around operators. Line numbers do not change.

    Indentation is also removed inside template strings. Those with several lines contain only markup, in
    which indentation does not matter.

    >>> without_comments(b"/** @type {X}\n */\nlet x; // why\n  // how\n  x = 1;")
    b'\n\nlet x;\n\nx = 1;'
    """
    code = COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), script)
    return _APART.sub(rb"\1", _INDENTATION.sub(b"", code))


def gzipped(content: bytes) -> bytes:
    """Compress *content*, with the zlib strategy that gives the smaller result.

    Drawings are mostly numbers, and short matches in them cost more than they save. Z_FILTERED avoids such
    matches.
    """
    packers = (
        zlib.compressobj(9, zlib.DEFLATED, _GZIP, strategy=strategy)
        for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED)
    )
    return min((packer.compress(content) + packer.flush() for packer in packers), key=len)


def _routes_of(build: str, contents: Mapping[str, bytes]) -> list[Route]:
    """Return the routes of the files, with and without *build* in the path.

    A path with another build is not found: files of two builds do not fit together. A page of another build
    is about to reload itself.
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
    """Return a handler that serves one file with an ETag and Cache-Control, or responds with 304.

    The page's own scripts are sent without comments, which are a fifth of their size. Style sheets are
    minified.
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
