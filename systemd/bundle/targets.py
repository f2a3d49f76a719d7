"""Targets of bundles: a processor, and the Python of a supported system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Target:
    """A Python version on a processor.

    Attributes:
        machine: Kernel's name of the processor.
        python: Major and minor version of Python.
        suite: Debian release with this Python. It provides the headers.
    """

    machine: str
    python: tuple[int, int]
    suite: str

    @property
    def version(self) -> str:
        """Python's version, such as "3.11"."""
        return ".".join(map(str, self.python))

    @property
    def tag(self) -> str:
        """Python's tag in wheel names.

        >>> Target("aarch64", (3, 11), "bookworm").tag
        'cp311'
        """
        return "cp{}{}".format(*self.python)

    @property
    def triplet(self) -> str:
        """Prefix of Debian's folders and compilers for this processor. Python calls it MULTIARCH."""
        return f"{self.machine}-linux-gnu"

    @property
    def platforms(self) -> tuple[str, ...]:
        """Platform tags of compatible wheels, for the newest C library first.

        >>> Target("aarch64", (3, 11), "bookworm").platforms[0]
        'manylinux_2_36_aarch64'
        """
        many = [f"manylinux_2_{minor}_{self.machine}" for minor in range(GLIBC, OLDEST_GLIBC - 1, -1)]
        return (*many, f"manylinux2014_{self.machine}", f"linux_{self.machine}")

    @property
    def environment(self) -> dict[str, str]:
        """Environment markers for evaluating a wheel's requirements."""
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
"""Minor version of Bookworm's C library, 2.36. Trixie's is newer and compatible."""

OLDEST_GLIBC: Final = 17
"""Minor version of the oldest C library in the tags of wheels for Python 3.11."""

SUITES: Final = {"bookworm": (3, 11), "trixie": (3, 13)}
"""Supported Debian releases, with their Python versions."""

DEBIAN_NAMES: Final = {"aarch64": "arm64", "x86_64": "amd64"}
"""Supported processors, with Debian's names for them."""

ELF_MACHINES: Final = {"aarch64": 183, "x86_64": 62}
"""Value of e_machine in compiled files, by processor (ELF specification)."""


def targets(machine: str) -> list[Target]:
    """Return the targets of a bundle for *machine*."""
    return [Target(machine, python, suite) for suite, python in SUITES.items()]
