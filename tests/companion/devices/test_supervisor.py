"""A device that fails, is tried again, and shows the latest thing when it comes back."""

from __future__ import annotations

import errno
import queue
import threading
from collections.abc import Iterator
from dataclasses import replace
from unittest.mock import Mock

import pytest
from PIL import Image
from support.patience import PATIENCE

from cribpi.companion.devices.keypad import MatrixKeys
from cribpi.companion.devices.numpad import Numpad
from cribpi.companion.devices.oled import Oled
from cribpi.companion.devices.strip import SpiStrip
from cribpi.companion.devices.strip_ws281x import StripDriver
from cribpi.companion.devices.supervisor import RETRIES, DeviceTrouble, Supervised
from cribpi.companion.devices.twin.panel import Bus, Panel
from cribpi.companion.devices.twin.twin import Twin
from cribpi.companion.devices.twin.wire import Wire
from cribpi.companion.entry.debounce import Edge
from cribpi.companion.run.bootstrap import SupervisedOutputs
from cribpi.companion.views.lights.frame import Frame

RED, BLUE = bytes((255, 0, 0)), bytes((0, 0, 255))


class Bench:
    """A strip of one LED, supervised without a thread, at times that the bench chooses."""

    def __init__(self) -> None:
        self.wire = Wire(1)
        self.opened = 0
        self.said: list[str | None] = []
        self.supervised = Supervised("strip", self.open, lambda _name, sentence: self.said.append(sentence))

    def open(self) -> SpiStrip:
        self.opened += 1
        if not self.wire.plugged:
            raise OSError(errno.ENODEV, "No such device")
        return SpiStrip(1, self.wire)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_it_shows_what_it_is_given_and_then_waits(bench: Bench) -> None:
    bench.supervised.show(RED)
    assert bench.supervised.service(0.0) is None
    assert bench.wire.colours == RED
    assert bench.said == []


def test_only_the_latest_is_shown(bench: Bench) -> None:
    bench.supervised.show(BLUE)
    bench.supervised.show(RED)
    bench.supervised.service(0.0)
    bench.supervised.service(0.1)
    assert bench.wire.colours == RED
    assert bench.wire.frames == 1
    assert bench.supervised.flush(0)


def test_a_frame_like_the_last_is_not_sent_again(bench: Bench) -> None:
    strip: Supervised[StripDriver] = Supervised("strip", bench.open, Mock())
    outputs = SupervisedOutputs(strip, Supervised("oled", Mock(), Mock()))
    for at in (0.0, 0.1):
        outputs.show_frame(Frame(bytes(list(RED))))
        strip.service(at)
    assert bench.wire.colours == RED
    assert bench.wire.frames == 1
    assert strip.flush(0)


def test_what_is_shown_is_sent_again_in_time_and_what_is_new_puts_that_off(bench: Bench) -> None:
    """A strip can't be asked whether it has lost its power."""
    supervised = replace(bench.supervised, again_every=2.0)
    assert supervised.service(0.0) is None, "there is nothing to send"
    supervised.show(RED)
    assert supervised.service(1.0) == 2.0
    bench.wire.lose_power()
    assert supervised.service(2.5) == 0.5, "woken for nothing, it sends nothing"
    assert bench.wire.colours == bytes(3)
    assert supervised.service(3.0) == 2.0
    assert bench.wire.colours == RED
    supervised.show(BLUE)
    assert supervised.service(4.0) == 2.0
    assert supervised.service(5.0) == 1.0
    assert (bench.wire.colours, bench.wire.frames) == (BLUE, 3)
    assert supervised.flush(0)


def test_a_strip_that_fails_at_being_sent_again_is_opened_anew_and_shows_it(bench: Bench) -> None:
    supervised = replace(bench.supervised, again_every=2.0)
    supervised.show(RED)
    supervised.service(0.0)
    bench.wire.plugged = False
    assert supervised.service(2.0) == RETRIES[0], "found out without anything new to show"
    bench.wire.plugged = True
    bench.wire.lose_power()
    assert supervised.service(2.0 + RETRIES[0]) == pytest.approx(2.0)
    assert bench.wire.colours == RED
    assert [sentence is None for sentence in bench.said] == [False, True]


def test_a_missing_device_is_said_once_and_tried_at_growing_pauses(bench: Bench) -> None:
    bench.wire.plugged = False
    pauses, at = list[float](), 0.0
    for _ in range(11):
        pause = bench.supervised.service(at)
        assert pause is not None
        assert bench.supervised.service(at + pause / 2) == pytest.approx(pause / 2), "not before its time"
        pauses.append(pause)
        at += pause
    assert pauses == [*RETRIES, 30, 30, 30]
    assert bench.opened == 11
    assert bench.said == [
        "strip: its bus is not there; run cribpi doctor, which shows how to enable it (error 19)"
    ]


def test_another_reason_is_said_too(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.wire.plugged = False
    bench.supervised.service(0.0)

    def refused() -> SpiStrip:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(bench.supervised, "open_device", refused)
    for at in (1.0, 3.0):
        bench.supervised.service(at)
    missing, not_allowed = bench.said
    assert missing is not None
    assert "its bus is not there" in missing
    assert not_allowed is not None
    assert "restart it" in not_allowed


def test_when_it_comes_back_it_shows_the_latest_and_says_that_it_is_well(bench: Bench) -> None:
    bench.supervised.show(RED)
    bench.supervised.service(0.0)
    bench.wire.plugged = False
    bench.supervised.show(BLUE)
    pause = bench.supervised.service(1.0)
    assert pause == RETRIES[0]
    assert not bench.supervised.flush(0)
    bench.supervised.show(RED)
    bench.wire.plugged = True
    bench.wire.colours = bytes(3)
    assert bench.supervised.service(1.0 + pause) is None
    assert bench.wire.colours == RED, "sent again, although it had been shown before the failure"
    assert len(bench.said) == 2
    assert bench.said[-1] is None


def test_after_it_was_well_the_pauses_begin_again(bench: Bench) -> None:
    bench.wire.plugged = False
    bench.supervised.service(0.0)
    bench.supervised.service(10.0)
    bench.wire.plugged = True
    bench.supervised.service(20.0)
    bench.wire.plugged = False
    bench.supervised.show(RED)
    assert bench.supervised.service(30.0) == RETRIES[0]
    assert [sentence is None for sentence in bench.said] == [False, True, False]


def test_the_contrast_is_set_with_the_picture_and_again_after_a_reopening() -> None:
    panel = Panel()
    bus = Bus(0x3C, panel)
    supervised = Supervised("oled", lambda: Oled(bus), lambda _name, _sentence: None)
    supervised.show(Image.new("1", (128, 64), 1), 7)
    supervised.service(0.0)
    assert panel.contrast == 7
    panel.lose_power()
    bus.break_at(1)
    supervised.show(Image.new("1", (128, 64)), 7)
    assert supervised.service(1.0) is not None
    picture = Image.new("1", (128, 64))
    picture.putpixel((3, 4), 255)
    supervised.show(picture, 7)
    supervised.service(5.0)
    assert panel.contrast == 7
    assert panel.picture().tobytes() == picture.tobytes()


def test_a_check_that_is_due_heals_a_panel_that_lost_power() -> None:
    panel, said = Panel(), list[str | None]()
    bus = Bus(0x3C, panel)
    supervised = Supervised(
        "oled",
        lambda: Oled(bus),
        lambda _name, sentence: said.append(sentence),
        check=Oled.check,
        check_every=5,
    )
    picture = Image.new("1", (128, 64), 1)
    supervised.show(picture)
    assert supervised.service(0.0) == 5
    panel.lose_power()
    assert supervised.service(4.0) == 1
    assert not panel.on
    assert supervised.service(5.0) == 5
    assert panel.picture().tobytes() == picture.tobytes()
    assert said == []


def test_a_keypad_that_is_missing_or_has_died_is_opened_again() -> None:
    twin, said, edges = Twin(1), list[str | None](), queue.Queue[Edge]()
    twin.solder_matrix((12,), (13,), (("OK",),))
    opened = list[MatrixKeys]()

    def open_keypad() -> MatrixKeys:
        if not twin.wire.plugged:
            raise DeviceTrouble("keypad: no pins")
        opened.append(MatrixKeys((12,), (13,), (("OK",),), twin.factory, edges.put))
        opened[-1].start()
        return opened[-1]

    supervised = Supervised(
        "keypad",
        open_keypad,
        lambda _name, sentence: said.append(sentence),
        check=MatrixKeys.check,
        check_every=5,
    )
    twin.wire.plugged = False
    assert supervised.service(0.0) == RETRIES[0]
    twin.wire.plugged = True
    assert supervised.service(1.0) == 5
    opened[0].close()
    assert supervised.service(6.0) == RETRIES[0]
    assert supervised.service(7.0) == 5
    twin.close_key("OK")  # held until it is seen: the keypad's thread may begin late
    assert edges.get(timeout=PATIENCE).button == "OK"
    twin.open_key("OK")
    assert [sentence is None for sentence in said] == [False, True, False, True]
    supervised.close()


@pytest.mark.parametrize("error", [RuntimeError("odd"), ValueError("odd"), KeyError("odd")])
def test_no_error_of_a_device_gets_out(error: Exception) -> None:
    said = list[str | None]()

    def fail() -> SpiStrip:
        raise error

    supervised = Supervised("strip", fail, lambda _name, sentence: said.append(sentence))
    assert supervised.service(0.0) == RETRIES[0]
    assert said
    assert said[0] is not None
    assert said[0].startswith("strip: ")
    assert "odd" in said[0]


@pytest.fixture
def live() -> Iterator[tuple[Wire, Supervised[SpiStrip]]]:
    wire = Wire(1)
    supervised = Supervised("strip", lambda: SpiStrip(1, wire), lambda _name, _sentence: None)
    supervised.start()
    yield wire, supervised
    supervised.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("supervise ")]


def test_its_thread_shows_what_comes(live: tuple[Wire, Supervised[SpiStrip]]) -> None:
    wire, supervised = live
    for level in range(200):
        supervised.show(bytes((level, 0, 0)))
    assert supervised.flush(5)
    assert wire.colours == bytes((199, 0, 0))


def test_what_was_given_before_the_end_is_still_shown(live: tuple[Wire, Supervised[SpiStrip]]) -> None:
    wire, supervised = live
    supervised.show(BLUE)
    supervised.close()
    assert wire.colours == BLUE


def test_a_hanging_device_holds_nobody_up() -> None:
    entered, release = threading.Event(), threading.Event()

    class Hanging:
        def show(self, _thing: bytes, /) -> None:
            entered.set()
            release.wait(PATIENCE)

        def close(self) -> None:
            pass

    supervised = Supervised("strip", Hanging, lambda _name, _sentence: None)
    supervised.start()
    supervised.show(RED)
    assert entered.wait(PATIENCE)
    for _ in range(1000):
        supervised.show(BLUE)
    assert not supervised.flush(0)
    release.set()
    assert supervised.flush(5)
    supervised.close()


def test_an_end_that_comes_between_two_looks_is_not_slept_through() -> None:
    """The wake-up is cleared before it is looked whether this is the end; the other way round it is lost."""
    closed = threading.Event()

    class Device:
        def close(self) -> None:
            closed.set()

    supervised = Supervised("strip", Device, lambda _name, _sentence: None)
    hands = list[threading.Thread]()

    class Wake(threading.Event):
        """A wake-up before whose every clearing the end comes."""

        was_set = threading.Event()

        def set(self) -> None:
            super().set()
            self.was_set.set()

        def clear(self) -> None:
            if not hands:
                hands.append(threading.Thread(target=supervised.close))
                hands[0].start()
                self.was_set.wait(PATIENCE)
            super().clear()

    supervised._wake = Wake()
    supervised.start()
    assert closed.wait(PATIENCE), "it waits for a wake-up that it has cleared itself"
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

    supervised = Supervised("keypad", open_keys, report)
    assert supervised.service(0.0) == RETRIES[0]
    assert supervised.service(1.0) is None
    assert troubles == {"keypad": said[-1]}
    assert "none found with the kit's keys" in troubles["keypad"]
    assert supervised.device is not None
    twin.plug()
    supervised.device.service(2.0)
    assert troubles == {}
    supervised.close()


def test_keys_that_are_well_say_nothing_again() -> None:
    said = list[str | None]()
    twin = Twin(1)
    twin.plug_in_pad({"7": 71})
    numpad = Numpad({71: "7"}, print, inputs=twin.ports, report=lambda _name, sentence: said.append(sentence))
    numpad.service(0.0)
    numpad.report_again()
    assert said == []
    numpad.close()
