"""Inference of the other players' hands from the cards seen and a model of how people discard and play."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.pack import HAND_COUNTS, HANDS, Floats, Places, ways_left
from cribpi.cribbage.analysis.pegging.batch import (
    NONE,
    PIPS_OR_NONE,
    RANKS,
    Deals,
    deals_from_the_lead,
    pile_tables,
)
from cribpi.cribbage.analysis.pegging.policy import kept_at, kept_hands
from cribpi.cribbage.analysis.pegging.styles import Mixture, Model, likelihood
from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.play import LIMIT, count_of, score_play
from cribpi.cribbage.game.show import total
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.rules import seats

TRIES: Final = (64, 4096)
"""Deals to sample when searching one that allows the plays so far: first a few, then more if none does."""


def counted(cards: Iterable[Card]) -> NDArray[np.uint8]:
    """Count each rank: shape (13,)."""
    ranks = [card.rank - 1 for card in cards]
    return np.bincount(np.array(ranks, np.intp), minlength=RANKS).astype(np.uint8)


def free_cards(sight: SeatSight) -> NDArray[np.uint8]:
    """Return the number of cards of each rank that the others can have kept, played or not: shape (13,)."""
    return 4 - counted((*sight.kept, *sight.discards, *_starter(sight)))


def _starter(sight: SeatSight) -> tuple[Card, ...]:
    return (sight.starter,) if sight.starter else ()


def position(sight: SeatSight) -> Deals:
    """Return the current position as a batch of one deal, in which the others' cards are unknown.

    A `Policy` can evaluate it, but no card can be played in it.
    """
    players, seat = sight.players, sight.seat
    cards = np.full((1, players, 4), NONE, np.uint8)
    held = sorted(card.rank - 1 for card in sight.hand)[:4]
    cards[0, seat, : len(held)] = held
    deals = deals_from_the_lead(sight.rules, cards, seat)
    deals.open[0] = counted((*_starter(sight), *(play.card for play in sight.plays)))
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


def kept_by(sight: SeatSight) -> Floats:
    """Return the probability that a player keeps each of `HANDS`: shape (2, 1820).

    Row 0 is for the dealer's side, row 1 for the other.  With two players, the result depends on the points
    to go when they discarded.  These are recomputed from the cards played, because neither the engine
    protocol nor `cribpi advise` passes them.  They may be one point off if the rules peg go at the call, or
    give no go from the stinkhole.
    """
    if sight.players != 2:
        return kept_hands(sight.players)
    to_go = [sight.rules.target - score for score in sight.scores]
    if sight.starter is not None and sight.starter.rank is Rank.JACK:
        to_go[sight.dealer] += his_heels(sight.rules)
    pile: list[Card] = []
    for number, play in enumerate(sight.plays, 1):
        pile.append(play.card)
        to_go[play.seat] += total(score_play(pile))
        if number < len(sight.plays):
            is_over = count_of((*pile, sight.plays[number].card)) > LIMIT
        else:
            is_over = not sight.pile
        if is_over:
            to_go[play.seat] += count_of(pile) < LIMIT
            pile.clear()
    return kept_at(to_go[sight.dealer], to_go[1 - sight.dealer])


def worlds(
    sight: SeatSight,
    prior: Floats,
    model: Model,
    chance: np.random.Generator,
    *,
    most: int,
    needs: NDArray[np.int16] | None = None,
    by_seat: bool = False,
) -> tuple[Deals, Floats, Places]:
    """Return one position per world; a world is one possible assignment of hands to the other players.

    With two players, the worlds are all hands that the other can have kept.  With three or four, they are
    sampled.

    Args:
        sight: The seat's view of the play; suits don't matter.
        prior: The probability that a player keeps each of `HANDS`, before any card is seen: shape (2, 1820),
            row 0 for the dealer's side.
        model: The model of how the others choose among cards.
        chance: The random generator; used with three or four players only.
        most: The maximum number of worlds; if there are more, this many are drawn by systematic sampling.
        needs: The points each side needs to win; a side that reaches them ends the play.
        by_seat: With three or four players, whether hands are sampled by the likelihood of the cards already
            played, rather than weighted by it afterwards: see `likely_hands`.

    Returns:
        The position in each world, with points counted from here on; the weight of each; and the hand of each
        seat as an index of `HANDS`, -1 for the player's own: shape (worlds, players).  All are empty if no
        hands are possible.
    """
    players, enough = sight.players, 0
    style = None
    others = seats.around(sight.seat, players)[:-1]
    weighted: Collection[int] = others
    side = seats.side_of(sight.dealer, players)
    weights = {
        seat: hand_weights(sight, seat, prior[int(seats.side_of(seat, players) != side)]) for seat in others
    }
    if players == 2:
        ((other, of_hand),) = weights.items()
        hands, enough = {other: np.flatnonzero(of_hand > 0)}, most
        weight = of_hand[hands[other]]
        if isinstance(model, Mixture):
            number = len(model.styles)
            style = np.repeat(np.arange(number, dtype=np.int8), len(weight))
            hands = {other: np.tile(hands[other], number)}
            weight = np.outer(model.weights, weight).ravel()
    elif by_seat:
        hands, weight = sample_hands(sight, likely_hands(sight, weights, model, chance), chance, 2 * most)
        weighted = ()  # `likely_hands` has counted the cards played already
    else:
        hands, weight = sample_hands(sight, weights, chance, 4 * most)
    deals, weight, rows = replayed(sight, hands, weight, model, style, weighted=weighted)
    keep = np.flatnonzero(weight > 0)
    weight = weight[keep]
    if len(keep) > enough:
        # Systematic sampling: one world at each of *most* even steps of the cumulative weight.
        sums = weight.cumsum()
        steps = sums.searchsorted((np.arange(most) + 0.5) / most * sums[-1])
        some, times = np.unique(steps, return_counts=True)
        keep, weight = keep[some], times.astype(np.float64)
    numbers = np.full((len(keep), players), -1, np.intp)
    for seat, of_seat in hands.items():
        numbers[:, seat] = of_seat[rows[keep]]
    deals = deals.take(keep)
    deals.pegged[:] = 0
    if needs is not None:
        deals.needs = needs
    return deals, weight, numbers


def hand_weights(sight: SeatSight, seat: int, prior: Floats) -> Floats:
    """Return the weight of each of `HANDS` for *seat*: *prior* given the unseen cards, its plays and goes."""
    played = [play.card for play in sight.plays if play.seat == seat]
    weight = prior * ways_left(free_cards(sight), HAND_COUNTS)
    weight[(counted(played) > HAND_COUNTS).any(axis=1)] = 0
    for go in sight.goes:
        if go.seat == seat:  # a go means that all its cards that could be played were already played
            fitted = PIPS_OR_NONE[:RANKS] <= LIMIT - go.count
            weight[(fitted & (counted(played[: go.played]) < HAND_COUNTS)).any(axis=1)] = 0
    return weight


def likely_hands(
    sight: SeatSight, weights: Mapping[int, Floats], model: Model, chance: np.random.Generator
) -> dict[int, Floats]:
    """Return *weights*, multiplied for each other seat by the likelihood that the hand would have played so.

    A seat chooses by its own hand and the cards face up.  So the likelihood of its plays does not depend on
    the other hands, as long as the turns and goes are the same.  One world with these turns is therefore
    enough to compute the likelihood for every hand.

    Worlds sampled by these weights have nearly equal weight.  If hands are sampled first and weighted
    afterwards, a tenth of the worlds can have all the weight.
    """
    likely_weights = dict(weights)
    have_played = {play.seat for play in sight.plays} - {sight.seat}
    if not have_played:
        return likely_weights
    for number in TRIES:
        hands, weight = sample_hands(sight, weights, chance, number)
        _, _, rows = replayed(sight, hands, weight, model, weighted=())
        if len(rows):
            break
    else:
        return likely_weights
    world = {seat: sample[rows[0]] for seat, sample in hands.items()}
    for seat in have_played:
        possible = np.flatnonzero(weights[seat] > 0)
        hands = {
            other: possible if other == seat else np.full(len(possible), hand)
            for other, hand in world.items()
        }
        _, likely, rows = replayed(sight, hands, np.ones(len(possible)), model, weighted={seat})
        likely_weights[seat] = np.zeros_like(weights[seat])
        likely_weights[seat][possible[rows]] = weights[seat][possible[rows]] * likely
    return likely_weights


def sample_hands(
    sight: SeatSight, weights: Mapping[int, Floats], chance: np.random.Generator, number: int
) -> tuple[dict[int, Places], Floats]:
    """Draw *number* hands for each other seat, weighted by the chance that one pack holds all of them.

    Impossible combinations are left out.  The result is empty if all hands of a seat have a weight of 0.
    """
    if not all(weight.any() for weight in weights.values()):
        return {seat: np.zeros(0, np.intp) for seat in weights}, np.zeros(0)
    free = free_cards(sight).astype(np.intp)
    hands: dict[int, Places] = {}
    weight, gone = np.ones(number), np.zeros((number, RANKS), np.intp)
    for seat, of_hand in weights.items():
        hands[seat] = chance.choice(len(HANDS), number, p=of_hand / of_hand.sum())
        more = HAND_COUNTS[hands[seat]]
        weight *= ways_left(np.maximum(free - gone, 0), more, free)
        gone += more
    good = np.flatnonzero(weight > 0)
    return {seat: sample[good] for seat, sample in hands.items()}, weight[good]


def replayed(
    sight: SeatSight,
    hands: Mapping[int, Places],
    weight: Floats,
    model: Model,
    style: NDArray[np.int8] | None = None,
    *,
    weighted: Collection[int],
) -> tuple[Deals, Floats, Places]:
    """Replay the play so far with each of *hands*.

    The *weight* of each is multiplied by the likelihood of the cards that the seats in *weighted* played.

    Returns:
        The positions reached, their weights, and their rows in *hands*.  Hands that would have led to other
        turns are left out.
    """
    number, rules = len(weight), sight.rules
    cards = np.empty((number, rules.players, 4), np.uint8)
    cards[:, sight.seat] = sorted(card.rank - 1 for card in sight.kept)
    for seat, kept in hands.items():
        cards[:, seat] = HANDS[kept]
    starters = np.full(number, sight.starter.rank - 1, np.uint8) if sight.starter else None
    lead = seats.left_of(sight.dealer, rules.players)
    deals = deals_from_the_lead(rules, cards, lead, starters=starters)
    if style is not None:
        deals.style = style
    rows = np.arange(number)
    for play in sight.plays:
        rank = play.card.rank - 1
        fits = np.flatnonzero((deals.turn == play.seat) & (deals.count + PIPS_OR_NONE[rank] <= LIMIT))
        if len(fits) < len(deals):
            deals, weight = deals.take(fits), weight[fits]
            rows = rows[fits]
        if not len(deals):
            break
        slots = (deals.hold() == rank).argmax(axis=1)
        if play.seat in weighted:
            weight = weight * likelihood(deals, slots, model)
        deals.play(slots)
    fits = np.flatnonzero(deals.turn == sight.seat)
    return deals.take(fits), weight[fits], rows[fits]
