"""What is refused, and the whole sentence that says why."""

from __future__ import annotations

from collections.abc import Callable

import pytest


def refused(kind: type[Exception], do: Callable[..., object], *given: object) -> str:
    """Return the sentence of the error of *kind* that ``do(*given)`` raises."""
    with pytest.raises(kind) as found:
        do(*given)
    return str(found.value)
