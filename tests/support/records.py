"""States of tables after the lines of a game record."""

from __future__ import annotations

from typing import Final

from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.record import HEADER, Comment, parse


def after(*lines: str) -> State:
    """Return the state after *lines* of a record. The first line begins a game."""
    return fold(event for event in parse("\n".join((HEADER, *lines))) if not isinstance(event, Comment))


MISSED: Final = (
    'game "A" "B" rules=acc-muggins dealer=1',
    "starter 7",
    "play 0:3 1:6 0:8 1:K 0:go 1:go 0:9 1:6 0:10",
)
"""A plays 3 8 9 10, which count six with the seven, plus a flush if their suits match. B has a card left."""
