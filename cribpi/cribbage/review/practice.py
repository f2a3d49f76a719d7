"""Practice: positions to decide and hands to count, your own mistakes first, then random deals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, TypeVar

from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.deal import find
from cribpi.cribbage.game.events import GameStarted
from cribpi.cribbage.game.show import Score, score_crib, score_hand
from cribpi.cribbage.game.sight import SeatSight, sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.games import next_event
from cribpi.cribbage.players.opponent import Greedy
from cribpi.cribbage.review.decisions import Decision, DecisionOption, Mark, Which, option_for, options_of
from cribpi.cribbage.rules.rules import STANDARD

Found = TypeVar("Found")

RIGHT: Final = frozenset({Mark.BEST, Mark.GOOD})

WHICH: Final = {"discards": Which.DISCARD, "pegging": Which.PLAY}
"""The kind of decision in each kind of practice that has decisions."""

NAMES: Final = ("YOU", "OPPONENT")

FAR: Final = 121
"""The upper limit, exclusive, of random scores."""


class NoSuchOption(ValueError):
    """The cards are not an option in this position; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Position:
    """One decision to practise."""

    which: Which
    sight: SeatSight
    options: tuple[DecisionOption, ...]
    """All options, best first."""
    origin: str = ""
    """The source of a mistake in a past game, such as "game 12, deal 3"; empty for a random position."""
    was: DecisionOption | None = None

    @classmethod
    def of(cls, decision: Decision, game: int) -> Position:
        origin = f"game {game}, deal {decision.deal}"
        return cls(decision.which, decision.sight, decision.options, origin, decision.chosen)

    def decided(self, cards: Sequence[Card]) -> Decision:
        """Return the decision for *cards*, in any order, and with or without suits.

        Raises:
            NoSuchOption: If *cards* are not an option.
        """
        sight = self.sight
        wanted = len(self.options[0].cards)
        if len(cards) != wanted:
            raise NoSuchOption("give one card" if wanted == 1 else "give two cards")
        left, chosen = list(sight.hand), []
        for card in cards:
            try:
                chosen.append(find(card, left))
            except LookupError:
                raise NoSuchOption(f"you don't hold the {card}") from None
            left.remove(chosen[-1])
        option = option_for(chosen, self.options, self.which)
        if option is None:
            raise NoSuchOption(
                f"the {chosen[0]} is too high: {sight.count} + {chosen[0].rank.pips} is over 31"
            )
        return Decision(0, 0, sight.seat, self.which, sight, option, self.options)


@dataclass(frozen=True, slots=True)
class Count:
    """One hand or crib to count."""

    cards: tuple[Card, ...]
    starter: Card
    is_crib: bool
    scores: tuple[Score, ...]


def worst_first(decided: Iterable[tuple[float, str, Found]]) -> list[Found]:
    """Return the mistakes among *decided*, triples of a loss, a mark and an item, the worst first.

    >>> worst_first([(0.02, "inaccuracy", "a 5"), (0.0, "best", "a jack"), (0.09, "blunder", "a king")])
    ['a king', 'a 5']
    """
    mistakes = [(lost, item) for lost, mark, item in decided if mark not in RIGHT]
    return [item for _, item in sorted(mistakes, key=lambda mistake: -mistake[0])]


def positions(which: Which, chance: Random) -> Iterator[Position]:
    """Yield positions of random deals without end, in which the options are not equal.

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    while True:
        if which is Which.DISCARD:
            hand = tuple(chance.sample(PACK, 6))
            sight: SeatSight | None = SeatSight(STANDARD, 0, chance.randrange(2), _scores(chance), hand)
        else:
            sight = _play(chance)
        options = options_of(sight, which) if sight else ()
        if sight and len(options) > 1 and options[0].worth > options[-1].worth:
            yield Position(which, sight, options)


def counts(chance: Random) -> Iterator[Count]:
    """Yield hands and cribs of random deals without end, as players keep and discard them."""
    while True:
        state, pack = _dealt(chance)
        while state.deal is not None and state.phase is not Phase.PLAY:
            state = step(state, next_event(state, (Greedy(), Greedy()), pack))
        deal = state.deal
        if deal is None or deal.starter is None:
            continue
        is_crib = chance.random() < 0.3
        cards = deal.crib if is_crib else (deal.possible_cards(chance.randrange(2)) or ())
        score = score_crib if is_crib else score_hand
        yield Count(tuple(cards), deal.starter, is_crib, score(cards, deal.starter))


def _dealt(chance: Random) -> tuple[State, list[Card]]:
    start = GameStarted(NAMES, STANDARD, dealer=chance.randrange(2))
    return step(NEW_TABLE, start), chance.sample(PACK, len(PACK))


def _scores(chance: Random) -> tuple[int, int]:
    """Return two random scores, at most 25 points apart."""
    first = chance.randrange(FAR)
    return first, min(max(first + chance.randrange(-25, 26), 0), FAR - 1)


def _play(chance: Random) -> SeatSight | None:
    """Return the view of seat 0 at one of its turns in a random deal, or None if it never has a choice."""
    state, pack = _dealt(chance)
    turns = []
    while state.deal is not None and state.phase in (Phase.DEAL, Phase.STARTER, Phase.PLAY):
        if state.phase is Phase.PLAY and state.deal.turn == 0:
            sight = sight_of(state, 0)
            if len({card.rank for card in sight.playable}) > 1:
                turns.append(sight)
        state = step(state, next_event(state, (Greedy(), Greedy()), pack))
    return replace(chance.choice(turns), scores=_scores(chance)) if turns else None
