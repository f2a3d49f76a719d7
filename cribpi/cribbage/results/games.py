"""A single game: its course, its result, its best hand, par, and the game that follows it."""

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
from cribpi.cribbage.rules.grammar import does
from cribpi.cribbage.rules.names import YOU
from cribpi.cribbage.rules.seats import START


def course(ledger: Ledger) -> tuple[tuple[int, ...], ...]:
    """Return each side's score after each deal; the last row is the current score."""
    totals = [[gains.total for gains in row.gains] for row in ledger]
    scores = accumulate(totals, lambda scores, more: list(map(add, scores, more)))
    return tuple(map(tuple, scores))[1:]


def margin(scores: Sequence[int], side: int) -> int:
    """Return the holes that *side* is ahead of the best other side; negative if it is behind.

    >>> margin((121, 90, 100), 0), margin((121, 90, 100), 2)
    (21, -21)
    """
    return scores[side] - max(score for other, score in enumerate(scores) if other != side)


def won_by(state: State) -> str:
    """Return the result of a game as a sentence, such as `Ann wins by 33`; "" if it is not over."""
    if state.winner is None:
        return ""
    return f"{does(state.spoken_side(state.winner), 'wins')} by {margin(state.scores(), state.winner)}"


def best(shows: Sequence[Show]) -> Show | None:
    """Return the hand or crib with the most points, the first of several, or None."""
    return max(shows, key=lambda show: show.points, default=None)


def best_in_words(show: Show, name: str) -> str:
    """Return the best *show* of a game as text; *name* is that of its side.

    >>> from cribpi.cribbage.game.cards import Card, Rank
    >>> from cribpi.cribbage.game.show import SuitClaim
    >>> best_in_words(Show(3, 0, 0, 12, False, (), Card(Rank.FIVE), SuitClaim()), "ANN")
    'Best hand: 12, ANN in deal 3'
    """
    what, whose = ("crib" if show.is_crib else "hand"), ("yours" if name == YOU else name)
    return f"Best {what}: {show.points}, {whose} in deal {show.deal}"


AVERAGE_DEAL: Final = (16.13, 10.17)
"""The average points of the dealer and pone in a deal, between two strong players with `standard` rules.

They are from the shipped tables, like docs/reference/chances.md.  For more players and five-card, there are
no such tables.
"""


def par_holes(state: State) -> tuple[int | None, ...]:
    """Return each side's par: the hole after average deals as dealer and pone, up to the current deal.

    It depends only on the first dealer, the number of deals, and the target.  It is None at the start, and at
    or past the game hole.  The result is empty with three or four players, at five-card, and before the
    dealer is known.

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
    """Return the event for the game after this one, with the same seats and rules; a new match if needed.

    The option `next_first_dealer` decides the dealer: "At the start of each new game, the loser of the
    previous game deals" (lowe).  With three players the loser is the player with the lowest score; if two
    have it, the first to the winner's left.

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
