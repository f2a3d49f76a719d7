"""The level `thrifty`: it keeps the most points and plays the most points now, and looks no further."""

from __future__ import annotations

from dataclasses import dataclass

from cribpi.core.cards import Card
from cribpi.core.play import score_play
from cribpi.core.scores import Kind, total
from cribpi.core.sight import SeatSight
from cribpi.opponents.averages import best_first


@dataclass(frozen=True, slots=True)
class Greedy:
    """Counts its own cards exactly; ignores the crib and what the others may hold."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the discard that keeps the four cards with the highest mean over every starter."""
        return best_first(sight.hand)[0].away

    def play(self, sight: SeatSight) -> Card:
        """Return the card that pegs most now; of equals, the highest."""
        return max(sight.playable, key=lambda card: (points_now(sight, card), card.rank))


def points_now(sight: SeatSight, card: Card) -> int:
    """Return what *card* would peg now, without go and last card, which depend on the others.

    A pair over the seat's own card counts nothing if the rules say so.
    """
    scores = score_play((*sight.pile, card))
    if sight.rules.self_combinations == "over-another" and sight.pile and sight.plays[-1].seat == sight.seat:
        return total(score for score in scores if score.kind is not Kind.PAIR)
    return total(scores)
