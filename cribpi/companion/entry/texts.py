"""What each choice says: in full for a button or a sentence, and short for the screen.

A name in braces is filled in by `Text.of`.  The short form has 17 cells at the most beside its key; a
person's name is cut there so that it fits.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cribpi.cribbage.game.names import shortened

CELLS: Final = 17
"""Cells of the small face beside the cap of a key of two letters."""


class Text(NamedTuple):
    """A text of the interface, in full and short."""

    long: str
    brief: str
    name: str = ""
    """Whom the short form names, in braces until it is known how much room there is."""

    def of(self, *, name: str = "", **others: object) -> Text:
        """Fill both forms in.

        >>> from cribpi.cribbage.game.cards import Card
        >>> plays = Text("{name} plays the {card.face}", "{name} {card.face}")
        >>> plays = plays.of(name="ANNABEL THE FIRST", card=Card.parse("7"))
        >>> plays.long, plays.short, plays.fit(8)
        ('ANNABEL THE FIRST plays the 7', 'ANNABEL THE FI… 7', 'ANNAB… 7')
        """
        return Text(self.long.format(name=name, **others), self.brief.format(name="{name}", **others), name)

    @property
    def forms(self) -> tuple[str, str]:
        """Both forms: in full, and short."""
        return self.long, self.short

    @property
    def short(self) -> str:
        """The short form beside the cap of a key of two letters."""
        return self.fit(CELLS)

    def fit(self, cells: int) -> str:
        """Return the short form with the name cut so that it takes *cells* at most, if that is possible."""
        rest = len(self.brief) - len("{name}")
        return self.brief.replace("{name}", shortened(self.name, max(cells - rest, 1)))


# --- at any time --------------------------------------------------------------------------------------

UNDO: Final = Text("Undo", "undo")
REDO: Final = Text("Redo", "redo")
MENU: Final = Text("Menu", "menu")
SHUT_DOWN: Final = Text("Shut down", "shut down")
RESTART: Final = Text("Restart", "restart")
GO_ON: Final = Text("Go on", "go on")
CLOSE: Final = Text("Close", "close")
CANCEL: Final = Text("Cancel", "cancel")
TAKE_BACK: Final = Text("Undo the last one", "clear")
CORRECT: Final = Text("Correct {name}'s score", "correct {name}")

# --- before a game, and after it ----------------------------------------------------------------------

NEW_GAME: Final = Text("New game", "new game")
NEXT_GAME: Final = Text("Next game", "next")
REMATCH: Final = Text("Rematch", "next")
MATCH_RESULT: Final = Text("Match result", "match")
SUMS: Final = Text("What each side got", "sum")
NEXT_MATCH: Final = Text("Next match", "next match")
SHOW_ROUND: Final = Text("Go to round {round}: {names}", "next")
START_ROUND: Final = Text("Start round {round}: {names}", "start")
NOT_WON: Final = Text("{name} has not won", "{name} not won")
START: Final = Text("Start", "start")
BACK: Final = Text("Back to the menu", "back")

# --- the cut and the deal -----------------------------------------------------------------------------

CUT_IS: Final = Text("{name} cuts the {card.face}", "cut {card.face}")
CUT: Final = Text("Cut a card", "cut a card")
BY_CHANCE: Final = Text("Draw the first dealer", "by chance")
DRAW: Final = Text("Draw the dealer", "draw the dealer")
DEALS_FIRST: Final = Text("{name} deals first", "{name} deals")
SHUFFLE: Final = Text("Shuffle and deal", "shuffle, deal")
STARTER_IS: Final = Text("The starter is the {card.face}", "starter {card.face}")
TURN_STARTER: Final = Text("Turn up the starter", "turn the starter")

# --- the play -----------------------------------------------------------------------------------------

PLAYS: Final = Text("{name} plays the {card.face}", "{name} plays {card.face}")
OVER_31: Final = Text("The {card.face} would go over 31", "{card.face}: over 31")
SAYS_GO: Final = Text("{name} says go", "says go")
HEELS: Final = Text("Take {what}", "take {points}")
NEW_COUNT: Final = Text("New count with the {card.face}", "{name} leads {card.face}")
WRONG_KEY: Final = Text("Wrong key", "wrong")

# --- a hand that the computer has dealt ---------------------------------------------------------------

OPEN_HAND: Final = Text("Show {name}'s cards", "{name}'s hand")
CHOOSE: Final = Text("Choose the {card.face}", "choose {card.face}")
PUT_BACK: Final = Text("Put the {card.face} back", "put {card.face} back")
SEND_OWN: Final = Text("Send to my crib", "to my crib")
SEND: Final = Text("Send to {name}'s crib", "to {name}")
PLAY: Final = Text("Play the {card.face}", "play {card.face}")
GO: Final = Text("Say go", "say go")
HINT: Final = Text("Hint", "hint")
NO_HINT: Final = Text("Close the hint", "no hint")

# --- the show -----------------------------------------------------------------------------------------

HAND_CARD: Final = Text("{name} shows the {card.face}", "{card.face}")
CRIB_CARD: Final = Text("The crib has the {card.face}", "{card.face}")
SUITS: Final = Text("Flush or his nobs", "flush, nobs")
PEG: Final = Text("Peg {points}", "{name} {before}\N{RIGHTWARDS ARROW}{after}")
"""Short, it says where that takes the score."""
PEG_NOTHING: Final = Text("Nothing to peg", "peg 0")
ADD: Final = Text("{points}", "{points}")
CLAIM: Final = Text("Claim {points}", "claim {points}")
CLAIM_NOTHING: Final = Text("Claim nothing", "nothing")
GIVE: Final = Text("Give {name} {points}", "{name} {points}")
GIVE_EACH: Final = Text("Give {name} {points} each", "{points} each")
LET_BE: Final = Text("No penalty", "no penalty")

# --- a game kept by points ----------------------------------------------------------------------------

PEGS_IN_MENU: Final = Text("{points} for {name}, in the menu", "for {name}: menu")
PEGS: Final = Text("{points} for {name}", "{points} for {name}")
THE_GO: Final = Text("1 for the go", "go: 1")
MORE: Final = Text("One more", "+1")
LESS: Final = Text("One less", "-1")
STARTER_IS_CUT: Final = Text("The starter is cut", "starter is cut")
NO_JACK: Final = Text("It was not a jack", "no jack")
PLAY_IS_OVER: Final = Text("The play is over", "the play is over")
COUNT_HAND: Final = Text("Count the cards", "cards")
COMPARE: Final = Text("Compare it with the cards", "cards")

# --- menus --------------------------------------------------------------------------------------------

LINE: Final = Text("{name}", "{name}")
PREVIOUS: Final = Text("Previous", "\N{UPWARDS ARROW}")
NEXT: Final = Text("Next", "\N{DOWNWARDS ARROW}")
LOWER: Final = Text("Lower", "-")
HIGHER: Final = Text("Higher", "+")
CHANGE_BACK: Final = Text("{what}: previous", "-")
CHANGE_ON: Final = Text("{what}: next", "+")
MISDEAL: Final = Text("misdeal: deal again", "misdeal")
OTHER_STEP: Final = {10: Text("Steps of 10", "tens"), 1: Text("Steps of 1", "ones")}
NEXT_SIDE: Final = Text("{name}'s score", "{name}")
APPLY: Final = Text("Apply", "apply")
WHY: Final = Text("why?", "why?")
MATCH_SO_FAR: Final = Text("match so far", "match so far")
DEALS_FIRST_LINE: Final = Text("{name} deals first", "{name} deals")
CORRECT_LINE: Final = Text("correct {name}", "correct {name}")
NEW_GAME_LINE: Final = Text("new game", "new game")
REDO_LINE: Final = Text("redo", "redo")
SETTINGS_LINE: Final = Text("settings", "settings")
PHONES_LINE: Final = Text("phones", "phones")
JOIN: Final = Text("let another phone join", "join")
PHONE: Final = Text("phone {number} ({kind}): {name}", "{number} {name}")
NO_PHONES: Final = Text("turn phones off", "phones off")
LET_PHONES_IN: Final = Text("Let phones join", "let them join")
SEND_PHONES_AWAY: Final = Text("Turn phones off", "phones off")
CHANGE_PHONE: Final = Text("Change phone {number}'s role, or remove it", "change {number}")
PHONE_PLAYS: Final = Text("play as {name}", "play as {name}")
REMOVE_PHONE: Final = Text("remove phone {number}", "remove it")
STATUS_LINE: Final = Text("status", "status")
RESET: Final = Text("Reset all settings", "reset")
SWITCH_OFF_LINE: Final = Text("switch off or restart", "off or restart")
SWITCH_OFF: Final = Text("Switch off", "off")
DONE: Final = Text("Done", "done")
COUNT_CARD: Final = Text("The {card.face}", "{card.face}")

SCORED: Final = {
    "fifteen": Text("fifteen {points}", "fifteen {points}"),
    "pair": Text("pair {points}", "pair {points}"),
    "pair-royal": Text("pair royal {points}", "pair royal {points}"),
    "double-pair-royal": Text("double pair royal {points}", "double royal {points}"),
    "run": Text("run of {length} {points}", "run of {length} {points}"),
    "thirty-one": Text("thirty-one {points}", "thirty-one {points}"),
    "go": Text("go {points}", "go {points}"),
    "last": Text("last card {points}", "last card {points}"),
}
"""The scored events of the play, by their kind."""

FIELDS: Final = {
    "players": "Players",
    "target": "Play to",
    "entry": "Enter",
    "rules": "Rules",
    "speed": "Speed",
    "match": "Match",
    "stake": "Stake",
    "renege": "Wrong go",
}
"""The lines of the new-game menu but for the seats, which have their names."""

ENTRIES: Final = {
    "cards": Text("every card", "every card"),
    "peg": Text("points only", "points only"),
    "dealt": Text("computer deals", "no real cards"),
}
"""How a game is kept."""

A_PERSON: Final = "a person"
