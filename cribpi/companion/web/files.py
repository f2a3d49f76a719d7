"""The files of the page: each is read once, and all of them together have an identifier, the build."""

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
"""For answers that may be long: 1,400 bytes fit in one packet, and a press is answered with less."""

TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}

KEPT = "no-cache"
"""How a browser keeps a file: it asks each time whether an update has changed it."""

FOREVER: Final = "public, max-age=31536000, immutable"
"""The same for a file whose address contains the build: it is never asked for again."""

_WORTH_PACKING: Final = 400
"""Bytes of a file of the page from which on it is sent compressed: they come many at once."""

COMMENT: Final = re.compile(
    rb"""^[ \t]*//[^\n]* | (?<=[]);,{}([])[ ]//[ ][^\n"'`]*$ | [ \t]*/\*\*(?:(?!\*/).)*\*/""",
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
"""A comment on a line for itself or behind the code, and a type.  What looks like one in a text or a template
would go, too: a test holds that no script has any."""

_APART: Final = re.compile(rb" (=>|[=!]==|&&|\|\||\?\?) ")
"""An operator and the space around it, which no text of the page has in it."""

_INDENTATION: Final = re.compile(rb"^[ \t]+", re.MULTILINE)

SPARE: Final = re.compile(rb"/\*.*?\*/|(?<=[{};,:])\s+|;?\s+(?=[{}])|;(?=\})", re.DOTALL)
"""What a style sheet does without: its comments, and the space within and between its rules."""

_GZIP: Final = 16 + zlib.MAX_WBITS
"""zlib's `wbits` for gzip's format, with the largest window."""

_SCRIPT: Final = re.compile(r'<script(?: type="importmap")?>(.*?)</script>', re.DOTALL)

_routes: dict[str, list[Route]] = {}
"""What serves the files of a build, for the board's page and the phones' alike."""


class PageFiles:
    """The page's files as they are now: their `routes`, and their `build`.

    A page that is older than the program notices by the build, which differs as soon as a file does.
    """

    def __init__(self) -> None:
        contents = read_files()
        self.build = build_of(contents)
        if self.build not in _routes:
            _routes[self.build] = _routes_of(self.build, contents)
        self.routes = _routes[self.build]
        # Modules name each other without it: the page's import map leads from there to here.
        self._index = contents["page/index.html"].decode().replace("/build/", f"/{self.build}/")
        self._policy = policy_with(_SCRIPT.findall(self._index))

    def page_with(self, begun: Mapping[str, object]) -> Response:
        """Answer with the page and what it begins from, so that a slow line is not asked for that again."""
        text = json.dumps(begun).replace("<", r"\u003c")  # so that no name ends the element
        page = self._index.replace("null", text, 1)
        return Response(page, media_type=TYPES["html"], headers=self._policy)


def read_files() -> dict[str, bytes]:
    """Read the files of the page, by their paths beside this module."""
    root = Path(__file__).parent
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in sorted(root.joinpath("page").rglob("*"))
        if file.suffix.removeprefix(".") in TYPES
    }


def build_of(contents: Mapping[str, bytes]) -> str:
    told = hashlib.sha256()
    for name, content in contents.items():
        told.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return told.hexdigest()[:20]


def without_comments(script: bytes) -> bytes:
    r"""Return *script* without its comments and what is left of its lines; each line keeps its number.

    Of texts only markup may go over several lines: in that, such space says nothing.

    >>> without_comments(b"/** @type {X}\n */\nlet x; // why\n  // how\n  x = 1;")
    b'\n\nlet x;\n\nx = 1;'
    """
    left = COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), script)
    return _APART.sub(rb"\1", _INDENTATION.sub(b"", left))


def gzipped(content: bytes) -> bytes:
    """Return *content* in gzip's format, by the strategy of zlib that makes it smaller.

    A drawing is mostly numbers, and short matches cost more there than they save.
    """
    packers = (
        zlib.compressobj(9, zlib.DEFLATED, _GZIP, strategy=strategy)
        for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED)
    )
    return min((packer.compress(content) + packer.flush() for packer in packers), key=len)


def _routes_of(build: str, contents: Mapping[str, bytes]) -> list[Route]:
    """Serve the files, also below the address of any build: an older page still asks for its parts."""
    answers = {name: _static(name, content) for name, content in contents.items()}

    async def serve(request: Request) -> Response:
        answer = answers.get(f"page/{request.path_params['name']}")
        if answer is None:
            raise HTTPException(404)
        return await answer(request, FOREVER if request.path_params.get("build") == build else KEPT)

    return [Route("/page/{name:path}", serve), Route("/{build}/page/{name:path}", serve)]


def _static(name: str, content: bytes) -> Callable[[Request, str], Awaitable[Response]]:
    """Serve a file of the page with its ETag, or as 304 to clients that have it, to be kept as is asked.

    A script of ours is sent without its comments, which are a fifth of it, and a style sheet as
    a browser needs it.
    """
    if name.endswith(".js") and "/vendor/" not in name:
        content = without_comments(content)
    elif name.endswith(".css"):
        content = SPARE.sub(b"", content)
    kind = TYPES[name.rpartition(".")[2]]
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'

    @cache  # compressed for the first client that asks, and for all others
    def packed() -> bytes:
        return gzipped(content)

    async def answer(request: Request, kept: str) -> Response:
        headers = {"Cache-Control": kept, "ETag": tag, "Vary": "Accept-Encoding"}
        if tag in (
            known.strip().removeprefix("W/") for known in request.headers.get("if-none-match", "").split(",")
        ):
            return Response(status_code=304, headers=headers)
        if len(content) < _WORTH_PACKING or "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(content, media_type=kind, headers=headers)
        return Response(packed(), media_type=kind, headers=headers | {"Content-Encoding": "gzip"})

    return answer
