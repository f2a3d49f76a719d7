"""JSON types of request bodies.  A null stands for a missing field, and any other field is refused."""

from collections.abc import Mapping
from typing import Literal, NotRequired, TypeAlias, TypedDict

from cribpi.companion.entry.phones import Role
from cribpi.companion.web.json.setup_types import Key, Power
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.words.json_types import Card, Seat, Side


class TableBody(TypedDict):
    """A request to the table."""

    id: NotRequired[str]
    """A text of your choice: whoever repeats a request with it gets the first answer again."""
    if_seq: NotRequired[int]
    """The `seq` of the state that the request is for; the table refuses it in any other state."""


class PressBody(TableBody):
    key: Key
    carry: NotRequired[bool]
    """Whether a card also presses what it implies, as in the page's `carry`."""


class PegFor(TableBody):
    side: Side
    cards: NotRequired[list[Card] | str]
    """The cards of a run."""


class PegKind(PegFor):
    kind: Kind


class PegPoints(PegFor):
    points: int


PegBody: TypeAlias = PegKind | PegPoints


class SeatNames(TableBody):
    names: list[str]
    """One for each seat; an empty one for the seat's colour."""
    you: NotRequired[str]


class OwnName(TableBody):
    you: str
    """Your name against the computer."""


class NewName(TableBody):
    rename: str
    to: str


NamesBody: TypeAlias = SeatNames | OwnName | NewName


class RulesBody(TableBody):
    """Changes to the next game, at least one."""

    rules: NotRequired[str]
    players: NotRequired[int]
    entry: NotRequired[Entry]
    options: NotRequired[Mapping[str, str]]
    """The changes to the preset."""
    levels: NotRequired[list[str]]
    """The computer's level in each seat; empty for a person."""
    speed: NotRequired[str]
    automatic: NotRequired[list[str]]
    names: NotRequired[list[str]]
    menu: NotRequired[bool]
    """Whether the menu of the next game opens, as it does if this is missing."""


class GameBody(RulesBody):
    """The set-up of a game: what is missing is as set up for the next one."""

    once: NotRequired[bool]
    """Whether it is for this game alone."""


SettingsBody: TypeAlias = Mapping[str, str | int]
"""Values of settings by name, all of them texts, besides an `id` and the number `if_seq`."""


class PowerBody(TableBody):
    power: Power


class RemoveGame(TableBody):
    remove: int


class RestoreGame(TableBody):
    restore: int


GamesBody: TypeAlias = RemoveGame | RestoreGame


class OpenPhones(TypedDict):
    phones: Literal["open", "close"]


class RemovePhone(TypedDict):
    remove: int
    """The phone's number."""


class RoleBody(TypedDict):
    """A phone's role; without one, it has to choose again."""

    role: NotRequired[Role | None]
    seat: NotRequired[Seat | None]
    """Needed for the role `seat`, and for no other."""


class GiveRole(RoleBody):
    give: int
    """The phone's number."""


PhonesBody: TypeAlias = OpenPhones | RemovePhone | GiveRole


class JoinBody(TypedDict):
    code: str


class CountBody(TypedDict):
    cards: list[Card] | str
    """A list of four cards, or a text."""
    starter: NotRequired[Card]
    crib: NotRequired[bool]
    rules: NotRequired[str]
    """The name of a preset."""


class FaultBody(TypedDict):
    fault: str
    at: NotRequired[str]
    """The address within the page."""
    where: NotRequired[str]
    """The position in the source."""
