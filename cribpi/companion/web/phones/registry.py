"""The phones that have joined: a code lets one in, and its own token says which one it is.

The code is shown on the board's own screen and is good for five minutes.  Whoever sends it gets a token,
which is kept here only as its hash; with it a phone chooses a role, and can do nothing but what that role
may.  With each phone is kept whose hand of a deal it was shown: UNDO brings the same cards back, and whoever
has another seat by then must not see a second hand of them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from cribpi.companion.entry.phones import ClosePhones, GiveRole, OpenPhones, Phone, RemovePhone, Role, Wish
from cribpi.companion.files.disk import reason, remedy
from cribpi.companion.files.whole import erase, write_whole

NAME: Final = "phones.json"
VERSION: Final = 1
DEALS: Final = 200
"""The deals of which it is kept whose hand a phone has seen, the last ones: some twenty games."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A phone that has joined."""

    key: str
    """The hash of its token."""
    phone: Phone
    saw: tuple[tuple[str, int], ...] = ()
    """Each deal of which it may see a hand, and the seat whose hand that is; the latest last."""

    def with_hand(self, deal: str, seat: int) -> Joined:
        """Return the same phone, which may see the hand of *seat* in *deal*, and no other there."""
        before = [one for one in self.saw if one[0] != deal]
        return replace(self, saw=(*before, (deal, seat))[-DEALS:])


@dataclass(frozen=True, slots=True)
class SavedPhones:
    """What outlasts a restart: whether phones are let in, and which."""

    is_open: bool = False
    phones: tuple[Joined, ...] = ()


class PhoneFile:
    """What *folder* keeps of the phones."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def read(self) -> SavedPhones:
        """Return what was kept of the last run; of a file that is damaged or newer, nothing.

        Nothing is lost with it but that each phone scans the code again.
        """
        try:
            told = json.loads(self._path.read_text())
            if told["version"] != VERSION:
                return SavedPhones()
            return SavedPhones(told["open"] is True, tuple(map(_joined, told["phones"])))
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return SavedPhones()

    def keep(self, kept: SavedPhones) -> None:
        """Keep *kept*: after a power cut there is the old file or the new one.  Nothing needs no file.

        Raises:
            OSError: If the disk refuses.
        """
        if kept == SavedPhones():
            self.erase()
            return
        told = {
            "version": VERSION,
            "open": kept.is_open,
            "phones": [
                {"token": one.key} | asdict(one.phone) | {"saw": list(map(list, one.saw))}
                for one in kept.phones
            ],
        }
        write_whole(self._path, json.dumps(told).encode(), mode=0o600)

    def erase(self) -> None:
        """Keep nothing any more; that needs no room on the disk.

        Raises:
            OSError: If the disk refuses.
        """
        erase(self._path)


def _joined(told: dict[str, Any]) -> Joined:
    role = None if told["role"] is None else Role(told["role"])
    seat = int(told["seat"]) if role is Role.SEAT else None
    saw = tuple((str(deal), int(seen)) for deal, seen in told.get("saw", ()))
    return Joined(str(told["token"]), Phone(int(told["number"]), str(told["kind"]), role, seat), saw)


ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What codes are made of: nothing that looks like something else, and all of it alphanumeric to a QR code."""
CODE_LENGTH: Final = 6
CODE_SECONDS: Final = 300.0
GUESSES: Final = 10
"""Codes that are looked at in a minute from one address: one is right in 10 ** 9."""
MINUTE: Final = 60.0
MOST: Final = 32
"""Phones at one time."""


GONE: Final = "The board no longer knows this phone. Scan the code on its screen."


class NotAdmitted(Exception):
    """A phone can't come in, or can't do what it asks; the message is the sentence for it."""


class TooManyGuesses(NotAdmitted):
    """Codes were sent faster than they are looked at."""


class NotKnown(NotAdmitted):
    """The token is nobody's."""

    def __init__(self) -> None:
        super().__init__(GONE)


class SeatTaken(NotAdmitted):
    """Another phone holds the seat."""


class NotKept(NotAdmitted):
    """The disk refuses what is to be kept; *why* is its reason, and what to do about it."""

    def __init__(self, sentence: str, why: str) -> None:
        super().__init__(sentence)
        self.why = why


class PhoneRegistry:
    """All phones that play along; each method may be called from any thread.

    A change is on the disk before anybody is told of it.  If the disk refuses, nothing has changed; but what
    only takes something away holds at once, and nothing on the disk says otherwise: where there is no room
    for what is left, all of it is erased.

    Args:
        file: Holds what was kept of the last run, and takes what is to be kept.
        report: Told what is wrong with that, in a sentence, and None once it is well again.
        is_open: Whether phones are let in, whatever was kept.
        clock: Seconds that only go forward.
    """

    def __init__(
        self,
        file: PhoneFile,
        report: Callable[[str | None], None] = lambda _trouble: None,
        *,
        is_open: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        kept = file.read()
        self._kept = replace(kept, is_open=is_open or kept.is_open)
        self._file = file
        self._report = report
        self.is_refused = False
        """Whether the disk has refused the last change, so that `try_again` has something to do."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after each change, in the thread that made it."""
        self._clock = clock
        self._lock = threading.RLock()
        self._code = ""
        self._code_until = float("-inf")
        self._guesses: dict[str, deque[float]] = {}
        """When codes have come in the last minute, by the address that sent them."""

    @property
    def is_open(self) -> bool:
        """Whether phones are let in."""
        return self._kept.is_open

    @property
    def present(self) -> tuple[Phone, ...]:
        """All phones, the longest here first."""
        return tuple(one.phone for one in self._kept.phones)

    def do(self, wish: Wish, deal: str = "") -> None:
        """Do what was asked for at the board, where *deal* lies on the table.

        To close is to forget all that were here.  A phone that is given a seat may see that seat's hand of
        *deal* from then on, whatever it has seen before.

        Raises:
            NotKept: If the disk refuses.  Who was sent away is gone all the same, but back after a restart.
        """
        with self._lock:
            match wish:
                case OpenPhones():
                    self._change(replace(self._kept, is_open=True))
                case ClosePhones():
                    self._code_until = float("-inf")
                    self._change(SavedPhones())
                case RemovePhone(number):
                    self._forget(lambda one: one.phone.number == number)
                case GiveRole(number) if any(phone.number == number for phone in self.present):
                    phones = tuple(_after(wish, one, deal) for one in self._kept.phones)
                    self._change(replace(self._kept, phones=phones))

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

    def admit(self, code: str, kind: str, source: str = "") -> str:
        """Let the phone in that sends *code* from *source*; return its token.  *kind* is such as `iPhone`.

        Raises:
            TooManyGuesses: If ten codes have come from there in the last minute, right or wrong.
            NotAdmitted: If it is not the code, or too old, or too many phones are here.
            NotKept: If the disk refuses.
        """
        with self._lock:
            if not self.is_open:
                raise NotAdmitted("Phones are off at the board: choose MENU, Phones there.")
            now = self._clock()
            self._guesses = {at: sent for at, sent in self._guesses.items() if now - sent[-1] < MINUTE}
            guesses = self._guesses.setdefault(source, deque(maxlen=GUESSES))
            if len(guesses) == GUESSES and now - guesses[0] < MINUTE:
                raise TooManyGuesses("Too many codes were tried. Wait a minute, then try again.")
            guesses.append(now)
            sent, real = code.strip().upper().encode(errors="replace"), self._code.encode()
            if not (hmac.compare_digest(sent, real) and now < self._code_until):
                raise NotAdmitted("That is not the code on the board's screen. Scan it again.")
            if len(self._kept.phones) >= MOST:
                raise NotAdmitted(f"{MOST} phones are here already: remove one at the board.")
            token = secrets.token_urlsafe(32)
            taken = {phone.number for phone in self.present}
            number = next(one for one in range(1, MOST + 1) if one not in taken)
            joined = Joined(hashed(token), Phone(number, kind))
            self._change(replace(self._kept, phones=(*self._kept.phones, joined)))
            return token

    def known(self, token: str) -> Phone | None:
        """Return whose *token* it is; None where it is nobody's, or phones are off."""
        joined = self._joined(token)
        return None if joined is None else joined.phone

    def _joined(self, token: str) -> Joined | None:
        kept, key = self._kept, hashed(token)  # once: another thread may change it
        return next((one for one in kept.phones if one.key == key), None) if kept.is_open else None

    def saw(self, token: str, deal: str) -> int | None:
        """Return whose hand of *deal* the phone with *token* may see; None if it has seen none yet."""
        joined = self._joined(token)
        return dict(joined.saw).get(deal) if joined is not None else None

    def sees(self, token: str, deal: str, seat: int) -> bool:
        """Tell whether the phone with *token* may be shown the hand of *seat* in *deal*.

        It may if it has seen no other hand of it; that is kept before the hand is shown.

        Raises:
            NotKept: If the disk refuses that.
        """
        with self._lock:
            joined = self._joined(token)
            if joined is None:
                return False
            seen = self.saw(token, deal)
            if seen is None:
                self._save(self._with(joined.with_hand(deal, seat)))
            return seen in {None, seat}

    def choose(self, token: str, role: Role | None, seat: int | None = None) -> Phone:
        """Give the phone with *token* a *role*, or none; with `Role.SEAT` that of *seat*.

        Raises:
            NotKnown: If the token is nobody's.
            SeatTaken: If another phone holds the seat.
        """
        with self._lock:
            joined = self._joined(token)
            if joined is None:
                raise NotKnown
            seat = seat if role is Role.SEAT else None
            for other in self.present:
                if seat is not None and other.seat == seat and other.number != joined.phone.number:
                    raise SeatTaken(
                        f"Phone {other.number} has that seat: free it there, "
                        f"or at the board with MENU, Phones."
                    )
            chosen = replace(joined.phone, role=role, seat=seat)
            self._change(self._with(replace(joined, phone=chosen)))
            return chosen

    def leave(self, token: str) -> None:
        """Forget the phone with *token*, if there is one."""
        self._forget(lambda one: one.key == hashed(token))

    def try_again(self) -> None:
        """Keep what the disk has refused; tell everybody if that went well."""
        with self._lock:
            try:
                self._file.keep(self._kept)
            except OSError:
                return
            self._is_well()
        self.on_change()

    def _with(self, changed: Joined) -> SavedPhones:
        phones = tuple(changed if one.key == changed.key else one for one in self._kept.phones)
        return replace(self._kept, phones=phones)

    def _forget(self, is_it: Callable[[Joined], bool]) -> None:
        with self._lock:
            left = tuple(one for one in self._kept.phones if not is_it(one))
            self._change(replace(self._kept, phones=left))

    def _change(self, kept: SavedPhones) -> None:
        with self._lock:
            if kept == self._kept:
                return
            before = self._kept
            try:
                self._save(kept)
            finally:
                if self._kept is not before:  # what only takes away holds even if the disk refuses
                    self.on_change()

    def _save(self, kept: SavedPhones) -> None:
        """Have *kept* hold from now on, once it is on the disk.

        Raises:
            NotKept: If the disk refuses.
        """
        takes_away = kept.is_open <= self._kept.is_open and {*kept.phones} <= {*self._kept.phones}
        if takes_away:
            self._kept = kept
        try:
            self._file.keep(kept)
        except OSError as refused:
            self.is_refused = True
            why = f"({reason(refused)}): {remedy(refused, 'make the state folder writable')}"
            if not takes_away:
                self._report(f"Phones can't be saved {why}.")
                raise NotKept(f"Not saved, and nothing has changed {why}, then try again.", why) from None
            try:  # where there is no room for what is left, none of it is kept
                self._file.erase()
            except OSError:
                sentence = f"Phones that you have removed will be back after a restart {why}."
                self._report(sentence)
                raise NotKept(sentence, why) from None
            self._report(f"After a restart every phone must join again {why}.")
        else:
            self._kept = kept
            self._is_well()

    def _is_well(self) -> None:
        if self.is_refused:
            self.is_refused = False
            self._report(None)


def hashed(token: str) -> str:
    """Return what a phone is known by here, of its *token*."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _after(given: GiveRole, one: Joined, deal: str) -> Joined:
    """Return *one* of the phones after a role was *given*; a seat goes over to the phone that gets it."""
    if one.phone.number == given.number:
        found = replace(one, phone=replace(one.phone, role=given.role, seat=given.seat))
        return found if given.seat is None or not deal else found.with_hand(deal, given.seat)
    is_lost = given.seat is not None and one.phone.seat == given.seat
    return replace(one, phone=replace(one.phone, role=None, seat=None)) if is_lost else one
