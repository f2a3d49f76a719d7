"""The glass and the page call the keys as they are called on the kit that people have."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.presses import lit_keys, means, press, prompt, view_at
from support.screen_laws import KEYS_OFTEN, SETUPS, TROUBLES, wrong
from support.screens import Evening

from cribpi.companion.entry.house import House
from cribpi.companion.entry.keys import RANKS, TWENTY, Pad
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.view import view_of
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.views.screen.canvas import SMALL
from cribpi.companion.views.screen.screen import compose
from cribpi.companion.views.screen.sheet import ANY_NUMBER, ANY_RANK, amount_keys, cap

NUMPAD, BONNET = load_kit("numpad").pad, load_kit("bonnet").pad
PADS = {"numpad": NUMPAD, "bonnet": BONNET}

CAPS = [
    # key     numpad  bonnet  why
    ("OK", "↵", "OK", "Enter has a sign of one cell; the stick's middle has nothing printed on it"),
    ("UNDO", "Num", "#5", "as it is printed"),
    ("MENU", None, "#6", "on the numpad only a long press is MENU, and a cap would promise a short one"),
    ("P1", "/", "←", "the jack's key, and the stick's left, are the first side's"),
    ("P2", "*", "→", "and these the second's"),
    ("P3", "-", None, "the stick has no third way"),
    ("GO", "+", None, ""),
    ("FLNB", ".", None, ""),
    ("A", "1", None, ""),
    ("10", "0", None, ""),
    ("7", "7", None, "what is printed is its name"),
    ("UP", None, "↑", ""),
    (ANY_RANK, ANY_RANK, None, "a card's rank is meant, whatever is printed"),
]


@pytest.mark.parametrize(("key", "numpad", "bonnet", "why"), CAPS)
def test_a_cap_is_what_is_printed(key: str, numpad: str | None, bonnet: str | None, why: str) -> None:
    assert (cap(key, NUMPAD), cap(key, BONNET)) == (numpad, bonnet), why


def test_on_a_keypad_of_twenty_keys_every_cap_is_the_keys_name() -> None:
    assert [cap(key, TWENTY) for key in TWENTY.keys] == list(TWENTY.keys)


def test_every_cap_of_every_kit_can_be_drawn() -> None:
    for pad in PADS.values():
        assert all(set(cap(key, pad) or "") <= set(SMALL.glyphs) for key in pad.keys)


def test_an_amount_is_made_with_the_keys_that_make_one() -> None:
    assert amount_keys(TWENTY) == (ANY_RANK,)
    assert amount_keys(NUMPAD) == (ANY_NUMBER,)
    assert amount_keys(BONNET) == ("UP", "DOWN")


def test_a_kit_without_ranks_is_offered_the_game_that_it_can_keep() -> None:
    evening = Evening(pad=BONNET).press("OK")
    shown = {text.text for text in compose(view_at(evening.state, evening.saved, BONNET)).texts()}
    assert "points only" in shown
    assert "points only" in prompt(evening.state, evening.saved, BONNET)


PLAY = "OK OK A 5 OK OK"
PROMPTS = [
    # keys, players, what a numpad is told, what a stick is told
    ("", 2, "No game yet. Enter: New game", "No game yet. OK: New game"),
    (
        "OK",
        2,
        (
            "New game: two players to 121, points only. Enter: Start. "
            "Press a line's number to select it, [/] or [*] to change it"
        ),
        (
            "New game: two players to 121, points only. OK: Start. "
            "UP and DOWN select a line, LEFT and RIGHT change it"
        ),
    ),
    (
        "OK OK A 5 OK",
        2,
        "A jack is two for his heels to ORANGE: 2, then [/]. Enter: It was not a jack",
        "A jack is two for his heels to ORANGE: UP, then OK. OK: It was not a jack",
    ),
    (
        PLAY,
        2,
        "The play: enter the points, then who gets them. [+]: 1 for the go, Enter: The play is over",
        "The play: UP and DOWN set an amount, LEFT or RIGHT pegs it. OK: The play is over",
    ),
    (
        f"{PLAY} 6",
        2,
        "Who gets 6? [/]: Peg 6 for ORANGE, [*]: Peg 6 for BLUE",
        "Who gets 6? LEFT: Peg 6 for ORANGE, RIGHT: Peg 6 for BLUE",
    ),
    (
        f"{PLAY.replace('A 5', 'A 5 6')} 3",
        3,
        "Who gets 3? [/]: Peg 3 for ORANGE, [*]: Peg 3 for BLUE, [-]: Peg 3 for WHITE",
        "Who gets 3? LEFT: Peg 3 for ORANGE, RIGHT: Peg 3 for BLUE, [#6]: 3 for WHITE, in the menu",
    ),
    (
        f"{PLAY} MENU",
        2,
        "Menu, 1 of 22: fifteen 2. Enter selects, [/] and [*] move, Num closes",
        "Menu, 1 of 22: fifteen 2. OK selects, UP and DOWN move, [#5] closes",
    ),
    (
        f"{PLAY} P1",
        2,
        (
            "Correct ORANGE: set score to 0. Enter: Close, [/]: Lower, [*]: Higher, [.]: Steps of 10, "
            "[+]: BLUE's score, Num: Cancel"
        ),
        (
            "Correct ORANGE: set score to 0. OK: Close, LEFT: Lower, RIGHT: Higher, "
            "UP: Previous, DOWN: Next, "
            "[#5]: Cancel"
        ),
    ),
    (
        f"{PLAY} OK 10 9",
        2,
        "19: no hand counts that; type more. Num: Undo the last one",
        "19: no hand counts that; UP and DOWN set more. [#5]: Undo the last one",
    ),
]


@pytest.mark.parametrize(("keys", "players", "numpad", "bonnet"), PROMPTS)
def test_a_prompt_names_the_keys_that_there_are(keys: str, players: int, numpad: str, bonnet: str) -> None:
    evening = Evening(NextGame(players=players, entry="peg")).press(keys)
    assert prompt(evening.state, evening.saved, NUMPAD) == numpad
    assert prompt(evening.state, evening.saved, BONNET) == bonnet


def test_people_who_are_called_as_keys_are_keep_their_names() -> None:
    evening = Evening(NextGame(house=House(("P1", "A")))).press("OK OK 7 2")
    assert prompt(evening.state, evening.saved, NUMPAD).startswith("A deals six each, P1 cuts")
    evening = Evening(NextGame(entry="peg", house=House(("P1", "A")))).press(PLAY)
    assert "for P1, RIGHT: Peg 6 for A" in prompt(evening.press("6").state, evening.input_state, BONNET)


@given(
    st.sampled_from(sorted(PADS)),
    SETUPS,
    st.lists(KEYS_OFTEN, min_size=10, max_size=60),
    TROUBLES,
)
def test_whatever_is_pressed_a_screen_is_whole_and_its_caps_are_on_the_kit(
    name: str, setup: NextGame, keys: list[int | str], trouble: tuple[str, ...]
) -> None:
    pad = PADS[name]
    evening = Evening(setup).press("OK OK A 5 9 K")
    printed = {cap(key, pad) for key in pad.keys} | {ANY_RANK, ANY_NUMBER, "!"}
    for key in keys:
        sensible = lit_keys(evening.state, evening.saved)
        evening.press(sensible[key % len(sensible)] if isinstance(key, int) else key)
        sheet = compose(view_at(evening.state, evening.saved, pad), evening.refusal, trouble=trouble)
        assert list(wrong(sheet, evening.state)) == []
        caps = {text.text for text in sheet.texts() if text.inverse}
        assert caps <= printed


@given(st.sampled_from(sorted(PADS)), SETUPS, st.lists(KEYS_OFTEN, min_size=10, max_size=60))
def test_the_keys_that_make_sense_next_are_on_the_kit_and_are_accepted(
    name: str, setup: NextGame, keys: list[int | str]
) -> None:
    pad = PADS[name]
    evening = Evening(setup).press("OK OK A 5 9 K")
    for key in keys:
        sensible = lit_keys(evening.state, evening.saved)
        evening.press(sensible[key % len(sensible)] if isinstance(key, int) else key)
        state, saved = evening.state, evening.saved
        found = lit_keys(state, saved, pad)
        assert set(found) <= set(pad.keys)
        for one in found:
            if one != "UNDO":  # what it falls back to, also at a table with nothing to take back
                press(state, saved, one, pad=pad)
        sides = view_at(state, saved, pad).side_keys
        assert all(means(state, saved, one, pad) in {"P1", "P2", "P3", "GO"} for one in sides)


@given(SETUPS, st.lists(KEYS_OFTEN, min_size=10, max_size=60))
@example(NextGame(entry="peg"), [0, "A", 0])
def test_no_prompt_of_a_game_by_points_speaks_of_a_key_that_the_stick_does_not_have(
    setup: NextGame, keys: list[int | str]
) -> None:
    evening = Evening(setup).press("OK OK A 5 9 K")
    for key in keys:
        sensible = lit_keys(evening.state, evening.saved)
        evening.press(sensible[key % len(sensible)] if isinstance(key, int) else key)
        if str(evening.state.entry) != "peg" or type(evening.input_state.dialog).__name__ in {
            "CountHand",
            "Why",
        }:
            continue
        said = prompt(evening.state, evening.saved, BONNET)
        for name in evening.state.names:  # somebody may be called FLNB
            said = said.replace(name, "")
        assert not re.search(r"\b(P1|P2|P3|GO|FLNB|UNDO|MENU|type|A to|press the rank)\b", said), said


def test_the_sides_keys_are_those_that_commit() -> None:
    for entry, numpad in (("peg", {"J": 0, "Q": 1}), ("cards", {})):
        evening = Evening(NextGame(entry=entry)).press("OK OK A 5")
        assert view_at(evening.state, evening.saved).side_keys == {"P1": 0, "P2": 1}
        assert view_at(evening.state, evening.saved, NUMPAD).side_keys == numpad
        assert view_at(evening.state, evening.saved, BONNET).side_keys == {"LEFT": 0, "RIGHT": 1}
    three = Evening(NextGame(players=3, entry="peg")).press("OK OK A 5 6")
    assert view_of(three.state, three.input_state).side_keys == {"P1": 0, "P2": 1, "GO": 2}
    assert view_of(three.state, three.input_state, NUMPAD).side_keys == {"J": 0, "Q": 1, "K": 2}
    by_cards = Evening(NextGame(players=3)).press("OK OK A 5 6")
    assert view_of(by_cards.state, by_cards.input_state).side_keys == {"P1": 0, "P2": 1}


def test_every_rank_that_a_joystick_lacks_is_counted_to() -> None:
    evening = Evening(NextGame(entry="peg")).press("OK OK A 5 OK OK")
    assert lit_keys(evening.state, evening.saved, BONNET) == ("UP", "DOWN", "OK")
    assert set(lit_keys(evening.state, evening.saved, NUMPAD)) == {*RANKS[:10], "GO", "OK"}


def test_a_pad_finds_the_key_for_a_meaning() -> None:
    assert Pad(("LEFT", "RIGHT")).physical_key("P3") is None
    assert NUMPAD.side_keys(3) == ("P1", "P2", "P3")
    assert BONNET.side_keys(2) == ("P1", "P2")
    assert (TWENTY.has_ranks, NUMPAD.has_ranks, BONNET.has_ranks) == (True, True, False)


# --- prompt, glass and page name the same keys of the stick -----------------------------------------

STARTER = "OK OK A 5 OK"
STICK = [
    # keys, players, what the page marks, what the glass names, what the prompt says
    ("MENU", 2, "OK UP DOWN UNDO", "UP DOWN OK UNDO", "OK selects, UP and DOWN move"),
    (
        "OK",
        2,
        "OK UP DOWN LEFT RIGHT",
        "UP DOWN OK P1 P2",
        "UP and DOWN select a line, LEFT and RIGHT change",
    ),
    (STARTER, 2, "OK UP DOWN", "UP OK OK", "two for his heels to ORANGE: UP, then OK. OK: It was not a jack"),
    (
        f"{PLAY} 3",
        2,
        "LEFT RIGHT UP DOWN",
        "P1 P2 UNDO",
        "Who gets 3? LEFT: Peg 3 for ORANGE, RIGHT: Peg 3 for BLUE",
    ),
    (
        f"{PLAY.replace('A 5', 'A 5 6')} 3",
        3,
        "LEFT RIGHT MENU UP DOWN",
        "P1 P2 MENU OK UNDO",
        "Who gets 3? LEFT: Peg 3 for ORANGE, RIGHT: Peg 3 for BLUE, [#6]: 3 for WHITE, in the menu",
    ),
    (f"{PLAY} P1 A", 2, "LEFT RIGHT UP DOWN UNDO", "UP DOWN OK P1 P2", "UP: Previous, DOWN: Next"),
    (f"{PLAY} P1 3", 2, "OK UP DOWN UNDO", "UP DOWN OK UNDO", "UP: Previous, DOWN: Next"),
]


@pytest.mark.parametrize(("keys", "players", "marked", "named", "said"), STICK)
def test_prompt_glass_and_page_name_the_same_keys_of_a_stick(
    keys: str, players: int, marked: str, named: str, said: str
) -> None:
    evening = Evening(NextGame(players=players, entry="peg")).press(keys)
    state, saved = evening.state, evening.saved
    assert lit_keys(state, saved, BONNET) == tuple(marked.split())
    assert [key for key, _ in compose(view_at(state, saved, BONNET)).legend] == named.split()
    assert said in prompt(state, saved, BONNET)


def test_what_the_refusal_says_of_the_third_side_is_so() -> None:
    evening = Evening(NextGame(players=3, entry="peg"), pad=BONNET).press(
        f"{PLAY.replace('A 5', 'A 5 6')} 3 OK"
    )
    assert evening.refusal is not None
    assert str(evening.refusal.error) == (
        "Who gets 3? LEFT or RIGHT pegs it, [#6] OK for WHITE, [#5] clears it"
    )
    assert evening.press("MENU OK").state.scores() == (0, 0, 3)


def test_the_idle_glass_names_a_held_key_where_the_menu_has_no_own_one() -> None:
    evening = Evening()
    for pad, held in ((NUMPAD, [("FLNB", "held: menu")]), (BONNET, []), (TWENTY, [])):
        for shift in range(8):
            sheet = compose(view_at(evening.state, evening.saved, pad), shift=shift)
            assert [pair for pair in sheet.legend if pair[0] == "FLNB"] == held
            assert list(wrong(sheet, evening.state)) == []
