"""Games of two levels of the machine that begin in the middle: from a pair of scores, through the core."""

from __future__ import annotations

from random import Random

from cribpi.core.events import GameStarted, ScorePutRight
from cribpi.core.game import NEW_TABLE, step
from cribpi.core.rules import STANDARD, Rules
from cribpi.opponents.deals import PACK, next_event
from cribpi.opponents.levels import opponent

DEALER, PONE = 0, 1


def is_won_by_dealer(
    scores: tuple[int, int], levels: tuple[str, str], number: int, rules: Rules = STANDARD
) -> bool:
    """Play the game *number* on from *scores*, the dealer's and pone's, at these *levels*; tell whether the dealer wins.

    The cards hang on the scores, the number and the deal alone.
    """
    seed = f"{scores}/{number}"
    players = [opponent(level, chance=Random(f"{seed}/{seat}")) for seat, level in enumerate(levels)]
    state = step(NEW_TABLE, GameStarted(("DEALER", "PONE"), rules, dealer=DEALER))
    for side, score in enumerate(scores):
        if score:
            state = step(state, ScorePutRight(side, score))
    dealt, pack = 0, PACK
    while state.winner is None:
        if state.deal is not None and state.deal.number != dealt:
            dealt = state.deal.number
            pack = tuple(Random(f"{seed}/deal {dealt}").sample(PACK, len(PACK)))
        state = step(state, next_event(state, players, pack))
    return state.winner == DEALER
