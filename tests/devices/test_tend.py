"""A device that fails, is tried again, and shows the latest thing when it comes back."""

from __future__ import annotations

import errno
import queue
import threading
from collections.abc import Iterator

import pytest
from PIL import Image

from cribpi.devices.keypad import Keypad
from cribpi.devices.numpad import Numpad
from cribpi.devices.oled import Oled
from cribpi.devices.strip_spi import SpiStrip
from cribpi.devices.tend import Tended
from cribpi.devices.trouble import RETRIES, DeviceTrouble
from cribpi.devices.twin.bus import Bus
from cribpi.devices.twin.panel import Panel
from cribpi.devices.twin.twin import Twin
from cribpi.devices.twin.wire import Wire
from cribpi.entry.debounce import Edge

RED, BLUE = bytes((255, 0, 0)), bytes((0, 0, 255))


class Bench:
    """A strip of one LED, tended without a thread, at times that the bench chooses."""

    def __init__(self) -> None:
        self.wire = Wire(1)
        self.opened = 0
        self.said: list[str | None] = []
        self.tended = Tended("strip", self.open, lambda _name, sentence: self.said.append(sentence))

    def open(self) -> SpiStrip:
        self.opened += 1
        if not self.wire.plugged:
            raise OSError(errno.ENODEV, "No such device")
        return SpiStrip(1, self.wire)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_it_shows_what_it_is_given_and_then_waits(bench: Bench) -> None:
    bench.tended.show(RED)
    assert bench.tended.service(0.0) is None
    assert bench.wire.colours == RED
    assert bench.said == []


def test_only_the_latest_is_shown_and_equal_ones_are_not_sent_again(bench: Bench) -> None:
    bench.tended.show(BLUE)
    bench.tended.show(RED)
    bench.tended.service(0.0)
    bench.tended.show(bytes(list(RED)))
    bench.tended.service(0.1)
    assert bench.wire.colours == RED
    assert bench.wire.frames == 1
    assert bench.tended.flush(0)


def test_a_missing_device_is_said_once_and_tried_at_growing_pauses(bench: Bench) -> None:
    bench.wire.plugged = False
    pauses, at = list[float](), 0.0
    for _ in range(11):
        pause = bench.tended.service(at)
        assert pause is not None
        assert bench.tended.service(at + pause / 2) == pytest.approx(pause / 2), "not before its time"
        pauses.append(pause)
        at += pause
    assert pauses == [*RETRIES, 30, 30, 30]
    assert bench.opened == 11
    assert bench.said == ["strip: its bus is not there; enable it with raspi-config, then restart (error 19)"]


def test_when_it_comes_back_it_shows_the_latest_and_says_that_it_is_well(bench: Bench) -> None:
    bench.tended.show(RED)
    bench.tended.service(0.0)
    bench.wire.plugged = False
    bench.tended.show(BLUE)
    pause = bench.tended.service(1.0)
    assert pause == RETRIES[0]
    assert not bench.tended.flush(0)
    bench.tended.show(RED)
    bench.wire.plugged = True
    bench.wire.colours = bytes(3)
    assert bench.tended.service(1.0 + pause) is None
    assert bench.wire.colours == RED, "sent again, although it had been shown before the failure"
    assert len(bench.said) == 2
    assert bench.said[-1] is None


def test_after_it_was_well_the_pauses_begin_again(bench: Bench) -> None:
    bench.wire.plugged = False
    bench.tended.service(0.0)
    bench.tended.service(10.0)
    bench.wire.plugged = True
    bench.tended.service(20.0)
    bench.wire.plugged = False
    bench.tended.show(RED)
    assert bench.tended.service(30.0) == RETRIES[0]
    assert [sentence is None for sentence in bench.said] == [False, True, False]


def test_a_setting_is_made_before_the_picture_and_again_after_a_reopening() -> None:
    panel = Panel()
    bus = Bus({0x3C: panel})
    tended = Tended("oled", lambda: Oled(bus), lambda _name, _sentence: None)
    tended.adjust(lambda oled: oled.contrast(7))
    tended.show(Image.new("1", (128, 64), 1))
    tended.service(0.0)
    assert panel.contrast == 7
    panel.lose_power()
    bus.break_at(1)
    tended.show(Image.new("1", (128, 64)))
    assert tended.service(1.0) is not None
    picture = Image.new("1", (128, 64))
    picture.putpixel((3, 4), 255)
    tended.show(picture)
    tended.service(5.0)
    assert panel.contrast == 7
    assert panel.picture().tobytes() == picture.tobytes()


def test_a_check_that_is_due_heals_a_panel_that_lost_power() -> None:
    panel, said = Panel(), list[str | None]()
    bus = Bus({0x3C: panel})
    tended = Tended(
        "oled",
        lambda: Oled(bus),
        lambda _name, sentence: said.append(sentence),
        check=Oled.check,
        check_every=5,
    )
    picture = Image.new("1", (128, 64), 1)
    tended.show(picture)
    assert tended.service(0.0) == 5
    panel.lose_power()
    assert tended.service(4.0) == 1
    assert not panel.on
    assert tended.service(5.0) == 5
    assert panel.picture().tobytes() == picture.tobytes()
    assert said == []


def test_a_keypad_that_is_missing_or_has_died_is_opened_again() -> None:
    twin, said, edges = Twin(1), list[str | None](), queue.Queue[Edge]()
    twin.solder_matrix((12,), (13,), (("OK",),))
    opened = list[Keypad]()

    def open_keypad() -> Keypad:
        if not twin.wire.plugged:
            raise DeviceTrouble("keypad: no pins")
        opened.append(Keypad((12,), (13,), (("OK",),), twin.factory, edges.put))
        opened[-1].start()
        return opened[-1]

    tended = Tended(
        "keypad",
        open_keypad,
        lambda _name, sentence: said.append(sentence),
        check=Keypad.check,
        check_every=5,
    )
    twin.wire.plugged = False
    assert tended.service(0.0) == RETRIES[0]
    twin.wire.plugged = True
    assert tended.service(1.0) == 5
    opened[0].close()
    assert tended.service(6.0) == RETRIES[0]
    assert tended.service(7.0) == 5
    twin.press("OK")
    assert edges.get(timeout=5).button == "OK"
    assert [sentence is None for sentence in said] == [False, True, False, True]
    tended.close()


@pytest.mark.parametrize("error", [RuntimeError("odd"), ValueError("odd"), KeyError("odd")])
def test_no_error_of_a_device_gets_out(error: Exception) -> None:
    said = list[str | None]()

    def fail() -> SpiStrip:
        raise error

    tended = Tended("strip", fail, lambda _name, sentence: said.append(sentence))
    assert tended.service(0.0) == RETRIES[0]
    assert said
    assert said[0] is not None
    assert said[0].startswith("strip: ")
    assert "odd" in said[0]


@pytest.fixture
def live() -> Iterator[tuple[Wire, Tended[SpiStrip]]]:
    wire = Wire(1)
    tended = Tended("strip", lambda: SpiStrip(1, wire), lambda _name, _sentence: None)
    tended.start()
    yield wire, tended
    tended.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("tend ")]


def test_its_thread_shows_what_comes(live: tuple[Wire, Tended[SpiStrip]]) -> None:
    wire, tended = live
    for level in range(200):
        tended.show(bytes((level, 0, 0)))
    assert tended.flush(5)
    assert wire.colours == bytes((199, 0, 0))


def test_what_was_given_before_the_end_is_still_shown(live: tuple[Wire, Tended[SpiStrip]]) -> None:
    wire, tended = live
    tended.show(BLUE)
    tended.close()
    assert wire.colours == BLUE


def test_a_hanging_device_holds_nobody_up() -> None:
    entered, release = threading.Event(), threading.Event()

    class Hanging:
        def show(self, _thing: bytes, /) -> None:
            entered.set()
            release.wait(10)

        def close(self) -> None:
            pass

    tended = Tended("strip", Hanging, lambda _name, _sentence: None)
    tended.start()
    tended.show(RED)
    assert entered.wait(5)
    for _ in range(1000):
        tended.show(BLUE)
    assert not tended.flush(0)
    release.set()
    assert tended.flush(5)
    tended.close()


def test_an_end_that_comes_between_two_looks_is_not_slept_through() -> None:
    """The wake-up is cleared before it is looked whether this is the end; the other way round it is lost."""
    closed = threading.Event()

    class Device:
        def close(self) -> None:
            closed.set()

    tended = Tended("strip", Device, lambda _name, _sentence: None)
    hands = list[threading.Thread]()

    class Wake(threading.Event):
        """A wake-up before whose every clearing the end comes."""

        was_set = threading.Event()

        def set(self) -> None:
            super().set()
            self.was_set.set()

        def clear(self) -> None:
            if not hands:
                hands.append(threading.Thread(target=tended.close))
                hands[0].start()
                self.was_set.wait(5)
            super().clear()

    tended._wake = Wake()
    tended.start()
    assert closed.wait(1), "it waits for a wake-up that it has cleared itself"
    hands[0].join()


def test_what_the_keys_say_of_themselves_outlives_what_was_said_of_their_opening() -> None:
    twin, said, troubles = Twin(1), list[str | None](), dict[str, str]()
    twin.plug_in_pad({"7": 71})
    twin.unplug()

    def report(name: str, sentence: str | None) -> None:
        said.append(sentence)
        if sentence is None:
            troubles.pop(name)
        else:
            troubles[name] = sentence

    def open_keys() -> Numpad:
        if not said:
            raise DeviceTrouble("keypad: it could not be opened")
        numpad = Numpad({71: "7"}, print, inputs=twin.ports, report=report)
        numpad.service(0.0)  # as its thread may before the opening is known to be well
        return numpad

    tended = Tended("keypad", open_keys, report)
    assert tended.service(0.0) == RETRIES[0]
    assert tended.service(1.0) is None
    assert troubles == {"keypad": said[-1]}
    assert "none found with the kit's keys" in troubles["keypad"]
    assert tended.device is not None
    twin.plug()
    tended.device.service(2.0)
    assert troubles == {}
    tended.close()


def test_keys_that_are_well_say_nothing_again() -> None:
    said = list[str | None]()
    twin = Twin(1)
    twin.plug_in_pad({"7": 71})
    numpad = Numpad({71: "7"}, print, inputs=twin.ports, report=lambda _name, sentence: said.append(sentence))
    numpad.service(0.0)
    numpad.say_again()
    assert said == []
    numpad.close()
