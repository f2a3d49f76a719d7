"""Imports run down: four contracts, and no circle."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from support import paths
from support.house import arrows, circles, imported, imports, modules, rooms

PRODUCTS: Final = (
    ("cribbage",),
    ("companion",),
    ("club", "workshop"),
    ("commands",),
    ("cli",),
    ("__main__",),
)
"""Floors from the bottom up: a room imports from floors below it, and nothing beside it."""

ROOMS: Final = {
    "cribbage": (
        ("rules",),
        ("game",),
        ("words",),
        ("record", "results"),
        ("analysis",),
        ("players",),
        ("engine", "review"),
        ("api",),
    ),
    "companion": (
        ("entry", "files", "installed"),
        ("devices", "engines", "journal", "kit", "update"),
        ("history", "mqtt", "views"),
        ("table",),
        ("web",),
        ("run",),
        ("doctor",),
    ),
}
"""The floors inside two of the products."""

PURE: Final = (
    "cribbage.rules",
    "cribbage.game",
    "cribbage.words",
    "cribbage.record",
    "cribbage.results",
    "companion.entry",
)
IMPURE: Final = {
    "datetime",
    "io",
    "logging",
    "os",
    "pathlib",
    "random",
    "secrets",
    "sqlite3",
    "threading",
    "time",
}
"""Clock, chance, files and threads, which pure rooms are given as arguments or do without."""

DEVICES_ARE_KNOWN_TO: Final = (
    "companion.devices",
    "companion.doctor",
    "companion.run.bootstrap",
    "companion.run.splash",
)

OUTSIDE: Final = {
    "PIL": ("companion", "commands", "workshop.drawings"),
    "numpy": (
        "cribbage.analysis",
        "cribbage.api.environment",
        "cribbage.players",
        "cribbage.review",
        "workshop",
    ),
    "pettingzoo": ("cribbage.api.environment",),
    "gymnasium": ("cribbage.api.environment",),
    "gpiozero": ("companion.devices",),
    "adafruit_ssd1306": ("companion.devices",),
    "adafruit_bus_device": ("companion.devices",),
    "adafruit_extended_bus": ("companion.devices",),
    "lgpio": ("companion.devices",),
    "rpi_ws281x": ("companion.devices",),
    "_rpi_ws281x": ("companion.devices",),
    "segno": ("companion.views",),
    "ifaddr": ("companion.web.phones",),
    "zeroconf": ("companion.web.phones", "companion.devices.mdns"),
    "paho": ("companion.mqtt", "club"),
    "starlette": ("companion.web", "club"),
    "uvicorn": ("companion.web", "club"),
    "anyio": ("companion.web.serving",),  # Starlette's threads
    "sqlalchemy": ("club",),
    "networkx": ("club",),
    "jinja2": ("club",),
    "reportlab": ("workshop.drawings", "club"),
    "svglib": ("workshop.drawings",),
    "distributed": ("workshop.arena",),
}
"""Packages from elsewhere, and where they may be imported; the standard library is everyone's."""


READS_ONLY_THE_VIEW: Final = ("companion.views", "companion.web")
NO_FACTS: Final = {
    "keys.card_of": "which card a key is",
    "keys.is_key": "which text is a key",
    "debounce.holds_of": "which keys are held",
    "next_game.is_given": "which name a person has given",
    "device.version": "which cribpi this is",
    "view.view_of": "makes the view of a past position",
    "view.likely_keys": "chosen from what a phone may press",
    "hands.open_hand": "asked before there is a view: a phone may not be shown its hand",
    "menu.why_pages": "lines of a text",
}
"""The functions of entry that those who show the table call, each with why it is no part of the view."""


def is_below(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


def floor(name: str, floors: tuple[tuple[str, ...], ...]) -> tuple[int, str] | None:
    """Return the floor and the room of the module *name*, seen from the folder of its *floors*."""
    first = name.split(".", maxsplit=1)[0]
    found = [(number, first) for number, rooms in enumerate(floors) if first in rooms]
    assert found or not name, f"{name} stands in no room: give it one in tests/house/test_imports.py"
    return found[0] if found else None


def assert_down(name: str, said: str, floors: tuple[tuple[str, ...], ...]) -> None:
    above, below = floor(name, floors), floor(said, floors)
    if above and below and above != below:
        assert below[0] < above[0], f"{name} may not import {said}"


def test_imports_run_down() -> None:
    for name, path in modules():
        for said in imports(path):
            inside = said.removeprefix("cribpi.")
            if inside in {said, "__version__"}:
                continue
            assert_down(name, inside, PRODUCTS)
            for product, floors in ROOMS.items():
                if is_below(name, product) and is_below(inside, product):
                    assert_down(name[len(product) + 1 :], inside[len(product) + 1 :], floors)


def test_a_package_from_elsewhere_is_imported_where_it_belongs() -> None:
    for name, path in modules():
        for said in imports(path):
            package = said.split(".")[0]
            if package not in sys.stdlib_module_names | {"cribpi"}:
                rooms = OUTSIDE.get(package, ())
                assert any(is_below(name, room) for room in rooms), f"{name} may not import {said}"


def test_nothing_that_plays_knows_the_workshop_and_few_know_devices() -> None:
    for name, path in modules():
        found = {inside.removeprefix("cribpi.") for inside in imports(path)}
        if not is_below(name, "commands") and not is_below(name, "workshop"):
            assert not any(is_below(inside, "workshop") for inside in found), name
        if not any(is_below(name, room) for room in DEVICES_ARE_KNOWN_TO):
            assert not any(is_below(inside, "companion.devices") for inside in found), name


def test_the_game_and_the_entry_have_no_clock_no_chance_and_no_files() -> None:
    for name, path in modules():
        if any(is_below(name, room) for room in PURE):
            found = {said.split(".")[0] for said in imports(path)} & IMPURE
            assert not found, f"{name} imports {found}"


def test_who_shows_the_table_asks_its_view_and_imports_from_entry_types_alone() -> None:
    called = set()
    for name, path in modules():
        if any(is_below(name, room) for room in READS_ONLY_THE_VIEW):
            said = (one.removeprefix("cribpi.companion.entry.") for one in imports(path) if ".entry." in one)
            called |= {one for one in said if "." in one and one.rpartition(".")[2].islower()}
    assert called == NO_FACTS.keys()


def test_no_modules_and_no_rooms_import_each_other_in_a_circle() -> None:
    assert circles(imported()) == []
    for inside in ("", *ROOMS):
        assert circles(arrows(inside=inside)) == []


def test_the_rooms_of_a_house_are_told_with_their_arrows_and_circles(tmp_path: Path) -> None:
    house = tmp_path / "house"
    for name, text in {
        "__init__": "",
        "low/__init__": '"""Low."""\n',
        "low/one": "def one() -> int:\n    return 1  # why\n",
        "high/__init__": "",
        "high/two": "from house.low.one import one\n\ntwo = (\n    one()\n    + one()\n)\n",
        "high/three": "def three():\n    from house.high.two import two\n    return two\n",
    }.items():
        (house / name).parent.mkdir(parents=True, exist_ok=True)
        (house / f"{name}.py").write_text(text, "utf-8")
    assert [(room.name, room.files, room.lines, room.down, room.up) for room in rooms(house)] == [
        ("high", 3, 8, ("low",), ()),
        ("low", 2, 2, (), ("high",)),
    ]
    assert circles(imported(house)) == []
    with (house / "low" / "one.py").open("a", encoding="utf-8") as low:
        low.write("import house.high.three\n")
    assert circles(imported(house)) == [{"low.one", "high.two", "high.three"}]
    assert circles(arrows(house)) == [{"low", "high"}]


def test_who_asks_for_an_error_of_the_rules_does_not_load_their_table() -> None:
    """`cribpi score` starts in half the time for it."""
    assert imports(paths.PACKAGE / "cribbage" / "rules" / "__init__.py") == ()
