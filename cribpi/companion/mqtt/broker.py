"""The broker's address, and how this board logs in."""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass
from pathlib import Path

from cribpi.companion.files.config_table import LAST_PORT, Section, setting

PORT = 1883
TLS_PORT = 8883

LEVEL = "use letters, digits, hyphens and underscores, 60 at most"
"""The rule for a board's name and for any level of a topic: it has no separators or wildcards."""


def is_level(name: str) -> bool:
    """Return whether *name* can be a level of a topic.

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
    """Return a host name or an address; brackets around an IPv6 address are removed."""
    host = table.text(key)
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


@dataclass(frozen=True, slots=True)
class Broker:
    """The settings of `[mqtt]`; publishing is disabled while *host* is empty."""

    host: str = setting(_host, default="")
    port: int = setting(
        lambda mqtt, key: mqtt.integer(key, 0, LAST_PORT, hint="0 is 1883, or 8883 with TLS"), default=0
    )
    """0 for the default: 1883, or 8883 with TLS."""
    board: str = setting(_topic, default="")
    """This board's name in topics; by default the page's name."""
    prefix: str = setting(_topic, default="cribpi")
    """The first level of all topics."""
    user: str = setting(Section.text, default="")
    password_file: str = setting(Section.text, default="")
    """A file whose first line is the password, which is stored nowhere else."""
    tls: bool = setting(Section.boolean, default=False)
    ca: str = setting(Section.text, default="")
    """The file of the authority that signed the broker's certificate; by default the system's authorities."""
    certificate: str = setting(Section.text, default="")
    """The files of this board's own certificate and its key."""
    key: str = setting(Section.text, default="")
    discovery: str = setting(_topic, default="homeassistant")
    """The topic for Home Assistant's discovery, or `off`."""
    undo: bool = setting(Section.boolean, default=False)
    """Whether anybody who can write to the topic `undo` can undo a step."""
    club: bool = setting(Section.boolean, default=False)
    """Whether anybody who can write to the topic `pairing` decides who plays here next."""

    @property
    def at(self) -> int:
        return self.port or (TLS_PORT if self.is_secure else PORT)

    @property
    def address(self) -> str:
        """Host and port, as people write them: an IPv6 address in brackets."""
        return f"[{self.host}]:{self.at}" if ":" in self.host else f"{self.host}:{self.at}"

    @property
    def is_secure(self) -> bool:
        return self.tls or bool(self.ca or self.certificate)

    def topic(self, what: str) -> str:
        """Return the topic that this board publishes, as `state`, or subscribes to, as `undo`."""
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
        """Return the TLS context of the connection; None without TLS.

        Raises:
            OSError, ValueError: If a file can't be read.
        """
        if not self.is_secure:
            return None
        context = ssl.create_default_context(cafile=_path(self.ca))
        if self.certificate:
            context.load_cert_chain(_path(self.certificate) or "", _path(self.key))
        return context


def _path(name: str) -> str | None:
    """Return the path of a file, which must exist; None for an empty name."""
    if not name:
        return None
    path = Path(name).expanduser()
    path.stat()  # Check here, because OpenSSL does not name a missing file.
    return str(path)
