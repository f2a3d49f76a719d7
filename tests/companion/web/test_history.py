"""Past games and statistics over HTTP: what is asked for is there, and what nobody may see yet is not."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from companion.web.real_table import real_table
from support.clients import client_of
from support.games import referee_game
from support.greedy_games import greedy_game
from support.paths import DOCS
from support.patience import PATIENCE, until
from support.tables import opened

from cribpi.companion.web.history import GameHistory, most_played
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import Entry, Event, GameStarted, PackShuffled
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.record import Comment, parse

LONG = "<img src=x onerror=alert(1)> & forty / %"
assert len(LONG) == 40


def game(seed: int, names: tuple[str, str], target: int = 61) -> list[Event]:
    start, *rest = (one.event for one in referee_game(Random(seed), 2, target, suited=True))
    assert isinstance(start, GameStarted)
    return [replace(start, names=names), *rest]


GAMES = [game(1, ("Ann", "Bob")), game(2, (LONG, "Bob")), game(3, ("Ann", "Bob"))]
HIDDEN: list[Event] = [
    GameStarted(("Ann", "Cleo"), GAMES[0][0].rules, Entry.DEALT, 0),  # type: ignore[union-attr]
    PackShuffled(tuple(Random(5).sample(PACK, 52))),
]


def played(folder: Path, *games: list[Event]) -> None:
    with opened(folder) as (journal, _):
        events = [event for each in games for event in each]
        if events:
            journal.commit("2031-01-01T00:00:00.000+00:00", len(events), "{}", events)


@contextmanager
def asked(folder: Path, *games: list[Event]) -> Iterator[httpx.Client]:
    played(folder, *games)
    with (
        real_table(folder) as table,
        client_of(table.url) as client,
    ):
        yield client


def given(client: httpx.Client, path: str) -> Any:  # noqa: ANN401  it is JSON
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: httpx.Client, path: str) -> tuple[int, str]:
    answer = client.get(path)
    return answer.status_code, answer.json()["error"]


def test_the_list_is_newest_first_in_pages_and_by_name(tmp_path: Path) -> None:
    with asked(tmp_path, *GAMES) as client:
        everything = given(client, "/api/games")
        assert [row["game"] for row in everything["games"]] == [3, 2, 1]
        assert (everything["next"], everything["all"], everything["pending"]) == (None, 3, 0)
        first = given(client, "/api/games?limit=2")
        assert first["next"] == 2
        assert [row["game"] for row in given(client, f"/api/games?before={first['next']}")["games"]] == [1]
        only = given(client, "/api/games?" + str(httpx.QueryParams({"name": "Ann", "limit": "1"})))
        assert ([row["game"] for row in only["games"]], only["next"]) == ([3], 3)
        assert given(client, "/api/games?name=nobody")["games"] == []
        for row in everything["games"]:
            end = given(client, f"/api/games/{row['game']}")
            assert [side["score"] for side in row["sides"]] == [side["score"] for side in end["sides"]]
            assert row["skunk"] == (min(side["score"] for side in end["sides"]) < 31)


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=-1", "before=x", "before=", "limit=9e9"])
def test_a_bad_number_in_the_query_is_refused_with_a_sentence(tmp_path: Path, query: str) -> None:
    with asked(tmp_path) as client:
        status, sentence = refused(client, f"/api/games?{query}")
        assert status == 422
        assert "is a number from 1 to" in sentence


def test_a_game_is_told_line_by_line_and_each_step_is_as_the_rules_have_it(tmp_path: Path) -> None:
    with asked(tmp_path, *GAMES) as client:
        found = given(client, "/api/games/2")
        assert [line["step"] for line in found["lines"]] == list(range(1, len(GAMES[1]) + 1))
        assert found["seats"][0]["name"] == LONG
        totals = [
            sum(row[what] for what in row if what not in {"lead", "text"}) for row in found["result"]["sides"]
        ]
        assert totals == [side["score"] for side in found["sides"]]
        state, pegged = NEW_TABLE, [0, 0]
        for event, line in zip(GAMES[1], found["lines"], strict=True):
            state = step(state, event)
            for one in line["pegged"]:
                pegged[one["side"]] += one["points"]
            at = given(client, f"/api/games/2/{line['step']}")
            assert [side["front"] for side in at["state"]["sides"]] == list(state.scores())
            assert [min(points, 61) for points in pegged] == list(state.scores())
            assert (at["text"], at["steps"]) == (line["text"], len(GAMES[1]))
            assert len(at["lit"]) >= len({pegs.front for pegs in state.pegs} - {0})
        assert refused(client, "/api/games/2/0")[0] == 404
        assert refused(client, f"/api/games/2/{len(GAMES[1]) + 1}")[0] == 404


def test_a_record_is_the_game_event_by_event(tmp_path: Path) -> None:
    with asked(tmp_path, *GAMES) as client:
        answer = client.get("/api/games/1.crib")
        assert answer.headers["content-disposition"] == 'attachment; filename="game-1.crib"'
        assert [one for one in parse(answer.text) if not isinstance(one, Comment)] == GAMES[0]


def test_nobody_sees_a_card_of_a_game_that_is_not_over(tmp_path: Path) -> None:
    with asked(tmp_path, *GAMES, HIDDEN) as client:
        rows = given(client, "/api/games")["games"]
        assert (rows[0]["game"], rows[0]["winner"]) == (4, None)
        for path in ("/api/games/4", "/api/games/4.crib", "/api/games/4.svg", "/api/games/4/2"):
            status, sentence = refused(client, path)
            assert status == 409
            assert "is not over" in sentence
        assert given(client, "/api/games/3")["winner"] is not None


PAST = ("", ".crib", ".svg", "/2", "/review")
"""What shows the cards of a past game, after its number."""


def test_nobody_sees_a_card_of_a_game_that_was_left(tmp_path: Path) -> None:
    """UNDO leads back to it, and to cards that somebody would know by then."""
    left = greedy_game(5, ("Ann", "Cleo"))[:40]
    with asked(tmp_path, left, GAMES[0], HIDDEN) as client:
        for path in PAST:
            assert refused(client, f"/api/games/1{path}") == (
                409,
                "game 1 is not over: its cards stay hidden until it is",
            )
            if path != "/review":
                assert client.get(f"/api/games/2{path}").status_code == 200


def test_a_game_with_real_cards_that_was_left_is_shown_as_all_have_seen_it(tmp_path: Path) -> None:
    with asked(tmp_path, GAMES[0][:-5], GAMES[1]) as client:
        assert given(client, "/api/games/1")["winner"] is None
        assert given(client, "/api/games/1/2")["steps"] == len(GAMES[0]) - 5


def test_a_game_that_undo_reopens_hides_its_cards_again(tmp_path: Path) -> None:
    won = greedy_game(5, ("Ann", "Cleo"), 31)
    with asked(tmp_path, won) as client:
        for path in PAST:
            assert client.get(f"/api/games/1{path}").status_code == 200
        assert client.post("/api/press", json={"key": "UNDO"}).json()["winner"] is None
        for path in PAST:
            assert refused(client, f"/api/games/1{path}")[0] == 409


def test_statistics_of_all_and_of_one(tmp_path: Path) -> None:
    with asked(tmp_path, *GAMES) as client:
        found = given(client, "/api/stats")
        assert [(row["name"], row["games"]) for row in found["players"]] == [
            ("Bob", 3),
            ("Ann", 2),
            (LONG, 1),
        ]
        for row in found["players"]:
            one = given(client, "/api/stats/" + "".join(f"%{byte:02x}" for byte in row["name"].encode()))
            assert (one["name"], one["games"], one["wins"]) == (row["name"], row["games"], row["wins"])


@pytest.mark.parametrize("name", ["ann", "nobody", "%3Cb%3E", "a%2Fb", "x" * 3000])
def test_a_name_that_nobody_has_is_not_found(tmp_path: Path, name: str) -> None:
    with asked(tmp_path, GAMES[0]) as client:
        status, sentence = refused(client, f"/api/stats/{name}")
        assert status == 404
        assert sentence.startswith("no finished game of '")
        assert len(sentence) < 200


@pytest.mark.parametrize("number", ["4", "0", "99999999999999999999999"])
def test_a_game_that_is_not_there_is_not_found(tmp_path: Path, number: str) -> None:
    with asked(tmp_path, *GAMES) as client:
        for path in (f"/api/games/{number}{past}" for past in ("", ".crib", ".svg", "/1")):
            assert refused(client, path) == (404, f"no game {number}: the games are 1 to 3")


def test_a_journal_without_games_has_empty_lists(tmp_path: Path) -> None:
    with asked(tmp_path) as client:
        assert given(client, "/api/games")["games"] == []
        assert given(client, "/api/stats")["players"] == []
        assert refused(client, "/api/games/1") == (404, "no game 1: there are no games yet")


def test_of_many_games_without_a_summary_all_are_counted_from_the_start(tmp_path: Path) -> None:
    short = [game(seed, ("Ann", "Bob"), 31) for seed in range(40)]
    with asked(tmp_path, *short) as client:
        found = given(client, "/api/stats")
        assert (found["pending"], found["players"][0]["games"]) == (0, 40)
        assert given(client, "/api/games")["pending"] == 0


def test_however_many_ask_for_practice_nobody_waits_for_the_list_of_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, done = threading.Event(), threading.Event()

    def slow(_history: GameHistory, what: str) -> dict[str, object]:
        begun.set()
        done.wait(PATIENCE)
        return {"what": what}

    monkeypatch.setattr(GameHistory, "practice", slow)
    found: list[object] = []
    with asked(tmp_path, GAMES[0]) as client:
        askers = [
            threading.Thread(target=lambda: found.append(given(client, "/api/practice/pegging")))
            for _ in range(20)
        ]
        for asker in askers:
            asker.start()
        try:
            assert begun.wait(PATIENCE)
            assert given(client, "/api/games")["all"] == 1
            assert found == []
        finally:
            done.set()
            for asker in askers:
                asker.join()
    assert found == [{"what": "pegging"}] * 20


def test_the_examples_of_the_reference_have_the_fields_that_are_given(tmp_path: Path) -> None:
    page = (DOCS / "reference" / "http.md").read_text(encoding="utf-8")
    part = page[page.index("### Games and statistics") : page.index("## Press keys")]
    shown = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", part, re.DOTALL)]
    with asked(tmp_path, *GAMES) as client:
        paths = ("/api/games", "/api/games/1", "/api/games/1/9", "/api/stats", "/api/stats/Ann")
        for example, path in zip(shown, paths, strict=True):
            assert_alike(example, given(client, path))


def assert_alike(example: Any, found: Any) -> None:  # noqa: ANN401  it is JSON
    """Compare the fields, and those of what is in them, where the example has any."""
    if isinstance(example, dict) and example:
        assert set(example) == set(found)
        for field, value in example.items():
            assert_alike(value, found[field])
    elif isinstance(example, list) and example and isinstance(found, list) and found:
        assert_alike(example[0], found[0])


def test_those_who_have_played_most_are_found_without_a_byte_written(tmp_path: Path) -> None:
    played(tmp_path, *GAMES)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    players = most_played(tmp_path)
    assert [(one.name, one.games) for one in players] == [("Bob", 3), ("Ann", 2), (LONG, 1)]
    assert all(one.best and not one.results and not one.against for one in players)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_mistakes_of_the_last_games_are_there_when_all_are_reviewed(tmp_path: Path) -> None:
    games = [greedy_game(seed, ("Ann", "BLUE"), 31) for seed in (1, 2)]
    with asked(tmp_path, *games) as client:
        told = given(client, "/api/practice/pegging/mistakes?name=Ann")
        assert told["pending"] >= 2
        assert told["mistakes"] == []
        while told["pending"]:
            threading.Event().wait(0.1)
            told = given(client, "/api/practice/pegging/mistakes?name=Ann")
        reviews = [given(client, f"/api/games/{number}/review")["decisions"] for number in (1, 2)]
        bad = [
            {"game": number} | one
            for number, review in ((2, reviews[1]), (1, reviews[0]))
            for one in review
            if one["seat"] == 0 and one["which"] == "play" and one["mark"] not in {"best", "good"}
        ]
        assert bad
        assert told["mistakes"] == sorted(bad, key=lambda one: -one["lost"])
        discards = given(client, "/api/practice/discards/mistakes?name=Ann")["mistakes"]
        assert {one["which"] for one in discards} == {"discard"}


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("pegging/mistakes?name=Cleo", "no finished game of 'Cleo'"),
        ("pegging/mistakes", "no finished game of ''"),
        ("counting/mistakes?name=Ann", "only discards and pegging have mistakes"),
    ],
)
def test_mistakes_that_nobody_made_are_not_there(tmp_path: Path, path: str, sentence: str) -> None:
    with asked(tmp_path, *GAMES[:1]) as client:
        assert refused(client, f"/api/practice/{path}") == (404, sentence)
    with asked(tmp_path / "empty") as client:
        assert refused(client, f"/api/practice/{path}")[0] == 404


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("games?finshed=true", "'finshed' is no parameter here: give name, limit, before, finished"),
        ("games?finished=yes", "finished is true or false"),
        ("practice/pegging/mistakes?nmae=Ann", "'nmae' is no parameter here: give name"),
        ("stats?name=Ann", "'name' is no parameter here: give none"),
        ("games/1?step=2", "'step' is no parameter here: give none"),
        ("state?if_seq=2", "'if_seq' is no parameter here: give none"),
        ("events?name=Ann", "'name' is no parameter here: give changes"),
        ("strip?led=2", "'led' is no parameter here: give none"),
    ],
)
def test_a_parameter_that_nobody_knows_is_refused(tmp_path: Path, path: str, sentence: str) -> None:
    with asked(tmp_path, *GAMES[:1]) as client:
        assert refused(client, f"/api/{path}") == (422, sentence)


def test_a_camera_has_a_picture_of_the_screen_with_any_parameter(tmp_path: Path) -> None:
    with asked(tmp_path) as client:
        assert client.get("/api/oled.png?time=1").status_code == 200


def test_a_list_says_what_a_review_has_found_and_has_none_made(tmp_path: Path) -> None:
    won = greedy_game(1, ("Ann", "BLUE"), 31, ("", "medium"))
    with asked(tmp_path, won, GAMES[0], HIDDEN) as client:
        last = given(client, "/api/games?finished=true&limit=1")
        assert ([row["game"] for row in last["games"]], last["next"]) == ([2], 2)
        assert last["games"][0]["levels"] == [None, None]
        first = given(client, "/api/games?before=2")["games"][0]
        assert (first["levels"], first["reviewed"]) == ([None, "Medium"], None)
        assert given(client, "/api/games/1")["levels"] == [None, "Medium"]
        assert given(client, "/api/stats/Ann")["accuracies"] == []
        assert not (tmp_path / "reviews").exists()
        until(lambda: not given(client, "/api/games/1/review")["pending"])
        players = given(client, "/api/games/1/review")["players"]
        rows = given(client, "/api/games")["games"]
        assert [row["reviewed"] for row in rows[:2]] == [None, None]
        assert rows[2]["reviewed"] == [
            {"accuracy": one["accuracy"], "mistakes": one["marks"]["mistake"] + one["marks"]["blunder"]}
            for one in players
        ]
        for name, one in zip(("Ann", "computer (Medium)"), players, strict=True):
            accuracies = given(client, f"/api/stats/{name}")["accuracies"]
            assert accuracies == [{"game": 1, "accuracy": one["accuracy"]}]


def test_a_person_who_is_called_as_a_level_is_a_person(tmp_path: Path) -> None:
    with asked(tmp_path, greedy_game(1, ("Medium", "Medium 2"), 31, ("", "medium"))) as client:
        assert given(client, "/api/games")["games"][0]["levels"] == [None, "Medium 2"]
        rows = given(client, "/api/stats")["players"]
        assert [row["called"] for row in rows] == ["Medium", "Medium 2"]
