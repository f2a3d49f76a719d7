"""Ownership checks: only files created by an installation are overwritten or removed.

The user may have other files under the same names. An error names such a file and a remedy.
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
"""Folder for the user's own kits. The service can read it."""

HIDDEN: Final = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")  # noqa: S108  never written to
"""Folders hidden from the service by the unit's ProtectHome and PrivateTmp."""


def check_home(root: Path, source: Path) -> None:
    """Check that the program's folder below *root* is free or an installation's, and *source* is not in it.

    Raises:
        Failed: If installing would overwrite other files.
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
    """Check that the command's name is free, or is the link of an installation.

    Raises:
        Failed: If another file has that name.
    """
    link = root / LINK
    if (link.exists() or link.is_symlink()) and not is_our_link(link):
        raise Failed(f"{link} is not what an installation put there; move it away, then try again")


def check_kit(kit: str, settings: Path) -> None:
    """Check that the service can read *kit*, a name or a path in the file *settings*.

    Raises:
        Failed: If the path is relative, or hidden from the service.
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
    """Return whether *path* is the command's link as created by an installation."""
    return path.is_symlink() and str(path.readlink()) == COMMAND


def removed(root: Path) -> Iterator[tuple[str, str]]:
    """Remove an installation's files below *root* except the games.

    Yield "removed" or "left", and each path.
    """
    yield from _command(root)
    yield from _program(root)
    for path in (*(path for _, path in OWN_FILES), SIGNERS, f"{DROP_INS}/pwm.conf"):
        file = root / path
        if path.startswith(DROP_INS) and not _is_same(file, HERE / file.name):
            continue
        if file.exists() or file.is_symlink():
            file.unlink()
            yield "removed", f"/{path}"
    for folder, why in ((CONFIG.rpartition("/")[0], "your own"), (DROP_INS, "your own changes to the unit")):
        yield from _folder(root, folder, why)


def _command(root: Path) -> Iterator[tuple[str, str]]:
    link = root / LINK
    if is_our_link(link):
        link.unlink()
        yield "removed", f"/{LINK}"
    elif link.exists() or link.is_symlink():
        yield "left", f"/{LINK}: an installation did not put it there"


def _program(root: Path) -> Iterator[tuple[str, str]]:
    """Remove the program. Its marks are removed last, so that an interrupted removal can be continued."""
    if not _is_ours(root):
        if (root / HOME).exists():
            yield "left", f"/{HOME}: an installation did not put it there"
        return
    # This marks the folder as an interrupted installation until everything is removed.
    (root / RESTART_DUE).touch()
    for path in (VENV, *SLOTS, KEPT, f"{KEPT}.new"):
        if (root / path).exists() or (root / path).is_symlink():
            clear(root / path)
            yield "removed", f"/{path}"
    for path in (OLD_STAMP, RESTART_DUE):
        (root / path).unlink(missing_ok=True)
    yield from _folder(root, HOME, "your own")


def _folder(root: Path, folder: str, why: str) -> Iterator[tuple[str, str]]:
    """Remove *folder* if it is empty. Otherwise yield the names of its files."""
    path = root / folder
    if not path.is_dir():
        return
    rest = sorted(file.name for file in path.iterdir())
    if rest or path.is_symlink():
        yield "left", f"/{folder}, with {why}: {' '.join(rest) or 'nothing'}"
    else:
        path.rmdir()
        yield "removed", f"/{folder}"


def _is_ours(root: Path) -> bool:
    return any((root / mark).is_file() for mark in (STAMP, OLD_STAMP, RESTART_DUE))


def _is_same(path: Path, original: Path) -> bool:
    return path.is_file() and path.read_bytes() == original.read_bytes()
