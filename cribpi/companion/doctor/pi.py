"""Checks of a Pi: board, buses, drivers, permissions, supply, and the configuration for the next boot.

They read, and change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import Any, Final

from cribpi.companion.devices import health
from cribpi.companion.devices.board import BOOT, core_clock, settings_of, who_has
from cribpi.companion.devices.gpio_chips import NoHeader, header_chip
from cribpi.companion.devices.health import Problem
from cribpi.companion.devices.mdns import offering
from cribpi.companion.devices.numpad import MatchQuality, bits_in_words, match_quality
from cribpi.companion.devices.panels import SH1106, chips_of
from cribpi.companion.devices.strip import BUFFER_FILE, Driver, encoding_for, frame_bytes, spi_buffer
from cribpi.companion.devices.strip_wled import HTTP_PORT, SERVICE, address_of, ask, check_leds, dimmed
from cribpi.companion.devices.strip_ws281x import SPI_PIN
from cribpi.companion.devices.supervisor import DeviceTrouble
from cribpi.companion.doctor.machine import MachineFiles, Verdict
from cribpi.companion.installed import again, is_from_bundle
from cribpi.companion.kit import Buttons, Keypad, Kit, UsbKeys
from cribpi.cribbage.rules.grammar import series
from cribpi.cribbage.rules.shown import shown

_BOARDS: Final = (
    *("Pi Zero 2", "Pi 3", "Pi 4", "Pi 5"),
    *("Compute Module 3", "Compute Module 4", "Compute Module 5"),
)
_ADDRESSES: Final = (0x3C, 0x3D)  # I2C addresses of this kind of panel
_WHOLE_PICTURE: Final = 1037  # bytes on the bus
_BITS_A_BYTE: Final = 9  # eight, and the acknowledge bit of I2C
_OURS: Final = "lg"  # the consumer's name of lgpio: cribpi itself while it runs
_REBOOT: Final = "sudo reboot"


def check_board(machine: MachineFiles) -> Verdict:
    model = machine.model
    if model is None:
        mend = "cribpi run --sim plays on emulated chips; cribpi doctor --sim"
        return Problem("this is not a Raspberry Pi", mend)
    if not any(board in model for board in _BOARDS):
        return Problem(f"{model}: this board is not a Zero 2 W, 3, 4 or 5", "use one of those")
    return model


def check_gpio(machine: MachineFiles, open_pins: Callable[[], Any]) -> Verdict:
    """Check that the GPIO library is complete, and can open the GPIO chip."""
    try:
        open_pins().close()
    except DeviceTrouble as trouble:
        says = str(trouble).removeprefix("keypad: ")
        if "gpio group" in says:
            return Problem(says, _join(machine, "gpio"))
        if "the header" in says:  # this message has its own remedy
            return Problem(*says.rsplit("; ", 1))
        if "LG_WD" in says:
            return Problem(says, "cd /tmp, and try again there")
        return Problem(says, "sudo apt update && sudo apt install python3-lgpio")
    return "lgpio opens the pins"


def _join(machine: MachineFiles, groups: str) -> str:
    return f"sudo usermod -aG {groups} {machine.user}, then log in again"


def _boot_file(machine: MachineFiles, name: str) -> str:
    """Return the path of the boot file *name*, even if it does not exist."""
    folder = next((folder for folder in BOOT if machine.exists(f"{folder}/config.txt")), BOOT[0])
    return f"{folder}/{name}"


def _added(machine: MachineFiles, *lines: str) -> str:
    """Return the command that adds *lines* to config.txt and restarts.

    Not every system has raspi-config, and it may write below the section of another board.
    """
    words = " ".join(map(quote, lines))
    return f"printf '%s\\n' {words} | sudo tee -a {_boot_file(machine, 'config.txt')} && {_REBOOT}"


def _with_parameter(machine: MachineFiles, parameter: str) -> str:
    """Return the command that sets a *parameter* of the board itself, and not of an overlay before it."""
    return _added(machine, "[all]", "dtoverlay=", f"dtparam={parameter}")


def _unusable(machine: MachineFiles, device: str, parameter: str, groups: str) -> Problem | None:
    """Return the problem that keeps the user from *device*, if any.

    The device exists if the board's *parameter* is on, and is accessible to members of *groups*.
    """
    if not machine.exists(device):
        return Problem(f"{device} is not there", _with_parameter(machine, f"{parameter}=on"))
    if not machine.may_use(device):
        return Problem(f"no permission to open {device}", _join(machine, groups))
    return None


def picture_ms(baud: int) -> float:
    """Return the milliseconds for a whole picture on a bus of *baud* bits per second.

    >>> picture_ms(400_000)
    23.3325
    """
    return _WHOLE_PICTURE * _BITS_A_BYTE * 1000 / baud


def check_bus(machine: MachineFiles, kit: Kit) -> Verdict:
    """Check that the OLED's bus exists, is accessible, and runs at the kit's speed."""
    bus, wanted = kit.glass.bus, kit.glass.baudrate
    device = f"/dev/i2c-{bus}"
    if ill := _unusable(machine, device, "i2c_arm", "i2c"):
        return ill
    baud = machine.cell(f"/sys/class/i2c-adapter/i2c-{bus}/of_node/clock-frequency")
    if baud is None:
        return f"{device}; speed unknown"
    says = f"{device} at {baud // 1000} kHz: a full picture takes {picture_ms(baud):.0f} ms"
    if baud < wanted:
        mend = _with_parameter(machine, f"i2c_arm_baudrate={wanted}")
        return Problem(f"{says}, {picture_ms(wanted):.0f} ms at the kit's {wanted // 1000}", mend)
    return says


def check_oled(open_bus: Callable[[], Any], kit: Kit) -> Verdict:
    """Check for a panel on the bus, without changing its picture."""
    address = kit.glass.address
    try:
        bus = open_bus()
    except DeviceTrouble as trouble:
        return Problem(str(trouble).removeprefix("oled: "), "see the i2c bus above")
    try:
        statuses = {other: _status(bus, other) for other in (address, *_ADDRESSES)}
    finally:
        bus.deinit()
    status = statuses.pop(address)
    if status is not None:
        return _chip_verdict(f"a panel answers at {address:#x}", status, kit.glass.panel)
    silent = f"nothing answers at {address:#x}"
    if answering := [other for other, answer in statuses.items() if answer is not None]:
        mend = f"write address = {answering[0]:#x} under [oled] in the kit"
        return Problem(f"{silent}, but a panel does at {answering[0]:#x}", mend)
    return Problem(silent, "check its four wires, power first: docs/how-to/trouble.md")


def _status(bus: Any, address: int) -> int | None:  # noqa: ANN401  Blinka ships no types
    """Return the status byte of the panel at *address*; None if no panel answers."""
    status = bytearray(1)
    while not bus.try_lock():
        pass
    try:
        bus.readfrom_into(address, status)
    except OSError:
        return None
    finally:
        bus.unlock()
    return status[0]


def _chip_verdict(answers: str, status: int, panel: str) -> Verdict:
    """Compare a panel's chip, by its *status*, with the kit's *panel*; the text begins with *answers*."""
    chips = chips_of(status)
    if not chips:
        return f"{answers}; its status, {status:#04x}, does not show which chip it has"
    says = f"{answers}; its status, {status:#04x}, is that of an {' or '.join(chips)}"
    if panel in chips:
        return says
    if chips == (SH1106,):
        mend = f'write panel = "{SH1106}" under [oled] in the kit or the settings'
        return Problem(f"{says}, and the kit says {panel}: the picture is shifted, or stays dark", mend)
    return f"{says}, and the kit says {panel}: fine, unless the picture is shifted"


def _on_another(kit: Kit) -> str:
    """Return the verdict for a check of SPI if the strip is not on SPI."""
    gpio = kit.strip.gpio
    return "not used: the strip is on " + ("a WLED controller" if gpio is None else f"GPIO {gpio}")


def check_spi(machine: MachineFiles, kit: Kit, driver: Driver) -> Verdict:
    """Check that the strip's SPI port exists, is accessible, and takes a whole frame."""
    device, leds = "/dev/spidev0.0", kit.strip.leds
    if kit.strip.gpio != SPI_PIN:
        return _on_another(kit)
    if ill := _unusable(machine, device, "spi", "spi,gpio"):
        return ill
    takes, needs = spi_buffer(machine.path(BUFFER_FILE)), frame_bytes(leds, driver)
    if needs > takes:
        says = f"a frame has {needs:,} bytes, and {device} takes {takes:,}"
        if driver == "spi" and encoding_for(leds, takes).frame_bytes(leds) <= takes:
            says += ": the lights get a shorter code, which some LEDs misread"
        mend = f"sudo sed -i '1s/$/ spidev.bufsiz=32768/' {_boot_file(machine, 'cmdline.txt')} && {_REBOOT}"
        return Problem(says, mend)
    return f"{device} takes {takes:,} bytes, and a frame has {needs:,}"


def check_driver(machine: MachineFiles, kit: Kit, driver: Driver) -> Verdict:
    """Check that the strip's driver is available."""
    if driver == "spi":
        return f"cribpi's own encoder, on GPIO {kit.strip.gpio}"
    if kit.strip.host is not None:
        return check_wled(kit.strip.host, kit.strip.leds)
    if find_spec("rpi_ws281x") is None:
        mend = again(machine.root)
        if not is_from_bundle(machine.root):
            mend += "; in a checkout: .venv/bin/python -m pip install -e '.[pi]'"
        return Problem("the library rpi-ws281x is not installed", mend)
    if kit.strip.gpio != SPI_PIN and not machine.is_root:
        says = f"GPIO {kit.strip.gpio} is driven by PWM, which needs root"
        return Problem(says, f"use GPIO {SPI_PIN}, or the drop-in in docs/how-to/trouble.md")
    return f"rpi-ws281x, on GPIO {kit.strip.gpio}"


def check_wled(
    host: str, leds: int, port: int = HTTP_PORT, find: Callable[[str], Mapping[str, str]] = offering
) -> Verdict:
    """Check that the WLED controller *host* answers, drives *leds* LEDs or more, and does not alter frames.

    Otherwise the problem names the controllers that *find* finds.
    """
    try:
        address = address_of(host)
        info = ask(host, address, port=port)
        check_leds(info, host, leds)
    except DeviceTrouble as trouble:
        says, _, mend = str(trouble).removeprefix("strip: ").partition("; ")
        others = [f"{name} ({at})" for name, at in find(SERVICE).items() if name != host]
        return Problem(f"{says}; found here: {' and '.join(others)}" if others else says, mend)
    if notice := dimmed(host, address, info, port=port):
        says, _, mend = notice.removeprefix("strip: ").partition("; ")
        return Problem(says, mend)
    return f"WLED on {host} ({address}), called {shown(info.name, str)}, set to {info.leds} LEDs"


def check_groups(machine: MachineFiles, kit: Kit) -> Verdict:
    """Check that the user is in the groups of the kit's devices."""
    needed = ["gpio", "i2c"]
    if kit.strip.gpio is not None:
        needed.append("spi")
    if isinstance(kit.keypad, UsbKeys):
        needed.append("input")
    missing = [group for group in needed if group not in machine.groups]
    if machine.is_root or not missing:
        return f"{machine.user} may use {', '.join(needed)}"
    return Problem(f"{machine.user} is not in {' and '.join(missing)}", _join(machine, ",".join(missing)))


def check_supply(machine: MachineFiles) -> Verdict:
    if problem := health.power(machine):
        return problem
    bits = health.firmware_bits(machine)
    if bits is None and not health.voltage_alarms(machine):
        return Problem(
            "this Pi does not report its voltage", "vcgencmd get_throttled should print throttled=0x0"
        )
    if (bits or 0) & health.UNDER_VOLTAGE_SINCE:
        return Problem("the voltage has been too low since the start", health.SUPPLY)
    return "the voltage has been high enough since the start"


def check_heat(machine: MachineFiles) -> Verdict:
    if problem := health.heat(machine):
        return problem
    degrees = health.degrees(machine)
    return (
        "this Pi does not report its temperature"
        if degrees is None
        else f"the processor is at {degrees} degrees"
    )


def check_card(machine: MachineFiles) -> Verdict:
    return health.card(machine) or "no card errors since the last file system check"


def check_keys(machine: MachineFiles, kit: Kit) -> Verdict:
    """Check that the GPIO chip, or the USB keypad, exists and is accessible."""
    if isinstance(kit.keypad, UsbKeys):
        return _check_pad(machine, kit.keypad)
    chips = machine.matching("/dev/gpiochip*")
    if not chips:
        return Problem("there is no /dev/gpiochip", f"sudo apt full-upgrade && {_REBOOT}")
    if not any(map(machine.may_use, chips)):
        return Problem(f"no permission to open {chips[0]}", _join(machine, "gpio"))
    try:
        chip, label = header_chip(map(machine.path, chips), machine.label_of)
    except NoHeader as none:
        return Problem(f"no GPIO chip is the header's: {none}", f"sudo apt full-upgrade && {_REBOOT}")
    except OSError as refused:
        return Problem(f"the GPIO chips can't be asked ({refused.strerror})", _join(machine, "gpio"))
    return f"/dev/{chip.name} ({label})"


def _pins(kit: Kit) -> dict[int, str]:
    """Return the GPIOs of *kit*, each with its use."""
    uses = {kit.glass.data: "the OLED's SDA", kit.glass.clock: "the OLED's SCL"}
    if kit.glass.reset is not None:
        uses[kit.glass.reset] = "the OLED's RES"
    if kit.strip.gpio is not None:
        uses[kit.strip.gpio] = "the lights"
    match kit.keypad:
        case Keypad(rows, columns):
            uses.update(dict.fromkeys((*rows, *columns), "the keys"))
        case Buttons(pins):
            uses.update({gpio: key for key, gpio in pins})
    return uses


def check_pins(machine: MachineFiles, kit: Kit) -> Verdict:
    """Check that no line of config.txt and no other program uses a GPIO of the kit."""
    chip: Path | None = None
    with suppress(OSError, NoHeader):
        chip, _ = header_chip(map(machine.path, machine.matching("/dev/gpiochip*")), machine.label_of)
    pins = _pins(kit)
    for gpio, what in sorted(pins.items()):
        holder = ""
        with suppress(OSError):
            holder = machine.holder_of(chip, gpio) if chip else ""
        if fault := who_has(gpio, "" if holder == _OURS else holder, machine.model, machine.root):
            says, mend = fault
            return Problem(f"{what}: {says}", mend)
    return f"nothing else has GPIO {series([str(gpio) for gpio in sorted(pins)])}"


def _check_pad(machine: MachineFiles, pad: UsbKeys) -> Verdict:
    """Check that the USB keypad exists and is readable, by the same search as the driver's."""
    candidates = []
    for folder in machine.matching("/sys/class/input/event*"):
        called = machine.text(f"{folder}/device/name") or ""
        with suppress(ValueError):  # unplugged while we looked
            keys = bits_in_words(machine.text(f"{folder}/device/capabilities/key") or "")
            quality = match_quality(set(pad.by_code), pad.name, keys, called)
            candidates.append((quality, len(keys), f"/dev/input/{folder.rpartition('/')[2]}", called))
    quality, _, device, called = min(candidates, default=(MatchQuality.NONE, 0, "", ""))
    if quality is MatchQuality.PAD and not machine.may_use(device):
        return Problem(f"no permission to read {device}", _join(machine, "input"))
    if quality is MatchQuality.PAD:
        return f"{called} ({device})"
    if quality is MatchQuality.KEYBOARD:
        says = f"no USB keypad found, only a keyboard, which is not used: {called} ({device})"
        return Problem(says, f'plug the keypad in; if this is it, write name = "{called}" in the kit')
    says = "no USB keypad is plugged in" + (f" that is called {pad.name}" if pad.name else "")
    return Problem(says, "plug it in; /proc/bus/input/devices lists what is there")


_UNIT: Final = "/etc/systemd/system/cribpi.service"
_LOADER: Final = "systemd-modules-load.service"  # loads kernel modules; the service must start after it
_LISTS: Final = ("/etc/modules", "/etc/modules-load.d/*.conf", "/usr/lib/modules-load.d/*.conf")
_GPIOMEM: Final = "raspberrypi-gpiomem"


def check_clock(machine: MachineFiles, kit: Kit) -> Verdict:
    """Check that the core clock is constant: SPI's clock, and so the strip's timing, is divided from it."""
    if kit.strip.gpio != SPI_PIN:
        return _on_another(kit)
    clock = core_clock(machine.model)
    if clock is None:
        return "this board's SPI has its own clock"
    section, setting, value = clock
    wanted = f"{setting}={value}"
    path = _boot_file(machine, "config.txt")
    mend = _added(machine, section, wanted, "[all]")
    text = machine.text(path)
    if text is None:
        return Problem(f"{path} can't be read; it should contain {wanted}", mend)
    if settings_of(text, machine.model).get(setting) != value:
        return Problem(
            f"{wanted} is missing from {path}: the strip may flicker, or stay white when idle", mend
        )
    now, target = _core_mhz(machine), int(value)
    if now is not None and not (target - 5 <= now and (now <= target + 5 or setting.endswith("_min"))):
        says = f"{path} says {wanted}, but the core runs at {now} MHz: the strip may flicker, or stay white"
        return Problem(f"{says}; has the Pi been restarted since?", _REBOOT)
    return f"{path} says {wanted}, which keeps the strip's timing" + (f"; it is {now} MHz now" if now else "")


def _core_mhz(machine: MachineFiles) -> int | None:
    """Return the core's frequency in MHz as measured by the firmware; None if it can't be asked.

    `vcgencmd` uses /dev/vcio, which is open to the group video (Raspberry Pi's documentation of it).
    """
    line = machine.printed("/usr/bin/vcgencmd", "measure_clock", "core")
    match = re.fullmatch(r"frequency\(\d+\)=(\d+)", line or "")
    return round(int(match[1]) / 1_000_000) if match and match[1] != "0" else None


def modules_for(kit: Kit, driver: Driver) -> tuple[str, ...]:
    """Return the kernel modules that must be loaded before the service starts.

    The unit's DeviceAllow is resolved once, when the service starts: access to a device whose kind the kernel
    does not know by then fails with EPERM for as long as the service runs.
    """
    if kit.strip.gpio != SPI_PIN:
        return ("i2c-dev",)
    return ("i2c-dev", "spidev", _GPIOMEM) if driver == "rpi-ws281x" else ("i2c-dev", "spidev")


def check_modules(machine: MachineFiles, kit: Kit, driver: Driver) -> Verdict:
    """Check that the service, if installed, starts after its devices' modules are loaded."""
    unit = machine.text(_UNIT)
    if unit is None:
        return "no service is installed here to wait for them"
    needed, listed = modules_for(kit, driver), set(_listed(machine))
    unlisted = [
        module for module in needed if _known_as(module) not in listed and not _is_built_in(machine, module)
    ]
    if unlisted:
        which = " and ".join(unlisted)
        says = f"{which} may be loaded only after the service starts, which then can't use the device"
        return Problem(says, again(machine.root))
    afters = [line.removeprefix("After=").split() for line in unit.split("\n") if line.startswith("After=")]
    if not any(_LOADER in after for after in afters):
        return Problem(f"the service does not wait for {_LOADER}", again(machine.root))
    missing = [module for module in needed if not is_loaded(machine, module)]
    if missing:
        mend = f"sudo modprobe -a {' '.join(missing)} && sudo systemctl restart cribpi"
        return Problem(f"{' and '.join(missing)} should have been loaded at the start", mend)
    return f"{', '.join(needed)}: before the service starts"


def is_loaded(machine: MachineFiles, module: str) -> bool:
    """Return whether the kernel has *module*, loaded or built in."""
    return machine.exists(f"/sys/module/{_known_as(module)}") or _is_built_in(machine, module)


def _is_built_in(machine: MachineFiles, module: str) -> bool:
    release = machine.text("/proc/sys/kernel/osrelease") or ""
    files = (machine.text(f"/lib/modules/{release}/modules.builtin") or "").split()
    return _known_as(module) in {_known_as(Path(file).name.partition(".")[0]) for file in files}


def _known_as(module: str) -> str:
    """Return the kernel's name of *module*, with underscores for dashes."""
    return module.replace("-", "_")


def _listed(machine: MachineFiles) -> Iterator[str]:
    """Yield the modules that configuration files load at boot."""
    for path in chain.from_iterable(map(machine.matching, _LISTS)):
        for line in (machine.text(path) or "").splitlines():
            word = line.strip()
            if word and word[0] not in "#;":
                yield _known_as(word)
