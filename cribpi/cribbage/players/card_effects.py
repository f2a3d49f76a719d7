"""What a card in the play does, as a sentence: what it pegs now, and which replies score on it.

A hint, the review of a game and `cribpi advise` all speak of a card from here.  Plain Python without NumPy.
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
"""Points that a decimal still shows."""

_TEN_CARDS: Final = {Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING}
_IN_A_RANK: Final = 4


def apart(mine: float, theirs: float) -> float:
    """Return by how much two means differ, to a tenth, as they are shown: in hundredths.

    >>> apart(7.7549, 4.7051), 7.7549 - 4.7051
    (3.0, 3.0498000000000003)
    """
    return round(round(mine, 2) - round(theirs, 2), 1) + 0.0


def said_points(amount: float) -> str:
    """Return an amount of points as it is shown.

    >>> said_points(1.04), said_points(0.5)
    ('1.0 point', '0.5 points')
    """
    return f"{amount:.1f} point{'s' * (f'{amount:.1f}' != '1.0')}"


@dataclass(frozen=True, slots=True)
class Reply:
    """What cards of some *ranks* would make of the count, as "fifteen"."""

    name: str
    ranks: tuple[Rank, ...]
    points: int
    unseen: int
    """How many such cards may still be held by others."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What *card* does at once, and what may be made of it."""

    card: Card
    count: int
    """The count it makes."""
    scores: tuple[Score, ...]
    """What it pegs now, without go and last card."""
    replies: tuple[Reply, ...]
    """What another may score on it, the gravest first: by the points, and by how many cards do it."""
    counters: bool
    """Whether the seat could answer a pair of it with a pair royal."""
    is_open: bool
    """Whether another may play on it: not after thirty-one, or if all have said go or have no cards left."""

    @property
    def points(self) -> int:
        return total(self.scores)

    @property
    def threat(self) -> int:
        """The points of all replies, each card that may be held counted once."""
        return sum(reply.points * reply.unseen for reply in self.replies)


def outlook(sight: SeatSight, card: Card) -> Outlook:
    """Return what *card*, which fits, does if the seat that has *sight* plays it."""
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
    # Who said go at 24 has no card up to 7.
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
    """Say what a card pegs at once; where *after*, the next best, pegs more, say that; "" for nothing.

    It follows on the name of the card: ": fifteen for two".
    """
    if after is not None and after.points > looked.points:
        return f", though the {after.card.rank.symbol} would peg {after.points} now"
    return f": {spelt_out(looked.scores)}" if looked.scores else ""


def said_replies(replies: Sequence[Reply]) -> str:
    """Say what cards would score: "a 7 makes fifteen, an 8 a pair"; at least one of *replies*."""
    first, *rest = replies
    said = [f"{_any_of(first.ranks)} makes {first.name}"]
    return ", ".join([*said, *(f"{_any_of(reply.ranks)} {reply.name}" for reply in rest)])


def _any_of(ranks: Iterable[Rank]) -> str:
    """Name one of *ranks*, ascending: "a 5", "an 8 or 9", "a ten card" for all that count ten."""
    left = list(ranks)
    names = [rank.symbol for rank in left]
    if set(left) >= _TEN_CARDS:
        names = [*(rank.symbol for rank in left if rank not in _TEN_CARDS), "ten card"]
    *most, last = names
    said = f"{', '.join(most)} or {last}" if most else last
    return f"{'an' if said[0] in 'A8' else 'a'} {said}"
