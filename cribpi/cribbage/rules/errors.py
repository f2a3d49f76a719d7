"""Errors: a class for each remedy; every message is a sentence that names the remedy."""

from __future__ import annotations


class UserError(Exception):
    """An error that the user can fix: the message is a sentence that says how, and the CLI prints it."""


class ParseError(UserError, ValueError):
    """Text that can't be parsed; the message shows the right form."""


class BadCard(ParseError):
    """Text that is not a card, or not the number of cards needed."""


class BadArgument(ParseError):
    """An invalid argument of a function or request; the message begins with its name."""


class RecordError(ParseError):
    """Text that is not a record: the problem, with its line and column, both from 1."""

    def __init__(self, problem: str, line: int = 1, column: int = 1) -> None:
        super().__init__(problem, line, column)
        self.problem = problem
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.problem}"


class RuleError(UserError, ValueError):
    """An event that is illegal now; the state is unchanged.  The message names a legal alternative.

    *rule* is the name of the rule behind it (see `cite`).
    """

    rule = "keys"

    def __init__(self, text: str, rule: str | None = None) -> None:
        super().__init__(text, *([] if rule is None else [rule]))
        if rule is not None:
            self.rule = rule

    def __str__(self) -> str:
        return str(self.args[0])


class WrongPhase(RuleError):
    """The event belongs to another phase of the game."""

    rule = "order"


class GameIsOver(WrongPhase):
    """The game has been won; nothing counts after that."""

    rule = "win"


class WrongSeat(RuleError):
    """It is another seat's turn, show or cut, or there is no such seat or side."""

    rule = "turns"


class TooHigh(RuleError):
    """The card would take the count over thirty-one."""

    rule = "limit"


class ImpossibleCards(RuleError):
    """No pack holds these cards: five of a rank, or one card twice."""

    rule = "pack"

    def __init__(self, text: str, rank: int = 0) -> None:
        super().__init__(text)
        self.args = (text, int(rank))  # so that its repr pastes back, with no name but its own
        self.rank = rank


class NotHeld(RuleError):
    """The card is not in the hand, which is known, or the number of cards is wrong."""

    rule = "lay-away"


class MustPlay(RuleError):
    """A seat says go, but can play."""

    rule = "must-play"


class ImpossiblePoints(RuleError):
    """No card, hand or crib is worth that much."""

    rule = "no-nineteen"


class ImpossibleClaim(RuleError):
    """The suits, or the ranks, rule out the flush or nobs that is claimed."""

    rule = "flush"


class BadSetup(RuleError):
    """Players, target or names that no game can start with.

    *remedies* are options with a value as written, each of which, chosen as well, would fix it.
    """

    rule = "setup"

    def __init__(self, text: str, remedies: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(text)
        self.args = (text, remedies)  # so that its repr can be pasted back
        self.remedies = remedies
