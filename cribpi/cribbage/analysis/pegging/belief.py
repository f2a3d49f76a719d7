"""The other players' hands, inferred from what is seen and from what a model would have played."""

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
"""Deals drawn to find one in which all could have played as they did: most often the first few are enough."""


def counted(cards: Iterable[Card]) -> NDArray[np.uint8]:
    """Count each rank: shape (13,)."""
    ranks = [card.rank - 1 for card in cards]
    return np.bincount(np.array(ranks, np.intp), minlength=RANKS).astype(np.uint8)


def free_cards(sight: SeatSight) -> NDArray[np.uint8]:
    """Return how many of each rank the others may have kept, played or not: shape (13,)."""
    return 4 - counted((*sight.kept, *sight.discards, *_starter(sight)))


def _starter(sight: SeatSight) -> tuple[Card, ...]:
    return (sight.starter,) if sight.starter else ()


def position(sight: SeatSight) -> Deals:
    """Return the current position as one row; of the others' cards only the number is known.

    A `Policy` can weigh it, but it cannot be played on.
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
    """Return how often the dealer's side (row 0) and the others keep each of `HANDS`: shape (2, 1820).

    With two players by what both had to go when they put cards away: found from the cards, as neither a line
    of the engine protocol nor `cribpi advise` has it.  Where go is pegged at the call, or not from the
    stinkhole, it may be one hole off.
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
        follows = [after.card for after in sight.plays[number : number + 1]]
        if (count_of((*pile, *follows)) > LIMIT) if follows else not sight.pile:  # the count was closed
            to_go[play.seat] += count_of(pile) < LIMIT
            pile.clear()
    return kept_at(to_go[sight.dealer], to_go[1 - sight.dealer])


def worlds(
    sight: SeatSight,
    kept: Floats,
    model: Model,
    chance: np.random.Generator,
    *,
    most: int,
    needs: NDArray[np.int16] | None = None,
    by_seat: bool = False,
) -> tuple[Deals, Floats, Places]:
    """Return the position in each world: with hands that the others may hold.

    With two players these are all hands the other may have kept; with three and four, hands are sampled.

    Args:
        sight: What a seat sees of the play; suits don't matter.
        kept: How often the dealer's side (row 0) and the others (row 1) keep each of `HANDS`, out of a full
            pack: shape (2, 1820).
        model: How the others choose among cards.
        chance: The random generator, with three and four players.
        most: The most worlds; of more, this many are drawn by systematic sampling.
        needs: What each side needs to win; a side that has it ends the play.
        by_seat: Whether hands are sampled by what their seats have played, with three and four players, and
            not weighted by it afterwards: see `likely_hands`.

    Returns:
        The position in each world, with points counted from here on, its weight, and the hand of each seat,
        -1 for the player's own: shape (worlds, players).  All are empty if no hands are consistent with what
        is seen.
    """
    players, enough = sight.players, 0
    style = None
    others = seats.around(sight.seat, players)[:-1]
    of: Collection[int] = others
    side = seats.side_of(sight.dealer, players)
    weights = {
        seat: hand_weights(sight, seat, kept[int(seats.side_of(seat, players) != side)]) for seat in others
    }
    if players == 2:
        ((other, every),) = weights.items()
        hands, enough = {other: np.flatnonzero(every > 0)}, most
        weight = every[hands[other]]
        if isinstance(model, Mixture):
            number = len(model.styles)
            style = np.repeat(np.arange(number, dtype=np.int8), len(weight))
            hands = {other: np.tile(hands[other], number)}
            weight = np.outer(model.weights, weight).ravel()
    elif by_seat:
        hands, weight = drawn(sight, likely_hands(sight, weights, model, chance), chance, 2 * most)
        of = ()  # what they have played is in already
    else:
        hands, weight = drawn(sight, weights, chance, 4 * most)
    deals, weight, rows = replayed(sight, hands, weight, model, style, of=of)
    keep = np.flatnonzero(weight > 0)
    weight = weight[keep]
    if len(keep) > enough:
        # Drawn at even steps of the weights' sum.
        sums = weight.cumsum()
        steps = sums.searchsorted((np.arange(most) + 0.5) / most * sums[-1])
        some, times = np.unique(steps, return_counts=True)
        keep, weight = keep[some], times.astype(np.float64)
    numbers = np.full((len(keep), players), -1, np.intp)
    for seat, found in hands.items():
        numbers[:, seat] = found[rows[keep]]
    deals = deals.take(keep)
    deals.pegged[:] = 0
    if needs is not None:
        deals.needs = needs
    return deals, weight, numbers


def hand_weights(sight: SeatSight, seat: int, prior: Floats) -> Floats:
    """Return the weight of each of `HANDS` for *seat*, from *prior*, the unseen cards, its plays and goes."""
    played = [play.card for play in sight.plays if play.seat == seat]
    weight = prior * ways_left(free_cards(sight), HAND_COUNTS)
    weight[(counted(played) > HAND_COUNTS).any(axis=1)] = 0
    for go in sight.goes:
        if go.seat == seat:  # all that fitted had been played
            fitted = PIPS_OR_NONE[:RANKS] <= LIMIT - go.count
            weight[(fitted & (counted(played[: go.played]) < HAND_COUNTS)).any(axis=1)] = 0
    return weight


def likely_hands(
    sight: SeatSight, weights: Mapping[int, Floats], model: Model, chance: np.random.Generator
) -> dict[int, Floats]:
    """Return the *weights* of each other seat's hands, times the likelihood of the cards that it has played.

    A seat chooses by its own hand and by what lies open.  So whatever the others hold, the likelihood of its
    cards is the same, if turns and goes fall as they did: one such world is enough to find it for every hand.
    Where hands are sampled by these weights, nearly all worlds count alike; where they are sampled before and
    weighted afterwards, a tenth of them may have all the weight.
    """
    found = dict(weights)
    have_played = {play.seat for play in sight.plays} - {sight.seat}
    if not have_played:
        return found
    for number in TRIES:
        hands, weight = drawn(sight, weights, chance, number)
        _, _, rows = replayed(sight, hands, weight, model, of=())
        if len(rows):
            break
    else:
        return found
    one = {seat: every[rows[0]] for seat, every in hands.items()}
    for seat in have_played:
        every = np.flatnonzero(weights[seat] > 0)
        hands = {other: every if other == seat else np.full(len(every), one[other]) for other in one}
        _, likely, rows = replayed(sight, hands, np.ones(len(every)), model, of={seat})
        found[seat] = np.zeros_like(weights[seat])
        found[seat][every[rows]] = weights[seat][every[rows]] * likely
    return found


def drawn(
    sight: SeatSight, weights: Mapping[int, Floats], chance: np.random.Generator, number: int
) -> tuple[dict[int, Places], Floats]:
    """Draw *number* hands for each other seat, and weight them by the chance that one pack holds them all.

    Impossible combinations are left out.  Nothing is drawn if no hand of some seat is consistent with what is
    seen.
    """
    if not all(weight.any() for weight in weights.values()):
        return {seat: np.zeros(0, np.intp) for seat in weights}, np.zeros(0)
    free = free_cards(sight).astype(np.intp)
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
    sight: SeatSight,
    hands: Mapping[int, Places],
    weight: Floats,
    model: Model,
    style: NDArray[np.int8] | None = None,
    *,
    of: Collection[int],
) -> tuple[Deals, Floats, Places]:
    """Replay the play so far with each of *hands*, weighted by the likelihood of the cards of the seats *of*.

    Returns:
        The positions reached, their weights, and their rows in *hands*, without those hands that would have
        made the turns fall otherwise.
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
            deals, weight, rows = deals.take(fits), weight[fits], rows[fits]
        if not len(deals):
            break
        slots = (deals.hold() == rank).argmax(axis=1)
        if play.seat in of:
            weight = weight * likelihood(deals, slots, model)
        deals.play(slots)
    fits = np.flatnonzero(deals.turn == sight.seat)
    return deals.take(fits), weight[fits], rows[fits]
