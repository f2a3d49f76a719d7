"""The end of a game as JSON for the page: where each side's points came from, best hand, course."""

from __future__ import annotations

from cribpi.cribbage.game.cards import Card, in_order
from cribpi.cribbage.game.ledger import Gains, Show
from cribpi.cribbage.game.show import SuitClaim, score_claimed
from cribpi.cribbage.game.state import State
from cribpi.cribbage.results.games import best, course
from cribpi.cribbage.results.statistics import BestShow
from cribpi.cribbage.words.call import call_show


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
