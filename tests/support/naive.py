"""A second scorer and a second referee, written only from the rule sheets and as simply as possible.

They share no code and no method with the engine. Subsets are found by binary counting, pairs by comparing
every two cards, and runs by the distance of their ends. The play knows all hands. `Rules` are only data here:
the meaning of each option is implemented again from the sheets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.rules.rules import STANDARD, Rules


def pips(card: Card) -> int:
    return 10 if card.rank > 10 else int(card.rank)


def is_run(cards: Sequence[Card]) -> bool:
    """Return whether *cards* all have different ranks without a gap."""
    ranks = {int(card.rank) for card in cards}
    return len(ranks) == len(cards) and max(ranks) - min(ranks) == len(cards) - 1


def subsets(cards: Sequence[Card]) -> list[list[Card]]:
    """Return every non-empty subset of *cards*."""
    return [
        [card for place, card in enumerate(cards) if mask >> place & 1] for mask in range(1, 1 << len(cards))
    ]


def show(hand: Sequence[Card], starter: Card, *, is_crib: bool = False, four_will_do: bool = False) -> int:
    """Return the points of a hand or crib with the starter.

    *four_will_do* allows a four-card flush in a crib.
    """
    return sum(points for _, points in explain(hand, starter, is_crib=is_crib, four_will_do=four_will_do))


def explain(
    hand: Sequence[Card], starter: Card, *, is_crib: bool = False, four_will_do: bool = False
) -> list[tuple[str, int]]:
    """Return the parts of a count of a hand or crib with the starter, each with its points."""
    both = [*hand, starter]
    fifteens = sum(sum(map(pips, some)) == 15 for some in subsets(both))
    pairs = sum(both[i].rank == both[j].rank for i in range(len(both)) for j in range(i))
    found = [("fifteens", 2 * fifteens), ("pairs", 2 * pairs)]
    for length in (5, 4, 3):
        runs = sum(is_run(some) for some in subsets(both) if len(some) == length)
        if runs:
            found.append((f"runs of {length}" if runs > 1 else f"run of {length}", length * runs))
            break
    suits = [card.suit for card in hand]
    if suits[0] is not None and suits.count(suits[0]) == len(hand):
        if starter.suit == suits[0]:
            found.append(("flush", len(hand) + 1))
        elif not is_crib or four_will_do:
            found.append(("flush", len(hand)))
    if starter.suit is not None:
        found.append(("his nobs", sum(card.rank == 11 and card.suit == starter.suit for card in hand)))
    return [(what, points) for what, points in found if points]


def last_of_pile(pile: Sequence[Card], *, is_over_own: bool = False) -> int:
    """Return the points of the last card of *pile*, without go or last card.

    *is_over_own* means that the card before is the same player's, under rules where a pair is made "with the
    opponent's preceding card" (lowe). Two cards are then no pair; three and four of a kind are "in
    succession".
    """
    count = sum(map(pips, pile))
    points = 2 * (count == 15) + 2 * (count == 31)
    for tail in (4, 3, 2):
        if len(pile) >= tail and len({card.rank for card in pile[-tail:]}) == 1:
            return points + (0 if tail == 2 and is_over_own else tail * (tail - 1))
    for tail in range(min(len(pile), 7), 2, -1):
        if is_run(pile[-tail:]):
            return points + tail
    return points


@dataclass(frozen=True)
class Act:
    """A card or a go (no card) of *seat*, with the points that seats peg for it.

    *count* is the count before, and *closes* whether the count ends after it. A *wrong* go has the cards that
    would have fitted. *for_go* is the seat that pegs for go or the last card, and those points.
    """

    seat: int
    card: Card | None
    points: dict[int, int]
    count: int = 0
    closes: bool = False
    wrong: list[Card] = field(default_factory=list)
    for_go: tuple[int, int] = (0, 0)


def play(
    hands: Sequence[Sequence[Card]],
    leader: int,
    choose: Callable[[list[Card]], Card | None],
    rules: Rules = STANDARD,
) -> Iterator[Act]:
    """Play all *hands*: who says go, who pegs, and who leads next.

    *choose* picks one of the cards that fit, or None for a wrong go. A player without a fitting card says go,
    once per count.
    """
    players, left = len(hands), [list(hand) for hand in hands]
    while any(left):
        while not left[leader]:
            leader = (leader + 1) % players
        pile: list[Card] = []
        owners: list[int] = []
        gone: list[int] = []
        in_row = 0  # number of goes since the last card
        taken: int | None = None  # seat that pegged the go at the call, if the rules award it then
        turn = leader
        while True:
            count = sum(map(pips, pile))
            is_two = rules.after_go == "two-close" and in_row == 2
            if count == 31 or is_two or all(seat in gone or not left[seat] for seat in range(players)):
                break
            if turn in gone or not left[turn]:
                turn = (turn + 1) % players
                continue
            fits = [card for card in left[turn] if count + pips(card) <= 31]
            card = choose(fits) if fits else None
            if card is not None:
                left[turn].remove(card)
                pile.append(card)
                owners.append(turn)
                in_row = 0
                is_over_own = rules.self_combinations == "over-another" and owners[-2:] == [turn, turn]
                points = last_of_pile(pile, is_over_own=is_over_own)
                if count + pips(card) == 31 and taken == turn:
                    points -= 1  # one point was for the go, so thirty-one scores only one more
            else:
                gone.append(turn)
                points = 0
                in_row += 1
            closes = all(seat in gone or not left[seat] for seat in range(players))
            closes |= rules.after_go == "two-close" and in_row == 2
            pegged = {turn: points} if card is not None else {}
            for_close = (1 if any(left) else rules.last_card) if closes else 0
            if rules.go_award == "call":
                if card is None and len(gone) == 1:
                    taken, for_close = owners[-1], 1
                elif taken is not None:
                    for_close = 0
            if sum(map(pips, pile)) == 31 and card is not None:
                for_close = 0
            if for_close:
                pegged[owners[-1]] = pegged.get(owners[-1], 0) + for_close
            is_closed = closes or sum(map(pips, pile)) == 31
            wrong = [] if card is not None else fits
            yield Act(turn, card, pegged, count, is_closed, wrong, (owners[-1], for_close))
            turn = (turn + 1) % players
        if rules.play_rounds == "one":
            return
        by_first_go = rules.lead_after_close == "first-go" and bool(gone)
        leader = gone[0] if by_first_go else (owners[-1] + 1) % players
