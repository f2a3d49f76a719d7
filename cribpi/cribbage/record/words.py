"""The words of a record's line, taken one by one and printed; and the line that begins a game.

Cards, claims, counts and names are parsed and printed only here, so that both stay inverses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import PERSON, PERSON_WORD, Entry, GameStarted
from cribpi.cribbage.game.match import Tally
from cribpi.cribbage.game.show import SuitClaim
from cribpi.cribbage.rules.errors import BadCard, BadSetup, RecordError
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import STANDARD, Rules, changed, differences, preset, read
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.cards import parse_card

QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
"""A name in double quotes, with a backslash before any quote or backslash in it."""


def _is_card(word: str) -> bool:
    try:
        parse_card(word)
    except BadCard:
        return False
    return True


class Words:
    """The words of a line after its keyword, taken one by one; remembers their columns."""

    def __init__(self, words: Sequence[tuple[int, str]], line: int, end: int) -> None:
        self._words = list(words)
        self._line = line
        self._column = words[0][0] if words else end

    def fail(self, problem: str) -> RecordError:
        """Return the error for *problem* at the word taken last."""
        return RecordError(problem, self._line, self._column)

    def more(self) -> bool:
        return bool(self._words)

    def peek(self) -> str:
        """Return the next word without taking it, or an empty string at the end."""
        return self._words[0][1] if self._words else ""

    def word(self, what: str) -> str:
        """Take the next word; *what* names it in errors.

        Raises:
            RecordError: If no word is left.
        """
        if not self._words:
            raise self.fail(f"{what} is missing")
        self._column, word = self._words.pop(0)
        return word

    def number(self, what: str) -> int:
        """Take an integer of at most four digits; *what* names it in errors.

        Raises:
            RecordError: If the next word is not one.
        """
        word = self.word(what)
        if not re.fullmatch(r"[+-]?[0-9]{1,4}", word):
            raise self.fail(f"{shown(word)}: write the {what} as a number")
        return int(word)

    def card(self) -> Card:
        """Take a card.

        Raises:
            RecordError: If the next word is not one.
        """
        word = self.word("a card")
        try:
            return parse_card(word)
        except BadCard as bad:
            raise self.fail(str(bad)) from None

    def cards(self) -> tuple[Card, ...]:
        """Take all remaining words as cards, at least one.

        Raises:
            RecordError: If one is not a card.
        """
        cards = [self.card()]
        while self.more():
            cards.append(self.card())
        return tuple(cards)

    def hand(self) -> tuple[Card, ...]:
        """Take the three or four cards of a hand, and leave its starter, the card after them.

        Raises:
            RecordError: If one is not a card.
        """
        cards = [self.card() for _ in range(3)]
        if len(self._words) > 1 and _is_card(self._words[1][1]):
            cards.append(self.card())
        return tuple(cards)

    def claim(self) -> SuitClaim:
        """Take all words up to a player's own count as a claim; `print_claim` is the inverse.

        Raises:
            RecordError: If one is not part of a claim.
        """
        flush, nobs = 0, False
        while self.more() and not (len(self._words) == 1 and self.peek().startswith("counted=")):
            word = self.word("a claim")
            if word in {"flush-3", "flush-4", "flush-5"} and not flush:
                flush = int(word[-1])
            elif word == "nobs" and not nobs:
                nobs = True
            else:
                raise self.fail(f"{shown(word)} is not a claim: write flush-3, flush-4 or flush-5, or nobs")
        return SuitClaim(flush, nobs)

    def counted(self) -> int | None:
        """Take the player's own count, if there is one.

        Raises:
            RecordError: If it is not a number.
        """
        if not self.more():
            return None
        word = self.word("a count")
        found = re.fullmatch(r"counted=([0-9]{1,4})", word)
        if not found:
            raise self.fail(f"{shown(word)}: write the points that were counted, such as counted=12")
        return int(found[1])

    def names(self) -> tuple[str, ...]:
        """Take all names that come next; `quote` is the inverse for each.

        Raises:
            RecordError: If a name lacks its closing quote.
        """
        names = []
        while self.peek().startswith('"'):
            word = self.word("a name")
            if not re.fullmatch(QUOTED, word):
                raise self.fail(f"{shown(word, str)} is not a name: write it between double quotes")
            names.append(unquoted(word))
        return tuple(names)


def quote(name: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def unquoted(word: str) -> str:
    """Return the name in *word*; `quote` is the inverse."""
    return re.sub(r"\\(.)", r"\1", word[1:-1])


def print_claim(claim: SuitClaim) -> str:
    flush = [f"flush-{claim.flush}"] if claim.flush else []
    return " ".join([*flush, "nobs"] if claim.nobs else flush)


_SETTINGS: Final = {
    "entry": (r"cards|peg|dealt", "cards, peg or dealt"),
    "levels": (r"[a-z-]{1,16}(,[a-z-]{1,16}){1,3}", "person or a level for each seat, such as person,solid"),
    "dealer": (r"\d", "a seat"),
    "games": (r"\d{1,6}(-\d{1,6})+", "a number for each side, such as 2-1"),
    "points": (r"\d{1,6}(-\d{1,6})+", "a number for each side, such as 5-2"),
    "skunks": (r"\d{1,6}(-\d{1,6})+", "a number for each side, such as 1-0"),
    "spread": (r"[+-]?\d{1,6}(,[+-]?\d{1,6})+", "a number for each side, such as 51,-51"),
    "night": (QUOTED, "the name of a club's night between double quotes"),
    "round": (r"\d{1,2}", "the round of the night"),
}
"""The settings of a game besides its rules: the pattern of each, and its description."""

_TALLY: Final = {"games": "-", "points": "-", "skunks": "-", "spread": ","}
"""The settings for the tally of each side, with the separator of the sides' numbers."""

_FIRST_MEANT: Final[Mapping[str, Mapping[str, str]]] = {
    name: {"last_card": "none"} for name in ("travel-61", "travel-121")
}
"""The options of a preset that were different when the first records and journals named it.

A record names a preset and the differences from it, so the name must keep its first meaning.
"""


def print_game(event: GameStarted) -> str:
    """Format the beginning of a game; `read_game` is the inverse."""
    rules, tally = event.rules, event.tally
    unlike = differences(_meant(rules.name, rules.players), rules)
    changes = {name: text for name, (_, text) in unlike.items() if name != "target"}
    words = [*map(quote, event.names), f"rules={rules.name}", f"target={rules.target}"]
    words += [f"{name}={text}" for name, text in changes.items()]
    words += [f"entry={event.entry}"]
    if event.levels:
        words.append(f"levels={','.join(level or PERSON_WORD for level in event.levels)}")
    if event.dealer is not None:
        words.append(f"dealer={event.dealer}")
    has_more = any(side.points or side.skunks or side.spread for side in tally)
    for name, between in _TALLY.items():
        if tally and (has_more or name == "games"):
            words.append(f"{name}={between.join(str(getattr(side, name)) for side in tally)}")
    if event.night:
        words += [f"night={quote(event.night)}", f"round={event.round}"]
    return " ".join(words)


def read_game(words: Words) -> GameStarted:
    """Parse the beginning of a game; `print_game` is the inverse.

    Raises:
        RecordError: At the first setting that is wrong.
    """
    names = words.names()
    settings: dict[str, str] = {}
    changes: dict[str, str] = {}
    while words.more():
        key, _, value = words.word("a setting").partition("=")
        if key in settings or key in changes:
            raise words.fail(f"{shown(key)} is given twice")
        if key in _SETTINGS and not re.fullmatch(_SETTINGS[key][0], value, re.ASCII):
            raise words.fail(f"{shown(value)} is not a value for {key}: write {_SETTINGS[key][1]}")
        if key in _SETTINGS or key == "rules":
            settings[key] = value
        elif key not in (options := rulebook().options) or key == "players":
            known = (*_SETTINGS, "rules", *(name for name in options if name != "players"))
            raise words.fail(f"{shown(key)} is not a setting of a game: the settings are {' '.join(known)}")
        else:
            changes[key] = value
        try:
            _check_setting(key, value)
        except BadSetup as bad:
            raise words.fail(str(bad)) from None
    try:
        rules = changed(_meant(settings.get("rules", "standard"), len(names)), changes)
        tally = _tally(settings)
    except BadSetup as bad:
        raise words.fail(str(bad)) from None
    dealer = int(settings["dealer"]) if "dealer" in settings else None
    entry = Entry(settings.get("entry", "cards"))
    seated = settings["levels"].split(",") if "levels" in settings else ()
    levels = tuple(PERSON if level == PERSON_WORD else level for level in seated)
    night, round_ = unquoted(settings.get("night", '""')), int(settings.get("round", 0))
    return GameStarted(names, rules, entry, dealer, tally, levels, night, round_)


def _meant(name: str, players: int) -> Rules:
    """Return the rules that the preset *name* stands for in a record.

    Raises:
        BadSetup: If there is no such preset, or it has no game for that many.
    """
    return changed(preset(name, players), _FIRST_MEANT.get(name, {}))


def _check_setting(key: str, value: str) -> None:
    """Raise `BadSetup` if a setting alone is wrong, so that the error gives its own column."""
    if key == "rules":
        find_preset(value)
    elif key in rulebook().options:
        read(key, value)
        if rulebook().options[key].others:  # a number, which may be out of range
            changed(STANDARD, {key: value})


def _tally(settings: Mapping[str, str]) -> tuple[Tally, ...]:
    columns = {
        name: [int(text) for text in settings[name].split(between)]
        for name, between in _TALLY.items()
        if name in settings
    }
    sides = {len(column) for column in columns.values()}
    if len(sides) > 1:
        raise BadSetup(
            f"{' '.join(columns)} are not for the same number of sides: give a number for each side"
        )
    return tuple(
        Tally(*(columns[name][side] if name in columns else 0 for name in _TALLY))
        for side in range(max(sides, default=0))
    )
