"""Keys: their names, their meaning as a rank or a side, and the keys of each kit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from cribpi.cribbage.game.cards import PACK, SYMBOLS, Card, Rank
from cribpi.cribbage.words.cards import parse_cards

RANKS: Final = SYMBOLS[1:]
"""Rank keys, ace first."""

SIDES: Final = ("P1", "P2", "P3")

HOLDS: Final = ("hold:UNDO", "hold:MENU")

DIGITS: Final = {f"digit:{digit}": digit for digit in range(10)} | {"digit:erase": None}
"""Digits of a number, typed on a computer keyboard. None erases the last digit."""

KEYS: Final = (*RANKS, "GO", "FLNB", *SIDES, "UP", "DOWN", "LEFT", "RIGHT", "UNDO", "MENU", "OK")
"""All keys that a kit can have."""

STEPS: Final = {f"step:{by:+}": by for by in (-10, -1, 1, 10)}
"""Buttons of a page that lower or raise a number."""

_BUTTONS: Final = frozenset((*KEYS, *HOLDS, *DIGITS, *STEPS)).difference(RANKS)

_CARDS: Final = {str(card): card for card in (*map(Card, Rank), *PACK)}

_NAMES: Final = frozenset((*KEYS, *HOLDS, *DIGITS, *STEPS, *_CARDS))
"""All valid presses: keys, long presses, digits, steps, and cards of an open hand."""


def is_key(text: str) -> bool:
    """Return whether *text* is a key, a long press, a digit, a step, or a card with its suit.

    >>> [is_key(text) for text in ("7", "10", "hold:UNDO", "7H", "T", "11", "ok")]
    [True, True, True, True, False, False, False]
    """
    return text in _NAMES


def keys_of(text: str) -> tuple[str, ...]:
    """Parse *text* into keys, in order. Cards can be written as people type them, other keys by name.

    >>> keys_of("OK 7h 5,5 ten of hearts GO")
    ('OK', '7H', '5', '5', '10H', 'GO')

    Raises:
        BadCard: If a part of the text is neither a key nor a card, or is ambiguous.
    """
    keys: list[str] = []
    for is_button, words in groupby(text.split(), _BUTTONS.__contains__):
        keys += words if is_button else [str(card) for card in parse_cards(" ".join(words))]
    return tuple(keys)


def grown(number: int, digit: int | None) -> int:
    """Return *number* with *digit* appended. If *digit* is None, remove the last digit.

    >>> grown(1, 2), grown(12, None), grown(0, 0)
    (12, 1, 0)
    """
    return number // 10 if digit is None else number * 10 + digit


def card_of(key: str) -> Card | None:
    """Return the card that *key* names, or None if it is not a card."""
    return _CARDS.get(key)


def amounts_of(cards: Iterable[Card]) -> Iterator[tuple[str, int]]:
    """Return the rank key and the amount, 1 to 13, of each of *cards* without a suit."""
    return ((str(card), int(card.rank)) for card in cards if card.suit is None)


def side_keys_of(sides: int, *, is_go_third: bool = True) -> Iterator[tuple[str, int]]:
    """Yield each side's key and index. With three sides, GO can be a second key of the third side.

    >>> list(side_keys_of(3))
    [('P1', 0), ('P2', 1), ('P3', 2), ('GO', 2)]
    """
    yield from zip(SIDES[:sides], range(sides), strict=False)
    if sides == len(SIDES) and is_go_third:
        yield "GO", 2


Pairs = tuple[tuple[str, str], ...]
"""Pairs of names."""

ARROWS: Final = {"LEFT": "P1", "RIGHT": "P2"}
"""Side's key for each sideways direction of a joystick."""


@dataclass(frozen=True, slots=True)
class Pad:
    """The keys of a kit. The default is a keypad with twenty keys.

    *holds* has pairs of a key and the key that its long press means, except for UNDO and MENU. *sides* has
    pairs of a rank key and the side's key that it means while no rank is expected. *caps* has pairs of a key
    and its printed text, if that is not its name.
    """

    keys: tuple[str, ...] = (*RANKS, "GO", "FLNB", *SIDES[:2], "UNDO", "MENU", "OK")
    holds: Pairs = ()
    sides: Pairs = ()
    caps: Pairs = ()

    @property
    def has_ranks(self) -> bool:
        """Whether every rank has a key. A kit without rank keys has a joystick to raise and lower numbers."""
        return set(RANKS) <= set(self.keys)

    def side_keys(self, sides: int) -> tuple[str, ...]:
        """Return the key of each side. The third side has P3, otherwise GO, otherwise a row of the menu.

        >>> Pad().side_keys(3), Pad(("LEFT", "RIGHT", "OK")).side_keys(3)
        (('P1', 'P2', 'GO'), ('P1', 'P2', 'MENU'))
        """
        third = next((key for key in ("P3", "GO") if self.physical_key(key)), "MENU")
        return (*SIDES[:2], third)[:sides]

    def physical_key(self, key: str) -> str | None:
        """Return the key of this pad that means *key*, or None if there is none.

        >>> arrows, jack = Pad(("LEFT", "RIGHT")), Pad(("J",), sides=(("J", "P1"),))
        >>> arrows.physical_key("P2"), jack.physical_key("P1"), Pad().physical_key("UP")
        ('RIGHT', 'J', None)
        """
        if key in self.keys:
            return key
        stands = (*self.sides, *ARROWS.items())
        return next((own for own, stood in stands if stood == key and own in self.keys), None)

    def long_press_key(self, key: str) -> str | None:
        """Return the printed text of the button whose long press means *key*, or None.

        >>> Pad().long_press_key("hold:UNDO"), Pad(("LEFT", "OK")).long_press_key("hold:UNDO")
        ('UNDO', None)
        """
        button = next((button for button, longer in self.holds if longer == key), key.removeprefix("hold:"))
        is_there = button in self.keys and dict(self.holds).get(button, key) == key
        return dict(self.caps).get(button, button) if is_there else None

    def label_for(self, key: str) -> str:
        """Return the name of *key* for a sentence. A symbol such as `+` is put in brackets.

        >>> slash = Pad(("GO", "OK", "FLNB"), (("FLNB", "MENU"),), caps=(("GO", "+"), ("OK", "Enter")))
        >>> [slash.label_for(key) for key in ("GO", "OK", "MENU", "7H")]
        ['[+]', 'Enter', 'FLNB held', '7H']
        """
        own = self.physical_key(key)
        if own is None:
            held = next((button for button, longer in self.holds if longer == key), None)
            return key if held is None else f"{self.label_for(held)} held"
        printed = dict(self.caps).get(own, own)
        return printed if printed.isalnum() else f"[{printed}]"


TWENTY: Final = Pad()
"""The 20 keys of the kit `table`."""
