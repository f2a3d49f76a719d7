"""What a person pressed, out of what a bouncing button did."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribpi.companion.entry.debounce import QUIET, Debouncer, Edge, Hold, holds_of

LAST = 1000.0
BUTTONS = ("7", "8", "UNDO", "MENU")


def down(button: str, at: float) -> Edge:
    return Edge(button, closed=True, at=at)


def up(button: str, at: float) -> Edge:
    return Edge(button, closed=False, at=at)


def pressed(edges: Iterable[Edge], until: float = LAST) -> list[str]:
    """Feed *edges*, let the time run out, and return the keys."""
    keys, found = Debouncer(), list[str]()
    for edge in edges:
        keys, presses = keys.feed(edge)
        found += presses
    keys, presses = keys.tick(until)
    return [*found, *presses]


def test_a_button_that_is_lost_while_it_is_held_acts_no_more_and_the_next_time_again() -> None:
    lost = Edge("MENU", closed=False, at=0.5, lost=True)
    assert pressed([down("MENU", 0.0), lost]) == []
    assert pressed([down("MENU", 0.0), up("MENU", 0.2), lost]) == ["MENU"], "it had been let go before"
    assert pressed([down("MENU", 0.0), lost, down("MENU", 0.6), up("MENU", 0.7)]) == ["MENU"]
    assert pressed([down("7", 0.0), Edge("7", closed=False, at=0.5, lost=True), down("7", 0.501)]) == [
        "7",
        "7",
    ]
    assert pressed([lost]) == []


def burst(button: str, start: float, offsets: Iterable[float], *, closed: bool) -> list[Edge]:
    """Return a contact that moves at *start*, chatters at *offsets* after it, and comes to rest as
    *closed*."""
    times = sorted({start, *(start + offset for offset in offsets)})
    times = times[: len(times) - 1 + len(times) % 2]  # an odd number of changes ends at the other level
    return [Edge(button, closed if i % 2 == 0 else not closed, at) for i, at in enumerate(times)]


chatter = st.lists(st.floats(0.0001, QUIET * 0.99), max_size=50)


@given(chatter, chatter, st.floats(0.03, 60))
def test_any_bounce_inside_ten_milliseconds_gives_exactly_one_press(
    closing: list[float], opening: list[float], held: float
) -> None:
    edges = burst("7", 0, closing, closed=True) + burst("7", held, opening, closed=False)
    assert pressed(edges) == ["7"]


@given(st.floats(0.05, 60), chatter)
def test_a_contact_that_chatters_while_it_is_held_is_still_one_press(at: float, offsets: list[float]) -> None:
    edges = [down("7", 0), *burst("7", at, offsets, closed=False)[:-1], up("7", at + 1)]
    assert pressed(edges) == ["7"]


@given(st.lists(st.tuples(st.floats(0.0001, 0.5), st.floats(QUIET * 1.01, 0.5)), max_size=30))
def test_presses_further_apart_than_the_quiet_are_all_counted(gaps: list[tuple[float, float]]) -> None:
    edges, at = list[Edge](), 0.0
    for held, apart in gaps:
        edges += [down("7", at), up("7", at + held)]
        at += held + apart
    assert pressed(edges) == ["7"] * len(gaps)


@given(
    st.lists(st.tuples(st.sampled_from(BUTTONS), st.booleans(), st.floats(0, 20)), max_size=60),
)
def test_no_sequence_of_edges_raises_or_leaves_something_due(rows: list[tuple[str, bool, float]]) -> None:
    keys = Debouncer()
    for button, closed, at in rows:
        keys, _ = keys.feed(Edge(button, closed, at))
        assert len(keys.buttons) <= len(BUTTONS)
        assert keys == keys.tick(at - 1000)[0]
    keys, _ = keys.tick(LAST)
    assert keys.wakes() is None
    for button in BUTTONS:
        keys, _ = keys.feed(up(button, LAST))
    keys, _ = keys.tick(LAST + 1)
    assert keys == Debouncer(), "all let go is as it was at the start"


@given(
    st.lists(st.tuples(st.sampled_from(BUTTONS), st.booleans(), st.integers(0, 4000)), max_size=60),
    st.lists(st.integers(0, 6000), max_size=60),
)
def test_ticks_between_the_edges_change_no_press(rows: list[tuple[str, bool, int]], ticks: list[int]) -> None:
    edges = [Edge(button, closed, at / 1000) for button, closed, at in sorted(rows, key=lambda row: row[2])]
    keys, found = Debouncer(), list[str]()
    moments: list[tuple[float, Edge | None]] = [(edge.at, edge) for edge in edges]
    moments += [(tick / 1000, None) for tick in ticks]
    for at, edge in sorted(moments, key=lambda moment: (moment[0], moment[1] is not None)):
        keys, presses = keys.tick(at) if edge is None else keys.feed(edge)
        found += presses
    _, presses = keys.tick(LAST)
    assert [*found, *presses] == pressed(edges)


@given(st.sampled_from(holds_of()), chatter, st.floats(0.001, 60))
def test_a_hold_gives_exactly_one_hold_press(hold: Hold, offsets: list[float], longer: float) -> None:
    edges = burst(hold.button, 0, offsets, closed=True)
    edges.append(up(hold.button, edges[0].at + hold.seconds + longer))
    assert pressed(edges) == [hold.key]


@pytest.mark.parametrize(
    ("button", "held", "keys", "why"),
    [
        ("7", 9.0, ["7"], "an ordinary key acts at once and has no hold"),
        ("UNDO", 0.05, ["UNDO"], "short, when it is let go"),
        ("UNDO", 0.999, ["UNDO"], "let go just before its time, believed just after it"),
        ("UNDO", 1.001, ["hold:UNDO"], "its time was up"),
        ("MENU", 2.9, ["MENU"], "MENU takes three seconds"),
        ("MENU", 3.1, ["hold:MENU"], "its time was up"),
    ],
)
def test_short_and_long(button: str, held: float, keys: list[str], why: str) -> None:
    assert pressed([down(button, 5.0), up(button, 5.0 + held)]) == keys, why


def test_an_ordinary_key_acts_at_its_first_edge() -> None:
    _, presses = Debouncer().feed(down("7", 0.0))
    assert presses == ("7",)


def test_a_hold_acts_when_its_time_is_up_and_not_when_it_is_let_go() -> None:
    keys, presses = Debouncer().feed(down("UNDO", 0.0))
    assert presses == ()
    keys, presses = keys.tick(0.9999)
    assert presses == ()
    assert keys.wakes() == 1.0
    keys, presses = keys.tick(1.0)
    assert presses == ("hold:UNDO",)
    assert keys.wakes() is None


def test_a_level_that_is_said_again_does_not_delay_the_quiet() -> None:
    assert pressed([down("7", 0), up("7", 1.0), up("7", 1.005), down("7", 1.012)]) == ["7", "7"]


def test_presses_of_several_keys_come_in_the_order_of_their_times() -> None:
    edges = [
        down("MENU", 0.0),
        down("UNDO", 2.5),
        down("8", 2.6),
        up("8", 2.7),
    ]
    assert pressed(edges) == ["8", "hold:MENU", "hold:UNDO"]


def test_what_is_due_at_one_tick_comes_in_the_order_in_which_it_was_due() -> None:
    assert pressed([down("MENU", 0.0), down("UNDO", 0.1)]) == ["hold:UNDO", "hold:MENU"]
    assert pressed([down("UNDO", 0.0), down("MENU", 0.1)]) == ["hold:UNDO", "hold:MENU"]


def test_each_bounce_begins_the_quiet_anew() -> None:
    assert pressed([down("7", 0.0), up("7", 0.004), down("7", 0.011)]) == ["7"]
    assert pressed([down("7", 0.0), up("7", 0.004), down("7", 0.015)]) == ["7", "7"]


def test_a_key_is_let_go_and_pressed_again_while_another_is_held() -> None:
    edges = [down("UNDO", 0.0), down("7", 0.1), up("7", 0.15), down("7", 0.3), up("UNDO", 0.4)]
    assert pressed([*edges, down("8", 0.5)]) == ["7", "7", "UNDO", "8"]
