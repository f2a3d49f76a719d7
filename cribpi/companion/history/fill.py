"""Missing summaries of a journal, made in one go: those of earlier versions' games and of imported ones."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from cribpi.companion.journal.journal import Journal
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.results.statistics import BEGINNING, summary_of

_LOG: Final = logging.getLogger(__name__)

AT_ONCE: Final = 20
"""Games per transaction: a Zero 2 W replays them in a second or two."""


def fill_in(journal: Journal, goes_on: Callable[[int, int], bool] = lambda _done, _games: True) -> None:
    """Summarize the games in *journal* that lack a summary, except the current one.

    *goes_on* receives the number of finished games and of all; it returns whether to continue. After an
    interruption, also by a kill, the next call resumes. If a write fails, this stops: a game without a
    summary is replayed when it is requested.

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
            except Exception as bad:  # noqa: BLE001  a past game, damaged or not, must not prevent playing
                _LOG.warning("the game that ends with step %d is not summarized: %s", last, bad)
        if not journal.keep_summaries(summaries):
            return
