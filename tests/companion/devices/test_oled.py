"""The real adafruit_ssd1306 over an emulated bus and an emulated panel."""

from __future__ import annotations

import errno
import random
import sys
from collections.abc import Callable
from types import ModuleType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from support.samples import bytes_to_break

from cribpi.companion.devices.oled import Oled, ResetLine, changed_runs, open_bus, packed
from cribpi.companion.devices.panels import CHIPS, OFFSETS, ROTATIONS, SIZE, show_first
from cribpi.companion.devices.supervisor import DeviceTrouble
from cribpi.companion.devices.twin.panel import _ARGUMENTS, Bus, Panel
from cribpi.companion.devices.twin.twin import Twin

FULL = 8 * (3 + 2 + 2 + 128)
"""Eight pages: commands, then data, each transfer with an address and a control byte."""


def noise(seed: int) -> Image.Image:
    return Image.frombytes("1", (128, 64), random.Random(seed).randbytes(SIZE))


def boxes(*places: tuple[int, int, int, int]) -> Image.Image:
    picture = Image.new("1", (128, 64))
    for place in places:
        ImageDraw.Draw(picture).rectangle(place, fill=1)
    return picture


class Bench:
    """An OLED on a bus of its own."""

    def __init__(self) -> None:
        self.panel = Panel()
        self.bus = Bus(0x3C, self.panel)
        self.oled = Oled(self.bus)

    def glass(self) -> bytes:
        return self.panel.picture().tobytes()

    def sent_by(self, act: Callable[[], None]) -> int:
        before = self.bus.sent
        act()
        return self.bus.sent - before


@pytest.fixture
def bench() -> Bench:
    return Bench()


FIRST = boxes((0, 0, 127, 7), (3, 20, 40, 44))
SECOND = boxes((0, 0, 127, 7), (3, 20, 30, 44), (60, 30, 70, 37), (100, 56, 127, 63))


def test_the_glass_shows_the_picture_upright(bench: Bench) -> None:
    picture = boxes((0, 0, 9, 2), (120, 60, 127, 63))
    bench.oled.show(picture)
    assert bench.glass() == picture.tobytes()
    assert bench.panel.unknown == 0


@given(st.lists(st.binary(min_size=SIZE, max_size=SIZE), min_size=1, max_size=4))
def test_whatever_was_shown_before_the_glass_shows_the_latest_picture(pictures: list[bytes]) -> None:
    bench = Bench()
    for data in pictures:
        picture = Image.frombytes("1", (128, 64), data)
        bench.oled.show(picture)
        assert bench.glass() == picture.tobytes()


@given(st.sets(st.integers(0, SIZE - 1), max_size=60))
@example({page * 128 + page % 2 * 7 + column for page in range(8) for column in range(121)})
def test_the_runs_hold_every_change_and_end_at_one(places: set[int]) -> None:
    old, new = bytes(SIZE), bytearray(SIZE)
    for place in places:
        new[place] = 1
    runs = list(changed_runs(old, bytes(new)))
    covered = [run.page * 128 + column for run in runs for column in range(run.left, run.right + 1)]
    assert places <= set(covered)
    assert len(set(covered)) == len(covered), "none is sent twice"
    assert {run.page * 128 + end for run in runs for end in (run.left, run.right)} <= places


@given(st.lists(st.tuples(st.integers(0, 127), st.integers(0, 63)), max_size=12), st.integers())
def test_scattered_changes_reach_the_glass(dots: list[tuple[int, int]], seed: int) -> None:
    bench, picture = Bench(), noise(seed)
    bench.oled.show(picture)
    changed = picture.copy()
    for dot in dots:
        changed.putpixel(dot, 255 - int(changed.getpixel(dot)))  # type: ignore[arg-type]
    assert bench.sent_by(lambda: bench.oled.show(changed)) <= FULL
    assert bench.glass() == changed.tobytes()


@pytest.mark.parametrize(
    ("change", "most", "why"),
    [
        ((), 0, "nothing has changed, so that nothing is sent"),
        (((8, 8, 8, 8),), 8, "one pixel: a run of one byte"),
        (((8, 8, 39, 23),), 78, "32 x 16 pixels: a run on each of two pages"),
        (((0, 0, 127, 63),), FULL, "everything: every page"),
    ],
)
def test_a_change_costs_its_runs(
    bench: Bench, change: tuple[tuple[int, int, int, int], ...], most: int, why: str
) -> None:
    bench.oled.show(boxes((0, 0, 0, 0)))
    before = boxes((0, 0, 0, 0), (4, 40, 9, 49))
    bench.oled.show(before)
    after = before.copy()
    for place in change:
        ImageDraw.Draw(after).rectangle(place, fill=1)
    assert bench.sent_by(lambda: bench.oled.show(after)) <= most, why
    assert bench.glass() == after.tobytes()


def test_runs_on_the_same_page_say_it_once(bench: Bench) -> None:
    bench.oled.show(Image.new("1", (128, 64)))
    assert bench.sent_by(lambda: bench.oled.show(boxes((0, 8, 0, 8), (60, 8, 60, 8), (120, 8, 120, 8)))) == (
        8 + 7 + 7
    )


@pytest.mark.parametrize(("gap", "sent"), [(5, 7 + 7), (6, 7 + 8), (7, 8 + 7)])
def test_a_gap_is_sent_along_where_another_run_would_cost_no_less(bench: Bench, gap: int, sent: int) -> None:
    bench.oled.show(Image.new("1", (128, 64)))
    assert bench.sent_by(lambda: bench.oled.show(boxes((0, 8, 0, 8), (gap + 1, 8, gap + 1, 8)))) == sent


def bytes_of(act: Callable[[Bench], None], prepare: Callable[[Bench], None]) -> int:
    bench = Bench()
    prepare(bench)
    return bench.sent_by(lambda: act(bench))


def before_second(bench: Bench) -> None:
    bench.oled.contrast(0x40)
    bench.oled.show(FIRST)


def after_a_failure(bench: Bench) -> None:
    before_second(bench)
    bench.bus.break_at(3)
    with pytest.raises(DeviceTrouble):
        bench.oled.show(SECOND)


def show_second(bench: Bench) -> None:
    bench.oled.show(SECOND)


@pytest.mark.parametrize("prepare", [before_second, after_a_failure])
def test_after_an_error_at_any_byte_the_next_picture_is_exact(
    prepare: Callable[[Bench], None],
    whole: bool,  # noqa: FBT001  a fixture
) -> None:
    length = bytes_of(show_second, prepare)
    assert length > 100
    for byte in bytes_to_break(length, whole=whole):
        bench = Bench()
        prepare(bench)
        bench.bus.break_at(byte)
        with pytest.raises(DeviceTrouble, match=r"^oled: the transfer was disturbed"):
            bench.oled.show(SECOND)
        bench.oled.show(SECOND)
        assert bench.glass() == SECOND.tobytes(), byte
        assert bench.panel.contrast == 0x40, byte
        bench.oled.show(FIRST)
        assert bench.glass() == FIRST.tobytes(), byte


@pytest.mark.parametrize("byte", range(1, 5))
def test_after_an_error_in_a_change_of_contrast_the_next_picture_is_exact(bench: Bench, byte: int) -> None:
    bench.oled.show(FIRST)
    bench.bus.break_at(byte)
    with pytest.raises(DeviceTrouble):
        bench.oled.contrast(0x30)
    bench.oled.show(SECOND)
    assert bench.glass() == SECOND.tobytes()
    assert bench.panel.contrast == 0x30


def test_sending_again_without_initialising_would_stay_wrong() -> None:
    """The panel is left inside a command: without this fault the test above would prove nothing."""
    wrong = 0
    for byte in range(1, 5):
        bench = Bench()
        before_second(bench)
        bench.bus.break_at(byte)
        with pytest.raises(DeviceTrouble):
            bench.oled.contrast(0x30)
        bench.oled._shown = packed(FIRST)
        bench.oled.show(SECOND)
        wrong += bench.glass() != SECOND.tobytes()
    assert wrong > 0


@pytest.mark.parametrize("checks", [True, False])
def test_lost_power_is_found_and_healed(bench: Bench, checks: bool) -> None:  # noqa: FBT001  a table's column
    bench.oled.contrast(0x20)
    bench.oled.show(FIRST)
    bench.panel.lose_power()
    if checks:
        bench.oled.check()
        assert bench.glass() == FIRST.tobytes()
    else:
        bench.oled.show(SECOND)
        assert bench.glass() == bytes(SIZE), "what is sent to a panel without its settings stays dark"
        bench.oled.check()
        assert bench.glass() == SECOND.tobytes()
    assert bench.panel.contrast == 0x20


UPSETS = {
    "start line": [0x40 | 17],
    "segment remap": [0xA0],
    "scan direction": [0xC0],
    "offset": [0xD3, 9],
    "multiplex": [0xA8, 31],
    "COM pins": [0xDA, 0x02],
    "inverse": [0xA7],
    "all on": [0xA5],
    "contrast": [0x81, 0x01],
    "memory mode": [0x20, 0x00],
    "charge pump": [0x8D, 0x10],
}
"""What a spike can do to a panel that stays on and answers: a register, and the commands that spoil it so."""


@pytest.mark.parametrize("spoils", UPSETS.values(), ids=UPSETS)
def test_a_register_that_was_upset_without_an_error_is_right_after_the_next_check(
    bench: Bench, spoils: list[int]
) -> None:
    bench.oled.contrast(0x20)
    bench.oled.show(FIRST)
    bench.panel.receive(bytes((0x00, *spoils)))
    bench.oled.check()
    assert bench.glass() == FIRST.tobytes()
    assert bench.panel.contrast == 0x20
    bench.oled.show(SECOND)
    assert bench.glass() == SECOND.tobytes()


class Spy(Panel):
    """A panel that keeps the commands that it was sent, and how often it was dark."""

    def __init__(self) -> None:
        self.commands: list[int] = []
        super().__init__()

    def _command(self, byte: int) -> None:
        self.commands.append(byte)
        super()._command(byte)


def test_a_check_sends_every_register_that_the_initialisation_sets_and_never_switches_off() -> None:
    panel = Spy()
    oled = Oled(Bus(0x3C, panel))
    oled.contrast(0x20)
    oled.show(FIRST)
    panel.commands.clear()
    oled.check()
    checked = panel.commands[:]
    panel.commands.clear()
    oled._driver.init_display()
    start, end = panel.commands.index(0xAE), panel.commands.index(0xAF)
    initial = panel.commands[start + 1 : end]
    assert len(checked) == 25
    assert not {0xAE, 0xAF} & set(checked)
    in_driver_only, in_page_mode = {(0x81, 0xFF), (0x20, 0x00)}, {(0x81, 0x20), (0x20, 0x02)}
    assert pairs(checked) - in_page_mode == pairs(initial) - in_driver_only
    assert in_page_mode <= pairs(checked)


def pairs(commands: list[int]) -> set[tuple[int, ...]]:
    """Return *commands*, each with its argument if it has one."""
    found: set[tuple[int, ...]] = set()
    rest = iter(commands)
    for command in rest:
        found.add((command, next(rest)) if _ARGUMENTS.get(command) else (command,))
    return found


def test_a_check_of_a_healthy_panel_costs_its_registers_and_no_picture(bench: Bench) -> None:
    bench.oled.show(FIRST)
    assert bench.sent_by(bench.oled.check) == 2 + 2 + 25, "an answer, and an address and a control byte"


@pytest.mark.parametrize("byte", range(1, 30))
def test_a_check_that_the_bus_breaks_is_trouble_and_the_next_one_heals_the_panel(
    bench: Bench, byte: int
) -> None:
    bench.oled.show(FIRST)
    bench.bus.break_at(byte)
    with pytest.raises(DeviceTrouble):
        bench.oled.check()
    bench.oled.check()
    bench.oled.check()
    assert bench.glass() == FIRST.tobytes()


def test_a_panel_that_is_unplugged_is_said_and_comes_back_whole(bench: Bench) -> None:
    bench.oled.show(FIRST)
    bench.bus.plugged = False
    with pytest.raises(DeviceTrouble, match=r"nothing answers at its address.*\(error 121\)"):
        bench.oled.show(SECOND)
    with pytest.raises(DeviceTrouble):
        bench.oled.check()
    with pytest.raises(DeviceTrouble):
        bench.oled.contrast(1)
    bench.panel.lose_power()
    bench.bus.plugged = True
    bench.oled.show(SECOND)
    assert bench.glass() == SECOND.tobytes()
    assert bench.panel.contrast == 1


def test_no_panel_at_the_start_is_a_sentence() -> None:
    with pytest.raises(DeviceTrouble, match=r"^oled: no panel answers at address 0x3d"):
        Oled(Bus(0x3C, Panel()), 0x3D)


@pytest.mark.parametrize("picture", [Image.new("1", (64, 128)), Image.new("L", (128, 64))])
def test_a_picture_of_another_shape_is_refused(bench: Bench, picture: Image.Image) -> None:
    with pytest.raises(ValueError, match="128 x 64"):
        bench.oled.show(picture)


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (PermissionError(errno.EPERM, "Operation not permitted"), "restart it"),
        (PermissionError(errno.EACCES, "Permission denied"), "add this user"),
        (ValueError("No device found for /dev/i2c-1"), "enable I2C"),
    ],
    ids=["before-its-module", "not-in-the-group", "no-bus"],
)
def test_a_bus_that_cannot_be_opened_is_said_with_its_remedy(
    refused: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_bus(_number: int) -> None:
        raise refused

    module = ModuleType("adafruit_extended_bus")
    monkeypatch.setattr(module, "ExtendedI2C", no_bus, raising=False)
    monkeypatch.setitem(sys.modules, "adafruit_extended_bus", module)
    with pytest.raises(DeviceTrouble, match=said):
        open_bus()


# --- other chips, and upside down -----------------------------------------------------------------------

MOUNTED = [(chip, rotate) for chip in CHIPS for rotate in ROTATIONS]


class Mounted:
    """An OLED with any *chip*, mounted upside down where its pictures are turned."""

    def __init__(self, chip: str, rotate: int, panel: Panel | None = None) -> None:
        self.panel = panel or Panel(chip, is_upside_down=bool(rotate))
        self.bus = Bus(0x3C, self.panel)
        self.oled = Oled(self.bus, 0x3C, chip, rotate)

    def glass(self) -> bytes:
        return self.panel.picture().tobytes()


@pytest.mark.parametrize(("chip", "rotate"), MOUNTED)
def test_on_every_panel_either_way_up_people_see_the_same_pictures(chip: str, rotate: int) -> None:
    mounted = Mounted(chip, rotate)
    for picture in (FIRST, SECOND, noise(1), noise(2), FIRST):
        mounted.oled.show(picture, 0x30)
        assert mounted.glass() == picture.tobytes()
        mounted.oled.check()
        assert mounted.glass() == picture.tobytes()
    assert mounted.panel.contrast == 0x30
    assert mounted.panel.unknown == 0


@pytest.mark.parametrize("chip", CHIPS)
def test_a_turned_picture_is_upside_down_on_a_panel_that_is_not(chip: str) -> None:
    mounted = Mounted(chip, 180, Panel(chip))
    mounted.oled.show(FIRST)
    assert mounted.glass() == FIRST.transpose(Image.Transpose.ROTATE_180).tobytes()


@pytest.mark.parametrize(("chip", "rotate"), MOUNTED)
def test_the_first_picture_of_a_start_is_the_same_on_every_panel(chip: str, rotate: int) -> None:
    panel = Panel(chip, is_upside_down=bool(rotate))
    show_first(panel.receive, packed(SECOND), chip, rotate)
    assert panel.picture().tobytes() == SECOND.tobytes()
    assert panel.unknown == 0


@pytest.mark.parametrize(("chip", "rotate"), MOUNTED)
@pytest.mark.parametrize("checks", [True, False])
def test_every_panel_heals_after_lost_power_and_an_error_at_any_byte(
    chip: str,
    rotate: int,
    checks: bool,  # noqa: FBT001  a table's column
) -> None:
    for byte in range(1, 100, 7):
        mounted = Mounted(chip, rotate)
        mounted.oled.show(FIRST, 0x20)
        if checks:
            mounted.panel.lose_power()
            mounted.oled.check()
            assert mounted.glass() == FIRST.tobytes()
        mounted.bus.break_at(byte)
        with pytest.raises(DeviceTrouble):
            mounted.oled.show(SECOND)
        mounted.oled.show(SECOND)
        assert mounted.glass() == SECOND.tobytes(), byte
        assert mounted.panel.contrast == 0x20, byte


UPSET = [(chip, what) for chip in CHIPS[1:] for what in UPSETS if what not in {"memory mode", "charge pump"}]


@pytest.mark.parametrize(("chip", "what"), UPSET)
def test_a_check_mends_the_registers_of_every_panel(chip: str, what: str) -> None:
    mounted = Mounted(chip, 180)
    mounted.oled.show(FIRST, 0x20)
    mounted.panel.receive(bytes((0x00, *UPSETS[what])))
    mounted.oled.check()
    mounted.oled.show(SECOND)
    assert mounted.glass() == SECOND.tobytes()
    assert mounted.panel.contrast == 0x20


def test_an_ssd1306_picture_on_an_sh1106_is_shifted_by_two_columns() -> None:
    """What a kit with the wrong chip shows: the symptom under trouble."""
    panel = Panel("SH1106")
    show_first(panel.receive, packed(FIRST))
    seen, wanted = panel.picture(), FIRST
    assert seen.crop((0, 0, 126, 64)).tobytes() == wanted.crop((2, 0, 128, 64)).tobytes()


@pytest.mark.parametrize("chip", CHIPS[1:])
def test_no_panel_of_another_chip_is_a_sentence_too(chip: str) -> None:
    with pytest.raises(DeviceTrouble, match=r"^oled: no panel answers at address 0x3d"):
        Oled(Bus(0x3C, Panel(chip)), 0x3D, chip)


@pytest.mark.parametrize("offset", range(OFFSETS[0], OFFSETS[1] + 1))
@pytest.mark.parametrize(("chip", "rotate"), MOUNTED)
def test_a_panel_that_begins_at_another_column_shows_the_same_pictures(
    chip: str, rotate: int, offset: int
) -> None:
    panel = Panel(chip, is_upside_down=bool(rotate), offset=offset)
    bus = Bus(0x3C, panel)
    show_first(lambda data: bus.writeto(0x3C, data), packed(FIRST), chip, rotate, offset)
    assert panel.picture().tobytes() == FIRST.tobytes()
    oled = Oled(bus, 0x3C, chip, rotate, offset)
    for picture in (SECOND, noise(1), noise(2), FIRST):
        oled.show(picture)
        assert panel.picture().tobytes() == picture.tobytes()
        oled.check()
        assert panel.picture().tobytes() == picture.tobytes()
    assert panel.unknown == 0


# --- the line RES ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("chip", CHIPS)
def test_a_panel_that_waits_for_a_reset_is_dark_without_and_lights_with_it(chip: str) -> None:
    twin = Twin(1, panel=Panel(chip, waits=True))
    twin.solder_reset(17)
    Oled(twin.bus, 0x3C, chip).show(FIRST)
    assert not twin.panel.picture().getbbox()

    line = ResetLine(lambda: twin.factory, 17)
    oled = Oled(twin.bus, 0x3C, chip, reset=line.restart)
    oled.show(FIRST)
    assert twin.panel.picture().tobytes() == FIRST.tobytes()
    line.first()  # it has restarted already
    assert twin.panel.picture().tobytes() == FIRST.tobytes()
    twin.bus.break_at(5)
    with pytest.raises(DeviceTrouble):
        oled.show(SECOND)
    oled.show(SECOND)
    assert twin.panel.picture().tobytes() == SECOND.tobytes()


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (
            RuntimeError("GPIO busy"),
            r"oled: its reset line, GPIO 17, isn't available \(GPIO busy\); stop what",
        ),
        (DeviceTrouble("keypad: the module lgpio is empty"), "^oled: the module lgpio is empty"),
    ],
)
def test_a_reset_line_that_cannot_be_had_is_said_and_tried_again(refused: Exception, said: str) -> None:
    twin = Twin(1, panel=Panel(waits=True))
    twin.solder_reset(17)
    answers: list[object] = [refused, twin.factory]

    def open_pins() -> object:
        if isinstance(answer := answers.pop(0), Exception):
            raise answer
        return answer

    line = ResetLine(open_pins, 17)
    with pytest.raises(DeviceTrouble, match=said):
        line.restart()
    Oled(twin.bus, reset=line.restart).show(FIRST)
    assert twin.panel.picture().tobytes() == FIRST.tobytes()
