"""Players' statistics as JSON, for the page and for `cribpi stats`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from cribpi.companion.web.json.result import gains_json, show_json
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.show import SuitClaim
from cribpi.cribbage.results.games import AVERAGE_DEAL
from cribpi.cribbage.results.statistics import BestShow, InRole, Statistics
from cribpi.cribbage.words.cards import parse_cards

RESULTS: Final = 200
"""How many of a player's last results the page gets."""


def players_json(found: Mapping[str, Statistics]) -> dict[str, object]:
    """Return a row for each player, who has played most first; no game is left to be counted later."""
    order = sorted(found.values(), key=lambda one: (-one.games, one.name))
    return {"players": [_row(one) for one in order], "usual": _usual(), "pending": 0}


def _usual() -> dict[str, float]:
    dealer, pone = AVERAGE_DEAL
    return {"dealer": dealer, "pone": pone}


def _row(one: Statistics) -> dict[str, object]:
    return {
        "name": one.name,
        "games": one.games,
        "wins": one.wins,
        "skunks": one.skunks,
        "double_skunks": one.double_skunks,
        "skunked": one.skunked,
        "double_skunked": one.double_skunked,
        "streak": one.streak,
        "dealer": _average(one.dealer, one.dealer.gains.total),
        "pone": _average(one.pone, one.pone.gains.total),
        "tenths": {"dealer": one.dealer.average, "pone": one.pone.average},
    }


def player_json(one: Statistics) -> dict[str, object]:
    """Return all figures of a player; averages are per complete deal of games of two, null without any."""
    return _row(one) | {
        "longest_wins": one.longest_wins,
        "longest_losses": one.longest_losses,
        "dealer": _role(one.dealer),
        "pone": _role(one.pone),
        "usual": _usual(),
        "points": gains_json(one.gains),
        "best": [best_json(game, show) for game, show in one.best],
        "results": [
            {"game": played.game, "won": played.is_won, "margin": played.margin}
            for played in one.results[-RESULTS:]
        ],
        "against": [
            {"name": name} | asdict(row)
            for name, row in sorted(one.against.items(), key=lambda each: (-each[1].games, each[0]))
        ],
        "pending": 0,
    }


def _role(role: InRole) -> dict[str, object]:
    gains = gains_json(role.gains)
    return {
        "deals": role.deals,
        "all": _average(role, role.gains.total),
        **{what: _average(role, points) for what, points in gains.items()},
        "tenths": {
            "all": role.average,
            **dict(zip(gains, role.averages(list(gains.values())), strict=True)),
        },
    }


def _average(role: InRole, points: int) -> float | None:
    average = role.a_deal(points)
    return None if average is None else round(average, 2)


def best_json(game: int, show: BestShow) -> dict[str, object]:
    """Return a hand or crib with its count in words."""
    cards, claim = parse_cards(show.cards), SuitClaim(show.flush, show.nobs)
    return {"game": game, **show_json(show, cards, Card.parse(show.starter), claim)}
