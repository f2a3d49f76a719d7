"""JSON types of cards and scores."""

from typing import TypeAlias, TypedDict

from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.rules.json_types import Reason

Seat: TypeAlias = int
"""The number of a seat, from 0."""
Side: TypeAlias = int
"""The number of a side, from 0."""
Card: TypeAlias = str
"""A card: its rank, and its suit if that is known, such as `10` or `10H`."""


class PlainScore(TypedDict):
    kind: Kind
    points: int
    cards: list[Card]


class Score(PlainScore):
    why: Reason
