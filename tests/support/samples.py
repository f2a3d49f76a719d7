"""How many examples of a law are tried: a sample in `make test`, the same ones each time; thousands in `make
prove`.

A law that Hypothesis searches takes SAMPLE examples by itself; one whose examples are dear says how many by
`@examples(n)`.  A test that draws its own asks for the fixture `whole`, and takes all that there is where it
is true.  Both kinds are marked `sampled`, so that `make prove` runs them again, whole.
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
"""Of the bytes at which a bus may break, how many are passed over to the next that is tried."""

# A shared or small machine is slow now and then; that is no failure of what is tested.
_ANYWHERE: Final = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("sample", _ANYWHERE, max_examples=SAMPLE, derandomize=True, database=None)
# For an emulated processor, where each example costs ten to twenty times as much.
settings.register_profile("few", _ANYWHERE, max_examples=10, derandomize=True, database=None)
settings.register_profile("whole", _ANYWHERE, max_examples=WHOLE)


def examples(few: int, *, steps: int | None = None) -> settings:
    """Return the settings of a law of which *few* examples are tried in `make test`, and as many times more
    in a proof.

    *steps* is how many a stateful test takes at most.
    """
    share = max(1, few * settings().max_examples // SAMPLE)
    return (
        settings(max_examples=share)
        if steps is None
        else settings(max_examples=share, stateful_step_count=steps)
    )


def bytes_to_break(length: int, *, whole: bool) -> list[int]:
    """Return at which bytes of a transfer of *length* to break the bus: at every 16th and the last, or at
    each.

    >>> bytes_to_break(40, whole=False)
    [1, 17, 33, 40]
    """
    return list(range(1, length + 1)) if whole else sorted({*range(1, length + 1, EVERY), length})


def some(cases: Iterable[Any], *these: int) -> list[ParameterSet]:
    """Return *cases* for a test of which `make test` tries *these*, by their places (below zero: from the
    end); `make prove` the others too."""
    found = [case if isinstance(case, ParameterSet) else pytest.param(*case) for case in cases]
    tried = {place % len(found) for place in these}
    return [
        case
        if place in tried
        else pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.prove])
        for place, case in enumerate(found)
    ]


def some_of(values: Iterable[Any], *these: int) -> list[ParameterSet]:
    """The same for a test of one parameter."""
    return some([value if isinstance(value, ParameterSet) else (value,) for value in values], *these)
