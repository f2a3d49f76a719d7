"""Checks of error messages: the whole message, or the facts that it must contain."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest


def refused(kind: type[Exception], do: Callable[..., object], *given: object) -> str:
    """Return the message of the error of *kind* that ``do(*given)`` raises."""
    with pytest.raises(kind) as found:
        do(*given)
    return str(found.value)


def is_line_with(told: str, *facts: object) -> bool:
    """Return whether *told* is one line that contains each of *facts*, in this order."""
    between = r"[^\n]*"
    return re.fullmatch(between.join(["", *(re.escape(str(one)) for one in facts), r"\n?"]), told) is not None
