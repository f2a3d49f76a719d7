"""The first picture of a start: what it takes, where it is sent, and that it comes before all else."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest
from PIL import Image
from support.paths import KITS
from support.patience import until

from cribpi.commands.run import kit_of
from cribpi.companion.devices import panels
from cribpi.companion.devices.oled import packed
from cribpi.companion.devices.twin.panel import Bus, Panel
from cribpi.companion.journal.journal import StateFolder
from cribpi.companion.kit import Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run import bootstrap, splash
from cribpi.companion.run.bootstrap import Chips, assembled, show_refused
from cribpi.companion.run.config import Config, config_file, read_config
from cribpi.companion.views.screen.screen import draw_start

KIT: Final = "[oled]\nbus = 3\naddress = 0x3D\n"


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """Return the root of a machine that says it is a Pi."""
    model = tmp_path / "proc" / "device-tree" / "model"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"Raspberry Pi Zero 2 W Rev 1.0\0")
    return tmp_path


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


# --- before all else ----------------------------------------------------------------------------------


def test_it_needs_nothing_that_takes_long_to_load() -> None:
    """The rest of the program takes some seconds on a Zero 2 W, and is not waited for."""
    code = (
        "import os, sys; before = set(sys.modules)\n"
        "from cribpi.companion.run import splash\n"
        "from cribpi.companion.devices import panels\n"
        "splash.begin(['--sim']); panels.show_first([].append, splash.loading_picture())\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    found = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True,
                           cwd=Path(splash.__file__).parents[3])  # fmt: skip
    loaded = set(found.stdout.split())
    assert loaded <= {
        "__future__", "cribpi", "cribpi.companion", "cribpi.companion.run", "cribpi.companion.run.splash",
        "cribpi.companion.devices", "cribpi.companion.devices.panels", "fcntl",
    }  # fmt: skip


def test_the_first_picture_on_the_glass_is_the_starts_and_comes_before_the_journal_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bytes, bool]] = []
    made = bootstrap.twin_chips

    def watched(kit: Kit) -> Chips:
        chips = made(kit)
        assert chips.twin is not None
        panel = chips.twin.panel
        panel.when_changed = lambda: seen.append(
            (panel.picture().tobytes(), (tmp_path / "journal.db").exists())
        )
        return chips

    monkeypatch.setattr(bootstrap, "twin_chips", watched)
    with assembled(Config(), load_kit("table"), tmp_path, is_sim=True):
        pass
    lit = [(picture, is_open) for picture, is_open in seen if any(picture)]
    assert lit[0] == (draw_start("opening the journal").tobytes(), False)


def test_the_glass_is_lit_again_before_the_table_is_there(tmp_path: Path) -> None:
    expected = draw_start("opening the page").tobytes()
    with assembled(Config(), load_kit("table"), tmp_path, is_sim=True) as running:
        twin = running.chips.twin
        assert twin is not None
        until(lambda: twin.panel.picture().tobytes() == expected)


# --- on the panel -------------------------------------------------------------------------------------


class Watched(Panel):
    """A panel that keeps what was on its glass after each transfer."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Image.Image] = []
        self.when_changed = lambda: self.seen.append(self.picture())


def test_a_panel_that_has_just_got_power_shows_the_picture_and_never_the_noise_of_its_memory() -> None:
    panel, picture = Watched(), draw_start("now")
    panels.show_first(lambda data: Bus(0x3C, panel).writeto(0x3C, data), packed(picture))
    assert panel.picture().tobytes() == picture.tobytes()
    assert not any(seen.getbbox() for seen in panel.seen[:-1])
    assert panel.unknown == 0


def test_a_panel_that_is_on_shows_the_picture_without_going_dark() -> None:
    panel = Watched()
    for step in ("before", "now"):
        panel.seen.clear()
        panels.show_first(panel.receive, packed(draw_start(step)))
    assert all(seen.getbbox() for seen in panel.seen)
    assert panel.picture().tobytes() == draw_start("now").tobytes()


def test_the_picture_drawn_beforehand_is_read_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert splash.loading_picture() == packed(draw_start("loading the program"))
    monkeypatch.setattr(splash, "_PACKAGE", str(tmp_path))
    written(tmp_path / splash.LOADING, "cut short")
    with pytest.raises(ValueError, match="has 9 bytes, not 1024"):
        splash.loading_picture()


# --- where the panel is -------------------------------------------------------------------------------


def test_elsewhere_than_on_a_pi_and_on_emulated_chips_no_bus_is_opened(tmp_path: Path, pi: Path) -> None:
    assert splash.panel_place([], {}, str(tmp_path / "laptop")) is None
    assert splash.panel_place(["--sim"], {}, str(pi)) is None
    assert splash.panel_place([], {}, str(pi)) == (1, 0x3C, "SSD1306", 0, None)


@pytest.mark.parametrize(
    "options", [["--kit", "{}"], ["--port", "0", "--kit={}"], ["--kit", "x", "--kit={}"]]
)
def test_the_kit_of_the_command_line_counts(options: list[str], pi: Path) -> None:
    kit = written(pi / "own.toml", KIT)
    config = written(pi / "etc/cribpi/config.toml", 'kit = "table"')
    assert splash.panel_place([option.format(kit) for option in options], {}, str(pi)) == (
        3,
        0x3D,
        "SSD1306",
        0,
        None,
    )
    config.unlink()
    assert splash.panel_place([option.format(kit) for option in options], {}, str(pi)) == (
        3,
        0x3D,
        "SSD1306",
        0,
        None,
    )


@pytest.mark.parametrize("named", [{}, {"HOME": "{}/me"}, {"HOME": "{}/me", "XDG_CONFIG_HOME": "{}/xdg"}])
def test_else_the_kit_of_the_settings_that_the_program_reads(named: Mapping[str, str], pi: Path) -> None:
    environ = {name: value.format(pi) for name, value in named.items()} or {"HOME": "/nowhere"}
    places = {"etc": 4, "me/.config": 5, "xdg": 6}
    for folder, bus in places.items():
        kit = written(pi / f"{bus}.toml", KIT.replace("3\n", f"{bus}\n"))
        written(pi / folder / "cribpi/config.toml", f'kit = "{kit}"')
    place = splash.panel_place([], environ, str(pi))
    read = config_file(environ, pi / "etc")
    assert place is not None
    assert read is not None
    assert pi / {bus: folder for folder, bus in places.items()}[place[0]] / "cribpi/config.toml" == read


@pytest.mark.parametrize("name", ["table", "bonnet", "numpad", "travel-61"])
def test_it_is_where_the_whole_kit_says(name: str, pi: Path) -> None:
    glass = load_kit(name).glass
    assert splash.panel_place(["--kit", name], {}, str(pi)) == (
        glass.bus,
        glass.address,
        glass.panel,
        glass.rotate,
        glass.offset,
    )


@pytest.mark.parametrize("rotate", [0, 180])
@pytest.mark.parametrize(
    ("own", "offset"),
    [
        ("", 0),
        ("[oled]", 0),
        ('[oled]\npanel = "SSD1309"', None),
        ('[oled]\npanel = "SSD1309"\noffset = 2', 2),
        ("[oled]\noffset = 3", 3),
        ("[oled]\nrotate = 180", 0),
    ],
)
def test_its_chip_its_turn_and_its_offset_are_those_of_kit_and_settings_together(
    own: str, offset: int | None, rotate: int, pi: Path
) -> None:
    table = (KITS / "table" / "kit.toml").read_text("utf-8")
    kit = table.replace("[oled]\n", f'[oled]\npanel = "SH1106"\nrotate = {rotate}\noffset = 0\n')
    path = written(pi / "own.toml", kit)
    config = written(pi / "etc/cribpi/config.toml", f'kit = "{path}"\n{own}')
    glass = kit_of(read_config(config)).glass
    place = glass.bus, glass.address, glass.panel, glass.rotate, glass.offset
    assert splash.panel_place([], {}, str(pi)) == place
    assert glass.offset == offset
    assert glass.panel == ("SSD1309" if "panel" in own else "SH1106")
    assert glass.rotate == (180 - rotate if "rotate" in own else rotate)


@pytest.mark.parametrize(
    "kit",
    [
        "[oled]\nbus = 1",
        "[oled",
        "oled = 1",
        "",
        '[oled]\nbus = "1"\naddress = 60',
        "[oled]\nbus = 1\naddress = 3000000000",
        '[oled]\nbus = 1\naddress = 60\npanel = "ST7920"',
        "[oled]\nbus = 1\naddress = 60\nrotate = 90",
        "[oled]\nbus = 1\naddress = 60\noffset = 5",
        "[oled]\nbus = 1\naddress = 60\noffset = true",
        '[oled]\nbus = 1\naddress = 60\nrotate = "90"',
        "\udcff",
    ],
)
def test_a_kit_that_cannot_be_used_is_no_picture_and_no_error(kit: str, pi: Path) -> None:
    """Why it can't be used is said a little later, when all of it is read."""
    path = pi / "own.toml"
    path.write_bytes(kit.encode("utf-8", "surrogateescape"))
    with pytest.raises((OSError, ValueError, TypeError, LookupError, AttributeError)):
        splash.panel_place(["--kit", str(path)], {}, str(pi))
    with pytest.raises((OSError, ValueError, TypeError, LookupError, AttributeError)):
        splash.panel_place(["--kit", str(pi / "none.toml")], {}, str(pi))


@pytest.mark.parametrize("fails", [OSError("no bus"), ValueError("no TOML"), KeyError("oled"), TypeError()])
def test_whatever_fails_the_program_goes_on(fails: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise fails

    monkeypatch.setattr(splash, "panel_place", broken)
    monkeypatch.setattr(bootstrap, "panel_place", broken)
    splash.begin([])
    show_refused(None, "the disk is full")


def test_an_unknown_kit_is_no_picture(pi: Path) -> None:
    with pytest.raises(FileNotFoundError):
        splash.panel_place(["--kit", "no-such-kit"], {}, str(pi))


# --- a companion that runs already --------------------------------------------------------------------


def test_a_bus_that_a_companion_holds_is_not_drawn_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = written(tmp_path / "i2c-1", "")
    opened = os.open

    def from_here(path: str, flags: int) -> int:
        return opened(device if path == "/dev/i2c-1" else path, flags)

    with monkeypatch.context() as here:  # and no longer: the test's folder is opened as it goes
        here.setattr(os, "open", from_here)
        here.setattr(fcntl, "ioctl", lambda *_: 0)
        held = panels.hold_bus(1)
        with pytest.raises(BlockingIOError):
            panels.show_on_bus(bytes(panels.SIZE), 1, 0x3C)
        assert device.read_bytes() == b""
        os.close(held)
        panels.show_on_bus(bytes(panels.SIZE), 1, 0x3C)
    sent: list[bytes] = []
    panels.show_first(sent.append, bytes(panels.SIZE))
    assert device.read_bytes() == b"".join(sent)


def test_the_panel_is_held_while_the_companion_runs_and_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    made = bootstrap.twin_chips

    def holding(kit: Kit) -> Chips:
        chips = made(kit)

        def hold() -> Callable[[], object]:
            said.append("held")
            return lambda: said.append("given back")

        return Chips(
            chips.open_oled, chips.open_strip, chips.open_pins, chips.open_bus, chips.inputs,
            chips.show_first, hold, chips.twin,
        )  # fmt: skip

    monkeypatch.setattr(bootstrap, "twin_chips", holding)
    with assembled(Config(), load_kit("table"), tmp_path, is_sim=True):
        assert said == ["held"]
    assert said == ["held", "given back"]


def test_a_bug_in_a_picture_of_the_start_does_not_keep_the_table_from_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_step: str) -> Image.Image:
        raise ZeroDivisionError

    monkeypatch.setattr(bootstrap, "draw_start", broken)
    monkeypatch.setattr(bootstrap, "draw_not_started", broken)
    with assembled(Config(), load_kit("table"), tmp_path, is_sim=True) as running:
        assert running.notice is None
    show_refused(None, "the disk is full")


def test_a_start_without_a_panel_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = bootstrap.twin_chips

    def unplugged(kit: Kit) -> Chips:
        chips = made(kit)
        assert chips.twin is not None
        chips.twin.bus.plugged = False
        return chips

    monkeypatch.setattr(bootstrap, "twin_chips", unplugged)
    with assembled(Config(), load_kit("table"), tmp_path, is_sim=True) as running:
        assert running.notice is None
    StateFolder(tmp_path).close()
