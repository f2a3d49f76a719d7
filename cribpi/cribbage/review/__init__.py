"""After the game: what each decision cost, what was luck, and what would have been better."""

from typing import Final

FORMAT: Final = 12
"""The version of a review's JSON: a later one that says more makes kept reviews anew."""

GAMES: Final = 5
"""A player's latest finished games whose mistakes are practised first."""
