"""What a journal of many games costs: time and peak memory of each command, for ten games and for ten
thousand."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from bench.figures import row
from support.games import referee_game
from support.tables import opened

from cribpi.companion.history.fill import fill_in
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.record import print_record

SEEDS = (1405, 2212)
"""Two games of 146 events each."""

SIZES = (10, 1000, 10_000)

MEASURED = Path(__file__).with_name("until.py")


def games_of_146() -> list[list[Event]]:
    """Return some games of 146 events."""
    games = [
        [expected.event for expected in referee_game(Random(seed), 2, 121, suited=False)] for seed in SEEDS
    ]
    assert {len(game) for game in games} == {146}
    return games


def make(folder: Path, number: int) -> Path:
    """Leave a journal of so many games in *folder*, the same each time: ten thousand take two minutes."""
    games = games_of_146()

    def events(first: int, last: int) -> Iterator[Event]:
        for game in range(first, last):
            yield from games[game % len(games)]

    with opened(folder) as (journal, _):
        for first in range(0, number, 100):
            last = min(first + 100, number)
            journal.commit("2030-01-01T00:00:00.000+00:00", first + 1, "{}", events(first, last))
        fill_in(journal)
    return folder


def measured(until: str, *arguments: object, runs: int) -> tuple[float, float]:
    """Return the median of the seconds that `cribpi` takes *until* its end or its first line, and its most
    memory in MB."""
    command = [sys.executable, "-S", str(MEASURED), until, sys.executable, "-m", "cribpi"]
    found = []
    for _ in range(runs):
        done = subprocess.run([*command, *map(str, arguments)], check=True, capture_output=True, text=True)
        found.append(tuple(float(word) for word in done.stdout.split()))
    return statistics.median(one[0] for one in found), statistics.median(one[1] for one in found)


COMMANDS = (
    # what                                until    arguments                                   budget
    ("start, to the page", "line", ("run", "--sim", "--port", "0"), "1.5 times that of 10"),
    ("export of the game in hand", "end", ("export",), "1 s, 64 MB"),
    ("export of the first game", "end", ("export", "--game", "1"), "-"),
    ("export --list", "end", ("export", "--list"), "1 s"),
    ("doctor", "end", ("doctor", "--sim", "--port", "0"), "5 s"),
)


def journals(runs: int, sizes: Sequence[int]) -> None:
    """Print a row for each command and size of journal; then the import of a thousand games, or the most."""
    with tempfile.TemporaryDirectory() as name:
        for number in sizes:
            folder = make(Path(name, str(number)), number)
            for what, until, arguments, budget in COMMANDS:
                seconds, megabytes = measured(until, *arguments, "--state", folder, runs=runs)
                row(f"{number:,} games: {what}", f"{seconds:.2f} s, {megabytes:.0f} MB", budget)
        records = []
        many = min(1000, max(sizes))
        for number in range(many):
            records.append(Path(name, f"{number:04}.crib"))
            records[-1].write_text(print_record(games_of_146()[0]) if not number else records[0].read_text())
        seconds, megabytes = measured("end", "import", *records, "--state", Path(name, "kept"), runs=1)
        row(f"import of {many:,} games, a file each", f"{seconds:.1f} s, {megabytes:.0f} MB", "-")
