"""The installer: `sudo make install`, `sudo make uninstall`, or a bundle.

It installs, upgrades or removes cribpi.

It needs only the system's Python. Each step is printed on one line, and a second run changes nothing.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent

if __name__ == "__main__":
    sys.dont_write_bytecode = True  # root must not write into the user's checkout
# Settings and kits are read with the program's modules, which need only the standard library.
sys.path[:0] = [str(HERE), str(HERE.parent)]

import fallback  # noqa: E402
import phones  # noqa: E402
import sound  # noqa: E402
import strip_library  # noqa: E402
from boot_files import boot  # noqa: E402
from boot_settings import BoardNeeds, buffer_for  # noqa: E402
from bundled import argument, brings, is_bundle, signers, wheel_list  # noqa: E402
from debian import PINS, check_bits, packages, pins  # noqa: E402
from guard import blocking_reason  # noqa: E402
from ours import check_command, check_home, check_kit, removed  # noqa: E402
from slots import VENV, switch, used  # noqa: E402
from steps import (  # noqa: E402
    CHECKOUT,
    CONFIG,
    ENGINE_FILES,
    FILES,
    RESTART_DUE,
    STATE,
    UNIT,
    USER,
    WLED_FILES,
    Failed,
    Left,
    Step,
    copied,
    find_environment,
    linked,
    optional,
    printed,
    program,
    run,
    say,
    succeeds,
    user,
)

from cribpi import __version__  # noqa: E402
from cribpi.companion.devices.board import pi_model  # noqa: E402
from cribpi.companion.devices.strip import chosen_driver, frame_bytes  # noqa: E402
from cribpi.companion.devices.strip_ws281x import SPI_PIN  # noqa: E402
from cribpi.companion.doctor.machine import MachineFiles  # noqa: E402
from cribpi.companion.doctor.pi import is_loaded  # noqa: E402
from cribpi.companion.files.atomic import write_whole  # noqa: E402
from cribpi.companion.installed import BY_FILE, BY_MAKE, CHANGES, SOURCE, Source, source_of  # noqa: E402
from cribpi.companion.kit import Kit, KitError  # noqa: E402
from cribpi.companion.kit.reader import load_kit  # noqa: E402
from cribpi.companion.run.config import ConfigError, SoundConfig, read_config  # noqa: E402
from cribpi.companion.update import lock  # noqa: E402
from cribpi.companion.update.checkout import GitFailed, source_at  # noqa: E402
from cribpi.cribbage.rules.errors import UserError  # noqa: E402

MACHINE: Final = Path("/")
"""Root folder of the installation."""

REMEDIES: Final = {
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "make room there",
    errno.EROFS: "the card is mounted read-only, and may be worn out: see `dmesg`",
    errno.EIO: "the card may be worn out: see `dmesg`",
}
"""Remedies by error number."""

EXAMPLES: Final = {False: f"{BY_MAKE} install ARGS=--yes", True: f"{BY_FILE} --yes"}

RAN: Final = "the service ran before\n"
"""Content of the `RESTART_DUE` file if the service ran before the installation."""

REFUSED: Final = "nothing was installed: finish it first, or add {now} to install anyway"
"""Message if a game is in progress."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the installer with *arguments*. Return exit code 0, or 2 if it fails."""
    parser = argparse.ArgumentParser(
        prog="install.py", description=f"Install or upgrade cribpi.  Example: {EXAMPLES[is_bundle()]}"
    )
    parser.add_argument("--uninstall", action="store_true", help="remove everything but the games")
    parser.add_argument("--yes", action="store_true", help="write the boot settings without asking")
    parser.add_argument("--now", action="store_true", help="install even if a game is going on")
    parser.add_argument("--phones", action="store_true", default=None, help="let phones reach the service")
    parser.add_argument("--no-phones", action="store_false", dest="phones", help="keep phones out")
    parser.add_argument("--wheel", type=Path, help="install this wheel instead of the checkout")
    parser.add_argument("--destdir", type=Path, help="only write the files below this folder")
    parser.add_argument("--model", help="the Pi's model, if it is not this machine")
    options = parser.parse_args(arguments)
    os.umask(0o022)  # installed files must be world-readable, whatever umask sudo uses
    if options.destdir is None and os.geteuid() != 0:
        print("install: only root may do this; run it with sudo", file=sys.stderr)
        return 2
    try:
        # Staging needs no lock. `cribpi update` holds it already.
        is_alone = options.destdir is not None or "CRIBPI_UPDATE" in os.environ
        with nullcontext() if is_alone else lock.hold(MACHINE):
            if options.uninstall:
                uninstall(options.destdir)
            else:
                install(
                    options.destdir,
                    options.wheel,
                    options.model or pi_model(),
                    is_sure=options.yes,
                    is_now=options.now,
                    has_phones=options.phones,
                )
    except (Failed, ConfigError, KitError, UserError) as bad:
        sys.stderr.write(getattr(bad, "output", ""))
        print(f"install: {bad}", file=sys.stderr)
        return 2
    except OSError as refused:
        print(f"install: {refusal(refused)}", file=sys.stderr)
        return 2
    return 0


def refusal(error: OSError) -> str:
    """Return the error message for a file that can't be read or written.

    >>> refusal(OSError(errno.ENOSPC, "No space left on device", "/etc/cribpi/config.toml"))
    '/etc/cribpi/config.toml: no space left on device; make room there, then try again'
    """
    why = (error.strerror or " ".join(str(error).split())).lower()
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{why}; {REMEDIES.get(error.errno or 0, 'check what is there')}, then try again"


def install(
    destdir: Path | None,
    wheel: Path | None,
    model: str | None,
    *,
    is_sure: bool,
    is_now: bool,
    has_phones: bool | None = None,
) -> None:
    """Run all steps that are not done yet. They apply to this machine, or to the staging folder *destdir*.

    *has_phones* is whether phones can join. If it is None, the first installation asks the user, and later
    ones change nothing.

    Raises:
        Failed: If a step fails, a game is in progress and *is_now* is false, or the system is 32-bit.
        ConfigError: If the existing settings can't be read.
        KitError: If the kit in the settings can't be read.
    """
    check_bits(model)
    root = destdir or MACHINE
    source = wheel or (wheel_list() if is_bundle() else CHECKOUT)
    settings = root / CONFIG
    config = read_config(settings if settings.exists() else None)
    check_kit(config.kit, settings)
    kit = load_kit(config.kit)
    check_home(root, source)
    check_command(root)
    if has_phones is None:
        has_phones = config.page.lan or asked_for_phones(root, is_staged=destdir is not None)
    steps = staging(root, kit, config.sound) if destdir else all_steps(source, kit, config.sound, model)
    after = reload_units if destdir is None else lambda: None
    steps += phones.files(root, after, is_wanted=has_phones)
    has_wled = kit.strip.host is not None
    steps += optional(WLED_FILES, root, after, "no WLED controller", is_wanted=has_wled)
    steps += optional(
        ENGINE_FILES,
        root,
        after if config.engines or destdir else without_engines,
        "no engine",
        is_wanted=bool(config.engines),
    )
    news = [step for step in steps if not step.is_done()]
    due = root / RESTART_DUE
    was_broken_off = destdir is None and due.exists()
    is_new = bool(news) or was_broken_off
    if is_new and not destdir and not is_now and (why := blocking_reason(config.port)):
        raise Failed(f"{why}; {REFUSED.format(now=argument('--now'))}")
    if is_new and not destdir:
        due.parent.mkdir(parents=True, exist_ok=True)
        if not was_broken_off:
            # A rollback makes sense only if the old program ran before.
            due.write_text(RAN if succeeds("systemctl", "is-active", "--quiet", "cribpi") else "")
        fallback.keep_files(root)
    has_changed = False
    for step in steps:
        # Check again, because an earlier step may undo this one: a new Python's environment lacks packages.
        has_changed |= run_step(step, is_new=step in news or not step.is_done())
    if not destdir:
        if was_broken_off:
            reload_udev()
        has_changed |= into_use(source, root)
        # The service gets its device access at its start, so a module loaded later requires a restart.
        lists = ("cribpi.modules", *(["sound.modules"] if speaks(kit, config.sound) else []))
        has_module = is_running() and modules_now(MachineFiles(), lists)
        try:
            start(is_new=has_changed or was_broken_off or has_module)
            if is_running() and may_go_back(root):
                fallback.wait(config.port)
        except Failed as failed:
            if not (is_running() and may_go_back(root)):
                raise
            back(root, str(failed))
        record(source, root)
        fallback.release(root)
        due.unlink(missing_ok=True)
    boot(root, model, board_needs(kit), is_sure=is_sure)


def into_use(source: Path, root: Path) -> bool:
    """Switch the service to the program of *source*. Return whether the program has changed.

    Raises:
        Failed: If the service can't be stopped, or its games can't be copied.
    """
    venv = find_environment(source, root)
    if venv is None or venv == used(root):
        return False
    try:
        if is_running() and (root / UNIT).exists():
            run("systemctl", "stop", "cribpi", remedy="see `systemctl status cribpi`")
            fallback.keep_games(root)
        switch(root, venv)
    except (Failed, OSError):
        succeeds("systemctl", "start", "--no-block", "cribpi")
        raise
    say("done", f"/{VENV} leads to the new program")
    return True


def may_go_back(root: Path) -> bool:
    """Return whether the old program ran before the installation, and can be restored."""
    due = root / RESTART_DUE
    return due.exists() and due.read_text(encoding="utf-8") == RAN and fallback.has_old(root)


def back(root: Path, why: str) -> None:
    """Restore and start the old program.

    Raises:
        Failed: Always, with *why* the new program failed.
    """
    try:
        fallback.go_back(root, why)
    except OSError:
        succeeds("systemctl", "start", "--no-block", "cribpi")
        raise
    reload_units()
    reload_udev()
    run("systemctl", "restart", "cribpi", remedy=f"neither does the old one: {fallback.LOG}")
    fallback.release(root)
    (root / RESTART_DUE).unlink(missing_ok=True)
    raise Failed(f"the new program does not start; the old one runs again, with all games: {fallback.LOG}")


def record(source: Path, root: Path) -> None:
    """Save the `Source` of *source*, and its changelog, for `cribpi update`."""
    venv = used(root)
    if not venv.is_dir():
        return
    changes = CHECKOUT / "CHANGELOG.md"
    if changes.is_file():
        write_whole(root / CHANGES, changes.read_bytes(), mode=0o644)
    try:
        if is_bundle():
            what = source_of((CHECKOUT / "about.json").read_text(encoding="utf-8"))
        else:
            what = source_at(CHECKOUT)
    except (OSError, ValueError, GitFailed, UserError):  # git is missing, or this is not a git checkout
        what = Source(__version__, checkout="" if is_bundle() or source != CHECKOUT else str(CHECKOUT))
    write_whole(root / SOURCE, what.as_json().encode(), mode=0o644)


def run_step(step: Step, *, is_new: bool) -> bool:
    """Run *step* if it *is_new*, and print the result. Return whether it was done now."""
    try:
        if is_new:
            step.do()
    except Left as why:
        say("left", str(why))
        return False
    say("done" if is_new else "unchanged", step.name)
    return is_new


def asked_for_phones(root: Path, *, is_staged: bool) -> bool | None:
    """Ask whether phones can join, on the first installation with a terminal. Otherwise return None."""
    is_first = not (root / UNIT).exists()
    if is_staged or not is_first or not sys.stdin.isatty():
        return None
    return input(phones.QUESTION).strip().lower() in {"y", "yes"}


def speaks(kit: Kit, wants: SoundConfig) -> bool:
    """Return whether the kit or the settings have a loudspeaker, or the settings turn the voice on."""
    return wants.loudspeaker(kit.loudspeaker) is not None


def staging(root: Path, kit: Kit, wants: SoundConfig) -> list[Step]:
    """Return the steps that write files below *root*, the staging folder."""
    files = [copied(source, root, path) for source, path in FILES]
    return [*files, *sound.files(root, lambda: None, is_wanted=speaks(kit, wants)), linked(root)]


def all_steps(source: Path, kit: Kit, wants: SoundConfig, model: str | None = None) -> list[Step]:
    """Return all steps to install *source* for *kit* on a Pi of *model*, in order."""
    root = MACHINE
    after: dict[str, Callable[[], None]] = {"cribpi.udev": reload_udev, "cribpi.service": reload_units}
    files = [copied(name, root, path, after.get(name, lambda: None)) for name, path in FILES]
    if is_bundle():  # a bundle has all libraries, except any that could not be compiled
        libraries = [] if brings("lgpio") else [packages((PINS,))]
        has_strip_step = not brings(strip_library.NAME)
    else:
        libraries, has_strip_step = [pins(root)], True
    program_steps = [program(source, root), linked(root)]
    if has_strip_step and strip_library.is_wanted(kit):
        program_steps.insert(1, strip_library.strip_library(root, kit, model, source))
    is_wanted = speaks(kit, wants)
    voice = [
        *([sound.packages()] if is_wanted else []),
        *sound.files(root, reload_units, is_wanted=is_wanted),
    ]
    trust = signers(root) if is_bundle() else []
    return [
        packages(),
        *libraries,
        *files[:2],
        user(),
        *files[2:-1],
        *program_steps,
        *voice,
        *trust,
        files[-1],
    ]


def is_running() -> bool:
    """Return whether systemd is running. In a chroot it is not."""
    return Path("/run/systemd/system").is_dir()


def reload_udev() -> None:
    """Reload udev's rules, and apply them to connected devices."""
    if is_running():
        succeeds("udevadm", "control", "--reload")
        succeeds(
            "udevadm", "trigger", "--action=change", "--subsystem-match=gpio", "--subsystem-match=i2c-dev"
        )
        succeeds(
            "udevadm", "trigger", "--action=change", "--subsystem-match=spidev", "--subsystem-match=input"
        )


def modules_now(machine: MachineFiles, lists: Sequence[str] = ("cribpi.modules",)) -> bool:
    """Load the kernel modules in *lists* now. Return whether any was loaded.

    A failure is only printed.
    """
    words = [word for name in lists for word in (HERE / name).read_text(encoding="utf-8").splitlines()]
    missing = [word for word in words if word[:1] not in {"", "#"} and not is_loaded(machine, word)]
    loaded = [module for module in missing if succeeds("modprobe", module)]
    for module in missing:
        if module in loaded:
            say("done", f"kernel module {module} is loaded")
        else:
            say(
                "left",
                f"kernel module {module}: `sudo modprobe {module}` shows why it can't be loaded",
            )
    return bool(loaded)


def reload_units() -> None:
    if is_running():
        run("systemctl", "daemon-reload", remedy="see `systemctl status`")


def without_engines() -> None:
    """Stop the socket on which systemd starts engines."""
    if is_running():
        succeeds("systemctl", "stop", "cribpi-engine.socket")
    reload_units()


def start(*, is_new: bool) -> None:
    """Enable and start the service. If something *is_new*, restart it."""
    is_enabled = succeeds("systemctl", "is-enabled", "--quiet", "cribpi")
    if not is_enabled:
        run("systemctl", "enable", "--quiet", "cribpi", remedy="see `systemctl status cribpi`")
    say("unchanged" if is_enabled else "done", "cribpi starts when the Pi starts")
    if not is_running():
        say("left", "cribpi is not started: systemd is not running here")
        return
    if printed("systemctl", "show", "--property=NeedDaemonReload", "--value", "cribpi") == "yes":
        reload_units()
    is_active = succeeds("systemctl", "is-active", "--quiet", "cribpi")
    if is_new or not is_active:
        run("systemctl", "restart", "cribpi", remedy="`journalctl -u cribpi` shows why it does not start")
    say("unchanged" if is_active and not is_new else "done", "cribpi runs")


def board_needs(kit: Kit) -> BoardNeeds:
    """Return the boot settings that *kit* needs."""
    strip = kit.strip
    spi = strip.gpio == SPI_PIN
    frame = frame_bytes(strip.leds, chosen_driver(strip.driver, strip.gpio))
    bufsiz = buffer_for(frame) if spi else 0
    return BoardNeeds(kit.glass.baudrate, spi, bufsiz, audio=spi or strip.gpio is None)


def uninstall(destdir: Path | None) -> None:
    """Remove all files of an installation except the games. The user's own files are kept.

    Raises:
        Failed: If the service or its user can't be removed.
    """
    root = destdir or MACHINE
    if destdir is None and Path("/", UNIT).exists():
        now = ["--now"] if is_running() else []  # in a chroot, no service runs
        run("systemctl", "disable", *now, "--quiet", "cribpi", remedy="see `systemctl status cribpi`")
        say("done", "cribpi is stopped and disabled")
    for how, what in removed(root):
        say(how, what)
    if destdir is None:
        reload_units()
        reload_udev()
        forget_user()
    if (root / STATE).exists():
        say("left", f"the games, in /{STATE}; `sudo rm -r /{STATE}` removes them too")
    say("left", "the system's packages, and the boot settings")


def forget_user() -> None:
    """Remove the service's user.

    Its games go to root, so that a later user with the same ID can't read them.
    """
    if not succeeds("id", USER):
        return
    if Path("/", STATE).exists():
        run("chown", "-R", "root:root", Path("/", STATE), remedy="check the file system")
    run("userdel", USER, remedy=f"is a process of the user {USER} still running?")
    say("removed", f"user {USER}")


if __name__ == "__main__":
    sys.exit(main())
