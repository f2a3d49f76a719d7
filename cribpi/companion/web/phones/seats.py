"""The clients of the phones, and the thread that serves phones on the home network."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from cribpi.companion.entry.input_state import Hint, PhoneList
from cribpi.companion.entry.keys import TWENTY
from cribpi.companion.entry.phones import GiveRole, Phone, PhoneCommand, Phones, Role
from cribpi.companion.entry.requests import SetPhones, TableRequest
from cribpi.companion.journal.journal import TableResponse
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from cribpi.companion.views.screen.layouts.lists import modules_of
from cribpi.companion.web.client import BoardClient, Client
from cribpi.companion.web.phones.network import UNNAMED, Announced, Reach, reach
from cribpi.companion.web.phones.registry import GONE, NotAdmitted, NotKept, PhoneRegistry, SeatTaken, hashed
from cribpi.companion.web.phones.session import PhoneSession
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import State

if TYPE_CHECKING:
    from cribpi.companion.web.json import setup_types

_LOG = logging.getLogger(__name__)

LOOK_AGAIN = 15.0
"""Seconds between checks for changed addresses, and between retries of a failed save."""

Serve = Callable[[tuple[str, ...], "TablePhones"], Callable[[], None]]
"""Function that serves phones at addresses, and returns a function that stops serving.

May raise `OSError`.
"""

GiveHint = Callable[[State, int], Hint]

Announce = Callable[[tuple[str, ...]], Announced]
"""Function that publishes the board's name for addresses. May block for seconds."""


class PhoneClient(Client):
    """The client interface of one phone. It sees its own hand and no other."""

    def __init__(self, phones: TablePhones, phone: Phone, token: str) -> None:
        board = phones.companion
        super().__init__(lambda: board.loop, board.strip, board.kit)
        self._phones = phones
        self._registry = phones.registry
        self._token = token
        self._lock = threading.Lock()
        self._latest = PhoneSession(phone, TWENTY, self._hides)
        self._is_thinking = False
        """Whether a thread is computing a hint for this phone."""

    @property
    def phone(self) -> Phone:
        """The phone with its current role."""
        return self._phones.with_role_now(self.session().phone)

    def session(self) -> PhoneSession:
        """Return the session for the phone's current role. A new role gets a new session.

        The lock covers both reading the registry and replacing the session. Otherwise a slow thread could
        restore a role whose removal another thread has already seen.
        """
        with self._lock:
            before = self._latest
            phone = self._registry.known(self._token)
            if phone is None:  # a removed phone sees what a phone without a role sees
                phone = replace(before.phone, role=None, seat=None)
            if phone != before.phone:
                before.close()
                self._latest = PhoneSession(phone, TWENTY, self._hides)
            return self._latest

    def look(self) -> None:
        """Notify the phone's page that the phone's role may have changed, or that the phone was removed."""
        self.session()
        if self._registry.known(self._token) is None:
            self.tell("gone")
        else:
            self.tell("phone", "state", "page")

    def _hides(self, state: State, seat: int) -> str:
        """Return the reason not to show the hand of *seat* on this phone, as a sentence, or ""."""
        deal = deal_name(state)
        try:
            if self._registry.sees(self._token, deal, seat):
                return ""
        except NotKept as full:
            return f"Your cards stay hidden until the board can save {full.why}."
        seen = self._registry.saw(self._token, deal)
        if seen is None:
            return GONE
        return (
            f"This phone has seen {state.names[seen]}'s cards of this deal, so {state.names[seat]}'s stay "
            f"hidden here. To see them, give it {state.names[seat]}'s seat at the board: MENU, phones."
        )

    def me(self) -> setup_types.Phone:
        """Return this phone with its role, and the roles that it can have in this game."""
        phone, (entry, seats) = self.phone, self._phones.game()
        return {
            "number": phone.number,
            "kind": phone.kind,
            "role": phone.role,
            "seat": phone.seat,
            "entry": entry,
            "seats": seats,
        }

    def do(
        self,
        request: TableRequest,
        id: str | None = None,  # noqa: A002  the contract's own word
        if_seq: int | None = None,
    ) -> Future[TableResponse]:
        """Run *request* in the phone's current session. It is refused if the role changes before it runs."""
        session = self.session()
        # Ids are prefixed by the token, because a phone's number may later be given to another phone.
        name = None if id is None else f"phone {hashed(self._token)[:16]}: {id}"

        def done(table: Table) -> TableResponse:
            self.session()  # closes the session of this press if the role has changed
            return table.do(request, session, id=name, if_seq=if_seq)

        response = self._loop().ask(done)
        response.add_done_callback(self._pressed)
        return response

    def _pressed(self, _response: Future[TableResponse]) -> None:
        self.tell("state", "page")
        self._consider()

    def _consider(self) -> None:
        """Start computing a hint if one is wanted. Must be called on the loop thread."""
        now, session = self.table.now, self.session()
        seat = session.hint_asked(now)
        if seat is None or self._is_thinking:
            return
        self._is_thinking = True
        threading.Thread(
            target=self._think, args=(session, now.state, seat), name="hint", daemon=True
        ).start()

    def _think(self, session: PhoneSession, state: State, seat: int) -> None:
        hint = self._phones.hint(state, seat)

        def deliver(table: Table) -> None:
            # Harmless if the role has changed, because that session is not displayed any more.
            session.take_hint(hint, state, table.now)
            self._is_thinking = False
            self._consider()

        self._loop().ask(deliver).add_done_callback(lambda _: self.tell("state", "page"))

    def choose(self, role: Role | None, seat: int | None) -> None:
        self._phones.check(seat)
        state = self.table.now.state
        seen = self._registry.saw(self._token, deal_name(state))
        if seat is not None and seen is not None and seen != seat:
            raise SeatTaken(
                f"This phone has seen {state.names[seen]}'s cards. Take {state.names[seat]}'s seat in the "
                "next deal, or have it handed over at the board."
            )
        self._registry.choose(self._token, role, seat)

    def leave(self) -> None:
        with suppress(NotKept):  # the board reports it, and the phone has already deleted its token
            self._registry.leave(self._token)


class TablePhones:
    """All phones of one table, and the thread that serves them on the network.

    Args:
        companion: The client interface of the local page.
        registry: The joined phones.
        give_hint: Returns a hint for a seat in a state. It may block for seconds.
        find: Finds this machine's addresses.
    """

    def __init__(
        self,
        companion: BoardClient,
        registry: PhoneRegistry,
        give_hint: GiveHint,
        find: Callable[[], Reach] = reach,
    ) -> None:
        self.companion = companion
        self.registry = registry
        self._give_hint = give_hint
        self._hinting = threading.Lock()
        self._find = find
        self._tables: dict[str, PhoneClient] = {}
        self._lock = threading.Lock()
        self._reach = Reach()
        self._wake = threading.Event()
        self._is_stopped = False
        self._announced = UNNAMED
        self._naming: threading.Thread | None = None
        self._end: Callable[[], None] | None = None
        """Function that stops the running server, or None."""
        self._thread = threading.Thread(target=self._run, name="phones", daemon=True)
        self._game: tuple[Entry, list[setup_types.PhoneSeat]] | None = None
        """Last result of `game` of which phones were notified."""
        registry.on_change = self._changed
        companion.subscribe(self._on_change)
        companion.phones, companion.change_phones = self.json, self.change
        # The table must know the phones before it shows anything, because an open hand may belong to a phone
        # by now.
        self._reported = self._state(shows_code=False)
        companion.table.do(SetPhones(self._reported))

    # --- called for phones ---

    def at(self, token: str) -> PhoneClient | None:
        with self._lock:
            phone = self.registry.known(token)
            if phone is not None and token not in self._tables:
                self._tables[token] = PhoneClient(self, phone, token)
            return self._tables[token] if phone is not None else None

    def hint(self, state: State, seat: int) -> Hint | None:
        """Return a hint for the person in *seat*, or None if that fails. Hints are computed one at a time."""
        with self._hinting:
            try:
                return self._give_hint(state, seat)
            except Exception:  # noqa: BLE001  the game can continue without a hint
                _LOG.exception("no hint could be given")
                return None

    def game(self) -> tuple[Entry, list[setup_types.PhoneSeat]]:
        """Return the entry mode of the current or next game, and the seats that phones can take."""
        now = self.companion.table.now
        entry = now.state.entry if now.state.names else Entry(now.context.next_game.entry)
        return entry, self._seats_json(now)

    def with_role_now(self, phone: Phone) -> Phone:
        """Return *phone* with its role in this game. If the computer plays its seat, it has no role."""
        now = self.companion.table.now
        is_lost = now.state.names and phone.seat not in {None, *now.view.people}
        return replace(phone, role=None, seat=None) if is_lost else phone

    def _seats_json(self, now: Snapshot) -> list[setup_types.PhoneSeat]:
        def seats() -> list[setup_types.PhoneSeat]:
            names = now.view.names
            holders = {phone.seat: phone.number for phone in map(self.with_role_now, self.registry.present)}
            return [
                {"seat": seat, "name": names[seat], "phone": holders.get(seat)} for seat in now.view.people
            ]

        faults = self.companion.table.faults
        return faults.guarded("phone (seats)", now, seats, lambda _error: [])

    # --- called for the local page ---

    def json(self) -> setup_types.Phones:
        state = self._state(shows_code=True)
        now = self.companion.table.now
        names = now.view.names
        return {
            "open": state.is_open,
            "address": state.address,
            "code": state.code,
            "seconds": self.registry.code_seconds,
            "modules": [list(map(int, row)) for row in modules_of(state.joins_at)] if state.joins_at else [],
            "trouble": state.trouble,
            "seats": self._seats_json(now),
            "phones": [
                {
                    "number": phone.number,
                    "kind": phone.kind,
                    "role": phone.role,
                    "seat": phone.seat,
                    "name": names[phone.seat] if phone.seat is not None and phone.seat < len(names) else "",
                }
                for phone in state.present
            ],
        }

    def change(self, command: PhoneCommand) -> setup_types.Phones:
        """Execute *command* for the local page. Return the JSON of the phones afterwards."""
        self.do(command)
        return self.json()

    def do(self, command: PhoneCommand) -> None:
        """Execute *command*, a command from the board.

        Raises:
            NotAdmitted: If the command is not possible, or saving fails.
        """
        if isinstance(command, GiveRole):
            self.check(command.seat)
        self.registry.do(command, deal_name(self.companion.table.now.state))

    def do_if_possible(self, command: PhoneCommand) -> None:
        """Execute *command*, caused by a key. Errors are ignored: a failed save is reported elsewhere."""
        with suppress(NotAdmitted):
            self.do(command)

    def check(self, seat: int | None) -> None:
        """Check that a phone can take *seat*.

        Raises:
            SeatTaken: If no person plays the seat.
        """
        now = self.companion.table.now
        if seat is not None and seat not in now.view.people:
            raise SeatTaken("No person plays that seat: choose another.")

    # --- called by the program ---

    def start(self, serve: Serve, port: int, announce: Announce = lambda _addresses: UNNAMED) -> None:
        """Start the thread. While phones are on, it serves them with *serve* at *port*."""
        self._serve, self._announce = serve, announce
        self._port = port
        self._thread.start()

    def stop(self) -> None:
        """Stop serving. Pages reconnect after the next start."""
        self._is_stopped = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def _on_change(self, kind: str) -> None:
        if kind == "oled":
            return  # phones never get the board's screen, which may show an open hand
        with self._lock:
            tables = list(self._tables.values())
        for table in tables:
            table.tell(kind)
        if kind == "state":
            game = self.game()
            if game != self._game:
                self._game = game
                for table in tables:
                    table.tell("phone")
            self._wake.set()

    def _changed(self) -> None:
        """Handle a change of the registry: notify all phones, and drop the clients of removed phones."""
        with self._lock:
            tables = dict(self._tables)
        for token, table in tables.items():
            if self.registry.known(token) is None:
                with self._lock:
                    self._tables.pop(token, None)
            table.look()
        self._tell_table()
        self._wake.set()

    def _run(self) -> None:
        while not self._is_stopped:
            self._wake.clear()
            try:
                if self.registry.is_refused:
                    self.registry.try_again()
                self._listen()
                self._tell_table()
            except Exception:  # noqa: BLE001  a bug must not lock phones out until the next start
                _LOG.exception("phones: a look at the table failed")
            self._wake.wait(self._next_look())
        self._hang_up()

    def _next_look(self) -> float | None:
        if not self.registry.is_open:
            return LOOK_AGAIN if self.registry.is_refused else None
        return min(LOOK_AGAIN, self.registry.code_seconds) if self._shows_code() else LOOK_AGAIN

    def _shows_code(self) -> bool:
        return isinstance(self.companion.table.now.input_state.dialog, PhoneList)

    def _listen(self) -> None:
        """Serve at the current addresses. If phones are off, stop serving."""
        target = self._find() if self.registry.is_open else Reach()
        if target == self._reach:
            return
        self._hang_up()
        self._reach = target
        if target.addresses:
            try:
                self._end = self._serve(target.addresses, self)
            except OSError as error:
                self._reach = Reach(trouble=f"Phones can't join: {error}.")
            else:
                self._naming = threading.Thread(target=self._name, args=(target,), name="name", daemon=True)
                self._naming.start()

    def _name(self, target: Reach) -> None:
        self._announced = self._announce(target.addresses)
        self._wake.set()

    def _hang_up(self) -> None:
        if self._naming is not None:
            self._naming.join()
            self._announced.stop()
            self._announced, self._naming = UNNAMED, None
        if self._end is not None:
            self._end()
            self._end = None

    def _tell_table(self) -> None:
        """If the phones have changed, notify the table, so that the board's screen and menus show them."""
        state = self._state(shows_code=self._shows_code())
        if state != self._reported:
            self._reported = state
            self.companion.loop.ask(lambda table: table.do(SetPhones(state)))

    def _state(self, *, shows_code: bool) -> Phones:
        is_open = self.registry.is_open
        return Phones(
            is_open,
            f"http://{self._reach.addresses[0]}:{self._port}/" if self._reach.addresses else "",
            self._announced.host,
            self.registry.code() if is_open and shows_code else "",
            self._reach.trouble,
            tuple(map(self.with_role_now, self.registry.present)),
        )


def deal_name(state: State) -> str:
    """Return an identifier of the cards dealt in *state*. UNDO does not change it.

    It is "" with real cards, and before the deal.
    """
    dealt = state.deal.dealt if state.deal else ()
    hands = "; ".join(" ".join(map(str, hand)) for hand in dealt)
    return hashlib.sha256(hands.encode()).hexdigest()[:16] if any(dealt) else ""
