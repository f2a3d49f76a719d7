"""The desk's connection to the broker: receives what all boards report, and publishes the pairings.

The broker keeps the session while the desk is away, and a message is acknowledged only once it is in the log:
what a board has reported reaches the log, whatever is killed.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from paho.mqtt.client import Client, MQTTMessageInfo
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from cribpi.club.desk import SCHEMA, Desk
from cribpi.club.log import LogTrouble
from cribpi.club.night import can_be_board
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.client import LARGEST, TAKEN_OVER, new_client
from cribpi.cribbage.game.events import LONGEST_NIGHT

_LOG: Final = logging.getLogger(__name__)

KEPT: Final = 7 * 24 * 3600
"""Seconds for which the broker keeps what the desk has not heard."""

AGAIN: Final = (1, 5)
"""Seconds until it connects again after a failure, at first and at most."""

AFTER_ANOTHER: Final = (60, 60)
"""The same once another desk has come in its place: two would only take the line from each other."""

ANSWER: Final = 5.0
"""Seconds in which the broker must answer."""

FAREWELL: Final = 1.0
"""Seconds in which the boards may hear that the page is closed."""

RETRY: Final = 2.0
"""Seconds between tries to save what a board has reported."""


class Connection:
    """*report* takes what is wrong, as a sentence, and None once all is well again.

    Boards show the *url* of the desk's page, if they can reach it.
    """

    def __init__(
        self, broker: Broker, desk: Desk, report: Callable[[str | None], None], url: str = ""
    ) -> None:
        self._url = json.dumps({"schema": SCHEMA, "url": url}).encode() if url else b""
        self._broker = broker
        self._desk = desk
        self._report = report
        self._published: dict[tuple[str, str], bytes] = {}
        """What each board was sent last, by the topic's end."""
        self._rests_on: tuple[object, ...] = ()
        """What that came from."""
        self._others: dict[str, str] = {}
        """The nights of other desks at the broker, by the topics of these."""
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._kept = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        self._kept.SessionExpiryInterval = KEPT
        self._kept.MaximumPacketSize = LARGEST  # no board sends more, and whoever does takes no memory here
        self._client = self._made()
        desk.subscribe(self.publish)

    def _made(self) -> Client:
        """Return a client for this night.

        Raises:
            BrokerUnavailable: If the password, or a file of TLS, can't be read.
        """
        self._night = self._desk.name
        # Its own for each night and database: the broker keeps what this desk has not heard, and no other's.
        name = f"{self._broker.prefix}-desk-{self._desk.id}"
        client = new_client(self._broker, name, ANSWER)
        self._own = self._topic(f"desk-{self._desk.id}", "desk")
        client.will_set(self._own, b"")
        client.manual_ack_set(True)  # noqa: FBT003  paho's
        client.reconnect_delay_set(*AGAIN)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_connect_fail = self._on_connect_fail
        client.on_message = self._on_message
        return client

    def start(self) -> None:
        """Connect, subscribe and publish; a broker that is away is tried again every few seconds."""
        with self._lock:
            self._connect()

    def _connect(self) -> None:
        at = self._broker.host, self._broker.at
        self._client.connect_async(*at, keepalive=15, properties=self._kept, clean_start=False)
        self._client.loop_start()

    def stop(self) -> None:
        with self._lock:
            self._stopping.set()  # no other session is begun
        if self._client.is_connected():  # the page is closed, and the boards need not show it
            with self._lock:
                sent = self._send({(board, "desk"): b"" for board, _ in self._published})
            until = time.monotonic() + FAREWELL
            with suppress(RuntimeError, ValueError):  # the broker has gone
                for one in sent:
                    one.wait_for_publish(max(until - time.monotonic(), 0))
        self._leave(self._client)
        self._client.loop_stop()

    @staticmethod
    def _leave(client: Client) -> None:
        """Disconnect, with the last will: other desks see that this one has gone."""
        client.disconnect(ReasonCode(PacketTypes.DISCONNECT, "Disconnect with will message"))

    def publish(self) -> None:
        """Publish what has changed: pairings, the page, this desk.  Another night has another session."""
        with self._lock:
            old, is_another = self._client, self._desk.name != self._night and not self._stopping.is_set()
            if is_another:
                self._client = self._made()
                self._connect()
        if is_another:  # without the lock: its thread may be here too
            self._leave(old)
            old.loop_stop()
        with self._lock:
            if self._stopping.is_set() or not self._client.is_connected():
                return
            night = self._desk.night
            rests_on = night.opened, night.names, night.boards, self._desk.online
            if rests_on == self._rests_on:
                return
            # Who has no table any more, even if that was while the broker was away, has no pairing.
            boards = {*self._desk.online, *(board for board, _ in self._published)}
            pairings = dict.fromkeys(boards, b"") | self._desk.pairings()
            self._send({(board, "pairing"): text for board, text in pairings.items()})
            self._send({(board, "desk"): self._url for board in boards})
            self._rests_on = rests_on

    def _send(self, texts: Mapping[tuple[str, str], bytes]) -> list[MQTTMessageInfo]:
        sent = []
        for (board, what), text in texts.items():
            if self._published.get((board, what)) != text and can_be_board(board):
                sent.append(self._client.publish(self._topic(board, what), text, qos=1, retain=True))
                self._published[board, what] = text
        return sent

    def _topic(self, board: str, what: str) -> str:
        return f"{self._broker.prefix}/{board}/{what}"

    def _on_connect(self, client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:  # noqa: ANN401  paho's
        if reason.is_failure:
            self._report(f"The broker {self._broker.host} refuses the desk: {str(reason).lower()}.")
            return
        self._others.clear()
        self._report(None)
        # States follow soon after another: they must not push results out of the queue that a broker keeps.
        levels = (("result", 1), ("online", 1), ("state", 0), ("desk", 0))
        client.subscribe([(self._topic("+", what), level) for what, level in levels])
        with self._lock:
            self._rests_on = ()
            self._published.clear()  # a broker that was killed may have forgotten
        self._greet()
        self.publish()

    def _greet(self) -> None:
        """Publish this desk's night to other desks at the broker."""
        self._client.publish(self._own, json.dumps({"schema": SCHEMA, "night": self._night}))

    def _on_desk(self, topic: str, text: bytes) -> None:
        """Take what another desk says: it greets, once more if it is new here, or has gone."""
        if topic == self._own:
            return
        is_new, was = topic not in self._others, [*self._others.values()]
        self._others.pop(topic, None)
        with suppress(ValueError, KeyError, TypeError):
            self._others[topic] = str(json.loads(text)["night"])[:LONGEST_NIGHT]
            if is_new:
                self._greet()
        if was != [*self._others.values()]:
            nights = ", ".join(self._others.values())
            other = f"Another desk is at the broker {self._broker.host}, with the night {nights}: close one"
            self._report(f"{other} of them, because both send pairings to the boards." if nights else None)

    def _on_connect_fail(self, *_: object) -> None:
        self._report(f"The broker {self._broker.host} can't be reached. Enter results by hand meanwhile.")

    def _on_disconnect(self, _client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:  # noqa: ANN401  paho's
        taken = reason.value == TAKEN_OVER
        self._client.reconnect_delay_set(*(AFTER_ANOTHER if taken else AGAIN))
        if taken:
            self._report(
                f"Another desk has connected to the broker {self._broker.host} under this desk's name: "
                "close one of them, or give each its own user there."
            )
        elif reason.is_failure:
            self._report(f"Lost the broker {self._broker.host}: {str(reason).lower()}. Trying again.")

    def _on_message(self, client: Client, _data: Any, message: Any) -> None:  # noqa: ANN401  paho's
        board, _, what = message.topic.removeprefix(f"{self._broker.prefix}/").partition("/")
        while not self._stopping.is_set():
            try:
                if can_be_board(board):
                    self._received(board, what, bytes(message.payload))
            except LogTrouble as trouble:
                # Not acknowledged yet: if the desk is killed, the broker sends it again.
                self._report(f"What {board} reports can't be saved: {trouble}.")
                self._stopping.wait(RETRY)
                continue
            except Exception:  # noqa: BLE001  a message that nobody foresaw must not end the night
                _LOG.exception("a message from %r was not understood", board)
            client.ack(message.mid, message.qos)
            return

    def _received(self, board: str, what: str, text: bytes) -> None:
        if what == "result" and text:
            self._desk.on_result(board, text)
        elif what == "online":
            self._desk.on_online(board, is_there=text == b"true")
        elif what == "state" and text:
            self._desk.on_state(board, text)
        elif what == "desk":
            self._on_desk(self._topic(board, what), text)
