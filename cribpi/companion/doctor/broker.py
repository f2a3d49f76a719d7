"""Whether the broker of `[mqtt]` lets this board in."""

from __future__ import annotations

from typing import Final

from cribpi.companion.doctor.finding import Problem, Verdict
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.client import ask

SECONDS: Final = 3.0
"""So long it is waited for."""

_REMEDY: Final = "check that it runs, and see host, port and tls in [mqtt]"


def check_broker(broker: Broker, seconds: float = SECONDS) -> Verdict:
    """Check that the *broker* lets the board in; nothing is told to it."""
    why = ask(broker, seconds)
    if why is None:
        return f"{broker.address} lets {broker.board} in"
    says, remedy = (part.format(board=broker.board) for part in (why.says, why.remedy or _REMEDY))
    return Problem(f"{broker.address}: {says}", remedy)
