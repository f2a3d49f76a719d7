"""A phone's own desk, in addition to the table's: its input, unseen by others, and what its role may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import is_
from typing import Final, TypeAlias

from cribpi.companion.entry import desk as desks
from cribpi.companion.entry.ask import Ask, Press
from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.desk import Desk, Dialog, Hint
from cribpi.companion.entry.hands import open_hand
from cribpi.companion.entry.keys import Pad
from cribpi.companion.entry.phones import Phone, Role
from cribpi.companion.entry.reply import Move, Reply, WrongKey
from cribpi.companion.table.desks import InputDesk
from cribpi.companion.table.snapshot import Snapshot
from cribpi.cribbage.game import events
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.legal import deciders
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.words.log import LogEntry

Hides: TypeAlias = "Callable[[State, int], str]"
"""Tells why a phone can't be shown the hand of a seat, in a sentence; nothing if it can."""


NOT_YOURS: Final = "Only the keypad at the board can do that."

_OF_THE_MOMENT: Final = (desks.Question, desks.CountHand, desks.Undone, desks.Correct, desks.FalseWin)
"""What speaks of where the game stands, and is closed when it goes on."""
_OWN: Final = (desks.Question, desks.CountHand, desks.Undone)
"""What a seat may have open."""
_OF_THE_BOARD: Final = (desks.PhoneList, desks.PhoneRole, desks.SwitchOff)
_POWER: Final = {Move.SHUT_DOWN, Move.RESTART}


def desk_of(seat: int | None, own: Desk, table: Desk, state: State) -> Desk:
    """Return the desk of a phone that plays *seat*: the input there, with the *table*'s set-up.

    Only that seat's hand is ever open at it, and no code that lets others in is on it.
    """
    away = () if seat is not None else tuple(range(state.players))
    machine = replace(table.machine, is_pi=False)  # it is switched off at the board
    here = replace(table.here, phones=None, away=away)
    return replace(own, setup=table.setup, settings=table.settings, machine=machine, here=here)


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


class PhoneDesk(InputDesk):
    """The input of one phone, and how it sees the table.  One thread presses, any may look.

    Args:
        phone: Which it is, with its role.
        pad: The keys that it has.
        hides: Asked each time before the hand of its seat is shown.
    """

    def __init__(self, phone: Phone, pad: Pad, hides: Hides = lambda _state, _seat: "") -> None:
        super().__init__(is_boards=False)
        self.phone = phone
        self._pad = pad
        self._hides = hides
        self._kept: tuple[Desk, State | None] = (Desk(), None)
        """The input, and where the game stood then."""
        self._game: LogEntry | None = None
        """How that game began."""
        self._is_closed = False
        self._looked: tuple[tuple[object, ...], Snapshot] | None = None
        """What was looked at last, and how it was seen."""

    def close(self) -> None:
        """Take no more presses, not even one that is on its way: the phone has another role, or none."""
        self._is_closed = True

    def _viewer(self, state: State) -> tuple[int | None, str]:
        """Return the seat that is played and seen here at *state*, and why that of the phone can't be."""
        seat = self.phone.seat if self.phone.role is Role.SEAT else None
        if seat is None:
            return None, ""
        why = self._hides(state, seat) if open_hand(state, Desk(), seat) == seat else ""
        return (None if why else seat), why

    def viewer(self, state: State) -> int | None:
        """Return the seat that is played and seen here at *state*."""
        return self._viewer(state)[0]

    def seen(self, now: Snapshot, own: Desk | None = None) -> Snapshot:
        """Return *now* as this phone sees it; with *own*, its input is that.

        It is the same object as long as nothing has changed: what is worked out of it is kept by that.
        """
        seat, why = self._viewer(now.state)
        at, looked = (now, own or self._kept[0], seat, why), self._looked
        if looked is not None and all(map(is_, looked[0], at)):
            return looked[1]
        desk = desk_of(seat, own or self._own(now), now.desk, now.state)
        shown = replace(desk, message=why) if why else desk
        found = replace(now, desk=shown, refusal=None, pad=self._pad, viewer=seat)
        self._looked = at, found
        return found

    def _own(self, now: Snapshot) -> Desk:
        own, at = self._kept
        if at is now.state:
            return own
        hint = own.hint if at is not None and self._has_the_same_choice(at, now.state) else None
        after = replace(after_others(own), hint=hint)
        return after if _game(now) is self._game else replace(after, dialog=None)

    def choices(self, now: Snapshot) -> tuple[Choice, ...]:
        """Return what can be pressed here."""
        seen = self.seen(now)
        if self.phone.role not in {Role.SEAT, Role.KEYPAD}:
            return ()
        return tuple(choice for choice in seen.choices() if self._may(choice.reply, seen))

    def reply(self, ask: Ask, now: Snapshot) -> Reply:
        """Return what *ask* comes to here: a phone presses keys, and asks for nothing else.

        Raises:
            RuleError: If it does nothing, or is not for this phone.
        """
        if self._is_closed or not isinstance(ask, Press):
            raise WrongKey(NOT_YOURS)
        seen = self.seen(now)
        reply = super().reply(ask if seen.viewer is None else Press(ask.key), seen)
        if not self._may(reply, seen):
            raise WrongKey(NOT_YOURS)
        return reply

    def _may(self, reply: Reply, seen: Snapshot) -> bool:
        """Tell whether this phone may do what *reply* does, where it sees what is *seen*."""
        dialog, seat = reply.desk.dialog, seen.viewer
        if reply.wish is not None or reply.move in _POWER or isinstance(dialog, _OF_THE_BOARD):
            return False
        if self.phone.role is not Role.SEAT or seat is None:
            return self.phone.role is Role.KEYPAD
        if not (dialog is None or isinstance(dialog, _OWN)) or reply.move is Move.REDO:
            return False
        if reply.move is Move.UNDO:
            return seen.did_last(seat)
        return reply.event is None or is_for(reply.event, seen.state, seat)

    def on_board(self, reply: Reply, now: Snapshot) -> Desk:
        """Return the table's desk after *reply*: its set-up, its settings and whether the result is seen.

        An open hand at the table is closed, unless the phone has only discarded or taken his heels: once the
        game has gone on elsewhere, its holder may no longer be the one who looks.
        """
        here = replace(now.desk.here, is_result_seen=reply.desk.here.is_result_seen)
        desk = replace(now.desk, setup=reply.desk.setup, settings=reply.desk.settings, here=here)
        if reply.event is None and reply.move is None:
            return desk
        stays_open = isinstance(reply.event, events.Discarded | events.HeelsTaken)
        return replace(after_others(desk), open_seat=desk.open_seat if stays_open else None)

    def keep(self, desk: Desk, now: Snapshot) -> None:
        """Keep the input of this phone, where the game stands as *now* shows."""
        self._kept, self._game = (desk, now.state), _game(now)

    def hint_asked(self, now: Snapshot) -> int | None:
        """Return the seat here for which a hint is to be thought of; None where none was asked for."""
        return self.seen(now).view.hint_asked

    def take_hint(self, hint: Hint | None, state: State, now: Snapshot) -> None:
        """Choose what *hint* says, if one is still asked for, and the choice is that of *state*.

        Without a *hint*, none could be given.
        """
        if self.hint_asked(now) is not None and self._has_the_same_choice(state, now.state):
            self.keep(replace(self._own(now), hint=hint, chosen=hint.cards if hint else ()), now)

    def _has_the_same_choice(self, before: State, now: State) -> bool:
        """Tell whether this seat chooses as *before*: what others send to the crib changes nothing."""
        if before is now:
            return True
        seat, was, deal = self.viewer(now), before.deal, now.deal
        if seat is None or was is None or deal is None or not before.phase is now.phase is Phase.DEAL:
            return False
        return seat in deciders(now) and was.dealt[seat] == deal.dealt[seat]

    def is_meant_still(self, now: Snapshot) -> bool:
        """Tell whether a press that was meant for an earlier moment means the same *now*.

        All discard at the same time: what the others send to the crib changes nothing for this seat.
        """
        return now.state.phase is Phase.DEAL and self.viewer(now.state) in deciders(now.state)


def _game(now: Snapshot) -> LogEntry | None:
    return now.log[0] if now.log else None
