"""Input that is not committed to the game yet: an amount, an open question, a list.

It is kept in the journal's file with each press, as `kept` writes it, and is outside undo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, zip_longest
from typing import Final

from cribpi.companion.entry.here import NOBODY, Here
from cribpi.companion.entry.keys import grown
from cribpi.companion.entry.settings import USUAL_SETTINGS, Settings
from cribpi.cribbage.game.events import PERSON, PERSON_WORD, Entry, GameStarted
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.names import YOU, given_names, plain, unlike
from cribpi.cribbage.rules.rulebook import find_preset
from cribpi.cribbage.rules.rules import Rules, house_rules, preset, read
from cribpi.cribbage.rules.seats import PLAYERS
from cribpi.cribbage.rules.shown import shown
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

SPEEDS: Final = ("normal", "slow", "fast")
"""How quickly the machine's seats act."""

AUTOMATIC: Final = ("cut", "deal", "starter", "go", "peg")
"""What can be done without a key where the computer deals: each is nobody's choice."""

USUALLY_AUTOMATIC: Final = AUTOMATIC[:4]
"""Those that are, until people change it: all but the count, which is worth a look."""

ONCE_AUTOMATIC: Final = AUTOMATIC[:3]
"""Those that were until then in earlier versions, which kept no name of one's own either."""

_CARRIED_KEPT: Final = 64
"""Steps of some three games: further back each is undone by itself."""

_AUTO: Final = "auto_"
"""What the settings for these begin with."""


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
    """Return who sits in each seat, by *words* as people write them: `person`, or the machine's level.

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


def automatic_steps(words: Sequence[str]) -> tuple[str, ...]:
    """Return the steps of `AUTOMATIC` that *words* name, in its order.

    Raises:
        BadSetup: If a word is not one of them.
    """
    for word in words:
        if word not in AUTOMATIC:
            raise BadSetup(f"{shown(word)} is not an automatic step: choose from {', '.join(AUTOMATIC)}")
    return tuple(step for step in AUTOMATIC if step in words)


@dataclass(frozen=True, slots=True)
class Setup:
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

    def with_names(self, names: Sequence[str]) -> Setup:
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

    def with_you(self, name: str) -> Setup:
        """Return the set-up with *name* for the person who plays the computer alone; "You" removes it.

        Raises:
            BadSetup: If it can't be a name.
        """
        is_none = name.casefold() in {"", YOU.casefold()}
        return replace(self, you="" if is_none else given_names([name])[0])

    def with_person_renamed(self, old: str, new: str) -> Setup:
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

    def as_before(self) -> Setup:
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
        """Return who sits in each seat if the computer deals; seats beyond those named are the computer's."""
        last = self.levels[-1] if self.levels else PERSON
        return (*self.levels[: self.players], *[last] * (self.players - len(self.levels)))

    def with_preset(self, name: str) -> Setup:
        """Return the set-up for the preset *name*: its target, and players that it knows.

        It is unchanged by the house, but for the one that the house plays by.
        """
        known = find_preset(name).players
        players = self.players if self.players in known else known[0]
        house = dict(self.house_options) if name == self.house_of else {}
        target = int(house.pop("target", preset(name, players).target))
        there = replace(self, rules=name, target=target, options=tuple(house.items()), aside=())
        return there.with_players(players)

    def with_players(self, players: int) -> Setup:
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

    def with_option(self, option: str, text: str) -> Setup:
        """Return the set-up with *option* as *text* says; what the preset has anyway is no change."""
        options = dict(self.options) | {option: text}
        if read(option, text) == getattr(preset(self.rules, self.players), option):
            del options[option]
        aside = tuple(one for one in self.aside if one[0] != option)
        return replace(self, options=tuple(options.items()), aside=aside)

    def with_rules(self, name: str | None, changes: Mapping[str, str]) -> Setup:
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


@dataclass(frozen=True, slots=True)
class Dialog:
    """What is open over the game: `scenes.SCENES` has what is asked for while each kind is."""


@dataclass(frozen=True, slots=True)
class Listed(Dialog):
    """A list that is open, with the cursor at *line*, from 0; its rows depend on the game and the desk."""

    line: int = 0


class NewGame(Listed):
    """The next new game is being set up."""


class EndMatch(Listed):
    """The new game that is set up would end the match so far; *line* is where its list stood."""


class Menu(Listed):
    """What else can be done: `menu.items`."""


class Why(Listed):
    """The rules that the last thing rests on."""


class ChangeSettings(Listed):
    """The settings of this machine."""


class PhoneList(Listed):
    """The phones at the table: how one joins, then each that has, then how to let none in."""


class Status(Listed):
    """What runs here and how phones reach it; then, at each *line* from 1 on, something that is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneRole(Listed):
    """What the phone of this *number* is to be: a seat, another role, or gone."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(Listed):
    """The corrections that *side* asks for.

    *penalty* is its points, *score* where the score is put right to, *muggins* what is called, below 0
    for a wrong call and 0 for none; *by* is how much a key changes them.  With *is_typed* the next digit goes
    behind the number of the line, and else begins one.
    """

    side: int
    score: int
    penalty: int = -2
    line: int = 1
    muggins: int = 0
    by: int = 1
    is_typed: bool = False


@dataclass(frozen=True, slots=True)
class FalseWin(Dialog):
    """The winner *side* had not won: its true score is *score*; *by* and *is_typed* are as in `Correct`."""

    side: int
    score: int
    by: int = 1
    is_typed: bool = False


@dataclass(frozen=True, slots=True)
class Question(Dialog):
    """A *card* would pass thirty-one: a slip, or the first of a new count?"""

    card: str


@dataclass(frozen=True, slots=True)
class SwitchOff(Dialog):
    """Is the machine to be switched off, or to start again?"""


@dataclass(frozen=True, slots=True)
class MatchSoFar(Dialog):
    """What each side has won in the match."""


@dataclass(frozen=True, slots=True)
class GameSums(Dialog):
    """Where the points came from in the game that is over."""


@dataclass(frozen=True, slots=True)
class CountHand(Dialog):
    """A hand that is counted, in a game kept by points: four *cards*, then perhaps the starter.

    *claimed* is what the player had counted before, by rules that leave it to players.
    """

    cards: tuple[str, ...] = ()
    claim: int = 0
    claimed: int | None = None


@dataclass(frozen=True, slots=True)
class Undone(Dialog):
    """The sentence that says *what* the last undo took back, and how many more steps are *left* to undo."""

    what: str
    left: int


@dataclass(frozen=True, slots=True)
class Hint:
    """What the computer would do with the open hand; without *cards* while it is still thinking."""

    cards: tuple[str, ...] = ()
    words: str = ""
    """A sentence of why."""
    brief: str = ""
    """The same in 15 cells of the glass at the most, perhaps nothing."""


@dataclass(frozen=True, slots=True)
class Desk:
    """Input that is not committed to the game yet, and what the next game will be."""

    setup: Setup = Setup()
    dialog: Dialog | None = None
    typed: tuple[int, ...] = ()
    """Amounts typed, for points that people peg or count; they add up."""
    kind: str | None = None
    """The scored event that was chosen by its name, and waits for a side."""
    claim: int = 0
    """Which of the possible claims FLNB has chosen at this show."""
    message: str | None = None
    """A remark on the last press."""
    open_seat: int | None = None
    """Where the computer deals to several persons: whose hand is open, for that person alone to see."""
    chosen: tuple[str, ...] = ()
    """The cards of that hand, or of the only person's, that were chosen so far."""
    hint: Hint | None = None
    """The hint that was asked for with that hand, until another key is pressed."""
    settings: Settings = USUAL_SETTINGS
    """What people have chosen for this table and its device."""
    pace: str = ""
    """The speed of this game alone, where it was started with one of its own."""
    here: Here = NOBODY
    """The phones and pairings reported since the start."""
    carried: tuple[int, ...] = ()
    """How deep in the journal the shows are that a card has pegged: they go back with the step after them."""

    @property
    def amount(self) -> int:
        """The amount typed so far, 0 or more."""
        return sum(self.typed)

    def with_digit(self, digit: int | None) -> Desk:
        """Return the desk with *digit* behind the number that lies typed, or without its last one.

        >>> Desk().with_digit(1).with_digit(2).amount, Desk().with_digit(1).with_digit(None).typed
        (12, ())
        """
        number = grown(0 if self.kind else self.amount, digit)
        return replace(self, typed=() if digit is None and not number else (number,), kind=None)

    def cleared(self) -> Desk:
        """Return an empty desk with the same set-up, settings, pace and steps, and all who are here."""
        return Desk(self.setup, settings=self.settings, pace=self.pace, here=self.here, carried=self.carried)

    def with_step(self, depth: int, carries: int) -> Desk:
        """Return the desk once the journal has *depth* steps, the last of which *carries* as many before it.

        What was undone is gone.

        >>> Desk(carried=(3, 4, 9)).with_step(8, 2).carried
        (3, 4, 6, 7)
        """
        before = tuple(step for step in self.carried if step < depth - carries)
        return replace(self, carried=(*before, *range(depth - carries, depth))[-_CARRIED_KEPT:])

    def begun(self, pace: str = "") -> Desk:
        """Return an empty desk as a game begins, at *pace* or at the speed that is set up."""
        return replace(self.cleared(), pace=pace)

    def value(self, name: str) -> str:
        """Return the value of the setting *name*; those of a new game are in the set-up.

        >>> Desk(Setup(automatic=("go",))).value("auto_go"), Desk().value("speed"), Desk().value("sleep")
        ('on', 'normal', '10')
        """
        step = name.removeprefix(_AUTO)
        if step != name:
            return "on" if step in self.setup.automatic else "off"
        return self.pace or self.setup.speed if name == "speed" else self.settings.value(name)

    @property
    def has_changes(self) -> bool:
        """Whether a setting is another than is usual on this machine."""
        return any(self.value(name) != usual for name, usual in self.settings.usual)

    def as_usual(self) -> Desk:
        """Return the desk with every setting as is usual on this machine."""
        return reduce(lambda desk, pair: desk.with_value(*pair), self.settings.usual, self)

    def with_value(self, name: str, value: str) -> Desk:
        """Return the desk with another *value* of the setting *name*.

        Raises:
            NoSuchSetting: If there is no such setting, or it can't have that value.
        """
        self.settings.check(name, value)
        step = name.removeprefix(_AUTO)
        if step != name:
            done = {*self.setup.automatic, step} if value == "on" else {*self.setup.automatic} - {step}
            steps = tuple(one for one in AUTOMATIC if one in done)
            return replace(self, setup=replace(self.setup, automatic=steps))
        if name == "speed":
            return replace(self, setup=replace(self.setup, speed=value), pace="")
        return replace(self, settings=self.settings.with_value(name, value))
