"""A guard against bugs in the views: log the bug, show a plain fallback, and continue the game.

An event is journaled before its effect is shown.  Without the guard, a view that raises would raise again at
each start, and a bug in one picture would make the table unusable.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

_LOG = logging.getLogger(__name__)

T = TypeVar("T")


class Faults:
    """The views that have failed.  Each bug is logged and reported once.  Thread-safe.

    Attributes:
        on_change: Called with a view and its error, or None once it works again, on the thread that requested
            the view.
    """

    def __init__(self) -> None:
        self.on_change: Callable[[str, str | None], None] = lambda _view, _sentence: None
        self._lock = threading.Lock()
        self._failed: dict[str, tuple[object, str]] = {}
        """By view: the object that it failed to show, and the error."""

    def guarded(self, view: str, of: object, make: Callable[[], T], instead: Callable[[Exception], T]) -> T:
        """Return the result of *make*, or if it raises, the result of *instead* for the error.

        *of* is the object that the view shows.  A view that failed counts as working only once it shows
        another object: drawing the same one again, now with the error message, may succeed although the bug
        remains.

        >>> Faults().guarded("sum", None, lambda: 1 // 0, lambda error: 0)
        0
        """
        try:
            result = make()
        except Exception as error:  # noqa: BLE001  a bug must not end the game
            text = sentence(view, error)
            with self._lock:
                is_new = self._failed.get(view, (None, ""))[1] != text
                self._failed[view] = of, text
            if is_new:
                _LOG.error("%s", text, exc_info=error)
                self.on_change(view, text)
            return instead(error)
        with self._lock:
            is_repaired = view in self._failed and self._failed[view][0] is not of
            if is_repaired:
                del self._failed[view]
        if is_repaired:
            self.on_change(view, None)
        return result


def sentence(view: str, error: Exception) -> str:
    """Format the error message for a *view* that failed.

    >>> sentence("screen", ZeroDivisionError())
    'screen: a bug in cribpi (ZeroDivisionError); the game is safe: play on, or UNDO the last step'
    """
    kind = type(error).__name__
    return f"{view}: a bug in cribpi ({kind}); the game is safe: play on, or UNDO the last step"
