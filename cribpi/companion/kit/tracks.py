"""[[tracks]] of a kit.toml: each hole to the game hole, its LED, and its place on the board."""

from __future__ import annotations

from typing import Final, TypeAlias

from cribpi.companion.files.section import Section
from cribpi.companion.kit.panel import Panel
from cribpi.companion.kit.shape import HOLES, SIDES, Board, GamesRow, Place, Strip, Track

_SHORT: Final = (HOLES - 1) // 2 + 1
"""The game hole of a track that a game to 121 goes round twice."""


Lights: TypeAlias = Strip | Panel
"""What the LEDs of a track are on."""


def read_tracks(file: Section, board: Board, strip: Lights, laps: int) -> tuple[Track, ...]:
    """Return the tracks of *file*, which a game to 121 goes round *laps* times.

    Raises:
        KitError: If a hole is missing or there twice, or two share an LED or a place, or a side has no track.
    """
    tracks: list[Track] = []
    on_track: set[int] = set()
    taken = _Taken()
    for section in file.sections("tracks"):
        sides = section.integers("sides", SIDES[0], SIDES[-1])
        for index, side in enumerate(sides):
            if side in on_track:
                raise section.refusal("sides", f"side {side} is on a track already; give it one", index=index)
            on_track.add(side)
        holes = _read_holes(section, board, strip, taken, laps)
        tracks.append(Track(sides, holes, _read_games(section, sides, board, strip, taken), laps))
        section.finish()
    if missing := set(SIDES) - on_track:
        why = f"side {min(missing)} is not on a track; add it to the sides of one, to share it"
        raise file.refusal("tracks", why)
    return tuple(tracks)


class _Taken:
    """The LEDs and the places on the board that have a hole."""

    def __init__(self) -> None:
        self._leds: set[int] = set()
        self._places: set[tuple[float, float]] = set()

    def claim(self, section: Section, place: Place, name: str) -> None:
        """Take the LED and the place of the hole *name*; `KitError` if another hole has one of them."""
        if place.led in self._leds:
            raise section.refusal("leds", f"LED {place.led} lights another hole already; choose another")
        if place.at in self._places:
            raise section.refusal("from", f"{name} would lie on another hole; move it")
        self._leds.add(place.led)
        self._places.add(place.at)


def _read_holes(track: Section, board: Board, strip: Lights, taken: _Taken, laps: int) -> tuple[Place, ...]:
    holes: dict[int, Place] = {}
    last = (HOLES - 1) // laps + 1
    for section in track.sections("segments"):
        for place in _read_segment(section, board, strip, last):
            if place.hole in holes:
                why = f"hole {place.hole} is on this track already; give each hole once"
                raise section.refusal("holes", why)
            taken.claim(section, place, f"hole {place.hole}")
            holes[place.hole] = place
    if missing := set(range(1, last + 1)) - holes.keys():
        short = f", or of 1 to {_SHORT} with laps = 2 in [board]" if max(holes) == _SHORT else ""
        why = f"hole {min(missing)} is missing from the segments; a track has all of 1 to {last}{short}"
        raise track.refusal("segments", why)
    if laps > 1 and 0 not in holes:
        why = "a board that goes round twice needs its start lit: give it an LED"
        raise track.refusal("segments", f"hole 0 is missing from the segments; {why}")
    return tuple(holes[hole] for hole in sorted(holes))


def _read_games(
    track: Section, sides: tuple[int, ...], board: Board, strip: Lights, taken: _Taken
) -> tuple[GamesRow, ...]:
    """Return the rows for games won: none, one for each side of the track, or one that sides share."""
    rows: list[GamesRow] = []
    for section in track.sections_if_any("games"):
        pegging = section.integers("sides", SIDES[0], SIDES[-1])
        for index, side in enumerate(pegging):
            if side not in sides:
                why = f"side {side} pegs on another track; give it its games there"
                raise section.refusal("sides", why, index=index)
            if side in pegging[:index] or any(side in row.sides for row in rows):
                why = f"side {side} has games already; give it one row"
                raise section.refusal("sides", why, index=index)
        if isinstance(strip, Panel):
            row = GamesRow(pegging, _read_cells(section, strip, 1))
        else:
            first, last = section.integers("leds", 0, strip.leds - 1, length=2)
            row = GamesRow(pegging, _read_run(section, board, 1, first, last))
        for place in row.holes:
            taken.claim(section, place, f"games hole {place.hole}")
        rows.append(row)
    return tuple(rows)


def _read_segment(section: Section, board: Board, strip: Lights, game_hole: int) -> tuple[Place, ...]:
    """Return the places of one straight run of a track's holes."""
    first, last = section.integers("holes", 0, game_hole, length=2)
    if last < first:
        raise section.refusal("holes", "name the lower hole first; leds, from and to may run backward")
    count = last - first + 1
    if isinstance(strip, Panel):
        places = _read_cells(section, strip, first)
        if len(places) != count:
            raise section.refusal("cells", f"{count} holes need {count} cells, one for each")
        return places
    led, last_led = section.integers("leds", 0, strip.leds - 1, length=2)
    if abs(last_led - led) + 1 != count:
        raise section.refusal("leds", f"{count} holes need {count} LEDs, one for each")
    return _read_run(section, board, first, led, last_led)


def _read_cells(section: Section, panel: Panel, first: int) -> tuple[Place, ...]:
    """Return the places from hole *first* along a row or a column of *panel*."""
    (column, row), (last_column, last_row) = section.cells("cells", panel.columns, panel.rows)
    section.finish()
    across, down = last_column - column, last_row - row
    if across and down:
        raise section.refusal("cells", "both must lie in one row or in one column; use a segment for each")
    steps = max(abs(across), abs(down))
    cells = ((column + step * _sign(across), row + step * _sign(down)) for step in range(steps + 1))
    return tuple(
        Place(hole, panel.led(cell), *panel.at(cell)) for hole, cell in enumerate(cells, start=first)
    )


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _read_run(section: Section, board: Board, first: int, led: int, last_led: int) -> tuple[Place, ...]:
    """Return the places of a straight run from hole *first*, evenly spaced, the LEDs counting up or down."""
    x, y = section.point("from", board.width, board.height)
    end_x, end_y = section.point("to", board.width, board.height)
    section.finish()
    steps = abs(last_led - led)
    way = 1 if last_led >= led else -1

    def place(step: int) -> Place:
        share = step / max(steps, 1)
        at = round(x + (end_x - x) * share, 2), round(y + (end_y - y) * share, 2)
        return Place(first + step, led + way * step, *at)

    return tuple(map(place, range(steps + 1)))
