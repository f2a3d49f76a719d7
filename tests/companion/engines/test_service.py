"""Engines of the service: systemd starts each for a connection, with `keeper` before it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest
from support.engines import FIRST_CARDS, engine, running
from support.patience import PATIENCE, joined, until

from cribpi.companion.engines import keeper, sandbox
from cribpi.companion.engines.process import EnginePlayer
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.players.fallback import WithFallback
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.opponent import Greedy
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import preset

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="the keeper has a right of root's in the service")


def kill_the_rest(main: subprocess.Popen[bytes]) -> None:
    """Kill what the *main* process leaves, as systemd does."""
    main.wait()
    with suppress(ProcessLookupError):
        os.killpg(main.pid, signal.SIGKILL)


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Yield what was started for connections, as systemd does with its socket and the unit."""
    path, started = tmp_path / "socket", list[subprocess.Popen[bytes]]()
    monkeypatch.setattr(sandbox, "SOCKET", path)
    monkeypatch.setattr(sandbox, "is_served", lambda: True)
    monkeypatch.setattr(sandbox, "check", lambda: None)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()

        over = threading.Event()

        def serve() -> None:
            while True:
                connection, _ = listening.accept()
                with connection:
                    if over.is_set():
                        return
                    command = [sys.executable, "-m", keeper.__name__]
                    started.append(
                        subprocess.Popen(
                            command,
                            stdin=connection.fileno(),
                            stdout=connection.fileno(),
                            start_new_session=True,
                        )
                    )
                    threading.Thread(target=kill_the_rest, args=(started[-1],)).start()

        thread = threading.Thread(target=serve)
        thread.start()
        yield started
        over.set()
        with socket.socket(socket.AF_UNIX) as last:
            last.connect(str(path))
        joined(thread)
    for one in started:
        one.wait(PATIENCE)


def played(player: str) -> WithFallback:
    seat = WithFallback(player, EnginePlayer(player, movetime=0.1, grace=PATIENCE, ready=PATIENCE))
    pack = partial(Random(1).sample, PACK, len(PACK))
    *_, (_, end) = game([seat, Greedy()], preset("standard"), lambda _: pack())
    assert end.winner is not None
    if isinstance(seat.opponent, EnginePlayer):
        seat.opponent.close()
    return seat


@needs_root
@pytest.mark.parametrize(
    ("go", "why"),
    [
        (FIRST_CARDS, None),
        ("1 / 0", "it ended"),
        ("sys.stdin.close(); os.close(0); 1 / 0", "it ended"),
        ("while True: say('info string hello')", "it wrote more than 100,000 bytes for one answer"),
        (FIRST_CARDS + "say('bestmove XX')", None),
        ("os.write(1, b'\\0\\xff\\n' * 100 + b'x' * 50_000 + b'\\n')\n" + FIRST_CARDS, None),
        ("os.write(1, b'bestmove 5H'); sys.exit()", "it ended"),
    ],
)
def test_it_plays_through_a_socket(
    go: str, why: str | None, tmp_path: Path, systemd: list[subprocess.Popen[bytes]]
) -> None:
    seat = played(engine(tmp_path, go))
    assert (why is None) == (seat.trouble is None)
    assert (why or "") in (seat.trouble or "")
    until(lambda: systemd[0].poll() is not None)
    until(lambda: not running(tmp_path))


@needs_root
def test_it_can_neither_see_nor_stop_what_keeps_it(
    tmp_path: Path, systemd: list[subprocess.Popen[bytes]]
) -> None:
    """Else it could go on after the game: its own are the only processes that it has numbers of."""
    first = "os.getpid() < 9 or sys.exit()\ntime.sleep(1e6)"
    player = EnginePlayer(engine(tmp_path, first=first), ready=1.0)
    with pytest.raises(UserError, match="did not answer within 1 seconds"):
        player.begin(preset("standard"))
    until(lambda: systemd[0].poll() is not None)
    until(lambda: not running(tmp_path))


@pytest.mark.parametrize(
    ("has_unit", "controllers", "says"),
    [
        (False, "cpu memory", "the service has no unit for engines: sudo make install"),
        (True, "cpu pids", "the kernel limits no memory: add cgroup_enable=memory to "),
        (True, "cpu memory pids", None),
    ],
)
def test_what_the_service_lacks_is_said_with_what_helps(
    *, has_unit: bool, controllers: str, says: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tmp_path / "controllers", tmp_path / "unit"
    files[0].write_text(controllers + "\n", encoding="ascii")
    if has_unit:
        files[1].touch()
    monkeypatch.setattr(sandbox, "_CONTROLLERS", files[0])
    monkeypatch.setattr(sandbox, "UNIT", files[1])
    monkeypatch.setattr(sandbox, "is_served", lambda: True)
    sandbox.check.cache_clear()
    found = sandbox.trouble(is_trusted=False)
    sandbox.check.cache_clear()
    assert (found is None) == (says is None)
    assert (says or "") in (found or "")
