"""The drawings of a kit: true in millimetres, and whole."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import replace
from itertools import accumulate, combinations, pairwise, permutations, product
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont
from support import geometry, kicad_library
from support.drawn_kits import KITS, every_kit

from cribpi.companion.kit import KEY_PITCH, Kit, UsbKeys
from cribpi.companion.kit.reader import load_kit
from cribpi.workshop.drawings import (
    breadboard,
    circuit,
    overlay,
    pages,
    parts,
    strip,
    template,
    texts,
    tiles,
)
from cribpi.workshop.drawings.shapes import (
    A4,
    LETTER,
    Box,
    Circle,
    Drawing,
    Group,
    Paper,
    Path,
    Point,
    Rectangle,
    TextLine,
    text_width,
)
from cribpi.workshop.drawings.steps import steps
from cribpi.workshop.drawings.svg import as_svg, figure
from cribpi.workshop.drawings.wiring import wiring_sheet

SVG = "{http://www.w3.org/2000/svg}"


def _read(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314  (our own)


@pytest.mark.parametrize("name", KITS)
def test_the_template_as_svg_has_each_hole_where_the_kit_has_it_in_millimetres(name: str) -> None:
    kit = load_kit(name)
    root = _read(texts(kit)["template.svg"])
    width, height = (float(root.attrib[key].removesuffix("mm")) for key in ("width", "height"))
    assert list(map(float, root.attrib["viewBox"].split()))[2:] == [width, height]
    assert not [
        element
        for element in root.iter()
        if "transform" in element.attrib and "rotate" not in element.attrib["transform"]
    ]
    found = Counter(
        (float(circle.attrib["cx"]), float(circle.attrib["cy"]))
        for circle in root.iter(f"{SVG}circle")
        if circle.get("class") == "hole"
    )
    assert found == Counter((place.x, place.y) for place in strip.along(kit))
    (board,) = (element for element in root.iter(f"{SVG}rect") if element.get("class") == "board")
    assert [float(board.attrib[key]) for key in ("x", "y", "width", "height")] == [
        0,
        0,
        kit.board.width,
        kit.board.height,
    ]
    (bar,) = (element for element in root.iter(f"{SVG}path") if element.get("class") == "bar")
    left, right = (float(x) for x in re.findall(r"[ML]([\d.]+) ", bar.attrib["d"]))
    assert right - left == 50
    assert template.MEASURE in [element.text for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", KITS)
def test_the_template_numbers_the_fives_of_each_track_and_its_words_lie_on_nothing(name: str) -> None:
    kit = load_kit(name)
    sheet = template.template_sheet(kit)
    words = geometry.texts(sheet)
    for track in kit.tracks:
        for place in track.holes:
            near = [
                word
                for word in words
                if word.role == "number" and math.dist((word.x, word.y), (place.x, place.y)) < 5
            ]
            if place.hole and place.hole % 5 == 0:
                assert str(place.hole) in [word.text for word in near], place
    boxes = [(word.text, word.box()) for word in words]
    holes = [
        shape.box()
        for shape in sheet.shapes
        if isinstance(shape, Circle) and shape.role in {"hole", "fixing"}
    ]
    holes += [
        shape.box()
        for shape in sheet.shapes
        if isinstance(shape, Rectangle) and shape.role in {"window", "key"}
    ]
    for (one, box), (other, its_box) in combinations(boxes, 2):
        assert not box.meets(its_box), f"{one!r} lies on {other!r}"
    for word, box in boxes:
        assert not [hole for hole in holes if hole.meets(box)], word


@pytest.mark.parametrize("name", KITS)
def test_holes_and_fixing_holes_leave_wood_between_them_and_to_the_edge(name: str) -> None:
    kit = load_kit(name)
    radius = strip.drill(kit) / 2
    holes = [(place.x, place.y, radius) for place in strip.along(kit)]
    fixing = [(x, y, strip.FIXING / 2) for x, y in strip.fixing_holes(kit)]
    width, height = kit.front
    assert len(fixing) == 6
    for opening in kit.plate.openings if kit.plate else ():
        assert all(opening.distance_to((x, y)) > size + 1 for x, y, size in [*holes, *fixing])
    for (ax, ay, a), (bx, by, b) in combinations([*holes, *fixing], 2):
        assert math.dist((ax, ay), (bx, by)) > a + b + 1
    for x, y, size in [*holes, *fixing]:
        assert size + 1 < x < width - size - 1
        assert size + 1 < y < height - size - 1


@pytest.mark.parametrize("name", KITS)
def test_the_plate_has_the_board_a_window_and_each_key_that_is_not_in_a_case_of_its_own(name: str) -> None:
    kit = load_kit(name)
    assert kit.plate
    drawn = [shape for shape in template.template_shapes(kit) if isinstance(shape, Rectangle)]
    (plate,) = (shape for shape in drawn if shape.role == "plate")
    assert plate.box() == (0, 0, kit.plate.width, kit.plate.height)
    cut = {shape.name: shape.box() for shape in drawn if shape.role in {"window", "key"}}
    wider = {
        name: Box(*edges).grown(0.0 if name == "screen" else strip.RELIEF)
        for name, *edges in kit.plate.openings
    }
    assert cut == {name: pytest.approx(tuple(box)) for name, box in wider.items()}
    has_keys = not (isinstance(kit.keypad, UsbKeys) or kit.glass.bonnet)
    names = [key for row in kit.keypad.keys for key in row if key] if has_keys else []
    assert [opening.name for opening in kit.plate.openings] == ["screen", *names]
    for opening in kit.plate.openings:
        assert opening.top > kit.board.height
    for row, keys in enumerate(kit.keypad.keys if has_keys else ()):
        for column, key in enumerate(keys):
            x, y = (
                a - b for a, b in zip(_middle(cut[key]), _middle(cut[kit.keypad.keys[0][0]]), strict=True)
            )
            assert (x, y) == pytest.approx((19.05 * column, 19.05 * row))


def _middle(box: Box) -> Point:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def test_a_kit_without_a_plate_is_drawn_as_its_board() -> None:
    kit = replace(load_kit("table"), plate=None)
    sheet = template.template_sheet(kit)
    drawn = [shape for shape in sheet.shapes if isinstance(shape, Rectangle)]
    assert [shape.role for shape in drawn if shape.pen] == ["board"]
    assert len(strip.fixing_holes(kit)) == 4
    assert any("keys are not on this board" in text.text for text in geometry.texts(sheet))
    assert "| 1 | board 340 x 180 mm | 242 holes of 5 mm |" in parts.as_markdown(kit)


@pytest.mark.parametrize("name", KITS)
def test_a_line_is_after_90_and_two_are_after_60_on_every_track_and_none_crosses_a_hole(name: str) -> None:
    kit = load_kit(name)
    shapes = template.template_shapes(kit)
    strokes = [shape for shape in shapes if isinstance(shape, Path) and shape.role == "skunk"]
    for track in kit.tracks:
        for score, count in ((90, 1), (60, 2)):
            here = track.place(score)
            assert here
            after = next(place for place in track.holes if place.hole == here.hole + 1)
            middle = (here.x + after.x) / 2, (here.y + after.y) / 2
            near = [s for s in strokes if strip._distance(middle, (s.points[0], s.points[1])) < 2.5]
            assert len(near) == count, (score, track.sides)
    radius = strip.drill(kit) / 2
    for stroke in strokes:
        ends = stroke.points[0], stroke.points[1]
        assert all(strip._distance(place.at, ends) > radius for place in strip.along(kit))
        assert all(0 < x < kit.front[0] for x, _ in ends)
    named = [shape.text for shape in shapes if isinstance(shape, TextLine) and shape.role == "skunk"]
    assert set(named) <= {"skunk", "double skunk"}
    if name != "table-3":  # whose wires leave no room
        assert set(named) == {"skunk", "double skunk"}


@pytest.mark.parametrize("name", KITS)
def test_each_track_says_where_its_sides_start(name: str) -> None:
    kit = load_kit(name)
    words = [shape for shape in template.template_shapes(kit) if isinstance(shape, TextLine)]
    starts = [text for text in words if text.text.startswith("start")]
    assert len(starts) == len(kit.tracks)
    for track in kit.tracks:
        first = track.holes[0]
        assert any(abs(text.y - first.y) < 6 and abs(text.x - first.x) < 8 for text in starts)


every_paper = pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)


@every_paper
@every_kit
def test_the_tiles_are_of_their_paper_cover_the_board_and_overlap_by_what_is_stated(
    kit: Kit, paper: Paper
) -> None:
    found = tiles.tiling(kit, paper)
    assert sorted((found.width, found.height)) == [paper.width, paper.height]
    windows = {(tile.row, tile.column): tile.window for tile in found.tiles}
    assert len(windows) == found.rows * found.columns
    first, last = windows[0, 0], windows[found.rows - 1, found.columns - 1]
    assert first.left < 0
    assert first.top < 0
    width, height = kit.front
    assert last.right > width
    assert last.bottom > height
    for (row, column), window in windows.items():
        if column:
            assert windows[row, column - 1].right - window.left == pytest.approx(tiles.OVERLAP, abs=0.002)
        if row:
            assert windows[row - 1, column].bottom - window.top == pytest.approx(tiles.OVERLAP, abs=0.002)
    second = "A2" if found.columns > 1 else "B1"
    assert [tile.name for tile in found.tiles][:2] == ["A1", second][: len(found.tiles)]


@every_paper
@every_kit
def test_each_hole_is_whole_on_some_tile_at_its_true_size(kit: Kit, paper: Paper) -> None:
    found = tiles.tiling(kit, paper)
    sheets = [sheet for sheet in tiles.tile_sheets(kit, paper) if sheet.title.startswith("Template")]
    seen = set()
    for tile, sheet in zip(found.tiles, sheets, strict=True):
        (group,) = (shape for shape in sheet.shapes if isinstance(shape, Group))
        assert group.scale == 1
        assert group.clip == tile.window
        assert tile.window.left + group.dx >= 5
        assert tile.window.right + group.dx <= sheet.width - 5
        for shape in group.shapes:
            if (
                isinstance(shape, Circle)
                and tile.window.left <= shape.box().left
                and shape.box().right <= tile.window.right
            ):
                seen.add((shape.x, shape.y))
        bars = [shape for shape in sheet.shapes if isinstance(shape, Path) and shape.role == "bar"]
        assert [bar.box().right - bar.box().left for bar in bars] == [50]
        assert tile.name in [text.text for text in geometry.texts(sheet)]
    assert seen >= {(place.x, place.y) for place in strip.along(kit)}


@every_kit
def test_each_part_has_a_drawing_of_its_own_size_and_what_is_wrong_is_crossed_out(kit: Kit) -> None:
    bought, wrong = parts.shopping(kit)
    assert len(bought.figures) == len(list(parts.parts(kit)))
    assert not bought.are_wrong
    assert wrong.are_wrong
    assert not set(bought.figures) & set(wrong.figures)
    for name in {*bought.figures, *wrong.figures, "wrong"}:
        boxes = [shape.box() for shape in figure(name)]
        assert boxes
        assert min(box.left for box in boxes) >= -7.6, name
        assert max(box.right for box in boxes) <= 7.6, name
        assert min(box.top for box in boxes) >= -5.1, name
        assert max(box.bottom for box in boxes) <= 5.1, name
    crosses = [shape for shape in figure("wrong") if isinstance(shape, Path)]
    drawn = [shape for group in parts.shopping_sheet(kit).shapes for shape in getattr(group, "shapes", [])]
    red = [shape for shape in drawn if isinstance(shape, Path) and shape.pen == crosses[0].pen]
    assert len(red) >= len(crosses) * len(wrong.figures)


@every_kit
def test_the_parts_list_has_each_wire_and_a_budget_that_its_supply_can_give(kit: Kit) -> None:
    *_, current, wires = parts.tables(kit)
    assert [row[1] for row in wires.rows if row[1].startswith("GPIO")] == [
        wire.signal for wire in circuit.wires(kit) if wire.gpio is not None
    ]
    drawn = {row[0]: int(row[1]) for row in current.rows}
    assert drawn["strip, dark"] == kit.strip.leds
    assert drawn["strip, all white"] == 43 * kit.strip.leds
    spare, share = parts.margin(kit)
    assert spare >= 0
    assert share == round(100 * spare / drawn["supply"])


@pytest.mark.parametrize(
    ("name", "per_metre", "pieces"),
    [
        ("table", 100, (30, 30, 30, 30, 2, 30, 30, 30, 30)),  # the two game holes lie side by side
        ("strip-121", 100, (30, 30, 30, 30, 1)),
        ("matrix-32x8", 100, (256,)),  # a panel is one piece
        ("strip-60", 60, (32, 30, 30, 32, 32, 30, 30, 32)),  # nor is it here
        ("travel-61", 144, (32, 32, 7, 7, 32, 32)),  # the dark LED beside start and game hole is no cut
    ],
)
def test_the_strip_to_buy_and_its_pieces_are_those_that_the_board_needs(
    name: str, per_metre: int, pieces: tuple[int, ...]
) -> None:
    kit = load_kit(name)
    assert parts.per_metre(kit) == per_metre
    assert strip.pieces(kit) == pieces
    assert sum(pieces) == kit.strip.leds


def test_rows_that_are_nearer_than_its_leds_leave_the_strip_as_it_is() -> None:
    kit = load_kit("strip-60")
    flat = [
        replace(track, holes=tuple(replace(place, y=place.y * 0.9) for place in track.holes))
        for track in kit.tracks
    ]
    near = replace(kit, tracks=tuple(flat))
    assert (parts.per_metre(near), strip.pieces(near)) == (60, strip.pieces(kit))


@every_kit
def test_each_two_pieces_of_the_strip_are_joined_by_a_wire_that_is_not_drawn_as_strip(kit: Kit) -> None:
    lit = {place.led: (place.x, place.y) for place in strip.along(kit)}
    ends = list(accumulate(strip.pieces(kit)))
    wanted = [
        (max(led for led in lit if led < end), min(led for led in lit if led >= end)) for end in ends[:-1]
    ]
    paths = [shape for shape in template.template_shapes(kit) if isinstance(shape, Path)]
    drawn = [
        (path.name, (path.points[0], path.points[-1]), bool(path.pen and path.pen.dashes))
        for path in paths
        if path.role == "joint"
    ]
    assert drawn == [(f"{one} {other}", (lit[one], lit[other]), True) for one, other in wanted]
    of_strip = {frozenset(pair) for path in paths if path.role == "lane" for pair in pairwise(path.points)}
    assert not [wire for _, wire, _ in drawn if frozenset(wire) in of_strip]


@pytest.mark.parametrize("name", KITS)
def test_each_wire_between_two_pieces_can_be_followed_and_has_its_arrow_in_sight(name: str) -> None:
    kit = load_kit(name)
    shapes = template.template_shapes(kit)
    paths = [shape for shape in shapes if isinstance(shape, Path)]
    ways = {path.name: list(pairwise(path.points)) for path in paths if path.role == "joint"}
    radius = strip.drill(kit) / 2
    for wire, way in ways.items():
        ends = set(map(int, wire.split()))
        for place in strip.along(kit):
            near = min(strip._distance((place.x, place.y), part) for part in way)
            assert place.led in ends or near > radius, f"{wire} runs over LED {place.led}"
    for (one, way), (other, its) in combinations(ways.items(), 2):
        for part, its_part in product(way, its):
            assert _shared(part, its_part) == 0, f"{one} and {other} lie on each other"
            assert not any(_is_across(*pair) for pair in permutations((part, its_part))), (
                f"{one} crosses {other}"
            )
    arrows = {path.name: path for path in paths if path.role == "arrow"}
    assert set(arrows) == set(ways)
    names = [shape for shape in shapes if isinstance(shape, TextLine) and shape.role == "led"]
    for (wire, way), text in product(ways.items(), names):
        assert not any(strip._runs_through(part, text.box()) for part in way), f"{wire} through {text.text}"
    above = [shape.box() for shape in shapes if isinstance(shape, (Circle, TextLine))]
    for wire, arrow in arrows.items():
        assert not [box for box in above if box.meets(arrow.box())], wire
        tip, *tail = arrow.points
        (x, y), (its_x, its_y) = (
            tip,
            (sum(point[0] for point in tail) / 2, sum(point[1] for point in tail) / 2),
        )
        (part,) = [part for part in ways[wire] if strip._distance(tip, part) < 0.01][:1]
        (ax, ay), (bx, by) = part
        assert (x - its_x) * (bx - ax) + (y - its_y) * (by - ay) > 0, f"the arrow of {wire} points back"
        assert math.dist(tip, ways[wire][0][0]) > 0


def _is_across(level: tuple[Point, Point], upright: tuple[Point, Point]) -> bool:
    """Return whether the two are a level line and an upright one that cross."""
    (ax, y), (bx, its_y) = level
    (x, ay), (its_x, by) = upright
    return y == its_y and x == its_x and min(ax, bx) < x < max(ax, bx) and min(ay, by) < y < max(ay, by)


def _shared(one: tuple[Point, Point], other: tuple[Point, Point]) -> float:
    """Return how much two upright or level lines have in common, in mm; 0 where they only cross."""
    for level, along in ((0, 1), (1, 0)):
        if one[0][level] == one[1][level] == other[0][level] == other[1][level]:
            (a, b), (c, d) = (sorted(point[along] for point in line) for line in (one, other))
            return max(min(b, d) - max(a, c), 0.0)
    return 0.0


@pytest.mark.parametrize("name", ["table-games", "travel-61"])
def test_the_rows_for_the_games_leave_room_for_a_strip_of_10_mm_and_its_edges(name: str) -> None:
    pieces = [piece for piece in strip.laid(load_kit(name)) if len(piece) > 1]
    heights = sorted({piece[0].y for piece in pieces})
    assert min(below - above for above, below in pairwise(heights)) >= 12


@pytest.mark.parametrize("name", KITS)
def test_the_template_and_each_of_its_sheets_say_that_the_strip_lies_behind(name: str) -> None:
    kit = load_kit(name)
    sheets = [sheet for sheet in tiles.tile_sheets(kit) if sheet.title.startswith("Template")]
    for sheet in (template.template_sheet(kit), *sheets):
        words = " ".join(text.text for text in geometry.texts(sheet))
        for said in (*list(parts.texts(kit, "tile"))[1:], *parts.texts(kit, "dashes")):
            assert said in words
        assert all(sheet.box().meets(text.box()) for text in geometry.texts(sheet))


def test_the_papers_and_the_diagram_say_which_way_round_the_diodes_are() -> None:
    kit = load_kit("table")
    assert "in series with each key, its band (cathode) towards the row" in parts.as_markdown(kit)
    mind = " ".join(text.text for text in geometry.texts(wiring_sheet(kit)))
    assert "A diode is in series with each key, its band (cathode) towards the row." in mind


@every_kit
def test_the_keypad_to_print_has_each_key_once_and_in_its_true_place(kit: Kit) -> None:
    sheet = overlay.overlay_sheet(kit)
    labels = {
        shape.name: shape for shape in sheet.shapes if isinstance(shape, Rectangle) and shape.role == "label"
    }
    grid = [
        (name, row, column)
        for row, names in enumerate(kit.keypad.keys)
        for column, name in enumerate(names)
        if name
    ]
    assert sorted(labels) == sorted(name for name, _, _ in grid)
    first, *others = grid
    for name, row, column in others:
        assert labels[name].x - labels[first[0]].x == pytest.approx((column - first[2]) * overlay.KEY)
        assert labels[name].y - labels[first[0]].y == pytest.approx((row - first[1]) * overlay.KEY)
    words = [text.text for text in geometry.texts(sheet)]
    for name, _, _ in grid:
        assert name in words
        if overlay.hold_label(kit, name):
            assert overlay.hold_label(kit, name) in words
    for text in geometry.texts(sheet):
        assert 4 < text.box().left < text.box().right < sheet.width - 4, text.text


def test_a_cap_that_bears_the_keys_own_name_is_not_drawn_beside_it() -> None:
    kit = load_kit("numpad")
    same = replace(kit, keypad=replace(kit.keypad, caps=(("7", "7"),)))
    assert [text.text for text in geometry.texts(overlay.overlay_sheet(same))].count("7") == 1


def test_what_holding_a_key_does_is_said_for_the_numpad() -> None:
    kit = load_kit("numpad")
    assert overlay.hold_label(kit, "FLNB") == "1 s: MENU"
    assert overlay.hold_label(kit, "OK") == "3 s: off"
    assert overlay.hold_label(kit, "7") == ""


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=40), st.booleans())
def test_letters_are_as_wide_as_the_pdf_prints_them(text: str, is_bold: bool) -> None:  # noqa: FBT001
    metrics = pytest.importorskip("reportlab.pdfbase.pdfmetrics")
    font = "Helvetica-Bold" if is_bold else "Helvetica"
    assert text_width(text, 3, is_bold=is_bold) == pytest.approx(metrics.stringWidth(text, font, 3), abs=0.01)


@every_kit
def test_every_text_of_an_svg_has_room_in_the_font_of_a_bare_debian_and_its_full_size_in_a_browser(
    kit: Kit,
) -> None:
    fonts = {}
    for weight, file in ((None, "DejaVuSans.ttf"), ("bold", "DejaVuSans-Bold.ttf")):
        try:
            fonts[weight] = ImageFont.truetype(file, 1000)
        except OSError:
            pytest.skip("fonts-dejavu-core is not installed")
    for sheet in (wiring_sheet(kit), parts.shopping_sheet(kit), *steps(kit)):
        for text in _read(as_svg(sheet)).iter(f"{SVG}text"):
            said, weight = text.text or "", text.get("font-weight")
            full = float(text.attrib["style"].removeprefix("--s:"))
            room = text_width(said, full, is_bold=weight == "bold")
            assert float(text.get("textLength", room)) == pytest.approx(room)
            wide = fonts[weight].getlength(said) * float(text.attrib["font-size"]) / 1000
            assert 0.6 * room < wide <= room + 0.02, said


def test_a_name_with_signs_of_xml_is_written_so_that_it_reads_back() -> None:
    kit = replace(load_kit("strip-121"), title='Oak & "ash" <elm>')
    root = _read(as_svg(wiring_sheet(kit)))
    assert kit.title in [element.text for element in root.iter(f"{SVG}text")]


@every_paper
@pytest.mark.parametrize("name", KITS)
def test_every_word_is_on_its_paper_and_every_page_is_of_that_size(name: str, paper: Paper) -> None:
    for sheet in pages(load_kit(name), paper):
        assert sorted((sheet.width, sheet.height)) == [paper.width, paper.height], sheet.title
        for shape in sheet.shapes:
            group = shape if isinstance(shape, Group) else Group((shape,))
            if group.clip:
                continue  # what is cut off is on the next sheet
            for text in (inner for inner in group.shapes if isinstance(inner, TextLine)):
                left, top, right, bottom = (edge * group.scale for edge in text.box())
                assert 0 < left + group.dx < right + group.dx < sheet.width, text.text
                assert 0 < top + group.dy < bottom + group.dy < sheet.height - 4, text.text


def test_a_sheet_in_svg_is_as_large_as_it_says() -> None:
    root = _read(as_svg(Drawing("a", 40, 30, (TextLine(1, 2, "b"),), -5, -6)))
    assert (root.attrib["width"], root.attrib["height"]) == ("40mm", "30mm")
    assert root.attrib["viewBox"] == "-5 -6 40 30"


# What a wire must have at least, in mm2, for so many amperes (IEC 60335-1, table 11).
THICK = {0.2: 0.5, 3: 0.5, 6: 0.75, 10: 1.0, 16: 1.5, 25: 2.5}


@every_kit
def test_no_wire_behind_a_fuse_is_thinner_than_that_fuse_asks_for(kit: Kit) -> None:
    listed = [*parts.parts(kit)]
    wired = [part for part in listed if part.figure in {"part wire", "part thick wire"}]
    branches = [part for part in wired if "branch" in part.use]
    assert len(branches) == any("terminal block" in part.what for part in listed)
    assert len(wired) == (2 if len(strip.pieces(kit)) > 1 else 1) + len(branches)
    for part in wired:
        fuses = [
            float(amperes)
            for fuse in listed
            if fuse.figure == "part fuse" and ("branch" in fuse.use) is (part in branches)
            for amperes in re.findall(r"fuse ([\d.]+) A", fuse.what)
        ]
        least = next(area for amperes, area in THICK.items() if max(fuses) <= amperes)
        said = [float(area) for area in re.findall(r"([\d.]+) mm2", f"{part.what} {part.use} {part.search}")]
        assert said, part
        assert min(said) >= least, part


def test_the_keys_on_the_list_go_into_the_openings_of_the_plate() -> None:
    said = kicad_library.recorded()["footprints"][kicad_library.MX]
    across = [x for line in said["outline"] for x in line[::2]]
    assert max(across) - min(across) == pytest.approx(KEY_PITCH), "the room of a switch of 1U"
    with_plate = 0
    for name in KITS:
        kit = load_kit(name)
        openings = kit.plate.openings[1:] if kit.plate else ()
        with_plate += bool(openings)
        listed = [part for part in parts.parts(kit) if part.figure == "part keys"]
        if not openings:
            assert not listed or "keypad" in listed[0].what
            continue
        # Cherry's data sheet of the MX1A: a cut-out of 14.0 mm.
        sizes = {round(edge, 3) for o in openings for edge in (o.right - o.left, o.bottom - o.top)}
        assert sizes == {14.0}
        steps = [two.left - one.left for one, two in pairwise(openings) if one.top == two.top]
        assert steps == [pytest.approx(KEY_PITCH)] * len(steps)
        (keys,) = listed
        assert keys.how_many == str(len(openings))
        assert "(MX)" in keys.what
        assert "keypad" not in f"{keys.what} {keys.search}"
        assert "ready keypad" in parts.as_markdown(kit), "among what is often bought in its place"
    assert with_plate, "no kit was measured"


@every_kit
def test_every_part_has_a_price_and_words_to_search_for(kit: Kit) -> None:
    listed = list(parts.parts(kit))
    for part in listed:
        assert part.euros > 0, part.what
        assert part.search, part.what
    assert 60 <= parts.price(kit) <= 400 or kit.strip.leds > 363
    assert f"Altogether about {parts.price(kit)} euros." in parts.as_markdown(kit)


def test_the_kit_with_nothing_to_solder_lists_no_solder_work() -> None:
    kit = load_kit("matrix-32x8")
    listed = " ".join(f"{part.what} {part.use}" for part in parts.parts(kit))
    assert [name for name in KITS if parts.needs_no_solder(load_kit(name))] == ["matrix-32x8"]
    assert "socket" not in listed
    assert "perfboard" not in listed
    assert "lever connector" in listed
    assert "jumper wire" in listed


def test_a_loudspeaker_is_on_the_parts_list_of_a_kit_that_has_one() -> None:
    kit = load_kit("table")
    more = {
        part.what for part in set(parts.parts(replace(kit, loudspeaker="default"))) - set(parts.parts(kit))
    }
    assert more == {
        "USB loudspeaker, or one with a USB sound card",
        "adapter from micro-USB to USB-A (OTG), for a Zero 2 W only",
    }


@pytest.mark.parametrize(
    ("name", "voice", "wanted"),
    [
        ("table", "", []),
        ("numpad", "", ["adapter from micro-USB to USB-A (OTG)"]),
        ("matrix-32x8", "", ["adapter from micro-USB to USB-A (OTG)"]),
        ("matrix-32x8", "default", ["hub with micro-USB plug (OTG)"]),
    ],
)
def test_what_has_a_plug_for_usb_can_be_plugged_into_a_zero(name: str, voice: str, wanted: list[str]) -> None:
    listed = parts.parts(replace(load_kit(name), loudspeaker=voice))
    assert [part.what.partition(",")[0] for part in listed if "OTG" in part.what] == wanted


@pytest.mark.parametrize(
    ("ma", "fuse", "cord"),
    [(500, 0.63, 0.5), (2000, 2.5, 0.5), (4000, 5.0, 0.75), (8000, 10.0, 1.0), (9000, 12.5, 1.5)],
)
def test_wires_are_as_thick_as_the_fuse_lets_through_and_above_an_ampere_joined_by_terminals(
    ma: int, fuse: float, cord: float
) -> None:
    kit = load_kit("table")
    power = replace(kit.power, strip="pi" if ma <= 500 else "own", supply_ma=20_000)
    kit = replace(kit, strip=replace(kit.strip, max_ma=ma), power=power)
    assert (circuit.fuse(kit), circuit.cord(kit)) == (fuse, cord)
    listed = [part.what for part in parts.parts(kit)]
    assert f"wire {cord:g} mm2, red and black" in listed
    assert any("terminal block" in what for what in listed) is (ma > 1000)
    branch = [link.name for link in breadboard.links(kit) if link.hole == "plus terminal"]
    assert branch == ["0.5 A fuse"] * (ma > 1000)


@every_kit
def test_the_strip_is_bought_in_metres_from_which_all_pieces_can_be_cut(kit: Kit) -> None:
    if kit.panel is not None:
        assert "x 1 m" not in parts.as_markdown(kit)
        return
    sold, cut = parts.per_metre(kit), strip.pieces(kit)
    bought = parts.lengths(cut, sold)
    assert f"| {bought} x 1 m | LED strip" in parts.as_markdown(kit)
    assert sum(cut) <= sold * bought
    assert not can_be_cut(sorted(cut, reverse=True), [sold] * (bought - 1)), "one less would do"


def can_be_cut(left: list[int], strips: list[int]) -> bool:
    """Try every way to cut the pieces that are *left*, none longer than a strip, from *strips*."""
    if not left:
        return True
    tried = set()
    for at, room in enumerate(strips):
        if room >= left[0] and room not in tried:
            tried.add(room)
            if can_be_cut(left[1:], [*strips[:at], room - left[0], *strips[at + 1 :]]):
                return True
    return False
