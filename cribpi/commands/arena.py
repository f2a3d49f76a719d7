"""`cribpi arena`: two opponents play each other over mirrored deals; prints the result."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Final, TextIO

from cribpi.commands import streams
from cribpi.commands.errors import CommandError
from cribpi.commands.house import changes_of
from cribpi.core.errors import BadSetup
from cribpi.core.rules import house_rules
from cribpi.opponents.arena.contest import Contest, Sums
from cribpi.opponents.arena.file import ArenaFileError, held, load, save
from cribpi.opponents.arena.result import Contestant, Result, Role, result
from cribpi.opponents.arena.run import ArenaStopped, logging_once, pieces
from cribpi.opponents.levels import UnknownLevel

STOPPED: Final = 130
"""The exit code after Ctrl-C."""

BAR: Final = 30
"""Columns of the progress bar."""


def contest(a: str, b: str, rules: str | None, rule: Sequence[str], players: int, seed: int) -> Contest:
    """Return the requested contest.

    Raises:
        CommandError: If a level or a rule is not known, or the rules have no game for that many players.
    """
    try:
        return Contest(a, b, house_rules(rules or "standard", players, changes_of(rule)), seed)
    except (BadSetup, UnknownLevel) as bad:
        raise CommandError(str(bad)) from None


def arena(asked: Contest, games: int, jobs: int, path: Path | None, *, is_json: bool, out: TextIO) -> int:
    """Play until there are *games* in all, including those stored in *path*; print the result.

    Games are played in whole sets, so there may be one or two more.  Ctrl-C stops early and prints what there
    is.

    Raises:
        CommandError: If a number makes no sense, or the file cannot be used.
    """
    if games < 1:
        raise CommandError(f"--games {games}: play at least one")
    if not 1 <= jobs <= 64:
        raise CommandError(f"--jobs {jobs}: 1 to 64 processes can play")
    last = -(-games // asked.games_in_set)
    try:
        with held(path) if path else nullcontext():
            sums = load(path, asked) if path else Sums()
            if path and not sums["sets"]:
                save(path, asked, sums)  # find out before the games whether the file can be written
            is_stopped = _play(asked, sums, last, jobs, path)
    except (ArenaFileError, ArenaStopped) as bad:
        raise CommandError(str(bad)) from None
    if sums["games"]:
        found = result(asked, sums)
        out.write(
            json.dumps(rounded(asdict(found))) + "\n"
            if is_json
            else "".join(f"{line}\n" for line in told(found))
        )
    if is_stopped:
        streams.complain(f"cribpi arena: stopped after {_games(sums['games'])}")
    return STOPPED if is_stopped else 0


def _play(asked: Contest, sums: Sums, last: int, jobs: int, path: Path | None) -> bool:
    """Play the missing sets, add them to *sums*, and save these in *path*; return whether it was stopped."""
    progress = _Progress(asked, sums, last)
    try:
        with logging_once():
            for piece in pieces(asked, sums["sets"], last, jobs):
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


def told(found: Result) -> Iterator[str]:
    """Yield the lines that describe a result."""
    a, b = found.a, found.b
    yield f"{a.name} against {b.name}: {found.rules}, {found.players} players, seed {found.seed}"
    sets = "pair" if found.games == 2 * found.sets else "three"
    yield (
        f"{_games(found.games)}, {found.deals:.1f} deals each, in {found.sets:,} mirrored "
        f"{sets}{'s' * (found.sets > 1)}"
    )
    yield ""
    sure = (
        f" (95 %: {_percent(found.interval[0])} to {_percent(found.interval[1])})" if found.interval else ""
    )
    fair = "; an equal player wins 33.3 % of games of three" if found.players == 3 else ""
    yield f"{a.name} won {_percent(a.rate)}{sure}{fair}"
    yield f"the first dealer won {_percent(found.first_dealer)}"
    yield ""
    yield f"{'':<22}{a.name:>14}{b.name:>14}"
    for title, cells in _rows(a, b):
        yield f"{title:<22}" + "".join(f"{cell:>14}" for cell in cells)


def _rows(a: Contestant, b: Contestant) -> Iterator[tuple[str, Sequence[str]]]:
    both = (a, b)
    yield "games won", [f"{one.wins:,}" for one in both]
    yield "won by, on average", [_number(one.margin) for one in both]
    yield "skunks", [f"{one.skunks:,}" for one in both]
    yield "double skunks", [f"{one.double_skunks:,}" for one in both]
    for title, roles in (("dealer", [a.dealer, b.dealer]), ("pone", [a.pone, b.pone])):
        for what in ("hand", "play", "crib", "heels", "total"):
            if title == "dealer" or what not in {"crib", "heels"}:
                yield f"{title}, {what}", [_of(role, what) for role in roles]
    yield "milliseconds: discard", [_number(one.lay_away_ms) for one in both]
    yield "milliseconds: play", [_number(one.play_ms) for one in both]
    if a.handed_over or b.handed_over:
        yield "left to thrifty", [_games(one.handed_over) for one in both]


def _of(role: Role | None, what: str) -> str:
    return _number(getattr(role, what) if role else None)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _games(many: int) -> str:
    return f"{many:,} game{'s' * (many != 1)}"


def rounded(value: object) -> object:
    """Return *value* for JSON, its numbers rounded to five decimals.

    >>> rounded({"rate": 1 / 3, "ends": (0.123456789, 1)})
    {'rate': 0.33333, 'ends': [0.12346, 1]}
    """
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [rounded(one) for one in value]
    return value


# --- progress ---------------------------------------------------------------------------------------


class _Progress:
    """A progress bar on stderr, if that is a terminal."""

    def __init__(self, asked: Contest, sums: Sums, last: int) -> None:
        self._asked, self._sums, self._last = asked, sums, last
        self._first, self._began = sums["sets"], time.monotonic()
        self._is_on = sys.stderr.isatty() and self._first < last
        if self._is_on:
            self.show()

    def show(self) -> None:
        if not self._is_on:
            return
        sets, size = self._sums["sets"], self._asked.games_in_set
        full = BAR * sets // self._last
        line = f"[{'#' * full}{'.' * (BAR - full)}] {sets * size:,} of {self._last * size:,} games"
        if sets > self._first:
            seconds = (time.monotonic() - self._began) * (self._last - sets) / (sets - self._first)
            line += (
                f", {self._asked.a} {_percent(self._sums['wins.a'] / self._sums['games'])}, "
                f"{_time(seconds)} left"
            )
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._is_on:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


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
