"""Whole games on the twin, key by key, against a referee who shares nothing with the engine."""

from __future__ import annotations

from random import Random

import pytest
from support.games import referee_game
from support.paths import GAMES
from support.samples import some
from support.scripts import keys_by_cards, keys_by_points, start_keys

from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.cribbage.game import events
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.record import Comment, parse, print_record

WHOLE = [
    # name, players, target, entry, kit, seed
    ("two-by-cards", 2, 121, "cards", "table", 21),
    ("two-by-points", 2, 121, "peg", "table", 22),
    ("three-by-cards", 3, 121, "cards", "table-3", 23),
    ("four-by-cards", 4, 121, "cards", "table", 24),
    ("two-to-61", 2, 61, "cards", "strip-121", 25),
    ("three-by-points", 3, 61, "peg", "table", 26),
    ("four-by-points", 4, 61, "peg", "strip-121", 27),
]


def play(bench: Rehearsal, players: int, target: int, entry: str, seed: int) -> None:
    """Play a whole game, and check each side's score after every card, go, show and crib."""
    dealt = False
    for expected in referee_game(Random(seed), players, target, suited=False):
        event = expected.event
        if isinstance(event, events.GameStarted):
            assert event.dealer is not None
            keys = start_keys(players, target, entry, event.dealer)
        elif entry == "cards":
            keys = keys_by_cards(event, bench.now.state)
        else:
            keys = keys_by_points(expected, bench.now.state)
        for key in keys:
            assert bench.press(key) is None, (key, event)
        assert bench.now.state.scores() == expected.scores, event
        dealt = True
    assert dealt


@pytest.mark.parametrize(
    ("name", "players", "target", "entry", "kit", "seed"),
    some([pytest.param(*row, id=row[0]) for row in WHOLE], 0, 5, 6),
)
def test_a_whole_game_is_kept_as_the_referee_keeps_it(
    name: str, players: int, target: int, entry: str, kit: str, seed: int
) -> None:
    bench = Rehearsal(load_kit(kit), seed)
    try:
        play(bench, players, target, entry, seed)
        state = bench.now.state
        assert state.phase is Phase.GAME_OVER
        assert state.winner is not None
        assert [score for score in state.scores() if score >= target] == [target]
        lit = bench.kit.led(state.winner, target)
        assert lit is not None
        assert any(bench.board()[lit]), "the winner's front peg stands in the game hole"
        line = [moment.event for moment in bench.now.log]
    finally:
        bench.close()
    text = print_record([Comment(f"{name}: a whole game, as its keys were pressed"), *line])
    assert (GAMES / f"{name}.crib").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("kit", "target", "seed"), [("matrix-32x8", 121, 31), ("matrix-32x8", 61, 32), ("strip-60", 121, 33)]
)
def test_a_whole_game_ends_in_the_game_hole_of_a_board_with_lit_starts(
    kit: str, target: int, seed: int
) -> None:
    bench = Rehearsal(load_kit(kit), seed)
    try:
        starts = [bench.kit.led(side, 0) for side in (0, 1)]
        play(bench, 2, target, "cards", seed)
        state = bench.now.state
        assert state.winner is not None
        lit = bench.kit.led(state.winner, target)
        assert lit is not None
        assert any(bench.board()[lit])
        assert not any(any(bench.board()[led]) for led in starts if led is not None), (
            "both have left the start"
        )
    finally:
        bench.close()


@pytest.mark.parametrize("name", [row[0] for row in WHOLE])
def test_a_recorded_game_is_over_where_its_record_ends(name: str) -> None:
    entries = parse((GAMES / f"{name}.crib").read_text(encoding="utf-8"))
    line = [entry for entry in entries if not isinstance(entry, Comment)]
    assert fold(line).winner is not None
    assert fold(line[:-1]).winner is None
    assert print_record(entries) == (GAMES / f"{name}.crib").read_text(encoding="utf-8")
