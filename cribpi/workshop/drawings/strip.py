"""The rows of holes and the strip behind them: where it is cut, its pieces, and the joints between them.

A ready panel is one piece, with no joints.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, chain, pairwise
from math import dist, hypot

from cribpi.companion.kit import Kit, Place


def runs(kit: Kit) -> Iterator[tuple[Place, ...]]:
    """Yield the holes of each track, and of each row for games won."""
    for track in kit.tracks:
        yield track.holes
        yield from (row.holes for row in track.games)


def rows(kit: Kit) -> list[list[Place]]:
    """Return each straight row of holes, in the order of the holes."""
    found: list[list[Place]] = []
    for run in runs(kit):
        found.append([])
        for place in run:
            if found[-1] and not _goes_on(kit, found[-1], place):
                found.append([])
            found[-1].append(place)
    return found


def _goes_on(kit: Kit, row: list[Place], place: Place) -> bool:
    """Return whether *place* continues *row*: straight, evenly, and its LED next on the strip.

    On a panel the LED beside it is not the next one along its wire, so there it is the next place.
    """
    last = row[-1]
    if kit.panel is None:
        is_next = abs(place.led - last.led) == 1
    else:
        is_next = abs(dist(place.at, last.at) - kit.panel.pitch) < 0.05
    if not is_next:
        return False
    if len(row) == 1:
        return True
    before = row[-2]
    # Places are rounded to a hundredth of a millimetre, so steps of one row differ by two at most.
    return (
        abs(place.x - last.x - (last.x - before.x)) < 0.05
        and abs(place.y - last.y - (last.y - before.y)) < 0.05
    )


def along(kit: Kit) -> tuple[Place, ...]:
    """Return every hole with an LED in the order of the strip."""
    return tuple(sorted(chain.from_iterable(runs(kit)), key=lambda place: place.led))


def pitch(kit: Kit) -> float:
    """Return how far apart the strip's LEDs are, in mm: the usual distance between two neighbours."""
    if kit.panel is not None:
        return kit.panel.pitch
    apart = sorted(dist(a.at, b.at) for a, b in pairwise(along(kit)) if b.led - a.led == 1)
    return apart[len(apart) // 2] if apart else 10.0


def pieces(kit: Kit) -> tuple[int, ...]:
    """Return how many LEDs each piece of the strip has: it is cut wherever it turns."""
    if kit.panel is not None:
        return (kit.strip.leds,)
    step = pitch(kit)
    lengths: list[int] = []
    first, heading = 0, (0.0, 0.0)
    for a, b in pairwise(along(kit)):
        leds = b.led - a.led
        now = (b.x - a.x) / leds, (b.y - a.y) / leds
        is_next = abs(hypot(*now) - step) < 0.05
        turns = heading != (0.0, 0.0) and hypot(now[0] - heading[0], now[1] - heading[1]) > 0.05
        heading = now
        if not is_next or turns:
            lengths.append(b.led - first)
            first, heading = b.led, (0.0, 0.0)
    return (*lengths, kit.strip.leds - first)


def laid(kit: Kit) -> tuple[tuple[Place, ...], ...]:
    """Return the holes of each piece, in the order of the strip; an LED may have no hole."""
    places = along(kit)
    ends = tuple(accumulate(pieces(kit)))
    found = (
        tuple(place for place in places if start <= place.led < end) for start, end in pairwise((0, *ends))
    )
    return tuple(piece for piece in found if piece)


def joints(kit: Kit) -> tuple[tuple[Place, Place], ...]:
    """Return the last hole of each piece and the first of the next."""
    return tuple((one[-1], other[0]) for one, other in pairwise(laid(kit)))
