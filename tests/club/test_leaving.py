"""Players who leave: what becomes of the game that is on, and who lost one because of it is made whole."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

pytest.importorskip("networkx", reason="the extra club is not installed")

from club.test_night import drawn, next_round, opened, over, won
from support.refusals import refused

from cribpi.club.entries import (
    Arrived,
    Gone,
    Reported,
    RoundOpened,
    TakenBack,
    after,
    from_json,
    night_of,
    opening,
    to_json,
)
from cribpi.club.night import Night
from cribpi.club.standings import Result
from cribpi.cribbage.rules.errors import RuleError


def some_end(night: Night, chance: Random) -> Night:
    """Return *night* once a game of its round has ended."""
    table = chance.choice(night.missing)
    return after(night, Reported(won(night, table.board, chance.randrange(121), chance.randrange(2)), "oak"))


def night_with_leavers(seed: int) -> tuple[Night, Counter[str], set[str]]:
    """Return a night of nine games, how often each lost a game to an opponent who left, and who ever left."""
    chance = Random(seed)
    night = night_of(drawn(tuple(f"P{at}" for at in range(chance.randint(10, 24))), 9))
    lost: Counter[str] = Counter()
    leavers: set[str] = set()
    while night.round < 9:
        away = leavers - night.here
        night = next_round(night)
        if away and chance.random() < 0.3:
            night = after(night, Arrived(min(away)))
        while night.missing:
            if chance.random() < 0.02 and len(night.here) > 6:
                table = chance.choice(night.missing)
                leaver, other = chance.sample(table.players, 2)
                night = after(night, Gone(leaver))
                leavers.add(leaver)
                lost[other] += 1
            else:
                night = some_end(night, chance)
    return night, lost, leavers


def test_on_30_nights_everybody_whose_opponent_left_is_offered_the_game_and_gets_it() -> None:
    nights = offered = 0
    for seed in range(30):
        night, lost, leavers = night_with_leavers(seed)
        victims = {one for one in lost if one in night.here}
        offered += len(victims)
        nights += bool(victims)
        assert victims <= set(night.short), seed
        assert {one for one in night.here - leavers if night.played[one] < 9} == set(night.short) - leavers
        while night.short:
            players = list(night.short)
            if len(players) % 2:  # somebody plays along
                rest = [one for one in night.names if one in night.here and one not in players]
                players.append(rest[0])
            night = over(after(night, opening(night, (), players)))
        assert all(len(one.card) == 9 for one in night.standings if one.player in night.here - leavers), seed
    assert nights >= 20
    assert offered >= 28, "as many as there were in a season of such nights"


def test_who_lost_a_game_by_another_leaving_sits_out_last() -> None:
    for seed in range(30):
        chance = Random(seed)
        night = next_round(night_of(drawn(tuple(f"P{at}" for at in range(8)), 7)))
        leaver, victim = chance.sample(chance.choice(night.missing).players, 2)
        night = over(after(night, Gone(leaver)))
        while night.round < night.games:
            night = next_round(night)
            assert victim not in night.opened[-1].sits_out, seed
            night = over(night)
        assert night.missed == dict.fromkeys((victim, *(o for r in night.opened for o in r.sits_out)), 1)


def test_a_card_of_who_plays_along_stays_as_it_is() -> None:
    night = opened(games=1)
    table, other = night.missing
    leaver, victim = table.players
    night = over(after(night, Gone(leaver)))
    assert night.short == (victim,)
    said = refused(RuleError, opening, night)
    assert said == "an extra game needs two: choose who plays along"
    along = other.players[1]
    assert refused(RuleError, opening, night, (), (victim, *other.players)).startswith("an odd number")
    said = refused(RuleError, after, night, RoundOpened(2, (other.players,)))
    assert "all games" in said
    was = {one.player: one for one in night.standings}
    night = after(night, opening(night, (), (victim, along)))
    seat = night.missing[0].players.index(along)
    night = after(night, Reported(won(night, 1, 3, seat), "oak"))
    now = {one.player: one for one in night.standings}
    assert now[along].card == was[along].card
    assert [(line.opponent, line.spread) for line in now[victim].card] == [(along, -118)]
    assert night.is_over
    assert not night.short
    assert refused(RuleError, opening, night) == "all games have been played"
    again = after(night, TakenBack(2, 1, "the desk"))
    assert not again.is_over, "it is played on"


def test_who_finishes_a_game_before_leaving_is_waited_for() -> None:
    night = opened(games=3)
    one, other = night.missing[0].players
    night = after(after(night, Gone(one, finishes=True)), Reported(won(night, 2), "oak"))
    assert [table.board for table in night.missing] == [1]
    assert refused(RuleError, opening, night).endswith("at board 1")
    night = after(night, Reported(won(night, 1), "oak"))
    assert one not in next_round(night).opened[-1].players
    assert not night.missed
    both = after(after(opened(), Gone(one, finishes=True)), Gone(other))
    assert [table.board for table in both.missing] == [2], "now nobody finishes it"
    assert both.missed == {one: 1}


def test_who_comes_back_to_the_game_has_not_left_it() -> None:
    night = opened(games=1)
    one, other = night.missing[0].players
    left = after(night, Gone(one))
    assert left.missed == {other: 1}
    back = after(left, Arrived(one))
    assert not back.missed
    assert back.missing == night.missing


def test_who_comes_back_once_the_night_is_over_is_owed_nothing() -> None:
    night = opened(games=1)
    one, other = night.missing[0].players
    night = after(over(after(night, Gone(one))), Arrived(one))
    assert night.is_over
    assert night.short == (other,)


def test_who_left_an_own_game_is_owed_none_and_who_came_late_neither() -> None:
    night = opened(games=2)
    one, other = night.missing[0].players
    night = after(next_round(over(after(night, Gone(one)))), Arrived(one))
    night = over(night)
    assert set(night.short) == {other, *night.opened[-1].sits_out}
    assert set(night.may_play_more) == {one, *night.short}
    night = after(night, opening(night, (), (one, other)))
    assert night.round == 3


def test_a_log_from_before_that_was_asked_is_read() -> None:
    assert from_json({"kind": "Gone", "player": "ANN"}) == Gone("ANN")
    assert to_json(Gone("ANN", finishes=True)) == {"kind": "Gone", "player": "ANN", "finishes": True}


def test_a_forfeit_makes_whole_at_once() -> None:
    night = opened(games=1)
    one, other = night.missing[0].players
    night = after(night, Reported(Result(1, 1, other, one, 0, forfeit=True), "the desk"))
    night = after(night, Gone(one))
    assert not night.missed
    assert night.standings[0].player == other
