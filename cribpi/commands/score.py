"""`cribpi score`: one hand or crib, or one per line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from cribpi.commands.errors import CommandError
from cribpi.core.cards import Card, check_possible, parse_cards
from cribpi.core.errors import BadCard, RuleError
from cribpi.core.scores import Score, total
from cribpi.core.show import crib_claims, crib_points, hand_claims, hand_points, score_crib, score_hand
from cribpi.core.shown import shown

if TYPE_CHECKING:  # the rules take a sixth of the time of a start, and one hand asks for none
    from cribpi.core.rules import Rules


def score(hand: str, starter: str, *, is_strict: bool) -> tuple[tuple[Score, ...], bool]:
    """Return the scores of *hand* with *starter*, and whether its unknown suits could add to them.

    Raises:
        CommandError: If they are not four cards and a starter.
    """
    try:
        cards, turned = read(hand, starter)
    except (BadCard, RuleError) as bad:
        raise CommandError(str(bad)) from None
    claims = (crib_claims if is_strict else hand_claims)(cards, turned)
    return (score_crib if is_strict else score_hand)(cards, turned), len(claims) > 1


def score_lines(lines: Iterable[str], is_strict_crib: Callable[[], bool]) -> Iterator[int]:
    """Yield the points of each line, `7H 8C 8D KS | 9S`, with ` crib` at the end for a crib.

    Raises:
        CommandError: At the first invalid line, with its number.
    """
    for number, line in enumerate(lines, start=1):
        body = line.strip()
        hand, bar, rest = body.removesuffix(" crib").partition("|")
        if not bar:
            raise CommandError(f"line {number}: {shown(body)} is not a hand: write it as 7H 8C 8D KS | 9S")
        try:
            cards, starter = read(hand, rest)
        except (BadCard, RuleError) as bad:
            raise CommandError(f"line {number}: {bad}") from None
        is_strict = body.endswith(" crib") and is_strict_crib()
        yield crib_points(cards, starter) if is_strict else hand_points(cards, starter)


def read(hand: str, starter: str) -> tuple[tuple[Card, ...], Card]:
    """Parse four cards and a starter.

    Raises:
        BadCard: If a word is not a card, or there are more or fewer.
        RuleError: If no pack can hold them.
    """
    cards, turned = parse_cards(hand), parse_cards(starter)
    if len(cards) != 4:
        raise BadCard(
            f"{shown(hand.strip())} has {len(cards)} cards: a hand or crib has four, and the starter "
            "is separate"
        )
    if len(turned) != 1:
        raise BadCard(f"{shown(starter.strip())} has {len(turned)} cards: the starter is one card")
    check_possible((*cards, *turned))
    return cards, turned[0]


def as_json(scores: tuple[Score, ...], rules: Rules, *, is_crib: bool) -> str:
    """Return *scores* in the documented JSON format, each with the rule behind it."""
    import json  # noqa: PLC0415  a bulk run needs neither JSON nor words
    from dataclasses import asdict  # noqa: PLC0415

    from cribpi.core.why import reason_of  # noqa: PLC0415
    from cribpi.core.words import call_show  # noqa: PLC0415

    found = [
        {
            "kind": str(one.kind),
            "points": one.points,
            "cards": [str(card) for card in one.cards],
            "why": asdict(reason_of(one, rules, is_crib=is_crib)),
        }
        for one in scores
    ]
    return json.dumps({"points": total(scores), "call": call_show(scores), "scores": found})
