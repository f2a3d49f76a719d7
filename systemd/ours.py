"""What on the machine is ours: looked at before the first step, and all that is ever removed.

Folders and commands are found by their names, and a person may have put something of their own under the same
name.  Such a thing is never written over and never removed; it is named, with the remedy.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from slots import SLOTS, VENV, clear
from steps import (
    CHECKOUT,
    COMMAND,
    CONFIG,
    DROP_INS,
    HERE,
    HOME,
    KEPT,
    LINK,
    OLD_STAMP,
    OWN_FILES,
    RESTART_DUE,
    STAMP,
    Failed,
)

from cribpi.companion.update.signature import SIGNERS

KITS: Final = "/etc/cribpi"
"""Where kits of one's own lie, for the service to read."""

HIDDEN: Final = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")  # noqa: S108  named, and never written to
"""Folders that the unit's ProtectHome and PrivateTmp hide from the service."""


def check_home(root: Path, source: Path) -> None:
    """See that the program's folder below *root* is ours or free, and that *source* is not in it.

    Raises:
        Failed: If something of another kind would be lost there.
    """
    home = root / HOME
    for what, path in (("checkout", CHECKOUT), ("wheel", source)):
        if path.resolve().is_relative_to(home.resolve()):
            raise Failed(
                f"the {what} is in {home}, where the program is installed; move it into your own folder,"
                " such as ~/cribpi, and try again from there"
            )
    if home.is_symlink() and not home.exists():
        raise Failed(f"{home} is a link to nowhere; remove it, then try again")
    if home.exists() and not _is_ours(root) and (not home.is_dir() or any(home.iterdir())):
        raise Failed(
            f"{home} is not empty, and was not put there by an installation; move it away, then try again"
        )


def check_command(root: Path) -> None:
    """See that the command's name is free, or ours.

    Raises:
        Failed: If it is somebody's own.
    """
    there = root / LINK
    if (there.exists() or there.is_symlink()) and not is_our_link(there):
        raise Failed(f"{there} is not what an installation put there; move it away, then try again")


def check_kit(kit: str, settings: Path) -> None:
    """See that the service can read *kit*, a name or a path, of which *settings* tell.

    Raises:
        Failed: If it lies where the service sees nothing.
    """
    if "/" not in kit and not kit.endswith(".toml"):
        return
    path = Path(kit)
    remedy = f'copy it to {KITS}/{path.name}, and write kit = "{KITS}/{path.name}"'
    if not path.is_absolute():
        raise Failed(f'{settings}: kit = "{kit}": the service needs the whole path; {remedy}')
    for folder in HIDDEN:
        if path.is_relative_to(folder) or path.resolve().is_relative_to(folder):
            raise Failed(f'{settings}: kit = "{kit}": the service cannot see into {folder}; {remedy}')


def is_our_link(path: Path) -> bool:
    """Return whether *path* is the link that an installation makes."""
    return path.is_symlink() and str(path.readlink()) == COMMAND


def removed(root: Path) -> Iterator[tuple[str, str]]:
    """Remove what is ours below *root* except the games; yield what was ``removed``, and what is ``left``."""
    yield from _command(root)
    yield from _program(root)
    for path in (*(path for _, path in OWN_FILES), SIGNERS, f"{DROP_INS}/pwm.conf"):
        there = root / path
        if path.startswith(DROP_INS) and not _is_same(there, HERE / there.name):
            continue
        if there.exists() or there.is_symlink():
            there.unlink()
            yield "removed", f"/{path}"
    for folder, why in ((CONFIG.rpartition("/")[0], "your own"), (DROP_INS, "your own changes to the unit")):
        yield from _folder(root, folder, why)


def _command(root: Path) -> Iterator[tuple[str, str]]:
    there = root / LINK
    if is_our_link(there):
        there.unlink()
        yield "removed", f"/{LINK}"
    elif there.exists() or there.is_symlink():
        yield "left", f"/{LINK}: an installation did not put it there"


def _program(root: Path) -> Iterator[tuple[str, str]]:
    """Remove the environment, and last what tells that it is ours, so that a removal broken off can go on."""
    if not _is_ours(root):
        if (root / HOME).exists():
            yield "left", f"/{HOME}: an installation did not put it there"
        return
    # An installation is broken off until all of it is gone.
    (root / RESTART_DUE).touch()
    for path in (VENV, *SLOTS, KEPT, f"{KEPT}.new"):
        if (root / path).exists() or (root / path).is_symlink():
            clear(root / path)
            yield "removed", f"/{path}"
    for path in (OLD_STAMP, RESTART_DUE):
        (root / path).unlink(missing_ok=True)
    yield from _folder(root, HOME, "your own")


def _folder(root: Path, folder: str, why: str) -> Iterator[tuple[str, str]]:
    """Remove *folder* if it is empty; else tell what is left in it."""
    there = root / folder
    if not there.is_dir():
        return
    rest = sorted(path.name for path in there.iterdir())
    if rest or there.is_symlink():
        yield "left", f"/{folder}, with {why}: {' '.join(rest) or 'nothing'}"
    else:
        there.rmdir()
        yield "removed", f"/{folder}"


def _is_ours(root: Path) -> bool:
    return any((root / mark).is_file() for mark in (STAMP, OLD_STAMP, RESTART_DUE))


def _is_same(one: Path, other: Path) -> bool:
    return one.is_file() and one.read_bytes() == other.read_bytes()
