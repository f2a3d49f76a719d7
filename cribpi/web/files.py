"""The files of the page: each is read once, and all of them together have an identifier, the build."""

import hashlib
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


def read_files(folder: str) -> dict[str, bytes]:
    """Read the files of *folder* beside this module, by their paths in it."""
    root = Path(str(files("cribpi.web").joinpath(folder)))
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


def static_page(name: str, content: bytes) -> Page:
    """Serve a file of the page with its ETag, or as 304 to clients that have it."""
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
