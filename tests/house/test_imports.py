"""The house's one direction: who may import whom."""

from __future__ import annotations

import ast
import graphlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cribpi

HOUSE = Path(cribpi.__file__).parent

# A module, or all below it, and the modules of the house that it may import; itself always.
MAY_IMPORT = {
    "core": (),
    "installed": (),
    "entry": ("core",),
    "storage.disk": (),
    "storage.section": ("core.shown",),
    "storage.whole": (),
    "storage.location": ("storage.whole",),
    "storage.mounts": (),
    "storage.watched": ("storage.location",),
    "storage.steps_table": (),
    "storage.database": ("storage.disk", "storage.location", "storage.steps_table"),
    "storage.connection": ("storage.database", "storage.location", "storage.watched", "storage.whole"),
    "storage.games_table": ("storage.steps_table",),
    "storage.rescue": ("core", "storage.games_table", "storage.steps_table"),
    "storage.summaries_table": ("storage.steps_table",),
    "storage.journal": (
        "core",
        "storage.connection",
        "storage.database",
        "storage.disk",
        "storage.games_table",
        "storage.location",
        "storage.rescue",
        "storage.steps_table",
        "storage.summaries_table",
    ),
    "storage.salvage": ("storage.database", "storage.games_table", "storage.location", "storage.steps_table"),
    "storage.past_games": (
        "core",
        "storage.database",
        "storage.disk",
        "storage.games_table",
        "storage.journal",
        "storage.salvage",
        "storage.steps_table",
    ),
    "storage.summaries": (
        "core",
        "storage.database",
        "storage.journal",
        "storage.past_games",
        "storage.steps_table",
        "storage.summaries_table",
    ),
    "storage.late_work": (
        "core",
        "storage.database",
        "storage.games_table",
        "storage.journal",
        "storage.past_games",
        "storage.steps_table",
        "storage.summaries",
    ),
    "kit": ("core.shown", "entry.keys", "storage.disk", "storage.section"),
    "views": ("core", "entry", "kit"),
    "languages": ("core.shown", "entry.texts", "storage.disk", "views.glass.texts"),
    "drawings": ("core.board", "entry.debounce", "kit", "views.lights.frame"),
    "analysis": ("core",),
    "club.connection": ("club.desk", "club.log", "club.night", "mqtt.broker", "mqtt.pairing", "mqtt.reasons"),
    "club.own_broker": ("mqtt.broker", "storage.whole"),
    "club.trial": ("core", "entry.pairing", "mqtt", "opponents", "storage.journal"),
    "club.web": (
        "club.desk",
        "club.entries",
        "club.log",
        "club.night",
        "club.papers",
        "club.playoffs",
        "club.standings",
        "storage.whole",
        "web",
    ),
    "club": ("core",),
    "mqtt.broker": (),
    "mqtt.client": ("mqtt.broker", "mqtt.reasons"),
    "mqtt": ("core", "entry.pairing", "storage"),
    "opponents": ("analysis", "core", "storage.disk", "storage.whole"),
    "review": ("analysis", "core", "opponents", "storage.whole"),
    "devices": ("entry.debounce", "installed"),
    "phones": ("entry.phones", "installed", "storage.disk", "storage.whole"),
    "web": (
        "core",
        "entry.debounce",
        "entry.keys",
        "entry.phones",
        "kit",
        "phones.registry",
        "views",
    ),
    "app.faults": (),
    "app.chance_once": ("core",),
    "app.config": ("core", "entry", "kit", "languages", "mqtt.broker", "storage.disk", "storage.section"),
    "app.snapshot": ("core", "entry", "views"),
    "app.page": ("app.faults", "app.snapshot", "entry", "views"),
    "app.beside": ("app.snapshot", "core", "entry"),
    "app.phones": (
        "app.beside",
        "app.companion",
        "app.page",
        "app.snapshot",
        "app.table",
        "app.tellers",
        "core",
        "entry",
        "kit",
        "phones",
        "views",
        "web.companion",
    ),
    "app.table": (
        "app.chance_once",
        "app.faults",
        "app.snapshot",
        "core",
        "entry",
        "storage.journal",
        "views",
    ),
    "app.service": (),
    "app.tellers": (),
    "app.loop": ("app.snapshot", "app.table", "core", "entry", "kit", "storage.journal", "views"),
    "app.machine_seats": (
        "app.loop",
        "app.snapshot",
        "app.table",
        "core",
        "entry",
        "opponents",
        "storage.journal",
    ),
    "app.reviews": ("core", "review"),
    "app.acquaintance": ("core", "entry", "storage.journal", "storage.past_games"),
    "app.history": (
        "app.reviews",
        "core",
        "kit",
        "review",
        "storage.journal",
        "storage.late_work",
        "storage.past_games",
        "storage.summaries",
        "views",
        "web.history",
        "web.stream",
    ),
    "app.companion": (
        "analysis.live",
        "analysis.tables",
        "app.history",
        "app.loop",
        "app.page",
        "app.tellers",
        "app.table",
        "core",
        "entry",
        "kit",
        "storage.journal",
        "views",
        "web.companion",
        "web.history",
    ),
    "app.caller": ("app.loop", "app.snapshot", "views"),
    "app.bootstrap": (
        "app.acquaintance",
        "app.caller",
        "app.companion",
        "app.config",
        "app.history",
        "app.loop",
        "app.machine_seats",
        "app.phones",
        "app.reviews",
        "app.splash",
        "app.table",
        "core",
        "devices",
        "entry",
        "kit",
        "mqtt",
        "phones",
        "storage.journal",
        "storage.late_work",
        "storage.mounts",
        "views",
    ),
    "app.rehearsal": (
        "app.bootstrap",
        "app.config",
        "app.loop",
        "app.machine_seats",
        "app.snapshot",
        "entry",
        "kit",
        "storage.journal",
        "views",
    ),
    "app.ending": (),
    "app.splash": ("devices.panels",),
    "doctor": (
        "app.bootstrap",
        "app.config",
        "devices",
        "entry.debounce",
        "entry.desk",
        "installed",
        "kit",
        "mqtt.broker",
        "mqtt.client",
        "phones.addresses",
        "phones.file",
        "storage.database",
        "storage.disk",
        "storage.games_table",
        "storage.location",
        "storage.mounts",
        "storage.steps_table",
        "views.glass.canvas",
        "views.glass.font",
    ),
    "commands.streams": ("commands.errors", "core.shown"),
    "commands.patient": (),
    "commands": (
        "analysis",
        "app.bootstrap",
        "app.config",
        "app.ending",
        "app.loop",
        "app.phones",
        "app.rehearsal",
        "app.service",
        "club",
        "core",
        "doctor",
        "drawings",
        "entry",
        "kit",
        "languages",
        "mqtt.broker",
        "opponents",
        "phones.addresses",
        "phones.names",
        "review",
        "storage.disk",
        "storage.journal",
        "storage.past_games",
        "storage.summaries",
        "storage.whole",
        "views",
        "web",
    ),
    "cli": ("commands", "core.shown", "storage.disk"),
    "__main__": ("app.ending", "app.splash", "cli"),
}

# Packages from elsewhere, and the rooms that may import them; the standard library is everyone's.
OUTSIDE = {
    "PIL": ("app", "views", "devices", "doctor", "commands"),
    "gpiozero": ("devices",),
    "adafruit_ssd1306": ("devices",),
    "adafruit_bus_device": ("devices",),
    "adafruit_extended_bus": ("devices",),
    "lgpio": ("devices",),
    "rpi_ws281x": ("devices",),
    "reportlab": ("drawings", "club"),
    "svglib": ("drawings",),
    "_rpi_ws281x": ("devices",),
    "distributed": ("opponents",),
    "numpy": ("analysis", "opponents", "review"),
    "segno": ("views",),
    "ifaddr": ("phones",),
    "zeroconf": ("phones",),
    "paho": ("mqtt", "club"),
    "sqlalchemy": ("club",),
    "networkx": ("club",),
    "jinja2": ("club",),
    "starlette": ("web", "club"),
    "uvicorn": ("web", "club"),
}

TOUCH_DEVICES = ("app.bootstrap", "app.splash", "devices", "doctor")


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


def may_import(name: str) -> tuple[str, ...]:
    """Return what the module *name* may import, by the longest entry that it stands below."""
    rooms = [room for room in MAY_IMPORT if is_below(name, room)]
    if not rooms:
        assert name in {"", *(room.split(".")[0] for room in MAY_IMPORT)}, (
            f"{name} has no entry in MAY_IMPORT"
        )
        return ()
    room = max(rooms, key=len)
    return (room, *MAY_IMPORT[room])


def is_below(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


@pytest.mark.parametrize(
    ("name", "path"), [pytest.param(*found, id=found[0] or "cribpi") for found in modules()]
)
def test_imports_run_one_way(name: str, path: Path) -> None:
    room = name.split(".", maxsplit=1)[0]
    allowed = may_import(name)
    for imported in imports(path):
        inside = imported.removeprefix("cribpi.")
        if inside == imported:
            package = imported.split(".")[0]
            standard = package in sys.stdlib_module_names or package in {"cribpi", "__future__"}
            assert standard or room in OUTSIDE.get(package, ()), f"{name} may not import {imported}"
        elif name and inside != "__version__":
            assert any(is_below(inside, other) for other in allowed), f"{name} may not import {imported}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    paths = dict(modules())
    parts = {"": ""} | {f"cribpi.{name}": name for name in paths if name}
    imported = {
        name: {
            next(parts[whole] for whole in (found, found.rpartition(".")[0], "") if whole in parts)
            for found in imports(path)
        }
        - {"", name}
        for name, path in paths.items()
    }
    tuple(graphlib.TopologicalSorter(imported).static_order())  # it raises CycleError, and names the circle


def test_only_the_bootstrap_and_the_doctor_know_devices() -> None:
    for name, path in modules():
        if any(is_below(name, room) for room in TOUCH_DEVICES):
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
