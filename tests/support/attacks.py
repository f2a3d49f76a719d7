"""An engine that tries to escape its sandbox, as listed in docs/reference/engine-protocol.md.

It needs only Python, so that it runs anywhere: `attacks.py KIND=TARGET ...`, with the kinds in `TARGETS`. It
answers `cei` with the result of each attack as JSON: `done`, or the reason for the failure. Then it plays
like any engine.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import resource
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

TARGETS: Final = ("secrets", "port", "socket", "datagrams", "abstract", "pid", "leaves")
"""Kinds of targets. `secrets` are private files, separated by colons.

The others must be out of reach: a TCP and UDP port, a Unix socket with a path, a datagram socket, both as
abstract sockets, and a process. `leaves` is the number of seconds for which a process left behind sleeps.
"""

_AT: Final = dict(word.partition("=")[::2] for word in sys.argv[1:])
_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_IS_X86: Final = os.uname().machine == "x86_64"
_ADD_KEY, _PROCESS_VM_READV = (248, 310) if _IS_X86 else (217, 270)
_IO_URING_SETUP, _PIDFD_OPEN = 425, 434
_ATTACH, _DETACH = 16, 17
_MPTCP, _FAST_OPEN, _NEW_USER = 262, 0x2000_0000, 0x1000_0000


def _called(*arguments: int | bytes | ctypes.Array[ctypes.c_char]) -> int:
    """Make a system call. Each number is passed as a machine word.

    Raises:
        OSError: If the call fails.
    """
    words = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    found = int(_LIBC.syscall(*words))
    if found < 0:
        raise OSError(ctypes.get_errno(), "")
    return found


def _each_secret(attacks: dict[str, Callable[[Path], object]]) -> dict[str, Callable[[], object]]:
    """Return *attacks* combined with each private file."""
    secrets = map(Path, _AT.get("secrets", "").split(":"))
    return {
        f"{name} {secret.name}": partial(attack, secret)
        for secret in secrets
        for name, attack in attacks.items()
    }


def _here() -> Path:
    return Path(__file__)


def _write(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("engine")


def _created(path: Path) -> None:
    path.touch()
    path.unlink()


def _renamed(path: Path) -> None:
    path.rename(f"{path}.other")
    Path(f"{path}.other").rename(path)


def _linked(path: Path, to: str) -> None:
    os.link(path, to)
    Path(to).unlink()


def _read_by_link(path: Path) -> None:
    link = Path("link")
    link.symlink_to(path)
    try:
        link.read_text(encoding="utf-8")
    finally:
        link.unlink()


def _connected(family: int, kind: int, address: tuple[str, int] | str, protocol: int = 0) -> None:
    with socket.socket(family, kind, protocol) as one:
        one.settimeout(5)
        one.connect(address)


def _fast_open() -> None:
    with socket.socket() as one:
        one.sendto(b"GET / HTTP/1.0\r\n\r\n", _FAST_OPEN, ("127.0.0.1", int(_AT["port"])))


def _datagram() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"hello", ("127.0.0.1", int(_AT["port"])))


def _by_a_pair(address: str) -> None:
    """Send to *address* from a socket of a pair, which was not opened by socket(2)."""
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, other:
        one.sendto(b"hello", address)


def _opened(family: int) -> None:
    socket.socket(family, socket.SOCK_RAW if family != socket.AF_VSOCK else socket.SOCK_STREAM).close()


def _pid() -> int:
    return int(_AT["pid"])


def _traced() -> None:
    _LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if _LIBC.ptrace(_ATTACH, _pid(), None, None) < 0:
        raise OSError(ctypes.get_errno(), "")
    os.waitpid(_pid(), 0x4000_0000)  # 0x40000000 is __WALL: wait for any kind of child
    _LIBC.ptrace(_DETACH, _pid(), None, None)


def _looked_into() -> None:
    here = ctypes.create_string_buffer(8)
    ours = struct.pack("PN", ctypes.addressof(here), 8)
    try:
        _called(_PROCESS_VM_READV, _pid(), ours, 1, struct.pack("PN", 0x10000, 8), 1, 0)
    except OSError as refused:
        if refused.errno != errno.EFAULT:
            raise  # the process does not exist, but looking for it is allowed


def _unshared() -> None:
    """Try it in a child process, because this process must not change its namespace."""
    child = os.fork()
    if not child:
        os._exit(_LIBC.unshare(_NEW_USER) and ctypes.get_errno())
    if code := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise OSError(code, "")


def _mounted() -> None:
    if _LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, None) < 0:
        raise OSError(ctypes.get_errno(), "")
    _LIBC.umount(b"/tmp")


def _forked() -> None:
    children = []
    try:
        for _ in range(100):
            # A list would be lost if one of them fails.
            children.append(subprocess.Popen(["sleep", "999"]))  # noqa: PERF401
    finally:
        for child in children:
            child.kill()
            child.wait()


def _large(mebibytes: int) -> None:
    """Allocate memory and write to each page."""
    with mmap.mmap(-1, mebibytes * 1024**2) as memory:
        memory[:: mmap.PAGESIZE] = bytes(len(memory) // mmap.PAGESIZE)


def _reserved() -> None:
    mmap.mmap(-1, 3 * 1024**3).close()


def _long_file() -> None:
    with Path("long").open("wb") as file:
        os.truncate(file.fileno(), 17 * 1024**2)


def _many_files(folder: str) -> None:
    names = [Path(folder, f"file{number}") for number in range(10)]
    try:
        for name in names:
            name.write_bytes(bytes(10 * 1024**2))
    finally:
        for name in names:
            with suppress(OSError):
                name.unlink()


_LOCAL: Final = ("127.0.0.1", int(_AT.get("port", "0")))

ATTACKS: Final[dict[str, dict[str, Callable[[], object]]]] = {
    "read the journal, the settings, a secret": _each_secret(
        {
            "read": lambda path: path.read_bytes(),
            "read by a link": _read_by_link,
            "list beside": lambda path: [*path.parent.iterdir()],
            "stat": lambda path: path.stat(),
        }
    ),
    "write, link, rename, remove or mark them": _each_secret(
        {
            "write": _write,
            "create beside": lambda path: _write(path.parent / "new"),
            "link": lambda path: _linked(path, f"{path}.link"),
            "rename": _renamed,
            "chmod": lambda path: path.chmod(0o600),
            "utime": lambda path: os.utime(path, (0, 0)),
            "setxattr": lambda path: os.setxattr(path, "user.engine", b"1"),
            "truncate": lambda path: os.truncate(path, 0),
            "unlink": lambda path: path.unlink(),
        }
    ),
    "change its own files, or the system's": {
        "own write": lambda: _write(_here()),
        "own rename": lambda: _renamed(_here()),
        "own link": lambda: _linked(_here(), f"{_here()}.link"),
        "own chmod": lambda: _here().chmod(0o777),
        "own utime": lambda: os.utime(_here(), (0, 0)),
        "own setxattr": lambda: os.setxattr(_here(), "user.engine", b"1"),
        "a file in /usr": lambda: os.utime("/usr"),
        "a file in /etc": lambda: os.utime("/etc"),
        "a file in /": lambda: _created(Path("/cribpi-engine")),
        "kernel settings": lambda: Path("/proc/sys/kernel/core_pattern").open("w").close(),
    },
    "TCP, Fast Open, MPTCP, UDP, packets": {
        "TCP": lambda: _connected(socket.AF_INET, socket.SOCK_STREAM, _LOCAL),
        "TCP by IPv6": lambda: _connected(
            socket.AF_INET6, socket.SOCK_STREAM, ("::ffff:127.0.0.1", _LOCAL[1])
        ),
        "Fast Open": _fast_open,
        "MPTCP": lambda: _connected(socket.AF_INET, socket.SOCK_STREAM, _LOCAL, _MPTCP),
        "UDP": _datagram,
        "packets": lambda: _opened(socket.AF_PACKET),
    },
    "Unix sockets, with a path or abstract": {
        "Unix": lambda: _connected(socket.AF_UNIX, socket.SOCK_STREAM, _AT["socket"]),
        "abstract": lambda: _connected(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{_AT['abstract']}"),
        "Unix by a pair": lambda: _by_a_pair(_AT["datagrams"]),
        "abstract by a pair": lambda: _by_a_pair(f"\0{_AT['abstract']}.datagrams"),
    },
    "netlink, vsock, io_uring, the kernel's keys": {
        "netlink": lambda: _opened(socket.AF_NETLINK),
        "vsock": lambda: _opened(socket.AF_VSOCK),
        "io_uring": lambda: os.close(_called(_IO_URING_SETUP, 1, ctypes.create_string_buffer(120))),
        "keys": lambda: _called(_ADD_KEY, b"user", b"engine", b"1", 1, -4),  # the kernel keys of the person
    },
    "see other processes in `/proc`": {
        "command line": lambda: Path(f"/proc/{_pid()}/cmdline").read_bytes(),
        "environment": lambda: Path(f"/proc/{_pid()}/environ").read_bytes(),
        "files": lambda: [*Path(f"/proc/{_pid()}/fd").iterdir()],
        "root": lambda: [*Path(f"/proc/{_pid()}/root/").iterdir()],
    },
    "signals, ptrace, prlimit": {
        "signal": lambda: os.kill(_pid(), 0),
        "signal by pidfd": lambda: os.close(_called(_PIDFD_OPEN, _pid(), 0)),
        "ptrace": _traced,
        "memory": _looked_into,
        "prlimit": lambda: resource.prlimit(_pid(), resource.RLIMIT_CORE),
    },
    "create namespaces, mount": {"namespace": _unshared, "mount": _mounted},
    "a process that takes much memory": {"address space": _reserved},
    "fill the disk, or the memory by files": {
        "long file": _long_file,
        "many files": lambda: _many_files("."),
        "many files in /tmp": lambda: _many_files("/tmp"),  # noqa: S108
        "many files in /var/tmp": lambda: _many_files("/var/tmp"),  # noqa: S108
        "shared memory": lambda: _many_files("/dev/shm"),  # noqa: S108
    },
    "fork without end": {"100 processes": _forked},
}
"""Attacks by row of the table. Each raises an error if it fails."""


def outcome(attack: Callable[[], object]) -> str:
    """Return `done`, or the reason why *attack* failed."""
    try:
        attack()
    except MemoryError:
        return "ENOMEM"
    except OSError as refused:
        return errno.errorcode.get(refused.errno or 0, str(refused))
    return "done"


def leave(seconds: str) -> None:
    """Leave a daemon behind, with its own session and without a parent."""
    if child := os.fork():
        os.waitpid(child, 0)
        return
    os.setsid()
    if not os.fork():
        os.execvp("sleep", ["sleep", seconds])  # noqa: S606  found on the PATH
    os._exit(0)


def chosen(position: dict[str, str]) -> str:
    """Return the first cards of the hand that can be played in *position*."""
    hand = position["hand"].split(",")
    if "starter" not in position:
        return ",".join(hand[4:])
    values = {rank: min(place, 10) for place, rank in enumerate("A 2 3 4 5 6 7 8 9 10 J Q K".split(), 1)}
    count = sum(values[card[:-1]] for card in position.get("pile", "").split(",") if card)
    return next(card for card in hand if count + values[card[:-1]] <= 31)


def main() -> None:
    position: dict[str, str] = {}
    for line in sys.stdin:
        match line.split():
            case ["cei", *_]:
                found = {
                    row: {name: outcome(one) for name, one in tried.items()} for row, tried in ATTACKS.items()
                }
                told = json.dumps(found)
                print(told, file=sys.stderr, flush=True)
                print("ceiok", told, flush=True)
            case ["newgame", *_]:
                leave(_AT["leaves"])
                print("readyok", flush=True)
            case ["position", *words]:
                position = dict(zip(words[::2], words[1::2], strict=True))
            case ["go", *_]:
                print("bestmove", chosen(position), flush=True)


if __name__ == "__main__":
    main()
