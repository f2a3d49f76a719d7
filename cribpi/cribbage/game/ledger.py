"""The ledger of a game: each side's points in each deal, by purpose, and the hands and cribs shown.

Every step of the game updates it. Results, statistics and the page only add up its numbers, and never compute
them again from the events.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from enum import StrEnum
from operator import add, sub

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.show import SuitClaim


class Purpose(StrEnum):
    """Purpose of points. Each value is the name of a field of `Gains`."""

    PEGGING = "pegging"
    HAND = "hands"
    CRIB = "cribs"
    HEELS = "heels"
    MUGGINS = "muggins"
    """Points that another side missed at a show.

    After a wrong call, also the points for the side called on.
    """
    PENALTY = "penalties"
    """Points by a ruling: a penalty, a wrong go, a false claim, or another side's excess points."""
    CORRECTION = "corrections"
    """Correction of a score, for any reason."""


@dataclass(frozen=True, slots=True)
class Gains:
    """Holes that a side's front peg has moved, by what the points were for; negative if backward."""

    pegging: int = 0
    hands: int = 0
    cribs: int = 0
    heels: int = 0
    muggins: int = 0
    penalties: int = 0
    corrections: int = 0

    @property
    def total(self) -> int:
        return sum(astuple(self))

    def __add__(self, more: Gains) -> Gains:
        return Gains(*map(add, astuple(self), astuple(more)))

    def plus(self, purpose: Purpose, holes: int) -> Gains:
        """Return these gains with *holes* added for *purpose*.

        >>> Gains(pegging=3).plus(Purpose.PEGGING, 2)
        Gains(pegging=5, hands=0, cribs=0, heels=0, muggins=0, penalties=0, corrections=0)
        """
        return replace(self, **{purpose.value: getattr(self, purpose.value) + holes})


@dataclass(frozen=True, slots=True)
class Show:
    """A hand or crib that was shown. *points* is its true value, whatever the player counted.

    A hand entered only as an amount is not a `Show`, because its cards are unknown.
    """

    deal: int
    seat: int
    side: int
    points: int
    is_crib: bool
    cards: tuple[Card, ...]
    starter: Card
    claim: SuitClaim


@dataclass(frozen=True, slots=True)
class DealGains:
    """The gains of each side in a deal. *dealer* is a seat, or None in the row before the first deal."""

    dealer: int | None
    gains: tuple[Gains, ...]
    shows: tuple[Show, ...] = ()
    void: tuple[Gains, ...] = ()
    """The part of *gains* from rulings in misdeals. These rulings stay valid although the deals do not."""

    def played(self, side: int) -> Gains:
        """Return the gains of *side* in the deal itself, without those in *void*."""
        gains = self.gains[side]
        return Gains(*map(sub, astuple(gains), astuple(self.void[side]))) if self.void else gains


Ledger = tuple[DealGains, ...]
"""A row per deal, indexed by the deal's number. Row 0 has the gains before the first deal."""


def with_points(ledger: Ledger, deal: int, side: int, purpose: Purpose, holes: int) -> Ledger:
    row = ledger[deal]
    gains = (*row.gains[:side], row.gains[side].plus(purpose, holes), *row.gains[side + 1 :])
    return (*ledger[:deal], replace(row, gains=gains), *ledger[deal + 1 :])


def with_show(ledger: Ledger, show: Show) -> Ledger:
    row = ledger[show.deal]
    return (*ledger[: show.deal], replace(row, shows=(*row.shows, show)), *ledger[show.deal + 1 :])
