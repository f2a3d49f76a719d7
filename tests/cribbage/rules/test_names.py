"""Names of the seats: the fault is named, and two that nobody can tell apart are refused where people give
them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.refusals import refused

from cribpi.cribbage.game.events import SeatsNamed
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.record import parse_event, print_event
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.names import LONGEST_NAME, check_names, given_names, renamed, shortened, unlike
from cribpi.cribbage.rules.shown import shown

BAD = [
    # name                      what the sentence says
    ("", "the name '' is empty: give 1 to 40 characters"),
    ("x" * 41, "has 41 characters: use 40 at most"),
    ("x" * 10_000_000, "has 10,000,000 characters: use 40 at most"),
    (" ANN", "the name ' ANN' begins with a space: remove it"),
    ("ANN ", "the name 'ANN ' ends with a space: remove it"),
    ("ANN  B", "the name 'ANN  B' has two spaces in a row: remove one"),
    ("A\tB", r"the name 'A\tB' has U+0009, a control character, which is invisible: remove it"),
    ("A\x1b[31m", "has U+001B, a control character, which is invisible: remove it"),
    ("A\u200bB", "has U+200B, zero width space, which is invisible: remove it"),
    ("A\u202eB", "has U+202E, right-to-left override, which is invisible: remove it"),
    ("A\u00a0B", "has U+00A0, no-break space, which is invisible: remove it"),
    ("A\ud800", "has U+D800, a control character, which is invisible: remove it"),
]
UNSEEN = ["\u3164", "A\u2800B", "A\ufe0f", "\u115f", "A\u034fB"]
ALIKE = [
    ("ANN", "Ann"),
    ("Zo\u00eb", "Zoe\u0308"),
    ("Stra\u00dfe", "STRASSE"),
    ("\uff21NN", "ANN"),
    ("\u212a", "k"),
    ("Ann \u2764\ufe0f", "Ann \u2764"),
]


@pytest.mark.parametrize(("name", "says"), BAD)
def test_the_fault_of_a_name_is_named(name: str, says: str) -> None:
    for check in (check_names, given_names):
        with pytest.raises(BadSetup) as refused:
            check(["BOB", name])
        assert says in str(refused.value)
        assert len(str(refused.value)) < 250


@pytest.mark.parametrize("name", UNSEEN)
def test_a_letter_that_nobody_sees_is_refused_where_a_name_is_given(name: str) -> None:
    with pytest.raises(BadSetup, match=r"has U\+[0-9A-F]{4}, .*, which is invisible: remove it") as refused:
        given_names([name])
    assert str(refused.value).startswith(f"the name {shown(name)} has")
    check_names([name])  # a journal of an earlier version may have it


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_cannot_be_told_apart_are_refused_where_they_are_given(one: str, other: str) -> None:
    with pytest.raises(BadSetup, match=r"look too much alike: change one|must all be different; change one"):
        given_names([one, "BOB", other])


def test_a_letter_and_its_accent_are_kept_as_one() -> None:
    assert given_names(["Zoe\u0308", "BOB"]) == ("Zo\u00eb", "BOB")


def test_what_an_earlier_version_took_is_still_read() -> None:
    state = fold([parse_event('game "ANN" "Ann" dealer=1'), parse_event('names "Zo\u00eb" "Zoe\u0308"')])
    assert state.names == ("Zo\u00eb", "Zoe\u0308")


@given(st.lists(st.text(max_size=45), min_size=2, max_size=2))
def test_what_is_taken_where_it_is_given_is_taken_in_a_game_and_comes_back_from_a_record(
    names: list[str],
) -> None:
    try:
        kept = given_names(names)
    except BadSetup as refused:
        assert str(refused).isprintable()  # noqa: PT017  either outcome is right
        return
    state = step(fold([parse_event('game "A" "B" dealer=0')]), SeatsNamed(kept))
    assert state.names == kept
    assert all(len(name) <= LONGEST_NAME for name in kept)
    assert parse_event(print_event(SeatsNamed(kept))) == SeatsNamed(kept)
    assert given_names(kept) == kept


FAMILY = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
HEART = "\N{HEAVY BLACK HEART}\N{VARIATION SELECTOR-16}"
DOCTOR = "\N{WOMAN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}\N{ZERO WIDTH JOINER}\N{STAFF OF AESCULAPIUS}"


@pytest.mark.parametrize(
    "name",
    [FAMILY, f"The {FAMILY}s", f"Ann {HEART}", DOCTOR, f"{HEART}\N{ZERO WIDTH JOINER}\N{FIRE}", "שרה"],
)
def test_emoji_that_are_joined_and_letters_from_right_to_left_are_names(name: str) -> None:
    assert given_names([name, "BOB"]) == (name, "BOB")
    state = step(fold([parse_event('game "A" "B" dealer=0')]), SeatsNamed((name, "BOB")))
    assert state.names == (name, "BOB")
    assert parse_event(print_event(SeatsNamed((name, "BOB")))) == SeatsNamed((name, "BOB"))


@pytest.mark.parametrize(
    "name",
    [
        "A\u200dB",
        "\u200d\N{MAN}",
        "\N{MAN}\u200d",
        "\N{MAN}\u200d\u200d\N{GIRL}",
        "\N{MAN}\u200dA",
        "A\ufe0f\u200d\N{GIRL}",
        f"{FAMILY}\u202e",
        f"{FAMILY}\u2066",
    ],
)
def test_a_joiner_that_joins_no_emoji_is_refused_as_what_turns_the_writing_round_is(name: str) -> None:
    with pytest.raises(BadSetup, match="which is invisible: remove it") as refused:
        check_names([name])
    assert "\u202e" not in str(refused.value)
    assert "\u2066" not in str(refused.value)


def test_a_family_and_the_same_people_side_by_side_are_too_much_alike() -> None:
    said = refused(BadSetup, given_names, [FAMILY, FAMILY.replace("\u200d", "")])
    assert said == "the names 👨‍👩‍👧 and 👨👩👧 look too much alike: change one"


def test_a_name_that_is_taken_gets_the_first_number_that_is_free() -> None:
    assert unlike("Medium", ["Ann"]) == "Medium"
    assert unlike("Medium", ["MEDIUM"]) == "Medium 2"
    assert unlike("Medium", ["Medium", "Medium 3"]) == "Medium 2"


RENAMED = [
    # names, who is a computer, the old name and the new, and the names after it
    (("Ann", "Bob"), (False, False), "Ann", "Anna", ("Anna", "Bob")),
    (("Ann", "Bob"), (False, False), "Cid", "Anna", ("Ann", "Bob")),  # who isn't there
    (("Ann", "Bob"), (False, False), "Ann", "Bob", ("Ann", "Bob")),  # another is called so
    (("Medium", "Easy"), (True, True), "Medium", "Ann", ("Medium", "Easy")),  # the computer is nobody
    (("Easy", "Ann", "Easy 2"), (True, False, True), "Ann", "Easy 2", ("Easy", "Easy 2", "Easy 3")),
    (("Easy", "Easy 2", "Ann"), (True, True, False), "Ann", "Easy", ("Easy 3", "Easy 2", "Easy")),
]


@pytest.mark.parametrize(("names", "computers", "old", "new", "found"), RENAMED)
def test_a_person_is_renamed_and_a_computer_of_that_name_told_apart(
    names: tuple[str, ...], computers: tuple[bool, ...], old: str, new: str, found: tuple[str, ...]
) -> None:
    assert renamed(names, computers, old, new) == found


SHORT = [
    # name, letters there is room for, and what is shown
    ("ORANGE", 6, "ORANGE"),
    ("ORANGE", 5, "ORAN…"),
    ("ORANGE", 1, "…"),
    ("ANN TAYLOR", 8, "ANN TAY…"),
    ("ANN TAYLOR", 5, "ANN…"),  # and no space before what stands for the rest
    # a number at the end stays as long as a letter fits before it
    ("ORANGE 2", 8, "ORANGE 2"),
    ("ORANGE 2", 7, "ORANG 2"),
    ("ORANGE 2", 3, "O 2"),
    ("ORANGE 2", 2, "O…"),
    ("ORANGE 12", 4, "O 12"),
    ("ORANGE 12", 3, "OR…"),
    ("OLD TOM 2", 7, "OLD T 2"),
    ("OLD TOM 2", 6, "OLD 2"),
]


@pytest.mark.parametrize(("name", "cells", "shows"), SHORT)
def test_a_name_is_shortened_to_its_room_and_keeps_its_number(name: str, cells: int, shows: str) -> None:
    assert shortened(name, cells) == shows
    assert len(shows) <= cells
