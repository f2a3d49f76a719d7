"""How a command fails: one line, exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class CommandError(Exception):
    """A command can't be done.  The message is one sentence with the remedy."""


@contextmanager
def passing_on(*errors: type[Exception]) -> Iterator[None]:
    """Let one of *errors*, whose text is such a sentence, end the command."""
    try:
        yield
    except errors as bad:
        raise CommandError(str(bad)) from None
