"""`cribpi doctor`: one line for each thing that can be wrong, and a trial of lights, screen and keys."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TextIO

from cribpi.app.config import state_folder
from cribpi.commands.run import kit_of, settings
from cribpi.doctor.checkup import check_all, chips_for
from cribpi.doctor.finding import Finding
from cribpi.doctor.machine import Machine
from cribpi.doctor.trial import try_out

_WELL, _ILL, _PLAIN = "\033[32m", "\033[31m", "\033[0m"
_NAMES: Final = 14
"""The width of a finding's name in columns."""


def doctor(
    *,
    is_sim: bool,
    kit: str | None,
    port: int | None,
    state: Path | None,
    is_trial: bool,
    is_json: bool,
    out: TextIO,
    machine: Machine | None = None,
) -> int:
    """Print the findings; return 0 if all is well, else 1.

    Raises:
        CommandError: If the settings or the kit can't be used.
    """
    machine = machine or Machine()
    config = settings(kit, port)
    wanted = kit_of(config)
    chips = chips_for(wanted, is_sim=is_sim)
    findings = check_all(chips, wanted, state or _games(machine), config.port, machine)
    if is_json:
        return _as_json(findings, out)
    is_well = _as_lines(findings, out)
    if is_trial:
        is_well = try_out(chips, wanted, lambda line: print(line, file=out, flush=True)) and is_well
    return 0 if is_well else 1


def _games(machine: Machine) -> Path:
    """Return the state folder: that of the installed companion, if there is one."""
    is_installed = machine.exists("/etc/systemd/system/cribpi.service")
    return machine.path("/var/lib/cribpi") if is_installed else state_folder()


def _as_json(findings: Iterable[Finding], out: TextIO) -> int:
    found = list(findings)
    checks = [
        {"name": one.name, "well": one.is_well, "says": one.says, "remedy": one.remedy or None}
        for one in found
    ]
    is_well = all(one.is_well for one in found)
    print(json.dumps({"well": is_well, "checks": checks}), file=out)
    return 0 if is_well else 1


def _as_lines(findings: Iterable[Finding], out: TextIO) -> bool:
    """Print each finding as it comes, and return whether all is well."""
    colours = out.isatty() and "NO_COLOR" not in os.environ
    is_well = True
    for one in findings:
        is_well = is_well and one.is_well
        mark, colour = ("ok", _WELL) if one.is_well else ("FAIL", _ILL)
        shown = f"{colour}{mark:<4}{_PLAIN}" if colours else f"{mark:<4}"
        print(f"{shown}  {one.name:<{_NAMES}}{one.says}", file=out, flush=True)
        if one.remedy:
            print(f"      {'':<{_NAMES}}fix: {one.remedy}", file=out, flush=True)
    return is_well
