"""The installation: files staged as the docs list them, boot settings offered, and no upgrade in a game."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import debian
import guard
import install
import ours
import pytest
import slots
import sound
import steps
import strip_library
from boot_settings import BoardNeeds, cmdline_txt, config_txt
from hypothesis import example, given
from hypothesis import strategies as st
from support import pages
from support.paths import SYSTEMD
from support.server import ask, companion

from cribpi.companion.doctor.machine import MachineFiles
from cribpi.companion.kit import Kit
from cribpi.companion.kit.reader import kit_names, load_kit
from cribpi.companion.run.config import Config, PageConfig, ScreenConfig, SoundConfig, read_config

PAGE = pages.DOCS / "how-to" / "install.md"
INSTALLED = pages.DOCS / "reference" / "installed.md"
PI_3, PI_4, PI_5 = (
    "Raspberry Pi 3 Model B Plus Rev 1.3",
    "Raspberry Pi 4 Model B Rev 1.4",
    "Raspberry Pi 5 Model B Rev 1.0",
)
ZERO = "Raspberry Pi Zero 2 W Rev 1.0"
MODELS = (PI_3, PI_4, PI_5, ZERO, None)

# As Raspberry Pi OS brings it, in short.
BOOKWORM = """\
# For more options and information see
# http://rptl.io/configtxt
# Uncomment some or all of these to enable the optional hardware interfaces
#dtparam=i2c_arm=on
#dtparam=spi=on

# Enable audio (loads snd_bcm2835)
dtparam=audio=on
dtoverlay=vc4-kms-v3d
arm_64bit=1

[cm4]
otg_mode=1

[all]
"""


def installer(
    *arguments: str, stdin: str | None = None, systemd: Path = SYSTEMD
) -> subprocess.CompletedProcess[str]:
    """Run the installer as the Pi's system does: with no package but the standard library."""
    command = [sys.executable, "-I", "-S", str(systemd / "install.py"), *arguments]
    return subprocess.run(command, input=stdin or "", capture_output=True, text=True, check=False)


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, script: str) -> None:
    """Let *script*, of the shell, be found as the machine's *command*: the tests change nothing of the
    machine."""
    folder.mkdir(exist_ok=True)
    path = folder / command
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    if not os.environ["PATH"].startswith(f"{folder}:"):
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def found(root: Path) -> dict[str, tuple[int, int, int, bytes]]:
    """Return each file below *root*: owner, group, mode, and what is in it."""
    files = {}
    for path in root.rglob("*"):
        status = path.lstat()
        if not stat.S_ISDIR(status.st_mode):
            text = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
            mode = stat.S_IMODE(status.st_mode)
            files[f"/{path.relative_to(root)}"] = (status.st_uid, status.st_gid, mode, text)
    return files


def listed() -> dict[str, tuple[int, int]]:
    """Return owner and mode of each file as the page lists them; who is not root installs as what he is."""
    rows = pages.rows(pages.section(pages.read(INSTALLED), "## Files"))
    return {
        path.strip("`"): (os.getuid(), int(mode, 8))
        for path, owner, mode, *_ in rows
        if owner == "root" and not path.startswith("`/opt")
    }


# --- what is put where ---


def test_the_files_are_those_of_the_page_and_a_second_run_changes_nothing(tmp_path: Path) -> None:
    first = installer("--destdir", str(tmp_path))
    assert (first.returncode, first.stderr) == (0, "")
    files = found(tmp_path)
    assert {path: (owner, mode) for path, (owner, _, mode, _) in files.items()} == listed()
    times = {path: path.lstat().st_mtime_ns for path in tmp_path.rglob("*")}
    second = installer("--destdir", str(tmp_path))
    assert "done" not in second.stdout
    assert second.stdout.count("unchanged") == len(files)
    assert found(tmp_path) == files
    assert {path: path.lstat().st_mtime_ns for path in tmp_path.rglob("*")} == times


def test_modes_do_not_hang_on_the_umask_of_who_installs(tmp_path: Path) -> None:
    command = f"umask 077; exec {sys.executable} -I -S {SYSTEMD / 'install.py'} --destdir {tmp_path / 'root'}"
    subprocess.run(["sh", "-c", command], check=True, capture_output=True)
    assert {path: mode for path, (_, _, mode, _) in found(tmp_path / "root").items()} == {
        path: mode for path, (_, mode) in listed().items()
    }
    folders = [path for path in (tmp_path / "root").rglob("*") if path.is_dir()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o755}


def test_make_installs_the_same_and_removes_it(tmp_path: Path) -> None:
    # `make test ARGS=...` hands what it was told to every make below it: this one is told nothing.
    told = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "ARGS")
    alone = {name: value for name, value in os.environ.items() if name not in told}

    def make(target: str) -> str:
        command = ["make", "-s", target, f"DESTDIR={tmp_path}"]
        done = subprocess.run(
            command, cwd=SYSTEMD.parent, env=alone, check=False, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    make("install")
    assert set(found(tmp_path)) == set(listed())
    games = tmp_path / "var/lib/cribpi/journal.db"
    games.parent.mkdir(parents=True)
    games.write_bytes(b"games")
    assert "left        the games, in /var/lib/cribpi" in make("uninstall")
    assert list(found(tmp_path)) == ["/var/lib/cribpi/journal.db"]
    assert "removed" not in make("uninstall")


def test_settings_that_are_there_are_never_touched_and_files_that_were_changed_are_put_right(
    tmp_path: Path,
) -> None:
    installer("--destdir", str(tmp_path))
    settings, unit = tmp_path / "etc/cribpi/config.toml", tmp_path / "etc/systemd/system/cribpi.service"
    settings.write_text('kit = "table-3"\n', encoding="utf-8")
    settings.chmod(0o640)
    unit.write_text("[Unit]\n", encoding="utf-8")
    second = installer("--destdir", str(tmp_path))
    assert settings.read_text(encoding="utf-8") == 'kit = "table-3"\n'
    assert stat.S_IMODE(settings.stat().st_mode) == 0o640
    assert unit.read_bytes() == (SYSTEMD / "cribpi.service").read_bytes()
    assert re.findall(r"^done +(.*)$", second.stdout, flags=re.MULTILINE) == [
        "/etc/systemd/system/cribpi.service"
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [("port = 99999\n", "give a whole number from 1 to 65535"), ('kit = "tabel"\n', "tabel")],
)
def test_settings_that_make_no_sense_end_it_in_one_line(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "etc/cribpi").mkdir(parents=True)
    (tmp_path / "etc/cribpi/config.toml").write_text(text, encoding="utf-8")
    done = installer("--destdir", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr
    assert len(found(tmp_path)) == 1


@pytest.mark.parametrize(
    ("path", "is_folder", "arguments"),
    [
        ("etc/udev", False, ()),
        ("etc/sysusers.d/cribpi.conf", True, ()),
        ("etc/cribpi/config.toml", True, ("--uninstall",)),
    ],
)
def test_a_file_that_the_system_refuses_ends_it_in_one_line(
    path: str, *, is_folder: bool, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    there = tmp_path / path
    if is_folder:
        there.mkdir(parents=True)
    else:
        there.parent.mkdir(parents=True)
        there.write_text("somebody's own\n", encoding="utf-8")
    done = installer("--destdir", str(tmp_path), *arguments)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert re.fullmatch(rf"install: {tmp_path}/\S+: .*; check what is there, then try again\n", done.stderr)


def test_a_card_that_is_full_ends_it_with_its_remedy(tmp_path: Path) -> None:
    """The limit for one file stands for the card's end."""
    command = (
        f"ulimit -f 0; trap '' XFSZ; exec {sys.executable} -I -S {SYSTEMD / 'install.py'} --destdir "
        f"{tmp_path / 'root'}"
    )
    done = subprocess.run(["sh", "-c", f"({command}) 2>&1 | cat"], check=True, capture_output=True, text=True)
    assert done.stdout.count("\n") == 1
    assert "File too large".lower() in done.stdout
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/etc/cribpi/config.toml")
    assert install.refusal(full).endswith("; make room there, then try again")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_nobody_but_root_installs_on_the_machine_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert install.main([]) == 2
    assert capsys.readouterr().err == "install: only root may do this; run it with sudo\n"


@pytest.mark.parametrize(
    "model",
    [
        *("Raspberry Pi Zero W Rev 1.1", "Raspberry Pi Zero Rev 1.3", "Raspberry Pi Model B Plus Rev 1.2"),
        *("Raspberry Pi Model A Plus Rev 1.1", "Raspberry Pi Compute Module Rev 1.0"),
        "Raspberry Pi 2 Model B Rev 1.1",
    ],
)
def test_a_board_that_runs_no_64_bit_system_is_refused_before_anything_is_done(
    model: str, tmp_path: Path
) -> None:
    refused = installer("--destdir", str(tmp_path), "--model", model)
    assert (refused.returncode, refused.stdout, list(tmp_path.iterdir())) == (2, "", [])
    assert refused.stderr == (
        f"install: {model} runs 32-bit systems only, and cribpi needs a 64-bit one: use {debian.BOARDS}\n"
    )


@pytest.mark.parametrize(
    "model", [*MODELS, "Raspberry Pi 2 Model B Rev 1.2", "Raspberry Pi Compute Module 4 Rev 1.0"]
)
def test_a_32_bit_system_on_another_board_is_refused_with_the_right_card(model: str | None) -> None:
    debian.check_bits(model)
    with pytest.raises(steps.Failed, match=r"write the card anew, and choose Raspberry Pi OS \(64-bit\)"):
        debian.check_bits(model, is_64_bit=False)


def test_the_packages_and_folders_are_those_of_the_page() -> None:
    text = pages.read(INSTALLED)
    for package in (*debian.PACKAGES, debian.PINS, *debian.COMPILER):
        assert f"`{package}`" in text
    for folder in (slots.VENV, steps.STATE):
        assert f"| `/{folder}` |" in text


# --- what is somebody's own ---


def checkout_at(path: Path) -> Path:
    """Copy what the installer needs of the checkout to *path*; return that."""
    for name in ("systemd", "cribpi", "hardware/kits"):
        shutil.copytree(steps.CHECKOUT / name, path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return path


def test_a_checkout_where_the_program_is_put_is_refused_and_neither_way_removed(tmp_path: Path) -> None:
    checkout = checkout_at(tmp_path / "opt/cribpi")
    before = found(tmp_path)
    done = installer("--destdir", str(tmp_path), systemd=checkout / "systemd")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "move it into your own folder" in done.stderr
    assert found(tmp_path) == before
    gone = installer("--destdir", str(tmp_path), "--uninstall", systemd=checkout / "systemd")
    assert f"left        /{steps.HOME}: an installation did not put it there\n" in gone.stdout
    assert found(tmp_path) == before


def test_so_is_one_that_a_link_leads_to_and_a_wheel(tmp_path: Path) -> None:
    checkout = checkout_at(tmp_path / "checkout")
    root = tmp_path / "root"
    (root / "opt").mkdir(parents=True)
    (root / steps.HOME).symlink_to(checkout)
    linked = installer("--destdir", str(root), systemd=checkout / "systemd")
    assert "move it into your own folder" in linked.stderr
    wheel = tmp_path / "opt/cribpi/dist/cribpi-1-py3-none-any.whl"
    wheel.parent.mkdir(parents=True)
    wheel.touch()
    assert "move it into" in installer("--destdir", str(tmp_path), "--wheel", str(wheel)).stderr


def test_a_folder_that_is_not_ours_is_neither_filled_nor_removed(tmp_path: Path) -> None:
    own = tmp_path / steps.HOME / "venv" / "pyvenv.cfg"
    own.parent.mkdir(parents=True)
    own.write_text("home = /usr/bin\n", encoding="utf-8")
    done = installer("--destdir", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is not empty, and was not put there by an installation; move it away" in done.stderr
    installer("--destdir", str(tmp_path), "--uninstall")
    assert list(found(tmp_path)) == [f"/{slots.VENV}/pyvenv.cfg"]


@pytest.mark.parametrize("mark", [steps.STAMP, steps.OLD_STAMP, steps.RESTART_DUE])
def test_one_that_is_ours_is_removed_also_after_an_installation_that_was_broken_off(
    mark: str, tmp_path: Path
) -> None:
    (tmp_path / slots.VENV / "bin").mkdir(parents=True)
    (tmp_path / slots.VENV / "bin" / "python").touch()
    (tmp_path / mark).touch()
    assert installer("--destdir", str(tmp_path)).returncode == 0
    notes = tmp_path / steps.HOME / "notes"
    notes.touch()
    kept = installer("--destdir", str(tmp_path), "--uninstall").stdout
    assert f"left        /{steps.HOME}, with your own: notes\n" in kept
    assert list(found(tmp_path)) == [f"/{steps.HOME}/notes"]
    notes.unlink()
    (tmp_path / mark).parent.mkdir(exist_ok=True)
    (tmp_path / mark).touch()
    assert f"removed     /{steps.HOME}\n" in installer("--destdir", str(tmp_path), "--uninstall").stdout
    assert not (tmp_path / steps.HOME).exists()


@pytest.mark.parametrize("is_link", [False, True])
def test_a_command_of_ones_own_is_neither_replaced_nor_removed(*, is_link: bool, tmp_path: Path) -> None:
    own = tmp_path / steps.LINK
    own.parent.mkdir(parents=True)
    if is_link:
        own.symlink_to("/somewhere/else")
    else:
        own.write_text("#!/bin/sh\n", encoding="utf-8")
    before = found(tmp_path)
    done = installer("--destdir", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"{own} is not what an installation put there; move it away" in done.stderr
    gone = installer("--destdir", str(tmp_path), "--uninstall")
    assert f"left        /{steps.LINK}: " in gone.stdout
    assert found(tmp_path) == before


def test_kits_of_ones_own_and_changes_to_the_unit_are_left_and_named(tmp_path: Path) -> None:
    installer("--destdir", str(tmp_path))
    kit = tmp_path / "etc/cribpi/oak.toml"
    kit.write_text('title = "Oak"\n', encoding="utf-8")
    drop_ins = tmp_path / steps.DROP_INS
    drop_ins.mkdir()
    shutil.copy(SYSTEMD / "pwm.conf", drop_ins)
    (drop_ins / "override.conf").touch()
    gone = installer("--destdir", str(tmp_path), "--uninstall").stdout
    assert set(found(tmp_path)) == {"/etc/cribpi/oak.toml", f"/{steps.DROP_INS}/override.conf"}
    assert "left        /etc/cribpi, with your own: oak.toml\n" in gone
    assert f"left        /{steps.DROP_INS}, with your own changes to the unit: override.conf\n" in gone


VOICE = {f"/{path}" for _, path in steps.SOUND_FILES}


def test_the_voices_files_come_with_the_setting_and_go_with_it(tmp_path: Path) -> None:
    assert not VOICE & set(listed()), "nobody else has them"
    settings_of(tmp_path, "[sound]\nvoice = true\n")
    assert installer("--destdir", str(tmp_path)).returncode == 0
    assert set(found(tmp_path)) >= VOICE
    assert "done" not in installer("--destdir", str(tmp_path)).stdout
    settings_of(tmp_path, "")
    gone = installer("--destdir", str(tmp_path)).stdout
    assert gone.count("is removed: the voice is off") == 2
    assert not VOICE & set(found(tmp_path))
    assert "taken away" not in installer("--destdir", str(tmp_path)).stdout


PHONES = f"/{steps.DROP_INS}/phones.conf"


def test_phones_may_reach_the_service_once_somebody_has_said_so(tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        return installer("--destdir", str(tmp_path), *arguments).stdout

    assert PHONES not in run()
    assert not (tmp_path / PHONES[1:]).exists()
    assert f"done        {PHONES}" in run("--phones")
    assert "done" not in run(), "an upgrade leaves it as it is"
    assert (tmp_path / PHONES[1:]).exists()
    assert f"{PHONES} is removed: no phones" in run("--no-phones")
    settings_of(tmp_path, "[page]\nlan = true\n")
    assert f"done        {PHONES}" in run()
    assert f"removed     {PHONES}" in run("--uninstall")


def test_a_kit_with_a_wled_controller_lets_the_service_reach_it(tmp_path: Path) -> None:
    drop_in = f"/{steps.DROP_INS}/wled.conf"
    settings_of(tmp_path, 'kit = "wled"\n')
    assert f"done        {drop_in}" in installer("--destdir", str(tmp_path)).stdout
    assert "done" not in installer("--destdir", str(tmp_path)).stdout
    settings_of(tmp_path, 'kit = "numpad"\n')
    assert f"{drop_in} is removed: no WLED controller" in installer("--destdir", str(tmp_path)).stdout
    settings_of(tmp_path, 'kit = "wled"\n')
    installer("--destdir", str(tmp_path))
    assert f"removed     {drop_in}" in installer("--destdir", str(tmp_path), "--uninstall").stdout


def test_the_unit_for_engines_is_there_while_the_settings_name_one(tmp_path: Path) -> None:
    paths = [f"/{path}" for _, path in steps.ENGINE_FILES]
    assert not [path for path in paths if path in installer("--destdir", str(tmp_path)).stdout]
    settings_of(tmp_path, '[engines]\nfred = "/opt/fred/engine"\n')
    done = installer("--destdir", str(tmp_path)).stdout
    assert all(f"done        {path}" in done for path in paths)
    assert "done" not in installer("--destdir", str(tmp_path)).stdout
    settings_of(tmp_path, "")
    done = installer("--destdir", str(tmp_path)).stdout
    assert all(f"{path} is removed: no engine" in done for path in paths)
    settings_of(tmp_path, '[engines]\nfred = "/opt/fred/engine"\n')
    installer("--destdir", str(tmp_path))
    removed = installer("--destdir", str(tmp_path), "--uninstall").stdout
    assert all(f"removed     {path}" in removed for path in paths)


@pytest.mark.parametrize(("answer", "wanted"), [("y", True), ("Yes ", True), ("", False), ("n", False)])
def test_the_first_installation_asks_for_phones_where_somebody_can_answer(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    wanted: bool,  # noqa: FBT001  a row of the table
) -> None:
    asked: list[str] = []

    def answered(question: str) -> str:
        asked.append(question)
        return answer

    monkeypatch.setattr("builtins.input", answered)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: False))
    assert install.asked_for_phones(tmp_path, is_staged=False) is None
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    assert install.asked_for_phones(tmp_path, is_staged=True) is None
    assert asked == []
    assert install.asked_for_phones(tmp_path, is_staged=False) is wanted
    unit = tmp_path / steps.UNIT
    unit.parent.mkdir(parents=True)
    unit.touch()
    assert install.asked_for_phones(tmp_path, is_staged=False) is None, "it is an upgrade"
    assert len(asked) == 1


def test_what_was_changed_in_them_stays_but_for_the_list_of_modules(tmp_path: Path) -> None:
    settings_of(tmp_path, "[sound]\nvoice = true\n")
    installer("--destdir", str(tmp_path))
    for path in VOICE:
        with (tmp_path / path[1:]).open("a", encoding="utf-8") as file:
            file.write("# mine\n")
    settings_of(tmp_path, "")
    installer("--destdir", str(tmp_path))
    assert set(found(tmp_path)) >= VOICE
    assert "changes to the unit: sound.conf" in installer("--destdir", str(tmp_path), "--uninstall").stdout


def test_a_kit_with_a_loudspeaker_brings_them_too(tmp_path: Path) -> None:
    plain = load_kit("table")
    loud = replace(plain, loudspeaker="plughw:1,0")
    names = [{step.name for step in install.staging(tmp_path, kit, SoundConfig())} for kit in (plain, loud)]
    assert names[1] - names[0] == VOICE


def test_without_its_programs_the_installation_goes_on(apt: Apt) -> None:
    apt.lay_out(known="", refused="espeak-ng")
    step = sound.packages()
    assert not step.is_done()
    with pytest.raises(steps.Left, match="the voice: "):
        step.do()
    apt.lay_out(known="")
    step.do()
    assert step.is_done()
    assert apt.log[-1].endswith("espeak-ng alsa-utils")


@pytest.mark.parametrize("is_ours", [True, False])
def test_the_drop_in_for_pwm_goes_where_it_is_as_we_wrote_it(*, is_ours: bool, tmp_path: Path) -> None:
    installer("--destdir", str(tmp_path))
    drop_in = tmp_path / steps.DROP_INS / "pwm.conf"
    drop_in.parent.mkdir()
    drop_in.write_bytes((SYSTEMD / "pwm.conf").read_bytes() + (b"" if is_ours else b"Nice=5\n"))
    gone = installer("--destdir", str(tmp_path), "--uninstall").stdout
    assert drop_in.exists() is not is_ours
    assert drop_in.parent.exists() is not is_ours
    assert ("changes to the unit: pwm.conf" in gone) is not is_ours


@pytest.mark.parametrize(
    ("kit", "words"),
    [
        ("/home/ann/oak.toml", "the service cannot see into /home; copy it to /etc/cribpi/oak.toml"),
        ("/root/oak.toml", "the service cannot see into /root; copy it"),
        ("/run/user/1000/oak.toml", "the service cannot see into /run/user; copy it"),
        ("/tmp/oak.toml", "the service cannot see into /tmp; copy it"),  # noqa: S108  only named
        ("/etc/../home/ann/oak.toml", "the service cannot see into /home; copy it"),
        ("boards/oak.toml", 'needs the whole path; copy it to /etc/cribpi/oak.toml, and write kit = "/etc'),
    ],
)
def test_a_kit_that_the_service_cannot_see_is_refused_with_a_place_for_it(
    kit: str, words: str, tmp_path: Path
) -> None:
    settings = settings_of(tmp_path, f'kit = "{kit}"\n')
    done = installer("--destdir", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f'install: {settings}: kit = "{kit}": ' in done.stderr
    assert words in done.stderr
    assert len(found(tmp_path)) == 1


@pytest.mark.parametrize("kit", ["table", "/etc/cribpi/oak.toml", "/homes/oak.toml"])
def test_a_kit_that_it_can_see_is_not(kit: str, tmp_path: Path) -> None:
    ours.check_kit(kit, tmp_path / "config.toml")


# --- the settings ---


def test_every_setting_is_there_with_its_default_and_none_is_set(tmp_path: Path) -> None:
    file = SYSTEMD / "config.toml"
    assert read_config(file) == Config()
    shown = re.findall(r"^#(\w+ = .*|\[\w+\])$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    told = tomllib.loads("\n".join(shown))
    assert set(told) == {field.name for field in fields(Config)}
    assert told.pop("house"), "an example stands in for the house's own rules"
    assert told.pop("sound") == asdict(SoundConfig())
    assert told.pop("page") == asdict(PageConfig())
    assert told.pop("oled") == asdict(ScreenConfig())
    assert told.pop("mqtt")["host"], "an example stands in for none"
    assert told.pop("engines"), "so it does here"
    tables = {"engines", "house", "mqtt", "oled", "page", "sound"}
    defaults = {field.name: field.default for field in fields(Config) if field.name not in tables}
    assert told == {
        name: list(value) if isinstance(value, tuple) else value for name, value in defaults.items()
    }
    changed = tmp_path / "config.toml"
    changed.write_text("\n".join(shown), encoding="utf-8")
    assert read_config(changed).house


def test_every_setting_has_its_meaning_above_it() -> None:
    blocks = (SYSTEMD / "config.toml").read_text(encoding="utf-8").split("\n\n")[1:]
    assert len(blocks) == len(fields(Config))
    for block in blocks:
        meaning = [line for line in block.splitlines() if line.startswith("# ")]
        assert meaning, block


# --- boot settings ---


@pytest.mark.parametrize(
    ("model", "core"),
    [
        (PI_3, ["[pi3]", "core_freq=250", "[all]"]),
        (PI_4, ["[pi4]", "core_freq_min=500", "[all]"]),
        (PI_5, []),
        (ZERO, ["[pi02]", "core_freq=250", "[all]"]),
        (None, []),
    ],
)
def test_what_is_missing_is_added_at_the_end(model: str | None, core: list[str]) -> None:
    new = config_txt(BOOKWORM, model, BoardNeeds())
    assert new.startswith(BOOKWORM)
    assert new.removeprefix(BOOKWORM).split("\n") == [
        "",
        "# For cribpi's OLED and strip",
        "[all]",
        "dtoverlay=",
        "dtparam=i2c_arm=on",
        "dtparam=i2c_arm_baudrate=400000",
        "dtparam=spi=on",
        *core,
        "",
    ]


I2C = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
READ = [
    # old                                              adds                       why
    (f"{I2C}\ndtparam=spi=on\n", [], "several parameters in one line"),
    (f"{I2C}\ndtparam=spi\n", [], "a parameter alone is on"),
    ("dtparam=i2c=on\ndtparam=i2c_baudrate=400000\ndtparam=spi=on\n", [], "the bus's other name"),
    (f"{I2C}\n#dtparam=spi=on\n", ["dtparam=spi=on"], "a comment says nothing"),
    (f"{I2C}\ndtparam=spi=on\ndtparam=spi=off\n", ["dtparam=spi=on"], "the last word counts"),
    (f"{I2C}\n[pi5]\ndtparam=spi=on\n", ["dtparam=spi=on"], "a section for another board"),
    (f"{I2C}\n[pi4]\ndtparam=spi=on\n", [], "a section for this board"),
    (f"[pi5]\n[all]\n{I2C}\ndtparam=spi=on\n", [], "a section for all, after one for another"),
    (
        f"[none]\n{I2C}\n[all]\ndtparam=spi=on\n",
        ["dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"],
        "nobody's",
    ),
    (
        "dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=100000\ndtparam=spi=on",
        ["dtparam=i2c_arm_baudrate=400000"],
        "slow",
    ),
    (f"{I2C}\ndtoverlay=vc4-kms-v3d\ndtparam=spi=on\n", ["dtparam=spi=on"], "maybe the overlay's"),
    (f"{I2C}\ndtoverlay=vc4-kms-v3d,noaudio\ndtoverlay=\ndtparam=spi=on\n", [], "an overlay that has ended"),
    (f"{I2C}\ndtparam=spi=on\ndtoverlay=x\ndtparam=spi=off\n", ["dtparam=spi=on"], "maybe the board's"),
    (f"{I2C}\ndtparam=spi=on\ndtoverlay=x\ndtparam=spi\n", [], "the same, whosever it is"),
    (f"[pi5]\ndtoverlay=x\n[all]\n{I2C}\ndtparam=spi=on\n", [], "another board's overlay"),
]


@pytest.mark.parametrize(("old", "adds", "why"), READ, ids=[row[2] for row in READ])
def test_config_txt_is_read_as_the_firmware_reads_it(old: str, adds: list[str], why: str) -> None:
    assert why
    new = config_txt(f"core_freq_min=500\n{old}", PI_4, BoardNeeds())
    added = [line for line in new.removeprefix(f"core_freq_min=500\n{old}").split("\n") if "=" in line]
    assert added == (["dtoverlay=", *adds] if adds else [])


def test_audio_goes_only_where_pwm_needs_its_pin() -> None:
    assert "audio=off" not in config_txt(BOOKWORM, PI_4, BoardNeeds())
    pwm = config_txt(BOOKWORM, PI_4, BoardNeeds(spi=False, audio=False))
    assert pwm.endswith(
        "[all]\ndtoverlay=\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\ndtparam=audio=off\n"
    )


def test_the_sound_of_hdmi_that_is_off_is_not_taken_for_the_boards() -> None:
    """On a Pi 4 with BOOKWORM's file `dtparam=audio=off` at its end would be vc4-kms-v3d's, which has one
    too."""
    needs = BoardNeeds(spi=False, audio=False)
    hdmi = config_txt(f"{BOOKWORM}{I2C}\ndtparam=audio=off\n", PI_4, needs)
    assert hdmi.endswith(
        "[all]\ndtoverlay=\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\ndtparam=audio=off\n"
    )
    board = f"{BOOKWORM}dtoverlay=\n{I2C}\ndtparam=audio=off\n"
    assert config_txt(board, PI_4, needs) == board


CMDLINE = "console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootfstype=ext4 fsck.repair=yes rootwait"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"{CMDLINE}\n", f"{CMDLINE} spidev.bufsiz=8192\n"),
        (CMDLINE, f"{CMDLINE} spidev.bufsiz=8192"),
        (f"{CMDLINE} \r\n", f"{CMDLINE} spidev.bufsiz=8192\r\n"),
        (f"spidev.bufsiz=4096 {CMDLINE}\n", f"{CMDLINE} spidev.bufsiz=8192\n"),
        (f"spidev.bufsiz=32768 {CMDLINE}\n", f"spidev.bufsiz=32768 {CMDLINE}\n"),
    ],
)
def test_the_kernels_line_stays_one_line(old: str, new: str) -> None:
    assert cmdline_txt(old, BoardNeeds(bufsiz=8192)) == new
    assert cmdline_txt(old, BoardNeeds()) == old


LINES = st.sampled_from(
    [
        *BOOKWORM.splitlines(),
        "dtparam=spi",
        "dtparam=spi=off",
        "dtparam=i2c_arm=on,spi=on",
        "[pi4]",
        "[pi3]",
        "[pi02]",
        "[none]",
        "core_freq=250",
        "core_freq_min=500",
        " dtparam = spi = on ",
        "[EDID=X]",
        "dtoverlay=",
        "dtparam=audio=off",
        "dtparam=i2c_arm_baudrate=100000",
    ]
)
NEEDS = st.builds(
    BoardNeeds,
    st.sampled_from([100_000, 400_000]),
    st.booleans(),
    st.sampled_from([0, 8192, 32768]),
    audio=st.booleans(),
)


@given(st.lists(LINES | st.text(max_size=20)).map("\n".join), st.sampled_from(MODELS), NEEDS)
@example("", None, BoardNeeds())
def test_applied_twice_is_applied_once_and_no_other_line_is_lost(
    old: str, model: str | None, needs: BoardNeeds
) -> None:
    new = config_txt(old, model, needs)
    assert new.startswith(old)
    assert config_txt(new, model, needs) == new


@given(
    st.text(alphabet="ab= .\n\r", max_size=40),
    st.sampled_from([0, 8192]),
    st.sampled_from(["", " spidev.bufsiz=1"]),
)
def test_the_kernels_words_are_kept(old: str, bufsiz: int, said: str) -> None:
    new = cmdline_txt(old + said, BoardNeeds(bufsiz=bufsiz))
    assert cmdline_txt(new, BoardNeeds(bufsiz=bufsiz)) == new
    assert [word for word in new.split() if "bufsiz" not in word] == [
        word for word in old.split() if "bufsiz" not in word
    ]
    assert new.count("\n") == old.count("\n")


@pytest.mark.parametrize("kit", kit_names())
def test_each_kit_says_what_it_wants_of_its_board(kit: str) -> None:
    strip = load_kit(kit).strip
    needs = install.board_needs(load_kit(kit))
    assert needs.spi == (strip.gpio == 10)
    assert needs.bufsiz == (8192 if strip.leds > 321 else 0), "four SPI bits a bit, and a rest on either side"


def boot_folder(root: Path, folder: str = "boot/firmware") -> Path:
    there = root / folder
    there.mkdir(parents=True)
    (there / "config.txt").write_text(BOOKWORM, encoding="utf-8")
    (there / "cmdline.txt").write_text(f"{CMDLINE}\n", encoding="utf-8")
    return there


def test_boot_settings_are_shown_as_a_diff_and_written_only_when_agreed_to(tmp_path: Path) -> None:
    folder = boot_folder(tmp_path)
    arguments = ("--destdir", str(tmp_path), "--model", PI_4)
    shown = installer(*arguments, stdin="y\n")  # nobody sits at a pipe
    assert shown.returncode == 0
    assert "\n+dtparam=spi=on\n" in shown.stdout
    assert "ARGS=--yes" in shown.stdout
    assert (folder / "config.txt").read_text(encoding="utf-8") == BOOKWORM
    written = installer(*arguments, "--yes")
    assert "sudo reboot" in written.stdout
    new = (folder / "config.txt").read_text(encoding="utf-8")
    assert new == config_txt(BOOKWORM, PI_4, BoardNeeds())
    assert (folder / "config.txt.before-cribpi").read_text(encoding="utf-8") == BOOKWORM
    assert (folder / "cmdline.txt").read_text(encoding="utf-8") == f"{CMDLINE}\n"
    again = installer(*arguments, "--yes")
    assert "unchanged   boot settings" in again.stdout
    assert sorted(path.name for path in folder.iterdir()) == [
        "cmdline.txt",
        "config.txt",
        "config.txt.before-cribpi",
    ]


def test_whoever_sits_there_is_asked(tmp_path: Path) -> None:
    folder = boot_folder(tmp_path, "boot")
    for answer, is_written in (("n\n", False), ("\n", False), ("\x04", False), ("y\n", True)):
        ours, theirs = os.openpty()
        command = [
            sys.executable,
            "-I",
            "-S",
            str(SYSTEMD / "install.py"),
            "--destdir",
            str(tmp_path),
            "--model",
            PI_5,
        ]
        os.write(ours, answer.encode())
        done = subprocess.run(command, stdin=theirs, capture_output=True, text=True, check=True)
        os.close(ours)
        os.close(theirs)
        assert "Write this? [y/N]" in done.stdout
        assert ((folder / "config.txt").read_text(encoding="utf-8") != BOOKWORM) is is_written


def test_an_older_backup_is_kept(tmp_path: Path) -> None:
    folder = boot_folder(tmp_path)
    for _ in range(2):
        (folder / "config.txt").write_text(BOOKWORM, encoding="utf-8")
        installer("--destdir", str(tmp_path), "--yes")
    assert (folder / "config.txt.before-cribpi-2").exists()


# --- upgrades ---


def port_of(url: str) -> int:
    return int(url.rstrip("/").rpartition(":")[2])


def settings_of(root: Path, text: str) -> Path:
    """Write *text* as the settings of the machine at *root*."""
    path = root / "etc" / "cribpi" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_no_upgrade_begins_in_the_middle_of_a_game(tmp_path: Path) -> None:
    with companion(tmp_path) as (_, url):
        port = port_of(url)

        def press(keys: str) -> None:
            for key in keys.split():
                assert ask(f"{url}api/press", {"key": key})[0] == 200

        assert guard.going_on(port) == ""
        press("OK")
        assert guard.going_on(port) == "", "the menu of a first game is no game"
        press("OK")
        assert guard.going_on(port) == "a game is going on: ORANGE against BLUE, 0 to 0"
        press("P1 J")
        assert guard.going_on(port) == "a game is going on: ORANGE against BLUE, 2 to 0"
        assert ask(f"{url}api/rules", {"rules": "acc"})[1]["phase"] == "new-game"
        assert guard.going_on(port), "behind the menu the game is still open"
    assert guard.going_on(port) is None


def test_a_companion_that_does_not_answer_may_be_in_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with companion(tmp_path) as (process, url):
        monkeypatch.setattr(guard, "PATIENCE", 0.2)
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)  # each of its threads, and not soon
        found = guard.going_on(port_of(url))
        process.send_signal(signal.SIGCONT)
        assert found is not None
        assert "does not answer" in found


def test_in_a_game_nothing_is_installed_and_the_remedy_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The steps are one that only tells: the machine that the tests run on is not for them to change."""
    did: list[str] = []
    step = steps.Step("the program", lambda: bool(did), lambda: did.append("it"))
    monkeypatch.setattr(install, "all_steps", lambda *_: [step])
    monkeypatch.setattr(install, "start", lambda **_: None)
    monkeypatch.setattr(install, "boot", lambda *_, **__: None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(install, "MACHINE", tmp_path)
    with companion(tmp_path / "state") as (_, url):
        settings_of(tmp_path, f"port = {port_of(url)}\n")
        for key in ("OK", "OK"):
            ask(f"{url}api/press", {"key": key})
        assert install.main([]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert "nothing was installed" in said.err
        assert "--now" in said.err
        assert did == []
        assert install.main(["--now"]) == 0
        assert did == ["it"]
        assert capsys.readouterr().out == "done        the program\n"
        assert install.main([]) == 0, "where nothing is to be done, a game is no hindrance"


def unit_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str, text: str) -> None:
    stand_in(
        tmp_path / "bin", monkeypatch, "systemctl", f"echo 'ActiveState={state}'; echo 'StatusText={text}'"
    )


def test_a_game_is_found_at_the_port_that_the_service_told_systemd(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with companion(tmp_path / "state") as (_, url), companion(tmp_path / "other") as (_, other):
        for _ in range(2):
            ask(f"{url}api/press", {"key": "OK"})
        unit_says(tmp_path, monkeypatch, "active", f"page at {url}; keypad: it is not plugged in")
        assert "going on" in (guard.blocking_reason(port_of(other)) or "")
        unit_says(tmp_path, monkeypatch, "active", f"page at {other}")
        assert guard.blocking_reason(port_of(other)) is None
        assert "going on" in (guard.blocking_reason(port_of(url)) or "")


def test_a_service_that_runs_and_answers_nowhere_may_be_in_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with companion(tmp_path / "state") as (_, url):
        port = port_of(url)
    unit_says(tmp_path, monkeypatch, "active", f"page at {url}")
    why = f"cribpi is running, but does not answer on port {port}, and may be in a game"
    assert guard.blocking_reason(1) == why
    unit_says(tmp_path, monkeypatch, "active", "no keys are being read")
    assert guard.blocking_reason(port) == why
    unit_says(tmp_path, monkeypatch, "activating", "")
    assert guard.blocking_reason(port) is None, "what ends again and again is what an upgrade may mend"
    stand_in(tmp_path / "bin", monkeypatch, "systemctl", "exit 1")
    assert guard.blocking_reason(port) is None, "where systemd does not run, it runs no service"


def test_an_installation_that_was_broken_off_starts_the_companion_anew_when_it_is_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps are ones that only tell, and the second breaks off the first time."""
    did: list[str] = []
    starts: list[bool] = []

    def second() -> None:
        did.append("second")
        if did.count("second") == 1:
            raise steps.Failed("the network is away; see to it")

    monkeypatch.setattr(
        install,
        "all_steps",
        lambda *_: [
            steps.Step("first", lambda: "first" in did, lambda: did.append("first")),
            steps.Step("second", lambda: "second" in did, second),
        ],
    )
    monkeypatch.setattr(install, "start", lambda *, is_new: starts.append(is_new))
    monkeypatch.setattr(install, "boot", lambda *_, **__: None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(install, "MACHINE", tmp_path)
    due = tmp_path / steps.RESTART_DUE
    assert install.main(["--now"]) == 2
    assert due.exists()
    assert starts == []
    assert install.main(["--now"]) == 0, "all steps are done, and the start is not"
    assert (starts, due.exists()) == ([True], False)
    assert install.main(["--now"]) == 0
    assert (starts, due.exists()) == ([True, False], False)


def test_what_a_step_undoes_that_was_done_is_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the strip's library, where the environment is made anew for another Python."""
    there = {"library"}

    def environment() -> None:
        there.clear()
        there.add("environment")

    made = [
        steps.Step("environment", lambda: "environment" in there, environment),
        steps.Step("library", lambda: "library" in there, lambda: there.add("library")),
    ]
    monkeypatch.setattr(install, "all_steps", lambda *_: made)
    monkeypatch.setattr(install, "start", lambda **_: None)
    monkeypatch.setattr(install, "boot", lambda *_, **__: None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(install, "MACHINE", tmp_path)
    assert install.main(["--now"]) == 0
    assert there == {"environment", "library"}


def test_what_was_broken_off_starts_nothing_anew_in_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(install, "all_steps", lambda *_: [])
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(install, "MACHINE", tmp_path)
    due = tmp_path / steps.RESTART_DUE
    due.parent.mkdir(parents=True)
    due.touch()
    with companion(tmp_path / "state") as (_, url):
        settings_of(tmp_path, f"port = {port_of(url)}\n")
        for _ in range(2):
            ask(f"{url}api/press", {"key": "OK"})
        assert install.main([]) == 2
    assert "a game is going on" in capsys.readouterr().err
    assert due.exists()


@pytest.mark.parametrize(("needs", "reloads"), [("yes", 1), ("no", 0)])
def test_a_unit_that_systemd_has_not_read_anew_is_read_before_the_start(
    needs: str, reloads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    script = f'echo "$*" >>{log}\ncase "$*" in *NeedDaemonReload*) echo {needs};; esac'
    stand_in(tmp_path / "bin", monkeypatch, "systemctl", script)
    monkeypatch.setattr(install, "is_running", lambda: True)
    install.start(is_new=True)
    did = log.read_text(encoding="utf-8").splitlines()
    assert did.count("daemon-reload") == reloads
    assert did[-1] == "restart cribpi"


MODULES = ["i2c-dev", "spidev", "raspberrypi-gpiomem"]


@pytest.mark.parametrize(("code", "said"), [(0, "done        "), (1, "left        ")])
def test_the_modules_of_the_devices_are_loaded_at_once_and_if_one_cannot_be_that_is_only_said(
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = tmp_path / "log"
    stand_in(tmp_path / "bin", monkeypatch, "modprobe", f'echo "$*" >>{log}; exit {code}')
    machine = MachineFiles(tmp_path / "root")
    assert install.modules_now(machine) is (code == 0)
    assert log.read_text(encoding="utf-8").split() == MODULES
    told = capsys.readouterr().out.splitlines()
    assert len(told) == len(MODULES)
    for line, module in zip(told, MODULES, strict=True):
        assert line.startswith(f"{said}kernel module {module}")
    # One is loaded, one is built in: the third is left.
    machine.path("/sys/module/i2c_dev").mkdir(parents=True)
    machine.path("/proc/sys/kernel").mkdir(parents=True)
    machine.path("/proc/sys/kernel/osrelease").write_text("6.12\n", encoding="utf-8")
    machine.path("/lib/modules/6.12").mkdir(parents=True)
    built_in = machine.path("/lib/modules/6.12/modules.builtin")
    built_in.write_text("kernel/fs/ext4/ext4.ko\nkernel/drivers/spi/spidev.ko\n", encoding="utf-8")
    log.unlink()
    install.modules_now(machine)
    assert log.read_text(encoding="utf-8").split() == MODULES[2:]
    machine.path("/sys/module/raspberrypi_gpiomem").mkdir()
    log.unlink()
    capsys.readouterr()
    assert not install.modules_now(machine)
    assert (log.exists(), capsys.readouterr().out) == (False, "")


def test_the_modules_of_the_devices_are_loaded_at_each_start_of_the_machine(tmp_path: Path) -> None:
    installer("--destdir", str(tmp_path))
    text = (tmp_path / "etc/modules-load.d/cribpi.conf").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if not line.startswith("#")] == MODULES


@pytest.mark.parametrize("has_module", [True, False])
def test_a_service_that_runs_is_started_anew_when_a_module_of_its_devices_was_loaded_under_it(
    *, has_module: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[bool] = []
    monkeypatch.setattr(install, "all_steps", lambda *_: [])
    monkeypatch.setattr(install, "is_running", lambda: True)
    monkeypatch.setattr(install, "modules_now", lambda *_: has_module)
    monkeypatch.setattr(install, "start", lambda *, is_new: starts.append(is_new))
    monkeypatch.setattr(install, "boot", lambda *_, **__: None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(install, "MACHINE", tmp_path)
    assert install.main([]) == 0
    assert starts == [has_module]


def test_what_the_page_shows_of_a_refusal_is_what_is_said() -> None:
    shown = next(
        block for block in pages.blocks(pages.read(PAGE), "text") if block.text.startswith("install: ")
    )
    assert install.REFUSED.format(now="ARGS=--now") in shown.text


# --- the system's packages ---


@dataclass
class Apt:
    """Debian's commands as stand-ins: what apt knows after an update, and what is installed."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch

    def lay_out(self, *, known: str, installed: str = "", refused: str = "") -> None:
        """Let apt know *known* packages once its lists are read, and *installed* ones be there; it fails for
        *refused*."""
        (self.folder / "installed").write_text(installed.replace(" ", "\n"), encoding="utf-8")
        bin_, here = self.folder / "bin", self.folder
        stand_in(bin_, self.monkeypatch, "dpkg-query",
                 f'for last; do :; done; grep -qx "$last" {here}/installed && printf "install ok '
                 f'installed"')  # fmt: skip
        stand_in(bin_, self.monkeypatch, "apt-cache",
                 f'test -e {here}/lists && case " {known} " in *" $2 "*) exit 0;; esac; exit '
                 f'100')  # fmt: skip
        stand_in(bin_, self.monkeypatch, "apt-get", f"""echo "$*" >>{here}/log
case "$1" in
update) touch {here}/lists;;
install) shift 4; for one; do
  case " {refused} " in *" $one "*) echo "E: Unable to locate package $one"; exit 100;; esac
  echo "$one" >>{here}/installed
done;;
esac""")  # fmt: skip

    @property
    def log(self) -> list[str]:
        path = self.folder / "log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Apt]:
    (tmp_path / "apt").mkdir()
    debian.update.cache_clear()
    yield Apt(tmp_path / "apt", monkeypatch)
    debian.update.cache_clear()


@pytest.mark.parametrize("version", [(3, 11), (3, 13)])
def test_with_empty_lists_apt_is_updated_before_it_is_asked_for_the_pins(
    version: tuple[int, int], apt: Apt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debian, "PYTHON", version)
    apt.lay_out(known="python3-lgpio")
    step = debian.pins(tmp_path)
    assert not step.is_done()
    step.do()
    assert step.is_done()
    assert [line.split()[0] for line in apt.log] == ["update", "install"]
    assert apt.log[1].endswith("python3-lgpio")


def test_lists_are_read_anew_once_an_installation(apt: Apt, tmp_path: Path) -> None:
    apt.lay_out(known="python3-lgpio")
    debian.packages().do()
    debian.pins(tmp_path).do()
    assert [line.split()[0] for line in apt.log] == ["update", "install", "install"]


def test_where_there_is_no_other_library_for_the_pins_the_step_fails_with_reason_and_remedy(
    apt: Apt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(debian, "PYTHON", (3, 13))
    monkeypatch.setattr(install, "all_steps", lambda *_: [debian.pins(tmp_path)])
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(install, "MACHINE", tmp_path)
    apt.lay_out(known="")
    assert install.main(["--now"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "install: python3-lgpio: apt has no such package, and pip has no lgpio for Python 3.13" in said
    assert "check the network and /etc/apt/sources.list.d, then try again" in said
    assert apt.log == ["update -qq"]


def test_where_pip_has_one_the_installation_goes_on_and_says_so(
    apt: Apt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(debian, "PYTHON", (3, 12))
    apt.lay_out(known="")
    step = debian.pins(tmp_path)
    assert not step.is_done()
    assert not install.run_step(step, is_new=True)
    assert (
        capsys.readouterr().out
        == "left        python3-lgpio: apt has no such package; pip's own lgpio is used instead\n"
    )
    python = tmp_path / slots.VENV / "bin"
    python.mkdir(parents=True)
    stand_in(python, monkeypatch, "python", "exit 0")  # it finds the module that pip has installed
    assert step.is_done()
    monkeypatch.setattr(debian, "PYTHON", (3, 13))
    assert not step.is_done(), "what pip installs for this one is an empty module"


# --- the strip's library ---


def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out a virtual environment whose pip builds the library where gcc is installed; return where pip
    notes its words."""
    apt, bin_ = tmp_path / "apt", tmp_path / slots.VENV / "bin"
    bin_.mkdir(parents=True)
    script = f"""case "$*" in
"-m venv"*) for last; do :; done; mkdir -p "$last/bin"; cp "$0" "$last/bin/python";;
*"pip install"*rpi-ws281x*)
  echo "$*" >>{tmp_path}/pip
  grep -qx gcc {apt}/installed || {{ echo "error: command 'gcc' failed: No such file or directory"; exit 1; }}
  touch {tmp_path}/built;;
*"pip install"*) echo "$*" >>{tmp_path}/pip;;
*importlib.metadata*) test -e {tmp_path}/built && echo 5.0.0;;
esac"""
    stand_in(bin_, monkeypatch, "python", script)
    return tmp_path / "pip"


def test_the_strips_library_is_built_with_a_compiler_and_then_not_again(
    apt: Apt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pip = environment(tmp_path, monkeypatch)
    apt.lay_out(known="")
    step = strip_library.strip_library(tmp_path, by_library("table", gpio=18))
    assert not step.is_done()
    assert install.run_step(step, is_new=True)
    assert "rpi-ws281x==5.0.0" in pip.read_text(encoding="utf-8").split()
    assert step.is_done()
    assert capsys.readouterr().out.startswith("done        rpi-ws281x")
    assert set(debian.COMPILER) <= set((tmp_path / "apt/installed").read_text(encoding="utf-8").split())


def by_library(name: str, **strip: Any) -> Kit:  # noqa: ANN401  the fields of Strip
    kit = load_kit(name)
    return replace(kit, strip=replace(kit.strip, **strip))


def test_the_strips_library_is_built_only_for_a_kit_that_is_driven_by_it(
    apt: Apt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It needs a compiler, and our own encoder needs nothing."""
    apt.lay_out(known="")
    monkeypatch.setattr(install, "is_bundle", lambda: False)

    def built(kit: Kit) -> list[str]:
        names = [step.name for step in install.all_steps(steps.CHECKOUT, kit, SoundConfig())]
        return [name for name in names if strip_library.NAME in name]

    assert not any(built(load_kit(name)) for name in kit_names())
    assert len(built(by_library("table", gpio=18))) == 1
    assert len(built(by_library("table", driver="rpi-ws281x"))) == 1


NO_GCC = "rpi-ws281x cannot be built (E: Unable to locate package gcc)"
WITHOUT = [
    ("table", {"driver": "rpi-ws281x"}, 'its strip stays dark; driver = "auto" needs none'),
    ("table", {"gpio": 18}, "the strip on GPIO 18 stays dark without it"),
]


@pytest.mark.parametrize(("name", "strip", "says"), WITHOUT, ids=[row[2] for row in WITHOUT])
def test_where_the_strips_library_cannot_be_built_the_installation_goes_on_and_says_what_drives_the_strip(
    name: str,
    strip: dict[str, Any],
    says: str,
    apt: Apt,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The step after it is done, the end is 0, and nothing is started anew for what was not done."""
    environment(tmp_path, monkeypatch)
    apt.lay_out(known="", refused="gcc")
    kit = by_library(name, **strip)
    did: list[str] = []
    starts: list[bool] = []
    after = steps.Step("the unit", lambda: bool(did), lambda: did.append("it"))
    monkeypatch.setattr(install, "all_steps", lambda *_: [strip_library.strip_library(tmp_path, kit), after])
    monkeypatch.setattr(install, "start", lambda *, is_new: starts.append(is_new))
    monkeypatch.setattr(install, "boot", lambda *_, **__: None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(install, "MACHINE", tmp_path)
    (tmp_path / steps.STAMP).touch()
    assert install.main(["--now"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    left, done = said.out.splitlines()
    assert left == f"left        {NO_GCC}: {strip_library.instead(kit)}; `sudo make install` tries again"
    assert says in left
    assert (done, did) == ("done        the unit", ["it"])
    assert install.main(["--now"]) == 0, "it is tried again, and nothing is started anew for that"
    assert starts == [True, False]


def test_on_a_pi_5_the_strips_library_is_not_compiled_for_nothing(
    apt: Apt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pip = environment(tmp_path, monkeypatch)
    apt.lay_out(known="")
    kit = by_library("table", driver="rpi-ws281x")
    assert not install.run_step(strip_library.strip_library(tmp_path, kit, PI_5), is_new=True)
    assert (
        capsys.readouterr().out
        == f"left        rpi-ws281x does not support the Pi 5: {strip_library.instead(kit)}\n"
    )
    assert not pip.exists()
    assert not (tmp_path / "apt/installed").read_text(encoding="utf-8").split()
    assert install.run_step(strip_library.strip_library(tmp_path, kit, PI_4), is_new=True)


def test_a_build_that_fails_with_a_compiler_gives_pips_last_line(
    apt: Apt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment(tmp_path, monkeypatch)
    apt.lay_out(known="", installed="python3-dev libc6-dev")
    stand_in(
        tmp_path / "apt/bin", monkeypatch, "apt-get", "exit 0"
    )  # it says that all is well, and nothing is there
    install.run_step(strip_library.strip_library(tmp_path, by_library("table", gpio=18)), is_new=True)
    assert "rpi-ws281x cannot be built (error: command 'gcc' failed: No such file" in capsys.readouterr().out


# --- the program ---


def test_the_program_is_installed_with_all_that_a_pi_needs_but_the_strips_library(
    apt: Apt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That one is a step of its own: a build that fails must not keep the rest from being installed."""
    apt.lay_out(known="")
    pip = environment(tmp_path, monkeypatch)
    monkeypatch.setattr(sys, "executable", str(tmp_path / slots.VENV / "bin" / "python"))
    steps.program(steps.CHECKOUT, tmp_path).do()
    assert steps.find_environment(steps.CHECKOUT, tmp_path) == tmp_path / slots.SLOTS[0]
    (words,) = pip.read_text(encoding="utf-8").splitlines()
    assert str(steps.CHECKOUT) in words.split()
    for needed in ("lgpio>=", "gpiod>=", "adafruit-extended-bus>="):
        assert needed in words
    assert "rpi-ws281x" not in words
    assert any(one.startswith(strip_library.NAME) for one in steps.requirements())


def test_the_fingerprint_changes_with_the_program_its_kits_and_its_pins(tmp_path: Path) -> None:
    for name in steps.SOURCES:
        path = tmp_path / name
        (path.mkdir(parents=True) if "." not in name and name != "LICENSE" else path.touch())
    code = tmp_path / "cribpi" / "one.py"
    seen = {steps.fingerprint(tmp_path)}
    for change in ("x = 1\n", "x = 2\n"):
        code.write_text(change, encoding="utf-8")
        seen.add(steps.fingerprint(tmp_path))
    code.rename(tmp_path / "cribpi" / "two.py")
    seen.add(steps.fingerprint(tmp_path))
    (tmp_path / "constraints.txt").write_text("pillow==13\n", encoding="utf-8")
    seen.add(steps.fingerprint(tmp_path))
    assert len(seen) == 5
    (tmp_path / "cribpi" / "__pycache__").mkdir()
    (tmp_path / "cribpi" / "__pycache__" / "two.pyc").touch()
    assert steps.fingerprint(tmp_path) in seen


def test_a_program_without_its_python_is_not_installed(tmp_path: Path) -> None:
    """As after an upgrade of the system that took the Python away that it was made with."""
    python = tmp_path / slots.VENV / "bin" / "python"
    python.parent.mkdir(parents=True)
    (tmp_path / steps.STAMP).write_text(steps.fingerprint(steps.CHECKOUT), encoding="utf-8")
    program = steps.program(steps.CHECKOUT, tmp_path)
    assert not program.is_done()
    python.symlink_to(sys.executable)
    assert program.is_done()
    python.unlink()
    python.symlink_to("/usr/bin/python3.0")
    assert not program.is_done()


def test_all_that_the_program_is_made_of_is_there() -> None:
    assert all((steps.CHECKOUT / name).exists() for name in steps.SOURCES)
