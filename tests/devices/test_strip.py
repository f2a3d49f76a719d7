"""The strip's encoder against the twin's pulses, and the library's driver against its refusals."""

from __future__ import annotations

import atexit
import gc
import os
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribpi.devices.board import pi_model
from cribpi.devices.strip import open_strip
from cribpi.devices.strip_spi import HERTZ, TAIL, SpiPort, SpiStrip, encode
from cribpi.devices.strip_ws281x import Ws281xStrip
from cribpi.devices.trouble import DeviceTrouble
from cribpi.devices.twin.wire import Wire, WireError, decode

frames = st.lists(st.binary(min_size=3, max_size=3), max_size=40).map(b"".join)


@given(frames)
def test_decode_is_the_inverse_of_encode(rgb: bytes) -> None:
    signal = encode(rgb)
    assert signal.endswith(TAIL)
    assert decode(signal[: -len(TAIL)], HERTZ) == rgb


@pytest.mark.parametrize("byte", range(256))
def test_every_value_of_a_colour_goes_over_the_wire(byte: int) -> None:
    wire = Wire(1)
    SpiStrip(1, wire).show(bytes((byte, 255 - byte, byte ^ 0x55)))
    assert wire.colours == bytes((byte, 255 - byte, byte ^ 0x55))


def test_a_frame_of_363_fits_the_ordinary_buffer() -> None:
    assert len(encode(bytes(3 * 363))) == 3357
    assert len(encode(bytes(3 * 445))) <= 4096


def test_the_tail_is_as_long_as_the_leds_need() -> None:
    assert len(TAIL) * 8 / HERTZ >= 300e-6


@given(frames, frames)
def test_leds_past_the_end_of_a_frame_keep_what_they_showed(first: bytes, second: bytes) -> None:
    wire = Wire(len(first) // 3)
    wire.write(encode(first))
    wire.write(encode(second))
    shown = second[: len(first)]
    assert wire.colours == shown + first[len(shown) :]
    assert wire.frames == 2


def test_nothing_shows_before_the_line_has_rested() -> None:
    wire, signal = Wire(1), encode(b"abc")
    wire.write(signal[:-40])
    assert wire.colours == bytes(3)
    wire.write(encode(b""))
    assert wire.colours == b"abc"


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda signal: b"\x00" + signal, "shifted by a byte of low"),
        (lambda signal: signal[:7], "an LED without its last bits"),
        (lambda signal: signal[:4] + b"\x00" + signal[5:], "a hole in an LED's bits"),
        (lambda signal: bytes(byte ^ 0xFF for byte in signal), "the line upside down"),
    ],
)
def test_a_bad_pulse_is_an_error(spoil: Callable[[bytes], bytes], why: str) -> None:
    signal = encode(b"\x00\x80\x00")[: -len(TAIL)]
    with pytest.raises(WireError):
        pytest.fail(f"{why}: read as {decode(spoil(signal), HERTZ)!r}")


@pytest.mark.parametrize(
    ("high", "low", "read", "why"),
    [
        (1, 9, None, "125 ns high is a glitch"),
        (2, 8, 0x00, "the shortest nought"),
        (4, 6, 0x00, "the longest nought"),
        (5, 5, 0xFF, "the shortest one"),
        (8, 2, 0xFF, "the longest one"),
        (9, 1, None, "1125 ns high is too long for a one"),
    ],
)
def test_a_pulse_is_read_by_how_long_it_is_high(high: int, low: int, read: int | None, why: str) -> None:
    signal = int(24 * ("1" * high + "0" * low), 2).to_bytes(30)
    if read is None:
        with pytest.raises(WireError):
            pytest.fail(f"{why}: read as {decode(signal, 8_000_000)!r}")
    else:
        assert decode(signal, 8_000_000) == bytes((read,) * 3), why


@pytest.mark.parametrize(
    ("two_bits", "fault"),
    [
        ("11111111011111111000", "1000 ns high and 125 ns low"),
        ("11111111100011111000", "1125 ns high and 375 ns low"),
    ],
)
def test_one_pulse_out_of_its_limits_is_an_error(two_bits: str, fault: str) -> None:
    with pytest.raises(WireError, match=fault):
        decode(int(12 * two_bits, 2).to_bytes(30), 8_000_000)


def test_another_clock_with_the_same_pulses_is_read_as_well() -> None:
    bits = "".join("1110" if bit == "1" else "1000" for bit in f"{0x80FF01:024b}")
    assert decode(int(bits, 2).to_bytes(12), 3_200_000) == bytes((0xFF, 0x80, 0x01))


def test_the_same_bytes_at_another_clock_are_not() -> None:
    with pytest.raises(WireError):
        decode(encode(b"abc")[: -len(TAIL)], 6_400_000)


def test_a_frame_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="6 bytes"):
        SpiStrip(2, Wire(2)).show(bytes(9))
    with pytest.raises(ValueError, match="three bytes"):
        encode(bytes(4))


def test_a_frame_that_was_not_sent_whole_is_said() -> None:
    class Short:
        def write(self, data: bytes) -> int:
            return len(data) - 1

        def close(self) -> None:
            pass

    with pytest.raises(DeviceTrouble, match=r"98 of 99 bytes were sent"):
        SpiStrip(1, Short()).show(bytes(3))


def test_a_port_that_is_gone_is_a_sentence() -> None:
    wire = Wire(1)
    wire.plugged = False
    with pytest.raises(DeviceTrouble, match=r"^strip: its bus is not there"):
        SpiStrip(1, wire).show(bytes(3))
    with pytest.raises(DeviceTrouble, match=r"^strip: its bus is not there"):
        SpiPort("/dev/no-such-port")


def test_a_file_that_is_no_port_is_closed_again() -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208  names are not wanted
    with pytest.raises(DeviceTrouble, match=r"^strip: /dev/null is no SPI port"):
        SpiPort("/dev/null")
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


class Library:
    """rpi_ws281x as far as the driver uses it: its codes, and its hook that runs at exit."""

    def __init__(self, code: int = 0) -> None:
        self.code = code
        self.cleaned = 0
        self.pixels: dict[int, int] = {}
        self.shown: list[list[int]] = []

    def PixelStrip(self, leds: int, pin: int, *, freq_hz: int, dma: int) -> Library:  # noqa: N802  its name
        assert (pin, freq_hz, dma) == (10, 800_000, 10)
        self.pixels = dict.fromkeys(range(leds), 0)
        atexit.register(self._cleanup)
        return self

    def begin(self) -> None:
        if self.code:
            raise RuntimeError(f"ws2811_init failed with code {self.code} (as it is)")

    def setPixelColor(self, led: int, colour: int) -> None:  # noqa: N802  its name
        assert led in self.pixels
        self.pixels[led] = colour

    def show(self) -> None:
        if self.code:
            raise RuntimeError(f"ws2811_render failed with code {self.code} (as it is)")
        self.shown.append(list(self.pixels.values()))

    def _cleanup(self) -> None:
        self.cleaned += 1


def test_the_library_shows_the_frame_and_is_cleaned_up_once() -> None:
    library = Library()
    strip = Ws281xStrip(2, library=library)
    strip.show(bytes((1, 2, 3, 4, 5, 6)))
    assert library.shown == [[0x010203, 0x040506]]
    with pytest.raises(ValueError, match="6 bytes"):
        strip.show(bytes(9))
    strip.close()
    assert library.cleaned == 1
    kept = weakref.ref(library)
    del strip, library
    gc.collect()
    assert kept() is None, "a hook would clean up again at the exit"


@pytest.mark.parametrize(
    ("code", "remedy"), [(-3, "driver to spi"), (-14, r"spidev\.bufsiz"), (-99, "driver spi")]
)
def test_a_code_of_the_library_is_a_sentence(code: int, remedy: str) -> None:
    library = Library()
    strip = Ws281xStrip(2, library=library)
    library.code = code
    with pytest.raises(DeviceTrouble, match=remedy):
        strip.show(bytes(6))
    strip.close()


def test_a_library_that_cannot_begin_leaves_no_hook_behind() -> None:
    library = Library(code=-3)
    kept = weakref.ref(library)
    with pytest.raises(DeviceTrouble, match=r"does not know this board.*\(code -3\)") as refusal:
        Ws281xStrip(2, library=library)
    del refusal, library
    gc.collect()
    assert kept() is None, "a hook holds the library until the exit, and would crash it there"


def test_the_driver_is_opened_as_the_board_wants() -> None:
    with pytest.raises(DeviceTrouble, match=r"^strip: its bus is not there"):
        open_strip(242, "Raspberry Pi 5 Model B Rev 1.0")


@pytest.mark.parametrize(
    ("content", "model"),
    [
        (b"Raspberry Pi Zero 2 W Rev 1.0\0", "Raspberry Pi Zero 2 W Rev 1.0"),
        (b"Some Other Board\0", None),
        (None, None),
    ],
)
def test_the_model_is_read_as_the_kernel_gives_it(
    tmp_path: Path, content: bytes | None, model: str | None
) -> None:
    path = tmp_path / "model"
    if content is not None:
        path.write_bytes(content)
    assert pi_model(path) == model
