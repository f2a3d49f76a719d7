"""What the computer remembers of a person across games: the play of the last ones, out of the journal."""

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
"""The games for two that are remembered, some ninety deals."""

MOST_READ: Final = 40
"""The finished games that are looked through for them: some have no cards, some more players."""

_LOG: Final = logging.getLogger(__name__)


def remembered(folder: Path, name: str) -> tuple[PlayedDeal, ...]:
    """Return the play of the last games of the person *name*, as if that person had always had seat 0.

    It is empty for a name that nobody gave, as ORANGE or You, and if the journal can't be read: the log says
    why.
    """
    if not is_given(name):
        return ()

    def found(games: KeptGames) -> tuple[PlayedDeal, ...]:
        newest_first = list(_played(games, name))
        return tuple(deal for deals in reversed(newest_first) for deal in deals)

    try:
        return read_games(folder, found, is_checked=False)
    except JournalTrouble as bad:
        _LOG.warning("the computer does not know %s's earlier games: %s", name, bad)
        return ()


def _played(games: KeptGames, name: str) -> Iterator[tuple[PlayedDeal, ...]]:
    kept = 0
    for game, _ in zip(games.of_person(name), range(MOST_READ), strict=False):
        deals, rules = game.state.played_deals, game.state.rules
        if rules.players == 2 and not rules.is_five_card and deals:
            yield deals if game.seat == 0 else tuple(deal.with_seats_swapped() for deal in deals)
            kept += 1
            if kept == GAMES:
                return
