"""`cribpi doctor`: check the installation, and with --try test lights, screen and keys."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from typing import Final

from cribpi.commands.run import kit_of, settings
from cribpi.companion.doctor.checkup import check_all
from cribpi.companion.doctor.machine import Finding, MachineFiles
from cribpi.companion.doctor.trial import try_out
from cribpi.companion.run.bootstrap import pi_chips, twin_chips
from cribpi.companion.run.config import state_folder
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import visible

_WELL, _ILL = "\033[32m", "\033[31m"
_PLAIN: Final = "\033[0m"
_NAMES: Final = 14
"""Width of the column of names."""


def run(options: Namespace) -> int:
    """Print all findings. Return exit code 0 if all are ok, otherwise 1.

    Raises:
        UserError: If options contradict each other, or the settings or the kit can't be used.
    """
    is_trial = vars(options)["try"]  # `try` is a reserved word
    if is_trial and options.json:
        raise UserError("--try asks you to press keys: leave out --json")
    if is_trial and options.sim:
        raise UserError("--try is for real lights, screen and keys: run it on the Pi, without --sim")
    machine = MachineFiles()
    config = settings(options.kit, options.port)
    kit = kit_of(config)
    chips = twin_chips(kit) if options.sim else pi_chips(kit)
    is_installed = machine.exists("/etc/systemd/system/cribpi.service")
    games = options.state or (machine.path("/var/lib/cribpi") if is_installed else state_folder())
    findings = check_all(chips, kit, games, config, machine)
    if options.json:
        checks = [
            {"name": each.name, "well": each.is_well, "says": each.says, "remedy": each.remedy or None}
            for each in findings
        ]
        is_well = all(check["well"] for check in checks)
        print(json.dumps({"well": is_well, "checks": checks}))
    else:
        is_well = True
        for finding in findings:
            is_well = _print(finding) and is_well
    if is_trial:
        is_well = try_out(chips, kit, lambda line: print(visible(line), flush=True)) and is_well
    return 0 if is_well else 1


def _print(finding: Finding) -> bool:
    """Print *finding*, and return whether it is ok."""
    mark, colour = ("ok", _WELL) if finding.is_well else ("FAIL", _ILL)
    status = f"{mark:<4}"
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        status = f"{colour}{status}{_PLAIN}"
    print(f"{status}  {finding.name:<{_NAMES}}{visible(finding.says)}", flush=True)
    if finding.remedy:
        print(f"      {'':<{_NAMES}}fix: {visible(finding.remedy)}", flush=True)
    return finding.is_well
