"""Parsers of requests to the HTTP API. An invalid body raises `BadRequest` with a message for the client."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

from cribpi.companion.entry.effect import TableCommand
from cribpi.companion.entry.keys import is_key
from cribpi.companion.entry.next_game import FIELD_OF, FIELDS, Changes
from cribpi.companion.entry.phones import ClosePhones, GiveRole, OpenPhones, PhoneCommand, RemovePhone, Role
from cribpi.companion.entry.requests import (
    Change,
    ChangeNextGame,
    Name,
    Peg,
    PowerRequest,
    Press,
    Remove,
    Rename,
    Start,
    TableRequest,
)
from cribpi.companion.files.config_table import Section, Unfit
from cribpi.companion.kit import HOLES
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.rules.errors import BadCard, BadSetup
from cribpi.cribbage.rules.rules import Rules, preset
from cribpi.cribbage.rules.seats import HAND
from cribpi.cribbage.rules.shown import amount, cut, visible
from cribpi.cribbage.words.cards import TypedHand, parse_card, parse_cards, parse_hand

BODY_LIMIT = 4096  # bytes; the longest request in practice changes every rule and is under 1,000
# Number of shows that a card pegs: old clients still send it, but the table computes it.
_OBSOLETE = "carries"
SIDES = 3
SEATS = 4
LONGEST_OF_FAULT = 200
"""Maximum length of each field of a page's error in the log.

The fields are the error, its URL, and its position in the source.
"""
_OF_FAULT = (("", "fault"), (", at ", "at"), (", in ", "where"))


class BadRequest(Unfit):
    """An invalid request. The message is for the client."""

    page = "docs/reference/http.md"


class ParsedRequest(NamedTuple):
    """A request to the table, with its unique id and the `seq` for which it is valid. None means any."""

    request: TableRequest
    id: str | None
    if_seq: int | None = None


@contextmanager
def _refusals() -> Iterator[None]:
    """Convert card and set-up errors into `BadRequest`."""
    try:
        yield
    except (BadCard, BadSetup) as bad:
        raise BadRequest(str(bad)) from None


@_refusals()
def parse_request(what: str, body: bytes) -> ParsedRequest:
    """Parse the *body* of a ``POST`` to one of `REQUEST_PARSERS`.

    >>> parse_request("press", b'{"key": "7", "id": "first", "if_seq": 214}')
    ParsedRequest(request=Press(key='7', carry=False), id='first', if_seq=214)

    This does not check whether the request is possible now; the table does.

    Raises:
        BadRequest: If *body* is not a JSON object, or a field is missing, unknown or of the wrong type.
    """
    request = _read(body)
    table_request = REQUEST_PARSERS[what](request)
    id = request.string("id") if request.has("id") else None  # noqa: A001  the contract's own word
    if_seq = request.whole("if_seq") if request.has("if_seq") else None
    request.finish()
    return ParsedRequest(table_request, id, if_seq)


def _press(request: Section) -> Press:
    """Parse a key press.

    >>> parse_request("press", b'{"key": "7h"}').request
    Press(key='7H', carry=False)
    """
    text, carry = request.string("key"), _yes_or_no(request, "carry", default=False)
    with suppress(BadCard):
        return Press(text if is_key(text) else str(parse_card(text)), carry)
    raise BadRequest(
        f"{text[:40]!r} is not a key; the keys are A 2 to 10 J Q K GO FLNB P1 P2 P3 UP DOWN LEFT RIGHT "
        "UNDO MENU OK, hold:UNDO, hold:MENU, digit:0 to digit:9, digit:erase, step:-10, step:-1, step:+1, "
        "step:+10, and a card with its suit such as 7H",
    )


def _peg(request: Section) -> Peg:
    """Parse the points for a side: a score by its kind, or a number.

    >>> parse_request("peg", b'{"side": 0, "kind": "pair-royal"}').request
    Peg(side=0, kind=<Kind.PAIR_ROYAL: 'pair-royal'>, cards=(), points=0)
    """
    side = request.integer("side", 0, SIDES - 1)
    points, kind = 0, None
    if request.has("kind") == request.has("points"):
        raise BadRequest("a peg has either a kind or points; send one of them and not both")
    if request.has("points"):
        points = request.whole("points")
    else:
        kind = Kind(request.choice("kind", sorted(Kind)))
    return Peg(side, kind, _cards(request.value("cards")) if request.has("cards") else (), points)


def _set_up(request: Section) -> ChangeNextGame:
    """Parse changes to the next game.

    >>> parse_request("rules", b'{"rules": "lowe", "players": 3}').request.changes
    {'rules': 'lowe', 'players': 3}
    """
    return ChangeNextGame(_changes(request), _yes_or_no(request, "menu", default=True))


def _start(request: Section) -> Start:
    """Parse the set-up of a game to start. *once* means that later games keep the earlier set-up.

    >>> parse_request("game", b'{"players": 2, "once": true}').request.once
    True
    """
    changes = _changes(request)
    _yes_or_no(request, "menu", default=True)  # not used here, but a wrong type must be refused
    return Start(changes, _yes_or_no(request, "once", default=False))


def _changes(request: Section) -> Changes:
    changes = {field.name: field.read(request, field.name) for field in FIELDS if request.has(field.name)}
    if not changes:
        known = ", ".join(field.name for field in FIELDS if field.name != "options")
        raise BadRequest(f"no rules were asked for; send one of {known} and options")
    return changes


def _change(request: Section) -> Change:
    """Parse new values of settings.

    >>> parse_request("settings", b'{"speed": "fast", "auto_go": "on"}').request
    Change(values={'speed': 'fast', 'auto_go': 'on'})
    """
    values = {name: request.string(name) for name in request.names() if name not in {"id", "if_seq"}}
    if not values:
        raise BadRequest('no setting to change; send values as they are written, such as {"speed": "fast"}')
    return Change(values)


def _power(request: Section) -> PowerRequest:
    """Parse a restart or a shutdown of the Pi.

    >>> parse_request("power", b'{"power": "restart"}').request
    PowerRequest(command=<TableCommand.RESTART: 'restart'>)
    """
    power = request.choice("power", ("restart", "off"))
    return PowerRequest(TableCommand.SHUT_DOWN if power == "off" else TableCommand.RESTART)


def _name(request: Section) -> Name | Rename:
    """Parse names for the seats and for the sender, or the renaming of a player.

    >>> parse_request("names", b'{"names": ["Ann", "Bob"], "you": "Ann"}').request
    Name(names=('Ann', 'Bob'), you='Ann')
    >>> parse_request("names", b'{"rename": "Ann", "to": "Anna"}').request
    Rename(old='Ann', new='Anna')
    """
    read_name = FIELD_OF["you"].read
    if request.has("rename"):
        return Rename(read_name(request, "rename"), read_name(request, "to"))
    you = read_name(request, "you") if request.has("you") else None
    has_names = you is None or request.has("names")
    return Name(FIELD_OF["names"].read(request, "names") if has_names else (), you)


def _remove(request: Section) -> Remove:
    """Parse the number of a past game to remove or restore.

    >>> parse_request("games", b'{"remove": 7}').request, parse_request("games", b'{"restore": 7}').request
    (Remove(number=7, is_back=False), Remove(number=7, is_back=True))
    """
    is_back = request.has("restore")
    if is_back == request.has("remove"):
        raise BadRequest('send the number of one game, {"remove": 7} or {"restore": 7}')
    return Remove(request.whole("restore" if is_back else "remove"), is_back)


REQUEST_PARSERS: Final[Mapping[str, Callable[[Section], TableRequest]]] = {
    "press": _press,
    "peg": _peg,
    "names": _name,
    "games": _remove,
    "rules": _set_up,
    "game": _start,
    "settings": _change,
    "power": _power,
}
"""Parsers of requests to the table, by the last part of the path ``/api/...``."""


def join_request(body: bytes) -> str:
    """Parse the body of ``POST /api/join``. Return the code, which the board's screen shows.

    >>> join_request(b'{"code": "ab12cd"}')
    'ab12cd'

    Raises:
        BadRequest: If *body* is not a JSON object with a code.
    """
    request = _read(body)
    code = request.string("code")[:40]
    request.finish()
    return code


def role_request(body: bytes) -> tuple[Role | None, int | None]:
    """Parse the body of ``POST /api/phone``. Return a phone's role and its seat.

    >>> role_request(b'{"role": "seat", "seat": 1}'), role_request(b'{"role": null}')
    ((<Role.SEAT: 'seat'>, 1), (None, None))

    A phone without a role has to choose again.

    Raises:
        BadRequest: If *body* is not a JSON object with a role, or lacks the seat of `Role.SEAT`.
    """
    request = _read(body)
    role, seat = _role(request)
    request.finish()
    return role, seat


def _role(request: Section) -> tuple[Role | None, int | None]:
    """Parse a role and its seat. For other roles than `Role.SEAT`, a seat is checked but ignored."""
    role = Role(request.choice("role", tuple(Role))) if request.has("role") else None
    has_seat = request.has("seat")
    seat = request.integer("seat", 0, SEATS - 1) if has_seat or role is Role.SEAT else None
    return role, seat if role is Role.SEAT else None


def phones_request(body: bytes) -> PhoneCommand:
    """Parse the body of ``POST /api/phones``: open or close joining, remove a phone, or give it a role.

    >>> phones_request(b'{"phones": "open"}'), phones_request(b'{"remove": 2}')
    (OpenPhones(), RemovePhone(number=2))

    Raises:
        BadRequest: If *body* is not a JSON object, or asks for anything else.
    """
    request = _read(body)
    command: PhoneCommand
    if request.has("remove"):
        command = RemovePhone(request.whole("remove"))
    elif request.has("give"):
        command = GiveRole(request.whole("give"), *_role(request))
    else:
        command = OpenPhones() if request.choice("phones", ("open", "close")) == "open" else ClosePhones()
    request.finish()
    return command


def fault_request(body: bytes) -> str:
    """Parse the body of ``POST /api/fault``. Return the page's error as a line for the log.

    >>> fault_request(b'{"fault": "TypeError: x is null", "at": "#games/7", "where": "/page/replay.js:9:2"}')
    'TypeError: x is null, at #games/7, in /page/replay.js:9:2'

    Control characters are escaped, and each field is cut. A page therefore can't forge or flood the log.

    Raises:
        BadRequest: If *body* is not a JSON object with a fault.
    """
    request = _read(body)
    parts = [(before, request.string(name)) for before, name in _OF_FAULT if not before or request.has(name)]
    request.finish()
    return "".join(
        before + visible(cut(text, LONGEST_OF_FAULT)) for before, text in parts if text or not before
    )


@_refusals()
def count_request(body: bytes) -> tuple[TypedHand, Rules]:
    """Parse the body of ``POST /api/count``. Return a hand to count, and the rules.

    >>> hand, _ = count_request(b'{"cards": ["5C", "5D", "5S", "JH"], "starter": "5H"}')
    >>> print(hand.starter)
    5H

    A text may have too few cards, because a person may still be typing it. A list must be complete.

    Raises:
        BadRequest: If *body* is not a JSON object with the cards of a hand and possibly a starter, or its
            rules are unknown.
    """
    request = _read(body)
    typed = request.value("cards")
    text = typed if isinstance(typed, str) else " ".join(map(str, _cards(typed)))
    if request.has("starter"):
        text += f" | {parse_card(request.string('starter'))}"
    rules = preset(request.text("rules") if request.has("rules") else "standard")
    is_crib = _yes_or_no(request, "crib", default=False)
    request.finish()
    size = rules.sizes.counted(is_crib=is_crib)
    hand = parse_hand(text, size)
    if len(hand.cards) < size and text != typed:
        has = (
            "or a crib has four, and the starter is the fifth"
            if size == HAND
            else "has three, and the starter is the fourth"
        )
        raise BadRequest(f"{amount(len(hand.cards), 'card')}: a hand {has} or separate")
    return hand._replace(is_crib=is_crib or hand.is_crib), rules


def _read(body: bytes) -> Section:
    try:
        fields = json.loads(body.decode())
        # Raises for lone surrogates, which can't be stored in a file.
        json.dumps(fields, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise BadRequest('the body is not JSON in UTF-8; send an object such as {"key": "7"}') from None
    if not isinstance(fields, dict):
        raise BadRequest(
            f'the body is JSON, but not an object; send one such as {{"key": "7"}}, not {body[:20]!r}'
        )
    # Null means the same as a missing field.
    given = {key: value for key, value in fields.items() if value is not None and key != _OBSOLETE}
    return Section("the request", "", given, BadRequest)


def _cards(cards: object) -> tuple[Card, ...]:
    """Parse a list of single cards, or a string of cards as a person types it."""
    if isinstance(cards, str):
        return parse_cards(cards)
    if isinstance(cards, list) and all(isinstance(card, str) for card in cards):
        return tuple(map(parse_card, cards))
    raise BadRequest('cards is a list of cards; send one such as ["4", "5H", "6"], or a text')


def _yes_or_no(request: Section, key: str, *, default: bool) -> bool:
    return request.boolean(key) if request.has(key) else default


def query_number(query: Mapping[str, str], name: str, default: int | None, most: int) -> int | None:
    """Parse a number from 1 to *most* in the query string. Return *default* if it is missing.

    Raises:
        BadRequest: If the parameter is not such a number.
    """
    text = query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 17 and 1 <= int(text) <= most):
        raise BadRequest(f"{name} is a number from 1 to {most}")
    return int(text)


class BoardRequest(NamedTuple):
    """The board to draw, for a game of `sides` to `target`. 0 sides mean the kit's own.

    `room` is in pixels.
    """

    target: int
    sides: int
    room: tuple[int, int]
    is_upright: bool


def board_request(query: Mapping[str, str]) -> BoardRequest:
    """Parse the query string of a request for the board's drawing.

    >>> board_request({"sides": "3", "width": "400", "height": "720", "upright": "true"})
    BoardRequest(target=121, sides=3, room=(400, 720), is_upright=True)

    Raises:
        BadRequest: If a parameter is invalid.
    """
    target = query_number(query, "target", HOLES, HOLES) or HOLES
    sides = 0 if query.get("sides") == "0" else query_number(query, "sides", 0, SIDES) or 0
    width, height = (query_number(query, name, 1000, 10_000) or 1000 for name in ("width", "height"))
    upright = query.get("upright", "false")
    if upright not in {"true", "false"}:
        raise BadRequest("upright is true or false")
    return BoardRequest(target, sides, (width, height), upright == "true")
