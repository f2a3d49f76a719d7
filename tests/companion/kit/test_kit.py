from __future__ import annotations

import math
import re
import tomllib
from itertools import chain, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import paths

from cribpi.companion import kit as kits
from cribpi.companion.devices import panels
from cribpi.companion.entry.keys import KEYS
from cribpi.companion.kit import (
    GLASS_MA,
    PI_MA,
    PI_PIN_MA,
    SIDES,
    Buttons,
    HolePosition,
    Keypad,
    Kit,
    Plate,
    Power,
    UsbKeys,
)
from cribpi.companion.kit.codes import KEY_CODES
from cribpi.companion.kit.reader import kit_names, load_kit

TABLE = paths.KITS / "table" / "kit.toml"
TABLE_GAMES = paths.KITS / "table-games" / "kit.toml"
NUMPAD = paths.KITS / "numpad" / "kit.toml"
NAMES = (
    *("bonnet", "matrix-32x8", "numpad", "strip-121", "strip-60"),
    *("table", "table-3", "table-games", "travel-61", "wled"),
)
KITS = [load_kit(name) for name in NAMES]
TRAVEL = load_kit("travel-61")
# Of strips that are sold, in millimetres.
PITCH = {kit.name: 10.0 for kit in KITS} | {"strip-60": 1000 / 60, "travel-61": 1000 / 144}
LIT_STARTS = {"matrix-32x8", "strip-60", "travel-61"}
DARK = {
    "matrix-32x8": [1, 2, 5, 6, *range(8, 16)],
    "strip-60": [1, 122, 125, 246],
    "travel-61": [1, 62, 79, 140],
}
"""The LEDs beside starts and game holes, which stay dark to set them off."""


def apart(one: HolePosition, other: HolePosition) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def all_places(kit: Kit) -> list[HolePosition]:
    """Return the holes of all tracks, and those of the games won."""
    games = [place for track in kit.tracks for row in track.games for place in row.holes]
    return [place for track in kit.tracks for place in track.holes] + games


def test_the_kits_are_there_by_name() -> None:
    assert kit_names() == NAMES


@pytest.mark.parametrize(
    ("name", "leds", "tracks"),
    [
        ("bonnet", 121, [(0, 1, 2)]),
        ("matrix-32x8", 256, [(0, 2), (1,)]),
        ("numpad", 242, [(0, 2), (1,)]),
        ("strip-121", 121, [(0, 1, 2)]),
        ("strip-60", 248, [(0, 2), (1,)]),
        ("table", 242, [(0, 2), (1,)]),
        ("table-3", 363, [(0,), (1,), (2,)]),
        ("table-games", 256, [(0, 2), (1,)]),
        ("travel-61", 142, [(0, 2), (1,)]),
        ("wled", 242, [(0, 2), (1,)]),
    ],
)
def test_a_kit_has_its_lights_and_its_tracks(name: str, leds: int, tracks: list[tuple[int, ...]]) -> None:
    kit = load_kit(name)
    assert kit.name == name
    assert kit.strip.leds == leds
    assert [track.sides for track in kit.tracks] == tracks


def test_the_table_is_wired_as_its_diagram_says() -> None:
    kit = load_kit("table")
    assert isinstance(kit.keypad, Keypad)
    assert kit.keypad.rows == (12, 16, 20, 21)
    assert kit.keypad.columns == (13, 19, 26, 24, 25)
    assert kit.keypad.keys[0] == ("A", "2", "3", "4", "5")
    assert kit.keypad.keys[3] == ("P1", "P2", "UNDO", "MENU", "OK")
    assert (kit.glass.bus, kit.glass.address, kit.glass.data, kit.glass.clock) == (1, 0x3C, 2, 3)
    assert (kit.strip.gpio, kit.strip.max_ma) == (10, 500)


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_every_led_of_a_kit_lights_exactly_one_hole(kit: Kit) -> None:
    leds = sorted(place.led for place in all_places(kit))
    assert sorted((*leds, *DARK.get(kit.name, []))) == list(range(kit.strip.leds))


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_every_side_has_a_light_for_every_score_and_some_kits_one_for_the_start(kit: Kit) -> None:
    first, last = int(kit.name not in LIT_STARTS), 61 if kit.laps == 2 else 121
    for side in SIDES:
        assert [place.hole for place in kit.track_of(side).holes] == list(range(first, last + 1))
        assert (kit.led(side, 0) is None) == (first == 1)
        assert None not in {kit.led(side, score) for score in range(1, 122)}
        assert all(kit.led(side, place.hole, target=61) == place.led for place in kit.track_of(side).holes)


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_holes_of_a_street_are_a_strips_pitch_apart_and_the_game_hole_is_set_off(kit: Kit) -> None:
    for track in kit.tracks:
        for one, other in pairwise(track.holes):
            if one.hole in {0, track.lap}:
                assert apart(one, other) >= min(15, 1.99 * PITCH[kit.name])
            elif one.hole % 30:
                assert apart(one, other) == pytest.approx(PITCH[kit.name], abs=0.011)


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_no_two_holes_are_nearer_than_a_strips_pitch_and_none_is_near_the_edge(kit: Kit) -> None:
    places = all_places(kit)
    for number, place in enumerate(places):
        assert 15 <= place.x <= kit.board.width - 15
        assert 15 <= place.y <= kit.board.height - 15
        assert all(apart(place, other) > PITCH[kit.name] - 0.011 for other in places[:number])


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_the_streets_lie_in_the_middle_of_the_board(kit: Kit) -> None:
    streets = [place for track in kit.tracks for place in track.holes if place.hole <= 120]
    assert min(p.x for p in streets) + max(p.x for p in streets) == pytest.approx(kit.board.width)
    assert min(p.y for p in streets) + max(p.y for p in streets) == pytest.approx(kit.board.height)


@pytest.mark.parametrize(
    ("name", "longest"),
    [
        ("strip-121", 24),
        ("strip-60", 34),
        ("table", 15),
        ("table-3", 64),
        ("table-games", 51),
        ("travel-61", 37),
    ],
)
def test_the_strip_goes_on_near_where_the_last_row_ended(name: str, longest: float) -> None:
    places = sorted(all_places(load_kit(name)), key=lambda place: place.led)
    assert max(apart(one, other) for one, other in pairwise(places)) <= longest


@pytest.mark.parametrize(
    "name", ["table", "table-games", "numpad", "strip-60", "matrix-32x8", "travel-61", "wled"]
)
def test_the_two_halves_of_the_table_mirror_each_other(name: str) -> None:
    kit = load_kit(name)
    halves = [(*track.holes, *(place for row in track.games for place in row.holes)) for track in kit.tracks]
    for upper, lower in zip(*halves, strict=True):
        assert (upper.x, upper.y) == (lower.x, kit.board.height - lower.y)


def test_the_table_with_games_is_the_table_and_seven_holes_a_side() -> None:
    kit, table = load_kit("table-games"), load_kit("table")
    assert (kit.board, kit.keypad, kit.glass) == (table.board, table.keypad, table.glass)
    for track, plain in zip(kit.tracks, table.tracks, strict=True):
        assert [(p.hole, p.x, p.y) for p in track.holes] == [(p.hole, p.x, p.y) for p in plain.holes]
        assert [(row.sides, [p.hole for p in row.holes]) for row in track.games] == [
            (track.sides, [1, 2, 3, 4, 5, 6, 7])
        ]


LAPS = [
    # score target hole lap why
    (0, 121, 0, 1, "the start"),
    (1, 121, 1, 1, "the first hole"),
    (60, 121, 60, 1, "the last of the first time round"),
    (61, 121, 1, 2, "the first hole, for the second time"),
    (90, 121, 30, 2, "the skunk line lies after it, as after 30"),
    (120, 121, 60, 2, "the last but one"),
    (121, 121, 61, 2, "the game hole, at the end of the second time round"),
    (60, 61, 60, 1, "once round in a game to 61"),
    (61, 61, 61, 1, "the game hole, at the end of the first"),
    (31, 31, 31, 1, "a game to 31 ends in an ordinary hole"),
    (61, 62, 1, 2, "a game to 62 goes on past 60"),
    (62, 62, 2, 2, "and ends in hole 2, the second time"),
    (91, 91, 31, 2, "a game to 91 ends in hole 31, the second time"),
]


@pytest.mark.parametrize(("score", "target", "hole", "lap", "why"), LAPS)
def test_a_track_of_61_holes_is_gone_round_twice(
    score: int, target: int, hole: int, lap: int, why: str
) -> None:
    for track in TRAVEL.tracks:
        place = track.place(score, target)
        assert place is not None
        assert place.hole == hole, why
        assert TRAVEL.led(track.sides[0], score, target) == place.led, why
        assert track.lap_of(score, target) == lap, why


@pytest.mark.parametrize(("score", "target"), [(62, 61), (92, 91), (121, 120)])
def test_past_the_game_hole_a_board_that_is_gone_round_twice_has_no_hole(score: int, target: int) -> None:
    assert TRAVEL.led(0, score, target) is None
    assert TRAVEL.led(0, target, target) is not None
    assert load_kit("table").led(0, score, target) is not None


@given(st.integers(31, 121), st.sampled_from(SIDES))
def test_whatever_the_target_a_peg_goes_hole_by_hole_and_begins_again_after_60(
    target: int, side: int
) -> None:
    track = TRAVEL.track_of(side)
    places = [track.place(score, target) for score in range(target + 1)]
    holes = [place.hole for place in places if place is not None]
    assert len(holes) == target + 1
    assert holes[0] == 0
    steps = {(one, other) for one, other in pairwise(holes) if other != one + 1}
    assert steps == ({(60, 1)} if target > 61 else set())
    assert (61 in holes) == (target in {61, 121})


@pytest.mark.parametrize("target", [31, 61, 91, 121])
@pytest.mark.parametrize("kit", [kit for kit in KITS if kit.laps == 1], ids=lambda kit: kit.name)
def test_on_a_whole_board_a_score_is_its_hole_whatever_the_target(kit: Kit, target: int) -> None:
    for track in kit.tracks:
        places = [track.place(score, target) for score in range(1, 122)]
        assert [place.hole for place in places if place] == list(range(1, 122))
        assert {track.lap_of(score, target) for score in range(122)} == {1}


def test_the_travel_board_is_cut_from_a_metre_of_strip() -> None:
    assert TRAVEL.strip.leds <= 144
    assert (TRAVEL.board.width, TRAVEL.board.height) == (250, 94)


CORNERS = [
    # first          zigzag      LEDs of the first two cells of the upper row, and of the lower left one
    ("upper left", "columns", (0, 15), 7),
    ("upper right", "columns", (255, 240), 248),
    ("lower left", "columns", (7, 8), 0),
    ("lower right", "columns", (248, 247), 255),
    ("upper left", "rows", (0, 1), 255),
    ("lower right", "rows", (224, 225), 31),
    ("lower left", "rows", (255, 254), 0),
]


@pytest.mark.parametrize(("first", "zigzag", "upper", "lower_left"), CORNERS)
def test_the_leds_of_a_panel_go_to_and_fro_from_its_first_corner(
    first: str, zigzag: str, upper: tuple[int, int], lower_left: int, tmp_path: Path
) -> None:
    text = (paths.KITS / "matrix-32x8" / "kit.toml").read_text(encoding="utf-8")
    path = tmp_path / "kit.toml"
    changed = text.replace('"upper left"', f'"{first}"').replace('"columns"', f'"{zigzag}"')
    path.write_text(changed, encoding="utf-8")
    panel = load_kit(str(path)).panel
    assert panel
    assert (panel.led((0, 0)), panel.led((1, 0))) == upper
    assert panel.led((0, 7)) == lower_left
    leds = [panel.led((column, row)) for column in range(32) for row in range(8)]
    assert sorted(leds) == list(range(256))
    cells = {panel.led((column, row)): (column, row) for column in range(32) for row in range(8)}
    steps = [math.dist(cells[led], cells[led + 1]) for led in range(255)]
    assert set(steps) == {1}, "the next LED is always a neighbour"


def test_a_panel_has_a_street_in_each_row_and_a_hole_where_its_led_is() -> None:
    kit = load_kit("matrix-32x8")
    assert kit.panel
    where = {kit.panel.led((column, row)): (column, row) for column in range(32) for row in range(8)}
    for place in all_places(kit):
        assert place.at == kit.panel.at(where[place.led])
    for track in kit.tracks:
        streets = [{p.y for p in track.holes if low < p.hole <= low + 30} for low in (0, 30, 60, 90)]
        assert [len(street) for street in streets] == [1, 1, 1, 1]


def test_games_won_may_stand_on_a_panel_too(tmp_path: Path) -> None:
    text = (paths.KITS / "matrix-32x8" / "kit.toml").read_text(encoding="utf-8")
    path = tmp_path / "kit.toml"
    games = "\n]\ngames = [{ sides = [1], cells = [[1, 7], [1, 4]] }]\n"
    path.write_text(text.rstrip().removesuffix("\n]") + games, encoding="utf-8")
    kit = load_kit(str(path))
    assert [kit.games_led(1, games) for games in (0, 1, 4, 5)] == [None, 8, 11, 8]


def test_the_strip_of_60_a_metre_is_cut_from_a_reel_of_5_metres() -> None:
    assert load_kit("strip-60").strip.leds <= 300


def test_the_numpad_has_its_keys_where_a_keypad_for_numbers_has_them() -> None:
    keys = load_kit("numpad").keypad
    assert isinstance(keys, UsbKeys)
    named = dict(zip(chain.from_iterable(keys.codes), chain.from_iterable(keys.keys), strict=True))
    assert {f"KEY_KP{number}": str(number) for number in range(2, 10)}.items() <= named.items()
    assert (named["KEY_KP1"], named["KEY_KP0"]) == ("A", "10")
    ranks_and_go = [named[f"KEY_{key}"] for key in ("KPSLASH", "KPASTERISK", "KPMINUS", "KPPLUS")]
    assert ranks_and_go == ["J", "Q", "K", "GO"]
    assert [named[f"KEY_{key}"] for key in ("KPENTER", "KPDOT", "NUMLOCK")] == ["OK", "FLNB", "UNDO"]
    assert dict(keys.holds) == {"FLNB": "MENU", "OK": "hold:MENU"}
    assert dict(keys.sides) == {"J": "P1", "Q": "P2", "K": "P3"}
    assert keys.name is None
    caps = dict(keys.caps)
    assert (caps["J"], caps["OK"], caps["10"]) == ("/", "Enter", "0")


def test_the_numpad_has_the_board_of_the_table() -> None:
    numpad, table = load_kit("numpad"), load_kit("table")
    assert (numpad.board, numpad.tracks, numpad.strip) == (table.board, table.tracks, table.strip)


def test_the_bonnet_has_its_stick_and_buttons_on_the_pins_of_the_real_one() -> None:
    kit = load_kit("bonnet")
    assert isinstance(kit.keypad, Buttons)
    stick = {"UP": 17, "DOWN": 22, "LEFT": 27, "RIGHT": 23, "OK": 4}
    assert dict(kit.keypad.pins) == stick | {"UNDO": 5, "MENU": 6}
    assert kit.glass.bonnet
    assert (kit.glass.data, kit.glass.clock) == (2, 3)
    assert kit.entry == "peg"


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_only_the_bonnet_is_for_points_and_every_kit_but_the_one_on_wled_is_fed_by_the_pi(kit: Kit) -> None:
    assert (kit.entry == "peg") == (kit.name == "bonnet")
    assert kit.power == (Power("own", 2000) if kit.name == "wled" else Power("pi", 2500))


def test_a_strip_on_a_controller_has_no_gpio_and_others_no_host() -> None:
    for kit in KITS:
        strip = kit.strip
        assert (
            (strip.driver == "wled")
            == (strip.gpio is None)
            == (strip.host is not None)
            == (kit.name == "wled")
        )


@pytest.mark.parametrize("host", ["192.168.1.60", "oak", "oak.lan", "wled-1.local"])
def test_a_controller_may_have_any_name_or_address(host: str, tmp_path: Path) -> None:
    text = (paths.KITS / "wled" / "kit.toml").read_text(encoding="utf-8")
    path = tmp_path / "kit.toml"
    path.write_text(text.replace("wled-cribbage.local", host), encoding="utf-8")
    assert load_kit(str(path)).strip.host == host


def test_a_controller_with_few_lights_has_its_own_supply_too(tmp_path: Path) -> None:
    text = (paths.KITS / "wled" / "kit.toml").read_text(encoding="utf-8")
    path = tmp_path / "kit.toml"
    path.write_text(text.replace("max_ma = 1000", "max_ma = 500"), encoding="utf-8")
    assert load_kit(str(path)).power == Power("own", 1000)


@pytest.mark.parametrize("host", ["a b", "oak:80", "oak/json", "oak.", ".oak", "x" * 254, "[::1]"])
def test_nothing_else_is_a_controllers_name(host: str, tmp_path: Path) -> None:
    text = (paths.KITS / "wled" / "kit.toml").read_text(encoding="utf-8")
    path = tmp_path / "kit.toml"
    path.write_text(text.replace("wled-cribbage.local", host), encoding="utf-8")
    with pytest.raises(kits.KitError, match="give the controller's name or address alone"):
        load_kit(str(path))


POWERS = [
    # [strip] and [power] become                                    why
    ("max_ma = 500", Power("pi", 2500), "the Pi's pin can spare it, and its supply is a usual one"),
    ("max_ma = 501", Power("own", 1000), "more than the pin can spare"),
    ("max_ma = 2000", Power("own", 3000), "a quarter more than it draws, in whole amperes"),
    ('max_ma = 500\n[power]\nstrip = "own"', Power("own", 1000), "a small strip may have its own"),
    ("max_ma = 500\n[power]\nsupply_ma = 5000", Power("pi", 5000), "a stronger supply of the Pi"),
    ("max_ma = 2000\n[power]\nsupply_ma = 2000", Power("own", 2000), "as much as it draws is enough"),
    ("max_ma = 500\n[power]\nsupply_ma = 1730", Power("pi", 1730), "just enough for Pi, OLED and strip"),
]


@pytest.mark.parametrize(("text", "power", "why"), POWERS)
def test_whose_5_volts_the_strip_takes(text: str, power: Power, why: str, tmp_path: Path) -> None:
    path = tmp_path / "kit.toml"
    path.write_text(re.sub(r"max_ma = 500.*", text, TABLE.read_text(encoding="utf-8")), encoding="utf-8")
    assert load_kit(str(path)).power == power, why


def test_a_matrix_may_have_places_without_a_key_and_keys_that_do_more(tmp_path: Path) -> None:
    text = TABLE.read_text(encoding="utf-8").replace('"FLNB"', '""')
    more = (
        'kind = "matrix"\nholds = { OK = "hold:MENU", GO = "FLNB" }\nsides = { K = "P3" }\ncaps = { A = "1" }'
    )
    path = tmp_path / "kit.toml"
    path.write_text(text.replace("[keys]", f"[keys]\n{more}"), encoding="utf-8")
    keys = load_kit(str(path)).keypad
    assert keys.keys[2] == ("J", "Q", "K", "GO", "")
    assert keys.holds == (("OK", "hold:MENU"), ("GO", "FLNB"))
    assert (keys.sides, keys.caps) == ((("K", "P3"),), (("A", "1"),))


def test_a_keypad_on_usb_may_be_named_and_gpio_18_leaves_the_spi_bus_free(tmp_path: Path) -> None:
    text = NUMPAD.read_text(encoding="utf-8").replace('kind = "usb"', 'kind = "usb"\nname = "Keypad"')
    path = tmp_path / "kit.toml"
    path.write_text(text, encoding="utf-8")
    keys = load_kit(str(path)).keypad
    assert isinstance(keys, UsbKeys)
    assert keys.name == "Keypad"
    table = TABLE.read_text(encoding="utf-8")
    path.write_text(table.replace("gpio = 10", "gpio = 18").replace("[12, 16,", "[9, 10,"), encoding="utf-8")
    matrix = load_kit(str(path)).keypad
    assert isinstance(matrix, Keypad)
    assert matrix.rows == (9, 10, 20, 21)


def test_the_key_codes_are_those_of_linux() -> None:
    known = {"KEY_ESC": 1, "KEY_1": 2, "KEY_ENTER": 28, "KEY_A": 30, "KEY_NUMLOCK": 69, "KEY_KP7": 71}
    known |= {"KEY_KPMINUS": 74, "KEY_KPPLUS": 78, "KEY_KP1": 79, "KEY_KP0": 82, "KEY_KPDOT": 83}
    known |= {"KEY_KPASTERISK": 55, "KEY_KPENTER": 96, "KEY_KPSLASH": 98, "KEY_UP": 103, "KEY_DELETE": 111}
    known |= {"KEY_KPEQUAL": 117, "KEY_CALC": 140, "KEY_BACKSPACE": 14, "KEY_F12": 88, "KEY_F24": 194}
    assert known.items() <= KEY_CODES.items()
    assert len(set(KEY_CODES.values())) == len(KEY_CODES)


PEGGED = [
    # side games LED   why
    (0, 0, None, "none won: no peg"),
    (0, 1, 121, "the first hole"),
    (0, 7, 127, "the last hole"),
    (0, 8, 121, "past the last it begins again at the first"),
    (0, 15, 121, "and again"),
    (1, 1, 134, "the other side's run the other way along the strip"),
    (1, 7, 128, "the last hole of these"),
    (2, 3, 123, "a third side shares the row of its track"),
]


@pytest.mark.parametrize(("side", "games", "led", "why"), PEGGED)
def test_games_won_stand_in_one_hole(side: int, games: int, led: int | None, why: str) -> None:
    assert load_kit("table-games").games_led(side, games) == led, why


@pytest.mark.parametrize("name", ["strip-121", "table", "table-3", "numpad", "bonnet"])
def test_a_kit_without_holes_for_games_has_no_led_for_them(name: str) -> None:
    assert [load_kit(name).games_led(side, 3) for side in SIDES] == [None] * 3


def test_nobody_has_won_fewer_games_than_none() -> None:
    with pytest.raises(ValueError, match="-1 games cannot have been won; give 0 or more"):
        load_kit("table-games").games_led(0, -1)


def test_of_sides_that_share_a_track_each_may_have_its_own_row_of_games(tmp_path: Path) -> None:
    text = TABLE_GAMES.read_text(encoding="utf-8")
    whole = "{ sides = [0, 2], leds = [121, 127], from = [75, 84], to = [135, 84] }"
    parts = (
        "{ sides = [2], leds = [123, 121], from = [95, 84], to = [75, 84] }, "
        "{ sides = [0], leds = [124, 124], from = [105, 84], to = [105, 84] }"
    )
    assert whole in text
    path = tmp_path / "kit.toml"
    path.write_text(text.replace(whole, parts), encoding="utf-8")
    kit = load_kit(str(path))
    assert [kit.games_led(2, games) for games in (1, 2, 3, 4)] == [123, 122, 121, 123]
    assert [kit.games_led(0, games) for games in (0, 1, 2)] == [None, 124, 124]


def test_a_start_with_a_light_of_its_own_is_hole_0(tmp_path: Path) -> None:
    kit = load_kit(str(docs_example(tmp_path)))
    assert [kit.led(1, hole) for hole in (0, 1, 121)] == [0, 1, 121]


def docs_example(folder: Path) -> Path:
    text = (paths.DOCS / "reference" / "kits.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    path = folder / "oak.toml"
    path.write_text(example, encoding="utf-8")
    return path


def test_the_example_in_the_docs_is_a_kit(tmp_path: Path) -> None:
    kit = load_kit(str(docs_example(tmp_path)))
    assert (kit.name, kit.title) == ("oak", "Oak: one track, 122 lights")


def test_what_the_docs_quote_of_a_kit_stands_in_it() -> None:
    text = (paths.DOCS / "reference" / "kits.md").read_text(encoding="utf-8")
    quoted = re.findall(r"```kit (\S+)\n(.*?)```", text, flags=re.DOTALL)
    assert [name for name, _ in quoted] == ["numpad", "bonnet", "table", "matrix-32x8"]
    for name, part in quoted:
        assert part in (paths.KITS / name / "kit.toml").read_text(encoding="utf-8")


def test_the_docs_name_every_key_of_the_file() -> None:
    told = set(
        re.findall(r"`([a-z_.]+)`", (paths.DOCS / "reference" / "kits.md").read_text(encoding="utf-8"))
    )
    for name in NAMES:
        table = tomllib.loads((paths.KITS / name / "kit.toml").read_text(encoding="utf-8"))
        for key, value in table.items():
            assert key in told or {f"{key}.{part}" for part in value} <= told, (name, key)
    games = tomllib.loads(TABLE_GAMES.read_text(encoding="utf-8"))
    tracks = games["tracks"][0]
    assert {f"tracks.{key}" for key in tracks} <= told
    assert set(tracks["segments"][0]) | set(tracks["games"][0]) <= told
    assert {"keys.kind", "keys.name", "power.strip", "power.supply_ma", "oled.bonnet", "board.laps"} <= told
    assert {"oled.panel", "oled.rotate"} <= told


def test_the_docs_reckon_the_power_as_the_program_does() -> None:
    text = " ".join((paths.DOCS / "reference" / "kits.md").read_text(encoding="utf-8").split())
    assert f"spares {PI_PIN_MA} mA" in text
    small, middle, large = (GLASS_MA[panel] for panel in ("SSD1306", "SH1106", "SSD1309"))
    total = PI_PIN_MA + PI_MA + small
    assert f"{PI_MA} for the Pi and {small} for the OLED (estimates): {total}" in text
    assert f"an SH1106 draws {middle} and an SSD1309 {large}" in text


def test_the_docs_name_every_kit_and_every_key() -> None:
    text = (paths.DOCS / "reference" / "kits.md").read_text(encoding="utf-8")
    for kit in KITS:
        size = f"{kit.board.width:g} x {kit.board.height:g} mm"
        assert f"| `{kit.name}` | {size} | {kit.strip.leds} |" in text
    assert " ".join(KEYS) in " ".join(text.split())


def test_a_kit_can_be_named_by_its_path() -> None:
    assert load_kit(str(TABLE)) == load_kit("table")


@pytest.mark.parametrize("side", [-1, 3])
def test_there_are_no_other_sides(side: int) -> None:
    with pytest.raises(ValueError, match="is not on a track of kit table"):
        load_kit("table").led(side, 1)


@pytest.mark.parametrize("hole", [-1, 122])
def test_there_are_no_other_holes(hole: int) -> None:
    with pytest.raises(ValueError, match=f"hole {hole} is not on the board"):
        load_kit("table").led(0, hole)


def test_the_kits_lie_where_the_wheel_takes_them_from() -> None:
    project = tomllib.loads((paths.CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "/hardware/kits/*/kit.toml" in wheel["include"]
    assert wheel["sources"] == {"hardware/kits": "cribpi/kits"}
    assert TABLE.is_file()


def test_a_kit_in_the_folder_where_one_stands_is_called_as_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "oak"
    folder.mkdir()
    (folder / "kit.toml").write_text(TABLE.read_text(encoding="utf-8"))
    monkeypatch.chdir(folder)
    assert load_kit("kit.toml").name == "oak"


def test_the_plate_is_as_wide_as_the_board_unless_it_says_more(tmp_path: Path) -> None:
    path = tmp_path / "kit.toml"
    text = TABLE.read_text(encoding="utf-8")
    path.write_text(text.replace("height = 282", "height = 282\nwidth = 350"), encoding="utf-8")
    assert (load_kit("table").front, load_kit(str(path)).front) == ((340, 282), (350, 282))
    start, end = text.index("[plate]"), text.index("[[tracks]]")
    path.write_text(text[:start] + text[end:], encoding="utf-8")
    assert load_kit(str(path)).plate is None
    assert load_kit(str(path)).front == (340, 180)


@pytest.mark.parametrize(
    ("panel", "screen", "window", "found"),
    [
        ("SSD1306", "[100, 231]", "", (24, 13)),
        ("SH1106", "[100, 231]", "", (32, 17)),
        ("SSD1309", "[100, 231]", "", (57, 30)),
        ("SSD1309", "[205, 231]", "", (24, 13)),  # beside the keys no more than that fits
        ("SSD1309", "[100, 231]", "window = [26, 14]", (26, 14)),
    ],
)
def test_the_window_is_as_large_as_the_picture_of_the_kits_panel_where_that_fits(
    panel: str, screen: str, window: str, found: tuple[float, float], tmp_path: Path
) -> None:
    text = TABLE.read_text(encoding="utf-8")
    text = text.replace("screen = [100, 231]", f"screen = {screen}\n{window}\n#")
    path = tmp_path / "kit.toml"
    path.write_text(text.replace("[oled]", f'[oled]\npanel = "{panel}"'), encoding="utf-8")
    kit = load_kit(str(path))
    assert kit.plate is not None
    left, top, right, bottom = kit.plate.screen[1:]
    assert (right - left, bottom - top) == found


def test_a_window_that_was_given_and_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kit.toml"
    text = TABLE.read_text(encoding="utf-8").replace(
        "screen = [100, 231]", "screen = [205, 231]\nwindow = [57, 30]\n#"
    )
    path.write_text(text, encoding="utf-8")
    with pytest.raises(kits.KitError, match="over the window; move it"):
        load_kit(str(path))


def test_keys_that_each_have_a_gpio_have_their_places_on_the_plate_too(tmp_path: Path) -> None:
    text = TABLE.read_text(encoding="utf-8")
    start, end = text.index("[keys]"), text.index("[plate]")
    keys = 'kind = "buttons"\nlayout = [["UNDO", "", "OK"]]\nbuttons = { UNDO = 5, OK = 6 }'
    path = tmp_path / "kit.toml"
    path.write_text(f"{text[:start]}[keys]\n{keys}\n\n{text[end:]}", encoding="utf-8")
    plate = load_kit(str(path)).plate
    assert plate
    assert [(name, x) for name, *_ in plate.openings for x, _ in [_at(plate, name)]] == [
        ("screen", 100),
        ("UNDO", 234),
        ("OK", 272.1),
    ]


def _at(plate: Plate, name: str) -> tuple[float, float]:
    (opening,) = (opening for opening in plate.openings if opening.name == name)
    return opening.middle


def test_a_kit_may_name_a_loudspeaker(tmp_path: Path) -> None:
    text = (paths.KITS / "table" / "kit.toml").read_text(encoding="utf-8")
    path = tmp_path / "loud.toml"
    path.write_text(f'{text}\n[sound]\noutput = "plughw:CARD=Device"\n', encoding="utf-8")
    assert load_kit("table").loudspeaker is None
    assert load_kit(str(path)).loudspeaker == "plughw:CARD=Device"


def test_the_chips_that_a_kit_can_have_are_those_that_are_driven() -> None:
    assert kits.PANELS == panels.CHIPS
    assert kits.ROTATIONS == panels.ROTATIONS
