"""Ends of games as boards report them, made by the core."""

from __future__ import annotations

import json
from typing import Any, Final

from cribpi.companion.mqtt.messages import result_of
from cribpi.cribbage.game.events import Entry, GameStarted, PointsPegged, ScorePutRight, StepPassed
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.rules import Rules, preset

TONIGHT: Final = "a night"


def end_of(
    winner: str,
    loser: str,
    score: int,
    round_: int = 1,
    *,
    board: str = "oak",
    seq: int = 9,
    rules: Rules | None = None,
    night: str | None = TONIGHT,
    hands: tuple[int, ...] = (),
) -> dict[str, Any]:
    """Return the message `result` of a game that *winner* has won, with the loser on *score*.

    It was started from the pairing of this *night* and round; for no *night*, by hand.  The loser had
    *hands* of 28 and 29.
    """
    rules = rules or preset("acc")
    state = step(NEW_TABLE, GameStarted((winner, loser), rules, entry=Entry.PEG, dealer=0))
    scores = ScorePutRight(1, score), ScorePutRight(0, rules.target - 1)
    for event in (StepPassed(), StepPassed(), *scores, PointsPegged(0, 1)):
        state = step(state, event)
    told = result_of(state)
    assert told is not None
    told["sides"][1] |= {"high_hands": list(hands)} if hands else {}
    made = {"schema": 1, "board": board, "journal": "1a2b3c4d", "id": f"1a2b3c4d-{seq}", "seq": seq}
    made |= {"at": "2026-11-25T20:00:00.000+00:00", "taken_back": False, **of_round(night, round_)}
    return {**made, **told}


def undone(
    round_: int = 1, *, board: str = "oak", seq: int = 10, night: str | None = TONIGHT
) -> dict[str, Any]:
    made = {"schema": 1, "board": board, "journal": "1a2b3c4d", "seq": seq, "taken_back": True}
    return {**made, **of_round(night, round_)}


def of_round(night: str | None, round_: int) -> dict[str, Any]:
    return {"night": night, "round": round_ if night else None}


def text(told: object) -> bytes:
    return json.dumps(told).encode()
