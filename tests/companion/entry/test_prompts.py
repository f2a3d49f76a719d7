"""Each prompt in each phase, form of entry and number of players: a whole sentence that says what to do
next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from support.presses import choices, prompt, view_at
from support.records import after
from support.screens import Evening

from cribpi.companion.entry.here import Here
from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.keys import DIGITS, RANKS, STEPS, Pad
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.web.json.state import phase_of, refusal_json
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import Entry, PackShuffled
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.record import parse_event
from cribpi.cribbage.words.cards import parse_cards

TWO: Final = NextGame(house=House(("ANN", "BOB")))
THREE: Final = NextGame(players=3, house=House(("ANN", "BOB", "CAT")))
FOUR: Final = NextGame(players=4, house=House(("ANN", "BOB", "CAT", "DAN")))


def house(setup: NextGame, **options: str) -> NextGame:
    """Return *setup* with what the house has changed in it."""
    return replace(setup, options=tuple(options.items()))


def by_points(setup: NextGame) -> NextGame:
    return replace(setup, entry="peg")


def by_machine(setup: NextGame, *levels: str) -> NextGame:
    """Return *setup* for a game that the machine deals; without *levels* it plays it too."""
    return replace(setup, entry="dealt", levels=levels or ("easy",) * setup.players)


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


KEYS: Final = {
    "MACHINES": MACHINES, "DEAL": DEAL, "DEAL_3": DEAL_3, "DEAL_4": DEAL_4, "PLAYED": PLAYED, "CRIB": CRIB,
    "NEXT": NEXT, "EARLY": EARLY, "WRONG_GO": WRONG_GO, "COUNTED": COUNTED, "PLAYED_3": PLAYED_3,
    "PLAYED_4": PLAYED_4, "POINTS": POINTS, "POINTS_3": POINTS_3, "POINTS_4": POINTS_4,
}  # fmt: skip


KIT_KEYS: Final = ("GO", "FLNB", "P1", "P2", "OK", "UNDO", "MENU")


def table_of(words: str) -> NextGame:
    """Return the table of *words*: players, peg or dealt, levels, rules, target, and the house's options.

    >>> table_of("2 dealt levels=,medium match=best-of-3").levels
    ('', 'medium')
    """
    number, *rest = words.split()
    setup = {"2": TWO, "3": THREE, "4": FOUR}[number]
    for word in rest:
        name, _, value = word.partition("=")
        match name:
            case "peg":
                setup = by_points(setup)
            case "dealt":
                setup = by_machine(setup)
            case "levels":
                setup = by_machine(setup, *value.split(","))
            case "rules":
                setup = replace(setup, rules=value)
            case "target":
                setup = replace(setup, target=int(value))
            case _:
                setup = replace(setup, options=(*setup.options, (name, value)))
    return setup


def keys_of(words: str) -> str:
    """Return the keys of *words*: {DEAL} stands for those of DEAL, {P1=61} for what sets a score."""

    def put(found: re.Match[str]) -> str:
        key, _, points = found[1].partition("=")
        return score(key, int(points)) if points else KEYS[key]

    return re.sub(r"{(.*?)}", put, words)


def prompts() -> Iterator[tuple[str, NextGame, str, str]]:
    """Yield each prompt of prompts.txt: when, the table, the keys, and what is said."""
    text = Path(__file__).with_name("prompts.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", "=="))]
    for row, says in zip(lines[::2], lines[1::2], strict=True):
        when, words, keys = row.split("|")
        yield when.strip(), table_of(words), keys_of(keys.strip()), says.strip()


EVERY: Final = tuple(prompts())


def pressed(setup: NextGame, keys: str) -> Evening:
    """Return a table after *keys*, none of which is refused."""
    evening = Evening(setup)
    for key in keys.split():
        evening.press(key)
        assert evening.refusal is None, f"{key}: {evening.error}"
    return evening


@pytest.mark.parametrize(("when", "setup", "keys", "says"), EVERY, ids=[when for when, *_ in EVERY])
def test_the_prompt_says_what_to_do_next(when: str, setup: NextGame, keys: str, says: str) -> None:
    evening = pressed(setup, keys)
    assert prompt(evening.state, evening.saved) == says, when


@pytest.mark.parametrize(("when", "setup", "keys"), [row[:3] for row in EVERY], ids=[row[0] for row in EVERY])
def test_what_a_page_says_names_no_key_of_the_kit(when: str, setup: NextGame, keys: str) -> None:
    """It has buttons: neither what is asked, nor a button, nor a refusal speaks of OK or P1."""
    evening = pressed(setup, keys)
    said = [view_at(evening.state, evening.saved).scene.prompt, evening.input_state.message or ""]
    for choice in choices(evening.state, evening.saved):
        said += [choice.label, choice.short]
    for key in (*KIT_KEYS, *RANKS, *DIGITS, *STEPS):
        after = evening.copy().press(key)
        refused: Mapping[str, object] = refusal_json(after.error, after.state.rules) if after.error else {}
        said += [after.input_state.message or "", str(refused.get("told", refused.get("error", "")))]
    assert [sentence for sentence in said if re.search(rf"\b({'|'.join(KIT_KEYS)})\b", sentence)] == [], when


def test_each_phase_of_each_form_of_entry_has_a_prompt_here_for_two_three_and_four() -> None:
    here = set()
    for _, setup, keys, _ in EVERY:
        evening = pressed(setup, keys)
        if evening.input_state.dialog is None:
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
    assert prompt(state, InputState()) == "BOB deals six each, ANN cuts: press the starter's rank"


def test_the_page_is_told_of_the_menu_of_a_new_game_as_of_a_phase() -> None:
    in_menu, in_game = pressed(TWO, f"{DEAL} MENU 6 OK"), pressed(TWO, DEAL)
    assert phase_of(in_menu.state, in_menu.input_state) == "new-game"
    assert phase_of(in_game.state, in_game.input_state) == "deal"


# --- hands that the machine has dealt ---------------------------------------------------------------


def dealt(setup: NextGame, hands: str, starter: str, events: str = "", dealer: str = "P2") -> Evening:
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


ONE_PERSON: Final = by_machine(TWO, "", "medium")
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
        "Medium is thinking",
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
        "Medium is thinking. OK: Take two for his heels",
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
            house(by_machine(FOUR, "", "medium"), **LATE_HEELS),
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
    assert prompt(evening.state, evening.saved) == says, when


@pytest.mark.parametrize(
    ("table", "events", "away", "says"),
    [
        (ONE_PERSON, "", (0,), "You to discard"),
        (ONE_PERSON, "laid-away 0 2D 3D", (0,), "Medium is thinking"),
        (by_machine(TWO, "", ""), "", (0, 1), "ANN and BOB to discard"),
        (by_machine(TWO, "", ""), f"{AWAY}, starter 7S, play 0:KC", (1,), "BOB to play"),
    ],
)
def test_a_person_on_a_phone_is_to_play_and_only_the_computer_thinks(
    table: NextGame, events: str, away: tuple[int, ...], says: str
) -> None:
    evening = dealt(table, HANDS, "7S", events)
    assert prompt(evening.state, SavedInput(evening.input_state, InputContext(here=Here(away=away)))) == says


def test_where_players_count_a_person_is_asked_and_the_machine_is_not() -> None:
    play = (
        "play 0:8C, play 1:KD, play 0:KC, play 1:go, play 0:go, play 1:QD, play 0:QC, play 1:10D, play 0:go"
    )
    lines = f"{AWAY}, starter 7S, {play}, play 1:go, play 0:8D, play 1:JD"
    evening = dealt(replace(ONE_PERSON, rules="acc"), HANDS, "7S", lines)
    assert prompt(evening.state, evening.saved) == (
        "You show 8C KC QC 8D with 7S: type the count. GO: Nothing to peg"
    )
    evening.press("6 OK")
    assert (
        prompt(evening.state, evening.saved) == "Medium shows KD QD 10D JD with 7S, and counts 8. OK: Go on"
    )


# --- kits without keys for the ranks ----------------------------------------------------------------


def test_a_game_by_cards_can_not_go_on_without_keys_for_the_ranks_and_the_prompt_says_so() -> None:
    stick = Pad(("LEFT", "RIGHT", "UP", "DOWN", "UNDO", "MENU", "OK"))
    says = "This game needs keys for the ranks, and this kit has none: MENU starts a new one"
    for keys in (DEAL, f"{DEAL} 5", CRIB):
        evening = pressed(TWO, keys)
        assert prompt(evening.state, evening.saved, stick) == says, keys
    cut = pressed(TWO, "OK OK")
    assert prompt(cut.state, cut.input_state, stick) == (
        "ANN cuts for the deal. OK: Draw the first dealer, LEFT: ANN deals first, RIGHT: BOB deals first"
    )
