"""Make the shipped tables: `make tables`, or `python -m cribpi.workshop.tables.make`.

The output is the same byte for byte: nothing depends on the clock, and every random draw is seeded.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from cribpi.cribbage.analysis.tables import ABOUT, DATA, FORMAT, TABLE_SPECS, Arrays, Tell, load
from cribpi.cribbage.analysis.winning import winning_table
from cribpi.workshop.tables.discards import made_discard_table
from cribpi.workshop.tables.endgame import endgame_table
from cribpi.workshop.tables.self_play import pegging_table, playing_table

_THE_SAME_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The timestamp of every file in a table's archive."""


TABLES: Final[Mapping[str, Callable[[Tell], Arrays]]] = {
    "laying-away-2": partial(made_discard_table, 2),
    "laying-away-3": partial(made_discard_table, 3),
    "laying-away-4": partial(made_discard_table, 4),
    "playing-2": partial(playing_table, 2, "all"),
    "playing-2-one": partial(playing_table, 2, "one"),
    "playing-3": partial(playing_table, 3, "all"),
    "playing-4": partial(playing_table, 4, "all"),
    "pegging-2": partial(pegging_table, 2),
    "pegging-4": partial(pegging_table, 4),
    "endgame-2": partial(endgame_table, jobs=os.cpu_count() or 1),
    "winning-2": partial(winning_table, 2),
    "winning-4": partial(winning_table, 4),
}
"""The functions that make the tables, in order: each may read the tables before it."""

HOURS: Final = frozenset({"endgame-2"})
"""Tables that take hours, and are made only if named."""


def write(path: Path, rules: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a table to *path*; `tables.read` is the inverse.

    The table is named after the file, and the same arrays always give the same bytes.

    Raises:
        OSError: If the file cannot be written.
    """
    about = json.dumps({"format": FORMAT, "name": path.stem, "rules": dict(rules)}, sort_keys=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, array in {ABOUT: np.frombuffer(about.encode(), dtype=np.uint8), **arrays}.items():
            buffer = io.BytesIO()
            np.save(buffer, np.ascontiguousarray(array), allow_pickle=False)
            file.writestr(
                zipfile.ZipInfo(f"{name}.npy", _THE_SAME_TIME), buffer.getvalue(), zipfile.ZIP_DEFLATED
            )


def main(arguments: list[str] | None = None) -> int:
    """Make the tables named on the command line, or all but `HOURS`; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m cribpi.workshop.tables.make",
        description="Make the shipped tables.",
        epilog="example: python -m cribpi.workshop.tables.make laying-away-2 --to build",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="tables to make; all but endgame-2 if none is named"
    )
    parser.add_argument(
        "--to", type=Path, default=DATA, metavar="DIR", help="where they go (cribpi's own data)"
    )
    options = parser.parse_args(arguments)
    unknown = set(options.names) - set(TABLES)
    if unknown:
        parser.error(f"no table called {', '.join(sorted(unknown))}: choose from {', '.join(TABLES)}")
    try:
        options.to.mkdir(parents=True, exist_ok=True)
        for name, make in TABLES.items():
            if name in (options.names or TABLES.keys() - HOURS):
                sys.stdout.write(f"{name}\n")
                path = options.to / f"{name}.npz"
                write(path, TABLE_SPECS[name].rules, make(tell))
                load.cache_clear()  # the following tables must read the new file
                tell(f"{path.stat().st_size:,} bytes")
    except OSError as trouble:
        parser.error(f"{trouble.filename or options.to}: {trouble.strerror}; name another folder with --to")
    return 0


def tell(sentence: str) -> None:
    """Print the progress of a table."""
    sys.stdout.write(f"  {sentence}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
