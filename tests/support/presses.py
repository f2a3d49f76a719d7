"""Random presses, and a model of a table that is a list of events and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, TypeAlias

from cribpi.companion.entry.choice import Choice, Scene
from cribpi.companion.entry.context import ANY_CONTEXT, Context, SavedInput
from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.hands import hand_view, is_by_machine, next_machine
from cribpi.companion.entry.keys import DIGITS, HOLDS, KEYS, RANKS, TWENTY, Pad
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.reply import Move, Reply, WrongKey, event_of_draw
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

Input: TypeAlias = Desk | SavedInput
"""What lies on a desk; alone it stands for that in the usual context."""

SUITED = tuple(rank + suit for rank in RANKS for suit in "CDHS")


def view_at(state: State, given: Input, pad: Pad = TWENTY, seat: int | None = None) -> TableView:
    """Return the view of one place; a *seat* is as `view_of` has it."""
    saved = SavedInput(given) if isinstance(given, Desk) else given
    return view_of(state, saved.desk, pad, seat, context=saved.context)


def after(given: Input, reply: Reply) -> SavedInput:
    """Return the input after *reply* where it was *given*."""
    before = ANY_CONTEXT if isinstance(given, Desk) else given.context
    return SavedInput(reply.desk, reply.context or before)


def press(state: State, given: Input, key: str, pad: Pad = TWENTY, seat: int | None = None) -> Reply:
    """Return what *key* of *pad* does at one place; a *seat* is as `view_of` has it.

    Raises:
        RuleError: As `TableView.press`.
    """
    return view_at(state, given, pad, seat).press(key)


def choices(state: State, given: Input, pad: Pad = TWENTY, seat: int | None = None) -> tuple[Choice, ...]:
    """Return what can be pressed at one place."""
    return view_at(state, given, pad, seat).choices


def prompt(state: State, given: Input, pad: Pad = TWENTY, seat: int | None = None) -> str:
    """Return what one place asks."""
    return view_at(state, given, pad, seat).prompt


def lit_keys(state: State, given: Input, pad: Pad = TWENTY) -> tuple[str, ...]:
    """Return the keys of *pad* that are lit."""
    return likely_keys(choices(state, given, pad), pad)


def here(state: State, given: Input, pad: Pad = TWENTY) -> Scene:
    """Return what is asked for."""
    return view_at(state, given, pad).scene


def means(state: State, given: Input, key: str, pad: Pad) -> str:
    """Return which key of a whole keypad *key* of *pad* is."""
    return view_at(state, given, pad).meanings.get(key, key)


def takes_ranks(state: State, given: Input) -> bool:
    """Tell whether ranks up to the king are asked for."""
    return here(state, given).takes_ranks


def hand_of(state: State, seat: int) -> list[Card]:
    """Return the cards that *seat* holds, lowest first."""
    return in_order(sight_of(state, seat).hand)


def may_hint(state: State, desk: Desk) -> bool:
    """Tell whether a hint can be asked for at a shared screen."""
    hand = hand_view(state, desk)
    return hand is not None and hand.may_hint


def chance_event(state: State, reply: Reply, draw: int) -> Event | None:
    """Return the event of *reply*, with what it leaves to chance as the number *draw* has it."""
    if reply.move is Move.SHUFFLE:
        return PackShuffled(shuffled(draw))
    return event_of_draw(state, reply.move, draw) or reply.event


def random_key(state: State, given: Input, chance: Random) -> str:
    """Return a key that mostly makes sense, and else is any key at all."""
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
    """Return a set-up by any preset, some of its options changed by the house, for short matches."""
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
    """Return the pack as the number *draw* has shuffled it."""
    return tuple(Random(draw).sample(PACK, len(PACK)))


def machine_event(state: State, chance: Random) -> Event | None:
    """Return what the machine's seat that acts next does, by chance; None where none does."""
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
    """The input at a table in memory, and what is read from it."""

    desk: Desk
    context: Context
    pad: Pad = TWENTY

    @property
    @abstractmethod
    def state(self) -> State:
        """The state of the game."""

    @property
    def saved(self) -> SavedInput:
        return SavedInput(self.desk, self.context)

    @property
    def next_game(self) -> NextGame:
        return self.context.next_game

    @property
    def view(self) -> TableView:
        return view_at(self.state, self.saved, self.pad)


@dataclass
class Model(Sitting):
    """A table in memory: all events that stand, and those that were taken back."""

    desk: Desk = field(default_factory=Desk)
    context: Context = ANY_CONTEXT
    events: list[Event] = field(default_factory=list)
    states: list[State] = field(default_factory=lambda: [NEW_TABLE])
    undone: list[Event] = field(default_factory=list)
    seq: int = 0
    given: dict[tuple[object, ...], Event] = field(default_factory=dict)
    """What chance gave at each place of each game that the machine deals: it stays."""

    @property
    def state(self) -> State:
        return self.states[-1]

    def press(self, key: str, draw: int = 0) -> Reply:
        """Do what *key* asks.

        Raises:
            RuleError: If it is refused; then nothing has changed.
        """
        reply = press(self.state, self.saved, key)
        event = chance_event(self.state, reply, draw)
        if event is not None:
            place = self._place(event)
            self._do(self.given.setdefault(place, event) if place else event)
        elif reply.move is Move.UNDO:
            if not self.events:
                raise WrongKey("nothing is there to take back")
            is_machines = True
            while is_machines:
                is_machines = is_by_machine(self.state, self.events[-1])
                self.undone.append(self.events.pop())
                self.states.pop()
        elif reply.move is Move.REDO:
            if not self.undone:
                raise WrongKey("nothing is there to bring back")
            self._bring_back()
            while self.undone and is_by_machine(self.state, self.undone[-1]):
                self._bring_back()
        self.desk, self.context = after(self.saved, reply)
        self.seq += 1
        return reply

    def _place(self, event: Event) -> tuple[object, ...] | None:
        """Return the place of the game at which chance gives *event*; None where nothing is left to
        chance."""
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
        """Let the machine's seat that is next act, by chance; return what it did, None where none is next."""
        event = machine_event(self.state, chance) if self.desk.dialog is None else None
        if event is not None:
            self._do(event)
            self.desk = replace(self.desk, message=None)
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
        """Press the keys that stand in *text*, apart by spaces."""
        for key in text.split():
            self.press(key)


NAMES: Final = ("ANN", "BOB", "CAT", "DAN")
PLAY: Final = "7 3 6 8 K GO GO 9 6 10 GO 10"
"""A deal of two with a seven turned up: ANN plays 3 8 9 10, which is worth six."""


def at(
    text: str, rules: str = "standard", players: int = 2, entry: Entry = Entry.CARDS, **house: str
) -> Model:
    """Return a table after the keys of *text*; ANN leads where two play."""
    model = Model()
    wanted = changed(preset(rules, players), house)
    start = events.GameStarted(NAMES[:players], wanted, entry, dealer=players - 1)
    model.events.append(start)
    model.states.append(fold([start]))
    model.press_all(text)
    return model


def last(model: Model) -> Event:
    """Return what the last press came to."""
    return model.events[-1]
