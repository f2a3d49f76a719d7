"""A desk in a process of its own, which checks newcomers in at the same time as others."""

from __future__ import annotations

from multiprocessing.synchronize import Barrier

from cribpi.club.desk import Desk
from cribpi.club.log import Log
from support.patience import PATIENCE

NEWCOMERS = 30


def add_newcomers(address: str, night: str, ready: Barrier) -> None:
    """Check newcomers in on *night*, once the others at *ready* do too."""
    log = Log(address)
    desk = Desk(log, night)
    ready.wait(PATIENCE)
    for number in range(NEWCOMERS):
        desk.enlist(desk.known(f"{night} {number}"))
    log.close()
