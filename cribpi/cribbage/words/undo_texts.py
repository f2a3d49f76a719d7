"""Texts for undone and redone events, as players would say it."""

from __future__ import annotations

from typing import Final, assert_never

from cribpi.cribbage.game import events
from cribpi.cribbage.rules.grammar import whose, within
from cribpi.cribbage.rules.names import YOU
from cribpi.cribbage.words.call import number
from cribpi.cribbage.words.log import GameLog, LogEntry
from cribpi.cribbage.words.tell import for_his_heels


def taken_back(entry: LogEntry) -> str:
    """Return the text for the undo of *entry*, with its player if it has one."""
    who, what, is_thing = _describe(entry)
    if who is None:
        return f"The {what} was taken back"
    if is_thing:
        what = f"your {what}" if who == YOU and what in _OWN else f"the {what}"
    return f"{who} took back {what}"


def brought_back(entry: LogEntry) -> str:
    """Return the text for the redo of *entry*, with its player if it has one."""
    who, what, _ = _describe(entry)
    are = "are" if what.startswith(("two", "three")) or what.endswith("points") else "is"
    return f"The {what} {are} back" if who is None else f"{whose(who)} {what} {are} back"


def with_shows(shows: GameLog) -> str:
    """Return a note in parentheses on the counts of *shows*, undone along with a card, or "" without any.

    >>> with_shows(())
    ''
    """
    if len(shows) > 1:
        return f" (with the counts of {number(len(shows))} hands)"
    return "".join(f" (with the {_describe(entry)[1]})" for entry in shows)


_OWN: Final = {"discard", "go", "cut"}
"""Things that take "your" for the user; a card takes "the", because it is on the table."""


def _describe(entry: LogEntry) -> tuple[str | None, str, bool]:
    """Return the player of *entry* or None, the name of the event, and whether that needs an article."""
    event, after = entry.event, entry.after
    match event:
        case events.Discarded(seat):
            return after.names[seat], "discard", True
        case events.GoSaid(seat):
            return after.names[seat], "go", True
        case events.CardCut(seat):
            return after.names[seat], "cut", True
        case (
            events.CardPlayed(seat, card) | events.NewCountLed(seat, card) | events.HandCardTurned(seat, card)
        ):
            return after.names[seat], str(card), True
        case events.HeelsTaken():
            return after.spoken_side(entry.outcomes[0].side), for_his_heels(after.rules), False
        case events.PointsPegged(side, points):
            unit = "point" if points == 1 else "points"
            return after.spoken_side(side), f"{number(points)} {unit}", False
        case events.MugginsCalled(side):
            return after.spoken_side(side), "muggins", False
        case events.HandShown(seat) | events.HandCounted(seat):
            what = f"count of {whose(within(after.names[seat]))} hand"
        case events.CribShown():
            dealer = after.spoken_side(entry.outcomes[0].side)
            what = f"count of {whose(within(dealer))} crib"
        case events.CribCardTurned(card):
            what = f"{card} in the crib"
        case events.StepPassed():
            what = f"step to the {after.phase}"
        case events.GameStarted():
            what = "new game"
        case events.SeatsNamed():
            what = "change of names"
        case events.DealerChosen():
            what = "choice of the dealer"
        case events.PackShuffled() | events.HandDealt():
            what = "deal"
        case events.StarterTurned():
            what = "starter"
        case events.PenaltyPegged():
            what = "penalty"
        case events.ScorePutRight():
            what = "correction"
        case events.Misdealt():
            what = "misdeal"
        case events.RenegeRuled() | events.FalseWinRuled():
            what = "ruling"
        case _:
            assert_never(event)
    return None, what, True
