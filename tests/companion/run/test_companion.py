"""The companion put together on the twin: threads, queue, table, supervised devices, and the HTTP API."""

from __future__ import annotations

import io
import json
import threading
import urllib.request
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from support.companions import page_of, press, running, served, twin_of
from support.patience import PATIENCE, joined, until
from support.presses import view_at
from support.server import ask

from cribpi.companion.doctor.house import check_engines
from cribpi.companion.doctor.machine import MachineFiles
from cribpi.companion.engines.sandbox import UNCONFINED, trouble
from cribpi.companion.views.screen.screen import draw
from cribpi.cribbage.rules.rulebook import rulebook


def test_a_press_at_the_door_is_answered_with_the_state_and_seen_on_the_glass(tmp_path: Path) -> None:
    with served(tmp_path) as (parts, url):
        before = urllib.request.urlopen(f"{url}api/oled.png", timeout=PATIENCE).read()  # noqa: S310
        status, state = ask(f"{url}api/press", {"key": "OK"})
        assert (status, state["phase"], state["seq"]) == (200, "new-game", 1)
        assert ask(f"{url}api/state") == (200, state)
        after = urllib.request.urlopen(f"{url}api/oled.png", timeout=PATIENCE).read()  # noqa: S310
        assert after != before
        with Image.open(io.BytesIO(after)) as glass:
            assert (glass.size, glass.mode) == ((128, 64), "1")
            assert glass.tobytes() == twin_of(parts).panel.picture().tobytes()


def test_with_a_seed_the_same_cards_are_cut_and_dealt_each_time_and_without_one_others(
    tmp_path: Path,
) -> None:
    def dealt(folder: str, seed: int | None) -> str:
        levels = ("person", "thrifty")
        with running(tmp_path / folder, seed=seed, entry="dealt", levels=levels, automatic=()) as parts:
            for _ in range(4):  # a new game, two cut, and the cards are dealt
                press(parts, "OK")
            return repr(parts.loop.ask(lambda table: table.now.state).result(PATIENCE))

    assert dealt("one", 7) == dealt("two", 7)
    assert len({dealt(f"any {number}", None) for number in range(3)}) > 1


def test_the_same_id_presses_once_also_after_a_restart(tmp_path: Path) -> None:
    with served(tmp_path) as (_, url):
        first = ask(f"{url}api/press", {"key": "OK", "id": "one"})
        assert ask(f"{url}api/press", {"key": "OK", "id": "one"}) == first
        refused = ask(f"{url}api/press", {"key": "K", "id": "two"})
        assert refused[0] == 409
        assert ask(f"{url}api/state")[1]["seq"] == 1
    with served(tmp_path) as (_, url):
        assert ask(f"{url}api/press", {"key": "OK", "id": "one"}) == first
        ask(f"{url}api/press", {"key": "OK"})
        assert ask(f"{url}api/press", {"key": "K", "id": "two"}) == refused
        assert ask(f"{url}api/state")[1]["seq"] == 2


def test_a_press_that_was_meant_for_another_state_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    with served(tmp_path) as (parts, url):
        assert ask(f"{url}api/press", {"key": "OK", "if_seq": 0})[1]["seq"] == 1
        before, shown = ask(f"{url}api/state"), parts.loop.table.now
        for seq in (0, 2, -1):
            status, body = ask(f"{url}api/press", {"key": "OK", "if_seq": seq})
            assert (status, list(body)) == (409, ["error", "by", "state"])
            assert "somebody else pressed first" in body["error"].lower()
            assert body["by"] == "person"
            assert body["state"] == before[1], "what is there in its place"
        assert ask(f"{url}api/state") == before
        assert parts.loop.table.now is shown, "nor does the screen say anything of it"
        assert ask(f"{url}api/press", {"key": "OK", "if_seq": None})[1]["seq"] == 2, "as if it were left out"


def test_presses_in_a_row_each_carry_the_seq_that_the_one_before_answered(tmp_path: Path) -> None:
    with served(tmp_path) as (_, url):
        state = ask(f"{url}api/state")[1]
        for key in "OK OK P2 8 7 7".split():
            status, state = ask(f"{url}api/press", {"key": key, "if_seq": state["seq"]})
            assert status == 200
        assert state["last"]["call"] == "fourteen for two"


def test_a_request_that_is_repeated_is_known_by_its_id_before_its_seq_is_looked_at(tmp_path: Path) -> None:
    pressed = {"key": "OK", "id": "one", "if_seq": 0}
    overtaken = {"key": "OK", "id": "two", "if_seq": 0}
    with served(tmp_path) as (_, url):
        first = ask(f"{url}api/press", pressed)
        refused = ask(f"{url}api/press", overtaken)
        assert (first[0], refused[0]) == (200, 409)
        assert ask(f"{url}api/press", pressed) == first
        ask(f"{url}api/press", {"key": "UNDO"})
    with served(tmp_path) as (_, url):
        assert ask(f"{url}api/press", pressed) == first, "and after a restart"
        assert ask(f"{url}api/press", overtaken) == refused
        assert ask(f"{url}api/state")[1]["seq"] == 2


def test_a_game_is_started_once_from_the_state_that_it_is_meant_for(tmp_path: Path) -> None:
    deal = {"players": 2, "entry": "cards", "if_seq": 0}
    with served(tmp_path) as (_, url):
        assert [ask(f"{url}api/game", deal)[0] for _ in range(2)] == [200, 409]
        assert ask(f"{url}api/games")[1]["all"] == 1


def test_of_many_who_press_at_the_same_moment_one_is_heard(tmp_path: Path) -> None:
    with served(tmp_path) as (_, url):
        for key in "OK OK P2 8".split():
            ask(f"{url}api/press", {"key": key})
        seq = ask(f"{url}api/state")[1]["seq"]
        start = threading.Barrier(8)

        def page(_: int) -> int:
            start.wait(PATIENCE)
            return ask(f"{url}api/press", {"key": "7", "if_seq": seq})[0]

        with ThreadPoolExecutor(8) as pages:
            assert sorted(pages.map(page, range(8))) == [200, *[409] * 7]
        state = ask(f"{url}api/state")[1]
        assert (state["pile"], state["seq"]) == (["7"], seq + 1)


def test_a_peg_can_be_meant_for_one_state_as_a_press_can(tmp_path: Path) -> None:
    with served(tmp_path, entry="peg") as (_, url):
        for key in "OK OK P1 OK OK".split():
            ask(f"{url}api/press", {"key": key})
        two = {"side": 0, "points": 2, "if_seq": ask(f"{url}api/state")[1]["seq"]}
        assert [ask(f"{url}api/peg", two)[0] for _ in range(2)] == [200, 409]
        assert ask(f"{url}api/state")[1]["sides"][0]["front"] == 2


def test_a_refusal_is_409_with_a_sentence_and_nothing_changed(tmp_path: Path) -> None:
    with served(tmp_path) as (_, url):
        before = ask(f"{url}api/state")
        status, body = ask(f"{url}api/press", {"key": "GO"})
        assert (status, list(body)) == (409, ["error", "why", "told"])
        assert ask(f"{url}api/state") == before


@pytest.mark.parametrize(
    "body", [{"key": "XX"}, {"key": 7}, {}, [], "7", {"key": "11"}, {"key": "hold:GO"}, None]
)
def test_what_is_no_key_is_422(body: object, tmp_path: Path) -> None:
    with served(tmp_path) as (_, url):
        status, answer = ask(f"{url}api/press", "" if body is None else body)
        assert status == 422
        assert isinstance(answer["error"], str)


def test_an_open_question_is_an_answer_and_no_refusal(tmp_path: Path) -> None:
    with served(tmp_path) as (_, url):
        for key in ["OK", "OK", "P2", "8", "J", "Q", "K"]:
            ask(f"{url}api/press", {"key": key})
        status, state = ask(f"{url}api/press", {"key": "9"})
        assert status == 200
        assert "39" in state["question"]
        assert ask(f"{url}api/press", {"key": "OK"})[1]["count"] == 9


def test_a_scored_event_is_pegged_by_its_name(tmp_path: Path) -> None:
    with served(tmp_path, entry="peg") as (_, url):
        for key in ["OK", "OK", "P1", "OK", "OK"]:
            ask(f"{url}api/press", {"key": key})
        for body, points in (
            ({"side": 0, "kind": "pair-royal"}, 6),
            ({"side": 1, "kind": "run", "cards": ["4", "2", "3"]}, 3),
            ({"side": 1, "points": 2}, 2),
        ):
            status, state = ask(f"{url}api/peg", body)
            assert (status, state["last"]["points"]) == (200, points)
        assert [side["front"] for side in ask(f"{url}api/state")[1]["sides"]] == [6, 5]
        for body in (
            {"side": 0, "kind": "run", "cards": ["4", "2"]},
            {"side": 0, "kind": "flush"},
            {"side": 0, "points": 16},
        ):
            assert ask(f"{url}api/peg", body)[0] == 409


def test_the_rules_of_the_next_game_are_set_up_at_the_page(tmp_path: Path) -> None:
    asked = {
        "rules": "lowe",
        "players": 3,
        "entry": "peg",
        "options": {"heels": "none", "target": "61", "match": "first-to-3"},
    }
    with served(tmp_path) as (_, url):
        assert ask(f"{url}api/rules")[1]["playing"] is None
        first = ask(f"{url}api/rules", asked | {"id": "one"})
        assert (first[0], first[1]["phase"]) == (200, "new-game")
        assert ask(f"{url}api/rules", asked | {"id": "one"}) == first
        setup = ask(f"{url}api/rules")[1]["setup"]
        assert (setup["rules"], setup["players"], setup["target"], setup["entry"]) == ("lowe", 3, 61, "peg")
        assert setup["options"] == {"target": "61", "heels": "none", "match": "first-to-3"}
        assert len(setup["effective"]) == len(rulebook().options)
        state = ask(f"{url}api/press", {"key": "OK"})[1]
        assert (state["rules"], state["target"], state["entry"]) == ("lowe", 61, "peg")
        assert state["house"] == setup["options"]
        assert state["match"] == {
            "kind": "first-to-3",
            "winners": [],
            "text": "The match so far, first to 3",
        }
        assert len(state["seats"]) == 3
        playing = ask(f"{url}api/rules")[1]["playing"]
        assert playing == {
            name: value
            for name, value in setup.items()
            if name not in {"levels", "speed", "automatic", "you"}
        } | {"over": False, "levels": ["", "", ""]}


def test_rules_can_be_set_up_while_the_table_stays_as_it_is(tmp_path: Path) -> None:
    with served(tmp_path) as (_, url):
        before = ask(f"{url}api/page")[1]["table"]
        assert ask(f"{url}api/rules", {"options": {"stake": "1-2-4"}, "menu": False})[0] == 200
        assert ask(f"{url}api/page")[1]["table"] == before
        assert ask(f"{url}api/rules")[1]["setup"]["options"] == {"stake": "1-2-4"}
        assert ask(f"{url}api/rules", {"menu": False})[0] == 422
        assert ask(f"{url}api/rules", {"players": 2, "menu": "no"})[0] == 422


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"rules": "loew"}, "choose one of standard"),
        ({"rules": "acc", "players": 3}, "choose 2 players"),
        ({"players": 5}, "choose 2, 3"),
        ({"options": {"heel": "none"}}, "not an option of the rules"),
        ({"options": {"heels": "4"}}, "choose 1, 2, 3, none"),
        ({"options": {"target": "500"}}, "31 to 121"),
        ({"options": {"skunk": "off"}}, "double_skunk=off"),
    ],
)
def test_rules_that_make_no_sense_are_refused_and_nothing_is_changed(
    request_: dict[str, object], words: str, tmp_path: Path
) -> None:
    with served(tmp_path) as (_, url):
        before = ask(f"{url}api/state"), ask(f"{url}api/rules")
        status, body = ask(f"{url}api/rules", request_)
        assert status == 409
        assert words in body["error"]
        assert (ask(f"{url}api/state"), ask(f"{url}api/rules")) == before


def test_rules_set_up_in_a_game_are_for_the_next_and_undo_goes_back_to_it(tmp_path: Path) -> None:
    with served(tmp_path) as (_, url):
        for key in ["OK", "OK", "P2", "8"]:
            ask(f"{url}api/press", {"key": key})
        before = ask(f"{url}api/state")[1]
        assert ask(f"{url}api/rules", {"rules": "acc"})[1]["phase"] == "new-game"
        rules = ask(f"{url}api/rules")[1]
        assert (rules["setup"]["rules"], rules["playing"]["rules"]) == ("acc", "standard")
        back = ask(f"{url}api/press", {"key": "UNDO"})[1]
        assert back | {"seq": 0} == before | {"seq": 0}
        assert ask(f"{url}api/rules")[1]["setup"]["rules"] == "acc"


def test_the_page_is_told_the_number_where_the_rank_keys_type_one(tmp_path: Path) -> None:
    with served(tmp_path) as (parts, url):

        def typed(keys: str) -> object:
            for key in keys.split():
                assert ask(f"{url}api/press", {"key": key})[0] == 200
            number: Any = parts.companion.page()["number"]
            return number["value"] if number else "ranks"

        assert ask(f"{url}api/rules", {"rules": "acc"})[0] == 200
        assert typed("OK P2 9") == "ranks"
        assert typed("7 8 9 7 K") == "ranks"
        for _ in range(30):
            state = ask(f"{url}api/state")[1]
            if state["phase"] == "show":
                break
            key = "OK" if state["question"] else str(parts.companion.page()["keys"][0])
            ask(f"{url}api/press", {"key": key})
        assert typed("") is None
        assert typed("5 6") == 11
        assert typed("MENU") == "ranks"
        assert typed("UNDO") == 11
        assert typed("UNDO") == 5
        assert typed("OK") is None
        assert typed("GO") == "ranks"  # the crib's cards are to come, and these are ranks
        assert typed("Q Q J") == "ranks"
        assert typed("J") is None


def test_names_are_given_at_the_page(tmp_path: Path) -> None:
    with served(tmp_path) as (_, url):
        assert ask(f"{url}api/names", {"names": ["ANN", "BOB"]})[0] == 200
        ask(f"{url}api/press", {"key": "OK"})
        state = ask(f"{url}api/press", {"key": "OK"})[1]
        assert [seat["name"] for seat in state["seats"]] == ["ANN", "BOB"]
        state = ask(f"{url}api/names", {"names": ["CAT", ""]})[1]
        assert [seat["name"] for seat in state["seats"]] == ["CAT", "BLUE"]


@pytest.mark.parametrize(
    ("names", "seats"),
    [
        (["BLUE", ""], ["BLUE", "WHITE"]),
        (["", "ORANGE"], ["WHITE", "ORANGE"]),
        (["blue", ""], ["blue", "WHITE"]),
        (["", ""], ["ORANGE", "BLUE"]),
        (["ANN", "BLUE", ""], ["ANN", "BLUE", "WHITE"]),
        (["WHITE", "GREEN", ""], ["WHITE", "GREEN", "GOLD"]),
        (["BLUE", "", "", "ORANGE"], ["BLUE", "WHITE", "ORANGE 2", "ORANGE"]),
    ],
)
def test_a_name_that_is_left_empty_is_a_colour_that_is_free(
    names: list[str], seats: list[str], tmp_path: Path
) -> None:
    with served(tmp_path, players=len(names)) as (_, url):
        assert ask(f"{url}api/names", {"names": names})[0] == 200
        ask(f"{url}api/press", {"key": "OK"})
        state = ask(f"{url}api/press", {"key": "OK"})[1]
        assert [seat["name"] for seat in state["seats"]] == seats
        assert ask(f"{url}api/names", {"names": names})[0] == 200
        assert [seat["name"] for seat in ask(f"{url}api/state")[1]["seats"]] == seats
        setup = ask(f"{url}api/rules", {"names": names})
        assert (setup[0], ask(f"{url}api/rules")[1]["setup"]["names"]) == (200, seats)


def test_the_lights_walk_to_the_score(tmp_path: Path) -> None:
    with served(tmp_path) as (parts, url):
        for key in ["OK", "OK", "P1", "J"]:
            ask(f"{url}api/press", {"key": key})
        kit = parts.companion.kit
        led = kit.led(0, 2)
        assert led is not None
        until(lambda: ask(f"{url}api/strip")[1][led] == [255, 24, 0])
        strip = ask(f"{url}api/strip")[1]
        assert len(strip) == kit.strip.leds


def test_keys_pressed_on_the_pins_by_eight_hands_are_all_heard(tmp_path: Path) -> None:
    with running(tmp_path) as parts:
        twin = twin_of(parts)
        for key in ["OK", "OK", "P1", "8"]:
            press(parts, key)
        until(lambda: parts.loop.table.now.state.phase == "play")
        before = parts.loop.table.now.seq
        lock = threading.Lock()

        def hand() -> None:
            with lock:  # fingers of one table take turns at a key, but come from any thread
                heard = parts.loop.table.now.seq
                twin.press("MENU", 0.2)  # long enough for a machine with much else to do to see it down
                until(lambda: parts.loop.table.now.seq == heard + 1)

        hands = [threading.Thread(target=hand) for _ in range(8)]
        for one in hands:
            one.start()
        for one in hands:
            joined(one)
        assert parts.loop.table.now.seq == before + 8


def test_a_glass_that_fails_is_said_elsewhere_and_heals(tmp_path: Path) -> None:
    with served(tmp_path) as (parts, url):
        ask(f"{url}api/press", {"key": "OK"})
        twin_of(parts).bus.plugged = False
        assert ask(f"{url}api/press", {"key": "2"})[0] == 200  # the table goes on
        until(lambda: any("oled" in sentence for sentence in ask(f"{url}api/page")[1]["trouble"]))
        twin_of(parts).bus.plugged = True
        until(lambda: ask(f"{url}api/page")[1]["trouble"] == [])
        picture = ask(f"{url}api/press", {"key": "A"})
        assert picture[0] == 200


def test_a_strip_that_fails_is_said_on_the_glass_and_heals(tmp_path: Path) -> None:
    with running(tmp_path) as parts:
        press(parts, "OK")
        twin_of(parts).wire.plugged = False
        for key in ("OK", "P1", "J"):
            press(parts, key)
        until(lambda: "strip" in parts.loop.troubles)
        twin_of(parts).wire.plugged = True
        until(lambda: parts.loop.troubles == {})


def test_a_companion_comes_back_to_the_very_prompt(tmp_path: Path) -> None:
    left: dict[str, object] = {}
    with running(tmp_path) as parts:
        for key in "OK OK P2 8 J Q K 9".split():
            left = press(parts, key)
        assert left["question"]
        glass = parts.companion.glass()
    with running(tmp_path) as parts:
        assert parts.companion.state() == left
        until(lambda: parts.companion.glass() == glass)


def test_a_question_that_fails_is_told_to_its_asker_and_the_loop_goes_on(tmp_path: Path) -> None:
    def fail(_table: object) -> Any:  # noqa: ANN401  it never returns
        raise ZeroDivisionError

    with running(tmp_path) as parts:
        with pytest.raises(ZeroDivisionError):
            parts.loop.ask(fail).result(PATIENCE)
        assert press(parts, "OK")["phase"] == "new-game"


def test_hold_menu_on_the_twin_touches_no_machine(tmp_path: Path) -> None:
    with running(tmp_path) as parts:
        body = press(parts, "hold:MENU")
        assert "can't shut down" in body["message"]


def test_the_log_tells_what_happened_in_words(tmp_path: Path) -> None:
    with running(tmp_path) as parts:
        for key in ["OK", "OK", "P2", "8", "7", "8"]:
            press(parts, key)
        page = parts.companion.page()
    log = page["log"]
    assert isinstance(log, list)
    assert log[0]["text"] == "BLUE 8: fifteen for two"
    why = log[0]["why"]
    assert [(one["rule"], one["source"]) for one in why] == [("fifteen", "board-set")]
    assert "15 pips" in why[0]["words"]
    assert log[0]["scores"] == [{"kind": "fifteen", "points": 2, "cards": ["7", "8"], "why": why[0]}]
    assert json.dumps(page)


def test_a_seat_of_the_machine_acts_at_a_companion_that_runs_and_its_closed_cards_stay_closed(
    tmp_path: Path,
) -> None:
    with served(tmp_path, entry="dealt", levels=("person", "thrifty"), speed="fast", automatic=()) as (
        parts,
        url,
    ):
        for key in ("OK", "OK", "P2", "OK"):
            assert ask(f"{url}api/press", {"key": key})[0] == 200
        table = parts.loop.table
        until(lambda: any(table.now.state.deal.discards) if table.now.state.deal else False)
        deal = table.now.state.deal
        assert deal is not None
        status, page = ask(f"{url}api/page")
        assert (status, page["hand"]["seat"], page["thinking"]) == (200, 0, None)
        told = json.dumps([page, ask(f"{url}api/state")[1]])
        assert not [card for card in deal.dealt[1] if f'"{card}"' in told]
        before = [str(card) for card in deal.dealt[0]]
    with served(tmp_path) as (_, url):
        assert sorted(ask(f"{url}api/page")[1]["hand"]["cards"]) == sorted(before), "and after a restart"


def test_a_state_folder_that_forgets_is_said_on_the_page_and_on_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("1 0 0:40 / / rw - tmpfs tmpfs rw\n")
    monkeypatch.setattr("cribpi.companion.files.mounts.MOUNTS", str(mounts))
    said = "switching off loses every game: state folder on tmpfs; run cribpi doctor"
    with served(tmp_path / "state") as (parts, url):
        until(lambda: ask(f"{url}api/page")[1]["trouble"] == [said])
        now = parts.loop.table.now
        whole = draw(view_at(now.state, now.saved), None, trouble=(said,)).tobytes()
        until(lambda: parts.companion._glass().tobytes() == whole)


def is_told(troubles: Mapping[str, str], said: Sequence[str]) -> bool:
    return [*troubles.values()] == said


def test_that_engines_are_trusted_is_said_on_the_page_and_by_doctor(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """And without that option, or without engines, nothing is."""
    fred, nobody = (("fred", "/opt/fred/engine"),), ()
    for engines, is_trusted, said in (
        (fred, True, [UNCONFINED]),
        (nobody, True, []),
        (fred, False, [*filter(None, [trouble(is_trusted=False)])]),
    ):
        with (
            running(tmp_path / "state", trusts_engines=is_trusted, engines=engines) as parts,
            page_of(parts.companion) as page,
        ):
            until(partial(is_told, parts.loop.troubles, said))
            assert ask(f"{page.url}api/page")[1]["trouble"] == said
            assert (UNCONFINED in caplog.text) == (said == [UNCONFINED])
            verdict = check_engines(page.port, MachineFiles(root=tmp_path))
            assert ("unconfined" in str(verdict)) == (said == [UNCONFINED])
            caplog.clear()
