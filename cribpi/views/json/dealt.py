"""A game that the machine deals, in words: what a person is to do with his hand, and who is at it."""

from __future__ import annotations

from collections.abc import Sequence

from cribpi.core.cards import Card
from cribpi.core.decide import next_machine, next_person
from cribpi.core.state import State
from cribpi.entry import by_dealing
from cribpi.entry.choice import Choice
from cribpi.entry.desk import Desk


def hand_json(state: State, desk: Desk, offered: Sequence[Choice]) -> dict[str, object] | None:
    """Return the hand that lies open for its holder, as the page shows it; None where none does.

    It is the only place where a card can leave that not all at the table see.
    """
    seat = by_dealing.open_hand(state, desk)
    if seat is None:
        return None
    is_asked, keys = seat == next_person(state), {choice.key for choice in offered}
    hand = _written(by_dealing.hand(state, seat))
    return {
        "seat": seat,
        "cards": hand,
        "chosen": _written(by_dealing.chosen(state, desk, seat)),
        "playable": [card for card in hand if card in keys] if is_asked else [],
        "wanted": by_dealing.wanted(state) if is_asked else 0,
        "may_hint": by_dealing.may_hint(state, desk),
        "hint": None if desk.hint is None else {"words": desk.hint.words or None},
    }


def thinking(state: State, desk: Desk) -> int | None:
    """Return the seat of the machine that is at it; None where none is, or it waits for what lies open."""
    return next_machine(state) if desk.dialog is None else None


def _written(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]
