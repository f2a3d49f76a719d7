"""The tables of the play, for `make`: a policy for each number of players, and what hands peg."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard.tables import discard_table
from cribpi.analysis.pegging.expected import make_pegging
from cribpi.analysis.pegging.tables import SCALE, policy, table_name
from cribpi.analysis.pegging.training import Tell, learnt_policy
from cribpi.analysis.tables import load
from cribpi.core.rules import STANDARD, Rules, preset

SEED: Final = 20
"""Seeds all random deals here, so that the same tables are made again."""

ROUNDS: Final = {"2-all": (5, 400_000), "2-one": (2, 200_000), "3-all": (3, 600_000), "4-all": (3, 600_000)}
"""Rounds of self-play and deals in each, by players and counts per deal."""

PEGGING_DEALS: Final = 600
"""Deals with each hand in each role."""


def playing_table(players: int, rounds: str, tell: Tell) -> Mapping[str, NDArray[Any]]:
    """Train the policy for *players* with *rounds* counts per deal (`all`, `one`), for `pegging.tables`.

    Raises:
        TablesError: If the table of kept hands is missing: make `laying-away` first.
    """
    rules = _rules(players, rounds)
    often, deals = ROUNDS[f"{players}-{rounds}"]
    found = learnt_policy(rules, discard_table(players).kept, seed=SEED, deals=deals, rounds=often, tell=tell)
    return {
        "danger": np.array([found.danger], np.float32),
        "held": found.held,
        "later": np.clip(np.rint(found.later * SCALE), -128, 127).astype(np.int8),
    }


def pegging_table(tell: Tell) -> Mapping[str, NDArray[Any]]:
    """Make the table of what hands peg with two players: see `pegging.expected.Pegging`.

    Raises:
        TablesError: If the table of kept hands or the policy is missing: make them first.
    """
    load(table_name(2, "all"))  # without it, `policy` would fall back to the plain one
    found = make_pegging(
        discard_table().kept, policy(STANDARD), STANDARD, seed=SEED, deals=PEGGING_DEALS, tell=tell
    )
    dealer, pone = np.indices(found.spread[0].shape)
    total = found.spread[0].sum()
    tell(
        f"dealer {(dealer * found.spread[0]).sum() / total:.3f}, pone "
        f"{(pone * found.spread[0]).sum() / total:.3f}"
    )
    return {
        "points": found.points.astype(np.float16),
        "spread": found.spread.astype(np.int32),
        "first": found.first.astype(np.int32),
    }


def _rules(players: int, rounds: str) -> Rules:
    return preset("standard" if rounds == "all" else "use-and-care", players)
