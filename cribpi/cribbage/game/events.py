"""The events of a game: a closed set of frozen dataclasses, named in the past tense.

Events contain no time and no randomness: a cut, for example, becomes an event after it has happened.
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
    """Entry mode of a game: players enter cards, players enter points, or the computer deals."""

    CARDS = "cards"
    PEG = "peg"
    DEALT = "dealt"


LONGEST_NIGHT: Final = 80
"""Maximum length of a club night's name, in characters."""

MOST_ROUNDS: Final = 99

PERSON: Final[str] = ""
"""Level of a seat in which a person plays."""
PERSON_WORD: Final = "person"
"""Word for that level in records. No level of the computer has this name."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A new game began. Any game before it ended.

    *names* has one name per seat. *dealer* is a seat, or None if the dealer is not settled yet. *tally* is
    each side's results in the match before this game; empty means none.

    *levels* is only for games that the computer deals. It has the computer's level for each seat, "" for a
    person. If it is empty, all players are persons.

    *night* and *round* identify a club's pairing. Without one, they are "" and 0.
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
    """*seat* cut *card* for the deal. The lowest card deals; tied seats cut again."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class DealerChosen:
    """*seat* was chosen to deal first."""

    seat: int


@dataclass(frozen=True, slots=True)
class PackShuffled:
    """The computer shuffled and dealt. *cards* is the whole pack before the deal, top card first."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HandDealt:
    """*seat* was dealt *cards*: six with two players, otherwise five.

    Recorded only if the cards are known.
    """

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Discarded:
    """*seat* discarded *cards* to the crib. Recorded only if the cards are known."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class StarterTurned:
    """The starter was turned up.

    For a jack, the dealer pegs his heels at once, unless the rules set a deadline.
    """

    card: Card


@dataclass(frozen=True, slots=True)
class HeelsTaken:
    """The dealer took his heels in time. Only rules with a deadline have this event."""


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """*seat* played *card*."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class GoSaid:
    """*seat* said go."""

    seat: int


@dataclass(frozen=True, slots=True)
class NewCountLed:
    """All seats still in the count said go. *seat*, which then had the lead, led *card*.

    This is a single event because a single key press causes it: a card that would pass thirty-one.
    """

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class HandCardTurned:
    """*seat*, which shows next, turned up *card*, an unplayed card."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class HandShown:
    """*seat* showed its hand. *claim* has the points that depend on suits.

    *points* is the player's own count if the rules make players count, otherwise None.
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
    """The dealer showed the crib. The deal then passes to the left.

    The fields are those of `HandShown`.
    """

    claim: SuitClaim = field(default_factory=SuitClaim)
    points: int | None = None


@dataclass(frozen=True, slots=True)
class PointsPegged:
    """*side* pegged *points* in points mode. *kind* is the kind of score, if known."""

    side: int
    points: int
    kind: Kind | None = None
    is_earlier: bool = field(default=False, kw_only=True)
    """Whether the journal of an older version has this event. It allowed any amount up to 15.

    Never set by records.
    """


@dataclass(frozen=True, slots=True)
class HandCounted:
    """In points mode, *cards* of *seat*, which shows next, were counted with *starter*.

    *claim* and *points* are those of `HandShown`.
    """

    seat: int
    cards: tuple[Card, ...]
    starter: Card
    claim: SuitClaim = field(default_factory=SuitClaim)
    points: int | None = None


@dataclass(frozen=True, slots=True)
class StepPassed:
    """In points mode, the deal moved on to its next step."""


@dataclass(frozen=True, slots=True)
class PenaltyPegged:
    """The players ruled that *side* gains *points*. A negative number is a loss."""

    side: int
    points: int


@dataclass(frozen=True, slots=True)
class ScorePutRight:
    """The front peg of *side* was moved to *score*."""

    side: int
    score: int


@dataclass(frozen=True, slots=True)
class Misdealt:
    """A misdeal was called: the points of this deal are cancelled, and the same dealer deals again."""


@dataclass(frozen=True, slots=True)
class MugginsCalled:
    """*side* called muggins on side *of* for *points* missed. *is_right* tells whether the call was right."""

    side: int
    of: int
    points: int
    is_right: bool = True


@dataclass(frozen=True, slots=True)
class RenegeRuled:
    """The players ruled on the first open wrong go of *seat*.

    Each other side gets *points*, which may be 0.
    """

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class FalseWinRuled:
    """*side* had claimed a game that it had not won. Its true score is *score*, and the game continues."""

    side: int
    score: int


Opening = GameStarted | SeatsNamed | CardCut | DealerChosen
Dealing = PackShuffled | HandDealt | Discarded | StarterTurned | HeelsTaken
Playing = CardPlayed | GoSaid | NewCountLed
Showing = HandCardTurned | HandShown | CribCardTurned | CribShown
ByPoints = PointsPegged | HandCounted | StepPassed
Correction = PenaltyPegged | ScorePutRight | Misdealt | MugginsCalled | RenegeRuled | FalseWinRuled

Event = Opening | Dealing | Playing | Showing | ByPoints | Correction
