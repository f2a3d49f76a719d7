"""The levels at which the machine plays, from the weakest: each is loaded only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random

from cribpi.core.levels import BY_NAME, CARELESS, NAMES
from cribpi.core.shown import shown
from cribpi.opponents.opponent import Opponent


class UnknownLevel(ValueError):
    """There is no such level.  Its text is one sentence with the remedy."""


def opponent(level: str, *, chance: Random, errs: bool = False) -> Opponent:
    """Return a new opponent of a *level*; all that it leaves to chance hangs on a seed from *chance*, and on
    what it sees.

    One that *errs* overlooks something at one decision in ten, as people do.

    >>> opponent("thrifty", chance=Random(1))
    Greedy()

    Raises:
        UnknownLevel: If there is no such level, or it does not err.
    """
    check_level(level, errs=errs)
    seed = chance.getrandbits(64)
    found = _made(level, seed)
    if not errs:
        return found
    from cribpi.opponents.mistakes import Careless  # noqa: PLC0415

    return Careless(found, seed)


def check_level(level: str, *, errs: bool = False) -> None:
    """Raise `UnknownLevel` if there is no such *level*, or none that *errs*."""
    if level not in BY_NAME:
        raise UnknownLevel(f"the level {shown(level)} is not known: choose one of {', '.join(NAMES)}")
    if errs and not BY_NAME[level].may_be_careless:
        raise UnknownLevel(f"{level} is never careless: choose a level below it, or leave out -errs")


def read_level(name: str) -> tuple[str, bool]:
    """Return the level that *name* names, and whether it errs: `solid`, or `solid-errs`.

    >>> read_level("solid"), read_level("solid-errs")
    (('solid', False), ('solid', True))

    Raises:
        UnknownLevel: If there is no such level, or it does not err.
    """
    level = name.removesuffix(CARELESS)
    check_level(level, errs=level != name)
    return level, level != name


def _made(name: str, seed: int) -> Opponent:
    # Loaded here, so that a seat loads what it needs and no more: the weaker two, no NumPy.
    level = BY_NAME[name]
    module, _, kind = level.plays.partition(":")
    made: Callable[..., Opponent] = getattr(import_module(f"cribpi.opponents.{module}"), kind)
    return made(seed) if level.is_seeded else made()
