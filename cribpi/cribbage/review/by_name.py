"""A review with people's present names: as people can be renamed, it is kept with seats in its sentences."""

from __future__ import annotations

from typing import Any

from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules.grammar import whose, within


def owner_of(seat: int) -> str:
    """Return what stands for "Ann's" in the sentences that are kept."""
    return f"{{{seat}}}"


def by_name(found: dict[str, Any], state: State) -> dict[str, Any]:
    """Return the kept review *found* with everybody's name as in *state*."""

    def words(one: dict[str, Any]) -> str:
        dealer: int = one["dealer"]
        said: str = one["words"]
        return said.replace(owner_of(dealer), whose(within(state.names[dealer])))

    return found | {
        "names": list(state.names),
        "sides": [state.side_name(side) for side in range(state.sides)],
        "decisions": [one | {"words": words(one)} for one in found["decisions"]],
    }
