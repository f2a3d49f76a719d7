"""The settings, a line each, changed at once; and the question whether the machine is to be switched off."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cribpi.companion.entry import texts
from cribpi.companion.entry.choice import Offer, Place, Scene, closing, scene
from cribpi.companion.entry.desk import ChangeSettings, Desk, SwitchOff
from cribpi.companion.entry.keys import RANKS
from cribpi.companion.entry.lines import how_to_change, line_offers
from cribpi.companion.entry.reply import Move, Reply

RESET: Final = "hold:UNDO"
"""The key that makes all settings usual again: a long press, which no accident is."""


def settings_lines(desk: Desk) -> tuple[tuple[str, str], ...]:
    """Return the settings of this machine as lines: what each is called, and its value."""
    return tuple((row.brief, row.titled(desk.value(row.name))) for row in desk.settings.rows())


def change_settings(place: Place, dialog: ChangeSettings) -> Scene:
    desk, rows, lines = place.desk, place.desk.settings.rows(), settings_lines(place.desk)
    at = dialog.line % len(rows)
    name = rows[at].name
    ranks = set(RANKS) - set(dict(place.pad.sides))  # a numpad's court cards are P1 and P2 here
    has_more = place.pad.has_ranks and len(rows) > len(ranks)
    offers = [
        Offer("OK", texts.DONE, place.opened(None)),
        *line_offers(place, at, list(map(": ".join, lines)), ChangeSettings),
        *([Offer("GO", texts.NEXT, place.opened(ChangeSettings((at + 1) % len(rows))))] if has_more else []),
        Offer("P1", texts.CHANGE_BACK.of(what=lines[at][0]), Reply(_turned(desk, name, -1))),
        Offer("P2", texts.CHANGE_ON.of(what=lines[at][0]), Reply(_turned(desk, name, 1))),
        Offer(RESET, texts.RESET, Reply(desk.as_usual()), is_likely=False),
        *closing(place),
    ]
    more = f", {place.pad.named('GO')} to go to the next" if has_more else ""
    how = f"{how_to_change(place.pad)}{more}. {place.pad.named('OK')}: Done"
    return scene(f"Settings, {at + 1} of {len(rows)}. {': '.join(lines[at])}", offers, how=how)


def _turned(desk: Desk, name: str, step: int) -> Desk:
    """Return *desk* with the next or the previous value of the setting *name*; two go round, more do not."""
    values = [value for value, _ in desk.settings.values(name)]
    at, last = values.index(desk.value(name)) + step, len(values) - 1
    return desk.with_value(name, values[at % 2 if last == 1 else min(max(at, 0), last)])


def switch_off(place: Place, _dialog: SwitchOff) -> Scene:
    closed = replace(place.desk, dialog=None)
    # OK has opened this, and does no more: pressed twice, it is refused.
    offers = (
        Offer("P1", texts.SWITCH_OFF, Reply(closed, move=Move.SHUT_DOWN)),
        Offer("P2", texts.RESTART, Reply(closed, move=Move.RESTART)),
        Offer("UNDO", texts.CANCEL, Reply(closed)),
        Offer("MENU", texts.CANCEL, Reply(closed)).unlikely(),
    )
    return scene("Switch the Pi off, or restart it?", offers)
