"""The driver over the real Python module rpi_ws281x, whose C part is a stand-in that objects where it would
crash."""

from __future__ import annotations

import atexit
import gc
import re
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.paths import TESTS
from support.patience import PATIENCE
from support.ws281x import CODES
from support.ws281x_board import HERTZ, Board, Crash, library_wire
from support.ws281x_module import SEGFAULT, need_python_part, real_module

from cribpi.companion.devices.strip import SpiStrip
from cribpi.companion.devices.strip_ws281x import Ws281xStrip, spi_bytes, trouble
from cribpi.companion.devices.supervisor import DeviceTrouble
from cribpi.companion.devices.twin.wire import WS2812B, Wire, WireError

frames = st.lists(st.binary(min_size=3, max_size=3), min_size=1, max_size=40).map(b"".join)


@pytest.fixture(autouse=True)
def _fetched() -> None:
    need_python_part()


@pytest.fixture
def board() -> Iterator[Board]:
    board = Board(library_wire(3))
    yield board
    board.check()
    assert board.live == [], "a handle of the library is left behind"


@pytest.fixture
def library(board: Board) -> Iterator[ModuleType]:
    with real_module(board) as module:
        yield module


def test_the_module_is_the_version_that_is_pinned(library: ModuleType) -> None:
    pins = (TESTS.parent / "constraints.txt").read_text(encoding="utf-8")
    source = (TESTS / "support" / "rpi_ws281x.txt").read_text(encoding="utf-8")
    assert f"rpi-ws281x=={library.__version__} " in pins
    assert f"rpi-ws281x=={library.__version__} --hash=sha256:" in source


@given(frames)
def test_both_drivers_show_the_same_colours(rgb: bytes) -> None:
    leds = len(rgb) // 3
    board, ours = Board(library_wire(leds)), Wire(leds)
    with real_module(board) as library:
        strip = Ws281xStrip(leds, library=library)
        strip.show(rgb)
        strip.close()
    SpiStrip(leds, ours).show(rgb)
    assert board.wire.colours == ours.colours == rgb


@pytest.mark.parametrize(
    ("line", "says"),
    [({"idle": 1, "rests_high": False}, "25 of 24 bits"), ({"idle": 0, "rests_high": True}, "high at rest")],
)
def test_the_library_needs_a_line_that_neither_pauses_nor_rests_high(line: dict[str, Any], says: str) -> None:
    """So `auto` is our own encoder, which needs neither."""
    with real_module(Board(Wire(1, HERTZ, led=WS2812B, **line))) as library:
        strip = Ws281xStrip(1, library=library)
        with pytest.raises(WireError, match=says):
            strip.show(bytes((0, 4, 0)))
        strip.close()


def test_every_frame_takes_the_place_of_the_one_before(board: Board, library: ModuleType) -> None:
    strip = Ws281xStrip(3, library=library)
    for level in range(256):
        frame = bytes((level, 255 - level, level ^ 85)) * 3
        strip.show(frame)
        assert board.wire.colours == frame
    assert board.frames == 256
    strip.close()


@pytest.mark.parametrize("leds", [1, 61, 121, 242, 339, 340, 363])
def test_a_transfer_is_as_long_as_the_library_makes_it(leds: int) -> None:
    board = Board(library_wire(leds), buffer=8192)
    with real_module(board) as library:
        strip = Ws281xStrip(leds, library=library)
        strip.show(bytes(3 * leds))
        strip.close()
    assert len(board.sent) == spi_bytes(leds)


def test_pwm_is_used_on_its_pin(board: Board, library: ModuleType) -> None:
    board.is_root, board.buffer = True, 0
    strip = Ws281xStrip(3, 18, library)
    assert [handle.mode for handle in board.live] == ["pwm"]
    strip.show(b"abcdefghi")
    assert board.wire.colours == b"abcdefghi"
    strip.close()


@pytest.mark.parametrize("size", [0, 3, 8, 10, 12, 900])
def test_a_frame_of_another_length_is_refused_before_it_reaches_the_memory(
    board: Board, library: ModuleType, size: int
) -> None:
    strip = Ws281xStrip(3, library=library)
    with pytest.raises(ValueError, match="9 bytes"):
        strip.show(bytes(size))
    board.check()
    assert board.frames == 0
    strip.close()


@pytest.mark.parametrize("leds", [0, -1])
def test_a_strip_without_leds_is_refused(library: ModuleType, leds: int) -> None:
    with pytest.raises(ValueError, match="at least one LED"):
        Ws281xStrip(leds, library=library)


@pytest.mark.parametrize(
    ("spoil", "pin", "remedy"),
    [
        (lambda board: setattr(board, "knows", False), 10, r"does not know this board.*Pi 5.*\(code -3\)"),
        (lambda board: setattr(board, "has_spi", False), 10, r"enable SPI.*spi.*groups.*\(code -13\)"),
        (lambda _board: None, 18, r"run the service as root.*\(code -9\)"),
        (lambda _board: None, 17, r"use GPIO 10, or 18 as root \(code -11\)"),
    ],
)
def test_a_strip_that_cannot_be_opened_is_a_sentence_and_leaves_nothing_behind(
    board: Board, library: ModuleType, spoil: Callable[[Board], object], pin: int, remedy: str
) -> None:
    spoil(board)
    with pytest.raises(DeviceTrouble, match=f"^strip: rpi-ws281x: .*{remedy}$"):
        Ws281xStrip(3, pin, library)
    gc.collect()
    assert not [thing for thing in gc.get_objects() if type(thing) is library.PixelStrip], "a hook holds it"


@pytest.mark.parametrize("code", range(-1, -len(CODES), -1))
def test_every_code_of_the_library_has_a_remedy_at_the_beginning_and_when_sending(
    board: Board, library: ModuleType, code: int
) -> None:
    board.init_code = code
    with pytest.raises(DeviceTrouble, match=rf"^strip: rpi-ws281x: .*[,;] .*\(code {code}\)$"):
        Ws281xStrip(3, library=library)
    board.init_code = 0
    strip = Ws281xStrip(3, library=library)
    board.render_code = code
    with pytest.raises(DeviceTrouble, match=rf"\(code {code}\)$"):
        strip.show(bytes(9))
    strip.close()


def test_a_code_of_a_later_version_is_told_as_it_is() -> None:
    error = trouble(RuntimeError("ws2811_init failed with code -15 (Something new)"))
    assert str(error) == (
        "strip: rpi-ws281x: ws2811_init failed with code -15 (Something new); try the strip's driver spi"
    )


def test_a_frame_longer_than_the_buffer_is_code_14() -> None:
    board = Board(library_wire(340))
    with real_module(board) as library:
        strip = Ws281xStrip(340, library=library)
        with pytest.raises(DeviceTrouble, match=r"raise spidev\.bufsiz .*\(code -14\)$"):
            strip.show(bytes(1020))
        strip.close()


def test_a_failure_while_sending_can_pass(board: Board, library: ModuleType) -> None:
    strip = Ws281xStrip(3, library=library)
    board.render_code = -14
    with pytest.raises(DeviceTrouble):
        strip.show(bytes(9))
    board.render_code = 0
    strip.show(b"abcdefghi")
    assert board.wire.colours == b"abcdefghi"
    strip.close()


def test_a_closed_strip_is_not_written_to(board: Board, library: ModuleType) -> None:
    strip = Ws281xStrip(3, library=library)
    strip.close()
    strip.close()
    with pytest.raises(DeviceTrouble, match="has been closed"):
        strip.show(bytes(9))
    board.check()


def test_nothing_holds_a_closed_strip_until_the_exit(library: ModuleType) -> None:
    strip = Ws281xStrip(3, library=library)
    kept = weakref.ref(strip._strip)
    strip.close()
    del strip
    gc.collect()
    assert kept() is None, "a hook would end it a second time at the exit, and crash the interpreter"


MISUSES: list[tuple[str, Callable[[Any], object]]] = [
    ("a pixel before the beginning", lambda strip: strip.setPixelColor(0, 1)),
    ("a pixel read before the beginning", lambda strip: strip[0]),
    ("sending before the beginning", lambda strip: strip.show()),
    ("the end before the beginning", lambda strip: strip._cleanup()),
]


@pytest.mark.parametrize(("why", "misuse"), MISUSES)
def test_the_stand_in_objects_to(
    library: ModuleType, board: Board, why: str, misuse: Callable[[Any], object]
) -> None:
    strip = library.PixelStrip(3, 10)
    atexit.unregister(strip._cleanup)
    with pytest.raises(Crash):
        pytest.fail(f"{why} is taken: {misuse(strip)!r}")
    library.ws.delete_ws2811_t(board.live[0])


BEGUN_MISUSES: list[tuple[str, Callable[[Any, Any], object]]] = [
    ("an index before the first", lambda _ws, strip: strip.setPixelColor(-1, 1)),
    ("another length under the memory", lambda ws, strip: ws.ws2811_channel_t_count_set(strip._channel, 9)),
    ("a handle freed while it is in use", lambda ws, strip: ws.delete_ws2811_t(strip._leds)),
    ("a channel that is not there", lambda ws, strip: ws.ws2811_channel_get(strip._leds, 2)),
    ("no channel", lambda ws, _strip: ws.ws2811_led_set(None, 0, 1)),
]


@pytest.mark.parametrize(("why", "misuse"), BEGUN_MISUSES)
def test_the_stand_in_objects_after_the_beginning_to(
    library: ModuleType, why: str, misuse: Callable[[Any, Any], object]
) -> None:
    strip = library.PixelStrip(3, 10)
    strip.begin()
    with pytest.raises(Crash):
        pytest.fail(f"{why} is taken: {misuse(library.ws, strip)!r}")
    strip._cleanup()
    atexit.unregister(strip._cleanup)


@pytest.mark.parametrize(("offset", "size"), [(0, 4), (-1, 1), (3, 1)])
def test_the_stand_in_notices_what_is_written_past_the_memory(offset: int, size: int) -> None:
    board = Board(library_wire(3))
    with real_module(board) as library:
        strip = Ws281xStrip(3, library=library)
        strip._memory += 4 * offset
        strip._leds = size
        with pytest.raises(Crash, match="overwritten"):
            strip.show(bytes(3 * size))
        atexit.unregister(strip._strip._cleanup)


def test_the_stand_in_notices_what_is_written_after_the_end() -> None:
    board = Board(library_wire(3))
    with real_module(board) as library:
        strip = Ws281xStrip(3, library=library)
        memory = strip._memory
        strip.close()
        strip._memory = memory
        with pytest.raises(Crash):
            strip.show(bytes(9))
        with pytest.raises(Crash, match="given back"):
            board.check()
        strip._memory = 0


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda ws, strip: ws.ws2811_led_set(strip._channel, 0, -1), OverflowError),
        (lambda ws, strip: ws.ws2811_led_set(strip._channel, 0, 1 << 32), OverflowError),
        (lambda ws, strip: ws.ws2811_led_set(strip._channel, "0", 1), TypeError),
        (lambda ws, strip: ws.ws2811_led_set(strip._leds, 0, 1), TypeError),
        (lambda ws, strip: ws.ws2811_channel_t_brightness_set(strip._channel, 256), OverflowError),
        (lambda ws, strip: ws.ws2811_channel_t_gamma_set(strip._channel, [1, 2]), ValueError),
    ],
)
def test_the_stand_in_refuses_what_its_wrapper_refuses(
    library: ModuleType, call: Callable[[Any, Any], object], error: type[Exception]
) -> None:
    strip = library.PixelStrip(3, 10)
    strip.begin()
    with pytest.raises(error):
        call(library.ws, strip)
    strip._cleanup()
    atexit.unregister(strip._cleanup)


def run(program: str) -> subprocess.CompletedProcess[str]:
    """Run *program* in an interpreter of its own, which a `Crash` ends as a segmentation fault does."""
    prelude = f"""
import sys; sys.path.insert(0, {str(TESTS)!r})
from cribpi.companion.devices.strip_ws281x import Ws281xStrip
from cribpi.companion.devices.supervisor import DeviceTrouble
from support.ws281x_board import Board, library_wire
from support.ws281x_module import die_of_a_crash, real_module
die_of_a_crash()
board = Board(library_wire(3))
with real_module(board) as library:
    pass
"""
    return subprocess.run(
        [sys.executable, "-c", prelude + program],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_the_module_left_alone_crashes_at_the_exit_when_it_could_not_begin() -> None:
    ended = run("strip = library.PixelStrip(3, 10)")
    assert ended.returncode == SEGFAULT, ended.stderr


@pytest.mark.parametrize("code", [-3, -9, -13])
def test_the_driver_does_not_crash_at_the_exit_when_it_could_not_begin(code: int) -> None:
    ended = run(f"""
board.init_code = {code}
for attempt in range(2):
    try:
        strip = Ws281xStrip(3, library=library)
    except DeviceTrouble as trouble:
        print(trouble)
""")
    assert ended.returncode == 0, ended.stderr
    assert len(re.findall(rf"^strip: .*\(code {code}\)$", ended.stdout, re.MULTILINE)) == 2
    assert ended.stderr == ""


@pytest.mark.parametrize("last", ["strip.close()", "pass", "board.render_code = -14"])
def test_the_driver_does_not_crash_at_the_exit_however_the_strip_was_left(last: str) -> None:
    ended = run(f"""
strip = Ws281xStrip(3, library=library)
strip.show(bytes(9))
{last}
print(board.frames)
""")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "1\n", "")
