"""A start adds up the past games that lack it first: the screen shows how far it is, and systemd waits."""

from __future__ import annotations

import logging
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import pytest
from support.full_disk import files_no_longer_than
from support.games import referee_game
from support.paths import DATA
from support.tables import opened

from cribpi.companion.history import fill
from cribpi.companion.history.past_games import read_games
from cribpi.companion.journal.journal import Journal
from cribpi.companion.kit import Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run import bootstrap
from cribpi.companion.run.bootstrap import Chips, assembled
from cribpi.companion.run.config import Config
from cribpi.companion.views.screen.screen import draw_start

GAMES = 9


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a journal of games without a summary, of which few are written at once."""
    monkeypatch.setattr(fill, "AT_ONCE", 2)
    with opened(tmp_path) as (journal, _):
        game = [one.event for one in referee_game(Random(1), 2, 31, suited=False)]
        journal.commit("2031-01-01T00:00:00.000+00:00", 1, "{}", game * GAMES)
    return tmp_path


@pytest.fixture
def glass(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Give what is on the screen, one after the other; once the panel is held, nothing of the start is."""
    seen: list[bytes] = []
    made = bootstrap.twin_chips

    def watched(kit: Kit) -> Chips:
        chips, held = made(kit), list[bool]()
        assert chips.twin is not None
        panel = chips.twin.panel
        panel.when_changed = lambda: seen.append(panel.picture().tobytes())

        def show_first(picture: bytes) -> None:
            if held:
                raise BlockingIOError
            chips.show_first(picture)

        def hold_panel() -> Callable[[], object]:
            held.append(True)
            return held.clear

        return replace(chips, show_first=show_first, hold_panel=hold_panel)

    monkeypatch.setattr(bootstrap, "twin_chips", watched)
    return seen


def start(folder: Path, *, is_ended: bool = False) -> None:
    with assembled(Config(), load_kit("table"), folder, is_sim=True, is_ended=lambda: is_ended):
        pass


def lacking(folder: Path) -> int:
    return read_games(folder, lambda games: games.lacking())


def test_a_bar_grows_on_the_screen_before_the_table_is_there(folder: Path, glass: list[bytes]) -> None:
    start(folder)
    bars = [
        draw_start("adding up past games", done / (GAMES - 1)).tobytes() for done in range(0, GAMES - 1, 2)
    ]
    places = [glass.index(bar) for bar in bars]
    assert places == sorted(places)
    assert lacking(folder) == 0
    glass.clear()
    start(folder)
    assert not set(bars) & set(glass), "the second time there is nothing to be done"


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_journal_of_an_earlier_version_is_filled_in_at_its_first_start(
    version: int, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        db.executescript((DATA / f"journal-version-{version}.sql").read_text(encoding="utf-8"))
    before = read_games(tmp_path, lambda games: [game.summary() for game in games])
    start(tmp_path)
    assert read_games(tmp_path, lambda games: [game.summary() for game in games]) == before
    assert lacking(tmp_path) == 0


def test_the_bar_is_as_long_as_its_share() -> None:
    for share in (0.0, 0.25, 1.0):
        picture = draw_start("adding up past games", share)
        lit = [x for x in range(128) if picture.getpixel((x, 58))]
        assert len(lit) == 2 + round(100 * share), "and its two ends"


@pytest.fixture
def notified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as end:
        end.bind(str(tmp_path / "notify"))
        end.settimeout(0)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield end


def test_systemd_is_asked_for_more_time_at_each_step(folder: Path, notified: socket.socket) -> None:
    start(folder)
    for done in range(0, GAMES - 1, 2):
        assert notified.recv(4096).decode().split("\n") == [
            "EXTEND_TIMEOUT_USEC=60000000",
            f"STATUS=adding up past games, once: {done} of 8",
        ]
    with pytest.raises(BlockingIOError):
        notified.recv(4096)


def test_the_log_says_once_what_takes_long(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seconds = count()
    monkeypatch.setattr("cribpi.companion.run.bootstrap.time.monotonic", lambda: float(next(seconds)))
    with opened(folder) as (journal, _), caplog.at_level(logging.WARNING):
        chips = bootstrap.twin_chips(load_kit("table"))
        bootstrap.fill_in_first(journal, chips, lambda: False)
    assert caplog.messages == ["adding up past games, once: 6 of 8 are done"]


def test_a_start_that_is_to_end_leaves_the_rest_to_the_next_one(folder: Path) -> None:
    start(folder, is_ended=True)
    assert lacking(folder) == GAMES - 1


def test_a_full_disk_does_not_stop_the_start(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Journal.keep_summaries

    def refused(journal: Journal, found: dict[int, str]) -> bool:
        with files_no_longer_than((folder / "journal.db-wal").stat().st_size):
            return kept(journal, found)

    monkeypatch.setattr(Journal, "keep_summaries", refused)
    start(folder)
    assert lacking(folder) == GAMES - 1
    assert len(read_games(folder, lambda games: list(games.finished()))) == GAMES
