"""`cribpi arena`: play two opponents against each other over mirrored deals, and print the result."""

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
from cribpi.workshop.arena.result import ArenaResult, Contestant, result
from cribpi.workshop.arena.run import logging_once, pieces, pieces_on, try_engines

STOPPED: Final = 130
"""The exit code after Ctrl-C."""

MOST_MET: Final = 100
"""Maximum of --met. It is small because each decision evaluates all earlier deals."""

WIDTH: Final = 14
"""Minimum width of a contestant's column."""

LONGEST: Final = 24
"""Maximum length of a name above a column. A longer name is cut to its end."""

BAR: Final = 30
"""Width of the progress bar in characters."""


def run(options: Namespace) -> int:
    """Play up to *options.games* games and print the result. Games already in the file count.

    Mirrored sets are completed, so there may be one or two games more. Ctrl-C stops early and prints the
    result so far.

    Raises:
        UserError: If a level, rule or number is invalid, an engine can't start a game, the rules don't allow
            that many players, or the file can't be used.
    """
    changes, jobs = changes_of(options.rule), options.jobs
    path = Path(options.out) if options.out else None
    if options.met and options.players != 2:
        raise UserError(f"--met {options.met}: for two players only, because expert reads just one opponent")
    if not 0 <= options.met <= MOST_MET:
        raise UserError(f"--met {options.met}: 0 to {MOST_MET} games")
    rules = house_rules(options.rules or "standard", options.players, changes)
    contest = Contest(options.a, options.b, rules, options.seed, options.met, options.trust_engines)
    if options.games < 1:
        raise UserError(f"--games {options.games}: play at least one")
    if options.workers is not None and jobs != 1:
        raise UserError("--jobs is for this machine, --workers for others: give one of the two")
    if not 1 <= jobs <= 64:
        raise UserError(f"--jobs {jobs}: 1 to 64 processes can play")
    if contest.trusts_engines:
        streams.print_error(f"cribpi arena: {UNCONFINED}")
    try_engines(contest)
    last = -(-options.games // contest.games_in_set)
    with locked(path) if path else nullcontext():
        sums = load(path, contest) if path else Sums()
        if path and not sums["sets"]:
            # Fail before the games, not after them, if the file can't be written.
            save(path, contest, sums)
        if options.workers is None:
            played = pieces(contest, sums["sets"], last, jobs)
        else:
            played = pieces_on(options.workers, contest, sums["sets"], last)
        is_stopped = _play(contest, sums, last, played, path)
    if sums["games"]:
        outcome = result(contest, sums)
        streams.show(described(outcome), _rounded(asdict(outcome)), is_json=options.json)
    if is_stopped:
        streams.print_error(f"cribpi arena: stopped after {amount(sums['games'], 'game')}")
    return STOPPED if is_stopped else 0


def _play(contest: Contest, sums: Sums, last: int, played: Iterator[Sums], path: Path | None) -> bool:
    """Add each batch of *played* to *sums*, and save the sums in *path*.

    Return True if Ctrl-C stopped the games.
    """
    progress = _Progress(contest, sums, last)
    try:
        with logging_once():
            for piece in played:
                with _not_interrupted():
                    sums.update(piece)
                    if path:
                        save(path, contest, sums)
                progress.show()
    except KeyboardInterrupt:
        return True
    finally:
        progress.clear()
    return False


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """Defer Ctrl-C to the end of the block.

    The file then has only complete batches, and matches the printed result.
    """
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


def described(result: ArenaResult) -> Iterator[str]:
    """Format *result* as lines of text."""
    a, b = result.a, result.b
    yield f"{a.name} against {b.name}: {result.rules}, {result.players} players, seed {result.seed}"
    kind = "pair" if result.games == 2 * result.sets else "three"
    sets = kind if result.sets == 1 else f"{kind}s"
    yield f"{amount(result.games, 'game')}, {result.deals:.1f} deals each, in {result.sets:,} mirrored {sets}"
    if result.met:
        yield f"they had played {amount(result.met, 'game')} before"
    yield ""
    fair = "; an equal player wins 33.3 % of games of three" if result.players == 3 else ""
    yield f"{a.name} won {_percent(a.rate)}{_sure(result.interval)}{fair}"
    if result.adjusted:
        rate = min(max(result.adjusted.rate, 0.0), 1.0)
        yield f"adjusted for luck: {_percent(rate)}{_sure(result.adjusted.interval)}"
    elif result.players == 3:
        yield "not adjusted for luck: chances of winning are known for two sides only"
    else:
        yield "not adjusted for luck: an earlier version played some of these games"
    yield f"the first dealer won {_percent(result.first_dealer)}"
    yield ""
    short = [name if len(name) <= LONGEST else f"...{name[3 - LONGEST :]}" for name in (a.name, b.name)]
    wide = max(WIDTH, *(len(name) + 2 for name in short))
    for title, *cells in (("", *short), *_rows(a, b)):
        yield f"{title:<22}" + "".join(f"{cell:>{wide}}" for cell in cells)


def _sure(interval: tuple[float, float] | None) -> str:
    return f" (95 %: {' to '.join(map(_percent, interval))})" if interval else ""


def _rows(*both: Contestant) -> Iterator[Iterable[str]]:
    """Yield the rows of the result table: a title, then a cell per contestant."""
    yield "games won", *(f"{each.wins:,}" for each in both)
    yield "won by, on average", *(_number(each.margin) for each in both)
    yield "skunks", *(f"{each.skunks:,}" for each in both)
    yield "double skunks", *(f"{each.double_skunks:,}" for each in both)
    for role, whats in (("dealer", "hand play crib heels total"), ("pone", "hand play total")):
        for what in whats.split():
            yield f"{role}, {what}", *(_number(getattr(getattr(each, role), what, None)) for each in both)
    yield "milliseconds: discard", *(_number(each.lay_away_ms) for each in both)
    yield "milliseconds: play", *(_number(each.play_ms) for each in both)
    if any(each.handed_over for each in both):
        yield "left to thrifty", *(amount(each.handed_over, "game") for each in both)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _rounded(data: object) -> object:
    """Return *data* for JSON, with numbers rounded to five decimals.

    >>> _rounded({"rate": 1 / 3, "ends": (0.123456789, 1)})
    {'rate': 0.33333, 'ends': [0.12346, 1]}
    """
    return json.loads(json.dumps(data), parse_float=lambda number: round(float(number), 5))


# --- progress ---------------------------------------------------------------------------------------


class _Progress:
    """A progress bar on stderr. It is drawn only in a terminal."""

    def __init__(self, contest: Contest, sums: Sums, last: int) -> None:
        self._contest, self._sums = contest, sums
        self._last = last
        self._first, self._began = sums["sets"], time.monotonic()
        self.show()

    def show(self) -> None:
        sets, size = self._sums["sets"], self._contest.games_in_set
        full = BAR * sets // self._last
        line = f"[{'#' * full}{'.' * (BAR - full)}] {sets * size:,} of {self._last * size:,} games"
        if sets > self._first:
            seconds = (time.monotonic() - self._began) * (self._last - sets) / (sets - self._first)
            rate = _percent(self._sums["wins.a"] / self._sums["games"])
            line += f", {self._contest.a} {rate}, {_time(seconds)} left"
        self._draw(line)

    def clear(self) -> None:
        self._draw("")

    def _draw(self, line: str) -> None:
        if sys.stderr.isatty() and self._first < self._last:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def _time(seconds: float) -> str:
    """Format a duration in its largest unit.

    >>> _time(4.2), _time(75), _time(9000)
    ('5 s', '2 min', '2.5 h')
    """
    if seconds < 60:
        return f"{int(seconds) + 1} s"
    if seconds < 3600:
        return f"{int(seconds / 60) + 1} min"
    return f"{seconds / 3600:.1f} h"
