"""The rules that the last thing rests on, one after the other."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final, NamedTuple

from cribpi.companion.entry.choice import Place, Row, Rows, Scene, closing
from cribpi.companion.entry.desk import Why
from cribpi.companion.entry.lists import list_scene
from cribpi.companion.entry.texts import Text
from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules.cite import HOUSE, NEVER_NAMED, SILENT, Reason
from cribpi.cribbage.words.why import reasons_of

CELLS: Final = 21
"""Cells of a line on the screen."""
LINES: Final = 5
"""Lines of a page there."""


class WhyPage(NamedTuple):
    """A page of the screen: a reason, and as much of it as fits."""

    reason: Reason
    lines: tuple[str, ...]


def why_pages(state: State) -> tuple[WhyPage, ...]:
    """Return the pages that tell every rule the last thing rests on; the keypad pages through them."""
    return tuple(WhyPage(reason, lines) for reason in reasons_of(state) for lines in pages_of(reason))


def pages_of(reason: Reason) -> Iterator[tuple[str, ...]]:
    """Yield the lines of each page of *reason*: its rule and its source's words, apart if both do not fit."""
    is_quoted = reason.words not in {"", SILENT} and reason.source != HOUSE
    quoted = f'"{reason.words}"' if is_quoted else reason.words
    rule, words = (textwrap.wrap(text, CELLS, break_on_hyphens=False) for text in (reason.text, quoted))
    parts = [rule + words] if len(rule) + len(words) <= LINES else [rule, words]
    for part in parts:
        yield from (tuple(part[first : first + LINES]) for first in range(0, len(part), LINES))


def why(place: Place, dialog: Why) -> Scene:
    pages = why_pages(place.state)
    at = dialog.line % len(pages)
    # A page that goes on with a reason is named by what it shows.
    before = (None, *(page.reason for page in pages))
    names = (
        " ".join(page.lines) if page.reason is last else page.reason.text
        for page, last in zip(pages, before, strict=False)
    )
    rows = tuple(Row(Text(name, name), place.opened(None), "Go on") for name in names)
    asks = f"{pages[at].reason.text} {cited(pages[at].reason)}"
    return list_scene(place, dialog, Rows("", rows, at), asks, leave=closing(place))


def cited(reason: Reason) -> str:
    """Say whose rule it is, in the source's own words where it has any."""
    if not reason.words:
        return f"{reason.source}: no source says this"
    said = reason.words if reason.words in {SILENT, NEVER_NAMED} else f'"{reason.words}"'
    return f"{reason.source}: {said}"
