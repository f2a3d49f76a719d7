"""The SVG of a board: its wood, lanes, marks and holes.  A hole has its LED in ``data-led``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from cribpi.companion.kit import Kit
from cribpi.companion.views.board.layout import (
    OWN,
    Lane,
    Layout,
    Line,
    kit_drawn,
    layout,
    must_share,
    upright,
)

WOOD: Final = "/page/wood.webp"
"""The URL of the wood's grain: a seamless tile, used as a mask, in which white is dark grain."""

GRAIN: Final = (360, 180)
"""Width and height of the grain's tile, in millimetres."""

_RING, _RING_WIDTH = (
    1.62,
    0.42,
)  # a game hole's ring, as multiples of a hole's radius
_LEAST: Final = 9.0  # minimum font size in pixels
_CAPITAL: Final = 0.7  # height of capitals, as a multiple of the font size
_WIDTHS: Final = {"/": 0.43, "1": 0.42, "G": 0.83, "M": 0.83} | dict.fromkeys("STARE", 0.61)
_WIDE: Final = 0.63  # width of the other digits, as a multiple of the font size


Spot: TypeAlias = tuple[int, tuple[int, int, int]]
"""A lit LED, and its colour as the eye sees it, before gamma."""


@lru_cache(maxsize=64)
def board_svg(
    kit: Kit,
    target: int,
    sides: int,
    room: tuple[int, int],
    *,
    is_upright: bool = False,
    lit: tuple[Spot, ...] = (),
) -> str:
    """Return the board of *kit* as SVG for a game of *sides* to *target*, drawn for *room* in pixels.

    If *room* is small, letters, lines and holes are relatively larger, so that they are legible.  If sides
    would have to share a track, the board has a track per side instead.  With 0 *sides*, it is the kit's own.
    The page sets its own lights on the holes; a picture has those that are *lit*.
    """
    is_own = must_share(kit, sides)
    drawn = kit_drawn(kit, sides)
    drawn = upright(drawn) if is_upright else drawn
    board = drawn.board
    scale = max(min(room[0] / board.width, room[1] / board.height), 0.1)
    parts = layout(drawn, target)
    radius = min(parts.pitch * 0.33, max(parts.pitch * 0.25, 2.9 / scale))
    name = f"{'u' if is_upright else 'l'}{sides if is_own else ''}"
    return "".join(
        (
            '<svg xmlns="http://www.w3.org/2000/svg" translate="no"',
            f' viewBox="0 0 {board.width:g} {board.height:g}"',
            f' data-pitch="{parts.pitch:g}"' + (f' data-own="{OWN}"' if is_own else "") + ">",
            *_defs(parts, name, is_upright=is_upright),
            *_wood(parts, name),
            *_marks(parts, scale, radius),
            *_holes(parts, name, radius),
            *_lights(parts, name, radius, dict(lit)),
            *_edge(parts, name),
            "</svg>",
        )
    )


def _defs(parts: Layout, name: str, *, is_upright: bool) -> Iterator[str]:
    whole, (wide, high) = _size(parts), GRAIN
    turned = ' patternTransform="matrix(0 1 1 0 0 0)"' if is_upright else ""
    width, height = parts.board.width, parts.board.height
    lamp = f"{_n(width * 0.85)} 0 0 {_n(height)} {_n(width * 0.42)} {_n(height * 0.12)}"
    yield f"""<defs>
<pattern id="tile-{name}" width="{wide}" height="{high}" patternUnits="userSpaceOnUse"{turned}>
<image href="{WOOD}" width="{wide}" height="{high}" preserveAspectRatio="none"/></pattern>
<mask id="grain-{name}" maskUnits="userSpaceOnUse" x="0" y="0" {whole}>
<rect {whole} fill="url(#tile-{name})"/></mask>
<radialGradient id="lamp-{name}" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1"
 gradientTransform="matrix({lamp})">
<stop stop-opacity="0"/><stop offset=".5" stop-opacity=".1"/><stop offset="1" stop-opacity=".4"/>
</radialGradient>
<radialGradient id="depth-{name}" cy=".67" r=".6"><stop stop-color="#2c1a10"/>
<stop offset=".7" stop-color="#160b05"/><stop offset="1" stop-color="#080301"/></radialGradient>
<linearGradient id="shade-{name}" x2="0" y2="1"><stop stop-opacity="0"/><stop offset="1" stop-opacity=".45"/>
</linearGradient></defs>"""


def _size(parts: Layout) -> str:
    return f'width="{_n(parts.board.width)}" height="{_n(parts.board.height)}"'


def _wood(parts: Layout, name: str) -> Iterator[str]:
    """Draw the wood, and the lanes as inlays of lighter wood with dark joints."""
    whole, grain = f"<rect {_size(parts)}", f'mask="url(#grain-{name})"'
    yield f'{whole} class="wood" fill="#ab693c"/>{whole} class="wood grain" fill="#472716" {grain}/>'
    yield '<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
    lanes = (*parts.lanes, *parts.rows)
    for role, extra, pen in (
        ("light", 0.7, 'stroke="#ffdcaa" stroke-opacity=".22" transform="translate(0 .5)"'),
        ("joint", 0.9, 'stroke="#0c0501" stroke-opacity=".62"'),
        ("inlay", 0.0, 'stroke="#ebb47b"'),
        ("inlay grain", 0.0, f'stroke="#a27044" {grain}'),
    ):
        yield f'<g class="{role}" {pen}>'
        yield from (f'<path d="{_path(lane)}" stroke-width="{_n(lane.bed + extra)}"/>' for lane in lanes)
        yield "</g>"
    yield f'</g>{whole} fill="url(#lamp-{name})"/>'


def _path(lane: Lane) -> str:
    """Return the line through the holes as an SVG path: straight along streets, curved at turns."""
    steps = [f"M{_at(lane.at[0])}"]
    ways = [other - one for one, other in pairwise(lane.at)]
    for i, (to, turn) in enumerate(zip(lane.at[1:], lane.turns, strict=False)):
        if turn:
            a, b = (end + turn.out * turn.reach for end in (lane.at[i], to))
            steps.append(f"C{_at(a)} {_at(b)} {_at(to)}")
        elif i + 1 == len(ways) or lane.turns[i + 1] or abs((ways[i].conjugate() * ways[i + 1]).imag) > 1e-6:
            steps.append(f"L{_at(to)}")
    return "".join(steps) if ways else f"{steps[0]}h0"


def _marks(parts: Layout, scale: float, radius: float) -> Iterator[str]:
    thin, thick = _n(max(0.5, 1 / scale)), _n(max(0.9, 1.3 / scale))
    yield f'<path d="{_lines(parts.ticks())}" stroke="#1e0e05" stroke-opacity=".62" stroke-width="{thin}"/>'

    def size(text: str) -> float:
        return max(3.8 if text.isalpha() else 5.4, _LEAST / scale)

    def half(text: str) -> complex:
        wide = sum(_WIDTHS.get(letter, _WIDE) for letter in text)
        return size(text) * complex(wide, _CAPITAL) / 2

    yield '<g font-family="Figtree,system-ui,sans-serif" font-weight="650" text-anchor="middle"'
    yield ' fill="#f0dcb8">'
    for text, at, room in parts.labels(half, radius * (_RING + _RING_WIDTH / 2)):
        x, y = _n(at.real), at.imag + room.imag
        letters = f'font-size="{_n(size(text))}">{text}</text>'
        yield f'<text x="{x}" y="{_n(y - 0.8 / scale)}" fill="#000" fill-opacity=".45" {letters}'
        yield f'<text x="{x}" y="{_n(y)}" class="label" {letters}'
    lines = _lines(parts.skunk_lines())
    yield f'</g><path class="skunk" d="{lines}" stroke="#2a1206" stroke-width="{thick}"/>'
    arrows = ("L".join(map(_at, lane.arrow)) for lane in parts.lanes)
    yield f'<path class="start" d="M{"zM".join(arrows)}z" fill="#f0dcb8"/>'


def _holes(parts: Layout, name: str, radius: float) -> Iterator[str]:
    yield f'<g class="rings" fill="none" stroke="#f0dcb8" stroke-width="{_n(radius * _RING_WIDTH)}">'
    for at in parts.game_holes():
        yield f'<circle cx="{_n(at.real)}" cy="{_n(at.imag)}" r="{_n(radius * _RING)}"/>'
    holes = [hole for lane in (*parts.lanes, *parts.rows) for hole in lane.holes]
    rims = "".join(
        f"M{_n(hole.x - radius)} {_n(hole.y + radius * 0.2)}a1 1 0 0 0 {_n(2 * radius)} 0" for hole in holes
    )
    yield f'</g><path d="{rims}" fill="#ffdeb0" fill-opacity=".3"/><g fill="url(#depth-{name})">'
    yield from (
        f'<circle data-led="{hole.led}" cx="{_n(hole.x)}" cy="{_n(hole.y)}" r="{_n(radius)}"/>'
        for hole in holes
    )
    yield "</g>"


def _lights(
    parts: Layout, name: str, radius: float, lit: Mapping[int, tuple[int, int, int]]
) -> Iterator[str]:
    """Draw each lit LED, with a glow on the wood around it."""
    for hole in (hole for lane in (*parts.lanes, *parts.rows) for hole in lane.holes if hole.led in lit):
        colour = lit[hole.led]
        strength = max(colour) / 255
        hue = "rgb({} {} {})".format(*(round(part / (strength or 1)) for part in colour))
        glow, at = f"glow-{name}-{hole.led}", f'<circle cx="{_n(hole.x)}" cy="{_n(hole.y)}"'
        yield f'<radialGradient id="{glow}"><stop stop-color="{hue}" stop-opacity="{_n(0.6 * strength)}"/>'
        yield f'<stop offset="1" stop-color="{hue}" stop-opacity="0"/></radialGradient>'
        yield f'{at} r="{_n(parts.pitch * (0.5 + 1.2 * strength))}" fill="url(#{glow})"/>'
        yield f'{at} class="lit" r="{_n(radius * 1.06)}" fill="{hue}" opacity="{_n(0.3 + 0.7 * strength)}"/>'
        yield f'{at} r="{_n(radius * 0.5)}" fill="#fff" opacity="{_n(0.7 * strength**3)}"/>'


def _edge(parts: Layout, name: str) -> Iterator[str]:
    width, height = parts.board.width, parts.board.height
    yield '<g fill="none" stroke="#ffe2b4" stroke-width=".8">'
    for inset, alpha in ((0.4, 0.3), (1.2, 0.1)):
        size = f'width="{_n(width - 2 * inset)}" height="{_n(height - 2 * inset)}" rx="{_n(5 - inset)}"'
        yield f'<rect x="{inset}" y="{inset}" {size} stroke-opacity="{alpha}"/>'
    yield f'</g><rect y="{_n(height - 5)}" width="{_n(width)}" height="5" fill="url(#shade-{name})"/>'


def _n(number: float) -> str:
    return f"{round(number, 2):g}"


def _at(point: complex) -> str:
    return f"{_n(point.real)} {_n(point.imag)}"


def _lines(lines: Iterator[Line]) -> str:
    return "".join(f"M{_at(one)}L{_at(other)}" for one, other in lines)
