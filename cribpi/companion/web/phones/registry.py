"""The registry of phones. A phone joins with a code, and is identified by a token from then on.

The board's screen shows the code, which is valid for five minutes. A phone that sends it gets a token. Only
the token's hash is stored. With the token, the phone chooses a role, and can do only what that role allows.

The registry also stores which hand a phone has seen in each deal. UNDO brings the same cards back, and a
phone that has changed seats in between must not see a second hand of that deal.
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

from cribpi.companion.entry.phones import (
    ClosePhones,
    GiveRole,
    OpenPhones,
    Phone,
    PhoneCommand,
    RemovePhone,
    Role,
)
from cribpi.companion.files.atomic import erase, write_whole
from cribpi.companion.files.disk import reason, remedy

NAME: Final = "phones.json"
VERSION: Final = 1
DEALS: Final = 200
"""Maximum number of deals for which a seen hand is stored, per phone: the latest ones, some twenty games."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A phone that has joined."""

    key: str
    """Hash of the phone's token."""
    phone: Phone
    saw: tuple[tuple[str, int], ...] = ()
    """Pairs of a deal and the only seat whose hand the phone may see in it, latest last."""

    def with_hand(self, deal: str, seat: int) -> Joined:
        """Return a copy that may see the hand of *seat* in *deal*, and no other hand of that deal."""
        others = [pair for pair in self.saw if pair[0] != deal]
        return replace(self, saw=(*others, (deal, seat))[-DEALS:])


@dataclass(frozen=True, slots=True)
class SavedPhones:
    """The stored data of the registry: whether phones are on, and the joined phones."""

    is_open: bool = False
    phones: tuple[Joined, ...] = ()


class PhoneFile:
    """The file in *folder* that stores the joined phones."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def read(self) -> SavedPhones:
        """Return the stored phones. There are none if the file is missing, damaged or of another version.

        Phones that are lost in this way only have to scan the code again.
        """
        try:
            document = json.loads(self._path.read_text())
            if document["version"] != VERSION:
                return SavedPhones()
            return SavedPhones(document["open"] is True, tuple(map(_joined, document["phones"])))
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return SavedPhones()

    def keep(self, saved: SavedPhones) -> None:
        """Write *saved* atomically. If there is nothing to save, delete the file.

        Raises:
            OSError: If the write fails.
        """
        if saved == SavedPhones():
            self.erase()
            return
        document = {
            "version": VERSION,
            "open": saved.is_open,
            "phones": [
                {"token": joined.key} | asdict(joined.phone) | {"saw": list(map(list, joined.saw))}
                for joined in saved.phones
            ],
        }
        write_whole(self._path, json.dumps(document).encode(), mode=0o600)

    def erase(self) -> None:
        """Delete the file. This works even on a full disk.

        Raises:
            OSError: If deleting fails.
        """
        erase(self._path)


def _joined(row: dict[str, Any]) -> Joined:
    role = None if row["role"] is None else Role(row["role"])
    seat = int(row["seat"]) if role is Role.SEAT else None
    saw = tuple((str(deal), int(seen)) for deal, seen in row.get("saw", ()))
    return Joined(str(row["token"]), Phone(int(row["number"]), str(row["kind"]), role, seat), saw)


ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Characters of codes. None looks like another, and QR codes encode them compactly (alphanumeric mode)."""
CODE_LENGTH: Final = 6
CODE_SECONDS: Final = 300.0
GUESSES: Final = 10
"""Maximum number of codes that an address may try per minute. There are 10 ** 9 codes."""
MINUTE: Final = 60.0
MOST: Final = 32
"""Maximum number of joined phones."""

GONE: Final = "The board no longer knows this phone. Scan the code on its screen."


class NotAdmitted(Exception):
    """A phone can't join, or its request is refused. The message is for the phone's user."""


class TooManyGuesses(NotAdmitted):
    """An address has tried more than `GUESSES` codes in a minute."""


class NotKnown(NotAdmitted):
    """The token does not belong to a joined phone."""

    def __init__(self) -> None:
        super().__init__(GONE)


class SeatTaken(NotAdmitted):
    """Another phone has the seat."""


class NotKept(NotAdmitted):
    """Saving failed. *why* is the reason and a remedy."""

    def __init__(self, sentence: str, why: str) -> None:
        super().__init__(sentence)
        self.why = why


class PhoneRegistry:
    """All joined phones. Thread-safe.

    A change is saved before listeners are notified. If saving fails, granting access is rolled back. Revoking
    access takes effect all the same: the file is erased, so that a restart does not restore a removed phone.

    Args:
        file: The file that stores the phones.
        report: Called with a message if saving fails, and with None once it works again.
        is_open: Whether to turn phones on even if they are off in the file.
        clock: Monotonic clock in seconds.
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
        """Whether the last change could not be saved, so that `try_again` must be called."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after each change, in the thread that made the change."""
        self._clock = clock
        self._lock = threading.RLock()
        self._code = ""
        self._code_until = float("-inf")
        self._guesses: dict[str, deque[float]] = {}
        """Times of the codes tried in the last minute, by the sender's address."""

    @property
    def is_open(self) -> bool:
        return self._kept.is_open

    @property
    def present(self) -> tuple[Phone, ...]:
        """Joined phones, in the order of joining."""
        return tuple(joined.phone for joined in self._kept.phones)

    def do(self, command: PhoneCommand, deal: str = "") -> None:
        """Execute *command*, a command from the board. *deal* identifies the deal on the table.

        `ClosePhones` removes all phones. A phone that is given a seat may see that seat's hand in *deal*,
        even if it has already seen another hand.

        Raises:
            NotKept: If saving fails. A removed phone is removed all the same, but comes back after a restart.
        """
        with self._lock:
            match command:
                case OpenPhones():
                    self._change(replace(self._kept, is_open=True))
                case ClosePhones():
                    self._code_until = float("-inf")
                    self._change(SavedPhones())
                case RemovePhone(number):
                    self._forget(lambda joined: joined.phone.number == number)
                case GiveRole(number) if any(phone.number == number for phone in self.present):
                    phones = tuple(_with_role(joined, command, deal) for joined in self._kept.phones)
                    self._change(replace(self._kept, phones=phones))

    def code(self) -> str:
        """Return the code for joining. If the last code has expired, it is a new one."""
        with self._lock:
            if self._clock() >= self._code_until:
                self._code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
                self._code_until = self._clock() + CODE_SECONDS
            return self._code

    @property
    def code_seconds(self) -> float:
        """Seconds for which the code is still valid."""
        return max(self._code_until - self._clock(), 0.0)

    def admit(self, code: str, kind: str, source: str = "") -> str:
        """Register a phone that sends *code* from the address *source*. Return its new token.

        *kind* names the type of device, such as `iPhone`.

        Raises:
            TooManyGuesses: If *source* has tried ten codes in the last minute, right or wrong.
            NotAdmitted: If the code is wrong or expired, phones are off, or too many have joined.
            NotKept: If saving fails.
        """
        with self._lock:
            if not self.is_open:
                raise NotAdmitted("Phones are off at the board: choose MENU, Phones there.")
            now = self._clock()
            self._guesses = {who: times for who, times in self._guesses.items() if now - times[-1] < MINUTE}
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
            used = {phone.number for phone in self.present}
            number = next(number for number in range(1, MOST + 1) if number not in used)
            joined = Joined(hashed(token), Phone(number, kind))
            self._change(replace(self._kept, phones=(*self._kept.phones, joined)))
            return token

    def known(self, token: str) -> Phone | None:
        """Return the phone that owns *token*. None if the token is unknown, or phones are off."""
        joined = self._joined(token)
        return None if joined is None else joined.phone

    def _joined(self, token: str) -> Joined | None:
        kept, key = self._kept, hashed(token)  # read only once, because another thread may replace `_kept`
        phones = kept.phones if kept.is_open else ()
        return next((joined for joined in phones if joined.key == key), None)

    def saw(self, token: str, deal: str) -> int | None:
        """Return the seat whose hand the phone with *token* has seen in *deal*, or None."""
        joined = self._joined(token)
        return dict(joined.saw).get(deal) if joined is not None else None

    def sees(self, token: str, deal: str, seat: int) -> bool:
        """Claim the hand of *seat* in *deal* for the phone with *token*.

        Return whether the phone may see that hand.

        A phone may see one hand per deal. The first claim is on disk when this method returns.

        Raises:
            NotKept: If saving fails.
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
        """Set the *role* of the phone with *token*. `Role.SEAT` has a *seat*. None removes the role.

        Raises:
            NotKnown: If no phone has the token.
            SeatTaken: If another phone has the seat.
            NotKept: If saving fails.
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
        """Remove the phone with *token*, if there is one."""
        self._forget(lambda joined: joined.key == hashed(token))

    def try_again(self) -> None:
        """Retry a failed save. If it succeeds, notify listeners."""
        with self._lock:
            try:
                self._file.keep(self._kept)
            except OSError:
                return
            self._is_well()
        self.on_change()

    def _with(self, changed: Joined) -> SavedPhones:
        phones = tuple(changed if joined.key == changed.key else joined for joined in self._kept.phones)
        return replace(self._kept, phones=phones)

    def _forget(self, is_removed: Callable[[Joined], bool]) -> None:
        with self._lock:
            remaining = tuple(joined for joined in self._kept.phones if not is_removed(joined))
            self._change(replace(self._kept, phones=remaining))

    def _change(self, saved: SavedPhones) -> None:
        with self._lock:
            if saved == self._kept:
                return
            before = self._kept
            try:
                self._save(saved)
            finally:
                if self._kept is not before:  # revoking access takes effect even if saving has failed
                    self.on_change()

    def _save(self, saved: SavedPhones) -> None:
        """Save *saved*, then make it current. If it only revokes access, make it current first.

        Raises:
            NotKept: If saving fails.
        """
        takes_away = saved.is_open <= self._kept.is_open and {*saved.phones} <= {*self._kept.phones}
        if takes_away:  # revoking access must not wait for a full disk
            self._kept = saved
        try:
            self._file.keep(saved)
        except OSError as refused:
            self.is_refused = True
            why = f"({reason(refused)}): {remedy(refused, 'make the state folder writable')}"
            if not takes_away:
                self._report(f"Phones can't be saved {why}.")
                raise NotKept(f"Not saved, and nothing has changed {why}, then try again.", why) from None
            try:  # an old file would restore the removed phones after a restart
                self._file.erase()
            except OSError:
                sentence = f"Phones that you have removed will be back after a restart {why}."
                self._report(sentence)
                raise NotKept(sentence, why) from None
            self._report(f"After a restart every phone must join again {why}.")
        else:
            self._kept = saved
            self._is_well()

    def _is_well(self) -> None:
        if self.is_refused:
            self.is_refused = False
            self._report(None)


def hashed(token: str) -> str:
    """Return the hash of *token*. Only the hash is stored."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _with_role(joined: Joined, command: GiveRole, deal: str) -> Joined:
    """Return *joined* after *command* has given a role to a phone.

    A phone that loses its seat also loses its role.
    """
    phone = joined.phone
    if phone.number == command.number:
        changed = replace(joined, phone=replace(phone, role=command.role, seat=command.seat))
        return changed if command.seat is None or not deal else changed.with_hand(deal, command.seat)
    is_lost = command.seat is not None and phone.seat == command.seat
    return replace(joined, phone=replace(phone, role=None, seat=None)) if is_lost else joined
