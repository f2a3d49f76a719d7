"""Log entries of a club night: checks, effects and JSON.

Entries are never removed. A corrected result stays in the log, and the latest report counts. An entry may
refer to a player by any name that the player has had this night.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any, Final, dataclass_transform

from cribpi.club.night import BY_PHONE, Doubt, Night, Report, can_be_board
from cribpi.club.pairings import BEST_OF, LENGTHS, MatchGame, Round, TablePairing, at_tables, faults, pairings
from cribpi.club.standings import Result, check_score, refuse
from cribpi.cribbage.game.events import MOST_ROUNDS
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.names import given_names, plain
from cribpi.cribbage.rules.shown import shown

MOST_PLAYERS: Final = 10_000

ALL_PLAYED: Final = "all games have been played"

DRAWS: Final = 500
"""Maximum number of random draws. The first draw without clashes between players kept apart is used."""

_WHO: Final = ("player", "players", "winner", "result", "tables", "sits_out", "one", "other")
"""Fields that name players."""


KINDS: Final[dict[str, type[ClubEntry]]] = {}
"""Entry classes by name."""


def night_of(entries: Iterable[ClubEntry]) -> Night:
    """Return the night after *entries*.

    Raises:
        RuleError: If an entry is not allowed after those before it.
    """
    found = Night()
    for entry in entries:
        found = after(found, entry)
    return found


def after(night: Night, entry: ClubEntry) -> Night:
    """Return the night after *entry*.

    Raises:
        RuleError: If the entry is not allowed; the message has the reason.
    """
    if not isinstance(entry, Listed):
        if len(night.ids) > len(night.names):  # a player has been renamed
            named = {part: one for part, one in vars(entry).items() if part in _WHO}
            entry = replace(entry, **{part: _by_id(night, one) for part, one in named.items()})
        if (player := getattr(entry, "player", None)) is not None:
            refuse(player not in night.names, f"{shown(player)} is not on the list")
    return entry.after(night).but(entries=night.entries + 1)


def _by_id(night: Night, part: Any) -> Any:  # noqa: ANN401  a name, a tuple of names, or a result
    """Return *part* with each player's name replaced by the player's id."""
    if isinstance(part, tuple):
        return tuple(_by_id(night, one) for one in part)
    if isinstance(part, Result):
        return replace(part, winner=_by_id(night, part.winner), loser=_by_id(night, part.loser))
    return night.ids.get(part, part)


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class ClubEntry(ABC):
    """A log entry. The names of the classes and their fields are the log's format."""

    def __init_subclass__(cls) -> None:
        KINDS[cls.__name__] = dataclass(frozen=True)(cls)

    @abstractmethod
    def after(self, night: Night) -> Night:
        """Return *night* after this entry. The entry's players must be ids here, not names.

        Raises:
            RuleError: If the entry is not allowed; the message has the reason.
        """


# --- who plays ---


class Planned(ClubEntry):
    games: int
    apart: int = 0
    """Number of rounds in which parties are kept apart; 0 for all."""

    def after(self, night: Night) -> Night:
        refuse(night.round, "round 1 has started: the number of games can't change now")
        refuse(not 1 <= self.games <= MOST_ROUNDS, f"{self.games} games? Choose 1 to {MOST_ROUNDS}")
        return night.but(games=self.games, apart=self.apart)


class Listed(ClubEntry):
    """A player was listed, but is not here yet."""

    player: str

    def after(self, night: Night) -> Night:
        player = _new_name(night, self.player)
        refuse(len(night.names) >= MOST_PLAYERS, f"the list is full: {MOST_PLAYERS} players")
        return night.but(names={**night.names, player: player}, ids={**night.ids, player: player})


class Removed(ClubEntry):
    """A player was removed from the list: a wrong name, or a no-show."""

    player: str

    def after(self, night: Night) -> Night:
        if self.player in night.seated:
            raise RuleError(f"{night.name_of(self.player)} is in tonight's standings: mark as gone")
        names = {one: name for one, name in night.names.items() if one != self.player}
        ids = {name: one for name, one in night.ids.items() if one != self.player}
        return night.but(names=names, ids=ids, here=night.here - {self.player})


class Renamed(ClubEntry):
    """A player was renamed. Earlier entries keep the old name."""

    player: str
    name: str

    def after(self, night: Night) -> Night:
        name = _new_name(night, self.name, self.player)
        refuse(name == night.names[self.player], f"{name} is already called that")
        if night.round:
            names, ids = {**night.names, self.player: name}, {**night.ids, name: self.player}
            return night.but(names=names, ids=ids)

        # Before round 1 no board knows the old name, so the new one can become the id.
        def now(one: str) -> str:
            return name if one == self.player else one

        players = {now(one): now(called) for one, called in night.names.items()}
        here, drawn = frozenset(map(now, night.here)), tuple(map(now, night.drawn))
        parties = {now(one): party for one, party in night.parties.items()}
        fixed = {now(one): table for one, table in night.fixed.items()}
        return night.but(names=players, ids=players, here=here, drawn=drawn, parties=parties, fixed=fixed)


class Seated(ClubEntry):
    """A player's *party* and fixed *table* were set.

    The player moves to that table in the current round too, unless one of the games affected has a result.
    """

    player: str
    party: str = ""
    table: int = 0

    def after(self, night: Night) -> Night:
        refuse(not 0 <= self.table <= MOST_PLAYERS // 2, f"table {self.table}: tables are numbered from 1")
        parties = {one: party for one, party in night.parties.items() if one != self.player}
        fixed = {one: table for one, table in night.fixed.items() if one != self.player}
        parties |= {self.player: self.party} if self.party else {}
        fixed |= {self.player: self.table} if self.table else {}
        found = night.but(parties=parties, fixed=fixed)
        if not night.round:
            return found.but(drawn=())  # draw again
        *earlier, was = night.opened
        now = at_tables(was, {self.player: self.table} if self.table else {})
        moved = {one.board for one in set(now.tables) - set(was.tables)}
        is_late = any(night.result(night.round, board) for board in moved)
        return found if is_late else found.but(opened=(*earlier, now))


class Arrived(ClubEntry):
    """A player has arrived. During a round, the player joins with the next one."""

    player: str

    def after(self, night: Night) -> Night:
        refuse(self.player in night.here, f"{night.name_of(self.player)} is here already")
        # A finished night stays finished, even if players return for the play-offs or to watch.
        goes_on = not night.round or not night.is_over
        back = night.left - {(night.round, self.player)} if goes_on else night.left
        found = night.but(here=night.here | {self.player}, left=back)
        if not night.round:
            return found.but(drawn=())  # draw again
        if goes_on:
            return found
        return found.but(given_up=night.given_up | {(night.round, one.board) for one in found.missing})


class Gone(ClubEntry):
    """A player has left. The player's current game is cancelled, unless the player *finishes* it first."""

    player: str
    finishes: bool = False

    def after(self, night: Night) -> Night:
        refuse(self.player not in night.here, f"{night.name_of(self.player)} is not here")
        found = night.but(here=night.here - {self.player}, drawn=night.drawn if night.round else ())
        if (table := night.playing(self.player)) is None:
            return found
        game = frozenset({(night.round, table.board)})
        if self.finishes:
            return found.but(finishing=night.finishing | game)
        left = night.left | {(night.round, self.player)}
        return found.but(finishing=night.finishing - game, left=left)


def _new_name(night: Night, name: str, player: str = "") -> str:
    """Return *name* as the log and the boards spell it. *player* is the owner, or "" for a new player.

    Raises:
        RuleError: If the name is invalid, or too similar to one that another player has or had tonight.
    """
    (name,) = given_names([name])
    if night.ids.get(name, player) == player:  # players may return to a former name
        others = (other for one, other in night.names.items() if one != player)
        given_names([*(other for other in others if plain(other) == plain(name)), name])
        return name
    now = night.name_of(name)
    why = "is already on the list" if now == name else f"used to be called {now}"
    raise RuleError(f"{name} {why}. Somebody else? Add an initial: {name} B")


# --- who meets whom, and where ---


class BoardPlaced(ClubEntry):
    """The cribpi called *name* is at a table; an empty name means a wooden board."""

    board: int
    name: str

    def after(self, night: Night) -> Night:
        refuse(not 1 <= self.board <= MOST_PLAYERS // 2, f"board {self.board}: boards are numbered from 1")
        if self.name and not can_be_board(self.name):
            raise RuleError(f"{shown(self.name)} can't be the name of a cribpi: leave out + # and /")
        boards = {at: known for at, known in night.boards.items() if at != self.board and known != self.name}
        return night.but(boards=boards | ({self.board: self.name} if self.name else {}))


class Begun(ClubEntry):
    """The draw: the order of the players. It decides all pairings until a player arrives or leaves."""

    players: tuple[str, ...]

    def after(self, night: Night) -> Night:
        refuse(night.round, "round 1 has started: the pairings can't be drawn again")
        refuse(len(self.players) < 2, "at least two players must be here")
        refuse(sorted(self.players) != sorted(night.here), "the players here have changed: draw again")
        return night.but(drawn=self.players)


class RoundOpened(ClubEntry):
    """A round has started, with its pairings in the order of the boards from 1."""

    round: int
    tables: tuple[tuple[str, str], ...] = ()
    sits_out: tuple[str, ...] = ()

    def after(self, night: Night) -> Night:
        refuse(self.round != night.round + 1, f"round {self.round} does not follow round {night.round}")
        _check_next(night)
        tables = tuple(TablePairing(board, players) for board, players in enumerate(self.tables, 1))
        found = Round(tables, self.sits_out)
        if len(found.players) > len(night.here & set(found.players)):
            raise RuleError("the players here have changed: start the round again")
        played = night.played
        if night.round >= night.games and all(played[one] >= night.games for one in found.players):
            raise RuleError(ALL_PLAYED)
        return night.but(opened=(*night.opened, found))


class Swapped(ClubEntry):
    """Two players of the current round have traded places."""

    one: str
    other: str

    def after(self, night: Night) -> Night:
        last = night.opened[-1] if night.opened else Round(())
        found = _swapped(last, self.one, self.other)
        theirs = [table for table in last.tables if {self.one, self.other} & set(table.players)]
        if any(night.result(night.round, table.board) for table in theirs):
            raise RuleError("one of their games has a result: they can't change places now")
        return night.but(opened=(*night.opened[:-1], found))


def _swapped(among: Round, one: str, other: str) -> Round:
    """Return the round with two players exchanged."""
    places = {one: other, other: one}
    if len(places) < 2 or frozenset(places) in among.pairs or not places.keys() <= set(among.players):
        raise RuleError("choose two players of this round who don't meet each other")

    def now(players: Iterable[str]) -> Any:  # noqa: ANN401  a table's two players, or those sitting out
        return tuple(places.get(player, player) for player in players)

    tables = tuple(replace(table, players=now(table.players)) for table in among.tables)
    return Round(tables, now(among.sits_out))


def drawing(night: Night, chance: Random) -> Begun:
    """Return a random draw in which the fewest pairs that must be kept apart meet.

    The search stops at the first draw without such a pair.

    Raises:
        RuleError: If a player is fixed at a table that does not exist.
    """
    players = [one for one in night.players if one in night.here]
    for one in players:
        _check_table(night, one, night.fixed.get(one, 0))
    draws: list[tuple[int, tuple[str, ...]]] = []
    for _ in range(DRAWS):
        chance.shuffle(players)
        clashes = faults(pairings(players, night.games), night.kept_apart)[1] if len(players) > 1 else 0
        draws.append((clashes, tuple(players)))
        if not clashes:
            break
    return Begun(min(draws, key=lambda draw: draw[0])[1])


def opening(night: Night, swap: Sequence[str] = (), players: Sequence[str] = ()) -> RoundOpened:
    """Return the entry that starts the next round. The two players in *swap*, if any, trade places.

    After the last round it is an extra round for *players*, or if that is empty, for everyone who missed a
    game.

    Raises:
        RuleError: If the round can't start.
    """
    _check_next(night)
    refuse(len(night.here) < 2, "at least two players must be here")
    if night.round < night.games:
        following = night.following
    else:
        refuse(not (players or night.short), ALL_PLAYED)
        refuse(len(players or night.short) < 2, "an extra game needs two: choose who plays along")
        refuse(len(players) % 2, "an odd number: choose one more who plays along, or one fewer")
        following = night.paired(players or night.short)
    following = _swapped(following, *swap) if any(swap) else following
    tables = tuple(table.players for table in following.tables)
    return RoundOpened(night.round + 1, tables, following.sits_out)


def seating(night: Night, player: str, party: str, table: int) -> Seated:
    """Return the entry that sets a player's party and fixed table.

    Raises:
        RuleError: If the table does not exist, or another player is fixed there.
    """
    player = night.ids.get(player, player)
    holders = (one for one, at in night.fixed.items() if at == table and one not in {player, *night.departed})
    if table and (other := next(holders, None)):
        raise RuleError(f"table {table} is {night.name_of(other)}'s, who can't move: choose another")
    if table and night.drawn:
        _check_table(night, player, table)
    return Seated(player, party, table)


def _check_table(night: Night, player: str, table: int) -> None:
    tables = max(len(night.here) // 2, *(len(one.tables) for one in night.opened[-1:]), 0)
    if table > tables:
        raise RuleError(f"table {table} for {night.name_of(player)}? There are {tables}: choose Change")


def _check_next(night: Night) -> None:
    """Raise `RuleError` before the draw, after the last round, or during a round."""
    refuse(not night.drawn, "draw the pairings first")
    refuse(night.finalists, ALL_PLAYED)
    if missing := night.missing:
        numbers = ", ".join(str(table.board) for table in missing)
        boards = f"board {numbers}" if len(missing) == 1 else f"boards {numbers}"
        raise RuleError(f"round {night.round} is still being played at {boards}")


class Restored(ClubEntry):
    """A lost *round*, noted by an earlier version of cribpi. This entry has no effect now."""

    round: int

    def after(self, night: Night) -> Night:
        return night


# --- results ---


class Reported(ClubEntry):
    """A game was reported for the first time, or again after an undo."""

    result: Result
    by: str
    """Source of the report: a board's name, `the desk` or `a phone`."""
    id: str = ""
    """The board's id of the report."""

    def after(self, night: Night) -> Night:
        board, round_ = self.result.board, self.result.round
        if night.result(round_, board) is not None:
            raise RuleError(f"board {board} already has a result for round {round_}: correct it at the desk")
        return _with_result(_with_id(night, self.by, self.id), self.result, self.by, self.id)


class Heard(ClubEntry):
    """A board has repeated a result that is in the log.

    The entry stores the position in the board's journal.
    """

    by: str
    id: str

    def after(self, night: Night) -> Night:
        return _with_id(night, self.by, self.id)


class TakenBack(ClubEntry):
    """The end of a game was undone, and the game continues."""

    round: int
    board: int
    by: str
    id: str = ""

    def after(self, night: Night) -> Night:
        if night.result(self.round, self.board) is None:
            raise RuleError(f"board {self.board} has no result in round {self.round}")
        report = Report(None, self.by, self.id)
        return _with_report(_with_id(night, self.by, self.id), self.round, self.board, report)


class Corrected(ClubEntry):
    """The director has corrected a result."""

    result: Result
    by: str

    def after(self, night: Night) -> Night:
        return _with_result(night, self.result, self.by)


class Confirmed(ClubEntry):
    """The opponent has confirmed a *result* that was entered by hand."""

    result: Result

    def after(self, night: Night) -> Night:
        at = self.result.round, self.result.board
        refuse(night.result(*at) != self.result, "that result has changed: look at it again")
        return night.but(confirmed=night.confirmed | {at})


class Phoned(ClubEntry):
    """A *phone*, identified by a hash, was assigned to a player. If it is empty, the player has none."""

    player: str
    phone: str

    def after(self, night: Night) -> Night:
        phones = {one: who for one, who in night.phones.items() if who != self.player}
        return night.but(phones=phones | ({self.phone: self.player} if self.phone else {}))


class Doubted(ClubEntry):
    """A board or phone has reported something doubtful, which counts only if the director accepts it.

    A phone's newer doubt about the same game replaces the older one.
    """

    why: str
    by: str
    id: str = ""
    result: Result | None = None
    """The result if accepted; None if it can't be one of this night."""

    def after(self, night: Night) -> Night:
        doubt = Doubt(night.entries + 1, self.why, self.by, self.result, self.id)
        others = (one for one in night.doubts if self.by != BY_PHONE or one.about != doubt.about)
        return replace(_with_id(night, self.by, self.id), doubts=(*others, doubt))


class Settled(ClubEntry):
    """The director has accepted or dismissed the doubt with this *number*."""

    number: int
    is_right: bool

    def after(self, night: Night) -> Night:
        doubt = next((one for one in night.doubts if one.number == self.number), None)
        if doubt is None:
            raise RuleError("that report is already settled")
        night = night.but(doubts=tuple(one for one in night.doubts if one is not doubt))
        if not self.is_right:
            return night
        if (result := doubt.result) is None:
            raise RuleError("that can't count tonight: enter the right result, then dismiss this report")
        table = night.meeting(result.round, result.winner, result.loser)
        return _with_result(night, replace(result, board=table.board) if table else result, "the desk")


def _with_id(night: Night, by: str, id: str) -> Night:  # noqa: A002  the log's own word
    """Store the *id* of a report, which consists of the board's journal and a row number."""
    if not id:
        return night
    journal, _, step = id.rpartition("-")
    latest = {**night.latest, (by, journal): int(step)} if step.isdigit() else night.latest
    return night.but(latest=latest, heard=night.heard | {(by, id)})


def _with_result(night: Night, result: Result, by: str, id: str = "") -> Night:  # noqa: A002  the log's own word
    night.check(result)
    was = night.result(result.round, result.board)
    if was and not any(result.hands):  # a correction keeps the hands that a board has reported
        result = replace(result, hands=was.hands if was.winner == result.winner else was.hands[::-1])
    return _with_report(night, result.round, result.board, Report(result, by, id))


def _with_report(night: Night, round_: int, board: int, report: Report) -> Night:
    at = round_, board
    reports = {**night.reports, at: (*night.reports.get(at, ()), report)}
    return night.but(reports=reports, given_up=night.given_up - {at}, confirmed=night.confirmed - {at})


# --- the player book, which covers all nights ---


class Noted(ClubEntry):
    """Changes to the player book (see `roster`), in the club's own log."""

    people: tuple[Mapping[str, Any], ...] = ()
    """Players added or changed."""
    gone: tuple[int, ...] = ()
    """Ids of players removed."""
    awards: tuple[tuple[int, int], ...] = ()
    """Grass Roots points by game points."""
    best: int = 0
    night: str = ""
    """A night that has started."""
    filed: tuple[Mapping[str, Any], ...] = ()
    """Changed names and dates of nights, and whether they count: the fields of `Filed`."""
    summer: str = ""
    """Season of the nights in summer, between two seasons: "next" or "none"."""

    def after(self, night: Night) -> Night:  # noqa: ARG002  required by the base class
        raise RuleError("that is for the book of players, not for a night")


# --- the play-offs ---


class PlayoffsBegun(ClubEntry):
    """The play-offs have started. The *players* are in seeding order."""

    players: tuple[str, ...]
    best_of: int = BEST_OF

    def after(self, night: Night) -> Night:
        players = self.players
        refuse(not night.is_over, "finish the last round first")
        refuse(night.finalists, "the play-offs have begun")
        if len(players) < 2 or len(set(players)) < len(players) or not set(night.seated).issuperset(players):
            raise RuleError("play-offs need at least two players from tonight")
        refuse(self.best_of not in LENGTHS, f"a match is the best of 1, 3 or 5 games, not of {self.best_of}")
        return night.but(finalists=players, best_of=self.best_of)


class PlayoffGame(ClubEntry):
    """A game of the match at this *stage* and *place* has ended."""

    stage: int
    place: int
    winner: str
    score: int
    """The loser's score."""

    def after(self, night: Night) -> Night:
        check_score(self.score)
        return _played(night, self, self.score)


class PlayoffWalkover(ClubEntry):
    """The *winner* advances from the match at this *stage* and *place* because the other can't play."""

    stage: int
    place: int
    winner: str

    def after(self, night: Night) -> Night:
        return _played(night, self, None)


class PlayoffGameUndone(ClubEntry):
    """The last game or walkover of a match was removed, because it was entered by mistake."""

    stage: int
    place: int

    def after(self, night: Night) -> Night:
        match = night.match((self.stage, self.place))
        refuse(not match.games, "that match has no game yet")
        later = (one for stage in night.bracket[self.stage :] for one in stage)
        if match.winner and any(match.winner in one.players and one.games for one in later):
            raise RuleError(f"{night.name_of(match.winner)} has played a later game: remove that first")
        return night.but(playoff_games={**night.playoff_games, match.place: match.games[:-1]})


def _played(night: Night, entry: PlayoffGame | PlayoffWalkover, score: int | None) -> Night:
    match = night.match((entry.stage, entry.place))
    refuse(not match.is_open, "that match is over, or its players aren't known yet")
    refuse(entry.winner not in match.players, "choose the winner")
    games = (*match.games, MatchGame(entry.winner, score))
    return night.but(playoff_games={**night.playoff_games, match.place: games})


# --- JSON ---


def to_json(entry: ClubEntry) -> dict[str, Any]:
    return {"kind": type(entry).__name__, **asdict(entry)}


def from_json(found: Mapping[str, Any]) -> ClubEntry:
    """Return the entry from the JSON of `to_json`.

    Raises:
        ValueError: If *found* is not an entry, or one of a later version.
    """
    fields = dict(found)
    kind = KINDS.get(str(fields.pop("kind", "")))
    if kind is None:
        raise ValueError(
            f"an unknown kind of entry, {shown(found.get('kind'))}: update cribpi, or use another database"
        )
    if isinstance(result := fields.get("result"), dict):
        fields["result"] = Result(**{name: _tuple(value) for name, value in result.items()})
    try:
        return kind(**{name: _tuple(value) for name, value in fields.items()})
    except TypeError as bad:
        raise ValueError(f"a damaged entry: {bad}") from None


def _tuple(value: object) -> Any:  # noqa: ANN401  any JSON value
    return tuple(map(_tuple, value)) if isinstance(value, list) else value
