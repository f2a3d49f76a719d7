"""The shipped tables: loaded on first use, checked, and cached.

A table is an `.npz` file in `data/` next to this module; `make tables` computes them.  Each has a header such
as `{"format": 1, "name": "laying-away-2", "rules": {...}}`.
"""

from __future__ import annotations

import json
import lzma
import struct
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import shown

Arrays = Mapping[str, NDArray[Any]]

Tell = Callable[[str], object]
"""Receives lines of text about the progress while a table is computed."""

Shape = tuple[int | None, ...]
"""The length of each axis; None for a length that depends on the data."""


@dataclass(frozen=True, slots=True)
class TableSpec:
    rules: Mapping[str, Any]
    shapes: Mapping[str, Shape]


def _discards(players: int) -> TableSpec:
    habits: Shape = (2, 91, 2) if players == 2 else (2, 13)
    entries = [f"{what}_{role}" for role in range(2) for what in ("steps", "throws", "times")]
    shapes = dict.fromkeys(entries, (None,)) | dict.fromkeys(("thrown", "cribs", "thrown_cribs"), habits)
    counts: dict[str, Shape] = {"hand_points": (2, 30), "crib_points": (30,)}
    return TableSpec({"players": players, "crib_flush": "five"}, shapes | counts)


def _playing(players: int, rounds: str) -> TableSpec:
    shapes: dict[str, Shape] = {"danger": (1,), "held": (13,), "later": (1120, 32, 2)}
    return TableSpec({"players": players, "play_rounds": rounds}, shapes)


TABLE_SPECS: Final[Mapping[str, TableSpec]] = {
    **{f"laying-away-{players}": _discards(players) for players in (2, 3, 4)},
    **{f"playing-{players}": _playing(players, "all") for players in (2, 3, 4)},
    "playing-2-one": _playing(2, "one"),
    **{
        f"pegging-{players}": TableSpec(
            {"players": players, "play_rounds": "all"},
            {"points": (players, 1820, 2), "spread": (2, 20, 20), "first": (20, 20)},
        )
        for players in (2, 4)
    },
    "endgame-2": TableSpec({"players": 2}, {"more": (26, 26)}),
    **{f"winning-{players}": TableSpec({"players": players}, {"chances": (122, 122)}) for players in (2, 4)},
}

FORMAT: Final = 1
"""The file format of all tables; files of any other format are refused."""

DATA: Final = Path(__file__).parent / "data"

_NUMBERS: Final = "iuf"
"""NumPy's kinds of numeric arrays: signed, unsigned, floating-point."""

_DAMAGE: Final = (
    OSError, EOFError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, MemoryError,
    # Includes NotImplementedError, for a zip of a later version or with an unknown compression.
    RuntimeError,
    SyntaxError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip
"""The exceptions that zipfile, NumPy and JSON raise on a damaged file."""

ABOUT: Final = "about"
"""The array that holds the file's header: JSON as bytes."""


class TablesError(UserError):
    """A table is missing, damaged, or made for other rules.  The message names the remedy."""


@dataclass(frozen=True, eq=False)
class DataTable:
    name: str
    rules: Mapping[str, Any]
    """The rules the table was made for, such as `{"players": 2, "crib_flush": "five"}`."""
    arrays: Arrays
    """Read-only."""


@cache
def load(name: str) -> DataTable:
    """Return the shipped table *name*, read once, with arrays of the shapes in `TABLE_SPECS`.

    Raises:
        TablesError: If the table is missing, damaged, of another format, or made for other rules.
    """
    return checked(read(DATA / f"{name}.npz"))


def checked(table: DataTable) -> DataTable:
    """Return *table* if it meets its specification in `TABLE_SPECS`.

    Raises:
        TablesError: If *table* was made for other rules, or an array is missing, not numeric, or of another
            shape.
    """
    spec = TABLE_SPECS[table.name]
    if dict(table.rules) != spec.rules:
        made, wanted = json.dumps(dict(table.rules)), json.dumps(dict(spec.rules))
        raise unusable(table.name, f"it was made for {made}, not for {wanted}")
    for name, shape in spec.shapes.items():
        array = table.arrays.get(name)
        if array is None or array.dtype.kind not in _NUMBERS or not _has_shape(array.shape, shape):
            raise unusable(table.name, f"it is incomplete ({name})")
    return table


def _has_shape(lengths: tuple[int, ...], shape: Shape) -> bool:
    return len(lengths) == len(shape) and all(
        wanted in (None, length) for length, wanted in zip(lengths, shape, strict=True)
    )


def read(path: Path) -> DataTable:
    """Read the table in the file *path*; `make.write` is the inverse.

    Raises:
        TablesError: If the file is missing, damaged, of another format, or named differently from its table.
    """
    try:
        # Checked first: for a file that is no archive, np.load leaks the open file and reports a pickle.
        with path.open("rb") as stream:
            if not zipfile.is_zipfile(stream):
                raise unusable(path.stem, "it cannot be read (it is cut short, or not a table)")
            stream.seek(0)
            with np.load(stream, allow_pickle=False) as file, warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # from NumPy, for a malformed header
                arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays.pop(ABOUT).tobytes())
        name, version = about["name"], about["format"]
        rules = dict(about["rules"])
    except FileNotFoundError:
        raise unusable(path.stem, "it is missing") from None
    except _DAMAGE as trouble:
        raise unusable(path.stem, f"it cannot be read ({shown(trouble, str)})") from None
    if version != FORMAT:
        raise unusable(path.stem, f"it has format {shown(version)}, and this program reads format {FORMAT}")
    if name != path.stem:
        raise unusable(path.stem, f"it holds {shown(name)}")
    for array in arrays.values():
        array.flags.writeable = False
    return DataTable(name, rules, arrays)


def unusable(name: str, why: str) -> TablesError:
    again = "make endgame" if name == "endgame-2" else "make tables"
    return TablesError(
        f"the table {name} cannot be used: {why}; make it again with `{again}`, or install cribpi again"
    )
