"""The options of `Rules` in words: what each value means, how it is written, and how it is changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from cribpi.core.errors import BadSetup
from cribpi.core.rules import DEALS, Rules
from cribpi.core.shown import shown


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its *name* is the field of `Rules`; its *values* as they are written, each with its meaning."""

    name: str
    values: Mapping[str, str]
    others: str = field(default="")
    """What other values there are; empty where there are none."""

    @property
    def default(self) -> str:
        """Its value in a standard game of two, as it is written."""
        return written(getattr(Rules(), self.name))


OPTIONS: Final = tuple(
    Option(name, values, others)
    for name, values, others in (
        ("players", {"2": "two", "3": "three", "4": "four as two pairs of partners"}, ""),
        ("target", {"121": "twice round the board", "61": "once round"}, "31 to 121"),
        (
            "first_dealer",
            {
                "low-cut": "the lowest card of a cut deals first; the tied cut again",
                "random": "the machine draws who deals first",
                "chosen": "the table says who deals first",
            },
            "",
        ),
        (
            "next_first_dealer",
            {
                "loser": "the loser of the game before deals",
                "alternate": "the first deal passes to the left from game to game",
                "cut": "found anew, as before the first game",
                "winner": "the winner of the game before deals",
            },
            "",
        ),
        (
            "deal",
            {
                "six": "six each, two laid away (two players)",
                "five-and-pack": "five each, one laid away, one to the crib from the pack (three players)",
                "five": "five each, one laid away (four players)",
            },
            "",
        ),
        (
            "starter_cut",
            {
                "pone-cuts": "pone cuts, the dealer turns the card up",
                "dealer-turns": "the dealer turns up the top card",
                "left-cuts": "the player on the dealer's left cuts",
            },
            "",
        ),
        (
            "heels",
            {
                "2": "a jack turned up as the starter is two to the dealer, at once",
                "none": "a jack turned up is worth nothing",
            },
            "",
        ),
        (
            "heels_deadline",
            {"none": "never too late", "first-card": "lost, if not taken by the dealer's first card"},
            "",
        ),
        (
            "go_award",
            {
                "close": "to the last to play, when nobody can go on",
                "call": "to the last to play, when the first says go; thirty-one by the same player is one more",
            },
            "",
        ),
        ("last_card", {"1": "one for the last card of the deal", "none": "nothing for it"}, ""),
        (
            "play_rounds",
            {
                "all": "until every card is played",
                "one": "one count only: the play ends with its go or thirty-one",
            },
            "",
        ),
        (
            "lead_after_close",
            {
                "left-of-last": "the next to the left of the last to play, who still holds cards",
                "first-go": "who said go first in the count before",
            },
            "",
        ),
        (
            "self_combinations",
            {
                "any": "any cards one after the other count, one's own too",
                "over-another": "a pair counts only over another player's card",
            },
            "",
        ),
        (
            "crib_flush",
            {"five": "all five cards only, for five", "four": "four will do, as in a hand"},
            "",
        ),
        (
            "miscount",
            {
                "machine": "the machine counts",
                "lost": "players count; what is missed is lost",
                "muggins": "players count; the other side takes what is missed",
            },
            "",
        ),
        ("skunk", {"on": "a loser more than a street behind, under 91 of 121", "off": "no skunks"}, ""),
        (
            "double_skunk",
            {"on": "a loser more than two streets behind, under 61 of 121", "off": "no double skunks"},
            "",
        ),
        (
            "stake",
            {
                "1-2-3": "one for a game, two for a skunk, three for a double skunk",
                "1-2-4": "one for a game, two for a skunk, four for a double skunk",
                "2-3-3": "two for a game, three for a skunk of either sort: the ACC's game points",
                "1-1-1": "one for every game",
            },
            "three numbers from 1 to 9",
        ),
        (
            "renege",
            {
                "noted": "it is said, and nothing more",
                "2": "two to each other side",
                "2-a-card": "two to each other side for each card that should have been played",
            },
            "",
        ),
        (
            "false_win",
            {
                "put-right": "the score is put right",
                "acc": "fifteen back, and what was claimed too much to the other side",
            },
            "",
        ),
        ("games_peg", {"on": "a third peg counts the games won", "off": "games are not pegged"}, ""),
        (
            "partners_scorekeeper",
            {
                "on": "one of each side keeps the board: the first seat and the second",
                "0-3": "the first seat and the fourth do",
                "2-1": "the third seat and the second do",
                "2-3": "the third seat and the fourth do",
                "off": "anyone may",
            },
            "",
        ),
        (
            "match",
            {
                "open": "game after game",
                "first-to-3": "the first with three games wins it",
                "best-of-5": "the most of five games win it",
            },
            "first-to-N and best-of-N, N from 1 to 99",
        ),
    )
)
"""Every option, in the order of the fields of `Rules`."""

BY_NAME: Final[Mapping[str, Option]] = {option.name: option for option in OPTIONS}

_FIELDS: Final = {one.name: one for one in fields(Rules)}


def written(value: object) -> str:
    """Return the value of an option as it is written; `read` is the inverse.

    >>> written(True), written((2, 3, 3)), written(0), written("low-cut")
    ('on', '2-3-3', 'none', 'low-cut')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return "none" if value == 0 else str(value)


def read(name: str, text: str) -> Any:  # noqa: ANN401  the type is that of the field
    """Return the value that *text* means for the option *name*.

    Raises:
        BadSetup: If there is no such option, or *text* is none of its values.
    """
    option = BY_NAME.get(name)
    if option is None:
        raise BadSetup(f"{shown(name)} is no option of the rules: there are {', '.join(BY_NAME)}")
    default = getattr(Rules(), name)
    value: object = text
    if isinstance(default, bool):
        value = {"on": True, "off": False}.get(text, text)
    elif isinstance(default, int) and text.isascii() and text.isdigit() and len(text) < 5:
        value = int(text)
    elif isinstance(default, int) and text == "none":
        value = 0
    elif isinstance(default, tuple):
        parts = text.split("-")
        is_number = all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts)
        value = tuple(map(int, parts)) if is_number else text
    is_right = isinstance(value, type(default)) and (not isinstance(value, tuple) or len(value) == 3)
    if not is_right or (text not in option.values and not option.others):
        choices = ", ".join((*option.values, *([option.others] if option.others else [])))
        raise BadSetup(f"{name}={shown(text, str)} can't be: choose {choices}")
    return value


def changed(rules: Rules, changes: Mapping[str, str]) -> Rules:
    """Return *rules* with the options of *changes*, each as it is written, in their place.

    The number of players brings its own deal.

    Raises:
        BadSetup: If an option or value is not known, or they make no sense together.
    """
    values = {name: read(name, text) for name, text in changes.items()}
    if "players" in values and "deal" not in values:
        values["deal"] = DEALS.get(values["players"], rules.deal)
    return replace(rules, **values)


def differences(a: Rules, b: Rules) -> dict[str, tuple[str, str]]:
    """Return the options in which *a* and *b* differ, each with both values as they are written."""
    pairs = {name: (written(getattr(a, name)), written(getattr(b, name))) for name in BY_NAME}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
