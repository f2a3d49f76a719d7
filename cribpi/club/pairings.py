"""Who meets whom on a club night: nobody twice, as long as the numbers allow it.

By the circle method, as tables of round robins are made: one player stays in place, and all others move on by
one place each round.  With an odd number an empty chair is one of them, and whoever meets it sits out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """Two players at a board, from 1; the first of them has seat 0."""

    board: int
    players: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Round:
    tables: tuple[Table, ...]
    sits_out: tuple[str, ...] = ()


def pairings(players: Sequence[str], games: int) -> tuple[Round, ...]:
    """Return the rounds of a night of so many *games*.

    In as many rounds as there are others, everybody meets everybody; after that it begins anew, with the
    seats exchanged.  With an odd number nobody sits out twice before all have.

    >>> [[table.players for table in one.tables] for one in pairings(("ANN", "BOB", "CAT", "DOT"), 2)]
    [[('ANN', 'DOT'), ('BOB', 'CAT')], [('CAT', 'ANN'), ('DOT', 'BOB')]]
    >>> [one.sits_out for one in pairings(("ANN", "BOB", "CAT"), 3)]
    [('ANN',), ('BOB',), ('CAT',)]

    Raises:
        ValueError: If there are fewer than two players, two of one name, or no games.
    """
    if len(players) < 2:
        raise ValueError(f"{len(players)} players: a club night needs two at least")
    if len(set(players)) < len(players):
        raise ValueError("two players of one name: tell them apart, as ANN B and ANN C")
    if games < 1:
        raise ValueError(f"{games} games: play one at least")
    chairs: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    return tuple(_round(chairs, number) for number in range(games))


def _round(chairs: list[str | None], number: int) -> Round:
    stays, moving = chairs[0], chairs[1:]
    cycle, turn = divmod(number, len(moving))
    circle = [stays, *moving[-turn:], *moving[:-turn]] if turn else [stays, *moving]
    half = len(circle) // 2
    tables: list[Table] = []
    sits_out: list[str] = []
    for place, (one, other) in enumerate(zip(circle[:half], reversed(circle[half:]), strict=True)):
        if one is None or other is None:
            sits_out += [player for player in (one, other) if player is not None]
            continue
        # Who stays changes seats each round, the others with the place where they meet.
        is_turned = (turn % 2 if place == 0 else place % 2 == 0) ^ (cycle % 2)
        tables.append(Table(len(tables) + 1, (other, one) if is_turned else (one, other)))
    return Round(tuple(tables), tuple(sits_out))
