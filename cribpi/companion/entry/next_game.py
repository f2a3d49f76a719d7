"""The set-up of the next game: players, rules, and how cards or points are entered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Any, Final, Protocol, TypeAlias

from cribpi.companion.entry.house import ANY_HOUSE, House
from cribpi.cribbage.game.events import PERSON, PERSON_WORD, Entry, GameStarted
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.names import YOU, check_names, given_names, plain, unlike
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import Rules, house_rules, preset, read
from cribpi.cribbage.rules.seats import PLAYERS
from cribpi.cribbage.rules.shown import amount, shown
from cribpi.cribbage.words.levels import CARELESS_NAMES, NAMES, OFFERED, engine_name, title_of

COLOURS: Final = ("ORANGE", "BLUE", "WHITE")
"""Colours of the sides. They serve as names until people enter others."""

DEFAULT_NAMES: Final = {2: COLOURS[:2], 3: COLOURS, 4: ("ORANGE", "BLUE", "ORANGE 2", "BLUE 2")}

SPARE_NAMES: Final = ("WHITE", "GREEN", "GOLD", "GREY")
"""Names for seats whose own colour is another seat's name."""

COLOURED: Final = frozenset(chain(*DEFAULT_NAMES.values()))
"""All default names."""

LEVELS: Final = (PERSON, *(level.name for level in OFFERED))
"""Possible players of a seat if the computer deals, in menu order: a person, or a computer level."""

BY_RULES: Final = ("rules", "players", "target", "options", "aside")
"""Fields of `NextGame` that depend on the rules."""

ENTRIES: Final = tuple(map(str, Entry))

SPEEDS: Final = ("normal", "slow", "fast")
"""Speeds of the computer players."""

AUTOMATIC: Final = ("cut", "deal", "starter", "go", "peg")
"""Steps that can run automatically if the computer deals, because they need no decision."""

USUALLY_AUTOMATIC: Final = AUTOMATIC[:4]
"""Default automatic steps: all except the count, which people want to see."""

ONCE_AUTOMATIC: Final = AUTOMATIC[:3]
"""Default automatic steps of legacy versions, which did not save `House.you`."""


def with_colours(names: Sequence[str]) -> tuple[str, ...]:
    """Return the *names* of the seats.

    An empty name is replaced by the seat's colour, or by a spare one if taken.

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
    """Return whether a person entered *name*: it is not a default name or `YOU`."""
    return name not in {*COLOURED, YOU}


def parse_levels(words: Sequence[str]) -> tuple[str, ...]:
    """Parse *words* into a level per seat. The level of a person is "".

    Besides `person` and the levels, a word can be a level that makes mistakes, such as `solid-errs`, or an
    engine from `config.toml`, such as `engine-fred`.

    >>> parse_levels(["person", "solid"])
    ('', 'solid')

    Raises:
        BadSetup: If a word is unknown, or there are more than four.
    """
    for word in words:
        if word not in {PERSON_WORD, *NAMES, *CARELESS_NAMES} and not engine_name(word):
            offered = ", ".join(filter(None, LEVELS))
            raise BadSetup(f"{shown(word)} is not a player: choose {PERSON_WORD}, {offered}")
    if len(words) > max(PLAYERS):
        raise BadSetup(f"{len(words)} players: a game has four at most")
    return tuple({PERSON_WORD: PERSON}.get(word, word) for word in words)


def parse_steps(words: Sequence[str]) -> tuple[str, ...]:
    """Parse *words* into steps of `AUTOMATIC`, sorted as there.

    Raises:
        BadSetup: If a word is not one of these steps.
    """
    for word in words:
        if word not in AUTOMATIC:
            raise BadSetup(f"{shown(word)} is not an automatic step: choose from {', '.join(AUTOMATIC)}")
    return tuple(step for step in AUTOMATIC if step in words)


@dataclass(frozen=True, slots=True)
class NextGame:
    players: int = 2
    target: int = 121
    entry: str = "cards"
    rules: str = "standard"
    options: tuple[tuple[str, str], ...] = ()
    """House rules on top of the preset *rules*, except players and target: options and values as text."""
    aside: tuple[tuple[str, str], ...] = ()
    """House rules that the number of players does not allow. They return when it does."""
    levels: tuple[str, ...] = (PERSON, "medium")
    """Level of each seat if the computer deals, "" for a person.

    The last level is repeated for further seats.
    """
    house: House = ANY_HOUSE

    @property
    def dealt_levels(self) -> tuple[str, ...]:
        """Level of each seat if the computer deals, otherwise ()."""
        return self.seat_levels() if self.entry == Entry.DEALT else ()

    @property
    def alone(self) -> int | None:
        """Seat of the person who plays alone against the computer, or None in other games."""
        levels = self.dealt_levels
        persons = [seat for seat, level in enumerate(levels) if not level]
        return persons[0] if len(persons) == 1 < len(levels) else None

    @property
    def people(self) -> tuple[str, ...]:
        """Names that people entered, by seat. A default name is ""."""
        return tuple(name if is_given(name) else "" for name in self.house.names)

    def seat_names(self) -> tuple[str, ...]:
        """Return a name for each seat.

        A computer player is named after its level, with a number if a person has that name.
        """
        house = self.house
        given = [*house.names[: self.players], *[""] * (self.players - len(house.names))]
        if not house.names:
            given[0] = house.you
        if self.entry != Entry.DEALT:
            return with_colours(given)
        levels = self.seat_levels()
        if self.alone is not None:
            given[self.alone] = house.you or YOU
        persons = with_colours(["" if level else name for name, level in zip(given, levels, strict=True)])
        taken = [name for name, level in zip(persons, levels, strict=True) if not level]
        names = []
        for name, level in zip(persons, levels, strict=True):
            names.append(unlike(title_of(level), taken) if level else name)
            taken.append(names[-1])
        return tuple(names)

    def with_names(self, names: Sequence[str]) -> NextGame:
        """Return the set-up with *names*, one per seat. Names for computer seats are ignored.

        Names already saved for further seats are kept, for games with more players.

        Raises:
            BadSetup: If a name is invalid, or two names are too similar.
        """
        if self.alone is not None:
            return self.with_you(names[min(self.alone, len(names) - 1)])
        levels = self.dealt_levels
        before = dict(enumerate(self.house.names))
        given = [
            before.get(seat, "") if level else name
            for seat, (name, level) in enumerate(zip_longest(names, levels[: len(names)], fillvalue=""))
        ]
        checked = iter(given_names(with_colours(given)))
        found = [one if name else "" for name, one in zip(given, checked, strict=True)]
        if YOU.casefold() in map(plain, found):
            raise BadSetup(f"{YOU} stands for a person who plays the computer alone: choose another name")
        more = (name if unlike(name, found) == name else "" for name in self.house.names[len(found) :])
        return self.with_house(names=(*found, *more))

    def with_house(self, **facts: Any) -> NextGame:  # noqa: ANN401  fields of any type
        """Return the set-up with *facts*, which are fields of its house."""
        return replace(self, house=replace(self.house, **facts))

    def with_you(self, name: str) -> NextGame:
        """Return the set-up after `House.with_you`."""
        return replace(self, house=self.house.with_you(name))

    def with_person_renamed(self, old: str, new: str) -> NextGame:
        """Return the set-up with the person *old* renamed to *new*.

        Raises:
            BadSetup: If *new* is invalid or taken, or *old* is not the name of a person.
        """
        if old != YOU and not is_given(old):
            raise BadSetup(f"{shown(old)} isn't anyone's name: rename a person")
        if not new or not is_given(new):
            raise BadSetup(f"{shown(new)} can't be used as a name: choose another")
        (new,) = given_names([new])
        house = self.house.with_person_renamed(old, new)
        given_names(list(filter(None, house.names)))
        return replace(self, house=house)

    def as_before(self) -> NextGame:
        """Return a legacy set-up with `you` filled in from `names`, which stored it in legacy versions."""
        people = dict(enumerate(self.people))
        return self if self.alone is None else self.with_house(you=people.get(self.alone, ""))

    def game_rules(self) -> Rules:
        """Return the rules of this set-up.

        Raises:
            BadSetup: If they contradict each other.
        """
        return house_rules(self.rules, self.players, dict(self.options) | {"target": str(self.target)})

    def event(self) -> GameStarted:
        """Return the event that starts this game. The first dealer is open.

        Raises:
            BadSetup: If the rules contradict each other.
        """
        return GameStarted(self.seat_names(), self.game_rules(), Entry(self.entry), levels=self.dealt_levels)

    def seat_levels(self) -> tuple[str, ...]:
        """Return the level of each seat if the computer deals. The last of *levels* is repeated."""
        last = self.levels[-1] if self.levels else PERSON
        return (*self.levels[: self.players], *[last] * (self.players - len(self.levels)))

    def with_preset(self, name: str) -> NextGame:
        """Return the set-up for the preset *name*, with its target.

        The number of players changes if the preset requires it.

        Saved house rules apply only if *name* is `House.preset`.
        """
        known = find_preset(name).players
        players = self.players if self.players in known else known[0]
        house = dict(self.house.options) if name == self.house.preset else {}
        target = int(house.pop("target", preset(name, players).target))
        there = replace(self, rules=name, target=target, options=tuple(house.items()), aside=())
        return there.with_players(players)

    def with_players(self, players: int) -> NextGame:
        """Return the set-up for *players*, with each house rule that this number allows.

        Other house rules move to *aside*. House rules in *aside* return if they are allowed now.

        Raises:
            BadSetup: If the preset does not support that number.
        """
        options, aside = dict(self.aside) | dict(self.options), dict[str, str]()
        while True:
            wanted = tuple(options.items())
            found = replace(self, players=players, options=wanted, aside=tuple(aside.items()))
            try:
                found.game_rules()
            except BadSetup as bad:
                named = (*dict(bad.remedies), *reversed(options))
                misfit = next((name for name in named if name in options), None)
                if misfit is None:
                    raise
                aside[misfit] = options.pop(misfit)
            else:
                return found

    def with_option(self, option: str, text: str) -> NextGame:
        """Return the set-up with *option* set to *text*. The preset's own value removes the house rule."""
        options = dict(self.options) | {option: text}
        if read(option, text) == getattr(preset(self.rules, self.players), option):
            del options[option]
        aside = tuple(one for one in self.aside if one[0] != option)
        return replace(self, options=tuple(options.items()), aside=aside)

    def with_rules(self, name: str | None, changes: Mapping[str, str]) -> NextGame:
        """Return the set-up with the preset *name* and the house rules *changes*, as text.

        None is the current preset.

        Raises:
            BadSetup: If an option or value is unknown, or the rules contradict each other.
        """
        setup = self if name is None else self.with_preset(name)
        if "players" in changes:
            setup = setup.with_players(read("players", changes["players"]))
        for option, text in changes.items():
            if option == "target":
                setup = replace(setup, target=read(option, text))
            elif option != "players":
                setup = setup.with_option(option, text)
        setup.game_rules()
        house = (*setup.options, *setup.aside, ("target", str(setup.target)))
        return setup.with_house(preset=setup.rules, options=house)

    def with_changes(self, changes: Changes) -> NextGame:
        """Return the set-up with *changes*.

        Raises:
            BadSetup: If a value is unknown, or the rules contradict each other.
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
"""New values for the next game, by field name. Missing fields do not change."""


class _Request(Protocol):
    """A request for changes. `Section` implements these methods for `Field.read`."""

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
    """A value of the next game that people can choose."""

    name: str
    change: Callable[[NextGame, Any], NextGame]
    """Function that returns the set-up with a new value. It raises `BadSetup` if the value is invalid."""
    choices: Callable[[NextGame], Iterable[Any]] = lambda _setup: ()
    """Function that returns the values in the menu's order."""
    read: Callable[[_Request, str], Any] = lambda request, key: request.text(key)
    """Function that parses the value of a key in a request."""

    def value(self, setup: NextGame) -> Any:  # noqa: ANN401  fields of any type
        """Return the value in *setup* or its house."""
        return getattr(setup if hasattr(setup, self.name) else setup.house, self.name)


def _with_levels(setup: NextGame, levels: Sequence[str]) -> NextGame:
    parsed = parse_levels([level or PERSON_WORD for level in levels])
    if setup.entry != Entry.DEALT and any(parsed):
        raise BadSetup("with real cards only people play: choose entry dealt to play the computer")
    _check_one_each("levels", levels, setup)
    return replace(setup, levels=parsed)


def _with_names(setup: NextGame, names: Sequence[str]) -> NextGame:
    _check_one_each("names", names, setup)
    return setup.with_names(names)


def _check_one_each(what: str, values: Sequence[str], setup: NextGame) -> None:
    if len(values) != setup.players:
        many = amount(len(values), "seat")
        raise BadSetup(f"{what} are given for {many}, and {setup.players} play: give one for each")


def _speed(word: str) -> str:
    if word not in SPEEDS:
        raise BadSetup(f"{shown(word)} is not a speed: choose slow, normal, fast")
    return word


def _with(name: str) -> Callable[[NextGame, Any], NextGame]:
    return lambda setup, value: replace(setup, **{name: value})


def _with_fact(name: str, check: Callable[[Any], Any]) -> Callable[[NextGame, Any], NextGame]:
    return lambda setup, value: setup.with_house(**{name: check(value)})


def _targets(setup: NextGame) -> Iterable[int]:
    house = dict(setup.house.options).get("target", "121") if setup.rules == setup.house.preset else "121"
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
    Field("speed", _with_fact("speed", _speed), lambda _: SPEEDS),
    Field("automatic", _with_fact("automatic", parse_steps), read=lambda request, key: request.texts(key)),
    Field("names", _with_names, read=lambda request, key: tuple(map(_typed_name, _one_each(request, key)))),
)
"""Fields that a request can change, in the order in which they are applied."""

_OTHERS: Final = (
    Field("target", _with("target"), _targets),  # requests change the target as one of the options
    Field("you", NextGame.with_you, read=lambda request, key: _typed_name(request.string(key))),
)

FIELD_OF: Final = {field.name: field for field in (*FIELDS, *_OTHERS)}
