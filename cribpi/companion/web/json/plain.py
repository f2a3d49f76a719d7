"""JSON for where a view fails: it has the facts and calculates nothing."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from cribpi.companion.entry.desk import Desk, NewGame, Setup
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.match import Tally
from cribpi.cribbage.game.state import State, side_name


def plain_json(
    state: State, desk: Desk, seq: int, message: str | None, *, may_undo: bool, may_redo: bool
) -> dict[str, object]:
    """Return the state in the shape of the contract, with *message*, which may be a fault.

    It holds the facts: scores, turn, count and cards on the table; what takes words or working out is left
    empty.
    """
    deal, sides = state.deal, len(state.pegs)
    return {
        "seq": seq,
        "phase": "new-game" if isinstance(desk.dialog, NewGame) else str(state.phase),
        "rules": state.rules.name,
        "house": {},
        "target": state.rules.target,
        "entry": str(state.entry),
        "seats": [
            {"name": name, "side": seat % sides, "cards_left": 0, "level": None}
            for seat, name in enumerate(state.names)
        ],
        "sides": [
            {"name": side_name(state, side), "front": pegs.front, "back": pegs.back} | asdict(Tally())
            for side, pegs in enumerate(state.pegs)
        ],
        "match": {"kind": state.rules.match, "winners": []},
        **(_deal_json(deal, is_over=state.winner is not None) if deal else _NO_DEAL),
        "last": None,
        "automatic": [],
        "prompt": "play on, or UNDO the last step",
        "question": None,
        "message": message,
        "winner": state.winner,
        "can_undo": may_undo,
        "can_redo": may_redo,
    }


def plain_rules_json(setup: Setup) -> dict[str, object]:
    """Return what is set up for the next game, in the shape of ``GET /api/rules``; nothing can be chosen."""
    game = {
        "rules": setup.rules,
        "players": setup.players,
        "target": setup.target,
        "entry": setup.entry,
        "names": list(setup.names),
        "levels": list(setup.levels),
        "options": dict(setup.options),
        "effective": {},
        "speed": setup.speed,
        "automatic": list(setup.automatic),
    }
    return {"presets": [], "options": [], "levels": [], "speeds": [], "setup": game, "playing": None}


_NO_DEAL: Final[dict[str, object]] = {"dealer": None, "turn": None, "starter": None, "count": 0, "pile": []}


def _deal_json(deal: Deal, *, is_over: bool) -> dict[str, object]:
    return {
        "dealer": deal.dealer,
        "turn": None if is_over else deal.turn,
        "starter": str(deal.starter) if deal.starter else None,
        "count": deal.count,
        "pile": list(map(str, deal.pile)),
    }
