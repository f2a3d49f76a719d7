"""A table of a file or message, read key by key: each error is a sentence, and unknown keys are errors."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import MISSING, field, fields
from typing import Any, ClassVar, Final, TypeGuard, TypeVar

from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import hidden, shown

ABOVE_0: Final = math.ulp(0.0)
"""The lowest number above 0, for a range that leaves 0 out."""

LAST_PORT: Final = 65_535
"""The highest port number."""

T = TypeVar("T")

_LONGEST: Final = 60
"""Most characters of a quoted value."""


class Unfit(UserError, ValueError):
    """A file that cannot be used; the message names the file, the key, the value and the remedy."""

    page: ClassVar[str]
    """The page of the docs that shows what such a file holds."""


# A TOML boolean is a bool, which Python counts among the integers.
def _is_integer(value: object) -> TypeGuard[int]:
    return type(value) is int


def _is_number(value: object) -> TypeGuard[float]:
    return type(value) in {int, float}


def _toml(value: object) -> str:
    """Format *value* nearly as in TOML."""
    return json.dumps(value, default=str, ensure_ascii=False)


class Section:
    """A table of a file, which records the requested keys.

    Every method that takes a *key* raises *error* if the key is missing or unfit, except `has`, and except
    the methods called `if_any`, which raise it only if the key is unfit.
    """

    def __init__(self, file: str, name: str, table: dict[str, object], error: type[Unfit]) -> None:
        self._file = file
        self._name = name
        self._table = table
        self._error = error
        self._asked: dict[str, None] = {}

    def refusal(self, key: str, reason: str, *, index: int | None = None) -> Unfit:
        """Return the error for *key*, or for item *index* of its list: the place, the value, and *reason*."""
        value = self._table.get(key)
        where = self._path(key)
        if index is not None and isinstance(value, list):
            where, value = f"{where}[{index}]", value[index]
        there = f" = {shown(value, _toml, _LONGEST)}" if key in self._table else ""
        return self._error(f"{self._file}: {shown(where, str)}{there}: {reason}")

    def finish(self) -> None:
        """Raise an error for a key that has not been requested: it is misspelt, or belongs elsewhere.

        Raises:
            Unfit: If there is one.
        """
        for key in self._table:
            if key not in self._asked:
                raise self.refusal(
                    key, f"no such key here; remove it, or use one of {', '.join(self._asked)}"
                )

    def names(self) -> tuple[str, ...]:
        """Return the keys of this table, if its writer may choose them."""
        return tuple(self._table)

    def has(self, key: str) -> bool:
        """Return whether the optional *key* is present."""
        self._asked[key] = None
        return key in self._table

    def value(self, key: str) -> object:
        """Return the value of any type."""
        if not self.has(key):
            where = shown(self._path(key), str)
            raise self._error(f"{self._file}: {where} is missing; {self._error.page} explains it")
        return self._table[key]

    def text(self, key: str) -> str:
        """Return a text that is not blank and contains only printable characters."""
        value = self.value(key)
        if not isinstance(value, str) or not value.strip():
            raise self.refusal(key, "give text in quotes")
        if hidden(value) is not None:
            raise self.refusal(key, "give one line of printable characters")
        return value

    def string(self, key: str) -> str:
        """Return a text, which may be blank and contain unprintable characters."""
        value = self.value(key)
        if not isinstance(value, str):
            raise self.refusal(key, "give text in quotes")
        return value

    def choice(self, key: str, choices: Sequence[str]) -> str:
        value = self.value(key)
        if not isinstance(value, str) or value not in choices:
            raise self.refusal(key, f"choose one of {', '.join(choices)}")
        return value

    def whole(self, key: str) -> int:
        value = self.value(key)
        if not _is_integer(value):
            raise self.refusal(key, "give a whole number")
        return value

    def integer(self, key: str, low: int, high: int, *, hint: str = "") -> int:
        """Return a whole number from *low* to *high*; *hint* is added to the error."""
        value = self.value(key)
        if not _is_integer(value) or not low <= value <= high:
            wanted = f"give a whole number from {low} to {high}"
            raise self.refusal(key, f"{wanted}; {hint}" if hint else wanted)
        return value

    def integers(self, key: str, low: int, high: int, *, length: int | None = None) -> tuple[int, ...]:
        """Return a list of whole numbers from *low* to *high*: *length* of them, or at least one."""
        value = self._list(key)
        for index, item in enumerate(value):
            if not _is_integer(item) or not low <= item <= high:
                raise self.refusal(key, f"give a whole number from {low} to {high}", index=index)
        if length is not None and len(value) != length:
            raise self.refusal(key, f"give {length} numbers, not {len(value)}")
        return tuple(item for item in value if _is_integer(item))

    def boolean(self, key: str) -> bool:
        value = self.value(key)
        if not isinstance(value, bool):
            raise self.refusal(key, "write true or false")
        return value

    def number(self, key: str, low: float, high: float, reason: str) -> float:
        """Return a number from *low* to *high*; *reason* is the error for any other."""
        value = self.value(key)
        if not _is_number(value) or not low <= value <= high:
            raise self.refusal(key, reason)
        return float(value)

    def length(self, key: str) -> float:
        """Return a length in millimetres, more than 0 and at most 5,000."""
        return self.number(key, ABOVE_0, 5000, "give a length in millimetres, up to 5000")

    def scalar(self, key: str) -> str | int:
        """Return a text, a whole number, or a boolean."""
        value = self.value(key)
        if not isinstance(value, str | int):
            raise self.refusal(key, "give text in quotes")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, which may be empty."""
        value = self.value(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.refusal(key, 'give a list of names in quotes, such as ["ANN", "BOB"]')
        return tuple(value)

    def point(self, key: str, width: float, height: float) -> tuple[float, float]:
        """Return a point ``[x, y]`` in millimetres on a board of *width* by *height*."""
        value = self._list(key)
        numbers = [n for n in value if _is_number(n)]
        if len(numbers) != 2 or len(value) != 2:
            raise self.refusal(key, "give a place as [x, y] in millimetres")
        x, y = numbers
        if not (0 <= x <= width and 0 <= y <= height):
            raise self.refusal(
                key, f"this lies outside the board of {width:g} x {height:g} mm; move it inside"
            )
        return float(x), float(y)

    def size(self, key: str) -> tuple[float, float]:
        """Return ``[width, height]`` in millimetres, each more than 0 and at most 5,000."""
        value = self._list(key)
        numbers = [n for n in value if _is_number(n) and 0 < n <= 5000]
        if len(numbers) != 2 or len(value) != 2:
            raise self.refusal(key, "give [width, height] in millimetres, each up to 5000")
        return float(numbers[0]), float(numbers[1])

    def cells(self, key: str, columns: int, rows: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return two cells ``[[column, row], [column, row]]`` of a matrix, each counted from 0."""
        pairs: list[tuple[int, int]] = []
        for index, cell in enumerate(self._list(key)):
            numbers = [n for n in cell if _is_integer(n)] if isinstance(cell, list) else []
            if not isinstance(cell, list) or len(numbers) != 2 or len(cell) != 2:
                raise self.refusal(key, "give a cell as [column, row], counted from 0", index=index)
            column, row = numbers
            if not (0 <= column < columns and 0 <= row < rows):
                known = f"columns 0 to {columns - 1} and rows 0 to {rows - 1}"
                raise self.refusal(key, f"the panel has {known}; choose one of its cells", index=index)
            pairs.append((column, row))
        if len(pairs) != 2:
            raise self.refusal(key, f"give 2 cells, the first hole's and the last one's, not {len(pairs)}")
        return pairs[0], pairs[1]

    def grid(self, key: str) -> tuple[tuple[str, ...], ...]:
        rows: list[tuple[str, ...]] = []
        for index, row in enumerate(self._list(key)):
            if not isinstance(row, list) or not all(isinstance(item, str) for item in row):
                raise self.refusal(key, 'give a row of key names, such as ["A", "2"]', index=index)
            rows.append(tuple(row))
        return tuple(rows)

    def section(self, key: str) -> Section:
        value = self.value(key)
        if not isinstance(value, dict):
            raise self.refusal(key, f"write this as a table, [{self._path(key)}]")
        return Section(self._file, self._path(key), value, self._error)

    def section_if_any(self, key: str) -> Section:
        """Return the table of the optional *key*; an empty table if it is missing."""
        return self.section(key) if self.has(key) else Section(self._file, self._path(key), {}, self._error)

    def sections(self, key: str) -> list[Section]:
        """Return the tables of the list *key*, at least one."""
        tables: list[Section] = []
        for index, table in enumerate(self._list(key)):
            if not isinstance(table, dict):
                raise self.refusal(key, "write this as a table", index=index)
            tables.append(Section(self._file, f"{self._path(key)}[{index}]", table, self._error))
        return tables

    def sections_if_any(self, key: str) -> list[Section]:
        """Return the tables of the optional list *key*; empty if it is missing."""
        return self.sections(key) if self.has(key) else []

    def _path(self, key: str) -> str:
        return f"{self._name}.{key}".removeprefix(".")

    def _list(self, key: str) -> list[object]:
        value = self.value(key)
        if not isinstance(value, list) or not value:
            raise self.refusal(key, "give a list in square brackets that is not empty")
        return value


def setting(read: Callable[[Section, str], T], *, default: T) -> T:
    """Declare a field of a frozen dataclass that may be set in a file.

    `settings_in` calls *read*; if the key is missing, the field is *default*.
    """
    declared: T = field(default=default, metadata={"read": read})
    return declared


def required(read: Callable[[Section, str], T]) -> T:
    """Declare a field of a frozen dataclass that must be set in a file; `settings_in` calls *read*."""
    declared: T = field(metadata={"read": read})
    return declared


def settings_in(kind: type[Any], section: Section) -> dict[str, Any]:
    """Return the values in *section* for fields of the dataclass *kind*, by their names.

    Raises:
        Unfit: At the first unfit value; keys that are not fields are left to `Section.finish`.
    """
    return {
        attribute.name: attribute.metadata["read"](section, attribute.name)
        for attribute in fields(kind)
        if "read" in attribute.metadata and (section.has(attribute.name) or attribute.default is MISSING)
    }


def table_of(kind: type[T]) -> Callable[[Section, str], T]:
    """Return a reader of tables whose keys must be fields of the dataclass *kind*."""

    def table(section: Section, key: str) -> T:
        inside = section.section(key)
        values = settings_in(kind, inside)
        inside.finish()
        return kind(**values)

    return table
