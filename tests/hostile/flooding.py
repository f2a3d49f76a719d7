"""A broker that floods whoever connects to it."""

from __future__ import annotations

import itertools
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Final

from support.listener import Listener
from support.patience import PATIENCE

CONNACK: Final = b"\x20\x03\x00\x00\x00"
CONNECT: Final = b"\x10\x12\x00\x04MQTT\x05\x02\x00\x3c\x00\x00\x05flood"
PING: Final = b"\xc0\0"
PONG: Final = b"\xd0\0"
LONG: Final = 50 * 1024**2
"""Bytes of a message that few machines have room for."""

Flood = Callable[[], Iterator[bytes]]
"""What a broker sends once somebody is in, for ever or to its end."""


def packet(first: int, body: bytes) -> bytes:
    length, digits = len(body), bytearray()
    while not digits or length:
        length, digit = divmod(length, 128)
        digits.append(digit | 128 * bool(length))
    return bytes([first]) + digits + body


def message(topic: str, text: bytes, qos: int = 0, number: int = 1) -> bytes:
    """Return a PUBLISH of MQTT 5."""
    name = topic.encode()
    numbered = number.to_bytes(2, "big") if qos else b""
    return packet(0x30 | qos << 1, len(name).to_bytes(2, "big") + name + numbered + b"\0" + text)


def pairing(number: int) -> bytes:
    told = {"schema": 1, "night": "tuesday", "round": 1, "games": 9, "board": number}
    return json.dumps(told | {"players": ["ANN", "BOB"], "rules": "standard"}).encode()


def of_messages(what: str, texts: Iterator[bytes], board: str = "cribpi") -> Iterator[bytes]:
    """Yield messages to a *board*, or from it, many at once."""
    while some := list(itertools.islice(texts, 100)):
        yield b"".join(message(f"cribpi/{board}/{what}", text) for text in some)


def long_message(topic: str = "cribpi/cribpi/pairing") -> Iterator[bytes]:
    yield message(topic, bytes(LONG))


def never_released() -> Iterator[bytes]:
    """Yield messages of QoS 2, which are kept until the broker releases them."""
    for number in range(1, 2**16):
        yield message("cribpi/cribpi/pairing", bytes(4000), qos=2, number=number)


def garbage() -> Iterator[bytes]:
    chance = Random(1)
    while True:
        yield chance.randbytes(4096)


OF_BOARD: Final[dict[str, Flood]] = {
    "results": lambda: of_messages("result", itertools.repeat(b"{"), "oak"),
    "a result of 50 MB": lambda: long_message("cribpi/oak/result"),
    "states": lambda: of_messages("state", itertools.repeat(b"{"), "oak"),
    "coming and going": lambda: of_messages("online", itertools.cycle((b"true", b"false")), "oak"),
}
"""What a board may send to a club's desk, by way of a broker."""

FLOODS: Final[dict[str, Flood]] = {
    "UNDO": lambda: of_messages("undo", itertools.repeat(b"")),
    "pairings": lambda: of_messages("pairing", map(pairing, itertools.cycle((1, 2)))),
    "bad pairings": lambda: of_messages("pairing", itertools.repeat(b"{")),
    "what nobody asked for": lambda: of_messages("other", itertools.repeat(b"")),
    "a message of 50 MB": long_message,
    "messages that are never released": never_released,
    "pings": lambda: itertools.repeat(PING * 1000),
    "garbage": garbage,
    "silence": lambda: iter(()),
}


class FloodingBroker(Listener):
    def __init__(self, poured: Flood) -> None:
        self._poured = poured
        self.may_flood = threading.Event()
        self.sent = 0
        self.hung_up = 0
        """How often somebody has hung up."""
        super().__init__()

    def serve(self, line: socket.socket) -> None:
        with line, suppress(OSError):
            line.recv(4096)  # it reads no more than who is there
            line.sendall(CONNACK)
            self.may_flood.wait()
            for part in self._poured():
                line.sendall(part)
                self.sent += len(part)
            while line.recv(65536):  # and answers nothing
                pass
        self.hung_up += 1


def flood(port: int, parts: Iterator[bytes], most: int) -> None:
    """Send *parts* to the broker at *port*, *most* bytes of them."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(CONNECT)
        assert line.recv(4096)
        for part in parts:
            line.sendall(part)
            most -= len(part)
            if most < 0:
                break
        line.sendall(PING)
        while PONG not in line.recv(4096):  # all of it has come
            pass


@contextmanager
def flooding(poured: Flood) -> Iterator[FloodingBroker]:
    broker = FloodingBroker(poured)
    try:
        yield broker
    finally:
        broker.close()
