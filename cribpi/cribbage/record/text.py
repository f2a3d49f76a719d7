"""A whole record: header, comments, lines of events; `parse` and `print_record` are inverses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cribpi.cribbage.game.events import Event
from cribpi.cribbage.record.events import print_event, read_event
from cribpi.cribbage.record.words import QUOTED, RecordError
from cribpi.cribbage.rules.shown import shown

HEADER: Final = "cribpi record 1"
"""The first line of every record: its name and version."""

LONGEST_LINE: Final = 10_000
"""The most characters of a line that is no comment: a pack and long names have some hundred."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A line for people: `# text`.  With an empty *text*, an empty line."""

    text: str


def print_record(entries: Sequence[Event | Comment]) -> str:
    """Print *entries* as a record: a line each, except that the cards of one play share a line.

    >>> from cribpi.cribbage.game import events
    >>> from cribpi.cribbage.game.cards import Card
    >>> print(print_record([Comment("a quiet start"), events.StarterTurned(Card.parse("J")),
    ...     events.CardPlayed(0, Card.parse("7")), events.GoSaid(1)]), end="")
    cribpi record 1
    # a quiet start
    starter J
    play 0:7 1:go
    """
    lines = [HEADER]
    in_play = False
    for entry in entries:
        if isinstance(entry, Comment):
            lines.append(f"# {entry.text}" if entry.text else "")
            in_play = False
            continue
        line = print_event(entry)
        if in_play and line.startswith("play "):
            lines[-1] += line.removeprefix("play")
        else:
            lines.append(line)
        in_play = line.startswith("play ")
    return "\n".join(lines) + "\n"


def parse(text: str) -> tuple[Event | Comment, ...]:
    """Parse a record; `print_record` is the inverse.

    Raises:
        RecordError: At the first error, with its line and column.
    """
    return tuple(entry for _, _, entry in parse_places(text))


def parse_places(text: str) -> Iterator[tuple[int, int, Event | Comment]]:
    """Parse a record, yielding each entry with its line and column, counted from 1.

    Raises:
        RecordError: At the first error.
    """
    lines = _lines(text)
    first = next(lines)
    if first.strip() != HEADER:
        raise RecordError(_no_header(first), 1, 1)
    for number, line in enumerate(lines, start=2):
        body = line.strip()
        if not body or body.startswith("#"):
            yield number, 1, Comment(body.removeprefix("#").strip())
            continue
        if len(line) > LONGEST_LINE:
            raise RecordError(
                f"the line has {len(line):,} characters: only a comment can have more than {LONGEST_LINE:,}",
                number,
            )
        words = [(found.start() + 1, found.group()) for found in re.finditer(rf"(?:\w+=)?{QUOTED}|\S+", line)]
        column, keyword = words[0]
        if keyword == "play":
            if len(words) == 1:
                raise RecordError(
                    "a play needs at least one SEAT:CARD, SEAT:go or SEAT:lead:CARD", number, column
                )
            for at, word in words[1:]:
                yield number, at, read_event("play", [(at, word)], number, column)
        else:
            yield number, column, read_event(keyword, words[1:], number, column)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of *text* one by one: a list of them would take several times the room of the text."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    if start < len(text) or not start:
        yield text[start:]


def _no_header(line: str) -> str:
    """Return what is wrong with the first *line* of a record."""
    found = re.fullmatch(r"cribpi record ([0-9]{1,4})", line.strip())
    if found:
        return f"it is a version {found[1]} record, and this cribpi reads version {HEADER[-1]}: update cribpi"
    return f"a record begins with the line {HEADER!r}"


def parse_event(line: str) -> Event:
    """Parse one event from its line; `print_event` is the inverse.

    Raises:
        RecordError: If the line is not one event.
    """
    found = [entry for _, _, entry in parse_places(f"{HEADER}\n{line}\n")]
    if len(found) != 1 or isinstance(found[0], Comment):
        raise RecordError(f"{shown(line)} is not one event", 2, 1)
    return found[0]
