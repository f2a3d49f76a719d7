"""Turn the edges of bouncing buttons into presses: pure, and with the time as an argument."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Final

QUIET = 0.010
"""Seconds without a change after which a button's level is believed."""

HOLD: Final = 1.0
"""Seconds until a long press acts."""
HOLD_TO_SHUT_DOWN: Final = 3.0
"""The same for the one that switches the Pi off."""


@dataclass(frozen=True, slots=True)
class Edge:
    """What a driver saw: *button* has just closed or opened, at a time in monotonic seconds.

    *lost* says that it can be read no more: nobody has let it go, and so it does not act.
    """

    button: str
    closed: bool
    at: float
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """A *button* that can be held: what its long press is, and after how many seconds it acts."""

    button: str
    key: str
    seconds: float


def holds_of(pairs: tuple[tuple[str, str], ...] = ()) -> tuple[Hold, ...]:
    """Return the long presses of UNDO and MENU, and those of *pairs*: a button, and what its long press is.

    >>> [hold.seconds for hold in holds_of((("FLNB", "MENU"), ("OK", "hold:MENU")))]
    [1.0, 3.0, 1.0, 3.0]
    """
    every, longer = {"UNDO": "hold:UNDO", "MENU": "hold:MENU"} | dict(pairs), {"hold:MENU": HOLD_TO_SHUT_DOWN}
    return tuple(Hold(button, key, longer.get(key, HOLD)) for button, key in every.items())


@dataclass(frozen=True, slots=True)
class _Button:
    """A button that has acted and is not yet let go.

    Args:
        name: Its name.
        closed: Its last level.
        settles: When that level will be believed, in monotonic seconds; `inf` once it is.
        key: What its long press is; empty for a button without one.
        holds: When the long press acts; `inf` if the key has no long press, and once it has acted.
        short: Whether letting go is still to act as a short press.
    """

    name: str
    closed: bool
    settles: float
    key: str
    holds: float
    short: bool

    def due(self) -> float:
        """Return when this button changes by itself; `inf` if only an edge can change it.

        A hold does not act while the level is open and not yet believed: it may have been let go.
        """
        return min(self.settles, self.holds) if self.closed else self.settles


@dataclass(frozen=True, slots=True)
class Debouncer:
    """All buttons between their edges and their presses.

    A button at rest acts at its first closing edge.  From then on its edges are only noted, and its level
    is believed when it has not changed for `QUIET` seconds: still closed is the same press, open is let go,
    and the next closing edge acts again.

    >>> keys, presses = Debouncer().feed(Edge("7", True, 0.000))
    >>> presses
    ('7',)
    >>> keys, presses = keys.feed(Edge("7", False, 0.004))
    >>> keys, presses = keys.feed(Edge("7", True, 0.005))
    >>> presses
    ()

    A button of `holds` acts when it is let go, or as its long press when its time is up, never as both.

    >>> keys, presses = Debouncer().feed(Edge("UNDO", True, 0.0))
    >>> presses, keys.wakes()
    ((), 0.01)
    >>> keys.feed(Edge("UNDO", False, 0.5, lost=True))[0].tick(1.0)[1]
    ()
    >>> keys, presses = keys.tick(1.0)
    >>> presses
    ('hold:UNDO',)
    """

    holds: tuple[Hold, ...] = holds_of()
    buttons: tuple[_Button, ...] = ()

    def feed(self, edge: Edge) -> tuple[Debouncer, tuple[str, ...]]:
        """Return the state after *edge*, and what was pressed up to its time, in order.

        A long press is `hold:` and its key.

        A level that a button has already changes nothing.  Times that stand still or run backwards are
        taken as they come: they can delay a press, and never raise.
        """
        self, presses = self.tick(edge.at)  # noqa: PLW0642  the state up to now takes this one's place
        button = next((button for button in self.buttons if button.name == edge.button), None)
        if button is None:
            return self._closed(edge, presses) if edge.closed else (self, presses)
        if edge.lost:
            return self._put(button, None), presses
        if button.closed == edge.closed:
            return self, presses
        return self._put(button, replace(button, closed=edge.closed, settles=edge.at + QUIET)), presses

    def tick(self, at: float) -> tuple[Debouncer, tuple[str, ...]]:
        """Return the state at the time *at*, and what was pressed by then without an edge, in order."""
        presses: list[str] = []
        while self._due() <= at:
            button = min(self.buttons, key=_Button.due)
            later: _Button | None
            if button.due() < button.settles:
                presses.append(button.key)
                later = replace(button, holds=inf, short=False)
            else:
                if button.short and not button.closed:
                    presses.append(button.name)
                later = replace(button, settles=inf) if button.closed else None
            self = self._put(button, later)  # noqa: PLW0642  a fold over the times that are due
        return self, tuple(presses)

    def wakes(self) -> float | None:
        """Return when `tick` next has something to do, in monotonic seconds; None if only an edge can."""
        return None if self._due() == inf else self._due()

    def _due(self) -> float:
        return min((button.due() for button in self.buttons), default=inf)

    def _closed(self, edge: Edge, presses: tuple[str, ...]) -> tuple[Debouncer, tuple[str, ...]]:
        """Return the state after the first closing edge of a button that was at rest."""
        none = Hold(edge.button, "", inf)
        hold = next((hold for hold in self.holds if hold.button == edge.button), none)
        acted = (edge.button,) if hold is none else ()
        holds = edge.at + hold.seconds
        button = _Button(edge.button, True, edge.at + QUIET, hold.key, holds, hold is not none)  # noqa: FBT003  its fields
        return Debouncer(self.holds, (*self.buttons, button)), (*presses, *acted)

    def _put(self, button: _Button, later: _Button | None) -> Debouncer:
        """Return the state in which *later*, or nothing, has taken the place of *button*."""
        others = tuple(other for other in self.buttons if other is not button)
        return Debouncer(self.holds, others if later is None else (*others, later))
