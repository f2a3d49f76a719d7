"""The settings of the table: kept through restarts and kills, told to every page, and seen on the device."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from support.companions import served
from support.patience import PATIENCE, until
from support.server import ask, companion

from cribpi.companion.entry.effect import TableCommand
from cribpi.companion.entry.input_state import Menu
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.requests import Change, PowerRequest, Press
from cribpi.companion.entry.settings import SETTINGS
from cribpi.companion.journal.journal import Journal
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.config import Config, ScreenConfig
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.table.table import ShutdownResult, Table
from cribpi.companion.views.dimming import BRIGHT, DARK_AFTER, DIM
from cribpi.companion.views.lights.frame import current
from cribpi.companion.web.json.state import AS_JSON


@contextmanager
def opened(path: Path, config: Config | None = None, **more: Any) -> Iterator[Table]:  # noqa: ANN401  what Table takes
    seconds = count()
    clock = lambda: f"2030-01-01T{next(seconds):08}Z"  # noqa: E731
    with closing(Journal(path / "journal")) as journal:
        yield Table(
            journal,
            formatter=AS_JSON,
            clock=clock,
            draw=lambda: 0,
            machine=(config or Config()).machine(),
            **more,
        )


@contextmanager
def bench(**config: Any) -> Iterator[Rehearsal]:  # noqa: ANN401  the fields of Config
    with closing(Rehearsal(load_kit("table"), 7, config=Config(**config))) as found:
        yield found


def change(table: Rehearsal, **values: str) -> None:
    answer = table.loop.ask(lambda each: each.do(Change(values)))
    table._serve()
    assert answer.result(0).is_accepted


def light(table: Rehearsal) -> int:
    return sum(table.board().data)


# --- kept -------------------------------------------------------------------------------------------


def test_they_survive_a_restart_and_config_toml_says_the_rest(tmp_path: Path) -> None:
    with opened(tmp_path, Config(brightness=0.5)) as table:
        assert table.now.saved.context.value("brightness") == "50"
        assert table.do(Change({"still": "on", "auto_go": "on"})).is_accepted
    with opened(tmp_path, Config(brightness=0.3)) as table:
        assert (table.now.saved.context.value("brightness"), table.now.saved.context.value("still")) == (
            "30",
            "on",
        )
        assert table.now.saved.context.value("auto_go") == "on"
        table.do(Change({"brightness": "80"}))
    with opened(tmp_path, Config(brightness=0.3)) as table:
        assert table.now.saved.context.value("brightness") == "80"


def test_what_was_answered_survives_a_kill(tmp_path: Path) -> None:
    with companion(tmp_path) as (process, url):
        assert ask(f"{url}api/settings", {"speed": "slow", "sleep": "never"})[0] == 200
        process.kill()
        process.wait(PATIENCE)
    with companion(tmp_path) as (_, url):
        rows = ask(f"{url}api/settings")[1]["settings"]
    values = {row["name"]: row["value"] for row in rows}
    assert (values["speed"], values["sleep"]) == ("slow", "never")


def test_a_damaged_part_of_the_desk_is_lost_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as table:
        table.do(Change({"still": "on"}))
        seq = table.now.seq
    with closing(Journal(tmp_path / "journal")) as journal:
        found = journal.saved_input()
        assert found is not None
        data = json.loads(found[1]) | {"dialog": {"is": "Nothing"}}
        journal.commit("2030-01-01", seq, json.dumps(data))
    with opened(tmp_path, setup=NextGame(players=3)) as table:
        assert table.now.saved.context.value("still") == "on"
        assert (table.now.context.next_game.players, table.now.input_state.dialog) == (2, None)


def test_a_change_keeps_what_is_half_entered_and_a_refused_one_changes_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as table:
        for key in ("OK", "OK", "2", "K", "5", "MENU"):
            assert table.do(Press(key)).is_accepted
        before = table.now
        assert not table.do(Change({"speed": "fast", "lamp": "on"})).is_accepted
        assert (table.now.input_state, table.now.seq) == (before.input_state, before.seq)
        assert table.do(Change({"speed": "fast"}), id="one").is_accepted
        assert table.do(Change({"speed": "fast"}), id="one").is_accepted
        assert table.now.seq == before.seq + 1, "the same id changes nothing again"
        assert table.now.state is before.state
        assert table.now.input_state.dialog == Menu()


# --- by HTTP ----------------------------------------------------------------------------------------


def test_the_page_is_told_of_each_change(tmp_path: Path) -> None:
    with served(tmp_path) as (_, url):
        rows = ask(f"{url}api/settings")[1]
        assert [row["name"] for row in rows["settings"]] == [
            row.name for row in SETTINGS if row.name != "voice"
        ]
        assert rows["power"] == [], "nothing to switch off here"
        for row in rows["settings"]:
            assert row["value"] in [choice["value"] for choice in row["choices"]]
        assert ask(f"{url}api/page")[1]["settings"]["contrast"] == "100"
        status, state = ask(f"{url}api/settings", {"contrast": "50"})
        assert (status, state["seq"]) == (200, 1)
        page = ask(f"{url}api/page")[1]
        assert (page["seq"], page["settings"]["contrast"]) == (1, "50")


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("settings", {}, 422, "no setting to change"),
        ("settings", {"id": "one"}, 422, "no setting to change"),
        ("settings", {"speed": 2}, 422, "speed = 2: give text"),
        ("settings", {"speed": None}, 422, "no setting to change"),
        ("settings", ["speed"], 422, "not an object"),
        ("settings", {"speed": "warp"}, 409, "is not a value of speed: choose slow, normal, fast"),
        ("settings", {"speed": "\ud800"}, 422, "not JSON in UTF-8"),
        ("settings", {"\ud800": "on"}, 422, "not JSON in UTF-8"),
        ("power", {}, 422, "power is missing"),
        ("power", {"power": "on"}, 422, '"on": choose one of restart, off'),
    ],
)
def test_a_wrong_request_is_one_sentence(
    tmp_path: Path, path: str, body: object, status: int, says: str
) -> None:
    with served(tmp_path) as (_, url):
        answer = ask(f"{url}api/{path}", body)
        assert answer[0] == status
        assert says in answer[1]["error"]
        assert ask(f"{url}api/state")[1]["seq"] == 0


@pytest.mark.parametrize("path", ["settings", "power"])
def test_another_site_cannot_ask(tmp_path: Path, path: str) -> None:
    with served(tmp_path) as (_, url):
        headers = {"Origin": "http://cribbage.example"}
        request = urllib.request.Request(f"{url}api/{path}", b'{"power": "off"}', headers)  # noqa: S310
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=PATIENCE)  # noqa: S310
        assert refused.value.code == 403
        refused.value.close()


@pytest.mark.parametrize("way", ["off", "restart"])
def test_without_a_pi_nothing_is_switched_off_and_the_answer_says_so(tmp_path: Path, way: str) -> None:
    with served(tmp_path) as (_, url):
        status, state = ask(f"{url}api/power", {"power": way})
        assert status == 200
        assert state["message"].endswith("this is not a Raspberry Pi")


def test_a_pi_is_asked_once_for_what_was_asked(tmp_path: Path) -> None:
    asked: list[str] = []

    def way(command: str) -> ShutdownResult:
        asked.append(command)
        return ShutdownResult(f"{command}: wait", is_leaving=True)

    with opened(tmp_path, power=way) as table:
        table.do(Press("MENU"))
        first = table.do(PowerRequest(TableCommand.RESTART), id="one")
        assert table.do(PowerRequest(TableCommand.RESTART), id="one") == first
        assert asked == ["restart"]
        assert table.now.leaving
        assert table.now.input_state.dialog is None
        assert table.do(PowerRequest(TableCommand.SHUT_DOWN)).is_accepted
        assert asked == ["restart", "shut-down"]


def test_a_pi_is_asked_once_also_where_the_disk_keeps_no_answer(tmp_path: Path) -> None:
    asked: list[str] = []

    def way(command: str) -> ShutdownResult:
        asked.append(command)
        return ShutdownResult("wait", is_leaving=True)

    with opened(tmp_path, power=way) as table:
        table._journal._db.execute("PRAGMA query_only = on")
        first = table.do(PowerRequest(TableCommand.SHUT_DOWN), id="one")
        assert first.is_accepted
        assert table.do(PowerRequest(TableCommand.SHUT_DOWN), id="one") == first
        assert asked == ["shut-down"]


# --- what comes of them -----------------------------------------------------------------------------


def test_the_lights_are_as_bright_as_they_are_set() -> None:
    with bench(still=True, brightness=0.5) as table:
        for key in ("OK", "OK", "2", "K"):
            table.press(key)
        half = light(table)
        change(table, brightness="100")
        assert light(table) > half > 0
        change(table, brightness="50")
        assert light(table) == half
        change(table, brightness="0")
        assert light(table) == 0


def test_the_lights_draw_no_more_than_is_set_at_once() -> None:
    with bench(still=True, max_ma=246) as table:
        for key in ("OK", "OK", "2", "K"):
            table.press(key)
        weak = light(table)
        assert 242 < current(table.board()) <= 246
        change(table, max_ma="0")
        assert light(table) > weak
        assert 246 < current(table.board()) <= table.kit.strip.max_ma
        table.press("MENU")
        for key in ("8", "OK", "hold:UNDO"):
            table.press(key)
        assert table.now.saved.context.value("max_ma") == "246", "what config.toml says, again"
        assert light(table) == weak


@pytest.mark.parametrize("rotate", [0, 180])
def test_the_screen_is_turned_at_once_and_back_and_the_page_is_not(rotate: int) -> None:
    """A panel that config.toml has turned already turns the picture itself."""
    glass = load_kit("table").glass
    kit = replace(load_kit("table"), glass=replace(glass, rotate=rotate))
    with closing(Rehearsal(kit, 7, config=Config(oled=ScreenConfig(rotate=rotate)))) as table:
        upright = table.glass()
        shown = table.outputs.picture
        assert upright.tobytes() == shown.tobytes()
        change(table, rotate=str(180 - rotate))
        assert table.glass().tobytes() == upright.transpose(Image.Transpose.ROTATE_180).tobytes()
        assert table.outputs.picture.tobytes() == shown.tobytes()
        change(table, rotate=str(rotate))
        assert table.glass().tobytes() == upright.tobytes()


def test_the_screen_is_as_bright_as_it_is_set_and_never_brighter_when_it_rests() -> None:
    with bench(still=True) as table:
        change(table, contrast="10")
        assert table.twin.panel.contrast == round(BRIGHT / 10)
        table._now += 61.0
        table._serve()
        assert table.twin.panel.contrast == DIM


@pytest.mark.parametrize(("minutes", "seconds"), [("2", 120.0), ("10", DARK_AFTER), ("60", 3600.0)])
def test_it_goes_dark_after_so_many_minutes(minutes: str, seconds: float) -> None:
    with bench(still=True) as table:
        change(table, sleep=minutes)
        table._now += seconds - 1
        table._serve()
        assert table.glass().getbbox() is not None
        table._now += 1.1
        table._serve()
        assert table.glass().getbbox() is None
        assert table.loop.wakes() is None


def test_a_table_that_never_goes_dark_dims_and_its_idle_picture_still_moves() -> None:
    with bench(still=True) as table:
        change(table, sleep="never")
        pictures = set()
        for _ in range(4):
            table._now += 5 * 3600 + 60
            table._serve()
            pictures.add(table.glass().tobytes())
            wakes = table.loop.wakes()
            assert wakes is not None
            assert table._now < wakes <= table._now + 60
        assert table.twin.panel.contrast == DIM
        assert len(pictures) > 1


def test_pegs_stand_still_from_the_next_one_on() -> None:
    with bench() as table:
        for key in ("OK", "OK", "2", "K"):
            table.press(key)
        seen = [is_still(table)]
        for value in ("on", "off"):
            change(table, still=value)
            seen.append(is_still(table))
        assert seen == [False, True, False]


def is_still(table: Rehearsal) -> bool:
    motion = table.loop._motion
    assert motion is not None
    return motion.still


def test_a_step_that_is_made_automatic_in_mid_game_is_done_without_a_key(tmp_path: Path) -> None:
    settings = {"entry": "dealt", "levels": ("person", "thrifty"), "speed": "fast", "automatic": ()}
    with served(tmp_path, **settings) as (parts, url):
        for key in ("OK", "OK"):
            assert ask(f"{url}api/press", {"key": key})[0] == 200
        table = parts.loop.table
        assert ask(f"{url}api/state")[1]["phase"] == "cut"
        assert ask(f"{url}api/settings", {"auto_cut": "on", "auto_deal": "on"})[0] == 200
        until(lambda: table.now.state.deal is not None and any(table.now.state.deal.dealt))
        assert table.now.context.next_game == table.now.context.next_game.with_house(
            automatic=("cut", "deal")
        )
