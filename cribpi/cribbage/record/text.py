"""A whole record, and each event as a line of it: parsing is the inverse of printing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.record.words import QUOTED, Words, print_claim, print_game, quote, read_game
from cribpi.cribbage.rules.errors import BadCard, RecordError
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.cards import parse_card


class FieldFormat(NamedTuple):
    """One field of an event on its line: how it is read from the words, and how it is printed, or as ""."""

    read: Callable[[Words], Any]
    printed: Callable[[Any], str]


class LineFormat(NamedTuple):
    """The lines with one keyword: their events, and the words after it read and printed."""

    events: tuple[type[Event], ...]
    read: Callable[[Words], Event]
    printed: Callable[[Any], str]


def _line(event: type[Event], *parts: FieldFormat) -> LineFormat:
    """Return the line that has a part for each field of *event*, in order."""
    names = event.__match_args__

    def printed(one: Event) -> str:
        words = (part.printed(getattr(one, name)) for name, part in zip(names, parts, strict=True))
        return " ".join(filter(None, words))

    return LineFormat((event,), lambda words: event(*(part.read(words) for part in parts)), printed)


def _number(what: str, form: str = "{}") -> FieldFormat:
    return FieldFormat(lambda words: words.number(what), form.format)


def _print_cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _read_kind(words: Words) -> Kind | None:
    if not words.more():
        return None
    word = words.word("a kind")
    if word not in list(Kind):
        raise words.fail(f"{shown(word)} is not a kind of score: the kinds are {' '.join(Kind)}")
    return Kind(word)


def _read_is_right(words: Words) -> bool:
    if not words.more():
        return True
    word = words.word("a remark")
    if word != "wrong":
        raise words.fail(f"{shown(word)} is unexpected: only wrong can follow muggins")
    return False


def _read_play(words: Words) -> Event:
    word = words.word("a play")
    found = re.fullmatch(r"([0-9]):(?:(go)|(lead:)?([^:]+))", word)
    if not found:
        raise words.fail(f"{shown(word)} is not a play: write SEAT:CARD, SEAT:go or SEAT:lead:CARD")
    seat, go, lead, text = found.groups()
    if go:
        return events.GoSaid(int(seat))
    try:
        card = parse_card(text)
    except BadCard as bad:
        raise words.fail(str(bad)) from None
    return events.NewCountLed(int(seat), card) if lead else events.CardPlayed(int(seat), card)


def _print_play(event: events.Playing) -> str:
    match event:
        case events.CardPlayed(seat, card):
            return f"{seat}:{card}"
        case events.GoSaid(seat):
            return f"{seat}:go"
        case events.NewCountLed(seat, card):
            return f"{seat}:lead:{card}"


_SEAT, _SIDE, _POINTS, _SCORE = map(_number, ("seat", "side", "points", "score"))
_CARD: Final = FieldFormat(Words.card, str)
_CARDS: Final = FieldFormat(Words.cards, _print_cards)
_HAND: Final = FieldFormat(Words.hand, _print_cards)
_CLAIM: Final = FieldFormat(Words.claim, print_claim)
_COUNTED: Final = FieldFormat(Words.counted, lambda points: "" if points is None else f"counted={points}")

_LINES: Final = {
    "game": LineFormat((events.GameStarted,), read_game, print_game),
    "names": _line(events.SeatsNamed, FieldFormat(Words.names, lambda names: " ".join(map(quote, names)))),
    "cut": _line(events.CardCut, _SEAT, _CARD),
    "dealer": _line(events.DealerChosen, _SEAT),
    "pack": _line(events.PackShuffled, _CARDS),
    "dealt": _line(events.HandDealt, _SEAT, _CARDS),
    "laid-away": _line(events.Discarded, _SEAT, _CARDS),
    "starter": _line(events.StarterTurned, _CARD),
    "heels": _line(events.HeelsTaken),
    "play": LineFormat((events.CardPlayed, events.GoSaid, events.NewCountLed), _read_play, _print_play),
    "hand-card": _line(events.HandCardTurned, _SEAT, _CARD),
    "show": _line(events.HandShown, _SEAT, _CLAIM, _COUNTED),
    "crib-card": _line(events.CribCardTurned, _CARD),
    "crib": _line(events.CribShown, _CLAIM, _COUNTED),
    "peg": _line(events.PointsPegged, _SIDE, _POINTS, FieldFormat(_read_kind, lambda kind: kind or "")),
    "count": _line(events.HandCounted, _SEAT, _HAND, _CARD, _CLAIM, _COUNTED),
    "next": _line(events.StepPassed),
    "penalty": _line(events.PenaltyPegged, _SIDE, _number("points", "{:+}")),
    "put-right": _line(events.ScorePutRight, _SIDE, _SCORE),
    "misdeal": _line(events.Misdealt),
    "muggins": _line(
        events.MugginsCalled,
        *(_SIDE, _SIDE, _POINTS),
        FieldFormat(_read_is_right, lambda is_right: "" if is_right else "wrong"),
    ),
    "renege": _line(events.RenegeRuled, _SEAT, _POINTS),
    "false-win": _line(events.FalseWinRuled, _SIDE, _SCORE),
}
_KEYWORD_OF: Final = {event: keyword for keyword, line in _LINES.items() for event in line.events}

KEYWORDS: Final = tuple(_LINES)


def print_event(event: Event) -> str:
    """Print one event as a line of a record.

    >>> from cribpi.cribbage.game.show import SuitClaim
    >>> print_event(events.HandShown(1, SuitClaim(4, nobs=True)))
    'show 1 flush-4 nobs'
    """
    keyword = _KEYWORD_OF[type(event)]
    return f"{keyword} {_LINES[keyword].printed(event)}".rstrip()


def read_event(keyword: str, rest: Sequence[tuple[int, str]], line: int, column: int) -> Event:
    """Parse the event of *keyword* from the words after it, each with its column.

    Raises:
        RecordError: If they are not one event; a missing word is reported at *column* of *line*.
    """
    if keyword not in _LINES:
        raise RecordError(
            f"{shown(keyword)} begins no line of a record: lines begin with {' '.join(KEYWORDS)}",
            line,
            column,
        )
    words = Words(rest, line, column)
    event = _LINES[keyword].read(words)
    if words.more():
        raise words.fail(f"{shown(words.word(''))} is unexpected: the line is complete without it")
    return event


HEADER: Final = "cribpi record 1"

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
    """Yield the lines of *text* one by one: a list would take several times the memory of the text."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    if start < len(text) or not start:
        yield text[start:]


def _no_header(line: str) -> str:
    match = re.fullmatch(r"cribpi record ([0-9]{1,4})", line.strip())
    if match:
        return f"it is a version {match[1]} record, and this cribpi reads version {HEADER[-1]}: update cribpi"
    return f"a record begins with the line {HEADER!r}"


def parse_event(line: str) -> Event:
    """Parse one event from its line; `print_event` is the inverse.

    Raises:
        RecordError: If the line is not a single event.
    """
    entries = [entry for _, _, entry in parse_places(f"{HEADER}\n{line}\n")]
    if len(entries) != 1 or isinstance(entries[0], Comment):
        raise RecordError(f"{shown(line)} is not a single event", 2, 1)
    return entries[0]
