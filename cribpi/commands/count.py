"""`cribpi count`: print the points that each card of a count pegs."""

from __future__ import annotations

from argparse import Namespace

from cribpi.commands.streams import show
from cribpi.cribbage.game.cards import Card, check_possible
from cribpi.cribbage.game.play import LIMIT, count_of, score_play
from cribpi.cribbage.game.show import Score, total
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.words.call import call_play
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.worth import score_json


def run(options: Namespace) -> None:
    plays = count(options.cards)
    lines = (f"{card!s:>3}  {reached:>2}  {call_play(scores, reached)}" for card, reached, scores in plays)
    data = [
        {
            "card": str(card),
            "count": reached,
            "points": total(scores),
            "scores": list(map(score_json, scores)),
        }
        for card, reached, scores in plays
    ]
    show(lines, {"plays": data}, is_json=options.json)


def count(text: str) -> list[tuple[Card, int, tuple[Score, ...]]]:
    """Return each card of *text* with the count it reaches and its scores. Go and last card are not scored.

    Raises:
        UserError: If *text* has anything but cards, or the count exceeds 31.
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
        plays.append((pile[-1], reached, score_play(pile)))
    return plays
