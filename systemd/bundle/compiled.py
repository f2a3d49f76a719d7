"""Cross-compilation of wheels, for packages without wheels for one of the targets.

The package's own setup.py compiles. It gets the build variables of the target's Python instead of this one's:
another compiler, other headers, and another file suffix.
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
"""Timestamp of all files in a bundle, in Unix seconds. It is fixed, so that builds are reproducible."""

# lgpio's setup.py compiles files in directory order, so the driver sorts them to make builds reproducible.
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
    """A bundle can't be made. The message is the reason and a remedy."""


def run(*command: str | Path, folder: Path | None = None, is_loud: bool = True, **environ: str) -> str:
    """Run *command* in *folder* and return its output.

    Raises:
        Refused: If the command fails. Its output is printed first if *is_loud*.
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
    """Return each package's version from constraints.txt, by normalized name."""
    lines = (CHECKOUT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    stripped = (line.partition("#")[0].partition(";")[0].strip() for line in lines)
    pairs = (pin.split("==") for pin in stripped if pin)
    return {canonicalize_name(name): version for name, version in pairs}


def compiled(sources: list[Path], target: Target, work: Path) -> list[Path]:
    """Compile *sources*, which are tar files, for *target*. Return the wheels. *work* is a working folder.

    Raises:
        Refused: If compiling fails.
    """
    tools = work / "setuptools"
    if not tools.exists():
        requirement = f"setuptools=={pins()['setuptools']}"
        run(sys.executable, "-m", "pip", "install", "-q", "--target", tools, requirement)
    build = work / target.tag
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir()
    (build / "_sysconfigdata_target.py").write_text(f"build_time_vars = {_build_time_vars(target, work)!r}\n")
    (build / "driver.py").write_text(_DRIVER)
    (build / "source").mkdir()
    for source in sources:
        run("tar", "-xzf", source, "-C", build / "source", "--no-same-owner")
    for folder in (build / "source").iterdir():
        command = ("bdist_wheel", "-d", build / "wheels", f"{target.tag}-{target.tag}-linux_{target.machine}")
        run(
            sys.executable, build / "driver.py", "-q", *command,
            folder=folder,
            PYPI="1",  # makes lgpio include its C library
            PYTHONPATH=f"{build}:{tools}",
            SOURCE_DATE_EPOCH=EPOCH,
            _PYTHON_HOST_PLATFORM=f"linux-{target.machine}",
            _PYTHON_SYSCONFIGDATA_NAME="_sysconfigdata_target",
        )  # fmt: skip
    return sorted((build / "wheels").glob("*.whl"))


def _build_time_vars(target: Target, work: Path) -> dict[str, str | int]:
    """Return the build variables of the target's Python for this machine's cross-compiler."""
    headers = _headers(target, work) / "usr" / "include"
    gcc = f"{target.triplet}-gcc"
    soabi = f"cpython-{target.tag.removeprefix('cp')}-{target.triplet}"
    return {
        "AR": f"{target.triplet}-ar",
        "ARFLAGS": "rcs",
        "CC": gcc,
        "CCSHARED": "-fPIC",
        # without debug information, which would contain the build folder's path
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
    """Return a folder with the C headers of the target's Python, from Debian's package."""
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
    """Return the URL of a Debian archive: MIRROR, or the first one in this machine's apt configuration."""
    if mirror := os.environ.get("MIRROR"):
        return mirror
    filters = ("Created-By: Packages", "Origin: Debian", "Label: Debian")
    known = run("apt-get", "indextargets", "--format", "$(REPO_URI)", *filters).split()
    if not known:
        raise Refused("apt has no Debian archive on this machine; name one: MIRROR=http://...")
    return known[0]
