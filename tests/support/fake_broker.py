"""A minimal broker on loopback whose responses a test controls, including some that Mosquitto never gives."""

from __future__ import annotations

import re
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from support.listener import Listener

Answer = Callable[[str, bytes], int | None]
"""Function from a message's topic and text to the code of its PUBACK. None closes the connection.

A negative code is sent in a DISCONNECT instead.
"""


class FakeBroker(Listener):
    """Supports CONNECT, SUBSCRIBE, PUBLISH at QoS 1 and PINGREQ of MQTT 5. It forwards no messages."""

    def __init__(self, answer: Answer, *, receive_maximum: int = 0, host: str = "127.0.0.1") -> None:
        """*receive_maximum* is announced to clients; 0 announces none."""
        self.crowded = 0
        """Number of messages that were followed by another one before their response."""
        self._answer = answer
        self._says = b"\x21" + receive_maximum.to_bytes(2, "big") if receive_maximum else b""
        self.asked: list[str] = []
        """Topics subscribed to, in order."""
        self.sessions: list[list[tuple[str, bytes]]] = []
        """Messages of each connection, in order."""
        super().__init__(host)

    @property
    def taken(self) -> list[tuple[str, bytes]]:
        return [one for session in list(self.sessions) for one in list(session)]

    def serve(self, line: socket.socket) -> None:
        session: list[tuple[str, bytes]] = []

        def read(many: int) -> bytes:
            """Read exactly this many bytes."""
            return line.recv(many, socket.MSG_WAITALL) if many else b""

        with line, suppress(OSError):
            while first := read(1):
                kind, body = first[0] >> 4, read(_length(read))
                if kind == 1:
                    self.sessions.append(session)
                    more = bytes([len(self._says)]) + self._says
                    line.sendall(bytes([0x20, 2 + len(more), 0, 0]) + more)
                elif kind == 8:
                    topics = re.findall(rb"cribpi/[\w/+#-]+", body)
                    self.asked += [topic.decode() for topic in topics]
                    line.sendall(bytes([0x90, 3 + len(topics)]) + body[:2] + b"\0" + bytes(len(topics)))
                elif kind == 12:
                    line.sendall(b"\xd0\0")
                elif kind == 14:
                    return
                elif kind == 3:
                    end = 2 + int.from_bytes(body[:2], "big")
                    topic, text = body[2:end].decode(), body[end + 3 :]
                    session.append((topic, text))
                    if self._says:
                        self.crowded += bool(select.select([line], [], [], 0.01)[0])
                    code = self._answer(topic, text)
                    if code is None:
                        return
                    if code < 0:
                        # With a reason string, because paho 2.1 ignores the code without one.
                        line.sendall(bytes([0xE0, 8, -code, 6, 0x1F, 0, 3]) + b"no!")
                        line.shutdown(socket.SHUT_WR)
                        # Closing with unread bytes resets the connection, and the code would be lost.
                        while line.recv(4096):
                            pass
                        return
                    line.sendall(bytes([0x40, 4]) + body[end : end + 2] + bytes([code, 0]))


def _length(read: Callable[[int], bytes]) -> int:
    """Read a variable-length integer, seven bits per byte."""
    found = place = 0
    while True:
        (byte,) = read(1)
        found += (byte & 127) << place
        place += 7
        if byte < 128:
            return found


@contextmanager
def fake_broker(answer: Answer, *, receive_maximum: int = 0, host: str = "127.0.0.1") -> Iterator[FakeBroker]:
    broker = FakeBroker(answer, receive_maximum=receive_maximum, host=host)
    try:
        yield broker
    finally:
        broker.close()
