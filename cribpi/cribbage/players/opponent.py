"""Opponents: what each must do, and those that look no further than their own cards.

An opponent discards and plays by what its seat sees.  Plain Python without NumPy.
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
    """Whoever plays a machine's seat."""

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


def draws(seed: int, sight: SeatSight, what: str = "") -> Random:
    """Return the generator for an opponent of *seed* that has *sight*: the same, even after a restart.

    A generator that ran on would give another card after an undo, and a person could undo until the card
    suits.  *what* tells apart several draws for one sight.
    """
    return Random(f"{seed} {what} {_written(sight)}")  # noqa: S311  a game's


def _written(sight: SeatSight) -> str:
    """Return what tells *sight* apart from others of its game, in a form that no later version changes."""
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
    """Knows the rules, and nothing else."""

    seed: int

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return tuple(draws(self.seed, sight).sample(sight.hand, sight.rules.sizes.discarded))

    def play(self, sight: SeatSight) -> Card:
        return draws(self.seed, sight).choice(sight.playable)


_IN_A_RANK = 4
_IN_A_SUIT = 13


@dataclass(frozen=True, slots=True)
class Greedy:
    """Counts its own cards exactly; ignores the crib and what the others may hold."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the discard that keeps the cards with the highest mean over every starter."""
        return keepings(sight)[0].away

    def play(self, sight: SeatSight) -> Card:
        """Return the card that pegs most now; of equals, the highest."""
        return max(sight.playable, key=lambda card: (total(scores_now(sight, card)), card.rank))


def scores_now(sight: SeatSight, card: Card) -> tuple[Score, ...]:
    """Return what *card* would peg now, without go and last card, which depend on the others.

    A pair over the seat's own card counts nothing if the rules say so.
    """
    scores = score_play((*sight.pile, card))
    if sight.rules.self_combinations == "over-another" and sight.pile and sight.plays[-1].seat == sight.seat:
        return tuple(score for score in scores if score.kind is not Kind.PAIR)
    return scores


@dataclass(frozen=True, slots=True)
class Keeping:
    """One way to discard, and what it keeps."""

    kept: tuple[Card, ...]
    away: tuple[Card, ...]
    points: int
    """The points of the kept cards, summed over all possible starters."""
    starters: int
    """The number of possible starters: 46 with six cards dealt, 47 with five."""


def keepings(sight: SeatSight) -> list[Keeping]:
    """Return all ways to discard from the hand in *sight*: the one that keeps most first.

    Of ways that keep the same, the one that discards higher cards is first, as they are worse in the play.  A
    card of unknown suit makes no flush and no nobs.

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
    return sorted(ways, key=lambda one: (-one.points, -sum(card.rank for card in one.away)))


@lru_cache(maxsize=2048)
def _by_starter(ranks: tuple[Rank, ...]) -> tuple[int, ...]:
    """Return the points of *ranks*, suits ignored, with a starter of each rank; 0 for a fifth of one."""
    cards = [Card(rank) for rank in ranks]
    return tuple(
        total(score_ranks(cards, Card(rank))) if ranks.count(rank) < _IN_A_RANK else 0 for rank in Rank
    )


RATE: Final = 0.1
"""The share of decisions in which something is overlooked."""

_FIFTEEN = 15
_SLIP: Final = "slip"


@dataclass(frozen=True, slots=True)
class Careless:
    """An opponent that overlooks something in one decision in ten."""

    opponent: Opponent
    seed: int
    rate: float = RATE

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return *opponent*'s discard; after an oversight, the one that then seems to keep more.

        What is overlooked is a fifteen, a pair or a run among the cards it would have kept.  If they
        have none, or are best even without it, nothing changes.
        """
        away = self.opponent.discard(sight)
        chance = draws(self.seed, sight, _SLIP)
        if chance.random() >= self.rate:
            return away
        seen = tuple(combinations_of([card for card in sight.hand if card not in away]))
        if not seen:
            return away
        missed, points = chance.choice(seen)

        def seeming(one: Keeping) -> int:
            """Return what *one* seems to be worth to a player who overlooks the combination."""
            return one.points - missed.issubset(one.kept) * points * one.starters

        ways = keepings(sight)
        best = max(ways, key=seeming)
        return away if best is ways[0] else best.away

    def play(self, sight: SeatSight) -> Card:
        """Return *opponent*'s card; after an oversight, its choice among the other cards."""
        card = self.opponent.play(sight)
        if draws(self.seed, sight, _SLIP).random() >= self.rate or len(sight.playable) < 2:
            return card
        return self.opponent.play(replace(sight, hand=tuple(one for one in sight.hand if one != card)))


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
    """An *opponent* whose tables are for hands of four; at five-card *without* them another plays."""

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
    """An *opponent* of two that sees the play of *past* games too, with the seats as they are in this one."""

    opponent: Opponent
    past: tuple[PlayedDeal, ...]

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return self.opponent.discard(sight)

    def play(self, sight: SeatSight) -> Card:
        return self.opponent.play(replace(sight, past=(*self.past, *sight.past)))
