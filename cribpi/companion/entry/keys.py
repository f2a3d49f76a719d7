"""The keys: their names, and what each means as a rank or a side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from cribpi.cribbage.game.cards import PACK, SYMBOLS, Card, Rank
from cribpi.cribbage.words.cards import parse_cards

RANKS: Final = SYMBOLS[1:]
"""The rank keys, ace first."""

SIDES: Final = ("P1", "P2", "P3")
"""The side keys."""

HOLDS: Final = ("hold:UNDO", "hold:MENU")
"""Long presses."""

DIGITS: Final = {f"digit:{digit}": digit for digit in range(10)} | {"digit:erase": None}
"""What a computer's keyboard types a number with, wherever one is asked for; None takes the last one away."""

KEYS: Final = (*RANKS, "GO", "FLNB", *SIDES, "UP", "DOWN", "LEFT", "RIGHT", "UNDO", "MENU", "OK")
"""Every key that a kit can have."""

_BUTTONS: Final = frozenset((*KEYS, *HOLDS, *DIGITS)).difference(RANKS)
_CARDS: Final = {str(card): card for card in (*map(Card, Rank), *PACK)}
_NAMES: Final = frozenset((*KEYS, *HOLDS, *DIGITS, *_CARDS))
"""All that can be pressed: keys, long presses, digits, and the cards of an open hand."""


def is_key(text: str) -> bool:
    """Tell whether *text* names a key, a long press, a digit, or a card with its suit.

    >>> [is_key(text) for text in ("7", "10", "hold:UNDO", "7H", "T", "11", "ok")]
    [True, True, True, True, False, False, False]
    """
    return text in _NAMES


def keys_of(text: str) -> tuple[str, ...]:
    """Return the keys that *text* names, one after the other: cards as people type them, other keys by name.

    >>> keys_of("OK 7h 5,5 ten of hearts GO")
    ('OK', '7H', '5', '5', '10H', 'GO')

    Raises:
        BadCard: If something in it is neither a key nor a card, or could be two things.
    """
    keys: list[str] = []
    for is_button, words in groupby(text.split(), _BUTTONS.__contains__):
        keys += words if is_button else [str(card) for card in parse_cards(" ".join(words))]
    return tuple(keys)


def grown(number: int, digit: int | None) -> int:
    """Return *number* with *digit* behind it, or without its last one.

    >>> grown(1, 2), grown(12, None), grown(0, 0)
    (12, 1, 0)
    """
    return number // 10 if digit is None else number * 10 + digit


def card_of(key: str) -> Card | None:
    """Return the card that *key* names, or None for another key."""
    return _CARDS.get(key)


def amounts_of(cards: Iterable[Card]) -> Iterator[tuple[str, int]]:
    """Return the rank keys among *cards*, each with the amount that it is; cards with a suit are left out."""
    return ((str(card), int(card.rank)) for card in cards if card.suit is None)


def side_keys_of(sides: int, *, is_go_third: bool = True) -> Iterator[tuple[str, int]]:
    """Return each side's key with its side; with three sides GO may be the third's too.

    >>> list(side_keys_of(3))
    [('P1', 0), ('P2', 1), ('P3', 2), ('GO', 2)]
    """
    yield from zip(SIDES[:sides], range(sides), strict=False)
    if sides == len(SIDES) and is_go_third:
        yield "GO", 2
