"""Game points and standings by the rules of the American Cribbage Congress.

A win is worth 2 game points, a win by a skunk 3, a loss 0. Ties are broken by games won, then by spread: the
total of a player's winning margins minus the total of the losing margins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rules import preset

ACC: Final = preset("acc")

GRASS_ROOTS: Final = 12
"""Minimum game points of a card that earns Grass Roots points."""

QUALIFY: Final = 4
"""Number of players per play-off place: one player in four qualifies."""


def refuse(when: object, why: str) -> None:
    """Raise `RuleError(why)` if *when* is true."""
    if when:
        raise RuleError(why)


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game. The *winner*'s score is the target."""

    round: int
    board: int
    winner: str
    loser: str
    score: int
    """The loser's score, from 0 to one below the target."""
    forfeit: bool = False
    """Whether the loser forfeited. The spread is then 0 for both."""
    hands: tuple[tuple[int, ...], ...] = field(default=((), ()), compare=False)
    """Hands and cribs worth 28 or 29, of the winner and of the loser. Only boards report them."""

    def game_points(self) -> int:
        return ACC.stake[0] if self.forfeit else ACC.stake_of(self.score)

    def spread(self) -> int:
        """Return the winning margin in points; 0 for a forfeit."""
        return 0 if self.forfeit else ACC.target - self.score


def check_score(score: int) -> None:
    """Check a loser's *score*.

    Raises:
        RuleError: If no loser can have that score.
    """
    refuse(not 0 <= score < ACC.target, f"the loser can't have {score}: enter 0 to {ACC.target - 1}")


@dataclass(frozen=True, slots=True)
class CardLine:
    """A line of a player's scorecard: one game."""

    round: int
    opponent: str
    game_points: int
    spread: int
    """Margin in points, negative for a loss."""
    hands: tuple[int, ...] = ()
    """The player's hands and cribs worth 28 or 29. Only boards report them."""


@dataclass(frozen=True, slots=True)
class Standing:
    rank: int
    """Rank from 1. Tied players share it."""
    player: str
    game_points: int
    wins: int
    spread: int
    card: tuple[CardLine, ...] = field(repr=False)
    """The player's games in order of rounds."""
    qualifies: bool

    @property
    def games(self) -> int:
        return len(self.card)

    @property
    def as_read(self) -> str:
        """Game points and games won, as players read a card aloud: ``16/7``."""
        return f"{self.game_points}/{self.wins}"

    @property
    def plus(self) -> int:
        """Total of winning margins."""
        return sum(line.spread for line in self.card if line.spread > 0)

    @property
    def minus(self) -> int:
        """Total of losing margins, at least 0."""
        return self.plus - self.spread


def standings(
    players: Sequence[str], results: Iterable[Result], games: int | None = None
) -> tuple[Standing, ...]:
    """Return the standings of *players*, best first. Tied players keep their order.

    A card has at most *games* games: an extra game counts only for the player who had missed one.

    The top quarter qualifies, rounded up, but only players with a win. If players tie for the last place, all
    of them qualify: the director breaks that tie.
    """
    cards: dict[str, list[CardLine]] = {player: [] for player in players}
    for one in results:
        won, lost = one.hands
        cards[one.winner].append(CardLine(one.round, one.loser, one.game_points(), one.spread(), won))
        cards[one.loser].append(CardLine(one.round, one.winner, 0, -one.spread(), lost))
    lines = ((player, sorted(card, key=lambda line: line.round)[:games]) for player, card in cards.items())
    rows = [(sums(card), player, tuple(card)) for player, card in lines]
    rows.sort(key=lambda row: row[0], reverse=True)
    places = -(-len(rows) // QUALIFY)
    found: list[Standing] = []
    for (points, wins, spread), level in groupby(rows, key=lambda row: row[0]):
        rank = len(found) + 1
        for _, player, card in level:
            qualifies = rank <= places and wins > 0
            found.append(Standing(rank, player, points, wins, spread, card, qualifies))
    return tuple(found)


def sums(card: Sequence[CardLine]) -> tuple[int, int, int]:
    """Return the game points, the games won and the spread of a *card*."""
    return (
        sum(line.game_points for line in card),
        sum(line.game_points > 0 for line in card),
        sum(line.spread for line in card),
    )
