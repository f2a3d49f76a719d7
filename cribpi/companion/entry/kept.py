"""The desk as it is kept, in plain numbers and words."""

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
"""Who goes by another name since: the old one, the new one, and the last row of the journal before."""

_EMPTY: Final = SavedInput(Desk())
_BAD: Final = (KeyError, TypeError, IndexError, AttributeError, ValueError)
"""The errors that a damaged part of a desk raises, or one of a newer version."""


@lru_cache(maxsize=8)  # most presses leave the desk as one of the last was
def to_text(saved: SavedInput, renamed: Renamings = ()) -> str:
    """Return the *saved* input as JSON text; `from_text` is the inverse."""
    return json.dumps(to_json(saved, renamed))


def from_text(kept: str, empty: SavedInput) -> SavedInput:
    """Return the input that was *kept*; what is damaged is as in an *empty* one.

    Before go was said by itself, what is automatic was kept whether anybody had chosen it or not: as it was
    usual then, it is what the *empty* input has.
    """
    with suppress(ValueError, RecursionError):
        data = json.loads(kept)
        saved = from_json(data, empty)
        if saved.next_game.automatic != ONCE_AUTOMATIC or "you" in _mapping(_mapping(data).get("setup")):
            return saved
        return saved._replace(next_game=replace(saved.next_game, automatic=empty.next_game.automatic))
    return empty


def to_json(saved: SavedInput, renamed: Renamings = ()) -> dict[str, object]:
    """Return the *saved* input as what `json.dumps` takes; `from_json` is the inverse.

    Phones and a club's desk tell again who is here and who is to play.  Who is *renamed*, and which games of
    a night have begun, the journal has elsewhere; but it is here that earlier versions look for it.
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
    """Return the input that `to_json` gave, perhaps by way of JSON text.

    Each part is read by itself: a damaged part, or one of a newer version, is lost alone.  A missing next
    game is that of the *empty* input.  A row from before there were settings gets the usual automatic steps,
    unless it has some.  Earlier versions stored the name of a person who plays alone as that of the seat.
    """
    row = _mapping(in_tuples(data))
    setup = empty.next_game
    if isinstance(given := row.get("setup"), dict):
        options = given.get("options")
        if given.get("players", 2) != 2 and isinstance(options, tuple):  # a go at the call was once allowed
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


def with_parts(setup: NextGame, given: Mapping[str, Any]) -> NextGame:
    """Return *setup* with the fields that are *given*; one with which no game can start stays as it was."""
    known = {name: value for name, value in given.items() if name in _FIELDS}
    with suppress(*_BAD):
        return _startable(replace(setup, **known))
    for name, value in known.items():
        with suppress(*_BAD):
            setup = _startable(replace(setup, **{name: value}))
    return setup


def _startable(setup: NextGame) -> NextGame:
    """Return *setup*; raise `ValueError` or `TypeError` if no game can start with it."""
    _checked(setup)
    for name in ("speed", "automatic"):
        FIELD_OF[name].change(setup, getattr(setup, name))
    dict((*setup.aside, *setup.house_options))  # both are pairs
    setup.with_preset(setup.house_of or setup.rules)
    step(NEW_TABLE, setup.event())  # refused if no game can start with it
    return setup


def _dialog(kept: dict[str, Any] | None) -> Dialog | None:
    if kept is None:
        return None
    kinds: dict[str, type[Dialog]] = {kind.__name__: kind for kind in SCENES}
    return _checked(kinds[kept["is"]](**{name: value for name, value in kept.items() if name != "is"}))


def _hint(kept: dict[str, Any] | None) -> Hint | None:
    return _checked(Hint(**kept)) if kept else None


_FIELDS: Final = frozenset(field.name for field in fields(NextGame))
_READ: Final[Mapping[str, Callable[[Any], object]]] = {"dialog": _dialog, "hint": _hint}
_PARTS: Final = {field.name for field in fields(Desk)} - {"settings", "machine", "here"}
"""The stored parts of a desk besides set-up and settings."""


def _mapping(found: object) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}


def _checked(part: T) -> T:
    """Return *part*; raise `TypeError` if a field of it is not of its kind: the file may be damaged."""
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
    """Return *desk*; raise `ValueError` if a word is not a speed, a card or a scored event."""
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
    """Return *data* with a tuple for each list in it."""
    if isinstance(data, dict):
        return {name: in_tuples(value) for name, value in data.items()}
    return tuple(map(in_tuples, data)) if isinstance(data, list) else data
