"""Pictures of screen and strip that take long: nobody else waits for them, and they are made once for all who
do."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from companion.web.rehearsed import RehearsedClient
from support import loops
from support.clients import client_of
from support.companions import page_of
from support.patience import PATIENCE

from cribpi.companion.web.server import PageServer
from cribpi.companion.web.stream import OneAtATime


@pytest.fixture
def slow(companion: RehearsedClient) -> Iterator[RehearsedClient]:
    """A companion whose pictures are not done before `may_draw` is set."""
    companion.may_draw.clear()
    yield companion
    companion.may_draw.set()


@pytest.mark.parametrize("path", ["api/oled.png", "api/strip"])
def test_while_a_picture_is_made_others_are_answered_and_can_press(
    slow: RehearsedClient, server: PageServer, path: str
) -> None:
    with ThreadPoolExecutor() as pool, client_of(server.url) as client:
        picture = pool.submit(httpx.get, server.url + path, trust_env=False, timeout=PATIENCE)
        try:
            assert slow.drawing.wait(PATIENCE)
            assert client.get("/api/state", timeout=PATIENCE).json() == slow.state()
            assert client.post("/api/press", json={"key": "7"}, timeout=PATIENCE).status_code == 200
            assert not picture.done()
        finally:
            slow.may_draw.set()
        assert picture.result(PATIENCE).status_code == 200


def test_while_a_picture_is_made_for_a_listener_others_are_answered(
    slow: RehearsedClient, server: PageServer, client: httpx.Client
) -> None:
    with httpx.stream("GET", f"{server.url}api/events", trust_env=False, timeout=PATIENCE) as events:
        told = events.iter_lines()
        try:
            assert slow.drawing.wait(PATIENCE)
            assert client.get("/api/state", timeout=PATIENCE).json() == slow.state()
        finally:
            slow.may_draw.set()
        assert "event: oled" in told


def test_the_server_stops_while_a_picture_is_made(slow: RehearsedClient) -> None:
    with page_of(slow) as server, ThreadPoolExecutor() as pool:
        asked = pool.submit(httpx.get, f"{server.url}api/oled.png", trust_env=False, timeout=PATIENCE)
        assert slow.drawing.wait(PATIENCE)
        stopped = pool.submit(server.stop)
        slow.may_draw.set()
        stopped.result(PATIENCE)
        assert asked.exception(PATIENCE) is None or isinstance(
            asked.exception(PATIENCE), httpx.TransportError
        )


class Pictures:
    """Pictures by their numbers, each of which is done when it is let go."""

    def __init__(self) -> None:
        self.begun = 0
        self.has_begun = threading.Semaphore(0)
        self.may_end = threading.Semaphore(0)

    def draw(self) -> int:
        self.begun += 1
        number = self.begun
        self.has_begun.release()
        assert self.may_end.acquire(timeout=PATIENCE)
        return number

    async def begins(self) -> None:
        assert await asyncio.to_thread(self.has_begun.acquire, timeout=PATIENCE)


def test_who_asks_while_one_is_made_gets_the_next_and_all_of_them_the_same() -> None:
    pictures = Pictures()

    async def play() -> list[list[int]]:
        one_at_a_time = OneAtATime(pictures.draw)
        first = [asyncio.create_task(one_at_a_time.get()) for _ in range(3)]
        await pictures.begins()
        second = [asyncio.create_task(one_at_a_time.get()) for _ in range(100)]
        await asyncio.sleep(0)
        assert pictures.begun == 1
        pictures.may_end.release()
        found = [await asyncio.gather(*first)]
        await pictures.begins()
        third = asyncio.create_task(one_at_a_time.get())
        pictures.may_end.release(2)
        return [*found, await asyncio.gather(*second), [await third]]

    assert loops.run(play()) == [[1] * 3, [2] * 100, [3]]


def test_who_goes_takes_the_picture_from_nobody_else() -> None:
    pictures = Pictures()

    async def play() -> int:
        one_at_a_time = OneAtATime(pictures.draw)
        gone, stays = (asyncio.create_task(one_at_a_time.get()) for _ in range(2))
        await pictures.begins()
        gone.cancel()
        pictures.may_end.release()
        return await stays

    assert loops.run(play()) == 1


def test_a_picture_that_fails_is_said_to_all_who_wait_and_the_next_is_made() -> None:
    failures = iter([True, False])

    def draw() -> str:
        if next(failures):
            raise OSError("the bus is stuck")
        return "a picture"

    async def play() -> list[object]:
        one_at_a_time = OneAtATime(draw)
        both = await asyncio.gather(one_at_a_time.get(), one_at_a_time.get(), return_exceptions=True)
        return [*(type(one) for one in both), await one_at_a_time.get()]

    assert loops.run(play()) == [OSError, OSError, "a picture"]
