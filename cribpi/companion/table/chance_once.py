"""Stable random draws: a deal or a cut that was undone comes back with the same cards.

Otherwise a player could undo and deal again until the hand is good.  A draw is identified by its place in the
game: a cut by its number, a deal by its number and dealer.  Playing differently before that place does not
change the cards.  After a misdeal another pack is dealt, which is stable too.  A new game gets other cards,
and so does the same game with another first dealer.  A randomly drawn first dealer is stable too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import TypeAlias

from cribpi.cribbage.game.events import CardCut, DealerChosen, Entry, Event, PackShuffled
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.errors import RuleError

DrawKey: TypeAlias = tuple[object, ...]
"""Identifies one random draw within a game."""


def kind_of_draw(state: State, event: Event | None) -> str | None:
    """Return the game record's word for *event* if cribpi draws it at random, otherwise None.

    With real cards the starter is not drawn: people cut it and enter it.  The first dealer is drawn only if
    the rules say so: otherwise people cut for the deal and enter the dealer.
    """
    match event:
        case PackShuffled():
            return "pack"
        case CardCut() if state.entry is Entry.DEALT:
            return "cut"
        case DealerChosen() if state.rules.first_dealer == "random":
            return "dealer"
        case _:
            return None


def same_draw_as_before(event: Event, line: Sequence[Event], taken_back: Iterable[Sequence[Event]]) -> Event:
    """Return the undone draw that replaces *event* after the history *line*, or *event* if there is none.

    Each of *taken_back* is a history of the same game that ends with an undone draw of this kind; the newest
    comes first.
    """
    place: DrawKey | None = None
    for history in taken_back:
        place = place or _place(event, line)
        with suppress(RuleError):  # An earlier version may have accepted a history that is illegal now.
            if _place(history[-1], history[:-1]) == place:
                return history[-1]
    return event


def _place(event: Event, line: Sequence[Event]) -> DrawKey:
    """Return the key of the draw *event* after the history *line*."""
    match event:
        case CardCut(seat):
            return ("cut", seat, sum(isinstance(earlier, CardCut) for earlier in line))
        case PackShuffled():
            states = tuple(accumulate(line, step, initial=NEW_TABLE))
            deals = [state.deal and (state.deal.number, state.deal.dealer) for state in states]
            packs = [deal for past, deal in zip(line, deals, strict=False) if isinstance(past, PackShuffled)]
            return ("pack", deals[-1], packs.count(deals[-1]))
        case _:
            return ("dealer",)
