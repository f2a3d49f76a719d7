"""A stand-in for `_rpi_ws281x`, the C extension below the Python module rpi_ws281x 5.0.0.

It has the functions that the Python module calls, with the errors of their SWIG wrappers. It raises `Crash`
where the real extension would access memory that it does not own. Data for the wire goes to an emulated
`Wire`, in SPI mode byte for byte as `ws2811.c` sends it.

Each objection was found in the C source, and with the extension compiled on x86-64.
"""

from __future__ import annotations

import ctypes
import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from support.ws281x_board import GUARD, HERTZ, Board, Channel, Handle, crash, pulses, transfer_bytes

CODES: Final = (
    "Success",
    "Generic failure",
    "Out of memory",
    "Hardware revision is not supported",
    "Memory lock failed",
    "mmap() failed",
    "Unable to map registers into userspace",
    "Unable to initialize GPIO",
    "Unable to initialize PWM",
    "Failed to create mailbox device",
    "DMA error",
    "Selected GPIO not possible",
    "Unable to initialize PCM",
    "Unable to initialize SPI",
    "SPI transfer error",
)
"""Texts of the codes 0, -1, ... -14."""

_STRIPS: Final = {
    "WS2811_STRIP_RGB": 0x100800,
    "WS2811_STRIP_RBG": 0x100008,
    "WS2811_STRIP_GRB": 0x081000,
    "WS2811_STRIP_GBR": 0x080010,
    "WS2811_STRIP_BRG": 0x001008,
    "WS2811_STRIP_BGR": 0x000810,
}


@dataclass(frozen=True)
class Address:
    """A pointer as SWIG wraps it. Python sees only its number."""

    at: int

    def __int__(self) -> int:
        return self.at


def _handle(method: str, given: object) -> Handle:
    if given is None:
        raise crash(f"{method} of no handle")
    if not isinstance(given, Handle):
        raise TypeError(f"in method '{method}', argument 1 of type 'ws2811_t *'")
    if given.deleted:
        raise crash(f"{method} of a handle that was deleted")
    return given


def _channel(method: str, given: object) -> Channel:
    if given is None:
        raise crash(f"{method} of no channel")
    if not isinstance(given, Channel):
        raise TypeError(f"in method '{method}', argument 1 of type 'struct ws2811_channel_t *'")
    if given.owner.deleted:
        raise crash(f"{method} of a channel whose handle was deleted")
    return given


def _integer(method: str, argument: int, given: object, name: str, low: int, high: int) -> int:
    if not isinstance(given, int):
        raise TypeError(f"in method '{method}', argument {argument} of type '{name}'")
    if not low <= given <= high:
        raise OverflowError(f"in method '{method}', argument {argument} of type '{name}'")
    return int(given)


def _int(method: str, argument: int, given: object) -> int:
    return _integer(method, argument, given, "int", -(1 << 31), (1 << 31) - 1)


class Extension(types.ModuleType):
    """The module `_rpi_ws281x` on *board*. It has only what the Python module and cribpi call."""

    WS2811_SUCCESS = 0
    WS2811_TARGET_FREQ = 800_000

    def __init__(self, board: Board) -> None:
        super().__init__("_rpi_ws281x")
        self.board = board
        for name, value in _STRIPS.items():
            setattr(self, name, value)

    # The handle.

    def new_ws2811_t(self) -> Handle:
        handle = Handle()
        handle.channels = [Channel(handle), Channel(handle)]
        self.board.live.append(handle)
        return handle

    def delete_ws2811_t(self, handle: object) -> None:
        if handle is None:
            return  # like free(NULL), this does nothing
        found = _handle("delete_ws2811_t", handle)
        if found.mode is not None:
            raise crash("the handle is freed while its transfer's memory is still in use")
        found.deleted = True
        self.board.live.remove(found)

    def ws2811_t_freq_set(self, handle: object, freq: object) -> None:
        _handle("ws2811_t_freq_set", handle).freq = _integer(
            "ws2811_t_freq_set", 2, freq, "uint32_t", 0, 0xFFFFFFFF
        )

    def ws2811_t_dmanum_set(self, handle: object, number: object) -> None:
        _handle("ws2811_t_dmanum_set", handle).dmanum = _int("ws2811_t_dmanum_set", 2, number)

    def ws2811_channel_get(self, handle: object, number: object) -> Channel:
        channel = _int("ws2811_channel_get", 2, number)
        if channel not in {0, 1}:
            raise crash(f"there is no channel {channel}")
        return _handle("ws2811_channel_get", handle).channels[channel]

    # The channel.

    def ws2811_channel_t_gpionum_set(self, channel: object, pin: object) -> None:
        name = "ws2811_channel_t_gpionum_set"
        _channel(name, channel).gpionum = _int(name, 2, pin)

    def ws2811_channel_t_invert_set(self, channel: object, invert: object) -> None:
        name = "ws2811_channel_t_invert_set"
        _channel(name, channel).invert = _int(name, 2, invert)

    def ws2811_channel_t_count_set(self, channel: object, count: object) -> None:
        name = "ws2811_channel_t_count_set"
        found = _channel(name, channel)
        if found.memory is not None:
            raise crash("the count is changed under the memory that was taken for another")
        found.count = _int(name, 2, count)

    def ws2811_channel_t_count_get(self, channel: object) -> int:
        return _channel("ws2811_channel_t_count_get", channel).count

    def ws2811_channel_t_strip_type_set(self, channel: object, kind: object) -> None:
        name = "ws2811_channel_t_strip_type_set"
        _channel(name, channel).strip_type = _int(name, 2, kind)

    def ws2811_channel_t_brightness_set(self, channel: object, brightness: object) -> None:
        name = "ws2811_channel_t_brightness_set"
        _channel(name, channel).brightness = _integer(name, 2, brightness, "uint8_t", 0, 255)

    def ws2811_channel_t_brightness_get(self, channel: object) -> int:
        return _channel("ws2811_channel_t_brightness_get", channel).brightness

    def ws2811_channel_t_gamma_set(self, channel: object, gamma: object) -> None:
        found = _channel("ws2811_channel_t_gamma_set", channel)
        if not isinstance(gamma, Sequence):
            raise TypeError("Expecting a sequence")
        if len(gamma) != 256:
            raise ValueError("Sequence size mismatch")
        found.gamma = [int(value) & 0xFF for value in gamma]

    def ws2811_channel_t_leds_get(self, channel: object) -> Address | None:
        found = _channel("ws2811_channel_t_leds_get", channel)
        if found.memory is None:
            return None
        return Address(ctypes.addressof(found.memory) + 4 * GUARD)

    def ws2811_led_get(self, channel: object, led: object) -> int:
        name = "ws2811_led_get"
        found, number = _channel(name, channel), _int(name, 2, led)
        if number >= found.count:
            return 0xFFFFFFFF
        return int(self._memory(name, found, number)[GUARD + number])

    def ws2811_led_set(self, channel: object, led: object, colour: object) -> int:
        name = "ws2811_led_set"
        found, number = _channel(name, channel), _int(name, 2, led)
        word = _integer(name, 3, colour, "uint32_t", 0, 0xFFFFFFFF)
        if number >= found.count:
            return -1
        self._memory(name, found, number)[GUARD + number] = word
        return 0

    # What reaches the hardware.

    def ws2811_init(self, handle: object) -> int:
        found, board = _handle("ws2811_init", handle), self.board
        channel = found.channels[0]
        mode = {10: "spi", 12: "pwm", 18: "pwm", 21: "pcm"}.get(channel.gpionum)
        code = board.init_code
        if code == 0 and not board.knows:
            code = -3
        elif code == 0 and mode is None:
            code = -11
        elif code == 0 and mode == "spi" and not board.has_spi:
            code = -13
        elif code == 0 and mode != "spi" and not board.is_root:
            code = -9
        if code:
            return code
        if channel.count < 0:
            return -2
        for each in found.channels:
            each.take()
        found.mode = mode
        return 0

    def ws2811_render(self, handle: object) -> int:
        found, board = _handle("ws2811_render", handle), self.board
        if found.mode is None:
            raise crash("ws2811_render of what has not begun, or has ended")
        self.board.check()
        signal = pulses(found.channels[0])
        size = transfer_bytes(found.channels[0].count, found.freq)
        board.sending(size)
        if board.render_code or (found.mode == "spi" and size > board.buffer):
            return board.render_code or -14
        board.sent = signal + bytes(size - len(signal))
        board.frames += 1
        # The line stays low until the next frame. The library delays that by at least 300 microseconds.
        board.wire.write(board.sent + bytes(300 * HERTZ // 8_000_000))
        return 0

    def ws2811_wait(self, handle: object) -> int:
        if _handle("ws2811_wait", handle).mode is None:
            raise crash("ws2811_wait of what has not begun, or has ended")
        return 0

    def ws2811_fini(self, handle: object) -> None:
        found = _handle("ws2811_fini", handle)
        if found.mode is None:
            raise crash("ws2811_fini of what has not begun, or has ended")
        self.board.check()
        found.mode = None
        for channel in found.channels:
            channel.give_back(self.board)

    def ws2811_get_return_t_str(self, code: object) -> str:
        number = -_int("ws2811_get_return_t_str", 1, code)
        return CODES[number] if 0 <= number < len(CODES) else ""

    def _memory(self, method: str, channel: Channel, number: int) -> Any:  # noqa: ANN401  a ctypes array
        if channel.memory is None:
            raise crash(f"{method} of what has not begun, or has ended")
        if number < 0:
            raise crash(f"{method} of LED {number} is before the memory")
        return channel.memory
