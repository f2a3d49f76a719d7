"""A club night as its log has it: who came, who met whom, what each board reported, and what was corrected.

Nothing is ever taken out of the log.  A corrected result stays in it, and the latest report counts.

A player has an id: the name on the list when round 1 starts, or when the player is put on it later.  It
stays, whatever the player is called then; only here is it known by which names a player goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cribpi.club.entries import (
    Arrived,
    Begun,
    BoardPlaced,
    Corrected,
    Doubted,
    Entry,
    Gone,
    Heard,
    Listed,
    Planned,
    PlayoffGame,
    PlayoffGameUndone,
    PlayoffsBegun,
    PlayoffWalkover,
    Removed,
    Renamed,
    Reported,
    Restored,
    RoundOpened,
    Settled,
    TakenBack,
)
from cribpi.club.pairings import Round, Table, matched, pairings
from cribpi.club.playoffs import BEST_OF, LENGTHS, Game, Match, Place, bracket
from cribpi.club.standings import ACC, ImpossibleResult, Result, Standing, check, standings
from cribpi.cribbage.game.events import MOST_ROUNDS
from cribpi.cribbage.rules.errors import RuleError, UserError
from cribpi.cribbage.rules.names import given_names
from cribpi.cribbage.rules.shown import shown

GAMES: Final = 9
"""The games of a night, unless the director says otherwise."""

MOST_PLAYERS: Final = 10_000
LONGEST_BOARD: Final = 64
"""Characters in the name of a cribpi."""


class Refused(UserError):
    """This can't be done now; the message says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class Report:
    """One report of a game; the last one counts."""

    number: int
    """Its number in the log, from 1."""
    result: Result | None
    """None if the end of the game was undone."""
    by: str
    id: str


@dataclass(frozen=True, slots=True)
class Doubt:
    number: int
    doubted: Doubted


@dataclass(frozen=True, slots=True)
class Night:
    """Where the log has led."""

    games: int = GAMES
    names: Mapping[str, str] = field(default_factory=dict)
    """What each player is called, by the id; all on the list, in its order."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Who is meant by a name: also by one that a player had before, as boards may still say it."""
    here: frozenset[str] = frozenset()
    boards: Mapping[int, str] = field(default_factory=dict)
    """The cribpi at each table, by its number from 1."""
    drawn: tuple[str, ...] = ()
    """Those who were here at the draw, in its order; empty before it."""
    opened: tuple[Round, ...] = ()
    """The rounds that have started, up to the one that is being played."""
    reports: Mapping[tuple[int, int], tuple[Report, ...]] = field(default_factory=dict)
    """The reports of each game, by round and board, in order."""
    doubts: tuple[Doubt, ...] = ()
    """What the director has not looked at yet."""
    finalists: tuple[str, ...] = ()
    """Those in the play-offs, the best first; empty before them."""
    best_of: int = BEST_OF
    """The most games of a match there."""
    playoff_games: Mapping[Place, tuple[Game, ...]] = field(default_factory=dict)
    walkovers: Mapping[Place, str] = field(default_factory=dict)
    """Who goes on from a match because the other can't play."""
    latest: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """How far each journal of each board has been heard: by the board and the journal, the step in it."""
    heard: frozenset[tuple[str, str]] = frozenset()
    """What boards have reported: each by its board and its id."""
    seen: frozenset[str] = frozenset()
    """The ids of what could not be read."""
    given_up: frozenset[tuple[int, int]] = frozenset()
    """Games, by round and board, that nobody waits for although both players are here."""
    entries: int = field(default=0, compare=False)
    """How many entries have led here."""

    @property
    def round(self) -> int:
        """The round that is being played, from 1; 0 before the first."""
        return len(self.opened)

    @property
    def players(self) -> tuple[str, ...]:
        """All on the list, in its order."""
        return tuple(self.names)

    @property
    def has_begun(self) -> bool:
        return bool(self.drawn)

    @property
    def seated(self) -> tuple[str, ...]:
        """All who were drawn, and who have come to a round since, in that order."""
        return tuple(dict.fromkeys((*self.drawn, *(one for round_ in self.opened for one in _of(round_)))))

    def called(self, player: str) -> str:
        """Return what a player is called now, given the id or any name that is or was the player's."""
        return self.names.get(self.ids.get(player, player), player)

    @property
    def following(self) -> Round:
        """Who meets whom in the next round, as things stand; two players at least must be here."""
        by_draw = pairings(self.drawn, self.round + 1)
        if self.here == set(self.drawn) and by_draw[:-1] == self.opened:
            return by_draw[-1]
        return matched([one for one in self.names if one in self.here], self.opened, self.games)

    def table(self, round: int, board: int) -> Table:  # noqa: A002  the field's own word
        """Return a table of a round that has been opened.

        Raises:
            Refused: If there is no such table.
        """
        if not 1 <= round <= self.round:
            raise Refused(f"round {round} has not started")
        tables = self.opened[round - 1].tables
        if not 1 <= board <= len(tables):
            raise Refused(f"round {round} has no board {board}")
        return tables[board - 1]

    def result(self, round: int, board: int) -> Result | None:  # noqa: A002  as above
        """Return what counts of a game; None as long as nothing does."""
        reports = self.reports.get((round, board), ())
        return reports[-1].result if reports else None

    @property
    def results(self) -> tuple[Result, ...]:
        """What counts, in the order of rounds and boards."""
        found = (reports[-1].result for _, reports in sorted(self.reports.items()))
        return tuple(one for one in found if one is not None)

    @property
    def missing(self) -> tuple[Table, ...]:
        """The tables of this round that have no result yet, and both of whose players are here."""
        tables = self.opened[-1].tables if self.opened else ()
        return tuple(
            one
            for one in tables
            if not self.result(self.round, one.board)
            and self.here.issuperset(one.players)
            and (self.round, one.board) not in self.given_up
        )

    @property
    def is_over(self) -> bool:
        return self.round == self.games and not self.missing

    @property
    def standings(self) -> tuple[Standing, ...]:
        return standings(sorted(self.seated, key=self.called), self.results)

    @property
    def bracket(self) -> tuple[tuple[Match, ...], ...]:
        """The stages of the play-offs; empty before them."""
        if not self.finalists:
            return ()
        return bracket(self.finalists, self.playoff_games, self.best_of, self.walkovers)


def _of(round_: Round) -> tuple[str, ...]:
    """Return all who play in a round or sit it out."""
    return (*(player for table in round_.tables for player in table.players), *round_.sits_out)


def night_of(entries: Iterable[Entry]) -> Night:
    """Return where a log leads.

    Raises:
        Refused: If an entry can't follow those before it.
    """
    found = Night()
    for entry in entries:
        found = after(found, entry)
    return found


def after(night: Night, entry: Entry) -> Night:
    """Return *night* with one more *entry*.

    Raises:
        Refused: If it can't be; the message says why.
    """
    if not isinstance(entry, Listed):
        meant = {part: _by_id(night, getattr(entry, part)) for part in _WHO if hasattr(entry, part)}
        entry = replace(entry, **meant)
    return replace(_after(night, entry), entries=night.entries + 1)


_WHO: Final = ("player", "players", "winner", "result", "tables", "sits_out")
"""The parts of entries in which players are named."""


def _by_id(night: Night, part: Any) -> Any:  # noqa: ANN401  a name, some, or a result
    """Return *part* with the id of each player who is named in it."""
    if isinstance(part, tuple):
        return tuple(_by_id(night, one) for one in part)
    if isinstance(part, Result):
        return replace(part, winner=_by_id(night, part.winner), loser=_by_id(night, part.loser))
    return night.ids.get(part, part)


def _after(night: Night, entry: Entry) -> Night:
    number = night.entries + 1
    match entry:
        case Planned(games):
            return _planned(night, games)
        case Listed(player):
            return _listed(night, player)
        case Removed(player):
            return _removed(night, player)
        case Renamed(player, name):
            return _renamed(night, player, name)
        case Arrived(player):
            return _arrived(night, player)
        case Gone(player):
            return _gone(night, player)
        case BoardPlaced(board, name):
            return _placed(night, board, name)
        case Begun(players):
            return _begun(night, players)
        case RoundOpened():
            return _opened(night, entry)
        case Restored():
            return night
        case Reported(result, by, ids):
            if night.result(result.round, result.board) is not None:
                game = f"board {result.board} already has a result for round {result.round}"
                raise Refused(f"{game}: correct it at the desk")
            return _said(_heard(night, by, ids), checked(night, result), Report(number, result, by, ids))
        case Corrected(result, by):
            return _said(night, checked(night, result), Report(number, result, by, ""))
        case TakenBack(round, board, by, ids):
            last = night.result(round, board)
            if last is None:
                raise Refused(f"board {board} has no result in round {round}")
            return _said(_heard(night, by, ids), last, Report(number, None, by, ids))
        case Heard(by, ids):
            return _heard(night, by, ids)
        case Doubted():
            return replace(_heard(night, entry.by, entry.id), doubts=(*night.doubts, Doubt(number, entry)))
        case Settled(doubt, is_right):
            return _settled(night, doubt, Report(number, None, "the desk", ""), is_right=is_right)
        case PlayoffsBegun(players, best_of):
            return _playoffs_begun(night, players, best_of)
        case PlayoffGame():
            return _playoff_game(night, entry)
        case PlayoffWalkover(stage, place, winner):
            match_ = _open_match(night, (stage, place), winner)
            return replace(night, walkovers={**night.walkovers, match_.place: winner})
        case PlayoffGameUndone(stage, place):
            return _playoff_game_undone(night, (stage, place))


def _heard(night: Night, by: str, id: str) -> Night:  # noqa: A002  the log's own word
    """Note the *id* of what a board has reported: its journal and the step in it."""
    journal, _, step = id.rpartition("-")
    if not step.isdigit():
        return replace(night, seen=night.seen | {id}) if id else night
    latest = {**night.latest, (by, journal): int(step)}
    return replace(night, latest=latest, heard=night.heard | {(by, id)})


def _planned(night: Night, games: int) -> Night:
    if night.round:
        raise Refused("round 1 has started: the number of games can't change now")
    if not 1 <= games <= MOST_ROUNDS:
        raise Refused(f"{games} games? Choose 1 to {MOST_ROUNDS}")
    return replace(night, games=games)


def _listed(night: Night, player: str) -> Night:
    player = _new_name(night, player)
    if len(night.names) >= MOST_PLAYERS:
        raise Refused(f"the list is full: {MOST_PLAYERS} players")
    return replace(night, names={**night.names, player: player}, ids={**night.ids, player: player})


def _removed(night: Night, player: str) -> Night:
    _check_listed(night, player)
    if player in night.seated:
        raise Refused(f"{night.called(player)} is in tonight's standings: mark as gone")
    names = {one: name for one, name in night.names.items() if one != player}
    ids = {name: one for name, one in night.ids.items() if one != player}
    return replace(night, names=names, ids=ids, here=night.here - {player})


def _check_listed(night: Night, player: str) -> None:
    if player not in night.names:
        raise Refused(f"{shown(player)} is not on the list")


def normalized(name: str) -> str:
    """Return *name* as the log and boards have it: each letter and its accent are one character.

    Raises:
        Refused: If no player can be called so.
    """
    try:
        return given_names([name])[0]
    except RuleError as bad:
        raise Refused(str(bad)) from None


def _new_name(night: Night, name: str, player: str = "") -> str:
    """Return the *name* that *player* is to have, or who is put on the list, normalized.

    Raises:
        Refused: If no player can be called so, or another one is, or was tonight.
    """
    name = normalized(name)
    try:
        if night.ids.get(name, player) == player:  # the own former name can be had back
            given_names([*(other for one, other in night.names.items() if one != player), name])
            return name
    except RuleError as bad:
        raise Refused(str(bad)) from None
    now = night.called(name)
    why = "is already on the list" if now == name else f"is what {now} was called"
    raise Refused(f"{name} {why}. Somebody else? Add an initial: {name} B")


def _renamed(night: Night, player: str, name: str) -> Night:
    _check_listed(night, player)
    name = _new_name(night, name, player)
    if name == night.names[player]:
        raise Refused(f"{name} is already called that")
    if night.round:
        return replace(night, names={**night.names, player: name}, ids={**night.ids, name: player})

    def now(
        one: str,
    ) -> str:  # nothing has been played, and no board knows the name: it is the id from now on
        return name if one == player else one

    players = {now(one): now(called) for one, called in night.names.items()}
    here, drawn = frozenset(map(now, night.here)), tuple(map(now, night.drawn))
    return replace(night, names=players, ids=players, here=here, drawn=drawn)


def _arrived(night: Night, player: str) -> Night:
    _check_listed(night, player)
    if player in night.here:
        raise Refused(f"{night.called(player)} is here already")
    found = replace(night, here=night.here | {player})
    if not night.round:
        return replace(found, drawn=())  # the draw is made again
    if night.round < night.games:
        return found
    # A night that is over stays so, whoever comes back: for the play-offs, or to watch.
    left = {(night.round, one.board) for one in found.missing} if night.is_over else set()
    return replace(found, given_up=night.given_up | left)


def _gone(night: Night, player: str) -> Night:
    if player not in night.here:
        raise Refused(f"{shown(player)} is not here")
    return replace(night, here=night.here - {player}, drawn=night.drawn if night.round else ())


def _placed(night: Night, board: int, name: str) -> Night:
    if not 1 <= board <= MOST_PLAYERS // 2:
        raise Refused(f"board {board}: boards are numbered from 1")
    if name and not can_be_board(name):
        raise Refused(f"{shown(name)} can't be a cribpi's name: leave out + # and /")
    boards = {at: known for at, known in night.boards.items() if at != board and known != name}
    return replace(night, boards=(boards | ({board: name} if name else {})))


def can_be_board(name: str) -> bool:
    """Tell whether a cribpi can be called so: the name is a part of topics."""
    return 0 < len(name) <= LONGEST_BOARD and name.isprintable() and not set("+#/") & set(name)


def _begun(night: Night, players: tuple[str, ...]) -> Night:
    if night.round:
        raise Refused("round 1 has started: the pairings can't be drawn again")
    if len(players) < 2:
        raise Refused("at least two players must be here")
    if len(set(players)) < len(players) or set(players) != night.here:
        raise Refused("the players here have changed: draw again")
    return replace(night, drawn=players)


def opening(night: Night) -> RoundOpened:
    """Return the entry that starts the next round, with those who are here.

    Raises:
        Refused: If it can't start.
    """
    _check_next(night)
    if len(night.here) < 2:
        raise Refused("at least two players must be here")
    following = night.following
    return RoundOpened(
        night.round + 1, tuple(table.players for table in following.tables), following.sits_out
    )


def _check_next(night: Night) -> None:
    """Refuse to start another round before the draw, after the last, or while one is being played."""
    if not night.has_begun:
        raise Refused("draw the pairings first")
    if night.round == night.games:
        raise Refused("all games have been played")
    if missing := night.missing:
        boards = ", ".join(str(table.board) for table in missing)
        raise Refused(
            f"round {night.round} is still being played at board{'s' * (len(missing) > 1)} {boards}"
        )


def _opened(night: Night, entry: RoundOpened) -> Night:
    if entry.round != night.round + 1:
        raise Refused(f"round {entry.round} does not follow round {night.round}")
    _check_next(night)
    tables = tuple(Table(board, players) for board, players in enumerate(entry.tables, 1))
    found = Round(tables, entry.sits_out)
    if len(_of(found)) > len(night.here & set(_of(found))):
        raise Refused("the players here have changed: start the round again")
    return replace(night, opened=(*night.opened, found))


def checked(night: Night, result: Result) -> Result:
    """Return *result*, which must be possible at its table.

    Raises:
        Refused: If it is not.
    """
    table = night.table(result.round, result.board)
    if {result.winner, result.loser} != set(table.players):
        one, other = map(night.called, table.players)
        raise Refused(f"board {result.board} has {one} and {other} in round {result.round}")
    try:
        check(result)
    except ImpossibleResult as bad:
        raise Refused(str(bad)) from None
    return result


def meeting(night: Night, round_: int, one: str, other: str) -> Table | None:
    """Return the table at which two meet in a round that has started; None if they don't."""
    tables = night.opened[round_ - 1].tables if 1 <= round_ <= night.round else ()
    return next((table for table in tables if set(table.players) == {one, other}), None)


def score_of(night: Night, result: Result) -> str:
    """Return *result* in words, as players are called now."""
    winner, loser = night.called(result.winner), night.called(result.loser)
    return f"{winner} {ACC.target}, {loser} {result.score}"


def _said(night: Night, result: Result, report: Report) -> Night:
    at = result.round, result.board
    reports = {**night.reports, at: (*night.reports.get(at, ()), report)}
    return replace(night, reports=reports, given_up=night.given_up - {at})


def _settled(night: Night, number: int, report: Report, *, is_right: bool) -> Night:
    doubt = next((one for one in night.doubts if one.number == number), None)
    if doubt is None:
        raise Refused("that report is already settled")
    left = replace(night, doubts=tuple(one for one in night.doubts if one is not doubt))
    if not is_right:
        return left
    if (result := doubt.doubted.result) is None:
        raise Refused("that can't count tonight: enter the right result, then dismiss this report")
    table = meeting(night, result.round, result.winner, result.loser)
    result = checked(night, replace(result, board=table.board) if table else result)
    return _said(left, result, replace(report, result=result))


def _playoffs_begun(night: Night, players: tuple[str, ...], best_of: int) -> Night:
    if not night.is_over:
        raise Refused("finish the last round first")
    if night.finalists:
        raise Refused("the play-offs have begun")
    if len(players) < 2 or len(set(players)) < len(players) or not set(night.seated).issuperset(players):
        raise Refused("play-offs need at least two players from tonight")
    if best_of not in LENGTHS:
        raise Refused(f"a match is the best of 1, 3 or 5 games, not of {best_of}")
    return replace(night, finalists=players, best_of=best_of)


def _match(night: Night, at: Place) -> Match:
    found = next((match for stage in night.bracket for match in stage if match.place == at), None)
    if found is None:
        raise Refused("there is no such match")
    return found


def _open_match(night: Night, at: Place, winner: str) -> Match:
    match = _match(night, at)
    if not match.is_open:
        raise Refused("that match is over, or its players aren't known yet")
    if winner not in match.players:
        raise Refused("choose the winner")
    return match


def _playoff_game(night: Night, entry: PlayoffGame) -> Night:
    match = _open_match(night, (entry.stage, entry.place), entry.winner)
    (loser,) = (player for player in match.players if player != entry.winner)
    try:
        check(Result(0, 0, entry.winner, str(loser), entry.score))
    except ImpossibleResult as bad:
        raise Refused(str(bad)) from None
    games = (*match.games, Game(entry.winner, str(loser), entry.score))
    return replace(night, playoff_games={**night.playoff_games, match.place: games})


def _playoff_game_undone(night: Night, at: Place) -> Night:
    match = _match(night, at)
    if not match.games and match.walkover is None:
        raise Refused("that match has no game yet")
    later = (one for stage in night.bracket[match.place[0] :] for one in stage)
    if match.winner and any(match.winner in one.players and (one.games or one.walkover) for one in later):
        raise Refused(f"{night.called(match.winner)} has played a later game: remove that first")
    if match.walkover is not None:
        left = {place: winner for place, winner in night.walkovers.items() if place != match.place}
        return replace(night, walkovers=left)
    return replace(night, playoff_games={**night.playoff_games, match.place: match.games[:-1]})
