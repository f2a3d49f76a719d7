from __future__ import annotations

import math
import re
import tomllib
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribpi.entry.keys import KEYS
from cribpi.kit import SIDES, Kit, KitError, Place, kit_names, load_kit
from cribpi.kit.reader import _read_kit
from cribpi.kit.section import Section

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "hardware" / "kits" / "table" / "kit.toml"
TABLE_GAMES = ROOT / "hardware" / "kits" / "table-games" / "kit.toml"
KITS = [load_kit(name) for name in ("strip-121", "table", "table-3", "table-games")]


def apart(one: Place, other: Place) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def all_places(kit: Kit) -> list[Place]:
    """Return the holes of all tracks, and those of the games won."""
    games = [place for track in kit.tracks for row in track.games for place in row.holes]
    return [place for track in kit.tracks for place in track.holes] + games


def test_the_four_kits_are_there_by_name() -> None:
    assert kit_names() == ("strip-121", "table", "table-3", "table-games")


@pytest.mark.parametrize(
    ("name", "leds", "tracks"),
    [
        ("strip-121", 121, [(0, 1, 2)]),
        ("table", 242, [(0, 2), (1,)]),
        ("table-3", 363, [(0,), (1,), (2,)]),
        ("table-games", 256, [(0, 2), (1,)]),
    ],
)
def test_a_kit_has_its_lights_and_its_tracks(name: str, leds: int, tracks: list[tuple[int, ...]]) -> None:
    kit = load_kit(name)
    assert kit.name == name
    assert kit.strip.leds == leds
    assert [track.sides for track in kit.tracks] == tracks


def test_the_table_is_wired_as_its_diagram_says() -> None:
    kit = load_kit("table")
    assert kit.keypad.rows == (12, 16, 20, 21)
    assert kit.keypad.columns == (13, 19, 26, 24, 25)
    assert kit.keypad.keys[0] == ("A", "2", "3", "4", "5")
    assert kit.keypad.keys[3] == ("P1", "P2", "UNDO", "MENU", "OK")
    assert (kit.glass.bus, kit.glass.address, kit.glass.data, kit.glass.clock) == (1, 0x3C, 2, 3)
    assert (kit.strip.gpio, kit.strip.max_ma) == (10, 500)


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_every_led_of_a_kit_lights_exactly_one_hole(kit: Kit) -> None:
    leds = sorted(place.led for place in all_places(kit))
    assert leds == list(range(kit.strip.leds))


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_every_side_has_a_light_for_every_hole_and_none_for_the_start(kit: Kit) -> None:
    for side in SIDES:
        assert kit.led(side, 0) is None
        assert all(kit.led(side, place.hole) == place.led for place in kit.track_of(side).holes)
        assert [place.hole for place in kit.track_of(side).holes] == list(range(1, 122))


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_holes_of_a_street_are_a_strips_pitch_apart_and_the_game_hole_is_set_off(kit: Kit) -> None:
    for track in kit.tracks:
        for one, other in pairwise(track.holes):
            if one.hole == 120:
                assert apart(one, other) >= 15
            elif one.hole % 30:
                assert apart(one, other) == pytest.approx(10)


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_no_two_holes_are_nearer_than_a_strips_pitch_and_none_is_near_the_edge(kit: Kit) -> None:
    places = all_places(kit)
    for number, place in enumerate(places):
        assert 15 <= place.x <= kit.board.width - 15
        assert 15 <= place.y <= kit.board.height - 15
        assert all(apart(place, other) > 9.99 for other in places[:number])


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_the_streets_lie_in_the_middle_of_the_board(kit: Kit) -> None:
    streets = [place for track in kit.tracks for place in track.holes if place.hole <= 120]
    assert min(p.x for p in streets) + max(p.x for p in streets) == pytest.approx(kit.board.width)
    assert min(p.y for p in streets) + max(p.y for p in streets) == pytest.approx(kit.board.height)


@pytest.mark.parametrize(
    ("name", "longest"), [("strip-121", 24), ("table", 15), ("table-3", 64), ("table-games", 50)]
)
def test_the_strip_goes_on_near_where_the_last_row_ended(name: str, longest: float) -> None:
    places = sorted(all_places(load_kit(name)), key=lambda place: place.led)
    assert max(apart(one, other) for one, other in pairwise(places)) <= longest


@pytest.mark.parametrize("name", ["table", "table-games"])
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


@pytest.mark.parametrize("name", ["strip-121", "table", "table-3"])
def test_a_kit_without_holes_for_games_has_no_led_for_them(name: str) -> None:
    assert [load_kit(name).games_led(side, 3) for side in SIDES] == [None] * 3


def test_nobody_has_won_fewer_games_than_none() -> None:
    with pytest.raises(ValueError, match="-1 games cannot have been won; give 0 or more"):
        load_kit("table-games").games_led(0, -1)


def test_of_sides_that_share_a_track_each_may_have_its_own_row_of_games(tmp_path: Path) -> None:
    text = TABLE_GAMES.read_text(encoding="utf-8")
    whole = "{ sides = [0, 2], leds = [121, 127], from = [75, 85], to = [135, 85] }"
    parts = (
        "{ sides = [2], leds = [123, 121], from = [95, 85], to = [75, 85] }, "
        "{ sides = [0], leds = [124, 124], from = [105, 85], to = [105, 85] }"
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
    text = (ROOT / "docs" / "reference" / "kits.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    path = folder / "oak.toml"
    path.write_text(example, encoding="utf-8")
    return path


def test_the_example_in_the_docs_is_a_kit(tmp_path: Path) -> None:
    kit = load_kit(str(docs_example(tmp_path)))
    assert (kit.name, kit.title) == ("oak", "Oak: one track, 122 lights")


def test_the_docs_name_every_kit_and_every_key() -> None:
    text = (ROOT / "docs" / "reference" / "kits.md").read_text(encoding="utf-8")
    for kit in KITS:
        size = f"{kit.board.width:g} x {kit.board.height:g} mm"
        assert f"| `{kit.name}` | {size} | {kit.strip.leds} |" in text
    assert " ".join(KEYS) in " ".join(text.split())


def test_a_kit_can_be_named_by_its_path() -> None:
    assert load_kit(str(TABLE)) == load_kit("table")


@pytest.mark.parametrize("side", [-1, 3])
def test_there_are_no_other_sides(side: int) -> None:
    with pytest.raises(ValueError, match="is on no track of kit table"):
        load_kit("table").led(side, 1)


@pytest.mark.parametrize("hole", [-1, 122])
def test_there_are_no_other_holes(hole: int) -> None:
    with pytest.raises(ValueError, match=f"hole {hole} is not on the board"):
        load_kit("table").led(0, hole)


REFUSALS = [
    # in table's kit.toml      becomes                    is refused with
    (
        "[12, 16, 20, 21]",
        "[12, 16, 2, 21]",
        "keys.rows[2] = 2: GPIO 2 is the OLED's data line; choose another",
    ),
    (
        "[12, 16, 20, 21]",
        "[12, 16, 3, 21]",
        "keys.rows[2] = 3: GPIO 3 is the OLED's clock line; choose another",
    ),
    ("[12, 16, 20, 21]", "[10, 16, 20, 21]", "keys.rows[0] = 10: GPIO 10 is the strip's data line; choose"),
    ("[12, 16, 20, 21]", "[11, 16, 20, 21]", "keys.rows[0] = 11: GPIO 11 is part of the strip's SPI bus;"),
    ("[12, 16, 20, 21]", "[12, 12, 20, 21]", "keys.rows[1] = 12: GPIO 12 is already keys.rows[0]; choose"),
    (
        "[13, 19, 26, 24, 25]",
        "[13, 19, 20, 24, 25]",
        "keys.columns[2] = 20: GPIO 20 is already keys.rows[2];",
    ),
    ("[12, 16, 20, 21]", "[12, 16, 28, 21]", "keys.rows[2] = 28: give a whole number from 2 to 27"),
    ("[12, 16, 20, 21]", "[12, 16, true, 21]", "keys.rows[2] = true: give a whole number from 2 to 27"),
    ("[12, 16, 20, 21]", "[]", "keys.rows = []: give a list in square brackets, with something in it"),
    ("[12, 16, 20, 21]", "[12, 16, 20]", "there are 3 GPIOs in keys.rows; give as many rows of names"),
    ("[13, 19, 26, 24, 25]", "[13, 19, 26, 24]", "keys.layout[0] = "),
    ('"FLNB"', '"FLUSH"', '"FLUSH" is no key; the keys are A 2 3'),
    ('"FLNB"', '"K"', '"K" is on the keypad already; give each key once'),
    ('"FLNB"', "5", 'keys.layout[2] = ["J", "Q", "K", "GO", 5]: give a row of key names'),
    ("data = 2\n", "data = 4\n", "oled.data = 4: on bus 1 the data line is GPIO 2; write 2"),
    ("clock = 3\n", "clock = 2\n", "oled.clock = 2: on bus 1 the clock line is GPIO 3; write 3"),
    (
        "bus = 1\n",
        "bus = 1\nspeed = 4\n",
        "oled.speed = 4: no such key here; remove it, or name one of bus, addr",
    ),
    ("baudrate = 400_000\n", "", "oled.baudrate is missing; docs/reference/kits.md shows"),
    ("address = 0x3C", 'address = "0x3C"', 'oled.address = "0x3C": give a whole number from 8 to 119'),
    ('driver = "auto"', 'driver = "gpio"', 'strip.driver = "gpio": choose one of auto, rpi-ws281x, spi'),
    ("gpio = 10", "gpio = 12", "strip.gpio = 12: the strip's data line is GPIO 10 (SPI) or 18 (PWM)"),
    (
        '"auto"\nleds = 242\ngpio = 10',
        '"spi"\nleds = 242\ngpio = 18',
        "strip.gpio = 18: the spi driver sends on",
    ),
    (
        "max_ma = 500",
        "max_ma = 242",
        "strip.max_ma = 242: 242 LEDs draw 242 mA while they are dark; give more",
    ),
    (
        "leds = 242",
        "leds = 240",
        "tracks[1].segments[0].leds[0] = 241: give a whole number from 0 to 239",
    ),
    (
        "width = 340",
        "width = 300",
        "tracks[0].segments[0].to = [315, 25]: this lies outside the board of 300 x",
    ),
    ("width = 340", "width = 0", "board.width = 0: give a length in millimetres"),
    ("width = 340", "width = nan", "board.width = NaN: give a length in millimetres"),
    ('title = "Table: two tracks, 242 lights"', 'title = " "', 'title = " ": give a text in quotes'),
    ("[25, 25]", "[25]", "tracks[0].segments[0].from = [25]: give a place as [x, y] in millimetres"),
    ("[25, 25]", "[25, nan]", "this lies outside the board"),
    ("sides = [1]", "sides = [0]", "tracks[1].sides[0] = 0: side 0 is on a track already; give it one"),
    ("sides = [0, 2]", "sides = [0]", "side 2 is on no track; add it to the sides of one, to share it"),
    ("sides = [0, 2]", "sides = [0, 3]", "tracks[0].sides[1] = 3: give a whole number from 0 to 2"),
    (
        "holes = [31, 60], leds = [30,",
        "holes = [30, 59], leds = [30,",
        "hole 30 is on this track already; give",
    ),
    ("holes = [61, 90]", "holes = [90, 61]", "holes = [90, 61]: name the lower hole first"),
    (
        "holes = [121, 121], leds = [120",
        "holes = [0, 0], leds = [120",
        "hole 121 is in no segment; a track has all",
    ),
    ("leds = [0, 29]", "leds = [0, 30]", "tracks[0].segments[0].leds = [0, 30]: 30 holes need 30 LEDs, one"),
    (
        "leds = [241, 212]",
        "leds = [0, 29]",
        "tracks[1].segments[0].leds = [0, 29]: LED 0 lights another hole",
    ),
    (
        "from = [25, 95], to = [25, 95]",
        "from = [25, 85], to = [25, 85]",
        "hole 121 would lie on another hole",
    ),
    (
        "sides = [1]",
        "sides = [1]\nname = 4",
        "tracks[1].name = 4: no such key here; remove it, or name one of",
    ),
    ("[board]", "sound = true\n[board]", "sound = true: no such key here; remove it, or name one of title,"),
    ("[board]", "[desk]", "board is missing"),
]


GAMES_REFUSALS = [
    # in table-games' kit.toml  becomes          is refused with
    (
        "sides = [1], leds",
        "sides = [0], leds",
        "tracks[1].games[0].sides[0] = 0: side 0 pegs on another track; give it its games there",
    ),
    ("sides = [1], leds", "sides = [3], leds", "games[0].sides[0] = 3: give a whole number from 0 to 2"),
    ("sides = [1], leds", "sides = [], leds", "games[0].sides = []: give a list in square brackets, with"),
    ("sides = [1], leds", "leds", "tracks[1].games[0].sides is missing; docs/reference/kits.md shows"),
    (
        "sides = [0, 2], leds",
        "sides = [0, 0], leds",
        "games[0].sides[1] = 0: side 0 has games already; give it one row",
    ),
    (
        "to = [135, 95] }]",
        "to = [135, 95] }, { sides = [1], leds = [5, 5], from = [9, 9], to = [9, 9] }]",
        "tracks[1].games[1].sides[0] = 1: side 1 has games already; give it one row",
    ),
    ("[134, 128]", "[127, 121]", "games[0].leds = [127, 121]: LED 127 lights another hole already; choose"),
    ("[134, 128]", "[141, 135]", "games[0].leds = [141, 135]: LED 141 lights another hole already; choose"),
    ("[134, 128]", "[134, 256]", "games[0].leds[1] = 256: give a whole number from 0 to 255"),
    ("[134, 128]", "[134]", "games[0].leds = [134]: give 2 numbers, not 1"),
    (
        "from = [75, 95], to = [135, 95]",
        "from = [75, 95], to = [75, 95]",
        "games[0].from = [75, 95]: games hole 2 would lie on another hole; move it",
    ),
    (
        "from = [75, 95], to = [135, 95]",
        "from = [25, 95], to = [135, 95]",
        "games[0].from = [25, 95]: games hole 1 would lie on another hole; move it",
    ),
    ("to = [135, 95]", "to = [135, 195]", "games[0].to = [135, 195]: this lies outside the board of 340 x"),
    ("to = [135, 95] }", "to = [135, 95], holes = [1, 7] }", "games[0].holes = [1, 7]: no such key here;"),
    (
        "games = [{ sides = [1], leds = [134, 128], from = [75, 95], to = [135, 95] }]",
        "games = []",
        "tracks[1].games = []: give a list in square brackets, with something in it",
    ),
    (
        "games = [{ sides = [1], leds = [134, 128], from = [75, 95], to = [135, 95] }]",
        "games = [7]",
        "tracks[1].games[0] = 7: write this as a table",
    ),
]


@pytest.mark.parametrize(
    ("kit", "old", "new", "sentence"),
    [(TABLE, *row) for row in REFUSALS] + [(TABLE_GAMES, *row) for row in GAMES_REFUSALS],
)
def test_an_unfit_kit_is_refused_with_file_key_value_and_remedy(
    kit: Path, old: str, new: str, sentence: str, tmp_path: Path
) -> None:
    text = kit.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "kit.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(KitError) as caught:
        load_kit(str(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"title = ", "this is not TOML: Invalid value"),
        (b'title = "\xff"', "byte 9 is not UTF-8; save the file as UTF-8 text"),
        (b"", "title is missing"),
    ],
)
def test_a_file_that_is_no_toml_is_refused(content: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "kit.toml"
    path.write_bytes(content)
    with pytest.raises(KitError, match=re.escape(f"{path}: {sentence}")):
        load_kit(str(path))


def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KitError, match=r"none\.toml: the kit cannot be read \(No such file"):
        load_kit(str(tmp_path / "none.toml"))


@pytest.mark.parametrize("name", ["tabel", "", ".", "Table"])
def test_an_unknown_name_is_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(
        KitError, match=f'no kit is called "{name}"; choose one of strip-121, table, table-3, table-games, or'
    ):
        load_kit(name)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:  # noqa: ANN401  TOML is anything
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return [path, *(leaf for key, item in items for leaf in leaves(item, (*path, key)))]
    return [path]


GIVEN = tomllib.loads(TABLE_GAMES.read_text(encoding="utf-8"))
JUNK = st.one_of(
    st.integers(), st.booleans(), st.floats(), st.text(max_size=3), st.just([]), st.just({}), st.just([[]]),
    st.lists(st.integers(-3, 300), max_size=3), st.lists(st.floats(0, 400), min_size=2, max_size=2),
)  # fmt: skip


@given(st.sampled_from(leaves(GIVEN)[1:]), JUNK)
def test_whatever_stands_at_a_key_it_is_a_kit_or_refused(path: tuple[str | int, ...], junk: object) -> None:
    table = deepcopy(GIVEN)
    parent: Any = table
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = junk
    try:
        kit = _read_kit("fuzz", Section("kit.toml", "", table))
    except KitError as error:
        assert str(error).startswith("kit.toml: ")  # noqa: PT017  either outcome is right
    else:
        assert all(kit.led(side, hole) is not None for side in SIDES for hole in range(1, 122))


def test_the_kits_lie_where_the_wheel_takes_them_from() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included == {"hardware/kits": "cribpi/kits"}
    assert TABLE.is_file()
