"""Random presses on the whole companion: through mock pins, entry, rules, journal, views, drivers and
chips."""

from __future__ import annotations

import gc
import random
from pathlib import Path

import pytest
from support.presses import lit_keys
from support.samples import some

from cribpi.companion.entry.keys import HOLDS, KEYS
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.config import Config
from cribpi.companion.run.simulator import Rehearsal
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import fold

WILD = (*KEYS, *HOLDS, "7H", "JC", "10S")


def a_key(bench: Rehearsal, chance: random.Random) -> str:
    """Return a key as a hand finds it: mostly one that makes sense, now and then any."""
    if chance.random() < 0.15:
        return chance.choice(WILD)
    if chance.random() < 0.04:
        return "UNDO"
    return chance.choice(lit_keys(bench.now.state, bench.now.saved))


def check_explained(before: State, after: State, *, is_step: bool) -> None:
    """Check that scores changed only by what the last step says it pegged."""
    if not is_step or before.scores() == after.scores():
        return
    expected = list(before.scores())
    for outcome in after.outcomes:
        expected[outcome.side] = min(max(expected[outcome.side] + outcome.points, 0), after.rules.target)
    assert tuple(expected) == after.scores()


def check_folded(bench: Rehearsal) -> None:
    """Check that the journal, folded again, is the state in memory."""
    assert fold(bench.journal.game()) == bench.now.state


def play(bench: Rehearsal, number: int, chance: random.Random) -> tuple[int, int]:
    """Press *number* keys; return how many were accepted, and how many games ended."""
    accepted = games = 0
    for _ in range(number):
        before = bench.now
        refused = bench.press(a_key(bench, chance))
        after = bench.now
        assert bench.loop.troubles == {}
        if refused is not None:
            assert str(refused)
            assert (before.state, before.input_state, before.seq) == (
                after.state,
                after.input_state,
                after.seq,
            )
            continue
        accepted += 1
        is_step = len(after.log) == len(before.log) + 1 and len(after.log) > 1
        check_explained(before.state, after.state, is_step=is_step)
        ended = after.state.phase is Phase.GAME_OVER and before.state.phase is not Phase.GAME_OVER
        games += ended
        if ended or chance.random() < 0.01:
            check_folded(bench)
    return accepted, games


def start(players: int, entry: str, journal: Path, seed: int) -> Rehearsal:
    kit = load_kit("table-3" if players == 3 else "table")
    config = Config(
        players=players, entry=entry, target=61, still=True, levels=("person", "chance", "person", "thrifty")
    )
    return Rehearsal(kit, seed, config=config, journal=journal)


@pytest.mark.parametrize(
    ("players", "entry"),
    some([(players, entry) for players in (2, 3, 4) for entry in ("cards", "peg", "dealt")], 0, 4, 8),
)
def test_no_press_of_a_sample_breaks_anything(players: int, entry: str, tmp_path: Path) -> None:
    bench = start(players, entry, tmp_path / "journal.db", players)
    try:
        accepted, _ = play(bench, 80, random.Random(players))
        assert accepted > 40
    finally:
        bench.close()


def resident_kib() -> int:
    gc.collect()
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0])


@pytest.mark.prove
@pytest.mark.parametrize(("entry", "presses"), [("cards", 70_000), ("peg", 20_000), ("dealt", 20_000)])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_press_of_many_breaks_anything(players: int, entry: str, presses: int, tmp_path: Path) -> None:
    """All nine together press 330,000 keys.

    What is kept for speed (claims, points by ranks, SQLite's pages) fills in the first two thirds; in the
    last third memory is flat.
    """
    bench = start(players, entry, tmp_path / "journal.db", players)
    chance = random.Random(1000 + players)
    try:
        first = play(bench, presses * 2 // 3, chance)
        before = resident_kib()
        last = play(bench, presses - presses * 2 // 3, chance)
        grown = resident_kib() - before
        accepted, games = first[0] + last[0], first[1] + last[1]
        print(
            f"{players} players, {entry}: {accepted:,} of {presses:,} accepted, {games} games, {grown} KiB "
            f"more"
        )
        assert games > 20
        assert grown < 2048
    finally:
        bench.close()
