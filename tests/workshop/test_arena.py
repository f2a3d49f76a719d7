"""The arena: mirrored deals, sums that do not hang on how they were played, and what they come to."""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.records import after

from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.deal import PlayedDeal
from cribpi.cribbage.game.events import (
    CardPlayed,
    CribShown,
    GameStarted,
    HandDealt,
    PointsPegged,
    StarterTurned,
)
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players import levels
from cribpi.cribbage.players.games import game, next_event
from cribpi.cribbage.players.opponent import Greedy, Opponent
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import Rules, changed, preset
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.worth import hand_points
from cribpi.workshop.arena import contest as contests
from cribpi.workshop.arena.contest import Contest, Notes, Sums, play_sets, time_of, time_step
from cribpi.workshop.arena.file import check_value, load, save
from cribpi.workshop.arena.result import Z, interval, median_ms, result
from cribpi.workshop.arena.run import _next_piece, logging_once, pieces

CONTEST = Contest("thrifty", "chance", preset("travel-61"), seed=3)


def timeless(sums: Sums) -> dict[str, int]:
    """Return *sums* without the times, which are never the same."""
    return {key: many for key, many in sums.items() if many and not key.startswith("time.")}


# --- mirrored deals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "sits"),
    [
        (2, [("a", "b"), ("b", "a")]),
        (3, [("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")]),
        (4, [("a", "b", "a", "b"), ("b", "a", "b", "a")]),
    ],
)
def test_each_has_each_seat_in_turn(players: int, sits: list[tuple[str, ...]]) -> None:
    contest = Contest("thrifty", "chance", preset("standard", players))
    assert [contest.sits(number) for number in range(contest.games_in_set)] == sits


@pytest.mark.parametrize("players", seats.PLAYERS)
def test_the_games_of_a_set_have_the_same_cards_and_the_same_dealer(players: int) -> None:
    contest = Contest("thrifty", "chance", preset("standard", players), seed=8)
    dealt: list[dict[tuple[int, int], tuple[Card, ...]]] = []
    dealers: list[dict[int, int]] = []
    for number in range(contest.games_in_set):
        sits = contest.sits(number)
        opponents = [levels.opponent(contest.name(one), chance=Random(number)) for one in sits]
        cards: dict[tuple[int, int], tuple[Card, ...]] = {}
        who: dict[int, int] = {}
        for event, state in game(opponents, contest.rules, lambda deal: contest.pack(5, deal)):
            assert state.deal is not None
            who[state.deal.number] = state.deal.dealer
            if isinstance(event, HandDealt):
                cards[state.deal.number, event.seat] = event.cards
            if isinstance(event, StarterTurned):
                cards[state.deal.number, -1] = (event.card,)
        dealt.append(cards)
        dealers.append(who)
    for one, other in pairwise(dealt):
        both = one.keys() & other.keys()
        assert len(both) > 2 * players
        assert {key: one[key] for key in both} == {key: other[key] for key in both}
    assert len({who[1] for who in dealers}) == 1


def test_packs_differ_by_seed_set_and_deal() -> None:
    packs = {
        tuple(Contest("chance", "chance", seed=seed).pack(number, deal))
        for seed in (1, 2, 12)
        for number in (1, 2, 21)
        for deal in (1, 2)
    }
    assert len(packs) == 18
    assert all(len(set(pack)) == 52 for pack in packs)


def test_two_that_play_alike_split_each_pair() -> None:
    sums = play_sets(Contest("thrifty", "thrifty", preset("travel-61")), 0, 10)
    assert sums["wins.a"] == sums["wins.b"] == sums["squares"] == 10
    assert sums["hand.a.pone"] == sums["hand.b.pone"]


# --- what is added up -------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_sums_and_another_gives_others() -> None:
    assert timeless(play_sets(CONTEST, 0, 4)) == timeless(play_sets(CONTEST, 0, 4))
    other = Contest("thrifty", "chance", CONTEST.rules, seed=4)
    assert timeless(play_sets(CONTEST, 0, 4)) != timeless(play_sets(other, 0, 4))


def test_wins_are_squared_by_sets_for_the_interval() -> None:
    contest = Contest("thrifty", "thrifty-errs", CONTEST.rules, seed=1)
    wins = [play_sets(contest, number)["wins.a"] for number in range(8)]
    assert 2 in wins
    assert play_sets(contest, 0, 8)["squares"] == sum(won**2 for won in wins)


@pytest.mark.parametrize("players", seats.PLAYERS)
def test_the_sums_fit_each_other(players: int) -> None:
    contest = Contest("thrifty", "chance", preset("standard", players))
    sums = play_sets(contest, 0, 3)
    size = contest.games_in_set
    assert sums["sets"] == 3
    assert sums["games"] == 3 * size == sums["wins.a"] + sums["wins.b"]
    assert sums["squares"] <= 3 * size**2
    assert 0 <= sums["first-dealer"] <= sums["games"]
    dealt = sum(sums[f"deals.{who}.{role}"] for who in "ab" for role in ("dealer", "pone"))
    assert sums["deals"] * players >= dealt >= (sums["deals"] - sums["games"]) * players
    for who in "ab":
        for role in ("dealer", "pone"):
            plays, deals = sums[f"plays.{who}.{role}"], sums[f"deals.{who}.{role}"]
            assert deals - sums["games"] * players <= plays <= deals
        discards = sum(many for key, many in sums.items() if key.startswith(f"time.{who}.lay-away"))
        assert discards >= sums[f"deals.{who}.dealer"] + sums[f"deals.{who}.pone"]


@pytest.mark.parametrize(
    "rules",
    [preset(name) for name in ("standard", "computer-game", "acc", "use-and-care")]
    + [preset("standard", 3), preset("computer-game", 3), preset("standard", 4)],
    ids=lambda rules: f"{rules.name}-{rules.players}",
)
def test_the_points_of_whole_deals_are_what_the_core_has_pegged(rules: Rules) -> None:
    contest = Contest("thrifty", "chance", rules, seed=2)

    def pack(deal: int) -> Sequence[Card]:
        return contest.pack(0, deal)

    sits = contest.sits(0)
    opponents = [levels.opponent(contest.name(one), chance=Random(0)) for one in sits]
    sums = Sums()
    notes = Notes(sums, sits, pack)
    whole = 0
    for event, state in game(opponents, rules, pack):
        notes.take(event, state)
        if isinstance(event, CribShown) and state.winner is None:
            whole += 1
            for who in "ab":
                told = sum(
                    many
                    for key, many in sums.items()
                    if key.split(".")[0] in {"hand", "play", "crib", "heels"} and key.split(".")[1] == who
                )
                sides = {state.side(seat) for seat, one in enumerate(sits) if one == who}
                assert told == sum(state.scores()[side] for side in sides)
    notes.end()
    assert whole > 3
    assert sums["games"] == 1


@pytest.mark.parametrize(("name", "more"), [("standard", 0), ("computer-game", 4)])
def test_a_flush_in_the_crib_counts_as_the_rules_say(name: str, more: int) -> None:
    four = parse_cards("AC 4C 8C QC")
    pack = [*four, *parse_cards("2D 3H 2S 3S 5D 6H 5S 6D 9H"), *PACK]
    rules, sums = preset(name), Sums()
    notes = Notes(sums, ("a", "b"), lambda _: pack)
    state = step(NEW_TABLE, GameStarted(("A", "B"), rules, dealer=0))
    while not sums:
        event = next_event(state, [Silent(), Silent()], pack)
        state = step(state, event)
        notes.take(event, state)
    assert state.deal is not None
    assert set(state.deal.crib) == set(four)
    assert sums["crib.a"] == hand_points(four, Card.parse("9H")) - 4 + more


class Silent:
    """An opponent that discards its first cards and plays its last one."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return sight.hand[: sight.rules.sizes.discarded]

    def play(self, sight: SeatSight) -> Card:
        raise RuntimeError(f"nothing to play at {sight.count}")


def test_a_seat_that_fails_is_counted_and_told_once_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make = levels._player

    def failing(level: str, seed: int) -> Opponent:
        return Silent() if level == "chance" else make(level, seed)

    monkeypatch.setattr(levels, "_player", failing)
    with caplog.at_level(logging.WARNING), logging_once():
        sums = play_sets(CONTEST, 0, 2)
    assert sums["handed-over.b"] == sums["games"] == 4
    assert sums["handed-over.a"] == 0
    assert len(caplog.messages) == 1
    assert "chance failed in seat 1 (RuntimeError: nothing to play at 0)" in caplog.messages[0]
    with caplog.at_level(logging.WARNING):
        play_sets(CONTEST, 0, 1)
    assert len(caplog.messages) == 3, "what is told once in the arena is told each time elsewhere"


# --- pieces, jobs, and being taken up again ---------------------------------------------------------


def added(found: Iterator[Sums]) -> Sums:
    sums = Sums()
    for piece in found:
        sums.update(piece)
    return sums


def test_how_many_processes_play_does_not_matter() -> None:
    assert timeless(added(pieces(CONTEST, 0, 7))) == timeless(added(pieces(CONTEST, 0, 7, jobs=2)))


@pytest.mark.parametrize("jobs", [1, 3])
def test_after_each_piece_the_first_sets_are_played_and_no_others(jobs: int) -> None:
    sums = Sums()
    for piece in pieces(CONTEST, 2, 6, jobs):
        sums.update(piece)
        assert timeless(sums) == timeless(play_sets(CONTEST, 2, sums["sets"]))
    assert sums["sets"] == 4


def test_a_run_that_is_taken_up_again_equals_one_run(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    for last in (2, 3, 6):
        sums = load(file, CONTEST)
        for piece in pieces(CONTEST, sums["sets"], last):
            sums.update(piece)
            save(file, CONTEST, sums)
    assert timeless(load(file, CONTEST)) == timeless(play_sets(CONTEST, 0, 6))
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]


def test_pieces_grow_with_the_time_that_they_take_and_not_at_once() -> None:
    assert _next_piece(1, 0.01) == 4
    assert _next_piece(8, 1.0) == 16
    assert _next_piece(8, 20.0) == 1
    assert _next_piece(400, 0.1) == 500


# --- who has met before -------------------------------------------------------------------------------


class Sees:
    """A level that keeps what it is told of the past, and plays as thrifty does."""

    def __init__(self) -> None:
        self.past: dict[int, set[tuple[PlayedDeal, ...]]] = {0: set(), 1: set()}
        self.dealt = 0

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return Greedy().discard(sight)

    def play(self, sight: SeatSight) -> Card:
        self.dealt = max(self.dealt, len(sight.past))
        self.past[sight.seat].add(sight.past[:12])
        return Greedy().play(sight)


def test_who_has_met_before_knows_the_play_of_those_games_with_the_seats_as_they_are_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Sees] = []

    def opponent(_name: str, *, chance: Random) -> Sees:
        del chance
        made.append(Sees())
        return made[-1]

    monkeypatch.setattr(contests, "opponent", opponent)
    contest = Contest("thrifty", "solid", CONTEST.rules, seed=9, met=3)
    play_sets(contest, 0)
    before, of_set = made[:6], made[6:]
    assert [one.dealt < 12 for one in before] == [True] * 6, "three games of few deals"
    assert len(of_set) == 4
    (first,), (second,) = of_set[0].past[0], of_set[1].past[1]
    assert first == second, "both saw the same games"
    assert len(first) == 12
    (a_in_seat_1,), (b_in_seat_0,) = of_set[3].past[1], of_set[2].past[0]
    assert a_in_seat_1 == b_in_seat_0 == tuple(deal.with_seats_swapped() for deal in first)


def test_more_than_two_players_have_never_met_before() -> None:
    with pytest.raises(ValueError, match="only two players can have met before"):
        Contest("solid", "chance", preset("standard", 3), met=1)


def test_the_games_before_are_kept_in_the_file_and_those_of_none_as_ever(tmp_path: Path) -> None:
    file, met = tmp_path / "kept.json", replace(CONTEST, met=1)
    save(file, met, play_sets(met, 0))
    assert load(file, met)["sets"] == 1
    with pytest.raises(UserError, match="met 1, not 0"):
        load(file, CONTEST)
    save(file, CONTEST, play_sets(CONTEST, 0))
    assert "met" not in json.loads(file.read_text())


# --- the file ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (Contest("solid", "chance", CONTEST.rules, seed=3), "a thrifty, not solid"),
        (Contest("thrifty", "chance-errs", CONTEST.rules, seed=3), "b chance, not chance-errs"),
        (Contest("thrifty", "chance", CONTEST.rules, seed=4), "seed 3, not 4"),
        (Contest("thrifty", "chance", preset("travel-121"), seed=3), "rules travel-61, not travel-121"),
        (Contest("thrifty", "chance", preset("standard", 3), seed=3), "players 2, not 3"),
        (Contest("thrifty", "chance", changed(CONTEST.rules, {"heels": "none"}), 3), "heels=2, not none"),
        (Contest("thrifty", "chance", CONTEST.rules, seed=3, met=2), "met 0, not 2"),
    ],
)
def test_a_file_of_another_contest_is_refused_with_what_differs(
    tmp_path: Path, other: Contest, reason: str
) -> None:
    file = tmp_path / "kept.json"
    save(file, CONTEST, play_sets(CONTEST, 0))
    with pytest.raises(UserError, match=f"kept.json: it has {reason}: give another name"):
        load(file, other)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        "{}",
        '{"sums": 3}',
        '{"format": 1, "sums": {"sets": -1}}',
        '{"sums": {"sets": true}}',
        "[" * 100_000,
        '{"format": ' + "9" * 5000 + "}",
    ],
)
def test_a_file_that_is_no_result_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "kept.json"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(UserError, match=r"kept\.json: not a file of .*give another name"):
        load(file, CONTEST)


DAMAGE: tuple[Callable[[int], object], ...] = (
    lambda old: old + 1,
    lambda old: -old - 1,
    lambda old: old * 10**9,
    str,
    float,
    bool,
    lambda _: None,
    lambda _: [],
)


def mutated(kept: dict[str, Any], chance: Random) -> None:
    """Change one thing in *kept*, as a hand or a disk would."""
    table = kept["sums"] if chance.random() < 0.8 else kept
    key = chance.choice(sorted(table))
    match chance.randrange(4):
        case 0:
            del table[key]
        case 1:
            table[key + chance.choice(["", "x", ".a", "\x1b[31m"])] = {"not": ["a", "number"]}
        case _:
            old = table[key] if type(table[key]) is int else 7
            table[key] = chance.choice(DAMAGE)(old)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_damaged_file_is_refused_with_its_name_whatever_is_changed_in_it(
    tmp_path: Path, players: int
) -> None:
    file, contest = tmp_path / "kept.json", Contest("thrifty", "chance", preset("standard", players), seed=3)
    save(file, contest, play_sets(contest, 0, 2))
    whole, text = json.loads(file.read_text()), file.read_text()
    chance = Random(players)
    for _ in range(200):
        kept = deepcopy(whole)
        mutated(kept, chance)
        file.write_text(json.dumps(kept))
        if json.dumps(kept) == json.dumps(whole):
            continue
        if json.dumps(kept) == json.dumps({key: one for key, one in whole.items() if key != "check"}):
            assert load(file, contest) == whole["sums"], "a file of a version without check values"
            continue
        with pytest.raises(UserError, match=re.escape(f"{file}: ")) as refused:
            load(file, contest)
        assert str(refused.value).isprintable()
    for _ in range(300):
        at = chance.randrange(len(text))
        file.write_text(
            text[:at] + chance.choice('019{}[],:"xaA-.e \n\x00\x1b\ud800é') + text[at + 1 :],
            "utf-8",
            "replace",
        )
        try:
            assert load(file, contest) == whole["sums"]  # white space alone may differ
        except UserError as refused:
            assert str(refused).startswith(f"{file}: ")  # noqa: PT017  either outcome is right


def test_a_file_of_the_version_before_check_values_and_one_with_a_byte_order_mark_are_read(
    tmp_path: Path,
) -> None:
    file, sums = tmp_path / "kept.json", play_sets(CONTEST, 0)
    save(file, CONTEST, sums)
    kept = json.loads(file.read_text())
    del kept["check"]
    file.write_text("\ufeff" + json.dumps(kept), "utf-8")
    assert load(file, CONTEST) == sums


def test_a_file_with_options_that_no_rules_have_is_of_another_contest(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    save(file, CONTEST, Sums())
    kept = json.loads(file.read_text())
    kept["options"]["jokers"] = "wild"
    kept["check"] = check_value({key: value for key, value in kept.items() if key != "check"})
    file.write_text(json.dumps(kept))
    with pytest.raises(UserError, match="it has jokers=wild, not None: give another name"):
        load(file, CONTEST)


def test_a_file_of_a_later_form_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    save(file, CONTEST, play_sets(CONTEST, 0))
    file.write_text(json.dumps(json.loads(file.read_text()) | {"format": 2}))
    with pytest.raises(UserError, match="another version of cribpi: update cribpi"):
        load(file, CONTEST)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="choose a folder that you can write to"):
        save(tmp_path / "none" / "kept.json", CONTEST, Sums())
    with pytest.raises(UserError, match=r"it cannot be read \(Is a directory\).*give another name"):
        load(tmp_path, CONTEST)


# --- what it comes to -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "squares", "sets", "size", "ends", "why"),
    [
        (100, 150, 100, 2, (0.4309, 0.5691), "independent games: Wilson's interval for 200"),
        (100, 200, 100, 2, (0.4038, 0.5962), "the same wins both: worth a hundred games"),
        (100, 100, 100, 2, (0.4931, 0.5069), "each pair is split: the cards alone decide"),
        (200, 400, 100, 2, (0.9630, 1.0), "all is won: a set is worth one game"),
        (2, 2, 2, 2, (0.2152, 0.7848), "two sets that are alike are no certainty"),
        (0, 0, 100, 2, (0.0, 0.0370), "and all is lost"),
        (100, 100, 100, 3, (0.328, 0.3387), "one of three in each set"),
    ],
)
def test_the_interval_is_that_of_whole_sets(
    wins: int, squares: int, sets: int, size: int, ends: tuple[float, float], why: str
) -> None:
    found = interval(wins, squares, sets, size)
    assert found == pytest.approx(ends, abs=0.0007), why


def test_one_set_has_no_interval() -> None:
    assert interval(1, 1, 1, 2) is None


@given(st.floats(0.05, 0.95), st.floats(0, 1), st.integers(0, 99))
def test_the_interval_mostly_holds_the_true_share(share: float, alike: float, seed: int) -> None:
    chance = Random(seed)
    hits = 0
    for _ in range(40):
        wins = squares = 0
        for _ in range(60):
            first = chance.random() < share
            second = first if chance.random() < alike else chance.random() < share
            wins += first + second
            squares += (first + second) ** 2
        low, high = interval(wins, squares, 60, 2) or (0, 1)
        assert 0 <= low <= high <= 1
        hits += low <= share <= high
    assert hits >= 30


def test_the_interval_is_about_two_standard_errors_each_way() -> None:
    found = interval(5400, 8000, 5000, 2)
    assert found is not None
    variance = (8000 - 5400**2 / 5000) / 4999 / 4 / 5000
    assert found[1] - found[0] == pytest.approx(2 * Z * math.sqrt(variance), rel=0.01)
    assert sum(found) / 2 == pytest.approx(0.54, abs=0.001)


def test_the_winner_of_three_is_ahead_of_the_next_best_and_skunks_each_loser_once() -> None:
    pegged = [f"put-right {side} {score}" for side, score in ((1, 95), (2, 58), (0, 121))]
    end = after('game "A" "B" "C" entry=peg dealer=1', *pegged)
    assert (end.winner, end.scores()) == (0, (121, 95, 58))
    sums = Sums()
    notes = Notes(sums, ("a", "b", "b"), lambda _: PACK)
    notes.take(PointsPegged(0, 1), end)
    notes.end()
    assert +sums == {"games": 1, "deals": 1, "wins.a": 1, "margin.a": 26, "skunks.a": 1, "double-skunks.a": 1}


def test_a_result_tells_shares_averages_and_times() -> None:
    sums = Sums(
        {
            "games": 4, "sets": 2, "squares": 5, "wins.a": 3, "wins.b": 1, "margin.a": 45, "margin.b": 7,
            "skunks.a": 1, "double-skunks.a": 0, "first-dealer": 3, "deals": 36,
            "deals.a.dealer": 10, "hand.a.dealer": 80, "plays.a.dealer": 8, "play.a.dealer": 28, "crib.a": 45,
            "heels.a": 2, "time.a.play.80": 3, "time.a.play.88": 2, "handed-over.b": 1,
        }
    )  # fmt: skip
    found = result(Contest("solid", "thrifty", seed=9), sums)
    assert (found.games, found.sets, found.seed, found.rules, found.players) == (4, 2, 9, "standard", 2)
    assert (found.a.rate, found.b.rate, found.first_dealer, found.deals) == (0.75, 0.25, 0.75, 9)
    assert (found.a.margin, found.b.margin, found.a.skunks, found.b.skunks) == (15, 7, 1, 0)
    assert found.a.dealer is not None
    assert asdict(found.a.dealer) == {
        "deals": 10,
        "hand": 8,
        "play": 3.5,
        "crib": 4.5,
        "heels": 0.2,
        "total": 16.2,
    }
    assert found.a.pone is None
    assert found.a.play_ms == pytest.approx(1.024)
    assert found.a.lay_away_ms is None
    assert (found.a.handed_over, found.b.handed_over) == (0, 1)


def test_no_games_have_no_result() -> None:
    with pytest.raises(ValueError, match="no game was played"):
        result(CONTEST, Sums())


@given(st.lists(st.floats(2e-6, 2.0), min_size=1))
def test_the_median_of_times_is_right_to_five_percent(times: list[float]) -> None:
    sums = Sums(f"time.a.play.{time_step(seconds)}" for seconds in times)
    found = median_ms(sums, "a", "play")
    low = sorted(times)[(len(times) - 1) // 2]
    assert found == pytest.approx(low * 1000, rel=0.05)
    assert time_of(time_step(low)) == pytest.approx(low, rel=0.05)


def test_a_contest_of_an_unknown_level_is_refused() -> None:
    with pytest.raises(UserError):
        Contest("solid", "genius")


# --- averages against the rules ---------------------------------------------------------------------


def test_hands_cribs_and_heels_are_counted_of_the_last_deal_too_and_the_play_where_it_ended() -> None:
    contest = Contest("thrifty", "thrifty", changed(Rules(), {"target": "31"}), seed=5)
    turned = cut_short = ended = 0
    for number in range(20):
        two = [Greedy(), Greedy()]
        events = list(game(two, contest.rules, partial(contest.pack, number)))
        turned += sum(isinstance(event, StarterTurned) for event, _ in events)
        ended += sum(
            isinstance(event, CardPlayed) and state.deal is not None and len(state.deal.order) == 8
            for event, state in events
        )
        cut_short += events[-1][1].won_in is not Phase.CRIB
    sums = play_sets(contest, 0, 20)
    assert sums["deals.a.dealer"] + sums["deals.b.dealer"] == 2 * turned
    assert sums["plays.a.dealer"] + sums["plays.b.dealer"] == 2 * ended < 2 * turned
    assert cut_short > 10
