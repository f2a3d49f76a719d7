"""Arguments of the API: cards as text or values, and rules by name or as `Rules`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.rules.shown import shown

if TYPE_CHECKING:  # a hand can be scored without loading the rules
    from cribpi.cribbage.rules.rules import Rules

Cards = str | Card | Iterable[Card | str]
"""Cards as text, such as "7H 8C", as a single card, or as an iterable."""


def text_of(cards: Cards) -> str:
    """Return *cards* as text.

    Raises:
        TypeError: If *cards* is something else.
    """
    given: object = cards  # a program without a type checker may pass anything
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
        players: The number of players.
        options: Options from the same page, each as a value (`target=61`) or as text (`target="61"`).

    Raises:
        BadSetup: If the name, an option or a value is not known, or options contradict each other.
    """
    from cribpi.cribbage.rules.rules import house_rules, written  # noqa: PLC0415  loads the rules

    changes = {key: value if isinstance(value, str) else written(value) for key, value in options.items()}
    return house_rules(name, players, changes)


def rules_of(name: str | Rules, players: int = 2) -> Rules:
    """Return the rules called *name*, or *name* itself if it is `Rules`.

    Raises:
        BadSetup: If the name is not known, or has no game for that many players.
    """
    return rules(name, players) if isinstance(name, str) else name
