"""The ghost pegs: par, where and while the settings show it."""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry.desk import Desk
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.results.games import par_holes

_BEFORE_THE_PLAY: Final = (Phase.DEAL, Phase.STARTER)


def par_now(state: State, desk: Desk) -> tuple[int | None, ...]:
    """Return `par_holes` from the start of a deal to its starter, if the settings ask for it; or nothing."""
    if desk.value("ghost") != "on" or state.phase not in _BEFORE_THE_PLAY:
        return ()
    return par_holes(state)
