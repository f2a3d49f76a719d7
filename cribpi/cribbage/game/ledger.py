"""The ledger of a game: what each deal brought each side, by what it was for, and what was shown in it.

The engine writes it as it pegs, so that results, statistics and the page add up its figures and never work
them out from the events again.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from enum import StrEnum
from operator import add, sub

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.show import SuitClaim


class Purpose(StrEnum):
    """What points are for; each is a field of `Gains`."""

    PEGGING = "pegging"
    HAND = "hands"
    CRIB = "cribs"
    HEELS = "heels"
    MUGGINS = "muggins"
    """What another missed at a show, or gave away by a wrong call."""
    PENALTY = "penalties"
    """Given or taken away by a ruling: a penalty, a wrong go, a false claim, what another pegged too many."""
    CORRECTION = "corrections"
    """A score set right, whatever was wrong with it."""


@dataclass(frozen=True, slots=True)
class Gains:
    """How far one side's front peg has moved, in holes, by what for; penalties can make it go back."""

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
        """Add *holes* to what is for *purpose*.

        >>> Gains(pegging=3).plus(Purpose.PEGGING, 2)
        Gains(pegging=5, hands=0, cribs=0, heels=0, muggins=0, penalties=0, corrections=0)
        """
        return replace(self, **{purpose.value: getattr(self, purpose.value) + holes})


@dataclass(frozen=True, slots=True)
class Show:
    """A hand or a crib as it was shown: *points* is what it was worth, whatever its player counted.

    What is pegged by its amount alone is no show: nobody knows its cards.
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
    """What a deal brought, side by side; *dealer* is a seat, or None for what came before the first deal."""

    dealer: int | None
    gains: tuple[Gains, ...]
    shows: tuple[Show, ...] = ()
    void: tuple[Gains, ...] = ()
    """The part of *gains* that misdeals have left: the rulings of the deals that were void."""

    def played(self, side: int) -> Gains:
        """Return the points of *side* in the deal, without those that were void."""
        gains = self.gains[side]
        return Gains(*map(sub, astuple(gains), astuple(self.void[side]))) if self.void else gains


Ledger = tuple[DealGains, ...]
"""A row for each deal, by its number: row 0 is what came before the first."""


def booked(ledger: Ledger, deal: int, side: int, purpose: Purpose, holes: int) -> Ledger:
    """Return *ledger* with *holes* for *side* in *deal*."""
    row = ledger[deal]
    gains = (*row.gains[:side], row.gains[side].plus(purpose, holes), *row.gains[side + 1 :])
    return (*ledger[:deal], replace(row, gains=gains), *ledger[deal + 1 :])


def with_show(ledger: Ledger, show: Show) -> Ledger:
    """Return *ledger* with *show* in its deal."""
    row = ledger[show.deal]
    return (*ledger[: show.deal], replace(row, shows=(*row.shows, show)), *ledger[show.deal + 1 :])
