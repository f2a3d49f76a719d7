"""Make a bundle: one file with all that a Pi needs to install cribpi without a network or a compiler.

python systemd/bundle/make.py [--machine x86_64] [--to dist]

A bundle is a shell script followed by a tar file, which has the wheels and the installer. It is signed with a
key that is generated the first time. Any computer with Python, OpenSSH and a network can make a bundle. If it
has a cross-compiler for the Pi, the bundle also includes packages that have no wheels.
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

# This Python is not the development environment and may have only pip.
if importlib.util.find_spec("packaging") is None:
    root = Path(__file__).resolve().parents[2]
    tools = root / "build" / "bundle" / "tools"
    pip = (sys.executable, "-m", "pip", "install", "-q", "--target", str(tools))
    pins = ("-c", str(root / "constraints.txt"), "packaging")
    if not tools.exists() and subprocess.run((*pip, *pins), check=False).returncode:
        sys.exit("bundle: pip can't fetch packaging; its output is above")
    sys.path.append(str(tools))

from compiled import CHECKOUT, EPOCH, Refused, compiled, run

sys.path.append(str(CHECKOUT))  # so that cribpi's module for signatures can be imported

from packaging.utils import parse_wheel_filename
from targets import DEBIAN_NAMES, Target, targets
from wheels import COMPILED, fetched, name_of, pure, sources, wrong_with

from cribpi.companion.update.signature import allowed_signers, fingerprints, sign
from cribpi.cribbage.rules.errors import UserError

BESIDE: Final = ("CHANGELOG.md", "LICENSE", "constraints.txt")
"""Files of the checkout in a bundle, besides the installer's folder."""

SOURCES: Final = (*BESIDE, "README.md", "pyproject.toml", "cribpi", "hardware", "systemd")
"""Files and folders that make up the program and its installer."""

INSTEAD: Final = {
    "lgpio": "the Pi needs python3-lgpio, which Raspberry Pi OS has",
    "rpi-ws281x": "a strip on GPIO 18 stays dark; GPIO 10 needs none",
}
"""Effect on a Pi if a package that needs a compiler is missing."""


def main() -> int:
    """Make the bundle for the command-line arguments. Return exit code 0, or 2 on failure."""
    parser = argparse.ArgumentParser(description="make a bundle that installs without a network")
    parser.add_argument("--machine", choices=sorted(DEBIAN_NAMES), default="aarch64", help="the processor")
    parser.add_argument("--to", type=Path, default=CHECKOUT / "dist", help="the folder to put it in")
    options = parser.parse_args()
    try:
        key = signing_key()
        bundle = make(options.machine, options.to, CHECKOUT / "build" / "bundle" / options.machine, key)
    except (Refused, UserError) as refused:
        print(f"bundle: {refused}", file=sys.stderr)
        return 2
    print(f"{bundle}: {bundle.stat().st_size / 1e6:.0f} MB")
    with bundle.open("rb") as file:
        print(f"sha256 {file_digest(file, sha256).hexdigest()}")
    (print_,) = fingerprints(public(key).read_text(encoding="utf-8"))
    print(f"signed with {key}, {print_}: keep that file, because a Pi takes updates only from this key")
    return 0


def signing_key() -> Path:
    """Return the private key that signs bundles. It is generated the first time.

    Raises:
        Refused: If OpenSSH is not installed, or can't generate a key.
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
    """Make the bundle for *machine* in the folder *to*, signed with *key*. *work* caches downloads.

    Raises:
        Refused: If a wheel is not available, or would not run on the target.
        UserError: If OpenSSH can't sign with the key.
    """
    lacking = without_compiler(machine)
    for old in ("own", "pure", "checkout"):
        shutil.rmtree(work / old, ignore_errors=True)
        (work / old).mkdir(parents=True)
    (work / "wheels").mkdir(exist_ok=True)
    checkout = copied(CHECKOUT, work / "checkout")
    # The development environment has the tested version of hatchling; elsewhere pip downloads a version.
    has_hatchling = importlib.util.find_spec("hatchling") is not None
    isolation = ("--no-build-isolation",) if has_hatchling else ()
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", *isolation, "-w", work / "own", checkout)
    (program,) = (work / "own").glob("*.whl")
    archives, plain = ([] if lacking else sources(work / "sources")), pure(work / "pure")
    lists: dict[str, list[Path]] = {}
    for target in targets(machine):
        own = {
            name_of(wheel): wheel
            for wheel in (*plain, *(compiled(archives, target, work) if archives else ()))
        }
        wheels = fetched(program, target, work / "wheels", own, optional=COMPILED if lacking else ())
        if wrong := [problem for wheel in wheels for problem in wrong_with(wheel, target)]:
            raise Refused("; ".join(wrong))
        lists[target.tag] = wheels
        for name in COMPILED.keys() - {name_of(wheel) for wheel in wheels}:
            print(f"bundle: for Python {target.version} without {name}: {INSTEAD[name]} ({lacking})")
    what = about(program)
    signers = allowed_signers(public(key).read_text(encoding="utf-8"))
    bundle = write(to, machine, payload(lists, checkout, what, signers), what)
    sign(bundle, key)
    return bundle


def without_compiler(machine: str) -> str:
    """Return the first tool missing to compile for *machine*, with a remedy, or "" if all are installed."""
    for needed, package in ((f"{machine}-linux-gnu-gcc", _compiler(machine)), ("swig", "swig")):
        if not shutil.which(needed):
            return f"{needed} is not installed; sudo apt install {package}"
    # Debian's cross-compilers only recommend the C headers, so these may be missing.
    included = ("-E", "-include", "stdio.h", "-x", "c", "/dev/null")
    if subprocess.run((f"{machine}-linux-gnu-gcc", *included), check=False, capture_output=True).returncode:
        return f"the C headers for {machine} are not installed; sudo apt install {_compiler(machine)}"
    return ""


def copied(checkout: Path, to: Path) -> Path:
    """Copy the `SOURCES` of *checkout* into the folder *to*, and return *to*.

    Line ends are converted to Linux's, because git on Windows may have changed them.
    """
    for source in (
        path for name in SOURCES for path in [checkout / name, *sorted((checkout / name).rglob("*"))]
    ):
        if source.is_file() and "__pycache__" not in source.parts:
            data = source.read_bytes()
            target = to / source.relative_to(checkout)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data if b"\0" in data else data.replace(b"\r\n", b"\n"))
    return to


def about(program: Path) -> dict[str, str]:
    """Return the version of the wheel *program*, and the current commit with its date.

    Without git, these are "".
    """
    line = ""
    if shutil.which("git") and (CHECKOUT / ".git").exists():
        line = run("git", "-C", CHECKOUT, "log", "-1", "--format=%H %cI").strip()
    commit, _, date = line.partition(" ")
    return {"version": str(parse_wheel_filename(program.name)[1]), "commit": commit, "date": date}


def _compiler(machine: str) -> str:
    """Return the names of Debian's packages with the compiler and C headers for *machine*."""
    machine = machine.replace("_", "-")
    return f"gcc-{machine}-linux-gnu libc6-dev-{DEBIAN_NAMES[machine.replace('-', '_')]}-cross"


def payload(lists: dict[str, list[Path]], checkout: Path, about: dict[str, str], signers: str = "") -> bytes:
    """Return a tar file with the installer of *checkout*, the wheels in *lists* and *signers*."""
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
            entry.size, entry.mode = len(data), 0o644
            entry.mtime = int(EPOCH)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def listing(wheels: Iterable[Path]) -> str:
    """Return *wheels* as a requirements file with names, versions and checksums."""
    lines = (
        f"{name_of(wheel)}=={parse_wheel_filename(wheel.name)[1]} "
        f"--hash=sha256:{sha256(wheel.read_bytes()).hexdigest()}\n"
        for wheel in wheels
    )
    return "".join(sorted(lines))


def write(to: Path, machine: str, packed: bytes, about: dict[str, str]) -> Path:
    """Write the bundle into *to*: a head from *about*, followed by the tar file *packed*."""
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
    # The placeholder has the same length, so positions stay right.
    head = head.replace("@BEGINS@", f"{len(head.encode()) + 1:08}")
    to.mkdir(parents=True, exist_ok=True)
    bundle.write_bytes(head.encode() + packed)
    bundle.chmod(0o755)
    return bundle


if __name__ == "__main__":
    sys.exit(main())
