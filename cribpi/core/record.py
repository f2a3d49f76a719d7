"""The game record, `.crib`: plain text in which each item is one event.

`parse_event` and `print_event` are inverses, and so are `parse` and `print_record`; the journal keeps
its events in the same words.  The form is documented in docs/reference/record.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from cribpi.core import events
from cribpi.core.cards import Card
from cribpi.core.errors import BadCard, BadSetup
from cribpi.core.events import Entry, Event
from cribpi.core.match import Tally
from cribpi.core.options import BY_NAME, changed, read
from cribpi.core.presets import find_preset, house_changes, house_rules
from cribpi.core.rules import STANDARD
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
        case events.GameStarted():
            return " ".join(_print_game(event))
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
            return " ".join((f"show {seat}", *_print_claim(claim), *_print_counted(points)))
        case events.CribCardTurned(card):
            return f"crib-card {card}"
        case events.CribShown(claim, points):
            return " ".join(("crib", *_print_claim(claim), *_print_counted(points)))
        case events.PointsPegged(side, points, kind):
            return f"peg {side} {points}" + (f" {kind}" if kind else "")
        case events.HandCounted(seat, cards, starter, claim, points):
            five = _print_cards((*cards, starter))
            return " ".join((f"count {seat} {five}", *_print_claim(claim), *_print_counted(points)))
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

    def counted(self) -> int | None:
        """Take the points that a player counted, if they stand at the end."""
        if not self._words or not self._words[-1][1].startswith("counted="):
            return None
        self._column, word = self._words.pop()
        text = word.removeprefix("counted=")
        if not re.fullmatch(r"[0-9]{1,4}", text):
            raise self.fail(f"{word!r}: write the points that were counted, as counted=12")
        return int(text)

    def names(self) -> tuple[str, ...]:
        names = []
        while self.peek().startswith('"'):
            word = self.word("a name")
            if not re.fullmatch(_QUOTED, word):
                raise self.fail(f"{word} is no name: write it between double quotes")
            names.append(re.sub(r"\\(.)", r"\1", word[1:-1]))
        return tuple(names)


_SETTINGS: Final = {
    "entry": (r"cards|peg", "cards or peg"),
    "dealer": (r"\d", "a seat"),
    "games": (r"\d{1,6}(-\d{1,6})+", "a number for each side, as in 2-1"),
    "points": (r"\d{1,6}(-\d{1,6})+", "a number for each side, as in 5-2"),
    "skunks": (r"\d{1,6}(-\d{1,6})+", "a number for each side, as in 1-0"),
    "spread": (r"[+-]?\d{1,6}(,[+-]?\d{1,6})+", "a number for each side, as in 51,-51"),
}
"""The settings of a game beside its rules: what each must look like, and how that is said."""

_TALLY: Final = ("games", "points", "skunks", "spread")


def _print_game(event: events.GameStarted) -> list[str]:
    rules, tally = event.rules, event.tally
    changes = house_changes(rules)
    changes.pop("target", None)
    words = ["game", *map(_quote, event.names), f"rules={rules.name}", f"target={rules.target}"]
    words += [f"{name}={text}" for name, text in changes.items()]
    words += [f"entry={event.entry}"]
    words += [f"dealer={event.dealer}"] * (event.dealer is not None)
    if tally:
        words.append(f"games={'-'.join(str(one.games) for one in tally)}")
    if any(one.points or one.skunks or one.spread for one in tally):
        words.append(f"points={'-'.join(str(one.points) for one in tally)}")
        words.append(f"skunks={'-'.join(str(one.skunks) for one in tally)}")
        words.append(f"spread={','.join(str(one.spread) for one in tally)}")
    return words


def _game(words: _Words) -> Event:
    names = words.names()
    settings: dict[str, str] = {}
    changes: dict[str, str] = {}
    while words.more():
        key, _, value = words.word("a setting").partition("=")
        if key in settings or key in changes:
            raise words.fail(f"{key!r} stands twice")
        if key in _SETTINGS and not re.fullmatch(_SETTINGS[key][0], value, re.ASCII):
            raise words.fail(f"{value!r} is no {key} of a game: write {_SETTINGS[key][1]}")
        if key in _SETTINGS or key == "rules":
            settings[key] = value
        elif key not in BY_NAME or key == "players":
            known = (*_SETTINGS, "rules", *(name for name in BY_NAME if name != "players"))
            raise words.fail(f"{key!r} is no setting of a game: {' '.join(known)}")
        else:
            changes[key] = value
        try:
            _check_setting(key, value)
        except BadSetup as bad:
            raise words.fail(str(bad)) from None
    try:
        rules = house_rules(settings.get("rules", "standard"), len(names), changes)
        tally = _tally(settings)
    except BadSetup as bad:
        raise words.fail(str(bad)) from None
    dealer = int(settings["dealer"]) if "dealer" in settings else None
    return events.GameStarted(names, rules, Entry(settings.get("entry", "cards")), dealer, tally)


def _check_setting(key: str, value: str) -> None:
    """Raise `BadSetup` for what is wrong by itself, as it is read, so that it is named by its own column."""
    if key == "rules":
        find_preset(value)
    elif key in BY_NAME:
        read(key, value)
        if BY_NAME[key].others:  # a number may be out of range
            changed(STANDARD, {key: value})


def _tally(settings: Mapping[str, str]) -> tuple[Tally, ...]:
    columns = {
        name: [int(text) for text in settings[name].split("," if name == "spread" else "-")]
        for name in _TALLY
        if name in settings
    }
    sides = {len(column) for column in columns.values()}
    if len(sides) > 1:
        raise BadSetup(f"{' '.join(columns)} are not for as many sides each: give a number for each side")
    return tuple(
        Tally(*(columns[name][side] if name in columns else 0 for name in _TALLY))
        for side in range(max(sides, default=0))
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
    points = words.counted()
    seat = words.number("seat")
    five = [words.card() for _ in range(5)]
    return events.HandCounted(seat, tuple(five[:4]), five[4], words.claim(), points)


def _show(words: _Words) -> Event:
    points = words.counted()
    return events.HandShown(words.number("seat"), words.claim(), points)


def _crib(words: _Words) -> Event:
    points = words.counted()
    return events.CribShown(words.claim(), points)


def _muggins(words: _Words) -> Event:
    side, of, points = words.number("side"), words.number("side"), words.number("points")
    if not words.more():
        return events.MugginsCalled(side, of, points)
    word = words.word("a remark")
    if word != "wrong":
        raise words.fail(f"{word!r} is too much: only wrong can stand behind a muggins")
    return events.MugginsCalled(side, of, points, is_right=False)


_READERS: Final[dict[str, Callable[[_Words], Event]]] = {
    "game": _game,
    "names": lambda words: events.SeatsNamed(words.names()),
    "cut": lambda words: events.CardCut(words.number("seat"), words.card()),
    "dealer": lambda words: events.DealerChosen(words.number("seat")),
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


def _print_counted(points: int | None) -> list[str]:
    return [] if points is None else [f"counted={points}"]
