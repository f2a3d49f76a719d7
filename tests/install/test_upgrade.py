"""An upgrade: the new program beside the old, switched at once, and back if it does not serve."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import debian
import fallback
import guard
import install
import ours
import pytest
import slots
import steps

from cribpi.companion import installed
from cribpi.companion.journal import database, location
from cribpi.companion.journal.journal import StateFolder

SYSTEMD = Path(steps.__file__).parent

OLD, NEW = "old", "new"


class KilledError(BaseException):
    """The plug was pulled."""


@dataclass
class Pi:
    """A machine below *root* whose commands are stand-ins: its service runs what the link leads to."""

    root: Path
    monkeypatch: pytest.MonkeyPatch

    def stand_in(self, command: str, script: str) -> Path:
        folder = self.root / "stand-ins"
        folder.mkdir(exist_ok=True)
        path = folder / command
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def lay_out(self) -> None:
        here = self.root
        self.stand_in("dpkg-query", "printf 'install ok installed'")
        for command in ("udevadm", "modprobe"):
            self.stand_in(command, "exit 0")
        python = self.stand_in(
            "python3",
            f"""case "$*" in
"-m venv"*) for last; do :; done; mkdir -p "$last/bin"; cp "$0" "$last/bin/python";;
*"pip install"*) grep -q nowhere {here}/next && exit 1; cp {here}/next "$(dirname "$0")/cribpi";;
esac""",
        )
        self.stand_in(
            "systemctl",
            f"""echo "$*" >>{here}/asked
program=$(cat {here}/{slots.VENV}/bin/cribpi)
case "$*" in
"restart cribpi"|"start --no-block cribpi") rm -f {here}/running
  case $program in *broken*) exit 1;; *) echo "$program" >{here}/running;; esac;;
"stop cribpi") rm -f {here}/running;;
"is-active "*) test -e {here}/running;;
*MainPID*) if test -e {here}/running; then echo 42; else echo 0; fi;;
*NeedDaemonReload*) echo no;;
esac""",
        )
        self.monkeypatch.setenv("PATH", f"{here / 'stand-ins'}:{os.environ['PATH']}")
        self.monkeypatch.setattr(sys, "executable", str(python))
        self.monkeypatch.setattr(install, "MACHINE", here)
        self.monkeypatch.setattr(os, "geteuid", lambda: 0)
        self.monkeypatch.setattr(install, "is_running", lambda: True)
        self.monkeypatch.setattr(install, "user", lambda: steps.Step("user", lambda: True, lambda: None))
        self.monkeypatch.setattr(install, "blocking_reason", lambda _port: None)
        self.monkeypatch.setattr(fallback, "page_answers", lambda _port: "mute" not in self.running)
        self.monkeypatch.setattr(fallback, "WITHIN", 0.0)
        self.monkeypatch.setattr(install, "modules_now", lambda *_: False)
        self.monkeypatch.setattr(os, "sync", lambda: None)  # it waits for what others write, too
        self.monkeypatch.setattr(
            steps, "fingerprint", lambda _source: (here / "next").read_text(encoding="utf-8")
        )

    def install(self, program: str) -> int:
        """Install *program*, a word; one with "broken" in it does not start."""
        (self.root / "next").write_text(program, encoding="utf-8")
        return install.main([])

    def of_before(self) -> None:
        """Lay out an installation as it was when the program had one place."""
        self.install(OLD)
        link = self.root / slots.VENV
        folder = slots.used(self.root)
        link.unlink()
        folder.rename(link)
        (link / Path(steps.STAMP).name).rename(self.root / steps.OLD_STAMP)

    @property
    def running(self) -> str:
        path = self.root / "running"
        return path.read_text(encoding="utf-8").strip() if path.exists() else ""

    @property
    def program(self) -> str:
        """What the service would start now: a whole program, or an error."""
        assert (self.root / slots.VENV / "bin" / "python").exists()
        return (self.root / slots.VENV / "bin" / "cribpi").read_text(encoding="utf-8")

    @property
    def unit(self) -> Path:
        return self.root / steps.UNIT

    @property
    def journal(self) -> Path:
        return self.root / steps.STATE / "journal.db"

    def is_tidy(self) -> bool:
        """Return whether nothing of an upgrade is left but the one program."""
        home = {path.name for path in (self.root / steps.HOME).iterdir()}
        return len(home) == 2 and home < {"venv", "venv-1", "venv-2"}


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pi:
    found = Pi(tmp_path, monkeypatch)
    found.lay_out()
    debian.update.cache_clear()
    return found


@pytest.mark.parametrize("is_of_before", [False, True])
def test_a_new_program_takes_the_place_of_the_old_one(*, is_of_before: bool, pi: Pi) -> None:
    if is_of_before:
        pi.of_before()
    else:
        assert pi.install(OLD) == 0
    assert pi.running == OLD
    for program in (NEW, "newer"):
        assert pi.install(program) == 0
        assert (pi.program, pi.running) == (program, program)
        assert pi.is_tidy()
    asked = (pi.root / "asked").read_text(encoding="utf-8").count("restart cribpi")
    assert pi.install("newer") == 0
    assert (pi.root / "asked").read_text(encoding="utf-8").count("restart cribpi") == asked


@pytest.mark.parametrize("is_of_before", [False, True])
def test_one_that_does_not_start_gives_way_to_the_old_one_and_its_unit(
    *, is_of_before: bool, pi: Pi, capsys: pytest.CaptureFixture[str]
) -> None:
    if is_of_before:
        pi.of_before()
    else:
        pi.install(OLD)
    pi.unit.write_text("# of the old one\n", encoding="utf-8")
    (pi.root / steps.FILES[4][1]).unlink()
    capsys.readouterr()
    assert pi.install("broken") == 2
    assert capsys.readouterr().err == (
        "install: the new program does not start; the old one runs again, with all games: "
        "`journalctl -u cribpi` shows why\n"
    )
    assert (pi.program, pi.running) == (OLD, OLD)
    assert pi.unit.read_text(encoding="utf-8") == "# of the old one\n"
    assert not (pi.root / steps.FILES[4][1]).exists()
    assert not (pi.root / steps.RESTART_DUE).exists()
    assert pi.install(NEW) == 0
    assert pi.running == NEW
    assert pi.is_tidy()


def test_one_that_ends_soon_after_it_said_that_it_is_ready_gives_way_too(pi: Pi) -> None:
    pi.install(OLD)
    pi.monkeypatch.setattr(fallback, "WITHIN", 60.0)

    def ended(_port: int) -> bool:
        (pi.root / "running").unlink()
        return False

    pi.monkeypatch.setattr(fallback, "page_answers", ended)
    pi.monkeypatch.setattr("time.sleep", lambda _seconds: None)
    assert pi.install(NEW) == 2
    assert (pi.program, pi.running) == (OLD, OLD)


def test_one_whose_page_is_mute_but_that_goes_on_running_stays(pi: Pi) -> None:
    pi.install(OLD)
    pi.monkeypatch.setattr(fallback, "WITHIN", 0.1)
    pi.monkeypatch.setattr("time.sleep", lambda _seconds: None)
    assert pi.install("mute") == 0
    assert pi.running == "mute"


def test_there_is_nothing_to_go_back_to_if_the_old_one_did_not_run(
    pi: Pi, capsys: pytest.CaptureFixture[str]
) -> None:
    pi.install(OLD)
    (pi.root / "running").unlink()
    assert pi.install("broken") == 2
    assert "`journalctl -u cribpi` shows why it does not start" in capsys.readouterr().err
    assert pi.program == "broken"
    assert pi.install(NEW) == 0
    assert pi.running == NEW
    assert pi.is_tidy()


def test_one_that_cannot_be_fetched_leaves_the_card_as_it_was(pi: Pi) -> None:
    pi.install(OLD)
    assert pi.install("nowhere") == 2
    assert (pi.program, pi.running) == (OLD, OLD)
    assert not slots.spare(pi.root).exists()
    assert pi.install(OLD) == 0
    assert pi.is_tidy()


@pytest.mark.parametrize("broken", ["", "broken"])
def test_if_the_card_refuses_in_the_middle_the_service_is_started_and_the_next_run_ends_it(
    broken: str, pi: Pi
) -> None:
    """As a card that is full: when the games are copied, or when the old files are put back."""
    pi.install(OLD)
    games(pi)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def refuse(*_: object, **__: object) -> None:
        raise full

    with pi.monkeypatch.context() as changes:
        changes.setattr(fallback, "write_whole" if broken else "put", refuse)
        assert pi.install(broken or NEW) == 2
    assert pi.running == ("" if broken else OLD)
    assert "start --no-block cribpi" in (pi.root / "asked").read_text(encoding="utf-8")
    assert pi.install(NEW) == 0
    assert pi.running == NEW
    assert pi.is_tidy()


def test_what_somebody_has_added_to_the_program_stays(pi: Pi) -> None:
    pi.install(OLD)
    added = Path("lib") / "python{}.{}".format(*sys.version_info[:2]) / "site-packages" / "paho"
    (slots.used(pi.root) / added).mkdir(parents=True)
    pi.install(NEW)
    assert (pi.root / slots.VENV / added).is_dir()


def test_a_removal_takes_both_places(pi: Pi) -> None:
    pi.install(OLD)
    shutil.copytree(slots.used(pi.root), slots.spare(pi.root))
    assert f"/{slots.SLOTS[1]}" in [what for _, what in ours.removed(pi.root)]
    assert not (pi.root / steps.HOME).exists()


# --- a plug that is pulled ---


def killed_at(number: int, pi: Pi, program: str) -> bool:
    """Install *program*, and pull the plug before change *number*; return whether there was one."""
    left = number

    def pulled(call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401  any call
            nonlocal left
            left -= 1
            if left <= 0:
                raise KilledError
            return call(*arguments, **named)

        return instead

    with pi.monkeypatch.context() as changes, suppress(KilledError):
        for module, name in (
            *((os, name) for name in ("rename", "replace", "symlink", "unlink", "mkdir", "rmdir", "fsync")),
            (subprocess, "run"),
            (slots, "exchange"),
            (shutil, "rmtree"),
        ):
            changes.setattr(module, name, pulled(getattr(module, name)))
        pi.install(program)
        return False
    return True


@pytest.mark.parametrize("is_of_before", [False, True])
@pytest.mark.parametrize("program", [NEW, "broken"])
def test_a_plug_that_is_pulled_leaves_the_old_program_or_the_new_one_and_the_next_run_ends_it(
    program: str,
    *,
    is_of_before: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    whole: bool,
) -> None:
    number, seen, pace = 0, set(), 1 if whole else 9
    while True:
        number += pace
        (tmp_path / str(number)).mkdir()
        pi = Pi(tmp_path / str(number), monkeypatch)
        pi.lay_out()
        if is_of_before:
            pi.of_before()
        else:
            pi.install(OLD)
        games(pi)
        if not killed_at(number, pi, program):
            break
        seen.add(pi.program)
        assert pi.program in {OLD, program}
        assert games_of(pi) == 3
        assert pi.install(program) == (0 if program == NEW else 2)
        assert pi.is_tidy() or program != NEW
        shutil.rmtree(pi.root)
    assert seen == {OLD, program}
    assert number > 40


# --- games ---


def games(pi: Pi) -> None:
    """Let there be a journal with three steps, as version 1 or later has it, that nobody has open."""
    pi.journal.parent.mkdir(parents=True, exist_ok=True)
    held = StateFolder(pi.journal.parent)
    held.open_journal()[0].close()
    held.close()
    step(pi.journal, 3)


def step(journal: Path, count: int = 1) -> None:
    with closing(sqlite3.connect(journal)) as db, db:
        for _ in range(count):
            db.execute("INSERT INTO steps (at, act, depth) VALUES ('', 'undo', 0)")


def games_of(pi: Pi) -> int:
    found: int = database.settled(
        pi.journal, lambda db: db.execute("SELECT count(*) FROM steps").fetchone()[0]
    )
    return found


@pytest.fixture
def upgraded(pi: Pi) -> Pi:
    """A Pi whose new program has begun with a journal that it has made a newer one of."""
    pi.install(OLD)
    games(pi)
    fallback.keep_files(pi.root)
    fallback.keep_games(pi.root)
    pi.monkeypatch.setattr(database, "VERSION", database.VERSION + 1)
    with closing(sqlite3.connect(pi.journal)) as db:
        db.execute(f"PRAGMA user_version={database.VERSION}")
    shutil.copytree(slots.used(pi.root), slots.spare(pi.root))
    slots.switch(pi.root, slots.spare(pi.root))
    return pi


def test_games_are_copied_before_for_their_owner_alone(upgraded: Pi) -> None:
    copy = upgraded.journal.with_name(fallback.COPY)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert copy.stat().st_uid == upgraded.journal.stat().st_uid
    assert {path.name for path in upgraded.journal.parent.iterdir()} <= {"journal.db", "lock", copy.name}


def test_games_that_only_the_new_program_can_read_are_put_back_if_it_answered_nothing(
    upgraded: Pi,
) -> None:
    fallback.go_back(upgraded.root, "it does not start")
    assert database.settled(upgraded.journal, database.version_of) == database.VERSION - 1
    assert games_of(upgraded) == 3
    assert upgraded.journal.with_name("journal-aside-1.db").exists(), "nothing is ever thrown away"
    assert not any(path.exists() for path in location.copies(upgraded.journal))


def test_a_game_that_went_on_in_the_new_program_is_never_lost(upgraded: Pi) -> None:
    step(upgraded.journal)
    there = slots.used(upgraded.root)
    with pytest.raises(steps.Failed, match="your games went on in it and the old program can't read them"):
        fallback.go_back(upgraded.root, "it does not start")
    assert games_of(upgraded) == 4
    assert slots.used(upgraded.root) == there
    assert (upgraded.root / steps.KEPT).exists()


def test_games_that_both_can_read_stay_as_the_new_program_left_them(pi: Pi) -> None:
    pi.install(OLD)
    games(pi)
    fallback.keep_files(pi.root)
    fallback.keep_games(pi.root)
    step(pi.journal)
    shutil.copytree(slots.used(pi.root), slots.spare(pi.root))
    fallback.go_back(pi.root, "it does not start")
    assert games_of(pi) == 4


@pytest.mark.parametrize("is_newer", [True, False])
def test_the_copy_stays_if_the_old_program_could_not_read_the_games(*, is_newer: bool, upgraded: Pi) -> None:
    if not is_newer:
        with closing(sqlite3.connect(upgraded.journal)) as db:
            db.execute(f"PRAGMA user_version={database.VERSION - 1}")
    fallback.release(upgraded.root)
    assert upgraded.journal.with_name(fallback.COPY).exists() is is_newer


# --- what was installed ---


def test_it_is_written_down_what_was_installed(pi: Pi) -> None:
    pi.install(OLD)
    found = installed.source(pi.root)
    assert found is not None
    assert found.checkout == str(steps.CHECKOUT)
    changes = (pi.root / installed.CHANGES).read_text(encoding="utf-8")
    assert changes == (steps.CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_where_names_cannot_be_swapped_at_once_they_are_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Libc:
        def renameat2(self, *_arguments: object) -> int:
            return -1

    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: Libc())
    (tmp_path / "one").mkdir()
    (tmp_path / "other").touch()
    slots.exchange(tmp_path / "one", tmp_path / "other")
    assert (tmp_path / "other").is_dir()
    assert (tmp_path / "one").is_file()
    assert len(list(tmp_path.iterdir())) == 2


def test_the_page_is_asked_at_the_port_that_the_service_told_systemd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "going_on", lambda port: "" if port == 8200 else None)
    monkeypatch.setattr(guard, "printed", lambda *_: "StatusText=page at http://127.0.0.1:8200/; all well")
    assert guard.page_answers(8121)
    monkeypatch.setattr(guard, "printed", lambda *_: "ActiveState=active")
    assert not guard.page_answers(8121)


def test_every_file_of_ours_but_the_settings_is_kept_for_the_way_back() -> None:
    """The drop-ins that phones, voice and WLED bring belong to a version, too."""
    drop_ins = {f"{steps.DROP_INS}/{file.name}" for file in SYSTEMD.glob("*.conf")} - {
        f"{steps.DROP_INS}/pwm.conf"
    }
    assert drop_ins <= set(fallback._VERSION_FILES)
    assert steps.CONFIG not in fallback._VERSION_FILES
