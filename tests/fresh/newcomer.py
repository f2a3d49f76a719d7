"""Do both commands of the README in the current folder, a clone: play a game on the page, and pass the tests.

In between, set up a club night.

python3 newcomer.py [PYTEST'S ARGUMENTS]

Needs nothing but Python.  Exit code 1 if a command does not do what the README says of it.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

PAGE = "http://127.0.0.1:8121"
PROMISED = ("\nmake run\n", "`make test`", PAGE)
"""What the README asks a newcomer to do."""
SET_UP_WITHIN = 600
"""Seconds within which `make run` has set up and serves its page."""
STOPPED_WITHIN = 20
"""Seconds after Ctrl-C within which it has stopped."""


def main() -> int:
    """Do what the README says, and print what came of it."""
    readme = Path("README.md").read_text(encoding="utf-8")
    for promised in PROMISED:
        if promised not in readme:
            return refused(
                f"the README does not say {promised.strip()} any more: bring this script up to date"
            )
    began = time.monotonic()
    if wrong := play():
        return refused(f"make run: {wrong}")
    print(f"make run: set up, page, a press and Ctrl-C in {time.monotonic() - began:.0f} s", flush=True)
    began = time.monotonic()
    if wrong := club_night():
        return refused(f"make club: {wrong}")
    print(f"make club: set up in {time.monotonic() - began:.0f} s", flush=True)
    began = time.monotonic()
    if subprocess.run(["make", "test", f"ARGS={shlex.join(sys.argv[1:])}"], check=False).returncode != 0:
        return refused("make test: red")
    print(f"make test: green in {time.monotonic() - began:.0f} s, with what it installed", flush=True)
    return 0


def play() -> str | None:
    """Start the program, press OK on its page and stop it; return what went wrong."""
    process = subprocess.Popen(  # a group of its own, so that Ctrl-C reaches all of it, as in a terminal
        ["make", "run"], start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        wrong = press_ok(process)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
    try:
        words, _ = process.communicate(timeout=STOPPED_WITHIN)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        words, _ = process.communicate()
        wrong = wrong or f"it did not stop within {STOPPED_WITHIN} s of Ctrl-C"
    if wrong is None and "Traceback" in words:
        wrong = "a traceback"
    return f"{wrong}\n{words}" if wrong else None


def club_night() -> str | None:
    """Try a club night where Mosquitto is not installed; return what it says if not that."""
    tried = subprocess.run(["make", "club", "ARGS=--trial"], check=False, capture_output=True, text=True)
    return None if "mosquitto is not installed" in tried.stderr else tried.stdout + tried.stderr


def press_ok(process: subprocess.Popen[str]) -> str | None:
    """Wait for the page, fetch it and press OK; return what went wrong."""
    until = time.monotonic() + SET_UP_WITHIN
    while True:
        try:
            with urllib.request.urlopen(f"{PAGE}/", timeout=5) as page:  # noqa: S310  as below
                if b"cribpi" not in page.read():
                    return "what answers is not its page"
            break
        except OSError:
            if process.poll() is not None:
                return "it ended before it served its page"
            if time.monotonic() > until:
                return f"no page within {SET_UP_WITHIN} s"
            time.sleep(0.2)
    press = urllib.request.Request(  # noqa: S310  our own address
        f"{PAGE}/api/press",
        data=json.dumps({"key": "OK"}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(press, timeout=5) as answer:  # noqa: S310  as above
        phase = json.load(answer)["phase"]
    return None if phase != "idle" else "OK did not begin a game"


def refused(why: str) -> int:
    """Print *why*; return the exit code."""
    print(f"newcomer: {why}", file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
