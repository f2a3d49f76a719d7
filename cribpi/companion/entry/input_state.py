"""Pending input that is not part of the game yet: an amount, an open dialog, or chosen cards.

The next event clears it. Everything that must outlive an event is in `context`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cribpi.companion.entry.keys import grown


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog that is open on top of the game. `scenes.SCENES` has the prompt and keys of each type."""


@dataclass(frozen=True, slots=True)
class ListDialog(Dialog):
    """A list with the cursor at *line*, from 0. Its rows are computed when it is displayed."""

    line: int = 0


class NewGame(ListDialog):
    """The menu for the set-up of the next game."""


class EndMatch(ListDialog):
    """A warning that a new game ends the current match. *line* is the cursor of the menu to return to."""


class Menu(ListDialog):
    """The main menu. `menu.items` returns its rows."""


class Why(ListDialog):
    """The rules that explain the last event."""


class ChangeSettings(ListDialog):
    """The list in which this machine's settings are changed."""


class PhoneList(ListDialog):
    """The phones at the table: how to join, a row for each phone, and a row to turn phones off."""


class Status(ListDialog):
    """Version, address for phones, and faults. Each *line* from 1 shows a fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneRole(ListDialog):
    """A list of roles for phone *number*: seats, other roles, and removal."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(ListDialog):
    """Corrections for *side*.

    *penalty* is in points. *score* is the corrected score. *muggins* is the number of points called: negative
    for a wrong call, 0 for none. Keys change these numbers in steps of *by*. If *is_typed*, the next digit is
    appended to the number; otherwise it starts a new number.
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
    """A ruling that *side* had not won, with its true *score*. *by* and *is_typed* are as in `Correct`."""

    side: int
    score: int
    by: int = 1
    is_typed: bool = False


@dataclass(frozen=True, slots=True)
class Question(Dialog):
    """A question about a *card* over thirty-one: is it a wrong key, or the first card of a new count?"""

    card: str


@dataclass(frozen=True, slots=True)
class SwitchOff(Dialog):
    """The choice between shutting the Pi down and restarting it."""


@dataclass(frozen=True, slots=True)
class MatchSoFar(Dialog):
    """The match so far: each side's results."""


@dataclass(frozen=True, slots=True)
class GameSums(Dialog):
    """A summary of the finished game: each side's points by source."""


@dataclass(frozen=True, slots=True)
class CountHand(Dialog):
    """A hand to count by its cards in points mode. *cards* are four cards, then possibly the starter.

    *claim* is the index of the chosen suit claim. *claimed* is the player's own count if the rules make
    players count; it was entered before.
    """

    cards: tuple[str, ...] = ()
    claim: int = 0
    claimed: int | None = None


@dataclass(frozen=True, slots=True)
class Undone(Dialog):
    """A message that an undo took back *what*. *left* is the number of steps that can still be undone."""

    what: str
    left: int


@dataclass(frozen=True, slots=True)
class Hint:
    """The computer's advice for the open hand. *cards* is empty while it is being computed."""

    cards: tuple[str, ...] = ()
    words: str = ""
    """Reason, as a sentence."""
    brief: str = ""
    """Reason in at most 15 characters for the screen, or ""."""


@dataclass(frozen=True, slots=True)
class InputState:
    """Pending input that is not part of the game yet."""

    dialog: Dialog | None = None
    typed: tuple[int, ...] = ()
    """Amounts typed so far, in points. Their total is pegged or counted."""
    kind: str | None = None
    """Scored event chosen by name, or None. The next side's key pegs it."""
    claim: int = 0
    """Index of the suit claim that FLNB has chosen at this show."""
    message: str | None = None
    """Remark on the last press, or None."""
    open_seat: int | None = None
    """Seat whose hand is open, if the computer deals and several people share the screen."""
    chosen: tuple[str, ...] = ()
    """Cards chosen so far from the open hand."""
    hint: Hint | None = None
    """Hint requested for the open hand, or None. The next key clears it."""

    @property
    def amount(self) -> int:
        return sum(self.typed)

    def with_digit(self, digit: int | None) -> InputState:
        """Return the input with *digit* appended to the typed number.

        If *digit* is None, its last digit is removed.

        >>> InputState().with_digit(1).with_digit(2).amount, InputState().with_digit(1).with_digit(None).typed
        (12, ())

        After a scored event chosen by name, a digit begins a new number.

        >>> InputState(typed=(2,), kind="pair").with_digit(5).typed
        (5,)
        """
        number = grown(0 if self.kind else self.amount, digit)
        return replace(self, typed=() if digit is None and not number else (number,), kind=None)


NO_INPUT: Final = InputState()
