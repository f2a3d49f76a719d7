"""What a club's desk says of this board's next game, read with care: anybody might have written it."""

from __future__ import annotations

import json
from typing import Final

from cribpi.companion.entry.pairing import PAIR, Pairing
from cribpi.companion.files.section import Section, Unfit
from cribpi.cribbage.game.events import LONGEST_NIGHT, MOST_ROUNDS
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.names import given_names
from cribpi.cribbage.rules.rulebook import rulebook

LONGEST: Final = 4000
"""The most bytes of a message."""

_LAST_BOARD: Final = 9999
_LAST_SCHEMA: Final = 2**31


class BadPairing(Unfit):
    """A message that is not a pairing, and why."""

    page = "docs/reference/mqtt.md"


def read_pairing(topic: str, text: bytes) -> Pairing | None:
    """Return the pairing that *text*, a message of *topic*, names, or None where the desk has withdrawn it.

    Raises:
        BadPairing: If it is not one that a game can start with.
    """
    if not text:
        return None
    if len(text) > LONGEST:
        raise BadPairing(f"{topic}: {len(text):,} bytes: a pairing has {LONGEST:,} at most")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadPairing(f"{topic}: not JSON; {BadPairing.page} shows what it says") from None
    if found is None:
        return None
    if not isinstance(found, dict):
        raise BadPairing(f"{topic}: not a JSON object; {BadPairing.page} shows what it says")
    message = Section(topic, "", found, BadPairing)
    message.integer("schema", 1, _LAST_SCHEMA)  # a later one says all this too
    games = message.integer("games", 1, MOST_ROUNDS)
    night = message.text("night")
    if len(night) > LONGEST_NIGHT:
        raise message.refusal("night", f"give {LONGEST_NIGHT} characters at most")
    number, board = message.integer("round", 1, games), message.integer("board", 1, _LAST_BOARD)
    names = message.texts("players")
    if len(names) != PAIR:
        raise message.refusal("players", "name two players")
    try:
        players = given_names(names)
    except BadSetup as bad:
        raise message.refusal("players", str(bad)) from None
    presets = [one.name for one in rulebook().presets.values() if PAIR in one.players]
    return Pairing(night, number, games, board, players, message.choice("rules", presets))
