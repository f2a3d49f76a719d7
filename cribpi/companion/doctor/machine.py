"""The machine that is checked: its files and programs, the user's permissions, and the findings."""

from __future__ import annotations

import grp
import os
import pwd
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from cribpi.companion.devices.board import pi_model
from cribpi.companion.devices.gpio_chips import holder_of, label_of
from cribpi.companion.devices.health import Files, Problem

_SECONDS: Final = 10.0
"""Seconds for a program to print a line."""


def _groups() -> frozenset[str]:
    names = set[str]()
    for number in {*os.getgroups(), os.getegid()}:
        try:
            names.add(grp.getgrgid(number).gr_name)
        except KeyError:  # a group without a name owns no device of ours
            continue
    return frozenset(names)


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


@dataclass(frozen=True, slots=True)
class MachineFiles(Files):
    """The files of a machine below *root*, and the *user* with *groups* whose permissions are checked."""

    user: str = field(default_factory=_user)
    groups: frozenset[str] = field(default_factory=_groups)
    label_of: Callable[[Path], str] = label_of
    holder_of: Callable[[Path, int], str] = holder_of
    """Functions that ask the kernel about a GPIO chip, and about one of its lines."""

    @property
    def is_root(self) -> bool:
        return self.user == "root"

    @property
    def model(self) -> str | None:
        """The Pi's model, or None if this is not a Pi."""
        return pi_model(self.path("/proc/device-tree/model"))

    def printed(self, program: str, *arguments: str) -> str | None:
        """Return the stripped output of *program*, an absolute path; None if it is missing or fails."""
        try:
            done = subprocess.run(  # noqa: S603  a fixed command
                (self.path(program), *arguments), capture_output=True, timeout=_SECONDS, check=True, text=True
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout.strip()

    def may_use(self, name: str) -> bool:
        """Return whether the user can read and write the device *name*."""
        return os.access(self.path(name), os.R_OK | os.W_OK, effective_ids=True)


Verdict: TypeAlias = str | Problem
"""The result of a check: a sentence if all is well, else a problem."""


class Finding(NamedTuple):
    """The result of the check *name*; a problem has a *remedy*, preferably a command."""

    name: str
    says: str
    remedy: str = ""

    @property
    def is_well(self) -> bool:
        return not self.remedy


def finding(name: str, verdict: Verdict) -> Finding:
    return Finding(name, *verdict) if isinstance(verdict, Problem) else Finding(name, verdict)
