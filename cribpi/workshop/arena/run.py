"""Batch execution of a contest, in processes or on a Dask cluster, with reproducible results."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from itertools import count
from time import perf_counter
from typing import Any, Final, TypeAlias

import cribpi
from cribpi.companion.engines.process import EnginePlayer, EngineTrouble
from cribpi.cribbage.rules.errors import UserError
from cribpi.workshop.arena.contest import Contest, Sums, is_engine, play_sets

PIECE_SECONDS: Final = 2.0
"""Target duration of a batch; a killed run loses about this much work."""

PATIENCE: Final = 10
"""Timeout in seconds for a Dask scheduler to answer, and for its first worker to appear."""

MOST_SETS: Final = 500
"""Maximum number of sets in a batch."""

_LOG: Final = logging.getLogger("cribpi.cribbage.players.fallback")


Batch: TypeAlias = tuple[float, Sums]
"""Duration of a batch of sets in seconds, and its sums."""


def pieces(contest: Contest, first: int, last: int, jobs: int = 1) -> Iterator[Sums]:
    """Play the sets from *first* up to but not *last*, in *jobs* processes; yield each batch's sums in order.

    Raises:
        UserError: If a process has died.
    """
    if jobs == 1:
        yield from _in_order(lambda *sets: partial(piece_of, contest, *sets), first, last, lambda: 1)
        return
    others = set(multiprocessing.active_children())
    # Spawned, not forked: a fork of a process with threads may deadlock.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin)
    is_whole = False
    try:

        def submit(begin: int, many: int) -> Callable[[], Batch]:
            return pool.submit(piece_of, contest, begin, many).result

        yield from _in_order(submit, first, last, lambda: 2 * jobs)
        is_whole = True
    except BrokenExecutor:
        raise UserError(
            "one of its processes has ended, perhaps out of memory: try again with fewer --jobs"
        ) from None
    finally:
        if not is_whole:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
        pool.shutdown(cancel_futures=True)


def pieces_on(address: str, contest: Contest, first: int, last: int) -> Iterator[Sums]:
    """Play the sets like `pieces`, on the workers of the Dask scheduler at *address*.

    If a worker is lost, another one plays its batches.

    Raises:
        UserError: If Dask is not installed, no scheduler or worker answers, a worker has another version
            of cribpi or can't run an engine, or a batch has ended too many workers.
    """
    try:
        import distributed  # noqa: PLC0415  the extra `cluster`
    except ImportError as bad:
        raise UserError(f"--workers needs the cluster extra ({bad}): pip install 'cribpi[cluster]'") from None

    dask: Any = distributed  # half of it has no types
    try:
        client = dask.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as bad:
        raise UserError(
            f"no Dask scheduler answers at {address} ({_line(bad)}): start one with `dask scheduler`"
        ) from None
    with client:
        _check(client, address)
        submit = partial(client.submit, piece_there, contest, pure=False)
        try:
            yield from _in_order(
                lambda *sets: submit(*sets).result,
                first,
                last,
                lambda: 2 * max(1, sum(client.nthreads().values())),  # workers come and go
            )
        except dask.KilledWorker:
            raise UserError(
                "a batch has crashed several workers in a row, perhaps out of memory: "
                "look at their logs, and go on with the same command"
            ) from None
        except (OSError, CancelledError):
            raise UserError(
                f"the Dask scheduler at {address} has gone: start it and its workers again, and go on with "
                "the same command"
            ) from None


def _check(client: Any, address: str) -> None:  # noqa: ANN401  half of Dask has no types
    """Wait for the first worker, and refuse workers of another version, whose games might differ."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise UserError(
            f"the Dask scheduler at {address} has no workers: "
            f"start some with `dask worker {address} --nthreads 1`"
        ) from None
    for version in client.run(version_of_cribpi, on_error="return").values():
        if version != cribpi.__version__:
            what = f"cribpi {version}" if isinstance(version, str) else f"no cribpi ({_line(version)})"
            raise UserError(f"a worker has {what}, not {cribpi.__version__}: install the same there")


def version_of_cribpi() -> str:
    """Return the version of cribpi; runs on each worker."""
    return cribpi.__version__


def _line(bad: BaseException) -> str:
    return " ".join(str(bad).split()) or type(bad).__name__


def _in_order(
    submit: Callable[[int, int], Callable[[], Batch]], first: int, last: int, depth: Callable[[], int]
) -> Iterator[Sums]:
    """Submit the sets from *first* up to but not *last* in batches; yield each batch's sums, in order.

    Args:
        submit: Starts a batch, given its first set and its size; returns a function that waits for it.
        first: The first set.
        last: The set after the last.
        depth: Returns the number of batches to submit before waiting for one.
    """
    waiting: deque[tuple[int, Callable[[], Batch]]] = deque()
    many = 1
    while first < last or waiting:
        while first < last and len(waiting) < depth():
            piece = min(many, last - first)
            waiting.append((piece, submit(first, piece)))
            first += piece
        piece, result = waiting.popleft()
        seconds, sums = result()
        many = _next_piece(piece, seconds)
        yield sums


def piece_of(contest: Contest, first: int, many: int) -> Batch:
    """Play *many* sets from the *first* on; return the duration in seconds and the sums."""
    began = perf_counter()
    sums = play_sets(contest, first, many)
    return perf_counter() - began, sums


def piece_there(contest: Contest, first: int, many: int) -> Batch:
    """Play sets like `piece_of`, on a worker, after checking that the worker can run the engines.

    Without the check, `thrifty` would take over their games.

    Raises:
        UserError: If an engine can't start a game on the worker.
    """
    try:
        try_engines(contest)
    except UserError as bad:
        raise UserError(
            f"on a worker, {bad}: name the engine by its full path, and put it there on each machine"
        ) from None
    return piece_of(contest, first, many)


@cache
def try_engines(contest: Contest) -> None:
    """Check that each engine of *contest* can start a game; once in each process.

    Raises:
        UserError: If an engine can't.
    """
    for name in sorted({contest.a, contest.b}):
        if not is_engine(name):
            continue
        engine = EnginePlayer(name, is_trusted=contest.trusts_engines)
        try:
            engine.begin(contest.single_game)
        except EngineTrouble as bad:
            notes = "".join(f"; {note}" for note in getattr(bad, "__notes__", ()))
            raise UserError(f"{name} can't play this: {bad}{notes}") from None
        finally:
            engine.close()


def _next_piece(many: int, seconds: float) -> int:
    """Return the size of the next batch, if *many* sets took that many *seconds*."""
    ideal = round(many * PIECE_SECONDS / max(seconds, 1e-3))
    return max(1, min(ideal, 4 * many, MOST_SETS))


def _begin() -> None:
    """Initialize a worker process: leave Ctrl-C to the parent, and exit when the parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _LOG.addFilter(_first_only())
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


@contextmanager
def logging_once() -> Iterator[None]:
    """Log only the first fallback inside this context; the sums count all of them."""
    once = _first_only()
    _LOG.addFilter(once)
    try:
        yield
    finally:
        _LOG.removeFilter(once)


def _first_only() -> Callable[[logging.LogRecord], bool]:
    """Return a filter that passes only the first record."""
    passed = count()
    return lambda _record: next(passed) == 0
