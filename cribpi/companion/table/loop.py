"""The loop: takes presses from a queue, passes them to the table, draws the views, and updates the devices.

It sleeps until an item is queued or the display is due to change.  Everything shown goes through `show`.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from operator import is_not
from typing import Final, Protocol, TypeAlias, TypeVar

from PIL import Image

from cribpi.companion.entry.debounce import Debouncer, Edge, holds_of
from cribpi.companion.entry.effect import Refusal
from cribpi.companion.entry.requests import Press
from cribpi.companion.kit import Kit
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from cribpi.companion.views.dimming import BRIGHT, Device, Rest
from cribpi.companion.views.lights.frame import Frame, compose
from cribpi.companion.views.lights.motion import Motion, games_for, gesture_for, ghosts_for, hints_for
from cribpi.companion.views.plain import draw_plain
from cribpi.companion.views.screen.screen import draw, draw_last
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.results.statistics import Statistics

_LOG: Final = logging.getLogger(__name__)

_TABLE: Final = "table"
"""Key in `Loop.troubles` for a failed press.  The next press that succeeds removes it."""

_NOBODY_PLAYS: Final = frozenset({Phase.IDLE, Phase.GAME_OVER, Phase.MATCH_OVER})

T = TypeVar("T")

REFUSAL_SHOWN: Final = 5.0
"""Seconds for which the screen shows a refusal, before it returns to the prompt."""
SHUTDOWN_GRACE: Final = 60.0
"""Seconds that a shutdown can take.  If the system is still running after that, the keys work again."""


class Outputs(Protocol):
    """The LED strip and the screen.  These calls never block and never raise."""

    def show_frame(self, frame: Frame, /) -> None:
        """Show *frame* on the strip; a frame that still waits is dropped."""

    def show_picture(self, picture: Image.Image, contrast: int, /, *, is_turned: bool = False) -> None:
        """Show a one-bit picture of 128 x 64 pixels; a picture that still waits is dropped.

        *contrast* is 0 to 255.  If it *is_turned*, the picture is shown upside down.
        """


class Stop:
    """The queue item that ends the loop."""


QueueItem: TypeAlias = Edge | Stop | Callable[[], None]
"""A key's edge, the request to end, or a function to call on the loop's thread."""


def _with_marks(motion: Motion, now: Snapshot) -> Motion:
    """Return *motion* with the holes that are lit in addition to the pegs of *now*."""
    return replace(motion, hints=hints_for(now.view), ghosts=ghosts_for(now.state, now.context))


class Loop:
    """The table with its keys, lights and screen.  One thread runs it; other threads use `post` or `ask`."""

    def __init__(
        self,
        table: Table,
        kit: Kit,
        outputs: Outputs,
        *,
        clock: Callable[[], float] = time.monotonic,
        on_change: Callable[[str], None] = lambda _kind: None,
        panel_turns: bool = False,
    ) -> None:
        """Connect the parts.

        *on_change* is called with `state` or `page` after each change, on the loop's thread.  *panel_turns*
        is true if the panel itself turns its pictures by 180 degrees, as set in `config.toml`.
        """
        self.table = table
        self.kit = kit
        self.troubles: dict[str, str] = {}
        self._outputs = outputs
        self.ask_statistics: Callable[[], object] = lambda: None
        """Called after an idle minute.  Must not block; delivers the statistics with `tell_statistics`."""
        self._has_asked = False
        """Whether statistics were requested since the last key."""
        self._players: tuple[Statistics, ...] = ()
        """The players whose statistics the idle screen shows."""
        self._panel_turns = panel_turns
        self._clock = clock
        self._on_change = on_change
        self._inbox: queue.SimpleQueue[QueueItem] = queue.SimpleQueue()
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._pad = kit.pad
        self._keys = Debouncer(holds_of(self._pad.holds))
        self._faults = table.faults
        self._faults.on_change = self.trouble
        self._device = self._set_device(Device())
        self._rest = Rest(clock(), self._device.dark_after)
        self._motion = self._guarded(lambda: self._new_motion(self._rest.since))
        self._drawn: tuple[object, ...] | None = None
        """The inputs of the last picture: () if the screen is dark, None before the first picture."""
        self._due = -inf
        """The monotonic time at which to update the display; -inf, at once, after a press or a call."""
        self._answers: list[Callable[[], None]] = []
        self._disk: str | None = None
        """The last message about the journal that was reported as an error."""
        self._stopped = False
        self._shutdown_screen: Snapshot | None = None
        """The snapshot that stays on the screen after a shutdown was requested."""

    def post(self, item: QueueItem) -> None:
        """Queue *item*.  Thread-safe; never blocks."""
        self._inbox.put(item)

    def ask(self, question: Callable[[Table], T]) -> Future[T]:
        """Call *question* with the table, on the loop's thread.  Thread-safe."""
        answer: Future[T] = Future()
        self.post(lambda: self._answer(question, answer))
        return answer

    def trouble(self, device: str, sentence: str | None) -> None:
        """Report an error of *device*, or None once it works again.  Thread-safe."""
        self.post(lambda: self._note(device, sentence))

    def tell_statistics(self, players: Sequence[Statistics]) -> None:
        """Set the players whose statistics the idle screen shows.  Loop's thread only."""
        self._players = tuple(players)

    def call(self, what: Callable[[], None]) -> None:
        """Run *what* on the loop's thread, before the queued items.  Thread-safe.

        For the watchdog: a slow disk, behind which presses queue up, must not look like a hang.
        """
        self._calls.put(what)
        self.post(self._make_calls)

    def run(self) -> None:
        """Show the table, then serve the queue until a `Stop`."""
        self.show(self._clock())
        while not self._stopped:
            wakes = self.wakes()
            timeout = None if wakes is None else max(0.0, wakes - self._clock())
            with suppress(queue.Empty):
                self.take(self._inbox.get(timeout=timeout))
            self.serve()

    def serve(self) -> None:
        """Handle all queued items and keys that are due, then update the display if that is due."""
        with suppress(queue.Empty):
            while not self._stopped:
                self.take(self._inbox.get_nowait())
        at = self._clock()
        self.tick(at)
        if at >= self._due:
            self.show(at)

    def take(self, item: QueueItem) -> None:
        """Run the waiting calls, then handle *item*, without updating the display."""
        self._make_calls()
        match item:
            case Edge():
                self._keys, presses = self._keys.feed(item)
                for key in presses:
                    self._press(key)
            case Stop():
                self._stopped = True
            case _:
                self._due = -inf
                item()

    def _make_calls(self) -> None:
        with suppress(queue.Empty):
            while True:
                call = self._calls.get_nowait()
                try:
                    call()
                except Exception:  # noqa: BLE001  a bug must not end the game
                    _LOG.exception("a call failed")

    def _answer(self, question: Callable[[Table], T], answer: Future[T]) -> None:
        """Call *question* with the table, and resolve *answer* once the change is shown."""
        before = self.table.now
        if not answer.set_running_or_notify_cancel():
            return
        try:
            result = question(self.table)
        except BaseException as error:  # noqa: BLE001  the caller gets it; the loop must go on
            answer.set_exception(error)
        else:
            self._answers.append(lambda: answer.set_result(result))
            self._changed(before)

    def _note(self, device: str, sentence: str | None) -> None:
        if sentence != self.troubles.get(device):
            _LOG.warning("%s", sentence or f"{device}: working again")
        if sentence is None:
            self.troubles.pop(device, None)
        else:
            self.troubles[device] = sentence
        self._on_change("page")

    def tick(self, at: float) -> None:
        """Handle the held and released keys that are due at the time *at*."""
        self._keys, presses = self._keys.tick(at)
        for key in presses:
            self._press(key)

    def wakes(self) -> float | None:
        """Return the monotonic time at which `serve` must run even without a new item, or None."""
        times = (self._keys.wakes(), self._due)
        return min((time for time in times if time is not None and time < inf), default=None)

    def _next_change(self, at: float) -> float:
        """Return the time after *at* when the display next changes without a press; infinity if never."""
        now, motion = self.table.now, self._motion
        rest = self._rest.changes(at, is_idle=now.state.phase in _NOBODY_PLAYS)
        lights = None
        if motion is not None and not self._rest.is_dark(at):
            lights = self._faults.guarded(
                "times of the lights", now, lambda: motion.wakes(at), lambda _error: None
            )
        lapse = self._rest.since + REFUSAL_SHOWN
        refusal = lapse if now.refusal is not None and at < lapse else None
        return min((time for time in (lights, rest, refusal) if time is not None), default=inf)

    def show(self, at: float) -> None:
        """Compose the lights and draw the screen for the time *at*, then resolve the waiting answers."""
        self._report_disk_trouble()
        last = self._shutdown_screen
        if last is not None:
            self._outputs.show_frame(Frame.dark(self.kit.strip.leds))
            draw_it = partial(draw_last, last.view, last.input_state.message or "")
            self._show_picture((last,), last, None, BRIGHT, draw_it)
        else:
            self._outputs.show_frame(self._frame(at))
            self._show_glass(at)
        self._due = self._next_change(at)
        for answer in self._answers:
            answer()
        self._answers.clear()

    def _report_disk_trouble(self) -> None:
        """Report the table's message about its journal, if it has changed, as an error of `disk`."""
        message = self.table.trouble or self.table.notice
        if message != self._disk:
            self._disk = message
            self._note("disk", message)
            self._on_change("state")

    def _press(self, key: str) -> None:
        at, self._due = self._clock(), -inf
        if self._shutdown_screen is not None and at < self._rest.since + SHUTDOWN_GRACE:
            return  # The shutdown picture stays, and would hide the effect of the key.
        self._shutdown_screen = None
        before = self.table.now
        try:
            self.table.do(Press(key))
        except Exception:  # noqa: BLE001  a bug must not end the game
            _LOG.exception("the key %s failed", key)
            self.trouble(
                _TABLE, f"{key} failed: a bug in cribpi. The game is unchanged; the log has the details."
            )
        else:
            if _TABLE in self.troubles:
                self.trouble(_TABLE, None)
        self._changed(before)
        if self.table.now is before:
            self._wake(at)

    def _wake(self, at: float) -> None:
        """Restart the idle time at *at*: a key was pressed, or the game has changed."""
        if self._rest.is_dark(at) and self.table.now.state.phase is Phase.IDLE:
            self._motion = self._guarded(lambda: self._new_motion(at))  # It ended when the lights went dark.
        self._rest = Rest(at, self._device.dark_after)
        self._has_asked = False

    def _changed(self, before: Snapshot) -> None:
        now, at = self.table.now, self._clock()
        if now is before:
            return
        self._device = self._set_device(self._device)
        self._wake(at)
        if now.leaving:
            self._shutdown_screen = now
        if now.state is not before.state or any(map(is_not, now.saved, before.saved)):
            self._motion = self._guarded(lambda: self._move(before, now, at))
        self._on_change("state")
        self._on_change("page")

    def _move(self, before: Snapshot, now: Snapshot, at: float) -> Motion:
        if now.state.phase is Phase.IDLE:
            return self._new_motion(at)
        motion = replace(self._motion or self._new_motion(at), still=self._device.is_still)
        if now.state is not before.state:
            new = now.since(before)
            # Of several events at once, only the last is animated.
            was = new[-1].before if len(new) > 1 else before.state
            gesture = gesture_for(was, now.state) if new else None
            target = now.state.rules.target
            motion = motion.toward(now.state.pegs, at, gesture, games_for(now.state), target)
        return _with_marks(motion, now)

    def _new_motion(self, at: float) -> Motion:
        now = self.table.now
        if now.state.phase is Phase.IDLE:
            return Motion.attract(self.kit, at, still=self._device.is_still)
        games, target = games_for(now.state), now.state.rules.target
        motion = Motion(self.kit, now.state.pegs, self._device.is_still, games=games, target=target)
        return _with_marks(motion, now)

    def _set_device(self, old: Device) -> Device:
        """Return the settings of lights and screen, or *old* if they can't be computed."""
        now, what = self.table.now, "settings of lights and screen"
        return self._faults.guarded(what, now, lambda: Device.set_by(now.context), lambda _error: old)

    def _guarded(self, make: Callable[[], Motion]) -> Motion | None:
        """Return the result of *make*; if it fails, the pegs alone; if that fails too, None (dark)."""
        state = self.table.now.state

        def at_rest(_error: Exception) -> Motion | None:
            with suppress(Exception):
                return Motion(self.kit, state.pegs, still=True, target=state.rules.target)
            return None

        return self._faults.guarded("moving lights", self.table.now, make, at_rest)

    def _frame(self, at: float) -> Frame:
        """Return the strip's frame: bright, dimmed or dark; dark also if it can't be composed."""
        dark, motion = Frame.dark(self.kit.strip.leds), self._motion
        if motion is None or self._rest.is_dark(at):
            return dark

        def lit() -> Frame:
            brightness = self._device.brightness * self._rest.light(at)
            return compose(self.kit, motion.lights(at), brightness=brightness, max_ma=self._device.max_ma)

        return self._faults.guarded("board lights", self.table.now, lit, lambda _error: dark)

    def _show_glass(self, at: float) -> None:
        """Draw the screen (bright, dimmed or dark) if it has changed."""
        now, troubles = self.table.now, tuple(self.troubles.values())
        contrast = self._rest.contrast(at, round(BRIGHT * self._device.contrast))
        if self._rest.is_dark(at):
            if self._drawn != ():
                self._drawn = ()
                self._outputs.show_picture(Image.new("1", (128, 64)), contrast)
            return
        is_plain = now.state.phase in _NOBODY_PLAYS and now.input_state.dialog is None
        shift = self._rest.shift(at) if is_plain else 0
        if shift and not self._has_asked:
            self._has_asked = True
            self.ask_statistics()
        player = (None, *self._players)[shift % (len(self._players) + 1)]
        refusal = now.refusal if at < self._rest.since + REFUSAL_SHOWN else None
        draw_it = partial(
            draw,
            now.view,
            refusal,
            trouble=troubles,
            may_undo=now.may_undo,
            shift=shift,
            player=player,
        )
        inputs = (now, troubles, shift, player, refusal, contrast)
        self._show_picture(inputs, now, refusal, contrast, draw_it)

    def _show_picture(
        self,
        inputs: tuple[object, ...],
        now: Snapshot,
        refusal: Refusal | None,
        contrast: int,
        make: Callable[[], Image.Image],
    ) -> None:
        """Show the picture from *make* if its *inputs* have changed; a plain one if *make* fails."""

        def plain(error: Exception) -> Image.Image:
            try:
                return draw_plain(now.view, refusal, error)
            except Exception:  # noqa: BLE001  a bug must not end the game
                return Image.new("1", (128, 64))

        if inputs != self._drawn:
            self._drawn = inputs
            picture = self._faults.guarded("screen", now, make, plain)
            # The picture is turned unless the panel does it: two half turns would cancel each other.
            is_turned = bool(self._device.rotate) is not self._panel_turns
            self._outputs.show_picture(picture, contrast, is_turned=is_turned)
