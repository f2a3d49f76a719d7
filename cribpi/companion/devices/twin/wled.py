"""An emulated WLED controller: receives DDP packets, and at each push flag shows the frame."""

from __future__ import annotations

import struct
from collections.abc import Callable

from cribpi.companion.devices.twin.wire import WireError

_HEADER = struct.Struct(">BBBBIH")


class Controller:
    """A controller with *leds* LEDs.  At every push, *show* receives the red, green and blue of each."""

    notice: None = None

    def __init__(self, leds: int, show: Callable[[bytes], None]) -> None:
        self._colours = bytearray(3 * leds)
        self._show = show

    def send(self, packet: bytes) -> int:
        """Receive *packet*, and return its length.

        Raises:
            WireError: If a real controller would misread or ignore it.
        """
        flags, sequence, kind, destination, offset, length = _HEADER.unpack_from(packet)
        data = packet[_HEADER.size :]
        if (flags & ~0x01, kind, destination, length) != (
            0x40,
            0x0B,
            1,
            len(data),
        ) or not 1 <= sequence <= 15:
            raise WireError(f"not a packet of RGB for the display: {packet[: _HEADER.size].hex(' ')}")
        if offset + length > len(self._colours):
            raise WireError(f"bytes {offset} to {offset + length} are past the last LED")
        self._colours[offset : offset + length] = data
        if flags & 0x01:
            self._show(bytes(self._colours))
        return len(packet)

    def close(self) -> None:
        """Do nothing: the controller stays on and keeps its picture."""
