"""`cribpi stats`: print statistics of the players in a journal. A running companion does not prevent it."""

from __future__ import annotations

import sqlite3
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from cribpi.commands.streams import print_error, show
from cribpi.companion.history.fill import fill_in
from cribpi.companion.history.past_games import read_games
from cribpi.companion.journal.journal import Journal, JournalTrouble, StateFolder
from cribpi.companion.run.config import state_folder
from cribpi.companion.web.json.results import by_purpose, player_json, players_json
from cribpi.cribbage.results.games import AVERAGE_DEAL
from cribpi.cribbage.results.statistics import InRole, Statistics, display_name, statistics
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import amount, shown

MANY: Final = 300
"""Print a message if more games than this must be summarized first, which takes seconds."""

_ROLES: Final = ("as dealer", "as non-dealer")
_PARTS: Final = {"hands": "hand", "cribs": "crib"} | {
    what: what for what in ("pegging", "heels", "muggins", "other")
}
"""Printed label of each source of points, by its stored name and in output order."""

NAMED: Final = 8
"""Maximum number of player names in an error message."""


def run(options: Namespace) -> None:
    """Print the statistics of all players, one per line, or of one player in full.

    Games without a summary are summarized first, unless a companion is running.

    Raises:
        UserError: If the journal is missing or unreadable, or has no finished game of the named player. A
            damaged journal raises it too, but only after the undamaged games are printed.
    """
    folder = options.state or state_folder()
    lacking, damage = read_games(folder, lambda games: (games.lacking(), games.damage))
    if lacking > MANY:
        print_error(f"cribpi stats: summarizing {amount(lacking, 'game')}, once: this takes a while")
    if lacking and not damage:
        _fill_in(folder)
    players, damage = read_games(folder, lambda games: (statistics(games.finished()), games.damage))
    names = {name: display_name(name, players) for name in players}
    match = next((name for name in names if options.name in {name, names[name]}), None)
    if options.name is None:
        show(_lines(_renamed(players, names)), players_json(players), is_json=options.json)
    elif match is not None:
        player = _renamed({match: players[match]}, names)[names[match]]
        show(_in_full(player), player_json(players[match], players), is_json=options.json)
    else:
        raise UserError(f"no finished game of {shown(options.name)}: {_who(_renamed(players, names))}")
    if damage:
        raise UserError(f"the journal is damaged ({damage}): only the undamaged games are counted")


def _fill_in(folder: Path) -> None:
    """Save missing summaries. Do nothing if a companion is running. A failed write is ignored."""
    with (
        suppress(JournalTrouble, OSError, sqlite3.Error),
        closing(StateFolder(folder)) as locked,
        closing(Journal(folder / "journal.db", locked.hold_again)) as journal,
    ):
        fill_in(journal)


def _renamed(players: Mapping[str, Statistics], names: Mapping[str, str]) -> dict[str, Statistics]:
    return {
        names[name]: replace(
            one, name=names[name], against={names[other]: row for other, row in one.against.items()}
        )
        for name, one in players.items()
    }


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
        if one.dealer.deals:
            rows.append(f"{_all(one.dealer)} a deal as dealer, {_all(one.pone)} as non-dealer")
        yield f"{one.name:<{wide}}  {'; '.join(rows)}"


def _skunks(one: Statistics) -> Iterator[str]:
    for what, number in (("skunked others", one.skunks), ("was skunked", one.skunked)):
        if number:
            yield f"{what} {'once' if number == 1 else f'{number} times'}"


def _all(role: InRole) -> str:
    return "-" if role.average is None else f"{role.average:.1f}"


def _in_full(one: Statistics) -> Iterator[str]:
    won = f"{one.wins} won ({100 * one.wins / one.games:.0f} %)"
    yield "; ".join([f"{one.name}: {amount(one.games, 'game')}, {won}", *_skunks(one)])
    row = f"{'won' if one.streak > 0 else 'lost'} the last {abs(one.streak)}"
    yield f"{'streak':<13}  {row}; longest: {one.longest_wins} won, {one.longest_losses} lost"
    for role, title, usual in zip((one.dealer, one.pone), _ROLES, AVERAGE_DEAL, strict=True):
        yield from _role(f"{title:<13}", role, f" (usual {usual:.1f})")
    for role, title in zip(one.five_card, _ROLES, strict=True):
        yield from _role(f"{title}, five-card", role)
    for place, (game, best) in enumerate(one.best):
        cards = f": {best.cards}" if best.cards else ""
        starter = f" | {best.starter}" if best.starter else ""
        what = f"{best.points}, {'crib' if best.is_crib else 'hand'}{cards}{starter}"
        yield f"{'' if place else 'best':<13}  {what}; game {game}, deal {best.deal}"
    for place, (name, row_of) in enumerate(sorted(one.against.items(), key=lambda each: -each[1].games)):
        games = f"{amount(row_of.games, 'game')}, {row_of.wins} won"
        spread = f"{row_of.spread:+} {'point' if abs(row_of.spread) == 1 else 'points'}"
        yield f"{'' if place else 'against':<13}  {name}: {games}, {spread}"


def _role(title: str, role: InRole, usual: str = "") -> Iterator[str]:
    """Yield a line with the average points per deal in *role*, or no line without deals."""
    if role.deals:
        gains = by_purpose(role.gains)
        averages = dict(zip(gains, role.averages(list(gains.values())), strict=True))
        each = ", ".join(f"{word} {averages[what]:.1f}" for what, word in _PARTS.items() if gains[what])
        yield f"{title}  {_all(role)} a deal{usual}: {each}; {amount(role.deals, 'deal')}"
