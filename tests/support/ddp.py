"""DDP as specified (http://www.3waylabs.com/ddp/), and a simulated WLED controller on loopback."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

DATA_AT = 10

HERE = f"127.77.{os.getpid() // 250 % 250}.{os.getpid() % 250 + 1}"
"""Loopback address of this process alone. A port released there stays free until it is used again."""


class Packet(NamedTuple):
    """The fields of a packet, by the specification's names."""

    version: int
    reserved: int
    timecode: bool
    storage: bool
    reply: bool
    query: bool
    push: bool
    sequence: int
    custom: bool
    type: int
    bits: int
    id: int
    offset: int
    data: bytes


def parsed(packet: bytes) -> Packet:
    """Parse *packet*. Its length must match the header."""
    flags, numbers, kind, to = packet[:4]
    length = packet[8] * 256 + packet[9]
    assert len(packet) == DATA_AT + length
    assert numbers < 16, "the upper half is reserved"
    return Packet(
        version=flags // 64,
        reserved=flags // 32 % 2,
        timecode=bool(flags & 16),
        storage=bool(flags & 8),
        reply=bool(flags & 4),
        query=bool(flags & 2),
        push=bool(flags & 1),
        sequence=numbers,
        custom=bool(kind & 128),
        type=kind // 8 % 8,
        bits={0: 0, 1: 1, 2: 4, 3: 8, 4: 16, 5: 24, 6: 32}[kind % 8],
        id=to,
        offset=((packet[4] * 256 + packet[5]) * 256 + packet[6]) * 256 + packet[7],
        data=packet[DATA_AT:],
    )


RGB = 1


class Display:
    """LEDs that show the received data when a packet has the push flag."""

    def __init__(self, leds: int) -> None:
        self.come = bytearray(3 * leds)
        self.shown = bytes(3 * leds)

    def take(self, packet: bytes) -> None:
        found = parsed(packet)
        assert (found.version, found.type, found.bits, found.id) == (1, RGB, 8, 1)
        end = found.offset + len(found.data)
        assert end <= len(self.come)
        self.come[found.offset : end] = found.data
        if found.push:
            self.shown = bytes(self.come)


OWN = '"info": {"ver": "0.15.0", "name": "Cribbage", "leds": {"count": %d, "pwr": 470, "fps": 1}}'
STATE = {"on": True, "bri": 255, "transition": 7, "ps": -1, "pl": -1, "lor": 0, "mainseg": 0}
"""State of a light, as in WLED's documentation (kno.wled.ge/interfaces/json-api)."""
INFO = f'{{"state": {json.dumps(STATE)}, {OWN}}}'


def state(leds: int, **changed: object) -> bytes:
    """Return the response of a controller with these changes to its state."""
    return answer(f'{{"state": {json.dumps(STATE | changed)}, {OWN % leds}}}')


def answer(body: str, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n\r\n{body}".encode()


def forced(*, is_forced: bool) -> bytes:
    """Return the settings of a controller, with or without full brightness for received data."""
    live = {"en": True, "port": 5568, "timeout": 25, "maxbri": is_forced, "no-gc": True, "offset": 0}
    return answer(json.dumps({"rev": [1, 0], "vid": 2412100, "um": "x" * 18_000, "if": {"live": live}}))


class Controller:
    """A simulated WLED controller on loopback.

    Attributes:
        answer: Response to a request for its state; None for none, as without power.
        config: Response to a request for its settings. They have `maxbri` among 20 kB of others.
        asked: First line of the last request.
        display: The LEDs.
    """

    def __init__(self, leds: int) -> None:
        self.display = Display(leds)
        self.answer: bytes | None = answer(INFO % leds)
        self.config = forced(is_forced=False)
        self.asked = b""
        self.ports = (0, 0)
        self._out = threading.Event()

    def plug(self) -> None:
        """Start the controller, at the same ports each time."""
        self._out = threading.Event()
        ddp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        http = socket.socket()
        http.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for one, port in zip((ddp, http), self.ports, strict=True):
            one.bind((HERE, port))
            one.settimeout(0.05)
        http.listen()
        self.ports = ddp.getsockname()[1], http.getsockname()[1]
        self._threads = [
            threading.Thread(target=self._listen, args=(ddp,)),
            threading.Thread(target=self._serve, args=(http,)),
        ]
        for thread in self._threads:
            thread.start()

    def unplug(self) -> None:
        """Stop the controller. Its ports are then closed."""
        self._out.set()
        for thread in self._threads:
            thread.join()

    def _listen(self, ddp: socket.socket) -> None:
        with ddp:
            while not self._out.is_set():
                with suppress(TimeoutError):
                    self.display.take(ddp.recv(2048))

    def _serve(self, http: socket.socket) -> None:
        with http:
            while not self._out.is_set():
                with suppress(OSError):
                    line, _ = http.accept()
                    with line:
                        line.settimeout(None)
                        self.asked = line.recv(2048).partition(b"\r\n")[0]
                        if self.answer is None:
                            line.recv(1)  # wait until the client gives up
                        else:
                            is_of_settings = b" /json/cfg " in self.asked
                            line.sendall(self.config if is_of_settings else self.answer)


@contextmanager
def controller(leds: int) -> Iterator[Controller]:
    """Run a controller, and stop it at the end."""
    found = Controller(leds)
    found.plug()
    try:
        yield found
    finally:
        found.unplug()
