"""What boards report: a result counts if it fits the night, and nothing else counts unseen."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from club.ends import TONIGHT, end_of, text, undone
from hypothesis import given
from hypothesis import strategies as st

from cribpi.club.entries import (
    Arrived,
    Begun,
    BoardPlaced,
    Corrected,
    Doubted,
    Heard,
    Listed,
    PlayoffsBegun,
    Renamed,
    Reported,
    Restored,
    Settled,
    TakenBack,
    after,
    from_json,
    night_of,
    opening,
    to_json,
)
from cribpi.club.night import Night
from cribpi.club.reports import judge
from cribpi.club.standings import Result
from cribpi.cribbage.rules.rules import preset

FOUR = ("ANN", "BOB", "CAT", "DOT")
"""In round 1 ANN meets DOT at oak, and BOB CAT at elm; in round 2 CAT ANN at oak, and DOT BOB at elm."""


@pytest.fixture
def night() -> Night:
    each = [entry for player in FOUR for entry in (Listed(player), Arrived(player))]
    boards = [BoardPlaced(1, "oak"), BoardPlaced(2, "elm")]
    return next_round(night_of([*each, *boards, Begun(FOUR)]))


def next_round(night: Night) -> Night:
    return after(night, opening(night))


def judged(night: Night, told: dict[str, Any]) -> object:
    return judge(night, TONIGHT, told["board"], text(told))


def with_(night: Night, told: dict[str, Any]) -> Night:
    entry = judge(night, TONIGHT, told["board"], text(told))
    assert entry is not None
    return after(night, entry)


def second_round(night: Night) -> Night:
    night = with_(with_(night, end_of("ANN", "DOT", 80)), end_of("BOB", "CAT", 90, board="elm"))
    return next_round(night)


@pytest.mark.parametrize("told", ["DOT", "DOROTHY", "DORA"])
def test_a_game_counts_under_any_name_that_its_players_had_when_it_began(night: Night, told: str) -> None:
    night = after(after(night, Renamed("DOT", "DOROTHY")), Renamed("DOROTHY", "DORA"))
    night = with_(night, end_of("ANN", told, 80))
    assert night.results == (Result(1, 1, "ANN", "DOT", 80),)
    assert night.name_of("DOT") == "DORA"
    assert isinstance(judged(night, end_of("BOB", "DOT", 80, seq=10)), Doubted)


def test_the_end_of_a_game_between_two_who_meet_counts(night: Night) -> None:
    assert judged(night, end_of("DOT", "ANN", 90)) == Reported(
        Result(1, 1, "DOT", "ANN", 90), "oak", "1a2b3c4d-9"
    )


def test_hands_of_28_and_29_are_the_losers_too_and_a_correction_keeps_them(night: Night) -> None:
    night = with_(night, end_of("DOT", "ANN", 90, hands=(28, 29, 28)))
    reported = from_json(json.loads(json.dumps(to_json(Reported(night.results[0], "oak")))))
    assert isinstance(reported, Reported)
    assert reported.result.hands == ((), (28, 29, 28)), "the log has them"
    night = after(night, Corrected(Result(1, 1, "ANN", "DOT", 80), "the desk"))
    cards = {one.player: one.card for one in night.standings}
    assert [line.hands for line in cards["ANN"]] == [(28, 29, 28)]
    assert [line.hands for line in cards["DOT"]] == [()]


def test_the_same_again_is_known_whatever_came_between(night: Night) -> None:
    first, back, then = end_of("ANN", "DOT", 80), undone(), end_of("ANN", "DOT", 100, seq=12)
    night = with_(night, first)
    assert judged(night, first) is None
    night = with_(night, back)
    assert night.results == ()
    assert judged(night, first) is None, "it is older than the undo, whatever the clock says"
    assert judged(night, back) is None
    night = with_(night, then)
    assert night.results == (Result(1, 1, "ANN", "DOT", 100),)
    assert [judged(night, one) for one in (first, back, then)] == [None] * 3


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (end_of("ANN", "BOB", 80), "they aren't paired in round 1"),
        (end_of("ANN", "EVE", 80), "they aren't paired in round 1"),
        (end_of("ANN", "DOT", 80) | {"board": "elm"}, "they are paired at board 1"),
        (end_of("ANN", "DOT", 80) | {"board": "fir"}, "they are paired at board 1"),
        (end_of("ANN", "DOT", 80, rules=preset("standard")), "under standard rules to 121"),
        (
            end_of("ANN", "DOT", 50, rules=replace(preset("acc"), target=61)),
            "under acc rules with house rules to 61",
        ),
        (end_of("ANN", "DOT", 80) | {"skunks": 0}, "no game ends like that"),
        (undone(), "undid the end of a game that is not in the log"),
        (end_of("ANN", "DOT", 80, night=None), "it was not started from tonight's pairings"),
        (undone(night=None), "that was not started from tonight's pairings: correct it if needed"),
    ],
)
def test_what_does_not_fit_is_doubted_and_does_not_count(
    night: Night, told: dict[str, Any], why: str
) -> None:
    found = judged(night, told)
    assert isinstance(found, Doubted)
    assert why in found.why
    night = after(night, found)
    assert night.results == ()
    assert judged(night, told) is None, "once is enough"


def score(told: dict[str, Any], of_winner: int, of_loser: int) -> dict[str, Any]:
    sides = [
        {**side, "score": score} for side, score in zip(told["sides"], (of_winner, of_loser), strict=True)
    ]
    return {**told, "sides": sides}


@pytest.mark.parametrize(("winner", "loser"), [(122, 80), (120, 80), (121, 121), (121, 400), (0, 0)])
def test_a_game_can_not_end_like_that(night: Night, winner: int, loser: int) -> None:
    found = judged(night, score(end_of("ANN", "DOT", 80), winner, loser))
    assert isinstance(found, Doubted)
    assert "no game ends like that" in found.why
    assert found.result is None


def test_a_second_result_is_doubted_and_the_same_from_elsewhere_is_not(night: Night) -> None:
    night = after(night, Corrected(Result(1, 1, "ANN", "DOT", 80), "the desk"))
    assert judged(night, end_of("ANN", "DOT", 80)) == Heard("oak", "1a2b3c4d-9")
    found = judged(night, end_of("ANN", "DOT", 81))
    assert isinstance(found, Doubted)
    assert "already entered as ANN 121, DOT 80" in found.why
    assert found.result == Result(1, 1, "ANN", "DOT", 81)


def test_a_late_report_of_an_earlier_round_is_not_taken_for_this_one(night: Night) -> None:
    night = second_round(night)
    found = judged(night, end_of("DOT", "ANN", 80, seq=11))
    assert isinstance(found, Doubted)
    assert found.result == Result(1, 1, "DOT", "ANN", 80)


def test_a_board_whose_journal_is_from_a_backup_is_not_ignored_and_goes_on_counting_after_a_look(
    night: Night,
) -> None:
    """It tells all of its journal again, and then has steps of the same numbers with other games."""
    night = with_(night, end_of("ANN", "DOT", 80))
    night = with_(night, end_of("BOB", "CAT", 90, board="elm"))
    night = next_round(night)
    assert judged(night, end_of("ANN", "DOT", 80)) is None, "what was told before its backup is known"
    found = judged(night, end_of("CAT", "ANN", 70, 2, seq=8))
    assert isinstance(found, Doubted)
    assert found.why == (
        "oak has gone back to an earlier step: is its journal from a backup? It reports CAT 121, ANN 70"
    )
    night = after(night, found)
    (doubt,) = night.doubts
    night = after(night, Settled(doubt.number, is_right=True))
    assert night.result(2, 1) == Result(2, 1, "CAT", "ANN", 70)
    night = next_round(with_(night, end_of("DOT", "BOB", 60, 2, board="elm", seq=12)))
    night = with_(night, undone(2, seq=3))
    assert [one.why for one in night.doubts], "nothing of it is ignored"
    one, other = night.table(3, 1).players
    assert isinstance(judged(night, end_of(one, other, 60, 3, seq=20)), Reported), "it goes on"


def test_an_undo_of_an_earlier_round_is_for_the_director(night: Night) -> None:
    found = judged(second_round(night), undone())
    assert isinstance(found, Doubted)
    assert "of round 1: correct it if needed" in found.why


def test_a_board_can_not_undo_what_the_desk_has_entered(night: Night) -> None:
    night = after(night, Corrected(Result(1, 1, "ANN", "DOT", 80), "the desk"))
    found = judged(night, undone())
    assert isinstance(found, Doubted)
    assert "that the desk has reported" in found.why


def test_the_same_two_meet_again_in_a_later_cycle() -> None:
    night = night_of([Listed("ANN"), Arrived("ANN"), Listed("BOB"), Arrived("BOB"), BoardPlaced(1, "oak")])
    night = next_round(after(night, Begun(("ANN", "BOB"))))
    night = next_round(with_(night, end_of("ANN", "BOB", 80)))
    assert judged(night, end_of("ANN", "BOB", 80)) is None
    night = with_(night, end_of("ANN", "BOB", 80, 2, seq=30))
    assert night.results == (Result(1, 1, "ANN", "BOB", 80), Result(2, 1, "ANN", "BOB", 80))


def test_an_old_result_does_not_count_for_the_next_game_of_the_same_two() -> None:
    """The desk has entered round 1 by hand; then the board's own report of it comes, once or late."""
    night = night_of([Listed("ANN"), Arrived("ANN"), Listed("BOB"), Arrived("BOB"), BoardPlaced(1, "oak")])
    night = next_round(after(night, Begun(("ANN", "BOB"))))
    by_hand = next_round(after(night, Corrected(Result(1, 1, "ANN", "BOB", 80), "the desk")))
    assert judged(by_hand, end_of("ANN", "BOB", 80)) == Heard("oak", "1a2b3c4d-9")
    late = judged(by_hand, end_of("ANN", "BOB", 81))
    assert isinstance(late, Doubted)
    assert late.result == Result(1, 1, "ANN", "BOB", 81), "it is of round 1, whenever it comes"
    of_none = judged(by_hand, end_of("ANN", "BOB", 81, night=None))
    assert isinstance(of_none, Doubted)
    assert of_none.result == Result(2, 1, "ANN", "BOB", 81), "what it is of is for the director"


@pytest.mark.parametrize("round_", [1, 2, 99])
def test_what_is_of_another_night_does_not_count(night: Night, round_: int) -> None:
    """Last week the same two played at the same board, and the broker has kept how that ended."""
    for told in (end_of("ANN", "DOT", 80, round_), undone(round_)):
        found = judged(night, told | {"night": "last week" * 9})
        assert isinstance(found, Doubted)
        assert found.result is None
        assert found.why.endswith(" ...: that doesn't count here")
        assert isinstance(judged(night, told | {"night": TONIGHT}), Reported | Doubted)


def test_a_friendly_game_that_is_undone_takes_no_result_back(night: Night) -> None:
    night = with_(night, end_of("ANN", "DOT", 80))
    night = with_(night, end_of("EVE", "FAY", 90, seq=20, night=None))
    for told in (undone(seq=21, night=None), undone(seq=21, night=None) | {"undone": 20}):
        assert isinstance(judged(night, told), Doubted)
    other = judged(night, undone(seq=21) | {"undone": 8})
    assert isinstance(other, Doubted)
    assert "that doesn't count tonight" in other.why
    assert isinstance(judged(night, undone(seq=21) | {"undone": 9}), TakenBack)
    assert isinstance(judged(night, undone(seq=21)), TakenBack), "a ruling names no step, but its game"


def test_a_board_that_knows_no_night_is_for_the_director(night: Night) -> None:
    """A cribpi of an earlier version says neither night nor round."""
    told = {key: value for key, value in end_of("ANN", "DOT", 80).items() if key not in {"night", "round"}}
    found = judged(night, told)
    assert isinstance(found, Doubted)
    assert found.result == Result(1, 1, "ANN", "DOT", 80)
    night = after(night, found)
    assert night.results == ()
    assert after(night, Settled(night.doubts[0].number, is_right=True)).results == (found.result,)


def test_in_the_play_offs_no_board_changes_a_result_by_itself(night: Night) -> None:
    night = replace(second_round(night), games=2)
    night = with_(night, end_of("CAT", "ANN", 80, 2, seq=20))
    night = with_(night, end_of("DOT", "BOB", 80, 2, seq=20, board="elm"))
    night = after(night, PlayoffsBegun(("CAT", "DOT")))
    assert isinstance(judged(night, undone(2, seq=21) | {"undone": 20}), Doubted)


def test_what_a_restored_log_has_lost_waits_for_its_round(night: Night) -> None:
    lost = end_of("CAT", "ANN", 80, 2)
    for behind in (night, after(night, Restored(2)), replace(night, opened=())):
        found = judged(behind, lost)
        assert isinstance(found, Doubted)
        assert found.why == (
            "oak reports CAT 121, ANN 80: this log has no round 2, so it seems to be a backup. "
            "Start the rounds again, then count this"
        )
        assert found.result == Result(2, 1, "CAT", "ANN", 80)
        other = judged(behind, end_of("CAT", "ANN", 80, 2, rules=preset("standard")))
        assert isinstance(other, Doubted)
        assert other.result is None, "that is no game of the club's"
    friendly = judged(night, end_of("ANN", "BOB", 80, night=None))
    assert isinstance(friendly, Doubted)
    assert friendly.why.endswith("they aren't paired in round 1")


def test_before_the_first_round_what_a_broker_has_kept_is_of_another_night(night: Night) -> None:
    before = replace(night, opened=())
    assert judged(before, end_of("ANN", "DOT", 80, night=None)) is None
    assert isinstance(judged(before, end_of("ANN", "DOT", 80)), Doubted), "tonight: then the log has lost it"


def test_an_undo_is_of_the_board_that_reported(night: Night) -> None:
    night = with_(night, end_of("ANN", "DOT", 80))
    found = judged(night, undone(board="elm"))
    assert isinstance(found, Doubted)
    assert isinstance(judged(night, undone()), TakenBack)


GOOD = end_of("ANN", "DOT", 80)
UNREADABLE = "sent a result that can't be read: enter it by hand"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"schema": 2}, "runs another version"),
        ({"board": "elm"}, "uses another board's name"),
        ({"seq": None}, UNREADABLE),
        ({"seq": -1}, UNREADABLE),
        ({"seq": True}, UNREADABLE),
        ({"journal": "a-b"}, UNREADABLE),
        ({"journal": "a" * 65}, UNREADABLE),
        ({"night": 7}, UNREADABLE),
        ({"night": None}, UNREADABLE),
        ({"round": None}, UNREADABLE),
        ({"round": "1"}, UNREADABLE),
        ({"winner": 2}, UNREADABLE),
        (
            {"sides": [{"name": "ANN", "score": 121}, {"name": "DOT", "score": 9, "high_hands": [30]}]},
            UNREADABLE,
        ),
        ({"winner": None}, UNREADABLE),
        ({"target": "121"}, UNREADABLE),
        ({"sides": []}, UNREADABLE),
        ({"sides": [{"name": "ANN", "score": 121}]}, UNREADABLE),
        (
            {"sides": [{"name": "ANN", "score": 121}, {"name": "DOT", "score": 1e3}]},
            UNREADABLE,
        ),
        (
            {"sides": [{"name": "ANN", "score": 121}, {"name": "\x1b[2J", "score": 80}]},
            UNREADABLE,
        ),
        (
            {"sides": [{"name": "A", "score": 121}, {"name": "x" * 9000, "score": 80}]},
            UNREADABLE,
        ),
    ],
)
def test_a_message_that_is_not_a_result_is_not_guessed(
    night: Night, change: dict[str, Any], why: str
) -> None:
    found = judge(night, TONIGHT, "oak", text(GOOD | change))
    assert isinstance(found, Doubted)
    assert found.why.startswith("oak ")
    assert why in found.why
    assert judge(after(night, found), TONIGHT, "oak", text(GOOD | change)) is None


@pytest.mark.parametrize(
    "garbage", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 19_000, b"{}" * 11_000, b"9" * 5000]
)
def test_garbage_is_unreadable(night: Night, garbage: bytes) -> None:
    found = judge(night, TONIGHT, "oak", garbage)
    assert isinstance(found, Doubted)
    assert found.why == "oak sent something unreadable"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(GOOD)), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*sorted(GOOD), "name", "score"]), JSON, max_size=4))
def test_whatever_is_sent_ends_in_the_log_as_a_doubt_or_not_at_all(change: dict[str, Any]) -> None:
    told = json.dumps(GOOD | change).encode()
    each = [entry for player in FOUR for entry in (Listed(player), Arrived(player))]
    night = next_round(night_of([*each, BoardPlaced(1, "oak"), Begun(FOUR)]))
    entry = judge(night, TONIGHT, "oak", told)
    if isinstance(entry, Reported):
        assert entry.result in {Result(1, 1, "ANN", "DOT", 80), Result(1, 1, "DOT", "ANN", 80)}
    elif entry is not None:
        assert after(night, entry).results == ()
