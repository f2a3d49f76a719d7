"""The chance of winning in the middle of a game of two sides, by what the whole table sees.

That is the scores, who deals, and how far the deal has come.  No card is looked at, closed or open: hands,
crib and starter count as the average between strong players.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from cribpi.cribbage.analysis.winning import Chances, Stages, average_deal, stages, winning
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules import seats

EVEN: Final = 0.5
"""The chance before anybody has cut."""


@cache
def _stages(players: int) -> Stages:
    return stages(average_deal(players=players), winning(players))


def chances_now(state: State) -> tuple[float, float] | None:
    """Return both sides' chances of winning, 0 to 1, adding up to 1; None without a game, or with three.

    Before the play it is that of the table, in the show that of the hands and the crib that are still to be
    counted.  In the play it goes over, with each card, from the chance before the play to the one after it;
    where cards are not entered it stays with the first.

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    if state.players not in {2, 4}:
        return None
    if state.winner is not None:
        first = float(state.winner == 0)
    elif state.deal is None:
        first = EVEN
    else:
        deal, to_go = state.deal, [state.rules.target - score for score in state.scores()]
        side = seats.side_of(deal.dealer, state.players)
        chance = _chance(state, deal, (to_go[side], to_go[1 - side]))
        chance = min(max(chance, 0.0), 1.0)  # the sums behind it are out by a rounding
        first = 1.0 - chance if side else chance
    return first, 1.0 - first


def _chance(state: State, deal: Deal, to_go: tuple[int, int]) -> float:
    """Return the chance of the dealer's side where it and the other have *to_go* points to go, 1 to 121."""
    of = _stages(state.players)
    if state.phase is not Phase.PLAY:
        return float(_table(state.phase, deal, of)[to_go])
    played = len(deal.order) / (state.players * seats.HAND)
    return float((1 - played) * of.play[to_go] + played * of.shows[0][to_go])


def _table(phase: Phase, deal: Deal, of: Stages) -> Chances:
    if phase is Phase.CRIB:
        return of.crib
    return of.shows[deal.shown] if phase is Phase.SHOW else of.deal
