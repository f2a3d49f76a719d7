"""A companion without threads, real time or a disk: its keys are pressed on the twin, and time is imagined.

The keys go the whole way: mock pins, the keypad's scan, debouncing, entry, table, views, the real drivers,
the emulated chips.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

from PIL import Image

from cribpi.companion.entry.ask import Press
from cribpi.companion.entry.debounce import holds_of
from cribpi.companion.entry.next_game import Setup
from cribpi.companion.journal.journal import Journal
from cribpi.companion.kit import Kit
from cribpi.companion.run.bootstrap import currents, new_keys, new_outputs, new_table, twin_chips
from cribpi.companion.run.config import Config
from cribpi.companion.table.desks import COMPUTER
from cribpi.companion.table.loop import Loop
from cribpi.companion.table.machine_seats import MachinePlayers, next_ask
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from cribpi.companion.views.lights.frame import Frame

LONGER = 0.1
"""Seconds that a long press is longer than it must be."""

IN_MEMORY = Path(":memory:")
"""A journal that is kept on no disk."""


class Rehearsal:
    """A table on the twin of *kit*; what is left to chance falls by *seed*."""

    def __init__(
        self,
        kit: Kit,
        seed: int | None = None,
        *,
        config: Config | None = None,
        setup: Setup | None = None,
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
        chance = random.Random(seed)  # noqa: S311  a game's
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
        self._players = MachinePlayers(random.Random(seed))  # noqa: S311  as above
        self._serve()

    def close(self) -> None:
        """Give the emulated pins and the journal back."""
        self.keys.close()
        self.outputs.oled.close()
        self.outputs.strip.close()
        self.journal.close()

    def press(self, key: str) -> Exception | None:
        """Press *key*; return why it was refused, or None if it was accepted.

        A key that the keypad has only as a long press is held; one that it does not have is pressed as the
        page would.
        """
        before = self.table.now.seq
        hold = self._holds.get(key)
        if key in self._on_keypad:
            self.twin.press(key)
        elif hold is not None and hold.button in self._on_keypad:
            self.twin.press(hold.button, hold.seconds + LONGER)
        else:
            asked = self.loop.ask(lambda table: table.do(Press(key)))
            self._serve()
            asked.result(0)
        now = self.table.now
        if now.seq == before and now.refusal:
            return now.refusal.error
        self._let_machine_act()
        return None

    def _let_machine_act(self) -> None:
        """Let the machine's seats do all that they do before a person is asked."""
        while (ask := next_ask(self.table.now, self._players)) is not None:
            done = self.loop.ask(partial(Table.do, ask=ask, desk=COMPUTER))
            self._serve()
            if not done.result(0).is_accepted:
                break
        for seat, trouble in self._players.troubles.items():
            self.loop.trouble(f"machine in seat {seat}", trouble)

    @property
    def now(self) -> Snapshot:
        """What there is to show."""
        return self.table.now

    def glass(self) -> Image.Image:
        """Return what is on the glass."""
        return self.twin.panel.picture()

    def board(self) -> Frame:
        """Return what the LEDs show."""
        return Frame(self.twin.wire.colours)

    def _clock(self) -> float:
        return self._now

    def _report(self, device: str, sentence: str | None) -> None:
        self.loop.trouble(device, sentence)

    def _pass_time(self, seconds: float) -> None:
        """Let time pass, stopping wherever the keypad or the loop has something to do."""
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
