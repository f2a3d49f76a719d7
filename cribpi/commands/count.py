"""`cribpi count`: what each card of one count pegs."""

from __future__ import annotations

import json
from dataclasses import dataclass

from cribpi.commands.errors import CommandError
from cribpi.core.cards import Card, check_possible, parse_cards
from cribpi.core.errors import BadCard, RuleError
from cribpi.core.play import LIMIT, count_of, score_play
from cribpi.core.scores import Score, total


@dataclass(frozen=True, slots=True)
class Play:
    """A card, the count it made, and what it pegged."""

    card: Card
    count: int
    scores: tuple[Score, ...]


def count(text: str) -> tuple[Play, ...]:
    """Return what each card of *text* pegs, thirty-one included, but not go and last card.

    Raises:
        CommandError: If they are not cards, or pass thirty-one.
    """
    try:
        cards = parse_cards(text)
        check_possible(cards)
    except (BadCard, RuleError) as bad:
        raise CommandError(str(bad)) from None
    if not cards:
        raise CommandError('no cards: write them in the order played, as cribpi count "4 2 3 5 6"')
    plays = []
    for number in range(1, len(cards) + 1):
        pile = cards[:number]
        reached = count_of(pile)
        if reached > LIMIT:
            raise CommandError(
                f"card {number}, {pile[-1]}, takes the count to {reached}, over {LIMIT}: stop before it, or "
                "begin a new count with it"
            )
        plays.append(Play(pile[-1], reached, score_play(pile)))
    return tuple(plays)


def as_json(plays: tuple[Play, ...]) -> str:
    """Return *plays* in the documented JSON format."""
    found = [
        {
            "card": str(play.card),
            "count": play.count,
            "points": total(play.scores),
            "scores": [
                {"kind": str(one.kind), "points": one.points, "cards": [str(card) for card in one.cards]}
                for one in play.scores
            ],
        }
        for play in plays
    ]
    return json.dumps({"plays": found})
