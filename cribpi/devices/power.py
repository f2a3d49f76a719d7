"""Switching the Pi off in safety, so that its card is at rest when the plug is pulled."""

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
"""Asks logind, without a question to anybody, to switch the machine off.

`systemctl poweroff` asks logind too, but when it is refused goes on to ask systemd itself, and wants to write
to all who are logged in: other rights than the one that the polkit rule gives, and an answer that tells less.
"""

WORDS = "shutting down: unplug the Pi when its green light is out; your game is saved"


def switch_off(command: tuple[str, ...] = COMMAND) -> str:
    """Ask the system to switch itself off; return what to say of it.

    Not tried on a Pi yet.

    Raises:
        DeviceTrouble: If it does not; the text says why, and what does.

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
