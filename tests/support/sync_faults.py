"""Syncs that fail as on a worn-out card: in the kernel, or in a library between it and the program.

`without_sync` and `refuse_syncs` need no compiler. A thread installs a seccomp filter that makes only its own
`fsync` and `fdatasync` return EIO; this can't be reverted. `sync_library` needs a compiler. It makes the
syncs of a whole program fail and work again, as a file says.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

import pytest

from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from support.refused_syncs import refuse_syncs
from support.tables import opened

T = TypeVar("T")

_PROGRAM: Final = """
import signal, sys
from cribpi.cli import main
from support.refused_syncs import refuse_syncs
signal.signal(signal.SIGUSR1, lambda *_: refuse_syncs() or sys.exit(3))
sys.exit(main())
"""
UNSYNCED_FROM_SIGUSR1: Final = ("-c", _PROGRAM)
"""Python arguments that run cribpi with a loop whose syncs fail after SIGUSR1."""

WITH_TESTS: Final = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])}
"""Environment in which a program can import `support`."""


def without_sync(do: Callable[[], T]) -> T:
    """Return the result of *do*, while every sync fails.

    Skip the test if the kernel does not support that.
    """
    done: list[T] = []
    errors: list[Exception] = []

    def run() -> None:
        if refuse_syncs():
            try:
                done.append(do())
            except Exception as error:  # noqa: BLE001  re-raised in the caller's thread
                errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    if not done:
        pytest.skip("the kernel takes no filter of system calls here")
    return done[0]


_LIBRARY: Final = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* The file that SYNCS names has a byte for each sync since it was there, and the last is for all after it:
   x fails, all others work.  Without the file all work. */
static int fails(void) {
    static int place = 0;
    char byte = '.';
    const char *name = getenv("SYNCS");
    int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) { place = 0; return 0; }
    if (pread(file, &byte, 1, place) == 1) place++;
    else pread(file, &byte, 1, place - 1);
    close(file);
    return byte == 'x';
}

static int sync_by(const char *name, int file) {
    if (fails()) { errno = EIO; return -1; }
    return ((int (*)(int)) dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return sync_by("fsync", file); }
int fdatasync(int file) { return sync_by("fdatasync", file); }
"""


def sync_library(folder: Path) -> Path:
    """Compile a library to preload in *folder*, and return it. Skip the test without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler here")
    source, library = folder / "syncs.c", folder / "syncs.so"
    source.write_text(_LIBRARY, encoding="ascii")
    done = subprocess.run(
        [compiler, "-shared", "-fPIC", "-w", "-o", library, source, "-ldl"], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip(f"the C compiler makes no library here: {done.stderr.decode()[:80]}")
    return library


def after_kill(folder: Path) -> Snapshot:
    """Return the snapshot of a companion that starts on what `kill -9` would leave in *folder* now."""
    left = folder.with_name(f"{folder.name}-left")
    shutil.copytree(folder, left)
    try:
        with opened(left) as (_, table):
            return table.now
    finally:
        shutil.rmtree(left)


def shown(table: Table) -> Snapshot:
    return replace(table.now, refusal=None)
