"""The show: scores of a hand or a crib with the starter.

Each fifteen scores 2, a pair 2, a pair royal 6, a double pair royal 12, and his nobs 1. A run of three or
more scores one per card. A flush of the whole hand scores one per card, and one more if the starter has that
suit. All sources agree on these (board-set, "The Show"; travel-set, "Counting the hand after play").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple

from cribpi.cribbage.game.cards import PIPS, Card, Rank, Suit


class Kind(StrEnum):
    FIFTEEN = "fifteen"
    PAIR = "pair"
    PAIR_ROYAL = "pair-royal"
    DOUBLE_PAIR_ROYAL = "double-pair-royal"
    RUN = "run"
    FLUSH = "flush"
    NOBS = "nobs"
    THIRTY_ONE = "thirty-one"
    GO = "go"
    LAST = "last"
    HEELS = "heels"
    THREE_FOR_LAST = "three-for-last"


PAIRS = {2: (Kind.PAIR, 2), 3: (Kind.PAIR_ROYAL, 6), 4: (Kind.DOUBLE_PAIR_ROYAL, 12)}
"""Kind and points of two, three and four cards of the same rank."""


class Score(NamedTuple):
    """One score: its kind, its points (at least 1), and its cards."""

    kind: Kind
    points: int
    cards: tuple[Card, ...]


def total(scores: Iterable[Score]) -> int:
    return sum(score.points for score in scores)


IMPOSSIBLE_SHOWS: Final = frozenset({19, 25, 26, 27})

HIGHEST_SHOW: Final = 29

NO_SUCH_SHOW: Final = "no hand or crib counts {points}: counts go from 0 to 29, but never 19, 25, 26 or 27"

_SUBSETS: Final = {
    number: tuple(
        (subset, sum(1 << place for place in subset))
        for size in range(2, number + 1)
        for subset in combinations(range(number), size)
    )
    for number in (4, 5)
}
"""Subsets of two or more out of 4 or 5 indices, smaller ones first, each with its bit mask."""


@dataclass(frozen=True, slots=True)
class SuitClaim:
    """The points at a show that depend on suits.

    *flush* is the points of the flush: 0, or 3 to 5. *nobs* is whether his nobs scores 1.
    """

    flush: int = 0
    nobs: bool = False

    @property
    def points(self) -> int:
        """The points of the flush and of his nobs together, 0 to 6."""
        return self.flush + self.nobs


def score_hand(hand: Sequence[Card], starter: Card) -> tuple[Score, ...]:
    """Score a *hand* of three or four cards with the *starter*. Unknown suits never match.

    >>> hand = tuple(map(Card.parse, ["7C", "8D", "8H", "KS"]))
    >>> [(str(s.kind), s.points) for s in score_hand(hand, Card.parse("9C"))]
    [('fifteen', 2), ('fifteen', 2), ('pair', 2), ('run', 3), ('run', 3)]
    """
    return score_claimed(hand, starter, known_claim(hand, starter))


def score_crib(crib: Sequence[Card], starter: Card) -> tuple[Score, ...]:
    """Score a *crib* of four cards with the *starter*. Only a five-card flush counts.

    "A flush in the crib only scores if all four crib cards and the start card are of the same suit"
    (board-set).
    """
    return score_claimed(crib, starter, known_claim(crib, starter, is_strict=True))


def score_claimed(cards: Sequence[Card], starter: Card, claim: SuitClaim) -> tuple[Score, ...]:
    """Score *cards* with the *starter*. *claim* has the points that depend on suits."""
    scores = list(score_ranks(cards, starter))
    if claim.flush:
        scores.append(Score(Kind.FLUSH, claim.flush, (*cards, starter)[: claim.flush]))
    if claim.nobs:
        jacks = [card for card in cards if card.rank is Rank.JACK]
        jack = next((card for card in jacks if card.suit is starter.suit), jacks[0])
        scores.append(Score(Kind.NOBS, 1, (jack,)))
    return tuple(scores)


def score_ranks(cards: Sequence[Card], starter: Card) -> tuple[Score, ...]:
    """Score fifteens, pairs and runs, which do not depend on suits."""
    every = (*cards, starter)
    sums = [0]  # sums[mask] is the pips of the subset with that bit mask: each card doubles the list
    for card in every:
        pips = PIPS[card.rank]
        sums += [pips + others for others in sums]
    scores = [
        Score(Kind.FIFTEEN, 2, tuple([every[place] for place in subset]))
        for subset, mask in _SUBSETS[len(every)]
        if sums[mask] == 15
    ]
    by_rank: dict[Rank, list[Card]] = {}
    for card in every:
        by_rank.setdefault(card.rank, []).append(card)
    ranks = sorted(by_rank)
    alike = [tuple(by_rank[rank]) for rank in ranks]
    scores += [Score(*PAIRS[len(same)], same) for same in alike if len(same) > 1]
    run = _longest_run(ranks)
    if run:
        scores += [Score(Kind.RUN, len(run), cards) for cards in product(*(by_rank[rank] for rank in run))]
    return tuple(scores)


def _longest_run(ranks: Sequence[Rank]) -> list[Rank]:
    """Return the run of three or more in sorted *ranks*, or []. Five cards have at most one."""
    run: list[Rank] = []
    for rank in ranks:
        if run and rank != run[-1] + 1:
            if len(run) >= 3:
                break
            run = []
        run.append(rank)
    return run if len(run) >= 3 else []


_CLAIMS: Final = {(flush, nobs): SuitClaim(flush, nobs) for flush in (0, 3, 4, 5) for nobs in (False, True)}


def known_claim(cards: Sequence[Card], starter: Card, *, is_strict: bool = False) -> SuitClaim:
    """Return the points of the known suits.

    *is_strict* is for a crib, where a flush needs the starter too.
    """
    suit = cards[0].suit
    flush, nobs = 0, False
    # Plain loops: this runs for every show, and any() with a generator takes twice as long.
    for card in cards:
        if card.suit is None or card.suit is not suit:
            break
    else:
        if starter.suit is suit:
            flush = len(cards) + 1
        elif not is_strict:
            flush = len(cards)
    if starter.suit is not None:
        for card in cards:
            if card.rank == 11 and card.suit is starter.suit:
                nobs = True
    return _CLAIMS[flush, nobs]


@lru_cache(maxsize=2048)
def possible_claims(
    cards: tuple[Card, ...], starter: Card, *, is_strict: bool = False
) -> tuple[SuitClaim, ...]:
    """Return all possible claims, given the unknown suits, fewest points first.

    If all suits are known, there is one.

    Trying all assignments of the unknown suits would take a thousand times as long.

    >>> hand = tuple(map(Card.parse, ["2", "4", "8", "J"]))
    >>> [claim.points for claim in possible_claims(hand, Card.parse("6"))]
    [0, 1, 4, 6]

    Args:
        cards: The cards of a hand or a crib.
        starter: The starter.
        is_strict: Whether a flush needs the starter, as in a crib.
    """
    plain = 0 if is_strict else len(cards)
    claims = set()
    is_paired = len({card.rank for card in cards}) < len(cards)
    jacks = [place for place, card in enumerate(cards) if card.rank is Rank.JACK]
    seen = {card.suit for card in cards if card.suit}
    unseen = [suit for suit in Suit if suit not in seen][:1]  # all suits not seen are interchangeable
    for starter_suit in (starter.suit,) if starter.suit else (*seen, *unseen):
        if any(card.rank is starter.rank and card.suit is starter_suit for card in cards):
            continue  # the hand has that card, so it can't be the starter
        can = [_suits_of(card, starter.rank, starter_suit) for card in cards]
        if not is_paired:
            for suit in set.intersection(*map(set, can)):
                is_starters = suit is starter_suit
                claims.add(_CLAIMS[len(cards) + 1 if is_starters else plain, is_starters and bool(jacks)])
        for nobs in (False, True):
            if _may_differ(can, jacks, starter_suit, nobs=nobs):
                claims.add(_CLAIMS[0, nobs])
    return tuple(sorted(claims, key=lambda claim: claim.points))


_SUITS: Final = frozenset(Suit)


def _suits_of(card: Card, starter_rank: Rank, starter_suit: Suit) -> AbstractSet[Suit]:
    """Return the suits that *card* can have, given the starter."""
    if card.suit:
        return {card.suit}
    return _SUITS - {starter_suit} if card.rank is starter_rank else _SUITS


def _may_differ(
    can: Sequence[AbstractSet[Suit]], jacks: Sequence[int], starter_suit: Suit, *, nobs: bool
) -> bool:
    """Return whether suits can be assigned without a flush, and with or without nobs as *nobs* says.

    *can* has the possible suits of each card, and *jacks* the indices of the jacks.
    """
    if nobs and not any(starter_suit in can[place] for place in jacks):
        return False
    if not nobs and (len(jacks) == len(Suit) or any(can[place] == {starter_suit} for place in jacks)):
        return False  # One of four jacks has the starter's suit.
    if len(jacks) > 1:
        return True  # two cards of the same rank have different suits
    of_jack = {starter_suit} if nobs else _SUITS - {starter_suit}
    return len(set().union(*(suits & of_jack if at in jacks else suits for at, suits in enumerate(can)))) > 1
