"""Each prompt in each phase, form of entry and number of players: a whole sentence that says what to do
next."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest
from support.records import after
from support.screens import Evening

from cribpi.companion.entry.choices import prompt
from cribpi.companion.entry.desk import Desk, Setup
from cribpi.companion.entry.pad import Pad
from cribpi.companion.web.json.state import phase_of
from cribpi.cribbage.game.cards import PACK, parse_cards
from cribpi.cribbage.game.events import Entry, PackShuffled
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.record import parse_event

TWO: Final = Setup(names=("ANN", "BOB"))
THREE: Final = Setup(players=3, names=("ANN", "BOB", "CAT"))
FOUR: Final = Setup(players=4, names=("ANN", "BOB", "CAT", "DAN"))


def house(setup: Setup, **options: str) -> Setup:
    """Return *setup* with what the house has changed in it."""
    return replace(setup, options=tuple(options.items()))


def by_points(setup: Setup) -> Setup:
    return replace(setup, entry="peg")


def by_machine(setup: Setup, *levels: str) -> Setup:
    """Return *setup* for a game that the machine deals; without *levels* it plays it too."""
    return replace(setup, entry="dealt", levels=levels or ("thrifty",) * setup.players)


def score(key: str, points: int) -> str:
    """Return the keys that put the score of the side of *key* right, from 0 to *points*."""
    tens, ones = divmod(points, 10)
    return f"{key} FLNB {'P2 ' * tens}FLNB {'P2 ' * ones}OK"


MACHINES: Final = "MACHINE " * 40
"""All that the machine's seats have to do until OK is asked for."""

# The keys to the first deal: BOB deals.
DEAL: Final = "OK OK 7 2"
DEAL_3: Final = "OK OK 7 2 9"
DEAL_4: Final = "OK OK 7 2 9 K"

# With two: a whole deal, then the same played otherwise.
PLAYED: Final = f"{DEAL} 5 9 6 6 5 GO 4 GO 10 7 10"
CRIB: Final = f"{PLAYED} OK OK"
NEXT: Final = f"{CRIB} 5 J 2 2 OK"
EARLY: Final = f"{DEAL} 5 10 J 6 4 GO GO"
"""The play is over with its only count, and two cards of each hand are not played."""
WRONG_GO: Final = f"{DEAL} 9 10 5 8 GO 5 GO K 4 2 6"
"""BOB said go at 23, and held a two and a six: both would have fitted."""
COUNTED: Final = f"{PLAYED} 8 OK 10 4 OK"
"""The same deal, where the players count."""

# With three and four: CAT leads, and each has played.
PLAYED_3: Final = f"{DEAL_3} 5 10 5 7 7 A A 4 2 3 4 6 9"
PLAYED_4: Final = f"{DEAL_4} 5 10 5 7 7 A A 10 10 6 5 9 9 8 5 K J"

POINTS: Final = f"{DEAL} OK OK"
POINTS_3: Final = f"{DEAL_3} OK OK"
POINTS_4: Final = f"{DEAL_4} OK OK"
"""The play of a game kept by points."""


IDLE: Final = (
    # when, the table, the keys, what is said
    ("nobody is playing", TWO, "", "No game yet. OK: New game"),
)
"""Nobody is playing."""

NEW_GAME: Final = (
    # when, the table, the keys, what is said
    (
        "two players",
        TWO,
        "OK",
        (
            "New game: two players to 121, every card. OK: Start. Press a line's number to select it, P1 or "
            "P2 "
            "to change it"
        ),
    ),
    (
        "three players",
        THREE,
        "OK",
        (
            "New game: three players to 121, every card. OK: Start. Press a line's number to select it, P1 "
            "or "
            "P2 to change it"
        ),
    ),
    (
        "four players",
        FOUR,
        "OK",
        (
            "New game: four players to 121, every card. OK: Start. Press a line's number to select it, P1 "
            "or P2 "
            "to change it"
        ),
    ),
    (
        "to 61",
        replace(TWO, target=61),
        "OK",
        (
            "New game: two players to 61, every card. OK: Start. Press a line's number to select it, P1 or "
            "P2 "
            "to change it"
        ),
    ),
    (
        "by points",
        by_points(THREE),
        "OK",
        (
            "New game: three players to 121, points only. OK: Start. Press a line's number to select it, P1 "
            "or "
            "P2 to change it"
        ),
    ),
    (
        "the machine deals, and is one of two",
        by_machine(TWO, "", "solid"),
        "OK",
        (
            "New game: two players to 121, computer deals: ANN a person, BOB Medium. OK: Start. Press a "
            "line's "
            "number to select it, P1 or P2 to change it"
        ),
    ),
    (
        "the machine is two of three",
        by_machine(THREE, "", "solid", "chance"),
        "OK",
        (
            "New game: three players to 121, computer deals: ANN a person, BOB Medium, CAT Beginner. OK: "
            "Start. "
            "Press a line's number to select it, P1 or P2 to change it"
        ),
    ),
    (
        "the machine is all of four",
        by_machine(FOUR),
        "OK",
        (
            "New game: four players to 121, computer deals: ANN Easy, BOB Easy, CAT Easy, DAN Easy. OK: "
            "Start. "
            "Press a line's number to select it, P1 or P2 to change it"
        ),
    ),
    (
        "another preset",
        replace(TWO, rules="acc"),
        "OK",
        (
            "New game: two players to 121 by acc, every card. OK: Start. Press a line's number to select "
            "it, P1 "
            "or P2 to change it"
        ),
    ),
    (
        "another preset, changed by the house",
        replace(TWO, rules="travel-61", target=61, options=(("last_card", "none"),)),
        "OK",
        (
            "New game: two players to 61 by travel-61 with last card none, every card. OK: Start. Press a "
            "line's number to select it, P1 or P2 to change it"
        ),
    ),
    (
        "standard, changed by the house",
        house(TWO, first_dealer="random"),
        "OK",
        (
            "New game: two players to 121 by standard with first dealer random, every card. OK: Start. "
            "Press a "
            "line's number to select it, P1 or P2 to change it"
        ),
    ),
    (
        "in the middle of a game",
        TWO,
        f"{PLAYED} MENU 6 OK",
        (
            "New game: two players to 121, every card. OK: Start. Press a line's number to select it, P1 or "
            "P2 "
            "to change it, UNDO goes back to the game"
        ),
    ),
    (
        "after a game that was won",
        TWO,
        f"{DEAL} {score('P1', 121)} MENU 4 OK",
        (
            "New game: two players to 121, every card. OK: Start. Press a line's number to select it, P1 or "
            "P2 "
            "to change it"
        ),
    ),
)
"""The set-up of the next game."""

CUT: Final = (
    # when, the table, the keys, what is said
    ("two cut", TWO, "OK OK", "ANN cuts for the deal: press the rank. OK: Draw the first dealer"),
    (
        "the second cuts",
        TWO,
        "OK OK 7",
        "BOB cuts for the deal: press the rank. OK: Draw the first dealer",
    ),
    ("three cut", THREE, "OK OK 7 9", "CAT cuts for the deal: press the rank. OK: Draw the first dealer"),
    (
        "two of three cut again",
        THREE,
        "OK OK 4 K 4 9",
        "CAT cuts for the deal: press the rank. OK: Draw the first dealer",
    ),
    ("four cut", FOUR, "OK OK 7 10 A", "DAN cuts for the deal: press the rank. OK: Draw the first dealer"),
    (
        "by points, two cut",
        by_points(TWO),
        "OK OK 7",
        "BOB cuts for the deal: press the rank. OK: Draw the first dealer",
    ),
    (
        "by points, three cut",
        by_points(THREE),
        "OK OK",
        "ANN cuts for the deal: press the rank. OK: Draw the first dealer",
    ),
    (
        "by points, four cut",
        by_points(FOUR),
        "OK OK 7 10 A",
        "DAN cuts for the deal: press the rank. OK: Draw the first dealer",
    ),
    (
        "the machine's cards, two cut",
        by_machine(TWO),
        "OK OK",
        "ANN cuts for the deal, and the lowest card deals. OK: Cut a card",
    ),
    (
        "the machine's cards, three cut",
        by_machine(THREE),
        "OK OK OK",
        "BOB cuts for the deal, and the lowest card deals. OK: Cut a card",
    ),
    (
        "the machine's cards, four cut",
        by_machine(FOUR),
        "OK OK OK OK",
        "CAT cuts for the deal, and the lowest card deals. OK: Cut a card",
    ),
    (
        "it is drawn",
        house(TWO, first_dealer="random"),
        "OK OK",
        "The first dealer is drawn. OK: Draw the dealer",
    ),
    (
        "it is drawn, without cards",
        by_machine(house(TWO, first_dealer="random")),
        "OK OK",
        "The first dealer is drawn. OK: Draw the dealer",
    ),
    (
        "it is chosen",
        house(FOUR, first_dealer="chosen"),
        "OK OK",
        "Who deals first? Press a side's key, or A to 4 for the seat",
    ),
    (
        "it is chosen, without cards",
        by_machine(house(TWO, first_dealer="chosen")),
        "OK OK",
        "Who deals first? Press a side's key",
    ),
)
"""Who deals first."""

DEAL_AND_STARTER: Final = (
    # when, the table, the keys, what is said
    ("two, by cards", TWO, DEAL, "BOB deals six each, ANN cuts: press the starter's rank"),
    ("three, by cards", THREE, DEAL_3, "BOB deals five each, CAT cuts: press the starter's rank"),
    (
        "four, by cards: who keeps the board is said at the first deal",
        FOUR,
        DEAL_4,
        "BOB deals five each, CAT cuts: press the starter's rank; ANN and BOB keep the board",
    ),
    (
        "four, without keepers",
        house(FOUR, partners_scorekeeper="off"),
        DEAL_4,
        "BOB deals five each, CAT cuts: press the starter's rank",
    ),
    (
        "four, at the second deal",
        FOUR,
        f"{PLAYED_4} OK OK OK OK 2 3 4 6 OK",
        "CAT deals five each, DAN cuts: press the starter's rank",
    ),
    (
        "the dealer turns up",
        house(TWO, starter_cut="dealer-turns"),
        DEAL,
        "BOB deals six each, BOB turns up the top card: press the starter's rank",
    ),
    ("the second deal", TWO, NEXT, "ANN deals six each, BOB cuts: press the starter's rank"),
    ("two, by points", by_points(TWO), DEAL, "BOB deals. OK: The starter is cut"),
    ("three, by points", by_points(THREE), DEAL_3, "BOB deals. OK: The starter is cut"),
    ("four, by points", by_points(FOUR), DEAL_4, "BOB deals. OK: The starter is cut"),
    (
        "two, by points, the starter",
        by_points(TWO),
        f"{DEAL} OK",
        "A jack is two for his heels to BOB: 2, then P2. OK: It was not a jack",
    ),
    (
        "three, by points, the starter",
        by_points(THREE),
        f"{DEAL_3} OK",
        "A jack is two for his heels to BOB: 2, then P2. OK: It was not a jack",
    ),
    (
        "four, by points, the starter",
        by_points(FOUR),
        f"{DEAL_4} OK",
        "A jack is two for his heels to BOB+DAN: 2, then P2. OK: It was not a jack",
    ),
    (
        "two for his heels are typed",
        by_points(TWO),
        f"{DEAL} OK 2",
        "2 typed. OK: 2 for BOB, UNDO: Undo the last one",
    ),
    (
        "two for his heels are typed, where players count",
        by_points(house(TWO, miscount="lost")),
        f"{DEAL} OK 2",
        "2 typed. OK: 2 for BOB, UNDO: Undo the last one",
    ),
)
"""From the deal to the starter."""

PLAY: Final = (
    # when, the table, the keys, what is said
    ("two", TWO, f"{DEAL} 5", "ANN to play"),
    ("two, the dealer plays", TWO, f"{DEAL} 5 9", "BOB to play"),
    ("three", THREE, f"{DEAL_3} 5 10", "ANN to play"),
    ("four", FOUR, f"{DEAL_4} 5 10 9 9", "BOB to play. GO: BOB says go"),
    (
        "two for his heels can be taken",
        house(TWO, heels_deadline="first-card", miscount="lost"),
        f"{DEAL} J",
        "ANN to play. OK: Take two for his heels",
    ),
    (
        "and still by the dealer",
        house(TWO, heels_deadline="first-card", miscount="lost"),
        f"{DEAL} J 9",
        "BOB to play. OK: Take two for his heels",
    ),
    (
        "they were taken",
        house(TWO, heels_deadline="first-card", miscount="lost"),
        f"{DEAL} J 9 OK",
        "BOB to play",
    ),
    (
        "a card passes 31",
        TWO,
        f"{DEAL} 5 9 6 6 5 10",
        "26 + 10 = 36, over 31. OK: New count with the 10, UNDO: Wrong key, GO: ANN says go",
    ),
    (
        "by points, two",
        by_points(TWO),
        POINTS,
        "The play: type an amount, then a side's key. GO: 1 for the go, OK: The play is over",
    ),
    (
        "by points, three",
        by_points(THREE),
        POINTS_3,
        "The play: type an amount, then a side's key. OK: The play is over",
    ),
    (
        "by points, four",
        by_points(FOUR),
        POINTS_4,
        "The play: type an amount, then a side's key. GO: 1 for the go, OK: The play is over",
    ),
    (
        "by points, two: an amount is typed",
        by_points(TWO),
        f"{POINTS} 2",
        "2 typed. P1: 2 for ANN, P2: 2 for BOB",
    ),
    (
        "by points, two: amounts add up",
        by_points(TWO),
        f"{POINTS} 10 2",
        "12 typed. P1: 12 for ANN, P2: 12 for BOB",
    ),
    (
        "by points, three: an amount is typed",
        by_points(THREE),
        f"{POINTS_3} 2",
        "2 typed. P1: 2 for ANN, P2: 2 for BOB, GO: 2 for CAT",
    ),
    (
        "by points, four: an amount is typed",
        by_points(FOUR),
        f"{POINTS_4} 2",
        "2 typed. P1: 2 for ANN+CAT, P2: 2 for BOB+DAN",
    ),
    ("by points: a go", by_points(TWO), f"{POINTS} GO", "1 typed. P1: 1 for ANN, P2: 1 for BOB"),
)
"""The play."""

SHOW: Final = (
    # when, the table, the keys, what is said
    ("two", TWO, PLAYED, "ANN shows 9 6 10 10 with 5. OK: Peg 8"),
    (
        "two, the dealer's, with a choice of claims",
        TWO,
        f"{PLAYED} OK",
        "BOB shows 6 5 4 7 with 5. OK: Peg 14, FLNB: Flush or his nobs",
    ),
    (
        "two, and a flush is claimed",
        TWO,
        f"{PLAYED} OK FLNB",
        "BOB shows 6 5 4 7 with 5. OK: Peg 18, FLNB: Flush or his nobs",
    ),
    ("three", THREE, PLAYED_3, "CAT shows 10 7 4 4 with 5. OK: Peg 6"),
    ("four", FOUR, PLAYED_4, "CAT shows 10 A 6 8 with 5. OK: Peg 4, FLNB: Flush or his nobs"),
    (
        "the play ended early",
        house(TWO, play_rounds="one"),
        EARLY,
        "ANN shows: press the cards not played, 2 more",
    ),
    (
        "and one card more is to come",
        house(TWO, play_rounds="one"),
        f"{EARLY} 2",
        "ANN shows: press the cards not played, 1 more",
    ),
    (
        "a wrong go costs two",
        house(TWO, renege="2"),
        WRONG_GO,
        "BOB said go at 23, but held the 2 6. OK: Give ANN 2, GO: No penalty",
    ),
    (
        "a wrong go costs two a card",
        house(TWO, renege="2-a-card"),
        WRONG_GO,
        "BOB said go at 23, but held the 2 6. OK: Give ANN 4, GO: No penalty",
    ),
    ("a wrong go is noted", TWO, WRONG_GO, "ANN shows 10 8 5 4 with 9. OK: Peg 5, FLNB: Flush or his nobs"),
    (
        "a wrong go among three",
        house(THREE, renege="2"),
        f"{DEAL_3} 5 K 9 8 GO GO 3 GO 4 J 7 Q 2 A 3 2",
        "CAT said go at 27, but held the 3. OK: Give ANN and BOB 2 each, GO: No penalty",
    ),
    (
        "a wrong go among four",
        house(FOUR, renege="2"),
        f"{DEAL_4} 5 K 9 8 GO GO GO 4 10 10 A 10 Q J 5 6 7 6 9 7",
        "DAN said go at 27, but held the A. OK: Give ANN+CAT 2, GO: No penalty",
    ),
    (
        "the player counts",
        replace(TWO, rules="acc"),
        PLAYED,
        "ANN shows 9 6 10 10 with 5: type the count. GO: Claim nothing",
    ),
    (
        "a count is typed",
        replace(TWO, rules="acc"),
        f"{PLAYED} 10 2",
        "ANN shows 9 6 10 10 with 5. OK: Claim 12, UNDO: Undo the last one",
    ),
    (
        "a count is typed that no hand has",
        replace(TWO, rules="acc"),
        f"{PLAYED} 10 9",
        "19: no hand counts that; type more. UNDO: Undo the last one",
    ),
    (
        "a count is typed that no hand has, and can be too much",
        replace(TWO, rules="acc-muggins"),
        f"{PLAYED} 10 9",
        "ANN shows 9 6 10 10 with 5. OK: Claim 19, UNDO: Undo the last one",
    ),
    (
        "the player counts, with a choice of claims",
        replace(TWO, rules="acc"),
        f"{PLAYED} 8 OK",
        "BOB shows 6 5 4 7 with 5: type the count. GO: Claim nothing, FLNB: Flush or his nobs",
    ),
    (
        "a count is typed, with a choice of claims",
        replace(TWO, rules="acc"),
        f"{PLAYED} 8 OK 10 4",
        "BOB shows 6 5 4 7 with 5. OK: Claim 14, FLNB: Flush or his nobs, UNDO: Undo the last one",
    ),
    (
        "by points, two",
        by_points(TWO),
        f"{POINTS} OK",
        "ANN shows: type the count. OK: Nothing to peg, FLNB: Count the cards",
    ),
    (
        "by points, three",
        by_points(THREE),
        f"{POINTS_3} OK",
        "CAT shows: type the count. OK: Nothing to peg, FLNB: Count the cards",
    ),
    (
        "by points, four",
        by_points(FOUR),
        f"{POINTS_4} OK OK",
        "DAN shows: type the count. OK: Nothing to peg, FLNB: Count the cards",
    ),
    (
        "by points, a count is typed",
        by_points(TWO),
        f"{POINTS} OK 8",
        "8 typed. OK: 8 for ANN, UNDO: Undo the last one",
    ),
    (
        "by points, a count of partners is typed",
        by_points(FOUR),
        f"{POINTS_4} OK OK 8",
        "8 typed. OK: 8 for BOB+DAN, UNDO: Undo the last one",
    ),
    (
        "by points, the player counts",
        by_points(replace(TWO, rules="acc")),
        f"{POINTS} OK",
        "ANN shows: type the count. OK: Nothing to peg",
    ),
    (
        "by points, the player's count is typed",
        by_points(replace(TWO, rules="acc")),
        f"{POINTS} OK 8",
        "8 typed. OK: 8 for ANN, FLNB: Compare it with the cards, UNDO: Undo the last one",
    ),
)
"""The show of the hands."""

CRIB_SHOW: Final = (
    # when, the table, the keys, what is said
    ("none of its cards is known", TWO, CRIB, "BOB's crib: press its cards, 4 more"),
    ("three are", TWO, f"{CRIB} 5 J 2", "BOB's crib: press its cards, 1 more"),
    ("all are", TWO, f"{CRIB} 5 J 2 2", "BOB's crib 5 J 2 2 with 5. OK: Peg 8, FLNB: Flush or his nobs"),
    (
        "all are, and their suits",
        TWO,
        f"{CRIB} 5H 10D JS 2C",
        "BOB's crib 5H 10D JS 2C with 5. OK: Peg 10, FLNB: Flush or his nobs",
    ),
    ("three players", THREE, f"{PLAYED_3} OK OK OK 5", "BOB's crib: press its cards, 3 more"),
    ("four players", FOUR, f"{PLAYED_4} OK OK OK OK 2 3", "BOB's crib: press its cards, 2 more"),
    (
        "the player counts",
        replace(TWO, rules="acc"),
        f"{COUNTED} 5H 10D JS 2C",
        "BOB's crib 5H 10D JS 2C with 5: type the count. GO: Claim nothing, FLNB: Flush or his nobs",
    ),
    (
        "a count is typed",
        replace(TWO, rules="acc"),
        f"{COUNTED} 5H 10D JS 2C 10",
        "BOB's crib 5H 10D JS 2C with 5. OK: Claim 10, FLNB: Flush or his nobs, UNDO: Undo the last one",
    ),
    (
        "by points, two",
        by_points(TWO),
        f"{POINTS} OK OK OK",
        "BOB's crib: type the count. OK: Nothing to peg, FLNB: Count the cards",
    ),
    (
        "by points, three",
        by_points(THREE),
        f"{POINTS_3} OK OK OK OK",
        "BOB's crib: type the count. OK: Nothing to peg, FLNB: Count the cards",
    ),
    (
        "by points, four",
        by_points(FOUR),
        f"{POINTS_4} OK OK OK OK OK",
        "BOB's crib: type the count. OK: Nothing to peg, FLNB: Count the cards",
    ),
    (
        "by points, a count is typed",
        by_points(TWO),
        f"{POINTS} OK OK OK 4",
        "4 typed. OK: 4 for BOB, UNDO: Undo the last one",
    ),
    (
        "by points, the player counts",
        by_points(replace(TWO, rules="acc")),
        f"{POINTS} OK OK OK",
        "BOB's crib: type the count. OK: Nothing to peg",
    ),
    (
        "by points, the player's count is typed",
        by_points(replace(TWO, rules="acc")),
        f"{POINTS} OK OK OK 4",
        "4 typed. OK: 4 for BOB, FLNB: Compare it with the cards, UNDO: Undo the last one",
    ),
)
"""The show of the crib."""

BY_ITS_CARDS: Final = (
    # when, the table, the keys, what is said
    ("none is known", by_points(TWO), f"{POINTS} OK FLNB", "Count a hand: press its cards, 4 more"),
    ("three are", by_points(TWO), f"{POINTS} OK FLNB 7 8 8", "Count a hand: press its cards, 1 more"),
    ("all but the starter", by_points(TWO), f"{POINTS} OK FLNB 7 8 8 J", "Count a hand: now the starter"),
    (
        "all, with a choice of claims",
        by_points(TWO),
        f"{POINTS} OK FLNB 7 8 8 J 9",
        "7 8 8 J with 9. OK: Peg 12, FLNB: Flush or his nobs, UNDO: Undo the last one",
    ),
    (
        "all, and their suits",
        by_points(TWO),
        f"{POINTS} OK FLNB 7H 8H 8C 2D 9S",
        "7H 8H 8C 2D with 9S. OK: Peg 12, UNDO: Undo the last one",
    ),
    (
        "the starter was a jack",
        by_points(TWO),
        f"{DEAL} OK 2 OK OK FLNB 7 8 8 2",
        "7 8 8 2 with J. OK: Peg 6, UNDO: Undo the last one",
    ),
    (
        "compared with what was counted",
        by_points(replace(TWO, rules="acc")),
        f"{POINTS} OK 8 FLNB 7H 8H 8C 2D 9S",
        "7H 8H 8C 2D with 9S: 8 counted, the cards make 12. OK: Peg 12, UNDO: Undo the last one",
    ),
    (
        "compared, with a choice of claims",
        by_points(replace(TWO, rules="acc")),
        f"{POINTS} OK 8 FLNB 7 8 8 J 9",
        (
            "7 8 8 J with 9: 8 counted, the cards make 12. "
            "OK: Peg 12, FLNB: Flush or his nobs, UNDO: Undo the last one"
        ),
    ),
)
"""A hand that is counted by its cards, in a game kept by points."""

DEALT: Final = (
    # when, the table, the keys, what is said
    ("two are to be dealt", by_machine(TWO), "OK OK P2", "BOB deals six each. OK: Shuffle and deal"),
    ("three are to be dealt", by_machine(THREE), "OK OK P1", "ANN deals five each. OK: Shuffle and deal"),
    ("four are to be dealt", by_machine(FOUR), "OK OK P2", "BOB deals five each. OK: Shuffle and deal"),
    (
        "two, and BOB's crib",
        by_machine(TWO, "", "solid"),
        "OK OK P2 OK",
        "Choose two cards for BOB's crib. FLNB: Hint",
    ),
    (
        "two, and one's own crib",
        by_machine(TWO, "", "solid"),
        "OK OK P1 OK",
        "Choose two cards for your crib. FLNB: Hint",
    ),
    (
        "one of two is chosen",
        by_machine(TWO, "", "solid"),
        "OK OK P2 OK 4",
        "Choose one more card for BOB's crib. FLNB: Hint",
    ),
    (
        "both are chosen",
        by_machine(TWO, "", "solid"),
        "OK OK P2 OK 4 Q",
        "Send these two to BOB's crib? OK: Send them, or choose another",
    ),
    (
        "one of three",
        by_machine(THREE, "", "solid"),
        "OK OK P2 OK",
        "Choose one card for BOB's crib. FLNB: Hint",
    ),
    (
        "one of four, which is chosen",
        by_machine(FOUR, "", "solid"),
        "OK OK P2 OK 2",
        "Send it to BOB's crib? OK: Send it, or choose another",
    ),
    (
        "the machine has to discard",
        by_machine(TWO, "", "solid"),
        "OK OK P2 OK 4 Q OK",
        "BOB is thinking",
    ),
    (
        "so have two of its seats",
        by_machine(THREE, "", "solid"),
        "OK OK P2 OK 3 OK",
        "CAT and BOB are thinking",
    ),
    (
        "two share the screen",
        by_machine(TWO, "", ""),
        "OK OK P2 OK",
        "Pass to ANN. OK: Show ANN's cards",
    ),
    (
        "the first hand is open",
        by_machine(TWO, "", ""),
        "OK OK P2 OK OK",
        "ANN: choose two cards for BOB's crib. FLNB: Hint",
    ),
    (
        "the second is next",
        by_machine(TWO, "", ""),
        "OK OK P2 OK OK 4 Q OK",
        "Pass to BOB. OK: Show BOB's cards",
    ),
    ("two, the starter", by_machine(TWO), f"OK OK P2 OK {MACHINES}", "ANN cuts. OK: Turn up the starter"),
    ("three, the starter", by_machine(THREE), f"OK OK P2 OK {MACHINES}", "CAT cuts. OK: Turn up the starter"),
    ("four, the starter", by_machine(FOUR), f"OK OK P2 OK {MACHINES}", "CAT cuts. OK: Turn up the starter"),
    (
        "the dealer turns it up",
        by_machine(house(TWO, starter_cut="dealer-turns")),
        f"OK OK P2 OK {MACHINES}",
        "BOB turns up the top card. OK: Turn up the starter",
    ),
    (
        "a card is to be played",
        by_machine(TWO, "", "solid"),
        f"OK OK P2 OK 4 Q OK {MACHINES} OK",
        "Choose a card to play. FLNB: Hint",
    ),
    (
        "the machine is to play, two",
        by_machine(TWO, "", "solid"),
        f"OK OK P2 OK 4 Q OK {MACHINES} OK 5",
        "BOB is thinking",
    ),
    (
        "the machine is to play, three",
        by_machine(THREE),
        f"OK OK P2 OK {MACHINES} OK",
        "CAT is thinking",
    ),
    (
        "the machine is to play, four",
        by_machine(FOUR),
        f"OK OK P2 OK {MACHINES} OK",
        "CAT is thinking",
    ),
    (
        "two, a hand",
        by_machine(TWO),
        f"OK OK P2 OK {MACHINES} OK {MACHINES}",
        "ANN shows 4D 9C 6H QD with 7C. OK: Peg 2",
    ),
    (
        "three, a hand",
        by_machine(THREE),
        f"OK OK P2 OK {MACHINES} OK {MACHINES}",
        "CAT shows 6H 9C 3S 7C with 2H. OK: Peg 4",
    ),
    (
        "four, a hand",
        by_machine(FOUR),
        f"OK OK P2 OK {MACHINES} OK {MACHINES}",
        "CAT shows 5H 9C 7C 2H with 2D. OK: Peg 2",
    ),
    (
        "two, the crib",
        by_machine(TWO),
        f"OK OK P2 OK {MACHINES} OK {MACHINES} OK OK",
        "BOB's crib 10S 5H 5C 3S with 7C. OK: Peg 10",
    ),
    (
        "three, the crib",
        by_machine(THREE),
        f"OK OK P2 OK {MACHINES} OK {MACHINES} OK OK OK",
        "BOB's crib 4D 8C 5C 4S with 2H. OK: Peg 6",
    ),
    (
        "four, the crib",
        by_machine(FOUR),
        f"OK OK P2 OK {MACHINES} OK {MACHINES} OK OK OK OK",
        "BOB's crib 6H 3H 4D 8C with 2D. OK: Peg 7",
    ),
)
"""A game that the machine deals."""

OVER: Final = (
    # when, the table, the keys, what is said
    (
        "two, by cards",
        TWO,
        f"{DEAL} {score('P2', 91)} {score('P1', 121)}",
        "ANN wins 121-91. OK: Rematch",
    ),
    (
        "a skunk",
        TWO,
        f"{DEAL} {score('P2', 90)} {score('P1', 121)}",
        "ANN wins 121-90, a skunk. OK: Rematch",
    ),
    (
        "no double skunk yet",
        TWO,
        f"{DEAL} {score('P2', 61)} {score('P1', 121)}",
        "ANN wins 121-61, a skunk. OK: Rematch",
    ),
    (
        "a double skunk",
        TWO,
        f"{DEAL} {score('P2', 60)} {score('P1', 121)}",
        "ANN wins 121-60, a double skunk. OK: Rematch",
    ),
    (
        "no skunk by these rules",
        house(TWO, skunk="off", double_skunk="off"),
        f"{DEAL} {score('P2', 60)} {score('P1', 121)}",
        "ANN wins 121-60. OK: Rematch",
    ),
    (
        "to 61",
        replace(TWO, target=61),
        f"{DEAL} {score('P2', 31)} {score('P1', 61)}",
        "ANN wins 61-31. OK: Rematch",
    ),
    (
        "a skunk to 61",
        replace(TWO, target=61),
        f"{DEAL} {score('P2', 30)} {score('P1', 61)}",
        "ANN wins 61-30, a skunk. OK: Rematch",
    ),
    (
        "three, by points",
        by_points(THREE),
        f"{DEAL_3} {score('P2', 119)} {score('GO', 100)} {score('P1', 121)}",
        "ANN wins 121-119-100. OK: Rematch",
    ),
    (
        "three, by cards",
        THREE,
        f"{DEAL_3} {score('P2', 119)} {score('P1 GO GO', 100)} {score('P1', 121)}",
        "ANN wins 121-119-100. OK: Rematch",
    ),
    (
        "four, by cards",
        FOUR,
        f"{DEAL_4} {score('P2', 95)} {score('P1', 121)}",
        "ANN+CAT wins 121-95. OK: Rematch",
    ),
    (
        "two, by points",
        by_points(TWO),
        f"{DEAL} {score('P1', 95)} {score('P2', 121)}",
        "BOB wins 121-95. OK: Rematch",
    ),
    (
        "four, by points",
        by_points(FOUR),
        f"{DEAL_4} {score('P1', 95)} {score('P2', 121)}",
        "BOB+DAN wins 121-95. OK: Rematch",
    ),
    (
        "two, dealt",
        by_machine(TWO),
        f"OK OK P2 {score('P2', 95)} {score('P1', 121)}",
        "ANN wins 121-95. OK: Rematch",
    ),
    (
        "three, dealt",
        by_machine(THREE),
        f"OK OK P2 {score('P2', 95)} {score('P1 GO GO', 91)} {score('P1', 121)}",
        "ANN wins 121-95-91. OK: Rematch",
    ),
    (
        "four, dealt",
        by_machine(FOUR),
        f"OK OK P2 {score('P2', 95)} {score('P1', 121)}",
        "ANN+CAT wins 121-95. OK: Rematch",
    ),
)
"""A game or a match is over."""

MATCH: Final = (
    # when, the table, the keys, what is said
    (
        "so far",
        TWO,
        f"{PLAYED} MENU 5 OK",
        "The match so far: ANN 0 (0 points, +0), BOB 0 (0 points, +0). OK: Go on",
    ),
    (
        "so far, after a game",
        house(TWO, match="first-to-2"),
        f"{DEAL} {score('P2', 95)} {score('P1', 121)} MENU 3 OK",
        "The match so far: ANN 1 (1 point, +26), BOB 0 (0 points, -26). OK: Go on",
    ),
    (
        "two, by cards, is over",
        house(TWO, match="first-to-1"),
        f"{DEAL} {score('P2', 95)} {score('P1', 121)}",
        "ANN wins 121-95, and the match is over. OK: Match result",
    ),
    (
        "two, and what it came to",
        house(TWO, match="first-to-1"),
        f"{DEAL} {score('P2', 95)} {score('P1', 121)} OK",
        "ANN wins the match: ANN 1 (1 point, +26), BOB 0 (0 points, -26). OK: Next match",
    ),
    (
        "three, by cards",
        house(THREE, match="first-to-1"),
        f"{DEAL_3} {score('P2', 95)} {score('P1', 121)}",
        "ANN wins 121-95-0, a double skunk, and the match is over. OK: Match result",
    ),
    (
        "three, and what it came to",
        house(THREE, match="first-to-1"),
        f"{DEAL_3} {score('P2', 95)} {score('P1', 121)} OK",
        (
            "ANN wins the match: ANN 1 (4 points, +147), BOB 0 (0 points, -26), CAT 0 (0 points, -121). OK: "
            "Next match"
        ),
    ),
    (
        "four, by cards",
        house(FOUR, match="first-to-1"),
        f"{DEAL_4} {score('P2', 95)} {score('P1', 121)}",
        "ANN+CAT wins 121-95, and the match is over. OK: Match result",
    ),
    (
        "two, by points",
        by_points(house(TWO, match="first-to-1")),
        f"{DEAL} {score('P2', 95)} {score('P1', 121)}",
        "ANN wins 121-95, and the match is over. OK: Match result",
    ),
    (
        "three, by points",
        by_points(house(THREE, match="first-to-1")),
        f"{DEAL_3} {score('P2', 95)} {score('P1', 121)}",
        "ANN wins 121-95-0, a double skunk, and the match is over. OK: Match result",
    ),
    (
        "four, by points",
        by_points(house(FOUR, match="first-to-1")),
        f"{DEAL_4} {score('P2', 95)} {score('P1', 121)}",
        "ANN+CAT wins 121-95, and the match is over. OK: Match result",
    ),
    (
        "two, dealt",
        by_machine(house(TWO, match="first-to-1")),
        f"OK OK P2 {score('P2', 95)} {score('P1', 121)}",
        "ANN wins 121-95, and the match is over. OK: Match result",
    ),
    (
        "three, dealt",
        by_machine(house(THREE, match="first-to-1")),
        f"OK OK P2 {score('P2', 95)} {score('P1', 121)}",
        "ANN wins 121-95-0, a double skunk, and the match is over. OK: Match result",
    ),
    (
        "four, dealt",
        by_machine(house(FOUR, match="first-to-1")),
        f"OK OK P2 {score('P2', 95)} {score('P1', 121)}",
        "ANN+CAT wins 121-95, and the match is over. OK: Match result",
    ),
    (
        "drawn",
        house(TWO, match="best-of-2"),
        f"{DEAL} {score('P2', 95)} {score('P1', 121)} OK {score('P1', 95)} {score('P2', 121)} OK",
        "The match is drawn: ANN 1 (1 point, +0), BOB 1 (1 point, +0). OK: Next match",
    ),
)
"""A match."""

OPEN: Final = (
    # when, the table, the keys, what is said
    ("a step was taken back", TWO, f"{DEAL} 5 9 UNDO", "OK: Go on, UNDO: Undo"),
    ("there is nothing more to take back", TWO, "OK OK UNDO", "OK: Go on"),
    ("the menu", TWO, f"{DEAL} MENU", "Menu, 1 of 10: correct ANN. OK selects, P1 and P2 move, UNDO closes"),
    (
        "its second line",
        TWO,
        f"{DEAL} MENU P2",
        "Menu, 2 of 10: correct BOB. OK selects, P1 and P2 move, UNDO closes",
    ),
    (
        "its last line",
        TWO,
        f"{DEAL} MENU P1",
        "Menu, 10 of 10: status. OK selects, P1 and P2 move, UNDO closes",
    ),
    (
        "a score",
        TWO,
        f"{DEAL} 5 P1 P2",
        (
            "Correct ANN: set score to 1. OK: Apply, P1: Lower, P2: Higher, "
            "FLNB: Steps of 10, GO: BOB's score, "
            "UNDO: "
            "Cancel"
        ),
    ),
    (
        "a score by tens",
        TWO,
        f"{DEAL} 5 P1 FLNB P2",
        (
            "Correct ANN: set score to 10. OK: Apply, P1: Lower, P2: Higher, "
            "FLNB: Steps of 1, GO: BOB's score, "
            "UNDO: "
            "Cancel"
        ),
    ),
    (
        "a score of partners",
        FOUR,
        f"{DEAL_4} 5 P2 P2",
        (
            "Correct BOB+DAN: set score to 1. OK: Apply, P1: Lower, P2: Higher, "
            "FLNB: Steps of 10, GO: ANN+CAT's "
            "score, "
            "UNDO: Cancel"
        ),
    ),
    (
        "a penalty",
        TWO,
        f"{DEAL} 5 P1 A",
        "Correct ANN: penalty -2. P1: Lower, P2: Higher, FLNB: Steps of 10, GO: BOB's score, UNDO: Cancel",
    ),
    (
        "points by a ruling",
        TWO,
        f"{DEAL} 5 P1 A P2 P2 P2",
        (
            "Correct ANN: penalty +2. OK: Apply, P1: Lower, P2: Higher, "
            "FLNB: Steps of 10, GO: BOB's score, UNDO: "
            "Cancel"
        ),
    ),
    (
        "a misdeal",
        TWO,
        f"{DEAL} 5 P1 3",
        "Correct ANN: misdeal: deal again. OK: Apply, GO: BOB's score, UNDO: Cancel",
    ),
    (
        "a score before the deal",
        TWO,
        "OK OK MENU 3 OK",
        (
            "Correct ANN: set score to 0. OK: Close, P1: Lower, P2: Higher, "
            "FLNB: Steps of 10, GO: BOB's score, "
            "UNDO: "
            "Cancel"
        ),
    ),
    (
        "a false claim of the game",
        replace(TWO, rules="acc"),
        f"{DEAL} 5 {score('P1', 30)} P1 3",
        (
            "Correct ANN: false claim of the game: 15 back, 91 to the other side. OK: Apply, GO: BOB's "
            "score, "
            "UNDO: Cancel"
        ),
    ),
    (
        "a misdeal where the game can be claimed falsely",
        replace(TWO, rules="acc"),
        f"{DEAL} 5 P1 4",
        "Correct ANN: misdeal: deal again. OK: Apply, GO: BOB's score, UNDO: Cancel",
    ),
    (
        "muggins",
        house(THREE, miscount="muggins"),
        f"{PLAYED_3} 2 OK P1",
        (
            "Correct ANN: muggins: 4 of CAT. OK: Apply, P1: Lower, P2: Higher, "
            "FLNB: Steps of 10, GO: BOB's score, "
            "UNDO: Cancel"
        ),
    ),
    (
        "a wrong call of muggins",
        house(THREE, miscount="muggins"),
        f"{PLAYED_3} 2 OK P1 P1 P1 P1 P1",
        (
            "Correct ANN: wrong call of muggins: 5 of CAT. OK: Apply, P1: Lower, P2: Higher, "
            "FLNB: Steps of 10, "
            "GO: "
            "BOB's score, UNDO: Cancel"
        ),
    ),
    (
        "the game was not won",
        TWO,
        f"{DEAL} {score('P1', 121)} P1 P2",
        (
            "ANN has not won: the true score is 1. OK: Apply, P1: Lower, P2: Higher, "
            "FLNB: Steps of 10, UNDO: Cancel"
        ),
    ),
    (
        "the game was not won, by tens",
        TWO,
        f"{DEAL} {score('P1', 121)} P1 FLNB P2",
        (
            "ANN has not won: the true score is 10. OK: Apply, P1: Lower, P2: Higher, "
            "FLNB: Steps of 1, UNDO: Cancel"
        ),
    ),
    (
        "the game was not won, and fifteen back",
        house(TWO, false_win="acc"),
        f"{DEAL} {score('P1', 121)} P1 P2",
        (
            "ANN has not won: the true score is 1, and 15 back. OK: Apply, P1: Lower, P2: Higher, "
            "FLNB: Steps of "
            "10, "
            "UNDO: Cancel"
        ),
    ),
    (
        "why, for one rule",
        TWO,
        f"{DEAL} J MENU 4 OK",
        (
            'His heels: if the starter is a jack, the dealer pegs two at once. board-set: "If the '
            "start "
            'card is a jack, the dealer immediately pegs 2 holes. This is called Two for his heels." OK: Go '
            "on, P1: Previous, P2: Next"
        ),
    ),
    (
        "why, for several",
        TWO,
        f"{DEAL} 5 4 6 5 MENU 4 OK",
        (
            "In the play, a count of exactly fifteen pegs 2. In the show, so do any cards that add up to "
            'fifteen. board-set: "Any combination of cards adding up to 15 pips scores 2 points. ... If you '
            "play a "
            'card which brings the total to 15 you peg 2". OK: Go on, P1: Previous, P2: Next'
        ),
    ),
    (
        "why, for the next of them",
        TWO,
        f"{DEAL} 5 4 6 5 MENU 4 OK P2 P2 P2",
        (
            "Three or more ranks in sequence, ace low, peg one point a card; in the play they may fall in "
            "any order, with no other card between them. "
            'board-set: "A run or sequence is a set of 3 or more cards of consecutive ranks '
            "... "
            "ace is low ... the score is equal to the number of cards in the run. ... no other cards must "
            'intervene." OK: Go on, P1: Previous, P2: Next'
        ),
    ),
    (
        "why, by the house's own rule",
        house(TWO, renege="2"),
        f"{WRONG_GO} OK MENU 4 OK",
        ('A wrong go: two to each other side. the house: "standard has: noted, and nothing more". OK: Go on'),
    ),
    (
        "why, where the source does not say",
        replace(TWO, rules="use-and-care"),
        f"{DEAL} MENU 4 OK",
        (
            "The deal: six each, two discarded (two players). use-and-care: not stated; as in standard. OK: "
            "Go "
            "on"
        ),
    ),
    (
        "why, where no source says",
        TWO,
        f"{DEAL} 5 P2 3 OK MENU 4 OK",
        (
            "After a misdeal the points of this deal are taken back, and the same dealer deals again. "
            "cribpi: "
            "no source says this. OK: Go on"
        ),
    ),
    (
        "why, where the house differs from a source that never names it",
        replace(TWO, rules="computer-game", options=(("heels", "2"),)),
        f"{DEAL} J MENU 4 OK",
        (
            "His heels: if the starter is a jack, the dealer pegs two at once. the house: "
            '"computer-game has: a jack as the starter is worth nothing". OK: Go on, P1: Previous, P2: Next'
        ),
    ),
)
"""What lies open: UNDO's remark, the menu, corrections, why."""

EVERY: Final = (
    *IDLE,
    *NEW_GAME,
    *CUT,
    *DEAL_AND_STARTER,
    *PLAY,
    *SHOW,
    *CRIB_SHOW,
    *BY_ITS_CARDS,
    *DEALT,
    *OVER,
    *MATCH,
    *OPEN,
)


def pressed(setup: Setup, keys: str) -> Evening:
    """Return a table after *keys*, none of which is refused."""
    evening = Evening(setup)
    for key in keys.split():
        evening.press(key)
        assert evening.refusal is None, f"{key}: {evening.error}"
    return evening


@pytest.mark.parametrize(("when", "setup", "keys", "says"), EVERY, ids=[when for when, *_ in EVERY])
def test_the_prompt_says_what_to_do_next(when: str, setup: Setup, keys: str, says: str) -> None:
    evening = pressed(setup, keys)
    assert prompt(evening.state, evening.desk) == says, when


def test_each_phase_of_each_form_of_entry_has_a_prompt_here_for_two_three_and_four() -> None:
    here = set()
    for _, setup, keys, _ in EVERY:
        evening = pressed(setup, keys)
        if evening.desk.dialog is None:
            here.add((evening.state.phase, evening.state.entry, evening.state.players))
    for phase in set(Phase) - {Phase.IDLE}:
        for entry in Entry:
            if (phase, entry) == (Phase.STARTER, Entry.CARDS):
                continue  # it comes only where hands were entered, and is as the deal before it
            for players in (2, 3, 4):
                assert (phase, entry, players) in here, f"{phase}, {entry}, {players} players"


def test_where_the_hands_are_known_the_starter_is_asked_for_in_the_same_words() -> None:
    lines = ("dealt 0 A 2 3 4 5 6", "dealt 1 A 2 3 4 5 6", "laid-away 0 A 2", "laid-away 1 A 2")
    state = after('game "ANN" "BOB" dealer=1', *lines)
    assert state.phase is Phase.STARTER
    assert prompt(state, Desk()) == "BOB deals six each, ANN cuts: press the starter's rank"


def test_the_page_is_told_of_the_menu_of_a_new_game_as_of_a_phase() -> None:
    in_menu, in_game = pressed(TWO, f"{DEAL} MENU 6 OK"), pressed(TWO, DEAL)
    assert phase_of(in_menu.state, in_menu.desk) == "new-game"
    assert phase_of(in_game.state, in_game.desk) == "deal"


# --- hands that the machine has dealt ---------------------------------------------------------------


def dealt(setup: Setup, hands: str, starter: str, events: str = "", dealer: str = "P2") -> Evening:
    """Return a table at which the side of *dealer* deals *hands*, the first to its left, and *events*
    follow."""
    evening = pressed(setup, f"OK OK {dealer}")
    given = [parse_cards(hand) for hand in hands.split(" | ")]
    top = [card for row in zip(*given, strict=True) for card in row]
    starts = [*top, *parse_cards(starter)]
    evening.do(PackShuffled((*starts, *(card for card in PACK if card not in starts))))
    for line in filter(None, events.split(", ")):
        evening.do(parse_event(line))
    return evening


ONE_PERSON: Final = by_machine(TWO, "", "solid")
HANDS: Final = "8C 8D KC QC 2D 3D | KD QD JD 10D 9D 4D"
"""ANN's, then BOB's."""
AWAY: Final = "laid-away 0 2D 3D, laid-away 1 9D 4D"
LATE_HEELS: Final = {"heels_deadline": "first-card", "miscount": "lost"}
FOUR_HANDS: Final = "KC 2C 3C 4C 5C | KD 2D 3D 4D 5D | KH 2H 3H 4H 5H | 9S 8S 7S 6S 5S"
FOUR_AWAY: Final = "laid-away 1 2C, laid-away 2 2D, laid-away 3 2H, laid-away 0 9S"

AFTER_A_DEAL = [
    # when                the table, hands, starter, what follows; then keys, and what is said
    (
        "one of a pair is chosen",
        (ONE_PERSON, HANDS, "7S", f"{AWAY}, starter 7S"),
        "8",
        "Choose a card to play. OK: Play the 8♣, FLNB: Hint",
    ),
    (
        "no card fits",
        (ONE_PERSON, HANDS, "7S", f"{AWAY}, starter 7S, play 0:KC, play 1:KD, play 0:8C"),
        "",
        "BOB is thinking",
    ),
    (
        "no card of a person fits",
        (ONE_PERSON, HANDS, "7S", f"{AWAY}, starter 7S, play 0:KC, play 1:KD, play 0:8C, play 1:go"),
        "",
        "You can't play. OK: Say go",
    ),
    (
        "two for his heels, and the machine is to play",
        (
            house(ONE_PERSON, **LATE_HEELS),
            HANDS,
            "JS",
            "laid-away 1 2D 3D, laid-away 0 9D 4D, starter JS",
            "P1",
        ),
        "",
        "BOB is thinking. OK: Take two for his heels",
    ),
    (
        "two for his heels, and their taker is to play",
        (
            house(ONE_PERSON, **LATE_HEELS),
            HANDS,
            "JS",
            "laid-away 1 2D 3D, laid-away 0 9D 4D, starter JS, play 1:8C",
            "P1",
        ),
        "",
        "Choose a card to play. OK: Take two for his heels",
    ),
    (
        "they are taken",
        (
            house(ONE_PERSON, **LATE_HEELS),
            HANDS,
            "JS",
            "laid-away 1 2D 3D, laid-away 0 9D 4D, starter JS, play 1:8C",
            "P1",
        ),
        "OK",
        "Choose a card to play. FLNB: Hint",
    ),
    (
        "two for his heels, where no card fits",
        (
            house(by_machine(FOUR, "", "solid"), **LATE_HEELS),
            FOUR_HANDS,
            "JS",
            f"{FOUR_AWAY}, starter JS, play 1:KC, play 2:KD, play 3:KH",
            "P1",
        ),
        "",
        "You can't play. OK: Take two for his heels, GO: Say go",
    ),
]


@pytest.mark.parametrize(
    ("when", "table", "keys", "says"), AFTER_A_DEAL, ids=[when for when, *_ in AFTER_A_DEAL]
)
def test_the_prompt_says_what_a_person_can_do_with_the_hand_that_was_dealt(
    when: str, table: tuple[Any, ...], keys: str, says: str
) -> None:
    evening = dealt(*table).press(keys)
    assert prompt(evening.state, evening.desk) == says, when


def test_where_players_count_a_person_is_asked_and_the_machine_is_not() -> None:
    play = (
        "play 0:8C, play 1:KD, play 0:KC, play 1:go, play 0:go, play 1:QD, play 0:QC, play 1:10D, play 0:go"
    )
    lines = f"{AWAY}, starter 7S, {play}, play 1:go, play 0:8D, play 1:JD"
    evening = dealt(replace(ONE_PERSON, rules="acc"), HANDS, "7S", lines)
    assert prompt(evening.state, evening.desk) == (
        "ANN shows 8C KC QC 8D with 7S: type the count. GO: Claim nothing"
    )
    evening.press("6 OK")
    assert prompt(evening.state, evening.desk) == "BOB shows KD QD 10D JD with 7S, and counts 8. OK: Go on"


# --- kits without keys for the ranks ----------------------------------------------------------------


def test_a_game_by_cards_can_not_go_on_without_keys_for_the_ranks_and_the_prompt_says_so() -> None:
    stick = Pad(("LEFT", "RIGHT", "UP", "DOWN", "UNDO", "MENU", "OK"))
    says = "This game needs keys for the ranks, and this kit has none: MENU starts a new one"
    for keys in (DEAL, f"{DEAL} 5", CRIB):
        evening = pressed(TWO, keys)
        assert prompt(evening.state, evening.desk, stick) == says, keys
    cut = pressed(TWO, "OK OK")
    assert prompt(cut.state, cut.desk, stick) == (
        "ANN cuts for the deal. OK: Draw the first dealer, LEFT: ANN deals first, RIGHT: BOB deals first"
    )
