"""What each decision of a game cost, and what was luck; practice."""

from typing import Final

FORMAT: Final = 13
"""The version of a review's JSON: a later one that says more makes kept reviews anew."""

GAMES: Final = 5
"""A player's latest finished games whose mistakes are practised first."""

FIVE_CARD: Final = "five-card can't be reviewed: there are no tables for hands of three cards"
