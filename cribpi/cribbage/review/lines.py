"""A review as lines of text, of the same JSON that the page shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

_SHOWN: Final = {"blunder": "blunders", "mistake": "mistakes", "inaccuracy": "inaccuracies"}
"""The marks of what cost something, one and many."""

_WIDE: Final = 14

LEAST: Final = 0.0005
"""A change of the chance that the lines show."""


def review_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield a review as lines: each player's figures, the course, and what cost something."""
    scores = ", ".join(f"{side} {score}" for side, score in zip(found["sides"], found["scores"], strict=True))
    yield scores + ("" if found["winner"] is not None else "; not over yet")
    yield from (f"({sentence})" for sentence in found["lacking"])
    if found["decisions"]:
        yield ""
        yield from _figures(found)
    if found["course"] is not None:
        yield ""
        yield from _course(found["course"], found["sides"])
    costly = [one for one in found["decisions"] if one["mark"] in _SHOWN]
    if costly:
        yield ""
        yield from (
            f"deal {one['deal']:<2}  {found['names'][one['seat']]}, {one['mark']}: {one['words']}."
            for one in costly
        )


def _figures(found: Mapping[str, Any]) -> Iterator[str]:
    players = found["players"]
    shares = {"accuracy": "accuracy", "  discards": "discards", "  play": "plays"}
    yield from _table(
        ["", *found["names"]],
        *([title, *(_percent(player[which]) for player in players)] for title, which in shares.items()),
        *([many, *(str(player["marks"][mark]) for player in players)] for mark, many in _SHOWN.items()),
    )


def _course(course: Mapping[str, Any], sides: Sequence[str]) -> Iterator[str]:
    first, second = sides
    yield f"{first}'s chance of winning, in percent; cards, cut and play are luck"
    is_counted = any(abs(one["count"]) >= LEAST for one in course["deals"])
    count = ["count"] * is_counted
    rows = [["deal", "before", "cards", "cut", "play", *count, f"{first} lost", f"{second} lost", "after"]]
    for one in course["deals"]:
        lost = [discards + plays for discards, plays in zip(one["discards"], one["plays"], strict=True)]
        rows.append(
            [
                f"{one['deal']:>2} {sides[one['dealer']]}",
                f"{100 * one['before']:.1f}",
                *(_signed(one[change]) for change in ("cards", "cut", "play", *count)),
                *(f"{100 * each:.1f}" for each in lost),
                f"{100 * one['after']:.1f}",
            ]
        )
    yield from _table(*rows)
    luck = course["luck"]
    after = round(100 * course["deals"][-1]["after"], 1)
    counted = f"{_signed(course['count'])} wrong counts and penalties, " if is_counted else ""
    yield (
        f"50, {_signed(luck)} luck, {counted}{_signed(-course['lost'][0])} {first}'s decisions, "
        f"{_signed(course['lost'][1])} {second}'s decisions: {after:g}.  "
        f"Luck favoured {_favoured(luck, first, second)}."
    )


def _favoured(luck: float, first: str, second: str) -> str:
    """Return who was luckier, in the page's words; *luck* is the chance of winning that it brought *first*.

    >>> [_favoured(luck, "ANN", "BOB") for luck in (0.04, 0.05, -0.25, -0.8)]
    ['nobody', 'ANN a little', 'BOB', 'BOB a lot']
    """
    much, who = abs(luck), first if luck > 0 else second
    if much < 0.05:
        return "nobody"
    if much < 0.25:
        return f"{who} a little"
    return who if much < 0.75 else f"{who} a lot"


def _signed(change: float) -> str:
    """Return a change of the chance in percent, with its sign."""
    return f"{round(100 * change, 1) + 0.0:+.1f}"


def _table(*rows: Sequence[str]) -> Iterator[str]:
    """Yield *rows* with the first column to the left and the others to the right."""
    first, *wide = (max(map(len, column)) for column in zip(*rows, strict=True))
    for title, *cells in rows:
        right = (f"{cell:>{max(width, 8) + 2}}" for cell, width in zip(cells, wide, strict=True))
        yield (f"{title:<{max(first, _WIDE)}}" + "".join(right)).rstrip()


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"
