"""What can be in the log of a club night, an entry each, and as JSON.

A player is meant by any name that is, or was on this night, that player's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, get_args

from cribpi.club.playoffs import BEST_OF
from cribpi.club.standings import Result
from cribpi.cribbage.rules.shown import shown


@dataclass(frozen=True, slots=True)
class Planned:
    games: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A name is on the list; the player is not here yet."""

    player: str


@dataclass(frozen=True, slots=True)
class Removed:
    """A name is off the list again: it was wrong, or the player never came."""

    player: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """A player is called *name* from now on, in all that has happened, too; the log keeps both names."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """A player is here; once round 1 has started, to play from the next round on."""

    player: str


@dataclass(frozen=True, slots=True)
class Gone:
    """A player has left: nobody waits for that game."""

    player: str


@dataclass(frozen=True, slots=True)
class BoardPlaced:
    """The cribpi called *name* stands at a table; an empty name for a board of wood."""

    board: int
    name: str


@dataclass(frozen=True, slots=True)
class Begun:
    """The draw: who is here, in the order from which the pairings follow as long as nobody comes or goes."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """A round has started: who meets whom, board by board from 1, and who sits out."""

    round: int
    tables: tuple[tuple[str, str], ...] = ()
    sits_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """An earlier version noted that the log had lost this *round*; nothing follows from it any more."""

    round: int


@dataclass(frozen=True, slots=True)
class Reported:
    """The first report of a game, or the first after its end was undone."""

    result: Result
    by: str
    """Who reports it: a board, by its name; `the desk`; or `a phone`."""
    id: str = ""
    """A board's own number for it."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A board has reported what is in the log already; how far it has come is noted."""

    by: str
    id: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The end of a game was undone: it goes on."""

    round: int
    board: int
    by: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The director corrects a result."""

    result: Result
    by: str


@dataclass(frozen=True, slots=True)
class Doubted:
    """A board has reported something doubtful; it does not count until the director says so."""

    why: str
    by: str
    id: str = ""
    result: Result | None = None
    """What would count; None if it can't be a result of this night."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The director has looked at the doubt that has this *number* in the log."""

    number: int
    is_right: bool


@dataclass(frozen=True, slots=True)
class PlayoffsBegun:
    """Those who play on, the best first, and the most games of a match."""

    players: tuple[str, ...]
    best_of: int = BEST_OF


@dataclass(frozen=True, slots=True)
class PlayoffGame:
    """A game of the match at this *stage* and *place* has ended."""

    stage: int
    place: int
    winner: str
    score: int
    """The loser's."""


@dataclass(frozen=True, slots=True)
class PlayoffWalkover:
    """The *winner* goes on from the match at this *stage* and *place*: the other can't play, or play on."""

    stage: int
    place: int
    winner: str


@dataclass(frozen=True, slots=True)
class PlayoffGameUndone:
    """The walkover of that match, or else its last game, does not count: it was entered wrongly."""

    stage: int
    place: int


Entry = (
    Planned
    | Listed
    | Removed
    | Renamed
    | Arrived
    | Gone
    | BoardPlaced
    | Begun
    | RoundOpened
    | Restored
    | Reported
    | Heard
    | TakenBack
    | Corrected
    | Doubted
    | Settled
    | PlayoffsBegun
    | PlayoffGame
    | PlayoffWalkover
    | PlayoffGameUndone
)
KINDS: Final[dict[str, type[Entry]]] = {one.__name__: one for one in get_args(Entry)}


def to_json(entry: Entry) -> dict[str, Any]:
    return {"kind": type(entry).__name__, **asdict(entry)}


def from_json(found: Mapping[str, Any]) -> Entry:
    """Return the entry that `to_json` made *found* from.

    Raises:
        ValueError: If it is not an entry, or is of a later version.
    """
    fields = dict(found)
    kind = KINDS.get(str(fields.pop("kind", "")))
    if kind is None:
        raise ValueError(
            f"an entry of the kind {shown(found.get('kind'))}: update cribpi, or use another database"
        )
    if isinstance(result := fields.get("result"), dict):
        fields["result"] = Result(**result)
    try:
        return kind(**{name: _tuple(value) for name, value in fields.items()})
    except TypeError as bad:
        raise ValueError(f"a damaged entry: {bad}") from None


def _tuple(value: object) -> Any:  # noqa: ANN401  what JSON holds
    return tuple(map(_tuple, value)) if isinstance(value, list) else value
