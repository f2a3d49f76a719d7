"""An emulated I2C bus, with the methods that CircuitPython's drivers call and the faults of a real one."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Mapping

from cribpi.companion.devices.twin.panel import Panel


class Bus:
    """The bus, its chips by address, and a count of all bytes on it.

    Attributes:
        sent: The bytes on the wire since the start, including each transfer's address byte.
        plugged: Whether anything answers; if not, every transfer is an `OSError` with errno 121.
    """

    def __init__(self, chips: Mapping[int, Panel]) -> None:
        self.sent = 0
        self.plugged = True
        self._chips = dict(chips)
        self._breaks: int | None = None
        self._lock = threading.Lock()

    def break_at(self, byte: int) -> None:
        """Fail once, at the byte number *byte* from now on, counted from 1 and including addresses.

        The chip gets what was sent before that byte, and the sender an `OSError` with errno 5.
        """
        self._breaks = byte

    def try_lock(self) -> bool:
        """Lock the bus if it is free."""
        return self._lock.acquire(blocking=False)

    def unlock(self) -> None:
        self._lock.release()

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        """Write the bytes *start* to *end* of *buffer* to the chip at *address*.

        Raises:
            OSError: If no chip answers there, or where the bus breaks.
        """
        chip = self._chip(address)
        data = bytes(buffer[start:end])
        whole = 1 + len(data)
        passed = self._passed(whole)
        if passed > 1:
            chip.receive(data[: passed - 1])
        if passed < whole:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def readfrom_into(
        self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None
    ) -> None:
        """Fill the bytes *start* to *end* of *buffer* from the chip at *address*.

        Raises:
            OSError: If no chip answers there, or where the bus breaks.
        """
        chip = self._chip(address)
        places = range(len(buffer))[start:end]
        whole = 1 + len(places)
        if self._passed(whole) < whole:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        for place in places:
            buffer[place] = chip.send()

    def deinit(self) -> None:
        """Do nothing: an emulated bus has nothing to close."""

    def _chip(self, address: int) -> Panel:
        """Return the chip that acknowledges *address*."""
        if not self.plugged or address not in self._chips:
            self.sent += 1
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        return self._chips[address]

    def _passed(self, whole: int) -> int:
        """Count a transfer of *whole* bytes, and return how many of them get through."""
        passed = whole
        if self._breaks is not None:
            passed = min(whole, self._breaks - 1)
            self._breaks = None if passed < whole else self._breaks - whole
        self.sent += passed
        return passed
