"""The desk's MQTT connection: receives the boards' reports and publishes the pairings.

The broker keeps the session while the desk is offline. A message is acknowledged only once it is in the log,
so no report is lost if the desk or the broker is killed.
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
"""Session expiry: seconds for which the broker stores messages for an absent desk."""

AGAIN: Final = (1, 5)
"""Minimum and maximum reconnect delay in seconds."""

AFTER_ANOTHER: Final = (60, 60)
"""Reconnect delay in seconds after another desk took over.

Long, so that two desks don't fight for the session.
"""

ANSWER: Final = 5.0
"""Timeout in seconds for the broker's response."""

FAREWELL: Final = 1.0
"""Timeout in seconds for clearing the desk's address from the boards."""

RETRY: Final = 2.0
"""Seconds between attempts to save a board's report."""


class BrokerConnection:
    """Connects *desk* to *broker*. *report* receives each error message, and None after recovery.

    *url* is the desk's web address, which the boards display. It is empty if they can't reach the page.
    """

    def __init__(
        self, broker: Broker, desk: Desk, report: Callable[[str | None], None], url: str = ""
    ) -> None:
        self._url = json.dumps({"schema": SCHEMA, "url": url}).encode() if url else b""
        self._broker = broker
        self._desk = desk
        self._report = report
        self._published: dict[tuple[str, str], bytes] = {}
        """Last payload sent, by board and topic level such as `pairing`."""
        self._rests_on: tuple[object, ...] = ()
        """Inputs of the last pairings sent, to detect changes."""
        self._others: dict[str, str] = {}
        """Nights of the other desks at this broker, by topic."""
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._kept = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        self._kept.SessionExpiryInterval = KEPT
        self._kept.MaximumPacketSize = LARGEST  # boards send less, so a larger message only wastes memory
        self._client = self._new_client()
        desk.subscribe(self.publish)

    def _new_client(self) -> Client:
        """Return a client for the current night.

        Raises:
            BrokerUnavailable: If the password or a TLS file can't be read.
        """
        self._night = self._desk.name
        # One client ID for each night and database, because the broker stores missed messages by client ID.
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
        """Connect, subscribe and publish. The client reconnects by itself while the broker is unreachable."""
        with self._lock:
            self._connect()

    def _connect(self) -> None:
        at = self._broker.host, self._broker.at
        self._client.connect_async(*at, keepalive=15, properties=self._kept, clean_start=False)
        self._client.loop_start()

    def stop(self) -> None:
        with self._lock:
            self._stopping.set()  # prevents a new session
        if self._client.is_connected():  # clear the address of the desk's page: the page ends too
            with self._lock:
                sent = self._send({(board, "desk"): b"" for board, _ in self._published})
            until = time.monotonic() + FAREWELL
            with suppress(RuntimeError, ValueError):  # connection lost
                for one in sent:
                    one.wait_for_publish(max(until - time.monotonic(), 0))
        self._leave(self._client)
        self._client.loop_stop()

    @staticmethod
    def _leave(client: Client) -> None:
        """Disconnect and trigger the last will, so that other desks see this one leave."""
        client.disconnect(ReasonCode(PacketTypes.DISCONNECT, "Disconnect with will message"))

    def publish(self) -> None:
        """Publish changed pairings and the page's address. Start a new session if the night has changed."""
        with self._lock:
            old, is_another = self._client, self._desk.name != self._night and not self._stopping.is_set()
            if is_another:
                self._client = self._new_client()
                self._connect()
        if is_another:  # not under the lock: the client's thread may be waiting for it
            self._leave(old)
            old.loop_stop()
        with self._lock:
            if self._stopping.is_set() or not self._client.is_connected():
                return
            night = self._desk.night
            rests_on = night.opened, night.names, night.boards, self._desk.online
            if rests_on == self._rests_on:
                return
            # Also clears the pairing of a board that lost its table while the broker was unreachable.
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
        # QoS 0 for states: they are frequent, and would push results out of the broker's queue.
        levels = (("result", 1), ("online", 1), ("state", 0), ("desk", 0))
        client.subscribe([(self._topic("+", what), level) for what, level in levels])
        with self._lock:
            self._rests_on = ()
            self._published.clear()  # a broker that was killed may have lost retained messages
        self._greet()
        self.publish()

    def _greet(self) -> None:
        """Publish this desk's night for other desks at the broker."""
        self._client.publish(self._own, json.dumps({"schema": SCHEMA, "night": self._night}))

    def _on_desk(self, topic: str, text: bytes) -> None:
        """Handle a message from another desk: the name of its night, or "" if it left. Greet a new desk."""
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
            except Exception:  # noqa: BLE001  an unexpected message must not stop the night
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
