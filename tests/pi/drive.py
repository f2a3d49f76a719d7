"""Boot the Pi in its virtual machine and go through the scenarios: `make pi`.

python -m pi.drive FOLDER [SCENARIOS]

Prints a line for each; exit code 1 if one failed.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TextIO

from pi.machine import Trouble
from pi.rehearsed import whole_game
from pi.scenarios import ASKED_FOR, SCENARIOS
from pi.table import Table, new_table
from pi.ws2812 import Garbled

LOG: Final = "log"


def main(arguments: Sequence[str]) -> int:
    """Go through the scenarios named in *arguments* after the folder, or through all."""
    folder, *names = arguments
    known = SCENARIOS | ASKED_FOR
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no scenario {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    log = Path(folder) / LOG
    shutil.rmtree(log, ignore_errors=True)
    log.mkdir(parents=True)
    with (log / "run.txt").open("w", encoding="utf-8") as run:
        return _go_through(Path(folder), log, names or list(SCENARIOS), run)


def _go_through(folder: Path, log: Path, names: Sequence[str], run: TextIO) -> int:
    began = time.monotonic()

    def say(name: str, result: str, what: str, since: float) -> None:
        line = f"{name:<12} {result:<6} {time.monotonic() - since:6.1f} s  {what}"
        print(line, flush=True)
        run.write(line + "\n")
        run.flush()

    table = new_table(folder, log, whole_game())
    failed = 0
    try:
        up = table.start()
        table.sees(table.wanted())
        accelerator = os.environ.get("ACCEL", "tcg")
        say(
            "boot",
            "ok",
            f"QEMU with {accelerator}; the companion was ready after {up:.0f} s, without a network",
            began,
        )
        for name in names:
            since = time.monotonic()
            try:
                say(name, "ok", (SCENARIOS | ASKED_FOR)[name](table), since)
            except (Trouble, Garbled) as wrong:
                failed += 1
                say(name, "FAILED", str(wrong), since)
                _keep_journal(table, log / f"{name}.txt")
    except Trouble as wrong:
        failed += 1
        say("boot", "FAILED", str(wrong), began)
    finally:
        table.machine.unplug()
        table.disk.unlink(missing_ok=True)
    say("all", "FAILED" if failed else "ok", f"{failed} of {len(names)} failed; {log}/run.txt", began)
    return 1 if failed else 0


def _keep_journal(table: Table, path: Path) -> None:
    """Keep the machine's log of this start, if it can still be asked."""
    try:
        path.write_text(table.machine.shell("journalctl -b --no-pager -n 300", check=False), encoding="utf-8")
    except (Trouble, OSError):
        path.write_text("the machine cannot be asked any more\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
