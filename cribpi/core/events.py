"""What can happen at a table: a closed set of frozen events, in the past tense.

No clock and no chance is in them: a cut has already fallen when it becomes an event.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from cribpi.core.cards import Card
from cribpi.core.match import Tally
from cribpi.core.rules import STANDARD, Rules
from cribpi.core.scores import Kind
from cribpi.core.show import Claim


class Entry(StrEnum):
    """How a game is kept: card by card, by the points that people peg, or by the machine, which deals the
    cards.
    """

    CARDS = "cards"
    PEG = "peg"
    DEALT = "dealt"


PERSON: Final = "person"
"""How a record writes that no level of the machine sits in a seat; no level has that name."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A new game began; all before it is over.

    *names* has one name a seat, as many as *rules* have players; *dealer* is a seat, or None where it
    is to be found; *tally* is what each side has won before in this match, empty for nothing.  *levels* is
    for a game that the machine deals: a row a seat, empty for a person, else the machine's level that sits
    there; without any, all are persons.
    """

    names: tuple[str, ...]
    rules: Rules = STANDARD
    entry: Entry = Entry.CARDS
    dealer: int | None = None
    tally: tuple[Tally, ...] = ()
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatsNamed:
    """The seats got other names."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardCut:
    """*seat* cut *card* for the deal; the lowest deals, and the tied cut again."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class DealerChosen:
    """*seat* was chosen to deal first."""

    seat: int


@dataclass(frozen=True, slots=True)
class PackShuffled:
    """The machine shuffled the pack, and dealt: *cards* is the whole pack from the top, as it then lay."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HandDealt:
    """*seat* was dealt *cards*, where that is known: six, or five with three or four seats."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsLaidAway:
    """*seat* laid away *cards* to the crib, where they are known."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class StarterTurned:
    """The starter was turned up; a jack is his heels, for the dealer, at once."""

    card: Card


@dataclass(frozen=True, slots=True)
class HeelsTaken:
    """The dealer took his heels, where the rules leave it to him to take them in time."""


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """*seat*, whose turn it was, played *card*."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class GoSaid:
    """*seat*, whose turn it was, said go."""

    seat: int


@dataclass(frozen=True, slots=True)
class NewCountLed:
    """All who could still play said go, and *seat*, whose lead it then was, led *card*.

    One event for what one press tells: a card that would have passed thirty-one.
    """

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class HandCardTurned:
    """*seat*, whose show it is, turned up *card*, which it had not played."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class HandShown:
    """*seat* showed its hand, with what its suits are worth.

    *points* is what the player counted, by rules that leave it to players; None where the machine counts.
    """

    seat: int
    claim: Claim = field(default_factory=Claim)
    points: int | None = None


@dataclass(frozen=True, slots=True)
class CribCardTurned:
    """A card of the crib was turned up."""

    card: Card


@dataclass(frozen=True, slots=True)
class CribShown:
    """The dealer showed the crib, and with that the deal passed to the left; *points* as in `HandShown`."""

    claim: Claim = field(default_factory=Claim)
    points: int | None = None


@dataclass(frozen=True, slots=True)
class PointsPegged:
    """*side* pegged *points*, in a game kept by points; *kind* tells for what, where that is known."""

    side: int
    points: int
    kind: Kind | None = None


@dataclass(frozen=True, slots=True)
class HandCounted:
    """*seat*, whose show it was, had *cards* counted with *starter*, in a game kept by points.

    *points* is what the player had counted, as in `HandShown`.
    """

    seat: int
    cards: tuple[Card, ...]
    starter: Card
    claim: Claim = field(default_factory=Claim)
    points: int | None = None


@dataclass(frozen=True, slots=True)
class StepPassed:
    """The deal went on to its next step, in a game kept by points."""


@dataclass(frozen=True, slots=True)
class PenaltyPegged:
    """*side* was given *points*, or lost them where they are negative, by a ruling of the table."""

    side: int
    points: int


@dataclass(frozen=True, slots=True)
class ScorePutRight:
    """The front peg of *side* was moved to *score*."""

    side: int
    score: int


@dataclass(frozen=True, slots=True)
class Misdealt:
    """The deal was a misdeal: what it pegged is retracted, and the same dealer deals again."""


@dataclass(frozen=True, slots=True)
class MugginsCalled:
    """*side* called muggins for *points* that side *of* had missed; *is_right* tells whether it had."""

    side: int
    of: int
    points: int
    is_right: bool = True


@dataclass(frozen=True, slots=True)
class RenegeRuled:
    """For the first wrong go of *seat* that was not ruled on, *points* went to each other side; 0: let go."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class FalseWinRuled:
    """*side* had claimed the game falsely: its true score is *score*, and the game goes on."""

    side: int
    score: int


Event = (
    GameStarted
    | SeatsNamed
    | CardCut
    | DealerChosen
    | PackShuffled
    | HandDealt
    | CardsLaidAway
    | StarterTurned
    | HeelsTaken
    | CardPlayed
    | GoSaid
    | NewCountLed
    | HandCardTurned
    | HandShown
    | CribCardTurned
    | CribShown
    | PointsPegged
    | HandCounted
    | StepPassed
    | PenaltyPegged
    | ScorePutRight
    | Misdealt
    | MugginsCalled
    | RenegeRuled
    | FalseWinRuled
)
