"""The installation: files staged as the docs list them, boot settings offered, and no upgrade in a game."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import install
import pytest
import steps
from boot_settings import Wanted, cmdline_txt, config_txt
from hypothesis import example, given
from hypothesis import strategies as st
from support import pages
from support.server import ask, companion

from cribpi.config import Config, read_config
from cribpi.kit import kit_names, load_kit

SYSTEMD = Path(__file__).parent.parent / "systemd"
PAGE = pages.DOCS / "how-to" / "install.md"
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


def installer(*arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the installer as the Pi's system does: with no package but the standard library."""
    command = [sys.executable, "-I", "-S", str(SYSTEMD / "install.py"), *arguments]
    return subprocess.run(command, input=stdin or "", capture_output=True, text=True, check=False)


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
    rows = pages.rows(pages.section(pages.read(PAGE), "## What is put where"))
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
    assert second.stdout.count("already so") == len(files)
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
    def make(target: str) -> str:
        command = ["make", "-s", target, f"DESTDIR={tmp_path}"]
        return subprocess.run(command, cwd=SYSTEMD.parent, check=True, capture_output=True, text=True).stdout

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
    ("text", "words"), [("port = 99999\n", "a port is 1 to 65535"), ('kit = "tabel"\n', "tabel")]
)
def test_settings_that_make_no_sense_end_it_in_one_line(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "etc/cribpi").mkdir(parents=True)
    (tmp_path / "etc/cribpi/config.toml").write_text(text, encoding="utf-8")
    done = installer("--destdir", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr
    assert len(found(tmp_path)) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_nobody_but_root_installs_on_the_machine_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert install.main([]) == 2
    assert capsys.readouterr().err == "install: only root may do this; run it with sudo\n"


def test_the_packages_and_folders_are_those_of_the_page() -> None:
    text = pages.section(pages.read(PAGE), "## What is put where")
    for package in (*steps.PACKAGES, *steps.WHERE_THERE_IS):
        assert f"`{package}`" in text
    for folder in (steps.HOME, steps.STATE):
        assert f"| `/{folder}` |" in text


# --- the settings ---


def test_every_setting_is_there_with_its_default_and_none_is_set(tmp_path: Path) -> None:
    file = SYSTEMD / "config.toml"
    assert read_config(file) == Config()
    shown = re.findall(r"^#(\w+ = .*|\[\w+\])$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    told = tomllib.loads("\n".join(shown))
    assert set(told) == {field.name for field in fields(Config)}
    assert told.pop("house"), "an example stands in for the house's own rules"
    defaults = {field.name: field.default for field in fields(Config) if field.name != "house"}
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
        (ZERO, []),
        (None, []),
    ],
)
def test_what_is_missing_is_added_at_the_end(model: str | None, core: list[str]) -> None:
    new = config_txt(BOOKWORM, model, Wanted())
    assert new.startswith(BOOKWORM)
    assert new.removeprefix(BOOKWORM).split("\n") == [
        "",
        "# For cribpi's OLED and strip",
        "[all]",
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
]


@pytest.mark.parametrize(("old", "adds", "why"), READ, ids=[row[2] for row in READ])
def test_config_txt_is_read_as_the_firmware_reads_it(old: str, adds: list[str], why: str) -> None:
    assert why
    new = config_txt(f"core_freq_min=500\n{old}", PI_4, Wanted())
    assert [line for line in new.removeprefix(f"core_freq_min=500\n{old}").split("\n") if "=" in line] == adds


def test_audio_goes_only_where_pwm_needs_its_pin() -> None:
    assert "audio=off" not in config_txt(BOOKWORM, PI_4, Wanted())
    pwm = config_txt(BOOKWORM, PI_4, Wanted(spi=False, audio=False))
    assert pwm.endswith("dtparam=i2c_arm_baudrate=400000\ndtparam=audio=off\n")


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
    assert cmdline_txt(old, Wanted(bufsiz=8192)) == new
    assert cmdline_txt(old, Wanted()) == old


LINES = st.sampled_from(
    [
        *BOOKWORM.splitlines(),
        "dtparam=spi",
        "dtparam=spi=off",
        "dtparam=i2c_arm=on,spi=on",
        "[pi4]",
        "[pi3]",
        "[none]",
        "core_freq=250",
        "core_freq_min=500",
        " dtparam = spi = on ",
        "[EDID=X]",
        "dtparam=i2c_arm_baudrate=100000",
    ]
)
NEEDS = st.builds(
    Wanted,
    st.sampled_from([100_000, 400_000]),
    st.booleans(),
    st.sampled_from([0, 8192, 32768]),
    audio=st.booleans(),
)


@given(st.lists(LINES | st.text(max_size=20)).map("\n".join), st.sampled_from(MODELS), NEEDS)
@example("", None, Wanted())
def test_applied_twice_is_applied_once_and_no_other_line_is_lost(
    old: str, model: str | None, needs: Wanted
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
    new = cmdline_txt(old + said, Wanted(bufsiz=bufsiz))
    assert cmdline_txt(new, Wanted(bufsiz=bufsiz)) == new
    assert [word for word in new.split() if "bufsiz" not in word] == [
        word for word in old.split() if "bufsiz" not in word
    ]
    assert new.count("\n") == old.count("\n")


@pytest.mark.parametrize("kit", kit_names())
def test_each_kit_says_what_it_wants_of_its_board(kit: str) -> None:
    strip = load_kit(kit).strip
    needs = install.wanted(load_kit(kit))
    assert needs.spi == (strip.gpio == 10)
    assert needs.bufsiz == 0, "the kits that are shipped fit spidev's ordinary buffer"


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
    assert new == config_txt(BOOKWORM, PI_4, Wanted())
    assert (folder / "config.txt.before-cribpi").read_text(encoding="utf-8") == BOOKWORM
    assert (folder / "cmdline.txt").read_text(encoding="utf-8") == f"{CMDLINE}\n"
    again = installer(*arguments, "--yes")
    assert "already so  boot settings" in again.stdout
    assert sorted(path.name for path in folder.iterdir()) == [
        "cmdline.txt",
        "config.txt",
        "config.txt.before-cribpi",
    ]


def test_whoever_sits_there_is_asked(tmp_path: Path) -> None:
    folder = boot_folder(tmp_path, "boot")
    for answer, is_written in (("n", False), ("", False), ("y", True)):
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
        os.write(ours, f"{answer}\n".encode())
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


def test_no_upgrade_begins_in_the_middle_of_a_game(tmp_path: Path) -> None:
    with companion(tmp_path) as (_, url):
        port = int(url.rstrip("/").rpartition(":")[2])

        def press(keys: str) -> None:
            for key in keys.split():
                assert ask(f"{url}api/press", {"key": key})[0] == 200

        assert install.going_on(port) is None
        press("OK")
        assert install.going_on(port) is None, "the menu of a first game is no game"
        press("OK")
        assert install.going_on(port) == "a game is going on: ORANGE against BLUE, 0 to 0"
        press("P1 J")
        assert install.going_on(port) == "a game is going on: ORANGE against BLUE, 2 to 0"
        assert ask(f"{url}api/rules", {"rules": "acc"})[1]["phase"] == "new-game"
        assert install.going_on(port), "behind the menu the game is still open"
    assert install.going_on(port) is None


def test_a_companion_that_does_not_answer_may_be_in_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with companion(tmp_path) as (process, url):
        monkeypatch.setattr(install, "PATIENCE", 0.2)
        process.send_signal(19)
        found = install.going_on(int(url.rstrip("/").rpartition(":")[2]))
        process.send_signal(18)
        assert found is not None
        assert "does not answer" in found


def test_in_a_game_nothing_is_installed_and_the_remedy_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The steps are one that only tells: the machine that the tests run on is not for them to change."""
    did: list[str] = []
    step = steps.Step("the program", lambda: bool(did), lambda: did.append("it"))
    monkeypatch.setattr(install, "whole", lambda _source: [step])
    monkeypatch.setattr(install, "start", lambda **_: None)
    monkeypatch.setattr(install, "boot", lambda *_, **__: None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with companion(tmp_path) as (_, url):
        port = int(url.rstrip("/").rpartition(":")[2])
        monkeypatch.setattr(install, "read_config", lambda _path: Config(port=port))
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


def test_what_the_page_shows_of_a_refusal_is_what_is_said() -> None:
    shown = next(
        block for block in pages.blocks(pages.read(PAGE), "text") if block.text.startswith("install: ")
    )
    source = (SYSTEMD / "install.py").read_text(encoding="utf-8")
    assert "nothing was installed: finish it first, or add ARGS=--now to do it all the same" in shown.text
    assert "nothing was installed: finish it first, or add ARGS=--now to do it all the same" in source


# --- the program ---


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


def test_all_that_the_program_is_made_of_is_there() -> None:
    assert all((steps.CHECKOUT / name).exists() for name in steps.SOURCES)
