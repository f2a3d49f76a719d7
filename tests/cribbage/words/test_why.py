"""The reasons: which rule a score, a refusal or an automatic step rests on, and whose rule it is."""

from __future__ import annotations

import pytest
from support.records import after

from cribpi.cribbage.game.show import Kind, Score
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.record import HEADER, Comment, parse
from cribpi.cribbage.rules.cite import HOUSE, NEVER_NAMED, OURS, cite
from cribpi.cribbage.rules.errors import MustPlay, RuleError, TooHigh
from cribpi.cribbage.rules.rules import Rules, house_rules, preset
from cribpi.cribbage.words.why import automatic, reason_of, reasons_of

STANDARD = preset("standard")


def automatic_names(*lines: str) -> list[str]:
    """Return the rules of what happened by itself with the last event of a record's *lines*."""
    before = state = NEW_TABLE
    event = None
    for entry in parse("\n".join((HEADER, *lines))):
        if not isinstance(entry, Comment):
            before, event, state = state, entry, step(state, entry)
    assert event is not None
    return [reason.rule for reason in automatic(before, event, state)]


def test_what_the_house_has_changed_is_cited_as_the_houses() -> None:
    reason = cite("crib_flush", house_rules("standard", 2, {"crib_flush": "four"}))
    assert (reason.source, reason.text) == (HOUSE, "A flush in the crib: four are enough, as in a hand.")
    assert cite("crib_flush", STANDARD).source == "board-set"


@pytest.mark.parametrize(
    ("kind", "is_crib", "rule"),
    [
        (Kind.FLUSH, False, "flush"),
        (Kind.FLUSH, True, "crib_flush"),
        (Kind.NOBS, True, "nobs"),
        (Kind.GO, False, "go_award"),
        (Kind.LAST, False, "last_card"),
        (Kind.HEELS, False, "heels"),
    ],
)
def test_a_score_rests_on_its_own_rule(kind: Kind, is_crib: bool, rule: str) -> None:  # noqa: FBT001
    assert reason_of(Score(kind, 1, ()), STANDARD, is_crib=is_crib).rule == rule


@pytest.mark.parametrize(("error", "rule"), [(MustPlay("play it"), "must-play"), (TooHigh("past"), "limit")])
def test_a_refusal_rests_on_its_own_rule(error: RuleError, rule: str) -> None:
    assert cite(error.rule, STANDARD).rule == rule


@pytest.mark.parametrize(
    ("name", "rules", "source"),
    [
        ("first_dealer", STANDARD, "lowe"),
        ("heels", preset("computer-game"), "computer-game"),
        ("skunk", STANDARD, "acc"),
        ("go_award", STANDARD, "board-set"),
        ("fifteen", STANDARD, "board-set"),  # which is no option
        ("heels", STANDARD, "board-set"),
        ("heels", preset("standard", 3), "lowe"),  # whose own game is for three
        ("renege", STANDARD, OURS),  # sources name a penalty, and standard has none
    ],
)
def test_an_option_is_cited_of_the_source_that_says_its_value(name: str, rules: Rules, source: str) -> None:
    assert cite(name, rules).source == source


def test_a_value_that_the_rule_book_does_not_list_is_told_as_it_is_written() -> None:
    rules = house_rules("standard", 2, {"target": "91", "stake": "1-2-9"})
    assert cite("target", rules).text.endswith(": 91.")
    assert cite("stake", rules).text.endswith(": 1-2-9.")


def test_what_a_source_never_names_is_not_cited_as_in_standard() -> None:
    assert cite("heels", preset("computer-game")).words == NEVER_NAMED


TWO = 'game "A" "B" dealer=1'
PLAY = "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7 0:10"
CRIB = ("crib-card 5", "crib-card J", "crib-card 2", "crib-card 3")
STEPS = [
    # lines                                                              rule             why
    ((TWO, "starter 5", PLAY, "show 0"), "show-order", "the other shows next"),
    ((TWO, "starter 5", PLAY, "show 0", "show 1", *CRIB, "crib"), "deal-passes", "after the crib"),
    (
        (f"{TWO} heels_deadline=first-card miscount=lost", "starter J", "play 0:9 1:6"),
        "heels_deadline",
        "the dealer has played",
    ),
    ((TWO, "starter J"), "heels", "pegged at once"),
    (
        ('game "A" "B" "C" dealer=0 after_go=two-close', "starter 5", "play 1:9 2:8 0:9 1:go 2:go"),
        "after_go",
        "A could play on",
    ),
    ((f"{TWO} stinkhole=not-heels", "put-right 1 120", "starter J"), "stinkhole", "B needs one"),
    (
        (f"{TWO} stinkhole=not-go", "put-right 0 120", "starter 9", "play 0:10 1:K 0:8 1:go 0:go"),
        "stinkhole",
        "A was the last to play, and needs one",
    ),
    ((TWO, "put-right 1 119", "starter J"), "win", "119 and 2"),
    ((TWO, "starter 5", "play 0:10 1:K 0:9 1:2"), "thirty-one", "it closes the count"),
    (
        (TWO, "starter 8", "play 0:10 1:K 0:9 1:go 0:A 0:go 1:5 0:4 1:6"),
        "passed",
        "A has no cards left",
    ),
    ((TWO, "put-right 0 61", "put-right 1 119", "starter J"), "skunk", "61 to 121"),
    ((TWO, "put-right 0 60", "put-right 1 119", "starter J"), "double_skunk", "60 to 121"),
    ((TWO, "put-right 1 119", "starter J"), "stake", "what the game is worth"),
    ((f"{TWO} match=first-to-1", "put-right 1 119", "starter J"), "match", "the match is over with it"),
    ((f"{TWO} play_rounds=one", "starter 9", "play 0:10 1:K 0:8 1:go 0:go"), "play_rounds", "the only count"),
    ((TWO, "starter 9", "play 0:10 1:K 0:8 1:go 0:go"), "count-closes", "both have said go"),
    ((TWO, "starter 9", "play 0:10 1:K 0:8 1:lead:9"), "lead_after_close", "B leads the next"),
    ((TWO, "starter 5", PLAY), "show-order", "the last card: pone shows"),
    (
        ('game "A" "B" "C" dealer=0', "starter 9", "play 1:10 2:K 0:8 1:go 2:A 0:A"),
        "must-play",
        "B has said go, and C is next",
    ),
    (('game "A" "B"', "cut 0 4", "cut 1 9"), "first_dealer", "the lower card deals"),
    (('game "A" "B" first_dealer=random', "dealer 1"), "first_dealer", "it was drawn"),
    ((TWO,), "next_first_dealer", "the game begins with its dealer"),
    (
        (f"{TWO} miscount=muggins", "starter 5", PLAY, "show 0 counted=3"),
        "miscount",
        "what was missed is taken",
    ),
    ((f"{TWO} entry=peg", "next", "next", "next", "peg 0 8"), "show-order", "by points too"),
]


@pytest.mark.parametrize(("lines", "rule", "why"), STEPS)
def test_what_happens_by_itself_is_explained(lines: tuple[str, ...], rule: str, why: str) -> None:
    assert rule in automatic_names(*lines), why


def test_what_happens_by_itself_is_no_more_than_what_nobody_entered() -> None:
    assert automatic_names(TWO, "starter 9") == []
    assert automatic_names(TWO, "starter 9", "play 0:10") == []
    assert automatic_names(TWO, "starter 9", "play 0:10 1:K 0:8 1:go") == []
    assert automatic_names('game "A" "B"', "cut 0 4") == []
    assert automatic_names('game "A" "B" first_dealer=chosen', "dealer 1") == []
    assert automatic_names(TWO, "put-right 0 91", "put-right 1 119", "starter J") == ["win", "stake", "heels"]


LAST = [
    # lines                                                     rules of what happened last, in order
    ((TWO, "starter 9", "play 0:10"), ["turns"]),
    ((TWO, "starter 9", "play 0:10 1:5 0:5"), ["pair"]),
    ((f"{TWO} go_award=call", "starter 9", "play 0:10 1:K 0:8 1:go 0:3"), ["go_award"]),
    ((f"{TWO} entry=peg", "next", "next", "peg 0 5"), ["pegs"]),
    ((TWO, "put-right 0 20"), ["put-right"]),
    ((TWO, "starter 5", PLAY, "show 0"), ["fifteen", "pair"]),
    ((f"{TWO} miscount=lost", "starter 5", PLAY, "show 0 counted=2"), ["fifteen", "pair", "miscount"]),
    ((TWO, "starter K", "play 0:2 1:A 0:4 1:3 0:6 1:3 0:8 1:3", "show 0"), ["no-nineteen"]),
    ((TWO, "put-right 1 119", "starter J"), ["heels", "win"]),
    ((TWO,), ["deal"]),
    ((TWO, "starter 9", "misdeal"), ["misdeal"]),
]


@pytest.mark.parametrize(("lines", "rules"), LAST)
def test_what_the_last_thing_rests_on_is_named(lines: tuple[str, ...], rules: list[str]) -> None:
    assert [reason.rule for reason in reasons_of(after(*lines))] == rules
