"""Who meets whom: nobody twice where the numbers allow it, and all sit out alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribpi.club.entries import (
    Arrived,
    Begun,
    Gone,
    Listed,
    Planned,
    Reported,
    Seated,
    after,
    drawing,
    night_of,
    opening,
)
from cribpi.club.night import Night
from cribpi.club.pairings import Round, TablePairing, faults, matched, pairings
from cribpi.club.standings import Result


def names(many: int) -> list[str]:
    return [f"P{number}" for number in range(many)]


@given(st.integers(2, 41), st.integers(1, 60))
def test_everybody_plays_or_sits_out_and_nobody_meets_twice_too_soon(many: int, games: int) -> None:
    players = names(many)
    rounds = pairings(players, games)
    assert len(rounds) == games
    met: Counter[frozenset[str]] = Counter()
    out: Counter[str] = Counter(dict.fromkeys(players, 0))
    for number, one in enumerate(rounds, 1):
        here = [player for table in one.tables for player in table.players]
        assert sorted([*here, *one.sits_out]) == sorted(players)
        assert [table.board for table in one.tables] == list(range(1, many // 2 + 1))
        met.update(frozenset(table.players) for table in one.tables)
        out.update(one.sits_out)
        assert len(one.sits_out) == many % 2
        others = many - 1 + many % 2
        assert max(met.values()) <= -(-number // others)
        assert max(out.values()) - min(out.values()) <= 1


@given(st.integers(2, 41), st.integers(1, 40))
def test_nobody_always_has_the_same_seat(many: int, games: int) -> None:
    seats: dict[str, list[int]] = {player: [] for player in names(many)}
    for one in pairings(names(many), games):
        for table in one.tables:
            for seat, player in enumerate(table.players):
                seats[player].append(seat)
    for had in seats.values():
        assert abs(2 * sum(had) - len(had)) <= 2 + len(had) // 3, had


def test_a_second_cycle_exchanges_the_seats() -> None:
    rounds = pairings(names(6), 10)
    for first, second in zip(rounds[:5], rounds[5:], strict=True):
        assert [table.players for table in second.tables] == [table.players[::-1] for table in first.tables]


def test_whoever_stays_in_the_circle_changes_seats_each_round() -> None:
    first = [table for one in pairings(names(8), 7) for table in one.tables if "P0" in table.players]
    assert all(one.players.index("P0") != other.players.index("P0") for one, other in pairwise(first))


# --- once somebody has come or gone ---------------------------------------------------------------------


def random_night(chance: Random, seats: Sequence[Seated] = ()) -> Iterator[tuple[frozenset[str], Night]]:
    """Play nine rounds of a night on which players leave, come late and come back; yield each round's start:
    who was here then, and the night."""
    players = names(chance.randint(4, 16))
    each = [entry for player in players for entry in (Listed(player), Arrived(player))]
    chance.shuffle(players)
    night = night_of([Planned(9), *each, *(seat for seat in seats if seat.player in players)])
    night = after(night, drawing(night, chance) if seats else Begun(tuple(players)))
    while night.round < night.games:
        here, night = night.here, after(night, opening(night))
        yield here, night
        for _ in range(2):
            away = sorted(set(night.players) - night.here)
            what = chance.random()
            if what < 0.15 and len(night.here) > 3:
                night = after(night, Gone(chance.choice(sorted(night.here))))
            elif what < 0.25:
                late = f"P{len(night.players)}"
                night = after(after(night, Listed(late)), Arrived(late))
            elif what < 0.35 and away:
                night = after(night, Arrived(chance.choice(away)))
        for table in night.missing:
            winner, loser = chance.sample(table.players, 2)
            result = Result(night.round, table.board, winner, loser, chance.randrange(121))
            night = after(night, Reported(result, "the desk"))


def can_all_meet_anew(players: frozenset[str], met: set[frozenset[str]]) -> bool:
    """Tell whether *players*, an even number, can be paired so that none of *met* meets: by trying all."""
    if not players:
        return True
    one = min(players)
    return any(
        frozenset((one, other)) not in met and can_all_meet_anew(players - {one, other}, met)
        for other in players - {one}
    )


def test_nobody_sits_out_who_could_play_and_nobody_meets_twice_while_that_can_be(
    whole: bool,  # noqa: FBT001  a fixture
    figures: Callable[[str], None],
) -> None:
    nights, sat_out, unavoidable, again, meetings = 200 if whole else 12, 0, 0, 0, 0
    for seed in range(nights):
        out: Counter[str] = Counter()
        met: Counter[frozenset[str]] = Counter()
        for here, night in random_night(Random(seed)):
            *earlier, one = night.opened
            for table in earlier[-1].tables if earlier else ():  # of whom one left
                if night.result(night.round - 1, table.board) is None:
                    out.update(set(table.players) - {who for at, who in night.left if at == night.round - 1})
            playing = [player for table in one.tables for player in table.players]
            assert sorted([*playing, *one.sits_out]) == sorted(here), "everybody who is here, once"
            assert len(one.sits_out) == len(here) % 2
            fewest = {player for player in here if out[player] == min(out[other] for other in here)}
            assert fewest.issuperset(one.sits_out)
            pairs = {frozenset(table.players) for table in one.tables}
            if pairs & set(met):
                ways = [here - {player} for player in fewest] if len(here) % 2 else [here]
                assert not any(can_all_meet_anew(way, set(met)) for way in ways)
            out.update(one.sits_out)
            sat_out, unavoidable = sat_out + len(one.sits_out), unavoidable + len(here) % 2
            again, meetings = again + len(pairs & set(met)), meetings + len(pairs)
            met.update(pairs)
    figures(
        f"{nights} nights: {sat_out} sit-outs, of which {unavoidable} can't be helped; "
        f"{again} of {meetings:,} games between two who had met, in rounds in which that can't be helped"
    )
    assert sat_out == unavoidable


def test_of_ten_of_whom_two_leave_all_eight_play_every_round() -> None:
    """Once two of eight sat out in every round from the third on."""
    players = tuple(names(10))
    night = night_of(
        [*(entry for one in players for entry in (Listed(one), Arrived(one))), Planned(9), Begun(players)]
    )
    for number in range(1, 10):
        night = after(night, opening(night))
        if number < 3:
            night = after(night, Gone(f"P{number}"))
        for table in night.missing:
            night = after(night, Reported(Result(number, table.board, *table.players, 90), "the desk"))
    assert [len(one.sits_out) for one in night.opened] == [0, 1, *[0] * 7]
    met = [frozenset(table.players) for one in night.opened for table in one.tables]
    eight = sorted(night.here)
    assert set(map(frozenset, combinations(eight, 2))) <= set(met), "whoever can meet, meets"


def test_a_round_is_chosen_with_those_to_come_in_mind() -> None:
    """Of six who have played two rounds, a third one may leave two threes in which everybody has met."""
    for seed in range(30):
        players = names(6)
        Random(seed).shuffle(players)
        rounds = list(pairings(players, 1))
        while len(rounds) < 5:
            rounds.append(matched(names(6), rounds, 5))
        met = [frozenset(table.players) for one in rounds for table in one.tables]
        assert len(met) == len(set(met)) == 15, seed


def test_who_has_had_the_first_seat_more_often_gets_the_second() -> None:
    earlier = [
        Round((TablePairing(1, ("A", "C")), TablePairing(2, ("B", "D")))),
        Round((TablePairing(1, ("A", "D")), TablePairing(2, ("B", "C")))),
    ]
    assert {table.players for table in matched(["A", "B", "C", "D"], earlier, 4).tables} == {
        ("A", "B"),
        ("C", "D"),
    }
    later = [*earlier, matched(["A", "B", "C", "D"], earlier, 4)]
    assert {table.players[0] for table in matched(["A", "B", "C", "D"], later, 4).tables} == {"C", "D"}


def test_a_large_night_is_paired_without_a_plan() -> None:
    players = names(60)
    rounds = [pairings(players, 1)[0]]
    for _ in range(2):
        rounds.append(matched(players[1:], rounds, 9))
    met = [frozenset(table.players) for one in rounds for table in one.tables]
    assert len(met) == len(set(met))


# --- couples, car pools, and who can't move --------------------------------------------------------------


def test_who_comes_together_meets_only_if_two_would_meet_again(whole: bool) -> None:  # noqa: FBT001  a fixture
    clashes = 0
    for seed in range(100 if whole else 15):
        seats = [Seated(f"P{at}", f"car {at // 2}") for at in range(6)]
        met: set[frozenset[str]] = set()
        rounds = list(random_night(Random(seed), seats))
        drawn = pairings(rounds[0][1].drawn, 9)
        for here, night in rounds:
            one = night.opened[-1]
            couples = set(night.kept_apart(night.round))  # who comes late has not been seated
            as_drawn = one.pairs == drawn[night.round - 1].pairs
            if one.pairs & couples and not as_drawn:
                clashes += 1
                ways = [here - set(one.sits_out)]
                assert not any(can_all_meet_anew(way, met | couples) for way in ways)
            met |= one.pairs
    assert clashes, "it can't always be helped"


@pytest.mark.parametrize("number", [16, 17, 24, 30])
def test_the_draw_keeps_couples_and_car_pools_apart(number: int) -> None:
    players, parties = names(number), ["Smith"] * 2 + ["Jones"] * 2 + ["car 1"] * 4
    seats = [Seated(player, party) for player, party in zip(players, parties, strict=False)]
    here = [entry for player in players for entry in (Listed(player), Arrived(player))]
    night = night_of([Planned(9, apart=3), *here, *seats])
    for seed in range(5):
        drawn = pairings(drawing(night, Random(seed)).players, 9)
        assert faults(drawn, night.kept_apart) == (0, 0)
    party_of = dict(zip(players, parties, strict=False))
    for one in pairings(drawing(night, Random(1)).players, 9)[:3]:
        assert not any(party_of.get(min(pair)) == party_of.get(max(pair), 0) for pair in one.pairs)


@pytest.mark.parametrize("number", [3, 5, 9])
def test_a_couple_is_kept_apart_in_the_extra_round_too(number: int) -> None:
    """Everybody has met everybody by then, and has one game fewer."""
    players = names(number)
    here = [entry for player in players for entry in (Listed(player), Arrived(player))]
    for couple in combinations(players, 2):
        seats = [Seated(player, "Smith") for player in couple]
        night = night_of([Planned(number), *here, *seats, Begun(tuple(players))])
        for round_ in range(1, number + 2):
            night = after(night, opening(night))
            for table in night.opened[-1].tables:
                night = after(night, Reported(Result(round_, table.board, *table.players, 90), "the desk"))
        assert frozenset(couple) not in night.opened[-1].pairs


def test_who_cannot_move_stays_at_a_table_and_the_others_are_as_drawn() -> None:
    players = names(9)
    here = [entry for player in players for entry in (Listed(player), Arrived(player))]
    night = night_of([Planned(8), *here, Seated("P3", table=2), Seated("P5", "", 4), Begun(tuple(players))])
    drawn = pairings(players, 8)
    for number in range(1, 9):
        night = after(night, opening(night))
        one = night.opened[-1]
        assert one.pairs == drawn[number - 1].pairs
        for table in one.tables:
            both = {"P3", "P5"} <= set(table.players)
            assert both or ("P3" in table.players) <= (table.board == 2)
            assert both or ("P5" in table.players) <= (table.board == 4)
        for table in one.tables:
            night = after(night, Reported(Result(number, table.board, *table.players, 90), "the desk"))


def test_a_table_is_fixed_in_the_middle_of_a_round_unless_a_game_has_ended() -> None:
    players = names(6)
    here = [entry for player in players for entry in (Listed(player), Arrived(player))]
    night = night_of([Planned(5), *here, Begun(tuple(players))])
    night = after(night, opening(night))
    one, two, three = (table.players for table in night.opened[0].tables)
    moved = after(night, Seated(three[0], table=1))
    assert [table.players for table in moved.opened[0].tables] == [three, two, one]
    assert [table.board for table in moved.opened[0].tables] == [1, 2, 3]
    ended = after(night, Reported(Result(1, 1, *one, 90), "oak"))
    late = after(ended, Seated(three[0], table=1))
    assert late.opened == ended.opened
    assert late.fixed == {three[0]: 1}
    assert after(moved, Seated(three[0])).fixed == {}
    assert after(night, Seated(three[0], table=9)).opened == night.opened, "there is no table 9"
