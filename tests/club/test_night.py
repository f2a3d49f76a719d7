"""The log of a night: what may follow what, and that nothing is ever taken out of it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.refusals import refused

from cribpi.club.entries import (
    KINDS,
    Arrived,
    Begun,
    BoardPlaced,
    ClubEntry,
    Confirmed,
    Corrected,
    Doubted,
    Gone,
    Heard,
    Listed,
    Noted,
    Phoned,
    Planned,
    PlayoffGame,
    PlayoffGameUndone,
    PlayoffsBegun,
    PlayoffWalkover,
    Removed,
    Renamed,
    Reported,
    Restored,
    RoundOpened,
    Seated,
    Settled,
    Swapped,
    TakenBack,
    after,
    from_json,
    night_of,
    opening,
    to_json,
)
from cribpi.club.night import Night
from cribpi.club.pairings import MatchGame, bracket, pairings
from cribpi.club.standings import Result, standings
from cribpi.cribbage.rules.errors import RuleError

FOUR = ("ANN", "BOB", "CAT", "DOT")


def drawn(players: tuple[str, ...] = FOUR, games: int = 3) -> list[ClubEntry]:
    """Return the log of a night up to its draw, in the order of *players*."""
    each = [entry for player in players for entry in (Listed(player), Arrived(player))]
    return [Planned(games), *each, Begun(players)]


def opened(players: tuple[str, ...] = FOUR, games: int = 3) -> Night:
    return next_round(night_of(drawn(players, games)))


def next_round(night: Night) -> Night:
    return after(night, opening(night))


def won(night: Night, board: int, score: int = 100, seat: int = 0) -> Result:
    """Return a result of the current round."""
    players = night.table(night.round, board).players
    return Result(night.round, board, players[seat], players[1 - seat], score)


def test_a_whole_night_comes_to_the_standings_of_its_results() -> None:
    chance, night, results = Random(1), night_of(drawn(tuple(f"P{at}" for at in range(24)), 9)), []
    for number in range(1, 10):
        night = next_round(night)
        for table in night.missing:
            result = won(night, table.board, chance.randrange(121), chance.randrange(2))
            night = after(night, Reported(result, f"b{table.board}", f"j-{number}"))
            results.append(result)
    assert night.is_over
    assert night.standings == standings(night.seated, results)
    assert {len(one.card) for one in night.standings} == {9}


def test_a_round_begins_once_the_one_before_is_over() -> None:
    night = opened()
    assert refused(RuleError, next_round, night) == "round 1 is still being played at boards 1, 2"
    night = after(night, Reported(won(night, 2), "elm"))
    assert refused(RuleError, next_round, night) == "round 1 is still being played at board 1"
    night = next_round(after(night, Reported(won(night, 1), "oak")))
    assert night.round == 2
    assert refused(RuleError, after, over(night), RoundOpened(4)) == "round 4 does not follow round 2"


def test_a_game_counts_once_and_a_correction_keeps_what_was_before() -> None:
    night = opened()
    first = won(night, 1, 88)
    night = after(night, Reported(first, "oak", "j-9"))
    said = refused(RuleError, after, night, Reported(won(night, 1, 89), "oak", "j-10"))
    assert said == "board 1 already has a result for round 1: correct it at the desk"
    right = Result(1, 1, first.loser, first.winner, 120)
    night = after(night, Corrected(right, "the desk"))
    assert night.results == (right,)
    assert [one.result for one in night.reports[1, 1]] == [first, right]


def test_an_end_that_was_undone_does_not_count_until_the_game_ends_again() -> None:
    night = opened()
    night = after(night, Reported(won(night, 1, 88), "oak", "j-9"))
    night = after(night, TakenBack(1, 1, "oak", "j-10"))
    assert night.results == ()
    assert [table.board for table in night.missing] == [1, 2]
    said = refused(RuleError, after, night, TakenBack(1, 1, "oak", "j-11"))
    assert said == "board 1 has no result in round 1"
    night = after(night, Reported(won(night, 1, 90), "oak", "j-12"))
    assert [one.result is None for one in night.reports[1, 1]] == [False, True, False]


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (Result(1, 1, "ANN", "BOB", 90), "board 1 has ANN and DOT in round 1"),
        (Result(1, 3, "ANN", "DOT", 90), "round 1 has no board 3"),
        (Result(2, 1, "ANN", "DOT", 90), "round 2 has not started"),
        (Result(1, 1, "ANN", "DOT", 121), "the loser can't have 121: enter 0 to 120"),
        (Result(1, 1, "ANN", "DOT", -1), "the loser can't have -1: enter 0 to 120"),
    ],
)
@pytest.mark.parametrize("kind", [Reported, Corrected])
def test_an_impossible_result_is_refused(result: Result, why: str, kind: type[Reported | Corrected]) -> None:
    assert refused(RuleError, after, opened(), kind(result, "the desk")) == why


def test_a_latecomer_plays_from_the_next_round_on_and_meets_nobody_twice() -> None:
    night = opened(("ANN", "BOB", "CAT"), 3)
    assert night.opened[0].sits_out == ("ANN",)
    late = arrive(night, "DOT")
    assert late.opened == night.opened, "the round that is being played stays as it is"
    for _ in range(2):
        late = next_round(over(late))
    met = [frozenset(table.players) for one in late.opened[1:] for table in one.tables]
    assert len(met) == len(set(met)) == 4


def arrive(night: Night, *players: str) -> Night:
    for player in players:
        night = after(after(night, Listed(player)), Arrived(player))
    return night


def over(night: Night) -> Night:
    """Return *night* once every game of this round has a result."""
    for table in night.missing:
        night = after(night, Reported(won(night, table.board), "the desk"))
    return night


def test_a_latecomer_sits_out_in_turn_with_all_others() -> None:
    night = next_round(over(arrive(opened(games=9), "EVE")))
    sat_out: Counter[str] = Counter(night.opened[-1].sits_out)
    assert night.seated == (*FOUR, "EVE")
    for _ in range(4):
        night = next_round(over(night))
        sat_out.update(night.opened[-1].sits_out)
    assert sat_out == dict.fromkeys(night.players, 1), "of five, each once in five rounds"
    last = night
    for _ in range(3):
        last = next_round(over(last))
    last = arrive(last, "FAY")
    assert "FAY" not in {one.player for one in last.standings}, "there is no round to come"


@pytest.mark.parametrize(("players", "games"), [(4, 3), (6, 5), (8, 5), (24, 9)])
def test_two_latecomers_at_full_tables_both_play_from_the_next_round_and_nobody_meets_twice(
    players: int, games: int
) -> None:
    for late in range(1, games):
        night = opened(tuple(f"P{at}" for at in range(players)), games)
        for number in range(1, games + 1):
            if number == late:
                before = night.opened
                night = arrive(night, "EVE", "FAY")
                assert night.opened == before, "the round that is being played stays as it is"
            night = over(night)
            if number < games:
                night = next_round(night)
        assert {one.player: one.games for one in night.standings if one.games < games} == {
            "EVE": games - late,
            "FAY": games - late,
        }
        met = [frozenset(table.players) for one in night.opened for table in one.tables]
        assert len(met) == len(set(met))
        assert not any(one.sits_out for one in night.opened)


def test_who_comes_when_the_last_round_has_started_does_not_play() -> None:
    night = after(opened(("ANN", "BOB", "CAT"), 1), Listed("EVE"))
    night = over(after(night, Arrived("EVE")))
    assert night.is_over
    assert {one.player for one in night.standings} == {"ANN", "BOB", "CAT"}


def test_a_night_that_is_over_stays_so_whoever_comes_back() -> None:
    night = opened(games=1)
    night = after(after(night, Reported(won(night, 1), "oak")), Gone("BOB"))
    assert night.is_over
    back = after(night, Arrived("BOB"))
    assert back.is_over, "nobody waits for that game"
    assert set(after(back, PlayoffsBegun(("ANN", "BOB"))).finalists) == {"ANN", "BOB"}
    played = after(back, Reported(won(back, 2), "the desk"))
    assert len(played.results) == 2, "they have played it after all"
    assert not after(played, TakenBack(1, 2, "the desk")).is_over
    on = after(after(opened(games=1), Gone("BOB")), Arrived("BOB"))
    assert len(on.missing) == 2, "before the night was over, a slip can be mended"


def test_a_player_who_is_renamed_keeps_all_that_was_played() -> None:
    night = opened(("ANN", "BOB", "CAT"), 3)
    night = after(night, Reported(won(night, 1, 70), "oak", "j-1"))
    night = after(night, Doubted("...", "oak", "j-2", won(night, 1, 71)))
    night = after(next_round(night), Gone("CAT"))
    renamed = after(night, Renamed("BOB", "ROBERT"))
    assert replace(renamed, names=night.names, ids=night.ids) == night, "all else stays as it is"
    assert [renamed.name_of(one) for one in renamed.players] == ["ANN", "ROBERT", "CAT"]
    for name in ("BOB", "ROBERT"):
        assert after(renamed, Gone(name)).here == {"ANN"}, "an entry may give any name of a player"
        result = Result(2, 1, name, "ANN", 80)
        table = renamed.opened[1].tables[0]
        if set(table.players) == {"ANN", "BOB"}:
            assert after(renamed, Reported(result, "the desk")).results[-1].winner == "BOB"


def test_a_finalist_who_is_renamed_plays_on() -> None:
    night = after(finished(), PlayoffsBegun(("ANN", "BOB")))
    night = after(after(night, PlayoffGame(1, 1, "BOB", 90)), Renamed("BOB", "ROBERT"))
    night = after(night, PlayoffGame(1, 1, "ROBERT", 90))
    ((final,),) = night.bracket
    assert (final.players, final.winner) == (("ANN", "BOB"), "BOB")
    assert night.name_of("BOB") == "ROBERT"


def test_a_former_name_means_the_player_who_had_it() -> None:
    night = after(after(opened(), Renamed("BOB", "ROBERT")), Renamed("ROBERT", "ROB"))
    assert [night.name_of(one) for one in ("BOB", "ROBERT", "ROB", "ANN")] == ["ROB", "ROB", "ROB", "ANN"]
    said = refused(RuleError, after, night, Listed("BOB"))
    assert said == "BOB used to be called ROB. Somebody else? Add an initial: BOB B"
    said = refused(RuleError, after, night, Renamed("ANN", "BOB"))
    assert "ROB" in said
    assert after(night, Renamed("ROB", "BOB")).name_of("ROB") == "BOB", "the own name can be had back"
    before = after(night_of(drawn()), Renamed("BOB", "ROBERT"))
    assert before.following.tables[1].players == ("ROBERT", "CAT"), "the draw stands"
    assert "BOB" in after(before, Listed("BOB")).players, "before round 1 no board knows the name"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("ANN", "ANN is already on the list. Somebody else? Add an initial: ANN B"),
        ("Ann", "the names ANN and Ann look too much alike: change one"),
        ("BOB", "BOB is already called that"),
        ("", "the name '' is empty: give 1 to 40 characters"),
        ("x" * 41, "the name 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' has 41 characters: use 40 at most"),
    ],
)
def test_a_name_that_can_not_be_is_refused(name: str, why: str) -> None:
    assert refused(RuleError, after, opened(), Renamed("BOB", name)) == why
    assert refused(RuleError, after, opened(), Renamed("EVE", name)) == "'EVE' is not on the list"
    assert list(after(opened(), Renamed("BOB", "Bob")).names.values()) == ["ANN", "Bob", "CAT", "DOT"]


def test_who_leaves_is_waited_for_no_more_and_the_others_go_on() -> None:
    night = after(opened(), Gone("DOT"))
    assert [table.players for table in night.missing] == [("BOB", "CAT")]
    night = next_round(after(night, Reported(won(night, 2), "elm")))
    assert len(night.opened[-1].tables) == 1
    (out,) = night.opened[-1].sits_out
    assert out not in night.opened[-1].tables[0].players
    back = next_round(over(after(night, Arrived("DOT"))))
    assert len(back.opened[-1].tables) == 2


def test_who_comes_back_before_the_next_round_leaves_the_pairings_as_they_were_drawn() -> None:
    players = tuple(f"P{at}" for at in range(6))
    night = opened(players, 5)
    for player in ("P1", "P2", "P3"):
        night = after(night, Gone(player))
    for player in ("P3", "P2", "P1"):
        night = after(night, Arrived(player))
    while night.round < night.games:
        night = next_round(over(night))
    assert night.opened == pairings(players, 5)


def test_a_round_is_of_two_players_at_least_and_of_those_who_are_here() -> None:
    night = opened(("ANN", "BOB", "CAT"))
    alone = after(after(over(night), Gone("BOB")), Gone("CAT"))
    assert refused(RuleError, opening, alone) == "at least two players must be here"
    for tables in ((("ANN", "EVE"),), (("ANN", "ANN"),), (("ANN", "BOB"), ("BOB", "CAT"))):
        said = refused(RuleError, after, over(night), RoundOpened(2, tables))
        assert said == "the players here have changed: start the round again"


def test_until_round_1_starts_the_draw_can_be_made_again() -> None:
    night = night_of(drawn())
    night = after(after(night, Planned(2)), Begun(FOUR[::-1]))
    assert night.following.tables[0].players == ("DOT", "ANN")
    night = after(after(night, Listed("EVE")), Arrived("EVE"))
    assert not night.drawn, "somebody more is here: it is to be drawn anew"
    assert refused(RuleError, next_round, night) == "draw the pairings first"
    night = after(after(night, Begun((*FOUR, "EVE"))), Gone("EVE"))
    assert not night.drawn
    assert after(night, Removed("EVE")).players == FOUR


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (Listed("ANN"), "ANN is already on the list. Somebody else? Add an initial: ANN B"),
        (Listed("Ann"), "look too much alike"),
        (Listed("A\u200bNN"), "invisible"),
        (Listed("x" * 41), "41 characters"),
        (Arrived("EVE"), "'EVE' is not on the list"),
        (Arrived("ANN"), "ANN is here already"),
        (Gone("EVE"), "'EVE' is not on the list"),
        (Planned(5), "round 1 has started"),
        (Begun(FOUR), "round 1 has started"),
        (Removed("ANN"), "ANN is in tonight's standings: mark as gone"),
        (Removed("EVE"), "'EVE' is not on the list"),
        (BoardPlaced(0, "oak"), "boards are numbered from 1"),
        (BoardPlaced(1, "oak #2"), "'oak #2' can't be the name of a cribpi"),
        (BoardPlaced(1, "a/b"), "can't be the name of a cribpi"),
        (BoardPlaced(1, "x" * 65), "can't be the name of a cribpi"),
        (Settled(3, is_right=True), "that report is already settled"),
    ],
)
def test_what_can_not_be_is_refused_and_changes_nothing(entry: ClubEntry, why: str) -> None:
    night = opened()
    assert why in refused(RuleError, after, night, entry)


def test_a_result_by_hand_is_confirmed_until_it_is_corrected() -> None:
    night = opened()
    first, second = won(night, 1, 70), won(night, 2, 80)
    night = after(after(night, Reported(first, "a phone")), Reported(second, "oak"))
    assert night.unconfirmed == (first,), "a board needs no hand"
    assert after(night, Confirmed(first)).unconfirmed == ()
    assert refused(RuleError, after, night, Confirmed(won(night, 1, 71))).startswith(
        "that result has changed"
    )
    corrected = after(after(night, Confirmed(first)), Corrected(won(night, 1, 71), "the desk"))
    assert corrected.unconfirmed == (won(night, 1, 71),)


def test_two_players_change_places_as_long_as_neither_game_has_a_result() -> None:
    night = opened()
    (one, two), (three, four) = (table.players for table in night.missing)
    swapped = after(night, Swapped(one, three))
    assert [table.players for table in swapped.missing] == [(three, two), (one, four)]
    assert after(swapped, Swapped(three, one)).opened == night.opened
    for bad in (Swapped(one, two), Swapped(one, one), Swapped(one, "EVE")):
        assert refused(RuleError, after, night, bad).startswith("choose two players of this round")
    assert refused(RuleError, after, Night(), Swapped("ANN", "BOB")).startswith("choose two players")
    played = after(night, Reported(won(night, 1, 70), "oak"))
    assert refused(RuleError, after, played, Swapped(one, three)).startswith(
        "one of their games has a result"
    )
    again = won(swapped, 1, 70)
    over = after(after(swapped, Reported(again, "oak")), Reported(won(swapped, 2, 80), "elm"))
    following = opening(over)
    met = {frozenset(table.players) for table in swapped.opened[-1].tables}
    assert not met & set(map(frozenset, following.tables)), "the next round knows who has met"


def test_who_sits_out_changes_places_with_a_player() -> None:
    people = (*FOUR, "EVE")
    night = night_of([entry for one in people for entry in (Listed(one), Arrived(one))])
    night = after(after(night, Begun(people)), opening(after(night, Begun(people))))
    (out,), player = night.opened[-1].sits_out, night.missing[0].players[0]
    swapped = after(night, Swapped(player, out))
    assert swapped.opened[-1].sits_out == (player,)
    assert swapped.missing[0].players[0] == out


def test_what_is_for_the_book_of_players_is_not_for_a_night() -> None:
    assert refused(RuleError, after, Night(), Noted(night="a night")).startswith("that is for the book")


def test_the_draw_is_of_all_who_are_here_and_no_others() -> None:
    begun = night_of(drawn()[:-1])
    for players in (FOUR[:3], (*FOUR[:3], "EVE"), (*FOUR, "ANN")):
        assert refused(RuleError, after, begun, Begun(players)) == "the players here have changed: draw again"
    assert "two players" in refused(RuleError, after, Night(), Begun(()))
    assert refused(RuleError, after, Night(), Planned(0)) == "0 games? Choose 1 to 99"


def test_a_doubt_counts_once_the_director_says_so() -> None:
    night = opened()
    right, wrong = won(night, 1, 70), won(night, 1, 71)
    night = after(after(night, Doubted("...", "oak", "j-1", right)), Doubted("...", "oak", "j-2", wrong))
    assert night.results == ()
    first, second = (one.number for one in night.doubts)
    night = after(after(night, Settled(first, is_right=True)), Settled(second, is_right=False))
    assert night.results == (right,)
    assert night.doubts == ()
    nothing = after(night, Doubted("...", "elm", "k-1"))
    said = refused(RuleError, after, nothing, Settled(nothing.doubts[0].number, is_right=True))
    assert said == "that can't count tonight: enter the right result, then dismiss this report"


def test_a_name_is_kept_with_each_accent_in_its_letter_as_boards_report_it() -> None:
    zoe = "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}"
    assert after(Night(), Listed("Zoe\N{COMBINING DIAERESIS}")).players == (zoe,)


def test_a_board_stands_at_one_table_and_a_table_has_one_board() -> None:
    night = night_of([BoardPlaced(1, "oak"), BoardPlaced(2, "elm"), BoardPlaced(2, "oak")])
    assert dict(night.boards) == {2: "oak"}
    assert dict(after(night, BoardPlaced(2, "")).boards) == {}


@given(st.lists(st.sampled_from([*KINDS]), max_size=3), st.integers(0, 120))
def test_the_log_is_read_as_it_was_written(kinds: list[str], score: int) -> None:
    result = Result(1, 2, "ANN", "BOB", score)
    made: dict[str, ClubEntry] = {
        "Planned": Planned(9),
        "Listed": Listed("Zoë"),
        "Removed": Removed("ANN"),
        "Renamed": Renamed("ANN", "ANNA"),
        "Arrived": Arrived("ANN"),
        "Gone": Gone("ANN"),
        "Seated": Seated("ANN", "Smith", 3),
        "BoardPlaced": BoardPlaced(3, "oak"),
        "Begun": Begun(FOUR),
        "RoundOpened": RoundOpened(4, (("ANN", "BOB"), ("CAT", "DOT")), ("EVE",)),
        "Restored": Restored(4),
        "Reported": Reported(result, "oak", "j-3"),
        "Swapped": Swapped("ANN", "CAT"),
        "Heard": Heard("oak", "j-4"),
        "TakenBack": TakenBack(1, 2, "oak", "j-4"),
        "Corrected": Corrected(result, "the desk"),
        "Confirmed": Confirmed(result),
        "Phoned": Phoned("ANN", "0a1b2c3d4e5f"),
        "Doubted": Doubted("why", "oak", "j-5", result),
        "Settled": Settled(5, is_right=True),
        "Noted": Noted(({"id": 1, "former": ["ANNE"]},), (2, 3), ((12, 1), (14, 2)), 20, "a night"),
        "PlayoffsBegun": PlayoffsBegun(("ANN", "BOB")),
        "PlayoffGame": PlayoffGame(1, 1, "ANN", 100),
        "PlayoffWalkover": PlayoffWalkover(1, 1, "ANN"),
        "PlayoffGameUndone": PlayoffGameUndone(1, 1),
    }
    assert set(made) == set(KINDS)
    for kind in kinds:
        assert from_json(json.loads(json.dumps(to_json(made[kind])))) == made[kind]


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ({"kind": "Teleported"}, "an unknown kind of entry, 'Teleported': update cribpi"),
        ({}, "an unknown kind of entry, None"),
        ({"kind": "Planned"}, "a damaged entry"),
        ({"kind": "Planned", "games": 9, "more": 1}, "a damaged entry"),
    ],
)
def test_an_entry_that_can_not_be_read_is_not_guessed(found: dict[str, object], why: str) -> None:
    assert why in refused(ValueError, from_json, found)


def finished(players: tuple[str, ...] = FOUR) -> Night:
    """Return a night of one game, which the first of each table has won."""
    night = opened(players, 1)
    for table in night.missing:
        night = after(night, Reported(won(night, table.board, 100 - table.board), "the desk"))
    return night


def test_the_play_offs_follow_the_last_game_and_go_on_to_a_winner() -> None:
    assert refused(RuleError, after, opened(), PlayoffsBegun(("ANN", "BOB"))) == "finish the last round first"
    night = after(finished(), PlayoffsBegun(("ANN", "BOB", "CAT")))
    (first, second), (final,) = night.bracket
    assert (first.winner, second.players, final.players) == ("ANN", ("BOB", "CAT"), ("ANN", None))
    for winner in ("CAT", "BOB", "CAT"):
        night = after(night, PlayoffGame(1, 2, winner, 90))
    said = refused(RuleError, after, night, PlayoffGame(1, 2, "CAT", 90))
    assert said == "that match is over, or its players aren't known yet"
    assert night.bracket[1][0].players == ("ANN", "CAT")
    for score in (120, 0):
        night = after(night, PlayoffGame(2, 1, "ANN", score))
    assert night.bracket[1][0].winner == "ANN"
    said = refused(RuleError, after, night, PlayoffGameUndone(1, 2))
    assert said == "CAT has played a later game: remove that first"
    night = after(night, PlayoffGameUndone(2, 1))
    assert night.bracket[1][0].winner is None


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (PlayoffGame(1, 1, "ANN", 90), "that match is over, or its players aren't known yet"),
        (PlayoffGame(2, 1, "ANN", 90), "that match is over, or its players aren't known yet"),
        (PlayoffGame(1, 2, "ANN", 90), "choose the winner"),
        (PlayoffGame(1, 2, "BOB", 121), "the loser can't have 121: enter 0 to 120"),
        (PlayoffGame(3, 1, "ANN", 90), "there is no such match"),
        (PlayoffWalkover(1, 1, "ANN"), "that match is over, or its players aren't known yet"),
        (PlayoffWalkover(1, 2, "ANN"), "choose the winner"),
        (PlayoffGameUndone(1, 2), "that match has no game yet"),
        (PlayoffsBegun(("ANN", "BOB")), "the play-offs have begun"),
    ],
)
def test_a_game_of_the_play_offs_that_can_not_be_is_refused(entry: ClubEntry, why: str) -> None:
    assert refused(RuleError, after, after(finished(), PlayoffsBegun(("ANN", "BOB", "CAT"))), entry) == why


def test_a_walkover_ends_a_match_and_can_be_taken_back() -> None:
    night = after(finished(), PlayoffsBegun(("ANN", "BOB", "CAT")))
    night = after(after(night, PlayoffGame(1, 2, "BOB", 90)), PlayoffWalkover(1, 2, "CAT"))
    ((_, match), (final,)) = night.bracket
    assert (match.winner, match.walkover, len(match.games)) == ("CAT", "CAT", 2)
    assert final.players == ("ANN", "CAT")
    over = after(after(night, PlayoffWalkover(2, 1, "CAT")), Renamed("CAT", "CATHY"))
    assert over.name_of(over.bracket[-1][0].winner or "") == "CATHY"
    said = refused(RuleError, after, over, PlayoffGameUndone(1, 2))
    assert said == "CATHY has played a later game: remove that first"
    back = after(night, PlayoffGameUndone(1, 2))
    assert (back.bracket[0][1].winner, len(back.bracket[0][1].games)) == (None, 1), "the game before stands"
    assert after(back, PlayoffGameUndone(1, 2)).bracket[0][1].games == ()


@pytest.mark.parametrize("best_of", [1, 3, 5])
def test_a_match_is_the_best_of_as_many_games_as_was_said(best_of: int) -> None:
    night = after(finished(), PlayoffsBegun(("ANN", "BOB"), best_of))
    for _ in range(best_of // 2 + 1):
        assert night.bracket[0][0].winner is None
        night = after(night, PlayoffGame(1, 1, "BOB", 90))
    assert night.bracket[0][0].winner == "BOB"
    said = refused(RuleError, after, finished(), PlayoffsBegun(("ANN", "BOB"), 2))
    assert said == "a match is the best of 1, 3 or 5 games, not of 2"
    assert from_json({"kind": "PlayoffsBegun", "players": ["ANN", "BOB"]}) == PlayoffsBegun(("ANN", "BOB"), 3)


@given(st.integers(2, 33), st.randoms())
def test_the_best_meet_last_and_one_wins(many: int, chance: Random) -> None:
    players = [f"P{seed}" for seed in range(1, many + 1)]
    games: dict[tuple[int, int], list[MatchGame]] = {}
    while open_ := [match for stage in bracket(players, games) for match in stage if match.is_open]:
        match = chance.choice(open_)
        winner = min(match.players, key=lambda one: int(str(one)[1:]))
        games.setdefault(match.place, []).append(MatchGame(str(winner), 90))
    stages = bracket(players, games)
    assert stages[-1][0].winner == "P1"
    assert set(stages[-1][0].players) == {"P1", "P2"}
    assert sum(len(stage) for stage in stages) == 2 ** len(stages) - 1
    assert all(len(match.games) == (0 if match.is_bye else 2) for stage in stages for match in stage)
