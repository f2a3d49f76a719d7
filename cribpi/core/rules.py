"""What a game is played by: frozen data, an option for each line where sources differ.

`options` tells each option's values in words, `presets` which source plays by which, and
`citations` whose rule each is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from cribpi.core import seats
from cribpi.core.board import STREET
from cribpi.core.errors import BadSetup
from cribpi.core.shown import shown

PRESETS: Final = (
    "standard",
    "computer-game",
    "lowe",
    "use-and-care",
    "travel-61",
    "travel-121",
    "acc",
    "acc-muggins",
)
"""The names of the rules that are offered, each after its source."""

TARGETS: Final = (121, 61)
"""The targets that menus offer.  121: board-set; 61 or 121: travel-set, agreed before play."""

LOWEST_TARGET: Final = 31
HIGHEST_TARGET: Final = 121
"""The board has no more holes."""

DEALS: Final[dict[int, Literal["six", "five-and-pack", "five"]]] = {2: "six", 3: "five-and-pack", 4: "five"}
"""How many cards each number of players is dealt."""


SCOREKEEPERS: Final[Mapping[str, tuple[int, ...]]] = {
    "off": (),
    "on": (0, 1),
    "0-3": (0, 3),
    "2-1": (2, 1),
    "2-3": (2, 3),
}
"""The seats that keep the board, one of each side, by the value of the option (lowe)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game.  The fields are the options, in the order in which they are listed.

    Raises:
        BadSetup: If options are out of range, or make no sense together.
    """

    name: str = "standard"
    """The preset that they come from; some of its options may have been changed by the house."""
    players: int = 2
    target: int = 121
    """The game hole: who reaches or passes it has won, at once (board-set, "How to win")."""
    first_dealer: Literal["low-cut", "random", "chosen"] = "low-cut"
    next_first_dealer: Literal["loser", "alternate", "cut", "winner"] = "loser"
    deal: Literal["six", "five-and-pack", "five"] = "six"
    starter_cut: Literal["pone-cuts", "dealer-turns", "left-cuts"] = "pone-cuts"
    heels: int = 2
    """Points for a jack turned up as the starter; 0 for none."""
    heels_deadline: Literal["none", "first-card"] = "none"
    go_award: Literal["close", "call"] = "close"
    last_card: int = 1
    """Points for the last card of the deal; 0 for none."""
    play_rounds: Literal["all", "one"] = "all"
    lead_after_close: Literal["left-of-last", "first-go"] = "left-of-last"
    self_combinations: Literal["any", "over-another"] = "any"
    crib_flush: Literal["five", "four"] = "five"
    miscount: Literal["machine", "lost", "muggins"] = "machine"
    skunk: bool = True
    double_skunk: bool = True
    stake: tuple[int, int, int] = (1, 2, 3)
    """What a game is worth: plain, against a skunk, against a double skunk."""
    renege: Literal["noted", "2", "2-a-card"] = "noted"
    false_win: Literal["put-right", "acc"] = "put-right"
    games_peg: bool = True
    partners_scorekeeper: Literal["off", "on", "0-3", "2-1", "2-3"] = "off"
    """Which of the partners keep the board: `on` is the first seat of each side."""
    match: str = "open"
    """`open`, `first-to-N` or `best-of-N` games, N from 1 to 99."""

    def __post_init__(self) -> None:
        self._check_ranges()
        if self.deal != DEALS[self.players]:
            raise BadSetup(
                f"deal={self.deal} is not for {self.players} players: choose deal={DEALS[self.players]}"
            )
        if self.heels_deadline != "none" and not self.heels:
            raise BadSetup("heels=none leaves nothing to take in time: choose heels_deadline=none")
        if self.heels_deadline != "none" and self.miscount == "machine":
            raise BadSetup(
                "miscount=machine pegs his heels by itself, so that no deadline is missed: "
                "choose heels_deadline=none, or miscount=lost or muggins"
            )
        if self.double_skunk and not self.skunk:
            raise BadSetup("a double skunk without a skunk makes no sense: choose double_skunk=off too")
        if self.lead_after_close == "first-go" and self.play_rounds == "one":
            raise BadSetup(
                "play_rounds=one has no second count to lead: choose lead_after_close=left-of-last"
            )
        if self.false_win == "acc" and seats.sides(self.players) > 2:
            raise BadSetup(
                "false_win=acc gives points to the other side, and here are two: choose false_win=put-right"
            )
        if self.partners_scorekeeper != "off" and self.players != 4:
            raise BadSetup("only partners choose who keeps the board: choose partners_scorekeeper=off")

    def _check_ranges(self) -> None:
        if self.name not in PRESETS:
            raise BadSetup(f"rules {shown(self.name)} are not known; there are: {', '.join(PRESETS)}")
        if self.players not in seats.PLAYERS:
            raise BadSetup(f"{self.players} players: cribbage is for 2, 3 or 4")
        if not LOWEST_TARGET <= self.target <= HIGHEST_TARGET:
            raise BadSetup(
                f"a target of {self.target} is not offered: choose 121 or 61, "
                f"or any from {LOWEST_TARGET} to {HIGHEST_TARGET}"
            )
        if self.heels not in {0, 2}:
            raise BadSetup(f"{self.heels} for his heels is not offered: choose 2 or none")
        if self.last_card not in {0, 1}:
            raise BadSetup(f"{self.last_card} for the last card is not offered: choose 1 or none")
        plain, skunked, double = self.stake
        if not 1 <= plain <= skunked <= double <= 9:
            raise BadSetup(
                f"a stake of {plain}-{skunked}-{double}: each is worth as much as the one before it "
                f"or more, from 1 to 9, as in 2-3-3"
            )
        if self.match != "open" and not _MATCH.fullmatch(self.match):
            raise BadSetup(
                f"a match of {shown(self.match)}: choose open, first-to-3 or best-of-5, or other numbers"
            )

    @property
    def scorekeepers(self) -> tuple[int, ...]:
        """The seats that keep the board, the first side's first; none where anyone may.

        >>> Rules(players=4, deal="five", partners_scorekeeper="2-1").scorekeepers
        (2, 1)
        """
        return SCOREKEEPERS[self.partners_scorekeeper]

    @property
    def skunk_below(self) -> int:
        """The score from which a loser is no longer skunked: 91 of 121, 31 of 61; 0 where it is off (ACC)."""
        return max(self.target - STREET, 0) if self.skunk else 0

    @property
    def double_skunk_below(self) -> int:
        """The same for a double skunk: 61 of 121; a game to 61 has none (ACC)."""
        below = self.target - 2 * STREET
        return below if self.double_skunk and below > STREET else 0

    @property
    def games_to_win(self) -> int | None:
        """The games that win the match: n of first-to-n, more than half of best-of-n; None for an open one.

        >>> Rules(match="first-to-3").games_to_win, Rules(match="best-of-5").games_to_win
        (3, 3)
        """
        found = _MATCH.fullmatch(self.match)
        if found is None:
            return None
        number = int(found[2])
        return number if found[1] == "first-to" else number // 2 + 1

    @property
    def games_in_match(self) -> int | None:
        """The most games of the match: n of best-of-n; None where there is no such bound."""
        found = _MATCH.fullmatch(self.match)
        return int(found[2]) if found and found[1] == "best-of" else None

    def stake_of(self, score: int) -> int:
        """Return what a game is worth against a loser with *score*."""
        plain, skunked, double = self.stake
        if score < self.double_skunk_below:
            return double
        return skunked if score < self.skunk_below else plain


_MATCH: Final = re.compile(r"(first-to|best-of)-([1-9][0-9]?)")

STANDARD: Final = Rules()
