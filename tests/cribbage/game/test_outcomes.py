"""What a move pegs, told whole: for whom, in which deal, what for, with which cards, at which count."""

from __future__ import annotations

import pytest
from support.games import PACK
from support.records import after

from cribpi.cribbage.game.events import HeelsTaken, Misdealt
from cribpi.cribbage.game.ledger import Gains, Purpose, Show
from cribpi.cribbage.game.show import Kind, Score, SuitClaim
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.game.steps.common import longest_leads
from cribpi.cribbage.rules.seats import Pegs
from cribpi.cribbage.words.cards import parse_cards

TWO = 'game "A" "B" dealer=1'
THREE = 'game "A" "B" "C" dealer=0'
PLAY = "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7 0:10"
TO_29 = ("starter 5", "play 0:10 1:K 0:9")
"""The count is 29, and B can play no card of three or more."""


def told(state: State) -> list[tuple[int, int | None, Purpose, int, tuple[Score, ...], int]]:
    """Return what the last event pegged."""
    return [(one.side, one.deal, one.purpose, one.points, one.scores, one.count) for one in state.outcomes]


@pytest.mark.parametrize(("rules", "calls"), [("", "1:go 0:go"), ("go_award=call", "1:go")])
def test_a_go_pegs_for_the_last_card_of_its_count(rules: str, calls: str) -> None:
    state = after(f"{TWO} {rules}", *TO_29, f"play {calls}")
    assert told(state) == [(0, 1, Purpose.PEGGING, 1, (Score(Kind.GO, 1, parse_cards("9")),), 29)]


def test_a_go_that_pegs_nothing_is_its_own_sides() -> None:
    assert told(after(TWO, *TO_29, "play 1:go")) == [(1, 1, Purpose.PEGGING, 0, (), 29)]


@pytest.mark.parametrize("rules", ["", "go_award=call"])
def test_after_a_go_the_next_count_has_a_go_of_its_own(rules: str) -> None:
    state = after(f"{TWO} {rules}", *TO_29, "play 1:go 0:go")
    assert state.deal is not None
    assert (state.deal.closed, state.deal.pile, state.deal.go_taken_by) == ((3,), (), None)
    again = after(f"{TWO} {rules}", *TO_29, "play 1:go 0:go 1:Q 0:J 1:9 0:go", *["play 1:go"] * (not rules))
    assert told(again) == [(1, 1, Purpose.PEGGING, 1, (Score(Kind.GO, 1, parse_cards("9")),), 29)]


@pytest.mark.parametrize(
    ("lines", "heels"),
    [
        (("starter J",), (True, False)),
        (("starter J", "play 0:10"), (True, False)),
        (("starter J", "play 0:10 1:10"), (False, True)),
        (("starter J", "heels"), (False, False)),
        (("starter J", "play 0:10", "heels", "play 1:10"), (False, False)),
        (("starter Q", "play 0:10 1:10"), (False, False)),
        (("starter J", "play 0:10 1:10 0:10"), (False, True)),
    ],
)
def test_his_heels_are_open_until_the_dealers_first_card(
    lines: tuple[str, ...], heels: tuple[bool, bool]
) -> None:
    deal = after(f"{TWO} heels_deadline=first-card miscount=lost", *lines).deal
    assert deal is not None
    assert (deal.heels_open, deal.heels_lost) == heels


def test_his_heels_stay_open_while_the_others_play_a_count_without_the_dealer() -> None:
    rules = "dealer=3 heels_deadline=first-card miscount=lost"
    first = "play 0:10 1:10 2:10 3:go 0:go 1:go 2:go"
    closed = after(f'game "A" "B" "C" "D" {rules}', "starter J", first)
    assert closed.deal is not None
    assert (closed.deal.closed, closed.deal.heels_open) == ((3,), True)
    assert [one.points for one in step(closed, HeelsTaken()).outcomes] == [2]


@pytest.mark.parametrize(("rule", "points"), [("any", 3), ("over-another", 1)])
def test_the_last_two_cards_are_ones_own_and_a_pair_by_some_sheets_alone(rule: str, points: int) -> None:
    play = "play 0:10 1:10 0:8 1:A 0:go 1:A 1:A 0:3 0:3"
    assert after(f"{TWO} self_combinations={rule}", "starter 5", play).outcomes[0].points == points


@pytest.mark.parametrize(
    ("lead", "lines", "turn"),
    [
        ("left-of-last", (), 1),
        ("first-go", (), 1),
        ("left-of-last", ("play 1:10 2:10 0:8 1:go 2:A 0:go 2:go",), 0),
        ("first-go", ("play 1:10 2:10 0:8 1:go 2:A 0:go 2:go",), 1),
        ("first-go", ("play 1:10 2:10 0:10 1:A",), 2),
    ],
)
def test_who_leads(lead: str, lines: tuple[str, ...], turn: int) -> None:
    deal = after(f"{THREE} lead_after_close={lead}", "starter 5", *lines).deal
    assert deal is not None
    assert deal.turn == turn


@pytest.mark.parametrize(("worth", "last"), [("1", 1), ("none", 0)])
def test_the_last_card_is_one_or_nothing(worth: str, last: int) -> None:
    state = after(f"{TWO} last_card={worth}", "starter 5", PLAY)
    scores = (Score(Kind.LAST, 1, parse_cards("10")),) * last
    assert told(state) == [(0, 1, Purpose.PEGGING, last, scores, 27)]
    assert state.deal is not None
    assert state.deal.closed == (5, 3)


def test_a_hand_shown_goes_into_the_ledger_whole() -> None:
    state = after(TWO, "starter 5", PLAY, "show 0", "show 1")
    hands = [parse_cards("9 6 10 10"), parse_cards("6 5 4 7")]
    five = parse_cards("5")[0]
    assert state.ledger[-1].shows == (
        Show(1, 0, 0, 8, is_crib=False, cards=hands[0], starter=five, claim=SuitClaim()),
        Show(1, 1, 1, 14, is_crib=False, cards=hands[1], starter=five, claim=SuitClaim()),
    )


@pytest.mark.parametrize(("counted", "missed"), [(8, 0), (7, 1), (0, 8)])
def test_what_was_missed_is_the_others_where_there_is_one_other(counted: int, missed: int) -> None:
    state = after(f"{TWO} miscount=muggins", "starter 5", PLAY, f"show 0 counted={counted}")
    pegged = [(one.side, one.purpose, one.points) for one in state.outcomes]
    assert pegged == [(0, Purpose.HAND, counted), *[(1, Purpose.MUGGINS, missed)] * (missed > 0)]
    assert state.counted is not None
    assert (state.counted.points, state.counted.least) == (8, 0)


def test_a_misdeal_tells_what_each_side_gives_back() -> None:
    state = after(TWO, "starter J", "play 0:10 1:10")
    assert told(step(state, Misdealt())) == [(1, 1, Purpose.CORRECTION, -4, (), 0)]


def test_a_misdeal_before_anything_was_pegged_is_told_of_its_dealer() -> None:
    state = step(after(TWO, "starter 5"), Misdealt())
    assert told(state) == [(1, 1, Purpose.CORRECTION, 0, (), 0)]
    assert state.ledger[-1].dealer == 1


def test_what_the_congress_takes_back_does_not_go_below_the_start_by_a_misdeal_either() -> None:
    state = after(f"{TWO} false_win=acc", "starter 5", "play 0:10 1:10 0:10", "false-win 0 6")
    assert state.scores() == (0, 2 + 115)
    assert step(state, Misdealt()).scores() == (0, 115)


def test_his_heels_that_the_dealer_takes_are_the_turned_jacks() -> None:
    dealt = ("10C KC 10D KD 9C QC 5C 6D AC AH AD AS JH").split()
    pack = f"pack {' '.join([*dealt, *(card for card in map(str, PACK) if card not in dealt)])}"
    game = (
        f"{TWO[:-1]}0 rules=acc entry=dealt",
        pack,
        "laid-away 1 AC AD",
        "laid-away 0 AH AS",
        "starter JH",
    )
    scores = (Score(Kind.HEELS, 2, parse_cards("JH")),)
    assert told(step(after(*game), HeelsTaken())) == [(0, 1, Purpose.HEELS, 2, scores, 0)]


def test_a_misdeal_takes_back_what_was_called_in_its_deal() -> None:
    called = after(f"{THREE} miscount=muggins entry=peg", *["next"] * 3, "peg 1 4", "muggins 2 1 2")
    assert called.scores() == (0, 4, 2)
    assert step(called, Misdealt()).scores() == (0, 0, 0)


def test_each_deal_is_booked_with_its_dealer() -> None:
    state = after(TWO, "starter J", "play 0:9 1:6 0:6", "misdeal", "starter J")
    assert [(row.dealer, *row.gains) for row in state.ledger] == [
        (None, Gains(), Gains()),
        (1, Gains(), Gains(heels=2)),
    ]


LEADS = [
    # what they were   where the pegs stand   what they are
    ((0, 0), (10, 4), (6, 0)),
    ((8, 0), (10, 4), (8, 0)),
    ((0, 0), (4, 10), (0, 6)),
    ((1, 2), (7, 7), (1, 2)),
    ((0, 0, 0), (10, 4, 7), (3, 0, 0)),
    ((0, 0, 0), (4, 10, 7), (0, 3, 0)),
    ((1, 0, 2), (4, 7, 10), (1, 0, 3)),
    ((0, 0, 0), (9, 9, 3), (0, 0, 0)),
]


@pytest.mark.parametrize(("leads", "fronts", "now"), LEADS)
def test_a_lead_is_over_whoever_is_next(
    leads: tuple[int, ...], fronts: tuple[int, ...], now: tuple[int, ...]
) -> None:
    assert longest_leads(leads, tuple(Pegs(front=front, back=0) for front in fronts)) == now
