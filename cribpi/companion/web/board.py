"""The companion as the HTTP API sees it: requests go into the loop's queue, snapshots come out."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Protocol

from PIL import Image

from cribpi.companion.entry.desk import with_colours
from cribpi.companion.entry.phones import Wish
from cribpi.companion.entry.reply import Move
from cribpi.companion.kit import Kit
from cribpi.companion.table.loop import Loop
from cribpi.companion.web.companion import Answer, Companion
from cribpi.companion.web.history import NotNow
from cribpi.companion.web.json.plain import plain_rules_json
from cribpi.companion.web.json.rules import rules_json, set_up
from cribpi.companion.web.json.settings import settings_json
from cribpi.companion.web.json.state import log_json
from cribpi.companion.web.observers import Observers
from cribpi.companion.web.page_data import page_json
from cribpi.companion.web.past import GameHistory
from cribpi.cribbage.game.cards import check_possible, parse_cards
from cribpi.cribbage.game.events import PointsPegged
from cribpi.cribbage.game.heels import his_heels
from cribpi.cribbage.game.play import LIMIT, count_of, score_play
from cribpi.cribbage.game.scores import Kind
from cribpi.cribbage.game.steps.points import PLAY_POINTS
from cribpi.cribbage.rules.errors import ImpossiblePoints
from cribpi.cribbage.rules.table import Rules


class Guests(Protocol):
    """Who joins from a phone, as the board's own page shows it."""

    def json(self) -> dict[str, object]:
        """Return how a phone joins, and which ones are here."""

    def do(self, wish: Wish) -> None:
        """Do what was asked for on the page."""


class TableCompanion(Observers, Companion):
    """What the page asks of the table.  Every method may be called from any thread."""

    loop: Loop
    """The loop that is asked; it is given before the page is served."""
    guests: Guests
    """Who joins from a phone; given as the loop is."""

    def __init__(self, kit: Kit, glass: Callable[[], Image.Image], strip: Callable[[], bytes]) -> None:
        """Take the kit, and what tells the picture on the glass and the colours of the LEDs."""
        super().__init__()
        self._kit = kit
        self._glass = glass
        self._strip = strip
        self._history = GameHistory(kit)

    @property
    def kit(self) -> Kit:
        return self._kit

    @property
    def history(self) -> GameHistory:
        return self._history

    def remember(self, history: GameHistory) -> None:
        """Answer of past games from *history* from now on."""
        self._history = history

    def state(self) -> dict[str, object]:
        """Return the state in the shape of the contract; what is wrong with the disk is a message, too."""
        table = self.loop.table
        state = table.json()
        return state if table.trouble is None else {**state, "message": state["message"] or table.trouble}

    def page(self) -> dict[str, object]:
        """Return what only the page shows; a part that fails is left empty."""
        now = self.loop.table.now
        return page_json(now, now.choices, self.loop.table.faults, self.loop.troubles)

    def rules(self) -> dict[str, object]:
        """Return the rules that can be chosen, those set up for the next new game, and those of this one."""
        now = self.loop.table.now
        return self._guarded(
            "rules", lambda: rules_json(now.desk.setup, now.state), plain_rules_json(now.desk.setup)
        )

    def settings(self) -> dict[str, object]:
        """Return the settings of the table and its device."""
        desk = self.loop.table.now.desk
        return self._guarded("all settings", lambda: settings_json(desk), {"settings": [], "power": []})

    def _guarded(
        self, part: str, make: Callable[[], dict[str, object]], plain: dict[str, object]
    ) -> dict[str, object]:
        """Return what *make* makes for the page, or what is *plain* if that fails."""
        table = self.loop.table
        return table.faults.guarded(f"page ({part})", table.now, make, lambda _error: plain)

    def change_settings(self, values: dict[str, str], id: str | None) -> Future[Answer]:  # noqa: A002  the contract's own word
        """Change settings to *values*, by their names."""
        return self.loop.ask(lambda table: table.change(values, id))

    def power(self, wanted: str, id: str | None) -> Future[Answer]:  # noqa: A002  as above
        """Switch the machine `off`, or `restart` it."""
        move = Move.SHUT_DOWN if wanted == "off" else Move.RESTART
        return self.loop.ask(lambda table: table.power(move, id))

    def log(self) -> list[dict[str, object]]:
        """Return what happened in this game, newest first, all of it."""
        now = self.loop.table.now
        return self.loop.table.faults.guarded(
            "page (log)",
            now,
            lambda: log_json([(moment.event, moment.state) for moment in now.line], None),
            lambda _error: [],
        )

    def chances(self) -> dict[str, object]:
        """Return each side's chance of winning by what everybody sees, as null without a game of two sides.

        Raises:
            NotNow: If NumPy, or a table for it, is missing.
        """
        now, unknown = self.loop.table.now, "the chances of winning are not known"
        try:
            from cribpi.cribbage.analysis.live import chances_now  # noqa: PLC0415  NumPy, for who asks
            from cribpi.cribbage.analysis.tables import TablesError  # noqa: PLC0415  as above
        except ImportError as bad:
            raise NotNow(f"{unknown} ({bad})") from None
        try:
            found = chances_now(now.state)
        except TablesError as bad:
            raise NotNow(f"{unknown} ({bad})") from None
        return {"seq": now.seq, "chances": None if found is None else [round(one, 3) for one in found]}

    def press(self, key: str, id: str | None, if_seq: int | None = None) -> Future[Answer]:  # noqa: A002  the contract's own word
        """Press *key*, as if on the keypad, if the table stands at *if_seq* where that is given."""
        return self.loop.ask(lambda table: table.press(key, id, if_seq))

    def peg(
        self,
        request: Mapping[str, Any],
        id: str | None,  # noqa: A002  as above
        if_seq: int | None = None,
    ) -> Future[Answer]:
        """Peg a scored event by its name, or an amount; *if_seq* is as in `press`."""
        return self.loop.ask(
            lambda table: table.peg(lambda: pegged(request, table.now.state.rules), id, if_seq)
        )

    def names(self, names: list[str], id: str | None) -> Future[Answer]:  # noqa: A002  as above
        """Name the seats in their order; an empty name gives a seat its colour back, or one that is free."""
        return self.loop.ask(lambda table: table.name_seats(with_colours(names), id))

    def set_up(self, request: Mapping[str, Any], id: str | None) -> Future[Answer]:  # noqa: A002  as above
        """Set the next new game up by the rules that are asked for; the new-game menu may open."""
        opens = bool(request.get("menu", True))
        return self.loop.ask(
            lambda table: table.set_up(lambda setup: set_up(setup, request), id, opens_menu=opens)
        )

    def start(self, request: Mapping[str, Any], id: str | None) -> Future[Answer]:  # noqa: A002  as above
        """Start a new game by the rules that are asked for, perhaps for `once`."""
        once = bool(request.get("once", False))
        return self.loop.ask(lambda table: table.start(lambda setup: set_up(setup, request), id, once=once))

    def phones(self) -> dict[str, object]:
        """Return how a phone joins, and which ones are here."""
        return self.guests.json()

    def change_phones(self, wish: Wish) -> dict[str, object]:
        """Let phones in, send them away, or remove one; return what `phones` returns then."""
        self.guests.do(wish)
        return self.guests.json()

    def glass(self) -> bytes:
        """Return what the glass shows as a PNG, 128 x 64 of one bit."""
        file = io.BytesIO()
        self._glass().save(file, "PNG")
        return file.getvalue()

    def strip(self) -> bytes:
        """Return what the LEDs show: red, green and blue of each."""
        return self._strip()


def pegged(request: Mapping[str, Any], rules: Rules) -> PointsPegged:
    """Return the event that a request to peg names: a kind, a run by its cards, or an amount of points.

    A kind is worth what it is by *rules*.

    Raises:
        ImpossiblePoints: If the kind needs cards that are not a run, or is none that is pegged by itself.
    """
    side = request["side"]
    if "points" in request:
        return PointsPegged(side, request["points"])
    kind = Kind(request["kind"])
    if kind is Kind.RUN:
        cards = parse_cards(" ".join(request.get("cards", ())))
        check_possible(cards)
        if count_of(cards) > LIMIT:
            raise ImpossiblePoints(
                f"those cards add up to {count_of(cards)}: no run in the play goes over {LIMIT}"
            )
        if (Kind.RUN, len(cards)) not in [(score.kind, len(score.cards)) for score in score_play(cards)]:
            raise ImpossiblePoints(
                "a run is pegged with its cards, three or more in a row; send them as cards"
            )
        return PointsPegged(side, len(cards), kind)
    if kind is Kind.HEELS:
        return PointsPegged(side, his_heels(rules), kind)
    if kind not in PLAY_POINTS:
        raise ImpossiblePoints(f"{kind} is counted at the show: peg the whole count there as points")
    return PointsPegged(side, PLAY_POINTS[kind][0], kind)
