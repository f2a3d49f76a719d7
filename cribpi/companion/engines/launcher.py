"""Confines the process that it is in, and becomes an engine: started by `process`, and never imported.

Python starts it without cribpi: `launcher.py READ WRITE IN_NAMESPACE PROGRAM ...`, where READ are the folders
that the program may read, with line feeds between them, and WRITE the one that it may write to.  The limits
are those of getrlimit(2); files are shut off by Landlock, where the kernel has it (Linux's documentation,
userspace-api/landlock).
"""

from __future__ import annotations

import os
import resource
import struct
import sys

LIMITS = (
    (resource.RLIMIT_AS, 2 * 1024**3),
    (resource.RLIMIT_CPU, 600),
    (resource.RLIMIT_FSIZE, 16 * 1024**2),
    (resource.RLIMIT_NOFILE, 64),
    (resource.RLIMIT_CORE, 0),
)
"""Bytes of address space, seconds of CPU, bytes of a file, open files; and no core."""

MOST_PROCESSES = 64
"""Within a user namespace: outside it would count all that the user runs."""

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Landlock's system calls, whose numbers are the same on every architecture."""
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
ALL_OF_VERSION_1 = (1 << 13) - 1
TRUNCATES_SINCE = 3
TCP, TCP_SINCE = 0b11, 4
"""To bind and to connect, which no rule allows then."""
SCOPES, SCOPES_SINCE = 0b11, 6
"""Abstract sockets and signals, which reach no process outside then."""
NO_NEW_PRIVILEGES = 38
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")


def shut_off(readable: list[str], writable: str) -> None:
    """Let this process read below *readable* and write below *writable*, no more, if the kernel can.

    It can use no TCP either, and signal nobody outside, if the kernel is new enough for that.
    """
    try:
        import ctypes  # noqa: PLC0415  which a system that forbids writable code may refuse
    except (ImportError, OSError, MemoryError):
        return
    libc = ctypes.CDLL(None)

    def call(*arguments: int | bytes | None) -> int:
        """Make a system call, each number as long as a register."""
        words = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
        return int(libc.syscall(*words))

    version = call(CREATE_RULESET, None, 0, 1)
    if version < 1:
        return
    every = ALL_OF_VERSION_1 | (TRUNCATE if version >= TRUNCATES_SINCE else 0)
    handled = [every, *[TCP] * (version >= TCP_SINCE), *[SCOPES] * (version >= SCOPES_SINCE)]
    attributes = struct.pack(f"{len(handled)}Q", *handled)
    rules = call(CREATE_RULESET, attributes, len(attributes), 0)
    reading = EXECUTE | READ_FILE | READ_DIR
    for allowed, paths in (
        (reading, readable),
        (every, [writable]),
        (READ_FILE | WRITE_FILE, DEVICES),
    ):
        for path in paths:
            try:
                beneath = os.open(path, os.O_PATH)
            except OSError:
                continue
            here = allowed if os.path.isdir(path) else allowed & ~READ_DIR  # noqa: PTH112  as light as can be
            call(ADD_RULE, rules, 1, struct.pack("=Qi", here, beneath), 0)
            os.close(beneath)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    call(RESTRICT_SELF, rules, 0)
    os.close(rules)


def main() -> None:
    readable, writable, is_in_namespace, *command = sys.argv[1:]
    shut_off(readable.split("\n"), writable)
    processes = [(resource.RLIMIT_NPROC, MOST_PROCESSES)] if is_in_namespace else []
    for which, most in (*LIMITS, *processes):
        _, hard = resource.getrlimit(which)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (least, least))
    try:
        os.execve(command[0], command, {"PATH": os.defpath})  # noqa: S606  what was asked for
    except OSError as bad:
        sys.exit(f"{command[0]}: {bad.strerror}")


if __name__ == "__main__":
    main()
