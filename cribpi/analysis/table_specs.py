"""The specification of each shipped table: the rules it was made for, and the shapes of its arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

Shape = tuple[int | None, ...]
"""The length of each axis; None for a length that depends on the data."""


@dataclass(frozen=True, slots=True)
class TableSpec:
    rules: Mapping[str, Any]
    shapes: Mapping[str, Shape]


def _discards(players: int) -> TableSpec:
    habits: Shape = (2, 91, 2) if players == 2 else (2, 13)
    entries = [f"{what}_{role}" for role in range(2) for what in ("steps", "throws", "times")]
    shapes = dict.fromkeys(entries, (None,)) | dict.fromkeys(("thrown", "cribs", "thrown_cribs"), habits)
    counts: dict[str, Shape] = {"hand_points": (2, 30), "crib_points": (30,)}
    return TableSpec({"players": players, "crib_flush": "five"}, shapes | counts)


def _playing(players: int, rounds: str) -> TableSpec:
    shapes: dict[str, Shape] = {"danger": (1,), "held": (13,), "later": (1120, 32, 2)}
    return TableSpec({"players": players, "play_rounds": rounds}, shapes)


TABLE_SPECS: Final[Mapping[str, TableSpec]] = {
    **{f"laying-away-{players}": _discards(players) for players in (2, 3, 4)},
    **{f"playing-{players}": _playing(players, "all") for players in (2, 3, 4)},
    "playing-2-one": _playing(2, "one"),
    "pegging-2": TableSpec(
        {"players": 2, "play_rounds": "all"},
        {"points": (2, 1820, 2), "spread": (2, 20, 20), "first": (20, 20)},
    ),
    "winning-2": TableSpec({"players": 2}, {"chances": (122, 122)}),
}
"""The specification of each table, by name."""
