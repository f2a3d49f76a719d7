"""Reviews with current names: people can be renamed, so reviews are stored with seats in their sentences."""

from __future__ import annotations

from typing import Any

from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules.grammar import whose, within


def owner_of(seat: int) -> str:
    """Return the placeholder for "Ann's" in stored sentences."""
    return f"{{{seat}}}"


def by_name(review: dict[str, Any], state: State) -> dict[str, Any]:
    """Return the stored *review* with the names in *state*."""

    def words(decision: dict[str, Any]) -> str:
        dealer: int = decision["dealer"]
        text: str = decision["words"]
        return text.replace(owner_of(dealer), whose(within(state.names[dealer])))

    return review | {
        "names": list(state.names),
        "sides": [state.side_name(side) for side in range(state.sides)],
        "decisions": [decision | {"words": words(decision)} for decision in review["decisions"]],
    }
