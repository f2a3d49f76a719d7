"""The transition table: the phases in which each event is allowed, and the phases it can lead to.

`step` checks this table first, property tests read it, and the diagram in docs/reference/events.md is drawn
from it. An event's own step checks all other conditions, such as the turn and the cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from cribpi.cribbage.game import events
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.state import OVER, Phase, State
from cribpi.cribbage.rules.errors import GameIsOver, WrongPhase, WrongSeat
from cribpi.cribbage.rules.grammar import does, within

_IDLE, _CUT, _DEAL, _STARTER, _PLAY, _SHOW, _CRIB = list(Phase)[:7]
_WON: Final = frozenset(OVER)
"""Phases after a win: the end of the game, or of the match if this win decides it."""

_IN_A_DEAL: Final = (_DEAL, _STARTER, _PLAY, _SHOW, _CRIB)
_IN_A_GAME: Final = (_CUT, *_IN_A_DEAL)

_ALL: Final = frozenset(Entry)
_ENTERED: Final = frozenset({Entry.CARDS})
_DEALT: Final = frozenset({Entry.DEALT})
_CARDS: Final = _ENTERED | _DEALT
_POINTS: Final = frozenset({Entry.PEG})


class Transition(NamedTuple):
    """*event* is allowed in *phase* of a game in one of the modes *entries*.

    It leads to one of the phases *to*.
    """

    event: type[Event]
    entries: frozenset[Entry]
    phase: Phase
    to: frozenset[Phase]


def _rows(
    event: type[Event], entries: frozenset[Entry], leads_to: Mapping[Phase, AbstractSet[Phase]]
) -> Iterable[Transition]:
    return (Transition(event, entries, phase, frozenset(to)) for phase, to in leads_to.items())


TABLE: Final[tuple[Transition, ...]] = (
    # Before the first game, the mode is that of `State()`: cards.
    *_rows(events.GameStarted, _ENTERED, {_IDLE: {_CUT, _DEAL}}),
    *_rows(events.GameStarted, _ALL, {phase: {_CUT, _DEAL} for phase in (*_IN_A_GAME, *OVER)}),
    *_rows(events.SeatsNamed, _ALL, {phase: {phase} for phase in (*_IN_A_GAME, *OVER)}),
    *_rows(events.CardCut, _ALL, {_CUT: {_CUT, _DEAL}}),
    *_rows(events.DealerChosen, _ALL, {_CUT: {_DEAL}}),
    *_rows(events.PackShuffled, _DEALT, {_DEAL: {_DEAL}}),
    *_rows(events.HandDealt, _ENTERED, {_DEAL: {_DEAL}}),
    *_rows(events.Discarded, _CARDS, {_DEAL: {_DEAL, _STARTER}}),
    # Discards of real cards need not be entered, so the starter may come next.
    *_rows(events.StarterTurned, _ENTERED, {_DEAL: {_PLAY} | _WON}),
    *_rows(events.StarterTurned, _CARDS, {_STARTER: {_PLAY} | _WON}),
    *_rows(events.HeelsTaken, _CARDS, {_PLAY: {_PLAY} | _WON}),
    *_rows(events.CardPlayed, _CARDS, {_PLAY: {_PLAY, _SHOW} | _WON}),
    *_rows(events.GoSaid, _CARDS, {_PLAY: {_PLAY, _SHOW} | _WON}),
    *_rows(events.NewCountLed, _ENTERED, {_PLAY: {_PLAY, _SHOW} | _WON}),
    *_rows(events.HandCardTurned, _ENTERED, {_SHOW: {_SHOW}}),
    *_rows(events.HandShown, _CARDS, {_SHOW: {_SHOW, _CRIB} | _WON}),
    *_rows(events.CribCardTurned, _ENTERED, {_CRIB: {_CRIB}}),
    *_rows(events.CribShown, _CARDS, {_CRIB: {_DEAL} | _WON}),
    *_rows(events.PointsPegged, _POINTS, {_STARTER: {_PLAY} | _WON, _PLAY: {_PLAY} | _WON}),
    *_rows(events.PointsPegged, _POINTS, {_SHOW: {_SHOW, _CRIB} | _WON, _CRIB: {_DEAL} | _WON}),
    *_rows(events.HandCounted, _POINTS, {_SHOW: {_SHOW, _CRIB} | _WON, _CRIB: {_DEAL} | _WON}),
    # If his heels score no points, the starter has no step.
    *_rows(events.StepPassed, _POINTS, {_DEAL: {_STARTER, _PLAY}, _STARTER: {_PLAY}, _PLAY: {_SHOW}}),
    *_rows(events.StepPassed, _POINTS, {_SHOW: {_SHOW, _CRIB}, _CRIB: {_DEAL}}),
    *_rows(events.PenaltyPegged, _ALL, {phase: {phase} | _WON for phase in _IN_A_GAME}),
    *_rows(events.ScorePutRight, _ALL, {phase: {phase} | _WON for phase in _IN_A_GAME}),
    # In points mode, nothing can be entered before the starter, so a misdeal has nothing to cancel.
    *_rows(events.Misdealt, _CARDS, {_DEAL: {_DEAL}}),
    *_rows(events.Misdealt, _ALL, {phase: {_DEAL} for phase in _IN_A_DEAL[1:]}),
    # Muggins on a crib is called when the next deal has already begun.
    *_rows(events.MugginsCalled, _ALL, {phase: {phase} | _WON for phase in (_DEAL, _SHOW, _CRIB)}),
    *_rows(events.MugginsCalled, _POINTS, {_PLAY: {_PLAY} | _WON}),
    # If the computer deals, it rejects a wrong go at once, so none needs a ruling.
    *_rows(events.RenegeRuled, _ENTERED, {phase: {phase} | _WON for phase in (_SHOW, _CRIB)}),
    # In a game in progress, this ruling can make the other side win. A finished game continues.
    *_rows(events.FalseWinRuled, _ALL, {phase: {phase} | _WON for phase in _IN_A_DEAL}),
    *_rows(events.FalseWinRuled, _ALL, dict.fromkeys(OVER, _WON.union(_IN_A_GAME))),
)

_LEADS_TO: Final = {(row.event, entry, row.phase): row.to for row in TABLE for entry in row.entries}


def check_place(what: str, place: int, number: int) -> None:
    """Raise `WrongSeat` if *place* is not below *number*. *what* is the word for it: "seat" or "side"."""
    if not 0 <= place < number:
        raise WrongSeat(f"there is no {what} {place}: {what}s are 0 to {number - 1}", "setup")


def check(state: State, event: Event) -> None:
    """Check *event* against the transition table, and check that its seat or side exists.

    Raises:
        WrongPhase: If the event is not allowed in the phase of *state*.
        WrongSeat: If the seat or side does not exist.
    """
    if (type(event), state.entry, state.phase) not in _LEADS_TO:
        raise _refusal(state, type(event))
    for field in event.__match_args__:
        if field == "seat":
            check_place("seat", getattr(event, field), state.players)
        elif field in {"side", "of"}:
            check_place("side", getattr(event, field), state.sides)


_EXPECTED: Final = {
    Phase.CUT: "cut for the deal, or choose who deals",
    Phase.DEAL: "deal, discard, and turn up the starter",
    Phase.STARTER: "turn up the starter",
    Phase.PLAY: "play a card, or say go",
    Phase.SHOW: "show the next hand",
    Phase.CRIB: "turn up the crib",
}
"""The next action in each phase of cards mode, for error messages."""

_CALLED: Final[Mapping[type[Event], str]] = {
    events.PackShuffled: "a shuffled pack",
    events.HandDealt: "dealing a hand",
    events.Discarded: "discarding",
    events.StarterTurned: "a starter",
    events.HeelsTaken: "taking his heels",
    events.CardPlayed: "a card or go",
    events.GoSaid: "a card or go",
    events.NewCountLed: "a go of several seats at once",
    events.HandCardTurned: "a card of a hand",
    events.HandShown: "a hand's show",
    events.CribCardTurned: "a card of the crib",
    events.CribShown: "the crib's show",
    events.PointsPegged: "pegging an amount",
    events.HandCounted: "counting a hand",
    events.StepPassed: "going on",
}

TOO_LATE: Final = "too late for muggins: call it right after the count that missed points"
NOTHING_TO_RETRACT: Final = "nothing of this deal has been entered yet: just deal again"

_OWN_WORDS: Final[Mapping[type[Event], tuple[str, str]]] = {
    events.CardCut: ("the cut for the deal is over; a new game begins with one", "first_dealer"),
    events.DealerChosen: ("the first dealer is settled; the deal passes to the left", "deal-passes"),
    events.Misdealt: ("no deal has begun, so there is no misdeal", "misdeal"),
    events.MugginsCalled: (TOO_LATE, "miscount"),
    events.RenegeRuled: ("there is no wrong go to rule on now: use a penalty instead", "renege"),
    events.FalseWinRuled: ("nobody has won: correct the score instead", "false_win"),
}
"""Longer error messages for some events at the wrong time, and the rule behind each message."""


def _refusal(state: State, event: type[Event]) -> WrongPhase:
    """Return the error for *event* in a phase that does not allow it."""
    if state.phase is Phase.IDLE:
        return WrongPhase("no game has begun: start a new game first")
    if state.winner is not None:
        won = does(within(state.spoken_side(state.winner)), "has won")
        return GameIsOver(f"the game is over, {won}: start the next one, or undo")
    if event is events.Misdealt and state.phase is Phase.DEAL:
        return WrongPhase(NOTHING_TO_RETRACT, "misdeal")
    if event in _OWN_WORDS:
        return WrongPhase(*_OWN_WORDS[event])
    what, entries = _CALLED[event], {entry for row in TABLE if row.event is event for entry in row.entries}
    if entries == _DEALT and state.entry is not Entry.DEALT:
        return WrongPhase(f"players deal in this game; {what} belongs to a game that the computer deals")
    if entries == _POINTS and state.entry is not Entry.PEG:
        return WrongPhase(f"this game is kept by cards, which score by themselves; {what} is not needed")
    if state.entry not in entries and state.entry is Entry.PEG:
        return WrongPhase(f"this game is kept by points; {what} belongs to a game kept by cards")
    if state.entry not in entries:
        return WrongPhase(f"the computer deals in this game and knows the cards: do not enter {what}")
    if event is events.PointsPegged:
        return WrongPhase("nothing can be pegged before the starter is cut: go on to it first")
    if state.entry is Entry.PEG and state.phase is not Phase.CUT:
        return WrongPhase(f"not the time for {what}: go on to the next step")
    return WrongPhase(f"not the time for {what}: {_EXPECTED[state.phase]}")
