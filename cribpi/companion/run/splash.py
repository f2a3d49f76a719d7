"""The first picture of a start, shown on a Pi's panel before anything heavy is imported.

The imports of `cribpi run` take a Zero 2 W some seconds.  So this module imports next to nothing, its picture
is drawn in advance, and it reads only the panel's place from the settings and the kit.  An error in these
leaves the panel dark, and is reported later in the start.
"""

from __future__ import annotations

import os

from cribpi.companion.devices.panels import CHIPS, OFFSETS, ROTATIONS, SIZE, SSD1306, show_on_bus

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to load than all of this
    from collections.abc import Mapping, Sequence
    from typing import Any

LOADING = "companion/views/screen/loading.bin"
"""The picture in the panel's format: a path in the package.  `--redraw-golden` draws it."""
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120  pathlib is slow
_KITS = (f"{_PACKAGE}/kits", f"{os.path.dirname(_PACKAGE)}/hardware/kits")  # noqa: PTH120  pathlib is slow


def begin(arguments: Sequence[str]) -> None:
    """Show that `cribpi run` with *arguments* is loading, if this is a Pi with a panel.  Never raises."""
    try:
        place = panel_place(arguments, os.environ)
        if place is not None:
            show_on_bus(loading_picture(), *place)
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        pass


def loading_picture() -> bytes:
    """Return the prepared picture: 8 pages of 128 bytes.

    Raises:
        OSError: If it can't be read.
        ValueError: If it has another size.
    """
    with open(f"{_PACKAGE}/{LOADING}", "rb") as file:  # noqa: PTH123  pathlib is slow
        picture = file.read()
    if len(picture) != SIZE:
        raise ValueError(f"{LOADING} has {len(picture)} bytes, not {SIZE}")
    return picture


def panel_place(
    arguments: Sequence[str], environ: Mapping[str, str], root: str = ""
) -> tuple[int, int, str, int, int | None] | None:
    """Return the panel's bus, address, chip, rotation in degrees, and column offset.

    Return None if the companion will run on emulated chips.  *root* is the root folder, for tests.

    Raises:
        OSError: If a file can't be read.
        ValueError: If a file is not TOML, or a value is impossible for a panel.
        LookupError: If the kit lacks its panel's place.
        TypeError: If a value is not a table but should be.
    """
    if "--sim" in arguments or not _is_pi(f"{root}/proc/device-tree/model"):
        return None
    import tomllib  # noqa: PLC0415  needed on a Pi only

    def read(path: str) -> dict[str, Any]:
        with open(path, "rb") as file:  # noqa: PTH123  pathlib is slow
            return tomllib.load(file)

    file = settings_file(environ, f"{root}/etc")
    settings = read(file) if file else {}
    kit = read(_kit_file(_kit_asked(arguments) or str(settings.get("kit", "table"))))["oled"]
    own = {"panel": "kit", "rotate": 0, "offset": "kit"} | settings.get("oled", {})
    is_kits = own["panel"] == "kit"
    panel = kit.get("panel", SSD1306) if is_kits else own["panel"]
    offset = own["offset"]
    if offset == "kit":  # The kit's offset applies only to the kit's own panel.
        offset = kit.get("offset") if is_kits else None
    bus, address = kit["bus"], kit["address"]
    rotate = (kit.get("rotate", 0) + own["rotate"]) % 360
    if {type(bus), type(address), type(rotate)} != {int} or not (0 <= bus < 32 and 0x08 <= address <= 0x77):
        raise ValueError(f"no panel can be at {address} of bus {bus}")
    if panel not in CHIPS or rotate not in ROTATIONS:
        raise ValueError(f"no panel is a {panel} turned by {rotate} degrees")
    if offset is not None and not (type(offset) is int and OFFSETS[0] <= offset <= OFFSETS[1]):
        raise ValueError(f"no panel begins at column {offset}")
    return bus, address, panel, rotate, offset


def _is_pi(model: str) -> bool:
    try:
        with open(model, "rb") as file:  # noqa: PTH123  pathlib is slow
            return file.read().startswith(b"Raspberry Pi")
    except OSError:
        return False


def _kit_asked(arguments: Sequence[str]) -> str | None:
    """Return the last kit on the command line, or None."""
    kit = None
    for index, argument in enumerate(arguments):
        if argument == "--kit" and index + 1 < len(arguments):
            kit = arguments[index + 1]
        elif argument.startswith("--kit="):
            kit = argument.removeprefix("--kit=")
    return kit or None


def settings_file(environ: Mapping[str, str], system: str) -> str | None:
    """Return the path of the user's settings file, else of the *system*'s, if either exists."""
    home = environ.get("XDG_CONFIG_HOME") or f"{environ.get('HOME') or '/'}/.config"
    return next(filter(os.path.exists, (f"{folder}/cribpi/config.toml" for folder in (home, system))), None)


def _kit_file(kit: str) -> str:
    """Return the path of *kit*, a name or a path.  The file may not exist."""
    if "/" in kit or kit.endswith(".toml"):
        return kit
    paths = [f"{folder}/{kit}/kit.toml" for folder in _KITS]
    return next(filter(os.path.exists, paths), paths[0])
