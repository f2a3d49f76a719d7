"""Errors, a class per kind of remedy. Every message is a sentence that names the remedy."""

from __future__ import annotations


class UserError(Exception):
    """An error that the user can fix. The message is a sentence that says how; commands print it."""


class ParseError(UserError, ValueError):
    """Text can't be parsed. The message shows the right form."""


class BadCard(ParseError):
    """Text is not a card, or not the required number of cards."""


class BadArgument(ParseError):
    """An argument of a function or request is invalid. The message begins with the argument's name."""


class RecordError(ParseError):
    """Text is not a record. The message has the line and column, both from 1."""

    def __init__(self, problem: str, line: int = 1, column: int = 1) -> None:
        super().__init__(problem, line, column)
        self.problem = problem
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.problem}"


class RuleError(UserError, ValueError):
    """An event is illegal now. The state is unchanged, and the message names a legal alternative.

    *rule* is the name of the rule behind it: see `cite`.
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
    """The game has been won, and nothing counts after that."""

    rule = "win"


class WrongSeat(RuleError):
    """It is another seat's turn to play, show or cut, or there is no such seat or side."""

    rule = "turns"


class TooHigh(RuleError):
    """The card would take the count over thirty-one."""

    rule = "limit"


class ImpossibleCards(RuleError):
    """No pack has these cards: five of a rank, or the same card twice."""

    rule = "pack"

    def __init__(self, text: str, rank: int = 0) -> None:
        super().__init__(text)
        self.args = (text, int(rank))  # so that the repr can be pasted back; *rank* may be an enum member
        self.rank = rank


class NotHeld(RuleError):
    """The hand is known and lacks the card, or the number of cards is wrong."""

    rule = "lay-away"


class MustPlay(RuleError):
    """A seat said go although it can play."""

    rule = "must-play"


class ImpossiblePoints(RuleError):
    """No card, hand or crib scores that many points."""

    rule = "no-nineteen"


class ImpossibleClaim(RuleError):
    """The suits or ranks exclude the flush or nobs that is claimed."""

    rule = "flush"


class BadSetup(RuleError):
    """No game can start with these players, names or rules.

    *remedies* are pairs of an option and a value as text. Setting any one of them fixes the error.
    """

    rule = "setup"

    def __init__(self, text: str, remedies: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(text)
        self.args = (text, remedies)  # so that its repr can be pasted back
        self.remedies = remedies
