"""A whole game played in spite of device faults, and compared with the referee."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.config import Config
from cribpi.companion.run.simulator import IN_MEMORY, Rehearsal
from cribpi.companion.views.lights.frame import compose
from cribpi.companion.views.screen.screen import draw
from cribpi.cribbage.game import events
from cribpi.cribbage.game.state import Phase, State
from support.games import Expected, referee_game
from support.scripts import keys_by_cards, start_keys

SEED, TARGET = 31, 31


def script(target: int = TARGET) -> Iterator[tuple[Expected, Callable[[State], list[str]]]]:
    """Yield a whole two-player game in cards mode: each event's expected result, and the keys for it."""
    for expected in referee_game(Random(SEED), 2, target, suited=False):
        event = expected.event
        if isinstance(event, events.GameStarted):
            assert event.dealer is not None
            start = start_keys(2, target, "cards", event.dealer)
            yield expected, lambda _state, start=start: start  # type: ignore[misc]
        else:
            yield expected, lambda state, event=event: keys_by_cards(event, state)  # type: ignore[misc]


class Evening:
    """A companion on emulated hardware, with people who play the script and check every score."""

    def __init__(self, journal: Path = IN_MEMORY, target: int = TARGET) -> None:
        house = Config(target=target, still=True)
        self.bench = Rehearsal(load_kit("table"), SEED, config=house, journal=journal)
        self.target = target
        self.presses = 0

    def play(self, hand: Callable[[str], None]) -> None:
        """Play to the end. *hand* presses each key, and can cause faults in between."""
        for expected, keys in script(self.target):
            for key in keys(self.bench.now.state):
                hand(key)
                self.presses += 1
            assert self.bench.now.state.scores() == expected.scores, expected.event
        assert self.bench.now.state.phase is Phase.GAME_OVER
        assert max(self.bench.now.state.scores()) == self.target

    def press(self, key: str) -> None:
        assert self.bench.press(key) is None, key

    def wait(self, seconds: float) -> None:
        """Let time pass, then process the reports of devices."""
        self.bench.twin._pause(seconds)
        self.bench.twin._pause(0.01)

    @property
    def troubles(self) -> dict[str, str]:
        return self.bench.loop.troubles

    def board_is_right(self) -> bool:
        """Return whether the LEDs show the pegs of the score, even if other devices have faults."""
        motion = self.bench.loop._motion
        assert motion is not None
        lights = motion.lights(self.bench._now)
        return self.bench.board() == compose(self.bench.kit, lights, max_ma=self.bench.kit.strip.max_ma)

    def glass_is_right(self) -> bool:
        """Return whether the screen shows the current state."""
        now = self.bench.now
        wanted = draw(now.view, now.refusal, trouble=tuple(self.troubles.values()), may_undo=now.may_undo)
        return self.bench.glass().tobytes() == wanted.tobytes()


@contextmanager
def evening(journal: Path = IN_MEMORY, target: int = TARGET) -> Iterator[Evening]:
    found = Evening(journal, target)
    try:
        yield found
    finally:
        found.bench.close()
