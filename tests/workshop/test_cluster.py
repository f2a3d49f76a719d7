"""The arena on a Dask cluster: the same games, whoever plays them, and whoever is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.engines import engine, needs_confinement
from support.patience import PATIENCE, until

import cribpi
from cribpi.cli import main
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import preset
from cribpi.workshop.arena.contest import Contest, Sums, play_sets
from cribpi.workshop.arena.file import load
from cribpi.workshop.arena.run import piece_there

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="the extra cluster is not installed")

"""Seconds after which a test gives up waiting."""

CONTEST = Contest("thrifty", "chance", preset("travel-61"), seed=3)
ASKED = ("thrifty", "chance", "--rules", "travel-61", "--seed", "3")


@contextmanager
def started(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program of ours until the end of the block."""
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, *command], stdout=nowhere, stderr=nowhere)
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE)


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler on loopback, and its address."""
    file = tmp_path / "scheduler.json"
    command = (
        "-m distributed.cli.dask_scheduler --host 127.0.0.1 --port 0 --no-dashboard --scheduler-file".split()
    )
    with started(*command, str(file)) as process:
        until(file.exists)
        found = [""]

        def is_written() -> bool:
            text = file.read_text()
            found[0] = json.loads(text)["address"] if text.endswith("}") else ""
            return bool(found[0])

        until(is_written)
        yield found[0], process


def worker(address: str, folder: Path) -> Sequence[str]:
    options = "--nthreads 1 --no-nanny --no-dashboard --host 127.0.0.1 --local-directory".split()
    return ("-m", "distributed.cli.dask_worker", address, *options, str(folder))


def arena(*arguments: str) -> tuple[str, ...]:
    return ("-m", "cribpi", "arena", *ASKED, *arguments)


def timeless(sums: Sums) -> dict[str, int]:
    return {key: many for key, many in sums.items() if many and not key.startswith("time.")}


def test_a_worker_that_is_killed_in_the_middle_loses_nothing(
    scheduler: tuple[str, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    address, _ = scheduler
    file = tmp_path / "kept.json"
    asked = arena("--games", "240", "--workers", address, "--out", str(file))
    with ExitStack() as ends:
        doomed, _spared = (ends.enter_context(started(*worker(address, tmp_path))) for _ in range(2))
        contest = ends.enter_context(started(*asked))
        until(lambda: file.exists() and load(file, CONTEST)["sets"] > 0)
        doomed.send_signal(signal.SIGKILL)
        assert load(file, CONTEST)["sets"] < 120, "it was in the middle"
        assert contest.wait(PATIENCE) == 0
    assert timeless(load(file, CONTEST)) == timeless(play_sets(CONTEST, 0, 120))


@needs_confinement
def test_an_engine_plays_on_each_worker(
    scheduler: tuple[str, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    address, _ = scheduler
    file, player = tmp_path / "kept.json", engine(tmp_path)
    asked = ("arena", player, "thrifty", "--rules", "travel-61", "--games", "4", "--out", str(file))
    with started(*worker(address, tmp_path)):
        assert main((*asked, "--workers", address)) == 0
    contest = Contest(player, "thrifty", preset("travel-61"))
    sums = load(file, contest)
    assert timeless(sums) == timeless(play_sets(contest, 0, 2))
    assert sums["handed-over.a"] == 0


@needs_confinement
def test_a_worker_without_the_engine_is_refused(tmp_path: Path) -> None:
    contest = Contest(engine(tmp_path), "thrifty")
    (tmp_path / "engine.py").unlink()
    with pytest.raises(
        UserError, match=r"on a worker, exec:.* can't play this: .*name the engine by its full path"
    ):
        piece_there(contest, 0, 1)


@pytest.mark.prove
def test_a_scheduler_that_goes_is_told_and_what_was_played_is_kept(
    scheduler: tuple[str, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    address, process = scheduler
    file = tmp_path / "kept.json"
    asked = arena("--games", "100000", "--workers", address, "--out", str(file))
    with started(*worker(address, tmp_path)):
        contest = subprocess.Popen(
            [sys.executable, *asked], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        try:
            until(lambda: file.exists() and load(file, CONTEST)["sets"] > 0)
            os.kill(process.pid, signal.SIGKILL)
            _, said = contest.communicate(timeout=PATIENCE)
        finally:
            contest.kill()
            contest.wait(PATIENCE)
    assert contest.returncode == 2
    assert f"cribpi arena: the Dask scheduler at {address} has gone: start it" in said.decode()
    sets = load(file, CONTEST)["sets"]
    assert timeless(load(file, CONTEST)) == timeless(play_sets(CONTEST, 0, sets))


OLDER = """
import sys
import cribpi
from distributed.cli.dask_worker import main
cribpi.__version__ = "0.0.9"
main(sys.argv[1:])
"""


@pytest.mark.prove
def test_a_worker_with_another_version_is_refused(
    scheduler: tuple[str, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    address, _ = scheduler
    with started("-c", OLDER, *worker(address, tmp_path)[2:]):
        command = [sys.executable, *arena("--workers", address)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert f"a worker has cribpi 0.0.9, not {cribpi.__version__}: install the same there" in done.stderr


def test_without_a_scheduler_without_workers_or_without_dask_a_sentence_says_what_to_do(
    scheduler: tuple[str, subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = {
        scheduler[0]: "has no workers: start some with `dask worker",
        "tcp://127.0.0.1:9": "no Dask scheduler answers at tcp://127.0.0.1:9",
        "nonsense://": "no Dask scheduler answers at nonsense://",
    }
    asked = [["arena", *ASKED, "--workers", address] for address in told]
    quick = "import sys; from cribpi.workshop.arena import run; from cribpi.cli import main; "
    quick += f"run.PATIENCE = 1; print([main(one) for one in {asked!r}])"
    done = subprocess.run(
        [sys.executable, "-c", quick], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.stdout == "[2, 2, 2]\n", done.stderr
    assert [reason for reason in told.values() if reason not in done.stderr] == []
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(("arena", *ASKED, "--workers", "tcp://127.0.0.1:9")) == 2
    assert "--workers needs the cluster extra" in capsys.readouterr().err
