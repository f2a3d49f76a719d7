"""What a finished game, or one in progress, adds up to: scores after each deal, and the best hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import add

from cribpi.cribbage.game.ledger import Ledger, Show


def course(ledger: Ledger) -> tuple[tuple[int, ...], ...]:
    """Return each side's score after each deal, the last as it stands."""
    brought = [[gains.total for gains in row.gains] for row in ledger]
    scores = accumulate(brought, lambda scores, more: list(map(add, scores, more)))
    return tuple(map(tuple, scores))[1:]


def best(shows: Sequence[Show]) -> Show | None:
    """Return the hand or crib that was worth most, of several the first."""
    return max(shows, key=lambda show: show.points, default=None)
