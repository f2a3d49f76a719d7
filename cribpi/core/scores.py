"""A score: what kind, how many points, which cards.  A bare number cannot explain itself."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from cribpi.core.cards import Card


class Kind(StrEnum):
    """What a score is for."""

    FIFTEEN = "fifteen"
    PAIR = "pair"
    PAIR_ROYAL = "pair-royal"
    DOUBLE_PAIR_ROYAL = "double-pair-royal"
    RUN = "run"
    FLUSH = "flush"
    NOBS = "nobs"
    THIRTY_ONE = "thirty-one"
    GO = "go"
    LAST = "last"
    HEELS = "heels"


PAIRS = {2: (Kind.PAIR, 2), 3: (Kind.PAIR_ROYAL, 6), 4: (Kind.DOUBLE_PAIR_ROYAL, 12)}
"""Cards of one rank together: the kind, and its points."""


class Score(NamedTuple):
    """One score: its kind, its points (at least 1), and the cards that make it."""

    kind: Kind
    points: int
    cards: tuple[Card, ...]


def total(scores: Iterable[Score]) -> int:
    """Return the points of *scores* together."""
    return sum(score.points for score in scores)
