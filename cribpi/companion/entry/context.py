"""The context of the input: everything but the game that outlives the next event, by lifetime."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Final, NamedTuple

from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.here import NOBODY, Here
from cribpi.companion.entry.house import House
from cribpi.companion.entry.next_game import FIELD_OF, USUAL_GAME, NextGame
from cribpi.companion.entry.settings import ANY_MACHINE, Machine

_CARRIED_KEPT: Final = 64
"""The length limit of `Context.carried`, some three games; undo takes back older steps one at a time."""

_AUTO: Final = "auto_"
"""Prefix of the settings for `next_game.AUTOMATIC` steps."""


@dataclass(frozen=True, slots=True)
class Context:
    next_game: NextGame = USUAL_GAME
    """The draft of the next game, with the durable facts of the house."""
    pace: str = ""
    """The speed of the current game only, if it was started with one; otherwise empty."""
    carried: tuple[int, ...] = ()
    """Journal depths of the shows that a card has pegged; each is undone together with the next step."""
    here: Here = NOBODY
    """The phones and pairings reported since the program started; only the started pairings are saved."""
    machine: Machine = ANY_MACHINE
    """The settings available on this machine, with their defaults; never saved."""

    @property
    def house(self) -> House:
        return self.next_game.house

    def with_here(self, **reports: Any) -> Context:  # noqa: ANN401  fields of any type
        """Return the context with *reports*, fields of `here`."""
        return replace(self, here=replace(self.here, **reports))

    def with_step(self, depth: int, carries: int) -> Context:
        """Return the context after step *depth*, which undo takes back with the *carries* steps before it.

        Depths that an undo has removed are dropped.

        >>> Context(carried=(3, 4, 9)).with_step(8, 2).carried
        (3, 4, 6, 7)
        """
        before = tuple(step for step in self.carried if step < depth - carries)
        return replace(self, carried=(*before, *range(depth - carries, depth))[-_CARRIED_KEPT:])

    def value(self, name: str) -> str:
        """Return the value of the setting *name*, which may be a setting of a new game.

        >>> Context(NextGame(house=House(speed="fast"))).value("speed"), Context().value("sleep")
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
        """Whether any setting differs from the default of this machine."""
        return any(self.value(name) != usual for name, usual in self.machine.usual)

    def as_usual(self) -> Context:
        """Return the context with every setting reset to the default of this machine."""
        return reduce(lambda context, pair: context.with_value(*pair), self.machine.usual, self)

    def with_value(self, name: str, value: str) -> Context:
        """Return the context with the setting *name* changed to *value*.

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


ANY_CONTEXT: Final = Context()


class SavedInput(NamedTuple):
    """The input saved after each press."""

    desk: Desk
    context: Context = ANY_CONTEXT
