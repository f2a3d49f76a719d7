"""Notifies listeners when something has changed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

_LOG = logging.getLogger(__name__)


class Observers:
    """The functions to call after a change; any thread may subscribe, and tell."""

    def __init__(self) -> None:
        self._observers: tuple[Callable[[str], None], ...] = ()
        self._lock = threading.Lock()

    def subscribe(self, tell: Callable[[str], None]) -> Callable[[], None]:
        """Have *tell* called after each change with what has changed; the function returned ends it."""
        with self._lock:
            self._observers = (*self._observers, tell)

        def unsubscribe() -> None:
            with self._lock:
                self._observers = tuple(other for other in self._observers if other is not tell)

        return unsubscribe

    def tell(self, *kinds: str) -> None:
        """Tell all who have subscribed that these *kinds* have changed, such as `state` or `page`.

        One that fails keeps nobody else from it, and least of all the loop, which tells.
        """
        for tell in self._observers:
            for kind in kinds:
                try:
                    tell(kind)
                except Exception:  # noqa: BLE001  as the docstring says
                    _LOG.exception("what follows a change of the %s failed", kind)
