"""Every text of the glass, in its short form: no line is longer than 21 cells of the small face.

A name in braces is filled in by `wording.fitted`, which shortens the names of people until the line fits.
The long forms, for the page and the voice, are in `cribpi.companion.entry` and `cribpi.cribbage.words.call`.
"""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry.reply import WrongKey
from cribpi.companion.entry.settings import NoSuchSetting
from cribpi.cribbage.game import events
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.rules import errors

# --- the scores -------------------------------------------------------------------------------------

TROUBLE: Final = "!"

# --- the start of the program ---------------------------------------------------------------------------

STARTING: Final = "STARTING"
LOADING: Final = "loading the program"
OPENING_JOURNAL: Final = "opening the journal"
OPENING_PAGE: Final = "opening the page"
NOT_STARTED: Final = "NOT STARTED"

# --- before the play --------------------------------------------------------------------------------

PRODUCT: Final = "CRIBPI"
INVITATION: Final = "count on real cards"
PAIRED: Final = "{name} - {other}"
FOLLOWED_BY: Final = "next: {name} - {other}"
AND_OTHER: Final = "- {name}"
BOARD: Final = "board {board}"
ROUNDS: Final = ("round {round} of {rounds}", "round {round}/{rounds}", "round {round}")
"""Which round of a club's night; the same where there is less room."""
CUT: Final = "CUT: LOW CARD DEALS"
CUT_WON: Final = "LOW CUT, WON {games}"
DEALS_FIRST: Final = "WHO DEALS FIRST?"
DRAWN: Final = "drawn at random"
CHOSEN: Final = "press a name's key"
CUT_AGAIN: Final = "A TIE: CUT AGAIN"
DEALS: Final = "{name} DEALS"
DEALT: Final = {2: "6 each, 2 to the crib", 3: "5 each, 1 to the crib", 4: "5 each, 1 to the crib"}
FROM_PACK: Final = "and 1 from the pack"
DEALT_AND_PACK: Final = "5 each, 1 from pack"
"""Both where there is one line for it."""
CUTS_STARTER: Final = "{name} cuts"
CUTS_FOR: Final = "{name} cuts for {other}"
TURNS_STARTER: Final = "{name} turns it up"
KEEP_BOARD: Final = "{name} and {other} peg"
LAST: Final = "{name} {points} {what}"

# --- the play ---------------------------------------------------------------------------------------

STARTER: Final = "starter {card}"
CLOSED: Final = "count closed"
WHO_LEADS: Final = "{name} leads"
TOO_HIGH: Final = "{cards} too high"
ROOM: Final = "{room:2} to 31"
GO: Final = "GO"
PLAYS: Final = "plays a card"
HEELS_JACK: Final = "a jack: {points}"
HEELS_FOR: Final = "for his heels"
CARD: Final = "card"
BACK_PEG_AT: Final = "back peg {hole}"
BACK_AT: Final = "back {hole}"
"""The same where there is less room."""
MAKES: Final = "+ {pips} = {sum},"
PAST: Final = "over {limit}."
ALL_SAID_GO: Final = "All said go?"

# --- a game that the machine deals ----------------------------------------------------------------------

OWN_CRIB: Final = "{number} to your crib"
OTHERS_CRIB: Final = "{number} to {name}'s crib"
CHOOSES: Final = "choose"
HINT: Final = "hint"
HINT_COMES: Final = "hint: thinking"
HINTED: Final = "hint: {brief}"
YOUR_HAND: Final = "your hand"
THINKS: Final = "{name} is thinking"
THINK: Final = "{name} thinking"
CUT_CARD: Final = "cut {card}"

# --- the show ---------------------------------------------------------------------------------------

HAND: Final = "hand"
CRIB: Final = "crib"
NINETEEN: Final = "a nineteen"
CLAIMED: Final = {(True, False): "flush", (False, True): "his nobs", (True, True): "flush + nobs"}
"""What is claimed of the suits, by whether it is a flush and whether it is nobs."""
ASKS: Final = {(True, True): "flush? nobs?", (True, False): "flush?", (False, True): "nobs?"}
"""What FLNB could add, by whether a flush and whether nobs is possible."""
ASKS_BOTH: Final = "suits?"
"""The same where there is no room for both."""
CRIB_OF: Final = "{name}'s crib"
HAND_OF: Final = "{name}'s hand"
THE: Final = "the {what}"
CARDS_TO_COME: Final = "{number} more"
RENEGE: Final = "A WRONG GO"
RENEGE_WAS: Final = "{name} said go at {count}"
RENEGE_HELD: Final = "but held the {cards}"
TAKE_POINTS: Final = "{name} {points}"
LET_BE: Final = ("wrong go, no penalty", "no penalty")
"""A wrong go without a ruling; the same where there is less room."""
HAND_IS: Final = "hand {points}"

# --- the show, where players count ---------------------------------------------------------------------

YOUR_COUNT: Final = "your count?"
COUNTED: Final = "counted"
SAID: Final = "{name} said {number}"
TRUE: Final = "true {number}"
ARE_LOST: Final = "{points} lost"
OPEN: Final = "muggins {points}?"
TOO_MUCH: Final = "{points} too many"
COUNTS: Final = "count"

# --- a game kept by points ---------------------------------------------------------------------------

A_JACK: Final = "A JACK?"
THE_PLAY: Final = "THE PLAY"
NOT_PEGGED: Final = {
    Phase.DEAL: ("no starter", "is cut yet"),
    Phase.STARTER: ("only {points} for", "his heels"),
    Phase.PLAY: ("no card", "pegs that"),
    Phase.SHOW: ("no hand", "counts that"),
    Phase.CRIB: ("no crib", "counts that"),
}
"""Beside an amount that nobody can peg: two lines of 11 cells."""
PEGS: Final = "pegs"
SHOWS: Final = "shows the {what}"

# --- menus ------------------------------------------------------------------------------------------

MENU: Final = "MENU"
HOLD_FOR_OFF: Final = "hold {key} {number} s: off"
STATUS: Final = "STATUS"
STATUS_PAGE: Final = "WRONG {number} OF {sum}"
NO_PHONES: Final = "phones are off"
WRONG: Final = ("nothing is wrong", "1 thing is wrong", "{number} things are wrong")
MUGGINS: Final = "muggins"
WRONG_CALL: Final = "wrong call"
FALSE_WIN: Final = "false win"
MISDEAL: Final = "misdeal"
A_MISDEAL: Final = "A MISDEAL: deal again"
NOT_WON: Final = "{name} HAS NOT WON"
TRUE_SCORE: Final = "true score"
WAS: Final = "was"
NOW: Final = "now"
BECOMES: Final = "{before}\N{RIGHTWARDS ARROW}{after}"
TAKEN_BACK: Final = "UNDONE"
STEPS_LEFT: Final = ("nothing left to undo", "1 more step", "{number} more steps")
NOTE: Final = "NOTE"
BY_SOURCE: Final = "by {source}"

# --- the match --------------------------------------------------------------------------------------

MATCH: Final = "MATCH"
MATCH_WON: Final = "WON BY"
END_MATCH: Final = "END?"
MATCH_EQUAL: Final = "DRAWN"
STANDING: Final = ("games", "points", "skunks", "spread")
FIRST_TO: Final = "first to {number}"
BEST_OF: Final = "best of {number}"

# --- the end ----------------------------------------------------------------------------------------

WINS: Final = "{name} WINS"
WIN: Final = "{name} WIN"
BY_SMALL: Final = "by {points}, {games}"
BY: Final = "BY {points}"
SKUNKS: Final = ("", "SKUNK", "DOUBLE SKUNK")
"""What a loser has suffered: neither, a skunk, a double one."""
LOSES: Final = "{name} -{points} {skunk}"
GAMES: Final = "games {games}"
AND_MATCH: Final = "AND THE MATCH"
MATCH_TO: Final = "MATCH TO {name}"
MATCH_DRAWN: Final = "MATCH DRAWN"
SUMS: Final = ("pegging", "hands", "cribs")
BEST: Final = "best"
PLAYED: Final = "{number} games, won {sum}"
PLAYED_ONE: Final = "1 game, won {sum}"
A_DEAL: Final = "{points} points a deal"
BEST_HAND: Final = "best hand {points}"
SKUNKED: Final = "skunked others: {number}"
BY_SKUNK: Final = "{skunk}, {games}"

# --- what keys do ------------------------------------------------------------------------------------

ANY_RANK: Final = "A..K"
HELD_MENU: Final = "held: menu"
SELECTS: Final = "pick"
THE_CUT: Final = "cut"
THE_STARTER: Final = "the starter"
STARTER_CARD: Final = "starter"
A_RULING: Final = "a ruling"
TYPE_COUNT: Final = "the count"

# --- scores in a word --------------------------------------------------------------------------------

SCORES: Final = {
    Kind.FIFTEEN: "15",
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
    Kind.THIRTY_ONE: "31",
    Kind.PAIR_ROYAL: "3 alike",
    Kind.DOUBLE_PAIR_ROYAL: "4 alike",
    Kind.RUN: "run {points}",
    Kind.LAST: "last",
}
"""The same where several stand in one line."""

REASONS: Final[dict[type, str]] = {
    events.HandShown: HAND,
    events.HandCounted: HAND,
    events.CribShown: CRIB,
    events.PenaltyPegged: "ruling",
    events.ScorePutRight: "score set",
    events.Misdealt: MISDEAL,
    events.MugginsCalled: MUGGINS,
    events.RenegeRuled: "wrong go",
    events.FalseWinRuled: FALSE_WIN,
}
"""What points were for that are no score of the play."""

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
CARD_TOO_HIGH: Final = "{card} IS TOO HIGH"
TWICE: Final = "ONE CARD TWICE"
NOT_SAVED: Final = "NOT SAVED"

ERRORS: Final[dict[type[Exception], str]] = {
    errors.TooHigh: "TOO HIGH",
    errors.MustPlay: "NO GO",
    errors.ImpossibleCards: "IMPOSSIBLE CARDS",
    errors.NotHeld: "CHECK THE CARDS",
    errors.ImpossibleClaim: "FLUSH AND NOBS",
    errors.ImpossiblePoints: "CHECK THE POINTS",
    errors.BadSetup: "CHECK THE GAME",
    errors.WrongSeat: "NOT YOUR TURN",
    errors.GameIsOver: "GAME OVER",
    errors.WrongPhase: "NOT NOW",
    WrongKey: "WRONG KEY",
    NoSuchSetting: "CHECK THE SETTING",
}
"""The title over a refusal, by its class; the refusal's own sentence stands below."""

# --- phones ------------------------------------------------------------------------------------------

CODE: Final = "code"
PHONES_HERE: Final = "{number} here"
MORE_LINES: Final = "more"
