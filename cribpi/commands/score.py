"""`cribpi score`: one hand or crib, or one a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cribpi.commands.errors import CommandError
from cribpi.core.cards import Card, check_possible, parse_cards
from cribpi.core.errors import BadCard, RuleError
from cribpi.core.rules import Rules
from cribpi.core.scores import Score, total
from cribpi.core.show import crib_claims, crib_points, hand_claims, hand_points, score_crib, score_hand
from cribpi.core.shown import shown


def score(hand: str, starter: str, rules: Rules, *, is_crib: bool) -> tuple[tuple[Score, ...], bool]:
    """Return the scores of *hand* with *starter* by *rules*, and whether its unknown suits could add to them.

    Raises:
        CommandError: If they are no four cards and a starter.
    """
    try:
        cards, turned = read(hand, starter)
    except (BadCard, RuleError) as bad:
        raise CommandError(str(bad)) from None
    is_strict = is_crib and rules.crib_flush == "five"
    claims = (crib_claims if is_strict else hand_claims)(cards, turned)
    return (score_crib if is_strict else score_hand)(cards, turned), len(claims) > 1


def score_lines(lines: Iterable[str], rules: Rules) -> Iterator[int]:
    """Give the points of each line by *rules*, `7H 8C 8D KS | 9S`, with ` crib` at its end for a crib.

    Raises:
        CommandError: At the first line that is none, with its number.
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
        is_strict = body.endswith(" crib") and rules.crib_flush == "five"
        yield crib_points(cards, starter) if is_strict else hand_points(cards, starter)


def read(hand: str, starter: str) -> tuple[tuple[Card, ...], Card]:
    """Read four cards and a starter.

    Raises:
        BadCard: If a word is no card, or there are more or fewer.
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
    """Return *scores* in the shape of the contract, each with the rule of *rules* that it rests on."""
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
