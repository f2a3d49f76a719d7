"""The emulated SSD1306, against what its data sheet says of single commands."""

from __future__ import annotations

import pytest
from PIL import Image

from cribpi.companion.devices.oled import Oled, packed
from cribpi.companion.devices.twin.panel import Bus, Panel


def dots(panel: Panel) -> set[tuple[int, int]]:
    """Return the lit pixels of the glass."""
    picture = panel.picture()
    return {(x, y) for x in range(128) for y in range(64) if picture.getpixel((x, y))}


@pytest.fixture
def panel() -> Panel:
    """Return a panel as the driver sets it, but in horizontal mode, with a dark glass."""
    panel = Panel()
    Oled(Bus(0x3C, panel))
    commands(panel, 0x20, 0)
    return panel


def commands(panel: Panel, *run: int) -> None:
    panel.receive(bytes((0x00, *run)))


def data(panel: Panel, *run: int) -> None:
    panel.receive(bytes((0x40, *run)))


def test_a_panel_without_settings_is_dark_and_says_that_it_is_off() -> None:
    panel = Panel()
    assert not dots(panel)
    assert panel.send() == 0x46
    commands(panel, 0xAF)
    assert panel.send() == 0x06
    assert not dots(panel), "its charge pump is off"
    commands(panel, 0x8D, 0x14)
    assert dots(panel), "its memory is noise"


def test_a_window_is_filled_along_its_pages_and_leaves_the_pointer_at_its_start(panel: Panel) -> None:
    commands(panel, 0x21, 10, 11, 0x22, 2, 3)
    data(panel, 0x01, 0x02, 0x04, 0x80, 0x01)
    assert dots(panel) == {(10, 16), (11, 17), (10, 26), (11, 31)}


def test_commands_may_come_one_byte_a_transfer_or_after_control_bytes_of_their_own(panel: Panel) -> None:
    for byte in (0x21, 5, 5, 0x22, 0, 0):
        panel.receive(bytes((0x80, byte)))
    panel.receive(bytes((0x80, 0xA7, 0x80, 0xA6, 0xC0, 0x03)))
    assert dots(panel) == {(5, 0), (5, 1)}


def test_vertical_mode_goes_down_the_pages_first(panel: Panel) -> None:
    commands(panel, 0x20, 1, 0x21, 10, 11, 0x22, 2, 3)
    data(panel, 0x01, 0x02, 0x04)
    assert dots(panel) == {(10, 16), (10, 25), (11, 18)}


def test_page_mode_has_its_own_pointer_and_stays_on_its_page(panel: Panel) -> None:
    commands(panel, 0x20, 2, 0xB3, 0x0E, 0x17)
    data(panel, 0x01, 0x01, 0x02)
    assert dots(panel) == {(126, 24), (127, 24), (0, 25)}


@pytest.mark.parametrize(
    ("run", "shown", "why"),
    [
        ((0xA6,), {(3, 9)}, "as stored"),
        ((0xC0,), {(3, 54)}, "lines from bottom to top"),
        ((0x40 | 8,), {(3, 1)}, "memory row 8 is the first line"),
        ((0xD3, 5), {(3, 14)}, "five lines further down"),
        ((0xA8, 7), set(), "only eight lines are driven"),
        ((0xA8, 15), {(3, 9)}, "sixteen lines are driven"),
        ((0xDA, 0x02), {(3, 18)}, "the lines are wired alternately, and the chip is told they are not"),
        ((0xAE,), set(), "off"),
        ((0x8D, 0x10), set(), "no charge pump, no light"),
        ((0xA0,), {(3, 9)}, "the remap of segments acts on what is written after it"),
        ((0x2E, 0xE3, 0xD5, 0x80, 0xD9, 0xF1, 0xDB, 0x30), {(3, 9)}, "nothing that shows"),
    ],
)
def test_what_a_command_makes_of_one_pixel(
    panel: Panel, run: tuple[int, ...], shown: set[tuple[int, int]], why: str
) -> None:
    commands(panel, 0x21, 3, 3, 0x22, 1, 1)
    data(panel, 0x02)
    commands(panel, *run)
    assert dots(panel) == shown, why
    assert panel.unknown == 0


def test_after_the_remap_columns_run_from_the_right(panel: Panel) -> None:
    commands(panel, 0xA0, 0x21, 3, 3, 0x22, 1, 1)
    data(panel, 0x02)
    assert dots(panel) == {(124, 9)}


def test_inverted_and_all_on(panel: Panel) -> None:
    commands(panel, 0xA7)
    assert len(dots(panel)) == 128 * 64
    commands(panel, 0xA6, 0xA5)
    assert len(dots(panel)) == 128 * 64
    commands(panel, 0xA4)
    assert not dots(panel)


def test_a_byte_that_is_no_command_is_counted(panel: Panel) -> None:
    commands(panel, 0x3F)
    assert panel.unknown == 1


def test_a_broken_transfer_gives_the_chip_what_came_before(panel: Panel) -> None:
    bus = Bus(0x3C, panel)
    bus.break_at(5)
    with pytest.raises(OSError, match="Input/output"):
        bus.writeto(0x3C, bytes((0x40, 0x01, 0x01, 0x01, 0x01)))
    assert bus.sent == 4
    assert dots(panel) == {(0, 0), (1, 0)}
    bus.writeto(0x3C, bytes((0x40, 0x01)))
    assert dots(panel) == {(0, 0), (1, 0), (2, 0)}


def test_a_panel_that_loses_power_forgets_half_a_command(panel: Panel) -> None:
    commands(panel, 0xA7, 0x21, 5)
    panel.lose_power()
    commands(panel, 0xAF, 0x8D, 0x14, 0xA5)
    assert len(dots(panel)) == 128 * 64
    assert panel.contrast == 0x7F


def test_every_change_is_told(panel: Panel) -> None:
    told = list[bytes]()
    panel.when_changed = lambda: told.append(panel.picture().tobytes())
    data(panel, 0x01)
    assert told == [panel.picture().tobytes()]


def test_packing_puts_the_topmost_pixel_into_bit_nought() -> None:
    picture = Image.new("1", (128, 64))
    picture.putpixel((5, 8), 255)
    memory = packed(picture)
    assert memory[128 + 5] == 1
    assert sum(memory) == 1


# --- an SH1106 ------------------------------------------------------------------------------------------


def test_an_sh1106_knows_no_window_and_takes_its_bytes_as_columns() -> None:
    panel = Panel("SH1106")
    Oled(Bus(0x3C, panel), chip="SH1106").show(Image.new("1", (128, 64)))
    commands(panel, 0xB3, 0x05, 0x10, 0x20, 0x00)  # "horizontal mode" puts the low half of the column to 0
    assert panel.unknown == 1
    data(panel, 0x00, 0x00, 0x01)
    assert dots(panel) == {(0, 24)}, "column 2 is the leftmost of the glass"
    data(panel, *[0x00] * 200, 0x80)
    assert dots(panel) == {(0, 24)}, "a page that is full takes no more, and none goes to the next"


def test_an_sh1106_is_dark_while_its_converter_is_off() -> None:
    panel = Panel("SH1106")
    commands(panel, 0xAF)
    assert dots(panel)
    commands(panel, 0xAD, 0x8A)
    assert not dots(panel)
