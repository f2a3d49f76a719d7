"""A club night as its log has it: who came, who met whom, what each board reported, and what was corrected.

Nothing is ever taken out of the log.  A corrected result stays in it, and the latest report counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from typing import Final

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
from cribpi.club.pairings import Round, Table, pairings
from cribpi.club.playoffs import BEST_OF, LENGTHS, Game, Match, Place, bracket
from cribpi.club.standings import ImpossibleResult, Result, Standing, check, standings
from cribpi.core.errors import RuleError
from cribpi.core.names import given_names
from cribpi.core.shown import shown

GAMES: Final = 9
"""The games of a night, unless the director says otherwise."""

MOST_GAMES: Final = 99
MOST_PLAYERS: Final = 10_000
LONGEST_BOARD: Final = 64
"""Characters in the name of a cribpi."""


class Refused(ValueError):
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


_Chair = tuple[tuple[int, str | None], ...]
"""Who sits in it from which round on."""


@dataclass(frozen=True, slots=True)
class Night:
    """Where the log has led."""

    games: int = GAMES
    players: tuple[str, ...] = ()
    """All on the list, in its order."""
    here: frozenset[str] = frozenset()
    boards: Mapping[int, str] = field(default_factory=dict)
    """The cribpi at each table, by its number from 1."""
    chairs: tuple[_Chair, ...] = ()
    """In the order of the draw, then those that were added; empty before it."""
    turns: tuple[int, ...] = ()
    """Which round of the draw each round is, once chairs were added to it; empty before."""
    round: int = 0
    """The round that is being played, from 1; 0 before the first."""
    opened: tuple[Round, ...] = ()
    """The rounds up to this one, as they were when they were opened."""
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
    sent: int = 0
    """The round that boards had been sent by a log that was longer than this; 0 if this is the longest."""
    former: Mapping[str, str] = field(default_factory=dict)
    """Who is meant by a name that a player had before: boards may still say it."""
    given_up: frozenset[tuple[int, int]] = frozenset()
    """Games, by round and board, that nobody waits for although both players are here."""
    entries: int = field(default=0, compare=False)
    """How many entries have led here."""

    @property
    def has_begun(self) -> bool:
        return bool(self.chairs)

    @property
    def seated(self) -> tuple[str, ...]:
        """All who have played or will, in the order of their chairs."""
        every = (player for chair in self.chairs for _, player in chair if player is not None)
        return tuple(dict.fromkeys(every))

    @property
    def waiting(self) -> tuple[str, ...]:
        """Who is here and has no chair for the next round."""
        if not 0 < self.round < self.games:
            return ()
        sit = {_sitter(chair, self.round + 1) for chair in self.chairs}
        return tuple(player for player in self.players if player in self.here and player not in sit)

    @property
    def is_behind(self) -> bool:
        """Whether boards have been sent a later round: the log was restored from a backup."""
        return self.sent > self.round

    def called(self, name: str) -> str:
        """Return what the player of this *name* is called now."""
        return self.former.get(name, name)

    def round_of(self, number: int) -> Round:
        """Return who meets whom in a round, from 1."""
        if number <= len(self.opened):
            return self.opened[number - 1]
        couples: list[tuple[str, str]] = []
        out: list[str] = []
        for one, other in self._couples(number):
            if one is not None and other is not None:
                couples.append((one, other))
            else:
                out += [player for player in (one, other) if player is not None]
        couples += self._pair_up(out, number)
        return Round(tuple(Table(board, players) for board, players in enumerate(couples, 1)), tuple(out))

    def _couples(self, number: int) -> Iterator[tuple[str | None, str | None]]:
        """Yield who meets whom in a round by the draw; None for an empty chair."""
        turn = self.turns[number - 1] if self.turns else number
        for table in _drawn(len(self.chairs), turn).tables:
            one, other = (_sitter(self.chairs[int(chair)], number) for chair in table.players)
            yield one, other

    def _pair_up(self, out: list[str], number: int) -> list[tuple[str, str]]:
        """Take those who would sit out from *out* and pair them, if they don't meet in any other round."""
        meet = {frozenset(table.players) for one in self.opened for table in one.tables}
        later = range(number + 1, self.games + 1)
        meet |= {frozenset(map(str, couple)) for later_one in later for couple in self._couples(later_one)}
        found: list[tuple[str, str]] = []
        while True:
            pairs = combinations(out, 2)
            pair = next((pair for pair in pairs if frozenset(pair) not in meet), None)
            if pair is None:
                return found
            found.append(pair)
            for player in pair:
                out.remove(player)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """All rounds; those to come as they are by who is here now."""
        return tuple(self.round_of(number) for number in range(1, self.games + 1)) if self.has_begun else ()

    def table(self, round: int, board: int) -> Table:  # noqa: A002  the field's own word
        """Return a table of a round that has been opened.

        Raises:
            Refused: If there is no such table.
        """
        if not 1 <= round <= self.round:
            raise Refused(f"round {round} has not started")
        tables = self.round_of(round).tables
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
        tables = self.round_of(self.round).tables if self.round else ()
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
        return standings(self.seated, self.results)

    @property
    def bracket(self) -> tuple[tuple[Match, ...], ...]:
        """The stages of the play-offs; empty before them."""
        if not self.finalists:
            return ()
        return bracket(self.finalists, self.playoff_games, self.best_of, self.walkovers)


@lru_cache(maxsize=4 * MOST_GAMES)
def _drawn(chairs: int, turn: int) -> Round:
    """Return a round of the draw, from 1, by the numbers of the chairs."""
    return pairings([str(chair) for chair in range(chairs)], turn)[-1]


def _sitter(chair: _Chair, round: int) -> str | None:  # noqa: A002  as above
    """Return the player in *chair* in a *round*, or None."""
    sitters = [player for since, player in chair if since <= round]
    return sitters[-1] if sitters else None


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
    return replace(_after(night, entry), entries=night.entries + 1)


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
        case RoundOpened(opened):
            return _opened(night, opened)
        case Restored(sent):
            if not max(night.round, night.sent) < sent <= MOST_GAMES:
                raise Refused(f"that boards were sent round {sent} is nothing new")
            return replace(night, sent=sent)
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
    if not 1 <= games <= MOST_GAMES:
        raise Refused(f"{games} games? Choose 1 to {MOST_GAMES}")
    return replace(night, games=games)


def _listed(night: Night, player: str) -> Night:
    _check_new(night, player)
    if len(night.players) >= MOST_PLAYERS:
        raise Refused(f"the list is full: {MOST_PLAYERS} players")
    try:
        players = given_names([*night.players, player])
    except RuleError as bad:
        raise Refused(str(bad)) from None
    return replace(night, players=players)


def _removed(night: Night, player: str) -> Night:
    if player not in night.players:
        raise Refused(f"{shown(player)} is not on the list")
    if player in night.seated:
        raise Refused(f"{player} has a chair: mark as gone")
    left = tuple(one for one in night.players if one != player)
    return replace(night, players=left, here=night.here - {player})


def _check_new(night: Night, player: str) -> None:
    """Refuse a name that is, or was tonight, another player's."""
    if player in night.players:
        raise Refused(f"{player} is already on the list. Somebody else? Add an initial: {player} B")
    if (now := night.former.get(player)) is not None:
        raise Refused(f"{player} is what {now} was called. Somebody else? Add an initial: {player} B")


def _renamed(night: Night, player: str, name: str) -> Night:
    if player not in night.players:
        raise Refused(f"{shown(player)} is not on the list")
    if night.former.get(name) != player:  # the own former name can be had back
        _check_new(night, name)
    try:
        players = given_names([name if one == player else one for one in night.players])
    except RuleError as bad:
        raise Refused(str(bad)) from None
    name = players[night.players.index(player)]
    if name == player:
        raise Refused(f"{player} is already called that")

    def now(one: str) -> str:
        return name if one == player else one

    def of(result: Result | None) -> Result | None:
        return result and replace(result, winner=now(result.winner), loser=now(result.loser))

    def at(table: Table) -> Table:
        one, other = table.players
        return replace(table, players=(now(one), now(other)))

    former = {old: now(new) for old, new in night.former.items() if old != name}
    return replace(
        night,
        players=players,
        here=frozenset(map(now, night.here)),
        chairs=tuple(tuple((since, one and now(one)) for since, one in chair) for chair in night.chairs),
        opened=tuple(
            Round(tuple(map(at, one.tables)), tuple(map(now, one.sits_out))) for one in night.opened
        ),
        reports={
            place: tuple(replace(one, result=of(one.result)) for one in reports)
            for place, reports in night.reports.items()
        },
        doubts=tuple(
            replace(one, doubted=replace(one.doubted, result=of(one.doubted.result))) for one in night.doubts
        ),
        finalists=tuple(map(now, night.finalists)),
        walkovers={place: now(winner) for place, winner in night.walkovers.items()},
        playoff_games={
            place: tuple(replace(game, winner=now(game.winner), loser=now(game.loser)) for game in games)
            for place, games in night.playoff_games.items()
        },
        former=former | ({player: name} if night.round else {}),  # before round 1 no board knows the name
    )


def _arrived(night: Night, player: str) -> Night:
    if player not in night.players:
        raise Refused(f"{shown(player)} is not on the list")
    if player in night.here:
        raise Refused(f"{player} is here already")
    found = replace(night, here=night.here | {player})
    if not night.round:
        return replace(found, chairs=())  # the draw is made again
    if night.round == night.games:
        # A night that is over stays so, whoever comes back: for the play-offs, or to watch.
        left = {(night.round, one.board) for one in found.missing} if night.is_over else set()
        return replace(found, given_up=night.given_up | left)
    free = [at for at, chair in enumerate(night.chairs) if _sitter(chair, night.round + 1) is None]
    own = [at for at in free if player in (sitter for _, sitter in night.chairs[at])]
    if free:
        chairs = _with(night.chairs, (own or free)[0], (night.round + 1, player))
        return replace(found, chairs=chairs)
    if night.waiting:
        return _with_two_more(found, (*night.waiting, player))
    return found  # and waits


def _with_two_more(night: Night, players: Sequence[str]) -> Night:
    """Return *night* with a chair more for each of two *players*, from the next round on.

    The rounds to come are others now: out of a draw with all chairs, those in which the fewest meet again.
    """
    chairs = (*night.chairs, *(((night.round + 1, player),) for player in players))
    sitters = [_sitter(chair, night.round + 1) for chair in chairs]
    meet = {
        turn: {
            frozenset((sitters[int(one)], sitters[int(other)]))
            for one, other in (table.players for table in _drawn(len(chairs), turn).tables)
        }
        for turn in range(1, 4 * night.games + 1)  # a round that was played spoils three of them at most
    }
    tables = (table for round_ in night.opened for table in round_.tables)
    met: set[frozenset[str | None]] = {frozenset(table.players) for table in tables}
    turns = [*range(1, night.round + 1)]
    while len(turns) < night.games:
        turn = min(meet, key=lambda turn: (len(meet[turn] & met), turn))
        met |= meet.pop(turn)
        turns.append(turn)
    return replace(night, chairs=chairs, turns=tuple(turns))


def _gone(night: Night, player: str) -> Night:
    if player not in night.here:
        raise Refused(f"{shown(player)} is not here")
    chairs = night.chairs if night.round else ()
    following = next(iter(night.waiting), None) if player not in night.waiting else None
    for at, chair in enumerate(chairs):
        if _sitter(chair, night.round + 1) == player:
            chairs = _with(chairs, at, (night.round + 1, following))
    return replace(night, here=night.here - {player}, chairs=chairs)


def _with(chairs: tuple[_Chair, ...], at: int, sitter: tuple[int, str | None]) -> tuple[_Chair, ...]:
    return (*chairs[:at], (*chairs[at], sitter), *chairs[at + 1 :])


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
    chairs: list[_Chair] = [((1, player),) for player in players]
    if len(chairs) % 2:
        chairs.append(())
    return replace(night, chairs=tuple(chairs))


def _opened(night: Night, opened: int) -> Night:
    if not night.has_begun:
        raise Refused("draw the pairings first")
    if opened != night.round + 1:
        raise Refused(f"round {opened} does not follow round {night.round}")
    if opened > night.games:
        raise Refused(f"all {night.games} games have been played")
    if missing := night.missing:
        boards = ", ".join(str(table.board) for table in missing)
        raise Refused(
            f"round {night.round} is still being played at board{'s' * (len(missing) > 1)} {boards}"
        )
    return replace(night, round=opened, opened=(*night.opened, night.round_of(opened)))


def checked(night: Night, result: Result) -> Result:
    """Return *result*, which must be possible at its table.

    Raises:
        Refused: If it is not.
    """
    table = night.table(result.round, result.board)
    if {result.winner, result.loser} != set(table.players):
        one, other = table.players
        raise Refused(f"board {result.board} has {one} and {other} in round {result.round}")
    try:
        check(result)
    except ImpossibleResult as bad:
        raise Refused(str(bad)) from None
    return result


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
    return _said(left, checked(night, result), replace(report, result=result))


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
        raise Refused(f"{match.winner} has played a later game: remove that first")
    if match.walkover is not None:
        left = {place: winner for place, winner in night.walkovers.items() if place != match.place}
        return replace(night, walkovers=left)
    return replace(night, playoff_games={**night.playoff_games, match.place: match.games[:-1]})
