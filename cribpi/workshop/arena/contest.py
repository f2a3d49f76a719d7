"""Contests between two opponents over mirrored deals: the games played, and the sums of their results.

Games come in sets, in which the seats change and the cards do not.  With two or four players (two sides) a
set is a pair of games; with three players it is three games, with A in each seat in turn against B in the two
others.  The k-th deal of each game of a set has the same shuffled pack and the same dealer, so each opponent
gets the other's cards.  Scores in the games of a set differ, so with two sides the luck of each deal is
summed too.

Results are integer sums, so they do not depend on the order of the games.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from random import Random
from time import perf_counter
from typing import Final

from cribpi.companion.engines.process import PREFIX, EnginePlayer, command_of
from cribpi.cribbage.game.cards import PACK, Card, Rank
from cribpi.cribbage.game.deal import Deal, PlayedDeal
from cribpi.cribbage.game.events import CardPlayed, Event, GoSaid, StarterTurned
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.players.fallback import WithFallback, with_fallback
from cribpi.cribbage.players.games import crib_cards, game
from cribpi.cribbage.players.levels import opponent, read_level
from cribpi.cribbage.players.opponent import Opponent, WithMemory
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import STANDARD, Rules
from cribpi.cribbage.words.worth import hand_points
from cribpi.workshop.arena.luck import UNITS, luck

Sums = Counter[str]
"""Sums by name: `games`, `wins.a`, `hand.b.dealer` and so on."""

TWO: Final = ("a", "b")
"""The names of the two opponents in sums."""

STEPS_PER_OCTAVE: Final = 8
"""The resolution of decision times: about 4 % of any time."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Two opponents by name (`solid`, `exec:./engine`), their rules, and the seed of everything random.

    Raises:
        UserError: If an opponent is unknown.
        ValueError: If *met* is set with more than two players.
    """

    a: str
    b: str
    rules: Rules = STANDARD
    seed: int = 1
    met: int = 0
    """Number of earlier games that the opponents remember in each game; two players only."""
    trusts_engines: bool = False
    """Whether third-party engines run unconfined."""

    def __post_init__(self) -> None:
        if self.met and self.rules.players != 2:
            raise ValueError(
                "only two players can have met before: with more, nobody learns from earlier games"
            )
        for name in (self.a, self.b):
            if is_engine(name):
                command_of(name)
            else:
                read_level(name)

    @property
    def single_game(self) -> Rules:
        """The rules for a single game, so that a skunk does not count as more than one win."""
        return replace(self.rules, match="first-to-1")

    @property
    def games_in_set(self) -> int:
        """Number of games in a set, one for each side that A can take: 2 or 3."""
        return seats.sides(self.rules.players)

    @property
    def has_luck(self) -> bool:
        """Whether luck is summed, which needs chances of winning and so two sides."""
        return self.games_in_set == len(TWO)

    def sits(self, number: int) -> tuple[str, ...]:
        """Return the opponent in each seat in game *number* of a set: `a` has that side, `b` the others.

        >>> Contest("solid", "chance").sits(0), Contest("solid", "chance").sits(1)
        (('a', 'b'), ('b', 'a'))
        """
        players = self.rules.players
        return tuple(TWO[seats.side_of(seat, players) != number] for seat in range(players))

    def pack(self, number: int, deal: int) -> Sequence[Card]:
        """Return the shuffled pack of *deal*, counted from 1, in all games of the set *number*."""
        pack = list(PACK)
        Random(f"{self.seed}/{number}/{deal}").shuffle(pack)  # noqa: S311  must be reproducible
        return pack

    def name(self, opponent: str) -> str:
        """Return the name of opponent `a` or `b`."""
        return self.a if opponent == "a" else self.b


def is_engine(name: str) -> bool:
    """Return whether *name* stands for a third-party engine."""
    return name.startswith(PREFIX)


def play_sets(contest: Contest, first: int, many: int = 1) -> Sums:
    """Play *many* sets from the *first* on and return their sums."""
    sums = Sums()
    for number in range(first, first + many):
        before = sums["wins.a"]
        lucky = sum(_play_game(contest, number, game, sums) for game in range(contest.games_in_set))
        won = sums["wins.a"] - before
        sums["sets"] += 1
        sums["squares"] += won**2
        if contest.has_luck:
            sums["luck.sets"] += 1
            sums["luck.a"] += max(lucky, 0)
            sums["luck.b"] += max(-lucky, 0)
            sums["luck.squares"] += (won * UNITS - lucky) ** 2
    return sums


def _play_game(contest: Contest, number: int, game_number: int, sums: Sums) -> int:
    """Play a game and add it to *sums*; return A's luck in it, 0 without two sides."""
    sits = contest.sits(game_number)
    opponents: list[_Timed] = []
    past = tuple(deal if sits[0] == "a" else deal.with_seats_swapped() for deal in _past(contest))
    for who, player in zip(sits, _seated(contest, sits, f"{number}/{game_number}"), strict=True):
        if past:
            player.opponent = WithMemory(player.opponent, past)
        opponents.append(_Timed(player, sums, who))
    pack = partial(contest.pack, number)
    notes = Notes(sums, sits, pack)
    lucky = deals = 0
    for event, state in game(opponents, contest.single_game, pack):
        notes.take(event, state)
        if contest.has_luck and state.deal is not None and state.deal.number > deals:
            deals = state.deal.number
            lucky += luck(state, pack(deals)) * (1 if sits[state.deal.dealer] == "a" else -1)
    notes.end()
    for timed in opponents:
        sums[f"handed-over.{timed.who}"] += timed.opponent.trouble is not None
    return lucky


def _seated(contest: Contest, sits: tuple[str, ...], game: str) -> list[WithFallback]:
    """Return the opponents of a *game*, named by its number in the contest, one for each seat.

    Each seat in each game has its own engine process, which must not know the cards of the mirrored game or
    of its partner.
    """
    players = []
    for seat, who in enumerate(sits):
        name = contest.name(who)
        chance = Random(f"{contest.seed}/{game}/{seat}")  # noqa: S311  must be reproducible
        if is_engine(name):
            make: Callable[[], Opponent] = partial(EnginePlayer, name, is_trusted=contest.trusts_engines)
        else:
            make = partial(opponent, name, chance=chance)
        players.append(with_fallback(name, make))
    return players


@lru_cache(maxsize=4)
def _past(contest: Contest) -> tuple[PlayedDeal, ...]:
    """Play the earlier games that the opponents remember, A in seat 0; return their deals."""
    deals: list[PlayedDeal] = []
    for number in range(-contest.met, 0):
        sits = _seated(contest, TWO, f"{number}")
        *_, (_, end) = game(sits, contest.single_game, partial(contest.pack, number), dealer=number % 2)
        deals += end.played_deals
    return tuple(deals)


@dataclass(frozen=True, slots=True)
class _Timed:
    """An opponent whose decisions are timed: each discard, and each play with a choice."""

    opponent: WithFallback
    sums: Sums
    who: str

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        with self._timed("lay-away"):
            return self.opponent.discard(sight)

    def play(self, sight: SeatSight) -> Card:
        with self._timed("play"):
            return self.opponent.play(sight)

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        began = perf_counter()
        yield
        self.sums[f"time.{self.who}.{what}.{time_step(perf_counter() - began)}"] += 1


def time_step(seconds: float) -> int:
    """Return the logarithmic bin of a time; `time_of` is the inverse, to about 4 %.

    >>> round(time_of(time_step(0.0031)), 5)
    0.00316
    """
    return round(STEPS_PER_OCTAVE * math.log2(max(seconds, 1e-7) * 1e6))


def time_of(step: int) -> float:
    """Return the time of the bin *step*, in seconds."""
    return float(2 ** (step / STEPS_PER_OCTAVE)) / 1e6


class Notes:
    """Adds the events of a game to the sums.

    Hands, cribs and his heels count in every deal with a starter, even if the game ends during the deal:
    without those deals, the averages would be biased.  The play counts only if it was completed.
    """

    def __init__(self, sums: Sums, sits: tuple[str, ...], pack: Callable[[int], Sequence[Card]]) -> None:
        self._sums, self._sits = sums, sits
        self._pack = pack
        self._pegged = [0] * len(sits)
        self._last_to_play: int | None = None
        self._state = State()

    def take(self, event: Event, state: State) -> None:
        self._state = state
        deal = state.deal
        if deal is None:
            return
        if isinstance(event, StarterTurned):
            self._pegged = [0] * len(self._sits)
            self._note_cards(state.rules, deal, event.card)
        elif isinstance(event, CardPlayed | GoSaid):
            if isinstance(event, CardPlayed):
                self._last_to_play = event.seat
            if self._last_to_play is not None:  # the last to play pegs the 1 for a go
                self._pegged[self._last_to_play] += sum(outcome.points for outcome in state.outcomes)
            if Phase.SHOW in {state.phase, state.won_in}:
                for seat, points in enumerate(self._pegged):
                    role = self._role(deal, seat)
                    self._sums[f"plays.{role}"] += 1
                    self._sums[f"play.{role}"] += points

    def end(self) -> None:
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
        sums[f"skunks.{who}"] += sum(rules.skunk_of(score) > 0 for score in others)
        sums[f"double-skunks.{who}"] += sum(rules.skunk_of(score) > 1 for score in others)
        sums["first-dealer"] += state.winner == state.side(state.first_dealer or 0)

    def _note_cards(self, rules: Rules, deal: Deal, starter: Card) -> None:
        sums = self._sums
        for seat, dealt in enumerate(deal.dealt):
            role = self._role(deal, seat)
            hand = [card for card in dealt if card not in deal.discards[seat]]
            sums[f"deals.{role}"] += 1
            sums[f"hand.{role}"] += hand_points(hand, starter)
        dealer = self._sits[deal.dealer]
        crib = deal.crib
        if len(crib) < seats.HAND:
            crib = (*crib, *crib_cards(rules, self._pack(deal.number)))
        sums[f"crib.{dealer}"] += hand_points(crib, starter, is_strict=rules.crib_flush == "five")
        sums[f"heels.{dealer}"] += his_heels(rules) * (starter.rank is Rank.JACK)

    def _role(self, deal: Deal, seat: int) -> str:
        return f"{self._sits[seat]}.{'dealer' if seat == deal.dealer else 'pone'}"
