"""Wheels that the program needs on a target: requirements, download and checks."""

from __future__ import annotations

import re
import struct
import sys
import zipfile
from collections.abc import Collection, Iterable, Iterator
from email.parser import HeaderParser
from hashlib import sha256
from pathlib import Path
from typing import Final

from compiled import CHECKOUT, EPOCH, HERE, Refused, pins, run
from packaging.requirements import Requirement
from packaging.tags import Tag
from packaging.utils import canonicalize_name, parse_wheel_filename
from targets import ELF_MACHINES, Target

COMPILED: Final = {
    "rpi-ws281x": CHECKOUT / "tests" / "support" / "rpi_ws281x.txt",
    "lgpio": HERE / "lgpio.txt",
}
"""Packages that may have to be compiled, with the files that pin their sources."""

HAS: Final = {"lgpio": ("lgpio.py", b"def gpiochip_open("), "rpi-ws281x": ("_rpi_ws281x.", b"ws2811_init")}
"""Start of a file name in a wheel, and text that the file must contain.

PyPI's lgpio is empty for some Pythons.
"""


def fetched(
    program: Path, target: Target, folder: Path, own: dict[str, Path], optional: Collection[str] = ()
) -> list[Path]:
    """Return the wheel *program* and all wheels that it needs on *target*, including its extra `pi`.

    *own* has wheels built here, by name. All others are downloaded into *folder*. *optional* packages are
    left out if they have no wheel.

    pip would evaluate requirements for this machine instead of the target, so this function reads each
    wheel's requirements itself.

    Raises:
        Refused: If a package has no wheel, or is not pinned.
    """
    known, found = pins(), {"cribpi": program}
    # The extra `pi` does not have lgpio for Python 3.13, because PyPI has none.
    todo = needs(program, target, "pi") | {"lgpio"}
    while missing := sorted(todo - found.keys()):
        if unpinned := [name for name in missing if name not in known]:
            raise Refused(
                f"{' and '.join(unpinned)}: not in constraints.txt; add everything that is to be installed"
            )
        here = {name: own.get(name) or wheel_of(name, known[name], target, folder) for name in missing}
        absent = [name for name, wheel in here.items() if wheel is None]
        if required := [f"{name}=={known[name]}" for name in absent if name not in optional]:
            download(required, target, folder)
        for name in absent:
            if name in optional and not has_wheel(name, known[name], target, folder):
                todo.discard(name)
        for name in missing:
            wheel = here[name] or wheel_of(name, known[name], target, folder)
            if name not in todo:
                continue
            if wheel is None:
                raise Refused(f"{name} {known[name]}: pip fetched no wheel for Python {target.version}")
            found[name] = wheel
            todo |= needs(wheel, target)
    return [program, *(found[name] for name in sorted(found) if name != "cribpi")]


def download(requirements: list[str], target: Target, folder: Path, *, is_loud: bool = True) -> None:
    """Download the wheels of *requirements*, such as `name==version`, for *target* into *folder*.

    Raises:
        Refused: If a package has no wheel.
    """
    platforms = [word for platform in target.platforms for word in ("--platform", platform)]
    run(
        sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", folder,
        "--implementation", "cp", "--python-version", target.version, "--abi", target.tag, "--abi", "abi3",
        "--abi", "none", *platforms, *requirements, is_loud=is_loud,
    )  # fmt: skip


def has_wheel(name: str, version: str, target: Target, folder: Path) -> bool:
    """Try to download a wheel into *folder*. Return whether it exists."""
    try:
        download([f"{name}=={version}"], target, folder, is_loud=False)
    except Refused:
        return False
    return wheel_of(name, version, target, folder) is not None


def name_of(wheel: Path) -> str:
    """Return the normalized package name of *wheel*."""
    return parse_wheel_filename(wheel.name)[0]


def pure(folder: Path) -> list[Path]:
    """Build wheels in *folder* for packages that have only source but need no compiler. Return the wheels."""
    pip = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--require-hashes")
    run(*pip, "-r", HERE / "pure.txt", "-w", folder, SOURCE_DATE_EPOCH=EPOCH)
    return sorted(folder.glob("*.whl"))


def sources(folder: Path) -> list[Path]:
    """Download the sources of the `COMPILED` packages into *folder*. Return the files."""
    folder.mkdir(exist_ok=True)
    for pinned in COMPILED.values():
        here = {sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.tar.gz")}
        if not any(f"sha256:{digest}" in pinned.read_text(encoding="utf-8") for digest in here):
            pip = (sys.executable, "-m", "pip", "download", "-q", "--no-deps")
            run(*pip, "--require-hashes", "-r", pinned, "-d", folder)
    return sorted(folder.glob("*.tar.gz"))


def wheel_of(name: str, version: str, target: Target, folder: Path) -> Path | None:
    """Return the wheel of *name* in *folder* that runs on *target*, or None."""
    for path in sorted(folder.glob("*.whl")):
        package, has, _, tags = parse_wheel_filename(path.name)
        if (package, str(has)) == (name, version) and is_for(tags, target):
            return path
    return None


def is_for(tags: Iterable[Tag], target: Target) -> bool:
    """Return whether a wheel with these *tags* runs on *target*.

    >>> from packaging.tags import parse_tag
    >>> pi = Target("aarch64", (3, 11), "bookworm")
    >>> [is_for(parse_tag(f"cp{minor}-cp{minor}-manylinux_2_28_aarch64"), pi) for minor in (311, 313)]
    [True, False]
    """
    pythons, platforms = {target.tag, "py3"}, {"any", *target.platforms}
    return any(
        (tag.interpreter in pythons or tag.abi == "abi3") and tag.platform in platforms for tag in tags
    )


def needs(wheel: Path, target: Target, extra: str = "") -> set[str]:
    """Return the names of packages that *wheel* requires on *target*. *extra* is an extra, or ""."""
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (name for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        metadata = HeaderParser().parsestr(archive.read(path).decode())
    requirements = (Requirement(line) for line in metadata.get_all("Requires-Dist", []))
    environment = {**target.environment, "extra": extra}
    return {
        canonicalize_name(requirement.name)
        for requirement in requirements
        if requirement.marker is None or requirement.marker.evaluate(environment)
    }


def wrong_with(wheel: Path, target: Target) -> Iterator[str]:
    """Yield the reasons why *wheel* can't run on *target*. Its name and its compiled files are checked."""
    name, _, _, tags = parse_wheel_filename(wheel.name)
    if not is_for(tags, target):
        yield f"{wheel.name}: not for Python {target.version} on {target.machine}"
    with zipfile.ZipFile(wheel) as archive:
        files = archive.namelist()
        for file in files:
            head = archive.open(file).read(20) if ".so" in Path(file).suffixes else b""
            if head and (problem := wrong_with_elf(head, target)):
                yield f"{wheel.name}: {file}: {problem}"
        if name in HAS:
            begins, text = HAS[name]
            if not any(text in archive.read(file) for file in files if file.startswith(begins)):
                yield f"{wheel.name}: nothing in it has {text.decode()}"
        compiled_for = re.compile(r"\.cpython-(\d+)")
        for file in files:
            if (found := compiled_for.search(file)) and f"cp{found[1]}" != target.tag:
                yield f"{wheel.name}: {file}: for another Python than {target.version}"


def wrong_with_elf(head: bytes, target: Target) -> str | None:
    """Return the reason why a compiled file can't run on *target*, or None.

    *head* is its first 20 bytes or more.

    >>> wrong_with_elf(b"#!/bin/sh".ljust(20), Target("aarch64", (3, 11), "bookworm"))
    'not compiled'
    """
    if head[:4] != b"\x7fELF":
        return "not compiled"
    is_64_little = head[4:6] == b"\x02\x01"
    (machine,) = struct.unpack_from("<H", head, 18)
    if not is_64_little or machine != ELF_MACHINES[target.machine]:
        return f"not compiled for {target.machine}"
    return None
