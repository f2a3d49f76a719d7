"""A hand that is counted by itself, as JSON: scores with words and rules, or the mean over the starters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import accumulate
from typing import Any

from cribpi.companion.web.json.state import cards_json
from cribpi.cribbage.game.cards import PACK, Card, check_possible, in_order
from cribpi.cribbage.game.show import Score, total
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.seats import HAND
from cribpi.cribbage.words.call import call_show, steps
from cribpi.cribbage.words.why import reason_of
from cribpi.cribbage.words.worth import points_of, worth_of


def count_json(
    cards: tuple[Card, ...], starter: Card | None, rules: Rules, *, is_crib: bool
) -> dict[str, object]:
    """Return the count of four *cards* with *starter*; without one the mean over all that are left.

    Of fewer cards it is just them.

    Raises:
        RuleError: If no pack can hold the cards.
    """
    check_possible((*cards, *((starter,) if starter else ())))
    read: dict[str, object] = {
        "cards": cards_json(cards),
        "starter": str(starter) if starter else None,
        "crib": is_crib,
    }
    if len(cards) < HAND:
        return read
    is_strict = is_crib and rules.crib_flush == "five"
    if starter is None:
        found = [points_of(cards, card, is_strict=is_strict) for card in left(cards)]
        return read | {"mean": round(sum(found) / len(found), 2), "least": min(found), "most": max(found)}
    scores, may_be = worth_of(cards, starter, is_strict=is_strict)
    return read | {
        "points": total(scores),
        "call": call_show(scores),
        "may_be": may_be,
        "tally": tally(scores, rules, is_crib=is_crib),
    }


def left(cards: Sequence[Card]) -> list[Card]:
    """Return what is left of a pack without *cards*; one of unknown suit is any of its rank."""
    pack = list(PACK)
    for card in sorted(cards, key=lambda card: card.suit is None):
        pack.remove(next(filter(card.may_be, pack)))
    return pack


def tally(scores: tuple[Score, ...], rules: Rules, *, is_crib: bool) -> list[dict[str, Any]]:
    """Count aloud, a line a score, each with the total so far, and the rule that it rests on."""
    totals = accumulate(score.points for score in scores)
    lines = zip(steps(scores), scores, totals, strict=True)
    return [
        {
            "words": words,
            "cards": cards_json(in_order(score.cards)),
            "points": score.points,
            "total": so_far,
            "why": asdict(reason_of(score, rules, is_crib=is_crib)),
        }
        for words, score, so_far in lines
    ]
