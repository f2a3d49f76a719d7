"""Seats and hands: persons, the open hand, the players who must act, and automatic steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from cribpi.companion.entry.desk import NO_INPUT, Desk, Hint
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
    """Return the seat of the first person who must act, if any."""
    return next((seat for seat in deciders(state) if state.is_person(seat)), None)


def next_machine(state: State) -> int | None:
    """Return the computer's seat that acts next, if any.

    A dealer takes his heels before any other step.
    """
    deal = state.deal
    if deal is not None and deal.heels_open and state.winner is None and not state.is_person(deal.dealer):
        return deal.dealer
    return next((seat for seat in deciders(state) if not state.is_person(seat)), None)


def is_by_machine(state: State, event: Event) -> bool:
    """Return whether *event*, in the game of *state*, was the decision of a computer's seat.

    The deal, the starter and the show are not decisions, even if a person presses OK for them.
    """
    match event:
        case events.Discarded(seat) | events.CardPlayed(seat) | events.GoSaid(seat):
            return not state.is_person(seat)
        case events.HeelsTaken():
            return state.deal is not None and not state.is_person(state.deal.dealer)
        case _:
            return False


def open_hand(
    state: State, desk: Desk, viewer: int | None = None, phone_seats: Sequence[int] = ()
) -> int | None:
    """Return the seat whose hand is open for its holder to see, or None.

    The *viewer*'s own hand is open, and so is that of the only person.  On a shared screen, only the hand of
    the person who must act is open, after OK.  Hands on phones, those of *phone_seats*, are closed here.
    The computer's hands are never open, even to a phone whose seat in an earlier game is now the computer's.
    """
    deal, people = state.deal, persons(state)
    if state.phase not in _CLOSED or deal is None or not any(deal.dealt):
        return None
    if viewer is not None or len(people) == 1:
        seat = viewer if viewer is not None else people[0]
        return seat if seat in people and seat not in phone_seats else None
    return desk.open_seat if desk.open_seat == next_here(state, phone_seats) else None


def next_here(state: State, phone_seats: Sequence[int]) -> int | None:
    """Return the seat of the next person who must act and is not in *phone_seats*, if any."""
    return next((one for one in deciders(state) if state.is_person(one) and one not in phone_seats), None)


_CLOSED: Final = (Phase.DEAL, Phase.STARTER, Phase.PLAY)
"""The phases in which only its holder sees a hand."""

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
"""The events of automatic steps."""


def forced_step(state: State, show: ShowView | None = None) -> str | None:
    """Return the next step if it is one of `next_game.AUTOMATIC`; None if a person must choose.

    *show* is the show at *state*, if the caller has it.
    """
    if state.is_show and show is None:
        show = show_view(state, NO_INPUT)
    if state.entry is not Entry.DEALT:
        return "peg" if show is not None and show.is_certain else None
    seat = next_person(state)
    if seat is None:
        return None if show is not None and show.is_counted else _FORCED.get(state.phase)
    if state.phase is not Phase.PLAY or len(persons(state)) > 1 or sight_of(state, seat).playable:
        return None
    return "go"


def is_nobodys(before: State, event: Event, automatic: tuple[str, ...]) -> bool:
    """Return whether *event* at *before* was the computer's decision or an automatic step."""
    if is_by_machine(before, event):
        return True
    if not persons(before):
        return False
    is_drawn = isinstance(event, events.DealerChosen) and before.rules.first_dealer == "random"
    return (is_drawn or isinstance(event, _BY_ITSELF)) and forced_step(before) in automatic


def to_read(state: State) -> int:
    """Return the reading time before an automatic go or peg: 2, plus 1 for each line of a count.

    The unit is the pause of the speed setting.  It is 0 for other steps and without persons.
    """
    step = forced_step(state) if persons(state) else None
    lines = {"go": 0, "peg": len(shows.least(state)) if step == "peg" else 0}
    return lines[step] + 2 if step in lines else 0


def cards_held(deal: Deal, seat: int) -> int:
    """Return the number of cards of *seat*: all dealt ones until it has discarded, then those not played."""
    return deal.cards_left(seat) if deal.discards[seat] else len(deal.dealt[seat])


@dataclass(frozen=True, slots=True)
class HandView:
    """An open hand: the only part of a view with cards that other viewers may not see."""

    seat: int
    cards: tuple[Card, ...]
    """The cards held, lowest first."""
    chosen: tuple[Card, ...]
    """The chosen cards, in the order of choosing."""
    playable: tuple[Card, ...]
    is_asked: bool
    """Whether its holder must choose a card now."""
    wanted: int
    """The number of cards to choose: all to discard, or one to play."""
    takes_heels: bool
    """Whether OK takes his heels, for a dealer who has chosen no card."""
    may_hint: bool
    """Whether a hint is possible, which needs a choice of cards."""
    hint: Hint | None


def hand_view(
    state: State, desk: Desk, viewer: int | None = None, phone_seats: Sequence[int] = ()
) -> HandView | None:
    """Return the view of the hand that is open to *viewer*, if any."""
    seat, deal = open_hand(state, desk, viewer, phone_seats), state.deal
    if seat is None or deal is None or not deal.dealt[seat]:  # With real cards, only one hand may be known.
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
    """The seat that must choose a card here: the viewer's, or on a shared screen the next person's."""
    names: tuple[str, ...]
    """The names of the persons, or of the computer's players if no person must act."""
    what: str
    """The words after the names: "to discard" or "to play" for persons, "thinking" for the computer."""

    def __str__(self) -> str:
        """Return the sentence, such as "ANN to play".

        >>> print(Awaited(0, ("ANN",), "to play"), Awaited(0, ("ANN", "BOB", "CAT"), "to discard"), sep="; ")
        ANN to play; ANN, BOB and CAT to discard
        >>> print(Awaited(None, ("Easy",), "thinking"), Awaited(None, ("Easy", "Hard"), "thinking"), sep="; ")
        Easy is thinking; Easy and Hard are thinking
        """
        if not self.names:
            return self.what
        if self.what.startswith("to "):
            return f"{series(self.names)} {self.what}"
        return f"{series(self.names)} {'are' if len(self.names) > 1 else 'is'} {self.what}"


def awaited(state: State, viewer: int | None, phone_seats: Sequence[int] = ()) -> Awaited:
    """Return the players whose cards are awaited, as seen by *viewer*; *phone_seats* have phones."""
    owing = deciders(state)
    people = tuple(seat for seat in owing if state.is_person(seat))
    seat = next_here(state, phone_seats) if viewer is None else viewer
    here = seat if seat in people else None
    what = "to discard" if state.phase is Phase.DEAL else "to play"
    if not people:
        what = "thinking"
    return Awaited(here, tuple(state.names[seat] for seat in people or owing), what)


class SideView(NamedTuple):
    """A side and its pegs."""

    name: str
    said: str
    """The name within a sentence; partners have both names."""
    front: int
    back: int


def side_views(state: State) -> tuple[SideView, ...]:
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
    """The number of cards not played yet; 0 in points mode."""
    is_dealer: bool
    is_next: bool
    """Whether it must act next, or has won."""


def seat_views(state: State) -> tuple[SeatView, ...]:
    deal, are_next = state.deal, _next_seats(state)

    def left(seat: int) -> int:
        if deal is None or state.entry is Entry.PEG:
            return 0
        return cards_held(deal, seat) if state.entry is Entry.DEALT else deal.cards_left(seat)

    dealer = deal.dealer if deal else None
    return tuple(
        SeatView(name, state.side(at), state.level(at) or None, left(at), at == dealer, at in are_next)
        for at, name in enumerate(state.names)
    )


def _next_seats(state: State) -> tuple[int, ...]:
    """Return the seats that must act next, or have won; empty if unknown."""
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
