"""One deal: what is known of its cards, whose turn it is, and what the cards say about each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.play import LIMIT, count_of
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.seats import Pegs


@dataclass(frozen=True, slots=True)
class Go:
    """*seat* said go at *count*, after playing *played* cards of this deal."""

    seat: int
    count: int
    played: int


@dataclass(frozen=True, slots=True)
class Renege:
    """*seat* said go at *count*, but held *cards*, each of which could have been played then."""

    go: Go
    cards: tuple[Card, ...]

    @property
    def seat(self) -> int:
        return self.go.seat


@dataclass(frozen=True, slots=True)
class Played:
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """The play of a deal, in which every seat played all its cards: so everyone's hand has been seen."""

    dealer: int
    starter: Card
    plays: tuple[Played, ...]

    def with_seats_swapped(self) -> PlayedDeal:
        """Return the deal of two players as if each had sat in the other's seat."""
        plays = tuple(Played(1 - play.seat, play.card) for play in self.plays)
        return PlayedDeal(1 - self.dealer, self.starter, plays)


@dataclass(frozen=True)
class Deal:
    """What is known of one deal, which with real cards may be little.

    Each tuple of tuples has a row per seat.  What follows from it is worked out once, when first asked for.
    """

    number: int
    """From 1."""
    dealer: int
    dealt: tuple[tuple[Card, ...], ...]
    discards: tuple[tuple[Card, ...], ...]
    played: tuple[tuple[Card, ...], ...]
    held: tuple[tuple[Card, ...], ...]
    """The unplayed cards turned up at the show: there are some if only one count is played."""
    pegs: tuple[Pegs, ...] = ()
    """The pegs when the deal began, and again after a misdeal."""
    starter: Card | None = None
    heels_open: bool = False
    """Whether the dealer can still take his heels, by rules that set a deadline."""
    heels_lost: bool = False
    """Whether the dealer played a card before taking them."""
    turn: int | None = None
    """The seat to play; None except in the play of a game kept by cards."""
    pile: tuple[Card, ...] = ()
    """The cards of this count, in the order played."""
    closed: tuple[int, ...] = ()
    """How many cards each earlier count of this deal had: what the cards alone do not always tell."""
    order: tuple[int, ...] = ()
    """The seat of each card played in this deal, in order."""
    out: tuple[int, ...] = ()
    """The seats that said go in this count."""
    go_taken_by: int | None = None
    """The seat that pegged this count's go when it was called, if the rules award it then."""
    goes: tuple[Go, ...] = ()
    ruled: tuple[Go, ...] = ()
    """The wrong goes on which the table has ruled."""
    shown: int = 0
    """How many hands have been shown."""
    crib_turned_up: tuple[Card, ...] = ()
    """The cards of the crib that nobody had entered before its show."""
    from_pack: tuple[Card, ...] = ()
    """The cards the computer dealt from the pack to the crib, which nobody sees before its show."""
    to_turn: Card | None = None
    """The card that will be the starter, in a deal by the computer; nobody sees it.

    It is fixed with the deal, so that nobody can undo to try for another.
    """
    size: int = seats.HAND
    """How many cards a seat keeps."""

    @classmethod
    def new(cls, number: int, dealer: int, rules: Rules, pegs: tuple[Pegs, ...] = ()) -> Deal:
        nothing: tuple[tuple[Card, ...], ...] = ((),) * rules.players
        return cls(number, dealer, nothing, nothing, nothing, nothing, pegs, size=rules.sizes.hand)

    @cached_property
    def plays(self) -> tuple[Played, ...]:
        """The cards played in this deal by all seats, in order."""
        rows = [iter(row) for row in self.played]
        return tuple(Played(seat, next(rows[seat])) for seat in self.order)

    @cached_property
    def count(self) -> int:
        """The count, 0 to 31."""
        return count_of(self.pile)

    @property
    def room(self) -> int:
        """The distance to thirty-one."""
        return LIMIT - self.count

    @property
    def last_to_play(self) -> int | None:
        return self.order[-1] if self.order else None

    @cached_property
    def crib(self) -> tuple[Card, ...]:
        """The crib, as far as it is known: discards, cards from the pack, and cards turned up."""
        away: list[Card] = []
        for seat in range(len(self.dealt)):
            if self.discards[seat] or len(self.hand(seat)) < self.size:
                away += self.discards[seat]
            else:  # nobody entered the discard, but it is what was dealt and is not in the hand
                away += self.possible_cards(seat) or ()
        return (*away, *self.from_pack, *self.crib_turned_up)

    @cached_property
    def seen(self) -> tuple[Card, ...]:
        """Every card whose place is known, once; in a deal by the computer, to the computer alone."""
        cards: list[Card] = []
        for dealt, laid, played, held in zip(self.dealt, self.discards, self.played, self.held, strict=True):
            gone = (*laid, *played, *held)
            cards += chain(*_matched(dealt, gone)) if dealt else gone
        starter = (self.starter,) if self.starter else ()
        return (*cards, *self.from_pack, *self.crib_turned_up, *starter)

    @property
    def show_order(self) -> tuple[int, ...]:
        """Seats in the order of the show: the dealer's left first, which also leads; the dealer last."""
        return seats.around(self.dealer, len(self.played))

    @property
    def shower(self) -> int:
        """The seat whose show it is: after the last hand, the dealer again for the crib."""
        return (*self.show_order, self.dealer)[self.shown]

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return the known cards of *seat*'s hand: those it played, then those it turned up."""
        return (*self.played[seat], *self.held[seat])

    def cards_left(self, seat: int) -> int:
        """Return how many cards of its hand *seat* has not played."""
        return self.size - len(self.played[seat])

    def possible_cards(self, seat: int) -> tuple[Card, ...] | None:
        """Return the cards among which are those *seat* still holds; None if its deal is not known.

        They are exactly those it holds once its discard is known too.
        """
        if not self.dealt[seat]:
            return None
        return _matched(self.dealt[seat], (*self.discards[seat], *self.hand(seat)))[1]

    def must_hold_playable(self, seat: int) -> bool:
        """Return whether *seat* is known to hold a card that fits under thirty-one."""
        if self.room >= 10:  # any card fits
            return self.cards_left(seat) > 0
        rest = self.possible_cards(seat)
        if rest is None:
            return False
        # Its discard may be among them, but not all that it holds can be too high if fewer than that are.
        return sum(card.rank.pips > self.room for card in rest) < self.cards_left(seat)

    def next_to_play(self, seat: int, after_go: str = "play-on") -> int | None:
        """Return who plays after *seat* in this count; None if nobody can.

        After a go, with the option `after_go` as *two-close*, nobody does if the last move was a go too.
        """
        if after_go == "two-close" and len(self.out) > 1 and self.goes[-2].count == self.count:
            return None
        order = seats.around(seat, len(self.played))
        return next((other for other in order if self.cards_left(other) and other not in self.out), None)

    def next_to_lead(self, lead: str = "left-of-last") -> int | None:
        """Return who leads the next count by the option `lead_after_close`; None if nobody can.

        It is the first seat with cards to the left of the last to play, or with `first-go` the first seat
        that said go.
        """
        if self.last_to_play is None:
            return self.show_order[0]
        if lead == "first-go" and self.out:
            return self.out[0]
        order = seats.around(self.last_to_play, len(self.played))
        return next((seat for seat in order if self.cards_left(seat)), None)

    def reneges(self) -> tuple[Renege, ...]:
        """Return each go that was wrong, as the cards shown afterwards tell."""
        return tuple(Renege(go, cards) for go in self.goes if (cards := self._could_play(go)))

    def _could_play(self, go: Go) -> tuple[Card, ...]:
        """Return the cards that singly would have fitted instead of *go*, lowest first (ACC 7.3)."""
        fits = (card for card in self.hand(go.seat)[go.played :] if card.rank.pips <= LIMIT - go.count)
        return tuple(sorted(fits, key=lambda card: card.rank.pips))

    def open_reneges(self) -> tuple[Renege, ...]:
        """Return each wrong go not yet ruled on, of seats whose whole hand is known by now."""
        return tuple(
            renege
            for renege in self.reneges()
            if renege.go not in self.ruled and len(self.hand(renege.seat)) == self.size
        )


def find(card: Card, among: Sequence[Card]) -> Card:
    """Return the card in *among* that *card* names; without a suit, any of its rank.

    Raises:
        LookupError: If none matches.
    """
    if card in among:
        return card
    for other in among:
        if other.rank is card.rank and (card.suit is None or other.suit is None):
            return other
    raise LookupError(card)


def _matched(dealt: Sequence[Card], gone: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the cards of *gone*, with a suit if *dealt* has it, and the rest of *dealt*."""
    matched, left = [], list(dealt)
    for card in gone:
        held = find(card, left)
        left.remove(held)
        matched.append(held if held.suit else card)
    return tuple(matched), tuple(left)
