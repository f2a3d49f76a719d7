"""The level `thrifty`: it keeps the most points and plays the most points now, and looks no further.

The average points of the cards kept are exact, over every possible starter.  Plain Python without NumPy, and
fast enough for one decision: ranks are looked up, suits are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.play import score_play
from cribpi.cribbage.game.show import Kind, Score, score_ranks, total
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.rules import seats

_IN_A_RANK = 4
_IN_A_SUIT = 13


@dataclass(frozen=True, slots=True)
class Greedy:
    """Counts its own cards exactly; ignores the crib and what the others may hold."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the discard that keeps the four cards with the highest mean over every starter."""
        return best_first(sight.hand)[0].away

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


def best_first(hand: Sequence[Card]) -> tuple[Keeping, ...]:
    """Return all ways to discard from *hand*, six cards or five: the one that keeps most first.

    Of ways that keep the same, the one that discards higher cards is first, as they are worse in the play.  A
    card of unknown suit makes no flush and no nobs.

    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> " ".join(map(str, best_first(parse_cards("5H 6C 7D JS QS KH"))[0].away))
    '6C 7D'
    """
    ways = _keepings(hand)
    return tuple(sorted(ways, key=lambda one: (-one.points, -sum(card.rank for card in one.away))))


def _keepings(hand: Sequence[Card]) -> Iterator[Keeping]:
    ranks = Counter(card.rank for card in hand)
    suits = Counter(card.suit for card in hand)
    left = [_IN_A_RANK - ranks[rank] for rank in Rank]
    for places in combinations(range(len(hand)), seats.HAND):
        kept = tuple([hand[place] for place in places])
        by_starter = _by_starter(tuple(sorted([card.rank for card in kept])))
        points = sum([many * worth for many, worth in zip(left, by_starter, strict=True)])
        suit = kept[0].suit
        if suit is not None and suit is kept[1].suit is kept[2].suit is kept[3].suit:
            points += 4 * sum(left) + _IN_A_SUIT - suits[suit]
        for card in kept:
            if card.rank is Rank.JACK and card.suit is not None:
                points += _IN_A_SUIT - suits[card.suit]
        away = tuple([card for place, card in enumerate(hand) if place not in places])
        yield Keeping(kept, away, points, sum(left))


@lru_cache(maxsize=2048)
def _by_starter(ranks: tuple[Rank, ...]) -> tuple[int, ...]:
    """Return the points of four *ranks*, suits ignored, with a starter of each rank; 0 for a fifth of one."""
    cards = [Card(rank) for rank in ranks]
    return tuple(
        total(score_ranks(cards, Card(rank))) if ranks.count(rank) < _IN_A_RANK else 0 for rank in Rank
    )
