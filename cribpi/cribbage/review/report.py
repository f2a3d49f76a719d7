"""A review as JSON, for the page, the terminal and other programs, with a sentence for each decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, overload

from cribpi.cribbage.game.cards import Card, in_order
from cribpi.cribbage.game.state import State
from cribpi.cribbage.players.card_effects import LEAST, said_points
from cribpi.cribbage.review import FORMAT
from cribpi.cribbage.review.by_name import owner_of
from cribpi.cribbage.review.decisions import UNSURE, Decision, DecisionOption, Which, lost_by, mark
from cribpi.cribbage.review.practice import Position
from cribpi.cribbage.review.review import DealCourse, Review
from cribpi.cribbage.words.cards import ranks_apart

if TYPE_CHECKING:
    from cribpi.cribbage.review import json_types


def what(decision: Decision) -> str:
    """Describe a decision in two or three words: "5-J discarded", "8 on 7"."""
    if decision.which is Which.DISCARD:
        return f"{ranks(decision.chosen.cards)} discarded"
    (card,) = decision.chosen.cards
    count = decision.sight.count
    return f"{card.rank.symbol} on {count}" if count else f"{card.rank.symbol} led"


def sentence(decision: Decision, owners: Sequence[str]) -> str:
    """Describe a decision, its cost and the reason in a sentence; *owners* has "Ann's" for each seat."""
    if decision.chosen is decision.best:
        return f"{_did(decision, owners)}: the best choice"
    cost = _cost(decision)
    if decision.is_for_the_skunk:
        left = (
            "but with a skunk at stake it is just as good"
            if decision.lost < UNSURE
            else f"with a skunk at stake it costs only {decision.lost:.1%}"
        )
        return f"{_did(decision, owners)}{cost}; {left}"
    from cribpi.cribbage.review.reasons import because  # noqa: PLC0415  NumPy, only for mistakes

    return f"{_did(decision, owners)}{cost}{because(decision, _crib_owner(decision, owners))}"


def ranks(cards: Iterable[Card]) -> str:
    """Format the ranks of *cards* in order, joined by hyphens: 5-J."""
    return "-".join(card.rank.symbol for card in in_order(cards))


def _did(decision: Decision, owners: Sequence[str]) -> str:
    if decision.which is Which.DISCARD:
        cards = ranks_apart(decision.chosen.cards, decision.best.cards)
        return f"{cards} to {_crib_owner(decision, owners)} crib"
    if not decision.sight.count:
        return f"Leading the {decision.chosen.cards[0].rank.symbol}"
    return f"The {what(decision)}"


def _crib_owner(decision: Decision, owners: Sequence[str]) -> str:
    dealer = decision.sight.dealer
    return f"{owners[dealer]} own" if dealer == decision.seat else owners[dealer]


def _cost(decision: Decision) -> str:
    best = decision.best
    other = f"the {best.cards[0].rank.symbol}"
    if decision.which is Which.DISCARD:
        other = ranks_apart(best.cards, decision.chosen.cards)
    points = decision.lost_points
    if not decision.lost_worth:
        return f" is as good as {other}"
    if decision.is_chance:
        chance = f" wins {decision.lost_worth:.1%} less often than {other}"
        if points >= LEAST:
            return f"{chance} and gives up {said_points(points)}"
        return f"{chance}, though it scores {said_points(-points)} more" if points <= -LEAST else chance
    return f" gives up {said_points(points)} against {other}"


DIGITS: Final = 4
"""Decimals of an accuracy; chances and points have fewer, because `decisions` rounds them."""


def review_json(review: Review) -> dict[str, Any]:
    """Return a review as JSON in the stored form; `by_name` makes it that of docs/reference/review.md."""
    state, course = review.state, review.course
    return {
        "format": FORMAT,
        "names": list(state.names),
        "sides": [state.side_name(side) for side in range(len(state.scores()))],
        "scores": list(state.scores()),
        "winner": state.winner,
        "lacking": list(review.lacking),
        "players": [_player(review, seat) for seat in range(state.players)],
        "course": None
        if course is None
        else {
            "cut_for_deal": _short(course.cut_for_deal),
            "luck": _short(course.luck),
            "count": _short(course.counts),
            "lost": [_short(course.lost(side)) for side in range(2)],
            "deals": [_deal(deal) for deal in course.deals],
        },
        "decisions": [_decision(decision, state) for decision in review.decisions],
    }


def _player(review: Review, seat: int) -> json_types.Reviewed:
    return {
        "accuracy": _short(review.accuracy(seat)),
        "discards": _short(review.accuracy(seat, Which.DISCARD)),
        "plays": _short(review.accuracy(seat, Which.PLAY)),
        "lost": _short(sum(decision.lost for decision in review.of(seat))),
        "marks": dict(review.marks(seat)),
    }


def _deal(deal: DealCourse) -> json_types.ReviewedDeal:
    return {
        "deal": deal.number,
        "dealer": deal.dealer,
        "before": _short(deal.before),
        "cards": _short(deal.cards),
        "cut": _short(deal.cut),
        "play": _short(deal.play),
        "count": _short(deal.count),
        "discards": [_short(lost) for lost in deal.discards],
        "plays": [_short(lost) for lost in deal.plays],
        "after": _short(deal.after),
        "known": deal.is_known,
    }


def _decision(decision: Decision, state: State) -> json_types.Decision:
    return {
        "number": decision.number,
        "deal": decision.deal,
        "seat": decision.seat,
        "what": what(decision),
        "mark": decision.mark,
        "lost": _short(decision.lost),
        "lost_points": _short(decision.lost_points),
        "words": sentence(decision, [owner_of(seat) for seat in range(state.players)]),
        "chosen": decision.options.index(decision.chosen),
        **position_json(decision),
    }


def position_json(position: Decision | Position) -> json_types.Position:
    """Return a position, as its player saw it, and the options as JSON."""
    sight = position.sight
    return {
        "which": position.which,
        "players": sight.players,
        "dealer": sight.dealer,
        "scores": list(sight.scores),
        "hand": [str(card) for card in in_order(sight.hand)],
        "starter": str(sight.starter) if sight.starter else None,
        "before": [str(card) for card in sight.earlier],
        "pile": [str(card) for card in sight.pile],
        "count": sight.count,
        "options": [_option(option, position.options) for option in position.options],
    }


def _option(option: DecisionOption, options: Sequence[DecisionOption]) -> json_types.Decided:
    hand, crib, play = option.parts
    lost = lost_by(option, options)
    return {
        "cards": [str(card) for card in in_order(option.cards)],
        "mark": mark(lost, is_chance=option.chance is not None),
        "lost": _short(lost),
        "chance": _short(option.chance),
        "brings": _short(option.brings),
        "points": _short(option.points),
        "hand": _short(hand),
        "crib": _short(crib),
        "play": _short(play),
    }


@overload
def _short(number: float) -> float: ...
@overload
def _short(number: float | None) -> float | None: ...
def _short(number: float | None) -> float | None:
    return None if number is None else round(number, DIGITS) + 0.0
