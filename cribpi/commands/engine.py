"""`cribpi engine`: serve a level to other programs over the cribbage engine interface (CEI)."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from functools import partial
from random import Random
from typing import Final

from cribpi.cribbage.engine.level import Engine
from cribpi.cribbage.engine.lines import LONGEST, Info
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.levels import opponent, prepare, read_level
from cribpi.cribbage.players.opponent import Opponent
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.words.levels import BY_NAME

AUTHOR: Final = "the authors of cribpi"

WEIGHS: Final = "expert"
"""Level that can evaluate all choices."""


def run(options: Namespace) -> None:
    """Answer commands from standard input until `quit` or the end of input.

    Raises:
        UserError: If there is no such level.
    """
    level, _ = read_level(options.level)
    weigh = weighed if options.level == WEIGHS else None
    engine = Engine(
        f"cribpi {options.level}", AUTHOR, partial(new_opponent, options.level, level, options.seed), weigh
    )
    for line in lines():
        for answer in engine.answer(line):
            print(answer, flush=True)
        if engine.is_over:
            return


def new_opponent(name: str, level: str, seed: int, rules: Rules) -> Opponent:
    """Return an opponent, after loading the tables that its level needs."""
    if BY_NAME[level].loads:
        prepare(rules)
    return opponent(name, chance=Random(seed))  # noqa: S311  must be reproducible


def weighed(sight: SeatSight, most: int) -> Iterable[Info]:
    """Evaluate the choices in *sight*. Return the best *most*, best first, with their values."""
    from cribpi.cribbage.players.advice import advise, card_worths  # noqa: PLC0415  loads NumPy

    if sight.rules.is_five_card:
        return []
    if sight.starter is None:
        return [Info(row.away, row.win, row.points) for row in advise(sight)[:most]]
    return [Info((row.card,), row.win, row.points) for row in card_worths(sight)[:most]]


def lines() -> Iterator[str]:
    """Yield the lines of standard input, cut at the interface's maximum length.

    Bytes that are not UTF-8 are replaced, so that the engine answers such a line with an error.
    """
    while line := sys.stdin.buffer.readline(LONGEST):
        yield line.decode("utf-8", "replace")
        while len(line) == LONGEST and not line.endswith(b"\n"):
            line = sys.stdin.buffer.readline(LONGEST)
