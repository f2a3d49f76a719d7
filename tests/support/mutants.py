"""Mutation tests of a room by mutmut, with the tests of that room.

mutmut reads one list of files and one of tests from pyproject.toml. With all rooms in one list, each run
would first run all their tests.
"""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import rmtree
from typing import Final

ROOMS: Final = {
    "game": (
        ("cribpi/cribbage/game", "cribpi/cribbage/rules"),
        (
            "tests/cribbage/game",
            "tests/cribbage/rules",
            "tests/cribbage/words",
            "tests/cribbage/record",
            "tests/cribbage/results",
        ),
    ),
    "results": (
        ("cribpi/cribbage/results",),
        (
            "tests/cribbage/results",
            "tests/cribbage/game/test_deals.py",
            "tests/cribbage/game/test_matches.py",
            "tests/cribbage/game/test_refusals.py",
            "tests/companion/history/test_summaries.py",
            "tests/companion/web/json/test_statistics.py",
        ),
    ),
    "review": (
        ("cribpi/cribbage/review",),
        (
            "tests/cribbage/review",
            "tests/commands/test_advise.py",
            "tests/commands/test_practice.py",
            "tests/commands/test_review.py",
            "tests/house/test_docs_review.py",
        ),
    ),
    "files": (
        ("cribpi/companion/files",),
        ("tests/companion/files", "tests/companion/kit", "tests/companion/run/test_settings.py"),
    ),
    "update": (("cribpi/companion/update",), ("tests/commands/test_update.py",)),
    "doctor": (
        ("cribpi/companion/doctor",),
        ("tests/companion/doctor", "tests/companion/devices/test_board.py"),
    ),
    "api": (
        ("cribpi/cribbage/api",),
        (  # without test_door.py, because a mutated class has no docstrings, and that test needs them
            "tests/cribbage/api/test_environment.py",
            "tests/cribbage/api/test_game.py",
            "tests/cribbage/api/test_scoring.py",
            "tests/cribbage/api/test_weighing.py",
        ),
    ),
    "words": (
        ("cribpi/cribbage/words",),
        (
            "tests/cribbage/words",
            "tests/cribbage/api/test_scoring.py",
            "tests/companion/entry/test_prompts.py",
        ),
    ),
}
"""Folders of each room, and the tests to run besides the doctests."""
_MUTANTS: Final = Path("mutants")


def main(room: str, arguments: list[str]) -> None:
    """Mutate the files of *room*, and print the mutations that no test finds."""
    from mutmut.__main__ import cli  # noqa: PLC0415  tests are collected where it is not installed, too
    from mutmut.configuration import config  # noqa: PLC0415

    folders, tests = ROOMS[room]
    chosen = config()
    chosen.only_mutate = [f"{folder}/*" for folder in folders]
    chosen.pytest_add_cli_args_test_selection = [*tests, *folders]
    last = _MUTANTS / "room"
    if not last.exists() or last.read_text() != room:  # mutmut would reuse mutants of another room
        rmtree(_MUTANTS, ignore_errors=True)
        _MUTANTS.mkdir()
        last.write_text(room)
    cli(["run", *arguments], standalone_mode=False)
    cli(["results"])


if __name__ == "__main__":
    if sys.argv[1] not in ROOMS:
        sys.exit(f"There is no room {sys.argv[1]}: {', '.join(ROOMS)}.")
    main(sys.argv[1], sys.argv[2:])
