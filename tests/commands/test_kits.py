"""`cribpi kits` and `cribpi kits check`: what a kit has in words and as JSON, and errors of one line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.paths import KITS

from cribpi.cli import main
from cribpi.commands.kits import gpios
from cribpi.companion.kit.reader import kit_names, load_kit
from cribpi.workshop.drawings import parts


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run `cribpi kits`; return what it prints."""
    assert main(["kits", *arguments]) == 0
    out, error = capsys.readouterr()
    assert not error
    return out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run `cribpi kits`, which refuses; return its one line."""
    try:
        code = main(["kits", *arguments])
    except SystemExit as left:
        code = int(left.code or 0)
    out, error = capsys.readouterr()
    assert (code, out) == (2, "")
    assert error.count("\n") == 1
    return error


def changed(folder: Path, kit: str, *changes: tuple[str, str]) -> str:
    """Write a kit.toml like that of *kit*, with something changed; return its path."""
    text = (KITS / kit / "kit.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_list_names_every_kit_with_its_title_board_lights_keys_and_tracks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = said(capsys)
    for name in kit_names():
        kit = load_kit(name)
        of_kit = text[re.search(rf"^{name} ", text, re.MULTILINE).start() :]  # type: ignore[union-attr]
        head, body, tracks, *_ = of_kit.splitlines()
        assert head.split(None, 1) == [name, kit.title]
        assert f"{kit.board.width:g} x {kit.board.height:g} mm, {kit.strip.leds} LEDs; " in body
        assert tracks.split()[0] == str(len(kit.tracks))
    assert "7 buttons" in text
    assert "17 keys, over USB" in text
    assert "2 tracks of 61 holes, twice round: sides 0 and 2 share it; side 1" in text
    assert max(map(len, text.splitlines())) <= 100


def test_the_list_as_json_has_each_kit_as_check_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(capsys, "--json"))
    assert [kit["name"] for kit in found["kits"]] == list(kit_names())
    for kit in found["kits"]:
        assert json.loads(said(capsys, "check", kit["name"], "--json")) == kit


def test_json_may_be_asked_for_before_check_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(said(capsys, "--json", "check", "table"))["name"] == "table"


TOLD = [
    # kit, a line of what is told of it, in words
    ("table", "table: a valid kit. Table: two tracks, 242 lights"),
    ("table", "board     340 x 180 mm, once round"),
    ("table", "track     sides 0 and 2 share it: holes 1 to 121, no light in the start"),
    ("table", "track     side 1: holes 1 to 121, no light in the start"),
    (
        "table",
        "strip     242 LEDs on GPIO 10 (SPI), driver auto; holes 10 mm apart, a strip of 100 LEDs per metre",
    ),
    ("table", "power     the strip takes up to 500 mA from the Pi's own pin"),
    ("table", "          a supply of 2500 mA; Pi, OLED and strip draw up to 1730 (estimate)"),
    ("table", "screen    OLED SSD1306 at 0x3C on bus 1 (GPIO 2 and 3), 400000 baud"),
    ("table", "plate     340 x 282 mm, with a window for the screen and 20 openings for keys"),
    ("numpad", "plate     340 x 222 mm, with a window for the screen"),
    (
        "wled",
        "strip     242 LEDs on WLED, wled-cribbage.local; holes 10 mm apart, a strip of 100 LEDs per metre",
    ),
    ("wled", "power     strip and controller have a supply of 2000 mA, and draw up to 1300 (estimate)"),
    ("table", "keys      a matrix of 20 keys"),
    ("table", "          P1    P2    UNDO  MENU  OK"),
    ("table", "          rows on GPIO 12 16 20 21, columns on GPIO 13 19 26 24 25"),
    ("table", "entry     every card"),
    ("table", "free      GPIO 4 5 6 14 15 17 18 22 23 27"),
    (
        "table-games",
        "track     side 1: holes 1 to 121, no light in the start, 7 holes for the games of side 1",
    ),
    ("strip-121", "track     sides 0, 1 and 2 share it: holes 1 to 121, no light in the start"),
    (
        "matrix-32x8",
        "strip     256 LEDs on GPIO 10 (SPI), driver auto; on a panel of 32 x 8, 10 mm apart",
    ),
    ("matrix-32x8", "note      LEDs 1 2 5 6 8 9 10 11 12 13 14 15 light no hole and stay dark"),
    ("strip-60", "track     side 1: holes 1 to 121, a light in the start"),
    ("strip-60", "note      LEDs 1 122 125 246 light no hole and stay dark"),
    ("travel-61", "board     250 x 94 mm, twice round in a game to 121"),
    (
        "travel-61",
        (
            "strip     142 LEDs on GPIO 10 (SPI), driver auto; holes 6.94 mm apart, "
            "a strip of 144 LEDs per metre"
        ),
    ),
    ("travel-61", "note      LEDs 1 62 79 140 light no hole and stay dark"),
    ("numpad", "          read from any device that has these codes"),
    ("numpad", "          held: FLNB is MENU, OK is hold:MENU"),
    ("numpad", "          where no rank can be entered: J is P1, Q is P2, K is P3"),
    ("bonnet", "          LEFT  OK    RIGHT UNDO  ."),
    (
        "bonnet",
        "          each pulls its GPIO to ground: UP 17, DOWN 22, LEFT 27, RIGHT 23, OK 4, UNDO 5, MENU 6",
    ),
    (
        "bonnet",
        "screen    OLED SSD1306 at 0x3C on bus 1 (GPIO 2 and 3), 400000 baud; a bonnet on the header",
    ),
    ("bonnet", "entry     points only (peg)"),
]


@pytest.mark.parametrize(("kit", "line"), TOLD)
def test_check_tells_in_words_what_a_kit_has(kit: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert line in said(capsys, "check", str(KITS / kit / "kit.toml")).splitlines()


@pytest.mark.parametrize("name", sorted({*kit_names()} - {"matrix-32x8", "strip-60", "travel-61"}))
def test_nothing_is_amiss_with_the_kits_that_come_with_the_program(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not re.search("^note", said(capsys, "check", name), re.MULTILINE)


NOTES = [
    # a change to table's kit.toml                          what is noted
    (('"OK"', '"UP"'), "no OK key: without the page nothing can be confirmed"),
    (('"UNDO"', '"UP"'), "no UNDO key: without the page nothing can be undone"),
    (('"MENU"', '"UP"'), "no MENU key: without the page the menus can't be opened"),
    (('"7"', '"UP"'), 'some ranks have no key: cards are entered on the page, or write entry = "peg"'),
    (("leds = 242", "leds = 243"), "LED 242 lights no hole and stays dark"),
    (("leds = 242", "leds = 244"), "LEDs 242 243 light no hole and stay dark"),
    (
        ('"auto"\nleds = 242', '"rpi-ws281x"\nleds = 340'),
        "the driver rpi-ws281x drives 339 LEDs at most with the usual spidev.bufsiz: use spi, or raise that",
    ),
]


@pytest.mark.parametrize(("change", "note"), NOTES)
def test_what_a_kit_lacks_is_noted_and_does_not_refuse_it(
    change: tuple[str, str], note: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(tmp_path, "table", change)
    assert f"note      {note}" in said(capsys, "check", path).splitlines()
    assert note in json.loads(said(capsys, "check", path, "--json"))["notes"]


def test_a_key_that_is_another_ones_long_press_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(tmp_path, "table", ('"MENU"', '"UP"'), ("[keys]", '[keys]\nholds = { GO = "MENU" }'))
    assert "no key MENU" not in said(capsys, "check", path)


@pytest.mark.parametrize(("ma", "notes"), [(1000, 0), (1001, 1), (4000, 1), (4001, 2), (8000, 2), (8001, 3)])
def test_more_current_than_a_breadboard_a_wire_or_a_fuse_is_good_for_is_noted(
    ma: int, notes: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (KITS / "table" / "kit.toml").read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    path.write_text(re.sub(r"max_ma = \d+", f"max_ma = {ma}", text), encoding="utf-8")
    lines = [line for line in said(capsys, "check", str(path)).splitlines() if line.startswith("note")]
    about = ("a breadboard is rated for 1000", "its own wires", "before F1 blows")
    assert [words in " ".join(lines) for words in about] == [n < notes for n in range(3)]


@pytest.mark.parametrize(
    ("kit", "panel", "screen", "is_noted"),
    [
        ("table", "SSD1309", "[100, 231]", False),
        ("table", "SSD1309", "[205, 231]", True),
        ("table", "SSD1309", "[100, 231]\nwindow = [54, 30]", True),
        ("table", "SH1106", "[100, 231]\nwindow = [30, 14]", True),
        ("table", "SSD1306", "[100, 231]", False),
        ("bonnet", "SH1106", "[90, 154]", False),  # its window is the whole bonnet
    ],
)
def test_a_window_that_hides_part_of_the_picture_is_noted(
    kit: str, panel: str, screen: str, *, is_noted: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (KITS / kit / "kit.toml").read_text(encoding="utf-8")
    text = re.sub(r"screen = \[\d+, \d+\]", f"screen = {screen}", text)
    path = tmp_path / "own.toml"
    path.write_text(text.replace("[oled]", f'[oled]\npanel = "{panel}"'), encoding="utf-8")
    assert (
        f"the window hides part of the picture of an {panel}" in said(capsys, "check", str(path))
    ) is is_noted


@pytest.mark.parametrize(("ma", "is_noted"), [(1949, True), (1950, False)])
def test_a_supply_that_is_too_weak_for_a_large_oled_is_noted_and_the_kit_can_be_played_with(
    ma: int, *, is_noted: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (KITS / "table" / "kit.toml").read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    power = f'[power]\nsupply_ma = {ma}\n\n[oled]\npanel = "SSD1309"'
    path.write_text(text.replace("[oled]", power), encoding="utf-8")
    note = (
        f"the supply gives {ma} mA, and Pi, OLED and strip draw up to 1950 (estimate): choose a stronger one"
    )
    assert (note in said(capsys, "check", str(path))) is is_noted
    assert (" mA to spare" in parts.as_markdown(load_kit(str(path)))) is not is_noted


def test_a_strip_that_nobody_sells_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (KITS / "strip-121" / "kit.toml").read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    path.write_text(text.replace("[325,", "[296,"), encoding="utf-8")
    assert "note      no strip on sale has its LEDs 9 mm apart: cut it, and join the LEDs with wires" in (
        said(capsys, "check", str(path)).splitlines()
    )


def test_holes_at_several_distances_are_said_to_be_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nearer, nearest = (
        ("from = [35, 28], to = [325, 28]", "from = [35, 28], to = [296, 28]"),
        ("[325, 76]", "[267, 76]"),
    )
    out = said(capsys, "check", changed(tmp_path, "strip-121", nearer, nearest))
    assert "strip     121 LEDs on GPIO 10 (SPI), driver auto; unevenly spaced holes" in out.splitlines()
    assert "note" not in out


def test_a_strip_with_its_own_supply_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(tmp_path, "table", ("max_ma = 500", "max_ma = 2000"))
    lines = said(capsys, "check", path).splitlines()
    assert "power     the strip has its own supply: 3000 mA, of which it draws up to 2000" in lines


def test_the_json_of_a_kit_tells_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    found: dict[str, Any] = json.loads(said(capsys, "check", "travel-61", "--json"))
    assert found["board"] == {"width": 250, "height": 94, "laps": 2}
    assert found["leds"] == 142
    games = [{"sides": [0, 2], "holes": 7}]
    assert found["tracks"][0] == {"sides": [0, 2], "holes": 61, "start": True, "games": games}
    assert found["power"] == {"strip": "pi", "supply_ma": 2500}
    assert found["gpios"]["10"] == "strip"
    assert found["panel"] is None
    assert (found["plate"]["width"], found["plate"]["height"]) == (250, 196)
    assert found["plate"]["openings"][0]["name"] == "screen"
    panel = json.loads(said(capsys, "check", "matrix-32x8", "--json"))["panel"]
    assert (panel["columns"], panel["rows"], panel["first"]) == (32, 8, "upper left")
    assert json.loads(said(capsys, "check", "bonnet", "--json"))["gpios"]["17"] == "key UP"


@pytest.mark.parametrize("name", kit_names())
def test_every_gpio_that_a_kit_uses_is_told_once_with_its_use(name: str) -> None:
    used, spi = gpios(load_kit(name)), set() if name == "wled" else {7, 8, 9, 11}
    assert {2, 3, *([10] if spi else [])} <= set(used)
    assert {gpio for gpio, use in used.items() if use == "spi"} == spi
    assert len(set(used.values()) - {"spi"}) == len(used) - len(spi)


ERRORS = [
    (
        ("check", "none.toml"),
        "cribpi kits: none.toml: it cannot be read (No such file or directory); check",
    ),
    (("check", "tabel"), 'cribpi kits: no kit is called "tabel"; choose one of bonnet, matrix-32x8,'),
    (("check",), "cribpi kits check: the following arguments are required: FILE; cribpi kits check --help"),
    (("chekc", "table"), "cribpi kits: argument ACTION: invalid choice: 'chekc'"),
]


@pytest.mark.parametrize(("arguments", "line"), ERRORS)
def test_an_error_is_one_line_and_code_2(
    arguments: tuple[str, ...], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(capsys, *arguments).startswith(line)


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_an_unfit_kit_is_told_with_file_key_and_remedy(
    more: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(tmp_path, "bonnet", ("UP = 17", "UP = 9"))
    why = "keys.buttons.UP = 9: GPIO 9 is part of the strip's SPI bus; choose another pin"
    assert refused(capsys, "check", path, *more) == f"cribpi kits: {path}: {why}\n"


@pytest.mark.parametrize("action", [(), ("check",)])
def test_help_has_an_example(action: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["kits", *action, "--help"])
    assert left.value.code == 0
    assert "example: cribpi kits check boards/oak.toml" in capsys.readouterr().out
