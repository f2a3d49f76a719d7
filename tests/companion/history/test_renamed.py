"""A person who is renamed: statistics, lists and the computer's memory follow; records stay as written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from support.companions import served
from support.greedy_games import greedy_game, journal_of
from support.patience import until

from cribpi import cli
from cribpi.companion.run.player_memory import remembered

ALONE = ("", "medium")


def test_the_games_so_far_go_with_the_new_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = journal_of(
        tmp_path,
        greedy_game(1, ("You", "Medium"), 31, ALONE),
        greedy_game(2, ("Ann", "Bob"), 31),
        greedy_game(3, ("You+1", "You", "Ann", "Dan"), 31),
    )
    with served(games) as (_, url):

        def got(path: str) -> Any:  # noqa: ANN401  what JSON holds
            return httpx.get(f"{url}api/{path}").json()

        def renamed(old: str, new: str) -> int:
            return httpx.post(f"{url}api/names", json={"rename": old, "to": new}).status_code

        assert renamed("You", "Medium") == 200
        assert renamed("Ann", "Anna") == 200
        assert renamed("Dan", "Bob") == 200
        played = {row["name"]: row["games"] for row in got("stats")["players"]}
        assert played == {"Medium": 2, "Anna": 2, "Bob": 2, "You+1": 1, "computer (Medium)": 1}
        (row,) = got("games?name=computer (Medium)")["games"]
        assert (row["players"], row["seats"]) == (["Medium", "computer (Medium)"], ["Medium", "Medium 2"])
        four, two, _ = got("games")["games"]
        assert [side["name"] for side in two["sides"]] == ["Anna", "Bob"]
        assert [side["name"] for side in four["sides"]] == ["You+1+Anna", "Medium+Bob"]
        assert four["sides"][0]["said"] == "You+1 and Anna"
        assert got("state")["seats"][2]["name"] == "Anna", "the game on the table is over, and yet"
        opened = got("games/2")
        assert [seat["name"] for seat in opened["seats"]] == ["Anna", "Bob"]
        assert not any("Ann " in line["text"] for line in opened["lines"])
        assert got("games/2/3")["state"]["seats"][0]["name"] == "Anna"
        assert got("games/2/review")["pending"] or got("games/2/review")["names"] == ["Anna", "Bob"]
        assert '"Ann"' in httpx.get(f"{url}api/games/2.crib").text
    assert remembered(games, "Medium")
    assert not remembered(games, "You")
    assert cli.main(["stats", "--state", str(games)]) == 0
    assert "Anna" in capsys.readouterr().out


def test_a_kept_review_calls_people_as_they_are_by_now(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(journal_of(tmp_path, greedy_game(1, ("Ann", "Bob"), 31))) as (_, url):

        def words() -> str:
            until(lambda: not httpx.get(f"{url}api/games/1/review").json()["pending"])
            return "; ".join(
                one["words"] for one in httpx.get(f"{url}api/games/1/review").json()["decisions"]
            )

        before = words()
        assert "to Ann's own crib" in before
        assert "{" not in before
        body = {"rename": "Ann", "to": "Anna"}
        assert httpx.post(f"{url}api/names", json=body).status_code == 200
        assert words() == before.replace("Ann's", "Anna's")
        assert httpx.get(f"{url}api/games/1/review").json()["sides"] == ["Anna", "Bob"]
    assert cli.main(["review", "1", "--state", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "Anna's own crib" in said
    assert "Ann's" not in said


def test_a_game_that_began_later_is_another_persons(tmp_path: Path) -> None:
    with served(journal_of(tmp_path, greedy_game(1, ("Ann", "Bob"), 31))) as (_, url):
        body = {"rename": "Ann", "to": "Anna"}
        assert httpx.post(f"{url}api/names", json=body).status_code == 200
        game = {"players": 2, "entry": "cards", "names": ["Ann", "Bob"], "options": {"target": "31"}}
        assert httpx.post(f"{url}api/game", json=game).status_code == 200
        for key in "P1 P1 FLNB P2 P2 P2 FLNB P2 OK".split():
            assert httpx.post(f"{url}api/press", json={"key": key}).status_code == 200
        played = {row["name"]: row["games"] for row in httpx.get(f"{url}api/stats").json()["players"]}
        assert played == {"Ann": 1, "Anna": 1, "Bob": 2}


def test_nobody_is_renamed_who_is_not_here(tmp_path: Path) -> None:
    games = journal_of(tmp_path, greedy_game(1, ("Ann", "Bob"), 31), greedy_game(2, ("Cleo", "Dan"), 31))
    with served(games) as (_, url):

        def renamed(old: str, new: str, id: str = "") -> httpx.Response:  # noqa: A002  the contract's own word
            return httpx.post(f"{url}api/names", json={"rename": old, "to": new, "id": id or f"{old} {new}"})

        no = renamed("Anne", "Anna")
        assert (no.status_code, no.json()["error"].split(":")[0]) == (409, "nobody here is called 'Anne'")
        assert renamed("Ann", "Anna").status_code == 200, "of an earlier game"
        assert renamed("Ann", "Eve", "another").status_code == 409, "she is called Anna by now"
        assert renamed("Ann", "Anna").status_code == 200, "it is asked for again, and was done"
        assert renamed("Anna", "Eve").status_code == 200
        assert renamed("Dan", "Fred").status_code == 200, "of the game on the table"
        assert renamed("You", "Gus").status_code == 200, "whoever plays alone, from the first game on"
        assert renamed("computer (Medium)", "Hal").status_code == 409
        names = {row["name"] for row in httpx.get(f"{url}api/stats").json()["players"]}
        assert names == {"Eve", "Bob", "Cleo", "Fred"}
