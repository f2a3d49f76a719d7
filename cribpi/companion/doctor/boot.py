"""Checks of what is fixed at boot: the core clock, and the kernel modules loaded before the service."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from cribpi.companion.devices.boot_config import core_clock, settings_of
from cribpi.companion.devices.strip import Driver
from cribpi.companion.devices.strip_ws281x import SPI_PIN
from cribpi.companion.doctor.finding import Problem, Verdict
from cribpi.companion.doctor.machine import Machine
from cribpi.companion.installed import again
from cribpi.companion.kit import Kit

_UNIT: Final = "/etc/systemd/system/cribpi.service"
_LOADER: Final = "systemd-modules-load.service"  # loads kernel modules; the service must start after it
_CONFIGS: Final = ("/boot/firmware/config.txt", "/boot/config.txt")
_LISTS: Final = ("/etc/modules", "/etc/modules-load.d/*.conf", "/usr/lib/modules-load.d/*.conf")
_GPIOMEM: Final = "raspberrypi-gpiomem"


def check_clock(machine: Machine, kit: Kit) -> Verdict:
    """Check that the core clock, from which SPI's is divided, stays constant, as the strip's timing needs."""
    if kit.strip.gpio != SPI_PIN:
        return f"not used: the strip is on GPIO {kit.strip.gpio}"
    clock = core_clock(machine.model)
    if clock is None:
        return "this board's SPI has its own clock"
    section, setting, value = clock
    wanted = f"{setting}={value}"
    path = next(filter(machine.exists, _CONFIGS), _CONFIGS[0])
    mend = f"printf '%s\\n' '{section}' {wanted} '[all]' | sudo tee -a {path} && sudo reboot"
    text = machine.text(path)
    if text is None:
        return Problem(f"{path} can't be read; it should say {wanted}", mend)
    if settings_of(text, machine.model).get(setting) != value:
        return Problem(f"{path} does not say {wanted}: the strip may flicker, or be all white at rest", mend)
    return f"{path} says {wanted}, which keeps the strip's timing"


def modules_for(kit: Kit, driver: Driver) -> tuple[str, ...]:
    """Return the kernel modules that must be loaded before the service starts.

    The unit's DeviceAllow is resolved once, when the service starts: a device of a kind the kernel does not
    know yet is refused, with EPERM, for as long as it runs.
    """
    if kit.strip.gpio != SPI_PIN:
        return ("i2c-dev",)
    return ("i2c-dev", "spidev", _GPIOMEM) if driver == "rpi-ws281x" else ("i2c-dev", "spidev")


def check_modules(machine: Machine, kit: Kit, driver: Driver) -> Verdict:
    """Check that the service, if installed, starts after the modules of its devices."""
    unit = machine.text(_UNIT)
    if unit is None:
        return "no service is installed here to wait for them"
    needed, listed = modules_for(kit, driver), set(_listed(machine))
    unlisted = [one for one in needed if _known_as(one) not in listed and not _is_built_in(machine, one)]
    if unlisted:
        which = " and ".join(unlisted)
        says = f"{which} may be loaded only after the service starts, which then can't use the device"
        return Problem(says, again(machine.root))
    afters = [line.removeprefix("After=").split() for line in unit.split("\n") if line.startswith("After=")]
    if not any(_LOADER in after for after in afters):
        return Problem(f"the service does not wait for {_LOADER}", again(machine.root))
    missing = [one for one in needed if not is_loaded(machine, one)]
    if missing:
        mend = f"sudo modprobe -a {' '.join(missing)} && sudo systemctl restart cribpi"
        return Problem(f"{' and '.join(missing)} should have been loaded at the start", mend)
    return f"{', '.join(needed)}: before the service starts"


def is_loaded(machine: Machine, module: str) -> bool:
    """Return whether the kernel has *module*, loaded or built in."""
    return machine.exists(f"/sys/module/{_known_as(module)}") or _is_built_in(machine, module)


def _is_built_in(machine: Machine, module: str) -> bool:
    release = machine.text("/proc/sys/kernel/osrelease") or ""
    files = (machine.text(f"/lib/modules/{release}/modules.builtin") or "").split()
    return _known_as(module) in {_known_as(Path(file).name.partition(".")[0]) for file in files}


def _known_as(module: str) -> str:
    """Return the kernel's name of *module*, with underscores for dashes."""
    return module.replace("-", "_")


def _listed(machine: Machine) -> Iterator[str]:
    """Yield the modules that configuration files load at boot."""
    for path in chain.from_iterable(map(machine.matching, _LISTS)):
        for line in (machine.text(path) or "").splitlines():
            word = line.strip()
            if word and word[0] not in "#;":
                yield _known_as(word)
