"""How a command fails: one line, exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cribpi.cribbage.rules.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path


@contextmanager
def needing_numpy() -> Iterator[None]:
    """Let an import that fails, as without NumPy, end the command."""
    try:
        yield
    except ImportError as missing:
        from cribpi.cribbage.players.fallback import reason  # noqa: PLC0415  seldom is it missing

        raise UserError(
            f"advice needs NumPy, which can't be loaded ({reason(missing)}): install it, or reinstall cribpi"
        ) from None


@contextmanager
def writing(path: Path, usual: str) -> Iterator[None]:
    """Let a disk that refuses *path* end the command; the remedy is *usual*, unless it is full or failing."""
    try:
        yield
    except OSError as bad:
        raise UserError(refused(str(path), bad, usual)) from None


def refused(name: str, error: OSError, usual: str) -> str:
    """Return why the disk refuses the file *name*, and the remedy."""
    from cribpi.companion.files.disk import reason, remedy  # noqa: PLC0415  it loads SQLite, and seldom is one refused

    return f"{name}: {reason(error)}: {remedy(error, usual)}"
