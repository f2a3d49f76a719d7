"""What is shown on a Pi in a virtual machine: each scenario raises where something is not as it must be.

A scenario takes a `Table`, does what its name says, and returns a sentence about what it saw.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pi.machine import REST, TAP, Machine, Sight, Trouble, new_disk
from pi.panel import HEIGHT, WIDTH
from pi.rehearsed import Game, Press, last_picture, pins_of
from PIL import Image

from cribpi import kit as kits
from cribpi.kit import load_kit

PATIENCE: Final = 90.0
"""Seconds for the machine to show what it must: it is slow, and shares its processors."""
UP_WITHIN: Final = 600.0
"""Seconds from the plug to the companion that is ready."""
RESTARTED_WITHIN: Final = 400.0
LOOK_EVERY: Final = 0.1
FIRST: Final = 12
CHANGES: Final = 7
"""How often a bouncing contact changes, each time: an odd number."""
INSTALL: Final = "cd /home/pi/cribpi && python3 systemd/install.py"


@dataclass
class Table:
    """The machine, the game that is played on it, and how far it has come.

    Attributes:
        at: How many presses of the game have been made.
    """

    folder: Path
    machine: Machine
    game: Game
    disk: Path
    at: int = 0
    pictures: list[Path] = field(default_factory=list)

    # --- what is seen ---

    def wanted(self) -> Sight:
        """Return what must be seen now."""
        return self.game.presses[self.at - 1].wanted if self.at else self.game.before

    def sees(self, wanted: Sight, *, within: float = PATIENCE, is_awake: bool = True) -> float:
        """Wait until screen and lights show *wanted*; return the seconds that it took.

        Lights dim a minute after a press, so they are not looked at unless the table *is_awake*.

        Raises:
            Trouble: If they do not in time; pictures of both screens are kept in the folder.
        """
        began = time.monotonic()
        while True:
            found = self.machine.look()
            took = time.monotonic() - began
            if found == wanted or (not is_awake and found.glass == wanted.glass):
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
                self.pictures.append(path)
            which.append(f"the screen (pictures: glass-{self.at:03}-found.png, -wanted.png)")
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
        """Put the plug in; return after how many seconds the companion was ready."""
        began = time.monotonic()
        self.machine.start(**how)  # type: ignore[arg-type]
        self.is_ready(UP_WITHIN)
        return time.monotonic() - began

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
            time.sleep(0.5)

    def until(self, what: str, is_so: Callable[[], bool], within: float = PATIENCE) -> float:
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


def check(is_so: object, otherwise: str) -> None:
    """Raise `Trouble` that says *otherwise* unless something *is_so*."""
    if not is_so:
        raise Trouble(otherwise)


# --- what is pressed ---


def a_beginning(table: Table) -> str:
    """The first presses of the game, screen and lights compared after each."""
    table.play(FIRST)
    return f"the first {FIRST} presses, screen and lights right after each"


def the_rest(table: Table) -> str:
    """All that is left of the game, compared after each press."""
    rest = len(table.game.presses) - table.at
    began = time.monotonic()
    table.play(rest)
    each = (time.monotonic() - began) / rest
    shorts = table.machine.shell("tail -n 1 /dev/pi-contacts")
    check(shorts == "shorts 0", f"two rows were driven against each other: {shorts}")
    return (
        f"the other {rest} presses, to the winner ({each:.2f} s a press); screen and lights right after each"
    )


def bouncing(table: Table) -> str:
    """A contact that bounces for 1 to 5 ms, as it closes and as it opens, makes one press."""
    for milliseconds in range(1, 6):
        press = table.game.presses[table.at]
        pause = milliseconds / 1000 / (CHANGES - 1)
        table.machine.ask("bounce", press.row, press.column, TAP, REST, CHANGES, pause)
        table.at += 1
        table.sees(press.wanted)
    return f"1, 2, 3, 4 and 5 ms of bouncing ({CHANGES} changes each way): one press each"


def numpad(table: Table) -> str:
    """A keypad on USB: plugged in, pulled, plugged in again."""
    machine, codes = table.machine, _numpad_codes()
    machine.shell("systemctl stop cribpi && mv /var/lib/cribpi /var/lib/cribpi.game")
    _with_kit(table, "numpad")
    table.until("it is missed", lambda: _is_said(table, "keypad"))
    machine.ask("plug in", list(codes.values()))
    found = table.until("it is found", lambda: not table.troubles())
    machine.ask("key", codes["OK"], TAP)
    table.until("Enter begins a game", lambda: table.phase() == "new-game")
    machine.ask("pull")
    missed = table.until("it is missed again", lambda: _is_said(table, "unplugged"))
    machine.ask("plug in", list(codes.values()))
    again = table.until("it is found again", lambda: not table.troubles())
    machine.ask("key", codes["OK"], TAP)
    table.until("Enter goes on", lambda: table.phase() != "new-game")
    machine.ask("pull")
    machine.shell("systemctl stop cribpi && rm -r /var/lib/cribpi && mv /var/lib/cribpi.game /var/lib/cribpi")
    _with_kit(table, "table")
    table.same_prompt()
    return f"found after {found:.1f} s, missed after {missed:.1f} s, found again after {again:.1f} s"


def _with_kit(table: Table, kit: str) -> None:
    """Start the companion with another *kit* in its settings."""
    table.machine.shell(f"sed -i 's/^#*kit = .*/kit = \"{kit}\"/' /etc/cribpi/config.toml")
    table.machine.shell("systemctl start cribpi", timeout=RESTARTED_WITHIN)
    table.is_ready()


def _numpad_codes() -> dict[str, int]:
    keypad = load_kit("numpad").keypad
    assert isinstance(keypad, kits.UsbKeys)
    rows = zip(keypad.keys, keypad.codes, strict=True)
    return {key: kits.KEY_CODES[code] for row in rows for key, code in zip(*row, strict=True) if key}


def _is_said(table: Table, word: str) -> bool:
    return any(word in said for said in table.troubles())


# --- what fails ---


def panel(table: Table) -> str:
    """I2C errors, transfers that break off, a panel without power, and one whose registers are upset."""
    machine, told = table.machine, []
    for name, fault in (
        ("5 errors", "fail 5"),
        ("cut in a command", "cut 3"),
        ("cut in a picture", "cut 70"),
    ):
        machine.ask("oled", fault)
        press = table.game.presses[table.at]
        table.tap(press)
        table.at += 1
        told.append(f"{name} {table.sees(press.wanted):.1f} s")
    machine.ask("oled", "power off")
    press = table.game.presses[table.at]
    table.tap(press)
    table.at += 1
    table.until("it is said", lambda: _is_said(table, "oled"))
    machine.ask("oled", "power on")
    told.append(f"no power {table.sees(press.wanted, is_awake=False):.1f} s")
    table.until("all is well", lambda: not table.troubles())
    machine.ask("oled", "power off")
    machine.ask("oled", "power on")
    told.append(f"a moment without power {table.sees(press.wanted, is_awake=False):.1f} s")
    machine.ask("oled", "upset")
    told.append(f"registers upset {table.sees(press.wanted, is_awake=False):.1f} s")
    unknown = machine.panel().registers["unknown"]
    check(unknown == 0, f"{unknown} bytes were not a command of an SSD1306")
    return "right again after: " + ", ".join(told)


def watchdog(table: Table) -> str:
    """A companion that is frozen is ended by systemd and started anew, at the same prompt."""
    before, pid = table.restarts(), table.pid()
    table.machine.shell(f"kill -STOP {pid}")
    took = table.until("systemd starts it anew", lambda: table.restarts() > before, 240)
    table.is_ready()
    check(table.pid() != pid, "it is still the same process")
    table.same_prompt()
    return f"started anew {took:.0f} s after it was frozen, at the same prompt"


def plug(table: Table, pulls: int = 3) -> str:
    """The plug pulled in the middle of a press: the next start is at the prompt, or one press further."""
    chance, there = random.Random(pulls), 0
    for number in range(pulls):
        table.play(1)
        press = table.game.presses[table.at]
        table.machine.tell("press", press.row, press.column, TAP, REST)
        time.sleep(chance.uniform(0.0, 0.6))
        table.machine.unplug()
        table.start(
            cache=("none", "writeback")[number % 2], clock=WRONG_CLOCK if number == pulls - 1 else "utc"
        )
        there += _is_one_further(table, press)
        table.play(1)
    return (
        f"pulled {pulls} times in the middle of a press, with QEMU's cache off and on in turn: "
        f"the press was there {there} times, and every one before it always"
    )


def _is_one_further(table: Table, press: Press) -> bool:
    """Return whether *press*, in which the plug was pulled, counts; the game goes on from there."""
    began = time.monotonic()
    while True:
        glass = table.machine.look().glass
        if glass == press.wanted.glass:
            table.at += 1
            return True
        if glass == table.wanted().glass:
            return False
        if time.monotonic() - began > PATIENCE:
            table.sees(table.wanted(), within=0, is_awake=False)
        time.sleep(LOOK_EVERY)


def plugs(table: Table) -> str:
    """The plug pulled twenty times."""
    return plug(table, 20)


def full_disk(table: Table) -> str:
    """A full disk refuses a press and says so; with room again, the same press is taken."""
    fill = "dd if=/dev/zero of=/var/full-{0} bs={0} status=none; sync"
    for size in ("1M", "4k"):
        table.machine.shell(fill.format(size), check=False, timeout=240)
    said = _refusal(table)
    table.machine.shell("rm /var/full-*; sync")
    table.play(1)
    table.until("all is well", lambda: not table.troubles())
    return f"a press was refused ({said}), and taken once there was room"


def read_only(table: Table) -> str:
    """A card that becomes read-only, as a worn one does."""
    table.machine.shell("echo u >/proc/sysrq-trigger; sleep 2")
    said = _refusal(table)
    table.machine.shell("mount -o remount,rw /")
    table.play(1)
    table.until("all is well", lambda: not table.troubles())
    return f"a press was refused ({said}), and taken once the card could be written again"


def _refusal(table: Table) -> str:
    """Press the next key while the disk refuses; return what is said of it."""
    before = table.machine.ask("page", "/api/state")["seq"]
    table.tap(table.game.presses[table.at])
    table.until("it is said", lambda: bool(table.troubles()))
    after = table.machine.ask("page", "/api/state")["seq"]
    check(after == before, "the press counts, although the disk has refused it")
    return table.troubles()[0]


def clock(table: Table) -> str:
    """The clock goes an hour back, then two forward, in the middle of the game."""
    for change in ("-1 hour", "+2 hours", "-1 hour"):
        table.machine.shell(f"date -s '{change}'")
        table.play(2)
    return "an hour back, two forward and one back again: the game went on"


# --- what is installed ---


def modules(table: Table) -> str:
    """A bus whose module comes after the companion: it says what to do, and that helps."""
    machine = table.machine
    machine.shell(
        "systemctl stop cribpi && rmmod i2c-dev && systemctl start cribpi", timeout=RESTARTED_WITHIN
    )
    table.is_ready()
    machine.shell("modprobe i2c-dev && udevadm settle")
    table.until("it is said", lambda: _is_said(table, "restart it"))
    said = next(said for said in table.troubles() if "restart it" in said)
    machine.shell("systemctl restart cribpi", timeout=RESTARTED_WITHIN)
    table.is_ready()
    table.same_prompt()
    check(not table.troubles(), f"after a restart: {table.troubles()}")
    return f"loaded late: {said!r}; after a restart all is well, at the same prompt"


def upgrade(table: Table) -> str:
    """An upgrade in place: refused in a game, and done with --now, at the same prompt."""
    machine, newer = table.machine, "# a newer version"
    machine.shell(f"echo '{newer}' >>/home/pi/cribpi/cribpi/__init__.py")
    refused = machine.run("sh", "-c", INSTALL, check=False, timeout=120)
    check(refused.code == 2 and "a game is going on" in refused.err, f"not refused: {refused}")
    before, began = table.pid(), time.monotonic()
    machine.shell(f"{INSTALL} --now", timeout=900)
    took = time.monotonic() - began
    table.is_ready()
    check(table.pid() != before, "the companion was not started anew")
    found = machine.shell("tail -n 1 /opt/cribpi/venv/lib/python3*/site-packages/cribpi/__init__.py")
    check(found == newer, f"the program is the old one: {found}")
    table.same_prompt()
    return f"refused in the game; with --now done in {took:.0f} s without a network, at the same prompt"


def off(table: Table) -> str:
    """MENU held switches the machine off, and the next start is at the same prompt."""
    keypad = load_kit("table").keypad
    assert isinstance(keypad, kits.Keypad)
    goodbye, began = last_picture(table.game, table.at), time.monotonic()
    table.machine.tell("press", *pins_of(keypad)["MENU"], HELD, REST)
    is_said = False
    while not is_said and time.monotonic() - began < PATIENCE:
        try:
            is_said = table.machine.look().glass == goodbye
        except (Trouble, OSError):
            break
    check(is_said, "the screen did not say when to pull the plug")
    check(table.machine.is_off_within(PATIENCE), "the machine is still on")
    took = time.monotonic() - began
    table.start()
    table.same_prompt()
    return f"the screen says when to pull the plug, off after {took:.0f} s; then the same prompt"


def uninstall(table: Table) -> str:
    """Removed: nothing is left but the games."""
    machine = table.machine
    machine.shell(f"{INSTALL} --uninstall", timeout=120)
    left = machine.shell(f"ls -d {' '.join(INSTALLED)} 2>/dev/null", check=False)
    check(not left, f"still there: {left}")
    check(machine.run("id", "cribpi", check=False).code, "the user is still there")
    games = machine.shell("ls -l /var/lib/cribpi")
    check("journal" in games and " cribpi " not in games, f"the games: {games}")
    return "the program, its files and its user are gone; the games are there, and root's"


INSTALLED: Final = (
    "/opt/cribpi",
    "/etc/systemd/system/cribpi.service",
    "/etc/polkit-1/rules.d/50-cribpi.rules",
    "/etc/udev/rules.d/60-cribpi.rules",
    "/etc/sysusers.d/cribpi.conf",
    "/etc/modules-load.d/cribpi.conf",
    "/usr/local/bin/cribpi",
)
"""What an installation puts there."""

HELD: Final = 3.3
"""Seconds for which MENU is held to switch off: three, and a little."""

WRONG_CLOCK: Final = "2026-01-01T00:00:00"
"""What the clock of a Pi may say that had no network for long."""

Scenario = Callable[[Table], str]

SCENARIOS: Final[dict[str, Scenario]] = {
    "beginning": a_beginning,
    "bouncing": bouncing,
    "numpad": numpad,
    "panel": panel,
    "watchdog": watchdog,
    "plug": plug,
    "modules": modules,
    "full-disk": full_disk,
    "read-only": read_only,
    "clock": clock,
    "upgrade": upgrade,
    "off": off,
    "game": the_rest,
    "uninstall": uninstall,
}
"""The scenarios in their order, each by the name by which it can be asked for."""

ASKED_FOR: Final[dict[str, Scenario]] = {"plugs": plugs}
"""Those that are run only where they are asked for."""


def new_table(folder: Path, log: Path, game: Game) -> Table:
    """Return a table at a machine with a disk of its own, which is off."""
    disk = new_disk(folder, "running")
    return Table(log, Machine(folder, disk, log / "console.txt"), game, disk)
