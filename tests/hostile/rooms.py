"""The real program with strangers at its door, whom it serves meanwhile, and what that costs it."""

from __future__ import annotations

import resource
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from bench.figures import WITH_TESTS
from bench.with_phones import HOME
from support.clients import client_of
from support.desks import desk
from support.patience import PATIENCE, until
from support.server import companion

HEAD = (
    b"POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    b"Content-Length: %d\r\n\r\n"
)
FILES = 1024
"""What a program may open on Debian, unless it asks for more."""
LEFT = 400
"""Files that the table, or the desk, must still be able to open."""
MEMORY = 20_000_000
"""Bytes by which a program may grow at most, at any moment of an attack."""
LOG = 10_000
"""Bytes that it may log of one, however long that takes: a tenth of what it may in a minute."""

# A connection each: one that waits for a request gives way to others, and a browser then asks again.
EACH = httpx.Limits(max_keepalive_connections=0)
Paths = tuple[bytes, ...]


class Program:
    """A process that logs into a file, and what it has cost since *begin*."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self._process = process
        self._log = log
        self._logged = self._resident = 0
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (FILES, FILES))

    @property
    def _folder(self) -> Path:
        return Path(f"/proc/{self._process.pid}")

    def begin(self) -> None:
        """Forget what it has cost until now."""
        (self._folder / "clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
        self._resident, self._logged = self._bytes("VmRSS"), self._log.stat().st_size

    def _bytes(self, what: str) -> int:
        status = (self._folder / "status").read_text(encoding="ascii", errors="replace")
        return int(status.split(f"{what}:")[1].split()[0]) * 1024

    @property
    def files(self) -> int:
        """How many files and connections it has open."""
        return len([*(self._folder / "fd").iterdir()])

    @property
    def logged(self) -> int:
        """How many bytes it has logged."""
        return self._log.stat().st_size - self._logged

    @contextmanager
    def no_more_files(self) -> Iterator[None]:
        """Let it open no more files for now."""
        resource.prlimit(self._process.pid, resource.RLIMIT_NOFILE, (3, FILES))
        try:
            yield
        finally:
            resource.prlimit(self._process.pid, resource.RLIMIT_NOFILE, (FILES, FILES))

    def check(self) -> None:
        memory = self._bytes("VmHWM") - self._resident
        print(f"memory {memory / 1e6:.1f} MB, log {self.logged} bytes, {self.files} files")
        assert memory < MEMORY
        assert self.logged < LOG, self._log.read_text(encoding="utf-8", errors="replace")[-2000:]
        assert self.files < FILES - LEFT


@dataclass(frozen=True, slots=True)
class Secret:
    """What lets somebody in: sent to *path* as *field*; *right* gives what is right."""

    path: str
    field: str
    right: Callable[[], str]
    is_json: bool = False

    def sent(self, client: httpx.Client, guess: str) -> int:
        """Return the status with which *guess* is answered."""
        form = {self.field: guess}
        answer = client.post(self.path, json=form) if self.is_json else client.post(self.path, data=form)
        return answer.status_code


@dataclass(frozen=True, slots=True)
class Room:
    """What *program* serves to strangers at *url*, and the clients who ask for their paths meanwhile."""

    program: Program
    url: str
    people: Sequence[tuple[httpx.Client, str]]
    forms: Paths
    """Where what a stranger sends is waited for."""
    posts: Paths
    """Where anything can be sent."""
    longest: bytes
    """Where the longest answer for a stranger is."""
    secret: Secret | None = None

    def __post_init__(self) -> None:
        for _ in range(2):
            self.serve()
        self.program.begin()

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    def line(self, buffer: int = 0) -> socket.socket:
        """Connect as a stranger does, perhaps with a *buffer* of so many bytes for what comes."""
        line = socket.socket()
        if buffer:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        line.settimeout(PATIENCE)
        line.connect((self.host, urlsplit(self.url).port))
        return line

    @contextmanager
    def lines(self, number: int, sent: bytes = b"", buffer: int = 0) -> Iterator[list[socket.socket]]:
        """Connect *number* times, or as often as this process may, and send the same each time."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = min(hard, number + 200)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
        try:
            with ExitStack() as kept:
                found = []
                for _ in range(min(number, wanted - 100)):
                    found.append(kept.enter_context(self.line(buffer)))
                    with suppress(ConnectionError):  # it made room for others
                        found[-1].sendall(sent)
                yield found
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def get(self, path: bytes) -> bytes:
        return b"GET %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (path, self.host.encode())

    def head(self, path: bytes, length: int) -> bytes:
        return HEAD % (path, self.host.encode(), length)

    def serve(self) -> None:
        for client, path in self.people:
            answer = client.get(path)
            assert answer.status_code == 200, (answer.status_code, answer.text[:500])

    def withstands(self) -> None:
        """Check that those who belong here are served, and that it has not cost too much."""
        self.serve()
        self.program.check()

    def lets_go(self) -> None:
        """Check that none of the strangers can keep a place."""
        until(lambda: self.program.files < 100)
        self.program.check()


@contextmanager
def table(folder: Path, settings: str = "") -> Iterator[tuple[Room, Room]]:
    """Run a companion with *settings*; give its page, and its phones at home."""
    (folder / "cribpi").mkdir()
    (folder / "cribpi" / "config.toml").write_text(f"[page]\nlan = true\n{settings}", encoding="utf-8")
    log = folder / "log"
    with ExitStack() as running, log.open("wb") as stderr:
        process, url = running.enter_context(
            companion(
                folder / "state",
                *("--entry", "dealt", "--levels", "person"),
                python=("-m", "bench.with_phones"),
                env=WITH_TESTS | {"XDG_CONFIG_HOME": str(folder)},
                stderr=stderr,
            )
        )
        program = Program(process, log)
        board = running.enter_context(client_of(url, limits=EACH))
        until(lambda: board.get("/api/phones").json()["address"])
        home = url.replace("127.0.0.1", HOME)
        phone = running.enter_context(closing(joined(board, home)))
        people = ((board, "/api/state"), (phone, "/api/state"))
        posts, longest = (b"/api/press", b"/api/log"), b"/page/table.css"
        code = Secret("/api/join", "code", lambda: str(board.get("/api/phones").json()["code"]), is_json=True)
        yield (
            Room(program, url, people, (b"/api/press", b"/api/game"), posts, longest),
            Room(program, home, people, (b"/api/join",), (b"/api/join", *posts), longest, code),
        )


def joined(board: httpx.Client, home: str) -> httpx.Client:
    """Return a phone that has joined by the code on the board, and is its keypad."""
    phone = client_of(home, limits=EACH)
    assert phone.post("/api/join", json={"code": board.get("/api/phones").json()["code"]}).status_code == 200
    assert phone.post("/api/phone", json={"role": "keypad"}).status_code == 200
    return phone


@contextmanager
def page(folder: Path) -> Iterator[Room]:
    with table(folder) as (found, _):
        yield found


@contextmanager
def phones(folder: Path) -> Iterator[Room]:
    with table(folder) as (_, found):
        yield found


STRANGERS = (b"/login", b"/enter", b"/desk/book-read", b"/logout")
"""Where a form can be sent to the desk without a password."""


@contextmanager
def club(folder: Path, *broker: str) -> Iterator[Room]:
    """Run the desk of a night with 24 players, whose director has signed in; perhaps with a *broker*."""
    for needed in ("sqlalchemy", "jinja2", "networkx", "paho"):
        pytest.importorskip(needed, reason="the extra club is not installed")
    from pictures.club import night_at  # noqa: PLC0415  with the extra alone

    from cribpi.club.log import Log  # noqa: PLC0415

    kept, log = folder / "cribpi" / "club", folder / "log"
    kept.mkdir(parents=True)
    with closing(Log(f"sqlite:///{kept / 'club.db'}")) as night:
        night_at(night, name="tuesday")
    with (
        log.open("wb") as stderr,
        desk(folder, "tuesday", *(broker or ["--no-broker"]), stderr=stderr) as (process, url, password),
        client_of(url, headers={"origin": url}, limits=EACH) as director,
        client_of(url, limits=EACH) as phone,
    ):
        program = Program(process, log)
        assert director.post("/login", data={"password": password}).status_code == 303
        people = ((director, "/desk"), (phone, "/enter"))
        word = Secret("/login", "password", lambda: password)
        yield Room(program, url, people, (b"/login", b"/enter"), STRANGERS, b"/files/night.json", word)


@contextmanager
def attacking(attack: Callable[[], object], number: int = 1) -> Iterator[None]:
    """Have *number* threads attack over and over, until what is done meanwhile is over."""
    is_over = threading.Event()

    def go_on() -> None:
        while not is_over.is_set():
            with suppress(OSError, httpx.TransportError):  # it was hung up on
                attack()

    with ThreadPoolExecutor(number) as threads:
        going_on = [threads.submit(go_on) for _ in range(number)]
        try:
            yield
        finally:
            is_over.set()
    for one in going_on:
        one.result()
