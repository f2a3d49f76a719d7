"""The numpad's real driver over an emulated USB keypad: real event bytes, answers to real ioctls."""

from __future__ import annotations

import errno
import fcntl
import os
import queue
import random
import re
import string
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.key_bench import KeyBench
from support.patience import PATIENCE

from cribpi.companion.devices import numpad
from cribpi.companion.devices.keys import STUCK
from cribpi.companion.devices.numpad import (
    EVIOCGBIT_KEY,
    EVIOCGKEY,
    EVIOCGNAME,
    SEARCH_INTERVAL,
    LinuxInputs,
    Numpad,
)
from cribpi.companion.devices.twin.twin import Twin
from cribpi.companion.devices.twin.usb import REPEATED, UsbPad
from cribpi.companion.entry.debounce import Edge, holds_of
from cribpi.companion.kit import UsbKeys
from cribpi.companion.kit.codes import KEY_CODES
from cribpi.companion.kit.reader import load_kit

HEADER = Path("/usr/include/linux/input-event-codes.h")
KEYS = load_kit("numpad").keypad
assert isinstance(KEYS, UsbKeys)
CODES = KEYS.by_code
NUMPAD_HOLDS = holds_of(KEYS.holds)
BY_NAME = {key: code for code, key in CODES.items()}


class Bench(KeyBench):
    """A numpad on a twin whose time passes only when the bench says so."""

    def __init__(self, name: str | None = None, called: str = "Cheap USB Keypad", *others: UsbPad) -> None:
        super().__init__()
        self.twin = Twin(1, pause=self.passes)
        for other in others:
            self.twin.ports.plug(other)
        self.twin.plug_in_pad(BY_NAME, called)
        self.said: list[str | None] = []
        self.driver = self.numpad = Numpad(
            CODES,
            self.edges.append,
            name=name,
            inputs=self.twin.ports,
            report=lambda _name, sentence: self.said.append(sentence),
            clock=lambda: self.now,
        )

    @property
    def pad(self) -> UsbPad:
        assert self.twin.pad is not None
        return self.twin.pad


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.numpad.close()


# --- the kernel's border ---


def test_the_numbers_of_the_ioctls_are_the_kernels() -> None:
    """As <linux/input.h> works out on a 64-bit machine, whose number does not depend on the processor."""
    assert (EVIOCGBIT_KEY, EVIOCGKEY, EVIOCGNAME) == (0x80604521, 0x80604518, 0x81004506)
    assert numpad.EVIOCGRAB == 0x40044590
    assert numpad.EVENT.size == 8 + 8 + 2 + 2 + 4


@pytest.mark.skipif(not HEADER.exists(), reason="the kernel's headers are not installed here")
def test_the_codes_of_the_kits_keys_are_the_kernels() -> None:
    said = dict(re.findall(r"^#define\s+(KEY_\w+)\s+(0x[0-9a-f]+|\d+)", HEADER.read_text(), re.MULTILINE))
    assert {name: int(said[name], 0) for name in KEY_CODES if name in said} == KEY_CODES


def test_the_real_inputs_pass_the_kernels_own_refusals_on(tmp_path: Path) -> None:
    inputs, file = LinuxInputs(), tmp_path / "event0"
    file.write_bytes(struct.pack("@llHHi", 1, 2, 1, 79, 1))
    device = inputs.open(str(file))
    assert [event[2:] for event in numpad.EVENT.iter_unpack(inputs.read(device, 240))] == [(1, 79, 1)]
    for number, refused_by in (
        (EVIOCGNAME, lambda: inputs.ask(device, EVIOCGNAME, 256)),
        (numpad.EVIOCGRAB, lambda: inputs.grab(device)),
    ):
        with pytest.raises(OSError, match=r"\w") as kernels:
            fcntl.ioctl(device, number, 1 if number == numpad.EVIOCGRAB else bytearray(256))
        with pytest.raises(OSError, match=r"\w") as ours:
            refused_by()
        assert ours.value.errno == kernels.value.errno
        assert ours.value.errno in {
            errno.ENOTTY,
            errno.ENOSYS,
        }  # the second: an emulator that knows no such number
    inputs.close(device)
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(device)


def test_a_machine_without_input_devices_has_none() -> None:
    assert all(path.startswith("/dev/input/event") for path in LinuxInputs().paths())


# --- keys ---


@pytest.mark.parametrize("key", BY_NAME)
def test_each_key_gives_its_own_two_edges(bench: Bench, key: str) -> None:
    bench.twin.press(key)
    assert [(edge.button, edge.closed) for edge in bench.edges] == [(key, True), (key, False)]


def test_the_whole_pad_is_that_of_the_page_on_keys() -> None:
    caps = {
        "KEY_KP1": "A",
        "KEY_KP2": "2",
        "KEY_KP9": "9",
        "KEY_KP0": "10",
        "KEY_KPSLASH": "J",
        "KEY_KPASTERISK": "Q",
        "KEY_KPMINUS": "K",
        "KEY_KPPLUS": "GO",
        "KEY_KPENTER": "OK",
        "KEY_KPDOT": "FLNB",
        "KEY_NUMLOCK": "UNDO",
    }
    assert {name: CODES[KEY_CODES[name]] for name in caps} == caps


def test_a_key_that_is_held_is_pressed_once_however_often_the_kernel_repeats_it(bench: Bench) -> None:
    bench.twin.close_key("7")
    for _ in range(30):
        bench.twin.ports.move(bench.pad, BY_NAME["7"], REPEATED)
        bench.passes(0.033)
    assert [edge.closed for edge in bench.edges] == [True], "it is still held"
    bench.twin.open_key("7")
    bench.passes(0.1)
    assert [edge.closed for edge in bench.edges] == [True, False]


def test_a_key_that_the_kit_does_not_have_is_passed_over(bench: Bench) -> None:
    bench.twin.ports.move(bench.pad, KEY_CODES["KEY_BACKSPACE"], 1)
    bench.twin.press("8")
    assert bench.typed() == ["8"]


def test_nothing_is_polled_while_the_pad_is_there(bench: Bench) -> None:
    assert bench.numpad.service(0.0) is None
    bench.twin.close_key("OK")
    assert bench.numpad.service(1.0) == STUCK
    bench.twin.open_key("OK")
    assert bench.numpad.service(2.0) is None
    assert bench.twin.ports.opened == 1


def test_the_pad_is_ours_alone(bench: Bench) -> None:
    (path,) = bench.twin.ports.paths()
    other = bench.twin.ports.open(path)
    bench.twin.press("7")
    with pytest.raises(BlockingIOError):
        bench.twin.ports.read(other, 240)
    with pytest.raises(OSError, match="busy"):
        bench.twin.ports.grab(other)
    assert bench.typed() == ["7"]
    bench.twin.ports.close(other)


def test_fifty_bounces_are_one_press(bench: Bench) -> None:
    bench.twin.bounce("8", times=50)
    bench.passes(0.1)
    bench.twin.bounce("8", times=50, closes=False)
    bench.passes(0.1)
    assert bench.typed() == ["8"]


def test_a_stuck_key_is_said_once_ignored_and_healed(bench: Bench) -> None:
    bench.twin.stick("Q")
    bench.twin.press("Q")
    bench.passes(STUCK + 5)
    assert bench.said == ["keypad: Q held for more than 10 seconds; free the key or check its wiring"]
    bench.twin.press("7")
    assert bench.typed() == ["Q", "7"], "the other keys go on"
    bench.twin.unstick("Q")
    bench.passes(0.1)
    assert bench.said[1:] == [None]


def test_a_key_held_at_the_start_is_not_pressed_until_it_was_let_go() -> None:
    """Enter, which has just started the program in a shell, is not OK as well."""
    twin, edges = Twin(1), list[Edge]()
    twin.plug_in_pad(BY_NAME)
    twin.close_key("OK")
    numpad = Numpad(CODES, edges.append, inputs=twin.ports)
    numpad.service(1.0)
    twin.open_key("OK")
    numpad.service(2.0)
    assert edges == []
    twin.close_key("OK")
    numpad.service(3.0)
    assert edges == [Edge("OK", closed=True, at=3.0)]
    numpad.close()


# --- events that nobody fetched in time ---


def test_after_lost_events_what_is_held_is_asked_for(bench: Bench) -> None:
    bench.twin.close_key("7")
    bench.passes(0.1)
    bench.twin.ports.overrun(bench.pad)
    bench.twin.open_key("7")
    bench.twin.close_key("8")
    bench.twin.ports.catch_up(bench.pad)
    bench.passes(0.1)
    assert set(bench.numpad._held) == {"8"}
    assert [(edge.button, edge.closed) for edge in bench.edges] == [("7", True), ("7", False), ("8", True)]


def test_what_comes_between_the_loss_and_the_next_report_is_of_no_worth(bench: Bench) -> None:
    pad, ports = bench.pad, bench.twin.ports
    ports.overrun(pad)
    ports._overrun.clear()
    events = [(0, 3, 0), (1, BY_NAME["9"], 1), (0, 0, 0)]
    ports._write(pad, b"".join(numpad.EVENT.pack(0, 0, *event) for event in events))
    bench.passes(0.1)
    assert bench.edges == [], "9 is not held: the kernel, when asked, says so"


@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from(sorted(BY_NAME)), st.booleans()),
            st.sampled_from(["overrun", "catch_up", "serve", "unplug"]),
        ),
        max_size=40,
    )
)
def test_what_is_held_is_known_after_any_moves_and_losses(moves: list[tuple[str, bool] | str]) -> None:
    bench = Bench()
    for move in moves:
        match move:
            case (str() as key, bool() as closed):
                (bench.twin.close_key if closed else bench.twin.open_key)(key)
            case "serve":
                bench.passes(0.01)
            case "unplug":
                bench.twin.unplug()
                bench.passes(0.01)
                bench.twin.plug()
                bench.passes(2 * SEARCH_INTERVAL)
            case "overrun":
                bench.twin.ports.overrun(bench.pad)
            case _:
                bench.twin.ports.catch_up(bench.pad)
    bench.twin.ports.catch_up(bench.pad)
    bench.passes(0.02)
    assert set(bench.numpad._held) == {key for key, code in BY_NAME.items() if code in bench.pad.held}
    last = dict[str, bool]()
    for edge in bench.edges:
        assert last.get(edge.button, False) != edge.closed, "a key is never closed or opened twice running"
        last[edge.button] = edge.closed
    assert {key for key, closed in last.items() if closed} == set(bench.numpad._held) - bench.numpad._ignored
    bench.numpad.close()


# --- plugging ---


def test_a_pad_that_is_unplugged_is_said_and_found_again_within_two_seconds(bench: Bench) -> None:
    bench.twin.close_key("7")
    bench.passes(0.1)
    bench.twin.unplug()
    assert 0 < (bench.numpad.service(bench.now) or 0) < 2, "so soon it is looked for again"
    assert bench.said == ["keypad: it has been unplugged; plug it in again"]
    assert not bench.edges[-1].closed, "what was held counts as let go"
    bench.twin.open_key("7")
    bench.passes(600)
    assert len(bench.said) == 1, "it is said once, however long it takes"
    bench.twin.plug()
    bench.passes(1.9)
    assert [sentence is None for sentence in bench.said] == [False, True]
    bench.twin.press("8")
    assert bench.typed()[-1] == "8"


def test_a_pad_can_come_and_go_for_a_whole_evening(bench: Bench) -> None:
    files = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(100):
        bench.twin.unplug()
        bench.passes(SEARCH_INTERVAL)
        bench.twin.plug()
        bench.passes(2 * SEARCH_INTERVAL)
        bench.twin.press("5")
    assert bench.typed() == ["5"] * 100
    assert len(list(Path("/proc/self/fd").iterdir())) == files, "no file is left open"


def test_a_pad_that_comes_later_is_found() -> None:
    twin, edges, said = Twin(1), list[Edge](), list[str | None]()
    numpad = Numpad(
        CODES, edges.append, inputs=twin.ports, report=lambda _name, sentence: said.append(sentence)
    )
    assert numpad.service(0.0) == SEARCH_INTERVAL
    twin.plug_in_pad(BY_NAME)
    assert numpad.service(1.0) is None
    twin.close_key("GO")
    numpad.service(2.0)
    assert edges == [Edge("GO", closed=True, at=2.0)]
    assert [sentence is None for sentence in said] == [False, True]
    numpad.close()


def test_of_a_keyboard_and_a_numpad_the_numpad_is_taken_whichever_came_first() -> None:
    for order in (1, -1):
        twin = Twin(1)
        pads = [UsbPad("Big keyboard", KEY_CODES.values()), UsbPad("Pad", CODES), UsbPad("Mouse", [272, 273])]
        for pad in pads[::order]:
            twin.ports.plug(pad)
        numpad = Numpad(CODES, print, inputs=twin.ports)
        assert [twin.ports._pads[path].name for path in twin.ports.grabbed] == ["Pad"]
        numpad.close()


def big_keyboard() -> UsbPad:
    return UsbPad("Big Keyboard", KEY_CODES.values())


def taken(twin: Twin) -> list[str]:
    return [twin.ports._pads[path].name for path in twin.ports.grabbed]


def test_a_keyboard_never_stands_in_for_a_pad_that_is_unplugged() -> None:
    keyboard = big_keyboard()
    bench = Bench(None, "Cheap USB Keypad", keyboard)
    assert taken(bench.twin) == ["Cheap USB Keypad"]
    bench.twin.unplug()
    bench.passes(60)
    assert taken(bench.twin) == []
    assert bench.said == ["keypad: it has been unplugged; plug it in again"]
    bench.twin.plug()
    bench.passes(1.9)
    assert taken(bench.twin) == ["Cheap USB Keypad"]
    assert bench.said[1:] == [None]
    bench.twin.ports.move(keyboard, BY_NAME["7"], 1)
    bench.twin.press("8")
    assert bench.typed() == ["8"]
    bench.numpad.close()


def test_a_keyboard_alone_is_left_to_others_until_a_pad_comes() -> None:
    twin, said = Twin(1), list[str | None]()
    twin.ports.plug(big_keyboard())
    numpad = Numpad(CODES, print, inputs=twin.ports, report=lambda _name, sentence: said.append(sentence))
    assert numpad.service(0.0) == SEARCH_INTERVAL
    assert taken(twin) == []
    assert said == ["keypad: found only a keyboard, Big Keyboard; plug the keypad in, or name it in the kit"]
    twin.plug_in_pad(BY_NAME, "Pad")
    assert numpad.service(1.0) is None
    assert taken(twin) == ["Pad"]
    assert said[1:] == [None]
    numpad.close()


def test_a_kit_that_has_letters_takes_a_keyboard() -> None:
    twin = Twin(1)
    twin.ports.plug(big_keyboard())
    numpad = Numpad(CODES | {KEY_CODES["KEY_Q"]: "Q"}, print, inputs=twin.ports)
    assert taken(twin) == ["Big Keyboard"]
    numpad.close()


def test_the_letters_of_a_keyboard_are_those_from_a_to_z() -> None:
    assert {KEY_CODES[f"KEY_{letter}"] for letter in string.ascii_uppercase} == numpad.LETTERS


def test_a_key_that_is_held_when_the_plug_is_pulled_does_not_act(bench: Bench) -> None:
    """Enter acts when it is let go, and pulling the plug is not that."""
    bench.twin.close_key("OK")
    bench.passes(0.5)
    bench.twin.unplug()
    bench.passes(0.5)
    assert bench.edges[-1] == Edge("OK", closed=False, at=0.5, lost=True)
    assert bench.typed(NUMPAD_HOLDS) == []
    bench.twin.open_key("OK")
    bench.twin.plug()
    bench.passes(2 * SEARCH_INTERVAL)
    bench.twin.press("OK")
    assert bench.typed(NUMPAD_HOLDS) == ["OK"]


def test_a_key_that_is_held_at_the_end_does_not_act(bench: Bench) -> None:
    bench.twin.close_key("OK")
    bench.passes(0.5)
    bench.numpad.close()
    assert not bench.edges[-1].closed
    assert bench.typed(NUMPAD_HOLDS) == []


def test_a_name_chooses_among_several_in_any_case() -> None:
    bench = Bench(name="KEYboard")
    assert bench.numpad.service(0.0) == SEARCH_INTERVAL
    assert bench.said == [
        "keypad: none found called KEYboard; plug it in, or look up its name in /proc/bus/input/devices"
    ]
    bench.twin.ports.plug(UsbPad("Big Keyboard", KEY_CODES.values()))
    bench.numpad.service(1.0)
    assert bench.said[-1] is None
    bench.numpad.close()


def test_a_pad_that_another_program_has_taken_is_said_and_taken_when_it_is_free() -> None:
    bench = Bench()
    bench.numpad.close()
    (path,) = bench.twin.ports.paths()
    other = bench.twin.ports.open(path)
    bench.twin.ports.grab(other)
    said = list[str | None]()
    numpad = Numpad(
        CODES, print, inputs=bench.twin.ports, report=lambda _name, sentence: said.append(sentence)
    )
    assert numpad.service(0.0) == SEARCH_INTERVAL
    assert said == [f"keypad: another program is using {path}; stop that program"]
    bench.twin.ports.close(other)
    assert numpad.service(1.0) is None
    assert said[1:] == [None]
    numpad.close()


def test_a_device_that_may_not_be_opened_is_said_with_the_group() -> None:
    class Forbidden(LinuxInputs):
        def paths(self) -> list[str]:
            return ["/dev/input/event0"]

        def open(self, path: str) -> int:
            raise PermissionError(errno.EACCES, "Permission denied", path)

    said = list[str | None]()
    numpad = Numpad(CODES, print, inputs=Forbidden(), report=lambda _name, sentence: said.append(sentence))
    numpad.service(0.0)
    assert said == ["keypad: no permission to read /dev/input; add this user to the input group"]
    numpad.close()


def test_a_read_that_fails_closes_the_pad_and_opens_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()

    def fail(_device: int, _size: int) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(bench.twin.ports, "read", fail)
        assert bench.numpad.service(0.0) == SEARCH_INTERVAL
    assert bench.said == ["keypad: it cannot be read (Input/output error); unplug it and plug it in again"]
    assert bench.numpad.service(1.0) is None
    bench.twin.press("4")
    assert bench.typed() == ["4"]
    bench.numpad.close()


# --- its thread ---


@pytest.fixture
def live() -> Iterator[tuple[Twin, Numpad, queue.Queue[Edge]]]:
    twin, edges = Twin(1), queue.Queue[Edge]()
    twin.plug_in_pad(BY_NAME)
    numpad = Numpad(CODES, edges.put, inputs=twin.ports)
    numpad.start()
    yield twin, numpad, edges
    numpad.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "keypad"]


Live = tuple[Twin, Numpad, "queue.Queue[Edge]"]


def test_its_thread_sees_presses_and_survives_the_plug(live: Live) -> None:
    twin, numpad, edges = live
    twin.close_key("OK")
    assert edges.get(timeout=PATIENCE) == Edge("OK", closed=True, at=numpad._changed)
    twin.unplug()
    assert not edges.get(timeout=PATIENCE).closed
    twin.open_key("OK")
    twin.plug()
    plugged = time.monotonic()
    (path,) = twin.ports.paths()
    while path not in twin.ports.grabbed:
        assert time.monotonic() < plugged + 5
        time.sleep(0.01)
    twin.close_key("8")
    assert edges.get(timeout=PATIENCE).button == "8"
    assert numpad.alive
    twin.open_key("8")


def test_presses_from_eight_threads_are_all_seen(live: Live) -> None:
    twin, _numpad, edges = live
    rounds, names = 50, sorted(BY_NAME)[:8]

    def press(key: str) -> None:
        chance = random.Random(key)
        for _ in range(rounds):
            twin.press(key, chance.random() / 1000)

    twin._pause = lambda _seconds: None
    hands = [threading.Thread(target=press, args=(key,)) for key in names]
    for hand in hands:
        hand.start()
    seen = [edges.get(timeout=PATIENCE) for _ in range(2 * rounds * len(names))]
    for hand in hands:
        hand.join()
    for key in names:
        assert [edge.closed for edge in seen if edge.button == key] == [True, False] * rounds
