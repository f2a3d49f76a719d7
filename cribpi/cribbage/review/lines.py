"""A review as lines of text, from the JSON that the page shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

MARKS: Final = {"blunder": "blunders", "mistake": "mistakes", "inaccuracy": "inaccuracies"}
"""The marks of costly decisions, worst first, with their plurals."""

_WIDE: Final = 14

LEAST: Final = 0.0005
"""The least change of the chance that the lines show."""


def review_lines(review: Mapping[str, Any]) -> Iterator[str]:
    """Yield a review as lines: each player's figures, the course, and the costly decisions."""
    sides = zip(review["sides"], review["scores"], strict=True)
    scores = ", ".join(f"{side} {score}" for side, score in sides)
    yield scores + ("" if review["winner"] is not None else "; not over yet")
    yield from (f"({sentence})" for sentence in review["lacking"])
    if review["decisions"]:
        yield ""
        yield from _figures(review)
    if review["course"] is not None:
        yield ""
        yield from _course(review["course"], review["sides"])
    costly = [decision for decision in review["decisions"] if decision["mark"] in MARKS]
    if costly:
        yield ""
    for decision in costly:
        name = review["names"][decision["seat"]]
        yield f"deal {decision['deal']:<2}  {name}, {decision['mark']}: {decision['words']}."


def _figures(review: Mapping[str, Any]) -> Iterator[str]:
    players = review["players"]
    shares = {"accuracy": "accuracy", "  discards": "discards", "  play": "plays"}
    yield from _table(
        ["", *review["names"]],
        *([title, *(_percent(player[which]) for player in players)] for title, which in shares.items()),
        *([many, *(str(player["marks"][mark]) for player in players)] for mark, many in MARKS.items()),
    )


def _course(course: Mapping[str, Any], sides: Sequence[str]) -> Iterator[str]:
    first, second = sides
    yield f"{first}'s chance of winning, in percent; cards, cut and play are luck"
    is_counted = any(abs(deal["count"]) >= LEAST for deal in course["deals"])
    count = ["count"] if is_counted else []
    rows = [["deal", "before", "cards", "cut", "play", *count, f"{first} lost", f"{second} lost", "after"]]
    for deal in course["deals"]:
        lost = [discards + plays for discards, plays in zip(deal["discards"], deal["plays"], strict=True)]
        rows.append(
            [
                f"{deal['deal']:>2} {sides[deal['dealer']]}",
                f"{100 * deal['before']:.1f}",
                *(_signed(deal[change]) for change in ("cards", "cut", "play", *count)),
                *(f"{100 * each:.1f}" for each in lost),
                f"{100 * deal['after']:.1f}",
            ]
        )
    yield from _table(*rows)
    luck = course["luck"]
    after = round(100 * course["deals"][-1]["after"], 1)
    counted = f"{_signed(course['count'])} wrong counts and penalties, " if is_counted else ""
    yield (
        f"50, {_signed(luck)} luck, {counted}{_signed(-course['lost'][0])} {first}'s decisions, "
        f"{_signed(course['lost'][1])} {second}'s decisions: {after:g}.  "
        f"Luck favoured {favoured(luck, first, second)}."
    )


def favoured(luck: float, first: str, second: str) -> str:
    """Return the luckier side, in the page's words; *luck* is the gain of *first* in chance of winning.

    >>> [favoured(luck, "ANN", "BOB") for luck in (0.04, 0.05, -0.25, -0.8)]
    ['nobody', 'ANN a little', 'BOB', 'BOB a lot']
    """
    much, who = abs(luck), first if luck > 0 else second
    if much < 0.05:
        return "nobody"
    if much < 0.25:
        return f"{who} a little"
    return who if much < 0.75 else f"{who} a lot"


def _signed(change: float) -> str:
    return f"{round(100 * change, 1) + 0.0:+.1f}"


def _table(*rows: Sequence[str]) -> Iterator[str]:
    """Yield *rows* as text, with the first column aligned left and the others right."""
    first, *wide = (max(map(len, column)) for column in zip(*rows, strict=True))
    for title, *cells in rows:
        right = (f"{cell:>{max(width, 8) + 2}}" for cell, width in zip(cells, wide, strict=True))
        yield (f"{title:<{max(first, _WIDE)}}" + "".join(right)).rstrip()


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"
