"""Where the strip is cut: its pieces, and the joints between them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from math import hypot

from cribpi.kit import Kit, Place


def holes_of(kit: Kit) -> Iterator[Place]:
    """Return every hole with an LED: those of the tracks, and those for games won."""
    for track in kit.tracks:
        yield from track.holes
        for row in track.games:
            yield from row.holes


def along(kit: Kit) -> tuple[Place, ...]:
    """Return every hole with an LED in the order of the strip."""
    return tuple(sorted(holes_of(kit), key=lambda place: place.led))


def pitch(kit: Kit) -> float:
    """Return how far apart the strip's LEDs are, in mm: the least distance between two neighbours."""
    gaps = [hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(along(kit)) if b.led - a.led == 1]
    return min(gaps, default=10.0)


def pieces(kit: Kit) -> tuple[int, ...]:
    """Return how many LEDs each piece of the strip has: it is cut wherever it turns."""
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
