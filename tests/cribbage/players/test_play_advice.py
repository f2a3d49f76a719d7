"""Advice on a card in the play: what decides is true, and the best is what the expert plays."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from random import Random

import numpy as np
import pytest

from cribpi.cribbage.analysis.pegging.belief import position
from cribpi.cribbage.analysis.pegging.policy import policy
from cribpi.cribbage.game.cards import PACK, Card, Rank
from cribpi.cribbage.game.deal import Go
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.advice import AdvisedCard, advise_card, card_worths
from cribpi.cribbage.players.card_effects import Outlook, outlook, said_now, said_replies
from cribpi.cribbage.players.expert import Expert
from cribpi.cribbage.players.play_inference import Cards, sight_of_cards
from cribpi.cribbage.players.solid import Solid, solid_card
from cribpi.cribbage.rules.rules import STANDARD, Rules, preset
from cribpi.cribbage.words.cards import parse_cards


def seen(
    hand: str,
    pile: str,
    before: str = "",
    starter: str = "",
    discards: str = "",
    rules: Rules = STANDARD,
    scores: tuple[int, ...] = (0, 0),
) -> SeatSight:
    turned = Card.parse(starter) if starter else None
    cards = Cards(parse_cards(hand), parse_cards(pile), parse_cards(before), turned, parse_cards(discards))
    return sight_of_cards(cards, rules, tuple(range(rules.players)), scores)


def looked(hand: str, pile: str, card: str, *, starter: str = "", discards: str = "") -> Outlook:
    return outlook(seen(hand, pile, starter=starter, discards=discards), Card.parse(card))


def advised(sight: SeatSight) -> tuple[AdvisedCard, ...]:
    return advise_card(sight, card_worths(sight))


def replies(found: Outlook) -> dict[str, str]:
    return {reply.name: " ".join(rank.symbol for rank in reply.ranks) for reply in found.replies}


# --- what a card does, in words ---


@pytest.mark.parametrize(
    ("hand", "pile", "card", "made"),
    [
        ("5 4 A 2", "", "5", {"fifteen": "10 J Q K", "a pair": "5"}),
        ("9 J 8", "7 8", "9", {"a run of four": "6", "a run of three": "7"}),  # a 10 would be 34
        ("8 J 9 8", "7", "8", {"a run of three": "6 9", "a pair": "8"}),
        ("8 J 9 8", "7", "9", {"a run of three": "8", "a pair": "9"}),
        ("A 5 4", "10 J", "A", {"thirty-one": "10 J Q K", "a pair": "A"}),
        ("8 9 J", "7 8", "8", {"a pair royal": "8"}),
        ("3 K", "10 8 6 3", "3", {"thirty-one": "A"}),  # a third 3 would be 33
        ("K J", "10 J A", "K", {}),  # thirty-one itself
    ],
)
def test_each_reply_that_scores_is_found(hand: str, pile: str, card: str, made: dict[str, str]) -> None:
    assert replies(looked(hand, pile, card)) == made


def test_a_rank_of_which_all_are_seen_scores_for_nobody() -> None:
    assert "a pair" in replies(looked("4 9 9 K", "", "9"))
    assert "a pair" not in replies(looked("4 9 9 K", "", "9", starter="9H", discards="9 2"))


def test_nobody_makes_five_of_a_rank() -> None:
    assert replies(looked("5 K", "A 5 5 5", "5")) == {"thirty-one": "10 J Q K"}


def test_nobody_replies_who_has_said_go() -> None:
    found = looked("7 J", "7 8 8", "7")
    assert (found.replies, found.is_open, found.count) == ((), False, 30)
    assert looked("K J", "10 J A", "K").is_open is False


def test_the_gravest_reply_stands_first() -> None:
    """Sixteen ten cards, or three 5s."""
    assert [reply.name for reply in looked("5 4 A 2", "", "5").replies] == ["fifteen", "a pair"]
    assert looked("5 4 A 2", "", "5").threat == 2 * 16 + 2 * 3
    assert looked("4 5 A 2", "", "4").threat == 2 * 3


def test_a_pair_royal_in_answer_needs_a_second_card_room_and_a_pair() -> None:
    assert looked("5 5 A 2", "", "5").counters
    assert not looked("5 4 A 2", "", "5").counters
    assert not looked("9 9 2", "J 2", "9").counters  # 12, 21, 30: no room for a third
    assert not looked("9 9 4 2", "K", "9", starter="9H", discards="9 2").counters


@pytest.mark.parametrize(
    ("hand", "pile", "card", "said"),
    [
        ("5 4 A 2", "", "5", "a ten card makes fifteen, a 5 a pair"),
        ("8 J 9 8", "7", "8", "a 6 or 9 makes a run of three, an 8 a pair"),
        ("A 5 4", "10 J", "A", "a ten card makes thirty-one, an A a pair"),
    ],
)
def test_replies_are_said_in_words(hand: str, pile: str, card: str, said: str) -> None:
    assert said_replies(looked(hand, pile, card).replies) == said


def test_what_is_pegged_is_said_or_what_the_next_best_would_peg() -> None:
    eight, nine, jack = (looked("9 J 8", "7 8", card) for card in ("8", "9", "J"))
    assert said_now(eight) == ": a pair for two"
    assert said_now(eight, nine) == ", though the 9 would peg 3 now"
    assert said_now(nine, eight) == ": a run of three for three"
    assert said_now(jack) == ""


@pytest.mark.parametrize(("rules", "points"), [("standard", 4), ("lowe", 2)])
def test_a_pair_over_one_s_own_card_pegs_by_the_rules(rules: str, points: int) -> None:
    sight = seen("8 J", "K 5 8", rules=preset(rules))
    assert (sight.out, outlook(sight, Card(Rank.EIGHT)).points) == ((1,), points)


# --- what it is worth ---


@pytest.mark.parametrize(
    ("hand", "pile", "players"),
    [
        ("5H 6C 7D", "4S 8H", 2),
        ("9H JC 8D 8S", "7S", 2),
        ("9H JC 8D 2S", "7S 6H", 3),
        ("9H JC 8D 2S", "7S", 4),
    ],
)
def test_the_expert_plays_what_is_advised(hand: str, pile: str, players: int) -> None:
    sides = (60, 64, 64) if players == 3 else (60, 64)
    sight = seen(hand, pile, starter="2H", rules=preset("standard", players), scores=sides)
    rows = advise_card(sight, card_worths(sight, seed=5))
    assert rows[0].card == Expert(5).play(sight)
    assert {row.card.rank for row in rows} == {card.rank for card in sight.playable}
    worths = [row.worth.points if row.worth.win is None else row.worth.win for row in rows]
    assert worths == sorted(worths, reverse=True)
    assert [row.worth for row in rows] == list(card_worths(sight, seed=5))
    assert (rows[0].worth.win is None) == (players == 3)
    short = card_worths(sight, seed=5, with_points=False)  # as a hint has it: the same, at half the price
    assert [row.why for row in advise_card(sight, short)] == [row.why for row in rows]
    assert (rows[0].reply is None) == (players != 2)


def test_a_chance_of_winning_comes_before_points() -> None:
    """At 118-118 the king pegs less than the 9, and wins nearly twice as often."""
    rows = advised(seen("7 9 K", "10 4", starter="2D", discards="K K", scores=(118, 118)))
    assert [row.card.rank.symbol for row in rows] == ["K", "9", "7"]
    assert rows[0].worth.points < rows[1].worth.points


def test_points_are_those_of_the_play_near_the_end_too() -> None:
    """What wins the game with three players is no more than it pegs."""
    rules = preset("standard", 3)
    near, far = (
        advised(seen("9 J 8 2", "7 6", starter="2H", rules=rules, scores=scores))
        for scores in ((119, 119, 119), (0, 0, 0))
    )
    assert max(abs(row.worth.points) for row in near) < 10
    assert {row.card for row in near} == {row.card for row in far}


def test_without_the_starter_points_decide() -> None:
    rows = advised(seen("9 J 8", "7 8"))
    assert all(row.worth.win is None and row.reply is not None for row in rows)
    assert rows[0].why == (
        "Play the 8, though the 9 would peg 3 now. "
        "An 8 makes a pair royal (18% chance that your opponent can). It scores 0.2 points more than the 9"
    )
    assert rows[2].why.startswith("The J. A 6 makes thirty-one (42% chance that your opponent can). 1.")
    assert rows[2].why.endswith(" points less than the best")


def test_three_things_at_most_are_named_and_a_second_card_is_one() -> None:
    best = advised(seen("9 J 8 8", "7", starter="2H", discards="K Q", scores=(96, 101)))[0]
    assert best.why == (
        "Play the 8: fifteen for two. A 6 or 9 makes a run of three, an 8 a pair "
        "(65% chance that your opponent can); if it is paired, your other 8 makes a pair royal. "
        "You win 44.2% from here, 22.8% with the J"
    )


def test_a_go_that_is_likely_is_named() -> None:
    rows = advised(seen("5 4 A", "10 J", starter="2H"))
    assert "32% chance that your opponent can't play" in rows[0].why
    assert rows[0].go == pytest.approx(0.3160, abs=1e-4)
    assert rows[-1].go == 0
    assert "can't play" not in rows[-1].why


def test_what_alone_fits_is_played() -> None:
    (only,) = advised(seen("7 J", "7 8 8"))
    assert (only.why, only.reply, only.go) == ("Play the 7: nothing else fits", None, None)


def test_a_go_before_says_what_the_other_does_not_hold() -> None:
    """After a go at 29 it has no ace to play at 30; without one it may have."""
    (after_go,) = advised(seen("3", "8 K 9", before="10 9 10"))
    assert (after_go.outlook.count, after_go.reply) == (30, 0)
    assert after_go.go == pytest.approx(1)
    (open_still,) = advised(seen("4 A", "8 7 9 5"))
    assert open_still.go is not None
    assert 0.9 < open_still.go < 1


def test_without_the_play_before_the_next_card_and_the_average_of_the_rest_decide() -> None:
    sight = seen("9 J", "7 8")
    deals = position(sight)
    deals.left[0] = [2, 2]
    values = policy(STANDARD).values(deals)[0]
    rows = advised(sight)
    assert [row.card.rank.symbol for row in rows] == ["9", "J"]
    assert [row.worth.points for row in rows] == pytest.approx(sorted(values[:2].tolist(), reverse=True))
    assert all(row.worth.win is None and row.reply is None and row.go is None for row in rows)
    follows = seen("9 J", "7 8 2")  # the other led: it has one card less
    deals = position(follows)
    deals.left[0] = [2, 1]
    assert advised(follows)[0].worth.points == pytest.approx(policy(STANDARD).values(deals)[0].max())


def test_where_no_hand_of_the_other_fits_the_advice_is_that_of_solid() -> None:
    """A go at 21, where every card fits: nobody could have said it."""
    sight = replace(seen("5H 6C 7D", "4S 8H", starter="2H"), goes=(Go(1, 21, 0),))
    assert card_worths(sight) == ()
    rows = advised(sight)
    assert rows[0].card == solid_card(sight)
    assert all(row.worth.win is None and row.reply is None for row in rows)


def dealt(chance: Random) -> tuple[SeatSight, tuple[Card, ...]]:
    """Return the sight of seat 0, pone, at its second card among solid players, and what the other holds."""
    pack = chance.sample(PACK, 13)
    hands = [pack[:6], pack[6:12]]
    kept, away = [], []
    for seat, hand in enumerate(hands):
        gone = Solid().discard(SeatSight(STANDARD, seat, 1, (0, 0), tuple(hand)))
        kept.append([card for card in hand if card not in gone])
        away.append(gone)
    pile: tuple[Card, ...] = ()
    for seat in (0, 1):
        cards = Cards(tuple(kept[seat]), pile, (), pack[12], away[seat])
        card = Solid().play(sight_of_cards(cards, STANDARD, (1 - seat,), (0, 0)))
        kept[seat].remove(card)
        pile = (*pile, card)
    mine = Cards(tuple(kept[0]), pile, (), pack[12], away[0])
    return sight_of_cards(mine, STANDARD, (1,), (0, 0)), tuple(kept[1])


def test_the_chances_of_a_reply_and_of_a_go_are_true() -> None:
    """Over many deals between solid players, they come true as often as they say."""
    chance, expected, happened = Random(4), [], []
    for _ in range(60):
        sight, theirs = dealt(chance)
        for row in advised(sight):
            assert row.reply is not None
            assert row.go is not None
            ranks = {rank for reply in row.outlook.replies for rank in reply.ranks}
            room = 31 - row.outlook.count
            expected.append((row.reply, row.go))
            happened.append(
                (
                    any(card.rank in ranks for card in theirs),
                    all(card.rank.pips > room for card in theirs),
                )
            )
    gap = np.abs(np.mean(expected, axis=0) - np.mean(happened, axis=0))
    assert (gap < 3 * 0.5 / sqrt(60)).all()
    assert np.corrcoef(np.array(expected)[:, 0], np.array(happened, float)[:, 0])[0, 1] > 0.3
