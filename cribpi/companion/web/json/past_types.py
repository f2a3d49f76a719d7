"""JSON types of past games, statistics, and hands to count or to practise."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypedDict

from cribpi.companion.web.json.table_types import (
    CountedShow,
    Felt,
    Gain,
    Light,
    Result,
    SeatName,
    ShownGains,
    Skunk,
    State,
    TableOf,
    Tallied,
)
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.results.json_types import GameSummary, SideScore
from cribpi.cribbage.review.json_types import Course, PendingReview, Position, Review, Reviewed
from cribpi.cribbage.words.json_types import Card, Seat, Side

# --- past games and statistics ---


class ReviewedPlayer(Reviewed):
    words: list[str]
    """The accuracy, that of discards and pegging, and the number of mistakes; empty without decisions."""


class ReviewedCourse(Course):
    words: list[str]
    """The course in sentences, for each side."""


class PastReview(Review):
    """The review of a past game."""

    players: list[ReviewedPlayer]  # type: ignore[misc]
    course: ReviewedCourse | None  # type: ignore[misc]


GameReview: TypeAlias = PastReview | PendingReview


class Accuracy(TypedDict):
    accuracy: float | None
    mistakes: int


class Ended(TypedDict):
    """The result of a game in words.

    If only one person played, it addresses that person. Otherwise it is about the winner.
    """

    won: bool | None
    """Whether the only person won; null without one."""
    winner: str
    """The winner before `text`; empty if that is about the only person."""
    text: str
    sentence: str


class PastWords(TypedDict):
    """A past game in words.  Computers go by their level, and the only person is addressed."""

    own: Seat | None
    """The seat of the only person, who is called "You"."""
    called: list[str]
    """The name of each seat."""
    sides_called: list[str]
    whom: str
    """The person's opponents, or else all players."""
    mode: str
    ended: Ended | None
    """Null while the game is not over."""
    final: str
    """The scores, the person's own or else the winner's first."""


class PastRow(GameSummary, PastWords):
    """A row of the list of games."""

    game: int
    begun: str
    players: list[str]
    """The names under which the game counts."""
    levels: list[str | None]
    """The computer's name in each seat; null for a person."""
    reviewed: list[Accuracy] | None
    """A summary of the review of each seat; null without a review."""
    accuracy: str
    """The accuracy of the only person, or of each person; empty without any."""
    mistakes: str
    """The number of the only person's mistakes; empty without a review."""
    reviewable: bool
    skunk: Skunk
    hidden: bool
    """Whether the game can't be opened until it is won."""


class UnreadableRow(TypedDict):
    """A game that can't be read."""

    game: int
    begun: str
    players: list[str]
    error: str


class PastGames(TypedDict):
    games: list[PastRow | UnreadableRow]
    next: int | None
    """The `before` of the next request."""
    all: int
    """The number of the last game."""
    pending: int


class PastLine(TypedDict):
    step: int
    """The number of the step, from 1."""
    deal: int
    text: str
    pegged: list[Gain]


class OpenedGame(PastWords):
    game: int
    begun: str
    rules: str
    house: Mapping[str, str]
    target: int
    entry: Entry
    seats: list[SeatName]
    levels: list[str | None]
    """The computer's name in each seat; null for a person."""
    sides: list[SideScore]
    winner: Side | None
    skunk: Skunk
    reviewable: bool
    result: Result | None
    lines: list[PastLine]


class PastGame(OpenedGame):
    removed: bool
    """Whether lists and statistics leave the game out."""


class StepTable(TypedDict):
    game: int
    step: int
    steps: int
    text: str
    state: State
    table: TableOf
    felt: Felt | None
    hands: list[list[Card]]
    crib: list[Card]


class PastStep(StepTable):
    """The table after a step of a game."""

    lit: list[Light]


class RoleAverages(TypedDict):
    """Points a deal as dealer and pone; null without a deal."""

    dealer: float | None
    pone: float | None


class Usual(TypedDict):
    dealer: float
    pone: float


class PlayerTotals(TypedDict):
    name: str
    called: str
    """The name on the page."""
    person: bool
    """Whether a person gave the name."""
    games: int
    wins: int
    skunks: int
    double_skunks: int
    skunked: int
    double_skunked: int
    streak: int
    """Games won in a row; lost ones are below 0."""
    tenths: RoleAverages


class PlayerRow(PlayerTotals, RoleAverages):
    pass


class Players(TypedDict):
    players: list[PlayerRow]
    usual: Usual
    pending: int


class Averages(TypedDict):
    """Averages of a deal; null without one."""

    all: float | None
    pegging: float | None
    hands: float | None
    cribs: float | None
    heels: float | None
    muggins: float | None
    other: float | None


class InRole(Averages):
    deals: int
    tenths: Averages


class BothRoles(TypedDict):
    dealer: InRole
    pone: InRole


class BestShow(CountedShow):
    game: int


class PlayedResult(TypedDict):
    game: int
    won: bool
    margin: int


class Against(TypedDict):
    """The results against one opponent."""

    name: str
    called: str
    games: int
    wins: int
    skunks: int
    skunked: int
    spread: int


class ReviewedGame(TypedDict):
    game: int
    accuracy: float


class PlayerStatistics(PlayerTotals, BothRoles):
    longest_wins: int
    longest_losses: int
    five_card: BothRoles
    usual: Usual
    points: ShownGains
    best: list[BestShow]
    results: list[PlayedResult]
    against: list[Against]
    pending: int


class Player(PlayerStatistics):
    """The statistics of a player."""

    accuracies: list[ReviewedGame]
    """The accuracy in the last reviewed games, oldest first."""


# --- counting a hand ---


class CountedHand(TypedDict):
    cards: list[Card]
    starter: Card | None
    crib: bool


class CountedMean(CountedHand):
    """The mean, least and greatest count of a hand over all possible starters."""

    mean: float
    least: int
    most: int


class CountedPoints(CountedHand):
    points: int
    call: str
    may_be: Sequence[int]
    """The other possible values, if a suit is unknown."""
    tally: list[Tallied]


Counted: TypeAlias = CountedPoints | CountedMean | CountedHand
"""The count of a hand; a hand that is too short has none."""


Practice: TypeAlias = Position | Counted
"""A question to practise: a decision, or a hand to count."""
