"""Reasons not to upgrade now: a game in progress, or a companion that does not answer."""

from __future__ import annotations

import json
import re
import urllib.request
from typing import Any, Final

from steps import printed

QUIET: Final = ("idle", "game-over", "match-over")
"""Phases in which no game is in progress."""

PATIENCE: Final = 5.0
"""Timeout in seconds for the companion's answer."""

ADDRESS: Final = re.compile(r"page at http://127\.0\.0\.1:(\d{1,5})/")
"""Pattern of the page's address in the status that the companion reports to systemd."""


def blocking_reason(port: int) -> str | None:
    """Return the reason not to upgrade now, or None.

    *port* is the port in the settings. If the settings have changed since the service started, the service
    still uses another port.
    """
    state, own = _unit(port)
    answers = {asked: going_on(asked) for asked in (port, own)}
    if why := answers[port] or answers[own]:
        return why
    if state in {"active", "reloading"} and answers[own] is None:
        return f"cribpi is running, but does not answer on port {own}, and may be in a game"
    return None


def going_on(port: int) -> str | None:
    """Describe the game in progress at *port*.

    Return "" if there is none, or None if no companion answers.
    """
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://127.0.0.1:{port}/api/state", timeout=PATIENCE) as answer:
            state: dict[str, Any] = json.load(answer)
        phase, is_begun = state["phase"], bool(state["seats"]) and state["winner"] is None
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(getattr(error, "reason", error), TimeoutError):
            return f"the program on port {port} does not answer, and may be in a game"
        return None  # the port is closed, or another program answers
    # While the new-game menu is open, the previous game may still be unfinished.
    if phase in QUIET or (phase == "new-game" and not is_begun):
        return ""
    names = " against ".join(side["name"] for side in state["sides"])
    scores = " to ".join(str(side["front"]) for side in state["sides"])
    return f"a game is going on: {names}, {scores}"


def page_answers(port: int) -> bool:
    """Return whether the service's page answers. *port* is the port in the settings."""
    return going_on(_unit(port)[1]) is not None


def _unit(port: int) -> tuple[str, int]:
    """Return the service's state and port.

    The state is "" without systemd, and the default port is *port*.
    """
    lines = printed("systemctl", "show", "--property=ActiveState,StatusText", "cribpi").splitlines()
    properties = dict(line.split("=", 1) for line in lines if "=" in line)
    address = ADDRESS.search(properties.get("StatusText", ""))
    return properties.get("ActiveState", ""), int(address[1]) if address else port
