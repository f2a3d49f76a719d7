"""The levels at which the computer plays.  A new level is a new row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

CARELESS: Final = "-errs"
"""Suffix of a level that overlooks a combination or a card in one decision in ten, as people do."""

_ENGINE: Final = re.compile(r"engine-([a-z]{1,9})")
"""The level of a third-party engine, with its name in the settings."""

UNREADING: Final = "-no-reading"
"""Suffix of a level that assumes that the others play as `solid`: it measures the gain from reading them."""


@dataclass(frozen=True, slots=True)
class Level:
    name: str
    """The name in settings, commands, journals and the page."""
    title: str
    knows: str = ""
    """A description of its skill, in a line of a phone; empty if the page and the menus don't offer it."""
    plays: str = ""
    """The class of the player, `module:class` in `cribpi.cribbage.players`, imported when needed."""
    is_seeded: bool = False
    may_be_careless: bool = True
    reads: bool = False
    """Whether it infers the style of a single opponent, also from earlier games."""
    loads: bool = False
    """Whether it loads tables, which on a Pi takes longer than a decision."""


LEVELS: Final = (
    Level(
        "chance",
        "Chance",
        plays="opponent:RandomPlayer",
        is_seeded=True,
    ),
    Level(
        "beginner",
        "Beginner",
        "Overlooks a lot. Forgets whose crib it is.",
        "fallible:BEGINNER",
        is_seeded=True,
        may_be_careless=False,
    ),
    Level(
        "easy",
        "Easy",
        "Misses half its points, rarely looks ahead.",
        "fallible:EASY",
        is_seeded=True,
        may_be_careless=False,
    ),
    Level(
        "medium",
        "Medium",
        "Misses some points, and some replies.",
        "fallible:MEDIUM",
        is_seeded=True,
        may_be_careless=False,
    ),
    Level(
        "thrifty",
        "Thrifty",
        plays="opponent:Greedy",
    ),
    Level(
        "strong",
        "Strong",
        "Misses little, but ignores the score.",
        "fallible:STRONG",
        is_seeded=True,
        may_be_careless=False,
    ),
    Level(
        "solid",
        "Solid",
        plays="solid:Solid",
        loads=True,
    ),
    Level(
        "expert",
        "Hard",
        "Reads your play, and plays to win.",
        "expert:Expert",
        is_seeded=True,
        may_be_careless=False,
        reads=True,
        loads=True,
    ),
)
"""The levels, weakest first."""

OFFERED: Final = tuple(level for level in LEVELS if level.knows)

BY_NAME: Final = {level.name: level for level in LEVELS}

NAMES: Final = tuple(BY_NAME)

CARELESS_NAMES: Final = tuple(f"{level.name}{CARELESS}" for level in LEVELS if level.may_be_careless)


def engine_name(level: str) -> str:
    """Return the name of the engine that plays *level*, or "" if it is a level of cribpi.

    >>> engine_name("engine-fred"), engine_name("solid")
    ('fred', '')
    """
    match = _ENGINE.fullmatch(level)
    return match[1] if match else ""


def title_of(name: str) -> str:
    """Return the title of the level *name*.

    >>> title_of("medium"), title_of("solid-errs"), title_of("engine-fred")
    ('Medium', 'Solid, careless', 'Fred')
    """
    plain = name.removesuffix(CARELESS)
    if plain not in BY_NAME:
        return engine_name(name).capitalize() or name  # from a journal by another version
    return BY_NAME[plain].title + (", careless" if plain != name else "")
