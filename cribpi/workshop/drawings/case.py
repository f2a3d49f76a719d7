"""A printable box under the plate, for the Pi, the wiring, and a deck of cards in a drawer.

The plate rests on a ledge and is screwed to posts below its fixing holes.  The box is cut into tiles that fit
a printer's bed; tongues in the floor lock each tile into the next.  All measures are in millimetres, with the
coordinates of kit.toml; z = 0 is the underside of the box.  The box has not been printed yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Final, NamedTuple

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.shapes import Box, Point
from cribpi.workshop.drawings.solid import Block, joints, pillar
from cribpi.workshop.drawings.strip import THICK, fixing_holes

BED: Final = 205.0
"""Maximum side of a tile, not counting its tongues."""

WALL: Final = 2.4
"""Thickness of walls and floor: six passes of a 0.4 mm nozzle."""

ROOM: Final = 45.0
"""Height from floor to plate: a Pi on standoffs needs 25 mm, key switches with wires need 15."""

HIGH: Final = WALL + ROOM + THICK
"""Height of the box; its rim is level with the top of the plate."""

PLAY: Final = 0.3
"""Clearance on each side between parts that fit into each other."""

LEDGE: Final = 4
"""Width of the ledge that carries the plate.  It is bevelled at 45 degrees, so printing needs no supports."""

_LIP: Final = 1.6  # height of the ledge at its full width

# --- the Pi ---

_PI: Final = Box(50, 32, 135, 88)
"""A Pi 3, 4 or 5, 85 x 56 mm (Raspberry Pi's mechanical drawings), with USB left and power at the back."""

_ALONG: Final = 58.0  # distance between the mounting holes along every Pi
_INSET: Final = 3.5
_ZERO: Final = Box(50, 2, 115, 32)
"""A Zero 2 W, 65 x 30 mm (Raspberry Pi's mechanical drawings), at the wall, beside a larger Pi's plug."""
STAND: Final = 5.0
"""Height of the standoffs, which leaves space for solder joints and the microSD card below the board."""

_STAND_WIDE, _STAND_HOLE = 6.4, 2.1  # an M2.5 screw cuts its own thread
_PLUG: Final = Box(115, -10, 133, 10)  # cable opening for the power socket of a Pi
_ZERO_PLUGS: Final = Box(54, -10, 81, 1)  # cable opening for a Zero's sockets, 41.4 and 54 mm from its edge
_PLUG_LOW, _PLUG_HIGH = 6.0, 18.0

# --- the posts ---

_POST: Final = 4.0  # distance from the middle of a fixing hole to the edge of its post
_POST_HOLE, _POST_DEEP = 2.5, 12.0  # an M3 screw cuts its own thread

# --- the drawer ---

DECK: Final = (68.0, 93.0, 26.0)
"""Inside of the drawer for a deck of 52 cards: poker cards have 63 x 88 mm, and 66 x 91 in sleeves."""

_LONG: Final = DECK[1] + 2 * WALL
_WIDE: Final = DECK[0] + 2 * WALL
_GUIDE: Final = 20.0  # height of the guide walls
_OVER: Final = 3.0  # overlap of the front beyond the opening, on each side
_GRIP: Final = (26.0, 12.0)

# --- the tongues ---

_NECK, _HEAD = 8.0, 14.0
_DEEP: Final = 6.0
_SLACK: Final = 0.15
_EVERY: Final = 40.0


class Case(NamedTuple):
    """The box, with the places of its contents; *drawer* is None if there is no space for one."""

    outer: Box
    pi: Box
    zero: Box
    drawer: Box | None
    taken: tuple[Box, ...]
    """Areas of the floor that a joint between tiles must not cross."""
    blocks: tuple[Block, ...]


def case(kit: Kit) -> Case | None:
    """Return the box under the plate of *kit*.

    None if there is no plate, if the kit has a bonnet, if the plate has no fixing holes, or if it is too
    small for a Pi and its plugs.
    """
    posts = [_post(kit, hole) for hole in fixing_holes(kit)]
    width, height = kit.front
    bench = _PI._replace(top=_ZERO.top)
    if (
        not posts
        or kit.plate is None
        or kit.glass.bonnet
        or width < bench.right + 14
        or height < bench.bottom + 2
    ):
        return None
    inner = Box(0, 0, width, height).grown(PLAY)
    drawer = _drawer_place(inner, [*posts, bench])
    taken = [*posts, _PI.grown(1), _ZERO.grown(1), _PLUG, _ZERO_PLUGS]
    blocks = [*_shell(inner), *(Block(post, WALL, WALL + ROOM) for post in posts)]
    for hole in fixing_holes(kit):
        blocks += _as_holes(pillar(hole, _POST_HOLE, WALL + ROOM - _POST_DEEP, WALL + ROOM))
    blocks += _standoffs()
    blocks += (Block(plug, _PLUG_LOW, _PLUG_HIGH, is_full=False) for plug in (_PLUG, _ZERO_PLUGS))
    if drawer is not None:
        taken.append(drawer)
        blocks += _guides(drawer, inner)
    return Case(inner.grown(WALL), _PI, _ZERO, drawer, tuple(taken), tuple(blocks))


def _as_holes(blocks: Iterator[Block]) -> Iterator[Block]:
    return (block.as_hole() for block in blocks)


def _shell(inner: Box) -> Iterator[Block]:
    yield Block(inner.grown(WALL), 0, HIGH)
    rest = WALL + ROOM
    yield Block(inner, rest, HIGH, is_full=False)
    yield Block(inner.grown(-LEDGE), rest - _LIP, rest, is_full=False)
    for step in range(1, LEDGE):
        low = rest - _LIP - step
        yield Block(inner.grown(step - LEDGE), low, low + 1, is_full=False)
    yield Block(inner, WALL, rest - _LIP - LEDGE + 1, is_full=False)


def _post(kit: Kit, hole: Point) -> Box:
    """Return the post under a fixing hole, extended into the wall next to it."""
    (x, y), (width, height) = hole, kit.front
    left, right = (-1.0, x + _POST) if x < width / 2 else (x - _POST, width + 1)
    top = -1.0 if y < 2 * _POST + 1 else y - _POST
    bottom = height + 1.0 if height - y < 2 * _POST + 1 else y + _POST
    return Box(left, top, right, bottom)


def _standoffs() -> Iterator[Block]:
    for board in (_PI, _ZERO):
        inner = board.grown(-_INSET)
        for x, y in product((inner.right - _ALONG, inner.right), (inner.top, inner.bottom)):
            yield from pillar((x, y), _STAND_WIDE, WALL, WALL + STAND)
            yield from _as_holes(pillar((x, y), _STAND_HOLE, WALL, WALL + STAND))


def _drawer_place(inner: Box, others: list[Box]) -> Box | None:
    """Return the topmost place at the right wall for drawer and guides, free of *others*, or None."""
    wide, left = _WIDE + 2 * PLAY + 2 * WALL, inner.right - _LONG - PLAY - WALL
    tops = range(20, max(int(inner.bottom - wide) - 6, 20))
    places = (Box(left, top, inner.right, top + wide) for top in tops)
    free = (box for box in places if not any(box.grown(2).meets(other) for other in others))
    return next(free, None)


def _guides(drawer: Box, inner: Box) -> Iterator[Block]:
    within = Box(drawer.left + WALL, drawer.top + WALL, inner.right, drawer.bottom - WALL)
    # The guides extend into the wall, so that both are printed as one.
    yield Block(drawer._replace(right=inner.right + 1), WALL, WALL + _GUIDE)
    yield Block(within._replace(right=inner.right + WALL), WALL, HIGH, is_full=False)


def drawer() -> Iterator[Block]:
    """Yield the blocks of the drawer, with its bottom on z = 0 and its front on the right."""
    inside = Box(WALL, WALL, _LONG - WALL, _WIDE - WALL)
    yield Block(Box(0, 0, _LONG, _WIDE), 0, WALL + DECK[2])
    # The front passes through the wall, under the plate's edge, and rests against the wall from outside.
    outside = _LONG + WALL
    yield Block(Box(_LONG - WALL, 0, _LONG, _WIDE), 0, ROOM - PLAY)
    yield Block(Box(_LONG, 0, outside + WALL, _WIDE), 0, HIGH - WALL)
    front = Box(outside, -PLAY - _OVER, outside + WALL, _WIDE + PLAY + _OVER)
    yield Block(front, 0, HIGH - WALL)
    yield Block(inside, WALL, HIGH, is_full=False)
    middle, (wide, deep) = _WIDE / 2, _GRIP
    grip = Box(_LONG - WALL, middle - wide / 2, front.right, middle + wide / 2)
    yield Block(grip, HIGH - WALL - deep, HIGH - WALL, is_full=False)


# --- the tiles ---------------------------------------------------------------------------------------


class Tile(NamedTuple):
    """A part of the box, named by row and column such as A1; *box* excludes the tongues."""

    name: str
    box: Box
    blocks: tuple[Block, ...]


def tiles(case: Case) -> Iterator[Tile]:
    """Yield the tiles of *case* row by row."""
    outer = case.outer
    across = joints(outer.left, outer.right, [(box.left, box.right) for box in case.taken], BED)
    down = joints(outer.top, outer.bottom, [(box.top, box.bottom) for box in case.taken], BED)
    tongues = [*_tongues(case, across, down)]
    far = outer.grown(10)
    for row, (top, bottom) in enumerate(pairwise(down)):
        for number, (left, right) in enumerate(pairwise(across), start=1):
            box = Box(left, top, right, bottom)
            blocks = [
                *case.blocks,
                Block(far._replace(right=left), 0, HIGH, is_full=False),
                Block(far._replace(left=right), 0, HIGH, is_full=False),
                Block(far._replace(bottom=top), 0, HIGH, is_full=False),
                Block(far._replace(top=bottom), 0, HIGH, is_full=False),
            ]
            for owner, parts in tongues:
                if box.grown(-1).meets(owner):
                    blocks += (Block(part, 0, WALL) for part in parts)
                elif any(part.meets(box) for part in parts):
                    blocks += (Block(part.grown(_SLACK), 0, WALL, is_full=False) for part in parts)
            yield Tile(f"{chr(ord('A') + row)}{number}", box, tuple(blocks))


def _tongues(case: Case, across: list[float], down: list[float]) -> Iterator[tuple[Box, tuple[Box, Box]]]:
    """Yield the tongues of all tiles, each with a small box inside the tile that it belongs to.

    A tongue is a neck with a wider head, so that joined tiles can't be pulled apart.
    """
    for x in across[1:-1]:
        for y in _spots(down):
            neck = Box(x - 1, y - _NECK / 2, x + _DEEP, y + _NECK / 2)
            head = Box(x + _DEEP, y - _HEAD / 2, x + 2 * _DEEP, y + _HEAD / 2)
            if _is_free(case, neck, head):
                yield Box(x - 4, y - 1, x - 2, y + 1), (neck, head)
    for y in down[1:-1]:
        for x in _spots(across):
            neck = Box(x - _NECK / 2, y - 1, x + _NECK / 2, y + _DEEP)
            head = Box(x - _HEAD / 2, y + _DEEP, x + _HEAD / 2, y + 2 * _DEEP)
            if _is_free(case, neck, head):
                yield Box(x - 1, y - 4, x + 1, y - 2), (neck, head)


def _spots(cuts: list[float]) -> Iterator[float]:
    """Yield the positions of tongues along a joint, away from its ends and from crossing joints."""
    for start, end in pairwise(cuts):
        count = max(int((end - start - 40) / _EVERY), 1)
        yield from (start + (end - start) * (step + 0.5) / count for step in range(count))


def _is_free(case: Case, *parts: Box) -> bool:
    return not any(part.grown(1).meets(taken) for part in parts for taken in case.taken)
