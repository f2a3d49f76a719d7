"""What is refused, each with a sentence that says what would be legal; and what known hands tell."""

from __future__ import annotations

import pytest
from support.games import PACK
from support.refusals import refused

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Go, Renege
from cribpi.cribbage.game.events import DealerChosen, Discarded, GameStarted, HandCounted, HandDealt
from cribpi.cribbage.game.match import Tally
from cribpi.cribbage.game.show import possible_claims
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.record import HEADER, Comment, parse, parse_event
from cribpi.cribbage.results.games import next_game
from cribpi.cribbage.rules import errors
from cribpi.cribbage.rules.cite import cite
from cribpi.cribbage.rules.errors import NotHeld, RuleError, WrongSeat
from cribpi.cribbage.rules.rules import Rules, preset
from cribpi.cribbage.words.cards import parse_cards


def at(*lines: str) -> State:
    """Return the state after a record's *lines*."""
    state = State()
    for event in parse("\n".join((HEADER, *lines))):
        assert not isinstance(event, Comment)
        state = step(state, event)
    return state


TWO = 'game "A" "B" dealer=1'
THREE = 'game "A" "B" "C" dealer=0'
PEG = 'game "A" "B" entry=peg dealer=1'
PEG_3 = 'game "A" "B" "C" entry=peg dealer=0'
KNOWN = (TWO, "dealt 0 7H 8C 9D 10S JH 2C", "laid-away 0 JH 2C")
PLAYED = (TWO, "starter 5", "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7 0:10")
CRIB = (*PLAYED, "show 0", "show 1")

RULED_OUT = (errors.ImpossibleClaim, "these cards rule it out")

REFUSED = [
    # before                              event             error               what the sentence says
    ((), "play 0:7", errors.WrongPhase, "start a new game first"),
    ((), "next", errors.WrongPhase, "start a new game first"),
    ((), 'names "A" "B"', errors.WrongPhase, "start a new game first"),
    ((), 'game "A" "A"', errors.BadSetup, "the names A, A must all be different; change one"),
    ((), 'game "A" ""', errors.BadSetup, "the name '' is empty: give 1 to 40 characters"),
    ((), f'game "A" "{"B" * 41}"', errors.BadSetup, "has 41 characters: use 40 at most"),
    ((), 'game "A" " B"', errors.BadSetup, "the name ' B' begins with a space: remove it"),
    ((), 'game "A" "B "', errors.BadSetup, "ends with a space"),
    ((), 'game "A" "B  C"', errors.BadSetup, "has two spaces in a row"),
    (
        (),
        'game "A" "B\u200bC"',
        errors.BadSetup,
        "has U+200B, zero width space, which is invisible: remove it",
    ),
    ((), 'game "A" "B\x07"', errors.BadSetup, "has U+0007, a control character, which is invisible"),
    ((), 'game "A" "B" dealer=2', errors.WrongSeat, "seats are 0 to 1"),
    ((), 'game "A" "B" games=1-2-3', errors.BadSetup, "each of 2 sides"),
    ((), 'game "A" "B" "C" games=1-2', errors.BadSetup, "each of 3 sides"),
    ((TWO,), 'names "A"', errors.BadSetup, "1 name for 2 seats"),
    ((TWO,), 'names "A" "A"', errors.BadSetup, "must all be different"),
    ((TWO,), "cut 0 7", errors.WrongPhase, "the cut for the deal is over"),
    ((TWO,), "dealer 0", errors.WrongPhase, "the first dealer is settled"),
    (('game "A" "B"',), "cut 1 7", errors.WrongSeat, "it is A's cut"),
    (('game "A" "B"',), "cut 5 7", errors.WrongSeat, "no seat 5"),
    (('game "A" "B"',), "dealer 5", errors.WrongSeat, "no seat 5"),
    (('game "A" "B"',), "starter 7", errors.WrongPhase, "cut for the deal, or choose who deals"),
    (('game "A" "B" entry=peg',), "peg 0 2", errors.WrongPhase, "go on to"),
    (('game "A" "B"', "cut 0 7", "cut 1 7"), "cut 1 7", errors.WrongSeat, "it is A's cut"),
    ((TWO,), "play 0:7", errors.WrongPhase, "turn up the starter"),
    ((TWO,), "show 0", errors.WrongPhase, "turn up the starter"),
    ((TWO,), "crib", errors.WrongPhase, "turn up the starter"),
    ((TWO,), "crib-card 7", errors.WrongPhase, "turn up the starter"),
    ((TWO,), "dealt 0 A 2 3 4 5", errors.NotHeld, "is dealt 6 cards"),
    ((THREE,), "dealt 0 A 2 3 4 5 6", errors.NotHeld, "is dealt 5 cards"),
    ((TWO,), "dealt 0 7 7 7 7 7 8", errors.ImpossibleCards, "a pack has four"),
    ((TWO, "dealt 0 7H 8 9 10 J Q"), "dealt 1 7H 2 3 4 5 6", errors.ImpossibleCards, "7H twice"),
    ((TWO,), "laid-away 0 A", errors.NotHeld, "discards 2 of 6"),
    ((THREE,), "laid-away 0 A 2", errors.NotHeld, "discards 1 of 5"),
    (KNOWN, "laid-away 0 7H 8C", errors.NotHeld, "once"),
    ((TWO, "laid-away 0 A 2"), "dealt 0 A 2 3 4 5 6", errors.NotHeld, "before the discards"),
    ((TWO, "dealt 0 7H 8C 9D 10S JH 2C"), "laid-away 0 7S 8C", errors.NotHeld, "does not hold 7S"),
    ((*KNOWN, "laid-away 1 3 4"), "dealt 1 A 2 3 4 5 6", errors.WrongPhase, "turn up the starter"),
    (KNOWN, "starter 7H", errors.ImpossibleCards, "7H twice"),
    (KNOWN, "starter JH", errors.ImpossibleCards, "JH twice"),
    ((*KNOWN, "starter 5"), "play 0:K", errors.NotHeld, "does not hold K"),
    ((*KNOWN, "starter 5"), "play 0:JH", errors.NotHeld, "does not hold JH"),
    ((TWO, "starter 5"), "play 1:7", errors.WrongSeat, "it is A's turn, not B's"),
    ((TWO, "starter 5"), "play 2:7", errors.WrongSeat, "no seat 2"),
    ((TWO, "starter 5"), "play 0:go", errors.MustPlay, "every card fits"),
    ((TWO, "starter 5", "play 0:10 1:10"), "play 0:go", errors.MustPlay, "at a count of 20 every card fits"),
    ((TWO, "starter 5", "play 0:10 1:9 0:2"), "play 1:go", errors.MustPlay, "count of 21 every card fits"),
    ((TWO, "starter 5", "play 0:10 1:10 0:9"), "play 1:4", errors.TooHigh, "plays 2 or less, or says go"),
    ((TWO, "starter 5", "play 0:10 1:10 0:9 1:go"), "play 1:A", errors.WrongSeat, "it is A's turn"),
    ((TWO, "starter 5", "play 0:10 1:10"), "play 0:lead:10", errors.WrongPhase, "fits the count of 20"),
    ((TWO, "starter 5"), "play 0:lead:10", errors.WrongPhase, "fits the count of 0"),
    ((TWO, "starter 5", "play 0:10 1:10 0:9"), "play 0:lead:10", errors.WrongSeat, "B leads the new count"),
    ((TWO, "starter 5H", "play 0:5D 1:5S 0:5C"), "play 1:5", errors.ImpossibleCards, "a pack has four"),
    ((TWO, "starter 5H"), "play 0:5H", errors.ImpossibleCards, "5H twice"),
    ((TWO, "starter 7", "play 0:7 1:7 0:7"), "play 1:7", errors.ImpossibleCards, "5 cards of rank 7"),
    (PLAYED, "show 1", errors.WrongSeat, "it is A's show"),
    (PLAYED, "play 0:7", errors.WrongPhase, "show the next hand"),
    (PLAYED, "crib", errors.WrongPhase, "show the next hand"),
    (PLAYED, "show 0 flush-4", errors.ImpossibleClaim, "a flush of 4: these cards rule it out"),
    (PLAYED, "show 0 nobs", errors.ImpossibleClaim, "his nobs"),
    (CRIB, "show 0", errors.WrongPhase, "turn up the crib"),
    (CRIB, "crib", errors.NotHeld, "turn up 4 more"),
    ((*CRIB, "crib-card 2"), "crib", errors.NotHeld, "turn up 3 more"),
    (
        (*CRIB, "crib-card 2", "crib-card 2", "crib-card 2", "crib-card 2"),
        "crib-card 3",
        errors.NotHeld,
        "show it",
    ),
    ((*CRIB, "crib-card 5", "crib-card 5"), "crib-card 5", errors.ImpossibleCards, "a pack has four"),
    ((*CRIB, "crib-card 2", "crib-card 4", "crib-card 6", "crib-card 8"), "crib flush-4", *RULED_OUT),
    ((*CRIB, "crib-card 2", "crib-card 4", "crib-card 6", "crib-card 8"), "crib nobs", *RULED_OUT),
    ((*CRIB, "crib-card 2", "crib-card 2", "crib-card 6", "crib-card 8"), "crib flush-5", *RULED_OUT),
    (CRIB, "peg 0 2", errors.WrongPhase, "kept by cards"),
    (CRIB, "next", errors.WrongPhase, "kept by cards"),
    (CRIB, "count 0 A 2 3 4 5", errors.WrongPhase, "kept by cards"),
    ((PEG,), "peg 0 2", errors.WrongPhase, "before the starter"),
    ((PEG,), "play 0:7", errors.WrongPhase, "kept by points"),
    ((PEG,), "starter J", errors.WrongPhase, "kept by points"),
    ((PEG, "next"), "peg 2 2", errors.WrongSeat, "sides are 0 to 1"),
    ((PEG, "next"), "peg 0 2", errors.ImpossiblePoints, "only B can peg: 2 for his heels"),
    ((PEG, "next"), "peg 1 1", errors.ImpossiblePoints, "2 for his heels"),
    ((PEG, "next"), "peg 1 2 pair", errors.ImpossiblePoints, "2 for his heels"),
    ((PEG, "next", "next"), "peg 0 16", errors.ImpossiblePoints, "a card pegs 1 to 9 or 12 to 15"),
    ((PEG, "next", "next"), "peg 0 0", errors.ImpossiblePoints, "a card pegs 1 to 9 or 12 to 15"),
    ((PEG, "next", "next"), "peg 0 -2", errors.ImpossiblePoints, "a card pegs 1 to 9 or 12 to 15"),
    ((PEG, "next", "next"), "peg 0 3 pair", errors.ImpossiblePoints, "no such score"),
    ((PEG, "next", "next"), "peg 0 8 run", errors.ImpossiblePoints, "no such score"),
    ((PEG, "next", "next"), "peg 0 2 run", errors.ImpossiblePoints, "no such score"),
    ((PEG, "next", "next"), "peg 0 4 flush", errors.ImpossiblePoints, "no such score"),
    ((PEG, "next", "next"), "peg 1 2 heels", errors.ImpossiblePoints, "no such score"),
    ((PEG, "next", "next"), "count 0 A 2 3 4 5", errors.WrongPhase, "go on to"),
    *(
        ((PEG, "next", "next", "next"), f"peg 0 {points}", errors.ImpossiblePoints, f"counts {points}")
        for points in (19, 25, 26, 27, 30, 99, -1)
    ),
    ((PEG, "next", "next", "next"), "peg 1 4", errors.WrongSeat, "it is A's show"),
    ((PEG, "next", "next", "next"), "peg 0 2 pair", errors.WrongPhase, "peg the whole count"),
    ((PEG, "next", "next", "next"), "count 1 A 2 3 4 5", errors.WrongSeat, "it is A's show"),
    ((PEG, "next", "next", "next"), "count 0 5 5 5 5 5", errors.ImpossibleCards, "a pack has four"),
    ((PEG, "next", "next", "next"), "count 0 A A 3 4 5 flush-4", errors.ImpossibleClaim, "rule it out"),
    (
        (PEG, "next", "next", "next", "count 0 A 2 3 4 5"),
        "count 1 A 2 3 4 6",
        errors.ImpossibleCards,
        "the starter of this deal is 5",
    ),
    (
        (PEG, "next", "next", "next", "count 0 5 5 5 4 6"),
        "count 1 5 5 A 2 6",
        errors.ImpossibleCards,
        "5 cards of rank 5",
    ),
    (
        (PEG, "next", "next", "next", "count 0 5H 6 7 8 9"),
        "count 1 5H 2 3 4 9",
        errors.ImpossibleCards,
        "5H twice",
    ),
    (
        (PEG, "next", "peg 1 2", "next"),
        "count 0 A 2 3 4 5",
        errors.ImpossibleCards,
        "the starter of this deal is J",
    ),
    ((PEG, *["next"] * 5), "count 0 A 2 3 4 5", errors.WrongSeat, "it is B's show"),
    ((PEG, *["next"] * 5), "count 1 A 2 3 4 5 flush-4", errors.ImpossibleClaim, "rule it out"),
    (
        (PEG, *["next"] * 3, "count 0 5H 6 7 8 9", "next"),
        "count 1 5H 2 3 4 9",
        errors.ImpossibleCards,
        "5H twice",
    ),
    ((PEG_3, "next"), "peg 3 2", errors.WrongSeat, "sides are 0 to 2"),
    ((TWO,), "penalty 2 +2", errors.WrongSeat, "sides are 0 to 1"),
    ((TWO,), "penalty -1 +2", errors.WrongSeat, "sides are 0 to 1"),
    ((TWO,), "penalty 0 -2", errors.ImpossiblePoints, "nothing would change"),
    ((TWO,), "penalty 0 +122", errors.ImpossiblePoints, "121"),
    ((TWO,), "put-right 0 0", errors.ImpossiblePoints, "nothing would change"),
    ((TWO,), "put-right 0 122", errors.ImpossiblePoints, "0 to 121"),
    ((TWO,), "put-right 0 -1", errors.ImpossiblePoints, "0 to 121"),
    ((TWO, "penalty 0 +121"), "starter 7", errors.GameIsOver, "A has won"),
    ((TWO, "penalty 0 +121"), "penalty 1 +1", errors.GameIsOver, "undo"),
    ((PEG, "penalty 1 +121"), "peg 0 2", errors.GameIsOver, "B has won"),
    ((PEG, "penalty 1 +121"), "next", errors.GameIsOver, "B has won"),
]


@pytest.mark.parametrize(("before", "event", "error", "says"), REFUSED)
def test_what_is_illegal_is_refused_with_what_would_be_legal(
    before: tuple[str, ...], event: str, error: type[RuleError], says: str
) -> None:
    state = at(*before)
    with pytest.raises(error) as refused:
        step(state, parse_event(event))
    assert says in str(refused.value)
    assert str(refused.value)[-1] not in ".!", "a sentence without its stop, as all of them"


# --- what known hands tell --------------------------------------------------------------------------


def test_go_is_refused_where_the_hand_is_known_to_hold_a_card_that_fits() -> None:
    state = at(*KNOWN, "starter 5", "play 0:10 1:K 0:9")
    assert step(state, parse_event("play 1:go")).deal is not None, "B's hand is not known"
    state = at(*KNOWN, "starter 5", "play 0:10 1:K 0:7 1:go")
    with pytest.raises(errors.WrongPhase):
        step(state, parse_event("play 0:lead:4"))
    low = at(TWO, "dealt 0 7H 8C 9D 3S JH 2C", "laid-away 0 JH 2C", "starter 5", "play 0:9 1:10 0:8 1:go")
    said = refused(errors.MustPlay, step, low, parse_event("play 0:go"))
    assert said == "A can't say go with a card of 4 or less in hand; play it"
    said = refused(errors.MustPlay, step, low, parse_event("play 1:lead:10"))
    assert "a card of 4 or less" in said


def test_a_go_is_judged_by_what_must_be_left_even_before_the_lay_away_is_known() -> None:
    dealt = (TWO, "dealt 0 10H 10D AC AD AS 3", "starter 5", "play 0:10 1:10 0:10")
    said = refused(
        errors.MustPlay, step, step(at(*dealt), parse_event("play 1:go")), parse_event("play 0:go")
    )
    assert said == "A can't say go with a card of 1 or less in hand; play it"
    unsure = at(TWO, "dealt 0 10H 10D 9 A 8 7", "starter 5", "play 0:10 1:10 0:10 1:go")
    assert step(unsure, parse_event("play 0:go")).last is not None, "the ace may lie in the crib"


def test_a_card_that_leads_a_new_count_says_go_for_all_who_had_not() -> None:
    state = at(THREE, "starter 5", "play 1:10 2:10 0:9 1:lead:10")
    assert state.deal is not None
    assert [(go.seat, go.count) for go in state.deal.goes] == [(1, 29), (2, 29), (0, 29)]


def test_a_card_played_by_its_rank_has_the_suit_that_the_hand_tells() -> None:
    state = at(*KNOWN, "starter 5", "play 0:7 1:7 0:8")
    assert state.deal is not None
    assert state.deal.played[0] == (Card.parse("7H"), Card.parse("8C"))


def test_what_was_laid_away_is_in_the_crib_and_need_not_be_turned_up() -> None:
    play = "play 0:7 1:K 0:8 1:6 0:9 1:Q 0:10 1:A"
    state = at(*KNOWN, "laid-away 1 3 4", "starter 5", play, "show 0", "show 1")
    assert state.phase is Phase.CRIB
    assert state.deal is not None
    assert state.deal.crib == tuple(map(Card.parse, ("JH", "2C", "3", "4")))
    assert step(state, parse_event("crib")).phase is Phase.DEAL


def test_what_a_known_hand_did_not_play_lies_in_the_crib() -> None:
    dealt = (TWO, "dealt 0 7H 8C 9D 10S JH 2C", "starter 5", "play 0:7 1:K 0:8 1:6 0:9 1:Q 0:10 1:A")
    state = at(*dealt, "show 0", "show 1")
    assert state.deal is not None
    assert state.deal.crib == tuple(map(Card.parse, ("JH", "2C")))
    said = refused(errors.ImpossibleCards, step, state, parse_event("crib-card JH"))
    assert said.startswith("JH twice")
    done = at(*dealt, "show 0", "show 1", "crib-card 3", "crib-card 4", "crib")
    assert done.phase is Phase.DEAL


ONE_COUNT = (
    f"{TWO} play_rounds=one",
    "dealt 0 7H 8C 9D 10S JH 2C",
    "starter 5",
    "play 0:10 1:10 0:9 1:go 0:go",
)
"""The play has ended, and what A laid away is not known: two of 7H 8C JH 2C are in hand."""


def test_where_the_play_ends_early_a_card_turned_up_must_have_been_dealt() -> None:
    state = at(*ONE_COUNT)
    for card in ("3", "7D", "10S", "9"):
        with pytest.raises(errors.NotHeld, match=f"A does not hold {card}"):
            step(state, parse_event(f"hand-card 0 {card}"))
    turned = step(state, parse_event("hand-card 0 7"))
    assert turned.deal is not None
    assert turned.deal.held[0] == (Card.parse("7H"),), "and has the suit that it was dealt with"
    said = refused(errors.NotHeld, step, turned, parse_event("hand-card 0 7"))
    assert said == "A does not hold 7; play a card of the hand"


def test_where_the_play_ends_early_what_a_known_hand_has_not_turned_up_lies_in_the_crib() -> None:
    early = at(*ONE_COUNT, "hand-card 0 7")
    assert early.deal is not None
    assert early.deal.crib == (), "one more card of the hand is to come"
    assert early.deal.possible_cards(0) == tuple(map(Card.parse, ("8C", "JH", "2C")))
    whole = at(*ONE_COUNT, "hand-card 0 7", "hand-card 0 8")
    assert whole.deal is not None
    assert whole.deal.crib == tuple(map(Card.parse, ("JH", "2C")))
    others = ("show 0", "hand-card 1 3", "hand-card 1 4", "hand-card 1 6", "show 1")
    shown = at(*ONE_COUNT, "hand-card 0 7", "hand-card 0 8", *others)
    said = refused(errors.ImpossibleCards, step, shown, parse_event("crib-card JH"))
    assert said.startswith("JH twice")
    assert (
        step(
            at(*ONE_COUNT, "hand-card 0 7", "hand-card 0 8", *others, "crib-card K", "crib-card Q"),
            parse_event("crib"),
        ).phase
        is Phase.DEAL
    )


def test_one_card_is_not_played_twice_where_a_rank_alone_was_dealt_beside_it() -> None:
    state = at(TWO, "dealt 0 7H 7 8 9 10 2", "laid-away 0 8 9", "starter 5", "play 0:7H 1:K")
    said = refused(errors.ImpossibleCards, step, state, parse_event("play 0:7H"))
    assert said == "7H twice: a pack has it once; enter the right card"


def test_a_starter_that_has_been_dealt_as_a_rank_and_played_by_name_is_not_played_again() -> None:
    state = at(TWO, "dealt 0 7 8 9 10 J 2", "laid-away 0 J 2", "starter 7H")
    said = refused(errors.ImpossibleCards, step, state, parse_event("play 0:7H"))
    assert said.startswith("7H twice")


def test_a_go_that_was_wrong_is_known_when_the_hands_are() -> None:
    state = at(TWO, "starter K", "play 0:9 1:6 0:10 1:go 0:go 1:4 0:10 1:5 0:8 1:lead:5")
    assert state.phase is Phase.SHOW
    assert state.deal is not None
    assert state.deal.reneges() == (Renege(Go(1, 25, 1), parse_cards("4 5 5")),)


def test_a_known_crib_leaves_no_claim_but_one() -> None:
    crib = tuple(map(Card.parse, ("2H", "4H", "8H", "JH")))
    assert [claim.points for claim in possible_claims(crib, Card.parse("6H"), is_strict=True)] == [6]


# --- cutting ----------------------------------------------------------------------------------------

CUTS = [
    # cuts                                                        dealer  why
    ('game "A" "B"', "0 7|1 8", 0, "the lowest deals (lowe)"),
    ('game "A" "B"', "0 K|1 A", 1, "the ace is low"),
    ('game "A" "B"', "0 7|1 7|0 9|1 3", 1, "a tie cuts again"),
    ('game "A" "B"', "0 7H|1 7S|0 9|1 10", 0, "a tie is one of ranks"),
    ('game "A" "B"', "0 10|1 K", 0, "ten is lower than king, though both count ten"),
    ('game "A" "B" "C"', "0 4|1 9|2 4|0 K|2 Q", 2, "only the tied cut again, though another was between"),
    ('game "A" "B" "C"', "0 4|1 4|2 4|0 5|1 5|2 9|0 2|1 A", 1, "and again"),
    ('game "A" "B" "C" "D"', "0 9|1 4|2 8|3 4|1 7|3 6", 3, "with four too"),
    ('game "A" "B" "C" "D"', "0 9|1 9|2 8|3 J", 2, "a tie that is not the lowest is none"),
]


@pytest.mark.parametrize(("start", "cuts", "dealer", "why"), CUTS)
def test_the_lowest_cut_deals_and_only_the_tied_cut_again(
    start: str, cuts: str, dealer: int, why: str
) -> None:
    lines = [f"cut {cut}" for cut in cuts.split("|")]
    assert at(start, *lines[:-1]).phase is Phase.CUT
    state = at(start, *lines)
    assert state.phase is Phase.DEAL
    assert state.deal is not None
    assert state.deal.dealer == dealer, why


def test_the_cuts_of_those_who_are_not_tied_stay_on_the_table() -> None:
    state = at('game "A" "B" "C"', "cut 0 4", "cut 1 9", "cut 2 4")
    assert state.cuts == (None, Card.parse("9"), None)
    assert (state.cutting, state.next_to_cut) == ((0, 2), 0)


def test_each_tie_of_the_cut_is_counted() -> None:
    lines = ('game "A" "B"', "cut 0 7", "cut 1 7", "cut 0 9", "cut 1 9")
    assert [at(*lines[:end]).ties for end in range(1, 6)] == [0, 0, 1, 1, 2]


def test_a_dealer_can_be_chosen_in_the_middle_of_a_tie() -> None:
    state = at('game "A" "B" "C"', "cut 0 4", "cut 1 4", "cut 2 9", "cut 0 7", "dealer 2")
    assert state.deal is not None
    assert state.deal.dealer == 2


# --- corrections, and a game kept by points ---------------------------------------------------------

CORRECTED = [
    # lines                              front, back   points  why
    (("put-right 0 40", "penalty 0 -2"), (38, 0), -2, "a penalty moves the front peg alone"),
    (("put-right 0 1", "penalty 0 -2"), (0, 0), -1, "no further than the start"),
    (("put-right 0 120", "penalty 0 +5"), (121, 0), 1, "and no further than the game hole"),
    (("put-right 0 40", "put-right 0 12"), (12, 0), -28, "a score put right backward"),
]


@pytest.mark.parametrize(("lines", "pegs", "points", "why"), CORRECTED)
def test_corrections_move_the_front_peg_and_say_by_how_much(
    lines: tuple[str, ...], pegs: tuple[int, int], points: int, why: str
) -> None:
    state = at(TWO, *lines)
    assert (state.pegs[0].front, state.pegs[0].back) == pegs, why
    assert state.last is not None
    assert state.last.points == points, why


def test_a_deal_kept_by_points_goes_through_all_its_steps() -> None:
    lines = [
        'game "A" "B" "C" entry=peg dealer=0',
        *("next", "next", "peg 1 2 fifteen", "peg 2 15", "peg 0 1 go", "next"),
        *("peg 1 8", "count 2 5 5 5 J 5 nobs", "peg 0 0", "next"),
    ]
    phases = [str(at(*lines[:end]).phase) for end in range(1, len(lines) + 1)]
    assert phases == "deal starter play play play play show show show crib deal".split()
    end = at(*lines)
    assert end.scores() == (1, 10, 44)
    assert end.deal is not None
    assert (end.deal.dealer, end.deal.number) == (1, 2)


def test_the_turn_is_kept_when_a_game_is_over_so_that_a_false_claim_can_be_put_right() -> None:
    over = at(TWO, "starter 5", "play 0:10", "penalty 0 +121")
    assert over.deal is not None
    assert over.deal.turn == 1
    with pytest.raises(errors.GameIsOver):
        step(over, parse_event("play 1:10"))


SETUPS = [
    # names                       rules                            what the sentence says
    (("A",), preset("standard"), "cribbage is for 2, 3 or 4"),
    (("A", "B", "C", "D", "E"), preset("standard"), "cribbage is for 2, 3 or 4"),
    (("A", "B", "C"), preset("standard"), "3 names, but rules for 2 players"),
    (("A", "B"), preset("lowe", 3), "2 names, but rules for 3 players"),
    (
        ("A", "B", "C"),
        Rules("travel-61", 3, deal="five-and-pack"),
        "travel-61 is not for 3 players: choose 2 players",
    ),
]


@pytest.mark.parametrize(("names", "rules", "says"), SETUPS)
def test_a_game_wants_a_name_for_each_player_and_rules_that_know_so_many(
    names: tuple[str, ...], rules: Rules, says: str
) -> None:
    with pytest.raises(errors.BadSetup, match=says):
        step(State(), GameStarted(names, rules))


@pytest.mark.parametrize("seat", [-1, 2])
def test_no_hand_is_dealt_to_a_seat_that_is_not_there(seat: int) -> None:
    state = at('game "A" "B" dealer=1')
    with pytest.raises(WrongSeat):
        step(state, HandDealt(seat, parse_cards("2 3 4 5 6 7")))
    with pytest.raises(WrongSeat):
        step(at('game "A" "B"'), DealerChosen(seat))


def test_one_card_cannot_be_laid_away_as_two() -> None:
    state = at('game "A" "B" dealer=1', "dealt 0 7C 2 3 4 5 6")
    with pytest.raises(NotHeld):
        step(state, Discarded(0, parse_cards("7 7C")))
    with pytest.raises(NotHeld):
        step(state, Discarded(0, parse_cards("7 7")))


MORE = [
    # before, what is refused, its error, and what it says
    (
        (f"{TWO} play_rounds=one", "starter 5", "play 0:10 1:10 0:9"),
        "play 1:lead:10",
        errors.TooHigh,
        "no new count",
    ),
    (
        (TWO, "starter 8", "play 0:10 1:K 0:9 1:go 0:A 0:go 1:5 0:4"),
        "play 0:2",
        errors.WrongSeat,
        "A has no cards left",
    ),
    ((*ONE_COUNT, "hand-card 0 7", "hand-card 0 8"), "hand-card 0 2", errors.NotHeld, "cards are all known"),
    ((*ONE_COUNT, "hand-card 0 7"), "show 0", errors.NotHeld, "A has a card left from the play"),
    (ONE_COUNT, "show 0", errors.NotHeld, "A has 2 cards left from the play"),
    (
        (f"{TWO} entry=peg miscount=muggins", *["next"] * 3, "peg 0 20"),
        "muggins 1 0 10 wrong",
        errors.ImpossiblePoints,
        "no more than 9 can be missed here",
    ),
    ((TWO,), 'names "ANN"', errors.BadSetup, "1 name for 2 seats"),
]


@pytest.mark.parametrize(("before", "refused", "error", "says"), MORE)
def test_what_comes_too_late_or_is_too_much_is_refused(
    before: tuple[str, ...], refused: str, error: type[RuleError], says: str
) -> None:
    with pytest.raises(error, match=says):
        step(at(*before), parse_event(refused))


HIGHEST = [
    # what becomes of a miscount, and a count of the best hand: what is pegged, or why nothing is
    ("lost", 29, 29),
    ("lost", 30, "no hand or crib counts 30: counts go from 0 to 29, but never 19, 25, 26 or 27"),
    ("muggins", 30, 29),
    ("muggins", 99, 29),
    ("muggins", 100, "no hand or crib counts 100: the most is 29"),
]


@pytest.mark.parametrize(("miscount", "counted", "comes"), HIGHEST)
def test_nobody_counts_more_than_twenty_nine_but_by_an_overclaim(
    miscount: str, counted: int, comes: int | str
) -> None:
    play = "play 0:JH 1:2 0:5 1:2 0:5 1:3 0:go 1:3 0:5"
    state = at(f"{TWO} miscount={miscount}", "starter 5H", play)
    show = parse_event(f"show 0 nobs counted={counted}")
    if isinstance(comes, str):
        assert refused(errors.ImpossiblePoints, step, state, show) == comes
    else:
        assert step(state, show).scores()[0] - state.scores()[0] == comes


@pytest.mark.parametrize("lost", [Tally(games=-1), Tally(points=-1), Tally(skunks=-1)])
def test_a_match_that_was_won_less_than_nought_times_is_refused(lost: Tally) -> None:
    for tally in ((lost, Tally()), (Tally(3, 3, 3), lost)):
        begun = GameStarted(("A", "B"), tally=tally)
        assert refused(errors.BadSetup, step, State(), begun) == "games, points and skunks can't be below 0"


def test_a_spread_may_be_below_nought_and_sums_are_for_each_side() -> None:
    tally = (Tally(spread=-30), Tally(1, 1, 0, 30))
    assert step(State(), GameStarted(("A", "B"), tally=tally)).tally == tally
    for given, said in ((tally[:1], "1 side"), ((*tally, Tally()), "3 sides")):
        begun = GameStarted(("A", "B"), tally=given)
        assert refused(errors.BadSetup, step, State(), begun) == (
            f"games are given for {said}: give them for each of 2 sides"
        )


def test_whoever_is_accused_plays_in_this_game() -> None:
    state = at(f"{TWO} miscount=muggins", *PLAYED[1:], "show 0 counted=6")
    for event in ("muggins 1 2 2", "muggins 2 0 2"):
        said = refused(errors.WrongSeat, step, state, parse_event(event))
        assert said == "there is no side 2: sides are 0 to 1"


def test_a_name_of_forty_letters_and_the_last_round_of_the_longest_night_are_taken() -> None:
    assert step(State(), GameStarted(("A", "B" * 40))).names == ("A", "B" * 40)
    for number in (1, 99):
        begun = GameStarted(("A", "B"), night="x" * 80, round=number)
        assert step(State(), begun).phase is Phase.CUT


@pytest.mark.parametrize(
    ("night", "number", "says"),
    [
        ("x" * 81, 3, "use up to 80 visible characters"),
        ("one\nnight", 3, "use up to 80 visible characters"),
        ("2026-11-25", 0, "has a round from 1 to 99"),
        ("2026-11-25", 100, "has a round from 1 to 99"),
        ("", 3, "no other game has one"),
    ],
)
def test_a_night_and_a_round_that_no_pairing_has_are_refused(night: str, number: int, says: str) -> None:
    assert says in refused(errors.BadSetup, step, State(), GameStarted(("A", "B"), night=night, round=number))


def test_there_is_no_next_game_before_this_one_is_over() -> None:
    said = refused(errors.WrongPhase, next_game, at(TWO))
    assert said == "this game is not over: play it to the end, or start a new one from the menu"


def test_a_wrong_go_names_the_first_card_that_could_have_been_played() -> None:
    state = at(TWO, "starter K", "play 0:9 1:6 0:10 1:go 0:go 1:4 0:10 1:5 0:8 1:lead:5")
    assert state.deal is not None
    [wrong] = state.deal.open_reneges()
    assert (wrong.seat, wrong.go.count, wrong.cards[0]) == (1, 25, Card.parse("4"))


def test_whoever_has_a_card_holds_one_that_can_be_played_while_every_card_fits() -> None:
    early, late = at(TWO, "starter 5", "play 0:10").deal, at(TWO, "starter 5", "play 0:10 1:10 0:9").deal
    assert early is not None
    assert late is not None
    assert early.must_hold_playable(1), "at ten"
    assert not late.must_hold_playable(1), "at 29 nobody knows"


@pytest.mark.parametrize(
    ("dealt", "play", "must"),
    [
        ("", "play 0:10 1:10 0:A", True),  # at 21 ten fits
        ("", "play 0:10 1:10 0:2", False),
        ("AH 8C 9D 10S JH QC", "play 0:10 1:10 0:4", False),  # at 24; the ace may lie in the crib
        ("AH 2C 9D 10S JH QC", "play 0:10 1:10 0:4", False),  # and so may both
        ("AH 2C 3D 10S JH QC", "play 0:10 1:10 0:4", True),
    ],
)
def test_who_surely_holds_a_card_that_fits(dealt: str, play: str, *, must: bool) -> None:
    deal = at(TWO, *([f"dealt 1 {dealt}"] * bool(dealt)), "starter 5", play).deal
    assert deal is not None
    assert deal.must_hold_playable(1) is must


def test_a_hand_of_three_cards_is_not_counted() -> None:
    state = at(f"{TWO} entry=peg", "next", "next", "next")
    said = refused(errors.NotHeld, step, state, HandCounted(0, parse_cards("5 5 5"), Card.parse("10")))
    assert said == "3 cards: give 4 and the starter"


# --- the rule that each refusal cites -----------------------------------------------------------------

CHOSEN = 'game "A" "B" first_dealer=chosen'
PLAYERS_COUNT = 'game "A" "B" miscount=lost dealer=1'
MUGGINS = 'game "A" "B" miscount=muggins dealer=1'
BY_POINTS = f"{MUGGINS} entry=peg"
SHOWN = (MUGGINS, *PLAYED[1:], "show 0 counted=0")
WRONG_GO = (TWO, "starter K", "play 0:9 1:6 0:10 1:go 0:go 1:4 0:10 1:5 0:8 1:lead:5")
STEPS = ("next", "next", "next")

DEALT = (f"{TWO} entry=dealt", f"pack {' '.join(map(str, PACK))}")

CITED = [
    # before                        event                    rule               what the sentence says
    ((), "play 0:7", "order", "start a new game first"),
    ((TWO, "penalty 0 +121"), "starter 7", "win", "A has won"),
    ((TWO,), "penalty 2 +2", "setup", "there is no side 2: sides are 0 to 1"),
    ((TWO,), 'names "A"', "setup", "1 name for 2 seats"),
    # before the starter
    (
        (CHOSEN,),
        "cut 0 7",
        "first_dealer",
        "under these rules, no cards are cut for the deal: choose who deals",
    ),
    (('game "A" "B"',), "cut 1 7", "first_dealer", "it is A's cut, not B's"),
    ((TWO,), "cut 0 7", "first_dealer", "the cut for the deal is over"),
    ((TWO,), "dealer 0", "deal-passes", "the first dealer is settled"),
    ((TWO,), "dealt 0 A 2", "deal", "A is dealt 6 cards, only once, before the discards"),
    ((TWO,), "laid-away 0 A", "lay-away", "A discards 2 of 6 cards, only once"),
    ((TWO,), "dealt 0 7 7 7 7 7 8", "pack", "a pack has four"),
    (
        (PLAYERS_COUNT, "starter 8"),
        "heels",
        "heels_deadline",
        "there is nothing to take for his heels: B takes it before playing a card",
    ),
    # the play
    ((TWO, "starter 5"), "play 1:7", "turns", "it is A's turn, not B's"),
    ((TWO, "starter 5"), "play 0:go", "must-play", "every card fits"),
    ((TWO, "starter 5", "play 0:10 1:10 0:9 1:go"), "play 1:A", "must-play", "B has said go in this count"),
    ((TWO, "starter 5", "play 0:10 1:10 0:9"), "play 1:4", "limit", "B plays 2 or less, or says go"),
    ((TWO, "starter 5", "play 0:10 1:10 0:9"), "play 0:lead:10", "lead_after_close", "B leads the new count"),
    (
        (f"{TWO} play_rounds=one", "starter 5", "play 0:10 1:10 0:9"),
        "play 1:lead:10",
        "play_rounds",
        "these rules have no new count: B plays 2 or less, or says go",
    ),
    (
        (f"{TWO} play_rounds=one", "starter 5", "play 0:10 1:10 0:9 1:go"),
        "play 0:lead:10",
        "play_rounds",
        "these rules have no new count: A plays 2 or less, or says go",
    ),
    (
        (TWO, "starter 8", "play 0:10 1:K 0:9 1:go 0:A 0:go 1:5 0:4"),
        "play 0:2",
        "passed",
        "A has no cards left; it is B's turn",
    ),
    (
        ('game "A" "You" dealer=1', "starter 5", "play 0:10 1:10 0:9"),
        "play 1:4",
        "limit",
        "You play 2 or less, or say go",
    ),
    # the show
    (PLAYED, "show 1", "show-order", "it is A's show, not B's"),
    (ONE_COUNT, "hand-card 1 3", "show-order", "it is A's show, not B's"),
    (
        (*ONE_COUNT, "hand-card 0 7", "hand-card 0 8"),
        "hand-card 0 2",
        "lay-away",
        "A's cards are all known: show the hand",
    ),
    (PLAYED, "show 0 flush-4", "flush", "these cards rule it out"),
    (PLAYED, "show 0 nobs", "nobs", "these cards rule it out"),
    ((*CRIB, *["crib-card 2"] * 2, *["crib-card 6"] * 2), "crib flush-5", "crib_flush", "rule it out"),
    (PLAYED, "show 0 counted=2", "miscount", "under these rules, the computer counts"),
    ((PLAYERS_COUNT, *PLAYED[1:]), "show 0", "miscount", "give the points they counted"),
    ((PLAYERS_COUNT, *PLAYED[1:]), "show 0 counted=19", "no-nineteen", "no hand or crib counts 19"),
    (ONE_COUNT, "show 0", "play_rounds", "A has 2 cards left from the play: turn up the rest first"),
    # kept by points
    ((PEG, "next"), "peg 0 2", "heels", "only B can peg: 2 for his heels; go on to the play"),
    (
        (PEG, "next", "next"),
        "peg 0 3 pair",
        "most-for-a-card",
        "under these rules, the play has no such score",
    ),
    ((PEG, "next", "next"), "peg 0 16", "most-for-a-card", "a card pegs 1 to 9 or 12 to 15"),
    ((PEG, *STEPS), "peg 0 2 pair", "order", "pair by itself is for the play"),
    ((PEG, *STEPS), "peg 0 19", "no-nineteen", "no hand or crib counts 19"),
    ((PEG, *STEPS), "peg 1 4", "show-order", "it is A's show, not B's"),
    # corrections
    ((TWO,), "penalty 0 +122", "penalty", "121 is the whole game"),
    ((TWO,), "put-right 0 122", "put-right", "the board has 0 to 121"),
    ((TWO,), "put-right 0 0", "put-right", "A has 0 already; nothing would change"),
    ((TWO,), "misdeal", "misdeal", "nothing of this deal has been entered yet"),
    ((PEG,), "misdeal", "misdeal", "nothing of this deal has been entered yet"),
    (DEALT, DEALT[-1], "shuffle", "the cards are dealt already"),
    (PLAYED, "muggins 1 0 2", "miscount", "these rules have no muggins"),
    (SHOWN, "muggins 0 0 2", "miscount", "call muggins on another player's count, not on your own"),
    (SHOWN, "muggins 0 1 2", "miscount", "too late for muggins"),
    ((MUGGINS, "starter 5"), "muggins 1 0 2", "miscount", "too late for muggins"),
    (SHOWN, "muggins 1 0 2", "miscount", "A has missed nothing: the call is wrong"),
    (PLAYED, "renege 1 2", "renege", "B has no wrong go to rule on: use a penalty instead"),
    (WRONG_GO, "renege 1 3", "renege", "3 for the wrong go: these rules give 0, or nothing"),
    ((TWO, "penalty 0 +121"), "false-win 1 7", "false_win", "B has not claimed the game"),
    ((TWO, "penalty 0 +121"), "false-win 0 121", "false_win", "give one below the game hole, 121"),
    ((TWO,), "false-win 0 0", "false_win", "A stands at 0 and has not won: correct the score"),
]


@pytest.mark.parametrize(("before", "event", "rule", "says"), CITED)
def test_a_refusal_cites_the_rule_on_which_it_rests(
    before: tuple[str, ...], event: str, rule: str, says: str
) -> None:
    state = at(*before)
    with pytest.raises(RuleError) as refused:
        step(state, parse_event(event))
    assert says in str(refused.value)
    assert refused.value.rule == rule
    assert cite(rule, state.rules).text, "the rule book has it"


FOUR = 'game "Ann" "Bob" "Cid" "Dot" dealer=1'
FOUR_BY_POINTS = (f"{FOUR} entry=peg miscount=muggins", "next")


@pytest.mark.parametrize(
    ("before", "event", "says"),
    [
        ((FOUR,), "put-right 0 0", "Ann and Cid have 0 already"),
        ((FOUR,), "false-win 0 0", "Ann and Cid stand at 0 and have not won"),
        ((FOUR, "penalty 0 +121"), "false-win 1 7", "Bob and Dot have not claimed the game"),
        ((FOUR, "penalty 0 +121"), "starter 5", "the game is over, Ann and Cid have won"),
        (FOUR_BY_POINTS, "peg 0 2", "at the starter only Bob and Dot can peg"),
        ((*FOUR_BY_POINTS, "next", "next"), "peg 1 4", "it is Ann and Cid's show, not Bob and Dot's"),
        (
            (*FOUR_BY_POINTS, "next", "next", "peg 0 29"),
            "muggins 1 0 2",
            "Ann and Cid have missed nothing",
        ),
    ],
)
def test_a_refusal_speaks_of_partners_by_both_names(before: tuple[str, ...], event: str, says: str) -> None:
    assert says in refused(RuleError, step, at(*before), parse_event(event))
