"""Make a bundle: one file with all that a Pi needs to install cribpi without a network or a compiler.

python systemd/bundle/make.py [--machine x86_64] [--to dist]

It is a script of the shell, with a tar file behind it: wheels, and the installer with its units; and a
signature, with a key that is made the first time.  Any computer with Python, OpenSSH and a network can make
it; one with a compiler for the Pi adds what has no wheels.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final

if importlib.util.find_spec("packaging") is None:  # of a Python that has only pip
    root = Path(__file__).resolve().parents[2]
    tools = root / "build" / "bundle" / "tools"
    pip = (sys.executable, "-m", "pip", "install", "-q", "--target", str(tools))
    pins = ("-c", str(root / "constraints.txt"), "packaging")
    if not tools.exists() and subprocess.run((*pip, *pins), check=False).returncode:
        sys.exit("bundle: pip can't fetch packaging; its output is above")
    sys.path.append(str(tools))

from compiled import CHECKOUT, EPOCH, Refused, compiled, run

sys.path.append(str(CHECKOUT))  # signing and verifying are in one module

from packaging.utils import parse_wheel_filename
from targets import DEBIAN_NAMES, Target, targets
from wheels import COMPILED, fetched, name_of, pure, sources, wrong_with

from cribpi.companion.update.signature import allowed_signers, fingerprints, sign
from cribpi.cribbage.rules.errors import UserError

BESIDE: Final = ("CHANGELOG.md", "LICENSE", "constraints.txt")
"""What the installer reads, or a person wants, beside its own folder."""

SOURCES: Final = (*BESIDE, "README.md", "pyproject.toml", "cribpi", "hardware", "systemd")
"""What the program and its installer are made of."""

INSTEAD: Final = {
    "lgpio": "the Pi needs python3-lgpio, which Raspberry Pi OS has",
    "rpi-ws281x": "a strip on GPIO 18 stays dark; GPIO 10 needs none",
}
"""What becomes of a Pi without what only a compiler brings."""


def main() -> int:
    """Make the bundle that the arguments ask for; return 0, or 2 if it cannot be made."""
    parser = argparse.ArgumentParser(description="make a bundle that installs without a network")
    parser.add_argument("--machine", choices=sorted(DEBIAN_NAMES), default="aarch64", help="the processor")
    parser.add_argument("--to", type=Path, default=CHECKOUT / "dist", help="the folder to put it in")
    asked = parser.parse_args()
    try:
        key = signing_key()
        made = make(asked.machine, asked.to, CHECKOUT / "build" / "bundle" / asked.machine, key)
    except (Refused, UserError) as refused:
        print(f"bundle: {refused}", file=sys.stderr)
        return 2
    print(f"{made}: {made.stat().st_size / 1e6:.0f} MB")
    with made.open("rb") as file:
        print(f"sha256 {file_digest(file, sha256).hexdigest()}")
    (print_,) = fingerprints(public(key).read_text(encoding="utf-8"))
    print(f"signed with {key}, {print_}: keep that file, because a Pi takes updates only from this key")
    return 0


def signing_key() -> Path:
    """Return the private key that signs bundles, made the first time.

    Raises:
        Refused: If OpenSSH is not installed, or can't make one.
    """
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    key = home / "cribpi" / "bundle_key"
    if not shutil.which("ssh-keygen"):
        raise Refused("ssh-keygen is not installed; on Debian: sudo apt install openssh-client")
    if not key.exists():
        key.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "cribpi bundles", "-f", key)
    return key


def public(key: Path) -> Path:
    """Return the public half of *key*."""
    return key.with_name(f"{key.name}.pub")


def make(machine: str, to: Path, work: Path, key: Path) -> Path:
    """Return the bundle for *machine*, in *to*, signed with *key*; *work* keeps what can be used again.

    Raises:
        Refused: If a wheel can't be had, or would not run there.
        UserError: If OpenSSH can't sign with the key.
    """
    lacking = without_compiler(machine)
    for old in ("own", "pure", "checkout"):
        shutil.rmtree(work / old, ignore_errors=True)
        (work / old).mkdir(parents=True)
    (work / "wheels").mkdir(exist_ok=True)
    checkout = copied(CHECKOUT, work / "checkout")
    # Ours has hatchling, of the version that everything was tested with; elsewhere pip fetches it.
    isolation = ("--no-build-isolation",) * (importlib.util.find_spec("hatchling") is not None)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", *isolation, "-w", work / "own", checkout)
    (program,) = (work / "own").glob("*.whl")
    archives, plain = ([] if lacking else sources(work / "sources")), pure(work / "pure")
    lists: dict[str, list[Path]] = {}
    for target in targets(machine):
        own = {
            name_of(wheel): wheel
            for wheel in (*plain, *(compiled(archives, target, work) if archives else ()))
        }
        found = fetched(program, target, work / "wheels", own, optional=COMPILED if lacking else ())
        if wrong := [problem for wheel in found for problem in wrong_with(wheel, target)]:
            raise Refused("; ".join(wrong))
        lists[target.tag] = found
        for name in COMPILED.keys() - {name_of(wheel) for wheel in found}:
            print(f"bundle: for Python {target.version} without {name}: {INSTEAD[name]} ({lacking})")
    what = about(program)
    signers = allowed_signers(public(key).read_text(encoding="utf-8"))
    made = write(to, machine, payload(lists, checkout, what, signers), what)
    sign(made, key)
    return made


def without_compiler(machine: str) -> str:
    """Return what is missing to compile for *machine*, with the remedy; "" if nothing is."""
    for needed, package in ((f"{machine}-linux-gnu-gcc", _compiler(machine)), ("swig", "swig")):
        if not shutil.which(needed):
            return f"{needed} is not installed; sudo apt install {package}"
    # Debian's compiler for another processor comes without them where apt installs no more than it must.
    included = ("-E", "-include", "stdio.h", "-x", "c", "/dev/null")
    if subprocess.run((f"{machine}-linux-gnu-gcc", *included), check=False, capture_output=True).returncode:
        return f"the C headers for {machine} are not installed; sudo apt install {_compiler(machine)}"
    return ""


def copied(checkout: Path, to: Path) -> Path:
    """Copy what is needed of *checkout* into the folder *to*, with the line ends of Linux; return that.

    Git on Windows writes others.
    """
    for source in (
        path for name in SOURCES for path in [checkout / name, *sorted((checkout / name).rglob("*"))]
    ):
        if source.is_file() and "__pycache__" not in source.parts:
            data = source.read_bytes()
            there = to / source.relative_to(checkout)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(data if b"\0" in data else data.replace(b"\r\n", b"\n"))
    return to


def about(program: Path) -> dict[str, str]:
    """Return the version of *program*, a wheel, and its commit with the date, "" where git can't say."""
    line = ""
    if shutil.which("git") and (CHECKOUT / ".git").exists():
        line = run("git", "-C", CHECKOUT, "log", "-1", "--format=%H %cI").strip()
    commit, _, date = line.partition(" ")
    return {"version": str(parse_wheel_filename(program.name)[1]), "commit": commit, "date": date}


def _compiler(machine: str) -> str:
    """Return Debian's packages with the compiler for *machine*, and the C library's headers."""
    machine = machine.replace("_", "-")
    return f"gcc-{machine}-linux-gnu libc6-dev-{DEBIAN_NAMES[machine.replace('-', '_')]}-cross"


def payload(lists: dict[str, list[Path]], checkout: Path, about: dict[str, str], signers: str = "") -> bytes:
    """Return a tar file: *checkout*'s installer, the wheels of *lists* by a Python's tag, and *signers*."""
    files = {f"wheels/{wheel.name}": wheel.read_bytes() for wheels in lists.values() for wheel in wheels}
    files |= {f"wheels/{tag}.txt": listing(wheels).encode() for tag, wheels in lists.items()}
    files |= {name: (checkout / name).read_bytes() for name in BESIDE}
    files["about.json"] = json.dumps(about).encode()
    files |= {"allowed_signers": signers.encode()} if signers else {}
    installer = (path for path in (checkout / "systemd").iterdir() if path.is_file())
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


def write(to: Path, machine: str, packed: bytes, about: dict[str, str]) -> Path:
    """Write the bundle of what is told by *about*, with the tar file *packed*, into *to*; return it."""
    version = about["version"]
    bundle = to / f"cribpi-{version}-{machine}.run"
    pythons = " ".join(target.version for target in targets(machine))
    whole = {"machine": machine, "bytes": len(packed), "sum": sha256(packed).hexdigest()}
    words = {
        "ABOUT": json.dumps(about | whole),
        "BYTES": str(len(packed)),
        "MACHINE": machine,
        "NAME": bundle.name,
        "PYTHONS": pythons,
        "SUM": sha256(packed).hexdigest(),
        "TRIPLET": Target(machine, (3, 11), "").triplet,
        "VERSION": version,
    }
    head = (Path(__file__).parent / "head.sh").read_text(encoding="utf-8")
    for name, word in words.items():
        head = head.replace(f"@{name}@", word)
    head = head.replace("@BEGINS@", f"{len(head.encode()) + 1:08}")  # as long as what it takes the place of
    to.mkdir(parents=True, exist_ok=True)
    bundle.write_bytes(head.encode() + packed)
    bundle.chmod(0o755)
    return bundle


if __name__ == "__main__":
    sys.exit(main())
