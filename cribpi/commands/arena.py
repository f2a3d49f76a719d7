"""`cribpi arena`: two opponents play each other over mirrored deals; prints the result."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Final

from cribpi.commands import streams
from cribpi.commands.house import changes_of
from cribpi.companion.engines.sandbox import UNCONFINED
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import house_rules
from cribpi.cribbage.rules.shown import amount
from cribpi.workshop.arena.contest import Contest, Sums
from cribpi.workshop.arena.file import load, locked, save
from cribpi.workshop.arena.result import Contestant, Result, result
from cribpi.workshop.arena.run import logging_once, pieces, pieces_on, try_engines

STOPPED: Final = 130
"""The exit code after Ctrl-C."""

MOST_MET: Final = 100
"""The most games that they can have played before: all of their deals are weighed for each card."""

WIDTH: Final = 14
"""Columns of a contestant's figures, at least."""

LONGEST: Final = 24
"""The most characters of a name over them: of a longer one they are the last."""

BAR: Final = 30
"""Columns of the progress bar."""


def run(options: Namespace) -> int:
    """Play until there are as many games as asked for, including those of the file; print the result.

    Games are played in whole sets, so there may be one or two more.  Ctrl-C stops early and prints what there
    is.

    Raises:
        UserError: If a level or a rule is not known, an engine does not begin a game, the rules have no game
            for that many players, a number makes no sense, or the file cannot be used.
    """
    changes, jobs = changes_of(options.rule), options.jobs
    path = Path(options.out) if options.out else None
    if options.met and options.players != 2:
        raise UserError(f"--met {options.met}: for two players only, because expert reads just one opponent")
    if not 0 <= options.met <= MOST_MET:
        raise UserError(f"--met {options.met}: 0 to {MOST_MET} games")
    rules = house_rules(options.rules or "standard", options.players, changes)
    asked = Contest(options.a, options.b, rules, options.seed, options.met, options.trust_engines)
    if options.games < 1:
        raise UserError(f"--games {options.games}: play at least one")
    if options.workers is not None and jobs != 1:
        raise UserError("--jobs is for this machine, --workers for others: give one of the two")
    if not 1 <= jobs <= 64:
        raise UserError(f"--jobs {jobs}: 1 to 64 processes can play")
    if asked.trusts_engines:
        streams.print_error(f"cribpi arena: {UNCONFINED}")
    try_engines(asked)
    last = -(-options.games // asked.games_in_set)
    with locked(path) if path else nullcontext():
        sums = load(path, asked) if path else Sums()
        if path and not sums["sets"]:
            save(path, asked, sums)  # find out before the games whether the file can be written
        if options.workers is None:
            played = pieces(asked, sums["sets"], last, jobs)
        else:
            played = pieces_on(options.workers, asked, sums["sets"], last)
        is_stopped = _play(asked, sums, last, played, path)
    if sums["games"]:
        found = result(asked, sums)
        streams.show(described(found), _rounded(asdict(found)), is_json=options.json)
    if is_stopped:
        streams.print_error(f"cribpi arena: stopped after {amount(sums['games'], 'game')}")
    return STOPPED if is_stopped else 0


def _play(asked: Contest, sums: Sums, last: int, played: Iterator[Sums], path: Path | None) -> bool:
    """Add what is *played* to *sums*, and save these in *path*; return whether it was stopped."""
    progress = _Progress(asked, sums, last)
    try:
        with logging_once():
            for piece in played:
                with _not_interrupted():
                    sums.update(piece)
                    if path:
                        save(path, asked, sums)
                progress.show()
    except KeyboardInterrupt:
        return True
    finally:
        progress.clear()
    return False


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """Hold back Ctrl-C, so that the file agrees with what is printed, and has no half batch."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        # Ctrl-C is ignored, as in the background, or arrives in another thread.
        yield
        return
    is_asked: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: is_asked.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if is_asked:
        raise KeyboardInterrupt


# --- as text ----------------------------------------------------------------------------------------


def described(found: Result) -> Iterator[str]:
    """Yield the lines that describe a result."""
    a, b = found.a, found.b
    yield f"{a.name} against {b.name}: {found.rules}, {found.players} players, seed {found.seed}"
    sets = ("pair" if found.games == 2 * found.sets else "three") + "s" * (found.sets > 1)
    yield f"{amount(found.games, 'game')}, {found.deals:.1f} deals each, in {found.sets:,} mirrored {sets}"
    if found.met:
        yield f"they had played {amount(found.met, 'game')} before"
    yield ""
    fair = "; an equal player wins 33.3 % of games of three" if found.players == 3 else ""
    yield f"{a.name} won {_percent(a.rate)}{_sure(found.interval)}{fair}"
    if found.adjusted:
        rate = min(max(found.adjusted.rate, 0.0), 1.0)
        yield f"adjusted for luck: {_percent(rate)}{_sure(found.adjusted.interval)}"
    elif found.players == 3:
        yield "not adjusted for luck: chances of winning are known for two sides only"
    else:
        yield "not adjusted for luck: an earlier version played some of these games"
    yield f"the first dealer won {_percent(found.first_dealer)}"
    yield ""
    short = [name if len(name) <= LONGEST else f"...{name[3 - LONGEST :]}" for name in (a.name, b.name)]
    wide = max(WIDTH, *(len(name) + 2 for name in short))
    for title, *cells in (("", *short), *_rows(a, b)):
        yield f"{title:<22}" + "".join(f"{cell:>{wide}}" for cell in cells)


def _sure(interval: tuple[float, float] | None) -> str:
    return f" (95 %: {' to '.join(map(_percent, interval))})" if interval else ""


def _rows(*both: Contestant) -> Iterator[Iterable[str]]:
    """Yield the title of each row, and its cell for each contestant."""
    yield "games won", *(f"{one.wins:,}" for one in both)
    yield "won by, on average", *(_number(one.margin) for one in both)
    yield "skunks", *(f"{one.skunks:,}" for one in both)
    yield "double skunks", *(f"{one.double_skunks:,}" for one in both)
    for role, whats in (("dealer", "hand play crib heels total"), ("pone", "hand play total")):
        for what in whats.split():
            yield f"{role}, {what}", *(_number(getattr(getattr(one, role), what, None)) for one in both)
    yield "milliseconds: discard", *(_number(one.lay_away_ms) for one in both)
    yield "milliseconds: play", *(_number(one.play_ms) for one in both)
    if any(one.handed_over for one in both):
        yield "left to thrifty", *(amount(one.handed_over, "game") for one in both)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _rounded(data: object) -> object:
    """Return *data* for JSON, its numbers rounded to five decimals.

    >>> _rounded({"rate": 1 / 3, "ends": (0.123456789, 1)})
    {'rate': 0.33333, 'ends': [0.12346, 1]}
    """
    return json.loads(json.dumps(data), parse_float=lambda number: round(float(number), 5))


# --- progress ---------------------------------------------------------------------------------------


class _Progress:
    """A progress bar on stderr, if that is a terminal."""

    def __init__(self, asked: Contest, sums: Sums, last: int) -> None:
        self._asked, self._sums, self._last = asked, sums, last
        self._first, self._began = sums["sets"], time.monotonic()
        self.show()

    def show(self) -> None:
        sets, size = self._sums["sets"], self._asked.games_in_set
        full = BAR * sets // self._last
        line = f"[{'#' * full}{'.' * (BAR - full)}] {sets * size:,} of {self._last * size:,} games"
        if sets > self._first:
            seconds = (time.monotonic() - self._began) * (self._last - sets) / (sets - self._first)
            rate = _percent(self._sums["wins.a"] / self._sums["games"])
            line += f", {self._asked.a} {rate}, {_time(seconds)} left"
        self._draw(line)

    def clear(self) -> None:
        self._draw("")

    def _draw(self, line: str) -> None:
        if sys.stderr.isatty() and self._first < self._last:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def _time(seconds: float) -> str:
    """Abbreviate a time.

    >>> _time(4.2), _time(75), _time(9000)
    ('5 s', '2 min', '2.5 h')
    """
    if seconds < 60:
        return f"{int(seconds) + 1} s"
    if seconds < 3600:
        return f"{int(seconds / 60) + 1} min"
    return f"{seconds / 3600:.1f} h"
