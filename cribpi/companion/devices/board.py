"""The Raspberry Pi itself: its model, its pins, shutdown and restart, and its `config.txt`.

The firmware reads `config.txt` from top to bottom.  A section can be limited to a model.  Of several lines
for a setting, the last one counts.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from cribpi.companion.devices.claims import claims
from cribpi.companion.devices.gpio_chips import NoHeader, header_chip, holder_of
from cribpi.companion.devices.supervisor import DeviceTrouble
from cribpi.companion.entry.effect import TableCommand
from cribpi.companion.entry.requests import PowerCommand

_LOG: Final = logging.getLogger(__name__)

_DEVICES: Final = Path("/dev")
_MODEL = Path("/proc/device-tree/model")


def pi_model(path: Path = _MODEL) -> str | None:
    """Return the model, such as "Raspberry Pi 4 Model B Rev 1.4"; None if this is not a Raspberry Pi."""
    try:
        model = path.read_bytes().rstrip(b"\0").decode("ascii", "replace")
    except OSError:
        return None
    return model if model.startswith("Raspberry Pi") else None


def open_pins() -> Any:  # noqa: ANN401  gpiozero ships no types
    """Return gpiozero's pin factory for lgpio on this Pi; close it to release all pins.

    By itself, gpiozero would fall back to another library with only a warning; that one reports no edges.

    Raises:
        DeviceTrouble: If lgpio is missing, is an empty package, or has no permission to open the pins.
    """
    try:
        lgpio = _import_lgpio()
    except ImportError as error:
        raise DeviceTrouble(f"keypad: {error}; install the system package python3-lgpio") from error
    except OSError as error:
        raise DeviceTrouble(
            f"keypad: lgpio can't create its pipe ({error}); set LG_WD to a folder that this user may "
            f"write to"
        ) from error
    # lgpio has no wheels for Python 3.13: pip then installs version 0.0.0.2, an empty module, without notice.
    if not hasattr(lgpio, "gpiochip_open"):
        raise DeviceTrouble(
            "keypad: the module lgpio is empty; install the system package python3-lgpio, "
            "and let the virtual environment see it"
        )
    try:
        chip, _ = header_chip(_DEVICES.glob("gpiochip*"))
        number = int(chip.name.removeprefix("gpiochip"))
        factory = import_module("gpiozero.pins.lgpio").LGPIOFactory(chip=number)
    except NoHeader as none:
        raise DeviceTrouble(
            f"keypad: no GPIO chip is the header's ({none}); sudo apt full-upgrade, and restart the Pi"
        ) from none
    except Exception as error:  # lgpio.error is no OSError, and its name exists only with lgpio
        raise DeviceTrouble(
            f"keypad: the pins cannot be opened ({error}); add this user to the gpio group"
        ) from error
    if factory.chip != number:  # gpiozero before 2.0.1.post3 chooses another chip
        opened = f"gpiochip{factory.chip}"
        factory.close()
        raise DeviceTrouble(f"keypad: gpiozero opens {opened}, and the header is on {chip}; update gpiozero")
    factory.pin_class = _sealed(factory.pin_class, chip)
    return factory


BOOT: Final = ("/boot/firmware", "/boot")
"""Folders of config.txt.

Ubuntu, and Raspberry Pi OS since Bookworm, have the first; older releases and DietPi have the second.
"""


def who_has(gpio: int, holder: str, model: str | None, root: Path = Path("/")) -> tuple[str, str] | None:
    """Return a sentence and its remedy if something else uses *gpio*, otherwise None.

    *holder* is the consumer that the kernel reports; it is empty for a bus such as I2S. *root* is the folder
    with the machine's files.
    """
    for folder in BOOT:
        with suppress(OSError):
            text = (root / f"{folder[1:]}/config.txt").read_text(encoding="utf-8", errors="replace")
            if line := claims(lines_for(text, model)).get(gpio):
                by = f"is held by {holder}" if holder else "belongs to something else"
                where = f"{folder}/config.txt"
                mend = "take that line out and restart the Pi, or use another GPIO"
                return f"GPIO {gpio} {by}: {line} in {where}", mend
            break
    if not holder:
        return None
    return f"GPIO {gpio} is held by {holder}", "stop what uses it, or use another GPIO; gpioinfo lists them"


def _import_lgpio() -> ModuleType:
    """Import lgpio, with a private folder for its FIFO and without a change of the working directory.

    On import, lgpio changes the working directory to the folder in `LG_WD` and creates a FIFO there. If
    `LG_WD` is not set, the service's runtime directory or a new temporary one is used: in a shared folder,
    another user's FIFO could be in the way.

    Raises:
        ImportError: If lgpio is not installed.
        OSError: If lgpio can't create its FIFO.
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
    # Without permission to enter the current folder, such as another user's home, there is no way back.
    except OSError:
        here = os.open("/", os.O_PATH | os.O_CLOEXEC)
    try:
        return import_module("lgpio")
    finally:
        os.fchdir(here)
        os.close(here)


def _sealed(pin_class: Any, chip: Path) -> Any:  # noqa: ANN401  gpiozero ships no types
    """Return *pin_class* for the lines of *chip*, with callbacks that cannot raise.

    An exception in a callback would end lgpio's only thread, and no key would work any more. Our callbacks
    raise none, but gpiozero's own do if an edge arrives while a pin is being closed.

    If config.txt assigns a line to something else, a warning is logged. If a line is already in use, the
    class raises DeviceTrouble.
    """

    class SealedPin(pin_class):  # type: ignore[misc]  # gpiozero ships no types
        def __init__(self, factory: object, info: Any) -> None:  # noqa: ANN401  gpiozero ships no types
            gpio = int(info.name.removeprefix("GPIO"))
            try:
                super().__init__(factory, info)
            except Exception as error:  # lgpio.error is not an OSError, and needs lgpio to be named
                holder = ""
                with suppress(OSError):
                    holder = holder_of(chip, gpio)
                says, mend = who_has(gpio, holder or f"something else ({error})", pi_model()) or ("", "")
                raise DeviceTrouble(f"keypad: {says}; {mend}") from error
            if fault := who_has(gpio, "", pi_model()):
                _LOG.warning("%s; %s", *fault)

        def _call_when_changed(self, *edge: object) -> None:
            with suppress(Exception):
                super()._call_when_changed(*edge)

    return SealedPin


_LOGIND = "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager"
LOGIND = ("busctl", "--system", "--timeout=15", "call", *_LOGIND)
"""The command that calls logind, without interactive authorization.

Logind asks polkit, which systemd may have to start first: that takes seconds on a busy small board.

`systemctl poweroff` is not used.  It asks logind too, but then wants to message all logged-in users, and
after a refusal asks systemd itself.  That needs rights beyond our polkit rule, and its error message says
less.
"""

WORDS = "shutting down: unplug the Pi when its green light is out; your game is saved"
RESTARTING = "restarting: your game will be back in a minute"


def shut_down_or_restart(command: PowerCommand, call: tuple[str, ...] = LOGIND) -> str:
    """Switch the Pi off or restart it with the command *call*, and return the message to show.

    Not tried on a Pi yet.

    Raises:
        DeviceTrouble: If the command fails; the message has the reason and the remedy.

    >>> shut_down_or_restart(TableCommand.SHUT_DOWN, ("false",))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cribpi...DeviceTrouble: the Pi did not shut down (false failed with 1); run sudo poweroff
    """
    is_off = command is TableCommand.SHUT_DOWN
    method = "PowerOff" if is_off else "Reboot"
    message = WORDS if is_off else RESTARTING
    failed = "the Pi did not shut down" if is_off else "the Pi did not restart"
    remedy = "run sudo poweroff" if is_off else "run sudo reboot"
    arguments = (*call, method, "b", "false")
    try:
        done = subprocess.run(arguments, capture_output=True, timeout=20, check=False, text=True)  # noqa: S603  a fixed command
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DeviceTrouble(f"{failed} ({error}); {remedy}") from error
    if done.returncode:
        reason = " ".join(done.stderr.split()).removeprefix("Call failed: ").rstrip(".")
        raise DeviceTrouble(
            f"{failed} ({reason or f'{arguments[0]} failed with {done.returncode}'}); {remedy}"
        )
    return message


FILTERS: Final = (
    ("[pi02]", ("Zero 2",)),
    ("[pi0]", ("Zero",)),
    ("[pi3]", ("Pi 3", "Compute Module 3")),
    ("[pi3+]", ("Pi 3 Model A Plus", "Pi 3 Model B Plus")),
    ("[pi400]", ("Pi 400",)),
    ("[pi4]", ("Pi 4", "Compute Module 4")),
    ("[cm4]", ("Compute Module 4",)),
    ("[pi500]", ("Pi 500",)),
    ("[pi5]", ("Pi 5", "Compute Module 5")),
    ("[cm5]", ("Compute Module 5",)),
)
"""The sections of config.txt for a model, and parts of the names of the models that read them."""

CORE: Final = (
    ("[pi02]", "core_freq", "250"),
    ("[pi3]", "core_freq", "250"),
    ("[pi4]", "core_freq_min", "500"),
)
"""Settings that keep the core clock constant: section, name and value.

The SPI clock is divided from the core clock.  On a Zero 2 W and a Pi 3 the kernel computes the divisor for
400 MHz, but an idle core runs at 250 MHz: a 0 on the strip's wire is then high for 504 ns instead of 315.  On
a Pi 4 an idle core runs at 200 instead of 500 MHz, and a 0 is high for 790 ns.  A WS2812 reads that as a 1:
all LEDs are white.
"""


def is_pi_5(model: str) -> bool:
    """Return whether *model* is a Pi 5 or has its design, in which a separate chip drives the pins.

    >>> is_pi_5("Raspberry Pi 5 Model B Rev 1.0"), is_pi_5("Raspberry Pi 500 Rev 1.0")
    (True, True)
    >>> is_pi_5("Raspberry Pi 4 Model B Rev 1.5")
    False
    """
    return _reads("[pi5]", model)


def core_clock(model: str | None) -> tuple[str, str, str] | None:
    """Return the row of `CORE` for *model*, or None if its SPI clock is constant anyway.

    >>> core_clock("Raspberry Pi Zero 2 W Rev 1.0")
    ('[pi02]', 'core_freq', '250')
    >>> core_clock("Raspberry Pi 5 Model B Rev 1.0")
    """
    if model is None:
        return None
    return next((row for row in CORE if _reads(row[0], model)), None)


def settings_of(text: str, model: str | None) -> dict[str, str]:
    """Return the settings in *text*, a config.txt, for *model*; a parameter of a dtparam is `dtparam NAME`.

    After an overlay, up to an empty `dtoverlay=`, a parameter belongs to the overlay if that has a parameter
    of this name, otherwise to the board.  If it is unclear which, the value is "".
    """
    settings: dict[str, str] = {}
    overlay = ""
    for line in lines_for(text, model):
        for name, value in _settings(line):
            if name == "dtoverlay":
                overlay = value
            elif overlay and name.startswith("dtparam ") and settings.get(name) != value:
                settings[name] = ""
            else:
                settings[name] = value
    return settings


def lines_for(text: str, model: str | None) -> Iterator[str]:
    """Yield the lines of *text*, a config.txt, that set something on *model*, without comments."""
    is_read = True
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("[") and line.endswith("]"):
            section = line.lower()
            is_read = section == "[all]" or (model is not None and _reads(section, model))
        elif is_read and "=" in line:
            yield line


def _reads(section: str, model: str) -> bool:
    """Return whether a board of *model* reads *section*; only sections in `FILTERS` are known."""
    return any(section == name and any(part in model for part in parts) for name, parts in FILTERS)


def _settings(line: str) -> Iterator[tuple[str, str]]:
    """Yield each setting of *line*: one, or the comma-separated parameters of a dtparam."""
    name, _, value = (part.strip() for part in line.partition("="))
    if name != "dtparam":
        yield name, value
        return
    for parameter in value.split(","):
        key, equals, word = (part.strip() for part in parameter.partition("="))
        # A parameter without a value is on.  The firmware accepts two names for the I2C bus.
        key = {"i2c": "i2c_arm", "i2c_baudrate": "i2c_arm_baudrate"}.get(key, key)
        yield (
            f"dtparam {key}",
            {"true": "on", "yes": "on", "": "on"}.get(word.lower(), word) if equals else "on",
        )
