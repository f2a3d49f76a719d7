"""The wiring diagram: each wire once, from its pin, on no other wire and through no word."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import geometry
from support.drawn_kits import by_buttons, every_kit, own_supply
from support.samples import examples

from cribpi.commands.kits import gpios
from cribpi.companion.devices.panels import CHIPS
from cribpi.companion.kit import Keypad, Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.workshop.drawings import circuit
from cribpi.workshop.drawings.parts import parts
from cribpi.workshop.drawings.shapes import Box
from cribpi.workshop.drawings.wiring import wiring_sheet


@st.composite
def kits_with_any_pins(draw: st.DrawFn) -> Kit:
    """Kits with a matrix or buttons on any pins, either pin for the strip, and either supply."""
    kit = load_kit(draw(st.sampled_from(["table", "table-3", "strip-121"])))
    strip = draw(st.sampled_from([10, 18]))
    taken = {2, 3, 10, 7, 8, 9, 11} if strip == 10 else {2, 3, 18}
    free = draw(st.permutations([gpio for gpio in range(4, 28) if gpio not in taken]))
    kit = replace(kit, strip=replace(kit.strip, gpio=strip))
    if draw(st.booleans()):
        kit = own_supply(kit, kit.strip.leds)
    if draw(st.booleans()):
        kit = replace(kit, glass=replace(kit.glass, reset=free.pop()))
    if draw(st.booleans()):
        return by_buttons(kit, free[: draw(st.integers(1, 14))])
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 7))
    grid = tuple(tuple(f"{row}{column}" for column in range(columns)) for row in range(rows))
    return replace(kit, keypad=Keypad(tuple(free[:rows]), tuple(free[rows : rows + columns]), grid))


def check_wiring(kit: Kit) -> None:
    sheet = wiring_sheet(kit)
    lines = geometry.wires(sheet)
    assert all(map(geometry.is_orthogonal, lines))
    assert not geometry.on_each_other(sheet)
    words = [(text.text, text.box()) for text in geometry.texts(sheet)]
    devices = [(device.name, device.box()) for device in geometry.boxes(sheet)]
    for wire in lines:
        for piece in geometry.pieces(wire):
            crossed = [name for name, box in (*words, *devices) if geometry.runs_through(piece, box)]
            assert not crossed, f"{wire.name} runs through {crossed}"
    for (one, box), (other, its_box) in combinations(words, 2):
        assert not box.meets(its_box), f"{one!r} lies on {other!r}"
    paper = sheet.box().grown(-4)
    for text, box in words:
        assert paper.left < box.left < box.right < paper.right, text
        assert paper.top < box.top < box.bottom < paper.bottom, text


@every_kit
def test_wires_run_level_or_upright_and_through_no_word_no_box_and_no_other_wire(kit: Kit) -> None:
    check_wiring(kit)


@examples(8)
@given(kits_with_any_pins())
def test_so_they_do_with_any_pins_for_the_keys(kit: Kit) -> None:
    check_wiring(kit)


@every_kit
def test_each_gpio_of_the_kit_has_exactly_one_wire_and_it_begins_at_its_pin(kit: Kit) -> None:
    sheet = wiring_sheet(kit)
    named = Counter(wire.name for wire in geometry.wires(sheet) if wire.name.startswith("GPIO"))
    assert named == {f"GPIO {gpio}": 1 for gpio, use in gpios(kit).items() if use != "spi"}
    pads = {
        text.text: text
        for text in geometry.texts(sheet)
        if text.text in set(map(str, range(1, 41))) and text.colour == "#ffffff"
    }
    assert len(pads) == 40
    for wire in geometry.wires(sheet):
        if wire.name.startswith("GPIO"):
            pad = pads[str(circuit.pin_of(int(wire.name.removeprefix("GPIO "))))]
            x, y = wire.points[0]
            assert abs(y - pad.y) < 1
            assert abs(x - pad.x) < 3
            said = [text for text in geometry.texts(sheet) if text.text == wire.name and text.is_bold]
            assert len(said) == 1, wire.name


@every_kit
def test_each_wire_ends_at_the_edge_of_a_device(kit: Kit) -> None:
    sheet = wiring_sheet(kit)
    edges = [box.box() for box in geometry.boxes(sheet)]
    starts = [end for wire in geometry.wires(sheet) for end in (wire.points[0], wire.points[-1])]
    for wire in geometry.wires(sheet):
        if wire.name.startswith(("GPIO", "pin")):
            x, y = wire.points[-1]
            at_a_box = any(box.grown(0.01).meets(Box(x, y, x + 0.001, y + 0.001)) for box in edges)
            assert at_a_box or starts.count((x, y)) > 1, f"{wire.name} ends in the air at {x}, {y}"


def test_the_header_is_that_of_the_pi() -> None:
    by_name = {name: pin for pin, name in circuit.PINS.items() if name.startswith("GPIO")}
    assert len(by_name) == 26
    assert [circuit.pin_of(gpio) for gpio in (2, 3, 4, 10, 18, 21, 26)] == [3, 5, 7, 19, 12, 40, 37]
    assert sorted(pin for pin, name in circuit.PINS.items() if name == "GND") == [
        6,
        9,
        14,
        20,
        25,
        30,
        34,
        39,
    ]
    assert sorted(pin for pin, name in circuit.PINS.items() if name in {"3V3", "5V"}) == [1, 2, 4, 17]
    with pytest.raises(ValueError, match="GPIO 28 is not on the header"):
        circuit.pin_of(28)


@every_kit
def test_no_led_is_far_from_where_the_strip_is_fed(kit: Kit) -> None:
    at = circuit.feeds(kit)
    assert list(at) == sorted(set(at))
    farthest = max(min(abs(led - feed) for feed in at) for led in range(kit.strip.leds))
    assert farthest <= circuit.FARTHEST


def test_the_fuse_is_the_next_above_a_quarter_more_than_the_strip_may_draw() -> None:
    kit = load_kit("table")
    found = [circuit.fuse(own_supply(kit, max_ma=most)) for most in (400, 500, 2000, 9000, 60_000)]
    assert found == [0.5, 0.63, 2.5, 12.5, 75]


@pytest.mark.parametrize(("max_ma", "drawn"), [(4000, []), (4001, ["F4 3.15 A slow", "F5 3.15 A slow"])])
def test_above_4_a_each_feed_is_drawn_with_its_fuse(max_ma: int, drawn: list[str]) -> None:
    words = geometry.texts(wiring_sheet(own_supply(load_kit("table"), max_ma=max_ma)))
    found = [f"{name.text} {rated.text}" for name, rated in pairwise(words) if name.text in {"F4", "F5"}]
    assert found == drawn


@pytest.mark.parametrize("panel", CHIPS)
def test_the_parts_and_the_wiring_name_the_panel_that_the_kit_has(panel: str) -> None:
    table = load_kit("table")
    kit = replace(table, glass=replace(table.glass, panel=panel))
    (screen,) = (part for part in parts(kit) if part.use == "the screen")
    assert panel in screen.what
    assert panel in screen.search
    drawn = {text.text for text in geometry.texts(wiring_sheet(kit)) if text.text.startswith("OLED, ")}
    assert drawn == {f"OLED, {panel}"}
