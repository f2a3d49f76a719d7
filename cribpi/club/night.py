"""A club night as its log has it: who is here, who meets whom, what was reported, and what counts.

A player has an id: the name on the list when round 1 starts, or when the player is put on it later.  It
stays, whatever the player is called then; only here is it known by which names a player goes.
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
"""The games of a night, unless the director says otherwise."""

BY_DESK, BY_PHONE = BY_HAND = ("the desk", "a phone")
"""Who reports a result if it is not a board."""

LONGEST_BOARD: Final = 64
"""Characters in the name of a cribpi."""


@dataclass(frozen=True, slots=True)
class Report:
    """One report of a game; the last one counts."""

    result: Result | None
    """None if the end of the game was undone."""
    by: str
    """Who reports it: a board, by its name; `the desk`; or `a phone`."""
    id: str = ""
    """A board's own number for it."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something doubtful that a board has reported; it does not count until the director says so."""

    number: int
    """Its number in the log, from 1."""
    why: str
    by: str
    result: Result | None
    """What would count; None if it can't be a result of this night."""
    id: str = ""
    """A board's own number for it, or the phone."""

    @property
    def about(self) -> object:
        """The phone, and the game that it doubts."""
        game = (self.result.round, self.result.board) if self.result else self.number
        return self.by, self.id, game


@dataclass(frozen=True)
class Night:
    """The state of a night, folded from its log; see `entries`."""

    games: int = GAMES
    names: Mapping[str, str] = field(default_factory=dict)
    """What each player is called, by the id; all on the list, in its order."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Who is meant by a name: also by one that a player had before, as boards may still say it."""
    parties: Mapping[str, str] = field(default_factory=dict)
    """Who comes with others, such as a couple or a car pool, and by which name: they don't meet."""
    apart: int = 0
    """In how many rounds, from the first; 0 for all."""
    fixed: Mapping[str, int] = field(default_factory=dict)
    """The table of each player who can't move."""
    here: frozenset[str] = frozenset()
    boards: Mapping[int, str] = field(default_factory=dict)
    """The cribpi at each table, by its number from 1."""
    drawn: tuple[str, ...] = ()
    """Those who were here at the draw, in its order; empty before it."""
    opened: tuple[pairings.Round, ...] = ()
    """The rounds that have started, up to the one that is being played."""
    reports: Mapping[tuple[int, int], tuple[Report, ...]] = field(default_factory=dict)
    """The reports of each game, by round and board, in order."""
    doubts: tuple[Doubt, ...] = ()
    """What the director has not looked at yet."""
    finalists: tuple[str, ...] = ()
    """Those in the play-offs, the best first; empty before them."""
    best_of: int = pairings.BEST_OF
    """The most games of a match there."""
    playoff_games: Mapping[pairings.Place, tuple[pairings.Game, ...]] = field(default_factory=dict)
    latest: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """How far each journal of each board has been heard: by the board and the journal, the step in it."""
    heard: frozenset[tuple[str, str]] = frozenset()
    """What boards have reported, readable or not: each by its board and its id."""
    given_up: frozenset[tuple[int, int]] = frozenset()
    """Games, by round and board, that nobody waits for although both players are here."""
    finishing: frozenset[tuple[int, int]] = frozenset()
    """Games, by round and board, that are waited for although somebody leaves: after them."""
    left: frozenset[tuple[int, str]] = frozenset()
    """Players who have left an unfinished game, with its round."""
    confirmed: frozenset[tuple[int, int]] = frozenset()
    """Games, by round and board, whose result the other player has confirmed."""
    phones: Mapping[str, str] = field(default_factory=dict)
    """The player of each phone."""
    entries: int = field(default=0, compare=False)
    """How many entries have led here."""

    def but(self, **changes: Any) -> Night:  # noqa: ANN401  the fields of a night
        """Return this night with *changes*, as `replace` does, which took most of the time of a season."""
        found = object.__new__(Night)
        found.__dict__.update(self.__dict__, **changes)
        return found

    @property
    def round(self) -> int:
        """The round that is being played, from 1; 0 before the first."""
        return len(self.opened)

    @property
    def players(self) -> tuple[str, ...]:
        """All on the list, in its order."""
        return tuple(self.names)

    @property
    def seated(self) -> tuple[str, ...]:
        """All who were drawn, and who have come to a round since, in that order."""
        return tuple(dict.fromkeys((*self.drawn, *(one for round_ in self.opened for one in round_.players))))

    def called(self, player: str) -> str:
        """Return what a player is called now, given the id or any name that is or was the player's."""
        return self.names.get(self.ids.get(player, player), player)

    @property
    def following(self) -> pairings.Round:
        """Who meets whom in the next round, as things stand; two players at least must be here."""
        if self.round >= self.games:
            return self.paired(self.short)
        *earlier, by_draw = pairings.pairings(self.drawn, self.round + 1)
        drawn, played = ([(one.pairs, one.sits_out) for one in those] for those in (earlier, self.opened))
        if self.here == set(self.drawn) and drawn == played and not self.lost:
            return pairings.at_tables(by_draw, self.fixed)
        return self.paired([one for one in self.names if one in self.here])

    def paired(self, players: Sequence[str]) -> pairings.Round:
        """Return a round of these *players* that follows."""
        found = pairings.matched(players, self.opened, self.games, self.kept_apart, self.lost)
        return pairings.at_tables(found, self.fixed)

    def kept_apart(self, number: int) -> Collection[pairings.Pair]:
        """Return who should not meet in this round: a party, or two who can't move from two tables."""
        parties = self.parties if number <= (self.apart or number) else {}
        together = (pair for pair in combinations(parties, 2) if len({parties[one] for one in pair}) == 1)
        elsewhere = (
            pair for pair in combinations(self.fixed, 2) if len({self.fixed[one] for one in pair}) == 2
        )
        return [frozenset(pair) for pair in (*together, *elsewhere)]

    @property
    def played(self) -> Counter[str]:
        """The number of games that each has."""
        return Counter(one for result in self.results for one in (result.winner, result.loser))

    @property
    def lost(self) -> Counter[str]:
        """The number of games that each has lost because an opponent left."""
        waits = {(self.round, table.board) for table in self.missing}
        return Counter(
            one
            for number, round_ in enumerate(self.opened[: self.games], 1)
            for table in round_.tables
            if not self.result(number, table.board) and (number, table.board) not in waits
            for one in table.players
            if (number, one) not in self.left
        )

    @property
    def missed(self) -> Counter[str]:
        """The games that each has missed, by sitting out or because an opponent left, less extra ones."""
        sat_out = Counter(one for round_ in self.opened[: self.games] for one in round_.sits_out)
        extra = [one for one in self.results if one.round > self.games]
        return self.lost + sat_out - Counter(one for result in extra for one in (result.winner, result.loser))

    @property
    def short(self) -> tuple[str, ...]:
        """Players here who have missed a game, and can play it in an extra round."""
        missed = self.missed
        return tuple(one for one in self.names if one in self.here and missed[one])

    @property
    def may_play_more(self) -> tuple[str, ...]:
        """Players here with fewer games than the night has, such as latecomers."""
        played = self.played
        return tuple(one for one in self.names if one in self.here and played[one] < self.games)

    @property
    def gone(self) -> frozenset[str]:
        """Players who have played, or were to play, and have left."""
        return frozenset(self.seated) - self.here

    def table(self, round: int, board: int) -> pairings.Table:  # noqa: A002  the field's own word
        """Return a table of a round that has been opened.

        Raises:
            RuleError: If there is no such table.
        """
        refuse(not 1 <= round <= self.round, f"round {round} has not started")
        tables = self.opened[round - 1].tables
        refuse(not 1 <= board <= len(tables), f"round {round} has no board {board}")
        return tables[board - 1]

    def meeting(self, round_: int, one: str, other: str) -> pairings.Table | None:
        """Return the table at which two meet in a round that has started; None if they don't."""
        tables = self.opened[round_ - 1].tables if 1 <= round_ <= self.round else ()
        return next((table for table in tables if set(table.players) == {one, other}), None)

    def check(self, result: Result) -> None:
        """Refuse a *result* that can't be one of its table.

        Raises:
            RuleError: If it is one.
        """
        table = self.table(result.round, result.board)
        if {result.winner, result.loser} != set(table.players):
            one, other = map(self.called, table.players)
            raise RuleError(f"board {result.board} has {one} and {other} in round {result.round}")
        check_score(result.score)

    def result(self, round: int, board: int) -> Result | None:  # noqa: A002  as above
        """Return what counts of a game; None as long as nothing does."""
        reports = self.reports.get((round, board), ())
        return reports[-1].result if reports else None

    def score_of(self, result: Result) -> str:
        """Return *result* in words, as players are called now."""
        winner, loser = self.called(result.winner), self.called(result.loser)
        played = f"{winner} {ACC.target}, {loser} {result.score}"
        return f"{winner} wins, {loser} forfeits" if result.forfeit else played

    @property
    def results(self) -> tuple[Result, ...]:
        """What counts, in the order of rounds and boards."""
        found = (reports[-1].result for _, reports in sorted(self.reports.items()))
        return tuple(one for one in found if one is not None)

    @property
    def unconfirmed(self) -> tuple[Result, ...]:
        """What counts by one player's word: results by hand that the other has not confirmed."""
        by_hand = (one for one in self.results if self.reports[one.round, one.board][-1].by in BY_HAND)
        return tuple(one for one in by_hand if (one.round, one.board) not in self.confirmed)

    def confirmers(self, result: Result, phone: str) -> tuple[str, ...]:
        """Return as whom somebody with this *phone* can confirm an unconfirmed *result*.

        The other player can, with a phone that is nobody else's and did not enter it.
        """
        (*_, last) = self.reports[result.round, result.board]
        if not phone or phone == last.id:
            return ()
        others = {result.winner, result.loser} - {self.phones.get(last.id)}
        mine = {self.phones[phone]} if phone in self.phones else others - set(self.phones.values())
        return tuple(sorted(others & mine))

    @property
    def missing(self) -> tuple[pairings.Table, ...]:
        """The tables of this round that have no result yet, and whose players are here, or leave after it."""
        tables = self.opened[-1].tables if self.opened else ()
        unplayed = (one for one in tables if not self.result(self.round, one.board))
        finishing, given_up = (
            {board for round_, board in those if round_ == self.round}
            for those in (self.finishing, self.given_up)
        )
        go_on = (one for one in unplayed if one.board in finishing or self.here.issuperset(one.players))
        return tuple(one for one in go_on if one.board not in given_up)

    def playing(self, player: str) -> pairings.Table | None:
        """Return the table of a player's unfinished game of this round, if any."""
        return next((one for one in self.missing if player in one.players), None)

    @property
    def is_over(self) -> bool:
        return self.round >= self.games and not self.missing

    @property
    def stands(self) -> str:
        """How far it has come, in words."""
        if not self.round:
            return "Round 1 is next" if self.drawn else "Check-in"
        playing = f"Round {self.round} of {self.games}" if self.round <= self.games else "Extra round"
        return "Final standings" if self.is_over else playing

    @property
    def standings(self) -> tuple[Standing, ...]:
        return standings(sorted(self.seated, key=self.called), self.results, self.games)

    @property
    def qualified(self) -> tuple[str, ...]:
        """Those who are here and qualify for the play-offs, or come next, the best first."""
        places = max(sum(one.qualifies for one in self.standings), 2)
        return tuple([one.player for one in self.standings if one.player in self.here][:places])

    @property
    def bracket(self) -> tuple[tuple[pairings.Match, ...], ...]:
        """The stages of the play-offs; empty before them."""
        return pairings.bracket(self.finalists, self.playoff_games, self.best_of) if self.finalists else ()

    def match(self, place: pairings.Place) -> pairings.Match:
        """Return a match of the play-offs.

        Raises:
            RuleError: If there is no such match.
        """
        matches = {match.place: match for stage in self.bracket for match in stage}
        refuse(place not in matches, "there is no such match")
        return matches[place]


def can_be_board(name: str) -> bool:
    """Tell whether a cribpi can be called so: the name is a part of topics."""
    return 0 < len(name) <= LONGEST_BOARD and name.isprintable() and not set("+#/") & set(name)
