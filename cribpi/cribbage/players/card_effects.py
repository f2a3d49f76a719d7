"""The effects of playing a card, as data and in words: its points, and the replies that score on it.

Hints, reviews and `cribpi advise` use this description.  Plain Python without NumPy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cribpi.cribbage.game.cards import PIPS, Card, Rank
from cribpi.cribbage.game.play import LIMIT, score_play
from cribpi.cribbage.game.show import Score, total
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.opponent import scores_now
from cribpi.cribbage.words.call import name, spelt_out

LEAST: Final = 0.05
"""Smallest number of points that is not 0.0 when rounded to one decimal."""

_TEN_CARDS: Final = {Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING}
_IN_A_RANK: Final = 4


def rounded_difference(mean: float, other: float) -> float:
    """Return the difference of two means, rounded to a tenth.

    The means are first rounded to hundredths, as people see them, so that the difference agrees with them.

    >>> rounded_difference(7.7549, 4.7051), 7.7549 - 4.7051
    (3.0, 3.0498000000000003)
    """
    return round(round(mean, 2) - round(other, 2), 1) + 0.0


def said_points(amount: float) -> str:
    """Format an amount of points.

    >>> said_points(1.04), said_points(0.5)
    ('1.0 point', '0.5 points')
    """
    text = f"{amount:.1f}"
    return f"{text} point" if text == "1.0" else f"{text} points"


@dataclass(frozen=True, slots=True)
class Reply:
    """A score such as "fifteen" that another player would make with a card of one of *ranks*.

    *points* is the most that a rank makes; *unseen* is the number of unseen cards of the ranks.
    """

    name: str
    ranks: tuple[Rank, ...]
    points: int
    unseen: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """The scores of *card* if it is played, and the possible replies."""

    card: Card
    count: int
    """The count after the card."""
    scores: tuple[Score, ...]
    """The scores of the card, without go and last card."""
    replies: tuple[Reply, ...]
    """The replies that score, sorted by points times unseen cards, the highest first."""
    counters: bool
    """Whether the seat could make a pair royal if another player pairs the card."""
    is_open: bool
    """Whether another player can reply: the count is below 31, and one with cards has not said go."""

    @property
    def points(self) -> int:
        return total(self.scores)

    @property
    def threat(self) -> int:
        """The sum of points times unseen cards over all replies."""
        return sum(reply.points * reply.unseen for reply in self.replies)


def outlook(sight: SeatSight, card: Card) -> Outlook:
    """Return the effects if the seat with *sight* plays *card*, which must be playable."""
    count = sight.count + PIPS[card.rank]
    others = [
        seat
        for seat in range(sight.players)
        if seat not in {sight.seat, *sight.out} and sight.cards_left(seat)
    ]
    is_open = count < LIMIT and bool(others)
    replies = _replies(sight, card, LIMIT - count, others) if is_open else ()
    may_be_paired = any(card.rank in reply.ranks for reply in replies)
    has_twin = sum(held.rank is card.rank for held in sight.hand) > 1
    counters = may_be_paired and has_twin and count + 2 * PIPS[card.rank] <= LIMIT
    return Outlook(card, count, scores_now(sight, card), replies, counters, is_open)


def _replies(sight: SeatSight, card: Card, room: int, others: Sequence[int]) -> tuple[Reply, ...]:
    seen = Counter(one.rank for one in sight.seen)
    # A player who said go at 24 has no card of 7 or less: a reply must count more than *least*.
    least = min(max((LIMIT - go.count for go in sight.goes if go.seat == seat), default=0) for seat in others)
    found: dict[str, list[tuple[Rank, int]]] = {}
    for rank in Rank:
        if seen[rank] == _IN_A_RANK or not least < PIPS[rank] <= room:
            continue
        if scores := score_play((*sight.pile, card, Card(rank))):
            best = max(scores, key=lambda score: score.points)
            found.setdefault(name(best), []).append((rank, total(scores)))
    replies = (
        Reply(
            said,
            tuple(rank for rank, _ in ranks),
            max(points for _, points in ranks),
            sum(_IN_A_RANK - seen[rank] for rank, _ in ranks),
        )
        for said, ranks in found.items()
    )
    return tuple(sorted(replies, key=lambda reply: -reply.points * reply.unseen))


def said_now(looked: Outlook, after: Outlook | None = None) -> str:
    """Format the points of a card for use after its name: ": fifteen for two".

    If *after*, the next best card, would peg more, the text says so instead.  Without points it is "".
    """
    if after is not None and after.points > looked.points:
        return f", though the {after.card.rank.symbol} would peg {after.points} now"
    return f": {spelt_out(looked.scores)}" if looked.scores else ""


def said_replies(replies: Sequence[Reply]) -> str:
    """Format *replies*, of which there must be at least one: "a 7 makes fifteen, an 8 a pair"."""
    first, *rest = replies
    said = [f"{_any_of(first.ranks)} makes {first.name}"]
    return ", ".join([*said, *(f"{_any_of(reply.ranks)} {reply.name}" for reply in rest)])


def _any_of(ranks: Iterable[Rank]) -> str:
    """Format *ranks*, in ascending order: "a 5", "an 8 or 9", or "a ten card" if all four of these occur."""
    left = list(ranks)
    names = [rank.symbol for rank in left]
    if set(left) >= _TEN_CARDS:
        names = [*(rank.symbol for rank in left if rank not in _TEN_CARDS), "ten card"]
    *most, last = names
    said = f"{', '.join(most)} or {last}" if most else last
    return f"{'an' if said[0] in 'A8' else 'a'} {said}"
