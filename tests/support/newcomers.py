"""A desk in a separate process that checks in new players while other desks do the same."""

from __future__ import annotations

from multiprocessing.synchronize import Barrier

from cribpi.club.desk import Desk
from cribpi.club.log import Log
from support.patience import PATIENCE

NEWCOMERS = 30


def add_newcomers(address: str, night: str, ready: Barrier) -> None:
    """Check in new players on *night*, as soon as the other processes are at *ready*."""
    log = Log(address)
    desk = Desk(log, night)
    ready.wait(PATIENCE)
    for number in range(NEWCOMERS):
        desk.enlist(desk.known(f"{night} {number}"))
    log.close()
