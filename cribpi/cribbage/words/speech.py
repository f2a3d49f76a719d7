"""Sounds of an event: the call of its player, the words of a screen reader, and a short tone."""

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
    """The short sounds; the page has the notes."""

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
"""Of these the call is said and nothing else: who it is, is seen; of others also whose it is."""
_BEFORE_THE_SHOW: Final = (
    (Kind.HEELS, Sound.HEELS),
    (Kind.THIRTY_ONE, Sound.THIRTY_ONE),
    (Kind.FIFTEEN, Sound.FIFTEEN),
    (Kind.GO, Sound.GO),
    (Kind.LAST, Sound.GO),
)
"""What is heard of a card that makes several."""
_COURTS: Final = {Rank.ACE: "ace", Rank.JACK: "jack", Rank.QUEEN: "queen", Rank.KING: "king"}
_VOWELS: Final = (Rank.ACE, Rank.EIGHT)


def said(before: State, event: Event, after: State) -> str:
    """Return what is spoken of *event*, which led from *before* to *after*; empty for nothing."""
    is_said = isinstance(event, events.HandShown | events.CribShown) and _laid_open(before)
    parts = ["" if is_said else _words(event, after), _opening(before, after), _won(before, after)]
    words = "; ".join(filter(None, parts)).replace('"', "")
    return " ".join(map(_in_small_letters, words.split(" ")))


def sound(before: State, event: Event, after: State) -> Sound | None:
    """Return the short sound of *event*; None for silence."""
    if _won(before, after):
        return Sound.WIN
    ours = after.outcomes_of(event)
    if not before.is_show:
        kinds = {score.kind for one in ours for score in one.scores}
        heard = next((heard for kind, heard in _BEFORE_THE_SHOW if kind in kinds), None)
        if heard:
            return heard
    if any(one.points > 0 for one in ours):
        return Sound.PEG
    if isinstance(event, events.GoSaid):
        return Sound.GO
    is_card = isinstance(event, events.CardPlayed | events.NewCountLed | events.StarterTurned)
    return Sound.CARD if is_card else None


def _in_small_letters(word: str) -> str:
    """Write a name in capitals so that it is read as a word, not letter by letter; initials stay.

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
    """Say the count of a hand or crib that lies open from now on; it is pegged later."""
    counted = _laid_open(after)
    if not counted or counted == _laid_open(before):
        return ""
    what = "the crib" if after.phase is Phase.CRIB else shows.whose_show(after)
    return f"{what}: {call_show(shows.least(after))}"


def _laid_open(state: State) -> tuple[int, Phase] | None:
    """Return whose hand or crib of those that the computer deals lies open with its count, and the phase."""
    if state.entry is not Entry.DEALT or not state.is_show or shows.players_count(state):
        return None
    return the_deal(state).shower, state.phase


def _won(before: State, after: State) -> str:
    is_won = after.winner not in {None, before.winner}  # a false win can give it to the other side
    return does(after.spoken_side(after.winner or 0), "wins") if is_won else ""


def announced(event: Event, after: State, text: str) -> str:
    """Return *event* as a screen reader says it: whole sentences, its cards in words and not as in *text*."""
    ours = after.outcomes_of(event)
    scores = [
        does(after.spoken_side(one.side), f"has {after.pegs[one.side].front}") for one in ours if one.points
    ]
    told = _announced(event, ours, after) if hasattr(event, "card") else text
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in (told, *dict.fromkeys(scores)))


def _announced(event: Event, ours: Sequence[Outcome], after: State) -> str:
    match event:
        case events.CardPlayed(seat, card):
            return _played(after.names[seat], card, ours[0])
        case events.NewCountLed(seat, card) if len(ours) > 1 or not ours[0].points:
            go = f", one for {within(after.spoken_side(ours[0].side))}" if ours[0].points else ""
            return f"all say go{go}; {_played(within(after.names[seat]), card, ours[-1])}"
        case events.StarterTurned(card):
            heels = f", {call(ours[0])} for {within(after.spoken_side(ours[0].side))}" if ours else ""
            return f"the starter is {spoken(card)}{heels}"
        case _:
            return tell(event, after, spoken)


def _played(name: str, card: Card, outcome: Outcome) -> str:
    return f"{does(name, 'plays')} {spoken(card)}: {call(outcome)}"


def spoken(card: Card) -> str:
    """Say *card* as people do.

    >>> [spoken(Card.parse(card)) for card in ("8H", "8", "QS", "10")]
    ['the eight of hearts', 'an eight', 'the queen of spades', 'a ten']
    """
    rank = _COURTS.get(card.rank) or number(card.rank)
    if card.suit:
        return f"the {rank} of {Suit(card.suit).name.lower()}"
    return f"{'an' if card.rank in _VOWELS else 'a'} {rank}"
