"""Random deals up to the first lead, for tests of the play."""

from __future__ import annotations

from random import Random

from cribpi.cribbage.game.cards import Card, Rank, Suit
from cribpi.cribbage.game.events import Discarded, Entry, Event, GameStarted, HandDealt, StarterTurned
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.rules.rules import Rules

PACK = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
NAMES = ("ORANGE", "BLUE", "WHITE", "GREEN")


def at_the_lead(rules: Rules, chance: Random) -> State:
    """Return a new game in which the lead of the first deal is next.

    No starter is a jack, so no points are pegged.
    """
    players = rules.players
    size, away = rules.sizes.dealt, rules.sizes.discarded
    starter = chance.choice([card for card in PACK if card.rank is not Rank.JACK])
    pack = [card for card in PACK if card != starter]
    chance.shuffle(pack)
    hands = [tuple(pack[seat * size : seat * size + size]) for seat in range(players)]
    done: list[Event] = [
        GameStarted(NAMES[:players], rules, Entry.CARDS, dealer=chance.randrange(players)),
        *(HandDealt(seat, hand) for seat, hand in enumerate(hands)),
        *(Discarded(seat, tuple(chance.sample(hand, away))) for seat, hand in enumerate(hands)),
        StarterTurned(starter),
    ]
    return fold(done)
