"""A box for a printer under the plate: for the Pi, what is soldered, and a deck of cards in a drawer.

The plate lies in it on a ledge, screwed to posts under its fixing holes.  The coordinates are those of
kit.toml; z = 0 is under the box.  It is cut into tiles that a printer's bed takes; a tile's floor has tongues
that lock into the next one.  Nothing of it has been printed yet.
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
"""The longest side of a tile without its tongues."""

WALL: Final = 2.4
"""Of walls and floor: six passes of a 0.4 mm nozzle."""

ROOM: Final = 45.0
"""From the floor to the plate: a Pi on its standoffs takes 25, key switches with their wires 15."""

HIGH: Final = WALL + ROOM + THICK
"""Of the box: its rim is level with the plate."""

PLAY: Final = 0.3
"""Between two parts that go into each other, on each side."""

LEDGE: Final = 4
"""How far the plate lies on the wall.  Below, it goes back 1 mm in each mm: no support is needed."""

_LIP: Final = 1.6  # of the ledge, where it is widest

# --- the Pi ---

_PI: Final = Box(50, 32, 135, 88)
"""A Pi 3, 4 or 5, 85 x 56 mm (Raspberry Pi's mechanical drawings): USB to the left, power to the back."""

_ALONG: Final = 58.0  # between two holes, on every Pi
_INSET: Final = 3.5
_ZERO: Final = Box(50, 2, 115, 32)
"""A Zero 2 W, 65 x 30 mm (the same), at the wall, beside the plug of a larger Pi."""
STAND: Final = 5.0
"""Of the standoffs: what is soldered, and a microSD card, are under the board."""

_STAND_WIDE, _STAND_HOLE = 6.4, 2.1  # a screw M2.5 cuts its thread
_PLUG: Final = Box(115, -10, 133, 10)  # the opening for the cable, before the Pi's own socket
_ZERO_PLUGS: Final = Box(54, -10, 81, 1)  # and that before a Zero's two, 41.4 and 54 mm from its edge
_PLUG_LOW, _PLUG_HIGH = 6.0, 18.0

# --- the posts ---

_POST: Final = 4.0  # from the middle of a fixing hole to the post's edge
_POST_HOLE, _POST_DEEP = 2.5, 12.0  # a screw M3 cuts its thread

# --- the drawer ---

DECK: Final = (68.0, 93.0, 26.0)
"""Room for a deck of 52 cards: poker size is 63 x 88 mm, in sleeves 66 x 91."""

_LONG: Final = DECK[1] + 2 * WALL
_WIDE: Final = DECK[0] + 2 * WALL
_GUIDE: Final = 20.0  # of the walls that lead it
_OVER: Final = 3.0  # of its front beyond the opening, on each side
_GRIP: Final = (26.0, 12.0)

# --- the tongues ---

_NECK, _HEAD, _DEEP = 8.0, 14.0, 6.0
_SLACK: Final = 0.15
_EVERY: Final = 40.0


class Case(NamedTuple):
    """A box: what lies in it by its edges, and the drawer's place, or None where it has no room."""

    outer: Box
    pi: Box
    zero: Box
    drawer: Box | None
    taken: tuple[Box, ...]
    """Where the floor carries something, and no cut may run."""
    blocks: tuple[Block, ...]


def case(kit: Kit) -> Case | None:
    """Return the box under the plate of *kit*; None if it has no plate, or a bonnet, which hangs from it.

    None also if the plate has no fixing holes, or is too small for a Pi and its plugs.
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
        blocks += _gone(pillar(hole, _POST_HOLE, WALL + ROOM - _POST_DEEP, WALL + ROOM))
    blocks += _standoffs()
    blocks += (Block(plug, _PLUG_LOW, _PLUG_HIGH, is_full=False) for plug in (_PLUG, _ZERO_PLUGS))
    if drawer is not None:
        taken.append(drawer)
        blocks += _guides(drawer, inner)
    return Case(inner.grown(WALL), _PI, _ZERO, drawer, tuple(taken), tuple(blocks))


def _gone(blocks: Iterator[Block]) -> Iterator[Block]:
    return (block.gone() for block in blocks)


def _shell(inner: Box) -> Iterator[Block]:
    """Yield floor, walls and ledge."""
    yield Block(inner.grown(WALL), 0, HIGH)
    rest = WALL + ROOM
    yield Block(inner, rest, HIGH, is_full=False)
    yield Block(inner.grown(-LEDGE), rest - _LIP, rest, is_full=False)
    for step in range(1, LEDGE):
        low = rest - _LIP - step
        yield Block(inner.grown(step - LEDGE), low, low + 1, is_full=False)
    yield Block(inner, WALL, rest - _LIP - LEDGE + 1, is_full=False)


def _post(kit: Kit, hole: Point) -> Box:
    """Return the post under a fixing hole: it reaches into the wall beside it."""
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
            yield from _gone(pillar((x, y), _STAND_HOLE, WALL, WALL + STAND))


def _drawer_place(inner: Box, others: list[Box]) -> Box | None:
    """Return the first place on the right from above that is free of *others*, with the guides."""
    wide, left = _WIDE + 2 * PLAY + 2 * WALL, inner.right - _LONG - PLAY - WALL
    tops = range(20, max(int(inner.bottom - wide) - 6, 20))
    found = (Box(left, top, inner.right, top + wide) for top in tops)
    free = (box for box in found if not any(box.grown(2).meets(other) for other in others))
    return next(free, None)


def _guides(drawer: Box, inner: Box) -> Iterator[Block]:
    """Yield the walls that lead the drawer, its stop, and the opening in the box's wall."""
    within = Box(drawer.left + WALL, drawer.top + WALL, inner.right, drawer.bottom - WALL)
    # Its guides end in the wall.
    yield Block(drawer._replace(right=inner.right + 1), WALL, WALL + _GUIDE)
    yield Block(within._replace(right=inner.right + WALL), WALL, HIGH, is_full=False)


def drawer() -> Iterator[Block]:
    """Yield the drawer; it stands on z = 0, and its front is at the right."""
    inside = Box(WALL, WALL, _LONG - WALL, _WIDE - WALL)
    yield Block(Box(0, 0, _LONG, _WIDE), 0, WALL + DECK[2])
    # Its front goes through the wall, under the plate's edge, and lies on the wall from outside.
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
    """A part of the box: *name* is its row from A, and its place in the row from 1; *box* has no tongues."""

    name: str
    box: Box
    blocks: tuple[Block, ...]


def tiles(found: Case) -> Iterator[Tile]:
    """Yield the tiles of a box row by row."""
    outer = found.outer
    across = joints(outer.left, outer.right, [(box.left, box.right) for box in found.taken], BED)
    down = joints(outer.top, outer.bottom, [(box.top, box.bottom) for box in found.taken], BED)
    tongues = [*_tongues(found, across, down)]
    far = outer.grown(10)
    for row, (top, bottom) in enumerate(pairwise(down)):
        for number, (left, right) in enumerate(pairwise(across), start=1):
            box = Box(left, top, right, bottom)
            blocks = [
                *found.blocks,
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


def _tongues(found: Case, across: list[float], down: list[float]) -> Iterator[tuple[Box, tuple[Box, Box]]]:
    """Yield the tongues of all tiles, each with a spot in the tile that it belongs to.

    A tongue is a neck and a head, so that two tiles that lie in each other cannot be drawn apart.
    """
    for x in across[1:-1]:
        for y in _spots(down):
            neck = Box(x - 1, y - _NECK / 2, x + _DEEP, y + _NECK / 2)
            head = Box(x + _DEEP, y - _HEAD / 2, x + 2 * _DEEP, y + _HEAD / 2)
            if _is_free(found, neck, head):
                yield Box(x - 4, y - 1, x - 2, y + 1), (neck, head)
    for y in down[1:-1]:
        for x in _spots(across):
            neck = Box(x - _NECK / 2, y - 1, x + _NECK / 2, y + _DEEP)
            head = Box(x - _HEAD / 2, y + _DEEP, x + _HEAD / 2, y + 2 * _DEEP)
            if _is_free(found, neck, head):
                yield Box(x - 1, y - 4, x + 1, y - 2), (neck, head)


def _spots(cuts: list[float]) -> Iterator[float]:
    """Yield places along a joint, none near its ends or near another joint that crosses it."""
    for start, end in pairwise(cuts):
        count = max(int((end - start - 40) / _EVERY), 1)
        yield from (start + (end - start) * (step + 0.5) / count for step in range(count))


def _is_free(found: Case, *parts: Box) -> bool:
    return not any(part.grown(1).meets(taken) for part in parts for taken in found.taken)
