"""One event as a line of the game record, and back: `print_event` and `read_event` are inverses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, assert_never

from cribpi.core import events
from cribpi.core.cards import Card
from cribpi.core.errors import BadCard
from cribpi.core.events import Event
from cribpi.core.record.game import print_game, read_game
from cribpi.core.record.words import RecordError, Words, print_cards, print_claim, print_counted, quote
from cribpi.core.scores import Kind
from cribpi.core.shown import shown


def print_event(event: Event) -> str:
    """Print one event as a line of a record.

    >>> from cribpi.core.show import Claim
    >>> print_event(events.HandShown(1, Claim(4, nobs=True)))
    'show 1 flush-4 nobs'
    """
    match event:
        case events.GameStarted():
            return " ".join(print_game(event))
        case events.SeatsNamed(names):
            return " ".join(("names", *map(quote, names)))
        case events.CardCut(seat, card):
            return f"cut {seat} {card}"
        case events.DealerChosen(seat):
            return f"dealer {seat}"
        case events.PackShuffled(cards):
            return f"pack {print_cards(cards)}"
        case events.HandDealt(seat, cards):
            return f"dealt {seat} {print_cards(cards)}"
        case events.CardsLaidAway(seat, cards):
            return f"laid-away {seat} {print_cards(cards)}"
        case events.StarterTurned(card):
            return f"starter {card}"
        case events.HeelsTaken():
            return "heels"
        case events.CardPlayed(seat, card):
            return f"play {seat}:{card}"
        case events.GoSaid(seat):
            return f"play {seat}:go"
        case events.NewCountLed(seat, card):
            return f"play {seat}:lead:{card}"
        case events.HandCardTurned(seat, card):
            return f"hand-card {seat} {card}"
        case events.HandShown(seat, claim, points):
            return " ".join((f"show {seat}", *print_claim(claim), *print_counted(points)))
        case events.CribCardTurned(card):
            return f"crib-card {card}"
        case events.CribShown(claim, points):
            return " ".join(("crib", *print_claim(claim), *print_counted(points)))
        case events.PointsPegged(side, points, kind):
            return f"peg {side} {points}" + (f" {kind}" if kind else "")
        case events.HandCounted(seat, cards, starter, claim, points):
            five = print_cards((*cards, starter))
            return " ".join((f"count {seat} {five}", *print_claim(claim), *print_counted(points)))
        case events.StepPassed():
            return "next"
        case events.PenaltyPegged(side, points):
            return f"penalty {side} {points:+}"
        case events.ScorePutRight(side, score):
            return f"put-right {side} {score}"
        case events.Misdealt():
            return "misdeal"
        case events.MugginsCalled(side, of, points, is_right):
            return f"muggins {side} {of} {points}" + ("" if is_right else " wrong")
        case events.RenegeRuled(seat, points):
            return f"renege {seat} {points}"
        case events.FalseWinRuled(side, score):
            return f"false-win {side} {score}"
        case _:
            assert_never(event)


def _play(words: Words) -> Event:
    word = words.word("a play")
    found = re.fullmatch(r"([0-9]):(?:(go)|(lead:)?([^:]+))", word)
    if not found:
        raise words.fail(f"{shown(word)} is not a play: write SEAT:CARD, SEAT:go or SEAT:lead:CARD")
    seat, go, lead, text = found.groups()
    if go:
        return events.GoSaid(int(seat))
    try:
        card = Card.parse(text)
    except BadCard as bad:
        raise words.fail(str(bad)) from None
    return events.NewCountLed(int(seat), card) if lead else events.CardPlayed(int(seat), card)


def _peg(words: Words) -> Event:
    side, points = words.number("side"), words.number("points")
    kind = None
    if words.more():
        word = words.word("a kind")
        if word not in list(Kind):
            raise words.fail(f"{shown(word)} is not a kind of score: the kinds are {' '.join(Kind)}")
        kind = Kind(word)
    return events.PointsPegged(side, points, kind)


def _count(words: Words) -> Event:
    points = words.counted()
    seat = words.number("seat")
    five = [words.card() for _ in range(5)]
    return events.HandCounted(seat, tuple(five[:4]), five[4], words.claim(), points)


def _show(words: Words) -> Event:
    points = words.counted()
    return events.HandShown(words.number("seat"), words.claim(), points)


def _crib(words: Words) -> Event:
    points = words.counted()
    return events.CribShown(words.claim(), points)


def _muggins(words: Words) -> Event:
    side, of, points = words.number("side"), words.number("side"), words.number("points")
    if not words.more():
        return events.MugginsCalled(side, of, points)
    word = words.word("a remark")
    if word != "wrong":
        raise words.fail(f"{shown(word)} is unexpected: only wrong may follow a muggins")
    return events.MugginsCalled(side, of, points, is_right=False)


_READERS: Final[dict[str, Callable[[Words], Event]]] = {
    "game": read_game,
    "names": lambda words: events.SeatsNamed(words.names()),
    "cut": lambda words: events.CardCut(words.number("seat"), words.card()),
    "dealer": lambda words: events.DealerChosen(words.number("seat")),
    "pack": lambda words: events.PackShuffled(words.cards()),
    "dealt": lambda words: events.HandDealt(words.number("seat"), words.cards()),
    "laid-away": lambda words: events.CardsLaidAway(words.number("seat"), words.cards()),
    "starter": lambda words: events.StarterTurned(words.card()),
    "heels": lambda _: events.HeelsTaken(),
    "play": _play,
    "hand-card": lambda words: events.HandCardTurned(words.number("seat"), words.card()),
    "show": _show,
    "crib-card": lambda words: events.CribCardTurned(words.card()),
    "crib": _crib,
    "peg": _peg,
    "count": _count,
    "next": lambda _: events.StepPassed(),
    "penalty": lambda words: events.PenaltyPegged(words.number("side"), words.number("points")),
    "put-right": lambda words: events.ScorePutRight(words.number("side"), words.number("score")),
    "misdeal": lambda _: events.Misdealt(),
    "muggins": _muggins,
    "renege": lambda words: events.RenegeRuled(words.number("seat"), words.number("points")),
    "false-win": lambda words: events.FalseWinRuled(words.number("side"), words.number("score")),
}

KEYWORDS: Final = tuple(_READERS)
"""The first words of a record's lines."""


def read_event(keyword: str, rest: Sequence[tuple[int, str]], line: int, column: int) -> Event:
    """Parse the event of *keyword* from the words after it, each with its column.

    Raises:
        RecordError: If they are not one event; a missing word is reported at *column* of *line*.
    """
    reader = _READERS.get(keyword)
    if reader is None:
        raise RecordError(
            f"{shown(keyword)} begins no line of a record: lines begin with {' '.join(KEYWORDS)}",
            line,
            column,
        )
    words = Words(rest, line, column)
    event = reader(words)
    if words.more():
        raise words.fail(f"{shown(words.word(''))} is unexpected: the line is complete without it")
    return event
