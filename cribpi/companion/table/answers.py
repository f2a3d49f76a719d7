"""What the table is given to put its answers in the form that clients read."""

from __future__ import annotations

from typing import Protocol

from cribpi.companion.table.snapshot import Snapshot
from cribpi.cribbage.rules.table import Rules


class Answers(Protocol):
    def state(self, now: Snapshot, /) -> dict[str, object]:
        """Return the state in the shape of the contract."""

    def plain(self, now: Snapshot, message: str, /) -> dict[str, object]:
        """Return the same without words, for where a part fails."""

    def refusal(self, error: Exception, rules: Rules, /) -> dict[str, object]:
        """Return a refusal."""
