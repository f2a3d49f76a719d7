"""Scores that explain themselves: what kind, how many points, which cards."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from cribpi.cribbage.game.cards import Card


class Kind(StrEnum):
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
"""The kind and points of so many cards of one rank."""


class Score(NamedTuple):
    """One score: its kind, its points (at least 1), and the cards that make it."""

    kind: Kind
    points: int
    cards: tuple[Card, ...]


def total(scores: Iterable[Score]) -> int:
    return sum(score.points for score in scores)
