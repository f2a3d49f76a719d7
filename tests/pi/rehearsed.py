"""A whole game as it ought to look: its keys, and what screen and lights show after each of them.

That is a rehearsal's, on this machine and on emulated chips; the machine that is tested must show the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from random import Random
from typing import Final

from pi.machine import Sight
from support.games import referee_game
from support.scripts import keys_by_cards, start_keys

from cribpi.companion import kit as kits
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.view import view_of
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.views.screen.screen import draw_last
from cribpi.cribbage.game import events
from cribpi.cribbage.game.state import Phase, State

SEED: Final = 21
TARGET: Final = 121
SETTLED: Final = 2.0
"""Seconds after a press in which gestures have come to their end."""


@dataclass(frozen=True, slots=True)
class Press:
    """A key of the game, its row's and its column's pin, and what is seen once it has done what it does."""

    key: str
    row: int
    column: int
    wanted: Sight
    state: State
    """How the game stands then."""


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game: what is seen before its first press, and its presses."""

    before: Sight
    presses: tuple[Press, ...]


def pins_of(keypad: kits.Keypad) -> dict[str, tuple[int, int]]:
    """Return the row's and the column's pin of each key."""
    return {
        key: (row, column)
        for row, keys in zip(keypad.rows, keypad.keys, strict=True)
        for column, key in zip(keypad.columns, keys, strict=True)
        if key
    }


def whole_game(seed: int = SEED, target: int = TARGET) -> Game:
    """Return a game of two by cards, the cards of which fall by *seed*, to its last press.

    Raises:
        AssertionError: If the rehearsal refuses a press, or does not come to the end.
    """
    kit = load_kit("table")
    assert isinstance(kit.keypad, kits.Keypad)
    pins = pins_of(kit.keypad)
    presses: list[Press] = []
    with closing(Rehearsal(kit, seed)) as bench:
        before = seen(bench)
        for expected in referee_game(Random(seed), 2, target, suited=False):
            for key in _keys(expected.event, bench, target):
                assert bench.press(key) is None, key
                presses.append(Press(key, *pins[key], seen(bench), bench.now.state))
            assert bench.now.state.scores() == expected.scores
        assert bench.now.state.phase is Phase.GAME_OVER
    return Game(before, tuple(presses))


def _keys(event: events.Event, bench: Rehearsal, target: int) -> Sequence[str]:
    if isinstance(event, events.GameStarted):
        assert event.dealer is not None
        return start_keys(2, target, "cards", event.dealer)
    return keys_by_cards(event, bench.now.state)


def last_picture(game: Game, at: int, words: str) -> bytes:
    """Return what the screen says after press number *at* of *game*: *words* on that the machine goes off."""
    return draw_last(view_of(game.presses[at - 1].state, InputState()), words).tobytes()


def seen(bench: Rehearsal) -> Sight:
    """Return what is seen of *bench* once it has come to rest."""
    bench.twin._pause(SETTLED)
    return Sight(bench.glass().tobytes(), bytes(bench.board().data), bench.twin.panel.contrast)
