"""What can happen at a table: a closed set of frozen events, in the past tense.

No clock and no chance is in them: a cut has already fallen when it becomes an event.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from cribpi.core.cards import Card
from cribpi.core.rules import STANDARD, Rules
from cribpi.core.scores import Kind
from cribpi.core.show import Claim


class Entry(StrEnum):
    """How a game is kept: card by card, or by the points that people peg."""

    CARDS = "cards"
    PEG = "peg"


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A new game began; all before it is over.

    *names* has one name a seat, 2 to 4; *dealer* is a seat, or None where the deal is cut for;
    *games* is the games that each side has won before, empty for none.
    """

    names: tuple[str, ...]
    rules: Rules = STANDARD
    entry: Entry = Entry.CARDS
    dealer: int | None = None
    games: tuple[int, ...] = ()


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
    """The starter was turned up; a jack is two for his heels to the dealer, at once."""

    card: Card


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
class HandShown:
    """*seat* showed its hand, which the play had made known, with what its suits are worth."""

    seat: int
    claim: Claim = field(default_factory=Claim)


@dataclass(frozen=True, slots=True)
class CribCardTurned:
    """A card of the crib was turned up."""

    card: Card


@dataclass(frozen=True, slots=True)
class CribShown:
    """The dealer showed the crib, and with that the deal passed to the left."""

    claim: Claim = field(default_factory=Claim)


@dataclass(frozen=True, slots=True)
class PointsPegged:
    """*side* pegged *points*, in a game kept by points; *kind* tells for what, where that is known."""

    side: int
    points: int
    kind: Kind | None = None


@dataclass(frozen=True, slots=True)
class HandCounted:
    """*seat*, whose show it was, had *cards* counted with *starter*, in a game kept by points."""

    seat: int
    cards: tuple[Card, ...]
    starter: Card
    claim: Claim = field(default_factory=Claim)


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


Event = (
    GameStarted
    | SeatsNamed
    | CardCut
    | DealerChosen
    | HandDealt
    | CardsLaidAway
    | StarterTurned
    | CardPlayed
    | GoSaid
    | NewCountLed
    | HandShown
    | CribCardTurned
    | CribShown
    | PointsPegged
    | HandCounted
    | StepPassed
    | PenaltyPegged
    | ScorePutRight
)
