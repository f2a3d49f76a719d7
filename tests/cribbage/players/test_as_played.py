"""Who played which card is found by the rules alone."""

from __future__ import annotations

from random import Random

import pytest

from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import CardPlayed, GameStarted, GoSaid, StarterTurned
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.play_inference import Cards, sight_of_cards
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import STANDARD, preset
from cribpi.cribbage.words.cards import parse_cards


def seen(
    hand: str, pile: str, before: str = "", players: int = 2, dealers: tuple[int, ...] = ()
) -> SeatSight:
    cards = Cards(parse_cards(hand), parse_cards(pile), parse_cards(before))
    sides = (0, 0, 0) if players == 3 else (0, 0)
    return sight_of_cards(cards, preset("standard", players), dealers or tuple(range(players)), sides)


def seats_of(sight: SeatSight) -> list[int]:
    return [play.seat for play in sight.plays]


def test_cards_are_played_in_turn_and_the_leader_is_not_the_dealer() -> None:
    sight = seen("9 J 8", "7 8")
    assert (seats_of(sight), sight.dealer, sight.count, sight.turn) == ([0, 1], 1, 15, 0)
    sight = seen("9 J 8 2", "7")
    assert (seats_of(sight), sight.dealer) == ([1], 0)
    assert seats_of(seen("9 J 8 A", "7 8 9", players=4)) == [1, 2, 3]


def test_a_go_is_found_where_the_cards_need_one_and_only_there() -> None:
    sight = seen("7 J", "7 8 8")
    assert (seats_of(sight), sight.out) == ([0, 1, 0], (1,))
    assert seen("9 J 8", "7 8").goes == ()


def test_nobody_says_go_who_could_have_played() -> None:
    """After 10 J 9 the other has said go and led 2 later: it held the 2, which fitted; so it did not."""
    with pytest.raises(UserError):
        seen("9 3", "2", before="10 J 9")
    assert seats_of(seen("9 3", "8", before="10 J 9")) == [0, 1, 0, 1]


def test_counts_before_this_one_end_where_nothing_fits() -> None:
    sight = seen("9 K", "8", before="10 J 9")
    assert (seats_of(sight), sight.count, sight.out) == ([0, 1, 0, 1], 8, ())
    assert {go.seat for go in sight.goes} == {0, 1}
    thirty_one = seen("9 K", "8", before="10 J A 10")
    assert (seats_of(thirty_one), thirty_one.goes) == ([1, 0, 1, 0, 1], ())


def test_without_the_cards_before_this_count_is_taken_to_have_been_played_in_turn() -> None:
    sight = seen("9 J", "7 8")
    assert (seats_of(sight), sight.kept, sight.goes) == ([0, 1], parse_cards("7 9 J"), ())
    assert seats_of(seen("4 6", "8 7", players=3)) == [1, 2]


@pytest.mark.parametrize(
    ("hand", "pile", "before", "dealers"),
    [
        ("5 4 A", "10 J", "", (0,)),  # the dealer does not lead
        ("5 4 A 2", "10 J", "", (0, 1)),  # five cards
        ("5 4 A 2", "", "", (0,)),  # it is not the dealer's lead
        ("5 4 A", "8", "10 10 10", (0, 1)),  # after its own lead it is the other's turn
        ("5 4", "8", "10 2 3", (0, 1)),  # that count was not at its end
    ],
)
def test_what_cannot_have_come_to_one_s_turn_is_refused(
    hand: str, pile: str, before: str, dealers: tuple[int, ...]
) -> None:
    with pytest.raises(UserError, match="it can't be your turn after"):
        seen(hand, pile, before, dealers=dealers)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_a_play_of_random_cards_is_found_again_at_each_turn_of_a_seat(players: int, seed: int) -> None:
    """Only the fewest goes are looked for: what is found may differ in who played, never in the pile."""
    chance = Random(f"{players}-{seed}")
    rules = preset("standard", players)
    pack = chance.sample(PACK, 4 * players + 1)
    hands = [pack[4 * seat : 4 * seat + 4] for seat in range(players)]
    dealer = chance.randrange(players)
    state = step(NEW_TABLE, GameStarted(tuple("ABCD"[:players]), rules, dealer=dealer))
    state = step(state, StarterTurned(pack[-1]))
    turns = 0
    order: list[Card] = []
    while state.phase is Phase.PLAY and state.deal is not None and state.deal.turn is not None:
        deal, seat = state.deal, state.deal.turn
        fitting = [card for card in hands[seat] if card.rank.pips <= deal.room]
        if seat == 0 and fitting:
            before = tuple(order[: len(order) - len(deal.pile)])
            cards = Cards(tuple(hands[0]), deal.pile, before, pack[-1])
            found = sight_of_cards(cards, rules, (dealer,), state.scores())
            assert (found.pile, found.turn, found.count) == (deal.pile, 0, deal.count)
            assert sorted(map(str, found.hand)) == sorted(map(str, hands[0]))
            assert len(found.goes) <= len(deal.goes)
            if players == 2:
                assert found.cards_left(1) == len(hands[1])
            turns += 1
        if fitting:
            card = chance.choice(fitting)
            hands[seat].remove(card)
            order.append(card)
            state = step(state, CardPlayed(seat, card))
        else:
            state = step(state, GoSaid(seat))
    assert turns >= 3


def test_the_starter_and_the_discard_are_seen_and_the_score_stands() -> None:
    cards = Cards(parse_cards("9H JS 8S"), parse_cards("7 8"), (), Card.parse("JD"), parse_cards("KS QS"))
    sight = sight_of_cards(cards, STANDARD, (1,), (96, 101))
    assert (sight.scores, sight.starter) == ((96, 101), Card.parse("JD"))
    assert sight.discards == parse_cards("KS QS")
