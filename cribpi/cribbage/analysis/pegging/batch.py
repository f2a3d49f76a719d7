"""Batches of deals in the play, as arrays: one call plays a card in every deal.

All rule options that affect the play are implemented here too: the points for go and last card, the time at
which a go is pegged, the lead to the next count, a single count per deal, pairs over a player's own card, no
go from the stinkhole, two goes that end the count, and the end of the game in mid-deal.  Go is not a separate
move: a player who can play must, so the cards imply it.

A pile of cards is one number, its node, so that arrays of piles can be scored at once.  Apart from the count,
the points of the next card depend only on the end of the pile: how many equal ranks it ends with, and which
different ranks a run can still use.  All piles with the same end share a node.  A table gives the points and
the next node for each rank played on a node.  Suits do not matter in the play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import permutations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.pack import PIPS_OF, Places
from cribpi.cribbage.game.play import LIMIT
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import Rules

RANKS: Final = 13
NONE: Final = 13

PIPS_OR_NONE: Final[NDArray[np.uint8]] = np.array([*PIPS_OF, 99], dtype=np.uint8)
"""The pips of each rank; 99 for `NONE`, so that it is never playable."""

BONUS: Final[NDArray[np.uint8]] = np.array(
    [2 * (count in {15, LIMIT}) for count in range(LIMIT + 1)], dtype=np.uint8
)
"""The points for reaching a count, 0 to 31: two for fifteen and thirty-one."""

_SUMS: Final = PIPS_OF[None, :] + np.arange(LIMIT + 1)[:, None]

FITS: Final[NDArray[np.float32]] = (_SUMS <= LIMIT).astype(np.float32)
"""Whether a rank is playable at a count, 1 or 0: shape (32, 13)."""

BONUSES: Final[NDArray[np.float32]] = BONUS[np.minimum(_SUMS, LIMIT)] * FITS
"""The points for fifteen or thirty-one when a rank is played at a count: shape (32, 13)."""


class Pile(NamedTuple):
    """The transitions of nodes: a row per node, a column per rank played on it, 0 (ace) to 12 (king)."""

    points: NDArray[np.uint8]
    """The points for pairs and runs; those for fifteen and thirty-one are in `BONUSES`."""
    next: NDArray[np.int16]
    pair: NDArray[np.bool_]
    """Whether the rank makes a pair, not a pair royal.  By some rules, pairing an own card scores nothing."""


@cache
def pile_tables() -> Pile:
    """Return the transitions of all 8,872 nodes, computed once."""
    ends = _ends()
    node_of = {end: node for node, end in enumerate(ends)}
    pairs, royals = len(ends), len(ends) + RANKS
    points, follow = [[0] * RANKS], [[node_of[(rank,)] for rank in range(RANKS)]]
    pair = np.zeros((len(ends) + 2 * RANKS, RANKS), dtype=np.bool_)
    for node, end in enumerate(ends[1:], 1):  # shorter ones first: longer ones copy from them
        rest, last = node_of[end[1:]], end[-1]
        worth, leads_to = points[rest].copy(), follow[rest].copy()
        for rank in range(RANKS):
            if rank in end:
                continue
            leads_to[rank] = node_of.get((*end, rank), leads_to[rank])
            if len(end) >= 2 and max(*end, rank) - min(*end, rank) == len(end):
                worth[rank] = len(end) + 1
        worth[last] = 2
        leads_to[last] = pairs + last
        pair[node, last] = True
        points.append(worth)
        follow.append(leads_to)
    for after, worth_of_rank in ((royals, 6), (node_of[(0,)], 12)):
        for rank in range(RANKS):
            leads_to = follow[node_of[(rank,)]].copy()
            leads_to[rank] = after + rank
            follow.append(leads_to)
            points.append([worth_of_rank * (rank == other) for other in range(RANKS)])
    return Pile(np.array(points, dtype=np.uint8), np.array(follow, dtype=np.int16), pair)


def _ends() -> list[tuple[int, ...]]:
    """Return the distinct endings of piles without a pair, shorter ones first, beginning with the empty one.

    An ending is the longest sequence of different last ranks that further cards can complete to a run.
    """
    ranges = [
        frozenset(range(low, high + 1))
        for low in range(RANKS)
        for high in range(low + 2, RANKS)
        if sum(int(PIPS_OF[rank]) for rank in range(low, high + 1)) <= LIMIT
    ]
    ends: set[tuple[int, ...]] = {(), *((rank,) for rank in range(RANKS))}
    for run in ranges:
        for size in range(2, len(run)):
            ends.update(permutations(sorted(run), size))
    return sorted(ends, key=lambda end: (len(end), end))


FAR: Final = 999
"""Points to go that no deal can peg: the target is then ignored."""


@dataclass(slots=True)
class Deals:
    """Deals in the play.  Each array has a row per deal; seats are those of the table."""

    rules: Rules
    cards: NDArray[np.uint8]
    """The ranks in each seat's hand, `NONE` for a card already played: shape (deals, players, 4)."""
    turn: NDArray[np.int8]
    """The seat to play, which has a playable card; -1 when the play is over."""
    count: NDArray[np.uint8]
    node: NDArray[np.int16]
    last: NDArray[np.int8]
    """The seat that played last in this count; -1 if no card has been played in it."""
    pegged: NDArray[np.int16]
    """The points each side has pegged since these deals were set up: shape (deals, sides)."""
    needs: NDArray[np.int16]
    """The points each side needs to reach the target: shape (sides,).

    A side that reaches it ends the play, and pegs no more.
    """
    low: NDArray[np.uint8]
    """The pips of each seat's lowest card, 99 without cards: shape (deals, players)."""
    left: NDArray[np.int8]
    """The number of cards in each seat's hand: shape (deals, players)."""
    out: NDArray[np.int8]
    """The seat that said go first in this count, or -1."""
    taken: NDArray[np.int8]
    """The seat that had played last when the go of *out* was said, or -1."""
    open: NDArray[np.uint8]
    """The number of cards of each rank that are face up, starter included: shape (deals, 13)."""
    above: NDArray[np.uint8]
    """Each seat's cards have more pips than this, because it said go: shape (deals, players)."""
    style: NDArray[np.int8]
    """The style of play of the others: an index of `styles.Mixture.styles`, or 0 with a single model."""

    def __len__(self) -> int:
        return len(self.turn)

    def take(self, rows: Places) -> Deals:
        """Return the deals with the indices *rows*, in that order; an index may occur several times."""
        return replace(self, **{name: getattr(self, name).take(rows, axis=0) for name in _PER_DEAL})

    def put(self, rows: Places, part: Deals) -> None:
        """Overwrite the deals with the indices *rows* by those of *part*: the inverse of `take`."""
        for name in _PER_DEAL:
            getattr(self, name)[rows] = getattr(part, name)

    def hold(self) -> NDArray[np.uint8]:
        """Return the hand of the seat to play, as ranks or `NONE`: shape (deals, 4)."""
        return self.cards[np.arange(len(self)), self.turn]

    def choices(self) -> NDArray[np.bool_]:
        """Return a mask of the playable cards of the seat to play, one of each rank: shape (deals, 4)."""
        hold = self.hold()
        can = PIPS_OR_NONE[hold] <= (LIMIT - self.count)[:, None]
        for slot in range(1, 4):
            can[:, slot] &= (hold[:, :slot] != hold[:, slot : slot + 1]).all(axis=1)
        return can

    def points(self, ranks: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the points that each of *ranks* pegs for the seat to play, without go and last card.

        Args:
            ranks: Shape (deals, n).  The results for `NONE` and for ranks that can't be played are undefined.
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
        """Play a card in each deal, and return its points, including go and last card.

        *slots* has the index of the card in the hand of the seat to play.  Every deal must be in progress (a
        turn of 0 or more), and each card must be playable.
        """
        rows = np.arange(len(self))
        seat = self.turn
        players = self.rules.players
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
        stops = np.zeros(len(self), np.bool_)
        if self.rules.after_go == "two-close":  # after two goes in a row the seat can't go on
            lows = self.low[rows[:, None], (seat[:, None] + [1, 2]) % players]
            stops = (self.out < 0) & ((lows < 99) & (lows > room[:, None])).all(axis=1)
        # Backward, from the seat itself to the one on its left, so that the next seat in turn wins.
        for step in range(players, 0, -1):
            other = (seat + step) % players
            low = self.low[rows, other]
            can, has = low <= room, low < 99
            says_go = has & ~can & ~full
            if step == players:
                can, says_go = can & ~stops, says_go & ~stops
            goes = [(was_asked & ~can, seat_asked) for was_asked, seat_asked in goes]
            goes.append((says_go, other))
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
        side = seat % self.pegged.shape[1]
        more = goes_first if self.rules.go_award == "call" else closed & ~full & ~ended
        if self.rules.last_card:
            more |= ended & ~full
        if not self.rules.counts(Kind.GO, 1):
            more &= self.needs[side] - self.pegged[rows, side] - pegs != 1
        pegs += more
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
        self.pegged[rows, side] += pegs
        if self.needs.min() < FAR:
            won = self.pegged[rows, side] >= self.needs[side]
            self.pegged[rows, side] = np.minimum(self.pegged[rows, side], self.needs[side])
            self.turn[won] = -1
        return pegs


_PER_DEAL: Final = tuple(field.name for field in fields(Deals) if field.name not in {"rules", "needs"})


def joined(parts: Sequence[Deals]) -> Deals:
    """Concatenate the deals of *parts*, of which there must be one or more, all with the same rules."""
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in _PER_DEAL
    }
    return replace(parts[0], **arrays)


def deals_from_the_lead(
    rules: Rules,
    cards: NDArray[np.uint8],
    leads: int | NDArray[np.int8],
    *,
    starters: NDArray[np.uint8] | None = None,
    needs: NDArray[np.int16] | None = None,
) -> Deals:
    """Set up deals before the first card; *cards* are the ranks kept: shape (deals, players, 4).

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
