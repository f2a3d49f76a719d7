"""The number of examples per law: a fixed sample in `make test`, thousands in `make prove`.

A law with Hypothesis takes SAMPLE examples by default; `@examples(n)` sets another number for expensive ones.
A test that draws its own examples uses the fixture `whole`, and runs all examples if that is true. Both kinds
are marked `sampled`, so that `make prove` runs them again in full.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import pytest
from _pytest.mark import ParameterSet
from hypothesis import HealthCheck, settings

SAMPLE: Final = 25
WHOLE: Final = 2_500
EVERY: Final = 16
"""Step between the bytes at which a bus is broken in a sample."""

# A shared or small machine is slow at times, which is no failure of the tested code.
_ANYWHERE: Final = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("sample", _ANYWHERE, max_examples=SAMPLE, derandomize=True, database=None)
# For an emulated processor, on which an example takes ten to twenty times as long.
settings.register_profile("few", _ANYWHERE, max_examples=10, derandomize=True, database=None)
settings.register_profile("whole", _ANYWHERE, max_examples=WHOLE)


def examples(few: int, *, steps: int | None = None) -> settings:
    """Return the settings of a law: *few* examples in `make test`, and proportionally more in a proof.

    *steps* is the maximum number of steps of a stateful test.
    """
    share = max(1, few * settings().max_examples // SAMPLE)
    return (
        settings(max_examples=share)
        if steps is None
        else settings(max_examples=share, stateful_step_count=steps)
    )


def bytes_to_break(length: int, *, whole: bool) -> list[int]:
    """Return the bytes of a transfer of *length* at which to break the bus: every 16th and the last, or all.

    >>> bytes_to_break(40, whole=False)
    [1, 17, 33, 40]
    """
    return list(range(1, length + 1)) if whole else sorted({*range(1, length + 1, EVERY), length})


def some(cases: Iterable[Any], *these: int) -> list[ParameterSet]:
    """Return *cases* for a test, of which `make test` runs only *these*, by index. `make prove` runs all.

    A negative index counts from the end.
    """
    found = [case if isinstance(case, ParameterSet) else pytest.param(*case) for case in cases]
    tried = {place % len(found) for place in these}
    return [
        case
        if place in tried
        else pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.prove])
        for place, case in enumerate(found)
    ]


def some_of(values: Iterable[Any], *these: int) -> list[ParameterSet]:
    """Return *values* for a test of one parameter, of which `make test` runs only *these*, by index."""
    return some([value if isinstance(value, ParameterSet) else (value,) for value in values], *these)
