"""The tables of the play as `make` makes them: a policy for each number of players, and what hands peg."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pegging.expected import make_pegging
from cribpi.analysis.pegging.tables import SCALE, policy, table_name
from cribpi.analysis.pegging.training import Tell, learnt_policy
from cribpi.analysis.tables import laying_away, load
from cribpi.core.rules import STANDARD, Rules, preset

SEED: Final = 20
"""Where chance comes from in all of these: the same tables are made again."""

ROUNDS: Final = {"2-all": (5, 400_000), "2-one": (2, 200_000), "3-all": (3, 600_000), "4-all": (3, 600_000)}
"""How often a policy learns from its own play, and from how many deals each time, by players and counts a
deal."""

PEGGING_DEALS: Final = 600
"""Deals with each hand in each role."""


def playing_table(players: int, rounds: str, tell: Tell) -> Mapping[str, NDArray[Any]]:
    """Return the policy for *players* where *rounds* counts are played a deal (`all`, `one`), as
    `pegging.tables` has it.

    Raises:
        TablesError: If the hands that are kept are not known: make `laying-away` first.
    """
    rules = _rules(players, rounds)
    often, deals = ROUNDS[f"{players}-{rounds}"]
    found = learnt_policy(rules, laying_away(players).kept, seed=SEED, deals=deals, rounds=often, tell=tell)
    return {
        "danger": np.array([found.danger], np.float32),
        "held": found.held,
        "later": np.clip(np.rint(found.later * SCALE), -128, 127).astype(np.int8),
    }


def pegging_table(tell: Tell) -> Mapping[str, NDArray[Any]]:
    """Return what each hand pegs with two players, and how the points are spread: see
    `pegging.expected.Pegging`.

    Raises:
        TablesError: If the hands that are kept or the policy are not known: make them first.
    """
    load(table_name(2, "all"))  # without it `policy` would go on with a plainer one
    found = make_pegging(
        laying_away().kept, policy(STANDARD), STANDARD, seed=SEED, deals=PEGGING_DEALS, tell=tell
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
