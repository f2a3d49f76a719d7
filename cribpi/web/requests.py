"""The requests of the HTTP API: bytes are parsed and checked, or refused with a sentence."""

import json
import re
from dataclasses import dataclass

from cribpi.core.cards import Card
from cribpi.core.errors import BadSetup
from cribpi.core.events import Entry
from cribpi.core.names import check_names
from cribpi.core.rules import Rules, preset
from cribpi.core.seats import HAND
from cribpi.entry.keys import HOLDS, KEYS

BODY_LIMIT = 4096  # bytes; the longest real request, with every rule changed, is under 1,000
SIDES = 3
SEATS = 4

KEY_NAMES = frozenset((*KEYS, *HOLDS))
KINDS = frozenset(
    [
        "fifteen",
        "pair",
        "pair-royal",
        "double-pair-royal",
        "run",
        "flush",
        "nobs",
        "thirty-one",
        "go",
        "last",
        "heels",
    ],
)
_CARD = re.compile(r"(?:[A2-9JQK]|10)[CDHS]")
_PLAYED = re.compile(r"(?:[A2-9TJQK]|10)[CDHS]?")


class BadRequest(ValueError):
    """Not a valid request; the message is the sentence for its sender."""


@dataclass(frozen=True, slots=True)
class PressRequest:
    """A key to press, the id that tells this press from every other, and the `seq` it is meant for."""

    key: str
    id: str | None
    if_seq: int | None = None


@dataclass(frozen=True, slots=True)
class PegRequest:
    """A scored event by kind, or an amount of points, for *side*; *id* and *if_seq* as in a press."""

    fields: dict[str, object]
    id: str | None
    if_seq: int | None = None


@dataclass(frozen=True, slots=True)
class NamesRequest:
    """The names of the seats, in order."""

    names: list[str]
    id: str | None


@dataclass(frozen=True, slots=True)
class RulesRequest:
    """Changes to the rules of the next new game."""

    fields: dict[str, object]
    id: str | None


def is_key(name: str) -> bool:
    """Return whether *name* is a key: one from the contract, a hold, or a card with its suit.

    >>> is_key("10"), is_key("hold:UNDO"), is_key("10S"), is_key("T"), is_key("7h")
    (True, True, True, False, False)
    """
    return name in KEY_NAMES or _CARD.fullmatch(name) is not None


def press_request(body: bytes) -> PressRequest:
    """Parse the body of ``POST /api/press``.

    >>> press_request(b'{"key": "7", "id": "first", "if_seq": 214}')
    PressRequest(key='7', id='first', if_seq=214)

    Raises:
        BadRequest: If *body* is not a JSON object, or its key is not a key.
    """
    fields = _fields(body)
    key = _text(fields, "key", 'send one such as {"key": "7"}')
    if not is_key(key):
        raise BadRequest(
            f"{key[:40]!r} is not a key; the keys are A 2 to 10 J Q K GO FLNB P1 P2 P3 UP DOWN LEFT RIGHT "
            "UNDO MENU OK, hold:UNDO, hold:MENU, and a card with its suit such as 7H",
        )
    return PressRequest(key, _id(fields), _if_seq(fields))


def peg_request(body: bytes) -> PegRequest:
    """Parse the body of ``POST /api/peg``.

    >>> peg_request(b'{"side": 0, "kind": "run", "cards": ["4", "5", "6"]}').fields
    {'side': 0, 'kind': 'run', 'cards': ['4', '5', '6']}

    Whether the event is possible now, and what it is worth, is decided by the table.

    Raises:
        BadRequest: If *body* is not a JSON object, or a field is missing or of the wrong type.
    """
    fields = _fields(body)
    request: dict[str, object] = {"side": _whole(fields, "side")}
    if fields["side"] not in range(SIDES):
        raise BadRequest(f"side is {fields['side']}; sides are numbered from 0 to {SIDES - 1}")
    if ("kind" in fields) == ("points" in fields):
        raise BadRequest("a peg has either a kind or points; send one of them and not both")
    if "points" in fields:
        request["points"] = _whole(fields, "points")
    else:
        kind = _text(fields, "kind", "send one such as pair-royal")
        if kind not in KINDS:
            raise BadRequest(f"{kind[:40]!r} is not a scored event; the kinds are {', '.join(sorted(KINDS))}")
        request["kind"] = kind
    if "cards" in fields:
        request["cards"] = _cards(fields["cards"])
    return PegRequest(request, _id(fields), _if_seq(fields))


def names_request(body: bytes) -> NamesRequest:
    """Parse the body of ``POST /api/names``.

    >>> names_request(b'{"names": [" Ann ", "Bob"]}').names
    ['Ann', 'Bob']

    With an empty name, the seat is called by the colour of its pegs again.

    Raises:
        BadRequest: If *body* is not a JSON object with a list of one to four short names.
    """
    fields = _fields(body)
    return NamesRequest(_names(fields), _id(fields))


def rules_request(body: bytes) -> RulesRequest:
    """Parse the body of ``POST /api/rules``.

    >>> rules_request(b'{"rules": "lowe", "players": 3, "options": {"crib_flush": "four"}}').fields
    {'rules': 'lowe', 'players': 3, 'options': {'crib_flush': 'four'}}

    Whether such rules exist, and make sense together, is decided by the table.

    Raises:
        BadRequest: If *body* is not a JSON object, requests nothing, or a field is of the wrong type.
    """
    fields = _fields(body)
    request: dict[str, object] = {}
    if "rules" in fields:
        request["rules"] = _text(fields, "rules", "send the name of a preset, such as lowe")
    if "players" in fields:
        request["players"] = _whole(fields, "players")
    if "entry" in fields:
        entry, ways = _text(fields, "entry", "send cards, peg or dealt"), [str(way) for way in Entry]
        if entry not in ways:
            raise BadRequest(f"entry is {entry[:40]!r}; send {' or '.join(ways)}")
        request["entry"] = entry
    if "options" in fields:
        request["options"] = _options(fields["options"])
    if "levels" in fields:
        request["levels"] = _levels(fields["levels"])
    if "speed" in fields:
        request["speed"] = _text(fields, "speed", "send slow, normal or fast")
    if "automatic" in fields:
        request["automatic"] = _automatic(fields["automatic"])
    if "names" in fields:
        request["names"] = _names(fields)
    if not request:
        asked = "rules, players, entry, levels, speed, automatic, names and options"
        raise BadRequest(f"no rules were asked for; send one of {asked}")
    return RulesRequest(request, _id(fields))


def _automatic(steps: object) -> list[str]:
    remedy = 'send those that need no key, such as ["cut", "deal"]'
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise BadRequest(f"automatic is not a list of texts; {remedy}")
    return [_encodable("a step", step) for step in steps]


@dataclass(frozen=True, slots=True)
class CountRequest:
    """Four cards to be counted, with a starter or without."""

    cards: tuple[Card, ...]
    starter: Card | None
    is_crib: bool
    rules: Rules


def count_request(body: bytes) -> CountRequest:
    """Parse the body of ``POST /api/count``.

    >>> count_request(b'{"cards": ["5C", "5D", "5S", "JH"], "starter": "5H"}').starter
    Card(rank=<Rank.FIVE: 5>, suit='H')

    Raises:
        BadRequest: If *body* is not a JSON object with four cards, or its rules are not known.
    """
    fields = _fields(body)
    cards = _cards(fields.get("cards"))
    if len(cards) != HAND:
        raise BadRequest(f"{len(cards)} cards: a hand or a crib has four, and the starter is separate")
    starter = None if fields.get("starter") is None else _cards([fields["starter"]])[0]
    name = _text(fields, "rules", "send the name of a preset") if "rules" in fields else "standard"
    try:
        rules = preset(name)
    except BadSetup as unknown:
        raise BadRequest(str(unknown)) from None
    hand = tuple(map(Card.parse, cards))
    return CountRequest(hand, Card.parse(starter) if starter else None, fields.get("crib") is True, rules)


def _levels(levels: object) -> list[str]:
    remedy = 'send one for each seat, "" for a person, such as ["", "solid"]'
    if not isinstance(levels, list) or not 1 <= len(levels) <= SEATS:
        raise BadRequest(f"levels is not a list of one to {SEATS} texts; {remedy}")
    for level in levels:
        if not isinstance(level, str):
            raise BadRequest(f"a level is {json.dumps(level)[:40]}, which is not text; {remedy}")
        _encodable("a level", level)
    return levels


def _options(options: object) -> dict[str, str]:
    remedy = 'send values as they are written, such as {"crib_flush": "four", "target": "61"}'
    if not isinstance(options, dict):
        raise BadRequest(f"options is not an object; {remedy}")
    for name, value in options.items():
        if not isinstance(value, str):
            raise BadRequest(f"{name[:40]} is {json.dumps(value)[:40]}, which is not text; {remedy}")
        _encodable("an option", name + value)
    return options


def _fields(body: bytes) -> dict[str, object]:
    try:
        fields = json.loads(body.decode())
    except (ValueError, RecursionError):
        raise BadRequest('the body is not JSON; send an object such as {"key": "7"}') from None
    if not isinstance(fields, dict):
        raise BadRequest(
            f'the body is JSON, but not an object; send one such as {{"key": "7"}}, not {body[:20]!r}'
        )
    return fields


def _text(fields: dict[str, object], name: str, remedy: str) -> str:
    if name not in fields:
        raise BadRequest(f"{name} is missing; {remedy}")
    text = fields[name]
    if not isinstance(text, str):
        raise BadRequest(f"{name} is {json.dumps(text)[:40]}, which is not text; {remedy}")
    return _encodable(name, text)


def _encodable(name: str, text: str) -> str:
    """Return *text*; refuse a lone surrogate in it, which could never be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadRequest(f"{name} holds half of a character; send it as whole UTF-8") from None
    return text


def _whole(fields: dict[str, object], name: str) -> int:
    if name not in fields:
        raise BadRequest(f"{name} is missing; send a whole number")
    number = fields[name]
    if not isinstance(number, int) or isinstance(number, bool):
        raise BadRequest(f"{name} is {json.dumps(number)[:40]}; send a whole number")
    return number


def _id(fields: dict[str, object]) -> str | None:
    if fields.get("id") is None:
        return None
    return _text(fields, "id", "send any text, or leave it out")


def _if_seq(fields: dict[str, object]) -> int | None:
    return None if fields.get("if_seq") is None else _whole(fields, "if_seq")


def _cards(cards: object) -> list[str]:
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise BadRequest('cards is a list of cards; send one such as ["4", "5H", "6"]')
    for card in cards:
        if _PLAYED.fullmatch(card) is None:
            raise BadRequest(
                f"{card[:40]!r} is not a card; send a rank, with or without its suit, such as 7 or 7H"
            )
    return cards


def _names(fields: dict[str, object]) -> list[str]:
    names = fields.get("names")
    if not isinstance(names, list) or not 1 <= len(names) <= SEATS:
        raise BadRequest(f'names is a list of one to {SEATS} texts; send one such as ["Ann", "Bob"]')
    return [_name(name) for name in names]


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise BadRequest(f"a name is {json.dumps(name)[:40]}, which is not text; send one such as Ann")
    plain = " ".join(_encodable("a name", name).split())
    if plain:
        try:
            check_names([plain])
        except BadSetup as bad:
            raise BadRequest(str(bad)) from None
    return plain
