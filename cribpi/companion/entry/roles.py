"""What each role of a phone may do, and at which desk: its own, or the table's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.choices import choices, press
from cribpi.companion.entry.desk import (
    Correct,
    CountHand,
    Desk,
    Dialog,
    FalseWin,
    PhoneList,
    PhoneRole,
    Question,
    SwitchOff,
    Undone,
)
from cribpi.companion.entry.pad import Pad
from cribpi.companion.entry.phones import Role
from cribpi.companion.entry.reply import Move, Reply, WrongKey
from cribpi.cribbage.game import events
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.state import State

NOT_YOURS: Final = "Only the keypad at the board can do that."

_OF_THE_MOMENT: Final = (Question, CountHand, Undone, Correct, FalseWin)
"""What speaks of where the game stands, and is closed when it goes on."""
_OWN: Final = (Question, CountHand, Undone)
"""What a seat may have open."""
_OF_THE_BOARD: Final = (PhoneList, PhoneRole, SwitchOff)
_POWER: Final = {Move.SHUT_DOWN, Move.RESTART}


def desk_of(seat: int | None, own: Desk, table: Desk, state: State) -> Desk:
    """Return the desk of a phone that plays *seat*: the input there, with the *table*'s set-up.

    Only that seat's hand is ever open at it, and no code that lets others in is on it.
    """
    away = () if seat is not None else tuple(range(state.players))
    settings = replace(table.settings, is_pi=False)  # it is switched off at the board
    return replace(own, setup=table.setup, settings=settings, phones=None, away=away, club=table.club)


@dataclass(frozen=True, slots=True)
class Player:
    """A phone where the game stands: its *role*, its *seat*, and the *last* event that a person has done."""

    role: Role | None
    seat: int | None
    last: Event | None
    state: State

    def may(self, reply: Reply) -> bool:
        """Tell whether it may do what *reply* does."""
        dialog = reply.desk.dialog
        if reply.wish is not None or reply.move in _POWER or isinstance(dialog, _OF_THE_BOARD):
            return False
        if self.role is not Role.SEAT or self.seat is None:
            return self.role is Role.KEYPAD
        if not (dialog is None or isinstance(dialog, _OWN)) or reply.move is Move.REDO:
            return False
        if reply.move is Move.UNDO:
            return self.last is not None and self._has_done(self.last)
        return reply.event is None or is_for(reply.event, self.state, self.seat)

    def _has_done(self, event: Event) -> bool:
        deal = self.state.deal
        is_heels = isinstance(event, events.HeelsTaken) and deal is not None and deal.dealer == self.seat
        return is_heels or getattr(event, "seat", None) == self.seat


def choices_of(player: Player, desk: Desk, pad: Pad) -> tuple[Choice, ...]:
    """Return what *player* can press, at its own *desk*."""
    if player.role not in {Role.SEAT, Role.KEYPAD}:
        return ()
    return tuple(
        choice for choice in choices(player.state, desk, pad, player.seat) if player.may(choice.reply)
    )


def press_as(player: Player, desk: Desk, key: str, pad: Pad) -> Reply:
    """Return what *key* does, pressed by *player* at its own *desk*.

    Raises:
        RuleError: If it does nothing here, or is not for this phone.
    """
    reply = press(player.state, desk, key, pad, player.seat)
    if not player.may(reply):
        raise WrongKey(NOT_YOURS)
    return reply


def is_for(event: Event, state: State, seat: int) -> bool:
    """Tell whether it is for *seat* to do *event*: its own decisions, and the steps that are nobody's."""
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
            return True  # the computer has counted it
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


def after_others(desk: Desk) -> Desk:
    """Return *desk* once the game has gone on elsewhere: what spoke of the moment is closed."""
    dialog: Dialog | None = None if isinstance(desk.dialog, _OF_THE_MOMENT) else desk.dialog
    return replace(desk, dialog=dialog, hint=None, message=None)


def table_after(table: Desk, reply: Reply) -> Desk:
    """Return the table's desk after *reply* on a phone: its set-up, settings and club, no more.

    An open hand at the table is closed, unless the phone has only discarded or taken his heels: once the game
    has gone on elsewhere, its holder may no longer be the one who looks.
    """
    settings = replace(reply.desk.settings, is_pi=table.settings.is_pi)
    desk = replace(table, setup=reply.desk.setup, settings=settings, club=reply.desk.club)
    if reply.event is None and reply.move is None:
        return desk
    stays_open = isinstance(reply.event, events.Discarded | events.HeelsTaken)
    return replace(after_others(desk), open_seat=desk.open_seat if stays_open else None)
