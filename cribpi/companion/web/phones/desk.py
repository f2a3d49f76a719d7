"""A phone's own desk, in addition to the table's: its input, unseen by others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from operator import is_
from typing import TypeAlias

from cribpi.companion.entry import roles
from cribpi.companion.entry.ask import Ask, Press
from cribpi.companion.entry.by_dealing import hint_asked, is_nobodys, open_hand
from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.desk import Desk, Hint
from cribpi.companion.entry.pad import Pad
from cribpi.companion.entry.phones import Phone, Role
from cribpi.companion.entry.reply import Reply, WrongKey
from cribpi.companion.table.snapshot import Moment, Snapshot
from cribpi.cribbage.game.legal import deciders
from cribpi.cribbage.game.state import Phase, State

Hides: TypeAlias = "Callable[[State, int], str]"
"""Tells why a phone can't be shown the hand of a seat, in a sentence; nothing if it can."""


class PhoneDesk:
    """The input of one phone, and how it sees the table.  One thread presses, any may look.

    Args:
        phone: Which it is, with its role.
        pad: The keys that it has.
        hides: Asked each time before the hand of its seat is shown.
    """

    is_persons = True
    is_boards = False

    def __init__(self, phone: Phone, pad: Pad, hides: Hides = lambda _state, _seat: "") -> None:
        self.phone = phone
        self._pad = pad
        self._hides = hides
        self._kept: tuple[Desk, State | None] = (Desk(), None)
        """The input, and where the game stood then."""
        self._game: Moment | None = None
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
        desk = roles.desk_of(seat, own or self._own(now), now.desk, now.state)
        shown = replace(desk, message=why) if why else desk
        found = replace(now, desk=shown, refusal=None, pad=self._pad, viewer=seat)
        self._looked = at, found
        return found

    def _own(self, now: Snapshot) -> Desk:
        own, at = self._kept
        if at is now.state:
            return own
        hint = own.hint if at is not None and self._has_the_same_choice(at, now.state) else None
        after = replace(roles.after_others(own), hint=hint)
        return after if _game(now) is self._game else replace(after, dialog=None)

    def choices(self, now: Snapshot) -> tuple[Choice, ...]:
        """Return what can be pressed here."""
        seen = self.seen(now)
        return seen.possible(roles.choices_of(self._player(now), seen.desk, self._pad))

    def reply(self, ask: Ask, now: Snapshot) -> Reply:
        """Return what *ask* comes to here: a phone presses keys, and asks for nothing else.

        Raises:
            RuleError: If it does nothing, or is not for this phone.
        """
        if self._is_closed or not isinstance(ask, Press):
            raise WrongKey(roles.NOT_YOURS)
        return roles.press_as(self._player(now), self.seen(now).desk, ask.key, self._pad)

    def on_board(self, reply: Reply, now: Snapshot) -> Desk:
        return roles.table_after(now.desk, reply)

    def _player(self, now: Snapshot) -> roles.Player:
        last = next(
            (
                moment.event
                for before, moment in reversed(list(pairwise(now.line)))
                if not is_nobodys(before.state, moment.event, now.desk)
            ),
            None,
        )
        return roles.Player(self.phone.role, self.viewer(now.state), last, now.state)

    def keep(self, desk: Desk, now: Snapshot) -> None:
        """Keep the input of this phone, where the game stands as *now* shows."""
        self._kept, self._game = (desk, now.state), _game(now)

    def hint_asked(self, now: Snapshot) -> int | None:
        """Return the seat here for which a hint is to be thought of; None where none was asked for."""
        return hint_asked(now.state, self.seen(now).desk, self.viewer(now.state))

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


def _game(now: Snapshot) -> Moment | None:
    return now.line[0] if now.line else None
