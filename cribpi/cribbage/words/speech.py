"""Sounds of an event: the call of its player, the text for a screen reader, and a short sound."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card, Rank, Suit
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import Outcome, Phase, State, the_deal
from cribpi.cribbage.rules.grammar import does, within
from cribpi.cribbage.words import shows
from cribpi.cribbage.words.call import call_show, number
from cribpi.cribbage.words.tell import call, tell


class Sound(StrEnum):
    """The short sounds, whose notes are in the page."""

    CARD = "card"
    PEG = "peg"
    FIFTEEN = "fifteen"
    THIRTY_ONE = "thirty-one"
    GO = "go"
    HEELS = "heels"
    WIN = "win"


_COUNTED_ALOUD: Final = (
    events.GameStarted,
    events.CardCut,
    events.DealerChosen,
    events.CardPlayed,
    events.NewCountLed,
    events.GoSaid,
    events.HeelsTaken,
    events.HandShown,
    events.HandCounted,
    events.PointsPegged,
)
"""Events of which only the call is spoken, because the player can be seen; others are spoken with a name."""
_BEFORE_THE_SHOW: Final = (
    (Kind.HEELS, Sound.HEELS),
    (Kind.THIRTY_ONE, Sound.THIRTY_ONE),
    (Kind.FIFTEEN, Sound.FIFTEEN),
    (Kind.GO, Sound.GO),
    (Kind.LAST, Sound.GO),
)
"""The sound of each kind of score, the first of a card's kinds winning."""
_COURTS: Final = {Rank.ACE: "ace", Rank.JACK: "jack", Rank.QUEEN: "queen", Rank.KING: "king"}
_VOWELS: Final = (Rank.ACE, Rank.EIGHT)


def spoken_text(before: State, event: Event, after: State) -> str:
    """Return the text spoken for *event*, which led from *before* to *after*, or ""."""
    is_spoken = isinstance(event, events.HandShown | events.CribShown) and _face_up(before)
    parts = ["" if is_spoken else _words(event, after), _opening(before, after), _won(before, after)]
    words = "; ".join(filter(None, parts)).replace('"', "")
    return " ".join(map(_in_small_letters, words.split(" ")))


def sound(before: State, event: Event, after: State) -> Sound | None:
    """Return the short sound of *event*, or None for silence."""
    if _won(before, after):
        return Sound.WIN
    outcomes = after.outcomes_of(event)
    if not before.is_show:
        kinds = {score.kind for outcome in outcomes for score in outcome.scores}
        for kind, of_kind in _BEFORE_THE_SHOW:
            if kind in kinds:
                return of_kind
    if any(outcome.points > 0 for outcome in outcomes):
        return Sound.PEG
    if isinstance(event, events.GoSaid):
        return Sound.GO
    is_card = isinstance(event, events.CardPlayed | events.NewCountLed | events.StarterTurned)
    return Sound.CARD if is_card else None


def _in_small_letters(word: str) -> str:
    """Change a name in capitals so that it is read as a word, not letter by letter; initials stay.

    >>> [_in_small_letters(word) for word in ("ANN", "ORANGE;", "JB", "go")]
    ['Ann', 'Orange;', 'JB', 'go']
    """
    return word.capitalize() if word.isupper() and set(word) & set("AEIOUY") else word


def _words(event: Event, after: State) -> str:
    called = "; ".join(map(call, after.outcomes_of(event)))
    if isinstance(event, events.StarterTurned):
        return ": ".join(filter(None, (f"the starter is {spoken(event.card)}", called)))
    if isinstance(event, events.CribShown):
        return f"the crib: {called}"
    if isinstance(event, _COUNTED_ALOUD):
        return called
    return tell(event, after) if called else ""


def _opening(before: State, after: State) -> str:
    """Return the count of a hand or crib that has just been turned face up, to be pegged later, or ""."""
    counted = _face_up(after)
    if not counted or counted == _face_up(before):
        return ""
    what = "the crib" if after.phase is Phase.CRIB else shows.whose_show(after)
    return f"{what}: {call_show(shows.least(after))}"


def _face_up(state: State) -> tuple[int, Phase] | None:
    """Return the seat and phase of a hand or crib that the computer shows with its count, or None."""
    if state.entry is not Entry.DEALT or not state.is_show or shows.players_count(state):
        return None
    return the_deal(state).shower, state.phase


def _won(before: State, after: State) -> str:
    is_won = after.winner not in {None, before.winner}  # a false win can pass the game to the other side
    return does(after.spoken_side(after.winner or 0), "wins") if is_won else ""


def announced(event: Event, after: State, text: str) -> str:
    """Return *event* as sentences for a screen reader: its *text*, or one with cards in words, and scores."""
    outcomes = after.outcomes_of(event)
    scores = [
        does(after.spoken_side(outcome.side), f"has {after.pegs[outcome.side].front}")
        for outcome in outcomes
        if outcome.points
    ]
    main = _announced(event, outcomes, after) if hasattr(event, "card") else text
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in (main, *dict.fromkeys(scores)))


def _announced(event: Event, outcomes: Sequence[Outcome], after: State) -> str:
    match event:
        case events.CardPlayed(seat, card):
            return _played(after.names[seat], card, outcomes[0])
        case events.NewCountLed(seat, card) if len(outcomes) > 1 or not outcomes[0].points:
            go = f", one for {within(after.spoken_side(outcomes[0].side))}" if outcomes[0].points else ""
            return f"all say go{go}; {_played(within(after.names[seat]), card, outcomes[-1])}"
        case events.StarterTurned(card):
            first = outcomes[0] if outcomes else None
            heels = f", {call(first)} for {within(after.spoken_side(first.side))}" if first else ""
            return f"the starter is {spoken(card)}{heels}"
        case _:
            return tell(event, after, spoken)


def _played(name: str, card: Card, outcome: Outcome) -> str:
    return f"{does(name, 'plays')} {spoken(card)}: {call(outcome)}"


def spoken(card: Card) -> str:
    """Return *card* in spoken words.

    >>> [spoken(Card.parse(card)) for card in ("8H", "8", "QS", "10")]
    ['the eight of hearts', 'an eight', 'the queen of spades', 'a ten']
    """
    rank = _COURTS.get(card.rank) or number(card.rank)
    if card.suit:
        return f"the {rank} of {Suit(card.suit).name.lower()}"
    return f"{'an' if card.rank in _VOWELS else 'a'} {rank}"
