"""A club's pairing at the table: shown between games, begun by OK, and never offered twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from os import truncate
from pathlib import Path
from typing import Final

import pytest
from support.presses import view_at
from support.screens import ANN, DEAL, ROUND_3, WON
from support.tables import opened

from cribpi.companion.entry.next_game import Changes, NextGame
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.entry.phones import Phone, Role
from cribpi.companion.entry.requests import Name, Play, Press, SetPairing, Start
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.bootstrap import apply_club_request
from cribpi.companion.run.config import Config
from cribpi.companion.run.simulator import IN_MEMORY, Rehearsal
from cribpi.companion.table.sessions import COMPUTER
from cribpi.companion.views.screen.screen import compose, draw
from cribpi.companion.web.json.page import page_json
from cribpi.companion.web.json.state import OVERTAKEN, shown_json
from cribpi.companion.web.phones.session import PhoneSession
from cribpi.cribbage.game.events import DealerChosen
from cribpi.cribbage.game.state import Phase

ROUND_4: Final = replace(ROUND_3, round=4, players=("CAT", "ANN"))
OFFER: Final = "Board 7, round 3 of 9: ANN - BOB. OK: Start"


@contextmanager
def rehearsed(
    kit: str = "table", setup: NextGame | None = None, journal: Path = IN_MEMORY
) -> Iterator[Rehearsal]:
    bench = Rehearsal(load_kit(kit), 7, setup=setup, config=Config(), journal=journal)
    try:
        yield bench
    finally:
        bench.close()


def pair(bench: Rehearsal, pairing: Pairing | None) -> None:
    apply_club_request(bench.loop, SetPairing(pairing))
    bench._serve()


def press(bench: Rehearsal, keys: str) -> None:
    for key in keys.split():
        assert bench.press(key) is None, key


def prompt(bench: Rehearsal) -> object:
    return shown_json(bench.table.now, bench.table.faults)["prompt"]


def on_page(bench: Rehearsal) -> object:
    now = bench.now
    return page_json(now, now.choices, bench.table.faults, {})["pairing"]


def is_offered(bench: Rehearsal) -> bool:
    return "round 3" in str(prompt(bench))


@pytest.mark.parametrize("kit", ["table", "numpad", "bonnet"])
def test_it_is_on_the_glass_and_ok_starts_its_game(kit: str) -> None:
    with rehearsed(kit) as bench:
        before = bench.glass().tobytes()
        pair(bench, ROUND_3)
        ok = {"numpad": "Enter"}.get(kit, "OK")
        assert prompt(bench) == OFFER.replace("OK", ok)
        now = bench.now
        assert bench.glass().tobytes() == draw(view_at(now.state, now.saved, now.pad)).convert("1").tobytes()
        assert bench.glass().tobytes() != before
        assert on_page(bench) == asdict(ROUND_3)
        press(bench, "OK")
        assert on_page(bench) is None
        state = bench.now.state
        assert (state.names, state.rules.name, state.phase) == (("ANN", "BOB"), "acc", Phase.CUT)
        assert str(state.entry) == ("peg" if kit == "bonnet" else "cards")
        assert not bench.now.context.next_game.house.names, "what is set up for other games stays"


def test_a_table_that_rests_shows_it_and_nobodys_statistics() -> None:
    with rehearsed() as bench:
        bench._pass_time(601)
        assert not bench.glass().getbbox()
        pair(bench, ROUND_3)
        assert bench.glass().getbbox(), "it wakes the table"
        shown = bench.glass().tobytes()
        bench.loop.tell_statistics([ANN])
        bench._pass_time(90)
        assert bench.glass().tobytes() == shown


def test_a_pairing_that_comes_to_a_damaged_journal_is_offered_all_the_same(tmp_path: Path) -> None:
    with rehearsed(journal=tmp_path / "journal.db") as bench:
        press(bench, "OK UNDO")
        truncate(tmp_path / "journal.db", 0)
        pair(bench, ROUND_3)
        assert prompt(bench) == OFFER


def test_another_pairing_takes_its_place_and_none_takes_it_away() -> None:
    with rehearsed() as bench:
        pair(bench, ROUND_3)
        pair(bench, ROUND_4)
        assert "round 4 of 9: CAT - ANN" in str(prompt(bench))
        pair(bench, None)
        assert prompt(bench) == "No game yet. OK: New game"


def test_it_waits_while_a_game_is_on_and_is_shown_when_that_is_over() -> None:
    with rehearsed() as bench:
        press(bench, DEAL)
        before, seq = prompt(bench), bench.now.seq
        pair(bench, ROUND_3)
        assert (prompt(bench), bench.now.seq) == (before, seq), "no press is too late for it"
        press(bench, WON.removeprefix(DEAL))
        assert prompt(bench) == "ORANGE wins 121-88, a skunk. OK: Go to round 3: ANN - BOB"
        assert on_page(bench) is None
        press(bench, "OK")
        assert prompt(bench) == f"ORANGE wins 121-88, a skunk. {OFFER}"
        assert on_page(bench) == asdict(ROUND_3)
        press(bench, "OK")
        assert bench.now.state.names == ("ANN", "BOB")
        assert bench.now.state.games == (0, 0), "a match of its own"


def test_it_is_not_offered_twice_and_comes_back_by_undo() -> None:
    with rehearsed() as bench:
        pair(bench, ROUND_3)
        press(bench, "OK")
        pair(bench, replace(ROUND_3, board=8))  # the desk says it again
        press(bench, WON.removeprefix("OK OK"))
        assert not is_offered(bench)
        assert str(prompt(bench)).endswith("OK: Rematch")
        while bench.now.may_undo:
            assert not is_offered(bench)
            press(bench, "UNDO")
        press(bench, "OK")  # what was undone has been read
        assert str(prompt(bench)).startswith("Board 8, round 3 of 9: ANN - BOB")
        press(bench, "hold:UNDO")
        assert not is_offered(bench), "redo"
        press(bench, "UNDO OK OK")
        assert bench.now.state.names == ("ANN", "BOB"), "begun once more"
        press(bench, WON.removeprefix("OK OK"))
        assert not is_offered(bench)


def test_an_undo_past_a_later_game_does_not_give_an_earlier_one_back() -> None:
    with rehearsed() as bench:
        pair(bench, ROUND_3)
        press(bench, f"OK {WON.removeprefix('OK OK')}")
        pair(bench, ROUND_4)
        press(bench, "OK OK UNDO OK OK")
        assert "round 4 of 9: CAT - ANN" in str(prompt(bench))
        pair(bench, ROUND_3)
        assert not is_offered(bench)


def test_a_pairing_that_comes_at_once_leaves_the_result_on_the_glass() -> None:
    with rehearsed() as bench:
        press(bench, WON)
        over = bench.now.state
        result = compose(view_at(over, bench.now.saved), may_undo=True)
        pair(bench, ROUND_3)
        now = bench.now
        shown = compose(view_at(over, now.saved), may_undo=True)
        assert bench.glass().tobytes() == draw(view_at(over, now.saved), may_undo=True).convert("1").tobytes()
        large = {one.text for one in result.texts() if one.size == "medium"}
        assert "ORANGE WINS" in large
        texts = {one.text for one in shown.texts()}
        assert large | {"next: ANN - BOB"} <= texts
        press(bench, "OK")
        pair(bench, ROUND_4)
        assert str(prompt(bench)).endswith("round 4 of 9: CAT - ANN. OK: Start"), "the result has been seen"
        press(bench, "UNDO hold:UNDO")
        assert str(prompt(bench)).endswith("OK: Go to round 4: CAT - ANN"), "this end is another result"


def test_of_two_presses_for_the_result_one_starts_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        for key in WON.split():
            table.do(Press(key))
        table.do(SetPairing(ROUND_3))
        seq = table.now.seq
        assert [table.do(Press("OK"), if_seq=seq).is_accepted for _ in range(2)] == [True, False]
        assert table.now.state.winner is not None


def test_a_game_of_others_leaves_it_to_be_played() -> None:
    with rehearsed() as bench:
        pair(bench, ROUND_3)
        press(bench, f"MENU OK {WON.removeprefix('OK')} OK")
        assert is_offered(bench)


def test_a_board_that_starts_again_offers_what_it_hears_and_nothing_that_has_begun(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    with rehearsed(journal=file) as bench:
        pair(bench, ROUND_3)
    with rehearsed(journal=file) as bench:
        assert not is_offered(bench), "the desk may have another by now"
        pair(bench, ROUND_3)
        press(bench, f"OK {WON.removeprefix('OK OK')}")
    with rehearsed(journal=file) as bench:
        pair(bench, ROUND_3)
        assert not is_offered(bench)
        pair(bench, ROUND_4)
        assert str(prompt(bench)).endswith("OK: Go to round 4: CAT - ANN")
        pair(bench, ROUND_3)
        while bench.now.may_undo:
            press(bench, "UNDO")
    with rehearsed(journal=file) as bench:
        pair(bench, ROUND_3)
        press(bench, "OK")
        assert is_offered(bench), "the undo counts after a restart, too"


def test_a_press_that_was_meant_for_what_was_there_before_starts_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        seq = table.now.seq
        table.do(SetPairing(ROUND_3))
        answer = table.do(Press("OK"), if_seq=seq)
        assert not answer.is_accepted
        assert OVERTAKEN["person"] in answer.text
        assert table.now.state.phase is Phase.IDLE
        seq = table.now.seq
        table.do(SetPairing(replace(ROUND_3)))
        assert table.now.seq == seq, "the same again is nothing new"


def test_what_was_said_before_does_not_cover_it(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        table.do(Name(("X", "Y")))
        assert table.now.input_state.message
        table.do(SetPairing(ROUND_3))
        assert not table.now.input_state.message


def test_a_phone_offers_it_too(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        beside = PhoneSession(Phone(1, "iPhone", Role.KEYPAD), table.now.pad)
        table.do(SetPairing(ROUND_3))
        labels = {choice.key: choice.label for choice in beside.choices(table.now)}
        assert labels["OK"] == "Start round 3: ANN - BOB"
        assert table.do(Press("OK"), beside).is_accepted
        assert table.now.state.names == ("ANN", "BOB")
        assert not table.now.context.here.is_waiting


@pytest.mark.parametrize("phone", [Phone(1, "iPhone", Role.KEYPAD), Phone(1, "iPhone", Role.SEAT, 0)])
def test_a_phone_goes_on_from_the_result_for_all(tmp_path: Path, phone: Phone) -> None:
    with opened(tmp_path) as (_, table):
        for key in WON.split():
            table.do(Press(key))
        table.do(SetPairing(ROUND_3))
        beside = PhoneSession(phone, table.now.pad)
        labels = {choice.key: choice.label for choice in beside.choices(table.now)}
        assert labels["OK"] == "Go to round 3: ANN - BOB"
        assert table.do(Press("OK"), beside).is_accepted
        assert shown_json(table.now, table.faults)["prompt"] == f"ORANGE wins 121-88, a skunk. {OFFER}"
        assert table.do(Press("OK"), beside).is_accepted
        assert table.now.state.names == ("ANN", "BOB")


def test_a_pairing_that_changes_nothing_moves_no_blame(tmp_path: Path) -> None:
    """A press that comes too late is told that the computer moved, even if a pairing came after that."""
    with opened(tmp_path) as (_, table):
        table.do(Start(Changes()))
        seq = table.now.seq
        assert table.do(Play(DealerChosen(0), table.now.state), COMPUTER).is_accepted
        for pairing in (ROUND_3, None):
            table.do(SetPairing(pairing))
        assert OVERTAKEN["machine"] in table.do(Press("OK"), if_seq=seq).text
