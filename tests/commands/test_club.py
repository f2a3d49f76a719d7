"""`cribpi club`: a trial that plays by itself and leaves nothing behind; what can't be is a line."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")
pytest.importorskip("paho", reason="the extra club is not installed")

from support.broker import free_port, needs_broker

from cribpi.cli import main

pytestmark = pytest.mark.timeout(180)


@contextmanager
def desk(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """Run `cribpi club` with its files in *folder*, and give the process, its address and its password."""
    port = free_port()
    (folder / "tmp").mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "cribpi", "club", *arguments, "--listen", f"127.0.0.1:{port}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ
        | {"TMPDIR": str(folder / "tmp"), "XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
    )
    assert process.stdout is not None
    try:
        lines = [process.stdout.readline()]
        while lines[-1] and "The night is at" not in lines[-1]:
            lines.append(process.stdout.readline())
        assert lines[-1], process.communicate()[1]
        password = re.search(r"password is (\w+)", "".join(lines))
        yield process, f"http://127.0.0.1:{port}", password[1] if password else ""
    finally:
        process.kill()
        process.communicate(timeout=30)


def night(address: str) -> dict[str, object]:
    for _ in range(100):
        try:
            with urllib.request.urlopen(f"{address}/files/night.json", timeout=10) as answer:  # noqa: S310  loopback
                found: dict[str, object] = json.load(answer)
                return found
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the page can't be opened")


def newest(address: str) -> int:
    with urllib.request.urlopen(f"{address}/news", timeout=10) as answer:  # noqa: S310  loopback
        return int(json.load(answer)["version"])


@needs_broker
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_a_trial_plays_by_itself_and_leaves_nothing_behind(tmp_path: Path, end: signal.Signals) -> None:
    with desk(tmp_path, "--trial") as (process, address, _):
        until = time.monotonic() + 90
        while not (found := night(address))["results"]:
            assert time.monotonic() < until
            time.sleep(0.3)
        assert found["round"] == 1
        assert len(found["players"]) == 24  # type: ignore[arg-type]
        with ThreadPoolExecutor() as waiting:  # a browser that waits for news does not hold it up
            for _ in range(3):
                waiting.submit(urllib.request.urlopen, f"{address}/news?since={newest(address)}", timeout=60)
            time.sleep(0.3)
            process.send_signal(end)
            assert process.wait(60) == 0
        assert process.stderr is not None
        assert not process.stderr.read()
    assert list((tmp_path / "tmp").iterdir()) == []


@needs_broker
def test_the_next_start_goes_on_with_the_night_and_the_password(tmp_path: Path) -> None:
    broker = ("--broker", f"127.0.0.1:{free_port()}")  # nobody is there: the desk works without
    with desk(tmp_path, "tuesday", "--no-broker") as (process, address, password):
        assert password
        assert night(address)["night"] == "tuesday"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    with desk(tmp_path, "tuesday", *broker) as (_, address, again):
        assert again == ""
        assert night(address)["log"] == []
    (kept,) = tmp_path.rglob("password.json")
    assert password not in kept.read_text()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            ["--broker", "x:y:z:1", "--listen", "nowhere"],
            "--listen nowhere: give an address, or ADDRESS:PORT",
        ),
        (["--broker", "127.0.0.1:port"], "--broker 127.0.0.1:port: give HOST or HOST:PORT"),
        (["--broker", "127.0.0.1:1", "--database", "nonsense"], "not a database address"),
        ([], "which broker? Add --own-broker, --broker HOST or --no-broker"),
    ],
)
def test_what_can_not_be_is_one_line(
    tmp_path: Path,
    arguments: list[str],
    why: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(["club", *arguments, "--state", str(tmp_path)]) == 2
    assert why in capsys.readouterr().err.removesuffix("\n")


@needs_broker
def test_a_board_gets_its_lines_and_a_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(["club", "--board", "oak", "--state", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert 'user = "oak"\n' in printed
    assert "club = true\n" in printed
    assert re.search(r"it is shown only now: \S{20}\n$", printed)
    assert main(["club", "--board", "a/b", "--state", str(tmp_path)]) == 2
    assert main(["club", "--new-password", "--state", str(tmp_path)]) == 0


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribpi.commands.club.find_spec", lambda _name: None)
    assert main(["club", "--state", str(tmp_path)]) == 2
    assert "pip install 'cribpi[club]'" in capsys.readouterr().err
