"""What a review gives as reasons, taken apart: each claim is worked out again, and no other is made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

import numpy as np
import pytest
from support import naive
from support.samples import some_of

from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.deal import Go, Played
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.advice import others_hands, sight_for
from cribpi.cribbage.players.card_effects import outlook
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.players.opponent import has_own_crib
from cribpi.cribbage.review.decisions import UNSURE, Decision, Which, options_of
from cribpi.cribbage.review.reasons import because, costs
from cribpi.cribbage.review.review import review
from cribpi.cribbage.rules.rules import STANDARD, preset
from cribpi.cribbage.words.cards import parse_cards

SHOWN: Final = 0.0501
"""How far a figure with one decimal may be from the exact one."""

SYMBOLS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
RANK: Final = r"(?:10|[2-9AJQK])"
IN_A_RANK: Final = {"a pair": 2, "a pair royal": 3, "a double pair royal": 4}


def makes(name: str, pile: Sequence[Card]) -> bool:
    """Return whether the last card of *pile* makes what is called *name*."""
    if name in {"fifteen", "thirty-one"}:
        return sum(map(naive.pips, pile)) == {"fifteen": 15, "thirty-one": 31}[name]
    if many := IN_A_RANK.get(name):
        return len(pile) >= many and len({card.rank for card in pile[-many:]}) == 1
    return naive.is_run(pile[-WORDS.index(name.removeprefix("a run of ")) :])


# --- the claims --------------------------------------------------------------------------------------


def held(decision: Decision, which: int) -> list[Card]:
    option = (decision.chosen, decision.best)[which]
    return [card for card in decision.sight.hand if card not in option.cards]


def hand_average(decision: Decision, which: int) -> float:
    kept = held(decision, which)
    return float(np.mean([naive.show(kept, card) for card in PACK if card not in decision.sight.hand]))


def is_kept(text: str, kept: Sequence[Card]) -> None:
    *_, flush = text.partition(" (a flush)")[1:]
    assert (" (a flush)" in text) == (len({card.suit for card in kept}) == 1), flush
    named = text.replace(" (a flush)", "").split("-")
    assert Counter(named) in (
        Counter(card.rank.symbol for card in kept),
        Counter(card.face for card in kept),
    )


def of_hand(decision: Decision, better: str, most: str, worse: str, least: str) -> None:
    is_kept(better, held(decision, 1))
    is_kept(worse, held(decision, 0))
    assert better != worse, "what differs is named"
    assert abs(hand_average(decision, 1) - float(most)) <= SHOWN
    assert abs(hand_average(decision, 0) - float(least)) <= SHOWN
    assert float(most) > float(least)


def of_part(decision: Decision, part: int, less: str) -> None:
    parts = decision.best.parts[part] - decision.chosen.parts[part]
    assert abs(parts - float(less)) <= SHOWN
    assert float(less) > 0


def of_crib(decision: Decision, less: str, which: str) -> None:
    of_part(decision, 1, less)
    assert (which == "less") == has_own_crib(decision.sight)


def of_gift(decision: Decision, is_it: Callable[[Sequence[Card]], bool]) -> None:
    """What is good for one's own crib is in the best alone; for another's, in what was chosen alone."""
    own = has_own_crib(decision.sight)
    assert is_it(decision.best.cards) == own
    assert is_it(decision.chosen.cards) != own


def two(first: str, second: str) -> Callable[[Sequence[Card]], bool]:
    return lambda cards: (
        sorted(card.rank for card in cards) == sorted(Card.parse(one).rank for one in (first, second))
    )


def of_fifteen(decision: Decision, first: str, second: str) -> None:
    assert sum(naive.pips(Card.parse(one)) for one in (first, second)) == 15
    of_gift(decision, two(first, second))


def of_run(decision: Decision, first: str, second: str) -> None:
    assert SYMBOLS.index(second) - SYMBOLS.index(first) in (1, 2)
    of_gift(decision, two(first, second))


def of_pair(decision: Decision, rank: str) -> None:
    of_gift(decision, two(rank, rank))


def of_five(decision: Decision) -> None:
    of_gift(decision, lambda cards: any(card.rank.symbol == "5" for card in cards))


def of_no_average(decision: Decision, part: str) -> None:
    place = 0 if part == "the hand" else 2 if part == "the play" else 1
    assert decision.chosen.parts[place] >= decision.best.parts[place] - 1e-9
    assert costs(decision)[place] >= UNSURE


def pegged(decision: Decision, card: Card, *more: Card) -> int:
    """Return what the last of *card* and *more* pegs, without go."""
    pile = (*decision.sight.pile, card, *more)
    return naive.last_of_pile(pile)


def of_points_now(decision: Decision, rank: str, said: str) -> None:
    card = decision.best.cards[0]
    assert card.rank.symbol == rank
    pile = (*decision.sight.pile, card)
    counted = 0
    for score in said.split(" and "):
        many, name = score.split(" for ")
        assert makes(name, pile), name
        counted += WORDS.index(many)
    assert counted == pegged(decision, card) > pegged(decision, decision.chosen.cards[0])


def of_reply(decision: Decision, ranks: str, name: str) -> None:
    sight = decision.sight
    left = [other for other in range(sight.players) if other != sight.seat and sight.cards_left(other)]
    named = re.findall(RANK, re.sub(r"^an? ", "", ranks).replace("ten card", "10, J, Q or K"))
    assert named
    for rank in named:
        card = Card.parse(rank)
        assert makes(name, (*sight.pile, *decision.chosen.cards, card))
        assert sum(one.rank is card.rank for one in sight.seen) < 4
        says = {other: [31 - go.count for go in sight.goes if go.seat == other] for other in left}
        assert any(naive.pips(card) > max(room, default=0) for room in says.values()), "ruled out by a go"


def chance_that(decision: Decision, rank: str, fits: Callable[[Card, Card], bool]) -> float:
    option = next(one.cards[0] for one in decision.options if one.cards[0].rank.symbol == rank)
    found = others_hands(decision.sight)
    assert found is not None
    cards, weights = found
    likely = 0.0
    for hand, weight in zip(cards.tolist(), weights.tolist(), strict=True):
        likely += weight * any(
            fits(option, Card.parse(SYMBOLS[number])) for number in hand if number < len(SYMBOLS)
        )
    return likely / float(weights.sum())


def of_score_on_it(decision: Decision, ranks: str, name: str, often: str, best: str, seldom: str) -> None:
    of_reply(decision, ranks, name)

    def scores(option: Card, reply: Card) -> bool:
        count = decision.sight.count + naive.pips(option) + naive.pips(reply)
        return count <= 31 and pegged(decision, option, reply) > 0

    for rank, said in ((decision.chosen.cards[0].rank.symbol, often), (best, seldom)):
        is_open = outlook(decision.sight, _option(decision, rank)).is_open
        assert abs(is_open * chance_that(decision, rank, scores) - int(said) / 100) <= 0.0051
    assert int(often) > int(seldom)


def _option(decision: Decision, rank: str) -> Card:
    return next(one.cards[0] for one in decision.options if one.cards[0].rank.symbol == rank)


def of_go(decision: Decision, best: str, often: str, rank: str, seldom: str) -> None:
    def fits(option: Card, reply: Card) -> bool:
        return decision.sight.count + naive.pips(option) + naive.pips(reply) <= 31

    assert best == decision.best.cards[0].rank.symbol
    assert rank == decision.chosen.cards[0].rank.symbol
    for symbol, said in ((best, often), (rank, seldom)):
        assert abs(1 - chance_that(decision, symbol, fits) - int(said) / 100) <= 0.0051
    assert int(often) > int(seldom)


def of_what_follows(decision: Decision, less: str) -> None:
    assert abs(decision.best.points - decision.chosen.points - float(less)) <= SHOWN
    assert float(less) > 0


def of_later(decision: Decision, now: str, less: str) -> None:
    more = pegged(decision, decision.chosen.cards[0]) - pegged(decision, decision.best.cards[0])
    assert WORDS.index(now) == more > 0
    of_what_follows(decision, f"{float(less) - more:.1f}")


def of_both(decision: Decision, mine: str, theirs: str, best: str, ideal: str, fewer: str) -> None:
    assert best == decision.best.cards[0].rank.symbol
    assert abs(float(mine) - float(theirs) - decision.chosen.points) <= 3 * SHOWN
    assert abs(float(ideal) - float(fewer) - decision.best.points) <= 3 * SHOWN


POINTS: Final = r"([0-9.]+) points?"
BOTH: Final = r"([0-9.]+) and (?:the opponent )?([0-9.]+)"
CRIB: Final = r" in [A-Z]+'s(?: own)? crib"
REPLY: Final = r"(an? (?:" + RANK + r"|ten card)(?:(?:, | or )(?:" + RANK + r"|ten card))*) makes ([a-z -]+?)"
CLAIMS: Final[dict[str, Callable[..., None]]] = {
    r"(\S+(?: \(a flush\))?) averages ([0-9.]+), (\S+(?: \(a flush\))?) ([0-9.]+)": of_hand,
    rf"the cards kept peg {POINTS} less": lambda decision, less: of_part(decision, 2, less),
    rf"it is worth {POINTS} (less|more){CRIB}": of_crib,
    rf"the pair of ({RANK})s counts two{CRIB}": of_pair,
    rf"({RANK}) and ({RANK}) make fifteen{CRIB}": of_fifteen,
    rf"a 5 makes fifteen with any ten or court card{CRIB}": of_five,
    rf"({RANK}) and ({RANK}) may make a run{CRIB}": of_run,
    r"on average (the hand|[A-Z]+'s(?: own)? crib|the play) is worth at least as much, "
    r"but from this score it is worth less": of_no_average,
    rf"the ({RANK}) pegs ([a-z -]+)": of_points_now,
    REPLY: of_reply,
    rf"{REPLY}, and the opponent can score on it (\d+)% of the time, on the ({RANK}) (\d+)%": of_score_on_it,
    rf"the opponent can't play on the ({RANK}) (\d+)% of the time, on the ({RANK}) (\d+)%": of_go,
    rf"it pegs ([a-z]+) more now, and {POINTS} less after that": of_later,
    rf"what follows pegs {POINTS} less": of_what_follows,
    rf"from here on it pegs {BOTH}, after the ({RANK}) {BOTH}": of_both,
}


def check(decision: Decision) -> str:
    """Check the reason of *decision*; return which claim it makes, "" for none."""
    said = because(decision, "ANN's")
    if not said:
        return ""
    assert said.startswith(": ")
    found = [
        (claim, match)
        for claim in CLAIMS
        if (match := re.fullmatch(claim, said.removeprefix(": "))) is not None
    ]
    assert len(found) == 1, said
    claim, match = found[0]
    try:
        CLAIMS[claim](decision, *match.groups())
    except AssertionError as wrong:
        raise AssertionError(f"{said}\n{decision}") from wrong
    return claim


# --- the decisions -----------------------------------------------------------------------------------


def decisions(levels: Sequence[str], seed: int) -> Iterator[Decision]:
    """Yield what cost something in a game between *levels*, two, three or four."""
    chance = Random(seed)
    packs: dict[int, list[Card]] = {}

    def pack(deal: int) -> list[Card]:
        return packs.setdefault(deal, chance.sample(PACK, len(PACK)))

    players = [opponent(level, chance=Random(seed + seat)) for seat, level in enumerate(levels)]
    rules = preset("standard", len(levels))
    played: list[Event] = [event for event, _ in game(players, rules, pack, dealer=seed % len(levels))]
    yield from (one for one in review(played).decisions if one.lost >= UNSURE)


@pytest.mark.parametrize("seed", some_of(range(108), 3))
def test_each_reason_says_what_the_numbers_say(seed: int) -> None:
    levels = (("chance", "thrifty"), ("thrifty", "chance"), ("thrifty", "solid"))[seed % 3]
    claims = Counter(map(check, decisions(levels, seed)))
    assert claims.total() - claims[""] > 5
    assert claims[""] <= claims.total() / 4, f"without a reason: {claims['']} of {claims.total()}"


@pytest.mark.parametrize("seed", some_of(range(6), 1))
@pytest.mark.parametrize("players", [3, 4])
def test_so_does_each_with_three_and_four(players: int, seed: int) -> None:
    claims = Counter(map(check, decisions(("chance", "thrifty", "thrifty", "chance")[:players], seed)))
    assert claims.total() - claims[""] > 5


def reason(hand: str, away: str, *, is_dealer: bool, scores: tuple[int, int]) -> str:
    sight = sight_for(parse_cards(hand), is_dealer=is_dealer, scores=scores)
    options = options_of(sight, Which.DISCARD)
    chosen = next(one for one in options if {*one.cards} == {*parse_cards(away)})
    decision = Decision(1, 1, 0, Which.DISCARD, sight, chosen, options)
    check(decision)
    return because(decision, "ANN's")


CRIBS = [
    # the hand, what was put away, whether the crib is one's own, and what is said of it
    ("9C KS AC JS AD 9S", "9C 9S", False, "the pair of 9s counts two"),
    ("6C 7D 5S 8D QS QC", "7D 8D", False, "7 and 8 make fifteen"),
    ("7D 5H JC 8S 4C 6C", "4C 5H", False, "a 5 makes fifteen with any ten or court card"),
    ("10C 4D 5C 9D 7D KH", "7D 9D", False, "7 and 9 may make a run"),
    ("7D 5H JC 8S 4C 6C", "4C JC", False, "more"),
    ("JC KS 6D 8D KC 9H", "8D JC", True, "the pair of Ks counts two"),
    ("8D QC 5H JS 7S QS", "8D JS", True, "7 and 8 make fifteen"),
    ("JD 10C 9D 5D 6S 9H", "6S 9D", True, "a 5 makes fifteen with any ten or court card"),
    ("9H 7C JH 3D AC 8S", "3D JH", True, "A and 3 may make a run"),
    ("QD 7D 2C JD AH JC", "7D QD", True, "less"),
]


@pytest.mark.parametrize(("hand", "away", "is_dealer", "says"), CRIBS)
def test_what_others_get_or_oneself_lacks_in_the_crib_is_said(
    hand: str, away: str, says: str, *, is_dealer: bool
) -> None:
    said = reason(hand, away, is_dealer=is_dealer, scores=(0, 0))
    assert says in said
    assert said.endswith(" in ANN's crib")


def test_suits_are_named_where_they_are_all_that_differs() -> None:
    assert reason("AC 5D JC 6D 9D JD", "AC JD", is_dealer=True, scores=(0, 0)) == (
        ": 5♦-6♦-9♦-J♦ (a flush) averages 11.0, 5♦-6♦-9♦-J♣ 6.8"
    )


def test_points_that_are_worth_less_from_a_score_are_not_said_to_be_fewer() -> None:
    assert reason("9D 7H AS JD 10C KS", "AS KS", is_dealer=True, scores=(107, 114)) == (
        ": on average the play is worth at least as much, but from this score it is worth less"
    )


def test_no_crib_is_a_reason_where_the_game_ends_before_it() -> None:
    hand = parse_cards("8C 8D AH KH 4C 2D")
    sight = sight_for(hand, is_dealer=False, scores=(115, 120))
    options = options_of(sight, Which.DISCARD)
    said = [because(Decision(1, 1, 0, Which.DISCARD, sight, one, options), "ANN's") for one in options]
    assert any(said)
    assert not any("crib" in one for one in said)


def test_no_card_is_named_as_a_reply_that_a_go_has_ruled_out() -> None:
    """At 24 the other said go, so it holds no card up to 7, however few of them were seen."""
    plays = [(0, "10S"), (1, "4H"), (0, "KS")]
    hand = parse_cards("5H 8C")
    played = tuple(Played(seat, Card.parse(card)) for seat, card in plays)
    sight = SeatSight(
        STANDARD, 0, 1, (60, 64), hand, starter=Card.parse("2D"), plays=played, goes=(Go(1, 24, 1),), turn=0
    )
    (of_five,) = (outlook(sight, card) for card in hand[:1])
    assert [one.symbol for reply in of_five.replies for one in reply.ranks] == ["10", "J", "Q", "K"]
    of_eight = outlook(sight, hand[1])
    assert [one.symbol for reply in of_eight.replies for one in reply.ranks] == ["8"]
