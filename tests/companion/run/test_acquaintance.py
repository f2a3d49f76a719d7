"""What the computer remembers of a person: the last games for two under that name, and nothing else."""

from __future__ import annotations

import logging
from pathlib import Path
from random import Random

import pytest
from support.greedy_games import greedy_game, journal_of

from cribpi.companion.run.player_memory import GAMES, remembered
from cribpi.companion.table.machine_seats import MachinePlayers
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import PlayedDeal
from cribpi.cribbage.game.events import CardPlayed, Event
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.players.opponent import Greedy

ANN, HARD = ("", "expert"), ("expert", "")


def played(events: list[Event]) -> tuple[PlayedDeal, ...]:
    return fold(events).played_deals


def test_the_last_games_are_remembered_oldest_first_as_if_the_person_always_sat_in_seat_0(
    tmp_path: Path,
) -> None:
    games = [greedy_game(seed, ("ANN", "BLUE"), 31, ANN) for seed in range(GAMES)]
    across = greedy_game(50, ("BLUE", "ANN"), 31, HARD)
    journal_of(tmp_path, *games, across)
    found = remembered(tmp_path, "ANN")
    expected = [deal for events in games[1:] for deal in played(events)]
    turned = [deal.with_seats_swapped() for deal in played(across)]
    assert list(found) == expected + turned
    assert turned[0] != played(across)[0]
    assert turned[0].with_seats_swapped() == played(across)[0]


def test_of_whom_nobody_chose_the_name_or_has_not_played_nothing_is_remembered(tmp_path: Path) -> None:
    journal_of(
        tmp_path,
        greedy_game(1, ("ORANGE", "BLUE"), 31),
        greedy_game(2, ("ANN", "BOB", "CLEO"), 31),
        greedy_game(3, ("DAN", "BLUE"), 31, ("solid", "")),
        greedy_game(4, ("EVE", "BLUE"), 31)[:-1],
        greedy_game(5, ("You", "Hard"), 31, ANN),
    )
    for name in ("ORANGE", "BLUE", "You", "Hard", "ANN", "DAN", "EVE", "nobody"):
        assert remembered(tmp_path, name) == ()


def test_at_five_card_nothing_is_seen_that_tells_how_somebody_plays_with_four(tmp_path: Path) -> None:
    games = [greedy_game(seed, ("ANN", "BLUE"), 31, ANN, "five-card") for seed in range(4)]
    assert any(map(played, games))
    journal_of(tmp_path, *games)
    assert remembered(tmp_path, "ANN") == ()


def test_without_a_journal_nothing_is_remembered_and_the_log_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert remembered(tmp_path, "ANN") == ()
    assert "the computer does not know ANN's earlier games" in caplog.text


class Watching:
    """An opponent that keeps what it sees in the play."""

    def __init__(self) -> None:
        self.seen: list[SeatSight] = []

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return Greedy().discard(sight)

    def play(self, sight: SeatSight) -> Card:
        self.seen.append(sight)
        return Greedy().play(sight)


@pytest.mark.parametrize(
    ("names", "levels", "seat", "is_known"),
    [
        (("ANN", "BLUE"), ("", "expert"), 1, True),
        (("BLUE", "ANN"), ("expert", ""), 0, True),
        (("ANN", "BLUE"), ("", "solid"), 1, False),
        (("ANN", "BLUE"), ("thrifty", "expert"), 1, False),
        (("ANN", "BOB", "BLUE"), ("", "", "expert"), 2, False),
    ],
)
def test_only_a_level_that_reads_gets_to_know_and_only_of_the_one_person_across(
    names: tuple[str, ...], levels: tuple[str, ...], seat: int, *, is_known: bool
) -> None:
    past, asked, watching = played(greedy_game(7, ("ANN", "BLUE"), 61)), [], Watching()

    def remember(name: str) -> tuple[PlayedDeal, ...]:
        asked.append(name)
        return past

    players = MachinePlayers(Random(1), lambda _level, _chance: watching, remember=remember)
    known = past if names[0] == "ANN" else tuple(deal.with_seats_swapped() for deal in past)
    for state in _decisions(greedy_game(8, names, 61, levels), seat):
        before = len(watching.seen)
        players.decide(state, seat)
        for sight in watching.seen[before:]:
            assert sight.past == ((*known, *state.past) if is_known else state.past)
    assert len(watching.seen[-1].past) > len(known) * is_known, "of this game too"
    assert asked == ["ANN"] * is_known


def _decisions(events: list[Event], seat: int) -> list[State]:
    """Return where *seat* has played a card while others fitted."""
    state, found = NEW_TABLE, []
    for event in events:
        if isinstance(event, CardPlayed) and event.seat == seat:
            found.append(state)
        state = step(state, event)
    return found
