"""Matches: when they are over, what a game is worth, and what is carried to the next one."""

from __future__ import annotations

import pytest

from cribpi.cribbage.game.match import Tally, after_game, is_decided, leaders
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.record import parse_event, print_event
from cribpi.cribbage.results.games import next_game
from cribpi.cribbage.rules import errors
from cribpi.cribbage.rules.rules import Rules


def won(state: State, winner: int, losers: int = 100) -> State:
    """Let side *winner* win at once, all others on the score *losers*."""
    for side in range(state.sides):
        if side != winner and losers:
            state = step(state, parse_event(f"put-right {side} {losers}"))
    return step(state, parse_event(f"put-right {winner} {state.rules.target}"))


def match(options: str, wins: str, names: str = '"A" "B"') -> list[State]:
    """Play a game for each side in *wins*, which wins it; return the states in which they end."""
    state, ends = step(NEW_TABLE, parse_event(f"game {names} dealer=0 entry=peg {options}")), []
    for place, winner in enumerate(wins):
        if place:
            state = step(state, next_game(state))
        state = won(state, int(winner))
        ends.append(state)
    return ends


THREE = '"A" "B" "C"'
DECIDED = [
    # match         wins     names    over  winners  why
    ("open", "0000000", '"A" "B"', False, (), "game after game, and never over"),
    ("first-to-1", "1", '"A" "B"', True, (1,), "one game"),
    ("first-to-3", "00", '"A" "B"', False, (), "two are not three"),
    ("first-to-3", "01010", '"A" "B"', True, (0,), "three of five"),
    ("first-to-3", "0101", '"A" "B"', False, (), "two each"),
    ("first-to-2", "0122", THREE, True, (2,), "the first of three to have two"),
    ("best-of-1", "0", '"A" "B"', True, (0,), "the only one"),
    ("best-of-5", "000", '"A" "B"', True, (0,), "nobody can come up with three of five"),
    ("best-of-5", "00", '"A" "B"', False, (), "two of five are not most"),
    ("best-of-4", "0101", '"A" "B"', True, (0, 1), "all are played, and all is equal"),
    ("best-of-4", "010", '"A" "B"', False, (), "one is left to play"),
    ("best-of-3", "012", THREE, True, (0, 1, 2), "a game each"),
    ("best-of-5", "01201", THREE, True, (0, 1), "two each, and one"),
]


@pytest.mark.parametrize(("kind", "wins", "names", "is_over", "winners", "why"), DECIDED)
def test_a_match_is_over_when_its_games_are_won_or_played(
    kind: str,
    wins: str,
    names: str,
    is_over: bool,  # noqa: FBT001 - a column of the table
    winners: tuple[int, ...],
    why: str,
) -> None:
    ends = match(f"match={kind}", wins, names)
    assert [end.phase for end in ends[:-1]] == [Phase.GAME_OVER] * (len(ends) - 1), why
    assert ends[-1].phase is (Phase.MATCH_OVER if is_over else Phase.GAME_OVER), why
    assert ends[-1].match_winners == winners, why


WORTH = [
    # options                      target loser  points skunks  why
    ("", 121, 91, 1, 0, "91 is not skunked"),
    ("", 121, 90, 2, 1, "90 is"),
    ("", 121, 61, 2, 1, "61 is no double skunk"),
    ("", 121, 60, 3, 1, "60 is"),
    ("", 121, 0, 3, 1, "so is nothing"),
    ("stake=2-3-3", 121, 100, 2, 0, "game points of the ACC"),
    ("stake=2-3-3", 121, 90, 3, 1, "three for a skunk"),
    ("stake=2-3-3", 121, 20, 3, 1, "and no more for a double one"),
    ("stake=1-2-4", 121, 60, 4, 1, "four where the house says so"),
    ("stake=1-1-1", 121, 10, 1, 1, "every game counts one"),
    ("skunk=off double_skunk=off", 121, 10, 1, 0, "no skunks"),
    ("double_skunk=off", 121, 10, 2, 1, "a skunk and no double"),
    ("target=61", 61, 31, 1, 0, "31 of 61 is not skunked"),
    ("target=61", 61, 30, 2, 1, "30 is"),
    ("target=61", 61, 0, 2, 1, "and there is no double skunk"),
]


@pytest.mark.parametrize(("options", "target", "loser", "points", "skunks", "why"), WORTH)
def test_a_game_is_worth_its_stake(
    options: str, target: int, loser: int, points: int, skunks: int, why: str
) -> None:
    over = won(step(NEW_TABLE, parse_event(f'game "A" "B" dealer=0 {options}')), 0, loser)
    assert over.tally_now == (
        Tally(1, points, skunks, target - loser),
        Tally(0, 0, 0, loser - target),
    ), why
    assert over.tally == (Tally(), Tally()), "before this game there was nothing"
    assert next_game(over).tally == over.tally_now


def test_of_three_sides_each_loser_pays_by_his_own_score() -> None:
    start = step(NEW_TABLE, parse_event('game "A" "B" "C" dealer=0'))
    for line in ("put-right 1 95", "put-right 2 50", "put-right 0 121"):
        start = step(start, parse_event(line))
    assert start.tally_now == (Tally(1, 1 + 3, 1, 26 + 71), Tally(spread=-26), Tally(spread=-71))


def test_the_tally_is_carried_by_the_game_that_follows_and_by_its_line_of_the_record() -> None:
    [*_, end] = match("match=first-to-3 stake=2-3-3", "001")
    assert end.tally_now == (Tally(2, 4, 0, 21), Tally(1, 2, 0, -21))
    following = next_game(end)
    assert parse_event(print_event(following)) == following
    assert print_event(following).endswith("games=2-1 points=4-2 skunks=0-0 spread=21,-21")
    begun = step(end, following)
    assert begun.tally == begun.tally_now == end.tally_now
    assert begun.games == (2, 1)
    assert begun.scores() == (0, 0)


def test_after_a_match_the_next_begins_from_nothing() -> None:
    [*_, end] = match("match=first-to-2", "11")
    assert end.phase is Phase.MATCH_OVER
    following = next_game(end)
    assert following.tally == ()
    assert following.rules == end.rules
    begun = step(end, following)
    assert begun.games == (0, 0)
    assert begun.phase is Phase.DEAL
    with pytest.raises(errors.GameIsOver):
        step(end, parse_event("next"))


def test_who_leads_is_told_by_games_then_points_then_spread() -> None:
    assert leaders((Tally(2, 2, 0, -5), Tally(1, 9, 3, 90))) == (0,)
    assert leaders((Tally(2, 2, 0, -5), Tally(2, 3, 1, -90))) == (1,)
    assert leaders((Tally(2, 2, 0, -5), Tally(2, 2, 0, 5))) == (1,)
    assert leaders((Tally(1, 1, 0, 0), Tally(1, 1, 1, 0))) == (0, 1), "skunks are in the points"


def test_a_match_of_partners_is_one_of_two_sides() -> None:
    [*_, end] = match("match=first-to-2", "101", '"A" "B" "C" "D"')
    assert end.phase is Phase.MATCH_OVER
    assert end.games == (1, 2)


@pytest.mark.parametrize(
    ("match_", "games", "sides"),
    [("first-to-3", 3, None), ("best-of-5", 3, 5), ("best-of-4", 3, 4), ("open", None, None)],
)
def test_the_games_of_a_match_are_told(match_: str, games: int | None, sides: int | None) -> None:
    rules = Rules(match=match_)
    assert (rules.games_to_win, rules.games_in_match) == (games, sides)
    assert not is_decided((Tally(), Tally()), rules)
    assert is_decided(after_game((Tally(2), Tally(2)), (121, 0), 0, rules), rules) == (match_ != "open")
