"""A stand-in for lgpio 0.2.2, where there is no GPIO chip: what gpiozero calls, and lgpio's own traps.

What was seen of the real module: importing it makes a pipe in `LG_WD` and leaves the program in that folder;
all callbacks run on one thread, which an exception in any of them ends for good; a line that one handle has
is busy for every other until that handle frees it or the chip is closed.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
_IS_OUT = 2

chips: dict[int, set[int]] = {}
"""The lines that each open handle has claimed."""
numbers: list[int] = []
"""The chips that were opened, by their number."""
grounded: set[int] = set()
"""The lines that a finger has closed to ground."""
failing: list[str] = []
"""What the next opening of the chip fails with."""
_modes: dict[int, int] = {}
_alerts: set[int] = set()


class error(Exception):  # noqa: N801  lgpio's own name
    """What lgpio raises; it is no OSError."""


class _callback_thread(threading.Thread):  # noqa: N801  lgpio's own name
    def __init__(self) -> None:
        super().__init__(daemon=True, name="lgpio's thread")
        self.events: queue.SimpleQueue[tuple[int, int, int, int] | None] = queue.SimpleQueue()
        self.callbacks: list[_callback] = []
        self.killer: Exception | None = None
        self.start()

    def run(self) -> None:
        try:
            while (event := self.events.get()) is not None:
                for one in self.callbacks:
                    if one.gpio == event[1]:
                        one.func(*event)
        except Exception as error:  # noqa: BLE001  the real one prints it, and is as dead
            self.killer = error


class _callback:  # noqa: N801  lgpio's own name
    def __init__(self, gpio: int, func: Callable[..., Any]) -> None:
        self.gpio, self.func = gpio, func
        _notify_thread.callbacks.append(self)

    def cancel(self) -> None:
        _notify_thread.callbacks.remove(self)


def callback(_handle: int, gpio: int, _edge: int = BOTH_EDGES, func: Any = None) -> _callback:  # noqa: ANN401
    return _callback(gpio, func)


def touch(gpio: int, *, closed: bool) -> None:
    """Close the line *gpio* to ground, or open it: an edge for whoever has asked for them."""
    (grounded.add if closed else grounded.discard)(gpio)
    if gpio in _alerts:
        _notify_thread.events.put((0, gpio, int(not closed), time.monotonic_ns()))


@contextmanager
def late(gpio: int) -> Iterator[None]:
    """Send an edge of *gpio* to those who listen now, when they perhaps listen no more, as a busy thread
    does."""
    listeners = [one for one in _notify_thread.callbacks if one.gpio == gpio]
    yield
    _notify_thread.callbacks += listeners
    _notify_thread.events.put((0, gpio, 0, time.monotonic_ns()))


def gpiochip_open(chip: int) -> int:
    if failing:
        raise error(failing.pop())
    numbers.append(chip)
    handle = max(chips, default=-1) + 1
    chips[handle] = set()
    return handle


def gpiochip_close(handle: int) -> None:
    for gpio in chips.pop(handle):
        _alerts.discard(gpio)


def _claim(handle: int, gpio: int, mode: int) -> None:
    if handle not in chips:
        raise error("unknown handle")
    if any(gpio in lines for other, lines in chips.items() if other != handle):
        raise error("GPIO busy")
    chips[handle].add(gpio)
    _modes[gpio] = mode
    _alerts.discard(gpio)


def gpio_claim_input(handle: int, gpio: int, flags: int = 0) -> None:
    _claim(handle, gpio, flags)


def gpio_claim_output(handle: int, gpio: int, _level: int = 0, flags: int = 0) -> None:
    _claim(handle, gpio, flags | _IS_OUT)


def gpio_claim_alert(handle: int, gpio: int, _edges: int, flags: int = 0) -> None:
    _claim(handle, gpio, flags)
    _alerts.add(gpio)


def gpio_free(handle: int, gpio: int) -> None:
    chips[handle].discard(gpio)
    _alerts.discard(gpio)


def gpio_get_mode(handle: int, gpio: int) -> int:
    if gpio not in chips[handle]:
        raise error("GPIO not allocated")
    return _modes[gpio]


def gpio_read(handle: int, gpio: int) -> int:
    if gpio not in chips[handle]:
        raise error("GPIO not allocated")
    return int(gpio not in grounded)


def gpio_write(handle: int, gpio: int, _level: int) -> None:
    if gpio not in chips[handle]:
        raise error("GPIO not allocated")


_folder = os.environ.get("LG_WD")
if _folder:
    os.chdir(_folder)
os.mkfifo(".lgd-nfy0")
_notify_thread = _callback_thread()
