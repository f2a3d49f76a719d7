"""The tables that are shipped: read when first asked for, checked, and kept.

They lie in `data/` beside this module, one file of arrays each, made by `make tables`.  With each stands what
it is: `{"format": 1, "name": "laying-away-2", "rules": {...}}`.
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
"""The form of all tables; a program refuses others than its own."""

DATA: Final = Path(__file__).parent / "data"

_NUMBERS: Final = "iuf"
"""The kinds of arrays that hold numbers: whole, without a sign, and broken."""

_DAMAGE: Final = (
    OSError, EOFError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, MemoryError,
    # NotImplementedError is one of these: a zip of a later version, or packed in an unknown way.
    RuntimeError,
    SyntaxError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip
"""What zipfile, NumPy and JSON raise at files that are not what they seem."""

ABOUT: Final = "about"
"""The array that holds what a file is, as the bytes of JSON."""


class TablesError(Exception):
    """A table that cannot be used: missing, damaged, or made for something else.  Its text names the
    remedy.
    """


@dataclass(frozen=True, eq=False)
class Table:
    """One table as it lies on the disk."""

    name: str
    rules: Mapping[str, Any]
    """What it was made for, such as `{"players": 2, "crib_flush": "five"}`."""
    arrays: Mapping[str, NDArray[Any]]
    """The arrays, read-only."""


@dataclass(frozen=True, eq=False)
class LayingAway:
    """What players throw and keep when each does the best against the others: see `equilibrium`.

    The first axis of each array is the crib: 0 where it is the player's own side's, 1 where not.
    """

    players: int
    others: Others
    """What others can reckon with, hand by hand; `laying_away.ways` takes it."""
    thrown: NDArray[np.float64]
    """How often each throw is made, adding up to 1.  Two players: (2, 91, 2), pairs of ranks as in
    `shows.RANK_PAIRS`, of two suits and of one.  Three and four: (2, 13), by rank."""
    kept: NDArray[np.float64]
    """How often each four ranks are kept, in the order of `combinations_with_replacement(range(13), 4)`,
    adding up to 1: (2, 1820)."""
    cribs: NDArray[np.float64]
    """The mean of the crib over all hands that could throw this, as their holder sees it: the shape of
    *thrown*.  0 for a pair of one rank and one suit."""
    thrown_cribs: NDArray[np.float64]
    """The same over the hands that do throw it; NaN where none does."""
    hand_points: NDArray[np.float64]
    """The chance of each count of a hand, 0 to 29: (2, 30)."""
    crib_points: NDArray[np.float64]
    """The chance of each count of a crib: (30,)."""


@cache
def load(name: str) -> Table:
    """Return the shipped table *name*, read once; its arrays are of the shapes in `forms`.

    Raises:
        TablesError: If it is missing, damaged, of another format, or made for other rules.
    """
    return checked(read(DATA / f"{name}.npz"))


def checked(table: Table) -> Table:
    """Return *table*, one of those in `forms`, if it is what its name says.

    Raises:
        TablesError: If it was made for other rules, or an array is not there, or none of numbers, or of
            another shape.
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
def laying_away(players: int = 2) -> LayingAway:
    """Return what *players* (2, 3 or 4) throw and keep.

    Made for a crib whose flush is of five; where four will do, people throw nearly the same.

    Raises:
        TablesError: If the table is missing, damaged, of another format, or made for other rules.
    """
    table = load(f"laying-away-{players}")
    size = 6 if players == 2 else 5
    try:
        arrays = table.arrays
        throws = (_throws(size, arrays, 0), _throws(size, arrays, 1))
        thrown = _shares(arrays["thrown"])
        return LayingAway(
            players,
            Others(throws, (thrown[0], thrown[1])),
            thrown,
            np.stack([_shares(one.kept_weights(np.full(13, 4)).reshape(1, -1))[0] for one in throws]),
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
        TablesError: If it is missing, damaged or of another format, or has another name than its file.
    """
    try:
        # Opened here: where it is no table, np.load would leave it open, and speak of pickles.
        with path.open("rb") as stream:
            if not zipfile.is_zipfile(stream):
                raise _unusable(path.stem, "it cannot be read (it is cut short, or no table)")
            stream.seek(0)
            with np.load(stream, allow_pickle=False) as file, warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # NumPy's, of a header that is oddly written
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
    """Return the entries of a *role*: a multiset, what it throws, and how many of its hands do.

    Raises:
        KeyError: If they are not there.
    """
    hand = arrays[f"steps_{role}"].cumsum(dtype=np.intp)
    return hand, arrays[f"throws_{role}"].astype(np.intp), arrays[f"times_{role}"].astype(np.intp)


def _throws(size: int, arrays: Mapping[str, NDArray[Any]], role: int) -> DiscardHabits:
    hand, away, times = entries_of(arrays, role)
    number = len(rank_hands(size).total)
    total = np.bincount(hand, times, minlength=number)
    if len(total) > number or not total.all():
        raise ValueError("some hands discard nothing")
    return habits_of(size, hand, away, times / total[hand])


def _shares(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Return *counts* as shares that add up to 1 in each row."""
    rows = counts.reshape(len(counts), -1).astype(np.float64)
    return np.asarray((rows / rows.sum(axis=1, keepdims=True)).reshape(counts.shape))
