"""JSON types of reviews and practice."""

from typing import TypedDict

from cribpi.cribbage.review.decisions import Mark, Which
from cribpi.cribbage.words.json_types import Card, Seat, Side


class Decided(TypedDict):
    """An option of a decision."""

    cards: list[Card]
    mark: Mark
    lost: float
    """The loss compared to the best option, as a chance of winning; in points if no chance is known."""
    chance: float | None
    brings: float | None
    """The expected result of a plain game in which skunks count; null if it was not computed."""
    points: float
    hand: float
    crib: float
    play: float


class Position(TypedDict):
    """A decision as its player sees it."""

    which: Which
    players: int
    dealer: Seat
    scores: list[int]
    hand: list[Card]
    starter: Card | None
    before: list[Card]
    """The cards of earlier counts."""
    pile: list[Card]
    count: int
    options: list[Decided]
    """Best first."""


class Decision(Position):
    number: int
    """The step of the game that the decision made."""
    deal: int
    seat: Seat
    what: str
    mark: Mark
    lost: float
    lost_points: float
    words: str
    chosen: int
    """The index of the choice in `options`."""


class Reviewed(TypedDict):
    """A player in a review."""

    accuracy: float | None
    discards: float | None
    plays: float | None
    lost: float
    marks: dict[Mark, int]


class ReviewedDeal(TypedDict):
    deal: int
    dealer: Side
    before: float
    cards: float
    cut: float
    play: float
    count: float
    discards: list[float]
    plays: list[float]
    after: float
    known: bool


class Course(TypedDict):
    """The chance of side 0."""

    cut_for_deal: float
    luck: float
    count: float
    lost: list[float]
    deals: list[ReviewedDeal]


class PendingReview(TypedDict):
    pending: int
    """The number of deals that are still to be reviewed."""


class Review(PendingReview):
    """The review of a game."""

    names: list[str]
    sides: list[str]
    scores: list[int]
    winner: Side | None
    lacking: list[str]
    players: list[Reviewed]
    course: Course | None
    """Null with three players."""
    decisions: list[Decision]


class Mistake(Decision):
    """A mistake of a player, to practise."""

    game: int


class Mistakes(PendingReview):
    """Mistakes, worst first; none while deals are still to be reviewed."""

    mistakes: list[Mistake]
