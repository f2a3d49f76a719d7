"""An evening with eight phones: how long a press takes to be on all of them, and what it costs."""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import httpx
from bench.figures import ORDINARY, START, WITH_TESTS, cpu_seconds, resident_mb, row
from bench.with_phones import HOME
from support.server import ask, companion

PHONES = 8
ROLES = [("seat", 0), ("seat", 1), ("keypad", None), ("scoreboard", None), *[("watch", None)] * 4]
REST = 120.0
"""Seconds for which a table with eight phones is watched at rest, at most."""
SETTLING = 5.0
"""Seconds after the last press in which pegs and lights come to rest."""


class Listener:
    """A phone, and which `seq` it has seen when."""

    def __init__(self, url: str, cookies: httpx.Cookies) -> None:
        self.seen: dict[int, float] = {}
        self._url, self._cookies = url, cookies
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with (
            httpx.Client(base_url=self._url, cookies=self._cookies, trust_env=False, timeout=3600) as client,
            client.stream("GET", "/api/events") as stream,
        ):
            kind = ""
            for line in stream.iter_lines():
                name, _, value = line.partition(": ")
                if name == "event":
                    kind = value
                elif kind == "page" and name == "data":
                    self.seen[json.loads(value)["seq"]] = time.perf_counter()


@contextmanager
def open_to_phones() -> Iterator[tuple[int, str, str]]:
    """Run a board that lets phones in, and nothing else of the network.

    Give its process and the addresses of its own page and of that for phones.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        companion(Path(folder), python=("-m", "bench.with_phones"), env=WITH_TESTS) as (process, url),
    ):
        press(url, "MENU", "4", "OK", "OK")
        yield process.pid, url, url.replace("127.0.0.1", HOME)


def press(url: str, *keys: str) -> None:
    for key in keys:
        ask(f"{url}api/press", {"key": key})


def eight_phones(presses: int, rest: float) -> None:
    """Press keys at the board with eight phones at the table, and watch it for *rest* seconds."""
    with open_to_phones() as (process, url, home):
        listeners = [Listener(home, joined(url, home, *role)) for role in ROLES[:PHONES]]
        press(url, "UNDO", "UNDO", *START, *ORDINARY)
        time.sleep(2)
        took, spread = [], []
        for at in range(presses):
            begin = time.perf_counter()
            seq = ask(f"{url}api/press", {"key": ("MENU", "UNDO")[at % 2]})[1]["seq"]
            took.append(time.perf_counter() - begin)
            while not all(seq in listener.seen for listener in listeners):
                time.sleep(0.001)
            spread.append(max(listener.seen[seq] for listener in listeners) - begin)
        row(f"a press, with {PHONES} phones", f"{1000 * median(took):.1f} ms", "-")
        row("    until it is on all of them", f"{1000 * median(spread):.0f} ms", "150 ms")
        row("    memory, without machine seats", f"{resident_mb(process):.0f} MB", "60 MB")
        time.sleep(SETTLING)
        before = cpu_seconds(process)
        time.sleep(rest)
        share = 100 * (cpu_seconds(process) - before) / rest
        row("    CPU at rest", f"{share:.2f} %", "0.1 %")


def joined(url: str, home: str, role: str, seat: int | None) -> httpx.Cookies:
    """Let a phone in by the code that the board shows; return what it is known by."""
    code = ""
    while not code:
        code = ask(f"{url}api/phones")[1]["code"] or ""
    with httpx.Client(base_url=home, trust_env=False) as client:
        client.post("/api/join", json={"code": code}).raise_for_status()
        client.post("/api/phone", json={"role": role, "seat": seat}).raise_for_status()
        return client.cookies
