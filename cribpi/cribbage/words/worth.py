"""The worth of a hand or crib: a fast total, or the possible totals with unknown suits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.show import (
    Score,
    known_claim,
    possible_claims,
    score_claimed,
    score_ranks,
    total,
)

if TYPE_CHECKING:  # `cribpi score` starts without the rules
    from cribpi.cribbage.rules.cite import Reason
    from cribpi.cribbage.words import json_types

_KEYS: Final = tuple(5**rank for rank in range(14))  # base 5 is unique, because a rank has four cards
_rank_points: Final[dict[int, int]] = {}


def hand_points(cards: Sequence[Card], starter: Card, *, is_strict: bool = False) -> int:
    """Return the total of `score_hand`, or of `score_crib` if *is_strict*, but faster."""
    key = _KEYS[starter.rank]
    for card in cards:
        key += _KEYS[card.rank]
    points = _rank_points.get(key)
    if points is None:
        points = _rank_points[key] = total(score_ranks(cards, starter))
    return points + known_claim(cards, starter, is_strict=is_strict).points


class Worth(NamedTuple):
    """The worth of a hand or crib with suits that may be unknown."""

    scores: tuple[Score, ...]
    """The scores that do not depend on the unknown suits."""
    may_be: tuple[int, ...]
    """The other possible totals, all higher, ascending."""


def worth_of(cards: tuple[Card, ...], starter: Card, *, is_strict: bool) -> Worth:
    """Count four *cards* with the *starter*; *is_strict* is for a crib in which only a flush of five counts.

    With three fives of other suits the starter must be the 5 of clubs, and the jack his nobs:

    >>> fives = tuple(map(Card.parse, ["5H", "5S", "5D", "JC"]))
    >>> scores, may_be = worth_of(fives, Card.parse("5"), is_strict=False)
    >>> total(scores), may_be
    (29, ())
    >>> worth_of(tuple(map(Card.parse, ["2H", "4H", "8H", "KH"])), Card.parse("6"), is_strict=False).may_be
    (5,)
    """
    least, *others = possible_claims(cards, starter, is_strict=is_strict)
    scores = score_claimed(cards, starter, least)
    return Worth(scores, tuple(total(scores) - least.points + claim.points for claim in others))


def points_of(cards: tuple[Card, ...], starter: Card, *, is_strict: bool) -> int:
    """Return the total of the scores of `worth_of`, faster if all suits are known."""
    if starter.suit and all(card.suit for card in cards):
        return hand_points(cards, starter, is_strict=is_strict)
    return total(worth_of(cards, starter, is_strict=is_strict).scores)


def score_json(score: Score) -> json_types.PlainScore:
    """Return *score* in the documented JSON."""
    return {"kind": score.kind, "points": score.points, "cards": [str(card) for card in score.cards]}


def explained_json(score: Score, why: Reason) -> json_types.Score:
    """Return *score* in the documented JSON, with the rule behind it."""
    return {**score_json(score), "why": why.as_json()}
