"""A whole game on the travel board, pressed key by key: the lights always tell the scores, twice round."""

from __future__ import annotations

from random import Random

import pytest
from support.games import referee_game
from support.scripts import keys_by_points, start_keys

from cribpi.companion.kit import Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.cribbage.game import events
from cribpi.cribbage.game.state import Phase

GAMES = [
    # target, seed
    (121, 41),
    (61, 42),
]


def expected_leds(kit: Kit, bench: Rehearsal, target: int) -> set[int | None]:
    """Return the LEDs that tell where the pegs are: counted here, in holes, and not by the kit."""
    state = bench.now.state
    leds: set[int | None] = set()
    for side, pegs in enumerate(state.pegs):
        by_hole = {place.hole: place.led for place in kit.track_of(side).holes}
        for score in (pegs.front, pegs.back):
            is_end = score == target and score in {61, 121}
            leds.add(by_hole[61 if is_end else score - 60 if score > 60 else score])
        if pegs.front > 60 and target > 61:
            leds.add(by_hole[0])
        if state.games[side]:
            leds.add(kit.games_led(side, state.games[side]))
    return leds


@pytest.mark.parametrize(("target", "seed"), GAMES)
def test_the_lights_tell_the_scores_from_the_start_to_the_game_hole(target: int, seed: int) -> None:
    kit = load_kit("travel-61")
    bench = Rehearsal(kit, seed)
    seen_twice = False
    try:
        for expected in referee_game(Random(seed), 2, target, suited=False):
            if isinstance(expected.event, events.GameStarted):
                assert expected.event.dealer is not None
                keys = start_keys(2, target, "peg", expected.event.dealer)
            else:
                keys = keys_by_points(expected, bench.now.state)
            for key in keys:
                assert bench.press(key) is None, key
            lit = {led for led, colour in enumerate(bench.board()) if any(colour)}
            assert lit == expected_leds(kit, bench, target), expected.scores
            seen_twice |= max(expected.scores) > 61
        state = bench.now.state
        assert state.phase is Phase.GAME_OVER
        assert state.winner is not None
        game_hole = kit.track_of(state.winner).holes[-1].led
        assert any(bench.board()[game_hole]), "the winner's front peg stands in the game hole"
        assert seen_twice == (target == 121)
    finally:
        bench.close()
