"""The third peg, from the rules and the games won to the LEDs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from support.games import referee_game
from support.scripts import keys_by_points, start_keys

from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.views.lights.motion import games_for
from cribpi.cribbage.game import events
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.rules.rules import Rules


def play_to_61(bench: Rehearsal) -> None:
    for expected in referee_game(Random(22), 2, 61, suited=False):
        if isinstance(expected.event, events.GameStarted):
            assert expected.event.dealer is not None
            keys = start_keys(2, 61, "peg", expected.event.dealer)
        else:
            keys = keys_by_points(expected, bench.now.state)
        for key in keys:
            assert bench.press(key) is None, key


def test_a_game_won_is_pegged_taken_back_with_it_and_stays_for_the_next() -> None:
    kit = load_kit("table-games")
    bench = Rehearsal(kit, 22)
    first = {kit.games_led(side, 1): side for side in (0, 1)}

    def pegged() -> list[int | None]:
        return [led for led in range(121, 135) if any(bench.board()[led])]

    try:
        assert pegged() == []
        play_to_61(bench)
        state = bench.now.state
        assert state.phase is Phase.GAME_OVER
        assert [first[led] for led in pegged()] == [state.winner]
        assert bench.press("UNDO") is None
        assert bench.now.state.winner is None
        assert pegged() == []
        assert bench.press("hold:UNDO") is None
        assert [first[led] for led in pegged()] == [state.winner]
        assert bench.press("OK") is None
        assert bench.now.state.phase is not Phase.GAME_OVER
        assert [first[led] for led in pegged()] == [state.winner]
        assert games_for(bench.now.state) == games_for(state)
        without = replace(bench.now.state, rules=replace(bench.now.state.rules, games_peg=False))
        assert games_for(without) == ()
    finally:
        bench.close()


def test_the_games_won_are_lit_again_after_the_power_was_gone(tmp_path: Path) -> None:
    kit = load_kit("table-games")
    first = Rehearsal(kit, 22, journal=tmp_path / "journal.db")
    try:
        play_to_61(first)
        winner, before = first.now.state.winner, first.board()
    finally:
        first.close()
    second = Rehearsal(kit, 22, journal=tmp_path / "journal.db")
    try:
        assert winner is not None
        assert any(second.board()[kit.games_led(winner, 1) or 0])
        assert second.board() == before
    finally:
        second.close()


@pytest.mark.parametrize("is_pegged", [True, False])
def test_an_idle_table_pegs_no_games(*, is_pegged: bool) -> None:
    bench = Rehearsal(load_kit("table-games"), 1)
    try:
        assert games_for(replace(bench.now.state, rules=Rules(games_peg=is_pegged))) == ()
    finally:
        bench.close()
