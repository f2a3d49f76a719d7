"""Ghost pegs: from the setting to the LEDs, under the pegs, and by nothing that lies closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.games import referee_game
from support.referee import Referee
from support.scripts import keys_by_points, start_keys
from support.worlds import another_world, open_cards

from cribpi.companion.entry.input_context import InputContext
from cribpi.companion.entry.requests import Change
from cribpi.companion.kit import Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.config import Config
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.views.lights.frame import compose
from cribpi.companion.views.lights.motion import Gesture, GestureKind, Motion, ghosts_for
from cribpi.cribbage.game.events import Entry, Event, GameStarted
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.results.games import par_holes
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.rules.seats import Pegs

KITS = [load_kit(name) for name in ("table", "table-3", "strip-121", "travel-61", "matrix-32x8")]
TABLE = KITS[0]
ON, OFF = InputContext().with_value("ghost", "on"), InputContext()

holes = st.integers(0, 120)
pegs = st.tuples(st.builds(Pegs, holes, holes), st.builds(Pegs, holes, holes))
ghosts = st.lists(st.tuples(st.integers(0, 1), st.integers(1, 120)), max_size=2).map(tuple)
marks = st.none() | st.builds(Gesture, st.sampled_from(GestureKind), st.integers(0, 1), st.integers(1, 121))


@contextmanager
def bench(*, ghost: bool = False, still: bool = True) -> Iterator[Rehearsal]:
    with closing(Rehearsal(TABLE, 22, config=Config(ghost=ghost, still=still))) as found:
        yield found


def play(table: Rehearsal, deals: int) -> None:
    """Play by points until *deals* are over."""
    for expected in referee_game(Random(22), 2, 121, suited=False):
        if isinstance(expected.event, GameStarted):
            assert expected.event.dealer is not None
            keys = start_keys(2, 121, "peg", expected.event.dealer)
        else:
            keys = keys_by_points(expected, table.now.state)
        for key in keys:
            assert table.press(key) is None, key
        deal = table.now.state.deal
        if deal is not None and deal.number > deals:
            return


def ghostly(table: Rehearsal) -> list[tuple[int, int]]:
    """Return the holes that are lit in no side's colour: in neither orange nor blue."""
    board, kit = table.board(), table.kit
    return [
        (side, hole) for side in (0, 1) for hole in range(1, 121) if min(board[kit.led(side, hole) or 0]) > 0
    ]


@given(
    kit=st.sampled_from(KITS),
    pegs=pegs,
    ghosts=ghosts,
    still=st.booleans(),
    gesture=marks,
    at=st.floats(0, 9),
)
def test_a_ghost_never_hides_what_is_lit_and_changes_nothing_else(
    *,
    kit: Kit,
    pegs: tuple[Pegs, Pegs],
    ghosts: tuple[tuple[int, int], ...],
    still: bool,
    gesture: Gesture | None,
    at: float,
) -> None:
    to = (pegs[0].advance(5, 121), pegs[1])
    motion = replace(Motion(kit, pegs, still).toward(to, 0.0, gesture), hints=((1, 50),))
    with_ghosts = replace(motion, ghosts=tuple(ghosts))
    assert with_ghosts.wakes(at) == motion.wakes(at), "nothing of a ghost moves"
    most = 60_000  # with current enough; a limit may dim all of it
    plain, seen = (compose(kit, each.lights(at), max_ma=most) for each in (motion, with_ghosts))
    places = {kit.led(side, hole) for side, hole in ghosts}
    for led in range(kit.strip.leds):
        if led not in places or any(plain[led]):
            assert seen[led] == plain[led]
        else:
            assert min(seen[led]) > 0


def test_it_is_off_unless_asked_for_and_by_the_start_of_a_deal_alone() -> None:
    state = NEW_TABLE
    shown = set()
    for expected in referee_game(Random(4), 2, 121, suited=True):
        state = step(state, expected.event)
        assert ghosts_for(state, OFF) == ()
        found = ghosts_for(state, ON)
        par = tuple((side, hole) for side, hole in enumerate(par_holes(state)) if hole is not None)
        assert found == (par if state.phase in (Phase.DEAL, Phase.STARTER) else ())
        shown |= {hole for _, hole in found}
    assert {10, 16, 26, 36, 42} <= shown


@pytest.mark.parametrize("still", [True, False])
def test_the_board_shows_it_until_the_play_begins_and_undo_takes_it_back(*, still: bool) -> None:
    with bench(ghost=True, still=still) as table:
        play(table, 1)
        table._pass_time(20)
        state = table.now.state
        assert state.first_dealer is not None
        expected = sorted({(state.first_dealer, 16), (1 - state.first_dealer, 10)} - stood(table))
        assert ghostly(table) == expected != []
        for key in ("UNDO", "UNDO"):
            assert table.press(key) is None
        assert table.now.state.phase is not Phase.DEAL
        assert ghostly(table) == []
        for key in ("hold:UNDO", "hold:UNDO"):
            assert table.press(key) is None
        table._pass_time(20)
        assert ghostly(table) == expected
        while table.now.state.phase is not Phase.PLAY:
            assert table.press("OK") is None
        assert ghostly(table) == []


def stood(table: Rehearsal) -> set[tuple[int, int]]:
    """Return the holes in which pegs stand, by side."""
    both = enumerate(table.now.state.pegs)
    return {(side, hole) for side, pegs in both for hole in (pegs.front, pegs.back)}


def test_off_the_board_is_the_same_byte_for_byte_and_the_setting_counts_at_once() -> None:
    with bench() as plain, bench(ghost=True) as with_ghosts:
        for table in (plain, with_ghosts):
            play(table, 2)
        assert plain.board() != with_ghosts.board()
        with_ghosts.loop.ask(lambda table: table.do(Change({"ghost": "off"})))
        with_ghosts._serve()
        assert plain.board() == with_ghosts.board()
        with_ghosts.loop.ask(lambda table: table.do(Change({"ghost": "on"})))
        with_ghosts._serve()
        assert ghostly(with_ghosts) == ghostly_by(with_ghosts)


def ghostly_by(table: Rehearsal) -> list[tuple[int, int]]:
    return sorted(set(ghosts_for(table.now.state, table.now.context)) - stood(table))


def test_ghosts_are_the_same_whatever_lies_closed() -> None:
    chance, compared = Random(3), 0
    done = list[Event]()
    referee = Referee(preset("standard", 2), chance, entry=Entry.DEALT, levels=("", ""))
    for expected in islice(referee.game(), 120):
        done.append(expected.event)
        state = fold(done)
        if state.phase is Phase.DEAL and state.deal is not None and any(state.deal.dealt):
            other = fold(another_world(done, open_cards(state), chance))
            assert ghosts_for(other, ON) == ghosts_for(state, ON)
            compared += other != state and ghosts_for(state, ON) != ()
    assert compared


def test_on_the_travel_board_a_ghost_of_the_second_lap_stands_in_its_hole() -> None:
    kit = KITS[3]
    lights = replace(Motion(kit, (Pegs(75, 66), Pegs(70, 62))).lights(0), ghosts=((0, 79), (1, 79)))
    frame = compose(kit, lights)
    assert min(frame[kit.led(0, 19) or 0]) > 0
