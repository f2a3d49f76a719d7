"""The session of a phone: its private input, and the permissions of its role."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import is_
from typing import Final, TypeAlias

from cribpi.companion.entry import input_state as inputs
from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.effect import Effect, TableCommand, WrongKey
from cribpi.companion.entry.hands import open_hand
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import NO_INPUT, Dialog, Hint, InputState
from cribpi.companion.entry.keys import Pad
from cribpi.companion.entry.phones import Phone, Role
from cribpi.companion.entry.requests import Press, TableRequest
from cribpi.companion.table.sessions import ClientSession
from cribpi.companion.table.snapshot import Snapshot
from cribpi.cribbage.game import events
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.legal import deciders
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.words.log import LogEntry

Hides: TypeAlias = "Callable[[State, int], str]"
"""Function that returns why a phone can't show the hand of a seat, as a sentence, or "" if it can."""

NOT_YOURS: Final = "Only the keypad at the board can do that."

_OF_THE_MOMENT: Final = (inputs.Question, inputs.CountHand, inputs.Undone, inputs.Correct, inputs.FalseWin)
"""Dialogs about the current position. They close when the game moves on."""
_OWN: Final = (inputs.Question, inputs.CountHand, inputs.Undone)
"""Dialogs that a phone with a seat may open."""
_OF_THE_BOARD: Final = (inputs.PhoneList, inputs.PhoneRole, inputs.SwitchOff)
_POWER: Final = {TableCommand.SHUT_DOWN, TableCommand.RESTART}


def context_of(seat: int | None, table: InputContext, state: State) -> InputContext:
    """Return the context of the *table*, restricted for a phone that plays *seat*.

    The code for joining is removed, and only the hand of *seat* can be open.
    """
    away = () if seat is not None else tuple(range(state.players))
    machine = replace(table.machine, is_pi=False)  # only the board itself may shut the Pi down
    here = replace(table.here, phones=None, away=away)
    return replace(table, machine=machine, here=here)


def is_for(event: Event, state: State, seat: int) -> bool:
    """Return whether *seat* may cause *event*: its own decision, or a step that needs no decision."""
    is_dealer = state.deal is not None and state.deal.dealer == seat
    match event:
        case (
            events.GameStarted()
            | events.PackShuffled()
            | events.DealerChosen()
            | events.StarterTurned()
            | events.StepPassed()
        ):
            return True
        case events.HandShown() | events.CribShown() if state.entry is Entry.DEALT:
            return True  # the computer counts, so there is no decision
        case events.HeelsTaken() | events.CribShown() | events.CribCardTurned():
            return is_dealer
        case events.PointsPegged(side=side) | events.MugginsCalled(side=side):
            return side == state.side(seat)
        case (
            events.CardCut(seat=whose)
            | events.Discarded(seat=whose)
            | events.CardPlayed(seat=whose)
            | events.GoSaid(seat=whose)
            | events.NewCountLed(seat=whose)
            | events.HandCardTurned(seat=whose)
            | events.HandShown(seat=whose)
            | events.HandCounted(seat=whose)
        ):
            return whose == seat
        case _:
            return False


def after_others(input_state: InputState) -> InputState:
    """Return *input_state* after a move elsewhere.

    The hint, the message and dialogs about the position are removed.
    """
    dialog: Dialog | None = None if isinstance(input_state.dialog, _OF_THE_MOMENT) else input_state.dialog
    return replace(input_state, dialog=dialog, hint=None, message=None)


class PhoneSession(ClientSession):
    """The pending input of a phone, and its view of the table.

    Only one thread may press; reading is thread-safe.

    Args:
        phone: The phone with its role.
        pad: The keys on the phone's page.
        hides: Called each time before the hand of the phone's seat is shown.
    """

    has_own_input = True

    def __init__(self, phone: Phone, pad: Pad, hides: Hides = lambda _state, _seat: "") -> None:
        super().__init__(is_boards=False)
        self.phone = phone
        self._pad = pad
        self._hides = hides
        self._kept: tuple[InputState, State | None] = (InputState(), None)
        """Input of this phone, and the state of the game at that time."""
        self._game: LogEntry | None = None
        """First log entry of that game. It identifies the game."""
        self._is_closed = False
        self._looked: tuple[tuple[object, ...], Snapshot] | None = None
        """Cache of `seen`: the inputs and the result."""

    def close(self) -> None:
        """Refuse all presses from now on, including pending ones, because the phone's role has changed."""
        self._is_closed = True

    def _viewer(self, state: State) -> tuple[int | None, str]:
        """Return the seat whose cards this phone may see, or None.

        If its own seat is hidden, also return the reason.
        """
        seat = self.phone.seat if self.phone.role is Role.SEAT else None
        if seat is None:
            return None, ""
        why = self._hides(state, seat) if open_hand(state, NO_INPUT, seat) == seat else ""
        return (None if why else seat), why

    def viewer(self, state: State) -> int | None:
        """Return the seat that this phone plays and whose cards it may see, or None."""
        return self._viewer(state)[0]

    def seen(self, now: Snapshot, own: InputState | None = None) -> Snapshot:
        """Return *now* as this phone sees it. *own* replaces the phone's input if given.

        While nothing changes, the same object is returned, because views are cached by its identity.
        """
        seat, why = self._viewer(now.state)
        inputs, looked = (now, own or self._kept[0], seat, why), self._looked
        if looked is not None and all(map(is_, looked[0], inputs)):
            return looked[1]
        input_state, context = own or self._own(now), context_of(seat, now.context, now.state)
        shown = replace(input_state, message=why) if why else input_state
        snapshot = replace(now, input_state=shown, context=context, refusal=None, pad=self._pad, viewer=seat)
        self._looked = inputs, snapshot
        return snapshot

    def _own(self, now: Snapshot) -> InputState:
        own, before = self._kept
        if before is now.state:
            return own
        hint = own.hint if before is not None and self._has_the_same_choice(before, now.state) else None
        after = replace(after_others(own), hint=hint)
        return after if _game(now) is self._game else replace(after, dialog=None)

    def choices(self, now: Snapshot) -> tuple[Choice, ...]:
        """Return the choices that this phone's role allows."""
        seen = self.seen(now)
        if self.phone.role not in {Role.SEAT, Role.KEYPAD}:
            return ()
        return tuple(choice for choice in seen.choices() if self._may(choice.effect, seen))

    def effect(self, request: TableRequest, now: Snapshot) -> Effect:
        """Return the effect of *request*, which must be a key press.

        Raises:
            RuleError: If the key does nothing, or this phone may not press it.
        """
        if self._is_closed or not isinstance(request, Press):
            raise WrongKey(NOT_YOURS)
        seen = self.seen(now)
        effect = super().effect(request if seen.viewer is None else Press(request.key), seen)
        if not self._may(effect, seen):
            raise WrongKey(NOT_YOURS)
        return effect

    def _may(self, effect: Effect, snapshot: Snapshot) -> bool:
        """Return whether the role allows *effect*. *snapshot* is what the phone sees."""
        dialog, seat = effect.input_state.dialog, snapshot.viewer
        if effect.phone_command is not None or effect.command in _POWER or isinstance(dialog, _OF_THE_BOARD):
            return False
        if self.phone.role is not Role.SEAT or seat is None:
            return self.phone.role is Role.KEYPAD
        if not (dialog is None or isinstance(dialog, _OWN)) or effect.command is TableCommand.REDO:
            return False
        if effect.command is TableCommand.UNDO:
            return snapshot.did_last(seat)
        return effect.event is None or is_for(effect.event, snapshot.state, seat)

    def on_board(self, effect: Effect, now: Snapshot) -> SavedInput:
        """Return the table's saved input after this phone's *effect*.

        It takes over the effect's context, except for phones and pairings.

        An event or command closes a hand that is open on the table's screen, because somebody else may look
        at it next. A discard or his heels leaves it open: its player may still be choosing.
        """
        input_state, context = now.input_state, now.context
        if effect.context is not None:
            here = replace(context.here, is_result_seen=effect.context.here.is_result_seen)
            context = replace(effect.context, here=here, machine=context.machine)
        if effect.event is None and effect.command is None:
            return SavedInput(input_state, context)
        stays_open = isinstance(effect.event, events.Discarded | events.HeelsTaken)
        open_seat = input_state.open_seat if stays_open else None
        return SavedInput(replace(after_others(input_state), open_seat=open_seat), context)

    def keep(self, input_state: InputState, now: Snapshot) -> None:
        """Store the input of this phone. It belongs to the state of *now*."""
        self._kept, self._game = (input_state, now.state), _game(now)

    def hint_asked(self, now: Snapshot) -> int | None:
        """Return the seat for which this phone has requested a hint, or None."""
        return self.seen(now).view.hint_asked

    def take_hint(self, hint: Hint | None, state: State, now: Snapshot) -> None:
        """Select the cards of *hint*.

        Nothing happens if no hint is wanted any more, or the choice differs from *state*'s.

        *hint* is None if the computer could not give one.
        """
        if self.hint_asked(now) is not None and self._has_the_same_choice(state, now.state):
            self.keep(replace(self._own(now), hint=hint, chosen=hint.cards if hint else ()), now)

    def _has_the_same_choice(self, before: State, now: State) -> bool:
        """Return whether this seat still has to discard from the same cards.

        Other players' discards don't matter.
        """
        if before is now:
            return True
        seat = self.viewer(now)
        if seat is None or before.deal is None or now.deal is None:
            return False
        if not before.phase is now.phase is Phase.DEAL:
            return False
        return seat in deciders(now) and before.deal.dealt[seat] == now.deal.dealt[seat]

    def is_meant_still(self, now: Snapshot) -> bool:
        """Return whether a press for an earlier state has the same meaning *now*.

        All players discard at the same time, so other players' discards do not affect this seat's press.
        """
        return now.state.phase is Phase.DEAL and self.viewer(now.state) in deciders(now.state)


def _game(now: Snapshot) -> LogEntry | None:
    return now.log[0] if now.log else None
