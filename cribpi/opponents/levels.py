"""The levels at which the machine plays, from the weakest: each is loaded only when it is asked for."""

from __future__ import annotations

from random import Random
from typing import Final

from cribpi.core.shown import shown
from cribpi.opponents.opponent import Opponent

LEVELS: Final = ("chance", "thrifty", "solid", "expert")
"""The levels, the weakest first."""

ERRS: Final = "-errs"
"""What the name of a level ends in where it errs."""

UNERRING: Final = ("expert",)
"""The levels that do not err, told to or not."""


class UnknownLevel(ValueError):
    """There is no such level.  Its text is one sentence with the remedy."""


def opponent(level: str, *, chance: Random, errs: bool = False) -> Opponent:
    """Return a new opponent of a *level*; all that it leaves to chance hangs on a seed from *chance*, and on what it sees.

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
    if level not in LEVELS:
        raise UnknownLevel(f"the level {shown(level)} is not known; there are: {', '.join(LEVELS)}")
    if errs and level in UNERRING:
        raise UnknownLevel(f"{level} does not err: choose a level below it, or let it play as it can")


def read_level(name: str) -> tuple[str, bool]:
    """Return the level that *name* names, and whether it errs: `solid`, or `solid-errs`.

    >>> read_level("solid"), read_level("solid-errs")
    (('solid', False), ('solid', True))

    Raises:
        UnknownLevel: If there is no such level, or it does not err.
    """
    level = name.removesuffix(ERRS)
    check_level(level, errs=level != name)
    return level, level != name


def _made(level: str, seed: int) -> Opponent:
    # Each is imported here, so that a seat loads what it needs and no more: the weaker two, no NumPy.
    match level:
        case "chance":
            from cribpi.opponents.random_player import RandomPlayer  # noqa: PLC0415

            return RandomPlayer(seed)
        case "solid":
            from cribpi.opponents.solid import Solid  # noqa: PLC0415

            return Solid()
        case "expert":
            from cribpi.opponents.expert import Expert  # noqa: PLC0415

            return Expert(seed)
        case _:
            from cribpi.opponents.greedy import Greedy  # noqa: PLC0415

            return Greedy()
