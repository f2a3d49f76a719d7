"""One event as a line of the game record, and back: `print_event` and `read_event` are inverses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.record.game import print_game, read_game
from cribpi.cribbage.record.words import RecordError, Words, print_claim, quote
from cribpi.cribbage.rules.errors import BadCard
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.cards import parse_card


class Part(NamedTuple):
    """One field of an event on its line: how it is read from the words, and how it is printed, or as ""."""

    read: Callable[[Words], Any]
    printed: Callable[[Any], str]


class Line(NamedTuple):
    """The lines with one keyword: their events, and the words after it read and printed."""

    events: tuple[type[Event], ...]
    read: Callable[[Words], Event]
    printed: Callable[[Any], str]


def _line(event: type[Event], *parts: Part) -> Line:
    """Return the line that has a part for each field of *event*, in order."""
    names = event.__match_args__

    def printed(one: Event) -> str:
        words = (part.printed(getattr(one, name)) for name, part in zip(names, parts, strict=True))
        return " ".join(filter(None, words))

    return Line((event,), lambda words: event(*(part.read(words) for part in parts)), printed)


def _number(what: str, form: str = "{}") -> Part:
    return Part(lambda words: words.number(what), form.format)


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
        raise words.fail(f"{shown(word)} is unexpected: only wrong may follow a muggins")
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
_CARD: Final = Part(Words.card, str)
_CARDS: Final = Part(Words.cards, _print_cards)
_FOUR: Final = Part(lambda words: tuple(words.card() for _ in range(4)), _print_cards)
_CLAIM: Final = Part(Words.claim, print_claim)
_COUNTED: Final = Part(Words.counted, lambda points: "" if points is None else f"counted={points}")

_LINES: Final = {
    "game": Line((events.GameStarted,), read_game, print_game),
    "names": _line(events.SeatsNamed, Part(Words.names, lambda names: " ".join(map(quote, names)))),
    "cut": _line(events.CardCut, _SEAT, _CARD),
    "dealer": _line(events.DealerChosen, _SEAT),
    "pack": _line(events.PackShuffled, _CARDS),
    "dealt": _line(events.HandDealt, _SEAT, _CARDS),
    "laid-away": _line(events.Discarded, _SEAT, _CARDS),
    "starter": _line(events.StarterTurned, _CARD),
    "heels": _line(events.HeelsTaken),
    "play": Line((events.CardPlayed, events.GoSaid, events.NewCountLed), _read_play, _print_play),
    "hand-card": _line(events.HandCardTurned, _SEAT, _CARD),
    "show": _line(events.HandShown, _SEAT, _CLAIM, _COUNTED),
    "crib-card": _line(events.CribCardTurned, _CARD),
    "crib": _line(events.CribShown, _CLAIM, _COUNTED),
    "peg": _line(events.PointsPegged, _SIDE, _POINTS, Part(_read_kind, lambda kind: kind or "")),
    "count": _line(events.HandCounted, _SEAT, _FOUR, _CARD, _CLAIM, _COUNTED),
    "next": _line(events.StepPassed),
    "penalty": _line(events.PenaltyPegged, _SIDE, _number("points", "{:+}")),
    "put-right": _line(events.ScorePutRight, _SIDE, _SCORE),
    "misdeal": _line(events.Misdealt),
    "muggins": _line(
        events.MugginsCalled,
        *(_SIDE, _SIDE, _POINTS),
        Part(_read_is_right, lambda is_right: "" if is_right else "wrong"),
    ),
    "renege": _line(events.RenegeRuled, _SEAT, _POINTS),
    "false-win": _line(events.FalseWinRuled, _SIDE, _SCORE),
}
_KEYWORD_OF: Final = {event: keyword for keyword, line in _LINES.items() for event in line.events}

KEYWORDS: Final = tuple(_LINES)
"""The first words of a record's lines."""


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
