"""One connection to the broker: what is still to be sent, what waits for an answer, and why it has ended."""

from __future__ import annotations

import json
import os
import select
import socket
import struct
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cribpi.companion.mqtt import client as reasons
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.messages import discovery_of
from cribpi.companion.mqtt.outbox import Outbox, StepTold

if TYPE_CHECKING:
    from paho.mqtt.client import Client


WINDOW: Final = 20
"""Messages that wait for the broker's answer at a time."""

RATE: Final = 64 * 1024
"""Bytes a second that a broker may send, and at once: answers to all that a board can tell have fewer."""

HEARD: Final = 1024
"""Bytes as which a message counts that is heard: what it asks for takes the table's time."""

_RECEIVED: Final = 128
"""The offset of the received bytes in the kernel's struct tcp_info."""


class Message(NamedTuple):
    """What is sent; *row* is that of the journal which it completes, or 0."""

    topic: str
    text: str
    row: int = 0
    is_retained: bool = True
    is_state: bool = False


@dataclass(slots=True)
class Session:
    """One connection; one thread uses it."""

    client: Client
    broker: Broker
    wakes: int
    """An eventfd that can be read once there may be more to tell."""
    page: Callable[[], str] = lambda: ""
    """Gives the address at which others on the network open the board's page; empty if they can't."""
    is_in: bool = False
    why: str = ""
    """Why it has ended; empty as long as it has not."""
    is_final: bool = False
    allowed: int = WINDOW
    """How many messages may wait for an answer, by the broker's own words."""
    has_said_so: bool = False
    """Whether it has said that it goes."""
    began: float = field(default_factory=time.monotonic)
    heard: int = 0
    """Messages that this board was sent."""
    outgoing: deque[Message] = field(default_factory=deque)
    """What is still to be sent."""
    waiting: OrderedDict[int, Message] = field(default_factory=OrderedDict)
    """What waits for an answer, by its number, in order."""
    is_well: bool = False
    """Whether everything is acknowledged that was there to be told at the start, up to the state."""
    read: int = 0
    """The row up to which steps were taken from the journal."""
    shown: int = -1
    """The row whose state was sent last."""
    found_by: dict[str, Any] = field(default_factory=dict)
    """What Home Assistant finds the board by, as it was sent last."""

    # --- what is to be sent ---

    def take(self, outbox: Outbox) -> None:
        """Take steps from the journal as long as few wait, and then the state after the last.

        Raises:
            sqlite3.Error: If the journal can't be read.
        """
        while len(self.outgoing) < WINDOW:
            steps = outbox.after(self.read)
            if not steps:
                break
            for told in steps:
                self.put_step(told)
        if not self.outgoing and len(self.waiting) < self.allowed:
            row, now = outbox.now()
            if row != self.shown:
                topic, found = discovery_of(self.broker, len(now["sides"]), self.page())
                if self.broker.discovery != "off" and found != self.found_by:
                    self.outgoing.append(Message(topic, json.dumps(found)))
                    self.found_by = found
                self.put("state", now)
                self.shown = row

    def put_step(self, told: StepTold) -> None:
        """Put the messages of a step into the queue."""
        self.read = told.row
        for event in told.events[:-1]:
            self.put("event", event)
        *_, last = told.events
        self.put("event", last, 0 if told.result is not None else told.row)
        if told.result is not None:
            self.put("result", told.result, told.row)

    def put(self, what: str, told: object, row: int = 0) -> None:
        """Put a message of the topic *what* into the queue; a broker keeps the last of all but of events."""
        text, is_retained = json.dumps(told), what != "event"
        self.outgoing.append(Message(self.broker.topic(what), text, row, is_retained, what == "state"))

    def send(self) -> None:
        """Send what is in the queue, as far as it may be sent now."""
        while self.outgoing and len(self.waiting) < self.allowed and not self.why:
            message = self.outgoing.popleft()
            info = self.client.publish(message.topic, message.text, qos=1, retain=message.is_retained)
            self.waiting[info.mid] = message

    def turn(self, seconds: float) -> None:
        """Wait for the broker or for the table, *seconds* at most, and let the client do its part."""
        client = self.client
        if (line := client.socket()) is None:
            time.sleep(0.05)
            return
        pending = getattr(line, "pending", lambda: 0)()  # what TLS has read already
        at = line.fileno()
        writes = [at] if client.want_write() else []
        ready, free, _ = select.select([at, self.wakes], writes, [], 0 if pending else seconds)
        if self.wakes in ready:
            with suppress(BlockingIOError):
                os.eventfd_read(self.wakes)
        if self._is_flooded(line):
            self.why = self.why or str(reasons.FLOODING)
        elif at in ready or pending:
            try:
                client.loop_read()
            except ValueError as bad:  # paho 2.1, of an answer whose code MQTT does not have there
                self.why = self.why or f"its answer makes no sense ({bad})"
        if free:
            client.loop_write()
        client.loop_misc()

    def _is_flooded(self, line: Any) -> bool:  # noqa: ANN401  a socket, perhaps of TLS
        """Return whether more has been received than a board can use: paho would keep all of it."""
        told = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RECEIVED + 8)
        (came,) = struct.unpack_from("Q", told, _RECEIVED)
        seconds = 1 + time.monotonic() - self.began
        return bool(came + HEARD * self.heard > RATE * seconds)

    # --- what the broker answers ---

    def let_in(self, reason: Any, properties: Any) -> None:  # noqa: ANN401  paho's
        """Take notice that the broker lets this board in, and how much it takes; or that it does not."""
        if reason.is_failure:
            self.why = str(reasons.why_ended(reason))
        elif 0 < getattr(properties, "MaximumPacketSize", 0) < reasons.LARGEST:
            self.why, self.is_final = str(reasons.TOO_SMALL), True
        self.allowed = min(WINDOW, getattr(properties, "ReceiveMaximum", WINDOW))
        self.is_in = not self.why

    def answered(self, number: int, reason: Any) -> int:  # noqa: ANN401  paho's
        """Take notice of the answer to a message; return the row up to which the broker has all, or 0."""
        message = self.waiting.pop(number, None)
        if reason.is_failure:
            why = reasons.why_refused(message.topic if message else "a message", reason)
            self.is_final |= reason.value not in reasons.PASSING
            self.why = self.why or why
        elif message and not self.why:
            self.is_well |= message.is_state
            return message.row
        return 0

    def ended(self, reason: Any) -> None:  # noqa: ANN401  paho's
        """Take notice that the connection has ended."""
        if not self.why:
            why = reasons.why_ended(reason) if self.is_in else reasons.TURNED_AWAY
            self.why = str(why)
            self.is_final = reason.value == reasons.TOO_LARGE
