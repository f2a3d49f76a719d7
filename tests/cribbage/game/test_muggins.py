"""Muggins is called only for what can be missing, and once: suits that nobody pressed leave little room."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import permutations, product

import pytest
from support import naive
from support.games import PACK
from support.records import MISSED, after
from support.refusals import refused
from support.samples import some

from cribpi.cribbage.game.cards import Card, Suit
from cribpi.cribbage.game.events import CardPlayed, GoSaid, MugginsCalled
from cribpi.cribbage.game.state import MugginsWindow, Phase, State
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.game.steps.corrections import muggins_calls
from cribpi.cribbage.record import HEADER, Comment, parse, parse_event
from cribpi.cribbage.record.legacy import as_accepted
from cribpi.cribbage.rules.errors import ImpossiblePoints, RuleError, WrongPhase, WrongSeat
from cribpi.cribbage.rules.rules import changed
from cribpi.cribbage.words.cards import parse_cards

EVERY = range(1, 30)

TWO = 'game "A" "B" rules=acc-muggins dealer=1'
THREE = 'game "A" "B" "C" miscount=muggins dealer=2'
FOUR = 'game "A" "B" "C" "D" miscount=muggins dealer=3'
POINTS = "entry=peg"


def at(*lines: str) -> State:
    """Return the state after a record's *lines*."""
    state = State()
    for event in parse("\n".join((HEADER, *lines))):
        assert not isinstance(event, Comment)
        state = step(state, event)
    return state


def shown(game: str, hand: str, starter: str, count: str) -> State:
    """Return the state when A, who has played *hand*, has shown it with the words *count*."""
    state = at(game, f"starter {starter}")
    left = [list(parse_cards(cards)) for cards in (hand, "9 9 Q Q", "9 3 3 Q", "3 3 K K")[: state.players]]
    while state.phase is Phase.PLAY:
        deal = state.deal
        assert deal is not None
        assert deal.turn is not None
        card = next((card for card in left[deal.turn] if card.rank.pips <= deal.room), None)
        state = step(state, CardPlayed(deal.turn, card) if card else GoSaid(deal.turn))
        if card:
            left[deal.turn].remove(card)
    return step(state, parse_event(f"show 0 {count}"))


def accepted(state: State, side: int = 1, of: int = 0) -> set[int]:
    """Return the points for which *side* can call muggins on *of* rightly."""
    found = set()
    for points in EVERY:
        with suppress(ImpossiblePoints):
            step(state, MugginsCalled(side, of, points))
            found.add(points)
    return found


def true_counts(hand: str, starter: str, *, is_crib: bool = False, four_will_do: bool = False) -> set[int]:
    """Return all that *hand* can be worth, however the suits that nobody has pressed fall."""
    five = parse_cards(f"{hand} {starter}")
    ways = product(*([card.suit] if card.suit else list(Suit) for card in five))
    laid = ([Card(card.rank, suit) for card, suit in zip(five, suits, strict=True)] for suits in ways)
    return {
        naive.show(cards[:4], cards[4], is_crib=is_crib, four_will_do=four_will_do)
        for cards in laid
        if len(set(cards)) == 5
    }


SHOWS = [
    # hand     starter  shown as                missing  pegged  why
    ("10 A 6 8", "5", "counted=4", {4, 5}, 4, "no jack: a flush of four or five, or nothing"),
    ("10 A 6 8", "5", "counted=2", {4, 5}, 4, "the two that were missed are taken already"),
    ("10 A 6 8", "5", "counted=6", {4, 5}, 4, "two too many: four are pegged"),
    ("10 A 6 8", "5", "flush-4 counted=8", {1}, 8, "the starter may make it a flush of five"),
    ("10 A 6 8", "5", "flush-5 counted=9", set(), 9, "nothing more can be there"),
    ("J 2 4 8", "6", "counted=0", {1, 4, 6}, 0, "his nobs, a flush, or both: then it is a flush of five"),
    ("J 2 4 8", "6", "nobs counted=1", {3, 5}, 1, "a flush of four has no nobs, one of five has"),
    ("J J 2 8", "6", "counted=2", {1}, 2, "a pair rules a flush out"),
    ("2 2 8 K", "6", "counted=2", set(), 2, "a pair, and no jack"),
    ("2 4 8 K", "J", "counted=0", {4, 5}, 0, "a jack turned up is not his nobs"),
    ("2C 4D 8 K", "6", "counted=0", set(), 0, "two suits rule a flush out"),
    ("2C 4C 8C KC", "6D", "flush-4 counted=4", set(), 4, "all suits are known"),
]
"""Hands whose suits were not pressed, or but some of them; *pegged* is what the others need not call any
more."""


@pytest.mark.parametrize(
    ("hand", "starter", "count", "missing", "pegged", "why", "game"),
    [*((*show, TWO) for show in SHOWS), *some([(*show, FOUR) for show in SHOWS], 0, len(SHOWS) - 1)],
)
def test_only_what_the_suits_can_still_add_is_called_rightly(
    hand: str, starter: str, count: str, missing: set[int], pegged: int, why: str, game: str
) -> None:
    state = shown(game, hand, starter, count)
    assert accepted(state) == missing, why
    assert missing == {true - pegged for true in true_counts(hand, starter) if true > pegged}, why


@pytest.mark.parametrize(
    ("rules", "missing"), [("crib_flush=five", {5}), ("crib_flush=four", {4, 5})], ids=["five", "four"]
)
def test_a_crib_is_called_for_the_flush_that_its_rules_know(rules: str, missing: set[int]) -> None:
    state = shown(f"{TWO} {rules}", "2 2 8 K", "6", "counted=2")
    for line in ("show 1 counted=4", *(f"crib-card {card}" for card in "2 4 10 A".split()), "crib counted=0"):
        state = step(state, parse_event(line))
    assert state.phase is Phase.DEAL
    assert accepted(state, 0, 1) == missing
    worth = true_counts("2 4 10 A", "6", is_crib=True, four_will_do="four" in rules)
    assert missing == {true - min(worth) for true in worth if true > min(worth)}


@pytest.mark.parametrize(("hand", "starter", "count", "missing", "pegged", "why"), SHOWS)
def test_what_was_called_once_is_not_called_again(
    hand: str, starter: str, count: str, missing: set[int], pegged: int, why: str
) -> None:
    for points in missing:
        called = step(shown(TWO, hand, starter, count), MugginsCalled(1, 0, points))
        assert accepted(called) == set(), (why, pegged)
        said = refused(ImpossiblePoints, step, called, MugginsCalled(1, 0, points))
        assert said == "A has missed nothing: the call is wrong"


def test_of_three_each_takes_a_part_of_what_was_seen_to_be_missed_and_one_the_flush() -> None:
    """Of 4 counted 2: two are known to be missing, and with a flush six or seven are."""
    state = shown(THREE, "10 A 6 8", "5", "counted=2")
    assert accepted(state, 1) == accepted(state, 2) == {1, 2, 6, 7}
    one = step(state, MugginsCalled(1, 0, 1))
    assert accepted(one, 2) == {1, 5, 6}
    both = step(one, MugginsCalled(2, 0, 1))
    assert accepted(both, 1) == {4, 5}
    assert accepted(step(both, MugginsCalled(1, 0, 4)), 2) == set()
    assert accepted(step(state, MugginsCalled(2, 0, 6)), 1) == set()


@pytest.mark.parametrize(
    ("count", "missing"),
    [
        ("peg 0 8", {*EVERY} - {11, 17, 18, 19} - {*range(22, 30)}),
        ("peg 0 28", {1}),
        ("peg 0 29", set()),
        ("next", {*EVERY} - {19, 25, 26, 27}),
        ("count 0 10 A 6 8 5 counted=4", {4, 5}),
    ],
)
@pytest.mark.parametrize("game", [TWO, THREE, FOUR])
def test_by_points_a_hand_is_called_once_and_for_a_count_that_a_hand_can_have(
    game: str, count: str, missing: set[int]
) -> None:
    state = at(f"{game} {POINTS}", *["next"] * 3, count)
    assert accepted(state) == missing
    for points in missing:
        assert accepted(step(state, MugginsCalled(1, 0, points))) == set()


def test_a_refused_call_says_what_can_be_called() -> None:
    with pytest.raises(ImpossiblePoints) as refused:
        step(shown(TWO, "10 A 6 8", "5", "counted=4"), MugginsCalled(1, 0, 1))
    assert str(refused.value) == "A can have missed 4 or 5, and not 1: call that, or the call is wrong"
    with pytest.raises(ImpossiblePoints) as refused:
        step(shown(THREE, "10 A 6 8", "5", "counted=2"), MugginsCalled(1, 0, 5))
    assert "A can have missed 1, 2, 6 or 7, and not 5" in str(refused.value)
    with pytest.raises(ImpossiblePoints) as refused:
        step(at(f"{TWO} {POINTS}", *["next"] * 3, "peg 0 8"), MugginsCalled(1, 0, 11))
    assert "A can have missed 1 to 10, 12 to 16, 20 or 21, and not 11" in str(refused.value)


@pytest.mark.parametrize("miscount", ["machine", "lost"])
def test_where_nothing_is_taken_for_a_miss_no_call_is_right(miscount: str) -> None:
    counted = "" if miscount == "machine" else "counted=2"
    state = shown(f'game "A" "B" miscount={miscount} dealer=1', "10 A 6 8", "5", counted)
    for points in EVERY:
        said = refused(WrongPhase, step, state, MugginsCalled(1, 0, points))
        assert said == "these rules have no muggins: choose miscount=muggins for the next game"


def test_calls_that_an_earlier_version_accepted_are_read_as_points_that_were_given() -> None:
    lines = (
        TWO,
        "starter 5",
        "play 0:10 1:Q 0:A 1:4 0:6 1:9 0:8 1:2",
        "show 0 counted=4",
        *["muggins 1 0 1"] * 3,
    )
    kept = [event for event in parse("\n".join((HEADER, *lines))) if not isinstance(event, Comment)]
    with pytest.raises(ImpossiblePoints):
        fold(kept)
    read = as_accepted(kept)
    assert read[:-3] == kept[:-3]
    assert fold(read).scores()[1] == fold(kept[:-3]).scores()[1] + 3
    right = [*kept[:-3], MugginsCalled(1, 0, 4)]
    assert as_accepted(right) == right
    said = refused(ImpossiblePoints, as_accepted, [*kept[:-3], MugginsCalled(1, 0, 30, is_right=False)])
    assert said == "muggins for 30: give what was missed, 1 to 29"


def test_wrong_calls_that_an_earlier_version_accepted_again_and_again_are_read_too() -> None:
    lines = (TWO, "starter 5", "play 0:10 1:Q 0:A 1:4 0:6 1:9 0:8 1:2", "show 0 counted=4")
    kept = [event for event in parse("\n".join((HEADER, *lines))) if not isinstance(event, Comment)]
    wrong = MugginsCalled(1, 0, 2, is_right=False)
    said = refused(ImpossiblePoints, fold, [*kept, wrong, wrong])
    assert said == "B has already made a wrong call, and can't call again at this count"
    assert fold(as_accepted([*kept, wrong, wrong, wrong])).scores()[0] == fold(kept).scores()[0] + 6


def test_a_wrong_call_leaves_what_can_be_called() -> None:
    state = shown(TWO, "10 A 6 8", "5", "counted=4")
    wrong = step(state, MugginsCalled(1, 0, 2, is_right=False))
    assert wrong.scores()[0] == state.scores()[0] + 2
    assert accepted(wrong) == {4, 5}


@pytest.mark.parametrize(("option", "most"), [("last_card=1", 15), ("last_card=none", 14)])
def test_in_the_play_by_points_what_a_card_can_peg_can_have_been_missed(option: str, most: int) -> None:
    state = after(f"{TWO} {POINTS} {option}", "next", "next", "peg 0 2")
    assert accepted(state) == {*range(1, most + 1)}
    call = MugginsCalled(1, 0, most)
    called = step(state, call)
    assert called.scores() == (2, most)
    assert [outcome.deal for outcome in called.outcomes_of(call)] == [1]
    assert step(called, call).scores() == (2, 2 * most), "which card it was, only the table knows"


MOST_WRONG = [
    # up to a count of A's                                 the most that B can call wrongly
    ((f"{TWO} {POINTS}", "next", "next"), 15),
    ((f"{TWO} {POINTS} last_card=none", "next", "next"), 14),
    ((f"{TWO} {POINTS}", *["next"] * 3, "peg 0 8"), 21),
    ((f"{TWO} {POINTS}", *["next"] * 3, "peg 0 8", "muggins 1 0 10"), 11),
]


@pytest.mark.parametrize(("lines", "most"), MOST_WRONG)
def test_by_points_no_more_is_called_wrongly_than_a_card_or_hand_can_have(
    lines: tuple[str, ...], most: int
) -> None:
    state = after(*lines)
    wrong = step(state, MugginsCalled(1, 0, most, is_right=False))
    assert wrong.scores()[0] == state.scores()[0] + most
    said = refused(ImpossiblePoints, step, state, MugginsCalled(1, 0, most + 1, is_right=False))
    assert said == f"muggins for {most + 1}: no more than {most} can be missed here"


CALLED = [
    *(lines for lines, _ in MOST_WRONG),
    (f"{TWO} {POINTS}", *["next"] * 3, "peg 0 8", "muggins 1 0 3 wrong"),
    (f"{TWO} {POINTS}",),
    (THREE,),
    (f"{THREE} {POINTS}", *["next"] * 3, "peg 0 20", "muggins 2 0 4 wrong"),
    (f'game "A" "B" miscount=lost dealer=1 {POINTS}', *["next"] * 3, "peg 0 8"),
]


@pytest.mark.parametrize("lines", CALLED)
def test_what_can_be_called_is_just_what_is_accepted(lines: tuple[str, ...]) -> None:
    holds_to_what_is_accepted(after(*lines))


def test_by_cards_too_what_can_be_called_is_just_what_is_accepted() -> None:
    for count in ("counted=4", "counted=2"):
        holds_to_what_is_accepted(shown(THREE, "10 A 6 8", "5", count))
    holds_to_what_is_accepted(step(shown(THREE, "10 A 6 8", "5", "counted=2"), MugginsCalled(1, 0, 1)))


def holds_to_what_is_accepted(state: State) -> None:
    for side, of in permutations(range(state.sides), 2):
        found = set[int]()
        for points, is_right in product(range(1, 31), (True, False)):
            with suppress(RuleError):
                step(state, MugginsCalled(side, of, points, is_right=is_right))
                found.add(points if is_right else -points)
        assert list(muggins_calls(state, side, of)) == sorted(found), (side, of)


def test_by_cards_a_call_can_be_wrong_by_all_that_a_hand_can_have() -> None:
    state = shown(TWO, "10 A 6 8", "5", "counted=4")
    wrong = step(state, MugginsCalled(1, 0, 29, is_right=False))
    assert wrong.scores()[0] == state.scores()[0] + 29


# --- what is left to call, and when --------------------------------------------------------------------


def missed(state: State) -> tuple[int, int] | None:
    """Return how much muggins can be called for, at least and at most."""
    window = state.counted
    return (window.least, window.least + max(window.unseen, default=0)) if window is not None else None


def test_what_was_taken_at_once_is_not_called_for_again() -> None:
    suited = [line.replace("0:3", "0:3C").replace("0:8", "0:8D") for line in MISSED]
    state = after(*suited, "play 1:5", "show 0 counted=4")
    assert missed(state) == (0, 0), "two were missed, and BOB has them"
    said = refused(ImpossiblePoints, step, state, MugginsCalled(1, 0, 2))
    assert "missed nothing" in said


def test_a_flush_that_the_table_alone_can_see_can_be_called_for() -> None:
    state = after(*MISSED, "play 1:5", "show 0 counted=6")
    assert missed(state) == (0, 5), "a flush of four, or of five"
    assert step(state, MugginsCalled(1, 0, 4)).scores()[1] == state.scores()[1] + 4


def test_by_points_no_more_can_be_missed_than_a_hand_has() -> None:
    state = after('game "A" "B" miscount=muggins entry=peg dealer=1', *["next"] * 3, "peg 0 20")
    assert missed(state) == (0, 9)
    said = refused(ImpossiblePoints, step, state, MugginsCalled(1, 0, 10))
    assert said == "A can have missed 1 to 4, 8 or 9, and not 10: call that, or the call is wrong"
    assert step(state, MugginsCalled(1, 0, 9)).scores() == (20, 9)


def test_what_was_missed_is_called_rightly_and_by_others() -> None:
    lines = [line.replace("0:3", "0:3C").replace("0:8", "0:8D") for line in MISSED[1:]]
    state = after('game "A" "B" miscount=lost dealer=1', *lines, "play 1:5", "show 0 counted=4")
    called = replace(state, rules=changed(state.rules, {"miscount": "muggins"}))
    assert missed(called) == (2, 2)
    assert (
        refused(WrongSeat, step, called, MugginsCalled(0, 0, 2))
        == "call muggins on another player's count, not on your own"
    )
    said = refused(ImpossiblePoints, step, called, MugginsCalled(1, 0, 2, is_right=False))
    assert said == "2 were missed: the call is right"
    assert step(called, MugginsCalled(1, 0, 2)).scores()[1] == state.scores()[1] + 2


EARLY_END = 'game "A" "B" "C" dealer=0 miscount=muggins play_rounds=one'
EARLY = (
    "starter 2H",
    "play 1:JC 2:9C 0:JD 1:go 2:go 0:go",
    *(f"hand-card 1 {card}" for card in ("5D", "5S", "QH")),
)
"""The play has ended early, and it is B's show: ten, four fifteens and a pair."""
BY_POINTS = 'game "A" "B" "C" dealer=0 miscount=muggins entry=peg'
TO_THE_CRIB = ("next", "next", "next", "peg 1 8", "peg 2 8", "peg 0 8")
MORE_HANDS = (
    *("show 1 counted=10", *(f"hand-card 2 {card}" for card in ("3C", "4D", "7D")), "show 2 counted=7"),
    *(f"hand-card 0 {card}" for card in ("5C", "7S", "QS")),
)

CLOSES = [
    # up to a count that has missed something             what comes after it      why
    ((EARLY_END, *EARLY, "show 1 counted=2"), "hand-card 2 3", "the next hand is turned up"),
    ((EARLY_END, *EARLY, "show 1 counted=2"), "misdeal", "the count is retracted with its deal"),
    ((EARLY_END, *EARLY, *MORE_HANDS, "show 0 counted=0"), "crib-card 3", "the crib is turned up"),
    ((BY_POINTS, *TO_THE_CRIB), "misdeal", "by points too"),
    ((BY_POINTS, *TO_THE_CRIB, "peg 0 8"), "next", "the next deal's starter is cut"),
]


@pytest.mark.parametrize(("lines", "then", "why"), CLOSES)
def test_muggins_is_called_before_the_game_goes_on(lines: tuple[str, ...], then: str, why: str) -> None:
    state = after(*lines)
    assert state.counted is not None
    caller = (state.counted.side + 1) % 3
    call = MugginsCalled(caller, state.counted.side, 2)
    assert step(state, call).scores()[caller] == state.scores()[caller] + 2
    gone_on = step(state, parse_event(then))
    assert gone_on.counted is None, why
    said = refused(WrongPhase, step, gone_on, call)
    assert said == "too late for muggins: call it right after the count that missed points"


def test_a_second_call_knows_what_the_first_has_taken() -> None:
    state = after(EARLY_END, *EARLY, "show 1 counted=2", "muggins 2 1 5")
    assert missed(state) == (3, 3)
    said = refused(ImpossiblePoints, step, state, MugginsCalled(0, 1, 4))
    assert said == "B has missed 1 to 3, and not 4: call that, or the call is wrong"
    said = refused(ImpossiblePoints, step, state, MugginsCalled(0, 1, 3, is_right=False))
    assert said == "3 were missed: the call is right"
    assert step(state, MugginsCalled(0, 1, 3)).scores() == (1 + 3, 2, 5)


def test_the_computers_next_deal_is_too_late_for_muggins() -> None:
    state = after('game "A" "B" dealer=1 miscount=muggins entry=dealt')
    shown = replace(state, counted=MugginsWindow(0, points=2, deal=0, least=2))
    assert step(shown, parse_event(f"pack {' '.join(map(str, PACK))}")).counted is None
