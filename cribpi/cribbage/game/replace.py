"""`dataclasses.replace` for the values of a game, in a quarter of its time.

Each event copies a state and its deal some three times.  `dataclasses.replace` asks for each of 20 fields by
name, and a frozen class then sets each through `object.__setattr__`.  Here they are copied all at once.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:  # mypy knows its fields
    from dataclasses import replace as replace  # noqa: PLC0414  exported
else:

    @cache
    def _fields(kind: type) -> tuple[tuple[str, ...], attrgetter]:
        names = tuple(field.name for field in dataclasses.fields(kind))
        return names, attrgetter(*names)

    def replace(value: T, /, **changes: Any) -> T:  # noqa: ANN401  of any field
        """Return *value*, of a frozen class without slots and `__post_init__`, with *changes*.

        Cached properties are not copied, because they may depend on a field that changes.
        """
        names, values = _fields(type(value))
        new = object.__new__(type(value))
        vars(new).update(zip(names, values(value), strict=True), **changes)
        return new
