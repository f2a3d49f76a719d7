"""A Pi in a virtual machine: started, asked, and unplugged."""

from __future__ import annotations

import base64
import json
import os
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pi.panel import Panel, parse
from pi.ws2812 import Chain, transfers

BOOTED_WITHIN: Final = 600.0
"""Seconds within which a machine without acceleration has come so far that it can be asked."""
LISTENS_WITHIN: Final = 30.0
"""Seconds within which QEMU takes the agent's connection."""
CPU: Final = "Nehalem,-spec-ctrl"
"""The oldest processor that numpy runs on: what newer ones have besides is slow where it is emulated."""
KERNEL_WORDS: Final = (
    *("console=ttyS0", "quiet", "panic=-1"),
    # What a Pi's kernel does not have either, or what takes time at each start and shows nothing.
    *(
        "mitigations=off",
        "apparmor=0",
        "selinux=0",
        "audit=0",
        "nokaslr",
        "cryptomgr.notests",
        "rcupdate.rcu_expedited=1",
    ),
    *("tsc=reliable", "no_timer_check"),
)
"""What the kernel is told at each start."""
LEDS: Final = 242
TAP, REST = 0.08, 0.08
"""Seconds for which a finger holds a key down, and for which it is off the keys before the next press."""


class Trouble(Exception):
    """The machine did not do what was expected of it."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a person sees: the glass, as the bytes of its picture, its contrast, and the lights' colours."""

    glass: bytes
    lights: bytes
    contrast: int


@dataclass(frozen=True, slots=True)
class Done:
    """What a command came to."""

    code: int
    out: str
    err: str


class Machine:
    """The machine on *disk*, a file that it changes, with what else it needs in *folder*.

    Args:
        folder: Where image and log are.
        disk: The disk's file.
        log: Takes what the kernel and systemd say on the serial console.
    """

    def __init__(self, folder: Path, disk: Path, log: Path) -> None:
        self._folder = folder
        self._disk = disk
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._received = b""
        self._asked = 0
        self.strip = Chain(LEDS)

    def start(self, *, cache: str = "writeback", clock: str = "utc", words: Sequence[str] = ()) -> None:
        """Switch it on; the disk has QEMU's *cache*, the clock shows *clock*, and the kernel is told *words*.

        Raises:
            Trouble: If it cannot be asked in time.
        """
        address = self._folder / "agent.socket"
        address.unlink(missing_ok=True)
        accelerator = os.environ.get("ACCEL", "tcg")
        self._process = subprocess.Popen(
            [
                "qemu-system-x86_64",
                *(
                    "-accel",
                    f"{accelerator},thread=multi,tb-size=512" if accelerator == "tcg" else accelerator,
                ),
                *("-cpu", CPU if accelerator == "tcg" else "host", "-smp", "2", "-m", "768"),
                *("-nodefaults", "-nic", "none", "-display", "none", "-no-reboot"),
                *("-kernel", str(self._folder / "vmlinux"), "-initrd", str(self._folder / "initrd.img")),
                *("-append", " ".join((*KERNEL_WORDS, *words))),
                *("-drive", f"file={self._disk},format=raw,if=virtio,cache={cache}"),
                *("-rtc", f"base={clock}"),
                *("-chardev", f"file,id=console,path={self._log},append=on", "-serial", "chardev:console"),
                *("-chardev", f"socket,id=agent,path={address},server=on,wait=off"),
                *("-device", "virtio-serial", "-device", "virtserialport,chardev=agent,name=agent"),
            ],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.strip = Chain(LEDS)
        self._asked, self._received = 0, b""
        until = time.monotonic() + LISTENS_WITHIN
        self._socket = socket.socket(socket.AF_UNIX)
        while self._socket.connect_ex(str(address)):  # the file is there before anybody listens
            if self._process.poll() is not None or time.monotonic() > until:
                raise Trouble("QEMU does not start")
            time.sleep(0.05)
        self._answer(0, BOOTED_WITHIN)

    def ask(self, deed: str, *arguments: object, timeout: float = 60.0) -> Any:  # noqa: ANN401  JSON
        """Have *deed* done in the machine; return what came of it.

        Raises:
            Trouble: If it fails there, or there is no answer in time.
        """
        self.tell(deed, *arguments)
        return self._answer(self._asked, timeout)

    def _answer(self, number: int, timeout: float) -> Any:  # noqa: ANN401  JSON
        until = time.monotonic() + timeout
        assert self._socket is not None
        while True:
            while b"\n" in self._received:
                line, self._received = self._received.split(b"\n", 1)
                found = json.loads(line)
                if found["id"] != number:
                    continue  # of a question that nobody waits for any more
                if "error" in found:
                    raise Trouble(found["error"])
                return found["answer"]
            self._socket.settimeout(max(0.01, until - time.monotonic()))
            try:
                more = self._socket.recv(1 << 20)
            except TimeoutError:
                raise Trouble(f"no answer within {timeout:.0f} s") from None
            if not more:
                raise Trouble("the machine went off")
            self._received += more

    def tell(self, deed: str, *arguments: object) -> None:
        """Have *deed* done in the machine, and do not wait for it.

        Raises:
            Trouble: If the machine is off.
        """
        if self._socket is None:
            raise Trouble("the machine is off")
        self._asked += 1
        asked = json.dumps({"id": self._asked, "do": deed, "with": arguments})
        try:
            self._socket.sendall(asked.encode() + b"\n")
        except OSError as error:
            raise Trouble("the machine went off") from error

    def run(self, *words: str, timeout: float = 60.0, check: bool = True) -> Done:
        """Run a command there as root.

        Raises:
            Trouble: If it fails, and this is to *check* it.
        """
        done = Done(**self.ask("run", words, timeout, timeout=timeout + 10))
        if check and done.code:
            raise Trouble(f"`{' '.join(words)}` gave {done.code}: {done.out}{done.err}")
        return done

    def shell(self, line: str, *, timeout: float = 60.0, check: bool = True) -> str:
        """Run *line* by a shell there; return what it printed, without the last line's end."""
        return self.run("sh", "-c", line, timeout=timeout, check=check).out.strip()

    def look(self) -> Sight:
        """Return what its screen and its lights show.

        Raises:
            pi.ws2812.Garbled: If the strip's wire did not keep to its times.
        """
        panel = self.panel()
        return Sight(panel.picture(), self.strip.colours, panel.registers["contrast"])

    def panel(self) -> Panel:
        """Return the panel, after the strip has heard what was sent to it."""
        found = self.ask("look")
        for data, hertz in transfers(base64.b64decode(found["wire"])):
            self.strip.hear(data, hertz)
        return parse(found["oled"])

    def unplug(self) -> None:
        """Pull the plug: nothing in it hears of that."""
        if self._process is not None:
            self._process.kill()
        self._ended()

    def is_off_within(self, seconds: float) -> bool:
        """Return whether it switches itself off within *seconds*."""
        assert self._process is not None
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        self._ended()
        return True

    def _ended(self) -> None:
        if self._process is not None:
            self._process.wait()
            self._process = None
        if self._socket is not None:
            with suppress(OSError):
                self._socket.close()
            self._socket = None


def new_disk(folder: Path, name: str) -> Path:
    """Return a disk of its own, as the image is: a copy that takes no room for what is empty."""
    disk = folder / f"{name}.img"
    disk.unlink(missing_ok=True)
    subprocess.run(
        ["cp", "--sparse=always", "--reflink=auto", str(folder / "disk.img"), str(disk)], check=True
    )
    return disk
