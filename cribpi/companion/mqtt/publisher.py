"""Publishes the game to a broker, in its own thread, so that the table never waits.

The thread reads the journal, sends each message at QoS 1, and records which messages the broker has
acknowledged. If the broker is unreachable, the thread retries after a second, two, four, up to a minute, and
then continues with the first unacknowledged message. Of two boards with one name the broker itself keeps the
later one.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.client import SILENT, BrokerUnavailable, connect, new_client
from cribpi.companion.mqtt.outbox import Outbox
from cribpi.companion.mqtt.pairing import BadPairing, read_page, read_pairing
from cribpi.companion.mqtt.session import WINDOW, Session

if TYPE_CHECKING:
    from paho.mqtt.client import Client

_LOG: Final = logging.getLogger(__name__)

KEEP_ALIVE: Final = 30
"""Seconds after which a broker notices that the board is gone; it adds half as many."""

ANSWER: Final = 10.0
"""Seconds for a broker to accept the board."""

PAUSES: Final = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)

_LACKING: Final = "No broker gets the games: install cribpi's mqtt extra, paho-mqtt 2.1 or newer."

Report = Callable[[str, str | None], None]
PART: Final = "mqtt"
"""The part's name in reports."""


class Publisher:
    """Publishes the journal in *folder* to *broker*; *report* receives errors, as sentences."""

    def __init__(
        self,
        broker: Broker,
        folder: Path,
        report: Report,
        undo: Callable[[str | None], None] = lambda _id: None,
        pair: Callable[[Pairing | None], None] = lambda _pairing: None,
        show_club: Callable[[str], None] = lambda _page: None,
        page: Callable[[], str] = lambda: "",
    ) -> None:
        """*undo*, *pair* and *show_club* receive messages; *page* returns the address of the board's page."""
        self._broker = broker
        self._folder = folder
        self._report = report
        self._undo = undo
        self._pair = pair
        self._show_club = show_club
        self._page = page
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._waker = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def on_change(self, kind: str) -> None:
        """Read the journal again if the table has changed. Thread-safe."""
        if kind == "state":
            self._wakened()

    def _wakened(self) -> None:
        with self._lock, suppress(BlockingIOError):  # a full counter wakes the thread anyhow
            if self._waker >= 0:
                os.eventfd_write(self._waker, 1)

    def stop(self) -> None:
        """Send pending messages for at most a second, publish that the board is offline, and end."""
        self._stopping.set()
        self._wakened()
        self._thread.join(5)
        if self._thread.is_alive():
            return  # the thread waits for a broker that does not answer, and ends with the program
        with self._lock:
            os.close(self._waker)
            self._waker = -1

    # --- the thread ---

    def _run(self) -> None:
        try:
            from paho.mqtt.enums import CallbackAPIVersion as _  # noqa: F401, PLC0415  Debian 12's is too old
        except ImportError:
            self._report(PART, _LACKING)
            return
        outbox, failed = Outbox(self._folder, self._broker.board, takes_pairings=self._broker.club), 0
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                outbox.load()
                self._connected(outbox)
            except BrokerUnavailable as why:
                self._say(str(why))
                failed = len(PAUSES) if why.is_final else failed
            except sqlite3.Error as bad:
                self._say(f"the journal can't be read ({bad})", "No broker gets the games")
            except Exception as bad:  # noqa: BLE001  whatever it is, the game goes on
                _LOG.warning("telling the broker failed", exc_info=None if failed else bad)
                self._say(f"{type(bad).__name__}: {bad}", "No broker gets the games")
            if time.monotonic() - began > PAUSES[-1]:  # after a long connection, retry quickly
                failed = 0
            self._stopping.wait(PAUSES[min(failed, len(PAUSES) - 1)])
            failed += 1

    def _say(self, reason: str, what: str = "") -> None:
        if self._stopping.is_set():
            return
        what = what or f"The broker {self._broker.host} gets the games later"
        self._report(PART, f"{what}: {reason.replace('{board}', self._broker.board)}.")

    def _connected(self, outbox: Outbox) -> None:
        """Connect, and publish until the connection or the thread ends.

        Raises:
            BrokerUnavailable: If the connection fails.
            sqlite3.Error: If the journal can't be read.
        """
        until = time.monotonic() + ANSWER
        session = self._session(outbox)
        try:
            while not session.is_in:
                if session.why:
                    raise BrokerUnavailable(session.why, is_final=session.is_final)
                if time.monotonic() > until or self._stopping.is_set():
                    raise BrokerUnavailable(SILENT)
                session.turn(0.1)
            club = self._broker.club
            for what, is_wanted in (("undo", self._broker.undo), ("pairing", club), ("desk", club)):
                if is_wanted:
                    session.client.subscribe(self._broker.topic(what), qos=1)
            session.read = outbox.acknowledged_row
            session.put("online", True)  # noqa: FBT003  the message itself is true
            if (last := outbox.last_result()) is not None:
                session.put("result", last)
            self._publish(session, outbox)
            self._publish_offline(session)
        finally:
            with suppress(Exception):
                self._hang_up(session)

    def _publish(self, session: Session, outbox: Outbox) -> None:
        deadline, is_noted = None, False
        while True:
            session.take(outbox)
            session.send()
            if session.why:
                raise BrokerUnavailable(session.why, is_final=session.is_final)
            if session.is_well and not is_noted:
                is_noted = True
                self._report(PART, None)
            if self._stopping.is_set():
                deadline = deadline or time.monotonic() + 1.0
                if not (session.waiting or session.outgoing) or time.monotonic() > deadline:
                    return
            session.turn(0.1 if deadline else 5.0)

    def _hang_up(self, session: Session) -> None:
        """End the connection; the broker publishes the will unless the board has said that it is offline."""
        from paho.mqtt.packettypes import PacketTypes  # noqa: PLC0415  the extra `mqtt`
        from paho.mqtt.reasoncodes import ReasonCode  # noqa: PLC0415  the extra `mqtt`

        with_will = ReasonCode(PacketTypes.DISCONNECT, "Disconnect with will message")
        session.client.disconnect(reasoncode=None if session.is_offline_published else with_will)
        until = time.monotonic() + 0.2
        while session.client.want_write() and time.monotonic() < until:
            session.turn(0.05)

    def _session(self, outbox: Outbox) -> Session:
        broker = self._broker
        client = new_client(broker, f"{broker.prefix}-{broker.board}", ANSWER)
        session = Session(client, broker, self._waker, self._page)
        client.max_inflight_messages_set(2 * WINDOW)
        client.will_set(broker.topic("online"), "false", qos=1, retain=True)
        received: set[str] = set()

        def receive(what: str, text: bytes) -> None:
            received.add(what)
            if what == "pairing":
                self._pair(read_pairing(broker.topic(what), text))
            else:
                self._show_club(read_page(broker.topic(what), text))

        def on_publish(_client: Client, _data: Any, number: int, reason: Any, _more: Any) -> None:  # noqa: ANN401  paho's
            if broker.club:  # retained messages arrive before the first answer: a missing one is withdrawn
                for what in {"pairing", "desk"} - received:
                    receive(what, b"")
            if row := session.answered(number, reason):
                outbox.acknowledged(row)

        def on_message(_client: Client, _data: Any, message: Any) -> None:  # noqa: ANN401  paho's
            session.received += 1
            text, what = bytes(message.payload), message.topic.removeprefix(broker.topic(""))
            try:
                if broker.club and what in {"pairing", "desk"}:
                    receive(what, text)
                elif broker.undo and what == "undo" and not message.retain:
                    self._undo(text.decode(errors="replace")[:64] or None)
            except BadPairing as bad:  # an invalid message changes nothing
                _LOG.warning("%s", bad)

        client.on_connect = lambda _client, _data, _flags, reason, more: session.let_in(reason, more)
        client.on_disconnect = lambda _client, _data, _flags, reason, _more: session.ended(reason)
        client.on_publish = on_publish
        client.on_message = on_message
        connect(client, broker, KEEP_ALIVE)
        return session

    def _publish_offline(self, session: Session) -> None:
        """Publish that the board is offline, after the pending messages.

        If too many messages are unanswered, this is left to the broker's will.
        """
        if len(session.waiting) >= session.allowed:
            return
        info = session.client.publish(self._broker.topic("online"), "false", qos=1, retain=True)
        until = time.monotonic() + 0.5
        while not info.is_published() and not session.why and time.monotonic() < until:
            session.turn(0.1)
        session.is_offline_published = info.is_published()
