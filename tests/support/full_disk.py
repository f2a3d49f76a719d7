"""Disks that refuse: the kernel lets no file of this process grow any more."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """Let no file of this process grow past *size* bytes: to SQLite that is a disk that refuses."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
