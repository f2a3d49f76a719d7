"""The view of one seat: its own cards and all cards that are face up.

Computer players and hints get only this view, so that they cannot peek at other cards.
"""

from __future__ import annotations

from dataclasses import dataclass

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Go, Played, PlayedDeal, find
from cribpi.cribbage.game.play import LIMIT, count_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import WrongPhase
from cribpi.cribbage.rules.rules import Rules


@dataclass(frozen=True, slots=True)
class SeatSight:
    """The view of a deal from *seat*.

    States that differ only in cards hidden from that seat have equal views.
    """

    rules: Rules
    seat: int
    dealer: int
    scores: tuple[int, ...]
    """Score of each side."""
    hand: tuple[Card, ...]
    """Cards in the seat's hand: all cards dealt before its discard, later those kept and not yet played."""
    discards: tuple[Card, ...] = ()
    """Cards that the seat has discarded."""
    starter: Card | None = None
    plays: tuple[Played, ...] = ()
    """Cards played in this deal by all seats, in order."""
    goes: tuple[Go, ...] = ()
    """Goes in this deal, in order."""
    pile: tuple[Card, ...] = ()
    """Cards of the current count, in the order played. They are the cards of the last entries of *plays*."""
    out: tuple[int, ...] = ()
    """Seats that said go in the current count."""
    turn: int | None = None
    """Seat to play; None outside the play."""
    opened: tuple[Card, ...] = ()
    """Other cards face up at the show: other seats' unplayed cards, and the crib once it is shown."""
    past: tuple[PlayedDeal, ...] = ()
    """The complete play of each earlier deal of the game."""

    @property
    def players(self) -> int:
        """2, 3 or 4."""
        return self.rules.players

    @property
    def side(self) -> int:
        """Side of this seat: an index into `scores`."""
        return seats.side_of(self.seat, self.players)

    @property
    def count(self) -> int:
        """The count, 0 to 31."""
        return count_of(self.pile)

    @property
    def earlier(self) -> tuple[Card, ...]:
        """Cards of earlier counts, in the order played."""
        return tuple(play.card for play in self.plays[: len(self.plays) - len(self.pile)])

    @property
    def room(self) -> int:
        """Points left to thirty-one."""
        return LIMIT - self.count

    @property
    def playable(self) -> tuple[Card, ...]:
        """Cards in the hand that fit the count."""
        return tuple(card for card in self.hand if card.rank.pips <= self.room)

    @property
    def kept(self) -> tuple[Card, ...]:
        """Cards that the seat kept, played or not: its hand at the show."""
        return (*(play.card for play in self.plays if play.seat == self.seat), *self.hand)

    @property
    def seen(self) -> tuple[Card, ...]:
        """Every card with a place known to the seat, each once."""
        starter = (self.starter,) if self.starter else ()
        played = (play.card for play in self.plays)
        return (*self.hand, *self.discards, *played, *self.opened, *starter)

    def cards_left(self, seat: int) -> int:
        """Return the number of unplayed cards of *seat*."""
        return self.rules.sizes.hand - sum(play.seat == seat for play in self.plays)


def sight_of(state: State, seat: int) -> SeatSight:
    """Return the view of *seat*.

    Raises:
        WrongPhase: If no deal has begun, or the cards dealt to *seat* are not known.
    """
    deal = state.deal
    held = deal.possible_cards(seat) if deal else None
    if deal is None or held is None:
        raise WrongPhase("the cards of that seat are not known: enter its hand")
    # Discards may be entered without suits.
    discards = tuple(find(card, deal.dealt[seat]) for card in deal.discards[seat])
    return sight_with(state, seat, (*deal.held[seat], *held), discards)


def sight_with(state: State, seat: int, hand: tuple[Card, ...], discards: tuple[Card, ...] = ()) -> SeatSight:
    """Return the view of *seat* as if it held *hand* and had discarded *discards*.

    An empty *hand* or *discards* means that there are none, or that they are unknown.

    Raises:
        WrongPhase: If no deal has begun.
    """
    deal = state.deal
    if deal is None:
        raise WrongPhase("no deal has begun: start a game and choose the dealer")
    others = [other for other in range(state.players) if other != seat]
    opened = [card for other in others for card in deal.held[other]]
    if (state.won_in or state.phase) is Phase.CRIB:
        opened += [card for other in others for card in deal.discards[other]]
        opened += deal.from_pack
    return SeatSight(
        rules=state.rules,
        seat=seat,
        dealer=deal.dealer,
        scores=state.scores(),
        hand=hand,
        discards=discards,
        starter=deal.starter,
        plays=deal.plays,
        goes=deal.goes,
        pile=deal.pile,
        out=deal.out,
        turn=deal.turn,
        opened=(*opened, *deal.crib_turned_up),
        past=state.past,
    )
