"""Advice on the discard: every choice with what it is worth, best first, and a sentence of why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.expert import ALIKE, chances, has_chance, pegged_by_ways
from cribpi.cribbage.players.outlook import apart
from cribpi.cribbage.players.solid import has_own_crib, ways_of
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import STANDARD, Rules

LIKE: float = 0.005
"""Points that differ by less than this count as equal."""


@dataclass(frozen=True, slots=True)
class Advised:
    """One way to discard; points are means over what cannot be seen."""

    kept: tuple[Card, ...]
    away: tuple[Card, ...]
    hand: float
    crib: float
    """Points of the crib, four cards of all players' making: negative if it is another side's."""
    play: float | None
    """Points pegged in the play by the side, less the other's; None with three players."""
    win: float | None
    """The chance of winning the game, 0 to 1; None with three players."""
    points: float
    """Hand, crib and play together, as the margin over the others' mean: of another's crib half, with three
    players (see `habits.crib_worth`)."""
    why: str
    """One sentence."""


def sight_for(
    hand: Sequence[Card], *, is_dealer: bool, scores: tuple[int, int], rules: Rules = STANDARD
) -> SeatSight:
    """Return the sight of a player in seat 0 who was dealt *hand*; *scores* as for `of_sides`."""
    every = of_sides(scores, rules.players)
    return SeatSight(rules, 0, 0 if is_dealer else rules.players - 1, every, tuple(hand))


def of_sides(scores: tuple[int, int], players: int) -> tuple[int, ...]:
    """Return the score of each side, given the own and the best of the others', which all of them have.

    >>> of_sides((96, 101), 3)
    (96, 101, 101)
    """
    mine, theirs = scores
    return (mine, *[theirs] * (seats.sides(players) - 1))


def advise(sight: SeatSight) -> tuple[Advised, ...]:
    """Return all ways to discard from the hand in *sight*, best first.

    With two sides the best wins most often from the scores on the board; with three players it has the most
    points in hand and crib.

    Raises:
        TablesError: If a shipped table is missing or damaged.
        ValueError: If the hand has the wrong number of cards, or one without a suit.
    """
    ways = ways_of(sight)
    wins: Sequence[float | None] = [None] * len(ways)
    plays: Sequence[float | None] = wins
    if has_chance(sight.rules):
        pegged = pegged_by_ways(sight, ways)
        wins, plays = chances(sight, ways).tolist(), (pegged[:, 0] - pegged[:, 1]).tolist()
    rows = [
        Advised(
            way.kept,
            way.away,
            way.hand,
            way.crib if way.own_crib else -way.crib,
            play,
            win,
            way.worth + (play or 0.0),
            "",
        )
        for way, play, win in zip(ways, plays, wins, strict=True)
    ]
    rows.sort(key=lambda row: -round(row.win or 0.0, ALIKE))  # stable: equals stay ordered by hand and crib
    whose = _whose_crib(sight)
    return tuple(replace(row, why=_why(row, rows, whose)) for row in rows)


def _whose_crib(sight: SeatSight) -> str:
    if not has_own_crib(sight):
        return {2: "your opponent's crib", 3: "the dealer's crib"}.get(sight.players, "your opponents' crib")
    return "your crib" if sight.is_dealer else "your partner's crib"


def _why(row: Advised, rows: Sequence[Advised], whose: str) -> str:
    """Say why a way is best, or what it lacks compared with the best."""
    best = rows[0]
    if row is best:
        return _why_best(best, rows, whose)
    differs = _differs(row, best, whose)
    return f"{differs} than the best" if differs else "as good as the best"


def _differs(row: Advised, best: Advised, whose: str) -> str:
    """Say where *row* brings more or less than the *best*; "" where it is next to nothing."""
    parts = []
    for where, mine, theirs in (
        ("in the hand", row.hand, best.hand),
        (f"in {whose}", abs(row.crib), abs(best.crib)),  # of another's crib, less is better
        ("in the play", row.play or 0.0, best.play or 0.0),
    ):
        gap = apart(mine, theirs)
        if gap:
            parts.append(f"{abs(gap):.1f} {'more' if gap > 0 else 'less'} {where}")
    return ", ".join(parts)


def _why_best(best: Advised, rows: Sequence[Advised], whose: str) -> str:
    kept, away = _ranks(best.kept), _ranks(best.away)
    half = ", half of it your loss" if _is_half(best) else ""
    said = f"Keep {kept} (average {best.hand:.1f}) and give {away} to {whose} ({abs(best.crib):.1f}{half})"
    most = max(rows, key=lambda row: row.points)
    if most.points - best.points > LIKE:
        more = apart(most.points, best.points)
        return (
            f"{said}; {_ranks(most.away)} would bring {more:.1f} points more, but wins less often from here"
        )
    second = next((row for row in rows if _ranks(row.away) != away), None)
    if second is None:
        return said
    differs = _differs(second, best, whose)
    return f"{said}; {_ranks(second.away)} instead: {differs or 'as good'}"


def _is_half(row: Advised) -> bool:
    """Return whether only half of the crib counts: it is that of one of two others."""
    return row.points > row.hand + row.crib + (row.play or 0.0) + LIKE


def _ranks(cards: Sequence[Card]) -> str:
    return " ".join(card.rank.symbol for card in cards)
