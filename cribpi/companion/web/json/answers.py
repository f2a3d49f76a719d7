"""JSON types of the HTTP API, from which its schemas, its reference and the page's types are generated."""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict

from cribpi.companion.entry.phones import Role
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase as GamePhase
from cribpi.cribbage.results.json_types import GameSummary, SideScore
from cribpi.cribbage.review.json_types import Course, PendingReview, Position, Review, Reviewed
from cribpi.cribbage.rules.json_types import Reason
from cribpi.cribbage.words.json_types import Card, Score, Seat, Side
from cribpi.cribbage.words.speech import Sound

Key: TypeAlias = str
"""The name of a key, such as `7`, `GO` or `hold:UNDO`, or a card such as `7H`."""
Phase: TypeAlias = GamePhase | Literal["new-game"]

# --- the state: GET /api/state, and the event `state` ---


class SeatName(TypedDict):
    name: str
    side: Side
    level: str | None
    """The computer's level; null for a person."""


class SeatState(SeatName):
    cards_left: int


class SideState(TypedDict):
    name: str
    said: str
    """The name within a sentence: partners as "Ann and Cid"."""
    front: int
    back: int
    games: int
    points: int
    skunks: int
    spread: int


class Match(TypedDict):
    kind: str
    """`open`, `first-to-N` or `best-of-N`."""
    winners: list[Side]
    text: str
    """The match and its winner."""


class Outcome(TypedDict):
    side: Side
    points: int
    call: str
    scores: list[Score]
    claimed: int | None
    """The player's own count, if players count for themselves."""
    why: list[Reason]


class State(TypedDict):
    """The table.  It contains public cards only."""

    seq: int
    """A number that grows with each change of the game."""
    phase: Phase
    rules: str
    house: Mapping[str, str]
    """The options that differ from the preset `rules`."""
    target: int
    entry: Entry
    seats: list[SeatState]
    sides: list[SideState]
    match: Match
    dealer: Seat | None
    turn: Seat | None
    starter: Card | None
    count: int
    pile: list[Card]
    last: Outcome | None
    automatic: list[Reason]
    prompt: str
    question: str | None
    message: str | None
    winner: Side | None
    can_undo: bool
    can_redo: bool


# --- what only the page shows: GET /api/page, and the event `page` ---


class Choice(TypedDict):
    key: Key
    name: str
    """The key's name on this kit."""
    label: str
    short: str
    """A label of at most 17 characters."""
    likely: bool
    takes_suit: bool
    """Whether the rank may be pressed with a suit, as `7H`."""
    side: Side | None
    """The side whose points it pegs or corrects."""


class CountedPlay(TypedDict):
    card: Card
    seat: Seat
    pips: int


class SuitClaim(TypedDict):
    says: str
    is_on: bool
    presses: int
    """The number of presses of FLNB that change it."""


class TableOf(TypedDict):
    """The table and the open dialog."""

    asks: str
    """The prompt, without keys."""
    dialog: str | None
    line: int | None
    """The index of the dialog's selected line."""
    why: list[Reason]
    """The rules behind the last event, if the dialog shows them."""
    by_itself: bool
    """Whether the next step needs no key."""
    deal: int | None
    """The number of the deal, from 1."""
    levels: list[str | None]
    """The computer's name in each seat; null for a person."""
    counts: list[list[CountedPlay]]
    """The cards played in this deal, count by count."""
    shown: list[Card]
    """The known cards of the hand or crib being counted, with real cards."""
    size: int
    """The number of cards in that hand or crib."""
    suits: list[SuitClaim]
    """The points that a flush or his nobs may add to it."""


class Pairing(TypedDict):
    """The game of a club night that OK starts."""

    night: str
    round: int
    games: int
    board: int
    players: Sequence[str]
    rules: str


class ShownGains(TypedDict):
    pegging: int
    hands: int
    cribs: int
    heels: int
    muggins: int
    other: int
    """Penalties and corrections."""


class SideResult(ShownGains):
    text: str
    """The result for this side's own players, as "You lose by 12"."""
    lead: int
    """The side's longest lead."""


class CountedShow(TypedDict):
    deal: int
    points: int
    crib: bool
    cards: list[Card]
    starter: Card
    call: str


class SideShow(CountedShow):
    side: Side
    text: str
    """The show's points, owner and deal."""


Skunk: TypeAlias = Literal[0, 1, 2]


class Result(TypedDict):
    """The summary of a finished game."""

    text: str
    """The winner and the margin, as "Ann wins by 12, a skunk"."""

    sides: list[SideResult]
    skunk: Skunk
    """1 if a side was skunked, 2 for a double skunk."""
    course: list[list[int]]
    """The scores after each deal."""
    best: SideShow | None


class Gain(TypedDict):
    side: Side
    points: int


class LogLine(TypedDict):
    seq: int
    """The number of the event in the game."""
    deal: int | None
    """The number of the deal; null before the first."""
    side: Side | None
    points: int
    pegged: list[Gain]
    text: str
    announced: str
    """Whole sentences for a screen reader, with cards in words."""
    said: str
    """The text to speak; empty for none."""
    sound: Sound | None
    scores: list[Score]
    why: list[Reason]


class Hint(TypedDict):
    words: str | None
    """Null while the hint is being computed."""
    cards: list[Card]


class Hand(TypedDict):
    """The hand that is open for its holder."""

    seat: Seat
    cards: list[Card]
    chosen: list[Card]
    playable: list[Card]
    wanted: int
    """The number of cards to choose; 0 if it is not this hand's turn."""
    may_hint: bool
    hint: Hint | None


class Tallied(TypedDict):
    """A line of a count, with the running total."""

    words: str
    cards: list[Card]
    points: int
    total: int
    why: Reason
    missed: NotRequired[int]
    """The points of this line that the player missed; only in the player's own count."""


class OwnCount(TypedDict):
    """The show that a player has just counted, with its value."""

    seat: Seat
    crib: bool
    cards: list[Card]
    starter: Card
    claimed: int
    points: int
    pegged: int
    missed: int
    to: Side | None
    """The side that takes the missed points."""
    tally: list[Tallied]


class Shown(TypedDict):
    """The hand or crib on show."""

    seat: Seat
    crib: bool
    cards: list[Card]
    points: int | None
    """Null if players count for themselves; `tally` is then empty."""
    tally: list[Tallied]


class Felt(TypedDict):
    """The cards that the computer has dealt, as everybody sees them."""

    held: list[int]
    """The number of cards in each hand."""
    crib: int
    """The number of cards face down in the crib."""
    cuts: list[Card | None]
    """The card that each seat has cut for the deal; empty outside the cut."""
    hides: Seat | None
    """The person whose closed hand OK opens."""
    shown: Shown | None
    ok: str | None
    """The label of OK; null if it does nothing."""
    dialog: bool
    """Whether a menu or a question is open, so that no card can be chosen."""


class Carried(TypedDict):
    presses: list[Key]
    """The presses that the key implies, including its own."""
    label: str


class Waiting(TypedDict):
    """A hand or crib that the next card pegs first."""

    seat: Seat
    crib: bool
    cards: list[Card]
    points: int


class Carry(TypedDict):
    """The cards whose press implies further steps, with real cards."""

    keys: dict[Key, Carried]
    shows: list[Waiting]
    says: str


class NumberAsked(TypedDict):
    """The number being entered: `digit:0` to `digit:9` and `digit:erase` type it."""

    value: int | None
    """Null until a digit is typed."""
    steps: bool
    """Whether `step:-10`, `step:-1`, `step:+1` and `step:+10` change it."""


class Page(TypedDict):
    """Everything that only the page shows."""

    seq: int
    choices: list[Choice]
    """The likeliest first."""
    keys: list[Key]
    """The kit's keys that make sense next, the likeliest first."""
    sides: Mapping[Key, Side]
    """The keys that belong to a side now."""
    table: TableOf
    pairing: Pairing | None
    result: Result | None
    log: list[LogLine]
    """The latest lines, newest first."""
    shower: Seat | None
    """The seat whose hand or crib is being shown."""
    hand: Hand | None
    thinking: Seat | None
    """The seat whose computer player is thinking."""
    counted: OwnCount | None
    felt: Felt | None
    """Null unless the computer deals."""
    amounts: list[Key]
    """The keys that change an amount."""
    carry: Carry
    number: NumberAsked | None
    names: list[str]
    ghosts: list[int | None]
    """The average score of each side at this point; empty unless a setting shows it."""
    settings: dict[str, str]
    """The value of each setting."""
    trouble: list[str]
    """A sentence for each device that doesn't work."""


Log: TypeAlias = list[LogLine]
"""Everything that happened in this game, newest first."""


class Chances(TypedDict):
    """The chance of winning of each side, from public cards."""

    seq: int
    chances: tuple[float, float] | None
    """Null without a game of two players."""


class Strip(TypedDict):
    leds: int
    lit: list["Light"]


Light: TypeAlias = tuple[int, int, int, int]
"""A lit LED: its number, red, green and blue."""


Leds: TypeAlias = list[tuple[int, int, int]]
"""Red, green and blue of each LED, after gamma and current limit."""


# --- settings ---


class SettingChoice(TypedDict):
    value: str
    title: str


class Setting(TypedDict):
    name: str
    group: Literal["automatic", "table", "device"]
    title: str
    text: str
    value: str
    choices: list[SettingChoice]


Power: TypeAlias = Literal["restart", "off"]


class Settings(TypedDict):
    """The settings of the table and its device."""

    settings: list[Setting]
    power: list[Power]
    """The commands to the machine; empty unless it is a Pi."""


# --- counting a hand ---


class CountedHand(TypedDict):
    cards: list[Card]
    starter: Card | None
    crib: bool


class CountedMean(CountedHand):
    """The count of a hand without a starter, over all starters."""

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


# --- phones ---


class PhoneSeat(TypedDict):
    """A person's seat, with the number of the phone that holds it."""

    seat: Seat
    name: str
    phone: int | None


class PhoneRole(TypedDict):
    number: int
    """The phone's number, from 1."""
    kind: str
    role: Role | None
    seat: Seat | None


class Phone(PhoneRole):
    """A phone, and the roles that it can have."""

    entry: Entry
    """The entry mode of the game on the table, or of the next one."""
    seats: list[PhoneSeat]


class ListedPhone(PhoneRole):
    name: str


class Phones(TypedDict):
    """The way to join, and the joined phones."""

    open: bool
    address: str
    """The address where phones join, or an empty string while they can't."""
    code: str
    seconds: float
    """The time for which the code is valid."""
    modules: list[list[int]]
    """The QR code, row by row, 1 for dark; empty without an address."""
    trouble: str | None
    seats: list[PhoneSeat]
    phones: list[ListedPhone]


class Left(TypedDict):
    """An empty object."""


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


# --- past games and statistics ---


class Accuracy(TypedDict):
    accuracy: float | None
    mistakes: int


class Ended(TypedDict):
    """The result of a game in words, for its only person, or else for the winner."""

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


# --- the rules: GET /api/rules ---


class Preset(TypedDict):
    name: str
    title: str
    text: str
    players: list[int]
    hand: int
    """The number of cards in a hand."""
    source: str
    effective: dict[str, dict[str, str]]
    """The value of every option, by the number of players."""


class Value(TypedDict):
    value: str
    text: str


class OptionValue(Value):
    fits: bool
    """Whether it fits the set-up, perhaps with another option changed."""


class Choosable(Value):
    title: str


class Option(TypedDict):
    name: str
    group: str
    title: str
    text: str
    values: list[OptionValue]
    others: str
    """A description of the other possible values, or an empty string."""
    default: str
    citations: Mapping[str, str]
    """The words of each source."""
    says: dict[str, list[str]]
    """The values that each source stands for."""


class Game(TypedDict):
    rules: str
    players: int
    target: int
    entry: Entry
    names: list[str]
    levels: list[str]
    """The computer's level in each seat; empty for a person."""
    options: Mapping[str, str]
    """The changes to the preset."""
    effective: Mapping[str, str]
    """The value of every option."""


class GameSetup(Game):
    speed: str
    automatic: list[str]
    you: str
    """The person's name in games against the computer; empty if not given."""
    people: list[str]


class Playing(Game):
    people: list[str]
    over: bool


class Rules(TypedDict):
    """The rules to choose from, and those of this game and the next."""

    presets: list[Preset]
    options: list[Option]
    levels: list[Choosable]
    speeds: list[Choosable]
    setup: GameSetup
    playing: Playing | None


# --- the kit: GET /api/kit ---


class Size(TypedDict):
    """Millimetres, as all positions."""

    width: float
    height: float


class Hole(TypedDict):
    hole: int
    led: int
    x: float
    y: float


class GameHoles(TypedDict):
    sides: Sequence[Side]
    holes: Sequence[Hole]


class Track(TypedDict):
    sides: Sequence[Side]
    holes: list[Hole]
    games: list[GameHoles]


class Hold(TypedDict):
    key: Key
    seconds: float


class Kit(TypedDict):
    """The kit as the page draws it."""

    name: str
    board: Size
    tracks: list[Track]
    keys: Sequence[Sequence[Key]]
    """The keypad by rows; an empty text stands for no key."""
    caps: dict[Key, str]
    """The labels that differ from the key's name."""
    sides: dict[Key, Key]
    """The side key that a rank key is while ranks mean nothing."""
    holds: dict[Key, Hold]
    """The meaning of each long press."""
    leds: int
    colours: Sequence[tuple[int, int, int]]
    """Red, green and blue of each side."""


# --- requests and refusals ---


class Remedy(Value):
    """A value of an option that would make a set-up fit."""

    option: str
    title: str


class Error(TypedDict):
    error: str
    """The reason, as a sentence."""


class Refusal(Error):
    """A refused request, with the rule behind it if the game refused it."""

    why: NotRequired[Reason]
    told: NotRequired[str]
    """The reason without the names of keys."""
    remedies: NotRequired[list[Remedy]]


class Overtaken(Error):
    """A press that was sent for an earlier state."""

    by: Literal["person", "machine"]
    state: State


class Logged(TypedDict):
    logged: bool


Refused: TypeAlias = Overtaken | Refusal
Answer: TypeAlias = State | Refused
