"""All possible discards from a hand, called ways, with the points of the cards kept and of the crib."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.crib import crib_points
from cribpi.cribbage.analysis.discard.habits import Others, crib_worth, discard_table
from cribpi.cribbage.analysis.pack import Floats, numbered
from cribpi.cribbage.analysis.shows import all_starters
from cribpi.cribbage.game.cards import PACK, Card, Rank
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import STANDARD, Rules
from cribpi.cribbage.rules.shown import amount

COUNTS: Final[Floats] = np.arange(30.0)


@dataclass(frozen=True, eq=False)
class Way:
    """One possible discard, with the expected points of hand and crib.  His heels are not included."""

    kept: tuple[Card, ...]
    """The four cards kept, in the order of the hand."""
    away: tuple[Card, ...]
    """The discard: two cards of six, or one of five."""
    hand: float
    crib: float
    hand_points: Floats
    """The probability of each count of the hand, 0 to 29: (30,)."""
    crib_points: Floats
    """The probability of each count of the crib: (30,)."""
    crib_worth: float
    """The worth of a point in the crib, negative if it is another side's: see `habits.crib_worth`."""

    @property
    def worth(self) -> float:
        """Hand plus the player's own crib, or minus another's (with three players minus half of it)."""
        return self.hand + self.crib_worth * self.crib


def ways(
    hand: Sequence[Card], *, own_crib: bool, rules: Rules = STANDARD, others: Others | None = None
) -> tuple[Way, ...]:
    """Return all possible discards from *hand*, 15 of six cards or 5 of five, best first by hand and crib.

    The points of the hand are exact: every unseen card is an equally likely starter.  For the crib, the
    *others* discard from all hands that the unseen cards can make; by default they have the habits of the
    shipped table.  *own_crib* is true if the crib belongs to this player's side.  Of *rules*, the number of
    players and the crib flush matter.  Equally good ways keep the order of the cards.

    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> best = ways(parse_cards("5H 6C 7D JS QS KH"), own_crib=True)[0]
    >>> " ".join(map(str, best.kept)), " ".join(map(str, best.away))
    ('5H JS QS KH', '6C 7D')

    Raises:
        TablesError: If the shipped table is needed and cannot be used.
        ValueError: If *hand* has the wrong number of cards, one twice, or one without a suit.
    """
    dealt = _numbers(hand, rules.players)
    if others is None:
        others = discard_table(rules.players).others
    size = len(dealt)
    discards = list(combinations(range(size), size - seats.HAND))
    stay = [[place for place in range(size) if place not in discard] for discard in discards]
    hands = _hand_points(dealt, dealt[np.array(stay)])
    cribs = crib_points(dealt, np.array(discards, dtype=np.intp), others, rules, own_crib=own_crib)
    options = [
        Way(
            kept=tuple(hand[place] for place in stay[way]),
            away=tuple(hand[place] for place in discard),
            hand=float(hands[way] @ COUNTS),
            crib=float(cribs[way] @ COUNTS),
            hand_points=hands[way],
            crib_points=cribs[way],
            crib_worth=crib_worth(rules.players, own_crib=own_crib),
        )
        for way, discard in enumerate(discards)
    ]
    return tuple(sorted(options, key=lambda way: -round(way.worth, 9)))


def heels_chance(cards: Sequence[Card]) -> float:
    """Return the chance that the starter is a jack, for a player who has seen only *cards*.

    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> round(heels_chance(parse_cards("5H 6C 7D JS QS KH")), 4)
    0.0652
    """
    jacks = 4 - sum(card.rank is Rank.JACK for card in cards)
    return jacks / (len(PACK) - len(cards))


def _hand_points(dealt: NDArray[np.uint8], hands: NDArray[np.uint8]) -> Floats:
    """Return the probability of each count of each of *hands*: (ways, 30).  No starter is one of *dealt*."""
    points = np.delete(all_starters(hands), dealt, axis=1)
    row = np.arange(len(points))[:, None] * 30
    counts = np.bincount((points + row).reshape(-1), minlength=len(points) * 30)
    return np.asarray(counts.reshape(-1, 30) / points.shape[1])


def _numbers(hand: Sequence[Card], players: int) -> NDArray[np.uint8]:
    needed = seats.usual(players).dealt
    if len(hand) != needed:
        raise ValueError(f"{amount(len(hand), 'card')}: with {players} players each is dealt {needed}")
    try:
        dealt = numbered(hand)
    except KeyError:
        raise ValueError("a card without a suit: give each card with its suit, such as 5H") from None
    if len(set(dealt.tolist())) < needed:
        raise ValueError("a card twice: a pack has it once")
    return dealt
