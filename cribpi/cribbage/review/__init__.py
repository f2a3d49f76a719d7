"""After the game: what each decision cost, what was luck, and what would have been better."""

from typing import Final

FORMAT: Final = 9
"""The version of a review's JSON: a later one that says more makes kept reviews anew."""

READ: Final = frozenset({8, FORMAT})
"""The versions of kept reviews that are read: in format 8, the name of the dealer is written out."""

GAMES: Final = 5
"""A player's latest finished games whose mistakes are practised first."""
