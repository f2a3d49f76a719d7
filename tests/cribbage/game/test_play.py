"""What one card pegs in the play, against a table with reasons and a second scorer."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import games, naive

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.play import CARD_POINTS, LIMIT, count_of, score_play
from cribpi.cribbage.game.show import Kind, total
from cribpi.cribbage.words.cards import parse_cards

PLAYS = [
    # the cards of one count   what each pegs         why
    ("4 2 3 5 6", "0 0 3 4 5", "a run in any order grows card by card (board-set)"),
    ("4 2 3 4 3", "0 0 3 3 0", "the second 3 completes no run (board-set)"),
    ("8 7 7 6", "0 2 2 0", "a pair stands between: no run"),
    ("7 8", "0 2", "fifteen"),
    ("10 Q", "0 0", "both are ten, and no pair (board-set)"),
    ("Q K A", "0 0 0", "the ace is low: no run"),
    ("5 5 5 5", "0 2 8 12", "fifteen with the third; pair, pair royal, double pair royal"),
    ("7 2 2 2 2", "0 0 2 6 14", "a double pair royal that makes fifteen"),
    ("10 5 7 9", "0 2 0 2", "fifteen, and thirty-one"),
    ("3 6 4 5", "0 0 0 4", "a run of four at a stroke (use-and-care)"),
    ("3 6 4 5 2", "0 0 0 4 5", "and one of five after it (use-and-care)"),
    ("8 7 6 2 8", "0 2 3 0 2", "thirty-one; the 2 broke the run"),
    ("A 3 5 2 4 6 7", "0 0 0 0 7 6 7", "fifteen and a run of five at once; seven is the longest run"),
    ("2 A 3 2", "0 0 3 3", "the last three are a run of three; the four hold a pair and are none"),
    ("K K K A", "0 2 6 2", "a pair royal of tens, and thirty-one for 2"),
    ("6 6 3", "0 2 2", "fifteen with three cards"),
    ("9 6 6 5 4", "0 2 2 0 3", "the first deal of board-set, first count"),
]


@pytest.mark.parametrize(("cards", "pegs", "why"), PLAYS)
def test_each_card_of_a_count_pegs_what_the_sheets_say(cards: str, pegs: str, why: str) -> None:
    pile = parse_cards(cards)
    found = [total(score_play(pile[: end + 1])) for end in range(len(pile))]
    assert found == [int(points) for points in pegs.split()], why


@pytest.mark.parametrize(
    ("pile", "made"),
    [
        ("10 2 3", {"fifteen": "10 2 3"}),
        ("K J A 10", {"thirty-one": "K J A 10"}),
        ("K 5 5", {"pair": "5 5"}),
        ("9 2 2 2", {"fifteen": "9 2 2 2", "pair-royal": "2 2 2"}),
        ("K 4 2 3", {"run": "4 2 3"}),
    ],
)
def test_each_score_has_its_kind_and_the_cards_that_make_it(pile: str, made: dict[str, str]) -> None:
    found = {str(score.kind): score.cards for score in score_play(parse_cards(pile))}
    assert found == {kind: parse_cards(cards) for kind, cards in made.items()}


@pytest.mark.parametrize("suit", "CDHS")
def test_there_is_no_flush_in_the_play(suit: str) -> None:
    assert score_play(parse_cards(" ".join(f"{rank}{suit}" for rank in ("2", "4", "8", "K")))) == ()


@st.composite
def piles(draw: st.DrawFn) -> list[Card]:
    """Give the cards of one count, mostly low ones and near each other, so that they score."""
    pack = list(games.PACK)
    pile: list[Card] = []
    while True:
        fits = [card for card in pack if naive.pips(card) + sum(map(naive.pips, pile)) <= 31]
        if pile and (not fits or draw(st.integers(0, 9)) == 0):
            return pile
        near = [card for card in fits if not pile or abs(card.rank - pile[-1].rank) <= 3] or fits
        card = draw(st.sampled_from(near))
        pack.remove(card)
        pile.append(card)


@given(piles())
def test_the_naive_scorer_agrees(pile: list[Card]) -> None:
    scores = score_play(pile)
    assert total(scores) == naive.last_of_pile(pile)
    assert total(scores) in {0, *CARD_POINTS[:-1]}
    assert count_of(pile) == sum(map(naive.pips, pile)) <= LIMIT
    for score in scores:
        assert pile[-len(score.cards) :] == list(score.cards), "it is made by the last cards"
        if score.kind is Kind.RUN:
            assert len(score.cards) == score.points


def _random_pile(chance: Random) -> list[Card]:
    pack = chance.sample([card for card in games.PACK if chance.random() < 0.5 or card.rank < 8], 24)
    pile: list[Card] = []
    for card in pack:
        if sum(map(naive.pips, pile)) + naive.pips(card) <= 31:
            pile.append(card)
    return pile[: chance.randint(1, len(pile))]


def _check_piles(seed: int, piles_to_check: int) -> None:
    chance = Random(seed)
    for _ in range(piles_to_check):
        pile = _random_pile(chance)
        assert total(score_play(pile)) == naive.last_of_pile(pile), pile


def test_random_counts_agree_with_the_naive_scorer() -> None:
    _check_piles(31, 10_000)


@pytest.mark.prove
@pytest.mark.timeout(3600)
def test_a_million_random_counts_agree_with_the_naive_scorer() -> None:
    _check_piles(15, 1_000_000)
