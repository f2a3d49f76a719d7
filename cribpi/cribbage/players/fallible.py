"""The levels below `expert`: one player that makes typical human mistakes, fewer at each higher level.

Plain Python without NumPy, so that even the smallest Pi decides at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.play import LIMIT, score_play
from cribpi.cribbage.game.show import total
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.opponent import (
    Keeping,
    combinations_of,
    has_own_crib,
    keepings,
    rng_for,
    scores_now,
)
from cribpi.cribbage.rules import seats

_FIVE: Final = 1.5  # points that a five adds to a crib
_NEXT: Final = 1.0  # points that two cards of adjacent ranks add
_IN_A_RANK: Final = 4


@dataclass(frozen=True, slots=True)
class MistakeRates:
    """The probabilities of the mistakes, 0 to 1."""

    hand: float = 0.0
    """For each fifteen, pair and run among the cards dealt: overlooks it."""
    crib: float = 0.0
    """Mistakes whose crib it is: gives fives and pairs to the other side's, keeps them from its own."""
    five: float = 0.0
    """Leads a five if it holds one."""
    points: float = 0.0
    """For each card that would peg, such as a pair or thirty-one: overlooks it."""
    reply: float = 0.0
    """Ignores the next player's possible reply.  Among cards that peg equally, it plays the highest."""


@dataclass(frozen=True, slots=True)
class Fallible:
    """Maximizes its points and minimizes the next player's, except for mistakes at these *rates*.

    The discard counts hand and crib; a card counts its points less those of the expected reply.
    """

    rates: MistakeRates
    seed: int

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the best discard by hand and crib, not counting the combinations it overlooks."""
        chance = rng_for(self.seed, sight, "discard")
        is_own = has_own_crib(sight) != (chance.random() < self.rates.crib)
        missed = [
            overlooked for overlooked in combinations_of(sight.hand) if chance.random() < self.rates.hand
        ]

        def apparent_points(option: Keeping) -> float:
            unseen = sum(points for cards, points in missed if cards.issubset(option.kept))
            crib = crib_gain(option.away)
            return option.points / option.starters - unseen + (crib if is_own else -crib)

        return max(keepings(sight), key=apparent_points).away

    def play(self, sight: SeatSight) -> Card:
        """Return the card with the most points less the expected reply; among equals, the highest."""
        chance, rates = rng_for(self.seed, sight, "play"), self.rates
        leads_five, ignores_reply = chance.random() < rates.five, chance.random() < rates.reply
        fives = [card for card in sight.playable if card.rank is Rank.FIVE]
        if fives and leads_five and not sight.pile:
            return fives[0]

        def worth(card: Card) -> tuple[float, Rank]:
            feared = 0.0 if ignores_reply else reply(sight, card)
            return total(scores_now(sight, card)) - feared, card.rank

        seen = [
            card for card in sight.playable if not scores_now(sight, card) or chance.random() >= rates.points
        ]
        return max(seen or sight.playable, key=worth)


def crib_gain(discard: Sequence[Card]) -> float:
    """Estimate the points that *discard*, one or two cards, adds to a crib, up to a constant.

    The estimate is fitted to the shipped table for two players and explains four fifths of its variance.
    """
    gain = _FIVE * sum(card.rank is Rank.FIVE for card in discard)
    gain += sum(points for _, points in combinations_of(discard))
    return gain + _NEXT * (len(discard) == 2 and abs(discard[0].rank - discard[1].rank) == 1)


def reply(sight: SeatSight, card: Card) -> float:
    """Return the expected points of the next player's reply to *card*, all unseen cards equally likely."""
    after = seats.left_of(sight.seat, sight.players)
    held, pile = sight.cards_left(after), (*sight.pile, card)
    room = LIMIT - sight.count - card.rank.pips
    if after in sight.out or not held:
        return 0.0
    seen = Counter(other.rank for other in sight.seen)
    unseen = {rank: _IN_A_RANK - seen[rank] for rank in Rank if seen[rank] < _IN_A_RANK}
    worth = sum(
        many * total(score_play((*pile, Card(rank)))) for rank, many in unseen.items() if rank.pips <= room
    )
    return held * worth / sum(unseen.values())


BEGINNER: Final = partial(Fallible, MistakeRates(hand=0.8, crib=0.5, five=0.5, points=0.55, reply=1.0))
EASY: Final = partial(Fallible, MistakeRates(hand=0.55, crib=0.4, five=0.3, points=0.4, reply=0.9))
MEDIUM: Final = partial(Fallible, MistakeRates(hand=0.3, crib=0.25, five=0.2, points=0.25, reply=0.65))
STRONG: Final = partial(Fallible, MistakeRates(hand=0.1, crib=0.1, points=0.05, reply=0.2))
