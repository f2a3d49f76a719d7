"""The other players' hands, inferred from what is seen and from what a model would have played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pack import HAND_COUNTS, HANDS, Floats, Places, ways_left
from cribpi.analysis.pegging.batch import Deals, deals_from_the_lead
from cribpi.analysis.pegging.counts import NONE, PIPS_OR_NONE, RANKS, pile_tables
from cribpi.analysis.pegging.policy import Policy
from cribpi.core import seats
from cribpi.core.deal import Go
from cribpi.core.play import LIMIT
from cribpi.core.rules import Rules
from cribpi.core.sight import SeatSight

TEMPERATURE: Final = 0.25
"""The softmax temperature of the model of another player, in points."""

EPSILON: Final = 0.05
"""The share of random cards in the model of another player."""


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


def worlds(
    seen: Seen,
    kept: Floats,
    model: Policy,
    chance: np.random.Generator,
    *,
    most: int,
    needs: NDArray[np.int16] | None = None,
) -> tuple[Deals, Floats, Places]:
    """Return the position in each world: with hands that the others may hold.

    With two players these are all hands the other may have kept; with three and four, hands are sampled.

    Args:
        seen: What is seen.
        kept: How often the dealer's side (row 0) and the others (row 1) keep each of `HANDS`, out of a full
            pack: shape (2, 1820).
        model: How the others choose among cards.
        chance: The random generator, with three and four players.
        most: The most worlds; of more, this many are drawn by systematic sampling.
        needs: What each side needs to win; a side that has it ends the play.

    Returns:
        The position in each world, with points counted from here on, its weight, and the hand of each seat,
        -1 for the player's own: shape (worlds, players).  All are empty if no hands are consistent with what
        is seen.
    """
    players, enough = seen.rules.players, 0
    side = seats.side_of(seen.dealer, players)
    weights = {
        seat: hand_weights(seen, seat, kept[int(seats.side_of(seat, players) != side)])
        for seat in seen.others
    }
    if players == 2:
        ((other, every),) = weights.items()
        hands, enough = {other: np.flatnonzero(every > 0)}, most
        weight = every[hands[other]]
    else:
        hands, weight = _drawn(seen, weights, chance, 4 * most)
    deals, weight, rows = replayed(seen, hands, weight, model)
    keep = np.flatnonzero(weight > 0)
    weight = weight[keep]
    if len(keep) > enough:
        # Drawn at even steps of the weights' sum.
        sums = weight.cumsum()
        drawn = sums.searchsorted((np.arange(most) + 0.5) / most * sums[-1])
        some, times = np.unique(drawn, return_counts=True)
        keep, weight = keep[some], times.astype(np.float64)
    numbers = np.full((len(keep), players), -1, np.intp)
    for seat, found in hands.items():
        numbers[:, seat] = found[rows[keep]]
    deals = deals.take(keep)
    deals.pegged[:] = 0
    if needs is not None:
        deals.needs = needs
    return deals, weight, numbers


def hand_weights(seen: Seen, seat: int, prior: Floats) -> Floats:
    """Return the weight of each of `HANDS` for *seat*, from *prior*, the unseen cards, its plays and goes."""
    weight = prior * ways_left(seen.free(), HAND_COUNTS)
    weight[(seen.played_by(seat) > HAND_COUNTS).any(axis=1)] = 0
    weight[(seen.most_of(seat) < HAND_COUNTS).any(axis=1)] = 0
    return weight


def _drawn(
    seen: Seen, weights: Mapping[int, Floats], chance: np.random.Generator, number: int
) -> tuple[dict[int, Places], Floats]:
    """Draw *number* hands for each other seat, and weight them by the chance that one pack holds them all.

    Impossible combinations are left out.  Nothing is drawn if no hand of some seat is consistent with what is
    seen.
    """
    if not all(weight.any() for weight in weights.values()):
        return {seat: np.zeros(0, np.intp) for seat in weights}, np.zeros(0)
    free = seen.free().astype(np.intp)
    hands: dict[int, Places] = {}
    weight, gone = np.ones(number), np.zeros((number, RANKS), np.intp)
    for seat, each in weights.items():
        hands[seat] = chance.choice(len(HANDS), number, p=each / each.sum())
        more = HAND_COUNTS[hands[seat]]
        weight *= ways_left(np.maximum(free - gone, 0), more, free)
        gone += more
    good = np.flatnonzero(weight > 0)
    return {seat: some[good] for seat, some in hands.items()}, weight[good]


def replayed(
    seen: Seen, hands: Mapping[int, Places], weight: Floats, model: Policy
) -> tuple[Deals, Floats, Places]:
    """Replay the play so far with each of *hands*, weighted by the likelihood of the cards played.

    Returns:
        The positions reached, their weights, and their rows in *hands*, without those hands that would have
        made the turns fall otherwise.
    """
    number = len(weight)
    cards = np.empty((number, seen.rules.players, 4), np.uint8)
    cards[:, seen.seat] = sorted(seen.kept)
    for seat, kept in hands.items():
        cards[:, seat] = HANDS[kept]
    starters = None if seen.starter is None else np.full(number, seen.starter, np.uint8)
    lead = seats.left_of(seen.dealer, seen.rules.players)
    deals = deals_from_the_lead(seen.rules, cards, lead, starters=starters)
    rows = np.arange(number)
    for seat, rank in seen.plays:
        fits = np.flatnonzero((deals.turn == seat) & (deals.count + PIPS_OR_NONE[rank] <= LIMIT))
        if len(fits) < len(deals):
            deals, weight, rows = deals.take(fits), weight[fits], rows[fits]
        if not len(deals):
            break
        slots = (deals.hold() == rank).argmax(axis=1)
        if seat != seen.seat:
            weight = weight * likelihood(deals, slots, model)
        deals.play(slots)
    fits = np.flatnonzero(deals.turn == seen.seat)
    return deals.take(fits), weight[fits], rows[fits]


def likelihood(deals: Deals, slots: Places, model: Policy) -> Floats:
    """Return the probability that the player to move plays the rank in each of *slots*."""
    hold, can = deals.hold(), deals.choices()
    values = np.where(can, model.values(deals), -np.inf)
    odds = np.exp((values - values.max(axis=1, keepdims=True)) / TEMPERATURE)
    odds /= odds.sum(axis=1, keepdims=True)
    odds = (1 - EPSILON) * odds + EPSILON * can / can.sum(axis=1, keepdims=True)
    first = (hold == hold[np.arange(len(hold)), slots][:, None]).argmax(axis=1)
    return np.asarray(odds[np.arange(len(hold)), first])
