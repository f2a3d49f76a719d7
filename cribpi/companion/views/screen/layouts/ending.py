"""Screens of the end: who has won a game and by how much, and what each side has won in the match."""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry.desk import EndMatch, GameSums, MatchSoFar
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.views.screen import texts
from cribpi.companion.views.screen.canvas import CELL, COLUMNS, SMALL, WIDTH, fit
from cribpi.companion.views.screen.layouts.scores import bar_of_scores, scores, small_scores
from cribpi.companion.views.screen.sheet import KEYS_RIGHT, ROWS, TITLE, Sheet
from cribpi.companion.views.screen.wording import fitted, labels, large, paired
from cribpi.cribbage.game.state import Phase, State, side_name, side_names
from cribpi.cribbage.results.statistics import Statistics
from cribpi.cribbage.rules.seats import partners

_MIDDLE: Final = WIDTH // 2
_LABEL: Final = 6
"""Cells of the words at the left of the table."""
_SUM_LABEL: Final = 7
"""The same for a game."""
_HEAD: Final = 11
"""The top of the names, in px; what they have won stands below."""


def games(state: State) -> str:
    """Write the games won, a side each; an empty text before the first."""
    return "-".join(map(str, state.games)) if any(state.games) else ""


def games_won(state: State) -> str:
    """Say how many games each side has won; an empty text before the first."""
    return texts.GAMES.format(games=games(state)) if games(state) else ""


# --- a game -------------------------------------------------------------------------------------------


def game_over(
    sheet: Sheet, state: State, winner: int, *, may_undo: bool, following: Pairing | None = None
) -> None:
    """Name the winner as large as the name fits, and by how much each of the others was beaten.

    On a club's night, whom its desk wants here next is named small, in place of the games won.
    """
    scores(sheet, state)
    template = texts.WINS if len(partners(winner, state.players)) == 1 else texts.WIN
    _write_large(sheet, ROWS[0], template, side_name(state, winner))
    losers = [side for side in range(state.sides) if side != winner]
    points, skunk = _margin(state, losers[0]), texts.SKUNKS[state.skunk(losers[0])]
    won = games_won(state)
    won_by = texts.BY_SMALL.format(points=points, games=won)
    is_two = len(losers) == 1
    if state.phase is Phase.MATCH_OVER:
        _write_match_won(sheet, state)
        if is_two and skunk:
            won = texts.BY_SKUNK.format(skunk=skunk.lower(), games=games(state))
        elif is_two:
            won = won_by
    elif is_two:
        _write_large(sheet, ROWS[2], f"{skunk}!" if skunk else texts.BY.format(points=points))
        won = won_by if skunk else won
    else:
        for row, side in enumerate(losers, start=2):
            margin, suffered = _margin(state, side), texts.SKUNKS[state.skunk(side)].lower()
            text = fitted(texts.LOSES, name=side_name(state, side), points=margin, skunk=suffered)
            sheet.row(row, text.rstrip(), x=_MIDDLE, align="centre")
    if following is not None:
        first, second = following.players
        won = paired(texts.FOLLOWED_BY, first, second)
    sheet.row(4, won, x=_MIDDLE, align="centre")
    looks_back = "DOWN" if sheet.stick else "FLNB"
    sheet.keys("OK", looks_back, *[("UNDO", "")] * may_undo, gap=3)


def game_sums(sheet: Sheet, state: State, _: GameSums) -> None:
    """Show what each side got from what, and its best hand or crib, a column a side."""
    bar_of_scores(sheet, state)
    pitch = (WIDTH - _SUM_LABEL * CELL) // state.sides
    names = labels(side_names(state), [pitch // CELL - 1] * state.sides)
    sheet.lines((*texts.SUMS, texts.BEST), y=_HEAD + 10)
    for side, name in enumerate(names):
        right = _SUM_LABEL * CELL + (side + 1) * pitch - 1
        sheet.small(right, _HEAD, name, align="right")
        gains = state.gains[side]
        best = max((show.points for show in state.shows if show.side == side), default=0)
        values = (gains.pegging + gains.heels, gains.hands, gains.cribs, best)
        sheet.lines(map(str, values), x=right, y=_HEAD + 10, align="right")
    sheet.keys("OK")


def attract(sheet: Sheet, state: State, player: Statistics) -> None:
    """Tell what *player* has done in all games, while nobody plays."""
    if state.pegs:
        small_scores(sheet, state)
    sheet.title(fit(player.name.upper(), COLUMNS), TITLE - 8)
    deals = player.dealer + player.pone
    played = texts.PLAYED_ONE if player.games == 1 else texts.PLAYED
    told = [played.format(number=player.games, sum=player.wins)]
    if deals.average is not None:
        told.append(texts.A_DEAL.format(points=f"{deals.average:.1f}"))
    if player.best:
        told.append(texts.BEST_HAND.format(points=player.best[0][1].points))
    if player.skunks:
        told.append(texts.SKUNKED.format(number=player.skunks))
    for row, line in enumerate(told):
        sheet.small(_MIDDLE, TITLE + 4 + row * SMALL.height, line, align="centre")
    sheet.keys("OK")


def _write_match_won(sheet: Sheet, state: State) -> None:
    """Name who has won the match, large."""
    first, *others = state.match_winners
    template = texts.AND_MATCH if first == state.winner else texts.MATCH_TO
    _write_large(sheet, ROWS[2], texts.MATCH_DRAWN if others else template, side_name(state, first))


def _write_large(sheet: Sheet, y: int, template: str, name: str = "") -> None:
    sheet.medium(_MIDDLE, y, large(template, name), align="centre")


def _margin(state: State, side: int) -> int:
    return state.rules.target - state.pegs[side].front


# --- the match ----------------------------------------------------------------------------------------


def match_so_far(sheet: Sheet, state: State, _: MatchSoFar) -> None:
    """Show games, points, skunks and spread, a column a side; the winner's name is lit."""
    winners = len(state.match_winners)
    _write_table(sheet, state, (texts.MATCH, texts.MATCH_WON, texts.MATCH_EQUAL)[min(winners, 2)])
    sheet.keys("OK")
    if state.phase is not Phase.MATCH_OVER:
        sheet.small(KEYS_RIGHT, ROWS[-1], _length_of(state), align="right")


def end_match(sheet: Sheet, state: State, _: EndMatch) -> None:
    """Ask whether a new game is to end the match, and show what each side has won in it."""
    _write_table(sheet, state, texts.END_MATCH)
    sheet.keys_apart("OK", "UNDO")


def _write_table(sheet: Sheet, state: State, heading: str) -> None:
    bar_of_scores(sheet, state)
    pitch = (WIDTH - _LABEL * CELL) // state.sides
    names = labels(side_names(state), [pitch // CELL - 1] * state.sides)
    sheet.small(1, _HEAD, heading)
    sheet.lines(texts.STANDING, y=_HEAD + 10)
    for side, (name, tally) in enumerate(zip(names, state.tally_now, strict=True)):
        right = _LABEL * CELL + (side + 1) * pitch - 1
        sheet.small(right, _HEAD, name, align="right")
        if side in state.match_winners:
            width = len(name) * CELL + 1
            sheet.plate(right - width, _HEAD - 1, width + 1, 9)
        values = (tally.games, tally.points, tally.skunks, f"{tally.spread:+d}")
        sheet.lines(map(str, values), x=right, y=_HEAD + 10, align="right")


def _length_of(state: State) -> str:
    """Say how long the match is; an empty text where it has no end."""
    rules = state.rules
    if rules.games_in_match is not None:
        return texts.BEST_OF.format(number=rules.games_in_match)
    return texts.FIRST_TO.format(number=rules.games_to_win) if rules.games_to_win is not None else ""
