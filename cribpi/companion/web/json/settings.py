"""The settings as JSON: a row each for this machine, with its value and what it can be."""

from __future__ import annotations

from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.settings import Setting


def settings_json(desk: Desk) -> dict[str, object]:
    """Return the settings of this machine, and whether it can be switched off from here."""
    return {
        "settings": [_row_json(row, desk) for row in desk.settings.rows()],
        "power": ["restart", "off"] if desk.settings.is_pi else [],
    }


def values_json(desk: Desk) -> dict[str, str]:
    """Return the value of each setting of this machine by its name."""
    return {row.name: desk.value(row.name) for row in desk.settings.rows()}


def _row_json(row: Setting, desk: Desk) -> dict[str, object]:
    return {
        "name": row.name,
        "group": row.group,
        "title": row.title,
        "text": row.text,
        "value": desk.value(row.name),
        "choices": [{"value": value, "title": title} for value, title in desk.settings.values(row.name)],
    }
