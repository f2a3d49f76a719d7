"""Keys on the Pi's pins, as a matrix or with a pin each, without polling while no key is pressed.

In a matrix, all rows are driven low at rest and all columns are pulled up. A key that closes pulls its column
low, and this edge wakes the keypad's thread, which scans: it drives one row at a time low, with the other
rows as inputs. While a column is low, the thread scans every few milliseconds, because a second key in the
same column makes no edge.

A key with its own pin connects it to ground; the pin is pulled up. Edges reach the keypad's thread through a
queue, so that a press is not lost even if it is over before the thread runs. Afterwards the thread reads the
levels, which reveal edges that the queue has missed.
"""

from __future__ import annotations

import queue
import sys
import time
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any

from gpiozero import GPIODevice

from cribpi.companion.devices.keys import NAME, STUCK, Clock, Keys, Report, Sink

POLL = 0.010
"""Seconds between scans while a key is held."""
POLL_STUCK = 0.025
"""Seconds between scans after `STUCK` seconds without a change."""


def lgpio_lives() -> bool:
    """Return whether lgpio's thread is running or unused; once it has ended, no pin works until a restart."""
    # A private name, but nothing public shows that an exception in a callback has ended the thread.
    notify = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
    return notify is None or bool(notify.is_alive())


class PinKeys(Keys):
    """Keys on the pins of a pin factory, which they own and close.

    lgpio has one thread for all pins. It only wakes the reading thread, because an exception on lgpio's
    thread would end it, and no key would work any more.

    Args:
        factory: A gpiozero pin factory: the Pi's or the twin's.
        sink, report, clock: As for `Keys`.

    Raises:
        gpiozero.GPIOZeroError: If a pin does not exist or is in use.
    """

    def __init__(self, factory: Any, sink: Sink, report: Report, clock: Clock) -> None:  # noqa: ANN401  gpiozero ships no types
        super().__init__(sink, report, clock)
        self._factory = factory
        self._devices: list[Any] = []
        try:
            self._claim_all()
            self._ignore_held(self._closed())
        except Exception:
            self.close()
            raise

    @abstractmethod
    def _claim_all(self) -> None:
        """Claim the pins, and subscribe to their edges."""

    @abstractmethod
    def _closed(self) -> set[str]:
        """Return the keys that are closed now."""

    @property
    def alive(self) -> bool:
        """Whether a press would be noticed: both the reading thread and lgpio's, if in use, are running."""
        return super().alive and lgpio_lives()

    def _claim(self, numbers: Iterable[int]) -> list[Any]:
        """Claim the GPIOs *numbers* as inputs, pulled up, and return their pins.

        Raises:
            gpiozero.GPIOZeroError: If a pin does not exist or is in use.
        """
        pins = []
        # No bounce_time: it would delay every press and lose short ones.  `Debouncer` removes the bounces
        # later.
        for number in numbers:
            self._devices.append(GPIODevice(number, pin_factory=self._factory))
            pins.append(self._devices[-1].pin)
            pins[-1].input_with_pull("up")
        return pins

    def _release(self) -> None:
        for device in self._devices:
            with suppress(Exception):  # A failed device may fail to close as well.
                device.pin.when_changed = None  # otherwise gpiozero leaves the callback in lgpio's list
                device.close()
        self._devices.clear()
        with suppress(Exception):  # A failed factory may fail to close as well.
            self._factory.close()


Cell = tuple[int, int]


def ghosts(closed: set[Cell]) -> set[Cell]:
    """Return the cells in *closed* that could be ghosts: closed by other keys, not by their own.

    In a matrix without diodes, three closed keys at the corners of a rectangle also close the fourth corner,
    and a scan can't distinguish it from a pressed key.

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


class MatrixKeys(PinKeys):
    """A matrix of keys on a pin factory's pins.

    Args:
        rows: The rows' GPIO numbers, top to bottom.
        columns: The columns' GPIO numbers, left to right.
        keys: The keys' names, a tuple for each of *rows*; an empty name is a cell without a key.
        factory: A gpiozero pin factory: the Pi's or the twin's; it is closed with the keypad.
        sink, report, clock: As for `Keys`.

    Raises:
        ValueError: If the shape of *keys* does not match *rows* and *columns*.
        gpiozero.GPIOZeroError: If a pin does not exist or is in use.
    """

    def __init__(
        self,
        rows: tuple[int, ...],
        columns: tuple[int, ...],
        keys: tuple[tuple[str, ...], ...],
        factory: Any,  # noqa: ANN401  gpiozero ships no types
        sink: Sink,
        *,
        report: Report = lambda _name, _sentence: None,
        clock: Clock = time.monotonic,
    ) -> None:
        if len(keys) != len(rows) or any(len(names) != len(columns) for names in keys):
            raise ValueError(f"{NAME}: keys must name {len(rows)} rows of {len(columns)}; it has {keys}")
        self._keys = {cell: keys[cell[0]][cell[1]] for cell in product(range(len(rows)), range(len(columns)))}
        self._row_numbers, self._column_numbers = rows, columns
        self._busy_since: float | None = None
        super().__init__(factory, sink, report, clock)

    def _claim_all(self) -> None:
        self._rows = self._claim(self._row_numbers)
        self._columns = self._claim(self._column_numbers)
        for pin in self._rows:
            pin.output_with_state(False)  # noqa: FBT003  the signature is gpiozero's
        for pin in self._columns:
            pin.edges = "both"
            pin.when_changed = self._column_changed

    def service(self, at: float) -> float | None:
        """Scan at the time *at*, and pass the changes to the sink.

        Returns:
            The seconds until the next scan, or None to wait for an edge on a column.

        Raises:
            gpiozero.GPIOZeroError: If the pins cannot be read.
            Exception: Any error of the sink.
        """
        self._update_held(self._closed(), at)
        # Ignore the edges made by the scan itself.  A key that closed meanwhile is visible in its column.
        self._wake.clear()
        low = [number for number, low in zip(self._column_numbers, self._low(), strict=True) if low]
        if not low:
            self._busy_since = None
        elif self._busy_since is None:
            self._busy_since = at
        trouble = self._stuck(at)
        if low and not self._held and self._busy_since is not None and at - self._busy_since >= STUCK:
            names = " and ".join(f"GPIO {number}" for number in low)
            trouble = f"{NAME}: {names} is low and no key explains it; check the wiring of that column"
        self._report_change(trouble)
        # A key released after its row was read still counts as held, and its edge may have been ignored:
        # without another scan, its next press would look like the same one.
        if not low and not self._held:
            return None
        return POLL if at - self._changed < STUCK else POLL_STUCK

    def _wait(self, pause: float | None) -> None:
        """Wait for an edge; between scans wait only *pause* seconds, because scans make edges themselves."""
        if pause is None:
            self._wake.wait()
        else:
            self._stop.wait(pause)

    def _column_changed(self, _ticks: object, _state: object) -> None:
        """Wake the keypad's thread.  Nothing else is safe here: this runs on lgpio's thread for all pins."""
        self._wake_thread()

    def _closed(self) -> set[str]:
        """Scan, and return the closed keys; a possible ghost counts only if it was held before."""
        closed = self._scan()
        unclear = ghosts(closed)
        return {
            key for cell in closed if (key := self._keys[cell]) and (key in self._held or cell not in unclear)
        }

    def _low(self) -> list[bool]:
        return [not pin.state for pin in self._columns]

    def _scan(self) -> set[Cell]:
        """Return the closed cells, by row and column; leave every row driven low."""
        if not any(self._low()):
            return set()
        closed = set[Cell]()
        # Rows not being scanned are inputs: two keys held in one column would short two driven rows.
        for pin in self._rows:
            pin.function = "input"
        earthed = self._low()  # low although no row is driven, so not caused by a key
        for row, pin in enumerate(self._rows):
            pin.output_with_state(False)  # noqa: FBT003  the signature is gpiozero's
            closed |= {(row, column) for column, low in enumerate(self._low()) if low and not earthed[column]}
            pin.function = "input"
        for pin in self._rows:
            pin.output_with_state(False)  # noqa: FBT003  the signature is gpiozero's
        return closed


class ButtonKeys(PinKeys):
    """Keys that connect a pin each to ground.

    Args:
        pins: Each key's GPIO number.
        factory: A gpiozero pin factory: the Pi's or the twin's; it is closed with the keys.
        sink, report, clock: As for `Keys`.

    Raises:
        gpiozero.GPIOZeroError: If a pin does not exist or is in use.
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        factory: Any,  # noqa: ANN401  gpiozero ships no types
        sink: Sink,
        *,
        report: Report = lambda _name, _sentence: None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._edges: queue.SimpleQueue[tuple[str, bool]] = queue.SimpleQueue()
        self._callbacks: list[partial[None]] = []  # gpiozero keeps only a weak reference to a callback
        self._numbers = pins
        super().__init__(factory, sink, report, clock)

    def _claim_all(self) -> None:
        self._pins = dict(zip(self._numbers, self._claim(self._numbers.values()), strict=True))
        for key, pin in self._pins.items():
            self._callbacks.append(partial(self._pin_changed, key))
            pin.edges = "both"
            pin.when_changed = self._callbacks[-1]

    def service(self, at: float) -> float | None:
        """Handle all edges up to the time *at*, and pass the changes to the sink.

        Returns:
            The seconds until a held key is reported as stuck, or None to wait for an edge.

        Raises:
            gpiozero.GPIOZeroError: If the pins cannot be read.
            Exception: What the sink raised.
        """
        self._wake.clear()  # cleared first, so that an edge from now on wakes the thread again
        while not self._edges.empty():
            key, closed = self._edges.get_nowait()
            self._edge(key, closed=closed, at=at)
        self._update_held(self._closed(), at)
        self._report_change(self._stuck(at))
        return self._until_stuck(at)

    def _wait(self, pause: float | None) -> None:
        self._wake.wait(pause)

    def _pin_changed(self, key: str, _ticks: object, state: object) -> None:
        """Queue an edge and wake the keypad's thread.  Nothing else is safe on lgpio's only thread."""
        self._edges.put((key, not state))
        self._wake_thread()

    def _closed(self) -> set[str]:
        return {key for key, pin in self._pins.items() if not pin.state}
