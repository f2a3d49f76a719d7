"""`cribpi stats`: what players have done in the games of a journal, even while a companion runs."""

from __future__ import annotations

import json
import sqlite3
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cribpi.commands import streams
from cribpi.companion.history.past_games import KeptGames, read_games
from cribpi.companion.history.summaries import Summaries, summarize
from cribpi.companion.journal.journal import Journal, JournalTrouble, StateFolder
from cribpi.companion.run.config import state_folder
from cribpi.companion.web.json.statistics import player_json, players_json
from cribpi.cribbage.results.games import AVERAGE_DEAL
from cribpi.cribbage.results.statistics import BestShow, InRole, Statistics, statistics
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import amount, shown

MANY: Final = 300
"""So many games without a summary take seconds, so that something is said."""

AT_ONCE: Final = 200
"""Summaries made before they are kept."""

NAMED: Final = 8
"""How many names an error lists."""


@dataclass(frozen=True, slots=True)
class Stats:
    """The output, and a sentence about damage to the journal, if any."""

    text: str
    damage: str | None


@dataclass(frozen=True, slots=True)
class _Found:
    players: dict[str, Statistics]
    lacking: list[int]
    damage: str


def run(options: Namespace) -> int:
    """Print the statistics of all players, or of one.

    Raises:
        UserError: As `stats`; or if the journal is damaged, after what is undamaged was printed.
    """
    found = stats(
        options.state,
        options.name,
        is_json=options.json,
        say=lambda line: streams.print_error(f"cribpi stats: {line}"),
    )
    sys.stdout.write(found.text)
    if found.damage:
        raise UserError(found.damage)
    return 0


def stats(folder: Path | None, name: str | None, *, is_json: bool, say: Callable[[str], None]) -> Stats:
    """Return the statistics of all players in *folder* or the default one, a line each, or all of *name*.

    Games that have no summary yet are summarized first, and *say* is told if that takes its time.

    Raises:
        UserError: If the journal is missing or unreadable, or has no finished game by that name.
    """
    used = folder or state_folder()
    try:
        found = read_games(used, lambda games: _read(games, most=0))
        if found.lacking:
            if len(found.lacking) > MANY:
                say(f"summarizing {amount(len(found.lacking), 'game')}, once: this takes a while")
            if not found.damage:
                _keep(used, found.lacking)
            found = read_games(used, lambda games: _read(games, most=None))
    except JournalTrouble as bad:
        raise UserError(str(bad)) from None
    damage = (
        f"the journal is damaged ({found.damage}): only what is undamaged is counted"
        if found.damage
        else None
    )
    if name is None:
        text = json.dumps(players_json(found.players, 0)) if is_json else "\n".join(_lines(found.players))
    elif name in found.players:
        one = found.players[name]
        text = json.dumps(player_json(one, 0)) if is_json else "\n".join(_in_full(one))
    else:
        raise UserError(f"no finished game of {shown(name)}: {_who(found.players)}")
    return Stats(f"{text}\n", damage)


def _read(games: KeptGames, most: int | None) -> _Found:
    summaries = Summaries(games, most)
    players = statistics(summaries.finished())
    return _Found(players, summaries.lacking, games.damage)


def _keep(folder: Path, lacking: list[int]) -> None:
    """Make and keep the summaries that are lacking, unless a companion runs or the disk refuses."""
    path = folder / "journal.db"
    with (
        suppress(JournalTrouble, OSError, sqlite3.Error),
        closing(StateFolder(folder)) as held,
        closing(Journal(path, held.hold_again)) as journal,
    ):
        for first in range(0, len(lacking), AT_ONCE):
            journal.keep_summaries(summarize(path, lacking[first : first + AT_ONCE]))


def _who(players: dict[str, Statistics]) -> str:
    if not players:
        return "no game is finished yet"
    names = [one.name for one in _by_games(players)]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"the names are {', '.join(map(shown, names[:NAMED]))}{more}"


def _by_games(players: dict[str, Statistics]) -> list[Statistics]:
    return sorted(players.values(), key=lambda one: (-one.games, one.name))


def _lines(players: dict[str, Statistics]) -> Iterator[str]:
    if not players:
        yield "no game is finished yet"
        return
    wide = max(len(name) for name in players)
    for one in _by_games(players):
        rows = [f"{amount(one.games, 'game')}, {one.wins} won", *_skunks(one)]
        rows += [f"{_all(one.dealer)} a deal as dealer, {_all(one.pone)} as pone"] * bool(one.dealer.deals)
        yield f"{one.name:<{wide}}  {'; '.join(rows)}"


def _skunks(one: Statistics) -> Iterator[str]:
    if one.skunks:
        yield f"skunked others {_times(one.skunks)}"
    if one.skunked:
        yield f"was skunked {_times(one.skunked)}"


def _times(number: int) -> str:
    """Say how often.

    >>> _times(1), _times(3)
    ('once', '3 times')
    """
    return "once" if number == 1 else f"{number} times"


def _all(role: InRole) -> str:
    return "-" if role.average is None else f"{role.average:.1f}"


def _in_full(one: Statistics) -> Iterator[str]:
    won = f"{one.wins} won ({100 * one.wins / one.games:.0f} %)"
    yield "; ".join([f"{one.name}: {amount(one.games, 'game')}, {won}", *_skunks(one)])
    row = f"{'won' if one.streak > 0 else 'lost'} the last {abs(one.streak)}"
    yield f"streak     {row}; longest: {one.longest_wins} won, {one.longest_losses} lost"
    roles = zip(("as dealer", "as pone"), (one.dealer, one.pone), AVERAGE_DEAL, strict=True)
    for title, role, usual in roles:
        if role.deals:
            gains = role.gains
            parts = [
                ("hand", gains.hands),
                ("crib", gains.cribs),
                ("pegging", gains.pegging),
                ("heels", gains.heels),
                ("muggins", gains.muggins),
                ("other", gains.penalties + gains.corrections),
            ]
            averages = role.averages([points for _, points in parts])
            each = ", ".join(
                f"{what} {average:.1f}"
                for (what, points), average in zip(parts, averages, strict=True)
                if points
            )
            deals = amount(role.deals, "deal")
            yield f"{title:<9}  {_all(role)} a deal (usual {usual:.1f}): {each}; {deals}"
    for place, (game, show) in enumerate(one.best):
        yield f"{'' if place else 'best':<9}  {_shown(show)}; game {game}, deal {show.deal}"
    for place, (name, row_of) in enumerate(sorted(one.against.items(), key=lambda each: -each[1].games)):
        games = f"{amount(row_of.games, 'game')}, {row_of.wins} won"
        spread = f"{row_of.spread:+} point{'s' * (abs(row_of.spread) != 1)}"
        yield f"{'' if place else 'against':<9}  {name}: {games}, {spread}"


def _shown(show: BestShow) -> str:
    what = "crib" if show.is_crib else "hand"
    cards = f": {show.cards}" if show.cards else ""
    return f"{show.points}, {what}{cards}{f' | {show.starter}' if show.starter else ''}"
