"""The level `thrifty`: keeps what is worth most, and plays what pegs most now; it looks no further."""

from __future__ import annotations

from dataclasses import dataclass

from cribpi.core.cards import Card
from cribpi.core.play import score_play
from cribpi.core.scores import Kind, total
from cribpi.core.sight import SeatSight
from cribpi.opponents.averages import best_first


@dataclass(frozen=True, slots=True)
class Greedy:
    """Counts its own cards exactly.  It knows nothing of the crib, and nothing of what the others may
    hold.
    """

    def lay_away(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return what leaves the four cards that are worth most on the average over every starter."""
        return best_first(sight.hand)[0].away

    def play(self, sight: SeatSight) -> Card:
        """Return the card that pegs most now; of equals the highest."""
        return max(sight.playable, key=lambda card: (points_now(sight, card), card.rank))


def points_now(sight: SeatSight, card: Card) -> int:
    """Return what *card* itself would peg now: not the 1 for go or last card, which others have a say in.

    A pair over the seat's own card counts nothing where the rules say so.
    """
    scores = score_play((*sight.pile, card))
    if sight.rules.self_combinations == "over-another" and sight.pile and sight.plays[-1].seat == sight.seat:
        return total(score for score in scores if score.kind is not Kind.PAIR)
    return total(scores)
