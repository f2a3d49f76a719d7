"""Reads logs of the version before a round's entry said who meets whom: it follows from those before it.

Then each player had a chair.  Who left freed it, for a latecomer or for nobody; two latecomers at full tables
got two more, and the rounds to come were drawn again; and two who would both sit out met, if they did not
meet in any other round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from cribpi.club.entries import (
    Arrived,
    Begun,
    Entry,
    Gone,
    Listed,
    Planned,
    Removed,
    Renamed,
    RoundOpened,
)
from cribpi.club.night import GAMES
from cribpi.club.pairings import pairings
from cribpi.cribbage.rules.names import given_names

Chair = list[tuple[int, str | None]]
"""Who sits in it from which round on."""

Couple = tuple[str | None, str | None]
"""Two who meet by the draw; None for an empty chair."""


def with_tables(entries: Iterable[Entry]) -> list[Entry]:
    """Return the *entries* of a log, with who meets whom in each round that is opened."""
    night = _Chairs()
    return [night.after(entry) for entry in entries]


@dataclass
class _Chairs:
    games: int = GAMES
    players: list[str] = field(default_factory=list)
    here: set[str] = field(default_factory=set)
    chairs: list[Chair] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    """Which round of the draw each round is, once chairs were added to it."""
    round: int = 0
    met: set[frozenset[str | None]] = field(default_factory=set)

    def after(self, entry: Entry) -> Entry:
        """Take *entry*, and return it, a round that is opened with its tables."""
        match entry:
            case Planned(games):
                self.games = games
            case Listed(player):
                self.players.append(*given_names([player]))
            case Removed(player):
                self.players.remove(player)
                self.here.discard(player)
            case Renamed(player, name):
                self._rename(player, *given_names([name]))
            case Begun(players):
                self.chairs = [[(1, player)] for player in players]
                self.chairs += [[]] * (len(players) % 2)
            case Arrived(player):
                self._arrive(player)
            case Gone(player):
                self._go(player)
            case RoundOpened(number, tables):
                entry = entry if tables else self._opened(number)
                self.round = number
                self.met |= {frozenset(pair) for pair in entry.tables}
            case _:
                pass
        return entry

    def _rename(self, player: str, name: str) -> None:
        def now(one: str | None) -> str | None:
            return name if one == player else one

        self.players = [str(now(one)) for one in self.players]
        self.here = {str(now(one)) for one in self.here}
        self.chairs = [[(since, now(one)) for since, one in chair] for chair in self.chairs]
        self.met = {frozenset(map(now, pair)) for pair in self.met}

    def _sitter(self, chair: Chair, number: int) -> str | None:
        return next((player for since, player in reversed(chair) if since <= number), None)

    @property
    def _waiting(self) -> list[str]:
        """Who is here and has no chair for the next round."""
        sit = {self._sitter(chair, self.round + 1) for chair in self.chairs}
        return [one for one in self.players if one in self.here - sit] if self.round < self.games else []

    def _arrive(self, player: str) -> None:
        self.here.add(player)
        number = self.round + 1
        if not self.round:
            self.chairs = []  # the draw is made again
        elif self.round < self.games:
            free = [chair for chair in self.chairs if self._sitter(chair, number) is None]
            own = [chair for chair in free if any(sitter == player for _, sitter in chair)]
            waiting = [one for one in self._waiting if one != player]
            if free:
                (own or free)[0].append((number, player))
            elif waiting:
                self.chairs += [[(number, one)] for one in (*waiting, player)]
                self._draw_again()

    def _draw_again(self) -> None:
        """Take from a draw with all chairs the rounds in which the fewest meet again."""
        meet = {
            turn: {frozenset(couple) for couple in self._drawn(turn, self.round + 1) if None not in couple}
            for turn in range(1, 4 * self.games + 1)
        }
        met, self.turns = set(self.met), [*range(1, self.round + 1)]
        while len(self.turns) < self.games:
            turn = min(meet, key=lambda turn: (len(meet[turn] & met), turn))
            met |= meet.pop(turn)
            self.turns.append(turn)

    def _go(self, player: str) -> None:
        following = next((one for one in self._waiting if player not in self._waiting), None)
        self.here.discard(player)
        for chair in self.chairs if self.round else ():
            if self._sitter(chair, self.round + 1) == player:
                chair.append((self.round + 1, following))
        if not self.round:
            self.chairs = []

    def _drawn(self, turn: int, number: int) -> Iterator[Couple]:
        """Yield who meets whom in that *turn* of the draw, with those who sit there in a round."""
        players = [self._sitter(chair, number) for chair in self.chairs]
        for table in pairings([str(at) for at in range(len(players))], turn)[-1].tables:
            one, other = map(int, table.players)
            yield players[one], players[other]

    def _couples(self, number: int) -> list[Couple]:
        return list(self._drawn(self.turns[number - 1] if self.turns else number, number))

    def _opened(self, number: int) -> RoundOpened:
        couples = self._couples(number)
        tables = [(one, other) for one, other in couples if one is not None and other is not None]
        out = [one for couple in couples if None in couple for one in couple if one is not None]
        later = range(number + 1, self.games + 1)
        meet = self.met | {frozenset(couple) for one in later for couple in self._couples(one)}
        while pair := next((pair for pair in combinations(out, 2) if frozenset(pair) not in meet), None):
            tables.append(pair)
            out = [one for one in out if one not in pair]
        return RoundOpened(number, tuple(tables), tuple(out))
