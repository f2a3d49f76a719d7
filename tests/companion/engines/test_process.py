"""Programs of others as opponents: whatever they do, the game goes on, and nothing of them is left."""

from __future__ import annotations

import ast
import ctypes
import logging
import os
import select
import signal
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random

import pytest
from support.engines import FIRST_CARDS, engine, running, sights_of
from support.patience import PATIENCE, until

from cribpi.companion.engines import process
from cribpi.companion.engines.process import EnginePlayer, EngineTrouble, command_of, confining, readable
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.players.fallback import WithFallback
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.opponent import Greedy
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import preset


def landlock() -> int:
    """Return the version of Landlock that the kernel has, by its first system call; below 1 without."""
    return int(ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1))


HANG = "time.sleep(1e6)"
SHORT = 0.2


def pack(seed: int, deal: int) -> list[Card]:
    return Random(f"{seed}/{deal}").sample(PACK, len(PACK))


def played(
    player: str, players: int = 2, *, grace: float = PATIENCE, ready: float = PATIENCE
) -> WithFallback:
    """Play a game with *player* in seat 0, against thrifty; return who had the seat."""
    seat = WithFallback(player, EnginePlayer(player, movetime=0.1, grace=grace, ready=ready))
    others = [Greedy() for _ in range(players - 1)]
    try:
        *_, (_, end) = game([seat, *others], preset("standard", players), partial(pack, players))
    finally:
        if isinstance(seat.opponent, EnginePlayer):
            seat.opponent.close()
    assert end.winner is not None
    return seat


@pytest.mark.parametrize("players", seats.PLAYERS)
def test_a_program_plays_a_game_and_then_is_over(tmp_path: Path, players: int) -> None:
    in_time = "if field != {'movetime': '100'}: say('error it is asked in milliseconds')\n"
    seat = played(engine(tmp_path, in_time + FIRST_CARDS), players)
    assert seat.trouble is None
    assert isinstance(seat.opponent, EnginePlayer)
    until(lambda: not running(tmp_path))


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


@pytest.mark.parametrize(
    ("go", "why"),
    [
        pytest.param(HANG, "it did not answer within 0.3 seconds", id="hangs"),
        pytest.param("while True: pass", "it did not answer within 0.3 seconds", id="is busy"),
        pytest.param(
            "os.close(1); " + HANG,
            "it did not answer within 0.3 seconds",
            id="closes its output",
            marks=pytest.mark.skipif(not confining(), reason="in a namespace its parents have it too"),
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


def test_one_that_never_begins_is_ended(tmp_path: Path) -> None:
    seat = played(engine(tmp_path, first=HANG), ready=SHORT)
    assert "it did not answer within 0.2 seconds" in str(seat.trouble)
    until(lambda: not running(tmp_path))


def test_an_illegal_card_in_the_play_gives_the_seat_away_too(tmp_path: Path) -> None:
    go = FIRST_CARDS.replace("fits[0]", "'5H,5D'")
    assert "it played more than one card" in str(played(engine(tmp_path, go)).trouble)
    go = FIRST_CARDS.replace("fits[0]", "position['starter']")
    assert "it chose an impossible card at a count of" in str(played(engine(tmp_path, go)).trouble)
    until(lambda: not running(tmp_path))


def test_what_it_wrote_stands_in_the_log_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It may name its cards, and the sentence is for everybody."""
    with caplog.at_level(logging.WARNING):
        seat = played(engine(tmp_path, "raise KeyError(position['hand'])"))
    assert "KeyError" not in str(seat.trouble)
    assert "it wrote \"KeyError: '" in caplog.text


def test_lines_that_the_referee_does_not_know_are_passed_over(tmp_path: Path) -> None:
    noise = "os.write(1, bytes(range(256)) + b'\\n\\n')\nsay('info string thinking')\n"
    assert played(engine(tmp_path, noise + FIRST_CARDS)).trouble is None


ONCE = FIRST_CARDS.replace('say("bestmove "', 'answer = ("bestmove "')
"""An engine that has its answer, and has not given it yet."""
UNASKED = ["bestmove 5H,5D", "bestmove 5H", "readyok", "error in your position", "cannot play on"]


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


@pytest.mark.parametrize("more", UNASKED)
def test_what_it_says_between_two_questions_is_forgotten(tmp_path: Path, more: str) -> None:
    program = engine(tmp_path, f"{ONCE}say(answer); say('{more}')")
    player = EnginePlayer(program, grace=PATIENCE, ready=PATIENCE)
    try:
        for sight in sights_of(preset("standard"), Random(1))[:6]:
            chosen = player.discard(sight) if sight.starter is None else (player.play(sight),)
            assert {*chosen} <= {*sight.hand}
            until(lambda: player._heard or is_readable(player))
    finally:
        player.close()


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


@pytest.mark.parametrize("is_apart", [True, False])
def test_what_it_has_started_ends_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_apart: bool
) -> None:
    """Without a namespace, only what stays in its group of processes."""
    if not is_apart:
        monkeypatch.setattr(process, "confining", tuple)
    sleeper = [sys.executable, "-c", "import time; time.sleep(1e6)", f"{tmp_path}/child"]
    first = f"subprocess.Popen({sleeper!r}, start_new_session={bool(process.confining())})"
    player = EnginePlayer(engine(tmp_path, first=first), ready=PATIENCE)
    player.begin(preset("standard"))
    # The command line of a process that begins is empty for a moment.
    until(lambda: any(f"{tmp_path}/child" in words for words in running(tmp_path).values()))
    player.close()
    until(lambda: not running(tmp_path))


def test_it_ends_when_nobody_holds_its_player_any_more(tmp_path: Path) -> None:
    player: EnginePlayer | None = EnginePlayer(engine(tmp_path), ready=PATIENCE)
    assert player is not None
    player.begin(preset("standard"))
    assert running(tmp_path)
    player = None
    until(lambda: not running(tmp_path))


def test_it_ends_with_cribpi_even_if_that_is_killed(tmp_path: Path) -> None:
    if not confining():
        pytest.skip("this kernel lets nobody have a namespace: then it ends with its input")
    player = engine(tmp_path, first=f"if os.fork(): {HANG}")
    code = (
        "import os, signal; from cribpi.companion.engines.process import EnginePlayer; "
        "from cribpi.cribbage.rules.rules import preset; "
        f"player = EnginePlayer({player!r}); player.begin(preset('standard')); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    until(lambda: not running(tmp_path))


# --- what it may do ---------------------------------------------------------------------------------


def answered(folder: Path, expression: str, before: str = "") -> str:
    """Return what *expression* comes to in an engine, or why the system refuses it."""
    first = f"""\
{before}
try:
    found = {expression}
except OSError as bad:
    found = bad.strerror
say(f"cannot {{found}}")"""
    player = EnginePlayer(engine(folder, first=first), ready=PATIENCE)
    with pytest.raises(EngineTrouble, match="it refused") as refused:
        player.begin(preset("standard"))
    (note,) = refused.value.__notes__
    return note.removeprefix("it wrote ")[1:-1]


def test_it_has_a_folder_and_an_environment_that_are_empty(tmp_path: Path) -> None:
    found = answered(tmp_path, "(os.listdir(), [*{*os.environ} - {'LC_CTYPE'}], os.getcwd())")
    files, variables, folder = ast.literal_eval(found)
    assert (files, variables) == ([], ["PATH"])
    assert not Path(folder).exists()
    assert answered(tmp_path, "open('note', 'w').write('mine')") == "4"


def test_its_resources_are_limited(tmp_path: Path) -> None:
    names = "'AS CPU NOFILE CORE'.split()"
    limits = f"[resource.getrlimit(getattr(resource, 'RLIMIT_' + name))[1] for name in {names}]"
    assert answered(tmp_path, limits, "import resource") == "[2147483648, 600, 64, 0]"
    assert answered(tmp_path, "open('large', 'wb').write(bytes(17 * 1024**2))") == "File too large"


@pytest.mark.skipif(
    not confining(), reason="this kernel lets nobody have a namespace; the page says what then"
)
def test_it_reaches_no_network_and_no_other_process(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        reached = f"socket.socket().connect_ex(('127.0.0.1', {server.getsockname()[1]}))"
        assert answered(tmp_path, reached) != "0"
    assert answered(tmp_path, f"os.path.exists('/proc/{os.getpid()}/status') and os.getpid() > 9") == "False"
    if os.geteuid() == 0:
        return  # whom the kernel lets have any number of processes
    fork = "[subprocess.Popen(['sleep', '9999']) for _ in range(100)]"
    assert answered(tmp_path, fork) == "Resource temporarily unavailable"


@pytest.mark.skipif(landlock() < 1, reason="this kernel has no Landlock; the page says what then")
def test_it_reads_and_writes_no_file_of_ours(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
        (folder / "file").write_text("text", "utf-8")
    assert answered(theirs, f"open('{theirs}/file').read()") == "text"
    for opened in (
        "open('/etc/passwd')",
        f"open('{ours}/file')",
        f"os.listdir('{ours}')",
        f"open('{theirs}/file', 'a')",
    ):
        assert answered(theirs, opened) == "Permission denied"
    assert answered(theirs, f"os.unlink('{theirs}/file')") == "Permission denied"


@pytest.mark.skipif(landlock() < 6, reason="this kernel's Landlock is too old; the page says what then")
def test_without_a_namespace_it_uses_no_tcp_and_signals_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "confining", tuple)
    with socket.create_server(("127.0.0.1", 0)) as server:
        reached = f"socket.create_connection(('127.0.0.1', {server.getsockname()[1]}))"
        assert answered(tmp_path, reached) == "Permission denied"
    assert answered(tmp_path, f"os.kill({os.getpid()}, 0)") == "Operation not permitted"


# --- its command ------------------------------------------------------------------------------------


def test_files_of_its_command_are_found_from_where_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my engine").write_text("#!/opt/py/bin/python3 -I\n", "utf-8")
    (tmp_path / "my engine").chmod(0o755)
    command = command_of("exec:'./my engine' --depth 3 './my engine'")
    assert command == [f"{tmp_path}/my engine", "--depth", "3", f"{tmp_path}/my engine"]
    assert {str(tmp_path), "/opt/py"} <= set(readable(command))


def test_a_venv_reads_the_python_that_it_was_made_from(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text("", "utf-8")
    (tmp_path / "pyvenv.cfg").write_text("home = /opt/py/bin\nversion = 3.13.0\n", "utf-8")
    assert {str(tmp_path), "/opt/py"} <= set(readable([str(python), "engine.py"]))


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


def test_without_a_namespace_it_plays_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "confining", tuple)
    assert played(engine(tmp_path)).trouble is None
    for go, why in {
        "os.kill(os.getpid(), 11)": "it ended with SIGSEGV",
        f"os.close(1); {HANG}": "it closed its output",
    }.items():
        assert why in str(played(engine(tmp_path, go)).trouble)
    until(lambda: not running(tmp_path))
