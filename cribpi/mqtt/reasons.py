"""Why a broker does not listen, by the code that it gives, in words.

The codes: https://docs.oasis-open.org/mqtt/mqtt/v5.0/os/mqtt-v5.0-os.html#_Toc3901031
"""

from __future__ import annotations

from typing import Any, Final

UNSPECIFIED: Final = 128
MALFORMED: Final = 129
PROTOCOL: Final = 130
NOT_ALLOWED: Final = 135
TOO_LARGE: Final = 149
FULL: Final = 151

BROKEN_OFF: Final = frozenset((0, UNSPECIFIED, MALFORMED, PROTOCOL, TOO_LARGE))
"""How a connection ends at a message that a broker does not take; also how it ends by itself.

paho 2.1 has 0 for most codes of a broker's DISCONNECT.
"""

PASSING: Final = frozenset((145, FULL))
"""Refusals that pass by themselves: the same message may be taken a second later."""

NAMESAKE: Final = "another board is called {board}: give each a name of its own, board in [mqtt]"
TOO_SMALL: Final = "its limit is too small for this board: raise max_packet_size or message_size_limit there"
TURNED_AWAY: Final = "it hangs up without an answer: it may be full, or its port may be one for TLS"
"""Mosquitto over its `max_connections`, and a port for TLS without it, or the other way round."""

_CONNECTION: Final = {
    132: "it does not speak version 5 of MQTT",
    133: "it refuses the name {board}: set board in [mqtt] to another one",
    134: "it refuses the user or the password: see user and password_file in [mqtt]",
    NOT_ALLOWED: "it does not let this board in: see user and password_file in [mqtt], and its access list",
    136: "it is out of service for now",
    137: "it is busy",
    138: "it has banned this board",
    139: "it is shutting down",
    141: "it has not answered for too long",
    142: "another program has come in by this board's name",
    TOO_LARGE: TOO_SMALL,
    FULL: "it is full for now",
    152: "somebody has ended the connection there",
    156: "it says that another broker should be asked",
    157: "it has moved: set host in [mqtt] to where it is now",
    159: "too many connect to it at once",
}

_MESSAGE: Final = {
    UNSPECIFIED: "it refuses {topic} and does not say why: see its log",
    131: "it refuses {topic} by a rule of its own: see its log",
    NOT_ALLOWED: "it does not let this board write {topic}: see its access list",
    144: "it does not take the topic {topic}: set prefix or board in [mqtt] to another one",
    145: "it still has an earlier message by the same number",
    FULL: "it is full for now, and does not take {topic}",
    153: "it does not take the format of {topic}: see its settings",
}


def why_ended(reason: Any) -> str:  # noqa: ANN401  paho's
    """Say why a connection was refused or has ended; *board* is still to be filled in."""
    return _CONNECTION.get(reason.value, f"the connection has ended ({str(reason).lower()})")


def why_refused(topic: str, reason: Any) -> str:  # noqa: ANN401  paho's
    """Say why a message to *topic* was refused."""
    return _MESSAGE.get(reason.value, f"it refuses {topic} ({str(reason).lower()})").format(topic=topic)
