"""Switching the Pi off in safety, so that its card is at rest when the plug is pulled."""

from __future__ import annotations

import subprocess

COMMAND = ("systemctl", "poweroff")


def switch_off(command: tuple[str, ...] = COMMAND) -> str:
    """Ask the system to switch itself off; return what to say of it.

    Not tried on a Pi yet.

    >>> switch_off(("false",))
    'the Pi does not switch off (false failed with 1); run sudo poweroff'
    """
    try:
        done = subprocess.run(command, capture_output=True, timeout=10, check=False)  # noqa: S603  a fixed command
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the Pi does not switch off ({error}); run sudo poweroff"
    if done.returncode:
        return f"the Pi does not switch off ({command[0]} failed with {done.returncode}); run sudo poweroff"
    return "switching off: pull the plug when the Pi's green light is out"
