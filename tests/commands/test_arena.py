"""`cribpi arena`, as someone at a prompt meets it."""

from __future__ import annotations

import fcntl
import io
import itertools
import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.engines import FIRST_CARDS, engine, needs_confinement, running
from support.patience import PATIENCE, until
from support.program import command
from support.refusals import is_line_with

from cribpi.cli import main
from cribpi.commands import arena
from cribpi.companion.engines import sandbox
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import preset
from cribpi.workshop.arena.contest import Contest, Sums, play_sets
from cribpi.workshop.arena.file import load, locked, save


def run(*arguments: str) -> int:
    return main(("arena", *arguments))


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """Return what the command prints as JSON, without the times."""
    assert run(*arguments, "--json") == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    found: dict[str, object] = json.loads(printed)
    for one in ("a", "b"):
        who = found[one]
        assert isinstance(who, dict)
        del who["lay_away_ms"], who["play_ms"]
    return found


def test_it_tells_who_won_and_how_sure_that_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("thrifty", "chance", "--games", "10", "--rules", "travel-61") == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[0] == "thrifty against chance: travel-61, 2 players, seed 1"
    assert lines[1].startswith("10 games, ")
    assert lines[1].endswith(" in 5 mirrored pairs")
    assert "thrifty won " in printed.out
    assert re.search(r"^adjusted for luck: \d+\.\d % \(95 %: .* % to .* %\)$", printed.out, re.MULTILINE)
    assert "\x1b" not in printed.err, "no bar where nobody watches"


def test_it_tells_why_it_is_not_adjusted_for_luck(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run("thrifty", "chance", "--games", "3", "--players", "3") == 0
    assert (
        "\nnot adjusted for luck: chances of winning are known for two sides only\n"
        in capsys.readouterr().out
    )
    contest, file = Contest("thrifty", "chance", preset("travel-61")), tmp_path / "old.json"
    sums = play_sets(contest, 0)
    save(file, contest, Sums({name: many for name, many in sums.items() if not name.startswith("luck.")}))
    asked = ("thrifty", "chance", "--rules", "travel-61", "--out", str(file))
    assert told(capsys, *asked, "--games", "2")["adjusted"] is None
    assert run(*asked, "--games", "4") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("4 games")
    assert "not adjusted for luck: an earlier version played some of these games" in lines


def test_its_json_is_json_alone_and_the_same_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("thrifty", "chance-errs", "--games", "6", "--rules", "travel-61")
    found = told(capsys, *asked)
    assert found == told(capsys, *asked)
    assert found != told(capsys, *asked, "--seed", "2")
    assert (found["games"], found["sets"], found["players"], found["rules"]) == (6, 3, 2, "travel-61")
    assert isinstance(found["adjusted"], dict)
    assert found["adjusted"].keys() == {"rate", "interval"}


@pytest.mark.parametrize(("players", "games"), [(2, 6), (3, 6), (4, 6)])
def test_games_are_played_in_whole_sets(players: int, games: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "chance", "thrifty", "--games", "5", "--players", str(players))["games"] == games


def test_a_file_is_added_to_until_there_are_as_many_as_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ("--out", str(tmp_path / "kept.json"))
    asked = ("thrifty", "chance", "--rules", "travel-61")
    assert told(capsys, *asked, *kept, "--games", "4")["games"] == 4
    whole = told(capsys, *asked, *kept, "--games", "10")
    assert whole == told(capsys, *asked, "--games", "10")
    assert told(capsys, *asked, *kept, "--games", "2") == whole, "what is there already is told"


def test_options_of_the_house_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    plain = told(capsys, "thrifty", "chance", "--games", "6")
    short = told(capsys, "thrifty", "chance", "--games", "6", "--rule", "target=31")
    assert isinstance(plain["deals"], float)
    assert isinstance(short["deals"], float)
    assert short["deals"] < plain["deals"] / 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ("solid", "genius"),
            "the level 'genius' is not known: choose one of chance, beginner, easy, medium, thrifty, strong",
        ),
        (
            ("expert-errs", "solid"),
            "expert is never careless: leave out -errs, or choose chance, thrifty or solid",
        ),
        (("solid-no-reading", "chance"), "solid never reads its opponent: leave out -no-reading"),
        (("solid", "chance", "--met", "-1"), "--met -1: 0 to 100 games"),
        (("solid", "chance", "--met", "101"), "--met 101: 0 to 100 games"),
        (
            ("solid", "chance", "--met", "1", "--players", "3"),
            "--met 1: for two players only, because expert",
        ),
        (("solid", "chance", "--jobs", "2", "--workers", "tcp://127.0.0.1:9"), "--jobs is for this machine"),
        (("solid", "chance", "--games", "0"), "--games 0: play at least one"),
        (("solid", "chance", "--games", "-3"), "--games -3: play at least one"),
        (("solid", "chance", "--jobs", "0"), "--jobs 0: 1 to 64 processes can play"),
        (
            ("solid", "chance", "--players", "5"),
            "standard is not for 5 players: choose 2, 3 or 4 players, or",
        ),
        (
            ("solid", "chance", "--players", "3", "--rules", "acc"),
            "acc is not for 3 players: choose 2",
        ),
        (("solid", "chance", "--rules", "poker"), "rules 'poker' are not known: choose one of standard"),
        (
            ("solid", "chance", "--rule", "target"),
            "--rule target: write OPTION=VALUE, such as --rule heels=none",
        ),
        (
            ("solid", "chance", "--out", "none/kept.json"),
            "none/kept.json: no such file or directory: choose a folder",
        ),
        (
            ("solid", "chance", "--games", "many"),
            "argument --games: invalid int value: 'many'; cribpi arena --help",
        ),
        (("solid",), "the following arguments are required: B; cribpi arena --help"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    arguments: tuple[str, ...],
    reason: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        code = run(*arguments)
    except SystemExit as ended:
        code = int(str(ended.code))
    assert code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"cribpi arena: {reason}")
    assert printed.err.count("\n") == 1


def test_a_file_of_another_contest_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "kept.json")
    told(capsys, "thrifty", "chance", "--games", "2", "--out", file)
    before = Path(file).read_bytes()
    assert run("thrifty", "chance", "--games", "2", "--out", file, "--seed", "5") == 2
    assert is_line_with(capsys.readouterr().err, "cribpi arena: ", file, "seed 1, not 5", "another name")
    assert Path(file).read_bytes() == before


def test_two_cannot_add_to_one_file_and_the_second_is_told_so_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept.json"
    asked = ("thrifty", "chance", "--rules", "travel-61", "--out", str(file))
    told(capsys, *asked, "--games", "2")
    before = file.read_bytes()
    with locked(file):
        assert run(*asked, "--games", "4") == 2
        assert is_line_with(capsys.readouterr().err, "cribpi arena: ", file, "another cribpi arena", "name")
        assert file.read_bytes() == before
        assert run(*asked[:-1], str(tmp_path / "other.json"), "--games", "2") == 0
    capsys.readouterr()
    assert told(capsys, *asked, "--games", "4")["games"] == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.json", "other.json"], "nothing is left"


def test_a_file_is_held_from_before_it_is_read_until_all_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept.json"
    refused: list[str] = []

    def and_try(act: Callable[..., Any]) -> Callable[..., Any]:
        def tried(*arguments: object) -> object:
            with pytest.raises(UserError, match="another cribpi arena is writing to it"), locked(file):
                pass
            refused.append(act.__name__)
            return act(*arguments)

        return tried

    monkeypatch.setattr(arena, "load", and_try(load))
    monkeypatch.setattr(arena, "save", and_try(save))
    told(capsys, "thrifty", "chance", "--games", "2", "--out", str(file))
    assert refused[:2] == ["load", "save"]
    assert len(refused) > 2


def test_the_lock_of_one_that_was_killed_holds_nobody_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept.json"
    code = "import sys, os, pathlib; from cribpi.workshop.arena.file import locked\n"
    code += "with locked(pathlib.Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    ended = subprocess.run([sys.executable, "-c", code, str(file)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert told(capsys, "thrifty", "chance", "--games", "2", "--out", str(file))["games"] == 2
    assert list(tmp_path.iterdir()) == [file]


def test_who_waited_for_a_lock_that_is_taken_away_takes_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that ends takes its lock's file away between another's opening and locking of it."""
    file, flock = tmp_path / "kept.json", fcntl.flock
    first = locked(file)
    first.__enter__()
    taken: list[int] = []

    def late(descriptor: int, how: int) -> None:
        if not taken:
            first.__exit__(None, None, None)
        taken.append(descriptor)
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with locked(file):
        assert len(taken) == 2
        with pytest.raises(UserError, match="another cribpi arena"), locked(file):
            pass


def test_who_watches_sees_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    assert run("thrifty", "chance", "--games", "4") == 0
    shown = screen.getvalue().split("\r\x1b[K")
    assert shown[1] == "[..............................] 0 of 4 games"
    assert shown[2].startswith("[###############...............] 2 of 4 games, thrifty 100.0 %, ")
    assert shown[-2].startswith("[##############################] 4 of 4 games")
    assert shown[-1] == "", "the bar is gone at the end"


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_prints_what_there_is_and_the_rest_is_played_later(jobs: int, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    asked = ["thrifty", "chance", "--games", "100000", "--out", str(file), "--json", "--jobs", str(jobs)]
    program = (
        "import signal, sys\nfrom cribpi.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # also where tests run in the background\n"
        "sys.exit(main(['arena', *sys.argv[1:]]))\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", program, *asked],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _until_some_are_kept(file)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    found = json.loads(out)
    assert found["games"] == json.loads(file.read_text())["sums"]["games"] > 0
    assert err == f"cribpi arena: stopped after {found['games']:,} games\n"


def test_ctrl_c_while_the_file_is_written_leaves_there_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, saves = tmp_path / "kept.json", itertools.count()

    def interrupted(path: Path, asked: Contest, sums: Sums) -> None:
        if next(saves) == 1:  # the first is that of an empty file
            signal.raise_signal(signal.SIGINT)
        save(path, asked, sums)

    monkeypatch.setattr(arena, "save", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert run("thrifty", "chance", "--games", "100000", "--out", str(file), "--json") == arena.STOPPED
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler, "afterwards it is heard again"
    finally:
        signal.signal(signal.SIGINT, before)
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == json.loads(file.read_text())["sums"]["games"] == 2


def test_who_is_killed_leaves_a_file_that_can_be_taken_up_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept.json"
    asked = ["thrifty", "chance", "--games", "100000", "--out", str(file), "--jobs", "2"]
    running = subprocess.Popen(command("arena", *asked))
    _until_some_are_kept(file)
    running.kill()
    running.wait()
    kept = json.loads(file.read_text())["sums"]
    more = ("--games", str(kept["games"] + 2), "--out", str(file), "--json")
    assert run("thrifty", "chance", *more) == 0
    assert json.loads(capsys.readouterr().out)["games"] == kept["games"] + 2


def _until_some_are_kept(file: Path) -> None:
    ends, never = time.monotonic() + PATIENCE, threading.Event()
    while time.monotonic() < ends:
        if file.exists() and json.loads(file.read_text())["sums"].get("games"):
            return
        never.wait(0.02)
    raise AssertionError("nothing was ever kept")


def test_a_number_of_jobs_that_no_machine_has_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("thrifty", "chance", "--jobs", "65") == 2
    assert "--jobs 65" in capsys.readouterr().err


# --- programs of others -----------------------------------------------------------------------------


@needs_confinement
def test_an_engine_plays_a_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    player = engine(tmp_path)
    found = told(capsys, player, "thrifty", "--games", "2")
    assert found["games"] == 2
    assert isinstance(found["a"], dict)
    assert found["a"]["name"] == player
    assert found["a"]["handed_over"] == 0
    assert run("thrifty", player, "--games", "2") == 0
    assert f"...{player[-21:]}" in capsys.readouterr().out
    until(lambda: not running(tmp_path))


@needs_confinement
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_engine_that_fails_is_counted_and_named_once_with_what_it_wrote(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    jobs: str,
) -> None:
    player = engine(tmp_path, FIRST_CARDS + "if 'starter' in position: 1 / 0")
    assert run(player, "thrifty", "--games", "4", "--jobs", jobs, "--json") == 0
    assert json.loads(capsys.readouterr().out)["a"]["handed_over"] == 4
    if jobs == "1":  # the others log for themselves
        assert (
            caplog.text.count("thrifty plays on in its place; it wrote 'ZeroDivisionError: division by zero'")
            == 1
        )
    until(lambda: not running(tmp_path))


@needs_confinement
def test_an_engine_remembers_nothing_of_a_mirrored_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else it would know every card of the second."""
    first = "if os.path.exists('games'): 1 / 0\nopen('games', 'w').close(); games = 0"
    begun = "if 'starter' not in position and not position['scores'].strip('0-'):\n    games += 1\n"
    player = engine(tmp_path, f"{begun}    assert games < 2\n{FIRST_CARDS}", first)
    found = told(capsys, player, player, "--games", "4")
    assert isinstance(found["a"], dict)
    assert found["a"]["handed_over"] == 0


@needs_confinement
@pytest.mark.parametrize(
    ("first", "why"),
    [
        ("say('cannot play cribbage'); sys.exit()", "can't play this: it refused; it wrote 'play cribbage'"),
        (
            "1 / 0",
            "can't play this: it ended with exit code 1; it wrote 'ZeroDivisionError: division by zero'",
        ),
    ],
)
def test_an_engine_that_does_not_begin_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], first: str, why: str
) -> None:
    player = engine(tmp_path, first=first)
    assert run("thrifty", player) == 2
    assert capsys.readouterr().err == f"cribpi arena: {player} {why}\n"


def test_one_that_is_trusted_plays_everywhere_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "confined", lambda *_: pytest.fail("it is confined"))
    assert run(engine(tmp_path), "thrifty", "--games", "2", "--trust-engines", "--json") == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["a"]["handed_over"] == 0
    assert told.err == f"cribpi arena: {sandbox.UNCONFINED}\n"


def test_an_engine_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("thrifty", "exec:./nowhere") == 2
    assert "'./nowhere' is not a program that can be run" in capsys.readouterr().err
