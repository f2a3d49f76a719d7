"""Every screen of the device: the keys that lead to it, and when it is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Final

from cribpi.companion.devices.health import SUPPLY
from cribpi.companion.entry.effect import Refusal, TableCommand
from cribpi.companion.entry.here import Here
from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_context import InputContext
from cribpi.companion.entry.input_state import NO_INPUT, Hint, InputState, Undone
from cribpi.companion.entry.keys import TWENTY, Pad
from cribpi.companion.entry.next_game import USUALLY_AUTOMATIC, NextGame
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.entry.phones import NO_PHONES, Phone, Phones, Role
from cribpi.companion.entry.settings import Machine
from cribpi.companion.views.screen.layouts.start import not_started, starting
from cribpi.companion.views.screen.screen import compose
from cribpi.companion.views.screen.sheet import Sheet
from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.events import CardPlayed, Event, GameStarted
from cribpi.cribbage.game.ledger import Gains
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.results.statistics import BestShow, InRole, Statistics
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.words.log import LogEntry
from cribpi.cribbage.words.undo_texts import taken_back
from support.paths import DOCS
from support.presses import Sitting, after, chance_event, machine_event, press, view_at

TWO: Final = NextGame()
AUTOMATIC: Final = NextGame(house=House(automatic=USUALLY_AUTOMATIC))
THREE: Final = NextGame(players=3)
FOUR: Final = NextGame(players=4)
PEG: Final = NextGame(entry="peg")
PEG_3: Final = NextGame(players=3, entry="peg")
TO_31: Final = NextGame(target=31)
SHORT: Final = NextGame(target=61, entry="peg")
SHORT_3: Final = NextGame(players=3, target=61, entry="peg")
PARTNERS: Final = NextGame(players=4, entry="peg", house=House(("ANN", "BOB", "CLARA", "DAVE")))
LONG: Final = NextGame(house=House(("ALEXANDRIA 1", "BARTHOLOMEW")))
LONG_3: Final = NextGame(players=3, house=House(("CHRISTOPHER", "WILHELMINA", "BARTHOLOMEW")))
FORTY: Final = NextGame(
    house=House(("Wilhelmina Alexandrina van den Oudenrijn", 'Søren \\ Иван #1 <the elder> "安" Ó Ceall'))
)
"""Names of forty characters, and letters that the fonts do not have."""
LONG_4: Final = NextGame(players=4, house=House(("ALEXANDRA", "BARTHOLOMEW", "ALEXANDER", "BARBARA")))
LOST: Final = NextGame(rules="acc")
MUGGINS: Final = NextGame(rules="acc-muggins")
MUGGINS_3: Final = NextGame(players=3, options=(("miscount", "muggins"),))
ONE_COUNT: Final = NextGame(rules="use-and-care")
FIVE_CARD: Final = NextGame(rules="five-card", target=61)
TRAVEL: Final = NextGame(rules="travel-61", target=61, options=(("last_card", "none"),))
LONGEST: Final = NextGame(rules="computer-game", options=(("heels", "2"),))
DRAWN: Final = NextGame(options=(("first_dealer", "random"),))
CHOSEN: Final = NextGame(options=(("first_dealer", "chosen"),))
CHOSEN_4: Final = NextGame(players=4, options=(("first_dealer", "chosen"),))
MATCH: Final = NextGame(options=(("match", "first-to-2"),))
MATCH_OF_1: Final = NextGame(options=(("match", "first-to-1"),))
MATCH_OF_2: Final = NextGame(options=(("match", "best-of-2"),))
MATCH_OF_3: Final = NextGame(players=3, options=(("match", "best-of-3"),))
RENEGE_3: Final = NextGame(players=3, options=(("renege", "2"),))
CUT_ANEW: Final = NextGame(options=(("next_first_dealer", "cut"),))
DEALT: Final = NextGame(entry="dealt", levels=("", "easy"))
DEALT_3: Final = NextGame(players=3, entry="dealt", levels=("", "easy", "beginner"))
DEALT_4: Final = replace(LONG_4, entry="dealt", levels=("", "easy", "medium", "beginner"))
SHARED: Final = NextGame(entry="dealt", levels=("", ""), house=House(("ANN", "BOB")))
SHARED_LONG: Final = SHARED.with_house(names=LONG.house.names)
ALONE: Final = NextGame(entry="dealt", levels=("easy", "beginner"))
DEALT_LOST: Final = replace(DEALT, rules="acc")

WRONG_OLED: Final = ("oled: nothing answers at its address; check its four wires (error 121)",)
TWO_WRONG: Final = (
    *WRONG_OLED,
    f"power: the voltage is too low now; {SUPPLY}",
)
ANN: Final = Statistics(
    "Ann",
    games=12,
    wins=7,
    skunks=2,
    dealer=InRole(50, Gains(200, 380, 240)),
    pone=InRole(50, Gains(160, 390)),
    best=[(3, BestShow(4, 24, "4H 4C 5H 6S", "5D", is_crib=False, flush=0, nobs=False))],
)
NO_DISK: Final = (
    "not saved, and nothing has changed (database or disk is full): make room on the disk, then press again"
)

NO_STATE: Final = "/var/lib/cribpi: the disk is full: make room on it"

MACHINE: Final = "MACHINE"
"""Stands among the keys for a computer player's move."""


@dataclass
class Evening(Sitting):
    """A table without a disk. Presses become events, and undo restores the previous state."""

    setup: NextGame = TWO
    input_state: InputState = field(init=False)
    context: InputContext = field(init=False)
    line: list[State] = field(default_factory=lambda: [NEW_TABLE])
    events: list[Event] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    refusal: Refusal | None = None
    pad: Pad = TWENTY
    shuffle: int = 1
    """Seed of the pack if the computer deals."""
    is_pi: bool = False

    def __post_init__(self) -> None:
        self.input_state, self.context = NO_INPUT, InputContext(self.setup, machine=Machine(is_pi=self.is_pi))

    @property
    def state(self) -> State:
        return self.line[-1]

    @property
    def error(self) -> Exception | None:
        return self.refusal.error if self.refusal else None

    def press(self, keys: str) -> Evening:
        for key in keys.split():
            self._press(key)
        return self

    def _press(self, key: str) -> None:
        self.refusal = None
        try:
            if key == MACHINE:
                self._let_machine_act()
                return
            effect = press(self.state, self.saved, key, pad=self.pad)
            event = chance_event(
                self.state, effect, self.shuffle if effect.command is TableCommand.SHUFFLE else 0
            )
            if event is not None:
                self.do(event)
            self.input_state, self.context = after(self.saved, effect)
            if effect.command is TableCommand.UNDO and self.told:
                self.line.pop()
                self.events.pop()
                self.input_state = replace(self.input_state, dialog=Undone(self.told.pop(), len(self.told)))
        except RuleError as error:
            self.refusal = Refusal(error, key)

    def copy(self) -> Evening:
        found = copy(self)
        found.line, found.events, found.told = [*self.line], [*self.events], [*self.told]
        return found

    def do(self, event: Event) -> None:
        """Apply *event*, whoever caused it."""
        after = step(self.state, event)
        self.told.append(taken_back(LogEntry(self.state, event, after)))
        self.line.append(after)
        self.events.append(event)

    def events_and_states(self) -> list[tuple[Event, State]]:
        """Return the events of this game, each with the state after it."""
        whole = list(zip(self.events, self.line[1:], strict=True))
        began = [at for at, (event, _) in enumerate(whole) if isinstance(event, GameStarted)]
        return whole[began[-1] :] if began else []

    def _let_machine_act(self) -> None:
        """Make the computer's next seat act, if there is one."""
        event = machine_event(self.state, Random(self.shuffle)) if self.input_state.dialog is None else None
        if event is not None:
            self.do(event)


@cache
def _pressed(setup: NextGame, shuffle: int, is_pi: bool, phones: Phones, keys: tuple[str, ...]) -> Evening:  # noqa: FBT001
    """Return the evening after *keys*.

    It is cached, because many screens share their first keys: copy it before use.
    """
    if keys:
        return _pressed(setup, shuffle, is_pi, phones, keys[:-1]).copy().press(keys[-1])
    evening = Evening(setup, shuffle=shuffle, is_pi=is_pi)
    evening.context = replace(evening.context, here=Here(phones, tuple(sorted(phones.seats))))
    return evening


@dataclass(frozen=True)
class Seen:
    """A screen: the name of its picture, the keys from a new table, and when it is shown."""

    name: str
    when: str
    keys: str = ""
    setup: NextGame = TWO
    trouble: tuple[str, ...] = ()
    message: str | None = None
    error: Exception | None = None
    event: Event | None = None
    shuffle: int = 1
    hint: Hint | None = None
    is_pi: bool = False
    phones: Phones = NO_PHONES
    pairing: Pairing | None = None
    is_result_seen: bool = False
    club_page: str = ""
    player: Statistics | None = None
    start: Callable[[Sheet], None] | None = None
    """Function that draws the screen if there is no table yet, or None."""

    def evening(self) -> Evening:
        keys = tuple(self.keys.split())
        evening = _pressed(self.setup, self.shuffle, self.is_pi, self.phones, keys).copy()
        evening.input_state = replace(evening.input_state, message=self.message)
        here = replace(evening.context.here, pairing=self.pairing, is_result_seen=self.is_result_seen)
        evening.context = replace(evening.context, here=replace(here, club_page=self.club_page))
        if self.hint is not None:
            evening.input_state = replace(evening.input_state, hint=self.hint, chosen=self.hint.cards)
        if self.event is not None:
            try:
                step(evening.state, self.event)
            except RuleError as error:
                evening.refusal = Refusal(error)
        if self.error is not None:
            evening.refusal = Refusal(self.error, "5")
        return evening

    def sheet(self) -> Sheet:
        if self.start is not None:
            sheet = Sheet()
            self.start(sheet)
            return sheet
        evening = self.evening()
        return compose(
            view_at(evening.state, evening.saved),
            evening.refusal,
            trouble=self.trouble,
            may_undo=bool(evening.told),
            player=self.player,
        )


TWO_PHONES: Final = Phones(
    is_open=True,
    address="http://192.168.178.23:8121/",
    code="AB12CD",
    present=(Phone(1, "iPhone", Role.SEAT, 0), Phone(2, "iPad", Role.SCOREBOARD)),
)
THREE_PHONES: Final = replace(TWO_PHONES, present=(*TWO_PHONES.present, Phone(3, "Android")))
ROUND_3: Final = Pairing("2026-11-25", 3, 9, 7, ("ANN", "BOB"), "acc")
ROUND_10: Final = Pairing("2026-11-25", 10, 22, 12, ("Alexandra", "Wolfgang Amadeus"), "acc")
DEAL: Final = "OK OK 7 2"
DEAL_3: Final = "OK OK 7 2 9"
DEAL_4: Final = "OK OK 7 2 9 K"
COUNT: Final = f"{DEAL} 5 9 6 6"
PLAYED: Final = f"{COUNT} 5 GO 4 GO 10 7 10"
CRIB: Final = f"{PLAYED} OK OK"
NEXT: Final = f"{CRIB} 5 J 2 2 OK"
PEG_PLAY: Final = f"{DEAL} OK OK"
PEG_SHOW: Final = f"{PEG_PLAY} 2 P1 3 P2 OK"
HEARTS: Final = f"{DEAL} 5H 8H 10H 8C 4C A 9H J J 6H"
WON: Final = f"{DEAL} P2 2 {'P2 ' * 88} OK P1 2 {'P2 ' * 121} OK"
AGAIN: Final = f"P2 2 {'P2 ' * 70} OK P1 2 {'P2 ' * 121} OK"
WRONG_GO: Final = f"{DEAL} K 10 9 7 GO 3 GO 4 10 5 10"
ONE_PLAY: Final = f"{DEAL} 5 10 J 6 4 GO GO"
NEXT_3: Final = f"{DEAL_3} 5 10 5 7 7 A A 4 2 3 4 6 9 OK OK OK K Q J 8 OK"
WON_31: Final = f"{NEXT} K 7 8 9"
FAR_3: Final = (
    f"{DEAL_3} P1 FLNB {'P2 ' * 10}OK P2 FLNB {'P2 ' * 11}FLNB P2 P2 OK P1 GO GO FLNB {'P2 ' * 10}FLNB P2 OK"
)
"""Keys of a three-player game with the scores 100, 112 and 101."""
CLAIM_3: Final = f"{DEAL_3} 5 10 5 7 7 A A 4 2 3 4 6 9 2 OK"
CLAIM: Final = f"{DEAL} 5 9 6 6 5 GO 4 GO 10 7 10"
HAND: Final = "OK OK P2 OK"
LAID_AWAY: Final = f"{HAND} 4 Q OK MACHINE"
IN_PLAY: Final = f"{LAID_AWAY} OK 5 MACHINE"
SAID_GO: Final = f"{IN_PLAY} 6 MACHINE OK"
SHARED_PLAY: Final = f"{HAND} OK 4 Q OK OK A J OK OK"

GO_SAID: Final = "10 Q OK MACHINE OK 5 MACHINE 8 MACHINE"
FIFTEEN: Final = "J K OK MACHINE OK 5 MACHINE"
CLOSED: Final = "J K OK MACHINE OK 8 MACHINE 4 MACHINE OK MACHINE"

LAY_AWAY: Final = Hint(("10S", "QD"), "Keep 4 5 6 9 (average 7.3) and give ...", "hand 17 crib -5")
LAY_ONE_AWAY: Final = Hint(("2C",), "Keep 6 6 10 Q ...", "hand 3 crib -5")
PLAY_IT: Final = Hint(("10S",), "with the 10 you win 54.2% from here, with the 9 53.1%", "wins 54%")
PLAY_7: Final = Hint(("7D",), "with the 7 you win 48.0% from here, with the 6 47.2%", "wins 48%")
PLAY_ACE: Final = Hint(("AC",), "with the A you win 48.0% from here, with the 4 47.2%", "wins 48%")

SEEN: Final = (
    # --- the start of the program ---
    Seen(
        "starting",
        "the program is loading",
        start=lambda sheet: starting(sheet, "loading the program"),
    ),
    Seen(
        "starting-journal",
        "the game is loading",
        start=lambda sheet: starting(sheet, "opening the journal"),
    ),
    Seen(
        "starting-page",
        "the page is starting",
        start=lambda sheet: starting(sheet, "opening the page"),
    ),
    Seen(
        "not-started",
        "the start failed; the next try is in five seconds",
        start=lambda sheet: not_started(sheet, NO_STATE),
    ),
    # --- nobody is playing ---
    Seen("idle", "nobody is playing"),
    Seen("idle-trouble", "the same, and a device fails", trouble=WRONG_OLED),
    Seen("idle-player", "a minute later: who has played most", player=ANN),
    Seen("idle-player-new", "the same after one game", player=replace(ANN, games=1, wins=1)),
    Seen("idle-club", "a club night: where its page is", club_page="192.168.1.20:8131"),
    Seen("idle-club-long", "the same over IPv6", club_page="[fd12:3456:789a:1::20]:8131"),
    Seen("paired", "a club night: who plays here next", pairing=ROUND_3),
    Seen("paired-long", "the same with longer names", pairing=ROUND_10),
    Seen("menu-idle", "MENU, before the first game", "MENU"),
    Seen("settings-idle", "the menu's line, before the first game", "MENU 3 OK", AUTOMATIC),
    Seen("settings", "a setting was changed, in a game", f"{COUNT} MENU 8 OK 7 P1 P1 P1", AUTOMATIC),
    Seen("settings-limit", "further down: the limit of the lights", "MENU 3 OK 8 P2", AUTOMATIC),
    Seen("status", "the menu's line for the status", "MENU 5 OK", phones=TWO_PHONES),
    Seen("status-wrong", "the same where something is wrong", f"{COUNT} MENU 10 OK", trouble=TWO_WRONG),
    Seen("status-second", "P2 there: what it is", f"{COUNT} MENU 10 OK P2 P2", trouble=TWO_WRONG),
    Seen("switch-off", "the menu's last line, on a Pi", f"{COUNT} MENU J OK", is_pi=True),
    Seen("phones", "the menu's line for phones", "MENU 4 OK"),
    Seen("phones-join", "phones may join: point a camera at it", "MENU 4 OK", phones=TWO_PHONES),
    Seen("phones-list", "the same further down: who is here", f"{COUNT} MENU 9 OK P2", phones=THREE_PHONES),
    Seen("phones-role", "OK there: what phone 1 can be", f"{COUNT} MENU 9 OK P2 OK P2", phones=THREE_PHONES),
    Seen(
        "phones-no-network",
        "the same where there is no network",
        "MENU 4 OK",
        phones=Phones(is_open=True, trouble="There is no network: connect the board to your Wi-Fi first."),
    ),
    Seen("new-game", "OK at the idle screen, or the menu's line", "OK"),
    Seen("new-game-four", "the line for the players, changed to four", "OK P2 P2"),
    Seen("new-game-points", "the line for how the game is kept, changed", "OK 3 P2"),
    Seen("new-game-again", "a new game from the menu, in a game", f"{COUNT} MENU 6 OK 2"),
    Seen("menu-idle-trouble", "MENU before the first game, and a device fails", "MENU", trouble=WRONG_OLED),
    Seen("new-game-match", "the line for the match, further down", "OK 5 P2"),
    Seen("new-game-rules", "the line for the rules, changed", "OK 4 P2", MUGGINS),
    Seen("new-game-house", "rules with a house rule", "OK 4", TRAVEL),
    Seen("new-game-longest", "the longest name of rules", "OK 2", LONGEST),
    # --- the cut and the deal ---
    Seen("cut", "the cut for the deal", "OK OK"),
    Seen("cut-second", "one has cut, the other is next", "OK OK 7"),
    Seen("cut-three", "the cut for three", "OK OK 7 J", THREE),
    Seen("cut-four", "the cut for four", "OK OK 7 10 A", FOUR),
    Seen("cut-tie", "two cut the same lowest rank", "OK OK 4 K 4", THREE),
    Seen("cut-won", "the cut for a later game of the match", f"{WON} OK", CUT_ANEW),
    Seen("dealer-drawn", "rules that draw the first dealer", "OK OK", DRAWN),
    Seen("dealer-chosen", "rules that let you choose the first dealer", "OK OK", CHOSEN),
    Seen("dealer-chosen-four", "the same with four", "OK OK", CHOSEN_4),
    Seen("deal-won", "the first deal of a later game of the match", f"{WON} OK"),
    Seen("deal-dealer-turns", "the dealer turns up the starter", DEAL, TRAVEL),
    Seen("deal-five-card", "five-card: five each, and pone starts with three", DEAL, FIVE_CARD),
    Seen("deal-misdeal", "after a misdeal: its points are taken back", f"{COUNT} P1 3 OK"),
    Seen("deal-misdeal-three", "the same with three", f"{DEAL_3} 5 10 5 7 7 A A 4 2 3 4 P1 3 OK", THREE),
    Seen("deal-misdeal-dry", "the same without points", f"{DEAL} 5 P1 3 OK"),
    Seen("deal-penalty", "a penalty put the front peg behind", f"{NEXT} P1 A FLNB P1 OK"),
    Seen("deal", "the first deal", DEAL),
    Seen("deal-three", "the deal for three", DEAL_3, THREE),
    Seen("deal-three-next", "a later deal for three", NEXT_3, THREE),
    Seen("play-three-far", "three scores of three digits", f"{FAR_3} 5 10 5", THREE),
    Seen("play-three-names", "three names of twelve characters", f"{FAR_3} 5 10 5", LONG_3),
    Seen("deal-four", "the deal for four", DEAL_4, FOUR),
    Seen("starter", "the starter is turned up", f"{DEAL} 8"),
    Seen("starter-heels", "the starter is a jack", f"{DEAL} J"),
    Seen("starter-jack-open", "a jack that the dealer has to claim", f"{DEAL} J", LOST),
    # --- the play ---
    Seen("play-first", "a card that pegs nothing", f"{DEAL} 5 9"),
    Seen("play-fifteen", "a card that pegs", f"{DEAL} 5 9 6"),
    Seen("play-pair", "another, and a third card of the count", COUNT),
    Seen("play-go-possible", "the count is over 21: go can be said", f"{COUNT} 5"),
    Seen("play-go", "one has said go, the other plays on", f"{COUNT} 5 GO"),
    Seen("play-next-deal", "in a later deal", f"{NEXT} 5 9 9"),
    Seen("play-next-deal-go", "the same, and go can be said", f"{NEXT} 5 9 9 J"),
    Seen("play-two-scores", "a card that pegs twice", f"{DEAL} 5 4 6 5"),
    Seen("play-long", "many cards in one count", f"{DEAL} K A 2 A 2 A 2 3"),
    Seen("play-suits", "cards with their suits", f"{DEAL} 5H 8H 7C 8C"),
    Seen("play-ruling", "after a penalty", f"{COUNT} P2 A OK"),
    Seen("play-jack-open", "his heels can still be claimed", f"{DEAL} J 9", LOST),
    Seen("play-jack-taken", "his heels were claimed", f"{DEAL} J 9 OK", LOST),
    Seen("play-three", "the play with three", f"{DEAL_3} 5 10 5", THREE),
    Seen("play-four", "the play with four", f"{DEAL_4} 5 10 5 7 7", FOUR),
    Seen("play-four-go", "with four, one has said go", f"{DEAL_4} 5 10 10 7 GO", FOUR),
    Seen("play-names", "names of twelve characters", COUNT, LONG),
    Seen("play-names-forty", "the longest names, odd letters", COUNT, FORTY),
    Seen("play-names-four", "long names that begin alike", f"{DEAL_4} 5 10 5 7", LONG_4),
    Seen("play-trouble", "a device fails in the middle of a game", COUNT, trouble=WRONG_OLED),
    Seen("play-question", "a card that would go over 31", f"{COUNT} 5 10"),
    Seen("play-question-three", "the same with three", f"{DEAL_3} 5 10 J 7 8", THREE),
    Seen("play-thirty-one", "thirty-one", f"{DEAL} 8 10 J A 10"),
    Seen("play-closed", "both have said go", f"{DEAL} 8 10 J 9 GO GO"),
    Seen("play-new-count", "a new count", f"{COUNT} 5 10 OK"),
    # --- the show ---
    Seen("show", "the first hand", PLAYED),
    Seen("show-dealer", "the dealer's hand", f"{PLAYED} OK"),
    Seen("show-large", "a double double run", f"{DEAL} 8 7 K 7 4 GO GO 8 K 9 4"),
    Seen("show-nothing", "a hand that is worth nothing", f"{DEAL} K 2 A 4 3 6 3 8 3"),
    Seen("show-flush", "FLNB has chosen a flush", f"{PLAYED} OK FLNB"),
    Seen("show-nobs", "a flush or nobs is possible", f"{DEAL} 5 J 10 4 GO 6 GO 10 8 9 GO 9"),
    Seen("show-suits", "a hand whose suits are known", f"{DEAL} 5H 8H 10C 4H A 7H GO GO J JH 9"),
    Seen("show-three", "the show with three", f"{DEAL_3} 5 10 5 7 7 A A 4 2 3 4 6 9", THREE),
    Seen("show-wrong-go", "a go turns out wrong", f"{DEAL} K 10 9 7 GO 3 GO 4 10 5 10"),
    Seen("show-wrong-go-ruled", "a wrong go, with a rule for it", WRONG_GO, LOST),
    Seen(
        "show-wrong-go-three",
        "the same with three",
        f"{DEAL_3} 5 K 9 8 GO GO 3 GO GO 4 J 7 Q 2 A 3 2",
        RENEGE_3,
    ),
    Seen("show-rest", "the play ended early: the other cards", ONE_PLAY, ONE_COUNT),
    Seen("show-five-card", "a hand of three at five-card", f"{DEAL} J 10 5 9 7", FIVE_CARD),
    Seen("show-rest-one", "one more of them is there", f"{ONE_PLAY} 2", ONE_COUNT),
    Seen("show-rest-second", "the other hand", f"{ONE_PLAY} 2 3 OK", ONE_COUNT),
    # --- the show, where players count ---
    Seen("claim", "the player's count is asked for", CLAIM, LOST),
    Seen("claim-typed", "a count is typed", f"{CLAIM} 8", LOST),
    Seen("claim-sum", "the digits add up", f"{CLAIM} 10 2", LOST),
    Seen("claim-flush", "FLNB has claimed the flush", f"{CLAIM} 8 OK 10 2 FLNB", LOST),
    Seen("claim-ask", "a flush or nobs is possible", f"{DEAL} 5 J 10 4 GO 6 GO 10 8 9 GO 9", LOST),
    Seen("claim-right", "the count was right", f"{CLAIM} 8 OK", LOST),
    Seen("claim-short", "it was short", f"{CLAIM} 2 OK", LOST),
    Seen("claim-over", "it was too high", f"{CLAIM} 10 2 OK", LOST),
    Seen("claim-nothing", "GO has counted nothing", f"{CLAIM} GO", LOST),
    Seen("claim-muggins", "your opponent took what was missed", f"{CLAIM} 2 OK", MUGGINS),
    Seen(
        "claim-muggins-three",
        "with three sides, one calls muggins",
        CLAIM_3,
        MUGGINS_3,
    ),
    Seen("claim-crib", "after the dealer's count, the crib is asked for", f"{CLAIM} 4 OK GO", MUGGINS),
    Seen("claim-crib-complete", "the crib's count is asked for", f"{CLAIM} 4 OK 4 OK 5 J 2 2", MUGGINS),
    Seen(
        "claim-next",
        "the next deal",
        f"{CLAIM} 4 OK 4 OK 5 J 2 2 2 OK",
        MUGGINS,
    ),
    # --- the crib ---
    Seen("crib", "the crib is asked for", CRIB),
    Seen("crib-two", "two of its cards are there", f"{CRIB} 5 J"),
    Seen("crib-suits", "cards of the crib with their suits", f"{CRIB} 5H 10D JS"),
    Seen("crib-complete", "all four are there", f"{CRIB} 5 J 2 2"),
    Seen("next-deal", "the next deal", NEXT),
    # --- a game kept by points ---
    Seen("peg-deal", "the deal", DEAL, PEG),
    Seen("peg-starter", "the starter is cut: was it a jack?", f"{DEAL} OK", PEG),
    Seen("peg-heels", "his heels were pegged", f"{DEAL} OK 2 P2", PEG),
    Seen("peg-play", "the play has begun", PEG_PLAY, PEG),
    Seen("peg-typed", "an amount is typed", f"{PEG_PLAY} 2 P1 6", PEG),
    Seen("peg-typed-sum", "amounts add up", f"{PEG_PLAY} 2 P1 10 2", PEG),
    Seen("peg-typed-three", "an amount with three", f"{DEAL_3} OK OK 3 P2 6", PEG_3),
    Seen("peg-go", "GO is 1 for the go", f"{PEG_PLAY} GO", PEG),
    Seen("peg-event", "a scored event was chosen from the menu", f"{PEG_PLAY} MENU 4 OK", PEG),
    Seen("peg-pegged", "an amount was pegged", f"{PEG_PLAY} 2 P1 3 P2", PEG),
    Seen("peg-pegged-event", "a scored event was pegged", f"{PEG_PLAY} MENU 4 OK P1", PEG),
    Seen("peg-show", "a hand's count is asked for", PEG_SHOW, PEG),
    Seen("peg-show-typed", "the count is typed", f"{PEG_SHOW} 8", PEG),
    Seen(
        "peg-show-nineteen",
        "no hand counts nineteen; keep typing",
        f"{PEG_SHOW} 10 9",
        PEG,
    ),
    Seen("peg-starter-one", "one is typed at the starter", f"{DEAL} OK A", PEG),
    Seen("peg-crib", "the crib's count is asked for", f"{PEG_SHOW} 8 OK 10 2 OK", PEG),
    Seen("count-hand", "FLNB counts a hand by its cards", f"{PEG_SHOW} FLNB", PEG),
    Seen("count-hand-two", "two of its cards are there", f"{PEG_SHOW} FLNB 7 8", PEG),
    Seen("count-hand-starter", "all four are there: now the starter", f"{PEG_SHOW} FLNB 7 8 8 J", PEG),
    Seen("count-hand-counted", "the hand is counted", f"{PEG_SHOW} FLNB 7 8 8 J 9", PEG),
    # --- beside the game ---
    Seen("menu", "MENU in a game", f"{COUNT} MENU"),
    Seen("menu-trouble", "MENU, and a device fails", f"{COUNT} MENU", trouble=WRONG_OLED),
    Seen("menu-events", "MENU in the play of a game kept by points", f"{PEG_PLAY} MENU DOWN DOWN DOWN", PEG),
    Seen("menu-dealer", "MENU at the cut", "OK OK MENU", FOUR),
    Seen("correct-penalty", "P1 or P2, or the menu's line: a penalty", f"{COUNT} P2 A"),
    Seen("correct-score", "the score is set", f"{COUNT} P2 P2 P2"),
    Seen("correct-partners", "the same for partners", f"{DEAL_4} OK OK 3 P1 P1", PARTNERS),
    Seen("correct-misdeal", "a misdeal", f"{COUNT} P2 3"),
    Seen("correct-tens", "FLNB changes the step to ten and back", f"{COUNT} P2 2 FLNB P2"),
    Seen("correct-all", "all that the ACC's rules have", f"{COUNT} P2 A", MUGGINS),
    Seen("correct-muggins", "muggins is called", f"{CLAIM_3} P1", MUGGINS_3),
    Seen("correct-wrong-call", "muggins was called wrongly", f"{CLAIM} 8 OK P2 3 P1", MUGGINS),
    Seen("correct-false-win", "a side has claimed the game falsely", f"{CLAIM} 4 OK P1 4", MUGGINS),
    Seen("correct-last", "the last line: the list scrolls", f"{COUNT} P2 5", MUGGINS),
    Seen("false-win", "the game was not won after all", f"{WON} P1"),
    Seen(
        "false-win-acc",
        "the same under the ACC's rules",
        f"{WON} P1 FLNB P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2",
        LOST,
    ),
    Seen("why", "MENU, why?: the rule, and whose it is", f"{COUNT} MENU 4 OK"),
    Seen("why-several", "of several rules, P2 shows the next", f"{DEAL} 5 4 6 5 MENU 4 OK P2"),
    Seen("why-house", "the house's own rule", f"{DEAL} J MENU 4 OK", LONGEST),
    Seen("match", "MENU, match so far", f"{WON} OK MENU 5 OK", MATCH),
    Seen(
        "match-three",
        "the same with three",
        f"{DEAL_3} P2 2 {'P2 ' * 88} OK P1 2 {'P2 ' * 121} OK OK MENU 6 OK",
        MATCH_OF_3,
    ),
    Seen("match-end", "a new game from the menu would end the match", f"{WON} OK MENU 6 OK OK", MATCH),
    Seen(
        "match-end-three",
        "the same with three",
        f"{DEAL_3} P2 2 {'P2 ' * 88} OK P1 2 {'P2 ' * 121} OK OK MENU 7 OK OK",
        MATCH_OF_3,
    ),
    Seen("match-over", "OK after the last game of a match", f"{WON} OK", MATCH_OF_1),
    Seen(
        "match-equal",
        "a match that nobody has won",
        f"{DEAL} P1 2 {'P2 ' * 121} OK OK P2 2 {'P2 ' * 121} OK OK",
        MATCH_OF_2,
    ),
    Seen("sums", "FLNB after a game: where the points came from", f"{WON_31} FLNB", TO_31),
    Seen("sums-three", "the same with three", f"{FAR_3} P2 FLNB P2 OK FLNB", THREE),
    Seen("won-paired", "a club night: the next game waits", WON, pairing=ROUND_3),
    Seen("won-paired-long", "the same with longer names", WON, MATCH_OF_1, pairing=ROUND_10),
    Seen("won-paired-next", "OK there: the next game", WON, pairing=ROUND_3, is_result_seen=True),
    Seen("won-rests", "a minute after a game: who has played most", WON, player=ANN),
    Seen("taken-back", "UNDO has undone a step", f"{COUNT} UNDO"),
    Seen("taken-back-last", "there is nothing more to undo", "OK OK UNDO"),
    Seen(
        "note",
        "holding UNDO has redone a step",
        COUNT,
        message="redone: ORANGE 6: twenty-one for two",
    ),
    Seen(
        "note-switch-off",
        "holding MENU, not on a Pi",
        message="can't shut down: this is not a Raspberry Pi",
    ),
    # --- a game that the machine deals ---
    Seen("dealt-new-game", "a new game that the computer deals", "OK 5", DEALT),
    Seen("dealt-new-game-four", "the same for four, further down", "OK 9", DEALT_4),
    Seen("dealt-cut", "the cut for the deal", "OK OK OK", DEALT),
    Seen("dealt-deal", "before the deal", "OK OK P2", DEALT),
    Seen("dealt-deal-four", "the same for four", "OK OK P2", DEALT_4),
    Seen("dealt-hand", "the hand is dealt: discard two", HAND, DEALT),
    Seen("dealt-on-phone", "the same where that hand is on a phone", HAND, DEALT, phones=TWO_PHONES),
    Seen("dealt-chosen-one", "one of two is chosen", f"{HAND} 4", DEALT),
    Seen("dealt-chosen", "both are chosen", f"{HAND} 4 Q", DEALT),
    Seen("dealt-hint-comes", "a hint is on its way", f"{HAND} FLNB", DEALT),
    Seen("dealt-hint", "the hint has chosen the discard", HAND, DEALT, hint=LAY_AWAY),
    Seen("dealt-hint-four", "the same for four", HAND, DEALT_4, hint=LAY_ONE_AWAY),
    Seen("dealt-own-crib", "a discard to your own crib", "OK OK P1 OK", DEALT),
    Seen("dealt-hand-three", "one of five must be discarded", HAND, DEALT_3),
    Seen("dealt-chosen-four", "the one is chosen, with four", f"{HAND} 2", DEALT_4),
    Seen("dealt-waits", "the computer has not discarded yet", f"{HAND} 4 Q OK", DEALT),
    Seen("dealt-waits-three", "two seats of the computer have not", f"{HAND} 3 OK", DEALT_3),
    Seen("dealt-waits-four", "three have not", f"{HAND} 2 OK", DEALT_4),
    Seen("dealt-starter", "all have discarded: the starter comes next", LAID_AWAY, DEALT),
    Seen("dealt-starter-turned", "the starter; each card is a key", f"{LAID_AWAY} OK", DEALT),
    Seen(
        "dealt-jack-open",
        "a jack that the dealer has to claim",
        f"{'OK OK P1 OK'} 2 10 OK MACHINE OK MACHINE",
        DEALT_LOST,
        shuffle=5,
    ),
    Seen("dealt-play", "your turn to play", IN_PLAY, DEALT),
    Seen("dealt-play-hint", "the hint has chosen the card to play", IN_PLAY, DEALT, hint=PLAY_IT),
    Seen(
        "dealt-play-hint-go",
        "a hint after the computer has said go",
        f"{HAND} {GO_SAID}",
        DEALT,
        shuffle=55,
        hint=PLAY_7,
    ),
    Seen(
        "dealt-play-hint-pegged",
        "a hint after the computer has pegged",
        f"{HAND} {FIFTEEN}",
        DEALT,
        shuffle=12,
        hint=PLAY_ACE,
    ),
    Seen("dealt-play-hint-comes", "a hint on the play was asked for", f"{IN_PLAY} FLNB", DEALT),
    Seen("dealt-at-it", "the computer's turn", f"{LAID_AWAY} OK 5", DEALT),
    Seen(
        "dealt-pair",
        "one of a pair is chosen",
        f"{HAND} A 4 OK MACHINE OK 8",
        DEALT,
        shuffle=5,
    ),
    Seen(
        "dealt-too-high",
        "cards that don't fit are not keys",
        f"{HAND} 3 OK MACHINE MACHINE OK MACHINE MACHINE 4 MACHINE MACHINE",
        DEALT_3,
    ),
    Seen("dealt-go", "no card of the hand fits", f"{IN_PLAY} 6 MACHINE", DEALT),
    Seen("dealt-go-said", "go is said, and the computer plays on", SAID_GO, DEALT),
    Seen("dealt-closed", "a count is over", f"{SAID_GO} MACHINE MACHINE", DEALT),
    Seen(
        "dealt-show-machine",
        "the computer shows its hand",
        f"{SAID_GO} MACHINE MACHINE 9 MACHINE 10 MACHINE OK",
        DEALT,
    ),
    Seen(
        "dealt-shared",
        "two people: the hand is face down",
        f"{HAND} OK 4 Q OK",
        SHARED,
    ),
    Seen("dealt-shared-open", "OK turns it up", f"{HAND} OK 4", SHARED),
    Seen("dealt-shared-play", "in the play: face down", SHARED_PLAY, SHARED),
    Seen("dealt-shared-play-open", "it is face up", f"{SHARED_PLAY} OK", SHARED),
    Seen("dealt-shared-long", "long names", HAND, SHARED_LONG),
    Seen("dealt-alone", "a game between computers: both are discarding", HAND, ALONE),
    Seen("error-not-held", "a card that is not in the hand", f"{HAND} A", DEALT),
    Seen("error-look-away", "a card before the hand is turned up", f"{HAND} 7", SHARED),
    # --- the end ---
    Seen(
        "won",
        "a side has reached the target",
        f"{DEAL} P1 2 {'P2 ' * 112} OK P2 2 {'P2 ' * 94} OK J 7 8 P1 2 {'P2 ' * 9} OK",
    ),
    Seen("won-skunk", "the loser is skunked", f"{DEAL} P2 2 {'P2 ' * 88} OK P1 2 {'P2 ' * 121} OK"),
    Seen("won-double-skunk", "a double skunk", f"{DEAL} P2 2 {'P2 ' * 42} OK P1 2 {'P2 ' * 121} OK"),
    Seen(
        "won-three",
        "the end with three sides",
        f"{DEAL_3} OK OK P1 2 {'P2 ' * 44} OK P2 2 {'P2 ' * 20} OK GO 2 {'P2 ' * 61} OK",
        SHORT_3,
    ),
    Seen(
        "won-partners",
        "the end with partners",
        f"{DEAL_4} OK OK P2 2 {'P2 ' * 112} OK P1 2 {'P2 ' * 121} OK",
        PARTNERS,
    ),
    Seen(
        "won-four",
        "partners of the same colour",
        f"{DEAL_4} P2 2 {'P2 ' * 112} OK P1 2 {'P2 ' * 121} OK",
        FOUR,
    ),
    Seen("won-names-forty", "the longest name", f"{DEAL} P1 2 {'P2 ' * 112} OK P2 2 {'P2 ' * 121} OK", FORTY),
    Seen("won-names", "a long name", f"{DEAL} P2 2 {'P2 ' * 112} OK P1 2 {'P2 ' * 121} OK", LONG),
    Seen("won-match", "the game that ends a match", f"{WON} OK {AGAIN}", MATCH),
    Seen(
        "won-match-equal",
        "a match ends with all equal",
        f"{DEAL} P1 2 {'P2 ' * 121} OK OK P2 2 {'P2 ' * 121} OK",
        MATCH_OF_2,
    ),
    # --- what was refused ---
    Seen("error-five-sevens", "a fifth card of a rank", f"{DEAL} 7 7 7 7 7"),
    Seen("error-twice", "the same card twice", f"{DEAL} 7H 7H"),
    Seen("error-no-go", "go, but every card fits", f"{DEAL} 5 9 GO"),
    Seen("error-wrong-key", "a key that does nothing here", f"{DEAL} OK"),
    Seen("error-wrong-key-idle", "a key before a game", "5"),
    Seen("error-wrong-key-correct", "a key that picks no line", f"{COUNT} P2 K"),
    Seen("error-points", "no hand counts nineteen", f"{PEG_SHOW} 10 9 OK", PEG),
    Seen("error-heels", "only the dealer can peg his heels", f"{DEAL} OK 2 P1", PEG),
    Seen("error-other-show", "it is another's show", f"{PEG_SHOW} 8 P2", PEG),
    Seen("error-crib", "the crib is not complete", f"{CRIB} 5 OK"),
    Seen("error-crib-full", "the crib has its four cards", f"{CRIB} 5 J 2 2 9"),
    Seen("error-flush", "no flush is possible", f"{CRIB} 4 4 2 2 FLNB"),
    Seen("error-over", "a card after the end", f"{DEAL} P1 2 {'P2 ' * 121} OK 5"),
    Seen(
        "error-too-high",
        "a card that would go over 31",
        f"{COUNT} 5",
        event=CardPlayed(0, Card(Rank.TEN)),
    ),
    Seen("error-not-saved", "the press can't be saved", COUNT, error=OSError(NO_DISK)),
)


HEAD: Final = """# The screens

The main screens of the OLED, 128 x 64 px, with two players. [Keys](keys.md) has some more, such as
questions, and `tests/golden/screens` all of them.

The pointer, or the lit name, shows whose turn or whose show it is; `D` marks the dealer, and each upright bar is a card
in hand. Lit words in the last row are keys; `A..K` is any rank key. A lit character before a line is the key that selects
it. `!` in the corner means trouble with a device, a star house rules. A count that has just ended is dark on light.
`back` shows where the back peg is if it is ahead of the front peg.

The screen dims a minute after the last key, and goes dark after ten (a setting); any key wakes it, and counts.
"""

HEADINGS: Final = {
    "starting": "Start, menu and settings",
    "cut": "The cut for the deal",
    "deal-dealer-turns": "The deal and the starter",
    "play-first": "The play",
    "show": "The show",
    "peg-deal": "With points only",
    "menu": "Menu, corrections and match",
    "dealt-new-game": "When the computer deals",
    "won": "The end of a game",
}
"""Headings of the page, by the name of the first screen below."""

IN_A_ROW: Final = 3

VARIANT: Final = re.compile(
    "^error-|-(three|four|forty|long|longest|names|partners|trouble|second|one|two|sum|next|again|last|equal"
    "|complete|ruled|ruling|comes|typed|pegged|open|tens|taken|hint|suits|flush|event|house)($|-)"
)
"""Names of screens that the page leaves out: variants with more content, and refused presses."""


def page() -> str:
    """Return the page about the screens: their pictures, and when each is shown."""
    shown = set(re.findall(r"screens/([\w-]+)\.png", (DOCS / "reference" / "keys.md").read_text("utf-8")))
    groups: list[tuple[str, list[Seen]]] = []
    for seen in SEEN:
        if seen.name in HEADINGS:
            groups.append((HEADINGS[seen.name], []))
        if not (seen.name in shown or VARIANT.search(seen.name) or seen.when.startswith("the same")):
            groups[-1][1].append(seen)
    return HEAD + "".join(f"\n## {heading}\n\n{_grid(screens)}" for heading, screens in groups)


def _grid(screens: Sequence[Seen]) -> str:
    head = f"|{' |' * IN_A_ROW}\n|{'---|' * IN_A_ROW}\n"
    cells = [f"![{seen.name}](../../tests/golden/screens/{seen.name}.png)<br>{seen.when}" for seen in screens]
    rows = (cells[at : at + IN_A_ROW] for at in range(0, len(cells), IN_A_ROW))
    return head + "".join(f"| {' | '.join(row)} |\n" for row in rows)
