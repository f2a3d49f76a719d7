"""A table that its own network does harm to: how long a press takes at the board, and what comes of it."""

from __future__ import annotations

import random
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from statistics import median, quantiles
from threading import Thread
from typing import Final, Protocol

import httpx
from bench.figures import ORDINARY, START, resident_mb, row
from bench.phones import joined, open_to_phones, press
from bench.with_phones import HOME
from support.server import ask

MANY = 100
"""How many there are at once."""
LARGE = 4096
"""Bytes of a piece of garbage."""
SHORT = 5.0
"""Seconds for which an answer is waited for."""
_APART: Final = get_context("spawn")
"""They are in a process of their own, so that they hold up the table alone, and not what measures it."""


class Told(Protocol):
    """Whether those who do harm are to stop."""

    def is_set(self) -> bool: ...
    def wait(self) -> bool: ...


Attack = Callable[[Told, "Counter[str]"], None]
"""What one of many does until it is told to stop; it counts what comes of it."""


def attacked(presses: int) -> None:
    """Press keys at the board while its network does it harm."""
    with open_to_phones() as (process, url, home):
        cookies = joined(url, home, "watch", None)
        token = cookies["cribpi"]
        port = int(home.rstrip("/").rpartition(":")[2])
        press(url, "UNDO", "UNDO", *START, *ORDINARY)
        time.sleep(2)
        row("a press at the board, and nobody does harm", _presses(url, presses), "-")
        attacks: dict[str, tuple[int, Attack]] = {
            "one that guesses codes": (1, partial(_guess, home)),
            f"{MANY} that guess codes": (MANY, partial(_guess, home)),
            f"{MANY} that send garbage": (MANY, partial(_send_garbage, port)),
            f"{MANY} lines that say nothing": (MANY, partial(_say_nothing, port)),
            f"{MANY} that ask for what is not theirs": (MANY, partial(_pry, home, token)),
            "one that reads nothing of what it is told": (1, partial(_read_nothing, port, token)),
        }
        for what, (how_many, attack) in attacks.items():
            before = resident_mb(process)
            with _under(attack, how_many) as came:
                figure = _presses(url, presses)
                is_served = _is_served(home, cookies)
            row(f"    {what}", figure, "-")
            told = ", ".join(f"{count} x {name}" for name, count in sorted(came.items())) or "nothing"
            row(f"        came of it: {told}", f"{resident_mb(process) - before:+.1f} MB", "-")
            row("        a phone at the table meanwhile", "served" if is_served else "not served", "served")


def _presses(url: str, presses: int) -> str:
    took = []
    for at in range(max(20, presses)):
        begin = time.perf_counter()
        ask(f"{url}api/press", {"key": ("MENU", "UNDO")[at % 2]})
        took.append(1000 * (time.perf_counter() - begin))
    return f"{median(took):.1f} ms, 95 % in {quantiles(took, n=20)[-1]:.0f}"


def _is_served(home: str, cookies: httpx.Cookies) -> bool:
    try:
        with _client(home, cookies) as client:
            return client.get("/api/state").status_code == 200
    except httpx.HTTPError:
        return False


@contextmanager
def _under(attack: Attack, how_many: int) -> Iterator[Counter[str]]:
    stop, ready, results = _APART.Event(), _APART.Event(), _APART.SimpleQueue()
    process = _APART.Process(target=_do_harm, args=(attack, how_many, stop, ready, results))
    came = Counter[str]()
    process.start()
    try:
        ready.wait(30)
        time.sleep(0.5)
        yield came
    finally:
        stop.set()
        came.update(results.get())
        process.join()


def _do_harm(attack: Attack, how_many: int, stop: Told, ready, results) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    each = [Counter[str]() for _ in range(how_many)]
    threads = [Thread(target=attack, args=(stop, came), daemon=True) for came in each]
    for thread in threads:
        thread.start()
    ready.set()
    stop.wait()
    for thread in threads:
        thread.join(2 * SHORT)
    results.put(sum(each, Counter()))


def _client(home: str, cookies: httpx.Cookies | dict[str, str] | None = None) -> httpx.Client:
    return httpx.Client(base_url=home, cookies=cookies, trust_env=False, timeout=SHORT)


def _guess(home: str, stop: Told, came: Counter[str]) -> None:
    chance = random.Random()
    with _client(home) as client:
        while not stop.is_set():
            try:
                code = "".join(chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=6))
                came[str(client.post("/api/join", json={"code": code}).status_code)] += 1
            except httpx.HTTPError as error:
                came[type(error).__name__] += 1


def _send_garbage(port: int, stop: Told, came: Counter[str]) -> None:
    chance = random.Random()
    post = b"POST /api/press HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n"
    heads = (b"", b"GET /api/state HTTP/1.1\r\n", post)
    while not stop.is_set():
        try:
            with socket.create_connection((HOME, port), SHORT) as line:
                line.sendall(chance.choice(heads) + chance.randbytes(LARGE))
                answer = line.recv(LARGE).split(b" ", 2)
            came[answer[1].decode() if len(answer) > 1 else "closed"] += 1
        except OSError as error:
            came[type(error).__name__] += 1


def _say_nothing(port: int, stop: Told, came: Counter[str]) -> None:
    while not stop.is_set():
        try:
            with socket.create_connection((HOME, port), SHORT) as line:
                line.settimeout(SHORT)
                came["answered" if line.recv(1) else "closed"] += 1
        except TimeoutError:
            came["kept open"] += 1
        except OSError as error:
            came[type(error).__name__] += 1


def _pry(home: str, token: str, stop: Told, came: Counter[str]) -> None:
    with _client(home) as stranger, _client(home, {"cribpi": token}) as watcher:
        while not stop.is_set():
            for client, path in (
                (stranger, "/api/page"),
                (watcher, "/api/games"),
                (watcher, "/api/settings"),
            ):
                try:
                    came[str(client.get(path).status_code)] += 1
                except httpx.HTTPError as error:
                    came[type(error).__name__] += 1


def _read_nothing(port: int, token: str, stop: Told, came: Counter[str]) -> None:
    with socket.create_connection((HOME, port), SHORT) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LARGE)
        asks = f"GET /api/events HTTP/1.1\r\nHost: {HOME}:{port}\r\nCookie: cribpi={token}\r\n\r\n"
        line.sendall(asks.encode())
        stop.wait()
        came["line kept"] += 1
