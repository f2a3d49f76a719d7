"""The pictures of the steps: the breadboard is wired as the diagram is, and every word is on its paper."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import dist

import pytest
from support import kicad_library
from support.drawn_kits import VARIANTS, every_kit, own_supply

from cribpi.companion.kit import Keypad, Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.workshop.drawings import breadboard, circuit
from cribpi.workshop.drawings.circuit import wires
from cribpi.workshop.drawings.shapes import Circle, Group, Path, Rectangle, TextLine
from cribpi.workshop.drawings.steps import SWITCH_PINS, steps
from cribpi.workshop.drawings.strip import along, laid

PIN_1 = 8
"""The column of the chip's pins 1 and 14."""

V5 = {9, 10, 12, 13, 14}
GROUND = {1, 4, 5, 7}
FREE = {6, 8, 11}
"""The pins of the 74AHCT125 on each rail, and those that stay open: the unused outputs."""


def node(hole: str) -> str:
    """Return the strip of metal that *hole* is in."""
    if hole[0] in "+-_":
        return hole[0]
    return f"{'upper' if hole[0] in 'fghij' else 'lower'} {hole[1:]}"


def pin_node(pin: int) -> str:
    return f"lower {PIN_1 + pin - 1}" if pin < 8 else f"upper {PIN_1 + 14 - pin}"


def nets(links: Iterable[breadboard.Link]) -> dict[str, frozenset[str]]:
    """Return for each node what is joined to it by plain wires, itself too."""
    joined: dict[str, set[str]] = {}
    for link in links:
        one, other = (node(end) if breadboard.is_hole(end) else end for end in (link.hole, link.other))
        both = joined.get(one, {one}) | joined.get(other, {other})
        for each in both:
            joined[each] = both
    return {name: frozenset(both) for name, both in joined.items()}


@pytest.mark.parametrize(
    "kit", [load_kit("table"), own_supply(load_kit("table"), max_ma=1000), load_kit("matrix-32x8")]
)
def test_the_breadboard_joins_what_the_diagram_joins_and_nothing_else(kit: Kit) -> None:
    links = tuple(breadboard.links(kit))
    plain = nets(link for link in links if not link.name or link.name.startswith("F1"))
    lights = "strip" if kit.panel is None else "panel"
    supply = "Pi, pin 2" if kit.power.strip == "pi" else "supply, plus"
    ground = {"-", "_", "Pi, pin 6", f"{lights}, GND"}
    ground |= set() if kit.power.strip == "pi" else {"supply, minus"}
    assert plain["+"] == {"+", supply, f"{lights}, 5 V", *map(pin_node, V5)}
    assert plain["-"] == ground | {*map(pin_node, GROUND)}
    assert plain[pin_node(2)] == {pin_node(2), "Pi, GPIO 10"}, "1A"
    assert plain[f"{lights}, DIN"] == {f"{lights}, DIN", "lower 20"}
    assert not {pin_node(pin) for pin in FREE} & set(plain)
    parts = {link.name: {node(link.hole), node(link.other)} for link in links if link.name[:1] in {"R", "C"}}
    assert parts == {"R1": {pin_node(3), "lower 20"}, "C1": {"+", "-"}, "C2": {pin_node(14), "-"}}


@pytest.mark.parametrize(("max_ma", "fuses"), [(1001, False), (4000, False), (4001, True), (9000, True)])
def test_above_1_a_the_strips_current_goes_over_terminals_and_the_breadboard_has_a_branch(
    max_ma: int, *, fuses: bool
) -> None:
    kit = own_supply(load_kit("table"), max_ma=max_ma)
    ends = {end for link in breadboard.links(kit) for end in (link.hole, link.other)}
    assert not {end for end in ends if end.startswith("supply") or end in {"strip, 5 V", "strip, GND"}}
    assert {"plus terminal", "minus terminal", "strip, DIN", "Pi, pin 6"} <= ends
    assert "C1" not in {link.name for link in breadboard.links(kit)}
    (group,) = (shape for shape in steps(kit)[4].shapes if isinstance(shape, Group))
    words = [shape.text for shape in group.shapes if isinstance(shape, TextLine)]
    for said in ("plus terminal", "minus terminal", "supply, by", "C1", "strip, GND", "board"):
        assert said in words
    assert ("strip, 5 V" in words) != fuses
    assert any(word.startswith("2 fuses, ") for word in words) == fuses


def test_a_feed_in_the_middle_has_twice_the_current_of_one_at_the_end() -> None:
    kit = own_supply(load_kit("table-3"), 900, 9000)
    assert circuit.feeds(kit)[0] == 0
    assert circuit.feed_share(kit) == pytest.approx(1 / 3, abs=0.05)
    assert circuit.fuse(kit, circuit.feed_share(kit)) == 4.0


def test_no_two_leads_are_in_one_hole_and_none_is_under_the_chip() -> None:
    for kit in (load_kit("table"), own_supply(load_kit("table"))):
        holes = [end for link in breadboard.links(kit) for end in (link.hole, link.other)]
        holes = [hole for hole in holes if breadboard.is_hole(hole)]
        assert len(set(holes)) == len(holes)
        chip = {f"{row}{PIN_1 + n}" for row in "ef" for n in range(7)}
        assert not chip & set(holes)
        assert all(1 <= int(hole[1:]) <= breadboard.COLUMNS for hole in holes)


@every_kit
def test_there_is_a_picture_for_each_step_and_every_word_of_it_is_on_its_paper(kit: Kit) -> None:
    drawn = steps(kit)
    assert [sheet.title.split(":")[0] for sheet in drawn] == [f"Step {n}" for n in range(1, 8)]
    for sheet in drawn:
        for shape in sheet.shapes:
            group = shape if isinstance(shape, Group) else Group((shape,))
            for text in (inner for inner in group.shapes if isinstance(inner, TextLine)):
                left, top, right, bottom = (edge * group.scale for edge in text.box())
                assert 0 <= left + group.dx < right + group.dx <= sheet.width, (sheet.title, text.text)
                assert 0 <= top + group.dy < bottom + group.dy <= sheet.height, (sheet.title, text.text)


@every_kit
def test_the_picture_of_the_pi_has_each_wire_from_its_pin_and_no_name_on_another(kit: Kit) -> None:
    (group,) = (shape for shape in steps(kit)[5].shapes if isinstance(shape, Group))
    names = [shape for shape in group.shapes if isinstance(shape, TextLine) and shape.size == 2.6]
    ends = [f"{wire.device} {wire.terminal}" for wire in wires(kit)]
    assert sorted(name.text for name in names if name.text != "microSD") == sorted(ends)
    for one, other in combinations(names, 2):
        assert not one.box().meets(other.box()), (one.text, other.text)


@every_kit
def test_the_arrows_of_the_strip_go_the_way_of_the_data(kit: Kit) -> None:
    (group,) = (shape for shape in steps(kit)[2].shapes if isinstance(shape, Group))
    arrows = [shape.points for shape in group.shapes if isinstance(shape, Path) and shape.role == "arrow"]
    longer = [] if kit.panel else [piece for piece in laid(kit) if len(piece) > 1]
    assert len(arrows) >= len(longer), "one on each piece, but a panel has its way inside"
    for tail, point, other in arrows:
        middle = (tail[0] + point[0] + other[0]) / 3, (tail[1] + point[1] + other[1]) / 3
        # From behind, left and right change places.
        at = {place.led: (kit.front[0] - place.x, place.y) for place in along(kit)}
        before, after = sorted(sorted(at, key=lambda led: dist(at[led], middle))[:2])
        assert dist(at[before], point) > dist(at[after], point)


def test_a_switch_has_its_pins_from_behind_where_its_footprint_has_them_from_the_front() -> None:
    said = kicad_library.recorded()["footprints"]["Button_Switch_Keyboard:SW_Cherry_MX_1.00u_PCB"]
    stem = said["holes"][1]
    assert stem[0] == sum(x for x, _ in said["holes"]) / 3, "the two others are the pegs beside it"
    found = [(round(stem[0] - x, 2), round(y - stem[1], 2)) for ((x, y),) in said["pads"].values()]
    assert tuple(found) == SWITCH_PINS


@pytest.mark.parametrize("name", [name for name, kit in VARIANTS.items() if isinstance(kit.keypad, Keypad)])
def test_each_diode_is_drawn_with_its_band_towards_the_row_and_the_oled_with_its_pins_from_behind(
    name: str,
) -> None:
    kit = VARIANTS[name]
    (group,) = (shape for shape in steps(kit)[3].shapes if isinstance(shape, Group))
    parts = {role: [s for s in group.shapes if isinstance(s, Rectangle) and s.role == role] for role in ROLES}
    rows = [
        s for s in group.shapes if isinstance(s, Path) and s.pen is not None and s.pen.colour == "#7b4a24"
    ]
    assert len(parts["diode"]) == len(parts["band"]) == len(list(circuit.cells(kit.keypad)))
    for diode, band in zip(parts["diode"], parts["band"], strict=True):
        row = min(rows, key=lambda row: abs(row.points[0][1] - band.y))
        assert abs(row.points[0][1] - band.y) < abs(row.points[0][1] - (diode.y + diode.height))
        assert diode.y <= band.y < band.y + band.height < diode.y + diode.height
    pins = [(shape.x, shape.name) for shape in group.shapes if isinstance(shape, Circle) and shape.name]
    assert [name for _, name in sorted(pins, reverse=True)] == ["GND", "VCC", "SCL", "SDA"]


ROLES = ("diode", "band")
