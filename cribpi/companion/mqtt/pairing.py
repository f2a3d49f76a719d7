"""Messages of a club's desk for this board, validated because anybody may have written them."""

from __future__ import annotations

import json
import re
from typing import Final

from cribpi.companion.entry.pairing import PAIR, Pairing
from cribpi.companion.files.config_table import Section, Unfit
from cribpi.cribbage.game.events import LONGEST_NIGHT, MOST_ROUNDS
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.names import given_names
from cribpi.cribbage.rules.rulebook import rulebook

LONGEST: Final = 4000
"""Greatest size of a message in bytes."""

_LAST_BOARD: Final = 9999
_LAST_SCHEMA: Final = 2**31

_URL: Final = re.compile(r"http://([A-Za-z0-9.:\[\]-]{1,42})/")
"""An address that fits in two rows of the screen."""


class BadPairing(Unfit):
    page = "docs/reference/mqtt.md"


def read_pairing(topic: str, text: bytes) -> Pairing | None:
    """Return the pairing in *text*, a message of *topic*, or None if the desk has withdrawn it.

    Raises:
        BadPairing: If it is not one that a game can start with.
    """
    if (message := _message(topic, text)) is None:
        return None
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
    presets = [preset.name for preset in rulebook().presets.values() if PAIR in preset.players]
    return Pairing(night, number, games, board, players, message.choice("rules", presets))


def read_page(topic: str, text: bytes) -> str:
    """Return the address of the desk's page in *text*, a message of *topic*; empty if the desk is closed.

    Raises:
        BadPairing: If that is not an address.
    """
    if (message := _message(topic, text)) is None:
        return ""
    match = _URL.fullmatch(message.text("url"))
    if match is None:
        raise message.refusal("url", "give an address such as http://192.168.1.20:8131/")
    return match[1]


def _message(topic: str, text: bytes) -> Section | None:
    if not text:
        return None
    if len(text) > LONGEST:
        raise BadPairing(f"{topic}: {len(text):,} bytes: a pairing has {LONGEST:,} at most")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadPairing(f"{topic}: not JSON; {BadPairing.page} explains it") from None
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BadPairing(f"{topic}: not a JSON object; {BadPairing.page} explains it")
    message = Section(topic, "", value, BadPairing)
    message.integer("schema", 1, _LAST_SCHEMA)  # A later schema has all these fields too.
    return message
