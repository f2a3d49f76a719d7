"""The levels below `expert`: one player that makes people's mistakes, fewer from level to level.

Plain Python without NumPy, so that the smallest Pi answers at once.
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

_FIVE: Final = 1.5
_NEXT: Final = 1.0
_IN_A_RANK: Final = 4


@dataclass(frozen=True, slots=True)
class MistakeRates:
    """The probability of each mistake, 0 to 1."""

    hand: float = 0.0
    """Overlooks a fifteen, a pair or a run among the cards dealt, for each of them."""
    crib: float = 0.0
    """Mistakes the owner of the crib: gives fives and pairs to the other's, and keeps them from its own."""
    five: float = 0.0
    """Leads a five."""
    points: float = 0.0
    """Overlooks a card that would peg, such as a pair or thirty-one, for each of them."""
    reply: float = 0.0
    """Ignores the next player's reply, and plays the highest of the cards that peg equally."""


@dataclass(frozen=True, slots=True)
class Fallible:
    """Maximizes hand, crib, and points in the play less the next player's reply, except for its mistakes."""

    rates: MistakeRates
    seed: int

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the best discard by hand and crib, without the combinations overlooked."""
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
        """Return the card that pegs most, less the expected reply; of equals, the highest."""
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
    """Estimate the points that *discard*, two cards or one, adds to a crib above an average discard.

    The estimate is fitted to the shipped table for two players, and explains four fifths of its variance.
    """
    gain = _FIVE * sum(card.rank is Rank.FIVE for card in discard)
    gain += sum(points for _, points in combinations_of(discard))
    return gain + _NEXT * (len(discard) == 2 and abs(discard[0].rank - discard[1].rank) == 1)


def reply(sight: SeatSight, card: Card) -> float:
    """Return the average points of the next player on *card*, if all unseen cards are equally likely."""
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
