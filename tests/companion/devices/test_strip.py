"""The strip's encoder against the twin's pulses, and which driver serves which kit."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribpi.companion.devices.board import pi_model
from cribpi.companion.devices.strip import (
    BUFFER,
    FOUR_BITS,
    THREE_BITS,
    BitEncoding,
    Driver,
    SpiStrip,
    chosen_driver,
    encoding_for,
    frame_bytes,
    open_spi,
    open_strip,
    spi_buffer,
)
from cribpi.companion.devices.strip_ws281x import StripDriver
from cribpi.companion.devices.supervisor import DeviceTrouble, sentence
from cribpi.companion.devices.twin.wire import WS2812B, WS2812B_V5, Led, Wire, WireError, decode

frames = st.lists(st.binary(min_size=3, max_size=3), min_size=1, max_size=40).map(b"".join)
CODES = pytest.mark.parametrize(
    ("code", "led"), [(FOUR_BITS, WS2812B_V5), (FOUR_BITS, WS2812B), (THREE_BITS, WS2812B)]
)


def steady(leds: int, code: BitEncoding, led: Led = WS2812B) -> Wire:
    """Return a line at the clock of *code* without pauses, which rests low."""
    return Wire(leds, code.hertz, led=led, idle=0, rests_high=False)


def colours_of(code: BitEncoding, rgb: bytes) -> bytes:
    """Return the SPI bytes of the colours alone, without the rests around them."""
    return code.encode(rgb)[len(code.rest) : -len(code.rest)]


@CODES
@given(rgb=frames)
def test_decode_is_the_inverse_of_encode(code: BitEncoding, led: Led, rgb: bytes) -> None:
    signal = code.encode(rgb)
    assert signal.startswith(code.rest)
    assert signal.endswith(code.rest)
    assert len(signal) == code.frame_bytes(len(rgb) // 3)
    assert decode(colours_of(code, rgb), code.hertz, led) == rgb


@pytest.mark.parametrize("idle", range(12))
@pytest.mark.parametrize("led", [WS2812B_V5, WS2812B])
def test_every_value_of_a_colour_goes_over_a_line_that_pauses_between_bytes_and_rests_high(
    led: Led, idle: int
) -> None:
    """Eleven clocks are 3.4 us: longer lows than that come close to what LEDs take for a rest."""
    wire = Wire(256, FOUR_BITS.hertz, led=led, idle=idle)
    rgb = b"".join(bytes((byte, 255 - byte, byte ^ 0x55)) for byte in range(256))
    SpiStrip(256, wire).show(rgb)
    assert wire.colours == rgb
    SpiStrip(256, wire).show(rgb[::-1])
    assert (wire.colours, wire.frames) == (rgb[::-1], 2)


@pytest.mark.parametrize("value", range(256))
def test_three_bits_a_bit_lose_each_colour_with_bit_2_set_where_the_line_pauses(value: int) -> None:
    """What four public reports say of it; without a pause all of them get through."""
    rgb = bytes((value, 0, 0))
    wire = steady(1, THREE_BITS)
    SpiStrip(1, wire, THREE_BITS).show(rgb)
    assert wire.colours == rgb
    pausing = Wire(1, THREE_BITS.hertz, led=WS2812B, idle=1)
    if value & 4:
        with pytest.raises(WireError, match="25 of 24 bits"):
            SpiStrip(1, pausing, THREE_BITS).show(rgb)
    else:
        SpiStrip(1, pausing, THREE_BITS).show(rgb)
        assert pausing.colours == rgb


@pytest.mark.parametrize("cut", [slice(None, -1), slice(1, None)], ids=["after", "before"])
@pytest.mark.parametrize("code", [FOUR_BITS, THREE_BITS])
def test_a_frame_whose_rest_is_too_short_is_an_error_on_a_line_that_rests_high(
    code: BitEncoding, cut: slice
) -> None:
    signal = colours_of(code, b"abc")
    rest = bytes(code.hertz * 280 // 8_000_000)  # just what the LEDs need
    wire = Wire(1, code.hertz, led=WS2812B, idle=0)
    with pytest.raises(WireError, match="high at rest"):
        wire.write((rest + signal + rest)[cut])
    wire.write(rest + signal + rest)
    assert wire.colours == b"abc"


@pytest.mark.parametrize("code", [FOUR_BITS, THREE_BITS])
def test_a_frame_rests_longer_than_the_leds_need(code: BitEncoding) -> None:
    assert len(code.rest) * 8 / code.hertz > 280e-6


def test_a_0_and_a_1_are_as_long_as_every_data_sheet_has_them() -> None:
    """At the clocks that a Pi makes of 3.2 MHz, by its divisors: see docs/explanation/strip.md."""
    for clock in (250e6 / 80, 500e6 / 158, 400e6 / 126, 200e6 / 64):
        high_0, high_1 = (round(1e9 * bits / clock) for bits in (1, 3))
        assert high_0 in WS2812B_V5.high_0
        assert high_1 in WS2812B_V5.high_1
        assert high_0 in WS2812B.high_0


LONGEST = [
    # LEDs, buffer, the code that they get
    (321, BUFFER, FOUR_BITS),
    (322, BUFFER, THREE_BITS),
    (363, BUFFER, THREE_BITS),
    (435, BUFFER, THREE_BITS),
    (363, 8192, FOUR_BITS),
]


@pytest.mark.parametrize(("leds", "buffer", "code"), LONGEST)
def test_a_strip_too_long_for_four_bits_a_bit_gets_three(leds: int, buffer: int, code: BitEncoding) -> None:
    assert encoding_for(leds, buffer) is code
    rgb = bytes(number % 251 for number in range(3 * leds))
    wire = steady(leds, code)
    asked: list[int] = []

    def port(hertz: int) -> Wire:
        asked.append(hertz)
        return wire

    open_strip(leds, buffer=buffer, open_port=port).show(rgb)
    assert (asked, wire.colours) == ([code.hertz], rgb)


@given(frames, frames)
def test_leds_past_the_end_of_a_frame_keep_what_they_showed(first: bytes, second: bytes) -> None:
    wire = Wire(len(first) // 3)
    wire.write(FOUR_BITS.encode(first))
    wire.write(FOUR_BITS.encode(second))
    shown = second[: len(first)]
    assert wire.colours == shown + first[len(shown) :]
    assert wire.frames == 2


def test_nothing_shows_before_the_line_has_rested() -> None:
    wire, signal = steady(1, FOUR_BITS), FOUR_BITS.encode(b"abc")
    wire.write(signal[:-40])
    assert wire.colours == bytes(3)
    wire.write(FOUR_BITS.rest)
    assert (wire.colours, wire.frames) == (b"abc", 1)
    wire.write(FOUR_BITS.rest)
    assert (wire.colours, wire.frames) == (b"abc", 1)


def test_leds_that_lose_their_power_are_dark_until_the_next_frame() -> None:
    wire = Wire(1)
    strip = SpiStrip(1, wire)
    strip.show(b"abc")
    wire.lose_power()
    assert wire.colours == bytes(3)
    strip.show(b"abc")
    assert wire.colours == b"abc"


def test_what_shows_the_same_again_is_no_change() -> None:
    wire, changes = Wire(1), list[bytes]()
    wire.when_changed = lambda: changes.append(wire.colours)
    for rgb in (b"abc", b"abc", b"abd"):
        SpiStrip(1, wire).show(rgb)
    assert (changes, wire.frames) == ([b"abc", b"abd"], 3)


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
    signal = colours_of(FOUR_BITS, b"\x00\x80\x00")
    with pytest.raises(WireError):
        pytest.fail(f"{why}: read as {decode(spoil(signal), FOUR_BITS.hertz)!r}")


PULSES = [
    # LED, clocks high of ten at 8 MHz, the bit that is read
    (WS2812B_V5, 1, None, "125 ns is a glitch"),
    (WS2812B_V5, 2, 0x00, "250 ns"),
    (WS2812B_V5, 3, 0x00, "375 ns: a 0 may have 380"),
    (WS2812B_V5, 4, None, "500 ns is neither"),
    (WS2812B_V5, 5, 0xFF, "625 ns: a 1 has 580 or more"),
    (WS2812B_V5, 8, 0xFF, "1000 ns: a 1 may have that"),
    (WS2812B_V5, 9, None, "1125 ns is too long for a 1"),
    (WS2812B, 2, 0x00, "250 ns: a 0 has that or more"),
    (WS2812B, 4, 0x00, "500 ns: a 0 may have 550"),
    (WS2812B, 5, None, "625 ns is neither"),
    (WS2812B, 6, 0xFF, "750 ns: a 1 has 650 or more"),
    (WS2812B, 8, None, "1000 ns: a 1 may have 950"),
]


@pytest.mark.parametrize(("led", "high", "read", "why"), PULSES)
def test_a_pulse_is_read_by_how_long_it_is_high(led: Led, high: int, read: int | None, why: str) -> None:
    signal = int(24 * ("1" * high + "0" * (10 - high)), 2).to_bytes(30)
    if read is None:
        with pytest.raises(WireError, match=f"{125 * high} ns high"):
            pytest.fail(f"{why}: read as {decode(signal, 8_000_000, led)!r}")
    else:
        assert decode(signal, 8_000_000, led) == bytes((read,) * 3), why


@pytest.mark.parametrize(
    ("two_bits", "fault"),
    [
        ("11111111011111111000", "1000 ns high and 125 ns low"),
        ("11111111100011111000", "1125 ns high and 375 ns low"),
        ("11111111000000110000", "250 ns high and 500 ns low"),
    ],
)
def test_one_pulse_out_of_its_limits_is_an_error(two_bits: str, fault: str) -> None:
    with pytest.raises(WireError, match=fault):
        decode(int(12 * two_bits, 2).to_bytes(30), 8_000_000)


def test_a_low_of_more_than_5_us_is_an_error() -> None:
    signal = colours_of(FOUR_BITS, b"abc")
    assert decode(signal, FOUR_BITS.hertz, idle=12) == b"abc"
    with pytest.raises(WireError, match="5312 ns low"):
        decode(signal, FOUR_BITS.hertz, idle=14)


def test_the_same_bytes_at_another_clock_are_not_read() -> None:
    with pytest.raises(WireError):
        decode(colours_of(FOUR_BITS, b"abc"), 6_400_000)


def test_a_frame_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="6 bytes"):
        SpiStrip(2, Wire(2)).show(bytes(9))
    with pytest.raises(ValueError, match="three bytes"):
        FOUR_BITS.encode(bytes(4))


def test_a_frame_that_was_not_sent_whole_is_said() -> None:
    class Short:
        def write(self, data: bytes) -> int:
            return len(data) - 1

        def close(self) -> None:
            pass

    with pytest.raises(DeviceTrouble, match=r"251 of 252 bytes were sent"):
        SpiStrip(1, Short()).show(bytes(3))


def test_a_port_that_is_gone_is_a_sentence() -> None:
    wire = Wire(1)
    wire.plugged = False
    with pytest.raises(DeviceTrouble, match=r"^strip: its bus is not there"):
        SpiStrip(1, wire).show(bytes(3))
    with pytest.raises(DeviceTrouble, match=r"^strip: its bus is not there"):
        open_spi(FOUR_BITS.hertz, "/dev/no-such-port")


class Failing:
    """A port that fails in the kernel."""

    def __init__(self, number: int) -> None:
        self.number = number

    def write(self, _data: bytes) -> int:
        raise OSError(self.number, os.strerror(self.number))

    def close(self) -> None:
        pass


@pytest.mark.parametrize("number", [errno.ETIMEDOUT, errno.EREMOTEIO, errno.EIO, errno.ENXIO, errno.EINVAL])
def test_what_fails_of_spi_is_said_of_spi_and_not_of_what_a_strip_does_not_have(number: int) -> None:
    """A strip has no address, and nothing on its wire answers: as linux #5696 and #5865, on a Pi 5."""
    with pytest.raises(DeviceTrouble) as trouble:
        SpiStrip(1, Failing(number)).show(bytes(3))
    assert re.fullmatch(
        rf"strip: SPI failed \(.+\), and no wire can cause that; restart the Pi, .* \(error {number}\)",
        str(trouble.value),
    )


@pytest.mark.parametrize("device", ["keypad", "voice"])
def test_only_a_screen_has_a_bus_and_four_wires(device: str) -> None:
    for number in (errno.EREMOTEIO, errno.ENXIO, errno.EIO, errno.ETIMEDOUT):
        error = OSError(number, os.strerror(number))
        assert re.search("four wires|short and firm|bus is stuck", sentence("oled", error))
        assert sentence(device, error) == f"{device}: {error.strerror}; check its wires (error {number})"


def test_a_file_that_is_no_port_is_closed_again() -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208  names are not wanted
    with pytest.raises(DeviceTrouble, match=r"^strip: /dev/null is not an SPI port"):
        open_spi(FOUR_BITS.hertz, "/dev/null")
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_a_port_is_set_up_and_each_frame_is_one_write(
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
    path = tmp_path / "spidev0.0"
    path.touch()
    strip = open_strip(1, open_port=lambda hertz: open_spi(hertz, str(path)))
    assert asked == [(1, 0), (3, 8), (4, 3_200_000)], "mode, bits a word, clock"
    strip.show(b"abc")
    strip.close()
    assert path.read_bytes() == FOUR_BITS.encode(b"abc")


CHOICES: list[tuple[Driver | str, int, Driver, str]] = [
    ("auto", 10, "spi", "three SPI bits a bit, as the library sends, do not survive a pause"),
    ("auto", 18, "rpi-ws281x", "our own encoder has only GPIO 10"),
    ("rpi-ws281x", 10, "rpi-ws281x", "the kit asks for it"),
    ("spi", 10, "spi", "the kit asks for it"),
]


@pytest.mark.parametrize(("driver", "pin", "chosen", "why"), CHOICES)
def test_the_driver_is_our_own_encoder_where_the_kit_leaves_it_to_us_and_it_can(
    driver: Driver, pin: int, chosen: Driver, why: str
) -> None:
    assert chosen_driver(driver, pin) == chosen, why
    library, wire = Library(), Wire(2)
    open_strip(2, driver=driver, pin=pin, open_library=library, open_port=lambda _hertz: wire).show(b"abcdef")
    assert (library.asked == [(2, pin)]) is (chosen == "rpi-ws281x")
    assert (wire.frames == 1) is (chosen == "spi")


class Library:
    """Opens the strip that rpi-ws281x drives, or refuses it with a code."""

    def __init__(self, code: int = 0) -> None:
        self.code = code
        self.asked: list[tuple[int, int]] = []

    def __call__(self, leds: int, pin: int) -> StripDriver:
        self.asked.append((leds, pin))
        if self.code:
            raise DeviceTrouble(f"strip: refused (code {self.code})")
        return SpiStrip(leds, Wire(leds))


@pytest.mark.parametrize("code", [-3, -13])
def test_what_the_library_refuses_is_said(code: int) -> None:
    with pytest.raises(DeviceTrouble, match=f"code {code}"):
        open_strip(2, driver="rpi-ws281x", open_library=Library(code))


@pytest.mark.parametrize(
    ("driver", "leds", "says"),
    [
        ("rpi-ws281x", 363, r"363 LEDs with rpi-ws281x take 4376 bytes, .*\.bufsiz=32768 .* driver to spi$"),
        ("spi", 436, r"436 LEDs take 4104 bytes, .* has 4096; add spidev\.bufsiz=32768 to .*cmdline\.txt$"),
    ],
)
def test_a_strip_too_long_for_spi_is_refused_before_it_is_opened(
    driver: Driver, leds: int, says: str
) -> None:
    library, ports = Library(), list[int]()

    def opened(buffer: int, pin: int = 10) -> StripDriver:
        def port(hertz: int) -> Wire:
            ports.append(hertz)
            return Wire(leds)

        return open_strip(leds, driver=driver, pin=pin, buffer=buffer, open_library=library, open_port=port)

    with pytest.raises(DeviceTrouble, match=f"^strip: {says}"):
        opened(4096)
    assert (library.asked, ports) == ([], [])
    opened(8192)
    assert (library.asked or ports) == ([(leds, 10)] if driver == "rpi-ws281x" else [FOUR_BITS.hertz])


def test_pwm_needs_no_buffer_of_spi() -> None:
    library = Library()
    open_strip(363, pin=18, buffer=4096, open_library=library)
    assert library.asked == [(363, 18)]


def test_the_buffer_should_take_four_bits_a_bit_or_what_the_library_sends() -> None:
    assert frame_bytes(321, "spi") <= BUFFER < frame_bytes(322, "spi")
    assert frame_bytes(339, "rpi-ws281x") <= BUFFER < frame_bytes(340, "rpi-ws281x")


@pytest.mark.parametrize(("content", "size"), [("8192\n", 8192), ("", 4096), (None, 4096)])
def test_the_buffer_is_what_the_kernel_tells(tmp_path: Path, content: str | None, size: int) -> None:
    path = tmp_path / "bufsiz"
    if content is not None:
        path.write_text(content, encoding="ascii")
    assert spi_buffer(path) == size


def test_the_port_is_spidev() -> None:
    if Path("/dev/spidev0.0").exists():
        pytest.skip("this machine has an SPI port, and its strip is not ours to write to")
    with pytest.raises(DeviceTrouble, match=r"^strip: its bus is not there"):
        open_strip(242)


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
