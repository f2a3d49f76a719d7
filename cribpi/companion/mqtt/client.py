"""A client of the broker, as the settings say; and whether the broker lets this board in."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cribpi.companion.mqtt import reasons
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.reasons import Why

if TYPE_CHECKING:
    from paho.mqtt.client import Client

T = TypeVar("T")

LACKING: Final = Why("cribpi's extra mqtt is missing", "install paho-mqtt 2.1 or newer")


class BrokerUnavailable(Exception):
    """The broker can't be reached, or does not want to; the message says why, without the broker's name."""

    def __init__(self, why: Why | str, *, is_final: bool = False) -> None:
        """Say *why*; if *is_final*, trying again soon is no use: somebody has to fix it."""
        super().__init__(str(why))
        self.why = why if isinstance(why, Why) else Why(why)
        self.is_final = is_final


def new_client(broker: Broker, name: str, seconds: float) -> Client:
    """Return a client for *broker* by this *name*, not yet connected; it waits so long for a connection.

    Raises:
        BrokerUnavailable: If a file that the settings name can't be read.
        ImportError: If paho is missing, or too old.
    """
    from paho.mqtt import client as mqtt  # noqa: PLC0415  the extra `mqtt`
    from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415  as above; Debian 12's paho has none

    client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=mqtt.MQTTv5)
    client.connect_timeout = seconds
    password = _of_file(broker.password, broker.password_file)
    context = _of_file(broker.context, "a file of [mqtt]")
    if broker.user:
        client.username_pw_set(broker.user, password)
    if context is not None:
        client.tls_set_context(context)
    return client


def connect(client: Client, broker: Broker, keepalive: int) -> None:
    """Connect, as far as asking to be let in.

    Raises:
        BrokerUnavailable: If the broker can't be reached, or does not show a certificate to trust.
    """
    try:
        client.connect(broker.host, broker.at, keepalive=keepalive)
    except ssl.SSLCertVerificationError as bad:
        says = f"its certificate is not to be trusted ({bad.verify_message.rstrip('.')})"
        raise BrokerUnavailable(
            Why(says, "see ca in [mqtt], and give host as the certificate has it")
        ) from None
    except ssl.SSLError as bad:
        raise BrokerUnavailable(
            Why(f"it can't be reached by TLS ({bad.reason or bad})", "see port in [mqtt]")
        ) from None
    except (OSError, ValueError) as bad:
        raise BrokerUnavailable(f"it can't be reached ({getattr(bad, 'strerror', None) or bad})") from None


def ask(broker: Broker, seconds: float) -> Why | None:
    """Return why the broker does not let this board in, or None if it does; nothing is told to it.

    It waits *seconds* for a connection, and as long for an answer.
    """
    heard: list[Why | None] = []

    def on_connect(_client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:  # noqa: ANN401  paho's
        heard.append(reasons.why_ended(reason) if reason.is_failure else None)

    def on_disconnect(_client: Client, _data: Any, _flags: Any, _reason: Any, _more: Any) -> None:  # noqa: ANN401  paho's
        heard.append(reasons.TURNED_AWAY)

    try:
        # Another name than the board's own: a broker ends the earlier connection of two by one name.
        client = new_client(broker, f"{broker.prefix}-{broker.board}-doctor", seconds)
        client.on_connect, client.on_disconnect = on_connect, on_disconnect
        connect(client, broker, keepalive=10)
        until = time.monotonic() + seconds
        while not heard and time.monotonic() < until:
            client.loop(0.1)
        answer = heard[0] if heard else reasons.SILENT
        client.disconnect()
    except ImportError:
        return LACKING
    except BrokerUnavailable as away:
        return away.why
    return answer


def _of_file(read: Callable[[], T], file: str) -> T:
    """Return what is *read*, or say which file could not be."""
    try:
        return read()
    except (OSError, ValueError) as bad:
        name = getattr(bad, "filename", None) or file
        why = getattr(bad, "strerror", None) or getattr(bad, "reason", None) or bad
        raise BrokerUnavailable(f"{name} can't be read ({why})") from None
