"""What an undo has taken back, and a redo brought back, as somebody at the table would say it."""

from __future__ import annotations

from typing import Final, assert_never

from cribpi.cribbage.game import events
from cribpi.cribbage.rules.grammar import whose, within
from cribpi.cribbage.rules.names import YOU
from cribpi.cribbage.words.call import number
from cribpi.cribbage.words.log import GameLog, LogEntry
from cribpi.cribbage.words.tell import for_his_heels


def taken_back(entry: LogEntry) -> str:
    """Say that *entry* is taken back, and by whom if somebody did it."""
    who, what, is_thing = _done(entry)
    if who is None:
        return f"The {what} was taken back"
    article = ("your " if who == YOU and what in _OWN else "the ") * is_thing
    return f"{who} took back {article}{what}"


def brought_back(entry: LogEntry) -> str:
    """Say that *entry* stands once more, and whose it is."""
    who, what, _ = _done(entry)
    are = "are" if what.startswith(("two", "three")) or what.endswith("points") else "is"
    return f"The {what} {are} back" if who is None else f"{whose(who)} {what} {are} back"


def with_shows(shows: GameLog) -> str:
    """Say, as an aside, that the counts that a card has pegged go with it; nothing without any.

    >>> with_shows(())
    ''
    """
    if len(shows) > 1:
        return f" (with the counts of {number(len(shows))} hands)"
    return "".join(f" (with the {_done(entry)[1]})" for entry in shows)


_OWN: Final = {"discard", "go", "cut"}
"""What belongs to whoever did it; a card lies on the table."""


def _done(entry: LogEntry) -> tuple[str | None, str, bool]:
    """Return who did *entry* if somebody did, what it is, and whether that is a thing with an article."""
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
            return after.spoken_side(side), f"{number(points)} point{'s' * (points != 1)}", False
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
