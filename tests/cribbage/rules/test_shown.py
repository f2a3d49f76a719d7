"""What someone wrote, as an error quotes it: never long, never more than a line, never a command to a
terminal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.rules.errors import BadCard
from cribpi.cribbage.rules.shown import LONGEST, cut, shown, visible


@given(st.text() | st.integers() | st.floats() | st.lists(st.text()) | st.binary())
def test_whatever_is_quoted_prints_on_one_line_and_is_not_long(value: object) -> None:
    for written in (repr, str):
        said = shown(value, written)
        assert said.isprintable()
        assert len(said) <= LONGEST


@pytest.mark.parametrize("letters", range(LONGEST - 5, LONGEST + 5))
def test_what_is_too_long_says_so(letters: int) -> None:
    quoted = f"'{'x' * letters}'"
    assert shown("x" * letters) == (quoted if len(quoted) <= LONGEST else f"{quoted[: LONGEST - 4]} ...")


def nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("7X", "'7X'"),
        ("\x1b[31m", r"'\x1b[31m'"),
        ("x" * 50_000_000, f"'{'x' * 75} ..."),
        (0x10**5000, "(a number too long to show)"),
        (nested(100_000), "(nested too deeply to show)"),
        (None, "None"),
    ],
    ids=["text", "escape", "millions", "digits", "depth", "nothing"],
)
def test_a_quotation_stands_for_any_value(value: object, says: str) -> None:
    assert shown(value) == says


@given(st.text())
def test_what_prints_stays_as_it_is(text: str) -> None:
    assert (visible(text) == text) == text.isprintable()
    assert cut(text, 20) == (text if len(text) <= 20 else text[:16] + " ...")


def test_what_fits_is_shown_as_it_was_written_and_what_does_not_is_cut() -> None:
    assert (cut("x" * 20, 20), cut("x" * 21, 20)) == ("x" * 20, f"{'x' * 16} ...")
    assert shown("x" * 30, longest=20) == f"'{'x' * 15} ..."
    assert visible("C:\\\x07") == "C:\\\\x07", "only what does not print is escaped"


def test_a_refused_card_is_quoted_so() -> None:
    with pytest.raises(BadCard) as refused:
        Card.parse("\x1b]0;x\a" + "7" * 1000)
    assert str(refused.value).startswith(rf"'\x1b]0;x\x07{'7' * 63} ... is not a card: write a rank")
