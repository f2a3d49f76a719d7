"""Who may use the desk: a password, of which only a hash is kept, and the browsers that have given it."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from cribpi.companion.files.whole import write_whole

LENGTH: Final = 14
"""Letters of a password that is made here: 70 bits."""

HOURS: Final = 16
"""Hours until a browser has to give it again."""

PAUSE: Final = 1.0
"""Seconds after a wrong password, or a wrong code, until the next one from there is looked at."""

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_COST: Final = 2**12
"""scrypt's n: 4 MB, as strangers may have passwords looked at, and one of 70 bits is not found by trying."""
_EARLIER_COST: Final = 2**14
"""That of a file that names none."""


class Access:
    """The password is kept in *file*, as salt and hash by scrypt; only its owner may read it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._kept = file.with_name("signed-in.json")
        self._open: dict[str, tuple[float, int]] = {}
        """The hashes of the tokens that browsers have, until when they hold, and by which password."""
        with suppress(OSError, ValueError, TypeError, AttributeError):  # nobody is in
            found = json.loads(self._kept.read_text(encoding="ascii"))
            self._open = {token: (float(until), int(made)) for token, (until, made) in found.items()}

    def has_password(self) -> bool:
        return self._file.exists()

    def new_password(self) -> str:
        """Make a password, keep its hash, and return it; whoever was in is out.

        Raises:
            OSError: If the file can't be written.
        """
        password = "".join(secrets.choice(_LETTERS) for _ in range(LENGTH))
        salt = secrets.token_bytes(16)
        kept = json.dumps({"salt": salt.hex(), "hash": _hash(password, salt, _COST), "n": _COST})
        write_whole(self._file, kept.encode(), mode=0o600)
        self._open.clear()
        self._keep()
        return password

    def enter(self, password: str) -> str | None:
        """Return the token for who knows the password; None for who does not.

        Raises:
            OSError, ValueError: If its file can't be read.
        """
        kept = json.loads(self._file.read_text(encoding="ascii"))
        made = _hash(password, bytes.fromhex(kept["salt"]), kept.get("n", _EARLIER_COST))
        if not hmac.compare_digest(made, kept["hash"]):
            return None
        token = secrets.token_urlsafe(32)
        self._open[_hashed(token)] = time.time() + HOURS * 3600, self._made()
        self._keep()
        return token

    def _keep(self) -> None:
        """Keep who is in, for the next start of the desk."""
        now = time.time()
        self._open = {token: held for token, held in self._open.items() if held[0] > now}
        with suppress(OSError):  # then a restart asks for the password again
            write_whole(self._kept, json.dumps(self._open).encode(), mode=0o600)

    def _made(self) -> int:
        """Return the time at which the password was made, in ns; 0 without a password."""
        try:
            return self._file.stat().st_mtime_ns
        except OSError:
            return 0

    def code(self, night: str) -> str:
        """Return six letters with which players enter results on that night: the same after a restart."""
        secret = self._file.read_bytes() if self._file.exists() else b""
        made = hmac.new(secret, night.encode(), "sha256").digest()
        return "".join(_CODE[byte % len(_CODE)] for byte in made[:6])

    def is_in(self, token: str | None) -> bool:
        until, made = self._open.get(_hashed(token or ""), (0.0, -1))
        left = until - time.time()  # more than it can be, if the clock was ahead
        return 0 < left <= HOURS * 3600 and made == self._made()

    def leave(self, token: str | None) -> None:
        self._open.pop(_hashed(token or ""), None)
        self._keep()


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _hash(password: str, salt: bytes, n: int) -> str:
    return hashlib.scrypt(password.encode()[:1024], salt=salt, dklen=32, n=n, r=8, p=1).hex()
