"""The strip on a WLED controller: its packets, and what is said and done when the controller is gone."""

from __future__ import annotations

import errno
import os
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import chain, pairwise, product
from pathlib import Path
from typing import Self

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import server
from support.companions import page_of, press, running
from support.ddp import HERE, INFO, Controller, Display, answer, controller, forced, parsed, state
from support.patience import until
from support.samples import examples

from cribpi.companion.devices import mdns, strip_wled
from cribpi.companion.devices.strip_wled import WledStrip, address_of, ask, check_leds, open_wled, unreachable
from cribpi.companion.devices.supervisor import DeviceTrouble, Supervised
from cribpi.companion.devices.twin import wled
from cribpi.companion.devices.twin.wire import WireError
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run import bootstrap
from cribpi.companion.run.simulator import Rehearsal


class Sent:
    """A link that keeps the packets, or fails."""

    notice: None = None

    def __init__(self, fails: int = 0) -> None:
        self.packets = list[bytes]()
        self._fails = fails

    def send(self, packet: bytes) -> int:
        if self._fails:
            raise OSError(self._fails, os.strerror(self._fails))
        self.packets.append(packet)
        return len(packet)

    def close(self) -> None:
        self.packets.clear()


def frame(leds: int, shade: int = 0) -> bytes:
    return bytes((at * 7 + shade) % 256 for at in range(3 * leds))


def packets(*frames: bytes) -> list[bytes]:
    """Return the packets by which *frames* are sent."""
    link = Sent()
    strip = WledStrip(len(frames[0]) // 3, link, "oak")
    for rgb in frames:
        strip.show(rgb)
    return link.packets


@pytest.mark.parametrize(
    ("leds", "parts"), [(1, 1), (242, 1), (480, 1), (481, 2), (600, 2), (1000, 3), (2000, 5)]
)
def test_a_frame_is_split_as_the_protocol_says_and_pushed_with_its_last_packet(leds: int, parts: int) -> None:
    sent = packets(frame(leds))
    found = [parsed(packet) for packet in sent]
    assert len(found) == parts
    assert [packet.push for packet in found] == [False] * (parts - 1) + [True]
    assert found[0].offset == 0
    assert all(after.offset == before.offset + len(before.data) for before, after in pairwise(found))
    assert max(map(len, sent)) <= 1450, "more would not fit an Ethernet frame"
    assert b"".join(packet.data for packet in found) == frame(leds)
    for packet in found:
        assert (packet.version, packet.type, packet.bits, packet.id) == (1, 1, 8, 1)
        flags = packet.reserved, packet.timecode, packet.storage, packet.reply, packet.query, packet.custom
        assert not any(flags)


def test_sequence_numbers_go_from_1_to_15_and_begin_anew() -> None:
    found = [parsed(packet).sequence for packet in packets(*[frame(1000)] * 11)]
    assert found == [*range(1, 16), *range(1, 16), 1, 2, 3]


@pytest.mark.parametrize("size", [0, 3 * 599, 3 * 600 - 1, 3 * 601])
def test_a_frame_of_another_length_is_refused_and_nothing_sent(size: int) -> None:
    link = Sent()
    with pytest.raises(ValueError, match="a frame is 1800 bytes"):
        WledStrip(600, link, "oak").show(bytes(size))
    assert not link.packets


@examples(40)
@given(st.data())
def test_whatever_was_lost_or_late_the_next_whole_frame_is_shown_as_it_is(data: st.DataObject) -> None:
    sent = packets(*(frame(600, shade) for shade in range(4)))
    lost = data.draw(st.sets(st.integers(0, 5)))
    come = data.draw(st.permutations([packet for at, packet in enumerate(sent[:6]) if at not in lost]))
    display = Display(600)
    for packet in (*come, *sent[6:]):
        display.take(packet)
    assert display.shown == frame(600, 3)


@pytest.fixture
def wled_600() -> Iterator[Controller]:
    with controller(600) as found:
        yield found


def opened(found: Controller, leds: int = 600) -> WledStrip:
    return open_wled(leds, HERE, found.ports, every=(0.01, 0.01))


def test_a_frame_arrives_at_a_controller_which_is_asked_first(wled_600: Controller) -> None:
    with closing(opened(wled_600)) as strip:
        strip.show(frame(600))
        until(lambda: wled_600.display.shown == frame(600))
    assert wled_600.asked == b"GET /json/si HTTP/1.0"


def test_a_controller_with_more_leds_will_do(wled_600: Controller) -> None:
    with closing(opened(wled_600, 500)) as strip:
        strip.show(frame(500))
        until(lambda: wled_600.display.shown[:1500] == frame(500))


def test_a_controller_that_is_gone_is_named_once_and_shows_all_when_it_is_back(wled_600: Controller) -> None:
    told = list[str | None]()
    strip = Supervised(
        "strip", lambda: opened(wled_600), lambda _name, sentence: told.append(sentence), again_every=0.05
    )
    strip.start()
    try:
        strip.show(frame(600))
        until(lambda: wled_600.display.shown == frame(600))
        wled_600.unplug()
        until(lambda: told)
        strip.show(frame(600, 9))
        wled_600.display = Display(600)
        wled_600.plug()
        until(lambda: told[-1] is None)
        until(lambda: wled_600.display.shown == frame(600, 9))
    finally:
        strip.close()
    assert told == [f"strip: the WLED controller {HERE} does not answer; check its power and its Wi-Fi", None]


def test_a_controller_whose_packets_vanish_is_found_out_by_asking_it(wled_600: Controller) -> None:
    with closing(opened(wled_600)) as strip:
        strip.show(frame(600))
        wled_600.answer = answer("", "503 Busy")

        def is_gone() -> bool:
            try:
                strip.show(frame(600))
            except DeviceTrouble:
                return True
            return False

        until(is_gone)


def test_one_answer_that_is_missing_is_none_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([None, DeviceTrouble("lost"), None, DeviceTrouble("lost"), None])
    asked = 0

    oak = strip_wled.ControllerInfo("Oak", 1)

    def say(*_: object, **__: object) -> strip_wled.ControllerInfo:
        nonlocal asked
        said = next(answers, None)
        asked += 1
        if said is not None:
            raise said
        return oak

    monkeypatch.setattr(strip_wled, "ask", say)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind((HERE, 0))
        ports = ear.getsockname()[1], 1
        with closing(strip_wled.NetworkLink(HERE, HERE, ports, (0.001, 0.001), oak)) as link:
            until(lambda: asked > 8)
            link.send(b"still there")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (answer("{}"), "is not WLED"),
        (answer("[]"), "is not WLED"),
        (answer('{"state": {}, "info": {"name": "lamp", "leds": 7}}'), "is not WLED"),
        (answer('{"state": {}, "info": {"name": "lamp", "leds": {"count": "many"}}}'), "is not WLED"),
        (answer('{"state": {}, "info": {"name": "lamp", "leds": {"count": true}}}'), "is not WLED"),
        (answer('{"state": {}, "info": {"name": "lamp", "leds": {"count": -1}}}'), "is not WLED"),
        (answer(INFO % 600, "404 Not Found"), "is not WLED"),
        (answer("[" * 20_000), "is not WLED"),
        (
            answer(f'{{"state": {{}}, "info": {{"name": "{"x" * 100_000}", "leds": {{"count": 600}}}}}}'),
            "is not WLED",
        ),
        (b"\xff\xfe", "is not WLED"),
        (b"", "is not WLED"),
        (answer(INFO % 30), "is set to 30 LEDs, and the kit has 600; set 600 in WLED"),
    ],
    ids=[
        *("empty", "list", "leds-number", "count-text", "count-bool", "count-negative", "status"),
        *("nested", "huge", "binary", "nothing", "too-few"),
    ],
)
def test_another_device_or_a_controller_not_set_up_is_refused_with_a_remedy(
    said: bytes, why: str, wled_600: Controller
) -> None:
    wled_600.answer = said
    with pytest.raises(DeviceTrouble, match=why):
        opened(wled_600)


def test_whoever_does_not_answer_in_time_is_given_up(wled_600: Controller) -> None:
    wled_600.answer = None
    with pytest.raises(DeviceTrouble, match="does not answer"):
        ask(HERE, HERE, port=wled_600.ports[1], seconds=0.05)


def test_whoever_answers_byte_by_byte_is_given_up_too(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    class Drip:
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None: ...

        def sendall(self, _: bytes) -> None: ...

        def settimeout(self, _: float) -> None: ...

        def recv(self, _: int) -> bytes:
            nonlocal now
            now += 1.0
            return b"."

    monkeypatch.setattr(socket, "create_connection", lambda *_: Drip())
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with pytest.raises(DeviceTrouble, match="does not answer"):
        ask("oak", HERE)
    assert now == strip_wled.PATIENCE


@pytest.mark.parametrize(
    "error", [socket.gaierror(-2, "Name or service not known"), UnicodeError("label too long")]
)
def test_a_name_that_nobody_has_is_said_with_a_way_out(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object) -> None:
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    by_mdns = {"elm.local": HERE}
    monkeypatch.setattr(mdns, "address_of", by_mdns.get)
    with pytest.raises(DeviceTrouble, match=r"no WLED controller is called oak\.local here; .* strip\.host"):
        open_wled(600, "oak.local")
    assert address_of("elm.local") == HERE, "the system need not know mDNS"


def test_an_address_needs_no_name() -> None:
    assert address_of("127.0.0.1") == "127.0.0.1"


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        (errno.ECONNREFUSED, "check its power and its Wi-Fi"),
        (errno.EHOSTUNREACH, "check its power and its Wi-Fi"),
        (errno.ENETUNREACH, "has no network connection to oak; connect it"),
        (errno.EPERM, "no access to oak; install cribpi again"),
    ],
)
def test_what_the_network_refuses_is_a_sentence_with_a_remedy(code: int, remedy: str) -> None:
    with pytest.raises(DeviceTrouble, match=remedy):
        WledStrip(1, Sent(code), "oak").show(bytes(3))
    assert remedy in unreachable("oak", OSError(code, ""))


@pytest.mark.parametrize("model", [None, "Raspberry Pi 5 Model B Rev 1.0"])
def test_which_chips_are_real(model: str | None) -> None:
    for name, is_sim in product(("table", "wled"), (False, True)):
        chips = bootstrap.chips_of(load_kit(name), is_pi=model is not None and not is_sim, is_sim=is_sim)
        assert (chips.twin is None) == (model is not None and not is_sim)
        assert chips.has_real_strip == (model is None and name == "wled" and not is_sim)


def test_on_any_computer_the_lights_are_real_and_a_game_goes_on_without_their_controller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with controller(242) as oak:
        monkeypatch.setattr(bootstrap, "pi_model", lambda: None)
        monkeypatch.setattr(
            bootstrap, "open_wled", lambda leds, _host: open_wled(leds, HERE, oak.ports, (0.05, 0.05))
        )
        with (
            running(tmp_path, kit="wled", is_sim=False, still=True) as parts,
            page_of(parts.companion) as page,
        ):

            def shows_all() -> bool:
                frame: bytes = parts.loop._outputs.frame.data  # type: ignore[attr-defined]
                _, colours = server.ask(f"{page.url}api/strip")
                return oak.display.shown == frame == bytes(chain.from_iterable(colours)) != bytes(3 * 242)

            told = list[str]()
            monkeypatch.setattr(parts.companion, "tell", told.append)
            for key in "OK OK P1 5".split():
                press(parts, key)
            until(shows_all)
            assert {"strip", "oled"} <= set(told), "the page is told of both"
            oak.unplug()
            until(lambda: list(parts.loop.troubles) == ["strip"])
            for key in "8 7 7 6".split():
                assert press(parts, key)["last"] is not None
            oak.display = Display(242)
            oak.plug()
            until(lambda: parts.loop.troubles == {})
            until(shows_all)


def test_the_twin_shows_on_a_controller_what_it_shows_on_a_wire() -> None:
    boards = []
    for name in ("wled", "numpad"):
        bench = Rehearsal(load_kit(name), 1)
        for key in "OK OK P1 5 8 7 7 6".split():
            bench.press(key)
        boards.append(bench.board().data)
        bench.close()
    assert any(boards[0])
    assert boards[0] == boards[1]


def test_a_controller_gets_a_still_board_again_before_it_shows_its_own_effects() -> None:
    bench = Rehearsal(load_kit("wled"), 1)
    for key in "OK OK P1 5".split():
        bench.press(key)
    shown = bench.board().data
    bench.twin.wire.lose_power()
    bench.twin._pause(1)
    assert bench.board().data == shown
    bench.close()


def test_the_twins_controller_shows_nothing_before_a_push_and_refuses_what_is_no_frame() -> None:
    shown = list[bytes]()
    first, last = packets(frame(600))
    twin = wled.Controller(600, shown.append)
    twin.send(first)
    assert not shown
    twin.send(last)
    assert shown == [frame(600)]
    small = wled.Controller(599, shown.append)
    for bad in (
        last[:-1],
        bytes((0x00,)) + last[1:],
        last[:1] + bytes((0,)) + last[2:],
        last[:2] + b"\x1b" + last[3:],
    ):
        with pytest.raises(WireError, match="not a packet of RGB"):
            twin.send(bad)
    with pytest.raises(WireError, match="past the last LED"):
        small.send(last)


# What WLED does to a stream, in five public reports: wled/WLED #1884 and #143 (brightness is a multiplier of
# everything, and Force max brightness the remedy), #1768 (off stays dark), #4553 (an override holds with
# either), hyperion-project/hyperion.ng #1101 (10 of 255 after a start, and nobody says so).
OVERRIDDEN = "shows its own light instead; on WLED's page, end the override of live data"
FORCE = "in WLED; under Config, Sync Interfaces, turn on Force max brightness"


@pytest.mark.parametrize(
    ("changed", "is_forced", "says"),
    [
        ({}, False, None),
        ({"bri": 128}, False, f"is dimmed to 50 % {FORCE}"),
        ({"bri": 10}, False, f"is dimmed to 4 % {FORCE}"),
        ({"on": False, "bri": 128}, False, f"is switched off {FORCE}"),
        ({"bri": 128}, True, None),
        ({"on": False, "bri": 128}, True, None),
        ({"lor": 1}, False, OVERRIDDEN),
        ({"lor": 2, "bri": 128}, True, OVERRIDDEN),
    ],
)
def test_what_wled_does_to_the_lights_is_said_with_what_to_do(
    wled_600: Controller, changed: dict[str, object], *, is_forced: bool, says: str | None
) -> None:
    wled_600.answer, wled_600.config = state(600, **changed), forced(is_forced=is_forced)
    with closing(opened(wled_600)) as strip:
        assert strip.notice == (says and f"strip: {HERE} {says}")
        strip.show(frame(600))
        until(lambda: wled_600.display.shown == frame(600))


def test_what_changes_during_a_game_is_said_once_and_withdrawn_and_the_frames_go_on(
    wled_600: Controller,
) -> None:
    told = list[str | None]()
    strip = Supervised(
        "strip", lambda: opened(wled_600), lambda _name, sentence: told.append(sentence), again_every=0.02
    )
    strip.start()
    try:
        strip.show(frame(600))
        until(lambda: wled_600.display.shown == frame(600))
        assert told == []
        dim = f"strip: {HERE} is dimmed to 20 % {FORCE}"
        for said, expected in (
            (state(600, lor=1), f"strip: {HERE} {OVERRIDDEN}"),
            (state(600, bri=51), dim),
            (state(600), None),
        ):
            wled_600.answer = said
            until(lambda: len(told) == 1)
            assert told == [expected]
            told.clear()
        wled_600.answer = state(600, bri=51)
        until(lambda: len(told) == 1)
        wled_600.config = forced(is_forced=True)
        until(lambda: len(told) == 2)
        assert told[1] is None
        strip.show(frame(600, 3))
        until(lambda: wled_600.display.shown == frame(600, 3))
        assert len(told) == 2, "the strip was never closed"
    finally:
        strip.close()


def test_settings_that_wled_keeps_to_itself_are_taken_as_not_forced(wled_600: Controller) -> None:
    for config in (answer("", "401 Unauthorized"), answer("{}"), answer("[]"), answer("no JSON")):
        wled_600.answer, wled_600.config = state(600, bri=128), config
        with closing(opened(wled_600)) as strip:
            assert strip.notice == f"strip: {HERE} is dimmed to 50 % {FORCE}"


def test_a_controller_with_enough_leds_is_well() -> None:
    check_leds(strip_wled.ControllerInfo("Cribbage", 242), "oak", 242)
    with pytest.raises(DeviceTrouble, match="set to 241 LEDs"):
        check_leds(strip_wled.ControllerInfo("Cribbage", 241), "oak", 242)
