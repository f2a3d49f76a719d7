"""The count of a hand or a crib, with the rule behind each score.

Like `cribpi score`, it loads the rules only if needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cribpi.cribbage.api.given import Cards, rules_of, text_of
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.show import Kind, Score, total
from cribpi.cribbage.rules.seats import HAND
from cribpi.cribbage.words.call import call_show
from cribpi.cribbage.words.cards import parse_show
from cribpi.cribbage.words.worth import worth_of

if TYPE_CHECKING:  # a hand can be scored without loading the rules
    from cribpi.cribbage.rules.cite import Reason
    from cribpi.cribbage.rules.rules import Rules


@dataclass(frozen=True, slots=True)
class CitedScore:
    """One score: its kind, its points (at least 1), the cards that make it, and the rule behind it."""

    kind: Kind
    points: int
    cards: tuple[Card, ...]
    why: Reason
    """The rule by name, its sentence for players, its source and the source's own words."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A hand or a crib with its count."""

    cards: tuple[Card, ...]
    starter: Card
    is_crib: bool
    may_be: tuple[int, ...]
    """The other possible points, ascending, depending on suits that were not given; empty if they can't
    matter."""
    _scores: tuple[Score, ...] = field(repr=False)
    _rules: str | Rules = field(repr=False)

    @property
    def points(self) -> int:
        """0 to 29."""
        return total(self._scores)

    @property
    def call(self) -> str:
        """The count in a player's words: "fifteen two, fifteen four, and a double run is twelve"."""
        return call_show(self._scores)

    @property
    def scores(self) -> tuple[CitedScore, ...]:
        """The scores, in the order in which players count."""
        from cribpi.cribbage.words.why import reason_of  # noqa: PLC0415  loads the rules

        rules, is_crib = rules_of(self._rules), self.is_crib
        return tuple(CitedScore(*score, reason_of(score, rules, is_crib=is_crib)) for score in self._scores)


def score(
    hand: Cards, starter: Cards | None = None, *, crib: bool = False, rules: str | Rules = "standard"
) -> Counted:
    """Count a hand or a crib; each score cites its source.

    >>> counted = score("7H 8C 8D KS", "9S")
    >>> counted.points, counted.call
    (12, 'fifteen two, fifteen four, and a double run is twelve')

    Args:
        hand: Four cards, or five of which the last is the starter; unknown suits are left out.  At five-card
            a hand has one card less.
        starter: The card turned up.
        crib: Whether it is a crib, for which most rules require a five-card flush.
        rules: A set of rules by its name, or from `rules`.

    Raises:
        ParseError: If these are not the cards of a hand and a starter.
        ImpossibleCards: If one pack can't hold them: five cards of a rank, or a card twice.
        BadSetup: If the rules are not known.
    """
    given = None if starter is None else text_of(starter)
    size = HAND
    if rules != "standard":
        rules = rules_of(rules)
        size = rules.sizes.counted(is_crib=crib)
    cards, turned_up, has_crib = parse_show(text_of(hand), given, size)
    is_crib = crib or has_crib
    is_strict = is_crib and rules_of(rules).crib_flush == "five"
    scores, may_be = worth_of(cards, turned_up, is_strict=is_strict)
    return Counted(cards, turned_up, is_crib, may_be, scores, rules)
