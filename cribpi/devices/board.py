"""Which Raspberry Pi this is, if it is one, and its pins."""

from __future__ import annotations

import os
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from cribpi.devices.trouble import DeviceTrouble

_MODEL = Path("/proc/device-tree/model")
_KNOWN_TO_WS281X = ("Zero 2", "Pi 3", "Pi 4", "Compute Module 3", "Compute Module 4")


def pi_model(path: Path = _MODEL) -> str | None:
    """Return the model's name, as "Raspberry Pi 4 Model B Rev 1.4"; None if this is no Raspberry Pi."""
    try:
        model = path.read_bytes().rstrip(b"\0").decode("ascii", "replace")
    except OSError:
        return None
    return model if model.startswith("Raspberry Pi") else None


def is_known_to_ws281x(model: str) -> bool:
    """Return whether the library rpi-ws281x drives this board.

    >>> is_known_to_ws281x("Raspberry Pi 4 Model B Rev 1.4")
    True
    >>> is_known_to_ws281x("Raspberry Pi 5 Model B Rev 1.0")
    False
    """
    return any(name in model for name in _KNOWN_TO_WS281X)


def open_pins() -> Any:  # noqa: ANN401  gpiozero ships no types
    """Return the pin factory of this Pi, which is lgpio's and no other.

    lgpio keeps a file in its working directory: the service's runtime directory, or that of temporary files.

    Raises:
        DeviceTrouble: If lgpio is missing, empty or may not open the pins.
    """
    os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY") or tempfile.gettempdir())
    try:
        lgpio = import_module("lgpio")
        # Where there is no wheel for this Python, an installation gives an empty module.
        if hasattr(lgpio, "gpiochip_open"):
            return import_module("gpiozero.pins.lgpio").LGPIOFactory()
    except ImportError as error:
        raise DeviceTrouble(f"keypad: {error}; install the system's package python3-lgpio") from error
    except Exception as error:  # lgpio.error is no OSError, and cannot be named where it is not installed
        raise DeviceTrouble(
            f"keypad: the pins cannot be opened ({error}); add this user to the group gpio"
        ) from error
    raise DeviceTrouble(
        "keypad: the module lgpio is empty; install the system's package python3-lgpio, "
        "and let the virtual environment see it"
    )
