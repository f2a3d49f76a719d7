"""Hints for a person: what `expert` would do in that seat, and why; thrifty's choice if expert fails."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from random import Random
from typing import Final

from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight
from cribpi.opponents.fallback import reason
from cribpi.opponents.greedy import Greedy

_FAILED: Final = "as expert failed: the log says why"

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hinted:
    cards: tuple[Card, ...]
    """The discard, or the one card to play."""
    words: str
    """Why, in a sentence that names the cards."""
    brief: str = ""
    """The same in at most 15 characters; may be empty."""


def hint(sight: SeatSight, chance: Random) -> Hinted:
    """Return a hint for the seat that has *sight*: on the discard while it holds more than four cards.

    It is what an expert seeded from *chance* would do; one number is drawn.  If the expert fails, the hint is
    the simplest there is and says so, so that nobody is kept from playing.
    """
    is_discard, seed = sight.starter is None, chance.getrandbits(64)
    try:
        return _discard_hint(sight) if is_discard else _playing(sight, seed)
    except Exception as failed:  # noqa: BLE001  whatever it is, the game goes on
        _LOG.warning("expert can give no hint (%s): thrifty gives it", reason(failed))
        return simple_hint(sight)


def simple_hint(sight: SeatSight) -> Hinted:
    """Return thrifty's hint, which says that expert has failed."""
    if sight.starter is None:
        return Hinted(
            Greedy().discard(sight),
            f"these are worth most in the hand; the crib is not considered, {_FAILED}",
        )
    return Hinted(
        (Greedy().play(sight),), f"this pegs most now; what may follow is not considered, {_FAILED}"
    )


def _discard_hint(sight: SeatSight) -> Hinted:
    from cribpi.opponents.advice import advise  # noqa: PLC0415  NumPy and tables, for a hint that needs them

    best = advise(sight)[0]
    chance = "" if best.win is None else f". You win {best.win:.0%} from here"
    return Hinted(best.away, best.why + chance, f"hand {best.hand:.0f} crib {best.crib:+.0f}")


def _playing(sight: SeatSight, seed: int) -> Hinted:
    from cribpi.opponents.expert import aim, card_values  # noqa: PLC0415  as above

    utility = aim(sight)
    values = card_values(sight, utility=utility, seed=seed)
    if not values:
        raise LookupError("no hand of the others fits what was seen")
    (card, best), *others = values
    if not others:
        return Hinted((card,), f"only the {card.rank.symbol} fits")
    after, second = others[0]
    if utility is None:
        return Hinted(
            (card,),
            f"the {card.rank.symbol} brings {best - second:.1f} points more than the {after.rank.symbol}",
        )
    said = (
        f"with the {card.rank.symbol} you win {best:.1%} from here, with the {after.rank.symbol} {second:.1%}"
    )
    return Hinted((card,), said, f"wins {best:.0%}" if best < 0.995 else "wins")
