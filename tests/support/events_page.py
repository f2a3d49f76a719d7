"""The diagram in docs/reference/events.md, from the core's transition table.

`PYTHONPATH=tests python -m support.events_page` redraws it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from cribpi.cribbage.game.events import (
    Event,
    FalseWinRuled,
    GameStarted,
    Misdealt,
    PenaltyPegged,
    ScorePutRight,
    SeatsNamed,
)
from cribpi.cribbage.game.phases import TABLE
from cribpi.cribbage.game.state import Phase
from support import pages

PAGE = pages.DOCS / "reference" / "events.md"
REDRAW = (
    "the diagram lags behind the table; look at it, after `PYTHONPATH=tests python -m support.events_page`"
)

EVENTS: tuple[type[Event], ...] = get_args(Event)

TOLD_BELOW = {GameStarted, SeatsNamed, PenaltyPegged, ScorePutRight, Misdealt, FalseWinRuled}
"""Events that are possible nearly everywhere. Arrows for them would hide the others."""


def phases_of(event: type[Event]) -> list[Phase]:
    """Return the phases in which *event* is possible in some mode, in order."""
    return [phase for phase in Phase if any((row.event, row.phase) == (event, phase) for row in TABLE)]


def diagram() -> list[str]:
    """Return the lines of the diagram."""
    return ["stateDiagram-v2", *_arrows()]


def _arrows() -> Iterator[str]:
    for before in Phase:
        for after in Phase:
            if after in {before, Phase.MATCH_OVER}:  # match-over replaces game-over here
                continue
            names = [
                event.__name__
                for event in EVENTS
                if event not in TOLD_BELOW
                and any((row.event, row.phase) == (event, before) and after in row.to for row in TABLE)
            ]
            if names:
                yield f"    {before} --> {after}: {', '.join(names)}".replace("-over", "_over")


def page() -> str:
    """Return the page with an up-to-date diagram."""
    before, fence, rest = pages.read(PAGE).partition("```mermaid\n")
    return before + fence + "\n".join(diagram()) + rest[rest.index("\n```") :]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
