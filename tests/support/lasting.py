"""Removes messages about a state folder in memory or in a container, as tests use on some machines."""

from __future__ import annotations

import re
from typing import Final

from cribpi.companion.run.bootstrap import FORGETS
from support.server import ask

_SAID: Final = re.compile(rf"(cribpi: )?{re.escape(FORGETS).replace(re.escape('{kind}'), '[a-z]+')}\n?")


def without_forgetting(text: str) -> str:
    """Return *text* without messages about the state folder."""
    return _SAID.sub("", text)


def troubles_at(url: str) -> list[str]:
    """Return the faults that the page at *url* reports, except those about the state folder."""
    told: list[str] = ask(f"{url}api/page")[1]["trouble"]
    return [one for one in told if not _SAID.fullmatch(one)]
