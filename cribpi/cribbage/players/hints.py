"""Hints for a person: the choice of `expert` with reasons, or that of `thrifty` if `expert` fails."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from random import Random
from typing import Final

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.fallback import reason
from cribpi.cribbage.players.opponent import Greedy

_FAILED: Final = ", because expert failed (see the log)"

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hinted:
    cards: tuple[Card, ...]
    words: str
    """The reason, in a sentence that names the cards."""
    brief: str = ""
    """The reason in at most 15 characters; may be empty."""


def hint(sight: SeatSight, chance: Random) -> Hinted:
    """Return a hint for the seat with *sight*: before the starter on the discard, then on a card to play.

    The hint comes from `expert`, with a seed from *chance*.  If `expert` fails, it comes from `thrifty` and
    says so.  In five-card cribbage, which `expert` does not play, it comes from `thrifty` without a note.
    """
    is_discard, seed = sight.starter is None, chance.getrandbits(64)
    if sight.rules.is_five_card:
        return simple_hint(sight, why="")
    try:
        return _discard_hint(sight) if is_discard else _playing(sight, seed)
    except Exception as failed:  # noqa: BLE001  whatever it is, the game goes on
        _LOG.warning("no hint from expert (%s): thrifty gives one instead", reason(failed))
        return simple_hint(sight)


def simple_hint(sight: SeatSight, why: str = _FAILED) -> Hinted:
    """Return a hint from `thrifty`.  Its text ends with *why*, the reason for not asking `expert`."""
    if sight.starter is None:
        return Hinted(
            Greedy().discard(sight),
            f"Discard these: the rest is worth most. The crib is not considered{why}",
        )
    card = Greedy().play(sight)
    said = f"Play the {card.rank.symbol}: it pegs the most now. Later cards are not considered{why}"
    return Hinted((card,), said)


def _discard_hint(sight: SeatSight) -> Hinted:
    from cribpi.cribbage.players.advice import advise  # noqa: PLC0415  NumPy and tables, for a hint that needs them

    best = advise(sight)[0]
    chance = "" if best.win is None else f". You win {best.win:.0%} from here"
    return Hinted(best.away, best.why + chance, f"hand {best.hand:.0f} crib {best.crib:+.0f}")


def _playing(sight: SeatSight, seed: int) -> Hinted:
    from cribpi.cribbage.players.advice import advise_card, card_worths  # noqa: PLC0415  NumPy and tables

    best, *others = advise_card(sight, card_worths(sight, seed=seed, with_points=False))
    win = best.worth.win
    if win is None or not others:
        return Hinted((best.card,), best.why)
    return Hinted((best.card,), best.why, f"wins {win:.0%}" if win < 0.995 else "wins")
