"""Migration of old logs, whose RoundOpened entries have no tables.

The tables are inferred from later results.

A table without a result gets the first two free players, in draw order if possible. A wrong guess affects
only the later pairings, which avoid rematches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cribpi.club.entries import ClubEntry, Corrected, Doubted, Renamed, Reported, RoundOpened, after
from cribpi.club.night import Night


def with_tables(entries: Iterable[ClubEntry]) -> list[ClubEntry]:
    """Return *entries*, with tables added to each RoundOpened entry that has none.

    Raises:
        RuleError: If an old entry is not allowed after those before it.
    """
    found = list(entries)
    if all(entry.tables for entry in found if isinstance(entry, RoundOpened)):
        return found
    night = Night()
    for at, entry in enumerate(found):
        if isinstance(entry, RoundOpened) and not entry.tables:
            found[at] = _opened(night, entry.round, found[at:])
        night = after(night, found[at])
    return found


def _opened(night: Night, number: int, later: Sequence[ClubEntry]) -> RoundOpened:
    """Return the entry of round *number*, with tables inferred from the *later* entries."""
    ids, left = dict(night.ids), [one for one in night.players if one in night.here]
    sure: list[tuple[int, tuple[str, str]]] = []
    doubted: list[tuple[int, tuple[str, str]]] = []
    for entry in later:
        if isinstance(entry, Renamed):
            ids[entry.name] = ids.get(entry.player, entry.player)
        elif isinstance(entry, Reported | Corrected | Doubted) and entry.result:
            one = entry.result
            if one.round == number and one.board > 0:
                pair = ids.get(one.winner, one.winner), ids.get(one.loser, one.loser)
                (doubted if isinstance(entry, Doubted) else sure).append((one.board, pair))
    tables: dict[int, tuple[str, str]] = {}
    usual = [(table.board, table.players) for table in night.following.tables]
    for board, pair in (*sure, *doubted, *usual):
        if board not in tables and set(pair) <= set(left):
            tables[board] = pair
            left = [one for one in left if one not in pair]
    boards = range(1, max(tables, default=0) + 1)
    for board in boards:
        if board not in tables:
            tables[board] = left[0], left[1]
            left = left[2:]
    return RoundOpened(number, tuple(tables[board] for board in boards), tuple(left))
