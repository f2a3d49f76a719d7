"""Bugs in the views: a plain fallback takes the view's place, and the game goes on.

The journal has the event before anyone sees its effect, so a view that raised would raise again at each
start: a table that nobody could start any more, for a fault in a picture of it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

_LOG = logging.getLogger(__name__)

T = TypeVar("T")


class Faults:
    """The views that have failed; each fault is logged once, and reported once.

    Attributes:
        on_change: Called with a view and what is wrong with it, and with None once it works again; from
            whichever thread asked for the view.
    """

    def __init__(self) -> None:
        self.on_change: Callable[[str, str | None], None] = lambda _view, _sentence: None
        self._lock = threading.Lock()
        self._failed: dict[str, tuple[object, str]] = {}
        """By view, for what it failed, and what was said of that."""

    def guarded(self, view: str, of: object, make: Callable[[], T], instead: Callable[[Exception], T]) -> T:
        """Return what *make* makes; if it raises, what *instead* makes of the error.

        *of* is what is to be seen.  A view that has failed works again only when it has shown something else:
        it may be that the report of its fault is what it can show.

        >>> Faults().guarded("sum", None, lambda: 1 // 0, lambda error: 0)
        0
        """
        try:
            found = make()
        except Exception as error:  # noqa: BLE001  whatever it is, the game goes on
            said = sentence(view, error)
            with self._lock:
                is_news = self._failed.get(view, (None, ""))[1] != said
                self._failed[view] = of, said
            if is_news:
                _LOG.error("%s", said, exc_info=error)
                self.on_change(view, said)
            return instead(error)
        with self._lock:
            is_well = view not in self._failed or self._failed[view][0] is of
            if not is_well:
                del self._failed[view]
        if not is_well:
            self.on_change(view, None)
        return found


def sentence(view: str, error: Exception) -> str:
    """Say what is wrong with *view*, and that the game goes on.

    >>> sentence("screen", ZeroDivisionError())
    'screen: a bug in cribpi (ZeroDivisionError); the game is safe: play on, or UNDO the last step'
    """
    kind = type(error).__name__
    return f"{view}: a bug in cribpi ({kind}); the game is safe: play on, or UNDO the last step"
