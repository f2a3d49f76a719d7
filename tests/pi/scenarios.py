"""What is shown on a Pi in a virtual machine: each scenario raises where something is not as it must be.

A scenario takes a `Table`, does what its name says, and returns a sentence about what it saw.
"""

from __future__ import annotations

import base64
import json
import random
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from pi import hog, targets
from pi.machine import REST, TAP, Trouble
from pi.rehearsed import Press, last_picture, pins_of
from pi.table import LOOK_EVERY, PATIENCE, RESTARTED_WITHIN, UP_WITHIN, Table, check
from support import attacks

from cribpi.companion import kit as kits
from cribpi.companion.devices import board
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.views.dimming import DIM

FIRST: Final = 12
CHANGES: Final = 7
"""How often a bouncing contact changes, each time: an odd number."""
ROOM_LEFT: Final = 40
"""The most presses that the journal takes without another block of the disk."""
INSTALL: Final = "sh /media/usb/cribpi.run"
"""The bundle, as it lies on a USB stick."""

UPDATE: Final = "cribpi update /media/usb/cribpi.run"
INSTALLED_WITHIN: Final = 1200.0
"""Seconds that an installation may take where nothing accelerates the machine."""
AS_BEFORE: Final = """\
cd /opt/cribpi && slot=$(readlink venv) && rm venv && mv $slot venv &&
sed -i 1s/$slot/venv/ venv/bin/cribpi && rm venv/installed-from venv/source.json &&
echo 'another bundle' >installed-from"""
A_BROKEN_ONE: Final = """\
import hashlib, io, json, pathlib, tarfile, zipfile
data = pathlib.Path("/media/usb/cribpi.run").read_bytes()
about = json.loads(data.partition(b"# about: ")[2].partition(b"\\n")[0])
folder = pathlib.Path("/root/broken")
end = data.rfind(b"-----BEGIN SSH SIGNATURE-----")
tarfile.open(fileobj=io.BytesIO(data[end - about["bytes"]:end])).extractall(folder)
(wheel,) = folder.glob("wheels/cribpi-*.whl")
old = wheel.read_bytes()
whole = zipfile.ZipFile(io.BytesIO(old))
whole.extractall(folder)
with zipfile.ZipFile(wheel, "w") as broken:
    for name in whole.namelist():
        broken.writestr(name, b"raise SystemExit(1)" if name == "cribpi/__main__.py" else whole.read(name))
for listed in folder.glob("wheels/*.txt"):
    sums = [hashlib.sha256(one).hexdigest() for one in (old, wheel.read_bytes())]
    listed.write_text(listed.read_text().replace(*sums))
"""
"""Unpacks the bundle, with a program in it that does not start."""

BUNDLES: Final = """\
cd /root && ssh-keygen -q -t ed25519 -N '' -f stranger && python3 - <<'FORGED'
import pathlib
data = pathlib.Path("/media/usb/cribpi.run").read_bytes()
at = data.rfind(b"-----BEGIN SSH SIGNATURE-----")
pathlib.Path("unsigned.run").write_bytes(data[:at])
pathlib.Path("forged.run").write_bytes(data.replace(b'"version": "0', b'"version": "9', 1))
FORGED
ssh-keygen -Y sign -q -n cribpi-bundle -f stranger <unsigned.run >signature
cat unsigned.run signature >stranger.run"""
"""Makes bundles of the one on the stick that nobody trusted has signed as they are."""
SET_ASIDE: Final = """\
systemctl stop cribpi && mv /var/lib/cribpi /var/lib/cribpi.game &&
cp /etc/cribpi/config.toml /root/config.toml && install -d -o cribpi -m 700 /var/lib/cribpi &&
install -o cribpi /dev/null /var/lib/cribpi/secret"""
PUT_BACK: Final = """\
rm -r /var/lib/cribpi && mv /var/lib/cribpi.game /var/lib/cribpi &&
mv /root/config.toml /etc/cribpi/config.toml"""
LEAVES: Final = 987654
"""Seconds that what the engine leaves behind would sleep."""
UNCONFINED: Final = frozenset(
    {
        *("read secret", "write secret", "rename secret", "chmod secret", "utime secret", "unlink secret"),
        *("TCP", "Fast Open", "MPTCP", "UDP", "Unix", "abstract", "Unix by a pair", "netlink", "io_uring"),
        *("command line", "environment", "signal", "prlimit", "memory", "many files", "100 processes"),
    }
)
"""What gets through where nothing stops it, as the user of the service."""
CLOCK_IS_WRONG: Final = "before your last game"
NOT_SAVED: Final = "was not saved"
PROGRAM: Final = "/opt/cribpi/venv/lib/python3*/site-packages/cribpi/__init__.py"

# --- what is pressed ---


def a_beginning(table: Table) -> str:
    """The first presses of the game, screen and lights compared after each."""
    table.play(FIRST)
    return f"the first {FIRST} presses, screen and lights right after each"


def the_rest(table: Table) -> str:
    """All that is left of the game, compared after each press."""
    whole = len(table.game.presses)
    rest = whole - table.at
    began = time.monotonic()
    table.play(rest)
    each = (time.monotonic() - began) / rest
    shorts = table.machine.shell("tail -n 1 /dev/pi-contacts")
    check(shorts == "shorts 0", f"two rows were driven against each other: {shorts}")
    left_out = sorted(set(range(1, whole + 1)) - table.compared)
    check(not left_out, f"lights were not right after the presses {left_out}")
    return (
        f"the other {rest} presses, to the winner ({each:.2f} s a press); "
        f"screen and lights were right after each of all {whole}"
    )


def bouncing(table: Table) -> str:
    """A contact that bounces for 1 to 5 ms, as it closes and as it opens, makes one press."""
    for milliseconds in range(1, 6):
        press = table.game.presses[table.at]
        pause = milliseconds / 1000 / (CHANGES - 1)
        table.machine.ask("bounce", press.row, press.column, TAP, REST, CHANGES, pause)
        table.at += 1
        table.sees(press.wanted)
    return f"1, 2, 3, 4 and 5 ms of bouncing ({CHANGES} changes each way): one press each"


def numpad(table: Table) -> str:
    """A keypad on USB: plugged in, pulled, plugged in again."""
    machine, codes = table.machine, _numpad_codes()
    machine.shell("systemctl stop cribpi && mv /var/lib/cribpi /var/lib/cribpi.game")
    _with_kit(table, "numpad")
    table.until("it is missed", lambda: _is_said(table, "keypad"))
    machine.ask("plug in", list(codes.values()))
    found = table.until("it is found", lambda: not table.troubles())
    machine.ask("key", codes["OK"], TAP)
    table.until("Enter begins a game", lambda: table.phase() == "new-game")
    machine.ask("pull")
    missed = table.until("it is missed again", lambda: _is_said(table, "unplugged"))
    machine.ask("plug in", list(codes.values()))
    again = table.until("it is found again", lambda: not table.troubles())
    machine.ask("key", codes["OK"], TAP)
    table.until("Enter goes on", lambda: table.phase() != "new-game")
    machine.ask("pull")
    machine.shell("systemctl stop cribpi && rm -r /var/lib/cribpi && mv /var/lib/cribpi.game /var/lib/cribpi")
    _with_kit(table, "table")
    table.same_prompt()
    return f"found after {found:.1f} s, missed after {missed:.1f} s, found again after {again:.1f} s"


def _with_kit(table: Table, kit: str) -> None:
    """Start the companion with another *kit* in its settings."""
    table.machine.shell(f"sed -i 's/^#*kit = .*/kit = \"{kit}\"/' /etc/cribpi/config.toml")
    table.machine.shell("systemctl start cribpi", timeout=RESTARTED_WITHIN)
    table.is_ready()


def _numpad_codes() -> dict[str, int]:
    keypad = load_kit("numpad").keypad
    assert isinstance(keypad, kits.UsbKeys)
    return {key: code for code, key in keypad.by_code.items()}


def _is_said(table: Table, word: str) -> bool:
    return any(word in said for said in table.troubles())


# --- what fails ---


def panel(table: Table) -> str:
    """I2C errors, transfers that break off, a panel without power, and one whose registers are upset."""
    machine, told = table.machine, []
    for name, fault in (
        ("5 errors", "fail 5"),
        ("cut in a command", "cut 3"),
        ("cut in a picture", "cut 70"),
    ):
        machine.ask("oled", fault)
        press = table.game.presses[table.at]
        table.tap(press)
        table.at += 1
        told.append(f"{name} {table.sees(press.wanted):.1f} s")
    machine.ask("oled", "power off")
    press = table.game.presses[table.at]
    table.tap(press)
    table.at += 1
    table.until("it is said", lambda: _is_said(table, "oled"))
    machine.ask("oled", "power on")
    told.append(f"no power {table.sees(press.wanted, is_awake=False):.1f} s")
    table.until("all is well", lambda: not table.troubles())
    machine.ask("oled", "power off")
    machine.ask("oled", "power on")
    told.append(f"a moment without power {table.sees(press.wanted, is_awake=False):.1f} s")
    before = _registers(table)
    machine.ask("oled", "upset")
    told.append(f"registers upset {table.sees(press.wanted, is_awake=False):.1f} s")
    after = _registers(table)
    left = {name for name, number in after.items() if number != before[name]}
    is_dimmed = left == {"contrast"} and after["contrast"] == DIM
    check(not left or is_dimmed, f"still upset: {sorted(left)} of {after}")
    unknown = machine.panel().registers["unknown"]
    check(unknown == 0, f"{unknown} bytes were not a command of an SSD1306")
    return "right again after: " + ", ".join(told)


def _registers(table: Table) -> dict[str, int]:
    found = table.machine.panel().registers
    return {name: number for name, number in found.items() if name != "transfers"}


def supply(table: Table) -> str:
    """The strip's supply fails for a moment: the lights are right again without a press."""
    table.play(1)
    table.machine.strip.lose_power()
    took = table.sees(table.wanted())
    return f"the strip without power for a moment: right again after {took:.1f} s, and no key was pressed"


def watchdog(table: Table) -> str:
    """A companion that is frozen is ended by systemd and started anew, at the same prompt."""
    before, pid = table.restarts(), table.pid()
    table.machine.shell(f"kill -STOP {pid}")
    took = table.until("systemd starts it anew", lambda: table.restarts() > before, 240)
    table.is_ready()
    check(table.pid() != pid, "it is still the same process")
    table.same_prompt()
    return f"started anew {took:.0f} s after it was frozen, at the same prompt"


def plug(table: Table, pulls: int = 3) -> str:
    """The plug pulled in the middle of a press: the next start is at the prompt, or one press further."""
    chance, there = random.Random(pulls), 0
    for number in range(pulls):
        table.play(1)
        press = table.game.presses[table.at]
        table.machine.tell("press", press.row, press.column, TAP, REST)
        time.sleep(chance.uniform(0.0, 0.3))
        table.machine.unplug()
        is_last = number == pulls - 1
        table.start(cache=("none", "writeback")[number % 2], clock=WRONG_CLOCK if is_last else "utc")
        if is_last:
            table.until("the wrong clock is said", lambda: _is_said(table, CLOCK_IS_WRONG))
            table.machine.shell(f"date -s @{int(time.time())}")
            table.until("all is well", lambda: not table.troubles())
        there += _is_one_further(table, press)
        table.play(1)
    return (
        f"pulled {pulls} times in the middle of a press, with QEMU's cache off and on in turn: "
        f"the press was there {there} times, and every one before it always"
    )


def _is_one_further(table: Table, press: Press) -> bool:
    """Return whether *press*, in which the plug was pulled, counts; the game goes on from there."""
    began = time.monotonic()
    while (glass := table.machine.look().glass) not in {table.wanted().glass, press.wanted.glass}:
        if time.monotonic() - began > PATIENCE:
            break
        time.sleep(LOOK_EVERY)
    is_there = glass == press.wanted.glass
    table.at += is_there
    table.sees(table.wanted(), is_awake=False)  # the next press shows the lights
    return is_there


def plugs(table: Table) -> str:
    """The plug pulled twenty times."""
    return plug(table, 20)


def full_disk(table: Table) -> str:
    """A full disk refuses a press and says so; with room again, the same press is taken."""
    # What is free to all, and then what is left; the blocks that are root's own are no one's else.
    table.machine.shell("fallocate -l $(df --output=avail -B1 / | tail -n 1) /var/full-1; sync")
    table.machine.shell("dd if=/dev/zero of=/var/full-2 bs=4k count=256 status=none; sync", check=False)
    said = _refusal(table)
    table.machine.shell("rm /var/full-*; sync")
    table.play(1)
    table.until("all is well", lambda: not table.troubles())
    return f"a press was refused ({said}), and taken once there was room"


def worn_card(table: Table) -> str:
    """A read-only card: in a game, by a remount and by an error of ext4, and from the next start."""
    machine, root = table.machine, "/sys/fs/ext4/vda"
    machine.shell("echo u >/proc/sysrq-trigger; sleep 2")
    said = _refusal(table)
    machine.shell("mount -o remount,rw,errors=remount-ro /")
    table.play(1)
    table.until("all is well", lambda: not table.troubles())
    machine.shell(f"echo a worn card >{root}/trigger_fs_error; sleep 1")
    _refusal(table)
    table.until("the card is said to fail", lambda: _is_said(table, "on it so far"))
    machine.unplug()
    # Its errors are counted on it until a check; 1 is the exit code of one that has mended something.
    checked = subprocess.run(["e2fsck", "-fy", str(table.disk)], check=False, capture_output=True, text=True)
    check(checked.returncode in (0, 1), f"the disk cannot be checked: {checked.stdout}")
    machine.start(words=("ro",))
    table.until("systemd tries again and again", lambda: table.restarts() >= 2, UP_WITHIN)
    why = machine.shell("journalctl -b -u cribpi -o cat | grep -i read-only | tail -n 1", check=False)
    check(why, "it is not said why the companion does not start")
    machine.shell("mount -o remount,rw /")
    table.is_ready()
    table.same_prompt()
    return (
        f"presses were refused ({said}); read-only from the start, it was tried again and again ({why}); "
        "at the same prompt once it can be written"
    )


def _refusal(table: Table) -> str:
    """Press on until the disk refuses a press; return what is said of it.

    The journal's log may have room for some more presses in blocks that it has already.
    """
    for _ in range(ROOM_LEFT):
        before = table.seq()
        table.tap(table.game.presses[table.at])
        table.until("it counts, or the reason is said", partial(_is_answered, table, before))
        if table.seq() == before:
            return next(said for said in table.troubles() if NOT_SAVED in said)
        table.at += 1
        table.sees(table.wanted())
    raise Trouble(f"the disk has not refused {ROOM_LEFT} presses")


def _is_answered(table: Table, before: int) -> bool:
    return table.seq() > before or _is_said(table, NOT_SAVED)


def clock(table: Table) -> str:
    """The clock goes an hour back, which is said, then two forward, in the middle of the game."""
    table.machine.shell("date -s '-1 hour'")
    table.until("the wrong clock is said", lambda: _is_said(table, CLOCK_IS_WRONG))
    before = table.seq()
    table.tap(table.game.presses[table.at])
    table.until("a press counts", lambda: table.seq() > before)
    table.at += 1
    table.machine.shell("date -s '+1 hour'")
    table.until("all is well", lambda: not table.troubles())
    table.sees(table.wanted(), is_awake=False)
    for change in ("+1 hour", "-1 hour"):
        table.machine.shell(f"date -s '{change}'")
        table.play(2)
    return "an hour back was said, one forward and back again: the game went on"


# --- what is installed ---


def modules(table: Table) -> str:
    """A bus whose module comes after the companion: it says what to do, and that helps."""
    machine = table.machine
    machine.shell(
        "systemctl stop cribpi && rmmod i2c-dev && systemctl start cribpi", timeout=RESTARTED_WITHIN
    )
    table.is_ready()
    machine.shell("modprobe i2c-dev && udevadm settle")
    table.until("it is said", lambda: _is_said(table, "restart it"))
    said = next(said for said in table.troubles() if "restart it" in said)
    machine.shell("systemctl restart cribpi", timeout=RESTARTED_WITHIN)
    table.is_ready()
    table.same_prompt()
    check(not table.troubles(), f"after a restart: {table.troubles()}")
    return f"loaded late: {said!r}; after a restart all is well, at the same prompt"


def upgrade(table: Table) -> str:
    """Upgrades in a game: refused, done with --now and `cribpi update`, undone if the new one fails."""
    machine, older = table.machine, "# an older version"
    # As the program was installed when it had one place, and by another bundle.
    machine.shell(AS_BEFORE)
    machine.shell(f"echo '{older}' | tee -a {PROGRAM}")
    refused = machine.run("sh", "-c", INSTALL, check=False, timeout=RESTARTED_WITHIN)
    check(refused.code == 2 and "a game is going on" in refused.err, f"not refused: {refused}")
    before, began = table.pid(), time.monotonic()
    machine.shell(f"{INSTALL} --now", timeout=INSTALLED_WITHIN)
    took = time.monotonic() - began
    table.is_ready()
    check(table.pid() != before, "the companion was not started anew")
    found = machine.shell(f"tail -n 1 {PROGRAM}")
    check(found != older, f"the program is the old one: {found}")
    table.same_prompt()

    same = machine.shell(f"{UPDATE} --check", timeout=RESTARTED_WITHIN)
    check(same.startswith("nothing newer"), f"its own bundle is newer: {same}")
    machine.shell('sed -i \'s/"date": "20/"date": "19/; s/"commit": "/&0/\' /opt/cribpi/venv/source.json')
    machine.shell("echo 'another bundle' >/opt/cribpi/venv/installed-from")
    before = table.pid()
    said = machine.shell(f"{UPDATE} --now", timeout=INSTALLED_WITHIN)
    check(said.startswith("newer: cribpi"), f"it does not say what is newer: {said}")
    table.is_ready()
    check(table.pid() != before, "the companion was not started anew")
    table.same_prompt()

    machine.shell(f"python3 -c '{A_BROKEN_ONE}'", timeout=RESTARTED_WITHIN)
    refused = machine.run(
        "python3", "/root/broken/systemd/install.py", "--now", check=False, timeout=INSTALLED_WITHIN
    )
    check(
        refused.code == 2 and "the old one runs again, with all games" in refused.err,
        f"not undone: {refused}",
    )
    table.is_ready()
    table.same_prompt()
    left = machine.shell("ls /opt/cribpi").split()
    check(len(left) == 2, f"more than one program is left: {left}")
    return (
        f"refused in the game; with --now done in {took:.0f} s without a network, then by cribpi update; "
        "undone when the new one did not start; each time at the same prompt"
    )


def signatures(table: Table) -> str:
    """Updates from a stick: unsigned, forged, by an unknown key and older ones are refused."""
    machine, source = table.machine, "/opt/cribpi/venv/source.json"
    machine.shell(BUNDLES, timeout=RESTARTED_WITHIN)
    machine.shell(
        f'cp {source} /root/source.json && sed -i \'s/"date": "20/"date": "19/; s/"commit": "/&0/\' {source}'
    )
    before = table.pid()
    good = machine.shell(f"{UPDATE} --check", timeout=RESTARTED_WITHIN)
    check(good.startswith("newer: cribpi"), f"its own is not newer: {good}")
    wrongs = {"unsigned": "is not signed", "forged": "not what was signed", "stranger": "is not trusted here"}
    for name, says in wrongs.items():
        command = ("cribpi", "update", f"/root/{name}.run", "--now", "--back")
        refused = machine.run(*command, check=False, timeout=RESTARTED_WITHIN)
        check(refused.code == 2 and says in refused.err, f"{name} not refused: {refused}")
    machine.shell(f'sed -i \'s/"date": "19/"date": "29/\' {source}')
    older = machine.run(*UPDATE.split(), "--now", check=False, timeout=RESTARTED_WITHIN)
    check(older.code == 2 and "--back" in older.err, f"an older one not refused: {older}")
    machine.shell(f"mv /root/source.json {source} && rm /root/*.run")
    check(table.pid() == before, "the companion was started anew")
    table.same_prompt()
    return f"refused: {', '.join(wrongs)}, older"


def engines(table: Table) -> str:
    """An engine of the service attacks, and no attack gets through; nothing of it is left."""
    machine, files = table.machine, "systemctl cat 'cribpi-engine@.service' cribpi-engine.socket"
    machine.shell(f"{SET_ASIDE} && echo ours >/root/secret && cp /root/secret /home/secret")
    for name, path in {"fred": attacks.__file__, "hog": hog.__file__}.items():
        program = base64.b64encode(Path(path).read_bytes()).decode()
        machine.shell(f"mkdir -p /opt/{name} && echo {program} | base64 -d >/opt/{name}/engine.py")
    holder = base64.b64encode(Path(targets.__file__).read_bytes()).decode()
    machine.shell(f"echo {holder} | base64 -d >/opt/targets.py")
    machine.shell("systemd-run -q --unit=targets -p User=cribpi /usr/bin/python3 /opt/targets.py 8122 target")
    pid = machine.shell("systemctl show -p MainPID --value targets")
    sockets = "socket=/run/dbus/system_bus_socket datagrams=/run/systemd/notify abstract=target"
    aim = f"port=8122 {sockets} pid={pid}"
    free = machine.shell(
        "cd /tmp && echo cei 1 | runuser -u cribpi -- "
        f"python3 /opt/fred/engine.py secrets=/var/lib/cribpi/secret {aim} leaves=1 2>&1 >/dev/null",
        timeout=PATIENCE,
    )
    done = {name for tried in json.loads(free).values() for name, why in tried.items() if why == "done"}
    check(done >= UNCONFINED, f"as the service's user, without the unit, these fail: {UNCONFINED - done}")

    secrets = "/var/lib/cribpi/journal.db:/etc/cribpi/config.toml:/root/secret:/home/secret"
    command = f"/usr/bin/python3 /opt/fred/engine.py secrets={secrets} {aim} leaves={LEAVES}"
    _with_engine(table, "fred", command)
    table.until("it is said", lambda: _is_said(table, "has no unit for engines: sudo sh cribpi"))
    machine.shell(f"{INSTALL} --now", timeout=INSTALLED_WITHIN)
    table.is_ready()
    check(machine.run("sh", "-c", files, check=False).code == 0, "no unit for engines was installed")
    _play_on(table)
    first = machine.shell(f"pgrep -f '[s]leep {LEAVES}'", check=False)
    said = machine.shell("journalctl -b -o cat -u 'cribpi-engine@*' | grep '^{' | tail -n 1")
    rows = json.loads(said)
    done = {name for tried in rows.values() for name, why in tried.items() if why == "done"}
    check([*rows] == [*attacks.ATTACKS] and not done, f"these got through: {done}")
    check(not table.troubles(), f"it did not play to the end: {table.troubles()}")
    check(len(first.split()) == 1, f"what it left behind was not there once: {first!r}")
    machine.shell("systemctl stop cribpi")
    table.until("all is gone", lambda: not machine.shell(f"pgrep -f '[s]leep {LEAVES}'", check=False))
    exposed = machine.shell(
        "systemd-analyze security --no-pager cribpi-engine@1.service | tail -n 1", check=False
    )

    _with_engine(table, "hog", "/usr/bin/python3 /opt/hog/engine.py")
    _play_on(table)
    check(_is_said(table, "engine-hog failed in seat 0 (it ended)"), f"it was let: {table.troubles()}")
    killed = machine.shell("journalctl -b -k -o cat | grep -c 'Memory cgroup out of memory'", check=False)
    check(int(killed) > 0, "its memory was not limited")

    machine.shell(f"systemctl stop cribpi targets; {PUT_BACK}")
    machine.shell(f"{INSTALL} --now", timeout=INSTALLED_WITHIN)
    table.is_ready()
    left = machine.run("sh", "-c", f"{files} || ls /run/cribpi-engine.sock", check=False)
    check(left.code, f"the unit for engines is still there: {left}")
    machine.shell("rm -r /opt/fred /opt/hog /opt/targets.py /root/secret /home/secret")
    table.same_prompt()
    tried = sum(map(len, rows.values()))
    return f"{tried} attacks of {len(rows)} rows refused, its memory limited, nothing left; {exposed}"


def _with_engine(table: Table, name: str, command: str) -> None:
    """Start the companion with an engine in seat 0, and a new game."""
    settings = f"""kit = "table"
entry = "dealt"
levels = ["engine-{name}", "thrifty"]
speed = "fast"
[engines]
{name} = "{command}"
"""
    there = base64.b64encode(settings.encode()).decode()
    table.machine.shell(f"rm -rf /var/lib/cribpi; echo {there} | base64 -d >/etc/cribpi/config.toml")
    table.machine.shell("systemctl restart cribpi", timeout=RESTARTED_WITHIN)
    table.is_ready()


def _play_on(table: Table) -> None:
    """Begin a game of two that are not people, and wait for its end."""
    row, column = _pins()["OK"]
    for _ in range(2):
        table.machine.ask("press", row, column, TAP, REST)
    table.until("somebody wins", lambda: table.phase() == "game-over", within=RESTARTED_WITHIN)


def off(table: Table) -> str:
    """MENU held switches the machine off, and the next start is at the same prompt."""
    began = time.monotonic()
    row, column = _pins()["MENU"]
    table.machine.ask("contacts", f"close {row} {column}")  # and it is never let go
    took = _goes_off(table, board.WORDS, began)
    return f"the screen says when to pull the plug, off after {took:.0f} s; then the same prompt"


def restart(table: Table) -> str:
    """The last line of the menu restarts the machine, and it comes back to the same prompt."""
    began = time.monotonic()
    for key in ("MENU", "P1", "OK", "P2"):  # up from the first line is the last one
        table.machine.ask("press", *_pins()[key], TAP, REST)
    took = _goes_off(table, board.RESTARTING, began)
    told = (table.folder / "console.txt").read_text(errors="replace").splitlines()
    check(any("Restarting system" in line for line in told), f"it went off by another way: {told[-3:]}")
    return f"the screen says that it restarts, down after {took:.0f} s; then the same prompt"


def _pins() -> dict[str, tuple[int, int]]:
    keypad = load_kit("table").keypad
    assert isinstance(keypad, kits.Keypad)
    return pins_of(keypad)


def _goes_off(table: Table, words: str, began: float) -> float:
    """Make sure that the machine says *words* and goes off, and start it again; return how long that took."""
    goodbye, is_said = last_picture(table.game, table.at, words), False
    while not is_said and time.monotonic() - began < PATIENCE:
        try:
            is_said = table.machine.look().glass == goodbye
        except (Trouble, OSError):
            break
    check(is_said, f"the screen did not say {words!r}")
    check(table.machine.is_off_within(PATIENCE), "the machine is still on")
    took = time.monotonic() - began
    table.start()
    table.same_prompt()
    return took


def uninstall(table: Table) -> str:
    """Removed: nothing is left but the games."""
    machine = table.machine
    machine.shell(f"{INSTALL} --uninstall", timeout=RESTARTED_WITHIN)
    left = machine.shell(f"ls -d {' '.join(INSTALLED)} 2>/dev/null", check=False)
    check(not left, f"still there: {left}")
    check(machine.run("id", "cribpi", check=False).code, "the user is still there")
    games = machine.shell("ls -l /var/lib/cribpi")
    check("journal" in games and " cribpi " not in games, f"the games: {games}")
    return "the program, its files and its user are gone; the games are there, and root's"


INSTALLED: Final = (
    "/opt/cribpi",
    "/etc/systemd/system/cribpi.service",
    "/etc/polkit-1/rules.d/50-cribpi.rules",
    "/etc/udev/rules.d/60-cribpi.rules",
    "/etc/sysusers.d/cribpi.conf",
    "/etc/modules-load.d/cribpi.conf",
    "/usr/local/bin/cribpi",
)
"""What an installation puts there."""

WRONG_CLOCK: Final = "2026-01-01T00:00:00"
"""What the clock of a Pi may say that had no network for long."""

Scenario = Callable[[Table], str]

SCENARIOS: Final[dict[str, Scenario]] = {
    "beginning": a_beginning,
    "bouncing": bouncing,
    "numpad": numpad,
    "panel": panel,
    "supply": supply,
    "watchdog": watchdog,
    "plug": plug,
    "modules": modules,
    "full-disk": full_disk,
    "worn-card": worn_card,
    "clock": clock,
    "upgrade": upgrade,
    "signatures": signatures,
    "engines": engines,
    "off": off,
    "game": the_rest,
    "uninstall": uninstall,
}
"""The scenarios in their order, each by the name by which it can be asked for."""

ASKED_FOR: Final[dict[str, Scenario]] = {"restart": restart, "plugs": plugs}
"""Those that are run only where they are asked for."""
