"""Pending input that is not yet part of the game: an amount, an open dialog, chosen cards.

The next event clears it.  What outlives an event is in `context`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cribpi.companion.entry.keys import grown


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog open on top of the game; `scenes.SCENES` maps each type to its prompt and keys."""


@dataclass(frozen=True, slots=True)
class Listed(Dialog):
    """A list with its cursor at *line*, counted from 0; the rows are computed from the game and the desk."""

    line: int = 0


class NewGame(Listed):
    """The menu that changes the next game's set-up."""


class EndMatch(Listed):
    """A warning that the new game would end the current match; *line* is the cursor to return to."""


class Menu(Listed):
    """The menu; `menu.items` returns its rows."""


class Why(Listed):
    """The rules behind the last event."""


class ChangeSettings(Listed):
    """The settings of this machine."""


class PhoneList(Listed):
    """The phones at the table: how to join, then a row for each phone, then one to turn phones off."""


class Status(Listed):
    """The version and the address for phones; each *line* from 1 on shows one fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneRole(Listed):
    """A list of roles for phone *number*: a seat, another role, or removal."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(Listed):
    """The corrections that *side* asks for.

    *penalty* is in points, and *score* is the corrected score.  *muggins* is the number of points called:
    negative for a wrong call, 0 for none.  Their keys change them in steps of *by*.  If *is_typed*, the
    next digit is appended to the line's number; otherwise it starts a new number.
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
    """A ruling that *side* had not won, with its true *score*; *by* and *is_typed* are as in `Correct`."""

    side: int
    score: int
    by: int = 1
    is_typed: bool = False


@dataclass(frozen=True, slots=True)
class Question(Dialog):
    """A question: is a *card* that would pass thirty-one a wrong key, or the first of a new count?"""

    card: str


@dataclass(frozen=True, slots=True)
class SwitchOff(Dialog):
    """The choice between shutting down and restarting the Pi."""


@dataclass(frozen=True, slots=True)
class MatchSoFar(Dialog):
    """The result of the match so far, for each side."""


@dataclass(frozen=True, slots=True)
class GameSums(Dialog):
    """A summary of the finished game: each side's points by source."""


@dataclass(frozen=True, slots=True)
class CountHand(Dialog):
    """A hand counted by its cards in points mode: four *cards*, then perhaps the starter.

    *claimed* is the player's own count, entered before, if the rules let players count for themselves.
    """

    cards: tuple[str, ...] = ()
    claim: int = 0
    claimed: int | None = None


@dataclass(frozen=True, slots=True)
class Undone(Dialog):
    """A message about *what* the last undo took back, and the number of steps *left* to undo."""

    what: str
    left: int


@dataclass(frozen=True, slots=True)
class Hint:
    """The computer's advice for the open hand; *cards* is empty while it is being computed."""

    cards: tuple[str, ...] = ()
    words: str = ""
    """The reason, as a sentence."""
    brief: str = ""
    """The reason in at most 15 cells of the screen; may be empty."""


@dataclass(frozen=True, slots=True)
class Desk:
    """Pending input that is not yet part of the game."""

    dialog: Dialog | None = None
    typed: tuple[int, ...] = ()
    """Amounts typed so far, in points; the total is pegged or counted."""
    kind: str | None = None
    """The scored event chosen by name; the next side key pegs it."""
    claim: int = 0
    """The possible claim that FLNB has selected at this show, counted from 0."""
    message: str | None = None
    """A remark on the last press."""
    open_seat: int | None = None
    """The seat whose hand is shown, if the computer deals to several people who share the screen."""
    chosen: tuple[str, ...] = ()
    """The cards chosen so far from the open hand, or from the only person's hand."""
    hint: Hint | None = None
    """The hint requested for the open hand; cleared by the next key."""

    @property
    def amount(self) -> int:
        return sum(self.typed)

    def with_digit(self, digit: int | None) -> Desk:
        """Return the desk with *digit* appended to the typed number, or without its last digit if None.

        >>> Desk().with_digit(1).with_digit(2).amount, Desk().with_digit(1).with_digit(None).typed
        (12, ())

        After a scored event chosen by name, a digit begins a new number.

        >>> Desk(typed=(2,), kind="pair").with_digit(5).typed
        (5,)
        """
        number = grown(0 if self.kind else self.amount, digit)
        return replace(self, typed=() if digit is None and not number else (number,), kind=None)


NO_INPUT: Final = Desk()
