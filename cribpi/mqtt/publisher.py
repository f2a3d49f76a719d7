"""Tells a broker what happens, in a thread of its own: the table never waits for it.

The thread reads the journal, sends each message at QoS 1, and keeps the place of what the broker has
acknowledged.  If the broker is away, it tries again, after a second, two, four, up to a minute, and then goes
on from that place.  What is too large for the broker is left out, or a gap is told in its place.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cribpi.entry.pairing import Pairing
from cribpi.mqtt import reasons
from cribpi.mqtt.broker import Broker
from cribpi.mqtt.client import Away, connect, new_client
from cribpi.mqtt.discovery import discovery_of
from cribpi.mqtt.limit import WINDOW, Limit, Message
from cribpi.mqtt.outbox import Outbox
from cribpi.mqtt.pairing import BadPairing, read_pairing
from cribpi.mqtt.session import Session

if TYPE_CHECKING:
    from paho.mqtt.client import Client

_LOG: Final = logging.getLogger(__name__)

KEEP_ALIVE: Final = 30
"""Seconds after which a broker notices that the board is gone, and half as many more."""

ANSWER: Final = 10.0
"""Seconds in which a broker must let the board in."""

RETAINED: Final = 0.3
"""Seconds in which a broker hands over what it has retained."""

NAMESAKE: Final = 2.0
"""Seconds in which a board that is here answers another of its name."""

PAUSES: Final = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)

_LACKING: Final = "No broker hears of the games: install cribpi's extra mqtt, paho-mqtt 2.1 or newer."

Report = Callable[[str, str | None], None]
PART: Final = "mqtt"
"""What is reported of this: the name of the part."""


class Publisher:
    """Tells *broker* of the journal in *folder*; *report* takes what is wrong, as a sentence."""

    def __init__(
        self,
        broker: Broker,
        folder: Path,
        report: Report,
        undo: Callable[[str | None], None] = lambda _id: None,
        pair: Callable[[Pairing | None], None] = lambda _pairing: None,
    ) -> None:
        self._broker = broker
        self._folder = folder
        self._report = report
        self._undo = undo
        self._pair = pair
        self._instance = instance_of(folder)
        self._limit = Limit()
        self._goes_on = False
        """Whether the last connection has brought more than a try: it worked, or it has shown the limit."""
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._wakes, self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def on_change(self, kind: str) -> None:
        """Look into the journal once more, if the table has changed; any thread may call."""
        if kind == "state":
            self._wakened()

    def _wakened(self) -> None:
        with self._lock, suppress(BlockingIOError):  # full: it wakes anyhow
            if self._wake >= 0:
                os.write(self._wake, b".")

    def stop(self) -> None:
        """Send what is there, for a second at most, say that the board is gone, and end."""
        self._stopping.set()
        self._wakened()
        self._thread.join(5)
        if self._thread.is_alive():
            return  # it waits for a broker that does not answer, and ends with the program
        with self._lock:
            os.close(self._wakes)
            os.close(self._wake)
            self._wakes = self._wake = -1

    # --- the thread ---

    def _run(self) -> None:
        try:
            from paho.mqtt.enums import CallbackAPIVersion as _  # noqa: F401, PLC0415  Debian 12's is too old
        except ImportError:
            self._report(PART, _LACKING)
            return
        outbox, failed = Outbox(self._folder, self._broker.board, self._instance), 0
        while not self._stopping.is_set():
            try:
                outbox.look()
                self._connected(outbox)
            except Away as why:
                self._say(str(why))
                failed = len(PAUSES) if why.is_final else 0 if self._goes_on else failed
            except sqlite3.Error as bad:
                self._say(f"the journal can't be read ({bad})", "No broker hears of the games")
            except Exception as bad:  # noqa: BLE001  whatever it is, the game goes on
                _LOG.warning("telling the broker failed", exc_info=None if failed else bad)
                self._say(f"{type(bad).__name__}: {bad}", "No broker hears of the games")
            self._stopping.wait(PAUSES[min(failed, len(PAUSES) - 1)])
            failed += 1

    def _note(self, session: Session) -> None:
        """Report that all is well, or what the broker does not get, once what has waited is acknowledged."""
        if not session.is_well or session.why:
            return
        self._goes_on = True
        left_out = session.left_out
        sentence = self._limit.sentence(self._broker.host, left_out) if left_out else None
        if sentence != session.said:
            session.said = sentence
            self._report(PART, sentence)

    def _say(self, why: str, what: str = "") -> None:
        if self._stopping.is_set():
            return
        said = what or f"The broker {self._broker.host} hears of the games later"
        self._report(PART, f"{said}: {why.replace('{board}', self._broker.board)}.")

    def _connected(self, outbox: Outbox) -> None:
        """Connect, and tell what there is until the connection or the thread ends.

        Raises:
            Away: If the connection fails.
            sqlite3.Error: If the journal can't be read.
        """
        self._goes_on = False
        session = self._session(outbox)
        try:
            self._wait_for(session, lambda: session.is_in, ANSWER)
            self._look_for_a_namesake(session)
            session.read = outbox.told
            self._greet(session)
            if (last := outbox.last_result()) is not None:
                result = Message(self._broker.topic("result"), json.dumps(last), is_retained=True)
                session.put_if_small(result, "results")
            self._tell(session, outbox)
            self._bid_farewell(session)
        except Away as why:
            if self._was_one_to_blame(session):
                raise Away(str(why)) from None  # the next try finds out more, or leaves it out
            raise
        finally:
            with suppress(Exception):
                self._hang_up(session)

    def _was_one_to_blame(self, session: Session) -> bool:
        """Tell whether it may have ended because of a message that is too large, and note which."""
        at_once = time.monotonic() - session.sent_at < ANSWER
        if not (session.is_broken_off and session.accepted and session.waiting and at_once):
            return False
        waiting = tuple(session.waiting.values())
        self._goes_on |= self._limit.broken_off(waiting, is_said=session.is_too_large)
        return True

    def _tell(self, session: Session, outbox: Outbox) -> None:
        deadline = None
        while True:
            session.take(outbox)
            session.send()
            self._note(session)
            if session.why:
                raise Away(session.why, is_final=session.is_final)
            if self._stopping.is_set():
                deadline = deadline or time.monotonic() + 1.0
                if not (session.waiting or session.outgoing) or time.monotonic() > deadline:
                    return
            session.turn(0.1 if deadline else 5.0)

    def _hang_up(self, session: Session) -> None:
        """End the connection; the broker says that the board is gone where the board could not."""
        from paho.mqtt.packettypes import PacketTypes  # noqa: PLC0415  the extra `mqtt`
        from paho.mqtt.reasoncodes import ReasonCode  # noqa: PLC0415  as above

        with_will = ReasonCode(PacketTypes.DISCONNECT, "Disconnect with will message")
        session.client.disconnect(reasoncode=None if session.has_said_so else with_will)
        until = time.monotonic() + 0.2
        while session.client.want_write() and time.monotonic() < until:
            session.turn(0.05)

    def _session(self, outbox: Outbox) -> Session:
        broker = self._broker
        client = new_client(broker, f"{broker.prefix}-{broker.board}-{self._instance}", ANSWER)
        session = Session(client, broker, self._limit, self._wakes)
        client.max_inflight_messages_set(2 * WINDOW)
        client.will_set(broker.topic("online"), "false", qos=1, retain=True)

        def on_connect(_client: Client, _data: Any, _flags: Any, reason: Any, more: Any) -> None:  # noqa: ANN401  paho's
            session.let_in(reason, more)

        def on_publish(_client: Client, _data: Any, number: int, reason: Any, _more: Any) -> None:  # noqa: ANN401  paho's
            if row := session.answered(number, reason):
                outbox.acknowledged(row)

        def on_disconnect(_client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:  # noqa: ANN401  paho's
            session.ended(reason)

        def on_subscribe(*_: Any) -> None:  # noqa: ANN401  paho's
            session.is_subscribed = True

        def on_message(_client: Client, _data: Any, message: Any) -> None:  # noqa: ANN401  paho's
            if message.topic == broker.topic("online"):
                session.is_online = message.payload == b"true"
                if session.is_online and not message.retain:
                    session.shown = -1  # another asks who is here: the state says it
            elif message.topic == broker.topic("state"):
                self._hear_state(session, message.payload, is_live=not message.retain)
            elif message.topic == broker.topic("pairing"):
                session.pairing = bytes(message.payload)
                if session.is_here:
                    self._hear_pairing(session.pairing)
            elif not message.retain:
                self._undo(message.payload.decode(errors="replace")[:64] or None)

        client.on_connect = on_connect
        client.on_publish = on_publish
        client.on_disconnect = on_disconnect
        client.on_subscribe = on_subscribe
        client.on_message = on_message
        connect(client, broker, KEEP_ALIVE)
        return session

    def _wait_for(self, session: Session, is_there: Callable[[], bool], seconds: float) -> None:
        until = time.monotonic() + seconds
        while not is_there():
            if session.why:
                raise Away(session.why, is_final=session.is_final)
            if time.monotonic() > until or self._stopping.is_set():
                raise Away(reasons.SILENT)
            session.turn(0.1)

    def _look_for_a_namesake(self, session: Session) -> None:
        """Find out whether another board tells the broker by this name.

        What a broker has kept may be of a board that is long gone: so it asks, and one that is here answers
        with its state.

        Raises:
            Away: If one does.
        """
        from paho.mqtt.subscribeoptions import SubscribeOptions  # noqa: PLC0415  the extra `mqtt`

        heard = SubscribeOptions(qos=1, noLocal=True)
        topics = ("state", "online", *(("pairing",) if self._broker.club else ()))
        session.client.subscribe([(self._broker.topic(what), heard) for what in topics])
        self._wait_for(session, lambda: session.is_subscribed, ANSWER)
        self._listen(session, RETAINED)
        if session.is_online and session.is_other:
            session.client.publish(self._broker.topic("online"), "true", qos=1, retain=True)
            self._listen(session, NAMESAKE)
        if session.why:
            raise Away(session.why, is_final=session.is_final)
        session.is_here = True
        if self._broker.club:
            self._hear_pairing(session.pairing)

    def _listen(self, session: Session, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not session.why and time.monotonic() < until and not self._stopping.is_set():
            session.turn(0.05)

    def _hear_state(self, session: Session, text: bytes, *, is_live: bool) -> None:
        """Take notice of a state that is told by this board's name.

        Who is not here yet gives way to a board that is; of two that came together, one does.
        """
        other = _instance_of(text)
        session.is_other = other not in {"", self._instance}
        if session.is_other and is_live and (not session.is_here or self._instance > other):
            session.why, session.is_final = session.why or str(reasons.NAMESAKE), True

    def _hear_pairing(self, text: bytes) -> None:
        """Hand on who is to play here; what is no pairing changes nothing."""
        try:
            pairing = read_pairing(self._broker.topic("pairing"), text)
        except BadPairing as bad:
            _LOG.warning("%s", bad)
        else:
            self._pair(pairing)

    def _greet(self, session: Session) -> None:
        broker = self._broker
        if broker.undo:
            session.client.subscribe(broker.topic("undo"), qos=1)
        session.put(Message(broker.topic("online"), "true", is_retained=True))
        if broker.discovery != "off":
            topic, found = discovery_of(broker)
            found_by = Message(topic, json.dumps(found), is_retained=True)
            session.put_if_small(found_by, "Home Assistant's discovery")

    def _bid_farewell(self, session: Session) -> None:
        """Say that the board is gone, past what is still to be sent.

        Where the broker takes no more at a time, its will has to do.
        """
        if len(session.waiting) >= session.allowed:
            return
        info = session.client.publish(self._broker.topic("online"), "false", qos=1, retain=True)
        until = time.monotonic() + 0.5
        while not info.is_published() and not session.why and time.monotonic() < until:
            session.turn(0.1)
        session.has_said_so = info.is_published()


def instance_of(folder: Path) -> str:
    """Return what tells this board from any other, also from one with a copy of its state *folder*."""
    machine = ""
    with suppress(OSError):
        machine = Path("/etc/machine-id").read_text(encoding="ascii").strip()
    known = f"{machine} {uuid.getnode()} {folder.absolute()}"
    return hashlib.sha256(known.encode(errors="replace")).hexdigest()[:12]


def _instance_of(text: bytes) -> str:
    """Return whose state it is; empty if it is no state of a board's."""
    with suppress(ValueError):
        found = json.loads(text)
        if isinstance(found, dict) and isinstance(instance := found.get("instance"), str):
            return instance
    return ""
