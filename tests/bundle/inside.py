"""Install the bundle that lies beside this file, and use what it has installed: no network, no compiler.

Run as root in a Debian root of its own, by tests/bundle/run.  Exit code 1 if something is wrong.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = "http://127.0.0.1:8121"
WITHIN = 300
"""Seconds within which the page is there; an emulated processor is twenty times slower."""

IMPORTED = """\
import lgpio, _lgpio, rpi_ws281x, _rpi_ws281x, gpiod, numpy, PIL._imaging, adafruit_extended_bus
lgpio.gpiochip_open, lgpio.callback, rpi_ws281x.PixelStrip, _rpi_ws281x.ws2811_init, gpiod.request_lines
for module in (lgpio, _lgpio, rpi_ws281x, _rpi_ws281x, gpiod, numpy, PIL._imaging, adafruit_extended_bus):
    assert module.__file__.startswith("/opt/cribpi/venv/"), module.__file__
print(numpy.arange(10).sum())
"""
PROGRAM = Path("/opt/cribpi/venv")
STATUS = Path("/var/lib/dpkg/status")


class Wrong(Exception):
    """Something that is not as it should be."""


def main() -> int:
    """Try each thing in turn; say what has come of it."""
    (bundle,) = HERE.glob("cribpi-*.run")
    try:
        try_all(bundle)
    except Wrong as wrong:
        print(f"inside: {wrong}", file=sys.stderr)
        return 1
    return 0


def try_all(bundle: Path) -> None:
    """Refuse what is to be refused; install, use, install again, upgrade and remove.

    Raises:
        Wrong: At the first thing that is not as it should be.
    """
    nobody_else_is_there()
    damaged_ones_are_refused(bundle)
    what_the_system_lacks_is_said(bundle)
    expect(
        bundle,
        "done        /opt/cribpi/venv: the program",
        "done        cribpi starts when the Pi starts",
    )
    the_program_works()
    again = expect(bundle, "unchanged   /opt/cribpi/venv: the program")
    if "done" in again:
        raise Wrong(f"a second installation has changed something:\n{again}")
    an_upgrade_replaces_the_program(bundle)
    expect(bundle, "removed     /opt/cribpi", "removed     user cribpi", arguments=("--uninstall",))
    if left := [
        path for path in ("/opt/cribpi", "/etc/cribpi", "/usr/local/bin/cribpi") if Path(path).exists()
    ]:
        raise Wrong(f"left after the uninstallation: {left}")


def nobody_else_is_there() -> None:
    """See that nothing can be fetched or compiled here."""
    try:
        socket.create_connection(("192.0.2.1", 80), timeout=2).close()
    except OSError as error:
        print(f"no network: {error.strerror}", flush=True)
    else:
        raise Wrong("there is a network")
    if found := [name for name in ("gcc", "cc", "clang", "tcc") if shutil.which(name)]:
        raise Wrong(f"there is a compiler: {found}")


def installed(bundle: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run *bundle* as its page says."""
    command = ["sh", str(bundle), *arguments]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def expect(bundle: Path, *lines: str, arguments: tuple[str, ...] = ("--yes",)) -> str:
    """Return what *bundle* printed, which must have worked and said *lines*."""
    began = time.monotonic()
    done = installed(bundle, *arguments)
    if done.returncode or done.stderr or any(line not in done.stdout for line in lines):
        raise Wrong(f"{bundle} {arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
    print(done.stdout + f"in {time.monotonic() - began:.0f} s\n", end="", flush=True)
    return done.stdout


def refuse(bundle: Path, words: str) -> None:
    """See that *bundle* is refused in one line with *words*, and that nothing is there afterwards."""
    done = installed(bundle)
    if (done.returncode, done.stderr.count("\n")) != (2, 1) or words not in done.stderr or PROGRAM.exists():
        raise Wrong(f"not refused with '{words}': {done.returncode}\n{done.stdout}{done.stderr}")
    print(done.stderr, end="", flush=True)


def damaged_ones_are_refused(bundle: Path) -> None:
    """Change one byte in the middle, and leave the last one away."""
    whole, bad = bundle.read_bytes(), HERE / "damaged.run"
    middle = len(whole) // 2
    for data in (whole[:-1], whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]):
        bad.write_bytes(data)
        refuse(bad, "is damaged or incomplete")
    bad.unlink()


def what_the_system_lacks_is_said(bundle: Path) -> None:
    """Let Debian believe that a package was removed."""
    kept = STATUS.read_bytes()
    parts = [part for part in kept.split(b"\n\n") if not part.startswith(b"Package: python3-venv\n")]
    STATUS.write_bytes(b"\n\n".join(parts))
    refuse(bundle, "python3-venv: not installed")
    STATUS.write_bytes(kept)


def said(*command: str) -> str:
    """Return what *command* prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/tmp")  # noqa: S108  lgpio's pipe
    if done.returncode or done.stderr:
        raise Wrong(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def the_program_works() -> None:
    """Score a hand, import the drivers, ask the doctor, and press a key on the page."""
    if "29" not in (score := said("cribpi", "score", "5C 5D 5S JH", "--starter", "5H")):
        raise Wrong(score)
    print(score, end="", flush=True)
    print(
        f"the drivers are there; numpy counts {said(f'{PROGRAM}/bin/python', '-c', IMPORTED)}",
        end="",
        flush=True,
    )
    print(said("cribpi", "doctor", "--sim"), end="", flush=True)
    with subprocess.Popen(["cribpi", "run", "--sim"], stdout=subprocess.DEVNULL) as running:
        try:
            until = time.monotonic() + WITHIN
            while (phase := pressed()) is None:
                if time.monotonic() > until or running.poll() is not None:
                    raise Wrong("cribpi run does not answer")
                time.sleep(0.5)
        finally:
            running.terminate()
    if phase == "idle" or running.wait() != 0:
        raise Wrong(f"after OK the phase was {phase}; at the end the exit code {running.returncode}")
    print(f"cribpi run: it has heard OK; the phase is {phase}", flush=True)


def pressed() -> str | None:
    """Press OK on the page; return the phase after it, None while nobody answers."""
    headers = {"Content-Type": "application/json"}
    press = urllib.request.Request(f"{PAGE}/api/press", data=b'{"key": "OK"}', headers=headers)  # noqa: S310  our own
    try:
        with urllib.request.urlopen(press, timeout=60) as answer:  # noqa: S310  as above
            phase: str = json.load(answer)["phase"]
    except OSError:
        return None
    return phase


def an_upgrade_replaces_the_program(bundle: Path) -> None:
    """Let another program of the same version be there, as another bundle has installed it."""
    (code,) = PROGRAM.glob("lib/python3.*/site-packages/cribpi/cli.py")
    ours = code.read_bytes()
    code.write_bytes(b"raise SystemExit('an older one')\n")
    Path("/opt/cribpi/venv/installed-from").write_text("another bundle\n")
    expect(bundle, "done        /opt/cribpi/venv: the program")
    if code.read_bytes() != ours:
        raise Wrong("the old program is still there")


if __name__ == "__main__":
    sys.exit(main())
