"""What the tests of the journal's files share."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from support.tables import opened, play_on


@pytest.fixture(scope="session")
def another(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of another journal, with fewer presses, as it is while its program runs."""
    folder = tmp_path_factory.mktemp("another")
    with opened(folder / "state") as (_, table):
        play_on(table, Random(9), 60)
        return shutil.copytree(folder / "state", folder / "left")
