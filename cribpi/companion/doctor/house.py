"""Checks for every machine: journal, free space, port, phones, voice and broker."""

from __future__ import annotations

import errno
import http.client
import json
import os
import shutil
import socket
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from cribpi.companion.devices import health
from cribpi.companion.devices.health import Problem
from cribpi.companion.devices.voice import INSTALL, PLAYER, SPEAKER
from cribpi.companion.doctor.machine import Finding, MachineFiles, Verdict, finding
from cribpi.companion.engines import sandbox
from cribpi.companion.engines.sandbox import UNCONFINED
from cribpi.companion.files import disk, mounts
from cribpi.companion.installed import again
from cribpi.companion.journal import database
from cribpi.companion.journal.games_table import damaged_removals, faults_of_games
from cribpi.companion.journal.house_table import damaged_facts
from cribpi.companion.journal.journal import lost_presses
from cribpi.companion.journal.location import is_emptied, marked
from cribpi.companion.journal.steps_table import last_step
from cribpi.companion.kit import Kit
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.client import ask
from cribpi.companion.run.config import SoundConfig
from cribpi.companion.web.phones.network import Reach, reach
from cribpi.companion.web.phones.registry import PhoneFile
from cribpi.cribbage.rules.errors import UserError

_ROOM: Final = (
    50_000_000  # bytes that must be free for the journal; a game takes less than a fiftieth of this
)
# For an installed companion, which has its own user and state folder.
_AS_THE_SERVICE: Final = "sudo -u cribpi env XDG_STATE_HOME=/var/lib cribpi doctor"
_SET_ASIDE: Final = (
    "start cribpi: it keeps this one as journal-aside-1.db and begins a new one (see docs/how-to/trouble.md)"
)
_ANOTHER: Final = "make it a file that you can read and write, or choose another folder with --state"
_FORGET_GAMES: Final = "DELETE FROM games"  # the table is then rebuilt
_LOOPBACK: Final = "127.0.0.1"

_SYNCS: Final = 20
_BYTES: Final = 4096  # a press takes as much in SQLite's log, without the frame's header
_SLOW: Final = 0.05
"""Seconds.  A press is shown once it is stored, and an answer within 0.1 s feels immediate (Miller 1968, Card
et al. 1991); the other half is for the keypad's debouncing, the rules and the OLED's picture."""
_LONGEST: Final = 5.0  # seconds for all writes


def write_times(folder: Path) -> list[float]:
    """Return the durations in seconds of writes to a file in *folder*, each with a sync.

    Raises:
        OSError: If the write fails.
    """
    times: list[float] = []
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:  # an unnamed file is removed in any case
        while len(times) < _SYNCS and sum(times) < _LONGEST:
            began = time.monotonic()
            file.write(bytes(_BYTES))
            os.fdatasync(file.fileno())
            times.append(time.monotonic() - began)
    return times


def check_room(state: Path) -> Verdict:
    """Check the free space in the journal's folder, or its future folder."""
    folder = _nearest_existing(state)
    free = shutil.disk_usage(folder).free
    says = f"{free / 1e6:,.0f} MB are free at {folder}"
    if free < _ROOM:
        needed = f"at least {_ROOM / 1e6:.0f} are needed"
        return Problem(f"{says}; {needed}", "sudo apt clean, or use a larger card")
    return says


def check_lasting(state: Path, machine: MachineFiles) -> Verdict:
    """Check that data in the state folder survives switching off the machine."""
    folder = _nearest_existing(state)
    kind = mounts.forgetting(folder, machine.text(mounts.MOUNTS) or "")
    if kind is None:
        return f"{folder} keeps what is written when this machine is switched off"
    mend = "choose a folder on the card with --state"
    if kind == "overlay":
        mend = f"sudo raspi-config nonint do_overlayfs 1 && sudo reboot; or {mend}"
    return Problem(f"{folder} is on {kind}: every game is lost when this machine is switched off", mend)


def check_writes(state: Path, seconds: Callable[[Path], list[float]] = write_times) -> Verdict:
    """Check the time that the disk takes to store a press."""
    if not state.exists():
        return "not measured: the first game creates its folder"
    if not os.access(state, os.W_OK | os.X_OK):
        return f"not measured: run {_AS_THE_SERVICE}"
    try:
        times = sorted(seconds(state))
    except OSError as refused:
        return Problem(
            f"a file in {state} can't be stored ({refused.strerror})", disk.remedy(refused, _ANOTHER)
        )
    says = f"a press is stored in {1000 * times[len(times) // 2]:.0f} ms"
    if times[len(times) // 2] > _SLOW:
        mend = "use a card of class A1 or A2, or --state on another disk"
        return Problem(f"{says}, which you feel at each key; {1000 * _SLOW:.0f} ms is the limit", mend)
    return says


def check_clock(state: Path, machine: MachineFiles) -> Verdict:
    """Check that the clock is not before the last change of the state folder."""
    now = time.time()
    if problem := health.clock(now, health.last_written(state)):
        return problem
    says = f"{time.strftime('%F %R', time.localtime(now))}"
    if machine.exists("/run/systemd/timesync/synchronized"):
        return f"{says}, set from the network"
    return f"{says}; it has not been set from the network since the start"


def check_journal(state: Path) -> Verdict:
    """Check the journal without writing to it, even while a companion uses it."""
    folder, path = _nearest_existing(state), state / "journal.db"
    if not folder.is_dir():
        return Problem(f"{folder} is not a folder", "choose a folder with --state")
    if not os.access(folder, os.R_OK | os.X_OK):
        return Problem(f"no permission to read {state}", f"run as its user: {_AS_THE_SERVICE}")
    for needed in (folder, path, state / "lock"):
        if needed.exists() and not os.access(needed, os.W_OK):
            return Problem(f"{needed} can't be written, so no game can be kept", _unlocking(needed))
    mark = marked(state)  # read before the journal, because a companion may write meanwhile
    if is_emptied(path) or (mark and not path.exists()):
        return Problem(f"{path} is empty or gone, though games were played", _SET_ASIDE)
    if not path.exists():
        return f"none yet at {state}: the first game creates it"
    try:
        return database.settled(path, lambda db: _looked_through(path, db, mark))
    except database.NewerJournal as newer:
        mend = "update cribpi; this one keeps it as journal-aside-1.db, and begins a new one"
        return Problem(f"{path}: {newer}", mend)
    except sqlite3.Error as error:
        mend = disk.remedy(error, _ANOTHER) if database.is_the_disks_fault(error) else _SET_ASIDE
        return Problem(f"{path} can't be read ({disk.one_line(error)})", mend)


def _looked_through(path: Path, db: sqlite3.Connection, mark: int) -> Verdict:
    """Check all that has a checksum in the journal *path*, opened as *db*, and that it reaches *mark*.

    Raises:
        sqlite3.Error: If it can't be read.
    """
    if damage := database.damage(db, whole=True, indexes=True):
        return Problem(f"{path} is damaged ({damage})", _SET_ASIDE)
    if database.version_of(db) >= 3:  # before, there was no table of games, and the desk had no checksum
        if games := faults_of_games(db):
            mend = f'sqlite3 "{path}" "{_FORGET_GAMES}": the next start rebuilds it'
            return Problem(f"{path}: {games}", mend)
        if odd := damaged_removals(db):
            forget = f"DELETE FROM removed WHERE id IN ({', '.join(map(str, odd))})"  # noqa: S608  numbers
            mend = f'sqlite3 "{path}" "{forget}": then remove again what comes back'
            return Problem(f"{path}: which games are removed has changed since it was written", mend)
        if odd := damaged_facts(db):
            forget = f"DELETE FROM house WHERE id IN ({', '.join(map(str, odd))})"  # noqa: S608  numbers
            mend = f'sqlite3 "{path}" "{forget}": then say again what is lost, such as a new name'
            return Problem(f"{path}: what was said of this house has changed since it was written", mend)
        if (row := database.desk_row(db)) and not row[1]:
            says = f"{path}: what you were entering and the setup of the next game are damaged"
            return Problem(says, "start cribpi: it clears these, and the game goes on")
    if lost := lost_presses(mark, database.desk_row(db)):
        return Problem(f"{path}: {lost}", "press a key if cribpi runs; else enter them again")
    last = last_step(db)
    return f"{path} is intact; steps so far: {last.depth if last else 0:,}"


def _nearest_existing(state: Path) -> Path:
    """Return *state* or, if it does not exist, the nearest parent that does."""
    return next(path for path in (state, *state.parents) if path.exists())


def _unlocking(path: Path) -> str:
    """Return the remedy for a *path* that a companion has no permission to write."""
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        return disk.remedy(OSError(errno.EROFS, ""), "")
    return f"run as its user: {_AS_THE_SERVICE}; or choose a folder that you can write to with --state"


def check_port(port: int) -> Verdict:
    """Check that the page's port is free, or in use by a companion."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_LOOPBACK, port))
        except PermissionError:
            return Problem(f"only root can use {port}", "cribpi run --port 8121")
        except OSError:
            if "phase" in _answer(port, "/api/state"):
                return f"cribpi is running there already, at http://{_LOOPBACK}:{port}/"
            mend = "cribpi run --port 8122, or port = 8122 in config.toml"
            return Problem(f"another program has {port}", mend)
    return f"{port} is free for the page"


def check_phones(
    state: Path, port: int, machine: MachineFiles, *, is_wanted: bool, find: Callable[[], Reach] = reach
) -> Verdict:
    """Check that phones can find the board if they are let in, by the settings or since the last run."""
    saved = PhoneFile(state).read()
    if not (is_wanted or saved.is_open):
        return "off: nothing listens on your network"
    network = find()
    if network.trouble is not None:
        mend = f"connect it, or on a Pi: {again(machine.root, 'phones')} (see docs/how-to/phones.md)"
        return Problem(network.trouble, mend)
    joined = len(saved.phones)
    return f"may join at http://{network.addresses[0]}:{port}/; {joined or 'none'} at the table"


def _answer(port: int, path: str) -> dict[str, Any]:
    """Return a companion's JSON at *port* and *path*; empty without a companion."""
    line = http.client.HTTPConnection(_LOOPBACK, port, timeout=2)
    try:
        line.request("GET", path)
        answer = json.loads(line.getresponse().read(1_000_000))
    except (OSError, http.client.HTTPException, ValueError):
        return {}
    finally:
        line.close()
    return answer if isinstance(answer, dict) else {}


_UNIT: Final = "/etc/systemd/system/cribpi.service"
_DROP_INS: Final = f"{_UNIT}.d/*.conf"
_ALLOWED: Final = "DeviceAllow=char-alsa"


def check_voice(machine: MachineFiles, kit: Kit, sound: SoundConfig) -> Iterator[Finding]:
    """Yield findings about the voice if it is on, or if the settings or the kit name a loudspeaker."""
    if sound.loudspeaker(kit.loudspeaker) is not None:
        yield finding("voice", _check_programs(machine, sound))
        yield finding("loudspeaker", _check_loudspeaker(machine))


def _check_programs(machine: MachineFiles, sound: SoundConfig) -> Verdict:
    missing = [program for program in (SPEAKER, PLAYER) if not machine.matching(f"/usr/*bin/{program}")]
    if missing:
        return Problem(f"{' and '.join(missing)} not installed", INSTALL)
    return f"{SPEAKER} and {PLAYER}; {'on' if sound.voice else 'off: voice = true under [sound] turns it on'}"


def _check_loudspeaker(machine: MachineFiles) -> Verdict:
    devices = machine.matching("/dev/snd/pcmC*p")
    if not devices:
        return Problem(
            "no sound card for playback", "plug the loudspeaker in; `aplay -l` lists what is there"
        )
    if machine.exists(_UNIT):  # the service has its own groups, not those of the current user
        if not any(_ALLOWED in (machine.text(path) or "") for path in machine.matching(_DROP_INS)):
            return Problem("the service can't open the sound devices", again(machine.root))
    elif not any(map(machine.may_use, devices)):
        mend = f"sudo usermod -aG audio {machine.user}, then log in again"
        return Problem(f"no permission to open {devices[0]}", mend)
    return ", ".join(devices)


SECONDS: Final = 3.0
"""Seconds to wait for the broker."""

_REMEDY: Final = "check that it runs, and see host, port and tls in [mqtt]"


def check_engines(port: int, machine: MachineFiles) -> Verdict:
    """Check that engines, which are other people's programs, can be confined, and are."""
    page = _answer(port, "/api/page")
    if UNCONFINED in (page.get("trouble") or ()):
        return Problem("cribpi runs them unconfined", "start it without --trust-engines")
    is_service = machine.exists(_UNIT)
    try:
        (sandbox.check_service if is_service else sandbox.check)()
    except UserError as wrong:
        what, _, fix = str(wrong).partition(": ")
        return Problem(f"none plays: {what}", fix)
    return f"{'systemd' if is_service else 'bubblewrap'} confines them"


def check_broker(broker: Broker, seconds: float = SECONDS) -> Verdict:
    """Check that the *broker* accepts the board; publish nothing."""
    reason = ask(broker, seconds)
    if reason is None:
        return f"{broker.address} lets {broker.board} in"
    says, remedy = (part.format(board=broker.board) for part in (reason.says, reason.remedy or _REMEDY))
    return Problem(f"{broker.address}: {says}", remedy)
