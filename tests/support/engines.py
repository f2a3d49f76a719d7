"""Engines for tests, well-behaved or faulty, and a check whether any is still running."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from textwrap import indent
from typing import Final

import pytest

from cribpi.companion.engines import sandbox
from cribpi.companion.engines.process import PREFIX
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.opponent import Opponent, RandomPlayer
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import Rules


def _unconfinable() -> str:
    """Return the reason why no program can be confined here, or ""."""
    try:
        sandbox.check()
    except UserError as why:
        return str(why)
    return ""


_WHY: Final = _unconfinable()
needs_confinement: Final = pytest.mark.skipif(
    bool(_WHY), reason=f"no engine plays here, so none was tested: {_WHY}"
)

EXAMPLES: Final = Path(__file__).resolve().parents[2] / "docs" / "examples"

_LOOP: Final = """\
import os, signal, socket, subprocess, sys, time

def say(line):
    print(line, flush=True)

{first}
for line in sys.stdin:
    word, *words = line.split()
    field = dict(zip(words[::2], words[1::2]))
    if word == "cei":
        say("ceiok")
    if word == "newgame":
        say("readyok")
    if word == "position":
        position = field
    if word == "go":
{go}
"""

FIRST_CARDS: Final = """\
hand = position["hand"].split(",")
count = sum(min("A 2 3 4 5 6 7 8 9 10 J Q K".split().index(card[:-1]) + 1, 10)
            for card in position.get("pile", "").split(",") if card)
fits = [card for card in hand
        if count + min("A 2 3 4 5 6 7 8 9 10 J Q K".split().index(card[:-1]) + 1, 10) <= 31]
say("bestmove " + (fits[0] if "starter" in position else ",".join(hand[4:])))
"""
"""Body of a legal engine's `go`: it discards its last cards, and plays the first card that fits."""


def engine(folder: Path, go: str = FIRST_CARDS, first: str = "") -> str:
    """Write an engine into *folder* that runs *first* at its start and *go* at each decision.

    Return its name.
    """
    program = folder / "engine.py"
    program.write_text(_LOOP.format(first=first, go=indent(go, "        ")), encoding="utf-8")
    return python(program)


def python(program: Path) -> str:
    """Return the engine name of a Python *program*."""
    return f"{PREFIX}{sys.executable} {program}"


def running(folder: Path) -> dict[str, str]:
    """Return the command lines of the processes that mention *folder*, by process ID."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:  # the process has ended meanwhile
            continue
        if f"{folder}/" in words:
            found[process.name] = words
    return found


@dataclass
class Seen:
    """A random opponent that records its view at each decision."""

    player: Opponent
    sights: list[SeatSight]

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        self.sights.append(sight)
        return self.player.discard(sight)

    def play(self, sight: SeatSight) -> Card:
        self.sights.append(sight)
        return self.player.play(sight)


def sights_of(rules: Rules, chance: Random) -> list[SeatSight]:
    """Play a random game. Return the view of the seat at each decision."""
    found: list[SeatSight] = []
    players = [Seen(RandomPlayer(chance.getrandbits(32)), found) for _ in range(rules.players)]
    for _ in game(
        players, rules, lambda _: chance.sample(PACK, len(PACK)), dealer=chance.randrange(rules.players)
    ):
        pass
    return found
