"""The settings, a line each, changed at once; and the question whether the machine is to be switched off."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cribpi.companion.entry.choice import Offer, Place, Row, Rows, Scene, closing, scene
from cribpi.companion.entry.desk import ChangeSettings, Desk, SwitchOff
from cribpi.companion.entry.keys import RANKS
from cribpi.companion.entry.lists import NEXT, how_to_change, list_scene
from cribpi.companion.entry.reply import Move, Reply
from cribpi.companion.entry.settings import Setting
from cribpi.companion.entry.texts import Text

RESET: Final = "hold:UNDO"
"""The key that makes all settings usual again: a long press, which no accident is."""


def change_settings(place: Place, dialog: ChangeSettings) -> Scene:
    desk, settings = place.desk, place.desk.settings.rows()
    reset = place.pad.hold_of(RESET) if desk.has_changes else None
    title = "SETTINGS" if reset is None else f"HOLD {reset} TO RESET"
    found = tuple(_row(place, setting) for setting in settings)
    rows = Rows(title, found, dialog.line % len(found))
    ranks = set(RANKS) - set(dict(place.pad.sides))  # a numpad's court cards are P1 and P2 here
    has_more = place.pad.has_ranks and len(found) > len(ranks)
    following = Offer("GO", NEXT, place.opened(ChangeSettings((rows.at + 1) % len(found))))
    more = f", {place.pad.named('GO')} to go to the next" if has_more else ""
    return list_scene(
        place,
        dialog,
        rows,
        f"Settings, {rows.at + 1} of {len(found)}. {rows.row.said}",
        how=f"{how_to_change(place.pad)}{more}. {place.pad.named('OK')}: Done",
        others=[following] * has_more,
        leave=(
            Offer(RESET, Text("Reset all settings", "reset"), Reply(desk.as_usual()), is_likely=False),
            *closing(place),
        ),
    )


def _row(place: Place, setting: Setting) -> Row:
    desk, name = place.desk, Text(setting.brief, setting.brief)
    value = setting.titled(desk.value(setting.name))
    return Row(
        name,
        place.opened(None),
        "Done",
        value,
        value[:1].lower() + value[1:],
        turned=lambda step: Reply(_turned(desk, setting.name, step)),
    )


def _turned(desk: Desk, name: str, step: int) -> Desk:
    """Return *desk* with the next or the previous value of the setting *name*; two go round, more do not."""
    values = [value for value, _ in desk.settings.values(name)]
    at, last = values.index(desk.value(name)) + step, len(values) - 1
    return desk.with_value(name, values[at % 2 if last == 1 else min(max(at, 0), last)])


def switch_off(place: Place, _dialog: SwitchOff) -> Scene:
    closed = replace(place.desk, dialog=None)
    # OK has opened this, and does no more: pressed twice, it is refused.
    offers = (
        Offer("P1", Text("Switch off", "off"), Reply(closed, move=Move.SHUT_DOWN)),
        Offer("P2", "Restart", Reply(closed, move=Move.RESTART)),
        Offer("UNDO", "Cancel", Reply(closed)),
        Offer("MENU", "Cancel", Reply(closed)).unlikely(),
    )
    return scene("Switch the Pi off, or restart it?", offers)
