"""The scores at the top of every screen of a game: names, points, turn, dealer and cards held.

A pointer below the name marks the seat whose turn or show it is; with three or four names, the name is lit
instead. D marks the dealer, and each upright bar is a card still held. With three scores, a name has only
three letters, or two if the scores are over 99, so the last row has the next player's full name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from cribpi.companion.entry.hands import SeatView
from cribpi.companion.views.screen.canvas import CELL, COLUMNS, FACES, MARGIN, SMALL, WIDTH, Size
from cribpi.companion.views.screen.sheet import Sheet
from cribpi.companion.views.screen.wording import labels
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules.seats import partners

_GAP: Final = 4
"""Px between a score and its name, and between two sides."""

_NEAR: Final = 3
"""Px between a score and its name in the small face."""

_BELOW: Final = 10
"""The top in px of the marks below a name."""

_MARK: Final = 5
"""Height of a mark in px, and width of the D."""

_APART: Final = 2
"""Px between the D and the bars."""

_POINTER: Final = ((5, -1, 3, 1), (4, 0, 5, 1), (3, 1, 7, 1), (2, 2, 9, 1), (1, 3, 11, 1), (0, 4, 13, 1))
"""The pointer to the name above it, as areas. A lit name would take five times as many bytes to send."""

_DEALER: Final = ((0, 0, 2, _MARK), (2, 0, 2, 1), (2, 4, 2, 1), (3, 1, 2, 3))
"""The letter D, as areas."""


@dataclass(frozen=True, slots=True)
class _Spot:
    """The place for the name of a *seat*, from *left* to *right* with its top at *y*.

    *mark* is the top left corner of its marks. The name is aligned to *right* if *at_right*.
    """

    seat: int
    left: int
    right: int
    y: int
    mark: tuple[int, int]
    at_right: bool = False


def scores(sheet: Sheet, state: State) -> None:
    """Write all scores, with the marks for the turn, the dealer and the cards held."""
    spots = list(_three_spots(sheet, state) if state.sides == 3 else _spots(sheet, state))
    cells = [max((spot.right - spot.left + SMALL.gap) // CELL, 1) for spot in spots]
    names = labels([state.names[spot.seat] for spot in spots], cells)
    seats, slot = sheet.view.seats, _room(state)[1]
    for spot, name in zip(spots, names, strict=True):
        width = SMALL.width_of(name)
        x = spot.right - width if spot.at_right else spot.left
        sheet.small(x, spot.y, name)
        if seats[spot.seat].is_next and slot:
            _draw(sheet, spot.mark, _POINTER)
        elif seats[spot.seat].is_next:
            # Only 8 px high, to stay in one page of the screen's memory: a second would double the bytes
            # sent.
            sheet.invert(x - 1, spot.y, width + 2, 8)
        _mark(sheet, state, seats[spot.seat], spot.mark)


def _spots(sheet: Sheet, state: State) -> Iterator[_Spot]:
    """Write the points of two sides and yield the spots of the names.

    The points are at the edges of the screen, so that nobody reads them as one number.
    """
    is_shared = state.players > state.sides
    gap = 2 * _GAP if is_shared else _GAP
    width = (WIDTH - 2 * MARGIN - gap) // 2
    if is_shared:
        sheet.fill(WIDTH // 2, 0, 1, 15)
    for side, points in enumerate(map(str, state.scores())):
        at_right = side == 1
        left = MARGIN + side * (width + gap)
        right = left + width
        # Next to three digits a partner's name would have room for only one letter.
        face: Size = "narrow" if is_shared and points[2:] else "medium"
        sheet.write(right if at_right else left, 0, points, face, align="right" if at_right else "left")
        beside = FACES[face].width_of(points) + (_GAP if face == "medium" else _NEAR)
        left, right = (left, right - beside) if at_right else (left + beside, right)
        for row, seat in enumerate(partners(side, state.players)):
            behind = right - _marks_width(state, sheet.view.seats[seat])
            if is_shared:
                yield _Spot(seat, left, behind, 8 * row, (behind + 2, 8 * row + 1))
            else:
                mark = (behind + 2 if at_right else left, _BELOW)
                yield _Spot(seat, left, right, 0, mark, at_right=at_right)


def _three_spots(sheet: Sheet, state: State) -> Iterator[_Spot]:
    """Write the three scores; yield for each the spot of its name, with its marks below the name."""
    pitch = WIDTH // 3
    for side, points in enumerate(map(str, state.scores())):
        left = MARGIN + side * pitch
        face: Size = "narrow" if points[2:] else "medium"
        sheet.write(left, 0, points, face)
        left += FACES[face].width_of(points) + 2
        # At most three letters: a fourth would be too close to the next score.
        right = min(left + 3 * CELL - SMALL.gap, MARGIN + (side + 1) * pitch - _GAP)
        yield _Spot(side, left, right, 0, (left, _BELOW))


def small_scores(sheet: Sheet, state: State) -> None:
    """Write all scores in one row of the small face, which leaves more space for text."""
    if state.sides == 3:
        _three_in_a_row(sheet, state)
        return
    texts = [f" {side.front}" for side in sheet.view.sides]
    names = labels([side.name for side in sheet.view.sides], [COLUMNS // 2 - len(text) for text in texts])
    for side, (name, text) in enumerate(zip(names, texts, strict=True)):
        sheet.small(WIDTH - 1 if side else MARGIN, 0, name + text, align="right" if side else "left")


def _three_in_a_row(sheet: Sheet, state: State) -> None:
    """Write three names with their scores in one row; long names get the cells that short ones don't need."""
    texts = [str(score) for score in state.scores()]
    room = WIDTH - 2 * MARGIN - sum(map(SMALL.width_of, texts)) - 3 * _NEAR - 2 * CELL
    names = labels(state.names, _shared((room + 3 * SMALL.gap) // CELL, [len(name) for name in state.names]))
    spare = room - sum(map(SMALL.width_of, names))
    near = min(_NEAR + spare // 3, CELL)
    between = CELL + (spare - 3 * (near - _NEAR)) // 2
    x = MARGIN
    for name, text in zip(names, texts, strict=True):
        sheet.small(x, 0, name)
        x += SMALL.width_of(name) + near
        sheet.small(x, 0, text)
        x += SMALL.width_of(text) + between


def _shared(cells: int, lengths: list[int]) -> list[int]:
    """Divide *cells* evenly among names of these *lengths*; none gets more cells than it has letters.

    >>> _shared(15, [6, 4, 5]), _shared(12, [6, 4, 5]), _shared(10, [12, 3, 11])
    ([6, 4, 5], [4, 4, 4], [4, 3, 3])
    """
    shares = [0] * len(lengths)
    while cells and shares != lengths:
        least = min((shares[at], at) for at in range(len(lengths)) if shares[at] < lengths[at])[1]
        shares[least] += 1
        cells -= 1
    return shares


def bar_of_scores(sheet: Sheet, state: State) -> None:
    """Write all scores in the first row, dark on a lit bar."""
    small_scores(sheet, state)
    sheet.invert(0, 0, WIDTH, 8)


def _room(state: State) -> tuple[int, int]:
    """Return the pitch of the bars and the width of the pointer before them, in px.

    With more than two names there is little space, and none for a pointer.
    """
    return (5, 15) if state.players == 2 else (2, 0)


def _shows_cards(state: State) -> bool:
    return state.entry is not Entry.PEG and state.phase is Phase.PLAY


def _marks_width(state: State, seat: SeatView) -> int:
    """Return the width in px of the marks of *seat*, including 2 px before them; 0 if it has none."""
    pitch, slot = _room(state)
    # With a pointer, one of the 2 px is the gap after the last bar.
    width = slot
    if _shows_cards(state):
        width += 4 * pitch
    if seat.is_dealer:
        width += _MARK + _APART - (1 if slot else 0)
    return width + 1 if width else 0


def _mark(sheet: Sheet, state: State, seat: SeatView, at: tuple[int, int]) -> None:
    """Draw the D of the dealer, and a bar for each card that *seat* still holds."""
    (x, y), (pitch, slot) = at, _room(state)
    x += slot
    if seat.is_dealer:
        _draw(sheet, (x, y), _DEALER)
        x += _MARK + _APART
    for number in range(seat.cards_left if _shows_cards(state) else 0):
        sheet.fill(x + number * pitch, y, (pitch + 1) // 2, _MARK)


def _draw(sheet: Sheet, at: tuple[int, int], areas: Iterable[tuple[int, int, int, int]]) -> None:
    """Light *areas*, whose corners are relative to *at*."""
    for left, top, width, height in areas:
        sheet.fill(at[0] + left, at[1] + top, width, height)
