"""The input context: everything outside of the game that must outlive the next event."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Final, NamedTuple

from cribpi.companion.entry.here import NOBODY, Here
from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.next_game import FIELD_OF, USUAL_GAME, NextGame
from cribpi.companion.entry.settings import ANY_MACHINE, Machine

_CARRIED_KEPT: Final = 64
"""Maximum length of `InputContext.carried`: some three games. Undo takes back older steps one by one."""

_AUTO: Final = "auto_"
"""Prefix of the settings for automatic steps; see `next_game.AUTOMATIC`."""


@dataclass(frozen=True, slots=True)
class InputContext:
    next_game: NextGame = USUAL_GAME
    """Set-up of the next game so far. It includes the lasting facts of the house."""
    pace: str = ""
    """Speed of the current game, if it was started with its own speed; otherwise ""."""
    carried: tuple[int, ...] = ()
    """Positions in the journal of shows that a card has pegged.

    Each is undone together with the next step.
    """
    here: Here = NOBODY
    """Phones and pairings as last reported. Of these, only the pairings that have started are saved."""
    machine: Machine = ANY_MACHINE
    """Settings available on this machine, with their defaults. Never saved."""

    @property
    def house(self) -> House:
        return self.next_game.house

    def with_here(self, **reports: Any) -> InputContext:  # noqa: ANN401  fields of any type
        """Return the context with *reports*, which are fields of `here`."""
        return replace(self, here=replace(self.here, **reports))

    def with_step(self, depth: int, implied: int) -> InputContext:
        """Return the context after step *depth*.

        Undo takes it back together with the *implied* steps before it.

        Depths that an undo has removed are dropped.

        >>> InputContext(carried=(3, 4, 9)).with_step(8, 2).carried
        (3, 4, 6, 7)
        """
        before = tuple(step for step in self.carried if step < depth - implied)
        return replace(self, carried=(*before, *range(depth - implied, depth))[-_CARRIED_KEPT:])

    def value(self, name: str) -> str:
        """Return the value of the setting *name*. The settings of a new game are included.

        >>> InputContext(NextGame(house=House(speed="fast"))).value("speed"), InputContext().value("sleep")
        ('fast', '10')
        """
        step = name.removeprefix(_AUTO)
        if step != name:
            return "on" if step in self.house.automatic else "off"
        return (
            self.pace or self.house.speed
            if name == "speed"
            else self.machine.value(name, self.house.settings)
        )

    @property
    def has_changes(self) -> bool:
        """Whether any setting differs from this machine's default."""
        return any(self.value(name) != usual for name, usual in self.machine.usual)

    def as_usual(self) -> InputContext:
        """Return the context with all settings reset to this machine's defaults."""
        return reduce(lambda context, pair: context.with_value(*pair), self.machine.usual, self)

    def with_value(self, name: str, value: str) -> InputContext:
        """Return the context with the setting *name* set to *value*.

        Raises:
            NoSuchSetting: If there is no such setting, or it can't have that value.
        """
        step, game = name.removeprefix(_AUTO), self.next_game
        self.machine.check(name, value)
        if step != name:
            automatic = {*self.house.automatic, step} if value == "on" else {*self.house.automatic} - {step}
            return replace(self, next_game=FIELD_OF["automatic"].change(game, automatic))
        if name == "speed":
            return replace(self, pace="", next_game=game.with_house(speed=value))
        settings = self.machine.with_value(self.house.settings, name, value)
        return replace(self, next_game=game.with_house(settings=settings))


ANY_CONTEXT: Final = InputContext()


class SavedInput(NamedTuple):
    """The input that is saved after each press."""

    input_state: InputState
    context: InputContext = ANY_CONTEXT
