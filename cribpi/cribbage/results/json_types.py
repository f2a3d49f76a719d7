"""JSON types of past games."""

from typing import TypedDict

from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.words.json_types import Side


class SideScore(TypedDict):
    name: str
    said: str
    """The name within a sentence; partners have both names."""
    score: int


class GameSummary(TypedDict):
    rules: str
    target: int
    entry: Entry
    seats: list[str]
    sides: list[SideScore]
    winner: Side | None
