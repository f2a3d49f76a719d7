"""A club's season, from September to May: players' totals and Grass Roots points.

The American Cribbage Congress awards Grass Roots points for cards of at least 12 game points. No public table
was found, so `roster.AWARDS` is an example that the director can change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from cribpi.club.entries import ClubEntry, night_of
from cribpi.club.log import Log, LogTrouble
from cribpi.club.roster import NEXT, Book, Filed, Person
from cribpi.club.standings import ACC, CardLine, Standing, refuse, sums
from cribpi.cribbage.game.events import LONGEST_NIGHT
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.names import plain
from cribpi.cribbage.rules.shown import hidden, shown

STARTS: Final = 9
"""First month of a season."""

ENDS: Final = 5
"""Last month of a season."""

EARLIEST: Final = date(2020, 1, 1)
"""Earliest plausible day of a night. An earlier day means that the clock was wrong."""

LEAD: Final = ("grass_roots", "game_points", "won", "spread")
"""Columns by which the players are ranked, most important first."""

Row = dict[str, Any]
"""A player's totals by column."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A night with its day, and its scorecards, best first."""

    name: str
    day: date
    stands: str
    """Stage of the night as text, such as "Final standings"."""
    cards: tuple[tuple[str, Standing], ...]
    title: str = ""
    """Title set by the director, or ""."""
    counts: bool = True
    """Whether the night counts in a season."""

    @property
    def display_name(self) -> str:
        return self.title or self.name


def as_filed(night: Dated, book: Book) -> Dated:
    """Return *night* with the title, day and `counts` that the director has set."""
    if (filed := book.filed.get(night.name)) is None:
        return night
    day = date.fromisoformat(filed.day) if filed.day else night.day
    return replace(night, day=day, title=filed.name, counts=filed.counts)


def filed(form: Filed) -> Filed:
    """Return *form* after checking it.

    Raises:
        RuleError: If the name or the day is invalid.
    """
    if hidden(form.name) is not None or len(form.name) > LONGEST_NIGHT:
        raise RuleError(f"the night's name: use 1 to {LONGEST_NIGHT} visible characters on one line")
    try:
        day = date.fromisoformat(form.day) if form.day else EARLIEST
    except ValueError:
        raise RuleError(f"the day {shown(form.day)}: write it as 2026-11-25") from None
    refuse(not EARLIEST <= day <= _tomorrow(), f"the day {form.day} is too early, or yet to come")
    return form


def day_of(name: str, begun: str) -> date:
    """Return a night's day: the date that starts its name, otherwise the date of *begun*, a UTC time."""
    with suppress(ValueError):
        return date.fromisoformat(name[:10])
    return datetime.fromisoformat(begun).astimezone().date()


def season_of(day: date, summer: str = NEXT) -> int | None:
    """Return the year in which the season of *day* starts. In summer, return None if *summer* is "none".

    >>> season_of(date(2026, 5, 31)), season_of(date(2026, 6, 1)), season_of(date(2026, 6, 1), "none")
    (2025, 2026, None)
    """
    if ENDS < day.month < STARTS:
        return day.year if summer == NEXT else None
    return day.year - (day.month < STARTS)


def _tomorrow() -> date:
    return datetime.now(UTC).date() + timedelta(days=1)


def title(first: int) -> str:
    return f"{first}-{first + 1}"


@dataclass(frozen=True, slots=True)
class Season:
    first: int
    """Year in which the season starts."""
    nights: tuple[Dated, ...]
    """Nights of the season, latest first."""
    book: Book
    wrong: tuple[str, ...] = ()
    """Problems found in the nights of the log, as sentences."""
    others: tuple[int, ...] = ()
    """Starting years of all other seasons, latest first."""
    apart: tuple[Dated, ...] = ()
    """Nights that belong to no season."""

    @property
    def rows(self) -> list[Row]:
        """Players' totals in this season, best first."""
        games: dict[int | str, tuple[Person, dict[str, list[CardLine]]]] = {}
        for night in self.nights:
            for name, card in night.cards:
                who = self.book.who(name)
                _, cards = games.setdefault(who.id or plain(name), (who, {}))
                cards.setdefault(night.name, []).extend(card.card)
        return by_column([_row(who, cards.values(), self.book) for who, cards in games.values()])


class Nights:
    """A cache of all nights of *log*. Nights with new entries are read again."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._known: dict[str, tuple[str, Dated]] = {}

    def read(self) -> tuple[list[Dated], list[str]]:
        """Return all readable nights, latest first, and a sentence for each unreadable one.

        Raises:
            LogTrouble: If the database does not respond.
        """
        found = self._log.nights()
        rows = self._log.rows(name for name, last in found.items() if self._known.get(name, ("",))[0] != last)
        nights: list[Dated] = []
        wrong: list[str] = []
        for name, last in found.items():
            try:
                if name in rows:
                    self._known[name] = last, _read(name, self._log.timed(name, rows[name]))
                one = self._known[name][1]
            except (LogTrouble, RuleError) as bad:
                wrong.append(f"{bad}: that night is left out")
                continue
            nights.append(one)
        return sorted(nights, key=_latest, reverse=True), wrong

    @property
    def played(self) -> set[str]:
        """Every name under which somebody has played.

        A player who was renamed between nights appears under each name.
        """
        return {name for one in self.read()[0] for name, _ in one.cards}

    def season(self, book: Book, first: int | None = None) -> Season:
        """Return the season that starts in the year *first*, or the latest one.

        Raises:
            LogTrouble: If the database does not respond.
        """
        read, wrong = self.read()
        nights = sorted((as_filed(one, book) for one in read), key=_latest, reverse=True)
        odd = (one for one in nights if not EARLIEST <= one.day <= _tomorrow())
        wrong += (f"the night {one.display_name} is dated {one.day}: was the clock wrong?" for one in odd)
        known, why = self._log.nights(), "is missing: was it deleted, or the database restored from a backup?"
        wrong = [*(f"the night {name} {why}" for name in book.nights if name not in known), *wrong]
        seasons = [(season_of(one.day, book.summer) if one.counts else None, one) for one in nights]
        years = dict.fromkeys(year for year, _ in seasons if year)
        if first is None:
            first = next(iter(years), season_of(datetime.now(UTC).date()) or 0)
        those, apart = (tuple(one for of, one in seasons if of == year) for year in (first, None))
        others = tuple(year for year in years if year != first)
        return Season(first, those, book, tuple(wrong), others, apart)


def _latest(one: Dated) -> tuple[date, str]:
    return one.day, one.name


def _read(name: str, timed: Sequence[tuple[str, ClubEntry]]) -> Dated:
    night = night_of(entry for _, entry in timed)
    cards = tuple((night.name_of(one.player), one) for one in night.standings if one.games)
    return Dated(name, day_of(name, timed[0][0]), night.stands, cards)


def award(awards: Mapping[int, int], game_points: int) -> int:
    """Return the Grass Roots points for a card. *awards* maps minimum game points to them.

    >>> award({12: 1, 16: 3}, 15), award({12: 1, 16: 3}, 11)
    (1, 0)
    """
    return awards.get(max((one for one in awards if one <= game_points), default=-1), 0)


def by_column(rows: Iterable[Row], column: str = LEAD[0]) -> list[Row]:
    """Return *rows* sorted by *column*.

    Text sorts from A to Z; numbers from highest to lowest, with ties by `LEAD`.
    """
    found = sorted(rows, key=lambda row: tuple(row[one] for one in LEAD), reverse=True)
    if any(isinstance(row[column], str) for row in found):
        return sorted(found, key=lambda row: plain(row[column]))
    return sorted(found, key=lambda row: int(row[column]), reverse=True)


def _row(who: Person, nights: Collection[Sequence[CardLine]], book: Book) -> Row:
    cards = sorted(map(sums, nights), reverse=True)
    spreads = [game.spread for games in nights for game in games]
    skunks = [spread for spread in spreads if ACC.skunk_of(ACC.target - abs(spread))]
    return {
        "player": who.name,
        "number": who.number,
        "kind": who.kind,
        "grass_roots": sum(award(book.awards, points) for points, _, _ in cards),
        "nights": len(cards),
        "games": len(spreads),
        "game_points": sum(points for points, _, _ in cards),
        "won": sum(won for _, won, _ in cards),
        "lost": len(spreads) - sum(won for _, won, _ in cards),
        "spread": sum(spreads),
        "skunks": sum(spread > 0 for spread in skunks),
        "skunked": sum(spread < 0 for spread in skunks),
        "best": sum(points for points, _, _ in cards[: book.best]),
        "high": cards[0][0],
        "high_won": cards[0][1],
        "hands_28": sum(game.hands.count(28) for games in nights for game in games),
        "hands_29": sum(game.hands.count(29) for games in nights for game in games),
    }
