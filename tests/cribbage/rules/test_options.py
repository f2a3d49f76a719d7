"""Every value of every option, each in a case in which it tells; and options that make no sense together."""

from __future__ import annotations

import re

import pytest
from support import games

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import GameStarted
from cribpi.cribbage.game.show import Kind, Score, score_hand, total
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.record import HEADER, Comment, RecordError, parse, parse_event, print_event
from cribpi.cribbage.results.games import next_game
from cribpi.cribbage.rules import errors
from cribpi.cribbage.rules.errors import BadSetup, RuleError
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import (
    Rules,
    changed,
    differences,
    house_changes,
    house_rules,
    preset,
    read,
    written,
)
from cribpi.cribbage.words.tell import tell


def states(*lines: str) -> list[State]:
    """Return the states after each event of a record's *lines*."""
    found, state = [], State()
    for event in parse("\n".join((HEADER, *lines))):
        assert not isinstance(event, Comment)
        state = step(state, event)
        found.append(state)
    return found


def pegged(*lines: str) -> str:
    """Tell what each event pegged, as `side+points`, then the scores."""
    told: list[str] = []
    before = State()
    for state in states(*lines):
        if state.outcomes is not before.outcomes:
            told += [f"{one.side}{one.points:+}" for one in state.outcomes if one.points]
        before = state
    return " ".join(told)


TWO = 'game "A" "B" dealer=1'
THREE = 'game "A" "B" "C" dealer=0'
FOUR = 'game "A" "B" "C" "D" dealer=3'
FIRST = "play 0:9 1:6 0:6 1:5 0:go 1:4 1:go"
"""The first count of board-set's first deal."""
REST = "play 0:10 1:7 0:10"
SECOND = "play 0:8 1:7 0:7 1:6 0:go 1:go"
"""The first count of board-set's second deal."""
FIFTEEN = "play 0:10 1:10 0:10 1:go 0:go 1:7 0:2 1:2 0:2 1:2"
OWN = "play 0:10 1:10 0:3 1:go 0:3 0:3"
"""Seat 0 plays three threes one after the other, over a go; the last closes the count at 29."""
GO_OF_THREE = "play 1:10 2:10 0:8 1:go 2:A 0:go 2:go"
TWO_GOES = "play 1:9 2:8 0:9 1:go 2:go"
"""At 26 A could play on."""
HANDS = ("starter 5", "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7 0:10")
"""Seat 0 then shows 8, and seat 1 shows 14."""
FLUSH = (
    "starter 6S",
    "play 0:3H 1:AC 0:9D 1:QD 0:7S 1:go 0:go 1:KC 0:JC 1:JD",
    *("show 0", "show 1", "crib-card 2H", "crib-card 4H", "crib-card 8H", "crib-card KH"),
)
"""The crib is four hearts, and the starter a spade."""

PEGGED = [
    # the game's options        what happens                        what is pegged            why
    ("go_award=close", TWO, (FIRST, REST), "1+2 0+2 1+3 1+1 0+1", "board-set's first deal"),
    ("go_award=call", TWO, (FIRST, REST), "1+2 0+2 1+1 1+3 0+1", "the go is pegged when A calls it"),
    (
        "go_award=close",
        TWO,
        (SECOND, "play 0:5"),
        "1+2 0+2 1+1",
        "board-set's second deal: no run over counts",
    ),
    ("go_award=call", TWO, (SECOND, "play 0:5"), "1+2 0+2 1+1", "one for the call, and nothing at the close"),
    ("go_award=close", THREE, (GO_OF_THREE,), "2+2 2+1", "C is the last to play"),
    # No new game of three begins so; one that did is played as it was.
    ("go_award=call", THREE, (GO_OF_THREE,), "2+2 0+1", "A was, when the first said go"),
    (
        "go_award=call",
        THREE,
        ("play 1:10 2:10 0:9 1:go 2:A 0:A",),
        "2+2 0+1 0+3",
        "thirty-one by the same player is one more, beside the pair",
    ),
    (
        "go_award=call",
        THREE,
        ("play 1:10 2:10 0:9 1:go 2:2",),
        "2+2 0+1 2+2",
        "thirty-one by another is two",
    ),
    ("go_award=call", TWO, ("play 0:10 1:10 0:9 1:lead:3 1:go",), None, "A leads, not B"),
    ("go_award=call", TWO, ("play 0:10 1:Q 0:9 1:lead:3",), "0+1", "a lead tells the call too"),
    ("after_go=play-on", THREE, (TWO_GOES, "play 0:2", "play 0:3"), "0+2", "A goes on to thirty-one"),
    ("after_go=two-close", THREE, (TWO_GOES,), "0+1", "two goes in a row close the count"),
    ("after_go=two-close", THREE, (TWO_GOES, "play 1:9"), "0+1", "B leads the next"),
    ("after_go=two-close", THREE, (TWO_GOES, "play 0:2"), None, "it is B's turn"),
    ("after_go=two-close", THREE, (GO_OF_THREE,), "2+2 2+1", "a card between them: the count goes on"),
    ("last_card=1", TWO, (FIRST, REST), "1+2 0+2 1+3 1+1 0+1", "one for the last card"),
    ("last_card=none", TWO, (FIRST, REST), "1+2 0+2 1+3 1+1", "nothing for it, if the house says so"),
    ("last_card=1", TWO, (FIFTEEN,), "1+2 0+6 0+1 1+2 0+6 1+15", "12 and 2 and 1: the most for a card"),
    ("last_card=none", TWO, (FIFTEEN,), "1+2 0+6 0+1 1+2 0+6 1+14", "12 and 2"),
    (
        "last_card=none",
        TWO,
        ("play 0:10 1:10 0:10 1:A 0:Q 1:Q 0:Q 1:A",),
        "1+2 0+6 1+2 1+2 0+6 1+2",
        "thirty-one with the last card is two by any rule",
    ),
    ("play_rounds=all", TWO, (FIRST, REST), "1+2 0+2 1+3 1+1 0+1", "until every card is played"),
    ("play_rounds=one", TWO, (FIRST,), "1+2 0+2 1+3 1+1", "play now ends for this deal (use-and-care)"),
    ("play_rounds=one", TWO, (SECOND,), "1+2 0+2 1+1", "with the go of the second deal too"),
    ("play_rounds=one", TWO, ("play 0:10 1:10 0:10 1:A",), "1+2 0+6 1+2", "and with thirty-one"),
    (
        "play_rounds=one",
        TWO,
        ("play 0:A 1:A 0:A 1:A 0:2 1:2 0:2 1:2",),
        "1+2 0+6 1+12 1+2 0+6 1+13",
        "eight cards of one count: a double pair royal, and one for last card",
    ),
    ("self_combinations=any", TWO, (OWN,), "1+2 0+2 0+7", "one's own cards pair, over a go (board-set)"),
    ("self_combinations=over-another", TWO, (OWN,), "1+2 0+7", 'only "the opponent\'s" card (lowe)'),
    (
        "self_combinations=over-another",
        TWO,
        (FIRST, REST),
        "1+2 0+2 1+3 1+1 0+1",
        "runs and fifteens may hold two cards of one's own",
    ),
    (
        "self_combinations=over-another",
        THREE,
        ("play 1:9 2:9 0:3 1:3 2:go 0:go 1:3 1:3",),
        "2+2 1+2 1+6 1+13",
        "B's 3 is over A's; three and four of a kind are in succession, and one for go",
    ),
    ("heels=2", TWO, ("starter J",), "1+2", "two for his heels"),
    ("heels=1", TWO, ("starter J",), "1+1", "a house's own"),
    ("heels=3", TWO, ("starter J",), "1+3", "a house's own"),
    ("heels=none", TWO, ("starter J",), "", "computer-game never names it"),
    ("stinkhole=any", TWO, ("starter 4", "put-right 1 115", FIRST), "1+115 1+2 0+2 1+3 1+1", "a go wins"),
    (
        "stinkhole=not-heels",
        TWO,
        ("starter 4", "put-right 1 115", FIRST),
        "1+115 1+2 0+2 1+3 1+1",
        "so it does",
    ),
    ("stinkhole=not-go", TWO, ("starter 4", "put-right 1 115", FIRST), "1+115 1+2 0+2 1+3", "not from 120"),
    (
        "stinkhole=not-go",
        TWO,
        ("starter 4", "put-right 1 114", FIRST),
        "1+114 1+2 0+2 1+3 1+1",
        "up to there",
    ),
    (
        "stinkhole=not-go go_award=call",
        TWO,
        ("starter 4", "put-right 1 118", "play 0:9 1:6 0:6 1:5 0:go 1:4"),
        "1+118 1+2 0+2 1+3",
        "a go at the call neither, but a run wins",
    ),
    (
        "stinkhole=not-go",
        TWO,
        ("starter 4", "put-right 0 118", FIRST, REST),
        "0+118 1+2 0+2 1+3 1+1",
        "the last card is no better than a go",
    ),
    (
        "stinkhole=not-go",
        TWO,
        ("put-right 1 102", FIFTEEN),
        "1+102 1+2 0+6 0+1 1+2 0+6 1+14",
        "a last card pegs what else it makes, as far as the stinkhole",
    ),
    ("stinkhole=any", TWO, ("put-right 1 120", "starter J"), "1+120 1+2", "a jack wins"),
    ("stinkhole=not-heels", TWO, ("put-right 1 120", "starter J"), "1+120", "not from the stinkhole"),
    ("stinkhole=not-go", TWO, ("put-right 1 120", "starter J"), "1+120", "nor by this rule"),
    (
        "stinkhole=not-heels",
        TWO,
        ("put-right 1 119", "starter J"),
        "1+119 1+2",
        "from the hole before it does",
    ),
    (
        "stinkhole=not-heels heels_deadline=first-card miscount=lost",
        TWO,
        ("put-right 1 119", "starter J", "put-right 1 120", "heels"),
        "1+119 1+1",
        "in the stinkhole by a correction",
    ),
    ("stinkhole=not-go entry=peg", TWO, ("put-right 1 120", "next", "peg 1 1"), None, "1 is a go"),
    ("stinkhole=not-go entry=peg", TWO, ("put-right 1 120", "next", "peg 1 1 go"), None, "a go"),
    (
        "stinkhole=not-go entry=peg",
        TWO,
        ("put-right 1 120", "next", "peg 1 1 last"),
        None,
        "nor last",
    ),
    ("stinkhole=any entry=peg", TWO, ("next", "put-right 1 120", "peg 1 2 heels"), "1+120 1+2", "by points"),
    (
        "stinkhole=not-heels entry=peg",
        TWO,
        ("next", "put-right 1 120", "peg 1 2"),
        None,
        "his heels by points",
    ),
    (
        "stinkhole=not-go entry=peg go_award=call",
        TWO,
        ("put-right 1 120", "next", "peg 1 1"),
        "1+120 1+1",
        "it may be thirty-one after a go",
    ),
    (
        "heels_deadline=none",
        TWO,
        ("starter J", "play 0:5 1:10"),
        "1+2 1+2",
        "pegged at once",
    ),
    (
        "heels_deadline=first-card miscount=lost",
        TWO,
        ("starter J", "play 0:5", "heels", "play 1:10"),
        "1+2 1+2",
        "taken in time",
    ),
    (
        "heels_deadline=first-card miscount=lost",
        TWO,
        ("starter J", "play 0:5 1:10", "heels"),
        None,
        "too late after the dealer's first card",
    ),
    ("heels_deadline=first-card miscount=lost", TWO, ("starter J", "heels", "heels"), None, "only once"),
    ("heels_deadline=first-card miscount=lost", TWO, ("starter Q", "heels"), None, "no jack"),
    (
        "miscount=machine",
        TWO,
        (*HANDS, "show 0", "show 1"),
        "1+2 0+2 1+3 1+1 0+1 0+8 1+14",
        "the computer counts",
    ),
    ("miscount=machine", TWO, (*HANDS, "show 0 counted=8"), None, "and asks for no count"),
    ("miscount=lost", TWO, (*HANDS, "show 0"), None, "a count is to be given"),
    ("miscount=lost", TWO, (*HANDS, "show 0 counted=6"), "1+2 0+2 1+3 1+1 0+1 0+6", "two are lost"),
    (
        "miscount=lost",
        TWO,
        (*HANDS, "show 0 counted=12"),
        "1+2 0+2 1+3 1+1 0+1 0+8",
        "too much pegs the truth",
    ),
    ("miscount=lost", TWO, (*HANDS, "show 0 counted=0"), "1+2 0+2 1+3 1+1 0+1", "all is lost"),
    *(
        ("miscount=lost", TWO, (*HANDS, f"show 0 counted={no}"), None, "no such count exists")
        for no in (19, 25, 26, 27, 30, 99)
    ),
    *(
        (
            "miscount=muggins",
            TWO,
            (*HANDS, f"show 0 counted={no}"),
            "1+2 0+2 1+3 1+1 0+1 0+8",
            "an overclaim: the truth is pegged",
        )
        for no in (19, 25, 26, 27, 30, 99)
    ),
    ("miscount=muggins", TWO, (*HANDS, "show 0 counted=6"), "1+2 0+2 1+3 1+1 0+1 0+6 1+2", "B takes two"),
    (
        "miscount=muggins",
        TWO,
        (*HANDS, "show 0 counted=8", "muggins 1 0 3 wrong"),
        "1+2 0+2 1+3 1+1 0+1 0+8 0+3",
        "a wrong call gives its points away",
    ),
    ("miscount=muggins", TWO, (*HANDS, "show 0 counted=8", "muggins 1 0 3"), None, "nothing was missed"),
    ("miscount=muggins", TWO, (*HANDS, "show 0 counted=8", "muggins 0 0 3"), None, "on oneself"),
    (
        "miscount=muggins",
        TWO,
        (*HANDS, "show 0 counted=8", "muggins 1 0 30 wrong"),
        None,
        "more than there is",
    ),
    (
        "miscount=muggins",
        TWO,
        (*HANDS, "show 0 counted=8", "show 1 counted=14", "muggins 1 0 3 wrong"),
        None,
        "at that hand and not later",
    ),
    ("miscount=lost", TWO, (*HANDS, "show 0 counted=6", "muggins 1 0 2"), None, "no muggins by these rules"),
]


@pytest.mark.parametrize(("options", "start", "lines", "expected", "why"), PEGGED)
def test_each_value_pegs_what_its_source_says(
    options: str, start: str, lines: tuple[str, ...], expected: str | None, why: str
) -> None:
    is_begun = "entry=peg" in options or any(line.startswith("starter") for line in lines)
    begin = [] if is_begun else ["starter K"]
    whole = (f"{start} {options}", *begin, *lines)
    if expected is None:
        states(*whole[:-1])
        with pytest.raises(RuleError) as refused:
            states(*whole)
        assert len(str(refused.value).split()) > 3, why
    else:
        assert pegged(*whole) == expected, why


def test_the_lead_after_a_close_is_the_next_to_the_left_or_who_said_go_first() -> None:
    [*_, left] = states(f"{THREE} lead_after_close=left-of-last", "starter K", GO_OF_THREE)
    [*_, first] = states(f"{THREE} lead_after_close=first-go", "starter K", GO_OF_THREE)
    assert left.deal is not None
    assert left.deal.turn == 0, "on the left of C, who was the last to play"
    assert first.deal is not None
    assert first.deal.turn == 1, "B said go first"
    [*_, closed] = states(f"{THREE} lead_after_close=first-go", "starter K", "play 1:10 2:10 0:10 1:A")
    assert closed.deal is not None
    assert closed.deal.turn == 2, "nobody said go before this thirty-one"


@pytest.mark.parametrize(("value", "worth"), [("five", 0), ("four", 4)])
def test_four_of_a_suit_in_the_crib_are_a_flush_by_some_sheets_alone(value: str, worth: int) -> None:
    lines = (f"{TWO} crib_flush={value}", *FLUSH)
    [*_, shown] = states(*lines, "crib" if not worth else "crib flush-4")
    assert shown.last is not None
    # 2 4 8 K with 6: no fifteen but none: 2+4+8 is 14, 6+8 is 14, 2+... 13; no pair and no run
    assert shown.last.points == worth
    with pytest.raises(errors.ImpossibleClaim):
        states(*lines, "crib flush-5")
    with pytest.raises(errors.ImpossibleClaim):
        states(*lines, "crib flush-4" if not worth else "crib")


@pytest.mark.parametrize("name", rulebook().presets)
def test_the_crib_of_each_preset_counts_a_flush_of_four_or_not_as_its_sheet_says(name: str) -> None:
    four = {"computer-game", "travel-61", "travel-121"}
    [*_, before] = states(f"{TWO} rules={name}", FLUSH[0])
    assert before.rules.crib_flush == ("four" if name in four else "five")


FIVE_CARD = f"{TWO} rules=five-card"


def test_at_five_card_pone_starts_with_three_for_last_and_a_misdeal_leaves_them() -> None:
    [begun] = states(FIVE_CARD)
    assert begun.scores() == (3, 0)
    assert begun.last is not None
    assert begun.last.scores == (Score(Kind.THREE_FOR_LAST, 3, ()),)
    assert tell(begun.last.event, begun) == "a new game to 61, Five-card: A, B; A: three for last"
    [*_, again] = states(FIVE_CARD, "starter J", "misdeal")
    assert again.scores() == (3, 0)
    assert states(f"{TWO} rules=five-card first_dealer=chosen".replace(" dealer=1", ""), "dealer 0")[
        -1
    ].scores() == (0, 3)


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [("2C 6C KC", "8C", 4), ("2C 6C KC", "8H", 3), ("5C 5D 5H", "5S", 20), ("JC QC KC", "5C", 14)],
)
def test_at_five_card_a_hand_of_three_counts_with_the_starter(hand: str, starter: str, points: int) -> None:
    cards = tuple(map(Card.parse, hand.split()))
    assert total(score_hand(cards, Card.parse(starter))) == points


def test_at_five_card_a_deal_is_one_count_hands_of_three_and_a_crib_of_four() -> None:
    # 10+5 is fifteen; 10+5+9 is 24; 7 makes thirty-one, and the 8 and the 6 are not played
    lines = (
        *("dealt 0 10C 9C 8C 2H 3H", "dealt 1 5D 7D 6D KH QH", "laid-away 0 2H 3H", "laid-away 1 KH QH"),
        *("starter JS", "play 0:10C 1:5D 0:9C 1:7D", "hand-card 0 8C"),
    )
    # heels 2; fifteen 2; thirty-one 2; 8 9 10 with a J: a run of four, and a flush of three;
    # 5 6 7 with a J: a fifteen, a run and a flush of three; crib 2 3 K Q with a J: three fifteens and a run
    shows = ("show 0 flush-3", "hand-card 1 6D", "show 1 flush-3", "crib")
    assert pegged(FIVE_CARD, *lines, *shows) == "0+3 1+2 1+2 1+2 0+7 1+8 1+9"


def test_three_for_last_and_five_card_are_for_two() -> None:
    with pytest.raises(BadSetup, match="three for last is for two players"):
        house_rules("standard", 3, {"three_for_last": "on"})
    with pytest.raises(BadSetup, match="deal=five-card is not for 3 players"):
        house_rules("standard", 3, {"deal": "five-card"})
    with pytest.raises(BadSetup, match="five-card is not for 4 players"):
        preset("five-card", 4)


RENEGED = ("starter K", "play 0:9 1:6 0:10 1:go 0:go 1:4 0:10 1:5 0:8 1:lead:5")
"""At 25 seat 1 said go, and held a 4 and two 5s: each of them would have fitted."""


@pytest.mark.parametrize(("value", "points"), [("noted", 0), ("2", 2), ("2-a-card", 6)])
def test_a_wrong_go_costs_what_the_house_says(value: str, points: int) -> None:
    lines = (f"{TWO} renege={value}", *RENEGED)
    [*_, before, after] = states(*lines, f"renege 1 {points}")
    assert after.scores()[0] == before.scores()[0] + points
    assert after.scores()[1] == before.scores()[1]
    with pytest.raises(errors.WrongPhase, match="no wrong go to rule on"):
        step(after, parse_event(f"renege 1 {points}"))
    with pytest.raises(errors.WrongPhase, match="no wrong go to rule on"):
        step(before, parse_event("renege 0 0"))
    with pytest.raises(errors.ImpossiblePoints, match="or nothing"):
        step(before, parse_event("renege 1 8"))
    assert step(before, parse_event("renege 1 0")).scores() == before.scores(), "it may be let go"


RENEGED_OF_THREE = (
    "starter Q",
    "play 1:10 2:10 0:4 1:go 2:go 0:go",  # at 24 seat 1 holds a 2 and a 3, and both would have fitted
    "play 1:3 2:9 0:9 1:2 2:8",
    "play 0:9 1:9 2:8 0:go",
    "play 0:K",
)


@pytest.mark.parametrize(("value", "points"), [("noted", 0), ("2", 2), ("2-a-card", 4)])
def test_a_wrong_go_of_three_gives_its_points_to_both_others(value: str, points: int) -> None:
    [*_, before, after] = states(f"{THREE} renege={value}", *RENEGED_OF_THREE, f"renege 1 {points}")
    assert before.phase is Phase.SHOW
    assert before.scores() == (4, 2, 5)
    assert after.scores() == (4 + points, 2, 5 + points)
    assert after.phase is Phase.SHOW
    assert after.deal is not None
    assert after.deal.shown == 0, "pone's hand is still to be shown"


PRESETS_BY_HAND = [
    # name            players   what it is not like the standard game of two in (rules.md)
    ("standard", (2, 3, 4), {}),
    ("computer-game", (2, 3), {"heels": "none", "crib_flush": "four"}),
    ("lowe", (2, 3, 4), {"self_combinations": "over-another"}),
    ("use-and-care", (2,), {"play_rounds": "one", "self_combinations": "over-another"}),
    (
        "travel-61",
        (2,),
        {"target": "61", "starter_cut": "dealer-turns", "crib_flush": "four"},
    ),
    ("travel-121", (2,), {"starter_cut": "dealer-turns", "crib_flush": "four"}),
    (
        "five-card",
        (2,),
        {"target": "61", "deal": "five-card", "three_for_last": "on", "play_rounds": "one"},
    ),
    (
        "acc",
        (2,),
        {
            "heels_deadline": "first-card",
            "miscount": "lost",
            "stake": "2-3-3",
            "renege": "2-a-card",
            "false_win": "acc",
        },
    ),
    (
        "acc-muggins",
        (2,),
        {
            "heels_deadline": "first-card",
            "miscount": "muggins",
            "stake": "2-3-3",
            "renege": "2-a-card",
            "false_win": "acc",
        },
    ),
]

BY_PLAYERS = {
    2: {},
    3: {"players": "3", "deal": "five-and-pack", "starter_cut": "left-cuts"},
    4: {"players": "4", "deal": "five", "starter_cut": "left-cuts", "partners_scorekeeper": "on"},
}


@pytest.mark.parametrize(("name", "players", "other"), PRESETS_BY_HAND)
def test_each_preset_is_what_its_sheet_says(
    name: str, players: tuple[int, ...], other: dict[str, str]
) -> None:
    assert find_preset(name).players == players
    for number in players:
        found = {option: pair[1] for option, pair in differences(Rules(), preset(name, number)).items()}
        assert found == {**BY_PLAYERS[number], **other}
        assert house_changes(preset(name, number)) == {}
    for number in {2, 3, 4} - set(players):
        with pytest.raises(BadSetup, match=f"is not for {number} players"):
            preset(name, number)


def test_every_preset_is_in_the_table() -> None:
    assert [name for name, _, _ in PRESETS_BY_HAND] == list(rulebook().presets)


NO_SENSE = [
    # what the house wants                                        what is said
    ({"deal": "five"}, "deal=five is not for 2 players: choose deal=six"),
    ({"heels": "none", "heels_deadline": "first-card", "miscount": "lost"}, "choose heels_deadline=none"),
    ({"heels_deadline": "first-card"}, "choose heels_deadline=none, or miscount=lost or muggins"),
    ({"skunk": "off"}, "choose double_skunk=off too"),
    ({"lead_after_close": "first-go", "play_rounds": "one"}, "choose lead_after_close=left-of-last"),
    ({"partners_scorekeeper": "on"}, "choose partners_scorekeeper=off"),
    ({"partners_scorekeeper": "2-3"}, "choose partners_scorekeeper=off"),
    ({"target": "30"}, "choose 121 or 61, or any number from 31 to 121"),
    ({"target": "122"}, "choose 121 or 61"),
    ({"stake": "2-1-3"}, "such as 2-3-3"),
    ({"stake": "0-1-3"}, "from 1 to 9"),
    ({"stake": "1-2-10"}, "from 1 to 9"),
    ({"stake": "1-2"}, "three numbers from 1 to 9"),
    ({"stake": "1-2-3-4"}, "three numbers"),
    ({"stake": f"{'1' * 5000}-2-3"}, "three numbers"),
    ({"match": "first-to-0"}, "choose open, first-to-3 or best-of-5"),
    ({"match": "best-of-100"}, "choose open, first-to-3 or best-of-5"),
    ({"heels": "4"}, "heels=4 is not offered: choose 1, 2, 3, none"),
    ({"target": "\N{FULLWIDTH DIGIT SIX}1"}, "is not offered"),
    ({"last_card": "2"}, "choose 1, none"),
    ({"skunk": "maybe"}, "choose on, off"),
    ({"crib_flush": "three"}, "choose five, four"),
    ({"colour": "red"}, "'colour' is not an option of the rules"),
]


@pytest.mark.parametrize(("changes", "says"), NO_SENSE)
def test_what_makes_no_sense_is_refused_with_what_would(changes: dict[str, str], says: str) -> None:
    with pytest.raises(BadSetup, match=re.escape(says)):
        house_rules("standard", 2, changes)


TOGETHER = [
    # players, what the house wants, what is said, and what it may choose instead
    (2, {"deal": "five"}, "deal=five is not for 2 players: choose deal=six", "deal=six"),
    (4, {"deal": "six"}, "deal=six is not for 4 players: choose deal=five", "deal=five"),
    (
        2,
        {"heels": "none", "heels_deadline": "first-card", "miscount": "lost"},
        "with heels=none there is nothing to take: choose heels_deadline=none",
        "heels_deadline=none",
    ),
    (
        2,
        {"heels_deadline": "first-card"},
        (
            "with miscount=machine, cribpi pegs his heels and no deadline applies: "
            "choose heels_deadline=none, or miscount=lost or muggins"
        ),
        "heels_deadline=none miscount=lost miscount=muggins",
    ),
    (2, {"skunk": "off"}, "double skunks need skunks: choose double_skunk=off too", "double_skunk=off"),
    (
        3,
        {"lead_after_close": "first-go", "play_rounds": "one"},
        "with play_rounds=one there is no second count to lead: choose lead_after_close=left-of-last",
        "lead_after_close=left-of-last",
    ),
    (
        2,
        {"after_go": "two-close"},
        "after_go=two-close is for three players: choose after_go=play-on",
        "after_go=play-on",
    ),
    (
        3,
        {"overpegged": "to-the-other"},
        (
            "overpegged=to-the-other gives points to the opponent, but here there are two: "
            "choose overpegged=put-right"
        ),
        "overpegged=put-right",
    ),
    (
        3,
        {"false_win": "lose"},
        "false_win=lose gives the game to the opponent, but here there are two: choose false_win=put-right",
        "false_win=put-right",
    ),
    (
        3,
        {"false_win": "acc"},
        "false_win=acc gives points to the opponent, but here there are two: choose false_win=put-right",
        "false_win=put-right",
    ),
    (
        3,
        {"partners_scorekeeper": "2-3"},
        "only partners choose who moves the pegs: choose partners_scorekeeper=off",
        "partners_scorekeeper=off",
    ),
]


@pytest.mark.parametrize(("players", "changes", "said", "remedies"), TOGETHER)
def test_what_can_be_chosen_instead_is_offered_and_makes_sense(
    players: int, changes: dict[str, str], said: str, remedies: str
) -> None:
    with pytest.raises(BadSetup) as refused:
        house_rules("standard", players, changes)
    assert str(refused.value) == said
    assert [f"{name}={value}" for name, value in refused.value.remedies] == remedies.split()
    for name, value in refused.value.remedies:
        assert house_rules("standard", players, changes | {name: value}).players == players


def test_a_new_number_of_players_brings_its_deal() -> None:
    assert changed(Rules(), {"players": "3"}).deal == "five-and-pack"
    assert changed(Rules(), {"players": "4", "heels": "3"}) == Rules(players=4, deal="five", heels=3)
    with pytest.raises(BadSetup, match=r"^deal=six is not for 3 players: choose deal=five-and-pack$"):
        changed(Rules(), {"players": "3", "deal": "six"})


def test_a_house_may_play_for_up_to_nine_and_its_number_of_players_is_that_of_the_game() -> None:
    assert house_rules("standard", 2, {"stake": "1-2-9"}).stake == (1, 2, 9)
    assert house_rules("standard", 2, {"players": "4", "heels": "3"}).players == 2


def test_the_false_win_of_the_congress_is_for_two_sides() -> None:
    assert house_rules("standard", 4, {"false_win": "acc"}).false_win == "acc"


@pytest.mark.parametrize("players", [3, 4])
def test_a_go_at_the_call_is_for_two_and_a_game_that_was_begun_with_it_is_still_read(players: int) -> None:
    """With three or four the first to say go can't tell who plays last."""
    with pytest.raises(BadSetup) as refused:
        house_rules("standard", players, {"go_award": "call"})
    assert str(refused.value) == (
        "go_award=call is for two players: with three or four, only the end of the count shows "
        "who plays last; choose go_award=close"
    )
    assert refused.value.remedies == (("go_award", "close"),)
    assert house_rules("standard", 2, {"go_award": "call"}).go_award == "call"
    names = " ".join(f'"{name}"' for name in "ABCD"[:players])
    started = parse_event(f"game {names} go_award=call")
    assert isinstance(started, GameStarted)
    assert started.rules.go_award == "call"
    assert "go_award=call" in print_event(started)


@pytest.mark.parametrize(
    ("field", "value"), [("heels", 4), ("heels", -2), ("last_card", 2), ("players", 5), ("name", "pagat")]
)
def test_numbers_that_no_option_has_are_refused_in_the_rules_themselves(field: str, value: object) -> None:
    with pytest.raises(BadSetup, match=r"choose|there are|cribbage is for"):
        Rules(**{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("option", rulebook().options.values(), ids=lambda option: option.name)
def test_each_value_is_read_as_it_is_written_and_makes_a_game(option: object) -> None:
    one = rulebook().options[getattr(option, "name", "")]
    assert one.default in one.values
    for value, text in one.values.items():
        assert text
        assert written(read(one.name, value)) == value
        changes = {one.name: value, **WITH.get((one.name, value), {})}
        rules = changed(Rules(), changes)
        assert written(getattr(rules, one.name)) == value
        names = " ".join(f'"{name}"' for name in games.NAMES[: rules.players])
        shown = " ".join(f"{name}={text}" for name, text in changes.items() if name != "players")
        [state] = states(f"game {names} {shown}")
        assert getattr(state.rules, one.name) == getattr(rules, one.name)


@pytest.mark.parametrize(
    ("value", "keepers"),
    [("", (0, 1)), ("on", (0, 1)), ("0-3", (0, 3)), ("2-1", (2, 1)), ("2-3", (2, 3)), ("off", ())],
)
def test_the_two_who_keep_the_board_are_chosen_one_of_each_side(value: str, keepers: tuple[int, ...]) -> None:
    setting = f" partners_scorekeeper={value}" if value else ""
    [state] = states(f'game "A" "B" "C" "D" rules=lowe{setting}')
    assert state.rules.scorekeepers == keepers
    assert sorted(map(state.side, keepers)) == [0, 1][: len(keepers)]
    begun = parse_event(print_event(GameStarted(state.names, state.rules)))
    assert isinstance(begun, GameStarted)
    assert begun.rules == state.rules


def test_two_of_one_side_cannot_keep_the_board() -> None:
    for value in ("0-2", "1-3", "1-0", "3", "true"):
        with pytest.raises(RecordError, match="is not offered: choose on, 0-3, 2-1, 2-3, off"):
            states(f'game "A" "B" "C" "D" partners_scorekeeper={value}')


WITH = {
    ("deal", "five-and-pack"): {"players": "3"},
    ("deal", "five"): {"players": "4"},
    ("heels_deadline", "first-card"): {"miscount": "lost"},
    ("skunk", "off"): {"double_skunk": "off"},
    ("after_go", "two-close"): {"players": "3"},
    **{("partners_scorekeeper", value): {"players": "4"} for value in ("on", "0-3", "2-1", "2-3")},
}
"""What a value needs beside it to make sense."""


def test_every_value_of_the_play_and_the_show_has_a_case_of_its_own() -> None:
    told = {word for options, *_ in PEGGED for word in options.split()}
    told |= {f"lead_after_close={value}" for value in ("left-of-last", "first-go")}
    told |= {f"crib_flush={value}" for value in ("five", "four")}
    told |= {f"renege={value}" for value in ("noted", "2", "2-a-card")}
    for name in (
        *("go_award", "last_card", "play_rounds", "lead_after_close", "self_combinations", "crib_flush"),
        *("heels", "heels_deadline", "miscount", "renege", "stinkhole", "after_go"),
    ):
        assert {f"{name}={value}" for value in rulebook().options[name].values} <= told, name


# --- who deals first --------------------------------------------------------------------------------


def test_the_first_dealer_is_cut_for_drawn_or_chosen() -> None:
    for value in ("random", "chosen"):
        [state] = states(f'game "A" "B" first_dealer={value}')
        assert state.phase is Phase.CUT
        with pytest.raises(errors.WrongPhase, match="choose who deals first"):
            step(state, parse_event("cut 0 7"))
        chosen = step(state, parse_event("dealer 1"))
        assert chosen.deal is not None
        assert chosen.deal.dealer == 1
    [state] = states('game "A" "B" first_dealer=low-cut')
    assert step(state, parse_event("cut 0 7")).cuts == (Card.parse("7"), None)


NEXT = [
    # option          players  first dealer, winner   next first dealer   why
    ("loser", 2, 0, 0, 1, "the loser of the game before deals (lowe)"),
    ("winner", 2, 1, 0, 0, "the winner deals"),
    ("alternate", 2, 0, 0, 1, "the first deal passes on"),
    ("alternate", 2, 1, 1, 0, "whoever has won"),
    ("alternate", 3, 2, 1, 0, "round the table"),
    ("alternate", 4, 1, 1, 2, "to the left, though partners sit opposite"),
    ("cut", 2, 0, 0, None, "it is cut for anew"),
]


@pytest.mark.parametrize(("option", "players", "first", "winner", "dealer", "why"), NEXT)
def test_the_next_first_dealer_is_as_the_option_says(
    option: str, players: int, first: int, winner: int, dealer: int | None, why: str
) -> None:
    names = " ".join(f'"{name}"' for name in games.NAMES[:players])
    lines = (f"game {names} dealer={first} next_first_dealer={option} entry=peg", *["next"] * (4 + players))
    [*_, second] = states(*lines)
    assert second.deal is not None
    assert second.deal.number == 2, "the deal has passed, and the first dealer is known still"
    [*_, over] = states(*lines, f"penalty {winner} +121")
    assert next_game(over).dealer == dealer, why


def test_four_for_his_heels_is_not_offered() -> None:
    with pytest.raises(BadSetup, match="choose 1, 2, 3 or none"):
        Rules(heels=4)


def test_heels_are_lost_when_the_play_ends_before_the_dealer_has_played() -> None:
    rules = "heels_deadline=first-card miscount=lost play_rounds=one"
    lines = (f'game "A" "B" "C" "D" dealer=3 {rules}', "starter J", "play 0:10 1:10 2:10 3:go 0:go 1:go")
    assert states(*lines)[-1].deal.heels_open  # type: ignore[union-attr]
    shown = states(*lines, "play 2:go")[-1]
    assert shown.phase is Phase.SHOW
    assert not shown.deal.heels_open  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "name", sorted(rulebook().options.keys() - {"players", "deal", "after_go", "partners_scorekeeper"})
)
def test_what_the_house_has_changed_is_told_whatever_it_is(name: str) -> None:
    plain = preset("standard", 2)
    other = next(value for value in rulebook().options[name].values if value != written(getattr(plain, name)))
    needed = {"heels_deadline": {"miscount": "lost"}, "skunk": {"double_skunk": "off"}}.get(name, {})
    assert house_changes(changed(plain, needed | {name: other})) == needed | {name: other}
