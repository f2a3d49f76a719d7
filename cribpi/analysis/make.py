"""Make the shipped tables: `make tables`, or `python -m cribpi.analysis.make`.

The output is the same byte for byte: nothing depends on the clock, and every random draw is seeded.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from cribpi.analysis.discard.make_tables import Arrays, Tell, pair_discard_table, single_discard_table
from cribpi.analysis.pegging.make_tables import pegging_table, playing_table
from cribpi.analysis.table_specs import TABLE_SPECS
from cribpi.analysis.tables import ABOUT, DATA, FORMAT
from cribpi.analysis.winning_tables import winning_table

_THE_SAME_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The timestamp of every file in a table's archive."""


@dataclass(frozen=True)
class Part:
    """One table and how to make it.  A part may read any shipped table listed before it."""

    name: str
    make: Callable[[Tell], Arrays]


PARTS: Final = (
    Part("laying-away-2", pair_discard_table),
    Part("laying-away-3", partial(single_discard_table, 3)),
    Part("laying-away-4", partial(single_discard_table, 4)),
    Part("playing-2", partial(playing_table, 2, "all")),
    Part("playing-2-one", partial(playing_table, 2, "one")),
    Part("playing-3", partial(playing_table, 3, "all")),
    Part("playing-4", partial(playing_table, 4, "all")),
    Part("pegging-2", pegging_table),
    Part("winning-2", winning_table),
)
"""The tables, in the order in which they are made."""


def write(path: Path, rules: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a table to *path*; `tables.read` is the inverse.

    The table is named after the file, and the same arrays always give the same bytes.

    Raises:
        OSError: If it cannot be written.
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
    """Make all tables, or those named on the command line; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m cribpi.analysis.make",
        description="Make the shipped tables.",
        epilog="example: python -m cribpi.analysis.make laying-away-2 --to build",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="tables to make; all of them if none is named"
    )
    parser.add_argument(
        "--to", type=Path, default=DATA, metavar="DIR", help="where they go (cribpi's own data)"
    )
    options = parser.parse_args(arguments)
    unknown = set(options.names) - {part.name for part in PARTS}
    if unknown:
        parser.error(
            f"no table called {', '.join(sorted(unknown))}: choose from "
            f"{', '.join(part.name for part in PARTS)}"
        )
    try:
        options.to.mkdir(parents=True, exist_ok=True)
        for part in PARTS:
            if not options.names or part.name in options.names:
                _make(part, options.to / f"{part.name}.npz")
    except OSError as trouble:
        parser.error(f"{trouble.filename or options.to}: {trouble.strerror}; name another folder with --to")
    return 0


def _make(part: Part, path: Path) -> None:
    sys.stdout.write(f"{part.name}\n")
    write(path, TABLE_SPECS[part.name].rules, part.make(_tell))
    _tell(f"{path.stat().st_size:,} bytes")


def _tell(sentence: str) -> None:
    sys.stdout.write(f"  {sentence}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
