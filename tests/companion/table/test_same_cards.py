"""In a game that the machine deals, UNDO and OK deal and cut the same cards again, however often and after a
restart."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random

import pytest
from support.presses import machine_event, shuffled
from support.tables import clock

from cribpi.companion.entry.input_state import Undone
from cribpi.companion.entry.next_game import Changes, NextGame
from cribpi.companion.entry.requests import ChangeNextGame, Play, Press
from cribpi.companion.journal.journal import Journal
from cribpi.companion.table.sessions import COMPUTER
from cribpi.companion.table.table import Table
from cribpi.companion.web.json.state import AS_JSON
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import CardCut, DealerChosen, Event, Misdealt, PackShuffled
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.rules.errors import RuleError

MACHINES = ("chance", "chance", "chance", "chance")
EVERY_DRAW = count(1)
"""Chance, that never says the same again in one test, and the same in each run of it."""


@pytest.fixture(autouse=True)
def _from_the_first_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "EVERY_DRAW", count(1))


def table_of(journal: Journal, players: int = 2, target: int = 61, **house: str) -> Table:
    setup = NextGame(players, target, "dealt", options=tuple(house.items()), levels=MACHINES[:players])
    return Table(
        journal,
        formatter=AS_JSON,
        clock=clock(),
        draw=lambda: next(EVERY_DRAW),
        shuffle=lambda: shuffled(next(EVERY_DRAW)),
        setup=setup,
    )


@contextmanager
def opened(path: Path, players: int = 2, target: int = 61, **house: str) -> Iterator[Table]:
    """Open the journal *path* as a start of cribpi does; at the end it is closed as by a pulled plug, without
    a word."""
    journal = Journal(path)
    try:
        yield table_of(journal, players, target, **house)
    finally:
        journal.close()


def press(table: Table, keys: str) -> None:
    for key in keys.split():
        answer = table.do(Press(key))
        assert answer.is_accepted, (key, answer)


def play(table: Table, chance: Random, until: Phase, deal: int = 1) -> None:
    """Let the machines play, and press OK for what is nobody's choice, until *until* of deal number *deal*
    has come."""
    for _ in range(1000):
        state = table.now.state
        if state.winner is not None or (
            state.phase is until and state.deal is not None and state.deal.number == deal
        ):
            return
        if isinstance(table.now.input_state.dialog, Undone):
            press(table, "OK")
            continue
        event = machine_event(state, chance)
        if event is None:
            press(table, "OK")
        else:
            assert table.do(Play(event, state), COMPUTER).is_accepted
    raise AssertionError("the game stands still")


def undo(table: Table, until: Phase, deal: int = 1) -> None:
    """Press UNDO until *until* of deal number *deal* is there again, with no card of it dealt."""
    for _ in range(1000):
        press(table, "UNDO")
        state = table.now.state
        number = state.deal.number if state.deal else 1
        if (state.phase, number) == (until, deal) and not (state.deal and any(state.deal.dealt)):
            press(table, "OK")  # leave what was taken back
            return
    raise AssertionError("UNDO does not lead there")


def is_won(table: Table) -> bool:
    return table.now.state.winner is not None


def by_chance(table: Table) -> list[Event]:
    """Return what chance has given in this game so far."""
    kinds = (PackShuffled, CardCut, DealerChosen)
    return [moment.event for moment in table.now.log if isinstance(moment.event, kinds)]


def pack(table: Table) -> tuple[Card, ...]:
    """Return the pack that was shuffled last."""
    return [event.cards for event in by_chance(table) if isinstance(event, PackShuffled)][-1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_undo_and_ok_deal_the_same_cards_as_often_as_one_likes(tmp_path: Path, players: int) -> None:
    with opened(tmp_path / "journal.db", players) as table:
        play(table, Random(1), Phase.DEAL)
        press(table, "OK")
        first = pack(table)
        for _ in range(5):
            press(table, "UNDO OK OK")
            assert pack(table) == first
        play(table, Random(1), Phase.DEAL, 2)
        press(table, "OK")
        second = pack(table)
        assert second != first
        press(table, "UNDO OK OK")
        assert pack(table) == second


def test_a_cut_comes_back_with_the_same_card(tmp_path: Path) -> None:
    with opened(tmp_path / "journal.db", 3) as table:
        press(table, "OK OK OK OK OK")
        cuts = by_chance(table)
        assert len(cuts) == 3
        for back in (1, 2, 3, 3):
            press(table, f"{'UNDO ' * back} OK {'OK ' * back}")
            assert by_chance(table) == cuts


@pytest.mark.parametrize("way", ["random", "low-cut"])
def test_who_deals_first_by_chance_deals_first_again(tmp_path: Path, way: str) -> None:
    with opened(tmp_path / "journal.db", 4, first_dealer=way) as table:
        play(table, Random(1), Phase.DEAL)
        deal = table.now.state.deal
        assert deal is not None
        for _ in range(6):
            undo(table, Phase.CUT)
            play(table, Random(1), Phase.DEAL)
            assert table.now.state.deal == deal


@pytest.mark.parametrize("entry", ["cards", "peg"])
def test_a_dealer_who_was_drawn_is_drawn_again_also_with_real_cards(tmp_path: Path, entry: str) -> None:
    with opened(tmp_path / "journal.db", first_dealer="random") as table:
        table.do(ChangeNextGame(Changes(entry=entry, levels=("", ""))))
        press(table, "OK OK")
        dealer = table.now.state.first_dealer
        for _ in range(3):
            press(table, "UNDO OK OK")
            assert table.now.state.first_dealer == dealer


@pytest.mark.parametrize("players", [2, 3, 4])
def test_after_undo_far_back_the_same_deals_come_also_where_they_are_played_otherwise(
    tmp_path: Path, players: int
) -> None:
    path = tmp_path / "journal.db"
    with opened(path, players) as table:
        play(table, Random(1), Phase.PLAY, 3)
        given = by_chance(table)
    for seed, (until, deal) in enumerate([(Phase.DEAL, 2), (Phase.DEAL, 1), (Phase.CUT, 1), (Phase.DEAL, 3)]):
        with opened(path, players) as table:
            undo(table, until, deal)
        with opened(path, players) as table:
            play(table, Random(seed), Phase.PLAY, 3)
            assert by_chance(table) == given, "also over a restart between UNDO and OK"


def test_the_start_of_a_game_taken_back_and_done_again_is_the_same_game(tmp_path: Path) -> None:
    with opened(tmp_path / "journal.db", target=31) as table:
        play(table, Random(1), Phase.PLAY)
        given = by_chance(table)
        while table.now.state.phase is not Phase.IDLE:
            press(table, "UNDO")
        press(table, "OK OK OK")
        play(table, Random(2), Phase.PLAY)
        assert by_chance(table) == given
        play(table, Random(2), Phase.GAME_OVER)
        press(table, "OK")
        play(table, Random(2), Phase.PLAY)
        second = by_chance(table)
        assert second[-1] != given[-1]
        while not is_won(table):
            press(table, "UNDO")
        press(table, "OK OK")
        play(table, Random(3), Phase.PLAY)
        assert by_chance(table) == second, "the next game of the match"


def test_a_game_begun_again_after_a_step_before_it_was_taken_back_too_is_the_same_game(
    tmp_path: Path,
) -> None:
    with opened(tmp_path / "journal.db") as table:
        press(table, "OK OK P1 OK")
        play(table, Random(1), Phase.CRIB)
        press(table, "MENU UP UP UP UP UP OK OK P1 OK")
        second = pack(table)
        for _ in range(3):
            press(table, "UNDO UNDO UNDO UNDO OK OK")
            assert table.now.state.phase is Phase.CRIB, "the dealer's hand was shown again"
            press(table, "MENU UP UP UP UP UP OK OK P1 OK")
            assert pack(table) == second


def test_a_new_game_has_cards_of_its_own(tmp_path: Path) -> None:
    packs = []
    with opened(tmp_path / "journal.db") as table:
        for start in ("OK OK", "MENU UP UP UP UP UP OK OK", "MENU UP UP UP UP UP OK 2 P2 OK"):
            press(table, start)
            play(table, Random(1), Phase.DEAL)
            press(table, "OK")
            packs.append(pack(table))
        assert len(set(packs)) == 3
        while table.now.state.phase is not Phase.IDLE:
            press(table, "UNDO")
        press(table, "OK OK 4 P2 OK")
        play(table, Random(1), Phase.DEAL)
        press(table, "OK")
        assert pack(table) not in packs, "by other rules it is another game"


def test_with_another_first_dealer_the_cards_are_others_so_that_nobody_knows_the_other_hand(
    tmp_path: Path,
) -> None:
    with opened(tmp_path / "journal.db") as table:
        press(table, "OK OK P1 OK")
        dealt_by_first = pack(table)
        undo(table, Phase.CUT)
        press(table, "P2 OK")
        assert pack(table) != dealt_by_first
        undo(table, Phase.CUT)
        press(table, "P1 OK")
        assert pack(table) == dealt_by_first


def test_a_misdeal_is_dealt_anew_and_that_pack_stays_too(tmp_path: Path) -> None:
    with opened(tmp_path / "journal.db") as table:
        press(table, "OK OK P1 OK")
        first = pack(table)
        assert table.do(Play(Misdealt(), table.now.state), COMPUTER).is_accepted
        press(table, "OK")
        again = pack(table)
        assert again != first
        press(table, "UNDO OK OK")
        assert pack(table) == again
        undo(table, Phase.CUT)
        press(table, "P1 OK")
        assert pack(table) == first
        assert table.do(Play(Misdealt(), table.now.state), COMPUTER).is_accepted
        press(table, "OK")
        assert pack(table) == again


def test_games_with_paper_cards_leave_a_drawn_dealer_to_chance(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    draws = iter((0, 1))
    try:
        table = Table(journal, formatter=AS_JSON, clock=clock(), draw=lambda: next(draws), setup=NextGame())
        press(table, "OK OK OK UNDO OK OK")
        assert by_chance(table) == [DealerChosen(1)]
    finally:
        journal.close()


def test_an_undone_step_that_was_damaged_does_not_stop_the_deal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with opened(path) as table:
        press(table, "OK OK P1 OK")
        first = pack(table)
        press(table, "UNDO OK OK UNDO UNDO OK P1")
    with sqlite3.connect(path) as db:
        [(row,)] = db.execute("SELECT max(id) FROM steps WHERE event LIKE 'pack %'")
        db.execute("UPDATE steps SET at = '2031' WHERE id = ?", (row,))
    db.close()
    with opened(path) as table:
        press(table, "OK")
        assert pack(table) == first, "the same pack stands in an earlier row"


def test_rows_of_the_first_version_are_found_too(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with opened(path) as table:
        press(table, "OK OK P1 OK")
        first = pack(table)
        press(table, "UNDO OK")
    with sqlite3.connect(path) as db:
        db.execute("UPDATE steps SET crc = NULL")
    db.close()
    with opened(path) as table:
        press(table, "OK")
        assert pack(table) == first


def test_no_presses_ever_bring_two_packs_to_one_place(tmp_path: Path, whole: bool) -> None:  # noqa: FBT001  a fixture
    """Whatever is pressed and taken back: the deal of one number by one dealer has one pack, and each cut one
    card."""
    for seed in range(100 if whole else 3):
        check_one_pack_a_place(tmp_path / f"{seed}.db", seed)


def check_one_pack_a_place(path: Path, seed: int) -> None:
    chance, known = Random(seed), dict[tuple[object, ...], Event]()
    with opened(path, 2 + seed % 3, 31) as table:
        press(table, "OK OK")
        for _ in range(150):
            state = table.now.state
            event = machine_event(state, chance) if table.now.input_state.dialog is None else None
            if event is not None and chance.random() < 0.9:
                assert table.do(Play(event, state), COMPUTER).is_accepted
            else:
                at_start = len(table.now.log) < 2
                key = "OK" if at_start else chance.choice(["OK", "OK", "OK", "OK", "UNDO", "UNDO", "UNDO"])
                with suppress(RuleError):
                    table.do(Press(key))
            cuts = 0
            for number, moment in enumerate(table.now.log):
                if isinstance(moment.event, CardCut):
                    cuts += 1
                    assert known.setdefault(("cut", cuts), moment.event) == moment.event
                if isinstance(moment.event, PackShuffled):
                    deal = table.now.log[number - 1].after.deal
                    assert deal is not None
                    place = ("pack", deal.number, deal.dealer)
                    assert known.setdefault(place, moment.event) == moment.event
            if table.now.state.winner is not None:
                press(table, "UNDO")
    assert len(known) > 2
