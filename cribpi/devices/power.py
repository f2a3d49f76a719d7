"""Shutdown of the Pi, so that its card is idle when the plug is pulled."""

from __future__ import annotations

import subprocess

from cribpi.devices.trouble import DeviceTrouble

COMMAND = (
    "busctl",
    "--system",
    "--timeout=5",
    "call",
    "org.freedesktop.login1",
    "/org/freedesktop/login1",
    "org.freedesktop.login1.Manager",
    "PowerOff",
    "b",
    "false",
)
"""Asks logind to power off, without interactive authorization.

`systemctl poweroff` also asks logind, but if refused goes on to ask systemd itself, and wants to message all
logged-in users: that needs rights beyond the one polkit rule, and its answer says less.
"""

WORDS = "shutting down: unplug the Pi when its green light is out; your game is saved"


def switch_off(command: tuple[str, ...] = COMMAND) -> str:
    """Ask the system to power off; return what to say about it.

    Not tried on a Pi yet.

    Raises:
        DeviceTrouble: If it does not; the message has the reason and the remedy.

    >>> switch_off(("false",))
    Traceback (most recent call last):
    cribpi.devices.trouble.DeviceTrouble: the Pi did not shut down (false failed with 1); run sudo poweroff
    """
    try:
        done = subprocess.run(command, capture_output=True, timeout=10, check=False, text=True)  # noqa: S603  a fixed command
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DeviceTrouble(f"the Pi did not shut down ({error}); run sudo poweroff") from error
    if done.returncode:
        why = " ".join(done.stderr.split()).removeprefix("Call failed: ").rstrip(".")
        why = why or f"{command[0]} failed with {done.returncode}"
        raise DeviceTrouble(f"the Pi did not shut down ({why}); run sudo poweroff")
    return WORDS
