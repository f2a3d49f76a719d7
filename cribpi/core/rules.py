"""What a game is played by: frozen data, an option for each line where sources differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cribpi.core.errors import BadSetup

TARGETS: Final = (121, 61)
"""The targets that are offered.  121: board-set; 61 or 121: travel-set, agreed before play."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game.

    *target* is the game hole: who reaches or passes it has won, at once (board-set, "How to win").
    """

    name: str = "standard"
    target: int = 121

    def __post_init__(self) -> None:
        if self.name != "standard":
            raise BadSetup(f"rules {self.name!r} are not known; there is: standard")
        if self.target not in TARGETS:
            raise BadSetup(f"a target of {self.target} is not offered: choose 121 or 61")

    @property
    def skunk_below(self) -> int:
        """The score from which a loser is no longer skunked: 91 of 121, 31 of 61 (ACC)."""
        return 91 if self.target == 121 else 31

    @property
    def double_skunk_below(self) -> int:
        """The same for a double skunk: 61 of 121; a game to 61 has none (ACC)."""
        return 61 if self.target == 121 else 0


STANDARD: Final = Rules()
