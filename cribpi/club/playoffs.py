"""The play-offs: a bracket by seeds, in which a match is the best of one, three or five games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

BEST_OF: Final = 3
"""The most games of a match, unless the director says otherwise."""

LENGTHS: Final = (1, BEST_OF, 5)
"""How many it can be."""

Place = tuple[int, int]
"""A match: its stage from 1, and its place in the stage from 1."""


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game of a match."""

    winner: str
    score: int
    """The loser's."""


@dataclass(frozen=True, slots=True)
class Match:
    place: Place
    players: tuple[str | None, str | None]
    """None where it is not known yet."""
    games: tuple[Game, ...]
    best_of: int
    walkover: str | None
    """Who goes on because the other can't play."""

    @property
    def is_bye(self) -> bool:
        """Whether the first of them goes on without a game."""
        return self.place[0] == 1 and self.players[1] is None

    @property
    def winner(self) -> str | None:
        if self.is_bye:
            return self.players[0]
        to_win = self.best_of // 2 + 1
        won = (player for player in self.players if player and self.wins(player) >= to_win)
        return self.walkover or next(won, None)

    def wins(self, player: str | None) -> int:
        return sum(game.winner == player for game in self.games)

    @property
    def is_open(self) -> bool:
        """Whether a game of it can be played now."""
        return None not in self.players and self.winner is None and not self.is_bye


def seeded(size: int) -> tuple[int, ...]:
    """Return the seeds, from 1, in the order of a bracket of *size*, a power of two: the best meet last.

    >>> seeded(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        both = 2 * len(order) + 1
        order = tuple(seed for one in order for seed in (one, both - one))
    return order


def bracket(
    players: Sequence[str],
    games: Mapping[Place, Sequence[Game]],
    best_of: int = BEST_OF,
    walkovers: Mapping[Place, str] = MappingProxyType({}),
) -> tuple[tuple[Match, ...], ...]:
    """Return the stages of the play-offs of *players*, the best first; with the *games* played so far.

    Where they are no power of two, the best go on from the first stage without a game.  *best_of* is the most
    games of a match, and *walkovers* has who goes on from one because the other can't play.

    Raises:
        ValueError: If there are fewer than two.
    """
    if len(players) < 2:
        raise ValueError(f"{len(players)} in the play-offs: they need two at least")
    size = 1
    while size < len(players):
        size *= 2
    entrants: list[str | None] = [
        players[seed - 1] if seed <= len(players) else None for seed in seeded(size)
    ]
    stages: list[tuple[Match, ...]] = []
    while len(entrants) > 1:
        stage = len(stages) + 1
        matches = tuple(
            Match(
                (stage, place),
                (entrants[2 * place - 2], entrants[2 * place - 1]),
                tuple(games.get((stage, place), ())),
                best_of,
                walkovers.get((stage, place)),
            )
            for place in range(1, len(entrants) // 2 + 1)
        )
        stages.append(matches)
        entrants = [match.winner for match in matches]
    return tuple(stages)


def stage_name(stage: int, stages: int) -> str:
    """Return what a stage is called.

    >>> [stage_name(stage, 4) for stage in range(1, 5)]
    ['Round of 16', 'Quarter-finals', 'Semi-finals', 'Final']
    """
    left = stages - stage
    return ("Final", "Semi-finals", "Quarter-finals")[left] if left < 3 else f"Round of {2 ** (left + 1)}"
