"""Chance is drawn once at each place of a game: a deal or a cut that was undone comes back with its cards.

Else UNDO and OK would deal until a hand pleases.  A place is a cut by its number, or a deal by its number and
dealer; whatever was taken back, and played otherwise before it, its cards stay.  So nobody can try for
others, and what a deal to come has shown before UNDO tells no more than the deal itself will.  A misdeal is
dealt anew, and that pack stays too.  Another game, or one with another first dealer, has cards of its own.
With real cards a dealer who is drawn by these rules stays drawn too.
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

Place: TypeAlias = tuple[object, ...]
"""What tells one place of a game, at which chance speaks, from all others."""


def kind_of_draw(state: State, event: Event | None) -> str | None:
    """Return the record's word for *event*, if only chance can have made it; None for another.

    Real cards are cut by people; and where a dealer is cut for, a side's key may say who it is.
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
    """Return what chance gave before at the place after *line* where it now gives *event*, or else *event*.

    Each of *taken_back* is a line of the same game, up to an event of the same kind that was taken back,
    newest first.
    """
    here: Place | None = None
    for other in taken_back:
        here = here or _place(event, line)
        with suppress(RuleError):
            if _place(other[-1], other[:-1]) == here:
                return other[-1]
    return event


def _place(event: Event, line: Sequence[Event]) -> Place:
    """Return at what place of the game *event* comes after *line*."""
    match event:
        case CardCut(seat):
            return ("cut", seat, sum(isinstance(one, CardCut) for one in line))
        case PackShuffled():
            states = tuple(accumulate(line, step, initial=NEW_TABLE))
            deals = [state.deal and (state.deal.number, state.deal.dealer) for state in states]
            packs = sum(
                isinstance(one, PackShuffled) and deal == deals[-1]
                for one, deal in zip(line, deals, strict=False)
            )
            return ("pack", deals[-1], packs)
        case _:
            return ("dealer",)
