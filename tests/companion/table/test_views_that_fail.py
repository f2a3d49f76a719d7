"""A fault in any view, at any prompt: the program starts, answers, takes back, and says what is wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache, cached_property
from inspect import getattr_static
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final, NoReturn, TypeAlias

import pytest
from PIL import Image
from support.companions import running, served, start_of
from support.leaving import keyed, leaving
from support.patience import PATIENCE, until
from support.presses import prompt, view_at
from support.samples import some
from support.screens import CRIB, DEAL, HAND, PLAYED, WON, Evening
from support.server import ask

from cribpi.companion.devices.board import WORDS
from cribpi.companion.entry.effect import Refusal, WrongKey
from cribpi.companion.entry.house import House
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.phones import OpenPhones, Role
from cribpi.companion.entry.requests import Press
from cribpi.companion.journal.journal import Journal
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.bootstrap import Running
from cribpi.companion.run.config import Config
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import ShutdownResult, Table
from cribpi.companion.views.plain import draw_plain
from cribpi.companion.views.screen.canvas import COLUMNS, Canvas
from cribpi.companion.views.screen.screen import draw
from cribpi.companion.web.client import BoardClient
from cribpi.companion.web.json.state import AS_JSON, shown_json
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import NEW_TABLE

PEG: Final = NextGame(entry="peg")
DEALT: Final = NextGame(entry="dealt", levels=("", "chance"))
MATCH: Final = NextGame(options=(("match", "first-to-1"),))

PHASES: Final = {
    Phase.IDLE: ("", "OK", NextGame()),
    "new-game": ("OK", "OK", NextGame()),
    Phase.CUT: ("OK OK", "7", NextGame()),
    Phase.DEAL: (DEAL, "8", NextGame()),
    Phase.STARTER: (f"{DEAL} OK", "OK", PEG),
    Phase.PLAY: (f"{DEAL} 5 9 6", "6", NextGame()),
    Phase.SHOW: (PLAYED, "OK", NextGame()),
    Phase.CRIB: (f"{CRIB} 5 J", "2", NextGame()),
    Phase.GAME_OVER: (WON, "MENU", NextGame()),
    Phase.MATCH_OVER: (f"{WON} OK", "MENU", MATCH),
    "an open question": (f"{DEAL} 5 9 6 6 5 10", "OK", NextGame()),
    "an open hand": (HAND, "MENU", DEALT),
}
"""How each prompt is reached, a key that is accepted there, and what is set up."""

VIEWS: Final = {
    "screen": "cribpi.companion.table.loop.draw",
    "board lights": "cribpi.companion.table.loop.compose",
    "times of the lights": "cribpi.companion.views.lights.motion.Motion.wakes",
    "page (state)": "cribpi.companion.web.json.state.state_json",
    "page (choices)": "cribpi.companion.table.snapshot.Snapshot.possible",
    "page (buttons)": "cribpi.companion.web.json.page.choices_json",
    "page (keys)": "cribpi.companion.web.json.page.likely_keys",
    "page (amounts)": "cribpi.companion.web.json.page.amount_keys",
    "page (sides)": "cribpi.companion.entry.view.TableView.side_keys",
    "page (log)": "cribpi.companion.web.json.page.log_json",
    "page (hand)": "cribpi.companion.web.json.page.hand_json",
    "page (felt)": "cribpi.companion.web.json.page.cards_on_table_json",
    "page (thinking)": "cribpi.companion.entry.view.TableView.machine",
    "page (shower)": "cribpi.companion.web.json.page.shower",
    "page (table)": "cribpi.companion.web.json.page.table_json",
}
"""Each view that is seen at every prompt, by the name that its fault is told by: where it is called."""

PARTS: Final = {
    "remark": ("cribpi.companion.entry.view.TableView.remark", "page (state)"),
    "what happened by itself": ("cribpi.companion.entry.view.TableView.automatic", "page (state)"),
    "lights of a motion": ("cribpi.companion.views.lights.motion.Motion.lights", "board lights"),
    "moving pegs": ("cribpi.companion.views.lights.motion.Motion.toward", "moving lights"),
    "breathing holes": ("cribpi.companion.table.loop.hints_for", "moving lights"),
    "gesture": ("cribpi.companion.table.loop.gesture_for", "moving lights"),
    "pegs of games": ("cribpi.companion.table.loop.games_for", "moving lights"),
    "scores on the screen": ("cribpi.companion.views.screen.layouts.play.scores", "screen"),
    "painting": ("cribpi.companion.views.screen.sheet.Sheet.picture", "screen"),
    "what was undone": ("cribpi.companion.table.table.taken_back", "words"),
    "refusal": ("cribpi.companion.web.json.state.refusal_json", "page (refusal)"),
    "ghosts on the board": ("cribpi.companion.table.loop.ghosts_for", "moving lights"),
    "ghosts": ("cribpi.companion.web.json.page.par_now", "page (ghosts)"),
    "settings": ("cribpi.companion.web.json.page.values_json", "page (settings)"),
    "pairing": ("cribpi.companion.web.json.page.pairing_json", "page (pairing)"),
    "settings of lights and screen": (
        "cribpi.companion.table.loop.Device.set_by",
        "settings of lights and screen",
    ),
    "motion": ("cribpi.companion.views.lights.motion.Motion.__init__", "moving lights"),
    "rules": ("cribpi.companion.web.client.rules_json", "page (rules)"),
    "all settings": ("cribpi.companion.web.client.settings_json", "page (all settings)"),
}
"""What such a view is made of, or what is seen now and then; each is needed once in SCRIPT."""

CASES = [
    pytest.param(phase, where, name, id=f"{name}-{phase}")
    for phase in PHASES
    for name, where in VIEWS.items()
]
EVERY: Final = 7
"""A number that divides neither how many phases there are nor how many views: each phase and each view is
tried."""


class Broken(Exception):
    """A bug."""


def broken(*_: object, **__: object) -> NoReturn:
    raise Broken("planted")


def plant(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Break what is called, or read, by the name *where*."""
    owner, _, name = where.rpartition(".")
    is_read = isinstance(getattr_static(resolve_name(owner), name), property | cached_property)
    monkeypatch.setattr(where, property(broken) if is_read else broken)


@contextmanager
def table(setup: NextGame, keys: str, journal: Path) -> Iterator[Rehearsal]:
    bench = Rehearsal(load_kit("table"), 7, setup=setup, config=Config(), journal=journal)
    try:
        for key in keys.split():
            assert bench.table.do(Press(key)).is_accepted, key
        yield bench
    finally:
        bench.close()


def press(bench: Rehearsal, key: str) -> int:
    answer = bench.loop.ask(lambda table: table.do(Press(key)))
    serve(bench)
    found = answer.result(0)
    assert isinstance(json.loads(found.text), dict)
    return 200 if found.is_accepted else 409


def serve(bench: Rehearsal) -> None:
    """Serve until nothing is left to be said: a fault that is reported must come to rest."""
    for _ in range(4):
        bench._serve()
    bench._serve()
    assert bench.loop._inbox.empty()


def companion_of(bench: Rehearsal) -> BoardClient:
    companion = BoardClient(bench.kit, bench.glass, lambda: bench.board().data)
    companion.loop = bench.loop
    return companion


def fault(view: str) -> str:
    return f"{view}: a bug in cribpi (Broken); the game is safe: play on, or UNDO the last step"


Lefts: TypeAlias = Callable[[str], tuple[Path, Snapshot]]


@pytest.fixture(scope="module")
def lefts(tmp_path_factory: pytest.TempPathFactory) -> Lefts:
    """Give the folder of a table that was left at a phase, and what there was to show; each is played
    once."""

    @cache
    def left(phase: str) -> tuple[Path, Snapshot]:
        folder, (keys, _, setup) = tmp_path_factory.mktemp("left"), PHASES[phase]
        with closing(Journal(folder / "journal.db")) as journal:
            at = Table(journal, formatter=AS_JSON, clock=lambda: "", draw=lambda: 7, setup=setup)
            for key in keys.split():
                assert at.do(Press(key)).is_accepted, key
            return folder, at.now

    return left


def test_each_view_and_each_phase_is_tried() -> None:
    tried = [case.values for case in CASES[::EVERY]]
    assert {view for _, _, view in tried} == set(VIEWS)
    assert {phase for phase, *_ in tried} == set(PHASES)


@pytest.mark.parametrize(("phase", "where", "view"), some(CASES, *range(0, len(CASES), EVERY)))
def test_a_view_that_fails_at_any_prompt_stops_neither_start_nor_press_nor_undo_and_is_told(
    phase: str, where: str, view: str, lefts: Lefts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, key, setup = PHASES[phase]
    folder, left = lefts(phase)
    journal = shutil.copytree(folder, tmp_path / "state") / "journal.db"
    plant(where, monkeypatch)
    with table(setup, "", journal) as bench:
        companion = companion_of(bench)
        state: Any = companion.state()
        assert bench.now.state == left.state
        assert (state["seq"], state["can_undo"]) == (left.seq, left.may_undo)
        assert [side["front"] for side in state["sides"]] == list(left.state.scores())
        companion.page()
        serve(bench)
        assert bench.loop.troubles == {view: fault(view)}
        assert companion.page()["trouble"] == [fault(view)]
        assert bench.glass().getbbox() is not None
        assert press(bench, key) == 200
        assert bench.now.seq == left.seq + 1
        for _ in range(4):
            bench.table.do(Press("UNDO"))
        assert len(bench.now.log) < max(len(left.log), 1) or len(left.log) <= 1
        assert bench.now.state == (left.log[len(bench.now.log) - 1].after if bench.now.log else NEW_TABLE)
        companion.page()
        serve(bench)
        assert view in bench.loop.troubles
    monkeypatch.undo()
    with table(setup, "", journal) as bench:
        serve(bench)
        assert bench.loop.troubles == {}


SCRIPT: Final = "OK OK P2 8 5 9 6 6 FLNB 9 9 9 UNDO UNDO hold:UNDO OK"


@pytest.mark.parametrize(("where", "view"), PARTS.values(), ids=PARTS)
def test_a_part_of_a_view_that_fails_stops_nothing(
    where: str, view: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(where, monkeypatch)
    for _ in range(2):  # the second time on what the journal holds
        seen: set[tuple[str, str]] = set()
        with table(NextGame(), "", tmp_path / "journal.db") as bench:
            companion = companion_of(bench)
            for key in SCRIPT.split():
                before = bench.now.seq
                answer = press(bench, key), bench.now.seq
                assert answer in {(200, before + 1), (409, before)}
                state: Any = companion.state()
                assert [side["front"] for side in state["sides"]] == list(bench.now.state.scores())
                companion.page()
                assert companion.rules()["setup"]
                companion.settings()
                serve(bench)
                seen |= bench.loop.troubles.items()
        assert seen == {(view, fault(view))}


LISTENERS: Final = (
    "cribpi.companion.web.phones.seats.TablePhones._on_change",
    "cribpi.companion.run.voice_caller.Caller.on_change",
    "cribpi.companion.table.machine_seats.MachineSeats.on_change",
)


@pytest.mark.parametrize("where", LISTENERS)
def test_what_follows_a_change_may_fail_and_the_press_is_answered_and_the_game_goes_on(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, broken)
    with served(tmp_path) as (parts, url):
        parts.companion.subscribe(broken)
        told: list[str] = []
        parts.companion.subscribe(told.append)
        for number, key in enumerate(DEAL.split(), start=1):
            status, state = ask(f"{url}api/press", {"key": key, "id": str(number)})
            assert (status, state["seq"]) == (200, number)
        assert set(told) >= {"state", "page"}, "one that fails keeps nobody else from it"


def test_what_the_loop_is_to_call_may_fail(tmp_path: Path) -> None:
    with running(tmp_path) as parts:
        parts.loop.call(broken)
        assert parts.companion.do(Press("OK")).result(PATIENCE).is_accepted


def hands(parts: Running) -> bool:
    deal = parts.loop.table.now.state.deal
    return deal is not None and any(deal.dealt)


PHONE_VIEWS: Final = {
    "view": "cribpi.companion.web.phones.session.PhoneSession.seen",
    "context": "cribpi.companion.web.phones.session.context_of",
    "log": "cribpi.companion.web.client.log_json",
}


@pytest.mark.parametrize("where", PHONE_VIEWS.values(), ids=PHONE_VIEWS)
def test_a_phones_view_that_fails_shows_no_hand_and_loses_no_press(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path) as parts:
        parts.companion.do(start_of({"players": 2, "entry": "dealt", "levels": ["", ""]})).result(PATIENCE)
        while parts.loop.table.now.state.phase is not Phase.DEAL or not hands(parts):
            assert parts.companion.do(Press("OK")).result(PATIENCE).is_accepted
        parts.companion.change_phones(OpenPhones())
        token = parts.phones.registry.admit(parts.phones.registry.code(), "phone")
        phone = parts.phones.at(token)
        assert phone is not None
        phone.choose(Role.SEAT, 0)
        answer = phone.do(Press("K"), "an id").result(PATIENCE)
        whole: Any = phone.page()
        assert whole["hand"]["cards"]
        with monkeypatch.context() as planted:
            planted.setattr(where, broken)
            before = parts.loop.table.now.seq
            page: Any = phone.page()
            state = phone.state()
            assert page["seq"] == state["seq"] == before
            assert set(page) == set(whole)
            assert page["hand"] in (None, whole["hand"])
            assert phone.me()["seat"] == 0
            phone.log()
            parts.companion.phones()
            assert phone.do(Press("K"), "an id").result(PATIENCE).text == answer.text
            assert parts.companion.do(Press("MENU")).result(PATIENCE).is_accepted


def test_the_picture_that_stays_when_the_machine_is_off_may_fail_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribpi.companion.table.loop.draw_last", broken)
    with leaving(tmp_path, ShutdownResult(WORDS, is_leaving=True)) as (loop, shown):
        keyed(loop, "OK", "OK", "P1", "J", "hold:MENU")
        now = loop.table.now
        assert now.input_state.message == WORDS
        assert shown.picture.tobytes() == draw_plain(view_at(now.state, now.saved), None, Broken()).tobytes()


def test_a_key_that_comes_to_nothing_is_said_until_one_comes_to_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with table(NextGame(), f"{DEAL} 8", tmp_path / "journal.db") as bench:
        with monkeypatch.context() as patched:
            patched.setattr("cribpi.companion.entry.view.TableView.press", broken)
            bench.press("7")
        assert "7 failed: a bug in cribpi" in bench.loop.troubles["table"]
        bench.press("7")
        assert bench.loop.troubles == {}
        assert bench.now.state.deal is not None
        assert len(bench.now.state.deal.pile) == 1


def test_a_screen_that_cannot_be_drawn_at_all_leaves_the_page_and_the_presses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribpi.companion.views.screen.canvas.Canvas.__init__", broken)
    with table(NextGame(), f"{DEAL} 8", tmp_path / "journal.db") as bench:
        serve(bench)
        assert bench.glass().getbbox() is None
        assert companion_of(bench).state()["starter"] == "8"
        assert bench.loop.troubles == {"screen": fault("screen")}


def test_a_screen_that_fails_only_until_its_fault_is_marked_does_not_go_round_and_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = 0

    def draws_with_trouble_alone(*args: Any, trouble: tuple[str, ...], **options: Any) -> Image.Image:  # noqa: ANN401
        nonlocal drawn
        drawn += 1
        return draw(*args, trouble=trouble, **options) if trouble else broken()

    monkeypatch.setattr("cribpi.companion.table.loop.draw", draws_with_trouble_alone)
    with table(NextGame(), "", tmp_path / "journal.db") as bench:
        serve(bench)
        assert bench.loop.troubles == {"screen": fault("screen")}
        before = drawn
        serve(bench)
        assert drawn == before


def test_a_fault_is_logged_and_told_once_until_the_view_works_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as planted, table(NextGame(), "", tmp_path / "journal.db") as bench:
        planted.setattr("cribpi.companion.web.json.state.state_json", broken)
        for key in ("OK", "OK", "7", "2", "8"):
            assert press(bench, key) == 200
            for _ in range(20):
                shown_json(bench.table.now, bench.table.faults)
        assert sum(record.exc_info is not None for record in caplog.records) == 1
        planted.undo()
        assert press(bench, "5") == 200
        shown_json(bench.table.now, bench.table.faults)
        assert press(bench, "9") == 200
        assert bench.loop.troubles == {}
        planted.setattr("cribpi.companion.web.json.state.state_json", broken)
        shown_json(bench.table.now, bench.table.faults)
        assert press(bench, "6") == 200
        assert bench.loop.troubles == {"page (state)": fault("page (state)")}


def test_with_every_view_broken_the_page_is_still_served_and_presses_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path) as parts:
        for key in f"{DEAL} 8 5 10 6".split():
            assert parts.companion.do(Press(key)).result(PATIENCE).is_accepted
        whole: Any = parts.companion.state()
    for where in (*VIEWS.values(), *(where for where, _ in PARTS.values())):
        plant(where, monkeypatch)
    with served(tmp_path) as (parts, url):
        status, state = ask(f"{url}api/state")
        assert status == 200
        same = "seq phase rules target entry dealer turn starter count pile winner can_undo can_redo".split()
        assert {name: state[name] for name in same} == {name: whole[name] for name in same}
        assert set(state) == set(whole)
        assert [side["front"] for side in state["sides"]] == [0, 2]
        assert [set(side) for side in state["sides"]] == [set(side) for side in whole["sides"]]
        assert [set(seat) for seat in state["seats"]] == [set(seat) for seat in whole["seats"]]
        assert state["message"] == fault("page (state)")
        status, after = ask(f"{url}api/press", {"key": "6", "id": "one"})
        assert (status, after["seq"], after["count"]) == (200, state["seq"] + 1, 27)
        assert ask(f"{url}api/press", {"key": "6", "id": "one"}) == (200, after)
        assert ask(f"{url}api/press", {"key": "FLNB"})[0] == 409
        assert ask(f"{url}api/press", {"key": "UNDO"})[1]["count"] == 21
        page = ask(f"{url}api/page")[1]
        until(lambda: len(ask(f"{url}api/page")[1]["trouble"]) >= len(VIEWS))
        assert set(page) == {
            "seq",
            *"choices keys sides log shower hand thinking felt table result amounts ghosts".split(),
            "carry",
            "counted",
            "number",
            "names",
            "pairing",
            "settings",
            "trouble",
        }


PLAIN: Final = {
    "two": (NextGame(), f"{DEAL} 5 9 6 6"),
    "three": (NextGame(players=3), "OK OK 7 2 9 5 10 5"),
    "partners": (
        NextGame(players=4, house=House(("ALEXANDRA", "BARTHOLOMEW", "ALEXANDER", "BARBARA"))),
        "OK OK 7 2 9 K 5",
    ),
    "idle": (NextGame(), ""),
}


@pytest.mark.parametrize(("setup", "keys"), PLAIN.values(), ids=PLAIN)
def test_the_plain_screen_has_the_scores_the_fault_the_next_step_and_undo(
    setup: NextGame, keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(setup).press(keys)
    rows: dict[int, str] = {}

    def written(_canvas: Canvas, column: int, row: int, text: str, *, inverse: bool = False) -> None:
        rows[row] = rows.get(row, "").ljust(column) + text
        assert inverse == (text == "UNDO")

    monkeypatch.setattr(Canvas, "text", written)
    draw_plain(view_at(evening.state, evening.saved), None, Broken())
    assert all(len(text) <= COLUMNS for text in rows.values())
    for side, points in enumerate(evening.state.scores()):
        assert rows[side].endswith(f" {points}")
        assert rows[side].startswith(evening.state.names[side][:9])
    shown = " ".join(rows.values())
    assert "A BUG IN CRIBPI" in shown
    assert "This screen failed: Broken" in shown
    assert prompt(evening.state, evening.saved)[:30].strip() in " ".join(shown.split())
    assert rows[7].split() == ["UNDO", "undoes", "it"]
    draw_plain(view_at(evening.state, evening.saved), Refusal(WrongKey("7 does nothing here")), Broken())
    assert any("7 does nothing here" in text for text in rows.values())
