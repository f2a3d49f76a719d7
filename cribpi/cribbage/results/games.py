"""One game among others: how it went, par, and the game that follows it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import add
from typing import Final

from cribpi.cribbage.game.events import GameStarted
from cribpi.cribbage.game.ledger import Ledger, Show
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import WrongPhase
from cribpi.cribbage.rules.seats import START


def course(ledger: Ledger) -> tuple[tuple[int, ...], ...]:
    """Return each side's score after each deal, the last as it stands."""
    brought = [[gains.total for gains in row.gains] for row in ledger]
    scores = accumulate(brought, lambda scores, more: list(map(add, scores, more)))
    return tuple(map(tuple, scores))[1:]


def best(shows: Sequence[Show]) -> Show | None:
    """Return the hand or crib that was worth most, of several the first."""
    return max(shows, key=lambda show: show.points, default=None)


AVERAGE_DEAL: Final = (16.13, 10.17)
"""What a deal brings the dealer and pone on average, between two strong players by the `standard` rules.

From the shipped tables, as the waves in docs/reference/chances.md are.  There are no such tables for more
players, nor for five-card.
"""


def par_holes(state: State) -> tuple[int | None, ...]:
    """Return each side's hole by what its deals as dealer and as pone bring on average, up to this deal.

    It depends on who dealt, how many deals there were, and the target alone.  None stands for a hole that is
    not on the way: the start, the game hole, and all that would lie behind it.  Empty with three or four
    players, at five-card, and before it is known who deals.

    >>> from cribpi.cribbage.game.events import DealerChosen, Entry, GameStarted
    >>> from cribpi.cribbage.game.step import fold
    >>> from cribpi.cribbage.rules.rules import STANDARD
    >>> par_holes(fold([GameStarted(("ANN", "BOB"), STANDARD, Entry.PEG), DealerChosen(0)]))
    (None, None)
    """
    deal, first = state.deal, state.first_dealer
    if deal is None or first is None or state.players != len(AVERAGE_DEAL) or state.rules.is_five_card:
        return ()
    over = deal.number - 1
    as_dealer = [(over + (seat == first)) // 2 for seat in range(len(AVERAGE_DEAL))]
    holes = [int(dealt * AVERAGE_DEAL[0] + (over - dealt) * AVERAGE_DEAL[1] + 0.5) for dealt in as_dealer]
    return tuple(hole if START < hole < state.rules.target else None for hole in holes)


def next_game(state: State) -> GameStarted:
    """Return the game after this one: the same seats and rules; a decided match is followed by a new one.

    The option `next_first_dealer` says who deals: "At the start of each new game, the loser of the previous
    game deals" (lowe).  With three players the loser is the one with the lowest score; of two with the same,
    the first to the winner's left.

    Raises:
        WrongPhase: If this game is not over.
    """
    winner = state.winner
    if winner is None:
        raise WrongPhase("this game is not over: play it to the end, or start a new one from the menu")
    tally = () if state.phase is Phase.MATCH_OVER else state.tally_now
    match state.rules.next_first_dealer:
        case "winner":
            dealer: int | None = winner
        case "alternate":
            first = state.first_dealer
            dealer = None if first is None else seats.left_of(first, state.players)
        case "cut":
            dealer = None
        case _:  # the loser
            losers = [seat for seat in seats.around(winner, state.players) if state.side(seat) != winner]
            dealer = min(losers, key=lambda seat: state.pegs[state.side(seat)].front)
    return GameStarted(state.names, state.rules, state.entry, dealer, tally, state.levels)
