"""The thread that makes the summaries that a journal lacks: of games just won, imported, or of old journals.

It works beside the companion, a few games at a time with rests between, so that no press waits; only the
writing is done by the loop.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from cribpi.storage.journal import Journal, JournalTrouble
from cribpi.storage.past_games import KeptGames, ask_of_games
from cribpi.storage.summaries import Summaries, summarize

AT_ONCE: Final = 10
"""Games summarized between two rests, and kept in one transaction."""

REST: Final = 4.0
"""The thread rests this many times as long as it has worked."""


class LateSummaries:
    """The thread, which waits until it is woken.

    Args:
        journal: Where they are kept; its thread is that of *call*.
        call: Schedules a function on the loop's thread.
    """

    def __init__(self, journal: Journal, call: Callable[[Callable[[], None]], None]) -> None:
        self._journal = journal
        self._call = call
        self._wanted = threading.Event()
        self._stop = threading.Event()
        self._written = threading.Event()
        self._thread = threading.Thread(target=self._run, name="late summaries", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop; whoever asks next resumes."""
        self._stop.set()
        self._wanted.set()
        self._written.set()
        if self._thread.ident is not None:
            self._thread.join()

    def join(self, timeout: float) -> None:
        """Wait so many seconds at most for its end."""
        self._thread.join(timeout)

    def wake(self) -> None:
        """Make what is lacking now."""
        self._wanted.set()

    def keep(self, made: dict[int, str]) -> None:
        """Have the loop keep summaries that somebody else has *made*."""
        if made:
            self._call(lambda: self._journal.keep_summaries(made))

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self._stop.is_set():
                return
            with suppress(sqlite3.Error, OSError, JournalTrouble):  # whoever asks next tries again
                self._make_all()

    def _make_all(self) -> None:
        lacking = ask_of_games(self._journal.path.parent, _lacking, is_checked=False)
        while lacking and not self._stop.is_set():
            began = time.monotonic()
            found = summarize(self._journal.path, lacking[-AT_ONCE:])
            del lacking[-AT_ONCE:]
            self._written.clear()
            if self._stop.is_set():  # `stop` may have set it before the clear
                return
            self._call(lambda found=found: self._write(found))  # type: ignore[misc]
            self._written.wait()
            self._stop.wait((time.monotonic() - began) * REST)

    def _write(self, found: dict[int, str]) -> None:
        try:
            self._journal.keep_summaries(found)
        finally:
            self._written.set()


def _lacking(games: KeptGames) -> list[int]:
    found = Summaries(games, most=0)
    for _ in found.finished():
        pass
    return [*found.lacking, *found.made]
