"""The view of one seat: its own cards and those face up, and no other card.

A computer player or a hint gets only this view, so that it cannot peek.
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
    """The view of a deal from *seat*: equal for states that differ only in cards it does not see."""

    rules: Rules
    seat: int
    dealer: int
    scores: tuple[int, ...]
    """The front peg of each side."""
    hand: tuple[Card, ...]
    """The cards the seat holds: six or five before its discard, then those it kept and has not played."""
    discards: tuple[Card, ...] = ()
    """The seat's own discard."""
    starter: Card | None = None
    plays: tuple[Played, ...] = ()
    """The cards played in this deal by all seats, in order."""
    goes: tuple[Go, ...] = ()
    """The goes said in this deal, in order."""
    pile: tuple[Card, ...] = ()
    """The cards of this count, in the order played: those of the last entries of *plays*."""
    out: tuple[int, ...] = ()
    """The seats that said go in this count."""
    turn: int | None = None
    """The seat to play; None except in the play."""
    opened: tuple[Card, ...] = ()
    """The other cards face up at the show: the others' unplayed cards, and the crib once shown."""
    past: tuple[PlayedDeal, ...] = ()
    """The play of the game's earlier deals."""

    @property
    def players(self) -> int:
        """The number of players: 2, 3 or 4."""
        return self.rules.players

    @property
    def side(self) -> int:
        """The side of this seat: an index in `scores`."""
        return seats.side_of(self.seat, self.players)

    @property
    def count(self) -> int:
        """The count, 0 to 31."""
        return count_of(self.pile)

    @property
    def earlier(self) -> tuple[Card, ...]:
        """The cards of earlier counts, in the order played."""
        return tuple(play.card for play in self.plays[: len(self.plays) - len(self.pile)])

    @property
    def room(self) -> int:
        """The distance to thirty-one."""
        return LIMIT - self.count

    @property
    def playable(self) -> tuple[Card, ...]:
        """The cards of the hand that fit under thirty-one."""
        return tuple(card for card in self.hand if card.rank.pips <= self.room)

    @property
    def kept(self) -> tuple[Card, ...]:
        """The cards the seat kept, played or not: its hand at the show."""
        return (*(play.card for play in self.plays if play.seat == self.seat), *self.hand)

    @property
    def seen(self) -> tuple[Card, ...]:
        """Every card whose place the seat knows, once."""
        starter = (self.starter,) if self.starter else ()
        played = (play.card for play in self.plays)
        return (*self.hand, *self.discards, *played, *self.opened, *starter)

    def cards_left(self, seat: int) -> int:
        """Return the number of cards of its hand that *seat* has not played."""
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
    discards = tuple(find(card, deal.dealt[seat]) for card in deal.discards[seat])  # with their suits
    return sight_with(state, seat, (*deal.held[seat], *held), discards)


def sight_with(state: State, seat: int, hand: tuple[Card, ...], discards: tuple[Card, ...] = ()) -> SeatSight:
    """Return the view of *seat* if it held *hand* after discarding *discards* (empty if none or unknown).

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
