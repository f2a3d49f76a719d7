"""The keys of a kit: which there are, what stands for what, and what is printed on them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Final, Protocol

from cribpi.companion.entry.keys import RANKS, SIDES

Pairs = tuple[tuple[str, str], ...]
"""Names, each with what belongs to it."""

ARROWS: Final = {"LEFT": "P1", "RIGHT": "P2"}
"""A joystick's ways to the sides."""


class HasKeys(Protocol):
    """The keys of a kit, of whatever kind."""

    @property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """A grid of names; "" is no key."""

    @property
    def holds(self) -> Pairs:
        """What the long press of a key is, other than those of UNDO and MENU."""

    @property
    def sides(self) -> Pairs:
        """The side key that a rank key stands for wherever a rank means nothing."""

    @property
    def caps(self) -> Pairs:
        """What is printed on a key, where that is not its name."""


@dataclass(frozen=True, slots=True)
class Pad:
    """The keys of a kit; by default a keypad of twenty.

    *holds* pairs a key with what its long press is, other than those of UNDO and MENU.  *sides* pairs a rank
    key with the side key that it stands for wherever a rank means nothing; *caps* a key with what is printed
    on it, where that is not its name.
    """

    keys: tuple[str, ...] = (*RANKS, "GO", "FLNB", *SIDES[:2], "UNDO", "MENU", "OK")
    holds: Pairs = ()
    sides: Pairs = ()
    caps: Pairs = ()

    @property
    def has_ranks(self) -> bool:
        """Whether every rank has a key: without, there is a joystick, and it counts up and down."""
        return set(RANKS) <= set(self.keys)

    def side_keys(self, sides: int) -> tuple[str, ...]:
        """Return the keys that commit an amount to each of *sides* sides.

        The third side's is P3, or else GO, or else a line of the menu.

        >>> Pad().side_keys(3), Pad(("LEFT", "RIGHT", "OK")).side_keys(3)
        (('P1', 'P2', 'GO'), ('P1', 'P2', 'MENU'))
        """
        third = next((key for key in ("P3", "GO") if self.reach(key)), "MENU")
        return (*SIDES[:2], third)[:sides]

    def reach(self, key: str) -> str | None:
        """Return a key of this pad that *key* can be pressed with, or None where there is none.

        >>> arrows, jack = Pad(("LEFT", "RIGHT")), Pad(("J",), sides=(("J", "P1"),))
        >>> arrows.reach("P2"), jack.reach("P1"), Pad().reach("UP")
        ('RIGHT', 'J', None)
        """
        stands = ((key, key), *self.sides, *ARROWS.items())
        return next((own for own, stood in stands if stood == key and own in self.keys), None)

    def hold_of(self, key: str) -> str | None:
        """Return the name on the button that gives *key* when held; None if this keypad has no such button.

        >>> Pad().hold_of("hold:UNDO"), Pad(("LEFT", "OK")).hold_of("hold:UNDO")
        ('UNDO', None)
        """
        button = next((button for button, longer in self.holds if longer == key), key.removeprefix("hold:"))
        is_there = button in self.keys and dict(self.holds).get(button, key) == key
        return dict(self.caps).get(button, button) if is_there else None

    def named(self, key: str) -> str:
        """Return what *key* is called in a sentence; a name that is no word stands in brackets.

        >>> slash = Pad(("GO", "OK", "FLNB"), (("FLNB", "MENU"),), caps=(("GO", "+"), ("OK", "Enter")))
        >>> [slash.named(key) for key in ("GO", "OK", "MENU", "7H")]
        ['[+]', 'Enter', 'FLNB held', '7H']
        """
        own = self.reach(key)
        if own is None:
            held = next((button for button, longer in self.holds if longer == key), None)
            return key if held is None else f"{self.named(held)} held"
        printed = dict(self.caps).get(own, own)
        return printed if printed.isalnum() else f"[{printed}]"


TWENTY: Final = Pad()
"""A keypad of twenty keys, as that of the kit `table`."""


def pad_of(keypad: HasKeys) -> Pad:
    """Return the keys of a kit's *keypad*."""
    keys = tuple(filter(None, chain.from_iterable(keypad.keys)))
    return Pad(keys, keypad.holds, keypad.sides, keypad.caps)
