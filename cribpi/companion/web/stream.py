"""The event stream: sends changes to every open page. Outdated intermediate states are skipped."""

import asyncio
import base64
import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, Generic, TypeVar

from starlette.datastructures import Headers, QueryParams
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from cribpi.companion.web.changes import Changes
from cribpi.companion.web.client import Client
from cribpi.companion.web.json.page import strip_json

PING = 15.0  # seconds without an event after which a keep-alive is sent
MOST = 4  # maximum number of streams per phone: browsers open six connections to a host, and presses need one
MOST_OF_BOARD = 32  # maximum number of streams of all browsers on this machine
ENDING = 4
"""Multiple of the maximum number of streams at which new ones are refused.

Ended streams count as long as their broken connections remain open.
"""
TOO_MANY = "too many streams are open: close some tabs, then try again"
_RETRY = b"retry: 1000\n\n"  # milliseconds until a browser reconnects
_PATCHED: Final = {"state", "page"}
"""Kinds of event of which a brief stream sends only changed fields."""
_WINDOW = 16 + 14  # zlib's wbits: gzip format with a window of 16 kB
_MEMORY = 4  # zlib's memLevel: a stream uses 74 kB instead of 98, and sends hardly more

T = TypeVar("T")


class OneAtATime(Generic[T]):
    """Combines concurrent calls of *make*. It runs in a thread, one call at a time.

    A caller gets the result of a run that began after the call, so the result includes every earlier press.
    All callers that wait for the next run share its result.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = asyncio.Lock()
        self._next: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Return the next result. Cancelling one caller does not affect the others."""
        if self._next is None:
            self._next = asyncio.create_task(self._run())
        return await asyncio.shield(self._next)

    async def _run(self) -> T:
        async with self._lock:
            self._next = None  # later callers need another run, because this one may miss their presses
            return await asyncio.to_thread(self._make)


class _OpenStream:
    """An open stream, and the kinds of event that have changed since the stream last sent them."""

    def __init__(self, kinds: Iterable[str], *, is_brief: bool) -> None:
        self.stale = set(kinds)
        self.changes = Changes() if is_brief else None
        """The changes of state and page, if the client wants no more."""
        self.wake = asyncio.Event()
        self.wake.set()
        self.is_over = False
        """Whether this stream must end to make room for newer ones."""

    def end(self) -> None:
        self.is_over = True
        self.wake.set()


class _Body:
    """The body of a stream, gzipped if the client supports it.

    The compression window includes the previous event, so an event of 12 kB compresses to some 400 bytes.
    """

    def __init__(self, scope: Scope, send: Send) -> None:
        self._send = send
        takes_gzip = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        self._gzip = zlib.compressobj(wbits=_WINDOW, memLevel=_MEMORY) if takes_gzip else None

    async def begin(self) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"vary", b"Accept-Encoding")]
        if self._gzip is not None:
            headers.append((b"content-encoding", b"gzip"))
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})

    async def add(self, events: bytes, *, is_end: bool = False) -> None:
        if self._gzip is not None:
            events = self._gzip.compress(events) + self._gzip.flush(
                zlib.Z_FINISH if is_end else zlib.Z_SYNC_FLUSH
            )
        await self._send({"type": "http.response.body", "body": events, "more_body": not is_end})


class Stream:
    """The ASGI endpoint ``GET /api/events``. It is subscribed to *source* while it has clients.

    A change only marks its kind as stale for each client. The data is read when the client is ready for it,
    so a slow client skips intermediate states, and takes no more memory than a fast one. State and page are
    serialized once for all clients.

    Args:
        source: The client interface that provides the data for all streams.
        glass: Returns the screen's picture as a PNG; None if the clients must not see it.
        phone: Returns a phone's number and role; None for the local page, which may have more streams.
    """

    def __init__(
        self,
        source: Client,
        glass: Callable[[], bytes] | None = None,
        phone: Callable[[], Mapping[str, object]] | None = None,
    ) -> None:
        self._pictures = {"strip": OneAtATime(source.strip)} | ({"oled": OneAtATime(glass)} if glass else {})
        self._documents: dict[str, Callable[[], Mapping[str, object]]] = {
            # Looked up late, because the method may be replaced.
            "state": lambda: source.state(),  # noqa: PLW0108
            # Looked up late, because the method may be replaced.
            "page": lambda: source.page(),  # noqa: PLW0108
        }
        if phone is not None:
            self._documents = {"phone": phone} | self._documents
        self.kinds = (*self._documents, *self._pictures)
        self.build = ""
        """Build of the page's files. Each stream sends it first, so that an open page detects an update."""
        self._source = source
        self._most = MOST_OF_BOARD if phone is None else MOST
        self._clients: dict[_OpenStream, None] = {}
        """Open streams, oldest first."""
        self._made: dict[str, Mapping[str, object]] = {}
        """Cache of the current documents. It is filled only while there are clients."""
        self._serialized: dict[str, str] = {}
        """Cache of the current documents as JSON."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self._closing = False
        self._last = b""
        """Last event to send on each stream before it ends."""

    async def picture(self, kind: str) -> bytes:
        """Return a picture: `strip` is the colours of the LEDs, and `oled` the screen as a PNG.

        Raises:
            KeyError: If the clients of this stream must not see the picture.
        """
        return await self._pictures[kind].get()

    def __len__(self) -> int:
        return len(self._clients)

    def close(self) -> None:
        """End all streams. Must be called on the event loop."""
        self._closing = True
        for client in self._clients:
            client.wake.set()

    def tell(self, kind: str) -> None:
        """Mark *kind* as stale for all clients. The kind `gone` ends the streams. Thread-safe."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._mark, kind)

    def _mark(self, kind: str) -> None:
        if kind == "gone":
            self._last = b"event: gone\ndata: {}\n\n"
            self.close()
        if kind not in self.kinds:
            return
        self._made.pop(kind, None)
        self._serialized.pop(kind, None)
        for client in self._clients:
            client.stale.add(kind)
            client.wake.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a client until it disconnects or the server stops."""
        if not self._makes_room():
            await JSONResponse({"error": TOO_MANY}, 429)(scope, receive, send)
            return
        is_brief = QueryParams(scope["query_string"]).get("changes") == "true"
        client = _OpenStream(self.kinds, is_brief=is_brief)
        gone = asyncio.create_task(_disconnected(receive))
        gone.add_done_callback(lambda _: client.wake.set())
        if not self._clients:
            self._loop = asyncio.get_running_loop()
            self._unsubscribe = self._source.subscribe(self.tell)
        self._clients[client] = None
        try:
            body = _Body(scope, send)
            await body.begin()
            await body.add(_RETRY + f"event: build\ndata: {self.build}\n\n".encode())
            while not (self._closing or client.is_over or gone.done() or scope["method"] == "HEAD"):
                await body.add(await self._news(client))
            await body.add(self._last, is_end=True)
        finally:
            del self._clients[client]
            if not self._clients:  # without a subscription, the caches would become stale
                self._unsubscribe()
                self._made.clear()
                self._serialized.clear()
            gone.cancel()

    def _makes_room(self) -> bool:
        """End the oldest streams if necessary to make room for a new one. Return whether there is room.

        A phone that lost its network leaves a stream open until the TCP connection times out.
        """
        if len(self._clients) >= ENDING * self._most:
            return False
        live = [client for client in self._clients if not client.is_over]
        for client in live[: max(len(live) + 1 - self._most, 0)]:
            client.end()
        return True

    async def _news(self, client: _OpenStream) -> bytes:
        """Wait for the next event for *client*. After `PING` seconds without one, return a keep-alive."""
        if not client.stale:
            try:
                async with asyncio.timeout(PING):
                    await client.wake.wait()
            except TimeoutError:
                return b"event: still\ndata: {}\n\n"
        client.wake.clear()
        for kind in self.kinds:
            if kind in client.stale:
                client.stale.discard(kind)
                return f"event: {kind}\ndata: {await self._data(kind, client)}\n\n".encode()
        return b""

    async def _data(self, kind: str, client: _OpenStream) -> str:
        if kind in self._pictures:
            picture = await self.picture(kind)
            return _strip_text(picture) if kind == "strip" else base64.b64encode(picture).decode()
        if kind == "phone" and client.changes is not None:
            client.changes = Changes()  # in another role, the phone begins anew
        if kind not in self._made:
            self._made[kind] = self._documents[kind]()
        document = self._made[kind]
        if client.changes is not None and kind in _PATCHED:
            return json.dumps(client.changes.of(kind, document), separators=(",", ":"))
        if kind not in self._serialized:
            self._serialized[kind] = json.dumps(document)
        return self._serialized[kind]


@lru_cache(maxsize=1)
def _strip_text(colours: bytes) -> str:
    return json.dumps(strip_json(colours), separators=(",", ":"))


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
