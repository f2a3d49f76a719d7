"""Points as JSON for the page and commands: counted hands, the end of a game, and players' statistics."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from itertools import accumulate
from typing import Any, Final

from cribpi.companion.entry.next_game import is_given
from cribpi.companion.web.json.state import cards_json
from cribpi.cribbage.game.cards import PACK, Card, check_possible, in_order
from cribpi.cribbage.game.ledger import Gains, Show
from cribpi.cribbage.game.show import Score, SuitClaim, score_claimed, total
from cribpi.cribbage.game.state import State
from cribpi.cribbage.results.games import AVERAGE_DEAL, best, course
from cribpi.cribbage.results.statistics import BestShow, InRole, Statistics, called, is_computer
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.words.call import call_show, steps
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.why import reason_of
from cribpi.cribbage.words.worth import points_of, worth_of


def count_json(
    cards: tuple[Card, ...], starter: Card | None, rules: Rules, *, is_crib: bool
) -> dict[str, object]:
    """Return the count of a hand's *cards* with *starter*; without one the mean over all that are left.

    Of fewer cards it is just them.

    Raises:
        RuleError: If no pack can hold the cards.
    """
    check_possible((*cards, *((starter,) if starter else ())))
    read: dict[str, object] = {
        "cards": cards_json(cards),
        "starter": str(starter) if starter else None,
        "crib": is_crib,
    }
    if len(cards) < rules.sizes.shown(is_crib=is_crib):
        return read
    is_strict = is_crib and rules.crib_flush == "five"
    if starter is None:
        found = [points_of(cards, card, is_strict=is_strict) for card in left(cards)]
        return read | {"mean": round(sum(found) / len(found), 2), "least": min(found), "most": max(found)}
    scores, may_be = worth_of(cards, starter, is_strict=is_strict)
    return read | {
        "points": total(scores),
        "call": call_show(scores),
        "may_be": may_be,
        "tally": tally(scores, rules, is_crib=is_crib),
    }


def left(cards: Sequence[Card]) -> list[Card]:
    """Return what is left of a pack without *cards*; one of unknown suit is any of its rank."""
    pack = list(PACK)
    for card in sorted(cards, key=lambda card: card.suit is None):
        pack.remove(next(filter(card.may_be, pack)))
    return pack


def tally(scores: tuple[Score, ...], rules: Rules, *, is_crib: bool) -> list[dict[str, Any]]:
    """Count aloud, a line a score, each with the total so far, and the rule that it rests on."""
    totals = accumulate(score.points for score in scores)
    lines = zip(steps(scores), scores, totals, strict=True)
    return [
        {
            "words": words,
            "cards": cards_json(in_order(score.cards)),
            "points": score.points,
            "total": so_far,
            "why": reason_of(score, rules, is_crib=is_crib).as_json(),
        }
        for words, score, so_far in lines
    ]


RESULTS: Final = 200
"""How many of a player's last results the page gets."""
_USUAL: Final = dict(zip(("dealer", "pone"), AVERAGE_DEAL, strict=True))


def result_json(state: State) -> dict[str, object] | None:
    """Return the summary of the game of *state*; None while it is not won."""
    if state.winner is None:
        return None
    found = best(state.shows)
    return {
        "sides": [
            gains_json(gains) | {"lead": lead} for gains, lead in zip(state.gains, state.leads, strict=True)
        ],
        "skunk": max(map(state.skunk, range(state.sides))),
        "course": list(map(list, course(state.ledger))),
        "best": {"side": found.side, **show_json(found, found.cards, found.starter, found.claim)}
        if found
        else None,
    }


def gains_json(gains: Gains) -> dict[str, int]:
    """Return *gains* by what they are for; `other` is penalties and corrections."""
    return {
        "pegging": gains.pegging,
        "hands": gains.hands,
        "cribs": gains.cribs,
        "heels": gains.heels,
        "muggins": gains.muggins,
        "other": gains.penalties + gains.corrections,
    }


def show_json(
    show: Show | BestShow, cards: tuple[Card, ...], starter: Card, claim: SuitClaim
) -> dict[str, object]:
    """Return a hand or crib with its count in words; *claim* is what its suits were worth."""
    return {
        "deal": show.deal,
        "points": show.points,
        "crib": show.is_crib,
        "cards": list(map(str, in_order(cards))),
        "starter": str(starter),
        "call": call_show(score_claimed(cards, starter, claim)),
    }


def players_json(found: Mapping[str, Statistics]) -> dict[str, object]:
    """Return a row for each player, who has played most first; no game is left to be counted later."""
    order = sorted(found.values(), key=lambda one: (-one.games, one.name))
    return {"players": [_row(one, found) for one in order], "usual": _USUAL, "pending": 0}


def _row(one: Statistics, players: Collection[str]) -> dict[str, object]:
    return {
        "name": one.name,
        "called": called(one.name, players),
        "person": is_given(one.name) and not is_computer(one.name),
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


def player_json(one: Statistics, players: Collection[str]) -> dict[str, object]:
    """Return all figures of one of the *players*.

    Averages are per complete deal of games of two, null without any; those of five-card are apart.
    """
    return _row(one, players) | {
        "longest_wins": one.longest_wins,
        "longest_losses": one.longest_losses,
        "dealer": _role(one.dealer),
        "pone": _role(one.pone),
        "five_card": dict(zip(_USUAL, map(_role, one.five_card), strict=True)),
        "usual": _USUAL,
        "points": gains_json(one.gains),
        "best": [
            {"game": game}
            | show_json(
                show,
                parse_cards(show.cards),
                Card.parse(show.starter),
                SuitClaim(show.flush, show.nobs),
            )
            for game, show in one.best
        ],
        "results": [
            {"game": played.game, "won": played.is_won, "margin": played.margin}
            for played in one.results[-RESULTS:]
        ],
        "against": [
            {"name": name, "called": called(name, players)} | asdict(row)
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
