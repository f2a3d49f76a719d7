"""What goes wrong with a device, as a sentence for the people at the table."""

from __future__ import annotations

import errno

RETRIES = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds to wait after the first, second, ... consecutive failure; the last one repeats."""

_REMEDIES = {
    errno.ENOENT: "its bus is not there; enable it with raspi-config, then restart",
    errno.ENODEV: "its bus is not there; enable it with raspi-config, then restart",
    errno.EACCES: "no permission to open its bus; add this user to the groups gpio, i2c and spi",
    # Not by the file's mode but by the unit's DeviceAllow, which was resolved when the service started.
    errno.EPERM: "the service may not open its bus, as it started before the kernel had it; restart it",
    errno.EMFILE: "cribpi has too many files open; close some of its pages, and it will open again by itself",
    errno.ENFILE: "the computer has too many files open; stop another program, and it will open again "
    "by itself",
    errno.EBUSY: "another program is using it; stop that program",
    errno.EMSGSIZE: "the frame is longer than the bus takes; raise spidev.bufsiz in "
    "/boot/firmware/cmdline.txt",
}
_ON_I2C = {
    errno.EREMOTEIO: "nothing answers at its address; check its four wires",
    errno.ENXIO: "nothing answers at its address; check its four wires",
    errno.EIO: "the transfer was disturbed; check that its wires are short and firm",
    errno.ETIMEDOUT: "the bus hangs; check its wires, then its power",
}
# Nothing answers on a strip's wire, so that what fails is the Pi's own.
_ON_SPI = "SPI failed ({}), and no wire can cause that; restart the Pi, then update its system"


class DeviceTrouble(Exception):
    """A device is missing or failed; the message names the device, the fault and the remedy."""


def sentence(name: str, error: Exception) -> str:
    """Describe *error* of the device *name* for people, without a full stop.

    >>> sentence("oled", OSError(errno.EREMOTEIO, "Remote I/O error"))
    'oled: nothing answers at its address; check its four wires (error 121)'
    >>> sentence("strip", OSError(errno.ENODEV, "No such device"))
    'strip: its bus is not there; enable it with raspi-config, then restart (error 19)'
    >>> sentence("strip", DeviceTrouble("strip: it does not know this board; set the driver to spi"))
    'strip: it does not know this board; set the driver to spi'
    """
    if isinstance(error, DeviceTrouble):
        return str(error)
    if isinstance(error, OSError) and error.errno is not None:
        remedies = _REMEDIES | (_ON_I2C if name == "oled" else {})
        other = _ON_SPI if name == "strip" else "{}; check its wires"
        remedy = remedies.get(error.errno) or other.format(error.strerror)
        return f"{name}: {remedy} (error {error.errno})"
    return f"{name}: {str(error) or type(error).__name__}; check its wires and settings"
