"""A recorded game of each preset: the sheets' own examples in it, each count explained, each score
checked."""

from __future__ import annotations

import re

import pytest
from support import paths
from support.recorded import GAMES, Game, recorded

from cribpi.cribbage.game import events
from cribpi.cribbage.game.show import Kind, total
from cribpi.cribbage.game.state import Outcome, State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.record import Comment, parse, parse_places, print_record
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import preset

ALL = [pytest.param(game, id=game.name) for game in GAMES]


def text_of(game: Game) -> str:
    return (paths.GAMES / f"{game.name}.crib").read_text(encoding="utf-8")


def played(name: str) -> list[tuple[events.Event, State]]:
    """Return each event of a record with the state after it."""
    state, line = State(), []
    for entry in parse((paths.GAMES / f"{name}.crib").read_text(encoding="utf-8")):
        if not isinstance(entry, Comment):
            state = step(state, entry)
            line.append((entry, state))
    return line


@pytest.mark.parametrize("name", ["travel-61", "travel-121"])
def test_a_record_of_the_first_travel_preset_is_played_as_it_was_and_printed_as_it_was(name: str) -> None:
    """It paid nothing for the last card, and its records do not say so."""
    text = (paths.DATA / f"{name}-first.crib").read_text(encoding="utf-8")
    assert print_record(parse(text)) == text
    told = [line for line in text.splitlines() if line.startswith("# = ")]
    state, seen, last = State(), 0, 0
    for entry in parse(text):
        if isinstance(entry, Comment):
            if entry.text.startswith("= "):
                scores = tuple(int(found) for found in re.findall(r" ([0-9]+)(?:,|$)", entry.text))
                assert state.scores() == scores
                seen += 1
            continue
        state = step(state, entry)
        last += any(score.kind is Kind.LAST for one in state.outcomes for score in one.scores)
    assert (seen, last, state.rules.last_card) == (len(told), 0, 0)
    assert state.winner is not None


def test_every_preset_has_a_game_for_each_number_of_players_that_it_knows() -> None:
    known = {(name, players) for name in rulebook().presets for players in find_preset(name).players}
    assert {(game.preset, game.players) for game in GAMES} == known


@pytest.mark.parametrize("game", ALL)
def test_each_recorded_game_is_as_the_referee_has_played_it(game: Game) -> None:
    assert print_record(recorded(game)) == text_of(game)


@pytest.mark.parametrize("game", ALL)
def test_each_score_and_count_that_a_comment_tells_is_what_the_engine_has(game: Game) -> None:
    state, told, awaited = State(), 0, None
    for line, _, entry in parse_places(text_of(game)):
        if isinstance(entry, Comment):
            if entry.text.startswith("= "):
                scores = tuple(int(found) for found in re.findall(r" ([0-9]+)(?:,|$)", entry.text))
                assert state.scores() == scores, f"line {line}"
                told += 1
            elif found := re.fullmatch(r".* with \S+: (.*) = ([0-9]+)(?:; ([0-9]+) counted)?", entry.text):
                awaited = found
            continue
        state = step(state, entry)
        if isinstance(entry, events.HandShown | events.CribShown):
            assert awaited is not None, f"line {line}: each count is explained"
            parts = [int(points) for points in re.findall(r"([0-9]+) [a-z]", awaited[1])]
            assert sum(parts) == int(awaited[2])
            outcome = state.outcomes[0]
            assert total(outcome.scores) == int(awaited[2]), f"line {line}"
            assert outcome.counted_by_player == (int(awaited[3]) if awaited[3] else None)
            awaited = None
    assert told > 5
    assert state.winner is not None
    assert state.rules == preset(game.preset, game.players)


PLAYS = [
    # record           deal  what each card and go pegs, by the sheet
    ("standard-2", 1, "0 2 2 0 0 3 1 0 0 1"),
    ("standard-2", 2, "0 2 2 0 0 1 0"),
    ("standard-2", 3, "0 0 3 4 5"),
    ("standard-2", 4, "0 0 3 3 0"),
    ("standard-3", 1, "0 0 5"),
    ("standard-4", 1, "0 0 5"),
    ("lowe-2", 1, "0 0 5"),
    ("lowe-2", 2, "0 2 0 0 0 7"),
    ("lowe-2", 4, "0 2 2 0 0 3 1 0 0 1"),
    ("lowe-3", 1, "0 0 5"),
    ("lowe-4", 1, "0 0 5"),
    ("use-and-care-2", 1, "0 0 0 4 5"),
    ("use-and-care-2", 2, "0 2 2 0 0 3 1"),
    ("travel-61-2", 3, "0 2 2 0 0 3 1 0 0 1"),
]
"""lowe's 6, 4, 5 is a run for three and fifteen for two; over a go, two threes of one's own are no pair by
its rules, and the third is six with one for the go."""


@pytest.mark.parametrize(("name", "deal", "pegs"), PLAYS)
def test_the_sheets_examples_of_the_play_peg_what_the_sheets_say(name: str, deal: int, pegs: str) -> None:
    found = []
    for event, state in played(name):
        is_play = isinstance(event, events.CardPlayed | events.GoSaid)
        if is_play and state.deal is not None and state.deal.number == deal:
            found.append(sum(one.points for one in state.outcomes))
    expected = [int(points) for points in pegs.split()]
    assert found[: len(expected)] == expected
    if name == "use-and-care-2" and deal == 2:
        assert len(found) == len(expected), "play now ends for this deal"


SHOWS = [
    # record           deal  pone, dealer or crib  points  why
    ("standard-2", 5, 0, 10, "K J 5 5: eight for fifteens, and the pair (board-set)"),
    ("standard-2", 6, 0, 12, "6-7-7-8 (board-set)"),
    ("computer-game-2", 1, 0, 10, "K J 5 5 (computer-game)"),
    ("computer-game-2", 2, 0, 12, "6-7-7-8 (computer-game)"),
    ("computer-game-2", 3, 2, 4, "the crib is tallied the same as a hand"),
    ("computer-game-3", 1, 0, 10, "K J 5 5 (computer-game)"),
    ("travel-61-2", 1, 0, 8, "a double run of three"),
    ("travel-61-2", 2, 2, 4, "four in the crib: the sheet makes no exception"),
    ("travel-121-2", 1, 0, 8, "a double run of three"),
    ("travel-121-2", 2, 0, 10, "a double run of four"),
    ("travel-121-2", 3, 0, 15, "a triple run"),
    ("travel-121-2", 4, 0, 16, "a quadruple run"),
    ("acc-2", 1, 0, 12, "7 8 8 K with 9 (board-set)"),
    ("acc-2", 2, 2, 0, "a crib wants five of a suit"),
    ("acc-muggins-2", 1, 0, 12, "7 8 8 K with 9 (board-set)"),
    ("acc-muggins-2", 2, 0, 10, "K J 5 5"),
]


@pytest.mark.parametrize(("name", "deal", "place", "points", "why"), SHOWS)
def test_the_sheets_examples_of_the_show_are_worth_what_the_sheets_say(
    name: str, deal: int, place: int, points: int, why: str
) -> None:
    shown: list[Outcome] = []
    started = 0
    for event, state in played(name):
        started += isinstance(event, events.StarterTurned)
        if isinstance(event, events.HandShown | events.CribShown) and started == deal:
            shown.append(state.outcomes[0])
    assert total(shown[place].scores) == points, why


@pytest.mark.parametrize(("name", "deal", "points"), [("lowe-2", 3, 2), ("computer-game-2", 4, 0)])
def test_a_jack_turned_up_is_two_for_his_heels_but_where_a_sheet_never_names_it(
    name: str, deal: int, points: int
) -> None:
    turned = [state for event, state in played(name) if isinstance(event, events.StarterTurned)]
    state = turned[deal - 1]
    assert state.deal is not None
    assert str(state.deal.starter) == "JS"
    heels = [one for one in state.outcomes if isinstance(one.event, events.StarterTurned)]
    assert sum(one.points for one in heels) == points


@pytest.mark.parametrize("name", ["acc-2", "acc-muggins-2"])
def test_the_games_of_the_congress_hold_every_mishap(name: str) -> None:
    line = played(name)
    kinds = {type(event) for event, _ in line}
    assert kinds >= {events.Misdealt, events.FalseWinRuled, events.RenegeRuled, events.HeelsTaken}
    shows = [
        state.outcomes for event, state in line if isinstance(event, events.HandShown | events.CribShown)
    ]
    assert any((one[0].counted_by_player or 0) > total(one[0].scores) for one in shows), "an overclaim"
    assert any(one[0].missed for one in shows), "a miss"
    takes = any(len(outcomes) == 2 for outcomes in shows)
    calls = any(isinstance(event, events.MugginsCalled) and not event.is_right for event, _ in line)
    assert (takes, calls) == (name == "acc-muggins-2",) * 2, "muggins, taken rightly and called wrongly"
