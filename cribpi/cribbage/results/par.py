"""Par: where two strong players would be on average when a deal begins."""

from __future__ import annotations

from typing import Final

from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules.seats import START

AVERAGE_DEAL: Final = (16.13, 10.17)
"""What a deal brings the dealer and pone on average, between two strong players by the `standard` rules.

From the shipped tables, as the waves in docs/reference/chances.md are.  There are no such tables for more
players.
"""


def par_holes(state: State) -> tuple[int | None, ...]:
    """Return each side's hole by what its deals as dealer and as pone bring on average, up to this deal.

    It depends on who dealt, how many deals there were, and the target alone.  None stands for a hole that is
    not on the way: the start, the game hole, and all that would lie behind it.  Empty with three or four
    players, and before it is known who deals.

    >>> from cribpi.cribbage.game.events import DealerChosen, Entry, GameStarted
    >>> from cribpi.cribbage.game.step import fold
    >>> from cribpi.cribbage.rules.rules import STANDARD
    >>> par_holes(fold([GameStarted(("ANN", "BOB"), STANDARD, Entry.PEG), DealerChosen(0)]))
    (None, None)
    """
    deal, first = state.deal, state.first_dealer
    if deal is None or first is None or state.players != len(AVERAGE_DEAL):
        return ()
    over = deal.number - 1
    as_dealer = [(over + (seat == first)) // 2 for seat in range(len(AVERAGE_DEAL))]
    holes = [int(dealt * AVERAGE_DEAL[0] + (over - dealt) * AVERAGE_DEAL[1] + 0.5) for dealt in as_dealer]
    return tuple(hole if START < hole < state.rules.target else None for hole in holes)
