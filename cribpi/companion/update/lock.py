"""The lock for updates and installations. Only one can run at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cribpi.cribbage.rules.errors import UserError

_LOCK: Final = "run/cribpi-update.lock"


@contextmanager
def hold(root: Path) -> Iterator[None]:
    """Lock the machine below *root* for one update.

    The installer, which replaces this process, keeps the lock.

    Raises:
        UserError: If another update or installation is running.
    """
    path = root / _LOCK
    path.parent.mkdir(exist_ok=True)
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.set_inheritable(lock, True)  # noqa: FBT003
        yield
    except BlockingIOError:
        raise UserError("another update or installation is going on: wait until it is done") from None
    finally:
        os.close(lock)
