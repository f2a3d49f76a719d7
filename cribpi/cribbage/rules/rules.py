"""The rules of one game: a field per option of the rule book. Also presets and house rules.

If a source does not mention an option, its preset has the value of `standard`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final, Literal

from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.seats import STREET
from cribpi.cribbage.rules.shown import amount, shown

SCOREKEEPERS: Final[Mapping[str, tuple[int, ...]]] = {
    "off": (),
    "on": (0, 1),
    "0-3": (0, 3),
    "2-1": (2, 1),
    "2-3": (2, 3),
}
"""Seats that move the pegs, one per side, by the option's value (lowe)."""

NOT_FROM_STINKHOLE: Final[Mapping[str, tuple[str, ...]]] = {
    "any": (),
    "not-heels": ("heels",),
    "not-go": ("heels", "go", "last"),
}
"""Kinds of score that peg nothing from the stinkhole, by the option's value.

It is the hole before the game hole.
"""

_MATCH: Final = re.compile(r"(first-to|best-of)-([1-9][0-9]?)")


def _is_stake(value: tuple[int, int, int]) -> bool:
    plain, skunked, double = value
    return 1 <= plain <= skunked <= double <= 9


_FITS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "target": lambda value: 31 <= value <= 121,  # at least a street, and no more holes than the board has
    "stake": _is_stake,
    "match": lambda value: value == "open" or _MATCH.fullmatch(value) is not None,
}
"""Checks for options that allow more values than the rule book lists."""


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """The rules of one game. Each field except *name* is an option, in the order of the rule book.

    The defaults repeat those of the rule book, so that a standard game need not read it.

    >>> Rules(target=61, heels=0)
    Rules(target=61, heels=0)

    Raises:
        BadSetup: If options are out of range, or contradict each other.
    """

    name: str = "standard"
    """Name of the preset on which these rules are based."""
    players: int = 2
    target: int = 121
    """The game hole. The first side to reach or pass it wins at once (board-set, "How to win")."""
    first_dealer: Literal["low-cut", "random", "chosen"] = "low-cut"
    next_first_dealer: Literal["loser", "alternate", "cut", "winner"] = "loser"
    deal: Literal["six", "five-and-pack", "five", "five-card"] = "six"
    three_for_last: bool = False
    starter_cut: Literal["pone-cuts", "dealer-turns", "left-cuts"] = "pone-cuts"
    heels: int = 2
    """Points for a jack as the starter; 0 for none."""
    heels_deadline: Literal["none", "first-card"] = "none"
    go_award: Literal["close", "call"] = "close"
    after_go: Literal["play-on", "two-close"] = "play-on"
    last_card: int = 1
    """Points for the last card of the deal; 0 for none."""
    play_rounds: Literal["all", "one"] = "all"
    lead_after_close: Literal["left-of-last", "first-go"] = "left-of-last"
    self_combinations: Literal["any", "over-another"] = "any"
    crib_flush: Literal["five", "four"] = "five"
    miscount: Literal["machine", "lost", "muggins"] = "machine"
    stinkhole: Literal["any", "not-heels", "not-go"] = "any"
    skunk: bool = True
    double_skunk: bool = True
    stake: tuple[int, int, int] = (1, 2, 3)
    """Worth of a game: a plain win, a win with a skunk, and a win with a double skunk."""
    renege: Literal["noted", "2", "2-a-card"] = "noted"
    false_win: Literal["put-right", "acc", "lose"] = "put-right"
    overpegged: Literal["put-right", "to-the-other"] = "put-right"
    games_peg: bool = True
    partners_scorekeeper: Literal["off", "on", "0-3", "2-1", "2-3"] = "off"
    """Partners who move the pegs. `on` means the first seat of each side."""
    match: str = "open"
    """`open`, `first-to-N` or `best-of-N`, with N from 1 to 99 games."""

    def __post_init__(self) -> None:
        if self.name != "standard":
            find_preset(self.name)
        for option in fields(self)[1:]:
            value = getattr(self, option.name)
            # The type is compared too, because 1 == True.
            if value != option.default or type(value) is not type(option.default):
                _check(option.name, value)
        self._check_together()

    def __repr__(self) -> str:
        values = ((option.name, getattr(self, option.name), option.default) for option in fields(self))
        own = (f"{name}={value!r}" for name, value, default in values if value != default)
        return f"Rules({', '.join(own)})"

    def _check_together(self) -> None:
        """Raise `BadSetup` if options contradict each other."""
        deal = seats.USUAL_DEALS[self.players]
        if self.deal != deal and (self.players, self.deal) != (2, "five-card"):
            raise BadSetup(
                f"deal={self.deal} is not for {self.players} players: choose deal={deal}", (("deal", deal),)
            )
        if self.three_for_last and self.players != 2:
            raise BadSetup(
                "three for last is for two players: choose three_for_last=off", (("three_for_last", "off"),)
            )
        if self.heels_deadline != "none" and not self.heels:
            raise BadSetup(
                "with heels=none there is nothing to take: choose heels_deadline=none",
                (("heels_deadline", "none"),),
            )
        if self.heels_deadline != "none" and self.miscount == "machine":
            raise BadSetup(
                "with miscount=machine, cribpi pegs his heels and no deadline applies: "
                "choose heels_deadline=none, or miscount=lost or muggins",
                (("heels_deadline", "none"), ("miscount", "lost"), ("miscount", "muggins")),
            )
        if self.double_skunk and not self.skunk:
            raise BadSetup(
                "double skunks need skunks: choose double_skunk=off too",
                (("double_skunk", "off"),),
            )
        if self.lead_after_close == "first-go" and self.play_rounds == "one":
            raise BadSetup(
                "with play_rounds=one there is no second count to lead: choose lead_after_close=left-of-last",
                (("lead_after_close", "left-of-last"),),
            )
        for name in ("false_win", "overpegged") if seats.sides(self.players) > 2 else ():
            value = getattr(self, name)
            if value != "put-right":
                what = "the game" if value == "lose" else "points"
                raise BadSetup(
                    f"{name}={value} gives {what} to the opponent, but here there are two: "
                    f"choose {name}=put-right",
                    ((name, "put-right"),),
                )
        if self.after_go != "play-on" and self.players != 3:
            raise BadSetup(
                "after_go=two-close is for three players: choose after_go=play-on",
                (("after_go", "play-on"),),
            )
        if self.partners_scorekeeper != "off" and self.players != 4:
            raise BadSetup(
                "only partners choose who moves the pegs: choose partners_scorekeeper=off",
                (("partners_scorekeeper", "off"),),
            )

    def as_written(self) -> dict[str, str]:
        """Return the value of every option as text.

        >>> Rules().as_written()["stake"]
        '1-2-3'
        """
        return {option.name: written(getattr(self, option.name)) for option in fields(self)[1:]}

    @property
    def scorekeepers(self) -> tuple[int, ...]:
        """Seats that move the pegs, the first side's first. Empty if all players may.

        >>> Rules(players=4, deal="five", partners_scorekeeper="2-1").scorekeepers
        (2, 1)
        """
        return SCOREKEEPERS[self.partners_scorekeeper]

    def counts(self, kind: str, to_go: int) -> bool:
        """Return whether a score of *kind* pegs for a side with *to_go* points to go.

        Some rules exclude scores from the stinkhole.

        >>> Rules(stinkhole="not-go").counts("last", 1), Rules(stinkhole="not-go").counts("last", 2)
        (False, True)
        """
        return to_go != 1 or kind not in NOT_FROM_STINKHOLE[self.stinkhole]

    @property
    def sizes(self) -> seats.Sizes:
        """Numbers of cards in a deal."""
        return seats.SIZES[self.deal]

    @property
    def is_five_card(self) -> bool:
        """Whether this is five-card cribbage, in which a hand keeps three cards.

        The computer has no tables for it.
        """
        return self.deal == "five-card"

    @property
    def skunk_below(self) -> int:
        """Lowest score at which a loser is not skunked: 91 of 121, 31 of 61 (ACC). 0 if skunks are off."""
        # A loser at 90 is skunked, and one at 91 is not. Some published rules get this limit wrong.
        return max(self.target - STREET, 0) if self.skunk else 0

    @property
    def double_skunk_below(self) -> int:
        """Lowest score at which a loser is not double skunked: 61 of 121 (ACC). 0 in a game to 61."""
        below = self.target - 2 * STREET
        return below if self.double_skunk and below > STREET else 0

    @property
    def games_to_win(self) -> int | None:
        """Games needed to win the match: N of first-to-N, more than half of best-of-N.

        None if the match is open.

        >>> Rules(match="first-to-3").games_to_win, Rules(match="best-of-5").games_to_win
        (3, 3)
        """
        match = _MATCH.fullmatch(self.match)
        if match is None:
            return None
        number = int(match[2])
        return number if match[1] == "first-to" else number // 2 + 1

    @property
    def games_in_match(self) -> int | None:
        """Maximum number of games in the match: N of best-of-N. None for no limit."""
        match = _MATCH.fullmatch(self.match)
        return int(match[2]) if match and match[1] == "best-of" else None

    def skunk_of(self, score: int) -> int:
        """Return 1 if a loser with *score* is skunked, 2 if double skunked, otherwise 0."""
        return (score < self.skunk_below) + (score < self.double_skunk_below)

    def stake_of(self, score: int) -> int:
        """Return the worth of a game against a loser with *score*."""
        return self.stake[self.skunk_of(score)]


def _check(name: str, value: object) -> None:
    option, fits = rulebook().options[name], _FITS.get(name)
    if fits(value) if fits else written(value) in option.values:
        return
    *most, last = option.values
    wrong = option.wrong or f"{name}={{value}} is not offered: choose {{choices}}"
    plain = "-".join(map(str, value)) if isinstance(value, tuple) else value
    raise BadSetup(wrong.format(value=plain, shown=shown(value), choices=f"{', '.join(most)} or {last}"))


def written(value: object) -> str:
    """Format the value of an option as text. `read` is the inverse.

    >>> written(True), written((2, 3, 3)), written(0), written("low-cut")
    ('on', '2-3-3', 'none', 'low-cut')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return "none" if value == 0 else str(value)


STANDARD: Final = Rules()


@lru_cache(maxsize=64)
def preset(name: str, players: int = 2) -> Rules:
    """Return the rules of the preset *name* for *players*.

    >>> preset("lowe", 3).deal, preset("travel-61").target
    ('five-and-pack', 61)

    Raises:
        BadSetup: If the preset does not exist, or has no game for that many players.
    """
    source = find_preset(name)
    if players not in source.sources:
        known = " or ".join(map(str, source.players)).replace(" or ", ", ", len(source.players) - 2)
        many = amount(players, "player")
        raise BadSetup(f"{name} is not for {many}: choose {known} players, or other rules")
    options: dict[str, Any] = {
        "deal": seats.USUAL_DEALS[players],
        "partners_scorekeeper": "on" if players == 4 else "off",
    }
    if players > 2:
        options["starter_cut"] = "left-cuts"
    own = {option: read(option, text) for option, text in source.options.items()}
    return Rules(name, players, **(options | own))


_OTHERS: Final = {int: r"\d{1,4}", tuple: r"\d{1,4}(-\d{1,4}){2}", str: ".*"}
"""Pattern of values that the rule book does not list, by the option's type. `_FITS` has the exact checks."""


def read(name: str, text: str) -> Any:  # noqa: ANN401  the type is that of the field
    """Parse *text* as a value of the option *name*.

    Raises:
        BadSetup: If the option does not exist, or *text* is not one of its values.
    """
    options = rulebook().options
    if name not in options:
        raise BadSetup(f"{shown(name)} is not an option of the rules: the options are {', '.join(options)}")
    option, default = options[name], getattr(STANDARD, name)
    if text not in option.values and not (
        option.others and re.fullmatch(_OTHERS[type(default)], text, re.ASCII | re.DOTALL)
    ):
        choices = ", ".join((*option.values, *([option.others] if option.others else [])))
        raise BadSetup(f"{name}={shown(text, str)} is not offered: choose {choices}")
    if isinstance(default, bool):
        return text == "on"
    if isinstance(default, int):
        return 0 if text == "none" else int(text)
    return tuple(map(int, text.split("-"))) if isinstance(default, tuple) else text


def changed(rules: Rules, changes: Mapping[str, str]) -> Rules:
    """Return *rules* with *changes*, whose values are texts.

    A new number of players also changes the deal, unless *changes* has a deal.

    Raises:
        BadSetup: If an option or value is not known, or options contradict each other.
    """
    values = {name: read(name, text) for name, text in changes.items()}
    if "players" in values and "deal" not in values:
        values["deal"] = seats.USUAL_DEALS.get(values["players"], rules.deal)
    return replace(rules, **values)


def house_rules(name: str, players: int, changes: Mapping[str, str]) -> Rules:
    """Return the rules of a new game: the preset *name* for *players* with *changes*, whose values are texts.

    A change of `players` is ignored.

    Raises:
        BadSetup: If the preset, an option or a value is not known, the preset has no game for that many
            players, or options contradict each other.
    """
    rules = changed(preset(name, players), {key: text for key, text in changes.items() if key != "players"})
    # Checked only for new games, because old records have such games.
    if rules.go_award == "call" and rules.players > 2:
        raise BadSetup(
            "go_award=call is for two players: with three or four, only the end of the count shows "
            "who plays last; choose go_award=close",
            (("go_award", "close"),),
        )
    return rules


CHOSEN_PER_GAME: Final = frozenset({"target", "match"})
"""Options chosen for each game. They do not count as house rules."""


def house_changes(rules: Rules) -> dict[str, str]:
    """Return the options in which *rules* differ from their preset, with their values as text."""
    plain = preset(rules.name, rules.players)
    return {} if rules == plain else {name: own for name, (_, own) in differences(plain, rules).items()}


def differences(a: Rules, b: Rules) -> dict[str, tuple[str, str]]:
    """Return the options in which *a* and *b* differ, each with both values as text."""
    values = ((field.name, getattr(a, field.name), getattr(b, field.name)) for field in fields(a)[1:])
    return {name: (written(first), written(second)) for name, first, second in values if first != second}
