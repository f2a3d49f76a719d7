"""The interface of opponents, and simple players that consider only their own cards.

Plain Python without NumPy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise
from random import Random
from typing import Final, Protocol

from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.deal import PlayedDeal
from cribpi.cribbage.game.play import score_play
from cribpi.cribbage.game.show import Kind, Score, score_ranks, total
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.rules import seats


class Opponent(Protocol):
    """A computer player.  It decides from a seat's view of the game alone."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the cards of `sight.hand` that go to the crib: two of six, or one of five."""
        ...

    def play(self, sight: SeatSight) -> Card:
        """Return the card to play, one of `sight.playable`.  Called only if there is one."""
        ...


def may_discard(sight: SeatSight, cards: tuple[Card, ...]) -> bool:
    """Return whether *cards* are a legal discard: the right number, all different, all from the hand."""
    return len(cards) == sight.rules.sizes.discarded and Counter(cards) <= Counter(sight.hand)


def has_own_crib(sight: SeatSight) -> bool:
    """Return whether the crib belongs to the seat or its partner."""
    return seats.side_of(sight.dealer, sight.players) == sight.side


def rng_for(seed: int, sight: SeatSight, purpose: str = "") -> Random:
    """Return the random generator of an opponent with *seed* for one decision at *sight*.

    It depends on the arguments alone, even after a restart.  A generator with a state would give another card
    after an undo, and a person could undo until the computer plays badly.  *purpose* gives independent
    generators for several draws at one view.
    """
    return Random(f"{seed} {purpose} {_stable_key(sight)}")  # noqa: S311  not for security


def _stable_key(sight: SeatSight) -> str:
    """Return a text that identifies *sight* within its game, and that later versions must not change.

    `hash()` would not do, because Python salts it in each process.
    """
    parts = (
        (sight.players, sight.seat, sight.dealer, *sight.scores),
        (_cards(sight.hand), _cards(sight.discards), sight.starter or "-"),
        (f"{play.seat}:{play.card}" for play in sight.plays),
        (f"{go.seat}:{go.count}:{go.played}" for go in sight.goes),
        sight.out,
    )
    return "|".join(" ".join(map(str, part)) for part in parts)


def _cards(cards: Iterable[Card]) -> str:
    return ",".join(map(str, cards))


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Discards and plays legal cards at random."""

    seed: int

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return tuple(rng_for(self.seed, sight).sample(sight.hand, sight.rules.sizes.discarded))

    def play(self, sight: SeatSight) -> Card:
        return rng_for(self.seed, sight).choice(sight.playable)


_IN_A_RANK = 4
_IN_A_SUIT = 13


@dataclass(frozen=True, slots=True)
class Greedy:
    """Counts its own cards exactly; ignores the crib and the others' hands."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the discard that keeps the cards with the highest mean over all starters."""
        return keepings(sight)[0].away

    def play(self, sight: SeatSight) -> Card:
        """Return the card that pegs most now; among equals, the highest."""
        return max(sight.playable, key=lambda card: (total(scores_now(sight, card)), card.rank))


def scores_now(sight: SeatSight, card: Card) -> tuple[Score, ...]:
    """Return the scores of *card* if it is played now, except go and last card, which depend on the others.

    By some rules, a pair with the seat's own previous card does not score.
    """
    scores = score_play((*sight.pile, card))
    if sight.rules.self_combinations == "over-another" and sight.pile and sight.plays[-1].seat == sight.seat:
        return tuple(score for score in scores if score.kind is not Kind.PAIR)
    return scores


@dataclass(frozen=True, slots=True)
class Keeping:
    """One possible discard, *away*, and the cards *kept*."""

    kept: tuple[Card, ...]
    away: tuple[Card, ...]
    points: int
    """The points of the kept cards, summed over all possible starters."""
    starters: int
    """The number of possible starters: 46 with six cards dealt, 47 with five."""


def keepings(sight: SeatSight) -> list[Keeping]:
    """Return all possible discards from the hand in *sight*, those that keep the most points first.

    Among equals, the one that discards higher cards comes first: high cards are worse in the play.  A card of
    unknown suit makes no flush and no nobs.

    >>> from cribpi.cribbage.rules.rules import STANDARD
    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> sight = SeatSight(STANDARD, seat=0, dealer=0, scores=(0, 0), hand=parse_cards("5H 6C 7D JS QS KH"))
    >>> " ".join(map(str, keepings(sight)[0].away))
    '6C 7D'
    """
    hand = sight.hand
    ways = []
    ranks = Counter(card.rank for card in hand)
    suits = Counter(card.suit for card in hand)
    left = [_IN_A_RANK - ranks[rank] for rank in Rank]
    for places in combinations(range(len(hand)), sight.rules.sizes.hand):
        kept = tuple([hand[place] for place in places])
        by_starter = _by_starter(tuple(sorted([card.rank for card in kept])))
        points = sum([many * worth for many, worth in zip(left, by_starter, strict=True)])
        suit = kept[0].suit
        if suit is not None and all(card.suit is suit for card in kept):
            points += len(kept) * sum(left) + _IN_A_SUIT - suits[suit]
        for card in kept:
            if card.rank is Rank.JACK and card.suit is not None:
                points += _IN_A_SUIT - suits[card.suit]
        away = tuple([card for place, card in enumerate(hand) if place not in places])
        ways.append(Keeping(kept, away, points, sum(left)))
    return sorted(ways, key=lambda way: (-way.points, -sum(card.rank for card in way.away)))


@lru_cache(maxsize=2048)
def _by_starter(ranks: tuple[Rank, ...]) -> tuple[int, ...]:
    """Return the points of *ranks* with a starter of each rank, suits ignored; 0 if all four are held."""
    cards = [Card(rank) for rank in ranks]
    return tuple(
        total(score_ranks(cards, Card(rank))) if ranks.count(rank) < _IN_A_RANK else 0 for rank in Rank
    )


RATE: Final = 0.1
"""Probability of an oversight per decision."""

_FIFTEEN = 15
_SLIP: Final = "slip"


@dataclass(frozen=True, slots=True)
class Careless:
    """An opponent that overlooks a combination or a card in one decision in ten."""

    opponent: Opponent
    seed: int
    rate: float = RATE

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return *opponent*'s discard, or another one that seems better because of an oversight.

        What is overlooked is a fifteen, a pair or a run among the cards that *opponent* would keep.  The
        discard stays the same if there is none, or if it is best even without that combination.
        """
        away = self.opponent.discard(sight)
        chance = rng_for(self.seed, sight, _SLIP)
        if chance.random() >= self.rate:
            return away
        combinations = tuple(combinations_of([card for card in sight.hand if card not in away]))
        if not combinations:
            return away
        missed, points = chance.choice(combinations)

        def apparent_points(option: Keeping) -> int:
            return option.points - missed.issubset(option.kept) * points * option.starters

        ways = keepings(sight)
        best = max(ways, key=apparent_points)
        return away if best is ways[0] else best.away

    def play(self, sight: SeatSight) -> Card:
        """Return *opponent*'s card, or if that is overlooked, *opponent*'s choice among the others."""
        card = self.opponent.play(sight)
        if rng_for(self.seed, sight, _SLIP).random() >= self.rate or len(sight.playable) < 2:
            return card
        return self.opponent.play(replace(sight, hand=tuple(other for other in sight.hand if other != card)))


def combinations_of(cards: Sequence[Card]) -> Iterator[tuple[frozenset[Card], int]]:
    """Yield each fifteen, pair or run among *cards*, and its points.

    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> [points for _, points in combinations_of(parse_cards("7C 8D 9S 8H"))]
    [2, 2, 2, 3, 3]
    """
    for size in range(2, len(cards) + 1):
        for some in combinations(cards, size):
            ranks = sorted(card.rank for card in some)
            if sum(card.rank.pips for card in some) == _FIFTEEN or (ranks[0] == ranks[-1] and size == 2):
                yield frozenset(some), 2
            elif size > 2 and all(high == low + 1 for low, high in pairwise(ranks)):
                yield frozenset(some), size


@dataclass(frozen=True, slots=True)
class WithTables:
    """Plays as *opponent*, whose tables are for hands of four cards; in five-card cribbage, as *without*."""

    opponent: Opponent
    without: Opponent

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return self._of(sight).discard(sight)

    def play(self, sight: SeatSight) -> Card:
        return self._of(sight).play(sight)

    def _of(self, sight: SeatSight) -> Opponent:
        return self.without if sight.rules.is_five_card else self.opponent


@dataclass(frozen=True, slots=True)
class WithMemory:
    """An *opponent* for two players that also sees *past* deals of earlier games, with the same seats."""

    opponent: Opponent
    past: tuple[PlayedDeal, ...]

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return self.opponent.discard(sight)

    def play(self, sight: SeatSight) -> Card:
        return self.opponent.play(replace(sight, past=(*self.past, *sight.past)))
