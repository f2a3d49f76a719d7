"""Screens after a game: the winner and the margin, statistics, and the results of the match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from cribpi.companion.entry.input_state import EndMatch, GameSums, MatchSoFar
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.views.screen.canvas import CELL, COLUMNS, WIDTH, fit
from cribpi.companion.views.screen.layouts.scores import bar_of_scores, scores, small_scores
from cribpi.companion.views.screen.sheet import KEYS_RIGHT, ROWS, TITLE, Sheet
from cribpi.companion.views.screen.wording import fitted, labels, large, paired
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.results.statistics import Statistics
from cribpi.cribbage.rules.grammar import verb_of

_MIDDLE: Final = WIDTH // 2
_HEAD: Final = 11
"""The top in px of the names in a table; the values are below them."""
_SKUNKS: Final = ("", "SKUNK", "DOUBLE SKUNK")
"""Words for the values of `State.skunk`: 0, 1 and 2."""


def games(state: State) -> str:
    """Format the games won per side, such as "2-1"; "" before the first."""
    return "-".join(map(str, state.games)) if any(state.games) else ""


def games_won(state: State) -> str:
    return f"games {games(state)}" if games(state) else ""


# --- a game -------------------------------------------------------------------------------------------


def game_over(
    sheet: Sheet, state: State, winner: int, *, may_undo: bool, following: Pairing | None = None
) -> None:
    """Write the winner's name as large as it fits, and the margin over each other side.

    On a club night, the next pairing (*following*) replaces the games won.
    """
    scores(sheet, state)
    template = "{name} " + verb_of(state.spoken_side(winner), "wins").upper()
    _write_large(sheet, ROWS[0], template, state.side_name(winner))
    losers = [side for side in range(state.sides) if side != winner]
    lost = [(state.to_go(side), _SKUNKS[state.skunk(side)]) for side in losers]
    points, skunk = lost[0]
    won = games_won(state)
    won_by = f"by {points}, {won}"
    is_two = len(losers) == 1
    if state.phase is Phase.MATCH_OVER:
        first, *others = state.match_winners
        template = "AND THE MATCH" if first == winner else "MATCH TO {name}"
        _write_large(sheet, ROWS[2], "MATCH DRAWN" if others else template, state.side_name(first))
        if is_two:
            won = f"{skunk.lower()}, {games(state)}" if skunk else won_by
    elif is_two:
        _write_large(sheet, ROWS[2], f"{skunk}!" if skunk else f"BY {points}")
        won = won_by if skunk else won
    else:
        for row, (side, (points, skunk)) in enumerate(zip(losers, lost, strict=True), start=2):
            template = f"{{name}} -{points} {skunk.lower()}".rstrip()
            sheet.row(row, fitted(template, name=state.side_name(side)), x=_MIDDLE, align="centre")
    if following is not None:
        first_name, second_name = following.players
        won = paired("next: {name} - {other}", first_name, second_name)
    sheet.row(4, won, x=_MIDDLE, align="centre")
    looks_back = "DOWN" if sheet.stick else "FLNB"
    sheet.keys("OK", looks_back, *([("UNDO", "")] if may_undo else []), gap=3)


def _write_large(sheet: Sheet, y: int, template: str, name: str = "") -> None:
    sheet.medium(_MIDDLE, y, large(template, name), align="centre")


def game_sums(sheet: Sheet, state: State, _: GameSums) -> None:
    """Show a column per side: its points from pegging, hands and cribs, and its best hand or crib."""
    best = [
        max((show.points for show in state.shows if show.side == side), default=0)
        for side in range(state.sides)
    ]
    columns = [
        (gains.pegging + gains.heels, gains.hands, gains.cribs, best[side])
        for side, gains in enumerate(state.gains)
    ]
    _write_table(sheet, state, "", ("pegging", "hands", "cribs", "best"), columns)
    sheet.keys("OK")


def attract(sheet: Sheet, state: State, player: Statistics) -> None:
    """Show the statistics of *player* over all games, instead of the idle screen."""
    if state.pegs:
        small_scores(sheet, state)
    sheet.title(fit(player.name.upper(), COLUMNS), TITLE - 8)
    deals = player.dealer + player.pone
    lines = [f"{player.games} {'game' if player.games == 1 else 'games'}, won {player.wins}"]
    if deals.average is not None:
        lines.append(f"{deals.average:.1f} points a deal")
    if player.best:
        lines.append(f"best hand {player.best[0][1].points}")
    if player.skunks:
        lines.append(f"skunked others: {player.skunks}")
    sheet.lines(lines, x=_MIDDLE, y=TITLE + 4, align="centre")
    sheet.keys("OK")


# --- the match ----------------------------------------------------------------------------------------


def match_so_far(sheet: Sheet, state: State, _: MatchSoFar) -> None:
    """Show a column per side with games, points, skunks and spread in the match; the winner's name is lit."""
    _write_match(sheet, state, ("MATCH", "WON BY", "DRAWN")[min(len(state.match_winners), 2)])
    sheet.keys("OK")
    rules, length = state.rules, ""
    if rules.games_in_match is not None:
        length = f"best of {rules.games_in_match}"
    elif rules.games_to_win is not None:
        length = f"first to {rules.games_to_win}"
    if state.phase is not Phase.MATCH_OVER:
        sheet.small(KEYS_RIGHT, ROWS[-1], length, align="right")


def end_match(sheet: Sheet, state: State, _: EndMatch) -> None:
    """Ask whether to end the match for a new game, and show each side's results in the match."""
    _write_match(sheet, state, "END?")
    sheet.keys_apart("OK", "UNDO")


def _write_match(sheet: Sheet, state: State, heading: str) -> None:
    columns = [(tally.games, tally.points, tally.skunks, f"{tally.spread:+d}") for tally in state.tally_now]
    _write_table(sheet, state, heading, ("games", "points", "skunks", "spread"), columns, state.match_winners)


def _write_table(
    sheet: Sheet,
    state: State,
    heading: str,
    rows: Sequence[str],
    columns: Sequence[Sequence[object]],
    winners: Collection[int] = (),
) -> None:
    """Write a table: labels at the left, and a column of values per side; *winners* have lit names."""
    bar_of_scores(sheet, state)
    left = max(map(len, rows)) * CELL
    pitch = (WIDTH - left) // state.sides
    names = labels([side.name for side in sheet.view.sides], [pitch // CELL - 1] * state.sides)
    sheet.small(1, _HEAD, heading)
    sheet.lines(rows, y=_HEAD + 10)
    for side, (name, values) in enumerate(zip(names, columns, strict=True)):
        right = left + (side + 1) * pitch - 1
        sheet.small(right, _HEAD, name, align="right")
        if side in winners:
            width = len(name) * CELL + 1
            sheet.invert(right - width, _HEAD - 1, width + 1, 9)
        sheet.lines(map(str, values), x=right, y=_HEAD + 10, align="right")
