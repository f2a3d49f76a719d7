"""`cribpi engine`: a level that other programs can ask, over the cribbage engine interface."""

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
"""The level whose advice is known."""


def run(options: Namespace) -> None:
    """Answer each line of standard input, up to `quit` or its end.

    Raises:
        UserError: If there is no such level.
    """
    level, _ = read_level(options.level)
    weigh = weighed if options.level == WEIGHS else None
    engine = Engine(
        f"cribpi {options.level}", AUTHOR, partial(made, options.level, level, options.seed), weigh
    )
    for line in lines():
        for answer in engine.answer(line):
            print(answer, flush=True)
        if engine.is_over:
            return


def made(name: str, level: str, seed: int, rules: Rules) -> Opponent:
    """Return a new opponent, with all loaded that it needs."""
    if BY_NAME[level].loads:
        prepare(rules)
    return opponent(name, chance=Random(seed))  # noqa: S311  a game's


def weighed(sight: SeatSight, most: int) -> Iterable[Info]:
    """Yield what the best *most* choices are worth."""
    from cribpi.cribbage.players.advice import advise, card_worths  # noqa: PLC0415  NumPy

    if sight.rules.is_five_card:
        return []
    if sight.starter is None:
        return [Info(one.away, one.win, one.points) for one in advise(sight)[:most]]
    return [Info((one.card,), one.win, one.points) for one in card_worths(sight)[:most]]


def lines() -> Iterator[str]:
    """Yield the lines of standard input, each cut at the longest that the interface has.

    Bytes that are not UTF-8 are replaced: such a line is answered with an error like any other.
    """
    while line := sys.stdin.buffer.readline(LONGEST):
        yield line.decode("utf-8", "replace")
        while len(line) == LONGEST and not line.endswith(b"\n"):
            line = sys.stdin.buffer.readline(LONGEST)
