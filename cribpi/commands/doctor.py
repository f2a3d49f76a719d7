"""`cribpi doctor`: one line for each thing that can be wrong, and a trial of lights, screen and keys."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from typing import Final

from cribpi.commands.run import kit_of, settings
from cribpi.companion.doctor.checkup import check_all
from cribpi.companion.doctor.machine import Finding, Machine
from cribpi.companion.doctor.trial import try_out
from cribpi.companion.run.bootstrap import pi_chips, twin_chips
from cribpi.companion.run.config import state_folder
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import visible

_WELL, _ILL, _PLAIN = "\033[32m", "\033[31m", "\033[0m"
_NAMES: Final = 14
"""The width of a finding's name in columns."""


def run(options: Namespace) -> int:
    """Print the findings; return 0 if all is well, else 1.

    Raises:
        UserError: If the options exclude each other, or the settings or the kit can't be used.
    """
    is_trial = vars(options)["try"]  # a word of Python's
    if is_trial and options.json:
        raise UserError("--try asks you to press keys: leave out --json")
    if is_trial and options.sim:
        raise UserError("--try is for real lights, screen and keys: run it on the Pi, without --sim")
    machine = Machine()
    config = settings(options.kit, options.port)
    wanted = kit_of(config)
    chips = twin_chips(wanted) if options.sim else pi_chips(wanted)
    is_installed = machine.exists("/etc/systemd/system/cribpi.service")
    games = options.state or (machine.path("/var/lib/cribpi") if is_installed else state_folder())
    findings = check_all(chips, wanted, games, config, machine)
    if options.json:
        checks = [
            {"name": one.name, "well": one.is_well, "says": one.says, "remedy": one.remedy or None}
            for one in findings
        ]
        is_well = all(check["well"] for check in checks)
        print(json.dumps({"well": is_well, "checks": checks}))
    else:
        is_well = True
        for one in findings:
            is_well = _print(one) and is_well
    if is_trial:
        is_well = try_out(chips, wanted, lambda line: print(visible(line), flush=True)) and is_well
    return 0 if is_well else 1


def _print(one: Finding) -> bool:
    """Print a finding, and return whether all is well with it."""
    mark, colour = ("ok", _WELL) if one.is_well else ("FAIL", _ILL)
    shown = f"{mark:<4}"
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        shown = f"{colour}{shown}{_PLAIN}"
    print(f"{shown}  {one.name:<{_NAMES}}{visible(one.says)}", flush=True)
    if one.remedy:
        print(f"      {'':<{_NAMES}}fix: {visible(one.remedy)}", flush=True)
    return one.is_well
