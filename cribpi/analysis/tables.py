"""The shipped tables: loaded on first use, checked, and cached.

They are the `.npz` files in `data/` beside this module, made by `make tables`.  Each says what it is:
`{"format": 1, "name": "laying-away-2", "rules": {...}}`.
"""

from __future__ import annotations

import json
import lzma
import struct
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard.habits import DiscardHabits, Others, habits_of
from cribpi.analysis.discard.rank_hands import rank_hands
from cribpi.analysis.table_specs import TABLE_SPECS, Shape
from cribpi.core.shown import shown

FORMAT: Final = 1
"""The file format of all tables; files of any other format are refused."""

DATA: Final = Path(__file__).parent / "data"

_NUMBERS: Final = "iuf"
"""NumPy's kinds of numeric arrays: signed, unsigned, floating-point."""

_DAMAGE: Final = (
    OSError, EOFError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, MemoryError,
    # For NotImplementedError: a zip of a later version, or of an unknown compression.
    RuntimeError,
    SyntaxError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip
"""What zipfile, NumPy and JSON raise on a damaged file."""

ABOUT: Final = "about"
"""The array that says what the file is: JSON as bytes."""


class TablesError(Exception):
    """A table is missing, damaged, or made for something else.  The message names the remedy."""


@dataclass(frozen=True, eq=False)
class Table:
    name: str
    rules: Mapping[str, Any]
    """The rules it was made for, such as `{"players": 2, "crib_flush": "five"}`."""
    arrays: Mapping[str, NDArray[Any]]
    """Read-only."""


@dataclass(frozen=True, eq=False)
class DiscardTable:
    """What players discard and keep when each plays the best reply to the others: see `equilibrium`.

    The first axis of each array is the crib: 0 if it belongs to the player's own side, else 1.
    """

    players: int
    others: Others
    """The discard habits of the others, hand by hand, for `ways.ways`."""
    discarded: NDArray[np.float64]
    """How often each discard is made; sums to 1.

    Two players: (2, 91, 2), pairs of ranks as in `shows.RANK_PAIRS`, unsuited and suited.  Three and four
    players: (2, 13), by rank.
    """
    kept: NDArray[np.float64]
    """How often each four ranks are kept: (2, 1820).

    In the order of `combinations_with_replacement(range(13), 4)`; sums to 1.
    """
    cribs: NDArray[np.float64]
    """The mean crib over all hands that could make each discard, as their holder sees it.

    Has the shape of *discarded*; 0 for a suited pair of one rank, which cannot be.
    """
    discarded_cribs: NDArray[np.float64]
    """The same over the hands that do make the discard; NaN where none does."""
    hand_points: NDArray[np.float64]
    """The probability of each count of a hand, 0 to 29: (2, 30)."""
    crib_points: NDArray[np.float64]
    """The probability of each count of a crib: (30,)."""


@cache
def load(name: str) -> Table:
    """Return the shipped table *name*, read once, with arrays of the shapes in `table_specs`.

    Raises:
        TablesError: If it is missing, damaged, of another format, or made for other rules.
    """
    return checked(read(DATA / f"{name}.npz"))


def checked(table: Table) -> Table:
    """Return *table* if it meets its specification in `table_specs`.

    Raises:
        TablesError: If it was made for other rules, or an array is missing, not numeric, or of another shape.
    """
    form = TABLE_SPECS[table.name]
    if dict(table.rules) != form.rules:
        made, wanted = json.dumps(dict(table.rules)), json.dumps(dict(form.rules))
        raise _unusable(table.name, f"it was made for {made}, and not for {wanted}")
    for name, shape in form.shapes.items():
        array = table.arrays.get(name)
        if array is None or array.dtype.kind not in _NUMBERS or not _has_shape(array.shape, shape):
            raise _unusable(table.name, f"it is not whole ({name})")
    return table


def _has_shape(found: tuple[int, ...], shape: Shape) -> bool:
    return len(found) == len(shape) and all(
        wanted in (None, length) for length, wanted in zip(found, shape, strict=True)
    )


@cache
def discard_table(players: int = 2) -> DiscardTable:
    """Return what *players* (2, 3 or 4) discard and keep.

    Made for a five-card flush in the crib; where four cards will do, players discard almost the same.

    Raises:
        TablesError: If the table is missing, damaged, of another format, or made for other rules.
    """
    table = load(f"laying-away-{players}")
    size = 6 if players == 2 else 5
    try:
        arrays = table.arrays
        habits = (_habits(size, arrays, 0), _habits(size, arrays, 1))
        discarded = _shares(arrays["thrown"])
        return DiscardTable(
            players,
            Others(habits, (discarded[0], discarded[1])),
            discarded,
            np.stack([_shares(one.kept_weights(np.full(13, 4)).reshape(1, -1))[0] for one in habits]),
            arrays["cribs"].astype(np.float64),
            arrays["thrown_cribs"].astype(np.float64),
            _shares(arrays["hand_points"]),
            _shares(arrays["crib_points"].reshape(1, 30))[0],
        )
    except (IndexError, ValueError) as trouble:
        raise _unusable(table.name, f"it is not whole ({trouble})") from None


def read(path: Path) -> Table:
    """Read the table in the file *path*; `make.write` is the inverse.

    Raises:
        TablesError: If it is missing, damaged, of another format, or named differently from its file.
    """
    try:
        # Opened here: given a file that is not an archive, np.load leaks it and complains of pickles.
        with path.open("rb") as stream:
            if not zipfile.is_zipfile(stream):
                raise _unusable(path.stem, "it cannot be read (it is cut short, or no table)")
            stream.seek(0)
            with np.load(stream, allow_pickle=False) as file, warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # from NumPy, for a malformed header
                arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays.pop(ABOUT).tobytes())
        name, form, rules = about["name"], about["format"], dict(about["rules"])
    except FileNotFoundError:
        raise _unusable(path.stem, "it is missing") from None
    except _DAMAGE as trouble:
        raise _unusable(path.stem, f"it cannot be read ({shown(trouble, str)})") from None
    if form != FORMAT:
        raise _unusable(path.stem, f"it has format {shown(form)}, and this program reads format {FORMAT}")
    if name != path.stem:
        raise _unusable(path.stem, f"it holds {shown(name)}")
    for array in arrays.values():
        array.flags.writeable = False
    return Table(name, rules, arrays)


def _unusable(name: str, why: str) -> TablesError:
    return TablesError(
        f"the table {name} cannot be used: {why}; make it again with `make tables`, or install cribpi again"
    )


def entries_of(
    arrays: Mapping[str, NDArray[Any]], role: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return the entries of a *role*: multiset of ranks, discard, and how many of its hands discard so.

    Raises:
        KeyError: If the arrays of the role are missing.
    """
    hand = arrays[f"steps_{role}"].cumsum(dtype=np.intp)
    return hand, arrays[f"throws_{role}"].astype(np.intp), arrays[f"times_{role}"].astype(np.intp)


def _habits(size: int, arrays: Mapping[str, NDArray[Any]], role: int) -> DiscardHabits:
    hand, away, times = entries_of(arrays, role)
    number = len(rank_hands(size).total)
    total = np.bincount(hand, times, minlength=number)
    if len(total) > number or not total.all():
        raise ValueError("some hands throw nothing")
    return habits_of(size, hand, away, times / total[hand])


def _shares(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Normalize each row of *counts* to sum to 1."""
    rows = counts.reshape(len(counts), -1).astype(np.float64)
    return np.asarray((rows / rows.sum(axis=1, keepdims=True)).reshape(counts.shape))
