"""The machine's seats: they act beside the loop, wait for persons, and hold nothing up."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count, product
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from support.engines import FIRST_CARDS, engine, needs_confinement, running
from support.patience import PATIENCE, joined, until
from support.presses import hand_of, lit_keys, shuffled
from support.samples import some

from cribpi.companion.engines.process import PREFIX
from cribpi.companion.entry.hands import next_machine, next_person
from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_state import Hint, Menu, Undone
from cribpi.companion.entry.next_game import AUTOMATIC, USUALLY_AUTOMATIC, NextGame
from cribpi.companion.entry.requests import Play, Press
from cribpi.companion.journal.journal import Journal, JournalTrouble
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.bootstrap import SupervisedOutputs, new_outputs, patience, twin_chips
from cribpi.companion.run.config import Config, ConfigError, read_config
from cribpi.companion.table.faults import Faults
from cribpi.companion.table.loop import Loop, Stop
from cribpi.companion.table.machine_seats import (
    GiveHint,
    MachinePlayers,
    MachineSeats,
    Make,
    new_hint,
    new_opponent,
    new_player,
    next_request,
)
from cribpi.companion.table.sessions import COMPUTER
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from cribpi.companion.web.json.state import AS_JSON, shown_json
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Discarded, Entry, GameStarted
from cribpi.cribbage.game.sight import SeatSight, sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.fallback import within
from cribpi.cribbage.players.hints import Hinted
from cribpi.cribbage.players.opponent import Greedy, Opponent

T = TypeVar("T")


AT_ONCE = dict.fromkeys(("slow", "normal", "fast"), 0.0)


@dataclass
class Seated:
    """A table with its loop, its lights and glass on the twin, and the machine's seats, each in a thread of
    its own."""

    journal: Journal
    table: Table
    loop: Loop
    outputs: SupervisedOutputs
    machine: MachineSeats
    players: MachinePlayers
    changes: threading.Condition = field(default_factory=threading.Condition)

    @property
    def now(self) -> Snapshot:
        return self.table.now

    def on_change(self, kind: str) -> None:
        self.machine.on_change(kind)
        with self.changes:
            self.changes.notify_all()

    def press(self, keys: str) -> None:
        for key in keys.split():
            assert self.loop.ask(partial(Table.do, request=Press(key))).result(PATIENCE).is_accepted, key

    def until(self, holds: Callable[[], object]) -> None:
        """Wait until *holds*, and fail when it takes too long."""
        with self.changes:
            assert self.changes.wait_for(holds, PATIENCE), "it never came to hold"

    def settled(self) -> Snapshot:
        """Wait until a person is asked, and return where the table stands then."""
        self.until(lambda: next_machine(self.now.state) is None)
        return self.now


@contextmanager
def seated(
    *levels: str,
    make: Make = new_opponent,
    pauses: dict[str, float] | None = None,
    journal: Path = Path(":memory:"),
    target: int = 31,
    speed: str = "fast",
    give_hint: GiveHint = new_hint,
    patience: float | None = None,
) -> Iterator[Seated]:
    kit = load_kit("table")
    setup = NextGame(
        players=len(levels), target=target, entry="dealt", levels=levels, house=House(speed=speed)
    )
    kept, seconds, draws = Journal(journal), count(), count()
    table = Table(
        kept,
        formatter=AS_JSON,
        clock=lambda: f"2030-01-01T{next(seconds):08}Z",
        draw=lambda: next(draws),
        shuffle=lambda: shuffled(next(draws)),
        setup=setup,
    )
    parts: list[Seated] = []
    outputs = new_outputs(twin_chips(kit), lambda _device, _sentence: None)
    loop = Loop(table, kit, outputs, on_change=lambda kind: parts[0].on_change(kind))  # noqa: PLW0108  it comes after
    players = MachinePlayers(Random(1), make, give_hint, patience)
    parts.append(Seated(kept, table, loop, outputs, MachineSeats(loop, players, pauses or AT_ONCE), players))
    thread = threading.Thread(target=loop.run)
    thread.start()
    parts[0].machine.start()
    try:
        yield parts[0]
    finally:
        parts[0].machine.stop()
        loop.post(Stop())
        joined(thread)
        kept.close()
        assert not thread.is_alive()


@dataclass
class Slow:
    """An opponent that thinks until it is let go, and then plays as thrifty does."""

    is_asked: threading.Event
    may_go: threading.Event

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        self.is_asked.set()
        assert self.may_go.wait(PATIENCE)
        return Greedy().discard(sight)

    def play(self, sight: SeatSight) -> Card:
        return Greedy().play(sight)


def slow() -> tuple[Make, threading.Event, threading.Event]:
    is_asked, may_go = threading.Event(), threading.Event()

    def make(_level: str, _chance: Random) -> Opponent:
        return Slow(is_asked, may_go)

    return make, is_asked, may_go


class Failing:
    """An opponent that always raises."""

    def discard(self, _sight: SeatSight) -> tuple[Card, ...]:
        raise ZeroDivisionError("no such hand")

    def play(self, _sight: SeatSight) -> Card:
        raise ZeroDivisionError("no such card")


# --- the thread -------------------------------------------------------------------------------------


def test_two_fast_machines_play_a_whole_game() -> None:
    with seated("chance", "thrifty") as rig:
        rig.press("OK OK")
        rig.until(lambda: rig.now.state.winner is not None)
        assert max(rig.now.state.scores()) == 31
        assert rig.loop.troubles == {}


@pytest.mark.parametrize("levels", [("chance", "", "thrifty"), ("", "thrifty", "chance", "thrifty")])
def test_machines_act_and_wait_for_persons(levels: tuple[str, ...]) -> None:
    with seated(*levels) as rig:
        rig.press("OK OK P1 OK")
        rig.until(
            lambda: rig.now.state.deal and sum(map(bool, rig.now.state.deal.discards)) == len(levels) - 1
        )
        assert rig.settled().state.phase is Phase.DEAL
        assert not rig.now.state.deal.discards[levels.index("")]  # type: ignore[union-attr]


def test_a_machine_that_was_stopped_is_not_heard_any_more() -> None:
    make, is_asked, may_go = slow()
    with seated("", "thrifty", make=make) as rig:
        rig.press("OK OK P1 OK")
        assert is_asked.wait(PATIENCE)
        before = rig.now
        rig.machine.stop()
        may_go.set()
        joined(rig.machine._thread)
        rig.loop.ask(lambda _table: None).result(PATIENCE)
        assert rig.now is before


def test_an_opponent_that_thinks_long_holds_up_neither_keys_nor_glass() -> None:
    make, is_asked, may_go = slow()
    with seated("", "thrifty", make=make) as rig:
        rig.press("OK OK P1 OK")
        assert is_asked.wait(PATIENCE)
        picture = rig.outputs.picture
        rig.press("MENU")
        assert rig.outputs.picture is not picture
        assert type(rig.now.input_state.dialog).__name__ == Menu.__name__
        rig.press("UNDO UNDO")
        assert rig.now.state.deal is not None
        assert not any(rig.now.state.deal.dealt)
        may_go.set()
        rig.loop.ask(lambda _table: None).result(PATIENCE)
        assert isinstance(rig.now.input_state.dialog, Undone), "what it had thought of was dropped"


def test_machines_alone_pause_while_a_menu_is_open() -> None:
    make, is_asked, may_go = slow()
    with seated("thrifty", "chance", make=make) as rig:
        rig.press("OK OK")
        assert is_asked.wait(PATIENCE)
        rig.press("MENU")
        before = rig.now
        may_go.set()
        for _ in range(3):
            rig.loop.ask(lambda _table: None).result(PATIENCE)
        assert rig.now is before
        rig.press("UNDO")
        rig.until(lambda: rig.now.state.winner is not None)


def test_an_opponent_that_fails_gives_its_seat_to_thrifty_and_it_is_told() -> None:
    with seated("thrifty", "chance", make=lambda _level, _chance: Failing()) as rig:
        rig.press("OK OK")
        rig.until(lambda: rig.now.state.winner is not None)
        rig.until(lambda: len(rig.loop.troubles) == 2)
        told = " ".join(rig.loop.troubles.values())
        assert "Thrifty: thrifty failed in seat 0 (ZeroDivisionError: no such hand)" in told
        assert "thrifty plays on in its place" in told


@dataclass
class Hanging:
    """An opponent that gives no answer as long as the test lasts: at a *call*, or when it is made."""

    call: str
    may_end: threading.Event

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return self._answer("discard", Greedy().discard(sight))

    def play(self, sight: SeatSight) -> Card:
        return self._answer("play", Greedy().play(sight))

    def made(self, _level: str, _chance: Random) -> Opponent:
        return self._answer("made", self)

    def _answer(self, call: str, answer: T) -> T:
        if call == self.call:
            self.may_end.wait(PATIENCE)
        return answer


@pytest.mark.parametrize("call", ["discard", "play", "made"])
def test_an_opponent_that_hangs_is_given_up_and_its_seat_goes_to_thrifty(call: str) -> None:
    hanging = Hanging(call, threading.Event())
    try:
        with seated("solid", "solid", make=hanging.made, patience=0.2) as rig:
            rig.press("OK OK")
            rig.until(lambda: rig.now.state.winner is not None)
            assert max(rig.now.state.scores()) == 31
            for seat in (0, 1):
                told = rig.loop.troubles[f"machine in seat {seat}"]
                assert re.search(r"\(no answer within 0\.2 seconds\): thrifty plays", told), told
    finally:
        hanging.may_end.set()


def test_a_hint_that_hangs_is_thriftys() -> None:
    may_end = threading.Event()

    def hangs(sight: SeatSight, _chance: Random) -> Hinted:
        may_end.wait(PATIENCE)
        return Hinted(Greedy().discard(sight), "too late")

    try:
        with seated("", "thrifty", give_hint=hangs, patience=0.2) as rig:
            rig.press("OK OK P2 OK FLNB")
            rig.until(lambda: rig.now.input_state.hint is not None and rig.now.input_state.hint.cards)
            assert rig.now.input_state.hint is not None
            assert "expert failed" in rig.now.input_state.hint.words
    finally:
        may_end.set()


def test_loading_that_hangs_keeps_nobody_from_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = threading.Event()
    monkeypatch.setattr("cribpi.cribbage.players.levels.prepare", lambda _rules: may_end.wait(PATIENCE))
    monkeypatch.setattr("cribpi.companion.table.machine_seats.PREPARING", 0.2)
    try:
        with seated(
            "", "solid", make=lambda _level, _chance: Greedy(), patience=0.2, journal=Path(":memory:")
        ) as rig:
            rig.press("OK OK P1 OK")
            rig.until(lambda: rig.now.state.deal and rig.now.state.deal.discards[1])
    finally:
        may_end.set()


def test_a_fault_in_what_the_machine_waits_for_is_told_and_its_thread_lives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cribpi.companion.table.machine_seats.RETRY_AFTER", 0.01)
    with seated("", "thrifty") as rig:
        with monkeypatch.context() as planted:
            planted.setattr("cribpi.companion.table.machine_seats.is_next", lambda _now: 1 // 0)
            rig.press("OK OK P1 OK")
            rig.until(lambda: "computer's move" in rig.loop.troubles)
            assert rig.machine._thread.is_alive()
        rig.until(lambda: rig.now.state.deal and rig.now.state.deal.discards[1])
        rig.until(lambda: rig.loop.troubles == {})


@pytest.mark.parametrize(("is_pi", "seconds"), [(False, 5.0), (True, 60.0)])
def test_how_long_an_opponent_may_think_is_a_setting_and_a_pi_gets_longer(
    tmp_path: Path, *, is_pi: bool, seconds: float
) -> None:
    file = tmp_path / "config.toml"
    file.write_text("thinking_time = 2\n", encoding="utf-8")
    assert patience(read_config(file), is_pi=is_pi) == 2
    assert patience(Config(), is_pi=is_pi) == seconds


@pytest.mark.parametrize("value", ["-1", "3601", "nan", "true", '"long"'])
def test_a_time_to_think_that_cannot_be_is_refused(value: str, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f"thinking_time = {value}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="thinking_time = "):
        read_config(file)


def test_what_an_opponent_raises_in_its_own_thread_is_raised_where_it_was_asked() -> None:
    with pytest.raises(ZeroDivisionError):
        within(PATIENCE, lambda: 1 // 0)
    with pytest.raises(TimeoutError, match="its own"):
        within(PATIENCE, own_timeout)
    assert within(PATIENCE, lambda: 7) == 7


def own_timeout() -> None:
    raise TimeoutError("its own")


def test_the_next_game_seats_the_opponent_anew_and_nothing_is_wrong_any_more() -> None:
    made: list[str] = []

    def make(level: str, _chance: Random) -> Opponent:
        made.append(level)
        return Failing() if len(made) <= 2 else Greedy()

    with seated("chance", "solid", make=make) as rig:
        rig.press("OK OK")
        rig.until(lambda: rig.now.state.winner is not None and len(rig.loop.troubles) == 2)
        rig.press("OK")
        rig.until(lambda: rig.now.state.winner is not None and not rig.loop.troubles)
    assert sorted(made) == ["chance", "chance", "solid", "solid"]


def test_a_level_that_is_not_known_is_told_and_thrifty_plays() -> None:
    with seated("clever", "chance") as rig:
        rig.press("OK OK")
        rig.until(lambda: rig.now.state.winner is not None)
        rig.until(lambda: rig.loop.troubles)
        assert "clever" in " ".join(rig.loop.troubles.values())


def engines(folder: Path, go: str = FIRST_CARDS, seconds: float = PATIENCE) -> Make:
    """Return what makes opponents where the settings name an engine `fred`, which does *go*."""
    return partial(new_player, {"fred": engine(folder, go).removeprefix(PREFIX)}, seconds)


@needs_confinement
def test_a_program_of_somebody_else_has_a_seat_until_the_table_goes(tmp_path: Path) -> None:
    with seated("engine-fred", "thrifty", make=engines(tmp_path)) as rig:
        rig.press("OK OK")
        rig.until(lambda: rig.now.state.winner is not None)
        assert rig.now.state.names[0] == "Fred"
        assert rig.loop.troubles == {}
        first = running(tmp_path).keys()
        assert first
        rig.press("OK")
        rig.until(lambda: rig.now.state.winner is None)
        rig.until(lambda: rig.now.state.winner is not None)
        second = running(tmp_path).keys()
        assert second
        assert not first & second, "each game has its own"
    until(lambda: not running(tmp_path))


@needs_confinement
@pytest.mark.parametrize(
    ("go", "why"),
    [
        ("time.sleep(1e6)", "it did not answer within 0.3 seconds"),
        ("1 / 0", "it ended with exit code 1"),
    ],
)
def test_an_engine_that_fails_gives_its_seat_to_thrifty_and_is_over(
    tmp_path: Path, go: str, why: str
) -> None:
    seconds = 0.4 if "sleep" in go else PATIENCE
    with seated("engine-fred", "thrifty", make=engines(tmp_path, go, seconds)) as rig:
        rig.press("OK OK")
        rig.until(lambda: rig.now.state.winner is not None)
        said = f"Fred: engine-fred failed in seat 0 ({why}): thrifty plays on in its place"
        assert rig.loop.troubles == {"machine in seat 0": said}
        until(lambda: not running(tmp_path))


def test_nothing_is_loaded_for_an_engine_before_its_first_decision(tmp_path: Path) -> None:
    players = MachinePlayers(Random(1), engines(tmp_path))
    start = GameStarted(("Ann", "Fred"), entry=Entry.DEALT, dealer=0, levels=("", "engine-fred"))
    players.prepare(step(NEW_TABLE, start))
    assert not running(tmp_path)


def test_an_engine_that_the_settings_do_not_name_is_told_and_thrifty_plays(tmp_path: Path) -> None:
    with seated("engine-eve", "solid", make=engines(tmp_path)) as rig:
        rig.press("OK OK")
        rig.until(lambda: rig.now.state.winner is not None)
        (said,) = rig.loop.troubles.values()
        assert said.endswith(
            "([engines] in config.toml has no eve: add its command there): thrifty plays in its place"
        )


def test_a_disk_that_refuses_is_told_and_the_machine_goes_on_when_it_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cribpi.companion.table.machine_seats.RETRY_AFTER", 0.01)
    make, is_asked, may_go = slow()
    with seated("", "thrifty", make=make) as rig:
        rig.press("OK OK P1 OK")
        assert is_asked.wait(PATIENCE)
        before = rig.now
        rig.journal._db.execute("PRAGMA query_only=ON")
        may_go.set()
        rig.until(lambda: "computer's move" in rig.loop.troubles)
        assert rig.now.state is before.state
        assert "make the disk writable again" in rig.loop.troubles["computer's move"]
        rig.loop.ask(lambda _table: rig.journal._db.execute("PRAGMA query_only=OFF")).result(PATIENCE)
        rig.until(lambda: "computer's move" not in rig.loop.troubles)
        assert rig.settled().state.deal.discards[1]  # type: ignore[union-attr]


def test_a_slow_machine_waits_before_it_acts_and_a_key_does_not_hurry_it() -> None:
    with seated("", "thrifty", pauses={"slow": 0.3, "fast": 0.0}, speed="slow") as rig:
        rig.press("OK OK P1 OK")
        began = time.monotonic()
        held = rig.now.state.deal.dealt[0][:1]  # type: ignore[union-attr]
        rig.press(f"{held[0]} {held[0]} {held[0]}")
        rig.settled()
        assert time.monotonic() - began > 0.25


# --- at the table -----------------------------------------------------------------------------------


LOADED = """
import sys
from random import Random
from cribpi.cribbage.game.events import Entry, GameStarted
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.rules import preset
from cribpi.companion.table.machine_seats import MachinePlayers

def started(*levels):
    return step(NEW_TABLE, GameStarted(("ANN", "BOB"), preset("standard"), Entry.DEALT, levels=levels))

players = MachinePlayers(Random(1))
for state in (NEW_TABLE, started("", "thrifty"), started("", "solid")):
    players.prepare(state)
    print("numpy" in sys.modules)
from cribpi.cribbage.analysis.discard.habits import discard_table
from cribpi.cribbage.analysis.pegging import policy
from cribpi.cribbage.players import win_chance
loaded = (discard_table, policy.pegging, win_chance._average_game)
print([cached.cache_info().currsize for cached in loaded])
"""


def test_what_the_upper_levels_need_is_loaded_when_their_game_begins_and_not_before() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stdout.split("\n") == ["False", "False", "True", "[1, 1, 1]", ""]


# --- hints -----------------------------------------------------------------------------------------


def test_a_hint_is_thought_of_beside_the_loop_and_chooses_what_it_says() -> None:
    is_asked, may_go = threading.Event(), threading.Event()

    def give(sight: SeatSight, _chance: Random) -> Hinted:
        is_asked.set()
        assert may_go.wait(PATIENCE)
        return Hinted(Greedy().discard(sight), "so it is", "brief")

    with seated("", "thrifty", give_hint=give) as rig:
        rig.press("OK OK P2 OK")
        away = Greedy().discard(sight_of(rig.settled().state, 0))
        rig.press("FLNB")
        assert is_asked.wait(PATIENCE)
        rig.press("MENU UNDO")  # keys are answered meanwhile
        asked = rig.now.input_state
        may_go.set()
        rig.until(lambda: rig.now.input_state.hint != Hint())
        assert (asked.hint, asked.chosen) == (Hint(), ())
        cards = tuple(map(str, away))
        assert (rig.now.input_state.hint, rig.now.input_state.chosen) == (
            Hint(cards, "so it is", "brief"),
            cards,
        )
        rig.press("OK")
        assert Discarded(0, away) in [moment.event for moment in rig.now.log]


def test_a_hint_that_comes_after_another_card_was_pressed_is_dropped(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = at_deal(journal, "", "thrifty")
    players = MachinePlayers(Random(1))
    let_machine_act(table, players)
    press(table, "FLNB")
    given = next_request(table.now, players)
    assert given is not None
    press(table, hand_of(table.now.state, 0)[0].rank.symbol)
    before = table.now
    assert not table.do(given, COMPUTER).is_accepted
    assert table.now is before
    assert next_request(table.now, players) is None
    journal.close()


def test_nobody_is_thought_for_while_a_menu_is_open(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = at_deal(journal, "", "thrifty")
    players = MachinePlayers(Random(1))
    let_machine_act(table, players)
    press(table, "FLNB MENU")
    assert next_request(table.now, players) is None
    press(table, "UNDO")
    assert next_request(table.now, players) is not None
    journal.close()


def test_a_hint_that_was_asked_for_is_given_after_a_restart(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = at_deal(journal, "", "thrifty")
    players = MachinePlayers(Random(1))
    let_machine_act(table, players)
    press(table, "FLNB")
    journal.close()
    journal = Journal(tmp_path / "journal.db")
    again = Table(journal, formatter=AS_JSON, clock=lambda: "2030-01-01T00:00:00Z", draw=lambda: 0)
    ask = next_request(again.now, players)
    assert ask is not None
    assert again.do(ask, COMPUTER).is_accepted
    assert len(again.now.input_state.chosen) == 2
    journal.close()


def discards(table: Table, seat: int) -> Discarded:
    deal = table.now.state.deal
    assert deal is not None
    return Discarded(seat, deal.dealt[seat][:2])


def at_deal(journal: Journal, *levels: str, automatic: tuple[str, ...] = ()) -> Table:
    table = new_table(journal, *levels, automatic=automatic)
    if table.now.state.phase is Phase.IDLE:
        press(table, "OK OK P2 OK")
    return table


def new_table(journal: Journal, *levels: str, automatic: tuple[str, ...] = ()) -> Table:
    setup = NextGame(players=len(levels), entry="dealt", levels=levels, house=House(automatic=automatic))
    draws = count()
    return Table(
        journal,
        formatter=AS_JSON,
        clock=lambda: "",
        draw=lambda: next(draws),
        shuffle=lambda: shuffled(next(draws)),
        setup=setup,
    )


def press(table: Table, keys: str) -> None:
    for key in keys.split():
        assert table.do(Press(key)).is_accepted, key


def let_machine_act(table: Table, players: MachinePlayers) -> int:
    """Let the machine do all that it does before a person is asked; return how many moves that were."""
    moves = 0
    while (ask := next_request(table.now, players)) is not None:
        assert table.do(ask, COMPUTER).is_accepted
        moves += 1
    return moves


def test_what_was_decided_for_another_state_is_dropped(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = at_deal(journal, "", "thrifty")
    before, event = table.now, discards(table, 1)
    press(table, "UNDO OK OK")
    now = table.now
    assert not table.do(Play(event, before.state), COMPUTER).is_accepted
    assert table.now is now
    journal.close()


def test_a_move_of_the_machine_leaves_what_is_chosen_and_waits_for_what_is_open(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = at_deal(journal, "", "thrifty")
    first = str(table.now.state.deal.dealt[0][0])  # type: ignore[union-attr]
    press(table, f"{first} MENU")
    assert not table.do(Play(discards(table, 1), table.now.state), COMPUTER).is_accepted
    press(table, "UNDO")
    seq = table.now.seq
    assert table.do(Play(discards(table, 1), table.now.state), COMPUTER).is_accepted
    assert (table.now.input_state.chosen, table.now.seq) == ((first,), seq + 1)
    journal.close()


def first_by(table: Table, key: str, seq: int) -> str:
    """Return who was first, as a press of *key* is told that was meant for *seq* and comes too late."""
    before = table.now
    refused = table.do(Press(key), if_seq=seq)
    assert not refused.is_accepted
    assert table.now is before
    told: dict[str, str] = json.loads(refused.text)
    assert ("The computer moved first" in told["error"]) == (told["by"] == "machine")
    return told["by"]


def test_a_press_that_comes_too_late_is_told_whether_a_person_was_first_or_the_machine_alone(
    tmp_path: Path,
) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = at_deal(journal, "", "thrifty")
    one, other = (str(card) for card in table.now.state.deal.dealt[0][:2])  # type: ignore[union-attr]
    seq = table.now.seq
    press(table, one)
    assert first_by(table, other, seq) == "person"
    seq, asked = table.now.seq, shown_json(table.now, Faults())["prompt"]
    assert table.do(Play(discards(table, 1), table.now.state), COMPUTER).is_accepted
    assert first_by(table, other, seq) == "machine"
    assert shown_json(table.now, Faults())["prompt"] == asked, "so that the page sends it again"
    assert first_by(table, other, seq - 1) == "person"
    assert first_by(table, other, seq + 9) == "person", "of another table"
    press(table, other)
    assert first_by(table, other, seq) == "person"
    journal.close()


def test_a_press_that_is_sent_again_is_known_whatever_has_come_since(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = at_deal(journal, "", "thrifty")
    seq = table.now.seq
    first = table.do(Press("MENU"), id="one", if_seq=seq)
    press(table, "UNDO")
    assert first.is_accepted
    assert table.do(Press("MENU"), id="one", if_seq=seq) == first
    refused = table.do(Press("MENU"), id="two", if_seq=seq)
    press(table, "MENU")
    assert not refused.is_accepted
    assert table.do(Press("MENU"), id="two", if_seq=seq) == refused
    journal.close()


def test_where_the_machine_plays_with_itself_it_is_the_machine_that_was_first(tmp_path: Path) -> None:
    journal, players = Journal(tmp_path / "journal.db"), MachinePlayers(Random(1))
    table = new_table(journal, "chance", "chance")
    press(table, "OK OK")
    seq = table.now.seq
    assert let_machine_act(table, players) > 50
    assert first_by(table, "MENU", seq) == "machine"
    assert first_by(table, "MENU", seq - 1) == "person"
    journal.close()


@pytest.mark.parametrize(
    ("levels", "automatic"),
    some(
        product(
            [
                ("", "chance"),
                ("chance", ""),
                ("", ""),
                ("", "chance", "thrifty"),
                ("chance", "", "chance", ""),
            ],
            [(), USUALLY_AUTOMATIC, AUTOMATIC],
        ),
        *(0, 4, 8, 9, 13),
    ),
)
def test_undo_takes_back_a_persons_press_with_all_that_came_of_it_and_redo_brings_it_back(
    levels: tuple[str, ...], automatic: tuple[str, ...], tmp_path: Path
) -> None:
    journal, players, chance = Journal(tmp_path / "journal.db"), MachinePlayers(Random(1)), Random(1)
    table = at_deal(journal, *levels, automatic=automatic)
    let_machine_act(table, players)
    for _ in range(80):
        before = table.now
        key = chance.choice([key for key in before_keys(table) if key != "UNDO"])
        press(table, key)
        let_machine_act(table, players)
        after = table.now
        if after.state is before.state or not after.may_undo:
            continue
        press(table, "UNDO")
        assert table.now.state == before.state, key
        press(table, "hold:UNDO")
        assert (table.now.state, table.now.log) == (after.state, after.log)
        assert next_request(table.now, players) is None
    journal.close()


def test_undo_after_a_discard_goes_back_to_it_past_the_starter_that_turned_by_itself(tmp_path: Path) -> None:
    journal, players = Journal(tmp_path / "journal.db"), MachinePlayers(Random(1))
    table = at_deal(journal, "", "chance", automatic=USUALLY_AUTOMATIC)
    let_machine_act(table, players)
    before = table.now.state
    press(table, " ".join([*map(str, hand_of(before, 0)[:2]), "OK"]))
    let_machine_act(table, players)
    assert table.now.state.phase is Phase.PLAY
    press(table, "UNDO")
    assert table.now.state == before
    assert shown_json(table.now, Faults())["message"] == "You took back your discard"
    journal.close()


def test_what_went_by_itself_since_a_game_began_is_taken_back_and_the_game_only_then(tmp_path: Path) -> None:
    journal, players = Journal(tmp_path / "journal.db"), MachinePlayers(Random(1))
    table = new_table(journal, "", "chance", automatic=USUALLY_AUTOMATIC)
    press(table, "OK OK")
    begun = table.now.state
    assert let_machine_act(table, players) > 3
    dealt = table.now.state
    press(table, "UNDO")
    assert table.now.state == begun
    press(table, "UNDO")
    assert table.now.state.phase is Phase.IDLE
    press(table, "hold:UNDO")
    assert table.now.state == begun
    press(table, "hold:UNDO")
    assert table.now.state == dealt
    journal.close()


@pytest.mark.parametrize("levels", [("", "chance"), ("", "expert", "chance-errs")])
def test_what_undo_takes_back_is_decided_again_in_the_same_way_and_hints_are_the_same(
    levels: tuple[str, ...], tmp_path: Path
) -> None:
    """Whatever was decided in between, and by the machine of a companion that was started anew."""
    journal, players, chance = Journal(tmp_path / "journal.db"), MachinePlayers(Random(1)), Random(1)
    table = at_deal(journal, *levels)
    hints: list[tuple[State, Hint]] = []
    for _ in range(24):
        let_machine_act(table, players)
        state = table.now.state
        if next_person(state) == 0 and sight_of(state, 0).playable:
            hints.append((state, players.hint(state, 0)))
        press(table, chance.choice([key for key in before_keys(table) if key != "UNDO"]))
    line = table.now.log
    decided = [(entry.before, entry.event) for entry in line[1:] if next_machine(entry.before) is not None]
    for again in (players, MachinePlayers(Random(1))):
        for state, event in decided[::-1]:
            seat = next_machine(state)
            assert seat is not None
            assert again.decide(state, seat) == event
        for state, given in hints[::-1]:
            assert again.hint(state, 0) == given
    assert len(decided) > 4
    assert len(hints) > 4
    journal.close()


def before_keys(table: Table) -> tuple[str, ...]:
    return lit_keys(table.now.state, table.now.saved)


def test_the_table_comes_back_in_mid_deal_after_any_event_at_the_same_prompt(tmp_path: Path) -> None:
    folder, players, chance = tmp_path / "state", MachinePlayers(Random(1)), Random(2)
    folder.mkdir()
    journal = Journal(folder / "journal.db")
    table = at_deal(journal, "", "chance", "")
    for number in range(70):
        ask = next_request(table.now, players)
        if ask is not None and chance.random() < 0.8:
            assert table.do(ask, COMPUTER).is_accepted
        else:
            table.do(Press(chance.choice((*before_keys(table), "OK", "UNDO", "MENU", "hold:UNDO"))))
        left = shutil.copytree(folder, tmp_path / str(number))  # as `kill -9` leaves it
        with closing(Journal(left / "journal.db")) as again:
            found = Table(again, formatter=AS_JSON, clock=lambda: "", draw=lambda: 0)
            assert shown_json(found.now, Faults()) == shown_json(table.now, Faults())
            assert (found.now.state, found.now.input_state) == (table.now.state, table.now.input_state)
    journal.close()


def test_a_refusal_of_the_disk_changes_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = at_deal(journal, "", "thrifty")
    before = table.now
    journal._db.execute("PRAGMA query_only=ON")
    refused = table.do(Play(discards(table, 1), before.state), COMPUTER).refused
    assert isinstance(refused, JournalTrouble)
    assert "nothing has changed" in str(refused)
    assert table.now is before
    journal._db.execute("PRAGMA query_only=OFF")
    assert table.do(Play(discards(table, 1), before.state), COMPUTER).is_accepted
    journal.close()
