"""What a program gives: cards as text or as values, and rules by name or as they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.rules.shown import shown

if TYPE_CHECKING:  # a hand is scored without them
    from cribpi.cribbage.rules.rules import Rules

Cards = str | Card | Iterable[Card | str]
"""Cards: as people type them, such as "7H 8C", or one after the other."""


def text_of(cards: Cards) -> str:
    """Return *cards* as they are typed.

    Raises:
        TypeError: If *cards* is something else.
    """
    given: object = cards  # a program without a type checker may give anything
    if isinstance(given, str | Card):
        return str(given)
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise TypeError(f"{shown(given)} is not cards: give them as text, such as '7H 8C', or a list")
    return " ".join(map(str, given))


def rules(name: str = "standard", players: int = 2, **options: object) -> Rules:
    """Return the rules called *name* for 2, 3 or 4 *players*, with some *options* changed.

    >>> rules("lowe", 3, heels=0).heels
    0

    Args:
        name: A set of rules from docs/reference/rules.md.
        players: For how many.
        options: Options from there too, each as a value (`target=61`) or as written (`target="61"`).

    Raises:
        BadSetup: If the name, an option or a value is not known, or they make no sense together.
    """
    from cribpi.cribbage.rules.rules import house_rules, written  # noqa: PLC0415  as above

    changes = {key: one if isinstance(one, str) else written(one) for key, one in options.items()}
    return house_rules(name, players, changes)


def rules_of(given: str | Rules, players: int = 2) -> Rules:
    """Return the rules that are *given* by name, or as they are.

    Raises:
        BadSetup: If the name is not known, or has no game for that many.
    """
    return rules(given, players) if isinstance(given, str) else given
