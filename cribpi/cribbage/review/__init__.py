"""The review of a game: the cost of each decision, and luck; and practice."""

from typing import Final

FORMAT: Final = 13
"""The version of a review's JSON: stored reviews of an older version are made again."""

GAMES: Final = 5
"""The number of a player's latest finished games whose mistakes are practised first."""

FIVE_CARD: Final = "five-card can't be reviewed: there are no tables for hands of three cards"
