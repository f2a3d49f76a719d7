"""A home network in Linux namespaces: a board, a phone, and a router that can be switched off.

It is not connected to any other network.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

BOARD, PHONE = "192.168.77.1", "192.168.77.2"
"""Addresses in a private network that exists only in these namespaces."""

_NAMED = Path("/run/netns")
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Home:
    """A home network: the names of its namespaces."""

    board: str
    phone: str
    router: str

    def switch(self, *, on: bool) -> None:
        """Switch the router on or off. Clients notice only that packets no longer arrive."""
        _ip("-n", self.router, "link", "set", "br0", "up" if on else "down")

    def browser(self, folder: Path, program: Path) -> Path:
        """Write a program into *folder* that starts the browser *program* in the phone's namespace."""
        script = folder / "browser-on-the-phone"
        script.write_text(f'#!/bin/sh\nexec nsenter --net={_NAMED / self.phone} {program} "$@"\n')
        script.chmod(0o755)
        return script


@contextmanager
def inside(namespace: str) -> Iterator[None]:
    """Move this thread, and all that it starts, into a network *namespace*."""
    with Path("/proc/thread-self/ns/net").open() as own, (_NAMED / namespace).open() as there:
        _enter(there.fileno())
        try:
            yield
        finally:
            _enter(own.fileno())


@contextmanager
def home() -> Iterator[Home]:
    """Set up the network, or skip the test if that is not allowed."""
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("nsenter"):
        pytest.skip("a network of the test's own needs root, and the programs ip and nsenter")
    names = Home(*(f"cribpi-{os.getpid()}-{what}" for what in ("board", "phone", "router")))
    with ExitStack() as made:
        for name in (names.board, names.phone, names.router):
            if _ip("netns", "add", name, may_fail=True):
                pytest.skip("a network of the test's own is not allowed here")
            made.callback(_ip, "netns", "del", name)
            _ip("-n", name, "link", "set", "lo", "up")
        _ip("-n", names.router, "link", "add", "br0", "type", "bridge")
        for name, address in ((names.board, BOARD), (names.phone, PHONE)):
            port = f"to-{name.rsplit('-', 1)[1]}"
            _ip(
                "link",
                "add",
                "wlan0",
                "netns",
                name,
                "type",
                "veth",
                "peer",
                "name",
                port,
                "netns",
                names.router,
            )
            _ip("-n", names.router, "link", "set", port, "master", "br0", "up")
            _ip("-n", name, "addr", "add", f"{address}/24", "dev", "wlan0")
            _ip("-n", name, "link", "set", "wlan0", "addrgenmode", "none", "up")
        names.switch(on=True)
        yield names


def _ip(*words: str, may_fail: bool = False) -> int:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    assert may_fail or done.returncode == 0, f"ip {' '.join(words)}: {done.stderr}"
    return done.returncode


def _enter(file: int) -> None:
    if _LIBC.setns(file, 0) != 0:
        raise OSError(ctypes.get_errno(), "setns")
