"""Wheels of what has only source, or none for one of the Pythons: compiled here for another machine.

The package's own setup.py does it.  It asks Python how extensions are compiled, and is told what the target's
Python would say: another compiler, other headers, another ending.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from packaging.utils import canonicalize_name
from targets import DEBIAN_NAMES, Target

HERE: Final = Path(__file__).resolve().parent
CHECKOUT: Final = HERE.parents[1]

EPOCH: Final = "1704067200"
"""The time that all files in a bundle bear, in seconds, so that the same files make the same bundle."""

# lgpio's setup.py takes its files as the disk lists them: in order, the same source makes the same file.
_DRIVER: Final = """\
import pathlib, runpy, sys
from setuptools.command.bdist_wheel import bdist_wheel
tag = tuple(sys.argv.pop().split("-"))
bdist_wheel.get_tag = lambda self: tag
glob = pathlib.Path.glob
pathlib.Path.glob = lambda self, pattern: iter(sorted(glob(self, pattern)))
runpy.run_path("setup.py", run_name="__main__")
"""


class Refused(Exception):
    """A bundle that cannot be made; its text says why, and the remedy."""


def run(*command: str | Path, folder: Path | None = None, is_loud: bool = True, **environ: str) -> str:
    """Run *command* in *folder*; return what it prints.

    Raises:
        Refused: If it fails; what it said was shown where it *is_loud*.
    """
    done = subprocess.run(
        command, cwd=folder, env=os.environ | environ, capture_output=True, text=True, check=False
    )
    if done.returncode:
        if is_loud:
            sys.stderr.write(done.stdout + done.stderr)
        raise Refused(f"`{' '.join(map(str, command[:5]))}` failed; its output is above")
    return done.stdout


def pins() -> dict[str, str]:
    """Return the version of each package, by name, from the constraints."""
    lines = (CHECKOUT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = (line.partition("#")[0].partition(";")[0].strip() for line in lines)
    pairs = (pin.split("==") for pin in found if pin)
    return {canonicalize_name(name): version for name, version in pairs}


def compiled(sources: list[Path], target: Target, work: Path) -> list[Path]:
    """Return the wheels of *sources*, each a tar file, for *target*; *work* is a folder for what that takes.

    Raises:
        Refused: If one cannot be compiled.
    """
    tools = work / "setuptools"
    if not tools.exists():
        wanted = f"setuptools=={pins()['setuptools']}"
        run(sys.executable, "-m", "pip", "install", "-q", "--target", tools, wanted)
    told = work / target.tag
    shutil.rmtree(told, ignore_errors=True)
    told.mkdir()
    (told / "_sysconfigdata_target.py").write_text(f"build_time_vars = {_told(target, work)!r}\n")
    (told / "driver.py").write_text(_DRIVER)
    (told / "source").mkdir()
    for source in sources:
        run("tar", "-xzf", source, "-C", told / "source", "--no-same-owner")
    for folder in (told / "source").iterdir():
        command = ("bdist_wheel", "-d", told / "wheels", f"{target.tag}-{target.tag}-linux_{target.machine}")
        run(
            sys.executable, told / "driver.py", "-q", *command,
            folder=folder,
            PYPI="1",  # lgpio: with its C library in it
            PYTHONPATH=f"{told}:{tools}",
            SOURCE_DATE_EPOCH=EPOCH,
            _PYTHON_HOST_PLATFORM=f"linux-{target.machine}",
            _PYTHON_SYSCONFIGDATA_NAME="_sysconfigdata_target",
        )  # fmt: skip
    return sorted((told / "wheels").glob("*.whl"))


def _told(target: Target, work: Path) -> dict[str, str | int]:
    """Return what a setup.py hears of Python: the target's names, with this machine's compiler for it."""
    headers = _headers(target, work) / "usr" / "include"
    gcc = f"{target.triplet}-gcc"
    soabi = f"cpython-{target.tag.removeprefix('cp')}-{target.triplet}"
    return {
        "AR": f"{target.triplet}-ar",
        "ARFLAGS": "rcs",
        "CC": gcc,
        "CCSHARED": "-fPIC",
        # No notes for a debugger: they hold the folder in which it was compiled.
        "CFLAGS": f"-O2 -g0 -DNDEBUG -I{headers / f'python{target.version}'} -I{headers}",
        "CXX": f"{target.triplet}-g++",
        "EXT_SUFFIX": f".{soabi}.so",
        "LDCXXSHARED": f"{gcc} -shared",
        "LDSHARED": f"{gcc} -shared",
        "MULTIARCH": target.triplet,
        "Py_DEBUG": 0,
        "Py_GIL_DISABLED": 0,
        "SHLIB_SUFFIX": ".so",
        "SOABI": soabi,
    }


def _headers(target: Target, work: Path) -> Path:
    """Return a folder with the target's Python.h, from Debian's package."""
    folder = work / f"headers-{target.suite}"
    if folder.exists():
        return folder
    apt = work / f"apt-{target.suite}"
    (apt / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (apt / "sources.list").write_text(f"deb [signed-by={keys}] {_archive()} {target.suite} main\n")
    machine = DEBIAN_NAMES[target.machine]
    settings = {
        "APT::Architecture": machine,
        "APT::Architectures": machine,
        "APT::Sandbox::User": "root",
        "Dir::Cache": str(apt),
        "Dir::Etc::sourcelist": str(apt / "sources.list"),
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": str(apt / "lists"),
        "Dir::State::status": "/dev/null",
    }
    config = apt / "apt.conf"
    config.write_text("".join(f'{name} "{value}";\n' for name, value in settings.items()))
    run("apt-get", "update", "-qq", APT_CONFIG=str(config))
    run("apt-get", "download", "-qq", f"libpython{target.version}-dev", folder=apt, APT_CONFIG=str(config))
    (package,) = apt.glob("*.deb")
    run("dpkg-deb", "-x", package, folder)
    return folder


def _archive() -> str:
    """Return the address of Debian's archive: MIRROR, or the one that this machine's apt uses."""
    if mirror := os.environ.get("MIRROR"):
        return mirror
    wanted = ("Created-By: Packages", "Origin: Debian", "Label: Debian")
    known = run("apt-get", "indextargets", "--format", "$(REPO_URI)", *wanted).split()
    if not known:
        raise Refused("apt has no Debian archive on this machine; name one: MIRROR=http://...")
    return known[0]
