"""A club night, replayed from its log: players, pairings, reports, and the results that count.

A player's id is the name listed when round 1 starts, or when the player is listed later. The id never
changes, even if the player is renamed. Only this module maps names to ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

from cribpi.club import pairings
from cribpi.club.standings import ACC, Result, Standing, check_score, refuse, standings
from cribpi.cribbage.rules.errors import RuleError

GAMES: Final = 9
"""Default number of games per player on a night."""

BY_DESK, BY_PHONE = BY_HAND = ("the desk", "a phone")
"""Sources of reports other than boards."""

LONGEST_BOARD: Final = 64
"""Maximum length of a cribpi's name."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report of a game's result. Of several for the same game, the last one counts."""

    result: Result | None
    """None if the end of the game was undone."""
    by: str
    """Source of the report: a board's name, `the desk` or `a phone`."""
    id: str = ""
    """Id that the board has given to the report; empty for others."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubtful report. It counts only if the director accepts it."""

    number: int
    """Number of its entry in the log, from 1."""
    why: str
    by: str
    result: Result | None
    """The result if accepted. None if the report can't be a result of this night."""
    id: str = ""
    """Id that the board has given to the report, or the phone that sent it."""

    @property
    def about(self) -> object:
        """Key for comparing doubts: a phone's new doubt replaces its earlier one with an equal key."""
        game = (self.result.round, self.result.board) if self.result else self.number
        return self.by, self.id, game


@dataclass(frozen=True)
class Night:
    """The state of a night, computed from its log. See `entries`."""

    games: int = GAMES
    names: Mapping[str, str] = field(default_factory=dict)
    """Players' names by id, in the order of the list."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Players' ids by name. Former names are included, because boards may still use them."""
    parties: Mapping[str, str] = field(default_factory=dict)
    """Party by player, such as a couple or a car pool. Members of the same party are not paired."""
    apart: int = 0
    """Number of first rounds in which parties are kept apart; 0 means all rounds."""
    fixed: Mapping[str, int] = field(default_factory=dict)
    """Table by player, for players who can't move."""
    here: frozenset[str] = frozenset()
    boards: Mapping[int, str] = field(default_factory=dict)
    """Name of the cribpi at each table. Tables count from 1."""
    drawn: tuple[str, ...] = ()
    """Players in the order of the draw; empty before the draw."""
    opened: tuple[pairings.Round, ...] = ()
    """Rounds that have started, including the current one."""
    reports: Mapping[tuple[int, int], tuple[Report, ...]] = field(default_factory=dict)
    """All reports of each game, oldest first, by round and board."""
    doubts: tuple[Doubt, ...] = ()
    """Reports that the director has not settled yet."""
    finalists: tuple[str, ...] = ()
    """Players in the play-offs, best seed first; empty before the play-offs."""
    best_of: int = pairings.BEST_OF
    """Maximum number of games of a play-off match."""
    playoff_games: Mapping[pairings.Place, tuple[pairings.MatchGame, ...]] = field(default_factory=dict)
    latest: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Row number of the latest report from each journal, by board and journal."""
    heard: frozenset[tuple[str, str]] = frozenset()
    """Board and report id of every report received, including unreadable ones."""
    given_up: frozenset[tuple[int, int]] = frozenset()
    """Games, by round and board, that no longer await a result although both players are here."""
    finishing: frozenset[tuple[int, int]] = frozenset()
    """Games, by round and board, that a leaving player finishes first."""
    left: frozenset[tuple[int, str]] = frozenset()
    """Players who left during a game, each with the round of that game."""
    confirmed: frozenset[tuple[int, int]] = frozenset()
    """Games, by round and board, whose result the opponent has confirmed."""
    phones: Mapping[str, str] = field(default_factory=dict)
    """Players by phone."""
    entries: int = field(default=0, compare=False)
    """Number of log entries so far."""

    def but(self, **changes: Any) -> Night:  # noqa: ANN401  the fields of a night
        """Return a copy of this night with *changes*.

        `dataclasses.replace` would run `__init__`, which took most of the time of reading a season.
        """
        found = object.__new__(Night)
        found.__dict__.update(self.__dict__, **changes)
        return found

    @property
    def round(self) -> int:
        """Current round from 1; 0 before the first."""
        return len(self.opened)

    @property
    def players(self) -> tuple[str, ...]:
        """All listed players, in order."""
        return tuple(self.names)

    @property
    def seated(self) -> tuple[str, ...]:
        """Players of the draw, followed by those who joined in a later round."""
        return tuple(dict.fromkeys((*self.drawn, *(one for round_ in self.opened for one in round_.players))))

    def name_of(self, player: str) -> str:
        """Return a player's current name. *player* is the id, or any name used tonight."""
        return self.names.get(self.ids.get(player, player), player)

    @property
    def following(self) -> pairings.Round:
        """The next round. At least two players must be here."""
        if self.round >= self.games:
            return self.paired(self.short)
        *earlier, by_draw = pairings.pairings(self.drawn, self.round + 1)
        drawn, played = ([(one.pairs, one.sits_out) for one in those] for those in (earlier, self.opened))
        if self.here == set(self.drawn) and drawn == played and not self.lost:
            return pairings.at_tables(by_draw, self.fixed)
        return self.paired([one for one in self.names if one in self.here])

    def paired(self, players: Sequence[str]) -> pairings.Round:
        """Return the next round for these *players*."""
        found = pairings.matched(players, self.opened, self.games, self.kept_apart, self.lost)
        return pairings.at_tables(found, self.fixed)

    def kept_apart(self, number: int) -> Collection[pairings.Pair]:
        """Return the pairs to avoid in a round: members of a party, and players fixed at different tables."""
        parties = self.parties if number <= (self.apart or number) else {}
        together = (pair for pair in combinations(parties, 2) if len({parties[one] for one in pair}) == 1)
        elsewhere = (
            pair for pair in combinations(self.fixed, 2) if len({self.fixed[one] for one in pair}) == 2
        )
        return [frozenset(pair) for pair in (*together, *elsewhere)]

    @property
    def played(self) -> Counter[str]:
        """Games played, by player."""
        return Counter(one for result in self.results for one in (result.winner, result.loser))

    @property
    def lost(self) -> Counter[str]:
        """Number of games that each player missed because an opponent left."""
        waits = {(self.round, table.board) for table in self.missing}
        unplayed = (
            (number, table.players)
            for number, round_ in enumerate(self.opened[: self.games], 1)
            for table in round_.tables
            if not self.result(number, table.board) and (number, table.board) not in waits
        )
        return Counter(one for number, pair in unplayed for one in pair if (number, one) not in self.left)

    @property
    def missed(self) -> Counter[str]:
        """Games that each player missed, by sitting out or because an opponent left, minus extra games."""
        sat_out = Counter(one for round_ in self.opened[: self.games] for one in round_.sits_out)
        extra = [one for one in self.results if one.round > self.games]
        return self.lost + sat_out - Counter(one for result in extra for one in (result.winner, result.loser))

    @property
    def short(self) -> tuple[str, ...]:
        """Players here who have missed a game. They may make it up in an extra round."""
        missed = self.missed
        return tuple(one for one in self.names if one in self.here and missed[one])

    @property
    def may_play_more(self) -> tuple[str, ...]:
        """Players here who have played fewer games than the night has, such as latecomers."""
        played = self.played
        return tuple(one for one in self.names if one in self.here and played[one] < self.games)

    @property
    def departed(self) -> frozenset[str]:
        """Players who were seated and have left."""
        return frozenset(self.seated) - self.here

    def table(self, round: int, board: int) -> pairings.TablePairing:  # noqa: A002  the field's own word
        """Return a table of a round that has started.

        Raises:
            RuleError: If the table does not exist.
        """
        refuse(not 1 <= round <= self.round, f"round {round} has not started")
        tables = self.opened[round - 1].tables
        refuse(not 1 <= board <= len(tables), f"round {round} has no board {board}")
        return tables[board - 1]

    def meeting(self, round_: int, one: str, other: str) -> pairings.TablePairing | None:
        """Return the table where two players meet in a round, or None."""
        tables = self.opened[round_ - 1].tables if 1 <= round_ <= self.round else ()
        return next((table for table in tables if set(table.players) == {one, other}), None)

    def check(self, result: Result) -> None:
        """Check that *result* is possible at its table.

        Raises:
            RuleError: If those players don't meet there, or the score is impossible.
        """
        table = self.table(result.round, result.board)
        if {result.winner, result.loser} != set(table.players):
            one, other = map(self.name_of, table.players)
            raise RuleError(f"board {result.board} has {one} and {other} in round {result.round}")
        check_score(result.score)

    def result(self, round: int, board: int) -> Result | None:  # noqa: A002  the field's own word
        """Return the latest result of a game, or None."""
        reports = self.reports.get((round, board), ())
        return reports[-1].result if reports else None

    def score_of(self, result: Result) -> str:
        """Format *result* with the players' current names."""
        winner, loser = self.name_of(result.winner), self.name_of(result.loser)
        played = f"{winner} {ACC.target}, {loser} {result.score}"
        return f"{winner} wins, {loser} forfeits" if result.forfeit else played

    @property
    def results(self) -> tuple[Result, ...]:
        """Results that count, by round and board."""
        found = (reports[-1].result for _, reports in sorted(self.reports.items()))
        return tuple(one for one in found if one is not None)

    @property
    def unconfirmed(self) -> tuple[Result, ...]:
        """Results entered by hand that the opponent has not confirmed."""
        by_hand = (one for one in self.results if self.reports[one.round, one.board][-1].by in BY_HAND)
        return tuple(one for one in by_hand if (one.round, one.board) not in self.confirmed)

    def confirmers(self, result: Result, phone: str) -> tuple[str, ...]:
        """Return the players for whom *phone* can confirm an unconfirmed *result*, possibly none.

        Only the opponent can confirm. The phone must not belong to another player, and must not be the one
        that entered the result.
        """
        (*_, last) = self.reports[result.round, result.board]
        if not phone or phone == last.id:
            return ()
        others = {result.winner, result.loser} - {self.phones.get(last.id)}
        mine = {self.phones[phone]} if phone in self.phones else others - set(self.phones.values())
        return tuple(sorted(others & mine))

    @property
    def missing(self) -> tuple[pairings.TablePairing, ...]:
        """Tables that await a result in the current round.

        Both players are here, or the leaving one finishes first.
        """
        tables = self.opened[-1].tables if self.opened else ()
        unplayed = (one for one in tables if not self.result(self.round, one.board))
        finishing, given_up = (
            {board for round_, board in those if round_ == self.round}
            for those in (self.finishing, self.given_up)
        )
        go_on = (one for one in unplayed if one.board in finishing or self.here.issuperset(one.players))
        return tuple(one for one in go_on if one.board not in given_up)

    def playing(self, player: str) -> pairings.TablePairing | None:
        """Return the table at which *player* has an unfinished game in this round, or None."""
        return next((one for one in self.missing if player in one.players), None)

    @property
    def is_over(self) -> bool:
        return self.round >= self.games and not self.missing

    @property
    def stands(self) -> str:
        """Stage of the night as text, such as "Round 2 of 9"."""
        if not self.round:
            return "Round 1 is next" if self.drawn else "Check-in"
        playing = f"Round {self.round} of {self.games}" if self.round <= self.games else "Extra round"
        return "Final standings" if self.is_over else playing

    @property
    def standings(self) -> tuple[Standing, ...]:
        return standings(sorted(self.seated, key=self.name_of), self.results, self.games)

    @property
    def qualified(self) -> tuple[str, ...]:
        """Players here who qualify for the play-offs, best first.

        The next best fill places of those who have left.
        """
        places = max(sum(one.qualifies for one in self.standings), 2)
        return tuple([one.player for one in self.standings if one.player in self.here][:places])

    @property
    def bracket(self) -> tuple[tuple[pairings.Match, ...], ...]:
        """Stages of the play-offs; empty before them."""
        return pairings.bracket(self.finalists, self.playoff_games, self.best_of) if self.finalists else ()

    def match(self, place: pairings.Place) -> pairings.Match:
        """Return the play-off match at *place*.

        Raises:
            RuleError: If there is no such match.
        """
        matches = {match.place: match for stage in self.bracket for match in stage}
        refuse(place not in matches, "there is no such match")
        return matches[place]


def can_be_board(name: str) -> bool:
    """Return whether *name* can be the name of a cribpi. It becomes a level of MQTT topics."""
    return 0 < len(name) <= LONGEST_BOARD and name.isprintable() and not set("+#/") & set(name)
