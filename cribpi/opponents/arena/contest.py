"""Contests between two opponents over mirrored deals: what is played, and what is summed.

Games come in sets, in which the seats change and the cards do not.  With two or four players (two sides) a
set is a pair of games; with three players it is three games, with A in each seat in turn against B in the two
others.  The k-th deal of each game of a set has the same shuffled pack and the same dealer, so each opponent
gets the other's cards.

Results are kept as integer sums, so they do not depend on the order of the games.
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
"""The names of the two opponents in sums."""

STEPS_PER_OCTAVE: Final = 8
"""The resolution of decision times: about 4 % of any time."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Two opponents by name (`solid` or `solid-errs`), their rules, and the seed of everything random.

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
        """The games of a set, one for each side that A can take: two, or three."""
        return seats.sides(self.rules.players)

    def sits(self, number: int) -> tuple[str, ...]:
        """Return who has each seat in game *number* of a set: `a` has that side, `b` the others.

        >>> Contest("solid", "chance").sits(0), Contest("solid", "chance").sits(1)
        (('a', 'b'), ('b', 'a'))
        """
        players = self.rules.players
        return tuple(TWO[seats.side_of(seat, players) != number] for seat in range(players))

    def pack(self, number: int, deal: int) -> Sequence[Card]:
        """Return the shuffled pack of *deal*, counted from 1, in all games of the set *number*."""
        pack = list(PACK)
        Random(f"{self.seed}/{number}/{deal}").shuffle(pack)  # noqa: S311  so that it can be had again
        return pack

    def name(self, one: str) -> str:
        """Return the name of opponent `a` or `b`."""
        return self.a if one == "a" else self.b


def play_set(contest: Contest, number: int) -> Sums:
    """Play the games of one set and return their sums."""
    sums = Sums()
    for game_number in range(contest.games_in_set):
        _play_game(contest, number, game_number, sums)
    sums["sets"] += 1
    sums["squares"] += sums["wins.a"] ** 2
    return sums


def play_sets(contest: Contest, first: int, many: int) -> Sums:
    """Play *many* sets from the *first* on and return their sums."""
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
    level, careless = read_level(name)
    chance = Random(f"{contest.seed}/{number}/{game_number}/{seat}")  # noqa: S311  so that it can be had again
    return made(name, lambda: opponent(level, chance=chance, careless=careless))


@dataclass(frozen=True, slots=True)
class _Timed:
    """An opponent with a stopwatch: it times each discard, and each play where there is a choice."""

    opponent: WithFallback
    sums: Sums
    who: str

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        began = perf_counter()
        cards = self.opponent.discard(sight)
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
    """Return the logarithmic bin of a time; `time_of` is the inverse, to about 4 %.

    >>> round(time_of(time_step(0.0031)), 5)
    0.00316
    """
    return round(STEPS_PER_OCTAVE * math.log2(max(seconds, 1e-7) * 1e6))


def time_of(step: int) -> float:
    """Return the time that *step* stands for, in seconds."""
    return float(2 ** (step / STEPS_PER_OCTAVE)) / 1e6
