"""Make a bundle: one file with all that a Pi needs to install cribpi without a network or a compiler.

python systemd/bundle/make.py [--machine x86_64] [--to dist]

It is a script of the shell, with a tar file behind it: wheels, and the installer with its units.
"""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

from compiled import CHECKOUT, EPOCH, HERE, Refused, compiled, run
from packaging.utils import parse_wheel_filename
from targets import DEBIAN_NAMES, Target, targets
from wheels import fetched, name_of, pure, sources, wrong_with

BESIDE: Final = ("LICENSE", "constraints.txt")
"""What the installer reads, or a person wants, beside its own folder."""


def main() -> int:
    """Make the bundle that the arguments ask for; return 0, or 2 if it cannot be made."""
    parser = argparse.ArgumentParser(description="make a bundle that installs without a network")
    parser.add_argument("--machine", choices=sorted(DEBIAN_NAMES), default="aarch64", help="the processor")
    parser.add_argument("--to", type=Path, default=CHECKOUT / "dist", help="the folder to put it in")
    asked = parser.parse_args()
    try:
        made = make(asked.machine, asked.to, CHECKOUT / "build" / "bundle" / asked.machine)
    except Refused as refused:
        print(f"bundle: {refused}", file=sys.stderr)
        return 2
    print(f"{made}: {made.stat().st_size / 1e6:.0f} MB")
    return 0


def make(machine: str, to: Path, work: Path) -> Path:
    """Return the bundle for *machine*, in the folder *to*; *work* keeps what can be used again.

    Raises:
        Refused: If a wheel can't be had, or would not run there.
    """
    for needed, package in ((f"{machine}-linux-gnu-gcc", _compiler(machine)), ("swig", "swig")):
        if not shutil.which(needed):
            raise Refused(f"{needed} is not installed; sudo apt install {package}")
    # Debian's compiler for another processor comes without them where apt installs no more than it must.
    included = ("-E", "-include", "stdio.h", "-x", "c", "/dev/null")
    if subprocess.run((f"{machine}-linux-gnu-gcc", *included), check=False, capture_output=True).returncode:
        raise Refused(f"the C headers for {machine} are not installed; sudo apt install {_compiler(machine)}")
    for old in ("own", "pure"):
        shutil.rmtree(work / old, ignore_errors=True)
        (work / old).mkdir(parents=True)
    (work / "wheels").mkdir(exist_ok=True)
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", work / "own", folder=CHECKOUT)
    (program,) = (work / "own").glob("*.whl")
    archives, plain = sources(work / "sources"), pure(work / "pure")
    lists: dict[str, list[Path]] = {}
    for target in targets(machine):
        own = {name_of(wheel): wheel for wheel in (*plain, *compiled(archives, target, work))}
        found = fetched(program, target, work / "wheels", own)
        if wrong := [problem for wheel in found for problem in wrong_with(wheel, target)]:
            raise Refused("; ".join(wrong))
        lists[target.tag] = found
    return write(to, machine, program, payload(lists))


def _compiler(machine: str) -> str:
    """Return Debian's packages with the compiler for *machine*, and the C library's headers."""
    machine = machine.replace("_", "-")
    return f"gcc-{machine}-linux-gnu libc6-dev-{DEBIAN_NAMES[machine.replace('-', '_')]}-cross"


def payload(lists: dict[str, list[Path]]) -> bytes:
    """Return a tar file of the installer and the wheels of *lists*, by a Python's tag."""
    files = {f"wheels/{wheel.name}": wheel.read_bytes() for wheels in lists.values() for wheel in wheels}
    files |= {f"wheels/{tag}.txt": listing(wheels).encode() for tag, wheels in lists.items()}
    files |= {name: (CHECKOUT / name).read_bytes() for name in BESIDE}
    installer = (path for path in (CHECKOUT / "systemd").iterdir() if path.is_file())
    files |= {f"systemd/{path.name}": path.read_bytes() for path in installer}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(data), 0o644, int(EPOCH)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def listing(wheels: Iterable[Path]) -> str:
    """Return *wheels* as pip reads them: each by name, version and checksum."""
    lines = (
        f"{name_of(wheel)}=={parse_wheel_filename(wheel.name)[1]} "
        f"--hash=sha256:{sha256(wheel.read_bytes()).hexdigest()}\n"
        for wheel in wheels
    )
    return "".join(sorted(lines))


def write(to: Path, machine: str, program: Path, packed: bytes) -> Path:
    """Write the bundle of *program*, a wheel, with the tar file *packed*, into the folder *to*; return it."""
    version = str(parse_wheel_filename(program.name)[1])
    bundle = to / f"cribpi-{version}-{machine}.run"
    pythons = " ".join(target.version for target in targets(machine))
    words = {
        "BYTES": str(len(packed)),
        "MACHINE": machine,
        "NAME": bundle.name,
        "PYTHONS": pythons,
        "SUM": sha256(packed).hexdigest(),
        "TRIPLET": Target(machine, (3, 11), "").triplet,
        "VERSION": version,
    }
    head = (HERE / "head.sh").read_text(encoding="utf-8")
    for name, word in words.items():
        head = head.replace(f"@{name}@", word)
    to.mkdir(parents=True, exist_ok=True)
    bundle.write_bytes(head.encode() + packed)
    bundle.chmod(0o755)
    return bundle


if __name__ == "__main__":
    sys.exit(main())
