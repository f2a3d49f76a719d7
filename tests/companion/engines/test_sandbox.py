"""Attacks of a confined engine: all are refused, and the protocol's page names what stops each."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from support import attacks, pages
from support.engines import engine, needs_confinement, python
from support.patience import PATIENCE, until

from cribpi.companion.engines import sandbox
from cribpi.companion.engines.process import EnginePlayer, EngineTrouble
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import preset

PAGE: Final = pages.read(pages.DOCS / "reference" / "engine-protocol.md")
IS_ROOT: Final = os.geteuid() == 0
NOT_CONFINED: Final = {"100 processes"} if IS_ROOT else set()
"""What bubblewrap does not stop: the kernel lets root have any number of processes."""
NEEDS_LUCK: Final = {"TCP by IPv6", "MPTCP", "packets", "vsock", "io_uring", "keys", "namespace"}
NEEDS_LUCK_OR_ROOT: Final = NEEDS_LUCK | {
    *("own setxattr", "setxattr secret", "a file in /usr", "a file in /etc", "a file in /"),
    *("kernel settings", "mount", "ptrace", "memory", "shared memory", "many files in /var/tmp"),
}
"""What a kernel, or a container, may refuse to a program that nobody confines."""


@pytest.fixture
def targets(tmp_path: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield a folder for an engine, and what it is to attack, all of which is really there."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    (ours / "secret").write_text("ours", encoding="utf-8")
    name = f"cribpi-test-{os.getpid()}"
    sleeper = subprocess.Popen(["sleep", "9999"])
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as by_path,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as abstract_datagrams,
    ):
        by_path.bind(str(ours / "socket"))
        datagrams.bind(str(ours / "datagrams"))
        abstract.bind(f"\0{name}")
        abstract_datagrams.bind(f"\0{name}.datagrams")
        for one in (by_path, abstract):
            one.listen()
        found = {
            "secrets": ours / "secret",
            "port": tcp.getsockname()[1],
            "socket": ours / "socket",
            "datagrams": ours / "datagrams",
            "abstract": name,
            "pid": sleeper.pid,
            "leaves": 10**6 + os.getpid(),
        }
        assert tuple(found) == attacks.TARGETS
        yield theirs, [f"{kind}={at}" for kind, at in found.items()]
    sleeper.kill()
    sleeper.wait()


def outcomes(folder: Path, targets: list[str], *, is_trusted: bool = False) -> dict[str, dict[str, str]]:
    """Return what came of each attack, by its row of the table."""
    program = folder / "engine.py"
    shutil.copy(attacks.__file__, program)
    player = EnginePlayer(f"{python(program)} {' '.join(targets)}", is_trusted=is_trusted)
    try:
        player._start()
        found = json.loads(" ".join(player._ask("cei 1", "ceiok", PATIENCE)))
    finally:
        player.close()
    assert isinstance(found, dict)
    return found


def flat(found: dict[str, dict[str, str]]) -> dict[str, str]:
    return {name: why for tried in found.values() for name, why in tried.items()}


@needs_confinement
def test_every_attack_is_refused(targets: tuple[Path, list[str]]) -> None:
    folder, at = targets
    before = (folder.parent / "ours" / "secret").stat()
    found = outcomes(folder, at)
    assert {name for name, why in flat(found).items() if why == "done"} == NOT_CONFINED
    files, changes, own, *_ = found.values()
    assert {*files.values(), *changes.values()} == {"ENOENT"}, "they are not there for it"
    assert {*own.values()} <= {"EROFS", "EACCES"}
    for row in ("TCP, Fast Open, MPTCP, UDP, packets", "Unix sockets, with a path or abstract"):
        assert {*found[row].values()} == {"EACCES"}
    assert (folder.parent / "ours" / "secret").stat() == before
    assert "engine" not in (folder / "engine.py").read_text(encoding="utf-8")[-6:]


@needs_confinement
def test_what_leaves_its_session_is_gone_when_the_game_ends(targets: tuple[Path, list[str]]) -> None:
    folder, at = targets
    program = Path(shutil.copy(attacks.__file__, folder / "engine.py"))
    left = f"sleep {at[-1].partition('=')[2]}"

    def sleeps() -> bool:
        return any(left in line for line in commands())

    player = EnginePlayer(f"{python(program)} {' '.join(at)}", ready=PATIENCE)
    player.begin(preset("standard"))
    until(sleeps)
    player.close()
    until(lambda: not sleeps())


def commands() -> Iterator[str]:
    """Yield the command line of each process."""
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            yield process.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")


def test_every_attack_gets_through_where_nothing_is_confined(targets: tuple[Path, list[str]]) -> None:
    """Else it would prove nothing that it is refused."""
    folder, at = targets
    found = flat(outcomes(folder, at, is_trusted=True))
    assert {name for name, why in found.items() if why != "done"} <= NEEDS_LUCK_OR_ROOT


def test_the_page_has_a_row_for_each_attack() -> None:
    section = pages.section(PAGE, "## What an engine can reach")
    rows = [attack for attack, *_ in pages.rows(section)]
    assert rows[: len(attacks.ATTACKS)] == [*attacks.ATTACKS]


def answered(folder: Path, expression: str, before: str = "") -> str:
    """Return what *expression* comes to in an engine in *folder*, or why the system refuses it."""
    first = f"{before}\nsay(f'cannot {{{expression}}}')"
    player = EnginePlayer(engine(folder, first=first), ready=PATIENCE)
    with pytest.raises(EngineTrouble, match="it refused") as refused:
        player.begin(preset("standard"))
    (note,) = refused.value.__notes__
    return note.removeprefix("it wrote ")[1:-1]


@needs_confinement
def test_its_limits_are_those_of_the_page(tmp_path: Path) -> None:
    names = "AS CPU FSIZE NOFILE NPROC CORE"
    limits = f"[resource.getrlimit(getattr(resource, 'RLIMIT_' + one)) for one in '{names}'.split()]"
    told = answered(tmp_path, f"[hard for _, hard in {limits}]".replace("'", '"'), "import resource")
    assert told == str([*sandbox.LIMITS.values()])


@needs_confinement
def test_it_begins_with_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    assert answered(tmp_path, '(os.getcwd(), [*{*os.environ} - {"LC_CTYPE", "PWD"}])') == "('/tmp', ['PATH'])"
    assert answered(tmp_path, 'open("note", "w").write("mine")') == "4"
    assert answered(tmp_path, 'os.path.exists("note")') == "False"
    assert answered(tmp_path, "len(os.listdir('/proc/self/fd'))".replace("'", '"')) == "4", "and that folder"


@needs_confinement
def test_it_sees_its_own_processes_alone(tmp_path: Path) -> None:
    seen = answered(tmp_path, "[*filter(str.isdigit, os.listdir('/proc'))]".replace("'", '"'))
    assert len(seen.split(",")) <= 3, "itself, and what has started it there"


@needs_confinement
def test_a_pair_of_sockets_is_left_for_itself(tmp_path: Path) -> None:
    assert answered(tmp_path, "len(socket.socketpair())") == "2"


HEADERS: Final = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),  # which it has as it is
}


@pytest.mark.parametrize("machine", HEADERS)
def test_the_filter_refuses_the_calls_that_linux_numbers_so(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("the kernel's headers are not here: linux-libc-dev")
    text = HEADERS[machine].read_text(encoding="utf-8")
    numbers = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)\s", text)}
    steps = [*struct.iter_unpack("=HBBI", sandbox.seccomp_filter(machine))]
    compared = [value for code, _, _, value in steps if code == 0x15]
    names = ("socket", "io_uring_setup", "add_key", "request_key", "keyctl", "socketpair")
    assert compared[1:7] == [numbers[name] for name in names]
    audit = Path("/usr/include/linux/elf-em.h").read_text(encoding="utf-8")
    (number,) = re.findall(rf"#define EM_{machine.upper()}\s+(\d+)", audit)
    assert compared[0] == int(number) | 0x8000_0000 | 0x4000_0000, "64 bits, and little-endian"


def test_on_an_unknown_processor_nothing_is_confined() -> None:
    with pytest.raises(UserError, match="nothing can be confined on riscv64: --trust-engines"):
        sandbox.seccomp_filter("riscv64")


@pytest.fixture
def anew() -> Iterator[None]:
    sandbox.check.cache_clear()
    yield
    sandbox.check.cache_clear()


FAILS: Final = "echo bwrap: setting up uid map: Permission denied >&2; exit 1"


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize(
    ("script", "says"),
    [
        (None, "bubblewrap is not installed: sudo apt install bubblewrap"),
        (
            FAILS,
            "bubblewrap may confine nothing here (setting up uid map: Permission denied): --trust-engines",
        ),
    ],
)
def test_what_is_missing_is_said_with_what_helps(
    script: str | None, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if script is not None:
        (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tmp_path / "bwrap").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    else:
        monkeypatch.setenv("PATH", str(tmp_path))
    assert says in str(sandbox.trouble(is_trusted=False))
    with pytest.raises(UserError, match="it can't be confined: bubblewrap"):
        EnginePlayer(engine(tmp_path)).begin(preset("standard"))
    assert "no engine is confined" in str(sandbox.trouble(is_trusted=True))
