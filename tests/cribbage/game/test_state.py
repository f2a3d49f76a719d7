"""A state tells what it holds: what the last event came to, and what follows from it."""

from __future__ import annotations

from support.records import after

from cribpi.cribbage.game.events import GameStarted
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.words.log import LogEntry


def test_the_last_outcome_is_the_one_that_pegged() -> None:
    state = after('game "A" "B" dealer=1', "starter 9", "play 0:10 1:9 0:8 1:lead:K")
    assert len(state.outcomes) == 2
    assert state.last == state.outcomes[0]
    assert [score.kind for score in state.outcomes[0].scores] == [Kind.GO]


def test_an_event_that_pegs_nothing_belongs_to_the_deal_that_is() -> None:
    for lines, deal in (('game "A" "B"',), 0), (('game "A" "B" dealer=1', "starter 9"), 1):
        state = after(*lines)
        assert LogEntry(state, GameStarted(("A", "B"), state.rules), state).deal == deal


def test_partners_without_names_go_by_their_colour() -> None:
    unnamed = after('game "ORANGE" "BLUE" "ORANGE 2" "BLUE 2"')
    assert [unnamed.side_name(0), unnamed.spoken_side(1)] == ["ORANGE", "BLUE"]
    named = after('game "Ann" "BLUE" "Ann 2" "Bob"')
    assert [named.side_name(0), named.side_name(1)] == ["Ann+Ann 2", "BLUE+Bob"]
    assert named.spoken_side(1) == "BLUE and Bob"


def test_each_of_four_seats_shows_its_hand_before_the_crib() -> None:
    lines = (
        'game "A" "B" "C" "D" dealer=3',
        "starter 5",
        "play 0:10 1:5 2:7 3:7 0:A 1:A 2:10 3:10 0:6 1:5 2:9 3:9 0:8 1:5 2:K 3:J",
    )
    phases = [after(*lines, *(f"show {seat}" for seat in range(shown))).phase for shown in range(5)]
    assert phases == [Phase.SHOW] * 4 + [Phase.CRIB]
