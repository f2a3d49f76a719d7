"""The Raspberry Pi's model, its pins, its shutdown and restart."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from cribpi.companion.devices.trouble import DeviceTrouble

_MODEL = Path("/proc/device-tree/model")


def pi_model(path: Path = _MODEL) -> str | None:
    """Return the model, such as "Raspberry Pi 4 Model B Rev 1.4"; None if this is not a Raspberry Pi."""
    try:
        model = path.read_bytes().rstrip(b"\0").decode("ascii", "replace")
    except OSError:
        return None
    return model if model.startswith("Raspberry Pi") else None


def open_pins() -> Any:  # noqa: ANN401  gpiozero ships no types
    """Return this Pi's pin factory, always lgpio's; close it to release all pins.

    gpiozero would fall back to another library with only a warning, and that one reports no edges.

    Raises:
        DeviceTrouble: If lgpio is missing, empty or may not open the pins.
    """
    try:
        lgpio = _import_lgpio()
    except ImportError as error:
        raise DeviceTrouble(f"keypad: {error}; install the system's package python3-lgpio") from error
    except OSError as error:
        raise DeviceTrouble(
            f"keypad: lgpio has no place for its pipe ({error}); set LG_WD to a folder that this user may "
            f"write to"
        ) from error
    # lgpio has no wheels for Python 3.13: there pip silently installs 0.0.0.2, an empty module.
    if not hasattr(lgpio, "gpiochip_open"):
        raise DeviceTrouble(
            "keypad: the module lgpio is empty; install the system's package python3-lgpio, "
            "and let the virtual environment see it"
        )
    try:
        factory = import_module("gpiozero.pins.lgpio").LGPIOFactory()
    except Exception as error:  # lgpio.error is not an OSError, and needs lgpio to be named
        raise DeviceTrouble(
            f"keypad: the pins cannot be opened ({error}); add this user to the group gpio"
        ) from error
    factory.pin_class = _sealed(factory.pin_class)
    return factory


def _import_lgpio() -> ModuleType:
    """Import lgpio, which creates a FIFO in the folder `LG_WD` and changes the working directory to it.

    Without `LG_WD` that is the service's runtime directory, or a new temporary one: in a shared folder
    another user's FIFO could be in the way.

    Raises:
        ImportError: If it is not installed.
        OSError: If it cannot create its FIFO.
    """
    if "lgpio" in sys.modules:
        return sys.modules["lgpio"]
    if not os.environ.get("LG_WD"):
        runtime = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
        if not runtime:
            runtime = tempfile.mkdtemp(prefix="cribpi-")
            atexit.register(shutil.rmtree, runtime, ignore_errors=True)
        os.environ["LG_WD"] = runtime
    try:
        here = os.open(".", os.O_PATH | os.O_CLOEXEC)
    except OSError:  # this user may not enter it, as another's home: there is no way back
        here = os.open("/", os.O_PATH | os.O_CLOEXEC)
    try:
        return import_module("lgpio")
    finally:
        os.fchdir(here)
        os.close(here)


def _sealed(pin_class: Any) -> Any:  # noqa: ANN401  gpiozero ships no types
    """Return *pin_class* with callbacks that cannot raise.

    An exception in a callback would end lgpio's only thread, and with it every key.  Ours raise none, but
    gpiozero's own do for an edge that arrives while a pin is being closed.
    """

    class SealedPin(pin_class):  # type: ignore[misc]  # the same
        def _call_when_changed(self, *edge: object) -> None:
            with suppress(Exception):
                super()._call_when_changed(*edge)

    return SealedPin


_LOGIND = "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager"
LOGIND = ("busctl", "--system", "--timeout=15", "call", *_LOGIND)
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
