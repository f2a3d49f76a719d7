"""Standard input, output and error as a command finds them: closed, full, broken, or of another encoding."""

from __future__ import annotations

import io
import os
import sys
from typing import Final, TextIO

from cribpi.core.shown import visible

_PLACES: Final = (
    # A closed stream is one that refuses: so what was to be read or printed is not lost without a word.
    ("stdin", os.O_WRONLY, "r"),
    ("stdout", os.O_RDONLY, "w"),
    ("stderr", os.O_WRONLY, "w"),
)

LONGEST: Final = 1_000
"""The most characters of a line of complaint; the longest path has four times as many."""
_END: Final = 200


def prepare() -> None:
    """Put something in the place of a stream that is closed, and let no letter of a name stop the output.

    A place left empty would go to the next file that is opened, such as the journal: then a line that is
    printed would be written into that.
    """
    for place, (name, mode, direction) in enumerate(_PLACES):
        if getattr(sys, name) is None:
            _occupy(place, mode)
            setattr(sys, name, open(place, direction, encoding="utf-8", closefd=False))  # noqa: SIM115
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="strict")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def complain(line: str) -> None:
    """Print *line* on stderr: one line, whatever is in it, and cut in its middle where it is very long."""
    text = visible(line[: 2 * LONGEST] + line[2 * LONGEST :][-LONGEST:])
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - _END]} ... {text[-_END:]}"
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:  # nobody can hear it
        let_go(sys.stderr)


def mention(line: str) -> None:
    """Print *line* for whoever reads the output; nobody has to."""
    try:
        print(line, flush=True)
    except OSError:
        let_go(sys.stdout)


def let_go(stream: TextIO) -> None:
    """Send what is still to come on *stream* nowhere, so that it cannot fail again at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _occupy(place: int, mode: int) -> None:
    """Open nothing at the file descriptor *place*, unless something is there already."""
    try:
        os.fstat(place)
    except OSError:
        opened = os.open(os.devnull, mode)
        if opened != place:
            os.dup2(opened, place)
            os.close(opened)
        os.set_inheritable(place, True)  # noqa: FBT003  the processes that play in the arena find it too
