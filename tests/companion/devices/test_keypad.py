"""The real gpiozero over pins that are wired as a matrix."""

from __future__ import annotations

import itertools
import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from gpiozero import GPIOPinInUse
from hypothesis import given
from hypothesis import strategies as st
from support.key_bench import KeyBench
from support.patience import PATIENCE

from cribpi.companion.devices.keypad import POLL, POLL_STUCK, MatrixKeys
from cribpi.companion.devices.keys import STUCK
from cribpi.companion.devices.twin.twin import Twin
from cribpi.companion.entry.debounce import Edge

ROWS = (12, 16, 20, 21)
COLUMNS = (13, 19, 26, 24, 25)
KEYS = (
    ("A", "2", "3", "4", "5"),
    ("6", "7", "8", "9", "10"),
    ("J", "Q", "K", "GO", "FLNB"),
    ("P1", "P2", "UNDO", "MENU", "OK"),
)
ALL = [key for row in KEYS for key in row]


def new_twin(pause: Callable[[float], None] = time.sleep) -> Twin:
    twin = Twin(1, pause=pause)
    twin.solder_matrix(ROWS, COLUMNS, KEYS)
    return twin


class Bench(KeyBench):
    """A keypad on a twin whose time passes only when the bench says so."""

    def __init__(self) -> None:
        super().__init__()
        self.twin = new_twin(self.passes)
        self.said: list[tuple[str, str | None]] = []
        self.driver = self.keypad = MatrixKeys(
            ROWS,
            COLUMNS,
            KEYS,
            self.twin.factory,
            self.edges.append,
            report=lambda name, sentence: self.said.append((name, sentence)),
            clock=lambda: self.now,
        )


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.keypad.close()
    assert bench.twin.factory.shorts == 0, "no output was ever joined with one of another level"


@pytest.mark.parametrize("key", ALL)
def test_each_key_gives_its_own_two_edges(bench: Bench, key: str) -> None:
    bench.twin.press(key)
    assert [(edge.button, edge.closed) for edge in bench.edges] == [(key, True), (key, False)]


def test_at_rest_the_keypad_asks_for_no_time(bench: Bench) -> None:
    assert bench.keypad.service(0.0) is None
    bench.twin.close_key("7")
    assert bench.keypad.service(0.1) == POLL
    bench.twin.open_key("7")
    assert bench.keypad.service(0.2) is None


@pytest.mark.parametrize("look", range(1, 8))
def test_a_key_let_go_at_any_moment_of_a_scan_can_be_pressed_again(
    look: int, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    keypad, columns_low, looks = bench.keypad, bench.keypad._low, itertools.count(1)

    def looked() -> list[bool]:
        found = columns_low()
        if next(looks) == look:
            bench.twin.open_key("OK")
        return found

    bench.twin.close_key("OK")
    assert keypad.service(0.0) == POLL
    monkeypatch.setattr(keypad, "_low", looked)
    bench.passes(1.0)
    assert bench.typed() == ["OK"]
    assert bench.edges[-1].closed is False, "it was seen to be let go before the keypad rests"
    bench.twin.press("OK")
    assert bench.typed() == ["OK", "OK"]


def test_a_closing_key_wakes_and_the_scan_itself_does_not(bench: Bench) -> None:
    bench.keypad.service(0.0)
    bench.twin.close_key("K")
    assert bench.keypad._wake.is_set()
    bench.keypad.service(0.1)
    assert not bench.keypad._wake.is_set()


@pytest.mark.parametrize("pair", [("A", "2"), ("A", "6"), ("A", "7"), ("5", "P1"), ("UNDO", "OK")])
def test_two_keys_at_once_are_both_seen_and_both_let_go(bench: Bench, pair: tuple[str, str]) -> None:
    for key in pair:
        bench.twin.close_key(key)
        bench.passes(0.03)
    for key in pair:
        bench.twin.open_key(key)
        bench.passes(0.03)
    assert [edge.button for edge in bench.edges] == [*pair, *pair]
    assert sorted(bench.typed()) == sorted(pair)


@given(st.lists(st.tuples(st.sampled_from(ALL), st.booleans()), max_size=25))
def test_no_key_is_ever_seen_that_is_not_held(moves: list[tuple[str, bool]]) -> None:
    bench = Bench()
    held = set[str]()
    for key, closed in moves:
        (bench.twin.close_key if closed else bench.twin.open_key)(key)
        (held.add if closed else held.discard)(key)
        before = len(bench.edges)
        bench.passes(0.02)
        assert {edge.button for edge in bench.edges[before:] if edge.closed} <= held
    for key in held:
        bench.twin.open_key(key)
    bench.passes(0.02)
    assert not bench.keypad._held
    bench.keypad.close()
    assert bench.twin.factory.shorts == 0


def test_the_fourth_corner_of_a_rectangle_is_held_back_until_it_is_certain(bench: Bench) -> None:
    for key in ("A", "2", "6"):
        bench.twin.close_key(key)
        bench.passes(0.02)
    assert bench.twin.factory.pin(COLUMNS[1]).state == 0
    assert "7" not in bench.typed(), "7 is closed by the other three corners alone"
    bench.twin.close_key("7")
    bench.passes(0.02)
    assert all(edge.closed for edge in bench.edges), "what was certain before stays held"
    bench.twin.open_key("A")
    bench.twin.open_key("2")
    bench.passes(0.02)
    assert "7" in bench.typed()


def test_fifty_bounces_are_one_press(bench: Bench) -> None:
    bench.twin.bounce("8", times=50)
    bench.passes(0.1)
    bench.twin.bounce("8", times=50, closes=False)
    bench.passes(0.1)
    assert bench.typed() == ["8"]


def test_a_stuck_key_is_said_once_and_healed(bench: Bench) -> None:
    bench.twin.stick("Q")
    bench.twin.press("Q")
    bench.passes(STUCK + 5)
    ((name, sentence),) = bench.said
    assert name == "keypad"
    assert sentence is not None
    assert sentence.startswith("keypad: Q held for more than 10 seconds")
    assert bench.keypad.service(bench.now) == POLL_STUCK
    bench.twin.press("7")
    assert bench.typed() == ["Q", "7"], "the other keys go on"
    bench.twin.unstick("Q")
    bench.passes(0.1)
    assert bench.said[1:] == [("keypad", None)]
    assert bench.keypad.service(bench.now) is None


def test_a_column_that_no_key_explains_is_said(bench: Bench) -> None:
    bench.twin.factory.join(COLUMNS[3], 7)
    earth = bench.twin.factory.pin(7)
    earth.output_with_state(state=False)
    bench.passes(STUCK + 1)
    assert bench.said[-1][1] is not None
    assert "GPIO 24" in bench.said[-1][1]
    assert bench.edges == []
    earth.function = "input"
    bench.twin.factory.part(COLUMNS[3], 7)
    bench.passes(0.1)
    assert bench.said[-1] == ("keypad", None)


def test_a_keypad_of_the_wrong_shape_is_refused() -> None:
    twin = new_twin()
    with pytest.raises(ValueError, match="4 rows of 5"):
        MatrixKeys(ROWS, COLUMNS, KEYS[:3], twin.factory, print)


def test_a_pin_in_use_is_refused_and_the_others_are_given_back(bench: Bench) -> None:
    with pytest.raises(GPIOPinInUse):
        MatrixKeys((5, 12), (6,), (("A",), ("2",)), bench.twin.factory, print)
    MatrixKeys((5,), (6,), (("A",),), bench.twin.factory, print).close()


def test_memory_of_the_pins_stays_flat(bench: Bench) -> None:
    for _ in range(500):
        bench.twin.press("7")
    assert all(len(pin.states) <= 64 for pin in bench.twin.factory.pins.values())
    assert bench.typed() == ["7"] * 500


@pytest.fixture
def live() -> Iterator[Callable[..., tuple[Twin, MatrixKeys, queue.Queue[Edge]]]]:
    opened = list[MatrixKeys]()

    def start(**options: Any) -> tuple[Twin, MatrixKeys, queue.Queue[Edge]]:  # noqa: ANN401  the keypad's own
        twin = new_twin()
        edges = queue.Queue[Edge]()
        options.setdefault("sink", edges.put)
        keypad = MatrixKeys(ROWS, COLUMNS, KEYS, twin.factory, **options)
        opened.append(keypad)
        keypad.start()
        return twin, keypad, edges

    yield start
    for keypad in opened:
        keypad.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "keypad"]


Live = Callable[..., tuple[Twin, MatrixKeys, "queue.Queue[Edge]"]]


def test_the_thread_sees_a_press_from_another_thread(live: Live) -> None:
    twin, keypad, edges = live()
    twin.close_key("OK")
    assert edges.get(timeout=PATIENCE).closed
    twin.open_key("OK")
    assert edges.get(timeout=PATIENCE) == Edge("OK", closed=False, at=keypad._changed)
    assert keypad.alive


def test_a_key_held_at_the_start_is_not_pressed_until_it_was_let_go() -> None:
    """A stuck MENU must not switch the Pi off again after each start."""
    now = 0.0
    twin, edges, said = new_twin(), list[Edge](), list[str | None]()
    twin.close_key("MENU")
    keypad = MatrixKeys(
        ROWS,
        COLUMNS,
        KEYS,
        twin.factory,
        edges.append,
        report=lambda _name, sentence: said.append(sentence),
        clock=lambda: now,
    )
    keypad.service(STUCK + 1)
    assert said == ["keypad: MENU held for more than 10 seconds; free the key or check its wiring"]
    twin.open_key("MENU")
    keypad.service(20.0)
    assert (edges, said[1:]) == ([], [None])
    twin.close_key("MENU")
    keypad.service(21.0)
    assert edges == [Edge("MENU", closed=True, at=21.0)]
    now = 22.0
    keypad.close()
    assert edges[1:] == [Edge("MENU", closed=False, at=22.0, lost=True)], (
        "who closes the keypad lets its keys go"
    )


def test_presses_from_several_threads_are_all_seen(live: Live) -> None:
    twin, _keypad, edges = live()
    rounds, seen = 20, dict.fromkeys(ALL, 0)
    levels = {key: threading.Semaphore(0) for key in ALL}
    columns = [[row[column] for row in KEYS] for column in range(len(COLUMNS))]

    def type_on(keys: list[str]) -> None:
        chance = random.Random(keys[0])
        for _ in range(rounds):
            key = chance.choice(keys)
            twin.close_key(key)
            assert levels[key].acquire(timeout=PATIENCE)
            twin.open_key(key)
            assert levels[key].acquire(timeout=PATIENCE)

    # One key of two columns at a time: no three corners of a rectangle, so that nothing is ever unclear.
    typists = [threading.Thread(target=type_on, args=(columns[i],)) for i in (0, 3)]
    for typist in typists:
        typist.start()
    for _ in range(2 * 2 * rounds):
        edge = edges.get(timeout=PATIENCE)
        seen[edge.button] += edge.closed
        levels[edge.button].release()
    for typist in typists:
        typist.join()
    assert sum(seen.values()) == 2 * rounds
    assert edges.empty()


def test_the_callback_never_raises_whatever_it_is_given(bench: Bench) -> None:
    bench.keypad._column_changed(None, None)
    bench.keypad._column_changed("x", object())
    bench.keypad.close()
    bench.keypad._column_changed(0, 0)


def test_a_sink_that_fails_is_said_and_the_keys_come_back(live: Live) -> None:
    edges, said = queue.Queue[Edge](), queue.Queue[str | None]()
    broken = threading.Event()
    broken.set()

    def sink(edge: Edge) -> None:
        if broken.is_set():
            raise RuntimeError("the queue is closed")
        edges.put(edge)

    twin, keypad, _ = live(sink=sink, report=lambda _name, sentence: said.put(sentence))
    twin.close_key("7")
    assert said.get(timeout=PATIENCE) == "keypad: the queue is closed; check its wires and settings"
    broken.clear()
    twin.open_key("7")
    assert said.get(timeout=PATIENCE) is None
    twin.press("8")
    while edges.get(timeout=PATIENCE).button != "8":
        pass
    assert keypad.alive
