"""What the next new game will be: who plays, by which rules, and how it is entered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Any, Final, Protocol, TypeAlias

from cribpi.cribbage.game.events import PERSON, PERSON_WORD, Entry, GameStarted
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.names import YOU, check_names, given_names, plain, unlike
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import Rules, house_rules, preset, read
from cribpi.cribbage.rules.seats import PLAYERS
from cribpi.cribbage.rules.shown import amount, shown
from cribpi.cribbage.words.levels import CARELESS_NAMES, NAMES, OFFERED, engine_name, title_of

COLOURS: Final = ("ORANGE", "BLUE", "WHITE")
"""The sides' colours, and their names until others are given."""

DEFAULT_NAMES: Final = {2: COLOURS[:2], 3: COLOURS, 4: ("ORANGE", "BLUE", "ORANGE 2", "BLUE 2")}

SPARE_NAMES: Final = ("WHITE", "GREEN", "GOLD", "GREY")
"""Names for seats whose own colour is another's name; of four seats three can have such names."""

COLOURED: Final = frozenset(chain(*DEFAULT_NAMES.values()))
"""The names of seats that have no other."""

LEVELS: Final = (PERSON, *(level.name for level in OFFERED))
"""Who can sit in a seat of a game that the machine deals, as menus offer it."""

BY_RULES: Final = ("rules", "players", "target", "options", "aside")
"""The fields of a set-up that depend on its rules."""

ENTRIES: Final = tuple(map(str, Entry))

SPEEDS: Final = ("normal", "slow", "fast")
"""How quickly the machine's seats act."""

AUTOMATIC: Final = ("cut", "deal", "starter", "go", "peg")
"""What can be done without a key where the computer deals: each is nobody's choice."""

USUALLY_AUTOMATIC: Final = AUTOMATIC[:4]
"""Those that are, until people change it: all but the count, which is worth a look."""

ONCE_AUTOMATIC: Final = AUTOMATIC[:3]
"""Those that were until then in earlier versions, which kept no name of one's own either."""


def with_colours(names: Sequence[str]) -> tuple[str, ...]:
    """Return the *names* of the seats, with a colour for each that is empty: its own, or one that is free.

    >>> with_colours(["Ann", ""]), with_colours(["Blue", ""])
    (('Ann', 'BLUE'), ('Blue', 'WHITE'))
    """
    colours = DEFAULT_NAMES[max(min(PLAYERS), len(names))]
    taken = set(map(str.upper, names))
    spare = iter([name for name in SPARE_NAMES if name not in {*taken, *colours}])
    return tuple(
        name or (colour if colour not in taken else next(spare))
        for name, colour in zip(names, colours, strict=False)
    )


def is_given(name: str) -> bool:
    """Tell whether somebody gave *name*: it is neither a colour nor `YOU`."""
    return name not in {*COLOURED, YOU}


def parse_levels(words: Sequence[str]) -> tuple[str, ...]:
    """Return the level of each seat for *words*: `person`, or the name of a level.

    A level that errs is written so, as `solid-errs`, and an engine of the settings as `engine-fred`.

    >>> parse_levels(["person", "solid"])
    ('', 'solid')

    Raises:
        BadSetup: If a word is neither, or there are more than four.
    """
    for word in words:
        if word not in {PERSON_WORD, *NAMES, *CARELESS_NAMES} and not engine_name(word):
            offered = ", ".join(filter(None, LEVELS))
            raise BadSetup(f"{shown(word)} is not a player: choose {PERSON_WORD}, {offered}")
    if len(words) > max(PLAYERS):
        raise BadSetup(f"{len(words)} players: a game has four at most")
    return tuple({PERSON_WORD: PERSON}.get(word, word) for word in words)


def parse_steps(words: Sequence[str]) -> tuple[str, ...]:
    """Return the steps of `AUTOMATIC` that *words* name, in its order.

    Raises:
        BadSetup: If a word is not one of them.
    """
    for word in words:
        if word not in AUTOMATIC:
            raise BadSetup(f"{shown(word)} is not an automatic step: choose from {', '.join(AUTOMATIC)}")
    return tuple(step for step in AUTOMATIC if step in words)


@dataclass(frozen=True, slots=True)
class NextGame:
    """What the next new game will be."""

    players: int = 2
    target: int = 121
    entry: str = "cards"
    names: tuple[str, ...] = ()
    """Names that were given, seat by seat; colours fill what is missing."""
    you: str = ""
    """The name of the person who plays alone against the computer."""
    rules: str = "standard"
    options: tuple[tuple[str, str], ...] = ()
    """What the house has changed in it other than players and target, each as it is written."""
    aside: tuple[tuple[str, str], ...] = ()
    """House rules that make no sense for this number of players; they come back with another number."""
    house_of: str = ""
    """The preset that the house plays by, and comes back to with what it has changed there."""
    house_options: tuple[tuple[str, str], ...] = ()
    """What the house has changed in that, its target among it."""
    levels: tuple[str, ...] = (PERSON, "medium")
    """Who sits in each seat where the machine deals: a level, or nothing for a person, also where it is
    missing."""
    speed: str = "normal"
    automatic: tuple[str, ...] = ()
    """Which of `AUTOMATIC` are done without a key."""

    @property
    def alone(self) -> int | None:
        """The seat of the only person in a game against the computer; None in any other game."""
        levels = self.seat_levels() if self.entry == Entry.DEALT else ()
        persons = [seat for seat, level in enumerate(levels) if not level]
        return persons[0] if len(persons) == 1 < len(levels) else None

    @property
    def people(self) -> tuple[str, ...]:
        """The names that people gave, seat by seat; one is empty where a colour is the seat's name."""
        return tuple(name if is_given(name) else "" for name in self.names)

    def seat_names(self) -> tuple[str, ...]:
        """Return a name for each seat: the computer's is its level, and never a person's."""
        given = [*self.names[: self.players], *[""] * (self.players - len(self.names))]
        if not self.names:
            given[0] = self.you
        if self.entry != Entry.DEALT:
            return with_colours(given)
        levels = self.seat_levels()
        if self.alone is not None:
            given[self.alone] = self.you or YOU
        persons = with_colours(["" if level else name for name, level in zip(given, levels, strict=True)])
        taken = [name for name, level in zip(persons, levels, strict=True) if not level]
        names = []
        for name, level in zip(persons, levels, strict=True):
            names.append(unlike(title_of(level), taken) if level else name)
            taken.append(names[-1])
        return tuple(names)

    def with_names(self, names: Sequence[str]) -> NextGame:
        """Return the set-up with *names* as people gave them, one for each seat; the computer keeps its own.

        The names of more people than that stay for a game with more.

        Raises:
            BadSetup: If one can't be a name, or two look alike.
        """
        if self.alone is not None:
            return self.with_you(names[min(self.alone, len(names) - 1)])
        levels = self.seat_levels() if self.entry == Entry.DEALT else ()
        before = dict(enumerate(self.names))
        given = [
            before.get(seat, "") if level else name
            for seat, (name, level) in enumerate(zip_longest(names, levels[: len(names)], fillvalue=""))
        ]
        checked = iter(given_names(with_colours(given)))
        found = [one if name else "" for name, one in zip(given, checked, strict=True)]
        if YOU.casefold() in map(plain, found):
            raise BadSetup(f"{YOU} stands for a person who plays the computer alone: choose another name")
        more = (name if unlike(name, found) == name else "" for name in self.names[len(found) :])
        return replace(self, names=(*found, *more))

    def with_you(self, name: str) -> NextGame:
        """Return the set-up with *name* for the person who plays the computer alone; "You" removes it.

        Raises:
            BadSetup: If it can't be a name.
        """
        is_none = name.casefold() in {"", YOU.casefold()}
        return replace(self, you="" if is_none else given_names([name])[0])

    def with_person_renamed(self, old: str, new: str) -> NextGame:
        """Return the set-up with the person *old* called *new*.

        Raises:
            BadSetup: If nobody can be called so, or *old* is no person's name.
        """
        if old != YOU and not is_given(old):
            raise BadSetup(f"{shown(old)} isn't anyone's name: rename a person")
        if not new or not is_given(new):
            raise BadSetup(f"{shown(new)} can't be used as a name: choose another")
        (new,) = given_names([new])
        names = tuple(new if name == old else name for name in self.names)
        given_names(list(filter(None, names)))
        you = new if (self.you or YOU) == old else self.you
        return replace(self, names=names, you=you)

    def as_before(self) -> NextGame:
        """Return the set-up, with one's own name as it was when it was that of the seat."""
        people = dict(enumerate(self.people))
        return self if self.alone is None else replace(self, you=people.get(self.alone, ""))

    def house(self) -> Rules:
        """Return the rules that are set up.

        Raises:
            BadSetup: If they make no sense.
        """
        return house_rules(self.rules, self.players, dict(self.options) | {"target": str(self.target)})

    def event(self) -> GameStarted:
        """Return the game that this set-up starts; its first dealer is to be found.

        Raises:
            BadSetup: If no game can start with it.
        """
        levels = self.seat_levels() if self.entry == Entry.DEALT else ()
        return GameStarted(self.seat_names(), self.house(), Entry(self.entry), levels=levels)

    def seat_levels(self) -> tuple[str, ...]:
        """Return the level of each seat if the computer deals; the last one given is repeated."""
        last = self.levels[-1] if self.levels else PERSON
        return (*self.levels[: self.players], *[last] * (self.players - len(self.levels)))

    def with_preset(self, name: str) -> NextGame:
        """Return the set-up for the preset *name*: its target, and players that it knows.

        It is unchanged by the house, but for the one that the house plays by.
        """
        known = find_preset(name).players
        players = self.players if self.players in known else known[0]
        house = dict(self.house_options) if name == self.house_of else {}
        target = int(house.pop("target", preset(name, players).target))
        there = replace(self, rules=name, target=target, options=tuple(house.items()), aside=())
        return there.with_players(players)

    def with_players(self, players: int) -> NextGame:
        """Return the set-up for *players*, with each house rule that makes sense for them.

        The others are set aside, and those set aside before come back if they fit now.

        Raises:
            BadSetup: If the preset has no game for so many.
        """
        options, aside = dict(self.aside) | dict(self.options), dict[str, str]()
        while True:
            wanted = tuple(options.items())
            found = replace(self, players=players, options=wanted, aside=tuple(aside.items()))
            try:
                found.house()
            except BadSetup as bad:
                named = (*dict(bad.remedies), *reversed(options))
                misfit = next((name for name in named if name in options), None)
                if misfit is None:
                    raise
                aside[misfit] = options.pop(misfit)
            else:
                return found

    def with_option(self, option: str, text: str) -> NextGame:
        """Return the set-up with *option* set to *text*; the preset's own value is not kept as a change."""
        options = dict(self.options) | {option: text}
        if read(option, text) == getattr(preset(self.rules, self.players), option):
            del options[option]
        aside = tuple(one for one in self.aside if one[0] != option)
        return replace(self, options=tuple(options.items()), aside=aside)

    def with_rules(self, name: str | None, changes: Mapping[str, str]) -> NextGame:
        """Return the set-up by the preset *name*, or the one set up, with the house's *changes* as written.

        Raises:
            BadSetup: If they are not known, or make no sense together.
        """
        setup = self if name is None else self.with_preset(name)
        if "players" in changes:
            setup = setup.with_players(read("players", changes["players"]))
        for option, text in changes.items():
            if option == "target":
                setup = replace(setup, target=read(option, text))
            elif option != "players":
                setup = setup.with_option(option, text)
        setup.house()
        house = (*setup.options, *setup.aside, ("target", str(setup.target)))
        return replace(setup, house_of=setup.rules, house_options=house)

    def with_changes(self, changes: Changes) -> NextGame:
        """Return the set-up with *changes*.

        Raises:
            BadSetup: If a value is not known, or they make no sense together.
        """
        rest = dict(changes)
        rules, options = rest.pop("rules", None), rest.pop("options", {})
        if "players" in rest:
            options = {"players": str(rest.pop("players"))} | options
        setup = self.with_rules(rules, options)
        for field in FIELDS:
            if field.name in rest:
                setup = field.change(setup, rest[field.name])
        return setup


USUAL_GAME: Final = NextGame()

Changes: TypeAlias = dict[str, Any]
"""New values for the next game, by the names of `FIELDS`; what is missing stays."""


class _Request(Protocol):
    """A request for changes: of a `Section`, what fields read."""

    def names(self) -> tuple[str, ...]: ...
    def text(self, key: str) -> str: ...
    def string(self, key: str) -> str: ...
    def texts(self, key: str) -> tuple[str, ...]: ...
    def whole(self, key: str) -> int: ...
    def choice(self, key: str, choices: Sequence[str]) -> str: ...
    def section(self, key: str) -> _Request: ...
    def refusal(self, key: str, why: str) -> Exception: ...


@dataclass(frozen=True, slots=True)
class Field:
    """Something that people choose for the next game."""

    name: str
    change: Callable[[NextGame, Any], NextGame]
    """Returns the set-up with another value, or raises `BadSetup`."""
    choices: Callable[[NextGame], Iterable[Any]] = lambda _setup: ()
    """Returns the values that the menu goes through."""
    read: Callable[[_Request, str], Any] = lambda request, key: request.text(key)
    """Reads the value of a key in a request."""


def _with_levels(setup: NextGame, levels: Sequence[str]) -> NextGame:
    parsed = parse_levels([level or PERSON_WORD for level in levels])
    if setup.entry != Entry.DEALT and any(parsed):
        raise BadSetup("with real cards only people play: choose entry dealt to play the computer")
    _check_one_each("levels", levels, setup)
    return replace(setup, levels=parsed)


def _with_names(setup: NextGame, names: Sequence[str]) -> NextGame:
    _check_one_each("names", names, setup)
    return setup.with_names(names)


def _check_one_each(what: str, given: Sequence[str], setup: NextGame) -> None:
    if len(given) != setup.players:
        many = amount(len(given), "seat")
        raise BadSetup(f"{what} are given for {many}, and {setup.players} play: give one for each")


def _speed(word: str) -> str:
    if word not in SPEEDS:
        raise BadSetup(f"{shown(word)} is not a speed: choose slow, normal, fast")
    return word


def _with(name: str, check: Callable[[Any], Any] = lambda one: one) -> Callable[[NextGame, Any], NextGame]:
    return lambda setup, value: replace(setup, **{name: check(value)})


def _targets(setup: NextGame) -> Iterable[int]:
    house = dict(setup.house_options).get("target", "121") if setup.rules == setup.house_of else "121"
    known = map(int, rulebook().options["target"].values)
    return sorted({*known, setup.target, int(house)}, reverse=True)


def _one_each(request: _Request, key: str) -> tuple[str, ...]:
    texts = request.texts(key)
    if not 1 <= len(texts) <= max(PLAYERS):
        raise request.refusal(key, f"give one to {max(PLAYERS)} texts")
    return texts


def _typed_name(text: str) -> str:
    name = " ".join(text.split())
    check_names([name] if name else [])
    return name


def _options(request: _Request, key: str) -> dict[str, str]:
    section = request.section(key)
    return {option: section.string(option) for option in section.names()}


def _whole(request: _Request, key: str) -> int:
    return request.whole(key)


FIELDS: Final = (
    Field("rules", NextGame.with_preset, lambda _: rulebook().presets),
    Field("players", NextGame.with_players, lambda setup: find_preset(setup.rules).players, _whole),
    Field("entry", _with("entry"), lambda _: ENTRIES, lambda request, key: request.choice(key, ENTRIES)),
    Field("options", lambda setup, options: setup.with_rules(None, options), read=_options),
    Field("levels", _with_levels, read=_one_each),
    Field("speed", _with("speed", _speed), lambda _: SPEEDS),
    Field("automatic", _with("automatic", parse_steps), read=lambda request, key: request.texts(key)),
    Field("names", _with_names, read=lambda request, key: tuple(map(_typed_name, _one_each(request, key)))),
)
"""All that a request for rules can change, in the order in which it is read."""

_OTHERS: Final = (
    Field("target", _with("target"), _targets),  # in a request for rules it is one of the options
    Field("you", NextGame.with_you, read=lambda request, key: _typed_name(request.string(key))),
)

FIELD_OF: Final = {field.name: field for field in (*FIELDS, *_OTHERS)}
