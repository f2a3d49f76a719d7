"""Debouncing of buttons: pure functions from edges to presses. The time is an argument."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Final

QUIET = 0.010
"""Debounce interval in seconds. A level is accepted if it does not change for this long."""

HOLD: Final = 1.0
"""Seconds until a long press fires."""
HOLD_TO_SHUT_DOWN: Final = 3.0
"""Seconds until the long press that shuts down the Pi fires."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge reported by a driver: *button* closed or opened. *at* is the time in monotonic seconds.

    *lost* means that the button can no longer be read. It was not released, so it does not fire.
    """

    button: str
    closed: bool
    at: float
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """A long press: its *button*, its *key*, and the *seconds* until it fires."""

    button: str
    key: str
    seconds: float


def holds_of(pairs: tuple[tuple[str, str], ...] = ()) -> tuple[Hold, ...]:
    """Return the long presses of UNDO and MENU, and those in *pairs*.

    A pair is a button and a long-press key.

    >>> [hold.seconds for hold in holds_of((("FLNB", "MENU"), ("OK", "hold:MENU")))]
    [1.0, 3.0, 1.0, 3.0]
    """
    every, longer = {"UNDO": "hold:UNDO", "MENU": "hold:MENU"} | dict(pairs), {"hold:MENU": HOLD_TO_SHUT_DOWN}
    return tuple(Hold(button, key, longer.get(key, HOLD)) for button, key in every.items())


@dataclass(frozen=True, slots=True)
class _Button:
    """A button, from its first closing edge until its release is accepted.

    Args:
        name: Name of the button.
        closed: Latest level: whether the button is closed.
        settles: Time at which that level is accepted, in monotonic seconds; `inf` once it is accepted.
        key: Key of the long press; "" if there is none.
        holds: Time at which the long press fires; `inf` if there is none, or it has fired.
        short: Whether a release still counts as a short press.
    """

    name: str
    closed: bool
    settles: float
    key: str
    holds: float
    short: bool

    def due(self) -> float:
        """Return the time at which the button changes without an edge, or `inf`.

        A long press does not fire while an open level is not accepted yet: the button may have been released.
        """
        return min(self.settles, self.holds) if self.closed else self.settles


@dataclass(frozen=True, slots=True)
class Debouncer:
    """The state of all buttons that are pressed or bouncing.

    A released button fires at its first closing edge. Later levels are accepted once they have not changed
    for `QUIET` seconds. Closed then still belongs to the same press. Open is a release, so the next closing
    edge fires again.

    >>> keys, presses = Debouncer().feed(Edge("7", True, 0.000))
    >>> presses
    ('7',)
    >>> keys, presses = keys.feed(Edge("7", False, 0.004))
    >>> keys, presses = keys.feed(Edge("7", True, 0.005))
    >>> presses
    ()

    A button with a long press fires on release, or as its long press when the time is up, but never as both.

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
        """Return the state after *edge*, and the keys pressed until then, in order.

        A long press is reported as its key, such as `hold:UNDO`.

        An edge to the current level changes nothing. Times that stand still or run backwards can delay a
        press, but never raise an error.
        """
        self, presses = self.tick(edge.at)  # noqa: PLW0642  the state up to now replaces this one
        button = next((button for button in self.buttons if button.name == edge.button), None)
        if button is None:
            return self._closed(edge, presses) if edge.closed else (self, presses)
        if edge.lost:
            return self._put(button, None), presses
        if button.closed == edge.closed:
            return self, presses
        return self._put(button, replace(button, closed=edge.closed, settles=edge.at + QUIET)), presses

    def tick(self, at: float) -> tuple[Debouncer, tuple[str, ...]]:
        """Advance to the time *at*.

        Return the new state, and the keys whose press was decided by time alone, such as a long press.
        """
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
        """Return when `tick` must be called next, in monotonic seconds. None means after the next edge."""
        return None if self._due() == inf else self._due()

    def _due(self) -> float:
        return min((button.due() for button in self.buttons), default=inf)

    def _closed(self, edge: Edge, presses: tuple[str, ...]) -> tuple[Debouncer, tuple[str, ...]]:
        """Return the state after the first closing edge of a button."""
        none = Hold(edge.button, "", inf)
        hold = next((hold for hold in self.holds if hold.button == edge.button), none)
        acted = (edge.button,) if hold is none else ()
        holds = edge.at + hold.seconds
        button = _Button(edge.button, True, edge.at + QUIET, hold.key, holds, hold is not none)  # noqa: FBT003  its fields
        return Debouncer(self.holds, (*self.buttons, button)), (*presses, *acted)

    def _put(self, button: _Button, later: _Button | None) -> Debouncer:
        """Return the state with *button* replaced by *later*, or removed if *later* is None."""
        others = tuple(other for other in self.buttons if other is not button)
        return Debouncer(self.holds, others if later is None else (*others, later))
