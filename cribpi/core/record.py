"""The game record, `.crib`: plain text in which each item is one event.

`parse_event` and `print_event` are inverses, and so are `parse` and `print_record`; the journal keeps
its events in the same words.  The form is documented in docs/reference/record.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from cribpi.core import events
from cribpi.core.cards import Card
from cribpi.core.errors import BadCard, BadSetup
from cribpi.core.events import Entry, Event
from cribpi.core.rules import Rules
from cribpi.core.scores import Kind
from cribpi.core.show import Claim

HEADER: Final = "cribpi record 1"
"""The first line of each record: its name and version."""


_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
"""A name between double quotes; a backslash stands before a quote or a backslash in it."""


class RecordError(ValueError):
    """A text that is no record: what is wrong, with its line and column, both from 1."""

    def __init__(self, problem: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem = problem
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Comment:
    """A line that is for people: `# text`.  An empty *text* is an empty line."""

    text: str


Entries: TypeAlias = tuple[Event | Comment, ...]


def print_record(entries: Sequence[Event | Comment]) -> str:
    """Print *entries* as a record: a line each, but the cards of one play side by side.

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


def parse(text: str) -> Entries:
    """Read a record; the inverse of `print_record`.

    Raises:
        RecordError: At the first thing that is wrong, with its line and column.
    """
    return tuple(entry for _, _, entry in parse_places(text))


def parse_places(text: str) -> Iterator[tuple[int, int, Event | Comment]]:
    """Read a record, giving each entry with its line and column, from 1.

    Raises:
        RecordError: At the first thing that is wrong.
    """
    lines = text.removesuffix("\n").split("\n")
    if lines[0].strip() != HEADER:
        raise RecordError(f"a record begins with the line {HEADER!r}", 1, 1)
    for number, line in enumerate(lines[1:], start=2):
        body = line.strip()
        if not body or body.startswith("#"):
            yield number, 1, Comment(body.removeprefix("#").strip())
            continue
        words = [(found.start() + 1, found.group()) for found in re.finditer(rf"{_QUOTED}|\S+", line)]
        column, keyword = words[0]
        if keyword == "play":
            if len(words) == 1:
                raise RecordError(
                    "a play needs at least one SEAT:CARD, SEAT:go or SEAT:lead:CARD", number, column
                )
            for at, word in words[1:]:
                yield number, at, _read("play", [(at, word)], number, column)
        else:
            yield number, column, _read(keyword, words[1:], number, column)


def parse_event(line: str) -> Event:
    """Read one event from its line; the inverse of `print_event`.

    Raises:
        RecordError: If the line is not one event.
    """
    found = [entry for _, _, entry in parse_places(f"{HEADER}\n{line}\n")]
    if len(found) != 1 or isinstance(found[0], Comment):
        raise RecordError(f"{line!r} is not one event", 2, 1)
    return found[0]


def print_event(event: Event) -> str:
    """Print one event as a line of a record.

    >>> print_event(events.HandShown(1, Claim(4, nobs=True)))
    'show 1 flush-4 nobs'
    """
    match event:
        case events.GameStarted(names, rules, entry, dealer, games):
            words = ["game", *map(_quote, names), f"rules={rules.name}", f"target={rules.target}"]
            words += [f"entry={entry}"]
            words += [f"dealer={dealer}"] * (dealer is not None)
            words += [f"games={'-'.join(map(str, games))}"] * bool(games)
            return " ".join(words)
        case events.SeatsNamed(names):
            return " ".join(("names", *map(_quote, names)))
        case events.CardCut(seat, card):
            return f"cut {seat} {card}"
        case events.DealerChosen(seat):
            return f"dealer {seat}"
        case events.HandDealt(seat, cards):
            return f"dealt {seat} {_print_cards(cards)}"
        case events.CardsLaidAway(seat, cards):
            return f"laid-away {seat} {_print_cards(cards)}"
        case events.StarterTurned(card):
            return f"starter {card}"
        case events.CardPlayed(seat, card):
            return f"play {seat}:{card}"
        case events.GoSaid(seat):
            return f"play {seat}:go"
        case events.NewCountLed(seat, card):
            return f"play {seat}:lead:{card}"
        case events.HandShown(seat, claim):
            return " ".join((f"show {seat}", *_print_claim(claim)))
        case events.CribCardTurned(card):
            return f"crib-card {card}"
        case events.CribShown(claim):
            return " ".join(("crib", *_print_claim(claim)))
        case events.PointsPegged(side, points, kind):
            return f"peg {side} {points}" + (f" {kind}" if kind else "")
        case events.HandCounted(seat, cards, starter, claim):
            return " ".join((f"count {seat} {_print_cards(cards)} {starter}", *_print_claim(claim)))
        case events.StepPassed():
            return "next"
        case events.PenaltyPegged(side, points):
            return f"penalty {side} {points:+}"
        case events.ScorePutRight(side, score):
            return f"put-right {side} {score}"
        case _:
            assert_never(event)


# --- reading ----------------------------------------------------------------------------------------


class _Words:
    """The words of a line after its keyword, taken one by one; each remembers its column."""

    def __init__(self, words: Sequence[tuple[int, str]], line: int, end: int) -> None:
        self._words = list(words)
        self._line = line
        self._column = words[0][0] if words else end

    def fail(self, problem: str) -> RecordError:
        return RecordError(problem, self._line, self._column)

    def more(self) -> bool:
        return bool(self._words)

    def peek(self) -> str:
        return self._words[0][1] if self._words else ""

    def word(self, what: str) -> str:
        if not self._words:
            raise self.fail(f"{what} is missing")
        self._column, word = self._words.pop(0)
        return word

    def number(self, what: str) -> int:
        word = self.word(what)
        if not re.fullmatch(r"[+-]?[0-9]{1,4}", word):
            raise self.fail(f"{word!r} is no {what}: write a number")
        return int(word)

    def card(self) -> Card:
        word = self.word("a card")
        try:
            return Card.parse(word)
        except BadCard as bad:
            raise self.fail(str(bad)) from None

    def cards(self) -> tuple[Card, ...]:
        cards = [self.card()]
        while self.more():
            cards.append(self.card())
        return tuple(cards)

    def claim(self) -> Claim:
        flush, nobs = 0, False
        while self.more():
            word = self.word("a claim")
            if word in {"flush-4", "flush-5"} and not flush:
                flush = int(word[-1])
            elif word == "nobs" and not nobs:
                nobs = True
            else:
                raise self.fail(f"{word!r} is no claim: there are flush-4 or flush-5, and nobs")
        return Claim(flush, nobs)

    def names(self) -> tuple[str, ...]:
        names = []
        while self.peek().startswith('"'):
            word = self.word("a name")
            if not re.fullmatch(_QUOTED, word):
                raise self.fail(f"{word} is no name: write it between double quotes")
            names.append(re.sub(r"\\(.)", r"\1", word[1:-1]))
        return tuple(names)


_SETTINGS: Final = {
    "rules": (r".*", "a name of rules"),
    "target": (r"\d{1,4}", "a number"),
    "entry": (r"cards|peg", "cards or peg"),
    "dealer": (r"\d", "a seat"),
    "games": (r"\d{1,6}(-\d{1,6})+", "a number for each side, as in 2-1"),
}
"""The settings of a game: what each must look like, and how that is said."""


def _game(words: _Words) -> Event:
    names, rules = words.names(), Rules()
    settings: dict[str, str] = {}
    while words.more():
        key, _, value = words.word("a setting").partition("=")
        if key not in _SETTINGS or key in settings:
            raise words.fail(f"{key!r} is no setting of a game, or stands twice: {' '.join(_SETTINGS)}")
        shape, said = _SETTINGS[key]
        if not re.fullmatch(shape, value, re.ASCII):
            raise words.fail(f"{value!r} is no {key} of a game: write {said}")
        settings[key] = value
        try:
            rules = Rules(settings.get("rules", rules.name), int(settings.get("target", rules.target)))
        except BadSetup as bad:
            raise words.fail(str(bad)) from None
    return events.GameStarted(
        names,
        rules,
        Entry(settings.get("entry", "cards")),
        int(settings["dealer"]) if "dealer" in settings else None,
        tuple(int(number) for number in settings["games"].split("-")) if "games" in settings else (),
    )


def _play(words: _Words) -> Event:
    word = words.word("a play")
    found = re.fullmatch(r"([0-9]):(?:(go)|(lead:)?([^:]+))", word)
    if not found:
        raise words.fail(f"{word!r} is no play: write SEAT:CARD, SEAT:go or SEAT:lead:CARD")
    seat, go, lead, text = found.groups()
    if go:
        return events.GoSaid(int(seat))
    try:
        card = Card.parse(text)
    except BadCard as bad:
        raise words.fail(str(bad)) from None
    return events.NewCountLed(int(seat), card) if lead else events.CardPlayed(int(seat), card)


def _peg(words: _Words) -> Event:
    side, points = words.number("side"), words.number("points")
    kind = None
    if words.more():
        word = words.word("a kind")
        if word not in list(Kind):
            raise words.fail(f"{word!r} is no kind of score: there are {' '.join(Kind)}")
        kind = Kind(word)
    return events.PointsPegged(side, points, kind)


def _count(words: _Words) -> Event:
    seat = words.number("seat")
    five = [words.card() for _ in range(5)]
    return events.HandCounted(seat, tuple(five[:4]), five[4], words.claim())


_READERS: Final[dict[str, Callable[[_Words], Event]]] = {
    "game": _game,
    "names": lambda words: events.SeatsNamed(words.names()),
    "cut": lambda words: events.CardCut(words.number("seat"), words.card()),
    "dealer": lambda words: events.DealerChosen(words.number("seat")),
    "dealt": lambda words: events.HandDealt(words.number("seat"), words.cards()),
    "laid-away": lambda words: events.CardsLaidAway(words.number("seat"), words.cards()),
    "starter": lambda words: events.StarterTurned(words.card()),
    "play": _play,
    "show": lambda words: events.HandShown(words.number("seat"), words.claim()),
    "crib-card": lambda words: events.CribCardTurned(words.card()),
    "crib": lambda words: events.CribShown(words.claim()),
    "peg": _peg,
    "count": _count,
    "next": lambda _: events.StepPassed(),
    "penalty": lambda words: events.PenaltyPegged(words.number("side"), words.number("points")),
    "put-right": lambda words: events.ScorePutRight(words.number("side"), words.number("score")),
}

KEYWORDS: Final = tuple(_READERS)
"""The first words of a record's lines."""


def _read(keyword: str, rest: Sequence[tuple[int, str]], line: int, column: int) -> Event:
    reader = _READERS.get(keyword)
    if reader is None:
        raise RecordError(
            f"{keyword!r} begins no line of a record: there are {' '.join(KEYWORDS)}", line, column
        )
    words = _Words(rest, line, column)
    event = reader(words)
    if words.more():
        raise words.fail(f"{words.word('')!r} is too much: the line is complete before it")
    return event


def _quote(name: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def _print_cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _print_claim(claim: Claim) -> list[str]:
    return [f"flush-{claim.flush}"] * bool(claim.flush) + ["nobs"] * claim.nobs
