"""The steps of an installation: each knows whether it is done already, and does it if not.

A step does one thing to the machine, or to the folder in which files are staged, and is safe to do twice.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from slots import VENV, clear, spare, used

from cribpi.companion import installed
from cribpi.companion.files.whole import write_whole

HERE: Final = Path(__file__).resolve().parent
CHECKOUT: Final = HERE.parent

FILES: Final = (
    ("config.toml", "etc/cribpi/config.toml"),
    ("cribpi.sysusers", "etc/sysusers.d/cribpi.conf"),
    ("cribpi.udev", "etc/udev/rules.d/60-cribpi.rules"),
    ("cribpi.modules", "etc/modules-load.d/cribpi.conf"),
    ("cribpi.polkit", "etc/polkit-1/rules.d/50-cribpi.rules"),
    ("cribpi.service", "etc/systemd/system/cribpi.service"),
)
"""Where each file of this folder is put, seen from the root."""

UNIT: Final = "etc/systemd/system/cribpi.service"
DROP_INS: Final = "etc/systemd/system/cribpi.service.d"
SOUND_FILES: Final = (
    ("sound.modules", "etc/modules-load.d/cribpi-sound.conf"),
    ("sound.conf", f"{DROP_INS}/sound.conf"),
)
"""Those that are put there only for the voice."""

PHONE_FILES: Final = (("phones.conf", f"{DROP_INS}/phones.conf"),)
"""Those that are put there only for phones."""

WLED_FILES: Final = (("wled.conf", f"{DROP_INS}/wled.conf"),)
"""Those that are put there only for a WLED controller."""

ENGINE_FILES: Final = (
    ("cribpi-engine@.service", "etc/systemd/system/cribpi-engine@.service"),
    ("cribpi-engine.socket", "etc/systemd/system/cribpi-engine.socket"),
    ("engines.conf", f"{DROP_INS}/engines.conf"),
)
"""Those that are put there only for programs of other people."""

OWN_FILES: Final = (*FILES, *SOUND_FILES, *PHONE_FILES, *WLED_FILES, *ENGINE_FILES)
"""All that an installation may put there."""

CONFIG: Final = "etc/cribpi/config.toml"
LINK: Final = "usr/local/bin/cribpi"
HOME: Final = "opt/cribpi"
KEPT: Final = "opt/cribpi/before"
"""The files of the program before, until the new one is seen to serve."""
COMMAND: Final = "/opt/cribpi/venv/bin/cribpi"
STAMP: Final = installed.STAMP
OLD_STAMP: Final = "opt/cribpi/installed-from"
"""Where the mark was when the program had one place; an installer of that time writes it still."""
RESTART_DUE: Final = "opt/cribpi/restart-due"
"""A file that is there from the first change to the start: an installation that was broken off goes on."""

STATE: Final = "var/lib/cribpi"
GROUPS: Final = ("gpio", "i2c", "spi", "input")
USER: Final = "cribpi"

SOURCES: Final = ("pyproject.toml", "constraints.txt", "README.md", "LICENSE", "cribpi", "hardware/kits")
"""What the program is made of, in the checkout."""


class Failed(Exception):
    """A step that could not be done; its text says why, and the remedy.

    Attributes:
        output: What the command printed that failed, if one did.
    """

    def __init__(self, text: str, output: str = "") -> None:
        super().__init__(text)
        self.output = output

    @property
    def last_line(self) -> str:
        """The last line of the output, which most often says why."""
        return next((line.strip() for line in reversed(self.output.splitlines()) if line.strip()), "")


class Left(Exception):
    """A step that could not be done, and something else serves; its text says why, and what."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to be done: what it is called, whether it is done, and how it is done, or `Left`."""

    name: str
    is_done: Callable[[], bool]
    do: Callable[[], None]


def say(how: str, what: str) -> None:
    """Print one line of what was done."""
    print(f"{how:<10}  {what}", flush=True)


def run(*command: str | Path, remedy: str) -> None:
    """Run *command*.

    Raises:
        Failed: If it cannot be run, or fails.
    """
    words = [str(word) for word in command]
    quiet = {"DEBIAN_FRONTEND": "noninteractive", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    try:
        done = subprocess.run(
            words,
            env=os.environ | quiet,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    except OSError as error:
        raise Failed(f"{words[0]} cannot be run ({error.strerror}); {remedy}") from None
    if done.returncode:
        raise Failed(f"`{' '.join(words[:4])}` failed with {done.returncode}; {remedy}", done.stdout)


def succeeds(*command: str) -> bool:
    """Return whether *command* can be run and gives 0."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def printed(*command: str) -> str:
    """Return what *command* prints, without the last line's end; nothing if it cannot be run."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


# --- files ---


def copied(source: str, root: Path, path: str, after: Callable[[], None] = lambda: None) -> Step:
    """Put the file *source* of this folder at *path* below *root*, for all to read; then do *after*.

    The configuration belongs to the people: one that is there is never touched.
    """
    there, wanted = root / path, HERE / source

    def is_done() -> bool:
        if path == CONFIG:
            return there.exists()
        return (
            there.is_file()
            and there.read_bytes() == wanted.read_bytes()
            and there.stat().st_mode & 0o777 == 0o644
        )

    def do() -> None:
        there.parent.mkdir(parents=True, exist_ok=True)
        write_whole(there, wanted.read_bytes(), mode=0o644)
        after()

    return Step(f"/{path}", is_done, do)


def withdrawn(source: str, root: Path, path: str, after: Callable[[], None], why: str) -> Step:
    """Take the file at *path* away if it is *source* unchanged; *why* says what it is not needed for."""
    there, ours = root / path, HERE / source

    def do() -> None:
        there.unlink()
        after()

    return Step(
        f"/{path} is removed: {why}",
        lambda: not there.is_file() or there.read_bytes() != ours.read_bytes(),
        do,
    )


def optional(
    files: Iterable[tuple[str, str]], root: Path, after: Callable[[], None], why: str, *, is_wanted: bool
) -> list[Step]:
    """Return the steps that put *files* below *root*, or take them away, as *why* says; then do *after*."""
    if is_wanted:
        return [copied(source, root, path, after) for source, path in files]
    steps = [withdrawn(source, root, path, after, why) for source, path in files]
    return [step for step in steps if not step.is_done()]


def linked(root: Path) -> Step:
    """Let the command `cribpi` be found."""
    there = root / LINK

    def do() -> None:
        there.parent.mkdir(parents=True, exist_ok=True)
        there.unlink(missing_ok=True)
        there.symlink_to(COMMAND)

    return Step(f"/{LINK}", lambda: there.is_symlink() and str(there.readlink()) == COMMAND, do)


# --- the machine ---


def user() -> Step:
    """Make the user, and put it into the groups of its devices."""

    def is_done() -> bool:
        try:
            pwd.getpwnam(USER)
        except KeyError:
            return False
        found = subprocess.run(("id", "-nG", USER), capture_output=True, text=True, check=False)
        return set(GROUPS) <= set(found.stdout.split())

    def do() -> None:
        run("systemd-sysusers", "/etc/sysusers.d/cribpi.conf", remedy="is systemd installed?")

    return Step(f"user {USER}, in the groups {' '.join(GROUPS)}", is_done, do)


def made(source: Path, root: Path) -> Path | None:
    """Return the virtual environment below *root* that has *source*, whole; None if there is none yet."""
    mark = fingerprint(source)
    places = [spare(root)] if (root / OLD_STAMP).exists() else [used(root), spare(root)]
    for venv in places:
        stamp = venv / Path(STAMP).name
        is_stamped = stamp.is_file() and stamp.read_text(encoding="utf-8") == mark
        if is_stamped and (venv / "bin" / "python").exists():
            return venv
    return None


def program(source: Path, root: Path) -> Step:
    """Install *source*, the checkout, a wheel or a bundle's list of wheels, beside the program that is there.

    It goes into a virtual environment that sees the system's packages, and begins with what is in the one in
    use: what somebody has added there stays, and pip fetches only what is new.
    """

    def fill(venv: Path) -> None:
        remedy = "check the network, then try again"
        python = venv / "bin" / "python"
        clear(venv)
        libraries = Path("lib") / "python{}.{}".format(*sys.version_info[:2]) / "site-packages"
        old = root / VENV / libraries
        command = (sys.executable, "-m", "venv", "--system-site-packages")
        run(*command, *(["--without-pip"] if old.is_dir() else []), venv, remedy="is python3-venv installed?")
        if old.is_dir():  # with its pip
            shutil.rmtree(venv / libraries, ignore_errors=True)
            shutil.copytree(old, venv / libraries, symlinks=True)
        pip: tuple[str | Path, ...] = (python, "-m", "pip", "install", "-q")
        wheel = source
        if source.suffix == ".txt":
            pip = (*pip, "--no-index", "--find-links", source.parent)
            (wheel,) = source.parent.glob("cribpi-*.whl")
            run(*pip, "--require-hashes", "-r", source, remedy="copy the bundle again, then try again")
        else:
            pip = (*pip, "-c", CHECKOUT / "constraints.txt")
            # The strip's library can be done without, and is a step of its own.
            needed = [one for one in requirements() if not one.startswith("rpi-ws281x")]
            run(*pip, source, *needed, remedy=remedy)
        if wheel.suffix == ".whl":  # another wheel of the same version is new as well
            run(*pip, "--force-reinstall", "--no-deps", wheel, remedy=remedy)
        os.sync()  # the mark says that all of it is on the card
        write_whole(venv / Path(STAMP).name, fingerprint(source).encode(), mode=0o644)

    def do() -> None:
        venv = spare(root)
        try:
            fill(venv)
        except (Failed, OSError):  # half a program may have filled the card, and the games need room
            shutil.rmtree(venv, ignore_errors=True)
            raise

    return Step(f"/{VENV}: the program", lambda: made(source, root) is not None, do)


def requirements() -> list[str]:
    """Return what the program needs besides on a Pi, as pip has it."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: list[str] = project["optional-dependencies"]["pi"]
    return found


def fingerprint(source: Path) -> str:
    """Return a line that changes with *source*, its pins and this Python's version; a bundle's says so."""
    whole = sha256()
    for path in sorted(_files(source)):
        whole.update(f"{path.relative_to(source) if path.is_relative_to(source) else path.name}\0".encode())
        whole.update(path.read_bytes())
    bundle = installed.IN_A_BUNDLE if source.suffix == ".txt" else ""
    return f"{whole.hexdigest()}{bundle} for Python {sys.version_info.major}.{sys.version_info.minor}\n"


def _files(source: Path) -> Iterable[Path]:
    if source.is_file():
        return [source, CHECKOUT / "constraints.txt"]
    found = [path for name in SOURCES for path in [source / name, *(source / name).rglob("*")]]
    return [path for path in found if path.is_file() and "__pycache__" not in path.parts]
