"""The phones that have joined: a code lets one in, and its own token says which one it is.

The code is shown on the board's own screen and is good for five minutes.  Whoever sends it gets a token,
which is kept here only as its hash; with it a phone chooses a role, and can do nothing but what that role
may.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from cribpi.entry.phones import ClosePhones, GiveRole, OpenPhones, Phone, RemovePhone, Role, Wish

ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What codes are made of: nothing that looks like something else, and all of it alphanumeric to a QR code."""
CODE_LENGTH: Final = 6
CODE_SECONDS: Final = 300.0
GUESSES: Final = 10
"""Codes that are looked at in a minute, of all senders together: one is right in 10 ** 9."""
MINUTE: Final = 60.0
MOST: Final = 32
"""Phones at one time."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What outlasts a restart: whether phones are let in, and which, by the hash of each one's token."""

    is_open: bool = False
    phones: tuple[tuple[str, Phone], ...] = ()


class NotAdmitted(Exception):
    """A phone can't come in, or can't do what it asks; the message is the sentence for it."""


class TooManyGuesses(NotAdmitted):
    """Codes were sent faster than they are looked at."""


class SeatTaken(NotAdmitted):
    """Another phone holds the seat."""


class PhoneRegistry:
    """All phones that play along; each method may be called from any thread.

    Args:
        kept: What was kept of the last run.
        keep: Called with what is to be kept, after each change and before anyone is told of it.
        clock: Seconds that only go forward.
    """

    def __init__(
        self,
        kept: Kept | None = None,
        keep: Callable[[Kept], None] = lambda _kept: None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._kept = kept or Kept()
        self._keep = keep
        self._clock = clock
        self._lock = threading.RLock()
        self._code = ""
        self._code_until = float("-inf")
        self._guesses: deque[float] = deque(maxlen=GUESSES)
        self._listeners: tuple[Callable[[], None], ...] = ()

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Have *listener* called after each change, in the thread that made it."""
        self._listeners = (*self._listeners, listener)

    @property
    def is_open(self) -> bool:
        """Whether phones are let in."""
        return self._kept.is_open

    @property
    def present(self) -> tuple[Phone, ...]:
        """All phones, the longest here first."""
        return tuple(phone for _, phone in self._kept.phones)

    def open(self) -> None:
        """Let phones in from now on."""
        self._change(replace(self._kept, is_open=True))

    def close(self) -> None:
        """Let none in, and forget all that were."""
        self._code_until = float("-inf")
        self._change(Kept())

    def do(self, wish: Wish) -> None:
        """Do what was asked for at the board."""
        match wish:
            case OpenPhones():
                self.open()
            case ClosePhones():
                self.close()
            case RemovePhone(number):
                self.remove(number)
            case GiveRole(number, role, seat):
                self.give(number, role, seat)

    def code(self) -> str:
        """Return the code that lets a phone in, a new one where the last is older than five minutes."""
        with self._lock:
            if self._clock() >= self._code_until:
                self._code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
                self._code_until = self._clock() + CODE_SECONDS
            return self._code

    @property
    def code_seconds(self) -> float:
        """For how many seconds the code is still good."""
        return max(self._code_until - self._clock(), 0.0)

    def admit(self, code: str, kind: str) -> str:
        """Let the phone in that sends *code*; return its token.  *kind* is what it is, such as `iPhone`.

        Raises:
            TooManyGuesses: If ten codes have come in the last minute, right or wrong.
            NotAdmitted: If it is not the code, or too old, or too many phones are here.
        """
        with self._lock:
            if not self.is_open:
                raise NotAdmitted("Phones are off at the board: choose MENU, Phones there.")
            now = self._clock()
            if len(self._guesses) == GUESSES and now - self._guesses[0] < MINUTE:
                raise TooManyGuesses("Too many codes were tried. Wait a minute, then try again.")
            self._guesses.append(now)
            sent, real = code.strip().upper().encode(errors="replace"), self._code.encode()
            if not (hmac.compare_digest(sent, real) and now < self._code_until):
                raise NotAdmitted("That is not the code on the board's screen. Scan it again.")
            if len(self._kept.phones) >= MOST:
                raise NotAdmitted(f"{MOST} phones are here already: remove one at the board.")
            token = secrets.token_urlsafe(32)
            taken = {phone.number for phone in self.present}
            number = next(one for one in range(1, MOST + 1) if one not in taken)
            self._change(
                replace(self._kept, phones=(*self._kept.phones, (_hash(token), Phone(number, kind))))
            )
            return token

    def known(self, token: str) -> Phone | None:
        """Return whose *token* it is; None where it is nobody's, or phones are off."""
        return dict(self._kept.phones).get(_hash(token)) if self.is_open else None

    def choose(self, token: str, role: Role | None, seat: int | None = None) -> Phone:
        """Give the phone with *token* a *role*, or none; with `Role.SEAT` that of *seat*.

        Raises:
            NotAdmitted: If the token is nobody's.
            SeatTaken: If another phone holds the seat.
        """
        with self._lock:
            phone = self.known(token)
            if phone is None:
                raise NotAdmitted("The board no longer knows this phone. Scan the code on its screen.")
            seat = seat if role is Role.SEAT else None
            for other in self.present:
                if seat is not None and other.seat == seat and other.number != phone.number:
                    raise SeatTaken(
                        f"Phone {other.number} has that seat: free it there, or at the board by MENU, Phones."
                    )
            chosen = replace(phone, role=role, seat=seat)
            key = _hash(token)
            phones = tuple((one, chosen if one == key else each) for one, each in self._kept.phones)
            self._change(replace(self._kept, phones=phones))
            return chosen

    def leave(self, token: str) -> None:
        """Forget the phone with *token*, if there is one."""
        self._forget(lambda key, _phone: key == _hash(token))

    def remove(self, number: int) -> None:
        """Forget the phone that people call *number*, if there is one."""
        self._forget(lambda _key, phone: phone.number == number)

    def give(self, number: int, role: Role | None, seat: int | None = None) -> None:
        """Make the phone that people call *number* a *role*, if it is there; a *seat* goes over to it."""
        with self._lock:
            if all(phone.number != number for phone in self.present):
                return

            def after(phone: Phone) -> Phone:
                if phone.number == number:
                    return replace(phone, role=role, seat=seat)
                is_lost = seat is not None and phone.seat == seat
                return replace(phone, role=None, seat=None) if is_lost else phone

            phones = tuple((key, after(phone)) for key, phone in self._kept.phones)
            self._change(replace(self._kept, phones=phones))

    def keep_seats(self, persons: frozenset[int]) -> None:
        """Take their role from phones whose seat is not one of a person in the game that is on."""
        with self._lock:
            phones = tuple(
                (
                    key,
                    phone if phone.seat is None or phone.seat in persons else Phone(phone.number, phone.kind),
                )
                for key, phone in self._kept.phones
            )
            self._change(replace(self._kept, phones=phones))

    def _forget(self, is_it: Callable[[str, Phone], bool]) -> None:
        with self._lock:
            left = tuple(pair for pair in self._kept.phones if not is_it(*pair))
            self._change(replace(self._kept, phones=left))

    def _change(self, kept: Kept) -> None:
        with self._lock:
            if kept == self._kept:
                return
            self._kept = kept
            self._keep(kept)
        for listener in self._listeners:
            listener()


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
