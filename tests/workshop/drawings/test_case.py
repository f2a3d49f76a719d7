"""The box for a printer, read back by a library that others use: closed, thick enough, and all goes in."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

solids = pytest.importorskip("support.solids", reason="trimesh reads the box back; make test installs it")

from support import kicad_library  # noqa: E402

from cribpi.companion.kit.reader import kit_names, load_kit  # noqa: E402
from cribpi.workshop.drawings import case, strip  # noqa: E402
from cribpi.workshop.drawings.shapes import Box  # noqa: E402
from cribpi.workshop.drawings.solid import stl, surface  # noqa: E402

KITS = [name for name in kit_names() if not load_kit(name).glass.bonnet]
FLOOR, UNDER = case.WALL, case.WALL + case.ROOM


@lru_cache(maxsize=2)
def _whole(name: str) -> tuple[case.Case, Any]:
    found = case.case(load_kit(name))
    assert found
    return found, solids.read(stl(surface(found.blocks)))


def _tiles(name: str) -> list[tuple[case.Tile, Any]]:
    found, _ = _whole(name)
    return [(tile, solids.read(stl(surface(tile.blocks)))) for tile in case.tiles(found)]


def _is_free(mesh: Any, area: Box, low: float, high: float) -> bool:  # noqa: ANN401
    left, top, right, bottom = area.grown(-0.01)
    return bool(solids.is_free(mesh, (left, -bottom, low + 0.01), (right, -top, high - 0.01)))


def _is_full(mesh: Any, x: float, y: float, z: float) -> bool:  # noqa: ANN401
    return bool(solids.is_inside(mesh, np.array([x, -y, z])))


@pytest.mark.parametrize("name", KITS)
def test_every_tile_can_be_printed_and_together_they_are_the_box(name: str) -> None:
    found, whole = _whole(name)
    solids.assert_printable(whole, bed=1000)
    width, height = load_kit(name).front
    rim = 2 * (case.PLAY + case.WALL)
    assert whole.extents == pytest.approx((width + rim, height + rim, case.HIGH), abs=1e-3)
    meshes = _tiles(name)
    for _, mesh in meshes:
        solids.assert_printable(mesh, bed=210)
    parted = sum(mesh.volume for _, mesh in meshes)
    # What is missing is the slack around the tongues.
    assert 0 <= whole.volume - parted < 0.002 * whole.volume
    areas = sum(tile.box.size[0] * tile.box.size[1] for tile, _ in meshes)
    assert areas == pytest.approx(found.outer.size[0] * found.outer.size[1])


@pytest.mark.parametrize("name", KITS)
def test_no_wall_of_the_box_is_thinner_than_two_millimetres(name: str) -> None:
    _, whole = _whole(name)
    places, outward = solids.spots(whole, 700)
    thick = solids.hits(whole, places - outward * 1e-4, -outward)
    # What is round is made of steps, and a ray from a step's side may graze its corner; so may the ledge's.
    centres = [*strip.fixing_holes(load_kit(name))]
    round_ones = [np.hypot(places[:, 0] - x, places[:, 1] + y) < 3 for x, y in centres]
    is_stand = (places[:, 2] > FLOOR + 1e-3) & (places[:, 2] < FLOOR + case.STAND + 1e-3)
    is_stand &= abs(outward[:, 2]) < 0.5
    assert thick[~is_stand & ~np.any(round_ones, axis=0)].min() >= 1.6 - 1e-3
    assert thick.min() >= 1.2


@pytest.mark.parametrize("name", KITS)
def test_the_plate_lies_on_the_ledge_and_on_a_post_under_each_screw(name: str) -> None:
    kit = load_kit(name)
    _, whole = _whole(name)
    assert _is_free(whole, Box(0, 0, *kit.front), UNDER, case.HIGH), "the plate goes in"
    for x, y in strip.fixing_holes(kit):
        assert not _is_full(whole, x, y, UNDER - 1), "the pilot hole"
        assert _is_full(whole, x, y, UNDER - 14)
        assert _is_full(whole, x + 2, y, UNDER - 1)
        assert _is_full(whole, x, y - 2, UNDER - 1)
    width, height = kit.front
    assert _is_full(whole, width / 2, 2, UNDER - 1)
    assert _is_full(whole, 2, height / 2, UNDER - 1)
    for place in strip.along(kit):
        # The strip is 10 mm wide, and glued to the back of the plate.
        assert _is_free(whole, Box(place.x, place.y, place.x, place.y).grown(5), UNDER - 4, UNDER), place


@pytest.mark.parametrize("name", KITS)
def test_a_pi_its_plugs_the_screen_and_the_keys_have_room(name: str) -> None:
    kit = load_kit(name)
    found, whole = _whole(name)
    assert found.pi.size == pytest.approx((85, 56))
    on = FLOOR + case.STAND
    assert _is_free(whole, found.pi, on, on + 20)
    assert _is_free(whole, Box(found.pi.left - 38, found.pi.top, found.pi.left, found.pi.bottom), on, on + 18)
    assert _is_free(whole, found.pi._replace(top=found.pi.top - 30), on, on + 10)
    # The holes of a Pi, from the corner with microSD card and power.
    right, top = found.pi.right, found.pi.top
    for down in (3.5, 52.5):
        for x in (3.5, 61.5):
            assert not _is_full(whole, right - x, top + down, on - 1), "a pilot hole"
            assert _is_full(whole, right - x + 2, top + down, on - 1)
    assert kit.plate
    screen, *keys = kit.plate.openings
    middle = Box(*screen.middle, *screen.middle)
    assert _is_free(whole, middle.grown(max(18.0, (screen.right - screen.left) / 2 + 6)), UNDER - 12, UNDER)
    for key in keys:
        assert _is_free(whole, Box(*key[1:]), UNDER - 15, UNDER)
    # A cable with its plug goes through the wall behind the Pi's own socket.
    plug = Box(right - 11.2 - 8, -5, right - 11.2 + 6, 5)
    assert _is_free(whole, plug, 7, 17)


@pytest.mark.parametrize("name", KITS)
def test_a_zero_has_its_holes_and_its_sockets_are_at_the_opening(name: str) -> None:
    found, whole = _whole(name)
    said = kicad_library.recorded()["footprints"][kicad_library.ZERO]
    # It is upright there, its sockets to the right, and the end with the HDMI socket above.
    sockets = [line for line in said["outline"] if line[0] == line[2] == max(x for x, *_ in said["outline"])]
    assert len(sockets) == 2, "power, and USB"
    far, near = max(said["holes"])[0], min(y for _, y in said["holes"])
    right, back = found.zero.right - 3.5, found.zero.top + 3.5
    on = FLOOR + case.STAND
    for x, y in said["holes"]:
        at = right - (y - near), back + (far - x)
        assert not _is_full(whole, *at, on - 1), "a pilot hole"
        assert _is_full(whole, at[0] + 2, at[1], on - 1)
    assert _is_free(whole, found.zero, on, on + 20)
    for x, low, _, high in sockets:
        middle, face = right - ((low + high) / 2 - near), back - (x - far)
        assert -case.PLAY <= face <= 2, "a plug of micro-USB is 6.5 mm long"
        # Its body is 11.7 x 7.5 mm, and the middle of the socket 1.4 mm over the board.
        plug, level = Box(middle, -5, middle, face), on + 1.6 + 1.4
        body = plug._replace(left=middle - 5.85, right=middle + 5.85)
        assert _is_free(whole, body, level - 3.75, level + 3.75)


@pytest.mark.parametrize("name", KITS)
def test_the_drawer_goes_in_with_a_deck_of_cards_in_sleeves(name: str) -> None:
    found, whole = _whole(name)
    mesh = solids.read(stl(surface([*case.drawer()])))
    solids.assert_printable(mesh)
    places, outward = solids.spots(mesh, 400)
    assert solids.hits(mesh, places - outward * 1e-4, -outward).min() >= 1.6 - 1e-3
    corner = case.WALL + 1
    assert _is_free(mesh, Box(corner, corner, corner + 91, corner + 66), case.WALL, case.WALL + 26)
    assert found.drawer
    # It stands on the floor; its front lies on the wall.
    inner_right = found.outer.right - case.WALL
    (left, back, _), (right, front, high) = mesh.bounds
    long = right - 2 * case.WALL
    moved = mesh.copy()
    top = found.drawer.top + case.WALL + case.PLAY
    moved.apply_translation((inner_right - long, -top, FLOOR))
    assert left == 0
    assert FLOOR + high == pytest.approx(case.HIGH)
    # No place inside the drawer is in the box.
    inside, way = solids.spots(moved, 250)
    probes = inside - way * 0.15
    assert not [probe for probe in probes if solids.is_inside(whole, probe)]
    assert moved.bounds[0][0] > found.drawer.left + case.WALL
    assert moved.bounds[1][0] == pytest.approx(found.outer.right + case.WALL, abs=1e-3)
    assert front - back > case.DECK[0]
    # Nor in the plate.
    width, height = load_kit(name).front
    assert not [p for p in probes if p[0] < width and -height < p[1] < 0 and p[2] > UNDER]


def test_tongues_hold_two_tiles_together() -> None:
    (one, first), (other, second) = _tiles("matrix-32x8")
    joint = one.box.right
    assert other.box.left == joint
    over = first.bounds[1][0] - joint
    assert over == pytest.approx(12)
    # Behind the head the neighbour is in the way; the head itself has room in it.
    y = next(
        y
        for y in np.arange(20, 140, 0.5)
        if _is_full(first, joint + 9, y, 1) and not _is_full(first, joint + 3, y, 1)
    )
    assert _is_full(second, joint + 3, y, 1)
    assert not _is_full(second, joint + 9, y, 1)


def test_a_kit_without_a_place_for_it_has_no_box_and_one_without_room_no_drawer() -> None:
    kit = load_kit("travel-61")
    assert kit.plate
    assert case.case(load_kit("bonnet")) is None
    assert case.case(replace(kit, plate=None)) is None
    assert case.case(replace(kit, plate=replace(kit.plate, height=89))) is None
    low = case.case(replace(kit, plate=replace(kit.plate, height=150)))
    assert low
    assert low.drawer is None
    solids.assert_printable(solids.read(stl(surface(low.blocks))), bed=1000)
