"""A strip on a WLED controller: frames are sent by DDP, and the controller is polled.

DDP is the Distributed Display Protocol of 3waylabs (http://www.3waylabs.com/ddp/): UDP packets to port 4048,
with a header of ten bytes. WLED accepts 8-bit RGB, shows the frame when a packet has the push flag, and
returns to its own effects 2.5 s after the last packet (`realtimeTimeoutMs`).

UDP does not reveal whether the controller receives the packets. So its JSON API
(https://kno.wled.ge/interfaces/json-api/) is polled, which also shows whether WLED dims the frames (`bri`) or
shows its own light instead (`lor`).

Not tried with a real controller yet.
"""

from __future__ import annotations

import errno
import json
import socket
import struct
import threading
import time
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol

from cribpi.companion.devices import mdns
from cribpi.companion.devices.strip_ws281x import NAME, check_frame
from cribpi.companion.devices.supervisor import DeviceTrouble

SERVICE: Final = "_wled._tcp"
"""The service by which controllers are found on a network."""
DDP_PORT: Final = 4048
HTTP_PORT: Final = 80

PART: Final = 1440
"""Maximum bytes of colours in a packet, for 480 LEDs: the packet fits in an Ethernet frame."""
_HEADER: Final = struct.Struct(">BBBBIH")  # flags, sequence, type, destination, offset and length of the data
_VERSION_1, _PUSH = 0x40, 0x01
_RGB_OF_8_BITS: Final = 0x0B
_DISPLAY: Final = 1
_SEQUENCE: Final = 15
"""The highest sequence number; the next one is 1, because 0 means that packets are not numbered."""

ASK_EVERY: Final = 5.0
"""Seconds between two polls of a controller that answers."""
ASK_AGAIN: Final = 1.0
"""Seconds until the next poll after a failed one.  After two in a row the controller counts as gone."""
PATIENCE: Final = 3.0
"""Timeout in seconds for a whole answer, which usually takes 0.1."""
_SEND_TIMEOUT: Final = 1.0
_LONGEST_ANSWER: Final = 32_768  # in bytes; an answer has some 1,500

_POWER: Final = "check its power and its Wi-Fi"


class ControllerInfo(NamedTuple):
    """A controller's own report: its name, its number of LEDs, and how it alters frames."""

    name: str
    leds: int
    is_on: bool = True
    brightness: int = 255
    is_overridden: bool = False
    """Whether WLED is set to ignore the frames and show its own light."""


def address_of(host: str) -> str:
    """Return the current IPv4 address of the name *host*.

    This may block for as long as the system's resolver takes.

    Raises:
        DeviceTrouble: If the name has no address.
    """
    try:
        addresses = socket.getaddrinfo(host, DDP_PORT, socket.AF_INET, socket.SOCK_DGRAM)
    except (OSError, UnicodeError) as error:
        # Not every system's resolver supports mDNS.
        if host.endswith(".local") and (address := mdns.address_of(host)) is not None:
            return address
        raise DeviceTrouble(
            f"{NAME}: no WLED controller is called {host} here; {_POWER}, or write its address as strip.host"
        ) from error
    return str(addresses[0][4][0])


def ask(host: str, address: str, *, port: int = HTTP_PORT, seconds: float = PATIENCE) -> ControllerInfo:
    """Return the report of the controller *host* at *address*; wait for at most *seconds*.

    Raises:
        DeviceTrouble: If it does not answer, or if it is not WLED.
    """
    try:
        report = _json_of(address, port, seconds, "si")
    except OSError as error:
        raise DeviceTrouble(unreachable(host, error)) from error
    try:
        own, state = report["info"], report["state"]
        info = ControllerInfo(
            str(own["name"]),
            own["leds"]["count"],
            bool(state.get("on", True)),
            int(state.get("bri", 255)),
            bool(state.get("lor", 0)),
        )
    except (ValueError, TypeError, LookupError, AttributeError):
        info = ControllerInfo("", -1)
    if type(info.leds) is not int or info.leds < 0:
        raise DeviceTrouble(f"{NAME}: {host} answers, but is not WLED; correct strip.host in the kit")
    return info


def dimmed(host: str, address: str, info: ControllerInfo, *, port: int = HTTP_PORT) -> str | None:
    """Return an error message if the controller *host* does not show frames unchanged, otherwise None."""
    if info.is_overridden:
        return f"{NAME}: {host} shows its own light instead; on WLED's page, end the override of live data"
    if info.is_on and info.brightness >= 255:
        return None
    with suppress(OSError, TypeError, LookupError):
        if _json_of(address, port, PATIENCE, "cfg")["if"]["live"]["maxbri"] is True:
            return None
    how = f"dimmed to {round(100 * info.brightness / 255)} %" if info.is_on else "switched off"
    return f"{NAME}: {host} is {how} in WLED; under Config, Sync Interfaces, turn on Force max brightness"


def _json_of(address: str, port: int, seconds: float, what: str) -> dict[str, Any]:
    """Return the JSON object at */json/what* of a controller; {} if the answer is something else.

    Raises:
        OSError: If no answer comes in time.
    """
    head, _, body = _got(address, port, seconds, what).partition(b"\r\n\r\n")
    value = None
    with suppress(ValueError, RecursionError):
        value = json.loads(body)
    return value if isinstance(value, dict) and head.split()[1:2] == [b"200"] else {}


def _got(address: str, port: int, seconds: float, what: str) -> bytes:
    """Return the answer to a GET of */json/what*, cut off after `_LONGEST_ANSWER` bytes or a few more.

    Raises:
        OSError: If it does not arrive in time.
    """
    until, answer = time.monotonic() + seconds, b""
    with socket.create_connection((address, port), seconds) as line:
        line.sendall(f"GET /json/{what} HTTP/1.0\r\nHost: {address}\r\n\r\n".encode())
        while len(answer) < _LONGEST_ANSWER:
            if (remaining := until - time.monotonic()) <= 0:
                raise TimeoutError
            line.settimeout(remaining)
            if not (more := line.recv(4096)):
                break
            answer += more
    return answer


def unreachable(host: str, error: OSError) -> str:
    """Return the error message, with the remedy, for a controller *host* that can't be reached."""
    if error.errno in {errno.EPERM, errno.EACCES}:
        return f"{NAME}: the service has no access to {host}; install cribpi again, which allows it"
    if error.errno in {errno.ENETUNREACH, errno.ENETDOWN}:
        return f"{NAME}: this computer has no network connection to {host}; connect it"
    return f"{NAME}: the WLED controller {host} does not answer; {_POWER}"


def check_leds(info: ControllerInfo, host: str, leds: int) -> None:
    """Check that the controller *host* is configured for at least *leds* LEDs, according to *info*.

    Raises:
        DeviceTrouble: If it is configured for fewer.
    """
    if info.leds < leds:
        raise DeviceTrouble(
            f"{NAME}: {host} is set to {info.leds} LEDs, and the kit has {leds}; set {leds} in WLED: Config, "
            f"LED Preferences"
        )


class PacketLink(Protocol):
    """A link that sends packets to a controller, or to the twin's; it may raise OSError or DeviceTrouble.

    *notice* is the reason why the controller does not show frames unchanged, or None.
    """

    @property
    def notice(self) -> str | None: ...

    def send(self, packet: bytes) -> int:
        """Send *packet* and return how many bytes were sent."""

    def close(self) -> None:
        """Close the link."""


class NetworkLink:
    """A link by UDP to a controller, and a thread that polls the controller.

    Args:
        host: The controller's name in messages.
        address: The controller's IPv4 address.
        ports: The controller's ports for DDP and HTTP.
        every: Seconds to the next poll: after a poll with an answer, and after one without.
        info: The controller's latest report.

    Raises:
        OSError: If there is no route to *address*.
    """

    def __init__(
        self,
        host: str,
        address: str,
        ports: tuple[int, int],
        every: tuple[float, float],
        info: ControllerInfo,
    ) -> None:
        self.notice = dimmed(host, address, info, port=ports[1])
        self._info = info
        self._question = host, address, ports[1]
        self._every, self._again = every
        self._trouble: DeviceTrouble | None = None
        self._end = threading.Event()
        self._out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        try:
            self._out.settimeout(_SEND_TIMEOUT)
            # Connected, so that the kernel reports a port on which nothing listens.
            self._out.connect((address, ports[0]))
        except OSError:
            self._out.close()
            raise
        threading.Thread(target=self._watch, name="ask the strip's controller", daemon=True).start()

    def send(self, packet: bytes) -> int:
        """Send *packet* and return how many bytes were sent.

        Raises:
            OSError: If the network rejects the packet, or nothing listens on that port.
            DeviceTrouble: If the controller has not answered the last two polls.
        """
        if self._trouble is not None:
            raise self._trouble
        return self._out.send(packet)

    def close(self) -> None:
        """Close the socket, and end the thread after its pending poll."""
        self._end.set()
        self._out.close()

    def _watch(self) -> None:
        host, address, port = self._question
        missed: DeviceTrouble | None = None
        while not self._end.wait(self._every if missed is None else self._again):
            try:
                info = ask(host, address, port=port)
            except DeviceTrouble as trouble:
                if missed is not None:
                    self._trouble = trouble
                    return
                missed = trouble
            else:
                missed = None
                # `dimmed` may read the long configuration, so it is called only if its result may change.
                if self.notice is not None or info != self._info:
                    self.notice, self._info = dimmed(host, address, info, port=port), info


class WledStrip:
    """The strip on the controller behind *link*; *host* is its name in messages."""

    def __init__(self, leds: int, link: PacketLink, host: str) -> None:
        self._leds = leds
        self._link = link
        self._host = host
        self._sequence = 0

    def show(self, rgb: bytes) -> None:
        """Show *rgb*: red, green and blue of each LED, 0 to 255.

        Raises:
            ValueError: If *rgb* is not three bytes for each LED of the strip.
            DeviceTrouble: If the controller is known to be gone.
        """
        check_frame(rgb, self._leds)
        for at in range(0, len(rgb), PART):
            part = rgb[at : at + PART]
            self._sequence = self._sequence % _SEQUENCE + 1
            flags = _VERSION_1 | (_PUSH if at + PART >= len(rgb) else 0)
            header = _HEADER.pack(flags, self._sequence, _RGB_OF_8_BITS, _DISPLAY, at, len(part))
            try:
                self._link.send(header + part)
            except OSError as error:
                raise DeviceTrouble(unreachable(self._host, error)) from error

    @property
    def notice(self) -> str | None:
        """The reason why the controller does not show frames unchanged, with the remedy, or None."""
        return self._link.notice

    def close(self) -> None:
        """Close the link; the controller shows its own effects after 2.5 s."""
        self._link.close()


def open_wled(
    leds: int,
    host: str,
    ports: tuple[int, int] = (DDP_PORT, HTTP_PORT),
    every: tuple[float, float] = (ASK_EVERY, ASK_AGAIN),
) -> WledStrip:
    """Return the strip of *leds* LEDs on the controller *host*, a name or an address.

    Raises:
        DeviceTrouble: If the controller is not found, does not answer, or is set to fewer LEDs.
    """
    address = address_of(host)
    info = ask(host, address, port=ports[1])
    check_leds(info, host, leds)
    try:
        return WledStrip(leds, NetworkLink(host, address, ports, every, info), host)
    except OSError as error:
        raise DeviceTrouble(unreachable(host, error)) from error
