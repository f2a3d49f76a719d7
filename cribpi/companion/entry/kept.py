"""Serialization of the saved input to JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from cribpi.companion.entry.desk import CountHand, Desk, Dialog, Hint, Question, SavedInput
from cribpi.companion.entry.next_game import FIELD_OF, ONCE_AUTOMATIC, SPEEDS, USUALLY_AUTOMATIC, NextGame
from cribpi.companion.entry.scenes import SCENES
from cribpi.companion.entry.settings import known_settings
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.words.cards import parse_cards

T = TypeVar("T")
Renamings: TypeAlias = tuple[tuple[str, str, int], ...]
"""Renamed people: the old name, the new name, and the last row of the journal before the change."""

_EMPTY: Final = SavedInput(Desk())
_BAD: Final = (KeyError, TypeError, IndexError, AttributeError, ValueError)
"""Errors raised by a part of the desk that is damaged or from a newer version."""


@lru_cache(maxsize=8)  # Most presses bring back a recent desk.
def to_text(saved: SavedInput, renamed: Renamings = ()) -> str:
    """Return the *saved* input as JSON text; `from_text` is the inverse."""
    return json.dumps(to_json(saved, renamed))


def from_text(text: str, empty: SavedInput) -> SavedInput:
    """Return the input in the JSON *text*; damaged parts are as in the *empty* input.

    Legacy versions saved the automatic steps even if people had not changed them.  If they are the defaults
    of those versions, the steps of the *empty* input replace them.
    """
    with suppress(ValueError, RecursionError):
        data = json.loads(text)
        saved = from_json(data, empty)
        if saved.next_game.automatic != ONCE_AUTOMATIC or "you" in _mapping(_mapping(data).get("setup")):
            return saved
        return saved._replace(next_game=replace(saved.next_game, automatic=empty.next_game.automatic))
    return empty


def to_json(saved: SavedInput, renamed: Renamings = ()) -> dict[str, object]:
    """Return the *saved* input as plain data for `json.dumps`; `from_json` is the inverse.

    Phones and the pairing are left out, because they are reported again after a restart.  *renamed* people
    and the started pairings are also stored elsewhere in the journal, but legacy versions read them here.
    """
    desk, setup = saved.desk, _fields(saved.next_game) | {"renamed": renamed}
    whole: dict[str, object] = {"setup": setup} | _fields(desk)
    whole |= {"settings": dict(desk.settings), "hint": desk.hint and _fields(desk.hint)}
    if desk.dialog is not None:
        whole["dialog"] = {"is": type(desk.dialog).__name__} | _fields(desk.dialog)
    whole["begun"] = [_fields(one) | {"counts": True} for one in desk.here.begun]
    del whole["here"], whole["machine"]
    if not desk.carried:
        del whole["carried"]
    if not saved.next_game.aside:
        del setup["aside"]
    return whole


def _fields(part: Any) -> dict[str, Any]:  # noqa: ANN401  any dataclass
    return {field.name: getattr(part, field.name) for field in fields(part)}


def from_json(data: Any, empty: SavedInput = _EMPTY) -> SavedInput:  # noqa: ANN401  what JSON holds
    """Return the input in the result of `to_json`, with tuples or with lists.

    Each part is read separately, so that a damaged part, or one of a newer version, does not affect the
    others.  A missing next game is that of the *empty* input.  A legacy row without settings gets the default
    automatic steps, unless it has its own.  Legacy versions stored `NextGame.you` in `names`.
    """
    row = _mapping(in_tuples(data))
    setup = empty.next_game
    if isinstance(given := row.get("setup"), dict):
        options = given.get("options")
        if given.get("players", 2) != 2 and isinstance(options, tuple):  # Legacy versions allowed this value.
            given["options"] = tuple(one for one in options if one != ("go_award", "call"))
        setup = with_parts(NextGame(), given)
        if "you" not in given:
            setup = setup.as_before()
        if "settings" not in row and not setup.automatic:
            setup = replace(setup, automatic=USUALLY_AUTOMATIC)
    desk = Desk(settings=known_settings(row.get("settings")))
    for name in row.keys() & _PARTS:
        with suppress(*_BAD):
            part: Any = _READ[name](row[name]) if name in _READ else row[name]
            desk = _checked_words(_checked(replace(desk, **{name: part})))
    return SavedInput(desk, setup)


def with_parts(setup: NextGame, parts: Mapping[str, Any]) -> NextGame:
    """Return *setup* with the fields in *parts*, skipping each one with which no game could start."""
    known = {name: value for name, value in parts.items() if name in _FIELDS}
    with suppress(*_BAD):
        return _startable(replace(setup, **known))
    for name, value in known.items():
        with suppress(*_BAD):
            setup = _startable(replace(setup, **{name: value}))
    return setup


def _startable(setup: NextGame) -> NextGame:
    """Return *setup*.  Raise `ValueError`, `TypeError` or another of `_BAD` if no game can start with it."""
    _checked(setup)
    for name in ("speed", "automatic"):
        FIELD_OF[name].change(setup, getattr(setup, name))
    dict((*setup.aside, *setup.house_options))  # Both must consist of pairs.
    setup.with_preset(setup.house_of or setup.rules)
    step(NEW_TABLE, setup.event())  # This raises if no game can start.
    return setup


def _dialog(data: dict[str, Any] | None) -> Dialog | None:
    if data is None:
        return None
    kinds: dict[str, type[Dialog]] = {kind.__name__: kind for kind in SCENES}
    return _checked(kinds[data["is"]](**{name: value for name, value in data.items() if name != "is"}))


def _hint(data: dict[str, Any] | None) -> Hint | None:
    return _checked(Hint(**data)) if data else None


_FIELDS: Final = frozenset(field.name for field in fields(NextGame))
_READ: Final[Mapping[str, Callable[[Any], object]]] = {"dialog": _dialog, "hint": _hint}
_PARTS: Final = {field.name for field in fields(Desk)} - {"settings", "machine", "here"}
"""The saved fields of the desk, except its settings."""


def _mapping(found: object) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}


def _checked(part: T) -> T:
    """Return *part*.  Raise `TypeError` if a field has the wrong type, as in a damaged file."""
    for name, kind in get_type_hints(type(part)).items():
        value, of = getattr(part, name), kind
        if get_origin(kind) is tuple:
            of = get_origin(get_args(kind)[0]) or get_args(kind)[0]
        else:
            value = (value,)
        if not all(isinstance(one, of) for one in value):
            raise TypeError(f"not all of {value} are {of}")
    return part


def _checked_words(desk: Desk) -> Desk:
    """Return *desk*.  Raise `ValueError` if its speed, a card or its scored event is invalid."""
    if desk.pace and desk.pace not in SPEEDS:
        raise ValueError(f"not a speed: {desk.pace}")
    dialog, hinted = desk.dialog, desk.hint.cards if desk.hint else ()
    counted = dialog.cards if isinstance(dialog, CountHand) else ()
    parse_cards(" ".join((*desk.chosen, *hinted, *counted)))
    if isinstance(dialog, Question):
        Card.parse(dialog.card)
    if desk.kind is not None:
        Kind(desk.kind)
    return desk


def in_tuples(data: Any) -> Any:  # noqa: ANN401  what JSON holds
    """Return *data* with each list replaced by a tuple."""
    if isinstance(data, dict):
        return {name: in_tuples(value) for name, value in data.items()}
    return tuple(map(in_tuples, data)) if isinstance(data, list) else data
