"""A connection to the broker: messages to send, messages without an answer, and the reason for its end."""

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
from cribpi.companion.mqtt.outbox import Outbox, StepMessages

if TYPE_CHECKING:
    from paho.mqtt.client import Client


WINDOW: Final = 20
"""Most messages that wait for the broker's answer at a time."""

RATE: Final = 64 * 1024
"""Most bytes per second from a broker, and most at once; the answers to a board's messages have fewer."""

MESSAGE_COST: Final = 1024
"""Bytes as which a received message counts: acting on it takes the table's time."""

_RECEIVED: Final = 128
"""The offset of the received bytes in the kernel's struct tcp_info."""


class Message(NamedTuple):
    """A message to publish; *row* is the journal's row that it completes, or 0."""

    topic: str
    text: str
    row: int = 0
    is_retained: bool = True
    is_state: bool = False


@dataclass(slots=True)
class Session:
    """One connection; used by one thread."""

    client: Client
    broker: Broker
    wakes: int
    """An eventfd that is readable when there may be more to publish."""
    page: Callable[[], str] = lambda: ""
    """Returns the address of the board's page for others on the network; empty if they can't open it."""
    is_in: bool = False
    why: str = ""
    """The reason for its end; empty while it lasts."""
    is_final: bool = False
    allowed: int = WINDOW
    """The number of messages that may wait for an answer, as limited by the broker."""
    is_offline_published: bool = False
    """Whether the broker has acknowledged that the board is offline."""
    began: float = field(default_factory=time.monotonic)
    received: int = 0
    """The number of messages that this board was sent."""
    outgoing: deque[Message] = field(default_factory=deque)
    """Messages still to be sent."""
    waiting: OrderedDict[int, Message] = field(default_factory=OrderedDict)
    """Messages that wait for an answer, by their numbers, in order."""
    is_well: bool = False
    """Whether the broker has acknowledged all that was pending at the start, including the state."""
    read: int = 0
    """The row up to which steps were read from the journal."""
    shown: int = -1
    """The row whose state was sent last."""
    discovery: dict[str, Any] = field(default_factory=dict)
    """The discovery message that was sent last."""

    # --- what is to be sent ---

    def take(self, outbox: Outbox) -> None:
        """Read steps from the journal while the queue is short, and then the state after the last step.

        Raises:
            sqlite3.Error: If the journal can't be read.
        """
        while len(self.outgoing) < WINDOW:
            steps = outbox.after(self.read)
            if not steps:
                break
            for step in steps:
                self.put_step(step)
        if not self.outgoing and len(self.waiting) < self.allowed:
            row, now = outbox.now()
            if row != self.shown:
                topic, discovery = discovery_of(self.broker, len(now["sides"]), self.page())
                if self.broker.discovery != "off" and discovery != self.discovery:
                    self.outgoing.append(Message(topic, json.dumps(discovery)))
                    self.discovery = discovery
                self.put("state", now)
                self.shown = row

    def put_step(self, step: StepMessages) -> None:
        self.read = step.row
        for event in step.events[:-1]:
            self.put("event", event)
        *_, last = step.events
        self.put("event", last, 0 if step.result is not None else step.row)
        if step.result is not None:
            self.put("result", step.result, step.row)

    def put(self, what: str, payload: object, row: int = 0) -> None:
        """Queue a message for the topic *what*; the broker retains the last message except of events."""
        text, is_retained = json.dumps(payload), what != "event"
        self.outgoing.append(Message(self.broker.topic(what), text, row, is_retained, what == "state"))

    def send(self) -> None:
        """Send queued messages, as many as may wait for an answer."""
        while self.outgoing and len(self.waiting) < self.allowed and not self.why:
            message = self.outgoing.popleft()
            info = self.client.publish(message.topic, message.text, qos=1, retain=message.is_retained)
            self.waiting[info.mid] = message

    def turn(self, seconds: float) -> None:
        """Wait at most *seconds* for the broker or for the table, and run the client's loop."""
        client = self.client
        if (line := client.socket()) is None:
            time.sleep(0.05)
            return
        pending = getattr(line, "pending", lambda: 0)()  # select does not see bytes that TLS has read already
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
            # paho 2.1 raises this for an answer whose code MQTT does not define there.
            except ValueError as bad:
                self.why = self.why or f"its answer makes no sense ({bad})"
        if free:
            client.loop_write()
        client.loop_misc()

    def _is_flooded(self, line: Any) -> bool:  # noqa: ANN401  a socket, perhaps of TLS
        """Return whether more was received than a board can use: paho would buffer all of it."""
        info = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RECEIVED + 8)
        (size,) = struct.unpack_from("Q", info, _RECEIVED)
        seconds = 1 + time.monotonic() - self.began
        return bool(size + MESSAGE_COST * self.received > RATE * seconds)

    # --- what the broker answers ---

    def let_in(self, reason: Any, properties: Any) -> None:  # noqa: ANN401  paho's
        """Handle the broker's answer to the connection: its limits, or its refusal."""
        if reason.is_failure:
            self.why = str(reasons.why_ended(reason))
        elif 0 < getattr(properties, "MaximumPacketSize", 0) < reasons.LARGEST:
            self.why, self.is_final = str(reasons.TOO_SMALL), True
        self.allowed = min(WINDOW, getattr(properties, "ReceiveMaximum", WINDOW))
        self.is_in = not self.why

    def answered(self, number: int, reason: Any) -> int:  # noqa: ANN401  paho's
        """Handle the answer to a message; return the row up to which the broker has everything, or 0."""
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
        if not self.why:
            why = reasons.why_ended(reason) if self.is_in else reasons.TURNED_AWAY
            self.why = str(why)
            self.is_final = reason.value == reasons.TOO_LARGE
