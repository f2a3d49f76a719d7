"""The view model: the table as one viewer sees it.

The screen, the page and the phones are rendered from it. It also handles each press.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from cribpi.companion.entry import by_points, hands
from cribpi.companion.entry.choice import Choice, GameView, KeyBinding, Scene, accepted
from cribpi.companion.entry.effect import Effect, WrongKey
from cribpi.companion.entry.input_context import ANY_CONTEXT, InputContext
from cribpi.companion.entry.input_state import InputState, Undone
from cribpi.companion.entry.keys import ARROWS, DIGITS, KEYS, STEPS, TWENTY, Pad, card_of, side_keys_of
from cribpi.companion.entry.scenes import scene_at
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.rules.cite import Reason
from cribpi.cribbage.rules.grammar import does
from cribpi.cribbage.words.log import GameLog, with_entry
from cribpi.cribbage.words.shows import wrong_go


@dataclass(frozen=True)
class TableView(GameView):
    """The table as *viewer* sees it. Cached properties are computed on first use.

    It has data rather than text, and each output puts the data into words. Only texts that all outputs share
    are included.
    """

    log: GameLog = ()
    """Log entries of this game to show."""

    @cached_property
    def scene(self) -> Scene:
        """The prompt and key bindings, with key names of the full keypad."""
        return scene_at(self)

    @cached_property
    def likely(self) -> tuple[KeyBinding, ...]:
        """Bindings of likely keys, without cards."""
        return tuple(
            binding for binding in self.scene.bindings if binding.is_likely and card_of(binding.key) is None
        )

    @cached_property
    def prompt(self) -> str:
        """Prompt and likely keys with their labels, on one line. Cards and amounts are left out."""
        key_help, prompt = self.scene.key_help, self.scene.at_keypad
        if key_help is None:
            key_help = ", ".join(
                f"{self.pad.label_for(binding.key)}: {binding.text.long}"
                for binding in self.likely
                if not binding.is_amount
                and self.pad.physical_key(binding.key) is not None
                and self.effect(binding) is not None
            )
        stop = "" if prompt.endswith(("?", ".", '."')) else "."
        return f"{prompt}{stop} {key_help}" if prompt and key_help else prompt + key_help

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """Every key that would be accepted, likeliest first.

        Each card of the open hand is included, as `7H`. With real cards, a rank key means that rank with any
        suit. UNDO may be included even if there is no step to undo, because only the table knows the history.
        """
        return tuple(sorted(self.choices_of(self.scene.bindings), key=lambda choice: not choice.is_likely))

    def choices_of(self, bindings: Iterable[KeyBinding]) -> Iterator[Choice]:
        """Yield a choice for each of *bindings* that has a key on this keypad and would be accepted."""
        own = {means: key for key, means in reversed(self.keys.items())}
        for binding in bindings:
            # Only keys are remapped, not long presses or cards.
            key = own.get(binding.key) if binding.key in KEYS else binding.key
            if key and (effect := self.effect(binding)):
                text, how = binding.text, (binding.is_likely, binding.is_amount, binding.takes_suit)
                yield Choice(key, self.pad.label_for(key), text.long, text.short, effect, *how)

    @cached_property
    def meanings(self) -> Mapping[str, str]:
        """Meaning of each remapped key, as a key of the full keypad.

        LEFT and RIGHT of a joystick are sides' keys. Some rank keys are sides' keys while no rank is
        expected: on a numpad, `/` is J while cards are entered, and P1 in a menu or in points mode.
        """
        return ARROWS if self.scene.takes_ranks else dict(self.pad.sides) | ARROWS

    @cached_property
    def keys(self) -> dict[str, str]:
        """Meaning of every key of this keypad, as a key of the full keypad."""
        return {key: self.meanings.get(key, key) for key in self.pad.keys}

    @property
    def side_keys(self) -> dict[str, int]:
        """Side of each key that is currently a side's key, even if it can't be pressed.

        In points mode, GO is the third side's key if the kit has no other key for it.
        """
        state = self.state
        is_go_third = state.entry is Entry.PEG and self.pad.side_keys(state.sides)[-1:] == ("GO",)
        sides = dict(side_keys_of(state.sides, is_go_third=is_go_third))
        return {key: sides[side] for key, side in self.keys.items() if side in sides}

    @cached_property
    def bindings(self) -> Mapping[str, KeyBinding]:
        return {binding.key: binding for binding in self.scene.bindings}

    @cached_property
    def _effects(self) -> dict[str, Effect | None]:
        return {}

    def effect(self, binding: KeyBinding) -> Effect | None:
        """Return the effect of *binding*, or None if it would be refused."""
        if binding.key not in self._effects:
            self._effects[binding.key] = accepted(self, binding)
        return self._effects[binding.key]

    def press(self, key: str) -> Effect:
        """Return the effect of *key*.

        Raises:
            RuleError: If *key* does nothing here, or breaks a rule.
        """
        here = self.scene
        if here.number is not None and key in DIGITS:
            return here.number.typed(DIGITS[key])
        if here.number is not None and here.number.moved is not None and key in STEPS:
            return here.number.moved(STEPS[key])
        means = self.meanings.get(key, key)
        binding = self.bindings.get(means)
        if binding is None and means not in KEYS:  # A card that no open hand holds is bound only by its rank.
            asked = scene_at(self.for_card(means)).bindings
            binding = next((one for one in asked if one.key == means), None)
        if binding is None:
            raise WrongKey(here.remedy or self.prompt, here.remedy or here.prompt)
        return binding.effect()

    def after(self, effect: Effect) -> TableView:
        """Return the view after *effect*.

        Raises:
            RuleError: If the event of *effect* is illegal.
        """
        after = replace(self, input_state=effect.input_state, context=effect.context or self.context)
        if effect.event is None:
            return after
        state = step(self.state, effect.event)
        return replace(after, state=state, log=with_entry(self.log, effect.event, state))

    @property
    def automatic(self) -> tuple[Reason, ...]:
        """Reasons for the automatic steps of the last event."""
        return self.log[-1].automatic if self.log else ()

    @cached_property
    def remark(self) -> str | None:
        """Message about the last press or the play, or None."""
        input_state = self.input_state
        if isinstance(input_state.dialog, Undone):
            return input_state.dialog.what
        lost = "" if input_state.dialog else self._missed() or self._lost_heels()
        if said := input_state.message or lost:
            return said
        noted = self.show.noted if self.state.is_show else ()
        return "; ".join(wrong_go(self.state, wrong) for wrong in noted) or None

    def _missed(self) -> str:
        """Describe the points that a side missed, if muggins can still take them; otherwise return ""."""
        state, counted = self.state, self.state.counted
        is_over = state.rules.miscount != "muggins" or state.winner is not None
        if is_over or counted is None or not counted.least:
            return ""
        missed = f"{state.spoken_side(counted.side)} missed {counted.least}"
        menu = self.pad.label_for("MENU")
        return f"{missed}. First to call muggins takes it: press your key, or {menu}"

    def _lost_heels(self) -> str:
        """Describe the loss of his heels, until the dealer's second card; otherwise return ""."""
        deal = self.state.deal
        if deal is None or not deal.heels_lost or len(deal.played[deal.dealer]) > 1:
            return ""
        return does(self.state.names[deal.dealer], "has played: his heels are lost")

    @cached_property
    def sides(self) -> tuple[hands.SideView, ...]:
        return hands.side_views(self.state)

    @cached_property
    def seats(self) -> tuple[hands.SeatView, ...]:
        return hands.seat_views(self.state)

    @cached_property
    def machine(self) -> int | None:
        """The computer's seat that acts next. None if there is none, or while a dialog is open."""
        return hands.next_machine(self.state) if self.input_state.dialog is None else None

    @property
    def hint_asked(self) -> int | None:
        """Seat for which a hint must be computed, or None."""
        if (
            self.input_state.hint is None
            or self.input_state.hint.cards
            or self.input_state.dialog is not None
        ):
            return None
        return self.hand.seat if self.hand is not None and self.hand.may_hint else None

    @cached_property
    def plays_itself(self) -> bool:
        """Whether the game waits only for an OK that no person needs to press."""
        state, input_state = self.state, self.input_state
        if not state.names or state.winner is not None or input_state.dialog is not None:
            return False
        if hands.next_machine(state) is not None:
            return False
        show = self.show if state.is_show else None
        return not hands.persons(state) or hands.forced_step(state, show) in self.context.house.automatic

    @property
    def takers(self) -> tuple[int, ...]:
        return by_points.takers(self.state, self.input_state)

    @property
    def only_side(self) -> int | None:
        """The only side that can peg now, or None. OK pegs for this side. In the play, any side can peg."""
        return by_points.only_side(self.state)


def view_of(
    state: State,
    input_state: InputState,
    pad: Pad = TWENTY,
    viewer: int | None = None,
    log: GameLog = (),
    context: InputContext = ANY_CONTEXT,
) -> TableView:
    """Return the view of *state* with the pending input *input_state*.

    *viewer* is the seat whose hand is shown if the computer deals. None is the view of the shared screen.
    """
    return TableView(state, input_state, pad, viewer, context=fitted(context, pad), log=log)


def likely_keys(offered: tuple[Choice, ...], pad: Pad) -> tuple[str, ...]:
    """Return the keys of *pad* to light: the likely keys among *offered*, or else UNDO."""
    found = tuple(choice.key for choice in offered if choice.is_likely and choice.key in pad.keys)
    return found or (("UNDO",) if "UNDO" in pad.keys else ())


def fitted(context: InputContext, pad: Pad) -> InputContext:
    """Return *context* adapted to *pad*. Without rank keys, the next game is in points mode."""
    if pad.has_ranks or context.next_game.entry == Entry.PEG:
        return context
    return replace(context, next_game=replace(context.next_game, entry=str(Entry.PEG)))
