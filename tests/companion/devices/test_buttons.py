"""Keys that each close a GPIO of their own to ground, over the real gpiozero."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from gpiozero import GPIOPinInUse
from hypothesis import given
from hypothesis import strategies as st
from support.key_bench import KeyBench
from support.patience import PATIENCE

from cribpi.companion.devices.keypad import ButtonKeys
from cribpi.companion.devices.keys import STUCK
from cribpi.companion.devices.twin.twin import Twin
from cribpi.companion.entry.debounce import Edge

PINS = {"UP": 17, "DOWN": 22, "LEFT": 27, "RIGHT": 23, "OK": 4, "UNDO": 5, "MENU": 6}


def new_twin(pause: Callable[[float], None] = time.sleep) -> Twin:
    twin = Twin(1, pause=pause)
    twin.solder_buttons(PINS)
    return twin


class Bench(KeyBench):
    """Buttons on a twin whose time passes only when the bench says so."""

    def __init__(self) -> None:
        super().__init__()
        self.twin = new_twin(self.passes)
        self.said: list[str | None] = []
        self.driver = self.buttons = ButtonKeys(
            PINS,
            self.twin.factory,
            self.edges.append,
            report=lambda _name, sentence: self.said.append(sentence),
            clock=lambda: self.now,
        )


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.buttons.close()


@pytest.mark.parametrize("key", PINS)
def test_each_key_gives_its_own_two_edges(bench: Bench, key: str) -> None:
    bench.twin.press(key)
    assert [(edge.button, edge.closed) for edge in bench.edges] == [(key, True), (key, False)]


def test_nothing_is_polled_but_a_held_key_once_more_when_it_would_be_stuck(bench: Bench) -> None:
    assert bench.buttons.service(0.0) is None
    bench.twin.close_key("UP")
    assert bench.buttons.service(1.0) == STUCK
    assert bench.buttons.service(1.0 + STUCK) is None
    bench.twin.open_key("UP")
    assert bench.buttons.service(20.0) is None


def test_a_press_that_is_over_before_the_thread_runs_is_not_lost(bench: Bench) -> None:
    bench.twin.close_key("OK")
    bench.twin.open_key("OK")
    bench.buttons.service(1.0)
    assert bench.typed() == ["OK"]


def test_an_edge_that_was_lost_shows_in_the_level(bench: Bench) -> None:
    bench.twin.close_key("LEFT")
    while not bench.buttons._edges.empty():
        bench.buttons._edges.get_nowait()
    bench.buttons.service(1.0)
    assert bench.edges == [Edge("LEFT", closed=True, at=1.0)]


def test_fifty_bounces_are_one_press(bench: Bench) -> None:
    bench.twin.bounce("RIGHT", times=50)
    bench.passes(0.1)
    bench.twin.bounce("RIGHT", times=50, closes=False)
    bench.passes(0.1)
    assert bench.typed() == ["RIGHT"]


@given(st.lists(st.tuples(st.sampled_from(list(PINS)), st.booleans()), max_size=25))
def test_what_is_held_is_known_after_any_moves(moves: list[tuple[str, bool]]) -> None:
    bench = Bench()
    held = set[str]()
    for key, closed in moves:
        (bench.twin.close_key if closed else bench.twin.open_key)(key)
        (held.add if closed else held.discard)(key)
    bench.passes(0.02)
    assert set(bench.buttons._held) == held
    levels = {edge.button: edge.closed for edge in bench.edges}
    assert {key for key, closed in levels.items() if closed} == held
    bench.buttons.close()


def test_a_stuck_key_is_said_once_ignored_and_healed(bench: Bench) -> None:
    bench.twin.stick("DOWN")
    bench.twin.press("DOWN")
    bench.passes(STUCK + 5)
    assert bench.said == [
        "keypad: DOWN held for more than 10 seconds; free the key or check its wiring",
    ]
    bench.twin.press("UP")
    assert bench.typed() == ["DOWN", "UP"], "the other keys go on"
    bench.twin.unstick("DOWN")
    bench.passes(0.1)
    assert bench.said[1:] == [None]


def test_a_key_held_at_the_start_is_not_pressed_until_it_was_let_go() -> None:
    twin, edges = new_twin(), list[Edge]()
    twin.close_key("MENU")
    buttons = ButtonKeys(PINS, twin.factory, edges.append)
    buttons.service(1.0)
    twin.open_key("MENU")
    buttons.service(2.0)
    assert edges == []
    twin.close_key("MENU")
    buttons.service(3.0)
    assert edges == [Edge("MENU", closed=True, at=3.0)]
    buttons.close()


def test_a_pin_in_use_is_refused_and_the_others_are_given_back(bench: Bench) -> None:
    with pytest.raises(GPIOPinInUse):
        ButtonKeys({"A": 12, "2": 17}, bench.twin.factory, print)
    ButtonKeys({"A": 12}, bench.twin.factory, print).close()


def test_the_callback_never_raises_whatever_it_is_given(bench: Bench) -> None:
    bench.buttons._pin_changed("UP", None, None)
    bench.buttons._pin_changed("UP", "x", object())
    bench.buttons.close()
    bench.buttons._pin_changed("UP", 0, 0)


def test_presses_from_eight_threads_are_all_seen() -> None:
    twin, edges, rounds = new_twin(), queue.Queue[Edge](), 25
    buttons = ButtonKeys(PINS, twin.factory, edges.put)
    buttons.start()

    def press(key: str) -> None:
        for _ in range(rounds):
            twin.close_key(key)
            twin.open_key(key)

    hands = [threading.Thread(target=press, args=(key,)) for key in PINS]
    for hand in hands:
        hand.start()
    seen = [edges.get(timeout=PATIENCE) for _ in range(2 * rounds * len(PINS))]
    for hand in hands:
        hand.join()
    assert buttons.alive
    buttons.close()
    assert edges.empty()
    for key in PINS:
        assert [edge.closed for edge in seen if edge.button == key] == [True, False] * rounds


def test_its_thread_waits_wakes_and_ends() -> None:
    twin, edges = new_twin(), queue.Queue[Edge]()
    buttons = ButtonKeys(PINS, twin.factory, edges.put)
    buttons.start()
    twin.press("OK")
    assert [edges.get(timeout=PATIENCE).closed for _ in range(2)] == [True, False]
    buttons.close()
    assert not buttons.alive
    assert not [thread for thread in threading.enumerate() if thread.name == "keypad"]
