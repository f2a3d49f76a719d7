"""The log of club nights in a database: SQLite or PostgreSQL.

One table has a row for each entry, keyed by night and number. Rows are added and never changed. An entry is
on disk when `add` returns.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from cribpi.club.entries import ClubEntry, from_json, to_json
from cribpi.club.legacy_log import with_tables
from cribpi.cribbage.rules.errors import UserError

_META: Final = sa.MetaData()
_LOG: Final = sa.Table(
    "cribpi_club_log",
    _META,
    sa.Column("night", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
    sa.PrimaryKeyConstraint("night", "number"),
)

LONGEST_PAUSE: Final = timedelta(days=150)
"""Longest plausible break between two nights, longer than from May to September.

A longer one suggests a wrong clock.
"""

CLUB: Final = ""
"""Name of the club's own log. It is empty, so that no night can have the same name."""


class LogTrouble(UserError):
    """A database error. The message is a sentence for the director."""


class Taken(LogTrouble):
    """Another desk has changed the player book since it was read."""


class Log:
    """The log in the database at *address*, such as ``sqlite:///club.db`` or ``postgresql+psycopg://desk@host/club``."""

    def __init__(self, address: str) -> None:
        """Connect to the database, and create the table if needed.

        Raises:
            LogTrouble: If the database can't be opened.
        """
        try:
            self._engine = sa.create_engine(sa.make_url(address), pool_pre_ping=True)
            if self._engine.dialect.name == "sqlite":
                sa.event.listen(self._engine, "connect", _safely)
            _META.create_all(self._engine)
            self._fill_file()
        except ModuleNotFoundError as bad:
            raise LogTrouble(f"the database needs {bad.name}: install cribpi's club-postgres extra") from None
        except (ArgumentError, NoSuchModuleError):
            why = "not a database address: use sqlite:///FILE or postgresql+psycopg://..."
            raise LogTrouble(why) from None
        except SQLAlchemyError as bad:
            raise LogTrouble(_why(bad)) from None

    @property
    def address(self) -> str:
        """Address of the database, without the password."""
        return self._engine.url.render_as_string()

    def close(self) -> None:
        self._engine.dispose()

    def nights(self) -> dict[str, str]:
        """Return the UTC time of each night's last entry, by night. The latest night is first.

        Raises:
            LogTrouble: If the log can't be read.
        """
        last = sa.select(_LOG.c.night, sa.func.max(_LOG.c.number)).group_by(_LOG.c.night)
        those = sa.tuple_(_LOG.c.night, _LOG.c.number).in_(last)
        found = sa.select(_LOG.c.night, _LOG.c.at).where(those, _LOG.c.night != CLUB)
        found = found.order_by(_LOG.c.at.desc())
        return {name: at for name, at in self._rows(found)}  # noqa: C416  mypy does not accept rows as pairs

    def clock(self, night: str = "", redated: Collection[str] = ()) -> str:
        """Return a warning if this machine's clock contradicts the log, otherwise "".

        A *night* long after all others is doubted. The director has corrected the dates of nights in
        *redated*, so they are not compared.

        Raises:
            LogTrouble: If the log can't be read.
        """
        now, last = _now(), {name: at for name, at in self.nights().items() if name not in redated}
        latest = max(last.values(), default="")
        others = max((at for name, at in last.items() if name != night), default="")
        shows, after, before = (f"{at[:10]} {at[11:16]} UTC" for at in (now, latest, others))
        if now < latest:
            return (
                f"This machine's clock shows {shows}, but the log has an entry from {after}: set the clock."
            )
        if night and others and datetime.fromisoformat(now) - datetime.fromisoformat(others) > LONGEST_PAUSE:
            why = f"This machine's clock shows {shows}, and the night before ended on {before[:10]}"
            return f"{why}: is the clock ahead? Set it before round 1, and begin a new night."
        return ""

    def entries(self, night: str) -> list[ClubEntry]:
        """Return the entries of *night*, in order.

        Raises:
            LogTrouble: If the log can't be read.
        """
        return [entry for _, entry in self.timed(night)]

    def rows(self, nights: Iterable[str]) -> dict[str, Sequence[Any]]:
        """Return the database rows of several *nights*, by night, with one query. `timed` accepts them.

        Raises:
            LogTrouble: If the database does not respond.
        """
        found = sa.select(_LOG).where(_LOG.c.night.in_(nights)).order_by(_LOG.c.night, _LOG.c.number)
        return {night: list(rows) for night, rows in groupby(self._rows(found), lambda row: row.night)}

    def timed(self, night: str, rows: Sequence[Any] | None = None) -> list[tuple[str, ClubEntry]]:
        """Return the UTC time and the entry of each row of *night*, in order.

        Without *rows*, they are read first.

        Raises:
            LogTrouble: If the log can't be read.
        """
        rows = self.rows([night]).get(night, []) if rows is None else rows
        try:
            found = with_tables(from_json(json.loads(row.entry)) for row in rows)
        except (ValueError, TypeError) as bad:
            raise LogTrouble(f"{_label(night)} can't be read: {bad}") from None
        if [row.number for row in rows] != list(range(1, len(rows) + 1)):
            raise LogTrouble(f"entries of {_label(night)} are missing")
        return [(row.at, entry) for row, entry in zip(rows, found, strict=True)]

    def add(self, night: str, number: int, entry: ClubEntry) -> None:
        """Write *entry* as row *number* of the night.

        Raises:
            LogTrouble: If the write fails, if another desk has written to this night meanwhile, or if earlier
                rows are gone.
        """
        row = {"night": night, "number": number, "at": _now(), "entry": json.dumps(to_json(entry))}
        try:
            with self._engine.begin() as db:
                before = sa.select(sa.func.count()).where(_LOG.c.night == night, _LOG.c.number < number)
                if db.scalar(before) != number - 1:
                    gone = f"entries of {_label(night)} are gone from the log"
                    raise LogTrouble(f"{gone}: was it changed by hand? Start the desk again")
                db.execute(sa.insert(_LOG).values(**row))
        except IntegrityError as bad:
            there = [one for one in self.rows([night]).get(night, ()) if one.number == number]
            if [(one.at, one.entry) for one in there] == [(row["at"], row["entry"])]:
                return  # saved, but the response was lost
            if not there:
                raise LogTrouble(_why(bad)) from None
            if night == CLUB:
                raise Taken("another desk has changed the book of players: try again") from None
            raise LogTrouble("another desk is running this night: close one of them") from None
        except SQLAlchemyError as bad:
            raise LogTrouble(_why(bad)) from None
        self._fill_file()

    def _fill_file(self) -> None:
        """Move the WAL into SQLite's main file, so that a copy of that file alone is complete."""
        if self._engine.dialect.name == "sqlite":
            with suppress(SQLAlchemyError), self._engine.connect() as db:  # the entry is already on disk
                db.exec_driver_sql("PRAGMA wal_checkpoint(FULL)")

    def copy(self) -> bytes:
        """Return a copy of the whole log as an SQLite file, even if the database is PostgreSQL.

        Raises:
            LogTrouble: If the log can't be read.
        """
        rows = [dict(zip(_LOG.c.keys(), row, strict=True)) for row in self._rows(sa.select(_LOG))]
        made = sa.create_engine("sqlite://")
        try:
            with made.begin() as db:
                _META.create_all(db)
                db.execute(sa.insert(_LOG), rows) if rows else None
            with closing(made.raw_connection()) as line:
                return bytes(line.driver_connection.serialize())  # type: ignore[union-attr]
        finally:
            made.dispose()

    def _rows(self, query: Any) -> Sequence[Any]:  # noqa: ANN401  SQLAlchemy's own type has two parameters
        try:
            with self._engine.connect() as db:
                return db.execute(query).all()
        except SQLAlchemyError as bad:
            raise LogTrouble(_why(bad)) from None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _safely(connection: Any, _record: Any) -> None:  # noqa: ANN401  SQLAlchemy's
    """Make SQLite sync each entry to disk."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")


def _label(night: str) -> str:
    return f"the night {night}" if night != CLUB else "the book of players"


def _why(bad: SQLAlchemyError) -> str:
    """Return the database's error message, without the SQL statement."""
    first = str(getattr(bad, "orig", None) or bad).strip().splitlines()
    return f"the database gave an unexpected answer ({first[0] if first else type(bad).__name__})"
