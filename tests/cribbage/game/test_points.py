"""A game kept by points: what can be pegged in it, by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest
from support.records import after
from support.refusals import refused

from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.events import Misdealt, PointsPegged, StepPassed
from cribpi.cribbage.game.ledger import Purpose
from cribpi.cribbage.game.play import score_play
from cribpi.cribbage.game.show import Kind, Score, total
from cribpi.cribbage.game.state import Outcome, Phase
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.game.steps.points import card_points, play_points
from cribpi.cribbage.record import HEADER, Comment, parse
from cribpi.cribbage.record.legacy import as_accepted
from cribpi.cribbage.rules.errors import ImpossiblePoints
from cribpi.cribbage.rules.rules import Rules, changed, preset
from cribpi.cribbage.words.log import LogEntry

PIPS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
ALIKE = {2: 2, 3: 6, 4: 12}


class LastCard(NamedTuple):
    """The last card of a pile: the points of its pair or run, the pips, and how many cards lie there."""

    tail: int
    pips: int
    cards: int


@cache
def every_last_card() -> frozenset[LastCard]:
    """Return what the last card can be of every pile that one pack has up to thirty-one."""
    return frozenset(
        LastCard(tail, sum(held * pips for held, pips in zip(pile, PIPS, strict=True)), sum(pile))
        for pile in piles()
        if any(pile)
        for tail in tails(pile)
    )


def piles(rank: int = 0, left: int = 31) -> Iterator[tuple[int, ...]]:
    """Yield every pile as how many there are of each rank."""
    if rank == len(PIPS):
        yield ()
        return
    for held in range(min(4, left // PIPS[rank]) + 1):
        for rest in piles(rank + 1, left - held * PIPS[rank]):
            yield (held, *rest)


def tails(pile: Sequence[int]) -> set[int]:
    """Return what the last cards of *pile* can score by their ranks, played in any order."""
    alike = {ALIKE[many] for held in pile for many in range(2, held + 1)}
    runs = {
        length
        for length in range(3, 8)
        for lowest in range(len(PIPS) - length + 1)
        if all(pile[lowest : lowest + length])
    }
    return {0} | alike | runs


def brute_force(rules: Rules, last_cards: Iterable[LastCard]) -> set[int]:
    """Return what one card can peg by *rules* if it is one of *last_cards*."""
    found = {1}  # the go, also where it is pegged at the call
    for tail, pips, cards in last_cards:
        dealt = 4 * rules.players
        if cards > dealt:
            continue
        if pips == 31:
            found |= {tail + 2} | ({tail + 1} if rules.go_award == "call" else set())
            continue
        points = tail + 2 * (pips == 15)
        found.add(points)
        is_go = rules.go_award == "close" and pips > 21  # at 21 or less every card fits
        is_last = rules.last_card and (rules.play_rounds == "all" or cards == dealt)
        if is_go or is_last:
            found.add(points + 1)
    return found - {0}


HOUSES = [
    {"go_award": go, "last_card": last, "play_rounds": rounds}
    for go, last, rounds in product(("close", "call"), ("1", "none"), ("all", "one"))
]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("house", HOUSES, ids=lambda house: "-".join(house.values()))
def test_a_card_can_peg_what_the_last_card_of_some_pile_is_worth(house: dict[str, str], players: int) -> None:
    rules = changed(preset("standard", players), house)
    assert list(card_points(rules)) == sorted(brute_force(rules, every_last_card()))


def ordered(pile: tuple[Card, ...], most: int) -> Iterator[tuple[Card, ...]]:
    """Yield every pile of up to *most* cards that goes on from *pile*, in the order played."""
    left = 31 - sum(card.rank.pips for card in pile)
    for rank in Rank:
        if rank.pips <= left and sum(card.rank is rank for card in pile) < 4:
            longer = (*pile, Card(rank))
            yield longer
            if len(longer) < most:
                yield from ordered(longer, most)


def scored(most: int, first: tuple[Card, ...] = ()) -> set[LastCard]:
    """Return the last card of every pile of up to *most* cards after *first* as the engine scores it."""
    found = set()
    for pile in ordered(first, most):
        count = sum(PIPS[card.rank - 1] for card in pile)
        found.add(LastCard(total(score_play(pile)) - 2 * (count in {15, 31}), count, len(pile)))
    return found


def test_no_order_of_a_pile_makes_its_last_card_worth_anything_else() -> None:
    assert scored(4) <= every_last_card()


@pytest.mark.prove
@pytest.mark.parametrize("rank", Rank)
def test_no_order_of_two_whole_hands_makes_a_card_worth_anything_else(rank: Rank) -> None:
    assert scored(8, (Card(rank),)) <= every_last_card()


PLAYS = [
    # pegged, option, the cards of a deal from the first, the last of which pegs it
    (15, "last_card=1", "0:10 1:10 0:10 1:go 0:go 1:7 0:2 1:2 0:2 1:2"),
    (15, "play_rounds=one", "0:A 1:A 0:A 1:4 0:2 1:2 0:2 1:2"),
    (14, "last_card=none", "0:3 1:7 0:7 1:7 0:7"),
    (13, "last_card=none", "0:7 1:7 0:7 1:7 0:go 1:go"),
    (13, "go_award=call", "0:3 1:7 0:7 1:7 0:go 1:7"),
    (12, "go_award=close", "0:2 1:2 0:2 1:2"),
    (9, "last_card=none", "0:3 1:A 0:2 1:3 0:4 1:5 0:6 1:7"),
]


@pytest.mark.parametrize(("pegged", "option", "plays"), PLAYS)
def test_a_play_that_pegs_the_most_is_taken_by_cards_and_by_points(
    pegged: int, option: str, plays: str
) -> None:
    last = plays.replace("0:go 1:go", "").split()[-1]
    before = plays[: plays.rindex(last)]
    states = [
        after(f'game "A" "B" {option} dealer=1', "starter 8", f"play {cards}") for cards in (before, plays)
    ]
    side = int(last[0])
    assert states[1].scores()[side] - states[0].scores()[side] == pegged
    by_points = after(f'game "A" "B" {option} entry=peg dealer=1', "next", "next")
    assert step(by_points, PointsPegged(side, pegged)).scores()[side] == pegged


@pytest.mark.parametrize("points", [10, 11, 16, 0])
def test_the_play_by_points_refuses_what_no_card_can_peg(points: int) -> None:
    state = after('game "A" "B" entry=peg dealer=1', "next", "next")
    with pytest.raises(ImpossiblePoints, match=f"{points} for one card: a card pegs 1 to 9 or 12 to 15"):
        step(state, PointsPegged(0, points))


def test_what_an_earlier_version_pegged_for_a_card_is_read_with_the_same_scores() -> None:
    lines = ('game "A" "B" entry=peg dealer=1', "next", "next", "peg 0 10", "peg 1 11", "peg 0 3")
    kept = [event for event in parse("\n".join((HEADER, *lines))) if not isinstance(event, Comment)]
    with pytest.raises(ImpossiblePoints):
        fold(kept)
    read = as_accepted(kept)
    assert fold(read).scores() == (13, 11)
    assert as_accepted(read) == read
    assert fold([*read, Misdealt()]).scores() == (0, 0)
    with pytest.raises(ImpossiblePoints):
        as_accepted([*kept, PointsPegged(0, 16)])


@pytest.mark.parametrize(
    ("points", "is_taken"), [(0, False), (1, True), (10, True), (11, True), (15, True), (16, False)]
)
def test_a_card_of_an_earlier_version_pegged_1_to_15_by_any_rules(points: int, *, is_taken: bool) -> None:
    state = after('game "A" "B" last_card=none entry=peg dealer=1', "next", "next")
    event = PointsPegged(0, points, is_earlier=True)
    if is_taken:
        assert step(state, event).scores() == (points, 0)
    else:
        assert refused(ImpossiblePoints, step, state, event) == f"{points} for one card: a card pegs 1 to 15"


def test_what_is_pegged_by_its_name_is_that_score_and_by_a_number_alone_is_none() -> None:
    state = after('game "A" "B" entry=peg dealer=1', "next", "peg 1 2")
    assert [outcome.scores for outcome in state.outcomes] == [(Score(Kind.HEELS, 2, ()),)]
    named, bare = (step(state, PointsPegged(0, 2, kind)) for kind in (Kind.PAIR, None))
    assert [outcome.scores for outcome in named.outcomes] == [(Score(Kind.PAIR, 2, ()),)]
    assert [outcome.scores for outcome in bare.outcomes] == [()]


def test_what_is_gone_past_is_a_show_of_nought_and_belongs_to_its_deal() -> None:
    state = after('game "A" "B" entry=peg dealer=1', *["next"] * 5)
    passed = StepPassed()
    done = step(state, passed)
    assert done.outcomes == (Outcome(passed, 1, 1, Purpose.CRIB),)
    assert (LogEntry(state, passed, done).deal, done.deal_number) == (1, 2)


def test_where_a_jack_is_worth_nothing_nobody_stops_at_the_starter() -> None:
    for heels, phase in (("2", Phase.STARTER), ("none", Phase.PLAY)):
        assert after(f'game "A" "B" heels={heels} entry=peg dealer=1', "next").phase is phase


def test_by_points_there_is_no_last_card_where_it_is_worth_nothing() -> None:
    rules = changed(preset("standard"), {"last_card": "none"})
    assert Kind.LAST not in play_points(rules)
    state = after('game "A" "B" last_card=none entry=peg dealer=1', "next", "next")
    for event in (PointsPegged(0, 1, Kind.LAST), PointsPegged(0, 15)):
        with pytest.raises(ImpossiblePoints):
            step(state, event)
    assert step(state, PointsPegged(0, 14)).scores() == (14, 0)


def test_thirty_one_is_one_only_where_the_go_before_it_was_pegged_at_the_call() -> None:
    standard = preset("standard")
    assert play_points(standard)[Kind.THIRTY_ONE] == (2,)
    assert play_points(changed(standard, {"go_award": "call"}))[Kind.THIRTY_ONE] == (2, 1)


@pytest.mark.parametrize("points", [0, 1, 18, 20, 24, 28, 29])
def test_by_points_a_show_can_be_what_some_hand_counts(points: int) -> None:
    state = after('game "A" "B" entry=peg dealer=1', "next", "next", "next", f"peg 0 {points}")
    assert state.scores() == (points, 0)


def test_where_others_take_what_is_missed_a_count_that_no_hand_has_is_called_an_overclaim() -> None:
    never = "counts go from 0 to 29, but never 19, 25, 26 or 27"
    for miscount, points, more in (
        ("muggins", 19, "; it is an overclaim: peg the true count"),
        ("muggins", -1, ""),
        ("lost", 19, ""),
    ):
        state = after(f'game "A" "B" miscount={miscount} entry=peg dealer=1', *["next"] * 3)
        said = refused(ImpossiblePoints, step, state, PointsPegged(0, points))
        assert said == f"no hand or crib counts {points}: {never}{more}"


@pytest.mark.parametrize("points", [19, 25, 26, 27, 30])
def test_by_points_a_show_can_not_be_what_no_hand_counts(points: int) -> None:
    state = after('game "A" "B" entry=peg dealer=1', "next", "next", "next")
    with pytest.raises(ImpossiblePoints, match=f"no hand or crib counts {points}"):
        step(state, PointsPegged(0, points))
