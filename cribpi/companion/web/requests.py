"""The requests of the HTTP API: bytes are parsed and checked, or refused with a sentence."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple

from cribpi.companion.entry.ask import Ask, Change, Changes, Name, Peg, Power, Press, Rename, SetUp, Start
from cribpi.companion.entry.keys import is_key
from cribpi.companion.entry.phones import ClosePhones, GiveRole, OpenPhones, RemovePhone, Role, Wish
from cribpi.companion.entry.reply import Move
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.rules.errors import BadCard, BadSetup
from cribpi.cribbage.rules.names import check_names
from cribpi.cribbage.rules.rules import Rules, preset
from cribpi.cribbage.rules.seats import HAND
from cribpi.cribbage.rules.shown import amount
from cribpi.cribbage.words.cards import TypedHand, parse_card, parse_cards, parse_hand

BODY_LIMIT = 4096  # bytes; the longest real request, with every rule changed, is under 1,000
SIDES = 3
SEATS = 4

_TEXTS = {
    "key": 'send one such as {"key": "7"}',
    "kind": "send one such as pair-royal",
    "code": "send the six letters that the board's screen shows",
    "role": "send seat, keypad, scoreboard or watch",
    "id": "send any text, or leave it out",
    "rules": "send the name of a preset, such as lowe",
    "entry": "send cards, peg or dealt",
    "speed": "send slow, normal or fast",
    "power": "send restart or off",
    "phones": 'send open or close, {"remove": 2}, or {"give": 2, "role": "seat", "seat": 0}',
}
"""What to send for each field that is a text."""

Fields = dict[str, object]


class BadRequest(ValueError):
    """Not a valid request; the message is the sentence for its sender."""


class Asked(NamedTuple):
    """What is asked of the table, the id that tells it from every other request, and the `seq` it is for."""

    ask: Ask
    id: str | None
    if_seq: int | None = None


@contextmanager
def _refusals() -> Iterator[None]:
    """Have what the rules refuse of a request be its sender's mistake, in the same words."""
    try:
        yield
    except (BadCard, BadSetup) as bad:
        raise BadRequest(str(bad)) from None


@_refusals()
def asked(what: str, body: bytes) -> Asked:
    """Parse the *body* of a ``POST`` to one of `ASKS`.

    >>> asked("press", b'{"key": "7", "id": "first", "if_seq": 214}')
    Asked(ask=Press(key='7'), id='first', if_seq=214)

    Whether it is possible now, and what it is worth, is decided by the table.

    Raises:
        BadRequest: If *body* is not a JSON object, or a field is missing or of the wrong type.
    """
    fields = _fields(body)
    ask = ASKS[what](fields)
    id = None if fields.get("id") is None else _text(fields, "id")  # noqa: A001  the contract's own word
    is_for_now = fields.get("if_seq") is None or not isinstance(ask, Press | Peg)
    return Asked(ask, id, None if is_for_now else _whole(fields, "if_seq"))


def _press(fields: Fields) -> Press:
    """Read a key.

    >>> asked("press", b'{"key": "7h"}').ask
    Press(key='7H')
    """
    text = _text(fields, "key")
    with suppress(BadCard):
        return Press(text if is_key(text) else str(parse_card(text)))
    raise BadRequest(
        f"{text[:40]!r} is not a key; the keys are A 2 to 10 J Q K GO FLNB P1 P2 P3 UP DOWN LEFT RIGHT "
        "UNDO MENU OK, hold:UNDO, hold:MENU, digit:0 to digit:9, digit:erase, step:-10, step:-1, step:+1, "
        "step:+10, and a card with its suit such as 7H",
    )


def _peg(fields: Fields) -> Peg:
    """Read a scored event by kind, or an amount of points, for a side.

    >>> asked("peg", b'{"side": 0, "kind": "pair-royal"}').ask
    Peg(side=0, kind=<Kind.PAIR_ROYAL: 'pair-royal'>, cards=(), points=0)
    """
    side, points, kind = _numbered(fields, "side", SIDES), 0, None
    if ("kind" in fields) == ("points" in fields):
        raise BadRequest("a peg has either a kind or points; send one of them and not both")
    if "points" in fields:
        points = _whole(fields, "points")
    else:
        text = _text(fields, "kind")
        if text not in set(Kind):
            raise BadRequest(f"{text[:40]!r} is not a scored event; the kinds are {', '.join(sorted(Kind))}")
        kind = Kind(text)
    return Peg(side, kind, _cards(fields["cards"]) if "cards" in fields else (), points)


def _set_up(fields: Fields) -> SetUp:
    """Read changes to the rules of the next new game.

    >>> asked("rules", b'{"rules": "lowe", "players": 3}').ask.changes.rules
    'lowe'
    """
    return SetUp(_changes(fields), _yes_or_no(fields, "menu", usual=True))


def _start(fields: Fields) -> Start:
    """Read changes as for the rules, and whether they are for this game alone.

    >>> asked("game", b'{"players": 2, "once": true}').ask.once
    True
    """
    changes = _changes(fields)
    _yes_or_no(fields, "menu", usual=True)  # there is none to open: it is checked all the same
    return Start(changes, _yes_or_no(fields, "once", usual=False))


def _changes(fields: Fields) -> Changes:
    found = {name: read(fields, name) for name, read in _CHANGES.items() if name in fields}
    if not found:
        known = "rules, players, entry, levels, speed, automatic, names and options"
        raise BadRequest(f"no rules were asked for; send one of {known}")
    return Changes(**found)


def _change(fields: Fields) -> Change:
    """Read values by the names of settings.

    >>> asked("settings", b'{"speed": "fast", "auto_go": "on"}').ask
    Change(values={'speed': 'fast', 'auto_go': 'on'})
    """
    remedy = 'send values as they are written, such as {"speed": "fast"}'
    values = {name: value for name, value in fields.items() if name != "id"}
    if not values:
        raise BadRequest(f"no setting to change; {remedy}")
    return Change(
        {
            _as_text("a name", name, "a name is", remedy): _as_text(name, value, f"{name[:40]} is", remedy)
            for name, value in values.items()
        }
    )


def _power(fields: Fields) -> Power:
    """Read what the machine is to do.

    >>> asked("power", b'{"power": "restart"}').ask
    Power(move=<Move.RESTART: 'restart'>)
    """
    power = _choice(fields, "power", ("restart", "off"))
    return Power(Move.SHUT_DOWN if power == "off" else Move.RESTART)


def _name(fields: Fields) -> Name | Rename:
    """Read the names of seats, or one's own, or both; or who is called how from now on.

    >>> asked("names", b'{"names": ["Ann", "Bob"]}').ask, asked("names", b'{"you": "Ann"}').ask
    (Name(names=('Ann', 'Bob'), you=None), Name(names=(), you='Ann'))
    >>> asked("names", b'{"rename": "Ann", "to": "Anna"}').ask
    Rename(old='Ann', new='Anna', after=0)
    """
    if "rename" in fields:
        return Rename(_clean_name(fields["rename"]), _clean_name(fields.get("to")))
    you = _clean_name(fields["you"]) if "you" in fields else None
    return Name(() if you is not None and "names" not in fields else _names(fields), you)


ASKS: Final[Mapping[str, Callable[[Fields], Ask]]] = {
    "press": _press,
    "peg": _peg,
    "names": _name,
    "rules": _set_up,
    "game": _start,
    "settings": _change,
    "power": _power,
}
"""What the table is asked under ``/api/``, by the last part of the path, and what reads it."""


def join_request(body: bytes) -> str:
    """Parse the body of ``POST /api/join``: the code that the board's screen shows.

    >>> join_request(b'{"code": "ab12cd"}')
    'ab12cd'

    Raises:
        BadRequest: If *body* is not a JSON object with a code.
    """
    return _text(_fields(body), "code")[:40]


def role_request(body: bytes) -> tuple[Role | None, int | None]:
    """Parse the body of ``POST /api/phone``: what a phone plays along as, and its seat.

    >>> role_request(b'{"role": "seat", "seat": 1}'), role_request(b'{"role": null}')
    ((<Role.SEAT: 'seat'>, 1), (None, None))

    Without a role it chooses again.

    Raises:
        BadRequest: If *body* is not a JSON object with a role, or it is that of a seat, and there is none.
    """
    return _role(_fields(body))


def _role(fields: Fields) -> tuple[Role | None, int | None]:
    if fields.get("role") is None:
        return None, None
    role = Role(_choice(fields, "role", tuple(Role), f"send {', '.join(Role)}"))
    return role, _numbered(fields, "seat", SEATS) if role is Role.SEAT else None


def phones_request(body: bytes) -> Wish:
    """Parse the body of ``POST /api/phones``: let phones in, send all away, remove one, or give it a role.

    >>> phones_request(b'{"phones": "open"}'), phones_request(b'{"remove": 2}')
    (OpenPhones(), RemovePhone(number=2))

    Raises:
        BadRequest: If *body* is not a JSON object, or asks for anything else.
    """
    fields = _fields(body)
    if "remove" in fields:
        return RemovePhone(_whole(fields, "remove"))
    if "give" in fields:
        role, seat = _role(fields)
        return GiveRole(_whole(fields, "give"), role, seat)
    return OpenPhones() if _choice(fields, "phones", ("open", "close")) == "open" else ClosePhones()


@_refusals()
def count_request(body: bytes) -> tuple[TypedHand, Rules]:
    """Parse the body of ``POST /api/count``: four cards to count, with a starter or without, and the rules.

    >>> hand, _ = count_request(b'{"cards": ["5C", "5D", "5S", "JH"], "starter": "5H"}')
    >>> print(hand.starter)
    5H

    There may be fewer cards while they are typed.

    Raises:
        BadRequest: If *body* is not a JSON object with four cards, and perhaps a fifth as the starter, or its
            rules are not known.
    """
    fields = _fields(body)
    typed = fields.get("cards")
    text = typed if isinstance(typed, str) else " ".join(map(str, _cards(typed)))
    if fields.get("starter") is not None:
        text += f" | {_cards([fields['starter']])[0]}"
    hand = parse_hand(text)
    if len(hand.cards) < HAND and text != typed:
        many = amount(len(hand.cards), "card")
        raise BadRequest(f"{many}: a hand or a crib has four, and the starter is the fifth or separate")
    rules = preset(_text(fields, "rules") if "rules" in fields else "standard")
    return hand._replace(is_crib=fields.get("crib") is True or hand.is_crib), rules


def _fields(body: bytes) -> Fields:
    try:
        fields = json.loads(body.decode())
    except (ValueError, RecursionError):
        raise BadRequest('the body is not JSON; send an object such as {"key": "7"}') from None
    if not isinstance(fields, dict):
        raise BadRequest(
            f'the body is JSON, but not an object; send one such as {{"key": "7"}}, not {body[:20]!r}'
        )
    return fields


def _text(fields: Fields, name: str) -> str:
    if name not in fields:
        raise BadRequest(f"{name} is missing; {_TEXTS[name]}")
    return _as_text(name, fields[name], f"{name} is", _TEXTS[name])


def _as_text(name: str, value: object, what: str, remedy: str) -> str:
    """Return *value* if it is text; a lone surrogate in it, which could never be encoded, is refused."""
    if not isinstance(value, str):
        raise BadRequest(f"{what} {json.dumps(value)[:40]}, which is not text; {remedy}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BadRequest(f"{name} holds half of a character; send it as whole UTF-8") from None
    return value


def _choice(fields: Fields, name: str, choices: Sequence[str], remedy: str = "") -> str:
    text = _text(fields, name)
    if text not in choices:
        raise BadRequest(f"{name} is {text[:40]!r}; {remedy or _TEXTS[name]}")
    return text


def _whole(fields: Fields, name: str) -> int:
    if name not in fields:
        raise BadRequest(f"{name} is missing; send a whole number")
    number = fields[name]
    if not isinstance(number, int) or isinstance(number, bool):
        raise BadRequest(f"{name} is {json.dumps(number)[:40]}; send a whole number")
    return number


def _numbered(fields: Fields, name: str, count: int) -> int:
    """Return the number of one of *count* sides or seats, from 0."""
    number = _whole(fields, name)
    if number not in range(count):
        raise BadRequest(f"{name} is {number}; {name}s are numbered from 0 to {count - 1}")
    return number


def _cards(cards: object) -> tuple[Card, ...]:
    """Return the cards of a list, one each, or of a text as people type it."""
    if isinstance(cards, str):
        return parse_cards(cards)
    if isinstance(cards, list) and all(isinstance(card, str) for card in cards):
        return tuple(map(parse_card, cards))
    raise BadRequest('cards is a list of cards; send one such as ["4", "5H", "6"], or a text')


def _options(fields: Fields, name: str) -> dict[str, str]:
    remedy = 'send values as they are written, such as {"crib_flush": "four", "target": "61"}'
    options = fields[name]
    if not isinstance(options, dict):
        raise BadRequest(f"options is not an object; {remedy}")
    for option, value in options.items():
        for text in (value, option):
            _as_text("an option", text, f"{option[:40]} is", remedy)
    return options


def _texts(fields: Fields, name: str, one: str, remedy: str, most: int | None = None) -> tuple[str, ...]:
    """Return a list of texts, such as *one*: from 1 to *most*, or any number."""
    texts = fields[name]
    if not isinstance(texts, list) or (most is not None and not 1 <= len(texts) <= most):
        many = "" if most is None else f"one to {most} "
        raise BadRequest(f"{name} is not a list of {many}texts; {remedy}")
    return tuple(_as_text(one, text, f"{one} is", remedy) for text in texts)


def _names(fields: Fields, field: str = "names") -> tuple[str, ...]:
    names = fields.get(field)
    if not isinstance(names, list) or not 1 <= len(names) <= SEATS:
        raise BadRequest(f'names is a list of one to {SEATS} texts; send one such as ["Ann", "Bob"]')
    return tuple(map(_clean_name, names))


def _clean_name(given: object) -> str:
    name = " ".join(_as_text("a name", given, "a name is", "send one such as Ann").split())
    check_names([name] if name else [])
    return name


def _yes_or_no(fields: Fields, name: str, *, usual: bool) -> bool:
    wanted = fields.get(name, usual)
    if not isinstance(wanted, bool):
        raise BadRequest(f"{name} is {json.dumps(wanted)[:40]}; send true or false")
    return wanted


_CHANGES: dict[str, Callable[[Fields, str], Any]] = {
    "rules": _text,
    "players": _whole,
    "entry": lambda fields, name: _choice(fields, name, tuple(Entry), f"send {' or '.join(Entry)}"),
    "options": _options,
    "levels": lambda fields, name: _texts(
        fields, name, "a level", 'send one for each seat, "" for a person, such as ["", "solid"]', SEATS
    ),
    "speed": _text,
    "automatic": lambda fields, name: _texts(
        fields, name, "a step", 'send those that need no key, such as ["cut", "deal"]'
    ),
    "names": _names,
}
"""The changes that a request for rules may have, and what reads each."""
