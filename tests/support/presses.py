"""Random presses, and a model of a table that is a list of events and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from cribpi.core.errors import BadSetup
from cribpi.core.events import Event
from cribpi.core.game import NEW_TABLE, step
from cribpi.core.options import OPTIONS
from cribpi.core.presets import find_preset
from cribpi.core.rules import PRESETS
from cribpi.core.state import State
from cribpi.entry.desk import Desk, Setup
from cribpi.entry.keys import HOLDS, KEYS, RANKS
from cribpi.entry.press import press
from cribpi.entry.reply import Move, Reply, WrongKey
from cribpi.views.next_keys import keys

SUITED = tuple(rank + suit for rank in RANKS for suit in "CDHS")


def random_key(state: State, desk: Desk, chance: Random) -> str:
    """Return a key that mostly makes sense, and else is any key at all."""
    luck = chance.random()
    if luck < 0.75:
        return chance.choice(keys(state, desk))
    if luck < 0.80:
        return "OK"
    if luck < 0.83:
        return chance.choice(SUITED)
    return chance.choice((*KEYS, *HOLDS))


def random_setup(chance: Random) -> Setup:
    """Return a set-up by any preset, some of its options changed by the house, for short matches."""
    setup = Setup(entry=chance.choice(["cards", "cards", "peg"])).with_preset(chance.choice(PRESETS))
    changes = {"target": "31", "match": chance.choice(["open", "first-to-1", "first-to-2", "best-of-3"])}
    for option in chance.sample(OPTIONS, chance.randint(0, 4)):
        if option.name != "deal":
            changes[option.name] = chance.choice(list(option.values))
    changes["players"] = str(chance.choice(find_preset(setup.rules).players))
    for name in list(changes):
        try:
            return setup.with_rules(None, changes)
        except BadSetup:
            if name not in {"players", "target", "match"}:
                del changes[name]
    return setup.with_rules(None, changes)


@dataclass
class Model:
    """A table in memory: all events that stand, and those that were taken back."""

    desk: Desk = field(default_factory=lambda: Desk(Setup()))
    events: list[Event] = field(default_factory=list)
    states: list[State] = field(default_factory=lambda: [NEW_TABLE])
    undone: list[Event] = field(default_factory=list)
    seq: int = 0

    @property
    def state(self) -> State:
        return self.states[-1]

    def press(self, key: str, draw: int = 0) -> Reply:
        """Do what *key* asks.

        Raises:
            RuleError: If it is refused; then nothing has changed.
        """
        reply = press(self.state, self.desk, key, draw)
        if reply.event is not None:
            self.states.append(step(self.state, reply.event))
            self.events.append(reply.event)
            self.undone.clear()
        elif reply.move is Move.UNDO:
            if not self.events:
                raise WrongKey("nothing is there to take back")
            self.undone.append(self.events.pop())
            self.states.pop()
        elif reply.move is Move.REDO:
            if not self.undone:
                raise WrongKey("nothing is there to bring back")
            self.events.append(self.undone.pop())
            self.states.append(step(self.state, self.events[-1]))
        self.desk = reply.desk
        self.seq += 1
        return reply

    def press_all(self, text: str) -> None:
        """Press the keys that stand in *text*, apart by spaces."""
        for key in text.split():
            self.press(key)
