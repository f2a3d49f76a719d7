"""Loads ahead of time what `solid` and `expert` need: on a Pi, loading takes longer than a decision."""

from __future__ import annotations

from cribpi.core import seats
from cribpi.core.cards import PACK
from cribpi.core.rules import Rules
from cribpi.core.sight import SeatSight


def prepare(rules: Rules) -> None:
    """Load what a game by *rules* needs: NumPy, the tables, and what is computed from them once.

    Raises:
        Exception: Whatever keeps a level from playing; it is raised again when that level is asked.
    """
    from cribpi.analysis.pegging.tables import kept_hands, policy  # noqa: PLC0415  NumPy, which nobody else needs
    from cribpi.opponents.expert import Expert  # noqa: PLC0415

    hand = PACK[: seats.cards_dealt(rules.players)]
    for dealer in (0, 1):
        sight = SeatSight(rules, 0, dealer, (0,) * seats.sides(rules.players), hand)
        Expert(0).discard(sight)
    policy(rules)
    kept_hands(rules)
