"""How a game stands, in short: as the journal keeps it and a list of games shows it."""

from __future__ import annotations

import json

import pytest
from support.records import after

from cribpi.cribbage.game.state import State
from cribpi.cribbage.results.games import listing_of, read_listing

GAMES = [
    # lines                                                          as a list shows it
    (
        ('game "ANN" "BOB" dealer=1', "penalty 0 5"),
        ("ANN and BOB", "to 121, standard", "ANN 5, BOB 0", "not over"),
    ),
    (
        ('game "A" "B" "C" "D" target=61 dealer=1 entry=peg', "penalty 1 60", "penalty 1 1"),
        ("A+C and B+D", "to 61, standard", "A+C 0, B+D 61", "B+D has won"),
    ),
]


@pytest.mark.parametrize(("lines", "shown"), GAMES)
def test_a_game_is_told_in_short(lines: tuple[str, ...], shown: tuple[str, ...]) -> None:
    standing = listing_of(after(*lines))
    assert (standing.side_names(), standing.of_the_game(), standing.scores(), standing.outcome()) == shown


@pytest.mark.parametrize(("lines", "shown"), GAMES)
def test_what_the_journal_keeps_reads_back_as_the_same(
    lines: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    standing = listing_of(after(*lines))
    assert read_listing(standing.text()) == standing, shown


def test_the_fields_are_those_of_the_list_in_json() -> None:
    state: State = after('game "ANN" "BOB" dealer=1 entry=peg', "penalty 1 7")
    assert json.loads(listing_of(state).text()) == {
        "rules": "standard",
        "target": 121,
        "entry": "peg",
        "seats": ["ANN", "BOB"],
        "sides": [{"name": "ANN", "score": 0}, {"name": "BOB", "score": 7}],
        "winner": None,
    }
