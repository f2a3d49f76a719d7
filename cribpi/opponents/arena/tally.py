"""What is summed while a game of the arena is played: integers, by opponent and role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from cribpi.core import seats
from cribpi.core.cards import Card, Rank
from cribpi.core.deal import Deal
from cribpi.core.events import CardPlayed, Event, GoSaid, StarterTurned
from cribpi.core.heels import his_heels
from cribpi.core.show import crib_points, hand_points
from cribpi.core.state import Phase, State
from cribpi.opponents.arena.games import crib_cards

Sums = Counter[str]
"""Sums by name: `games`, `wins.a`, `hand.b.dealer` and so on."""


class Notes:
    """Sums up a game as it is played.

    Hands, cribs and his heels count in every deal that got its starter, also in the last one, which the end
    of the game cuts short: otherwise the averages would miss the deals in which somebody is about to win.
    The play counts in every deal that played it to the end.
    """

    def __init__(self, sums: Sums, sits: tuple[str, ...], pack: Callable[[int], Sequence[Card]]) -> None:
        self._sums, self._sits, self._pack = sums, sits, pack
        self._pegged = [0] * len(sits)
        self._last_to_play: int | None = None
        self._state = State()

    def take(self, event: Event, state: State) -> None:
        """Add an event, with the *state* after it."""
        self._state = state
        deal = state.deal
        if deal is None:
            return
        if isinstance(event, StarterTurned):
            self._pegged = [0] * len(self._sits)
            self._note_cards(state, deal, event.card)
        elif isinstance(event, CardPlayed | GoSaid):
            if isinstance(event, CardPlayed):
                self._last_to_play = event.seat
            if self._last_to_play is not None:  # the last to play pegs the 1 for a go
                self._pegged[self._last_to_play] += sum(one.points for one in state.outcomes)
            if Phase.SHOW in {state.phase, state.won_in}:
                self._note_play(deal)

    def end(self) -> None:
        """Add who has won, and by how much."""
        state, sums = self._state, self._sums
        if state.winner is None or state.deal is None:
            raise ValueError("the game is not over: play it to the end")
        scores, rules = state.scores(), state.rules
        who = self._sits[state.winner]
        others = [score for side, score in enumerate(scores) if side != state.winner]
        sums["games"] += 1
        sums["deals"] += state.deal.number
        sums[f"wins.{who}"] += 1
        sums[f"margin.{who}"] += scores[state.winner] - max(others)
        sums[f"skunks.{who}"] += sum(score < rules.skunk_below for score in others)
        sums[f"double-skunks.{who}"] += sum(score < rules.double_skunk_below for score in others)
        sums["first-dealer"] += state.winner == state.side(state.first_dealer or 0)

    def _note_cards(self, state: State, deal: Deal, starter: Card) -> None:
        sums, rules = self._sums, state.rules
        for seat, dealt in enumerate(deal.dealt):
            role = self._role(deal, seat)
            hand = [card for card in dealt if card not in deal.discards[seat]]
            sums[f"deals.{role}"] += 1
            sums[f"hand.{role}"] += hand_points(hand, starter)
        dealer = self._sits[deal.dealer]
        crib = deal.crib
        if len(crib) < seats.HAND:
            crib = (*crib, *crib_cards(rules, self._pack(deal.number)))
        points = crib_points if rules.crib_flush == "five" else hand_points
        sums[f"crib.{dealer}"] += points(crib, starter)
        sums[f"heels.{dealer}"] += his_heels(rules) * (starter.rank is Rank.JACK)

    def _note_play(self, deal: Deal) -> None:
        for seat, points in enumerate(self._pegged):
            role = self._role(deal, seat)
            self._sums[f"plays.{role}"] += 1
            self._sums[f"play.{role}"] += points

    def _role(self, deal: Deal, seat: int) -> str:
        return f"{self._sits[seat]}.{'dealer' if seat == deal.dealer else 'pone'}"
