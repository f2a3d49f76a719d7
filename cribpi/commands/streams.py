"""Input and output of commands: standard streams, which may be closed or broken, and files."""

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
    # Closed stdin and stdout become /dev/null in the wrong mode: using them raises an error instead of losing
    # data.
    ("stdin", os.O_WRONLY, "r"),
    ("stdout", os.O_RDONLY, "w"),
    ("stderr", os.O_WRONLY, "w"),
)

LONGEST: Final = 1_000
"""Maximum length of an error message. A path can be four times as long."""
_END: Final = 200


def prepare() -> None:
    """Occupy the descriptors of closed streams, and set encodings so that any character can be printed.

    Otherwise, the next file to be opened, such as the journal, would get a closed stream's descriptor, and
    printed lines would overwrite it.
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
    """Print *line* on stderr. It is escaped to one line, and a very long line is cut in the middle."""
    text = visible(line[: 2 * LONGEST] + line[2 * LONGEST :][-LONGEST:])
    if len(text) > LONGEST:
        text = f"{beginning(text, LONGEST - _END)} ... {ending(text, _END)}"
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:  # stderr has no reader
        redirect_to_null(sys.stderr)


def show(lines: Iterable[str], data: object, *, is_json: bool) -> None:
    """Print *data* as a line of JSON if *is_json*, otherwise print the text *lines*."""
    import json  # noqa: PLC0415  `cribpi score` starts without it

    for line in [json.dumps(data)] if is_json else lines:
        print(line)


def typed() -> Iterator[str]:
    """Yield the lines of standard input.

    Raises:
        UserError: If the input cannot be read.
    """
    try:
        yield from sys.stdin
    except OSError as refused:
        raise UserError(
            f"the input cannot be read ({refused.strerror}): send it in a pipe, or from a file"
        ) from None


def print_if_open(line: str) -> None:
    """Print *line*. A closed output is ignored."""
    try:
        print(line, flush=True)
    except OSError:
        redirect_to_null(sys.stdout)


def redirect_to_null(stream: TextIO) -> None:
    """Redirect *stream* to /dev/null, so that flushing it at exit can't fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


@contextmanager
def writing(path: Path, default_remedy: str) -> Iterator[None]:
    """Convert a failure to write *path* into a `UserError`.

    The message has *default_remedy*, unless the disk is full or failing.
    """
    try:
        yield
    except OSError as bad:
        raise UserError(refused(str(path), bad, default_remedy)) from None


def refused(name: str, error: OSError, default_remedy: str) -> str:
    """Return the message for a failure to read or write the file *name*, with a remedy."""
    from cribpi.companion.files.disk import reason, remedy  # noqa: PLC0415  loads SQLite, and is rarely needed

    return f"{name}: {reason(error)}: {remedy(error, default_remedy)}"


def _occupy(place: int, mode: int) -> None:
    """Open /dev/null as file descriptor *place*, unless it is already open."""
    try:
        os.fstat(place)
    except OSError:
        opened = os.open(os.devnull, mode)
        if opened != place:
            os.dup2(opened, place)
            os.close(opened)
        os.set_inheritable(place, True)  # noqa: FBT003  processes that the arena starts inherit it
