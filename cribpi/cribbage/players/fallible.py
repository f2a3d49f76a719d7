"""The levels below `expert`: one player that errs as people do, less often from level to level.

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
    draws,
    has_own_crib,
    keepings,
    scores_now,
)
from cribpi.cribbage.rules import seats

_FIVE: Final = 1.5
_NEXT: Final = 1.0
_IN_A_RANK: Final = 4


@dataclass(frozen=True, slots=True)
class Slips:
    """How often each mistake is made, 0 to 1."""

    hand: float = 0.0
    """Overlooks a fifteen, a pair or a run among the cards dealt; each of them so often."""
    crib: float = 0.0
    """Forgets whose crib it is: fives and pairs go to the other's, and are held back from its own."""
    five: float = 0.0
    """Leads a five."""
    points: float = 0.0
    """Overlooks a card that would peg, as a fifteen, a pair, a run or thirty-one; each so often."""
    reply: float = 0.0
    """Does not ask what the next player could peg, and plays the highest card of those that peg as much."""


@dataclass(frozen=True, slots=True)
class Fallible:
    """Knows what its hand, a discard and the next player's reply are worth, but for its *slips*."""

    slips: Slips
    seed: int

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the best discard by hand and crib, less what is overlooked."""
        chance = draws(self.seed, sight, "discard")
        is_own = has_own_crib(sight) != (chance.random() < self.slips.crib)
        missed = [seen for seen in combinations_of(sight.hand) if chance.random() < self.slips.hand]

        def seeming(one: Keeping) -> float:
            unseen = sum(points for cards, points in missed if cards.issubset(one.kept))
            crib = crib_gain(one.away)
            return one.points / one.starters - unseen + (crib if is_own else -crib)

        return max(keepings(sight), key=seeming).away

    def play(self, sight: SeatSight) -> Card:
        """Return the card that pegs most, less the reply to fear; of equals, the highest."""
        chance, slips = draws(self.seed, sight, "play"), self.slips
        leads_five, ignores_reply = chance.random() < slips.five, chance.random() < slips.reply
        fives = [card for card in sight.playable if card.rank is Rank.FIVE]
        if fives and leads_five and not sight.pile:
            return fives[0]

        def worth(card: Card) -> tuple[float, Rank]:
            feared = 0.0 if ignores_reply else reply(sight, card)
            return total(scores_now(sight, card)) - feared, card.rank

        seen = [
            card for card in sight.playable if not scores_now(sight, card) or chance.random() >= slips.points
        ]
        return max(seen or sight.playable, key=worth)


def crib_gain(away: Sequence[Card]) -> float:
    """Return roughly how many points *away*, two cards or one, bring a crib above an average discard.

    Fitted to the shipped table for two players, of whose variance it explains four fifths.
    """
    gain = _FIVE * sum(card.rank is Rank.FIVE for card in away)
    gain += sum(points for _, points in combinations_of(away))
    return gain + _NEXT * (len(away) == 2 and abs(away[0].rank - away[1].rank) == 1)


def reply(sight: SeatSight, card: Card) -> float:
    """Return what the next player pegs on *card* on average, if each unseen card is as likely to be held."""
    after = seats.left_of(sight.seat, sight.players)
    held, pile = sight.cards_left(after), (*sight.pile, card)
    room = LIMIT - sight.count - card.rank.pips
    if after in sight.out or not held:
        return 0.0
    seen = Counter(one.rank for one in sight.seen)
    unseen = {rank: _IN_A_RANK - seen[rank] for rank in Rank if seen[rank] < _IN_A_RANK}
    worth = sum(
        many * total(score_play((*pile, Card(rank)))) for rank, many in unseen.items() if rank.pips <= room
    )
    return held * worth / sum(unseen.values())


BEGINNER: Final = partial(Fallible, Slips(hand=0.8, crib=0.5, five=0.5, points=0.55, reply=1.0))
EASY: Final = partial(Fallible, Slips(hand=0.55, crib=0.4, five=0.3, points=0.4, reply=0.9))
MEDIUM: Final = partial(Fallible, Slips(hand=0.3, crib=0.25, five=0.2, points=0.25, reply=0.65))
STRONG: Final = partial(Fallible, Slips(hand=0.1, crib=0.1, points=0.05, reply=0.2))
