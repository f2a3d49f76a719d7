"""Speed and size against the budgets of the design, as medians, with the machine named.

    make bench                         all of it, about half an hour, most of it watching a table at rest
    make bench ARGS="--quick"          the same with fewer runs
    make bench ARGS="--only deciding"  one part of it

It prints and never judges: times are no tests.  The rows of the machine's speed, first and last, tell whether
figures of two runs can be compared.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bench import attacked, clicks, deciding, journals, page, phones
from bench.figures import ORDINARY, START, cpu_seconds, disk_bytes, median_us, python, resident_mb, row, speed
from support.games import referee_game
from support.server import ask, companion

from cribpi.companion.journal.journal import Journal
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.views.lights.frame import compose
from cribpi.companion.views.lights.motion import Motion
from cribpi.cribbage.game.cards import Card, Rank, Suit
from cribpi.cribbage.game.play import score_play
from cribpi.cribbage.game.show import score_hand
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.rules.seats import Pegs
from cribpi.cribbage.words.worth import hand_points


def scoring(runs: int) -> None:
    chance = random.Random(7)
    deck = [Card(rank, suit) for rank in Rank for suit in Suit]
    hands = [(tuple(five[:4]), five[4]) for five in (chance.sample(deck, 5) for _ in range(2000))]
    for hand, starter in hands:
        hand_points(hand, starter)
    points = median_us(lambda: [hand_points(hand, starter) for hand, starter in hands], runs, len(hands))
    row("one show, points alone", f"{points:.2f} us", "2 us")
    explained = median_us(lambda: [score_hand(hand, starter) for hand, starter in hands], runs, len(hands))
    row("one show, with explanation", f"{explained:.2f} us", "15 us")
    piles = [tuple(chance.sample(deck, size)) for size in (2, 3, 4, 5) for _ in range(500)]
    play = median_us(lambda: [score_play(pile) for pile in piles], runs, len(piles))
    row("one play score", f"{play:.2f} us", "-")


def steps(runs: int) -> None:
    """A game of about 250 events: each step of it, and all of it again from a journal on the disk."""
    games = (
        [expected.event for expected in referee_game(random.Random(seed), 2, 121, suited=False)]
        for seed in range(1000)
    )
    game = next(game for game in games if len(game) == 250)
    each = median_us(lambda: fold(game), runs * 4, len(game))
    row("step, an event of a game", f"{each:.1f} us", "60 us")
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "journal.db")
        for seq, event in enumerate(game, start=1):
            journal.commit("2030-01-01T00:00:00Z", seq, "{}", [event])
        rebuilt = median_us(lambda: fold(journal.game()), runs * 4)
        journal.close()
    row(f"rebuilding {len(game)} events from the journal", f"{rebuilt / 1000:.1f} ms", "30 ms")


def lights(runs: int) -> None:
    for name, leds in (("strip-121", 121), ("table", 242), ("table-3", 363)):
        kit = load_kit(name)
        sides = 3 if name == "table-3" else 2
        motion = Motion(kit, tuple(Pegs(31 + 20 * side, 20 + 20 * side) for side in range(sides)))
        shown = motion.lights(0.0)
        each = median_us(lambda kit=kit, shown=shown: compose(kit, shown), runs * 20)  # type: ignore[misc]
        row(f"composing {leds} colours", f"{each / 1000:.4f} ms", "0.3 ms")


def presses(runs: int) -> None:
    """From the edge on a mock pin to frame and picture handed over; the disk's sync is not in it."""
    times: list[float] = []
    counted: list[int] = []
    for _ in range(max(1, runs // 5)):
        bench = Rehearsal(load_kit("table"), 1)
        for key in START:
            bench.press(key)
        counted = []
        for key in ORDINARY:
            before = bench.twin.bus.sent
            start = time.process_time()
            refused = bench.press(key)
            times.append(time.process_time() - start)
            counted.append(bench.twin.bus.sent - before)
            assert refused is None, f"{key}: {refused}"
        bench.close()
    row("a press, edge to chips on the twin, CPU", f"{statistics.median(times) * 1000:.2f} ms", "3 ms")
    row(
        "bytes to the OLED, 30 ordinary presses",
        f"{statistics.median(counted):.0f} (most {max(counted)})",
        "under 300 of 1,080",
    )
    print("    " + " ".join(f"{key}:{number}" for key, number in zip(ORDINARY, counted, strict=True)))


def cold(runs: int) -> None:
    def wall(act: Callable[[], object]) -> float:
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            act()
            times.append(time.perf_counter() - start)
        return statistics.median(times) * 1000

    bare = wall(lambda: python("-c", "pass"))
    command = (str(Path(sys.executable).with_name("cribpi")), "score", "7H 8C 8D KS", "--starter", "9S")
    score = wall(lambda: subprocess.run(command, check=True, capture_output=True))
    row(
        "cribpi score from cold", f"{score:.0f} ms, {score / bare:.1f} x bare", "under 5 x a bare interpreter"
    )
    first = wall(lambda: python("-m", "bench.first_picture"))
    row("a start's first picture is ready for the panel", f"{first:.0f} ms", "60 ms: some 1 s on a Zero 2 W")


def running(seconds: float) -> None:
    """A companion with its page at rest for *seconds*: in a game, and with nobody at the table."""
    for what, keys in (("in a game", (*START, *ORDINARY)), ("with nobody there", ())):
        with tempfile.TemporaryDirectory() as state, companion(Path(state)) as (process, url):
            for key in keys:
                ask(f"{url}api/press", {"key": key})
            with urllib.request.urlopen(url, timeout=10) as page:  # noqa: S310  as above
                page.read()
            time.sleep(4)  # the pegs come to rest
            if keys:
                resident = f"{resident_mb(process.pid):.1f} MB"
                row("resident memory of run --sim, with the page", resident, "under 64 MB")
            before, written = cpu_seconds(process.pid), disk_bytes(process.pid)
            time.sleep(seconds)
            used = (cpu_seconds(process.pid) - before) / seconds * 100
            row(f"CPU at rest {what}, over {seconds:.0f} s", f"{used:.2f} % of a core", "under 0.1 %")
            written = disk_bytes(process.pid) - written
            row(f"written to the disk meanwhile {what}", f"{written} bytes", "none in ten minutes")


def memory(number: int) -> None:
    folder = tempfile.TemporaryDirectory()
    bench = Rehearsal(load_kit("table"), 3, journal=Path(folder.name) / "journal.db")
    chance = random.Random(3)
    keys = [
        "A",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
        "10",
        "J",
        "Q",
        "K",
        "GO",
        "FLNB",
        "P1",
        "P2",
        "UNDO",
        "MENU",
        "OK",
        "OK",
        "OK",
        "hold:UNDO",
    ]

    def some(presses: int) -> None:
        for _ in range(presses):
            bench.press(chance.choice(keys))
        gc.collect()

    some(2000)
    start = resident_mb(os.getpid())
    some(number)
    row(
        f"memory after {number:,} presses on the twin",
        f"{start:.1f} -> {resident_mb(os.getpid()):.1f} MB",
        "flat",
    )
    bench.close()
    folder.cleanup()


def parts(
    runs: int, rest: float, presses_watched: int, sizes: Sequence[int] = journals.SIZES
) -> Mapping[str, Callable[[], None]]:
    """Return the parts of the bench, by name; *sizes* are the games of each journal, rest is in seconds."""

    def deciding_of_seats() -> None:
        deciding.bulk(runs)
        deciding.discarding(runs)
        deciding.decisions(games=max(1, runs // 6))
        deciding.advising(runs)
        deciding.memory_of_levels()
        deciding.holding_up(min(rest, 5))
        deciding.companion_without_them(runs)

    return {
        "scoring": lambda: scoring(runs),
        "steps": lambda: steps(runs),
        "lights": lambda: lights(runs),
        "presses": lambda: presses(runs),
        "cold": lambda: cold(runs),
        "journals": lambda: journals.journals(max(1, runs // 5), sizes),
        "deciding": deciding_of_seats,
        "running": lambda: running(rest),
        "memory": lambda: memory(presses_watched),
        "page": lambda: page.of_the_page(runs),
        "clicks": lambda: clicks.of_clicks(min(10, runs)),
        "phones": lambda: phones.eight_phones(runs * 2, min(rest, phones.REST)),
        "attacked": lambda: attacked.attacked(runs * 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Print speed and size against the budgets.")
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    parser.add_argument("--only", metavar="PART", action="append", help="one part; may be given again")
    parser.add_argument("--presses", type=int, default=20_000, help="how many presses memory is watched over")
    parser.add_argument("--rest", type=float, default=600, help="for how many seconds rest is watched")
    options = parser.parse_args()
    quick = options.quick
    runs = 5 if quick else 25
    named = parts(runs, 5 if quick else options.rest, 2000 if quick else options.presses)
    if unknown := set(options.only or ()) - set(named):
        parser.error(f"--only {min(unknown)}: there are {', '.join(named)}")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; medians")
    speed(runs)
    for name, part in named.items():
        if name in (options.only or named):
            part()
    speed(runs)


if __name__ == "__main__":
    main()
