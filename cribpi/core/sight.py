"""What one seat sees: its own cards and what lies open, and no other card.

A machine that plays, or a hint, is given this and nothing else, so that it cannot peek.
"""

from __future__ import annotations

from dataclasses import dataclass

from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.deal import Deal, Go, find
from cribpi.core.errors import WrongPhase
from cribpi.core.play import LIMIT, count_of
from cribpi.core.rules import Rules
from cribpi.core.state import Phase, State


@dataclass(frozen=True, slots=True)
class Played:
    """*seat* played *card*."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class SeatSight:
    """What the player in *seat* sees of a deal: two states that differ only in other cards give the same."""

    rules: Rules
    seat: int
    dealer: int
    scores: tuple[int, ...]
    """The front peg of each side."""
    hand: tuple[Card, ...]
    """The cards that the seat holds: six or five before it has laid away, then what it has not played of
    four."""
    laid_away: tuple[Card, ...] = ()
    """What the seat itself laid away."""
    starter: Card | None = None
    plays: tuple[Played, ...] = ()
    """The cards played in this deal by all seats, in order."""
    goes: tuple[Go, ...] = ()
    """Each go that was said in this deal, in order."""
    pile: tuple[Card, ...] = ()
    """The cards of this count, in the order played; the last of *plays*."""
    out: tuple[int, ...] = ()
    """The seats that said go in this count."""
    turn: int | None = None
    """Who is to play; None but in the play."""
    opened: tuple[Card, ...] = ()
    """What else lies open at the show: the cards that others had not played, once they show them, and the
    crib when it is shown, but for the seat's own."""

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.rules.players

    @property
    def is_dealer(self) -> bool:
        """Whether the seat deals."""
        return self.seat == self.dealer

    @property
    def side(self) -> int:
        """The side of the seat."""
        return seats.side_of(self.seat, self.players)

    @property
    def count(self) -> int:
        """The count, 0 to 31."""
        return count_of(self.pile)

    @property
    def room(self) -> int:
        """How far it is to thirty-one."""
        return LIMIT - self.count

    @property
    def playable(self) -> tuple[Card, ...]:
        """The cards of the hand that fit under thirty-one."""
        return tuple(card for card in self.hand if card.rank.pips <= self.room)

    @property
    def kept(self) -> tuple[Card, ...]:
        """The cards that the seat kept, played or not: its hand at the show."""
        return (*(play.card for play in self.plays if play.seat == self.seat), *self.hand)

    @property
    def seen(self) -> tuple[Card, ...]:
        """Each card that the seat can place, once: all others may lie anywhere."""
        starter = (self.starter,) if self.starter else ()
        played = (play.card for play in self.plays)
        return (*self.hand, *self.laid_away, *played, *self.opened, *starter)

    def cards_left(self, seat: int) -> int:
        """Return how many cards *seat* has not played of its four."""
        return seats.HAND - sum(play.seat == seat for play in self.plays)


def sight_of(state: State, seat: int) -> SeatSight:
    """Return what *seat* sees.

    Raises:
        WrongPhase: If no deal is on, or what *seat* was dealt is not known.
    """
    deal = state.deal
    held = deal.may_hold(seat) if deal else None
    if deal is None or held is None:
        raise WrongPhase("the cards of that seat are not known: enter its hand")
    return SeatSight(
        rules=state.rules,
        seat=seat,
        dealer=deal.dealer,
        scores=state.scores(),
        hand=(*deal.held[seat], *held),
        laid_away=_as_dealt(deal.dealt[seat], deal.laid_away[seat]),
        starter=deal.starter,
        plays=_in_order(deal.order, deal.played),
        goes=deal.goes,
        pile=deal.pile,
        out=deal.out,
        turn=deal.turn,
        opened=_opened(state, deal, seat),
    )


def _opened(state: State, deal: Deal, seat: int) -> tuple[Card, ...]:
    """Return what lies open of the others' cards beside those they have played."""
    others = [other for other in range(state.players) if other != seat]
    found = [card for other in others for card in deal.held[other]]
    if (state.won_in or state.phase) is Phase.CRIB:
        found += [card for other in others for card in deal.laid_away[other]]
        found += deal.from_pack
    return (*found, *deal.turned)


def _as_dealt(dealt: tuple[Card, ...], laid_away: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards *laid_away* with the suits that they were dealt with."""
    return tuple(find(card, dealt) for card in laid_away)


def _in_order(order: tuple[int, ...], played: tuple[tuple[Card, ...], ...]) -> tuple[Played, ...]:
    rows = [iter(row) for row in played]
    return tuple(Played(seat, next(rows[seat])) for seat in order)
