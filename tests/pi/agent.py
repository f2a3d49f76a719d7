"""In the machine that is tested: do with its parts what the test on the host asks.

It needs nothing but Python.  A line of JSON comes in by a virtio port, and one goes back.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import struct
import subprocess
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

PORT: Final = "/dev/virtio-ports/agent"
CONTACTS: Final = Path("/dev/pi-contacts")
OLED: Final = Path("/dev/pi-oled")
WIRE: Final = Path("/dev/pi-wire")
SCANNED, READ = 100, 10
"""How often a keypad of 4 x 5 asks for its pins in two scans, and in one look at all columns."""
STANDSTILL: Final = 20.0
"""Seconds that the machine may stand still."""
MOST: Final = 1 << 21
"""More bytes than the wire's module keeps."""

# <linux/uinput.h>: what a program tells the kernel of a device that it plays.
UI_SET_EVBIT, UI_SET_KEYBIT = 0x40045564, 0x40045565
UI_DEV_SETUP, UI_DEV_CREATE, UI_DEV_DESTROY = 0x405C5503, 0x5501, 0x5502
EV_SYN, EV_KEY = 0, 1
BUS_USB: Final = 3


class Numpad:
    """A keypad on USB, plugged in or not; the kernel knows it by uinput."""

    def __init__(self) -> None:
        self._device: int | None = None

    def plug_in(self, codes: Sequence[int]) -> None:
        self._device = device = os.open("/dev/uinput", os.O_WRONLY)
        fcntl.ioctl(device, UI_SET_EVBIT, EV_KEY)
        for code in codes:
            fcntl.ioctl(device, UI_SET_KEYBIT, code)
        fcntl.ioctl(device, UI_DEV_SETUP, struct.pack("HHHH80sI", BUS_USB, 1, 1, 1, b"USB keypad", 0))
        fcntl.ioctl(device, UI_DEV_CREATE)

    def pull(self) -> None:
        if self._device is not None:
            fcntl.ioctl(self._device, UI_DEV_DESTROY)
            os.close(self._device)
            self._device = None

    def press(self, code: int, seconds: float) -> None:
        self._key(code, 1)
        time.sleep(seconds)
        self._key(code, 0)

    def _key(self, code: int, value: int) -> None:
        if self._device is not None:
            for event in ((EV_KEY, code, value), (EV_SYN, 0, 0)):
                os.write(self._device, struct.pack("qqHHi", 0, 0, *event))


NUMPAD: Final = Numpad()


def press(row: int, column: int, seconds: float, rest: float) -> None:
    """Join the pins *row* and *column* for so many seconds, and let them rest afterwards."""
    hold(f"close {row} {column}", seconds, SCANNED)
    hold(f"open {row} {column}", rest, READ)


def hold(contact: str, seconds: float, calls: int) -> None:
    """Change a contact, and leave it so for so long, and until the pins were asked so often.

    A machine that shares its processors stands still now and then, for longer than a finger does.
    """
    before, until = calls_of_pins(), time.monotonic() + STANDSTILL
    CONTACTS.write_text(f"{contact}\n")
    time.sleep(seconds)
    while calls_of_pins() < before + calls and time.monotonic() < until:
        time.sleep(0.01)


def calls_of_pins() -> int:
    """Return how often programs have asked for a pin's level, or set a pin."""
    return next(
        int(line.split()[1]) for line in CONTACTS.read_text().splitlines() if line.startswith("calls")
    )


def bounce(row: int, column: int, seconds: float, rest: float, times: int, pause: float) -> None:
    """Press as a worn key does: the contact changes *times* times as it closes, and again as it opens."""
    chatter = f"bounce {row} {column} {times} {round(pause * 1_000_000)}"
    hold(chatter, seconds, SCANNED)
    hold(chatter, rest, READ)


def look() -> dict[str, str]:
    """Return what the panel holds, and what went over the strip's wire since the last look."""
    with WIRE.open("rb", buffering=0) as wire:
        sent = wire.read(MOST) or b""
    return {"oled": OLED.read_text(), "wire": base64.b64encode(sent).decode()}


def page(path: str) -> object:
    """Return what cribpi's page answers at *path*."""
    with urllib.request.urlopen(f"http://127.0.0.1:8121{path}", timeout=20) as answer:
        return json.load(answer)


def command(words: Sequence[str], timeout: float) -> dict[str, object]:
    """Run a command; return its exit code, and what it printed."""
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, errors="replace", timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        return {"code": -1, "out": "", "err": f"not done within {timeout} s"}
    return {"code": done.returncode, "out": done.stdout, "err": done.stderr}


DEEDS: Final[dict[str, Callable[..., Any]]] = {
    "press": press,
    "bounce": bounce,
    "look": look,
    "contacts": lambda line: CONTACTS.write_text(f"{line}\n"),
    "oled": lambda line: OLED.write_text(f"{line}\n"),
    "page": page,
    "run": command,
    "plug in": NUMPAD.plug_in,
    "pull": NUMPAD.pull,
    "key": NUMPAD.press,
}


def main() -> None:
    """Do what is asked, for as long as the machine runs."""
    while not os.path.exists(PORT):  # noqa: PTH110  its module may still be loading
        time.sleep(0.05)
    with open(PORT, "r+b", buffering=0) as port:  # noqa: PTH123  a device
        send(port, {"id": 0, "answer": "ready"})
        waiting = b""
        while True:
            more = port.read(65536)
            if not more:  # the host's end is not open
                time.sleep(0.1)
            *lines, waiting = (waiting + (more or b"")).split(b"\n")
            for line in lines:
                asked = json.loads(line)
                try:
                    answer = {"answer": DEEDS[asked["do"]](*asked["with"])}
                except Exception as error:  # noqa: BLE001  the test is told
                    answer = {"error": repr(error)}
                send(port, {"id": asked["id"], **answer})


def send(port: Any, what: dict[str, object]) -> None:  # noqa: ANN401  a raw file
    """Write all of *what*, however little the port takes at a time."""
    rest = json.dumps(what).encode() + b"\n"
    while rest:
        rest = rest[port.write(rest) or 0 :]


if __name__ == "__main__":
    main()
