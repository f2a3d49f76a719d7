"""Facts from KiCad's libraries about the parts of the schematics, and the file that records them.

The libraries are large, so tests read `tests/data/kicad.json`: pin and pad numbers, positions in millimetres,
and the marks printed next to a pad. These are facts about parts; no drawing is copied. To rewrite the file,
install Debian's kicad-footprints and kicad-symbols, or unpack them into a folder:

    CRIBPI_KICAD=FOLDER PYTHONPATH=tests python -m support.kicad_library
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

FILE: Final = Path(__file__).parents[1] / "data/kicad.json"
ROOT: Final = Path(os.environ.get("CRIBPI_KICAD", "/"))
"""Folder that contains usr/share/kicad, if the libraries are installed."""

ZERO: Final = "Module:Raspberry_Pi_Zero_Socketed_THT_FaceDown_MountingHoles"
MX: Final = "Button_Switch_Keyboard:SW_Cherry_MX_1.00u_PCB"
_OUTLINES: Final = {ZERO: "F.Fab", MX: "Dwgs.User"}
"""Layers whose lines are recorded: a board's edges and sockets, and the area of a key."""
SYMBOLS: Final = ("Device:D", "Diode:1N4148", "74xx:74LS125", "Connector:Raspberry_Pi_2_3")
"""Symbols of the parts. A 74AHCT125 has the pins of a 74LS125, and KiCad derives its symbol from that."""


class Place(NamedTuple):
    x: float
    y: float


# --- S-expressions ---


def read(text: str) -> list[Any]:
    """Parse an S-expression into nested lists of texts."""
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
    return [item for item in node if isinstance(item, list) and item[:1] == [name]]


def one(node: list[Any], name: str) -> list[Any]:
    (found,) = every(node, name)
    return found


# --- the libraries ---


def is_installed() -> bool:
    return (ROOT / "usr/share/kicad/footprints").is_dir()


def footprint(name: str) -> dict[str, Any]:
    """Return the library's data of a footprint: pads, marks next to them, and holes."""
    library, _, own = name.partition(":")
    file = ROOT / f"usr/share/kicad/footprints/{library}.pretty/{own}.kicad_mod"
    found = read(file.read_text(encoding="utf-8"))
    pads: dict[str, list[Place]] = defaultdict(list)
    holes = []
    for pad in every(found, "pad"):
        if pad[2] == "np_thru_hole":
            holes.append(_at(pad))
        else:
            pads[pad[1]].append(_at(pad))
    marks = {text[2]: _at(text) for text in _texts(found) if text[2] in {"K", "A", "+"}}
    if plus := _plus(found):
        marks["+"] = plus
    said: dict[str, Any] = {
        "pads": {pad: sorted(places) for pad, places in pads.items()},
        "marks": marks,
        "holes": sorted(holes),
    }
    if layer := _OUTLINES.get(name):
        said["outline"] = sorted(_lines(found, layer))
    return said


def _at(node: list[Any]) -> Place:
    return Place(*map(float, one(node, "at")[1:3]))


def _texts(found: list[Any]) -> Iterator[list[Any]]:
    for text in every(found, "fp_text"):
        if text[1] == "user" and one(text, "layer")[1] == "F.SilkS":
            yield text


def _lines(found: list[Any], layer: str) -> Iterator[tuple[float, ...]]:
    for line in every(found, "fp_line"):
        if one(line, "layer")[1] == layer:
            yield tuple(map(float, one(line, "start")[1:3] + one(line, "end")[1:3]))


def _plus(found: list[Any]) -> Place | None:
    """Return the point at which two printed lines cross in their middles, like a plus sign."""
    lines = list(_lines(found, "F.SilkS"))
    level = [line for line in lines if line[1] == line[3] and line[0] != line[2]]
    upright = [line for line in lines if line[0] == line[2] and line[1] != line[3]]
    for across, down in product(level, upright):
        middle = (across[0] + across[2]) / 2, (down[1] + down[3]) / 2
        if abs(middle[0] - down[0]) < 0.01 and abs(middle[1] - across[1]) < 0.01:
            return Place(round(middle[0], 3), round(middle[1], 3))
    return None


def symbol(name: str) -> dict[str, dict[str, str]]:
    """Return the pins of a symbol by number: name, type, shape and gate."""
    library, _, own = name.partition(":")
    file = ROOT / f"usr/share/kicad/symbols/{library}.kicad_sym"
    symbols = {found[1]: found for found in every(read(file.read_text(encoding="utf-8")), "symbol")}
    while base := every(symbols[own], "extends"):
        own = base[0][1]
    if not every(symbols[own], "symbol"):
        raise LookupError(name)
    pins = {
        one(pin, "number")[1]: {
            "name": one(pin, "name")[1],
            # KiCad 6 and 9 use different types for supply pins.
            "type": "passive" if pin[1] == "power_in" else pin[1],
            "shape": pin[2],
            "unit": unit[1].split("_")[-2],
        }
        for unit in every(symbols[own], "symbol")
        for pin in every(unit, "pin")
    }
    return {number: pins[number] for number in sorted(pins, key=int)}


def packages() -> dict[str, str]:
    """Return the versions of the Debian packages, from their changelogs."""
    found = {}
    for name in ("kicad-footprints", "kicad-symbols"):
        with gzip.open(ROOT / f"usr/share/doc/{name}/changelog.Debian.gz", "rt", encoding="utf-8") as log:
            found[name] = re.findall(r"\((.+?)\)", log.readline())[0]
    return found


def facts(footprints: Iterator[str] | list[str]) -> dict[str, Any]:
    """Return the data of the installed libraries, in the form of the file."""
    names = sorted({*footprints, ZERO})
    said = {
        "footprints": {name: footprint(name) for name in names},
        "symbols": {name: symbol(name) for name in SYMBOLS},
    }
    plain: dict[str, Any] = json.loads(json.dumps(said))
    return plain


def recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def _write() -> None:
    from cribpi.workshop.drawings.kicad import circuit  # noqa: PLC0415
    from support.drawn_kits import VARIANTS  # noqa: PLC0415  needed only for writing the file

    used = [part.footprint for kit in VARIANTS.values() for part in circuit(kit) if part.footprint]
    note = "Facts of KiCad's libraries. Made by: PYTHONPATH=tests python -m support.kicad_library"
    lines = [f' "note": {json.dumps(note)},', f' "packages": {json.dumps(packages())}']
    for kind, found in facts(used).items():
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(said)}" for name, said in found.items())
        lines[-1] += ","
        lines.append(f' "{kind}": {{\n{rows}\n }}')
    FILE.write_text("{\n" + "\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    _write()
