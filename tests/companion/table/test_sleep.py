"""The table sleeps in every phase: dim a minute after the last key, dark after ten, and the next key
counts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from support.samples import some
from support.screens import CRIB, DEAL, HAND, PLAYED, WON

from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.requests import Press
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.config import Config
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.views.dimming import BRIGHT, DARK_AFTER, DIM, DIM_AFTER
from cribpi.cribbage.results.statistics import Statistics

MATCH: Final = NextGame(options=(("match", "first-to-1"),))
PEG: Final = NextGame(entry="peg")
DEALT: Final = NextGame(entry="dealt", levels=("", "chance"))

PHASES: Final = {
    "idle": ("", "OK", NextGame()),
    "new-game": ("OK", "OK", NextGame()),
    "cut": ("OK OK", "7", NextGame()),
    "deal": (DEAL, "8", NextGame()),
    "starter": (f"{DEAL} 8", "5", NextGame()),
    "starter by points": (f"{DEAL} OK", "OK", PEG),
    "play": (f"{DEAL} 5 9 6", "6", NextGame()),
    "an open question": (f"{DEAL} 5 9 6 6 5 10", "OK", NextGame()),
    "an amount half typed": (f"{DEAL} OK OK 7", "P1", PEG),
    "show": (PLAYED, "OK", NextGame()),
    "crib": (f"{CRIB} 5 J", "2", NextGame()),
    "menu": (f"{DEAL} MENU", "UNDO", NextGame()),
    "correction": (f"{DEAL} P1", "P1", NextGame()),
    "taken back": (f"{DEAL} 5 UNDO", "UNDO", NextGame()),
    "a hand that lies open": (HAND, "MENU", DEALT),
    "game over": (WON, "OK", NextGame()),
    "match over": (f"{WON} OK", "OK", MATCH),
}
"""How each phase is reached, a key that is accepted there, and what is set up."""


@contextmanager
def table(setup: NextGame, keys: str = "", *, config: Config | None = None) -> Iterator[Rehearsal]:
    bench = Rehearsal(load_kit("table"), 7, setup=setup, config=config or Config())
    try:
        for key in keys.split():
            answer = bench.loop.ask(lambda table, key=key: table.do(Press(key)))  # type: ignore[misc]
            bench._serve()
            assert answer.result(0).is_accepted, key
        yield bench
    finally:
        bench.close()


def wait(bench: Rehearsal, seconds: float) -> None:
    """Let *seconds* pass at once; that the loop wakes in time is a test of its own."""
    bench._now += seconds
    bench._serve()
    bench._serve()  # what a device or another thread has said meanwhile


def lit(bench: Rehearsal) -> set[int]:
    return {led for led, colour in enumerate(bench.board()) if any(colour)}


def light(bench: Rehearsal) -> int:
    return sum(bench.board().data)


CASES = [pytest.param(*case, id=name) for name, case in PHASES.items()]


@pytest.mark.parametrize(("keys", "key", "setup"), CASES)
def test_after_a_minute_without_a_key_glass_and_lights_are_dimmed(
    keys: str, key: str, setup: NextGame
) -> None:
    with table(setup, keys, config=Config(still=True)) as bench:
        wait(bench, DIM_AFTER - 1)
        before, leds, bright = bench.glass().tobytes(), lit(bench), light(bench)
        assert bench.twin.panel.contrast == BRIGHT
        wait(bench, 1.1)
        assert bench.twin.panel.contrast == DIM
        if bench.now.state.pegs:
            assert bench.glass().tobytes() == before
            assert lit(bench) == leds, "every peg stays to be seen"
        assert 0 < light(bench) < bright / 2
        assert bench.press(key) is None
        assert bench.twin.panel.contrast == BRIGHT


@pytest.mark.parametrize(("keys", "key", "setup"), some(CASES, *range(0, len(CASES), 2)))
def test_after_ten_minutes_both_are_dark_and_the_first_key_wakes_them_and_counts(
    keys: str, key: str, setup: NextGame
) -> None:
    with table(setup, keys) as bench, table(setup, keys) as awake:
        wait(bench, DARK_AFTER - 1)
        assert bench.glass().getbbox() is not None
        assert lit(bench)
        wait(bench, 1.1)
        assert bench.glass().getbbox() is None
        assert not lit(bench)
        assert bench.loop.wakes() is None, "nothing moves in the dark"
        wait(bench, 8 * 3600)
        assert bench.press(key) is None
        assert awake.press(key) is None
        assert (bench.now.state, bench.now.input_state) == (awake.now.state, awake.now.input_state)
        assert bench.glass().tobytes() == awake.glass().tobytes()
        assert bench.twin.panel.contrast == BRIGHT
        assert lit(bench)


@pytest.mark.parametrize(("keys", "refused"), [("", "5"), (DEAL, "OK")])
def test_a_key_that_is_refused_wakes_the_table_too(keys: str, refused: str) -> None:
    with table(NextGame(), keys) as bench:
        wait(bench, DARK_AFTER + 100)
        assert not lit(bench)
        assert bench.press(refused) is not None
        assert bench.twin.panel.contrast == BRIGHT
        assert bench.glass().getbbox() is not None
        assert lit(bench)
        wait(bench, DIM_AFTER - 1)
        assert bench.twin.panel.contrast == BRIGHT
        wait(bench, 1.1)
        assert bench.twin.panel.contrast == DIM


@pytest.mark.parametrize(("keys", "key", "setup"), CASES)
def test_the_loop_wakes_by_itself_when_it_is_time_to_dim_and_to_go_dark(
    keys: str, key: str, setup: NextGame
) -> None:
    with table(setup, keys, config=Config(still=True)) as bench:
        start = bench.loop._rest.since
        for due in (start + DIM_AFTER, start + DARK_AFTER):
            bench._now = due - 0.001
            bench._serve()
            assert bench.loop.wakes() == due
        bench._now = due
        bench._serve()
        assert bench.loop.wakes() is None
        assert key


def test_the_dark_puts_nothing_on_the_panels_wires_but_its_check() -> None:
    with table(NextGame(), f"{DEAL} 5 9 6") as bench:
        wait(bench, DARK_AFTER + 20)
        before, frame = bench.twin.bus.sent, bench.outputs.frame
        for _ in range(100):
            wait(bench, 10.1)
        assert bench.twin.bus.sent - before == 100 * 29
        assert bench.outputs.frame is frame


def test_trouble_that_comes_in_the_dark_wakes_nobody_and_is_seen_after_the_next_key() -> None:
    with table(NextGame(), f"{DEAL} 5 9 6") as bench:
        wait(bench, DARK_AFTER + 1)
        bench.loop.trouble("strip", "strip: its wire is loose")
        wait(bench, 1.0)
        assert bench.glass().getbbox() is None
        bench.press("6")
        marked = bench.glass().tobytes()
        bench.loop.trouble("strip", None)
        wait(bench, 1.0)
        assert bench.glass().tobytes() != marked


def test_a_press_at_the_page_or_a_move_of_the_machine_keeps_the_table_awake() -> None:
    with table(NextGame(), DEAL) as bench:
        wait(bench, DIM_AFTER - 1)
        bench.loop.ask(lambda table: table.do(Press("8")))
        wait(bench, 0)
        wait(bench, DIM_AFTER - 1)
        assert bench.twin.panel.contrast == BRIGHT


def test_a_question_that_changes_nothing_is_no_key() -> None:
    with table(NextGame(), DEAL) as bench:
        wait(bench, DIM_AFTER - 1)
        bench.loop.ask(lambda table: table.now)
        wait(bench, 0)
        wait(bench, 2.0)
        assert bench.twin.panel.contrast == DIM


# --- what players have done, told while nobody plays ------------------------------------------------


ANN, BOB = (Statistics(name, games=3, wins=1) for name in ("Ann", "Bob"))


def told(bench: Rehearsal) -> list[int]:
    """Have ANN and BOB told of; return a list that grows with each time that somebody asks for them."""
    asked: list[int] = []

    def answer() -> None:
        asked.append(1)
        bench.loop.call(lambda: bench.loop.tell_statistics((ANN, BOB)))

    bench.loop.ask_statistics = answer
    return asked


@pytest.mark.parametrize("keys", ["", WON])
def test_players_are_told_of_one_a_minute_where_nobody_plays_and_a_key_counts(keys: str) -> None:
    with table(NextGame(), keys) as bench:
        asked = told(bench)
        awake = bench.glass().tobytes()
        wait(bench, DIM_AFTER - 1)
        assert (asked, bench.glass().tobytes()) == ([], awake)
        seen = []
        for _ in range(4):
            wait(bench, 60.0)
            seen.append(bench.glass().tobytes())
        assert len(set(seen)) == 3, "two players, and the screen itself"
        assert seen[0] == seen[3]
        assert asked == [1], "once for each time that the table rests"
        now = bench.now.state
        assert bench.press("OK") is None
        assert (bench.now.state, bench.now.input_state.dialog) != (now, None), "that press counts"


@pytest.mark.parametrize("keys", [DEAL, f"{WON} MENU", "MENU 3 OK"])
def test_in_a_game_or_with_something_open_nobody_is_told_of(keys: str) -> None:
    with table(NextGame(), keys) as bench:
        asked = told(bench)
        before = bench.glass().tobytes()
        for _ in range(4):
            wait(bench, 60.0)
            assert bench.glass().tobytes() == before
        assert asked == []
