"""Pairings of a club night, without rematches if the numbers allow it.

While the same players stay, the circle method applies: one player stays in place, and all others move one
place each round. If their number is odd, an empty chair fills it up, and its opponent sits out. After an
arrival or a departure, each round is a matching of the players here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final

PLANS: Final = 20
"""Maximum number of plans for the remaining rounds. The search stops at a plan without rematches."""


Pair = frozenset[str]
"""Two opponents."""


@dataclass(frozen=True, slots=True)
class TablePairing:
    """Two players at a board. Boards count from 1. The first player has seat 0."""

    board: int
    players: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Round:
    tables: tuple[TablePairing, ...]
    sits_out: tuple[str, ...] = ()

    @property
    def pairs(self) -> frozenset[Pair]:
        return frozenset(frozenset(table.players) for table in self.tables)

    @property
    def players(self) -> tuple[str, ...]:
        """All players, including those who sit out."""
        return (*(player for table in self.tables for player in table.players), *self.sits_out)


def pairings(players: Sequence[str], games: int) -> tuple[Round, ...]:
    """Return all rounds of a night with *games* games, if the same players stay for all.

    After everyone has met everyone, the cycle repeats with the seats exchanged. With an odd number, nobody
    sits out twice before everyone has sat out once.

    >>> [[table.players for table in one.tables] for one in pairings(("ANN", "BOB", "CAT", "DOT"), 2)]
    [[('ANN', 'DOT'), ('BOB', 'CAT')], [('CAT', 'ANN'), ('DOT', 'BOB')]]
    >>> [one.sits_out for one in pairings(("ANN", "BOB", "CAT"), 3)]
    [('ANN',), ('BOB',), ('CAT',)]
    """
    chairs: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    return tuple(_by_circle(chairs, number) for number in range(games))


def _by_circle(chairs: list[str | None], number: int) -> Round:
    stays, moving = chairs[0], chairs[1:]
    cycle, turn = divmod(number, len(moving))
    circle = [stays, *moving[-turn:], *moving[:-turn]] if turn else [stays, *moving]
    half = len(circle) // 2
    tables: list[TablePairing] = []
    sits_out: list[str] = []
    for place, (one, other) in enumerate(zip(circle[:half], reversed(circle[half:]), strict=True)):
        if one is None or other is None:
            sits_out += [player for player in (one, other) if player is not None]
            continue
        # The fixed player changes seats each round; the seats of the others depend on their place.
        is_turned = (turn % 2 if place == 0 else place % 2 == 0) ^ (cycle % 2)
        tables.append(TablePairing(len(tables) + 1, (other, one) if is_turned else (one, other)))
    return Round(tuple(tables), tuple(sits_out))


Apart = Callable[[int], Collection[Pair]]
"""Function from a round's number, from 1, to the pairs to avoid in it."""


def matched(
    players: Sequence[str],
    earlier: Sequence[Round],
    games: int,
    apart: Apart = lambda _: (),
    lost: Counter[str] | None = None,
) -> Round:
    """Return the round of *players* that follows the *earlier* ones, on a night with *games* games.

    If the number of players is odd, one of those who have missed the fewest games sits out. *lost* counts the
    games that a player missed because an opponent left.

    The round has the fewest rematches, then the fewest pairs in *apart*. Among equal rounds, a few plans for
    the rest of the night are compared, and the one with the fewest rematches and clashes wins.
    """
    # With at least twice as many players as games, a round without rematches always exists (Dirac's theorem),
    # so no planning ahead is needed.
    rounds = max(games - len(earlier), 1) if len(players) < 2 * games else 1
    fewest = faults(earlier, apart)
    plans: list[list[Round]] = []
    for number in range(PLANS):
        order, plan = [*players], [*earlier]
        if number:
            Random(number).shuffle(order)  # noqa: S311  fixed seeds: each call must find the same round
        for _ in range(rounds):
            plan.append(_matched(order, plan, apart(len(plan) + 1), lost or Counter()))
        plans.append(plan)
        if faults(plan, apart) == fewest:
            break
    return min(plans, key=lambda plan: faults(plan, apart))[len(earlier)]


def faults(rounds: Sequence[Round], apart: Apart) -> tuple[int, int]:
    """Return the number of rematches, and the number of games between players who must be kept *apart*."""
    met = [pair for one in rounds for pair in one.pairs]
    clashes = [pair for number, one in enumerate(rounds, 1) for pair in one.pairs & set(apart(number))]
    return len(met) - len(set(met)), len(clashes)


def at_tables(one: Round, fixed: Mapping[str, int]) -> Round:
    """Return the round with each *fixed* player's pair moved to that player's table."""
    pairs = [table.players for table in one.tables]
    for player, board in fixed.items():
        at = next((at for at, pair in enumerate(pairs) if player in pair), len(pairs))
        if max(at, board - 1) < len(pairs):
            pairs[at], pairs[board - 1] = pairs[board - 1], pairs[at]
    return Round(tuple(TablePairing(board, pair) for board, pair in enumerate(pairs, 1)), one.sits_out)


def _matched(
    players: Sequence[str], earlier: Sequence[Round], apart: Collection[Pair], lost: Counter[str]
) -> Round:
    """Return one round by minimum-weight matching. Ties are broken by the order of *players*."""
    from networkx import Graph, min_weight_matching  # noqa: PLC0415  half a second; few nights need it

    tables = [table.players for one in earlier for table in one.tables]
    met = Counter(map(frozenset, tables))
    missed = lost + Counter(player for one in earlier for player in one.sits_out)
    has_been_first = Counter(first for first, _ in tables)
    graph = Graph()
    # One rematch weighs more than all pairs kept apart, and one third meeting more than three second ones.
    for pair in combinations(players, 2):
        both = frozenset(pair)
        graph.add_edge(*pair, weight=len(players) * met[both] ** 2 + (both in apart))
    if len(players) % 2:
        fewest = min(missed[player] for player in players)
        graph.add_weighted_edges_from(("", one, 0) for one in players if missed[one] == fewest)
    found: list[tuple[str, str]] = []
    sits_out: list[str] = []
    for pair in min_weight_matching(graph):
        one, other = sorted(pair, key=lambda player: (has_been_first[player], player))
        if "" in pair:
            sits_out.append(one or other)
        else:
            found.append((one, other))
    found.sort(key=lambda pair: min(map(players.index, pair)))
    return Round(tuple(TablePairing(board, pair) for board, pair in enumerate(found, 1)), tuple(sits_out))


BEST_OF: Final = 3
"""Default number of games of a match."""

LENGTHS: Final = (1, BEST_OF, 5)
"""Allowed numbers of games of a match."""

Place = tuple[int, int]
"""Position of a match: its stage and its place in that stage, both from 1."""


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A finished game of a match, or a walkover."""

    winner: str
    score: int | None
    """The loser's score; None for a walkover."""


@dataclass(frozen=True, slots=True)
class Match:
    place: Place
    players: tuple[str | None, str | None]
    """The two players; None for a bye, or for a winner not yet known."""
    games: tuple[MatchGame, ...]
    best_of: int

    @property
    def walkover(self) -> str | None:
        """Winner by walkover, because the other player could not play; otherwise None."""
        return self.games[-1].winner if self.games and self.games[-1].score is None else None

    @property
    def is_bye(self) -> bool:
        """Whether the first player advances without a game."""
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
        """Whether the match can be played now."""
        return None not in self.players and self.winner is None and not self.is_bye


def seeded(size: int) -> tuple[int, ...]:
    """Return the seeds, from 1, in bracket order: the best players meet last. *size* must be a power of two.

    >>> seeded(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        both = 2 * len(order) + 1
        order = tuple(seed for one in order for seed in (one, both - one))
    return order


def bracket(
    players: Sequence[str], games: Mapping[Place, Sequence[MatchGame]], best_of: int = BEST_OF
) -> tuple[tuple[Match, ...], ...]:
    """Return the stages of the play-offs.

    *players* are in seeding order, and *games* are those played so far.

    If the number of players is not a power of two, the top seeds get byes in the first stage. *best_of* is
    the maximum number of games of a match.
    """
    size = 1 << (len(players) - 1).bit_length()  # rounded up to a power of two
    seeds = dict(enumerate(players, 1))
    entrants = [seeds.get(seed) for seed in seeded(size)]
    stages: list[tuple[Match, ...]] = []
    while len(entrants) > 1:
        stage = len(stages) + 1
        pairs = zip(entrants[::2], entrants[1::2], strict=True)
        matches = tuple(
            Match((stage, place), pair, tuple(games.get((stage, place), ())), best_of)
            for place, pair in enumerate(pairs, 1)
        )
        stages.append(matches)
        entrants = [match.winner for match in matches]
    return tuple(stages)


def stage_name(stage: int, stages: int) -> str:
    """Return the name of stage number *stage* out of *stages*.

    >>> [stage_name(stage, 4) for stage in range(1, 5)]
    ['Round of 16', 'Quarter-finals', 'Semi-finals', 'Final']
    """
    left = stages - stage
    return ("Final", "Semi-finals", "Quarter-finals")[left] if left < 3 else f"Round of {2 ** (left + 1)}"
