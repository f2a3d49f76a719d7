"""The chance of winning in the middle of a two-player game, by what the whole table sees.

That is the scores, who deals, and how far the deal has come.  No card is looked at, closed or open: hands,
crib and starter count as the average between strong players.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from cribpi.analysis.winning import Chances, Stages, average_deal, stages, winning
from cribpi.core import seats
from cribpi.core.deal import Deal
from cribpi.core.state import Phase, State

EVEN: Final = 0.5
"""The chance before anybody has cut."""

_CARDS: Final = 2 * seats.HAND
"""How many cards are played in a deal."""


@cache
def _stages() -> Stages:
    return stages(average_deal(), winning())


def chances_now(state: State) -> tuple[float, float] | None:
    """Return each side's chance of winning, 0 to 1; the two add up to 1.  None without a game of two players.

    Before the play it is that of the table, in the show that of the hands and the crib that are still to be
    counted.  In the play it goes over, with each card, from the chance before the play to the one after it;
    where cards are not entered it stays with the first.

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    if state.players != 2:
        return None
    if state.winner is not None:
        first = float(state.winner == 0)
    elif state.deal is None:
        first = EVEN
    else:
        deal, to_go = state.deal, [state.rules.target - score for score in state.scores()]
        dealer = to_go[deal.dealer], to_go[1 - deal.dealer]
        chance = _chance(state.phase, deal, dealer)
        chance = min(max(chance, 0.0), 1.0)  # the sums behind it are out by a rounding
        first = 1.0 - chance if deal.dealer else chance
    return first, 1.0 - first


def _chance(phase: Phase, deal: Deal, to_go: tuple[int, int]) -> float:
    """Return the dealer's chance where the dealer and pone have *to_go* points to go, 1 to 121."""
    of = _stages()
    if phase is not Phase.PLAY:
        return float(_table(phase, deal, of)[to_go])
    played = len(deal.order) / _CARDS
    return float((1 - played) * of.play[to_go] + played * of.pone_hand[to_go])


def _table(phase: Phase, deal: Deal, of: Stages) -> Chances:
    if phase is Phase.CRIB:
        return of.crib
    if phase is Phase.SHOW:
        return of.dealer_hand if deal.shown else of.pone_hand
    return of.deal
