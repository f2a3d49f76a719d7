"""One deal: its known cards, whose turn it is, and conclusions such as reneges."""

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
    """*seat* said go at *count*, after playing *played* cards in this deal."""

    seat: int
    count: int
    played: int


@dataclass(frozen=True, slots=True)
class Renege:
    """*seat* said go at *count*, but held *cards*, each of which would have fitted."""

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
    """The complete play of a deal: every seat has played all its cards, so all hands are known."""

    dealer: int
    starter: Card
    plays: tuple[Played, ...]

    def with_seats_swapped(self) -> PlayedDeal:
        """Return this deal of two players with the seats exchanged."""
        plays = tuple(Played(1 - play.seat, play.card) for play in self.plays)
        return PlayedDeal(1 - self.dealer, self.starter, plays)


@dataclass(frozen=True)
class Deal:
    """The known facts of one deal. With real cards, only a few cards may be known.

    Each tuple of tuples has a row per seat. Cached properties are computed on first use.
    """

    number: int
    """Number of the deal in the game, from 1."""
    dealer: int
    dealt: tuple[tuple[Card, ...], ...]
    discards: tuple[tuple[Card, ...], ...]
    played: tuple[tuple[Card, ...], ...]
    held: tuple[tuple[Card, ...], ...]
    """Unplayed cards turned up at the show. Cards stay unplayed only if the rules have a single count."""
    pegs: tuple[Pegs, ...] = ()
    """The pegs at the start of the deal. A misdeal resets the pegs to these."""
    starter: Card | None = None
    heels_open: bool = False
    """Whether the dealer can still take his heels. Only rules with a deadline use this."""
    heels_lost: bool = False
    """Whether the dealer played a card before taking his heels."""
    turn: int | None = None
    """Seat to play. None outside the play, and always in points mode."""
    pile: tuple[Card, ...] = ()
    """Cards of the current count, in the order played."""
    closed: tuple[int, ...] = ()
    """Number of cards in each earlier count. The cards alone do not always show where a count ended."""
    order: tuple[int, ...] = ()
    """Seat of each card played in this deal, in order."""
    out: tuple[int, ...] = ()
    """Seats that said go in the current count."""
    go_taken_by: int | None = None
    """Seat that pegged 1 for the go when go was called. Only some rules award it then."""
    goes: tuple[Go, ...] = ()
    ruled: tuple[Go, ...] = ()
    """Wrong goes that the players have ruled on."""
    shown: int = 0
    crib_turned_up: tuple[Card, ...] = ()
    """Cards of the crib that were entered only at its show."""
    from_pack: tuple[Card, ...] = ()
    """Cards that the computer dealt from the pack to the crib, face down until the crib is shown."""
    to_turn: Card | None = None
    """Hidden starter of a deal by the computer. It is fixed with the deal, so that undo can't change it."""
    size: int = seats.HAND

    @classmethod
    def new(cls, number: int, dealer: int, rules: Rules, pegs: tuple[Pegs, ...] = ()) -> Deal:
        nothing: tuple[tuple[Card, ...], ...] = ((),) * rules.players
        return cls(number, dealer, nothing, nothing, nothing, nothing, pegs, size=rules.sizes.hand)

    @cached_property
    def plays(self) -> tuple[Played, ...]:
        """Cards played in this deal by all seats, in order."""
        rows = [iter(row) for row in self.played]
        return tuple(Played(seat, next(rows[seat])) for seat in self.order)

    @cached_property
    def count(self) -> int:
        """The count, 0 to 31."""
        return count_of(self.pile)

    @property
    def room(self) -> int:
        """Points left to thirty-one."""
        return LIMIT - self.count

    @property
    def last_to_play(self) -> int | None:
        return self.order[-1] if self.order else None

    @cached_property
    def crib(self) -> tuple[Card, ...]:
        """The known cards of the crib: discards, cards from the pack, and cards turned up."""
        crib: list[Card] = []
        for seat in range(len(self.dealt)):
            if self.discards[seat] or len(self.hand(seat)) < self.size:
                crib += self.discards[seat]
            else:  # A missing discard is what remains of the cards dealt, once the hand is known.
                crib += self.possible_cards(seat) or ()
        return (*crib, *self.from_pack, *self.crib_turned_up)

    @cached_property
    def seen(self) -> tuple[Card, ...]:
        """Every card with a known place, each once.

        In a deal by the computer, only the computer knows them all.
        """
        cards: list[Card] = []
        for dealt, laid, played, held in zip(self.dealt, self.discards, self.played, self.held, strict=True):
            out_of_hand = (*laid, *played, *held)
            cards += chain(*_matched(dealt, out_of_hand)) if dealt else out_of_hand
        starter = (self.starter,) if self.starter else ()
        return (*cards, *self.from_pack, *self.crib_turned_up, *starter)

    @property
    def show_order(self) -> tuple[int, ...]:
        """Seats in the order of the show.

        The dealer's left, which also leads the play, is first; the dealer is last.
        """
        return seats.around(self.dealer, len(self.played))

    @property
    def shower(self) -> int:
        """Seat that shows next. After the last hand it is the dealer again, for the crib."""
        return (*self.show_order, self.dealer)[self.shown]

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return the known cards of *seat*'s hand: first those played, then those turned up."""
        return (*self.played[seat], *self.held[seat])

    def cards_left(self, seat: int) -> int:
        """Return the number of unplayed cards of *seat*."""
        return self.size - len(self.played[seat])

    def possible_cards(self, seat: int) -> tuple[Card, ...] | None:
        """Return the cards that *seat* may still hold, or None if the cards dealt to it are not known.

        Once its discard is known too, these are exactly the cards that it holds.
        """
        if not self.dealt[seat]:
            return None
        return _matched(self.dealt[seat], (*self.discards[seat], *self.hand(seat)))[1]

    def must_hold_playable(self, seat: int) -> bool:
        """Return whether *seat* certainly holds a card that fits the count."""
        if self.room >= 10:  # any card fits
            return self.cards_left(seat) > 0
        rest = self.possible_cards(seat)
        if rest is None:
            return False
        # `rest` may include the seat's discard. If fewer of these cards are too high than the seat holds,
        # then at least one card that it holds fits.
        return sum(card.rank.pips > self.room for card in rest) < self.cards_left(seat)

    def next_to_play(self, seat: int, after_go: str = "play-on") -> int | None:
        """Return the seat that plays after *seat* in this count, or None if the count is over.

        If *after_go*, the option of that name, is `two-close`, the count is also over after two goes in a
        row.
        """
        if after_go == "two-close" and len(self.out) > 1 and self.goes[-2].count == self.count:
            return None
        order = seats.around(seat, len(self.played))
        return next((other for other in order if self.cards_left(other) and other not in self.out), None)

    def next_to_lead(self, lead: str = "left-of-last") -> int | None:
        """Return the seat that leads the next count, or None if no seat has a card.

        This is the first seat with cards to the left of the last to play. If *lead*, the option
        `lead_after_close`, is `first-go`, it is the first seat that said go.
        """
        if self.last_to_play is None:
            return self.show_order[0]
        if lead == "first-go" and self.out:
            return self.out[0]
        order = seats.around(self.last_to_play, len(self.played))
        return next((seat for seat in order if self.cards_left(seat)), None)

    def reneges(self) -> tuple[Renege, ...]:
        """Return all wrong goes, as far as the cards shown later reveal them."""
        return tuple(Renege(go, cards) for go in self.goes if (cards := self._could_play(go)))

    def _could_play(self, go: Go) -> tuple[Card, ...]:
        """Return the cards that *seat* could have played instead of *go*, lowest first (ACC 7.3)."""
        fits = (card for card in self.hand(go.seat)[go.played :] if card.rank.pips <= LIMIT - go.count)
        return tuple(sorted(fits, key=lambda card: card.rank.pips))

    def open_reneges(self) -> tuple[Renege, ...]:
        """Return the wrong goes that are not yet ruled on, of seats with a completely known hand."""
        return tuple(
            renege
            for renege in self.reneges()
            if renege.go not in self.ruled and len(self.hand(renege.seat)) == self.size
        )


def find(card: Card, among: Sequence[Card]) -> Card:
    """Return the card in *among* that matches *card*. A card without a suit matches any card of its rank.

    Raises:
        LookupError: If *among* has no match.
    """
    if card in among:
        return card
    for other in among:
        if other.rank is card.rank and (card.suit is None or other.suit is None):
            return other
    raise LookupError(card)


def _matched(dealt: Sequence[Card], cards: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return *cards* with suits filled in from *dealt*, and the rest of *dealt*."""
    matched, left = [], list(dealt)
    for card in cards:
        held = find(card, left)
        left.remove(held)
        matched.append(held if held.suit else card)
    return tuple(matched), tuple(left)
