"""A second scorer and a second referee, written from the rule sheets alone and as plainly as can be.

They share no code with the engine and no method: subsets by counting in binary, pairs by looking at
every two cards, runs by how far their ends are apart, and a play that knows all hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cribpi.core.cards import Card


def pips(card: Card) -> int:
    return 10 if card.rank > 10 else int(card.rank)


def is_run(cards: Sequence[Card]) -> bool:
    """Tell whether *cards* are all of different ranks, and none is missing between the ends."""
    ranks = {int(card.rank) for card in cards}
    return len(ranks) == len(cards) and max(ranks) - min(ranks) == len(cards) - 1


def subsets(cards: Sequence[Card]) -> list[list[Card]]:
    """Return every choice of some of *cards*."""
    return [
        [card for place, card in enumerate(cards) if mask >> place & 1] for mask in range(1, 1 << len(cards))
    ]


def show(hand: Sequence[Card], starter: Card, *, is_crib: bool = False) -> int:
    """Return the points of a hand or crib with the starter."""
    five = [*hand, starter]
    points = 2 * sum(sum(map(pips, some)) == 15 for some in subsets(five))
    points += 2 * sum(five[i].rank == five[j].rank for i in range(5) for j in range(i))
    for length in (5, 4, 3):
        runs = sum(is_run(some) for some in subsets(five) if len(some) == length)
        if runs:
            points += length * runs
            break
    suits = [card.suit for card in hand]
    if suits[0] is not None and suits.count(suits[0]) == 4:
        if starter.suit == suits[0]:
            points += 5
        elif not is_crib:
            points += 4
    if starter.suit is not None:
        points += sum(card.rank == 11 and card.suit == starter.suit for card in hand)
    return points


def last_of_pile(pile: Sequence[Card]) -> int:
    """Return what the last card of *pile* pegs, without go or last card."""
    count = sum(map(pips, pile))
    points = 2 * (count == 15) + 2 * (count == 31)
    for tail in (4, 3, 2):
        if len(pile) >= tail and len({card.rank for card in pile[-tail:]}) == 1:
            return points + tail * (tail - 1)
    for tail in range(min(len(pile), 7), 2, -1):
        if is_run(pile[-tail:]):
            return points + tail
    return points


@dataclass(frozen=True)
class Act:
    """A card or a go (no card) of *seat*, and the points that *seats* peg with it."""

    seat: int
    card: Card | None
    points: dict[int, int]


def play(hands: Sequence[Sequence[Card]], leader: int, choose: Callable[[list[Card]], Card]) -> Iterator[Act]:
    """Play all *hands* out: who says go, who pegs what, who leads next.

    *choose* picks one of the cards that fit.  Whoever holds no card that fits says go, once in a count.
    """
    players, left = len(hands), [list(hand) for hand in hands]
    while any(left):
        while not left[leader]:
            leader = (leader + 1) % players
        pile: list[Card] = []
        gone: set[int] = set()
        turn, last = leader, leader
        while True:
            count = sum(map(pips, pile))
            if count == 31 or all(seat in gone or not left[seat] for seat in range(players)):
                break
            if turn not in gone and left[turn]:
                fits = [card for card in left[turn] if count + pips(card) <= 31]
                if fits:
                    card = choose(fits)
                    left[turn].remove(card)
                    pile.append(card)
                    last = turn
                    points = last_of_pile(pile)
                    closes = all(seat in gone or not left[seat] for seat in range(players))
                    if closes and sum(map(pips, pile)) != 31:
                        points += 1
                    yield Act(turn, card, {turn: points})
                else:
                    gone.add(turn)
                    closes = all(seat in gone or not left[seat] for seat in range(players))
                    yield Act(turn, None, {last: 1} if closes else {})
            turn = (turn + 1) % players
        leader = (last + 1) % players
