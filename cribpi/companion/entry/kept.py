"""The desk as it is kept, in plain numbers and words."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from cribpi.companion.entry.choices import SCENES
from cribpi.companion.entry.desk import (
    AUTOMATIC,
    ONCE_AUTOMATIC,
    SPEEDS,
    USUALLY_AUTOMATIC,
    CountHand,
    Desk,
    Hint,
    Question,
    Setup,
)
from cribpi.companion.entry.pairing import Begun, Club
from cribpi.companion.entry.settings import USUAL_SETTINGS, kept_settings
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.words.cards import parse_cards

T = TypeVar("T")


@lru_cache(maxsize=8)  # most presses leave the desk as one of the last was
def to_text(desk: Desk) -> str:
    """Return *desk* as it is kept, JSON text; `from_text` is the inverse."""
    return json.dumps(to_json(desk))


def from_text(kept: str, empty: Desk) -> Desk:
    """Return the desk that was *kept*; of a damaged one the settings alone, on an *empty* one.

    Before go was said by itself, what is automatic was kept whether anybody had chosen it or not: as it was
    usual then, it is what the *empty* desk has.
    """
    try:
        data = json.loads(kept)
    except (ValueError, RecursionError):
        return empty
    with suppress(ValueError, RecursionError):
        desk = from_json(data)
        if "you" in data["setup"] or desk.setup.automatic != ONCE_AUTOMATIC:
            return desk
        return replace(desk, setup=replace(desk.setup, automatic=empty.setup.automatic))
    settings = data.get("settings") if isinstance(data, dict) else None
    return replace(empty, settings=kept_settings(settings))


def to_json(desk: Desk) -> dict[str, object]:
    """Return *desk* as what `json.dumps` takes; `from_json` is the inverse.

    Phones and a club's desk tell again who is here and who is to play.
    """
    whole = asdict(replace(desk, settings=USUAL_SETTINGS, phones=None))
    if desk.dialog is not None:
        whole["dialog"] = {"is": type(desk.dialog).__name__} | whole["dialog"]
    whole |= {"settings": dict(desk.settings.changed), "begun": whole["club"]["begun"]}
    del whole["phones"], whole["away"], whole["club"]
    if not desk.carried:
        del whole["carried"]
    if not desk.setup.aside:
        del whole["setup"]["aside"]
    return whole


def from_json(data: Any) -> Desk:  # noqa: ANN401  what JSON holds
    """Return the desk that `to_json` gave, perhaps by way of JSON text.

    Before there were settings, nothing was done without a key until the page asked for it.  Earlier versions
    kept the name of a person who plays alone as that of the seat.

    Raises:
        ValueError: If *data* is not a desk; the caller begins with an empty one.
    """
    try:
        data = _tuples(data)
        setup, dialog, hint = Setup(**data["setup"]), data["dialog"], data.get("hint")
        if "you" not in data["setup"]:
            setup = setup.as_before()
        if "settings" not in data and not setup.automatic:
            setup = replace(setup, automatic=USUALLY_AUTOMATIC)
        if setup.players > 2:  # a go at the call was allowed before it was for two
            setup = replace(setup, options=tuple(one for one in setup.options if one != ("go_award", "call")))
        step(NEW_TABLE, setup.event())  # refused if no game can start with it
        if dialog is not None:
            kinds = {kind.__name__: kind for kind in SCENES}
            given = {name: value for name, value in dialog.items() if name != "is"}
            dialog = _checked(kinds[dialog["is"]](**given))
        if hint:
            hint = _checked(Hint(**hint))
        parts = {
            "club": Club(begun=tuple(_checked(Begun(**one)) for one in data.pop("begun", ()))),
            "setup": setup,
            "dialog": dialog,
            "hint": hint,
            "settings": kept_settings(data.get("settings")),
        }
        desk = _checked(Desk(**data | parts))
        _check_words(desk)
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as bad:
        raise ValueError(f"not a desk: {bad}") from None
    return desk


def _checked(part: T) -> T:
    """Return *part*; raise `TypeError` if a field of it is not of its kind: the file may be damaged."""
    for name, kind in get_type_hints(type(part)).items():
        value, of = getattr(part, name), kind
        if get_origin(kind) is tuple:
            of = get_args(kind)[0]
        else:
            value = (value,)
        if not all(isinstance(one, of) for one in value):
            raise TypeError(f"not all of {value} are {of}")
    return part


def _check_words(desk: Desk) -> None:
    """Raise `ValueError` if a word is not a speed, a card or a scored event."""
    if not {desk.setup.speed, desk.pace or desk.setup.speed} <= set(SPEEDS):
        raise ValueError(f"not a speed: {desk.setup.speed}")
    if not set(desk.setup.automatic) <= set(AUTOMATIC):
        raise ValueError(f"not steps: {desk.setup.automatic}")
    dialog, hinted = desk.dialog, desk.hint.cards if desk.hint else ()
    counted = dialog.cards if isinstance(dialog, CountHand) else ()
    parse_cards(" ".join((*desk.chosen, *hinted, *counted)))
    if isinstance(dialog, Question):
        Card.parse(dialog.card)
    if desk.kind is not None:
        Kind(desk.kind)


def _tuples(data: Any) -> Any:  # noqa: ANN401  what JSON holds
    """Return *data* with a tuple for each list in it."""
    if isinstance(data, dict):
        return {name: _tuples(value) for name, value in data.items()}
    return tuple(map(_tuples, data)) if isinstance(data, list) else data
