"""What speaks against an upgrade now: a game in progress, or a companion that does not answer."""

from __future__ import annotations

import json
import re
import urllib.request
from typing import Any, Final

from steps import printed

QUIET: Final = ("idle", "game-over", "match-over")
"""The phases in which no game is going on."""

PATIENCE: Final = 5.0
"""Seconds for which a companion may think about its answer."""

ADDRESS: Final = re.compile(r"page at http://127\.0\.0\.1:(\d{1,5})/")
"""What the companion tells systemd of itself."""


def in_the_way(port: int) -> str | None:
    """Return what stands against an upgrade now, None if nothing does; *port* is that of the settings.

    The service may have another port: the settings are read at its start, and may have been changed since.
    """
    state, own = _unit(port)
    answers = {asked: going_on(asked) for asked in (port, own)}
    if why := answers[port] or answers[own]:
        return why
    if state in {"active", "reloading"} and answers[own] is None:
        return f"cribpi is running, but does not answer on port {own}, and may be in a game"
    return None


def going_on(port: int) -> str | None:
    """Return what goes on at *port*, in words; "" where a companion has no game, None where there is none."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://127.0.0.1:{port}/api/state", timeout=PATIENCE) as answer:
            state: dict[str, Any] = json.load(answer)
        phase, is_begun = state["phase"], bool(state["seats"]) and state["winner"] is None
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(getattr(error, "reason", error), TimeoutError):
            return f"the program on port {port} does not answer, and may be in a game"
        return None  # nobody is there, or somebody else
    # Behind the menu of the next game the one before may still be open.
    if phase in QUIET or (phase == "new-game" and not is_begun):
        return ""
    names = " against ".join(side["name"] for side in state["sides"])
    scores = " to ".join(str(side["front"]) for side in state["sides"])
    return f"a game is going on: {names}, {scores}"


def page_answers(port: int) -> bool:
    """Return whether the service's page answers; *port* is that of the settings."""
    return going_on(_unit(port)[1]) is not None


def _unit(port: int) -> tuple[str, int]:
    """Return the service's state, "" without systemd, and the port that it told systemd, or else *port*."""
    lines = printed("systemctl", "show", "--property=ActiveState,StatusText", "cribpi").splitlines()
    shown = dict(line.split("=", 1) for line in lines if "=" in line)
    told = ADDRESS.search(shown.get("StatusText", ""))
    return shown.get("ActiveState", ""), int(told[1]) if told else port
