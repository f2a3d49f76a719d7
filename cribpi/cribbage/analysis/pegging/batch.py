"""Batches of deals in the play, as arrays, all of them advanced by one card at a time.

Every rule of the core that affects the play is here: go and last card, the go pegged when the count closes or
when it is called, who leads the next count, one count only, pairs over a player's own card, and the end of
the game in mid-deal.  A go is not a move of its own: whoever can play must, so the cards imply it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.pack import Places
from cribpi.cribbage.analysis.pegging.counts import BONUS, NONE, PIPS_OR_NONE, RANKS, pile_tables
from cribpi.cribbage.game.play import LIMIT
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import Rules

FAR: Final = 999
"""More points than any deal pegs: no side is near the target."""


@dataclass(slots=True)
class Deals:
    """Deals in the play.  Each array has a row per deal; seats are those of the table."""

    rules: Rules
    cards: NDArray[np.uint8]
    """The ranks each seat holds, `NONE` for a card already played: shape (deals, players, 4)."""
    turn: NDArray[np.int8]
    """The seat to play, which has a card that fits; -1 when the play is over."""
    count: NDArray[np.uint8]
    node: NDArray[np.int16]
    """The pile's node in `pile_tables`: what may still be made with it."""
    last: NDArray[np.int8]
    """Who played last in this count; -1 if it has just begun."""
    pegged: NDArray[np.int16]
    """The points each side has pegged since these deals were set up: shape (deals, sides)."""
    needs: NDArray[np.int16]
    """The points each side needs to reach the target: shape (sides,).

    A side that gets there ends the play, and pegs no more.
    """
    low: NDArray[np.uint8]
    """The pips of each seat's lowest card; 99 if it has none."""
    left: NDArray[np.int8]
    """The number of cards each seat holds: shape (deals, players)."""
    out: NDArray[np.int8]
    """Who said go first in this count; -1 if nobody has."""
    taken: NDArray[np.int8]
    """Who had played last when that was said; -1 if nobody has."""
    open: NDArray[np.uint8]
    """The number of cards of each rank face up, starter included: shape (deals, 13)."""
    above: NDArray[np.uint8]
    """The pips that each seat's cards must exceed, since it said go: shape (deals, players)."""
    style: NDArray[np.int8]
    """Which style of a `styles.Mixture` the others play by; 0 where there is but one model."""

    def __len__(self) -> int:
        return len(self.turn)

    def take(self, rows: Places) -> Deals:
        """Return the deals of *rows*, in that order, repeated as *rows* repeats them."""
        return replace(self, **{name: getattr(self, name).take(rows, axis=0) for name in _PER_DEAL})

    def put(self, rows: Places, part: Deals) -> None:
        """Write the deals of *part* into *rows*: the inverse of `take`."""
        for name in _PER_DEAL:
            getattr(self, name)[rows] = getattr(part, name)

    def hold(self) -> NDArray[np.uint8]:
        """Return the ranks held by the seat to play: shape (deals, 4)."""
        return self.cards[np.arange(len(self)), self.turn]

    def choices(self) -> NDArray[np.bool_]:
        """Return which cards of the seat to play fit, the first of each rank: shape (deals, 4)."""
        hold = self.hold()
        can = PIPS_OR_NONE[hold] <= (LIMIT - self.count)[:, None]
        for slot in range(1, 4):
            can[:, slot] &= (hold[:, :slot] != hold[:, slot : slot + 1]).all(axis=1)
        return can

    def points(self, ranks: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return what each of *ranks* pegs for the seat to play, without go and last card.

        Args:
            ranks: Shape (deals, any number).  Results for `NONE` and ranks that do not fit are undefined.
        """
        pile = pile_tables()
        safe = np.where(ranks == NONE, 0, ranks)
        node = self.node[:, None]
        after = np.minimum(self.count[:, None] + PIPS_OR_NONE[safe], LIMIT)
        points: NDArray[np.uint8] = pile.points[node, safe] + BONUS[after]
        if self.rules.self_combinations == "over-another":
            own = (self.last == self.turn)[:, None]
            points = np.where(pile.pair[node, safe] & own, points - 2, points)
        if self.rules.go_award == "call":
            points = np.where((after == LIMIT) & (self.taken == self.turn)[:, None], points - 1, points)
        return points

    def play(self, slots: Places) -> NDArray[np.int16]:
        """Play the card in each of *slots* for the seat to play; return what it pegs, go and last included.

        Every deal must be in progress (a turn of 0 or more), and each card must fit.
        """
        rows, seat, players = np.arange(len(self)), self.turn, self.rules.players
        rank = self.cards[rows, seat, slots]
        pegs = self.points(rank[:, None])[:, 0].astype(np.int16)
        self.cards[rows, seat, slots] = NONE
        rest = self.cards[rows, seat]
        # Twice as fast in large batches as the minimum along an axis.
        least = np.minimum(np.minimum(rest[:, 0], rest[:, 1]), np.minimum(rest[:, 2], rest[:, 3]))
        self.low[rows, seat] = PIPS_OR_NONE[least]
        self.left[rows, seat] -= 1
        self.node = pile_tables().next[self.node, rank]
        self.count = self.count + PIPS_OR_NONE[rank]
        self.open[rows, rank] += 1
        full = self.count == LIMIT
        room = LIMIT - self.count
        follows, asked = np.full(len(self), -1, np.int8), np.full(len(self), -1, np.int8)
        leads = np.full(len(self), -1, np.int8)
        goes: list[tuple[NDArray[np.bool_], NDArray[np.int8]]] = []
        # From the seat itself back to the one on its left: the nearest is written last, and stays.
        for step in range(players, 0, -1):
            other = (seat + step) % players
            low = self.low[rows, other]
            can = low <= room
            has = low < 99
            goes = [(was_asked & ~can, seat_asked) for was_asked, seat_asked in goes]
            goes.append((has & ~can & ~full, other))
            follows = np.where(can, other, follows)
            leads = np.where(has, other, leads)
            asked = np.where(can, -1, np.where(has, other, asked))
        for was_asked, seat_asked in goes:
            some, theirs = rows[was_asked], seat_asked[was_asked]
            self.above[some, theirs] = np.maximum(self.above[some, theirs], room[was_asked])
        asked[full] = -1
        goes_first = (self.out < 0) & (asked >= 0)
        self.out = np.where(goes_first, asked, self.out)
        self.taken = np.where(goes_first, seat, self.taken)
        closed = follows < 0
        ended = leads < 0
        if self.rules.go_award == "call":
            pegs += goes_first
        else:
            pegs += closed & ~full & ~ended
        if self.rules.last_card:
            pegs += ended & ~full
        if self.rules.play_rounds == "one":
            leads[:] = -1
        elif self.rules.lead_after_close == "first-go":
            leads = np.where(self.out >= 0, self.out, leads)
        self.turn = np.where(closed, leads, follows)
        self.last = np.where(closed, np.int8(-1), seat)
        self.count[closed] = 0
        self.node[closed] = 0
        self.out[closed] = -1
        self.taken[closed] = -1
        side = seat % self.pegged.shape[1]
        self.pegged[rows, side] += pegs
        if self.needs.min() < FAR:
            won = self.pegged[rows, side] >= self.needs[side]
            self.pegged[rows, side] = np.minimum(self.pegged[rows, side], self.needs[side])
            self.turn[won] = -1
        return pegs


_PER_DEAL: Final = tuple(field.name for field in fields(Deals) if field.name not in {"rules", "needs"})


def deals_from_the_lead(
    rules: Rules,
    cards: NDArray[np.uint8],
    leads: int | NDArray[np.int8],
    *,
    starters: NDArray[np.uint8] | None = None,
    needs: NDArray[np.int16] | None = None,
) -> Deals:
    """Set up deals at the lead; *cards* are the ranks kept: shape (deals, players, 4).

    >>> from cribpi.cribbage.rules.rules import STANDARD
    >>> deals = deals_from_the_lead(STANDARD, np.array([[[4, 4, 4, 4], [9, 10, 11, 12]]], np.uint8), 0)
    >>> while deals.turn[0] >= 0:
    ...     slot = deals.hold().argmin(axis=1)
    ...     _ = deals.play(slot)
    >>> deals.pegged.tolist()
    [[0, 6]]
    """
    number = len(cards)
    return Deals(
        rules=rules,
        cards=cards.copy(),
        turn=np.full(number, leads, np.int8) if isinstance(leads, int) else leads.astype(np.int8),
        count=np.zeros(number, np.uint8),
        node=np.zeros(number, np.int16),
        last=np.full(number, -1, np.int8),
        pegged=np.zeros((number, seats.sides(rules.players)), np.int16),
        needs=np.full(seats.sides(rules.players), FAR, np.int16) if needs is None else needs,
        low=PIPS_OR_NONE[cards].min(axis=2),
        left=(cards != NONE).sum(axis=2, dtype=np.int8),
        out=np.full(number, -1, np.int8),
        taken=np.full(number, -1, np.int8),
        open=np.zeros((number, RANKS), np.uint8)
        if starters is None
        else np.eye(RANKS, dtype=np.uint8)[starters],
        above=np.zeros((number, rules.players), np.uint8),
        style=np.zeros(number, np.int8),
    )
