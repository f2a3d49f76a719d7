"""`cribpi count`: what each card of one count pegs."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass

from cribpi.commands.streams import show
from cribpi.cribbage.game.cards import Card, check_possible
from cribpi.cribbage.game.play import LIMIT, count_of, score_play
from cribpi.cribbage.game.show import Score, total
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.words.call import call_play
from cribpi.cribbage.words.cards import parse_cards


@dataclass(frozen=True, slots=True)
class Play:
    """A card, the count it made, and what it pegged."""

    card: Card
    count: int
    scores: tuple[Score, ...]


def run(options: Namespace) -> int:
    """Print what each card pegs."""
    plays = count(options.cards)
    lines = (f"{play.card!s:>3}  {play.count:>2}  {call_play(play.scores, play.count)}" for play in plays)
    data = {
        "plays": [
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
    }
    show(lines, data, is_json=options.json)
    return 0


def count(text: str) -> tuple[Play, ...]:
    """Return what each card of *text* pegs, thirty-one included, but not go and last card.

    Raises:
        UserError: If they are not cards, or pass thirty-one.
    """
    cards = parse_cards(text)
    check_possible(cards)
    if not cards:
        raise UserError('no cards: write them in the order played, such as cribpi count "4 2 3 5 6"')
    plays = []
    for number in range(1, len(cards) + 1):
        pile = cards[:number]
        reached = count_of(pile)
        if reached > LIMIT:
            raise UserError(
                f"card {number}, {pile[-1]}, takes the count to {reached}, over {LIMIT}: stop before it, or "
                "begin a new count with it"
            )
        plays.append(Play(pile[-1], reached, score_play(pile)))
    return tuple(plays)
