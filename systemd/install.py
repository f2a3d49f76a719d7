"""Install cribpi on a Pi, upgrade it, or remove it: `sudo make install`, `sudo make uninstall`.

It needs nothing but the system's own Python.  Each step is printed in one line, and a second run changes nothing.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent

sys.dont_write_bytecode = True  # the checkout is not root's to write in
# The settings and the kits are read as the program reads them; it needs no more than the standard library for that.
sys.path[:0] = [str(HERE), str(HERE.parent)]

from boot_settings import Wanted, buffer_for, cmdline_txt, config_txt  # noqa: E402
from steps import (  # noqa: E402
    CHECKOUT,
    CONFIG,
    FILES,
    HOME,
    LINK,
    STATE,
    USER,
    Failed,
    Step,
    copied,
    linked,
    packages,
    program,
    remove,
    run,
    succeeds,
    user,
)

from cribpi.config import ConfigError, read_config  # noqa: E402
from cribpi.devices.board import pi_model  # noqa: E402
from cribpi.devices.strip_spi import BYTES_PER_LED, TAIL  # noqa: E402
from cribpi.devices.strip_ws281x import SPI_PIN, spi_bytes  # noqa: E402
from cribpi.kit import Kit, KitError, load_kit  # noqa: E402

QUIET: Final = ("idle", "game-over", "match-over")
"""The phases in which no game is going on."""

PATIENCE: Final = 5.0
"""Seconds for which a companion may think about its answer."""

BACKUP: Final = ".before-cribpi"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what *arguments* ask; return 0, or 2 if it cannot be done."""
    parser = argparse.ArgumentParser(
        prog="install.py", description="Install or upgrade cribpi.  Example: sudo make install ARGS=--yes"
    )
    parser.add_argument("--uninstall", action="store_true", help="remove all but the games")
    parser.add_argument("--yes", action="store_true", help="write the boot settings without asking")
    parser.add_argument("--now", action="store_true", help="do it although a game is going on")
    parser.add_argument("--wheel", type=Path, help="install this wheel, and not the checkout")
    parser.add_argument("--destdir", type=Path, help="stage the files below this folder, and do nothing else")
    parser.add_argument("--model", help="the Pi's model, where it is not the one that this runs on")
    asked = parser.parse_args(arguments)
    os.umask(0o022)  # all of it is for all to read, whatever sudo was told
    if asked.destdir is None and os.geteuid() != 0:
        print("install: only root may do this; run it with sudo", file=sys.stderr)
        return 2
    try:
        if asked.uninstall:
            uninstall(asked.destdir)
        else:
            install(
                asked.destdir, asked.wheel, asked.model or pi_model(), is_sure=asked.yes, is_now=asked.now
            )
    except (Failed, ConfigError, KitError) as bad:
        print(f"install: {bad}", file=sys.stderr)
        return 2
    return 0


def install(
    destdir: Path | None, wheel: Path | None, model: str | None, *, is_sure: bool, is_now: bool
) -> None:
    """Do what is not done yet, below *destdir* where one is given, else on this machine.

    Raises:
        Failed: If a step cannot be done, or a game is going on and *is_now* is false.
        ConfigError: If the settings that are there cannot be read.
        KitError: If their kit cannot be.
    """
    root = destdir or Path("/")
    settings = root / CONFIG
    config = read_config(settings if settings.exists() else None)
    kit = load_kit(config.kit)
    steps = staging(root) if destdir else whole(wheel or CHECKOUT)
    news = [step for step in steps if not step.is_done()]
    if news and not destdir and not is_now and (why := going_on(config.port)):
        raise Failed(
            f"{why}; nothing was installed: finish it first, or add ARGS=--now to do it all the same"
        )
    for step in steps:
        if step in news:
            step.do()
        say("done" if step in news else "already so", step.name)
    if not destdir:
        start(is_new=bool(news))
    boot(root, model, wanted(kit), is_sure=is_sure)


def staging(root: Path) -> list[Step]:
    """Return the steps that put files below *root*."""
    return [*(copied(source, root, path) for source, path in FILES), linked(root)]


def whole(source: Path) -> list[Step]:
    """Return the steps of an installation of *source* on this machine, in their order."""
    root = Path("/")
    after: dict[str, Callable[[], None]] = {"cribpi.udev": udev_anew, "cribpi.service": units_anew}
    files = [copied(name, root, path, after.get(name, lambda: None)) for name, path in FILES]
    return [packages(), *files[:2], user(), *files[2:4], program(source), linked(root), files[4]]


def is_running() -> bool:
    """Return whether systemd runs this machine; it does not in a chroot."""
    return Path("/run/systemd/system").is_dir()


def udev_anew() -> None:
    """Let udev read its rules again, and apply them to what is plugged in."""
    if is_running():
        succeeds("udevadm", "control", "--reload")
        succeeds(
            "udevadm", "trigger", "--action=change", "--subsystem-match=gpio", "--subsystem-match=i2c-dev"
        )
        succeeds(
            "udevadm", "trigger", "--action=change", "--subsystem-match=spidev", "--subsystem-match=input"
        )


def units_anew() -> None:
    """Let systemd read its units again."""
    if is_running():
        run("systemctl", "daemon-reload", remedy="see `systemctl status`")


def start(*, is_new: bool) -> None:
    """Have the companion start with the machine, and start it now, or anew where something *is_new*."""
    is_enabled = succeeds("systemctl", "is-enabled", "--quiet", "cribpi")
    if not is_enabled:
        run("systemctl", "enable", "--quiet", "cribpi", remedy="see `systemctl status cribpi`")
    say("already so" if is_enabled else "done", "cribpi starts with the machine")
    if not is_running():
        say("left", "cribpi is not started: systemd does not run here")
        return
    is_active = succeeds("systemctl", "is-active", "--quiet", "cribpi")
    if is_new or not is_active:
        run("systemctl", "restart", "cribpi", remedy="`journalctl -u cribpi` tells why it does not start")
    say("already so" if is_active and not is_new else "done", "cribpi runs")


def going_on(port: int) -> str | None:
    """Return what stands against an upgrade now: a game, or a companion that does not answer; None if nothing does."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://127.0.0.1:{port}/api/state", timeout=PATIENCE) as answer:
            state: dict[str, Any] = json.load(answer)
        phase, is_begun = state["phase"], bool(state["seats"]) and state["winner"] is None
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(getattr(error, "reason", error), TimeoutError):
            return f"what runs on port {port} does not answer, and may be in a game"
        return None  # nobody is there, or somebody else
    # Behind the menu of the next game the one before may still be open.
    if phase in QUIET or (phase == "new-game" and not is_begun):
        return None
    names = " against ".join(side["name"] for side in state["sides"])
    scores = " to ".join(str(side["front"]) for side in state["sides"])
    return f"a game is going on: {names}, {scores}"


def wanted(kit: Kit) -> Wanted:
    """Return what *kit* wants of its board."""
    strip = kit.strip
    spi = strip.gpio == SPI_PIN
    frame = spi_bytes(strip.leds) if strip.driver == "rpi-ws281x" else strip.leds * BYTES_PER_LED + len(TAIL)
    return Wanted(kit.glass.baudrate, spi, buffer_for(frame) if spi else 0, audio=spi)


def boot(root: Path, model: str | None, needs: Wanted, *, is_sure: bool) -> None:
    """Offer the boot settings that are missing as a diff, and write them only when that is agreed to."""
    folder = next(
        (root / path for path in ("boot/firmware", "boot") if (root / path / "config.txt").is_file()), None
    )
    if folder is None:
        say("left", "boot settings: there is no config.txt here, so this is no Raspberry Pi")
        return
    config, cmdline = folder / "config.txt", folder / "cmdline.txt"
    texts = {path: read(path) for path in (config, cmdline) if path.is_file()}
    wanted_texts = {config: config_txt(texts[config], model, needs)}
    if cmdline in texts:
        wanted_texts[cmdline] = cmdline_txt(texts[cmdline], needs)
    changes = [(path, texts[path], new) for path, new in wanted_texts.items() if new != texts[path]]
    if not changes:
        say("already so", "boot settings")
        return
    for path, old, new in changes:
        names = (f"{path}", f"{path} (new)")
        diff = difflib.unified_diff(old.splitlines(), new.splitlines(), *names, lineterm="")
        print("\n".join(diff).encode(errors="replace").decode())
    if not (is_sure or agreed()):
        say("left", "boot settings: not written; `sudo make install ARGS=--yes` writes them")
        return
    for path, old, new in changes:
        backup = kept(path, old)
        write(path, new)
        say("done", f"{path}, the old one is {backup.name}")
    say("left", "the new boot settings hold after `sudo reboot`")


def agreed() -> bool:
    """Ask whether to write what was shown; where nobody can answer, nobody agrees."""
    if not sys.stdin.isatty():
        return False
    return input("Write this? [y/N] ").strip().lower() in {"y", "yes"}


def kept(path: Path, text: str) -> Path:
    """Keep *text*, the old one of *path*, beside it, under a name that is free; return that."""
    names = [f"{path.name}{BACKUP}", *(f"{path.name}{BACKUP}-{number}" for number in range(2, 1000))]
    backup = next(path.with_name(name) for name in names if not path.with_name(name).exists())
    write(backup, text)
    return backup


def read(path: Path) -> str:
    """Return the text of *path*, with its line ends as they are, and with bytes that are no text kept."""
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def write(path: Path, text: str) -> None:
    """Write *text* to *path*, so that a plug pulled meanwhile leaves the old file or the new one."""
    new = path.with_name(f"{path.name}.new")
    with new.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def uninstall(destdir: Path | None) -> None:
    """Remove all that an installation puts here, but for the games.

    Raises:
        Failed: If something cannot be removed.
    """
    root = destdir or Path("/")
    if destdir is None and Path("/etc/systemd/system/cribpi.service").exists():
        run("systemctl", "disable", "--now", "--quiet", "cribpi", remedy="see `systemctl status cribpi`")
        say("done", "cribpi is stopped, and starts no more")
    paths = [LINK, HOME, *(path for _, path in FILES if path != CONFIG), "etc/cribpi"]
    for path in remove(root, paths):
        say("removed", path)
    if destdir is None:
        units_anew()
        udev_anew()
        forget_user()
    state = root / STATE
    if state.exists():
        say("left", f"the games, in /{STATE}; `sudo rm -r /{STATE}` removes them too")
    say("left", "the system's packages, and the boot settings")


def forget_user() -> None:
    """Remove the user; the games become root's, so that no later user of the same number can have them."""
    if not succeeds("id", USER):
        return
    if Path("/", STATE).exists():
        run("chown", "-R", "root:root", Path("/", STATE), remedy="see to the file system")
    run("userdel", USER, remedy=f"is something of the user {USER} still running?")
    say("removed", f"user {USER}")


def say(how: str, what: str) -> None:
    """Print one line of what was done."""
    print(f"{how:<10}  {what}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
