"""The play: scores for the card just played.

Fifteen scores 2, thirty-one 2, a pair 2, a pair royal 6, and a double pair royal 12. A run of three or more
scores one per card. Its cards may be in any order, but no other card may be between them (board-set, "Scoring
during the play"). There is no flush in the play.

The 1 for go or for the last card depends on the other hands: see `steps.play`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from cribpi.cribbage.game.cards import PIPS, Card
from cribpi.cribbage.game.show import PAIRS, Kind, Score

LIMIT: Final = 31

_COUNTS: Final = ((Kind.FIFTEEN, 15), (Kind.THIRTY_ONE, LIMIT))

# A run of seven that makes thirty-one scores 9. Higher amounts need a double pair royal, 12, with fifteen or
# thirty-one, and go or last card: with 10 10 2 2 against 10 7 2 2, the fourth 2 on the 7 scores 15.
CARD_POINTS: Final = (*range(1, 10), *range(12, 16))
"""Amounts that one card can peg, ascending. `steps.points.card_points` limits them to a game's rules."""


def count_of(pile: Sequence[Card]) -> int:
    """Return the count: the total pips of *pile*."""
    return sum(PIPS[card.rank] for card in pile)


def score_play(pile: Sequence[Card]) -> tuple[Score, ...]:
    """Score the last card of *pile*, which has the cards of one count in the order played.

    >>> [str(score.kind) for score in score_play([*map(Card.parse, "4235")])]
    ['run']
    >>> score_play([*map(Card.parse, "42343")])
    ()
    """
    count = count_of(pile)
    scores = [Score(kind, 2, tuple(pile)) for kind, at in _COUNTS if at == count]
    same = 1
    while same < len(pile) and pile[-1 - same].rank == pile[-1].rank:
        same += 1
    if same > 1:
        return (*scores, Score(*PAIRS[same], tuple(pile[-same:])))
    for length in range(len(pile), 2, -1):
        ranks = sorted(card.rank for card in pile[-length:])
        if all(high == low + 1 for low, high in pairwise(ranks)):
            return (*scores, Score(Kind.RUN, length, tuple(pile[-length:])))
    return tuple(scores)
