"""What whoever asks is told: the table is given what makes the text, and makes none itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from cribpi.companion.table.faults import Faults
from cribpi.companion.table.snapshot import Snapshot

See: TypeAlias = "Callable[[Snapshot], Snapshot]"
"""Gives what there is as it is seen at the desk of whoever asks."""


class Answers(Protocol):
    def accepted(self, now: Snapshot, see: See, faults: Faults, /) -> str:
        """Return the text for what was accepted, and has led to *now*."""

    def refused(self, error: Exception, now: Snapshot, faults: Faults, /) -> str:
        """Return the text for what was refused by *error*."""

    def overtaken(self, by: str, now: Snapshot, see: See, faults: Faults, /) -> str:
        """Return the text for what came too late, and by whom: `person` or `machine`."""
