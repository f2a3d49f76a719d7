"""What one player has seen of the play, as numbers: from a `SeatSight` to arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pegging.batch import Deals, deals_from_the_lead
from cribpi.analysis.pegging.counts import NONE, PIPS_OR_NONE, RANKS, pile_tables
from cribpi.core import seats
from cribpi.core.deal import Go
from cribpi.core.play import LIMIT
from cribpi.core.rules import Rules
from cribpi.core.sight import SeatSight


@dataclass(frozen=True, slots=True)
class Seen:
    """What a player has seen of a deal: ranks are 0 (ace) to 12 (king), seats those of the table."""

    rules: Rules
    seat: int
    dealer: int
    kept: tuple[int, ...]
    """The four ranks the player kept: those already played in order, then those in hand."""
    discards: tuple[int, ...]
    starter: int | None
    plays: tuple[tuple[int, int], ...]
    """Seat and rank of each card played, in order."""
    goes: tuple[Go, ...] = ()
    """Each go that was said."""

    @property
    def lead(self) -> int:
        return seats.left_of(self.dealer, self.rules.players)

    @property
    def hidden(self) -> NDArray[np.uint8]:
        """How many of each rank the player knows nobody can play: the player's discards."""
        return counted(self.discards)

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats in turn order, the next one first."""
        return seats.around(self.seat, self.rules.players)[:-1]

    def free(self) -> NDArray[np.uint8]:
        """Return how many of each rank the others may have kept, played or not: shape (13,)."""
        starter = () if self.starter is None else (self.starter,)
        return 4 - counted((*self.kept, *self.discards, *starter))

    def played_by(self, seat: int) -> NDArray[np.uint8]:
        """Return how many of each rank *seat* has played: shape (13,)."""
        return counted(self._cards_of(seat))

    def most_of(self, seat: int) -> NDArray[np.uint8]:
        """Return the most of each rank that *seat* can hold, given its goes; 4 where they say nothing."""
        most = np.full(RANKS, 4, np.uint8)
        for go in self.goes:
            if go.seat == seat:
                fitted = PIPS_OR_NONE[:RANKS] <= LIMIT - go.count
                most = np.where(fitted, np.minimum(most, counted(self._cards_of(seat)[: go.played])), most)
        return most

    def _cards_of(self, seat: int) -> tuple[int, ...]:
        return tuple(rank for player, rank in self.plays if player == seat)


def seen_in(sight: SeatSight) -> Seen:
    """Return what is seen in *sight*, without its suits."""
    return Seen(
        rules=sight.rules,
        seat=sight.seat,
        dealer=sight.dealer,
        kept=tuple(card.rank - 1 for card in sight.kept),
        discards=tuple(card.rank - 1 for card in sight.discards),
        starter=sight.starter.rank - 1 if sight.starter else None,
        plays=tuple((play.seat, play.card.rank - 1) for play in sight.plays),
        goes=sight.goes,
    )


def counted(ranks: tuple[int, ...]) -> NDArray[np.uint8]:
    """Count each rank: shape (13,)."""
    return np.bincount(np.array(ranks, np.intp), minlength=RANKS).astype(np.uint8)


def position(sight: SeatSight) -> Deals:
    """Return the current position as one row; of the others' cards only the number is known.

    A `Policy` can weigh it, but it cannot be played on.
    """
    players, seat = sight.players, sight.seat
    cards = np.full((1, players, 4), NONE, np.uint8)
    held = sorted(card.rank - 1 for card in sight.hand)[:4]
    cards[0, seat, : len(held)] = held
    deals = deals_from_the_lead(sight.rules, cards, seat)
    starter = () if sight.starter is None else (sight.starter.rank - 1,)
    deals.open[0] = counted((*starter, *(play.card.rank - 1 for play in sight.plays)))
    deals.left[0] = [sight.cards_left(other) for other in range(players)]
    deals.count[0] = sight.count
    for card in sight.pile:
        deals.node = pile_tables().next[deals.node, card.rank - 1]
    if sight.pile:
        deals.last[0] = sight.plays[-1].seat
    for go in sight.goes:
        deals.above[0, go.seat] = max(deals.above[0, go.seat], min(LIMIT - go.count, 10))
    if sight.out:
        deals.out[0] = sight.out[0]
        first = [go for go in sight.goes if go.seat == sight.out[0]][-1]
        sums = np.cumsum(PIPS_OR_NONE[[card.rank - 1 for card in sight.pile]], dtype=np.int64)
        place = int(np.searchsorted(sums, first.count))
        deals.taken[0] = sight.plays[len(sight.plays) - len(sight.pile) + place].seat
    return deals
