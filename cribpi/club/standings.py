"""What games bring by the rules of the American Cribbage Congress, and who leads.

A win is 2 game points, one over a skunked loser 3, a loss none.  Who has as many is told apart by games won,
and then by spread: the points by which games were won, less those by which they were lost.
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
"""A card of so many game points earns Grass Roots points."""

QUALIFY: Final = 4
"""One in so many goes on to the play-offs."""


def refuse(when: object, why: str) -> None:
    """Raise `RuleError` with *why* if *when* is true."""
    if when:
        raise RuleError(why)


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game: the *winner* has the target."""

    round: int
    board: int
    winner: str
    loser: str
    score: int
    """The loser's, 0 to the target less 1."""
    forfeit: bool = False
    """Whether the loser did not play: a win, and no spread for either."""
    hands: tuple[tuple[int, ...], ...] = field(default=((), ()), compare=False)
    """The hands and cribs of 28 and 29 of the winner and of the loser, if a board has reported them."""

    def game_points(self) -> int:
        return ACC.stake[0] if self.forfeit else ACC.stake_of(self.score)

    def spread(self) -> int:
        """Return by how many points it was won."""
        return 0 if self.forfeit else ACC.target - self.score


def check_score(score: int) -> None:
    """Refuse a *score* that no loser can have.

    Raises:
        RuleError: If it is one.
    """
    refuse(not 0 <= score < ACC.target, f"the loser can't have {score}: enter 0 to {ACC.target - 1}")


@dataclass(frozen=True, slots=True)
class CardLine:
    """A game on a player's card, as the paper ones have it."""

    round: int
    opponent: str
    game_points: int
    spread: int
    """Below 0 for a loss."""
    hands: tuple[int, ...] = ()
    """Those of 28 and 29, if a board has reported them."""


@dataclass(frozen=True, slots=True)
class Standing:
    rank: int
    """From 1; who can't be told apart has the same."""
    player: str
    game_points: int
    wins: int
    spread: int
    card: tuple[CardLine, ...] = field(repr=False)
    """The player's games, in the order of the rounds."""
    qualifies: bool

    @property
    def games(self) -> int:
        return len(self.card)

    @property
    def as_read(self) -> str:
        """Game points and games won, as clubs read a card: ``16/7``."""
        return f"{self.game_points}/{self.wins}"

    @property
    def plus(self) -> int:
        """The points by which games were won."""
        return sum(line.spread for line in self.card if line.spread > 0)

    @property
    def minus(self) -> int:
        """The points by which games were lost: 0 or more."""
        return self.plus - self.spread


def standings(
    players: Sequence[str], results: Iterable[Result], games: int | None = None
) -> tuple[Standing, ...]:
    """Return how all *players* stand, best first; who can't be told apart, in their order.

    A card has as many *games* at most: who plays along in an extra round does so for the other's alone.

    A quarter of them, rounded up, qualifies, of those who have won a game.  Where the last place is shared,
    all who share it qualify: the directors break that tie.
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
    """Return game points, games won, and spread."""
    return (
        sum(line.game_points for line in card),
        sum(line.game_points > 0 for line in card),
        sum(line.spread for line in card),
    )
