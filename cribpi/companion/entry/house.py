"""Lasting facts of the house: names, house rules, automatic steps and settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cribpi.companion.entry.settings import Pairs
from cribpi.cribbage.rules.names import YOU, given_names


@dataclass(frozen=True, slots=True)
class House:
    names: tuple[str, ...] = ()
    """Names by seat, as entered. `NextGame.seat_names` adds missing ones."""
    you: str = ""
    """Name of the person who plays alone against the computer. Empty means `YOU`."""
    preset: str = ""
    """Preset to which *options* belong. Choosing that preset restores them."""
    options: Pairs = ()
    """House rules on top of *preset*, including the target: options and values as text."""
    speed: str = "normal"
    """Speed of the computer players."""
    automatic: tuple[str, ...] = ()
    """Steps that run automatically: some of `next_game.AUTOMATIC`."""
    settings: Pairs = ()
    """Settings that differ from their defaults."""

    def with_you(self, name: str) -> House:
        """Return the house with *name* for the person who plays alone. "" or "You" removes the name.

        Raises:
            BadSetup: If *name* is invalid.
        """
        is_none = name.casefold() in {"", YOU.casefold()}
        return replace(self, you="" if is_none else given_names([name])[0])

    def with_person_renamed(self, old: str, new: str) -> House:
        """Return the house with the person *old* renamed to *new*. Both must be valid names."""
        names = tuple(new if name == old else name for name in self.names)
        return replace(self, names=names, you=new if (self.you or YOU) == old else self.you)


ANY_HOUSE: Final = House()
