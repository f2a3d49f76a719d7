"""Fill in a journal's missing summaries, of games from earlier versions and of imported games."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from cribpi.companion.journal.journal import Journal
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.results.statistics import BEGINNING, summary_of

_LOG: Final = logging.getLogger(__name__)

AT_ONCE: Final = 20
"""Number of games per transaction. A Zero 2 W replays them in a second or two."""


def fill_in(journal: Journal, goes_on: Callable[[int, int], bool] = lambda _done, _games: True) -> None:
    """Summarize each game in *journal* that lacks a summary, except the current game.

    *goes_on* receives the numbers of games done and to do, and returns whether to continue. After an
    interruption, even a kill, the next call continues. This stops if a write fails: a game without a summary
    is replayed on request.

    Raises:
        JournalTrouble: If the table of games can't be read.
    """
    lacking = journal.lacking_summaries(BEGINNING)
    for done in range(0, len(lacking), AT_ONCE):
        if not goes_on(done, len(lacking)):
            return
        summaries = {}
        for last in lacking[done : done + AT_ONCE]:
            try:
                summaries[last] = summary_of(fold(journal.game_to(last))).text()
            except Exception as bad:  # noqa: BLE001  a game that can't be replayed must not prevent playing
                _LOG.warning("the game that ends with step %d is not summarized: %s", last, bad)
        if not journal.keep_summaries(summaries):
            return
