"""Opponents: what each must do, the one that plays at random, and those that err or remember.

An opponent discards and plays by what its seat sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from random import Random
from typing import Final, Protocol

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import PlayedDeal
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.greedy import Keeping, best_first
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
    return len(cards) == seats.cards_discarded(sight.players) and Counter(cards) <= Counter(sight.hand)


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
        return tuple(draws(self.seed, sight).sample(sight.hand, seats.cards_discarded(sight.players)))

    def play(self, sight: SeatSight) -> Card:
        return draws(self.seed, sight).choice(sight.playable)


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

        What is overlooked is a fifteen, a pair or a run among the four cards it would have kept.  If they
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

        ways = best_first(sight.hand)
        best = max(ways, key=seeming)
        return away if best is ways[0] else best.away

    def play(self, sight: SeatSight) -> Card:
        """Return *opponent*'s card; after an oversight, its choice among the other cards."""
        card = self.opponent.play(sight)
        if draws(self.seed, sight, _SLIP).random() >= self.rate or len(sight.playable) < 2:
            return card
        return self.opponent.play(replace(sight, hand=tuple(one for one in sight.hand if one != card)))


def combinations_of(cards: Sequence[Card]) -> Iterator[tuple[frozenset[Card], int]]:
    """Yield each fifteen, pair or run among *cards*, at most four of them, and its points.

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
class WithMemory:
    """An *opponent* of two that sees the play of *past* games too, with the seats as they are in this one."""

    opponent: Opponent
    past: tuple[PlayedDeal, ...]

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return self.opponent.discard(sight)

    def play(self, sight: SeatSight) -> Card:
        return self.opponent.play(replace(sight, past=(*self.past, *sight.past)))
