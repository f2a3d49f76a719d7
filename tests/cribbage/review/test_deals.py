"""A deal whose cards are known: who counts first, what the crib is worth, what hands like these peg."""

from __future__ import annotations

import numpy as np
import pytest

from cribpi.cribbage.analysis.pack import HANDS
from cribpi.cribbage.analysis.pegging.policy import pegging
from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.review.review import KnownDeal
from cribpi.cribbage.rules.rules import STANDARD, changed, preset
from cribpi.cribbage.words.cards import parse_cards

DULL = parse_cards("2H 4D 8C KS")
FIFTEENS = parse_cards("5H 5D JC KC")
CRIB = parse_cards("AS 9D QH 6S")
STARTER = Card.parse("7H")


def known(
    dealer: int = 0, hands: tuple[str, str] = ("2H 4D 8C KS", "5H 5D JC KC"), crib: str = ""
) -> KnownDeal:
    return KnownDeal(
        dealer, (parse_cards(hands[0]), parse_cards(hands[1])), parse_cards(crib or "AS 9D QH 6S"), STANDARD
    )


def test_pone_counts_before_the_dealer() -> None:
    """Both are home with their hands, the dealer with the crib too: only the order tells who wins."""
    both, crib = ("5H 5D JC KC", "5S 5C JD KD"), "4H 4D 7C AC"
    assert known(dealer=0, hands=both, crib=crib).after_the_play((3, 3), STARTER) == 0.0
    assert known(dealer=1, hands=both, crib=crib).after_the_play((3, 3), STARTER) == 1.0


def test_the_crib_comes_last_and_counts() -> None:
    assert known(dealer=0, crib="5S 5C JD KD").after_the_play((3, 30), STARTER) == 1.0
    assert known(dealer=1, crib="5S 5C JD KD").after_the_play((60, 4), STARTER) == 0.0


def test_who_is_home_in_the_play_has_won() -> None:
    assert known().after_the_play((0, 5), STARTER) == 1.0
    assert known().after_the_play((5, 0), STARTER) == 0.0


def test_a_flush_of_four_counts_in_a_crib_only_where_the_house_says_so() -> None:
    cards = parse_cards("AS 3S 9S KS")
    hands = (parse_cards("2H 4D 8C KD"), parse_cards("2D 4C 8H QC"))
    to_go = (8, 12)
    five = KnownDeal(0, hands, cards, STANDARD).after_the_play(to_go, STARTER)
    four = KnownDeal(0, hands, cards, changed(STANDARD, {"crib_flush": "four"})).after_the_play(
        to_go, STARTER
    )
    assert four > five


def test_what_hands_peg_is_told_by_role() -> None:
    """The hand that pegs most as dealer, against one that pegs as little as any."""
    points = pegging().points
    most, least = int(points[0, :, 0].argmax()), int(points[1, :, 0].argmin())

    def of(number: int, suits: str) -> tuple[Card, ...]:
        return tuple(
            Card.parse(f"{Rank(rank + 1).symbol}{suit}")
            for rank, suit in zip(HANDS[number], suits, strict=True)
        )

    deal = KnownDeal(0, (of(most, "CDHS"), of(least, "SHDC")), CRIB, STANDARD)
    dealer, pone = deal.pegged
    assert dealer > 0 > pone


def test_before_the_cut_is_the_mean_over_all_starters() -> None:
    deal = known()
    seen = {*deal.hands[0], *deal.hands[1], *deal.crib}
    starters = [card for card in map(Card.parse, _pack()) if card not in seen]
    plain, lifted = (deal.before_the_play(to_go, starters) for to_go in ((60, 60), (58, 60)))
    jacks = np.array([card.rank is Rank.JACK for card in starters])
    assert jacks.any()
    assert deal.before_the_cut((60, 60)) == pytest.approx(np.where(jacks, lifted, plain).mean())


def test_the_better_hand_has_the_better_chance_from_either_seat() -> None:
    for dealer in (0, 1):
        strong = known(dealer=dealer, hands=("5H 5D JC KC", "2H 4D 8C KS")).before_the_cut((40, 40))
        weak = known(dealer=dealer, hands=("2H 4D 8C KS", "5H 5D JC KC")).before_the_cut((40, 40))
        assert 0 < weak < strong < 1


# --- two pairs -----------------------------------------------------------------------------------------

FOUR = ("QC QD AH 3H", "5H 5D JC KC", "5S 5C JD KD", "2H 4D 8C KS")
"""The hands by seat: those of seats 1 and 2 are strong."""


def pairs(dealer: int, hands: tuple[str, ...] = FOUR) -> KnownDeal:
    return KnownDeal(
        dealer, tuple(map(parse_cards, hands)), parse_cards("AS 9D QH 6S"), preset("standard", 4)
    )


@pytest.mark.parametrize(("dealer", "wins"), [(0, 0.0), (1, 1.0), (2, 0.0), (3, 0.0)])
def test_the_hands_of_four_are_shown_from_the_left_of_the_dealer(dealer: int, wins: float) -> None:
    """Both pairs have a hand that brings them home: seat 1 and seat 2; whoever shows it first has won."""
    assert pairs(dealer).after_the_play((8, 8), Card.parse("7H")) == wins


def test_a_partner_shows_too_and_the_crib_is_the_dealer_s_side_s() -> None:
    starter = Card.parse("7H")
    weak = pairs(1, (FOUR[0], FOUR[1], FOUR[3], FOUR[3]))
    assert weak.after_the_play((121, 12), starter) == 0.0
    own, other = (KnownDeal(dealer, (DULL,) * 4, FIFTEENS, preset("standard", 4)) for dealer in (3, 2))
    assert own.after_the_play((40, 10), starter) == 0.0
    assert 0.0 < other.after_the_play((40, 10), starter) < 1.0


def test_before_the_play_four_known_hands_are_weighed_by_side() -> None:
    """Seats 1 and 2 may change places with 3 and 0: the pairs are the same, and so are their chances."""
    deal, turned = pairs(0), pairs(1, (FOUR[3], *FOUR[:3]))
    assert deal.before_the_cut((60, 50)) == pytest.approx(1.0 - turned.before_the_cut((50, 60)))
    better = pairs(0, (FOUR[1], FOUR[0], FOUR[2], FOUR[3])).before_the_cut((60, 60))
    assert better > deal.before_the_cut((60, 60))


def _pack() -> list[str]:
    return [f"{rank.symbol}{suit}" for rank in Rank for suit in "CDHS"]
