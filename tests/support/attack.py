"""An attacker at every screen of a table: compares all that each client received with the cards it may know.

Which cards a client may know is computed from the packs and from this module's own actions: which phone took
which seat, and when OK was pressed at the board. The code under test is not asked.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx

from cribpi.commands.export import record
from cribpi.companion.entry.input_state import Hint
from cribpi.companion.entry.phones import OpenPhones
from cribpi.companion.mqtt.outbox import Outbox
from cribpi.companion.run.bootstrap import Running
from cribpi.companion.table.machine_seats import is_next
from cribpi.companion.web.phones.network import Reach
from cribpi.companion.web.phones.seats import TablePhones
from cribpi.companion.web.server import PhoneServer
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules.errors import UserError
from support.clients import client_of
from support.companions import page_of, running
from support.patience import PATIENCE, until
from support.who_knows import CARD, NOTHING, Cards, Deal, Game, Ledger, Pack, cards_in

HOME: Final = "127.0.0.2"
"""Stands in for this machine's address in the home network. It is a loopback address."""
PHONES: Final = 3
"""Maximum number of phones at one time."""
LEVELS: Final = (("", ""), ("", "thrifty"), ("thrifty", ""), ("", "", ""), ("", "", "thrifty"))
DECISIONS: Final = events.CardPlayed | events.Discarded | events.GoSaid


class Client:
    """A client of the server. It records everything that it receives."""

    def __init__(self, url: str, name: str, cookies: httpx.Cookies | None = None) -> None:
        self.name = name
        self.url = url
        self._cookies = cookies
        self._http = self._opened()
        self._texts: list[str] = []
        self._ids: set[object] = set()
        self.at = -1
        """The `seq` of the last page that its stream received."""
        self._is_closed = False

    def _opened(self) -> httpx.Client:
        return client_of(self.url, cookies=self._cookies)

    def get(self, path: str) -> httpx.Response:
        return self._answered(self._http.get(path))

    def post(self, path: str, body: dict[str, object]) -> httpx.Response:
        answer = self._http.post(path, json=body)
        if body.get("id") in self._ids:
            return answer  # the repeated answer to an old request, perhaps of another game
        self._ids |= {body["id"]} if "id" in body else set()
        return self._answered(answer, str(body.get("key", "")))

    def delete(self, path: str) -> httpx.Response:
        return self._answered(self._http.delete(path))

    def _answered(self, answer: httpx.Response, key: str = "") -> httpx.Response:
        """Record *response*.

        The *key* that was pressed is removed from it, because naming that key reveals nothing.
        """
        self._texts.append(answer.text.replace(key, "") if CARD.fullmatch(key) else answer.text)
        return answer

    def listen(self) -> None:
        """Receive the event stream in a thread, until this client or the table is closed."""
        self.at = -1
        ready = threading.Event()
        threading.Thread(target=self._listen, args=(ready,), daemon=True).start()
        assert ready.wait(PATIENCE)

    def _listen(self, ready: threading.Event) -> None:
        kind = ""
        with suppress(httpx.HTTPError), self._opened() as http, http.stream("GET", "/api/events") as answer:
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: ") and kind != "oled":  # the screen's event is a picture
                    self._texts.append(line)
                    self.at = json.loads(line[6:])["seq"] if kind == "page" else self.at
                    ready.set()
                if self._is_closed:
                    break
        self.at = 1 << 60  # no more events will come
        ready.set()

    def heard(self) -> Cards:
        """Return the cards named in everything received since the last call."""
        texts, self._texts = self._texts, []
        return cards_in(*texts)

    def close(self) -> None:
        self._is_closed = True
        self._http.close()


class Phone(Client):
    """A phone and the seats that it has had."""

    def __init__(self, url: str, place: int, number: int, cookies: httpx.Cookies) -> None:
        super().__init__(url, f"phone {place}", cookies)
        self.place = place
        """Index among all phones that have ever joined. The phone's number is reused after it leaves."""
        self.number = number
        self.seat: int | None = None
        self.seats: set[int] = set()
        """Seats that this phone has had since the last check."""

    def sits(self, seat: int | None) -> None:
        self.seat = seat
        if seat is not None:
            self.seats.add(seat)


class Attack:
    """A random walk through everything that people can do at a table in *folder*. Phones join and leave."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.leaks: list[str] = []
        """Cards that a client received but must not know."""
        self.troubles: dict[str, str] = {}
        """Faults that the program has reported."""
        self.shown = 0
        """Number of hands shown on phones, each in a separate deal."""
        self.looked = 0
        """Number of checks of a phone while there was a hand that it must not see."""
        self._folder = folder
        self._chance = Random(seed)
        self._ledger = Ledger()
        self._did: list[str] = []
        self._phones: list[Phone] = []
        self._port = _free_port()
        self._games = self._joined = self._told = 0
        self._before: tuple[Game, Deal | None] | None = None
        self._held: set[int | None] = set()
        """Seats that phones had at the last check."""
        self._at: tuple[int, events.Event] | None = None
        """Length of the game's log at the last check, and its last event."""
        self._start()

    # --- the table ---

    def _start(self) -> None:
        self._running = ExitStack()
        settings: dict[str, Any] = {"entry": "dealt", "levels": ("person",), "speed": "fast"}
        self._parts: Running = self._running.enter_context(running(self._folder, seed=1, **settings))
        self._parts.loop.table._shuffle = self._shuffled
        self._parts.phones._find = lambda: Reach((HOME,))
        self._parts.phones._give_hint = _hint
        self._parts.phones.registry.do(OpenPhones())
        self._parts.phones.start(self._serve, self._port)
        until(lambda: self._parts.phones._end is not None)
        page = self._running.enter_context(page_of(self._parts.companion))
        self._board = Client(page.url, "the board")
        for client in (self._board, *self._phones):
            client.listen()

    def _serve(self, addresses: tuple[str, ...], door: TablePhones) -> Callable[[], None]:
        server = PhoneServer(door, addresses, self._port)
        server.start()
        return server.stop

    def _stop(self) -> None:
        self._board.close()
        self._running.close()

    def close(self) -> None:
        for phone in self._phones:
            phone.close()
        self._stop()

    def _shuffled(self) -> Pack:
        """Return a random pack.

        Cards that have not been seen in this game come first, so that each can be recognized.
        """
        here = self._here()
        public = here[0].public if here else NOTHING
        return tuple(sorted(self._chance.sample(PACK, len(PACK)), key=lambda card: str(card) in public))

    def _here(self) -> tuple[Game, Deal | None] | None:
        """Return the current game and its deal."""
        return self._ledger.note(self._parts.loop.table.now.log)

    @property
    def _state(self) -> State:
        return self._parts.loop.table.now.state

    # --- one step ---

    def step(self) -> None:
        """Do one random action of all possible ones, then check what each client received."""
        ways = list(self._ways())
        weights = [weight for weight, _, _ in ways]
        _, name, do = self._chance.choices(ways, weights)[0]
        self._do(name, do)

    def attack(self) -> None:
        """Do all that an attacker would do on purpose, in random order and with random actions in between."""
        ways: list[tuple[str, Callable[[], object]]] = [
            ("both hands", lambda: self._both_hands(restarts=False)),
            ("both hands, with a restart", lambda: self._both_hands(restarts=True)),
            ("the computer's hand", self._computers_hand),
            ("a hand is left open", self._hand_left_open),
            ("a game is left", self._left_game),
        ]
        for name, do in self._chance.sample(ways, len(ways)):
            for _ in range(self._chance.randint(4, 12)):
                self.step()
            self._do(name, do)

    def _do(self, name: str, do: Callable[[], object]) -> None:
        self._did.append(name)
        do()
        self._look()

    def _ways(self) -> Iterator[tuple[float, str, Callable[[], object]]]:
        yield 30, "board presses", self._board_presses
        yield 6, "undo at the board", lambda: self._press_board("UNDO")
        yield 2, "redo at the board", lambda: self._press_board("hold:UNDO")
        yield 4, "a new game", lambda: self._begin(self._chance.choice(LEVELS))
        yield 3, "past games", self._past_games
        yield 1, "a restart", self._restart
        if len(self._phones) < PHONES:
            yield 8, "a phone joins", self._join
        if self._phones:
            yield 30, "a phone presses", lambda: self._phone_presses(self._one())
            yield 8, "a phone takes a role", lambda: self._take(self._one(), self._some_seat())
            yield 2, "a seat is given", self._give
            yield 0.5, "a phone is removed", self._remove
            yield 0.5, "a phone leaves", self._leave

    def _one(self) -> Phone:
        return self._chance.choice(self._phones)

    def _some_seat(self) -> int | None:
        return self._chance.choice((0, 0, 1, 1, 2, None))

    # --- what people do ---

    def _press_board(self, key: str) -> None:
        if key == "OK":
            self._opens()
        self._board.post("/api/press", {"key": key})

    def _opens(self) -> None:
        """Record whose hand OK may open: the first person who must act and has no phone for that seat."""
        here, state = self._here(), self._state
        game, deal = here or (None, None)
        if game is None or deal is None or state.deal is None:
            return
        owe = [] if state.deal.turn is None else [state.deal.turn]
        if state.phase is Phase.DEAL:
            owe = [seat for seat in state.deal.show_order if not state.deal.discards[seat]]
        asked = [seat for seat in owe if seat in game.people and seat not in self._seated()]
        deal.opened |= {*asked[:1]}

    def _board_presses(self) -> None:
        choices = self._board.get("/api/page").json()["choices"]
        likely = [choice["key"] for choice in choices if choice["likely"] and choice["key"] != "MENU"]
        self._press_board(self._chance.choice([*likely, "OK", "OK", "OK"]))

    def _phone_presses(self, phone: Phone) -> None:
        answer = phone.get("/api/page")
        offered = [choice["key"] for choice in answer.json().get("choices", ())]
        usual = [key for key in offered if key not in {"MENU", "hold:MENU", "UNDO", "hold:UNDO"}]
        anything = ("UNDO", "hold:UNDO", "OK", "FLNB", str(self._chance.choice(PACK)))
        if not usual or self._chance.random() < 0.15:
            self._press_phone(phone, self._chance.choice(anything))
        else:
            self._press_phone(phone, "OK" if "OK" in usual else self._chance.choice(usual))

    def _press_phone(self, phone: Phone, key: str) -> None:
        body: dict[str, object] = {"key": key}
        if self._chance.random() < 0.3:
            # May be the id of another press, or of another phone.
            body["id"] = self._chance.choice("abcdefgh")
        phone.post("/api/press", body)

    def _begin(self, levels: Sequence[str]) -> None:
        self._games += 1
        automatic = self._chance.choice(([], ["cut", "deal", "starter"], ["cut", "deal", "starter", "go"]))
        request: dict[str, object] = {
            "rules": "standard",
            "players": len(levels),
            "entry": "dealt",
            "levels": list(levels),
            "names": [f"{name}{self._games}" for name in ("ANN", "BOB", "CAT")[: len(levels)]],
            "options": {"target": self._chance.choice(("31", "61"))},
            "speed": "fast",
            "automatic": automatic,
        }
        assert self._board.post("/api/game", request).status_code == 200
        self._look()  # check before any phone leaves that role

    def _restart(self) -> None:
        self._stop()
        self._start()

    def _join(self) -> None:
        registry = self._parts.phones.registry
        registry._guesses.clear()  # reset the limit on codes, because real people join more slowly
        url = f"http://{HOME}:{self._port}"
        with client_of(url) as http:
            answer = http.post("/api/join", json={"code": registry.code()})
            assert answer.status_code == 200, answer.text
            self._joined += 1
            phone = Phone(url, self._joined, answer.json()["number"], http.cookies)
        self._phones.append(phone)
        phone.listen()
        self._take(phone, self._some_seat())

    def _take(self, phone: Phone, seat: int | None) -> None:
        """Make *phone* take a seat or another role, if that is allowed."""
        role = self._chance.choice(("keypad", "keypad", "scoreboard", "watch")) if seat is None else "seat"
        if phone.post("/api/phone", {"role": role} | ({} if seat is None else {"seat": seat})).is_success:
            phone.sits(seat)

    def _give(self) -> None:
        """Give a phone a seat at the board. It may then see that hand, whatever it has seen before."""
        phone, seat = self._one(), self._chance.choice((0, 1, 2))
        request: dict[str, object] = {"give": phone.number, "role": "seat", "seat": seat}
        if not self._board.post("/api/phones", request).is_success:
            return
        for other in self._phones:
            if other.seat == seat:
                other.sits(None)
        phone.sits(seat)
        here = self._here()
        if here is not None and here[1] is not None:
            here[1].phones.setdefault(phone.place, set()).add(seat)

    def _remove(self) -> None:
        phone = self._one()
        self._board.post("/api/phones", {"remove": phone.number})
        self._gone(phone)

    def _leave(self) -> None:
        phone = self._one()
        phone.delete("/api/phone")
        self._gone(phone)

    def _gone(self, phone: Phone) -> None:
        phone.sits(None)
        self._look()
        self._phones.remove(phone)
        phone.close()

    def _past_games(self) -> None:
        """Read some of the past games, over HTTP and with commands."""
        rows = self._board.get("/api/games?limit=200").json()["games"]
        for row in self._chance.sample(rows, min(len(rows), 3)):
            paths = ("", ".crib", "/review", f"/{self._chance.randint(1, 60)}")
            number = row["game"]
            told = [self._past(f"/api/games/{number}{path}") for path in paths]
            with suppress(UserError):
                told.append(record(self._folder, number).text)
            self._flag(
                f"past game {number}", cards_in(*told) - self._ledger.games[tuple(row["seats"])].public
            )

    def _past(self, path: str) -> str:
        """Return the response for a game, which need not be the current one."""
        with client_of(self._board.url) as http:
            return http.get(path).text

    # --- what an attacker does ---

    def _both_hands(self, *, restarts: bool) -> None:
        """See one hand, undo the deal, and see the other hand of the same cards."""
        phone = self._alone()
        one, other = self._chance.choice(((0, 1), (1, 0)))
        self._begin(("", ""))
        self._take(phone, one)
        self._until_dealt("OK", is_dealt=True)
        self._take(phone, None)
        if restarts:
            self._restart()
            self._look()
        self._until_dealt("UNDO", is_dealt=False)
        self._take(phone, other)
        self._until_dealt("OK", is_dealt=True)

    def _alone(self) -> Phone:
        """Return a phone after all phones have become spectators."""
        if not self._phones:
            self._join()
        for phone in self._phones:
            self._take(phone, None)
        return self._one()

    def _computers_hand(self) -> None:
        """Take a seat in one game that the computer has in another game, and return to that game."""
        phone = self._alone()
        self._begin(("", "thrifty"))
        self._until_dealt("OK", is_dealt=True)
        before = self._state.names
        self._begin(("", ""))
        self._take(phone, 1)
        self._back_to(before)
        for key in ("OK", "FLNB", "UNDO", str(self._chance.choice(PACK))):
            self._press_phone(phone, key)
            self._look()

    def _hand_left_open(self) -> None:
        """Open a hand at the board.

        Then undo and redo elsewhere, until its player may have left the board.
        """
        phone = self._alone()
        phone.post("/api/phone", {"role": "keypad"})
        self._begin(("", "", ""))
        self._until_dealt("OK", is_dealt=True)
        self._press_board("OK")
        self._look()
        for key in ("UNDO", "hold:UNDO"):
            self._press_phone(phone, key)
            self._look()

    def _left_game(self) -> None:
        """Leave a game for another, look at it among the past games, and return."""
        self._begin(("", "thrifty"))
        self._until_dealt("OK", is_dealt=True)
        before = self._state.names
        self._begin(("", ""))
        self._past_games()
        self._back_to(before)

    def _back_to(self, names: Sequence[str]) -> None:
        """Undo until the game with these *names* is the current one."""
        for _ in range(60):
            if self._state.names == names:
                return
            self._press_board("UNDO")
            self._look()
        raise AssertionError(f"never back at the game of {names}")

    def _until_dealt(self, key: str, *, is_dealt: bool) -> None:
        """Press *key* at the board until cards are dealt, or with *is_dealt* false, until none are."""
        for _ in range(12):
            deal = self._state.deal
            if is_dealt == (deal is not None and any(deal.dealt)):
                return
            self._press_board(key)
            self._look()

    # --- what everybody was told ---

    def _look(self) -> None:
        """Compare everything that each client has received with the cards it may know."""
        self._settle()
        for client in (self._board, *self._phones):
            client.get(self._chance.choice(("/", "/api/state", "/api/page", "/api/log", "/api/phone")))
        after = self._here()
        windows = [one for one in (self._before, after) if one is not None]
        public = NOTHING.union(*(game.public for game, _ in windows))
        deals = list({id(deal): (game, deal) for game, deal in windows if deal is not None}.values())
        for phone in self._phones:
            self._look_at(phone, public, deals)
        own = [deal.hands[seat] for game, deal in deals for seat in self._open_at_the_board(game, deal)]
        self._flag("the board", self._board.heard() - public.union(*own))
        ever = NOTHING.union(*(game.public for game in self._ledger.games.values()))
        self._flag("the broker", self._told_to_the_broker() - ever)
        self.troubles.update(self._parts.loop.troubles)
        self._close_hands(after[1] if after is not None else None)
        self._before, self._held = after, self._seated()

    def _seated(self) -> set[int | None]:
        return {phone.seat for phone in self._phones}

    def _open_at_the_board(self, game: Game, deal: Deal) -> set[int]:
        """Return the seats whose hands may be open at the board: the only person's, and those that OK opened.

        A seat that a phone had at the last check, and still has, is excluded.
        """
        alone = game.people if len(game.people) == 1 else frozenset()
        return (deal.opened | alone) - (self._held & self._seated())

    def _settle(self) -> None:
        """Wait until the computer has acted and all clients are up to date."""
        table, clients = self._parts.loop.table, (self._board, *self._phones)
        until(lambda: not is_next(table.now) and all(one.at >= table.now.seq for one in clients))
        phones = self._parts.phones
        here = tuple(map(phones.with_role_now, phones.registry.present))
        until(lambda: table.now.view.phones.present == here)

    def _look_at(self, phone: Phone, public: Cards, deals: Sequence[tuple[Game, Deal]]) -> None:
        """Check *phone*.

        Of each deal, it may see the hand of one seat that it has had and that a person plays.
        """
        left = phone.heard() - public
        for game, deal in deals:
            known = deal.phones.setdefault(phone.place, set())
            for seat in sorted(phone.seats & game.people):
                if seat in known or (not known and left & deal.hands[seat]):
                    self.shown += seat not in known
                    known.add(seat)
                    left -= deal.hands[seat]
            self.looked += any(hand - public for seat, hand in enumerate(deal.hands) if seat not in known)
        self._flag(phone.name, left)
        phone.seats = set() if phone.seat is None else {phone.seat}

    def _close_hands(self, here: Deal | None) -> None:
        """Close a hand at the board once its player has acted, or the table has left the deal."""
        for game in self._ledger.games.values():
            for deal in game.deals.values():
                if deal is not here:
                    deal.opened.clear()
        line = self._parts.loop.table.now.log
        at = (len(line), line[-1].event) if line else None
        if here is not None and at is not None and at != self._at and isinstance(at[1], DECISIONS):
            here.opened.discard(at[1].seat)
        self._at = at

    def _told_to_the_broker(self) -> Cards:
        told = Outbox(self._folder, "board").after(self._told)
        self._told = told[-1].row if told else self._told
        return cards_in(*(json.dumps([one.events, one.state, one.result]) for one in told))

    def _flag(self, who: str, cards: Cards) -> None:
        if cards:
            self.leaks.append(
                f"{who} was told of {' '.join(sorted(cards))} after {', '.join(self._did[-5:])}"
            )


def _hint(state: State, seat: int) -> Hint:
    """Return a hint without computing one. Its text names a card that it does not choose."""
    hand = sight_of(state, seat).hand
    cards = hand[: state.rules.sizes.discarded] if state.phase is Phase.DEAL else hand[:1]
    return Hint(tuple(map(str, cards)), f"Keep {hand[-1]}", "")


def _free_port() -> int:
    with socket.socket() as one:
        one.bind((HOME, 0))
        return int(one.getsockname()[1])


@contextmanager
def attacked(folder: Path, seed: int) -> Iterator[Attack]:
    found = Attack(folder, seed)
    try:
        yield found
    finally:
        found.close()
