"""Input that is not committed to the game yet: an amount, an open question, a list.

It is kept in the journal's file with each press, as `kept` writes it, and is outside undo.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, NamedTuple

from cribpi.companion.entry.here import NOBODY, Here
from cribpi.companion.entry.keys import grown
from cribpi.companion.entry.next_game import FIELD_OF, USUAL_GAME, NextGame
from cribpi.companion.entry.settings import ANY_MACHINE, Machine, Pairs

_CARRIED_KEPT: Final = 64
"""Steps of some three games: further back each is undone by itself."""

_AUTO: Final = "auto_"
"""What the settings for these begin with."""


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
    """Input that is not committed to the game yet."""

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
    settings: Pairs = ()
    """What people have chosen for this table and its device, where it is not the usual."""
    pace: str = ""
    """The speed of this game alone, where it was started with one of its own."""
    machine: Machine = ANY_MACHINE
    """What can be set on this machine, and what is usual; it is never kept."""
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
        """Return an empty desk with the same settings, machine, pace, steps, and all who are here."""
        return Desk(
            settings=self.settings, machine=self.machine, pace=self.pace, here=self.here, carried=self.carried
        )

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


class SavedInput(NamedTuple):
    """The input that is saved with each press."""

    desk: Desk
    next_game: NextGame = USUAL_GAME

    def value(self, name: str) -> str:
        """Return the value of the setting *name*; those of a new game are in `next_game`.

        >>> SavedInput(Desk(), NextGame(speed="fast")).value("speed"), SavedInput(Desk()).value("sleep")
        ('fast', '10')
        """
        (desk, next_game), step = self, name.removeprefix(_AUTO)
        if step != name:
            return "on" if step in next_game.automatic else "off"
        return desk.pace or next_game.speed if name == "speed" else desk.machine.value(name, desk.settings)

    @property
    def has_changes(self) -> bool:
        """Whether a setting is another than is usual on this machine."""
        return any(self.value(name) != usual for name, usual in self.desk.machine.usual)

    def as_usual(self) -> SavedInput:
        """Return the input with every setting as is usual on this machine."""
        return reduce(lambda saved, pair: saved.with_value(*pair), self.desk.machine.usual, self)

    def with_value(self, name: str, value: str) -> SavedInput:
        """Return the input with another *value* of the setting *name*.

        Raises:
            NoSuchSetting: If there is no such setting, or it can't have that value.
        """
        (desk, next_game), step = self, name.removeprefix(_AUTO)
        desk.machine.check(name, value)
        if step != name:
            done = {*next_game.automatic, step} if value == "on" else {*next_game.automatic} - {step}
            return SavedInput(desk, FIELD_OF["automatic"].change(next_game, done))
        if name == "speed":
            return SavedInput(replace(desk, pace=""), replace(next_game, speed=value))
        settings = desk.machine.with_value(desk.settings, name, value)
        return SavedInput(replace(desk, settings=settings), next_game)
