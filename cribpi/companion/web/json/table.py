"""What a page draws a table from: what is asked, which menu is open, and the cards of each count in order."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from cribpi.companion.entry import the_show
from cribpi.companion.entry.between_games import offered_pairing
from cribpi.companion.entry.by_dealing import plays_itself
from cribpi.companion.entry.choices import scene_of
from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.pad import Pad
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import State
from cribpi.cribbage.words.levels import title_of

NO_TABLE: Final[dict[str, object]] = {
    "asks": "",
    "dialog": None,
    "line": None,
    "by_itself": False,
    "deal": None,
    "levels": [],
    "counts": [],
    "shown": [],
}
"""What a page gets where the table can't be told."""


def table_json(state: State, desk: Desk, pad: Pad, viewer: int | None = None) -> dict[str, object]:
    """Return `asks` (what to do, without keys), the open `dialog`, `deal`, `levels`, `counts` and `shown`.

    `line` is the number of the line that is selected where the open dialog has lines, from 0.

    `by_itself` tells whether the next step is done without a key: nothing is to be pressed meanwhile.
    """
    deal = state.deal
    levels = map(state.level, range(state.players))
    return {
        "asks": scene_of(state, desk, pad, viewer).asks,
        "dialog": type(desk.dialog).__name__ if desk.dialog else None,
        "line": getattr(desk.dialog, "line", None),
        "by_itself": plays_itself(state, desk),
        "deal": deal.number if deal else None,
        "levels": [title_of(level) if level else None for level in levels],
        "counts": counts(deal) if deal else [],
        "shown": _shown(state),
    }


def pairing_json(state: State, desk: Desk) -> dict[str, object] | None:
    """Return the pairing whose game OK starts, or None."""
    pairing = offered_pairing(state, desk)
    return None if pairing is None else asdict(pairing)


def _shown(state: State) -> list[str]:
    """Return the hand or the crib that is counted in a game with real cards, as far as it is known."""
    is_shown = state.is_show and state.entry is Entry.CARDS
    return list(map(str, the_show.shown(state))) if is_shown else []


def counts(deal: Deal) -> list[list[dict[str, object]]]:
    """Return the cards played in this deal, count by count, each with its seat and its pips."""
    return [
        [{"card": str(play.card), "seat": play.seat, "pips": play.card.rank.pips} for play in count]
        for count in deal.counts
    ]
