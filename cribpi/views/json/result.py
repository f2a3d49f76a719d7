"""The end of a game as JSON for the page: what each side got from what, the best hand, the course."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from cribpi.core.events import Event
from cribpi.core.show import score_crib, score_hand
from cribpi.core.state import State
from cribpi.core.summary import Show, summary
from cribpi.core.words import call_show


def result_json(line: Iterable[tuple[Event, State]], state: State) -> dict[str, object] | None:
    """Return the summary of the game of *line*; None while it is not won."""
    if state.winner is None:
        return None
    found = summary(line, state.sides)
    return {
        "sides": [
            asdict(gains) | {"lead": lead} for gains, lead in zip(found.gains, found.leads, strict=True)
        ],
        "course": [list(scores) for scores in found.course],
        "best": _show_json(found.best) if found.best is not None else None,
    }


def _show_json(show: Show) -> dict[str, object]:
    call = ""
    if show.starter is not None and len(show.cards) == 4:
        call = call_show((score_crib if show.is_crib else score_hand)(show.cards, show.starter))
    return {
        "side": show.side,
        "deal": show.deal,
        "points": show.points,
        "crib": show.is_crib,
        "cards": [str(card) for card in sorted(show.cards, key=lambda card: (card.rank, card.suit or ""))],
        "starter": str(show.starter) if show.starter is not None else None,
        "call": call,
    }
