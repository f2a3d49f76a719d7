"""What each decision of a game cost, and what was luck; practice."""

from typing import Final

from cribpi.cribbage.game.events import Entry

FORMAT: Final = 13
"""The version of a review's JSON: a later one that says more makes kept reviews anew."""

GAMES: Final = 5
"""A player's latest finished games whose mistakes are practised first."""

NO_CARDS: Final = "no cards were dealt: there is nothing to review"


def why_not(entry: str, *, is_five_card: bool) -> str:
    """Say why a game by this *entry* can't be reviewed; empty where it can.

    >>> why_not("peg", is_five_card=False), why_not("dealt", is_five_card=False)
    ('no cards were dealt: there is nothing to review', '')
    """
    if is_five_card:
        return "five-card can't be reviewed: there are no tables for hands of three cards"
    return NO_CARDS if entry == Entry.PEG else ""
