"""After the game: what each decision cost, what was luck, and what would have been better."""

from typing import Final

FORMAT: Final = 9
"""The version of a review's JSON: a later one that says more makes kept reviews anew."""

READ: Final = frozenset({8, FORMAT})
"""The versions of kept reviews that are read: one of 8 has the dealer's name of then."""

GAMES: Final = 5
"""A player's latest finished games whose mistakes are practised first."""
