"""What the sums of the arena come to: shares with their interval, averages by role, times."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cribpi.opponents.arena.contest import TWO, Contest, time_of

Z: Final = 1.959964
"""Within so many standard errors lies 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Role:
    """The averages of one opponent as dealer, or as pone: points a deal.

    With three or four players, pone is every seat but the dealer's.
    """

    deals: int
    """How many: one for each seat that it had in the role."""
    hand: float
    play: float
    crib: float
    heels: float
    total: float


@dataclass(frozen=True, slots=True)
class Contestant:
    """One of the two."""

    name: str
    wins: int
    rate: float
    """The share of the games that it won, 0 to 1."""
    margin: float | None
    """The average by which it won, over the next best side; None where it won none."""
    skunks: int
    """The sides that it skunked, double skunks among them."""
    double_skunks: int
    dealer: Role | None
    pone: Role | None
    lay_away_ms: float | None
    """The median time of laying away, in milliseconds."""
    play_ms: float | None
    """The median time of playing a card where there is a choice, in milliseconds."""
    handed_over: int
    """The games in which a seat of it failed, and was handed to thrifty."""


@dataclass(frozen=True, slots=True)
class Result:
    """What the games of a contest came to."""

    rules: str
    players: int
    seed: int
    games: int
    sets: int
    a: Contestant
    b: Contestant
    interval: tuple[float, float] | None
    """Where the share that A wins in the long run lies, with 95 % confidence; None for fewer than two
    sets."""
    first_dealer: float
    """The share of the games that the side of the first dealer won."""
    deals: float
    """Deals a game."""


def result(contest: Contest, sums: Mapping[str, int]) -> Result:
    """Return what *sums* of a *contest* come to.

    Raises:
        ValueError: If no game was played.
    """
    games, sets = sums.get("games", 0), sums.get("sets", 0)
    if not games:
        raise ValueError("no game was played: there is no result")
    a, b = (_contestant(contest, sums, one) for one in TWO)
    return Result(
        rules=contest.rules.name,
        players=contest.rules.players,
        seed=contest.seed,
        games=games,
        sets=sets,
        a=a,
        b=b,
        interval=interval(a.wins, sums.get("squares", 0), sets, contest.games_in_set),
        first_dealer=sums.get("first-dealer", 0) / games,
        deals=sums.get("deals", 0) / games,
    )


def interval(wins: int, squares: int, sets: int, size: int) -> tuple[float, float] | None:
    """Return the 95 % interval of the share of games that is won: from whole sets, not from games.

    *wins* are those of all *sets*, of *size* games each, and *squares* the sum of each set's wins squared.
    Games of the same cards are not independent, but sets are: so the variance is that between sets, and one
    more set of independent games, so that a few sets that are alike claim no certainty.  It tells how many
    independent games the *sets* are worth, and Wilson's interval is that for so many; it stays within 0 and
    1, and says something too where all is won: there a set is worth one game.  None for fewer than two sets.

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
    variance = ((squares - wins * wins / sets) / size**2 + spread / size) / sets**2
    worth = spread / variance if spread else float(sets)
    middle = (share + Z**2 / (2 * worth)) / (1 + Z**2 / worth)
    half = Z / (1 + Z**2 / worth) * math.sqrt(spread / worth + Z**2 / (4 * worth**2))
    return (max(middle - half, 0.0), min(middle + half, 1.0))


def median_ms(sums: Mapping[str, int], who: str, what: str) -> float | None:
    """Return the median time of a decision in milliseconds, `lay-away` or `play`; None where there was
    none.
    """
    begin = f"time.{who}.{what}."
    counts = sorted(
        (int(key.removeprefix(begin)), many) for key, many in sums.items() if key.startswith(begin)
    )
    left = sum(many for _, many in counts) / 2
    for step, many in counts:
        left -= many
        if left <= 0:
            return time_of(step) * 1000
    return None


def _contestant(contest: Contest, sums: Mapping[str, int], who: str) -> Contestant:
    wins = sums.get(f"wins.{who}", 0)
    return Contestant(
        name=contest.name(who),
        wins=wins,
        rate=wins / sums["games"],
        margin=sums.get(f"margin.{who}", 0) / wins if wins else None,
        skunks=sums.get(f"skunks.{who}", 0),
        double_skunks=sums.get(f"double-skunks.{who}", 0),
        dealer=_role(sums, who, "dealer"),
        pone=_role(sums, who, "pone"),
        lay_away_ms=median_ms(sums, who, "lay-away"),
        play_ms=median_ms(sums, who, "play"),
        handed_over=sums.get(f"handed-over.{who}", 0),
    )


def _role(sums: Mapping[str, int], who: str, role: str) -> Role | None:
    deals = sums.get(f"deals.{who}.{role}", 0)
    if not deals:
        return None
    hand = sums.get(f"hand.{who}.{role}", 0) / deals
    play = sums.get(f"play.{who}.{role}", 0) / max(sums.get(f"plays.{who}.{role}", 0), 1)
    of_the_dealer = role == "dealer"
    crib = of_the_dealer * sums.get(f"crib.{who}", 0) / deals
    heels = of_the_dealer * sums.get(f"heels.{who}", 0) / deals
    return Role(deals, hand, play, crib, heels, hand + play + crib + heels)
