"""What no other test of the core would notice if it were wrong: bugs that were planted on purpose have survived it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cribpi.core.cards import Card, parse_cards
from cribpi.core.errors import BadSetup, ImpossiblePoints, NotHeld, WrongPhase, WrongSeat
from cribpi.core.events import (
    CardCut,
    CardsLaidAway,
    DealerChosen,
    HandCardTurned,
    HandDealt,
    MugginsCalled,
    PointsPegged,
    RenegeRuled,
)
from cribpi.core.game import fold, step
from cribpi.core.options import changed
from cribpi.core.presets import preset
from cribpi.core.record import HEADER, Comment, parse
from cribpi.core.rules import Rules
from cribpi.core.scores import Kind
from cribpi.core.show import Claim, crib_points, hand_points, score_claimed, score_hand
from cribpi.core.state import Phase, State
from cribpi.core.steps.corrections import renege_points
from cribpi.core.steps.points import highest_play, play_points
from cribpi.core.tell import tell
from cribpi.core.why import automatic
from cribpi.core.words import call_show


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("2 2 2 2", "7", 14),
        ("6 6 6 6", "3", 24),
        ("3 3 3 3", "9", 24),
        ("8 8 8 8", "4", 12),
        ("4 4 4 4", "7", 24),
    ],
)
def test_the_fast_count_tells_four_of_a_rank_from_others(hand: str, starter: str, points: int) -> None:
    # Two such hands would be one to a count in base four: 2 2 2 2 7 and 6 6 6 6 3, 3 3 3 3 9 and 8 8 8 8 4.
    cards, turned = parse_cards(hand), Card.parse(starter)
    assert (hand_points(cards, turned), crib_points(cards, turned)) == (points, points)


def test_his_nobs_is_the_jack_of_the_starters_suit_among_several() -> None:
    hand, starter = parse_cards("JC JD JH 5S"), Card.parse("7H")
    for scores in (score_hand(hand, starter), score_claimed(hand, starter, Claim(nobs=True))):
        assert [score.cards for score in scores if score.kind is Kind.NOBS] == [parse_cards("JH")]


def test_one_for_his_heels_is_not_offered() -> None:
    with pytest.raises(BadSetup, match="choose 2 or none"):
        Rules(heels=1)


def after(*lines: str) -> State:
    """Return the state after a record's *lines*."""
    return fold(event for event in parse("\n".join((HEADER, *lines))) if not isinstance(event, Comment))


def test_a_wrong_go_is_ruled_on_only_when_the_whole_hand_is_known() -> None:
    lines = ('game "A" "B" dealer=1 play_rounds=one renege=2-a-card', "starter 9")
    play = "play 0:10 1:5 0:8 1:go 0:go"
    one = after(*lines, play, "hand-card 0 7")
    assert one.deal is not None
    assert one.deal.open_reneges() == ()
    with pytest.raises(WrongPhase):
        step(one, RenegeRuled(0, 2))
    two = step(one, HandCardTurned(0, Card.parse("A")))
    assert two.deal is not None
    assert [renege.cards for renege in two.deal.open_reneges()] == [parse_cards("A 7")]
    assert step(two, RenegeRuled(0, 4)).scores()[1] == two.scores()[1] + 4


def test_the_last_outcome_is_the_one_that_pegged() -> None:
    state = after('game "A" "B" dealer=1', "starter 9", "play 0:10 1:9 0:8 1:lead:K")
    assert len(state.outcomes) == 2
    assert state.last == state.outcomes[0]
    assert [score.kind for score in state.outcomes[0].scores] == [Kind.GO]


@pytest.mark.parametrize("seat", [-1, 2])
def test_no_hand_is_dealt_to_a_seat_that_is_not_there(seat: int) -> None:
    state = after('game "A" "B" dealer=1')
    with pytest.raises(WrongSeat):
        step(state, HandDealt(seat, parse_cards("2 3 4 5 6 7")))
    with pytest.raises(WrongSeat):
        step(after('game "A" "B"'), DealerChosen(seat))


def test_a_cut_that_ties_is_counted_and_told() -> None:
    before = after('game "A" "B"', "cut 0 4")
    tied = step(before, CardCut(1, Card.parse("4")))
    assert (before.ties, tied.ties) == (0, 1)
    assert [reason.rule for reason in automatic(before, CardCut(1, Card.parse("4")), tied)] == [
        "first_dealer"
    ]
    assert "a tie, A and B cut again" in tell(CardCut(1, Card.parse("4")), tied)


def test_one_card_cannot_be_laid_away_as_two() -> None:
    state = after('game "A" "B" dealer=1', "dealt 0 7C 2 3 4 5 6")
    with pytest.raises(NotHeld):
        step(state, CardsLaidAway(0, parse_cards("7 7C")))
    with pytest.raises(NotHeld):
        step(state, CardsLaidAway(0, parse_cards("7 7")))


def test_heels_are_lost_when_the_play_ends_before_the_dealer_has_played() -> None:
    rules = "heels_deadline=first-card miscount=lost play_rounds=one"
    lines = (f'game "A" "B" "C" "D" dealer=3 {rules}', "starter J", "play 0:10 1:10 2:10 3:go 0:go 1:go")
    assert after(*lines).deal.heels_open  # type: ignore[union-attr]
    shown = after(*lines, "play 2:go")
    assert shown.phase is Phase.SHOW
    assert not shown.deal.heels_open  # type: ignore[union-attr]


def missed(state: State) -> tuple[int, int] | None:
    """Return how much muggins can be called for, at least and at most."""
    return (state.counted.least, state.counted.most) if state.counted is not None else None


MISSED = (
    'game "A" "B" rules=acc-muggins dealer=1',
    "starter 7",
    "play 0:3 1:6 0:8 1:K 0:go 1:go 0:9 1:6 0:10",
)


def test_what_was_taken_at_once_is_not_called_for_again() -> None:
    suited = [line.replace("0:3", "0:3C").replace("0:8", "0:8D") for line in MISSED]
    state = after(*suited, "play 1:5", "show 0 counted=4")
    assert missed(state) == (0, 0), "two were missed, and BOB has them"
    with pytest.raises(ImpossiblePoints, match="missed nothing"):
        step(state, MugginsCalled(1, 0, 2))


def test_a_flush_that_the_table_alone_can_see_can_be_called_for() -> None:
    state = after(*MISSED, "play 1:5", "show 0 counted=6")
    assert missed(state) == (0, 5), "a flush of four, or of five"
    assert step(state, MugginsCalled(1, 0, 4)).scores()[1] == state.scores()[1] + 4


def test_by_points_there_is_no_last_card_where_it_is_worth_nothing() -> None:
    rules = preset("travel-121")
    assert Kind.LAST not in play_points(rules)
    assert (highest_play(rules), highest_play(preset("standard"))) == (14, 15)
    state = after('game "A" "B" rules=travel-121 entry=peg dealer=1', "next", "next")
    for event in (PointsPegged(0, 1, Kind.LAST), PointsPegged(0, 15)):
        with pytest.raises(ImpossiblePoints):
            step(state, event)
    assert step(state, PointsPegged(0, 14)).scores() == (14, 0)


def test_of_two_others_the_one_to_the_left_pegs_a_wrong_go_first_and_may_win_by_it() -> None:
    state = after(
        'game "A" "B" "C" dealer=0 renege=2 target=31',
        "starter Q",
        "play 1:10 2:10 0:4 1:go 2:go 0:go",  # at 24 B holds a 2 and a 3
        "play 1:3 2:9 0:9 1:2 2:8",
        "play 0:9 1:9 2:8 0:go",
        "play 0:K",
        *("put-right 0 30", "put-right 2 30"),
        "renege 1 2",
    )
    assert (state.winner, state.scores()[0]) == (2, 30)


def test_by_points_no_more_can_be_missed_than_a_hand_has() -> None:
    state = after('game "A" "B" miscount=muggins entry=peg dealer=1', *["next"] * 3, "peg 0 20")
    assert missed(state) == (0, 9)
    with pytest.raises(ImpossiblePoints, match="missed 1 to 4, 8 or 9, and not 10"):
        step(state, MugginsCalled(1, 0, 10))
    assert step(state, MugginsCalled(1, 0, 9)).scores() == (20, 9)


def test_what_was_missed_is_called_rightly_and_by_others() -> None:
    lines = [line.replace("0:3", "0:3C").replace("0:8", "0:8D") for line in MISSED[1:]]
    state = after('game "A" "B" miscount=lost dealer=1', *lines, "play 1:5", "show 0 counted=4")
    called = replace(state, rules=changed(state.rules, {"miscount": "muggins"}))
    assert missed(called) == (2, 2)
    with pytest.raises(WrongSeat, match="its own count"):
        step(called, MugginsCalled(0, 0, 2))
    with pytest.raises(ImpossiblePoints, match="the call is right"):
        step(called, MugginsCalled(1, 0, 2, is_right=False))
    assert step(called, MugginsCalled(1, 0, 2)).scores()[1] == state.scores()[1] + 2


TWO = ('game "A" "B" dealer=1', "starter 9")
TOLD = [
    # lines                                                              says                     why
    ((*MISSED, "play 1:5", "show 0 counted=10"), "ten was counted, four too much", "an overclaim"),
    ((*MISSED, "play 1:5", "show 0 counted=4"), "four was counted, two missed", "a miss"),
    ((*MISSED, "play 1:5", "show 0 counted=4"), "; B muggins for two", "and who took it"),
    ((*TWO, "put-right 0 9", "penalty 0 -2"), "A: a penalty of two", "points are taken"),
    ((*TWO, "penalty 0 +2"), "A: two by a ruling", "points are given"),
    ((f"{TWO[0]} go_award=call", TWO[1], "play 0:10 1:K 0:8 1:go"), "B says go: one for A", "whose go it is"),
]


@pytest.mark.parametrize(("lines", "says", "why"), TOLD)
def test_what_happened_is_told_of_the_right_side(lines: tuple[str, ...], says: str, why: str) -> None:
    state = after(*lines)
    assert says in tell(state.outcomes[0].event, state), why


def test_of_a_wrong_call_it_is_told_who_takes_the_points() -> None:
    shown = after(
        *(line.replace("0:3", "0:3C").replace("0:8", "0:8D") for line in MISSED),
        "play 1:5",
        "show 0 counted=6",
    )
    call = MugginsCalled(1, 0, 2, is_right=False)
    assert tell(call, step(shown, call)).endswith("; A takes it")


def test_a_misdeal_after_a_score_was_put_right_backward_takes_no_more_than_the_deal_pegged() -> None:
    lines = (
        TWO[0],
        "put-right 0 20",
        TWO[1],
        "penalty 1 +1",
        "play 0:10 1:5 0:5",
        "put-right 0 21",
        "misdeal",
    )
    assert after(*lines).scores() == (20, 1)


def test_a_wrong_go_that_the_house_only_notes_costs_nothing() -> None:
    state = after('game "A" "B" dealer=1', "starter 9", "play 0:10 1:5 0:8 1:go 0:7")
    assert [renege_points(state, cards) for cards in (1, 2)] == [0, 0]


def test_a_hand_of_nothing_is_a_nineteen() -> None:
    assert call_show(()) == "nothing, a nineteen"
