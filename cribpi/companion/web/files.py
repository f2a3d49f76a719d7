"""The files of the page: each is read once, and all of them together have an identifier, the build."""

import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

Page = Callable[[Request], Awaitable[Response]]

TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}


COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)[ \t]*$", re.MULTILINE | re.DOTALL)
"""A comment that has its lines for itself.  A line of a template that looks like one would go, too: a test
holds that no script has any."""


def read_files(folder: str) -> dict[str, bytes]:
    """Read the files of *folder* beside this module, by their paths in it."""
    root = Path(str(files("cribpi.companion.web").joinpath(folder)))
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in sorted(root.rglob("*"))
        if file.suffix.removeprefix(".") in TYPES
    }


def build_of(contents: Mapping[str, bytes]) -> str:
    """Return an identifier that differs as soon as a file of the page does."""
    told = hashlib.sha256()
    for name, content in contents.items():
        told.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return told.hexdigest()[:20]


def without_comments(script: bytes) -> bytes:
    r"""Return *script* without the comments that have lines for themselves; each line keeps its number.

    >>> without_comments(b"/** @type {X}\n */\nlet x; // why\n  // how\nx = 1;")
    b'\n\nlet x; // why\n\nx = 1;'
    """
    return COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), script)


def static_page(name: str, content: bytes) -> Page:
    """Serve a file of the page with its ETag, or as 304 to clients that have it.

    A script of ours is sent without its comments, which are a sixth of it.
    """
    if name.endswith(".js") and "/vendor/" not in name:
        content = without_comments(content)
    kind = TYPES[name.rpartition(".")[2]]
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"Cache-Control": "no-cache", "ETag": tag}

    async def answer(request: Request) -> Response:
        if tag in (
            known.strip().removeprefix("W/") for known in request.headers.get("if-none-match", "").split(",")
        ):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return answer
