"""The house's one direction: who may import whom."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cribpi

HOUSE = Path(cribpi.__file__).parent

# A module, or all below it, and the modules of the house that it may import; itself always.
MAY_IMPORT = {
    "core": (),
    "entry": ("core",),
    "disk": (),
    "streams": ("core.shown",),
    "kit": ("core.shown", "disk", "entry.keys"),
    "journal_place": (),
    "journal_file": ("journal_place",),
    "journal_log": ("journal_place",),
    "journal_open": ("journal_file", "journal_log", "journal_place"),
    "games_table": ("journal_file",),
    "journal": ("core", "disk", "games_table", "journal_file", "journal_open", "journal_place"),
    "salvage": ("games_table", "journal_file", "journal_place"),
    "kept_games": ("core", "games_table", "journal", "journal_file", "salvage"),
    "late_standings": ("core", "games_table", "journal", "journal_file"),
    "views": ("core", "entry", "kit"),
    "drawings": ("entry.debounce", "kit", "views.frame"),
    "analysis": ("core",),
    "opponents": ("analysis", "core", "disk"),
    "chance_once": ("core",),
    "faults": (),
    "table": ("chance_once", "core", "entry", "faults", "journal", "views"),
    "service": (),
    "loop": ("core", "entry", "kit", "journal", "table", "views"),
    "machine_seats": ("core", "entry", "journal", "loop", "opponents", "table"),
    "devices": ("entry.debounce",),
    "web": ("core", "entry.debounce", "entry.keys", "kit", "views"),
    "companion": ("core", "entry", "kit", "journal", "loop", "table", "views", "web.companion"),
    "config": ("core", "disk", "entry"),
    "bootstrap": (
        "companion",
        "config",
        "core",
        "devices",
        "entry",
        "journal",
        "kit",
        "late_standings",
        "loop",
        "machine_seats",
        "table",
        "views",
    ),
    "doctor": (
        "bootstrap",
        "devices",
        "disk",
        "entry.debounce",
        "entry.desk",
        "games_table",
        "journal_file",
        "kit",
        "views.canvas",
    ),
    "rehearsal": (
        "bootstrap",
        "config",
        "entry",
        "journal",
        "kit",
        "loop",
        "machine_seats",
        "table",
        "views",
    ),
    "commands": (
        "analysis",
        "bootstrap",
        "config",
        "core",
        "disk",
        "doctor",
        "drawings",
        "ending",
        "entry",
        "journal",
        "kept_games",
        "kit",
        "loop",
        "opponents",
        "patient",
        "rehearsal",
        "service",
        "streams",
        "views",
        "web",
    ),
    "ending": (),
    "patient": (),
    "cli": ("commands", "core", "disk", "ending", "entry", "streams", "views"),
    "__main__": ("cli", "ending"),
}

# Packages from elsewhere, and the rooms that may import them; the standard library is everyone's.
OUTSIDE = {
    "PIL": ("views", "devices", "doctor", "loop", "bootstrap", "companion", "rehearsal", "commands"),
    "gpiozero": ("devices",),
    "adafruit_ssd1306": ("devices",),
    "adafruit_extended_bus": ("devices",),
    "lgpio": ("devices",),
    "rpi_ws281x": ("devices",),
    "reportlab": ("drawings",),
    "_rpi_ws281x": ("devices",),
    "numpy": ("analysis", "opponents"),
    "starlette": ("web",),
    "uvicorn": ("web",),
}

TOUCH_DEVICES = {"bootstrap", "devices", "doctor"}


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(HOUSE.rglob("*.py")):
        name = path.relative_to(HOUSE).with_suffix("").as_posix().replace("/", ".").removesuffix("__init__")
        yield name.rstrip("."), path


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_below(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


@pytest.mark.parametrize(
    ("name", "path"), [pytest.param(*found, id=found[0] or "cribpi") for found in modules()]
)
def test_imports_run_one_way(name: str, path: Path) -> None:
    room = name.split(".", maxsplit=1)[0]
    for imported in imports(path):
        inside = imported.removeprefix("cribpi.")
        if inside == imported:
            package = imported.split(".")[0]
            standard = package in sys.stdlib_module_names or package in {"cribpi", "__future__"}
            assert standard or room in OUTSIDE.get(package, ()), f"{name} may not import {imported}"
        elif room and inside != "__version__":
            allowed = (room, *MAY_IMPORT[room])
            assert any(is_below(inside, other) for other in allowed), f"{name} may not import {imported}"


def test_only_the_bootstrap_and_the_doctor_know_devices() -> None:
    for name, path in modules():
        if name.split(".")[0] in TOUCH_DEVICES:
            continue
        assert not any(imported.startswith("cribpi.devices") for imported in imports(path)), name


def test_the_core_has_no_clock_no_chance_and_no_files() -> None:
    forbidden = {
        "time",
        "datetime",
        "random",
        "secrets",
        "os",
        "pathlib",
        "io",
        "sqlite3",
        "threading",
        "logging",
    }
    for name, path in modules():
        if is_below(name, "core") or is_below(name, "entry"):
            found = {imported.split(".")[0] for imported in imports(path)} & forbidden
            assert not found, f"{name} imports {found}"
