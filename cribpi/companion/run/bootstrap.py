"""Assembly of the companion from its parts: kit, chips or twin, journal, table, loop, page."""

from __future__ import annotations

import logging
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from cribpi.companion import kit as kits
from cribpi.companion.devices import health, strip_process
from cribpi.companion.devices.board import open_pins, pi_model, shut_down_or_restart
from cribpi.companion.devices.health import Files
from cribpi.companion.devices.keypad import ButtonKeys, MatrixKeys, lgpio_lives
from cribpi.companion.devices.keys import Clock, Keys, Report, Sink
from cribpi.companion.devices.numpad import LinuxInputs, Numpad
from cribpi.companion.devices.oled import Oled, ResetLine, open_bus, packed
from cribpi.companion.devices.panels import hold_bus, show_first, show_on_bus
from cribpi.companion.devices.strip import SpiStrip, open_strip
from cribpi.companion.devices.strip_wled import WledStrip, open_wled
from cribpi.companion.devices.strip_ws281x import StripDriver
from cribpi.companion.devices.supervisor import DeviceTrouble, Supervised
from cribpi.companion.devices.twin.panel import Panel
from cribpi.companion.devices.twin.twin import Twin
from cribpi.companion.devices.twin.wled import Controller
from cribpi.companion.devices.voice import Voice
from cribpi.companion.entry.keys import TWENTY, Pad
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.phones import PhoneCommand
from cribpi.companion.entry.requests import PowerCommand, Press, SetClubPage, SetPairing
from cribpi.companion.entry.settings import ANY_MACHINE, Machine
from cribpi.companion.files import mounts
from cribpi.companion.history.fill import fill_in
from cribpi.companion.history.past_games import read_games
from cribpi.companion.history.reviews import Reviews
from cribpi.companion.journal.journal import Journal, JournalTrouble, StateFolder
from cribpi.companion.kit import Kit
from cribpi.companion.run.config import Config, config_file
from cribpi.companion.run.player_memory import remembered
from cribpi.companion.run.service import extend_start
from cribpi.companion.run.splash import panel_place
from cribpi.companion.run.voice_caller import Caller
from cribpi.companion.table.loop import Loop
from cribpi.companion.table.machine_seats import MachinePlayers, MachineSeats, new_player
from cribpi.companion.table.table import ShutdownResult, Table, no_pi
from cribpi.companion.views.dimming import BRIGHT
from cribpi.companion.views.lights.frame import MA_REST, Frame
from cribpi.companion.views.screen.screen import draw_not_started, draw_start
from cribpi.companion.web.client import BoardClient
from cribpi.companion.web.history import GameHistory, most_played
from cribpi.companion.web.json.state import AS_JSON
from cribpi.companion.web.phones.registry import PhoneFile, PhoneRegistry
from cribpi.companion.web.phones.seats import TablePhones
from cribpi.cribbage.game.cards import PACK

_LOG = logging.getLogger(__name__)

CHIPS_WAIT = 0.25
"""Maximum seconds to wait for pending output before reading what the chips show."""

AGAIN_EVERY = 2.0
"""Seconds between refreshes of an unchanged strip: its power may have come on only now."""

AGAIN_OVER_WIFI = 1.0
"""Seconds between refreshes of a WLED controller: it can miss a frame, and starts its own effects after
2.5 s without one."""

LARGEST_DRAW = 1 << 30

FORGETS = "switching off loses every game: state folder on {kind}; run cribpi doctor"
"""The message for a state folder on a volatile file system; short enough for the screen's four lines."""

LONG_START = 3.0
"""Seconds after which the log explains a slow start."""

HEARING = 1.0
"""Maximum seconds that an MQTT message waits for the table, so that messages don't queue up."""

PATIENCE, PATIENCE_ON_A_PI = 5.0, 60.0
"""Default thinking time of an opponent in seconds: a Zero 2 W is ten to fifteen times slower."""


@dataclass(frozen=True, slots=True)
class Chips:
    """The chips behind the drivers: a Pi's or the twin's."""

    open_oled: Callable[[], Oled]
    open_strip: Callable[[], StripDriver]
    open_pins: Callable[[], Any]
    open_bus: Callable[[], Any]
    inputs: LinuxInputs
    show_first: Callable[[bytes], None]
    """Shows a picture in the panel's format before its driver is open; raises OSError or DeviceTrouble."""
    hold_panel: Callable[[], Callable[[], object]] = lambda: lambda: None
    """Locks the panel against other starts and returns the function that unlocks it; raises OSError."""
    twin: Twin | None = None
    again_every: float = AGAIN_EVERY
    """Seconds between refreshes of an unchanged strip."""
    has_real_strip: bool = False
    """Whether the twin has a real strip, on a WLED controller."""


def again_every(strip: kits.Strip) -> float:
    """Return the seconds between refreshes of an unchanged *strip*."""
    return AGAIN_EVERY if strip.host is None else AGAIN_OVER_WIFI


def real_strip(strip: kits.Strip) -> StripDriver:
    """Open *strip* on this Pi's pin or on its WLED controller.

    Raises:
        DeviceTrouble: If it can't be opened.
    """
    if strip.driver == "wled" or strip.gpio is None:
        return open_wled(strip.leds, strip.host or "")
    return open_strip(strip.leds, driver=strip.driver, pin=strip.gpio)


def pi_chips(kit: Kit) -> Chips:
    """Return this Pi's chips, wired as in *kit*."""
    glass = kit.glass
    place = glass.address, glass.panel, glass.rotate, glass.offset
    line = ResetLine(open_pins, glass.reset)

    def show_early(picture: bytes) -> None:
        line.first()
        show_on_bus(picture, glass.bus, *place)

    return Chips(
        lambda: Oled(open_bus(glass.bus), *place, line.restart),
        partial(real_strip, kit.strip),
        open_pins,
        lambda: open_bus(glass.bus),
        LinuxInputs(),
        show_early,
        lambda: partial(os.close, hold_bus(glass.bus)),
        again_every=again_every(kit.strip),
    )


def twin_chips(kit: Kit, pause: Callable[[float], None] = time.sleep) -> Chips:
    """Return emulated chips for *kit*; *pause* waits while a key of the twin is pressed."""
    glass = kit.glass
    panel = Panel(
        glass.panel,
        is_upside_down=bool(glass.rotate),
        waits=glass.reset is not None,
        offset=glass.offset,
    )
    twin = Twin(kit.strip.leds, address=glass.address, panel=panel, pause=pause)
    line = ResetLine(lambda: twin.factory, glass.reset)
    if glass.reset is not None:
        twin.solder_reset(glass.reset)
    place = glass.address, glass.panel, glass.rotate, glass.offset

    def show_early(picture: bytes) -> None:
        line.first()
        show_first(partial(twin.bus.writeto, glass.address), picture, *place[1:])

    def twin_strip() -> StripDriver:
        strip = SpiStrip(kit.strip.leds, twin.wire)
        if kit.strip.host is None:
            return strip
        return WledStrip(kit.strip.leds, Controller(kit.strip.leds, strip.show), kit.strip.host)

    match kit.keypad:
        case kits.Keypad(rows, columns, keys):
            twin.solder_matrix(rows, columns, keys)
        case kits.Buttons(pins):
            twin.solder_buttons(dict(pins))
        case kits.UsbKeys() as usb:
            codes = {key: code for code, key in usb.by_code.items()}
            twin.plug_in_pad(codes, usb.name or "USB keypad of the twin")
    return Chips(
        lambda: Oled(twin.bus, *place, line.restart),
        twin_strip,
        lambda: twin.factory,
        lambda: twin.bus,
        twin.ports,
        show_early,
        twin=twin,
        again_every=again_every(kit.strip),
    )


def chips_of(kit: Kit, *, is_pi: bool, is_sim: bool) -> Chips:
    """Return this Pi's chips, or emulated ones; a WLED strip is real on any computer, unless *is_sim*."""
    if is_pi:
        return pi_chips(kit)
    chips = twin_chips(kit)
    if is_sim or kit.strip.host is None:
        return chips
    return replace(chips, open_strip=partial(real_strip, kit.strip), has_real_strip=True)


@dataclass(slots=True)
class SupervisedOutputs:
    """The strip and the screen, each with its supervisor."""

    strip: Supervised[StripDriver]
    oled: Supervised[Oled]
    picture: Image.Image = field(default_factory=lambda: Image.new("1", (128, 64)))
    frame: Frame = field(default_factory=lambda: Frame(b""))
    on_change: Callable[[str], None] = lambda _kind: None
    """Called with `strip` or `oled` after each new output."""

    def show_frame(self, frame: Frame, /) -> None:
        """Send *frame* to the strip if it has changed."""
        if frame != self.frame:
            self.frame = frame
            self.strip.show(frame.data)
            self.on_change("strip")

    def show_picture(self, picture: Image.Image, contrast: int, /, *, is_turned: bool = False) -> None:
        """Send *picture* to the screen with *contrast*, 0 to 255; upside down if *is_turned*."""
        self.picture = picture
        self.oled.show(picture.transpose(Image.Transpose.ROTATE_180) if is_turned else picture, contrast)
        self.on_change("oled")


def currents(kit: Kit) -> tuple[int, int]:
    """Return the current of *kit*'s dark LEDs and the kit's limit, in milliamperes."""
    return MA_REST * kit.strip.leds, kit.strip.max_ma


def show_start(chips: Chips, step: str, share: float | None = None) -> None:
    """Show the *step* of the start, and the *share* that is done, 0 to 1, if known.

    A missing panel is not reported here: its driver will report it.
    """
    picture = start_picture(step, share)
    with suppress(OSError, DeviceTrouble):
        if picture is not None:
            chips.show_first(packed(picture))


def start_picture(step: str, share: float | None = None) -> Image.Image | None:
    """Return the picture of a *step* of the start, or None if it can't be drawn."""
    try:
        return draw_start(step, share)
    except Exception:  # noqa: BLE001  a bug must not prevent the start
        _LOG.exception("the start screen can't be drawn")
        return None


def fill_in_first(journal: Journal, chips: Chips, is_ended: Callable[[], bool]) -> None:
    """Save the missing summaries of games in *journal*, with a progress bar; stop when *is_ended*.

    A Zero 2 W needs some seconds for a hundred games.  A game without a summary is replayed when needed.
    """
    long_from = time.monotonic() + LONG_START

    def goes_on(done: int, games: int) -> bool:
        nonlocal long_from
        show_start(chips, "adding up past games", done / games)
        extend_start(f"adding up past games, once: {done:,} of {games:,}")
        if time.monotonic() > long_from:
            _LOG.warning("adding up past games, once: %s of %s are done", f"{done:,}", f"{games:,}")
            long_from = float("inf")
        return not is_ended()

    with suppress(JournalTrouble):
        fill_in(journal, goes_on)


def show_refused(kit: str | None, why: str) -> None:
    """Show on this Pi's screen *why* the companion with *kit* has not started.  Never raises."""
    with suppress(Exception):  # The message is also printed on stderr.
        place = panel_place(("--kit", kit) if kit else (), os.environ)
        if place is not None:
            show_on_bus(packed(draw_not_started(why)), *place)


def new_outputs(chips: Chips, report: Callable[[str, str | None], None]) -> SupervisedOutputs:
    """Return the outputs of *chips*, not yet started; *report* is called with a device and its error."""
    return SupervisedOutputs(
        Supervised(
            "strip",
            chips.open_strip,
            report,
            again_every=chips.again_every,
            abandon=strip_process.abandon,
        ),
        Supervised("oled", chips.open_oled, report, check=Oled.check, check_every=10.0),
    )


def new_table(
    journal: Journal,
    setup: NextGame,
    chance: random.Random,
    *,
    is_pi: bool,
    asked: Sequence[str] = (),
    pad: Pad = TWENTY,
    machine: Machine = ANY_MACHINE,
    on_phone_command: Callable[[PhoneCommand], None] = lambda _command: None,
) -> Table:
    """Return the table of *journal*, with random draws from *chance*; the rest is passed to `Table`."""
    return Table(
        journal,
        formatter=AS_JSON,
        clock=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"),
        draw=lambda: chance.randrange(LARGEST_DRAW),
        shuffle=lambda: chance.sample(PACK, len(PACK)),
        setup=setup,
        asked=asked,
        pad=pad,
        power=switch_off if is_pi else no_pi,
        machine=machine,
        on_phone_command=on_phone_command,
        has_played=lambda name: read_games(
            journal.path.parent, lambda games: games.have_person(name), is_checked=False
        ),
    )


def switch_off(command: PowerCommand) -> ShutdownResult:
    """Shut down or restart the Pi."""
    try:
        return ShutdownResult(shut_down_or_restart(command), is_leaving=True)
    except DeviceTrouble as stays:
        return ShutdownResult(str(stays))


@dataclass(frozen=True, slots=True)
class Running:
    """An assembled companion, ready to run."""

    loop: Loop
    companion: BoardClient
    chips: Chips
    notice: str | None
    """The message about a journal that was set aside or is damaged, or None."""
    keys: Supervised[Keys]
    phones: TablePhones

    def is_heard(self) -> bool:
        """Return whether all threads that read the keys are alive; only a restart replaces lgpio's thread.

        Keys that are missing or can't be opened are not counted, because a restart would not help.
        """
        device = self.keys.device
        return lgpio_lives() and (device is None or device.alive)


@contextmanager
def assembled(
    config: Config,
    kit: Kit,
    state: Path,
    *,
    is_sim: bool,
    trusts_engines: bool = False,
    setup: NextGame | None = None,
    seed: int | None = None,
    asked: Sequence[str] = (),
    is_ended: Callable[[], bool] = lambda: False,
) -> Iterator[Running]:
    """Assemble a companion on the hardware, or on the twin; close it at the end.

    *setup* has the defaults of a new table's first game (default: those of *config*); its fields *asked* also
    override the saved set-up.  A *seed* makes all random draws repeatable.  With *trusts_engines*, engines
    run unconfined.  Once *is_ended* returns true, the start skips slow work.

    Raises:
        StateFolderTrouble: If the state folder can't be used.
    """
    is_pi = pi_model() is not None and not is_sim
    chips = chips_of(kit, is_pi=is_pi, is_sim=is_sim)
    chance = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311  cards to try things out

    def report(device: str, sentence: str | None) -> None:
        loop.trouble(device, sentence)

    def started_keys() -> Keys:
        opened = new_keys(kit, chips, loop.post, loop.trouble)
        opened.start()
        return opened

    output = config.sound.loudspeaker(kit.loudspeaker)
    with ExitStack() as at_end:
        show_start(chips, "opening the journal")
        written = health.last_written(state)  # before this start writes there
        folder = StateFolder(state)
        at_end.callback(folder.close)
        journal, notice = folder.open_journal()
        at_end.callback(journal.close)
        fill_in_first(journal, chips, is_ended)  # may draw on the panel, so it comes before the panel's lock
        with suppress(OSError):
            at_end.callback(chips.hold_panel())
        registry = PhoneRegistry(PhoneFile(state), partial(report, "phones"), is_open=config.page.lan)
        table = new_table(
            journal,
            setup or config.setup(kit.entry),
            chance,
            is_pi=is_pi,
            asked=asked,
            pad=kit.pad,
            machine=config.machine(is_pi=is_pi, has_loudspeaker=output is not None, currents=currents(kit)),
            on_phone_command=lambda command: phones.do_if_possible(command),  # noqa: PLW0108  `phones` is not defined yet
        )
        outputs = new_outputs(chips, report)
        companion = new_companion(kit, chips, outputs)
        loop = companion.loop = Loop(
            table,
            kit,
            outputs,
            on_change=companion.tell,
            panel_turns=bool(config.oled.rotate),
        )
        if (kind := mounts.forgetting(state, Files().text(mounts.MOUNTS) or "")) is not None:
            loop.trouble("state folder", FORGETS.format(kind=kind))
        if config.engines:
            from cribpi.companion.engines.sandbox import trouble  # noqa: PLC0415  few have engines

            loop.trouble("engines", trouble(is_trusted=trusts_engines))
        # A constant seed: draws depend on a seat's view, and must be the same after a restart.
        players = MachinePlayers(
            random.Random(0),  # noqa: S311  not for cryptography
            make=partial(
                new_player,
                dict(config.engines),
                patience(config, is_pi=is_pi),
                secret_paths=(state, *filter(None, [config_file()])),
                is_trusted=trusts_engines,
            ),
            patience=patience(config, is_pi=is_pi),
            remember=partial(remembered, state),
        )
        phones = TablePhones(companion, registry, players.hint)
        at_end.callback(phones.stop)
        machine = MachineSeats(loop, players)
        companion.subscribe(machine.on_change)
        # Opening its driver clears the panel: show the start again until the table is ready.
        if (picture := start_picture("opening the page")) is not None:
            outputs.oled.show(picture, BRIGHT)
        keys = Supervised("keypad", started_keys, report, check=Keys.check)
        watch = health.Watch(health.checks(Files(), written) if is_pi else {}, report)
        for part in (outputs.strip, outputs.oled, keys, watch):
            part.start()
            at_end.callback(part.close)
        if output is not None:
            voice = Voice(report, output=output, speed=config.sound.speed, accent=config.sound.accent)
            companion.subscribe(Caller(loop, voice.say).on_change)
            voice.start()
            at_end.callback(voice.close)
        machine.start()
        at_end.callback(machine.stop)
        if (broker := config.broker) is not None:
            from cribpi.companion.mqtt.publisher import Publisher  # noqa: PLC0415  few have a broker

            publisher = Publisher(
                broker,
                state,
                report,
                undo=partial(undone, loop),
                pair=lambda pairing: apply_club_request(loop, SetPairing(pairing)),
                show_club=lambda page: apply_club_request(loop, SetClubPage(page)),
                page=partial(page_url, loop),
            )
            companion.subscribe(publisher.on_change)
            publisher.start()
            at_end.callback(publisher.stop)
        reviews = Reviews(state)
        at_end.callback(reviews.stop)
        companion.history = GameHistory(kit, state, reviews)
        reader = at_end.enter_context(ThreadPoolExecutor(1, "statistics"))
        loop.ask_statistics = partial(reader.submit, tell_players, loop, state)
        yield Running(loop, companion, chips, notice, keys, phones)


def tell_players(loop: Loop, state: Path) -> None:
    """Send *loop* the statistics of the most frequent players in the folder *state*.  Thread-safe."""
    with suppress(JournalTrouble):  # The next request tries again.
        players = most_played(state)
        loop.call(lambda: loop.tell_statistics(players))


def undone(loop: Loop, name: str | None) -> None:
    """Press UNDO for an MQTT message; *name* is the id of the press, or None."""
    wait([loop.ask(lambda table: table.do(Press("UNDO"), id=name and f"mqtt/{name}"))], HEARING)


def apply_club_request(loop: Loop, request: SetPairing | SetClubPage) -> None:
    """Apply an MQTT message from a club's desk: the next pairing at this table, or the club's page."""

    def apply(table: Table) -> None:
        if not table.do(request).is_accepted:  # A person would press again.
            table.do(request)

    wait([loop.ask(apply)], HEARING)


def page_url(loop: Loop) -> str:
    """Return the page's URL on the network, or "" while phones can't join.  Thread-safe."""
    address = loop.table.now.view.phones.page
    return f"http://{address}/" if address else ""


def patience(config: Config, *, is_pi: bool) -> float:
    """Return the thinking time of an opponent in seconds."""
    return config.thinking_time or (PATIENCE_ON_A_PI if is_pi else PATIENCE)


def new_companion(kit: Kit, chips: Chips, outputs: SupervisedOutputs) -> BoardClient:
    """Return the client for the page.

    It shows the display of simulated chips. Real chips can't be read back: then it shows their last output.
    """
    twin = chips.twin
    if twin is None:
        companion = BoardClient(kit, lambda: outputs.picture, lambda: outputs.frame.data)
        outputs.on_change = companion.tell
        return companion

    def glass() -> Image.Image:
        outputs.oled.flush(CHIPS_WAIT)
        return twin.panel.picture()

    def strip() -> bytes:
        outputs.strip.flush(CHIPS_WAIT)
        return twin.wire.colours

    companion = BoardClient(kit, glass, (lambda: outputs.frame.data) if chips.has_real_strip else strip)
    twin.panel.when_changed = lambda: companion.tell("oled")
    if chips.has_real_strip:
        outputs.on_change = lambda kind: companion.tell(kind) if kind == "strip" else None
    twin.wire.when_changed = lambda: companion.tell("strip")
    return companion


def new_keys(kit: Kit, chips: Chips, sink: Sink, report: Report, clock: Clock = time.monotonic) -> Keys:
    """Return the driver of *kit*'s keys on *chips*, not yet started; *sink* receives the edges.

    Raises:
        DeviceTrouble: If the pins can't be opened.
        gpiozero.GPIOZeroError: If a pin does not exist or is in use.
    """
    match kit.keypad:
        case kits.Keypad(rows, columns, keys):
            return MatrixKeys(rows, columns, keys, chips.open_pins(), sink, report=report, clock=clock)
        case kits.Buttons(pins):
            return ButtonKeys(dict(pins), chips.open_pins(), sink, report=report, clock=clock)
        case kits.UsbKeys() as usb:
            return Numpad(usb.by_code, sink, name=usb.name, inputs=chips.inputs, report=report, clock=clock)
