"""How a command fails: one line, exit code 2."""

from __future__ import annotations


class CommandError(Exception):
    """A command can't be done.  The message is one sentence with the remedy."""
