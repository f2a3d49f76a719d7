"""The first start of a card image: what its file asks for is set, and what can't be is said."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import first_start
import pytest

IMAGE = Path(first_start.__file__).parent
CARD = "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\nproc /proc proc rw 0 0\n"


class Card:
    """A card's root with the file that people wrote, and the commands that were called."""

    def __init__(self, root: Path, asked: str | bytes | None = "", mounts: str = CARD) -> None:
        self.root = root
        self.called: list[tuple[str, ...]] = []
        self.given: list[str] = []
        for folder in ("boot/firmware", "etc", "proc/self", "usr/share/zoneinfo/Europe", "home"):
            (root / folder).mkdir(parents=True)
        (root / "proc/self/mounts").write_text(mounts, encoding="utf-8")
        (root / "usr/share/zoneinfo/Europe/Berlin").touch()
        if asked is not None:
            data = asked if isinstance(asked, bytes) else asked.encode()
            (root / first_start.ASKED).write_bytes(data)

    def start(self) -> list[str]:
        return first_start.first_start(self.root, self.run)

    def run(self, *command: str, stdin: str = "") -> None:
        self.called.append(command)
        self.given.append(stdin)

    def text(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")


WHOLE = """\
hostname = "oak"
timezone = "Europe/Berlin"
[login]
user = "ann"
password = "six hearts"
key = "ssh-ed25519 AAAA ann"
[wifi]
country = "DE"
name = "Home"
password = "fifteen two"
"""


def test_all_that_is_asked_for_is_set_and_no_password_stays_on_the_card(tmp_path: Path) -> None:
    card = Card(tmp_path, WHOLE)
    assert card.start() == []
    assert card.text("etc/hostname") == "oak\n"
    assert "127.0.1.1 oak" in card.text("etc/hosts")
    assert str((tmp_path / "etc/localtime").readlink()) == "/usr/share/zoneinfo/Europe/Berlin"
    assert ("useradd", "--create-home", "--shell", "/bin/bash", "--groups", "sudo", "ann") in card.called
    assert "ann:six hearts\n" in card.given
    assert card.text("home/ann/.ssh/authorized_keys") == "ssh-ed25519 AAAA ann\n"
    wifi = card.text("etc/wpa_supplicant/wpa_supplicant-wlan0.conf")
    assert "country=DE" in wifi
    assert f"ssid={b'Home'.hex()}" in wifi
    assert (tmp_path / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf").stat().st_mode & 0o777 == 0o600
    assert ("systemctl", "enable", "--no-reload", "wpa_supplicant@wlan0.service") in card.called
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and not path.is_symlink()]
    assert not [data for data in files if b"fifteen two" in data or b"six hearts" in data]
    assert not (tmp_path / first_start.ASKED).exists()
    assert "everything is done" in card.text(first_start.SAID)
    assert (tmp_path / first_start.DONE).exists()


def test_the_key_is_that_of_the_standards_own_example(tmp_path: Path) -> None:
    """IEEE 802.11-2012, annex M.4.3: of "password" for the network "IEEE"."""
    card = Card(tmp_path, '[wifi]\ncountry = "US"\nname = "IEEE"\npassword = "password"')
    assert card.start() == []
    key = "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"
    assert f"psk={key}\n" in card.text("etc/wpa_supplicant/wpa_supplicant-wlan0.conf")


@pytest.mark.parametrize("asked", [None, "", "# nothing\n"])
def test_a_card_of_which_nothing_is_asked_grows_and_makes_its_keys(asked: str | None, tmp_path: Path) -> None:
    card = Card(tmp_path, asked)
    assert card.start() == []
    assert card.called == [
        ("sfdisk", "--no-reread", "--no-tell-kernel", "--quiet", "-N", "2", "/dev/mmcblk0"),
        ("partx", "--update", "--nr", "2", "/dev/mmcblk0"),
        ("resize2fs", "/dev/mmcblk0p2"),
        ("ssh-keygen", "-A"),
    ]
    assert not (tmp_path / first_start.SAID).exists()


@pytest.mark.parametrize(
    ("mounts", "disk"),
    [
        (CARD, "/dev/mmcblk0"),
        ("/dev/sda2 / ext4 rw 0 0\n", "/dev/sda"),
        ("/dev/vda2 / ext4 rw 0 0\n", "/dev/vda"),
        ("/dev/nvme0n1p2 / ext4 rw 0 0\n", "/dev/nvme0n1"),
    ],
)
def test_the_disk_is_found_whatever_the_card_is_in(mounts: str, disk: str, tmp_path: Path) -> None:
    card = Card(tmp_path, mounts=mounts)
    assert card.start() == []
    assert card.called[0][-1] == disk


WRONG = [
    ('hostname = "my board"', 'hostname = "my board": write letters'),
    ("hostname = 5", "hostname: write one line of text in quotes"),
    ('timezone = "Mars"', 'timezone = "Mars": write one such as'),
    ('timezone = "../../etc/shadow"', "timezone = "),
    ('[login]\nuser = "root"\npassword = "x"', "login.user: write a name"),
    ('[login]\nuser = "Ann"\npassword = "x"', "login.user: write a name"),
    ('[login]\nuser = "ann"', "login.password is missing"),
    ('[login]\nuser = "ann"\npassword = "a\\nroot:b"', "login.password: write one line of text in quotes"),
    ('[wifi]\nname = "Home"\npassword = "fifteen two"', "wifi.country: write two"),
    ('[wifi]\ncountry = "Germany"\nname = "Home"', "wifi.country: write two"),
    ('[wifi]\ncountry = "DE"\npassword = "fifteen two"', "wifi.name: write"),
    ('[wifi]\ncountry = "DE"\nname = "Home"\npassword = "short"', "wifi.password: a network's"),
    ('wifi = "Home"', "write wifi as a table, [wifi]"),
    ('[wifi]\nssid = "Home"', "wifi.ssid is not known here; there are country, name, password"),
]
UNREADABLE = [
    'hostname = \n[login]\npassword = "six hearts"',
    '[login]\nuser = "ann"\npassword = six hearts',
    WHOLE.encode("utf-16"),
    f'{WHOLE}name = "two names"',
    "a = " + "[" * 5000,
]


@pytest.mark.parametrize(("asked", "said"), WRONG)
def test_what_is_wrong_is_said_and_the_rest_is_done(asked: str | bytes, said: str, tmp_path: Path) -> None:
    card = Card(tmp_path, asked)
    wrong = card.start()
    assert any(line.startswith(said) for line in wrong), wrong
    assert f"not done: {wrong[0]}" in card.text(first_start.SAID)
    assert ("resize2fs", "/dev/mmcblk0p2") in card.called
    assert ("ssh-keygen", "-A") in card.called
    assert not [command for command in card.called if command[0] in {"useradd", "chpasswd"}]
    assert not (tmp_path / first_start.ASKED).exists()


@pytest.mark.parametrize("asked", UNREADABLE)
def test_a_file_that_cannot_be_read_stays_and_is_read_once_it_is_mended(
    asked: str | bytes, tmp_path: Path
) -> None:
    card = Card(tmp_path, asked)
    (wrong,) = card.start()
    assert wrong.startswith("cribpi.toml can't be read: ")
    assert f"not done: {wrong}" in card.text(first_start.SAID)
    assert "hearts" not in card.text(first_start.SAID)
    assert ("ssh-keygen", "-A") in card.called
    assert (tmp_path / first_start.ASKED).exists()
    assert not (tmp_path / first_start.DONE).exists(), "the next start is a first start too"
    (tmp_path / first_start.ASKED).write_text(WHOLE, encoding="utf-8")
    assert card.start() == []
    assert "everything is done" in card.text(first_start.SAID)
    assert (tmp_path / first_start.DONE).exists()


SWAPPED = [
    '[login]\nuser = "Six Hearts"\npassword = "ann"',
    '[login]\nuser = "ann"\npassword = "$6$Six Hearts"',
    '[wifi]\ncountry = "Six Hearts"\nname = "DE"',
    f'[wifi]\ncountry = "DE"\nname = "Home"\npassword = "Six Hearts{"." * 60}"',
]


@pytest.mark.parametrize("asked", SWAPPED)
def test_no_password_is_in_what_is_said_nor_in_the_arguments_of_a_command(asked: str, tmp_path: Path) -> None:
    card = Card(tmp_path, asked)

    def run(*command: str, stdin: str = "") -> None:
        card.run(*command, stdin=stdin)
        raise ValueError(stdin)

    wrong = first_start.first_start(tmp_path, run)
    assert wrong
    said = "".join(["\n".join(wrong), card.text(first_start.SAID), repr(card.called)])
    assert "Hearts" not in said


def test_what_is_removed_from_the_card_was_overwritten_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = Card(tmp_path, WHOLE)
    left: list[bytes] = []
    unlink = Path.unlink

    def look_and_unlink(path: Path, missing_ok: bool = False) -> None:  # noqa: FBT001, FBT002  pathlib's own
        if path == tmp_path / first_start.ASKED:
            left.append(path.read_bytes())
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", look_and_unlink)
    assert card.start() == []
    assert left == [bytes(len(WHOLE))]


def test_a_command_that_fails_is_said_and_the_next_is_tried(tmp_path: Path) -> None:
    card = Card(tmp_path, WHOLE)

    def run(*command: str, stdin: str = "") -> None:
        card.run(*command, stdin=stdin)
        if command[0] in {"sfdisk", "useradd"}:
            raise first_start.BadSetting(f"{command[0]} failed: no")

    assert first_start.first_start(tmp_path, run) == ["sfdisk failed: no", "useradd failed: no"]
    assert ("ssh-keygen", "-A") in card.called
    assert "country=DE" in card.text("etc/wpa_supplicant/wpa_supplicant-wlan0.conf")


def test_a_real_command_that_fails_is_named_with_its_last_words() -> None:
    with pytest.raises(first_start.BadSetting, match=r"^sh failed: two$"):
        first_start.run("sh", "-c", "echo one >&2; echo two >&2; exit 3")
    with pytest.raises(first_start.BadSetting, match=r"^no-such-command failed: No such file"):
        first_start.run("no-such-command")
    with pytest.raises(first_start.BadSetting, match=r"^sh failed: exit code 3$"):
        first_start.run("sh", "-c", "exit 3")


def test_the_file_on_the_card_asks_for_nothing_until_somebody_writes_into_it(tmp_path: Path) -> None:
    text = (IMAGE / "cribpi.toml").read_text(encoding="utf-8")
    assert Card(tmp_path / "as-it-is", text).start() == []
    lines = [line.removeprefix("#") for line in text.splitlines() if not line.startswith("# ")]
    own = "\n".join(lines).replace('"..."', '"fifteen two"')
    card = Card(tmp_path / "written", own)
    assert card.start() == []
    assert ("useradd", "--create-home", "--shell", "/bin/bash", "--groups", "sudo", "ann") in card.called


@pytest.mark.skipif(shutil.which("dtc") is None, reason="the device tree's compiler is not installed")
def test_the_overlay_compiles_without_a_warning(tmp_path: Path) -> None:
    command = ("dtc", "-@", "-I", "dts", "-O", "dtb", "-o", tmp_path / "cribpi.dtbo", IMAGE / "cribpi.dts")
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "warning" not in done.stderr.lower().replace("warning (unit_address_vs_reg)", "")
