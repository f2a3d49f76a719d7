"""Consistency checks of a contest's sums: each has a known name, and they can come from whole games."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from cribpi.core import seats
from cribpi.core.heels import his_heels
from cribpi.opponents.arena.contest import TWO, Contest, time_step

_BEST_HAND: Final = 29
_MOST_IN_PLAY: Final = 61
"""More than any seat can peg in the play of one deal."""
_STEPS: Final = (time_step(0.0), time_step(1e7))
"""The steps of the shortest and the longest time kept."""
_ROLES: Final = ("dealer", "pone")
_OF_A_GAME: Final = ("wins", "margin", "skunks", "double-skunks", "crib", "heels", "handed-over")
_OF_A_ROLE: Final = ("deals", "hand", "plays", "play")
_WHATS: Final = ("lay-away", "play")

_TIME: Final = re.compile(r"time\.([ab]\.(?:lay-away|play))\.(0|-?[1-9][0-9]{0,3})", re.ASCII)
_KNOWN: Final = frozenset(
    (
        "games", "sets", "squares", "deals", "first-dealer",
        *(f"{what}.{who}" for what in _OF_A_GAME for who in TWO),
        *(f"{what}.{who}.{role}" for what in _OF_A_ROLE for who in TWO for role in _ROLES),
    )
)  # fmt: skip

Of: TypeAlias = Callable[[str], int]
"""Returns the sum of that name; 0 if there is none."""


def misfit(contest: Contest, sums: Mapping[str, int]) -> str | None:
    """Return the name of an impossible sum of *contest*, or None if all *sums* are consistent.

    Wrong but possible sums are not found: the file's check value catches those.
    """
    for name in sums:
        if name not in _KNOWN and not _is_time(name):
            return name
    return next(
        (name for name, fits in _laws(contest, lambda name: sums.get(name, 0), sums) if not fits), None
    )


def _is_time(name: str) -> bool:
    found = _TIME.fullmatch(name)
    return found is not None and _STEPS[0] <= int(found[2]) <= _STEPS[1]


def _laws(contest: Contest, of: Of, sums: Mapping[str, int]) -> Iterator[tuple[str, bool]]:
    """Yield each law as the name of the sum it is about, and whether it holds."""
    sets, games, deals, size = of("sets"), of("games"), of("deals"), contest.games_in_set
    won = of("wins.a")
    yield "games", games == sets * size
    yield "wins.b", won + of("wins.b") == games
    # A set has 0 to *size* wins: their squares sum to least if all sets are equal, to most if all or none.
    yield "squares", won * won <= of("squares") * max(sets, 1) and of("squares") <= size * won
    yield "squares", of("squares") >= won and (of("squares") - won) % 2 == 0
    yield "first-dealer", of("first-dealer") <= games
    yield "deals", games <= deals <= games * contest.rules.target
    yield from _laws_of_deals(contest, of)
    for who in TWO:
        yield from _laws_of(contest, of, who)
        for what in _WHATS:
            begin = f"time.{who}.{what}."
            kept = sum(many for name, many in sums.items() if name.startswith(begin))
            yield f"time.{who}.{what}", _fits_times(contest, of, who, what, kept)


def _laws_of_deals(contest: Contest, of: Of) -> Iterator[tuple[str, bool]]:
    """Yield the laws of hands dealt: every deal but a game's last gets its starter and its play."""
    others, games, deals = contest.rules.players - 1, of("games"), of("deals")
    for what in ("deals", "plays"):
        dealer, pone = (sum(of(f"{what}.{who}.{role}") for who in TWO) for role in _ROLES)
        yield f"{what}.a.pone", pone == others * dealer
        yield f"{what}.a.dealer", deals - games <= dealer <= deals


def _laws_of(contest: Contest, of: Of, who: str) -> Iterator[tuple[str, bool]]:
    """Yield the laws of what *who* has won and pegged."""
    rules, won, dealt = contest.rules, of(f"wins.{who}"), of(f"deals.{who}.dealer")
    lost_to = seats.sides(rules.players) - 1
    yield f"margin.{who}", won <= of(f"margin.{who}") <= won * rules.target
    yield f"skunks.{who}", of(f"skunks.{who}") <= won * lost_to
    yield f"double-skunks.{who}", of(f"double-skunks.{who}") <= of(f"skunks.{who}")
    yield f"crib.{who}", of(f"crib.{who}") <= _BEST_HAND * dealt
    heels = of(f"heels.{who}")
    yield f"heels.{who}", heels <= his_heels(rules) * dealt and heels % max(his_heels(rules), 1) == 0
    yield f"handed-over.{who}", of(f"handed-over.{who}") <= of("games") * (rules.players - 1)
    for role in _ROLES:
        end = f"{who}.{role}"
        yield f"plays.{end}", of(f"plays.{end}") <= of(f"deals.{end}")
        yield f"hand.{end}", of(f"hand.{end}") <= _BEST_HAND * of(f"deals.{end}")
        yield f"play.{end}", of(f"play.{end}") <= _MOST_IN_PLAY * of(f"plays.{end}")


def _fits_times(contest: Contest, of: Of, who: str, what: str, kept: int) -> bool:
    """Return whether *kept* times are possible: a seat discards once a deal, and plays four cards at most."""
    hands = sum(of(f"deals.{who}.{role}") for role in _ROLES)
    most = hands + of("games") * contest.rules.players  # a game may end before its last deal's starter
    return hands <= kept <= most if what == "lay-away" else kept <= seats.HAND * most
