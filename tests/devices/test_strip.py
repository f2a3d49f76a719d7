"""The strip's encoder against the twin's pulses, and which driver serves which board."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribpi.devices.board import pi_model
from cribpi.devices.strip import Driver, chosen_driver, open_strip, spi_buffer
from cribpi.devices.strip_spi import HERTZ, TAIL, SpiPort, SpiStrip, encode
from cribpi.devices.strip_ws281x import Strip, Ws281xTrouble
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
    with pytest.raises(DeviceTrouble, match=r"^strip: /dev/null is not an SPI port"):
        SpiPort("/dev/null")
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_a_port_is_set_up_and_its_line_is_low_before_the_first_frame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel's answers are made up: no machine that tests has an SPI port."""
    asked: list[tuple[int, int]] = []

    def ioctl(_file: int, request: int, value: bytes) -> int:
        # _IOW('k', number, size) of <linux/spi/spidev.h>: the size stands in the request.
        assert (request >> 30, request >> 16 & 0x3FFF, request >> 8 & 0xFF) == (1, len(value), ord("k"))
        asked.append((request & 0xFF, int.from_bytes(value, "little")))
        return 0

    monkeypatch.setattr("fcntl.ioctl", ioctl)
    path, wire = tmp_path / "spidev0.0", Wire(1)
    path.touch()
    strip = open_strip(1, PI_5, open_port=lambda: SpiPort(str(path)))
    assert asked == [(1, 0), (3, 8), (4, HERTZ)], "mode, bits a word, clock"
    assert path.read_bytes() == TAIL
    strip.show(b"abc")
    strip.close()
    wire.write(path.read_bytes()[len(TAIL) :])
    assert wire.colours == b"abc"


PI_3, PI_4, PI_5 = "Raspberry Pi 3 Model B Plus Rev 1.3", "Raspberry Pi 4 Model B Rev 1.4", "Raspberry Pi 5"
ZERO = "Raspberry Pi Zero 2 W Rev 1.0"

CHOICES = [
    # model    leds  pin  library  buffer  driver         why
    (ZERO, 242, 10, True, 4096, "rpi-ws281x", "a board that it knows"),
    (PI_3, 121, 10, True, 4096, "rpi-ws281x", "a board that it knows"),
    (PI_4, 339, 10, True, 4096, "rpi-ws281x", "the longest that the ordinary buffer takes"),
    (PI_4, 340, 10, True, 4096, "spi", "12 bytes an LED, and 8 more than the buffer has"),
    (PI_4, 363, 10, True, 8192, "rpi-ws281x", "a larger buffer takes it"),
    (PI_5, 242, 10, True, 4096, "spi", "it does not know a Pi 5"),
    (PI_4, 242, 10, False, 4096, "spi", "it is not installed"),
    (
        PI_5,
        242,
        18,
        False,
        4096,
        "rpi-ws281x",
        "our own encoder has only GPIO 10, and so it must say why not",
    ),
    (PI_4, 363, 18, True, 4096, "rpi-ws281x", "PWM needs no buffer of SPI's"),
]


@pytest.mark.parametrize(("model", "leds", "pin", "library", "buffer", "driver", "why"), CHOICES)
def test_the_driver_is_the_one_that_can_drive_the_strip(
    model: str,
    leds: int,
    pin: int,
    library: bool,  # noqa: FBT001  a row of a table
    buffer: int,
    driver: str,
    why: str,
) -> None:
    assert chosen_driver(model, leds, pin, has_ws281x=library, buffer=buffer) == driver, why


class Library:
    """Opens the strip that rpi-ws281x drives, or refuses it with a code."""

    def __init__(self, code: int = 0) -> None:
        self.code = code
        self.asked: list[tuple[int, int]] = []

    def __call__(self, leds: int, pin: int) -> Strip:
        self.asked.append((leds, pin))
        if self.code:
            raise Ws281xTrouble(f"strip: refused (code {self.code})", self.code)
        return SpiStrip(leds, Wire(leds))


@pytest.mark.parametrize(
    ("driver", "pin", "code", "takes_over", "why"),
    [
        ("auto", 10, -3, True, "a newer revision of a board that it does know"),
        ("auto", 10, -13, False, "our own encoder would not find SPI either"),
        ("auto", 18, -3, False, "our own encoder cannot use GPIO 18"),
        ("rpi-ws281x", 10, -3, False, "the kit asks for it by name"),
    ],
)
def test_our_own_encoder_takes_over_where_the_choice_was_ours(
    driver: Driver,
    pin: int,
    code: int,
    takes_over: bool,  # noqa: FBT001  a row of a table
    why: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cribpi.devices.strip.find_spec", lambda _name: True)
    library, wire = Library(code), Wire(2)

    def opened() -> Strip:
        return open_strip(2, PI_4, driver=driver, pin=pin, open_library=library, open_port=lambda: wire)

    if takes_over:
        opened().show(b"abcdef")
        assert wire.colours == b"abcdef", why
    else:
        with pytest.raises(DeviceTrouble, match=f"code {code}"):
            opened()
    assert library.asked == [(2, pin)]


def test_the_kit_can_ask_for_the_encoder_on_any_board() -> None:
    library, wire = Library(), Wire(1)
    open_strip(1, PI_4, driver="spi", open_library=library, open_port=lambda: wire).show(b"abc")
    assert wire.colours == b"abc"
    assert library.asked == []


def test_a_strip_too_long_for_the_library_is_refused_before_it_is_opened() -> None:
    library = Library()
    with pytest.raises(
        DeviceTrouble, match=r"^strip: 363 LEDs take 4376 bytes .*\.bufsiz=32768 .* driver to spi$"
    ):
        open_strip(363, PI_4, driver="rpi-ws281x", buffer=4096, open_library=library)
    assert library.asked == []
    open_strip(363, PI_4, driver="rpi-ws281x", buffer=8192, open_library=library)
    open_strip(363, PI_4, driver="rpi-ws281x", pin=18, buffer=4096, open_library=library)
    assert library.asked == [(363, 10), (363, 18)]


@pytest.mark.parametrize(("content", "size"), [("8192\n", 8192), ("", 4096), (None, 4096)])
def test_the_buffer_is_what_the_kernel_tells(tmp_path: Path, content: str | None, size: int) -> None:
    path = tmp_path / "bufsiz"
    if content is not None:
        path.write_text(content, encoding="ascii")
    assert spi_buffer(path) == size


def test_the_port_of_a_pi_5_is_spidev() -> None:
    if Path("/dev/spidev0.0").exists():
        pytest.skip("this machine has an SPI port, and its strip is not ours to write to")
    with pytest.raises(DeviceTrouble, match=r"^strip: its bus is not there"):
        open_strip(242, PI_5)


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
