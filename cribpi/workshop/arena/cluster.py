"""Sets of a contest on several machines: Dask hands the batches to its workers, with the same results.

A worker that is lost loses nothing: its batches are played by another.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from functools import partial
from typing import Any, Final

import cribpi
from cribpi.workshop.arena.contest import Contest, Sums
from cribpi.workshop.arena.run import ArenaStopped, in_order, piece_of

PATIENCE: Final = 10
"""Seconds that the scheduler has to answer, and that its first worker has to come."""


def pieces_on(address: str, contest: Contest, first: int, last: int) -> Iterator[Sums]:
    """Play the sets from *first* up to but not *last* on the workers of the Dask scheduler at *address*.

    Yields each batch's sums, in the order of the sets.

    Raises:
        ArenaStopped: If Dask is not installed, no scheduler or worker answers, a worker has another version
            of cribpi, or a batch has ended too many workers.
    """
    try:
        import distributed  # noqa: PLC0415  the extra `cluster`
    except ImportError as bad:
        raise ArenaStopped(
            f"--workers needs the extra cluster ({bad}): pip install 'cribpi[cluster]'"
        ) from None

    dask: Any = distributed  # half of it has no types
    try:
        client = dask.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as bad:
        raise ArenaStopped(
            f"no Dask scheduler answers at {address} ({_line(bad)}): start one with `dask scheduler`"
        ) from None
    with client:
        _check(client, address)
        submit = partial(client.submit, piece_of, contest, pure=False)
        try:
            yield from in_order(submit, first, last, lambda: max(1, sum(client.nthreads().values())))
        except dask.KilledWorker:
            raise ArenaStopped(
                "a batch has ended several workers one after the other, perhaps out of memory: "
                "see what they log, and go on with the same command"
            ) from None
        except (OSError, CancelledError):
            raise ArenaStopped(
                f"the Dask scheduler at {address} has gone: start it and its workers again, and go on with "
                "the same command"
            ) from None


def _check(client: Any, address: str) -> None:  # noqa: ANN401  as above
    """Wait for the first worker, and refuse workers of another version: their games might be others."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise ArenaStopped(
            f"the Dask scheduler at {address} has no workers: "
            f"start some with `dask worker {address} --nthreads 1`"
        ) from None
    for version in client.run(version_of_cribpi, on_error="return").values():
        if version != cribpi.__version__:
            what = f"cribpi {version}" if isinstance(version, str) else f"no cribpi ({_line(version)})"
            raise ArenaStopped(f"a worker has {what}, not {cribpi.__version__}: install the same there")


def version_of_cribpi() -> str:
    """Return the version of cribpi; asked of each worker."""
    return cribpi.__version__


def _line(bad: BaseException) -> str:
    return " ".join(str(bad).split()) or type(bad).__name__
