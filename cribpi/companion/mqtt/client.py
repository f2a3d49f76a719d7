"""A client of the broker according to the settings; and the reason if the broker refuses this board.

The codes: https://docs.oasis-open.org/mqtt/mqtt/v5.0/os/mqtt-v5.0-os.html#_Toc3901031
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from cribpi.companion.mqtt.broker import Broker
from cribpi.cribbage.rules.errors import UserError

if TYPE_CHECKING:
    from paho.mqtt.client import Client

T = TypeVar("T")

UNSPECIFIED: Final = 128
NOT_ALLOWED: Final = 135
TAKEN_OVER: Final = 142
TOO_LARGE: Final = 149
FULL: Final = 151

LARGEST: Final = 8_192
"""The largest message in bytes, in both directions; most have less than a tenth of that."""

UNREAD: Final = 16 * 1024
"""Size in bytes of the buffer for unread data from the broker."""

PASSING: Final = frozenset((145, FULL))
"""Temporary refusals: the same message may be accepted a second later."""


class Diagnosis(NamedTuple):
    """A problem and its remedy, if one is known."""

    says: str
    remedy: str = ""

    def __str__(self) -> str:
        """Return both as one sentence, without a full stop."""
        return f"{self.says}: {self.remedy}" if self.remedy else self.says


TOO_SMALL: Final = Diagnosis(
    "its limit is too small for this board",
    f"set max_packet_size or message_size_limit there to {LARGEST:,} or more",
)
TURNED_AWAY: Final = Diagnosis(
    "it hangs up without an answer",
    "check whether it is full, and whether its port expects TLS (tls in [mqtt])",
)
"""Mosquitto over its `max_connections`, or TLS on one side only."""
SILENT: Final = Diagnosis("it does not answer")
FLOODING: Final = Diagnosis("it sends more than a board can hear", "check who may write there")

_CONNECTION: Final = {
    # Also paho's code for an end without one. Mosquitto 2.0.11 sends none if a session is taken over, or if a
    # message exceeds its message_size_limit.
    UNSPECIFIED: Diagnosis(
        "it has hung up without saying why",
        "if this keeps happening, check whether another board is called {board}, and whether it accepts "
        f"messages of {LARGEST:,} bytes",
    ),
    132: Diagnosis("it does not speak MQTT 5"),
    133: Diagnosis("it refuses the name {board}", "choose another name, as board in [mqtt]"),
    134: Diagnosis("it refuses the user or the password", "check user and password_file in [mqtt]"),
    NOT_ALLOWED: Diagnosis(
        "it does not let this board in", "check user and password_file in [mqtt], and its access list"
    ),
    136: Diagnosis("it is out of service for now"),
    137: Diagnosis("it is busy"),
    138: Diagnosis("it has banned this board"),
    139: Diagnosis("it is shutting down"),
    141: Diagnosis("it has not answered for too long"),
    TAKEN_OVER: Diagnosis(
        "another program has connected as {board}", "give each board its own name, as board in [mqtt]"
    ),
    TOO_LARGE: TOO_SMALL,
    FULL: Diagnosis("it is full for now"),
    152: Diagnosis("its administrator closed the connection"),
    156: Diagnosis("it points to another broker"),
    157: Diagnosis("it has moved", "set host in [mqtt] to where it is now"),
    159: Diagnosis("too many clients are connecting to it at once"),
}

_MESSAGE: Final = {
    UNSPECIFIED: Diagnosis("it refuses {topic} and gives no reason", "see its log"),
    131: Diagnosis("its own rules refuse {topic}", "see its log"),
    NOT_ALLOWED: Diagnosis("it does not let this board write {topic}", "see its access list"),
    144: Diagnosis("it does not accept the topic {topic}", "choose another prefix or board in [mqtt]"),
    145: Diagnosis("it still has an earlier message with the same number"),
    FULL: Diagnosis("it is full for now, and does not accept {topic}"),
    153: Diagnosis("it does not accept the format of {topic}", "see its settings"),
}


def why_ended(reason: Any) -> Diagnosis:  # noqa: ANN401  paho's
    """Return the reason why a connection was refused or has ended, with {board} still to be filled in."""
    return _CONNECTION.get(reason.value, Diagnosis(f"the connection has ended ({str(reason).lower()})"))


def why_refused(topic: str, reason: Any) -> str:  # noqa: ANN401  paho's
    why = _MESSAGE.get(reason.value, Diagnosis(f"it refuses {{topic}} ({str(reason).lower()})"))
    return str(why).format(topic=topic)


LACKING: Final = Diagnosis("cribpi's mqtt extra is missing", "install paho-mqtt 2.1 or newer")


class BrokerUnavailable(UserError):
    """The broker can't be reached, or refuses this board; the message omits the broker's name."""

    def __init__(self, reason: Diagnosis | str, *, is_final: bool = False) -> None:
        """Set the reason; if *is_final*, a retry is of no use until somebody fixes it."""
        super().__init__(str(reason))
        self.why = reason if isinstance(reason, Diagnosis) else Diagnosis(reason)
        self.is_final = is_final


def new_client(broker: Broker, name: str, seconds: float) -> Client:
    """Return a client for *broker* called *name*, not yet connected; it waits *seconds* for a connection.

    Raises:
        BrokerUnavailable: If a file that the settings name can't be read.
        ImportError: If paho is missing, or too old.
    """
    from paho.mqtt import client as mqtt  # noqa: PLC0415  the extra `mqtt`
    from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415  the extra `mqtt`; Debian 12's paho has none

    client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=mqtt.MQTTv5)
    client.connect_timeout = seconds
    client.on_socket_open = _read_little
    password = _of_file(broker.password, broker.password_file)
    context = _of_file(broker.context, "a file of [mqtt]")
    if broker.user:
        client.username_pw_set(broker.user, password)
    if context is not None:
        client.tls_set_context(context)
    return client


def _read_little(_client: Client, _data: Any, line: Any) -> None:  # noqa: ANN401  paho's
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD)


def connect(client: Client, broker: Broker, keepalive: int) -> None:
    """Connect and send the request to log in.

    Raises:
        BrokerUnavailable: If the broker can't be reached, or its certificate can't be trusted.
    """
    from paho.mqtt.packettypes import PacketTypes  # noqa: PLC0415  the extra `mqtt`
    from paho.mqtt.properties import Properties  # noqa: PLC0415  the extra `mqtt`

    takes = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    takes.MaximumPacketSize = LARGEST
    try:
        client.connect(broker.host, broker.at, keepalive=keepalive, properties=takes)
    except ssl.SSLCertVerificationError as bad:
        says = f"its certificate can't be trusted ({bad.verify_message.rstrip('.')})"
        raise BrokerUnavailable(
            Diagnosis(says, "check ca in [mqtt], and write host as in the certificate")
        ) from None
    except ssl.SSLError as bad:
        raise BrokerUnavailable(
            Diagnosis(f"it can't be reached with TLS ({bad.reason or bad})", "check port in [mqtt]")
        ) from None
    except (OSError, ValueError) as bad:
        raise BrokerUnavailable(f"it can't be reached ({getattr(bad, 'strerror', None) or bad})") from None


def ask(broker: Broker, seconds: float) -> Diagnosis | None:
    """Return the reason why the broker refuses this board, or None if it accepts it; publish nothing.

    It waits *seconds* for a connection, and as long for an answer.
    """
    results: list[Diagnosis | None] = []

    def on_connect(_client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:  # noqa: ANN401  paho's
        results.append(why_ended(reason) if reason.is_failure else None)

    try:
        # A different name from the board's own: of two connections by one name a broker ends the earlier.
        client = new_client(broker, f"{broker.prefix}-{broker.board}-doctor", seconds)
        client.on_connect = on_connect
        client.on_disconnect = lambda *_: results.append(TURNED_AWAY)
        connect(client, broker, keepalive=10)
        until = time.monotonic() + seconds
        while not results and time.monotonic() < until:
            client.loop(0.1)
        answer = results[0] if results else SILENT  # before the disconnect adds a result
        client.disconnect()
    except ImportError:
        return LACKING
    except BrokerUnavailable as away:
        return away.why
    return answer


def _of_file(read: Callable[[], T], file: str) -> T:
    """Return the result of *read*, or raise BrokerUnavailable with the name of the unreadable file."""
    try:
        return read()
    except (OSError, ValueError) as bad:
        name = getattr(bad, "filename", None) or file
        reason = getattr(bad, "strerror", None) or getattr(bad, "reason", None) or bad
        raise BrokerUnavailable(f"{name} can't be read ({reason})") from None
