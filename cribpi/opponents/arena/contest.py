"""Matches between two opponents over mirrored deals: what is played, and what is added up of it.

Games come in sets, in which the seats change and the cards do not.  Of two players, and of two sides, a set
is a pair of games; of three players it is three games, with A in each seat in turn against B in the two
others.  The k-th deal of each game of a set has the same shuffled pack and the same dealer, so that each gets
the other's cards.

What is kept of games is sums of whole numbers, so that it is the same in whatever order they are played.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Final

from cribpi.core import seats
from cribpi.core.cards import PACK, Card
from cribpi.core.rules import STANDARD, Rules
from cribpi.core.sight import SeatSight
from cribpi.opponents.arena.games import game
from cribpi.opponents.arena.tally import Notes, Sums
from cribpi.opponents.fallback import WithFallback, made
from cribpi.opponents.levels import opponent, read_level

TWO: Final = ("a", "b")
"""What the two opponents are called in sums."""

STEPS_PER_OCTAVE: Final = 8
"""How finely the time of a decision is kept: to 4 % or so, of any time."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Two opponents by name, `solid` or `solid-errs`, the rules that they play by, and the seed of all
    chance.

    Raises:
        UnknownLevel: If one is not known.
    """

    a: str
    b: str
    rules: Rules = STANDARD
    seed: int = 1

    def __post_init__(self) -> None:
        for name in (self.a, self.b):
            read_level(name)

    @property
    def games_in_set(self) -> int:
        """The games of a set, one for each side that A can have: two, or three."""
        return seats.sides(self.rules.players)

    def sits(self, number: int) -> tuple[str, ...]:
        """Return who sits in each seat in the game *number* of a set: `a` has that side, and `b` the others.

        >>> Contest("solid", "chance").sits(0), Contest("solid", "chance").sits(1)
        (('a', 'b'), ('b', 'a'))
        """
        players = self.rules.players
        return tuple(TWO[seats.side_of(seat, players) != number] for seat in range(players))

    def pack(self, number: int, deal: int) -> Sequence[Card]:
        """Return the shuffled pack of a *deal*, by its number from 1, in all games of the set *number*."""
        pack = list(PACK)
        Random(f"{self.seed}/{number}/{deal}").shuffle(pack)  # noqa: S311  so that it can be had again
        return pack

    def name(self, one: str) -> str:
        """Return the name of `a` or of `b`."""
        return self.a if one == "a" else self.b


def play_set(contest: Contest, number: int) -> Sums:
    """Play the games of one set, and return what they add up to."""
    sums = Sums()
    for game_number in range(contest.games_in_set):
        _play_game(contest, number, game_number, sums)
    sums["sets"] += 1
    sums["squares"] += sums["wins.a"] ** 2
    return sums


def play_sets(contest: Contest, first: int, many: int) -> Sums:
    """Play *many* sets from the *first* on, and return what they add up to."""
    sums = Sums()
    for number in range(first, first + many):
        sums.update(play_set(contest, number))
    return sums


def _play_game(contest: Contest, number: int, game_number: int, sums: Sums) -> None:
    sits = contest.sits(game_number)
    opponents = [
        _Timed(_seated(contest, number, game_number, seat), sums, sits[seat]) for seat in range(len(sits))
    ]

    def pack(deal: int) -> Sequence[Card]:
        return contest.pack(number, deal)

    notes = Notes(sums, sits, pack)
    for event, state in game(opponents, contest.rules, pack):
        notes.take(event, state)
    notes.end()
    for one in opponents:
        sums[f"handed-over.{one.who}"] += one.opponent.trouble is not None


def _seated(contest: Contest, number: int, game_number: int, seat: int) -> WithFallback:
    name = contest.name(contest.sits(game_number)[seat])
    level, errs = read_level(name)
    chance = Random(f"{contest.seed}/{number}/{game_number}/{seat}")  # noqa: S311  so that it can be had again
    return made(name, lambda: opponent(level, chance=chance, errs=errs))


@dataclass(frozen=True, slots=True)
class _Timed:
    """An opponent with a watch beside it: how long it takes to lay away, and to play where it has a
    choice.
    """

    opponent: WithFallback
    sums: Sums
    who: str

    def lay_away(self, sight: SeatSight) -> tuple[Card, ...]:
        began = perf_counter()
        cards = self.opponent.lay_away(sight)
        self._note("lay-away", perf_counter() - began)
        return cards

    def play(self, sight: SeatSight) -> Card:
        began = perf_counter()
        card = self.opponent.play(sight)
        self._note("play", perf_counter() - began)
        return card

    def _note(self, what: str, seconds: float) -> None:
        self.sums[f"time.{self.who}.{what}.{time_step(seconds)}"] += 1


def time_step(seconds: float) -> int:
    """Return the step in which a time is counted; `time_of` is the inverse, to 4 % or so.

    >>> round(time_of(time_step(0.0031)), 5)
    0.00316
    """
    return round(STEPS_PER_OCTAVE * math.log2(max(seconds, 1e-7) * 1e6))


def time_of(step: int) -> float:
    """Return the time, in seconds, that a *step* stands for."""
    return float(2 ** (step / STEPS_PER_OCTAVE)) / 1e6
