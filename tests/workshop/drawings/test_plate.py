"""The plate for a laser and for a printer, read back by libraries that others use."""

from __future__ import annotations

import io
import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drawn_kits import KITS, every_kit

from cribpi.companion.kit import Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.workshop.drawings import plate, solid, strip
from cribpi.workshop.drawings.plate import LAYERS, Cut, as_dxf, cuts
from cribpi.workshop.drawings.shapes import Box
from cribpi.workshop.drawings.solid import stl, surface

ezdxf = pytest.importorskip("ezdxf", reason="an extra library reads the plates back; make test installs it")
solids = pytest.importorskip("support.solids", reason="the same")


def _read(kit: Kit) -> Any:  # noqa: ANN401  ezdxf's
    return ezdxf.read(io.StringIO(as_dxf(kit)))


def _outlines(drawing: Any) -> dict[str, list[tuple[float, ...]]]:  # noqa: ANN401
    """Return the edges of the closed lines of each layer."""
    found: dict[str, list[tuple[float, ...]]] = {}
    for entity in drawing.modelspace():
        if entity.dxftype() == "POLYLINE":
            assert entity.is_closed
            xs, ys = zip(*((v.dxf.location.x, v.dxf.location.y) for v in entity.vertices), strict=True)
            found.setdefault(entity.dxf.layer, []).append((min(xs), min(ys), max(xs), max(ys)))
    return found


@every_kit
def test_a_reader_of_dxf_finds_nothing_wrong_and_every_hole_in_its_place(kit: Kit) -> None:
    drawing = _read(kit)
    audit = drawing.audit()
    assert (audit.errors, audit.fixes) == ([], [])
    assert drawing.dxfversion == "AC1009"
    assert drawing.header["$INSUNITS"] == 4, "millimetres"
    height = kit.front[1]
    circles = [entity for entity in drawing.modelspace() if entity.dxftype() == "CIRCLE"]
    found = Counter((round(c.dxf.center.x, 2), round(height - c.dxf.center.y, 2)) for c in circles)
    lights = [c for c in circles if c.dxf.layer == "LIGHTS"]
    assert {2 * c.dxf.radius for c in lights} == {strip.drill(kit)}
    assert len(lights) == len(strip.along(kit))
    fixing = [(round(x, 2), round(y, 2)) for x, y in strip.fixing_holes(kit)]
    assert found == Counter([*(place.at for place in strip.along(kit)), *fixing])


@pytest.mark.parametrize("name", KITS)
def test_the_outline_the_window_and_the_keys_are_closed_and_as_large_as_they_are(name: str) -> None:
    kit = load_kit(name)
    assert kit.plate
    outlines = _outlines(_read(kit))
    assert outlines["PLATE"] == [(0, 0, *kit.front)]
    height = kit.front[1]
    boxes = [(o.left, height - o.bottom, o.right, height - o.top) for o in kit.plate.openings]
    assert outlines["WINDOW"] == [pytest.approx(boxes[0], abs=0.001)]
    # Wider than what a switch clips into, 14 mm: that is the key plate's.
    wider = [(left - 0.8, low - 0.8, right + 0.8, high + 0.8) for left, low, right, high in boxes[1:]]
    assert outlines.get("KEYS", []) == [pytest.approx(box, abs=0.001) for box in wider]


@pytest.mark.parametrize("name", KITS)
def test_the_key_plate_has_an_opening_of_14_mm_for_each_key_and_a_rim_that_lies_on_wood(name: str) -> None:
    kit = load_kit(name)
    assert kit.plate
    keys = kit.plate.openings[1:]
    thin = plate.key_plate(kit)
    assert (thin is not None) == bool(keys)
    if thin is None:
        return
    drawing = ezdxf.read(io.StringIO(plate.keys_dxf(thin)))
    assert (drawing.audit().errors, drawing.header["$INSUNITS"]) == ([], 4)
    outlines = _outlines(drawing)
    left, top, right, bottom = thin.box
    assert outlines["PLATE"] == [pytest.approx((0, 0, right - left, bottom - top))]
    places = [(o.left - left, bottom - o.bottom, o.right - left, bottom - o.top) for o in keys]
    assert outlines["KEYS"] == [pytest.approx(place, abs=0.001) for place in places]
    assert {14} == {round(high - low, 3) for _, low, _, high in outlines["KEYS"]}
    texts = {entity.dxf.text for entity in drawing.modelspace() if entity.dxftype() == "TEXT"}
    assert texts == {name for name, *_ in keys}
    # It is glued on around the openings of the plate, over no light, no screw and not over the screen.
    others = [cut for cut in cuts(kit) if cut.layer != "KEYS"]
    assert not [cut for cut in others if cut.box.meets(thin.box)]
    assert left >= 0
    assert right <= kit.front[0]
    assert bottom <= kit.front[1]
    assert min(o.left for o in keys) - left - strip.RELIEF >= 4
    solid = solids.read(stl(surface([*plate.keys_solid(thin)])))
    solids.assert_printable(solid)
    assert solid.extents == pytest.approx((right - left, bottom - top, 1.5), abs=0.001)
    assert solid.volume == pytest.approx(
        1.5 * ((right - left) * (bottom - top) - 14 * 14 * len(keys)), rel=1e-5
    )


def test_a_key_plate_in_a_narrow_place_has_a_narrow_rim() -> None:
    kit = load_kit("table")
    assert kit.plate
    screen, *keys = kit.plate.openings
    near = screen._replace(left=keys[0].left - 24 - 3.5, right=keys[0].left - 3.5)
    thin = plate.key_plate(replace(kit, plate=replace(kit.plate, openings=(near, *keys))))
    assert thin
    assert thin.box.left == pytest.approx(keys[0].left - 2)


@pytest.mark.parametrize("name", KITS)
def test_what_is_engraved_is_on_a_layer_of_its_own_and_every_layer_is_declared(name: str) -> None:
    drawing = _read(load_kit(name))
    assert {layer.dxf.name for layer in drawing.layers} >= set(LAYERS)
    texts = [entity for entity in drawing.modelspace() if entity.dxftype() == "TEXT"]
    assert {entity.dxf.layer for entity in texts} == {"ENGRAVE"}
    words = {entity.dxf.text for entity in texts}
    assert {"1", "5", "30"} <= words
    assert not [word for word in words if word.startswith(("LED", "screen"))]
    kinds = Counter(entity.dxf.layer for entity in drawing.modelspace() if entity.dxftype() == "LINE")
    assert kinds["ENGRAVE"] >= 3, "the skunk lines"


@pytest.mark.parametrize("name", KITS)
def test_every_piece_fits_on_a_printer_and_no_opening_is_cut_in_two(name: str) -> None:
    kit = load_kit(name)
    found = plate.pieces(kit)
    width, height = kit.front
    assert sum((p.box.right - p.box.left) * (p.box.bottom - p.box.top) for p in found) == width * height
    assert sum(len(piece.cuts) for piece in found) == len(list(cuts(kit)))
    for piece in found:
        box = piece.box
        assert max(box.right - box.left, box.bottom - box.top) <= plate.BED
        for cut in piece.cuts:
            assert box.left < cut.box.left < cut.box.right < box.right
            assert box.top < cut.box.top < cut.box.bottom < box.bottom
    assert {p.name for p in found if p.box.top >= kit.board.height} <= {p.name for p in found[2:]}


@pytest.mark.parametrize("name", KITS)
def test_a_reader_of_stl_finds_a_closed_solid_of_the_right_size_and_volume(name: str) -> None:
    for piece in plate.pieces(load_kit(name)):
        assert plate.is_solid(piece)
        solid = solids.read(stl(plate.triangles(piece)))
        solids.assert_printable(solid, bed=plate.BED)
        left, top, right, bottom = piece.box
        assert solid.extents == pytest.approx((right - left, bottom - top, strip.THICK), abs=0.001)
        assert solid.volume == pytest.approx(volume(piece), rel=1e-4)
        # An opening goes through for every cut: Euler's 2 for a ball, 2 less for each.
        assert solid.euler_number == 2 - 2 * len(piece.cuts)


def volume(piece: plate.Piece) -> float:
    box = piece.box
    whole = (box.right - box.left) * (box.bottom - box.top) * strip.THICK
    return whole - sum(map(removed, piece.cuts))


def removed(cut: Cut) -> float:
    width, height = cut.box.right - cut.box.left, cut.box.bottom - cut.box.top
    if cut.is_round:  # a polygon around the circle
        return plate._SIDES * math.tan(math.pi / plate._SIDES) * (width / 2) ** 2 * strip.THICK
    if cut.layer == "KEYS":
        wider = width + 2 * strip.RELIEF
        return width * height * plate.CLIP + wider**2 * (strip.THICK - plate.CLIP)
    return width * height * strip.THICK


def faces_at(piece: plate.Piece, z: float) -> list[float]:
    """Return the areas of the level triangles at *z*, more than 0 for those that look up."""
    found = np.array([three for three in plate.triangles(piece) if all(corner[2] == z for corner in three)])
    one, other = found[:, 1, :2] - found[:, 0, :2], found[:, 2, :2] - found[:, 0, :2]
    return list((one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2)


@pytest.mark.parametrize("name", ["table", "travel-61", "bonnet"])
def test_no_triangle_of_a_face_lies_on_another(name: str) -> None:
    for piece in plate.pieces(load_kit(name)):
        for z, sign in ((strip.THICK, 1), (0.0, -1)):
            areas = faces_at(piece, z)
            assert min(sign * area for area in areas) > -1e-9


boxes = st.tuples(st.integers(0, 7), st.integers(0, 7), st.floats(0.5, 6), st.floats(0.5, 6), st.booleans())


@given(st.lists(boxes, max_size=20, unique_by=lambda box: box[:2]))
def test_whatever_is_cut_the_solid_is_closed(found: list[tuple[int, int, float, float, bool]]) -> None:
    made = tuple(
        Cut("LIGHTS", Box(10.0 * x + 2, 10.0 * y + 2, 10.0 * x + 2 + w, 10.0 * y + 2 + (w if r else h)), r)
        for x, y, w, h, r in found
    )
    piece = plate.Piece("A1", Box(0, 0, 80, 80), made)
    edges: Counter[tuple[Any, Any]] = Counter()
    for three in plate.triangles(piece):
        edges.update(pairwise((*three, three[0])))
    assert set(edges.values()) == {1}
    assert all((other, one) in edges for one, other in edges), "each edge has its neighbour"


def test_openings_that_touch_or_reach_the_edge_are_no_solid() -> None:
    one = Cut("LIGHTS", Box(10, 10, 15, 15), is_round=True)
    beside = Cut("LIGHTS", Box(15.2, 10, 20, 15), is_round=True)
    assert plate.is_solid(plate.Piece("A1", Box(0, 0, 50, 50), (one,)))
    assert not plate.is_solid(plate.Piece("A1", Box(0, 0, 50, 50), (one, beside)))
    assert not plate.is_solid(plate.Piece("A1", Box(10, 0, 50, 50), (one,)))


def test_a_plate_with_no_place_for_a_cut_stays_longer_than_the_bed() -> None:
    assert solid.joints(0, 300, [(1, 299)], plate.BED) == [0, 300]
    assert solid.joints(0, 390, [], plate.BED) == [0, 195, 390]
    assert solid.joints(0, 300, [(140, 190)], plate.BED) == [0, 139, 300]


@pytest.mark.parametrize("name", ["table", "travel-61"])
def test_no_wall_of_a_piece_is_thinner_than_what_a_switch_clips_into_but_at_its_glued_edges(
    name: str,
) -> None:
    for piece in plate.pieces(load_kit(name)):
        solid = solids.read(stl(plate.triangles(piece)))
        places, outward = solids.spots(solid, 150)
        thick = solids.hits(solid, places - outward * 1e-4, -outward)
        left, top, right, bottom = piece.box
        x, y = places[:, 0], -places[:, 1]
        at_edge = np.minimum.reduce([x - left, right - x, y - top, bottom - y]) < 1.6
        assert thick[~at_edge].min() >= 1.5 - 1e-3
        assert thick.min() >= 1 - 1e-3
