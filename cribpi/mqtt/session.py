"""One connection to the broker: what is still to be sent, what waits for an answer, and why it has ended."""

from __future__ import annotations

import json
import os
import select
import time
from collections import OrderedDict, deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cribpi.mqtt import reasons
from cribpi.mqtt.broker import Broker
from cribpi.mqtt.client import Away
from cribpi.mqtt.limit import WINDOW, Limit, Message
from cribpi.mqtt.messages import gap_for
from cribpi.mqtt.outbox import Outbox, StepTold

if TYPE_CHECKING:
    from paho.mqtt.client import Client


@dataclass(slots=True)
class Session:
    """One connection; one thread uses it."""

    client: Client
    broker: Broker
    limit: Limit
    wakes: int
    """A file that can be read once there may be more to tell."""
    is_in: bool = False
    why: str = ""
    """Why it has ended; empty as long as it has not."""
    is_final: bool = False
    is_broken_off: bool = False
    """Whether it has ended by itself, or by the broker, and nobody said why."""
    is_too_large: bool = False
    """Whether the broker has ended it for the size of a message."""
    allowed: int = WINDOW
    """How many messages may wait for an answer, by the broker's own words."""
    is_subscribed: bool = False
    is_online: bool = False
    """Whether a board of this name is at the broker."""
    is_other: bool = False
    """Whether that is another board than this one."""
    is_here: bool = False
    """Whether this board tells by its name."""
    has_said_so: bool = False
    """Whether it has said that it goes."""
    pairing: bytes = b""
    """What a club's desk has said last; empty is also what the broker retains of nothing."""
    outgoing: deque[Message] = field(default_factory=deque)
    """What is still to be sent."""
    waiting: OrderedDict[int, Message] = field(default_factory=OrderedDict)
    """What waits for an answer, by its number, in order."""
    accepted: int = 0
    """How many messages the broker has acknowledged."""
    sent_at: float = 0.0
    """When the last one was sent."""
    is_well: bool = False
    """Whether everything is acknowledged that was there to be told at the start, up to the state."""
    left_out: set[str] = field(default_factory=set)
    """What is too large for the broker."""
    said: str | None = ""
    """What was reported last; empty for nothing yet."""
    read: int = 0
    """The row up to which steps were taken from the journal."""
    shown: int = -1
    """The row whose state was sent last."""

    # --- what is to be sent ---

    @property
    def window(self) -> int:
        """How many messages may wait for an answer now."""
        return min(self.allowed, self.limit.window)

    def take(self, outbox: Outbox) -> None:
        """Take steps from the journal as long as few wait, and then the state after the last.

        Raises:
            Away: If the broker takes no messages of their size.
            sqlite3.Error: If the journal can't be read.
        """
        while len(self.outgoing) < WINDOW:
            steps = outbox.after(self.read)
            if not steps:
                break
            for told in steps:
                self.put_step(told)
        if not self.outgoing and len(self.waiting) < self.window:
            row, now = outbox.now()
            if row != self.shown:
                state = Message(self.broker.topic("state"), json.dumps(now), is_retained=True, is_state=True)
                self.put_if_small(state, "the state")
                self.shown = row
        if self.shown >= 0 and not (self.outgoing or self.waiting):
            self.is_well = True  # the state may have been left out

    def put_step(self, told: StepTold) -> None:
        """Put the messages of a step into the queue; for one that is too large, a gap by its id."""
        topic = self.broker.topic
        self.read = told.row
        messages = [(topic("event"), one, False, "some events") for one in told.events]
        if told.result is not None:
            messages.append((topic("result"), told.result, True, "results"))
        for place, (where, what, is_retained, called) in enumerate(messages, 1):
            row = told.row if place == len(messages) else 0
            message = Message(where, json.dumps(what), row, is_retained=is_retained)
            if not self.limit.takes(message):
                self.left_out.add(called)
                message = Message(topic("event"), json.dumps(gap_for(what)), row)
            self.put(message)

    def put(self, message: Message) -> None:
        """Put a *message* into the queue without which there is no going on.

        Raises:
            Away: If it is too large.
        """
        if not self.limit.takes(message):
            raise Away(reasons.TOO_SMALL, is_final=True)
        self.outgoing.append(message)

    def put_if_small(self, message: Message, called: str) -> None:
        """Put a *message* into the queue that can be left out; *called* is what is said of it then."""
        if self.limit.takes(message):
            self.outgoing.append(message)
        else:
            self.left_out.add(called)

    def send(self) -> None:
        """Send what is in the queue, as far as it may be sent now."""
        while self.outgoing and len(self.waiting) < self.window and not self.why:
            message = self.outgoing.popleft()
            info = self.client.publish(message.topic, message.text, qos=1, retain=message.is_retained)
            self.waiting[info.mid] = message
            self.sent_at = time.monotonic()

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
                os.read(self.wakes, 4096)
        if at in ready or pending:
            try:
                client.loop_read()
            except ValueError as bad:  # paho 2.1, of an answer whose code MQTT does not have there
                self.why = self.why or f"its answer makes no sense ({bad})"
                self.is_broken_off = True
        if free:
            client.loop_write()
        client.loop_misc()

    # --- what the broker answers ---

    def let_in(self, reason: Any, properties: Any) -> None:  # noqa: ANN401  paho's
        """Take notice that the broker lets this board in, and how much it takes; or that it does not."""
        if reason.is_failure:
            self.why = str(reasons.why_ended(reason))
        self.limit.connected(getattr(properties, "MaximumPacketSize", 0))
        self.allowed = min(WINDOW, getattr(properties, "ReceiveMaximum", WINDOW))
        self.is_in = not reason.is_failure

    def answered(self, number: int, reason: Any) -> int:  # noqa: ANN401  paho's
        """Take notice of the answer to a message; return the row up to which the broker has all, or 0."""
        message = self.waiting.pop(number, None)
        if reason.is_failure:
            why = reasons.why_refused(message.topic if message else "a message", reason)
            self.is_final |= reason.value not in reasons.PASSING
            self.why = self.why or why
        elif message and self.is_here and not self.why:
            self.accepted += 1
            self.is_well |= message.is_state
            self.limit.accepted(message)
            return message.row
        return 0

    def ended(self, reason: Any) -> None:  # noqa: ANN401  paho's
        """Take notice that the connection has ended."""
        if not self.why:
            why = reasons.why_ended(reason) if self.is_in else reasons.TURNED_AWAY
            self.why = str(why)
            self.is_broken_off = reason.value in reasons.BROKEN_OFF
            self.is_too_large = self.is_final = reason.value == reasons.TOO_LARGE
