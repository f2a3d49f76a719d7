"""A fast estimate of the worth of playing a card, used by `solid`, and by `expert` as a model of the others.

A card is worth its points now, less the expected reply of the next player over the unseen cards, plus the
worth of the remaining cards at that count.  The last comes from a table, averaged over millions of deals of
self-play (see `workshop.tables.self_play`).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.habits import discard_table
from cribpi.cribbage.analysis.pack import CHOOSE, HAND_COUNTS, Floats, Places
from cribpi.cribbage.analysis.pegging.batch import (
    BONUSES,
    FITS,
    NONE,
    PIPS_OR_NONE,
    RANKS,
    Deals,
    pile_tables,
)
from cribpi.cribbage.analysis.tables import TablesError, load
from cribpi.cribbage.game.play import LIMIT
from cribpi.cribbage.rules.rules import Rules

Values = NDArray[np.float32]

RESTS: Final = 560
"""The number of different rests: the zero to three ranks that remain after a card is played."""

CELLS: Final = 2 * RESTS
"""Rows of `Policy.later`: each rest twice, without and with another card of the rank played."""

WORTHLESS: Final = np.float32(-1e9)
"""The value of a card that can't be played, lower than that of any other."""

_ONE: Final[NDArray[np.uint8]] = np.vstack([np.eye(RANKS, dtype=np.uint8), np.zeros((1, RANKS), np.uint8)])
"""The rank counts of one card, a row per rank; the last row, for `NONE`, is all 0."""

_ABOVE: Final[Values] = (PIPS_OR_NONE[None, :RANKS] > np.arange(LIMIT + 1)[:, None]).astype(np.float32)
"""Whether a rank (column) has more pips than a number (row), 1 or 0: shape (32, 13)."""


@dataclass(frozen=True, slots=True)
class Policy:
    danger: float
    held: NDArray[np.float32]
    """The frequency of each rank among the cards kept, relative to random cards: shape (13,)."""
    later: NDArray[np.float32]
    """The worth of the cards left, in points: shape (CELLS, 32, 2).

    The axes are the rest, the count, and whether the next player has at least as many cards as the seat has
    before it plays."""
    game: float = 0.0
    """The bonus in points for a card that wins the game, and the penalty for one whose reply loses it.

    The penalty is multiplied by the chance of that reply.  For two sides only.
    """

    def values(self, deals: Deals, hidden: NDArray[np.uint8] | None = None) -> Values:
        """Return the worth in points of each card of the seat to play: shape (deals, 4).

        Args:
            deals: Deals in progress.
            hidden: The number of cards of each rank among the seat's discards, which only this seat knows:
                shape (13,) or (deals, 13).
        """
        return self.parts(deals, hidden)[0]

    def parts(self, deals: Deals, hidden: NDArray[np.uint8] | None = None) -> tuple[Values, Values, Places]:
        """Return the values, the expected reply to each card, and the flat index in `later` for each card."""
        pile = pile_tables()
        hold = deals.hold()
        fits = PIPS_OR_NONE[hold] <= (LIMIT - deals.count)[:, None]
        chance, left = self._chances(deals, hold, hidden)
        rows, slots = np.nonzero(fits)
        rank = hold[rows, slots]
        count = deals.count[rows] + PIPS_OR_NONE[rank]
        replies = pile.points[pile.next[deals.node[rows], rank]] * FITS[count] + BONUSES[count]
        reply = np.einsum("dr,dr->d", replies, chance[rows])
        code = ((hold[:, 0] * np.int64(14) + hold[:, 1]) * 14 + hold[:, 2]) * 14 + hold[:, 3]
        own = deals.left[np.arange(len(deals)), deals.turn]
        place = (_cells()[code[rows], slots] * 32 + count) * 2 + (left >= own)[rows]
        points = deals.points(hold)[rows, slots]
        worth = points - self.danger * reply + self.later.reshape(-1)[place]
        if self.game:
            to_go, side = (deals.needs - deals.pegged)[rows], deals.turn[rows] % 2
            own_to_go, other_to_go = (to_go[np.arange(len(rows)), owner] for owner in (side, 1 - side))
            loses = np.einsum("dr,dr->d", replies >= other_to_go[:, None], chance[rows])
            worth += np.float32(self.game) * np.where(points >= own_to_go, 1, -np.minimum(loses, 1))
        values = np.full(hold.shape, WORTHLESS, np.float32)
        values[rows, slots] = worth
        feared = np.zeros(hold.shape, np.float32)
        feared[rows, slots] = reply
        places = np.zeros(hold.shape, np.intp)
        places[rows, slots] = place
        return values, feared, places

    def _chances(
        self, deals: Deals, hold: NDArray[np.uint8], hidden: NDArray[np.uint8] | None
    ) -> tuple[Values, NDArray[np.int8]]:
        """Return, for the next player with cards, the chance to hold each rank and the number of cards."""
        rows, players = np.arange(len(deals)), deals.rules.players
        follower = deals.turn
        for step in range(players - 1, 0, -1):
            other = (deals.turn + step) % players
            follower = np.where(deals.left[rows, other] > 0, other, follower)
        left = np.where(follower == deals.turn, np.int8(0), deals.left[rows, follower])
        unseen = 4 - deals.open
        for slot in range(4):
            unseen = unseen - _ONE[hold[:, slot]]
        if hidden is not None:
            unseen = unseen - hidden
        above = deals.above[rows, follower]
        weight = np.maximum(unseen.astype(np.int8), 0) * (self.held * _ABOVE[above])
        total = np.maximum(weight @ np.ones(RANKS, np.float32), np.float32(1e-6))
        miss = 1 - weight / total[:, None]
        for few in range(5):
            some = left == few
            if few != 1 and some.any():
                miss = _power(miss, few) if some.all() else np.where(some[:, None], _power(miss, few), miss)
        return 1 - miss, left


def _power(values: Values, exponent: int) -> Values:
    """Raise *values* to a power of 0 to 4, much faster than `**` with an array."""
    if exponent == 0:
        return np.ones_like(values)
    square = values * values
    return (values, square, square * values, square * square)[exponent - 1]


GAME: Final = 4.0
"""`Policy.game` for play near the end of a game, in points.

The chance of a losing reply is the sum over ranks, and so too high.  A higher bonus would fear it too much:
against a policy with 12, one with 4 wins more often than one with 0, 8 or 12.
"""


def policy_to_win(rules: Rules) -> Policy:
    """Return the policy for *rules* with a bonus for winning the game and a penalty for losing it."""
    return replace(policy(rules), game=GAME)


@cache
def plain_policy() -> Policy:
    """Return a policy that ignores later cards: points now, less the expected reply."""
    return Policy(0.8, np.ones(RANKS, np.float32), np.zeros((CELLS, 32, 2), np.float32))


@cache
def _cells() -> NDArray[np.int64]:
    """Return the row in `Policy.later` of each card of a hand, indexed by the hand in base 14: (38416, 4)."""
    hands = np.array(list(product(range(NONE + 1), repeat=4)), np.uint8)
    names = np.zeros(14**3, np.int64)
    for number, (low, middle, high) in enumerate(combinations_with_replacement(range(NONE + 1), 3)):
        names[(low * 14 + middle) * 14 + high] = number
    cells = np.zeros((len(hands), 4), np.int64)
    for slot in range(4):
        rest = np.sort(np.delete(hands, slot, axis=1), axis=1).astype(np.int64)
        twin = (rest == hands[:, slot : slot + 1]).any(axis=1)
        cells[:, slot] = names[(rest[:, 0] * 14 + rest[:, 1]) * 14 + rest[:, 2]] * 2 + twin
    return cells


SCALE: Final = 16
"""The table stores the worth of the remaining cards in sixteenths of a point."""

_LOG: Final = logging.getLogger(__name__)


def policy(rules: Rules) -> Policy:
    """Return the policy for *rules*; if its table can't be used, log a warning and return `plain_policy`."""
    return _policy(rules.players, rules.play_rounds)


@cache
def _policy(players: int, rounds: str) -> Policy:
    try:
        arrays = load(table_name(players, rounds)).arrays
        later = arrays["later"].reshape(CELLS, 32, 2).astype(np.float32) / np.float32(SCALE)
        return Policy(float(arrays["danger"][0]), arrays["held"].astype(np.float32), later)
    except TablesError as trouble:
        _LOG.warning("the play is estimated without its table: %s", trouble)
        return plain_policy()


def table_name(players: int, rounds: str) -> str:
    """Return the name of the policy table; *rounds* is the rule on counts per deal, `all` or `one`."""
    return f"playing-{players}" if rounds == "all" else f"playing-{players}-{rounds}"


@cache
def kept_hands(players: int) -> Floats:
    """Return the probability that a player keeps each of `HANDS`: shape (2, 1820).

    Row 0 is for the dealer's side, row 1 for the others; each sums to 1.  If the table can't be used, the
    one for two players is.  If that fails too, the cards kept are assumed to be random.
    """
    for known in (players, 2):
        try:
            return discard_table(known).kept
        except TablesError as trouble:
            _LOG.warning("hands are inferred without the table for %d: %s", known, trouble)
    ways = CHOOSE[4, HAND_COUNTS].prod(axis=1)
    return np.asarray(np.stack([ways, ways]) / ways.sum())


class _KeepsToPeg(NamedTuple):
    """A model of the preference for hands that peg, near the end of a two-player game.

    The preference, called pull, and the share of random hands are linear in the points to go.
    """

    pull: float
    """The gain in a hand's log likelihood per net point pegged, extrapolated to zero points to go."""
    by_own: float
    """The decrease of *pull* per point that the player has to go."""
    by_other: float
    """The decrease of *pull* per point above `_FEW` that the opponent has to go."""
    most: float
    share: float
    """The share of random hands, extrapolated to zero points to go.

    Random hands are mixed in because people near the end keep hands that nobody would keep earlier."""
    share_by_own: float
    """The decrease of *share* per point that the player has to go."""


_FEW: Final = 4
_MOST_SHARE: Final = 0.8
_LEAST_SHARE: Final = 0.02

_TO_PEG: Final = (_KeepsToPeg(3.4, 0.19, 0.05, 2.2, 2.0, 0.15), _KeepsToPeg(1.3, 0.10, 0.015, 2.2, 1.1, 0.14))
"""The dealer's model and pone's: a maximum-likelihood fit to 3,114 deals of `expert` against itself, from 18
scores near the end.  The dealer's pull is stronger, because pone shows first: a dealer with five to go must
peg them."""

_AS_EVER: Final = 0.5
"""The probability that a player ignores the score and keeps the same cards near the end as earlier."""


@lru_cache(maxsize=64)
def kept_at(dealer: int, pone: int) -> Floats:
    """Return the probability that the dealer (row 0) and pone (row 1) keep each of `HANDS`: shape (2, 1820).

    *dealer* and *pone* are their points to go.  Far from the end, the result is `kept_hands`.  Each row sums
    to 1.
    """
    shares = kept_hands(2).copy()
    try:
        pegged = pegging(2).points
    except TablesError as trouble:
        _LOG.warning("near the end, hands are inferred as if the game were far from over: %s", trouble)
        return shares
    dealt = CHOOSE[4, HAND_COUNTS].prod(axis=1)
    dealt /= dealt.sum()
    for role, own, other in ((0, dealer, pone), (1, pone, dealer)):
        to_peg = _TO_PEG[role]
        pull = to_peg.pull - to_peg.by_own * own - to_peg.by_other * max(other - _FEW, 0)
        if pull <= 0:
            continue
        share = min(max(to_peg.share - to_peg.share_by_own * own, _LEAST_SHARE), _MOST_SHARE)
        pegs, concedes = pegged[role].T
        near = ((1 - share) * shares[role] + share * dealt) * np.exp(
            min(pull, to_peg.most) * (pegs - concedes)
        )
        shares[role] = _AS_EVER * shares[role] + (1 - _AS_EVER) * near / near.sum()
    return shares


class Pegged(NamedTuple):
    """The points that two sides peg in the play."""

    points: Floats
    """The mean points of a seat's side and of the other side: shape (players, 1820, 2).

    Indexed by seat, where 0 is the dealer and 1 the player on the dealer's left, and by the seat's hand, as
    in `HANDS`.
    """
    spread: Floats
    """The joint probability of a side's points (row) and the other's (column): shape (2, 20, 20).

    The first axis is the side: 0 the dealer's, 1 pone's.  Index 19 stands for 19 points or more.
    """
    first: Floats
    """The probability that the dealer reaches the row's points before pone reaches the column's: (20, 20)."""


@cache
def pegging(players: int = 2) -> Pegged:
    """Return the shipped table of points in the play, with two or four players.

    Raises:
        TablesError: If the table is missing, damaged, of another format, or made for other rules.
    """
    arrays = load(f"pegging-{players}").arrays
    points, spread = arrays["points"], arrays["spread"]
    deals = spread[0].sum()
    return Pegged(points.astype(np.float64), spread / deals, arrays["first"] / deals)
