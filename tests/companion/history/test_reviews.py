"""Reviews for the page: made beside the table, told how far they are, kept, and made again when damaged."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.companions import served
from support.greedy_games import greedy_game, journal_of
from support.patience import PATIENCE, joined, until

from cribpi.companion.history import reviews
from cribpi.companion.history.reviews import FOLDER, NoReview, Reviews, keep, keys_of
from cribpi.cribbage.game.events import Event, SeatsNamed
from cribpi.cribbage.review import FORMAT, GAMES
from cribpi.cribbage.review import review as made
from cribpi.cribbage.review.deals import deals_of
from cribpi.cribbage.review.report import review_json

BEGUN = 8
"""Steps of a game that is just begun: the discards, and the first cards."""


@pytest.fixture(scope="module")
def game() -> list[Event]:
    return greedy_game(1, ("Ann", "BLUE"), 31)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def kept(folder: Path) -> Iterator[Reviews]:
    found = Reviews(folder)
    yield found
    found.stop()


def finished(found: Reviews, game: list[Event]) -> dict[str, Any]:
    """Ask until it is there."""
    until(lambda: not found.of(game)["pending"])
    return found.of(game)


def test_who_asks_is_told_how_far_it_is_and_then_has_it(kept: Reviews, game: list[Event]) -> None:
    first = kept.of(game)
    assert first["pending"] == max(event.number for event in deals_of(game))
    assert "decisions" not in first
    found = finished(kept, game)
    assert found["format"] == FORMAT
    assert found["decisions"]


def test_it_is_kept_beside_the_journal_and_made_once(
    kept: Reviews, folder: Path, game: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = finished(kept, game)
    monkeypatch.setattr(made, "review", lambda *_: pytest.fail("it is made twice"))
    assert Reviews(folder).of(game) == found
    assert [path.name for path in (folder / FOLDER).iterdir()] == [keys_of(game)[0]]


@pytest.mark.parametrize("damage", [b"", b"\x1f\x8b garbage", None], ids=["empty", "garbage", "gone"])
def test_a_damaged_one_is_made_again(
    kept: Reviews, folder: Path, game: list[Event], damage: bytes | None
) -> None:
    found = finished(kept, game)
    path = folder / FOLDER / keys_of(game)[0]
    path.unlink() if damage is None else path.write_bytes(damage)
    other = Reviews(folder)
    assert finished(other, game) == found


def test_one_of_another_format_is_made_again(
    kept: Reviews, folder: Path, game: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    finished(kept, game)
    monkeypatch.setattr(reviews, "FORMAT", FORMAT + 1)
    again = Reviews(folder)
    assert "decisions" not in again.of(game)
    again.stop()


def test_where_the_disk_refuses_it_is_shown_all_the_same(
    folder: Path, game: list[Event], caplog: pytest.LogCaptureFixture
) -> None:
    (folder / FOLDER).write_text("no folder")
    with caplog.at_level(logging.WARNING):
        assert finished(Reviews(folder), game)["decisions"]
    assert "a review could not be saved" in caplog.text
    assert finished(Reviews(None), game)["decisions"]


@pytest.mark.parametrize("refuses", [True, False], ids=["refusing", "none"])
def test_without_a_disk_there_are_as_many_as_are_practised_from(folder: Path, *, refuses: bool) -> None:
    """Whoever practises asks for all of them again and again, until the last is there."""
    (folder / FOLDER).write_text("no folder")
    found = Reviews(folder if refuses else None)
    games = [greedy_game(seed, ("Ann", "BLUE"), 31)[:BEGUN] for seed in range(GAMES + 1)]
    for game in games:
        finished(found, game)
    assert [found.of(game)["pending"] for game in games[1:]] == [0] * GAMES
    assert found.of(games[0])["pending"], "the oldest gave way"
    found.stop()


def test_why_it_cannot_be_made_is_said_and_it_is_tried_again(
    kept: Reviews, game: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:

        def fails(*_: object) -> None:
            raise LookupError("a table is missing")

        broken.setattr(made, "review", fails)
        kept.of(game)
        while any(thread.name == "review" for thread in threading.enumerate()):
            threading.Event().wait(0.02)
        assert kept.of(greedy_game(2, ("Ann", "BLUE"), 31))["pending"], "it is another's failure"
        with pytest.raises(NoReview, match="a table is missing"):
            finished(kept, game)
    assert finished(kept, game)["decisions"]


def test_another_game_waits_for_its_turn(kept: Reviews, game: list[Event]) -> None:
    other = greedy_game(2, ("Ann", "BLUE"), 31)
    assert kept.of(game)["pending"]
    assert kept.of(other)["pending"]
    assert finished(kept, other)["decisions"] != finished(kept, game)["decisions"]


def test_it_is_given_up_when_the_companion_ends(kept: Reviews) -> None:
    kept.of(greedy_game(3, ("Ann", "BLUE"), 121))
    kept.stop()
    assert not any(thread.name == "review" for thread in threading.enumerate())


def test_after_the_deal_in_which_the_companion_ends_no_other_is_reviewed(
    kept: Reviews, game: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    deals, begun, may_go_on = [], threading.Event(), threading.Event()

    def review(_events: Sequence[Event], tell: Callable[[int, int], None]) -> None:
        for deal in range(9):
            deals.append(deal)
            begun.set()
            may_go_on.wait(PATIENCE)
            tell(deal, 9)

    monkeypatch.setattr(made, "review", review)
    kept.of(game)
    assert begun.wait(PATIENCE)
    ends = threading.Thread(target=kept.stop)
    ends.start()
    while not kept._is_stopping.is_set():
        threading.Event().wait(0.01)
    may_go_on.set()
    joined(ends)
    assert deals == [0]


# --- where they are kept ------------------------------------------------------------------------------

REVIEW = {"format": FORMAT}


def test_only_the_newest_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST", 2)
    for day, key in enumerate(("c", "b", "a")):
        keep(tmp_path, key, REVIEW)
        os.utime(tmp_path / FOLDER / key, (day, day))
    keep(tmp_path, "newest", REVIEW)
    assert sorted(path.name for path in (tmp_path / FOLDER).iterdir()) == ["a", "newest"]


def test_nothing_half_written_is_left_where_the_disk_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        keep(tmp_path, "a", REVIEW)
    assert not list((tmp_path / FOLDER).iterdir())
    assert reviews.load(tmp_path, "a") is None


def named(game: Sequence[Event], at: int, *names: str) -> list[Event]:
    return [*game[:at], SeatsNamed(names), *game[at:]]


def test_what_its_players_are_called_is_no_part_of_it(
    kept: Reviews, game: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = finished(kept, game)
    twice = named(named(game, len(game), "Eve", "Dan"), len(game) + 1, "Eve", "Fred")
    again = review_json(made.review(twice)) | {one: found[one] for one in ("names", "sides", "pending")}
    assert again == found, "who is called otherwise has played the same"
    monkeypatch.setattr(made, "review", lambda *_: pytest.fail("it is made twice"))
    assert kept.of(twice) == found
    assert keys_of(named(game, BEGUN, "Eve", "Dan"))[0] == keys_of(named(game, BEGUN, "Ann", "Bob"))[0]
    assert keys_of(named(game, BEGUN, "Eve", "Dan"))[0] != keys_of(game)[0], "it counts its events"


def test_a_game_that_was_taken_back_and_went_on_otherwise_has_its_own(game: list[Event]) -> None:
    other = greedy_game(2, ("Ann", "BLUE"), 31)
    assert len({keys_of(one)[0] for one in (game, game[:-1], other)}) == 3


def test_one_that_an_earlier_version_kept_by_its_names_is_found(
    folder: Path, kept: Reviews, game: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = finished(kept, game)
    new, earlier = keys_of(game)
    (folder / FOLDER / new).rename(folder / FOLDER / earlier)
    monkeypatch.setattr(made, "review", lambda *_: pytest.fail("it is made twice"))
    assert Reviews(folder).of(game) == found


def test_a_name_given_after_the_game_leaves_its_review_where_it_is(tmp_path: Path) -> None:
    with served(journal_of(tmp_path, greedy_game(1, ("Ann", "BLUE"), 31))) as (_, url):
        until(lambda: not httpx.get(f"{url}api/games/1/review").json()["pending"])
        before = httpx.get(f"{url}api/games/1/review").json()
        listed = httpx.get(f"{url}api/games").json()["games"][0]["reviewed"]
        assert httpx.post(f"{url}api/names", json={"names": ["Ann", "Bob"]}).status_code == 200
        row = httpx.get(f"{url}api/games").json()["games"][0]
        assert (row["seats"], row["reviewed"]) == (["Ann", "Bob"], listed)
        after = httpx.get(f"{url}api/games/1/review").json()
        assert (after["pending"], after["names"]) == (0, ["Ann", "Bob"])
        assert after["players"] == before["players"]
        assert len([*(tmp_path / FOLDER).iterdir()]) == 1
