"""What advice and a level of the computer's seats take in a process of their own, as JSON.

`python -m bench.thinking` takes one of these:

    advise                the seconds to load, those of four hands' advice, and memory in MB
    decide LEVEL PLAYERS  memory in MB, once LEVEL has played two deals with itself
    wake LEVEL SECONDS    how late another thread wakes, while LEVEL is loaded and plays

Nothing of cribpi is loaded before it is measured.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import threading
import time
from typing import TYPE_CHECKING

from bench.figures import most_mb

if TYPE_CHECKING:
    from cribpi.cribbage.players.opponent import Opponent

HANDS = ("5H 6C 7D JS QS KH", "AC 3D 4S 8H 9C KD", "2S 2D 7C 8C JH QD", "3C 4D 5S 6H 10C KS")
EVERY = 0.01
"""Seconds between two wakings of a thread such as the one that hears the keys."""


def advise() -> list[float]:
    began = time.perf_counter()
    from cribpi.cribbage.api.weighing import advise as advice  # noqa: PLC0415  its loading is measured

    times = [time.perf_counter() - began]
    for hand in HANDS:
        began = time.perf_counter()
        advice(hand, dealer=True, score="60-71")
        times.append(time.perf_counter() - began)
    return [*times, most_mb(os.getpid())]


def _seats(level: str, players: int) -> list[Opponent]:
    from cribpi.cribbage.players.levels import opponent  # noqa: PLC0415  its loading is measured

    return [opponent(level, chance=random.Random(seat)) for seat in range(players)]


def _play(level: str, players: int, deals: int, end: float = float("inf")) -> None:
    """Let *level* play so many *deals* of a game with itself, or until the time *end*."""
    from support.presses import shuffled  # noqa: PLC0415  as above

    from cribpi.cribbage.players.games import game  # noqa: PLC0415  as above
    from cribpi.cribbage.rules.rules import preset  # noqa: PLC0415  as above

    for _, state in game(_seats(level, players), preset("standard", players), shuffled):
        if time.perf_counter() > end or (state.deal is not None and state.deal.number > deals):
            return


def decide(level: str, players: int) -> float:
    _play(level, players, deals=2)
    return most_mb(os.getpid())


def wake(level: str, seconds: float) -> list[float]:
    """Return by how many seconds a thread woke too late: the most while *level* was loaded, then the median
    and what 99 of 100 stay below while it played."""
    late: list[float] = []

    def wake_again() -> None:
        due = time.perf_counter()
        while True:
            due = max(due + EVERY, time.perf_counter())
            time.sleep(max(due - time.perf_counter(), 0))
            late.append(time.perf_counter() - due)

    def while_playing(lasting: float, deals: int) -> list[float]:
        late.clear()
        end = time.perf_counter() + lasting
        while time.perf_counter() < end:
            _play(level, 2, deals, end)
        return list(late)

    threading.Thread(target=wake_again, daemon=True).start()
    first, later = while_playing(0.05, 1), while_playing(seconds, 99)
    return [max(first), statistics.median(later), statistics.quantiles(later, n=100, method="inclusive")[-1]]


def main(what: str, *arguments: str) -> None:
    match what, arguments:
        case "advise", ():
            found: object = advise()
        case "decide", (level, players):
            found = decide(level, int(players))
        case "wake", (level, seconds):
            found = wake(level, float(seconds))
        case _:
            raise SystemExit(__doc__)
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
