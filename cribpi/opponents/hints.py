"""Hints for a person: what `expert` would do in that seat, and why; thrifty's choice if expert fails."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from random import Random
from typing import Final

from cribpi.core.cards import Card
from cribpi.core.play import score_play
from cribpi.core.scores import total
from cribpi.core.sight import SeatSight
from cribpi.core.words import call_play
from cribpi.opponents.fallback import reason
from cribpi.opponents.greedy import Greedy

LEAST: Final = 0.05
"""Points that a decimal still shows."""
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
            f"Discard these: the rest is worth most. The crib is not considered, {_FAILED}",
        )
    card = Greedy().play(sight)
    said = f"Play the {card.rank.symbol}: it pegs most now. What may follow is not considered, {_FAILED}"
    return Hinted((card,), said)


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
    play = f"Play the {card.rank.symbol}"
    if not others:
        return Hinted((card,), f"{play}: nothing else fits")
    after, second = others[0]
    said = play + _pegged(sight, card, after)
    if utility is None:
        return Hinted((card,), f"{said}. It brings {_more(best - second)} the {after.rank.symbol}")
    chances = _chances(f"{best:.1%}", f"{second:.1%}", after)
    return Hinted((card,), f"{said}. {chances}", f"wins {best:.0%}" if best < 0.995 else "wins")


def _pegged(sight: SeatSight, card: Card, after: Card) -> str:
    """Say what *card* pegs at once; where *after*, the next best, pegs more, say that."""
    now, other = (score_play((*sight.pile, one)) for one in (card, after))
    if total(other) > total(now):
        return f", though the {after.rank.symbol} would peg {total(other)} now"
    return f": {call_play(now, sight.count)}" if now else ""


def _chances(best: str, second: str, after: Card) -> str:
    other = f"as with the {after.rank.symbol}" if second == best else f"{second} with the {after.rank.symbol}"
    return f"You win {best} from here, {other}"


def _more(points: float) -> str:
    return f"{points:.1f} points more than" if points >= LEAST else "as many points as"
