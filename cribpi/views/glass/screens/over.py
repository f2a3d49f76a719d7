"""The screen of a game that is over: who has won, by how much, and whether it was a skunk."""

from __future__ import annotations

from typing import Final

from cribpi.core.seats import partners
from cribpi.core.state import Phase, State
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import WIDTH
from cribpi.views.glass.screens.scores import scores
from cribpi.views.glass.sheet import ROWS, Sheet
from cribpi.views.glass.wording import fitted, large, side_label

_MIDDLE: Final = WIDTH // 2


def game_over(sheet: Sheet, state: State, winner: int, *, may_undo: bool) -> None:
    """Name the winner as large as the name fits, and by how much each of the others was beaten."""
    scores(sheet, state)
    name = side_label(state, winner).upper()
    template = texts.WINS if len(partners(winner, state.players)) == 1 else texts.WIN
    _write_large(sheet, ROWS[0], template, name)
    losers = [side for side in range(state.sides) if side != winner]
    games = texts.GAMES.format(games="-".join(map(str, state.games)))
    if state.phase is Phase.MATCH_OVER:
        _match_over(sheet, state, losers, games)
    elif len(losers) == 1:
        points, skunk = _margin(state, losers[0]), _skunk(state, losers[0])
        by = texts.BY.format(points=points)
        _write_large(sheet, ROWS[2], f"{skunk}!" if skunk else by, "")
        rest = texts.BY_SMALL.format(points=points, games=games) if skunk else games
        sheet.row(4, rest, x=_MIDDLE, align="centre")
    else:
        for row, side in enumerate(losers, start=2):
            points, skunk = _margin(state, side), _skunk(state, side).lower()
            text = fitted(texts.LOSES, name=side_label(state, side), points=points, skunk=skunk).rstrip()
            sheet.row(row, text, x=_MIDDLE, align="centre")
        sheet.row(4, games, x=_MIDDLE, align="centre")
    if may_undo:
        sheet.keys_apart("OK", ("UNDO", ""))
    else:
        sheet.keys("OK")


def _match_over(sheet: Sheet, state: State, losers: list[int], games: str) -> None:
    """Name who has won the match, large, and by how much the last game was won."""
    winners = state.match_winners
    if len(winners) == 1:
        template = texts.AND_MATCH if winners[0] == state.winner else texts.MATCH_TO
        _write_large(sheet, ROWS[2], template, side_label(state, winners[0]).upper())
    else:
        _write_large(sheet, ROWS[2], texts.MATCH_DRAWN, "")
    if len(losers) == 1:
        points, skunk = _margin(state, losers[0]), _skunk(state, losers[0]).lower()
        plain = texts.BY_SMALL.format(points=points, games=games)
        games = texts.BY_SKUNK.format(skunk=skunk, games="-".join(map(str, state.games))) if skunk else plain
    sheet.row(4, games, x=_MIDDLE, align="centre")


def _write_large(sheet: Sheet, y: int, template: str, name: str) -> None:
    sheet.medium(_MIDDLE, y, large(template, name), align="centre")


def _margin(state: State, side: int) -> int:
    return state.rules.target - state.pegs[side].front


def _skunk(state: State, side: int) -> str:
    """Return what *side* has suffered: a skunk, a double one, or neither."""
    score = state.pegs[side].front
    if score < state.rules.double_skunk_below:
        return texts.DOUBLE_SKUNK
    return texts.SKUNK if score < state.rules.skunk_below else ""
