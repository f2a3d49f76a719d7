"""Every text of the glass, in its short form: no line is longer than 21 cells of the small face.

A name in braces is filled in by `cribpi.views.screens.wording.fitted`, which shortens the names of people
until the line fits.  The long forms, for the page and the voice, are in `cribpi.views.prompts` and
`cribpi.core.words`.
"""

from __future__ import annotations

from typing import Final

from cribpi.core.errors import (
    BadSetup,
    GameIsOver,
    ImpossibleCards,
    ImpossibleClaim,
    ImpossiblePoints,
    MustPlay,
    NotHeld,
    TooHigh,
    WrongPhase,
    WrongSeat,
)
from cribpi.core.scores import Kind
from cribpi.entry.reply import WrongKey

# --- the scores -------------------------------------------------------------------------------------

TROUBLE: Final = "!"

# --- before the play --------------------------------------------------------------------------------

PRODUCT: Final = "CRIBPI"
INVITATION: Final = "count on real cards"
NEW_GAME: Final = "NEW GAME"
PLAYERS: Final = "players"
TARGET: Final = "up to"
ENTRY: Final = "enter"
ENTRIES: Final = {"cards": "every card", "peg": "points only"}
CUT: Final = "CUT: LOW CARD DEALS"
CUT_AGAIN: Final = "A TIE: CUT AGAIN"
DEALS: Final = "{name} DEALS"
DEALT: Final = {2: "6 each, 2 to the crib", 3: "5 each, 1 to the crib", 4: "5 each, 1 to the crib"}
FROM_PACK: Final = "and 1 from the pack"
CUTS_STARTER: Final = "{name} cuts"
LAST: Final = "{name} {points} {what}"

# --- the play ---------------------------------------------------------------------------------------

THE_STARTER_IS: Final = "the starter is"
STARTER: Final = "starter {card}"
CLOSED: Final = "closed"
ROOM: Final = "{room} to 31"
GO: Final = "GO"
PLAYS: Final = "plays a card"
LEADS: Final = "leads a card"
HEELS: Final = "two for his heels"
HEELS_JACK: Final = "a jack: two"
HEELS_FOR: Final = "for his heels"
PUT_RIGHT: Final = "put right"
MAKES: Final = "{card} makes {sum},"
PAST: Final = "past {limit}."
ALL_SAID_GO: Final = "All said go?"

BEFORE: Final = "({told})"
"""What happened before, as an aside."""

# --- the show ---------------------------------------------------------------------------------------

HAND: Final = "hand"
CRIB: Final = "crib"
NINETEEN: Final = "a nineteen"
STEP: Final = "{name} {before}\N{RIGHTWARDS ARROW}{after}"
FLUSH: Final = "flush"
NOBS: Final = "his nobs"
FLUSH_AND_NOBS: Final = "flush + nobs"
ASKS: Final = {(True, True): "flush? nobs?", (True, False): "flush?", (False, True): "nobs?"}
"""What FLNB could add, by whether a flush and whether nobs is possible."""
CRIB_OF: Final = "{name}'s crib"
HAND_OF: Final = "{name}'s hand"
CARDS_TO_COME: Final = "{number} to come"
RENEGE: Final = "A WRONG GO"
RENEGE_WAS: Final = "{name} said go at {count}"
RENEGE_HELD: Final = "but held the {card}"
HAND_IS: Final = "hand {points}"

# --- a game kept by points ---------------------------------------------------------------------------

A_JACK: Final = "A JACK?"
THE_PLAY: Final = "THE PLAY"
PEGS: Final = "pegs"
SHOWS: Final = "shows the {what}"

# --- menus ------------------------------------------------------------------------------------------

MENU: Final = "MENU"
CORRECT: Final = "CORRECT {name}"
PENALTY: Final = "penalty"
SCORE: Final = "score"
BECOMES: Final = "{before}\N{RIGHTWARDS ARROW}{after}"
TAKEN_BACK: Final = "TAKEN BACK"
STEPS_LEFT: Final = "{number} more steps"
STEP_LEFT: Final = "1 more step"
NO_STEPS_LEFT: Final = "that was the first"
NOTE: Final = "NOTE"

# --- the end ----------------------------------------------------------------------------------------

WINS: Final = "{name} WINS"
WIN: Final = "{name} WIN"
BY_SMALL: Final = "by {points}, {games}"
BY: Final = "BY {points}"
SKUNK: Final = "SKUNK"
DOUBLE_SKUNK: Final = "DOUBLE SKUNK"
LOSES: Final = "{name} -{points} {skunk}"
GAMES: Final = "games {games}"

# --- what keys do ------------------------------------------------------------------------------------

ANY_RANK: Final = "A..K"
BEGIN: Final = "new game"
STARTS: Final = "start"
LESS: Final = "-"
MORE_OF: Final = "+"
PREVIOUS: Final = "\N{UPWARDS ARROW}"
FOLLOWING: Final = "\N{DOWNWARDS ARROW}"
TAKES: Final = "take"
APPLIES: Final = "apply"
THE_CUT: Final = "cut"
BY_CHANCE: Final = "by chance"
THE_STARTER: Final = "the starter"
STARTER_CARD: Final = "starter"
LEADS_NEW: Final = "{name} leads {card}"
SLIP: Final = "slip"
SAYS_GO: Final = "says go"
A_RULING: Final = "a ruling"
RULING: Final = "ruling"
STARTER_IS_CUT: Final = "starter is cut"
NO_JACK: Final = "no jack"
PLAY_IS_OVER: Final = "the play is over"
TYPE_COUNT: Final = "the count"
PEGS_NOTHING: Final = "0"
BY_CARDS: Final = "by cards"
CLEARS: Final = "clear"
KEEP: Final = "go on"
MORE: Final = "more"
NEXT_GAME: Final = "next game"

# --- scores in a word --------------------------------------------------------------------------------

SCORES: Final = {
    Kind.FIFTEEN: "fifteen",
    Kind.PAIR: "pair",
    Kind.PAIR_ROYAL: "pair royal",
    Kind.DOUBLE_PAIR_ROYAL: "double royal",
    Kind.RUN: "run of {points}",
    Kind.FLUSH: "flush",
    Kind.NOBS: "nobs",
    Kind.THIRTY_ONE: "thirty-one",
    Kind.GO: "go",
    Kind.LAST: "last card",
    Kind.HEELS: "his heels",
}
"""A score by its name."""

BRIEF: Final = SCORES | {
    Kind.FIFTEEN: "15",
    Kind.THIRTY_ONE: "31",
    Kind.PAIR_ROYAL: "3 alike",
    Kind.DOUBLE_PAIR_ROYAL: "4 alike",
    Kind.RUN: "run {points}",
    Kind.LAST: "last",
}
"""The same where several stand in one line."""

BREAKDOWN: Final = {
    Kind.FIFTEEN: ("1 fifteen", "{number} fifteens"),
    Kind.PAIR: ("1 pair", "{number} pairs"),
    Kind.PAIR_ROYAL: ("pair royal", "{number} royals"),
    Kind.DOUBLE_PAIR_ROYAL: ("double royal", "{number} doubles"),
    Kind.RUN: ("run of {points}", "{number} runs of {points}"),
    Kind.FLUSH: ("flush", "{number} flushes"),
    Kind.NOBS: ("his nobs", "{number} nobs"),
}
"""Scores of one kind at a show: one of it, and more."""

RANKS: Final = (
    "",
    "ACES",
    "TWOS",
    "THREES",
    "FOURS",
    "FIVES",
    "SIXES",
    "SEVENS",
    "EIGHTS",
    "NINES",
    "TENS",
    "JACKS",
    "QUEENS",
    "KINGS",
)
"""More than one card of a rank."""

# --- what was refused --------------------------------------------------------------------------------

TOO_MANY: Final = "{number} {rank}"
TWICE: Final = "ONE CARD TWICE"
NOT_SAVED: Final = "NOT SAVED"

ERRORS: Final[dict[type[Exception], str]] = {
    TooHigh: "TOO HIGH",
    MustPlay: "NO GO",
    ImpossibleCards: "IMPOSSIBLE CARDS",
    NotHeld: "CHECK THE CARDS",
    ImpossibleClaim: "FLUSH AND NOBS",
    ImpossiblePoints: "CHECK THE POINTS",
    BadSetup: "CHECK THE GAME",
    WrongSeat: "NOT YOUR TURN",
    GameIsOver: "GAME OVER",
    WrongPhase: "NOT NOW",
    WrongKey: "WRONG KEY",
}
"""The title over a refusal, by its class; the refusal's own sentence stands below."""
