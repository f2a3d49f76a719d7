"""Updates from the git checkout that cribpi was installed from."""

from __future__ import annotations

import os
import pwd
import re
import subprocess
from pathlib import Path
from typing import Any, Final

from cribpi.companion.installed import Source
from cribpi.companion.update.news import News, new_lines
from cribpi.companion.update.signature import SIGNERS
from cribpi.cribbage.rules.errors import UserError

_SECONDS: Final = 600.0
"""Timeout for git in seconds. `_QUIET` makes it give up earlier on a stalled connection."""

# git and ssh must not ask for input, because an update may run unattended.
_QUIET: Final = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes -o ConnectTimeout=30",
    "GIT_HTTP_LOW_SPEED_LIMIT": "100",
    "GIT_HTTP_LOW_SPEED_TIME": "60",
    "LC_ALL": "C.UTF-8",
}
_RUN: Final = ("cribpi", "hardware", "systemd")
"""Folders whose files root would run or install."""
_VERSION: Final = re.compile(r'^version = "([^"]+)"', re.MULTILINE)


class GitFailed(Exception):
    """git has failed. The message is a line of its error output."""


def git(folder: Path, *words: str) -> str:
    """Run git in *folder* and return its stripped output.

    Root runs it as the folder's owner, as git requires.

    Raises:
        GitFailed: If git fails or times out.
        UserError: If git is not installed.
    """
    whose: dict[str, Any] = {}
    environ = os.environ | _QUIET
    status = folder.stat()
    if os.getuid() == 0 and status.st_uid != 0:
        whose = {"user": status.st_uid, "group": status.st_gid, "extra_groups": ()}
        try:
            environ["HOME"] = pwd.getpwuid(status.st_uid).pw_dir
        except KeyError:
            environ["HOME"] = "/"
    try:
        done = subprocess.run(  # noqa: S603  fixed commands
            ("git", "-C", str(folder), *words),  # noqa: S607  found on the PATH
            capture_output=True, text=True, check=True, timeout=_SECONDS, env=environ, **whose,
        )  # fmt: skip
    except FileNotFoundError:
        raise UserError("git is not installed: sudo apt install git") from None
    except subprocess.TimeoutExpired:
        raise GitFailed(f"no answer in {_SECONDS / 60:.0f} minutes") from None
    except subprocess.CalledProcessError as failed:
        lines = [line for line in failed.stderr.splitlines() if line.strip()]
        raise GitFailed(lines[0] if lines else f"git {words[0]} failed") from None
    return str(done.stdout).strip()


def source_at(folder: Path, revision: str = "HEAD") -> Source:
    """Return the source of *revision* in the checkout *folder*.

    Raises:
        GitFailed: If *folder* is not a checkout, or has no such revision.
    """
    commit, _, date = git(folder, "log", "-1", "--format=%H %cI", revision).partition(" ")
    match = _VERSION.search(git(folder, "show", f"{commit}:pyproject.toml"))
    return Source(match[1] if match else "", commit, date, str(folder))


def newer(installed: Source, root: Path) -> News | None:
    """Fetch the branch of the checkout that *installed* came from.

    Return its news, or None if there are none.

    Raises:
        UserError: If the branch can't be fetched, or the checkout has local changes or untracked files.
    """
    folder = Path(installed.checkout)
    if not (folder / ".git").exists():
        raise UserError(
            f"{folder}, which cribpi was installed from, is not a git checkout any more: "
            "give a bundle, or install from a new checkout with sudo make install"
        )
    if os.geteuid() not in {0, folder.stat().st_uid}:
        raise UserError(f"only its owner and root can fetch into {folder}: sudo cribpi update --check")
    try:
        if changed := git(folder, "status", "--porcelain", "--untracked-files=no"):
            first = changed.splitlines()[0].split()[-1]
            raise UserError(f"{folder} has local changes, such as {first}: git stash keeps them")
        if others := git(folder, "ls-files", "--others", "--exclude-standard", *_RUN):
            first = others.splitlines()[0]
            raise UserError(
                f"{folder} has a file that is not cribpi's, {first}, which would be installed too: "
                "move it away"
            )
        try:
            branch = git(folder, "rev-parse", "--abbrev-ref", "@{upstream}")
        except GitFailed:
            raise UserError(
                f"{folder} follows no branch: git -C {folder} branch --set-upstream-to=origin/main"
            ) from None
        try:
            git(folder, "fetch", "--quiet")
        except GitFailed as failed:
            raise UserError(
                f"{branch} can't be fetched ({failed}): check the network, or give a bundle on a stick"
            ) from None
        if (own := git(folder, "rev-list", "--count", f"{branch}..HEAD")) != "0":
            raise UserError(
                f"{folder} has {own} commits that {branch} lacks: git -C {folder} rebase {branch}, "
                "then sudo make install"
            )
        latest = source_at(folder, branch)
        if latest.commit == installed.commit:
            return None
        _check_signer(folder, latest, root)
        changes = new_lines(git(folder, "show", f"{branch}:CHANGELOG.md"), root)
    except GitFailed as failed:
        raise UserError(f"{folder}: {failed}: check it with git -C {folder} status") from None

    def prepare() -> tuple[str, ...]:
        try:
            git(folder, "merge", "--ff-only", "--quiet", latest.commit)
        except GitFailed as failed:
            raise UserError(f"{folder} can't be updated to {branch}: {failed}") from None
        return "/usr/bin/python3", str(folder / "systemd" / "install.py")

    return News(latest, changes, prepare)


def _check_signer(folder: Path, source: Source, root: Path) -> None:
    """Verify the signature of the commit *source*.

    Without a list of trusted keys below *root*, any commit is accepted.

    Raises:
        UserError: If the commit is not signed by a trusted key.
    """
    if not (root / SIGNERS).exists():
        return
    signers = f"gpg.ssh.allowedSignersFile={root / SIGNERS}"
    openssh = ("-c", "gpg.format=ssh", "-c", "gpg.ssh.program=ssh-keygen", "-c", signers)
    try:
        git(folder, *openssh, "verify-commit", source.commit)
    except GitFailed:
        raise UserError(
            f"commit {source.commit[:7]} is signed by nobody in {root / SIGNERS}: see git -C {folder} log "
            "--show-signature; without that file, its remote is trusted"
        ) from None
