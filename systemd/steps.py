"""The steps of an installation. Each can check whether it is already done.

A step changes one thing on the machine or in the staging folder. It is idempotent.
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
from cribpi.companion.files.atomic import write_whole

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
"""Files in this folder, with their destinations relative to the root."""

UNIT: Final = "etc/systemd/system/cribpi.service"
DROP_INS: Final = "etc/systemd/system/cribpi.service.d"
SOUND_FILES: Final = (
    ("sound.modules", "etc/modules-load.d/cribpi-sound.conf"),
    ("sound.conf", f"{DROP_INS}/sound.conf"),
)
"""Files installed only for the voice."""

PHONE_FILES: Final = (("phones.conf", f"{DROP_INS}/phones.conf"),)
"""Files installed only for phones."""

WLED_FILES: Final = (("wled.conf", f"{DROP_INS}/wled.conf"),)
"""Files installed only for a WLED controller."""

ENGINE_FILES: Final = (
    ("cribpi-engine@.service", "etc/systemd/system/cribpi-engine@.service"),
    ("cribpi-engine.socket", "etc/systemd/system/cribpi-engine.socket"),
    ("engines.conf", f"{DROP_INS}/engines.conf"),
)
"""Files installed only for third-party engines."""

OWN_FILES: Final = (*FILES, *SOUND_FILES, *PHONE_FILES, *WLED_FILES, *ENGINE_FILES)
"""All files that an installation may create outside of the program's folder."""

CONFIG: Final = "etc/cribpi/config.toml"
LINK: Final = "usr/local/bin/cribpi"
HOME: Final = "opt/cribpi"
KEPT: Final = "opt/cribpi/before"
"""Backup of the old program's files. It is kept until the new program is known to work."""
COMMAND: Final = "/opt/cribpi/venv/bin/cribpi"
STAMP: Final = installed.STAMP
OLD_STAMP: Final = "opt/cribpi/installed-from"
"""Stamp file of installations without slots. Older installers still write it."""
RESTART_DUE: Final = "opt/cribpi/restart-due"
"""File that exists from the first change to the restart. It marks an interrupted installation."""

STATE: Final = "var/lib/cribpi"
GROUPS: Final = ("gpio", "i2c", "spi", "input")
USER: Final = "cribpi"

SOURCES: Final = ("pyproject.toml", "constraints.txt", "README.md", "LICENSE", "cribpi", "hardware/kits")
"""Files and folders of the checkout that make up the program."""


class Failed(Exception):
    """A step failed. The message is the reason and a remedy.

    Attributes:
        output: Output of the failed command, or "".
    """

    def __init__(self, text: str, output: str = "") -> None:
        super().__init__(text)
        self.output = output

    @property
    def last_line(self) -> str:
        """Last line of the output, which usually is the reason."""
        return next((line.strip() for line in reversed(self.output.splitlines()) if line.strip()), "")


class Left(Exception):
    """A step was skipped, which is not fatal. The message has the reason and the effect."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step: its name, a check whether it is done, and an action, which may raise `Left` or `Failed`."""

    name: str
    is_done: Callable[[], bool]
    do: Callable[[], None]


def say(how: str, what: str) -> None:
    """Print a line of the report. *how* is "done", "unchanged", "left" or "removed"."""
    print(f"{how:<10}  {what}", flush=True)


def run(*command: str | Path, remedy: str) -> None:
    """Run *command*. Output is captured.

    Raises:
        Failed: If the command can't be run, or fails.
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
    """Return whether *command* can be run and exits with 0."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def printed(*command: str) -> str:
    """Return the stripped output of *command*, or "" if it can't be run."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


# --- files ---


def copied(source: str, root: Path, path: str, after: Callable[[], None] = lambda: None) -> Step:
    """Return the step that copies *source*, a file in this folder, to *path* below *root*.

    It then calls *after*.

    Existing settings are never changed, because they belong to the user.
    """
    target, ours = root / path, HERE / source

    def is_done() -> bool:
        if path == CONFIG:
            return target.exists()
        return (
            target.is_file()
            and target.read_bytes() == ours.read_bytes()
            and target.stat().st_mode & 0o777 == 0o644
        )

    def do() -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, ours.read_bytes(), mode=0o644)
        after()

    return Step(f"/{path}", is_done, do)


def withdrawn(source: str, root: Path, path: str, after: Callable[[], None], why: str) -> Step:
    """Return the step that removes *path* if it is unchanged from *source*.

    The report gives the reason *why*.
    """
    target, ours = root / path, HERE / source

    def do() -> None:
        target.unlink()
        after()

    return Step(
        f"/{path} is removed: {why}",
        lambda: not target.is_file() or target.read_bytes() != ours.read_bytes(),
        do,
    )


def optional(
    files: Iterable[tuple[str, str]], root: Path, after: Callable[[], None], why: str, *, is_wanted: bool
) -> list[Step]:
    """Return the steps that copy *files* below *root*.

    If they are not wanted, the steps remove them, and report the reason *why*.
    """
    if is_wanted:
        return [copied(source, root, path, after) for source, path in files]
    steps = [withdrawn(source, root, path, after, why) for source, path in files]
    return [step for step in steps if not step.is_done()]


def linked(root: Path) -> Step:
    """Return the step that links the command `cribpi` into a folder of the PATH."""
    link = root / LINK

    def do() -> None:
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(COMMAND)

    return Step(f"/{LINK}", lambda: link.is_symlink() and str(link.readlink()) == COMMAND, do)


# --- the machine ---


def user() -> Step:
    """Return the step that creates the service's user. Its groups give access to the devices."""

    def is_done() -> bool:
        try:
            pwd.getpwnam(USER)
        except KeyError:
            return False
        groups = subprocess.run(("id", "-nG", USER), capture_output=True, text=True, check=False)
        return set(GROUPS) <= set(groups.stdout.split())

    def do() -> None:
        run("systemd-sysusers", "/etc/sysusers.d/cribpi.conf", remedy="is systemd installed?")

    return Step(f"user {USER}, in the groups {' '.join(GROUPS)}", is_done, do)


def find_environment(source: Path, root: Path) -> Path | None:
    """Return the complete virtual environment of *source* below *root*, or None if there is none."""
    mark = fingerprint(source)
    places = [spare(root)] if (root / OLD_STAMP).exists() else [used(root), spare(root)]
    for venv in places:
        stamp = venv / Path(STAMP).name
        is_stamped = stamp.is_file() and stamp.read_text(encoding="utf-8") == mark
        if is_stamped and (venv / "bin" / "python").exists():
            return venv
    return None


def program(source: Path, root: Path) -> Step:
    """Return the step that installs *source*: a checkout, a wheel, or a bundle's list of wheels.

    The virtual environment in the spare slot can use the system's packages. It starts as a copy of the
    environment in use. Packages that the user has added are thus kept, and pip downloads only new packages.
    """

    def fill(venv: Path) -> None:
        remedy = "check the network, then try again"
        python = venv / "bin" / "python"
        clear(venv)
        libraries = Path("lib") / "python{}.{}".format(*sys.version_info[:2]) / "site-packages"
        old = root / VENV / libraries
        command = (sys.executable, "-m", "venv", "--system-site-packages")
        run(*command, *(["--without-pip"] if old.is_dir() else []), venv, remedy="is python3-venv installed?")
        if old.is_dir():  # the copy includes pip
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
            # A separate step installs the strip's library, because that may fail.
            needed = [package for package in requirements() if not package.startswith("rpi-ws281x")]
            run(*pip, source, *needed, remedy=remedy)
        if wheel.suffix == ".whl":  # pip would skip a new wheel with the same version number
            run(*pip, "--force-reinstall", "--no-deps", wheel, remedy=remedy)
        os.sync()  # everything must be on the card before the stamp declares it complete
        write_whole(venv / Path(STAMP).name, fingerprint(source).encode(), mode=0o644)

    def do() -> None:
        venv = spare(root)
        try:
            fill(venv)
        except (Failed, OSError):  # free the space: the card may be full, and games need it
            shutil.rmtree(venv, ignore_errors=True)
            raise

    return Step(f"/{VENV}: the program", lambda: find_environment(source, root) is not None, do)


def requirements() -> list[str]:
    """Return the packages that the program needs only on a Pi."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages: list[str] = project["optional-dependencies"]["pi"]
    return packages


def fingerprint(source: Path) -> str:
    """Return a line that identifies *source*.

    It covers the source's files, the pinned versions, this Python's version, and whether it is a bundle.
    """
    whole = sha256()
    for path in sorted(_files(source)):
        whole.update(f"{path.relative_to(source) if path.is_relative_to(source) else path.name}\0".encode())
        whole.update(path.read_bytes())
    bundle = installed.IN_A_BUNDLE if source.suffix == ".txt" else ""
    return f"{whole.hexdigest()}{bundle} for Python {sys.version_info.major}.{sys.version_info.minor}\n"


def _files(source: Path) -> Iterable[Path]:
    if source.is_file():
        return [source, CHECKOUT / "constraints.txt"]
    paths = [path for name in SOURCES for path in [source / name, *(source / name).rglob("*")]]
    return [path for path in paths if path.is_file() and "__pycache__" not in path.parts]
