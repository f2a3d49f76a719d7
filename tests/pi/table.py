"""The machine and the game that is played on it: what is pressed there, and what must then be seen."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pi.machine import REST, TAP, Machine, Sight, Trouble, new_disk
from pi.panel import HEIGHT, WIDTH
from pi.rehearsed import Game, Press
from PIL import Image

PATIENCE: Final = 90.0
"""Seconds for the machine to show what it must: it is slow, and shares its processors."""
UP_WITHIN: Final = 600.0
"""Seconds from the plug to the companion that is ready."""
RESTARTED_WITHIN: Final = 400.0
LOOK_EVERY: Final = 0.1
READY_EVERY: Final = 2.0
"""Seconds between two questions that take the machine itself some time."""


@dataclass
class Table:
    """The machine, the game that is played on it, and how far it has come.

    Attributes:
        at: How many presses of the game have been made.
        compared: After which of them both screen and lights were found right.
    """

    folder: Path
    machine: Machine
    game: Game
    disk: Path
    at: int = 0
    compared: set[int] = field(default_factory=set)

    # --- what is seen ---

    def wanted(self) -> Sight:
        """Return what must be seen now."""
        return self.game.presses[self.at - 1].wanted if self.at else self.game.before

    def sees(self, wanted: Sight, *, within: float = PATIENCE, is_awake: bool = True) -> float:
        """Wait until screen and lights show *wanted*; return the seconds that it took.

        A minute after a press both are dimmed, so that neither the lights nor how bright the screen is are
        looked at unless the table *is_awake*.

        Raises:
            Trouble: If they do not in time; pictures of both screens are kept in the folder.
        """
        began = time.monotonic()
        while True:
            found = self.machine.look()
            took = time.monotonic() - began
            if found == wanted:
                self.compared.add(self.at)
                return took
            if not is_awake and found.glass == wanted.glass:
                return took
            if took > within:
                raise Trouble(self._difference(found, wanted))
            time.sleep(LOOK_EVERY)

    def _difference(self, found: Sight, wanted: Sight) -> str:
        which = []
        if found.glass != wanted.glass:
            for name, glass in (("found", found.glass), ("wanted", wanted.glass)):
                path = self.folder / f"glass-{self.at:03}-{name}.png"
                _enlarged(glass).save(path)
            which.append(f"the screen (pictures: glass-{self.at:03}-found.png, -wanted.png)")
        if found.contrast != wanted.contrast:
            which.append(f"the screen's brightness: {found.contrast} and not {wanted.contrast}")
        if found.lights != wanted.lights:
            others = [
                led
                for led in range(len(wanted.lights) // 3)
                if found.lights[3 * led : 3 * led + 3] != wanted.lights[3 * led : 3 * led + 3]
            ]
            told = ", ".join(
                f"{led} is {found.lights[3 * led : 3 * led + 3].hex()} and not "
                f"{wanted.lights[3 * led : 3 * led + 3].hex()}"
                for led in others[:5]
            )
            which.append(f"{len(others)} lights: {told}")
        return f"after press {self.at}: " + " and ".join(which)

    # --- what is done ---

    def play(self, presses: int) -> None:
        """Make the next *presses* of the game, and look at screen and lights after each."""
        for press in self.game.presses[self.at : self.at + presses]:
            self.tap(press)
            self.at += 1
            self.sees(press.wanted)

    def tap(self, press: Press) -> None:
        """Press a key as a finger does."""
        self.machine.ask("press", press.row, press.column, TAP, REST)

    def start(self, **how: object) -> float:
        """Put the plug in; return after how many seconds the companion was ready, without a network.

        Raises:
            Trouble: If it is not ready in time, or there is more of a network than the machine's own loop.
        """
        began = time.monotonic()
        self.machine.start(**how)  # type: ignore[arg-type]
        self.is_ready(UP_WITHIN)
        up = time.monotonic() - began
        networks = self.machine.shell("ls /sys/class/net")
        check(networks == "lo", f"the machine has a network: {networks}")
        return up

    def is_ready(self, within: float = RESTARTED_WITHIN) -> None:
        """Wait until systemd has been told that the companion serves.

        Raises:
            Trouble: If it has not been in time; its log is in the text.
        """
        until = time.monotonic() + within
        while self.machine.run("systemctl", "is-active", "cribpi", check=False).out.strip() != "active":
            if time.monotonic() > until:
                log = self.machine.shell("journalctl -b -u cribpi -n 30 --no-pager", check=False)
                raise Trouble(f"the companion is not ready within {within:.0f} s: {log}")
            time.sleep(READY_EVERY)

    def until(self, what: str, is_so: Callable[[], object], within: float = PATIENCE) -> float:
        """Wait until *is_so*; return the seconds that it took.

        Raises:
            Trouble: If it is not in time; *what* says what was waited for.
        """
        began = time.monotonic()
        while not is_so():
            if time.monotonic() - began > within:
                raise Trouble(f"not within {within:.0f} s: {what}")
            time.sleep(LOOK_EVERY)
        return time.monotonic() - began

    def troubles(self) -> list[str]:
        """Return what the companion says is wrong."""
        found: list[str] = self.machine.ask("page", "/api/page")["trouble"]
        return found

    def phase(self) -> str:
        """Return the phase of the game, as the page is told."""
        found: str = self.machine.ask("page", "/api/state")["phase"]
        return found

    def seq(self) -> int:
        """Return the number of the last change, as the page is told."""
        found: int = self.machine.ask("page", "/api/state")["seq"]
        return found

    def same_prompt(self) -> None:
        """Make sure that the screen is where the game stands, and that it goes on from there."""
        self.sees(self.wanted(), is_awake=False)
        self.play(1)

    def restarts(self) -> int:
        """Return how often systemd has started the companion anew."""
        return int(self.machine.shell("systemctl show -p NRestarts --value cribpi"))

    def pid(self) -> int:
        """Return the number of the companion's process."""
        return int(self.machine.shell("systemctl show -p MainPID --value cribpi"))


def _enlarged(glass: bytes) -> Image.Image:
    return Image.frombytes("1", (WIDTH, HEIGHT), glass).resize((4 * WIDTH, 4 * HEIGHT))


def new_table(folder: Path, log: Path, game: Game) -> Table:
    """Return a table at a machine with a disk of its own, which is off."""
    disk = new_disk(folder, "running")
    return Table(log, Machine(folder, disk, log / "console.txt"), game, disk)


def check(is_so: object, otherwise: str) -> None:
    """Raise `Trouble` that says *otherwise* unless something *is_so*."""
    if not is_so:
        raise Trouble(otherwise)
