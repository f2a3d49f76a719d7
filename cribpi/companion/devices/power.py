"""Shutdown and restart of the Pi: its card is idle when the plug is pulled."""

from __future__ import annotations

import subprocess

from cribpi.companion.devices.trouble import DeviceTrouble

LOGIND = (
    "busctl",
    "--system",
    "--timeout=15",
    "call",
    "org.freedesktop.login1",
    "/org/freedesktop/login1",
    "org.freedesktop.login1.Manager",
)
"""Calls logind, without interactive authorization.

Logind asks polkit, which systemd may only have to start for that: seconds on a small board that is busy.

`systemctl poweroff` also asks logind, but if refused goes on to ask systemd itself, and wants to message all
logged-in users: that needs rights beyond the one polkit rule, and its answer says less.
"""

COMMAND = (*LOGIND, "PowerOff", "b", "false")
RESTART = (*LOGIND, "Reboot", "b", "false")

WORDS = "shutting down: unplug the Pi when its green light is out; your game is saved"
RESTARTING = "restarting: your game will be back in a minute"


def switch_off(command: tuple[str, ...] = COMMAND) -> str:
    """Ask the system to power off; return what to say about it.

    Not tried on a Pi yet.

    Raises:
        DeviceTrouble: If it does not; the message has the reason and the remedy.

    >>> switch_off(("false",))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cribpi...DeviceTrouble: the Pi did not shut down (false failed with 1); run sudo poweroff
    """
    _ask(command, "the Pi did not shut down", "run sudo poweroff")
    return WORDS


def restart(command: tuple[str, ...] = RESTART) -> str:
    """Ask the system to restart; return what to say about it.

    Not tried on a Pi yet.

    Raises:
        DeviceTrouble: As for `switch_off`.

    >>> restart(("false",))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cribpi...DeviceTrouble: the Pi did not restart (false failed with 1); run sudo reboot
    """
    _ask(command, "the Pi did not restart", "run sudo reboot")
    return RESTARTING


def _ask(command: tuple[str, ...], failed: str, remedy: str) -> None:
    """Run *command*; if it can't, raise `DeviceTrouble`: what *failed*, why, and the *remedy*."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=20, check=False, text=True)  # noqa: S603  a fixed command
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DeviceTrouble(f"{failed} ({error}); {remedy}") from error
    if done.returncode:
        why = " ".join(done.stderr.split()).removeprefix("Call failed: ").rstrip(".")
        raise DeviceTrouble(f"{failed} ({why or f'{command[0]} failed with {done.returncode}'}); {remedy}")
