"""What is refused, and the sentence that says why: the whole of it, or the facts that must be in it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest


def refused(kind: type[Exception], do: Callable[..., object], *given: object) -> str:
    """Return the sentence of the error of *kind* that ``do(*given)`` raises."""
    with pytest.raises(kind) as found:
        do(*given)
    return str(found.value)


def is_line_with(told: str, *facts: object) -> bool:
    """Tell whether *told* is one line, in which each of *facts* stands, in this order."""
    between = r"[^\n]*"
    return re.fullmatch(between.join(["", *(re.escape(str(one)) for one in facts), r"\n?"]), told) is not None
