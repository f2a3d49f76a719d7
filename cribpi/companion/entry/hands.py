"""Seats and hands: persons, open hands, players who must act, and automatic steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from cribpi.companion.entry.input_state import NO_INPUT, Hint, InputState
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
    """Return the first seat of a person that must act, or None."""
    return next((seat for seat in deciders(state) if state.is_person(seat)), None)


def next_machine(state: State) -> int | None:
    """Return the computer's seat that acts next, or None.

    A dealer takes his heels before any other step.
    """
    deal = state.deal
    if deal is not None and deal.heels_open and state.winner is None and not state.is_person(deal.dealer):
        return deal.dealer
    return next((seat for seat in deciders(state) if not state.is_person(seat)), None)


def is_by_machine(state: State, event: Event) -> bool:
    """Return whether *event* was the decision of a computer player. *state* is a state of the game.

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
    state: State, input_state: InputState, viewer: int | None = None, phone_seats: Sequence[int] = ()
) -> int | None:
    """Return the seat whose hand is open for its player to see, or None.

    A *viewer*'s own hand is always open, and so is that of the only person. On a shared screen, OK opens the
    hand of the person who must act. Hands of *phone_seats* are never open here, because their players see
    them on phones.

    A computer's hand is never open, not even to a phone whose seat the computer has taken over in a new game.
    """
    deal, people = state.deal, persons(state)
    if state.phase not in _CLOSED or deal is None or not any(deal.dealt):
        return None
    if viewer is not None or len(people) == 1:
        seat = viewer if viewer is not None else people[0]
        return seat if seat in people and seat not in phone_seats else None
    return input_state.open_seat if input_state.open_seat == next_here(state, phone_seats) else None


def next_here(state: State, phone_seats: Sequence[int]) -> int | None:
    """Return the first seat of a person that must act and is not in *phone_seats*, or None."""
    return next((one for one in deciders(state) if state.is_person(one) and one not in phone_seats), None)


_CLOSED: Final = (Phase.DEAL, Phase.STARTER, Phase.PLAY)
"""Phases in which a hand is visible only to its player."""

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
"""Events that automatic steps make."""


def forced_step(state: State, show: ShowView | None = None) -> str | None:
    """Return the next step if it can run automatically, otherwise None. It is one of `next_game.AUTOMATIC`.

    *show* is the show in *state*, if the caller has computed it.
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
    """Return whether *event* in the state *before* was a computer's decision or an automatic step."""
    if is_by_machine(before, event):
        return True
    if not persons(before):
        return False
    is_drawn = isinstance(event, events.DealerChosen) and before.rules.first_dealer == "random"
    return (is_drawn or isinstance(event, _BY_ITSELF)) and forced_step(before) in automatic


def to_read(state: State) -> int:
    """Return the reading time before an automatic go or peg: 2 units, plus 1 for each line of a count.

    The unit is the pause of the speed setting. The time is 0 for other steps, and without persons.
    """
    step = forced_step(state) if persons(state) else None
    lines = {"go": 0, "peg": len(shows.least(state)) if step == "peg" else 0}
    return lines[step] + 2 if step in lines else 0


def cards_held(deal: Deal, seat: int) -> int:
    """Return how many cards *seat* holds: all cards dealt before its discard, later the unplayed ones."""
    return deal.cards_left(seat) if deal.discards[seat] else len(deal.dealt[seat])


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand shown to its player: the only part of a view that can have cards hidden from other viewers."""

    seat: int
    cards: tuple[Card, ...]
    """Cards held, lowest first."""
    chosen: tuple[Card, ...]
    """Chosen cards, in the order of choosing."""
    playable: tuple[Card, ...]
    is_asked: bool
    """Whether the player must choose a card now."""
    wanted: int
    """Number of cards to choose: all to discard, or one to play."""
    takes_heels: bool
    """Whether OK takes his heels. This is so for a dealer who has chosen no card."""
    may_hint: bool
    """Whether a hint is possible. There must be a choice of cards."""
    hint: Hint | None


def hand_view(
    state: State, input_state: InputState, viewer: int | None = None, phone_seats: Sequence[int] = ()
) -> HandView | None:
    """Return the hand that is open to *viewer*, or None."""
    seat, deal = open_hand(state, input_state, viewer, phone_seats), state.deal
    if seat is None or deal is None or not deal.dealt[seat]:  # with real cards, only one hand may be known
        return None
    sight, is_discard = sight_of(state, seat), state.phase is Phase.DEAL
    cards = tuple(in_order(sight.hand))
    fits, is_asked = sight.playable, seat in deciders(state)
    chosen = tuple(card for card in map(Card.parse, input_state.chosen) if card in cards)
    heels = deal.heels_open and seat == deal.dealer and not chosen
    wanted = state.rules.sizes.discarded if is_discard else 1
    hints = is_asked and not heels and (is_discard or len(fits) > 1)
    return HandView(seat, cards, chosen, fits, is_asked, wanted, heels, hints, input_state.hint)


@dataclass(frozen=True, slots=True)
class Awaited:
    """Players who must play a card or discard."""

    here: int | None
    """Seat that must choose a card here, or None. On a shared screen, it is the next person's."""
    names: tuple[str, ...]
    """Names of these persons. If no person must act, they are the names of the computer's players."""
    what: str
    """Words after the names: "to discard" or "to play" for persons, "thinking" for the computer."""

    def __str__(self) -> str:
        """Return a sentence, such as "ANN to play".

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
    """Return the players who must act, as seen by *viewer*.

    Players in *phone_seats* hold their cards on phones.
    """
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
    """Name for use in a sentence. For partners, it has both names."""
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
    """Level of the computer player, or None for a person."""
    cards_left: int
    """Number of unplayed cards; 0 in points mode."""
    is_dealer: bool
    is_next: bool
    """Whether the seat must act next, or has won."""


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
    """Return the seats that must act next, or that have won. Empty if unknown."""
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
