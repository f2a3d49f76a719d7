"""First start of a card made from the image: grow the file system, make ssh keys, and apply cribpi.toml.

The user writes cribpi.toml onto the boot partition, with login, Wi-Fi, host name and time zone. This script
runs once, as root, before cribpi. Errors go to cribpi-says.txt next to it, which any laptop can read; valid
settings are applied all the same.

cribpi.toml contains passwords, so it is overwritten and removed. Only if it can't be parsed, it is kept, and
read again at the next start.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

BOOT: Final = "boot/firmware"
ASKED: Final = f"{BOOT}/cribpi.toml"
SAID: Final = f"{BOOT}/cribpi-says.txt"
DONE: Final = "var/lib/cribpi-first-start"

_KNOWN: Final = {
    "": {"hostname", "timezone", "login", "wifi"},
    "login": {"user", "password", "key"},
    "wifi": {"country", "name", "password"},
}
_SECONDS: Final = 300
"""Timeout in seconds for each command. A card of 512 GB grows in one minute."""
Run = Callable[..., object]


class BadSetting(Exception):
    """A setting is invalid, or a command failed. The message is the reason and a remedy."""


def run(*command: str, stdin: str = "") -> None:
    """Run *command* with *stdin* as its standard input.

    Raises:
        Unfit: If the command fails or times out.
    """
    try:
        done = subprocess.run(
            command, input=stdin, text=True, check=False, capture_output=True, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise BadSetting(f"{command[0]} failed: no answer in {_SECONDS} seconds") from None
    except OSError as error:
        raise BadSetting(f"{command[0]} failed: {error.strerror}") from None
    if done.returncode:
        words = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise BadSetting(f"{command[0]} failed: {words[-1]}")


def first_start(root: Path, run: Run = run) -> list[str]:
    """Set up the card below *root*. Return a sentence for each error."""
    wrong: list[str] = []
    settings: dict[str, Any] = {}
    is_read = True
    try:
        settings = tomllib.loads((root / ASKED).read_text(encoding="utf-8-sig"))
        wrong += _unknown(settings)
    except FileNotFoundError:
        pass
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        is_read = False
        wrong.append(f"cribpi.toml can't be read: {error}; mend it, and it is read again at the next start")
    for step in (_grow, _keys, _hostname, _timezone, _login, _wifi):
        try:
            step(root, settings, run)
        except BadSetting as unfit:
            wrong.append(str(unfit))
        # Other steps may work; the message is left out, as it may contain a password.
        except Exception as error:  # noqa: BLE001
            why = error.strerror if isinstance(error, OSError) else type(error).__name__
            wrong.append(f"{step.__name__.strip('_')}: {why}")
    if is_read:
        wrong += _without_secrets(root)
    if settings or wrong:
        report = [f"not done: {line}" for line in wrong] or ["everything is done"]
        lines = ["The result of cribpi.toml, at the first start:", *report]
        try:
            (root / SAID).write_text("\r\n".join(lines) + "\r\n", encoding="utf-8")
        except OSError as error:
            wrong.append(f"cribpi-says.txt can't be written: {error.strerror}")
    if is_read:
        done = root / DONE
        done.parent.mkdir(parents=True, exist_ok=True)
        done.touch()
    return wrong


def _without_secrets(root: Path) -> Iterator[str]:
    """Overwrite cribpi.toml before removing it, because removed files on FAT can be recovered."""
    path = root / ASKED
    try:
        with path.open("r+b") as file:
            file.write(bytes(path.stat().st_size))
            file.flush()
            os.fsync(file.fileno())
        path.unlink()
    except FileNotFoundError:
        pass
    except OSError as error:
        yield f"cribpi.toml can't be removed ({error.strerror}): remove it, because it has passwords in it"


def _unknown(settings: dict[str, Any]) -> Iterator[str]:
    for table, known in _KNOWN.items():
        values = settings if not table else settings.get(table, {})
        if not isinstance(values, dict):
            yield f"write {table} as a table, [{table}]"
            settings.pop(table)
            continue
        for name in sorted(values.keys() - known):
            where = f"{table}.{name}" if table else name
            yield f"{where} is not known here; there are {', '.join(sorted(known))}"


def _text(settings: dict[str, Any], table: str, name: str) -> str:
    """Return the text *name* of *table*, or "" if it is missing.

    Raises:
        Unfit: If the value is not one line of text.
    """
    value = (settings.get(table, {}) if table else settings).get(name, "")
    if not isinstance(value, str) or "\n" in value or "\0" in value:
        raise BadSetting(f"{f'{table}.' if table else ''}{name}: write one line of text in quotes")
    return value


def _grow(root: Path, _settings: dict[str, Any], run: Run) -> None:
    """Grow the second partition and its file system to the end of the card."""
    source = (root / "proc/self/mounts").read_text(encoding="utf-8")
    mount = re.search(r"^(/dev/\S+?)(p?)2 / ext4 ", source, re.MULTILINE)
    if mount is None:
        raise BadSetting("the file system was not grown: it is not on the second partition of a card")
    disk, part = mount[1], f"{mount[1]}{mount[2]}2"
    run("sfdisk", "--no-reread", "--no-tell-kernel", "--quiet", "-N", "2", disk, stdin=", +\n")
    run("partx", "--update", "--nr", "2", disk)
    run("resize2fs", part)


def _keys(_root: Path, _settings: dict[str, Any], run: Run) -> None:
    """Generate ssh keys. Cards made from the same image must not share them."""
    run("ssh-keygen", "-A")


def _hostname(root: Path, settings: dict[str, Any], run: Run) -> None:
    name = _text(settings, "", "hostname")
    if not name:
        return
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?", name):
        raise BadSetting(f'hostname = "{name}": write letters, digits and hyphens, up to 63')
    (root / "etc/hostname").write_text(f"{name}\n", encoding="ascii")
    (root / "etc/hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {name}\n", encoding="ascii")
    run("hostname", name)


def _timezone(root: Path, settings: dict[str, Any], _run: Run) -> None:
    zone = _text(settings, "", "timezone")
    if not zone:
        return
    file = root / "usr/share/zoneinfo" / zone
    if not re.fullmatch(r"[A-Za-z0-9+_-]+(/[A-Za-z0-9+_-]+)*", zone) or not file.is_file():
        raise BadSetting(f'timezone = "{zone}": write one such as Europe/Berlin')
    local = root / "etc/localtime"
    local.unlink(missing_ok=True)
    local.symlink_to(f"/usr/share/zoneinfo/{zone}")


def _login(root: Path, settings: dict[str, Any], run: Run) -> None:
    user, password, key = (_text(settings, "login", name) for name in ("user", "password", "key"))
    if not (user or password or key):
        return
    if not re.fullmatch(r"[a-z_][a-z0-9_-]{0,31}", user) or user in {"root", "cribpi"}:
        raise BadSetting("login.user: write a name of small letters, other than root and cribpi")
    if not password and not key:
        raise BadSetting("login.password is missing, or login.key, an ssh key: nobody could log in")
    run("useradd", "--create-home", "--shell", "/bin/bash", "--groups", "sudo", user)
    if password:
        run("chpasswd", *(["--encrypted"] if password.startswith("$") else []), stdin=f"{user}:{password}\n")
    if key:
        folder = root / "home" / user / ".ssh"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / "authorized_keys").write_text(f"{key}\n", encoding="utf-8")
        (folder / "authorized_keys").chmod(0o600)
        run("chown", "--recursive", f"{user}:{user}", f"/home/{user}/.ssh")


def _wifi(root: Path, settings: dict[str, Any], run: Run) -> None:
    country, name, password = (_text(settings, "wifi", key) for key in ("country", "name", "password"))
    if not (country or name or password):
        return
    if not re.fullmatch(r"[A-Z]{2}", country):
        raise BadSetting("wifi.country: write two capital letters, such as DE: Wi-Fi is off without")
    if not 1 <= len(name.encode()) <= 32:
        raise BadSetting("wifi.name: write the network's name, up to 32 bytes")
    if password and not 8 <= len(password) <= 63:
        raise BadSetting("wifi.password: a network's password has 8 to 63 characters")
    # The card stores the key derived from the password (IEEE 802.11, annex J) instead of the password.
    key = hashlib.pbkdf2_hmac("sha1", password.encode(), name.encode(), 4096, 32).hex()
    how = f"psk={key}" if password else "key_mgmt=NONE"
    conf = root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    conf.parent.mkdir(parents=True, exist_ok=True)
    conf.touch(mode=0o600)
    conf.write_text(
        "ctrl_interface=DIR=/run/wpa_supplicant GROUP=netdev\n"
        f"country={country}\nnetwork={{\n    ssid={name.encode().hex()}\n    scan_ssid=1\n    {how}\n}}\n",
        encoding="ascii",
    )
    run("systemctl", "enable", "--no-reload", "wpa_supplicant@wlan0.service")
    run("systemctl", "start", "--no-block", "wpa_supplicant@wlan0.service")


if __name__ == "__main__":
    for line in first_start(Path("/")):
        print(f"not done: {line}", file=sys.stderr)
