"""Reads logs of the version before a round's entry said who meets whom: it follows from those before it.

Then each player had a chair.  Who left freed it, for a latecomer or for nobody; two latecomers at full tables
got two more, and the rounds to come were drawn again; and two who would both sit out met, if they did not
meet in any other round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from cribpi.club.entries import Arrived, Entry, Gone, RoundOpened, after
from cribpi.club.night import Night
from cribpi.club.pairings import pairings

Chair = list[tuple[int, str | None]]
"""Who sits in it from which round on."""

Couple = tuple[str | None, str | None]
"""Two who meet by the draw; None for an empty chair."""


def with_tables(entries: Iterable[Entry]) -> list[Entry]:
    """Return the *entries* of a log, with who meets whom in each round that is opened.

    Raises:
        Refused: If one of an earlier version can't follow those before it.
    """
    found = list(entries)
    if all(entry.tables for entry in found if isinstance(entry, RoundOpened)):
        return found
    night, chairs = Night(), _Chairs()
    for at, entry in enumerate(found):
        found[at] = chairs.after(night, entry)
        night = after(night, found[at])
    return found


class _Chairs:
    """The chairs of a night once round 1 has started, with ids of players in them."""

    def __init__(self) -> None:
        self._chairs: list[Chair] = []
        self._turns: list[int] = []
        """Which round of the draw each round is, once chairs were added to it."""

    def after(self, night: Night, entry: Entry) -> Entry:
        """Take the *entry* that follows on *night*, and return it, a round that is opened with its tables."""
        match entry:
            case Arrived(player) if 0 < night.round < night.games:
                self._arrive(night, night.ids.get(player, player))
            case Gone(player) if night.round:
                self._go(night, night.ids.get(player, player))
            case RoundOpened(number, ()):
                return self._opened(night, number)
            case _:
                pass
        return entry

    def _seated(self, number: int) -> list[str | None]:
        """Return who sits in each chair in a round."""
        return [
            next((player for since, player in reversed(chair) if since <= number), None)
            for chair in self._chairs
        ]

    def _waiting(self, night: Night) -> list[str]:
        """Return who is here and has no chair for the next round."""
        sit = self._seated(night.round + 1)
        left = [one for one in night.players if one in night.here and one not in sit]
        return left if night.round < night.games else []

    def _arrive(self, night: Night, player: str) -> None:
        number = night.round + 1
        seats = zip(self._chairs, self._seated(number), strict=True)
        free = [chair for chair, seated in seats if seated is None]
        own = [chair for chair in free if any(earlier == player for _, earlier in chair)]
        if free:
            (own or free)[0].append((number, player))
        elif waiting := self._waiting(night):
            self._chairs += [[(number, one)] for one in (*waiting, player)]
            self._draw_again(night)

    def _go(self, night: Night, player: str) -> None:
        waiting = self._waiting(night)
        following = waiting[0] if waiting and player not in waiting else None
        for chair, seated in zip(self._chairs, self._seated(night.round + 1), strict=True):
            if seated == player:
                chair.append((night.round + 1, following))

    def _draw_again(self, night: Night) -> None:
        """Take from a draw with all chairs the rounds in which the fewest meet again."""
        meet = {
            turn: {frozenset(couple) for couple in self._drawn(turn, night.round + 1) if None not in couple}
            for turn in range(1, 4 * night.games + 1)
        }
        met, self._turns = set(_met(night)), [*range(1, night.round + 1)]
        while len(self._turns) < night.games:
            turn = min(meet, key=lambda turn: (len(meet[turn] & met), turn))
            met |= meet.pop(turn)
            self._turns.append(turn)

    def _drawn(self, turn: int, number: int) -> Iterator[Couple]:
        """Yield who meets whom in that *turn* of the draw, with those who sit there in a round."""
        players = self._seated(number)
        for table in pairings([str(at) for at in range(len(players))], turn)[-1].tables:
            one, other = map(int, table.players)
            yield players[one], players[other]

    def _couples(self, number: int) -> list[Couple]:
        return list(self._drawn(self._turns[number - 1] if self._turns else number, number))

    def _opened(self, night: Night, number: int) -> RoundOpened:
        if number == 1:
            self._chairs = [[(1, player)] for player in night.drawn]
            self._chairs += [[]] * (len(night.drawn) % 2)
        couples = self._couples(number)
        tables = [(one, other) for one, other in couples if one is not None and other is not None]
        out = [one for couple in couples if None in couple for one in couple if one is not None]
        later = range(number + 1, night.games + 1)
        meet = _met(night) | {frozenset(couple) for one in later for couple in self._couples(one)}
        while pair := next((pair for pair in combinations(out, 2) if frozenset(pair) not in meet), None):
            tables.append(pair)
            out = [one for one in out if one not in pair]
        return RoundOpened(number, tuple(tables), tuple(out))


def _met(night: Night) -> set[frozenset[str | None]]:
    return {frozenset(table.players) for one in night.opened for table in one.tables}
