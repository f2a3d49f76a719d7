"""Who deals the next game, and with what score of the match it begins."""

from __future__ import annotations

from cribpi.cribbage.game.events import GameStarted
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import WrongPhase


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
