"""Durable facts about the people who play here: their names, house rules, automatic steps and settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cribpi.companion.entry.settings import Pairs
from cribpi.cribbage.rules.names import YOU, given_names


@dataclass(frozen=True, slots=True)
class House:
    names: tuple[str, ...] = ()
    """Names by seat, as people entered them; `NextGame.seat_names` fills in those that are missing."""
    you: str = ""
    """The name of the only person in a game against the computer; empty stands for `YOU`."""
    preset: str = ""
    """The preset whose house rules are saved, so that choosing it again restores them."""
    options: Pairs = ()
    """House rules on top of `preset`, including the target: options and values, as text."""
    speed: str = "normal"
    """The speed of the computer's players."""
    automatic: tuple[str, ...] = ()
    """The automatic steps that run without a key: some of `next_game.AUTOMATIC`."""
    settings: Pairs = ()
    """Settings of the table and its device that differ from the defaults."""

    def with_you(self, name: str) -> House:
        """Return the house with *name* for the only person against the computer; "" or "You" removes it.

        Raises:
            BadSetup: If *name* is invalid.
        """
        is_none = name.casefold() in {"", YOU.casefold()}
        return replace(self, you="" if is_none else given_names([name])[0])

    def with_person_renamed(self, old: str, new: str) -> House:
        """Return the house with the person *old* renamed to *new*; both are valid names."""
        names = tuple(new if name == old else name for name in self.names)
        return replace(self, names=names, you=new if (self.you or YOU) == old else self.you)


ANY_HOUSE: Final = House()
