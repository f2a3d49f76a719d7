"""Serialization of the saved input: to JSON and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import CountHand, Dialog, Hint, InputState, Question
from cribpi.companion.entry.next_game import FIELD_OF, ONCE_AUTOMATIC, SPEEDS, USUALLY_AUTOMATIC, NextGame
from cribpi.companion.entry.scenes import SCENES
from cribpi.companion.entry.settings import known_settings
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.words.cards import parse_cards

T = TypeVar("T")
Renamings: TypeAlias = tuple[tuple[str, str, int], ...]
"""Renamed people: the old name, the new name, and the last row of the journal before that."""

_EMPTY: Final = SavedInput(InputState())
_BAD: Final = (KeyError, TypeError, IndexError, AttributeError, ValueError)
"""Errors from parsing a part that is damaged or from a newer version."""


@lru_cache(maxsize=8)  # cached, because most presses return to a recent input
def to_text(saved: SavedInput, renamed: Renamings = ()) -> str:
    """Return the *saved* input as JSON text. `from_text` is the inverse."""
    return json.dumps(to_json(saved, renamed))


def from_text(text: str, empty: SavedInput) -> SavedInput:
    """Parse the JSON *text* of saved input. If it can't be read, return the *empty* input.

    Legacy versions also saved automatic steps that nobody had changed. If the saved steps equal those
    versions' defaults, they are replaced by the steps of the *empty* input.
    """
    with suppress(ValueError, RecursionError):
        data = json.loads(text)
        saved = from_json(data, empty)
        input_state, context = saved
        if context.house.automatic != ONCE_AUTOMATIC or "you" in _mapping(_mapping(data).get("setup")):
            return saved
        usual = context.next_game.with_house(automatic=empty.context.house.automatic)
        return SavedInput(input_state, replace(context, next_game=usual))
    return empty


def to_json(saved: SavedInput, renamed: Renamings = ()) -> dict[str, object]:
    """Return the *saved* input as data for `json.dumps`. `from_json` is the inverse.

    Phones and the pairing are left out, because they are reported again after a restart. *renamed* people and
    started pairings are also stored elsewhere in the journal, but legacy versions read them here.
    """
    input_state, context = saved
    setup = parts_of(context.next_game)
    if not setup["aside"]:
        del setup["aside"]
    whole: dict[str, object] = {"setup": setup | {"renamed": renamed}}
    whole |= _fields(input_state) | {"settings": dict(context.house.settings), "pace": context.pace}
    whole["hint"] = input_state.hint and _fields(input_state.hint)
    if input_state.dialog is not None:
        whole["dialog"] = {"is": type(input_state.dialog).__name__} | _fields(input_state.dialog)
    if context.carried:
        whole["carried"] = context.carried
    whole["begun"] = [_fields(one) | {"counts": True} for one in context.here.begun]
    return whole


def _fields(part: Any) -> dict[str, Any]:  # noqa: ANN401  any dataclass
    return {field.name: getattr(part, field.name) for field in fields(part)}


def from_json(data: Any, empty: SavedInput = _EMPTY) -> SavedInput:  # noqa: ANN401  what JSON holds
    """Parse the data of `to_json`, with tuples or lists.

    Each part is read separately. A part that is damaged, or from a newer version, does not affect the others.
    A missing next game is that of the *empty* input.

    A legacy row without settings gets the default automatic steps, unless it has its own. Legacy versions
    stored `House.you` in `names`.
    """
    row = _mapping(in_tuples(data))
    game = empty.context.next_game
    if isinstance(given := row.get("setup"), dict):
        options = given.get("options")
        if given.get("players", 2) != 2 and isinstance(options, tuple):  # Legacy versions allowed this value.
            given["options"] = tuple(one for one in options if one != ("go_award", "call"))
        game = with_parts(NextGame(), given)
        if "you" not in given:
            game = game.as_before()
        if "settings" not in row and not game.house.automatic:
            game = game.with_house(automatic=USUALLY_AUTOMATIC)
    context = InputContext(game.with_house(settings=known_settings(row.get("settings"))))
    input_state = InputState()
    for name in row.keys() & _PARTS:
        with suppress(*_BAD):
            part: Any = _READ[name](row[name]) if name in _READ else row[name]
            input_state = _checked_words(_checked(replace(input_state, **{name: part})))
    for name in row.keys() & _OF_CONTEXT:
        with suppress(*_BAD):
            context = _checked_pace(_checked(replace(context, **{name: row[name]})))
    return SavedInput(input_state, context)


def parts_of(game: NextGame) -> dict[str, Any]:
    """Return the fields of *game* and its house, by their keywords in a row."""
    house = {word: getattr(game.house, name) for word, name in FACT_OF.items()}
    return {word: house[word] if word in house else getattr(game, word) for word in _SETUP}


def with_parts(game: NextGame, parts: Mapping[str, Any]) -> NextGame:
    """Return *game* with new values *parts* for its fields and its house's.

    Values with which no game could start are ignored.
    """
    known = {name: value for name, value in parts.items() if name in _SETUP}
    with suppress(*_BAD):
        return _startable(_with_fields(game, known))
    for name, value in known.items():
        with suppress(*_BAD):
            game = _startable(_with_fields(game, {name: value}))
    return game


def _with_fields(game: NextGame, parts: Mapping[str, Any]) -> NextGame:
    facts = {FACT_OF[word]: value for word, value in parts.items() if word in FACT_OF}
    return replace(game.with_house(**facts), **{word: parts[word] for word in parts.keys() - FACT_OF.keys()})


def _startable(setup: NextGame) -> NextGame:
    """Return *setup*. If no game can start with it, raise one of the errors in `_BAD`."""
    house = _checked(_checked(setup).house)
    for name in ("speed", "automatic"):
        FIELD_OF[name].change(setup, getattr(house, name))
    dict((*setup.aside, *house.options))  # raises if they are not pairs
    setup.with_preset(house.preset or setup.rules)
    step(NEW_TABLE, setup.event())  # raises if no game can start
    return setup


def _dialog(data: dict[str, Any] | None) -> Dialog | None:
    if data is None:
        return None
    kinds: dict[str, type[Dialog]] = {kind.__name__: kind for kind in SCENES}
    return _checked(kinds[data["is"]](**{name: value for name, value in data.items() if name != "is"}))


def _hint(data: dict[str, Any] | None) -> Hint | None:
    return _checked(Hint(**data)) if data else None


FACT_OF: Final = {
    "names": "names",
    "you": "you",
    "house_of": "preset",
    "house_options": "options",
    "speed": "speed",
    "automatic": "automatic",
}
"""Field of `House` by the keyword of a fact in the journal. Settings are not included."""

_SETUP: Final = (
    *("players", "target", "entry", "names", "you", "rules", "options", "aside"),
    *("house_of", "house_options", "levels", "speed", "automatic"),
)
"""Keywords of the set-up in a row, in order."""

_READ: Final[Mapping[str, Callable[[Any], object]]] = {"dialog": _dialog, "hint": _hint}
_PARTS: Final = {field.name for field in fields(InputState)}
_OF_CONTEXT: Final = {"pace", "carried"}
"""Fields of the context that a row stores under the same names."""


def _mapping(found: object) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}


def _checked(part: T) -> T:
    """Return *part*. If a field has a wrong type, as in a damaged file, raise `TypeError`."""
    for name, kind in get_type_hints(type(part)).items():
        value, of = getattr(part, name), kind
        if get_origin(kind) is tuple:
            of = get_origin(get_args(kind)[0]) or get_args(kind)[0]
        else:
            value = (value,)
        if not all(isinstance(one, of) for one in value):
            raise TypeError(f"not all of {value} are {of}")
    return part


def _checked_pace(context: InputContext) -> InputContext:
    """Return *context* unchanged.

    Raises:
        ValueError: If its pace is set, but is not one of `SPEEDS`.
    """
    if context.pace and context.pace not in SPEEDS:
        raise ValueError(f"not a speed: {context.pace}")
    return context


def _checked_words(input_state: InputState) -> InputState:
    """Return *input_state*. If a card or the scored event is invalid, raise `ValueError`."""
    dialog, hinted = input_state.dialog, input_state.hint.cards if input_state.hint else ()
    counted = dialog.cards if isinstance(dialog, CountHand) else ()
    parse_cards(" ".join((*input_state.chosen, *hinted, *counted)))
    if isinstance(dialog, Question):
        Card.parse(dialog.card)
    if input_state.kind is not None:
        Kind(input_state.kind)
    return input_state


def in_tuples(data: Any) -> Any:  # noqa: ANN401  what JSON holds
    """Return *data* with lists replaced by tuples."""
    if isinstance(data, dict):
        return {name: in_tuples(value) for name, value in data.items()}
    return tuple(map(in_tuples, data)) if isinstance(data, list) else data
