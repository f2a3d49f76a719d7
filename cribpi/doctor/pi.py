"""Checks of a Pi: its board, buses, drivers, permissions and supply.  They read, and change nothing."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Final

from cribpi.app.bootstrap import usb_codes
from cribpi.devices.board import is_known_to_ws281x, pi_model
from cribpi.devices.linux_input import Fit, bits_in_words, fit
from cribpi.devices.strip import BUFFER, chosen_driver
from cribpi.devices.strip_spi import encode
from cribpi.devices.strip_ws281x import spi_bytes
from cribpi.devices.trouble import DeviceTrouble
from cribpi.doctor.finding import Finding, ill, well
from cribpi.doctor.machine import Machine
from cribpi.kit import Kit, UsbKeys

ADDRESSES: Final = (0x3C, 0x3D)
"""The I2C addresses of panels of this kind."""
WHOLE_PICTURE: Final = 1037
"""Bytes on the bus for a whole picture."""
_BITS_A_BYTE: Final = 9  # eight, and the acknowledge bit of I2C
_UNDER_VOLTAGE_NOW, _UNDER_VOLTAGE_SINCE = 0x1, 0x10000
_THROTTLED: Final = "/sys/devices/platform/soc/soc:firmware/get_throttled"
_BOOT: Final = "/boot/firmware/"
_REBOOT: Final = "sudo reboot"


def check_board(machine: Machine) -> Finding:
    """Check which Pi this is."""
    model = pi_model(machine.path("/proc/device-tree/model"))
    if model is None:
        return ill(
            "board",
            "this is not a Raspberry Pi",
            "cribpi run --sim plays on emulated chips; cribpi doctor --sim",
        )
    if "Raspberry Pi 5" not in model and not any(f"Pi {number}" in model for number in ("3", "4", "Zero 2")):
        return ill("board", f"{model}: this board is not one of Zero 2 W, 3, 4 and 5", "use one of those")
    return well("board", model)


def check_gpio(machine: Machine, open_pins: Callable[[], Any]) -> Finding:
    """Check that the GPIO library is complete, and opens the GPIO chip."""
    name = "gpio library"
    try:
        open_pins().close()
    except DeviceTrouble as trouble:
        says = str(trouble).removeprefix("keypad: ")
        if "group gpio" in says:
            return ill(name, says, _join(machine, "gpio"))
        if "LG_WD" in says:
            return ill(name, says, "cd /tmp, and try again there")
        return ill(name, says, "sudo apt update && sudo apt install python3-lgpio")
    return well(name, "lgpio opens the pins")


def _join(machine: Machine, groups: str) -> str:
    """Return the command that adds the user to *groups*."""
    return f"sudo usermod -aG {groups} {machine.user}, then log in again"


def wire_ms(baud: int, size: int = WHOLE_PICTURE) -> float:
    """Return the milliseconds that *size* bytes take on a bus of *baud* bits a second.

    >>> wire_ms(400_000)
    23.3325
    """
    return size * _BITS_A_BYTE * 1000 / baud


def check_bus(machine: Machine, kit: Kit) -> Finding:
    """Check that the OLED's bus exists, may be used, and runs at the kit's speed."""
    name, glass = "i2c bus", kit.glass
    device = f"/dev/i2c-{glass.bus}"
    if not machine.exists(device):
        return ill(name, f"{device} is not there", f"sudo raspi-config nonint do_i2c 0 && {_REBOOT}")
    if not machine.may_use(device):
        return ill(name, f"{device} may not be opened", _join(machine, "i2c"))
    baud = machine.cell(f"/sys/class/i2c-adapter/i2c-{glass.bus}/of_node/clock-frequency")
    if baud is None:
        return well(name, f"{device}; speed unknown")
    says = f"{device} at {baud // 1000} kHz: a whole picture takes {wire_ms(baud):.0f} ms on the wire"
    if baud < glass.baudrate:
        mend = f"echo dtparam=i2c_arm_baudrate={glass.baudrate} | sudo tee -a {_BOOT}config.txt && {_REBOOT}"
        return ill(
            name, f"{says}, {wire_ms(glass.baudrate):.0f} ms at the kit's {glass.baudrate // 1000}", mend
        )
    return well(name, says)


def check_oled(open_bus: Callable[[], Any], kit: Kit) -> Finding:
    """Check which panel answers on the bus, without changing its picture."""
    name, address = "oled", kit.glass.address
    try:
        bus = open_bus()
    except DeviceTrouble as trouble:
        return ill(name, str(trouble).removeprefix("oled: "), "see the i2c bus above")
    try:
        answering = [other for other in (address, *ADDRESSES) if _answers(bus, other)]
    finally:
        bus.deinit()
    if address in answering:
        return well(name, f"a panel answers at {address:#x}")
    if answering:
        says = f"nothing answers at {address:#x}, but a panel does at {answering[0]:#x}"
        return ill(name, says, f"write address = {answering[0]:#x} under [oled] in the kit")
    return ill(
        name, f"nothing answers at {address:#x}", "check its four wires, power first: docs/how-to/trouble.md"
    )


def _answers(bus: Any, address: int) -> bool:  # noqa: ANN401  Blinka ships no types
    while not bus.try_lock():
        pass
    try:
        bus.readfrom_into(address, bytearray(1))
    except OSError:
        return False
    finally:
        bus.unlock()
    return True


def check_spi(machine: Machine, kit: Kit, driver: str) -> Finding:
    """Check that the strip's SPI port exists, may be used, and takes a whole frame."""
    name, device = "spi", "/dev/spidev0.0"
    if kit.strip.gpio != 10:
        return well(name, f"not used: the strip is on GPIO {kit.strip.gpio}")
    if not machine.exists(device):
        return ill(name, f"{device} is not there", f"sudo raspi-config nonint do_spi 0 && {_REBOOT}")
    if not machine.may_use(device):
        return ill(name, f"{device} may not be opened", _join(machine, "spi,gpio"))
    takes, leds = buffer_of(machine), kit.strip.leds
    needs = spi_bytes(leds) if driver == "rpi-ws281x" else len(encode(bytes(3 * leds)))
    if needs > takes:
        mend = f"sudo sed -i '1s/$/ spidev.bufsiz=32768/' {_BOOT}cmdline.txt && {_REBOOT}"
        return ill(name, f"a frame has {needs:,} bytes, and {device} takes {takes:,}", mend)
    return well(name, f"{device} takes {takes:,} bytes, and a frame has {needs:,}")


def check_driver(machine: Machine, kit: Kit, driver: str) -> Finding:
    """Check which driver the strip gets, and that it is available."""
    name = "led driver"
    if driver == "spi":
        return well(name, f"spi, our own encoder, on GPIO 10: {_why_not_ws281x(machine, kit)}")
    if find_spec("rpi_ws281x") is None:
        return ill(
            name,
            "the library rpi-ws281x is not installed",
            "sudo make install; in a checkout: .venv/bin/python -m pip install -e '.[pi]'",
        )
    if kit.strip.gpio != 10 and not machine.is_root:
        says = f"GPIO {kit.strip.gpio} is driven by PWM, which needs root"
        return ill(name, says, "use GPIO 10, or the drop-in in docs/how-to/trouble.md")
    return well(name, f"rpi-ws281x on GPIO {kit.strip.gpio}")


def _why_not_ws281x(machine: Machine, kit: Kit) -> str:
    if kit.strip.driver == "spi":
        return "the kit asks for it"
    model = pi_model(machine.path("/proc/device-tree/model")) or ""
    if not is_known_to_ws281x(model):
        return "rpi-ws281x does not know this board"
    if find_spec("rpi_ws281x") is None:
        return "rpi-ws281x is not installed"
    return "a frame by rpi-ws281x is longer than SPI takes"


def driver_of(machine: Machine, kit: Kit) -> str:
    """Return the strip's driver on this machine."""
    if kit.strip.driver != "auto":
        return kit.strip.driver
    model = pi_model(machine.path("/proc/device-tree/model")) or ""
    has_ws281x = find_spec("rpi_ws281x") is not None
    return chosen_driver(
        model, kit.strip.leds, kit.strip.gpio, has_ws281x=has_ws281x, buffer=buffer_of(machine)
    )


def buffer_of(machine: Machine) -> int:
    """Return the size of spidev's buffer in bytes."""
    return machine.number("/sys/module/spidev/parameters/bufsiz") or BUFFER


def check_groups(machine: Machine, kit: Kit) -> Finding:
    """Check that the user is in the groups of the kit's devices."""
    name = "groups"
    needed = ["gpio", "i2c", "spi"] + ["input"] * isinstance(kit.keypad, UsbKeys)
    missing = [group for group in needed if group not in machine.groups]
    if machine.is_root or not missing:
        return well(name, f"{machine.user} may use {', '.join(needed)}")
    return ill(name, f"{machine.user} is not in {' and '.join(missing)}", _join(machine, ",".join(missing)))


def check_supply(machine: Machine) -> Finding:
    """Check that the supply voltage has held."""
    name, mend = "supply", "use a supply of 5.1 V and 2.5 A or more for the Pi, and another for the strip"
    alarms = [
        machine.number(f"{folder}/in0_lcrit_alarm")
        for folder in machine.matching("/sys/class/hwmon/hwmon*")
        if machine.text(f"{folder}/name") == "rpi_volt"
    ]
    flags = machine.text(_THROTTLED)
    bits = int(flags, 16) if flags else 0
    if any(alarms) or bits & _UNDER_VOLTAGE_NOW:
        return ill(name, "the voltage is too low now", mend)
    if bits & _UNDER_VOLTAGE_SINCE:
        return ill(name, "the voltage has been too low since the start", mend)
    if not alarms and flags is None:
        return ill(
            name, "this Pi does not report its voltage", "vcgencmd get_throttled should say throttled=0x0"
        )
    return well(name, "the voltage has been high enough since the start")


def check_keys(machine: Machine, kit: Kit) -> Finding:
    """Check that the GPIO chip, or the USB keypad, exists and may be used."""
    name = "keys"
    if isinstance(kit.keypad, UsbKeys):
        return _check_pad(machine, kit.keypad)
    chips = machine.matching("/dev/gpiochip*")
    if not chips:
        return ill(name, "there is no /dev/gpiochip", f"sudo apt full-upgrade && {_REBOOT}")
    if not any(machine.may_use(chip) for chip in chips):
        return ill(name, f"{chips[0]} may not be opened", _join(machine, "gpio"))
    return well(name, chips[0])


def _check_pad(machine: Machine, pad: UsbKeys) -> Finding:
    """Check that the USB keypad exists and may be read, by the same search as its driver's."""
    name, codes = "keys", set(usb_codes(pad))
    found: dict[Fit, list[tuple[int, str, str]]] = {one: [] for one in Fit}
    for folder in machine.matching("/sys/class/input/event*"):
        called = machine.text(f"{folder}/device/name") or ""
        try:
            keys = bits_in_words(machine.text(f"{folder}/device/capabilities/key") or "")
        except ValueError:  # unplugged while we looked
            continue
        device = f"/dev/input/{folder.rpartition('/')[2]}"
        found[fit(codes, pad.name, keys, called)].append((len(keys), device, called))
    if not found[Fit.PAD] and found[Fit.KEYBOARD]:
        _, device, called = min(found[Fit.KEYBOARD])
        says = f"no USB keypad found, only a keyboard, which is not used: {called} ({device})"
        return ill(name, says, f'plug the keypad in; if this is it, write name = "{called}" in the kit')
    if not found[Fit.PAD]:
        says = "no USB keypad is plugged in" + (f" that is called {pad.name}" if pad.name else "")
        return ill(name, says, "plug it in; /proc/bus/input/devices lists what is there")
    _, device, called = min(found[Fit.PAD])
    if not machine.may_use(device):
        return ill(name, f"{device} may not be read", _join(machine, "input"))
    return well(name, f"{called} ({device})")
