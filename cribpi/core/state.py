"""Where a game stands: one frozen value, and the questions that can be put to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from cribpi.core import seats
from cribpi.core.board import Pegs
from cribpi.core.cards import Card
from cribpi.core.events import Entry, Event
from cribpi.core.play import LIMIT, count_of
from cribpi.core.rules import STANDARD, Rules
from cribpi.core.scores import Score


class Phase(StrEnum):
    """What the table is doing."""

    IDLE = "idle"
    CUT = "cut"
    DEAL = "deal"
    STARTER = "starter"
    PLAY = "play"
    SHOW = "show"
    CRIB = "crib"
    GAME_OVER = "game-over"


@dataclass(frozen=True, slots=True)
class Go:
    """*seat* said go at *count*, when it had played *played* cards of this deal."""

    seat: int
    count: int
    played: int


@dataclass(frozen=True, slots=True)
class Renege:
    """*seat* said go at *count*, but held *card*, which could have been played."""

    seat: int
    count: int
    card: Card


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: what is known of its cards.  Each tuple of tuples has a row a seat."""

    number: int
    """From 1."""
    dealer: int
    dealt: tuple[tuple[Card, ...], ...]
    laid_away: tuple[tuple[Card, ...], ...]
    played: tuple[tuple[Card, ...], ...]
    starter: Card | None = None
    turn: int | None = None
    """Who is to play; None but in the play of a game kept by cards."""
    pile: tuple[Card, ...] = ()
    """The cards of this count, in the order played."""
    last_to_play: int | None = None
    out: tuple[int, ...] = ()
    """The seats that said go in this count."""
    goes: tuple[Go, ...] = ()
    shown: int = 0
    """How many hands have been shown."""
    turned: tuple[Card, ...] = ()
    """The cards of the crib that were turned up at its show."""

    @classmethod
    def new(cls, number: int, dealer: int, players: int) -> Deal:
        """Begin a deal of which no card is known yet."""
        nothing: tuple[tuple[Card, ...], ...] = ((),) * players
        return cls(number, dealer, nothing, nothing, nothing)

    @property
    def count(self) -> int:
        """The count, 0 to 31."""
        return count_of(self.pile)

    @property
    def room(self) -> int:
        """How far it is to thirty-one."""
        return LIMIT - self.count

    @property
    def crib(self) -> tuple[Card, ...]:
        """The crib, as far as it is known: what was laid away, then what was turned up."""
        return (*chain.from_iterable(map(self._away, range(len(self.dealt)))), *self.turned)

    def _away(self, seat: int) -> tuple[Card, ...]:
        """Return what *seat* laid away: where only its deal is known, what is left when its four are played."""
        if self.laid_away[seat] or self.cards_left(seat):
            return self.laid_away[seat]
        return self.may_hold(seat) or ()

    @property
    def seen(self) -> tuple[Card, ...]:
        """Each card of the pack that is known to lie somewhere, once."""
        rows = zip(self.dealt, self.laid_away, self.played, strict=True)
        hands = [
            (_told(dealt, (*laid, *played)) if dealt else ((*laid, *played),)) for dealt, laid, played in rows
        ]
        return (
            *chain.from_iterable(chain.from_iterable(hands)),
            *self.turned,
            *((self.starter,) if self.starter else ()),
        )

    @property
    def show_order(self) -> tuple[int, ...]:
        """Seats in the order in which they show: the dealer's left first, the dealer last."""
        return seats.around(self.dealer, len(self.played))

    @property
    def shower(self) -> int:
        """The seat whose show it is: after the last hand the dealer's, for the crib."""
        return (*self.show_order, self.dealer)[self.shown]

    def cards_left(self, seat: int) -> int:
        """Return how many cards *seat* still holds of its four."""
        return seats.HAND - len(self.played[seat])

    def may_hold(self, seat: int) -> tuple[Card, ...] | None:
        """Return the cards among which are those that *seat* still holds; None where its deal is not known.

        They are exactly those that it holds once what it laid away is known too.
        """
        if not self.dealt[seat]:
            return None
        return _told(self.dealt[seat], (*self.laid_away[seat], *self.played[seat]))[1]

    def must_hold_playable(self, seat: int) -> bool:
        """Tell whether *seat* is known to hold a card that fits under thirty-one."""
        if self.room >= 10:
            return self.cards_left(seat) > 0
        rest = self.may_hold(seat)
        if rest is None:
            return False
        return sum(card.rank.pips > self.room for card in rest) < self.cards_left(seat)

    def next_to_play(self, seat: int) -> int | None:
        """Return who plays after *seat* in this count; None where nobody can."""
        for other in seats.around(seat, len(self.played)):
            if self.cards_left(other) and other not in self.out:
                return other
        return None

    def next_to_lead(self) -> int | None:
        """Return who leads the next count: the next to the left of the last to play who holds cards."""
        if self.last_to_play is None:
            return left_of_dealer(self)
        order = seats.around(self.last_to_play, len(self.played))
        return next((seat for seat in order if self.cards_left(seat)), None)

    def reneges(self) -> tuple[Renege, ...]:
        """Return each go that was wrong, as the cards played afterwards show."""
        return tuple(
            Renege(go.seat, go.count, held[0])
            for go in self.goes
            if (held := [c for c in self.played[go.seat][go.played :] if go.count + c.rank.pips <= LIMIT])
        )


def left_of_dealer(deal: Deal) -> int:
    """Return the seat that leads, cuts and shows first; with two, pone."""
    return deal.show_order[0]


def find(card: Card, among: Sequence[Card]) -> Card:
    """Return the card of *among* that *card* names; a card of unknown suit is any of its rank.

    Raises:
        LookupError: If there is none.
    """
    if card in among:
        return card
    for other in among:
        if other.rank is card.rank and (card.suit is None or other.suit is None):
            return other
    raise LookupError(card)


def _told(dealt: Sequence[Card], gone: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the cards *gone* from those *dealt*, with a suit where either tells it, and those that are left."""
    told, left = [], list(dealt)
    for card in gone:
        held = find(card, left)
        left.remove(held)
        told.append(held if held.suit else card)
    return tuple(told), tuple(left)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an event came to: whose it was, and each score with its cards."""

    event: Event
    side: int
    """To whom the points went."""
    points: int = 0
    """All its points together; negative for a penalty."""
    scores: tuple[Score, ...] = ()
    """What they are for; empty where people pegged an amount."""
    count: int = 0
    """In the play of cards: the count that was called."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a game stands."""

    phase: Phase = Phase.IDLE
    rules: Rules = STANDARD
    entry: Entry = Entry.CARDS
    names: tuple[str, ...] = ()
    """A name a seat."""
    pegs: tuple[Pegs, ...] = ()
    """Two pegs a side."""
    games: tuple[int, ...] = ()
    """Games won, a side each."""
    cuts: tuple[Card | None, ...] = ()
    """What each seat has cut for the deal."""
    cutting: tuple[int, ...] = ()
    """The seats that cut: all, then only the tied."""
    ties: int = 0
    """How often a cut for the deal has tied."""
    deal: Deal | None = None
    outcomes: tuple[Outcome, ...] = ()
    """What the last event came to that was a card, a go, a show, a peg or a correction, in order."""
    winner: int | None = None
    """The side that has won."""

    @property
    def last(self) -> Outcome | None:
        """The last outcome that pegged something, or else the last."""
        pegged = [outcome for outcome in self.outcomes if outcome.points] or self.outcomes
        return pegged[-1] if pegged else None

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.names)

    @property
    def sides(self) -> int:
        """The number of sides."""
        return len(self.pegs)

    def side(self, seat: int) -> int:
        """Return the side of *seat*."""
        return seats.side_of(seat, self.players)

    @property
    def next_to_cut(self) -> int | None:
        """The seat that cuts next for the deal."""
        return next((seat for seat in self.cutting if self.cuts[seat] is None), None)

    def scores(self) -> tuple[int, ...]:
        """Return the score of each side: its front peg."""
        return tuple(pegs.front for pegs in self.pegs)


def side_name(state: State, side: int) -> str:
    """Return the name of *side*: its seat's, or both partners' with a plus between; their colour's, unnamed."""
    first, *other = (state.names[seat] for seat in seats.partners(side, state.players))
    return first if other in ([], [f"{first} 2"]) else "+".join((first, *other))
