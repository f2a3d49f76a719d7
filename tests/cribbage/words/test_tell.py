"""What happened, in a line: it names the right side, the right number, and what was missed."""

from __future__ import annotations

import pytest
from support.records import MISSED, after

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import CardCut, MugginsCalled
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.record import HEADER, Comment, parse
from cribpi.cribbage.rules.rules import STANDARD, changed
from cribpi.cribbage.words.call import call_show
from cribpi.cribbage.words.tell import said_rules, tell
from cribpi.cribbage.words.why import automatic

TWO = ('game "A" "B" dealer=1', "starter 9")
TOLD = [
    # lines                                                              says                     why
    ((*MISSED, "play 1:5", "show 0 counted=10"), "ten counted, four too many", "an overclaim"),
    ((*MISSED, "play 1:5", "show 0 counted=4"), "four counted, two missed", "a miss"),
    ((*MISSED, "play 1:5", "show 0 counted=4"), "; B muggins for two", "and who took it"),
    ((*TWO, "put-right 0 9", "penalty 0 -2"), "A: a penalty of two", "points are taken"),
    ((*TWO, "penalty 0 +2"), "A: two by a ruling", "points are given"),
    ((f"{TWO[0]} go_award=call", TWO[1], "play 0:10 1:K 0:8 1:go"), "B says go: one for A", "whose go it is"),
    ((*TWO, "play 0:10 1:10 0:8 1:2 0:go 1:go"), "B takes one for the go", "who played last has it"),
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


def test_a_cut_that_ties_is_counted_and_told() -> None:
    before = after('game "A" "B"', "cut 0 4")
    tied = step(before, CardCut(1, Card.parse("4")))
    assert (before.ties, tied.ties) == (0, 1)
    assert [reason.rule for reason in automatic(before, CardCut(1, Card.parse("4")), tied)] == [
        "first_dealer"
    ]
    assert "a tie, A and B cut again" in tell(CardCut(1, Card.parse("4")), tied)


def test_two_house_rules_are_both_named() -> None:
    house = changed(STANDARD, {"crib_flush": "four", "next_first_dealer": "winner"})
    assert said_rules(house).endswith(
        "with two house rules for the first deal of the next game and a flush in the crib"
    )


def test_a_hand_of_nothing_is_a_nineteen() -> None:
    assert call_show(()) == 'no points, players call it a "nineteen"'


BY_POINTS = 'game "A" "B" dealer=1 entry=peg'
THREE = 'game "A" "B" "C" dealer=0'
SHOWN = (TWO[0], "starter 8", "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7 0:10")
WRONG_GO = ("starter K", "play 0:9 1:6 0:10 1:go 0:go 1:4 0:10 1:5 0:8 1:lead:5")
"""B said go at 25, and held a four."""
EVENTS = [
    # lines, the last of which is told                              what is said
    (('game "A" "B"',), "a new game to 121: A, B"),
    (('game "A" "B" rules=acc target=61',), "a new game to 61, ACC tournament: A, B"),
    (
        ('game "A" "B" heels=none match=first-to-3',),
        "a new game to 121, Standard with a house rule for his heels, first to 3: A, B",
    ),
    (('game "A" "B" entry=dealt levels=person,medium',), "a new game to 121: A, B (Medium)"),
    (('game "You" "Medium 2" entry=dealt levels=person,medium',), "a new game to 121: You, Medium 2"),
    ((TWO[0], 'names "ANN" "BOB"'), "players: ANN, BOB"),
    (('game "A" "B"', "cut 0 4"), "A cuts 4"),
    (('game "A" "B"', "cut 0 4", "cut 1 9"), "B cuts 9; A deals"),
    (('game "A" "B"', "cut 0 4", "cut 1 4"), "B cuts 4; a tie, A and B cut again"),
    (('game "A" "B"', "dealer 1"), "B deals first"),
    ((TWO[0], "dealt 0 A 2 3 4 5 6"), "A is dealt a hand"),
    ((TWO[0], "laid-away 0 A 2"), "A discards two"),
    (TWO, "starter 9"),
    ((TWO[0], "starter J"), "starter J: two for his heels, B"),
    ((f"{TWO[0]} heels=none", "starter J"), "starter J"),
    (
        (f"{TWO[0]} heels_deadline=first-card miscount=lost", "starter J", "heels"),
        "B takes two for his heels",
    ),
    (
        (f"{TWO[0]} heels_deadline=first-card miscount=lost", "starter J", "play 0:9 1:2"),
        "B 2: eleven; his heels are lost",
    ),
    ((*TWO, "play 0:10 1:5"), "B 5: fifteen for two"),
    ((*TWO, "play 0:10 1:9 0:8 1:go"), "B says go"),
    ((f"{TWO[0]} go_award=call", TWO[1], "play 0:10 1:9 0:8 1:go"), "B says go: one for A"),
    ((*TWO, "play 0:10 1:9 0:8 1:lead:K"), "all say go: one for A; B leads K"),
    ((TWO[0], "put-right 0 120", TWO[1], "play 0:10 1:9 0:7 1:lead:K"), "all say go: one for A"),
    ((f"{TWO[0]} play_rounds=one", TWO[1], "play 0:10 1:9 0:8 1:go 0:go", "hand-card 0 7"), "A turns up 7"),
    ((f"{BY_POINTS}", *["next"] * 3, "peg 0 8"), "A pegs eight"),
    ((f"{BY_POINTS}", "next", "next", "peg 0 6 pair-royal"), "A pegs a pair royal for six"),
    ((f"{BY_POINTS}", "next", "peg 1 2"), "B pegs two for his heels"),
    ((f"{BY_POINTS}", "next"), "on to the starter"),
    ((f"{BY_POINTS}", *["next"] * 4), "A pegs nothing"),
    (
        (f"{BY_POINTS}", *["next"] * 3, "count 0 5 5 8 7 K"),
        "A shows: fifteen two, fifteen four, fifteen six, and a pair is eight",
    ),
    ((*TWO, "put-right 0 13"), "A: score set to 13"),
    (
        (f"{TWO[0]} overpegged=to-the-other", TWO[1], "put-right 0 13", "put-right 0 10"),
        "A: score set to 10; B takes three pegged too many",
    ),
    ((*TWO, "play 0:10 1:5 0:5", "misdeal"), "a misdeal: A two taken back, B two taken back, B deals again"),
    ((*TWO, "misdeal"), "a misdeal: B deals again"),
    (
        (f"{THREE} miscount=muggins entry=peg", *["next"] * 3, "peg 1 8", "muggins 2 1 4"),
        "C calls muggins for four",
    ),
    (
        (f"{THREE} miscount=muggins entry=peg", *["next"] * 3, "peg 1 8", "muggins 2 1 4 wrong"),
        "C calls muggins for four, wrongly called; B takes it",
    ),
    (
        (f"{TWO[0]} false_win=acc", TWO[1], "put-right 0 121", "false-win 0 118"),
        "A: a false claim of the game, eighteen back; B takes three for a false claim",
    ),
    (
        (f"{TWO[0]} false_win=lose", TWO[1], "put-right 0 90", "put-right 1 100", "false-win 0 90"),
        "A: a false claim of the game; B takes twenty-one for a false claim",
    ),
    ((*TWO, "put-right 0 121", "false-win 0 100"), "A: a false claim of the game, twenty-one back"),
    ((*SHOWN, "show 0", "show 1", "crib-card K"), "in the crib: K"),
    (
        (*SHOWN, "show 0", "show 1", "crib-card K", "crib-card K", "crib-card 4", "crib-card 2", "crib"),
        "B's crib: a pair for two",
    ),
    ((f"{TWO[0]} renege=2", *WRONG_GO, "renege 1 2"), "B's wrong go: two for A"),
    ((f"{TWO[0]} renege=2", *WRONG_GO, "renege 1 0"), "B's wrong go: no penalty"),
    (
        (
            f"{THREE} renege=2",
            "starter Q",
            "play 1:10 2:10 0:4 1:go 2:go 0:go 1:3 2:9 0:9 1:2 2:8 0:9 1:9 2:8 0:go 0:K",
            "renege 1 2",
        ),
        "B's wrong go: two each for C and A",
    ),
]


@pytest.mark.parametrize(("lines", "says"), EVENTS)
def test_each_event_is_told_in_a_line(lines: tuple[str, ...], says: str) -> None:
    done = [event for event in parse("\n".join((HEADER, *lines))) if not isinstance(event, Comment)]
    assert tell(done[-1], fold(done)) == says
