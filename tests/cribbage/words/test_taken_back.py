"""What an undo has taken back and a redo brought back, said as at the table."""

from __future__ import annotations

import pytest

from cribpi.cribbage.record import HEADER, Comment, parse
from cribpi.cribbage.words.log import game_log
from cribpi.cribbage.words.undo_texts import brought_back, taken_back

TWO = ('game "Ann" "Bob" dealer=1', "starter 9")
SHOWN = (TWO[0], "starter 8", "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7 0:10", "show 0", "show 1")
BY_POINTS = 'game "Ann" "Bob" dealer=1 entry=peg'
PARTNERS = 'game "Ann" "Bob" "Cid" "Dee" dealer=1 entry=peg'
SAID = [
    # lines, the last of which is taken back                    what is said
    (('game "Ann" "Bob"',), "The new game was taken back"),
    (('game "Ann" "Bob"', "cut 0 4"), "Ann took back the cut"),
    (('game "Ann" "Bob"', "dealer 1"), "The choice of the dealer was taken back"),
    ((TWO[0], "dealt 0 A 2 3 4 5 6"), "The deal was taken back"),
    ((TWO[0], "laid-away 0 A 2"), "Ann took back the discard"),
    (('game "You" "Medium" dealer=1', "laid-away 0 A 2"), "You took back your discard"),
    (('game "You" "Bob" dealer=1', "starter 9", "play 0:10"), "You took back the 10"),
    ((TWO[0], 'names "Ann" "Bea"'), "The change of names was taken back"),
    (TWO, "The starter was taken back"),
    (
        (f"{TWO[0]} heels_deadline=first-card miscount=lost", "starter J", "heels"),
        "Bob took back two for his heels",
    ),
    ((*TWO, "play 0:10 1:5"), "Bob took back the 5"),
    ((*TWO, "play 0:10 1:9 0:8 1:go"), "Bob took back the go"),
    ((*TWO, "play 0:10 1:9 0:8 1:lead:K"), "Bob took back the K"),
    (SHOWN[:-1], "The count of Ann's hand was taken back"),
    ((*SHOWN, "crib-card K"), "The K in the crib was taken back"),
    (
        (*SHOWN, "crib-card K", "crib-card K", "crib-card 4", "crib-card 2", "crib"),
        "The count of Bob's crib was taken back",
    ),
    ((BY_POINTS, *["next"] * 3, "peg 0 8"), "Ann took back eight points"),
    ((BY_POINTS, "next", "next", "peg 0 1"), "Ann took back one point"),
    ((PARTNERS, "next", "next", "peg 0 1"), "Ann and Cid took back one point"),
    ((BY_POINTS, "next"), "The step to the starter was taken back"),
    ((*TWO, "put-right 0 13"), "The correction was taken back"),
    ((*TWO, "put-right 0 9", "penalty 0 -2"), "The penalty was taken back"),
    ((*TWO, "misdeal"), "The misdeal was taken back"),
    ((*TWO, "put-right 0 121", "false-win 0 100"), "The ruling was taken back"),
]


AGAIN = [
    ((TWO[0], "laid-away 0 A 2"), "Ann's discard is back"),
    (('game "You" "Medium" dealer=1', "laid-away 0 A 2"), "Your discard is back"),
    ((*TWO, "play 0:10 1:5"), "Bob's 5 is back"),
    ((BY_POINTS, *["next"] * 3, "peg 0 8"), "Ann's eight points are back"),
    ((PARTNERS, "next", "next", "peg 0 1"), "Ann and Cid's one point is back"),
    (SHOWN[:-1], "The count of Ann's hand is back"),
    (TWO, "The starter is back"),
]


@pytest.mark.parametrize(("lines", "said"), AGAIN)
def test_what_is_brought_back_is_said_with_whose_it_is(lines: tuple[str, ...], said: str) -> None:
    done = [one for one in parse("\n".join((HEADER, *lines))) if not isinstance(one, Comment)]
    assert brought_back(game_log(done)[-1]) == said


@pytest.mark.parametrize(("lines", "said"), SAID)
def test_what_is_taken_back_is_said_in_the_language_of_the_table(lines: tuple[str, ...], said: str) -> None:
    done = [one for one in parse("\n".join((HEADER, *lines))) if not isinstance(one, Comment)]
    assert taken_back(game_log(done)[-1]) == said
