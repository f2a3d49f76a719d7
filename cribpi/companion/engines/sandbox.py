"""Confinement of third-party programs by bubblewrap, bwrap(1), and a seccomp filter.

The service's unit allows no namespaces. For the service, systemd confines engines instead, by
`cribpi-engine@.service`.
"""

from __future__ import annotations

import os
import platform
import pwd
import shutil
import struct
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from cribpi.companion.installed import again
from cribpi.cribbage.rules.errors import UserError

UNCONFINED: Final = "--trust-engines: no engine is confined, so each can see every card and all of your files"
"""Message shown with --trust-engines."""

SOCKET: Final = Path("/run/cribpi-engine.sock")
"""Socket on which the service requests an engine from systemd."""
UNIT: Final = Path("/etc/systemd/system/cribpi-engine.socket")
_SERVICE_USER: Final = "cribpi"
_CONTROLLERS: Final = Path("/sys/fs/cgroup/cgroup.controllers")

ROOM: Final = 64 * 1024**2
"""Size of /tmp in bytes. It is in memory."""
SHARED: Final = 1024**2
"""Size of /dev/shm in bytes. It is in memory."""
_SECONDS: Final = 30.0
"""Timeout in seconds for the test whether bubblewrap works here."""

LIMITS: Final = {
    "as": 2 * 1024**3,
    "cpu": 600,
    "fsize": 16 * 1024**2,
    "nofile": 64,
    "nproc": 64,
    "core": 0,
}
"""Resource limits of an engine.

In order: bytes of address space, seconds of CPU time, bytes per file, open files, processes, and bytes of a
core dump.
"""

_APART: Final = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"),
    *("--die-with-parent", "--new-session", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"),
    *("--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev"),
    *("--size", str(ROOM), "--tmpfs", "/tmp", "--size", str(SHARED), "--tmpfs", "/dev/shm"),  # noqa: S108
)
_ALSO: Final = ("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives")
"""Files of /etc that programs need. All other files there are secret."""
_LINKS: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
"""Links into /usr, as in Debian 12 and later."""

# Values from linux/audit.h and each processor's asm/unistd.h: the processor's number, the system calls socket
# and socketpair, and the calls for kernel keys, which may belong to a person: add_key, request_key and
# keyctl.
_PROCESSORS: Final = {
    "x86_64": (0xC000003E, 41, 53, (248, 249, 250)),
    "aarch64": (0xC00000B7, 198, 199, (217, 218, 219)),
}
_IO_URING_SETUP: Final = 425
_X32: Final = 0x4000_0000  # flag of a second set of system calls on x86-64
_AF_UNIX = 1
_SOCK_STREAM, _TYPES = 1, 0xF
# linux/bpf_common.h, linux/seccomp.h
_LOAD, _AND = 0x20, 0x54
_IS, _IS_AT_LEAST = 0x15, 0x35
_RETURN = 0x06
_ALLOWED = 0x7FFF_0000
_REFUSED = 0x0005_0000 | 13  # permission denied
_KILLED = 0x8000_0000
# Offsets in struct seccomp_data: processor, system call number, and the first two arguments.
_PROCESSOR, _NUMBER = 4, 0
_DOMAIN, _TYPE = 16, 24


def seccomp_filter(machine: str) -> bytes:
    """Return the BPF program that forbids sockets, io_uring and kernel keys on *machine*.

    Pairs of Unix stream sockets are allowed, because other processes can't send to them.

    Raises:
        UserError: If the system calls of this processor are not known here.
    """
    if machine not in _PROCESSORS:
        raise UserError(f"nothing can be confined on {machine}: --trust-engines runs engines unconfined")
    processor, socket, pair, keys = _PROCESSORS[machine]
    refused = (socket, _IO_URING_SETUP, *keys)
    steps = [
        (_LOAD, 0, 0, _PROCESSOR),
        (_IS, 1, 0, processor),
        (_RETURN, 0, 0, _KILLED),
        (_LOAD, 0, 0, _NUMBER),
        (_IS_AT_LEAST, len(refused) + 7, 0, _X32),
        *((_IS, len(refused) - place + 6, 0, call) for place, call in enumerate(refused)),
        (_IS, 0, 5, pair),
        (_LOAD, 0, 0, _DOMAIN),
        (_IS, 0, 4, _AF_UNIX),
        (_LOAD, 0, 0, _TYPE),
        (_AND, 0, 0, _TYPES),
        (_IS, 0, 1, _SOCK_STREAM),
        (_RETURN, 0, 0, _ALLOWED),
        (_RETURN, 0, 0, _REFUSED),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def filter_file() -> int:
    """Return the descriptor of a pipe that contains the filter for this machine.

    Raises:
        UserError: If this machine's processor is not supported.
    """
    steps = seccomp_filter(platform.machine())
    reader, writer = os.pipe()
    os.write(writer, steps)
    os.close(writer)
    return reader


def confined(command: list[str], readable: Iterable[str], seccomp: int) -> list[str]:
    """Return the command that runs *command* without access to other files, processes or the network.

    Args:
        command: The program by its absolute path, and its arguments.
        readable: Folders besides /usr that it can read.
        seccomp: Descriptor from `filter_file`. The command must inherit it.
    """
    links = [
        word
        for path in map(Path, _LINKS)
        if os.path.lexists(path)
        for word in (
            ("--symlink", str(path.readlink()), str(path))
            if path.is_symlink()
            else ("--ro-bind", str(path), str(path))
        )
    ]
    folders = [word for path in (*_ALSO, *readable) for word in ("--ro-bind-try", path, path)]
    # Read-only, because root could otherwise write to kernel settings in /proc even without capabilities.
    ends = [word for path in ("/proc", "/dev", "/") for word in ("--remount-ro", path)]
    ends += ["--chdir", "/tmp", "--seccomp", str(seccomp), "--"]  # noqa: S108  its own /tmp, in memory
    limits = ("prlimit", *(f"--{name}={most}" for name, most in LIMITS.items()), "--")
    return [shutil.which("bwrap") or "bwrap", *_APART, *links, *folders, *ends, *limits, *command]


def is_served() -> bool:
    """Return whether this process is the service. systemd runs the service's engines."""
    try:
        is_its_user = pwd.getpwuid(os.geteuid()).pw_name == _SERVICE_USER
    except KeyError:
        return False
    return is_its_user and UNIT.with_name("cribpi.service").exists()


def check_service() -> None:
    """Check that systemd can confine programs for the service.

    Raises:
        UserError: If it can't. The message has the remedy.
    """
    if not UNIT.exists():
        raise UserError(f"the service has no unit for engines: {again()}")
    if "memory" not in (_CONTROLLERS.read_text("ascii") if _CONTROLLERS.exists() else "").split():
        raise UserError(
            "the kernel limits no memory: add cgroup_enable=memory to /boot/firmware/cmdline.txt, and restart"
        )


@cache
def check() -> None:
    """Check that programs can be confined here. A success is cached.

    Raises:
        UserError: If they can't. The message has the remedy.
    """
    if is_served():
        check_service()
        return
    for program, package in (("bwrap", "bubblewrap"), ("prlimit", "util-linux")):
        if not shutil.which(program):
            raise UserError(f"{package} is not installed: sudo apt install {package}")
    seccomp = filter_file()
    try:
        done = subprocess.run(  # noqa: S603  fixed words
            confined(["/usr/bin/true"], (), seccomp), pass_fds=(seccomp,), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False, timeout=_SECONDS,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"bubblewrap can't run ({error}): --trust-engines runs engines unconfined") from None
    finally:
        os.close(seccomp)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1].removeprefix("bwrap: ")
        raise UserError(
            f"bubblewrap may confine nothing here ({reason}): --trust-engines runs engines unconfined"
        )


def trouble(*, is_trusted: bool) -> str | None:
    """Return the message to show if engines are trusted or can't run, otherwise None."""
    if is_trusted:
        return UNCONFINED
    try:
        check()
    except UserError as wrong:
        return f"no engine plays: {wrong}"
    return None
