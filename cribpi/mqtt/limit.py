"""How large a message may be for the broker: as it says itself, or as it shows by ending the connection.

By MQTT 5 a broker says so when it lets the board in.  One that does not may have a limit all the same, as
Mosquitto with `message_size_limit`.  Then the message at which the connection ends is looked for: they are
sent one at a time, and one that ends two connections while no other waits is too large.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

WINDOW: Final = 20
"""Messages that wait for the broker's answer at a time."""

TIMES: Final = 2
"""Connections that a message has to end to be thought too large: the first can be chance."""

FORGOTTEN: Final = 3600.0
"""Seconds after which it is tried again whether the broker takes larger messages."""


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent."""

    topic: str
    text: str
    row: int = 0
    """The row of the journal that it completes, or 0."""
    is_retained: bool = field(default=False, kw_only=True)
    is_state: bool = field(default=False, kw_only=True)

    @property
    def size(self) -> int:
        """Return its size in bytes, as it is sent at QoS 1 by MQTT 5, without properties."""
        rest = 2 + len(self.topic.encode()) + 2 + 1 + len(self.text.encode())
        return 1 + (rest.bit_length() + 6) // 7 + rest

    @property
    def name(self) -> tuple[str, str]:
        """What it is told by when it is sent again: the text of a retained message may be a new one."""
        return self.topic, "" if self.is_retained else self.text


class Limit:
    """How large a message may be; one for all connections to a broker."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.said = 0
        """The largest size in bytes by the broker's own words; 0 if it says none."""
        self._refused = 0
        """The size of the smallest message that has ended connections; 0 for none."""
        self._since = 0.0
        self._suspect = ("", "")
        self._times = 0
        self._alone = 0

    @property
    def window(self) -> int:
        """How many messages may wait for an answer: one, as long as one that is too large is looked for."""
        return 1 if self._alone else WINDOW

    def connected(self, said: int) -> None:
        """Begin with a connection at which the broker has *said* its limit, or 0."""
        self.said = said
        if self._refused and self._clock() - self._since > FORGOTTEN:
            self._refused = 0

    def takes(self, message: Message) -> bool:
        """Return whether the broker takes a message of this size, as far as is known."""
        size = message.size
        return not (self.said and size > self.said) and not (self._refused and size >= self._refused)

    def accepted(self, message: Message) -> None:
        """Take notice that the broker has acknowledged *message*."""
        self._alone = max(0, self._alone - 1)
        if message.name == self._suspect:
            self._suspect, self._times = ("", ""), 0

    def broken_off(self, waiting: Sequence[Message], *, is_said: bool) -> bool:
        """Take notice that a connection has ended while these waited, oldest first.

        *is_said* if the broker says that it was for their size.  Return whether one is found to be too large.
        """
        if not waiting:
            return False
        first, self._alone = waiting[0], WINDOW
        if first.name != self._suspect:
            self._suspect, self._times = first.name, 0
        if len(waiting) > 1:
            return False  # it can be any of them
        self._times += 1
        if self._times < TIMES and not is_said:
            return False
        self._refused, self._since, self._times = first.size, self._clock(), 0
        return True

    def sentence(self, host: str, left_out: Collection[str]) -> str:
        """Say what the broker at *host* does not get for its limit."""
        if self.said and (not self._refused or self.said < self._refused):
            takes = f"takes messages of up to {self.said:,} bytes"
        else:
            takes = f"takes no messages of {self._refused:,} bytes"
        *most, last = sorted(left_out)
        named = f"{', '.join(most)} and {last}" if most else last
        return f"The broker {host} {takes}, so it does not get {named}. Raise its limit."
