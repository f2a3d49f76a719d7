"""The scores, on top of every screen of a game: names, whose turn, who deals, cards left, points.

A lit name is whose turn it is, or whose show; D is the dealer; an upright bar is a card still held.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cribpi.core import seats
from cribpi.core.decide import deciders, next_person
from cribpi.core.events import Entry
from cribpi.core.state import Phase, State
from cribpi.views.glass.canvas import CELL, COLUMNS, MARGIN, WIDTH
from cribpi.views.glass.font import MEDIUM, SMALL
from cribpi.views.glass.sheet import Sheet
from cribpi.views.glass.wording import labels, side_label

_GAP: Final = 4
"""Px between a score and its name, and between two sides."""

_NEAR: Final = 3
"""Px between a score and its name in the small face."""

_BELOW: Final = 10
"""Where the marks under a name begin, in px from the top."""

_MARK: Final = 5
"""Height of a mark in px, and width of the D."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the name of a *seat* may stand: *width* px from *x*, at the height *y*."""

    seat: int
    x: int
    y: int
    width: int
    at_right: bool

    def start(self, width: int) -> int:
        """Return where something *width* px wide begins."""
        return self.x + self.width - width if self.at_right else self.x


def scores(sheet: Sheet, state: State) -> None:
    """Write everybody's score, with the marks that tell the turn, the dealer and the cards left."""
    if state.sides == 3:
        _three_scores(sheet, state)
        return
    places = _write_points(sheet, state)
    partners = state.players > state.sides
    rooms = [place.width - _marks_width(state, place.seat) * partners for place in places]
    cells = [max((room + SMALL.gap) // CELL, 1) for room in rooms]
    names = labels([state.names[place.seat] for place in places], cells)
    lit = seats_in_turn(state)
    for place, name in zip(places, names, strict=True):
        width = SMALL.width_of(name)
        x = place.x if partners else place.start(width)
        sheet.small(x, place.y, name)
        if place.seat in lit:
            sheet.plate(x - 1, place.y, width + 2, 8)  # one page of the glass: two would cost twice the bytes
        if partners:
            _mark(
                sheet,
                state,
                place.seat,
                place.x + place.width - _marks_width(state, place.seat) + 2,
                place.y + 1,
            )
        else:
            _mark(sheet, state, place.seat, place.start(_marks_width(state, place.seat) - 2), _BELOW)


def _three_scores(sheet: Sheet, state: State) -> None:
    """Write each score over its name: beside a large score three names would be cut to a few letters."""
    pitch = WIDTH // state.sides
    names = labels(state.names, [(pitch - _GAP + SMALL.gap) // CELL] * state.sides)
    lit = seats_in_turn(state)
    for side, (name, points) in enumerate(zip(names, state.scores(), strict=True)):
        x = MARGIN + 1 + side * pitch
        sheet.small(x, 0, str(points))
        _mark(sheet, state, side, x + SMALL.width_of(str(points)) + _GAP, 1)
        sheet.small(x, 8, name)
        if side in lit:
            sheet.plate(x - 1, 8, SMALL.width_of(name) + 2, 8)  # one page of the glass, as above


def small_scores(sheet: Sheet, state: State) -> None:
    """Write everybody's score in one row of the small face, where a sentence needs the room."""
    if state.sides == 3:
        _three_in_a_row(sheet, state)
        return
    cells, points = COLUMNS // 2, state.scores()
    rooms = [cells - len(f" {score}") for score in points]
    first, second = labels([side_label(state, side) for side in (0, 1)], rooms)
    sheet.small(MARGIN, 0, f"{first} {points[0]}")
    sheet.small(WIDTH - 1, 0, f"{second} {points[1]}", align="right")


def _three_in_a_row(sheet: Sheet, state: State) -> None:
    """Write three names with their scores: a short name leaves its room to the longer ones."""
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


def _shared(cells: int, wanted: list[int]) -> list[int]:
    """Share *cells* among those who want so many: each the same, and what one leaves goes to the others.

    >>> _shared(15, [6, 4, 5]), _shared(12, [6, 4, 5]), _shared(10, [12, 3, 11])
    ([6, 4, 5], [4, 4, 4], [4, 3, 3])
    """
    given = [0] * len(wanted)
    while cells and given != wanted:
        least = min((given[at], at) for at in range(len(wanted)) if given[at] < wanted[at])[1]
        given[least] += 1
        cells -= 1
    return given


def bar_of_scores(sheet: Sheet, state: State) -> None:
    """Write everybody's score in the first row, dark on a lit bar."""
    small_scores(sheet, state)
    sheet.plate(0, 0, WIDTH, 8)


def seats_in_turn(state: State) -> tuple[int, ...]:
    """Return the seats that are next to do something, or have won; none where that is not known."""
    deal = state.deal
    if state.winner is not None:
        return seats.partners(state.winner, state.players)
    if state.phase is Phase.CUT:
        is_cut = state.rules.first_dealer == "low-cut" and state.next_to_cut is not None
        return (state.next_to_cut,) if is_cut and state.next_to_cut is not None else ()
    if deal is None:
        return ()
    if state.phase is Phase.PLAY:
        return () if deal.turn is None else (deal.turn,)
    if state.phase in {Phase.SHOW, Phase.CRIB}:
        return (deal.shower,)
    asked = next_person(state)
    return deciders(state) or (deal.dealer,) if asked is None else (asked,)


def _write_points(sheet: Sheet, state: State) -> list[_Place]:
    """Write the points, and return where the names go, seat by seat.

    Of two sides the points stand at the edges of the glass, so that they are never read as one number.
    """
    gap = _GAP if state.players == state.sides else 2 * _GAP
    width = (WIDTH - 2 * MARGIN - gap * (state.sides - 1)) // state.sides
    if state.players > state.sides:
        sheet.fill(WIDTH // 2, 0, 1, 15)
    places = []
    for side, points in enumerate(state.scores()):
        x, at_right = MARGIN + side * (width + gap), state.sides == 2 and side == 1
        taken = MEDIUM.width_of(str(points)) + _GAP
        sheet.medium(x + width if at_right else x, 0, str(points), align="right" if at_right else "left")
        ours = seats.partners(side, state.players)
        tops = (0, 8)[: len(ours)]
        left = x if at_right else x + taken
        places += [_Place(seat, left, y, width - taken, at_right) for seat, y in zip(ours, tops, strict=True)]
    return sorted(places, key=lambda place: place.seat)


def _cards_left(state: State, seat: int) -> int:
    return state.deal.cards_left(seat) if state.deal and _shows_cards(state) else 0


def _shows_cards(state: State) -> bool:
    return state.entry is not Entry.PEG and state.phase is Phase.PLAY


def _pitch(state: State) -> int:
    """Return how far one bar is from the next, in px; between three sides there is little room."""
    return {2: 5, 3: 3, 4: 3}[state.players]


def _marks_width(state: State, seat: int) -> int:
    """Return how many px the marks of *seat* take, with 2 px before them; 0 where there are none."""
    bars = 4 * _pitch(state) if _shows_cards(state) else 0
    dealer = _MARK + 1 if state.deal and state.deal.dealer == seat else 0
    return bars + dealer + 1 if bars + dealer else 0


def _mark(sheet: Sheet, state: State, seat: int, x: int, y: int) -> None:
    """Draw the D of the dealer, and a bar for each card that *seat* still holds."""
    if state.deal and state.deal.dealer == seat:
        _draw_dealer(sheet, x, y)
        x += _MARK + 1 + (_pitch(state) > 3)
    pitch = _pitch(state)
    for number in range(_cards_left(state, seat)):
        sheet.fill(x + number * pitch, y, pitch - 1 - (pitch > 3), _MARK)


def _draw_dealer(sheet: Sheet, x: int, y: int) -> None:
    """Draw a D, five px high and wide."""
    sheet.fill(x, y, 2, _MARK)
    sheet.fill(x + 2, y, 2, 1)
    sheet.fill(x + 2, y + 4, 2, 1)
    sheet.fill(x + 3, y + 1, 2, 3)
