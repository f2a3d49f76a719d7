"""A companion without threads, real time or a disk: keys are pressed on the twin, and time is simulated.

A press passes through every part: mock pins, the keypad's scan, debouncing, entry, table, views, the real
drivers, and the emulated chips.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

from PIL import Image

from cribpi.companion.entry.debounce import holds_of
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.requests import Press
from cribpi.companion.journal.journal import Journal
from cribpi.companion.kit import Kit
from cribpi.companion.run.bootstrap import currents, new_keys, new_outputs, new_table, twin_chips
from cribpi.companion.run.config import Config
from cribpi.companion.table.loop import Loop
from cribpi.companion.table.machine_seats import MachinePlayers, next_request
from cribpi.companion.table.sessions import COMPUTER
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from cribpi.companion.views.lights.frame import Frame

LONGER = 0.1
"""Seconds by which a long press exceeds its threshold."""

IN_MEMORY = Path(":memory:")
"""The path of a journal in memory."""


class Rehearsal:
    """A table on the twin of *kit*, with random draws from *seed*."""

    def __init__(
        self,
        kit: Kit,
        seed: int | None = None,
        *,
        config: Config | None = None,
        setup: NextGame | None = None,
        journal: Path = IN_MEMORY,
    ) -> None:
        config = config or Config(still=True)
        self.kit = kit
        self._now = 0.0
        self._keys_wake: float | None = None
        chips = twin_chips(kit, self._pass_time)
        if chips.twin is None:
            raise RuntimeError("a rehearsal needs the twin")
        self.twin = chips.twin
        self.journal = Journal(journal)
        chance = random.Random(seed)  # noqa: S311  not for cryptography
        self.table = new_table(
            self.journal,
            setup or config.setup(kit.entry),
            chance,
            is_pi=False,
            pad=kit.pad,
            machine=config.machine(currents=currents(kit)),
        )
        self.outputs = new_outputs(chips, self._report)
        turned = bool(config.oled.rotate)
        self.loop = Loop(self.table, kit, self.outputs, clock=self._clock, panel_turns=turned)
        self.keys = new_keys(kit, chips, self.loop.post, self._report, self._clock)
        self._holds = {hold.key: hold for hold in reversed(holds_of(kit.keypad.holds))}
        self._on_keypad = {key for row in kit.keypad.keys for key in row if key}
        self._players = MachinePlayers(random.Random(seed))  # noqa: S311  not for cryptography
        self._serve()

    def close(self) -> None:
        """Release the emulated pins and close the journal."""
        self.keys.close()
        self.outputs.oled.close()
        self.outputs.strip.close()
        self.journal.close()

    def press(self, key: str) -> Exception | None:
        """Press *key*.  Return the error if it was refused, otherwise None.

        A key that the keypad has only as a long press is held; a key that it lacks is pressed on the page.
        """
        before = self.table.now.seq
        hold = self._holds.get(key)
        if key in self._on_keypad:
            self.twin.press(key)
        elif hold is not None and hold.button in self._on_keypad:
            self.twin.press(hold.button, hold.seconds + LONGER)
        else:
            response = self.loop.ask(lambda table: table.do(Press(key)))
            self._serve()
            response.result(0)
        now = self.table.now
        if now.seq == before and now.refusal:
            return now.refusal.error
        self._let_machine_act()
        return None

    def _let_machine_act(self) -> None:
        """Run the computer's seats until a person must act."""
        while (request := next_request(self.table.now, self._players)) is not None:
            response = self.loop.ask(partial(Table.do, request=request, session=COMPUTER))
            self._serve()
            if not response.result(0).is_accepted:
                break
        for seat, trouble in self._players.troubles.items():
            self.loop.trouble(f"machine in seat {seat}", trouble)

    @property
    def now(self) -> Snapshot:
        """The table's current snapshot."""
        return self.table.now

    def glass(self) -> Image.Image:
        """Return the picture on the screen."""
        return self.twin.panel.picture()

    def board(self) -> Frame:
        """Return the colours of the LEDs."""
        return Frame(self.twin.wire.colours)

    def _clock(self) -> float:
        return self._now

    def _report(self, device: str, sentence: str | None) -> None:
        self.loop.trouble(device, sentence)

    def _pass_time(self, seconds: float) -> None:
        """Advance the time by *seconds*, with a stop whenever the keypad or the loop is due."""
        end = self._now + seconds
        self._serve()
        while self._now < end:
            wakes = self.loop.wakes()
            times = [time for time in (wakes, self._keys_wake) if time is not None and time > self._now]
            self._now = min([end, *times])
            self._serve()

    def _serve(self) -> None:
        pause = self.keys.service(self._now)
        self._keys_wake = None if pause is None else self._now + pause
        self.loop.serve()
        self.outputs.strip.service(self._now)
        self.outputs.oled.service(self._now)
