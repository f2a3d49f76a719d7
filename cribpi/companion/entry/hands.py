"""The seats: who plays, whose hand is open, who owes a card, and what comes by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from cribpi.companion.entry.desk import Desk, Hint
from cribpi.companion.entry.shows import ShowView, show_view
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card, in_order
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.legal import deciders
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules.grammar import series
from cribpi.cribbage.rules.seats import partners
from cribpi.cribbage.words import shows


def persons(state: State) -> tuple[int, ...]:
    return tuple(seat for seat in range(state.players) if state.is_person(seat))


def next_person(state: State) -> int | None:
    """Return the first person who owes a card, if any."""
    return next((seat for seat in deciders(state) if state.is_person(seat)), None)


def next_machine(state: State) -> int | None:
    """Return the computer's seat that acts next, if any.

    A dealer who has to take his heels does so before anything else.
    """
    deal = state.deal
    if deal is not None and deal.heels_open and state.winner is None and not state.is_person(deal.dealer):
        return deal.dealer
    return next((seat for seat in deciders(state) if not state.is_person(seat)), None)


def is_by_machine(state: State, event: Event) -> bool:
    """Return whether *event*, in the game of *state*, was the decision of a computer's seat.

    Nobody decides the deal, the starter or the show, even if somebody presses OK for them.
    """
    match event:
        case events.Discarded(seat) | events.CardPlayed(seat) | events.GoSaid(seat):
            return not state.is_person(seat)
        case events.HeelsTaken():
            return state.deal is not None and not state.is_person(state.deal.dealer)
        case _:
            return False


def open_hand(state: State, desk: Desk, viewer: int | None = None) -> int | None:
    """Return the seat whose hand is open for its holder to see; None if none is.

    The *viewer*'s own hand is open, and so is that of a person who plays alone.  On a shared screen, only
    the hand of the person to decide is open, after OK.  Hands on phones are closed here.  The computer's
    hands are never open, even to a phone that kept the seat from another game.
    """
    deal, people = state.deal, persons(state)
    if state.phase not in _CLOSED or deal is None or not any(deal.dealt):
        return None
    if viewer is not None or len(people) == 1:
        seat = viewer if viewer is not None else people[0]
        return seat if seat in people and seat not in desk.here.away else None
    return desk.open_seat if desk.open_seat == next_here(state, desk) else None


def next_here(state: State, desk: Desk) -> int | None:
    """Return the next person who owes a card and has no phone to choose it on, if any."""
    return next((one for one in deciders(state) if state.is_person(one) and one not in desk.here.away), None)


_CLOSED: Final = (Phase.DEAL, Phase.STARTER, Phase.PLAY)
"""The phases in which all but its holder see the backs of a hand."""

_FORCED: Final = {
    Phase.CUT: "cut",
    Phase.DEAL: "deal",
    Phase.STARTER: "starter",
    Phase.SHOW: "peg",
    Phase.CRIB: "peg",
}

_BY_ITSELF: Final = (
    *(events.CardCut, events.PackShuffled, events.StarterTurned),
    *(events.GoSaid, events.HandShown, events.CribShown),
)
"""The events that such a step may be."""


def forced_step(state: State, show: ShowView | None = None) -> str | None:
    """Return which of `desk.AUTOMATIC` comes next, if it is one; None where a person has to choose.

    *show* is the one at *state*, where somebody has it already.
    """
    if state.is_show and show is None:
        show = show_view(state, Desk())
    if state.entry is not Entry.DEALT:
        return "peg" if show is not None and show.is_certain else None
    seat = next_person(state)
    if seat is None:
        return None if show is not None and show.is_counted else _FORCED.get(state.phase)
    if state.phase is not Phase.PLAY or len(persons(state)) > 1 or sight_of(state, seat).playable:
        return None
    return "go"


def is_nobodys(before: State, event: Event, automatic: tuple[str, ...]) -> bool:
    """Tell whether no person has done *event* at *before*: a machine has, or it went without a key."""
    if is_by_machine(before, event):
        return True
    if not persons(before):
        return False
    is_drawn = isinstance(event, events.DealerChosen) and before.rules.first_dealer == "random"
    return (is_drawn or isinstance(event, _BY_ITSELF)) and forced_step(before) in automatic


def to_read(state: State) -> int:
    """Return how long people look before what goes without a key: two, and one for each line of a count.

    Without persons, and where there is nothing to look at, it is 0.
    """
    step = forced_step(state) if persons(state) else None
    lines = {"go": 0, "peg": len(shows.least(state)) if step == "peg" else 0}
    return lines[step] + 2 if step in lines else 0


def held(deal: Deal, seat: int) -> int:
    """Return how many cards *seat* holds: all dealt until it has discarded, then those not played."""
    return deal.cards_left(seat) if deal.discards[seat] else len(deal.dealt[seat])


@dataclass(frozen=True, slots=True)
class HandView:
    """An open hand: the only part of a view with cards that other viewers may not see."""

    seat: int
    cards: tuple[Card, ...]
    """The cards held, lowest first."""
    chosen: tuple[Card, ...]
    """The chosen ones, in the order of choosing."""
    playable: tuple[Card, ...]
    is_asked: bool
    """Whether its holder is asked for a card."""
    wanted: int
    """The number of cards to choose: to discard, or one to play."""
    takes_heels: bool
    """Whether OK takes his heels: for a dealer who has chosen no card."""
    may_hint: bool
    """Whether a hint is possible: only with a choice of cards."""
    hint: Hint | None


def hand_view(state: State, desk: Desk, viewer: int | None = None) -> HandView | None:
    """Return the open hand of the *viewer* by `open_hand`, if any."""
    seat, deal = open_hand(state, desk, viewer), state.deal
    if seat is None or deal is None or not deal.dealt[seat]:  # of real cards one hand may be known alone
        return None
    sight, is_discard = sight_of(state, seat), state.phase is Phase.DEAL
    cards = tuple(in_order(sight.hand))
    fits, is_asked = sight.playable, seat in deciders(state)
    chosen = tuple(card for card in map(Card.parse, desk.chosen) if card in cards)
    heels = deal.heels_open and seat == deal.dealer and not chosen
    wanted = state.rules.sizes.discarded if is_discard else 1
    hints = is_asked and not heels and (is_discard or len(fits) > 1)
    return HandView(seat, cards, chosen, fits, is_asked, wanted, heels, hints, desk.hint)


@dataclass(frozen=True, slots=True)
class Awaited:
    """The players whose cards are awaited."""

    here: int | None
    """The seat to choose a card here: the viewer's, or the next person's at a shared screen."""
    names: tuple[str, ...]
    """Persons before the computer."""
    what: str
    """The words for it: people are "to play", the computer is "thinking"."""

    def __str__(self) -> str:
        """Return the sentence about them.

        >>> print(Awaited(0, ("ANN",), "to play"), Awaited(0, ("ANN", "BOB", "CAT"), "to discard"), sep="; ")
        ANN to play; ANN, BOB and CAT to discard
        >>> print(Awaited(None, ("Easy",), "thinking"), Awaited(None, ("Easy", "Hard"), "thinking"), sep="; ")
        Easy is thinking; Easy and Hard are thinking
        """
        if not self.names:
            return self.what
        verb = "" if self.what.startswith("to ") else ("are " if len(self.names) > 1 else "is ")
        return f"{series(self.names)} {verb}{self.what}"


def awaited(state: State, desk: Desk, viewer: int | None) -> Awaited:
    """Return for whom the *viewer* waits."""
    owing = deciders(state)
    people = tuple(seat for seat in owing if state.is_person(seat))
    seat = next_here(state, desk) if viewer is None else viewer
    here = seat if seat in people else None
    what = ("to discard" if state.phase is Phase.DEAL else "to play") if people else "thinking"
    return Awaited(here, tuple(state.names[seat] for seat in people or owing), what)


class SideView(NamedTuple):
    """A side and its pegs."""

    name: str
    said: str
    """The name within a sentence: partners by both names."""
    front: int
    back: int


def side_views(state: State) -> tuple[SideView, ...]:
    """Return the sides in order."""
    return tuple(
        SideView(state.side_name(side), state.spoken_side(side), pegs.front, pegs.back)
        for side, pegs in enumerate(state.pegs)
    )


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat and its player."""

    name: str
    side: int
    level: str | None
    """The computer's level; None for a person."""
    cards_left: int
    """The number of cards not played yet, if cards are known; 0 in a game kept by points."""
    is_dealer: bool
    is_next: bool
    """Whether it is next to do something, or has won."""


def seat_views(state: State) -> tuple[SeatView, ...]:
    """Return the seats in order."""
    deal, are_next = state.deal, _next_seats(state)

    def left(seat: int) -> int:
        if deal is None or state.entry is Entry.PEG:
            return 0
        return held(deal, seat) if state.entry is Entry.DEALT else deal.cards_left(seat)

    dealer = deal.dealer if deal else None
    return tuple(
        SeatView(name, state.side(at), state.level(at) or None, left(at), at == dealer, at in are_next)
        for at, name in enumerate(state.names)
    )


def _next_seats(state: State) -> tuple[int, ...]:
    """Return the seats that are next to do something, or have won; none where that is not known."""
    deal = state.deal
    if state.winner is not None:
        return partners(state.winner, state.players)
    if deal is None:
        seat = state.next_to_cut if state.rules.first_dealer == "low-cut" else None
    elif state.phase is Phase.PLAY:
        seat = deal.turn
    elif state.is_show:
        seat = deal.shower
    else:
        seat = next_person(state)
        if seat is None:
            return deciders(state) or (deal.dealer,)
    return () if seat is None else (seat,)
