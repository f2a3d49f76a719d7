"""A bitmap of the board: wood, engraving, and the glow of the LEDs.

Points are complex numbers x + y i, in millimetres.  A lane is the line through the holes of a track.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import cos, pi, sin
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from cribpi.companion.kit import Board, Kit, Track
from cribpi.companion.views.lights.frame import GAMMA, Frame
from cribpi.companion.views.screen.canvas import MEDIUM, Canvas
from cribpi.cribbage.rules.seats import DOUBLE_SKUNK_LINE, SKUNK_LINE, START, STREET

SCALE: Final = 4
"""Pixels per millimetre."""

_WOOD: Final = (112, 72, 40)
_GRAIN: Final = (97, 61, 33)
_LANE: Final = (146, 101, 60)
_HOLE: Final = (48, 29, 15)
_DARK: Final = (62, 34, 17)
_INLAY: Final = (240, 220, 184)
# Millimetres, except `_GROUP` and `_GAMES`.
_BED: Final = 3.6  # half of a lane's width
_RADIUS: Final = 2.2  # radius of a hole
_RING: Final = 3.6  # radius of the ring around the game hole
_ASIDE: Final = 7.5  # distance from a hole to a number above or below it, or to the tip of the arrow
_BESIDE: Final = 9.5  # distance from a hole to a number at its left
_ARROW: Final = 4.5  # length of the arrow before the first hole
_GROUP: Final = 5  # number of holes between two marks
_GAMES: Final = "GAMES"


def board_picture(kit: Kit, frame: Frame, target: int) -> Image.Image:
    """Return the board of *kit* with its LEDs lit as in *frame*, at `SCALE` pixels per millimetre.

    The hole of *target*, 61 or 121, has a ring as the game hole.  On a board with two laps, the end of a
    street has the numbers of both laps.
    """
    size = (round(kit.board.width * SCALE), round(kit.board.height * SCALE))
    wood = _wood(size)
    glow, lamps = Image.new("RGB", size), Image.new("RGB", size)
    draw = ImageDraw.Draw(wood)
    light, lit = ImageDraw.Draw(glow), ImageDraw.Draw(lamps)
    tracks = [{place.hole: complex(place.x, place.y) for place in track.holes} for track in kit.tracks]
    games = [row.holes for track in kit.tracks for row in track.games]
    rows = [[complex(place.x, place.y) for place in row] for row in games]
    # The points of a lane include those of its turns, where the next street runs back.
    lanes = [
        [at for hole in sorted(holes) for at in (holes[hole], *_bend(holes, hole, kit.board))]
        for holes in tracks
    ] + rows
    for line in lanes:
        draw.line(_scaled(line), _LANE, round(2 * _BED * SCALE), joint="curve")
        draw.ellipse(_around(line[0], _BED), fill=_LANE)
        draw.ellipse(_around(line[-1], _BED), fill=_LANE)
    covered = list(chain.from_iterable(lanes))
    for track, holes in zip(kit.tracks, tracks, strict=True):
        _engrave(draw, track, holes, target, kit.board, covered)
    for row in rows:
        _write_games(draw, row, kit.board, covered)
    for place in chain(*(track.holes for track in kit.tracks), *games):
        at = complex(place.x, place.y)
        # LEDs are linear in light, pixels are not: undo the gamma, or dim LEDs would look too dark.
        colour = tuple(round(255 * (duty / 255) ** (1 / GAMMA)) for duty in frame[place.led])
        draw.ellipse(_around(at, _RADIUS), fill=_HOLE)
        if any(colour):
            light.ellipse(_around(at, 3.4 * _RADIUS), fill=colour)
            lit.ellipse(_around(at, _RADIUS), fill=colour)
    if lamps.getbbox() is None:
        return wood  # no LED is lit, so there is no glow to add
    spill = glow.filter(ImageFilter.GaussianBlur(3 * SCALE)).point(lambda value: value // 2)
    halo = lamps.filter(ImageFilter.GaussianBlur(SCALE))
    return ImageChops.add(ImageChops.add(wood, spill), ImageChops.lighter(halo, lamps))


def _engrave(
    draw: ImageDraw.ImageDraw,
    track: Track,
    holes: dict[int, complex],
    target: int,
    board: Board,
    covered: list[complex],
) -> None:
    """Engrave the marks and numbers of *track*; text avoids the points *covered*, and is added to them."""
    lines = {SKUNK_LINE: (0.0,), DOUBLE_SKUNK_LINE: (-1.0, 1.0)} if target > SKUNK_LINE else {STREET: (0.0,)}
    skunks = {_hole(track, line, target): shifts for line, shifts in lines.items()}
    game_hole = _hole(track, target, target)
    for hole in range(_GROUP, min(target, track.lap + 1), _GROUP):
        turn = _bend(holes, hole, board)
        onward = _way(holes[hole], holes[hole + 1])
        between = (holes[hole] + holes[hole + 1]) / 2
        middle = turn[len(turn) // 2] if turn else between
        for shift in skunks.get(hole, () if hole % STREET == 0 else (0.0,)):
            across = [middle + onward * (shift + side * _BED * 1j) for side in (-1, 1)]
            draw.line(_scaled(across), _DARK, SCALE if hole in skunks else SCALE // 2)
        number = "/".join(str(score) for score in range(hole, target, track.lap))
        if turn:
            out = _way(holes[hole - 1], holes[hole])
            # A long number is moved inward by half of its extra width, so that it stays off the lane.
            at = between - out * max(MEDIUM.width_of(number) - MEDIUM.width_of("30"), 0) / SCALE / 2
            # If the streets are too close for a number inside the turn, it goes outside.
            if abs(holes[hole + 1] - holes[hole]) < 2 * _BED + MEDIUM.height / SCALE:
                at = middle + out * _BESIDE * 0.7
            _write(draw, at, number)
            covered.append(at)
        elif hole % STREET == 0 and hole != game_hole:
            _write_beside(draw, holes[hole], number, covered)
    draw.ellipse(_around(holes[game_hole], _RING), outline=_INLAY, width=SCALE // 2)
    _write_beside(draw, holes[game_hole], str(target), covered)
    tip = _arrow_tip(holes)
    arrow = [tip - _way(holes[1], holes[2]) * back for back in (0, _ARROW + 2.6j, _ARROW - 2.6j)]
    draw.polygon(_scaled(arrow), fill=_INLAY)


def _arrow_tip(holes: dict[int, complex]) -> complex:
    """Return the tip of the arrow: between start and first hole if there is space, else before both."""
    if START not in holes:
        return holes[1] - _way(holes[1], holes[2]) * _ASIDE
    if abs(holes[1] - holes[START]) < _ARROW + 3 * _RADIUS:
        return holes[START] - _way(holes[START], holes[1]) * _ASIDE
    return (holes[START] + holes[1]) / 2 + _way(holes[START], holes[1]) * _ARROW / 2


def _hole(track: Track, score: int, target: int) -> int:
    """Return the hole of *track* that holds a peg at *score* in a game to *target*."""
    place = track.place(score, target)
    return START if place is None else place.hole


def _write_beside(draw: ImageDraw.ImageDraw, at: complex, number: str, covered: list[complex]) -> None:
    """Write the *number* of the hole at *at* to its left, above or below; skip it if no place is free."""
    _write_free(draw, number, (at - _BESIDE, at - _ASIDE * 1j, at + _ASIDE * 1j), covered)


def _write_games(draw: ImageDraw.ImageDraw, row: list[complex], board: Board, covered: list[complex]) -> None:
    """Write GAMES for the holes of *row*: past the last one, before the first, or beside one of these."""
    onward = _way(row[0], row[-1]) if len(row) > 1 else 1 + 0j
    half = complex(MEDIUM.width_of(_GAMES), MEDIUM.height) / SCALE / 2
    places = [
        end + out * (2 * _BED + abs(out.real) * half.real + abs(out.imag) * half.imag)
        for outs in ((onward, -onward), (onward * 1j, onward * -1j))
        for end, out in zip((row[-1], row[0]), outs, strict=True)
    ]
    middle = complex(board.width, board.height) / 2
    room = middle - half
    on_board = [at for at in places if _is_within(at - middle, room)]
    _write_free(draw, _GAMES, on_board, covered)


def _write_free(
    draw: ImageDraw.ImageDraw, text: str, places: Sequence[complex], covered: list[complex]
) -> None:
    """Write *text* at the first free one of *places*; skip it if all are taken."""
    half = complex(MEDIUM.width_of(text), MEDIUM.height) / SCALE / 2 + _BED * (1 + 1j)
    free = (at for at in places if not any(_is_within(other - at, half) for other in covered))
    place = next(free, None)
    if place is not None:
        _write(draw, place, text)
        covered.append(place)


def _is_within(way: complex, half: complex) -> bool:
    """Return whether the offset *way* from a rectangle's middle is inside it; *half* is half its size."""
    return abs(way.real) <= half.real and abs(way.imag) <= half.imag


def _write(draw: ImageDraw.ImageDraw, at: complex, text: str) -> None:
    canvas, width = Canvas(), MEDIUM.width_of(text)
    canvas.write(0, 0, text, "medium")
    left, top = round(at.real * SCALE - width / 2), round(at.imag * SCALE - MEDIUM.height / 2)
    draw.bitmap((left, top), canvas.picture().crop((0, 0, width, MEDIUM.height)), _INLAY)


def _scaled(line: Sequence[complex]) -> list[tuple[float, float]]:
    return [(at.real * SCALE, at.imag * SCALE) for at in line]


def _around(at: complex, radius: float) -> tuple[float, float, float, float]:
    (left, top), (right, bottom) = _scaled([at - radius * (1 + 1j), at + radius * (1 + 1j)])
    return left, top, right, bottom


def _wood(size: tuple[int, int]) -> Image.Image:
    wood, (width, height) = Image.new("RGB", size, _WOOD), size
    draw = ImageDraw.Draw(wood)
    for row in range(0, height, 7):
        sway = (row * 37) % 23 - 11
        draw.line([(0, row), (width // 2, row + sway // 3), (width, row)], _GRAIN)
    return wood


# --- lanes ---------------------------------------------------------------------------------------------


def _bend(holes: dict[int, complex], hole: int, board: Board) -> list[complex]:
    """Return points along the turn after *hole*, or [] without one; the middle point is the outermost."""
    if not {hole - 1, hole + 1, hole + 2} <= holes.keys():
        return []
    here, there = holes[hole], holes[hole + 1]
    out = _way(holes[hole - 1], here)
    if (out * _way(there, holes[hole + 2]).conjugate()).real > -0.5:
        return []
    middle, reach = (here + there) / 2, abs(there - here) / 2
    room = (board.width - middle.real if out.real > 0 else middle.real) - _BED - 1
    bulge = min(reach, room) if abs(out.real) > 0.5 else reach
    return [
        middle + (here - middle) * cos(pi * step / 16) + out * bulge * sin(pi * step / 16)
        for step in range(17)
    ]


def _way(start: complex, end: complex) -> complex:
    """Return the direction from *start* to *end*, as a vector one millimetre long."""
    return (end - start) / abs(end - start)
