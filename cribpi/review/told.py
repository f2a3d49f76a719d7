"""A review as JSON, for the page and other programs, and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from cribpi.core.state import State, side_name
from cribpi.review import FORMAT
from cribpi.review.course import DealCourse
from cribpi.review.decisions import Decision, Option, Which, lost_by
from cribpi.review.marks import Mark, mark
from cribpi.review.practice import Position
from cribpi.review.review import Review
from cribpi.review.words import owners, sentence, what

DIGITS: Final = 4
"""Decimals of a chance, and of points."""


def review_json(review: Review) -> dict[str, Any]:
    """Return a review as JSON, as docs/reference/review.md describes it."""
    state, course = review.state, review.course
    return {
        "format": FORMAT,
        "names": list(state.names),
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


# --- as text ------------------------------------------------------------------------------------------

_SHOWN: Final = (Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY)
_WIDE: Final = 14

LEAST: Final = 0.0005
"""A change of the chance that the lines show."""


def review_lines(review: Review) -> Iterator[str]:
    """Yield a review as lines: each player's figures, the course, and what cost something."""
    state = review.state
    scores = ", ".join(f"{side_name(state, side)} {score}" for side, score in enumerate(state.scores()))
    yield scores + ("" if state.winner is not None else "; not over yet")
    yield from (f"({sentence})" for sentence in review.lacking)
    if review.decisions:
        yield ""
        yield from _figures(review)
    if review.course is not None:
        yield ""
        yield from _course(review)
    costly = [one for one in review.decisions if one.mark in _SHOWN]
    if costly:
        yield ""
        yield from (
            f"deal {one.deal:<2}  {state.names[one.seat]}, {one.mark}: {sentence(one, owners(state.names))}."
            for one in costly
        )


def _figures(review: Review) -> Iterator[str]:
    seats = range(review.state.players)
    yield _row("", [review.state.names[seat] for seat in seats])
    for title, which in (("accuracy", None), ("  discards", Which.DISCARD), ("  play", Which.PLAY)):
        yield _row(title, [_percent(review.accuracy(seat, which)) for seat in seats])
    for shown in _SHOWN:
        plural = {Mark.INACCURACY: "inaccuracies"}.get(shown, f"{shown}s")
        yield _row(plural, [str(review.marks(seat)[shown]) for seat in seats])


def _course(review: Review) -> Iterator[str]:
    state, course = review.state, review.course
    if course is None:
        return
    first, second = (side_name(state, side) for side in range(2))
    yield f"{first}'s chance of winning, in percent; cards, cut and play are luck"
    is_counted = any(abs(one.count) >= LEAST for one in course.deals)
    count = ["count"] * is_counted
    yield _row("deal", ["before", "cards", "cut", "play", *count, f"{first} lost", f"{second} lost", "after"])
    for one in course.deals:
        lost = [one.discards[side] + one.plays[side] for side in range(2)]
        yield _row(
            f"{one.number:>2} {side_name(state, one.dealer)}",
            [
                f"{100 * one.before:.1f}",
                *map(_signed, (one.cards, one.cut, one.play, *[one.count] * is_counted)),
                *(f"{100 * each:.1f}" for each in lost),
                f"{100 * one.after:.1f}",
            ],
        )
    luck = course.luck
    lucky, amount = (first, luck) if luck >= 0 else (second, -luck)
    counted = f"{_signed(course.counts)} wrong counts and penalties, " if is_counted else ""
    yield (
        f"50, {_signed(luck)} luck, {counted}{_signed(-course.lost(0))} {first}'s decisions, "
        f"{_signed(course.lost(1))} {second}'s decisions: {100 * course.result:.0f}.  "
        f"The cards favoured {lucky} by {100 * amount:.1f}."
    )


def _signed(change: float) -> str:
    """Return a change of the chance in percent, with its sign."""
    return f"{round(100 * change, 1) + 0.0:+.1f}"


def _row(title: str, cells: Sequence[str]) -> str:
    return (f"{title:<{_WIDE}}" + "".join(f"{cell:>{max(len(cell), 8) + 2}}" for cell in cells)).rstrip()


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"
