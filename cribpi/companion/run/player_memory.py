"""A person's recent deals, read from the journal, so that the computer can model how that person plays."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cribpi.companion.entry.next_game import is_given
from cribpi.companion.history.past_games import KeptGames, read_games
from cribpi.companion.journal.journal import JournalTrouble
from cribpi.cribbage.game.deal import PlayedDeal

GAMES: Final = 10
"""Maximum number of two-player games to use, some ninety deals."""

MOST_READ: Final = 40
"""Maximum number of finished games to search: some have no cards, others more players."""

_LOG: Final = logging.getLogger(__name__)


def remembered(folder: Path, name: str) -> tuple[PlayedDeal, ...]:
    """Return the deals of the last games of the person *name*, oldest first, with that person in seat 0.

    The result is () for a default name, such as ORANGE or You, and if the journal can't be read (logged).
    """
    if not is_given(name):
        return ()

    def past_deals(games: KeptGames) -> tuple[PlayedDeal, ...]:
        newest_first = list(_played(games, name))
        return tuple(deal for deals in reversed(newest_first) for deal in deals)

    try:
        return read_games(folder, past_deals, is_checked=False)
    except JournalTrouble as bad:
        _LOG.warning("the computer does not know %s's earlier games: %s", name, bad)
        return ()


def _played(games: KeptGames, name: str) -> Iterator[tuple[PlayedDeal, ...]]:
    count = 0
    for game, _ in zip(games.of_person(name), range(MOST_READ), strict=False):
        deals, rules = game.state.played_deals, game.state.rules
        if rules.players == 2 and not rules.is_five_card and deals:
            yield deals if game.seat == 0 else tuple(deal.with_seats_swapped() for deal in deals)
            count += 1
            if count == GAMES:
                return
