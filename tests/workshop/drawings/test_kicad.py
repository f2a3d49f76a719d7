"""The KiCad project of a kit: read by a reader of its own, and checked by KiCad's where that is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections import defaultdict
from math import dist
from pathlib import Path
from typing import Any

import pytest
from support import kicad_library
from support.drawn_kits import VARIANTS, every_kit
from support.kicad_library import every, one, read

from cribpi.companion.kit import Keypad, Kit
from cribpi.workshop.drawings.circuit import PINS, cells, feeds, fuse, is_left, row_of, wires
from cribpi.workshop.drawings.kicad import circuit, kicad_files
from cribpi.workshop.drawings.parts import parts


class Circuit:
    """What a schematic says: by its coordinates alone, as KiCad joins what touches."""

    def __init__(self, files: dict[str, str]) -> None:
        sheet = read(files["circuit.kicad_sch"])
        symbols = {symbol[1]: symbol for symbol in every(one(sheet, "lib_symbols"), "symbol")}
        marks: dict[tuple[float, float], list[str | None]] = defaultdict(list)
        for label in every(sheet, "global_label"):
            marks[self._at(label)].append(label[1])
        for cross in every(sheet, "no_connect"):
            marks[self._at(cross)].append(None)
        self.values: dict[str, str] = {}
        self.footprints: dict[str, str] = {}
        self.is_on_board: dict[str, bool] = {}
        self.names: dict[tuple[str, str], str] = {}
        self.types: dict[tuple[str, str], str] = {}
        self.nets: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self.open: set[tuple[str, str]] = set()
        taken = set()
        for placed in every(sheet, "symbol"):
            told = {one[1]: one[2] for one in every(placed, "property")}
            name = told["Reference"]
            self.values[name] = told["Value"]
            self.footprints[name] = told["Footprint"]
            self.is_on_board[name] = one(placed, "on_board")[1] == "yes"
            x, y = self._at(placed)
            library = symbols[one(placed, "lib_id")[1]]
            for unit in every(library, "symbol"):
                for pin in every(unit, "pin"):
                    dx, dy = self._at(pin)
                    end = round(x + dx, 2), round(y - dy, 2)  # a symbol's y goes up, a sheet's down
                    assert end not in taken, f"two pins touch at {end}"
                    taken.add(end)
                    (net,) = marks.pop(end)  # one label, or one cross
                    self.types[name, one(pin, "number")[1]] = pin[1]
                    self.names[name, one(pin, "number")[1]] = one(pin, "name")[1]
                    if net is None:
                        self.open.add((name, one(pin, "number")[1]))
                    else:
                        self.nets[net].add((name, one(pin, "number")[1]))
        assert not marks, "a label hangs in the air"

    @staticmethod
    def _at(node: list[Any]) -> tuple[float, float]:
        _, x, y, *_ = one(node, "at")
        return round(float(x), 2), round(float(y), 2)

    def net_of(self, reference: str, pin: int) -> set[tuple[str, str]]:
        return next((net for net in self.nets.values() if (reference, str(pin)) in net), set())


@every_kit
def test_every_pin_has_a_net_or_a_cross_and_every_net_is_driven(kit: Kit) -> None:
    found = Circuit(kicad_files(kit))
    for name, net in found.nets.items():
        kinds = [found.types[pin] for pin in net]
        assert len(net) > 1, name
        assert kinds.count("power_out") <= 1, name
        assert "power_in" not in kinds or "power_out" in kinds, name
        assert "input" not in kinds or set(kinds) - {"input"}, name


@every_kit
def test_each_wire_of_the_header_is_there_and_its_other_pins_are_free(kit: Kit) -> None:
    found = Circuit(kicad_files(kit))
    used = {wire.pin for wire in wires(kit)}
    assert {int(pin) for part, pin in found.open if part == "J1"} == set(PINS) - used
    for wire in wires(kit):
        beside = {part for part, _ in found.net_of("J1", wire.pin)} - {"J1"}
        expected = {"OLED": "J2", "74AHCT125": "U1", "keys": "SW"}.get(wire.device, "")
        if wire.terminal == "5 V":
            assert beside == {"F1"}
        elif wire.terminal == "GND":
            assert beside >= {"J2"} | ({"U1", "C1", "C2", "J4"} if kit.strip.gpio is not None else set())
        elif wire.terminal.startswith("row"):
            assert all(part.startswith("D") for part in beside)
        else:
            assert beside
            assert all(part.startswith(expected) for part in beside), wire


WITH_A_STRIP = {name: kit for name, kit in VARIANTS.items() if kit.strip.gpio is not None}


@pytest.mark.parametrize("name", WITH_A_STRIP)
def test_the_5_v_side_is_that_of_the_drawing(name: str) -> None:
    kit = WITH_A_STRIP[name]
    found = Circuit(kicad_files(kit))
    at = feeds(kit)
    strip = [f"J{n}" for n in range(4, 4 + len(at))]
    assert found.nets["DATA_5V"] == {("U1", "3"), ("R1", "1")}
    assert found.nets["STRIP_DIN"] == {("R1", "2"), ("J4", "3")}
    has_fuses = kit.strip.max_ma > 4000
    fed = [f"F{n}" for n in range(4, 4 + len(at))] if has_fuses else strip
    assert found.nets["5V"] == {
        *(("U1", pin) for pin in ("9", "10", "12", "13", "14")),
        *((part, "1") for part in ("C1", "C2", "#FLG1", *fed)),
        ("F1", "2"),
    }
    for part, other in zip(strip, fed, strict=True):
        assert not has_fuses or {(part, "1"), (other, "2")} < found.net_of(part, 1)
        assert not has_fuses or float(found.values[other].split()[0]) < fuse(kit)
    assert {("U1", pin) for pin in ("1", "4", "5", "7")} <= found.nets["GND"]
    assert {("U1", pin) for pin in ("6", "8", "11")} <= found.open
    is_own = kit.power.strip == "own"
    assert found.net_of("F1", 1) == {("F1", "1"), ("J3", "1") if is_own else ("J1", "2")}
    assert found.values["F1"] == f"{fuse(kit):g} A slow"


MATRICES = {name: kit for name, kit in VARIANTS.items() if isinstance(kit.keypad, Keypad)}


@pytest.mark.parametrize("name", MATRICES)
def test_each_key_of_a_matrix_joins_its_column_through_a_diode_to_its_row(name: str) -> None:
    kit = MATRICES[name]
    assert isinstance(kit.keypad, Keypad)
    found = Circuit(kicad_files(kit))
    for n, (key, row, column) in enumerate(cells(kit.keypad), 1):
        assert found.values[f"SW{n}"] == key
        assert found.net_of(f"SW{n}", 2) == {(f"SW{n}", "2"), (f"D{n}", "2")}
        pins = {wire.terminal: wire.pin for wire in wires(kit)}
        assert (f"SW{n}", "1") in found.net_of("J1", pins[f"column {column + 1}"])
        assert (f"D{n}", "1") in found.net_of("J1", pins[f"row {row + 1}"])


# --- what KiCad's own libraries say ---

LIBRARY = kicad_library.recorded()


def test_the_recorded_facts_are_those_of_the_libraries_that_are_installed() -> None:
    if not kicad_library.is_installed():
        pytest.skip("kicad-footprints and kicad-symbols are not installed")
    installed = kicad_library.facts(LIBRARY["footprints"])
    assert installed == {kind: LIBRARY[kind] for kind in installed}


def printed(footprint: str, mark: str) -> str:
    """Return the number of the pad that *mark* is printed beside."""
    said = LIBRARY["footprints"][footprint]
    pads: dict[str, list[float]] = {pad: places[0] for pad, places in said["pads"].items()}
    return min(pads, key=lambda pad: dist(pads[pad], said["marks"][mark]))


@every_kit
def test_each_part_of_a_board_has_a_footprint_with_its_pins(kit: Kit) -> None:
    found = Circuit(kicad_files(kit))
    for part, footprint in found.footprints.items():
        assert found.is_on_board[part] == bool(footprint), part
        if footprint:
            pins = {pin for name, pin in found.names if name == part}
            assert pins == LIBRARY["footprints"][footprint]["pads"].keys(), part
    plugged = {"J2", *(part for part in found.values if part.startswith("SW"))} if kit.glass.bonnet else set()
    flags = {part for part in found.values if part.startswith("#")}
    assert {part for part, footprint in found.footprints.items() if not footprint} == plugged | flags


@pytest.mark.parametrize("name", MATRICES)
def test_the_cathode_of_each_diode_is_where_kicad_prints_it_and_leads_to_the_row(name: str) -> None:
    kit = MATRICES[name]
    found = Circuit(kicad_files(kit))
    diodes = [part for part in found.values if part.startswith("D")]
    rows = {str(wire.pin) for wire in wires(kit) if wire.terminal.startswith("row")}
    assert len(diodes) == sum(part.startswith("SW") for part in found.values)
    for part in diodes:
        cathode = printed(found.footprints[part], "K")
        for symbol in ("Device:D", "Diode:1N4148"):
            assert LIBRARY["symbols"][symbol][cathode]["name"] == "K"
        assert found.names[part, cathode] == "K"
        (row,) = (pin for beside, pin in found.net_of(part, int(cathode)) if beside == "J1")
        assert row in rows


@every_kit
def test_the_electrolytic_capacitor_has_its_plus_where_kicad_prints_it(kit: Kit) -> None:
    found = Circuit(kicad_files(kit))
    plus = printed(found.footprints["C1"], "+")
    assert found.names["C1", plus] == "+"
    assert ("C1", plus) in found.nets["5V"]


@every_kit
def test_the_header_has_the_pins_of_a_pi_in_its_two_columns(kit: Kit) -> None:
    found = Circuit(kicad_files(kit))
    pads = LIBRARY["footprints"][found.footprints["J1"]]["pads"]
    said = LIBRARY["symbols"]["Connector:Raspberry_Pi_2_3"]
    assert len(said) == 40
    for pin, told in said.items():
        assert found.names["J1", pin].replace(" ", "_").replace("GPIO_", "GPIO") in told["name"].split("/")
        ((x, y),) = pads[pin]
        assert (x == 0, round(y / 2.54)) == (is_left(int(pin)), row_of(int(pin)))


def test_the_chip_has_the_gates_of_a_74125_in_a_socket_that_is_counted_as_it_is_drawn() -> None:
    kit = VARIANTS["table"]
    found = Circuit(kicad_files(kit))
    said = LIBRARY["symbols"]["74xx:74LS125"]
    for pin, told in said.items():
        name = found.names["U1", pin]
        if told["name"] != "~":
            assert name == told["name"]
            continue
        gate = told["unit"]
        kind = {"tri_state": f"{gate}Y", "input": f"{gate}A"}[told["type"]]
        assert name == (f"/{gate}OE" if told["shape"] == "inverted" else kind)
        assert found.types["U1", pin] == told["type"]
    pads = LIBRARY["footprints"][found.footprints["U1"]]["pads"]
    (chip,) = (part for part in circuit(kit) if part.reference == "U1")
    for column, x in ((chip.left, 0.0), (chip.right, 7.62)):
        (places,) = zip(*(pads[pin.number] for pin in column), strict=True)
        assert [place[0] for place in places] == [x] * 7
        assert [place[1] for place in places] == sorted(place[1] for place in places)


@every_kit
def test_the_oled_has_its_pins_in_the_order_that_is_printed_on_most(kit: Kit) -> None:
    # Those that begin with VCC are sold too (picaxeforum.co.uk, thread 31950).  One of 2.42 inch has seven
    # pins in this order (forum.arduino.cc, topic 425247); on I2C its DC sets the address.
    found = Circuit(kicad_files(kit))
    names = [name for (part, _), name in found.names.items() if part == "J2"]
    assert names[:4] == ["GND", "VCC", "SCL", "SDA"]
    assert names[4:] == ([] if kit.glass.reset is None else ["RES", "DC", "CS"])
    for pin, name in enumerate(names, 1):
        beside = {int(pin) for part, pin in found.net_of("J2", pin) if part == "J1"}
        if name in {"GND", "DC", "CS"}:
            assert beside == {wire.pin for wire in wires(kit) if wire.signal == "GND"}
        else:
            assert beside == {
                wire.pin for wire in wires(kit) if (wire.device, wire.terminal) == ("OLED", name)
            }


def test_a_controller_has_supply_fuse_and_strip_and_no_wire_to_the_pi() -> None:
    kit = VARIANTS["wled"]
    found = Circuit(kicad_files(kit))
    strip = [f"J{n}" for n in range(4, 4 + len(feeds(kit)))]
    assert found.nets["5V_SUPPLY"] == {("J3", "1"), ("F1", "1")}
    assert found.nets["5V"] == {("F1", "2"), ("#FLG1", "1"), *((part, "1") for part in ("C1", "A1", *strip))}
    assert found.nets["GND_SUPPLY"] == {(part, "2") for part in ("J3", "C1", "A1", *strip)}
    assert found.nets["STRIP_DIN"] == {("A1", "3"), ("J4", "3")}
    assert {part for net in found.nets.values() if {"J1"} & {part for part, _ in net} for part, _ in net} == {
        "J1",
        "J2",
    }
    # What is to be bought for the 5 V side is in the circuit.
    bought = {part.figure for part in parts(kit)}
    for figure, part in {
        "part supply": "J3",
        "part controller": "A1",
        "part electrolytic": "C1",
        "part fuse": "F1",
    }.items():
        assert figure in bought
        assert part in found.values


@every_kit
def test_the_library_has_the_symbols_of_the_sheet(kit: Kit) -> None:
    files = kicad_files(kit)
    own = every(read(files["circuit.kicad_sym"]), "symbol")
    drawn = every(one(read(files["circuit.kicad_sch"]), "lib_symbols"), "symbol")
    assert [["symbol", f"circuit:{symbol[1]}", *symbol[2:]] for symbol in own] == drawn


@pytest.mark.skipif(shutil.which("kicad-cli") is None, reason="KiCad, 7 or later, is not installed")
@pytest.mark.parametrize("name", VARIANTS)
def test_kicad_finds_no_error_and_no_warning(name: str, tmp_path: Path) -> None:
    for file, text in kicad_files(VARIANTS[name]).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    report = tmp_path / "report.txt"
    subprocess.run(
        ("kicad-cli", "sch", "erc", "--severity-all", "-o", report, tmp_path / "circuit.kicad_sch"),
        check=True,
        capture_output=True,
    )
    assert "Errors 0  Warnings 0" in report.read_text(encoding="utf-8")
