"""The event stream: sends each change to every open page, the latest state only; at rest it costs nothing."""

import asyncio
import base64
import json
import zlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Generic, TypeVar

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from cribpi.companion.web.client import Client
from cribpi.companion.web.json.page import strip_json

PING = 15.0  # seconds of silence before a client is told that its line still stands
MOST = 4  # streams of one phone: a browser has six lines to one address, and presses need one
MOST_OF_BOARD = 32  # of all browsers on this machine
ENDING = 4  # times as many, with those that were told to end and whose network has not noticed yet
TOO_MANY = "too many streams are open: close some tabs, then try again"
_RETRY = b"retry: 1000\n\n"  # milliseconds until a browser reconnects
_WINDOW = 16 + 14  # zlib's wbits for gzip, with a window of 16 kB
_MEMORY = 4  # zlib's memLevel: 74 kB a stream with that window, and hardly more to send than with 98


T = TypeVar("T")


class OneAtATime(Generic[T]):
    """The result of *make*, made in a thread, and once for everyone who waits for it.

    A caller gets a result that was begun after its call, and so shows whatever was pressed before.  However
    many call, one result is being made, and the next one is for all of them.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = asyncio.Lock()
        self._next: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Return the next result.  A caller that is cancelled does not cancel it for the others."""
        if self._next is None:
            self._next = asyncio.create_task(self._made())
        return await asyncio.shield(self._next)

    async def _made(self) -> T:
        async with self._lock:
            self._next = None  # too late for new callers: this picture may miss what they pressed
            return await asyncio.to_thread(self._make)


class _Client:
    """One open stream, and what has changed since its last event."""

    def __init__(self, kinds: Iterable[str]) -> None:
        self.stale = set(kinds)
        self.wake = asyncio.Event()
        self.wake.set()
        self.is_over = False
        """Whether it is to end, since too many came after it."""

    def end(self) -> None:
        self.is_over = True
        self.wake.set()


class _Body:
    """The body of one stream, in gzip's format for who takes that.

    Its window reaches back to the event before, which had most of it: of 12 kB some 400 bytes are sent.
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
    """The ASGI endpoint ``GET /api/events``, subscribed to the changes of what it tells while it has clients.

    A change only marks what is stale for each client; the data is read when a client is ready to receive it.
    So a slow client misses intermediate states, and takes no more memory than a fast one.  State and page are
    serialized once for all clients.

    Args:
        told: The table, as all clients of this stream may see it.
        glass: Reads the OLED's picture, for those who may see that.
        phone: Tells which phone it is, for a stream of its own, with fewer clients.
    """

    def __init__(
        self,
        told: Client,
        glass: Callable[[], bytes] | None = None,
        phone: Callable[[], dict[str, object]] | None = None,
    ) -> None:
        self._pictures = {"strip": OneAtATime(told.strip)} | ({"oled": OneAtATime(glass)} if glass else {})
        self._tells: dict[str, Callable[[], dict[str, object]]] = {
            "state": lambda: told.state(),  # noqa: PLW0108  looked up when it is asked
            "page": lambda: told.page(),  # noqa: PLW0108
        }
        if phone is not None:
            self._tells = {"phone": phone} | self._tells
        self.kinds = (*self._tells, *self._pictures)
        self.build = ""
        """What the page is made of; each stream begins with it, so that an older page notices."""
        self._told = told
        self._most = MOST_OF_BOARD if phone is None else MOST
        self._clients: dict[_Client, None] = {}
        """All that are open, the longest first."""
        self._serialized: dict[str, str] = {}
        """State and page as serialized since their last change; empty while there are no clients."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self._closing = False
        self._last = b""
        """What each stream ends with."""

    async def picture(self, kind: str) -> bytes:
        """Return what the LEDs show, the `strip`; or the OLED's picture, a PNG, if its clients may see it."""
        return await self._pictures[kind].get()

    def __len__(self) -> int:
        """Return the number of open streams."""
        return len(self._clients)

    def close(self) -> None:
        """End every stream.  Must be called in the loop."""
        self._closing = True
        for client in self._clients:
            client.wake.set()

    def tell(self, kind: str) -> None:
        """Note that *kind* has changed; `gone` ends the streams.  May be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._mark, kind)

    def _mark(self, kind: str) -> None:
        if kind == "gone":
            self._last = b"event: gone\ndata: {}\n\n"
            self.close()
        if kind not in self.kinds:
            return
        self._serialized.pop(kind, None)
        for client in self._clients:
            client.stale.add(kind)
            client.wake.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one client until it disconnects or the server stops."""
        if not self._makes_room():
            await JSONResponse({"error": TOO_MANY}, 429)(scope, receive, send)
            return
        client = _Client(self.kinds)
        gone = asyncio.create_task(_disconnected(receive))
        gone.add_done_callback(lambda _: client.wake.set())
        if not self._clients:
            self._loop = asyncio.get_running_loop()
            self._unsubscribe = self._told.subscribe(self.tell)
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
            if not self._clients:  # without clients no change is marked, so the cache would go stale
                self._unsubscribe()
                self._serialized.clear()
            gone.cancel()

    def _makes_room(self) -> bool:
        """End the oldest stream for one more, and tell whether it may begin.

        A phone whose line was lost without a word leaves a stream behind, which only its network gives up.
        """
        if len(self._clients) >= ENDING * self._most:
            return False
        live = [client for client in self._clients if not client.is_over]
        for client in live[: max(len(live) + 1 - self._most, 0)]:
            client.end()
        return True

    async def _news(self, client: _Client) -> bytes:
        """Wait for the next event for *client*; after a long silence say that the line stands."""
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
                return f"event: {kind}\ndata: {await self._data(kind)}\n\n".encode()
        return b""

    async def _data(self, kind: str) -> str:
        if kind in self._pictures:
            found = await self.picture(kind)
            return _strip_text(found) if kind == "strip" else base64.b64encode(found).decode()
        if kind not in self._serialized:
            self._serialized[kind] = json.dumps(self._tells[kind]())
        return self._serialized[kind]


@lru_cache(maxsize=1)
def _strip_text(colours: bytes) -> str:
    return json.dumps(strip_json(colours), separators=(",", ":"))


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
