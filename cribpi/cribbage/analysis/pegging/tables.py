"""The shipped tables of the play: the policies, the hands that are kept, and what they peg."""

from __future__ import annotations

import logging
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from cribpi.cribbage.analysis.discard.tables import discard_table
from cribpi.cribbage.analysis.pack import CHOOSE, HAND_COUNTS, Floats
from cribpi.cribbage.analysis.pegging.policy import CELLS, Policy, plain_policy
from cribpi.cribbage.analysis.tables import TablesError, load
from cribpi.cribbage.rules.rules import Rules

SCALE: Final = 16
"""The worth of the cards left is stored in sixteenths of a point."""

_LOG: Final = logging.getLogger(__name__)


def policy(rules: Rules) -> Policy:
    """Return the policy for *rules*; without the table, a plainer one and a line in the log."""
    return _policy(rules.players, rules.play_rounds)


@cache
def _policy(players: int, rounds: str) -> Policy:
    try:
        arrays = load(table_name(players, rounds)).arrays
        later = arrays["later"].reshape(CELLS, 32, 2).astype(np.float32) / np.float32(SCALE)
        return Policy(float(arrays["danger"][0]), arrays["held"].astype(np.float32), later)
    except TablesError as trouble:
        _LOG.warning("the play is estimated without its table: %s", trouble)
        return plain_policy()


def table_name(players: int, rounds: str) -> str:
    """Return the name of the policy table for *players* and counts per deal, `all` or `one`."""
    return f"playing-{players}" if rounds == "all" else f"playing-{players}-{rounds}"


@cache
def kept_hands(players: int) -> Floats:
    """Return how often the dealer's side (row 0) and the others (row 1) keep each of `HANDS`.

    Each row sums to 1.  Without the table, as often as the pack makes them.
    """
    for known in (players, 2):
        try:
            return discard_table(known).kept
        except TablesError as trouble:
            _LOG.warning("hands are inferred without the table for %d: %s", known, trouble)
    ways = CHOOSE[4, HAND_COUNTS].prod(axis=1)
    return np.asarray(np.stack([ways, ways]) / ways.sum())


class Pegged(NamedTuple):
    """What two sides peg in the play."""

    points: Floats
    """The mean points of a side by each of `HANDS` that one of it keeps, and those of the other side.

    By seats from the dealer's on: 0 the dealer, 1 the one on the left.  Shape (players, 1820, 2).
    """
    spread: Floats
    """The probability of one's own points and the other's, 0 to 19 or more each: shape (2, 20, 20).

    0 is the dealer's side, 1 pone's.
    """
    first: Floats
    """The probability that the dealer has so many points, 0 to 19, before pone has so many: (20, 20)."""


@cache
def pegging(players: int = 2) -> Pegged:
    """Return the shipped table of what hands peg with two or four players.

    Raises:
        TablesError: If the table is missing, damaged, of another format, or made for other rules.
    """
    arrays = load(f"pegging-{players}").arrays
    points, spread = arrays["points"], arrays["spread"]
    deals = spread[0].sum()
    return Pegged(points.astype(np.float64), spread / deals, arrays["first"] / deals)
