"""What the machine's seats and advice cost: shows in bulk, decisions, advice, and what of it a companion
loads."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bench.figures import has_numpy, median_us, most_mb, python, row
from support.presses import shuffled
from support.server import companion

from cribpi.cribbage.analysis.discard.ways import ways
from cribpi.cribbage.analysis.shows import all_starters, crib_points, hand_points
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.players.opponent import Opponent
from cribpi.cribbage.rules.rules import preset

MANY = 1_000_000
"""Shows that are counted at once."""

BUDGETS = {"solid": "15 ms", "expert": "80 ms"}
"""What one decision of a level may take."""


def bulk(runs: int) -> None:
    """Shows in bulk, hands and cribs."""
    import numpy as np  # noqa: PLC0415  after cribpi.cribbage.analysis, which tells it to use one thread, as in a seat

    chance = np.random.default_rng(7)
    shows = np.concatenate(
        [np.argsort(chance.random((MANY // 10, 52)), axis=1)[:, :5].astype(np.uint8) for _ in range(10)]
    )
    for what, counted in (("hands", hand_points), ("cribs", crib_points)):
        counted(shows[:10])
        each = median_us(partial(counted, shows), runs, len(shows))
        row(f"shows in bulk, {what}, one thread", f"{each * 1000:.1f} ns a show", "18 ns")
    hands = np.ascontiguousarray(shows[: MANY // 48, :4])
    each = median_us(lambda: all_starters(hands), runs, len(hands) * 48)
    row("shows in bulk, hands with all their starters", f"{each * 1000:.1f} ns a show", "18 ns")


def discarding(runs: int) -> None:
    for players in (2, 3, 4):
        rules, size = preset("standard", players), 6 if players == 2 else 5
        hands = [tuple(random.Random(seed).sample(PACK, size)) for seed in range(runs)]
        ways(hands[0], own_crib=True, rules=rules)  # the first reads the tables
        each = statistics.median(_seconds(partial(ways, hand, own_crib=True, rules=rules)) for hand in hands)
        many = "15 discards of six cards" if players == 2 else "5 discards of five cards"
        row(f"all {many}, {players} players", f"{each * 1000:.1f} ms", "-")


@dataclass(frozen=True)
class Timed:
    """An opponent with a watch beside it; it is asked only where it has a choice."""

    opponent: Opponent
    discarding: list[float] = field(default_factory=list)
    playing: list[float] = field(default_factory=list)

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        start = time.perf_counter()
        cards = self.opponent.discard(sight)
        self.discarding.append(time.perf_counter() - start)
        return cards

    def play(self, sight: SeatSight) -> Card:
        start = time.perf_counter()
        card = self.opponent.play(sight)
        self.playing.append(time.perf_counter() - start)
        return card


def decisions(games: int) -> None:
    """Every decision of *games* games in which all seats are of one level; with three and four, of one
    game."""
    for level in ("thrifty", "solid", "expert"):
        for players in (2, 3, 4):
            is_two = players == 2
            laid, played = _decided(level, players, games if is_two else 1)
            for what, times in (("discard", laid), ("play", played)):
                row(
                    f"{level} decides, {what}, {players} players, {len(times)} times",
                    _times(times, has_worst=is_two),
                    BUDGETS.get(level, "-"),
                )


def _decided(level: str, players: int, games: int) -> tuple[list[float], list[float]]:
    """Return how many seconds each decision took, to discard and to play; tables are read before."""
    laid: list[float] = []
    played: list[float] = []
    for number in range(-1, games):
        seats = [Timed(opponent(level, chance=random.Random(f"{number} {seat}"))) for seat in range(players)]
        for _, state in game(seats, preset("standard", players), partial(_pack, number)):
            if number < 0 and state.deal is not None and state.deal.number == 2:
                break
        if number >= 0:
            laid += [seconds for seat in seats for seconds in seat.discarding]
            played += [seconds for seat in seats for seconds in seat.playing]
    return laid, played


def _pack(number: int, deal: int) -> Sequence[Card]:
    return shuffled(1000 * number + deal)


def _times(times: Sequence[float], *, has_worst: bool) -> str:
    text = f"{statistics.median(times) * 1000:.2f} ms"
    if not has_worst:
        return text
    return f"{text}, 95 % in {statistics.quantiles(times, n=20, method='inclusive')[-1] * 1000:.2f}"


def advising(runs: int) -> None:
    """Advice on a hand, and what it takes until it can be given: Python, NumPy with our modules, and
    tables."""
    bare = statistics.median(_seconds(partial(python, "-c", "pass")) for _ in range(runs))
    found = [json.loads(python("-m", "bench.thinking", "advise")) for _ in range(runs)]
    loading = statistics.median(times[0] for times in found)
    first = statistics.median(times[1] for times in found)
    each = statistics.median(seconds for times in found for seconds in times[2:5])
    row("advise: the advice on a hand", f"{each * 1000:.0f} ms", "150 ms")
    row("advise, before it: Python starts", f"{bare * 1000:.0f} ms", "-")
    row("advise, before it: NumPy and the modules are loaded", f"{loading * 1000:.0f} ms", "-")
    row("advise, before it: tables are read", f"{(first - each) * 1000:.0f} ms", "-")
    program = str(Path(sys.executable).with_name("cribpi"))
    command = (program, "advise", "5H 6C 7D JS QS KH", "--dealer", "--score", "60-71")
    whole = [_seconds(partial(subprocess.run, command, check=True, capture_output=True)) for _ in range(runs)]
    row("cribpi advise from cold, all of it", f"{statistics.median(whole) * 1000:.0f} ms", "-")
    row("most memory of a process that has advised", f"{found[0][5]:.1f} MB", "120 MB")


def memory_of_levels() -> None:
    for level in ("thrifty", "solid", "expert"):
        most = max(
            float(python("-m", "bench.thinking", "decide", level, str(players))) for players in (2, 3, 4)
        )
        row(f"most memory of a process with seats of {level}", f"{most:.1f} MB", "120 MB")


def holding_up(seconds: float) -> None:
    """How late another thread wakes while a seat thinks, and so for how long a key may wait to be heard."""
    for level in ("thrifty", "solid", "expert"):  # the first loads nothing, and is there to compare with
        late = json.loads(python("-m", "bench.thinking", "wake", level, str(seconds)))
        loading, half, most = (1000 * by for by in late)
        row(f"a thread wakes too late while {level} thinks", f"{half:.1f} ms, 99 % in {most:.1f}", "-")
        row(f"the same while {level} is loaded, at most", f"{loading:.0f} ms", "-")


def companion_without_them(runs: int) -> None:
    """The companion's start, of which none of all this is a part."""
    times, most, loaded = [], 0.0, False
    for _ in range(max(1, runs // 5)):
        with tempfile.TemporaryDirectory() as state:
            start = time.perf_counter()
            with companion(Path(state)) as (process, _):
                times.append(time.perf_counter() - start)
                most, loaded = max(most, most_mb(process.pid)), loaded or has_numpy(process.pid)
    row("the companion's start, until its page is there", f"{statistics.median(times) * 1000:.0f} ms", "-")
    row("most memory of the companion's start", f"{most:.1f} MB", "64 MB")
    row("NumPy loaded by the companion's start", "yes" if loaded else "no", "no")


def _seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start
