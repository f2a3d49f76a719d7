"""JSON types of the table: its state, what only the page shows, and the answer to a press."""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict

from cribpi.companion.web.json.setup_types import Key, Remedy
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase as GamePhase
from cribpi.cribbage.rules.json_types import Reason
from cribpi.cribbage.words.json_types import Card, Score, Seat, Side
from cribpi.cribbage.words.speech import Sound

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


# --- requests and refusals ---


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
