"""The summaries that a journal lacks, made in one go: of games of earlier versions, and of imported ones."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from cribpi.companion.journal.journal import Journal
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.results.statistics import BEGINNING, summary_of

_LOG: Final = logging.getLogger(__name__)

AT_ONCE: Final = 20
"""Games that are written in one transaction: a Zero 2 W replays them in a second or two."""


def fill_in(journal: Journal, goes_on: Callable[[int, int], bool] = lambda _done, _games: True) -> None:
    """Summarize the games that lack a summary in *journal*, but for the one on the table.

    *goes_on* is called with how many are done, and how many there are; it returns whether to go on.  After
    that, or if the program is killed, the next call resumes.  If the disk refuses, nothing more is tried:
    whoever asks for a game has it replayed.

    Raises:
        JournalTrouble: If the table of games can't be read.
    """
    lacking = journal.lacking_summaries(BEGINNING)
    for done in range(0, len(lacking), AT_ONCE):
        if not goes_on(done, len(lacking)):
            return
        found = {}
        for last in lacking[done : done + AT_ONCE]:
            try:
                found[last] = summary_of(fold(journal.game_to(last))).text()
            except Exception as bad:  # noqa: BLE001  damaged or not, a game that was keeps nobody from playing
                _LOG.warning("the game that ends with step %d is not summarized: %s", last, bad)
        if not journal.keep_summaries(found):
            return
