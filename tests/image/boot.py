"""Boots a card image in a virtual machine, logs in at its serial port, and looks at what its first start did.

    boot.py IMAGE FOLDER

The machine is QEMU's `virt`, with the kernel and the initramfs of the image: the firmware, the device trees
and a Pi's own parts are not in it.
"""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

ASKED: Final = """\
hostname = "oak"
timezone = "Europe/Berlin"
[login]
user = "ann"
password = "six hearts"
[wifi]
country = "DE"
name = "Home"
password = "fifteen two"
"""

PATIENCE: Final = 1800.0
"""Seconds for anything: an emulated processor is slow, and other things run beside it."""

OTHERS: Final = 400
"""MB of a card that the first partition takes, and what a file system needs for itself."""

LOOKS: Final = (
    # what to type                                                          what has to come
    ("hostname", r"^oak$"),
    ("readlink /etc/localtime", r"^/usr/share/zoneinfo/Europe/Berlin$"),
    ("systemctl is-active cribpi-first-start", r"^active$"),
    (
        "sudo -S -p '' sh -c 'cat /boot/firmware/cribpi-says.txt; ls /boot/firmware' <<<'six hearts'",
        r"^everything is done",
    ),
    ("ls /etc/ssh/ssh_host_ed25519_key.pub", r"^/etc/ssh/ssh_host_ed25519_key.pub$"),
    ("df --output=size -BM / | tail -n 1 | tr -d ' M'", r"^(\d{4,})$"),
    (
        "until systemctl is-active -q cribpi; do sleep 2; done; systemctl is-active cribpi",
        r"^active$",
    ),
    (
        "python3 -c 'import urllib.request as u; print(u.urlopen(\"http://127.0.0.1:8121/api/state\").read()[:40])'",
        r'^b\'\{"seq":',
    ),
    ("cribpi score '7H 8C 8D KS' --starter 9S", r"12"),
)


class Machine:
    """A virtual machine's serial port."""

    def __init__(self, command: list[str], log: Path) -> None:
        self._port, other = pty.openpty()
        self._process = subprocess.Popen(command, stdin=other, stdout=other, stderr=other)
        os.close(other)
        self._log = log.open("wb")
        self._seen = ""

    def wait(self, pattern: str) -> re.Match[str]:
        """Return the first match of *pattern* in what has come since the last one."""
        until = time.monotonic() + PATIENCE
        while (found := re.search(pattern, self._seen, re.MULTILINE)) is None:
            if time.monotonic() > until or self._process.poll() is not None:
                raise SystemExit(f"boot: {pattern} has not come; the last words are\n{self._seen[-2000:]}")
            if select.select([self._port], [], [], 1.0)[0]:
                data = os.read(self._port, 65536)
                self._log.write(data)
                self._log.flush()
                self._seen += data.decode("utf-8", "replace").replace("\r", "")
        self._seen = self._seen[found.end() :]
        return found

    def type(self, line: str) -> None:
        os.write(self._port, f"{line}\n".encode())

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._log.close()


def copied(image: Path, folder: Path) -> Path:
    """Return a copy of *image* on a card that is 2 GB larger, with our cribpi.toml.

    Its kernel and its initramfs are put beside it.
    """
    card = folder / "card.img"
    subprocess.run(("cp", "--sparse=always", image, card), check=True)
    with card.open("r+b") as file:
        file.truncate(card.stat().st_size + (2 << 30))
    (folder / "cribpi.toml").write_text(ASKED, encoding="utf-8")
    boot = f"{card}@@4M"
    subprocess.run(("mcopy", "-o", "-i", boot, folder / "cribpi.toml", "::cribpi.toml"), check=True)
    listed = subprocess.run(
        ("mdir", "-b", "-i", boot, "::"), check=True, capture_output=True, text=True
    ).stdout
    for name in ("vmlinuz", "initrd.img"):
        path = next(line for line in listed.splitlines() if line.startswith(f"::/{name}-"))
        subprocess.run(("mcopy", "-o", "-i", boot, path, folder / name), check=True)
    return card


def main(image: Path, folder: Path) -> None:
    began = time.monotonic()
    card = copied(image, folder)
    whole = card.stat().st_size >> 20
    arguments = "root=LABEL=cribpi rw console=ttyAMA0 net.ifnames=0 systemd.show_status=false audit=0"
    machine = Machine(
        [
            *(
                "qemu-system-aarch64",
                "-M",
                "virt",
                "-cpu",
                "cortex-a53",
                "-smp",
                "2",
                "-m",
                "1024",
                "-nographic",
            ),
            *(
                "-kernel",
                str(folder / "vmlinuz"),
                "-initrd",
                str(folder / "initrd.img"),
                "-append",
                arguments,
            ),
            *("-drive", f"file={card},format=raw,if=virtio", "-nic", "none"),
        ],
        folder / "boot.log",
    )
    try:
        machine.wait(r"oak login: ")
        print(f"== the login is there after {time.monotonic() - began:.0f} s", flush=True)
        machine.type("ann")
        machine.wait(r"Password: ")
        machine.type("six hearts")
        machine.wait(r"ann@oak")
        machine.type("stty -echo; PS1='READY> '; bind 'set enable-bracketed-paste off'")
        machine.wait(r"READY> $")
        for command, pattern in LOOKS:
            machine.type(command)
            found = machine.wait(pattern)
            machine.wait(r"READY> $")
            print(f"== {command.split()[0]}: {found[0]}", flush=True)
            if command.startswith("df") and int(found[1]) < whole - OTHERS:
                raise SystemExit(f"boot: the file system has {found[1]} MB of a card of {whole} MB")
        machine.type("sudo poweroff")
        machine.type("six hearts")
    finally:
        machine.close()
    print(f"== well, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
