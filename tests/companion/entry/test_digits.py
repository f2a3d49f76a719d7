"""Digits make a number wherever points can be entered; the rank keys go on adding up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.presses import PLAY, at, choices, prompt, view_at

from cribpi.companion.entry.effect import WrongKey
from cribpi.companion.entry.input_state import Correct, FalseWin, Undone
from cribpi.cribbage.game.events import Entry, MugginsCalled
from cribpi.cribbage.rules.errors import ImpossiblePoints

PEG, CARDS = Entry.PEG, Entry.CARDS
WON = "9 P1 digit:1 digit:2 digit:1 OK"


def typed(text: str) -> str:
    """Return the keys of *text*: `#12` types that number, and `<` takes a digit away."""
    keys = []
    for word in text.split():
        if word[0] in "#<":
            keys += ["digit:erase" if one == "<" else f"digit:{one}" for one in word.lstrip("#")]
        else:
            keys.append(word)
    return " ".join(keys)


PEGGED = [
    # keys, scores, why
    ("OK #2 OK", (0, 2), "his heels, to the dealer"),
    ("OK OK #12 P1", (12, 0), "twelve, and not one and two"),
    ("OK OK #12< P2", (0, 1), "the last digit is taken away"),
    ("OK OK #12<< #4 P2", (0, 4), "and the one before"),
    ("OK OK GO #3 P1", (3, 0), "a number takes the place of a scored event"),
    ("OK OK OK #12 OK", (12, 0), "at a show OK pegs it for the side that shows"),
    ("OK OK OK #20 OK #8 OK", (20, 8), "the next show begins a number of its own"),
    ("OK OK OK #0 OK #8 OK", (0, 8), "nothing is a count too"),
    ("OK OK OK 10 2 OK", (12, 0), "the rank keys add up as they do"),
]


@pytest.mark.parametrize(("keys", "scores", "why"), PEGGED)
def test_digits_make_a_number_in_a_game_by_points(keys: str, scores: tuple[int, int], why: str) -> None:
    assert at(typed(keys), entry=PEG).state.scores() == scores, why


def test_a_number_in_the_making_is_said_and_undo_clears_all_of_it() -> None:
    model = at(typed("OK OK OK #12"), entry=PEG)
    assert "12 typed. OK: Peg 12 for ANN" in prompt(model.state, model.saved)
    assert at(typed("OK OK OK #12 UNDO"), entry=PEG).input_state.typed == ()


def test_a_number_that_nothing_counts_is_refused_and_the_one_before_stays() -> None:
    model = at(typed("OK OK OK #2"), entry=PEG)
    model.press("digit:9")
    with pytest.raises(ImpossiblePoints, match="290: no hand counts more than 29"):
        model.press("digit:0")
    assert model.input_state.amount == 29


COUNTED = [
    # rules, keys after the play, what ANN and BOB get for a hand of ANN's that is worth six, why
    ("acc", "#6", (6, 0), "six is right"),
    ("acc", "#12", (6, 0), "an overclaim pegs what is true"),
    ("acc-muggins", "#2", (2, 4), "four are missed"),
    ("acc-muggins", "#12", (6, 0), "twelve is no claim of two that gives four away"),
    ("acc-muggins", "#12<<< #6", (6, 0), "all of it is taken away"),
]


@pytest.mark.parametrize(("rules", "keys", "scores", "why"), COUNTED)
def test_digits_make_a_players_own_count(rules: str, keys: str, scores: tuple[int, int], why: str) -> None:
    before, after = (at(typed(f"{PLAY} {more}"), rules).state.scores() for more in ("", f"{keys} OK"))
    assert tuple(now - was for was, now in zip(before, after, strict=True)) == scores, why


@pytest.mark.parametrize("rules", ["acc", "acc-muggins"])
def test_what_nobody_can_count_is_refused_as_with_the_rank_keys(rules: str) -> None:
    model = at(typed(f"{PLAY} #2"), rules)
    model.press("digit:9")
    with pytest.raises(ImpossiblePoints):
        model.press("digit:9")
    assert model.input_state.amount == 29


CORRECTED = [
    # keys, the dialog, why
    ("9 P1 #47", Correct(side=0, score=47, is_typed=True), "the first digit begins a number"),
    ("9 P1 #47<", Correct(side=0, score=4, is_typed=True), "the last one is taken away"),
    (
        "9 P1 step:+10 step:+1 step:+10 <",
        Correct(side=0, score=2, is_typed=True),
        "and so it is of what was there",
    ),
    ("9 P1 #47 P2 #9", Correct(side=0, score=9, is_typed=True), "another key ends it"),
    ("9 P1 A #12", Correct(side=0, score=0, penalty=-12, line=0, is_typed=True), "a penalty stays one"),
    (
        "9 P1 A P2 P2 #5",
        Correct(side=0, score=0, penalty=5, line=0, is_typed=True),
        "points that are given, too",
    ),
    (
        "9 P1 A #05",
        Correct(side=0, score=0, penalty=-5, line=0, is_typed=True),
        "a penalty of nothing is none",
    ),
    (f"{WON} P1 #30", FalseWin(0, 30, is_typed=True), "the true score of a game that was not won"),
]


@pytest.mark.parametrize(("keys", "dialog", "why"), CORRECTED)
def test_digits_make_the_number_of_a_correction(keys: str, dialog: object, why: str) -> None:
    assert at(typed(keys)).input_state.dialog == dialog, why


STEPPED = [
    # keys, the number, what OK says then, why
    ("9 P1 step:+10 step:+10 step:-1", 19, "Set to 19", "steps of one and ten, whatever the keypad's are"),
    ("9 P1 FLNB step:+1 P2", 11, "Set to 11", "and these stay what they are"),
    ("9 P1 step:-10", 0, "Close", "no score is below none"),
    ("9 P1 #120 step:+10", 121, "Set to 121", "nor over the game"),
    ("9 P1 #20 OK P1 A step:-1", -3, "Take 3 from ANN", "a penalty"),
    ("9 P1 A step:+1 step:+1", 1, "Give ANN 1", "that becomes points, and is never none"),
    (f"{WON} P1 step:+10", 10, "Set to 10", "the true score of a game that was not won"),
]


@pytest.mark.parametrize(("keys", "number", "says", "why"), STEPPED)
def test_a_number_that_is_put_right_goes_by_ones_and_tens(
    keys: str, number: int, says: str, why: str
) -> None:
    model = at(typed(keys))
    asked = view_at(model.state, model.saved).scene.number
    assert asked is not None
    assert asked.value == number, why
    assert says in [choice.label for choice in choices(model.state, model.saved) if choice.key == "OK"], why


def test_what_is_typed_anew_has_no_steps() -> None:
    with pytest.raises(WrongKey):
        at("OK OK step:+1", entry=PEG)


def test_more_than_the_game_is_refused_in_a_correction() -> None:
    model = at(typed("9 P1 #12"))
    with pytest.raises(ImpossiblePoints, match="122 is too many: 121 at most"):
        model.press("digit:2")
    assert at(typed("9 P1 #12 OK")).state.scores() == (12, 0)


def test_muggins_is_called_for_the_number_typed() -> None:
    model = at(typed("OK OK P1 3 #12 OK"), entry=PEG, miscount="muggins")
    assert model.events[-1] == MugginsCalled(0, 1, 12)


@pytest.mark.parametrize(
    ("keys", "entry"),
    [("", CARDS), ("5", CARDS), ("5 10", CARDS), ("5 MENU", CARDS), ("OK OK OK FLNB", PEG)],
)
def test_where_cards_or_lines_are_asked_for_a_digit_is_none(keys: str, entry: Entry) -> None:
    model = at(keys, entry=entry)
    assert view_at(model.state, model.saved).scene.number is None
    for key in ("digit:1", "digit:erase", "step:+1"):
        with pytest.raises(WrongKey):
            model.press(key)


def test_before_the_starter_there_is_nothing_to_peg_and_a_digit_is_told_so() -> None:
    with pytest.raises(WrongKey, match="Nothing can be pegged before the starter is cut"):
        at("digit:1", entry=PEG)


@pytest.mark.parametrize(
    ("keys", "entry"),
    [("OK", PEG), ("OK OK", PEG), ("OK OK OK", PEG), ("5 P1", CARDS)],
)
def test_where_points_are_asked_for_digits_are_taken(keys: str, entry: Entry) -> None:
    model = at(keys, entry=entry)
    assert view_at(model.state, model.saved).scene.number is not None
    model.press("digit:1")


def test_a_digit_closes_what_was_said_of_an_undo_and_begins_a_number() -> None:
    model = at("OK OK", entry=PEG)
    model.input_state = replace(model.input_state, dialog=Undone("ANN pegs five", 3))
    assert view_at(model.state, model.saved).scene.number is not None
    model.press("digit:7")
    assert (model.input_state.dialog, model.input_state.amount) == (None, 7)
