"""What is logged of one kind: a few lines a minute, and how many more there were."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from cribpi.commands.logs import MINUTE, MOST, Sparing, log


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(caplog: pytest.LogCaptureFixture) -> Iterator[Clock]:
    clock = Clock()
    sparing = Sparing(clock)
    caplog.handler.addFilter(sparing)
    yield clock
    caplog.handler.removeFilter(sparing)


def complain(times: int) -> None:
    for number in range(times):
        logging.getLogger("desk").warning("board %s lies", number)


def test_what_is_logged_over_and_over_is_counted(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    complain(MOST + 1_000)
    logging.getLogger("desk").warning("100 % of the disk")  # from elsewhere
    clock.now = MINUTE
    complain(1)
    first, *_, other, last = caplog.messages
    assert len(caplog.messages) == MOST + 2
    assert (first, other) == ("board 0 lies", "100 % of the disk")
    assert last == "board 0 lies (and 1,000 more like it)"


def test_what_is_logged_now_and_then_is_all_there(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(50):
        clock.now += MINUTE / MOST
        complain(1)
    assert caplog.messages == ["board 0 lies"] * 50


def test_where_others_log_already_nothing_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    log("%(message)s")
    complain(MOST + 1)
    assert len(caplog.messages) == MOST + 1
