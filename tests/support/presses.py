"""Random presses, and a model of a table that is only a list of events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, TypeAlias

from cribpi.companion.entry.choice import Choice, Scene
from cribpi.companion.entry.effect import Effect, TableCommand, WrongKey, event_of_draw
from cribpi.companion.entry.hands import hand_view, is_by_machine, next_machine
from cribpi.companion.entry.input_context import ANY_CONTEXT, InputContext, SavedInput
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.keys import DIGITS, HOLDS, KEYS, RANKS, TWENTY, Pad
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.view import TableView, likely_keys, view_of
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK, Card, in_order
from cribpi.cribbage.game.events import (
    CardCut,
    CardPlayed,
    DealerChosen,
    Discarded,
    Entry,
    Event,
    GameStarted,
    GoSaid,
    HeelsTaken,
    PackShuffled,
)
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import changed, preset

Input: TypeAlias = InputState | SavedInput
"""Pending input. Without a context, it is in the default context."""

SUITED = tuple(rank + suit for rank in RANKS for suit in "CDHS")


def view_at(state: State, given: Input, pad: Pad = TWENTY, seat: int | None = None) -> TableView:
    """Return the view of *state* with this input. For *seat*, see `view_of`."""
    saved = SavedInput(given) if isinstance(given, InputState) else given
    return view_of(state, saved.input_state, pad, seat, context=saved.context)


def after(given: Input, effect: Effect) -> SavedInput:
    """Return the input after *effect*, given the input before."""
    before = ANY_CONTEXT if isinstance(given, InputState) else given.context
    return SavedInput(effect.input_state, effect.context or before)


def press(state: State, given: Input, key: str, pad: Pad = TWENTY, seat: int | None = None) -> Effect:
    """Return the reply to *key* of *pad*. For *seat*, see `view_of`.

    Raises:
        RuleError: As `TableView.press`.
    """
    return view_at(state, given, pad, seat).press(key)


def choices(state: State, given: Input, pad: Pad = TWENTY, seat: int | None = None) -> tuple[Choice, ...]:
    """Return the keys that can be pressed."""
    return view_at(state, given, pad, seat).choices


def prompt(state: State, given: Input, pad: Pad = TWENTY, seat: int | None = None) -> str:
    """Return the prompt."""
    return view_at(state, given, pad, seat).prompt


def lit_keys(state: State, given: Input, pad: Pad = TWENTY) -> tuple[str, ...]:
    """Return the keys of *pad* that are lit."""
    return likely_keys(choices(state, given, pad), pad)


def here(state: State, given: Input, pad: Pad = TWENTY) -> Scene:
    """Return the scene."""
    return view_at(state, given, pad).scene


def means(state: State, given: Input, key: str, pad: Pad) -> str:
    """Return the key of a full keypad that *key* of *pad* means."""
    return view_at(state, given, pad).meanings.get(key, key)


def takes_ranks(state: State, given: Input) -> bool:
    """Return whether ranks are expected."""
    return here(state, given).takes_ranks


def hand_of(state: State, seat: int) -> list[Card]:
    """Return the cards that *seat* holds, lowest first."""
    return in_order(sight_of(state, seat).hand)


def may_hint(state: State, input_state: InputState) -> bool:
    """Return whether a hint can be requested on a shared screen."""
    hand = hand_view(state, input_state)
    return hand is not None and hand.may_hint


def chance_event(state: State, effect: Effect, draw: int) -> Event | None:
    """Return the event of *effect*. Random parts depend on *draw*."""
    if effect.command is TableCommand.SHUFFLE:
        return PackShuffled(shuffled(draw))
    return event_of_draw(state, effect.command, draw) or effect.event


def random_key(state: State, given: Input, chance: Random) -> str:
    """Return a random key, which usually makes sense."""
    luck = chance.random()
    if luck < 0.75:
        return chance.choice(lit_keys(state, given))
    if luck < 0.80:
        return "OK"
    if luck < 0.83:
        return chance.choice(SUITED)
    if luck < 0.86:
        return chance.choice(list(DIGITS))
    return chance.choice((*KEYS, *HOLDS))


def random_setup(chance: Random) -> NextGame:
    """Return a random set-up for short matches: any preset, with some house rules."""
    levels = tuple(chance.choices(["", "", "chance", "thrifty"], k=4))
    plain = NextGame(entry=chance.choice(["cards", "cards", "peg", "dealt"]), levels=levels)
    setup = plain.with_preset(chance.choice(list(rulebook().presets)))
    changes = {"target": "31", "match": chance.choice(["open", "first-to-1", "first-to-2", "best-of-3"])}
    for option in chance.sample(list(rulebook().options.values()), chance.randint(0, 4)):
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


def shuffled(draw: int) -> tuple[Card, ...]:
    """Return the pack shuffled with the seed *draw*."""
    return tuple(Random(draw).sample(PACK, len(PACK)))


def machine_event(state: State, chance: Random) -> Event | None:
    """Return a random decision of the computer's seat that acts next, or None if no computer acts next."""
    seat, deal = next_machine(state), state.deal
    if seat is None or deal is None:
        return None
    if deal.heels_open and seat == deal.dealer:
        return HeelsTaken()
    sight = sight_of(state, seat)
    if state.phase is Phase.DEAL:
        return Discarded(seat, tuple(chance.sample(sight.hand, state.rules.sizes.discarded)))
    return CardPlayed(seat, chance.choice(sight.playable)) if sight.playable else GoSaid(seat)


class Sitting(ABC):
    """A table in memory: its pending input, and the data read from it."""

    input_state: InputState
    context: InputContext
    pad: Pad = TWENTY

    @property
    @abstractmethod
    def state(self) -> State:
        """State of the game."""

    @property
    def saved(self) -> SavedInput:
        return SavedInput(self.input_state, self.context)

    @property
    def next_game(self) -> NextGame:
        return self.context.next_game

    @property
    def view(self) -> TableView:
        return view_at(self.state, self.saved, self.pad)


@dataclass
class Model(Sitting):
    """A table in memory: all events in force, and the undone ones."""

    input_state: InputState = field(default_factory=InputState)
    context: InputContext = ANY_CONTEXT
    events: list[Event] = field(default_factory=list)
    states: list[State] = field(default_factory=lambda: [NEW_TABLE])
    undone: list[Event] = field(default_factory=list)
    seq: int = 0
    given: dict[tuple[object, ...], Event] = field(default_factory=dict)
    """Random events by position in a game that the computer deals. They stay the same after an undo."""

    @property
    def state(self) -> State:
        return self.states[-1]

    def press(self, key: str, draw: int = 0) -> Effect:
        """Press *key*.

        Raises:
            RuleError: If the key is refused. Nothing has changed then.
        """
        effect = press(self.state, self.saved, key)
        event = chance_event(self.state, effect, draw)
        if event is not None:
            place = self._place(event)
            self._do(self.given.setdefault(place, event) if place else event)
        elif effect.command is TableCommand.UNDO:
            if not self.events:
                raise WrongKey("nothing is there to take back")
            is_machines = True
            while is_machines:
                is_machines = is_by_machine(self.state, self.events[-1])
                self.undone.append(self.events.pop())
                self.states.pop()
        elif effect.command is TableCommand.REDO:
            if not self.undone:
                raise WrongKey("nothing is there to bring back")
            self._bring_back()
            while self.undone and is_by_machine(self.state, self.undone[-1]):
                self._bring_back()
        self.input_state, self.context = after(self.saved, effect)
        self.seq += 1
        return effect

    def _place(self, event: Event) -> tuple[object, ...] | None:
        """Return the key of the random *event* in `given`. None if the event is not random."""
        if self.state.entry is not Entry.DEALT:
            return None
        starts = [at for at, one in enumerate(self.events) if isinstance(one, GameStarted)]
        before = tuple(self.events[: starts[-2] + 1]) if len(starts) > 1 else ()
        game, deal = (before, self.events[starts[-1]]), self.state.deal
        since = list(zip(self.events, self.states, strict=False))[starts[-1] :]
        match event:
            case CardCut():
                return (*game, "cut", sum(isinstance(one, CardCut) for one, _ in since))
            case DealerChosen() if self.state.rules.first_dealer == "random":
                return (*game, "dealer")
            case PackShuffled() if deal is not None:
                packs = sum(
                    isinstance(one, PackShuffled) and at.deal is not None and at.deal.number == deal.number
                    for one, at in since
                )
                return (*game, deal.number, deal.dealer, packs)
            case _:
                return None

    def act(self, chance: Random) -> Event | None:
        """Make the computer's next seat act at random. Return its event, or None if no computer acts next."""
        event = machine_event(self.state, chance) if self.input_state.dialog is None else None
        if event is not None:
            self._do(event)
            self.input_state = replace(self.input_state, message=None)
            self.seq += 1
        return event

    def _do(self, event: Event) -> None:
        self.states.append(step(self.state, event))
        self.events.append(event)
        self.undone.clear()

    def _bring_back(self) -> None:
        self.events.append(self.undone.pop())
        self.states.append(step(self.state, self.events[-1]))

    def press_all(self, text: str) -> None:
        """Press the keys in *text*, separated by spaces."""
        for key in text.split():
            self.press(key)


NAMES: Final = ("ANN", "BOB", "CAT", "DAN")
PLAY: Final = "7 3 6 8 K GO GO 9 6 10 GO 10"
"""Keys of a two-player deal whose starter is a seven: ANN plays 3 8 9 10, which counts six."""


def at(
    text: str, rules: str = "standard", players: int = 2, entry: Entry = Entry.CARDS, **house: str
) -> Model:
    """Return a table after the keys in *text*. With two players, ANN leads."""
    model = Model()
    wanted = changed(preset(rules, players), house)
    start = events.GameStarted(NAMES[:players], wanted, entry, dealer=players - 1)
    model.events.append(start)
    model.states.append(fold([start]))
    model.press_all(text)
    return model


def last(model: Model) -> Event:
    """Return the event of the last press."""
    return model.events[-1]
