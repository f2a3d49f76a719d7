"""A review as JSON: for the page, the terminal and other programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cribpi.cribbage.game.state import State, side_name
from cribpi.cribbage.review import FORMAT
from cribpi.cribbage.review.course import DealCourse
from cribpi.cribbage.review.decisions import Decision, Option, Which, lost_by
from cribpi.cribbage.review.marks import mark
from cribpi.cribbage.review.practice import Position
from cribpi.cribbage.review.review import Review
from cribpi.cribbage.review.words import owners, sentence, what

DIGITS: Final = 4
"""Decimals of an accuracy; chances and points have fewer, as `decisions` rounds them."""


def review_json(review: Review) -> dict[str, Any]:
    """Return a review as JSON, as docs/reference/review.md describes it."""
    state, course = review.state, review.course
    return {
        "format": FORMAT,
        "names": list(state.names),
        "sides": [side_name(state, side) for side in range(len(state.scores()))],
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
            "deals": [_deal(one) for one in course.deals],
        },
        "decisions": [_decision(one, state) for one in review.decisions],
    }


def _player(review: Review, seat: int) -> dict[str, Any]:
    return {
        "accuracy": _short(review.accuracy(seat)),
        "discards": _short(review.accuracy(seat, Which.DISCARD)),
        "plays": _short(review.accuracy(seat, Which.PLAY)),
        "lost": _short(sum(one.lost for one in review.of(seat))),
        "marks": {each.value: times for each, times in review.marks(seat).items()},
    }


def _deal(one: DealCourse) -> dict[str, Any]:
    return {
        "deal": one.number,
        "dealer": one.dealer,
        "before": _short(one.before),
        "cards": _short(one.cards),
        "cut": _short(one.cut),
        "play": _short(one.play),
        "count": _short(one.count),
        "discards": [_short(lost) for lost in one.discards],
        "plays": [_short(lost) for lost in one.plays],
        "after": _short(one.after),
        "known": one.is_known,
    }


def _decision(one: Decision, state: State) -> dict[str, Any]:
    return {
        "number": one.number,
        "deal": one.deal,
        "seat": one.seat,
        "what": what(one),
        "mark": one.mark.value,
        "lost": _short(one.lost),
        "lost_points": _short(one.lost_points),
        "words": sentence(one, owners(state.names)),
        "chosen": one.options.index(one.chosen),
        **position_json(one),
    }


def position_json(one: Decision | Position) -> dict[str, Any]:
    """Return what could be decided, and what its player saw."""
    sight = one.sight
    return {
        "which": one.which.value,
        "players": sight.players,
        "dealer": sight.dealer,
        "scores": list(sight.scores),
        "hand": [str(card) for card in sight.hand],
        "starter": str(sight.starter) if sight.starter else None,
        "before": [str(card) for card in sight.earlier],
        "pile": [str(card) for card in sight.pile],
        "count": sight.count,
        "options": [_option(option, one.options) for option in one.options],
    }


def _option(option: Option, options: Sequence[Option]) -> dict[str, Any]:
    hand, crib, play = option.parts
    lost = lost_by(option, options)
    return {
        "cards": [str(card) for card in option.cards],
        "mark": mark(lost, is_chance=option.chance is not None).value,
        "lost": _short(lost),
        "chance": _short(option.chance),
        "brings": _short(option.brings),
        "points": _short(option.points),
        "hand": _short(hand),
        "crib": _short(crib),
        "play": _short(play),
    }


def _short(number: float | None) -> float | None:
    return None if number is None else round(number, DIGITS) + 0.0
