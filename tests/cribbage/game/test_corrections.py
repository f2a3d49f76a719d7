"""Corrections of a table: what each moves, from each phase, and what a misdeal leads back to."""

from __future__ import annotations

import pytest
from support.refusals import refused

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import FalseWinRuled, HandCardTurned, RenegeRuled
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.game.steps.corrections import renege_points
from cribpi.cribbage.record import HEADER, Comment, parse, parse_event
from cribpi.cribbage.rules import errors
from cribpi.cribbage.rules.errors import ImpossiblePoints, RuleError, WrongPhase
from cribpi.cribbage.rules.seats import Pegs
from cribpi.cribbage.words.cards import parse_cards


def at(*lines: str) -> State:
    """Return the state after a record's *lines*."""
    state = State()
    for event in parse("\n".join((HEADER, *lines))):
        assert not isinstance(event, Comment)
        state = step(state, event)
    return state


TWO = 'game "A" "B" dealer=1'
THREE = 'game "A" "B" "C" dealer=0'
PEG = 'game "A" "B" entry=peg dealer=1'
PLAY = "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7 0:10"
"""A has 3 and B 6 after it, with starter 5; A's hand is 8, and B's 14."""
CRIB = ("crib-card 5", "crib-card J", "crib-card 2", "crib-card 3")
"""With starter 5 it is 10."""

MISDEALS = [
    # before the misdeal                                    scores after it  why
    ((TWO, "starter J"), (0, 0), "his heels are retracted"),
    ((TWO, "starter 5", PLAY), (0, 0), "the whole play"),
    ((TWO, "starter 5", PLAY, "show 0"), (0, 0), "and a hand"),
    ((TWO, "starter 5", PLAY, "show 0", "show 1", *CRIB), (0, 0), "from the crib's show"),
    ((TWO, "put-right 0 40", "starter 5", PLAY), (40, 0), "what was put right stays"),
    ((TWO, "starter 5", PLAY, "penalty 1 -2"), (0, 0), "a penalty has nothing to take of"),
    ((TWO, "put-right 1 30", "starter 5", PLAY, "penalty 1 -2"), (0, 28), "a penalty stays"),
    ((TWO, "put-right 1 30", "starter 5", PLAY, "penalty 0 +5"), (5, 30), "for the other too"),
    (
        (TWO, "starter 5", PLAY, "show 0", "show 1", *CRIB, "crib", "starter J"),
        (11, 30),
        "only this deal's points are retracted",
    ),
    ((f"{TWO} renege=2", "starter K", "play 0:9 1:6 0:10 1:go 0:go 1:4"), (0, 0), "a go"),
    ((PEG, "next", "peg 1 2", "peg 0 3", "peg 1 15"), (0, 0), "in a game kept by points"),
    (
        (f"{THREE} miscount=muggins", "starter 5", "play 1:9 2:6 0:6 1:5 2:3", "penalty 2 +3"),
        (0, 0, 3),
        "of three sides",
    ),
]


@pytest.mark.parametrize(("lines", "scores", "why"), MISDEALS)
def test_a_misdeal_retracts_what_the_deal_has_pegged_and_the_same_dealer_deals_again(
    lines: tuple[str, ...], scores: tuple[int, ...], why: str
) -> None:
    before = at(*lines)
    after = step(before, parse_event("misdeal"))
    assert after.scores() == scores, why
    assert after.phase is Phase.DEAL
    assert before.deal is not None
    assert after.deal is not None
    assert (after.deal.number, after.deal.dealer) == (before.deal.number, before.deal.dealer)
    assert not after.deal.seen
    assert after.counted is None
    said = refused(errors.WrongPhase, step, after, parse_event("misdeal"))
    assert said == "nothing of this deal has been entered yet: just deal again"
    again = step(after, parse_event("starter K" if after.entry == "cards" else "next"))
    assert again.scores() == scores


NO_MISDEALS = [
    ((), "start a new game first"),
    (('game "A" "B"',), "no deal has begun"),
    ((TWO,), "just deal again"),
    ((TWO, "penalty 0 +121"), "A has won"),
]


@pytest.mark.parametrize(("lines", "says"), NO_MISDEALS)
def test_there_is_no_misdeal_where_nothing_was_dealt(lines: tuple[str, ...], says: str) -> None:
    with pytest.raises(errors.WrongPhase, match=says):
        step(at(*lines), parse_event("misdeal"))


def test_a_penalty_leaves_the_front_peg_behind_the_back_peg_and_the_next_score_goes_on_from_the_front() -> (
    None
):
    lines = (TWO, "put-right 0 20", "starter 5", "play 0:9 1:A 0:A 1:A 0:4", "penalty 0 -9")
    [pegs, _] = at(*lines[:-1]).pegs
    assert (pegs.front, pegs.back) == (22, 20)
    [pegs, _] = at(*lines).pegs
    assert pegs == Pegs(front=13, back=20), "the front peg is the score"
    after = at(*lines, "play 1:4")
    assert after.pegs[1].front == 6 + 2
    after = at(*lines, "play 1:10 0:5")
    assert after.pegs[0] == Pegs(front=15, back=13), "thirty-one: the back peg leapfrogs the front one"


HEELS = ("put-right 1 119", "starter J")
IN_PLAY = ("starter 5", "put-right 1 119", "play 0:9 1:6")
BY_LEAD = ("starter 5", "put-right 0 120", "play 0:10 1:10 0:9 1:lead:3")
BY_LAST_CARD = ("starter 5", "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7", "put-right 0 120", "play 0:10")
BY_HAND = ("starter 5", PLAY, "put-right 0 115", "show 0")
BY_OTHER_HAND = ("starter 5", PLAY, "put-right 1 115", "show 0", "show 1")
BY_CRIB = ("starter 5", PLAY, "show 0", "show 1", *CRIB, "put-right 1 115", "crib")
BY_PENALTY = ("starter 5", "penalty 0 +121")

FALSE = [
    # what wins            side  phase then  shown  turn  why
    (HEELS, 1, Phase.PLAY, 0, 0, "pone leads"),
    (IN_PLAY, 1, Phase.PLAY, 0, 0, "the play goes on"),
    (BY_LEAD, 0, Phase.PLAY, 0, 1, "the new count is still to be led"),
    (BY_LAST_CARD, 0, Phase.SHOW, 0, None, "no hand was shown: pone shows"),
    (BY_HAND, 0, Phase.SHOW, 1, None, "the dealer shows next"),
    (BY_OTHER_HAND, 1, Phase.CRIB, 2, None, "the crib is next"),
    (BY_CRIB, 1, Phase.DEAL, 0, None, "the deal passes"),
    (BY_PENALTY, 0, Phase.PLAY, 0, 0, "the ruling was wrong, and the play goes on"),
]


@pytest.mark.parametrize(("lines", "side", "phase", "shown", "turn", "why"), FALSE)
def test_a_false_claim_of_the_game_is_put_right_and_the_game_goes_on_where_it_was(
    lines: tuple[str, ...], side: int, phase: Phase, shown: int, turn: int | None, why: str
) -> None:
    over = at(TWO, *lines)
    assert over.winner == side
    after = step(over, FalseWinRuled(side, 100))
    assert after.winner is None
    assert after.scores()[side] == 100
    assert after.scores()[1 - side] == over.scores()[1 - side], "put right, and no more"
    assert after.phase is phase, why
    assert after.deal is not None
    assert (after.deal.shown, after.deal.turn) == (shown, turn), why
    assert after.games == (0, 0)
    assert "has not claimed the game" in refused(errors.WrongSeat, step, over, FalseWinRuled(1 - side, 100))
    said = refused(errors.ImpossiblePoints, step, over, FalseWinRuled(side, 121))
    assert said == "a true score of 121: give one below the game hole, 121"


@pytest.mark.parametrize(("lines", "side", "phase", "shown", "turn", "why"), FALSE)
def test_the_congress_takes_fifteen_back_and_gives_the_rest_to_the_other(
    lines: tuple[str, ...], side: int, phase: Phase, shown: int, turn: int | None, why: str
) -> None:
    over = at(f"{TWO} false_win=acc", *lines)
    had = over.scores()[1 - side]
    after = step(over, FalseWinRuled(side, 118))
    assert after.scores()[side] == 118 - 15
    assert after.scores()[1 - side] == had + 121 - 118, "what was claimed too much"
    assert after.pegs[side].back == over.pegs[side].back, "its front peg alone goes back"
    assert (after.phase, after.winner) == (phase, None), why
    assert after.deal is not None
    assert (after.deal.shown, after.deal.turn) == (shown, turn), why
    low = step(over, FalseWinRuled(side, 4))
    assert low.scores()[side] == 0, "no further than the start"


@pytest.mark.parametrize("lines", [lines for lines, *_ in FALSE])
def test_whoever_claims_the_game_falsely_loses_it_by_the_old_books(lines: tuple[str, ...]) -> None:
    over = at(f"{TWO} false_win=lose", *lines)
    side = over.winner or 0
    after = step(over, FalseWinRuled(side, 88))
    assert after.scores()[side] == 88, "its score is put right"
    assert after.pegs[1 - side] == Pegs(121, over.scores()[1 - side]), "the other's peg goes to the game hole"
    assert (after.phase, after.winner, after.won_in) == (Phase.GAME_OVER, 1 - side, over.won_in)
    assert (after.skunk(side), after.tally_now[1 - side].skunks) == (1, 1)
    assert after.ledger[-1].gains[1 - side].penalties == 121 - over.scores()[1 - side]


def test_a_game_that_was_claimed_falsely_and_not_pegged_is_lost_too() -> None:
    lines = (f"{TWO} false_win=lose match=first-to-1", "starter 5", "put-right 0 119", "put-right 1 100")
    after = step(at(*lines), FalseWinRuled(0, 119))
    assert (after.scores(), after.winner, after.phase) == ((119, 121), 1, Phase.MATCH_OVER)
    said = refused(errors.WrongPhase, step, at(*lines), FalseWinRuled(0, 118))
    assert said == "A stands at 119 and has not won: correct the score"


def test_what_was_claimed_too_much_can_win_the_game_for_the_other_up_to_the_game_hole() -> None:
    over = at(f"{TWO} false_win=acc", "starter 5", "put-right 0 119", "put-right 1 119", "play 0:9 1:6")
    assert over.winner == 1
    after = step(over, FalseWinRuled(1, 117))
    assert after.scores() == (121, 102)
    assert after.winner == 0
    assert after.games == (1, 0)


def test_a_false_claim_before_the_game_hole_is_reached_is_for_the_congress_alone() -> None:
    lines = ("starter 5", "put-right 0 119", "put-right 1 100")
    after = step(at(f"{TWO} false_win=acc", *lines), FalseWinRuled(0, 119))
    assert after.scores() == (104, 102)
    assert after.phase is Phase.PLAY
    said = refused(errors.WrongPhase, step, at(TWO, *lines), FalseWinRuled(0, 119))
    assert "has not won" in said
    said = refused(errors.WrongPhase, step, at(f"{TWO} false_win=acc", *lines), FalseWinRuled(0, 118))
    assert "has not won" in said


def test_a_misdeal_after_a_false_claim_leaves_the_fifteen_and_what_the_other_took() -> None:
    lines = (f"{TWO} false_win=acc", "put-right 0 50", "put-right 1 117", "starter 5", "play 0:9 1:6 0:6 1:6")
    over = at(*lines)
    assert over.winner == 1
    ruled = step(over, FalseWinRuled(1, 119))
    assert ruled.scores() == (54, 104)
    assert step(ruled, parse_event("misdeal")).scores() == (52, 102), "117 less 15, and 50 with 2"


def test_a_misdeal_after_a_false_claim_by_a_ruling_leads_to_the_true_score() -> None:
    ruled = at(TWO, "put-right 0 10", "penalty 0 +121", "false-win 0 10", "starter 5", "misdeal")
    assert ruled.scores() == (10, 0)


def test_points_pegged_too_many_go_to_the_other_side_by_the_old_books() -> None:
    lines = ("put-right 0 50", "put-right 1 40", "starter 5", "play 0:9 1:6 0:6", "put-right 0 47")
    plain, after = at(TWO, *lines), at(f"{TWO} overpegged=to-the-other", *lines)
    assert plain.scores() == (47, 42)
    assert after.scores() == (47, 47), "the five that A gave back"
    assert after.pegs == (Pegs(47, 50), Pegs(47, 42)), "A's front peg alone goes back, and B's back peg jumps"
    gains = after.ledger[-1].gains
    assert (gains[0].corrections, gains[1].penalties) == (50 - 5, 5)
    assert step(after, parse_event("misdeal")).scores() == (47, 45), "the ruling stays"
    assert after.phase is Phase.PLAY


def test_only_points_that_are_taken_back_go_to_the_other_side() -> None:
    house = f"{TWO} overpegged=to-the-other"
    assert at(house, "put-right 0 50").scores() == (50, 0), "too few"
    assert at(house, "put-right 0 50", "penalty 0 -5").scores() == (45, 0), "a penalty"


def test_points_pegged_too_many_can_win_the_game_for_the_other_side() -> None:
    house = f"{TWO} overpegged=to-the-other match=first-to-1"
    over = at(house, "put-right 0 50", "put-right 1 119", "starter 5", "put-right 0 45")
    assert (over.scores(), over.winner, over.phase) == ((45, 121), 1, Phase.MATCH_OVER)


def test_a_false_claim_of_a_match_opens_the_match_again() -> None:
    over = at(f"{TWO} match=first-to-1", *IN_PLAY)
    assert over.phase is Phase.MATCH_OVER
    assert step(over, FalseWinRuled(1, 119)).phase is Phase.PLAY


def test_muggins_for_a_crib_survives_a_misdeal_of_the_next_deal() -> None:
    lines = [f"{THREE} miscount=muggins entry=peg", "next", "next", "next"]
    lines += ["peg 1 8", "peg 2 8", "peg 0 8", "peg 0 2", "muggins 2 0 4"]
    called = at(*lines)
    assert called.phase is Phase.DEAL
    assert called.scores() == (10, 8, 12)
    assert at(*lines, "next", "peg 1 2 heels", "misdeal").scores() == (10, 8, 12)
    said = refused(RuleError, at, *lines, "next", "muggins 1 0 2")
    assert "too late" in said


SHARED = [
    # calls                                    scores       why
    (("muggins 2 1 8",), (1, 2, 8), "one takes all"),
    (("muggins 2 1 6", "muggins 0 1 2"), (3, 2, 6), "two share it"),
    (("muggins 0 1 9 wrong",), (1, 11, 0), "a wrong call goes to whom it accuses"),
    (("muggins 0 1 8", "muggins 2 1 1 wrong"), (9, 3, 0), "all was taken, and one call was too many"),
]


@pytest.mark.parametrize(("calls", "scores", "why"), SHARED)
def test_what_one_of_three_has_missed_goes_to_who_calls_it(
    calls: tuple[str, ...], scores: tuple[int, ...], why: str
) -> None:
    lines = (
        f"{THREE} miscount=muggins play_rounds=one",
        *("starter 2H", "play 1:JC 2:9C 0:JD 1:go 2:go 0:go"),  # 29, and one for the go to A
        *("hand-card 1 5D", "hand-card 1 5S", "hand-card 1 QH", "show 1 counted=2"),
    )
    # J and Q with either five are four fifteens, and the fives a pair: 10, of which 8 were missed
    state = at(*lines)
    assert state.scores() == (1, 2, 0)
    for call in calls:
        state = step(state, parse_event(call))
    assert state.scores() == scores, why
    assert "the call is wrong" in refused(errors.ImpossiblePoints, step, state, parse_event("muggins 0 1 9"))


def test_the_side_whose_count_was_right_cannot_be_called_rightly() -> None:
    lines = (f"{TWO} miscount=muggins", "starter 5", PLAY)
    state = at(*lines, "show 0 counted=3")
    assert state.scores() == (3 + 3, 6 + 5), "of 8, three were counted: the five others are taken at once"
    assert [outcome.points for outcome in state.outcomes] == [3, 5]
    assert state.outcomes[0].missed == 5
    said = refused(errors.ImpossiblePoints, step, state, parse_event("muggins 1 0 9"))
    assert "missed nothing" in said


def test_a_hand_that_wins_leaves_nothing_to_be_taken() -> None:
    over = at(
        f"{TWO} miscount=muggins", "starter 5", PLAY, "put-right 0 116", "put-right 1 118", "show 0 counted=5"
    )
    assert over.winner == 0
    assert over.scores() == (121, 118)


def test_what_was_missed_can_win_for_the_other_side() -> None:
    over = at(f"{TWO} miscount=muggins", "starter 5", PLAY, "put-right 1 118", "show 0 counted=5")
    assert over.winner == 1
    assert over.scores() == (3 + 5, 121)


def test_a_wrong_go_is_ruled_on_only_when_the_whole_hand_is_known() -> None:
    lines = ('game "A" "B" dealer=1 play_rounds=one renege=2-a-card', "starter 9")
    play = "play 0:10 1:5 0:8 1:go 0:go"
    one = at(*lines, play, "hand-card 0 7")
    assert one.deal is not None
    assert one.deal.open_reneges() == ()
    with pytest.raises(WrongPhase):
        step(one, RenegeRuled(0, 2))
    two = step(one, HandCardTurned(0, Card.parse("A")))
    assert two.deal is not None
    assert [renege.cards for renege in two.deal.open_reneges()] == [parse_cards("A 7")]
    assert step(two, RenegeRuled(0, 4)).scores()[1] == two.scores()[1] + 4


def test_a_wrong_go_costs_two_for_each_card_that_singly_fitted_as_in_the_book_of_the_acc() -> None:
    # The example of rule 7.3: the count is 25, and whoever holds A, 5 and 6 says go.
    lines = ('game "A" "B" rules=acc dealer=0', "starter 2", "play 1:8 0:10 1:7 0:go 1:go")
    shown = at(*lines, "play 0:A 1:K 0:5 1:K 0:go 0:6")
    assert shown.deal is not None
    assert [wrong.cards for wrong in shown.deal.open_reneges()] == [parse_cards("A 5 6")]
    assert step(shown, RenegeRuled(0, 6)).scores()[1] == shown.scores()[1] + 6


def test_a_wrong_go_that_was_ruled_on_for_fewer_cards_is_still_read() -> None:
    # A and 5 fit one after the other: before, only those counted, and records say so
    lines = ('game "A" "B" rules=acc dealer=0', "starter 2", "play 1:8 0:10 1:7 0:go 1:go")
    shown = at(*lines, "play 0:A 1:K 0:5 1:K 0:go 0:6")
    assert step(shown, RenegeRuled(0, 4)).scores()[1] == shown.scores()[1] + 4
    said = refused(ImpossiblePoints, step, shown, RenegeRuled(0, 5))
    assert said == "5 for the wrong go: these rules give 6, or nothing"


def test_of_two_others_the_one_to_the_left_pegs_a_wrong_go_first_and_may_win_by_it() -> None:
    state = at(
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


def test_a_misdeal_after_a_score_was_put_right_backward_takes_no_more_than_the_deal_pegged() -> None:
    lines = (
        TWO,
        "put-right 0 20",
        "starter 9",
        "penalty 1 +1",
        "play 0:10 1:5 0:5",
        "put-right 0 21",
        "misdeal",
    )
    assert at(*lines).scores() == (20, 1)


def test_a_wrong_go_that_the_house_only_notes_costs_nothing() -> None:
    state = at('game "A" "B" dealer=1', "starter 9", "play 0:10 1:5 0:8 1:go 0:7")
    assert [renege_points(state, cards) for cards in (1, 2)] == [0, 0]


def test_a_score_can_be_put_right_before_the_first_deal_and_the_deal_begins_with_it() -> None:
    before = at('game "A" "B"', "put-right 0 20", "penalty 1 +3")
    assert (before.phase, before.scores(), before.deal) == (Phase.CUT, (20, 3), None)
    assert at('game "A" "B"', "put-right 0 20", "dealer 1", "starter J", "misdeal").scores() == (20, 0)


def test_a_wrong_go_is_ruled_on_at_the_show_also_where_its_seat_has_played_all_its_cards_before() -> None:
    lines = ("starter 5", "play 0:10 1:10 0:9 1:go 0:go 1:9 0:K 1:Q 0:go 1:2")
    playing = at(f"{TWO} renege=2", *lines)
    assert (playing.phase, playing.deal.cards_left(1)) == (Phase.PLAY, 0)  # type: ignore[union-attr]
    assert [wrong.seat for wrong in playing.deal.open_reneges()] == [1]  # type: ignore[union-attr]
    said = refused(WrongPhase, step, playing, RenegeRuled(1, 2))
    assert said == "there is no wrong go to rule on now: use a penalty instead"
    shown = step(playing, parse_event("play 0:J"))
    assert step(shown, RenegeRuled(1, 2)).scores()[0] == shown.scores()[0] + 2


@pytest.mark.parametrize("ruling", ["put-right 0 121", "penalty 0 +121"])
def test_a_game_that_was_won_by_a_ruling_is_not_won_again_by_a_misdeal(ruling: str) -> None:
    over = at(TWO, "starter 5", ruling)
    assert over.winner == 0
    assert over.deal is not None
    assert over.deal.pegs[0].front == 120
