"""The levels at which the computer plays, a row each, weakest first.  A new level is a new row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CARELESS: Final = "-errs"
"""Suffix of a level that overlooks something in one decision in ten, as people do."""

PERSON: Final = ""
"""The level of a person's seat, as settings, journals and the page bear it."""


@dataclass(frozen=True, slots=True)
class Level:
    name: str
    """Its name in settings, commands and files."""
    title: str
    """Its name for players."""
    knows: str
    """What it knows, as a sentence."""
    plays: str
    """The class that plays it, `module:class` below `cribpi.opponents`, imported when a seat needs it."""
    is_seeded: bool = False
    """Whether it makes random choices, and takes a seed."""
    may_be_careless: bool = True
    loads: bool = False
    """Whether it has tables to load, which on a Pi takes longer than a decision."""


LEVELS: Final = (
    Level(
        "chance",
        "Beginner",
        "Discards and plays whatever comes to hand: for a very first game.",
        "random_player:RandomPlayer",
        is_seeded=True,
    ),
    Level(
        "thrifty",
        "Easy",
        "Keeps the four cards worth most before the starter, and takes points where it can.",
        "greedy:Greedy",
    ),
    Level(
        "solid",
        "Medium",
        "Knows what hand and crib are worth on average, and plays some cards ahead.",
        "solid:Solid",
        loads=True,
    ),
    Level(
        "expert",
        "Hard",
        "Infers what others hold, and plays to win the game rather than the deal: the strongest.",
        "expert:Expert",
        is_seeded=True,
        may_be_careless=False,
        loads=True,
    ),
)

BY_NAME: Final = {level.name: level for level in LEVELS}

NAMES: Final = tuple(BY_NAME)

CARELESS_NAMES: Final = tuple(f"{level.name}{CARELESS}" for level in LEVELS if level.may_be_careless)


def title_of(name: str) -> str:
    """Return the players' name for the level *name*.

    >>> title_of("solid"), title_of("solid-errs")
    ('Medium', 'Medium, careless')
    """
    plain = name.removesuffix(CARELESS)
    if plain not in BY_NAME:
        return name  # from a journal by another version
    return BY_NAME[plain].title + (", careless" if plain != name else "")
