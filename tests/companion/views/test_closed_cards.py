"""Nobody peeks on the page or the glass: what they show is the same whatever lies closed on the table."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import islice
from random import Random

import pytest
from support.presses import lit_keys
from support.referee import Referee
from support.samples import some
from support.worlds import another_world, open_cards

from cribpi.companion.entry.input_state import Correct, InputState, Menu, Undone, Why
from cribpi.companion.entry.view import view_of
from cribpi.companion.views.screen.screen import draw
from cribpi.companion.web.json.state import log_json, state_json
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words.log import GameLog, game_log
from cribpi.cribbage.words.undo_texts import taken_back


def told(line: GameLog) -> list[object]:
    """Return all that page and glass tell where *line* ends, with nothing open and with each dialog."""
    state = line[-1].after
    inputs = [
        InputState(),
        *(InputState(dialog=one) for one in (Menu(), Menu(1), Why(), Undone(taken_back(line[-1]), 3))),
    ]
    inputs.append(InputState(dialog=Correct(side=0, score=state.pegs[0].front)))
    found: list[object] = [
        json.dumps(log_json(line)),
        lit_keys(state, inputs[0]),
        view_of(state, inputs[0]).side_keys,
    ]
    for input_state in inputs:
        found.append(
            json.dumps(state_json(view_of(state, input_state), len(line), may_undo=True, may_redo=False))
        )
        found.append(draw(view_of(state, input_state)).tobytes())
    return found


@pytest.mark.parametrize(
    ("name", "players"),
    some([("standard", 2), ("standard", 3), ("standard", 4), ("acc", 2), ("use-and-care", 2)], 0, 2),
)
def test_page_and_glass_are_the_same_whatever_lies_closed(name: str, players: int) -> None:
    compared = 0
    for seed in range(3):
        chance = Random(seed)
        state, done = NEW_TABLE, list[Event]()
        referee = Referee(preset(name, players), chance, entry=Entry.DEALT, levels=("",) * players)
        for expected in islice(referee.game(), 90):
            done.append(expected.event)
            state = step(state, expected.event)
            if state.deal is None or not any(state.deal.dealt) or chance.random() < 0.85:
                continue
            line = game_log(done)
            with suppress(RuleError):  # there somebody who said go would have held a card that fits
                other = game_log(another_world(done, open_cards(state), chance))
                assert told(other) == told(line), expected.event
                compared += other[-1].after != state
    assert compared > 8


def test_the_page_says_that_the_machine_deals() -> None:
    line = game_log(
        [
            expected.event
            for expected in islice(Referee(preset("standard"), Random(1), entry=Entry.DEALT).game(), 2)
        ]
    )
    page = state_json(view_of(line[-1].after, InputState()), 2, may_undo=True, may_redo=False)
    assert (page["entry"], page["phase"], page["starter"], page["pile"]) == ("dealt", "deal", None, [])
