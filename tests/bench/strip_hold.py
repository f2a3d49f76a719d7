"""How long writing to the strip holds up the keys: from a key's contact to the picture on the glass.

    PYTHONPATH=tests python tests/bench/strip_hold.py              about eight minutes
    PYTHONPATH=tests python tests/bench/strip_hold.py --presses 20  a quick look

Keys are pressed on the twin at times of chance, through the real keypad, loop, table and OLED driver, while a
strip of 363 LEDs is fed as by a peg that walks.  What stands in for the strip takes as long as the real one:

    quiet     no frame is sent
    lock      14.6 ms with the interpreter's lock held, as rpi-ws281x in SPI mode does in our own process
    write     11.5 ms without it, as our own encoder does in one write to spidev
    process   the same as `lock`, in the writer's process

A press counts from the moment at which it was due, so that a finger that is held up as well is no excuse.
`--work` burns so much processor time in the loop for each picture, as a slower machine does.  The wire time
of the glass is not in it.  It prints and never judges.
"""

from __future__ import annotations

import argparse
import ctypes
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from PIL import Image

from cribpi.companion.devices.strip import FOUR_BITS
from cribpi.companion.devices.strip_process import StripProcess
from cribpi.companion.devices.strip_ws281x import StripDriver, words
from cribpi.companion.devices.strip_ws281x import main as write_for_the_companion
from cribpi.companion.devices.twin.twin import Twin
from cribpi.companion.entry.debounce import Edge
from cribpi.companion.journal.journal import Journal
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.bootstrap import SupervisedOutputs, new_keys, new_outputs, new_table, twin_chips
from cribpi.companion.run.config import Config
from cribpi.companion.table.loop import Loop, QueueItem, Stop
from cribpi.companion.views.lights.frame import Frame

LEDS = 363
KEEPING_THE_LOCK: Callable[[int], int] = ctypes.PyDLL(None).usleep
GIVING_IT_UP: Callable[[int], int] = ctypes.CDLL(None).usleep
START = "OK OK P1 5".split()
MEMORY = Path("/dev/shm")  # noqa: S108  a folder of our own is made there
"""Where the journal lies, so that no disk is measured."""
LOST = 2.0
"""Seconds after which a press that shows nothing is lost."""


@dataclass
class Emulated:
    """A strip that takes its time, and *prepare*s each frame as the real driver does."""

    sleep: Callable[[int], int] = KEEPING_THE_LOCK
    microseconds: int = 14_600
    prepare: Callable[[bytes], bytes] = words
    frames: int = 0

    def show(self, rgb: bytes) -> None:
        self.prepare(rgb)
        self.sleep(self.microseconds)
        self.frames += 1

    def close(self) -> None:
        pass


@dataclass(slots=True)
class Fed(SupervisedOutputs):
    """Outputs whose strip is fed by the bench and not by the loop, and whose pictures cost *work*."""

    work: float = 0.0

    def show_frame(self, _frame: Frame, /) -> None:
        """The bench feeds the strip, at the rate that it measures."""

    def show_picture(self, picture: Image.Image, contrast: int, /, *, is_turned: bool = False) -> None:
        until = time.thread_time() + self.work
        while time.thread_time() < until:
            pass
        # The two-argument form would look for a class that `slots` has replaced.
        SupervisedOutputs.show_picture(self, picture, contrast, is_turned=is_turned)


@dataclass
class Times:
    """What was measured, in seconds."""

    keypad: list[float] = field(default_factory=list)
    glass: list[float] = field(default_factory=list)
    lost: int = 0


STRIPS: dict[str, Callable[[], StripDriver]] = {
    "quiet": Emulated,
    "lock": Emulated,
    "write": lambda: Emulated(GIVING_IT_UP, 11_500, FOUR_BITS.encode),
    "process": lambda: StripProcess(LEDS, command=(sys.executable, __file__, "--writer")),
}


@contextmanager
def table(
    strip: StripDriver, work: float, folder: str
) -> Iterator[tuple[Twin, SupervisedOutputs, list[float]]]:
    """Run the whole loop on the twin with *strip*; give its chips, its outputs and when the keypad saw
    edges."""
    kit = load_kit("table-3")
    chips = replace(twin_chips(kit), open_strip=lambda: strip)
    journal = Journal(Path(folder) / "journal.db")
    made = new_outputs(chips, lambda _name, _sentence: None)
    outputs = Fed(made.strip, made.oled, work=work)
    seen: list[float] = []

    class Watched(Loop):
        def post(self, item: QueueItem) -> None:
            if isinstance(item, Edge) and item.closed:
                seen.append(time.monotonic())
            super().post(item)

    loop = Watched(new_table(journal, Config().setup(), random.Random(1), is_pi=False), kit, outputs)
    keys = new_keys(kit, chips, loop.post, loop.trouble)
    thread = threading.Thread(target=loop.run)
    keys.start()
    outputs.strip.start()
    outputs.oled.start()
    thread.start()
    try:
        assert chips.twin is not None
        yield chips.twin, outputs, seen
    finally:
        loop.post(Stop())
        thread.join()
        keys.close()
        outputs.oled.close()
        outputs.strip.close()
        journal.close()


def measure(name: str, rate: float, presses: int, work: float, chance: random.Random) -> Times:
    """Press a key *presses* times, while the strip *name* gets *rate* frames a second."""
    found, shown, stop = Times(), threading.Event(), threading.Event()
    when = [0.0]

    def changed() -> None:
        when[0] = time.monotonic()
        shown.set()

    with (
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder,
        table(STRIPS[name](), work, folder) as (twin, outputs, seen),
    ):

        def walk() -> None:
            due, number = time.monotonic(), 0
            while rate and not stop.wait(max(0.0, due - time.monotonic())):
                number += 1
                outputs.strip.show(bytes((number & 255, number >> 8, 7)) * LEDS)
                due = max(due + 1 / rate, time.monotonic() - 1 / rate)

        for key in START:
            twin.press(key)
            time.sleep(0.2)
        walker = threading.Thread(target=walk)
        walker.start()
        twin.panel.when_changed = changed
        for _ in range(presses):
            time.sleep(chance.uniform(0.06, 0.12))
            shown.clear()
            seen.clear()
            due = time.monotonic() + chance.uniform(0.02, 0.06)
            time.sleep(max(0.0, due - time.monotonic()))
            twin.close_key("8")
            if shown.wait(LOST):
                found.glass.append(when[0] - due)
                found.keypad.append(seen[0] - due)
            else:
                found.lost += 1
            twin.open_key("8")
            time.sleep(0.03)
            shown.clear()
            twin.press("UNDO")
            shown.wait(LOST)
        stop.set()
        walker.join()
    return found


def figures(times: list[float]) -> str:
    """Return the median and the 99th percentile of *times*, in milliseconds."""
    ordered = sorted(times)
    return f"{ordered[len(ordered) // 2] * 1000:7.1f} {ordered[int(len(ordered) * 0.99)] * 1000:7.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--presses", type=int, default=200, help="presses of each row (default: 200)")
    parser.add_argument("--work", type=float, nargs="*", default=[0.0, 30.0], help="ms a picture (0 and 30)")
    given = parser.parse_args()
    rows = [("quiet", 0.0), ("lock", 12.5), ("lock", 30.0), ("write", 30.0), ("process", 30.0)]
    chance = random.Random(5)
    for work in given.work:
        found = {row: Times() for row in rows}
        # By turns, so that what else the machine does falls on all of them.
        for _ in range(rounds := max(1, given.presses // 20)):
            for row in rows:
                times = measure(*row, given.presses // rounds, work / 1000, chance)
                found[row].keypad += times.keypad
                found[row].glass += times.glass
                found[row].lost += times.lost
        print(f"\n{work:g} ms of work a picture       contact to keypad   contact to glass")
        print("                            median     99 %   median     99 %   lost")
        for (name, rate), times in found.items():
            print(
                f"{name:<8} {rate:5.1f} frames a second {figures(times.keypad)}  {figures(times.glass)}  "
                f"{times.lost}",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--writer"]:
        del sys.argv[1]
        write_for_the_companion(lambda _leds, _pin: Emulated())
    else:
        main()
