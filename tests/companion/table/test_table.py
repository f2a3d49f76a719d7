"""The table: check, write down, then show; undo and redo without limit; and back at the very same place."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.presses import Model, random_key, shuffled
from support.samples import examples
from support.sync_faults import after_kill
from support.tables import clock, opened, play_on

from cribpi.companion.entry.effect import TableCommand
from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_state import Question, Undone
from cribpi.companion.entry.next_game import Changes, NextGame
from cribpi.companion.entry.requests import ChangeNextGame, Name, Play, Press
from cribpi.companion.journal.journal import Journal
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.table.faults import Faults
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import ShutdownResult, Table
from cribpi.companion.web.json.state import AS_JSON, shown_json
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import CardCut, DealerChosen, GameStarted, PointsPegged, SeatsNamed
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rulebook import rulebook

seeds = st.integers(0, 2**32)


def shown(snapshot: Snapshot) -> Snapshot:
    """Return all of *snapshot* that is kept: a refusal is shown until the next press, and kept nowhere."""
    return replace(snapshot, refusal=None)


def accepted(table: Table, keys: str) -> None:
    for key in keys.split():
        answer = table.do(Press(key))
        assert answer.is_accepted, (key, answer)


# --- back at the very same place --------------------------------------------------------------------


@examples(2)
@given(seeds)
def test_the_table_resumes_at_the_very_same_place_after_any_press(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    folder, chance = tmp_path_factory.mktemp("table") / "state", Random(seed)
    with opened(folder) as (_, table):
        for _ in range(150):
            play_on(table, chance, 1)
            assert after_kill(folder) == shown(table.now)


@examples(5)
@given(seeds)
def test_a_table_that_is_opened_and_closed_all_the_time_goes_on_like_one_that_is_not(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    folder, other, chance = tmp_path_factory.mktemp("state"), Model(), Random(seed)
    for _ in range(8):
        with opened(folder) as (_, table):
            for _ in range(12):
                key, draw = random_key(other.state, other.input_state, chance), chance.randrange(9)
                table._draw = lambda draw=draw: draw  # type: ignore[misc]
                table._shuffle = lambda draw=draw: shuffled(draw)  # type: ignore[misc]
                answer = table.do(Press(key))
                try:
                    effect = other.press(key, draw)
                except RuleError:
                    assert not answer.is_accepted
                else:
                    assert answer.is_accepted
                    if effect.command is not None:  # only the table knows what to say of it
                        other.input_state = table.now.input_state
                assert table.now.state == other.state
                assert shown(table.now).input_state == other.input_state
                assert table.now.seq == other.seq
                assert table.now.may_undo == bool(other.events)
                assert table.now.may_redo == bool(other.undone)


def test_the_open_question_and_what_is_typed_are_there_again(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        accepted(table, "OK OK P2 3 10 10 9 K")
    with opened(tmp_path) as (_, table):
        assert table.now.input_state.dialog == Question("K")
        assert shown_json(table.now, Faults())["question"] is not None
        accepted(table, "GO MENU 6 OK 3 P2 OK OK OK OK 7 2")
    with opened(tmp_path) as (_, table):
        assert table.now.input_state.typed == (7, 2)
        accepted(table, "P1")
        assert table.now.state.scores() == (9, 0)


# --- undo and redo ----------------------------------------------------------------------------------


@given(seeds, st.integers(10, 80))
@example(14, 53)  # a hint is asked for: UNDO takes back no more than that
def test_undo_then_redo_is_nothing(tmp_path_factory: pytest.TempPathFactory, seed: int, presses: int) -> None:
    with opened(tmp_path_factory.mktemp("state")) as (_, table):
        play_on(table, Random(seed), presses)
        while (
            (input_state := table.now.input_state).dialog
            or input_state.typed
            or input_state.kind
            or input_state.chosen
            or input_state.hint
        ):
            accepted(table, "UNDO" if not isinstance(table.now.input_state.dialog, Undone) else "OK")
        before = table.now
        if not before.may_undo:
            return
        accepted(table, "UNDO")
        assert table.now.may_redo
        accepted(table, "hold:UNDO")
        now = table.now
        assert (now.state, now.log, now.may_undo) == (before.state, before.log, before.may_undo)
        assert now.may_redo == before.may_redo


def test_undo_goes_back_over_all_games_to_the_new_table_and_redo_all_the_way_forward(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, table):
        accepted(table, "OK 2 P2 OK P2 3 10 P2")
        accepted(table, "2 " + "P2 " * 61 + "OK")
        assert table.now.state.winner == 1
        accepted(table, "OK J 5 P1 2 " + "P2 " * 61 + "OK OK 9")
        end = table.now
        assert end.state.games == (1, 1)
        told = []
        while table.now.may_undo:
            accepted(table, "UNDO")
            told.append(shown_json(table.now, Faults())["message"])
            assert isinstance(table.now.input_state.dialog, Undone)
            assert table.now.input_state.dialog.left == journal.depth
        assert table.now.state.phase is Phase.IDLE
        assert table.now.log == ()
        assert all(re.search(r" took back | was taken back$", str(message)) for message in told)
        assert not table.do(Press("UNDO")).is_accepted
        redone = 0
        while table.now.may_redo:
            accepted(table, "hold:UNDO")
            redone += 1
        assert redone == len(told)
        assert (table.now.state, table.now.log) == (end.state, end.log)
        assert not table.do(Press("hold:UNDO")).is_accepted


def test_a_step_back_or_on_is_a_choice_only_where_there_is_one(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):

        def steps() -> set[str]:
            return {"UNDO", "hold:UNDO"} & {choice.key for choice in table.now.choices()}

        assert steps() == set()
        accepted(table, "OK OK 7")
        assert steps() == {"UNDO"}
        accepted(table, "UNDO OK")
        assert steps() == {"UNDO", "hold:UNDO"}
        accepted(table, "UNDO")
        assert steps() == {"hold:UNDO"}


def test_what_is_left_to_chance_is_the_tables(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        table._draw = lambda: 1
        accepted(table, "OK OK OK")
        assert table.now.log[-1].event == DealerChosen(1)
    with opened(tmp_path / "dealt") as (_, table):
        table._draw = lambda: 1
        accepted(table, "OK 3 P2 P2 OK OK")
        assert table.now.log[-1].event == CardCut(0, PACK[1])


def test_a_new_event_after_an_undo_forgets_what_was_undone(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        accepted(table, "OK OK P2 3 UNDO 4")
        assert not table.now.may_redo
        assert not table.do(Press("hold:UNDO")).is_accepted
    with opened(tmp_path) as (_, table):
        assert not table.now.may_redo
        accepted(table, "UNDO UNDO hold:UNDO hold:UNDO")
        assert table.now.state.deal is not None
        assert str(table.now.state.deal.starter) == "4"


# --- one press, one answer --------------------------------------------------------------------------


def test_the_same_id_is_answered_once_also_after_a_restart_and_for_a_refusal(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        accepted(table, "OK OK P2 3")
        first = table.do(Press("7"), id="a press")
        refused = table.do(Press("FLNB"), id="a refusal")
        assert (first.is_accepted, refused.is_accepted) == (True, False)
        now = table.now
        assert table.do(Press("7"), id="a press") == first
        assert table.do(Press("8"), id="a press") == first, "the id counts, not the key"
        assert table.do(Press("7"), id="a refusal") == refused
        assert shown(table.now) == shown(now)
    with opened(tmp_path) as (_, table):
        assert table.do(Press("7"), id="a press") == first
        assert table.do(Press("7"), id="a refusal") == refused
        assert shown(table.now) == shown(now)
        assert table.do(Press("7"), id="another press").is_accepted


def test_presses_without_an_id_are_presses_each(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        accepted(table, "OK OK P2 3 7 7")
        assert table.now.state.deal is not None
        assert len(table.now.state.deal.pile) == 2


def test_the_number_grows_by_one_with_each_accepted_press_and_with_no_other(tmp_path: Path) -> None:
    chance = Random(4)
    with opened(tmp_path) as (_, table):
        for _ in range(150):
            before = table.now.seq
            answer = table.do(Press(random_key(table.now.state, table.now.saved, chance)))
            assert table.now.seq == before + (answer.is_accepted)
            told = json.loads(answer.text)
            if answer.is_accepted:
                assert told == shown_json(table.now, Faults())
                assert table.now.refusal is None
            else:
                assert next(iter(told)) == "error"
                assert set(told) <= {"error", "told", "why"}, "and the rule that it rests on"
                assert table.now.refusal is not None
                assert str(table.now.refusal.error) == told["error"]


def test_the_state_has_the_shape_of_the_contract(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        accepted(table, "OK OK P2 8 7 8")
        before = shown_json(table.now, Faults())
        accepted(table, "7")
        told = shown_json(table.now, Faults())
    assert " ".join(told) == (
        "seq phase rules house target entry seats sides match dealer turn starter count pile last automatic "
        "prompt question message winner can_undo can_redo"
    )
    assert told["seats"] == [
        {"name": "ORANGE", "side": 0, "cards_left": 2, "level": None},
        {"name": "BLUE", "side": 1, "cards_left": 3, "level": None},
    ]
    match = {"games": 0, "points": 0, "skunks": 0, "spread": 0}
    assert told["sides"] == [
        {"name": "ORANGE", "said": "ORANGE", "front": 0, "back": 0} | match,
        {"name": "BLUE", "said": "BLUE", "front": 2, "back": 0} | match,
    ]
    assert (told["rules"], dict(told["house"])) == ("standard", {})
    assert tuple(told["match"].values()) == ("open", [], "The match so far")
    assert (told["phase"], told["dealer"], told["turn"], told["starter"]) == ("play", 1, 1, "8")
    assert (told["count"], told["pile"]) == (22, ["7", "8", "7"])
    nothing = {"side": 0, "points": 0, "call": "twenty-two", "scores": [], "claimed": None, "why": []}
    assert told["last"] == nothing
    last = before["last"]
    assert isinstance(last, dict)
    why = {
        "rule": "fifteen",
        "text": rulebook().rules["fifteen"].text,
        "source": "board-set",
        "words": rulebook().rules["fifteen"].words["board-set"],
    }
    assert last["scores"] == [{"kind": "fifteen", "points": 2, "cards": ["7", "8"], "why": why}]
    assert last["why"] == [why]
    assert (last["side"], last["points"], last["call"]) == (1, 2, "fifteen for two")


# --- what the page can ask beside keys --------------------------------------------------------------


def test_a_scored_event_is_pegged_by_its_name_in_a_game_kept_by_points_only(tmp_path: Path) -> None:
    royal = PointsPegged(0, 6, Kind.PAIR_ROYAL)
    with opened(tmp_path) as (_, table):
        assert not table.do(Play(royal, table.now.state)).is_accepted
        accepted(table, "OK 3 P2 OK P2 OK OK")
        assert table.do(Play(royal, table.now.state), id="one").is_accepted
        assert table.do(Play(royal, table.now.state), id="one").is_accepted
        assert table.now.state.scores() == (6, 0)
        assert not table.do(Play(replace(royal, side=5), table.now.state)).is_accepted
        accepted(table, "MENU UP UP UP UP UP OK 3 P2 OK P2")
        assert "kept by cards" in table.do(Play(royal, table.now.state)).text


def test_names_are_given_to_this_game_and_the_next(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        assert table.do(Name(("ANN",))).is_accepted, "one name, before any game"
        accepted(table, "OK OK")
        assert table.now.state.names == ("ANN", "BLUE"), "each keeps the colour of the seat"
        assert table.do(Name(("ANN", "BOB"))).is_accepted
        assert table.now.state.names == ("ANN", "BOB")
        assert table.now.log[-1].event == SeatsNamed(("ANN", "BOB"))
        accepted(table, "UNDO")
        assert table.now.state.names != ("ANN", "BOB")
    with opened(tmp_path) as (_, table):
        assert table.now.context.next_game == NextGame(house=House(("ANN", "BOB")))
        accepted(table, "MENU UP UP UP UP UP OK OK")
        assert isinstance(table.now.log[0].event, GameStarted)
        assert table.now.log[0].event.names == ("ANN", "BOB")


BAD_NAMES = [
    ("A", "A"),
    ("A" * 41,),
    ("A\nB",),
    (" A",),
    ("A", "B", "C", "D", "E"),
    ("\x00",),
    ("\ud800",),
]


@pytest.mark.parametrize("names", BAD_NAMES, ids=ascii)
def test_names_that_cannot_be_are_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    with opened(tmp_path) as (_, table):
        accepted(table, "OK OK P2")
        before = table.now
        assert not table.do(Name(names), id="an id").is_accepted
        assert shown(table.now) == shown(before)


def test_holding_menu_asks_for_the_machine_to_be_switched_off_once(tmp_path: Path) -> None:
    asked: list[str] = []

    def power(command: str) -> ShutdownResult:
        asked.append(command)
        return ShutdownResult("switching off")

    with opened(tmp_path) as (journal, _):
        table = Table(journal, formatter=AS_JSON, clock=clock(), draw=lambda: 0, power=power)
        assert table.do(Press("hold:MENU"), id="an id").is_accepted
        assert table.do(Press("hold:MENU"), id="an id").is_accepted
        assert asked == ["shut-down"]
        assert shown_json(table.now, Faults())["message"] == "switching off"
        accepted(table, "OK")
        assert shown_json(table.now, Faults())["message"] is None


def test_a_table_whose_kit_has_no_ranks_sets_its_next_game_up_by_points(tmp_path: Path) -> None:
    bonnet = load_kit("bonnet").pad
    with opened(tmp_path) as (_, table):
        accepted(table, "OK")
        assert table.now.context.next_game.entry == "cards"
    journal = Journal(tmp_path / "journal.db")
    try:
        table = Table(journal, formatter=AS_JSON, clock=clock(), draw=lambda: 0, pad=bonnet)
        assert table.now.context.next_game.entry == "peg"
        assert "points only" in str(shown_json(table.now, Faults())["prompt"])
        table.do(ChangeNextGame(Changes(entry="cards", options={"target": "61"})))
        assert (table.now.context.next_game.entry, table.now.context.next_game.target) == ("peg", 61)
    finally:
        journal.close()


def test_moves_are_of_seven_kinds() -> None:
    assert list(map(str, TableCommand)) == ["undo", "redo", "shut-down", "restart", "shuffle", "cut", "draw"]


def test_names_that_cannot_be_told_apart_are_refused_and_others_kept_with_their_accents(
    tmp_path: Path,
) -> None:
    with opened(tmp_path) as (_, table):
        for key in ("OK", "OK", "P1"):
            table.do(Press(key))
        before = table.now.state
        for names in (("ANN", "Ann"), ("Zo\u00eb", "Zoe\u0308"), ("ANN", "B\u3164")):
            assert not table.do(Name(names)).is_accepted
            assert not table.do(ChangeNextGame(Changes(names=names))).is_accepted
            assert table.now.state is before
        assert table.do(Name(("Zoe\u0308", "x" * 40))).is_accepted
        assert table.now.state.names == ("Zo\u00eb", "x" * 40)
        assert table.now.context.next_game.house.names == ("Zo\u00eb", "x" * 40)


def test_an_answer_is_written_only_where_somebody_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key on the keypad asks for none; a page does, and with an id the journal keeps it."""
    written: list[int] = []

    def count(_answers: object, now: Snapshot, _see: object, _faults: object) -> str:
        written.append(now.seq)
        return json.dumps({"seq": now.seq})

    monkeypatch.setattr(type(AS_JSON), "accepted", count)
    journal = Journal(tmp_path / "journal.db")
    try:
        table = Table(journal, formatter=AS_JSON, clock=clock(), draw=lambda: 0)
        first = table.do(Press("OK"))
        assert (first.is_accepted, written) == (True, [])
        assert json.loads(first.text) == {"seq": 1}
        assert json.loads(first.text) == {"seq": 1}
        assert written == [1], "and once"
        table.do(Press("OK"), id="named")
        assert written == [1, 2]
    finally:
        journal.close()
