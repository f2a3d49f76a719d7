"""The results of a contest from its sums: win rates with their interval, averages by role, times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from cribpi.workshop.arena.contest import TWO, Contest, Sums, time_of
from cribpi.workshop.arena.luck import UNITS

Z: Final = 1.959964
"""Number of standard errors around the mean that contain 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class RoleAverages:
    """An opponent's averages as dealer or pone, in points per deal.

    With three or four players, pone is every seat but the dealer's.
    """

    deals: int
    """Number of deals, counted once for each seat in the role."""
    hand: float
    play: float
    crib: float
    heels: float
    total: float


@dataclass(frozen=True, slots=True)
class Contestant:
    name: str
    wins: int
    rate: float
    """Share of games won, 0 to 1."""
    margin: float | None
    """Average margin of the wins over the next best side; None without a win."""
    skunks: int
    """Number of sides skunked, including double skunks."""
    double_skunks: int
    dealer: RoleAverages | None
    pone: RoleAverages | None
    lay_away_ms: float | None
    """Median time of a discard, in milliseconds."""
    play_ms: float | None
    """Median time of a play with a choice, in milliseconds."""
    handed_over: int
    """Number of games in which the opponent failed and thrifty took over."""


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A's win rate adjusted for luck: an estimate of `Contestant.rate` with less variance."""

    rate: float
    """Adjusted win rate; after few games it can be below 0 or above 1."""
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class ArenaResult:
    rules: str
    players: int
    seed: int
    met: int
    games: int
    sets: int
    a: Contestant
    b: Contestant
    interval: tuple[float, float] | None
    """The 95 % confidence interval of A's win rate; None for fewer than two sets."""
    adjusted: Adjusted | None
    """A's win rate adjusted for luck; None with three players, or if some games in the file lack it."""
    first_dealer: float
    """Share of games won by the first dealer's side."""
    deals: float
    """Deals per game."""


def result(contest: Contest, sums: Sums) -> ArenaResult:
    """Return the result of a *contest* with *sums*.

    Raises:
        ValueError: If no game was played.
    """
    games, sets = sums["games"], sums["sets"]
    if not games:
        raise ValueError("no game was played: there is no result")
    a, b = (_contestant(contest, sums, who) for who in TWO)
    return ArenaResult(
        rules=contest.rules.name,
        players=contest.rules.players,
        seed=contest.seed,
        met=contest.met,
        games=games,
        sets=sets,
        a=a,
        b=b,
        interval=interval(a.wins, sums["squares"], sets, contest.games_in_set),
        adjusted=_adjusted(contest, sums),
        first_dealer=sums["first-dealer"] / games,
        deals=sums["deals"] / games,
    )


def interval(wins: int, squares: int, sets: int, size: int) -> tuple[float, float] | None:
    """Return the 95 % confidence interval of the win rate, from whole sets; None for fewer than two.

    *wins* is the total of all *sets*, of *size* games each, and *squares* the sum of each set's wins squared.
    Games with the same cards are not independent, but sets are.  So the variance is estimated between sets,
    plus one set of independent games, which keeps a few identical sets from claiming certainty.  It gives the
    effective number of independent games, for which this is Wilson's interval: that stays within 0 and 1, and
    is meaningful even if every game was won (a set then counts as one game).

    >>> [round(end, 3) for end in interval(100, 100, 100, 2)]
    [0.493, 0.507]
    >>> [round(end, 3) for end in interval(100, 200, 100, 2)]
    [0.404, 0.596]
    >>> [round(end, 3) for end in interval(200, 400, 100, 2)]
    [0.963, 1.0]
    """
    if sets < 2:
        return None
    share = wins / (sets * size)
    spread = share * (1 - share)
    variance = _variance(wins, squares, sets, size)
    worth = spread / variance if spread else float(sets)
    middle = (share + Z**2 / (2 * worth)) / (1 + Z**2 / worth)
    half = Z / (1 + Z**2 / worth) * math.sqrt(spread / worth + Z**2 / (4 * worth**2))
    return (max(middle - half, 0.0), min(middle + half, 1.0))


def _variance(wins: float, squares: float, sets: int, size: int) -> float:
    """Return the variance of the win rate that `interval` describes."""
    share = min(max(wins / (sets * size), 0.0), 1.0)
    return ((squares - wins * wins / sets) / size**2 + share * (1 - share) / size) / sets**2


def _adjusted(contest: Contest, sums: Sums) -> Adjusted | None:
    """Return A's win rate adjusted for luck, with the normal interval, as it is a sum of many values."""
    sets, size = sums["sets"], contest.games_in_set
    if sums["luck.sets"] != sets:
        return None
    wins = sums["wins.a"] - (sums["luck.a"] - sums["luck.b"]) / UNITS
    rate = wins / (sets * size)
    half = Z * math.sqrt(_variance(wins, sums["luck.squares"] / UNITS**2, sets, size))
    return Adjusted(rate, (max(rate - half, 0.0), min(rate + half, 1.0)) if sets > 1 else None)


def median_ms(sums: Sums, who: str, what: str) -> float | None:
    """Return the median time of a decision, `lay-away` or `play`, in milliseconds; None if there was none."""
    begin = f"time.{who}.{what}."
    counts = sorted(
        (int(key.removeprefix(begin)), many) for key, many in sums.items() if key.startswith(begin)
    )
    remaining = sum(many for _, many in counts) / 2
    for step, many in counts:
        remaining -= many
        if remaining <= 0:
            return time_of(step) * 1000
    return None


def _contestant(contest: Contest, sums: Sums, who: str) -> Contestant:
    wins = sums[f"wins.{who}"]
    return Contestant(
        name=contest.name(who),
        wins=wins,
        rate=wins / sums["games"],
        margin=sums[f"margin.{who}"] / wins if wins else None,
        skunks=sums[f"skunks.{who}"],
        double_skunks=sums[f"double-skunks.{who}"],
        dealer=_role(sums, who, "dealer"),
        pone=_role(sums, who, "pone"),
        lay_away_ms=median_ms(sums, who, "lay-away"),
        play_ms=median_ms(sums, who, "play"),
        handed_over=sums[f"handed-over.{who}"],
    )


def _role(sums: Sums, who: str, role: str) -> RoleAverages | None:
    deals = sums[f"deals.{who}.{role}"]
    if not deals:
        return None
    hand = sums[f"hand.{who}.{role}"] / deals
    play = sums[f"play.{who}.{role}"] / max(sums[f"plays.{who}.{role}"], 1)
    of_the_dealer = role == "dealer"
    crib = of_the_dealer * sums[f"crib.{who}"] / deals
    heels = of_the_dealer * sums[f"heels.{who}"] / deals
    return RoleAverages(deals, hand, play, crib, heels, hand + play + crib + heels)
