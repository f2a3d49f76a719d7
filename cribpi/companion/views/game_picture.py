"""The picture of a finished game for sharing, as SVG: result, board, scores by deal, and best hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from typing import Final, NamedTuple
from unicodedata import category, east_asian_width

from cribpi.companion.kit import Kit
from cribpi.companion.views.board.layout import OWN, kit_drawn, must_share
from cribpi.companion.views.board.svg import Spot, board_svg
from cribpi.companion.views.lights.frame import SIDE_COLOURS, as_seen, compose
from cribpi.companion.views.lights.motion import Motion, games_for
from cribpi.cribbage.game.cards import Card, Suit, in_order
from cribpi.cribbage.game.state import State
from cribpi.cribbage.results.games import best, best_in_words, course, won_by
from cribpi.cribbage.rules.seats import STREET

SIZE: Final = (1200, 630)
FONT: Final = "/page/vendor/figtree.woff2"
INKS: Final = ("#ff6000", "#1f5bff", "#919191")
"""Each side's colour in lines and dots, as on the page; the board has those of the LEDs."""

_EDGE, _MARGIN = 22, 64
_RIGHT: Final = SIZE[0] - _MARGIN
_UPPER, _LOWER = (148, 226), (390, 166)  # top and height of the board, and of what is below it
_CREAM: Final = "#f6efe0"
_SOFT: Final = "#c6d3c6"
_PAPER: Final = "#f4efe7"
_INK: Final = "#221d18"
_FAINT: Final = "#5d544a"
_RULE: Final = "#cfc6b8"
_RED: Final = "#b3161b"
_SMALLEST: Final = 20.0  # size of letters down to which a long text shrinks; then it is condensed
_BACK: Final = 0.5  # lightness of a back peg on a board with a track per side
_NO_MARGIN: Final = 10  # holes below the target in which a street's end is not numbered


class _Pen(NamedTuple):
    size: float
    weight: int = 500
    fill: str = _CREAM
    anchor: str = "start"


class _Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    @property
    def attributes(self) -> str:
        return f'x="{self.x:g}" y="{self.y:g}" width="{self.width:g}" height="{self.height:g}"'


def game_svg(kit: Kit, state: State, began: str) -> str:
    """Return the picture of a game that ended in *state*, and that *began* at this time.

    It refers to `FONT` and to the wood as the page does.  `title` is its heading.
    """
    title = won_by(state) or "not over"
    board = _board(kit, state)
    return "".join(
        (
            '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}">'.format(
                *SIZE
            ),
            f"<title>{escape(title)}</title>",
            f'<style>@font-face{{font-family:Figtree;font-weight:300 900;src:url("{FONT}")}}</style>',
            *_table(),
            '<g font-family="Figtree,system-ui,sans-serif">',
            *_heading(state, title),
            *_scores(state, board.x - 36),
            _slab(kit, state, board),
            *_course(state, _Box(560, _LOWER[0], _RIGHT - 560, _LOWER[1])),
            *_best(state),
            *_foot(state, began),
            "</g></svg>",
        )
    )


# --- texts -----------------------------------------------------------------------------------------------


def _text(text: str, x: float, y: float, pen: _Pen, room: float = SIZE[0]) -> str:
    """Write *text* on one line; if *room* is too narrow it is smaller, and narrower if need be."""
    ems = sum(map(_ems, text))
    size = max(min(pen.size, room / max(ems, 1)), min(pen.size, _SMALLEST))
    narrow = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"' if size * ems > room + 1 else ""
    anchor = "" if pen.anchor == "start" else f' text-anchor="{pen.anchor}"'
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:.4g}" font-weight="{pen.weight}" fill="{pen.fill}"'
        f"{anchor}{narrow}>{escape(text)}</text>"
    )


def _ems(letter: str) -> float:
    """Estimate the width of *letter* in sizes, rather too wide: the fonts of a browser are unknown."""
    if category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    if east_asian_width(letter) in "WF" or ord(letter) > 0xFFFF:
        return 1.3
    if letter in "MWmw@%&":
        return 1.0
    if letter in "iljtfrI.,:;'|!()[] -1":
        return 0.42
    return 0.74 if letter.isupper() or not letter.isascii() else 0.62


def _dot(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"/>'


# --- parts of the picture --------------------------------------------------------------------------------


def _table() -> Iterator[str]:
    """Draw the felt with a wooden frame."""
    width, height = SIZE
    yield """<defs><linearGradient id="frame"><stop stop-color="#6b3d22"/>
<stop offset=".5" stop-color="#522d19"/><stop offset="1" stop-color="#6b3d22"/></linearGradient>
<radialGradient id="felt" gradientUnits="userSpaceOnUse" cx="480" cy="-80" r="1100">
<stop stop-color="#4a6557"/><stop offset="1" stop-color="#243830"/></radialGradient></defs>"""
    yield f'<rect {_Box(0, 0, width, height).attributes} fill="url(#frame)"/>'
    felt = _Box(_EDGE, _EDGE, width - 2 * _EDGE, height - 2 * _EDGE)
    yield f'<rect {felt.attributes} rx="26" fill="url(#felt)"/>'


def _heading(state: State, title: str) -> Iterator[str]:
    skunk = max(map(state.skunk, range(state.sides))) if state.winner is not None else 0
    tag = ("", "skunk", "double skunk")[skunk]
    wide = 44 + sum(map(_ems, tag)) * 30 if tag else 0
    yield _text(title, _MARGIN, 116, _Pen(62, 800), _RIGHT - _MARGIN - (wide and wide + 28))
    if tag:
        pill = _Box(_RIGHT - wide, 70, wide, 52)
        yield f'<rect {pill.attributes} rx="26" fill="#e9b949"/>'
        yield _text(tag, pill.x + wide / 2, 106, _Pen(30, 700, _INK, "middle"))


def _scores(state: State, right: float) -> Iterator[str]:
    """Write each side's name and score, up to *right*."""
    top, height = _UPPER
    step = min(86.0, height / state.sides)
    for side, score in enumerate(state.scores()):
        y = top + step * side + min(58, step * 0.75)
        is_winner = side == state.winner
        weight, fill = (800, _CREAM) if is_winner else (500, _SOFT)
        yield _dot(_MARGIN + 16, y - 16, 15, INKS[side])
        yield _text(
            state.side_name(side), _MARGIN + 48, y - 3, _Pen(38, weight, fill), right - _MARGIN - 48 - 130
        )
        yield _text(str(score), right, y + 4, _Pen(60, 800, fill, "end"))


def _board(kit: Kit, state: State) -> _Box:
    """Return the place of the board: at the right, as large as fits."""
    drawn = kit_drawn(kit, state.sides).board
    ratio = drawn.width / drawn.height
    top, height = _UPPER
    width = min(576.0, height * ratio)
    return _Box(_RIGHT - width, top + (height - width / ratio) / 2, width, width / ratio)


def _slab(kit: Kit, state: State, box: _Box) -> str:
    room = (round(box.width), round(box.height))
    drawn = board_svg(kit, state.rules.target, state.sides, room, lit=tuple(_lit(kit, state)))
    clip = f'<clipPath id="slab"><rect {box.attributes} rx="8"/></clipPath><g clip-path="url(#slab)">'
    return clip + drawn.replace("<svg ", f"<svg {box.attributes} ", 1) + "</g>"


def _lit(kit: Kit, state: State) -> Iterator[Spot]:
    """Yield the LEDs of both pegs of each side, and of the games won."""
    if must_share(kit, state.sides):
        for side, pegs in enumerate(state.pegs):
            for hole, lightness in ((pegs.back, _BACK), (pegs.front, 1)):
                red, green, blue = (round(part * lightness) for part in SIDE_COLOURS[side])
                yield OWN * side + hole, (red, green, blue)
        return
    motion = Motion(kit, state.pegs, still=True, games=games_for(state), target=state.rules.target)
    for led, duties in enumerate(compose(kit, motion.lights(0.0))):
        if any(duties):
            red, green, blue = map(as_seen, duties)
            yield led, (red, green, blue)


def _course(state: State, box: _Box) -> Iterator[str]:
    """Draw the scores by deal, a line per side."""
    rows = [(0,) * state.sides, *course(state.ledger)]
    target = state.rules.target
    left, foot = box.x + 62, box.y + box.height - 32

    def at(deal: int, holes: int) -> tuple[float, float]:
        right = box.x + box.width - 24
        x = left + (right - left) * deal / max(1, len(rows) - 1)
        return round(x, 1), round(foot - (foot - box.y - 18) * max(0, holes) / target, 1)

    yield f'<rect {box.attributes} rx="14" fill="{_PAPER}"/>'
    for hole in (*range(0, target - _NO_MARGIN, STREET), target):
        y = at(0, hole)[1]
        yield f'<path d="M{left:g} {y}H{at(len(rows) - 1, 0)[0]}" stroke="{_RULE}" stroke-width="1.5"/>'
        yield _text(str(hole), left - 12, y + 6, _Pen(17, 500, _FAINT, "end"))
    yield _text("The scores after each deal", left, box.y + box.height - 9, _Pen(17, 500, _FAINT))
    pen = 'fill="none" stroke-width="5" stroke-linejoin="round" stroke-linecap="round"'
    for side in range(state.sides):
        points = [at(deal, row[side]) for deal, row in enumerate(rows)]
        line = "L".join(f"{x} {y}" for x, y in points)
        yield f'<path d="M{line}" stroke="{INKS[side]}" {pen}/>'
        yield _dot(*points[-1], 8, INKS[side])


def _best(state: State) -> Iterator[str]:
    show = best(state.shows) if state.winner is not None else None
    if show is None:
        return
    text = best_in_words(show, state.side_name(show.side))
    yield _text(text, _MARGIN, 412, _Pen(22, 500, _SOFT), 560 - _MARGIN - 36)
    cards: Sequence[Card] = in_order(show.cards)
    step = min(82.0, (560 - _MARGIN - 36 - 76 - 22) / max(1, len(cards)))
    for at, card in enumerate(cards):
        yield from _face(card, _MARGIN + at * step)
    yield from _face(show.starter, _MARGIN + len(cards) * step + 22)


_AS_TEXT: Final = "\N{VARIATION SELECTOR-15}"


def _face(card: Card, x: float) -> Iterator[str]:
    fill = _RED if card.suit in {Suit.HEARTS, Suit.DIAMONDS} else "#1c1a19"
    yield f'<rect {_Box(x, 434, 76, 108).attributes} rx="8" fill="#fffdf8" stroke="#0003"/>'
    size, y = (40, 480) if card.suit else (48, 504)
    yield _text(card.rank.symbol, x + 38, y, _Pen(size, 800, fill, "middle"))
    if card.suit:
        yield _text(card.face[-1] + _AS_TEXT, x + 38, 528, _Pen(44, 500, fill, "middle"))


def _foot(state: State, began: str) -> Iterator[str]:
    for side in range(2):
        yield _dot(_MARGIN + 8 + side * 22, 577, 8, INKS[side])
    yield _text("cribpi", _MARGIN + 46, 585, _Pen(26, 800))
    day = datetime.fromisoformat(began).astimezone()
    yield _text(f"to {state.rules.target} · {day:%-d %B %Y}", _RIGHT, 585, _Pen(20, 500, _SOFT, "end"))
