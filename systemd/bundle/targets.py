"""What a bundle is for: a kind of processor, and the Pythons of the systems that a Pi may run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Target:
    """One Python on one kind of processor.

    Attributes:
        machine: What the kernel calls the processor.
        python: Python's version, major and minor.
        suite: The Debian that has this Python; its headers are compiled against.
    """

    machine: str
    python: tuple[int, int]
    suite: str

    @property
    def version(self) -> str:
        """As in `python3.11`."""
        return ".".join(map(str, self.python))

    @property
    def tag(self) -> str:
        """As in a wheel's name.

        >>> Target("aarch64", (3, 11), "bookworm").tag
        'cp311'
        """
        return "cp{}{}".format(*self.python)

    @property
    def triplet(self) -> str:
        """As Debian names folders and compilers, and Python its MULTIARCH."""
        return f"{self.machine}-linux-gnu"

    @property
    def platforms(self) -> tuple[str, ...]:
        """Those of wheels that run there, the newest C library first.

        >>> Target("aarch64", (3, 11), "bookworm").platforms[0]
        'manylinux_2_36_aarch64'
        """
        many = [f"manylinux_2_{minor}_{self.machine}" for minor in range(GLIBC, OLDEST_GLIBC - 1, -1)]
        return (*many, f"manylinux2014_{self.machine}", f"linux_{self.machine}")

    @property
    def environment(self) -> dict[str, str]:
        """What a wheel's requirements may ask of the machine, beside what is the same on all."""
        return {
            "implementation_name": "cpython",
            "os_name": "posix",
            "platform_machine": self.machine,
            "platform_python_implementation": "CPython",
            "platform_system": "Linux",
            "python_full_version": f"{self.version}.0",
            "python_version": self.version,
            "sys_platform": "linux",
        }


GLIBC: Final = 36
"""Bookworm's C library is 2.36; Trixie's, newer, runs what is made for it."""

OLDEST_GLIBC: Final = 17
"""Wheels for Python 3.11 ask for no older one."""

SUITES: Final = {"bookworm": (3, 11), "trixie": (3, 13)}
"""The systems that the pages name, with their Python."""

DEBIAN_NAMES: Final = {"aarch64": "arm64", "x86_64": "amd64"}
"""The processors for which there are bundles, and what Debian calls them."""

ELF_MACHINES: Final = {"aarch64": 183, "x86_64": 62}
"""What a compiled file says that it runs on: e_machine, of the ELF specification."""


def targets(machine: str) -> list[Target]:
    """Return what a bundle for *machine* is for."""
    return [Target(machine, python, suite) for suite, python in SUITES.items()]
