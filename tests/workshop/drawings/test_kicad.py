"""The KiCad project of a kit: read by a reader of its own, and checked by KiCad's where that is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from support.drawn_kits import VARIANTS, every_kit

from cribpi.companion.kit import Keypad, Kit
from cribpi.workshop.drawings.circuit import PINS, cells, feeds, fuse, wires
from cribpi.workshop.drawings.kicad import kicad_files


def read(text: str) -> list[Any]:
    """Return an S-expression as lists of texts."""
    stack: list[list[Any]] = [[]]
    for quoted, word, bracket in re.findall(r'"((?:[^"\\]|\\.)*)"|([^\s()"]+)|([()])', text):
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word or quoted)
    (found,) = stack
    assert len(found) == 1
    whole: list[Any] = found[0]
    return whole


def every(node: list[Any], name: str) -> list[list[Any]]:
    return [item for item in node if isinstance(item, list) and item[0] == name]


def one(node: list[Any], name: str) -> list[Any]:
    (found,) = every(node, name)
    return found


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
        self.types: dict[tuple[str, str], str] = {}
        self.nets: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self.open: set[tuple[str, str]] = set()
        taken = set()
        for placed in every(sheet, "symbol"):
            told = {one[1]: one[2] for one in every(placed, "property")}
            name = told["Reference"]
            self.values[name] = told["Value"]
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
        assert found.net_of(f"SW{n}", 2) == {(f"SW{n}", "2"), (f"D{n}", "1")}
        pins = {wire.terminal: wire.pin for wire in wires(kit)}
        assert (f"SW{n}", "1") in found.net_of("J1", pins[f"column {column + 1}"])
        assert (f"D{n}", "2") in found.net_of("J1", pins[f"row {row + 1}"])


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
