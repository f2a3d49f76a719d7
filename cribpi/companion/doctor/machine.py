"""What a machine says about itself, who asks it, and what is found about it."""

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
from cribpi.companion.devices.vitals import Files, Problem

_SECONDS: Final = 10.0
"""How long a program may take to print a line."""


def _groups() -> frozenset[str]:
    found = set[str]()
    for number in {*os.getgroups(), os.getegid()}:
        try:
            found.add(grp.getgrgid(number).gr_name)
        except KeyError:  # a group without a name owns no device of ours
            continue
    return frozenset(found)


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


@dataclass(frozen=True, slots=True)
class Machine(Files):
    """The files of a machine below *root*, and who is asking: *user* with *groups*."""

    user: str = field(default_factory=_user)
    groups: frozenset[str] = field(default_factory=_groups)
    label_of: Callable[[Path], str] = label_of
    holder_of: Callable[[Path, int], str] = holder_of
    """The kernel's information on a GPIO chip, and on one of its lines."""

    @property
    def is_root(self) -> bool:
        return self.user == "root"

    @property
    def model(self) -> str | None:
        """The Pi that this is, or None."""
        return pi_model(self.path("/proc/device-tree/model"))

    def printed(self, program: str, *arguments: str) -> str | None:
        """Return what *program*, an absolute path, prints, stripped; None if it isn't there or fails."""
        try:
            done = subprocess.run(  # noqa: S603  a fixed command
                (self.path(program), *arguments), capture_output=True, timeout=_SECONDS, check=True, text=True
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout.strip()

    def may_use(self, name: str) -> bool:
        """Return whether the device *name* may be read and written."""
        return os.access(self.path(name), os.R_OK | os.W_OK, effective_ids=True)


Verdict: TypeAlias = str | Problem
"""What a check returns: a sentence, or what is ill."""


class Finding(NamedTuple):
    """What was found about *name*, and if it is not well the *remedy*, preferably a command."""

    name: str
    says: str
    remedy: str = ""

    @property
    def is_well(self) -> bool:
        return not self.remedy


def finding(name: str, verdict: Verdict) -> Finding:
    return Finding(name, *verdict) if isinstance(verdict, Problem) else Finding(name, verdict)
