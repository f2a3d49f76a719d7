"""Health of the Pi itself: voltage, heat, SD card and clock, checked while the companion runs.

The values are in the kernel's files. A problem is reported in the same way as the failure of a device.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

_PROGRAM: Final = Path(__file__).resolve().parents[2]

EVERY: Final = 30.0
"""Seconds between two checks."""

THROTTLED: Final = "/sys/devices/platform/soc/soc:firmware/get_throttled"
"""The file with the value of `vcgencmd get_throttled`, in hexadecimal.

The documentation of that command explains the bits."""
UNDER_VOLTAGE: Final = 0x1
UNDER_VOLTAGE_SINCE: Final = 0x10000
SOFT_LIMIT: Final = 0x8
"""The bit for the soft temperature limit, which a Pi 3 B+ has at 60 degrees Celsius."""

SUPPLY: Final = "use a 5.1 V supply for 2.5 A or more"
HOT: Final = 80
"""Degrees Celsius at which a Pi throttles its processor."""

WORN: Final = 0x0A
"""The value of `life_time` at which 90% of an eMMC's life is used (JEDEC 84-B51).  Few SD cards report it."""
_NEW_CARD: Final = "export your games, and use a new card"

SLACK: Final = 120.0
"""Seconds by which the clock may go back unreported, as it does when it is set from the network."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a machine, which are below the folder *root*.  File names are absolute on that machine."""

    root: Path = Path("/")

    def path(self, name: str) -> Path:
        """Return the absolute path *name* below the root."""
        return self.root / name.removeprefix("/")

    def exists(self, name: str) -> bool:
        return self.path(name).exists()

    def text(self, name: str) -> str | None:
        """Return the text of the file *name* without surrounding white space, or None if it can't be read."""
        try:
            return self.path(name).read_bytes().decode("utf-8", "replace").strip("\0\n ")
        except OSError:
            return None

    def number(self, name: str) -> int | None:
        """Return the decimal or hexadecimal (0x...) number in the file *name*, or None without one."""
        try:
            return int(self.text(name) or "", 0)
        except ValueError:
            return None

    def cell(self, name: str) -> int | None:
        """Return the four-byte big-endian number in the device tree file *name*, or None without one."""
        try:
            data = self.path(name).read_bytes()
        except OSError:
            return None
        return int.from_bytes(data) if len(data) == 4 else None

    def matching(self, pattern: str) -> list[str]:
        """Return the absolute paths that match *pattern*, sorted."""
        return sorted(f"/{path.relative_to(self.root)}" for path in self.root.glob(pattern.removeprefix("/")))


class Problem(NamedTuple):
    """A problem and its *remedy*; together they fit in four lines of the screen."""

    says: str
    remedy: str


def power(files: Files) -> Problem | None:
    if any(voltage_alarms(files)) or (firmware_bits(files) or 0) & UNDER_VOLTAGE:
        return Problem("the voltage is too low now", SUPPLY)
    return None


def voltage_alarms(files: Files) -> list[int | None]:
    """Return the alarm of each voltage sensor: 1 if the voltage is too low now, None if unreadable."""
    return [
        files.number(f"{folder}/in0_lcrit_alarm")
        for folder in files.matching("/sys/class/hwmon/hwmon*")
        if files.text(f"{folder}/name") == "rpi_volt"
    ]


def firmware_bits(files: Files) -> int | None:
    try:
        return int(files.text(THROTTLED) or "", 16)
    except ValueError:
        return None


def heat(files: Files) -> Problem | None:
    if (degrees(files) or 0) >= HOT or (firmware_bits(files) or 0) & SOFT_LIMIT:
        return Problem("too hot, so it runs slower", "give it air, or a heat sink")
    return None


def degrees(files: Files) -> int | None:
    """Return the processor's temperature in degrees Celsius, or None without a sensor."""
    readings = [
        number
        for folder in files.matching("/sys/class/thermal/thermal_zone*")
        if (number := files.number(f"{folder}/temp")) is not None
    ]
    return max(readings) // 1000 if readings else None


def card(files: Files) -> Problem | None:
    """Return a problem with the SD card, or None: file system errors, or a nearly used-up life time."""
    errors = sum(files.number(path) or 0 for path in files.matching("/sys/fs/ext4/*/errors_count"))
    if errors:
        return Problem(f"{errors} {'error' if errors == 1 else 'errors'} on it so far", _NEW_CARD)
    for path in files.matching("/sys/block/mmcblk*/device/life_time"):
        with suppress(ValueError):
            if any(int(word, 16) >= WORN for word in (files.text(path) or "").split()):
                return Problem("nearly worn out", _NEW_CARD)
    return None


def clock(now: float, written: float) -> Problem | None:
    """Return a problem if the time *now* is before the last write; both are in seconds since 1970.

    >>> clock(1e9, 2e9)
    Problem(says='it says 2001, before your last game', remedy='connect a network')
    >>> clock(2e9, 1e9)
    """
    if now < written - SLACK:
        pattern = "%Y" if time.gmtime(now)[0] != time.gmtime(written)[0] else "%F"
        says = f"it says {time.strftime(pattern, time.gmtime(now))}, before your last game"
        return Problem(says, "connect a network")
    return None


def last_written(state: Path) -> float:
    """Return the last time at which the journal in *state* or the program was written, in Unix time."""
    times = []
    for path in (state / "journal.db", state / "journal.db-wal", _PROGRAM):
        with suppress(OSError):
            times.append(path.stat().st_mtime)
    return max(times, default=0.0)


def checks(files: Files, written: float) -> Mapping[str, Callable[[], Problem | None]]:
    """Return the checks to repeat while the companion runs, by name; *written* is for `clock`."""
    return {
        "power": lambda: power(files),
        "processor": lambda: heat(files),
        "card": lambda: card(files),
        "clock": lambda: clock(time.time(), written),
    }


class Watch(threading.Thread):
    """A thread that runs the checks *looks* periodically, and reports changes.

    Args:
        looks: The checks, by name.
        report: Receives the name and an error message, and None after recovery.
        every: Seconds between two rounds of checks.
    """

    def __init__(
        self,
        looks: Mapping[str, Callable[[], Problem | None]],
        report: Callable[[str, str | None], None],
        every: float = EVERY,
    ) -> None:
        super().__init__(name="vitals", daemon=True)
        self._looks = looks
        self._report = report
        self._every = every
        self._said: dict[str, Problem | None] = dict.fromkeys(looks)
        self._ended = threading.Event()

    def close(self) -> None:
        self._ended.set()
        if self.ident is not None:
            self.join()

    def look(self) -> None:
        for name, check in self._looks.items():
            problem = check()
            if problem != self._said[name]:
                self._said[name] = problem
                self._report(name, f"{name}: {problem.says}; {problem.remedy}" if problem else None)

    def run(self) -> None:
        self.look()
        while not self._ended.wait(self._every):
            self.look()
