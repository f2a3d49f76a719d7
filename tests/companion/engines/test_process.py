"""Programs of others as opponents: whatever they do, the game goes on, and nothing of them is left."""

from __future__ import annotations

import logging
import select
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random

import pytest
from support.engines import FIRST_CARDS, engine, needs_confinement, running, sights_of
from support.patience import PATIENCE, until

from cribpi.companion.engines import sandbox
from cribpi.companion.engines.process import EnginePlayer, command_of, readable
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.players.fallback import WithFallback
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.opponent import Greedy
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import preset

HANG = "time.sleep(1e6)"
SHORT = 0.2


def pack(seed: int, deal: int) -> list[Card]:
    return Random(f"{seed}/{deal}").sample(PACK, len(PACK))


def played(
    player: str,
    players: int = 2,
    *,
    grace: float = PATIENCE,
    ready: float = PATIENCE,
    is_trusted: bool = False,
) -> WithFallback:
    """Play a game with *player* in seat 0, against thrifty; return who had the seat."""
    found = EnginePlayer(player, movetime=0.1, grace=grace, ready=ready, is_trusted=is_trusted)
    seat = WithFallback(player, found)
    others = [Greedy() for _ in range(players - 1)]
    try:
        *_, (_, end) = game([seat, *others], preset("standard", players), partial(pack, players))
    finally:
        if isinstance(seat.opponent, EnginePlayer):
            seat.opponent.close()
    assert end.winner is not None
    return seat


@needs_confinement
@pytest.mark.parametrize("players", seats.PLAYERS)
def test_a_program_plays_a_game_and_then_is_over(tmp_path: Path, players: int) -> None:
    in_time = "if field != {'movetime': '100'}: say('error it is asked in milliseconds')\n"
    seat = played(engine(tmp_path, in_time + FIRST_CARDS), players)
    assert seat.trouble is None
    assert isinstance(seat.opponent, EnginePlayer)
    until(lambda: not running(tmp_path))


@needs_confinement
@pytest.mark.parametrize(
    ("go", "why"),
    [
        pytest.param("1 / 0", "it ended with exit code 1", id="crashes"),
        pytest.param("os.kill(os.getpid(), signal.SIGSEGV)", "it ended with SIGSEGV", id="is killed"),
        pytest.param("say('bestmove AC')", "it chose an impossible discard", id="cheats"),
        pytest.param("say('bestmove XX,YY')", "its answer can't be read", id="answers garbage"),
        pytest.param("say('bestmove')", "its answer can't be read", id="answers nothing"),
        pytest.param("say('error what is a position?')", "it refused", id="refuses"),
        pytest.param(
            "while True: say('info string hello')",
            "it wrote more than 100,000 bytes for one answer",
            id="floods",
        ),
        pytest.param(
            "while True: os.write(1, b'x' * 1000)",
            "it wrote more than 100,000 bytes for one answer",
            id="floods one line",
        ),
        pytest.param(
            "while True: os.write(2, b'x' * 1000)",
            "it wrote more than 100,000 bytes for one answer",
            id="floods its errors",
        ),
    ],
)
def test_one_that_fails_gives_its_seat_to_thrifty_with_a_sentence(tmp_path: Path, go: str, why: str) -> None:
    player = engine(tmp_path, go)
    seat = played(player)
    assert seat.trouble == f"{player} failed in seat 0 ({why}): thrifty plays on in its place"
    assert isinstance(seat.opponent, Greedy)
    until(lambda: not running(tmp_path))


@needs_confinement
@pytest.mark.parametrize(
    ("go", "why"),
    [
        pytest.param(HANG, "it did not answer within 0.3 seconds", id="hangs"),
        pytest.param("while True: pass", "it did not answer within 0.3 seconds", id="is busy"),
        pytest.param(
            "os.close(1); " + HANG,
            "it did not answer within 0.3 seconds",
            id="closes its output",  # bubblewrap has it, too
        ),
        pytest.param(
            "os.write(1, b'bestmove 5H'); " + HANG,
            "it did not answer within 0.3 seconds",
            id="says half a line",
        ),
        pytest.param(
            "os.write(1, b'best\\0move 5H,5D\\n\\xff\\n\\0\\n' * 100); " + HANG,
            "it did not answer within 0.3 seconds",
            id="says NUL and no UTF-8",
        ),
        pytest.param("os.close(0); " + HANG, "it did not answer within 0.3 seconds", id="closes its input"),
        pytest.param(
            "signal.signal(signal.SIGTERM, signal.SIG_IGN); " + HANG,
            "it did not answer within 0.3 seconds",
            id="hears no signal",
        ),
    ],
)
def test_one_that_is_late_is_ended(tmp_path: Path, go: str, why: str) -> None:
    player = engine(tmp_path, go)
    seat = played(player, grace=SHORT)
    assert seat.trouble == f"{player} failed in seat 0 ({why}): thrifty plays on in its place"
    until(lambda: not running(tmp_path))


@needs_confinement
def test_one_that_never_begins_is_ended(tmp_path: Path) -> None:
    seat = played(engine(tmp_path, first=HANG), ready=SHORT)
    assert "it did not answer within 0.2 seconds" in str(seat.trouble)
    until(lambda: not running(tmp_path))


@needs_confinement
def test_an_illegal_card_in_the_play_gives_the_seat_away_too(tmp_path: Path) -> None:
    go = FIRST_CARDS.replace("fits[0]", "'5H,5D'")
    assert "it played more than one card" in str(played(engine(tmp_path, go)).trouble)
    go = FIRST_CARDS.replace("fits[0]", "position['starter']")
    assert "it chose an impossible card at a count of" in str(played(engine(tmp_path, go)).trouble)
    until(lambda: not running(tmp_path))


@needs_confinement
def test_what_it_wrote_stands_in_the_log_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It may name its cards, and the sentence is for everybody."""
    with caplog.at_level(logging.WARNING):
        seat = played(engine(tmp_path, "raise KeyError(position['hand'])"))
    assert "KeyError" not in str(seat.trouble)
    assert "it wrote \"KeyError: '" in caplog.text


@needs_confinement
def test_lines_that_the_referee_does_not_know_are_passed_over(tmp_path: Path) -> None:
    noise = "os.write(1, bytes(range(256)) + b'\\n\\n')\nsay('info string thinking')\n"
    assert played(engine(tmp_path, noise + FIRST_CARDS)).trouble is None


ONCE = FIRST_CARDS.replace('say("bestmove "', 'answer = ("bestmove "')
"""An engine that has its answer, and has not given it yet."""
UNASKED = ["bestmove 5H,5D", "bestmove 5H", "readyok", "error in your position", "cannot play on"]


@needs_confinement
@pytest.mark.parametrize("more", UNASKED)
def test_what_it_says_after_its_answer_is_not_the_answer_to_the_next_question(
    tmp_path: Path, more: str
) -> None:
    at_once = f"{ONCE}os.write(1, (answer + '\\n{more}\\n').encode())"
    assert played(engine(tmp_path, at_once)).trouble is None


def is_readable(player: EnginePlayer) -> bool:
    assert player._process is not None
    assert player._process.stdout is not None
    return bool(select.select([player._process.stdout], [], [], 0)[0])


@needs_confinement
@pytest.mark.parametrize("more", UNASKED)
def test_what_it_says_between_two_questions_is_forgotten(tmp_path: Path, more: str) -> None:
    program = engine(tmp_path, f"{ONCE}say(answer); say('{more}')")
    player = EnginePlayer(program, grace=PATIENCE, ready=PATIENCE)
    try:
        for sight in sights_of(preset("standard"), Random(1))[:6]:
            chosen = player.discard(sight) if sight.starter is None else (player.play(sight),)
            assert {*chosen} <= {*sight.hand}
            until(lambda: player._received or is_readable(player))
    finally:
        player.close()


@needs_confinement
def test_what_it_says_after_the_next_question_was_due_is_no_answer_to_that(tmp_path: Path) -> None:
    late = FIRST_CARDS + "time.sleep(0.02); say('bestmove ' + (fits[-1] if 'starter' in position else 'XX'))"
    player = EnginePlayer(engine(tmp_path, late), grace=PATIENCE, ready=PATIENCE)
    try:
        for sight in sights_of(preset("standard"), Random(1))[:20]:
            if sight.starter is None:
                assert player.discard(sight) == sight.hand[4:]
            else:
                assert player.play(sight) == sight.playable[0]
    finally:
        player.close()


def test_what_it_has_started_ends_with_one_that_is_trusted(tmp_path: Path) -> None:
    """A confined one leaves nothing even as a daemon: see test_sandbox.py."""
    sleeper = [sys.executable, "-c", "import time; time.sleep(1e6)", f"{tmp_path}/child"]
    program = engine(tmp_path, first=f"subprocess.Popen({sleeper!r})")
    player = EnginePlayer(program, ready=PATIENCE, is_trusted=True)
    player.begin(preset("standard"))
    # The command line of a process that begins is empty for a moment.
    until(lambda: any(f"{tmp_path}/child" in words for words in running(tmp_path).values()))
    player.close()
    until(lambda: not running(tmp_path))


@needs_confinement
def test_it_ends_when_nobody_holds_its_player_any_more(tmp_path: Path) -> None:
    player: EnginePlayer | None = EnginePlayer(engine(tmp_path), ready=PATIENCE)
    assert player is not None
    player.begin(preset("standard"))
    assert running(tmp_path)
    player = None
    until(lambda: not running(tmp_path))


@needs_confinement
def test_it_ends_with_cribpi_even_if_that_is_killed(tmp_path: Path) -> None:
    player = engine(tmp_path, first=f"if os.fork(): {HANG}")
    code = (
        "import os, signal; from cribpi.companion.engines.process import EnginePlayer; "
        "from cribpi.cribbage.rules.rules import preset; "
        f"player = EnginePlayer({player!r}); player.begin(preset('standard')); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    until(lambda: not running(tmp_path))


# --- its command ------------------------------------------------------------------------------------


def test_files_of_its_command_are_found_from_where_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    python = tmp_path / "py" / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.touch()
    (tmp_path / "my engine").write_text(f"#!{python} -I\n", "utf-8")
    (tmp_path / "my engine").chmod(0o755)
    command = command_of("exec:'./my engine' --depth 3 './my engine'")
    assert command == [f"{tmp_path}/my engine", "--depth", "3", f"{tmp_path}/my engine"]
    assert set(readable(command)) == {str(tmp_path), str(tmp_path / "py")}


def test_no_folder_that_holds_what_is_private_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for folder in ("home/bin", "home/fred", "theirs/bin", "theirs/journal"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("home/engine", "home/bin/engine", "home/fred/engine", "engine", "theirs/bin/engine"):
        (tmp_path / file).touch()
    own = [tmp_path / "home" / "fred", tmp_path / "home" / "bin", tmp_path / "theirs"]
    for there, file in zip(own, ("fred/engine", "bin/engine", "../theirs/bin/engine"), strict=True):
        assert readable([f"{tmp_path}/home/{file}"])[-1] == str(there)
    assert readable([f"{tmp_path}/theirs/bin/engine"], [tmp_path / "theirs" / "journal"]) == [
        f"{tmp_path}/theirs/bin"
    ]
    for words in (
        [f"{tmp_path}/home/engine"],
        [f"{tmp_path}/engine"],
        [f"{tmp_path}/home/fred/engine", f"{tmp_path}/home/engine"],
        [f"{tmp_path}/home/fred/engine", "/"],
        [f"{tmp_path}/home/fred/engine", "/etc/passwd"],
    ):
        with pytest.raises(UserError, match="is among files that it must not see: give it its own folder"):
            readable([*words])


def test_the_systems_own_programs_open_no_other_folder() -> None:
    """A script of `/bin/sh` would else read all that there is."""
    assert readable(["/bin/sh", "/usr/bin/env"]) == []


def test_a_venv_reads_the_python_that_it_was_made_from(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text("", "utf-8")
    (tmp_path / "pyvenv.cfg").write_text("home = /opt/py/bin\nversion = 3.13.0\n", "utf-8")
    assert {str(tmp_path), "/opt/py"} == set(readable([str(python), "engine.py"]))


@pytest.mark.parametrize(
    ("player", "why"),
    [
        ("exec:", "has no program"),
        ("exec:/nowhere/engine", "'/nowhere/engine' is not a program that can be run"),
        ("exec:engine 'x", "No closing quotation"),
    ],
)
def test_a_command_that_names_no_program_is_refused(player: str, why: str) -> None:
    with pytest.raises(UserError, match=why):
        command_of(player)


def test_one_that_is_trusted_plays_without_being_confined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise UserError("bubblewrap is not installed")

    monkeypatch.setattr(sandbox, "check", missing)
    assert "it can't be confined: bubblewrap is not installed" in str(played(engine(tmp_path)).trouble)
    trusted = partial(played, is_trusted=True)
    assert trusted(engine(tmp_path)).trouble is None
    for go, why in {
        "os.kill(os.getpid(), 11)": "it ended with SIGSEGV",
        f"os.close(1); {HANG}": "it closed its output",
    }.items():
        assert why in str(trusted(engine(tmp_path, go)).trouble)
    until(lambda: not running(tmp_path))
