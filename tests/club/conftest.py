"""A fresh database for each test that uses one, in SQLite and in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

import pytest
from support.postgres import needs_postgres, postgres

_SCHEMAS: Final = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a PostgreSQL that all tests share."""
    with postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=needs_postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'club.db'}"
    return _schema(str(request.getfixturevalue("server")))


def _schema(server: str) -> str:
    """Make an empty schema and return its address, which takes less time than a database."""
    from sqlalchemy import create_engine, text  # noqa: PLC0415  the extra `club`

    name = f"night_{next(_SCHEMAS)}"
    engine = create_engine(server)
    with engine.begin() as db:
        db.execute(text(f"CREATE SCHEMA {name}"))
    engine.dispose()
    return f"{server}&options=-csearch_path%3D{name}"
