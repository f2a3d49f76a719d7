"""The events at a table: a closed set, frozen, named in the past tense.

They contain no clock and no randomness: a cut has already happened when it becomes an event.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.match import Tally
from cribpi.cribbage.game.show import Kind, SuitClaim
from cribpi.cribbage.rules.rules import STANDARD, Rules


class Entry(StrEnum):
    """The mode of a game: cards entered one by one, points only, or dealt by the computer."""

    CARDS = "cards"
    PEG = "peg"
    DEALT = "dealt"


LONGEST_NIGHT: Final = 80
"""Maximum length of a club night's name, in characters."""

MOST_ROUNDS: Final = 99

PERSON: Final[str] = ""
"""The level of a seat with a person."""
PERSON_WORD: Final = "person"
"""The word for a person's level in records; no level of the computer has that name."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A new game began, which ends any game before it.

    *names* has one name per seat, as many as *rules* have players.  *dealer* is a seat, or None if the dealer
    is not settled yet.  *tally* is each side's wins in this match before the game, empty for none.  *levels*
    is for a game dealt by the computer: per seat the computer's level, or empty for a person; if it is empty,
    all are persons.  *night* and *round* identify a club's pairing, if the game was started for one; else
    they are empty and 0.
    """

    names: tuple[str, ...]
    rules: Rules = STANDARD
    entry: Entry = Entry.CARDS
    dealer: int | None = None
    tally: tuple[Tally, ...] = ()
    levels: tuple[str, ...] = ()
    night: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class SeatsNamed:
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardCut:
    """*seat* cut *card* for the deal; the lowest deals, and ties cut again."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class DealerChosen:
    """*seat* was chosen to deal first."""

    seat: int


@dataclass(frozen=True, slots=True)
class PackShuffled:
    """The computer shuffled and dealt; *cards* is the whole pack from the top, before the deal."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HandDealt:
    """*seat* was dealt *cards*, if they are known: six, or five with three or four seats."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Discarded:
    """*seat* discarded *cards* to the crib; recorded only if they are known."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class StarterTurned:
    """The starter was turned up; a jack is his heels for the dealer, at once."""

    card: Card


@dataclass(frozen=True, slots=True)
class HeelsTaken:
    """The dealer took his heels, if the rules leave it to the dealer to take them in time."""


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
    """All seats still in the count said go, and *seat*, which then had the lead, led *card*.

    It is a single event because it comes from a single key press: a card past thirty-one.
    """

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class HandCardTurned:
    """*seat*, which shows next, turned up *card*, which it had not played."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class HandShown:
    """*seat* showed its hand; *claim* is the points for its suits.

    *points* is the player's own count if the rules leave it to players; None if the computer counts.
    """

    seat: int
    claim: SuitClaim = field(default_factory=SuitClaim)
    points: int | None = None


@dataclass(frozen=True, slots=True)
class CribCardTurned:
    """A card of the crib was turned up."""

    card: Card


@dataclass(frozen=True, slots=True)
class CribShown:
    """The dealer showed the crib, and the deal passed to the left.  The fields are those of `HandShown`."""

    claim: SuitClaim = field(default_factory=SuitClaim)
    points: int | None = None


@dataclass(frozen=True, slots=True)
class PointsPegged:
    """*side* pegged *points* in points mode; *kind* is the kind of score, if it is known."""

    side: int
    points: int
    kind: Kind | None = None
    is_earlier: bool = field(default=False, kw_only=True)
    """Whether an older cribpi, with any amount up to 15 for a card, accepted it; never in a record."""


@dataclass(frozen=True, slots=True)
class HandCounted:
    """*seat*, which shows next, had *cards* counted with *starter*, in points mode.

    *claim* and *points* are those of `HandShown`.
    """

    seat: int
    cards: tuple[Card, ...]
    starter: Card
    claim: SuitClaim = field(default_factory=SuitClaim)
    points: int | None = None


@dataclass(frozen=True, slots=True)
class StepPassed:
    """The deal moved on to its next step, in points mode."""


@dataclass(frozen=True, slots=True)
class PenaltyPegged:
    """By a ruling of the table, *side* gained *points*, or lost them if negative."""

    side: int
    points: int


@dataclass(frozen=True, slots=True)
class ScorePutRight:
    """The front peg of *side* was moved to *score*."""

    side: int
    score: int


@dataclass(frozen=True, slots=True)
class Misdealt:
    """The deal was a misdeal: its points are retracted, and the same dealer deals again."""


@dataclass(frozen=True, slots=True)
class MugginsCalled:
    """*side* called muggins for *points* missed by side *of*; *is_right* is whether the call was right."""

    side: int
    of: int
    points: int
    is_right: bool = True


@dataclass(frozen=True, slots=True)
class RenegeRuled:
    """For *seat*'s first wrong go not yet ruled on, each other side got *points*, 0 for no penalty."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class FalseWinRuled:
    """*side* had falsely claimed the game: its true score is *score*, and the game continues."""

    side: int
    score: int


Opening = GameStarted | SeatsNamed | CardCut | DealerChosen
Dealing = PackShuffled | HandDealt | Discarded | StarterTurned | HeelsTaken
Playing = CardPlayed | GoSaid | NewCountLed
Showing = HandCardTurned | HandShown | CribCardTurned | CribShown
ByPoints = PointsPegged | HandCounted | StepPassed
Correction = PenaltyPegged | ScorePutRight | Misdealt | MugginsCalled | RenegeRuled | FalseWinRuled

Event = Opening | Dealing | Playing | Showing | ByPoints | Correction
