"""The end of a game as JSON for the page: where each side's points came from, best hand, course."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from cribpi.core.cards import Card, in_order
from cribpi.core.events import Event
from cribpi.core.seats import HAND
from cribpi.core.show import score_crib, score_hand
from cribpi.core.state import State
from cribpi.core.statistics import BestShow
from cribpi.core.summary import Show, summary
from cribpi.core.words import call_show


def result_json(line: Iterable[tuple[Event, State]], state: State) -> dict[str, object] | None:
    """Return the summary of the game of *line*; None while it is not won."""
    if state.winner is None:
        return None
    found = summary(line, state.sides)
    best = found.best
    return {
        "sides": [
            asdict(gains) | {"lead": lead} for gains, lead in zip(found.gains, found.leads, strict=True)
        ],
        "skunk": max(map(state.skunk, range(state.sides))),
        "course": list(map(list, found.course)),
        "best": {"side": best.side, **show_json(best, best.cards, best.starter)} if best else None,
    }


def show_json(show: Show | BestShow, cards: tuple[Card, ...], starter: Card | None) -> dict[str, object]:
    """Return a hand or crib with the count in words, as far as its *cards* and the *starter* are known."""
    call = ""
    if starter is not None and len(cards) == HAND:
        call = call_show((score_crib if show.is_crib else score_hand)(cards, starter))
    return {
        "deal": show.deal,
        "points": show.points,
        "crib": show.is_crib,
        "cards": list(map(str, in_order(cards))),
        "starter": str(starter) if starter else None,
        "call": call,
    }
