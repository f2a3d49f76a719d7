"""What a command reads and writes: standard streams as it finds them, and files that a disk may refuse."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import beginning, ending, visible

if TYPE_CHECKING:
    from pathlib import Path

_PLACES: Final = (
    # Input and output get /dev/null the wrong way round: it raises errors, so nothing is lost silently.
    ("stdin", os.O_WRONLY, "r"),
    ("stdout", os.O_RDONLY, "w"),
    ("stderr", os.O_WRONLY, "w"),
)

LONGEST: Final = 1_000
"""The most characters in a complaint; the longest path has four times as many."""
_END: Final = 200


def prepare() -> None:
    """Occupy the descriptors of closed streams, and let no character stop the output.

    A free descriptor would go to the next file opened, such as the journal: then printed lines would be
    written into that.
    """
    for place, (name, mode, direction) in enumerate(_PLACES):
        if getattr(sys, name) is None:
            _occupy(place, mode)
            setattr(sys, name, open(place, direction, encoding="utf-8", closefd=False))  # noqa: SIM115
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="strict")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def print_error(line: str) -> None:
    """Print *line* on stderr: escaped to one line, and cut in the middle if it is very long."""
    text = visible(line[: 2 * LONGEST] + line[2 * LONGEST :][-LONGEST:])
    if len(text) > LONGEST:
        text = f"{beginning(text, LONGEST - _END)} ... {ending(text, _END)}"
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:  # nobody reads it
        redirect_to_null(sys.stderr)


def show(lines: Iterable[str], data: object, *, is_json: bool) -> None:
    """Print *data* as a line of JSON, or else *lines*, which say the same."""
    import json  # noqa: PLC0415  `cribpi score` starts without it

    for line in [json.dumps(data)] if is_json else lines:
        print(line)


def typed() -> Iterator[str]:
    """Yield the lines of standard input.

    Raises:
        UserError: If it cannot be read.
    """
    try:
        yield from sys.stdin
    except OSError as refused:
        raise UserError(
            f"the input cannot be read ({refused.strerror}): send it in a pipe, or from a file"
        ) from None


def print_if_open(line: str) -> None:
    """Print *line* for whoever reads the output; nobody has to."""
    try:
        print(line, flush=True)
    except OSError:
        redirect_to_null(sys.stdout)


def redirect_to_null(stream: TextIO) -> None:
    """Redirect *stream* to nowhere, so that it cannot fail again at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


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


def _occupy(place: int, mode: int) -> None:
    """Open /dev/null at the file descriptor *place*, unless it is in use."""
    try:
        os.fstat(place)
    except OSError:
        opened = os.open(os.devnull, mode)
        if opened != place:
            os.dup2(opened, place)
            os.close(opened)
        os.set_inheritable(place, True)  # noqa: FBT003  for the arena's processes, too
