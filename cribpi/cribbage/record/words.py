"""The words of a record's line: taken one by one, and printed.

Cards, claims, counts and names are parsed and printed only here, so that both stay inverses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.show import SuitClaim
from cribpi.cribbage.rules.errors import BadCard
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.cards import parse_card

QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
"""A name in double quotes, with a backslash before any quote or backslash in it."""


class RecordError(ValueError):
    """Text that is not a record: what is wrong, with its line and column, both from 1."""

    def __init__(self, problem: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem = problem
        self.line = line
        self.column = column


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
        """Return whether words are left."""
        return bool(self._words)

    def peek(self) -> str:
        """Return the next word without taking it, or an empty string at the end."""
        return self._words[0][1] if self._words else ""

    def word(self, what: str) -> str:
        """Take the next word; *what* names it in errors.

        Raises:
            RecordError: If there is none.
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

    def claim(self) -> SuitClaim:
        """Take all words up to a player's own count as a claim; `print_claim` is the inverse.

        Raises:
            RecordError: If one is not part of a claim.
        """
        flush, nobs = 0, False
        while self.more() and not (len(self._words) == 1 and self.peek().startswith("counted=")):
            word = self.word("a claim")
            if word in {"flush-4", "flush-5"} and not flush:
                flush = int(word[-1])
            elif word == "nobs" and not nobs:
                nobs = True
            else:
                raise self.fail(f"{shown(word)} is not a claim: write flush-4 or flush-5, or nobs")
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
            raise self.fail(f"{shown(word)}: write the points that were counted, as counted=12")
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
    """Return *name* in double quotes."""
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def unquoted(word: str) -> str:
    """Return the name in *word*; `quote` is the inverse."""
    return re.sub(r"\\(.)", r"\1", word[1:-1])


def print_claim(claim: SuitClaim) -> str:
    return " ".join([f"flush-{claim.flush}"] * bool(claim.flush) + ["nobs"] * claim.nobs)
