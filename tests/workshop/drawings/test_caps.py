"""The caps for a printer, read back by a library that others use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

solids = pytest.importorskip("support.solids", reason="trimesh reads the caps back; make test installs it")

from cribpi.companion.entry.keys import KEYS  # noqa: E402
from cribpi.companion.kit.reader import kit_names, load_kit  # noqa: E402
from cribpi.workshop.drawings import caps  # noqa: E402
from cribpi.workshop.drawings.solid import stl, surface  # noqa: E402

LEAST_RIDGE = 0.48  # of a stroke of 0.8 mm, two notches of 0.16 are taken at most


def _mesh(name: str) -> Any:  # noqa: ANN401  trimesh's
    return solids.read(stl(surface([*caps.cap(name, (0.0, 0.0))])))


@pytest.mark.parametrize("name", KEYS)
def test_every_key_that_a_kit_can_have_has_a_cap_that_can_be_printed(name: str) -> None:
    mesh = _mesh(name)
    solids.assert_printable(mesh)
    assert mesh.extents == pytest.approx((caps.SIDE, caps.SIDE, caps.TOP + caps.DEEP), abs=1e-3)
    assert mesh.extents[0] < 19.05 - 0.5, "room to its neighbour"


@pytest.mark.parametrize("name", KEYS)
def test_the_name_is_on_the_cap_in_strokes_that_a_nozzle_can_draw(name: str) -> None:
    boxes = [box for box in caps.legend(name) if box.size[0] > 0.5]
    for box in boxes:
        assert min(box.size) >= caps.STROKE - 1e-9
        assert max(map(abs, box)) < caps.SIDE / 2 - 0.5
    assert len(boxes) > 7


def test_the_top_and_the_walls_are_thick_and_only_stem_and_letters_are_thinner() -> None:
    mesh = _mesh("FLNB")
    places, outward = solids.spots(mesh, 1000)
    thick = solids.hits(mesh, places - outward * 1e-5, -outward)
    stem = np.hypot(places[:, 0], places[:, 1]) < caps.STEM / 2 + 0.01
    is_stem = stem & (places[:, 2] > caps.TOP - 1e-3)
    is_upright = abs(outward[:, 2]) < 0.5
    is_letter = is_upright & (places[:, 2] < caps.CUT - 1e-3)
    assert thick[is_stem].min() >= 0.6
    assert thick[is_letter].min() >= LEAST_RIDGE
    rest = thick[~is_stem & ~is_letter]
    assert rest.min() >= caps.TOP - caps.CUT - 1e-3
    walls = ~is_stem & ~is_letter & is_upright
    assert thick[walls].min() >= 1.6 - 1e-3


def test_the_stem_of_a_switch_goes_into_the_cross() -> None:
    mesh = _mesh("OK")
    # The stem's two bars as in Cherry's data sheet, 3.6 mm high, from the lower edge of the cap.
    high = caps.TOP + caps.DEEP
    for across, down in ((4.0, 1.31), (1.31, 4.0)):
        low = (-across / 2, -down / 2, high - 3.6)
        assert solids.is_free(mesh, low, (across / 2, down / 2, high + 1))


def test_a_name_is_read_from_above_once_the_cap_is_turned_over() -> None:
    # Of a 4, the lower left is not cut; from below, and so on the bed, that is at the right.
    mesh = _mesh("4")
    under = {x: solids.is_inside(mesh, np.array([x, -3.0, caps.CUT / 2])) for x in (-1.5, 1.5)}
    assert under == {-1.5: False, 1.5: True}


@pytest.mark.parametrize("name", kit_names())
def test_a_kit_has_a_cap_for_each_key_of_its_plate_on_one_bed(name: str) -> None:
    kit = load_kit(name)
    assert kit.plate
    keys = len(kit.plate.openings) - 1
    blocks = caps.caps(kit)
    assert bool(blocks) == bool(keys)
    if keys:
        solids.assert_printable(solids.read(stl(surface(blocks))), parts=keys)
