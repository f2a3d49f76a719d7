"""Why a broker does not listen, by the code that it gives: in words, and what to do.

The codes: https://docs.oasis-open.org/mqtt/mqtt/v5.0/os/mqtt-v5.0-os.html#_Toc3901031
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

UNSPECIFIED: Final = 128
NOT_ALLOWED: Final = 135
TAKEN_OVER: Final = 142
TOO_LARGE: Final = 149
FULL: Final = 151

LARGEST: Final = 8_192
"""Bytes that a broker must take at least: no message has more, and most have less than a tenth."""

PASSING: Final = frozenset((145, FULL))
"""Refusals that pass by themselves: the same message may be taken a second later."""


class Why(NamedTuple):
    """What is wrong, and what to do about it, if that is known."""

    says: str
    remedy: str = ""

    def __str__(self) -> str:
        """Return both as one sentence, without its stop."""
        return f"{self.says}: {self.remedy}" if self.remedy else self.says


TOO_SMALL: Final = Why(
    "its limit is too small for this board",
    f"let max_packet_size or message_size_limit there be {LARGEST:,} or more",
)
TURNED_AWAY: Final = Why(
    "it hangs up without an answer",
    "see whether it is full, and whether its port is one for TLS (tls in [mqtt])",
)
"""Mosquitto over its `max_connections`, and a port for TLS without it, or the other way round."""
SILENT: Final = Why("it does not answer")

_CONNECTION: Final = {
    # Also what paho calls an end without a code.  Mosquitto 2.0.11 gives none if a session is taken over, or
    # if a message is over its message_size_limit.
    UNSPECIFIED: Why(
        "it has hung up without saying why",
        "if it does so again and again, see whether another board is called {board}, and whether it takes "
        f"messages of {LARGEST:,} bytes",
    ),
    132: Why("it does not speak version 5 of MQTT"),
    133: Why("it refuses the name {board}", "set board in [mqtt] to another one"),
    134: Why("it refuses the user or the password", "see user and password_file in [mqtt]"),
    NOT_ALLOWED: Why(
        "it does not let this board in", "see user and password_file in [mqtt], and its access list"
    ),
    136: Why("it is out of service for now"),
    137: Why("it is busy"),
    138: Why("it has banned this board"),
    139: Why("it is shutting down"),
    141: Why("it has not answered for too long"),
    TAKEN_OVER: Why(
        "another program has come in by the name {board}", "give each board its own, board in [mqtt]"
    ),
    TOO_LARGE: TOO_SMALL,
    FULL: Why("it is full for now"),
    152: Why("somebody has ended the connection there"),
    156: Why("it says that another broker should be asked"),
    157: Why("it has moved", "set host in [mqtt] to where it is now"),
    159: Why("too many connect to it at once"),
}

_MESSAGE: Final = {
    UNSPECIFIED: Why("it refuses {topic} and does not say why", "see its log"),
    131: Why("it refuses {topic} by a rule of its own", "see its log"),
    NOT_ALLOWED: Why("it does not let this board write {topic}", "see its access list"),
    144: Why("it does not take the topic {topic}", "set prefix or board in [mqtt] to another one"),
    145: Why("it still has an earlier message by the same number"),
    FULL: Why("it is full for now, and does not take {topic}"),
    153: Why("it does not take the format of {topic}", "see its settings"),
}


def why_ended(reason: Any) -> Why:  # noqa: ANN401  paho's
    """Say why a connection was refused or has ended; *board* is still to be filled in."""
    return _CONNECTION.get(reason.value, Why(f"the connection has ended ({str(reason).lower()})"))


def why_refused(topic: str, reason: Any) -> str:  # noqa: ANN401  paho's
    """Say why a message to *topic* was refused."""
    why = _MESSAGE.get(reason.value, Why(f"it refuses {{topic}} ({str(reason).lower()})"))
    return str(why).format(topic=topic)
