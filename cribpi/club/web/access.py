"""Authentication of the director: the password's hash, and the sessions of signed-in browsers."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from cribpi.companion.files.atomic import write_whole

LENGTH: Final = 14
"""Length of a generated password: 14 letters have 70 random bits."""

HOURS: Final = 16
"""Hours until a session expires."""

PAUSE: Final = 1.0
"""Delay in seconds after a wrong password or code. The next attempt from that address waits for it."""

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_COST: Final = 2**12
"""scrypt's cost n, which takes 4 MB. Kept low because anyone can trigger it; 70 random bits need no more."""
_EARLIER_COST: Final = 2**14
"""scrypt's cost n of older files, which don't store it."""


class Access:
    """Authentication against *file*, which stores the password's salt and scrypt hash with mode 0600."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._kept = file.with_name("signed-in.json")
        self._open: dict[str, tuple[float, int]] = {}
        """Sessions by hash of the token: expiry time in seconds, and the password's creation time in ns."""
        with suppress(OSError, ValueError, TypeError, AttributeError):  # an unreadable file means no sessions
            found = json.loads(self._kept.read_text(encoding="ascii"))
            self._open = {token: (float(until), int(made)) for token, (until, made) in found.items()}

    def has_password(self) -> bool:
        return self._file.exists()

    def new_password(self) -> str:
        """Generate a password, save its hash, and return it. All sessions end.

        Raises:
            OSError: If the file can't be written.
        """
        password = "".join(secrets.choice(_LETTERS) for _ in range(LENGTH))
        salt = secrets.token_bytes(16)
        kept = json.dumps({"salt": salt.hex(), "hash": _hash(password, salt, _COST), "n": _COST})
        write_whole(self._file, kept.encode(), mode=0o600)
        self._open.clear()
        self._save_sessions()
        return password

    def enter(self, password: str) -> str | None:
        """Return a session token if *password* is right, otherwise None.

        Raises:
            OSError, ValueError: If the password file can't be read.
        """
        kept = json.loads(self._file.read_text(encoding="ascii"))
        made = _hash(password, bytes.fromhex(kept["salt"]), kept.get("n", _EARLIER_COST))
        if not hmac.compare_digest(made, kept["hash"]):
            return None
        token = secrets.token_urlsafe(32)
        self._open[_hashed(token)] = time.time() + HOURS * 3600, self._password_time()
        self._save_sessions()
        return token

    def _save_sessions(self) -> None:
        now = time.time()
        self._open = {token: held for token, held in self._open.items() if held[0] > now}
        with suppress(OSError):  # if it can't be saved, a restart ends the sessions
            write_whole(self._kept, json.dumps(self._open).encode(), mode=0o600)

    def _password_time(self) -> int:
        """Return the password's creation time in ns, or 0 without a password."""
        try:
            return self._file.stat().st_mtime_ns
        except OSError:
            return 0

    def code(self, night: str) -> str:
        """Return the six-letter code for entering results on *night*. It stays the same after a restart."""
        secret = self._file.read_bytes() if self._file.exists() else b""
        made = hmac.new(secret, night.encode(), "sha256").digest()
        return "".join(_CODE[byte % len(_CODE)] for byte in made[:6])

    def is_in(self, token: str | None) -> bool:
        until, made = self._open.get(_hashed(token or ""), (0.0, -1))
        left = until - time.time()  # `left` exceeds HOURS if the clock was ahead when the session began
        return 0 < left <= HOURS * 3600 and made == self._password_time()

    def leave(self, token: str | None) -> None:
        self._open.pop(_hashed(token or ""), None)
        self._save_sessions()


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _hash(password: str, salt: bytes, n: int) -> str:
    return hashlib.scrypt(password.encode()[:1024], salt=salt, dklen=32, n=n, r=8, p=1).hex()
