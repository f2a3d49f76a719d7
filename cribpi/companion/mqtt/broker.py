"""Where the broker is, and how it lets this board in."""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass
from pathlib import Path

from cribpi.companion.files.section import LAST_PORT, Section, setting

PORT = 1883
TLS_PORT = 8883

LEVEL = "use letters, digits, hyphens and underscores, 60 at most"
"""What a board's name is made of, or any level of a topic: nothing that parts levels or stands for some."""


def is_level(name: str) -> bool:
    """Tell whether *name* can be a level of a topic.

    >>> is_level("my_oak"), is_level("a/b"), is_level("#")
    (True, False, False)
    """
    return re.fullmatch(r"[A-Za-z0-9_-]{1,60}", name) is not None


def _topic(table: Section, key: str) -> str:
    name = table.text(key)
    if not is_level(name):
        raise table.refusal(key, LEVEL)
    return name


def _host(table: Section, key: str) -> str:
    """Return a name or an address; one of IPv6 may stand in brackets, as in front of a port."""
    host = table.text(key)
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


@dataclass(frozen=True, slots=True)
class Broker:
    """The settings of `[mqtt]`; nothing is told as long as *host* is empty."""

    host: str = setting(_host, default="")
    port: int = setting(
        lambda mqtt, key: mqtt.integer(key, 0, LAST_PORT, hint="0 is 1883, or 8883 with TLS"), default=0
    )
    """0 for the usual one: 1883, or 8883 with TLS."""
    board: str = setting(_topic, default="")
    """What this board is called in topics; the page's name unless given."""
    prefix: str = setting(_topic, default="cribpi")
    """The first level of all topics."""
    user: str = setting(Section.text, default="")
    password_file: str = setting(Section.text, default="")
    """A file whose first line is the password: it stands in no other place."""
    tls: bool = setting(Section.boolean, default=False)
    ca: str = setting(Section.text, default="")
    """The file of the authority that has signed the broker's certificate; the system's unless given."""
    certificate: str = setting(Section.text, default="")
    """This board's own certificate, and its key."""
    key: str = setting(Section.text, default="")
    discovery: str = setting(_topic, default="homeassistant")
    """The topic by which Home Assistant finds the board; `off` for none."""
    undo: bool = setting(Section.boolean, default=False)
    """Whether whoever may write to the topic `undo` can take a step back."""
    club: bool = setting(Section.boolean, default=False)
    """Whether whoever may write to the topic `pairing` says who plays here next."""

    @property
    def at(self) -> int:
        """The port."""
        return self.port or (TLS_PORT if self.is_secure else PORT)

    @property
    def address(self) -> str:
        """Host and port, as people write them: an address of IPv6 in brackets."""
        return f"[{self.host}]:{self.at}" if ":" in self.host else f"{self.host}:{self.at}"

    @property
    def is_secure(self) -> bool:
        return self.tls or bool(self.ca or self.certificate)

    def topic(self, what: str) -> str:
        """Return the topic of *what* this board tells, as `state`, or hears, as `undo`."""
        return f"{self.prefix}/{self.board}/{what}"

    def password(self) -> str | None:
        """Return the password; None if no file is named.

        Raises:
            OSError, ValueError: If its file can't be read.
        """
        if not self.password_file:
            return None
        lines = Path(self.password_file).expanduser().read_text(encoding="utf-8").splitlines()
        return lines[0] if lines else ""

    def context(self) -> ssl.SSLContext | None:
        """Return what the connection is secured with; None without TLS.

        Raises:
            OSError, ValueError: If a file can't be read.
        """
        if not self.is_secure:
            return None
        found = ssl.create_default_context(cafile=_path(self.ca))
        if self.certificate:
            found.load_cert_chain(_path(self.certificate) or "", _path(self.key))
        return found


def _path(name: str) -> str | None:
    """Return the path of a file, which must be there; None for no name."""
    if not name:
        return None
    path = Path(name).expanduser()
    path.stat()  # OpenSSL does not say which file is lacking
    return str(path)
