"""The matrix keypad: no polling at rest, several keys at once, and a stuck key said aloud.

At rest every row is driven low and every column is pulled up, so that any key that closes pulls its column
low and wakes a thread of ours, which scans.  In a scan one row at a time is driven low, and all others are
inputs.  As long as a column is low the keypad is read again every few milliseconds, because a second key on
the same column makes no edge.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from itertools import product
from typing import Any

from gpiozero import GPIODevice

from cribpi.devices.trouble import RETRIES, DeviceTrouble, sentence
from cribpi.entry.debounce import Edge

POLL = 0.010
"""Seconds from one scan to the next while a key is held."""
POLL_STUCK = 0.025
"""The same once nothing has changed for `STUCK` seconds."""
STUCK = 10.0
"""Seconds after which a key that is still held is called stuck."""

NAME = "keypad"

Cell = tuple[int, int]


def ghosts(closed: set[Cell]) -> set[Cell]:
    """Return those cells of *closed* that other closed ones would explain without their own key.

    Without diodes, three closed corners of a rectangle close the fourth, and none can be told from it.

    >>> sorted(ghosts({(0, 0), (0, 1), (1, 0), (1, 1), (2, 3)}))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> ghosts({(0, 0), (0, 1), (1, 0)})
    set()
    """
    return {
        (row, column)
        for (row, column), (other_row, other_column) in product(closed, closed)
        if row != other_row
        and column != other_column
        and {(row, other_column), (other_row, column)} <= closed
    }


class Keypad:
    """A matrix of keys on a pin factory's pins; every change becomes an `Edge` given to a sink.

    With `start` a thread of ours does the work.  Without it, call `service` after each change of the pins,
    or when it said it wants to be called; then nothing runs by itself and no real time passes.

    Args:
        rows: The rows' GPIO numbers, top to bottom.
        columns: The columns' GPIO numbers, left to right.
        keys: The keys' names, a row of them for each of *rows*; an empty name is a cell without a key.
        factory: A gpiozero pin factory: the Pi's or the twin's.
        sink: Takes each edge; called from the thread that runs `service`.
        report: Takes the device's name and what is wrong with it, once, and None once it is well again.
        clock: The time in monotonic seconds.

    Raises:
        ValueError: If *keys* does not have a row for each row and a name for each column.
        gpiozero.GPIOZeroError: If a pin does not exist or is in use.
    """

    def __init__(
        self,
        rows: tuple[int, ...],
        columns: tuple[int, ...],
        keys: tuple[tuple[str, ...], ...],
        factory: Any,  # noqa: ANN401  gpiozero ships no types
        sink: Callable[[Edge], None],
        *,
        report: Callable[[str, str | None], None] = lambda _name, _sentence: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if len(keys) != len(rows) or any(len(names) != len(columns) for names in keys):
            raise ValueError(f"{NAME}: keys must name {len(rows)} rows of {len(columns)}; it has {keys}")
        self._keys = {cell: keys[cell[0]][cell[1]] for cell in product(range(len(rows)), range(len(columns)))}
        self._sink = sink
        self._report = report
        self._clock = clock
        self._held: dict[str, float] = {}
        self._changed = clock()
        self._busy_since: float | None = None
        self._said: str | None = None
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._devices: list[Any] = []
        try:
            for number in (*rows, *columns):
                self._devices.append(GPIODevice(number, pin_factory=factory))
            self._rows = [device.pin for device in self._devices[: len(rows)]]
            self._columns = [device.pin for device in self._devices[len(rows) :]]
            self._column_numbers = columns
            for pin in (*self._rows, *self._columns):
                pin.input_with_pull("up")
            for pin in self._rows:
                pin.output_with_state(False)  # noqa: FBT003  the signature is gpiozero's
            for pin in self._columns:
                pin.edges = "both"
                pin.when_changed = self._column_changed
        except Exception:
            self.close()
            raise

    def start(self) -> None:
        """Scan in a thread of ours from now on, at first for keys that are held already."""
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread and give the pins back."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        for device in self._devices:
            device.close()
        self._devices.clear()

    @property
    def alive(self) -> bool:
        """Whether a press would be heard: our thread runs, and so does lgpio's where that is in use."""
        if self._thread is None or not self._thread.is_alive():
            return False
        notify = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
        return notify is None or bool(notify.is_alive())

    def check(self) -> None:
        """Find out whether a press would be heard.

        Raises:
            DeviceTrouble: If it would not.
        """
        if not self.alive:
            raise DeviceTrouble(f"{NAME}: the thread that hears the keys has ended; restart cribpi")

    def service(self, at: float) -> float | None:
        """Scan at the time *at*, give what changed to the sink, and return when to be called again.

        Returns:
            The seconds until the next scan, or None if an edge on a column is to be waited for.

        Raises:
            gpiozero.GPIOZeroError: If the pins cannot be read.
            Exception: What the sink raised.
        """
        closed = self._scan()
        unclear = ghosts(closed)
        found = {
            key for cell in closed if (key := self._keys[cell]) and (key in self._held or cell not in unclear)
        }
        for key in sorted(self._held.keys() - found):
            self._edge(key, closed=False, at=at)
            del self._held[key]
        for key in sorted(found - self._held.keys()):
            self._edge(key, closed=True, at=at)
            self._held[key] = at
        # The edges that the scan made are forgotten; a key that closed meanwhile shows in its column.
        self._wake.clear()
        low = [number for number, low in zip(self._column_numbers, self._low(), strict=True) if low]
        if not low:
            self._busy_since = None
        elif self._busy_since is None:
            self._busy_since = at
        self._say(self._trouble(at, low))
        if not low:
            return None
        return POLL if at - self._changed < STUCK else POLL_STUCK

    def _edge(self, key: str, *, closed: bool, at: float) -> None:
        self._changed = at
        self._sink(Edge(key, closed, at))

    def _column_changed(self, _ticks: object, _state: object) -> None:
        """Wake our thread.  This runs on the one thread of all pins, and so can do nothing else."""
        self._wake.set()

    def _low(self) -> list[bool]:
        """Return for each column whether it is low."""
        return [not pin.state for pin in self._columns]

    def _scan(self) -> set[Cell]:
        """Return the cells that are closed, by row and column; leave every row driven low."""
        if not any(self._low()):
            return set()
        closed = set[Cell]()
        for pin in self._rows:
            pin.function = "input"
        earthed = self._low()  # low although no row is: no key does that
        for row, pin in enumerate(self._rows):
            pin.output_with_state(False)  # noqa: FBT003  the signature is gpiozero's
            closed |= {(row, column) for column, low in enumerate(self._low()) if low and not earthed[column]}
            pin.function = "input"
        for pin in self._rows:
            pin.output_with_state(False)  # noqa: FBT003  the signature is gpiozero's
        return closed

    def _trouble(self, at: float, low: list[int]) -> str | None:
        """Return what is wrong with the keys at the time *at*, while the columns *low* are low."""
        stuck = [key for key, since in self._held.items() if at - since >= STUCK]
        if stuck:
            names = " and ".join(stuck)
            return f"{NAME}: {names} held for more than {STUCK:.0f} seconds; free the key or check its wiring"
        if low and not self._held and self._busy_since is not None and at - self._busy_since >= STUCK:
            names = " and ".join(f"GPIO {number}" for number in low)
            return f"{NAME}: {names} is low and no key explains it; check the wiring of that column"
        return None

    def _say(self, trouble: str | None) -> None:
        """Report *trouble*, or that there is none any more, if that is news."""
        if trouble != self._said:
            self._said = trouble
            self._report(NAME, trouble)

    def _run(self) -> None:
        """Scan until closed; a failure is said, and tried again after a growing pause."""
        failures = 0
        while not self._stop.is_set():
            try:
                pause = self.service(self._clock())
                failures = 0
            except Exception as error:  # noqa: BLE001  the keys must come back, whatever the library raised
                self._say(sentence(NAME, error))
                pause = RETRIES[min(failures, len(RETRIES) - 1)]
                failures += 1
            if pause is None:
                self._wake.wait()
            else:
                self._stop.wait(pause)
